//! Whose is a file? By a node's name in its path, by the host name beside it, or because only one node is there.

use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;

use super::clusters::{self, Cluster};
use super::{Facts, Machine, Owner, place};

/// Knows every node's names and the folders that name one.
pub(super) struct Joiner {
    /// Node names and their other names, longest first, so that `node-10` is found before `node-1`.
    names: Vec<Name>,
    hostnames: Vec<(String, String)>,
    /// Files that a command in a pod wrote, whatever folder they lie in.
    pod_views: BTreeSet<String>,
    /// Folders whose logs all name one host.
    logged: BTreeMap<String, String>,
    /// Machines that a shell's prompt names, by file.
    prompts: BTreeMap<String, String>,
    /// What files say of the machine on which they were made, by path.
    spoken: BTreeMap<String, Vec<Machine>>,
    /// Whether each node's addresses are known, by family: version 4, version 6.
    addressed: [bool; 2],
    only: Option<String>,
    /// Clusters that lie side by side.
    clusters: Vec<Cluster>,
    /// Whether the cluster's nodes were collected, so that one is one.
    complete: bool,
}

/// A name by which artefacts may call a node.
struct Name {
    called: String,
    node: String,
    /// The folder of its cluster, where several clusters lie side by side.
    cluster: String,
    /// An address counts only as a whole part of a path.
    address: bool,
    /// A name without its domain counts only in paths.
    short: bool,
}

