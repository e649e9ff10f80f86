//! Is a file joined to the machine from which it comes, and to no other? Clusters side by side, and files that name their own.

use crate::support::{Scratch, underpod};

const FAILED: &str = r#"{"kind":"EventList","items":[{"reason":"Failed","metadata":{"uid":"e-1"},"involvedObject":{"kind":"Pod","namespace":"shop","name":"a-1"},"source":{"component":"kubelet","host":"node-1"},"lastTimestamp":"2026-11-30T08:05:00Z","message":"Failed to pull image \"registry.corp.example/a:1\": failed to do request: Head \"https://registry.corp.example/v2/a/manifests/1\": dial tcp 10.40.8.10:443: i/o timeout"}]}"#;
const ROUTES: &str = "default via 10.0.0.1 dev eth0\n10.0.0.0/16 dev eth0 scope link\n";
const PODS: &str = r#"{"kind":"PodList","items":[{"metadata":{"name":"z","namespace":"mail"},"spec":{"nodeName":"node-1"},"status":{"phase":"Running"}}]}"#;
const NODES: &str = r#"{"kind":"NodeList","items":[{"metadata":{"name":"node-1"},"status":{"addresses":[{"address":"10.240.0.4"}]}},{"metadata":{"name":"node-2"},"status":{"addresses":[{"address":"10.240.0.5"}]}}]}"#;

/// The failing node, and whether its routes and its hosts file still are asked for.
fn failing(name: &str, files: &[(&str, &str)]) -> (String, bool, bool) {
    let scratch = Scratch::new(&format!("apart-{name}"));
    files.iter().for_each(|(path, text)| drop(scratch.write(path, text)));
    let report = underpod(&["explain", "--format", "json", scratch.path().to_str().unwrap()]).json();
    let finding = &report["findings"][0];
    let asks = |artefact: &str| finding["missing"].as_array().into_iter().flatten().any(|m| m["artefact"] == artefact);
    (finding["pulls"][0]["node"].as_str().unwrap_or("").to_owned(), asks("node-routes"), asks("node-hosts-file"))
}

