//! What is known of the cluster, who saw it, and where does it stand in the bundle?
//!
//! Vendor-neutral and format-free: readers fill it, [`seal`](Facts::seal) joins what belongs together once the whole tree
//! is read, and from then on nothing changes. There is no field for a secret's content.

mod clusters;
pub mod egress;
mod environment;
pub mod filter;
pub mod heard;
pub mod host;
mod host_routes;
mod join;
pub mod journal;
pub mod known;
pub mod names;
pub mod network;
pub mod objects;
pub mod place;
pub mod probes;
pub mod registry;
mod seal;
pub mod time;
mod twice;
mod two_clocks;

use jiff::Timestamp;

use crate::bundle::{Source, Unread};

pub use filter::{Answer, Family, FilterChain, FilterRule, FilterVerdict, PacketFilter};
pub use heard::{Heard, LogSpan};
pub use host::{
    Certificate, Chain, Clock, Disk, DiskUse, FileTime, HostBlock, HostEntry, HostSettings, HostsToml, ImagePolicy, Listing, Lookup, PolicyScope,
    ProxySettings, Request, ResolvConf, RuntimeConfig, Service, TrustPlace, TrustStore,
};
pub use host_routes::{HostRoute, HostRule, PolicyRules, RuleAction};
pub use journal::{Happening, Record, Unit};
pub use known::{Evidence, Known, Scope};
pub use network::{EffectiveRoute, EffectiveTable, Networks};
pub use objects::{Condition, Event, Node, Pod, PullSecret, ServiceAccount, Waiting};
pub use probes::{KernelLog, Link, Probe};
pub use time::When;

