//! Does the firewall or proxy on the way let the host through?

use std::net::IpAddr;

use super::{Asked, Value, connect, resolve, yes_no};
use crate::bundle::Source;
use crate::facts::egress::{Appliance, PortSample};
use crate::facts::{EffectiveRoute, Evidence, Known, Owner};
use crate::network::egress::{Wanted, by_rules, logged, passes};

type K = Known<Value>;

/// The address from which the node sends.
fn node_address(a: &Asked<'_>) -> Option<IpAddr> {
    a.home().addresses.first().copied()
}

fn wanted<'h>(a: &Asked<'_>, host: Option<&'h str>, address: Option<IpAddr>) -> Wanted<'h> {
    Wanted { from: node_address(a), host, address, port: a.stop.port.unwrap_or(443) }
}

/// Whether the source ports with which the node's connections leave were used up while the pull failed.
pub fn ports_used_up(a: &Asked<'_>) -> K {
    let none = Known::NotCollected("snat-metrics");
    let (Some(first), Some(last)) = (a.pull.first.or(a.pull.last), a.pull.last) else { return none };
    let margin = jiff::SignedDuration::from_mins(10);
    let meanwhile = |s: &&PortSample| s.at >= first - margin && s.at <= last + margin;
    // A figure of another machine is nothing to this node; one without a machine is of all of them.
    let own = |s: &&PortSample| s.machine.is_none_or(|m| node_address(a).is_none_or(|n| n == m));
    let samples = || a.facts.egress.ports.iter().filter(meanwhile).filter(own);
    let pairs = samples().filter(|s| s.used).filter_map(|used| {
        let of = samples().find(|s| !s.used && s.at == used.at && s.machine == used.machine && s.ports > 0.0)?;
        Some((used, of))
    });
    let pairs: Vec<_> = pairs.collect();
    let guessed = |s: &PortSample| s.machine.is_none() || node_address(a).is_none();
    match (pairs.iter().find(|(used, of)| used.ports >= of.ports), pairs.first()) {
        (Some((used, of)), _) => yes_no(true, Evidence { sources: vec![used.source.clone(), of.source.clone()], guessed: guessed(used) }),
        (None, Some((used, of))) => yes_no(false, Evidence { sources: vec![used.source.clone(), of.source.clone()], guessed: guessed(used) }),
        (None, None) => none,
    }
}

/// Where the node's route leads for the address at hand.
enum Path<'a> {
    /// To this firewall; evidence of the route.
    Firewall(&'a Appliance, Evidence),
    /// To something that forwards and of which nothing is known.
    Appliance(Evidence),
    /// Past every appliance.
    Around(Evidence),
    Unknown,
}

fn path<'a>(a: &Asked<'a>) -> Path<'a> {
    let (Known::Seen(Value::Text(kind), evidence), hop) = (connect::route_next_hop_type(a), connect::route_next_hop(a)) else { return Path::Unknown };
    if !kind.eq_ignore_ascii_case("VirtualAppliance") {
        return Path::Around(evidence);
    }
    let hop = match hop {
        Known::Seen(Value::Text(hop), _) => hop.parse::<IpAddr>().ok(),
        _ => None,
    };
    match a.facts.egress.appliances.iter().find(|x| Some(x.address) == hop) {
        Some(appliance) => Path::Firewall(appliance, evidence),
        None => Path::Appliance(evidence),
    }
}

/// Whether the firewall on the way lets the host through. A firewall that is not on the way says nothing.
pub fn allows_host(a: &Asked<'_>) -> K {
    match host_passes(a) {
        Known::Seen(Value::Bool(false), mut evidence) => {
            // What sends the packets there, and the rule that covers the registry's own host alone.
            evidence.sources.extend(set_route(a));
            evidence.sources.extend(rule_for_registry(a));
            evidence.sources.extend(near_miss(a));
            yes_no(false, evidence)
        }
        other => other,
    }
}

/// The line of the route table from which the interface has the route that leads to the appliance.
fn set_route(a: &Asked<'_>) -> Option<Source> {
    let (Known::Seen(Value::Text(prefix), _), Known::Seen(Value::Text(hop), _)) = (connect::route_prefix(a), connect::route_next_hop(a)) else { return None };
    let same = |r: &&EffectiveRoute| r.prefix.to_string() == prefix && r.next_hop.as_deref() == Some(&hop);
    a.facts.networks.route_tables.iter().flat_map(|t| &t.routes).find(same).map(|r| r.source.clone())
}

/// An entry that differs from the host in a few labels alone: more often a slip than another host.
fn near_miss(a: &Asked<'_>) -> Option<Source> {
    let host = a.host()?;
    let labels = |name: &str| name.split('.').filter(|l| !l.is_empty() && *l != "*").map(str::to_owned).collect::<Vec<_>>();
    let own = labels(host);
    let alike = |pattern: &str| labels(pattern).iter().filter(|l| own.contains(l)).count();
    let entries = a.facts.egress.rules.iter().filter(|r| r.allows).flat_map(|r| &r.hosts);
    entries.map(|(pattern, source)| (alike(pattern), source)).filter(|(count, _)| *count > 2).max_by_key(|(count, _)| *count).map(|(_, s)| s.clone())
}

