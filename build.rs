//! Turns the rule files into what the program embeds: one compact list without tests, and the files as they are.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a broken rule file must stop the build")]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("rules");
    println!("cargo:rerun-if-changed={}", root.display());
    let mut files = Vec::new();
    collect(&root, &mut files);
    files.sort();

    let mut compact = Vec::new();
    let mut sources = String::from("const SOURCES: &[(&str, &str)] = &[\n");
    for file in &files {
        println!("cargo:rerun-if-changed={}", file.display());
        let text = fs::read_to_string(file).expect("a rule file is readable");
        let mut rule: serde_json::Value = serde_yaml::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        rule.as_object_mut().unwrap_or_else(|| panic!("{}: a rule is a map", file.display())).remove("tests");
        compact.push(rule);
        let inside = file.strip_prefix(&root).expect("collected below it").to_string_lossy().replace('\\', "/");
        writeln!(sources, "    ({:?}, include_str!({:?})),", format!("rules/{inside}"), file.display().to_string()).expect("a string takes it");
    }
    sources.push_str("];\n");

    let table = fs::read_to_string(root.join("artefacts.yaml")).expect("the table of artefacts is readable");
    let artefacts: serde_json::Value = serde_yaml::from_str(&table).unwrap_or_else(|e| panic!("artefacts.yaml: {e}"));

    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo sets it"));
    fs::write(out.join("rules.json"), serde_json::to_vec(&compact).expect("plain values")).expect("the output folder is writable");
    fs::write(out.join("artefacts.json"), serde_json::to_vec(&artefacts).expect("plain values")).expect("the output folder is writable");
    fs::write(out.join("sources.rs"), sources).expect("the output folder is writable");
}

/// Every rule file below `folder`; the table of artefacts and translations are no rules.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    println!("cargo:rerun-if-changed={}", folder.display());
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        if path.is_dir() {
            collect(&path, files);
        } else if name.ends_with(".yaml") && name.matches('.').count() == 1 && name != "artefacts.yaml" {
            files.push(path);
        }
    }
}
