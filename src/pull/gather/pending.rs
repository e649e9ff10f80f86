//! Which pulls were announced and have not ended? No error tells of them, and their pods wait all the same.
//!
//! An announcement counts when the evidence goes on long after it and shows no end. One just before the collection does not:
//! what came next was not collected.

use std::collections::{BTreeMap, HashSet};

use super::{Key, Reader, Told, add, pod_of};
use crate::facts::{Event, Facts, Happening, Owner, Unit};
use crate::message::Reference;
use crate::pull::Pull;

/// A pull may take minutes. After this long without a word, somebody waits.
const LONG: i64 = 15 * 60;

/// What the kubelet says of a pod once its pull has ended, well or badly.
const ENDS: [&str; 6] = ["Pulled", "Failed", "BackOff", "InspectFailed", "ErrImageNeverPull", "FailedPullImage"];

pub(super) fn announced(facts: &Facts, reader: &mut Reader, drafts: &mut BTreeMap<Key, Pull>) {
    let mut last: BTreeMap<String, &Event> = BTreeMap::new();
    for event in facts.events.iter().filter(|e| e.reason == "Pulling") {
        let Some(pod) = pod_of(event) else { continue };
        match last.get(&pod) {
            Some(known) if event.last.is_after(&known.last) != Some(true) => {}
            _ => drop(last.insert(pod, event)),
        }
    }
    if last.is_empty() {
        return;
    }
    let ends = Ends::of(facts);
    let listed: HashSet<&str> = facts.pods.iter().map(|p| p.namespace.as_str()).collect();
    for (pod, event) in last {
        let Some(image) = event.message.split('"').nth(1).filter(|i| !i.is_empty()) else { continue };
        let known = facts.pods.iter().find(|p| p.name == event.name && p.namespace == event.namespace);
        // A pod that is gone waits for nothing, and one that has run holds its images.
        let gone = known.is_none() && listed.contains(event.namespace.as_str());
        let runs = known.is_some_and(|p| p.started.iter().any(|i| normal(i) == normal(image)));
        if gone || runs || !is_old(event, facts) || ends.ended(&pod, image, event) {
            continue;
        }
        let key = (normal(image), event.node.clone());
        if drafts.contains_key(&key) {
            continue;
        }
        add(drafts, Told::by_event(event, image, reader.read(&event.message)));
    }
}

fn normal(image: &str) -> String {
    Reference::parse(image).map_or_else(|| image.to_owned(), |r| r.to_string())
}

/// Whether what was collected goes on long after the event, in the same list or in the log of the node's runtime.
fn is_old(event: &Event, facts: &Facts) -> bool {
    let damaged = facts.about.path(&event.source);
    if facts.about.unread.iter().any(|u| u.hides && u.file == damaged) {
        return false;
    }
    if let Some(ago) = event.last.ago {
        return ago >= LONG;
    }
    let Some(at) = event.last.at else { return false };
    let of_node = |file| facts.about.owned.iter().any(|(_, f, o)| *f == file && matches!(o, Owner::Node { name, .. } if Some(name) == event.node.as_ref()));
    let logs = facts.heard.logs.iter().filter(|log| log.units.iter().any(|u| *u != Unit::Kubelet) && of_node(log.file));
    // A journal without a year names no zone either.
    let zoned = logs.filter(|log| log.last.yearless.is_none());
    let logged = zoned.filter(|log| log.first.at.is_some_and(|first| first <= at)).filter_map(|log| log.last.at);
    let listed = facts.heard.until.get(&event.source.file).copied();
    let end = logged.chain(listed).chain(facts.layout_stamp).max();
    end.is_some_and(|end| end.duration_since(at).as_secs() >= LONG)
}

/// What tells that pulls have ended.
struct Ends<'f> {
    of_pod: BTreeMap<String, Vec<&'f Event>>,
    /// Node and image of successes, by events and logs.
    of_image: BTreeMap<(Option<&'f str>, String), Vec<crate::facts::When>>,
}

impl<'f> Ends<'f> {
    fn of(facts: &'f Facts) -> Ends<'f> {
        let mut ends = Ends { of_pod: BTreeMap::new(), of_image: BTreeMap::new() };
        for event in facts.events.iter().filter(|e| ENDS.contains(&e.reason.as_str())) {
            if let Some(pod) = pod_of(event) {
                ends.of_pod.entry(pod).or_default().push(event);
            }
            if let Some(image) = event.message.split('"').nth(1).filter(|_| event.reason == "Pulled") {
                ends.of_image.entry((event.node.as_deref(), normal(image))).or_default().push(event.last);
            }
        }
        for record in &facts.records {
            if let Happening::Pulled { image } | Happening::Failed { image: Some(image), .. } = &record.what {
                ends.of_image.entry((record.node.as_deref(), normal(image))).or_default().push(record.when);
            }
        }
        ends
    }

    /// Whether anything says that the pull has ended, or might: what has no time that compares may have come after.
    fn ended(&self, pod: &str, image: &str, event: &Event) -> bool {
        let after = |when: &crate::facts::When| event.last.is_after(when) != Some(true);
        let own = self.of_pod.get(pod).is_some_and(|ends| ends.iter().any(|e| after(&e.last)));
        own || self.of_image.get(&(event.node.as_deref(), normal(image))).is_some_and(|ends| ends.iter().any(after))
    }
}
