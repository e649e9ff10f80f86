//! What do the parts of a text say that names each of them? `minikube logs` and `tail` of several files write such texts.
//!
//! ```text
//! ==> kubelet <==
//! Nov 30 08:05:00 minikube kubelet[2419]: E1130 08:05:00.399977    2419 remote_image.go:180] ...
//! ```

use super::{File, classify, transcript};

/// Sections that say nothing of a node: what somebody's own machine did, and other programs' logs.
const OTHERS: [&str; 5] = ["audit", "last start", "container status", "dmesg", "describe nodes"];

/// The name that a line gives to what follows.
fn name(line: &str) -> Option<&str> {
    line.trim_end().strip_prefix("==> ")?.strip_suffix(" <==")
}

pub(super) fn are_sections(lines: &[&str]) -> bool {
    lines.iter().find(|l| !l.trim().is_empty()).is_some_and(|l| name(l).is_some()) && lines.iter().filter(|l| name(l).is_some()).count() > 1
}

/// Reads each part by its own reader, with its name as the file's.
pub(super) fn read(file: &mut File<'_>, content: &str) {
    let mut parts: Vec<(u32, &str, usize, usize)> = Vec::new();
    let mut at = 0;
    for (number, line) in (1u32..).zip(content.split_inclusive('\n')) {
        let end = at + line.len();
        match (name(line), parts.last_mut()) {
            (Some(name), _) => parts.push((number, name, end, end)),
            (None, Some(last)) => last.3 = end,
            _ => {}
        }
        at = end;
    }
    if parts.iter().any(|(_, name, ..)| *name == "Audit" || *name == "Last Start") {
        file.facts.marks.push(("minikube-logs", 3));
    }
    for (line, name, from, to) in parts {
        let text = content.get(from..to).unwrap_or("");
        // A container's log bears the container's id behind its name.
        if OTHERS.contains(&name.to_lowercase().as_str()) || (name.ends_with(']') && name.contains(" [")) || text.trim().is_empty() {
            continue;
        }
        let placed = format!("{}{text}", "\n".repeat(line as usize));
        transcript::by_kind(file, classify::kind(name, text), &placed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_between_arrows() {
        assert_eq!(name("==> kubelet <==\r"), Some("kubelet"));
        assert_eq!(name("==> kubelet"), None);
        assert!(are_sections(&["", "==> a.log <==", "x", "==> b.log <=="]));
        assert!(!are_sections(&["x", "==> a.log <==", "==> b.log <=="]));
    }
}
