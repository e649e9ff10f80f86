//! Which packets does the node look up in which of its tables? `ip rule`, as text and as JSON.
//!
//! ```text
//! 0: from all lookup local
//! 100: from all to 10.40.0.0/16 lookup 200
//! 32766: from all lookup main
//! ```

use std::net::IpAddr;

use ipnet::IpNet;
use serde::Deserialize;

use super::File;
use super::ip_route::table_name;
use crate::bundle::{FileId, Source};
use crate::facts::{HostRule, Of, Owner, PolicyRules, RuleAction};
use crate::text;

/// What selects packets that the node itself does not send unmarked: the selector is read, and never met.
const OF_OTHERS: [&str; 2] = ["iif", "oif"];
/// What selects by things that a path does not tell.
const BY_MORE: [&str; 8] = ["tos", "dsfield", "uidrange", "ipproto", "sport", "dport", "tun_id", "l3mdev"];

fn rule(line: &str) -> Option<HostRule> {
    let (priority, rest) = line.trim_start().split_once(':')?;
    let mut words = rest.split_whitespace().peekable();
    let not = words.next_if_eq(&"not").is_some();
    let mut made = empty(priority.parse().ok()?, not);
    let mut action = None;
    while let Some(word) = words.next() {
        match word {
            "from" | "to" => {
                let prefix = prefix(words.next()?)?;
                *(if word == "from" { &mut made.from } else { &mut made.to }) = prefix;
            }
            "lookup" | "table" => action = Some(RuleAction::Lookup(table_name(words.next()?).to_owned(), None)),
            "suppress_prefixlength" => {
                if let Some(RuleAction::Lookup(_, suppressed)) = &mut action {
                    *suppressed = Some(words.next()?.parse().ok()?);
                }
            }
            "fwmark" => mark(&mut made, words.next()?),
            "blackhole" | "prohibit" | "unreachable" => action = Some(RuleAction::End(word.to_owned())),
            "goto" => action = Some(RuleAction::Goto(words.next()?.parse().ok()?)),
            "nop" => action = Some(RuleAction::Nop),
            "[detached]" => made.of_others = true,
            // A packet of the node's own comes in at `lo`.
            "iif" if words.next_if_eq(&"lo").is_some() => {}
            w if OF_OTHERS.contains(&w) => {
                words.next();
                made.of_others = true;
            }
            w if BY_MORE.contains(&w) => {
                words.next();
                made.by_more = true;
            }
            "proto" | "realms" | "suppress_ifgroup" => drop(words.next()),
            _ => {}
        }
    }
    made.action = action?;
    Some(made)
}

/// A rule that selects everything and does nothing, to be filled.
fn empty(priority: u32, not: bool) -> HostRule {
    let source = Source::new(FileId::default(), 0, "");
    HostRule { priority, not, from: None, to: None, of_others: false, by_more: false, action: RuleAction::Nop, source }
}

/// A mark that is not zero is none of the node's own unmarked packets'.
fn mark(made: &mut HostRule, mark: &str) {
    let value = mark.split('/').next().unwrap_or(mark);
    let value = value.strip_prefix("0x").map_or_else(|| value.parse().ok(), |hex| u64::from_str_radix(hex, 16).ok());
    made.of_others |= value != Some(0);
}

/// `all`, an address or a prefix.
fn prefix(word: &str) -> Option<Option<IpNet>> {
    match word {
        "all" | "any" | "default" => Some(None),
        _ => word.parse().ok().or_else(|| word.parse::<IpAddr>().ok().map(IpNet::from)).map(Some),
    }
}

pub(super) fn is_ip_rule(lines: &[&str]) -> bool {
    let said: Vec<&str> = lines.iter().filter(|l| !l.trim().is_empty() && !l.starts_with(['#', '$'])).copied().collect();
    let rules = said.iter().filter(|l| l.contains("from ") && rule(l).is_some()).count();
    rules > 0 && rules * 2 > said.len()
}

pub(super) fn read_text(file: &mut File<'_>, content: &str) {
    let rules = text::numbered(content).filter_map(|(number, line)| Some(HostRule { source: file.source(number, line), ..rule(line)? })).collect();
    keep(file, rules);
}

