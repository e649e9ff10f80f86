//! Did the nodes do what a dump says they cannot? Dumps are of another hour than failures: where both differ, neither decides.

use std::net::IpAddr;

use super::{Asked, estate, servers};
use crate::bundle::Source;
use crate::facts::{Event, Facts, Lookup, Owner};
use crate::network;

/// Whether a node asks for names as the failing one does: itself, or another of its pool. A pin in its hosts file asks nobody.
fn resolves_alike(a: &Asked<'_>, node: &str, host: &str) -> bool {
    let of_pool = || a.pull.pool.is_some() && a.facts.nodes.iter().any(|n| n.name == node && n.pool == a.pull.pool);
    (a.node() == Some(node) || of_pool() && !asks_others(a, node)) && !is_pinned(a.facts, node, host)
}

/// Whether both nodes' nameservers are known and differ: one of them took over its network's before they were changed.
fn asks_others(a: &Asked<'_>, node: &str) -> bool {
    let of = |node: Option<&str>| {
        let files = Facts::of_node(&a.facts.resolvers, node).filter(|(r, guessed)| !guessed && !r.value.is_stub());
        files.map(|(r, _)| r.value.nameservers.iter().map(|(x, _)| *x).collect::<std::collections::BTreeSet<_>>()).next()
    };
    of(a.node()).zip(of(Some(node))).is_some_and(|(own, other)| own != other)
}

fn is_pinned(facts: &Facts, node: &str, host: &str) -> bool {
    Facts::of_node(&facts.hosts_files, Some(node)).any(|(file, _)| file.value.iter().any(|e| e.names.iter().any(|n| n == host)))
}

/// Pulls over the network from the registry that ended after this one had begun to fail, on nodes that count.
fn pulled_meanwhile<'a>(a: &Asked<'a>, counts: impl Fn(&str) -> bool) -> Option<&'a Event> {
    let registry = a.pull.reference.as_ref()?.host.clone();
    // Ages without the hour in which they were printed tell what came before all that failed.
    let behind = |e: &Event| a.pull.tries.iter().filter_map(|t| t.when.is_after(&e.last)).collect::<Vec<_>>();
    let earlier = |e: &Event| !behind(e).is_empty() && behind(e).iter().all(|after| *after);
    let meanwhile = |e: &&&Event| a.pull.first.zip(e.last.at).map_or_else(|| !earlier(e), |(failing, pulled)| pulled >= failing);
    let mut events = a.index.network_pulls(&registry).iter().filter(meanwhile);
    events.find(|e| e.node.as_deref().is_some_and(&counts)).copied()
}

/// A line that shows that the nodes' resolver gives a private address for the host.
pub(super) fn private_answer(a: &Asked<'_>, host: &str) -> Option<Source> {
    let asked = servers::upstream(a);
    let by_resolver = |l: &Lookup| match l.server {
        None => !l.chosen,
        Some(server) => server.is_loopback() || a.stop.resolver == Some(server) || asked.seen().is_some_and(|s| s.contains(&server)),
    };
    let of_nodes = |owner: &Owner| matches!(owner, Owner::Node { name, .. } if resolves_alike(a, name, host));
    let mut lookups = a.facts.lookups.iter().filter(|l| l.value.name == host && of_nodes(&l.owner) && by_resolver(&l.value));
    if let Some(lookup) = lookups.find(|l| l.value.addresses.iter().any(|x| network::is_private(*x))) {
        return Some(lookup.value.source.clone());
    }
    let meanwhile = |p: &&super::super::Pull| a.pull.first.zip(p.last).is_none_or(|(failing, dialled)| dialled >= failing);
    let others = a.pulls.iter().filter(|p| !std::ptr::eq(*p, a.pull) && p.node.as_deref().is_some_and(|n| resolves_alike(a, n, host)));
    let mut tries = others.filter(meanwhile).flat_map(|p| &p.tries);
    let dialled = tries.find(|t| t.attempt.host.as_deref() == Some(host) && t.attempt.address.is_some_and(network::is_private));
    dialled.and_then(|t| t.sources.first().cloned()).or_else(|| pulled_meanwhile(a, |n| resolves_alike(a, n, host)).map(|e| e.source.clone()))
}

/// A pull that a node of the same identity made meanwhile. Nodes of one cluster have one; a pod's own pull secret is another.
pub(super) fn identity_pulled(a: &Asked<'_>) -> Option<Source> {
    let one_cluster = a.facts.estate.clusters.iter().all(|c| a.facts.estate.clusters.first().is_some_and(|first| first.id == c.id));
    let of_pool = |node: &str| a.facts.nodes.iter().any(|n| n.name == node && n.pool.is_some() && n.pool == a.pull.pool);
    let event = pulled_meanwhile(a, |node| one_cluster || a.node() == Some(node) || of_pool(node))?;
    let pod = a.index.pod(&format!("{}/{}", event.namespace, event.name));
    let with_secret = pod.is_some_and(|p| p.pull_secrets.seen().is_some_and(|s| !s.is_empty()));
    (!with_secret).then(|| event.source.clone())
}

/// Whether the host is one that the registry of this name does not have: its login server carries a hash.
pub(super) fn is_no_login_server(a: &Asked<'_>, host: &str) -> bool {
    estate::other_login_server(a).is_some() && a.pull.reference.as_ref().is_some_and(|r| r.bare_host() == host)
}

/// The node came over the public side: whoever comes through a private endpoint is not refused for a public address.
pub(super) fn came_publicly(a: &Asked<'_>) -> bool {
    a.attempt().client_address.as_deref().and_then(|c| c.parse::<IpAddr>().ok()).is_some_and(network::is_public)
}
