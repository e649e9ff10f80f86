//! No pull was found failing: may that be told? Only where something was read, whole, that could show one.

use std::collections::BTreeSet;

use crate::facts::{Facts, Unit};
use crate::pull::Filter;

/// What it means that no pull was found failing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Silence {
    /// What could show a failing pull was read whole, and shows none.
    #[default]
    Sound,
    /// Something was read that shows none, and something else that might was not: why.
    Doubtful(Vec<String>),
    /// Nothing that was read could show one: why.
    Deaf(String),
}

/// How many names a sentence lists.
const LISTED: usize = 8;

pub(super) fn of(facts: &Facts, filter: &Filter<'_>) -> Silence {
    let about = &facts.about;
    if about.taken.iter().all(|(artefact, _)| *artefact == "pasted-error") {
        return Silence::Deaf(nothing_known(about));
    }
    if !facts.heard.anything() {
        return Silence::Deaf(deaf(facts));
    }
    if !filter.is_known(facts) {
        return Silence::Deaf(format!("nothing in it matches {}{}", filter.typed(), known(facts, filter)));
    }
    // Where no event and no pod was read, a list of them that is empty or refused is what would have told.
    let blind = facts.heard.events == 0 && facts.heard.pods == 0;
    let promised = |file: &str| {
        let name = file.rsplit(['/', '!']).next().unwrap_or(file).to_lowercase();
        ["event", "pods", "describe"].iter().any(|w| name.contains(w))
    };
    if blind && facts.records.is_empty() && facts.heard.logs.iter().all(|log| !log.units.contains(&Unit::Kubelet)) {
        return Silence::Deaf("no pull is told of in it: its logs are a runtime's and name none, and it holds neither events nor pods".to_owned());
    }
    let hidden: Vec<String> = about.unread.iter().filter(|u| u.hides || (blind && promised(&u.file))).map(|u| format!("{}: {}", u.file, u.why)).collect();
    if hidden.is_empty() { Silence::Sound } else { Silence::Doubtful(hidden) }
}

/// What was met instead of anything that is known.
fn nothing_known(about: &crate::facts::About) -> String {
    let files = if about.met == 1 { "1 file".to_owned() } else { format!("{} files", about.met) };
    match (about.met, about.bytes) {
        (0, _) => "nothing in it was recognised: it holds no file".to_owned(),
        (_, 0) => format!("nothing in it was recognised ({files}, all empty)"),
        (_, bytes) => format!("nothing in it was recognised ({files}, {bytes} bytes read)"),
    }
}

/// What was there instead of a witness.
fn deaf(facts: &Facts) -> String {
    let artefacts: BTreeSet<&str> = facts.about.taken.iter().map(|(artefact, _)| *artefact).filter(|a| *a != "pasted-error").collect();
    let (lists, others): (Vec<&str>, Vec<&str>) = artefacts.into_iter().partition(|a| matches!(*a, "events" | "pods"));
    let mut out = String::from("nothing in it could show a failing pull");
    if !lists.is_empty() {
        out.push_str(&format!("; its lists of {} are empty", lists.join(" and ")));
    }
    if !others.is_empty() {
        out.push_str(&format!("; it holds {}", others.join(", ")));
    }
    out
}

/// The names that would have matched something.
fn known(facts: &Facts, filter: &Filter<'_>) -> String {
    let mut out = String::new();
    let mut list = |what: &str, names: BTreeSet<&str>| {
        let shown: Vec<&str> = names.iter().copied().take(LISTED).collect();
        let more = if names.len() > LISTED { format!(" and {} more", names.len() - LISTED) } else { String::new() };
        out.push_str(&match shown.is_empty() {
            true => format!("; it names no {what}"),
            false => format!("; {what}s in it: {}{more}", shown.join(", ")),
        });
    };
    if filter.node.is_some() {
        let of_objects = facts.nodes.iter().map(|n| n.name.as_str()).chain(facts.pods.iter().filter_map(|p| p.node.as_deref()));
        let of_texts = facts.events.iter().filter_map(|e| e.node.as_deref()).chain(facts.records.iter().filter_map(|r| r.node.as_deref()));
        list("node", of_objects.chain(of_texts).collect());
    }
    if filter.namespace.is_some() {
        list("namespace", facts.heard.namespaces.iter().map(String::as_str).collect());
    }
    out
}

/// What was looked at that could show a failing pull, in a phrase.
pub(super) fn heard(facts: &Facts) -> String {
    let heard = &facts.heard;
    let counted = |n: u64, one: &str| if n == 1 { format!("1 {one}") } else { format!("{n} {one}s") };
    let mut parts = Vec::new();
    if heard.events > 0 {
        parts.push(counted(heard.events, "event"));
    }
    if heard.pods > 0 {
        parts.push(counted(heard.pods, "pod"));
    }
    if let (Some(last), false) = (parts.last_mut(), heard.namespaces.is_empty()) {
        last.push_str(&format!(" ({})", counted(heard.namespaces.len() as u64, "namespace")));
    }
    if !heard.logs.is_empty() {
        parts.push(counted(heard.logs.len() as u64, "log file"));
    }
    parts.join(", ")
}
