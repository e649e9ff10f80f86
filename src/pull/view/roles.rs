//! May the identity with which the nodes pull do so at this registry, and who else may?

use super::estate::{cloud_name, registries};
use super::{Asked, Value, yes_no};
use crate::bundle::Source;
use crate::facts::registry::{Cluster, Role, RoleListing, Said};
use crate::facts::{Evidence, Facts, Known};

type K = Known<Value>;

/// Roles that let pull where the registry counts roles as a whole.
const WHOLE: [&str; 5] = ["acrpull", "acrpush", "owner", "contributor", "reader"];

/// Roles that let pull where it counts them by repository; there the others count for nothing.
const BY_REPOSITORY: [&str; 3] = ["container registry repository reader", "container registry repository writer", "container registry repository contributor"];

/// Roles that people give to the identities of clusters and that let nobody pull.
const OTHERS: [&str; 14] = [
    "network contributor",
    "managed identity operator",
    "managed identity contributor",
    "private dns zone contributor",
    "monitoring metrics publisher",
    "virtual machine contributor",
    "storage blob data reader",
    "storage blob data contributor",
    "key vault secrets user",
    "azure kubernetes service cluster user role",
    "acrdelete",
    "acrimagesigner",
    "acrquarantinereader",
    "log analytics contributor",
];

/// What an assignment does for the pull.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Grants {
    Yes,
    No,
    Perhaps,
}

/// What counts at the registry.
struct Gate {
    name: String,
    id: Option<String>,
    repository: String,
    by_repository: Option<Said<bool>>,
}

fn gate(a: &Asked<'_>) -> Option<Gate> {
    let reference = a.pull.reference.as_ref()?;
    let name = registries(a).next().map(|r| r.name.clone()).or_else(|| cloud_name(reference.bare_host()))?;
    let by_repository = registries(a).find_map(|r| r.by_repository.clone());
    Some(Gate { id: registries(a).find_map(|r| r.id.clone()), repository: reference.repository.clone(), by_repository, name })
}

impl Gate {
    /// Whether a scope covers the registry: itself, or what it lies in.
    fn covered_by(&self, scope: &str) -> Option<bool> {
        if scope.rsplit_once("/registries/").is_some_and(|(_, rest)| rest == self.name) {
            return Some(true);
        }
        if scope == "/" || scope.contains("/managementgroups/") {
            // Every subscription lies in some management group; which one, no listing shows.
            return None;
        }
        if scope.contains("/providers/") {
            return Some(false);
        }
        self.id.as_ref().map(|id| id.strip_prefix(scope).is_some_and(|rest| rest.starts_with('/')))
    }

    fn grants(&self, role: &Role) -> Grants {
        let name = role.role.to_lowercase();
        let (whole, by_repository) = (WHOLE.contains(&name.as_str()), BY_REPOSITORY.contains(&name.as_str()));
        let covered = match self.covered_by(&role.scope) {
            Some(false) => return Grants::No,
            covered => covered,
        };
        let counts = match &self.by_repository {
            Some((true, _)) if whole => Grants::No,
            Some((true, _)) if by_repository => admits(role.condition.as_deref(), &self.repository),
            Some((false, _)) if by_repository => Grants::Perhaps,
            Some((false, _)) if whole => {
                if role.condition.is_none() {
                    Grants::Yes
                } else {
                    Grants::Perhaps
                }
            }
            // Whether roles of old count, only the registry tells; nearly all do.
            None if whole || by_repository => Grants::Perhaps,
            _ if OTHERS.contains(&name.as_str()) => Grants::No,
            // A role of somebody's own making may hold the right.
            _ => Grants::Perhaps,
        };
        match (counts, covered) {
            (Grants::Yes, None) => Grants::Perhaps,
            (counts, _) => counts,
        }
    }
}

