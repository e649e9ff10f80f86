//! What do troubleshoot's own checks say? Its look-ups run in a pod or on a host, its registry check with the operator's login.
//!
//! ```json
//! {"podResolvConf": "...", "query": {"registry.corp.example": {"name": "registry.corp.example", "address": "10.20.30.40"}}}
//! {"query": {"registry.corp.example": [{"server": "10.20.0.10", "name": "registry.corp.example.", "answer": "", "record": ""}]}}
//! {"images": {"registry.corp.example/app:1": {"exists": true, "error": ""}}}
//! ```

use std::collections::BTreeMap;

use serde::Deserialize;

use super::File;
use crate::facts::{Elsewhere, Lookup, Of, Owner, Scope};

#[derive(Deserialize)]
struct InPod {
    #[serde(rename = "podResolvConf")]
    _pod_resolv_conf: String,
    query: BTreeMap<String, Answer>,
}

#[derive(Deserialize)]
struct Answer {
    address: String,
}

#[derive(Deserialize)]
struct OnHost {
    query: BTreeMap<String, Vec<HostAnswer>>,
}

#[derive(Deserialize)]
struct HostAnswer {
    server: String,
    name: String,
    answer: String,
    record: String,
}

#[derive(Deserialize)]
struct Images {
    images: BTreeMap<String, Check>,
}

#[derive(Deserialize)]
struct Check {
    exists: bool,
}

/// Reads a check's result; false where the document is none.
pub(super) fn read_json(file: &mut File<'_>, document: &str, line: u32) -> bool {
    if document.contains("\"podResolvConf\"")
        && let Ok(check) = serde_json::from_str::<InPod>(document)
    {
        for (name, answer) in check.query {
            lookup(file, Owner::Pod, &name, None, &answer.address, at(document, line, &answer.address));
        }
        file.take("pod-lookup");
        return true;
    }
    if document.contains("\"record\"")
        && let Ok(check) = serde_json::from_str::<OnHost>(document)
    {
        for answers in check.query.values() {
            for answer in answers.iter().filter(|a| matches!(a.record.as_str(), "A" | "AAAA")) {
                lookup(file, Owner::Unknown, &answer.name, Some(&answer.server), &answer.answer, at(document, line, &answer.answer));
            }
        }
        file.take("dig-output");
        return true;
    }
    if document.contains("\"exists\"")
        && let Ok(check) = serde_json::from_str::<Images>(document)
    {
        for (image, _) in check.images.iter().filter(|(_, c)| c.exists) {
            let host = image.split(['/', ':']).next().filter(|h| h.contains('.')).map(str::to_lowercase);
            let source = file.source(at(document, line, image), image);
            let what = "the collector's own check finds the image in the registry".to_owned();
            file.facts.elsewhere.push(Elsewhere { scope: Scope::Operator, what, by_check: false, host, source });
        }
        file.take("operator-check");
        return true;
    }
    false
}

/// An answer without an address says that this server gave none of this kind; how it said so, the check does not tell.
fn lookup(file: &mut File<'_>, owner: Owner, name: &str, server: Option<&str>, address: &str, line: u32) {
    let Ok(address) = address.parse() else { return };
    let name = name.trim_end_matches('.').to_lowercase();
    let source = file.source(line, &format!("{name} {address}"));
    let server = server.and_then(|s| s.parse().ok());
    let value = Lookup { name, status: "NOERROR".into(), aliases: Vec::new(), addresses: vec![address], server, chosen: false, source: source.clone() };
    file.facts.lookups.push(Of { owner, value, source });
}

/// The line on which `words` stand in the document.
fn at(document: &str, first: u32, words: &str) -> u32 {
    let before = document.find(words).and_then(|at| document.get(..at)).unwrap_or("");
    first.saturating_add(u32::try_from(before.matches('\n').count()).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bundle::FileId;
    use crate::facts::Facts;

    fn read(document: &str) -> (bool, Facts) {
        let mut facts = Facts::default();
        let found = read_json(&mut File { id: FileId::default(), path: "x", facts: &mut facts, fixed_line: None, command: None, written: None }, document, 1);
        (found, facts)
    }

    #[test]
    fn whose_view_each_check_is() {
        let (found, facts) = read("{\"podResolvConf\": \"\",\n\"query\": {\"r.example\": {\"name\": \"r.example\",\n\"address\": \"10.0.0.9\"}}}");
        assert!(found);
        assert_eq!(facts.lookups.iter().map(|l| (l.owner.clone(), l.source.line)).collect::<Vec<_>>(), [(Owner::Pod, 3)]);
        let (found, facts) = read(r#"{"images": {"r.example/a:1": {"exists": true}, "r.example/b:1": {"exists": false, "error": "x"}}}"#);
        assert!(found);
        assert_eq!(facts.elsewhere.len(), 1);
    }

    #[test]
    fn what_is_damaged_or_another_thing_is_none() {
        assert!(!read(r#"{"podResolvConf": "x", "query": {"r.example""#).0);
        assert!(!read(r#"{"kind": "Pod", "record": "A"}"#).0);
        let (_, facts) = read(r#"{"query": {"r.example": [{"server": "10.0.0.1", "name": "r.example.", "answer": "", "record": ""}]}}"#);
        assert!(facts.lookups.is_empty());
    }
}
