//! Which packets do security groups let through?

use std::net::IpAddr;
use std::ops::RangeInclusive;

use ipnet::IpNet;

use crate::bundle::Source;

/// A group of rules, of which the first that fits decides.
#[derive(Debug, Clone)]
pub struct SecurityGroup {
    /// Its key.
    pub key: String,
    /// Its name.
    pub name: String,
    /// Its rules, in no order.
    pub rules: Vec<SecurityRule>,
    /// Whether they are all that somebody set; the defaults behind them are known.
    pub whole: bool,
    /// Keys of the subnets on which it bears.
    pub subnets: Vec<String>,
    /// Names of the interfaces on which it bears.
    pub interfaces: Vec<String>,
    /// Whether a manager of networks set it, above the groups of subnets and interfaces.
    pub is_managers: bool,
    /// Whether an older dump of the same group says otherwise.
    pub doubted: bool,
    /// Where it stands.
    pub source: Source,
}

/// A rule.
#[derive(Debug, Clone)]
pub struct SecurityRule {
    /// Its name.
    pub name: String,
    /// The lower counts first.
    pub priority: u32,
    /// The way of the packet that opens a connection.
    pub direction: Direction,
    /// What it does.
    pub access: Access,
    /// Whether it bears on TCP.
    pub tcp: bool,
    /// Who sends.
    pub from: Vec<Peer>,
    /// Who is meant.
    pub to: Vec<Peer>,
    /// The ports meant.
    pub ports: Vec<RangeInclusive<u16>>,
    /// Whether it names ports of the sender, which nobody knows before.
    pub names_source_ports: bool,
    /// The line that names it.
    pub source: Source,
    /// The line that says who is meant.
    pub meant: Source,
}

impl SecurityRule {
    /// Its name alone: a dump of effective rules puts the kind of the rule before it.
    pub fn short_name(&self) -> &str {
        self.name.rsplit('/').next().unwrap_or(&self.name)
    }
}

/// The way of the packet that opens a connection, seen from the interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Into it.
    In,
    /// Out of it.
    Out,
}

/// What a rule does with a packet that fits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Lets it through this group.
    Allow,
    /// Drops it.
    Deny,
    /// Lets it through every group.
    AlwaysAllow,
}

/// Whom a rule means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Peer {
    /// Everybody.
    Any,
    /// A range.
    Range(IpNet),
    /// A name that stands for ranges; they are told, or not.
    Tag(String, Option<Vec<IpNet>>),
    /// A group of machines by name, whose addresses nobody tells.
    Group(String),
}

impl Peer {
    /// Whether an address is meant; nothing where that is not known.
    pub fn means(&self, address: IpAddr) -> Option<bool> {
        match self {
            Peer::Any => Some(true),
            Peer::Range(range) => Some(range.contains(&address)),
            Peer::Tag(_, Some(ranges)) => Some(ranges.iter().any(|r| r.contains(&address))),
            Peer::Tag(_, None) | Peer::Group(_) => None,
        }
    }
}
