//! What does the registry's side say of its hosts, its network rules and its private endpoints?

use std::net::IpAddr;

use super::{Asked, Value, yes_no};
use crate::bundle::Source;
use crate::facts::registry::{EndpointAddress, PrivateEndpoint, Registry, Said};
use crate::facts::{Evidence, Known};
use crate::network;

type K = Known<Value>;

/// Everything that was collected of the registry that the image names.
pub(super) fn registries<'a>(a: &Asked<'a>) -> impl Iterator<Item = &'a Registry> {
    let host = a.pull.reference.as_ref().map(|r| r.bare_host().to_owned()).unwrap_or_default();
    // A registry with a hash in its host's name has another short name; one artefact tells both.
    let name = a.facts.estate.registries.iter().find(|r| r.login_server.as_ref().is_some_and(|(l, _)| *l == host)).map(|r| r.name.clone());
    let name = name.or_else(|| cloud_name(&host)).unwrap_or_default();
    a.facts.estate.registries.iter().filter(move |r| !name.is_empty() && r.name == name || r.login_server.as_ref().is_some_and(|(l, _)| *l == host))
}

/// The short name of a registry of the cloud whose names are unique: the first label of its host.
pub(super) fn cloud_name(host: &str) -> Option<String> {
    let (name, rest) = host.split_once('.')?;
    rest.split('.').next().is_some_and(|label| label == "azurecr" || rest.contains("azurecr.")).then(|| name.to_owned())
}

/// The login server of the registry that the host's first label names, where that is another host: its name carries a hash.
pub(super) fn other_login_server<'a>(a: &Asked<'a>) -> Option<&'a Said<String>> {
    let host = a.pull.reference.as_ref().map(|r| r.bare_host().to_owned())?;
    let label = cloud_name(&host)?;
    // A registry's own name has no dash: what follows one is a hash.
    let name = label.split('-').next().unwrap_or(&label);
    let mut known = a.facts.estate.registries.iter().filter(|r| r.name == name).filter_map(|r| r.login_server.as_ref());
    let first = known.next()?;
    (first.0 != host && known.all(|(other, _)| *other != host)).then_some(first)
}

/// The same, as a rule names it: the host that the registry of this name has.
pub fn login_server(a: &Asked<'_>) -> K {
    if let Some((host, source)) = other_login_server(a) {
        return Known::Seen(Value::Text(host.clone()), Evidence::of(source));
    }
    match told(a, |r| r.login_server.as_ref()) {
        Some((host, source)) => Known::Seen(Value::Text(host.clone()), Evidence::of(source)),
        None => Known::NotCollected("registry-config"),
    }
}

/// The first artefact that tells a part of the registry.
fn told<'a, T: Clone>(a: &Asked<'a>, part: impl Fn(&'a Registry) -> Option<&'a Said<T>>) -> Option<&'a Said<T>> {
    registries(a).find_map(part)
}

fn flag<'a>(a: &Asked<'a>, part: impl Fn(&'a Registry) -> Option<&'a Said<bool>>) -> K {
    match told(a, part) {
        Some((value, source)) => yes_no(*value, Evidence::of(source)),
        None => Known::NotCollected("registry-config"),
    }
}

/// The hosts from which the registry's layers come, each with its line.
pub(super) fn data_hosts(a: &Asked<'_>) -> Vec<(String, Source)> {
    let mut out: Vec<(String, Source)> = registries(a).flat_map(|r| r.data_hosts.iter().cloned()).collect();
    out.sort();
    out.dedup_by(|one, other| one.0 == other.0);
    out
}

/// Every host that a pull from the registry needs.
pub fn hosts(a: &Asked<'_>) -> K {
    let mut sources = Vec::new();
    let mut list: Vec<String> = Vec::new();
    for (host, source) in registries(a).filter_map(|r| r.login_server.clone()).chain(data_hosts(a)) {
        if !list.contains(&host) {
            list.push(host);
            sources.push(source);
        }
    }
    if list.is_empty() { Known::NotCollected("registry-config") } else { Known::Seen(Value::List(list), Evidence { sources, guessed: false }) }
}

/// Whether its public access is on.
pub fn public_access(a: &Asked<'_>) -> K {
    flag(a, |r| r.public_access.as_ref())
}

