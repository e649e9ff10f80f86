//! Does each bundle in testdata/ get the verdict that a person wrote down? The report's wording may change, a verdict may not.

use serde::Deserialize;

use crate::support::{self, explain, root, underpod};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    /// Why this case is here.
    #[allow(dead_code)]
    story: String,
    exit: i32,
    findings: Vec<Finding>,
    #[serde(default)]
    recovered: usize,
    #[serde(default)]
    notes: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Finding {
    endpoint: Option<String>,
    host: Option<String>,
    stage: Option<String>,
    symptom: String,
    cause: Option<String>,
    certainty: String,
    #[serde(default)]
    nodes: Vec<String>,
    #[serde(default)]
    triggers: Vec<String>,
    #[serde(default)]
    misleading: Vec<String>,
    /// Artefacts that it must ask for.
    #[serde(default)]
    missing: Vec<String>,
    /// Files that it must cite.
    #[serde(default)]
    cites: Vec<String>,
    /// Causes that it must leave open.
    #[serde(default)]
    open: Vec<String>,
}

pub fn cases() -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(root().join("testdata"))
        .unwrap()
        .flatten()
        .filter(|e| e.path().join("verdict.yaml").is_file())
        .map(|e| e.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

fn words(list: &serde_json::Value, key: &str) -> Vec<String> {
    list.as_array().into_iter().flatten().filter_map(|x| x[key].as_str()).map(str::to_owned).collect()
}

#[test]
fn every_case_gets_its_verdict() {
    assert!(cases().len() >= 10, "at least ten cases");
    let mut wrong = Vec::new();
    for name in cases() {
        let case = format!("testdata/{name}");
        let expected: Expected = serde_yaml::from_str(&support::read(&format!("{case}/verdict.yaml"))).unwrap_or_else(|e| panic!("{case}/verdict.yaml: {e}"));
        let run = explain(&root().join(&case).join("bundle"));
        let report = run.json();
        let mut check = |ok: bool, what: String| {
            if !ok {
                wrong.push(format!("{name}: {what}"));
            }
        };
        check(run.code == expected.exit, format!("exit {} instead of {}", run.code, expected.exit));
        let findings = report["findings"].as_array().unwrap();
        check(findings.len() == expected.findings.len(), format!("{} findings instead of {}", findings.len(), expected.findings.len()));
        check(report["recovered"].as_array().unwrap().len() == expected.recovered, format!("recovered: {}", report["recovered"]));
        for note in &expected.notes {
            check(words(&report["notes"], "rule").contains(note), format!("does not note {note}"));
        }
        for (want, got) in expected.findings.iter().zip(findings) {
            let stop = &got["stop"];
            for (field, want, got) in [
                ("endpoint", want.endpoint.as_deref(), &stop["endpoint"]),
                ("host", want.host.as_deref(), &stop["host"]),
                ("stage", want.stage.as_deref(), &stop["stage"]),
                ("symptom", Some(want.symptom.as_str()), &stop["symptom"]),
                ("cause", want.cause.as_deref(), &got["cause"]),
                ("certainty", Some(want.certainty.as_str()), &got["certainty"]),
            ] {
                check(got.as_str() == want, format!("{field}: got {got}, wants {want:?}"));
            }
            let mut nodes = words(&got["pulls"], "node");
            nodes.sort();
            check(nodes == want.nodes, format!("nodes {nodes:?}"));
            check(words(&got["triggers"], "rule") == want.triggers, format!("triggers {:?}", words(&got["triggers"], "rule")));
            check(words(&got["misleading"], "rule") == want.misleading, format!("misleading {:?}", words(&got["misleading"], "rule")));
            for artefact in &want.missing {
                check(words(&got["missing"], "artefact").contains(artefact), format!("does not ask for {artefact}: {:?}", words(&got["missing"], "artefact")));
            }
            let cited = got.to_string();
            for file in &want.cites {
                check(cited.contains(&format!("\"file\":\"{file}\"")), format!("does not cite {file}"));
            }
            for cause in &want.open {
                let open: Vec<&str> =
                    got["candidates"].as_array().into_iter().flatten().filter(|c| c["outcome"] != "ruled-out").filter_map(|c| c["cause"].as_str()).collect();
                check(open.contains(&cause.as_str()), format!("does not leave {cause} open"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// `UPDATE_REPORTS=1 cargo test` writes the reports anew; read the difference before it is committed.
#[test]
fn every_case_reads_as_its_report() {
    let update = std::env::var_os("UPDATE_REPORTS").is_some();
    let mut wrong = Vec::new();
    for name in cases() {
        let case = format!("testdata/{name}");
        let run = underpod(&["explain", "--color", "never", &format!("{case}/bundle")]);
        let path = root().join(&case).join("report.txt");
        if update {
            std::fs::write(&path, &run.out).unwrap();
        } else if std::fs::read_to_string(&path).unwrap_or_default() != run.out {
            wrong.push(name.clone());
        }
        for line in run.out.lines().filter(|l| !l.trim_start().starts_with("$ ")) {
            // A name longer than the page is not cut: it is there to be copied.
            let breakable = line.split_whitespace().all(|w| w.chars().count() < 50);
            assert!(!breakable || line.chars().count() <= 110, "{name}: {} columns: {line}", line.chars().count());
        }
    }
    assert!(wrong.is_empty(), "the reports of {wrong:?} differ; UPDATE_REPORTS=1 cargo test writes them anew");
}

#[test]
fn the_same_bundle_gives_the_same_bytes() {
    for name in cases() {
        let bundle = format!("testdata/{name}/bundle");
        assert_eq!(underpod(&["explain", "--format", "json", &bundle]).out, underpod(&["explain", "--format", "json", &bundle]).out, "{name}");
    }
}
