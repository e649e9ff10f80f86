//! Which routes does a table for people hold? Columns of `az -o table` and of PowerShell's `ft`, and values of `-o tsv`.
//!
//! ```text
//! Source    State    Address Prefix    Next Hop Type    Next Hop IP          Name State  Source  AddressPrefix  NextHopType NextHopIpAddress
//! --------  -------  ----------------  ---------------  -----------          ---- -----  ------  -------------  ----------- ----------------
//! Default   Active   10.0.0.0/8        None                                       Active Default {10.0.0.0/8}   None        {}
//! ```

use super::machines;
use super::routes::{self, row};
use super::seen::range;
use super::{link_table, rule_table};
use crate::facts::Known;
use crate::facts::network::{EffectiveRoute, GatewayRoute, Way};
use crate::readers::File;
use crate::text;

/// Whether a text is a table as the cloud's tools print one, a row of names over a row of dashes, of a kind that is not read.
///
/// ```text
/// AllowForwardedTraffic    Name    PeeringState
/// -----------------------  ------  --------------
/// True                     to-hub  Connected
/// ```
pub(in crate::readers) fn is_bare_table(content: &str) -> bool {
    // Somebody may have pasted an error below: cells hold no sentences.
    if content.contains(": ") {
        return false;
    }
    let mut lines = content.lines().filter(|l| !l.trim().is_empty());
    let (Some(head), Some(rule)) = (lines.next(), lines.next()) else { return false };
    let dashes = |word: &str| word.len() > 1 && word.chars().all(|c| c == '-');
    head.split("  ").filter(|w| !w.trim().is_empty()).count() > 1 && rule.split_whitespace().count() > 1 && rule.split_whitespace().all(dashes)
}

/// Whether a line heads a table that is read here.
pub(in crate::readers) fn is_header(line: &str) -> bool {
    is_effective(line)
        || is_gateways(line)
        || machines::is_header(line)
        || rule_table::is_header(line)
        || link_table::is_header(line)
        || effective_row(line).is_some_and(|r| r.prefixes.len() == 1 && r.whole)
}

fn is_effective(line: &str) -> bool {
    (line.contains("Address Prefix") && line.contains("Next Hop Type"))
        || (line.contains("AddressPrefix") && line.contains("NextHopType") && !line.contains(':'))
}

fn is_gateways(line: &str) -> bool {
    line.trim_start().starts_with("Network") && line.contains("NextHop") && line.contains("Origin")
}

/// Reads every table of a text. A header begins the next one, and a command in front of it may name the interface.
pub(in crate::readers) fn read(file: &mut File<'_>, content: &str) {
    machines::read(file, content);
    let mut rows: Vec<EffectiveRoute> = Vec::new();
    let mut whole = true;
    let before = file.command.take();
    file.command.clone_from(&before);
    let mut of_gateway: Vec<(u32, &str)> = Vec::new();
    let mut in_gateways = false;
    for (number, line) in text::numbered(content) {
        if is_effective(line) || line.contains("show-effective-route-table") || line.contains("Get-AzEffectiveRouteTable") {
            finish(file, &mut rows, &mut whole);
            in_gateways = false;
            if routes::interface_of(line).is_some() {
                file.command = Some(line.to_owned());
            }
        } else if is_gateways(line) {
            in_gateways = true;
        } else if in_gateways {
            of_gateway.push((number, line));
        } else if let Some(read) = effective_row(line) {
            whole &= read.whole;
            let hop = read.hops.first().map(|h| (*h).to_owned());
            rows.extend(read.prefixes.iter().map(|p| row(*p, read.kind, hop.clone(), read.origin, read.state, |says| file.source(number, says))));
        } else if line.trim() == "[...]" || line.trim() == "..." {
            whole = false;
        }
    }
    finish(file, &mut rows, &mut whole);
    file.command = before;
    rule_table::read(file, content);
    link_table::read(file, content);
    gateways(file, &of_gateway);
}

fn finish(file: &mut File<'_>, rows: &mut Vec<EffectiveRoute>, whole: &mut bool) {
    routes::keep(file, std::mem::take(rows), std::mem::replace(whole, true), Known::NotCollected("route-table"));
}

