//! What do Kubernetes' API objects say? Lists and single objects, in JSON and YAML, of either events API.

pub(super) mod json;
mod objects;
mod raw;
pub(super) mod yaml;

pub(super) use objects::{Item, concerns_pulls};
