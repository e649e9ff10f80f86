//! What does the node's own packet filter do with what the node sends? `nft list ruleset`.
//!
//! ```text
//! table inet filter {
//!     chain output {
//!         type filter hook output priority filter; policy accept;
//!         ip daddr 10.40.8.10 tcp dport 443 drop
//! ```

use super::File;
use crate::bundle::Source;
use crate::facts::{Family, FilterChain, FilterRule, FilterVerdict as Verdict, Of, Owner, PacketFilter};
use crate::text;

pub(super) fn is_nftables(lines: &[&str]) -> bool {
    lines.iter().any(|l| ["table inet ", "table ip ", "table ip6 "].iter().any(|t| l.starts_with(t)) && l.trim_end().ends_with('{'))
}

pub(super) fn read(file: &mut File<'_>, content: &str) {
    let mut filter = PacketFilter { is_complete: true, ..PacketFilter::default() };
    let mut table = String::new();
    let mut family = None;
    let mut in_chain = false;
    for (number, line) in text::numbered(content) {
        // `-a` writes every line's handle behind it.
        let words = words(line.split(" # handle ").next().unwrap_or(line));
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
                rule.destinations = parts(value).iter().filter_map(|p| super::prefix(p)).collect();
                rule.all_but = not;
                rule.conditional |= rule.destinations.len() != parts(value).len();
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
                rule.verdict = Verdict::Reject;
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
