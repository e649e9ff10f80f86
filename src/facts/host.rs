//! What does a node itself hold? Resolver, hosts file, routes, trust, runtime configuration.

use std::collections::BTreeMap;
use std::net::IpAddr;

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
    /// How many authorities may stand below it, where it is limited.
    pub path_length: Option<u32>,
    /// Whether its usages let it speak for a server; none where it names no usages, which allows all.
    pub for_servers: Option<bool>,
    /// Names below which alone it may sign, where it is constrained.
    pub permitted: Vec<String>,
    /// What of its signature or key today's clients refuse: `SHA-1 signature` ...
    pub weak: Option<&'static str>,
    /// Where it stands.
    pub source: Source,
}

impl Certificate {
    /// A certificate of which nothing but its subject is known.
    pub fn bare(subject: String, source: Source) -> Certificate {
        Certificate {
            subject,
            issuer: String::new(),
            key_id: None,
            authority_key_id: None,
            names: Vec::new(),
            not_before: None,
            not_after: None,
            is_ca: false,
            path_length: None,
            for_servers: None,
            permitted: Vec::new(),
            weak: None,
            source,
        }
    }

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
    /// The folder alone names it, which may as well be called after the machine.
    pub by_folder: bool,
    /// The port that was asked, where the file tells.
    pub port: Option<u16>,
    /// The certificates in the order in which they came.
    pub certificates: Vec<Certificate>,
    /// Only the first is known: what came behind it was not shown.
    pub first_alone: bool,
    /// It was taken through a proxy.
    pub through_proxy: bool,
    /// The host named authorities from which it wants a client certificate.
    pub wants_client: bool,
}

/// Certificates that lie on a node, and where.
#[derive(Debug, Clone, Default)]
pub struct TrustStore {
    /// Who reads that place.
    pub place: TrustPlace,
    /// The certificates.
    pub certificates: Vec<Certificate>,
    /// When the file was written, where an archive tells it.
    pub written: Option<Timestamp>,
}

/// Who reads a place in which certificates lie.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum TrustPlace {
    /// Every program that asks the system.
    System,
    /// Nobody, until a command has taken it into the system's bundle.
    Source,
    /// A runtime (`containerd`, `docker`, `containers`), for one host.
    Host {
        /// The runtime.
        runtime: &'static str,
        /// The host, with its port where the folder has one.
        host: String,
    },
    /// Not known from the path: taken for what the runtime reads.
    #[default]
    Unknown,
}

/// The state of a service on the node.
#[derive(Debug, Clone)]
pub struct Service {
    /// The unit, without its suffix.
    pub name: String,
    /// When it was started.
    pub since: Timestamp,
}

/// How full a file system or a thin pool is.
#[derive(Debug, Clone)]
pub struct Disk {
    /// Of what.
    pub of: DiskUse,
    /// Where it is mounted, or the pool's name.
    pub name: String,
    /// In percent.
    pub percent: u8,
}

/// What of a disk is used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DiskUse {
    /// Blocks.
    Space,
    /// Inodes.
    Inodes,
    /// Data or metadata of a thin pool, whichever is fuller.
    ThinPool,
}

/// What lies in a folder of the node.
#[derive(Debug, Clone)]
pub struct Listing {
    /// The folder, without a slash at its end.
    pub folder: String,
    /// The names in it, each with its line.
    pub files: Vec<(String, Source)>,
}

/// When a file on the node was written.
#[derive(Debug, Clone)]
pub struct FileTime {
    /// Its path on the node.
    pub path: String,
    /// When.
    pub written: Timestamp,
}

/// The node's clock, as its own tools tell.
#[derive(Debug, Clone, Copy, Default)]
pub struct Clock {
    /// Whether it is synchronised.
    pub synchronised: Option<bool>,
    /// Seconds that it is ahead of the time source; negative where it is slow.
    pub offset: Option<i64>,
    /// Seconds that it is ahead of the machine's hardware clock.
    pub ahead_of_hardware: Option<i64>,
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
    /// Somebody chose that server in the command, rather than leave it to the machine's own settings.
    pub chosen: bool,
    /// Where it stands.
    pub source: Source,
}

/// A request that somebody made on the node.
#[derive(Debug, Clone)]
pub struct Request {
    /// The host asked, without its port, in lower case.
    pub host: String,
    /// The address to which it went, where it is told.
    pub address: Option<std::net::IpAddr>,
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
    /// The registry's own address, where it names one.
    pub server: Option<String>,
    /// Files with authorities that it names for that server.
    pub server_trust: Vec<String>,
    /// It names a certificate with which the runtime shows that server who it is.
    pub server_client: bool,
    /// Every host that it names, in order.
    pub hosts: Vec<HostBlock>,
    /// Those that are asked for manifests before the registry, in order, each with its line.
    pub mirrors: Vec<(String, Source)>,
}

