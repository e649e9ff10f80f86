//! What do private zones hold for the host, and do they answer on the node's way?

use super::servers::{answering_network, dns_network, node_network};
use super::{Asked, Value, contradicted, yes_no};
use crate::bundle::Source;
use crate::facts::{Evidence, Known};
use crate::message::Symptom;
use crate::network::names::{Covering, lies_in};

type K = Known<Value>;

/// The zones for a host, whose public name may lead over names that somebody's look-up shows.
fn covering<'a>(a: &Asked<'a>, host: &str) -> Covering<'a> {
    let aliases: Vec<String> = a.facts.lookups.iter().filter(|l| l.value.name == host).flat_map(|l| l.value.aliases.iter().cloned()).collect();
    Covering::of(&a.facts.names, host, &aliases)
}

pub(super) fn of_host<'a>(a: &Asked<'a>) -> Covering<'a> {
    covering(a, a.host().unwrap_or(""))
}

fn registry_host(a: &Asked<'_>) -> String {
    a.pull.reference.as_ref().map(|r| r.bare_host().to_owned()).unwrap_or_default()
}

/// Whether a zone for the host is linked to the network that `of` gives. A rule that sends the name to other servers decides
/// before any absence.
fn linked(a: &Asked<'_>, of: Known<String>) -> K {
    let zones = of_host(a);
    if zones.zones().is_empty() {
        return Known::NotCollected("private-dns-links");
    }
    let (network, evidence) = match of {
        Known::Seen(network, evidence) => (network, evidence),
        Known::Absent(evidence) => return Known::Absent(evidence),
        Known::NotCollected(artefact) => return Known::NotCollected(artefact),
    };
    match zones.linked(&network) {
        Known::Seen(true, shown) => yes_no(true, with(shown, &evidence)),
        Known::Seen(false, _) if zones.is_forwarded(&a.facts.names) => Known::NotCollected("dns-resolver"),
        Known::Seen(false, _) if is_contradicted(a, a.host().unwrap_or("")) => Known::NotCollected("dig-output"),
        Known::Seen(false, shown) => {
            let mut all = with(shown, &evidence);
            // What the node would get, were it linked.
            all.sources.extend(zones.record(None).seen().map(|r| r.source.clone()));
            all.sources.extend(super::estate::endpoint_address(a));
            yes_no(false, all)
        }
        Known::Absent(shown) => Known::Absent(shown),
        Known::NotCollected(artefact) => Known::NotCollected(artefact),
    }
}

/// Whether nodes show an answer that no absence of a link or record would give them, or the name is not the registry's at all.
fn is_contradicted(a: &Asked<'_>, host: &str) -> bool {
    contradicted::private_answer(a, host).is_some() || contradicted::is_no_login_server(a, host)
}

/// The line of a zone's link to a network.
pub(super) fn link_to(a: &Asked<'_>, network: &str) -> Option<Source> {
    of_host(a).zones().iter().find_map(|v| v.link_to(network)).map(|l| l.source.clone())
}

/// The evidence, with what shows the network behind it; a guess of either is one of both.
pub(super) fn with(mut evidence: Evidence, behind: &Evidence) -> Evidence {
    evidence.guessed |= behind.guessed;
    for source in &behind.sources {
        if !evidence.sources.contains(source) {
            evidence.sources.push(source.clone());
        }
    }
    evidence
}

/// Whether the zone is linked to the node's network.
pub fn linked_to_node_network(a: &Asked<'_>) -> K {
    linked(a, node_network(a))
}

/// Whether the zone is linked to the network of the custom DNS servers.
pub fn linked_to_dns_network(a: &Asked<'_>) -> K {
    linked(a, dns_network(a))
}

/// Whether the zone answers on the way that the node's question takes.
pub fn answers_node(a: &Asked<'_>) -> K {
    linked(a, answering_network(a))
}

fn record_for(a: &Asked<'_>, host: &str) -> K {
    let network = answering_network(a);
    match covering(a, host).record(network.seen().map(String::as_str)) {
        Known::NotCollected("private-dns-zones") => Known::NotCollected("private-dns-records"),
        Known::NotCollected(artefact) => Known::NotCollected(artefact),
        Known::Seen(_, evidence) => yes_no(true, evidence),
        Known::Absent(_) if is_contradicted(a, host) => Known::NotCollected("dig-output"),
        // What the zone lacks is asked for publicly: then there is an answer, and a missing record is not why there is none.
        Known::Absent(_) if a.stop.symptom == Symptom::NameNotFound && matches!(falls_back(a), Known::Seen(Value::Bool(true), _)) => {
            Known::NotCollected("dig-output")
        }
        Known::Absent(mut evidence) => {
            // The link by which the zone answers all the same, and the address that belongs into it.
            evidence.sources.extend(network.seen().and_then(|n| link_to(a, n)));
            evidence.sources.extend(super::estate::endpoint_address(a));
            yes_no(false, evidence)
        }
    }
}

/// Whether the zone holds a record for the host.
pub fn has_record(a: &Asked<'_>) -> K {
    record_for(a, a.host().unwrap_or(""))
}

/// Whether it holds one for the registry's own host.
pub fn has_registry_record(a: &Asked<'_>) -> K {
    record_for(a, &registry_host(a))
}

/// Whether any zone holds a record for the host, whomever it answers.
pub(super) fn holds_record(a: &Asked<'_>) -> bool {
    matches!(of_host(a).record(None), Known::Seen(..))
}

