//! Did the customer send the right thing? What is in the bundle, by node, what was not read and why, and what is missing.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use serde::Serialize;

use crate::facts::{Facts, Owner};
use crate::rules::artefacts;
use crate::text::visible;

/// What a diagnosis of a pull usually needs of each node, most telling first.
const OF_NODE: [&str; 8] =
    ["kubelet-log", "containerd-log", "node-resolv-conf", "node-hosts-file", "node-routes", "trust-store", "hosts-toml", "node-proxy-env"];
/// And of the cluster.
const OF_CLUSTER: [&str; 5] = ["events", "pods", "nodes", "pull-secrets", "service-accounts"];
/// Logs of another runtime stand for containerd's.
const RUNTIME_LOGS: [&str; 3] = ["containerd-log", "crio-log", "docker-log"];

#[derive(Serialize)]
struct Contents<'f> {
    schema: &'static str,
    bundle: &'f str,
    layouts: &'f [&'static str],
    collected_at: Option<String>,
    files: u64,
    read: u64,
    bytes: u64,
    events: Span,
    logs: Span,
    cluster: Vec<Held<'f>>,
    nodes: Vec<NodeOut<'f>>,
    unassigned: Vec<Held<'f>>,
    unread: Vec<Unread<'f>>,
    missing: Vec<Missing>,
}

#[derive(Serialize)]
struct Span {
    count: usize,
    first: Option<String>,
    last: Option<String>,
}

#[derive(Serialize)]
struct Held<'f> {
    artefact: &'static str,
    files: Vec<&'f str>,
}

#[derive(Serialize)]
struct NodeOut<'f> {
    node: String,
    pool: Option<&'f str>,
    has: Vec<Held<'f>>,
    lacks: Vec<&'static str>,
}

#[derive(Serialize)]
struct Unread<'f> {
    file: &'f str,
    why: &'f str,
}

#[derive(Serialize)]
struct Missing {
    artefact: &'static str,
    of: String,
    run: &'static str,
}

type ByArtefact<'f> = BTreeMap<&'static str, BTreeSet<&'f str>>;

fn held<'f>(of: &ByArtefact<'f>) -> Vec<Held<'f>> {
    of.iter().map(|(artefact, files)| Held { artefact, files: files.iter().copied().collect() }).collect()
}

fn span(times: impl Iterator<Item = jiff::Timestamp> + Clone) -> Span {
    Span { count: times.clone().count(), first: times.clone().min().map(|t| t.to_string()), last: times.max().map(|t| t.to_string()) }
}

fn gather(facts: &Facts) -> Contents<'_> {
    let mut cluster: ByArtefact<'_> = BTreeMap::new();
    let mut unassigned: ByArtefact<'_> = BTreeMap::new();
    let mut nodes: BTreeMap<String, ByArtefact<'_>> = facts.nodes.iter().map(|n| (n.name.clone(), BTreeMap::new())).collect();
    nodes.extend(facts.events.iter().filter_map(|e| e.node.clone()).map(|n| (n, BTreeMap::new())));
    for (artefact, file, owner) in &facts.about.owned {
        let path = facts.about.files.get(file.place()).map_or("", String::as_str);
        let of_node = artefacts::named(artefact).is_some_and(|a| a.view == "node");
        let place = match owner {
            Owner::Node { name, .. } if of_node => nodes.entry(name.clone()).or_default(),
            _ if of_node => &mut unassigned,
            _ => &mut cluster,
        };
        place.entry(artefact).or_default().insert(path);
    }
    let lacking = |has: &ByArtefact<'_>| -> Vec<&'static str> {
        let runtime = RUNTIME_LOGS.iter().any(|l| has.contains_key(l));
        OF_NODE.into_iter().filter(|a| !has.contains_key(a) && (*a != "containerd-log" || !runtime)).collect()
    };
    let mut missing: Vec<Missing> = Vec::new();
    for artefact in OF_CLUSTER.into_iter().filter(|a| !cluster.contains_key(a)) {
        missing.push(Missing { artefact, of: "the cluster".into(), run: artefacts::named(artefact).map_or("", |a| &a.run) });
    }
    // Of the nodes on which something fails; healthy ones help, and nobody collects from all.
    let failing: BTreeSet<&str> = facts.events.iter().filter(|e| e.reason == "Failed" || e.reason == "BackOff").filter_map(|e| e.node.as_deref()).collect();
    for (node, has) in nodes.iter().filter(|(n, _)| failing.contains(n.as_str())) {
        for artefact in lacking(has) {
            missing.push(Missing { artefact, of: format!("node {node}"), run: artefacts::named(artefact).map_or("", |a| &a.run) });
        }
    }
    let pool = |name: &str| facts.nodes.iter().find(|n| n.name == name).and_then(|n| n.pool.as_deref());
    Contents {
        schema: "underpod.contents/1",
        bundle: &facts.about.name,
        layouts: &facts.about.layouts,
        collected_at: facts.about.collected_at.map(|t| t.to_string()),
        files: facts.about.met,
        read: facts.about.read,
        bytes: facts.about.bytes,
        events: span(facts.events.iter().filter_map(|e| e.last.at)),
        logs: span(facts.records.iter().filter_map(|r| r.when.at)),
        cluster: held(&cluster),
        unassigned: held(&unassigned),
        unread: facts.about.unread.iter().map(|u| Unread { file: &u.file, why: &u.why }).collect(),
        nodes: nodes.iter().map(|(name, has)| NodeOut { node: name.clone(), pool: pool(name), has: held(has), lacks: lacking(has) }).collect(),
        missing,
    }
}

