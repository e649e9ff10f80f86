//! Does the bundle hold several clusters side by side? Then nodes of one name are different machines, and are named by folder.

use std::collections::{BTreeMap, BTreeSet};

use super::{Facts, Owner, Source, place};

/// A cluster that lies beside another one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Cluster {
    /// Its folder or archive as paths begin with it, the folder around everything left out.
    pub(super) folder: String,
    /// What stands in front of the names of its nodes.
    pub(super) name: String,
}

impl Cluster {
    fn of(folder: &str) -> Cluster {
        let last = folder.trim_end_matches(['/', '!']).rsplit(['/', '!']).next().unwrap_or(folder);
        let plain = [".tgz", ".zip", ".tar", ".tar."].iter().filter_map(|e| last.find(e)).min().and_then(|at| last.get(..at)).unwrap_or(last);
        Cluster { folder: folder.to_owned(), name: plain.to_owned() }
    }

    /// The name with the cluster in front, unless it stands there already.
    pub(super) fn lead(&self, name: &str) -> String {
        let front = format!("{}:", self.name);
        if name.is_empty() || name.starts_with(&front) { name.to_owned() } else { front + name }
    }
}

/// When a node was made, and its addresses.
type Identity = (Option<i64>, Vec<String>);

/// Folders of collectors, that lie beside others of the same cluster.
const OF_ONE_CLUSTER: [&str; 5] = ["cluster-info", "cluster-resources", "cluster-scoped-resources", "cluster-info-dump", "cluster_info"];

/// Words by which people tell their clusters apart.
const TELLING: [&str; 18] = [
    "prod",
    "production",
    "staging",
    "stage",
    "stg",
    "preprod",
    "nonprod",
    "dev",
    "test",
    "qa",
    "uat",
    "sandbox",
    "east",
    "west",
    "north",
    "south",
    "blue",
    "green",
];

/// Words for what a folder holds, which say nothing of whose it is.
const HELD: [&str; 24] = [
    "events",
    "event",
    "nodes",
    "node",
    "pods",
    "pod",
    "logs",
    "log",
    "kubectl",
    "k8s",
    "kubernetes",
    "objects",
    "resources",
    "info",
    "dump",
    "state",
    "az",
    "azure",
    "network",
    "net",
    "bundle",
    "support",
    "files",
    "output",
];

impl Facts {
    /// The clusters that lie side by side: their nodes of one name are different ones, or their folders are named after
    /// clusters, or each holds a whole cluster's files, and nothing says that they are one. Else none.
    pub(super) fn clusters(&self, files: &[String]) -> BTreeSet<Cluster> {
        let shared = shared(files);
        let top = |path: &str| path.get(shared.len()..).and_then(|p| p.find(['/', '!'])).and_then(|at| path.get(..=shared.len() + at)).map(str::to_owned);
        let at = |source: &Source| files.get(source.file.place()).and_then(|path| top(path));
        let mut seen: BTreeMap<&str, BTreeMap<Identity, String>> = BTreeMap::new();
        let mut same: Vec<(String, String)> = Vec::new();
        for node in &self.nodes {
            let Some(top) = at(&node.source) else { continue };
            let mut addresses = node.addresses.clone();
            addresses.sort();
            let identity = (node.created.at.map(|t| t.as_second()), addresses);
            if identity.0.is_none() {
                continue;
            }
            match seen.entry(&node.name).or_default().entry(identity) {
                std::collections::btree_map::Entry::Vacant(new) => drop(new.insert(top)),
                std::collections::btree_map::Entry::Occupied(known) if *known.get() != top => same.push((known.get().clone(), top)),
                std::collections::btree_map::Entry::Occupied(_) => {}
            }
        }
        // A node that was made anew under its name has another identity in the same folder.
        let differ = seen.values().filter(|i| i.values().collect::<BTreeSet<_>>().len() > 1).flat_map(|i| i.values());
        let mut folders: BTreeSet<String> = differ.cloned().collect();
        if folders.is_empty() {
            let mut events: BTreeMap<&str, String> = BTreeMap::new();
            for (uid, top) in self.events.iter().filter_map(|e| Some((e.uid.as_deref()?, at(&e.source)?))) {
                let first = events.entry(uid).or_insert_with(|| top.clone());
                if *first != top {
                    same.push((first.clone(), top));
                }
            }
            let tops: BTreeSet<String> = files.iter().filter_map(|path| top(path)).collect();
            folders = self.told_by_folders(&tops, files, &at);
            folders.retain(|f| !same.iter().any(|(a, b)| f == a || f == b));
        }
        if folders.len() < 2 {
            return BTreeSet::new();
        }
        let mut clusters: Vec<Cluster> = folders.iter().map(|f| Cluster::of(f)).collect();
        // `prod-events` and `prod-nodes` are one.
        let of: Vec<Option<String>> = clusters.iter().map(|c| cluster_named(&c.name.to_lowercase())).collect();
        for (cluster, own) in clusters.iter_mut().zip(&of) {
            if let Some(own) = own.as_ref().filter(|own| of.iter().flatten().filter(|o| o == own).count() > 1) {
                cluster.name = own.clone();
            }
        }
        clusters.into_iter().collect()
    }

