//! What do the networks between the node and the address say: peerings, gateways, tunnels, and the way back?

use std::net::IpAddr;

use super::{Asked, Value, connect, yes_no};
use crate::facts::{Evidence, Known};
use crate::network::{self, Hub, Link};

type K = Known<Value>;

/// The network of the bundle in which the address lies.
pub fn of_address(a: &Asked<'_>) -> K {
    let address = match a.dialled() {
        Ok(address) => address,
        Err(unknown) => return unknown,
    };
    match network::network_of_address(a.facts, address) {
        Some((network, source)) => Known::Seen(Value::Text(network.name.clone()), Evidence::of(source)),
        None => match a.facts.networks.networks.first() {
            Some(network) => Known::Absent(Evidence::of(&network.source)),
            None => Known::NotCollected("vnet"),
        },
    }
}

/// The keys of the node's network and of the registry's, where they are two.
fn two_networks<'a>(a: &Asked<'a>, address: IpAddr) -> Option<(&'a str, &'a str)> {
    let far = network::network_of_address(a.facts, address)?.0;
    let home = a.home();
    let near = home.network.as_deref()?;
    let near = a.facts.networks.networks.iter().find(|n| n.key == near)?;
    (near.key != far.key).then_some((near.key.as_str(), far.key.as_str()))
}

/// Whether a peering connects the node's network and the registry's.
pub fn peering_connects(a: &Asked<'_>) -> K {
    let address = match a.dialled() {
        Ok(address) => address,
        Err(unknown) => return unknown,
    };
    let Some((near, far)) = two_networks(a, address) else {
        return Known::NotCollected(if a.facts.networks.networks.is_empty() { "vnet-peerings" } else { "vnet" });
    };
    let link = network::link(a.facts, near, far);
    if let Some(side) = link.near.or(link.far) {
        return yes_no(true, Evidence::of(&side.source));
    }
    // It takes both sides: one that has none says enough.
    let told = &a.facts.networks.peerings_told;
    match told.get(near).or_else(|| told.get(far)) {
        Some(source) => yes_no(false, Evidence::of(source)),
        None => Known::NotCollected("vnet-peerings"),
    }
}

/// The peerings that lie on the way, and whether they are known to: between the two networks, else with the networks whose
/// gateway could lead there.
fn on_the_way<'a>(a: &Asked<'a>, address: IpAddr) -> (Vec<Link<'a>>, bool) {
    if let Some((near, far)) = two_networks(a, address) {
        let link = network::link(a.facts, near, far);
        if link.near.is_some() || link.far.is_some() {
            return (vec![link], true);
        }
        return (Vec::new(), true);
    }
    // In the node's own network no peering matters.
    if a.home().network_of(a.facts).is_some_and(|n| n.prefixes.iter().any(|(p, _)| p.contains(&address))) {
        return (Vec::new(), true);
    }
    let (hubs, sure) = hubs_for(a, address);
    (hubs.iter().filter_map(|h| h.link).collect(), sure)
}

/// The gateways that lead to the address, and whether they are known to; else those of which it is not known.
fn hubs_for<'a>(a: &Asked<'a>, address: IpAddr) -> (Vec<Hub<'a>>, bool) {
    let hubs = network::hubs(a.facts, &a.home());
    let knows = |wanted: fn(&Known<bool>) -> bool| hubs.iter().filter(|h| wanted(&h.knows(a.facts, address))).copied().collect::<Vec<_>>();
    let sure = knows(|k| k.seen() == Some(&true));
    if sure.is_empty() { (knows(|k| k.seen().is_none()), false) } else { (sure, true) }
}

/// One answer of several ways: any that says yes is enough, all must say no.
fn any_of(answers: impl IntoIterator<Item = Known<bool>>, artefact: &'static str) -> K {
    let mut refusal: Option<Evidence> = None;
    let mut unknown = None;
    for answer in answers {
        match answer {
            Known::Seen(true, evidence) => return yes_no(true, evidence),
            Known::Seen(false, evidence) => refusal = refusal.or(Some(evidence)),
            Known::Absent(_) => unknown = unknown.or(Some(artefact)),
            Known::NotCollected(missing) => unknown = unknown.or(Some(missing)),
        }
    }
    match (refusal, unknown) {
        (Some(evidence), None) => yes_no(false, evidence),
        (_, missing) => Known::NotCollected(missing.unwrap_or(artefact)),
    }
}

/// The same, as a guess: what is told may not lie on the way at all.
fn guessed(known: K, guess: bool) -> K {
    match known {
        Known::Seen(value, evidence) => Known::Seen(value, evidence.guessed(guess)),
        Known::Absent(evidence) => Known::Absent(evidence.guessed(guess)),
        missing => missing,
    }
}

