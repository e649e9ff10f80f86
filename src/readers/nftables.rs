//! What does the node's own packet filter do with what the node sends? `nft list ruleset`.
//!
//! ```text
//! table inet filter {
//!     chain output {
//!         type filter hook output priority filter; policy accept;
//!         ip daddr 10.40.8.10 tcp dport 443 drop
//! ```

use std::collections::BTreeMap;
use std::net::IpAddr;

use ipnet::{IpNet, Ipv4Subnets, Ipv6Subnets};

use super::File;
use crate::bundle::Source;
use crate::facts::{Answer, Family, FilterChain, FilterRule, FilterVerdict as Verdict, Of, Owner, PacketFilter};
use crate::text;

pub(super) fn is_nftables(lines: &[&str]) -> bool {
    lines.iter().any(|l| ["table inet ", "table ip ", "table ip6 "].iter().any(|t| l.starts_with(t)) && without_handle(l).trim_end().ends_with('{'))
}

pub(super) fn read(file: &mut File<'_>, content: &str) {
    let mut filter = PacketFilter { is_complete: true, ..PacketFilter::default() };
    let mut table = String::new();
    let mut family = None;
    let mut in_chain = false;
    let sets = sets(content);
    for (number, line) in text::numbered(content) {
        let mut words = words(without_handle(line));
        for word in words.iter_mut().filter(|w| w.starts_with('@')) {
            if let Some(elements) = sets.get(&(table.clone(), word.trim_start_matches('@').to_owned())) {
                *word = format!("{{{}}}", elements.join(","));
            }
        }
        match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
            ["table", kind, name, "{"] => {
                table = format!("{kind} {name}");
                family = match *kind {
                    "ip" => Some(Family::V4),
                    "ip6" => Some(Family::V6),
                    _ => None,
                };
            }
            ["chain", name, "{"] => {
                in_chain = true;
                filter.chains.push(FilterChain {
                    table: table.clone(),
                    name: (*name).to_owned(),
                    hook: None,
                    policy: Verdict::Accept,
                    family,
                    rules: Vec::new(),
                    source: file.source(number, line),
                });
            }
            ["}"] => in_chain = false,
            _ if !in_chain => {}
            words => {
                let Some(chain) = filter.chains.last_mut() else { continue };
                let source = file.source(number, line);
                if let Some(hook) = after(words, "hook") {
                    // A chain of another type translates addresses or routes; it does not filter.
                    chain.hook = (after(words, "type") == Some("filter")).then(|| hook.to_owned());
                    if after(words, "policy") == Some("drop") {
                        chain.policy = Verdict::Drop;
                    }
                    chain.source = source;
                } else {
                    chain.rules.push(rule(words, source));
                }
            }
        }
    }
    let source = filter
        .chains
        .iter()
        .find(|c| c.hook.as_deref() == Some("output"))
        .map_or_else(|| file.source(1, "no chain sees what the node sends"), |c| c.source.clone());
    file.take("node-firewall");
    file.facts.firewalls.push(Of { owner: Owner::Unknown, value: filter, source });
}

/// `-a` writes every line's handle behind it.
fn without_handle(line: &str) -> &str {
    line.split(" # handle ").next().unwrap_or(line)
}

/// The elements of the named sets, by table and name. One whose elements come and go tells nothing of the time of a failure,
/// and one without elements may be of a listing that leaves them out.
fn sets(content: &str) -> BTreeMap<(String, String), Vec<String>> {
    let mut out: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    let mut moving = Vec::new();
    let mut table = String::new();
    let mut set = None;
    let mut inside = false;
    for line in content.lines() {
        let said = without_handle(line).trim();
        match said.split_whitespace().collect::<Vec<_>>().as_slice() {
            ["table", kind, name, "{"] => table = format!("{kind} {name}"),
            ["set", name, "{"] => set = Some((table.clone(), (*name).to_owned())),
            ["chain" | "map" | "}", ..] => (set, inside) = (None, false),
            ["flags", flags @ ..] if flags.iter().any(|f| f.contains("dynamic") || f.contains("timeout")) => moving.extend(set.clone()),
            ["timeout", ..] => moving.extend(set.clone()),
            words => {
                inside |= words.first() == Some(&"elements");
                if let Some(set) = set.clone().filter(|_| inside) {
                    let listed = said.trim_start_matches("elements = ").trim_matches(['{', '}', ' ']).split(',');
                    // What stands behind an element counts or explains it.
                    out.entry(set).or_default().extend(listed.filter_map(|e| e.split_whitespace().next()).map(str::to_owned));
                    inside = !said.ends_with('}');
                }
            }
        }
    }
    out.retain(|set, _| !moving.contains(set));
    out
}

fn after<'w>(words: &[&'w str], key: &str) -> Option<&'w str> {
    words.windows(2).find(|w| w.first() == Some(&key)).and_then(|w| w.get(1).copied())
}

/// Words of a line; a set in braces is one word, a quoted text none.
fn words(line: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut open = false;
    let mut quoted = false;
    for piece in line.split_whitespace() {
        let piece = piece.trim_end_matches(';');
        if quoted || piece.starts_with('"') {
            quoted = !(piece.len() > 1 && piece.ends_with('"'));
            // A quoted interface name is a word; a comment is none.
            if !quoted && piece.starts_with('"') {
                out.push(piece.trim_matches('"').to_owned());
            }
            continue;
        }
        if open {
            if let Some(last) = out.last_mut() {
                last.push_str(piece);
            }
            open = !piece.ends_with('}');
        } else if piece == "{" && line.contains('}') {
            out.push("{".into());
            open = true;
        } else if !piece.is_empty() {
            out.push(piece.to_owned());
        }
    }
    out
}

