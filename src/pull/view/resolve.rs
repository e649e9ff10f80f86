//! What do the node's own files say of a name? Its hosts file, its resolvers, look-ups made on it.

use std::net::IpAddr;

use super::{Asked, Value, yes_no};
use crate::facts::{Evidence, Facts, HostEntry, Known, Lookup, Of, Owner};
use crate::network;

type K = Known<Value>;

/// The entry of the node's hosts file for `host`, and whether the file's join is a guess.
pub(super) fn hosts_entry<'a>(a: &Asked<'a>, host: &str) -> Option<(&'a HostEntry, bool)> {
    Facts::of_node(&a.facts.hosts_files, a.node())
        .find_map(|(file, guessed)| file.value.iter().find(|e| e.names.iter().any(|n| n == host)).map(|e| (e, guessed)))
}

/// Look-ups on the node that went to its own resolver.
pub(super) fn own_lookups<'a>(a: &Asked<'a>) -> impl Iterator<Item = (&'a Of<Lookup>, bool)> {
    network::own_lookups(a.facts, a.node(), a.stop.resolver)
}

/// The address that a look-up on the node gave.
pub(super) fn answer(a: &Asked<'_>, host: &str) -> Option<(IpAddr, Evidence)> {
    own_lookups(a)
        .filter(|(l, _)| l.value.name == host)
        .find_map(|(l, guessed)| l.value.addresses.first().map(|address| (*address, Evidence::of(&l.source).guessed(guessed))))
}

/// The address to which the node's hosts file pins the host.
pub fn hosts_file_address(a: &Asked<'_>) -> K {
    let host = a.host().unwrap_or("");
    match hosts_entry(a, host) {
        Some((entry, guessed)) => Known::Seen(Value::Text(entry.address.to_string()), Evidence::of(&entry.source).guessed(guessed)),
        None => match Facts::of_node(&a.facts.hosts_files, a.node()).next() {
            Some((file, guessed)) => Known::Absent(Evidence::of(&file.source).guessed(guessed)),
            None => Known::NotCollected("node-hosts-file"),
        },
    }
}

/// Whether another node's hosts file has an entry for the host.
pub fn other_nodes_pin_host(a: &Asked<'_>) -> K {
    let host = a.host().unwrap_or("");
    let others = a.facts.hosts_files.iter().filter(|f| matches!(&f.owner, Owner::Node { name, .. } if Some(name.as_str()) != a.node()));
    let mut seen = None;
    for file in others {
        if let Some(entry) = file.value.iter().find(|e| e.names.iter().any(|n| n == host)) {
            return yes_no(true, Evidence::of(&entry.source));
        }
        seen = seen.or(Some(&file.source));
    }
    match seen {
        Some(source) => yes_no(false, Evidence::of(source)),
        None => Known::NotCollected("node-hosts-file"),
    }
}

/// Whether the registry is seen at the address to which the node's hosts file pins the host: a request made on the node got an
/// answer there, or another node with the same entry pulled over the network since the failure began.
pub fn pinned_address_works(a: &Asked<'_>) -> K {
    let host = a.host().unwrap_or("");
    let Some((entry, _)) = hosts_entry(a, host) else { return yes_no(false, a.by_text()) };
    let there = |r: &crate::facts::Request| r.host == host && r.address.is_none_or(|x| x == entry.address) && r.status.is_some();
    if let Some((request, guessed)) = Facts::of_node(&a.facts.requests, a.node()).find(|(r, _)| there(&r.value)) {
        return yes_no(true, Evidence::of(&request.value.source).guessed(guessed));
    }
    let pinned = |node: &str| {
        let mut files = Facts::of_node(&a.facts.hosts_files, Some(node)).filter(|(_, guessed)| !guessed);
        files.any(|(f, _)| f.value.iter().any(|e| e.address == entry.address && e.names.iter().any(|n| n == host)))
    };
    let registry = a.pull.reference.as_ref().map(|r| r.host.clone()).unwrap_or_default();
    let since = |at: Option<jiff::Timestamp>| at.is_some() && at >= a.pull.first;
    let mut pulls = a.index.network_pulls(&registry).iter();
    match pulls.find(|e| since(e.last.at) && e.node.as_deref().is_some_and(|n| Some(n) != a.node() && pinned(n))) {
        Some(event) => yes_no(true, Evidence::of(&event.source)),
        None => yes_no(false, a.by_text()),
    }
}

/// The resolver that the node asked: the text's, else the first of its resolv.conf.
pub(super) fn resolver(a: &Asked<'_>) -> Known<IpAddr> {
    if let Some(resolver) = a.stop.resolver {
        return Known::Seen(resolver, a.by_text());
    }
    match Facts::of_node(&a.facts.resolvers, a.node()).find_map(|(r, guessed)| r.value.nameservers.first().map(|(address, source)| (*address, source, guessed)))
    {
        Some((address, source, guessed)) => Known::Seen(address, Evidence::of(source).guessed(guessed)),
        None => Known::NotCollected("node-resolv-conf"),
    }
}

