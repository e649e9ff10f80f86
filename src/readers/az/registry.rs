//! What does the registry's side say? `az acr show`, `show-endpoints`, `replication list`, `private-endpoint-connection list`,
//! private endpoints, their interfaces and zone groups.
//!
//! ```json
//! {"loginServer": "registry1.azurecr.io", "dataEndpointEnabled": true, "dataEndpointHostNames": ["registry1.westeurope.data.azurecr.io"],
//!  "publicNetworkAccess": "Disabled", "networkRuleSet": {"defaultAction": "Deny", "ipRules": []},
//!  "roleAssignmentMode": "AbacRepositoryPermissions", "privateEndpointConnections": []}
//! ```

use super::File;
use super::id::ResourceId;
use super::tree::Value;
use crate::facts::registry::{Connection, EndpointAddress, PrivateEndpoint, Registry, Said};

/// The text of a key with its line, in lower case.
fn said(file: &File<'_>, object: &Value<'_>, key: &str) -> Option<Said<String>> {
    let text = object.text(key)?;
    Some((text.to_lowercase(), file.source(object.line_of(key), &format!("{key}: {text}"))))
}

/// A key that says one of two words.
fn either(file: &File<'_>, object: &Value<'_>, key: &str, yes: &str) -> Option<Said<bool>> {
    let text = object.text(key)?;
    Some((text.eq_ignore_ascii_case(yes), file.source(object.line_of(key), &format!("{key}: {text}"))))
}

fn flag(file: &File<'_>, object: &Value<'_>, key: &str) -> Option<Said<bool>> {
    Some((object.flag(key)?, file.source(object.line_of(key), &format!("{key}: {}", object.text(key)?))))
}

pub(super) fn registry(file: &mut File<'_>, object: &Value<'_>) -> bool {
    let login_server = said(file, object, "loginServer");
    let name = object.name().map(|n| n.to_lowercase()).or_else(|| login_server.as_ref().and_then(|(l, _)| l.split('.').next().map(str::to_owned)));
    let Some(name) = name else { return false };
    let hosts = object.texts("dataEndpointHostNames").chain(object.texts("regionalEndpointHostNames"));
    let rules = object.get("networkRuleSet");
    let registry = Registry {
        id: object.id().map(|i| i.key().to_owned()),
        name,
        login_server,
        data_hosts: hosts.map(|(host, line)| (host.to_lowercase(), file.source(line, host))).collect(),
        dedicated_data: flag(file, object, "dataEndpointEnabled"),
        regions: said(file, object, "location").into_iter().collect(),
        public_access: either(file, object, "publicNetworkAccess", "Enabled"),
        default_allows: rules.and_then(|r| either(file, r, "defaultAction", "Allow")),
        allowed: rules.map(|r| allowed(file, r)),
        allowed_subnets: rules.filter(|r| r.has("virtualNetworkRules")).map(|r| allowed_subnets(file, r)),
        connections: object.has("privateEndpointConnections").then(|| object.list("privateEndpointConnections").iter().filter_map(|c| of(file, c)).collect()),
        by_repository: either(file, object, "roleAssignmentMode", "AbacRepositoryPermissions"),
        anonymous_pull: flag(file, object, "anonymousPullEnabled"),
        source: Some(file.source(object.line_of("loginServer"), object.text("loginServer").unwrap_or(""))),
    };
    file.facts.estate.registries.push(registry);
    file.take("registry-config");
    true
}

/// The addresses and ranges that a rule set lets in.
fn allowed(file: &File<'_>, rules: &Value<'_>) -> Vec<Said<String>> {
    let lets_in = |rule: &&Value<'_>| rule.text("action").is_none_or(|a| a.eq_ignore_ascii_case("Allow"));
    let range = |rule: &Value<'_>| {
        let key = if rule.has("ipAddressOrRange") { "ipAddressOrRange" } else { "value" };
        let text = rule.text(key)?;
        Some((text.to_owned(), file.source(rule.line_of(key), &format!("allowed: {text}"))))
    };
    rules.list("ipRules").iter().filter(lets_in).filter_map(range).collect()
}

/// The subnets that a rule set lets in, by their keys.
fn allowed_subnets(file: &File<'_>, rules: &Value<'_>) -> Vec<Said<String>> {
    let lets_in = |rule: &&Value<'_>| rule.text("action").is_none_or(|a| a.eq_ignore_ascii_case("Allow"));
    let subnet = |rule: &Value<'_>| {
        let key = if rule.has("virtualNetworkResourceId") { "virtualNetworkResourceId" } else { "id" };
        let id = rule.id_at(key)?;
        Some((id.key().to_owned(), file.source(rule.line_of(key), &format!("allowed: {}", id.as_str()))))
    };
    rules.list("virtualNetworkRules").iter().filter(lets_in).filter_map(subnet).collect()
}

fn of(file: &File<'_>, connection: &Value<'_>) -> Option<Connection> {
    let endpoint = connection.id_at("privateEndpoint")?;
    let state = connection.at(&["privateLinkServiceConnectionState", "status"])?;
    let text = state.as_text()?;
    Some(Connection { endpoint: endpoint.key().to_owned(), state: text.to_owned(), source: file.source(state.line, &format!("{}: {text}", endpoint.name())) })
}