impl Joiner {
    /// `clusters` are the folders of several clusters; `path` tells where a log lies.
    pub(super) fn new(facts: &Facts, clusters: &[Cluster], path: &dyn Fn(crate::bundle::FileId) -> String) -> Joiner {
        let mut known: BTreeSet<String> = facts.nodes.iter().map(|n| n.name.clone()).collect();
        known.extend(facts.events.iter().filter_map(|e| e.node.clone()));
        known.extend(facts.pods.iter().filter_map(|p| p.node.clone()));
        let mut names = Vec::new();
        let cluster_of = |name: &'_ str| -> Option<(&Cluster, usize)> {
            let (front, _) = name.split_once(':')?;
            clusters.iter().find(|c| c.name == front).map(|c| (c, front.len() + 1))
        };
        let mut call = |called: &str, node: &str, short: bool| {
            let (cluster, called) = match cluster_of(called) {
                Some((cluster, front)) => (cluster.folder.clone(), called.get(front..).unwrap_or("")),
                None => (String::new(), called),
            };
            let address = called.parse::<IpAddr>().is_ok();
            names.push(Name { called: called.to_lowercase(), node: node.to_owned(), cluster, address, short });
        };
        let short = |name: &str| name.split('.').next().unwrap_or("").to_owned();
        for node in &known {
            call(node, node, false);
            instance(node).iter().for_each(|i| call(i, node, false));
            // The name without its domain, where no other node bears it.
            let whole = node.contains('.') && node.parse::<IpAddr>().is_err();
            if whole && known.iter().filter(|k| short(k) == short(node)).count() == 1 {
                call(&short(node), node, true);
            }
        }
        for node in &facts.nodes {
            let cluster = cluster_of(&node.name).map(|(c, _)| format!("{}:", c.name)).unwrap_or_default();
            node.aliases.iter().chain(&node.addresses).for_each(|a| call(&format!("{cluster}{a}"), &node.name, false));
        }
        names.sort_by(|a, b| b.called.len().cmp(&a.called.len()).then_with(|| (&a.called, &a.node).cmp(&(&b.called, &b.node))));
        names.dedup_by(|a, b| (&a.called, &a.node) == (&b.called, &b.node));
        let only = only_one(&known, facts);
        let mut spoken: BTreeMap<String, Vec<Machine>> = BTreeMap::new();
        for (file, machine) in &facts.spoken {
            spoken.entry(path(*file)).or_default().push(machine.clone());
        }
        let all = |v4: bool| {
            let of = |n: &super::Node| n.addresses.iter().filter_map(|a| a.parse::<IpAddr>().ok()).any(|a| a.is_ipv4() == v4);
            !facts.nodes.is_empty() && facts.nodes.iter().all(of) && known.len() == facts.nodes.len()
        };
        let addressed = [all(true), all(false)];
        let (hostnames, prompts) = (facts.hostnames.clone(), facts.prompts.iter().cloned().collect());
        let pod_views = facts.pod_views.iter().cloned().collect();
        Joiner {
            names,
            hostnames,
            pod_views,
            logged: logged(facts, path),
            prompts,
            spoken,
            addressed,
            only,
            clusters: clusters.to_vec(),
            complete: !facts.nodes.is_empty(),
        }
    }

    /// The node that a host name in a log line or file at `path` means. A short name means a node only where one alone bears it.
    pub(super) fn node(&self, host: &str, path: &str) -> Option<String> {
        let host = host.to_lowercase();
        let here: Vec<&Name> = self.names.iter().filter(|n| !n.short && path.starts_with(&n.cluster)).collect();
        if let Some(exact) = here.iter().find(|n| n.called == host) {
            return Some(exact.node.clone());
        }
        let short = |name: &str| name.split('.').next().unwrap_or("").to_owned();
        // Two whole names that differ behind the first dot are two machines.
        let alike = |n: &&&Name| !n.address && short(&n.called) == short(&host) && (!n.called.contains('.') || !host.contains('.'));
        let found: BTreeSet<&str> = here.iter().filter(|_| host.parse::<IpAddr>().is_err()).filter(alike).map(|n| n.node.as_str()).collect();
        found.first().filter(|_| found.len() == 1).map(|n| (*n).to_owned())
    }

    /// The owner of the file at `path`.
    pub(super) fn owner(&self, path: &str) -> Owner {
        let owner = self.alone(path);
        match self.cluster(path) {
            Some(cluster) => clusters::within(cluster, path, owner),
            None => owner,
        }
    }

    /// The cluster in whose folder a file lies, where several do.
    fn cluster(&self, path: &str) -> Option<&Cluster> {
        self.clusters.iter().find(|c| path.starts_with(&c.folder))
    }

    /// A host that no object names, as the node that it is.
    pub(super) fn machine(&self, host: &str, path: &str) -> String {
        self.cluster(path).map_or_else(|| host.to_owned(), |c| c.lead(host))
    }

    /// The owner as if there were one cluster.
    fn alone(&self, path: &str) -> Owner {
        let lower = path.to_lowercase();
        if place::is_operators(&lower) {
            return Owner::Operator;
        }
        if place::is_pods(&lower) || self.pod_views.contains(path) {
            return Owner::Pod;
        }
        let certain = |name: String| Owner::Node { name, guessed: false };
        if let Some(node) = self.in_path(path, &lower) {
            return node.map_or(Owner::Unknown, certain);
        }
        let beside = self.hostnames.iter().filter(|(folder, _)| path.starts_with(folder.as_str())).max_by_key(|(folder, _)| folder.len());
        if let Some((_, host)) = beside {
            return certain(self.node(host, path).unwrap_or_else(|| host.clone()));
        }
        if let Some(host) = self.prompts.get(path) {
            return match self.node(host, path) {
                Some(name) => certain(name),
                // All nodes are known, and it is none of them.
                None if self.complete => Owner::Operator,
                None => certain(host.clone()),
            };
        }
        if let Some(name) = place::machine(path) {
            return certain(self.node(name, path).unwrap_or_else(|| name.to_owned()));
        }
        // A machine of a set that no object names is still another machine.
        if let Some(name) = place::set_machine(&lower).filter(|_| !self.names.is_empty()) {
            return certain(name.to_owned());
        }
        if let Some(owner) = self.says(path) {
            return owner;
        }
        let root = place::root(path);
        if let Some(host) = self.logged.get(root) {
            let name = self.node(host, path).unwrap_or_else(|| host.clone());
            // In a flat folder, files of several machines may lie together.
            let guessed = root.is_empty() && self.names.iter().any(|n| n.node != name);
            return Owner::Node { name, guessed };
        }
        // What one cluster's objects name is no other's.
        let here = |node: &&String| self.clusters.is_empty() || self.cluster(path).is_some_and(|c| c.lead(node) == **node);
        match self.only.as_ref().filter(here) {
            // One node in all: there is nobody else whose file it could be. One that fails is a guess.
            Some(node) => Owner::Node { name: node.clone(), guessed: !self.complete || self.names.iter().any(|n| n.node != *node) },
            None => Owner::Unknown,
        }
    }

    /// Whose the file is by its own words: a route's source address, the name that a machine pins for itself.
    fn says(&self, path: &str) -> Option<Owner> {
        let said = self.spoken.get(path)?;
        let here = |n: &&Name| path.starts_with(&n.cluster);
        let nodes: BTreeSet<String> = said
            .iter()
            .filter_map(|machine| match machine {
                Machine::Named(host) => self.node(host, path),
                Machine::At(address) => self.names.iter().filter(here).find(|n| n.address && n.called.parse() == Ok(*address)).map(|n| n.node.clone()),
            })
            .collect();
        if let Some(name) = nodes.first().filter(|_| nodes.len() == 1) {
            return Some(Owner::Node { name: name.clone(), guessed: false });
        }
        // All nodes' addresses are known, and the machine has none of them: a pod's routes, or somebody's own machine's.
        let [v4, v6] = self.addressed;
        let foreign = |m: &Machine| matches!(m, Machine::At(a) if if a.is_ipv4() { v4 } else { v6 });
        (nodes.is_empty() && said.iter().any(foreign)).then_some(Owner::Operator)
    }

    /// The owner of a dump of the cloud's, which somebody takes from afar: that one node is known does not make it that node's.
    pub(super) fn owner_of_dump(&self, path: &str) -> Owner {
        match self.owner(path) {
            Owner::Node { name, guessed: false } if !self.is_told(path, &name) => Owner::Node { name, guessed: true },
            owner => owner,
        }
    }

    /// Whether the path or something beside the file names the node, and not only the lack of others.
    fn is_told(&self, path: &str, node: &str) -> bool {
        let lower = path.to_lowercase();
        let beside = self.hostnames.iter().any(|(folder, _)| path.starts_with(folder.as_str()));
        beside || self.in_path(path, &lower).is_some() || place::machine(path).is_some() || place::set_machine(&lower) == Some(node)
    }

    /// The node that the path names; nobody where it names two.
    fn in_path(&self, path: &str, lower: &str) -> Option<Option<String>> {
        let here = || self.names.iter().filter(|n| path.starts_with(&n.cluster));
        if let Some(whole) = here().find(|n| place::is_part(lower, &n.called)) {
            return Some(Some(whole.node.clone()));
        }
        let mut found: Vec<&Name> = Vec::new();
        for name in here().filter(|n| !n.address && place::names_it(lower, &n.called)) {
            if !found.iter().any(|f| f.called.contains(&name.called)) {
                found.push(name);
            }
        }
        let nodes: BTreeSet<&str> = found.iter().map(|n| n.node.as_str()).collect();
        nodes.first().map(|first| (nodes.len() == 1).then(|| (*first).to_owned()))
    }
}

