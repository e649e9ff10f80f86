//! Texts that speak of other connections, of other people's errors, or of a tool's own are no pull that fails.

use crate::support::{Scratch, underpod};

#[test]
fn other_programs_words_are_no_pulls() {
    for (name, file, text) in [
        ("app", "app.log", "2026-11-30 08:00:00 ERROR cannot reach the database: dial tcp 10.0.5.4:5432: connect: connection refused\n"),
        (
            "app-json",
            "app.json",
            "{\"level\":\"error\",\"ts\":\"2026-11-30T08:00:00Z\",\"msg\":\"query failed\",\"error\":\"dial tcp 10.0.5.4:5432: i/o timeout\"}\n",
        ),
        (
            "etcd",
            "etcd.log",
            "{\"level\":\"warn\",\"ts\":\"2026-11-30T08:00:00Z\",\"msg\":\"retrying of unary invoker failed\",\"error\":\"rpc error: code = Unavailable desc = connection error: desc = \\\"transport: Error while dialing dial tcp 127.0.0.1:2379: connect: connection refused\\\"\"}\n",
        ),
        (
            "readme",
            "README.md",
            "# Pulls\nIf you see `Failed to pull image \"r.example/a:1\": x509: certificate signed by unknown authority`, install the CA.\n",
        ),
        (
            "runbook",
            "runbook.md",
            "If you see this, renew the secret:\n\n  Warning  Failed  5m  kubelet  Failed to pull image \"r.example/a:1\": unauthorized: authentication required\n",
        ),
        ("kubectl", "events.txt", "Unable to connect to the server: dial tcp 10.0.0.1:443: i/o timeout\n"),
        ("helm", "helm.txt", "Error: INSTALLATION FAILED: failed to fetch https://charts.example/index.yaml: dial tcp: lookup charts.example: no such host\n"),
        (
            "registry-log",
            "registry.log",
            "time=\"2026-11-30T08:00:00Z\" level=error msg=\"response completed with error\" err.code=\"manifest unknown\" http.request.host=registry.corp.example http.request.remoteaddr=10.0.0.4 http.request.uri=\"/v2/team/app/manifests/1\" http.response.status=404\n",
        ),
        ("push", "build.txt", "#12 ERROR: failed to push registry.corp.example/app:1: failed to authorize: failed to fetch oauth token: 403 Forbidden\n"),
        ("chart", "chart.txt", "chart pull error: failed to download chart for remote reference: unexpected status: 401 Unauthorized\n"),
        ("git", "clone.txt", "unable to clone: Get \"https://git.example/o/r/info/refs?service=git-upload-pack\": dial tcp 140.82.121.4:443: i/o timeout\n"),
        ("npm", "npm.txt", "npm ERR! request to https://registry.npmjs.example/x failed, reason: self signed certificate in certificate chain\n"),
        ("hook", "app.txt", "submit failed: Post \"https://app.example/webhook/x\": x509: certificate signed by unknown authority\n"),
        (
            "download",
            "up.txt",
            "downloading kubeadm: Get \"https://dl.example/release/v1.27.4/kubeadm.sha256\": dial tcp: lookup dl.example on 10.0.0.2:53: no such host\n",
        ),
        ("login", "login.txt", "$ docker login registry.corp.example\nError response from daemon: Get \"https://registry.corp.example/v2/\": denied: denied\n"),
        ("template", "values.txt", "{ hostname; ip route; }\nsome words\n"),
    ] {
        let scratch = Scratch::new(&format!("loose-{name}"));
        let path = scratch.write(file, text);
        let run = underpod(&["explain", "--format", "json", path.to_str().unwrap()]);
        assert!(run.code == 2 || run.json()["findings"].as_array().is_some_and(Vec::is_empty), "{name}: {} {}", run.code, run.out);
        assert!(!run.err.contains("damaged"), "{name}: {}", run.err);
    }
}

#[test]
fn clusters_side_by_side_are_not_joined() {
    let scratch = Scratch::new("clusters");
    let event = r#"{"kind":"EventList","items":[{"reason":"Failed","involvedObject":{"kind":"Pod","namespace":"shop","name":"a-1"},"source":{"component":"kubelet","host":"node-1"},"lastTimestamp":"2026-11-30T08:05:00Z","message":"Failed to pull image \"registry.corp.example/a:1\": failed to do request: Head \"https://registry.corp.example/v2/a/manifests/1\": dial tcp 10.40.8.10:443: i/o timeout"}]}"#;
    for (cluster, hour, address) in [("east", 1, "10.1.0.4"), ("west", 2, "10.2.0.4")] {
        let node = format!(
            r#"{{"metadata":{{"name":"node-1","creationTimestamp":"2026-11-01T0{hour}:00:00Z"}},"status":{{"addresses":[{{"address":"{address}"}}]}}}}"#
        );
        scratch.write(&format!("{cluster}/nodes.json"), format!(r#"{{"kind":"NodeList","items":[{node}]}}"#));
    }
    scratch.write("east/events.json", event);
    // The other cluster's node of the same name pins the registry.
    scratch.write("west/nodes/node-1/etc/hosts", "127.0.0.1 localhost\n10.40.8.10 registry.corp.example\n");
    scratch.write("west/nodes/node-1/dig.txt", "; <<>> DiG 9.18 <<>> registry.corp.example\n;; ->>HEADER<<- opcode: QUERY, status: NOERROR, id: 1\n;; ANSWER SECTION:\nregistry.corp.example. 60 IN A 10.50.0.4\n;; SERVER: 10.0.0.10#53(10.0.0.10)\n");
    let report = underpod(&["explain", "--format", "json", scratch.path().to_str().unwrap()]).json();
    assert!(report["findings"][0]["cause"].is_null(), "{report:#}");
    assert_eq!(report["findings"][0]["pulls"][0]["node"], "east:node-1", "{report:#}");
}

#[test]
fn what_was_sent_and_cannot_be_read_is_told() {
    let scratch = Scratch::new("sent");
    scratch.write("events.json", r#"{"kind":"EventList","items":[{"reason":"Failed","involvedObject":{"kind":"Pod","namespace":"shop","name":"a-1"},"source":{"component":"kubelet","host":"node-1"},"lastTimestamp":"2026-11-30T08:05:00Z","message":"Failed to pull image \"registry.corp.example/a:1\": failed to do request: Head \"https://registry.corp.example/v2/a/manifests/1\": dial tcp 10.40.8.10:443: i/o timeout"}]}"#);
    scratch.write("hosts", "");
    let report = underpod(&["explain", "--format", "json", scratch.path().to_str().unwrap()]).json();
    assert!(report["findings"][0]["why"].as_str().unwrap().contains("was sent and cannot be read: hosts: empty"), "{report:#}");
}

#[test]
fn contents_fits_a_screen_and_names_what_nobody_read() {
    let scratch = Scratch::new("screen");
    let nodes: Vec<String> = (0..40).map(|n| format!(r#"{{"metadata":{{"name":"node-{n}"}}}}"#)).collect();
    scratch.write("nodes.json", format!(r#"{{"kind":"NodeList","items":[{}]}}"#, nodes.join(",")));
    (0..30).for_each(|n| drop(scratch.write(&format!("pics/{n}.png"), [0x89, b'P', b'N', b'G', 0, 0, 0, 0])));
    let run = underpod(&["contents", scratch.path().to_str().unwrap()]);
    assert!(run.out.lines().count() < 40 && run.out.contains("30 .png") && run.out.contains("and 36 more"), "{}", run.out);
}
