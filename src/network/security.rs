//! Do security groups let a packet through, on the way out of the node and on the way in at the far end?
//!
//! In a group the fitting rule of the lowest number decides; every group on the way must let the packet through. What a name in a
//! rule stands for may not be known: then the rule may fit or not, and only a verdict that both readings share is one.

use std::net::IpAddr;

use super::home::{Home, names_it, tables};
use super::{is_private, is_public, network_of_address};
use crate::bundle::Source;
use crate::facts::network::{Access, Direction, Peer, SecurityGroup, SecurityRule};
use crate::facts::{Evidence, Facts, Known, Owner};

/// The packet that opens a connection.
#[derive(Debug, Clone, Copy)]
pub(super) struct Packet {
    /// The sender, where it is known.
    pub(super) from: Option<IpAddr>,
    /// Who is meant.
    pub(super) to: IpAddr,
    /// The port meant.
    pub(super) port: u16,
}

/// A rule that decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleSeen {
    /// Its name.
    pub name: String,
    /// Its number; none for the defaults behind a group that were not shown.
    pub priority: Option<u32>,
    /// Its group.
    pub group: String,
    /// Whether the group bears on the subnet, and not on the interface alone.
    pub of_subnet: bool,
}

impl RuleSeen {
    fn of(rule: &SecurityRule, group: &SecurityGroup) -> RuleSeen {
        RuleSeen { name: rule.short_name().to_owned(), priority: Some(rule.priority), group: group.name.clone(), of_subnet: !group.subnets.is_empty() }
    }

    /// Whether the platform made it, and nobody of the customer's.
    pub fn is_default(&self) -> bool {
        self.priority.is_none_or(|p| p >= 65_000)
    }
}

impl std::fmt::Display for RuleSeen {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.priority {
            Some(number) => write!(f, "{} (number {number}) of {}", self.name, self.group),
            None => write!(f, "the default rule of {}", self.group),
        }
    }
}

/// What the groups say of a packet.
#[derive(Debug, Clone)]
pub enum Judged {
    /// All let it through; the last rule that did, where a rule did.
    Allowed(Option<RuleSeen>, Evidence),
    /// This rule drops it.
    Denied(RuleSeen, Evidence),
    /// Nobody collected what would tell.
    Unknown(&'static str),
}

/// What bears on the way out of the node.
pub(super) fn outbound(facts: &Facts, node: Option<&str>, home: &Home<'_>, packet: Packet) -> Judged {
    let mut bearing = Vec::new();
    let mut guessed = home.guessed;
    if let Some((groups, is_own, guess)) = effective(facts, node, home) {
        guessed |= guess;
        bearing.extend(groups.iter().filter(|g| is_own || g.is_managers || !g.subnets.is_empty()).map(Ok));
        if !is_own {
            bearing.extend(of_interface(facts, home));
        }
    } else {
        bearing.extend(of_subnet(facts, home));
        bearing.extend(of_interface(facts, home));
    }
    judge(facts, &bearing, Direction::Out, packet, &|name, address| stands_for(facts, node, home, name, address)).guessed(guessed, home)
}

/// What bears on the way in at the address, as far as its interface or subnet was collected.
pub(super) fn inbound(facts: &Facts, home: &Home<'_>, packet: Packet) -> Judged {
    let there = network_of_address(facts, home.network.as_deref(), packet.to).map(|(n, _)| &n.key);
    let has_it = |i: &&crate::facts::network::Interface| i.addresses.iter().any(|(a, _)| *a == packet.to);
    let mut interfaces = facts.networks.interfaces.iter().filter(has_it).filter(|i| i.network.as_ref().is_none_or(|n| there.is_none_or(|t| t == n)));
    let interface = interfaces.next().filter(|_| interfaces.next().is_none());
    let strangers = |network: &String| there.is_some_and(|t| t != network) || there.is_none() && facts.networks.network(network).is_some();
    let covering: Vec<_> = facts.networks.subnets.iter().filter(|s| s.covers(packet.to).is_some() && !strangers(&s.network)).collect();
    let subnet = interface.and_then(|i| facts.networks.subnet(i.subnet.as_deref()?)).or(match covering.as_slice() {
        [only] => Some(*only),
        _ => None,
    });
    let Some(subnet) = subnet else { return Judged::Unknown("security-groups") };
    let is_endpoint = interface.is_some_and(|i| i.is_endpoint);
    if is_endpoint && let Known::Seen(false, evidence) = &subnet.filters_endpoints {
        return Judged::Allowed(None, evidence.clone());
    }
    let mut bearing = vec![group(facts, &subnet.security_group)];
    match (interface, &subnet.filters_endpoints) {
        // Whether rules bear on an endpoint at all is a setting of its subnet.
        (Some(i), Known::NotCollected(artefact)) if i.is_endpoint => bearing = vec![Err(*artefact)],
        (Some(i), _) if !i.is_endpoint => bearing.push(group(facts, &i.security_group)),
        (Some(_), _) => {}
        (None, _) => bearing.push(Err("nic")),
    }
    let bearing: Vec<Result<&SecurityGroup, &'static str>> = bearing.into_iter().filter_map(Result::transpose).collect();
    judge(facts, &bearing, Direction::In, packet, &|name, address| stands_for(facts, None, home, name, address))
}

/// A group that bears on the way, one that is not collected, or none.
type Bearing<'f> = Result<Option<&'f SecurityGroup>, &'static str>;

fn group<'f>(facts: &'f Facts, key: &Known<String>) -> Bearing<'f> {
    match key {
        Known::Seen(key, _) => {
            let name = key.rsplit('/').next().unwrap_or(key);
            // A table for people names its group by the command in front of it, or by its file, or not at all.
            let mut by_name = facts.networks.groups.iter().filter(|g| g.key.is_empty() && (g.name == *name || names_it(&g.name, name)));
            let only = by_name.next().filter(|_| by_name.next().is_none());
            best(facts.networks.groups.iter().filter(|g| g.key == *key)).or(only).map(Some).ok_or("security-groups")
        }
        Known::Absent(_) => Ok(None),
        Known::NotCollected(_) => Err("effective-security-rules"),
    }
}

