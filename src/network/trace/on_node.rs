//! What happens to the packet on the node itself: its name, its proxy, its filter, its kernel's routes?

use std::net::IpAddr;

use super::{Ask, At, End, Step};
use crate::facts::{Evidence, Facts};
use crate::network::filter::{self, Fate};
use crate::network::{Decided, no_proxy, on_node};

/// The address that the node would find for the name: its hosts file's, its resolver's, the one that an error names.
pub(super) fn resolve(facts: &Facts, ask: &Ask<'_>, steps: &mut Vec<Step>) -> Option<IpAddr> {
    let host = ask.host?;
    match Facts::of_node(&facts.hosts_files, Some(ask.node)).next() {
        Some((file, guessed)) => match file.value.iter().find(|e| e.names.iter().any(|n| n.eq_ignore_ascii_case(host))) {
            Some(entry) => {
                steps.push(Step::passed(
                    "hosts-file",
                    format!("the hosts file pins {host} to {}", entry.address),
                    Evidence::of(&entry.source).guessed(guessed),
                ));
                return Some(entry.address);
            }
            None => steps.push(Step::passed("hosts-file", format!("the hosts file says nothing of {host}"), Evidence::of(&file.source).guessed(guessed))),
        },
        None => steps.push(Step::unknown("hosts-file", "node-hosts-file")),
    }
    let lookups = || crate::network::own_lookups(facts, Some(ask.node), None).filter(|(l, _)| l.value.name.eq_ignore_ascii_case(host));
    // A later look-up is the nearer one to the time of the question.
    let answer = lookups().filter(|(l, _)| !l.value.addresses.is_empty()).last();
    if let Some((lookup, guessed)) = answer {
        let addresses = lookup.value.addresses.clone();
        let shown: Vec<String> = addresses.iter().map(ToString::to_string).collect();
        let says = format!("{host} has the address {}", shown.join(", "));
        let first = addresses.first().copied();
        steps.push(Step::passed("resolver", says, Evidence::of(&lookup.source).guessed(guessed)).by(At::Answer(lookup.value.server, addresses)));
        return first;
    }
    if let Some((address, evidence)) = &ask.dialled {
        steps.push(Step::passed("resolver", format!("the node dialled {address} for {host}"), evidence.clone()).by(At::Answer(None, vec![*address])));
        return Some(*address);
    }
    steps.push(match lookups().last() {
        Some((lookup, guessed)) => {
            let says = format!("the look-up of {host} ended with {}", lookup.value.status);
            Step::failed("resolver", End::Unreachable, says, Evidence::of(&lookup.source).guessed(guessed)).by(At::Answer(lookup.value.server, Vec::new()))
        }
        None => Step::unknown("resolver", "dig-output"),
    });
    None
}

/// Who carries the request: the runtime itself, or a proxy on its behalf.
pub(super) enum Carrier {
    /// The runtime goes there itself, as far as is known.
    Direct(Step),
    /// It asks this proxy, at this port.
    Proxy { host: String, port: u16, step: Step },
}