    /// Folders that are named after clusters, else those that hold a cluster's objects and its nodes' files each.
    fn told_by_folders(&self, tops: &BTreeSet<String>, files: &[String], at: &dyn Fn(&Source) -> Option<String>) -> BTreeSet<String> {
        let mut nodes: BTreeSet<String> = self.nodes.iter().map(|n| n.name.to_lowercase()).collect();
        nodes.extend(self.events.iter().filter_map(|e| e.node.as_deref()).chain(self.pods.iter().filter_map(|p| p.node.as_deref())).map(str::to_lowercase));
        nodes.extend(self.hostnames.iter().map(|(_, host)| host.to_lowercase()));
        let part = |top: &str| top.trim_end_matches(['/', '!']).rsplit(['/', '!']).next().unwrap_or("").to_lowercase();
        let of_a_node = |top: &str| nodes.iter().any(|n| place::names_it(&part(top), n)) || place::is_of_a_node(&part(top)) || top.contains("-sha256-");
        let places = || tops.iter().filter(|t| !of_a_node(t));
        let mut objects: BTreeSet<String> = self.events.iter().filter_map(|e| at(&e.source)).collect();
        objects.extend(self.pods.iter().filter_map(|p| at(&p.source)).chain(self.nodes.iter().filter_map(|n| at(&n.source))));
        let named: BTreeMap<&String, String> = places().filter_map(|t| Some((t, cluster_named(&part(t))?))).collect();
        if named.values().collect::<BTreeSet<_>>().len() > 1 && named.keys().any(|t| objects.contains(*t)) {
            return named.into_keys().cloned().collect();
        }
        let holds_nodes = |top: &str| {
            files.iter().filter_map(|f| f.strip_prefix(top)).any(|rest| {
                let Some((folders, _)) = rest.rsplit_once(['/', '!']) else { return false };
                let folders = folders.to_lowercase();
                nodes.iter().any(|n| place::is_part(&folders, n)) && !rest.ends_with(".yaml") || place::machine(rest).is_some()
            })
        };
        places().filter(|t| objects.contains(*t) && holds_nodes(t)).cloned().collect()
    }

    /// Puts the cluster in front of node names and namespaces: `east:node-1`.
    pub(super) fn tell_clusters_apart(&mut self, clusters: &BTreeSet<Cluster>, files: &[String]) {
        if clusters.is_empty() {
            return;
        }
        let lead = |name: &mut String, source: &Source| {
            let path = files.get(source.file.place()).map_or("", String::as_str);
            if let Some(cluster) = clusters.iter().find(|c| path.starts_with(&c.folder)) {
                *name = cluster.lead(name);
            }
        };
        for node in &mut self.nodes {
            lead(&mut node.name, &node.source);
        }
        for event in &mut self.events {
            event.node.iter_mut().for_each(|n| lead(n, &event.source));
            lead(&mut event.namespace, &event.source);
            event.uid.iter_mut().for_each(|u| lead(u, &event.source));
        }
        for pod in &mut self.pods {
            pod.node.iter_mut().for_each(|n| lead(n, &pod.source));
            lead(&mut pod.namespace, &pod.source);
        }
        self.secrets.iter_mut().for_each(|s| lead(&mut s.namespace, &s.source));
        self.accounts.iter_mut().for_each(|a| lead(&mut a.namespace, &a.source));
    }
}