/// Of several dumps of one group, one that is whole.
fn best<'f>(groups: impl Iterator<Item = &'f SecurityGroup>) -> Option<&'f SecurityGroup> {
    groups.max_by_key(|g| (g.whole, g.rules.len()))
}

fn of_subnet<'f>(facts: &'f Facts, home: &Home<'f>) -> Option<Result<&'f SecurityGroup, &'static str>> {
    let told = home.subnet_of(facts).map(|s| group(facts, &s.security_group));
    // A group says itself on which subnets it bears.
    let by_itself = || best(facts.networks.groups.iter().filter(|g| home.subnet.as_ref().is_some_and(|s| g.subnets.contains(s))));
    match told {
        Some(Ok(found)) => found.map(Ok),
        Some(Err(artefact)) => Some(by_itself().ok_or(artefact)),
        None => Some(by_itself().ok_or("effective-security-rules")),
    }
}

fn of_interface<'f>(facts: &'f Facts, home: &Home<'f>) -> Option<Result<&'f SecurityGroup, &'static str>> {
    match home.interfaces.first() {
        Some(interface) => group(facts, &interface.security_group).transpose(),
        None => Some(Err("effective-security-rules")),
    }
}

/// The groups of one dump that was made of the node's interface, or of another in its subnet; whether it is the node's own, and a guess.
fn effective<'f>(facts: &'f Facts, node: Option<&str>, home: &Home<'f>) -> Option<(&'f [SecurityGroup], bool, bool)> {
    let mut of_subnet = None;
    for dump in &facts.networks.effective_groups {
        let subnets = || dump.value.iter().flat_map(|g| &g.subnets);
        let foreign = home.subnet.is_some() && subnets().next().is_some() && !subnets().any(|s| Some(s) == home.subnet.as_ref());
        let mine = dump.value.iter().flat_map(|g| &g.interfaces).any(|i| home.interfaces.iter().any(|own| own.name.eq_ignore_ascii_case(i)));
        match &dump.owner {
            _ if foreign => {}
            Owner::Node { name, guessed } if Some(name.as_str()) == node && (!guessed || home.subnet.is_none()) => return Some((&dump.value, true, *guessed)),
            Owner::Unknown if node.is_none() => return Some((&dump.value, true, true)),
            _ if subnets().any(|s| Some(s) == home.subnet.as_ref()) => of_subnet = of_subnet.or(Some((dump.value.as_slice(), mine && !home.guessed, false))),
            _ => {}
        }
    }
    of_subnet
}

