//! Which attempt decides, and has the pull succeeded since?

use jiff::SignedDuration;

use crate::facts::{Event, When};
use crate::message::{Attempt, Endpoint, Reference, Stage, Symptom};

use super::{Carrier, Index, Pull, Recovery, Stop, Try};

/// Attempts within this time of the latest belong to one round of credentials and hosts.
pub(super) const ROUND: SignedDuration = SignedDuration::from_secs(180);

/// Whether an attempt belongs to the round of the one that decides. What has no time may.
pub(super) fn is_of_round(t: &Try, decided: &Try) -> bool {
    decided.when.seconds_after(&t.when).is_none_or(|s| s <= ROUND.as_secs())
}

/// How long before the latest failure a log may break off and still tell of the same series of tries: the kubelet waits five
/// minutes at most between two.
const SERIES: SignedDuration = SignedDuration::from_mins(15);

/// Whether an attempt belongs to the last round of a log that breaks off a few tries before the latest failure, and that ended
/// with the same error. `is_latest` tells what belongs to that failure.
fn is_of_series(t: &Try, tries: &[Try], is_latest: impl Fn(&Try) -> bool) -> bool {
    let near = |a: &Try, b: &Try, most: SignedDuration| b.when.seconds_after(&a.when).is_some_and(|s| s.abs() <= most.as_secs());
    let same = |a: &Attempt, b: &Attempt| a.symptom == b.symptom && a.stage == b.stage && a.endpoint == b.endpoint && a.host == b.host;
    let shown: Vec<&Try> = tries.iter().filter(|e| e.carrier != Carrier::RuntimeLog && is_latest(e) && near(t, e, SERIES)).collect();
    let mut round = tries.iter().filter(|r| r.carrier == Carrier::RuntimeLog && near(t, r, ROUND));
    is_of_last_logged_round(t, tries) && round.any(|r| shown.iter().any(|e| same(&r.attempt, &e.attempt)))
}

/// Whether an attempt belongs to the last round of a log that breaks off before the failure that decides. What that round
/// showed may be so still.
pub(super) fn is_of_last_logged_round(t: &Try, tries: &[Try]) -> bool {
    let logged = || tries.iter().filter(|other| other.carrier == Carrier::RuntimeLog);
    t.carrier == Carrier::RuntimeLog && !logged().any(|other| other.when.seconds_after(&t.when).is_some_and(|s| s > ROUND.as_secs()))
}

pub(super) fn settle(pull: &mut Pull, index: &Index<'_>) {
    pull.deciding = deciding(&pull.tries);
    mark_noise(pull);
    if let Some(decided) = pull.decided_by() {
        pull.stop = stop(decided, pull);
    }
    pull.recovered = recovery(pull, index);
}

/// How far an attempt came, as a number: a token or blob host stands behind the registry's own rungs.
fn progress(t: &Try) -> i32 {
    let rung = t.attempt.stage.map_or(-1, |s| s as i32);
    match t.attempt.endpoint {
        Some(Endpoint::Auth) if rung < Stage::Authorize as i32 => 40 + rung,
        Some(Endpoint::Blob) => 70 + rung,
        _ => rung * 10,
    }
}

/// Words that never are the cause while another error stands beside them.
fn is_secondary(symptom: Symptom) -> bool {
    matches!(
        symptom,
        Symptom::BackOffOnly
            | Symptom::PullQpsExceeded
            | Symptom::PullCanceled
            | Symptom::PullSecretUnretrievable
            | Symptom::PullPending
            | Symptom::Unrecognized
            | Symptom::RequestTimeout
    )
}

fn deciding(tries: &[Try]) -> Option<usize> {
    let primary: Vec<usize> = (0..tries.len()).filter(|i| tries.get(*i).is_some_and(|t| !is_secondary(t.attempt.symptom))).collect();
    let pool: Vec<usize> = if primary.is_empty() { (0..tries.len()).collect() } else { primary };
    // The latest of each way to tell a time: a stamp, an age, a day without a year.
    let times: Vec<When> = pool.iter().filter_map(|i| tries.get(*i).map(|t| t.when)).collect();
    let current = |t: &Try| !times.iter().any(|other| other.seconds_after(&t.when).is_some_and(|s| s > ROUND.as_secs()));
    let counts = |t: &Try| current(t) || is_of_series(t, tries, current);
    pool.iter().copied().filter(|i| tries.get(*i).is_some_and(counts)).max_by_key(|i| {
        tries.get(*i).map(|t| {
            let known = i32::from(!is_secondary(t.attempt.symptom) || t.attempt.symptom == Symptom::RequestTimeout);
            let back_off = t.attempt.symptom != Symptom::BackOffOnly;
            // Among equals the last tried: the registry behind its mirrors; then the more trusted source.
            (back_off, known, t.attempt.credentials != Some(false), progress(t), t.attempt.endpoint != Some(Endpoint::Mirror), std::cmp::Reverse(t.carrier), *i)
        })
    })
}