/// The list as JSON.
pub fn json(facts: &Facts) -> String {
    let mut out = serde_json::to_string_pretty(&gather(facts)).unwrap_or_default();
    out.push('\n');
    out
}

/// The list for a person, on one screen.
pub fn text(facts: &Facts) -> String {
    let c = gather(facts);
    let mut out = String::new();
    let layouts = if c.layouts.is_empty() { "hand-collected files".to_owned() } else { c.layouts.join(", ") };
    let _ = writeln!(out, "{}: {layouts}", visible(c.bundle));
    let _ = writeln!(
        out,
        "  collected at {}; {} of {} files read, {} bytes",
        c.collected_at.as_deref().unwrap_or("a time that it does not tell"),
        c.read,
        c.files,
        c.bytes
    );
    for (what, span) in [("events about pulls", &c.events), ("log lines about pulls", &c.logs)] {
        match (&span.first, &span.last) {
            (Some(first), Some(last)) => {
                let _ = writeln!(out, "  {what}: {} with a time, {first} to {last}", span.count);
            }
            _ => {
                let _ = writeln!(out, "  {what}: none with a time");
            }
        }
    }
    let list = |held: &[Held<'_>]| {
        held.iter()
            .map(|h| if h.files.len() > 1 { format!("{} ({})", h.artefact, h.files.len()) } else { h.artefact.to_owned() })
            .collect::<Vec<_>>()
            .join(", ")
    };
    let _ = writeln!(out, "\n  cluster   {}", if c.cluster.is_empty() { "nothing".to_owned() } else { list(&c.cluster) });
    for node in &c.nodes {
        let pool = node.pool.map(|p| format!(" (pool {})", visible(p))).unwrap_or_default();
        let _ = writeln!(out, "  {}{pool}", visible(&node.node));
        let _ = writeln!(out, "            has    {}", if node.has.is_empty() { "nothing of its own".to_owned() } else { list(&node.has) });
        let _ = writeln!(out, "            lacks  {}", if node.lacks.is_empty() { "nothing".to_owned() } else { node.lacks.join(", ") });
    }
    for h in &c.unassigned {
        let _ = writeln!(out, "  whose?    {}: {}", h.artefact, visible(&h.files.join(", ")));
    }
    if !c.unread.is_empty() {
        out.push_str("\n  not read\n");
    }
    for unread in &c.unread {
        let _ = writeln!(out, "            {}: {}", visible(unread.file), visible(unread.why));
    }
    if !c.missing.is_empty() {
        out.push_str("\n  missing\n");
    }
    for missing in &c.missing {
        let _ = writeln!(out, "            {} of {}\n              $ {}", missing.artefact, visible(&missing.of), missing.run);
    }
    out
}
