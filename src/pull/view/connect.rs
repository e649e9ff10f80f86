//! What do routes and filters say of the address that was dialled?

use super::{Asked, Value, yes_no};
use crate::bundle::Source;
use crate::facts::{Answer, EffectiveRoute, Evidence, Facts, HostRoute, Known};
use crate::message::{Endpoint, Stage, Symptom};
use crate::network::filter::{self, Fate};
use crate::network::{self, Decided, Path};
use crate::pull::Outcome;

type K = Known<Value>;

/// The winning effective route for the address. Routes of a node's subnet serve every node in it.
fn route(a: &Asked<'_>) -> Known<EffectiveRoute> {
    match a.address() {
        Known::Seen(address, _) => Path::new(a.facts, a.node(), address).route(),
        Known::Absent(evidence) => Known::Absent(evidence),
        Known::NotCollected(artefact) => Known::NotCollected(artefact),
    }
}

/// What the winning effective route covers.
pub fn route_prefix(a: &Asked<'_>) -> K {
    route(a).map(|r| Value::Text(r.prefix.to_string()))
}

/// Where it leads.
pub fn route_next_hop_type(a: &Asked<'_>) -> K {
    route(a).map(|r| Value::Text(r.next_hop_type))
}

/// Its next hop's address.
pub fn route_next_hop(a: &Asked<'_>) -> K {
    route(a).and_then(|r| r.next_hop.map(Value::Text))
}

/// Who made it.
pub fn route_origin(a: &Asked<'_>) -> K {
    route(a).map(|r| Value::Text(r.origin))
}

/// The kind of the kernel's own route for the address.
pub fn kernel_route_kind(a: &Asked<'_>) -> K {
    kernel(a).map(|r| Value::Text(r.kind.clone()))
}

/// What it covers.
pub fn kernel_route_prefix(a: &Asked<'_>) -> K {
    kernel(a).map(|r| Value::Text(r.prefix.to_string()))
}

/// The device to which it leads.
pub fn kernel_route_device(a: &Asked<'_>) -> K {
    kernel(a).and_then(|r| r.dev.clone().map(Value::Text))
}

/// Bridges that container engines and hypervisors make on a node for what runs there.
const BRIDGES: [&str; 6] = ["docker", "podman", "nerdctl", "virbr", "lxcbr", "lxdbr"];

/// Devices of a cluster's pod network; a registry may run in a pod.
const POD_NETWORKS: [&str; 7] = ["cni", "cbr", "flannel", "cilium", "vxlan", "weave", "kube-bridge"];

/// Whether that route leads to a network that the node makes for its own containers. Where it is the pods', a guess.
pub fn kernel_route_is_containers(a: &Asked<'_>) -> K {
    match kernel(a) {
        Known::Seen(route, evidence) => {
            let device = route.dev.as_deref().filter(|_| route.via.is_none()).unwrap_or("");
            let pods = POD_NETWORKS.iter().any(|d| device.starts_with(d));
            let guessed = evidence.guessed || pods;
            // A network that somebody made with Docker; `br-ex` and its like are the node's own way out.
            let made = device.strip_prefix("br-").is_some_and(|id| id.len() == 12 && id.bytes().all(|b| b.is_ascii_hexdigit()));
            yes_no(pods || made || BRIDGES.iter().any(|d| device.starts_with(d)), evidence.guessed(guessed))
        }
        Known::Absent(evidence) => yes_no(false, evidence),
        Known::NotCollected(artefact) => Known::NotCollected(artefact),
    }
}

/// Whether the node's own tables hold a route for the IPv6 address that was dialled.
pub fn ipv6_route_exists(a: &Asked<'_>) -> K {
    match a.address() {
        Known::Seen(address, _) if address.is_ipv6() => {}
        Known::Seen(_, evidence) | Known::Absent(evidence) => return Known::Absent(evidence),
        Known::NotCollected(artefact) => return Known::NotCollected(artefact),
    }
    match kernel(a) {
        Known::Seen(route, evidence) => yes_no(route.kind == "unicast", evidence),
        Known::Absent(evidence) => yes_no(false, evidence),
        // That it has none, the kernel itself said in these words.
        Known::NotCollected(_) if matches!(a.stop.symptom, Symptom::NetworkUnreachable | Symptom::AddressUnavailable) => yes_no(false, a.by_text()),
        Known::NotCollected(artefact) => Known::NotCollected(artefact),
    }
}

