//! Does a text without a structure hold an error of a pull? Somebody's paste does; an application's log, a guide and kubectl's
//! own complaints speak of other connections in the same words.
//!
//! ```text
//! Failed to pull image "r.example/a:1": ... dial tcp 10.40.8.10:443: i/o timeout
//! ```

use super::{File, hollow, log};
use crate::facts::Pasted;
use crate::text;

/// The longest file without a structure that is taken for a pasted text.
const PASTED: usize = 256 << 10;

/// A text of this size is read whatever it holds.
const SHORT: usize = 16 << 10;

/// What somebody pastes of an error alone is no longer than this.
pub(super) const LINE: usize = 2 << 10;

/// A text that holds an error of a pull, and nothing else that is known.
pub(super) fn read(file: &mut File<'_>, content: &str) {
    let content = &without_complaints(content);
    if is_guide(file.path, content) {
        return;
    }
    let names_a_pull = speaks_of_a_pull(content);
    if !names_a_pull && content.len() > LINE {
        return;
    }
    // What a short text says, the grammar finds out; a long one must show that it is worth it.
    if content.len() > PASTED || (content.len() > SHORT && !log::holds_an_anchor(content)) {
        return;
    }
    let mut from = 0;
    let starts: Vec<usize> =
        content.match_indices("Failed to pull image").map(|(at, _)| content.get(..at).and_then(|s| s.rfind('\n')).map_or(0, |i| i + 1)).collect();
    let mut cuts: Vec<usize> = starts.into_iter().skip(1).filter(|c| *c > 0).collect();
    cuts.dedup();
    cuts.push(content.len());
    for cut in cuts {
        let Some(part) = content.get(from..cut).filter(|p| !p.trim().is_empty() && !of_another_kind(p)) else { continue };
        let lead = part.len() - part.trim_start().len();
        let line = text::line_of(content, from + lead);
        let source = file.source(line, part.trim());
        file.facts.pasted.push(Pasted { text: part.to_owned(), of_log: false, names_a_pull, source });
        from = cut;
    }
    // A short text that says nothing of the kind counts as not read.
    if names_a_pull && log::holds_an_anchor(content) && !of_another_kind(content) {
        file.take("pasted-error");
    }
}

/// Whether the kubelet says what it was about, and that was no pull. Its probes and volumes fail in the same words of the network.
fn of_another_kind(text: &str) -> bool {
    const OTHERS: [&str; 9] = [
        "Readiness probe",
        "Liveness probe",
        "Startup probe",
        "MountVolume.",
        "AttachVolume.",
        "Unable to attach or mount volumes",
        "PostStartHook",
        "PreStopHook",
        "failed calling webhook",
    ];
    OTHERS.iter().any(|o| text.contains(o)) && !["pull", "/v2/"].iter().any(|w| text.contains(w))
}

/// Whether the words name what only a pull is about. Beside them, an address and a timeout say nothing of one.
pub(super) fn speaks_of_a_pull(text: &str) -> bool {
    const WORDS: [&str; 34] = [
        "ull image",
        "ullImage",
        "ulling image",
        "ulling from",
        "ImagePull",
        "mageInspect",
        "/v2/",
        "manifest",
        "egistry",
        "pull access",
        "to pull",
        "failed to pull",
        "docker pull",
        "crictl pull",
        "image reference",
        "image name",
        "mage \"",
        "resolve reference",
        "docker://",
        "docker.io",
        "toomanyrequests",
        "layer",
        "failed to copy",
        "unpack",
        "credential provider",
        "reference format",
        "short name",
        "image config",
        "pulls",
        "containerd.services",
        "failed to authorize",
        "anonymous token",
        "response from daemon",
        "credentials",
    ];
    WORDS.iter().any(|w| text.contains(w))
}

/// A guide, a runbook or a change log quotes errors that somebody else had.
pub(super) fn is_guide(path: &str, content: &str) -> bool {
    const NAMES: [&str; 6] = ["readme", "changelog", "contributing", "runbook", "faq", "troubleshooting"];
    const PHRASES: [&str; 8] =
        ["if you see", "common errors", "known issues", "troubleshooting guide", "frequently asked", "error messages such as", "you may see", "errors like"];
    let name = path.rsplit(['/', '!']).next().unwrap_or(path).to_lowercase();
    let lower = content.to_lowercase();
    NAMES.iter().any(|n| name.starts_with(n)) || PHRASES.iter().any(|p| lower.contains(p))
}

/// The text with the lines empty on which kubectl or helm speak of their own connection; the numbers of lines stay.
fn without_complaints(content: &str) -> String {
    content.split_inclusive('\n').map(|l| if hollow::complaint(l).is_some() { "\n" } else { l }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_connections_are_no_pulls() {
        assert!(!speaks_of_a_pull("dial tcp 10.0.5.4:5432: connect: connection refused"));
        assert!(!speaks_of_a_pull("transport: Error while dialing dial tcp 127.0.0.1:2379: connect: connection refused"));
        assert!(speaks_of_a_pull("Head \"https://r.example/v2/a/manifests/1\": dial tcp 10.1.1.1:443: i/o timeout"));
    }

    #[test]
    fn complaints_of_tools_are_left_out() {
        let text = "Unable to connect to the server: dial tcp 10.0.0.1:443: i/o timeout\nFailed to pull image \"a\"\n";
        assert_eq!(without_complaints(text), "\nFailed to pull image \"a\"\n");
    }

    #[test]
    fn guides_quote_others() {
        assert!(is_guide("docs/README.md", ""));
        assert!(is_guide("notes.md", "If you see `x509`, renew it."));
        assert!(!is_guide("ticket.txt", "It fails since Monday."));
    }
}
