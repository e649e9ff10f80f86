//! What does a node itself hold? Resolver, hosts file, routes, trust, runtime configuration.

use std::net::IpAddr;

use ipnet::IpNet;
use jiff::Timestamp;

use crate::bundle::Source;

/// A `resolv.conf`.
#[derive(Debug, Clone, Default)]
pub struct ResolvConf {
    /// The nameservers in order, each with its line.
    pub nameservers: Vec<(IpAddr, Source)>,
    /// Search domains.
    pub search: Vec<String>,
}

impl ResolvConf {
    /// Whether it names only a stub on the node itself, behind which the real servers are hidden.
    pub fn is_stub(&self) -> bool {
        !self.nameservers.is_empty() && self.nameservers.iter().all(|(a, _)| a.is_loopback() || is_link_local_cache(a))
    }

    /// Whether a pod's resolver wrote it: a search list of the cluster's domain.
    pub fn is_pods(&self) -> bool {
        self.search.iter().any(|s| s.contains(".svc.") || s.starts_with("svc."))
    }
}

/// Node-local DNS caches listen on link-local addresses (`169.254.10.10`, `169.254.20.10`).
fn is_link_local_cache(address: &IpAddr) -> bool {
    matches!(address, IpAddr::V4(v4) if v4.is_link_local() && v4.octets() != [169, 254, 169, 254])
}

/// A line of a hosts file.
#[derive(Debug, Clone)]
pub struct HostEntry {
    /// The address.
    pub address: IpAddr,
    /// The names.
    pub names: Vec<String>,
    /// Where it stands.
    pub source: Source,
}

/// A route of the node's own tables.
#[derive(Debug, Clone)]
pub struct HostRoute {
    /// What it covers.
    pub prefix: IpNet,
    /// `unicast`, `blackhole`, `prohibit`, `unreachable`.
    pub kind: String,
    /// The gateway.
    pub via: Option<IpAddr>,
    /// The device.
    pub dev: Option<String>,
    /// Metric; the lower wins among equals.
    pub metric: u32,
    /// The table, `main` unless told.
    pub table: String,
    /// Where it stands.
    pub source: Source,
}

/// A certificate, by what a path check needs of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Certificate {
    /// Subject, as text.
    pub subject: String,
    /// Issuer, as text.
    pub issuer: String,
    /// Subject key identifier, in hexadecimal.
    pub key_id: Option<String>,
    /// Authority key identifier, in hexadecimal.
    pub authority_key_id: Option<String>,
    /// Names that it is for.
    pub names: Vec<String>,
    /// Begin of its validity.
    pub not_before: Option<Timestamp>,
    /// End of its validity.
    pub not_after: Option<Timestamp>,
    /// Whether it may sign others.
    pub is_ca: bool,
    /// Where it stands.
    pub source: Source,
}

impl Certificate {
    /// Whether `self` names `other` as its issuer, by name and, where both carry them, by key identifier.
    pub fn issued_by(&self, other: &Certificate) -> bool {
        let keys_fit = match (&self.authority_key_id, &other.key_id) {
            (Some(a), Some(b)) => a == b,
            _ => true,
        };
        self.issuer == other.subject && keys_fit
    }

    /// Whether it names itself as issuer.
    pub fn is_self_issued(&self) -> bool {
        self.issuer == self.subject
    }
}

/// The chain that a host presented to the node.
#[derive(Debug, Clone, Default)]
pub struct Chain {
    /// The host, where the file or its folder names it.
    pub host: Option<String>,
    /// The certificates in the order in which they came.
    pub certificates: Vec<Certificate>,
}

/// A look-up made with dig or getent.
#[derive(Debug, Clone)]
pub struct Lookup {
    /// The name asked for, in lower case.
    pub name: String,
    /// `NOERROR`, `NXDOMAIN`, `SERVFAIL`, `REFUSED`, `TIMEOUT`.
    pub status: String,
    /// Names to which the answer led on the way.
    pub aliases: Vec<String>,
    /// Addresses in the answer.
    pub addresses: Vec<IpAddr>,
    /// The server that answered.
    pub server: Option<IpAddr>,
    /// Where it stands.
    pub source: Source,
}

/// A request that somebody made on the node.
#[derive(Debug, Clone)]
pub struct Request {
    /// The host asked, without its port, in lower case.
    pub host: String,
    /// The status of the answer.
    pub status: Option<u16>,
    /// The beginning of its body.
    pub body: String,
    /// Where it stands: the body's line, else the status line.
    pub source: Source,
}

/// A containerd `hosts.toml`.
#[derive(Debug, Clone, Default)]
pub struct HostsToml {
    /// The registry to which it applies: the folder's name.
    pub registry: String,
    /// The hosts that are asked before it, in order, each with its line.
    pub mirrors: Vec<(String, Source)>,
}

/// Proxy variables of one service.
#[derive(Debug, Clone, Default)]
pub struct ProxySettings {
    /// The service, where the file names it.
    pub service: Option<String>,
    /// Host and port of the HTTPS proxy, without credentials.
    pub https_proxy: Option<String>,
    /// Entries of NO_PROXY.
    pub no_proxy: Vec<String>,
}
