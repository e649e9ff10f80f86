//! What does a path say of the machine that a file comes from? Names in it, folders that name one, where a node's tree begins.

/// Folders of a node's own tree; what lies around them is the node's.
const OF_A_NODE: [&str; 26] = [
    "etc",
    "var",
    "run",
    "proc",
    "sys",
    "usr",
    "opt",
    "sos_commands",
    "sos_strings",
    "collect",
    "networking",
    "kubelet",
    "containerd",
    "docker",
    "crio",
    "journald",
    "systeminfo",
    "systemlogs",
    "nodelogs",
    "k3s",
    "rke2",
    "logs",
    "log",
    "service-logs",
    "var_log",
    "journal",
];

/// The folder around a node's tree, with its slash, for a file inside: `bundle/node-1/` of `bundle/node-1/var/log/syslog`.
pub fn root(path: &str) -> &str {
    let folder = path.rfind(['/', '!']).map_or(0, |i| i + 1);
    let mut at = 0;
    for part in path.get(..folder).unwrap_or("").split_inclusive(['/', '!']) {
        if OF_A_NODE.contains(&part.trim_end_matches(['/', '!'])) {
            return path.get(..at).unwrap_or("");
        }
        at += part.len();
    }
    path.get(..folder).unwrap_or("")
}

/// Whether the folder is one of a node's own tree.
pub(super) fn is_of_a_node(folder: &str) -> bool {
    OF_A_NODE.contains(&folder)
}

/// Logs of many machines lie in one folder there.
pub(super) fn is_shared(path: &str) -> bool {
    path.contains("host_service_logs/") || path.contains("/v1/pod/")
}

/// The folder below `nodes/` names a machine, even one that nothing else in the bundle names: its files are no other node's.
pub(super) fn machine(path: &str) -> Option<&str> {
    const OF_ANY: [&str; 8] = ["root", "home", "network", "files", "all", "cluster", "events", "pods"];
    let mut parts = path.split(['/', '!']);
    parts.by_ref().find(|p| matches!(p.to_ascii_lowercase().as_str(), "nodes" | "node" | "per-node" | "by-node"))?;
    let name = parts.next()?;
    parts.next()?;
    let lower = name.to_ascii_lowercase();
    let plain = [".tar", ".tgz", ".zip"].iter().fold(name, |n, e| n.find(e).and_then(|at| n.get(..at)).unwrap_or(n));
    (plain.contains(|c: char| c.is_ascii_digit() || c == '-' || c == '.') && !OF_ANY.contains(&lower.as_str()) && !OF_A_NODE.contains(&lower.as_str()))
        .then_some(plain)
}

/// The machine of a set that a path names: `az/routes-aks-batch-10000003-vmss00000a.json`. The path is in lower case.
pub(super) fn set_machine(path: &str) -> Option<&str> {
    let sets = path.match_indices("-vmss").filter_map(|(at, mark)| {
        let part = path.get(..at)?;
        let start = part.rfind("aks-")?;
        let end = at + mark.len() + 6;
        let whole = part.get(start..)?.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
        let number = path.get(at + mark.len()..end)?.bytes().all(|b| b.is_ascii_alphanumeric());
        let ends = path.get(end..)?.chars().next().is_none_or(|c| !c.is_ascii_alphanumeric());
        (whole && number && ends).then(|| path.get(start..end))?
    });
    let mut found: Vec<&str> = sets.collect();
    found.dedup();
    // A path that names two is nobody's.
    found.first().copied().filter(|_| found.len() == 1)
}

/// Whether a part of the path is the name, or begins or ends with it (`node-1_logs.zip`, `routes-node-1.json`).
pub(super) fn names_it(path: &str, name: &str) -> bool {
    path.match_indices(name).any(|(at, _)| {
        let before = path.get(..at).and_then(|s| s.chars().next_back());
        let after = path.get(at + name.len()..).unwrap_or("");
        before.is_none_or(|c| !c.is_ascii_alphanumeric()) && !after.starts_with(|c: char| c.is_ascii_alphanumeric()) && !goes_on(after)
    })
}

