//! Did the customer send the right thing? What is in the bundle, by node, what was not read and why, and what is missing.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use serde::Serialize;

use crate::facts::{Facts, Owner, place};
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
    untaken: Vec<Untaken<'f>>,
    notes: Vec<String>,
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
    /// Whose the files are rests on a guess.
    guessed: bool,
}

/// Files that hold nothing that a reader knows.
#[derive(Serialize)]
struct Untaken<'f> {
    what: String,
    folder: String,
    count: usize,
    example: &'f str,
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

/// How many of a kind a screen shows.
const SHOWN: usize = 8;

type ByArtefact<'f> = BTreeMap<&'static str, (BTreeSet<&'f str>, bool)>;

fn held<'f>(of: &ByArtefact<'f>) -> Vec<Held<'f>> {
    of.iter().map(|(artefact, (files, guessed))| Held { artefact, files: files.iter().copied().collect(), guessed: *guessed }).collect()
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
        if *artefact == "pasted-error" {
            continue;
        }
        let of_node = *artefact == "node-log" || artefacts::named(artefact).is_some_and(|a| a.view == "node");
        let place = match owner {
            Owner::Node { name, .. } if of_node => nodes.entry(name.clone()).or_default(),
            _ if of_node => &mut unassigned,
            _ => &mut cluster,
        };
        let held = place.entry(artefact).or_default();
        held.0.insert(path);
        held.1 |= of_node && matches!(owner, Owner::Node { guessed: true, .. });
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
        untaken: untaken(facts),
        notes: notes(facts),
        nodes: nodes.iter().map(|(name, has)| NodeOut { node: name.clone(), pool: pool(name), has: held(has), lacks: lacking(has) }).collect(),
        missing,
    }
}

/// What no reader took, by kind and folder, most first.
fn untaken(facts: &Facts) -> Vec<Untaken<'_>> {
    let taken: BTreeSet<usize> = facts.about.taken.iter().map(|(_, file)| file.place()).collect();
    let texts: BTreeSet<usize> = facts.about.unknown.iter().map(|file| file.place()).collect();
    let told: BTreeSet<&str> = facts.about.unread.iter().map(|u| u.file.as_str()).collect();
    let mut groups: BTreeMap<(String, String), Vec<&str>> = BTreeMap::new();
    for (at, path) in facts.about.files.iter().enumerate().filter(|(at, path)| !taken.contains(at) && !told.contains(path.as_str())) {
        let what = if place::is_pod_log(path) {
            "logs of containers".to_owned()
        } else if texts.contains(&at) {
            "text of an unknown kind".to_owned()
        } else {
            ending(path).map_or_else(|| "without an ending".into(), |e| format!(".{e}"))
        };
        groups.entry((what, folder(path))).or_default().push(path);
    }
    let mut out: Vec<_> = groups
        .into_iter()
        .map(|((what, folder), files)| Untaken { what, folder, count: files.len(), example: files.first().copied().unwrap_or(""), files })
        .collect();
    out.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| (&a.what, &a.folder).cmp(&(&b.what, &b.folder))));
    out
}

fn ending(path: &str) -> Option<&str> {
    let name = path.rsplit(['/', '!']).next().unwrap_or(path);
    name.rsplit_once('.').map(|(_, e)| e).filter(|e| e.len() <= 5 && !e.bytes().all(|b| b.is_ascii_digit()))
}

/// The outermost folders or the archive in which a file lies: enough to find it.
fn folder(path: &str) -> String {
    let end = path.match_indices(['/', '!']).map(|(at, _)| at + 1).take(2).last().unwrap_or(0);
    path.get(..end).unwrap_or("").to_owned()
}

