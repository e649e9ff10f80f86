//! Does less evidence ever give a verdict that more evidence contradicts? Each case without each of its files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::support::{Scratch, explain, root};

fn files(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() { files(&path, out) } else { out.push(path) }
    }
}

/// Of each pull its cause, and the causes that were ruled out for it.
fn verdicts(bundle: &Path) -> BTreeMap<(String, String), (Option<String>, Vec<String>)> {
    let run = explain(bundle);
    if run.code == 2 {
        return BTreeMap::new();
    }
    let report = run.json();
    let mut out = BTreeMap::new();
    for finding in report["findings"].as_array().unwrap() {
        let out_of_question = finding["candidates"].as_array().into_iter().flatten().filter(|c| c["outcome"] == "ruled-out");
        let excluded: Vec<String> = out_of_question.map(|c| c["cause"].as_str().unwrap().to_owned()).collect();
        for pull in finding["pulls"].as_array().unwrap() {
            let key = (pull["image"].to_string(), pull["node"].to_string());
            out.insert(key, (finding["cause"].as_str().map(str::to_owned), excluded.clone()));
        }
    }
    out
}

#[test]
fn without_any_one_file_no_cause_is_told_that_the_whole_rules_out() {
    let mut wrong = Vec::new();
    for case in std::fs::read_dir(root().join("testdata")).unwrap().flatten() {
        let bundle = case.path().join("bundle");
        let mut all = Vec::new();
        if bundle.is_dir() {
            files(&bundle, &mut all);
        }
        if all.len() < 2 || all.len() > 40 {
            continue;
        }
        let whole = verdicts(&bundle);
        for left_out in &all {
            let scratch = Scratch::new("less");
            for file in all.iter().filter(|f| *f != left_out) {
                scratch.write(&file.strip_prefix(&bundle).unwrap().to_string_lossy(), std::fs::read(file).unwrap());
            }
            for (pull, (cause, _)) in verdicts(scratch.path()) {
                let (Some(cause), Some((_, excluded))) = (cause, whole.get(&pull)) else { continue };
                if excluded.contains(&cause) {
                    wrong.push(format!("{} without {}: {cause}", case.path().display(), left_out.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
