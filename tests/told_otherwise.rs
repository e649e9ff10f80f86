//! Does the same object say the same in every dialect of the cloud's tools? Each dump of a case, told in each way, leaves the
//! verdict as it is.

use serde_json::{Map, Value, json};

use crate::support::{self, explain, root};

/// Cases whose dumps decide their findings.
const CASES: [&str; 3] = ["zone-not-linked", "data-record-missing", "role-on-control-plane"];

/// What lies in `properties` on the object itself, as the command line shows it.
fn flat(value: Value) -> Value {
    match value {
        Value::Object(entries) => {
            let mut out = Map::new();
            for (key, inner) in entries {
                match (key.as_str(), flat(inner)) {
                    ("properties", Value::Object(own)) => out.extend(own),
                    (_, inner) => {
                        out.insert(key, inner);
                    }
                }
            }
            Value::Object(out)
        }
        Value::Array(items) => Value::Array(items.into_iter().map(flat).collect()),
        other => other,
    }
}

/// Every key through `rename`, but for keys that are names themselves.
fn renamed(value: Value, rename: &dyn Fn(&str) -> String) -> Value {
    match value {
        Value::Object(entries) => {
            Value::Object(entries.into_iter().map(|(key, inner)| (if key.starts_with('/') { key } else { rename(&key) }, renamed(inner, rename))).collect())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(|i| renamed(i, rename)).collect()),
        other => other,
    }
}

/// The keys that the tools' older versions always wrote, with nothing in them.
fn padded(value: Value) -> Value {
    match value {
        Value::Object(entries) => {
            let mut out: Map<String, Value> = entries.into_iter().map(|(k, v)| (k, padded(v))).collect();
            if out.contains_key("id") {
                out.insert("additionalProperties".into(), json!({}));
                out.entry("tags").or_insert(Value::Null);
            }
            Value::Object(out)
        }
        Value::Array(items) => Value::Array(items.into_iter().map(padded).collect()),
        other => other,
    }
}

fn items(value: &Value) -> Vec<Value> {
    match value {
        Value::Array(items) => items.clone(),
        Value::Object(page) if page.len() == 1 && page.contains_key("value") => items(&page["value"]),
        other => vec![other.clone()],
    }
}

/// The block style in which the tools write YAML.
fn yaml(value: &Value, depth: usize, out: &mut String) {
    let pad = "  ".repeat(depth);
    let scalar = |v: &Value| match v {
        Value::String(s) if s.is_empty() || s.contains(['@', '\'', ':', '#', '"', '{']) => format!("'{}'", s.replace('\'', "''")),
        Value::String(s) => s.clone(),
        Value::Array(a) if a.is_empty() => "[]".into(),
        Value::Object(o) if o.is_empty() => "{}".into(),
        other => other.to_string(),
    };
    let nested = |v: &Value| matches!(v, Value::Array(a) if !a.is_empty()) || matches!(v, Value::Object(o) if !o.is_empty());
    match value {
        Value::Object(entries) => {
            for (key, inner) in entries {
                if nested(inner) {
                    out.push_str(&format!("{pad}{key}:\n"));
                    yaml(inner, depth + usize::from(inner.is_object()), out);
                } else {
                    out.push_str(&format!("{pad}{key}: {}\n", scalar(inner)));
                }
            }
        }
        Value::Array(list) => {
            for item in list {
                if nested(item) {
                    let mut inner = String::new();
                    yaml(item, depth + 1, &mut inner);
                    out.push_str(&format!("{pad}- {}", inner.trim_start()));
                } else {
                    out.push_str(&format!("{pad}- {}\n", scalar(item)));
                }
            }
        }
        other => out.push_str(&format!("{pad}{}\n", scalar(other))),
    }
}

fn capital(key: &str) -> String {
    let mut letters = key.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

fn dialects(value: &Value) -> Vec<(&'static str, String)> {
    let list = items(value);
    let alone = list.len() == 1 && !value.is_array() && value.get("value").is_none();
    let shown = |v: Value| serde_json::to_string_pretty(&v).unwrap();
    let flattened = flat(if alone { list[0].clone() } else { Value::Array(list.clone()) });
    let acronyms = |key: &str| key.replace("IP", "Ip").replace("ID", "Id").replace("FQDN", "Fqdn");
    let mut block = String::new();
    yaml(&flattened, 0, &mut block);
    vec![
        ("flattened", shown(flattened.clone())),
        ("on one line", flattened.to_string()),
        ("with nulls", shown(padded(renamed(flattened.clone(), &acronyms)))),
        ("PowerShell's", shown(renamed(flattened.clone(), &capital))),
        ("a page of REST", shown(json!({"value": list}))),
        ("Resource Graph's", shown(json!({"count": list.len(), "data": list, "total_records": list.len()}))),
        ("behind a warning", format!("WARNING: This command group is in preview.\n{}", shown(flattened))),
        ("YAML", block),
    ]
}

/// What the verdict is, without where it stands.
fn verdict(folder: &std::path::Path) -> String {
    let report = explain(folder).json();
    let mut out = String::new();
    for finding in report["findings"].as_array().into_iter().flatten() {
        out.push_str(&format!("{} {} {}\n", finding["cause"], finding["certainty"], finding["stop"]));
        for candidate in finding["candidates"].as_array().into_iter().flatten() {
            out.push_str(&format!("  {} {} {}\n", candidate["cause"], candidate["outcome"], candidate["missing"]));
        }
    }
    out
}

fn copy(from: &std::path::Path, to: &std::path::Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().flatten() {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

#[test]
fn every_dialect_gives_the_same_verdict() {
    for case in CASES {
        let scratch = support::Scratch::new(&format!("dialects-{case}"));
        let bundle = scratch.path().join("bundle");
        copy(&root().join(format!("testdata/{case}/bundle")), &bundle);
        let plain = verdict(&bundle);
        let folder = ["az", "azure"].iter().map(|f| bundle.join(f)).find(|f| f.is_dir()).unwrap();
        for entry in std::fs::read_dir(folder).unwrap().flatten().filter(|e| e.path().extension().is_some_and(|x| x == "json")) {
            let text = std::fs::read_to_string(entry.path()).unwrap();
            let body = text.get(text.find(['{', '[']).unwrap()..).unwrap();
            for (dialect, told) in dialects(&serde_json::from_str(body).unwrap()) {
                std::fs::write(entry.path(), &told).unwrap();
                assert_eq!(verdict(&bundle), plain, "{case}: {} in the form {dialect}:\n{told}", entry.path().display());
            }
            std::fs::write(entry.path(), &text).unwrap();
        }
    }
}
