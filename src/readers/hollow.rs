//! Does a file hold what its name promises, or nothing, or a tool's complaint? Then it was not collected, and that is told.
//!
//! ```text
//! Error from server (Forbidden): events is forbidden: User "dev" cannot list resource "events" in API group ""
//! ```

use super::File;
use crate::text;

/// What tools say where the answer should stand.
const COMPLAINTS: [&str; 18] = [
    "Error from server",
    "error: You must be logged in",
    "error: the server doesn't have a resource type",
    "error: no context exists",
    "error: unknown",
    "error: stat ",
    "Unable to connect to the server",
    "The connection to the server ",
    "couldn't get current server API group list",
    "Error: INSTALLATION FAILED",
    "Error: UPGRADE FAILED",
    "Error: Kubernetes cluster unreachable",
    "-- No entries --",
    "No journal files were found",
    "Request log error:",
    "Unit ",
    "bash: ",
    "sh: ",
];

/// Names of files that would tell of a pull; of other empty files nobody needs to hear.
const TELLING: [&str; 16] = [
    "kubelet",
    "containerd",
    "crio",
    "docker",
    "event",
    "pods",
    "nodes",
    "journal",
    "resolv.conf",
    "hosts",
    "route",
    "syslog",
    "messages",
    "describe",
    "crictl",
    "k3s",
];

/// Whether the file's name promises something that would tell of a pull.
fn is_telling(path: &str) -> bool {
    let name = path.rsplit(['/', '!']).next().unwrap_or(path).to_lowercase();
    TELLING.iter().any(|t| name.contains(t))
}

/// Notes an empty file that should have told something.
pub(super) fn empty(file: &mut File<'_>) {
    if is_telling(file.path) {
        file.unread("empty: not collected");
    }
}

/// The tool's complaint that a text consists of, where it does.
pub(super) fn complaint(content: &str) -> Option<&str> {
    const SHORT: usize = 4 << 10;
    let first = content.lines().map(str::trim).find(|l| !l.is_empty()).filter(|_| content.len() <= SHORT)?;
    let said = COMPLAINTS.iter().any(|c| first.starts_with(c)) || is_klog_complaint(first);
    // `Unit kubelet.service could not be found.`, `bash: crictl: command not found`
    let whole = match first.split(' ').next()? {
        "Unit" => first.contains("could not be found"),
        "bash:" | "sh:" => first.contains("not found"),
        _ => true,
    };
    (said && whole && !content.contains("ull image")).then_some(first)
}

/// `E1130 10:00:00.000000 12 memcache.go:265] couldn't get current server API group list: ...`
fn is_klog_complaint(line: &str) -> bool {
    line.contains("] couldn't get current server API group list") || line.contains("] \"Unhandled Error\" err=\"couldn't get current server API group list")
}

/// Notes a text that is nothing but a complaint or an empty list; false where it is more.
pub(super) fn noted(file: &mut File<'_>, content: &str) -> bool {
    if content.trim_start_matches('\u{feff}').trim() == "[]" {
        let source = file.source(1, "[]: an empty list");
        file.facts.empty_lists.push(source);
        return true;
    }
    let Some(line) = complaint(content) else { return false };
    file.unread(format!("holds a tool's complaint and no data, so it was not collected: {}", text::clip(line, 160)));
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complaints_are_no_data() {
        assert!(complaint("Error from server (NotFound): pods \"a\" not found\n").is_some());
        assert!(complaint("Unable to connect to the server: dial tcp 10.0.0.1:443: i/o timeout\n").is_some());
        assert!(complaint("\nThe connection to the server localhost:8080 was refused - did you specify the right host or port?").is_some());
        assert!(complaint("Unit crio.service could not be found.").is_some());
        assert!(complaint("Unit tests passed").is_none());
        assert!(complaint("Error from server: x\nFailed to pull image \"a\": x").is_none());
        assert!(complaint("Name: app-1").is_none());
    }

    #[test]
    fn only_telling_names_are_missed() {
        assert!(is_telling("node-1/kubelet.log"));
        assert!(!is_telling("node-1/previous.log"));
    }
}
