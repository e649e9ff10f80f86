//! What did somebody change before the failures began, by the activity log?

use super::{Asked, Value, estate, yes_no};
use crate::facts::registry::Change;
use crate::facts::{Evidence, Known};

type K = Known<Value>;

/// How long before the first failure a change counts, where no good pull is known between the two.
const RECENT: jiff::SignedDuration = jiff::SignedDuration::from_hours(7 * 24);

/// Whether the registry or its private endpoints were changed before the failures began, and after the last good pull.
pub fn registry_changed(a: &Asked<'_>) -> K {
    let changes = &a.facts.estate.changes;
    let (Some(first), Some(began)) = (changes.first(), a.pull.first) else {
        return Known::NotCollected(if changes.is_empty() { "activity-log" } else { "events" });
    };
    let registry = a.pull.reference.as_ref().map(|r| r.host.clone()).unwrap_or_default();
    let last_good = a.index.network_pulls(&registry).iter().filter_map(|e| e.last.at).filter(|at| *at <= began).max();
    let since = last_good.or_else(|| began.checked_sub(RECENT).ok());
    let in_time = |c: &&Change| c.at <= began && since.is_none_or(|since| c.at >= since);
    match changes.iter().filter(|c| concerns(a, c)).filter(in_time).max_by_key(|c| c.at) {
        Some(change) => yes_no(true, Evidence::of(&change.source)),
        None => yes_no(false, Evidence::of(&first.source)),
    }
}

/// Whether a change is one of the registry itself, of a private endpoint that leads to it, or of what hangs below either.
fn concerns(a: &Asked<'_>, change: &Change) -> bool {
    let writes = change.operation.ends_with("/write") || change.operation.ends_with("/delete") || change.operation.contains("privateendpointconnections");
    let below = |resource: &str, id: &str| resource.strip_prefix(id).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    let of_registry = |c: &Change| {
        let name = c.resource.split_once("/registries/").and_then(|(_, rest)| rest.split('/').next());
        // Tasks, tokens and webhooks below a registry change no way to it.
        let part = c.operation.strip_prefix("microsoft.containerregistry/registries/").and_then(|rest| rest.split('/').next());
        name.is_some_and(|name| estate::is_named(a, name))
            && matches!(part, Some("write" | "privateendpointconnections" | "privateendpointconnectionsapproval"))
    };
    writes && (of_registry(change) || estate::endpoint_ids(a).iter().any(|id| below(&change.resource, id)))
}
