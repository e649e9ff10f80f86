//! Texts that fool other tools: each must be read for what it proves, no more.

use serde_json::{Value, json};

use crate::support::{Scratch, explain};

fn event(reason: &str, message: &str, at: &str) -> Value {
    json!({"reason": reason, "message": message, "type": "Warning", "involvedObject": {"kind": "Pod", "namespace": "shop", "name": "app-1"},
           "source": {"component": "kubelet", "host": "node-1"}, "firstTimestamp": at, "lastTimestamp": at, "count": 1})
}

fn report(name: &str, events: &[Value], more: &[(&str, &str)]) -> Value {
    let scratch = Scratch::new(name);
    scratch.write("events.json", json!({"kind": "EventList", "items": events}).to_string());
    for (path, text) in more {
        scratch.write(path, text);
    }
    explain(scratch.path()).json()
}

const PULL: &str = "Failed to pull image \"registry.corp.example/app:1\": ";
const UNPACK: &str = "failed to pull and unpack image \"registry.corp.example/app:1\": ";

fn stop(report: &Value) -> (String, String, String) {
    let stop = &report["findings"][0]["stop"];
    let word = |key: &str| stop[key].as_str().unwrap_or("none").to_owned();
    (word("stage"), word("endpoint"), word("symptom"))
}

fn is(report: &Value, stage: &str, endpoint: &str, symptom: &str) {
    assert_eq!(stop(report), (stage.into(), endpoint.into(), symptom.into()), "{report:#}");
}

#[test]
fn an_anonymous_retry_behind_a_blob_failure_is_noise() {
    let text = format!(
        "{PULL}[rpc error: code = Unknown desc = {UNPACK}failed to copy: httpReadSeeker: failed open: failed to do request: Get \"https://blobs.example/data?sig=x\": EOF, \
         rpc error: code = Unknown desc = {UNPACK}failed to resolve reference \"registry.corp.example/app:1\": failed to authorize: failed to fetch anonymous token: \
         unexpected status from GET request to https://registry.corp.example/oauth2/token?scope=repository%3Aapp%3Apull&service=registry.corp.example: 401 Unauthorized]"
    );
    let report = report("retry", &[event("Failed", &text, "2026-11-30T08:00:00Z")], &[]);
    is(&report, "tls", "blob", "closed-early");
    assert_eq!(report["findings"][0]["cause"], "connect/blob-host-cut-off");
    assert_eq!(report["findings"][0]["attempts"][1]["noise"], true);
    assert_eq!(report["findings"][0]["misleading"][0]["rule"], "misleading/anonymous-retry-unauthorized");
}

#[test]
fn failed_to_copy_a_manifest_is_no_blob_fault() {
    let url = "https://registry-1.docker.io/v2/team/app/manifests/sha256:aa11";
    let limited = report(
        "copy",
        &[event(
            "Failed",
            &format!(
                "{PULL}{UNPACK}failed to copy: httpReadSeeker: failed open: unexpected status from GET request to {url}: 429 Too Many Requests\ntoomanyrequests: limit"
            ),
            "2026-11-30T08:00:00Z",
        )],
        &[],
    );
    is(&limited, "manifest", "registry", "rate-limited");
    let broken = report(
        "copy2",
        &[event(
            "Failed",
            &format!(
                "{PULL}{UNPACK}failed to copy: httpReadSeeker: failed open: unexpected status code https://registry.corp.example/v2/app/manifests/sha256:aa11: 500 Internal Server Error"
            ),
            "2026-11-30T08:00:00Z",
        )],
        &[],
    );
    is(&broken, "manifest", "registry", "server-error");
}

#[test]
fn a_bare_reason_phrase_is_the_proxys() {
    let proxy = report(
        "phrase",
        &[event(
            "Failed",
            &format!("{PULL}failed to do request: Head \"https://registry.corp.example/v2/app/manifests/1\": Forbidden"),
            "2026-11-30T08:00:00Z",
        )],
        &[],
    );
    is(&proxy, "connect", "proxy", "proxy-denied");
    let registry = report(
        "phrase2",
        &[event(
            "Failed",
            &format!("{PULL}unexpected status from HEAD request to https://registry.corp.example/v2/app/manifests/1: 403 Forbidden"),
            "2026-11-30T08:00:00Z",
        )],
        &[],
    );
    is(&registry, "authorize", "registry", "forbidden");
}

#[test]
fn registry_unavailable_means_opposite_things() {
    let crio = report(
        "crio",
        &[event(
            "Failed",
            &format!(
                "{PULL}RegistryUnavailable: pinging container registry registry.corp.example: Get \"https://registry.corp.example/v2/\": dial tcp 10.1.2.3:443: connect: connection refused"
            ),
            "2026-11-30T08:00:00Z",
        )],
        &[],
    );
    is(&crio, "connect", "registry", "connection-refused");
    let dockerd = report(
        "dockerd",
        &[event("Failed", &format!("{PULL}RegistryUnavailable: received unexpected HTTP status: 502 Bad Gateway"), "2026-11-30T08:00:00Z")],
        &[],
    );
    is(&dockerd, "manifest", "registry", "server-error");
}

