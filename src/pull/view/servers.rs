//! Whom does the node's question for a name really reach? Behind the stub, the cache on the node and the servers on the way.

use std::net::IpAddr;

use super::{Asked, Value, resolve, yes_no};
use crate::facts::{Evidence, Facts, Known, Owner, ResolvConf};
use crate::network;
use crate::network::dns_server::{self, Way};
use crate::network::names::lies_in;

type K = Known<Value>;

/// Addresses at which clouds give their machines the answers of private zones.
const CLOUDS: [IpAddr; 3] = [
    IpAddr::V4(std::net::Ipv4Addr::new(168, 63, 129, 16)),
    IpAddr::V4(std::net::Ipv4Addr::new(169, 254, 169, 253)),
    IpAddr::V4(std::net::Ipv4Addr::new(169, 254, 169, 254)),
];

/// Resolvers that everybody may ask.
const PUBLIC: [IpAddr; 8] = [
    IpAddr::V4(std::net::Ipv4Addr::new(1, 1, 1, 1)),
    IpAddr::V4(std::net::Ipv4Addr::new(1, 0, 0, 1)),
    IpAddr::V4(std::net::Ipv4Addr::new(8, 8, 8, 8)),
    IpAddr::V4(std::net::Ipv4Addr::new(8, 8, 4, 4)),
    IpAddr::V4(std::net::Ipv4Addr::new(9, 9, 9, 9)),
    IpAddr::V4(std::net::Ipv4Addr::new(149, 112, 112, 112)),
    IpAddr::V4(std::net::Ipv4Addr::new(208, 67, 222, 222)),
    IpAddr::V4(std::net::Ipv4Addr::new(208, 67, 220, 220)),
];

fn is_clouds(address: &IpAddr) -> bool {
    CLOUDS.contains(address)
}

/// A stub or cache on the node itself, behind which others are asked.
fn is_on_node(address: IpAddr) -> bool {
    address.is_loopback() || (matches!(address, IpAddr::V4(v4) if v4.is_link_local()) && !is_clouds(&address))
}

/// The network in which the node stands, and what shows it.
pub(super) fn node_network(a: &Asked<'_>) -> Known<String> {
    let home = a.home();
    match home.network {
        Some(network) => Known::Seen(network, Evidence { sources: home.sources.into_iter().cloned().collect(), guessed: home.guessed }),
        None => Known::NotCollected("vnet"),
    }
}

/// The same, as a rule names it.
pub fn network_of_node(a: &Asked<'_>) -> K {
    node_network(a).map(Value::Text)
}

/// The DNS servers of the node's network: the cloud's own where it names none.
pub(super) fn network_servers(a: &Asked<'_>) -> Known<Vec<IpAddr>> {
    let home = a.home();
    // An interface's own servers count before its network's.
    let own = home.interfaces.iter().map(|i| &i.dns_servers).find(|d| d.seen().is_some()).filter(|_| !home.guessed);
    match own.or_else(|| home.network_of(a.facts).map(|n| &n.dns_servers)) {
        Some(Known::Seen(servers, evidence)) => Known::Seen(servers.clone(), evidence.clone()),
        Some(Known::Absent(evidence)) => Known::Seen(CLOUDS.iter().take(1).copied().collect(), evidence.clone()),
        _ => Known::NotCollected("vnet"),
    }
}

/// The nameservers behind the stub, by the node's own files; where several say the same, all of them show it.
fn behind_stub(a: &Asked<'_>) -> Option<(Vec<IpAddr>, Evidence)> {
    let mut files = Facts::of_node(&a.facts.resolvers, a.node()).filter(|(r, _)| !r.value.is_stub() && !r.value.nameservers.is_empty());
    let servers_of = |conf: &ResolvConf| conf.nameservers.iter().map(|(address, _)| *address).collect::<Vec<_>>();
    let (first, guessed) = files.next()?;
    let servers = servers_of(&first.value);
    let same = std::iter::once(first).chain(files.map(|(f, _)| f).filter(|f| servers_of(&f.value) == servers));
    let sources = same.flat_map(|f| f.value.nameservers.iter().map(|(_, source)| source.clone())).collect();
    Some((servers, Evidence { sources, guessed }))
}

/// Where the cache on the node sends the question for the host.
fn behind_cache(a: &Asked<'_>, listener: IpAddr) -> Option<(Vec<IpAddr>, Evidence)> {
    let host = a.host().unwrap_or("");
    let caches = Facts::of_node(&a.facts.names.servers, a.node()).filter(|(s, _)| s.value.on_node && s.value.addresses.contains(&listener));
    let forwards = caches.flat_map(|(s, guessed)| s.value.forwards.iter().map(move |f| (f, guessed)));
    let (forward, guessed) = forwards.filter(|(f, _)| f.suffix.is_empty() || lies_in(host, &f.suffix)).max_by_key(|(f, _)| f.suffix.len())?;
    (!forward.to.is_empty()).then(|| (forward.to.clone(), Evidence::of(&forward.source).guessed(guessed)))
}

