//! Does the firewall on the way let a host through? By its log, else by its rules, as the firewall itself reads them.
//!
//! Rules for addresses come before rules for names; among each kind the lower priority is read first and the first match
//! decides. What no rule matches is refused. A rule that names groups or tags which the bundle does not unfold may match.

use std::net::IpAddr;

use crate::facts::egress::{Egress, EgressRow, EgressRule, RuleListing};
use crate::facts::{Evidence, Known};

/// One connection as a firewall sees it.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'a> {
    /// Who opens it.
    pub from: Option<IpAddr>,
    /// The name asked for.
    pub host: Option<&'a str>,
    /// The address.
    pub address: Option<IpAddr>,
    /// The port.
    pub port: u16,
}

/// The newest row of the log about this connection; a proxy's rows apart from a firewall's.
pub fn logged<'e>(egress: &'e Egress, wanted: Wanted<'_>, by_proxy: bool) -> Option<&'e EgressRow> {
    let of_source = |r: &&EgressRow| match (wanted.from, r.from) {
        (Some(wanted), Some(from)) => wanted == from,
        _ => true,
    };
    let of_target = |r: &&EgressRow| match (&r.host, r.address) {
        (Some(host), _) if wanted.host == Some(host) => true,
        (_, Some(address)) => wanted.address == Some(address),
        _ => false,
    };
    let rows = egress.log.iter().filter(|r| r.by_proxy == by_proxy && r.port.is_none_or(|p| p == wanted.port));
    rows.filter(of_source).filter(of_target).max_by_key(|r| (r.at, !r.allowed))
}

/// What one rule says of the connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Match {
    Yes,
    No,
    Perhaps,
}

impl Match {
    fn and(self, other: Match) -> Match {
        match (self, other) {
            (Match::No, _) | (_, Match::No) => Match::No,
            (Match::Yes, Match::Yes) => Match::Yes,
            _ => Match::Perhaps,
        }
    }
}

/// Whether something with this owner belongs to the policy or firewall.
fn is_of(owner: &str, policy: &str) -> bool {
    owner.strip_prefix(policy).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The policy, and those from which it inherits, as far as they were collected.
fn inherited<'e>(egress: &'e Egress, policy: &'e str) -> Vec<&'e str> {
    const DEEPEST: usize = 4;
    let base_of = |key: &&'e str| egress.policies.iter().find(|p| p.key == **key)?.base.as_deref();
    std::iter::successors(Some(policy), base_of).take(DEEPEST).collect()
}

/// The lists of rules that count, and whether the policy itself says that they are all. None where one is missing.
fn listings<'e>(egress: &'e Egress, policy: Option<&'e str>) -> Option<(Vec<&'e RuleListing>, bool)> {
    let chain = policy.map(|p| inherited(egress, p));
    let counts = |owner: &str| chain.as_ref().is_none_or(|chain| owner.is_empty() || chain.iter().any(|p| is_of(owner, p)));
    let own: Vec<&RuleListing> = egress.listings.iter().filter(|l| counts(&l.policy)).collect();
    let shown: Vec<_> = egress.policies.iter().filter(|p| counts(&p.key)).collect();
    let dumped = |group: &String| own.iter().any(|l| l.group == *group);
    let has_base = |base: &String| egress.policies.iter().any(|p| p.key == *base) || egress.listings.iter().any(|l| is_of(&l.policy, base));
    let all = shown.iter().all(|p| p.groups.iter().all(dumped) && p.base.as_ref().is_none_or(has_base));
    // The older kind of firewall holds its rules itself.
    let itself = own.iter().all(|l| l.policy == l.group);
    (all && !own.is_empty()).then_some((own, !shown.is_empty() || itself))
}

