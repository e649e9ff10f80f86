//! Who holds the image already, since when, and what was seen from elsewhere? What makes a fault show now, and what misleads.

use std::collections::BTreeSet;

use super::{Asked, Value, yes_no};
use crate::bundle::Source;
use crate::facts::{Evidence, Happening, Known, Owner, Scope, When};
use crate::message::Reference;

type K = Known<Value>;

fn is(a: &Asked<'_>, image: &str) -> bool {
    Reference::parse(image).is_some_and(|r| r.to_string() == a.pull.image)
}

/// Other nodes that hold the image, each with the line that shows it.
fn holders<'a>(a: &Asked<'a>) -> Vec<(&'a str, &'a Source)> {
    let mut seen = BTreeSet::new();
    a.index.holders(&a.pull.image).iter().filter(|(node, _)| Some(*node) != a.node() && seen.insert(*node)).copied().collect()
}

/// Whether another node holds the image.
pub fn on_other_nodes(a: &Asked<'_>) -> K {
    let holders = holders(a);
    if holders.is_empty() {
        return if a.facts.pods.is_empty() && a.facts.nodes.is_empty() { Known::NotCollected("pods") } else { yes_no(false, a.by_text()) };
    }
    yes_no(true, Evidence { sources: holders.iter().take(3).map(|(_, s)| (*s).clone()).collect(), guessed: false })
}

/// The nodes that hold it.
pub fn holding_nodes(a: &Asked<'_>) -> K {
    let holders = holders(a);
    let names = holders.iter().map(|(n, _)| (*n).to_owned()).collect();
    Known::Seen(Value::List(names), Evidence { sources: holders.iter().take(3).map(|(_, s)| (*s).clone()).collect(), guessed: false })
}

/// Whether the failing node joined after every node that holds the image.
pub fn node_is_newest(a: &Asked<'_>) -> K {
    let created = |name: &str| a.facts.nodes.iter().find(|n| n.name == name).and_then(|n| n.created.at.map(|t| (t, &n.source)));
    let Some((own, source)) = a.node().and_then(created) else { return Known::NotCollected("nodes") };
    let others: Vec<_> = holders(a).iter().filter_map(|(n, _)| created(n)).collect();
    if others.is_empty() {
        return Known::Absent(Evidence::of(source));
    }
    let mut sources = vec![source.clone()];
    sources.extend(others.iter().take(2).map(|(_, s)| (*s).clone()));
    yes_no(others.iter().all(|(t, _)| own > *t), Evidence { sources, guessed: false })
}

/// Whether something cleaned images up on the node before the pull failed.
pub fn removed_on_node(a: &Asked<'_>) -> K {
    // What was removed after the first failure made nobody pull.
    let before = |when: &When| when.at.is_none_or(|at| a.pull.first.is_none_or(|first| at <= first));
    let log = a.index.kubelet(a.node());
    if let Some(record) = log.iter().find(|r| matches!(&r.what, Happening::Removed { .. }) && before(&r.when)) {
        return yes_no(true, Evidence::of(&record.source).guessed(record.guessed));
    }
    if let Some(event) = a.node().and_then(|n| a.index.cleaned(n)).filter(|e| before(&e.first)) {
        return yes_no(true, Evidence::of(&event.source));
    }
    match log.first() {
        Some(record) => yes_no(false, Evidence::of(&record.source)),
        None => Known::NotCollected("kubelet-log"),
    }
}

/// Whether the image was pulled or ran on this node before it failed, or lies on it still.
pub fn was_on_node(a: &Asked<'_>) -> K {
    if let Some(event) = a.index.pulled(&a.pull.image).iter().find(|e| e.node.as_deref() == a.node()) {
        return yes_no(true, Evidence::of(&event.source));
    }
    match a.index.holders(&a.pull.image).iter().find(|(node, _)| Some(*node) == a.node() && a.pull.recovered.is_none()) {
        Some((_, source)) => yes_no(true, Evidence::of(source)),
        None => Known::NotCollected("image-list"),
    }
}

