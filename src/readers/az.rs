//! What does a dump of Azure's tools hold? Every dialect of every command comes through here, as the same objects.
//!
//! ```text
//! az network ... -o json    properties flattened, missing keys left out         az ... -o yaml    the same tree
//! az acr|aks ... -o json    every key there, null where unset                   az rest           properties nested, {"value": [...]}
//! az graph query            {"count": 1, "data": [...]}                         Get-Az... | ConvertTo-Json    PascalCase
//! ```
//!
//! Warnings in front of a dump are passed over by who finds its beginning; an `ERROR: (Code) ...` is no dump and is read
//! by nobody, so that what it would have shown stays not collected.

mod firewall;
mod gateways;
mod id;
mod identity;
mod interfaces;
mod json;
mod kind;
mod link_table;
mod machines;
mod metrics;
mod names;
mod places;
mod registry;
mod routes;
mod rule_table;
mod run_command;
mod security;
mod seen;
mod tables;
mod tree;
mod yaml;

use super::File;

use kind::Kind;
use tree::{Tree, Value, What};

/// A longer text is no dump of a few networks.
const LONGEST: usize = 64 << 20;

/// The objects of one dump.
struct Dump<'v, 't> {
    /// The objects, each of a kind that is known.
    objects: Vec<(Kind, &'v Value<'t>)>,
    /// Whether the list is all that the command printed.
    whole: bool,
    /// Whether it is a list at all, and not one object that was asked for by name.
    listed: bool,
}

/// Reads a JSON document that begins on line `first`; false where it holds nothing of Azure's.
pub(super) fn read_json(file: &mut File<'_>, document: &str, first: u32) -> bool {
    document.len() < LONGEST && looks_like_azure(document) && json::parse(document, first).is_some_and(|tree| read(file, &tree))
}

/// Reads a YAML document that begins on line `first`.
pub(super) fn read_yaml(file: &mut File<'_>, document: &str, first: u32) -> bool {
    if document.len() < LONGEST && run_command::read(file, document, first) {
        return true;
    }
    document.len() < LONGEST && yaml::parse(document, first).is_some_and(|tree| read(file, &tree))
}

pub(super) use tables::{is_bare_table, is_header as is_table_header, read as read_table};

/// Whether one of the first lines of a text can only be the YAML of an `az` command.
pub(super) fn is_yaml_line(line: &str) -> bool {
    const KEYS: [&str; 7] =
        ["code: ProvisioningState/", "id: /subscriptions/", "nextHopType: ", "provisioningState: ", "peeringState: ", "sourcePeer: ", "routesReceived: "];
    let line = line.trim_start_matches([' ', '-']);
    KEYS.iter().any(|key| line.starts_with(key))
}

/// A cheap look, so that a large list of the cluster's own objects is not taken apart twice.
fn looks_like_azure(document: &str) -> bool {
    let head = document.as_bytes().get(..document.len().min(4 << 10)).unwrap_or_default();
    memchr::memmem::find(head, b"\"apiVersion\": \"v1\"").is_none()
}

fn read(file: &mut File<'_>, tree: &Tree<'_>) -> bool {
    let dump = dump(tree);
    let found = objects(file, &dump);
    if found && tree.cut {
        file.unread("the dump ends before it is complete; only its whole objects were read");
    }
    found
}

fn dump<'v, 't>(tree: &'v Tree<'t>) -> Dump<'v, 't> {
    let alone = matches!(tree.root.items(), [only] if std::ptr::eq(only, &tree.root));
    let objects: Vec<_> = if tree.cut && alone { Vec::new() } else { tree.root.objects().filter_map(|object| Some((kind::kind(object)?, object))).collect() };
    let paged = matches!(tree.root.what, What::Map(_)) && ["nextLink", "skipToken", "skip_token"].iter().any(|k| tree.root.get(k).is_some());
    Dump { objects, whole: !tree.cut && !paged, listed: !alone }
}

