//! Does data flow one way? A floor uses its own rooms and the floors below, never those above.

use std::collections::BTreeMap;
use std::path::Path;

use crate::support::root;

/// The floors, lowest first; rooms of one floor may not use one another.
const FLOORS: [(&str, u8); 11] = [
    ("text", 0),
    ("bundle", 1),
    ("facts", 2),
    ("readers", 3),
    ("message", 3),
    ("network", 3),
    ("trust", 3),
    ("pull", 4),
    ("rules", 5),
    ("verdict", 6),
    ("report", 7),
];

fn sources(folder: &Path, out: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, out);
        } else if path.extension().is_some_and(|e| e == "rs") {
            out.push(path);
        }
    }
}

fn files() -> Vec<(String, String)> {
    let mut paths = Vec::new();
    sources(&root().join("src"), &mut paths);
    paths.sort();
    paths.into_iter().map(|p| (p.strip_prefix(root().join("src")).unwrap().to_string_lossy().into_owned(), std::fs::read_to_string(&p).unwrap())).collect()
}

#[test]
fn no_floor_calls_back() {
    let floors: BTreeMap<&str, u8> = FLOORS.into();
    let mut wrong = Vec::new();
    for (path, text) in files() {
        let room = path.split(['/', '.']).next().unwrap();
        let Some(own) = floors.get(room) else { continue };
        // Rules test themselves through the whole house: that one room may look up and down.
        let body = text.split("#[cfg(test)]").next().unwrap();
        for (number, line) in (1..).zip(body.lines()) {
            for part in line.split("crate::").skip(1) {
                let other = part.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap();
                if let Some(floor) = floors.get(other)
                    && other != room
                    && floor >= own
                {
                    wrong.push(format!("src/{path}:{number}: {room} (floor {own}) uses {other} (floor {floor})"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn files_stay_small_and_say_what_they_answer() {
    let mut wrong = Vec::new();
    for (path, text) in files() {
        let lines = text.lines().count();
        if lines > 400 && path != "rules/vocabulary.rs" {
            wrong.push(format!("src/{path}: {lines} lines"));
        }
        if !text.starts_with("//! ") {
            wrong.push(format!("src/{path}: does not open with the question that it answers"));
        }
        if path == "main.rs" && lines > 30 {
            wrong.push(format!("src/{path}: {lines} lines"));
        }
    }
    for entry in walk_rules() {
        let text = std::fs::read_to_string(&entry).unwrap();
        let lines = text.lines().take_while(|l| !l.starts_with("tests:")).count();
        if lines > 80 {
            wrong.push(format!("{}: {lines} lines without its tests", entry.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn walk_rules() -> Vec<std::path::PathBuf> {
    std::fs::read_dir(root().join("rules"))
        .unwrap()
        .flatten()
        .filter(|e| e.path().is_dir())
        .flat_map(|d| std::fs::read_dir(d.path()).unwrap().flatten().map(|e| e.path()))
        .collect()
}

/// After `main`: no clock, network, locale or home directory.
#[test]
fn nothing_outside_the_bundle_is_asked() {
    let forbidden = [
        "SystemTime",
        "Instant::now",
        "Timestamp::now",
        "Zoned::now",
        "std::net::Tcp",
        "std::net::Udp",
        "TcpStream",
        "ToSocketAddrs",
        "env::var(",
        "home_dir",
        "Command::new",
        "fs::write",
        "File::create",
    ];
    let mut wrong = Vec::new();
    for (path, text) in files() {
        let body = text.split("#[cfg(test)]").next().unwrap();
        for word in forbidden {
            // The user's own `-o FILE` is the one thing that is ever written.
            if body.contains(word) && !(path == "cli/output.rs" && word == "fs::write") {
                wrong.push(format!("src/{path}: {word}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn wording_of_runtimes_lives_in_the_grammar_alone() {
    for (path, text) in files().into_iter().filter(|(p, _)| p.starts_with("rules/") || p.starts_with("verdict") || p.starts_with("report")) {
        for word in ["no such host", "i/o timeout", "unknown authority", "failed to pull and unpack"] {
            let body = text.split("#[cfg(test)]").next().unwrap();
            assert!(!body.contains(word), "src/{path} knows the wording {word:?}");
        }
    }
}