/// Whose a file is that lies in a cluster's folder: nobody's of another cluster.
pub(super) fn within(cluster: &Cluster, path: &str, owner: Owner) -> Owner {
    match owner {
        Owner::Node { name, guessed } => Owner::Node { name: cluster.lead(&name), guessed },
        // The machine has no name that anything else knows; its folder tells it from others.
        Owner::Unknown => match place::root(path).trim_end_matches(['/', '!']).rsplit(['/', '!']).next() {
            Some(folder) if place::root(path).len() > cluster.folder.len() => Owner::Node { name: cluster.lead(folder), guessed: true },
            _ => Owner::Node { name: cluster.lead("a node that nothing names"), guessed: true },
        },
        owner => owner,
    }
}

/// The folders that stand around all files that lie in any.
fn shared(files: &[String]) -> String {
    let mut deep = files.iter().filter(|f| f.contains(['/', '!']));
    let Some(first) = deep.next() else { return String::new() };
    let folder = first.rfind(['/', '!']).map_or("", |at| first.get(..=at).unwrap_or(""));
    let mut shared = folder;
    for file in deep {
        let same = shared.bytes().zip(file.bytes()).take_while(|(a, b)| a == b).count();
        let end = shared.as_bytes().get(..same).and_then(|s| s.iter().rposition(|b| matches!(b, b'/' | b'!'))).map_or(0, |at| at + 1);
        shared = shared.get(..end).unwrap_or("");
    }
    shared.to_owned()
}

/// The cluster after which a folder is named: `clusterA`, `cluster-b`, `prod-aks`.
fn cluster_named(folder: &str) -> Option<String> {
    if OF_ONE_CLUSTER.contains(&folder) {
        return None;
    }
    let words = || folder.split(|c: char| !c.is_ascii_alphanumeric()).filter(|w| !w.is_empty());
    let telling: Vec<&str> = words().filter(|w| TELLING.contains(w)).collect();
    if !telling.is_empty() {
        return Some(telling.join("-"));
    }
    let rest: Vec<String> = words().filter(|w| !HELD.contains(w)).map(|w| w.replace("clusters", "").replace("cluster", "")).filter(|w| !w.is_empty()).collect();
    (folder.contains("cluster") && !rest.is_empty()).then(|| rest.join("-"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_clusters_are_told_from_names_of_parts() {
        for (name, cluster) in
            [("clustera", "a"), ("cluster-b", "b"), ("prod-aks", "prod"), ("prod-events", "prod"), ("east", "east"), ("cluster-b-nodes", "b")]
        {
            assert_eq!(cluster_named(name).as_deref(), Some(cluster), "{name}");
        }
        for name in ["nodes", "kubectl", "cluster", "cluster-info", "cluster-resources", "cluster-nodes", "events", "worker-1", "products"] {
            assert_eq!(cluster_named(name), None, "{name}");
        }
    }

    #[test]
    fn what_lies_around_everything_is_found() {
        let files = |paths: &[&str]| paths.iter().map(|p| (*p).to_owned()).collect::<Vec<_>>();
        assert_eq!(shared(&files(&["x/a/1", "x/b/2", "README"])), "x/");
        assert_eq!(shared(&files(&["o.zip!a/1", "o.zip!b/2"])), "o.zip!");
        assert_eq!(shared(&files(&["a/1", "b/2"])), "");
    }

    #[test]
    fn archives_are_named_without_their_ending() {
        assert_eq!(Cluster::of("x/east.tar.gz!").name, "east");
        assert_eq!(Cluster::of("x/clusterA/").lead("node-1"), "clusterA:node-1");
    }
}