#[test]
fn not_found_on_containerd_2_with_mirrors_is_less_sure() {
    let text = format!("{PULL}{UNPACK}failed to resolve reference \"registry.corp.example/app:1\": registry.corp.example/app:1: not found");
    let nodes = |version: &str| {
        format!(
            r#"{{"kind":"NodeList","items":[{{"metadata":{{"name":"node-1"}},"status":{{"nodeInfo":{{"containerRuntimeVersion":"containerd://{version}"}}}}}}]}}"#
        )
    };
    let toml = (
        "nodes/node-1/etc/containerd/certs.d/registry.corp.example/hosts.toml",
        "server = \"https://registry.corp.example\"\n[host.\"https://mirror.corp.example\"]\n",
    );
    let events = [event("Failed", &text, "2026-11-30T08:00:00Z")];
    let second = report("second", &events, &[("nodes.json", &nodes("2.0.4")), toml]);
    assert_eq!(
        (second["findings"][0]["cause"].as_str(), second["findings"][0]["certainty"].as_str()),
        (Some("manifest/tag-not-found"), Some("likely")),
        "{second:#}"
    );
    let first = report("first", &events, &[("nodes.json", &nodes("1.7.24")), toml]);
    assert_eq!(first["findings"][0]["certainty"], "proven");
}

#[test]
fn the_rate_limiter_beside_the_real_error_is_no_cause() {
    let report = report(
        "qps",
        &[
            event(
                "Failed",
                &format!(
                    "{PULL}failed to do request: Head \"https://registry.corp.example/v2/app/manifests/1\": dial tcp: lookup registry.corp.example on 10.0.0.10:53: no such host"
                ),
                "2026-11-30T08:00:00Z",
            ),
            event("Failed", &format!("{PULL}pull QPS exceeded"), "2026-11-30T08:04:00Z"),
        ],
        &[],
    );
    is(&report, "resolve", "registry", "name-not-found");
    assert_eq!(report["findings"][0]["misleading"][0]["rule"], "misleading/pull-qps-beside-real-error");
}

#[test]
fn a_failure_followed_by_a_success_is_history() {
    let failed = event(
        "Failed",
        &format!("{PULL}unexpected status from HEAD request to https://registry.corp.example/v2/app/manifests/1: 503 Service Unavailable"),
        "2026-11-30T08:00:00Z",
    );
    let pulled =
        event("Pulled", "Successfully pulled image \"registry.corp.example/app:1\" in 3s (3s including waiting). Image size: 5 bytes.", "2026-11-30T08:01:00Z");
    let after = report("after", &[failed.clone(), pulled.clone()], &[]);
    assert_eq!((after["summary"]["failed"].as_u64(), after["summary"]["recovered"].as_u64()), (Some(0), Some(1)), "{after:#}");
    let mut earlier = pulled;
    earlier["lastTimestamp"] = json!("2026-11-30T07:59:00Z");
    let before = report("before", &[failed, earlier], &[]);
    assert_eq!(before["summary"]["failed"].as_u64(), Some(1));
}

#[test]
fn a_cancel_is_explained_by_the_runtimes_own_log() {
    let log = "time=\"2026-11-30T08:00:00Z\" level=error msg=\"cancel pulling image registry.corp.example/app:1 because of no progress in 5m0s\"\n";
    let report = report(
        "cancel",
        &[event("Failed", &format!("{PULL}rpc error: code = Canceled desc = {UNPACK}context canceled"), "2026-11-30T08:00:01Z")],
        &[("nodes/node-1/containerd.log", log)],
    );
    is(&report, "blob", "blob", "transfer-stalled");
}

#[test]
fn the_providers_failure_is_in_the_kubelets_log_alone() {
    let log = "E1130 08:00:00.000000    1234 plugin.go:419] Failed getting credential from external registry credential provider: error execing credential provider plugin acr-credential-provider for image registry.corp.example/app: exit status 1\n";
    let text = format!(
        "{PULL}{UNPACK}failed to resolve reference \"registry.corp.example/app:1\": failed to authorize: failed to fetch anonymous token: unexpected status from GET request to https://registry.corp.example/oauth2/token?scope=repository%3Aapp%3Apull&service=registry.corp.example: 401 Unauthorized"
    );
    let report = report("provider", &[event("Failed", &text, "2026-11-30T08:00:01Z")], &[("nodes/node-1/kubelet.log", log)]);
    assert_eq!(report["findings"][0]["cause"], "authenticate/credential-provider-failed", "{report:#}");
}

