//! Does the grammar read what runtimes really print? Real reports, recorded runtimes, every known format, Go's own texts,
//! and all of them again as terminals, logs and page limits mangle them.

use serde::Deserialize;
use underpod::message::{Attempt, Reading, Symptom, read};

use crate::support;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Message {
    id: String,
    text: String,
    stage: Vec<String>,
    #[serde(default)]
    endpoint: Vec<String>,
    #[serde(default)]
    symptom: Vec<String>,
    host: Option<String>,
    address: Option<String>,
    resolver: Option<String>,
    status: Option<u16>,
    attempts: Option<usize>,
    #[serde(default)]
    cause: Vec<String>,
    #[serde(default)]
    open: Vec<String>,
    #[serde(default)]
    never: Vec<String>,
}

fn messages() -> Vec<Message> {
    serde_yaml::from_str(&support::read("testdata/messages.yaml")).expect("testdata/messages.yaml")
}

/// The attempt that a pull with this text alone is decided by.
fn deciding(reading: &Reading) -> Option<&Attempt> {
    reading.attempts.iter().max_by_key(|a| (a.credentials != Some(false), a.endpoint == Some(underpod::message::Endpoint::Blob), a.stage))
}

#[test]
fn real_reports_are_read_right() {
    let mut wrong = Vec::new();
    for m in messages() {
        let reading = read(&m.text);
        let a = deciding(&reading).cloned().unwrap_or_default();
        let stage = a.stage.map_or("none", |s| s.name()).to_owned();
        let mut check = |what: &str, ok: bool, got: String| {
            if !ok {
                wrong.push(format!("{}: {what}: got {got}: {}", m.id, m.text.chars().take(160).collect::<String>()));
            }
        };
        check("stage", m.stage.contains(&stage), stage.clone());
        let endpoint = a.endpoint.map_or("none", |e| e.name()).to_owned();
        check("endpoint", m.endpoint.is_empty() || m.endpoint.contains(&endpoint), endpoint);
        check("symptom", m.symptom.is_empty() || m.symptom.contains(&a.symptom.name().to_owned()), a.symptom.name().into());
        check("host", m.host.is_none() || m.host == a.host || m.stage[0] == "none", format!("{:?}", a.host));
        check("address", m.address.is_none() || m.address == a.address.map(|x| x.to_string()), format!("{:?}", a.address));
        check("resolver", m.resolver.is_none() || m.resolver == a.resolver.map(|x| x.to_string()), format!("{:?}", a.resolver));
        check("status", m.status.is_none() || m.status == a.status, format!("{:?}", a.status));
        check("attempts", m.attempts.is_none_or(|n| n == reading.attempts.len()), format!("{}", reading.attempts.len()));
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn what_the_text_decides_is_told_and_nothing_more() {
    let scratch = support::Scratch::new("messages");
    let mut wrong = Vec::new();
    for m in messages().into_iter().filter(|m| m.stage[0] != "none") {
        let path = scratch.write(&format!("{}/error.txt", m.id), &m.text);
        let report = support::explain(&path).json();
        let finding = &report["findings"][0];
        let cause = finding["cause"].as_str();
        let open: Vec<&str> =
            finding["candidates"].as_array().into_iter().flatten().filter(|c| c["outcome"] != "ruled-out").filter_map(|c| c["cause"].as_str()).collect();
        let blamed = |never: &String| cause.is_some_and(|c| never.strip_suffix('*').map_or(c == never, |room| c.starts_with(room)));
        if m.never.iter().any(blamed) {
            wrong.push(format!("{}: blames {cause:?}", m.id));
        }
        if !m.cause.is_empty() && !cause.is_some_and(|c| m.cause.iter().any(|w| w == c)) {
            wrong.push(format!("{}: wants {:?}, got {cause:?}", m.id, m.cause));
        }
        if m.cause.is_empty() && cause.is_some_and(|c| !m.open.iter().any(|o| o == c)) {
            wrong.push(format!("{}: the text does not decide, and it says {cause:?}", m.id));
        }
        if m.cause.is_empty() && !m.open.is_empty() && cause.is_none() && !m.open.iter().any(|o| open.contains(&o.as_str())) {
            wrong.push(format!("{}: leaves none of {:?} open", m.id, m.open));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[derive(Deserialize)]
struct Format {
    id: String,
    text: String,
    stage: String,
    endpoint: String,
    symptom: String,
}

#[test]
fn every_known_format_is_read_right() {
    let formats: Vec<Format> = serde_yaml::from_str(&support::read("testdata/formats.yaml")).expect("testdata/formats.yaml");
    let mut wrong = Vec::new();
    for f in formats {
        let reading = read(&f.text);
        let a = deciding(&reading).cloned().unwrap_or_default();
        let got = (a.stage.map_or("none", |s| s.name()), a.endpoint.map_or("none", |e| e.name()), a.symptom.name());
        if got.0 != f.stage || got.2 != f.symptom || (f.endpoint != "by-url" && got.1 != f.endpoint) {
            wrong.push(format!("{}: got {got:?}, wants {:?}", f.id, (&f.stage, &f.endpoint, &f.symptom)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_text_of_gos_own_has_a_meaning() {
    let unknown: Vec<String> = support::read("testdata/go-errors.txt")
        .lines()
        .filter(|l| deciding(&read(l)).is_none_or(|a| a.symptom == Symptom::Unrecognized))
        .map(str::to_owned)
        .collect();
    assert!(unknown.is_empty(), "{}", unknown.join("\n"));
}

/// The rungs that are told for a text: the stop's, or the span that the words leave.
fn told(text: &str) -> Option<(underpod::message::Stage, underpod::message::Stage)> {
    let reading = read(text);
    let a = deciding(&reading)?;
    match (a.span, a.stage) {
        (Some((first, last)), Some(stage)) => Some((first.min(stage), last.max(stage))),
        (Some(span), None) => Some(span),
        (None, Some(stage)) => Some((stage, stage)),
        (None, None) => None,
    }
}

fn wrapped(text: &str, width: usize) -> String {
    text.chars().collect::<Vec<_>>().chunks(width).map(|c| c.iter().collect::<String>()).collect::<Vec<_>>().join("\n")
}

#[test]
fn mangled_texts_still_contain_the_stage() {
    let mut wrong = Vec::new();
    for m in messages() {
        let Some(whole) = deciding(&read(&m.text)).and_then(|a| a.stage) else { continue };
        let quoted = serde_json::to_string(&m.text).unwrap();
        let variants = [
            ("wrapped", wrapped(&m.text, 80)),
            ("crlf", m.text.replace('\n', "\r\n") + "\r\n"),
            ("escaped", quoted.clone()),
            ("escaped twice", serde_json::to_string(&quoted).unwrap()),
            ("behind a sentence", format!("We have seen this since Tuesday: {}", m.text)),
        ];
        for (how, text) in variants {
            match told(&text) {
                Some((first, last)) if first <= whole && whole <= last => {}
                other => wrong.push(format!("{} {how}: {other:?} lacks {whole:?}", m.id)),
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn cut_texts_never_panic_and_never_say_more_than_they_prove() {
    let mut wrong = Vec::new();
    for m in messages() {
        let Some(whole) = deciding(&read(&m.text)).and_then(|a| a.stage) else { continue };
        for end in (40..m.text.len()).filter(|i| m.text.is_char_boundary(*i)) {
            match told(m.text.get(..end).unwrap_or_default()) {
                Some((first, last)) if first <= whole && whole <= last => {}
                // Where nothing is told, nothing wrong is told.
                None => {}
                other => {
                    wrong.push(format!(
                        "{} cut at {end}: {other:?} lacks {whole:?}: ...{}",
                        m.id,
                        m.text.get(..end).unwrap_or_default().chars().rev().take(60).collect::<String>().chars().rev().collect::<String>()
                    ));
                    break;
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