/// Whether the rules let the connection through: the rule that decides, or that none does. Unknown where a rule may match.
pub fn by_rules<'e>(egress: &'e Egress, policy: Option<&str>, wanted: Wanted<'_>) -> Option<(bool, Option<&'e EgressRule>)> {
    let chain = policy.map(|p| inherited(egress, p));
    let depth = |owner: &str| chain.as_ref().map_or(Some(0), |chain| chain.iter().position(|p| owner.is_empty() || is_of(owner, p)));
    let mut rules: Vec<(usize, &EgressRule)> = egress.rules.iter().filter_map(|r| Some((depth(&r.policy)?, r))).collect();
    // What is inherited is read before a policy's own.
    rules.sort_by_key(|(depth, r)| (r.by_name, std::cmp::Reverse(*depth), r.priority));
    for (_, rule) in rules {
        match matches(rule, wanted) {
            Match::Yes => return Some((rule.allows, Some(rule))),
            Match::No => {}
            Match::Perhaps => return None,
        }
    }
    Some((false, None))
}

/// Whether the firewall lets the connection through, by its log, else by its rules.
pub fn passes(egress: &Egress, policy: Option<&str>, wanted: Wanted<'_>) -> Known<bool> {
    if let Some(row) = logged(egress, wanted, false) {
        let own = wanted.from.is_some() && row.from == wanted.from;
        return Known::Seen(row.allowed, Evidence::of(&row.source).guessed(!own));
    }
    let Some((lists, whole)) = listings(egress, policy) else { return Known::NotCollected("firewall-rules") };
    match by_rules(egress, policy, wanted) {
        Some((allowed, Some(rule))) => Known::Seen(allowed, Evidence::of(&rule.source)),
        Some((allowed, None)) => Known::Seen(allowed, Evidence { sources: lists.iter().take(4).map(|l| l.source.clone()).collect(), guessed: !whole }),
        None => Known::NotCollected("firewall-log"),
    }
}

fn matches(rule: &EgressRule, wanted: Wanted<'_>) -> Match {
    let port = if rule.ports.is_empty() || rule.ports.iter().any(|p| in_ports(p, wanted.port)) { Match::Yes } else { Match::No };
    let from = match wanted.from {
        _ if rule.from.iter().any(|f| f == "*") => Match::Yes,
        Some(address) if rule.from.iter().any(|f| in_range(f, address)) => Match::Yes,
        Some(_) if !rule.from.is_empty() => Match::No,
        _ => Match::Perhaps,
    };
    port.and(from).and(target(rule, wanted))
}

fn target(rule: &EgressRule, wanted: Wanted<'_>) -> Match {
    let named = wanted.host.is_some_and(|host| rule.hosts.iter().any(|(pattern, _)| names(pattern, host)));
    let everything = rule.to.iter().chain(rule.hosts.iter().map(|(pattern, _)| pattern)).any(|t| t == "*");
    let addressed = wanted.address.is_some_and(|address| rule.to.iter().any(|range| in_range(range, address)));
    if everything || named || (addressed && !rule.by_name) {
        return Match::Yes;
    }
    let tagged = rule.folded.iter().any(|tag| may_hold(tag, wanted));
    // Without the address, a rule for public ranges may cover the host; one for private ranges covers no public name.
    let unseen = wanted.address.is_none() && !rule.by_name && rule.to.iter().any(|range| range_of(range).is_some_and(|n| !super::is_private(n.addr())));
    if tagged || unseen { Match::Perhaps } else { Match::No }
}

/// Whether a group or tag whose content the bundle does not show may hold the host. Tags of a known purpose do not hold a
/// host outside it.
fn may_hold(tag: &str, wanted: Wanted<'_>) -> bool {
    let tag = tag.to_ascii_lowercase();
    let ends = |suffixes: &[&str]| wanted.host.is_none_or(|h| suffixes.iter().any(|s| h.ends_with(s)));
    let private = wanted.address.is_some_and(super::is_private);
    match tag.split('.').next().unwrap_or(&tag) {
        "azurekubernetesservice" => ends(&[".microsoft.com", ".azure.com", ".azmk8s.io", ".microsoftonline.com", ".azureedge.net", ".ubuntu.com"]),
        "azurecontainerregistry" => !private && ends(&[".azurecr.io"]),
        "microsoftcontainerregistry" | "azurefrontdoor" => !private && ends(&["mcr.microsoft.com"]),
        "storage" => !private && ends(&[".core.windows.net"]),
        "azureactivedirectory" => !private && ends(&[".microsoftonline.com"]),
        "azuremonitor" | "windowsupdate" | "azurekeyvault" | "sql" => false,
        _ => true,
    }
}