fn kernel(a: &Asked<'_>) -> Known<HostRoute> {
    let Some(address) = a.address().seen().copied() else { return Known::NotCollected("dig-output") };
    let Some(told) = network::on_node(a.facts, a.node(), address, None) else { return Known::NotCollected("node-routes") };
    let by = |source: &Source| Evidence::of(source).guessed(told.guessed);
    match told.decided {
        Decided::Route(row) => Known::Seen(row.clone(), by(&row.source)),
        Decided::Rule(rule) => Known::Seen(rule.as_route(address), by(&rule.source)),
        Decided::Nothing => Known::Absent(by(told.source)),
        Decided::Unknown => Known::NotCollected("node-routes"),
    }
}

/// Whether the address is that of a service of the cluster: a service has it, or a name of the cluster's own DNS leads into the
/// services' range.
pub fn is_cluster_service(a: &Asked<'_>) -> K {
    let Some(address) = a.address().seen().copied() else { return Known::NotCollected("dig-output") };
    if let Some(service) = a.facts.cluster_services.iter().find(|s| s.addresses.contains(&address)) {
        return yes_no(true, Evidence::of(&service.source));
    }
    let ranges = &a.facts.service_ranges;
    let internal = matches!(super::words::name_is_cluster_internal(a), Known::Seen(Value::Bool(true), _));
    match (ranges.iter().find(|(range, _)| range.contains(&address)), a.facts.cluster_services.first(), ranges.first()) {
        (Some((_, source)), _, _) if internal => yes_no(true, Evidence::of(source)),
        (_, Some(service), _) => yes_no(false, Evidence::of(&service.source)),
        (None, None, Some((_, source))) => yes_no(false, Evidence::of(source)),
        _ => Known::NotCollected("cluster-services"),
    }
}

/// Whether the node's own filter blocks the address.
pub fn node_firewall_blocks(a: &Asked<'_>) -> K {
    node_firewall(a).map(|answer| Value::Bool(answer.is_some()))
}

/// Whether it rejects it so that the node reads `connection refused`.
pub fn node_firewall_refuses(a: &Asked<'_>) -> K {
    node_firewall(a).map(|answer| Value::Bool(answer == Some(Some(Answer::Refused))))
}

/// What the node's own filter does with the address: lets it pass, drops it, or rejects it with an answer.
fn node_firewall(a: &Asked<'_>) -> Known<Option<Option<Answer>>> {
    let Some(address) = a.address().seen().copied() else { return Known::NotCollected("dig-output") };
    let mut answer = Known::NotCollected("node-firewall");
    for (listing, guessed) in Facts::of_node(&a.facts.firewalls, a.node()) {
        match filter::fate(&listing.value, address, a.stop.port.unwrap_or(443)) {
            Some(Fate::Dropped(source, answer)) => return Known::Seen(Some(answer), Evidence::of(source).guessed(guessed)),
            // One tool's tables say nothing of another's.
            Some(Fate::Passes(source)) if listing.value.is_complete => answer = Known::Seen(None, Evidence::of(source).guessed(guessed)),
            _ => {}
        }
    }
    answer
}

