//! What sets the nodes that fail apart from those that pull from the same registry? Told as evidence of a finding.

use std::collections::BTreeSet;

use crate::facts::{Evidence, Facts};
use crate::pull::Index;
use crate::pull::compare::{Compared, Side, Standing, compare, is_telling};
use crate::rules::{LineOutcome, artefacts};

use super::{Certainty, Finding, Missing};

/// The most lines that a finding gets of it.
const MOST: usize = 4;

/// Nodes that pulled from the registry over the network since, and on which nothing of it fails.
pub(super) fn working(registry: &str, since: Option<jiff::Timestamp>, failing: &BTreeSet<&str>, index: &Index<'_>) -> Vec<String> {
    let later = |at: Option<jiff::Timestamp>| since.is_none_or(|s| at.is_some_and(|t| t >= s));
    let nodes: BTreeSet<&str> = index.network_pulls(registry).iter().filter(|e| later(e.last.at)).filter_map(|e| e.node.as_deref()).collect();
    nodes.difference(failing).map(|n| (*n).to_owned()).collect()
}

/// Adds to each finding what separates its nodes from the working ones, or that it cannot be told and what would tell.
pub(super) fn tell(findings: &mut [Finding], facts: &Facts, index: &Index<'_>) {
    let failing: BTreeSet<String> = findings.iter().flat_map(|f| &f.pulls).filter_map(|p| p.node.clone()).collect();
    let failing: BTreeSet<&str> = failing.iter().map(String::as_str).collect();
    for finding in findings {
        let Some(registry) = finding.pulls.first().and_then(|p| p.image.split('/').next()).map(str::to_owned) else { continue };
        let pods = finding.pulls.iter().flat_map(|p| &p.pods).filter_map(|p| index.pod(p)?.created.at);
        let since = finding.pulls.iter().filter_map(|p| p.first_seen).chain(pods).min();
        let there = working(&registry, since, &failing, index);
        let here: BTreeSet<&str> = finding.pulls.iter().filter_map(|p| p.node.as_deref()).collect();
        let here: Vec<String> = here.into_iter().map(str::to_owned).collect();
        if there.is_empty() || here.is_empty() {
            continue;
        }
        let host = finding.stop.host.clone().unwrap_or_else(|| registry.clone());
        let compared = compare(&Side { facts, nodes: here }, &Side { facts, nodes: there.clone() }, Some(host.split(':').next().unwrap_or(&host)));
        add(finding, &compared, &there);
    }
}

fn add(finding: &mut Finding, compared: &[Compared], there: &[String]) {
    let stage = finding.stop.stage;
    let telling = |c: &&Compared| is_telling(c.name, stage);
    let differs = |c: &&Compared| matches!(c.standing, Standing::Differs { .. });
    let whose = named(there);
    let found: Vec<&Compared> = compared.iter().filter(telling).filter(differs).collect();
    let circumstance =
        compared.iter().filter(|c| c.name == "pool" || (finding.cause.is_none() && matches!(c.name, "runtime" | "kubelet" | "system" | "processor")));
    let lines: Vec<LineOutcome> = found.iter().copied().chain(circumstance.filter(differs)).filter_map(|c| difference(c, &whose)).take(MOST).collect();
    finding.evidence.extend(lines);
    if !found.is_empty() || finding.certainty == Certainty::Proven {
        return;
    }
    let unknown: Vec<(&Compared, &Vec<String>)> =
        compared.iter().filter(telling).filter_map(|c| if let Standing::Unknown(nodes) = &c.standing { Some((c, nodes)) } else { None }).collect();
    if unknown.is_empty() {
        return;
    }
    finding.evidence.push(LineOutcome {
        says: format!("what sets the failing nodes apart from {whose}, which pulled from the registry meanwhile, cannot be told"),
        value: None,
        shown: String::new(),
        evidence: Evidence::default(),
        missing: unknown.iter().map(|(c, _)| c.artefact).collect(),
        excludes: false,
        beside_text: true,
    });
    for (c, nodes) in unknown {
        // One node of each side is enough.
        let mut of: Vec<&String> = nodes.iter().filter(|n| there.contains(n)).take(1).collect();
        of.extend(nodes.iter().filter(|n| !there.contains(n)).take(1));
        for node in of {
            ask(finding, c.artefact, node);
        }
    }
}

fn ask(finding: &mut Finding, artefact: &'static str, node: &str) {
    let Some(known) = artefacts::named(artefact) else { return };
    let of = if known.view == "node" { format!("node {node}") } else { "the cluster".to_owned() };
    if finding.missing.iter().any(|m| m.artefact == artefact && m.of == of) {
        return;
    }
    let host = finding.stop.host.clone().unwrap_or_default();
    let run = known.run.replace("<host>", &host).replace("<node>", node);
    finding.missing.push(Missing { artefact, of, run, decides: BTreeSet::new(), sent: None });
    finding.missing.sort();
}

fn difference(compared: &Compared, whose: &str) -> Option<LineOutcome> {
    let Standing::Differs { first, second, evidence } = &compared.standing else { return None };
    let shown = format!("here {}; there {}", some(first), some(second));
    Some(LineOutcome {
        says: format!("{} sets the failing nodes apart from {whose}, which pulled from the registry meanwhile", compared.name),
        value: Some(true),
        shown,
        evidence: Evidence { sources: evidence.clone(), guessed: false },
        missing: BTreeSet::new(),
        excludes: false,
        beside_text: true,
    })
}

fn some(values: &[String]) -> String {
    match values {
        [] => "nothing of it".to_owned(),
        _ => values.iter().take(3).cloned().collect::<Vec<_>>().join(", "),
    }
}

fn named(nodes: &[String]) -> String {
    match nodes {
        [one] => one.clone(),
        [one, two] => format!("{one} and {two}"),
        [one, two, rest @ ..] => format!("{one}, {two} and {} more", rest.len()),
        [] => String::new(),
    }
}
