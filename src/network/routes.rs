//! Which effective route wins for an address, collected or computed from how the networks are set?

use std::net::IpAddr;

use ipnet::IpNet;

use super::home::{Home, tables};
use super::hub::hubs;
use crate::bundle::Source;
use crate::facts::network::Peering;
use crate::facts::{EffectiveRoute, Evidence, Facts, Known};

/// The effective route that wins for `address`. Only active rows count. Where the network itself, a peering or a service
/// endpoint covers it, no learned route takes it away, however long. Then the longest prefix wins, and at equal length a
/// user's route over a learned one over the default. Several rows of one prefix and origin share the traffic; the first stands
/// for them.
pub fn winning_route(routes: &[EffectiveRoute], address: IpAddr) -> Option<&EffectiveRoute> {
    let covering = || routes.iter().filter(|r| r.active && r.prefix.contains(&address));
    let of_the_network = covering().any(is_of_the_network);
    let candidates = covering().filter(|r| !of_the_network || rank(&r.origin) != 1);
    // Of equals the last is taken by `max_by_key`, hence from behind.
    candidates.collect::<Vec<_>>().into_iter().rev().max_by_key(|r| (r.prefix.prefix_len(), rank(&r.origin)))
}

/// Whether a row is the platform's own for the network, for one that it is joined to, or for a service within reach of both.
fn is_of_the_network(route: &EffectiveRoute) -> bool {
    const KINDS: [&str; 6] = ["vnetlocal", "vnetpeering", "vnetglobalpeering", "globalvnetpeering", "virtualnetworkserviceendpoint", "connectedgroup"];
    rank(&route.origin) == 0 && KINDS.contains(&route.next_hop_type.to_ascii_lowercase().as_str())
}

fn rank(origin: &str) -> u8 {
    match origin.to_ascii_lowercase().as_str() {
        "user" => 2,
        "default" => 0,
        _ => 1,
    }
}

/// The route that the node's subnet has for an address: of a table that was collected, else computed from how things are set.
pub fn route_for(facts: &Facts, node: Option<&str>, home: &Home<'_>, address: IpAddr) -> Known<EffectiveRoute> {
    let tables = tables(facts, node, home);
    let mut found: Option<Known<EffectiveRoute>> = None;
    for (table, guessed) in &tables {
        let winner = winning_route(&table.value.routes, address);
        // In what was cut off there may be a longer prefix.
        if !table.value.whole && winner.is_none_or(|r| r.prefix.prefix_len() < r.prefix.max_prefix_len()) {
            continue;
        }
        let answer = match winner {
            Some(row) => Known::Seen(row.clone(), Evidence::of(&row.source).guessed(*guessed || table.value.doubted)),
            // A table of the other address family says nothing of this address.
            None if table.value.routes.iter().all(|r| r.prefix.addr().is_ipv4() != address.is_ipv4()) => continue,
            None => Known::Absent(Evidence::of(&table.source).guessed(*guessed || table.value.doubted)),
        };
        let kind = |known: &Known<EffectiveRoute>| known.seen().map(|r| (r.next_hop_type.clone(), r.next_hop.clone()));
        match &found {
            None => found = Some(answer),
            // Two tables that could both be meant, and say different things, say nothing.
            Some(first) if kind(first) != kind(&answer) => return Known::NotCollected("effective-routes"),
            Some(_) => {}
        }
    }
    match found {
        Some(found) => found,
        None if tables.is_empty() => computed_route(facts, home, address),
        None => Known::NotCollected("effective-routes"),
    }
}