/// Whether the node reached the same host in the time of the failures, by a pull of another image or a request made on it. A
/// host that was reached once is not cut off by routes or rules.
pub fn node_reached_host(a: &Asked<'_>) -> K {
    let none = || yes_no(false, a.by_text());
    let (Some(node), Some(host)) = (a.node(), a.host()) else { return none() };
    let same_address = |other: Option<std::net::IpAddr>| other.is_none() || a.stop.address.is_none() || other == a.stop.address;
    let since = |at: Option<jiff::Timestamp>| at.is_some() && at >= a.pull.first;
    let registry = a.pull.reference.as_ref().map(|r| r.host.clone()).unwrap_or_default();
    let of_registry = matches!(a.stop.endpoint, Some(Endpoint::Registry | Endpoint::Auth | Endpoint::Blob));
    let pulled = a.index.network_pulls(&registry).iter().find(|e| of_registry && e.node.as_deref() == Some(node) && since(e.last.at));
    if let Some(event) = pulled {
        return yes_no(true, Evidence::of(&event.source));
    }
    let others = a.pulls.iter().filter(|p| p.node.as_deref() == Some(node) && p.image != a.pull.image && since(p.last) && same_address(p.stop.address));
    let passed = |s: &&crate::pull::Step| s.stage == Stage::Connect && s.outcome == Outcome::Passed && s.host.as_deref() == Some(host);
    if let Some(step) = others.flat_map(|p| &p.ladder).find(passed) {
        return yes_no(true, Evidence { sources: step.evidence.clone(), guessed: false });
    }
    let answered = |r: &crate::facts::Request| r.host == host && r.status.is_some() && same_address(r.address);
    // A request that may be another machine's, such as one in the hub, refutes nothing.
    match Facts::of_node(&a.facts.requests, a.node()).find(|(r, guessed)| !guessed && answered(&r.value)) {
        Some((request, _)) => yes_no(true, Evidence::of(&request.value.source)),
        None => none(),
    }
}

/// Whether another node is of the same pool or subnet.
pub(super) fn is_mate(a: &Asked<'_>, name: &str) -> bool {
    let in_pool = || a.pull.pool.is_some() && a.facts.pool_of(name) == a.pull.pool.as_deref();
    let home = a.home();
    let in_subnet = || home.subnet.is_some() && network::home(a.facts, name).subnet == home.subnet;
    Some(name) != a.node() && (in_pool() || in_subnet())
}

/// How many other nodes of the pool or subnet pulled from the same registry over the network since this one first failed.
pub fn fresh_pulls_of_pool(a: &Asked<'_>) -> K {
    let registry = a.pull.reference.as_ref().map(|r| r.host.clone()).unwrap_or_default();
    let pulls = a.index.network_pulls(&registry);
    let nodes: std::collections::BTreeSet<&str> = pulls.iter().filter_map(|e| e.node.as_deref()).collect();
    let mates: std::collections::BTreeSet<&str> = nodes.into_iter().filter(|n| is_mate(a, n)).collect();
    let of_mates: Vec<_> = pulls.iter().filter(|e| e.node.as_deref().is_some_and(|n| mates.contains(n))).collect();
    let since = match a.pull.first {
        Some(since) => Some(since),
        // Where no mate pulled anything, it does not matter since when.
        None if of_mates.is_empty() => None,
        None => return Known::NotCollected("events"),
    };
    let sources: Vec<_> = of_mates.iter().filter(|e| e.last.at >= since && e.last.at.is_some()).map(|e| e.source.clone()).collect();
    if sources.is_empty() {
        // Events that nobody collected would be the same silence.
        return match a.facts.events.first() {
            Some(event) => Known::Seen(Value::Int(0), Evidence::of(&event.source)),
            None => Known::NotCollected("events"),
        };
    }
    Known::Seen(Value::Int(i64::try_from(sources.len()).unwrap_or(i64::MAX)), Evidence { sources: sources.into_iter().take(3).collect(), guessed: false })
}

/// Whether a request made on the node to the same host got the answer that its address is not allowed.
pub fn request_denied_for_address(a: &Asked<'_>) -> K {
    let host = a.host().map(str::to_owned).or_else(|| a.pull.reference.as_ref().map(|r| r.bare_host().to_owned())).unwrap_or_default();
    let told_host = a.stop.host.is_some();
    let of_host = |r: &crate::facts::Request| r.host == host || !told_host;
    let mut seen = None;
    for (request, guessed) in Facts::of_node(&a.facts.requests, a.node()).filter(|(r, _)| of_host(&r.value) && r.value.status == a.stop.status) {
        let reading = crate::message::read(&request.value.body);
        if reading.attempts.iter().any(|x| x.symptom == crate::message::Symptom::ClientAddressDenied) {
            return yes_no(true, Evidence::of(&request.value.source).guessed(guessed));
        }
        seen = seen.or(Some(&request.value.source));
    }
    match seen {
        Some(source) => yes_no(false, Evidence::of(source)),
        None => Known::NotCollected("curl-output"),
    }
}