/// Hands the objects to the readers of their kinds; false where none was of a kind that is read.
fn objects(file: &mut File<'_>, dump: &Dump<'_, '_>) -> bool {
    let mut found = false;
    // Rows mean something together only.
    for (kind, read) in TABLES {
        let rows: Vec<&Value<'_>> = dump.objects.iter().filter(|(k, _)| *k == kind).map(|(_, object)| *object).collect();
        if !rows.is_empty() {
            read(file, &rows, dump.whole);
            found = true;
        }
    }
    for (kind, object) in &dump.objects {
        found |= one(file, *kind, object, dump);
        found |= of_names_and_rights(file, *kind, object);
    }
    names::listings(file, dump);
    identity::listing(file, dump);
    found
}

type TableReader = fn(&mut File<'_>, &[&Value<'_>], bool);

/// Kinds of which a dump is one table.
const TABLES: [(Kind, TableReader); 7] = [
    (Kind::EffectiveRoute, routes::effective),
    (Kind::Route, routes::listed),
    (Kind::EffectiveSecurityGroup, security::effective),
    (Kind::SecurityRule, security::listed),
    (Kind::GatewayRoute, gateways::routes),
    (Kind::CircuitRoute, gateways::circuit),
    (Kind::NextHop, routes::next_hop),
];

/// One object, by the reader of its kind; false where no reader knows the kind.
fn one(file: &mut File<'_>, kind: Kind, object: &Value<'_>, dump: &Dump<'_, '_>) -> bool {
    match kind {
        Kind::Network => places::network(file, object, dump.whole),
        Kind::Subnet => places::subnet(file, object),
        Kind::Peering => places::peering(file, object, dump.listed && dump.whole),
        Kind::RouteTable => routes::table(file, object),
        Kind::SecurityGroup => security::group(file, object),
        Kind::ServiceTags => security::tags(file, object),
        Kind::Gateway => gateways::gateway(file, object),
        Kind::Connection => gateways::tunnel(file, object, dump.listed && dump.whole),
        Kind::LocalGateway => gateways::local_gateway(file, object),
        Kind::BgpPeer => gateways::bgp_peer(file, object),
        Kind::Interface => interfaces::interface(file, object),
        Kind::Machine => machines::machine(file, object),
        Kind::NodePool => interfaces::pool(file, object, "node-pools"),
        Kind::Cluster => interfaces::cluster(file, object),
        _ => return false,
    }
    true
}

/// The same, for what concerns names, registries, identities and firewalls.
fn of_names_and_rights(file: &mut File<'_>, kind: Kind, object: &Value<'_>) -> bool {
    match kind {
        Kind::PrivateZone => names::zone(file, object),
        Kind::ZoneLink => names::link(file, object),
        Kind::RecordSet => names::record_set(file, object),
        Kind::ForwardingRule => names::forwarding(file, object),
        Kind::InboundEndpoint => names::entrance(file, object),
        Kind::Registry => registry::registry(file, object),
        Kind::RegistryEndpoints => registry::endpoints(file, object),
        Kind::RegistryReplica | Kind::RegistryConnection => registry::part(file, object),
        Kind::PrivateEndpoint => registry::endpoint(file, object),
        Kind::ZoneGroup => registry::zone_group(file, object),
        Kind::Interface => registry::interface(file, object),
        Kind::RoleAssignment => identity::role(file, object),
        Kind::Cluster => identity::cluster(file, object),
        Kind::ScaleSet => identity::assigned(file, object),
        Kind::Credential => identity::secret(file, object),
        Kind::Metric => metrics::metric(file, object),
        Kind::NodeSettings => identity::node_settings(file, object),
        Kind::Change => identity::change(file, object),
        Kind::Firewall => firewall::firewall(file, object),
        Kind::FirewallRules => firewall::rules(file, object),
        Kind::FirewallPolicy => firewall::policy(file, object),
        _ => false,
    }
}