/// The rule that lets the registry's own host through.
fn rule_for_registry(a: &Asked<'_>) -> Option<Source> {
    let host = a.pull.reference.as_ref().map(|r| r.bare_host().to_owned())?;
    if Some(host.as_str()) == a.host() {
        return None;
    }
    let wanted = wanted(a, Some(&host), registry_address(a, &host));
    by_rules(&a.facts.egress, None, wanted)?.1.map(|rule| rule.source.clone())
}

/// The address of the registry's own host: the node's look-ups', its hosts file's, or the one that its other attempts dialled.
fn registry_address(a: &Asked<'_>, host: &str) -> Option<IpAddr> {
    let pinned = || resolve::hosts_entry(a, host).map(|(e, _)| e.address);
    let dialled = || a.pulls.iter().flat_map(|p| &p.tries).find(|t| t.attempt.host.as_deref() == Some(host)).and_then(|t| t.attempt.address);
    resolve::answer(a, host).map(|(address, _)| address).or_else(pinned).or_else(dialled)
}

fn host_passes(a: &Asked<'_>) -> K {
    let wanted = wanted(a, a.host(), a.address().seen().copied());
    let egress = &a.facts.egress;
    let add = |known: Known<bool>, way: Evidence, guessed: bool| match known {
        Known::Seen(value, mut evidence) => {
            evidence.guessed |= guessed;
            evidence.sources.extend(way.sources);
            yes_no(value, evidence)
        }
        Known::Absent(evidence) => Known::Absent(evidence),
        Known::NotCollected(artefact) => Known::NotCollected(artefact),
    };
    // A row about the node's own connection shows both: the way, and what became of it.
    if let Some(row) = logged(egress, wanted, false).filter(|r| r.from.is_some() && r.from == wanted.from) {
        let mut evidence = Evidence::of(&row.source);
        if let Path::Firewall(appliance, way) = path(a) {
            evidence.sources.push(appliance.source.clone());
            evidence.sources.extend(way.sources);
        }
        return yes_no(row.allowed, evidence);
    }
    match path(a) {
        Path::Firewall(appliance, way) => add(passes(egress, appliance.policy.as_deref(), wanted), way, false),
        Path::Appliance(way) if egress.appliances.is_empty() => add(passes(egress, None, wanted), way, true),
        Path::Appliance(_) => Known::NotCollected("firewall-rules"),
        Path::Around(evidence) => Known::Absent(evidence),
        Path::Unknown => match passes(egress, None, wanted) {
            Known::Seen(value, evidence) => yes_no(value, evidence.guessed(true)),
            other => add(other, Evidence::default(), true),
        },
    }
}

/// Whether the same firewall lets the registry's own host through.
pub fn allows_registry(a: &Asked<'_>) -> K {
    let Some(host) = a.pull.reference.as_ref().map(|r| r.bare_host().to_owned()) else { return Known::NotCollected("firewall-rules") };
    let wanted = wanted(a, Some(&host), registry_address(a, &host));
    let rule = by_rules(&a.facts.egress, None, wanted).and_then(|(allowed, rule)| Some((allowed, rule?)));
    let row = logged(&a.facts.egress, wanted, false);
    match (row, rule) {
        (Some(row), Some((_, rule))) => yes_no(row.allowed, Evidence { sources: vec![rule.source.clone(), row.source.clone()], guessed: false }),
        (Some(row), None) => yes_no(row.allowed, Evidence::of(&row.source)),
        (None, Some((allowed, rule))) => yes_no(allowed, Evidence::of(&rule.source)),
        (None, None) if a.facts.egress.listings.is_empty() => Known::NotCollected("firewall-rules"),
        (None, None) => Known::NotCollected("firewall-log"),
    }
}

/// Whether the proxy's log shows that it refused the host to this node, or let it through.
pub fn proxy_denies_host(a: &Asked<'_>) -> K {
    let wanted = wanted(a, a.host(), None);
    match logged(&a.facts.egress, wanted, true) {
        Some(row) => yes_no(!row.allowed, Evidence::of(&row.source).guessed(row.from.is_none() || row.from != wanted.from)),
        None => Known::NotCollected("proxy-log"),
    }
}

/// What shows beside the runtime's own settings that the host is left to the proxy: the cluster's entry for the registry's own
/// host alone, the settings of the pool's other nodes, and the proxy's log.
pub(super) fn left_to_proxy(a: &Asked<'_>) -> Vec<Source> {
    let registry = a.pull.reference.as_ref().map(|r| r.bare_host().to_owned()).unwrap_or_default();
    let entries = a.facts.estate.clusters.iter().filter_map(|c| c.proxy.as_ref()).flat_map(|p| &p.no_proxy);
    let own = entries.clone().find(|(entry, _)| *entry == registry).map(|(_, source)| source.clone());
    let mates = a
        .facts
        .proxies
        .iter()
        .find(|p| matches!(&p.owner, Owner::Node { name, .. } if Some(name.as_str()) != a.node() && a.facts.pool_of(name) == a.pull.pool.as_deref()));
    let row = logged(&a.facts.egress, wanted(a, a.host(), None), true).map(|r| r.source.clone());
    own.into_iter().chain(mates.map(|p| p.source.clone())).chain(row).collect()
}