struct Row<'l> {
    origin: &'l str,
    state: &'l str,
    prefixes: Vec<ipnet::IpNet>,
    kind: &'l str,
    hops: Vec<&'l str>,
    /// Nothing in it was cut off for want of room.
    whole: bool,
}

/// A row by the shape of its cells, in whatever order the first two come: origin and state, prefixes, kind, next hops.
fn effective_row(line: &str) -> Option<Row<'_>> {
    let cells: Vec<&str> = line.split([' ', '\t', ',']).map(|c| c.trim_matches(['{', '}', '[', ']', '\'', '"'])).filter(|c| !c.is_empty()).collect();
    let at = cells.iter().position(|c| matches!(*c, "Active" | "Invalid"))?;
    let is_origin = |c: &&&str| matches!(**c, "Default" | "User" | "VirtualNetworkGateway" | "Unknown");
    let state = cells.get(at)?;
    let after = cells.get(at + 1).filter(is_origin);
    let origin = after.or_else(|| at.checked_sub(1).and_then(|i| cells.get(i)).filter(is_origin))?;
    let rest = cells.get(at + 1 + usize::from(after.is_some())..)?;
    let ranges = rest.iter().take_while(|c| range(c.trim_end_matches('.')).is_some());
    let prefixes: Vec<_> = ranges.clone().filter_map(|c| range(c.trim_end_matches('.'))).collect();
    let kind = rest.get(prefixes.len())?;
    let hops: Vec<&str> = rest.iter().skip(prefixes.len() + 1).take_while(|c| c.parse::<std::net::IpAddr>().is_ok()).copied().collect();
    let whole = !kind.ends_with("...") && !ranges.clone().any(|c| c.ends_with("..."));
    (!prefixes.is_empty()).then_some(Row { origin, state, prefixes, kind, hops, whole })
}

/// Learned or announced routes: a prefix, its next hop and its origin a row.
fn gateways(file: &mut File<'_>, rows: &[(u32, &str)]) {
    let way = if file.path.to_lowercase().contains("advertised") { Way::Advertised } else { Way::Learned };
    let mut read = Vec::new();
    for (number, line) in rows {
        let mut cells = line.split_whitespace();
        let Some(prefix) = cells.next().and_then(range) else { continue };
        let rest: Vec<&str> = cells.collect();
        let is_own = rest.contains(&"Network");
        let next_hop = rest.first().filter(|c| c.parse::<std::net::IpAddr>().is_ok()).map(|h| (*h).to_owned());
        read.push(GatewayRoute { way, prefix, is_own, of_circuit: false, next_hop, source: file.source(*number, line) });
    }
    let Some(first) = read.first() else { return };
    let source = first.source.clone();
    file.take(if way == Way::Learned { "learned-routes" } else { "advertised-routes" });
    file.facts.networks.gateway_routes_told.push((way, source));
    file.facts.networks.gateway_routes.extend(read);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_every_form() {
        for (line, prefixes, kind, hops) in [
            ("Default   Active   10.0.0.0/8        None", 1, "None", 0),
            ("User  Active  10.0.0.0/8  VirtualAppliance  10.4.2.100", 1, "VirtualAppliance", 1),
            ("Default  Active   10.0.9.0/24 10.0.8.0/24   ConnectedGroup", 2, "ConnectedGroup", 0),
            ("VirtualNetworkGateway  Active  10.5.0.0/16  VirtualNetworkGateway  10.1.0.4 10.1.0.5", 1, "VirtualNetworkGateway", 2),
            ("Name Active Default {10.0.1.0/24, 10.0.2.0/24} VnetLocal {}", 2, "VnetLocal", 0),
            ("     Active VirtualNetworkGateway {192.168.100.4/32} VirtualNetworkGateway {192.168.0.4}", 1, "VirtualNetworkGateway", 1),
            ("Default\tActive\t10.0.0.0/8\tNone", 1, "None", 0),
        ] {
            let row = effective_row(line).unwrap();
            assert_eq!((row.prefixes.len(), row.kind, row.hops.len(), row.whole), (prefixes, kind, hops, true), "{line}");
        }
        assert!(!effective_row("     Active Default {10.0.1.0/24, 10.0.2.0/24...} VnetLocal {}").unwrap().whole);
        assert!(effective_row("Active connections of the Default user: 10.0.0.4").is_none());
        assert!(effective_row("------  -------  ------").is_none());
    }
}
