//! Does what is said of a chain agree with Go's own verdict? The runtimes are written in Go: what it accepts, they accept.
//!
//! `testdata/chains.jsonl` holds the verdicts of crypto/x509; `tests/golden/chains.go` makes it. Go tells the first fault that it
//! meets, here every fault is told: where Go is content there must be none, else Go's must be among them. Where the two differ
//! for a reason, the reason stands in [`DIFFER`].

use std::collections::{BTreeMap, BTreeSet};

use base64::Engine;
use serde::Deserialize;
use underpod::facts::{Certificate, Chain, Facts};
use underpod::trust::{self, Path};

use crate::support::{self, Scratch};

#[derive(Deserialize)]
struct Row {
    name: String,
    host: String,
    at: String,
    chain: Vec<usize>,
    trust: Vec<usize>,
    verdict: String,
}

#[derive(Deserialize)]
struct Certificates {
    certificates: Vec<String>,
}

/// Rows that differ, by the beginning of their names, and why.
const DIFFER: [(&str, &str); 0] = [];

fn pem(der: &str) -> String {
    let lines: Vec<&str> = der.as_bytes().chunks(64).map(|c| std::str::from_utf8(c).unwrap()).collect();
    format!("-----BEGIN CERTIFICATE-----\n{}\n-----END CERTIFICATE-----\n", lines.join("\n"))
}

/// The faults of a chain, in Go's words.
fn faults(chain: &Chain, trusted: &[Certificate], host: &str, at: jiff::Timestamp) -> BTreeSet<&'static str> {
    let mut out = BTreeSet::new();
    for defect in trust::defects(chain, trusted, host, Some(at)) {
        out.extend(match defect.name {
            "expired" | "not-yet-valid" => Some("expired"),
            "wrong-name" | "no-alternative-names" => Some("hostname"),
            "name-constraint" => Some("name-constraint"),
            "wrong-usage" => Some("incompatible-usage"),
            "not-a-ca" | "weak-signature" => Some("unknown-authority"),
            "too-many-below" => Some("too-many-intermediates"),
            // These two are no faults to Go where the rest is right.
            "self-signed" | "wrong-order" => None,
            other => panic!("{other} has no word of Go's"),
        });
    }
    let in_force: Vec<Certificate> = trusted.iter().filter(|c| trust::in_force(c, at)).cloned().collect();
    match (trust::path(chain, &in_force), trust::path(chain, trusted)) {
        (Some(Path::Complete), _) => {}
        (_, Some(Path::Complete)) => {
            out.insert("expired");
        }
        _ => {
            out.insert("unknown-authority");
        }
    }
    out
}

#[test]
fn chains_are_judged_as_go_judges_them() {
    let text = support::read("testdata/chains.jsonl");
    let mut lines = text.lines();
    let pool: Certificates = serde_json::from_str(lines.next().unwrap()).unwrap();
    let rows: Vec<Row> = lines.map(|l| serde_json::from_str(l).unwrap()).collect();
    assert!(rows.len() >= 200, "{} chains", rows.len());
    assert!(pool.certificates.iter().all(|c| base64::engine::general_purpose::STANDARD.decode(c).is_ok()));
    let scratch = Scratch::new("chains");
    let of = |places: &[usize]| places.iter().map(|p| pem(&pool.certificates[*p])).collect::<String>();
    for (number, row) in rows.iter().enumerate() {
        scratch.write(&format!("{number}/chain.pem"), of(&row.chain));
        scratch.write(&format!("{number}/etc/ssl/certs/ca-certificates.crt"), of(&row.trust));
    }
    let facts = underpod::read(&[scratch.path().to_str().unwrap().to_owned()], &underpod::Question::default()).unwrap();
    let number = |facts: &Facts, source: &underpod::bundle::Source| facts.about.path(source).split('/').next().unwrap().parse::<usize>().unwrap();
    let chains: BTreeMap<usize, &Chain> = facts.chains.iter().map(|c| (number(&facts, &c.source), &c.value)).collect();
    let trust: BTreeMap<usize, &[Certificate]> = facts.trust.iter().map(|t| (number(&facts, &t.source), t.value.certificates.as_slice())).collect();
    let mut wrong = Vec::new();
    for (place, row) in rows.iter().enumerate() {
        let ours = match chains.get(&place) {
            Some(chain) => faults(chain, trust.get(&place).copied().unwrap_or_default(), &row.host, row.at.parse().unwrap()),
            None => BTreeSet::from(["not-read"]),
        };
        let agrees = if row.verdict == "ok" { ours.is_empty() } else { ours.contains(row.verdict.as_str()) };
        let explained = DIFFER.iter().any(|(name, _)| row.name.starts_with(name));
        if agrees == explained {
            wrong.push(format!("{}: Go says {}, here {ours:?}{}", row.name, row.verdict, if agrees { ", and DIFFER names it" } else { "" }));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
