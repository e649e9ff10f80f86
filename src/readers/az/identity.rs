//! As whom do the nodes pull, and what may that identity do? `az role assignment list`, `az aks show`, `nodepool list`,
//! `az vmss identity show`.
//!
//! ```json
//! {"principalId": "27fb...", "principalType": "ServicePrincipal", "roleDefinitionName": "AcrPull", "scope": ".../registries/registry1"}
//! {"identityProfile": {"kubeletidentity": {"objectId": "27fb...", "clientId": "ba0a..."}}, "httpProxyConfig": {"noProxy": ["localhost"]}}
//! ```

use super::tree::Value;
use super::{Dump, File, Kind};
use crate::facts::registry::{AssignedIdentities, Change, Cluster, ClusterProxy, NodeIdentity, Role, RoleListing, Said, SecretEnd};
use crate::facts::{Of, Owner, time};

pub(super) fn role(file: &mut File<'_>, object: &Value<'_>) -> bool {
    let (Some(principal), Some(scope)) = (object.text("principalId").or_else(|| object.text("objectId")), object.text("scope")) else { return false };
    let role_id = object.text("roleDefinitionId").and_then(|r| r.rsplit('/').next()).unwrap_or("").to_lowercase();
    let name = object.text("roleDefinitionName").map_or_else(|| named(&role_id).unwrap_or("").to_owned(), str::to_owned);
    let key = if object.has("principalId") { "principalId" } else { "objectId" };
    let scope_name = scope.rsplit('/').next().unwrap_or(scope);
    let shown = format!("{principal} has {} on {scope_name}", if name.is_empty() { &role_id } else { &name });
    let role = Role {
        principal: principal.to_lowercase(),
        principal_kind: object.text("principalType").or_else(|| object.text("objectType")).unwrap_or("").to_owned(),
        role: name,
        role_id,
        scope: scope.trim_end_matches('/').to_lowercase(),
        condition: object.text("condition").map(str::to_owned),
        changed: object.text("updatedOn").or_else(|| object.text("createdOn")).and_then(time::stamp),
        named: file.source(object.line_of("roleDefinitionName"), &shown),
        source: file.source(object.line_of(key), &shown),
    };
    file.facts.estate.roles.push(role);
    file.take("role-assignments");
    true
}

/// Names of the roles that matter for pulls, for artefacts that give the definition's id alone.
fn named(id: &str) -> Option<&'static str> {
    let known = [
        ("7f951dda-4ed3-4680-a7ca-43fe172d538d", "AcrPull"),
        ("8311e382-0749-4cb8-b61a-304f252e45ec", "AcrPush"),
        ("8e3af657-a8ff-443c-a75c-2fe8c4bcb635", "Owner"),
        ("b24988ac-6180-42a0-ab88-20f7382dd24c", "Contributor"),
        ("acdd72a7-3385-48ef-bd42-f606fba81ae7", "Reader"),
        ("b93aa761-3e63-49ed-ac28-beffa264f7ac", "Container Registry Repository Reader"),
        ("2a1e307c-b015-4ebd-883e-5b7698a07328", "Container Registry Repository Writer"),
        ("4d97b98b-1d4f-4787-a291-c67834d212e7", "Network Contributor"),
    ];
    known.iter().find(|(known, _)| *known == id).map(|(_, name)| *name)
}

/// A list of assignments, for what is not in it. Whether parents' and groups' are in it, only its command tells.
pub(super) fn listing(file: &mut File<'_>, dump: &Dump<'_, '_>) {
    let roles: Vec<_> = dump.objects.iter().filter(|(k, _)| *k == Kind::RoleAssignment).map(|(_, o)| o).collect();
    let Some(first) = roles.first().filter(|_| dump.whole && dump.listed) else { return };
    let principal = first.text("principalId").map(str::to_lowercase);
    let one = roles.iter().all(|r| r.text("principalId").map(str::to_lowercase) == principal);
    let source = file.source(first.line, &format!("list of {} role assignments", roles.len()));
    file.facts.estate.role_listings.push(RoleListing { principal: principal.filter(|_| one), command: file.command.clone(), source });
}

fn said(file: &File<'_>, object: &Value<'_>, key: &str) -> Option<Said<String>> {
    let text = object.text(key)?;
    Some((text.to_lowercase(), file.source(object.line_of(key), &format!("{key}: {text}"))))
}

