//! What do the logs of kubelet and runtime add? Attempts with their times, hosts asked in turn, reasons for a cancel.

use std::collections::BTreeMap;

use super::{Key, Reader, Told, add, push};
use crate::bundle::FileId;
use crate::facts::{Facts, Happening, Record, Unit};
use crate::message::{self, Attempt, Reference, Symptom};
use crate::pull::{Carrier, Pull};

fn carrier(unit: Unit) -> Carrier {
    if unit == Unit::Kubelet { Carrier::KubeletLog } else { Carrier::RuntimeLog }
}

pub(super) fn failed(record: &Record, reader: &mut Reader, drafts: &mut BTreeMap<Key, Pull>) {
    let Happening::Failed { image, text } = &record.what else { return };
    let reading = reader.read(text);
    let named = image.clone().or_else(|| reading.image.clone()).or_else(|| reading.attempts.iter().find_map(|a| a.reference.clone()));
    let Some(image) = named.filter(|i| !i.starts_with("sha256:")) else { return };
    if reading.attempts.iter().all(|a| a.symptom == Symptom::BackOffOnly) {
        return;
    }
    // The log adds attempts; how often the kubelet saw the failure, the events count.
    let told = Told {
        image: &image,
        node: record.node.as_deref(),
        pod: None,
        reading,
        when: record.when,
        first: record.when,
        count: 0,
        source: &record.source,
        carrier: carrier(record.unit),
    };
    add(drafts, told);
}

/// Docker's journal tells of failures and not of what was asked for. It counts where nothing names an image.
pub(super) fn imageless(record: &Record, reader: &mut Reader, drafts: &mut BTreeMap<Key, Pull>) {
    let Happening::Failed { image: None, text } = &record.what else { return };
    let reading = reader.read(text);
    if reading.image.is_some() || reading.attempts.iter().all(|a| matches!(a.symptom, Symptom::BackOffOnly | Symptom::Unrecognized)) {
        return;
    }
    let told = Told {
        image: "(an image that the log does not name)",
        node: record.node.as_deref(),
        pod: None,
        reading,
        when: record.when,
        first: record.when,
        count: 1,
        source: &record.source,
        carrier: carrier(record.unit),
    };
    add(drafts, told);
}

/// What the runtime's log says of each host that it asked goes to the pulls on that node that fail.
pub(super) fn next_hosts(facts: &Facts, reader: &mut Reader, drafts: &mut BTreeMap<Key, Pull>) {
    let whose = whose(&facts.records);
    for (record, whose) in facts.records.iter().zip(&whose) {
        match &record.what {
            Happening::NextHost { host, text } => {
                let reading = reader.read(text);
                for pull in drafts.values_mut().filter(|p| p.node == record.node && whose.is_of(p, text)) {
                    for attempt in &reading.attempts {
                        let mut attempt = attempt.clone();
                        settle_host(&mut attempt, host, pull);
                        push(pull, attempt, record.when, &record.source, Carrier::RuntimeLog);
                    }
                }
            }
            Happening::Cancelled { image, text } => {
                let wanted = Reference::parse(image).map_or_else(|| image.clone(), |r| r.to_string());
                let reading = reader.read(text);
                for pull in drafts.values_mut().filter(|p| p.image == wanted && (p.node == record.node || record.node.is_none())) {
                    for attempt in &reading.attempts {
                        push(pull, attempt.clone(), record.when, &record.source, carrier(record.unit));
                    }
                }
            }
            _ => {}
        }
    }
}

/// Which pull a line without an image belongs to.
enum Whose {
    /// The only one that ran.
    Image(String),
    /// Several ran side by side.
    Either,
    /// The log does not show where pulls begin and end.
    Untold,
}

impl Whose {
    fn is_of(&self, pull: &Pull, text: &str) -> bool {
        match self {
            Whose::Image(image) => *image == pull.image,
            Whose::Either => text.contains("/v2/") && concerns(pull, text),
            Whose::Untold => concerns(pull, text),
        }
    }
}

/// For each record, the pull within whose begin and end it stands in its log. A log without begins is cut at the ends.
fn whose(records: &[Record]) -> Vec<Whose> {
    let normal = |image: &str| Reference::parse(image).map_or_else(|| image.to_owned(), |r| r.to_string());
    let ended = |record: &Record| match &record.what {
        Happening::Failed { image: Some(image), .. } | Happening::Pulled { image } => Some(normal(image)),
        _ => None,
    };
    let mut open: BTreeMap<FileId, (bool, Vec<String>)> = BTreeMap::new();
    let mut out: Vec<Whose> = records
        .iter()
        .map(|record| {
            let (begun, running) = open.entry(record.source.file).or_default();
            if let Happening::Pulling { image } = &record.what {
                *begun = true;
                // One that begins again has ended, with or without a line.
                let image = normal(image);
                running.retain(|i| *i != image);
                running.push(image);
            } else if let Some(image) = ended(record) {
                running.retain(|i| *i != image);
            }
            match running.as_slice() {
                [] => Whose::Untold,
                [one] => Whose::Image(one.clone()),
                _ => Whose::Either,
            }
        })
        .collect();
    let mut next: BTreeMap<FileId, String> = BTreeMap::new();
    for (record, whose) in records.iter().zip(&mut out).rev() {
        if let Some(image) = ended(record) {
            next.insert(record.source.file, image);
        } else if let (Whose::Untold, Some(image)) = (&*whose, next.get(&record.source.file)) {
            *whose = Whose::Image(image.clone());
        }
    }
    out
}

/// Whether a line's URL holds the pull's repository; without a URL it may concern any.
fn concerns(pull: &Pull, text: &str) -> bool {
    let repository = pull.reference.as_ref().map_or("", |r| r.repository.as_str());
    !text.contains("/v2/") || repository.is_empty() || text.contains(&format!("/{repository}/")) || text.contains("/v2/\"") || text.contains("token")
}

fn settle_host(attempt: &mut Attempt, host: &str, pull: &Pull) {
    let (bare, port) = match host.rsplit_once(':') {
        Some((bare, port)) if port.bytes().all(|b| b.is_ascii_digit()) => (bare, port.parse().ok()),
        _ => (host, None),
    };
    let registry = pull.reference.as_ref().map(Reference::bare_host).unwrap_or_default();
    let own = bare == registry || (registry == "docker.io" && bare == "registry-1.docker.io");
    attempt.host = attempt.host.take().or_else(|| Some(bare.to_owned()));
    attempt.port = attempt.port.or(port);
    if !own && attempt.endpoint == Some(message::Endpoint::Registry) {
        attempt.endpoint = Some(message::Endpoint::Mirror);
    }
    if attempt.symptom == Symptom::Unrecognized && attempt.text.contains("404 Not Found") {
        attempt.symptom = Symptom::TagNotFound;
        attempt.stage = Some(message::Stage::Manifest);
        attempt.span = Some((message::Stage::Manifest, message::Stage::Manifest));
        attempt.status = Some(404);
        attempt.endpoint = Some(if own { message::Endpoint::Registry } else { message::Endpoint::Mirror });
    }
}
