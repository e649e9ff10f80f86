//! Which attempts belong to which pull? Joined over events, waiting containers, the logs of kubelet and runtime, pastes.

mod logs;
mod pending;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::bundle::Source;
use crate::facts::{Event, Facts, Happening, When};
use crate::message::{self, Attempt, Reading, Reference, Symptom};

use super::{Carrier, Pull, Stop, Try};

type Key = (String, Option<String>);

const UNNAMED: &str = "(an image that the text does not name)";

/// Reads each distinct text once: five thousand pods with one fault repeat one sentence.
#[derive(Default)]
struct Reader {
    read: HashMap<String, Reading>,
}

impl Reader {
    fn read(&mut self, text: &str) -> Reading {
        if let Some(reading) = self.read.get(text) {
            return reading.clone();
        }
        let reading = message::read(text);
        self.read.insert(text.to_owned(), reading.clone());
        reading
    }
}

/// What one artefact tells of one pull.
struct Told<'a> {
    image: &'a str,
    node: Option<&'a str>,
    pod: Option<String>,
    reading: Reading,
    when: When,
    first: When,
    count: u64,
    source: &'a Source,
    carrier: Carrier,
}

impl<'a> Told<'a> {
    /// What an event tells of an image.
    fn by_event(event: &'a Event, image: &'a str, reading: Reading) -> Told<'a> {
        Told {
            image,
            node: event.node.as_deref(),
            pod: pod_of(event),
            reading,
            when: event.last,
            first: event.first,
            count: event.count,
            source: &event.source,
            carrier: Carrier::Event,
        }
    }
}

pub(super) fn pulls(facts: &Facts) -> Vec<Pull> {
    let mut drafts: BTreeMap<Key, Pull> = BTreeMap::new();
    let mut reader = Reader::default();
    for event in &facts.events {
        from_event(event, &mut reader, &mut drafts);
    }
    waiting(facts, &mut reader, &mut drafts);
    for record in &facts.records {
        logs::failed(record, &mut reader, &mut drafts);
    }
    merge_nodeless(&mut drafts);
    if !drafts.values().any(tells_something) {
        for record in &facts.records {
            logs::imageless(record, &mut reader, &mut drafts);
        }
    }
    pending::announced(facts, &mut reader, &mut drafts);
    if !drafts.values().any(tells_something) {
        pasted(facts, &mut reader, &mut drafts);
    }
    logs::next_hosts(facts, &mut reader, &mut drafts);
    warnings(facts, &mut drafts);
    drafts
        .into_values()
        .map(|mut pull| {
            pull.pool = pull.node.as_deref().and_then(|n| facts.pool_of(n)).map(str::to_owned);
            // The source settles what time leaves open, so that the order never depends on the wrapper.
            pull.tries.sort_by_key(|a| (a.when.key(), a.carrier));
            pull
        })
        .collect()
}

fn tells_something(pull: &Pull) -> bool {
    pull.tries.iter().any(|t| !matches!(t.attempt.symptom, Symptom::BackOffOnly | Symptom::Unrecognized))
}

fn add(drafts: &mut BTreeMap<Key, Pull>, told: Told<'_>) {
    let reference = Reference::parse(told.image);
    let image = reference.as_ref().map_or_else(|| told.image.to_owned(), ToString::to_string);
    let key = (image.clone(), told.node.map(str::to_owned));
    let pull = drafts.entry(key).or_insert_with(|| Pull {
        image,
        written: told.image.to_owned(),
        reference,
        node: told.node.map(str::to_owned),
        pool: None,
        pods: BTreeSet::new(),
        sandbox: told.reading.sandbox,
        tries: Vec::new(),
        count: 0,
        first: None,
        last: None,
        stop: Stop::default(),
        deciding: None,
        ladder: Vec::new(),
        recovered: None,
        unretrieved: Vec::new(),
    });
    // The pod's own writing is the shorter one: `app:1` rather than `docker.io/library/app:1`.
    if told.carrier >= Carrier::Waiting && told.image.len() < pull.written.len() {
        pull.written = told.image.to_owned();
    }
    pull.pods.extend(told.pod);
    pull.count += told.count;
    for stamp in [told.first.at, told.when.at].into_iter().flatten() {
        pull.first = Some(pull.first.map_or(stamp, |f| f.min(stamp)));
        pull.last = Some(pull.last.map_or(stamp, |l| l.max(stamp)));
    }
    for attempt in told.reading.attempts {
        push(pull, attempt, told.when, told.source, told.carrier);
    }
}