/// Whether it honours AcrPull.
pub fn honours_acrpull(a: &Asked<'_>) -> K {
    match flag(a, |r| r.by_repository.as_ref()) {
        Known::Seen(Value::Bool(by_repository), evidence) => yes_no(!by_repository, evidence),
        other => other,
    }
}

/// Whether it lets anonymous callers pull.
pub fn anonymous_pull(a: &Asked<'_>) -> K {
    flag(a, |r| r.anonymous_pull.as_ref())
}

/// Whether its network rules let the address in from which the node came.
pub fn allows_client(a: &Asked<'_>) -> K {
    let public = told(a, |r| r.public_access.as_ref());
    if let Some((false, source)) = public {
        return yes_no(false, Evidence::of(source));
    }
    let Some((default, source)) = told(a, |r| r.default_allows.as_ref()) else { return Known::NotCollected("registry-config") };
    if *default {
        return yes_no(true, Evidence::of(source));
    }
    let Some(client) = a.attempt().client_address.as_deref().and_then(|c| c.parse::<IpAddr>().ok()) else { return Known::NotCollected("egress-address") };
    let Some(rules) = registries(a).find_map(|r| r.allowed.as_ref()) else { return Known::NotCollected("registry-config") };
    let covers = |range: &str| match range.parse::<ipnet::IpNet>() {
        Ok(net) => net.contains(&client),
        Err(_) => range.parse::<IpAddr>() == Ok(client),
    };
    match rules.iter().find(|(range, _)| covers(range)) {
        Some((_, rule)) => yes_no(true, Evidence::of(rule)),
        None => {
            let sources = std::iter::once(source).chain(rules.iter().map(|(_, rule)| rule)).take(4).cloned().collect();
            yes_no(false, Evidence { sources, guessed: false })
        }
    }
}

/// Whether its network rules let the node's subnet in, or let everybody in.
pub fn allows_subnet(a: &Asked<'_>) -> K {
    let Some((default, source)) = told(a, |r| r.default_allows.as_ref()) else { return Known::NotCollected("registry-config") };
    if *default {
        return yes_no(true, Evidence::of(source));
    }
    let Some(rules) = registries(a).find_map(|r| r.allowed_subnets.as_ref()) else { return Known::NotCollected("registry-config") };
    let home = a.home();
    let Some(subnet) = &home.subnet else { return Known::NotCollected("vnet") };
    let mut sources: Vec<Source> = match rules.iter().find(|(key, _)| key == subnet) {
        Some((_, rule)) => return yes_no(true, Evidence::of(rule)),
        None => std::iter::once(source).chain(rules.iter().map(|(_, rule)| rule)).take(4).cloned().collect(),
    };
    sources.extend(home.sources.iter().map(|s| (*s).clone()));
    yes_no(false, Evidence { sources, guessed: home.guessed })
}

/// Whether the node's subnet reaches the registry's service as itself, without an address of the internet.
pub fn by_service_endpoint(a: &Asked<'_>) -> K {
    let home = a.home();
    match home.subnet_of(a.facts).map(|s| &s.service_endpoints) {
        Some(Known::Seen(services, evidence)) => yes_no(services.iter().any(|s| s == "microsoft.containerregistry"), evidence.clone().guessed(home.guessed)),
        Some(Known::Absent(evidence)) => yes_no(false, evidence.clone().guessed(home.guessed)),
        _ => Known::NotCollected("vnet"),
    }
}

/// Whether the rules in the bundle let in the very address that was refused: they are of another hour.
pub fn lists_client(a: &Asked<'_>) -> K {
    let is_range = registries(a).any(|r| r.default_allows.as_ref().is_some_and(|(allows, _)| !allows));
    match allows_client(a) {
        Known::Seen(Value::Bool(true), evidence) if is_range && a.attempt().client_address.is_some() => yes_no(true, evidence),
        _ => yes_no(false, a.by_text()),
    }
}

/// Addresses that private endpoints hold for a host of the registry.
fn addresses<'a>(a: &Asked<'a>) -> Vec<&'a EndpointAddress> {
    let host = a.host().unwrap_or("").to_owned();
    a.facts.estate.endpoint_addresses.iter().filter(|e| e.host == host).collect()
}

/// The line of the address that a private endpoint holds for the host.
pub(super) fn endpoint_address(a: &Asked<'_>) -> Option<Source> {
    addresses(a).first().map(|e| e.source.clone())
}