fn judge(facts: &Facts, bearing: &[Result<&SecurityGroup, &'static str>], direction: Direction, packet: Packet, names: Names<'_>) -> Judged {
    let mut evidence = Evidence::default();
    let mut unknown = None;
    let mut last = None;
    for group in bearing {
        match group {
            Err(artefact) => unknown = unknown.or(Some(*artefact)),
            Ok(group) => match decide(group, direction, packet, names) {
                Some(Decided::By(rule)) if rule.access == Access::Deny => {
                    let mut evidence = Evidence { sources: vec![rule.source.clone(), rule.meant.clone()], guessed: group.doubted };
                    evidence.sources.extend(as_set(facts, group, rule));
                    evidence.sources.dedup();
                    return Judged::Denied(RuleSeen::of(rule, group), evidence);
                }
                Some(Decided::By(rule)) => {
                    evidence.sources.push(rule.source.clone());
                    evidence.guessed |= group.doubted;
                    last = Some(RuleSeen::of(rule, group));
                    if rule.access == Access::AlwaysAllow {
                        return Judged::Allowed(last, evidence);
                    }
                }
                Some(Decided::ByDefault(Access::Deny)) => {
                    let rule = RuleSeen { name: "DenyAll".into(), priority: None, group: group.name.clone(), of_subnet: !group.subnets.is_empty() };
                    return Judged::Denied(rule, Evidence::of(&group.source).guessed(group.doubted));
                }
                Some(Decided::ByDefault(_)) => evidence.sources.push(group.source.clone()),
                None => unknown = unknown.or(Some(if direction == Direction::Out { "effective-security-rules" } else { "security-groups" })),
            },
        }
    }
    match unknown {
        Some(artefact) => Judged::Unknown(artefact),
        None => Judged::Allowed(last, evidence),
    }
}

/// The rule as it is set, where the one that decided is its effective form.
fn as_set(facts: &Facts, group: &SecurityGroup, rule: &SecurityRule) -> Vec<Source> {
    let set = facts.networks.groups.iter().filter(|g| !g.key.is_empty() && g.key == group.key).flat_map(|g| &g.rules);
    let same = set.filter(|r| r.short_name() == rule.short_name() && r.priority == rule.priority && r.source != rule.source);
    same.take(1).flat_map(|r| [r.source.clone(), r.meant.clone()]).collect()
}

enum Decided<'f> {
    By(&'f SecurityRule),
    ByDefault(Access),
}

type Names<'n> = &'n dyn Fn(&str, IpAddr) -> Option<bool>;

/// What one group says of a packet; nothing where that rests on what is not known.
fn decide<'f>(group: &'f SecurityGroup, direction: Direction, packet: Packet, names: Names<'_>) -> Option<Decided<'f>> {
    if !group.whole {
        return None;
    }
    let mut rules: Vec<&SecurityRule> = group.rules.iter().filter(|r| r.direction == direction && r.tcp).collect();
    rules.sort_by_key(|r| r.priority);
    let mut perhaps: Vec<Access> = Vec::new();
    let sure = |access: Access, perhaps: &[Access]| perhaps.iter().all(|p| (*p == Access::Deny) == (access == Access::Deny));
    for rule in rules {
        match fits(rule, packet, names) {
            Some(true) => return sure(rule.access, &perhaps).then_some(Decided::By(rule)),
            Some(false) => {}
            None => perhaps.push(rule.access),
        }
    }
    // The defaults stand behind every group, shown or not: within the networks, out to the internet, and nothing else.
    let within = means(&Peer::Tag("VirtualNetwork".into(), None), Some(packet.to), names);
    let out = means(&Peer::Tag("Internet".into(), None), Some(packet.to), names);
    let access = match (direction, within, out) {
        (Direction::Out, Some(true), _) | (Direction::Out, _, Some(true)) => Access::Allow,
        (Direction::Out, Some(false), Some(false)) => Access::Deny,
        _ => return None,
    };
    (!group.is_managers && sure(access, &perhaps)).then_some(Decided::ByDefault(access))
}

fn fits(rule: &SecurityRule, packet: Packet, names: Names<'_>) -> Option<bool> {
    if !rule.ports.is_empty() && !rule.ports.iter().any(|p| p.contains(&packet.port)) {
        return Some(false);
    }
    let any = |peers: &[Peer], address: Option<IpAddr>| {
        let answers: Vec<Option<bool>> = peers.iter().map(|p| means(p, address, names)).collect();
        if answers.contains(&Some(true)) {
            Some(true)
        } else if answers.contains(&None) {
            None
        } else {
            Some(false)
        }
    };
    match (any(&rule.from, packet.from), any(&rule.to, Some(packet.to))) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) if !rule.names_source_ports => Some(true),
        _ => None,
    }
}

