//! What stands in one list and not in another of the same thing? Whether it is there is not known.

use std::collections::{BTreeMap, BTreeSet};

use crate::bundle::{FileId, Source};
use crate::facts::Facts;
use crate::facts::names::{Listed, Names, UNTOLD_SUBSCRIPTION};

pub(super) fn settle(facts: &mut Facts) {
    complete(&mut facts.names);
    peerings(facts);
    links(facts);
    records(facts);
}

/// Ids of zones that a table for people leaves open become those of the only zone of that name in that group.
fn complete(names: &mut Names) {
    let open: BTreeSet<String> = names.zones.iter().map(|z| z.id.clone()).filter(|id| id.starts_with(UNTOLD_SUBSCRIPTION)).collect();
    for short in open {
        let rest = short.strip_prefix(UNTOLD_SUBSCRIPTION).unwrap_or_default();
        let whole: BTreeSet<&String> = names.zones.iter().map(|z| &z.id).filter(|id| **id != short && id.ends_with(rest)).collect();
        let Some(id) = whole.first().filter(|_| whole.len() == 1).map(|id| (*id).clone()) else { continue };
        names.zones.iter_mut().filter(|z| z.id == short).for_each(|z| z.id.clone_from(&id));
        names.links.iter_mut().filter(|l| l.zone == short).for_each(|l| l.zone.clone_from(&id));
        names.listings.iter_mut().filter(|l| l.zone == short).for_each(|l| l.zone.clone_from(&id));
    }
}

/// Networks of which several files list the peerings, and differ.
fn peerings(facts: &mut Facts) {
    let networks = &mut facts.networks;
    let mut listings: BTreeMap<&String, Vec<&Source>> = BTreeMap::new();
    for (network, source) in &networks.peering_listings {
        let of = listings.entry(network).or_default();
        if !of.iter().any(|s| s.file == source.file) {
            of.push(source);
        }
    }
    let mut doubted: BTreeSet<(String, String)> = BTreeSet::new();
    for (network, files) in listings.iter().filter(|(_, files)| files.len() > 1) {
        let remotes =
            |file: FileId| networks.peerings.iter().filter(|p| p.network == **network && p.source.file == file).map(|p| &p.remote).collect::<BTreeSet<_>>();
        let sets: Vec<_> = files.iter().map(|s| remotes(s.file)).collect();
        let all: BTreeSet<&String> = sets.iter().flatten().copied().collect();
        doubted.extend(all.into_iter().filter(|r| !sets.iter().all(|s| s.contains(r))).map(|r| ((*network).clone(), r.clone())));
    }
    networks.peerings.retain(|p| !doubted.contains(&(p.network.clone(), p.remote.clone())));
    for (network, _) in &doubted {
        networks.peerings_told.remove(network);
    }
}

/// Zones of which several files list the links, or one link is told in two states.
fn links(facts: &mut Facts) {
    let names = &mut facts.names;
    let listed = |zone: &str| names.listings.iter().filter(move |l| l.of == Listed::Links && l.zone == zone).map(|l| l.source.file).collect::<BTreeSet<_>>();
    let mut doubted: BTreeSet<(String, String)> = BTreeSet::new();
    for link in &names.links {
        let same = || names.links.iter().filter(|l| l.zone == link.zone && l.network == link.network);
        let missing = listed(&link.zone).iter().any(|file| !same().any(|l| l.source.file == *file));
        let other_state = same().any(|l| l.completed != link.completed && l.source.file != link.source.file);
        let other_policy = same().any(|l| l.falls_back.is_some() && link.falls_back.is_some() && l.falls_back != link.falls_back);
        if missing || other_state || other_policy {
            doubted.insert((link.zone.clone(), link.network.clone()));
        }
    }
    names.links.retain(|l| !doubted.contains(&(l.zone.clone(), l.network.clone())));
    names.doubted.extend(doubted.into_iter().map(|(zone, _)| (zone, Listed::Links)));
}

/// Zones of which several files list the records, or one record is told with two answers.
fn records(facts: &mut Facts) {
    let names = &mut facts.names;
    let has_addresses = |zone: &str, file: FileId| names.records.iter().any(|r| r.zone == zone && r.source.file == file && !r.addresses.is_empty());
    // A list of all types would hold the record; one of a single type, where that is the record's.
    let mut lists: BTreeMap<&str, BTreeSet<FileId>> = BTreeMap::new();
    for list in names.listings.iter().filter(|l| l.of == Listed::Records || l.of == Listed::OneType && has_addresses(&l.zone, l.source.file)) {
        lists.entry(&list.zone).or_default().insert(list.source.file);
    }
    let mut told: BTreeMap<(&str, &str), Vec<usize>> = BTreeMap::new();
    for (at, record) in names.records.iter().enumerate().filter(|(_, r)| !r.addresses.is_empty()) {
        told.entry((&record.zone, &record.name)).or_default().push(at);
    }
    let mut doubted: BTreeSet<(String, String)> = BTreeSet::new();
    for ((zone, name), places) in &told {
        let same: Vec<_> = places.iter().filter_map(|at| names.records.get(*at)).collect();
        let missing = lists.get(zone).is_some_and(|files| files.iter().any(|file| !same.iter().any(|r| r.source.file == *file)));
        let answer = |addresses: &[std::net::IpAddr], v4: bool| addresses.iter().filter(|a| a.is_ipv4() == v4).copied().collect::<BTreeSet<_>>();
        let differ = |v4: bool| {
            let mut answers = same.iter().map(|r| answer(&r.addresses, v4)).filter(|a| !a.is_empty());
            answers.next().is_some_and(|first| answers.any(|other| other != first))
        };
        if missing || differ(true) || differ(false) {
            doubted.insert(((*zone).to_owned(), (*name).to_owned()));
        }
    }
    names.records.retain(|r| !doubted.contains(&(r.zone.clone(), r.name.clone())));
    names.doubted.extend(doubted.into_iter().map(|(zone, _)| (zone, Listed::Records)));
}