/// Private endpoints that lead to the registry.
fn endpoints<'a>(a: &Asked<'a>) -> Vec<&'a PrivateEndpoint> {
    let ids: Vec<&str> = registries(a).filter_map(|r| r.id.as_deref()).collect();
    let name = a.pull.reference.as_ref().and_then(|r| cloud_name(r.bare_host()));
    let of_name = |target: &str| name.as_ref().is_some_and(|n| target.rsplit_once("/registries/").is_some_and(|(_, t)| t == n));
    a.facts.estate.endpoints.iter().filter(|e| e.target.as_deref().is_some_and(|t| ids.contains(&t) || of_name(t))).collect()
}

/// The keys of those endpoints.
pub(super) fn endpoint_ids<'a>(a: &Asked<'a>) -> Vec<&'a str> {
    endpoints(a).into_iter().map(|e| e.id.as_str()).collect()
}

/// Whether the registry that the image names has this short name.
pub(super) fn is_named(a: &Asked<'_>, name: &str) -> bool {
    registries(a).any(|r| r.name == name) || a.pull.reference.as_ref().and_then(|r| cloud_name(r.bare_host())).as_deref() == Some(name)
}

/// Whether the registry has a private endpoint.
pub fn endpoint_exists(a: &Asked<'_>) -> K {
    if let Some(connection) = registries(a).filter_map(|r| r.connections.as_ref()).flatten().next() {
        return yes_no(true, Evidence::of(&connection.source));
    }
    // The registry itself lists its connections; an endpoint beside an empty list is of another hour.
    let none = registries(a).any(|r| r.connections.as_ref().is_some_and(Vec::is_empty));
    if none && (!addresses(a).is_empty() || !endpoints(a).is_empty()) {
        return Known::NotCollected("private-endpoints");
    }
    if let Some(address) = addresses(a).first() {
        return yes_no(true, Evidence::of(&address.source));
    }
    if let Some(endpoint) = endpoints(a).first() {
        return yes_no(true, Evidence::of(&endpoint.source));
    }
    // The registry itself lists its connections, those of foreign subscriptions with them.
    match registries(a).find(|r| r.connections.as_ref().is_some_and(Vec::is_empty)).and_then(|r| r.source.as_ref()) {
        Some(source) => yes_no(false, Evidence::of(source)),
        None => Known::NotCollected("private-endpoints"),
    }
}

/// Whether the private endpoint's connection is approved: of the endpoint whose address was dialled, else of all of them.
pub fn endpoint_is_approved(a: &Asked<'_>) -> K {
    let dialled = a.address().seen().copied();
    let by_address = addresses(a).into_iter().find(|e| Some(e.address) == dialled).and_then(|e| e.endpoint.clone());
    let meant = |id: &str| by_address.as_ref().is_none_or(|wanted| wanted == id);
    let own = endpoints(a).into_iter().filter(|e| meant(&e.id)).filter_map(|e| e.state.as_ref()).map(|(state, source)| (state.as_str(), source));
    let listed = registries(a).filter_map(|r| r.connections.as_ref()).flatten().filter(|c| meant(&c.endpoint)).map(|c| (c.state.as_str(), &c.source));
    let states: Vec<(&str, &Source)> = own.chain(listed).collect();
    let approved = |state: &str| state.eq_ignore_ascii_case("Approved");
    let evidence = |wanted: bool| Evidence {
        sources: states.iter().filter(|(s, _)| approved(s) == wanted).map(|(_, source)| (*source).clone()).collect(),
        guessed: false,
    };
    match (states.iter().any(|(s, _)| approved(s)), states.iter().any(|(s, _)| !approved(s))) {
        (true, false) => yes_no(true, evidence(true)),
        (false, true) => yes_no(false, evidence(false)),
        // One of several is not approved, and nothing tells which the node uses.
        _ => Known::NotCollected("private-endpoints"),
    }
}

/// Whether the registry has a private endpoint that is in use.
pub(super) fn is_private_by_design(a: &Asked<'_>) -> bool {
    let yes = |known: K| matches!(known, Known::Seen(Value::Bool(true), _));
    yes(endpoint_exists(a)) && yes(endpoint_is_approved(a))
}

