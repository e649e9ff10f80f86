//! What do the networks between the node and the address say: filters, peerings, gateways, tunnels, and the way back?

use std::net::IpAddr;

use super::{Asked, Value, connect, yes_no};
use crate::facts::{Evidence, Known};
use crate::network::{self, Hub, Judged, Link, Packet};

type K = Known<Value>;

/// The address, or why a fact about it is not known.
macro_rules! address {
    ($asked:expr) => {
        match $asked.address() {
            Known::Seen(address, _) => address,
            Known::Absent(evidence) => return Known::Absent(evidence),
            Known::NotCollected(artefact) => return Known::NotCollected(artefact),
        }
    };
}

fn packet(a: &Asked<'_>, to: IpAddr) -> Packet {
    let from = a.home().addresses.into_iter().find(|x| x.is_ipv4() == to.is_ipv4());
    Packet { from, to, port: a.stop.port.unwrap_or(443) }
}

fn word(judged: Judged) -> K {
    match judged {
        Judged::Allowed(evidence) => Known::Seen(Value::Text("Allow".into()), evidence),
        Judged::Denied { evidence, .. } => Known::Seen(Value::Text("Deny".into()), evidence),
        Judged::Unknown(artefact) => Known::NotCollected(artefact),
    }
}

fn rule(judged: Judged) -> K {
    match judged {
        Judged::Allowed(evidence) => Known::Absent(evidence),
        Judged::Denied { rule, evidence, .. } => Known::Seen(Value::Text(rule), evidence),
        Judged::Unknown(artefact) => Known::NotCollected(artefact),
    }
}

fn judged_out(a: &Asked<'_>) -> Known<Judged> {
    let address = address!(a);
    Known::Seen(network::outbound(a.facts, a.node(), &a.home(), packet(a, address)), Evidence::default())
}

fn flat(judged: Known<Judged>, make: fn(Judged) -> K) -> K {
    match judged {
        Known::Seen(judged, _) => make(judged),
        Known::Absent(evidence) => Known::Absent(evidence),
        Known::NotCollected(artefact) => Known::NotCollected(artefact),
    }
}

/// What the rules on the node's side say of the address.
pub fn rules_outbound(a: &Asked<'_>) -> K {
    flat(judged_out(a), word)
}

/// The rule on the node's side that denies it.
pub fn rule_outbound(a: &Asked<'_>) -> K {
    flat(judged_out(a), rule)
}

/// Whether that rule is one of the platform's own.
pub fn denied_by_default(a: &Asked<'_>) -> K {
    flat(judged_out(a), |judged| match judged {
        Judged::Denied { by_default, evidence, .. } => yes_no(by_default, evidence),
        Judged::Allowed(evidence) => Known::Absent(evidence),
        Judged::Unknown(artefact) => Known::NotCollected(artefact),
    })
}

fn judged_in(a: &Asked<'_>) -> Known<Judged> {
    let address = address!(a);
    Known::Seen(network::inbound(a.facts, &a.home(), packet(a, address)), Evidence::default())
}

/// What the rules on the registry's side say of the node.
pub fn rules_inbound(a: &Asked<'_>) -> K {
    flat(judged_in(a), word)
}

/// The rule on the registry's side that denies it.
pub fn rule_inbound(a: &Asked<'_>) -> K {
    flat(judged_in(a), rule)
}

/// The network of the bundle in which the address lies.
pub fn of_address(a: &Asked<'_>) -> K {
    let address = address!(a);
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
    let address = address!(a);
    let Some((near, far)) = two_networks(a, address) else { return Known::NotCollected("vnet-peerings") };
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

/// The peerings that lie on the way: between the two networks, else with the networks whose gateway could lead there.
fn on_the_way<'a>(a: &Asked<'a>, address: IpAddr) -> Vec<Link<'a>> {
    if let Some((near, far)) = two_networks(a, address) {
        let link = network::link(a.facts, near, far);
        if link.near.is_some() || link.far.is_some() {
            return vec![link];
        }
        return Vec::new();
    }
    // In the node's own network no peering matters.
    if a.home().network_of(a.facts).is_some_and(|n| n.prefixes.iter().any(|(p, _)| p.contains(&address))) {
        return Vec::new();
    }
    hubs_for(a, address).iter().filter_map(|h| h.link).collect()
}