/// Whether a success was seen in a pod, for this host or for none in particular.
pub fn pod_success(a: &Asked<'_>) -> K {
    seen_elsewhere(a, Scope::Pod)
}

/// Whether a success was seen on somebody's machine.
pub fn operator_success(a: &Asked<'_>) -> K {
    seen_elsewhere(a, Scope::Operator)
}

/// Whether a tool that checks a registry found this one in order.
pub fn registry_check_success(a: &Asked<'_>) -> K {
    match a.facts.elsewhere.iter().find(|e| e.by_check && concerns(a, &e.host)) {
        Some(e) => yes_no(true, Evidence::of(&e.source)),
        None => yes_no(false, a.by_text()),
    }
}

/// Whether what was seen for a host, or for none in particular, was seen for this pull's registry or the host of the stop.
fn concerns(a: &Asked<'_>, host: &Option<String>) -> bool {
    let registry = a.pull.reference.as_ref().map(|r| r.bare_host());
    host.is_none() || host.as_deref() == registry || host.as_deref() == a.host()
}

fn seen_elsewhere(a: &Asked<'_>, scope: Scope) -> K {
    let registry = a.pull.reference.as_ref().map(|r| r.bare_host().to_owned());
    if let Some(e) = a.facts.elsewhere.iter().find(|e| e.scope == scope && !e.by_check && concerns(a, &e.host)) {
        return yes_no(true, Evidence::of(&e.source));
    }
    let owner = if scope == Scope::Pod { Owner::Pod } else { Owner::Operator };
    let asked_for = |host: &str| Some(host) == registry.as_deref() || Some(host) == a.host();
    let looked_up = a.facts.lookups.iter().find(|l| l.owner == owner && !l.value.addresses.is_empty() && asked_for(&l.value.name)).map(|l| &l.source);
    // A 401 to the first request is a registry's healthy answer.
    let answered =
        a.facts.requests.iter().find(|r| r.owner == owner && matches!(r.value.status, Some(200 | 401)) && asked_for(&r.value.host)).map(|r| &r.source);
    match looked_up.or(answered) {
        Some(source) => yes_no(true, Evidence::of(source)),
        None => yes_no(false, a.by_text()),
    }
}

fn node_field(a: &Asked<'_>, field: impl Fn(&crate::facts::Node) -> Option<String>) -> K {
    match a.facts.nodes.iter().find(|n| Some(n.name.as_str()) == a.node()) {
        Some(node) => match field(node) {
            Some(value) => Known::Seen(Value::Text(value), Evidence::of(&node.source)),
            None => Known::NotCollected("nodes"),
        },
        None => Known::NotCollected("nodes"),
    }
}

/// The node's operating system.
pub fn node_os(a: &Asked<'_>) -> K {
    node_field(a, |n| n.os.clone())
}

/// The node's processor.
pub fn node_arch(a: &Asked<'_>) -> K {
    node_field(a, |n| n.arch.clone())
}

/// The node's runtime.
pub fn node_runtime(a: &Asked<'_>) -> K {
    node_field(a, |n| n.runtime.clone())
}

/// Whether a pod of the pull asks with policy Always.
pub fn policy_always(a: &Asked<'_>) -> K {
    let pods: Vec<_> = a.pull.pods.iter().filter_map(|p| a.index.pod(p)).collect();
    let policies: Vec<_> =
        pods.iter().flat_map(|p| p.images.iter().filter(|(i, _)| is(a, i)).filter_map(|(_, policy)| policy.as_deref().map(|x| (x, &p.source)))).collect();
    match policies.first() {
        Some((_, source)) => yes_no(policies.iter().any(|(p, _)| *p == "Always"), Evidence::of(source)),
        None => Known::NotCollected("pods"),
    }
}
