//! What do Kubernetes' API objects say? Lists and single objects, in JSON and YAML, of either events API.

pub(super) mod json;
mod objects;
mod raw;
pub(super) mod secrets;
pub(super) mod yaml;

pub(super) use objects::{Item, concerns_pulls};

/// Whether the raw text of an event may concern a pull: a look at its words before it is parsed.
fn may_concern_pulls(text: &str) -> bool {
    const WORDS: [&str; 11] =
        ["ull", "BackOff", "Failed", "Scheduled", "InspectFailed", "ErrImage", "ImageGC", "Evict", "Killing", "Preempted", "denied the request"];
    WORDS.iter().any(|w| text.contains(w))
}

/// What an object without a `kind` is: items of a list leave it out, and a cut takes the list's own away.
fn shape(text: &str) -> Option<&'static str> {
    let holds = |key: &str| text.contains(&format!("\"{key}\":")) || text.contains(&format!("\n{key}:")) || text.starts_with(&format!("{key}:"));
    let within = |key: &str| text.contains(&format!("\"{key}\":")) || text.contains(&format!(" {key}:"));
    match () {
        () if (holds("involvedObject") || holds("regarding") || within("involvedObject")) && within("reason") => Some("Event"),
        () if within("nodeInfo") && within("kubeletVersion") => Some("Node"),
        () if within("containerStatuses") || (within("containers") && within("nodeName")) => Some("Pod"),
        () => None,
    }
}
