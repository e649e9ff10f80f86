//! What is concluded from the times of two clocks that disagree? The log is joined all the same, and the gap is told.

use crate::support::{Run, Scratch, underpod};

const ERROR: &str = r#"failed to resolve reference \"r.example/a:1\": failed to do request: Head \"https://r.example/v2/a/manifests/1\": dial tcp: lookup r.example on 10.0.0.10:53: no such host"#;

fn event(reason: &str, time: &str, message: &str) -> String {
    format!(
        r#"{{"reason":"{reason}","involvedObject":{{"kind":"Pod","namespace":"shop","name":"a-1"}},"source":{{"component":"kubelet","host":"node-1"}},"firstTimestamp":"2026-11-30T{time}Z","lastTimestamp":"2026-11-30T{time}Z","count":1,"message":"{message}"}}"#
    )
}

fn failed(time: &str) -> String {
    event("Failed", time, &format!(r#"Failed to pull image \"r.example/a:1\": failed to pull and unpack image \"r.example/a:1\": {ERROR}"#))
}

fn pulled(time: &str) -> String {
    event("Pulled", time, r#"Successfully pulled image \"r.example/a:1\" in 3s (3s including waiting)"#)
}

fn logged_failure(time: &str) -> String {
    format!(
        "time=\"2026-11-30T{time}Z\" level=error msg=\"PullImage \\\"r.example/a:1\\\" failed\" error=\"failed to pull and unpack image \\\"r.example/a:1\\\": {}\"\n",
        ERROR
    )
}

fn logged_success(time: &str) -> String {
    format!("time=\"2026-11-30T{time}Z\" level=info msg=\"PullImage \\\"r.example/a:1\\\" returns image reference \\\"sha256:0d15\\\"\"\n")
}

fn explain(name: &str, events: &[String], log: &str) -> Run {
    let scratch = Scratch::new(&format!("clocks-{name}"));
    scratch.write("events.json", format!(r#"{{"kind":"EventList","items":[{}]}}"#, events.join(",")));
    scratch.write("node-1/containerd.log", log);
    underpod(&["explain", "--format", "json", scratch.path().to_str().unwrap()])
}

fn told(run: &Run) -> bool {
    run.json()["bundle"]["gaps"].to_string().contains("the two clocks or their zones differ")
}

#[test]
fn a_log_of_another_zone_is_joined_and_told() {
    let run = explain("zone", &[failed("08:05:00")], &logged_failure("10:05:01"));
    let report = run.json();
    assert_eq!(report["findings"].as_array().unwrap().len(), 1, "{report:#}");
    assert_eq!(report["findings"][0]["stop"]["symptom"], "name-not-found");
    assert!(report["findings"][0].to_string().contains("node-1/containerd.log"), "{report:#}");
    assert!(told(&run), "{report:#}");
    // A clock that runs seven minutes behind, and a log that agrees.
    assert!(told(&explain("behind", &[failed("08:05:00")], &logged_failure("07:57:47"))));
    assert!(!told(&explain("agrees", &[failed("08:05:00")], &logged_failure("08:05:01"))));
}

#[test]
fn a_success_by_another_clock_recovers_nothing() {
    // By its own clock the log's success came before the failure; the events do not see it.
    let log = logged_success("09:59:00") + &logged_failure("10:05:01");
    assert_eq!(explain("before", &[failed("08:05:00")], &log).code, 1);
    // A log in which the failure is missing: its success is the event's, two hours off.
    let run = explain("success", &[pulled("07:59:00"), failed("08:05:00")], &logged_success("09:59:00"));
    assert!(run.code == 1 && told(&run), "{}", run.out);
    // The events show a success after the failure, and the log's clock does not say whether its failure came later.
    let run = explain("open", &[failed("08:05:00"), pulled("08:30:00")], &logged_failure("10:05:01"));
    assert!(run.code == 1 && told(&run), "{}", run.out);
}

#[test]
fn each_clock_may_show_that_a_pull_recovered() {
    let log = logged_failure("10:05:01") + &logged_success("10:30:00");
    let run = explain("both", &[failed("08:05:00"), pulled("08:30:00")], &log);
    assert_eq!(run.json()["recovered"].as_array().unwrap().len(), 1, "{}", run.out);
    // One clock: a later success in the log recovers, as ever.
    let log = logged_failure("08:05:01") + &logged_success("08:30:00");
    assert_eq!(explain("one", &[failed("08:05:00")], &log).json()["recovered"].as_array().unwrap().len(), 1);
    // An older log is no clock that runs wrong.
    let old = logged_failure("03:11:20") + &logged_failure("03:16:31");
    let run = explain("older", &[failed("08:05:00"), pulled("08:30:00")], &old);
    assert!(!told(&run) && run.json()["recovered"].as_array().unwrap().len() == 1, "{}", run.out);
}
