//! Who answers for a name beside the public DNS? Private zones, the networks that see them, and DNS servers of one's own.

use std::net::IpAddr;

use crate::bundle::Source;

/// Everything that was collected of private name resolution.
#[derive(Debug, Default)]
pub struct Names {
    /// Private zones.
    pub zones: Vec<Zone>,
    /// Networks to which a zone is linked.
    pub links: Vec<ZoneLink>,
    /// Records of zones.
    pub records: Vec<ZoneRecord>,
    /// What was listed whole, so that a thing that is not in it is not there.
    pub listings: Vec<ZoneListing>,
    /// Zones of which two dumps contradict each other in their links or records.
    pub doubted: std::collections::BTreeSet<(String, Listed)>,
    /// Suffixes that a forwarding service of the cloud sends to other servers.
    pub forwarded: Vec<Forward>,
    /// Addresses at which the cloud's own resolver of a network takes questions from elsewhere.
    pub entrances: Vec<(IpAddr, Source)>,
    /// How DNS servers and caches are set up, one a file.
    pub servers: Vec<super::Of<DnsServer>>,
}

/// Stands for the subscription in an id that a table for people leaves open.
pub const UNTOLD_SUBSCRIPTION: &str = "/subscriptions/?";

/// A private zone. Zones of one name may exist several times; the id tells them apart.
#[derive(Debug, Clone)]
pub struct Zone {
    /// Identifier, in lower case.
    pub id: String,
    /// The suffix for which it answers, in lower case.
    pub name: String,
    /// How many record sets it says it has.
    pub record_sets: Option<u64>,
    /// How many links it says it has.
    pub links: Option<u64>,
    /// Where it stands.
    pub source: Source,
}

/// A network that asks a zone.
#[derive(Debug, Clone)]
pub struct ZoneLink {
    /// The zone's identifier.
    pub zone: String,
    /// The network's identifier, in lower case.
    pub network: String,
    /// Whether it is in force.
    pub completed: bool,
    /// Whether a name that the zone lacks is asked for publicly; none where the artefact is too old to tell.
    pub falls_back: Option<bool>,
    /// Where its state stands.
    pub state: Source,
    /// Where the network stands.
    pub source: Source,
}

/// A record of a zone that leads to an address or another name.
#[derive(Debug, Clone)]
pub struct ZoneRecord {
    /// The zone's identifier.
    pub zone: String,
    /// The whole name, in lower case, without the final dot; `*.` in front stands for any label.
    pub name: String,
    /// Its addresses.
    pub addresses: Vec<IpAddr>,
    /// The name to which it leads.
    pub alias: Option<String>,
    /// Where it stands.
    pub source: Source,
}

/// What a listing shows whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Listed {
    /// Every link.
    Links,
    /// Every record.
    Records,
    /// The records of one type.
    OneType,
}

/// A list that was collected of one zone.
#[derive(Debug, Clone)]
pub struct ZoneListing {
    /// The zone's identifier.
    pub zone: String,
    /// What it lists.
    pub of: Listed,
    /// How many things are in it, of any kind.
    pub count: u64,
    /// Where it begins.
    pub source: Source,
}

/// How a DNS server, or a cache on a node, is set up, as far as one file says it.
#[derive(Debug, Clone, Default)]
pub struct DnsServer {
    /// Addresses on which it listens, where the file names them.
    pub addresses: Vec<IpAddr>,
    /// Where it sends what it does not know itself, by suffix; the empty suffix stands for everything.
    pub forwards: Vec<Forward>,
    /// Suffixes for which it answers from its own data.
    pub own: Vec<(String, Source)>,
    /// Whether the part of its configuration that would name servers for everything is in the file.
    pub names_defaults: bool,
    /// Whether the part that would name servers for single suffixes is in the file.
    pub names_zones: bool,
    /// The line of that part, where it stands.
    pub defaults: Option<Source>,
    /// The file's own name, as another file would take it in.
    pub file: String,
    /// Files that it takes in.
    pub includes: Vec<String>,
    /// Whether it is a cache on a node, whose listener serves the node itself.
    pub on_node: bool,
    /// Folder or machine by which several files of one server are known to belong together.
    pub place: String,
}

/// Where a DNS server sends the questions for one suffix.
#[derive(Debug, Clone)]
pub struct Forward {
    /// The suffix, without dots at its ends; empty for everything.
    pub suffix: String,
    /// The servers.
    pub to: Vec<IpAddr>,
    /// Where it stands.
    pub source: Source,
}
