//! What does the network around the node do, as the cloud sees it? Without any vendor's names for it.

use ipnet::IpNet;

use crate::bundle::Source;

/// A row of a network interface's effective routes.
#[derive(Debug, Clone)]
pub struct EffectiveRoute {
    /// What it covers.
    pub prefix: IpNet,
    /// Where it leads: `VnetLocal`, `VNetPeering`, `VirtualNetworkGateway`, `VirtualAppliance`, `Internet`, `None` ...
    pub next_hop_type: String,
    /// The next hop's address.
    pub next_hop: Option<String>,
    /// Who made it: `Default`, `User`, `VirtualNetworkGateway`.
    pub origin: String,
    /// Whether it is in force.
    pub active: bool,
    /// Where it stands.
    pub source: Source,
}
