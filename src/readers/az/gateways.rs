//! Which gateways, tunnels and routes to other sites does a dump show?
//!
//! ```json
//! {"name": "cn-dc1", "connectionStatus": "Connected", "localNetworkGateway2": {"id": "..."}, "virtualNetworkGateway1": {"id": "..."}}
//! {"network": "10.40.0.0/16", "nextHop": "10.1.255.4", "origin": "EBgp", "sourcePeer": "10.1.255.4"}
//! ```

use super::seen::{Seen, range};
use super::tree::Value;
use crate::facts::network::{BgpPeer, Gateway, GatewayRoute, LocalGateway, Tunnel, Way};
use crate::readers::File;

pub(super) fn gateway(file: &mut File<'_>, object: &Value<'_>) {
    let Some(id) = object.id() else { return };
    let seen = Seen { file, object, artefact: "vnet-gateway" };
    let network = object.list("ipConfigurations").iter().find_map(|c| c.id_at("subnet")?.parent());
    let size = object.get("sku").and_then(|sku| Some((sku.text("name")?.to_owned(), seen.part(sku).source("name"))));
    let gateway = Gateway {
        key: id.key().to_owned(),
        name: id.name().to_owned(),
        network: network.map(|n| n.key().to_owned()),
        size,
        // A circuit's gateway has no other way to learn a route.
        learns: if object.text("gatewayType").is_some_and(|t| t.eq_ignore_ascii_case("ExpressRoute")) {
            crate::facts::Known::Seen(true, crate::facts::Evidence::of(&seen.source("gatewayType")))
        } else {
            seen.flag("enableBgp")
        },
        source: seen.here(&format!("gateway {}", id.name())),
    };
    file.take("vnet-gateway");
    file.facts.networks.gateways.push(gateway);
}

/// A connection; `listed` where it stands in a list of all.
pub(super) fn tunnel(file: &mut File<'_>, object: &Value<'_>, listed: bool) {
    let seen = Seen { file, object, artefact: "vpn-connections" };
    let key = |name: &str| object.id_at(name).map(|id| id.key().to_owned());
    let name = object.name().unwrap_or_default().into_owned();
    let tunnel = Tunnel {
        state: seen.text("connectionStatus"),
        gateway: key("virtualNetworkGateway1"),
        far_end: key("localNetworkGateway2").or_else(|| key("virtualNetworkGateway2")).or_else(|| key("peer")),
        learns: if object.text("connectionType").is_some_and(|t| t.eq_ignore_ascii_case("ExpressRoute")) {
            crate::facts::Known::Seen(true, crate::facts::Evidence::of(&seen.source("connectionType")))
        } else {
            seen.flag("enableBgp")
        },
        source: seen.here(&format!("connection {name}")),
        name,
    };
    file.take("vpn-connections");
    file.facts.networks.tunnels_told |= listed;
    file.facts.networks.tunnels.push(tunnel);
}

pub(super) fn local_gateway(file: &mut File<'_>, object: &Value<'_>) {
    let Some(id) = object.id() else { return };
    let seen = Seen { file, object, artefact: "local-gateways" };
    let space = object.get("localNetworkAddressSpace").or_else(|| object.get("addressSpace"));
    let prefixes = space.map(|s| seen.part(s).ranges("addressPrefixes")).unwrap_or_default();
    let local = LocalGateway {
        key: id.key().to_owned(),
        name: id.name().to_owned(),
        whole: object.is_whole(),
        prefixes,
        source: seen.here(&format!("local gateway {}", id.name())),
    };
    file.take("local-gateways");
    file.facts.networks.local_gateways.push(local);
}

/// The rows of one dump of learned or announced routes.
pub(super) fn routes(file: &mut File<'_>, rows: &[&Value<'_>], whole: bool) {
    let way = way(file, rows);
    let artefact = if way == Way::Learned { "learned-routes" } else { "advertised-routes" };
    let mut read = Vec::new();
    for object in rows {
        let seen = Seen { file, object, artefact };
        let Some(prefix) = object.text("network").and_then(range) else { continue };
        let origin = object.text("origin").unwrap_or("");
        let hop = object.text("nextHop").map(str::to_owned);
        let shown = format!("{prefix} {origin} {}", hop.as_deref().unwrap_or(""));
        read.push(GatewayRoute {
            way,
            prefix,
            is_own: origin.eq_ignore_ascii_case("Network"),
            of_circuit: false,
            next_hop: hop,
            source: seen.at(object.line_of("network"), &shown),
        });
    }
    let Some(first) = read.first() else { return };
    let source = first.source.clone();
    file.take(artefact);
    if whole {
        file.facts.networks.gateway_routes_told.push((way, source));
    }
    file.facts.networks.gateway_routes.extend(read);
}

/// The rows of a circuit's edge: what the far site announces there, a gateway on the circuit learns. Networks of the cloud are
/// announced with the number that its gateways have.
pub(super) fn circuit(file: &mut File<'_>, rows: &[&Value<'_>], _whole: bool) {
    file.take("express-route-tables");
    for object in rows {
        let path = object.text("path").unwrap_or("");
        let Some(prefix) = object.text("network").and_then(range).filter(|_| !path.starts_with("65515")) else { continue };
        let hop = object.text("nextHop").map(str::to_owned);
        let source = file.source(object.line_of("network"), &format!("{prefix} by the circuit, path {path}"));
        file.facts.networks.gateway_routes.push(GatewayRoute { way: Way::Learned, prefix, is_own: false, of_circuit: true, next_hop: hop, source });
    }
}

/// Both listings have the same columns. The command or the file's name tells them apart, else who is named as their source.
fn way(file: &File<'_>, rows: &[&Value<'_>]) -> Way {
    let named = format!("{} {}", file.path, file.command.as_deref().unwrap_or("")).to_lowercase();
    if named.contains("advertised") {
        return Way::Advertised;
    }
    if named.contains("learned") {
        return Way::Learned;
    }
    let announced = rows.iter().all(|r| r.text("sourcePeer").is_none() && r.text("origin").is_some_and(|o| o.eq_ignore_ascii_case("Igp")));
    if announced { Way::Advertised } else { Way::Learned }
}

pub(super) fn bgp_peer(file: &mut File<'_>, object: &Value<'_>) {
    let (Some(neighbor), Some(state)) = (object.text("neighbor"), object.text("state")) else { return };
    let seen = Seen { file, object, artefact: "learned-routes" };
    let peer =
        BgpPeer { neighbor: neighbor.to_owned(), state: state.to_owned(), source: seen.at(object.line_of("state"), &format!("peer {neighbor}: {state}")) };
    file.take("bgp-peers");
    file.facts.networks.bgp_peers.push(peer);
}
