//! Does the command line keep its contract: exit codes, streams, filters, limits, clear errors?

use crate::support::{Scratch, underpod};

const EVENT: &str = "Failed to pull image \"registry.corp.example/app:1\": failed to do request: Head \"https://registry.corp.example/v2/app/manifests/1\": ";

#[test]
fn exit_codes_say_how_it_went() {
    let scratch = Scratch::new("codes");
    let decided = scratch.write("decided.txt", format!("{EVENT}x509: certificate signed by unknown authority"));
    let open = scratch.write("open.txt", format!("{EVENT}dial tcp 10.40.8.10:443: i/o timeout"));
    let code = |arguments: &[&str]| underpod(arguments).code;
    assert_eq!(code(&["explain", "testdata/healthy/bundle"]), 0);
    assert_eq!(code(&["explain", decided.to_str().unwrap()]), 1);
    assert_eq!(code(&["explain", open.to_str().unwrap()]), 3);
    assert_eq!(code(&["explain", open.to_str().unwrap(), "--exit-zero"]), 0);
    assert_eq!(code(&["explain"]), 2);
    assert_eq!(code(&["explain", "no/such/bundle"]), 2);
    assert_eq!(code(&["--help"]), 0);
}

#[test]
fn what_is_no_bundle_gets_one_clear_error() {
    let scratch = Scratch::new("nothing");
    std::fs::create_dir_all(scratch.path().join("empty")).unwrap();
    let noise = scratch.write("noise.txt", "The quick brown fox jumps over the lazy dog.\n".repeat(40));
    let cut = scratch.write("cut.tar.gz", [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0x4b, 0x4c]);
    for (path, says) in [
        (scratch.path().join("empty"), "nothing in it was recognised"),
        (noise, "nothing in it was recognised"),
        (cut, "damaged"),
        (scratch.path().join("gone"), "there is no such file or folder"),
    ] {
        let run = underpod(&["explain", path.to_str().unwrap()]);
        assert_eq!(run.code, 2, "{path:?}: {}{}", run.out, run.err);
        assert!(run.err.contains(says) && run.out.is_empty(), "{path:?}: {}", run.err);
    }
}

#[test]
fn a_tar_stream_on_standard_input_is_a_bundle() {
    use std::io::Write as _;
    let mut tar = tar::Builder::new(Vec::new());
    let text = format!("{EVENT}x509: certificate signed by unknown authority");
    let mut header = tar::Header::new_gnu();
    header.set_size(text.len() as u64);
    header.set_mode(0o644);
    tar.append_data(&mut header, "error.txt", text.as_bytes()).unwrap();
    let bytes = tar.into_inner().unwrap();
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_underpod"))
        .args(["explain", "-", "--format", "json"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(&bytes).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stdout).contains("tls/issuer-not-trusted-by-node"));
}