/// Anonymous retries that came less far, and words that stand beside the real error, are noise.
fn mark_noise(pull: &mut Pull) {
    let Some(decided) = pull.decided_by() else { return };
    let (reached, symptom) = (progress(decided), decided.attempt.symptom);
    let deciding = pull.deciding;
    let sent = decided.attempt.credentials == Some(true);
    for (i, t) in pull.tries.iter_mut().enumerate() {
        let retry =
            t.attempt.credentials == Some(false) && (progress(t) < reached || (sent && progress(t) == reached)) && symptom != Symptom::AnonymousUnauthorized;
        t.noise = Some(i) != deciding && (retry || (is_secondary(t.attempt.symptom) && t.attempt.symptom != symptom));
    }
}

fn stop(decided: &Try, pull: &Pull) -> Stop {
    let a = &decided.attempt;
    let registry = matches!(a.endpoint, Some(Endpoint::Registry));
    let own = pull.reference.as_ref().filter(|_| registry);
    let port = own.and_then(|r| r.host.rsplit_once(':')).and_then(|(_, p)| p.parse().ok());
    Stop {
        endpoint: a.endpoint,
        host: a
            .host
            .clone()
            .or_else(|| own.map(|r| r.bare_host().to_owned()))
            .or_else(|| pull.reference.as_ref().filter(|_| a.symptom == Symptom::BackOffOnly).map(|r| r.bare_host().to_owned())),
        port: a.port.or(port),
        stage: a.stage,
        symptom: a.symptom,
        address: a.address,
        resolver: a.resolver,
        status: a.status,
    }
}

/// A later `Pulled` on the same node, or a later `already present` unless the policy is Always.
fn recovery(pull: &Pull, index: &Index<'_>) -> Option<Recovery> {
    let (apart, told): (Vec<When>, Vec<When>) = pull.tries.iter().map(|t| t.when).partition(|when| when.elsewhere.is_some());
    let failed = [told.into_iter().max_by_key(When::key), apart.into_iter().max_by_key(When::key)];
    // Of two clocks that disagree, each must show a success after its own last failure.
    let [by_events, by_log] = failed;
    let log_recovered = |failure: &When| index.logged_pulls(&pull.image).iter().any(|r| r.node == pull.node && r.when.is_after(failure) == Some(true));
    if by_log.is_some_and(|failure| !log_recovered(&failure)) {
        return None;
    }
    let failed = by_events.or(by_log)?;
    let later = |when: &When| when.is_after(&failed) == Some(true);
    let here = |node: Option<&str>| pull.node.as_deref() == node;
    // Where no node is named, only the same pod's success is surely on the same one.
    let same = |e: &Event| pull.node.is_some() || pull.pods.is_empty() || super::gather::pod_of(e).is_some_and(|p| pull.pods.contains(&p));
    let event = index.pulled(&pull.image).iter().find(|e| later(&e.last) && here(e.node.as_deref()) && same(e) && counts(e, pull, index));
    if let Some(event) = event {
        return Some(Recovery { at: event.last.at, source: event.source.clone() });
    }
    // A log names no pod: whose credentials those were, it does not tell.
    let anybodys = !(of_credentials(pull) && asks_always(pull, index));
    let record = index.logged_pulls(&pull.image).iter().find(|r| anybodys && later(&r.when) && here(r.node.as_deref()));
    if let Some(record) = record {
        return Some(Recovery { at: record.when.at, source: record.source.clone() });
    }
    // The very pod that failed runs with the image now.
    let pod = index.pod(pull.pods.iter().next().filter(|_| pull.pods.len() == 1)?)?;
    let runs = pod.node == pull.node && pod.waiting.is_empty() && pod.started.iter().any(|i| is(i, pull));
    runs.then(|| Recovery { at: None, source: pod.source.clone() })
}

fn is(image: &str, pull: &Pull) -> bool {
    image == pull.written || Reference::parse(image).is_some_and(|r| r.to_string() == pull.image)
}

/// A success counts where it would be this pull's too. A cached image helps nobody whose policy asks the registry all the
/// same, and another pod's pull shows nothing of this one's credentials there.
fn counts(event: &Event, pull: &Pull, index: &Index<'_>) -> bool {
    let cached = event.message.contains("already present");
    let own = super::gather::pod_of(event).is_some_and(|p| pull.pods.contains(&p));
    !((cached || (of_credentials(pull) && !own)) && asks_always(pull, index))
}

fn of_credentials(pull: &Pull) -> bool {
    matches!(pull.stop.stage, Some(Stage::Authenticate | Stage::Authorize))
}

/// Whether the policy asks the registry each time: as a pod says, else as the tag `latest` has it by default.
fn asks_always(pull: &Pull, index: &Index<'_>) -> bool {
    let policies: Vec<Option<&str>> = pull
        .pods
        .iter()
        .filter_map(|p| index.pod(p))
        .flat_map(|pod| pod.images.iter().filter(|(i, _)| is(i, pull)).map(|(_, policy)| policy.as_deref()))
        .collect();
    let told = policies.iter().flatten().copied().collect::<Vec<_>>();
    if told.is_empty() {
        return pull.reference.as_ref().is_some_and(|r| r.digest.is_none() && r.tag.as_deref() == Some("latest"));
    }
    told.contains(&"Always")
}
