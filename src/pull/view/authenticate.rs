//! Which credentials did the pods name, do they exist, and do they cover this host?

use super::{Asked, Value, yes_no};
use crate::facts::{Evidence, Happening, Known, Pod};
use crate::message::Symptom;

type K = Known<Value>;

fn pods<'a>(a: &Asked<'a>) -> impl Iterator<Item = &'a Pod> {
    a.pull.pods.iter().filter_map(|p| a.index.pod(p))
}

/// The pull secrets that the pods, or their service accounts, name: namespace and name.
fn named(a: &Asked<'_>) -> Known<Vec<(String, String)>> {
    let mut evidence = Evidence::default();
    let mut list = Vec::new();
    for pod in pods(a) {
        let Known::Seen(secrets, e) = &pod.pull_secrets else { continue };
        evidence.sources.extend(e.sources.iter().cloned());
        list.extend(secrets.iter().map(|s| (pod.namespace.clone(), s.clone())));
        // The admission plugin copies the account's secrets into the pod: the pod's list is the whole.
    }
    evidence.sources.truncate(3);
    if evidence.sources.is_empty() { Known::NotCollected("pods") } else { Known::Seen(list, evidence) }
}

/// Whether the pods name a pull secret.
pub fn names_pull_secret(a: &Asked<'_>) -> K {
    named(a).map(|l| Value::Bool(!l.is_empty()))
}

/// The names of those pull secrets.
pub fn pull_secrets(a: &Asked<'_>) -> K {
    named(a).map(|l| {
        let mut names: Vec<String> = l.into_iter().map(|(_, name)| name).collect();
        names.sort();
        names.dedup();
        Value::List(names)
    })
}

/// Whether a named secret exists in the pod's namespace.
pub fn secret_exists(a: &Asked<'_>) -> K {
    let list = match named(a) {
        Known::Seen(list, _) if list.is_empty() => return Known::Absent(a.by_text()),
        Known::Seen(list, _) => list,
        _ => return Known::NotCollected("pods"),
    };
    let namespaces: Vec<&str> = list.iter().map(|(ns, _)| ns.as_str()).collect();
    match a.facts.secrets.iter().find(|s| list.iter().any(|(ns, name)| *ns == s.namespace && *name == s.name)) {
        Some(secret) => yes_no(true, Evidence::of(&secret.source)),
        // Only a list that holds this namespace's other secrets can vouch that one is not there.
        None => match a.facts.secrets.iter().find(|s| namespaces.contains(&s.namespace.as_str())) {
            // A list of one type alone leaves out the secrets of the older one.
            Some(other) => yes_no(false, Evidence::of(&other.source).guessed(a.facts.secrets.iter().all(|s| s.kind == other.kind))),
            None => Known::NotCollected("pull-secrets"),
        },
    }
}

/// Whether a named secret holds an entry for the registry's host.
pub fn secret_covers_host(a: &Asked<'_>) -> K {
    let list = match named(a) {
        Known::Seen(list, _) if list.is_empty() => return Known::Absent(a.by_text()),
        Known::Seen(list, _) => list,
        _ => return Known::NotCollected("pods"),
    };
    let registry = a.pull.reference.as_ref().map(|r| r.host.clone()).unwrap_or_default();
    let mut seen = None;
    for secret in a.facts.secrets.iter().filter(|s| list.iter().any(|(ns, name)| *ns == s.namespace && *name == s.name)) {
        let Known::Seen(hosts, evidence) = &secret.hosts else { continue };
        if hosts.iter().any(|h| covers(h, &registry)) {
            return yes_no(true, evidence.clone());
        }
        seen = Some(evidence.clone());
    }
    match seen {
        Some(evidence) => yes_no(false, evidence),
        None => Known::NotCollected("pull-secrets"),
    }
}