/// A repeated attempt is one attempt with one more line of evidence and its latest time.
fn push(pull: &mut Pull, attempt: Attempt, when: When, source: &Source, carrier: Carrier) {
    let same = |t: &&mut Try| t.carrier == carrier && alike(&t.attempt, &attempt);
    if let Some(known) = pull.tries.iter_mut().find(same) {
        if known.when.is_after(&when) != Some(true) {
            known.when = when;
            known.sources.insert(0, source.clone());
        } else {
            known.sources.push(source.clone());
        }
        known.sources.truncate(3);
        return;
    }
    pull.tries.push(Try { attempt, when, sources: vec![source.clone()], carrier, noise: false });
}

fn alike(a: &Attempt, b: &Attempt) -> bool {
    (a.symptom, a.stage, a.endpoint, a.credentials, a.status) == (b.symptom, b.stage, b.endpoint, b.credentials, b.status)
        && a.host == b.host
        && a.address == b.address
        && a.resolver == b.resolver
        && (a.symptom != Symptom::Unrecognized || a.text == b.text)
}

pub(super) fn pod_of(event: &Event) -> Option<String> {
    (event.kind == "Pod" && !event.name.is_empty())
        .then(|| if event.namespace.is_empty() { event.name.clone() } else { format!("{}/{}", event.namespace, event.name) })
}

fn from_event(event: &Event, reader: &mut Reader, drafts: &mut BTreeMap<Key, Pull>) {
    if matches!(event.reason.as_str(), "Pulled" | "Pulling" | "Scheduled" | "FailedToRetrieveImagePullSecret") || event.kind == "Node" {
        return;
    }
    // The network of pods, quotas and volumes fail a sandbox, too, and in the same words as a pull.
    let sandbox = event.reason == "FailedCreatePodSandBox" || event.message.starts_with("Failed to create pod sandbox");
    if sandbox && !["sandbox image", "pull image", "pulling image", "pull and unpack"].iter().any(|w| event.message.contains(w)) {
        return;
    }
    let reading = reader.read(&event.message);
    let named = reading.image.clone().or_else(|| reading.attempts.iter().find_map(|a| a.reference.clone()));
    let said = |r: &Reading| r.attempts.iter().any(|a| !matches!(a.symptom, Symptom::Unrecognized | Symptom::BackOffOnly));
    let Some(image) = named.or_else(|| {
        ((event.message.starts_with("Failed to") || event.message.contains("failed to pull ")) && said(&reading))
            .then(|| pod_of(event).map_or_else(|| UNNAMED.to_owned(), |pod| format!("(image of pod {pod})")))
    }) else {
        return;
    };
    // A sandbox that failed for another reason, a crash loop: words of a pull must be there.
    let about_pull = reading.attempts.iter().any(|a| a.symptom != Symptom::Unrecognized) || event.message.contains("pull");
    if !about_pull {
        return;
    }
    add(drafts, Told::by_event(event, &image, reading));
}

fn waiting(facts: &Facts, reader: &mut Reader, drafts: &mut BTreeMap<Key, Pull>) {
    for pod in &facts.pods {
        for wait in &pod.waiting {
            let about = crate::facts::objects::IMAGE_REASONS;
            if !about.contains(&wait.reason.as_str()) {
                continue;
            }
            let text = if wait.message.is_empty() { wait.reason.clone() } else { format!("{}: {}", wait.reason, wait.message) };
            let mut reading = reader.read(&text);
            let pod_name = if pod.namespace.is_empty() { pod.name.clone() } else { format!("{}/{}", pod.namespace, pod.name) };
            let image = if wait.image.is_empty() { reading.image.clone() } else { Some(wait.image.clone()) };
            let Some(image) = image else {
                // A table names no image: whose it is, the pod's other sources tell.
                if !drafts.values().any(|p| p.pods.contains(&pod_name)) {
                    nameless(pod, &pod_name, reading, &wait.source, drafts);
                }
                continue;
            };
            for attempt in &mut reading.attempts {
                attempt.reference = attempt.reference.take().or_else(|| Some(image.clone()));
            }
            add(
                drafts,
                Told {
                    image: &image,
                    node: pod.node.as_deref(),
                    pod: Some(pod_name),
                    reading,
                    when: When::default(),
                    first: When::default(),
                    count: 0,
                    source: &wait.source,
                    carrier: Carrier::Waiting,
                },
            );
        }
    }
}

