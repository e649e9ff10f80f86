//! The rules inside the program: compact and without their tests for answering, whole for showing and checking.

use super::file::{self, Rule, RuleError};

/// Every rule as JSON, without its tests, made when the program is built.
pub(super) const COMPACT: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/rules.json"));

include!(concat!(env!("OUT_DIR"), "/sources.rs"));

pub(super) fn rules() -> Result<Vec<Rule>, RuleError> {
    serde_json::from_slice(COMPACT).map_err(|e| RuleError::unplaced(format!("a shipped rule cannot be read: {e}")))
}

/// Path and text of every shipped rule.
pub(super) fn texts() -> impl Iterator<Item = (&'static str, &'static str)> {
    SOURCES.iter().copied()
}

/// The text of one shipped rule.
pub(super) fn text(id: &str) -> Option<(&'static str, &'static str)> {
    texts().find(|(path, _)| file::id_of_path(path) == id)
}
