//! Which routes does a subnet have: those that are in force on an interface, and those that somebody set?

use ipnet::IpNet;

use crate::bundle::Source;
use crate::facts::Known;

/// A row of a network interface's effective routes.
#[derive(Debug, Clone)]
pub struct EffectiveRoute {
    /// What it covers.
    pub prefix: IpNet,
    /// Where it leads: `VnetLocal`, `VNetPeering`, `VirtualNetworkGateway`, `VirtualAppliance`, `Internet`, `None` ...
    pub next_hop_type: String,
    /// The next hop's address; of several the first.
    pub next_hop: Option<String>,
    /// Who made it: `Default`, `User`, `VirtualNetworkGateway`.
    pub origin: String,
    /// Whether it is in force.
    pub active: bool,
    /// Where it stands.
    pub source: Source,
}

impl EffectiveRoute {
    /// Whether it is a range of the interface's own network.
    pub fn is_own_network(&self) -> bool {
        self.active && self.next_hop_type.eq_ignore_ascii_case("VnetLocal") && self.origin.eq_ignore_ascii_case("Default")
    }
}

/// The effective routes of one interface.
#[derive(Debug, Clone)]
pub struct EffectiveTable {
    /// The rows, in their order.
    pub routes: Vec<EffectiveRoute>,
    /// Whether they are all: a longer prefix may stand in what was cut off.
    pub whole: bool,
    /// Whether a row says that the gateway's routes are kept out of the subnet, and which.
    pub keeps_gateway_routes_out: Known<bool>,
    /// Whether an older dump of the same interface says otherwise.
    pub doubted: bool,
    /// The interface, where the command beside them names it.
    pub interface: Option<String>,
}

/// A route table that somebody made for subnets.
#[derive(Debug, Clone)]
pub struct RouteTable {
    /// Its id as it is written, for the commands that change it.
    pub id: String,
    /// Its key.
    pub key: String,
    /// Its name.
    pub name: String,
    /// Its routes.
    pub routes: Vec<EffectiveRoute>,
    /// Routes to names that stand for prefixes, which were not expanded.
    pub tags: Vec<(String, Source)>,
    /// Whether subnets that use it take the gateway's routes.
    pub takes_gateway_routes: Known<bool>,
    /// Whether the routes are all.
    pub whole: bool,
    /// Keys of the subnets that use it.
    pub subnets: Vec<String>,
    /// Where it stands.
    pub source: Source,
}
