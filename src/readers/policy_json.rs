//! Which images does the node's signature policy admit? `/etc/containers/policy.json` of CRI-O and Podman.
//!
//! ```json
//! {"default": [{"type": "reject"}],
//!  "transports": {"docker": {"registry.corp.example/team": [{"type": "sigstoreSigned", "keyPath": "/etc/pki/containers/team.pub"}]}}}
//! ```

use std::collections::BTreeMap;

use serde::Deserialize;

use super::File;
use crate::facts::{ImagePolicy, Of, Owner, PolicyScope};

#[derive(Deserialize)]
struct Raw {
    default: Vec<Requirement>,
    #[serde(default)]
    transports: BTreeMap<String, BTreeMap<String, Vec<Requirement>>>,
}

#[derive(Deserialize)]
struct Requirement {
    #[serde(rename = "type")]
    kind: String,
}

/// Reads a policy; false where the document is none.
pub(super) fn read_json(file: &mut File<'_>, document: &str, line: u32) -> bool {
    if !document.contains("\"default\"") || !document.contains("\"type\"") || document.contains("\"apiVersion\"") {
        return false;
    }
    let Ok(raw) = serde_json::from_str::<Raw>(document) else { return false };
    let at = |word: &str| {
        let before = document.find(word).and_then(|at| document.get(..at)).unwrap_or("");
        line.saturating_add(u32::try_from(before.matches('\n').count()).unwrap_or(0))
    };
    let scope = |file: &File<'_>, name: &str, key: &str, list: Vec<Requirement>| {
        let requirements: Vec<String> = list.into_iter().map(|r| r.kind).collect();
        let source = file.source(at(&format!("\"{key}\"")), &format!("{key}: {}", requirements.join(", ")));
        PolicyScope { name: name.to_owned(), requirements, source }
    };
    let mut scopes = vec![scope(file, "", "default", raw.default)];
    // An empty scope of the transport is its own default.
    for (name, list) in raw.transports.into_iter().filter(|(t, _)| t == "docker").flat_map(|(_, scopes)| scopes) {
        match name.as_str() {
            "" => scopes.insert(0, scope(file, "", "docker", list)),
            name => scopes.push(scope(file, name, name, list)),
        }
    }
    let Some(source) = scopes.first().map(|s| s.source.clone()) else { return false };
    file.take("policy-json");
    file.facts.policies.push(Of { owner: Owner::Unknown, value: ImagePolicy { scopes }, source });
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bundle::FileId;
    use crate::facts::Facts;

    #[test]
    fn scopes_and_defaults() {
        let mut facts = Facts::default();
        let mut file = File { id: FileId::default(), path: "x", facts: &mut facts, fixed_line: None, command: None, written: None };
        let text = "{\"default\": [{\"type\": \"reject\"}],\n\"transports\": {\"docker\": {\"\": [{\"type\": \"insecureAcceptAnything\"}],\n\"r.example/a\": [{\"type\": \"signedBy\"}]}, \"docker-daemon\": {\"\": []}}}";
        assert!(read_json(&mut file, text, 1));
        assert!(!read_json(&mut file, "{\"default\": \"type\"}", 1));
        let scopes: Vec<_> = facts.policies[0].value.scopes.iter().map(|s| (s.name.as_str(), s.requirements[0].as_str(), s.source.line)).collect();
        assert_eq!(scopes, [("", "insecureAcceptAnything", 2), ("", "reject", 1), ("r.example/a", "signedBy", 3)]);
    }
}
