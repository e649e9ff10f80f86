//! What does the registry's side say: its hosts, its network rules, its private endpoints, and whose roles it honours?

use std::net::IpAddr;

use crate::bundle::Source;

/// A value and its line.
pub type Said<T> = (T, Source);

/// Registries, private endpoints, identities and roles.
#[derive(Debug, Default)]
pub struct Estate {
    /// Registries; several artefacts may each tell a part of one.
    pub registries: Vec<Registry>,
    /// Private endpoints.
    pub endpoints: Vec<PrivateEndpoint>,
    /// Addresses that private endpoints hold for a host.
    pub endpoint_addresses: Vec<EndpointAddress>,
    /// Role assignments.
    pub roles: Vec<Role>,
    /// Lists of role assignments, so that an absence can be told.
    pub role_listings: Vec<RoleListing>,
    /// Clusters.
    pub clusters: Vec<Cluster>,
    /// The identities that nodes' own configurations name.
    pub of_nodes: Vec<super::Of<NodeIdentity>>,
    /// Identities assigned to a group of machines.
    pub assigned: Vec<AssignedIdentities>,
    /// Ends of the secrets of a service principal.
    pub secrets: Vec<SecretEnd>,
    /// Changes that somebody made, from an activity log.
    pub changes: Vec<Change>,
}

/// What one artefact says of a registry.
#[derive(Debug, Clone, Default)]
pub struct Registry {
    /// Identifier, in lower case.
    pub id: Option<String>,
    /// Its short name, in lower case.
    pub name: String,
    /// The host that images name.
    pub login_server: Option<Said<String>>,
    /// Hosts from which its layers come, a wildcard where any store's may serve.
    pub data_hosts: Vec<Said<String>>,
    /// Whether the layers come from hosts of its own.
    pub dedicated_data: Option<Said<bool>>,
    /// Regions in which it is replicated.
    pub regions: Vec<Said<String>>,
    /// Whether it can be reached from outside private endpoints at all.
    pub public_access: Option<Said<bool>>,
    /// Whether an address that no rule names is let in.
    pub default_allows: Option<Said<bool>>,
    /// Addresses and ranges that are let in; none where the rules were not told.
    pub allowed: Option<Vec<Said<String>>>,
    /// Subnets that are let in through a service endpoint; none where the rules were not told.
    pub allowed_subnets: Option<Vec<Said<String>>>,
    /// Its private endpoint connections: endpoint, state; none where they were not told.
    pub connections: Option<Vec<Connection>>,
    /// Whether roles count by repository (ABAC), where the roles of old count for nothing.
    pub by_repository: Option<Said<bool>>,
    /// Whether it lets anonymous callers pull.
    pub anonymous_pull: Option<Said<bool>>,
    /// Where it stands.
    pub source: Option<Source>,
}

/// A private endpoint's connection, as the registry sees it.
#[derive(Debug, Clone)]
pub struct Connection {
    /// The private endpoint's identifier, in lower case.
    pub endpoint: String,
    /// `Approved`, `Pending`, `Rejected`, `Disconnected`.
    pub state: String,
    /// Where it stands.
    pub source: Source,
}

/// A private endpoint.
#[derive(Debug, Clone)]
pub struct PrivateEndpoint {
    /// Identifier, in lower case.
    pub id: String,
    /// The identifier of what it leads to, in lower case.
    pub target: Option<String>,
    /// `Approved`, `Pending`, `Rejected`, `Disconnected`.
    pub state: Option<Said<String>>,
    /// The subnet's identifier, in lower case.
    pub subnet: Option<String>,
    /// Where it stands.
    pub source: Source,
}

/// The address that a private endpoint holds for one host.
#[derive(Debug, Clone)]
pub struct EndpointAddress {
    /// The endpoint's identifier, where the artefact names it.
    pub endpoint: Option<String>,
    /// The public name of the host, in lower case.
    pub host: String,
    /// The address.
    pub address: IpAddr,
    /// Where it stands.
    pub source: Source,
}