fn means(peer: &Peer, address: Option<IpAddr>, names: Names<'_>) -> Option<bool> {
    match (peer, address) {
        (Peer::Any, _) => Some(true),
        (_, None) => None,
        (Peer::Tag(name, None), Some(address)) => names(name, address),
        (_, Some(address)) => peer.means(address),
    }
}

/// Services with public addresses only, as rules name them, perhaps with a region behind a dot.
const PUBLIC_SERVICES: [&str; 12] = [
    "AzureContainerRegistry",
    "MicrosoftContainerRegistry",
    "AzureFrontDoor",
    "Storage",
    "AzureActiveDirectory",
    "AzureResourceManager",
    "AzureMonitor",
    "AzureKeyVault",
    "AzureCloud",
    "Sql",
    "AzureMachineLearning",
    "GuestAndHybridManagement",
];

/// Whether a name that the dump does not expand stands for an address.
fn stands_for(facts: &Facts, node: Option<&str>, home: &Home<'_>, name: &str, address: IpAddr) -> Option<bool> {
    let platform = matches!(address, IpAddr::V4(v4) if v4.octets() == [168, 63, 129, 16]);
    if let Some((_, ranges)) = facts.networks.tags.iter().find(|(tag, _)| tag.eq_ignore_ascii_case(name)) {
        return Some(ranges.iter().any(|r| r.contains(&address)));
    }
    match name {
        _ if name.eq_ignore_ascii_case("VirtualNetwork") => within_networks(facts, node, home, address).or(platform.then_some(true)),
        _ if name.eq_ignore_ascii_case("AzureLoadBalancer") || name.eq_ignore_ascii_case("AzurePlatformDNS") => Some(platform),
        _ if name.eq_ignore_ascii_case("Internet") && is_private(address) => Some(false),
        _ if name.eq_ignore_ascii_case("Internet") && is_public(address) => Some(true),
        _ if is_private(address) && PUBLIC_SERVICES.iter().any(|s| name.split('.').next().is_some_and(|n| n.eq_ignore_ascii_case(s))) => Some(false),
        _ => None,
    }
}

/// The name of the own network stands for its ranges, those of networks peered with it, and whatever a gateway or a user's route
/// leads to. It follows the routes: an address that none of them covers may or may not be meant.
fn within_networks(facts: &Facts, node: Option<&str>, home: &Home<'_>, address: IpAddr) -> Option<bool> {
    let own = home.network_of(facts).is_some_and(|n| n.prefixes.iter().any(|(p, _)| p.contains(&address)));
    let peered = home.network.iter().flat_map(|n| facts.networks.peerings_of(n)).any(|p| p.carries.iter().any(|(r, _)| r.contains(&address)));
    let leads =
        |kind: &str| ["vnetlocal", "vnetpeering", "virtualnetworkgateway", "virtualappliance", "connectedgroup"].iter().any(|k| kind.eq_ignore_ascii_case(k));
    let routed = tables(facts, node, home)
        .iter()
        .flat_map(|(t, _)| &t.value.routes)
        .any(|r| r.active && r.prefix.prefix_len() > 0 && r.prefix.contains(&address) && leads(&r.next_hop_type));
    (own || peered || routed).then_some(true)
}

impl Judged {
    fn guessed(self, guessed: bool, home: &Home<'_>) -> Judged {
        let mark = |mut evidence: Evidence| {
            if guessed {
                evidence.sources.extend(home.sources.iter().map(|s| (*s).clone()));
            }
            evidence.guessed(guessed)
        };
        match self {
            Judged::Allowed(rule, evidence) => Judged::Allowed(rule, mark(evidence)),
            Judged::Denied(rule, evidence) => Judged::Denied(rule, mark(evidence)),
            unknown => unknown,
        }
    }
}