/// The servers that the node's question comes to, behind a stub or a cache on it.
pub(super) fn upstream(a: &Asked<'_>) -> Known<Vec<IpAddr>> {
    let asked = resolve::resolver(a);
    let listener = match &asked {
        Known::Seen(resolver, evidence) if !is_on_node(*resolver) => return Known::Seen(vec![*resolver], evidence.clone()),
        Known::Seen(resolver, _) => Some(*resolver),
        _ => None,
    };
    let found = listener.and_then(|l| behind_cache(a, l)).or_else(|| behind_stub(a));
    if let Some((servers, evidence)) = found {
        return Known::Seen(servers, evidence);
    }
    match network_servers(a) {
        // Servers of one's own may have been set since the node took over the old ones.
        Known::Seen(servers, evidence) => {
            let own = !servers.iter().all(is_clouds);
            Known::Seen(servers, evidence.guessed(own))
        }
        _ if listener.is_some_and(|l| !l.is_loopback()) => Known::NotCollected("localdns-corefile"),
        _ => Known::NotCollected("node-resolv-conf"),
    }
}

/// The same, as a rule names it.
pub fn upstream_servers(a: &Asked<'_>) -> K {
    upstream(a).map(|servers| Value::List(servers.iter().map(ToString::to_string).collect()))
}

/// Whether the question comes to the cloud's own resolver straight from the node.
pub fn asks_cloud(a: &Asked<'_>) -> K {
    upstream(a).map(|servers| Value::Bool(servers.iter().all(is_clouds)))
}

/// The end of the way over DNS servers of one's own.
enum End {
    /// The cloud's resolver of the network in which this server stands.
    Cloud(IpAddr, Evidence),
    /// The server answers by itself, or asks the public DNS.
    Elsewhere(Evidence),
    /// Nothing is known of how this server is set up.
    Unknown(IpAddr, Evidence),
}

/// Follows the question from the server `at`, over a few servers at most.
fn follow(a: &Asked<'_>, at: IpAddr, host: &str) -> End {
    let mut at = at;
    let mut evidence = Evidence::default();
    for _ in 0..4 {
        // The entrance of the cloud's own resolver for those who come from elsewhere.
        if let Some((_, source)) = a.facts.names.entrances.iter().find(|(address, _)| *address == at) {
            evidence.sources.push(source.clone());
            return End::Cloud(at, evidence);
        }
        match dns_server::setup(&a.facts.names, at).map(|s| s.way(host)) {
            Some(Way::Forwards(forward, shown)) => {
                evidence = merged(evidence, shown);
                if forward.to.iter().any(is_clouds) {
                    return End::Cloud(at, evidence);
                }
                // The public DNS knows no private zone; a public address that nobody knows may still be one's own server.
                let Some(next) = forward.to.iter().find(|to| !network::is_public(**to)) else {
                    let known = forward.to.iter().all(|to| PUBLIC.contains(to));
                    return End::Elsewhere(evidence.guessed(!known));
                };
                at = *next;
            }
            Some(Way::Own(shown) | Way::Public(shown)) => return End::Elsewhere(merged(evidence, shown)),
            Some(Way::NotCollected) | None => break,
        }
    }
    End::Unknown(at, evidence)
}

/// The network whose own resolver answers in the end. Absent where no cloud's resolver is asked.
pub(super) fn answering_network(a: &Asked<'_>) -> Known<String> {
    let (servers, evidence) = match upstream(a) {
        Known::Seen(servers, evidence) => (servers, evidence),
        Known::Absent(evidence) => return Known::Absent(evidence),
        Known::NotCollected(artefact) => return Known::NotCollected(artefact),
    };
    if servers.iter().all(is_clouds) {
        return match node_network(a) {
            Known::Seen(network, shown) => Known::Seen(network, merged(evidence, shown)),
            other => other,
        };
    }
    dns_network_from(a, &servers, evidence)
}

fn merged(mut one: Evidence, other: Evidence) -> Evidence {
    one.guessed |= other.guessed;
    one.sources.extend(other.sources);
    one
}

/// The network from which DNS servers of one's own ask the cloud's resolver.
fn dns_network_from(a: &Asked<'_>, servers: &[IpAddr], evidence: Evidence) -> Known<String> {
    let Some(first) = servers.iter().find(|s| !is_clouds(s)) else { return Known::NotCollected("node-resolv-conf") };
    match follow(a, *first, a.host().unwrap_or("")) {
        End::Elsewhere(shown) => Known::Absent(merged(evidence, shown)),
        // A server in the cloud of which nothing is known would ask the cloud's resolver of its own network, if any.
        end @ (End::Cloud(..) | End::Unknown(..)) => network_of(a, end, evidence),
    }
}

