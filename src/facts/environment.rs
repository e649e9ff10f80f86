//! With which variables does a service of a node really run, where several files set them?
//!
//! systemd reads the unit, then its drop-ins by their file names, and the last assignment of a variable counts. The files that
//! `EnvironmentFile=` names are read when the service starts and override all of them. What one of those sets that was not
//! collected stays open.

use std::collections::BTreeMap;

use super::{Facts, Of, Owner, ProxySettings};

impl Facts {
    /// Makes one account of each service of each node. Shells and files of nobody stay as they are.
    pub(super) fn join_environments(&mut self) {
        let mut plain: BTreeMap<String, Vec<Part>> = BTreeMap::new();
        let mut places: BTreeMap<(String, Option<String>), usize> = BTreeMap::new();
        let mut groups: Vec<Vec<Part>> = Vec::new();
        for mut item in std::mem::take(&mut self.proxies) {
            let path = if item.value.path.is_empty() { self.about.path(&item.source).to_owned() } else { std::mem::take(&mut item.value.path) };
            let node = match &item.owner {
                Owner::Node { name, .. } => Some(name.clone()),
                _ => None,
            };
            if let Some(node) = node.clone().filter(|_| item.value.plain) {
                plain.entry(node).or_default().push((path.clone(), item.clone()));
            }
            let service = node.filter(|_| is_service(&item.value)).map(|node| (node, item.value.service.clone()));
            let place = service.map(|key| *places.entry(key).or_insert(groups.len()));
            match place.and_then(|place| groups.get_mut(place)) {
                Some(group) => group.push((path, item)),
                None => groups.push(vec![(path, item)]),
            }
        }
        for parts in groups {
            let Some((_, first)) = parts.first() else { continue };
            let mut first = first.clone();
            match (&first.owner, is_service(&first.value)) {
                (Owner::Node { name, .. }, true) => {
                    let of_node = plain.get(name).map_or(&[][..], Vec::as_slice);
                    self.proxies.push(joined(parts, first, of_node));
                }
                _ => {
                    first.value.open = !first.value.environment_files.is_empty();
                    self.proxies.push(first);
                }
            }
        }
    }
}

/// Settings of one file, and its path.
type Part = (String, Of<ProxySettings>);

fn is_service(settings: &ProxySettings) -> bool {
    settings.service.as_deref().is_some_and(|s| s != "shell")
}

/// The order in which systemd reads: the unit, its drop-ins by name, what the service reads itself. `None` where the path does
/// not tell which of them it is.
fn rank(path: &str) -> Option<(u8, &str)> {
    let name = path.rsplit(['/', '!']).next().unwrap_or(path);
    match () {
        () if name == "daemon.json" => Some((3, name)),
        () if path.contains(".service.d/") => Some((1, name)),
        () if name.ends_with(".service") => Some((0, "")),
        () => None,
    }
}

/// The parts of one service as one.
fn joined(mut parts: Vec<Part>, first: Of<ProxySettings>, plain: &[Part]) -> Of<ProxySettings> {
    let named: Vec<String> = parts.iter().flat_map(|(_, p)| p.value.environment_files.clone()).collect();
    let mut guessed = parts.iter().any(|(_, p)| matches!(p.owner, Owner::Node { guessed: true, .. }));
    let running = parts.iter().any(|(_, p)| p.value.whole);
    let listed = parts.iter().any(|(_, p)| p.value.listed);
    // What systemd itself shows is the outcome of all units and drop-ins.
    if running {
        parts.retain(|(_, p)| p.value.whole);
        parts.truncate(1);
    }
    // A file of variables counts for a service that names it. Where no unit was collected, its name alone says whose it is.
    let knows_unit = parts.iter().any(|(_, p)| !p.value.plain);
    parts.retain(|(_, p)| !p.value.plain || !knows_unit);
    guessed |= !knows_unit;
    // A drop-in below `/etc` takes the place of one of the same name elsewhere.
    let names: Vec<String> = parts.iter().filter(|(path, _)| path.contains("etc/systemd/")).map(|(path, _)| file_name(path)).collect();
    parts.retain(|(path, _)| path.contains("etc/systemd/") || rank(path).is_none_or(|(r, _)| r != 1) || !names.contains(&file_name(path)));
    parts.sort_by(|(a, _), (b, _)| rank(a).cmp(&rank(b)));
    let in_order = parts.len() < 2 || parts.iter().all(|(path, _)| rank(path).is_some());
    let mut parts = parts.into_iter();
    let mut sum = parts.next().map_or(first, |(_, part)| part);
    for (_, part) in parts {
        lay_over(&mut sum, part, in_order);
    }
    sum.value.whole |= listed;
    // CRI-O's packages name a file of variables, which `show` leaves out unless it is asked for.
    sum.value.open |= running && sum.value.service.as_deref() == Some("crio") && named.is_empty();
    for file in &named {
        match plain.iter().find(|(path, _)| path.ends_with(file.trim_start_matches('/'))) {
            Some((_, over)) => lay_over(&mut sum, over.clone(), true),
            None => sum.value.open = true,
        }
    }
    if let Owner::Node { guessed: own, .. } = &mut sum.owner {
        *own |= guessed;
    }
    sum
}

fn file_name(path: &str) -> String {
    path.rsplit(['/', '!']).next().unwrap_or(path).to_owned()
}

/// What `over` sets takes the place of what was set before. Where the order is not known, everything counts and stays open.
fn lay_over(sum: &mut Of<ProxySettings>, over: Of<ProxySettings>, in_order: bool) {
    let (own, more) = (&mut sum.value, over.value);
    if more.resets && in_order {
        own.variables.clear();
    }
    own.open |= more.open || (more.resets && !in_order);
    for (name, (value, at)) in more.variables {
        match own.variables.get_mut(&name).filter(|_| !in_order) {
            Some((known, _)) if *known == value => {}
            Some((known, place)) => {
                own.open = true;
                if name.eq_ignore_ascii_case("NO_PROXY") {
                    *known = format!("{known},{value}");
                }
                *place = at;
            }
            None => {
                own.variables.insert(name, (value, at));
            }
        }
    }
    if let Some(at) = own.settle() {
        sum.source = at;
    }
}