/// `worker` is not `worker-2`; `worker-2026-11-30` is.
fn goes_on(after: &str) -> bool {
    let Some(rest) = after.strip_prefix(['-', '.']) else { return false };
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    digits > 0 && !(digits == 4 && rest.get(4..).is_some_and(|r| r.starts_with(['-', '_'])))
}

/// Whether one folder or file of the path is the name, whole or before its ending.
pub(super) fn is_part(path: &str, name: &str) -> bool {
    path.split(['/', '!']).any(|p| {
        p == name || p.strip_prefix(name).is_some_and(|rest| matches!(rest, ".json" | ".log" | ".txt" | ".zip" | ".tar" | ".tgz" | ".tar.gz" | ".tar.xz"))
    })
}

/// Folders and names under which people keep what they saw from their own machine.
pub fn is_operators(path: &str) -> bool {
    ["jumphost", "jump-host", "jumpbox", "bastion", "laptop", "workstation", "from-hub-vm", "cloudshell", "cloud-shell", "operator"]
        .iter()
        .any(|m| path.contains(m))
        || path.starts_with("registry/")
        || path.contains("/registry/images.json")
}

/// Places whose files a pod saw: another network namespace, another resolver, another trust store.
pub(super) fn is_pods(path: &str) -> bool {
    ["dns/kubernetes", "dns/debug", "networkoutbound/", "pod-network", "in-pod", "from-pod", "debug-pod", "pod-check", "openshift-dns/"]
        .iter()
        .any(|m| path.contains(m))
}

/// Logs of containers: an application's words about its own connections are no evidence of a pull.
pub fn is_pod_log(path: &str) -> bool {
    let lower = path.to_lowercase();
    lower.contains("pods/logs/")
        || lower.contains("all-logs/")
        || lower.ends_with("/logs.txt")
        || lower.contains("podlogs/")
        || (lower.contains("/pods/") && lower.contains("/logs/"))
        || lower.contains("podscontainerlogs/")
        || lower.contains("var/log/containers/")
        || lower.contains("var/log/pods/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_below_nodes_names_a_machine() {
        assert_eq!(machine("bundle/nodes/worker-2/etc/hosts"), Some("worker-2"));
        assert_eq!(machine("nodes/10.0.0.4/dig.txt"), Some("10.0.0.4"));
        assert_eq!(machine("nodes/worker-2.zip!etc/hosts"), Some("worker-2"));
        assert_eq!(machine("nodes/etc/hosts"), None);
        assert_eq!(machine("nodes/worker-2.json"), None);
        assert_eq!(machine("cluster/nodes.json"), None);
    }

    #[test]
    fn a_machine_of_a_set_is_named_by_set_and_number() {
        assert_eq!(set_machine("az/routes-aks-batch-10000003-vmss00000a.json"), Some("aks-batch-10000003-vmss00000a"));
        assert_eq!(set_machine("az/vmss-nic-np1.json"), None);
        assert_eq!(set_machine("az/aks-np1-1-vmss.json"), None);
        assert_eq!(set_machine("from-aks-a-1-vmss000000-to-aks-b-2-vmss000000.txt"), None);
    }

    #[test]
    fn a_name_counts_whole() {
        assert!(names_it("nodes/node-1/etc/hosts", "node-1"));
        assert!(names_it("az/routes-node-1.json", "node-1"));
        assert!(names_it("sosreport-worker-2026-11-30-abc/etc/hosts", "worker"));
        assert!(!names_it("nodes/node-10/etc/hosts", "node-1"));
        assert!(!names_it("nodes/mynode-1/etc/hosts", "node-1"));
        assert!(!names_it("nodes/worker-2/etc/hosts", "worker"));
    }

    #[test]
    fn a_nodes_tree_begins_before_its_folders() {
        assert_eq!(root("x/node-1/var/log/syslog"), "x/node-1/");
        assert_eq!(root("var/log/syslog"), "");
        assert_eq!(root("node-1/kubelet.log"), "node-1/");
        assert_eq!(root("a.zip!sos_commands/x"), "a.zip!");
    }
}
