//! Where would the cloud send a packet of this interface? `az network nic show-effective-route-table`, JSON and table.
//!
//! ```text
//! Source    State    Address Prefix    Next Hop Type    Next Hop IP
//! --------  -------  ----------------  ---------------  -------------
//! Default   Active   10.0.0.0/8        None
//! ```

use serde::Deserialize;

use super::File;
use crate::facts::{EffectiveRoute, Of, Owner};
use crate::text;

pub(super) fn is_header(line: &str) -> bool {
    line.starts_with("Source") && line.contains("Address Prefix") && line.contains("Next Hop Type")
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    #[serde(default)]
    address_prefix: Vec<String>,
    next_hop_type: String,
    #[serde(default, alias = "nextHopIPAddress")]
    next_hop_ip_address: Vec<String>,
    #[serde(default)]
    source: String,
    #[serde(default)]
    state: String,
}

/// The rows of the JSON form; false where the array is something else.
pub(super) fn read_json(file: &mut File<'_>, array: &str, first_line: u32) -> bool {
    if !array.contains("\"nextHopType\"") || !array.contains("\"addressPrefix\"") {
        return false;
    }
    let Ok(rows) = serde_json::from_str::<Vec<Row>>(array) else { return false };
    let mut from = 0;
    let mut routes = Vec::new();
    for row in rows {
        for prefix in &row.address_prefix {
            let mark = format!("\"{prefix}\"");
            let at = array.get(from..).and_then(|rest| rest.find(&mark)).map_or(from, |i| from + i);
            from = at + 1;
            let line = first_line + text::line_of(array, at) - 1;
            let Ok(net) = prefix.parse() else { continue };
            let hop = row.next_hop_ip_address.first().cloned().filter(|h| !h.is_empty());
            routes.push(route(file, net, &row.next_hop_type, hop, &row.source, &row.state, line));
        }
    }
    keep(file, routes);
    true
}

fn route(file: &File<'_>, prefix: ipnet::IpNet, kind: &str, hop: Option<String>, origin: &str, state: &str, line: u32) -> EffectiveRoute {
    let shown = format!("{prefix} -> {kind}{} ({origin}, {state})", hop.as_deref().map(|h| format!(" {h}")).unwrap_or_default());
    EffectiveRoute {
        prefix,
        next_hop_type: kind.to_owned(),
        next_hop: hop,
        origin: origin.to_owned(),
        active: state.eq_ignore_ascii_case("active") || state.is_empty(),
        source: file.source(line, &shown),
    }
}

pub(super) fn read_table(file: &mut File<'_>, content: &str) {
    let mut routes = Vec::new();
    for (number, line) in text::numbered(content) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [origin, state, prefix, kind, rest @ ..] = words.as_slice() else { continue };
        if let Ok(net) = prefix.parse() {
            routes.push(route(file, net, kind, rest.first().map(|h| (*h).to_owned()), origin, state, number));
        }
    }
    keep(file, routes);
}

fn keep(file: &mut File<'_>, routes: Vec<EffectiveRoute>) {
    let Some(first) = routes.first() else { return };
    let source = first.source.clone();
    file.take("effective-routes");
    file.facts.effective_routes.push(Of { owner: Owner::Unknown, value: routes, source });
}
