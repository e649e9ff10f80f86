//! Which proxy does the process that pulls know, and does a request to this host go through it?

use super::{Asked, Value, yes_no};
use crate::facts::{Evidence, Facts, Known, Of, Owner, ProxySettings};
use crate::message::Endpoint;
use crate::network::no_proxy::{self, Bypass};

type K = Known<Value>;

/// The unit of the runtime that the node reports.
fn runtime_service(a: &Asked<'_>) -> Option<&'static str> {
    let runtime = super::now::own(a)?.runtime.as_deref()?;
    match runtime.split_once("://")?.0 {
        "containerd" => Some("containerd"),
        "cri-o" => Some("crio"),
        "docker" => Some("docker"),
        _ => None,
    }
}

/// The settings of the service that pulls: the whole environment where it was shown, else a file that sets a proxy. Settings
/// of which nothing says whose they are count as a guess where the node has more than one service that could be meant.
fn of_runtime<'a>(a: &Asked<'a>) -> Option<(&'a Of<ProxySettings>, bool)> {
    of_service(a.facts, a.node(), runtime_service(a))
}

/// The same, of any node; without a service, of whichever runtime it has.
pub(in crate::pull) fn of_service<'a>(facts: &'a Facts, node: Option<&'a str>, own: Option<&str>) -> Option<(&'a Of<ProxySettings>, bool)> {
    let fits = |service: Option<&str>| match (service, own) {
        (None, _) => true,
        (Some(service), Some(own)) => service == own,
        (Some(service), None) => !matches!(service, "kubelet" | "shell" | "cri-docker"),
    };
    let files = || Facts::of_node(&facts.proxies, node).filter(|(p, _)| fits(p.value.service.as_deref()));
    let named = || files().filter(|(p, _)| p.value.service.is_some());
    named()
        .find(|(p, _)| p.value.whole)
        .or_else(|| named().find(|(p, _)| p.value.https_proxy.is_some()))
        .or_else(|| named().next())
        .or_else(|| files().find(|(p, _)| p.value.https_proxy.is_some()))
        .or_else(|| files().next())
}

/// The proxy of the runtime for HTTPS.
pub fn address(a: &Asked<'_>) -> K {
    let Some((p, guessed)) = of_runtime(a) else { return Known::NotCollected("node-proxy-env") };
    let evidence = Evidence::of(&p.source).guessed(guessed);
    match &p.value.https_proxy {
        Some(proxy) => Known::Seen(Value::Text(proxy.clone()), evidence),
        None if p.value.whole && !p.value.open => Known::Absent(evidence),
        // Another file may set what this one does not.
        None => Known::NotCollected("node-proxy-env"),
    }
}

/// The host that the request was for, where the stop may name the proxy instead.
fn target(a: &Asked<'_>) -> Option<String> {
    let registry = || a.pull.reference.as_ref().map(|r| r.bare_host().to_owned());
    match a.stop.endpoint {
        Some(Endpoint::Proxy) if is_proxy_itself(a) => registry(),
        _ => a.host().map(str::to_owned).or_else(registry),
    }
}

/// The same, as a rule names it.
pub fn target_host(a: &Asked<'_>) -> K {
    super::said(a, target(a), Value::Text)
}

/// Where the proxy refused, the stop names what it was asked for; where it could not be reached, only the proxy itself is known.
pub(super) fn is_proxy_itself(a: &Asked<'_>) -> bool {
    a.stop.endpoint == Some(Endpoint::Proxy) && (a.stop.address.is_some() || a.stop.resolver.is_some() || a.stop.host.is_none())
}

fn port(a: &Asked<'_>) -> u16 {
    a.stop.port.filter(|_| a.stop.endpoint != Some(Endpoint::Proxy)).unwrap_or(443)
}

/// Whether NO_PROXY of the runtime covers the host, as Go reads it.
pub fn bypassed_for_host(a: &Asked<'_>) -> K {
    let Some((p, guessed)) = of_runtime(a) else { return Known::NotCollected("node-proxy-env") };
    let at = p.value.no_proxy_at.as_ref().unwrap_or(&p.source);
    let Some(host) = target(a) else { return Known::Absent(Evidence::of(at)) };
    let covered = no_proxy::bypass(&p.value.no_proxy, &host, port(a)).is_some();
    let mut evidence = Evidence::of(at).guessed(guessed);
    if !covered && p.value.open {
        return Known::NotCollected("node-proxy-env");
    }
    if !covered {
        evidence.sources.extend(super::egress::left_to_proxy(a));
    }
    yes_no(covered, evidence)
}

