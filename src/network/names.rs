//! Which private zone answers for a name, as one network sees it, and with what?
//!
//! The cloud's own resolver asks, of the zones that are linked to the network from which the question comes, the one with
//! the longest suffix of the name, and no other: what that zone lacks does not exist, however many zones hold it beside.
//! A public name with a private endpoint is an alias into a zone of a fixed name, so both names count.

use std::collections::BTreeMap;

use crate::facts::names::{Listed, Names, Zone, ZoneLink, ZoneRecord};
use crate::facts::{Evidence, Known};

/// Public suffixes under which private endpoints get names, and the suffix of the zone into which the public name then leads.
const PRIVATE_LINK: [(&str, &str); 12] = [
    (".azurecr.io", ".privatelink.azurecr.io"),
    (".azurecr.us", ".privatelink.azurecr.us"),
    (".azurecr.cn", ".privatelink.azurecr.cn"),
    (".blob.core.windows.net", ".privatelink.blob.core.windows.net"),
    (".blob.core.usgovcloudapi.net", ".privatelink.blob.core.usgovcloudapi.net"),
    (".blob.core.chinacloudapi.cn", ".privatelink.blob.core.chinacloudapi.cn"),
    (".dfs.core.windows.net", ".privatelink.dfs.core.windows.net"),
    (".vault.azure.net", ".privatelink.vaultcore.azure.net"),
    (".azurewebsites.net", ".privatelink.azurewebsites.net"),
    (".azmk8s.io", ".privatelink.azmk8s.io"),
    (".servicebus.windows.net", ".privatelink.servicebus.windows.net"),
    (".monitor.azure.com", ".privatelink.monitor.azure.com"),
];

/// The name into which a public name leads once its service has a private endpoint.
pub fn private_link_name(host: &str) -> Option<String> {
    let (public, private) = PRIVATE_LINK.iter().find(|(public, _)| host.ends_with(public))?;
    let front = host.strip_suffix(public)?;
    (!front.is_empty() && !front.contains("privatelink")).then(|| format!("{front}{private}"))
}

/// Whether `name` lies in the zone, or is its apex.
pub fn lies_in(name: &str, zone: &str) -> bool {
    name == zone || name.strip_suffix(zone).is_some_and(|front| front.ends_with('.'))
}

/// Everything that is known of the zones that could answer for one name.
#[derive(Debug, Default)]
pub struct Covering<'f> {
    /// The names that are asked for, the one in the image's reference first.
    chain: Vec<String>,
    zones: Vec<View<'f>>,
    /// Whether any list of zones was collected.
    listed: bool,
}

/// A zone with all that the bundle holds of it.
#[derive(Debug)]
pub struct View<'f> {
    /// Its suffix.
    pub name: &'f str,
    /// The artefact that shows it best.
    pub zone: &'f Zone,
    /// Its links.
    pub links: Vec<&'f ZoneLink>,
    /// Evidence that these are all; guessed where it is only likely.
    pub all_links: Option<Evidence>,
    /// Its records.
    pub records: Vec<&'f ZoneRecord>,
    /// Evidence that these are all.
    pub all_records: Option<Evidence>,
}

impl<'f> View<'f> {
    /// The links to `network` that are in force.
    pub fn link_to(&self, network: &str) -> Option<&'f ZoneLink> {
        self.links.iter().copied().find(|l| l.completed && l.network == network)
    }

    /// The record for a name, its own before a wildcard's.
    pub fn record(&self, name: &str) -> Option<&'f ZoneRecord> {
        let exact = self.records.iter().copied().find(|r| r.name == name);
        exact.or_else(|| {
            let wild = |r: &&'f ZoneRecord| r.name.strip_prefix('*').is_some_and(|suffix| name.ends_with(suffix) && suffix.starts_with('.'));
            self.records.iter().copied().filter(wild).max_by_key(|r| r.name.len())
        })
    }
}