/// The route that an address would have, from how subnet, network, peerings and gateways are set; nothing where one of them that
/// could bear on it was not collected. What it gives is computed and was not seen.
fn computed_route(facts: &Facts, home: &Home<'_>, address: IpAddr) -> Known<EffectiveRoute> {
    let (Some(subnet), Some(network)) = (home.subnet_of(facts), home.network_of(facts)) else { return Known::NotCollected("effective-routes") };
    let mut rows: Vec<EffectiveRoute> = Vec::new();
    let mut takes_gateway_routes = true;
    match &subnet.route_table {
        Known::NotCollected(_) => return Known::NotCollected("effective-routes"),
        Known::Absent(_) => {}
        Known::Seen(key, _) => {
            let Some(table) = facts.networks.route_tables.iter().find(|t| t.key == *key).filter(|t| t.whole && t.tags.is_empty()) else {
                return Known::NotCollected("route-table");
            };
            rows.extend(table.routes.iter().cloned());
            match &table.takes_gateway_routes {
                Known::Seen(takes, _) => takes_gateway_routes = *takes,
                _ => return Known::NotCollected("route-table"),
            }
        }
    }
    let row = |prefix: IpNet, kind: &str, origin: &str, source: &Source| EffectiveRoute {
        prefix,
        next_hop_type: kind.to_owned(),
        next_hop: None,
        origin: origin.to_owned(),
        active: true,
        source: source.clone(),
    };
    rows.extend(network.prefixes.iter().map(|(p, s)| row(*p, "VnetLocal", "Default", s)));
    if !facts.networks.peerings_told.contains_key(&network.key) {
        return Known::NotCollected("effective-routes");
    }
    let peerings: Vec<&Peering> = facts.networks.peerings_of(&network.key).collect();
    for peering in peerings.iter().filter(|p| p.state.seen().is_some_and(|s| s.eq_ignore_ascii_case("Connected"))) {
        rows.extend(peering.carries.iter().map(|(p, s)| row(*p, "VNetPeering", "Default", s)));
    }
    // A gateway may be in the network where it has a subnet for one; it may be the peer's where a peering uses it.
    let own = !network.subnets_told || facts.networks.subnets.iter().any(|s| s.network == network.key && s.name.eq_ignore_ascii_case("GatewaySubnet"));
    let remote = peerings.iter().any(|p| p.uses_remote_gateway.seen() != Some(&false));
    if takes_gateway_routes && (own || remote) {
        match gateway_route(facts, home, address) {
            // Which of the two has the longer prefix is not told.
            Known::Seen(true, _) if rows.iter().any(|r| r.origin == "User" && r.prefix.prefix_len() > 0 && r.prefix.contains(&address)) => {
                return Known::NotCollected("effective-routes");
            }
            Known::Seen(true, evidence) => {
                let source = evidence.sources.first().unwrap_or(&network.source);
                rows.push(row(IpNet::from(address), "VirtualNetworkGateway", "VirtualNetworkGateway", source));
            }
            Known::Seen(false, _) | Known::Absent(_) => {}
            Known::NotCollected(_) => return Known::NotCollected("effective-routes"),
        }
    }
    let at = |text: &str, kind: &str| text.parse().ok().map(|p| row(p, kind, "Default", &subnet.source));
    rows.extend(at("0.0.0.0/0", "Internet"));
    rows.extend(["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10"].iter().filter_map(|p| at(p, "None")));
    match winning_route(&rows, address) {
        // A private endpoint's own route may lie above a user's, and is told by an interface only.
        Some(route) if route.origin == "User" && rows.iter().any(|r| r.origin == "Default" && is_of_the_network(r) && r.prefix.contains(&address)) => {
            Known::NotCollected("effective-routes")
        }
        Some(route) => Known::Seen(route.clone(), Evidence::of(&route.source).guessed(true)),
        None => Known::NotCollected("effective-routes"),
    }
}

/// Whether a gateway that the network may use has a route to an address.
fn gateway_route(facts: &Facts, home: &Home<'_>, address: IpAddr) -> Known<bool> {
    let hubs = hubs(facts, home);
    if hubs.is_empty() {
        return Known::NotCollected("vnet-gateway");
    }
    let mut answer = Known::NotCollected("vnet-gateway");
    for hub in &hubs {
        match (hub.is_usable(), hub.knows(facts, address)) {
            (Known::Seen(true, _), known @ Known::Seen(true, _)) => return known,
            (Known::Seen(false, evidence), _) | (Known::Seen(true, _), Known::Seen(false, evidence)) => answer = Known::Seen(false, evidence),
            _ => return Known::NotCollected("vnet-gateway"),
        }
    }
    answer
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bundle::{FileId, Source};

    fn source() -> Source {
        // A source needs a file; any will do here.
        Source::new(FileId::default(), 1, "")
    }

    fn route(prefix: &str, kind: &str, origin: &str, active: bool) -> EffectiveRoute {
        EffectiveRoute { prefix: prefix.parse().unwrap(), next_hop_type: kind.into(), next_hop: None, origin: origin.into(), active, source: source() }
    }

    #[test]
    fn the_longest_active_prefix_wins_and_users_win_ties() {
        let table = [
            route("0.0.0.0/0", "Internet", "Default", true),
            route("10.0.0.0/8", "None", "Default", true),
            route("10.40.0.0/16", "VirtualNetworkGateway", "VirtualNetworkGateway", true),
            route("10.40.0.0/16", "VirtualAppliance", "User", true),
            route("10.40.8.0/24", "VNetPeering", "Default", false),
        ];
        let hop = |a: &str| winning_route(&table, a.parse().unwrap()).map(|r| r.next_hop_type.clone());
        assert_eq!(hop("10.40.8.10").as_deref(), Some("VirtualAppliance"));
        assert_eq!(hop("10.1.1.1").as_deref(), Some("None"));
        assert_eq!(hop("8.8.8.8").as_deref(), Some("Internet"));
    }
}