/// A pod in a table that waits for an image which nothing names.
fn nameless(pod: &crate::facts::Pod, name: &str, reading: Reading, source: &Source, drafts: &mut BTreeMap<Key, Pull>) {
    let image = format!("(image of pod {name})");
    add(
        drafts,
        Told {
            image: &image,
            node: pod.node.as_deref(),
            pod: Some(name.to_owned()),
            reading,
            when: When::default(),
            first: When::default(),
            count: 0,
            source,
            carrier: Carrier::Waiting,
        },
    );
}

/// A pull whose node nobody names is that of the only node on which the image fails.
fn merge_nodeless(drafts: &mut BTreeMap<Key, Pull>) {
    let nodeless: Vec<Key> = drafts.keys().filter(|(_, node)| node.is_none()).cloned().collect();
    for key in nodeless {
        let mut homes: Vec<Key> = drafts.keys().filter(|(image, node)| *image == key.0 && node.is_some()).cloned().collect();
        if homes.len() != 1 {
            continue;
        }
        let (Some(lost), Some(home)) = (drafts.remove(&key), homes.pop().and_then(|h| drafts.get_mut(&h))) else { continue };
        home.pods.extend(lost.pods);
        home.count += lost.count;
        home.first = [home.first, lost.first].into_iter().flatten().min();
        home.last = home.last.max(lost.last);
        for t in lost.tries {
            for source in &t.sources {
                push(home, t.attempt.clone(), t.when, source, t.carrier);
            }
        }
    }
}

fn pasted(facts: &Facts, reader: &mut Reader, drafts: &mut BTreeMap<Key, Pull>) {
    // Beside artefacts, only a text that names a pull speaks of one; a curl's complaint does not.
    let alone = facts.about.taken.iter().all(|(artefact, _)| matches!(*artefact, "pasted-error" | "node-log"));
    let nothing_waits = drafts.is_empty();
    let all_run = !facts.pods.is_empty() && facts.about.unread.is_empty();
    let pulled = |image: &str| facts.events.iter().any(|e| e.reason == "Pulled" && e.message.contains(image));
    for paste in facts.pasted.iter().filter(|p| p.names_a_pull || facts.about.met == 1) {
        let reading = reader.read(&paste.text);
        let named = reading.image.clone().or_else(|| reading.attempts.iter().find_map(|a| a.reference.clone()));
        let known = reading.attempts.iter().any(|a| a.symptom != Symptom::Unrecognized || a.stage.is_some());
        // What a node's own runtime could not pull fails, whoever asked; by hand it was asked without the pod's credentials.
        let credentials = |a: &Attempt| matches!(a.stage, Some(message::Stage::Authenticate | message::Stage::Authorize));
        let by_hand = reading.by_hand && known && !reading.attempts.iter().any(credentials) && !named.as_deref().is_some_and(pulled);
        // Where every pod that was collected runs, or the image was pulled, a text speaks of another day or another cluster.
        if nothing_waits && !by_hand && (all_run || named.as_deref().is_some_and(pulled)) {
            continue;
        }
        if paste.of_log
            && !by_hand
            && (!known || !facts.events.is_empty() || !facts.pods.is_empty() || facts.records.iter().any(|r| matches!(r.what, Happening::Pulled { .. })))
        {
            continue;
        }
        if reading.attempts.is_empty() || !(known || reading.image.is_some()) || !(alone || named.is_some()) {
            continue;
        }
        let image = named.unwrap_or_else(|| UNNAMED.to_owned());
        let told = Told {
            image: &image,
            node: None,
            pod: None,
            reading,
            when: When::default(),
            first: When::default(),
            count: 1,
            source: &paste.source,
            carrier: Carrier::Pasted,
        };
        add(drafts, told);
    }
}

/// The kubelet's warning that a pull secret could not be read, by pod.
fn warnings(facts: &Facts, drafts: &mut BTreeMap<Key, Pull>) {
    for event in facts.events.iter().filter(|e| e.reason == "FailedToRetrieveImagePullSecret") {
        let Some(pod) = pod_of(event) else { continue };
        for pull in drafts.values_mut().filter(|p| p.pods.contains(&pod)) {
            pull.unretrieved.push((event.message.clone(), event.source.clone()));
        }
    }
}
