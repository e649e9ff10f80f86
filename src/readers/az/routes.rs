//! Where would the cloud send a packet of this interface, and what did somebody set? Effective routes and route tables.
//!
//! ```json
//! {"value": [{"addressPrefix": ["10.0.0.0/8"], "nextHopIpAddress": [], "nextHopType": "None", "source": "Default", "state": "Active"}]}
//! ```

use super::seen::{Seen, range};
use super::tree::Value;
use crate::bundle::Source;
use crate::facts::network::{EffectiveRoute, EffectiveTable, RouteTable};
use crate::facts::{Evidence, Known, Of, Owner};
use crate::readers::File;

/// The rows of one interface's table.
pub(super) fn effective(file: &mut File<'_>, rows: &[&Value<'_>], whole: bool) {
    let mut routes = Vec::new();
    let mut keeps_out = Known::NotCollected("route-table");
    for object in rows {
        let seen = Seen { file, object, artefact: "effective-routes" };
        routes.extend(rows_of(&seen, object.text("source").unwrap_or("")));
        if let Some(flag) = object.flag("disableBgpRoutePropagation")
            && keeps_out.seen() != Some(&true)
        {
            keeps_out = Known::Seen(flag, Evidence::of(&seen.source("disableBgpRoutePropagation")));
        }
    }
    keep(file, routes, whole, keeps_out);
}

/// One fact a prefix: a row may hold several, and several next hops, of which any may carry a flow.
fn rows_of(seen: &Seen<'_, '_, '_, '_>, origin: &str) -> Vec<EffectiveRoute> {
    let object = seen.object;
    let kind = object.text("nextHopType").unwrap_or("");
    let hop = object.texts("nextHopIpAddress").map(|(hop, _)| hop.to_owned()).find(|h| !h.is_empty());
    let state = object.text("state").unwrap_or("");
    object
        .texts("addressPrefix")
        .chain(object.texts("addressPrefixes"))
        .filter_map(|(text, line)| Some(row(range(text)?, kind, hop.clone(), origin, state, |says| seen.at(line, says))))
        .collect()
}

/// A row, from whatever form.
pub(super) fn row(prefix: ipnet::IpNet, kind: &str, hop: Option<String>, origin: &str, state: &str, source: impl FnOnce(&str) -> Source) -> EffectiveRoute {
    let shown = format!("{prefix} -> {kind}{} ({origin}, {state})", hop.as_deref().map(|h| format!(" {h}")).unwrap_or_default());
    EffectiveRoute {
        prefix,
        next_hop_type: kind.to_owned(),
        next_hop: hop,
        origin: origin.to_owned(),
        active: state.eq_ignore_ascii_case("active") || state.is_empty(),
        source: source(&shown),
    }
}

pub(super) fn keep(file: &mut File<'_>, routes: Vec<EffectiveRoute>, whole: bool, keeps_gateway_routes_out: Known<bool>) {
    let Some(first) = routes.first() else { return };
    let source = first.source.clone();
    file.take("effective-routes");
    let interface = file.command.as_deref().and_then(interface_of);
    let table = EffectiveTable { routes, whole, keeps_gateway_routes_out, doubted: false, interface };
    file.facts.effective_routes.push(Of { owner: Owner::Unknown, value: table, source });
}