/// The resolver's address.
pub fn resolver_address(a: &Asked<'_>) -> K {
    resolver(a).map(|r| Value::Text(r.to_string()))
}

/// Whether it is a public one.
pub fn resolver_is_public(a: &Asked<'_>) -> K {
    resolver(a).map(|r| Value::Bool(network::is_public(r)))
}

/// Whether it is on the node itself.
pub fn resolver_is_loopback(a: &Asked<'_>) -> K {
    resolver(a).map(|r| Value::Bool(r.is_loopback()))
}

/// The nameservers of the node's resolv.conf. A stub hides the real ones.
pub fn nameservers(a: &Asked<'_>) -> K {
    let files: Vec<_> = Facts::of_node(&a.facts.resolvers, a.node()).collect();
    match files.iter().find(|(r, _)| !r.value.is_stub()).or_else(|| files.first()) {
        Some((r, guessed)) if !r.value.is_stub() => {
            let list = r.value.nameservers.iter().map(|(address, _)| address.to_string()).collect();
            let mut sources: Vec<_> = r.value.nameservers.iter().map(|(_, s)| s.clone()).collect();
            if sources.is_empty() {
                sources.push(r.source.clone());
            }
            Known::Seen(Value::List(list), Evidence { sources, guessed: *guessed })
        }
        _ => Known::NotCollected("node-resolv-conf"),
    }
}

/// Whether the node's resolv.conf names any nameserver, be it only a stub on the node itself.
pub fn names_nameserver(a: &Asked<'_>) -> K {
    match Facts::of_node(&a.facts.resolvers, a.node()).max_by_key(|(r, _)| r.value.nameservers.len()) {
        Some((r, guessed)) => {
            let source = r.value.nameservers.first().map_or(&r.source, |(_, s)| s);
            yes_no(!r.value.nameservers.is_empty(), Evidence::of(source).guessed(guessed))
        }
        None => Known::NotCollected("node-resolv-conf"),
    }
}

/// How a look-up on the node ended.
pub fn lookup_status(a: &Asked<'_>) -> K {
    let host = a.host().unwrap_or("");
    match own_lookups(a).find(|(l, _)| l.value.name == host) {
        Some((l, guessed)) => Known::Seen(Value::Text(l.value.status.clone()), Evidence::of(&l.source).guessed(guessed)),
        None => Known::NotCollected("dig-output"),
    }
}

/// Whether a look-up that the bundle holds of the node gave an address: a look-up that nobody made refutes nothing.
pub fn lookup_gave_address(a: &Asked<'_>) -> K {
    match lookup_addresses(a) {
        Known::Seen(Value::List(found), evidence) => yes_no(!found.is_empty(), evidence),
        _ => yes_no(false, a.by_text()),
    }
}

/// The addresses that look-ups on the node gave.
pub fn lookup_addresses(a: &Asked<'_>) -> K {
    let host = a.host().unwrap_or("");
    let of_host: Vec<_> = own_lookups(a).filter(|(l, _)| l.value.name == host && l.value.status == "NOERROR").collect();
    let Some((first, guessed)) = of_host.iter().find(|(l, _)| !l.value.addresses.is_empty()).or_else(|| of_host.first()) else {
        return Known::NotCollected("dig-output");
    };
    let list = of_host.iter().flat_map(|(l, _)| l.value.addresses.iter().map(ToString::to_string)).collect();
    Known::Seen(Value::List(list), Evidence::of(&first.source).guessed(*guessed))
}

/// Whether the name is known to be private: look-ups, hosts files or dials elsewhere in the bundle gave a private address.
pub fn name_is_private(a: &Asked<'_>) -> K {
    let host = a.host().unwrap_or("");
    let pinned =
        a.facts.hosts_files.iter().flat_map(|f| &f.value).find(|e| e.names.iter().any(|n| n == host) && network::is_private(e.address)).map(|e| &e.source);
    // What a pod or somebody's machine was told is no node's answer.
    let of_nodes = || a.facts.lookups.iter().filter(|l| l.value.name == host && !matches!(l.owner, Owner::Pod | Owner::Operator));
    let looked_up = of_nodes().find(|l| l.value.addresses.iter().any(|x| network::is_private(*x))).map(|l| &l.source);
    // The public name of a service with a private endpoint leads over a name of the private link.
    let linked = of_nodes().find(|l| l.value.aliases.iter().any(|n| n.contains(".privatelink."))).map(|l| &l.source);
    let dialled = a
        .pulls
        .iter()
        .flat_map(|p| &p.tries)
        .find(|t| t.attempt.host.as_deref() == Some(host) && t.attempt.address.is_some_and(network::is_private))
        .and_then(|t| t.sources.first());
    if let Some(source) = pinned.or(looked_up).or(linked).or(dialled) {
        return yes_no(true, Evidence::of(source));
    }
    if let Some(source) = super::zones::private_record(a) {
        return yes_no(true, Evidence::of(&source));
    }
    let public = of_nodes().find(|l| l.value.addresses.iter().any(|x| network::is_public(*x)));
    match public {
        Some(l) => yes_no(false, Evidence::of(&l.source)),
        None => Known::NotCollected("private-dns-zones"),
    }
}
