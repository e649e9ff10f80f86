//! What does the public DNS say of a name, beside what the node was told? Asked of resolvers that everybody knows.

use std::net::IpAddr;

use super::{Asked, Value, yes_no};
use crate::facts::{Evidence, Known, Owner};
use crate::{network, trust};

type K = Known<Value>;

/// Resolvers that serve the whole internet and nobody's private names.
const KNOWN: [&str; 10] = [
    "1.1.1.1",
    "1.0.0.1",
    "8.8.8.8",
    "8.8.4.4",
    "9.9.9.9",
    "149.112.112.112",
    "208.67.222.222",
    "208.67.220.220",
    "2606:4700:4700::1111",
    "2001:4860:4860::8888",
];

/// What those resolvers answered, from wherever they were asked but for a pod, whose look-ups other programs may answer.
fn answers(a: &Asked<'_>) -> Option<(Vec<IpAddr>, Evidence)> {
    let host = a.host()?;
    let known = |server: IpAddr| KNOWN.iter().any(|k| k.parse() == Ok(server));
    let lookups = a.facts.lookups.iter().filter(|l| l.owner != Owner::Pod && l.value.name == host && l.value.server.is_some_and(known));
    let found: Vec<_> = lookups.filter(|l| !l.value.addresses.is_empty()).collect();
    let first = found.first()?;
    Some((found.iter().flat_map(|l| l.value.addresses.iter().copied()).collect(), Evidence::of(&first.value.source)))
}

/// The addresses that they gave.
pub fn addresses(a: &Asked<'_>) -> K {
    match answers(a) {
        Some((found, evidence)) => Known::Seen(Value::List(found.iter().map(ToString::to_string).collect()), evidence),
        None => Known::NotCollected("dig-output"),
    }
}

/// Whether the address to which the node went cannot be one of the host's public ones. Hosts with many addresses give everybody
/// others, and a name that a company answers itself within its walls has a private one by right.
pub fn contradicts(a: &Asked<'_>) -> K {
    let (Some(address), Some(host)) = (a.address().seen().copied(), a.host()) else { return Known::NotCollected("dig-output") };
    let Some((found, evidence)) = answers(a) else { return Known::NotCollected("dig-output") };
    if found.contains(&address) {
        return yes_no(false, evidence);
    }
    let may_be_private = network::names::private_link_name(host).is_some() || ["amazonaws.com", "googleapis.com"].iter().any(|d| host.ends_with(d));
    let everybodys = trust::is_public_host(host) && !may_be_private;
    match (network::is_public(address), everybodys) {
        (false, true) => yes_no(true, evidence),
        // A host of a few addresses; another place may still be served by another one.
        (true, false) if found.len() == 1 && found.iter().all(|f| network::is_public(*f)) && !trust::is_public_host(host) => {
            yes_no(true, evidence.guessed(true))
        }
        _ => Known::NotCollected("dig-output"),
    }
}