fn in_ports(ports: &str, port: u16) -> bool {
    match ports.split_once('-') {
        Some((low, high)) => low.parse::<u16>().is_ok_and(|l| l <= port) && high.parse::<u16>().is_ok_and(|h| port <= h),
        None => ports == "*" || ports.parse() == Ok(port),
    }
}

fn range_of(range: &str) -> Option<ipnet::IpNet> {
    range.parse().ok().or_else(|| range.parse::<IpAddr>().ok().map(ipnet::IpNet::from))
}

/// A range as firewalls write it: CIDR, a single address, or `first-last`.
fn in_range(range: &str, address: IpAddr) -> bool {
    if let Some((first, last)) = range.split_once('-') {
        return first.trim().parse::<IpAddr>().is_ok_and(|f| f <= address) && last.trim().parse::<IpAddr>().is_ok_and(|l| address <= l);
    }
    range_of(range).is_some_and(|n| n.contains(&address))
}

/// `*.corp.example` covers every name below it, however deep; a name alone covers itself.
fn names(pattern: &str, host: &str) -> bool {
    match pattern.strip_prefix('*') {
        Some(suffix) => host.len() > suffix.len() && host.ends_with(suffix),
        None => pattern == host,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bundle::{FileId, Source};

    fn rule(by_name: bool, to: &[&str], hosts: &[&str], folded: &[&str]) -> EgressRule {
        let texts = |list: &[&str]| list.iter().map(|t| (*t).to_owned()).collect();
        EgressRule {
            policy: "p".into(),
            name: "r".into(),
            allows: true,
            by_name,
            priority: (100, 100),
            from: texts(&["10.1.0.0/16"]),
            to: texts(to),
            hosts: hosts.iter().map(|h| ((*h).to_owned(), Source::new(FileId::default(), 1, h))).collect(),
            folded: texts(folded),
            ports: texts(&["443"]),
            source: Source::new(FileId::default(), 1, ""),
        }
    }

    #[test]
    fn rules_match_as_a_firewall_reads_them() {
        let node: IpAddr = "10.1.0.4".parse().unwrap();
        let to =
            |host: &'static str, address: Option<&str>| Wanted { from: Some(node), host: Some(host), address: address.map(|a| a.parse().unwrap()), port: 443 };
        let blob = to("store1.blob.core.windows.net", None);
        for (rule, wanted, want) in [
            (rule(true, &[], &["*.blob.core.windows.net"], &[]), blob, Match::Yes),
            (rule(true, &[], &["*.blob.windows.net"], &[]), blob, Match::No),
            (rule(true, &[], &["blob.core.windows.net"], &[]), blob, Match::No),
            (rule(true, &[], &[], &["AzureKubernetesService"]), blob, Match::No),
            (rule(false, &["Storage.WestEurope"], &[], &["Storage.WestEurope"]), blob, Match::Perhaps),
            (rule(false, &["10.9.0.0/16"], &[], &[]), blob, Match::No),
            (rule(false, &["203.0.113.0/24"], &[], &[]), blob, Match::Perhaps),
            (rule(false, &["10.9.0.0/16"], &[], &[]), to("r.corp.example", Some("10.9.1.1")), Match::Yes),
            (rule(false, &["10.9.1.2-10.9.1.9"], &[], &[]), to("r.corp.example", Some("10.9.1.1")), Match::No),
        ] {
            assert_eq!(matches(&rule, wanted), want, "{rule:?}");
        }
        let other = Wanted { from: Some("10.2.0.4".parse().unwrap()), ..blob };
        assert_eq!(matches(&rule(true, &[], &["*"], &[]), other), Match::No);
        assert_eq!(matches(&rule(true, &[], &["*"], &[]), Wanted { port: 80, ..blob }), Match::No);
    }
}
