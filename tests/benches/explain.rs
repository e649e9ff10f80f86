//! What does an answer cost beside what it cannot do without? CPU-bound ratios against decompression alone, in one run.
//!
//! `cargo bench` prints, for JSON lists, YAML lists and logs: the time of inflating, the time of the answer, and their ratio.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used)]

use std::fmt::Write as _;
use std::io::{Read as _, Write as _};
use std::time::{Duration, Instant};

const RUNS: u32 = 5;

fn event(n: usize) -> String {
    let failing = n.is_multiple_of(40);
    let (reason, message) = if failing {
        (
            "Failed",
            format!(
                "Failed to pull image \\\"registry.corp.example/shop/app-{}:1\\\": failed to do request: Head \\\"https://registry.corp.example/v2/shop/app/manifests/1\\\": dial tcp 10.40.8.10:443: i/o timeout",
                n % 80
            ),
        )
    } else {
        ("Started", format!("Started container app-{n}"))
    };
    format!(
        r#"{{"metadata":{{"name":"app-{n}.1","namespace":"shop","uid":"u{n}","managedFields":[{{"manager":"kubelet","operation":"Update","fieldsV1":{{"f:count":{{}},"f:message":{{}}}}}}]}},"reason":"{reason}","message":"{message}","involvedObject":{{"kind":"Pod","namespace":"shop","name":"app-{n}"}},"source":{{"component":"kubelet","host":"node-{}"}},"firstTimestamp":"2026-11-30T08:00:00Z","lastTimestamp":"2026-11-30T08:05:00Z","count":3}}"#,
        n % 50
    )
}

fn json_list(count: usize) -> String {
    let items: Vec<String> = (0..count).map(event).collect();
    format!("{{\"kind\":\"EventList\",\"apiVersion\":\"v1\",\"items\":[{}]}}", items.join(",\n"))
}

fn yaml_list(count: usize) -> String {
    let mut out = String::from("apiVersion: v1\nitems:\n");
    for n in 0..count {
        let value: serde_json::Value = serde_json::from_str(&event(n)).unwrap();
        let yaml = serde_yaml::to_string(&value).unwrap();
        for (i, line) in yaml.lines().enumerate() {
            writeln!(out, "{}{line}", if i == 0 { "- " } else { "  " }).unwrap();
        }
    }
    out + "kind: EventList\n"
}

fn log(count: usize) -> String {
    let mut out = String::new();
    for n in 0..count {
        writeln!(out, "Nov 30 08:{:02}:{:02} node-1 kubelet[7]: I1130 08:00:00.000000       7 reconciler.go:{n}] \"operationExecutor.VerifyControllerAttachedVolume started\" volume=\"v{n}\"", n / 60 % 60, n % 60).unwrap();
    }
    out
}

fn pack(name: &str, content: &str) -> Vec<u8> {
    let mut tar = tar::Builder::new(flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default()));
    let mut header = tar::Header::new_gnu();
    header.set_size(content.len() as u64);
    header.set_mode(0o644);
    tar.append_data(&mut header, name, content.as_bytes()).unwrap();
    tar.into_inner().unwrap().finish().unwrap()
}

/// The median of several runs.
fn median(mut run: impl FnMut()) -> Duration {
    let mut times: Vec<Duration> = (0..RUNS)
        .map(|_| {
            let start = Instant::now();
            run();
            start.elapsed()
        })
        .collect();
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

fn main() {
    let rules = underpod::rules::Rules::shipped().unwrap();
    for (what, name, content) in
        [("JSON list", "events.json", json_list(60_000)), ("YAML list", "events.yaml", yaml_list(20_000)), ("log", "kubelet.log", log(300_000))]
    {
        let packed = pack(name, &content);
        let path = std::env::temp_dir().join(format!("underpod-bench-{}-{name}.tar.gz", std::process::id()));
        std::fs::File::create(&path).unwrap().write_all(&packed).unwrap();
        let inflate = median(|| {
            let mut out = Vec::new();
            flate2::read::MultiGzDecoder::new(packed.as_slice()).read_to_end(&mut out).unwrap();
        });
        let explain = median(|| {
            underpod::explain(&[path.to_string_lossy().into_owned()], &rules, &underpod::Question::default()).unwrap();
        });
        std::fs::remove_file(&path).unwrap();
        println!(
            "{what:<10} {:>5} MB   inflate {:>7.1?}   explain {:>7.1?}   ratio {:.1}",
            content.len() >> 20,
            inflate,
            explain,
            explain.as_secs_f64() / inflate.as_secs_f64()
        );
    }
}
