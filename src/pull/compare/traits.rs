//! Which traits of a node matter to a pull, and what does a node have of each? One function a trait.

use std::collections::BTreeSet;

use super::super::view::proxy;
use crate::facts::{Evidence, Facts, Known, Node};
use crate::network::{self, Decided};
use crate::trust;

type Set = Known<BTreeSet<String>>;

/// Looks at one node, for the way to a host.
pub(super) type Looked = fn(&Facts, &str, Option<&str>) -> Set;

pub(super) struct Trait {
    pub(super) name: &'static str,
    pub(super) artefact: &'static str,
    pub(super) look: Looked,
}

const fn make(name: &'static str, artefact: &'static str, look: Looked) -> Trait {
    Trait { name, artefact, look }
}

/// In the order of the pull's way, circumstances last.
pub(super) const TRAITS: [Trait; 16] = [
    make("hosts-file", "node-hosts-file", hosts_file),
    make("resolver", "node-resolv-conf", resolver),
    make("look-up", "dig-output", look_up),
    make("proxy", "node-proxy-env", proxy_address),
    make("no-proxy", "node-proxy-env", no_proxy),
    make("routes", "node-routes", routes),
    make("chain", "certificate-chain", chain),
    make("trust-store", "trust-store", trust_store),
    make("hosts-toml", "hosts-toml", hosts_toml),
    make("runtime", "nodes", |f, n, _| node(f, n, |n| n.runtime.clone())),
    make("kubelet", "nodes", |f, n, _| node(f, n, |n| n.kubelet.clone())),
    make("system", "nodes", |f, n, _| node(f, n, |n| n.os_image.clone().or_else(|| n.os.clone()))),
    make("processor", "nodes", |f, n, _| node(f, n, |n| n.arch.clone())),
    make("conditions", "nodes", conditions),
    make("pool", "nodes", pool),
    make("joined", "nodes", |f, n, _| node(f, n, |n| n.created.at.map(|t| t.to_string().chars().take(10).collect()))),
];

fn one(value: impl ToString, source: &crate::bundle::Source, guessed: bool) -> Set {
    Known::Seen(BTreeSet::from([value.to_string()]), Evidence::of(source).guessed(guessed))
}

fn node(facts: &Facts, name: &str, field: impl Fn(&Node) -> Option<String>) -> Set {
    match facts.nodes.iter().find(|n| n.name == name).and_then(|n| field(n).map(|v| (v, n))) {
        Some((value, node)) => one(value, &node.source, false),
        None => Known::NotCollected("nodes"),
    }
}

fn pool(facts: &Facts, name: &str, _: Option<&str>) -> Set {
    let source = facts.nodes.iter().find(|n| n.name == name).map(|n| &n.source);
    match (facts.pool_of(name), source) {
        (Some(pool), Some(source)) => one(pool, source, false),
        _ => Known::NotCollected("nodes"),
    }
}

/// Conditions other than `Ready` that are true.
fn conditions(facts: &Facts, name: &str, _: Option<&str>) -> Set {
    let Some(node) = facts.nodes.iter().find(|n| n.name == name && !n.conditions.is_empty()) else { return Known::NotCollected("nodes") };
    let bad = || node.conditions.iter().filter(|c| if c.kind == "Ready" { c.status != "True" } else { c.status == "True" });
    let set = bad().map(|c| if c.kind == "Ready" { "NotReady".to_owned() } else { c.kind.clone() }).collect();
    Known::Seen(set, Evidence::of(bad().next().map_or(&node.source, |c| &c.source)))
}

/// The entries for the host, or all where none is asked for.
fn hosts_file(facts: &Facts, name: &str, host: Option<&str>) -> Set {
    let Some((file, guessed)) = Facts::of_node(&facts.hosts_files, Some(name)).next() else { return Known::NotCollected("node-hosts-file") };
    let fits = |e: &&crate::facts::HostEntry| match host {
        Some(host) => e.names.iter().any(|n| n == host),
        None => !e.address.is_loopback() && !e.address.is_multicast(),
    };
    let found: Vec<_> = file.value.iter().filter(fits).collect();
    let set = found.iter().map(|e| format!("{} {}", e.address, host.map_or_else(|| e.names.join(" "), str::to_owned))).collect();
    Known::Seen(set, Evidence::of(found.first().map_or(&file.source, |e| &e.source)).guessed(guessed))
}

fn resolver(facts: &Facts, name: &str, _: Option<&str>) -> Set {
    let files: Vec<_> = Facts::of_node(&facts.resolvers, Some(name)).collect();
    match files.iter().find(|(r, _)| !r.value.is_stub()).or_else(|| files.first()) {
        Some((r, guessed)) => {
            let set = r.value.nameservers.iter().map(|(a, _)| a.to_string()).collect();
            Known::Seen(set, Evidence::of(&r.source).guessed(*guessed))
        }
        None => Known::NotCollected("node-resolv-conf"),
    }
}

fn look_up(facts: &Facts, name: &str, host: Option<&str>) -> Set {
    let asked = network::own_lookups(facts, Some(name), None).filter(|(l, _)| Some(l.value.name.as_str()) == host);
    match asked.max_by_key(|(l, _)| l.value.addresses.len()) {
        Some((l, guessed)) if l.value.addresses.is_empty() => one(&l.value.status, &l.source, guessed),
        Some((l, guessed)) => Known::Seen(l.value.addresses.iter().map(ToString::to_string).collect(), Evidence::of(&l.source).guessed(guessed)),
        None => Known::NotCollected("dig-output"),
    }
}

