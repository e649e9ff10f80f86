//! Which networks and subnets are there, how do they meet, and what stands in them?

use std::net::IpAddr;

use ipnet::IpNet;

use crate::bundle::Source;
use crate::facts::Known;

/// A virtual network.
#[derive(Debug, Clone)]
pub struct Network {
    /// Its key.
    pub key: String,
    /// Its name.
    pub name: String,
    /// Its address ranges, each with its line.
    pub prefixes: Vec<(IpNet, Source)>,
    /// The DNS servers that it hands to its machines; absent where it leaves them the cloud's own resolver.
    pub dns_servers: Known<Vec<IpAddr>>,
    /// Whether all its subnets are told.
    pub subnets_told: bool,
    /// Where it stands.
    pub source: Source,
}

/// A subnet.
#[derive(Debug, Clone)]
pub struct Subnet {
    /// Its key.
    pub key: String,
    /// Its network's key.
    pub network: String,
    /// Its name.
    pub name: String,
    /// Its address ranges, each with its line.
    pub prefixes: Vec<(IpNet, Source)>,
    /// Key of its route table; absent where it has none.
    pub route_table: Known<String>,
    /// Key of its security group; absent where it has none.
    pub security_group: Known<String>,
    /// Key of its address translation to the internet; absent where it has none.
    pub translation: Known<String>,
    /// The services that it reaches as itself, without an address of the internet; absent where it has none.
    pub service_endpoints: Known<Vec<String>>,
    /// Whether security groups bear on the private endpoints in it.
    pub filters_endpoints: Known<bool>,
    /// Where it stands.
    pub source: Source,
}

impl Subnet {
    /// The range that covers an address.
    pub fn covers(&self, address: IpAddr) -> Option<&(IpNet, Source)> {
        self.prefixes.iter().filter(|(p, _)| p.contains(&address)).max_by_key(|(p, _)| p.prefix_len())
    }
}

/// One side of a peering of two networks.
#[derive(Debug, Clone)]
pub struct Peering {
    /// Its id as it is written, for the commands that change it.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The network on whose side it is set.
    pub network: String,
    /// The network to which it leads.
    pub remote: String,
    /// `Connected`, `Initiated`, `Disconnected`.
    pub state: Known<String>,
    /// `FullyInSync`, or which side is not.
    pub sync: Known<String>,
    /// Whether it lets packets between the two networks pass.
    pub allows_access: Known<bool>,
    /// Whether it takes packets that something in the remote network forwards.
    pub allows_forwarded: Known<bool>,
    /// Whether it offers this side's gateway to the remote network.
    pub offers_gateway: Known<bool>,
    /// Whether this side uses the remote network's gateway.
    pub uses_remote_gateway: Known<bool>,
    /// The remote ranges that it carries, each with its line.
    pub carries: Vec<(IpNet, Source)>,
    /// The ranges that the remote network has now.
    pub remote_has: Vec<(IpNet, Source)>,
    /// Whether it joins the whole networks, and not only some subnets.
    pub of_whole_networks: bool,
    /// Where it stands.
    pub source: Source,
}

/// A network interface, of a machine, of an instance of a set, or of a private endpoint.
#[derive(Debug, Clone)]
pub struct Interface {
    /// Its key; empty where the dump leaves it out.
    pub key: String,
    /// Its name.
    pub name: String,
    /// Its addresses, each with its line.
    pub addresses: Vec<(IpAddr, Source)>,
    /// Key of its subnet.
    pub subnet: Option<String>,
    /// Key of its network.
    pub network: Option<String>,
    /// Key of its own security group; absent where it has none.
    pub security_group: Known<String>,
    /// DNS servers of its own, which count before its network's; absent where it takes those of its network.
    pub dns_servers: Known<Vec<IpAddr>>,
    /// Whether it forwards packets that are meant for others.
    pub forwards: Known<bool>,
    /// The machine that has it: its name, or its set's and its number in the set.
    pub machine: Option<String>,
    /// The set of machines, by name.
    pub set: Option<String>,
    /// Whether it is a private endpoint's.
    pub is_endpoint: bool,
    /// Where it stands.
    pub source: Source,
}

/// A machine, and whether it runs.
#[derive(Debug, Clone)]
pub struct Machine {
    /// Its name, in lower case.
    pub name: String,
    /// Whether it runs.
    pub runs: bool,
    /// Where it stands.
    pub source: Source,
}

/// A node pool and its subnet.
#[derive(Debug, Clone)]
pub struct Pool {
    /// Its name.
    pub name: String,
    /// Key of its subnet; absent where the platform made one of its own.
    pub subnet: Known<String>,
    /// Key of its network.
    pub network: Option<String>,
    /// Where it stands.
    pub source: Source,
}