pub(super) fn cluster(file: &mut File<'_>, object: &Value<'_>) -> bool {
    let Some(id) = object.id() else { return false };
    let kubelet = object.at(&["identityProfile", "kubeletidentity"]);
    let mut others: Vec<Said<String>> = object.get("identity").and_then(|i| said(file, i, "principalId")).into_iter().collect();
    for group in ["identity", "addonProfiles"].iter().filter_map(|k| object.get(k)) {
        others_of(file, group, &mut others, 0);
    }
    let own = kubelet.and_then(|k| k.text("objectId")).map(str::to_lowercase);
    others.retain(|(principal, _)| Some(principal) != own.as_ref());
    let cluster = Cluster {
        id: id.key().to_owned(),
        nodes_group: object.text("nodeResourceGroup").map(str::to_lowercase),
        pools: object.list("agentPoolProfiles").iter().filter_map(|p| p.name()).map(|n| n.to_string()).collect(),
        kubelet: kubelet.and_then(|k| said(file, k, "objectId")),
        kubelet_client: kubelet.and_then(|k| k.text("clientId")).map(str::to_lowercase),
        kubelet_resource: kubelet.and_then(|k| said(file, k, "resourceId")),
        others,
        service_principal: object.get("servicePrincipalProfile").and_then(|p| said(file, p, "clientId")).filter(|(client, _)| client != "msi"),
        bootstrap: object
            .get("bootstrapProfile")
            .filter(|p| p.text("artifactSource") == Some("Cache"))
            .and_then(|p| said(file, p, "containerRegistryId").or_else(|| said(file, p, "containerRegistryResourceId"))),
        proxy: object.get("httpProxyConfig").filter(|p| p.flag("enabled") != Some(false)).map(|p| proxy(file, p)),
        shows_proxy: object.is_whole(),
        outbound: object.get("networkProfile").and_then(|n| said(file, n, "outboundType")),
        source: Some(file.source(object.line_of("id"), id.as_str())),
    };
    file.facts.estate.clusters.push(cluster);
    if let Some((range, source)) = object.get("networkProfile").and_then(|n| said(file, n, "serviceCidr")) {
        file.facts.service_ranges.extend(range.parse().ok().map(|r| (r, source)));
    }
    file.take("cluster");
    true
}

/// Object ids of the other identities, wherever they stand: user-assigned ones by their name, add-ons' by theirs.
fn others_of(file: &File<'_>, value: &Value<'_>, out: &mut Vec<Said<String>>, depth: u8) {
    for (_, inner) in value.entries() {
        for key in ["principalId", "objectId"] {
            out.extend(said(file, inner, key));
        }
        if depth < 3 {
            others_of(file, inner, out, depth + 1);
        }
    }
}

fn proxy(file: &File<'_>, object: &Value<'_>) -> ClusterProxy {
    let address = said(file, object, "httpsProxy").or_else(|| said(file, object, "httpProxy"));
    // A proxy's URL may hold a password: host and port alone are kept.
    let address = address.map(|(url, source)| {
        let bare = crate::readers::proxy_env::bare(&url);
        let source = crate::bundle::Source::new(source.file, source.line, &format!("proxy: {bare}"));
        (bare, source)
    });
    let list = if object.has("effectiveNoProxy") { "effectiveNoProxy" } else { "noProxy" };
    ClusterProxy {
        https_proxy: address,
        no_proxy: object.texts(list).map(|(entry, line)| (entry.trim().to_lowercase(), file.source(line, entry))).collect(),
        source: Some(file.source(object.line_of(list), "noProxy")),
    }
}

/// `az vmss identity show`, or the `identity` of a scale set: the identities by their resource ids.
pub(super) fn assigned(file: &mut File<'_>, object: &Value<'_>) -> bool {
    let holder = object.get("identity").unwrap_or(object);
    let Some(list) = holder.get("userAssignedIdentities") else { return false };
    let resources = list.entries().iter().map(|(id, _)| id.to_lowercase()).collect();
    let source = file.source(holder.line_of("userAssignedIdentities"), "userAssignedIdentities");
    let machines = object.name().map(|n| n.to_lowercase());
    file.facts.estate.assigned.push(AssignedIdentities { resources, machines, source });
    file.take("node-identity");
    true
}

/// A node's `/etc/kubernetes/azure.json`. Its secret is not looked at.
pub(super) fn node_settings(file: &mut File<'_>, object: &Value<'_>) -> bool {
    let managed = object.flag("useManagedIdentityExtension") == Some(true);
    let key = if managed { "userAssignedIdentityID" } else { "aadClientId" };
    if let Some((client, source)) = said(file, object, key).filter(|(client, _)| client.len() == 36) {
        let value = NodeIdentity { client, source: source.clone() };
        file.facts.estate.of_nodes.push(Of { owner: Owner::Unknown, value, source });
    }
    file.take("node-azure-config");
    true
}

/// `az ad sp credential list`: when a secret ends. Whose it is, its command alone tells.
pub(super) fn secret(file: &mut File<'_>, object: &Value<'_>) -> bool {
    let Some(end) = object.text("endDateTime").and_then(time::stamp) else { return false };
    let application = file.command.as_deref().and_then(|c| c.split("--id ").nth(1)).and_then(|rest| rest.split_whitespace().next()).map(str::to_lowercase);
    let source = file.source(object.line_of("endDateTime"), &format!("endDateTime: {}", object.text("endDateTime").unwrap_or("")));
    file.facts.estate.secrets.push(SecretEnd { application, end, source });
    file.take("service-principal");
    true
}

/// `az monitor activity-log list`: what was changed, and when.
pub(super) fn change(file: &mut File<'_>, object: &Value<'_>) -> bool {
    let Some(at) = object.text("eventTimestamp").and_then(time::stamp) else { return false };
    let word = |key: &str| object.get(key).and_then(|v| v.text("value").or_else(|| v.as_text())).unwrap_or("").to_lowercase();
    file.take("activity-log");
    // What was begun or failed changed nothing.
    if !matches!(word("status").as_str(), "" | "succeeded" | "accepted") {
        return true;
    }
    let (operation, resource) = (word("operationName"), word("resourceId"));
    let source = file.source(object.line_of("eventTimestamp"), &format!("{} on {}", operation, resource.rsplit('/').next().unwrap_or("")));
    file.facts.estate.changes.push(Change { operation, resource, at, source });
    true
}
