//! What do the networks between the node and the address say: peerings, gateways, tunnels, and the way back?

use super::{Asked, Value, yes_no};
use crate::facts::network::Peering;
use crate::facts::{Evidence, Known};
use crate::network::{self, Link, Path};

type K = Known<Value>;

/// What the way to the dialled address says.
fn told<'a>(a: &Asked<'a>, ask: fn(&Path<'a>) -> Known<bool>) -> K {
    a.path().map_or_else(|unknown| unknown, |path| ask(&path).map(Value::Bool))
}

/// The network of the bundle in which the address lies.
pub fn of_address(a: &Asked<'_>) -> K {
    let path = match a.path() {
        Ok(path) => path,
        Err(unknown) => return unknown,
    };
    match network::network_of_address(a.facts, path.home.network.as_deref(), path.address) {
        Some((network, source)) => Known::Seen(Value::Text(network.name.clone()), Evidence::of(source)),
        // Which of the networks that use the range is meant, an interface with the address would tell.
        None if network::is_claimed(a.facts, path.address) => Known::NotCollected("nic"),
        None => match a.facts.networks.networks.first() {
            Some(network) => Known::Absent(Evidence::of(&network.source)),
            None => Known::NotCollected("vnet"),
        },
    }
}

/// Whether a peering connects the node's network and the registry's.
pub fn peering_connects(a: &Asked<'_>) -> K {
    told(a, Path::is_peered)
}

/// Whether the peering on the way is connected on both sides.
pub fn peering_is_connected(a: &Asked<'_>) -> K {
    told(a, Path::is_connected)
}

/// Whether it carries every range of the other network, this address with them.
pub fn peering_is_in_sync(a: &Asked<'_>) -> K {
    told(a, Path::is_in_sync)
}

/// Whether the node's network may use the gateway behind which the address lies.
pub fn peering_gives_gateway(a: &Asked<'_>) -> K {
    told(a, Path::gives_gateway)
}

/// Whether the gateway within reach has a route to the address.
pub fn gateway_knows(a: &Asked<'_>) -> K {
    told(a, Path::gateway_knows)
}

/// Whether the peerings on the way take packets that an appliance forwards.
pub fn peering_allows_forwarded(a: &Asked<'_>) -> K {
    told(a, Path::takes_forwarded)
}

/// Whether the two networks are both peered with a third one.
pub fn meet_in_third(a: &Asked<'_>) -> K {
    told(a, Path::meets_in_third)
}

/// Whether the tunnel on the way is up.
pub fn tunnel_is_connected(a: &Asked<'_>) -> K {
    told(a, Path::tunnel_is_connected)
}

/// Whether the registry's side routes the node's address back.
pub fn return_route_exists(a: &Asked<'_>) -> K {
    told(a, Path::way_back)
}

/// Whether the appliance that is the next hop forwards.
pub fn appliance_forwards(a: &Asked<'_>) -> K {
    match told(a, Path::appliance_forwards) {
        // An interface that may forward forwards nothing while its machine is stopped.
        Known::Seen(Value::Bool(true), evidence) => match a.path().map(|path| path.appliance_runs()) {
            Ok(Known::Seen(_, shown)) => {
                let sources = evidence.sources.into_iter().chain(shown.sources).collect();
                yes_no(true, Evidence { sources, guessed: evidence.guessed })
            }
            _ => Known::NotCollected("machine-state"),
        },
        known => known,
    }
}

/// The side of the peering on the way that is the node's, by its id.
pub fn peering_node_side(a: &Asked<'_>) -> K {
    side(a, |link| link.near)
}

/// The side that is the other network's.
pub fn peering_hub_side(a: &Asked<'_>) -> K {
    side(a, |link| link.far)
}

fn side<'a>(a: &Asked<'a>, which: fn(&Link<'a>) -> Option<&'a Peering>) -> K {
    let found = a.path().ok().and_then(|path| path.links().0.iter().find_map(which));
    found.map_or(Known::NotCollected("vnet-peerings"), |peering| named(&peering.id, Evidence::of(&peering.source)))
}

/// An id goes into commands that a person may run, so it holds nothing but what ids are made of.
fn named(id: &str, evidence: Evidence) -> K {
    let plain = id.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '/' | '-' | '_' | '.' | '(' | ')'));
    if plain { Known::Seen(Value::Text(id.to_owned()), evidence) } else { Known::NotCollected("vnet-peerings") }
}

/// Whether the route table of the node's subnet takes the gateway's routes.
pub fn takes_gateway_routes(a: &Asked<'_>) -> K {
    let home = a.home();
    let shown = network::tables(a.facts, a.node(), &home).into_iter().find_map(|(t, guessed)| match &t.value.keeps_gateway_routes_out {
        Known::Seen(true, evidence) => Some(yes_no(false, evidence.clone().guessed(guessed))),
        _ => None,
    });
    if let Some(shown) = shown {
        return shown;
    }
    let guess = home.guessed;
    let known = match home.subnet_of(a.facts).map(|s| &s.route_table) {
        Some(Known::Absent(evidence)) => return yes_no(true, evidence.clone().guessed(guess)),
        _ => table_of_subnet(a),
    };
    match known.map(|t| &t.takes_gateway_routes) {
        Some(Known::Seen(takes, evidence)) => yes_no(*takes, evidence.clone().guessed(guess)),
        _ => Known::NotCollected("route-table"),
    }
}