/// `https://r.example/v1/`, `r.example`, `*.r.example`; Docker Hub has an old name of its own.
fn covers(entry: &str, registry: &str) -> bool {
    let entry = entry.split_once("://").map_or(entry, |(_, e)| e);
    let host = entry.split('/').next().unwrap_or(entry).to_lowercase();
    let hub = |h: &str| matches!(h, "docker.io" | "index.docker.io" | "registry-1.docker.io");
    host == registry || (hub(&host) && hub(registry)) || host.strip_prefix('*').is_some_and(|suffix| registry.ends_with(suffix))
}

/// Whether the kubelet warned that it cannot retrieve a named secret.
pub fn secret_unretrieved(a: &Asked<'_>) -> K {
    match a.pull.unretrieved.first() {
        Some((_, source)) => yes_no(true, Evidence::of(source)),
        None => match a.facts.events.first() {
            Some(_) => yes_no(false, a.by_text()),
            None => Known::NotCollected("events"),
        },
    }
}

/// Words of a request that the network ended.
const NETWORK: [&str; 7] = ["dial tcp", "i/o timeout", "no such host", "connection refused", "TLS handshake", "EOF", "deadline exceeded"];

/// Whether the kubelet's log says that its credential provider failed for the image.
pub fn provider_failed(a: &Asked<'_>) -> K {
    provider(a, |_| true)
}

/// Whether that failure was one of the network.
pub fn provider_could_not_connect(a: &Asked<'_>) -> K {
    provider(a, |text| NETWORK.iter().any(|w| text.contains(w)))
}

/// What the failure's own words mean.
pub fn provider_symptom(a: &Asked<'_>) -> K {
    match failure(a, |_| true) {
        Ok((text, evidence)) => Known::Seen(Value::Text(meaning(text).name().to_owned()), evidence),
        Err(Some(evidence)) => Known::Absent(evidence),
        Err(None) => Known::NotCollected("kubelet-log"),
    }
}

fn meaning(text: &str) -> Symptom {
    crate::message::read(text).attempts.first().map_or(Symptom::Unrecognized, |attempt| attempt.symptom)
}

/// Whether the bundle shows a failure: a log that nobody collected shows none.
pub fn provider_shown_failed(a: &Asked<'_>) -> K {
    shown(a, |_| true)
}

/// Whether it shows one before any registry could weigh the identity's rights: no network, no metadata service, no identity.
pub fn provider_shown_stopped(a: &Asked<'_>) -> K {
    shown(a, |text| NETWORK.iter().any(|w| text.contains(w)) || matches!(meaning(text), Symptom::IdentityNotAssigned | Symptom::IdentityEndpointSilent))
}

fn shown(a: &Asked<'_>, test: impl Fn(&str) -> bool) -> K {
    match failure(a, test) {
        Ok((_, evidence)) => yes_no(true, evidence),
        Err(_) => yes_no(false, a.by_text()),
    }
}

fn provider(a: &Asked<'_>, test: impl Fn(&str) -> bool) -> K {
    match failure(a, test) {
        Ok((_, evidence)) => yes_no(true, evidence),
        Err(Some(evidence)) => yes_no(false, evidence),
        Err(None) => Known::NotCollected("kubelet-log"),
    }
}

/// The provider's failure for the image; else the log that shows none, if there is one.
fn failure<'a>(a: &Asked<'a>, test: impl Fn(&str) -> bool) -> Result<(&'a str, Evidence), Option<Evidence>> {
    let repository = a.pull.reference.as_ref().map(|r| format!("{}/{}", r.host, r.repository)).unwrap_or_default();
    let of_image = |image: &Option<String>| image.as_deref().is_none_or(|i| i.starts_with(&repository));
    let mut log = None;
    for record in a.index.kubelet(a.node()) {
        log = log.or(Some(&record.source));
        if let Happening::Provider { image, text } = &record.what
            && of_image(image)
            && test(text)
        {
            return Ok((text, Evidence::of(&record.source).guessed(record.guessed)));
        }
    }
    Err(log.map(Evidence::of))
}
