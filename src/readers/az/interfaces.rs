//! Which interfaces and node pools stand in which subnet?
//!
//! ```json
//! {"name": "aks-apps-vmss", "virtualMachine": {"id": ".../virtualMachineScaleSets/aks-apps-vmss/virtualMachines/0"},
//!  "ipConfigurations": [{"privateIPAddress": "10.31.4.35", "subnet": {"id": ".../subnets/snet-aks"}}]}
//! ```

use std::net::IpAddr;

use super::seen::Seen;
use super::tree::Value;
use crate::facts::network::{Interface, Pool};
use crate::facts::{Evidence, Known};
use crate::readers::File;

pub(super) fn interface(file: &mut File<'_>, object: &Value<'_>) {
    let seen = Seen { file, object, artefact: "nic" };
    let configurations = object.list("ipConfigurations");
    let address = |c: &&Value<'_>| {
        let text = c.text("privateIPAddress")?;
        Some((text.parse().ok()?, seen.at(c.line_of("privateIPAddress"), &format!("{}: {text}", object.name().unwrap_or_default()))))
    };
    let machine = object.id_at("virtualMachine").or_else(|| object.id().and_then(|id| id.parent()).filter(|id| id.kind().ends_with("/virtualmachines")));
    let subnet = configurations.iter().find_map(|c| c.id_at("subnet"));
    let of_set = machine.as_ref().filter(|id| id.kind().contains("scalesets"));
    let interface = Interface {
        key: object.id().map(|id| id.key().to_owned()).unwrap_or_default(),
        name: object.name().unwrap_or_default().into_owned(),
        addresses: configurations.iter().collect::<Vec<_>>().iter().filter_map(address).collect(),
        subnet: subnet.as_ref().map(|id| id.key().to_owned()),
        network: subnet.as_ref().and_then(|id| id.parent()).map(|id| id.key().to_owned()),
        security_group: seen.reference("networkSecurityGroup"),
        dns_servers: servers(&seen),
        forwards: seen.flag("enableIPForwarding"),
        set: of_set.map(|id| id.outer_name().to_owned()),
        machine: machine.as_ref().map(|id| id.name().to_owned()),
        is_endpoint: object.get("privateEndpoint").is_some() || configurations.iter().any(|c| c.get("privateLinkConnectionProperties").is_some()),
        source: seen.here(&format!("interface {}", object.name().unwrap_or_default())),
    };
    file.take(if interface.set.is_some() { "vmss-nic" } else { "nic" });
    file.facts.networks.interfaces.push(interface);
}

/// DNS servers that are set on the interface itself.
fn servers(seen: &Seen<'_, '_, '_, '_>) -> Known<Vec<IpAddr>> {
    let Some(settings) = seen.object.get("dnsSettings") else { return Known::NotCollected("nic") };
    let list: Vec<IpAddr> = settings.texts("dnsServers").filter_map(|(a, _)| a.parse().ok()).collect();
    let shown: Vec<String> = list.iter().map(ToString::to_string).collect();
    let line = settings.list("dnsServers").first().map_or(settings.line_of("dnsServers"), |first| first.line);
    let at = seen.at(line, &format!("{}: dnsServers {}", seen.object.name().unwrap_or_default(), shown.join(", ")));
    if list.is_empty() { Known::Absent(Evidence::of(&at)) } else { Known::Seen(list, Evidence::of(&at)) }
}

/// A cluster: its pools, and how it lets them out.
pub(super) fn cluster(file: &mut File<'_>, object: &Value<'_>) {
    for part in object.list("agentPoolProfiles") {
        pool(file, part, "cluster");
    }
    if let Some(told) = object.at(&["networkProfile", "outboundType"])
        && let Some(kind) = told.as_text()
    {
        let source = file.source(told.line, &format!("outboundType: {kind}"));
        file.facts.networks.outbound.push((kind.to_owned(), source));
    }
}

/// A pool, of a listing or of the cluster that holds it.
pub(super) fn pool(file: &mut File<'_>, object: &Value<'_>, artefact: &'static str) {
    let Some(name) = object.name().map(|n| n.into_owned()) else { return };
    let seen = Seen { file, object, artefact: "node-pools" };
    let source = seen.at(object.line_of("vnetSubnetId"), &format!("pool {name}: {}", object.text("vnetSubnetId").unwrap_or("no subnet of its own")));
    let id = object.id_at("vnetSubnetId");
    let network = id.as_ref().and_then(|id| id.parent()).map(|id| id.key().to_owned());
    let subnet = match id {
        Some(id) => Known::Seen(id.key().to_owned(), Evidence::of(&source)),
        None if object.has("vnetSubnetId") => Known::Absent(Evidence::of(&source)),
        None => Known::NotCollected("node-pools"),
    };
    file.take(artefact);
    file.facts.networks.pools.push(Pool { name, subnet, network, source });
}
