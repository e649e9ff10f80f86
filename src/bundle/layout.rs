//! Which collector left these files? By several marks of each, since single names are shared; bundles may be nested and mixed.

/// A layout and what its tree holds: parts of paths, each worth something.
struct Layout {
    name: &'static str,
    marks: &'static [(&'static str, u32)],
}

/// What a layout must reach.
const ENOUGH: u32 = 3;

const LAYOUTS: &[Layout] = &[
    Layout {
        name: "troubleshoot",
        marks: &[("cluster-resources/", 2), ("execution-data/summary.txt", 2), ("host-collectors/", 2), ("analysis.json", 1), ("version.yaml", 1)],
    },
    Layout { name: "must-gather", marks: &[("cluster-scoped-resources/", 1), ("host_service_logs/", 2), ("event-filter.html", 2)] },
    Layout {
        name: "oc-adm-inspect",
        marks: &[("inspect.local.", 2), ("cluster-scoped-resources/", 1), ("/core/events.yaml", 1), ("/core/pods.yaml", 1), ("/apps/deployments.yaml", 1)],
    },
    Layout { name: "crust-gather", marks: &[("/v1/pod/", 2), ("cluster/v1/", 2), ("apis.json", 1)] },
    Layout {
        name: "cluster-info-dump",
        marks: &[("replication-controllers.json", 2), ("replication-controllers.yaml", 2), ("/events.json", 1), ("/daemonsets.json", 1), ("/logs.txt", 1)],
    },
    Layout { name: "aks-node-logs", marks: &[("collect/crictl_", 2), ("collect/ip_4_", 2), ("var/log/azure", 1), ("var/lib/waagent", 1)] },
    Layout { name: "waagent-logs", marks: &[("var/log/waagent.log", 2), ("truncated_var_log", 2), ("results.txt", 1), ("var/lib/waagent", 1)] },
    Layout {
        name: "periscope",
        marks: &[("networkoutbound/", 2), ("dns/virtualmachine", 2), ("dns/kubernetes", 1), ("kubeobjects/", 1), ("podscontainerlogs/", 1)],
    },
    Layout { name: "sosreport", marks: &[("sos_commands/", 3), ("sos_logs/", 1), ("sos_reports/", 1), ("version.txt", 1)] },
    Layout { name: "eks-log-collector", marks: &[("ipamd/", 2), ("sandbox-image/", 2), ("networking/", 1), ("var_log/", 1), ("nodeadm/", 1)] },
    Layout { name: "rancher-log-collector", marks: &[("systeminfo/", 2), ("journald/", 2), ("collector-output.log", 2), ("networking/", 1)] },
    Layout { name: "harvester", marks: &[("yamls/namespaced/", 2), ("yamls/cluster/", 2), ("metadata.yaml", 1)] },
    Layout { name: "kind-export-logs", marks: &[("kind-version.txt", 2), ("kubernetes-version.txt", 1), ("containerd.log", 1), ("docker-info.txt", 1)] },
    Layout { name: "talos-support", marks: &[("controller-runtime.log", 2), ("dns-resolve-cache.log", 2), ("kubernetesResources/", 1), ("service-logs/", 1)] },
    Layout { name: "minikube-logs", marks: &[] },
    Layout { name: "eck-diagnostics", marks: &[("eck-diagnostics.log", 3), ("eck-diagnostic-errors.txt", 1), ("manifest.json", 1)] },
];

/// The layouts of a tree, in the order of the table; files that belong to none are hand-collected. `said` is what the files'
/// contents speak for.
pub(super) fn recognise(paths: &[String], said: &[(&'static str, u32)]) -> Vec<&'static str> {
    let reached = |layout: &Layout| -> u32 {
        let seen = |mark: &str| {
            paths.iter().any(|p| p.starts_with(mark) || p.contains(&format!("/{}", mark.trim_start_matches('/'))) || p.contains(&format!("!{mark}")))
        };
        layout.marks.iter().filter(|(mark, _)| seen(mark)).map(|(_, worth)| worth).sum()
    };
    let told = |layout: &Layout| -> u32 { said.iter().filter(|(name, _)| *name == layout.name).map(|(_, worth)| worth).sum() };
    let mut found: Vec<&str> = LAYOUTS.iter().filter(|l| reached(l) + told(l) >= ENOUGH).map(|l| l.name).collect();
    // A must-gather is made of what `oc adm inspect` leaves.
    if found.contains(&"must-gather") {
        found.retain(|l| *l != "oc-adm-inspect");
    }
    found
}

#[cfg(test)]
mod tests {
    use super::recognise;

    #[test]
    fn several_marks_make_a_layout() {
        let tree = |paths: &[&str]| recognise(&paths.iter().map(|p| (*p).to_owned()).collect::<Vec<_>>(), &[]);
        assert_eq!(tree(&["version.yaml", "cluster-resources/nodes.json"]), ["troubleshoot"]);
        assert_eq!(tree(&["cluster-scoped-resources/core/nodes/a.yaml", "namespaces/x/core/events.yaml", "namespaces/x/core/pods.yaml"]), ["oc-adm-inspect"]);
        assert_eq!(tree(&["cluster-scoped-resources/core/nodes/a.yaml", "host_service_logs/masters/crio_service.log"]), ["must-gather"]);
        assert_eq!(tree(&["node-1.tar.xz!sos_commands/networking/ip_route", "events.json"]), ["sosreport"]);
        assert!(tree(&["version.yaml", "events.json", "etc/hosts"]).is_empty());
    }
}