/// The route table of the node's subnet, by its id.
pub fn route_table_id(a: &Asked<'_>) -> K {
    table_of_subnet(a).map_or(Known::NotCollected("route-table"), |t| named(&t.id, Evidence::of(&t.source)))
}

fn table_of_subnet<'a>(a: &Asked<'a>) -> Option<&'a crate::facts::network::RouteTable> {
    let home = a.home();
    let by_itself = || a.facts.networks.route_tables.iter().find(|t| home.subnet.as_ref().is_some_and(|s| t.subnets.contains(s)));
    match home.subnet_of(a.facts).map(|s| &s.route_table) {
        Some(Known::Absent(_)) => None,
        Some(Known::Seen(key, _)) => a.facts.networks.route_tables.iter().find(|t| t.key == *key).or_else(by_itself),
        _ => by_itself(),
    }
}

/// Whether the node's subnet has a way out to the internet, by how its cluster was made or by a translation of its own.
pub fn egress_exists(a: &Asked<'_>) -> K {
    let home = a.home();
    if let Some(Known::Seen(_, evidence)) = home.subnet_of(a.facts).map(|s| &s.translation) {
        return yes_no(true, evidence.clone().guessed(home.guessed));
    }
    let told = &a.facts.networks.outbound;
    let exists = |kind: &str| match kind.to_ascii_lowercase().as_str() {
        "none" | "block" => Some(false),
        "loadbalancer" | "managednatgateway" | "userassignednatgateway" => Some(true),
        // A route of the customer's own: it may lead out or not.
        _ => None,
    };
    match told.as_slice() {
        [(kind, source), rest @ ..] if rest.iter().all(|(other, _)| other.eq_ignore_ascii_case(kind)) => {
            exists(kind).map_or(Known::NotCollected("effective-routes"), |e| yes_no(e, Evidence::of(source)))
        }
        _ => Known::NotCollected("cluster"),
    }
}

/// The route that another pool's subnet has for the address, where that leads on.
pub fn other_pool_route(a: &Asked<'_>) -> K {
    let address = match a.dialled() {
        Ok(address) => address,
        Err(unknown) => return unknown,
    };
    let home = a.home();
    if home.subnet.is_none() {
        return Known::NotCollected("node-pools");
    }
    if a.facts.effective_routes.is_empty() && a.facts.networks.route_tables.is_empty() {
        return Known::NotCollected("effective-routes");
    }
    // One node stands for its subnet.
    let mut tried: std::collections::BTreeSet<String> = home.subnet.iter().cloned().collect();
    let mut seen = None;
    let mut elsewhere = None;
    for node in &a.facts.nodes {
        let other = network::home(a.facts, &node.name);
        // Pools of another network have other peerings and gateways: what they reach says nothing of this subnet's routes.
        if home.network.is_some() && other.network.is_some() && other.network != home.network {
            elsewhere = elsewhere.or(other.sources.first().map(|s| Evidence::of(s)));
            continue;
        }
        if !other.subnet.clone().is_some_and(|subnet| tried.insert(subnet)) {
            continue;
        }
        if let Known::Seen(route, evidence) = network::route_for(a.facts, Some(&node.name), &other, address) {
            if !["none", "internet"].iter().any(|n| route.next_hop_type.eq_ignore_ascii_case(n)) {
                return Known::Seen(Value::Text(route.prefix.to_string()), evidence);
            }
            seen = seen.or(Some(evidence));
        }
    }
    // Nothing is left to compare with where every other pool stands in another network.
    let compared = seen.or_else(|| elsewhere.filter(|_| tried.len() == 1));
    compared.map_or(Known::NotCollected("effective-routes"), Known::Absent)
}

/// Where the winning effective route for the resolver that the node asked leads.
pub fn resolver_next_hop_type(a: &Asked<'_>) -> K {
    let Some(address) = a.stop.resolver else { return Known::NotCollected("node-resolv-conf") };
    network::route_for(a.facts, a.node(), &a.home(), address).map(|r| Value::Text(r.next_hop_type))
}

/// Whether the node asks the DNS servers that are set on its network.
pub fn dns_servers_match(a: &Asked<'_>) -> K {
    if a.facts.networks.networks.is_empty() {
        return Known::NotCollected("vnet");
    }
    let (servers, of_node) = match (super::resolve::nameservers(a), a.stop.resolver) {
        (Known::Seen(Value::List(servers), of_node), _) => (servers, of_node),
        // The error itself names the one that was asked.
        (_, Some(resolver)) => (vec![resolver.to_string()], a.by_text()),
        _ => return Known::NotCollected("node-resolv-conf"),
    };
    let home = a.home();
    // Where the interface was not collected it can have servers of its own, and nothing dates the change: that they differ is no proof of an old node.
    let mut evidence = of_node.guessed(true);
    let set: Vec<String> = match super::servers::network_servers(a) {
        Known::Seen(set, shown) => {
            evidence.sources.extend(shown.sources);
            set.iter().map(ToString::to_string).collect()
        }
        Known::Absent(_) => return Known::NotCollected("vnet"),
        Known::NotCollected(artefact) => return Known::NotCollected(artefact),
    };
    // A node-local cache hides which servers it asks in its turn.
    if servers.iter().any(|s| s.starts_with("169.254.") || s.starts_with("127.")) {
        return Known::NotCollected("node-resolv-conf");
    }
    yes_no(servers.iter().all(|s| set.contains(s)), evidence.guessed(home.guessed))
}