/// Where Azure says that a packet of one machine to one address would go: the command alone tells from where and to where.
pub(super) fn next_hop(file: &mut File<'_>, answers: &[&Value<'_>], _whole: bool) {
    let Some(command) = file.command.clone().filter(|c| c.contains("show-next-hop")) else {
        return file.unread("a next hop, and nothing that tells of which packet");
    };
    let word = |names: &[&str]| {
        let mut words = command.split_whitespace();
        words.by_ref().find(|w| names.contains(w))?;
        words.next().and_then(|w| range(w.trim_matches(['"', '\''])))
    };
    let (Some(from), Some(to), [answer]) = (word(&["--source-ip"]), word(&["--dest-ip"]), answers) else { return };
    let kind = match answer.text("nextHopType").unwrap_or("") {
        "VirtualNetwork" => "VnetLocal",
        "VirtualNetworkPeering" => "VNetPeering",
        other => other,
    };
    let hop = answer.text("nextHopIpAddress").map(str::to_owned);
    let line = answer.line_of("nextHopType");
    let origin = if answer.text("routeTableId").is_some_and(|id| id.starts_with("/subscriptions/")) { "User" } else { "Default" };
    // The sender's own address lies in its own network, which is how a table is known to be a node's.
    let own = row(from, "VnetLocal", None, "Default", "Active", |says| file.source(line, says));
    let rows = vec![row(to, kind, hop, origin, "Active", |says| file.source(line, says)), own];
    keep(file, rows, false, Known::NotCollected("route-table"));
}

/// The interface that a command names.
pub(super) fn interface_of(command: &str) -> Option<String> {
    if !command.contains("effective") && !command.contains("Effective") {
        return None;
    }
    let mut words = command.split_whitespace();
    words.by_ref().find(|w| matches!(w.to_ascii_lowercase().as_str(), "-n" | "--name" | "-networkinterfacename"))?;
    words.next().map(|name| name.trim_matches(['"', '\'']).to_owned())
}

/// The routes of a listing, which belong to the tables that their ids name.
pub(super) fn listed(file: &mut File<'_>, routes: &[&Value<'_>], whole: bool) {
    let mut tables: Vec<RouteTable> = Vec::new();
    for object in routes {
        let Some(id) = object.id().and_then(|id| id.parent()) else { continue };
        let seen = Seen { file, object, artefact: "route-table" };
        let rows = rows_of(&seen, "User");
        let tags = tags_of(&seen);
        match tables.iter_mut().find(|t| t.key == id.key()) {
            Some(known) => {
                known.routes.extend(rows);
                known.tags.extend(tags);
            }
            None => tables.push(RouteTable {
                id: id.as_str().to_owned(),
                key: id.key().to_owned(),
                name: id.name().to_owned(),
                routes: rows,
                tags,
                takes_gateway_routes: Known::NotCollected("route-table"),
                // A single route that somebody showed says nothing of the others.
                whole: whole && routes.len() > 1,
                subnets: Vec::new(),
                source: seen.here(&format!("routes of {}", id.name())),
            }),
        }
    }
    if !tables.is_empty() {
        file.take("route-table");
        file.facts.networks.route_tables.extend(tables);
    }
}

/// What is no range is a name that stands for many.
fn tags_of(seen: &Seen<'_, '_, '_, '_>) -> Vec<(String, Source)> {
    let named = seen.object.texts("addressPrefix").filter(|(text, _)| range(text).is_none());
    named.map(|(tag, line)| (tag.to_owned(), seen.at(line, tag))).collect()
}

/// A route table as it is set.
pub(super) fn table(file: &mut File<'_>, object: &Value<'_>) {
    let Some(id) = object.id() else { return };
    let seen = Seen { file, object, artefact: "route-table" };
    let mut tags = Vec::new();
    let mut routes = Vec::new();
    for route in object.list("routes") {
        let of = seen.part(route);
        routes.extend(rows_of(&of, "User"));
        tags.extend(tags_of(&of));
    }
    let takes = match object.flag("disableBgpRoutePropagation") {
        Some(keeps_out) => Known::Seen(!keeps_out, Evidence::of(&seen.source("disableBgpRoutePropagation"))),
        None => Known::NotCollected("route-table"),
    };
    let table = RouteTable {
        id: id.as_str().to_owned(),
        key: id.key().to_owned(),
        name: id.name().to_owned(),
        routes,
        tags,
        takes_gateway_routes: takes,
        whole: object.is_whole() && object.has("routes"),
        subnets: object.list("subnets").iter().filter_map(|s| Some(s.id()?.key().to_owned())).collect(),
        source: seen.here(&format!("route table {}", id.name())),
    };
    file.take("route-table");
    file.facts.networks.route_tables.push(table);
}