/// Whether the zone should have answered the node with it: then another answer has a cause that no dump shows.
pub(super) fn gives_record(a: &Asked<'_>) -> bool {
    matches!(answers_node(a), Known::Seen(Value::Bool(true), _)) && matches!(has_record(a), Known::Seen(Value::Bool(true), _))
}

/// The addresses of the record.
pub fn record_addresses(a: &Asked<'_>) -> K {
    let network = answering_network(a);
    of_host(a).record(network.seen().map(String::as_str)).map(|r| Value::List(r.addresses.iter().map(ToString::to_string).collect()))
}

/// The line of a private address that a zone or a private endpoint holds for the host.
pub(super) fn private_record(a: &Asked<'_>) -> Option<Source> {
    let record = of_host(a).record(None).seen().filter(|r| r.addresses.iter().any(|x| crate::network::is_private(*x))).map(|r| r.source.clone());
    record.or_else(|| super::estate::endpoint_address(a))
}

/// What DNS gives the node: its look-ups', else the record of the private zone that answers it.
pub fn dns_addresses(a: &Asked<'_>) -> K {
    if let Known::Seen(addresses, evidence) = super::resolve::lookup_addresses(a) {
        return Known::Seen(addresses, evidence);
    }
    match (answers_node(a), record_addresses(a)) {
        (Known::Seen(Value::Bool(true), evidence), Known::Seen(addresses, shown)) => Known::Seen(addresses, with(shown, &evidence)),
        _ => Known::NotCollected("dig-output"),
    }
}

/// Whether a longer zone answers for the name, lacks it, and so hides the record of another.
pub fn is_shadowed(a: &Asked<'_>) -> K {
    if of_host(a).zones().is_empty() {
        return Known::NotCollected("private-dns-zones");
    }
    match answering_network(a) {
        Known::Seen(network, evidence) => match of_host(a).shadow(&network) {
            Known::Seen(value, shown) => yes_no(value, with(shown, &evidence)),
            Known::Absent(shown) => Known::Absent(shown),
            Known::NotCollected(artefact) => Known::NotCollected(artefact),
        },
        Known::Absent(evidence) => yes_no(false, evidence),
        Known::NotCollected(artefact) => Known::NotCollected(artefact),
    }
}

/// Whether the link lets a name that the zone lacks be asked for publicly.
pub fn falls_back(a: &Asked<'_>) -> K {
    let Known::Seen(network, _) = answering_network(a) else { return Known::NotCollected("private-dns-links") };
    let zones = of_host(a);
    let link = zones.zones().iter().find_map(|v| v.link_to(&network));
    match link.and_then(|l| Some((l.falls_back?, &l.source))) {
        Some((value, source)) => yes_no(value, Evidence::of(source)),
        None => Known::NotCollected("private-dns-links"),
    }
}

/// The suffix of the zone that counts for the host.
pub fn name(a: &Asked<'_>) -> K {
    let zones = of_host(a);
    match zones.zones().first() {
        Some(view) => Known::Seen(Value::Text(view.name.to_owned()), Evidence::of(&view.zone.source)),
        None => Known::NotCollected("private-dns-zones"),
    }
}

/// The identifier of the one zone that covers the host; none where several do.
pub(super) fn only_id(a: &Asked<'_>) -> Option<String> {
    let zones = of_host(a);
    match zones.zones() {
        [only] => Some(only.zone.id.clone()),
        _ => None,
    }
}

/// Whether the host's record stands in a zone whose name no alias of the host leads into, while no zone of the right name is there.
pub fn is_misnamed(a: &Asked<'_>) -> K {
    let host = a.host().unwrap_or("");
    let zones = of_host(a);
    if let Some(view) = zones.zones().first() {
        return yes_no(false, Evidence::of(&view.zone.source));
    }
    if !zones.is_listed() {
        return Known::NotCollected("private-dns-zones");
    }
    let front = host.split('.').next().unwrap_or(host);
    let of_another = |r: &&crate::facts::names::ZoneRecord| {
        let zone = a.facts.names.zones.iter().find(|z| z.id == r.zone).map_or("", |z| z.name.as_str());
        r.name.strip_suffix(zone).and_then(|n| n.strip_suffix('.')) == Some(front) && !lies_in(host, zone) && zone.contains("azurecr")
    };
    match a.facts.names.records.iter().find(of_another) {
        Some(record) => yes_no(true, Evidence::of(&record.source)),
        None => Known::NotCollected("private-dns-records"),
    }
}

/// Hosts of the registry for which the zone that answers the node holds no record, although it holds the registry's own.
pub fn hosts_without_record(a: &Asked<'_>) -> K {
    let network = answering_network(a);
    let mut missing = Vec::new();
    let mut evidence = Evidence::default();
    for (host, source) in super::estate::data_hosts(a) {
        if host.contains('*') {
            continue;
        }
        match covering(a, &host).record(network.seen().map(String::as_str)) {
            Known::Absent(shown) => {
                evidence = with(shown, &evidence);
                evidence.sources.push(source);
                missing.push(host);
            }
            Known::Seen(..) => evidence.sources.push(source),
            Known::NotCollected(artefact) => return Known::NotCollected(artefact),
        }
    }
    missing.sort();
    missing.dedup();
    if evidence.sources.is_empty() { Known::NotCollected("registry-config") } else { Known::Seen(Value::List(missing), evidence) }
}
