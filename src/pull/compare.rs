//! What sets some nodes apart from others along the way of a pull? What all of one side have and none of the other.
//!
//! Only what was collected on both sides can differ; what was not is told as unknown, with the nodes that lack it.

mod traits;

use std::collections::BTreeSet;

use crate::bundle::Source;
use crate::facts::{Facts, Known};
use crate::message::Stage;

use traits::{Looked, TRAITS};

/// How one trait stands between two sides.
#[derive(Debug, Clone)]
pub struct Compared {
    /// The trait: `resolver`, `hosts-file`, `trust-store` ...
    pub name: &'static str,
    /// The artefact that shows it.
    pub artefact: &'static str,
    /// How it stands.
    pub standing: Standing,
}

/// How a trait stands.
#[derive(Debug, Clone)]
pub enum Standing {
    /// All nodes have the same.
    Same,
    /// It varies, and not between the sides.
    Mixed,
    /// What all nodes of one side have and none of the other.
    Differs {
        /// Had by every node of the first side alone; empty where it is the second side that has more.
        first: Vec<String>,
        /// Had by every node of the second side alone.
        second: Vec<String>,
        /// A line of each side.
        evidence: Vec<Source>,
    },
    /// It was not collected of these nodes, and one side has nobody else.
    Unknown(Vec<String>),
}

/// One side of a comparison: nodes, each with the facts that tell of it.
#[derive(Debug, Clone)]
pub struct Side<'f> {
    /// The facts.
    pub facts: &'f Facts,
    /// The nodes.
    pub nodes: Vec<String>,
}

/// Every trait of both sides, for the way to `host`.
pub fn compare(first: &Side<'_>, second: &Side<'_>, host: Option<&str>) -> Vec<Compared> {
    TRAITS.iter().map(|t| Compared { name: t.name, artefact: t.artefact, standing: standing(t.look, first, second, host) }).collect()
}

/// The traits that decide about a stop at this rung, most telling first; the rest are circumstance.
pub fn is_telling(name: &str, stage: Option<Stage>) -> bool {
    match stage {
        Some(Stage::Resolve) => matches!(name, "resolver" | "hosts-file" | "look-up"),
        Some(Stage::Connect) => matches!(name, "hosts-file" | "look-up" | "routes" | "proxy" | "no-proxy" | "resolver"),
        Some(Stage::Tls) => matches!(name, "trust-store" | "chain" | "hosts-toml" | "proxy" | "no-proxy" | "look-up" | "hosts-file" | "resolver" | "clock"),
        Some(Stage::Unpack) => matches!(name, "conditions" | "runtime" | "system"),
        Some(_) => matches!(name, "hosts-toml" | "runtime" | "proxy" | "no-proxy" | "look-up" | "hosts-file" | "resolver"),
        None => false,
    }
}

#[derive(Default)]
struct Values {
    common: Option<BTreeSet<String>>,
    any: BTreeSet<String>,
    source: Option<Source>,
    lacking: Vec<String>,
    guessed: bool,
}

fn values(look: Looked, side: &Side<'_>, host: Option<&str>) -> Values {
    let mut out = Values::default();
    for node in &side.nodes {
        let (set, evidence) = match look(side.facts, node, host) {
            Known::Seen(set, evidence) => (set, evidence),
            Known::Absent(evidence) => (BTreeSet::new(), evidence),
            Known::NotCollected(_) => {
                out.lacking.push(node.clone());
                continue;
            }
        };
        out.guessed |= evidence.guessed;
        out.source = out.source.take().or_else(|| evidence.sources.first().cloned());
        out.any.extend(set.iter().cloned());
        out.common = Some(match out.common.take() {
            Some(common) => common.intersection(&set).cloned().collect(),
            None => set,
        });
    }
    out
}

fn standing(look: Looked, first: &Side<'_>, second: &Side<'_>, host: Option<&str>) -> Standing {
    let (a, b) = (values(look, first, host), values(look, second, host));
    let (Some(all_a), Some(all_b)) = (&a.common, &b.common) else {
        let lacking = |v: &Values| if v.common.is_none() { v.lacking.clone() } else { Vec::new() };
        return Standing::Unknown([lacking(&a), lacking(&b)].concat());
    };
    let only_a: Vec<String> = all_a.difference(&b.any).cloned().collect();
    let only_b: Vec<String> = all_b.difference(&a.any).cloned().collect();
    if !only_a.is_empty() || !only_b.is_empty() {
        return Standing::Differs { first: only_a, second: only_b, evidence: [a.source, b.source].into_iter().flatten().collect() };
    }
    if a.any == b.any && a.any == *all_a && b.any == *all_b { Standing::Same } else { Standing::Mixed }
}