/// Whether the address that the node went to is one of the registry's private endpoints.
pub fn record_is_endpoints(a: &Asked<'_>) -> K {
    let (address, guessed) = match (a.address(), super::dialled::presumed(a)) {
        (Known::Seen(address, _), _) => (address, false),
        (Known::NotCollected(_), Some((super::dialled::Presumed::Address(address), _))) => (address, true),
        (Known::Absent(evidence), _) => return Known::Absent(evidence),
        (Known::NotCollected(artefact), _) => return Known::NotCollected(artefact),
    };
    let known = addresses(a);
    if let Some(own) = known.iter().find(|e| e.address == address) {
        return yes_no(true, Evidence::of(&own.source).guessed(guessed));
    }
    // The node went elsewhere than the record leads: then the record is not what it asked, or is another since.
    if let Known::Seen(Value::List(record), evidence) = super::zones::record_addresses(a)
        && !record.contains(&address.to_string())
    {
        let right = known.iter().any(|e| record.contains(&e.address.to_string()));
        return if right { yes_no(true, evidence) } else { Known::NotCollected("dig-output") };
    }
    if a.host().is_some_and(|host| super::resolve::hosts_entry(a, host).is_some_and(|(e, _)| e.address == address)) {
        return Known::NotCollected("private-dns-records");
    }
    if known.is_empty() {
        return Known::NotCollected("private-endpoints");
    }
    // Each connection of the registry must have shown its addresses, else the address may be another endpoint's.
    let shown: std::collections::BTreeSet<&str> = known.iter().filter_map(|e| e.endpoint.as_deref()).collect();
    let in_use = |state: &str| !["rejected", "disconnected"].contains(&state.to_ascii_lowercase().as_str());
    let all = registries(a).find_map(|r| r.connections.as_ref()).map(|all| all.iter().filter(|c| in_use(&c.state)).count());
    let dumped = endpoints(a).iter().map(|e| e.id.as_str()).collect::<std::collections::BTreeSet<_>>().len();
    let whole = all.is_some_and(|count| count <= shown.len().max(1));
    if all.unwrap_or(0).max(dumped) > shown.len().max(1) {
        return Known::NotCollected("private-endpoints");
    }
    let mut sources: Vec<Source> = known.iter().map(|e| e.source.clone()).collect();
    if let Known::Seen(_, record) = super::zones::record_addresses(a) {
        sources.extend(record.sources);
    }
    yes_no(false, Evidence { sources, guessed: guessed || !whole })
}

/// Whether two private endpoints of the registry hold addresses for the host, and the node went to the one outside its network.
pub fn endpoint_is_anothers(a: &Asked<'_>) -> K {
    // Endpoints write records of their own under the cloud's names alone.
    if addresses(a).is_empty() && a.host().is_some_and(|h| network::names::private_link_name(h).is_none()) {
        return yes_no(false, a.by_text());
    }
    let Known::Seen(address, _) = a.address() else { return Known::NotCollected("private-endpoints") };
    let known = addresses(a);
    let Some(used) = known.iter().find(|e| e.address == address) else { return Known::NotCollected("private-endpoints") };
    let Known::Seen(home, _) = super::servers::node_network(a) else { return Known::NotCollected("vnet") };
    let network_of = |e: &EndpointAddress| {
        let own = e.endpoint.as_ref().and_then(|id| a.facts.estate.endpoints.iter().find(|p| p.id == *id)?.subnet.clone());
        own.map(|s| s.split("/subnets/").next().unwrap_or("").to_owned())
            .or_else(|| network::network_of_address(a.facts, Some(&home), e.address).map(|(n, _)| n.key.clone()))
    };
    // One endpoint with two addresses is told by two dumps of different hours.
    let is_same = |e: &EndpointAddress| e.endpoint.is_some() && e.endpoint == used.endpoint;
    let Some(other) = known.iter().find(|e| e.address != address && !is_same(e) && network_of(e).as_deref() == Some(&home)) else {
        // One endpoint in all is nobody else's.
        let only = registries(a).find_map(|r| r.connections.as_ref()).is_some_and(|c| c.len() == 1) || network_of(used).as_deref() == Some(&home);
        return if only { yes_no(false, Evidence::of(&used.source)) } else { Known::NotCollected("private-endpoints") };
    };
    let outside = network_of(used).is_some_and(|n| n != home);
    yes_no(outside, Evidence { sources: vec![used.source.clone(), other.source.clone()], guessed: false })
}