/// Whether a condition on the assignment admits the repository, in the forms that the portal writes.
fn admits(condition: Option<&str>, repository: &str) -> Grants {
    let Some(condition) = condition else { return Grants::Yes };
    let repository = repository.to_lowercase();
    let mut understood = false;
    for (operator, whole) in [("StringEqualsIgnoreCase", true), ("StringEquals ", true), ("StringStartsWithIgnoreCase", false), ("StringStartsWith ", false)] {
        for (_, rest) in condition.match_indices(operator).filter_map(|(at, _)| condition.get(..at).zip(condition.get(at + operator.len()..))) {
            let values = rest.split('\'').skip(1).step_by(2).take_while(|v| !v.contains([')', '(']));
            // `{'a', 'b'}` lists several; without braces the first alone belongs to the operator.
            let many = rest.trim_start().starts_with('{');
            let values: Vec<String> = values.take(if many { 50 } else { 1 }).map(str::to_lowercase).collect();
            understood |= !values.is_empty();
            if values.iter().any(|v| if whole { *v == repository } else { repository.starts_with(v.as_str()) }) {
                return Grants::Yes;
            }
        }
    }
    let strange = ["StringNot", "StringLike", "ForAll", "ForAny"].iter().any(|w| condition.contains(w));
    if understood && !strange { Grants::No } else { Grants::Perhaps }
}

/// The cluster whose nodes pull: one that has the node's pool, where it lists its pools; none where nothing tells which.
pub(super) fn cluster<'a>(a: &Asked<'a>) -> Option<&'a Cluster> {
    let has_pool = |c: &&Cluster| a.pull.pool.as_ref().is_none_or(|pool| c.pools.is_empty() || c.pools.contains(pool));
    // Two clusters may name their pools alike; the nodes of each stand in a group of their own.
    let group = a.node().and_then(|node| a.facts.nodes.iter().find(|n| n.name == node)?.group.as_ref());
    let has_node = |c: &&Cluster| group.zip(c.nodes_group.as_ref()).is_none_or(|(one, other)| one == other);
    let told = a.facts.estate.clusters.iter().filter(|c| c.kubelet.is_some() || c.service_principal.is_some());
    let mut with = told.filter(has_pool).filter(has_node);
    let first = with.next()?;
    with.all(|c| c.id == first.id).then_some(first)
}

/// The line that shows that the node's own configuration names another identity than the cluster does for its kubelets.
fn names_another<'a>(a: &Asked<'a>) -> Option<(&'a Source, bool)> {
    let client = cluster(a)?.kubelet_client.as_ref()?;
    let (own, guessed) = Facts::of_node(&a.facts.estate.of_nodes, a.node()).next()?;
    (own.value.client != *client).then_some((&own.value.source, guessed))
}

/// The same, as a rule names it: a configuration that nobody collected shows none.
pub fn node_uses_another(a: &Asked<'_>) -> K {
    match names_another(a) {
        Some((source, guessed)) => yes_no(true, Evidence::of(source).guessed(guessed)),
        None => yes_no(false, a.by_text()),
    }
}

/// The object id of the identity with which the cluster's nodes are meant to pull.
pub(super) fn kubelet<'a>(a: &Asked<'a>) -> Option<&'a Said<String>> {
    cluster(a)?.kubelet.as_ref()
}

fn own<'a>(a: &Asked<'a>, principal: &str) -> Vec<&'a Role> {
    a.facts.estate.roles.iter().filter(|r| r.principal == principal).collect()
}

