//! What collects an artefact, and whose view is it? The one table, `rules/artefacts.yaml`, that every rule and gap refers to.

use std::sync::LazyLock;

use serde::Deserialize;

/// One kind of collected thing.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Artefact {
    /// Its name.
    pub id: String,
    /// Whose view it is: `node`, `control-plane`, `pod`, `operator`.
    pub view: String,
    /// What it is.
    pub what: String,
    /// The read-only command that collects it.
    pub run: String,
}

static TABLE: LazyLock<Vec<Artefact>> =
    LazyLock::new(|| serde_json::from_slice(include_bytes!(concat!(env!("OUT_DIR"), "/artefacts.json"))).unwrap_or_default());

/// Every artefact.
pub fn all() -> &'static [Artefact] {
    &TABLE
}

/// The artefact of that name.
pub fn named(id: &str) -> Option<&'static Artefact> {
    TABLE.iter().find(|a| a.id == id)
}

pub(super) fn ids() -> Vec<&'static str> {
    TABLE.iter().map(|a| a.id.as_str()).collect()
}