fn keep(file: &mut File<'_>, mut rules: Vec<HostRule>) {
    let Some(source) = rules.first().map(|r| r.source.clone()) else { return };
    let nets = || rules.iter().flat_map(|r| [r.from, r.to]).flatten();
    let by_name = ["ip6", "ipv6", "ip_-6", "ip-6", "_6_rule"].iter().any(|mark| super::file_name(file.path).contains(mark));
    // The last rule of IPv4's three has no fellow in IPv6.
    let asks_default = rules.iter().any(|r| matches!(&r.action, RuleAction::Lookup(table, _) if table == "default"));
    let v6 = nets().any(|n| n.addr().is_ipv6()) || (!asks_default && !nets().any(|n| n.addr().is_ipv4()) && by_name);
    rules.sort_by_key(|r| r.priority);
    file.take("node-routes");
    file.facts.route_rules.push(Of { owner: Owner::Unknown, value: PolicyRules { v6, rules }, source });
}

#[derive(Deserialize)]
struct JsonRule {
    priority: u32,
    src: String,
    #[serde(default)]
    srclen: Option<u8>,
    #[serde(default)]
    dst: Option<String>,
    #[serde(default)]
    dstlen: Option<u8>,
    #[serde(default)]
    table: Option<String>,
    #[serde(default)]
    action: Option<String>,
    #[serde(default)]
    goto: Option<u32>,
    #[serde(default)]
    fwmark: Option<String>,
    #[serde(default)]
    iif: Option<String>,
    #[serde(default)]
    oif: Option<String>,
    #[serde(default)]
    suppress_prefixlen: Option<u8>,
    /// `not` stands here with the value null.
    #[serde(flatten)]
    more: std::collections::BTreeMap<String, serde_json::Value>,
}

/// `ip -j rule`; false where the array is something else.
pub(super) fn read_json(file: &mut File<'_>, array: &str, first_line: u32) -> bool {
    let rows = array.get(..200).is_none_or(|head| head.contains("\"priority\"")).then(|| serde_json::from_str::<Vec<JsonRule>>(array));
    let Some(Ok(rows)) = rows else { return false };
    let mut from = 0;
    let mut rules = Vec::new();
    for row in rows {
        let at = array.get(from..).and_then(|rest| rest.find("\"priority\"")).map_or(from, |i| from + i);
        from = at + 1;
        let line = first_line + text::line_of(array, at) - 1;
        rules.extend(made(row, file, line));
    }
    keep(file, rules);
    true
}

fn made(row: JsonRule, file: &File<'_>, line: u32) -> Option<HostRule> {
    let net = |address: Option<&str>, length: Option<u8>| match (address, length) {
        (None, _) => Some(None),
        (Some(word), None) => prefix(word),
        (Some(word), Some(length)) => word.parse().ok().and_then(|a: IpAddr| IpNet::new(a, length).ok()).map(Some),
    };
    let mut rule = empty(row.priority, row.more.contains_key("not"));
    rule.from = net(Some(&row.src), row.srclen)?;
    rule.to = net(row.dst.as_deref(), row.dstlen)?;
    row.fwmark.iter().for_each(|m| mark(&mut rule, m));
    rule.of_others |= row.iif.is_some_and(|i| i != "lo") || row.oif.is_some();
    rule.by_more = BY_MORE.iter().any(|key| row.more.contains_key(*key));
    rule.action = match (row.table, row.action.as_deref(), row.goto) {
        (Some(table), _, _) => RuleAction::Lookup(table_name(&table).to_owned(), row.suppress_prefixlen),
        (None, _, Some(priority)) => RuleAction::Goto(priority),
        (None, Some(end @ ("blackhole" | "prohibit" | "unreachable")), _) => RuleAction::End(end.to_owned()),
        _ => RuleAction::Nop,
    };
    let to = rule.to.map(|n| format!(" to {n}")).unwrap_or_default();
    let shown = format!("{}: from {}{to}", rule.priority, row.src);
    rule.source = file.source(line, &shown);
    Some(rule)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_ip_rule() {
        let r = rule("100:\tfrom all to 10.40.0.0/16 lookup 254").unwrap();
        assert_eq!((r.priority, r.to.unwrap().to_string().as_str(), r.action), (100, "10.40.0.0/16", RuleAction::Lookup("main".into(), None)));
        assert!(rule("32764: not from all fwmark 0xca6c lookup 51820").is_some_and(|r| r.not && r.of_others));
        assert_eq!(rule("5: from all lookup main suppress_prefixlength 0").unwrap().action, RuleAction::Lookup("main".into(), Some(0)));
        assert_eq!(rule("7: from all to 10.40.8.10 prohibit").unwrap().action, RuleAction::End("prohibit".into()));
        assert!(rule("Nov 30 10:00:00 node kubelet: from all").is_none());
    }
}
