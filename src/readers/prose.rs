//! Which successes do people tell in their own words? A line of a chat or a mail that names where a look-up was made.
//!
//! ```text
//! [10:41] lena: coredns pod says registry.corp.example -> 10.112.9.5, correct
//! ```

use super::File;
use crate::facts::{Elsewhere, Scope};
use crate::text;

/// The longest text that is taken for somebody's words.
const LONGEST: usize = 64 << 10;

pub(super) fn read(file: &mut File<'_>, content: &str) {
    if content.len() > LONGEST {
        return;
    }
    for (number, line) in text::numbered(content) {
        if let Some(host) = seen_in_a_pod(line) {
            let source = file.source(number, line);
            file.facts.elsewhere.push(Elsewhere { scope: Scope::Pod, what: "a look-up".into(), by_check: false, host: Some(host), source });
        }
    }
}

/// The host that somebody saw answered in a pod: a pod is named, then the host, then an address behind an arrow or a verb.
fn seen_in_a_pod(line: &str) -> Option<String> {
    const FAILED: [&str; 8] = ["fail", "time", "nxdomain", "no such host", "refused", "error", "not ", "n't "];
    let lower = line.to_lowercase();
    if FAILED.iter().any(|w| lower.contains(w)) {
        return None;
    }
    let words: Vec<&str> = lower.split(|c: char| c.is_whitespace() || ",;()\"'`".contains(c)).filter(|w| !w.is_empty()).collect();
    let pod = words.iter().position(|w| matches!(*w, "pod" | "pods" | "coredns" | "sidecar"))?;
    let at = pod + 1 + words.iter().skip(pod + 1).position(|w| is_host(w))?;
    let leads = words.get(at + 1).is_some_and(|w| matches!(*w, "->" | "=>" | "=" | "resolves" | "gives" | "returns" | "is"));
    let address = words.iter().skip(at + 2).take(2).any(|w| w.parse::<std::net::IpAddr>().is_ok());
    (leads && address).then(|| words.get(at).map(|h| (*h).to_owned())).flatten()
}

/// Three labels or more, the last of letters.
fn is_host(word: &str) -> bool {
    let labels: Vec<&str> = word.split('.').collect();
    let plain = |l: &&str| !l.is_empty() && l.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    labels.len() > 2 && labels.iter().all(plain) && labels.last().is_some_and(|l| l.bytes().all(|b| b.is_ascii_alphabetic()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pod_a_host_and_an_address() {
        let host = Some("registry.corp.example".to_owned());
        assert_eq!(seen_in_a_pod("[10:41] lena: coredns pod says registry.corp.example -> 10.112.9.5, correct, private"), host);
        assert_eq!(seen_in_a_pod("from a pod registry.corp.example resolves to 10.40.8.10"), host);
        for text in [
            "pod app-1 cannot reach registry.corp.example at 10.40.8.10",
            "the pod does not get registry.corp.example -> 10.40.8.10",
            "my laptop says registry.corp.example -> 10.40.8.10",
            "registry.corp.example -> 10.40.8.10, and the pod waits",
            "pod shop/app-1 on node-1.corp.example",
        ] {
            assert_eq!(seen_in_a_pod(text), None, "{text}");
        }
    }
}
