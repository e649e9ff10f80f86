//! Which private zones exist, who asks them, and what do they hold? `az network private-dns ...`
//!
//! ```json
//! {"id": ".../privateDnsZones/privatelink.azurecr.io/virtualNetworkLinks/link-1", "virtualNetworkLinkState": "Completed",
//!  "virtualNetwork": {"id": ".../virtualNetworks/vnet-1"}, "resolutionPolicy": "Default"}
//! {"id": ".../privateDnsZones/privatelink.azurecr.io/A/registry1", "aRecords": [{"ipv4Address": "10.90.8.5"}]}
//! ```

use std::collections::BTreeMap;

use super::id::ResourceId;
use super::kind::Kind;
use super::tree::Value;
use super::{Dump, File};
use crate::facts::names::{Forward, Listed, Zone, ZoneLink, ZoneListing, ZoneRecord};

pub(super) fn zone(file: &mut File<'_>, object: &Value<'_>) -> bool {
    let Some(id) = object.id() else { return false };
    let (record_sets, links) = (object.number("numberOfRecordSets"), object.number("numberOfVirtualNetworkLinks"));
    let shown = format!("zone {}: {} record sets, {} links", id.name(), shown(record_sets), shown(links));
    let source = file.source(object.line_of("name"), &shown);
    file.facts.names.zones.push(Zone { id: id.key().to_owned(), name: id.name().to_lowercase(), record_sets, links, source });
    file.take("private-dns-zones");
    true
}

fn shown(count: Option<u64>) -> String {
    count.map_or_else(|| "?".to_owned(), |c| c.to_string())
}

/// The zone of a link or record, noted as one that exists.
fn zone_of(file: &mut File<'_>, id: &ResourceId, line: u32) -> Option<String> {
    let zone = id.parent()?;
    let source = file.source(line, zone.as_str());
    let known = file.facts.names.zones.iter().any(|z| z.id == zone.key() && z.source.file == file.id);
    if !known {
        file.facts.names.zones.push(Zone { id: zone.key().to_owned(), name: zone.name().to_lowercase(), record_sets: None, links: None, source });
    }
    Some(zone.key().to_owned())
}

pub(super) fn link(file: &mut File<'_>, object: &Value<'_>) -> bool {
    let Some(id) = object.id() else { return false };
    let Some(network) = object.id_at("virtualNetwork").or_else(|| object.id_at("virtualNetworkId")) else { return false };
    let Some(zone) = zone_of(file, &id, object.line_of("id")) else { return false };
    let at = object.get("virtualNetwork").map_or_else(|| object.line_of("virtualNetworkId"), |v| v.line_of("id"));
    let state = object.text("virtualNetworkLinkState").unwrap_or("");
    let link = ZoneLink {
        zone,
        network: network.key().to_owned(),
        completed: state.is_empty() || state.eq_ignore_ascii_case("Completed"),
        falls_back: object.text("resolutionPolicy").map(|p| p.eq_ignore_ascii_case("NxDomainRedirect")),
        state: file.source(object.line_of("virtualNetworkLinkState"), &format!("link {} to {}: {state}", id.name(), network.name())),
        source: file.source(at, &format!("link {} of {} to {}", id.name(), id.outer_name(), network.as_str())),
    };
    file.facts.names.links.push(link);
    file.take("private-dns-links");
    true
}

pub(super) fn record_set(file: &mut File<'_>, object: &Value<'_>) -> bool {
    let Some(id) = object.id() else { return false };
    let Some(zone) = zone_of(file, &id, object.line_of("id")) else { return false };
    file.take("private-dns-records");
    let suffix = id.outer_name().to_lowercase();
    let name = match object.text("fqdn") {
        Some(fqdn) => fqdn.trim_end_matches('.').to_lowercase(),
        None if id.name() == "@" => suffix,
        None => format!("{}.{suffix}", id.name().to_lowercase()),
    };
    let mut addresses = Vec::new();
    let mut at = None;
    for entry in ["aRecords", "aaaaRecords", "records"].iter().flat_map(|key| object.list(key)) {
        let key = if entry.has("ipv4Address") { "ipv4Address" } else { "ipv6Address" };
        if let Some(address) = entry.text(key).and_then(|a| a.parse().ok()) {
            addresses.push(address);
            at.get_or_insert(entry.line_of(key));
        }
    }
    let alias = object.get("cnameRecord").and_then(|c| c.text("cname").or_else(|| c.as_text())).map(|a| a.trim_end_matches('.').to_lowercase());
    if addresses.is_empty() && alias.is_none() {
        return true;
    }
    let leads_to = addresses.iter().map(ToString::to_string).chain(alias.clone()).collect::<Vec<_>>().join(", ");
    let line = at.unwrap_or_else(|| object.line_of("cnameRecord"));
    let source = file.source(line, &format!("{name} -> {leads_to}"));
    file.facts.names.records.push(ZoneRecord { zone, name, addresses, alias, source });
    true
}

/// A rule of a forwarding service; one that is switched off counts for nothing.
pub(super) fn forwarding(file: &mut File<'_>, object: &Value<'_>) -> bool {
    let Some(suffix) = object.text("domainName").map(|d| d.trim_matches('.').to_lowercase()) else { return false };
    file.take("dns-resolver");
    if object.text("forwardingRuleState").is_some_and(|s| s.eq_ignore_ascii_case("Disabled")) {
        return true;
    }
    let to = object.list("targetDnsServers").iter().filter_map(|t| t.text("ipAddress")?.parse().ok()).collect();
    let source = file.source(object.line_of("domainName"), &format!("rule for {suffix}"));
    file.facts.names.forwarded.push(Forward { suffix, to, source });
    true
}

/// Where the cloud's own resolver takes questions from elsewhere.
pub(super) fn entrance(file: &mut File<'_>, object: &Value<'_>) -> bool {
    for config in object.list("ipConfigurations") {
        let Some(Ok(address)) = config.text("privateIpAddress").map(str::parse) else { continue };
        let source = file.source(config.line_of("privateIpAddress"), &format!("inbound endpoint at {address}"));
        file.facts.names.entrances.push((address, source));
        file.take("dns-resolver");
    }
    true
}

/// A list of links or records vouches for what it leaves out, where it is whole.
pub(super) fn listings(file: &mut File<'_>, dump: &Dump<'_, '_>) {
    if !dump.whole || !dump.listed {
        return;
    }
    let mut lists: BTreeMap<(String, bool), (u64, u32, Vec<String>)> = BTreeMap::new();
    for (kind, object) in dump.objects.iter().filter(|(k, _)| matches!(k, Kind::ZoneLink | Kind::RecordSet)) {
        let Some(id) = object.id() else { continue };
        let Some(zone) = id.parent() else { continue };
        let entry = lists.entry((zone.key().to_owned(), *kind == Kind::ZoneLink)).or_insert((0, object.line, Vec::new()));
        entry.0 += 1;
        entry.2.push(id.kind().rsplit('/').next().unwrap_or("").to_owned());
    }
    for ((zone, links), (count, line, types)) in lists {
        let of = match types.as_slice() {
            _ if links => Listed::Links,
            // The record of the zone's own beginning is in every list of all types, and in no list of one.
            types if types.iter().any(|t| t == "soa") => Listed::Records,
            _ => Listed::OneType,
        };
        let what = if links { "links" } else { "record sets" };
        let name = zone.rsplit('/').next().unwrap_or(&zone);
        let source = file.source(line, &format!("list of {count} {what} of {name}"));
        file.facts.names.listings.push(ZoneListing { zone, of, count, source });
    }
}
