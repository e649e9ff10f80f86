//! Is the node's clock right, and when did the pull fail by everybody else's?
//!
//! The kubelet stamps events by the node's clock, the API server stamps objects by its own. Where both stamps of one moment
//! are known, or the node's tools say how far its clock is off, the difference is the node's error.

use jiff::{SignedDuration, Timestamp};

use super::{Asked, Value, yes_no};
use crate::facts::{Event, Evidence, Facts, Known};

type K = Known<Value>;

/// How far two clocks may differ and still agree, in seconds.
const SLACK: i64 = 600;

/// Seconds that the node's clock is ahead; negative where it is slow.
fn error(a: &Asked<'_>) -> Option<(i64, Evidence)> {
    let node = a.node();
    let clocks = || Facts::of_node(&a.facts.clocks, node).map(|(clock, guessed)| (clock.value, Evidence::of(&clock.source).guessed(guessed)));
    for (clock, evidence) in clocks() {
        match (clock.offset, clock.synchronised) {
            (Some(offset), _) => return Some((offset, evidence)),
            (None, Some(true)) => return Some((0, evidence)),
            _ => {}
        }
    }
    node?;
    let of_node = || a.facts.events.iter().filter(|e| e.node.as_deref() == node && e.kind == "Pod");
    let both = of_node().filter_map(|e| Some((e, by_stamps(e)?)));
    if let Some((event, off)) = both.min_by_key(|(_, off)| off.abs()) {
        return Some((off, Evidence::of(&event.source)));
    }
    // A kubelet that waits for an image saw nothing of the pod before the pod was made.
    for pod in a.pull.pods.iter().filter_map(|p| a.index.pod(p)).filter(|p| !p.waiting.is_empty()) {
        let of_pod = of_node().filter(|e| e.name == pod.name && e.namespace == pod.namespace && e.reason != "Scheduled");
        let (Some(made), Some(newest)) = (pod.created.at, of_pod.filter_map(|e| e.last.at.map(|at| (at, e))).max_by_key(|(at, _)| *at)) else { continue };
        let off = newest.0.duration_since(made).as_secs();
        if off < -SLACK {
            return Some((off, Evidence { sources: vec![newest.1.source.clone(), pod.source.clone()], guessed: false }));
        }
    }
    // Which of a machine's two clocks is the right one is not said.
    clocks().find_map(|(clock, evidence)| Some((clock.ahead_of_hardware?, evidence.guessed(true)))).filter(|(off, _)| off.abs() > SLACK)
}

/// The same by one event. The server stamps when the object was made, the kubelet when it saw the matter first and last. An
/// object that expired is made anew with the old first time, so anything between the two agrees.
fn by_stamps(event: &Event) -> Option<i64> {
    let (made, first) = (event.created.at?, event.first.at?);
    let last = event.last.at.unwrap_or(first).max(first);
    Some(made.duration_since(made.clamp(first, last)).as_secs().saturating_neg())
}

/// Whether the node's clock is right: its own tools say so, or its stamps agree with the API server's.
pub fn is_right(a: &Asked<'_>) -> K {
    match error(a) {
        Some((off, evidence)) => yes_no(off.abs() <= SLACK, evidence),
        None => Known::NotCollected("node-clock"),
    }
}

/// When the pull failed last, by a clock that is right as far as anybody knows; by the bundle's time where no failure has one.
pub(super) fn moment(a: &Asked<'_>) -> Option<Timestamp> {
    let Some(last) = a.pull.last else { return a.facts.about.now };
    match error(a) {
        Some((off, _)) if off.abs() > SLACK => last.checked_sub(SignedDuration::from_secs(off)).ok(),
        _ => Some(last),
    }
}

/// Whether the clock in the error's text and the event's time agree, and nothing else says that the clock is wrong.
pub fn agrees_with_event(a: &Asked<'_>) -> K {
    if a.attempt().detail.certificate_times.is_none() {
        return Known::NotCollected("node-clock");
    }
    if let Some((_, evidence)) = error(a).filter(|(off, _)| off.abs() > SLACK) {
        return yes_no(false, evidence);
    }
    let slack = SignedDuration::from_secs(SLACK);
    for event in a.node().map_or(&[][..], |n| a.index.timed(n)) {
        let (Some(first), Some(last)) = (event.first.at, event.last.at) else { continue };
        let text_clock = event.message.split_once("current time ").and_then(|(_, rest)| crate::facts::time::stamp(rest.split(" is ").next()?));
        let Some(text_clock) = text_clock else { continue };
        let in_text = text_clock.duration_since(last) <= slack && first.duration_since(text_clock) <= slack;
        let stamped = by_stamps(event).is_none_or(|off| off.abs() <= SLACK);
        return yes_no(in_text && stamped, Evidence::of(&event.source));
    }
    Known::NotCollected("events")
}
