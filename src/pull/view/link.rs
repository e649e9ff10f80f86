//! Was the link to a layer still good when it was used? Its end stands in it.

use jiff::{SignedDuration, Timestamp};

use super::{Asked, Value, yes_no};
use crate::facts::{Known, time};

type K = Known<Value>;

/// Whether the link's end lies before every failure of the pull. One that ended between the first and the last was renewed, or not.
pub fn is_expired(a: &Asked<'_>) -> K {
    let text = &a.attempt().text;
    let Some(end) = end_of(text) else { return Known::NotCollected("containerd-log") };
    match (a.pull.first, a.told.when.at) {
        (Some(first), _) if end < first => yes_no(true, a.by_text()),
        (_, Some(last)) if end >= last => yes_no(false, a.by_text()),
        _ => Known::NotCollected("containerd-log"),
    }
}

/// `se=2026-11-30T09%3A40%3A12Z`; `X-Amz-Date=20261130T080000Z` with `X-Amz-Expires=1200`.
fn end_of(text: &str) -> Option<Timestamp> {
    let value = |key: &str| {
        let rest = text.split(['?', '&']).find_map(|part| part.strip_prefix(key))?;
        rest.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '%' | '-' | ':'))).next()
    };
    if let Some(end) = value("se=") {
        return time::stamp(&end.replace("%3A", ":").replace("%3a", ":"));
    }
    let digits = value("X-Amz-Date=")?;
    let part = |from: usize, to: usize| digits.get(from..to);
    let made = format!("{}-{}-{}T{}:{}:{}Z", part(0, 4)?, part(4, 6)?, part(6, 8)?, part(9, 11)?, part(11, 13)?, part(13, 15)?);
    let seconds = value("X-Amz-Expires=")?.parse::<u32>().ok()?;
    time::stamp(&made)?.checked_add(SignedDuration::from_secs(i64::from(seconds))).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_tell_their_end() {
        let at = |text: &str| end_of(text).map(|t| t.to_string());
        assert_eq!(at("https://s.example/d?se=2026-11-30T09%3A40%3A12Z&sig=x: 403"), Some("2026-11-30T09:40:12Z".into()));
        assert_eq!(at("https://s.example/d?X-Amz-Date=20261130T080000Z&X-Amz-Expires=1200&y=1"), Some("2026-11-30T08:20:00Z".into()));
        assert_eq!(at("https://s.example/d?X-Amz-Date=2026&X-Amz-Expires=1200"), None);
        assert_eq!(at("no link"), None);
    }
}
