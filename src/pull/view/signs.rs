//! What is true and proves nothing about the pull? What runs from cache, what another host answered, what another client saw.

use super::{Asked, Value, yes_no};
use crate::facts::{Evidence, Hint, Known};
use crate::message::{Endpoint, Symptom};
use crate::pull::{Carrier, Try};

type K = Known<Value>;

/// Whether pods elsewhere run from an image of the same registry that was there already: an event says so, or a node holds
/// this image and is not known to have pulled it since.
pub fn runs_from_cache(a: &Asked<'_>) -> K {
    let registry = a.pull.reference.as_ref().map(|r| r.host.as_str()).unwrap_or("");
    if let Some(event) = a.index.present(registry).first() {
        return yes_no(true, Evidence::of(&event.source));
    }
    let pulled = |node: &str| {
        let by_event = a.index.pulled(&a.pull.image).iter().any(|e| e.node.as_deref() == Some(node));
        by_event || a.index.logged_pulls(&a.pull.image).iter().any(|r| r.node.as_deref() == Some(node))
    };
    match a.index.holders(&a.pull.image).iter().find(|(node, _)| Some(*node) != a.node() && !pulled(node)) {
        Some((_, source)) => yes_no(true, Evidence::of(source)),
        None => yes_no(false, a.by_text()),
    }
}

/// The registry's host, where the error that event and pod show is the registry's own, whatever the runtime's log tells of a
/// mirror; null where they show a mirror's.
pub fn shown_fallback(a: &Asked<'_>) -> K {
    let is_shown = |t: &&Try| matches!(t.carrier, Carrier::Waiting | Carrier::Event | Carrier::Pasted) && t.attempt.symptom != Symptom::BackOffOnly;
    let shown = a.pull.tries.iter().rev().filter(|t| !t.noise && a.pull.is_current(t)).find(is_shown).unwrap_or(a.told);
    let registry = || a.pull.reference.as_ref().map(|r| r.bare_host().to_owned());
    let host = shown.attempt.host.clone().or_else(registry).filter(|_| shown.attempt.endpoint == Some(Endpoint::Registry));
    let evidence = Evidence { sources: shown.sources.clone(), guessed: false };
    match host {
        Some(host) => Known::Seen(Value::Text(host), evidence),
        None => Known::Absent(evidence),
    }
}

/// Whether the stop is at a host that the reference does not name, and that is not a proxy which could not be reached.
pub fn at_another_host(a: &Asked<'_>) -> K {
    let foreign = matches!(a.stop.endpoint, Some(Endpoint::Blob | Endpoint::Auth | Endpoint::Proxy)) && !a.at_registry_host();
    yes_no(foreign && !super::proxy::is_proxy_itself(a), a.by_text())
}

/// Whether somebody's request to the registry's own host was answered, from wherever it was made.
pub fn registry_answers(a: &Asked<'_>) -> K {
    answered(a, &[200, 401])
}

/// Whether it was answered with the challenge, 401.
pub fn registry_challenges(a: &Asked<'_>) -> K {
    answered(a, &[401])
}

fn answered(a: &Asked<'_>, statuses: &[u16]) -> K {
    let registry = a.pull.reference.as_ref().map(|r| r.bare_host()).unwrap_or("");
    let answer = a.facts.requests.iter().find(|r| r.value.host == registry && r.value.status.is_some_and(|s| statuses.contains(&s)));
    match answer {
        Some(request) => yes_no(true, Evidence::of(&request.source)),
        None => yes_no(false, a.by_text()),
    }
}

/// Whether somebody's docker login succeeded.
pub fn login_succeeded(a: &Asked<'_>) -> K {
    hinted(a, Hint::Login)
}

/// Whether an error is of `ctr`, `nerdctl` or another client that reads none of the settings with which the kubelet pulls.
pub fn another_client_tested(a: &Asked<'_>) -> K {
    hinted(a, Hint::AnotherClient)
}

/// Whether a TLS test says that all is well and saw no certificate.
pub fn no_certificate_seen(a: &Asked<'_>) -> K {
    hinted(a, Hint::NoCertificateSeen)
}

/// Whether a check of the registry speaks of permission, and its own text holds an error of the network.
pub fn check_names_permission(a: &Asked<'_>) -> K {
    hinted(a, Hint::CheckNamesPermission)
}

fn hinted(a: &Asked<'_>, what: Hint) -> K {
    match a.facts.hints.iter().find(|h| h.what == what) {
        Some(hint) => yes_no(true, Evidence::of(&hint.source)),
        None => yes_no(false, a.by_text()),
    }
}
