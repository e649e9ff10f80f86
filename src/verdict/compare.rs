//! What is told of a comparison: two nodes of a bundle, two bundles, or the nodes that fail and those that pull.

use crate::bundle::Source;
use crate::facts::{About, Facts};
use crate::pull::compare::{Side, Standing, compare};
use crate::pull::{Index, Pull};
use crate::rules::artefacts;

/// A comparison, ready to be told.
#[derive(Debug)]
pub struct Comparison {
    /// The host towards which the way was compared.
    pub host: Option<String>,
    /// The nodes of both sides.
    pub sides: [Named; 2],
    /// What was compared, in the order of a pull's way.
    pub traits: Vec<Told>,
}

/// One side.
#[derive(Debug)]
pub struct Named {
    /// The bundle.
    pub bundle: String,
    /// Its nodes.
    pub nodes: Vec<String>,
    /// Every node that the bundle knows.
    pub known: Vec<String>,
}

/// One trait.
#[derive(Debug)]
pub struct Told {
    /// Its name.
    pub name: &'static str,
    /// `differs`, `same`, `mixed`, `unknown`.
    pub standing: &'static str,
    /// What each side alone has.
    pub only: [Vec<String>; 2],
    /// File, line and text that show it.
    pub evidence: Vec<(String, u32, String)>,
    /// What would tell, where it is unknown: artefact, node, command.
    pub missing: Vec<(&'static str, String, String)>,
}

/// Facts of one bundle with its pulls, and the nodes that were asked for.
#[derive(Debug, Clone)]
pub struct Half<'f> {
    /// The facts.
    pub facts: &'f Facts,
    /// Its pulls.
    pub pulls: &'f [Pull],
    /// Nodes named on the command line.
    pub nodes: Vec<String>,
}

impl Half<'_> {
    fn failing(&self) -> Vec<String> {
        let failing = self.pulls.iter().filter(|p| p.recovered.is_none() && p.deciding.is_some());
        let set: std::collections::BTreeSet<String> = failing.filter_map(|p| p.node.clone()).collect();
        set.into_iter().collect()
    }

    /// The nodes asked for, else those that fail, else all.
    fn chosen(&self) -> Vec<String> {
        let mut out = self.nodes.clone();
        if out.is_empty() {
            out = self.failing();
        }
        if out.is_empty() {
            out = self.facts.nodes.iter().map(|n| n.name.clone()).collect();
        }
        out
    }

    fn host(&self) -> Option<String> {
        let failing = self.pulls.iter().find(|p| p.recovered.is_none() && p.deciding.is_some())?;
        failing.stop.host.clone().or_else(|| failing.reference.as_ref().map(|r| r.bare_host().to_owned()))
    }
}

/// Compares two halves.
pub fn halves(first: &Half<'_>, second: &Half<'_>, host: Option<String>) -> Comparison {
    let host = host.or_else(|| first.host()).or_else(|| second.host());
    made(first.facts, first.chosen(), second.facts, second.chosen(), host)
}

/// Compares, within one bundle, the nodes that fail with those that pull from the same registry.
pub fn outcomes(half: &Half<'_>, host: Option<String>) -> Comparison {
    let failing = half.failing();
    let index = Index::of(half.facts);
    let registry = half.pulls.iter().find(|p| p.recovered.is_none()).and_then(|p| p.reference.as_ref()).map(|r| r.host.clone()).unwrap_or_default();
    let working = super::apart::working(&registry, None, &failing.iter().map(String::as_str).collect(), &index);
    let host = host.or_else(|| half.host());
    made(half.facts, failing, half.facts, working, host)
}

fn made(a: &Facts, nodes_a: Vec<String>, b: &Facts, nodes_b: Vec<String>, host: Option<String>) -> Comparison {
    let (first, second) = (Side { facts: a, nodes: nodes_a }, Side { facts: b, nodes: nodes_b });
    let compared = compare(&first, &second, host.as_deref());
    let two = !std::ptr::eq(a, b);
    let place = |about: &About, s: &Source| {
        let path = if two { format!("{}: {}", about.name, about.path(s)) } else { about.path(s).to_owned() };
        (path, s.line, s.excerpt.to_string())
    };
    let traits = compared
        .into_iter()
        .map(|c| {
            let mut told = Told { name: c.name, standing: "same", only: [Vec::new(), Vec::new()], evidence: Vec::new(), missing: Vec::new() };
            match c.standing {
                Standing::Same => {}
                Standing::Mixed => told.standing = "mixed",
                Standing::Differs { first, second, evidence } => {
                    told.standing = "differs";
                    told.only = [first, second];
                    told.evidence = [&a.about, &b.about].into_iter().zip(&evidence).map(|(about, s)| place(about, s)).collect();
                }
                Standing::Unknown(nodes) => {
                    told.standing = "unknown";
                    let run = artefacts::named(c.artefact).map_or("", |a| a.run.as_str()).replace("<host>", host.as_deref().unwrap_or("<host>"));
                    told.missing = nodes.into_iter().map(|n| (c.artefact, n, run.clone())).collect();
                }
            }
            told
        })
        .collect();
    let known = |facts: &Facts| crate::nodes(facts).into_iter().map(str::to_owned).collect();
    let named = |side: Side<'_>| Named { bundle: side.facts.about.name.clone(), known: known(side.facts), nodes: side.nodes };
    Comparison { host, sides: [named(first), named(second)], traits }
}