/// Whether the peering on the way is connected on both sides.
pub fn peering_is_connected(a: &Asked<'_>) -> K {
    let address = match a.dialled() {
        Ok(address) => address,
        Err(unknown) => return unknown,
    };
    let (links, sure) = on_the_way(a, address);
    guessed(any_of(links.iter().map(Link::is_connected), "vnet-peerings"), !sure)
}

/// Whether it carries every range of the other network, this address with them.
pub fn peering_is_in_sync(a: &Asked<'_>) -> K {
    let address = match a.dialled() {
        Ok(address) => address,
        Err(unknown) => return unknown,
    };
    if two_networks(a, address).is_some() {
        return any_of(on_the_way(a, address).0.iter().map(|l| l.carries(address)), "vnet-peerings");
    }
    // The remote network may be told by the peering alone.
    let home = a.home();
    let peerings: Vec<_> = home.network.iter().flat_map(|n| a.facts.networks.peerings_of(n)).collect();
    let holding = peerings.iter().filter(|p| p.remote_has.iter().chain(&p.carries).any(|(r, _)| r.contains(&address)));
    any_of(holding.map(|p| Link { near: Some(p), far: None }.carries(address)), "vnet-peerings")
}

/// Whether the node's network may use the gateway behind which the address lies.
pub fn peering_gives_gateway(a: &Asked<'_>) -> K {
    let address = match a.dialled() {
        Ok(address) => address,
        Err(unknown) => return unknown,
    };
    let (mut hubs, sure) = hubs_for(a, address);
    if hubs.is_empty() {
        hubs = network::hubs(a.facts, &a.home());
    }
    let artefact = if a.facts.networks.gateways.is_empty() { unless_told(a, "vnet-gateway") } else { "vnet-peerings" };
    guessed(any_of(hubs.iter().map(Hub::is_usable), artefact), !sure)
}

/// Whether the gateway within reach has a route to the address.
pub fn gateway_knows(a: &Asked<'_>) -> K {
    let address = match a.dialled() {
        Ok(address) => address,
        Err(unknown) => return unknown,
    };
    let hubs = network::hubs(a.facts, &a.home());
    any_of(hubs.iter().map(|h| h.knows(a.facts, address)), if a.facts.networks.gateways.is_empty() { "learned-routes" } else { "vnet-peerings" })
}

/// The side of the peering on the way that is the node's, by its id.
pub fn peering_node_side(a: &Asked<'_>) -> K {
    side(a, |link| link.near)
}

/// The side that is the other network's.
pub fn peering_hub_side(a: &Asked<'_>) -> K {
    side(a, |link| link.far)
}

fn side<'a>(a: &Asked<'a>, which: fn(&Link<'a>) -> Option<&'a crate::facts::network::Peering>) -> K {
    let address = match a.dialled() {
        Ok(address) => address,
        Err(unknown) => return unknown,
    };
    let (links, _) = on_the_way(a, address);
    match links.iter().find_map(which) {
        Some(peering) => named(&peering.id, Evidence::of(&peering.source)),
        None => Known::NotCollected("vnet-peerings"),
    }
}

/// An id goes into commands that a person may run, so it holds nothing but what ids are made of.
fn named(id: &str, evidence: Evidence) -> K {
    let plain = id.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '/' | '-' | '_' | '.' | '(' | ')'));
    if plain { Known::Seen(Value::Text(id.to_owned()), evidence) } else { Known::NotCollected("vnet-peerings") }
}

/// What to ask for next: the peerings where there are none yet, else what they lead to.
fn unless_told(a: &Asked<'_>, next: &'static str) -> &'static str {
    if a.facts.networks.peerings.is_empty() && a.facts.networks.peerings_told.is_empty() { "vnet-peerings" } else { next }
}

/// Whether the peerings on the way take packets that an appliance forwards: at the node's network for the answers, and at the
/// registry's for the way there.
pub fn peering_allows_forwarded(a: &Asked<'_>) -> K {
    let address = match a.dialled() {
        Ok(address) => address,
        Err(unknown) => return unknown,
    };
    let home = a.home();
    let Some(hop) = connect::route(a).seen().and_then(|r| r.next_hop.as_deref()?.parse::<IpAddr>().ok()) else {
        return Known::NotCollected("effective-routes");
    };
    let Some((hub, _)) = network::network_of_address(a.facts, hop) else { return Known::NotCollected(unless_told(a, "vnet")) };
    let near = home.network.as_deref().and_then(|n| a.facts.networks.peerings_of(n).find(|p| p.remote == hub.key));
    let there = network::network_of_address(a.facts, address).map(|(n, _)| n.key.as_str()).filter(|k| *k != hub.key);
    let far = there.and_then(|k| a.facts.networks.peerings_of(k).find(|p| p.remote == hub.key));
    for side in [near, far].into_iter().flatten() {
        if let Known::Seen(false, evidence) = &side.allows_forwarded {
            return yes_no(false, evidence.clone());
        }
    }
    match (near, there, far) {
        (Some(near), None, _) => near.allows_forwarded.clone().map(Value::Bool),
        (Some(_), Some(_), Some(far)) => far.allows_forwarded.clone().map(Value::Bool),
        _ => Known::NotCollected("vnet-peerings"),
    }
}

