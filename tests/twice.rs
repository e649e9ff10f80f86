//! Is a dump believed that another dump of the same object contradicts? Each dump of a cloud is told a second time, with every
//! flag and state turned round: the verdict may become less sure, and never another.

use serde_json::Value;

use crate::support::{self, Scratch};

/// The same object at another hour: every flag and state says the opposite.
fn turned(value: &Value, key: &str) -> Value {
    const KEYS: [&str; 8] =
        ["peeringState", "connectionStatus", "access", "publicNetworkAccess", "defaultAction", "nextHopType", "status", "virtualNetworkLinkState"];
    const WORDS: [(&str, &str); 8] = [
        ("Connected", "Disconnected"),
        ("Allow", "Deny"),
        ("Enabled", "Disabled"),
        ("None", "VirtualNetworkGateway"),
        ("VNetPeering", "None"),
        ("Approved", "Pending"),
        ("Completed", "InProgress"),
        ("NotConnected", "Connected"),
    ];
    match value {
        Value::Object(map) => map.iter().map(|(k, v)| (k.clone(), turned(v, k))).collect(),
        Value::Array(items) => items.iter().map(|v| turned(v, key)).collect(),
        Value::Bool(flag) => Value::Bool(!flag),
        Value::String(text) if KEYS.contains(&key) => {
            let other = WORDS.iter().find_map(|(one, other)| {
                if one == text {
                    Some(other)
                } else if other == text {
                    Some(one)
                } else {
                    None
                }
            });
            Value::String((*other.unwrap_or(&text.as_str())).to_owned())
        }
        other => other.clone(),
    }
}

fn causes(path: &std::path::Path) -> Vec<Option<String>> {
    let report = support::explain(path).json();
    let findings = report["findings"].as_array().cloned().unwrap_or_default();
    findings.iter().map(|f| f["cause"].as_str().map(str::to_owned)).collect()
}

fn copy(from: &std::path::Path, into: &Scratch, below: &str, dumps: &mut Vec<(String, Value)>) {
    for entry in std::fs::read_dir(from).expect("a folder").flatten() {
        let name = format!("{below}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            copy(&entry.path(), into, &format!("{name}/"), dumps);
            continue;
        }
        let content = std::fs::read(entry.path()).expect("a file");
        let text = String::from_utf8_lossy(&content);
        if let Ok(value) = serde_json::from_str::<Value>(&text)
            && (text.contains("/subscriptions/") || text.contains("nextHopType"))
        {
            dumps.push((name.clone(), value));
        }
        into.write(&name, content);
    }
}

#[test]
fn a_dump_that_another_contradicts_makes_no_other_cause() {
    // A refinement that falls away leaves the general cause.
    let general = ["resolve/private-registry-has-public-address", "connect/no-route-to-registry"];
    let mut turned_once = 0;
    for case in ["no-route", "transit-missing", "security-rule-denies", "return-path-missing", "zone-not-linked", "data-record-missing"] {
        let scratch = Scratch::new(case);
        let mut dumps = Vec::new();
        copy(&support::root().join("testdata").join(case).join("bundle"), &scratch, "", &mut dumps);
        let before = causes(scratch.path());
        for (name, value) in &dumps {
            let second = scratch.write(&format!("second/{name}"), turned(value, "").to_string());
            let after = causes(scratch.path());
            turned_once += 1;
            let fine = |cause: &Option<String>| cause.as_ref().is_none_or(|c| before.contains(&Some(c.clone())) || general.contains(&c.as_str()));
            assert!(after.iter().all(fine), "{case}: with a second {name}: {before:?} becomes {after:?}");
            std::fs::remove_file(second).expect("the second dump goes");
        }
    }
    assert!(turned_once > 6, "{turned_once} dumps were told twice");
}
