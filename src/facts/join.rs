//! Whose is a file? By a node's name in its path, by the host name beside it, or because only one node is there.

use std::collections::BTreeSet;

use super::{Facts, Owner};

/// Knows every node's names and the folders that name one.
pub(super) struct Joiner {
    /// Node names, longest first, so that `node-10` is found before `node-1`.
    names: Vec<(String, String)>,
    hostnames: Vec<(String, String)>,
    only: Option<String>,
    /// Whether the cluster's nodes were collected, so that one is one.
    complete: bool,
}

impl Joiner {
    pub(super) fn new(facts: &Facts) -> Joiner {
        let mut known: BTreeSet<String> = facts.nodes.iter().map(|n| n.name.clone()).collect();
        known.extend(facts.events.iter().filter_map(|e| e.node.clone()));
        known.extend(facts.pods.iter().filter_map(|p| p.node.clone()));
        let mut names: Vec<(String, String)> = known.iter().map(|n| (n.to_lowercase(), n.clone())).collect();
        for node in &facts.nodes {
            names.extend(node.aliases.iter().map(|a| (a.to_lowercase(), node.name.clone())));
        }
        names.sort_by(|a, b| b.0.len().cmp(&a.0.len()).then_with(|| a.cmp(b)));
        names.dedup();
        let only = only_one(&known, facts);
        Joiner { names, hostnames: facts.hostnames.clone(), only, complete: !facts.nodes.is_empty() }
    }

    /// The node that a host name in a log line or file means.
    pub(super) fn node(&self, host: &str) -> Option<String> {
        let host = host.to_lowercase();
        let short = host.split('.').next().unwrap_or(&host);
        let exact = self.names.iter().find(|(name, _)| *name == host);
        exact.or_else(|| self.names.iter().find(|(name, _)| name.split('.').next() == Some(short))).map(|(_, node)| node.clone())
    }

    /// The owner of the file at `path`.
    pub(super) fn owner(&self, path: &str) -> Owner {
        let lower = path.to_lowercase();
        if is_operators(&lower) {
            return Owner::Operator;
        }
        if is_pods(&lower) {
            return Owner::Pod;
        }
        if let Some((_, node)) = self.names.iter().find(|(name, _)| names_it(&lower, name)) {
            return Owner::Node { name: node.clone(), guessed: false };
        }
        let beside = self.hostnames.iter().filter(|(folder, _)| path.starts_with(folder.as_str())).max_by_key(|(folder, _)| folder.len());
        if let Some((_, host)) = beside {
            return Owner::Node { name: self.node(host).unwrap_or_else(|| host.clone()), guessed: false };
        }
        if let Some(name) = machine(path) {
            return Owner::Node { name: self.node(name).unwrap_or_else(|| name.to_owned()), guessed: false };
        }
        match &self.only {
            // One node in all: there is nobody else whose file it could be. One that fails is a guess.
            Some(node) => Owner::Node { name: node.clone(), guessed: !self.complete || self.names.iter().any(|(_, n)| n != node) },
            None => Owner::Unknown,
        }
    }
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

/// The folder below `nodes/` names a machine, even one that nothing else in the bundle names: its files are no other node's.
fn machine(path: &str) -> Option<&str> {
    const OF_ANY: [&str; 14] = ["etc", "var", "proc", "sys", "run", "usr", "opt", "root", "home", "log", "logs", "network", "files", "all"];
    let mut parts = path.split(['/', '!']);
    parts.by_ref().find(|p| matches!(p.to_ascii_lowercase().as_str(), "nodes" | "node" | "per-node" | "by-node"))?;
    let name = parts.next()?;
    // Behind the name there must be a file: the last part is a file's own name.
    parts.next()?;
    (name.contains(|c: char| c.is_ascii_digit() || c == '-' || c == '.') && !OF_ANY.contains(&name.to_ascii_lowercase().as_str())).then_some(name)
}

/// Whether a part of the path is the name, or begins or ends with it (`node-1_logs.zip`, `routes-node-1.json`).
fn names_it(path: &str, name: &str) -> bool {
    path.match_indices(name).any(|(at, _)| {
        let edge = |c: Option<char>| c.is_none_or(|c| !c.is_ascii_alphanumeric());
        let before = path.get(..at).and_then(|s| s.chars().next_back());
        let after = path.get(at + name.len()..).and_then(|s| s.chars().next());
        edge(before) && edge(after)
    })
}

/// Folders and names under which people keep what they saw from their own machine.
fn is_operators(path: &str) -> bool {
    ["jumphost", "jump-host", "jumpbox", "bastion", "laptop", "workstation", "from-hub-vm", "cloudshell", "cloud-shell", "operator"]
        .iter()
        .any(|m| path.contains(m))
}

/// Places whose files a pod saw: another network namespace, another resolver, another trust store.
fn is_pods(path: &str) -> bool {
    path.contains("dns/kubernetes")
        || path.contains("networkoutbound/")
        || path.contains("pod-network")
        || path.contains("in-pod")
        || path.contains("from-pod")
        || path.contains("debug-pod")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_below_nodes_names_a_machine() {
        assert_eq!(machine("bundle/nodes/worker-2/etc/hosts"), Some("worker-2"));
        assert_eq!(machine("nodes/10.0.0.4/dig.txt"), Some("10.0.0.4"));
        assert_eq!(machine("nodes/etc/hosts"), None);
        assert_eq!(machine("nodes/worker-2.json"), None);
        assert_eq!(machine("cluster/nodes.json"), None);
    }

    #[test]
    fn a_name_counts_whole() {
        assert!(names_it("nodes/node-1/etc/hosts", "node-1"));
        assert!(names_it("az/routes-node-1.json", "node-1"));
        assert!(!names_it("nodes/node-10/etc/hosts", "node-1"));
        assert!(!names_it("nodes/mynode-1/etc/hosts", "node-1"));
    }
}