#[test]
fn words_of_another_runtime_are_told() {
    let nodes = r#"{"kind":"NodeList","items":[{"metadata":{"name":"node-1"},"status":{"nodeInfo":{"containerRuntimeVersion":"containerd://1.7.24"}}}]}"#;
    let report = report(
        "speaker",
        &[event(
            "Failed",
            &format!("{PULL}{UNPACK}failed to resolve image: failed to do request: Head \"https://registry.corp.example/v2/app/manifests/1\": EOF"),
            "2026-11-30T08:00:00Z",
        )],
        &[("nodes.json", nodes)],
    );
    assert_eq!(report["findings"][0]["misleading"][0]["rule"], "misleading/error-of-another-runtime", "{report:#}");
}

#[test]
fn what_the_far_end_says_of_itself_is_no_error_of_the_node() {
    let blob = "https://registry.corp.example/v2/app/blobs/sha256:0d15";
    let manifest = "https://registry.corp.example/v2/app/manifests/1";
    let cases = [
        (
            format!("{UNPACK}unexpected status code {blob}: 500 Internal Server Error - Server message: unknown: write /storage: no space left on device"),
            "blob",
        ),
        (
            format!("{UNPACK}unexpected status from GET request to {manifest}: 502 Bad Gateway\nunknown: dial tcp 10.0.0.9:5000: connect: connection refused"),
            "manifest",
        ),
        ("rpc error: code = Unknown desc = Error response from daemon: unknown: open /var/lib/registry/docker: input/output error".into(), "manifest"),
    ];
    for (text, stage) in cases {
        let found = report("far-end", &[event("Failed", &format!("{PULL}{text}"), "2026-11-30T08:00:00Z")], &[]);
        assert_eq!((stop(&found).0.as_str(), stop(&found).2.as_str()), (stage, "server-error"), "{text}");
    }
    let remote =
        "rpc error: code = Unknown desc = Error response from daemon: unknown: Failed to fetch from remote: x509: certificate signed by unknown authority";
    let report = report("far-remote", &[event("Failed", &format!("{PULL}{remote}"), "2026-11-30T08:00:00Z")], &[]);
    is(&report, "manifest", "registry", "upstream-failed");
}

#[test]
fn http_2_words_come_after_the_handshake() {
    let text = format!(
        "{PULL}{UNPACK}failed to copy: httpReadSeeker: failed open: failed to do request: Get \"https://store.example/layers/sha256/0d/0d15/data?sig=x\": \
         http2: server sent GOAWAY and closed the connection; LastStreamID=1, ErrCode=NO_ERROR, debug=\"\""
    );
    let report = report("goaway", &[event("Failed", &text, "2026-11-30T08:00:00Z")], &[]);
    is(&report, "blob", "blob", "connection-reset");
    assert_eq!(report["findings"][0]["cause"], "blob/transfer-cut-short");
}

#[test]
fn an_unknown_handshake_error_keeps_its_rung_and_no_cause() {
    let text = format!("{PULL}{UNPACK}failed to do request: Head \"https://registry.corp.example/v2/app/manifests/1\": tls: something that nobody has seen");
    let report = report("handshake", &[event("Failed", &text, "2026-11-30T08:00:00Z")], &[]);
    is(&report, "tls", "registry", "unrecognized");
    assert_eq!(report["findings"][0]["cause"], Value::Null);
}

#[test]
fn a_mirror_of_a_list_is_named() {
    let text = format!(
        "{PULL}initializing source docker://registry.corp.example/app:1: (Mirrors also failed: [mirror.example:5000/app:1: reading manifest 1 in \
         mirror.example:5000/app: manifest unknown]): registry.corp.example/app:1: pinging container registry registry.corp.example: \
         Get \"https://registry.corp.example/v2/\": dial tcp 10.0.0.9:443: i/o timeout"
    );
    let report = report("mirrors", &[event("Failed", &text, "2026-11-30T08:00:00Z")], &[]);
    is(&report, "manifest", "mirror", "tag-not-found");
    assert_eq!(report["findings"][0]["stop"]["host"], "mirror.example");
    assert_eq!(report["findings"][0]["attempts"][1]["symptom"], "dial-timeout");
}

