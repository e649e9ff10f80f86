//! When may "no pull is failing" be said? Only where something was read, whole, that could show one.

use crate::support::{Scratch, underpod};

const HEALTHY: &str = r#"{"kind":"EventList","items":[{"reason":"Pulled","involvedObject":{"kind":"Pod","namespace":"shop","name":"a-1"},"source":{"component":"kubelet","host":"node-1"},"lastTimestamp":"2026-11-30T08:05:00Z","message":"Successfully pulled image \"r.example/a:1\" in 3s"}]}"#;
const FAILED: &str = r#"{"kind":"EventList","items":[{"reason":"Failed","involvedObject":{"kind":"Pod","namespace":"shop","name":"a-1"},"source":{"component":"kubelet","host":"node-1"},"lastTimestamp":"2026-11-30T08:05:00Z","message":"Failed to pull image \"r.example/a:1\": dial tcp 10.1.1.1:443: i/o timeout"}]}"#;

/// Exit code, standard output and standard error of `explain` over these files.
fn explain(name: &str, files: &[(&str, &str)], flags: &[&str]) -> (i32, String, String) {
    let scratch = Scratch::new(&format!("silence-{name}"));
    files.iter().for_each(|(path, text)| drop(scratch.write(path, text)));
    let run = underpod(&[&["explain", scratch.path().to_str().unwrap()], flags].concat());
    (run.code, run.out, run.err)
}

#[test]
fn a_witness_that_shows_none_lets_it_be_told() {
    let rows =
        "85s    Normal   Pulled    pod/a-1   Successfully pulled image \"r.example/a:1\" in 3s\n80s    Normal   Started   pod/a-1   Started container a\n";
    let spaced = "shop   a-1   1/1   Running   0   5d\nshop   b-1   2/2   Running   3 (2d ago)   41d\n";
    let log = "I1130 08:00:00.000000    1 kubelet.go:1] \"Starting kubelet\"\nI1130 08:05:00.000000    1 kubelet.go:2] \"SyncLoop ADD\" pods=[\"shop/a-1\"]\n";
    for (name, file, text) in [("list", "events.json", HEALTHY), ("rows", "events.txt", rows), ("pods", "pods.txt", spaced), ("log", "kubelet.log", log)] {
        let (code, out, err) = explain(name, &[(file, text)], &[]);
        assert!(code == 0 && out.contains("No pull is failing") && out.contains("looked at"), "{name}: {code} {out}{err}");
    }
}