/// Folders in which every log names the same host.
fn logged(facts: &Facts, path: &dyn Fn(crate::bundle::FileId) -> String) -> BTreeMap<String, String> {
    let mut roots: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for log in &facts.heard.logs {
        let path = path(log.file);
        if !place::is_shared(&path) {
            roots.entry(place::root(&path).to_owned()).or_default().extend(log.hosts.iter().map(String::as_str));
        }
    }
    let single = |(root, hosts): (String, BTreeSet<&str>)| (hosts.len() == 1).then(|| Some((root, (*hosts.first()?).to_owned())))?;
    roots.into_iter().filter_map(single).collect()
}

/// Machines of a scale set are named by a number in base 36; tools name them by the number: `SETvmss00001a` is `SETvmss_46`.
fn instance(node: &str) -> Option<String> {
    let (set, digits) = node.split_at_checked(node.len().checked_sub(6)?)?;
    let number = u32::from_str_radix(digits, 36).ok().filter(|_| set.ends_with("vmss"))?;
    Some(format!("{set}_{number}"))
}

/// The only node, or else the only one on which something fails.
fn only_one(known: &BTreeSet<String>, facts: &Facts) -> Option<String> {
    let single = |set: &BTreeSet<&String>| if set.len() == 1 { set.iter().next().map(|n| (*n).clone()) } else { None };
    let all: BTreeSet<&String> = known.iter().collect();
    single(&all).or_else(|| {
        let failing = facts.events.iter().filter(|e| e.reason == "Failed").filter_map(|e| e.node.as_ref());
        let waiting = facts.pods.iter().filter(|p| !p.waiting.is_empty()).filter_map(|p| p.node.as_ref());
        single(&failing.chain(waiting).collect())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::{Node, When};

    fn joiner(names: &[&str]) -> Joiner {
        let source = crate::bundle::Source::new(Default::default(), 1, "");
        let node = |name: &&str| Node {
            group: None,
            name: (*name).to_owned(),
            pool: None,
            created: When::default(),
            os: None,
            arch: None,
            runtime: None,
            kubelet: None,
            addresses: Vec::new(),
            aliases: Vec::new(),
            os_image: None,
            images: super::super::Known::NotCollected("image-list"),
            conditions: Vec::new(),
            source: source.clone(),
        };
        let facts = Facts { nodes: names.iter().map(node).collect(), ..Facts::default() };
        Joiner::new(&facts, &[], &|_| String::new())
    }

    #[test]
    fn short_names_mean_one_node_or_none() {
        let joiner = joiner(&["node-1.east.example", "node-1.west.example", "node-2.east.example", "10.0.0.4"]);
        assert_eq!(joiner.node("node-2", "x"), Some("node-2.east.example".into()));
        assert_eq!(joiner.node("node-1", "x"), None);
        assert_eq!(joiner.node("node-2.west.example", "x"), None);
        assert_eq!(joiner.node("10.9.9.9", "x"), None);
    }

    #[test]
    fn instances_of_scale_sets_have_two_names() {
        assert_eq!(instance("aks-np1-26021144-vmss00001a").as_deref(), Some("aks-np1-26021144-vmss_46"));
        assert_eq!(instance("worker-000001"), None);
    }

    #[test]
    fn a_path_that_names_two_nodes_is_nobodys() {
        let joiner = joiner(&["node-1", "node-2"]);
        assert_eq!(joiner.owner("from-node-1-to-node-2.txt"), Owner::Unknown);
        assert_eq!(joiner.owner("node-1/ping-node-2.txt"), Owner::Node { name: "node-1".into(), guessed: false });
    }
}
