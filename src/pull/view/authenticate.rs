//! Which credentials did the pods name, do they exist, and do they cover this host?

use jiff::SignedDuration;

use super::{Asked, Value, yes_no};
use crate::facts::{Evidence, Happening, Known, Pod, PullSecret};
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

/// The first of them by name, for a command that wants one.
pub(super) fn first_secret(a: &Asked<'_>) -> Option<String> {
    let list = named(a);
    list.seen()?.iter().map(|(_, name)| name).min().cloned()
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
    match of_names(a, &list).next() {
        Some(secret) => yes_no(true, Evidence::of(&secret.source)),
        // Only a list that holds this namespace's other secrets can vouch that one is not there.
        None => match a.facts.secrets.iter().find(|s| namespaces.contains(&s.namespace.as_str())) {
            // A list of one type alone leaves out the secrets of the older one.
            Some(other) => yes_no(false, Evidence::of(&other.source).guessed(a.facts.secrets.iter().all(|s| s.kind == other.kind))),
            None => match a.facts.secret_rows.iter().find(|(kind, _)| a.facts.secret_rows.iter().any(|(other, _)| other != kind)) {
                Some((_, row)) => yes_no(false, Evidence::of(row)),
                None => Known::NotCollected("pull-secrets"),
            },
        },
    }
}

/// The secrets that the pods name, as far as they were collected.
pub(super) fn named_secrets<'a>(a: &Asked<'a>) -> Vec<&'a PullSecret> {
    match named(a) {
        Known::Seen(list, _) => of_names(a, &list).collect(),
        _ => Vec::new(),
    }
}

/// Registries of this cloud take nothing but tokens for a password, and those end after twelve hours.
const TOKEN_LASTS: SignedDuration = SignedDuration::from_hours(12);

/// Whether the password or token in the pods' pull secrets is past its lifetime, where that is known.
pub fn credentials_outdated(a: &Asked<'_>) -> K {
    let Some(reference) = a.pull.reference.as_ref() else { return Known::NotCollected("activity-log") };
    let takes_tokens = reference.host.contains(".dkr.ecr.") && [".amazonaws.com", ".amazonaws.com.cn"].iter().any(|s| reference.host.ends_with(s));
    if !takes_tokens || a.stop.symptom != Symptom::CredentialsRejected {
        return Known::NotCollected("activity-log");
    }
    let covering = |s: &&PullSecret| s.hosts.seen().is_some_and(|hosts| hosts.iter().any(|h| covers(h, &reference.host, &reference.repository)));
    let secrets: Vec<_> = named_secrets(a).into_iter().filter(covering).collect();
    let ages: Option<Vec<_>> = secrets.iter().map(|s| Some((a.pull.last?.duration_since(s.changed.at?), *s))).collect();
    match ages.and_then(|ages| ages.into_iter().min_by_key(|(age, _)| *age)) {
        Some((age, secret)) => yes_no(age > TOKEN_LASTS, Evidence::of(&secret.source)),
        None => Known::NotCollected("pull-secrets"),
    }
}

/// The secrets of those names. A table of one namespace leaves its name out.
fn of_names<'a>(a: &Asked<'a>, list: &[(String, String)]) -> impl Iterator<Item = &'a PullSecret> {
    let list = list.to_vec();
    a.facts.secrets.iter().filter(move |s| list.iter().any(|(ns, name)| (*ns == s.namespace || s.namespace.is_empty()) && *name == s.name))
}

/// Why the kubelet cannot use a named secret: its type, or how it is written; null where it can read one of them.
pub fn secret_fault(a: &Asked<'_>) -> K {
    let list = match named(a) {
        Known::Seen(list, _) if list.is_empty() => return Known::Absent(a.by_text()),
        Known::Seen(list, _) => list,
        _ => return Known::NotCollected("pods"),
    };
    let mut answer = Known::NotCollected("pull-secrets");
    // A list may say less of a secret than the secret itself.
    let faults = of_names(a, &list).map(|s| (&s.fault, !matches!(s.hosts, Known::NotCollected(_))));
    for (fault, is_read) in faults {
        match fault {
            Known::Absent(evidence) if is_read => return Known::Absent(evidence.clone()),
            Known::Seen(fault, evidence) => answer = Known::Seen(Value::Text((*fault).to_owned()), evidence.clone()),
            _ => {}
        }
    }
    answer
}

/// Whether a named secret holds an entry for the registry's host.
pub fn secret_covers_host(a: &Asked<'_>) -> K {
    let list = match named(a) {
        Known::Seen(list, _) if list.is_empty() => return Known::Absent(a.by_text()),
        Known::Seen(list, _) => list,
        _ => return Known::NotCollected("pods"),
    };
    let reference = a.pull.reference.as_ref();
    let (registry, repository) = reference.map(|r| (r.host.clone(), r.repository.clone())).unwrap_or_default();
    let mut seen = None;
    for secret in of_names(a, &list) {
        let Known::Seen(hosts, evidence) = &secret.hosts else { continue };
        if hosts.iter().any(|h| covers(h, &registry, &repository)) {
            return yes_no(true, evidence.clone());
        }
        seen = Some(evidence.clone());
    }
    match seen {
        Some(evidence) => yes_no(false, evidence),
        None => Known::NotCollected("pull-secrets"),
    }
}

/// Whether the kubelet takes an entry for an image: `https://r.example/v1/`, `r.example`, `*.r.example`, `r.example/team`. A star
/// stands for part of one label, a path for what stands below it; Docker Hub has an old name of its own.
fn covers(entry: &str, registry: &str, repository: &str) -> bool {
    let entry = entry.split_once("://").map_or(entry, |(_, e)| e);
    let (host, path) = entry.split_once('/').unwrap_or((entry, ""));
    let host = host.to_lowercase();
    let hub = |h: &str| matches!(h, "docker.io" | "index.docker.io" | "registry-1.docker.io");
    let labels = |h: &str| h.split('.').map(str::to_owned).collect::<Vec<_>>();
    let (mine, theirs) = (labels(&host), labels(registry));
    let fits = |(own, label): (&String, &String)| match own.split_once('*') {
        Some((front, back)) => label.len() >= front.len() + back.len() && label.starts_with(front) && label.ends_with(back),
        None => own == label,
    };
    let of_host = (hub(&host) && hub(registry)) || (mine.len() == theirs.len() && mine.iter().zip(&theirs).all(fits));
    let path = path.trim_start_matches("v1/").trim_start_matches("v2/").trim_end_matches('/');
    of_host && (matches!(path, "" | "v1" | "v2") || repository.starts_with(path))
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
    // The provider is asked before each attempt: what failed at another time says nothing of this pull.
    let slack = jiff::SignedDuration::from_mins(10);
    let in_time = |at: Option<jiff::Timestamp>| match (at, a.pull.first, a.pull.last) {
        (Some(at), Some(first), Some(last)) => first.duration_since(at) <= slack && at.duration_since(last) <= slack,
        _ => true,
    };
    let mut log = None;
    for record in a.index.kubelet(a.node()) {
        log = log.or(Some(&record.source));
        if let Happening::Provider { image, text } = &record.what
            && of_image(image)
            && in_time(record.when.at)
            && test(text)
        {
            return Ok((text, Evidence::of(&record.source).guessed(record.guessed)));
        }
    }
    Err(log.map(Evidence::of))
}
