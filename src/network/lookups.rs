//! Which look-ups show what the node itself is told? Not those for which somebody chose another server.

use std::net::IpAddr;

use crate::facts::{Facts, Lookup, Of};

/// Look-ups made on `node` that went where its own questions go; `asked` is the resolver that an error of the node names. With
/// each, whether the join to the node is a guess.
pub fn own_lookups<'a>(facts: &'a Facts, node: Option<&'a str>, asked: Option<IpAddr>) -> impl Iterator<Item = (&'a Of<Lookup>, bool)> {
    let (servers, is_known) = nameservers(facts, node);
    Facts::of_node(&facts.lookups, node).filter(move |(lookup, _)| match lookup.value.server {
        Some(server) if servers.contains(&server) || asked == Some(server) => true,
        // A chosen server is the node's only where something says so.
        Some(_) | None if lookup.value.chosen => false,
        Some(server) => server.is_loopback() || !is_known,
        None => true,
    })
}

/// The servers that the node's files name, and whether these are all: behind a stub there are others.
fn nameservers(facts: &Facts, node: Option<&str>) -> (Vec<IpAddr>, bool) {
    let files: Vec<_> = Facts::of_node(&facts.resolvers, node).filter(|(_, guessed)| !guessed).collect();
    let servers: Vec<IpAddr> = files.iter().flat_map(|(f, _)| &f.value.nameservers).map(|(address, _)| *address).collect();
    let is_known = !servers.is_empty() && files.iter().all(|(f, _)| !f.value.is_stub());
    (servers, is_known)
}