/// How the cloud's own resolver of one network answers.
#[derive(Debug)]
pub enum Answer<'f> {
    /// A zone gives the addresses.
    Addresses(&'f ZoneRecord),
    /// A zone answers and lacks the name, and the answer ends there.
    NoSuchName(Evidence, &'f str),
    /// No zone answers, or the one that does lets the question through: the public answer is given.
    Public(Evidence),
    /// What would tell was not collected.
    NotCollected(&'static str),
}

impl<'f> Covering<'f> {
    /// The zones for `host`, whose public name may lead over `aliases`.
    pub fn of(names: &'f Names, host: &str, aliases: &[String]) -> Covering<'f> {
        let mut chain = vec![host.to_owned()];
        let linked = private_link_name(host);
        for name in linked.into_iter().chain(aliases.iter().cloned()) {
            if !chain.contains(&name) {
                chain.push(name);
            }
        }
        let mut views: BTreeMap<&str, View<'f>> = BTreeMap::new();
        for zone in names.zones.iter().filter(|z| chain.iter().any(|n| lies_in(n, &z.name))) {
            let tells = zone.record_sets.is_some() || zone.links.is_some();
            let view = views.entry(&zone.id).or_insert_with(|| View {
                name: &zone.name,
                zone,
                links: Vec::new(),
                all_links: None,
                records: Vec::new(),
                all_records: None,
            });
            if tells {
                view.zone = zone;
            }
        }
        for link in &names.links {
            if let Some(view) = views.get_mut(link.zone.as_str()) {
                view.links.push(link);
            }
        }
        for record in &names.records {
            if let Some(view) = views.get_mut(record.zone.as_str()) {
                view.records.push(record);
            }
        }
        let mut zones: Vec<View<'f>> = views.into_values().collect();
        for view in &mut zones {
            vouch(view, names);
        }
        zones.sort_by_key(|v| std::cmp::Reverse(v.name.len()));
        let listed = names.zones.iter().any(|z| z.record_sets.is_some() || z.links.is_some());
        Covering { chain, zones, listed }
    }

    /// The zones, the longest suffix first.
    pub fn zones(&self) -> &[View<'f>] {
        &self.zones
    }

    /// The artefact that would show more, where no zone for the name is known.
    pub fn wanted(&self) -> &'static str {
        "private-dns-zones"
    }

    /// Whether a list of zones was collected.
    pub fn is_listed(&self) -> bool {
        self.listed
    }

    /// Whether a rule of a forwarding service sends the name to other servers, whatever zones say.
    pub fn is_forwarded(&self, names: &Names) -> bool {
        names.forwarded.iter().any(|f| self.chain.iter().any(|n| f.suffix.is_empty() || lies_in(n, &f.suffix)))
    }

    /// Whether one of the zones is linked to `network`.
    pub fn linked(&self, network: &str) -> Known<bool> {
        if let Some(link) = self.zones.iter().find_map(|v| v.link_to(network)) {
            return Known::Seen(true, Evidence::of(&link.source));
        }
        if self.zones.is_empty() {
            return Known::NotCollected(self.wanted());
        }
        let mut evidence = Evidence::default();
        for view in &self.zones {
            let Some(all) = &view.all_links else { return Known::NotCollected("private-dns-links") };
            evidence.guessed |= all.guessed;
            evidence.sources.extend(view.links.iter().map(|l| l.source.clone()));
            evidence.sources.extend(all.sources.iter().cloned());
        }
        evidence.sources.truncate(6);
        Known::Seen(false, evidence)
    }

    /// The record that the zones hold for the name: those that are linked to `network`, where it is known and any is.
    pub fn record(&self, network: Option<&str>) -> Known<&'f ZoneRecord> {
        let on_the_way: Vec<&View<'f>> = self.zones.iter().filter(|v| network.is_some_and(|n| v.link_to(n).is_some())).collect();
        let asked: Vec<&View<'f>> = if on_the_way.is_empty() { self.zones.iter().collect() } else { on_the_way };
        if let Some(record) = asked.iter().find_map(|v| self.chain.iter().find_map(|n| v.record(n))) {
            return Known::Seen(record, Evidence::of(&record.source));
        }
        if asked.is_empty() {
            return Known::NotCollected(self.wanted());
        }
        // Another zone holds it, and whether that one answers is not known.
        let elsewhere = |v: &&View<'f>| self.chain.iter().any(|n| v.record(n).is_some());
        if self.zones.iter().filter(elsewhere).any(|v| v.all_links.is_none()) {
            return Known::NotCollected("private-dns-links");
        }
        let mut evidence = Evidence::default();
        for view in asked {
            let Some(all) = &view.all_records else { return Known::NotCollected("private-dns-records") };
            evidence.guessed |= all.guessed;
            evidence.sources.extend(all.sources.iter().cloned());
        }
        Known::Absent(evidence)
    }

    /// The zone that answers before the one that holds the record, and lacks it.
    pub fn shadow(&self, network: &str) -> Known<bool> {
        let linked: Vec<&View<'f>> = self.zones.iter().filter(|v| v.link_to(network).is_some()).collect();
        for (at, name) in self.chain.iter().enumerate() {
            let mut of_name = linked.iter().filter(|v| lies_in(name, v.name));
            let Some(first) = of_name.next() else { continue };
            if let Some(record) = first.record(name) {
                return Known::Seen(false, Evidence::of(&record.source));
            }
            let Some(all) = &first.all_records else { return Known::NotCollected("private-dns-records") };
            if first.link_to(network).is_some_and(|l| l.falls_back == Some(true)) {
                continue;
            }
            let shorter = of_name.filter(|v| v.name.len() < first.name.len()).find_map(|v| v.record(name));
            // Where the public name itself does not exist, nobody follows it to the private one.
            let behind = || self.chain.iter().skip(at + 1).find_map(|n| linked.iter().find_map(|v| v.record(n)));
            let hidden = shorter.or_else(behind);
            let Some(hidden) = hidden else { continue };
            let mut evidence = Evidence::of(&first.zone.source).guessed(all.guessed);
            evidence.sources.extend(first.link_to(network).map(|l| l.state.clone()));
            evidence.sources.push(hidden.source.clone());
            evidence.sources.extend(all.sources.iter().filter(|s| **s != first.zone.source).cloned());
            return Known::Seen(true, evidence);
        }
        match linked.first() {
            Some(view) => Known::Seen(false, Evidence::of(&view.zone.source)),
            None if self.zones.len() > 1 => Known::NotCollected("private-dns-links"),
            None => Known::NotCollected(self.wanted()),
        }
    }

    /// What the cloud's own resolver of `network` answers.
    pub fn answer(&self, network: &str) -> Answer<'f> {
        let mut evidence = Evidence::default();
        for name in &self.chain {
            let Some(view) = self.zones.iter().filter(|v| lies_in(name, v.name)).find(|v| v.link_to(network).is_some()) else { continue };
            if let Some(record) = view.record(name) {
                return Answer::Addresses(record);
            }
            let Some(all) = &view.all_records else { return Answer::NotCollected("private-dns-records") };
            let Some(link) = view.link_to(network) else { continue };
            evidence.sources.extend(all.sources.iter().cloned());
            evidence.sources.push(link.source.clone());
            evidence.guessed |= all.guessed;
            match link.falls_back {
                Some(true) => {}
                Some(false) => return Answer::NoSuchName(evidence, view.name),
                None => return Answer::NoSuchName(evidence.guessed(true), view.name),
            }
        }
        if evidence.sources.is_empty() && self.zones.iter().any(|v| v.all_links.is_none()) {
            return Answer::NotCollected("private-dns-links");
        }
        Answer::Public(evidence)
    }
}

