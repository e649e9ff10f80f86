//! What differs between two nodes, two bundles, or the nodes that fail and those that pull? As text and as JSON.

use std::fmt::Write as _;

use serde::Serialize;

use crate::text::{clip, visible};
use crate::verdict::compare::{Comparison, Named, Told};

#[derive(Serialize)]
struct Out<'c> {
    schema: &'static str,
    host: Option<&'c str>,
    sides: Vec<SideOut<'c>>,
    traits: Vec<TraitOut<'c>>,
}

#[derive(Serialize)]
struct SideOut<'c> {
    bundle: &'c str,
    nodes: &'c [String],
}

#[derive(Serialize)]
struct TraitOut<'c> {
    name: &'static str,
    standing: &'static str,
    only_first: &'c [String],
    only_second: &'c [String],
    evidence: Vec<Place<'c>>,
    missing: Vec<Missing<'c>>,
}

#[derive(Serialize)]
struct Place<'c> {
    file: &'c str,
    line: u32,
    excerpt: &'c str,
}

#[derive(Serialize)]
struct Missing<'c> {
    artefact: &'static str,
    of: &'c str,
    run: &'c str,
}

/// As one JSON object, `underpod.compare/1`.
pub fn json(comparison: &Comparison) -> String {
    let [first, second] = &comparison.sides;
    let out = Out {
        schema: "underpod.compare/1",
        host: comparison.host.as_deref(),
        sides: [first, second].map(|s| SideOut { bundle: &s.bundle, nodes: &s.nodes }).into(),
        traits: comparison.traits.iter().map(of).collect(),
    };
    serde_json::to_string_pretty(&out).map(|s| s + "\n").unwrap_or_default()
}

fn of(told: &Told) -> TraitOut<'_> {
    let [only_first, only_second] = &told.only;
    TraitOut {
        name: told.name,
        standing: told.standing,
        only_first,
        only_second,
        evidence: told.evidence.iter().map(|(file, line, excerpt)| Place { file, line: *line, excerpt }).collect(),
        missing: told.missing.iter().map(|(artefact, of, run)| Missing { artefact, of, run }).collect(),
    }
}

/// For a person: what differs first, then what cannot be told, then what is the same.
pub fn text(comparison: &Comparison) -> String {
    let mut out = String::new();
    let [first, second] = &comparison.sides;
    let two = first.bundle != second.bundle;
    let way = comparison.host.as_deref().map(|h| format!(" on the way to {}", visible(h))).unwrap_or_default();
    let _ = writeln!(out, "A  {}\nB  {}\ncompared{way}\n", side(first, two), side(second, two));
    for told in comparison.traits.iter().filter(|t| t.standing == "differs") {
        differs(&mut out, told);
    }
    if !comparison.traits.iter().any(|t| t.standing == "differs") {
        out.push_str("nothing that was collected of both differs\n");
    }
    let mut asked: Vec<&str> = Vec::new();
    for told in comparison.traits.iter().filter(|t| t.standing == "unknown") {
        let of: Vec<&str> = told.missing.iter().map(|(_, of, _)| of.as_str()).collect();
        let _ = writeln!(out, "cannot tell  {:<14}not collected of {}", told.name, visible(&shortened(&of)));
        if let Some((artefact, _, run)) = told.missing.first().filter(|(a, _, run)| !run.is_empty() && !asked.contains(a)) {
            asked.push(artefact);
            let _ = writeln!(out, "{:13}$ {}", "", visible(run));
        }
    }
    for (standing, label) in [("mixed", "varies on both sides"), ("same", "same")] {
        let names: Vec<&str> = comparison.traits.iter().filter(|t| t.standing == standing).map(|t| t.name).collect();
        if !names.is_empty() {
            let _ = writeln!(out, "{label}: {}", names.join(", "));
        }
    }
    out
}

fn differs(out: &mut String, told: &Told) {
    for (i, (label, only)) in ["A", "B"].into_iter().zip(&told.only).enumerate() {
        let head = if i == 0 { format!("differs  {:<14}", told.name) } else { " ".repeat(23) };
        let shown = if only.is_empty() { "nothing of it".to_owned() } else { clip(&only.join(", "), 120).into_owned() };
        let place = told.evidence.get(i).map(|(file, line, _)| format!("  {}:{line}", visible(file))).unwrap_or_default();
        let _ = writeln!(out, "{head}{label}  {}{place}", visible(&shown));
    }
}

fn side(named: &Named, two: bool) -> String {
    let nodes: Vec<&str> = named.nodes.iter().map(String::as_str).collect();
    let of = if two { format!(" of {}", named.bundle) } else { String::new() };
    visible(&format!("{}{of}", shortened(&nodes))).into_owned()
}

fn shortened(names: &[&str]) -> String {
    match names {
        [] => "no node".to_owned(),
        [a, b, c, rest @ ..] if !rest.is_empty() => format!("{a}, {b}, {c} and {} more", rest.len()),
        _ => names.join(", "),
    }
}
