//! What happened shortly before the pull failed, or since? Changes of credentials, pods that moved, nodes that were left out.

use jiff::{SignedDuration, Timestamp};

use super::{Asked, Value, yes_no};
use crate::bundle::Source;
use crate::facts::objects::DaemonSet;
use crate::facts::{Event, Evidence, Known};
use crate::message::Stage;

type K = Known<Value>;

/// What was changed longer ago than this would have shown before.
const LATELY: SignedDuration = SignedDuration::from_hours(14 * 24);

/// The kubelet waits this long at most between two tries, and a little more until it logs the next.
const LONGEST_WAIT: SignedDuration = SignedDuration::from_mins(6);

/// Parts of the names of operations that change who may pull, or with what.
const OPERATIONS: [&str; 6] =
    ["regeneratecredential", "generatecredentials", "roleassignments/write", "roleassignments/delete", "registries/tokens/", "registries/scopemaps/"];

/// When the pull was first asked for, and since when a change would count: the last pull from the registry that worked.
fn window(a: &Asked<'_>) -> Option<(Timestamp, Timestamp)> {
    let began = super::now::began(a)?;
    let registry = a.pull.reference.as_ref()?.host.as_str();
    let worked = a.index.network_pulls(registry).iter().filter_map(|e| e.last.at).filter(|at| *at < began).max();
    let lately = began.checked_sub(LATELY).ok()?;
    Some((worked.map_or(lately, |w| w.max(lately)), began))
}

/// What of credentials or permissions for the registry was changed after the last pull that worked; null where nothing of the
/// kind is known to have been.
pub fn credentials_changed(a: &Asked<'_>) -> K {
    let Some((from, began)) = window(a) else { return Known::NotCollected("activity-log") };
    let host = a.pull.reference.as_ref().map(|r| r.bare_host()).unwrap_or("");
    let short = host.split('.').next().unwrap_or(host);
    let lately = |at: Timestamp| at >= from && at <= began;
    let of_registry = |id: &str| id.split("/registries/").nth(1).is_some_and(|rest| rest.split('/').next() == Some(short));
    let estate = &a.facts.estate;
    let mut found: Vec<(Timestamp, String, &Source)> = Vec::new();
    for change in estate.changes.iter().filter(|c| lately(c.at) && of_registry(&c.resource) && OPERATIONS.iter().any(|o| c.operation.contains(o))) {
        found.push((change.at, format!("{} at {}", change.operation, change.at), &change.source));
    }
    for role in estate.roles.iter().filter(|r| of_registry(&r.scope)) {
        if let Some(at) = role.changed.filter(|at| lately(*at)) {
            found.push((at, format!("the role {} on {short}, given or changed at {at}", role.role), &role.source));
        }
    }
    // Where nobody ran with the secret before, it is new with what uses it.
    let registry = a.pull.reference.as_ref().map(|r| format!("{}/", r.host)).unwrap_or_default();
    let ran_before = |namespace: &str, at: Timestamp| {
        let mut pods = a.facts.pods.iter().filter(|p| p.namespace == namespace && p.created.at.is_some_and(|made| made < at));
        pods.any(|p| p.started.iter().any(|i| i.starts_with(&registry)))
    };
    for secret in super::authenticate::named_secrets(a) {
        if let Some(at) = secret.changed.at.filter(|at| lately(*at) && ran_before(&secret.namespace, *at)) {
            found.push((at, format!("the pull secret {}, written at {at}", secret.name), &secret.source));
        }
    }
    match found.into_iter().max_by_key(|(at, _, _)| *at) {
        Some((_, what, source)) => Known::Seen(Value::Text(what), Evidence::of(source)),
        None if estate.changes.iter().any(|c| of_registry(&c.resource)) => Known::Absent(a.by_text()),
        None => Known::NotCollected("activity-log"),
    }
}

/// Whether anything of the registry lies or runs on a node, so that pulls from it did work.
pub fn registry_worked(a: &Asked<'_>) -> K {
    let registry = a.pull.reference.as_ref().map(|r| r.host.clone()).unwrap_or_default();
    if let Some(event) = a.index.network_pulls(&registry).first().or(a.index.present(&registry).first()) {
        return yes_no(true, Evidence::of(&event.source));
    }
    let front = format!("{registry}/");
    let held = a.facts.nodes.iter().find(|n| n.images().iter().any(|i| i.starts_with(&front))).map(|n| &n.source);
    let runs = || a.facts.pods.iter().find(|p| p.started.iter().any(|i| i.starts_with(&front))).map(|p| &p.source);
    match held.or_else(runs) {
        Some(source) => yes_no(true, Evidence::of(source)),
        None => Known::NotCollected("image-list"),
    }
}

