//! In which network does an address lie? Ranges of strangers overlap: an interface or a private endpoint that has the address tells
//! it, else a range of a network that the node's own is joined to.

use std::collections::BTreeSet;
use std::net::IpAddr;

use crate::bundle::Source;
use crate::facts::Facts;
use crate::facts::network::Network;

/// The network in which an address lies, as a node in the network `own` would reach it; nothing where several claim it.
pub fn network_of_address<'f>(facts: &'f Facts, own: Option<&str>, address: IpAddr) -> Option<(&'f Network, &'f Source)> {
    let network = facts.networks.network(key_of_address(facts, own, address)?)?;
    Some((network, range_of(network, address).unwrap_or(&network.source)))
}

/// The same, by its key: the network itself need not have been collected.
pub(super) fn key_of_address<'f>(facts: &'f Facts, own: Option<&str>, address: IpAddr) -> Option<&'f str> {
    let holders = holders(facts, address);
    if !holders.is_empty() {
        return choose(facts, own, &holders);
    }
    let keys: BTreeSet<&str> = facts.networks.networks.iter().filter(|n| range_of(n, address).is_some()).map(|n| n.key.as_str()).collect();
    let key = choose(facts, own, &keys)?;
    // Without a peering or tunnel to it, a network that uses the range as well is a stranger's. Either side may tell its peerings.
    let told = |key: &str| facts.networks.peerings_told.contains_key(key);
    let joined = || own == Some(key) || own.is_some_and(|own| reach(facts, own).contains(key));
    let strange = own.is_some_and(told) || told(key) && reach(facts, key).is_empty();
    (!strange || joined()).then_some(key)
}

/// Whether a network uses the address's range, though nothing says that the address is meant to lie there.
pub fn is_claimed(facts: &Facts, address: IpAddr) -> bool {
    facts.networks.networks.iter().any(|n| range_of(n, address).is_some())
}

fn range_of(network: &Network, address: IpAddr) -> Option<&Source> {
    network.prefixes.iter().find(|(p, _)| p.contains(&address)).map(|(_, source)| source)
}

/// Networks in which an interface or a private endpoint has the address.
fn holders(facts: &Facts, address: IpAddr) -> BTreeSet<&str> {
    let interfaces = facts.networks.interfaces.iter().filter(|i| i.addresses.iter().any(|(a, _)| *a == address));
    let of_endpoint = facts.estate.endpoint_addresses.iter().filter(|e| e.address == address).filter_map(|e| e.endpoint.as_ref());
    let subnets = of_endpoint.filter_map(|id| facts.estate.endpoints.iter().find(|e| e.id == *id)?.subnet.as_deref());
    interfaces.filter_map(|i| i.network.as_deref()).chain(subnets.filter_map(|s| s.split("/subnets/").next())).collect()
}

/// The one that the node would reach: its own, else the only one that is joined to it, else the only one.
fn choose<'k>(facts: &Facts, own: Option<&str>, keys: &BTreeSet<&'k str>) -> Option<&'k str> {
    if let Some(own) = own {
        if let Some(key) = keys.get(own) {
            return Some(key);
        }
        let joined = reach(facts, own);
        let mut within = keys.iter().filter(|k| joined.contains(**k));
        if let Some(first) = within.next() {
            return within.next().is_none().then_some(first);
        }
    }
    keys.first().copied().filter(|_| keys.len() == 1)
}

/// Networks that peerings and tunnels join to a network, over a few others at most, whether the joints hold or not.
fn reach<'f>(facts: &'f Facts, own: &str) -> BTreeSet<&'f str> {
    let networks = &facts.networks;
    let place = |gateway: Option<&String>| networks.gateways.iter().find(|g| Some(&g.key) == gateway)?.network.as_deref();
    let tunnels = networks.tunnels.iter().filter_map(|t| Some((place(t.gateway.as_ref())?, place(t.far_end.as_ref())?)));
    let joints: Vec<(&str, &str)> = networks.peerings.iter().map(|p| (p.network.as_str(), p.remote.as_str())).chain(tunnels).collect();
    let mut found: BTreeSet<&str> = BTreeSet::new();
    for _ in 0..3 {
        let known = |key: &str| key == own || found.contains(key);
        let next: Vec<&str> = joints.iter().flat_map(|(a, b)| [known(a).then_some(*b), known(b).then_some(*a)]).flatten().collect();
        found.extend(next);
    }
    found
}