/// Whether the runtime goes there itself.
pub(super) fn proxy(facts: &Facts, ask: &Ask<'_>) -> Carrier {
    let of_runtime = || {
        let others = ["kubelet", "shell", "cri-docker"];
        Facts::of_node(&facts.proxies, Some(ask.node)).filter(move |(p, _)| p.value.service.as_deref().is_none_or(|s| !others.contains(&s)))
    };
    let set = of_runtime().find(|(p, _)| p.value.https_proxy.is_some()).or_else(|| of_runtime().next());
    let Some((settings, guessed)) = set else { return Carrier::Direct(Step::unknown("proxy", "node-proxy-env")) };
    let target = ask.host.map_or_else(|| ask.address.map(|a| a.to_string()).unwrap_or_default(), str::to_owned);
    let evidence = Evidence::of(settings.value.no_proxy_at.as_ref().unwrap_or(&settings.source)).guessed(guessed);
    let Some(proxy) = &settings.value.https_proxy else {
        return Carrier::Direct(Step::passed("proxy", "the runtime has no proxy", Evidence::of(&settings.source).guessed(guessed)));
    };
    if no_proxy::bypass(&settings.value.no_proxy, &target, ask.port).is_some() {
        return Carrier::Direct(Step::passed("proxy", format!("the runtime has the proxy {proxy}, and NO_PROXY keeps {target} from it"), evidence));
    }
    let (host, port) = match proxy.rsplit_once(':') {
        Some((host, port)) if port.parse::<u16>().is_ok() => (host, port.parse().unwrap_or(80)),
        _ => (proxy.as_str(), 80),
    };
    let way = format!("NO_PROXY does not cover {target}: the runtime asks the proxy {proxy} for it");
    let rows = || facts.egress.log.iter().filter(|r| r.by_proxy && r.host.as_deref() == Some(target.as_str()) && r.port.is_none_or(|p| p == ask.port));
    // The newest row tells what the proxy does now.
    let step = match rows().next_back() {
        Some(row) if row.allowed => {
            Step::passed("proxy", format!("{way}, and it lets it through; what follows is the way to the proxy"), Evidence::of(&row.source))
        }
        Some(row) => Step::failed("proxy", End::Refused, format!("{way}, and it refuses"), Evidence::of(&row.source)),
        None => Step { evidence, says: format!("{way}; what it does with it, its log tells"), ..Step::unknown("proxy", "proxy-log") },
    };
    Carrier::Proxy { host: host.trim_matches(['[', ']']).to_owned(), port, step }
}

/// What the node's own packet filter does.
pub(super) fn firewall(facts: &Facts, ask: &Ask<'_>, address: IpAddr) -> Step {
    let mut passes = None;
    for (listing, guessed) in Facts::of_node(&facts.firewalls, Some(ask.node)) {
        match filter::fate(&listing.value, address, ask.port) {
            Some(Fate::Dropped(source, _)) => {
                return Step::failed("node-firewall", End::Dropped, "a rule of the node's own filter drops it", Evidence::of(source).guessed(guessed));
            }
            Some(Fate::Passes(source)) if listing.value.is_complete => passes = Some(Evidence::of(source).guessed(guessed)),
            _ => {}
        }
    }
    passes.map_or_else(
        || Step::unknown("node-firewall", "node-firewall"),
        |evidence| Step::passed("node-firewall", "the node's own filter lets it out", evidence),
    )
}

/// Which of the kernel's routes takes it.
pub(super) fn route(facts: &Facts, ask: &Ask<'_>, address: IpAddr) -> Step {
    let Some(told) = on_node(facts, Some(ask.node), address, ask.from) else { return Step::unknown("node-route", "node-routes") };
    let row = match told.decided {
        Decided::Route(row) => row.clone(),
        Decided::Rule(rule) => rule.as_route(address),
        Decided::Unknown => return Step::unknown("node-route", "node-routes"),
        Decided::Nothing => {
            return Step::failed(
                "node-route",
                End::Unreachable,
                format!("no route of the node covers {address}"),
                Evidence::of(told.source).guessed(told.guessed),
            );
        }
    };
    let evidence = Evidence::of(&row.source).guessed(told.guessed);
    let step = match row.kind.as_str() {
        "blackhole" => Step::failed("node-route", End::Dropped, format!("the route {} drops it", row.prefix), evidence),
        "prohibit" | "unreachable" | "throw" => Step::failed("node-route", End::Refused, format!("the route {} refuses it", row.prefix), evidence),
        _ => {
            let via = row.via.map(|v| format!(" by {v}")).unwrap_or_default();
            Step::passed("node-route", format!("the route {} takes it{via}", row.prefix), evidence)
        }
    };
    step.by(At::Kernel(row))
}
