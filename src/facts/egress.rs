//! What does the firewall or proxy on the way let out? Its rules, its addresses, and what it logged.

use std::net::IpAddr;

use jiff::Timestamp;

use crate::bundle::Source;

/// Firewalls and proxies between the nodes and the hosts that they ask.
#[derive(Debug, Default)]
pub struct Egress {
    /// Rules of firewalls.
    pub rules: Vec<EgressRule>,
    /// Lists of rules that were collected.
    pub listings: Vec<RuleListing>,
    /// Policies, which tell of what lists they consist.
    pub policies: Vec<Policy>,
    /// Firewalls by their addresses.
    pub appliances: Vec<Appliance>,
    /// What firewalls and proxies logged of single connections.
    pub log: Vec<EgressRow>,
    /// How many source ports machines had, and used, behind a translated address.
    pub ports: Vec<PortSample>,
}

/// One figure of source ports.
#[derive(Debug, Clone)]
pub struct PortSample {
    /// Ports in use, rather than ports allocated.
    pub used: bool,
    /// The machine behind the address, where the figure is one machine's.
    pub machine: Option<IpAddr>,
    /// When.
    pub at: Timestamp,
    /// How many.
    pub ports: f64,
    /// Where it stands.
    pub source: Source,
}

/// One list of rules: a group of a policy, or all that an older firewall has.
#[derive(Debug, Clone)]
pub struct RuleListing {
    /// The identifier of the policy or firewall to which it belongs, in lower case; empty where the artefact does not tell.
    pub policy: String,
    /// Its own identifier, in lower case.
    pub group: String,
    /// Where it stands.
    pub source: Source,
}

/// A policy, by what it consists of.
#[derive(Debug, Clone)]
pub struct Policy {
    /// Its identifier, in lower case.
    pub key: String,
    /// The policy from which it inherits rules that are read before its own.
    pub base: Option<String>,
    /// Identifiers of its groups of rules.
    pub groups: Vec<String>,
}

/// A firewall in the network.
#[derive(Debug, Clone)]
pub struct Appliance {
    /// Its address, to which routes lead.
    pub address: IpAddr,
    /// The identifier of its policy, in lower case.
    pub policy: Option<String>,
    /// Where it stands.
    pub source: Source,
}

/// One rule of a firewall.
#[derive(Debug, Clone)]
pub struct EgressRule {
    /// The identifier of the policy or firewall to which it belongs, in lower case.
    pub policy: String,
    /// Its name.
    pub name: String,
    /// Whether it lets through.
    pub allows: bool,
    /// Whether it looks at names (in the TLS hello, in the request) rather than at addresses.
    pub by_name: bool,
    /// Its rank: rules of addresses come before rules of names, then the lower number.
    pub priority: (u32, u32),
    /// Addresses, ranges and `*` from which it counts; empty where it names groups instead.
    pub from: Vec<String>,
    /// Addresses and ranges, service tags and `*` to which it counts.
    pub to: Vec<String>,
    /// Names to which it counts, with wildcards, each with its line.
    pub hosts: Vec<(String, Source)>,
    /// Groups and tags that this bundle does not unfold.
    pub folded: Vec<String>,
    /// Ports and ranges of ports.
    pub ports: Vec<String>,
    /// Where it stands: the line of the destination, else of the name.
    pub source: Source,
}

/// One connection that a firewall or proxy let through or refused.
#[derive(Debug, Clone)]
pub struct EgressRow {
    /// When.
    pub at: Option<Timestamp>,
    /// Who asked.
    pub from: Option<IpAddr>,
    /// The address asked for.
    pub address: Option<IpAddr>,
    /// The name asked for, in lower case.
    pub host: Option<String>,
    /// The port.
    pub port: Option<u16>,
    /// Whether it was let through.
    pub allowed: bool,
    /// Whether a proxy says it, whom clients ask by their own setting.
    pub by_proxy: bool,
    /// Where it stands.
    pub source: Source,
}
