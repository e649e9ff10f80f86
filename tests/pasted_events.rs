//! The rows of a pod's events, pasted without its description: each is read as the event that it is.

use serde_json::Value;

use crate::support::{Scratch, underpod};

const HEAD: &str =
    "Events:\n  Type     Reason     Age                From               Message\n  ----     ------     ----               ----               -------\n";
const FAILED: &str = "  Normal   Pulling  94s (x4 over 3m9s)  kubelet  Pulling image \"registry.corp.example/app:1\"\n  Warning  Failed   94s (x4 over 3m9s)  kubelet  Failed to pull image \"registry.corp.example/app:1\": failed to do request: Head \"https://registry.corp.example/v2/app/manifests/1\": tls: failed to verify certificate: x509: certificate signed by unknown authority\n  Warning  Failed   94s (x4 over 3m9s)  kubelet  Error: ErrImagePull\n";
const PRESENT: &str = "  Normal   Pulled   3m  kubelet  Container image \"mesh.example/proxy:1\" already present on machine\n";

fn explained(name: &str, files: &[(&str, &str)]) -> (i32, Value) {
    let scratch = Scratch::new(&format!("rows-{name}"));
    files.iter().for_each(|(path, text)| drop(scratch.write(path, text)));
    let run = underpod(&["explain", "--format", "json", scratch.path().to_str().unwrap()]);
    let report = if run.out.starts_with('{') { run.json() } else { Value::Null };
    (run.code, report)
}

/// One finding, of the registry's certificate.
fn is_untrusted(name: &str, text: &str) {
    let (code, report) = explained(name, &[("paste.txt", text)]);
    assert_eq!(code, 1, "{name}: {report:#}");
    let findings = report["findings"].as_array().unwrap();
    assert_eq!(findings.len(), 1, "{name}: {report:#}");
    assert_eq!(findings[0]["stop"]["symptom"], "issuer-unknown", "{name}");
    assert_eq!(findings[0]["stop"]["host"], "registry.corp.example", "{name}");
}

#[test]
fn rows_of_another_reason_are_no_pull() {
    let mount = "  Warning  FailedMount  9m (x22 over 40m)  kubelet  MountVolume.MountDevice failed for volume \"pvc-1\" : rpc error: code = Unavailable desc = connection error: desc = \"transport: Error while dialing dial unix /var/lib/kubelet/plugins/store.example/csi.sock: connect: connection refused\"\n";
    let probe = "  Warning  Unhealthy  4m  kubelet  Readiness probe failed: Get \"https://10.244.46.210:8443/healthz\": dial tcp 10.244.46.210:8443: connect: connection refused\n";
    for (name, text) in [
        ("present", format!("{HEAD}{PRESENT}{FAILED}")),
        ("mount-before", format!("{HEAD}{mount}{FAILED}")),
        ("mount-behind", format!("{HEAD}{FAILED}{mount}")),
        ("probe", format!("{probe}{FAILED}")),
        ("bare", FAILED.to_owned()),
        ("tabs", FAILED.replace("  ", "\t").replace("\tW", "W")),
    ] {
        is_untrusted(name, &text);
    }
}

#[test]
fn marks_round_the_rows_come_off() {
    let text = format!("{HEAD}{PRESENT}{FAILED}");
    let width = text.lines().map(|l| l.chars().count()).max().unwrap_or(0) + 1;
    let each = |before: &str, behind: &str| text.lines().map(|l| format!("{before}{l}{behind}\n")).collect::<String>();
    for (name, text) in [
        ("quoted", each("> ", "")),
        ("fenced", format!("My pod does not start:\n\n```\n{text}```\n")),
        ("boxed", text.lines().map(|l| format!("│ {l:<width$} │\n")).collect()),
        ("indented", each("    ", "")),
        ("prompt", format!("$ kubectl describe pod app-1 | grep -A20 Events\n{text}")),
        ("page", format!("<p>Hello</p>\n<pre>{}</pre>\n", text.replace('"', "&#34;"))),
    ] {
        is_untrusted(name, &text);
    }
}

#[test]
fn a_terminals_edge_breaks_no_word() {
    let wrap = |line: &str| line.chars().collect::<Vec<_>>().chunks(80).map(|c| c.iter().collect::<String>() + "\n").collect::<String>();
    let text: String = format!("{HEAD}{FAILED}").lines().map(wrap).collect();
    is_untrusted("edge", &text);
    let described = format!("Name:         app-1\nNamespace:    shop\nNode:         node-1/10.0.0.4\n{text}");
    is_untrusted("edge-described", &described);
}

#[test]
fn a_later_success_recovers_the_pull() {
    let text = format!(
        "{HEAD}{}  Normal   Pulled   10s  kubelet  Successfully pulled image \"registry.corp.example/app:1\" in 2.1s\n",
        FAILED.replace("94s (x4 over 3m9s)", "5m")
    );
    let (code, report) = explained("recovered", &[("paste.txt", &text)]);
    assert_eq!((code, report["summary"]["recovered"].as_u64()), (0, Some(1)), "{report:#}");
}

#[test]
fn rows_count_beside_healthy_events() {
    let healthy = r#"{"kind":"EventList","items":[{"reason":"Pulled","involvedObject":{"kind":"Pod","namespace":"shop","name":"b-1"},"source":{"component":"kubelet","host":"node-1"},"lastTimestamp":"2026-11-30T08:05:00Z","message":"Successfully pulled image \"registry.corp.example/b:1\" in 1s"}]}"#;
    let hub = "Server requested\n2026-11-30T08:01:00Z [Normal] Successfully assigned hub/app-1 to node-2\n2026-11-30T08:02:00Z [Warning] Failed to pull image \"registry.corp.example/app:1\": dial tcp 10.40.8.10:443: i/o timeout\n";
    let csv = "TimeGenerated [UTC],Namespace,Name,ObjectKind,Reason,Message,SourceComponent,Computer\n\"11/30/2026, 8:04:04.000 AM\",shop,app-1,Pod,Failed,\"Failed to pull image \"\"registry.corp.example/app:1\"\": dial tcp 10.40.8.10:443: i/o timeout\",kubelet,node-2\n";
    let journal = "Nov 30 08:02:00 node-2 dockerd[12]: time=\"2026-11-30T08:02:00Z\" level=error msg=\"Not continuing with pull after error: unauthorized: authentication required\"\n";
    let hand = "node-2$ sudo crictl pull registry.corp.example/app:1\nFATA[0000] pulling image: rpc error: code = NotFound desc = manifest unknown\n";
    for (name, file, text) in [("hub", "hub.txt", hub), ("csv", "KubeEvents.csv", csv), ("journal", "docker.log", journal), ("hand", "try.txt", hand)] {
        let (code, report) = explained(name, &[("events.json", healthy), (file, text)]);
        assert!(code == 1 || code == 3, "{name}: {code} {report:#}");
    }
}

#[test]
fn another_images_back_off_stays_its_own() {
    let other = "  Normal   BackOff  5m  kubelet  Back-off pulling image \"mesh.example/proxy:1\"\n";
    let (_, report) = explained("back-off", &[("paste.txt", &format!("{HEAD}{other}{FAILED}"))]);
    let of = |image: &str| report["findings"].as_array().unwrap().iter().find(|f| f["pulls"][0]["image"] == image).cloned().unwrap_or_default();
    assert_eq!(of("registry.corp.example/app:1")["stop"]["symptom"], "issuer-unknown", "{report:#}");
    assert_eq!(of("mesh.example/proxy:1")["stop"]["symptom"], "back-off-only", "{report:#}");
}
