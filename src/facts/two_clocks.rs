//! Do a log and the events tell one time? A node's clock may run wrong, and a journal may be printed in another zone.
//!
//! Where the same pull ends in both at different times, the log's times are kept apart: they tell the order within the
//! log, and nothing is concluded from them about what came before or after an event.

use std::collections::BTreeMap;

use jiff::Timestamp;

use crate::bundle::FileId;

use super::{Event, Facts, Happening, Record, When};

/// Within this time the two tell of the same attempt.
const TOGETHER: i64 = 120;
/// Lines of one attempt stand this close together.
const ONE: i64 = 5;
/// Zones differ by whole multiples of this.
const ZONE: i64 = 30 * 60;

impl Facts {
    /// Sets aside the times of logs whose clock is not that of the events.
    pub(super) fn tell_clocks_apart(&mut self) {
        let mut ends: BTreeMap<(FileId, &str, &str), Vec<&Record>> = BTreeMap::new();
        for record in self.records.iter().filter(|r| r.when.at.is_some() && r.node.is_some()) {
            match &record.what {
                Happening::Failed { image: Some(image), .. } => ends.entry((record.source.file, image, "Failed")).or_default().push(record),
                Happening::Pulled { image } => ends.entry((record.source.file, image, "Pulled")).or_default().push(record),
                _ => {}
            }
        }
        // By node, so that a large cluster's events are not gone through for each image of each log.
        let mut by_node: BTreeMap<(&str, Option<&str>), Vec<&Event>> = BTreeMap::new();
        for event in self.events.iter().filter(|e| e.last.ago.is_none() && matches!(e.reason.as_str(), "Failed" | "Pulled")) {
            by_node.entry((&event.reason, event.node.as_deref())).or_default().push(event);
        }
        // A file of which one end of a pull agrees with the events is in order.
        let mut found: BTreeMap<FileId, Option<String>> = BTreeMap::new();
        for ((file, image, reason), records) in ends {
            let node = records.first().and_then(|r| r.node.as_deref());
            let events: Vec<&Event> = by_node.get(&(reason, node)).into_iter().flatten().copied().filter(|e| names(e, image)).collect();
            match self.gap(&records, &events) {
                Gap::Untold => {}
                Gap::None => drop(found.insert(file, None)),
                Gap::Of(says) => drop(found.entry(file).or_insert(Some(says))),
            }
        }
        let apart: BTreeMap<FileId, String> = found.into_iter().filter_map(|(file, says)| Some((file, says?))).collect();
        let aside = |when: &mut When| *when = When { elsewhere: when.at, ..When::default() };
        self.records.iter_mut().filter(|r| apart.contains_key(&r.source.file)).for_each(|r| aside(&mut r.when));
        for log in self.heard.logs.iter_mut().filter(|log| apart.contains_key(&log.file)) {
            aside(&mut log.first);
            aside(&mut log.last);
        }
        self.about.clocks = apart.into_values().collect();
    }

    fn gap(&self, records: &[&Record], events: &[&Event]) -> Gap {
        let mut logged: Vec<(Timestamp, &Record)> = records.iter().filter_map(|r| Some((r.when.at?, *r))).collect();
        logged.sort_by_key(|(at, _)| *at);
        let told = events.iter().flat_map(|e| [e.first.at, e.last.at]).flatten();
        let near = |at: Timestamp| logged.iter().any(|(other, _)| apart(*other, at).abs() <= TOGETHER);
        if told.clone().any(near) {
            return Gap::None;
        }
        let (Some((last, record)), Some(event)) = (logged.last(), events.iter().max_by_key(|e| e.last.at)) else { return Gap::Untold };
        let Some(at) = event.last.at else { return Gap::Untold };
        let seconds = apart(*last, at);
        let zone = seconds.abs() >= ZONE - 60 && (seconds.abs() + 60) % ZONE <= 120;
        let mut rounds: Vec<Timestamp> = logged.iter().map(|(at, _)| *at).collect();
        rounds.dedup_by(|b, a| apart(*b, *a) <= ONE);
        let counted: u64 = events.iter().map(|e| e.count).sum();
        let both_ends = rounds.first().zip(told.min()).is_some_and(|(logged, told)| (apart(*logged, told) - seconds).abs() <= 2 * ONE);
        // A success has no words of its own, and a pull may succeed many times.
        let pulled = matches!(record.what, Happening::Pulled { .. });
        let same = !pulled && rounds.len() as u64 == counted && both_ends;
        if !(zone || same) || (!pulled && ending(text(record)) != ending(&event.message)) {
            return Gap::Untold;
        }
        let place = |s: &super::Source| format!("{}:{}", self.about.path(s), s.line);
        let how_far =
            if seconds.abs() < 5400 { format!("{} minutes", ((seconds.abs() + 30) / 60).max(2)) } else { format!("{} hours", (seconds.abs() + 1800) / 3600) };
        Gap::Of(format!(
            "{} and {} tell the same pull {how_far} apart: the two clocks or their zones differ. The log is told with the events all the same, \
             and nothing is concluded from which of the two came first",
            place(&record.source),
            place(&event.source),
        ))
    }
}

/// What the times of one image's pulls say of two clocks.
enum Gap {
    /// They agree.
    None,
    /// They differ, in a sentence.
    Of(String),
    /// Nothing says that it is the same pull.
    Untold,
}

fn apart(a: Timestamp, b: Timestamp) -> i64 {
    a.duration_since(b).as_secs()
}

/// Whether the event's text is about the image; the log may write it in full.
fn names(event: &Event, image: &str) -> bool {
    let ends = event.message.starts_with("Failed to pull") || event.message.starts_with("Successfully pulled");
    ends && event.message.split('"').nth(1).is_some_and(|own| !own.is_empty() && (own == image || image.ends_with(own)))
}

fn text(record: &Record) -> &str {
    if let Happening::Failed { text, .. } = &record.what { text } else { "" }
}

/// The last words of an error, which every carrier keeps.
fn ending(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().rev().take(4).collect();
    words.join(" ").trim_matches(['"', '\\', '.']).to_owned()
}