/// The parts of a value: one, or those of a set.
fn parts(value: &str) -> Vec<&str> {
    value.trim_matches(['{', '}']).split(',').map(str::trim).filter(|p| !p.is_empty()).collect()
}

/// An address, a prefix, or a range of addresses.
fn prefixes(part: &str) -> Option<Vec<IpNet>> {
    let Some((from, to)) = part.split_once('-') else { return super::prefix(part).map(|p| vec![p]) };
    match (from.parse().ok()?, to.parse().ok()?) {
        (IpAddr::V4(from), IpAddr::V4(to)) => Some(Ipv4Subnets::new(from, to, 0).map(IpNet::V4).collect()),
        (IpAddr::V6(from), IpAddr::V6(to)) => Some(Ipv6Subnets::new(from, to, 0).map(IpNet::V6).collect()),
        _ => None,
    }
}

fn rule(words: &[&str], source: Source) -> FilterRule {
    let mut rule = FilterRule::plain(source);
    let mut rest = words;
    while let [word, tail @ ..] = rest {
        let (not, value, used) = match tail {
            ["!=", value, ..] => (true, *value, 2),
            ["==", value, ..] => (false, *value, 2),
            [value, ..] => (false, *value, 1),
            [] => (false, "", 0),
        };
        let mut skip = 0;
        match *word {
            "ip" | "ip6" => {
                rule.family = Some(if *word == "ip" { Family::V4 } else { Family::V6 });
                if !matches!(value, "daddr" | "protocol" | "nexthdr") {
                    rule.conditional = true;
                    skip = 2;
                }
            }
            "daddr" => {
                let read: Vec<Option<Vec<IpNet>>> = parts(value).iter().map(|p| prefixes(p)).collect();
                rule.conditional |= read.is_empty() || read.contains(&None);
                rule.destinations = read.into_iter().flatten().flatten().collect();
                rule.all_but = not;
                skip = used;
            }
            "protocol" | "nexthdr" | "l4proto" => {
                let named = parts(value);
                rule.protocol = if named.contains(&"tcp") { None } else { named.first().map(|p| (*p).to_owned()) };
                rule.conditional |= not;
                skip = used;
            }
            "tcp" | "udp" | "sctp" | "icmp" | "icmpv6" | "th" => {
                if *word != "th" {
                    rule.protocol = Some((*word).to_owned());
                }
                rule.conditional |= !matches!(value, "dport");
            }
            "dport" => {
                rule.ports = parts(value).iter().filter_map(|p| super::port_range(p, '-')).collect();
                rule.conditional |= not || rule.ports.len() != parts(value).len();
                skip = used;
            }
            "ct" => match tail {
                ["state", "vmap", map, ..] => {
                    rule.verdict = of_map(map);
                    skip = 3;
                }
                ["state", state, ..] => {
                    rule.never |= !parts(state).contains(&"new");
                    skip = 2;
                }
                _ => {
                    rule.conditional = true;
                    skip = 2;
                }
            },
            "oifname" | "oif" => {
                let loopback = value == "lo";
                rule.never |= loopback && !not;
                rule.conditional |= !loopback;
                skip = used;
            }
            "meta" | "counter" | "dport{" => {}
            "nfproto" => {
                rule.family = Some(if value == "ipv6" { Family::V6 } else { Family::V4 });
                skip = used;
            }
            "packets" | "bytes" | "prefix" | "level" | "comment" | "handle" => skip = used,
            "log" | "#" => {}
            "accept" => rule.verdict = Verdict::Accept,
            "drop" => rule.verdict = Verdict::Drop,
            "reject" => {
                // Without more it answers that the port is not there.
                let other = tail.iter().any(|w| w.contains("unreachable") || w.contains("prohibited")) && !tail.contains(&"port-unreachable");
                rule.verdict = Verdict::Reject(if other { Answer::Unreachable } else { Answer::Refused });
                skip = tail.len();
            }
            "return" => rule.verdict = Verdict::Return,
            "jump" => (rule.verdict, skip) = (Verdict::Jump(value.to_owned()), used),
            "goto" => (rule.verdict, skip) = (Verdict::Goto(value.to_owned()), used),
            "vmap" | "queue" | "dnat" | "redirect" => (rule.verdict, skip) = (Verdict::Unknown, tail.len()),
            _ => rule.conditional = true,
        }
        rest = tail.get(skip..).unwrap_or(&[]);
    }
    rule
}

/// `ct state vmap { established : accept, invalid : drop }`, for a new connection.
fn of_map(map: &str) -> Verdict {
    let new = parts(map).into_iter().filter_map(|p| p.split_once(':')).find(|(state, _)| state.trim() == "new");
    match new.map(|(_, verdict)| verdict.trim()) {
        None => Verdict::Continue,
        Some("accept") => Verdict::Accept,
        Some("drop") => Verdict::Drop,
        Some(_) => Verdict::Unknown,
    }
}