/// `az acr show-endpoints`: the hosts that a pull needs, a wildcard where any store of the provider may serve.
pub(super) fn endpoints(file: &mut File<'_>, object: &Value<'_>) -> bool {
    let Some(login_server) = said(file, object, "loginServer") else { return false };
    let rows = || object.list("dataEndpoints").iter().chain(object.list("regionalEndpoints"));
    let registry = Registry {
        name: login_server.0.split('.').next().unwrap_or("").to_owned(),
        source: Some(login_server.1.clone()),
        login_server: Some(login_server),
        data_hosts: rows().filter_map(|row| said(file, row, "endpoint")).collect(),
        regions: rows().filter_map(|row| said(file, row, "region")).collect(),
        ..Registry::default()
    };
    file.facts.estate.registries.push(registry);
    file.take("registry-config");
    true
}

/// A replica, or a private endpoint's connection listed alone: both name the registry in their id.
pub(super) fn part(file: &mut File<'_>, object: &Value<'_>) -> bool {
    let Some(registry) = object.id().and_then(|id| id.parent()) else { return false };
    let connection = of(file, object);
    let region = if connection.is_none() { said(file, object, "location") } else { None };
    let source = file.source(object.line, registry.as_str());
    // A single connection says nothing of others.
    let own = file.facts.estate.registries.iter_mut().find(|r| r.source.as_ref().is_some_and(|s| s.file == file.id) && r.id.as_deref() == Some(registry.key()));
    let into = match own {
        Some(into) => into,
        None => {
            let fresh = Registry { id: Some(registry.key().to_owned()), name: registry.name().to_lowercase(), source: Some(source), ..Registry::default() };
            file.facts.estate.registries.push(fresh);
            let Some(into) = file.facts.estate.registries.last_mut() else { return false };
            into
        }
    };
    into.regions.extend(region);
    if let Some(connection) = connection {
        into.connections.get_or_insert_default().push(connection);
    }
    file.take("registry-config");
    true
}

pub(super) fn endpoint(file: &mut File<'_>, object: &Value<'_>) -> bool {
    let Some(id) = object.id() else { return false };
    let mut connections = object.list("privateLinkServiceConnections").iter().chain(object.list("manualPrivateLinkServiceConnections"));
    let connection = connections.next();
    let state = connection.and_then(|c| {
        let state = c.at(&["privateLinkServiceConnectionState", "status"])?;
        Some((state.as_text()?.to_owned(), file.source(state.line, &format!("{}: {}", id.name(), state.as_text()?))))
    });
    let endpoint = PrivateEndpoint {
        id: id.key().to_owned(),
        target: connection.and_then(|c| c.id_at("privateLinkServiceId")).map(|t| t.key().to_owned()),
        state,
        subnet: object.id_at("subnet").map(|s| s.key().to_owned()),
        source: file.source(object.line_of("name"), id.as_str()),
    };
    file.facts.estate.endpoints.push(endpoint);
    for config in object.list("customDnsConfigs") {
        let Some(host) = config.text("fqdn") else { continue };
        for (address, line) in config.texts("ipAddresses") {
            note(file, Some(id.key()), host, address, line);
        }
    }
    file.take("private-endpoints");
    true
}

fn note(file: &mut File<'_>, endpoint: Option<&str>, host: &str, address: &str, line: u32) {
    let Ok(parsed) = address.parse() else { return };
    let host = host.trim_end_matches('.').to_lowercase();
    let source = file.source(line, &format!("{host} -> {address}"));
    file.facts.estate.endpoint_addresses.push(EndpointAddress { endpoint: endpoint.map(str::to_owned), host, address: parsed, source });
}

/// The interface of a private endpoint: the one place that tells host and address also where a zone group writes the records.
pub(super) fn interface(file: &mut File<'_>, object: &Value<'_>) -> bool {
    let endpoint = object.id_at("privateEndpoint").map(|e: ResourceId| e.key().to_owned());
    let mut found = false;
    for config in object.list("ipConfigurations") {
        let (Some(link), Some(address)) = (config.get("privateLinkConnectionProperties"), config.text("privateIPAddress")) else { continue };
        for (host, _) in link.texts("fqdns") {
            note(file, endpoint.as_deref(), host, address, config.line_of("privateIPAddress"));
            found = true;
        }
    }
    if found {
        file.take("private-endpoints");
    }
    found
}

/// A zone group: the records that a private endpoint has written by itself, under the zone's own name.
pub(super) fn zone_group(file: &mut File<'_>, object: &Value<'_>) -> bool {
    let endpoint = object.id().and_then(|id| id.parent()).map(|e| e.key().to_owned());
    let records = object.list("privateDnsZoneConfigs").iter().flat_map(|c| c.list("recordSets"));
    for record in records {
        let Some(host) = record.text("fqdn") else { continue };
        for (address, line) in record.texts("ipAddresses") {
            note(file, endpoint.as_deref(), &host.replacen(".privatelink.", ".", 1), address, line);
        }
    }
    file.take("private-endpoints");
    true
}