#[test]
fn files_that_could_show_none_say_nothing() {
    let node = [("etc/resolv.conf", "nameserver 10.0.0.10\n"), ("etc/hosts", "127.0.0.1 localhost\n"), ("routes.txt", "default via 10.0.0.1 dev eth0\n")];
    for (name, files, says) in [
        ("node", &node[..], "node-resolv-conf"),
        ("empty-lists", &[("events.json", r#"{"kind":"EventList","items":[]}"#), ("pods.json", r#"{"kind":"PodList","items":null}"#)][..], "are empty"),
        ("no-log", &[("kubelet.log", ""), ("etc/hosts", "127.0.0.1 localhost\n")][..], "kubelet.log: empty"),
        ("refused", &[("events.json", "Error from server (Forbidden): events is forbidden\n"), ("etc/hosts", "127.0.0.1 localhost\n")][..], "Forbidden"),
        ("manifest", &[("pod.yaml", "apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\nspec:\n  containers:\n  - image: r.example/a:1\n")][..], "could show"),
    ] {
        for flags in [&[][..], &["--quiet"], &["--format", "json"]] {
            let (code, out, err) = explain(name, files, flags);
            assert!(code == 2 && out.is_empty() && err.contains(says), "{name} {flags:?}: {code} {out}{err}");
        }
    }
}

#[test]
fn what_was_lost_may_hide_one() {
    let cut = HEALTHY.get(..HEALTHY.len() - 40).unwrap();
    for flags in [&[][..], &["--quiet"]] {
        let (code, out, err) = explain("cut", &[("events.json", HEALTHY), ("more/events.json", cut)], flags);
        assert!(code == 2 && out.contains("more/events.json") && out.contains("may hold one") && err.contains("not read"), "{code} {out}{err}");
    }
    // A cut in what shows no pulls hides none.
    let (code, out, _) = explain("aside", &[("events.json", HEALTHY), ("crictl_info.json", "{\"status\": {\"conditions\": [{\"ty")], &[]);
    assert_eq!(code, 0, "{out}");
}

#[test]
fn limits_that_cut_are_told_to_everybody() {
    let (code, out, _) = explain("limit", &[("a/events.json", HEALTHY), ("b/events.json", FAILED)], &["--quiet", "--limit-files", "1"]);
    assert!(code == 2 && out.contains("--limit-files"), "{code} {out}");
    let (code, out, _) = explain("limit-beside", &[("a/events.json", FAILED), ("b/events.json", FAILED)], &["--quiet", "--limit-files", "1"]);
    assert!(code == 3 && out.contains("--limit-files"), "{code} {out}");
}

#[test]
fn a_filter_that_matches_nothing_is_no_health() {
    for flags in [["--node", "node-9"], ["--namespace", "none"], ["--image", "zebra"]] {
        let (code, out, err) = explain("filter", &[("events.json", FAILED)], &flags);
        assert!(
            code == 2 && out.is_empty() && err.contains("matches") && err.contains("1 pull is failing beside it: r.example/a:1 on node-1"),
            "{flags:?}: {code} {out}{err}"
        );
    }
    let (code, out, err) = explain(
        "filter-node",
        &[
            ("a.json", FAILED),
            (
                "pods.json",
                r#"{"kind":"PodList","items":[{"metadata":{"name":"b","namespace":"mail"},"spec":{"nodeName":"node-2"},"status":{"phase":"Running"}}]}"#,
            ),
        ],
        &["--node", "node-2"],
    );
    let told = ["No pull that matches --node node-2 is failing", "1 pull is failing beside what was asked for", "r.example/a:1 on node-1"];
    assert!(code == 0 && told.iter().all(|t| out.contains(t)), "{code} {out}{err}");
}

#[test]
fn a_pull_that_has_not_ended_is_told_and_a_fresh_one_is_not() {
    let event = |reason: &str, pod: &str, time: &str, message: &str| {
        format!(
            r#"{{"reason":"{reason}","involvedObject":{{"kind":"Pod","namespace":"shop","name":"{pod}"}},"source":{{"component":"kubelet","host":"node-1"}},"lastTimestamp":"2026-11-30T{time}Z","message":"{message}"}}"#
        )
    };
    let list = |events: &[String]| format!(r#"{{"kind":"EventList","items":[{}]}}"#, events.join(","));
    let announced = event("Pulling", "a-1", "08:05:00", r#"Pulling image \"r.example/a:1\""#);
    let later = event("Scheduled", "b-1", "08:55:00", "Successfully assigned shop/b-1 to node-1");
    let ended = event("Pulled", "a-1", "08:14:00", r#"Successfully pulled image \"r.example/a:1\" in 9m"#);
    let elsewhere = event("Pulled", "c-1", "08:20:00", r#"Successfully pulled image \"r.example/a:1\" in 9m"#);
    let running = r#"{"kind":"PodList","items":[{"metadata":{"name":"a-1","namespace":"shop"},"spec":{"nodeName":"node-1","containers":[{"name":"a","image":"r.example/a:1"}]},"status":{"phase":"Running","containerStatuses":[{"name":"a","imageID":"sha256:1","state":{"running":{}}}]}}]}"#;
    let gone = running.replace("a-1", "z-9");
    let whole = list(&[announced.clone(), later.clone()]);
    let (code, out, _) = explain("pending", &[("events.json", &whole)], &[]);
    assert!(code == 3 && out.contains("has not ended pulling r.example/a:1") && out.contains("kubelet-log of node node-1"), "{code} {out}");
    // The log of the node's runtime goes on and names no end.
    let log =
        "time=\"2026-11-30T08:00:00Z\" level=info msg=\"starting containerd\"\ntime=\"2026-11-30T08:50:00Z\" level=info msg=\"StopContainer for x returns\"\n";
    let alone = list(std::slice::from_ref(&announced));
    assert_eq!(explain("pending-log", &[("events.json", &alone), ("node-1/containerd.log", log)], &[]).0, 3);
    for (name, files) in [
        ("fresh", vec![("events.json", list(&[announced.clone(), event("Scheduled", "b-1", "08:06:00", "Successfully assigned shop/b-1 to node-1")]))]),
        ("last", vec![("events.json", alone.clone())]),
        ("ended", vec![("events.json", list(&[announced.clone(), ended, later.clone()]))]),
        ("elsewhere", vec![("events.json", list(&[announced.clone(), elsewhere, later.clone()]))]),
        ("running", vec![("events.json", whole.clone()), ("pods.json", running.to_owned())]),
        ("gone", vec![("events.json", whole.clone()), ("pods.json", gone)]),
    ] {
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
        let (code, out, err) = explain(&format!("pending-{name}"), &files, &[]);
        assert!(code == 0, "{name}: {code} {out}{err}");
    }
}

#[test]
fn an_empty_list_beside_a_log_of_a_start_is_no_health() {
    let log = "time=\"2026-11-30T08:00:00.1Z\" level=info msg=\"starting containerd\"\ntime=\"2026-11-30T08:00:00.2Z\" level=info msg=\"containerd successfully booted in 0.02s\"\n";
    let (code, out, err) = explain("started", &[("events.json", ""), ("node-1/containerd.log", log)], &[]);
    assert!(code == 2 && out.is_empty() && err.contains("events.json: empty"), "{code} {out}{err}");
    // The kubelet speaks of pods, and yet the list that would name them is empty.
    let kubelet =
        "I1130 08:00:00.000000    1 kubelet.go:1] \"Starting kubelet\"\nI1130 08:05:00.000000    1 kubelet.go:2] \"SyncLoop ADD\" pods=[\"shop/a-1\"]\n";
    let (code, out, _) = explain("refused-list", &[("events.json", ""), ("node-1/kubelet.log", kubelet)], &[]);
    assert!(code == 2 && out.contains("may hold one"), "{code} {out}");
}

/// A pull of which nobody knows the node may be on the one that was asked for.
#[test]
fn a_pull_without_a_node_stays_in_the_filter() {
    let nodeless = FAILED.replace(r#""source":{"component":"kubelet","host":"node-1"},"#, "").replace("a-1", "c-1").replace("/a:1", "/c:1");
    let (code, out, err) = explain("nodeless", &[("a.json", HEALTHY), ("b.json", &nodeless)], &["--node", "node-1"]);
    assert!(code == 3 && out.contains("r.example/c:1"), "{code} {out}{err}");
}

#[test]
fn contents_of_nothing_is_an_error() {
    let scratch = Scratch::new("silence-contents");
    scratch.write("x.bin", [0u8, 1, 2, 3, 0, 0, 255, 254]);
    let run = underpod(&["contents", scratch.path().to_str().unwrap()]);
    assert!(run.code == 2 && run.err.contains("nothing in it was recognised"), "{} {}{}", run.code, run.out, run.err);
}

#[test]
fn a_table_that_leaves_out_what_decides_is_named_with_what_to_ask_for() {
    let bundle = Scratch::new("bundle");
    bundle.write("events.json", r#"{"kind": "EventList", "items": []}"#);
    bundle.write("pods.json", r#"{"kind": "PodList", "items": []}"#);
    let table = "AllowForwardedTraffic    Name    PeeringState\n-----------------------  ------  --------------\nTrue                     to-hub  Connected\n";
    bundle.write("az/peerings.txt", table);
    let run = underpod(&["contents", bundle.path().to_str().unwrap()]);
    assert!(run.out.contains("az/peerings.txt") && run.out.contains("-o json shows"), "{}", run.out);
}