/// The gateways that lead to the address; where none is known to, those of which it is not known.
fn hubs_for<'a>(a: &Asked<'a>, address: IpAddr) -> Vec<Hub<'a>> {
    let hubs = network::hubs(a.facts, &a.home());
    let knows = |wanted: fn(&Known<bool>) -> bool| hubs.iter().filter(|h| wanted(&h.knows(a.facts, address))).copied().collect::<Vec<_>>();
    let sure = knows(|k| k.seen() == Some(&true));
    if sure.is_empty() { knows(|k| k.seen().is_none()) } else { sure }
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

/// Whether the peering on the way is connected on both sides.
pub fn peering_is_connected(a: &Asked<'_>) -> K {
    let address = address!(a);
    any_of(on_the_way(a, address).iter().map(Link::is_connected), "vnet-peerings")
}

/// Whether it carries every range of the other network, this address with them.
pub fn peering_is_in_sync(a: &Asked<'_>) -> K {
    let address = address!(a);
    if two_networks(a, address).is_some() {
        return any_of(on_the_way(a, address).iter().map(|l| l.carries(address)), "vnet-peerings");
    }
    // The remote network may be told by the peering alone.
    let home = a.home();
    let peerings: Vec<_> = home.network.iter().flat_map(|n| a.facts.networks.peerings_of(n)).collect();
    let holding = peerings.iter().filter(|p| p.remote_has.iter().chain(&p.carries).any(|(r, _)| r.contains(&address)));
    any_of(holding.map(|p| Link { near: Some(p), far: None }.carries(address)), "vnet-peerings")
}

/// Whether the node's network may use the gateway behind which the address lies.
pub fn peering_gives_gateway(a: &Asked<'_>) -> K {
    let address = address!(a);
    let hubs = hubs_for(a, address);
    let artefact = if a.facts.networks.gateways.is_empty() { "vnet-gateway" } else { "vnet-peerings" };
    any_of(hubs.iter().map(Hub::is_usable), artefact)
}

/// Whether the gateway within reach has a route to the address.
pub fn gateway_knows(a: &Asked<'_>) -> K {
    let address = address!(a);
    let hubs = network::hubs(a.facts, &a.home());
    any_of(hubs.iter().map(|h| h.knows(a.facts, address)), if a.facts.networks.gateways.is_empty() { "learned-routes" } else { "vnet-peerings" })
}

/// Whether the peerings on the way take packets that an appliance forwards: at the node's network for the answers, and at the
/// registry's for the way there.
pub fn peering_allows_forwarded(a: &Asked<'_>) -> K {
    let address = address!(a);
    let home = a.home();
    let Some(hop) = connect::route(a).seen().and_then(|r| r.next_hop.as_deref()?.parse::<IpAddr>().ok()) else {
        return Known::NotCollected("effective-routes");
    };
    let Some((hub, _)) = network::network_of_address(a.facts, hop) else { return Known::NotCollected("vnet") };
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
    let address = address!(a);
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
    let by_itself = || a.facts.networks.route_tables.iter().find(|t| home.subnet.as_ref().is_some_and(|s| t.subnets.contains(s)));
    let known = match home.subnet_of(a.facts).map(|s| &s.route_table) {
        Some(Known::Absent(evidence)) => return yes_no(true, evidence.clone().guessed(guess)),
        Some(Known::Seen(key, _)) => a.facts.networks.route_tables.iter().find(|t| t.key == *key).or_else(by_itself),
        _ => by_itself(),
    };
    match known.map(|t| &t.takes_gateway_routes) {
        Some(Known::Seen(takes, evidence)) => yes_no(*takes, evidence.clone().guessed(guess)),
        _ => Known::NotCollected("route-table"),
    }
}

/// Whether the tunnel on the way is up.
pub fn tunnel_is_connected(a: &Asked<'_>) -> K {
    let address = address!(a);
    network::tunnel_is_connected(a.facts, &hubs_for(a, address), address).map(Value::Bool)
}

/// Whether the registry's side routes the node's address back.
pub fn return_route_exists(a: &Asked<'_>) -> K {
    let address = address!(a);
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

/// The route that another pool's subnet has for the address, where that leads on.
pub fn other_pool_route(a: &Asked<'_>) -> K {
    let address = address!(a);
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

/// Whether the node asks the DNS servers that are set on its network.
pub fn dns_servers_match(a: &Asked<'_>) -> K {
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
