//! Which lines are true and easily taken for proof? A login, a test with another client, a TLS test that saw no certificate.
//!
//! ```text
//! Login Succeeded
//! ctr: failed to resolve reference "registry.corp.example/app:1": ... x509: certificate signed by unknown authority
//! no peer certificate available
//! Validating image pull permission: FAILED
//! ```

use super::File;
use crate::facts::{Hint, Hinted};
use crate::text;

/// How far into a file one looks; such lines are people's own, and those texts are short.
const LINES: usize = 2000;

pub(super) fn read(file: &mut File<'_>, content: &str) {
    if content.len() > 256 << 10 {
        return;
    }
    let unseen = content.contains("no peer certificate available") && content.contains("Verify return code: 0");
    let mut found = Vec::new();
    let mut denied = None;
    for (number, line) in text::numbered(content).take(LINES) {
        let said = line.trim();
        let what = if said == "Login Succeeded" || said == "Login Succeeded!" {
            Hint::Login
        } else if said.starts_with("ctr: ") || said.starts_with("FATA[") && said.contains("failed to ") {
            Hint::AnotherClient
        } else if unseen && said.starts_with("no peer certificate available") {
            Hint::NoCertificateSeen
        } else {
            if said.ends_with("Validating image pull permission: FAILED") || said.contains("CONNECTIVITY_CHALLENGE_ERROR") {
                denied = Some(number);
            } else if denied.is_some_and(|n| number <= n + 5) && is_of_the_network(said) {
                found.push(Hinted { what: Hint::CheckNamesPermission, source: file.source(number, line) });
                denied = None;
            }
            continue;
        };
        found.push(Hinted { what, source: file.source(number, line) });
    }
    file.facts.hints.append(&mut found);
}

fn is_of_the_network(line: &str) -> bool {
    ["i/o timeout", "no such host", "connection refused", "TLS handshake timeout", "deadline exceeded"].iter().any(|w| line.contains(w))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bundle::FileId;
    use crate::facts::Facts;

    fn hints(content: &str) -> Vec<(Hint, u32)> {
        let mut facts = Facts::default();
        read(&mut File { id: FileId::default(), path: "x", facts: &mut facts, fixed_line: None, command: None, written: None }, content);
        facts.hints.into_iter().map(|h| (h.what, h.source.line)).collect()
    }

    #[test]
    fn lines_that_look_like_proof() {
        assert_eq!(hints("$ docker login r.example\nLogin Succeeded\n"), [(Hint::Login, 2)]);
        assert_eq!(hints("ctr: failed to resolve reference \"r.example/a:1\": x509: bad\n"), [(Hint::AnotherClient, 1)]);
        assert_eq!(hints("no peer certificate available\n    Verify return code: 0 (ok)\n"), [(Hint::NoCertificateSeen, 1)]);
        let check = "Validating image pull permission: FAILED\nACR r.example rejected token exchange: Post \"x\": dial tcp 10.0.0.9:443: i/o timeout\n";
        assert_eq!(hints(check), [(Hint::CheckNamesPermission, 2)]);
    }

    #[test]
    fn what_is_none() {
        assert_eq!(hints("no peer certificate available\n    Verify return code: 20\n"), []);
        assert_eq!(hints("Validating image pull permission: FAILED\nACR r.example rejected token exchange: 401\n"), []);
        assert_eq!(hints("Login Succeeded for user bob in app\n"), []);
    }
}