/// Whether the bundle shows all links and all records of a zone. A list that shows fewer than the zone counts is of a part or
/// of another day, and vouches for nothing.
fn vouch(view: &mut View<'_>, names: &Names) {
    let listing = |of: Listed| names.listings.iter().filter(|l| l.zone == view.zone.id && l.of == of).max_by_key(|l| l.count);
    let counted = |count: Option<u64>, got: u64| count.map(|count| count <= got);
    let by_zone = Evidence::of(&view.zone.source);

    let links = u64::try_from(view.links.len()).unwrap_or(u64::MAX);
    let doubted = |of: Listed| names.doubted.contains(&(view.zone.id.clone(), of));
    let (links_doubted, records_doubted) = (doubted(Listed::Links), doubted(Listed::Records));
    view.all_links = match (counted(view.zone.links, links), listing(Listed::Links)) {
        (Some(false), _) | (None, None) => None,
        (_, Some(list)) => Some(Evidence::of(&list.source)),
        (Some(true), None) => Some(by_zone.clone()),
    };

    // The record of the zone's own beginning (SOA) is always there, also where a list of one type leaves it out.
    let types = names.listings.iter().filter(|l| l.zone == view.zone.id && l.of == Listed::OneType);
    let of_types = types.clone().map(|l| l.count).sum::<u64>() + 1;
    view.all_records = match (listing(Listed::Records), view.zone.record_sets) {
        (Some(list), count) => counted(count, list.count).unwrap_or(true).then(|| Evidence::of(&list.source)),
        (None, Some(count)) => (count <= of_types).then_some(by_zone),
        // Addresses alone, and nothing that says how many other records there are.
        (None, None) => types.max_by_key(|l| l.count).map(|l| Evidence::of(&l.source).guessed(true)),
    };
    // Two dumps that contradict each other vouch for nothing.
    view.all_links = view.all_links.take().filter(|_| !links_doubted);
    view.all_records = view.all_records.take().filter(|_| !records_doubted);
}