/// What makes the evidence weaker than it looks: hidden values, logs that do not reach the failure.
fn notes(facts: &Facts) -> Vec<String> {
    let mut out: Vec<String> = facts.about.redacted.iter().map(|r| (*r).to_owned()).chain(facts.about.clocks.iter().cloned()).collect();
    let mut failures: BTreeMap<&str, jiff::Timestamp> = BTreeMap::new();
    for event in facts.events.iter().filter(|e| e.reason == "Failed") {
        if let (Some(node), Some(at)) = (&event.node, event.last.at) {
            failures.entry(node).and_modify(|t| *t = at.max(*t)).or_insert(at);
        }
    }
    for log in &facts.heard.logs {
        let (Some(first), Some(last)) = (log.first.at, log.last.at) else { continue };
        for (_, _, owner) in facts.about.owned.iter().filter(|(_, file, _)| *file == log.file).take(1) {
            let Owner::Node { name, .. } = owner else { continue };
            let Some(failed) = failures.get(name.as_str()) else { continue };
            let path = facts.about.files.get(log.file.place()).map_or("", String::as_str);
            if last.duration_since(*failed).as_secs() < -60 || first.duration_since(*failed).as_secs() > 60 {
                out.push(format!("{path} covers {first} to {last}; the last failure on {name} was at {failed}"));
            }
        }
    }
    out
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
        let one = |h: &Held<'_>| {
            let count = if h.files.len() > 1 { format!(" ({})", h.files.len()) } else { String::new() };
            format!("{}{count}{}", h.artefact, if h.guessed { " (a guess)" } else { "" })
        };
        held.iter().map(one).collect::<Vec<_>>().join(", ")
    };
    let _ = writeln!(out, "\n  cluster   {}", if c.cluster.is_empty() { "nothing".to_owned() } else { list(&c.cluster) });
    // Nodes of which the same is there are told together.
    let mut rows: Vec<(String, String, String, Vec<&str>)> = Vec::new();
    for node in &c.nodes {
        let pool = node.pool.map(|p| format!(" (pool {})", visible(p))).unwrap_or_default();
        let has = if node.has.is_empty() { "nothing of its own".to_owned() } else { list(&node.has) };
        let lacks = match (node.has.is_empty(), node.lacks.is_empty()) {
            (true, _) => String::new(),
            (_, true) => "nothing".to_owned(),
            _ => node.lacks.join(", "),
        };
        match rows.iter_mut().find(|(p, h, l, _)| (p, h, l) == (&pool, &has, &lacks)) {
            Some(row) => row.3.push(&node.node),
            None => rows.push((pool, has, lacks, vec![&node.node])),
        }
    }
    for (pool, has, lacks, names) in rows {
        let more = if names.len() > 4 { format!(" and {} more", names.len() - 4) } else { String::new() };
        let shown: Vec<_> = names.iter().take(4).map(|n| visible(n)).collect();
        let _ = writeln!(out, "  {}{more}{pool}", shown.join(", "));
        labelled(&mut out, "            has    ", &has);
        if !lacks.is_empty() {
            labelled(&mut out, "            lacks  ", &lacks);
        }
    }
    for h in &c.unassigned {
        let more = if h.files.len() > 3 { format!(" and {} more", h.files.len() - 3) } else { String::new() };
        let shown: Vec<&str> = h.files.iter().copied().take(3).collect();
        labelled(&mut out, "  whose?    ", &format!("{}: {}{more}", h.artefact, shown.join(", ")));
    }
    for note in &c.notes {
        labelled(&mut out, "  note      ", note);
    }
    if !c.unread.is_empty() {
        out.push_str("\n  not read\n");
    }
    let groups = alike(&c.unread);
    for (why, files) in groups.iter().take(SHOWN) {
        let whose = match files.as_slice() {
            [one] => (*one).to_owned(),
            [first, ..] => format!("{} files, {first} ...", files.len()),
            [] => String::new(),
        };
        block(&mut out, &format!("{whose}: {why}"));
    }
    more(&mut out, groups.len(), "reasons");
    if !c.untaken.is_empty() {
        out.push_str("\n  no reader took\n");
    }
    for u in c.untaken.iter().take(SHOWN) {
        match u.files.as_slice() {
            [one] => block(&mut out, &format!("1 {}: {one}", u.what)),
            _ if u.folder.is_empty() => block(&mut out, &format!("{} {}: {} ...", u.count, u.what, u.example)),
            _ => block(&mut out, &format!("{} {} in {}", u.count, u.what, u.folder)),
        }
    }
    more(&mut out, c.untaken.len(), "groups");
    if c.untaken.iter().any(|u| u.what.starts_with("text")) {
        block(
            &mut out,
            "expected: what kubectl prints, logs of kubelet and runtime, a node's resolv.conf, hosts file, routes, filters, certificates and settings, what dig, curl and openssl print, and the cloud's dumps; an error's own text must stand alone or name the image",
        );
    }
    if !c.missing.is_empty() {
        out.push_str("\n  missing\n");
    }
    let mut asked: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
    for missing in &c.missing {
        asked.entry((missing.artefact, missing.run)).or_default().push(&missing.of);
    }
    for ((artefact, run), of) in asked {
        let more = if of.len() > 3 { format!(" and {} more", of.len() - 3) } else { String::new() };
        let whose: Vec<&str> = of.iter().copied().take(3).collect();
        let _ = writeln!(out, "            {artefact} of {}{more}\n              $ {run}", visible(&whose.join(", ")));
    }
    out
}

/// How many columns a line has.
const WIDTH: usize = 100;

/// A text behind its label, its further lines below its first.
fn labelled(out: &mut String, label: &str, text: &str) {
    let indent = label.chars().count();
    let mut line = label.to_owned();
    for word in visible(text).split_whitespace() {
        let begun = line.chars().count() > indent;
        if begun && line.chars().count() + 1 + word.chars().count() > WIDTH {
            let _ = writeln!(out, "{}", line.trim_end());
            line = " ".repeat(indent);
        } else if begun {
            line.push(' ');
        }
        line.push_str(word);
    }
    let _ = writeln!(out, "{}", line.trim_end());
}

fn block(out: &mut String, text: &str) {
    labelled(out, "            ", text);
}

fn more(out: &mut String, count: usize, what: &str) {
    if count > SHOWN {
        let _ = writeln!(out, "            and {} more {what} (--format json lists them)", count - SHOWN);
    }
}

/// What was not read, by reason; numbers in it do not tell two reasons apart.
fn alike<'f>(unread: &[Unread<'f>]) -> Vec<(&'f str, Vec<&'f str>)> {
    let mut groups: BTreeMap<(String, String), (&str, Vec<&str>)> = BTreeMap::new();
    for u in unread {
        let key: String = u.why.chars().filter(|c| !c.is_ascii_digit()).collect();
        groups.entry((key, folder(u.file))).or_insert((u.why, Vec::new())).1.push(u.file);
    }
    let mut out: Vec<_> = groups.into_values().collect();
    out.sort_by_key(|(_, files)| std::cmp::Reverse(files.len()));
    out
}
