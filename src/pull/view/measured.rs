//! What did measurements on the node and its kernel's messages show of the way?

use jiff::SignedDuration;

use super::{Asked, Value, yes_no};
use crate::facts::{Evidence, Facts, Known, Of, Probe};

type K = Known<Value>;

/// What a link of the usual kind sends at most.
const FULL_SIZE: u32 = 1500;

/// How long before the first failure that was seen its cause may have been told.
const BEFORE: SignedDuration = SignedDuration::from_mins(5);

/// Packets that went from the node to the host. Where its address is not known, those to the one address that was measured may
/// have gone there.
fn probes<'a>(a: &Asked<'a>) -> Vec<(&'a Of<Probe>, bool)> {
    let all: Vec<_> = Facts::of_node(&a.facts.probes, a.node()).collect();
    let address = a.address().seen().copied();
    let named: Vec<_> = all.iter().filter(|(p, _)| Some(p.value.to) == address || Some(p.value.host.as_str()) == a.host()).copied().collect();
    let to_one = all.windows(2).all(|pair| matches!(pair, [(a, _), (b, _)] if a.value.to == b.value.to));
    if named.is_empty() && address.is_none() && to_one {
        return all.into_iter().map(|(p, _)| (p, true)).collect();
    }
    named
}

/// Whether full-size packets pass: one of that size was answered, or was lost without a word where a smaller one was answered.
pub fn path_mtu_fits(a: &Asked<'_>) -> K {
    let probes = probes(a);
    let largest = Facts::of_node(&a.facts.links, a.node()).map(|(l, _)| l.value.mtu).max().unwrap_or(FULL_SIZE).max(FULL_SIZE);
    let of = |answered: bool| probes.iter().filter(move |(p, _)| p.value.answered == Some(answered));
    let Some((passed, guessed)) = of(true).max_by_key(|(p, _)| p.value.size) else { return Known::NotCollected("path-mtu") };
    if passed.value.size >= largest {
        return yes_no(true, Evidence::of(&passed.source).guessed(*guessed));
    }
    match of(false).filter(|(p, _)| p.value.size > passed.value.size && p.value.size <= largest).min_by_key(|(p, _)| p.value.size) {
        Some((lost, _)) => Known::Seen(Value::Bool(false), Evidence { sources: vec![lost.source.clone(), passed.source.clone()], guessed: *guessed }),
        None => Known::NotCollected("path-mtu"),
    }
}

/// Whether the kernel said at the time of the failures that its table of tracked connections is full.
pub fn connection_table_full(a: &Asked<'_>) -> K {
    let (Some(first), Some(last)) = (a.pull.first, a.pull.last) else { return Known::NotCollected("kernel-log") };
    let from = first.checked_sub(BEFORE).unwrap_or(first);
    let mut quiet = None;
    for (log, guessed) in Facts::of_node(&a.facts.kernel_logs, a.node()) {
        if let Some((_, at)) = log.value.table_full.iter().find(|(at, _)| (from..=last).contains(at)) {
            return yes_no(true, Evidence::of(at).guessed(guessed));
        }
        if log.value.since.is_some_and(|since| since <= first) {
            quiet = Some(Evidence::of(&log.source).guessed(guessed));
        }
    }
    quiet.map_or(Known::NotCollected("kernel-log"), |evidence| yes_no(false, evidence))
}