/// Whether the node itself has pulled another image of the same registry since it last tried this one, which it has not done
/// again yet: the bundle ends before the kubelet's longest wait is over.
pub fn registry_pulled_since_last_try(a: &Asked<'_>) -> K {
    let none = || yes_no(false, a.by_text());
    let (Some(node), Some(reference), Some(now)) = (a.node(), a.pull.reference.as_ref(), a.facts.about.now) else { return none() };
    let Some(tried) = a.pull.tries.iter().filter_map(|t| t.when.at).max() else { return none() };
    if now.duration_since(tried) > LONGEST_WAIT {
        return none();
    }
    let later = |e: &&&Event| e.node.as_deref() == Some(node) && e.last.at.is_some_and(|at| at > tried);
    match a.index.network_pulls(&reference.host).iter().find(later) {
        Some(event) => yes_no(true, Evidence::of(&event.source)),
        None => none(),
    }
}

/// The pods of one ReplicaSet differ in the last part of their names; a StatefulSet's keep theirs.
fn family(name: &str) -> Option<&str> {
    let (front, last) = name.rsplit_once('-')?;
    let is_random = last.len() == 5 && last.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit()) && front.contains('-');
    is_random.then_some(front)
}

/// The node on which the pod, or the one in whose place it was made, ran from the image before; null where none is known, or
/// where this node holds the image as well.
pub fn ran_on_other_node(a: &Asked<'_>) -> K {
    let holders = a.index.holders(&a.pull.image);
    if holders.iter().any(|(node, _)| Some(*node) == a.node()) {
        return Known::Absent(a.by_text());
    }
    let Some(began) = a.pull.first else { return Known::NotCollected("events") };
    for waiting in &a.pull.pods {
        let (namespace, name) = waiting.split_once('/').unwrap_or(("", waiting));
        let left = |e: &&Event| {
            let ended = matches!(e.reason.as_str(), "Killing" | "Evicted" | "TaintManagerEviction" | "Preempted");
            let replaced = ended && e.name != name && family(name).is_some() && family(&e.name) == family(name);
            let itself = e.name == name && (ended || e.reason == "Pulled");
            e.kind == "Pod" && e.namespace == namespace && (itself || replaced) && e.last.at.is_some_and(|at| at <= began)
        };
        for event in a.facts.events.iter().filter(left) {
            let held = event.node.as_deref().filter(|n| Some(*n) != a.node()).and_then(|n| holders.iter().find(|(h, _)| *h == n));
            if let Some((node, source)) = held {
                let sources = vec![event.source.clone(), (*source).clone()];
                return Known::Seen(Value::Text((*node).to_owned()), Evidence { sources, guessed: false });
            }
        }
    }
    Known::Absent(a.by_text())
}

/// The DaemonSet that sets up on other nodes what this stop lacks, and that is not meant for this node; null where none is.
pub fn left_out_by(a: &Asked<'_>) -> K {
    let Some(node) = a.node() else { return Known::NotCollected("nodes") };
    let concerns = |d: &&DaemonSet| match a.stop.stage {
        Some(Stage::Tls) => d.sets_up.contains(&"trust"),
        Some(Stage::Resolve | Stage::Connect) => d.sets_up.contains(&"hosts-file"),
        _ => d.sets_up.contains(&"registries"),
    };
    let pool = a.facts.pool_of(node);
    let leaves_out = |d: &&DaemonSet| d.pools.as_ref().is_some_and(|(wanted, _)| pool.is_some_and(|p| p != wanted));
    match a.facts.daemon_sets.iter().filter(concerns).find(leaves_out) {
        Some(set) => {
            let at = set.pools.as_ref().map_or(&set.source, |(_, at)| at);
            Known::Seen(Value::Text(set.name.clone()), Evidence::of(at))
        }
        None if a.facts.daemon_sets.is_empty() => Known::NotCollected("daemonsets"),
        None => Known::Absent(a.by_text()),
    }
}