fn network_of(a: &Asked<'_>, end: End, evidence: Evidence) -> Known<String> {
    let guessed = matches!(end, End::Unknown(..));
    match end {
        End::Elsewhere(shown) => Known::Absent(merged(evidence, shown)),
        End::Cloud(at, shown) | End::Unknown(at, shown) => match network::network_of_address(a.facts, a.home().network.as_deref(), at) {
            Some((network, source)) => {
                let mut all = merged(evidence, shown).guessed(guessed);
                all.sources.push(source.clone());
                Known::Seen(network.key.clone(), all)
            }
            None if guessed => Known::NotCollected("dns-server-config"),
            None => Known::NotCollected("vnet"),
        },
    }
}

/// The network of the DNS servers, where the node asks servers of its own making.
pub(super) fn dns_network(a: &Asked<'_>) -> Known<String> {
    match upstream(a) {
        Known::Seen(servers, evidence) if servers.iter().all(is_clouds) => Known::Absent(evidence),
        Known::Seen(servers, evidence) => dns_network_from(a, &servers, evidence),
        Known::Absent(evidence) => Known::Absent(evidence),
        Known::NotCollected(artefact) => Known::NotCollected(artefact),
    }
}

/// Whether the custom DNS server sends the question to the cloud's resolver, by its setup, else by what both answer.
pub fn forwards_zone(a: &Asked<'_>) -> K {
    let host = a.host().unwrap_or("");
    let servers = match upstream(a) {
        Known::Seen(servers, _) => servers,
        Known::Absent(evidence) => return Known::Absent(evidence),
        Known::NotCollected(artefact) => return Known::NotCollected(artefact),
    };
    let Some(server) = servers.iter().copied().find(|s| !is_clouds(s)) else { return Known::Absent(upstream_evidence(a)) };
    let own = answered(a, host, |s| s == server);
    let clouds = answered(a, host, |s| is_clouds(&s));
    // Where the cloud's resolver beside the server has no link either, it would answer publicly however well it is asked.
    let unlinked = matches!(super::zones::linked_to_dns_network(a), Known::Seen(Value::Bool(false), _));
    let seen_apart = match (&own, &clouds) {
        _ if unlinked => None,
        (Some((own, source)), Some((cloud, other))) if cloud.iter().any(|x| network::is_private(*x)) && own.iter().all(|x| !network::is_private(*x)) => {
            Some(vec![source.clone(), other.clone()])
        }
        _ => None,
    };
    let by_setup = match dns_server::setup(&a.facts.names, server) {
        None => Known::NotCollected("dns-server-config"),
        Some(_) => match follow(a, server, host) {
            End::Cloud(_, evidence) => yes_no(true, evidence),
            End::Elsewhere(mut evidence) => {
                // The cloud's resolver beside the server would have answered from the zone.
                let link = network::network_of_address(a.facts, a.home().network.as_deref(), server).and_then(|(n, _)| super::zones::link_to(a, &n.key));
                evidence.sources.extend(link);
                yes_no(false, evidence)
            }
            End::Unknown(..) => Known::NotCollected("dns-server-config"),
        },
    };
    match (by_setup, seen_apart) {
        (Known::Seen(value, mut evidence), apart) => {
            let agrees = apart.is_some() && value == Value::Bool(false);
            evidence.guessed &= !agrees;
            evidence.sources.extend(apart.filter(|_| agrees).unwrap_or_default());
            Known::Seen(value, evidence)
        }
        (_, Some(sources)) => yes_no(false, Evidence { sources, guessed: false }),
        (other, None) => other,
    }
}

fn upstream_evidence(a: &Asked<'_>) -> Evidence {
    match upstream(a) {
        Known::Seen(_, evidence) | Known::Absent(evidence) => evidence,
        Known::NotCollected(_) => Evidence::default(),
    }
}

/// The addresses that servers of a kind answered to whoever asked them by name, and where it stands.
fn answered(a: &Asked<'_>, host: &str, of: impl Fn(IpAddr) -> bool) -> Option<(Vec<IpAddr>, crate::bundle::Source)> {
    let of_nodes = |l: &&crate::facts::Of<crate::facts::Lookup>| !matches!(l.owner, Owner::Pod | Owner::Operator);
    let lookup = a.facts.lookups.iter().filter(of_nodes).rfind(|l| l.value.name == host && l.value.server.is_some_and(&of))?;
    (lookup.value.status != "TIMEOUT").then(|| (lookup.value.addresses.clone(), lookup.value.source.clone()))
}

fn against_network(a: &Asked<'_>, own: &[IpAddr], evidence: Evidence) -> K {
    match network_servers(a) {
        Known::Seen(wanted, shown) => yes_no(own.iter().all(|s| wanted.contains(s)), merged(evidence, shown)),
        Known::Absent(shown) => Known::Absent(shown),
        Known::NotCollected(artefact) => Known::NotCollected(artefact),
    }
}

/// Whether the cache on the node forwards to the servers of its network.
pub fn cache_forwards_to_network(a: &Asked<'_>) -> K {
    let Known::Seen(listener, _) = resolve::resolver(a) else { return Known::NotCollected("localdns-corefile") };
    match behind_cache(a, listener) {
        Some((servers, evidence)) => against_network(a, &servers, evidence),
        None => Known::NotCollected("localdns-corefile"),
    }
}