#[test]
fn another_pods_credentials_recover_no_pull_that_asks_each_time() {
    let refused = format!(
        "{PULL}{UNPACK}failed to resolve reference \"registry.corp.example/app:1\": failed to authorize: failed to fetch oauth token: unexpected status from \
         GET request to https://registry.corp.example/token?scope=repository%3Aapp%3Apull&service=registry.corp.example: 401 Unauthorized"
    );
    let pulled = json!({"reason": "Pulled", "message": "Successfully pulled image \"registry.corp.example/app:1\" in 2.1s", "type": "Normal",
        "involvedObject": {"kind": "Pod", "namespace": "other", "name": "job-1"}, "source": {"component": "kubelet", "host": "node-1"},
        "firstTimestamp": "2026-11-30T08:10:00Z", "lastTimestamp": "2026-11-30T08:10:00Z", "count": 1});
    let pods = |policy: &str| {
        json!({"kind": "PodList", "items": [{"metadata": {"namespace": "shop", "name": "app-1"}, "spec": {"nodeName": "node-1",
            "containers": [{"name": "app", "image": "registry.corp.example/app:1", "imagePullPolicy": policy}]}}]})
        .to_string()
    };
    let events = [event("Failed", &refused, "2026-11-30T08:00:00Z"), pulled];
    let always = report("others-always", &events, &[("pods.json", &pods("Always"))]);
    assert_eq!((always["summary"]["failed"].as_u64(), always["summary"]["recovered"].as_u64()), (Some(1), Some(0)), "{always:#}");
    let cached = report("others-cached", &events, &[("pods.json", &pods("IfNotPresent"))]);
    assert_eq!((cached["summary"]["failed"].as_u64(), cached["summary"]["recovered"].as_u64()), (Some(0), Some(1)), "{cached:#}");
}

#[test]
fn what_speaks_of_something_else_is_no_pull() {
    let texts = [
        "Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox \"f0c744\": plugin type=\"calico\" failed (add): \
         error getting ClusterInformation: Get \"https://10.96.0.1:443/apis/crd/default\": x509: certificate signed by unknown authority",
        "Error: failed to create containerd task: failed to create shim task: OCI runtime create failed: exec: \"/app\": permission denied: unknown",
        "error: build error: Failed to push image: unauthorized: authentication required",
        "The push refers to repository [docker.io/library/app]\ndenied: requested access to the resource is denied",
        "Error: INSTALLATION FAILED: Get \"https://charts.example/index.yaml\": dial tcp: lookup charts.example on 10.0.0.10:53: no such host",
        "fatal: unable to access 'https://git.example/a/b.git/': Could not resolve host: git.example",
    ];
    for text in texts {
        let reading = underpod::message::read(text);
        assert!(reading.attempts.is_empty(), "{text}: {reading:#?}");
    }
}

#[test]
fn a_client_that_missed_its_daemon_asked_no_registry() {
    for text in [
        "error during connect: Post http://docker:2375/v1.40/images/create?fromImage=app: dial tcp: lookup docker on 192.168.1.1:53: no such host.",
        "error during connect: Post http://%2F%2F.%2Fpipe%2Fdocker_engine/v1.40/images/create: open //./pipe/docker_engine: The system cannot find the file specified.",
        "rpc error: code = Unavailable desc = error reading from server: EOF",
    ] {
        let attempt = &underpod::message::read(text).attempts[0];
        assert_eq!((attempt.symptom.name(), attempt.endpoint), ("runtime-unavailable", None), "{text}");
    }
}

#[test]
fn windows_speaks_many_languages() {
    for (text, symptom) in [
        ("connectex: Es konnte keine Verbindung hergestellt werden, da der Zielcomputer die Verbindung verweigerte.", "connection-refused"),
        ("connectex: Une tentative de connexion a échoué car le parti connecté n’a pas répondu convenablement", "dial-timeout"),
        ("connectex: 由于目标计算机积极拒绝，无法连接。", "connection-refused"),
    ] {
        let said = underpod::message::read(&format!("Get \"https://registry.corp.example/v2/\": dial tcp 10.40.8.10:443: {text}"));
        assert_eq!(said.attempts[0].symptom.name(), symptom, "{text}");
    }
    let cut = underpod::message::read(
        "Get \"https://registry.corp.example/v2/\": read tcp 10.0.0.4:51234->10.40.8.10:443: wsarecv: 既存の接続はリモート ホストに強制的に切断されました。",
    );
    assert_eq!(cut.attempts[0].symptom.name(), "connection-reset");
}

#[test]
fn docker_names_what_it_was_asked_for() {
    for (text, host) in [
        (
            "Error response from daemon: pull access denied for registry.corp.example/ci/app, repository does not exist or may require 'docker login': denied",
            "registry.corp.example",
        ),
        ("Error response from daemon: manifest for registry.corp.example/ci/app:1 not found: manifest unknown", "registry.corp.example"),
        (
            "Error response from daemon: Head \"https://registry.corp.example/v2/ci/app/manifests/1\": unauthorized: authentication required",
            "registry.corp.example",
        ),
    ] {
        let reading = underpod::message::read(text);
        let reference = reading.attempts[0].reference.clone().unwrap_or_default();
        assert!(reference.starts_with(&format!("{host}/ci/app")), "{text}: {reference}");
    }
}