#[test]
fn filters_leave_out_what_was_not_asked_for() {
    let scratch = Scratch::new("filters");
    let event = |pod: &str, node: &str, image: &str| {
        format!(
            r#"{{"reason":"Failed","involvedObject":{{"kind":"Pod","namespace":"{pod}","name":"{pod}-1"}},"source":{{"component":"kubelet","host":"{node}"}},"lastTimestamp":"2026-11-30T08:05:00Z","message":"Failed to pull image \"{image}\": failed to do request: Head \"https://r.example/v2/a/manifests/1\": dial tcp 10.1.1.1:443: i/o timeout"}}"#
        )
    };
    let list = format!(r#"{{"kind":"EventList","items":[{},{}]}}"#, event("shop", "node-1", "r.example/a:1"), event("mail", "node-2", "r.example/b:1"));
    scratch.write("events.json", list);
    let path = scratch.path().to_str().unwrap();
    let pulls = |more: &[&str]| underpod(&[&["explain", path, "--format", "json"], more].concat()).json()["summary"]["failed"].as_u64();
    assert_eq!(pulls(&[]), Some(2));
    assert_eq!(pulls(&["--image", "/a:"]), Some(1));
    assert_eq!(pulls(&["--node", "node-2"]), Some(1));
    assert_eq!(pulls(&["--namespace", "shop"]), Some(1));
}

#[test]
fn several_bundles_are_read_as_one() {
    let scratch = Scratch::new("several");
    let one = scratch.write("one/error.txt", format!("{EVENT}dial tcp 10.40.8.10:443: i/o timeout"));
    let two = scratch.write("two/pods.json", r#"{"kind":"PodList","items":[]}"#);
    let run = underpod(&["explain", one.parent().unwrap().to_str().unwrap(), two.parent().unwrap().to_str().unwrap(), "--format", "json"]);
    let report = run.json();
    assert_eq!((report["bundle"]["files"].as_u64(), report["summary"]["failed"].as_u64()), (Some(2), Some(1)), "{}", run.out);
    assert!(run.out.contains("\"one/error.txt\""), "{}", run.out);
}

#[test]
fn an_answer_can_go_to_a_file() {
    let scratch = Scratch::new("file");
    let out = scratch.path().join("report.json");
    let run = underpod(&["explain", "testdata/healthy/bundle", "--format", "json", "-o", out.to_str().unwrap()]);
    assert_eq!((run.code, run.out.as_str()), (0, ""));
    assert!(std::fs::read_to_string(out).unwrap().contains("underpod.report/1"));
}

#[test]
fn colours_only_where_they_are_wanted() {
    assert!(!underpod(&["explain", "testdata/healthy/bundle"]).out.contains('\u{1b}'));
    assert!(underpod(&["explain", "testdata/healthy/bundle", "--color", "always"]).out.contains('\u{1b}'));
}

#[test]
fn secrets_never_reach_an_output() {
    let scratch = Scratch::new("secrets");
    use std::fmt::Write as _;
    let mut events = String::new();
    let link = "https://blobs.example/data?se=2026-11-30&sig=TOPSECRETSIG&sp=r";
    write!(events, r#"{{"kind":"EventList","items":[{{"reason":"Failed","involvedObject":{{"kind":"Pod","namespace":"shop","name":"a"}},"source":{{"host":"node-1"}},"message":"Failed to pull image \"r.example/a:1\": failed to pull and unpack image \"r.example/a:1\": failed to copy: httpReadSeeker: failed open: failed to do request: Get \"{link}\": EOF"}}]}}"#).unwrap();
    scratch.write("events.json", events);
    // {"auths":{"r.example":{"auth":"dXNlcjpUT1BTRUNSRVRQVw=="}}}
    scratch.write("secrets.json", r#"{"kind":"SecretList","items":[{"metadata":{"name":"regcred","namespace":"shop"},"type":"kubernetes.io/dockerconfigjson","data":{".dockerconfigjson":"eyJhdXRocyI6eyJyLmV4YW1wbGUiOnsiYXV0aCI6ImRYTmxjanBVVDFCVFJVTlNSVlJRVnc9PSJ9fX0="}}]}"#);
    scratch.write(
        "nodes/node-1/etc/systemd/system/containerd.service.d/http-proxy.conf",
        "[Service]\nEnvironment=\"HTTPS_PROXY=http://me:TOPSECRETPW@proxy.example:3128\"\n",
    );
    for format in ["text", "json"] {
        let run = underpod(&["explain", scratch.path().to_str().unwrap(), "--format", format]);
        for secret in ["TOPSECRET", "dXNlcjp", "eyJhdXRo"] {
            assert!(!run.out.contains(secret) && !run.err.contains(secret), "{format}: {secret} in {}", run.out);
        }
    }
}

#[test]
fn contents_says_what_is_there_by_node_and_what_is_missing() {
    let run = underpod(&["contents", "testdata/ca-missing-on-one-node/bundle", "--format", "json"]);
    let report = run.json();
    assert_eq!((run.code, report["schema"].as_str()), (0, Some("underpod.contents/1")));
    let node = &report["nodes"][1];
    assert_eq!((node["node"].as_str(), node["has"][0]["artefact"].as_str()), (Some("worker-2"), Some("certificate-chain")), "{node:#}");
    assert!(report["missing"].as_array().unwrap().iter().any(|m| m["artefact"] == "pods" && m["run"] == "kubectl get pods -A -o json"));
    let text = underpod(&["contents", "testdata/ca-missing-on-one-node/bundle"]).out;
    assert!(text.contains("worker-1 (pool np1)\n            has    trust-store"), "{text}");
}

#[test]
fn a_transcript_of_several_commands_is_read_section_by_section() {
    let scratch = Scratch::new("transcript");
    scratch.write("events.json", r#"{"kind":"EventList","items":[{"reason":"Failed","involvedObject":{"kind":"Pod","namespace":"shop","name":"a"},"source":{"host":"node-1"},"lastTimestamp":"2026-11-30T08:00:00Z","message":"Failed to pull image \"r.corp.example/a:1\": failed to do request: Head \"https://r.corp.example/v2/a/manifests/1\": dial tcp 10.1.1.99:443: i/o timeout"}]}"#);
    scratch.write("from-the-node.txt", "$ hostname\nnode-1\n$ cat /etc/hosts\n127.0.0.1 localhost\n10.1.1.99 r.corp.example\n$ dig +noall +answer r.corp.example\nr.corp.example. 60 IN A 10.1.1.10\n");
    let report = underpod(&["explain", scratch.path().to_str().unwrap(), "--format", "json"]).json();
    assert_eq!(report["findings"][0]["cause"], "resolve/hosts-file-entry-outdated", "{report:#}");
    assert!(report.to_string().contains(r#""file":"from-the-node.txt","line":5"#), "{report:#}");
}

#[test]
fn run_command_results_hold_a_nodes_files() {
    let scratch = Scratch::new("run-command");
    scratch.write("events.json", r#"{"kind":"EventList","items":[{"reason":"Failed","involvedObject":{"kind":"Pod","namespace":"shop","name":"a"},"source":{"host":"aks-np1-1-vmss000000"},"lastTimestamp":"2026-11-30T08:00:00Z","message":"Failed to pull image \"r.azurecr.io/a:1\": failed to do request: Head \"https://r.azurecr.io/v2/a/manifests/1\": dial tcp 203.0.113.9:443: i/o timeout"}]}"#);
    scratch.write("run-command.json", r#"{"value":[{"code":"ProvisioningState/succeeded","message":"Enable succeeded: \n[stdout]\n--- hostname\naks-np1-1-vmss000000\n--- dig +noall +answer r.azurecr.io\nr.azurecr.io. 60 IN CNAME r.privatelink.azurecr.io.\nr.privatelink.azurecr.io. 60 IN A 203.0.113.9\n\n[stderr]\n"}]}"#);
    let report = underpod(&["explain", scratch.path().to_str().unwrap(), "--format", "json"]).json();
    assert_eq!(report["findings"][0]["cause"], "resolve/private-registry-has-public-address", "{report:#}");
}

#[test]
fn a_probe_that_finds_no_connection_is_no_pull() {
    let scratch = Scratch::new("probe");
    scratch.write("probe.txt", "Readiness probe failed: Get \"http://10.244.0.9:8080/\": dial tcp 10.244.0.9:8080: connect: connection refused\n");
    let said = underpod(&["explain", &format!("{}/probe.txt", scratch.path().display())]);
    assert_eq!(said.code, 2, "{}", said.out);
}

#[test]
fn the_files_of_another_machine_decide_nothing() {
    let scratch = Scratch::new("another-machine");
    scratch.write("events.json", r#"{"kind":"EventList","items":[{"reason":"Failed","involvedObject":{"kind":"Pod","namespace":"shop","name":"a-1"},"source":{"component":"kubelet","host":"node-1"},"lastTimestamp":"2026-11-30T08:05:00Z","message":"Failed to pull image \"registry.corp.example/a:1\": failed to do request: Head \"https://registry.corp.example/v2/a/manifests/1\": dial tcp 10.40.8.10:443: i/o timeout"}]}"#);
    scratch.write("nodes/node-2/hosts", "127.0.0.1 localhost\n10.40.8.10 registry.corp.example\n");
    scratch.write("nodes/node-2/dig.txt", "; <<>> DiG 9.18 <<>> registry.corp.example\n;; ->>HEADER<<- opcode: QUERY, status: NOERROR, id: 1\n;; ANSWER SECTION:\nregistry.corp.example. 60 IN A 10.50.0.4\n;; SERVER: 10.0.0.10#53(10.0.0.10)\n");
    let report = underpod(&["explain", scratch.path().to_str().unwrap(), "--format", "json"]).json();
    assert!(report["findings"][0]["cause"].is_null(), "{report:#}");
}

#[test]
fn a_sandbox_that_the_pod_network_fails_is_no_pull() {
    let scratch = Scratch::new("cni");
    scratch.write("events.json", r#"{"kind":"EventList","items":[{"reason":"FailedCreatePodSandBox","type":"Warning","involvedObject":{"kind":"Pod","namespace":"shop","name":"a-1"},"source":{"component":"kubelet","host":"node-1"},"lastTimestamp":"2026-11-30T08:05:00Z","message":"Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox \"1\": plugin type=\"aws-cni\" name=\"aws-cni\" failed (add): add cmd: Error received from AddNetwork gRPC call: rpc error: code = Unavailable desc = connection error: desc = \"transport: Error while dialing: dial tcp 127.0.0.1:50051: connect: connection refused\""}]}"#);
    let report = underpod(&["explain", scratch.path().to_str().unwrap(), "--format", "json"]).json();
    assert_eq!(report["findings"].as_array().map(Vec::len), Some(0), "{report:#}");
}

#[test]
fn where_no_node_is_named_another_pod_s_success_recovers_nothing() {
    let scratch = Scratch::new("another-pod");
    let event = |pod: &str, reason: &str, time: &str, message: &str| serde_json::json!({"reason": reason, "involvedObject": {"kind": "Pod", "namespace": "shop", "name": pod}, "lastTimestamp": time, "message": message});
    let failed = "Failed to pull image \"registry.corp.example/a:1\": failed to do request: Head \"https://registry.corp.example/v2/a/manifests/1\": dial tcp: lookup registry.corp.example on 10.0.0.10:53: no such host";
    let pulled = "Successfully pulled image \"registry.corp.example/a:1\" in 3s";
    for (pod, findings) in [("a-2", 1), ("a-1", 0)] {
        let list = serde_json::json!({"kind": "EventList", "items": [event("a-1", "Failed", "2026-11-30T08:05:00Z", failed), event(pod, "Pulled", "2026-11-30T08:06:00Z", pulled)]});
        scratch.write("events.json", list.to_string());
        let report = underpod(&["explain", scratch.path().to_str().unwrap(), "--format", "json"]).json();
        assert_eq!(report["findings"].as_array().map(Vec::len), Some(findings), "{pod}: {report:#}");
    }
}

#[test]
fn a_trace_tells_each_step_and_where_the_packet_ends() {
    let bundle = "testdata/transit-missing/bundle";
    let to = ["--node", "aks-web-10020030-vmss000001", "--to", "harbor.plant.example", "--to", "10.60.0.4:22"];
    let run = underpod(&[&["trace", bundle, "--format", "json"], to.as_slice()].concat());
    assert_eq!(run.code, 0, "{}", run.err);
    let traces: Vec<serde_json::Value> = run.out.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!(traces.len(), 2);
    let registry = &traces[0];
    assert_eq!(
        (&registry["schema"], &registry["outcome"], &registry["stopped_at"]),
        (&"underpod.trace/1".into(), &"dropped".into(), &"effective-route".into())
    );
    assert_eq!(registry["to"], serde_json::json!({"host": "harbor.plant.example", "address": "10.72.4.20", "port": 443}));
    let step = |name: &str| registry["steps"].as_array().unwrap().iter().find(|s| s["at"] == name).unwrap().clone();
    assert_eq!(step("resolver")["answers"], serde_json::json!(["10.72.4.20"]));
    assert_eq!(step("effective-route")["route"]["next_hop_type"], "None");
    assert_eq!(step("effective-route")["evidence"][0]["line"], 7);
    assert_eq!(step("peering")["outcome"], "failed");
    assert_eq!(step("remote-prefix")["outcome"], "not-reached");
    assert_eq!(step("node-route")["missing"], serde_json::json!(["node-routes"]));
    assert!(registry["missing"].as_array().unwrap().iter().any(|m| m["artefact"] == "node-routes" && !m["run"].as_str().unwrap().is_empty()));
    assert_eq!((&traces[1]["to"]["port"], &traces[1]["outcome"]), (&22.into(), &"unknown".into()));
    let told = underpod(&[&["trace", bundle], to.as_slice()].concat());
    assert!(told.out.contains("effective-route     FAILED"), "{}", told.out);
}

#[test]
fn a_trace_needs_a_node_that_is_there_and_an_address() {
    for (node, to, complaint) in [("nobody", "10.0.0.1", "knows no node"), ("aks-web-10020030-vmss000001", "host:port", "no port")] {
        let run = underpod(&["trace", "testdata/transit-missing/bundle", "--node", node, "--to", to]);
        assert_eq!(run.code, 2);
        assert!(run.err.contains(complaint), "{}", run.err);
    }
}

#[test]
fn a_trace_follows_a_request_to_the_proxy() {
    let bundle = Scratch::new("proxied");
    bundle.write("nodes.json", r#"{"kind": "NodeList", "items": [{"kind": "Node", "metadata": {"name": "node-1"}, "status": {"nodeInfo": {"containerRuntimeVersion": "containerd://1.7.0"}}}]}"#);
    bundle.write(
        "nodes/node-1/etc/systemd/system/containerd.service.d/http-proxy.conf",
        "[Service]\nEnvironment=\"HTTPS_PROXY=http://10.9.0.7:3128\"\nEnvironment=\"NO_PROXY=registry.corp.example\"\n",
    );
    let ask = |to: &str| underpod(&["trace", bundle.path().to_str().unwrap(), "--node", "node-1", "--to", to, "--format", "json"]).json();
    let at = |trace: &serde_json::Value, step: &str| trace["steps"].as_array().unwrap().iter().find(|s| s["at"] == step).cloned().unwrap_or_default();
    let carried = ask("data.corp.example");
    assert_eq!((carried["outcome"].as_str(), at(&carried, "proxy")["outcome"].as_str()), (Some("unknown"), Some("unknown")));
    assert!(carried["missing"].as_array().unwrap().iter().any(|m| m["artefact"] == "proxy-log"));
    let direct = ask("registry.corp.example");
    let dig = direct["missing"].as_array().unwrap().iter().find(|m| m["artefact"] == "dig-output").cloned().unwrap_or_default();
    assert!(dig["run"].as_str().unwrap().contains("registry.corp.example"), "{dig}");
}

#[test]
fn what_was_wrong_is_told_with_a_next_step() {
    let scratch = Scratch::new("next-step");
    scratch.write("one/b/events.json", "{\"kind\":\"EventList\",\"items\":[{\"reason\":\"Pulled\",\"involvedObject\":{\"kind\":\"Pod\",\"namespace\":\"shop\",\"name\":\"a\"},\"source\":{\"host\":\"node-1\"},\"message\":\"Successfully pulled image \\\"r.example/a:1\\\" in 3s\"}]}");
    std::fs::create_dir_all(scratch.path().join("nothing")).unwrap();
    let place = |name: &str| scratch.path().join(name).to_str().unwrap().to_owned();
    let (one, nothing) = (place("one/b"), place("nothing"));
    for (arguments, says) in [
        (&["rules", "show", "nope"][..], "underpod rules list"),
        (&["explain", &one, "--at", "yesterday"], "such as 2026-11-30T08:00:00Z"),
        (&["explain", &one, "--limit-file", "10k"], "such as 10485760"),
        (&["explain", &nothing], "name the folder or archive"),
        (&["compare", &nothing], "a bundle holds at least one of"),
        (&["compare", &one, "--nodes", "a,b"], "it names node-1"),
        (&["explain", "-"], "tar cf - FOLDER"),
    ] {
        let run = underpod(arguments);
        assert!(run.code == 2 && run.out.is_empty() && run.err.contains(says), "{arguments:?}: {} {}", run.code, run.err);
    }
}

#[test]
fn bundles_of_one_name_are_told_apart() {
    let scratch = Scratch::new("twins");
    for (place, node) in [("one/b/events.txt", "node-1"), ("two/b/events.txt", "node-2")] {
        scratch.write(place, format!("LAST SEEN   TYPE   REASON   OBJECT   SOURCE   MESSAGE\n5s   Warning   Failed   pod/a-1   kubelet, {node}   Failed to pull image \"r.example/a:1\": dial tcp: lookup r.example: no such host\n"));
    }
    let place = |name: &str| scratch.path().join(name).to_str().unwrap().to_owned();
    let run = underpod(&["explain", &place("one/b"), &place("two/b")]);
    assert!(run.out.contains("one-b/events.txt") || run.out.contains("two-b/events.txt"), "{}", run.out);
    assert!(run.out.contains("one-b + two-b"), "{}", run.out);
}
