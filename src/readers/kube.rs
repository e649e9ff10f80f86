//! What do Kubernetes' API objects say? Lists and single objects, in JSON and YAML, of either events API.

pub(super) mod json;
mod objects;
mod raw;
pub(super) mod yaml;

pub(super) use objects::{Item, concerns_pulls};

/// Whether the raw text of an event may concern a pull: a look at its words before it is parsed.
fn may_concern_pulls(text: &str) -> bool {
    const WORDS: [&str; 9] = ["ull", "BackOff", "Failed", "Scheduled", "InspectFailed", "ErrImage", "ImageGC", "EvictionThreshold", "denied the request"];
    WORDS.iter().any(|w| text.contains(w))
}
