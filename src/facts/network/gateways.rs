//! How does a network reach other sites: gateways, their tunnels, and what is known of the far end?

use ipnet::IpNet;

use crate::bundle::Source;
use crate::facts::Known;

/// A gateway to other sites.
#[derive(Debug, Clone)]
pub struct Gateway {
    /// Its key.
    pub key: String,
    /// Its name.
    pub name: String,
    /// Key of the network in which it stands.
    pub network: Option<String>,
    /// Its size; the smallest can serve no peered network.
    pub size: Option<(String, Source)>,
    /// Whether it learns routes from its peers.
    pub learns: Known<bool>,
    /// Where it stands.
    pub source: Source,
}

/// A connection of a gateway: a tunnel or a circuit.
#[derive(Debug, Clone)]
pub struct Tunnel {
    /// Its name.
    pub name: String,
    /// `Connected`, `NotConnected`, `Connecting`, `Unknown`.
    pub state: Known<String>,
    /// Key of its gateway.
    pub gateway: Option<String>,
    /// Key of the local gateway, or gateway, at its far end.
    pub far_end: Option<String>,
    /// Whether routes are learned through it.
    pub learns: Known<bool>,
    /// Where it stands.
    pub source: Source,
}

/// What is told by hand of the site at the far end.
#[derive(Debug, Clone)]
pub struct LocalGateway {
    /// Its key.
    pub key: String,
    /// Its name.
    pub name: String,
    /// The prefixes that lie there, each with its line.
    pub prefixes: Vec<(IpNet, Source)>,
    /// Whether they are all.
    pub whole: bool,
    /// Where it stands.
    pub source: Source,
}

/// Which way a route was told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// The gateway knows it.
    Learned,
    /// The gateway announces it to a peer.
    Advertised,
}

/// A route that a gateway knows or announces.
#[derive(Debug, Clone)]
pub struct GatewayRoute {
    /// Which.
    pub way: Way,
    /// What it covers.
    pub prefix: IpNet,
    /// Whether the gateway has it from its own network or from what was set by hand.
    pub is_own: bool,
    /// Whether a circuit's edge tells it, and not the gateway itself.
    pub of_circuit: bool,
    /// Its next hop.
    pub next_hop: Option<String>,
    /// Where it stands.
    pub source: Source,
}

/// A routing session of a gateway.
#[derive(Debug, Clone)]
pub struct BgpPeer {
    /// The peer's address.
    pub neighbor: String,
    /// `Connected`, `Connecting`, `Idle` ...
    pub state: String,
    /// Where it stands.
    pub source: Source,
}
