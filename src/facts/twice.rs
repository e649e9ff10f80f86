//! What is told twice: do several dumps of one object agree?
//!
//! Dumps are of different hours. What two of them contradict is not known; where the bundle tells which of them is newer, the
//! newer counts, as a guess. Nothing here knows what an object means for a pull.

mod listings;
mod objects;

use std::collections::{BTreeMap, BTreeSet};

use ipnet::IpNet;
use jiff::{SignedDuration, Timestamp};

use super::{Facts, Known, Source, time};
use crate::bundle::FileId;

/// When files were written, as far as the bundle tells.
struct Ages<'a> {
    path: &'a dyn Fn(FileId) -> String,
    written: BTreeMap<FileId, Timestamp>,
}

impl Facts {
    /// Joins what is told of one object. `path` tells where a file lies.
    pub(super) fn settle_twice_told(&mut self, path: &dyn Fn(FileId) -> String) {
        let ages = Ages { path, written: std::mem::take(&mut self.about.written) };
        listings::settle(self);
        objects::settle(self, &ages);
        self.about.written = ages.written;
    }

    /// The same for the dumps of an interface, whose owner is known last.
    pub(super) fn settle_twice_told_interfaces(&mut self, path: &dyn Fn(FileId) -> String) {
        let ages = Ages { path, written: std::mem::take(&mut self.about.written) };
        objects::settle_effective(self, &ages);
        self.about.written = ages.written;
    }
}

impl Ages<'_> {
    /// Sorts dumps, the oldest first; false, and nothing moved, where nothing tells the order of all of them.
    fn sort<T>(&self, dumps: &mut [T], source: impl Fn(&T) -> &Source) -> bool {
        let files: Vec<FileId> = dumps.iter().map(|d| source(d).file).collect();
        let by_name: Option<Vec<_>> = files.iter().map(|f| time::of_path(&(self.path)(*f))).collect();
        let by_name = by_name.filter(|all| all.iter().all(|(_, clock)| all.first().is_some_and(|(_, first)| first == clock)));
        let by_name = by_name.map(|all| all.into_iter().map(|(at, _)| at).collect::<Vec<_>>());
        let by_archive = || files.iter().map(|f| self.written.get(f).copied()).collect::<Option<Vec<_>>>();
        // Files that were copied together were written together.
        let apart = |all: &Vec<Timestamp>| {
            let mut sorted = all.clone();
            sorted.sort();
            sorted.windows(2).all(|pair| matches!(pair, [one, other] if other.duration_since(*one) >= SignedDuration::from_mins(2)))
        };
        let Some(times) = by_name.filter(apart).or_else(|| by_archive().filter(apart)) else { return false };
        let of: BTreeMap<FileId, Timestamp> = files.into_iter().zip(times).collect();
        dumps.sort_by_key(|d| of.get(&source(d).file).copied());
        true
    }
}

/// Puts the dumps of one object together, at the place of the first. What has no key is left alone.
fn join<T>(
    list: &mut Vec<T>,
    ages: &Ages<'_>,
    key: impl Fn(&T) -> Option<String>,
    source: impl Fn(&T) -> &Source + Copy,
    mut merge: impl FnMut(Vec<T>, bool) -> Vec<T>,
) {
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    let mut groups: Vec<Vec<T>> = Vec::with_capacity(list.len());
    for item in std::mem::take(list) {
        let place = key(&item).map(|k| *places.entry(k).or_insert(groups.len()));
        match place.and_then(|p| groups.get_mut(p)) {
            Some(group) => group.push(item),
            None => groups.push(vec![item]),
        }
    }
    for mut group in groups {
        if group.len() > 1 {
            let dated = ages.sort(&mut group, source);
            group = merge(group, dated);
        }
        list.extend(group);
    }
}

/// What several dumps say of one thing.
fn agreed<'k, T: Clone + PartialEq + 'k>(told: impl IntoIterator<Item = &'k Known<T>>, dated: bool, artefact: &'static str) -> Known<T> {
    let told: Vec<&Known<T>> = told.into_iter().filter(|k| !matches!(k, Known::NotCollected(_))).collect();
    match told.as_slice() {
        [] => Known::NotCollected(artefact),
        [first, rest @ ..] if rest.iter().all(|k| k.seen() == first.seen()) => (*first).clone(),
        [.., last] if dated => (*last).clone().guessed(true),
        _ => Known::NotCollected(artefact),
    }
}

/// Ranges that several dumps tell of one thing.
enum Ranges {
    /// All that tell any tell the same.
    Alike(Vec<(IpNet, Source)>),
    /// They differ; those of each.
    Apart(Vec<Vec<(IpNet, Source)>>),
}

fn ranges<'k>(told: impl IntoIterator<Item = &'k Vec<(IpNet, Source)>>) -> Ranges {
    let told: Vec<_> = told.into_iter().filter(|r| !r.is_empty()).cloned().collect();
    let set = |list: &Vec<(IpNet, Source)>| list.iter().map(|(p, _)| *p).collect::<BTreeSet<_>>();
    match told.first() {
        None => Ranges::Alike(Vec::new()),
        Some(first) if told.iter().all(|other| set(other) == set(first)) => Ranges::Alike(first.clone()),
        Some(_) => Ranges::Apart(told),
    }
}

impl Ranges {
    /// The newest, where that is known; else each that any of them tells.
    fn any(self, dated: bool) -> Vec<(IpNet, Source)> {
        match self {
            Ranges::Alike(ranges) => ranges,
            Ranges::Apart(all) if dated => all.into_iter().next_back().unwrap_or_default(),
            Ranges::Apart(all) => {
                let mut seen = BTreeSet::new();
                all.into_iter().flatten().filter(|(range, _)| seen.insert(*range)).collect()
            }
        }
    }

    /// Those that all of them tell, and whether they agree.
    fn common(self) -> (Vec<(IpNet, Source)>, bool) {
        match self {
            Ranges::Alike(ranges) => (ranges, true),
            Ranges::Apart(all) => {
                let in_all = |range: &IpNet| all.iter().all(|list| list.iter().any(|(r, _)| r == range));
                (all.first().into_iter().flatten().filter(|(r, _)| in_all(r)).cloned().collect(), false)
            }
        }
    }
}
