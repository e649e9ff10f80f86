//! Which rules does a security group have, in the table that `az network nsg rule list -o table` prints?
//!
//! ```text
//! Name         ResourceGroup    Priority    SourcePortRanges    SourceAddressPrefixes    Access    Protocol    Direction    DestinationPortRanges    DestinationAddressPrefixes
//! -----------  ---------------  ----------  ------------------  -----------------------  --------  ----------  -----------  -----------------------  --------------------------
//! deny-onprem  rg               200         *                   *                        Deny      Tcp         Outbound     443                      10.50.0.0/16
//! ```
//!
//! The table does not name its group: the command in front of it does, else perhaps the file's own name.

use super::seen::range;
use crate::facts::network::{Access, Direction, Peer, SecurityGroup, SecurityRule};
use crate::readers::{File, file_name};
use crate::text;

/// Whether a line heads such a table.
pub(super) fn is_header(line: &str) -> bool {
    ["Name", "Priority", "Access", "Protocol", "Direction", "DestinationAddressPrefixes"].iter().all(|word| line.split_whitespace().any(|w| w == *word))
}

/// Reads every such table of a text.
pub(super) fn read(file: &mut File<'_>, content: &str) {
    let mut named = file.command.as_deref().and_then(group_of);
    let mut header: Option<Vec<&str>> = None;
    let mut columns: Vec<usize> = Vec::new();
    let mut found: Vec<SecurityGroup> = Vec::new();
    for (number, line) in text::numbered(content) {
        if let Some(name) = group_of(line) {
            named = Some(name);
        } else if is_header(line) {
            header = Some(line.split_whitespace().collect());
            columns.clear();
            let name = named.take().unwrap_or_else(|| file_name(file.path));
            let source = file.source(number, &format!("rules of {name}"));
            let (subnets, interfaces) = (Vec::new(), Vec::new());
            // Names alone do not tell groups of one name apart.
            let group =
                SecurityGroup { key: String::new(), name, rules: Vec::new(), whole: true, subnets, interfaces, is_managers: false, doubted: true, source };
            found.push(group);
        } else if line.starts_with("---") {
            let starts = |(at, _): (usize, char)| line.get(..at).is_none_or(|before| before.is_empty() || before.ends_with(' '));
            columns = line.char_indices().filter(|(_, c)| *c == '-').filter(|x| starts(*x)).map(|(at, _)| at).collect();
        } else if let (Some(names), Some(group)) = (&header, found.last_mut()) {
            if line.trim().is_empty() || columns.is_empty() {
                header = None;
                continue;
            }
            let cell = |wanted: &[&str]| {
                let at = names.iter().position(|n| wanted.contains(n))?;
                let from = *columns.get(at)?;
                let to = columns.get(at + 1).copied().unwrap_or(line.len()).min(line.len());
                line.get(from.min(line.len())..to).map(str::trim)
            };
            match rule(&cell, file, number, line) {
                Some(rule) => group.rules.push(rule),
                None => group.whole = false,
            }
        }
    }
    found.retain(|g| !g.rules.is_empty());
    if !found.is_empty() {
        file.take("security-groups");
        file.facts.networks.groups.extend(found);
    }
}

/// The group that a command names.
fn group_of(line: &str) -> Option<String> {
    let mut words = line.split_whitespace();
    line.contains("nsg rule list").then_some(())?;
    words.by_ref().find(|w| *w == "--nsg-name")?;
    words.next().map(|name| name.trim_matches(['"', '\'']).to_lowercase())
}

fn rule<'l>(cell: &dyn Fn(&[&str]) -> Option<&'l str>, file: &File<'_>, number: u32, line: &str) -> Option<SecurityRule> {
    let access = match cell(&["Access"])?.to_ascii_lowercase().as_str() {
        "allow" => Access::Allow,
        "deny" => Access::Deny,
        _ => return None,
    };
    let direction = match cell(&["Direction"])?.to_ascii_lowercase().as_str() {
        "inbound" => Direction::In,
        "outbound" => Direction::Out,
        _ => return None,
    };
    let peers = |addresses: &[&str], groups: &[&str]| {
        let addresses = cell(addresses).unwrap_or("").split([' ', ',']).filter(|w| !w.is_empty() && *w != "None");
        let groups = cell(groups).unwrap_or("").split([' ', ',']).filter(|w| !w.is_empty() && *w != "None");
        let peer = |text: &str| match text {
            "*" | "0.0.0.0/0" | "Any" => Peer::Any,
            _ => range(text).map_or_else(|| Peer::Tag(text.to_owned(), None), Peer::Range),
        };
        addresses.map(peer).chain(groups.map(|g| Peer::Group(g.to_owned()))).collect::<Vec<_>>()
    };
    let ports = |names: &[&str]| {
        let one = |text: &str| {
            if text == "*" {
                return Some(0..=u16::MAX);
            }
            let (from, to) = text.split_once('-').unwrap_or((text, text));
            Some(from.parse().ok()?..=to.parse().ok()?)
        };
        cell(names)?.split([' ', ',']).filter(|w| !w.is_empty()).map(one).collect::<Option<Vec<_>>>()
    };
    let source = file.source(number, line);
    Some(SecurityRule {
        name: cell(&["Name"])?.to_owned(),
        priority: cell(&["Priority"])?.parse().ok()?,
        direction,
        access,
        tcp: matches!(cell(&["Protocol"])?.to_ascii_lowercase().as_str(), "*" | "all" | "any" | "tcp"),
        from: peers(&["SourceAddressPrefixes", "SrcAddressPrefixes"], &["SourceASG"]),
        to: peers(&["DestinationAddressPrefixes", "DstAddressPrefixes"], &["DestinationASG"]),
        ports: ports(&["DestinationPortRanges", "DstPortRanges"])?,
        names_source_ports: ports(&["SourcePortRanges", "SrcPortRanges"])?.iter().all(|p| *p.start() > 1 || *p.end() < u16::MAX),
        meant: source.clone(),
        source,
    })
}
