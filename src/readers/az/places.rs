//! Which networks, subnets and peerings does a dump show?
//!
//! ```json
//! {"name": "to-hub", "peeringState": "Connected", "useRemoteGateways": false, "remoteAddressSpace": {"addressPrefixes": ["10.30.0.0/16"]}}
//! ```

use super::seen::Seen;
use super::tree::Value;
use crate::facts::network::{Network, Peering, Subnet};
use crate::facts::{Evidence, Known};
use crate::readers::File;

/// A network with everything in it.
pub(super) fn network(file: &mut File<'_>, object: &Value<'_>, whole: bool) {
    let Some(id) = object.id() else { return };
    let key = id.key().to_owned();
    let seen = Seen { file, object, artefact: "vnet" };
    let space = object.get("addressSpace").map(|space| seen.part(space).ranges("addressPrefixes")).unwrap_or_default();
    let servers: Vec<_> = object.get("dhcpOptions").map(|o| o.texts("dnsServers").filter_map(|(a, _)| a.parse().ok()).collect()).unwrap_or_default();
    let line = object.get("dhcpOptions").and_then(|o| o.list("dnsServers").first()).map_or(object.line_of("dhcpOptions"), |first| first.line);
    let dns_servers = if servers.is_empty() {
        // A network without servers of its own leaves its machines the cloud's resolver: a fact where the network is shown whole.
        if object.is_whole() && hidden(object, "dhcpOptions").is_none() {
            Known::Absent(Evidence::of(&seen.at(line, &format!("{}: no DNS servers of its own", id.name()))))
        } else {
            Known::NotCollected("vnet")
        }
    } else {
        let shown: Vec<String> = servers.iter().map(ToString::to_string).collect();
        Known::Seen(servers, Evidence::of(&seen.at(line, &format!("{}: dnsServers {}", id.name(), shown.join(", ")))))
    };
    let source = seen.here(&format!("network {}", id.name()));
    let told = object.is_whole() && object.has("virtualNetworkPeerings") && hidden(object, "virtualNetworkPeerings").is_none();
    let told_at = seen.at(object.line_of("virtualNetworkPeerings"), &format!("{}: its peerings", id.name()));
    let subnets_told = object.is_whole() && object.has("subnets") && hidden(object, "subnets").is_none();
    let network = Network { key: key.clone(), name: id.name().to_owned(), prefixes: space, dns_servers, subnets_told, source };
    file.take("vnet");
    file.facts.networks.networks.push(network);
    for part in object.list("subnets") {
        subnet(file, part);
    }
    for part in object.list("virtualNetworkPeerings") {
        peering(file, part, false);
    }
    if told && whole {
        file.facts.networks.peering_listings.push((key.clone(), told_at.clone()));
        file.facts.networks.peerings_told.entry(key).or_insert(told_at);
    }
}

/// The name of a class in place of what lies too deep for the tool that printed it.
fn hidden<'v>(object: &'v Value<'_>, key: &str) -> Option<&'v str> {
    object.raw_text(key).filter(|t| !t.is_empty())
}

/// A subnet, alone or inside its network.
pub(super) fn subnet(file: &mut File<'_>, object: &Value<'_>) {
    let Some((id, network)) = object.id().and_then(|id| Some((id.clone(), id.parent()?))) else { return };
    let seen = Seen { file, object, artefact: "vnet" };
    let mut prefixes = seen.ranges("addressPrefix");
    prefixes.extend(seen.ranges("addressPrefixes"));
    if prefixes.is_empty() {
        return;
    }
    let filters_endpoints = match object.text("privateEndpointNetworkPolicies").map(str::to_ascii_lowercase).as_deref() {
        Some("enabled" | "networksecuritygroupenabled") => Known::Seen(true, Evidence::of(&seen.source("privateEndpointNetworkPolicies"))),
        Some("disabled" | "routetableenabled") => Known::Seen(false, Evidence::of(&seen.source("privateEndpointNetworkPolicies"))),
        _ => Known::NotCollected("vnet"),
    };
    let subnet = Subnet {
        key: id.key().to_owned(),
        network: network.key().to_owned(),
        name: id.name().to_owned(),
        prefixes,
        route_table: seen.reference("routeTable"),
        security_group: seen.reference("networkSecurityGroup"),
        translation: seen.reference("natGateway"),
        service_endpoints: services(&seen),
        filters_endpoints,
        source: seen.here(&format!("subnet {}", id.name())),
    };
    file.take("vnet");
    file.facts.networks.subnets.push(subnet);
}

/// The services of its service endpoints, in lower case.
fn services(seen: &Seen<'_, '_, '_, '_>) -> Known<Vec<String>> {
    let object = seen.object;
    let list: Vec<String> = object.list("serviceEndpoints").iter().filter_map(|e| Some(e.text("service")?.to_lowercase())).collect();
    let at = seen.at(object.line_of("serviceEndpoints"), &format!("{}: serviceEndpoints {}", object.name().unwrap_or_default(), list.join(", ")));
    match list.is_empty() {
        false => Known::Seen(list, Evidence::of(&at)),
        true if object.is_whole() && hidden(object, "serviceEndpoints").is_none() => Known::Absent(Evidence::of(&at)),
        true => Known::NotCollected("vnet"),
    }
}

/// One side of a peering; `listed` where it stands in a list of all of its network's.
pub(super) fn peering(file: &mut File<'_>, object: &Value<'_>, listed: bool) {
    let Some(id) = object.id() else { return };
    let (Some(network), Some(remote)) = (id.parent(), object.id_at("remoteVirtualNetwork")) else { return };
    let seen = Seen { file, object, artefact: "vnet-peerings" };
    let space = |key: &str| object.get(key).map(|space| seen.part(space).ranges("addressPrefixes")).unwrap_or_default();
    let name = object.name().unwrap_or_default().into_owned();
    let peering = Peering {
        id: id.as_str().to_owned(),
        network: network.key().to_owned(),
        remote: remote.key().to_owned(),
        state: seen.text("peeringState"),
        sync: seen.text("peeringSyncLevel"),
        allows_access: seen.flag("allowVirtualNetworkAccess"),
        allows_forwarded: seen.flag("allowForwardedTraffic"),
        offers_gateway: seen.flag("allowGatewayTransit"),
        uses_remote_gateway: seen.flag("useRemoteGateways"),
        carries: space("remoteAddressSpace"),
        remote_has: space("remoteVirtualNetworkAddressSpace"),
        of_whole_networks: object.flag("peerCompleteVnets") != Some(false),
        source: seen.here(&format!("peering {name} of {} with {}", network.name(), remote.name())),
        name,
    };
    file.take("vnet-peerings");
    if listed {
        file.facts.networks.peering_listings.push((peering.network.clone(), peering.source.clone()));
        file.facts.networks.peerings_told.entry(peering.network.clone()).or_insert_with(|| peering.source.clone());
    }
    file.facts.networks.peerings.push(peering);
}