/// Whether an assignment lets the nodes' identity pull.
pub fn allow_pull(a: &Asked<'_>) -> K {
    if a.facts.estate.role_listings.is_empty() && a.facts.estate.roles.is_empty() {
        return Known::NotCollected("role-assignments");
    }
    if names_another(a).is_some() {
        return Known::NotCollected("role-assignments");
    }
    let Some((principal, identity)) = kubelet(a) else { return Known::NotCollected("cluster") };
    let Some(gate) = gate(a) else { return Known::NotCollected("role-assignments") };
    let roles = own(a, principal);
    if let Some(role) = roles.iter().find(|r| gate.grants(r) == Grants::Yes) {
        return yes_no(true, Evidence { sources: vec![role.named.clone(), identity.clone()], guessed: false });
    }
    if roles.iter().any(|r| gate.grants(r) == Grants::Perhaps) {
        return Known::NotCollected(if gate.by_repository.is_none() { "registry-config" } else { "role-assignments" });
    }
    if super::contradicted::identity_pulled(a).is_some() {
        return Known::NotCollected("role-assignments");
    }
    let Some((listing, certain)) = vouching(a, principal, &gate) else { return Known::NotCollected("role-assignments") };
    // Who belongs to a group, a list tells only where it was asked to.
    let of_group = |r: &&Role| r.principal_kind.eq_ignore_ascii_case("Group") && gate.grants(r) != Grants::No;
    let group = a.facts.estate.roles.iter().find(of_group);
    let unfolded = a.facts.estate.role_listings.iter().any(|l| flagged(a, l, "--include-groups") && of_principal(a, l, principal));
    if group.is_some() && !unfolded {
        return Known::NotCollected("role-assignments");
    }
    let useless = roles.iter().filter(|r| gate.covered_by(&r.scope) == Some(true)).map(|r| r.named.clone());
    let sources = useless.chain([identity.clone(), listing.source.clone()]).collect();
    yes_no(false, Evidence { sources, guessed: !certain })
}

/// A list that shows what the identity has here, and whether nothing can be missing in it.
fn vouching<'a>(a: &Asked<'a>, principal: &str, gate: &Gate) -> Option<(&'a RoleListing, bool)> {
    let listings = &a.facts.estate.role_listings;
    let own = listings.iter().filter(|l| of_principal(a, l, principal));
    let inherited = |l: &RoleListing| flagged(a, l, "--include-inherited");
    let whole = |l: &&RoleListing| inherited(l) && (flagged(a, l, "--all") || flagged(a, l, "/registries/"));
    if let Some(listing) = own.clone().find(whole) {
        return Some((listing, true));
    }
    // A list by scope: it holds assignments of the registry to several principals.
    let of_scope = |l: &&RoleListing| {
        a.facts.estate.roles.iter().any(|r| r.source.file == l.source.file && gate.covered_by(&r.scope) == Some(true))
            || flagged(a, l, &format!("/registries/{}", gate.name))
    };
    let by_scope = listings.iter().filter(of_scope);
    if let Some(listing) = by_scope.clone().find(|l| inherited(l) && l.principal.is_none()) {
        return Some((listing, true));
    }
    own.clone().next().or_else(|| by_scope.clone().find(|l| l.principal.is_none())).map(|l| (l, false))
}

/// Whether all of a list is about one principal: by its rows, else by the command that printed it.
fn of_principal(a: &Asked<'_>, listing: &RoleListing, principal: &str) -> bool {
    listing.principal.as_deref() == Some(principal) || flagged(a, listing, &format!("--assignee {principal}"))
}

fn flagged(a: &Asked<'_>, listing: &RoleListing, flag: &str) -> bool {
    listing.command.as_deref().or_else(|| a.facts.command_of(&listing.source)).is_some_and(|c| c.to_lowercase().contains(flag))
}