/// A role that somebody has.
#[derive(Debug, Clone)]
pub struct Role {
    /// Who, by object id.
    pub principal: String,
    /// `ServicePrincipal`, `Group`, `User`.
    pub principal_kind: String,
    /// The role's name.
    pub role: String,
    /// The last part of the role definition's identifier, in lower case.
    pub role_id: String,
    /// Where it counts: an identifier, in lower case.
    pub scope: String,
    /// The condition on it, whole.
    pub condition: Option<String>,
    /// When it was given, or last changed.
    pub changed: Option<jiff::Timestamp>,
    /// The line of the role's name.
    pub named: Source,
    /// The line of the principal.
    pub source: Source,
}

/// A list of role assignments.
#[derive(Debug, Clone)]
pub struct RoleListing {
    /// The one principal that all of it is about, where it is.
    pub principal: Option<String>,
    /// The command that printed it, where the bundle tells.
    pub command: Option<String>,
    /// Where it begins.
    pub source: Source,
}

/// A managed cluster.
#[derive(Debug, Clone, Default)]
pub struct Cluster {
    /// Identifier, in lower case.
    pub id: String,
    /// The group of resources in which its nodes' machines stand, in lower case.
    pub nodes_group: Option<String>,
    /// Names of its node pools; empty where the artefact does not list them.
    pub pools: Vec<String>,
    /// The identity with which the nodes pull, by object id.
    pub kubelet: Option<Said<String>>,
    /// The same, by client id.
    pub kubelet_client: Option<String>,
    /// The same, by resource identifier, in lower case.
    pub kubelet_resource: Option<Said<String>>,
    /// Other identities of the cluster: its control plane's, its add-ons'.
    pub others: Vec<Said<String>>,
    /// The client id of its service principal; none for managed identities.
    pub service_principal: Option<Said<String>>,
    /// The registry from which its nodes take what they start with, by its identifier.
    pub bootstrap: Option<Said<String>>,
    /// Its proxy setting; none where it has none.
    pub proxy: Option<ClusterProxy>,
    /// Whether the artefact would show a proxy setting.
    pub shows_proxy: bool,
    /// How it leaves its network.
    pub outbound: Option<Said<String>>,
    /// Where it stands.
    pub source: Option<Source>,
}

/// The proxy that a cluster gives to its nodes.
#[derive(Debug, Clone, Default)]
pub struct ClusterProxy {
    /// Host and port of the HTTPS proxy, without credentials.
    pub https_proxy: Option<Said<String>>,
    /// Entries of its list of exceptions, in lower case.
    pub no_proxy: Vec<Said<String>>,
    /// Where the list stands.
    pub source: Option<Source>,
}

/// The identity with which a node's own configuration tells its kubelet to pull.
#[derive(Debug, Clone)]
pub struct NodeIdentity {
    /// Its client id, in lower case.
    pub client: String,
    /// Where it stands.
    pub source: Source,
}

/// Identities of a group of machines.
#[derive(Debug, Clone)]
pub struct AssignedIdentities {
    /// Resource identifiers, in lower case.
    pub resources: Vec<String>,
    /// The group of machines, where the artefact names it.
    pub machines: Option<String>,
    /// Where it stands.
    pub source: Source,
}

/// When a secret ends.
#[derive(Debug, Clone)]
pub struct SecretEnd {
    /// The application to which it belongs, where the artefact names it.
    pub application: Option<String>,
    /// The end.
    pub end: jiff::Timestamp,
    /// Where it stands.
    pub source: Source,
}

/// A change that somebody made.
#[derive(Debug, Clone)]
pub struct Change {
    /// What was done: `microsoft.containerregistry/registries/write`, in lower case.
    pub operation: String,
    /// To what, in lower case.
    pub resource: String,
    /// When.
    pub at: jiff::Timestamp,
    /// Where it stands.
    pub source: Source,
}
