//! Does `compare` name what differs first, and say where it cannot tell?

use crate::support::{Scratch, underpod};

const CASE: &str = "testdata/ca-missing-on-one-node/bundle";

fn standing<'v>(answer: &'v serde_json::Value, name: &str) -> &'v str {
    answer["traits"].as_array().unwrap().iter().find(|t| t["name"] == name).and_then(|t| t["standing"].as_str()).unwrap()
}

#[test]
fn two_nodes_of_a_bundle() {
    let run = underpod(&["compare", CASE, "--nodes", "worker-2,worker-1", "--format", "json"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let answer = run.json();
    assert_eq!(answer["schema"], "underpod.compare/1");
    assert_eq!(standing(&answer, "trust-store"), "differs");
    assert_eq!(standing(&answer, "resolver"), "unknown");
    let text = underpod(&["compare", CASE, "--nodes", "worker-2,worker-1"]);
    assert!(text.out.contains("differs  trust-store") && text.out.contains("cannot tell  resolver"), "{}", text.out);
}

#[test]
fn without_the_distinguishing_artefact_it_cannot_tell() {
    let scratch = Scratch::new("compare");
    for file in ["events.json", "nodes.json", "worker-2/registry.corp.example/chain.pem", "worker-2/etc/ssl/certs/ca-certificates.crt"] {
        scratch.write(file, crate::support::read(&format!("{CASE}/{file}")));
    }
    let answer = underpod(&["compare", scratch.path().to_str().unwrap(), "--nodes", "worker-2,worker-1", "--format", "json"]).json();
    assert_eq!(standing(&answer, "trust-store"), "unknown");
    let lacks = answer["traits"].as_array().unwrap().iter().find(|t| t["name"] == "trust-store").unwrap();
    assert_eq!(lacks["missing"][0]["of"], "worker-1");
}

#[test]
fn two_bundles_and_what_is_no_comparison() {
    let run = underpod(&["compare", CASE, "testdata/hosts-file-outdated/bundle"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let one = underpod(&["compare", CASE, "--nodes", "worker-1"]);
    assert_eq!(one.code, 2);
    let unknown = underpod(&["compare", CASE, "--nodes", "worker-2,worker-9"]);
    assert!(unknown.code == 2 && unknown.err.contains("worker-9") && unknown.err.contains("worker-1, worker-2"), "{}", unknown.err);
    let nobody = underpod(&["compare", "testdata/healthy/bundle"]);
    assert!(nobody.code == 2 && nobody.err.contains("--nodes"), "{}", nobody.err);
}