/// Whether the pull role sits on another identity of the cluster, which the nodes do not use.
pub fn on_other_identity(a: &Asked<'_>) -> K {
    if a.facts.estate.role_listings.is_empty() && a.facts.estate.roles.is_empty() {
        return Known::NotCollected("role-assignments");
    }
    let Some((principal, identity)) = kubelet(a) else { return Known::NotCollected("cluster") };
    let Some(gate) = gate(a) else { return Known::NotCollected("role-assignments") };
    if let Some((source, guessed)) = names_another(a) {
        let counts = own(a, principal).into_iter().find(|r| gate.grants(r) != Grants::No && gate.covered_by(&r.scope) == Some(true));
        return match counts {
            Some(role) => yes_no(true, Evidence { sources: vec![source.clone(), identity.clone(), role.named.clone()], guessed }),
            None => Known::NotCollected("role-assignments"),
        };
    }
    let counts = |r: &&Role| gate.grants(r) != Grants::No && gate.covered_by(&r.scope) == Some(true) && r.principal != *principal;
    let others: Vec<&Role> = a.facts.estate.roles.iter().filter(counts).collect();
    let of_cluster = |r: &Role| cluster(a).is_some_and(|c| c.others.iter().any(|(p, _)| *p == r.principal));
    if let Some(role) = others.iter().find(|r| of_cluster(r)) {
        let whose = cluster(a).into_iter().flat_map(|c| &c.others).find(|(p, _)| *p == role.principal).map(|(_, s)| s.clone());
        let sources: Vec<Source> = [role.source.clone(), identity.clone()].into_iter().chain(whose).collect();
        return yes_no(true, Evidence { sources, guessed: false });
    }
    // Who an unknown holder of the role is, the bundle does not tell: somebody's pipeline, or an identity of before.
    if others.iter().any(|r| r.role.eq_ignore_ascii_case("AcrPull")) {
        return Known::NotCollected("node-identity");
    }
    match a.facts.estate.role_listings.first() {
        Some(listing) => yes_no(false, Evidence::of(&listing.source)),
        None => Known::NotCollected("role-assignments"),
    }
}

/// Whether a condition on the identity's role leaves the repository out.
pub fn excludes_repository(a: &Asked<'_>) -> K {
    if a.facts.estate.role_listings.is_empty() && a.facts.estate.roles.is_empty() {
        return Known::NotCollected("role-assignments");
    }
    if names_another(a).is_some() {
        return Known::NotCollected("role-assignments");
    }
    let Some((principal, _)) = kubelet(a) else { return Known::NotCollected("cluster") };
    let Some(gate) = gate(a) else { return Known::NotCollected("role-assignments") };
    let conditional: Vec<&Role> = own(a, principal).into_iter().filter(|r| r.condition.is_some() && gate.covered_by(&r.scope) == Some(true)).collect();
    if let Some(role) = conditional.iter().find(|r| admits(r.condition.as_deref(), &gate.repository) == Grants::No) {
        return yes_no(true, Evidence::of(&role.named));
    }
    match a.facts.estate.role_listings.first() {
        Some(listing) if conditional.is_empty() => yes_no(false, Evidence::of(&listing.source)),
        _ => Known::NotCollected("role-assignments"),
    }
}

/// How long before the refusal the nodes' identity got the oldest assignment that lets it pull.
pub fn minutes_since_granted(a: &Asked<'_>) -> K {
    match allow_pull(a) {
        Known::Seen(Value::Bool(true), _) => {}
        Known::Seen(_, evidence) => return Known::Absent(evidence),
        other => return other,
    }
    let (Some((principal, _)), Some(gate), Some(refused)) = (kubelet(a), gate(a), a.pull.last) else { return Known::NotCollected("role-assignments") };
    let granting: Vec<&Role> = own(a, principal).into_iter().filter(|r| gate.grants(r) != Grants::No).collect();
    // An assignment whose time nobody knows may be the oldest.
    if granting.iter().any(|r| r.changed.is_none()) {
        return Known::NotCollected("role-assignments");
    }
    let Some((oldest, given)) = granting.iter().filter_map(|r| Some((r, r.changed?))).min_by_key(|(_, at)| *at) else {
        return Known::NotCollected("role-assignments");
    };
    let evidence = Evidence::of(&oldest.named);
    match refused.duration_since(given).as_mins() {
        minutes if minutes >= 0 => Known::Seen(Value::Int(minutes), evidence),
        _ => Known::Absent(evidence),
    }
}

/// Whether the cluster takes what its nodes start with from this registry.
pub fn is_bootstrap(a: &Asked<'_>) -> K {
    let Some(cluster) = cluster(a) else { return Known::NotCollected("cluster") };
    let name = gate(a).map(|g| g.name);
    match (&cluster.bootstrap, &cluster.source) {
        (Some((id, source)), _) => yes_no(id.rsplit('/').next() == name.as_deref(), Evidence::of(source)),
        (None, Some(source)) => yes_no(false, Evidence::of(source)),
        (None, None) => Known::NotCollected("cluster"),
    }
}