/// Everything that the readers found.
#[derive(Debug, Default)]
pub struct Facts {
    /// The bundle as a whole.
    pub about: About,
    /// What was read that could show a failing pull.
    pub heard: Heard,
    /// Kubernetes events that concern pulls.
    pub events: Vec<Event>,
    /// Pods, from lists, tables and descriptions.
    pub pods: Vec<Pod>,
    /// Nodes.
    pub nodes: Vec<Node>,
    /// Pull secrets: their names, types and the hosts they cover.
    pub secrets: Vec<PullSecret>,
    /// Services of the cluster.
    pub cluster_services: Vec<objects::Service>,
    /// Ranges from which their addresses are taken.
    pub service_ranges: Vec<(ipnet::IpNet, Source)>,
    /// DaemonSets that set nodes up.
    pub daemon_sets: Vec<objects::DaemonSet>,
    /// Rows of tables of the secrets of all namespaces: type and line. Where several types stand there, nothing was left out.
    pub secret_rows: Vec<(String, Source)>,
    /// Service accounts with the pull secrets that they name.
    pub accounts: Vec<ServiceAccount>,
    /// What the node's services logged of pulls.
    pub records: Vec<Record>,
    /// Error texts that somebody pasted.
    pub pasted: Vec<Pasted>,
    /// `resolv.conf` files.
    pub resolvers: Vec<Of<ResolvConf>>,
    /// Hosts files, whole: an empty list is an empty file.
    pub hosts_files: Vec<Of<Vec<HostEntry>>>,
    /// The nodes' own routes, whole tables.
    pub routes: Vec<Of<Vec<HostRoute>>>,
    /// The nodes' policy routing, whole lists.
    pub route_rules: Vec<Of<PolicyRules>>,
    /// Effective routes of network interfaces, whole tables.
    pub effective_routes: Vec<Of<EffectiveTable>>,
    /// Networks, subnets, peerings, gateways and filters, on both sides.
    pub networks: Networks,
    /// Certificate chains that a host presented.
    pub chains: Vec<Of<Chain>>,
    /// Certificates that a node trusts.
    pub trust: Vec<Of<TrustStore>>,
    /// How full the nodes' file systems and thin pools are.
    pub disks: Vec<Of<Disk>>,
    /// When the nodes' services were started.
    pub services: Vec<Of<Service>>,
    /// What lies in folders of the nodes.
    pub listings: Vec<Of<Listing>>,
    /// When files of the nodes were written.
    pub file_times: Vec<Of<FileTime>>,
    /// Packets of one size that somebody sent from a node.
    pub probes: Vec<Of<Probe>>,
    /// The nodes' network interfaces.
    pub links: Vec<Of<Link>>,
    /// The kernels' messages.
    pub kernel_logs: Vec<Of<KernelLog>>,
    /// The nodes' clocks.
    pub clocks: Vec<Of<Clock>>,
    /// Look-ups made with dig.
    pub lookups: Vec<Of<Lookup>>,
    /// Requests made with curl.
    pub requests: Vec<Of<Request>>,
    /// `hosts.toml` files.
    pub hosts_toml: Vec<Of<HostsToml>>,
    /// What the runtimes' own configurations say of registries.
    pub runtime_configs: Vec<Of<RuntimeConfig>>,
    /// Policies of which images the nodes admit.
    pub policies: Vec<Of<ImagePolicy>>,
    /// Proxy variables of the services.
    pub proxies: Vec<Of<ProxySettings>>,
    /// Firewall rulesets of the nodes, whole: an empty list is an empty ruleset.
    pub firewalls: Vec<Of<PacketFilter>>,
    /// Private zones, their links and records, and the setup of DNS servers.
    pub names: names::Names,
    /// Registries, private endpoints, identities and roles.
    pub estate: registry::Estate,
    /// Firewalls and proxies on the way, their rules and logs.
    pub egress: egress::Egress,
    /// Commands whose output went to a file, by the file's own name, as a note in the bundle tells them.
    pub commands: Vec<(String, String)>,
    /// Files that are an empty list; of what, the command alone tells.
    pub empty_lists: Vec<Source>,
    /// Host names that a folder of node files claims, by folder.
    pub hostnames: Vec<(String, String)>,
    /// Files whose first line shows that a command in a pod wrote them.
    pub pod_views: Vec<String>,
    /// Machines that a shell's prompt names, by file.
    pub prompts: Vec<(String, String)>,
    /// Machines that a file's own words name as the one on which it was made.
    pub spoken: Vec<(crate::bundle::FileId, Machine)>,
    /// Lines that are true and easily taken for proof.
    pub hints: Vec<Hinted>,
    /// Successes seen in a pod or on somebody's machine, which decide nothing.
    pub elsewhere: Vec<Elsewhere>,
    /// Layouts that a file's content speaks for, and how much.
    pub marks: Vec<(&'static str, u32)>,
    /// The newest stamp of an event or node log.
    pub newest_stamp: Option<Timestamp>,
    /// The layout's own mark of the time of collection.
    pub layout_stamp: Option<Timestamp>,
}

impl Facts {
    /// The command that printed the file in which `source` lies, where the bundle tells it.
    pub fn command_of(&self, source: &Source) -> Option<&str> {
        let name = self.about.path(source).rsplit(['/', '!']).next()?.to_lowercase();
        // The file may have been packed since.
        let name = [".gz", ".xz", ".zst", ".bz2"].iter().find_map(|packed| name.strip_suffix(packed)).unwrap_or(&name);
        self.commands.iter().find(|(file, _)| *file == name).map(|(_, command)| command.as_str())
    }
}

/// The bundle as a whole.
#[derive(Debug, Default, Clone)]
pub struct About {
    /// As given on the command line.
    pub name: String,
    /// Which collectors made it.
    pub layouts: Vec<&'static str>,
    /// When it was collected, by its own marks.
    pub collected_at: Option<Timestamp>,
    /// The time to reckon with: the one that was given, else that of collection.
    pub now: Option<Timestamp>,
    /// Files met.
    pub met: u64,
    /// Files of which something was read.
    pub read: u64,
    /// Bytes read.
    pub bytes: u64,
    /// The folder around everything, taken off the paths; it may name a node.
    pub top: String,
    /// Path of each file.
    pub files: Vec<String>,
    /// When files were written, where an archive tells it.
    pub written: std::collections::BTreeMap<crate::bundle::FileId, Timestamp>,
    /// What was not read, and why.
    pub unread: Vec<Unread>,
    /// How a tool hid names and addresses, and what that costs.
    pub redacted: Vec<&'static str>,
    /// Files that are text of no kind that is known.
    pub unknown: Vec<crate::bundle::FileId>,
    /// Logs whose clock is not that of the events, in a sentence each.
    pub clocks: Vec<String>,
    /// Artefact and file of each file that a reader took.
    pub taken: Vec<(&'static str, crate::bundle::FileId)>,
    /// The same, with the owner of the file.
    pub owned: Vec<(&'static str, crate::bundle::FileId, Owner)>,
}

impl About {
    /// The path of the file in which `source` lies.
    pub fn path(&self, source: &Source) -> &str {
        self.files.get(source.file.place()).map_or("", String::as_str)
    }
}

/// A value that a file holds, and whose it is.
#[derive(Debug, Clone)]
pub struct Of<T> {
    /// The node, pod or machine that it describes.
    pub owner: Owner,
    /// What the file says.
    pub value: T,
    /// The file, at the line that says it or at its first.
    pub source: Source,
}

/// Whose a file is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Owner {
    /// A node, by name; `guessed` where only one node could be meant.
    Node {
        /// The node's name.
        name: String,
        /// Whether the join is a guess.
        guessed: bool,
    },
    /// A pod's view, which never decides.
    Pod,
    /// Somebody's machine, which never decides.
    Operator,
    /// Nothing says whose it is.
    #[default]
    Unknown,
}

/// A machine, as its own files call it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Machine {
    /// By its host name.
    Named(String),
    /// By an address of its own.
    At(std::net::IpAddr),
}

/// An error text without an object round it.
#[derive(Debug, Clone)]
pub struct Pasted {
    /// The text.
    pub text: String,
    /// It is a log that is short enough to be somebody's paste: it counts only where nothing else is there.
    pub of_log: bool,
    /// Its words name what only a pull is about. Others count only where nothing else was sent.
    pub names_a_pull: bool,
    /// Where it stands.
    pub source: Source,
}

/// A line that is true and easily taken for proof.
#[derive(Debug, Clone)]
pub struct Hinted {
    /// What it is.
    pub what: Hint,
    /// Where it stands.
    pub source: Source,
}

/// What a person's own test showed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hint {
    /// A login with a client whose file the kubelet does not read.
    Login,
    /// An error of a client that reads none of the settings with which the kubelet pulls.
    AnotherClient,
    /// A TLS test that says that all is well and saw no certificate.
    NoCertificateSeen,
    /// A check that speaks of permission, while its own text holds an error of the network.
    CheckNamesPermission,
}

/// A success that was seen in a pod, on a workstation or by a checking tool: true, and no proof for the node.
#[derive(Debug, Clone)]
pub struct Elsewhere {
    /// Whose view it was.
    pub scope: Scope,
    /// What succeeded, in one phrase.
    pub what: String,
    /// Whether a tool that checks a registry saw it, such as `az acr check-health`.
    pub by_check: bool,
    /// The host that it concerned.
    pub host: Option<String>,
    /// Where it stands.
    pub source: Source,
}
