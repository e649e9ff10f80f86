//! Which pulls share one finding? Those that stopped at the same place for the same cause, however many pods wait.

use std::collections::{BTreeMap, BTreeSet};

use super::{Certainty, Finding, PullSeen};
use crate::message::{Endpoint, Stage, Symptom};
use crate::rules::{LineOutcome, Rules};

/// What findings are told apart by.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    endpoint: Option<Endpoint>,
    host: Option<String>,
    port: Option<u16>,
    stage: Option<Stage>,
    symptom: Symptom,
    cause: Option<String>,
}

fn key(finding: &Finding) -> Key {
    let stop = &finding.stop;
    Key { endpoint: stop.endpoint, host: stop.host.clone(), port: stop.port, stage: stop.stage, symptom: stop.symptom, cause: finding.cause.clone() }
}

/// What the evidence of one node shows, it makes likely for the other nodes of its pool that stop at the same place and
/// from which that evidence was not collected.
fn share_within_pools(single: &mut [Finding], rules: &Rules) {
    let place = |f: &Finding| (Key { cause: None, ..key(f) }, f.pulls.first().and_then(|p| p.pool.clone()));
    let mut shown: BTreeMap<_, Vec<Finding>> = BTreeMap::new();
    for finding in single.iter().filter(|f| f.cause.is_some()) {
        shown.entry(place(finding)).or_default().push(finding.clone());
    }
    for finding in single.iter_mut().filter(|f| f.pulls.first().is_some_and(|p| p.pool.is_some())) {
        let open = |cause: &str| finding.candidates.iter().any(|c| c.cause == cause && c.outcome == "undecided");
        let further = |cause: &str| finding.cause.as_ref().is_none_or(|own| rules.get(cause).is_some_and(|r| r.refines.contains(own)));
        let mates = shown.get(&place(finding)).into_iter().flatten();
        let mate = mates.filter_map(|m| Some((m, m.cause.as_deref()?))).find(|(_, cause)| open(cause) && further(cause)).map(|(m, _)| m.clone());
        if let Some(mate) = mate {
            let own = std::mem::replace(finding, mate);
            finding.certainty = Certainty::Likely;
            finding.stop = own.stop;
            finding.ladder = own.ladder;
            finding.attempts = own.attempts;
            finding.pulls = own.pulls;
            finding.triggers = own.triggers;
            finding.misleading = own.misleading;
        }
    }
}

/// Most pulls first, then by image and node; numbered in that order.
pub(super) fn findings(mut single: Vec<Finding>, rules: &Rules) -> Vec<Finding> {
    share_within_pools(&mut single, rules);
    let mut groups: BTreeMap<Key, Finding> = BTreeMap::new();
    for finding in single {
        match groups.get_mut(&key(&finding)) {
            Some(group) => merge(group, finding),
            None => {
                groups.insert(key(&finding), finding);
            }
        }
    }
    let mut out: Vec<Finding> = groups.into_values().collect();
    for finding in &mut out {
        finding.pulls.sort_by(|a, b| place(a).cmp(&place(b)));
        finding.missing.sort();
    }
    out.sort_by(|a, b| (std::cmp::Reverse(a.pulls.len()), a.pulls.first().map(place)).cmp(&(std::cmp::Reverse(b.pulls.len()), b.pulls.first().map(place))));
    for (number, finding) in (1..).zip(&mut out) {
        finding.id = format!("F{number}");
    }
    out
}

fn place(pull: &PullSeen) -> (&str, Option<&str>) {
    (&pull.image, pull.node.as_deref())
}

/// Attempts that a report lists of one finding: enough to see the kinds, never thousands.
const MOST_ATTEMPTS: usize = 50;

/// Files that one line cites: what each of a few nodes shows for itself, never a thousand.
const MOST_FILES: usize = 6;

/// What another node's own file shows for the same line is evidence as well.
fn cite(lines: &mut [LineOutcome], others: &[LineOutcome]) {
    for (line, other) in lines.iter_mut().zip(others).filter(|(line, other)| line.value == other.value && line.beside_text && other.beside_text) {
        for source in &other.evidence.sources {
            let files: BTreeSet<_> = line.evidence.sources.iter().map(|s| s.file).collect();
            if !files.contains(&source.file) && files.len() < MOST_FILES {
                line.evidence.sources.push(source.clone());
            }
        }
    }
}

fn merge(group: &mut Finding, other: Finding) {
    if group.stop.address != other.stop.address {
        group.stop.address = None;
    }
    if group.stop.resolver != other.stop.resolver {
        group.stop.resolver = None;
    }
    // Of the same cause, the pull of which most is known tells it.
    let shown = |f: &Finding| f.evidence.iter().filter(|l| l.value == Some(true)).count();
    if shown(&other) > shown(group) {
        group.why.clone_from(&other.why);
        group.evidence.clone_from(&other.evidence);
    } else {
        cite(&mut group.evidence, &other.evidence);
    }
    // As sure as the least sure of its pulls.
    group.certainty = group.certainty.min(other.certainty);
    group.pulls.extend(other.pulls);
    for attempt in other.attempts {
        let known = group.attempts.iter().any(|a| {
            let (a, b) = (&a.attempt, &attempt.attempt);
            (a.endpoint, &a.host, a.stage, a.symptom, a.credentials) == (b.endpoint, &b.host, b.stage, b.symptom, b.credentials)
        });
        if !known && group.attempts.len() < MOST_ATTEMPTS {
            group.attempts.push(attempt);
        }
    }
    for sign in other.triggers {
        if !group.triggers.iter().any(|s| s.rule == sign.rule) {
            group.triggers.push(sign);
        }
    }
    for sign in other.misleading {
        if !group.misleading.iter().any(|s| s.rule == sign.rule) {
            group.misleading.push(sign);
        }
    }
    for candidate in other.candidates {
        if !group.candidates.iter().any(|c| c.cause == candidate.cause) {
            group.candidates.push(candidate);
        }
    }
    for missing in other.missing {
        match group.missing.iter_mut().find(|m| m.artefact == missing.artefact && m.of == missing.of) {
            Some(known) => known.decides.extend(missing.decides),
            None => group.missing.push(missing),
        }
    }
}
