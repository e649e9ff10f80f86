//! Which packets do the security groups of a dump let through?
//!
//! ```json
//! {"name": "securityRules/deny-all", "priority": 200, "direction": "Outbound", "access": "Deny", "protocol": "All",
//!  "destinationAddressPrefix": "10.0.0.0/8", "destinationPortRange": "0-65535"}
//! ```

use std::ops::RangeInclusive;

use ipnet::IpNet;

use super::seen::{Seen, range};
use super::tree::Value;
use crate::facts::network::{Access, Direction, Peer, SecurityGroup, SecurityRule};
use crate::facts::{Of, Owner};
use crate::readers::File;

/// A group as it is set, with its rules.
pub(super) fn group(file: &mut File<'_>, object: &Value<'_>) {
    let Some(id) = object.id() else { return };
    let seen = Seen { file, object, artefact: "security-groups" };
    let keys = |name: &str| object.list(name).iter().filter_map(|s| s.id()).collect::<Vec<_>>();
    let rules = object.list("securityRules").iter().chain(object.list("defaultSecurityRules"));
    let group = SecurityGroup {
        key: id.key().to_owned(),
        name: id.name().to_owned(),
        rules: rules.filter_map(|r| rule(&seen.part(r))).collect(),
        whole: object.is_whole() && object.has("securityRules"),
        subnets: keys("subnets").iter().map(|s| s.key().to_owned()).collect(),
        interfaces: keys("networkInterfaces").iter().map(|s| s.name().to_owned()).collect(),
        is_managers: false,
        doubted: false,
        source: seen.here(&format!("security group {}", id.name())),
    };
    file.take("security-groups");
    file.facts.networks.groups.push(group);
}

/// The rules of a listing, which belong to the groups that their ids name.
pub(super) fn listed(file: &mut File<'_>, rules: &[&Value<'_>], whole: bool) {
    let mut groups: Vec<SecurityGroup> = Vec::new();
    for object in rules {
        let seen = Seen { file, object, artefact: "security-groups" };
        let (Some(group), Some(rule)) = (object.id().and_then(|id| id.parent()), rule(&seen)) else { continue };
        match groups.iter_mut().find(|g| g.key == group.key()) {
            Some(known) => known.rules.push(rule),
            None => groups.push(SecurityGroup {
                key: group.key().to_owned(),
                name: group.name().to_owned(),
                rules: vec![rule],
                // A single rule that somebody showed says nothing of the others.
                whole: whole && rules.len() > 1,
                subnets: Vec::new(),
                interfaces: Vec::new(),
                is_managers: false,
                doubted: false,
                source: seen.here(&format!("rules of {}", group.name())),
            }),
        }
    }
    if !groups.is_empty() {
        file.take("security-groups");
        file.facts.networks.groups.extend(groups);
    }
}

/// Every group that bears on one interface.
pub(super) fn effective(file: &mut File<'_>, dump: &[&Value<'_>], whole: bool) {
    let mut groups = Vec::new();
    for object in dump {
        let seen = Seen { file, object, artefact: "effective-security-rules" };
        let id = object.id_at("networkSecurityGroup");
        let association = object.get("association");
        let of = |key: &str| association.and_then(|a| a.id_at(key));
        let manager = association.is_some_and(|a| a.get("networkManager").is_some());
        let name = id.as_ref().map_or_else(|| "security rules".to_owned(), |id| id.name().to_owned());
        let mut rules: Vec<SecurityRule> = object.list("effectiveSecurityRules").iter().filter_map(|r| rule(&seen.part(r))).collect();
        expand(&mut rules, object);
        groups.push(SecurityGroup {
            key: id.map(|id| id.key().to_owned()).unwrap_or_default(),
            rules,
            whole,
            subnets: of("subnet").map(|s| s.key().to_owned()).into_iter().collect(),
            interfaces: of("networkInterface").map(|i| i.name().to_owned()).into_iter().collect(),
            is_managers: manager,
            doubted: false,
            source: seen.here(&format!("effective rules of {name}")),
            name,
        });
    }
    let Some(first) = groups.first() else { return };
    let source = first.source.clone();
    file.take("effective-security-rules");
    file.facts.networks.effective_groups.push(Of { owner: Owner::Unknown, value: groups, source });
}

/// The map of names beside the rules tells what those stand for that a rule does not spell out.
fn expand(rules: &mut [SecurityRule], object: &Value<'_>) {
    let Some(map) = object.get("tagMap") else { return };
    for peer in rules.iter_mut().flat_map(|r| r.from.iter_mut().chain(&mut r.to)) {
        if let Peer::Tag(name, ranges @ None) = peer {
            let told: Vec<IpNet> = map.texts(name).filter_map(|(t, _)| range(t)).collect();
            *ranges = Some(told).filter(|t| !t.is_empty());
        }
    }
}