#[test]
fn clusters_lend_one_another_no_files() {
    let unnamed = FAILED.replace(r#""source":{"component":"kubelet","host":"node-1"},"#, "");
    for (name, node, files) in [
        ("named", "clusterA:node-1", &[("clusterA/events.json", FAILED), ("clusterB/node-1/routes.txt", ROUTES)][..]),
        ("stages", "prod-aks:node-1", &[("prod-aks/events.json", FAILED), ("staging-aks/nodes/node-1/routes.txt", ROUTES)]),
        ("flat", "clusterA:node-1", &[("clusterA/events.json", FAILED), ("clusterB/routes.txt", ROUTES)]),
        ("nobody", "", &[("clusterA/events.json", &unnamed), ("clusterB/routes.txt", ROUTES)]),
        (
            "whole",
            "one:node-1",
            &[
                ("one/events.json", FAILED),
                ("one/node-1/etc/resolv.conf", "nameserver 10.0.0.10\n"),
                ("two/pods.json", PODS),
                ("two/node-1/routes.txt", ROUTES),
            ],
        ),
        ("deeper", "clusterA:node-1", &[("in/clusterA/events.json", FAILED), ("in/clusterB/node-1/routes.txt", ROUTES), ("readme", "")]),
    ] {
        assert_eq!(failing(name, files), (node.to_owned(), true, true), "{name}");
    }
}

#[test]
fn the_parts_of_one_cluster_are_joined() {
    for (name, files) in [
        ("parts", &[("kubectl/events.json", FAILED), ("nodes/node-1/routes.txt", ROUTES)][..]),
        ("collector", &[("cluster-resources/events/shop.json", FAILED), ("cluster-info/node-1/routes.txt", ROUTES)]),
        ("one-name", &[("prod-events/events.json", FAILED), ("prod-nodes/node-1/routes.txt", ROUTES)]),
        ("same-event", &[("clusterA/events.json", FAILED), ("clusterB/events.json", FAILED), ("clusterB/node-1/routes.txt", ROUTES)]),
        ("per-node", &[("events/events.json", FAILED), ("node-1-logs/node-1/pods.json", PODS), ("node-1-logs/node-1/routes.txt", ROUTES)]),
    ] {
        assert_eq!(failing(name, files), ("node-1".to_owned(), false, true), "{name}");
    }
}

#[test]
fn two_archives_are_two_clusters_where_each_says_so() {
    let scratch = Scratch::new("apart-archives");
    let one = scratch.write("cluster-a/events.json", FAILED);
    let two = scratch.write("cluster-b/node-1/routes.txt", ROUTES);
    let folders: Vec<&str> = [one.parent(), two.parent().and_then(|p| p.parent())].into_iter().flatten().filter_map(|p| p.to_str()).collect();
    let report = underpod(&["explain", "--format", "json", folders[0], folders[1]]).json();
    assert_eq!(report["findings"][0]["pulls"][0]["node"], "cluster-a:node-1", "{report:#}");
}

#[test]
fn a_file_that_names_its_machine_is_that_machines() {
    let routes = |address: &str| {
        format!("default via 10.240.0.1 dev eth0 proto dhcp src {address} metric 100\n10.240.0.0/16 dev eth0 proto kernel scope link src {address}\n")
    };
    let hosts = |name: &str| format!("127.0.0.1 localhost\n127.0.1.1 {name}\n10.40.9.9 registry.corp.example\n");
    let json = |address: &str| format!(r#"[{{"dst":"default","gateway":"10.240.0.1","dev":"eth0","prefsrc":"{address}"}}]"#);
    for (name, file, text, joined) in [
        ("own-routes", "routes.txt", routes("10.240.0.4"), true),
        ("others-routes", "routes.txt", routes("10.240.0.5"), false),
        ("pods-routes", "routes.txt", routes("10.244.1.7"), false),
        ("own-json", "routes.json", json("10.240.0.4"), true),
        ("others-json", "routes.json", json("10.240.0.5"), false),
        ("prompt", "routes.txt", format!("root@node-2:~# ip route\n{}", routes("10.240.0.5")), false),
        ("own-hosts", "hosts", hosts("node-1"), true),
        ("others-hosts", "hosts", hosts("node-2.corp.example node-2"), false),
        // A template's name, which is no node's, says nothing.
        ("template", "hosts", hosts("ubuntu-template"), true),
    ] {
        let (node, routes, hosts) = failing(name, &[("events.json", FAILED), ("nodes.json", NODES), (file, &text)]);
        let asked = if file == "hosts" { hosts } else { routes };
        assert_eq!((node.as_str(), asked), ("node-1", !joined), "{name}");
    }
}

#[test]
fn a_log_that_names_its_node_tells_of_that_nodes_pulls() {
    let log = "I1130 08:00:00.000000    1 kubelet_node_status.go:1] \"Successfully registered node\" node=\"node-2\"\nE1130 08:05:00.000000    1 remote_image.go:180] \"PullImage from image service failed\" err=\"rpc error: code = Unknown desc = failed to pull and unpack image \\\"registry.corp.example/b:1\\\": failed to resolve reference \\\"registry.corp.example/b:1\\\": failed to do request: Head \\\"https://registry.corp.example/v2/b/manifests/1\\\": dial tcp 10.40.8.10:443: i/o timeout\" image=\"registry.corp.example/b:1\"\n";
    let scratch = Scratch::new("apart-log");
    scratch.write("events.json", FAILED);
    scratch.write("nodes.json", NODES);
    scratch.write("kubelet.log", log);
    let report = underpod(&["explain", "--format", "json", scratch.path().to_str().unwrap()]).json();
    let pulls = report["findings"][0]["pulls"].as_array().unwrap();
    let node = |image: &str| pulls.iter().find(|p| p["image"] == image).map(|p| p["node"].clone());
    assert_eq!(node("registry.corp.example/b:1"), Some("node-2".into()), "{report:#}");
}
