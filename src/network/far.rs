//! Does the far side know the way back, and does what stands on the way forward packets?

use std::net::IpAddr;

use super::home::{Home, subnet_of_table};
use super::is_private;
use super::routes::winning_route;
use super::whose::{is_claimed, key_of_address};
use crate::facts::network::{Interface, Way};
use crate::facts::{Evidence, Facts, Known};

/// Whether the far side routes the node's address back, and what shows it.
pub(super) type Return = Known<bool>;

/// The way back from `address` to the node, by what the far side shows: the routes of an interface there, the prefixes that its
/// own gateway is told of this side, and what this side's gateway announces.
pub(super) fn way_back(facts: &Facts, home: &Home<'_>, address: IpAddr) -> Return {
    let Some(node) = home.addresses.iter().copied().find(|a| a.is_ipv4() == address.is_ipv4()) else { return Known::NotCollected("return-routes") };
    let from_interface = of_an_interface_there(facts, home, node, address);
    let told = told_there(facts, home, node);
    match (&from_interface, &told) {
        // Both say it: each line is evidence.
        (Known::Seen(false, one), Known::Seen(false, other)) => {
            let mut evidence = one.clone();
            // Two that agree need not both be certain.
            evidence.guessed &= other.guessed;
            evidence.sources.extend(other.sources.iter().cloned());
            Known::Seen(false, evidence)
        }
        (Known::Seen(_, _), _) => from_interface,
        (_, Known::Seen(false, _)) => told,
        _ => match announced(facts, node) {
            // The far side may have a route that nobody announces to it.
            Known::Seen(false, evidence) => Known::Seen(false, evidence.guessed(true)),
            _ => told,
        },
    }
}

/// An interface in the network that holds the address shows where that network sends the answers.
fn of_an_interface_there(facts: &Facts, home: &Home<'_>, node: IpAddr, address: IpAddr) -> Return {
    let there = |t: &&crate::facts::Of<crate::facts::EffectiveTable>| {
        let own: Vec<_> = t.value.routes.iter().filter(|r| r.is_own_network()).collect();
        own.iter().any(|r| r.prefix.contains(&address)) && !own.iter().any(|r| r.prefix.contains(&node))
    };
    let network = key_of_address(facts, home.network.as_deref(), address);
    let interface =
        facts.networks.interfaces.iter().find(|i| network.is_some() && i.network.as_deref() == network && i.addresses.iter().any(|(a, _)| *a == address));
    let covers = |s: &&crate::facts::network::Subnet| network == Some(s.network.as_str()) && s.covers(address).is_some();
    let subnet = interface.and_then(|i| i.subnet.clone()).or_else(|| facts.networks.subnets.iter().find(covers).map(|s| s.key.clone()));
    // Other subnets of that network have routes of their own, and networks of strangers use the same ranges.
    let of_another = |t: &crate::facts::Of<crate::facts::EffectiveTable>| match (subnet_of_table(facts, t), &subnet) {
        (Some(its), Some(own)) => its != *own,
        (Some(its), None) => facts.networks.subnet(&its).is_some_and(|s| s.covers(address).is_none() || network.is_none()),
        (None, _) => network.is_none() && is_claimed(facts, address),
    };
    let tables: Vec<_> = facts.effective_routes.iter().filter(there).filter(|t| !of_another(t)).collect();
    let Some(table) = tables.first() else { return Known::NotCollected("return-routes") };
    let way = |t: &crate::facts::Of<crate::facts::EffectiveTable>| winning_route(&t.value.routes, node).map(|r| (r.next_hop_type.clone(), r.next_hop.clone()));
    if tables.iter().any(|t| !t.value.whole || way(t) != way(table)) {
        return Known::NotCollected("return-routes");
    }
    // Only a table of the registry's own subnet proves what that subnet does.
    let of_subnet = subnet_of_table(facts, table);
    let guessed = table.value.doubted || of_subnet.is_none() || of_subnet != subnet;
    match winning_route(&table.value.routes, node) {
        Some(row) => {
            let lost = row.next_hop_type.eq_ignore_ascii_case("None") || (is_private(node) && row.next_hop_type.eq_ignore_ascii_case("Internet"));
            let mut evidence = Evidence::of(&row.source);
            if lost {
                // The nearest that it does know shows what is missing.
                evidence.sources.extend(table.value.routes.iter().filter(|r| r.active && near(r.prefix, node)).map(|r| r.source.clone()));
            }
            Known::Seen(!lost, evidence.guessed(guessed))
        }
        None => Known::Seen(false, Evidence::of(&table.source).guessed(guessed)),
    }
}

/// A route to something else close to the node's address: what the far side knows of this side.
fn near(prefix: ipnet::IpNet, node: IpAddr) -> bool {
    let wide = ipnet::IpNet::new(node, 12).map(|n| n.trunc());
    prefix.prefix_len() > 12 && !prefix.contains(&node) && wide.is_ok_and(|w| w.contains(&prefix))
}