/// A host of a `hosts.toml`.
#[derive(Debug, Clone)]
pub struct HostBlock {
    /// Host and port.
    pub host: String,
    /// It is asked without TLS.
    pub plain_http: bool,
    /// It is asked for manifests; else for layers alone.
    pub can_resolve: bool,
    /// Files with authorities that it names for this host.
    pub own_trust: Vec<String>,
    /// It names a certificate with which the runtime shows who it is.
    pub client: bool,
    /// Certificates are not verified.
    pub skip_verify: bool,
    /// The URL's path stands for `/v2`.
    pub override_path: bool,
    /// Where it stands.
    pub source: Source,
}

/// What a runtime's own configuration says of registries.
#[derive(Debug, Clone, Default)]
pub struct RuntimeConfig {
    /// Whose it is: `containerd`, `containers` (CRI-O, Podman), `docker`.
    pub runtime: &'static str,
    /// The running process told it, rather than a file.
    pub effective: bool,
    /// Folders in which containerd looks for a host's settings; none where it does not say.
    pub config_path: Option<Vec<String>>,
    /// Where that stands.
    pub config_path_at: Option<Source>,
    /// Settings for registries that stand in it, by host, with port and path where it is written so.
    pub hosts: BTreeMap<String, HostSettings>,
    /// Registries in which a short name is looked for.
    pub search: Vec<String>,
    /// Where that stands.
    pub search_at: Option<Source>,
    /// When the file was written, where an archive tells it.
    pub written: Option<Timestamp>,
}

/// Settings for one registry.
#[derive(Debug, Clone)]
pub struct HostSettings {
    /// Hosts that are asked before it.
    pub mirrors: Vec<String>,
    /// Asked without TLS, or without verifying.
    pub insecure: bool,
    /// It names authorities of its own.
    pub own_trust: bool,
    /// Nobody may pull from it.
    pub blocked: bool,
    /// Where it stands.
    pub source: Source,
}

impl HostSettings {
    /// Settings that set nothing yet.
    pub fn bare(source: Source) -> HostSettings {
        HostSettings { mirrors: Vec::new(), insecure: false, own_trust: false, blocked: false, source }
    }
}

/// Proxy variables of one service.
#[derive(Debug, Clone, Default)]
pub struct ProxySettings {
    /// The variables as they are written, in the case in which they are: both cases may be set. A proxy is host and port alone.
    pub variables: BTreeMap<String, (String, Source)>,
    /// It takes back whatever was set before it.
    pub resets: bool,
    /// The service, where the file names it.
    pub service: Option<String>,
    /// Host and port of the HTTPS proxy, without credentials.
    pub https_proxy: Option<String>,
    /// Host and port of the HTTP proxy, likewise.
    pub http_proxy: Option<String>,
    /// Entries of NO_PROXY.
    pub no_proxy: Vec<String>,
    /// Where they stand.
    pub no_proxy_at: Option<Source>,
    /// It is the service's whole environment: what is not in it is not set.
    pub whole: bool,
    /// Where the file lies on the node, if that differs from its place in the bundle.
    pub path: String,
    /// It holds variables alone, as a file for services or shells does.
    pub plain: bool,
    /// Further files of variables that the unit reads.
    pub environment_files: Vec<String>,
    /// It is of a listing of the unit with all of its drop-ins.
    pub listed: bool,
    /// Something else may set the variables: a file that was not collected, or one whose turn is not known.
    pub open: bool,
}

impl ProxySettings {
    /// Fills in what the variables come to, as Go reads them: upper case goes first where it is not empty. The line of the
    /// proxy, or else of the first variable that counts.
    pub fn settle(&mut self) -> Option<Source> {
        let get = |name: &str| {
            let both = [self.variables.get(name), self.variables.get(&name.to_lowercase())];
            both.into_iter().flatten().find(|(value, _)| !value.is_empty()).cloned()
        };
        let (https, http, no_proxy) = (get("HTTPS_PROXY"), get("HTTP_PROXY"), get("NO_PROXY"));
        let first = [&https, &no_proxy, &http].into_iter().flatten().map(|(_, at)| at.clone()).next();
        self.https_proxy = https.map(|(value, _)| value);
        self.http_proxy = http.map(|(value, _)| value);
        self.no_proxy_at = no_proxy.as_ref().map(|(_, at)| at.clone());
        let entries = no_proxy.map(|(value, _)| value).unwrap_or_default();
        self.no_proxy = entries.split(',').map(|e| e.trim().to_lowercase()).filter(|e| !e.is_empty()).collect();
        first.or_else(|| self.variables.values().map(|(_, at)| at.clone()).min_by_key(|at| at.line))
    }
}
