//! What does the reference itself say, and what was the runtime told of mirrors and proxies?

use super::{Asked, Value, yes_no};
use crate::facts::{Evidence, Facts, Known};
use crate::message::{Endpoint, Stage, Symptom};

type K = Known<Value>;

/// The image as written.
pub fn written(a: &Asked<'_>) -> K {
    Known::Seen(Value::Text(a.pull.written.clone()), a.by_text())
}

/// Whether it names a host.
pub fn names_host(a: &Asked<'_>) -> K {
    // An event may tell the completed form alone: `docker.io/...` may not be what the pod says.
    match &a.pull.reference {
        Some(r) if r.names_host => yes_no(true, a.by_text()),
        Some(_) => yes_no(false, a.by_text()),
        None => Known::Absent(a.by_text()),
    }
}

/// The registry's host.
pub fn host(a: &Asked<'_>) -> K {
    match &a.pull.reference {
        Some(r) => Known::Seen(Value::Text(r.bare_host().into()), a.by_text()),
        None => Known::Absent(a.by_text()),
    }
}

/// Whether the reference still holds a template's gap, or the default of a scaffold.
pub fn has_placeholder(a: &Asked<'_>) -> K {
    let w = a.pull.written.as_str();
    let gap = w.contains(['<', '>', '$', '{', '}'])
        || w.contains("%!")
        || ["None:None", "null:null", "undefined", "TODO", "CHANGEME", "REPLACE_ME", "your-registry", "example/myimage"].iter().any(|p| w.contains(p));
    let scaffold = matches!(w, "controller:latest" | "controller" | "docker.io/library/controller:latest");
    yes_no(gap || scaffold || w.starts_with("None"), a.by_text())
}

/// Whether it begins with a scheme.
pub fn has_scheme(a: &Asked<'_>) -> K {
    yes_no(["http://", "https://", "docker://", "oci://"].iter().any(|s| a.pull.written.starts_with(s)), a.by_text())
}

/// Whether it names a digest.
pub fn by_digest(a: &Asked<'_>) -> K {
    yes_no(a.pull.written.contains("@sha256:"), a.by_text())
}

fn mirror_try<'a>(a: &'a Asked<'_>) -> Option<&'a super::super::Try> {
    a.pull.tries.iter().rev().find(|t| t.attempt.endpoint == Some(Endpoint::Mirror))
}

/// The mirror that was asked first.
pub fn mirror_host(a: &Asked<'_>) -> K {
    match mirror_try(a) {
        Some(t) => match &t.attempt.host {
            Some(host) => Known::Seen(Value::Text(host.clone()), Evidence { sources: t.sources.clone(), guessed: false }),
            None => Known::Absent(a.by_text()),
        },
        None => match configured(a) {
            Some((host, evidence)) => Known::Seen(Value::Text(host), evidence),
            None => not_configured(a),
        },
    }
}

/// Whether a mirror answered that it has no such image.
pub fn mirror_lacks_image(a: &Asked<'_>) -> K {
    let now = |t: &&super::super::Try| a.pull.is_current(t);
    let lacks = |t: &&super::super::Try| {
        a.pull.may_be_current(t)
            && t.attempt.endpoint == Some(Endpoint::Mirror)
            && (t.attempt.stage == Some(Stage::Manifest)
                && matches!(t.attempt.symptom, Symptom::TagNotFound | Symptom::RepositoryNotFound | Symptom::DigestNotFound))
    };
    // Where the registry itself said the same, the mirror is not what is wrong.
    let registry_too = a.pull.tries.iter().filter(now).find(|t| {
        t.attempt.endpoint == Some(Endpoint::Registry)
            && t.carrier == super::super::Carrier::RuntimeLog
            && t.attempt.status == Some(404)
            && t.attempt.stage == Some(Stage::Manifest)
    });
    if let Some(t) = registry_too {
        return yes_no(false, Evidence { sources: t.sources.clone(), guessed: false });
    }
    if let Some(t) = a.pull.tries.iter().filter(lacks).max_by_key(|t| a.pull.is_current(t)) {
        // What the mirror answers since the log broke off, the log does not tell.
        if !a.pull.is_current(t) {
            return Known::NotCollected("containerd-log");
        }
        return yes_no(true, Evidence { sources: t.sources.clone(), guessed: a.pull.went_on_after(t) });
    }
    match mirror_try(a) {
        // A mirror on the node asks its neighbours: that it fails may mean that none of them has the image.
        Some(t) if t.attempt.status.is_some_and(|s| s >= 500) && t.attempt.host.as_deref().is_some_and(super::words::is_loopback) => {
            Known::NotCollected("registry-log")
        }
        Some(t) if !a.pull.is_current(t) => Known::NotCollected("containerd-log"),
        Some(t) => yes_no(false, Evidence { sources: t.sources.clone(), guessed: false }),
        None => match configured(a) {
            // A mirror is configured and the log that tells its answer is not there.
            Some(_) => Known::NotCollected("containerd-log"),
            None => match not_configured(a) {
                Known::Absent(evidence) => yes_no(false, evidence),
                other => other,
            },
        },
    }
}

fn configured(a: &Asked<'_>) -> Option<(String, Evidence)> {
    let registry = a.pull.reference.as_ref().map(|r| r.host.clone()).unwrap_or_default();
    Facts::of_node(&a.facts.hosts_toml, a.node())
        .filter(|(toml, _)| toml.value.registry == registry || toml.value.registry == "_default")
        .find_map(|(toml, guessed)| toml.value.mirrors.first().map(|(host, source)| (host.clone(), Evidence::of(source).guessed(guessed))))
        .or_else(|| super::runtime::first_mirror(a, &registry))
}

fn not_configured(a: &Asked<'_>) -> K {
    let registry = a.pull.reference.as_ref().map(|r| r.host.clone()).unwrap_or_default();
    match Facts::of_node(&a.facts.hosts_toml, a.node()).find(|(t, _)| t.value.registry == registry) {
        Some((toml, guessed)) => Known::Absent(Evidence::of(&toml.source).guessed(guessed)),
        None => Known::NotCollected("hosts-toml"),
    }
}