fn rule(seen: &Seen<'_, '_, '_, '_>) -> Option<SecurityRule> {
    let object = seen.object;
    let access = match object.text("access")?.to_ascii_lowercase().as_str() {
        "allow" => Access::Allow,
        "deny" => Access::Deny,
        "alwaysallow" => Access::AlwaysAllow,
        _ => return None,
    };
    let direction = if object.text("direction")?.eq_ignore_ascii_case("inbound") { Direction::In } else { Direction::Out };
    let name = object.text("name").unwrap_or("").to_owned();
    let from = peers(object, "source");
    let to = peers(object, "destination");
    let shown_to: Vec<String> = to.iter().map(shown).collect();
    let says = format!("{} {name}: {} {}", object.text("priority").unwrap_or("?"), object.text("access").unwrap_or(""), shown_to.join(", "));
    Some(SecurityRule {
        priority: u32::try_from(object.number("priority")?).ok()?,
        direction,
        access,
        tcp: object.text("protocol").is_none_or(|p| matches!(p.to_ascii_lowercase().as_str(), "*" | "all" | "any" | "tcp" | "6")),
        from,
        to,
        ports: ports(object, "destinationPortRange"),
        names_source_ports: ports(object, "sourcePortRange").iter().all(|p| *p.start() > 1 || *p.end() < u16::MAX),
        source: seen.at(object.line_of("name"), &says),
        meant: seen.at(meant_line(object), &says),
        name,
    })
}

/// The line that says who is meant.
fn meant_line(object: &Value<'_>) -> u32 {
    let first = |key: &str| object.list(key).first().map(|v| v.line);
    first("destinationAddressPrefix").or_else(|| first("destinationAddressPrefixes")).unwrap_or_else(|| object.line_of("name"))
}

fn shown(peer: &Peer) -> String {
    match peer {
        Peer::Any => "any".to_owned(),
        Peer::Range(range) => range.to_string(),
        Peer::Tag(name, _) | Peer::Group(name) => name.clone(),
    }
}

/// Whom a rule means on one side: the expanded ranges where they are told, else what was written.
fn peers(object: &Value<'_>, side: &str) -> Vec<Peer> {
    let expanded: Vec<IpNet> = object.texts(&format!("expanded{side}AddressPrefix")).filter_map(|(t, _)| range(t)).collect();
    // Several names in one rule share one list of ranges: each is meant where any of the ranges is.
    let told = Some(expanded).filter(|e| !e.is_empty());
    let written = [format!("{side}AddressPrefix"), format!("{side}AddressPrefixes")];
    let mut out: Vec<Peer> = Vec::new();
    for (text, _) in written.iter().flat_map(|key| object.texts(key)) {
        let peer = match text {
            "*" | "0.0.0.0/0" | "Any" | "0.0.0.0/0,::/0" => Peer::Any,
            _ => range(text).map_or_else(|| Peer::Tag(text.to_owned(), told.clone()), Peer::Range),
        };
        if !out.contains(&peer) {
            out.push(peer);
        }
    }
    let groups = object.list(&format!("{side}ApplicationSecurityGroups"));
    out.extend(groups.iter().filter_map(|g| Some(Peer::Group(g.id()?.name().to_owned()))));
    out
}

/// The ports of a rule: `443`, `443-443`, `*`, a list of them.
fn ports(object: &Value<'_>, key: &str) -> Vec<RangeInclusive<u16>> {
    let one = |text: &str| {
        if text == "*" {
            return Some(0..=u16::MAX);
        }
        let (from, to) = text.split_once('-').unwrap_or((text, text));
        Some(from.trim().parse().ok()?..=to.trim().parse().ok()?)
    };
    let plural = format!("{key}s");
    let mut out: Vec<_> = object.texts(key).chain(object.texts(&plural)).flat_map(|(t, _)| t.split(',')).filter_map(one).collect();
    out.dedup();
    out
}

/// Names and the ranges that they stand for.
pub(super) fn tags(file: &mut File<'_>, object: &Value<'_>) {
    let mut read = Vec::new();
    for entry in object.list("values") {
        let ranges: Vec<IpNet> = entry.texts("addressPrefixes").filter_map(|(t, _)| range(t)).collect();
        if let Some(name) = entry.name().filter(|_| !ranges.is_empty()) {
            read.push((name.into_owned(), ranges));
        }
    }
    file.take("service-tags");
    file.facts.networks.tags.extend(read);
}