/// The far side's gateway is told of this side's ranges by hand. A gateway is the far side's where it describes this side's network.
fn told_there(facts: &Facts, home: &Home<'_>, node: IpAddr) -> Return {
    let Some(network) = home.network_of(facts) else { return Known::NotCollected("return-routes") };
    // Ranges inside this network or inside one that is peered with it. A range around them may as well be the far side's own.
    let peered = facts.networks.peerings_of(&network.key).flat_map(|p| &p.carries);
    let this_side: Vec<ipnet::IpNet> = network.prefixes.iter().chain(peered).map(|(p, _)| *p).collect();
    let ours = |range: &ipnet::IpNet| this_side.iter().any(|p| p.contains(range));
    let of_us: Vec<_> = facts.networks.local_gateways.iter().filter(|l| l.prefixes.iter().any(|(p, _)| ours(p))).collect();
    if of_us.is_empty() || of_us.iter().any(|l| !l.whole) {
        return Known::NotCollected("return-routes");
    }
    // A far side that learns routes needs none told by hand.
    let learns = facts.networks.tunnels.iter().any(|t| of_us.iter().any(|l| Some(&l.key) == t.far_end.as_ref()) && t.learns.seen() != Some(&false));
    let covering = of_us.iter().flat_map(|l| &l.prefixes).find(|(p, _)| p.contains(&node));
    match covering {
        Some((_, source)) => Known::Seen(true, Evidence::of(source)),
        None if learns => Known::NotCollected("return-routes"),
        None => {
            let sources = of_us.iter().flat_map(|l| &l.prefixes).filter(|(p, _)| ours(p)).map(|(_, s)| s.clone()).collect();
            // Only a connection that is known to use what was told by hand, and nothing else, makes it all that the far side knows.
            let by_hand = |t: &&crate::facts::network::Tunnel| of_us.iter().any(|l| Some(&l.key) == t.far_end.as_ref()) && t.learns.seen() == Some(&false);
            let proven = facts.networks.tunnels.iter().any(|t| by_hand(&t));
            Known::Seen(false, Evidence { sources, guessed: !proven })
        }
    }
}

/// What this side's gateway announces to its peer is all that the peer can know of this side.
fn announced(facts: &Facts, node: IpAddr) -> Return {
    let told = facts.networks.gateway_routes_told.iter().find(|(way, _)| *way == Way::Advertised);
    let Some((_, source)) = told else { return Known::NotCollected("advertised-routes") };
    let covering = facts.networks.gateway_routes.iter().filter(|r| r.way == Way::Advertised).find(|r| r.prefix.contains(&node));
    match covering {
        Some(route) => Known::Seen(true, Evidence::of(&route.source)),
        None => Known::Seen(false, Evidence::of(source)),
    }
}

/// Whether the interface with an address forwards packets that are meant for others. Networks of strangers may use the same
/// address: a next hop lies in the node's network or in one that is peered with it.
pub(super) fn forwards(facts: &Facts, home: &Home<'_>, next_hop: IpAddr) -> Known<bool> {
    match interface_of(facts, home, next_hop) {
        Some(interface) => match runs(facts, interface) {
            Known::Seen(false, stopped) => Known::Seen(false, stopped),
            _ => interface.forwards.clone(),
        },
        None => Known::NotCollected("nic"),
    }
}

/// Whether the machine behind a next hop runs.
pub(super) fn machine_runs(facts: &Facts, home: &Home<'_>, next_hop: IpAddr) -> Known<bool> {
    interface_of(facts, home, next_hop).map_or(Known::NotCollected("nic"), |interface| runs(facts, interface))
}

/// By its name; machines of one name in two groups, or a machine that two dumps tell otherwise, show nothing.
fn runs(facts: &Facts, interface: &Interface) -> Known<bool> {
    let name = interface.machine.as_deref().filter(|_| interface.set.is_none()).unwrap_or_default();
    let told: Vec<_> = facts.networks.machines.iter().filter(|m| m.name.eq_ignore_ascii_case(name)).collect();
    match told.first() {
        Some(first) if told.iter().all(|m| m.runs == first.runs) => Known::Seen(first.runs, Evidence::of(&first.source)),
        _ => Known::NotCollected("machine-state"),
    }
}

fn interface_of<'f>(facts: &'f Facts, home: &Home<'_>, next_hop: IpAddr) -> Option<&'f Interface> {
    let within_reach = |subnet: &str| {
        let (Some(own), Some((network, _))) = (home.network.as_deref(), subnet.rsplit_once("/subnets/")) else { return true };
        let peered = |(one, other): (&str, &str)| one == own && other == network || one == network && other == own;
        own == network || !facts.networks.peerings_told.contains_key(own) || facts.networks.peerings.iter().any(|p| peered((&p.network, &p.remote)))
    };
    let has_it = |i: &&Interface| i.addresses.iter().any(|(a, _)| *a == next_hop);
    let mut found = facts.networks.interfaces.iter().filter(has_it).filter(|i| i.subnet.as_deref().is_none_or(within_reach));
    let first = found.next()?;
    found.next().is_none().then_some(first)
}