/// The role of the nodes' identity that would let it pull elsewhere, and counts for nothing at this registry.
pub fn ineffective(a: &Asked<'_>) -> K {
    if a.facts.estate.role_listings.is_empty() && a.facts.estate.roles.is_empty() {
        return Known::NotCollected("role-assignments");
    }
    if names_another(a).is_some() {
        return Known::NotCollected("role-assignments");
    }
    let Some((principal, identity)) = kubelet(a) else { return Known::NotCollected("cluster") };
    let Some(gate) = gate(a) else { return Known::NotCollected("role-assignments") };
    let Some((by_repository, _)) = &gate.by_repository else { return Known::NotCollected("registry-config") };
    let counts_not = |r: &&Role| *by_repository && WHOLE.contains(&r.role.to_lowercase().as_str()) && gate.covered_by(&r.scope) == Some(true);
    match own(a, principal).into_iter().find(counts_not) {
        Some(role) => Known::Seen(Value::Text(role.role.clone()), Evidence { sources: vec![role.named.clone(), identity.clone()], guessed: false }),
        None => Known::Absent(Evidence::of(identity)),
    }
}

/// Whether the kubelet's identity is assigned to the nodes' machines.
pub fn identity_is_assigned(a: &Asked<'_>) -> K {
    if a.facts.estate.assigned.is_empty() {
        return Known::NotCollected("node-identity");
    }
    let Some((resource, identity)) = cluster(a).and_then(|c| c.kubelet_resource.as_ref()) else { return Known::NotCollected("cluster") };
    let set = a.node().and_then(|n| n.len().checked_sub(6).and_then(|at| n.get(..at))).map(str::to_lowercase);
    let mut all = a.facts.estate.assigned.iter().filter(|m| m.machines.is_none() || m.machines == set);
    let Some(machines) = all.next() else { return Known::NotCollected("node-identity") };
    let named = machines.machines.is_some();
    yes_no(machines.resources.contains(resource), Evidence { sources: vec![machines.source.clone(), identity.clone()], guessed: !named })
}

/// Whether the secret of the cluster's service principal is past its end: every secret that it has.
pub fn service_principal_is_expired(a: &Asked<'_>) -> K {
    let Some(cluster) = cluster(a) else { return Known::NotCollected(if a.facts.estate.secrets.is_empty() { "service-principal" } else { "cluster" }) };
    let Some((client, source)) = &cluster.service_principal else {
        return match &cluster.source {
            Some(source) => yes_no(false, Evidence::of(source)),
            None => Known::NotCollected("cluster"),
        };
    };
    let now = a.pull.last.or(a.facts.about.collected_at);
    let ends: Vec<_> = a.facts.estate.secrets.iter().filter(|s| s.application.as_ref().is_none_or(|app| app == client)).collect();
    let (Some(last), Some(now)) = (ends.iter().max_by_key(|s| s.end), now) else { return Known::NotCollected("service-principal") };
    yes_no(last.end < now, Evidence { sources: vec![last.source.clone(), source.clone()], guessed: last.application.is_none() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_name_repositories() {
        let one = "((!(ActionMatches{'Microsoft.ContainerRegistry/registries/repositories/content/read'})) OR (@Request[Microsoft.ContainerRegistry/registries/repositories:name] StringEqualsIgnoreCase 'Team/App'))";
        assert_eq!(admits(Some(one), "team/app"), Grants::Yes);
        assert_eq!(admits(Some(one), "team/other"), Grants::No);
        let prefix = one.replace("StringEqualsIgnoreCase 'Team/App'", "StringStartsWithIgnoreCase 'team/'");
        assert_eq!(admits(Some(&prefix), "team/other"), Grants::Yes);
        assert_eq!(admits(Some("@Request[x] StringNotEquals 'team/app'"), "team/app"), Grants::Perhaps);
        assert_eq!(admits(None, "x"), Grants::Yes);
    }
}
