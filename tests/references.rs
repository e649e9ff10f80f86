//! Does an image reference name what the runtimes' own library reads in it?
//!
//! `testdata/references.jsonl` holds that library's answers; `tests/golden/references.go` makes it. Where the two differ for a
//! reason, the reason stands in [`DIFFER`].

use serde::Deserialize;
use underpod::message::Reference;

use crate::support;

#[derive(Deserialize)]
struct Row {
    text: String,
    #[serde(default)]
    error: String,
    #[serde(default)]
    host: String,
    #[serde(default)]
    path: String,
    tag: Option<String>,
    digest: Option<String>,
}

/// References that are read otherwise, and why.
const DIFFER: [(&str, &str); 8] = [
    (" registry.corp.example/app", "blanks round a reference are the carrier's"),
    ("registry.corp.example/app ", "blanks round a reference are the carrier's"),
    ("team-a.b_c__d/app", "the library finds no host in a first part with an underscore, and the runtimes ask that part as the host"),
    ("registry_corp.example/app", "the library finds no host in a first part with an underscore, and the runtimes ask that part as the host"),
    ("app@sha256:0d", "texts are cut: a digest is not measured"),
    ("app@md5:", "a digest is not measured"),
    ("app@sha256:0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d:1", "a digest is not measured"),
    ("app@", "a text that was cut behind the sign"),
];

fn differs(text: &str) -> bool {
    DIFFER.iter().any(|(known, _)| *known == text || (known.ends_with(':') && text.starts_with(known)))
}

#[test]
fn references_are_read_as_the_runtimes_read_them() {
    let text = support::read("testdata/references.jsonl");
    let rows: Vec<Row> = text.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert!(rows.len() >= 60, "{} references", rows.len());
    let mut wrong = Vec::new();
    for row in &rows {
        let ours = Reference::parse(&row.text);
        let agrees = match &ours {
            // Names of hosts are the same in either case.
            Some(r) => {
                row.error.is_empty()
                    && (r.host.as_str(), r.repository.as_str(), &r.tag, &r.digest) == (&row.host.to_lowercase(), &row.path, &row.tag, &row.digest)
            }
            None => !row.error.is_empty(),
        };
        if agrees == differs(&row.text) {
            wrong.push(format!("{:?}: the library says {}{}/{} {:?} {:?}, here {ours:?}", row.text, row.error, row.host, row.path, row.tag, row.digest));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
