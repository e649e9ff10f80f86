//! What does the network around the node do, as the cloud sees it? Without any vendor's formats.
//!
//! Resources name one another by keys: opaque texts that are equal for the same resource.

mod gateways;
mod places;
mod routes;
mod security;

pub use gateways::{BgpPeer, Gateway, GatewayRoute, LocalGateway, Tunnel, Way};
pub use places::{Interface, Machine, Network, Peering, Pool, Subnet};
pub use routes::{EffectiveRoute, EffectiveTable, RouteTable};
pub use security::{Access, Direction, Peer, SecurityGroup, SecurityRule};

use std::collections::BTreeMap;

use ipnet::IpNet;

use crate::bundle::Source;

/// Everything that was told of the networks, on the node's side and on the registry's.
#[derive(Debug, Default)]
pub struct Networks {
    /// Virtual networks.
    pub networks: Vec<Network>,
    /// Their subnets.
    pub subnets: Vec<Subnet>,
    /// Peerings, each side for itself.
    pub peerings: Vec<Peering>,
    /// Networks of which all peerings are told, and the line that vouches for it.
    pub peerings_told: BTreeMap<String, Source>,
    /// Each list of all peerings of a network: several of one network may differ.
    pub peering_listings: Vec<(String, Source)>,
    /// Route tables of subnets.
    pub route_tables: Vec<RouteTable>,
    /// Security groups as they are set.
    pub groups: Vec<SecurityGroup>,
    /// Security groups as they bear on an interface, one entry a dump: all of them must let a packet through.
    pub effective_groups: Vec<crate::facts::Of<Vec<SecurityGroup>>>,
    /// Gateways to other sites.
    pub gateways: Vec<Gateway>,
    /// Their connections: tunnels and circuits.
    pub tunnels: Vec<Tunnel>,
    /// Whether connections were listed, and not asked for one by one.
    pub tunnels_told: bool,
    /// What is told by hand of the sites at the far end.
    pub local_gateways: Vec<LocalGateway>,
    /// What gateways learned or announced.
    pub gateway_routes: Vec<GatewayRoute>,
    /// Dumps of learned or announced routes that are whole, by their way.
    pub gateway_routes_told: Vec<(Way, Source)>,
    /// The gateways' routing sessions.
    pub bgp_peers: Vec<BgpPeer>,
    /// Network interfaces.
    pub interfaces: Vec<Interface>,
    /// Machines whose state was told.
    pub machines: Vec<Machine>,
    /// Node pools, by the subnet in which they are.
    pub pools: Vec<Pool>,
    /// How clusters were told to let their nodes out to the internet.
    pub outbound: Vec<(String, Source)>,
    /// Names that stand for prefixes, with their prefixes.
    pub tags: Vec<(String, Vec<IpNet>)>,
}

impl Networks {
    /// The network of that key.
    pub fn network(&self, key: &str) -> Option<&Network> {
        self.networks.iter().find(|n| n.key == key)
    }

    /// The subnet of that key.
    pub fn subnet(&self, key: &str) -> Option<&Subnet> {
        self.subnets.iter().find(|s| s.key == key)
    }

    /// The peerings that a network has on its own side.
    pub fn peerings_of<'n>(&'n self, network: &'n str) -> impl Iterator<Item = &'n Peering> {
        self.peerings.iter().filter(move |p| p.network == network)
    }
}
