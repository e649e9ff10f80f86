//! Which pulls share one finding? Those that stopped at the same place for the same cause, however many pods wait.

use std::collections::BTreeMap;

use super::{Finding, PullSeen};
use crate::message::{Endpoint, Stage, Symptom};

type Key = (Option<Endpoint>, Option<String>, Option<u16>, Option<Stage>, Symptom, Option<String>);

fn key(finding: &Finding) -> Key {
    let stop = &finding.stop;
    (stop.endpoint, stop.host.clone(), stop.port, stop.stage, stop.symptom, finding.cause.clone())
}

/// Most pulls first, then by image and node; numbered in that order.
pub(super) fn findings(single: Vec<Finding>) -> Vec<Finding> {
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

fn merge(group: &mut Finding, other: Finding) {
    if group.stop.address != other.stop.address {
        group.stop.address = None;
    }
    if group.stop.resolver != other.stop.resolver {
        group.stop.resolver = None;
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