/// Whether the two networks are both peered with a third one.
pub fn meet_in_third(a: &Asked<'_>) -> K {
    let address = match a.dialled() {
        Ok(address) => address,
        Err(unknown) => return unknown,
    };
    let Some((near, far)) = two_networks(a, address) else { return Known::NotCollected("vnet-peerings") };
    let of = |network: &str| a.facts.networks.peerings.iter().filter(|p| p.network == network || p.remote == network).collect::<Vec<_>>();
    let other = |p: &crate::facts::network::Peering, network: &str| if p.network == network { p.remote.clone() } else { p.network.clone() };
    for one in of(near) {
        if let Some(two) = of(far).into_iter().find(|two| other(two, far) == other(one, near)) {
            return yes_no(true, Evidence { sources: vec![one.source.clone(), two.source.clone()], guessed: false });
        }
    }
    match a.facts.networks.peerings_told.get(near) {
        Some(source) => yes_no(false, Evidence::of(source)),
        None => Known::NotCollected("vnet-peerings"),
    }
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

/// Whether the tunnel on the way is up.
pub fn tunnel_is_connected(a: &Asked<'_>) -> K {
    let address = match a.dialled() {
        Ok(address) => address,
        Err(unknown) => return unknown,
    };
    let (hubs, sure) = hubs_for(a, address);
    guessed(network::tunnel_is_connected(a.facts, &hubs, address).map(Value::Bool), !sure)
}

/// Whether the registry's side routes the node's address back.
pub fn return_route_exists(a: &Asked<'_>) -> K {
    let address = match a.dialled() {
        Ok(address) => address,
        Err(unknown) => return unknown,
    };
    network::way_back(a.facts, &a.home(), address).map(Value::Bool)
}

/// Whether the appliance that is the next hop forwards.
pub fn appliance_forwards(a: &Asked<'_>) -> K {
    match connect::route(a) {
        Known::Seen(route, _) if route.next_hop_type.eq_ignore_ascii_case("VirtualAppliance") => {
            let hop = route.next_hop.as_deref().and_then(|h| h.parse().ok());
            hop.map_or(Known::NotCollected("nic"), |hop| network::forwards(a.facts, hop).map(Value::Bool))
        }
        _ => Known::NotCollected("nic"),
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
        [(kind, source)] => exists(kind).map_or(Known::NotCollected("effective-routes"), |e| yes_no(e, Evidence::of(source))),
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
    let mut seen = None;
    for node in &a.facts.nodes {
        let other = network::home(a.facts, &node.name);
        if other.subnet.is_none() || other.subnet == home.subnet {
            continue;
        }
        if let Known::Seen(route, evidence) = network::route_for(a.facts, Some(&node.name), &other, address) {
            if !["none", "internet"].iter().any(|n| route.next_hop_type.eq_ignore_ascii_case(n)) {
                return Known::Seen(Value::Text(route.prefix.to_string()), evidence);
            }
            seen = seen.or(Some(evidence));
        }
    }
    seen.map_or(Known::NotCollected("effective-routes"), Known::Absent)
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
    let asked = super::resolve::nameservers(a);
    let Known::Seen(Value::List(servers), of_node) = asked else { return Known::NotCollected("node-resolv-conf") };
    let home = a.home();
    let Some(network) = home.network_of(a.facts) else { return Known::NotCollected("vnet") };
    // An interface can have servers of its own, which then count.
    let mut evidence = of_node;
    let set: Vec<String> = match &network.dns_servers {
        Known::Seen(set, of_network) => {
            evidence.sources.extend(of_network.sources.iter().cloned());
            set.iter().map(ToString::to_string).collect()
        }
        Known::Absent(of_network) => {
            evidence.sources.extend(of_network.sources.iter().cloned());
            vec!["168.63.129.16".to_owned()]
        }
        Known::NotCollected(artefact) => return Known::NotCollected(artefact),
    };
    // A node-local cache hides which servers it asks in its turn.
    if servers.iter().any(|s| s.starts_with("169.254.") || s.starts_with("127.")) {
        return Known::NotCollected("node-resolv-conf");
    }
    yes_no(servers.iter().all(|s| set.contains(s)), evidence.guessed(home.guessed))
}