fn proxy_address(facts: &Facts, name: &str, _: Option<&str>) -> Set {
    match proxy::of_service(facts, Some(name), None) {
        Some((p, guessed)) if p.value.https_proxy.is_some() || p.value.whole => {
            Known::Seen(p.value.https_proxy.iter().cloned().collect(), Evidence::of(&p.source).guessed(guessed))
        }
        _ => Known::NotCollected("node-proxy-env"),
    }
}

fn no_proxy(facts: &Facts, name: &str, _: Option<&str>) -> Set {
    match proxy::of_service(facts, Some(name), None) {
        Some((p, guessed)) => {
            Known::Seen(p.value.no_proxy.iter().cloned().collect(), Evidence::of(p.value.no_proxy_at.as_ref().unwrap_or(&p.source)).guessed(guessed))
        }
        None => Known::NotCollected("node-proxy-env"),
    }
}

/// The kernel's route for the host's address, where the node is known to resolve it; else what drops or refuses.
fn routes(facts: &Facts, name: &str, host: Option<&str>) -> Set {
    let Some((table, guessed)) = Facts::of_node(&facts.routes, Some(name)).next() else { return Known::NotCollected("node-routes") };
    let pinned = Facts::of_node(&facts.hosts_files, Some(name)).flat_map(|(f, _)| &f.value).find(|e| host.is_some_and(|h| e.names.iter().any(|n| n == h)));
    let found = network::own_lookups(facts, Some(name), None).filter(|(l, _)| Some(l.value.name.as_str()) == host).find_map(|(l, _)| l.value.addresses.first());
    let Some(address) = pinned.map(|e| e.address).or(found.copied()) else {
        let odd: Vec<_> = table.value.iter().filter(|r| matches!(r.kind.as_str(), "blackhole" | "prohibit" | "unreachable")).collect();
        let set = odd.iter().map(|r| format!("{} {}", r.kind, r.prefix)).collect();
        return Known::Seen(set, Evidence::of(odd.first().map_or(&table.source, |r| &r.source)).guessed(guessed));
    };
    let Some(told) = network::on_node(facts, Some(name), address, None) else { return Known::NotCollected("node-routes") };
    match told.decided {
        // The gateway's own address is each subnet's; that there is one is what counts.
        Decided::Route(r) => one(format!("{} {}{}", r.kind, r.prefix, if r.via.is_some() { " through a gateway" } else { "" }), &r.source, told.guessed),
        Decided::Rule(r) => one(format!("{} {}", r.as_route(address).kind, r.as_route(address).prefix), &r.source, told.guessed),
        Decided::Nothing => one("no route", told.source, told.guessed),
        Decided::Unknown => Known::NotCollected("node-routes"),
    }
}

fn chain(facts: &Facts, name: &str, host: Option<&str>) -> Set {
    let mut chains = Facts::of_node(&facts.chains, Some(name));
    match chains.find(|(c, _)| c.value.host.is_none() || c.value.host.as_deref() == host) {
        Some((c, guessed)) => {
            let leaf = c.value.certificates.first().map(|l| format!("{}, issued by {}", l.subject, l.issuer));
            Known::Seen(leaf.into_iter().collect(), Evidence::of(&c.source).guessed(guessed))
        }
        None => Known::NotCollected("certificate-chain"),
    }
}

/// What the node trusts. Where some node was shown the host's chain, only what that chain leads to matters.
fn trust_store(facts: &Facts, name: &str, host: Option<&str>) -> Set {
    let stores: Vec<_> = Facts::of_node(&facts.trust, Some(name)).collect();
    let Some((first, guessed)) = stores.first() else { return Known::NotCollected("trust-store") };
    let shown = facts.chains.iter().find(|c| host.is_some() && c.value.host.as_deref() == host);
    let end = shown.and_then(|c| trust::end_of(&c.value));
    let matters = |c: &&crate::facts::Certificate| end.is_none_or(|end| end.issued_by(c) || (c.subject == end.subject && c.key_id == end.key_id));
    let found: Vec<_> = stores.iter().flat_map(|(s, _)| &s.value.certificates).filter(matters).collect();
    let set = found.iter().map(|c| c.subject.clone()).collect();
    Known::Seen(set, Evidence::of(found.first().filter(|_| end.is_some()).map_or(&first.source, |c| &c.source)).guessed(*guessed))
}

fn hosts_toml(facts: &Facts, name: &str, host: Option<&str>) -> Set {
    let files: Vec<_> =
        Facts::of_node(&facts.hosts_toml, Some(name)).filter(|(t, _)| host.is_none_or(|h| t.value.registry == h || t.value.registry == "_default")).collect();
    let Some((first, guessed)) = files.first() else { return Known::NotCollected("hosts-toml") };
    let set = files.iter().flat_map(|(t, _)| &t.value.mirrors).map(|(host, _)| host.clone()).collect();
    Known::Seen(set, Evidence::of(&first.source).guessed(*guessed))
}