/// Whether NO_PROXY of the runtime covers the registry's own host and not the one at which the pull stopped.
pub fn bypassed_for_registry_only(a: &Asked<'_>) -> K {
    let registry = a.pull.reference.as_ref().map(|r| r.bare_host()).unwrap_or("");
    let Some(host) = a.host().filter(|h| *h != registry && !is_proxy_itself(a)) else { return yes_no(false, a.by_text()) };
    let Some((p, guessed)) = of_runtime(a) else { return Known::NotCollected("node-proxy-env") };
    let entry = no_proxy::bypass(&p.value.no_proxy, registry, 443);
    let only = matches!(entry, Some(Bypass::Entry(_))) && no_proxy::bypass(&p.value.no_proxy, host, port(a)).is_none();
    if only && p.value.open {
        return Known::NotCollected("node-proxy-env");
    }
    yes_no(only, Evidence::of(p.value.no_proxy_at.as_ref().unwrap_or(&p.source)).guessed(guessed))
}

/// Whether something else on the node, another service or a shell, would go through a proxy to this host; else whether the
/// cluster's own setting or the runtime of a node of the same pool would.
pub fn needed(a: &Asked<'_>) -> K {
    let own = of_runtime(a).map(|(p, _)| std::ptr::from_ref(p));
    let Some(host) = target(a) else { return Known::NotCollected("node-proxy-env") };
    let mut seen = None;
    for (p, guessed) in Facts::of_node(&a.facts.proxies, a.node()).filter(|(p, _)| Some(std::ptr::from_ref(*p)) != own) {
        if p.value.https_proxy.is_some() && no_proxy::bypass(&p.value.no_proxy, &host, port(a)).is_none() {
            return yes_no(true, Evidence::of(&p.source).guessed(guessed));
        }
        seen = seen.or(Some((p, guessed)));
    }
    if let Some(evidence) = needed_around(a, &host) {
        return yes_no(true, evidence);
    }
    match seen {
        Some((p, guessed)) if p.value.whole || p.value.https_proxy.is_some() => yes_no(false, Evidence::of(&p.source).guessed(guessed)),
        _ => Known::NotCollected("node-proxy-env"),
    }
}

/// Where the cluster, or the runtime of a node that is set up alike, has a proxy for this host.
fn needed_around(a: &Asked<'_>, host: &str) -> Option<Evidence> {
    let of_cluster = a.facts.estate.clusters.iter().filter_map(|c| c.proxy.as_ref()).find_map(|p| {
        let (_, at) = p.https_proxy.as_ref()?;
        let entries: Vec<String> = p.no_proxy.iter().map(|(entry, _)| entry.clone()).collect();
        no_proxy::bypass(&entries, host, port(a)).is_none().then(|| Evidence::of(at))
    });
    // Nodes without a pool are set up alike as far as anybody knows.
    let pool_less = |name: &str| a.pull.pool.is_none() && a.facts.pool_of(name).is_none() && a.home().subnet.is_none();
    let alike = |name: &str| Some(name) != a.node() && (super::connect::is_mate(a, name) || pool_less(name));
    let of_mate = || {
        let mut names: Vec<&str> =
            a.facts.proxies.iter().filter_map(|p| if let Owner::Node { name, guessed: false } = &p.owner { Some(name.as_str()) } else { None }).collect();
        names.sort_unstable();
        names.dedup();
        names.into_iter().filter(|n| alike(n)).find_map(|name| {
            let (p, _) = of_service(a.facts, Some(name), runtime_service(a))?;
            let through = p.value.https_proxy.is_some() && !p.value.open && no_proxy::bypass(&p.value.no_proxy, host, port(a)).is_none();
            through.then(|| Evidence::of(&p.source).guessed(true))
        })
    };
    of_cluster.or_else(of_mate)
}
