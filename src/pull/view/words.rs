//! What do the error's own words say? Always known: what the text does not say, it does not say.

use super::{Asked, Value, said, yes_no};
use crate::facts::Known;
use crate::message::{Endpoint, Symptom};

type K = Known<Value>;

/// The symptom's name.
pub fn symptom(a: &Asked<'_>) -> K {
    Known::Seen(Value::Text(a.stop.symptom.name().into()), a.by_text())
}

/// The rung.
pub fn stage(a: &Asked<'_>) -> K {
    said(a, a.stop.stage, |s| Value::Text(s.name().into()))
}

/// The HTTP status.
pub fn status(a: &Asked<'_>) -> K {
    said(a, a.stop.status, |s| Value::Int(i64::from(s)))
}

/// The endpoint's role.
pub fn role(a: &Asked<'_>) -> K {
    said(a, a.stop.endpoint, |e| Value::Text(e.name().into()))
}

/// The host.
pub fn host(a: &Asked<'_>) -> K {
    said(a, a.stop.host.clone(), Value::Text)
}

/// The port.
pub fn port(a: &Asked<'_>) -> K {
    said(a, a.stop.port, |p| Value::Int(i64::from(p)))
}

/// The address.
pub fn address(a: &Asked<'_>) -> K {
    a.address().map(|x| Value::Text(x.to_string()))
}

/// Whether the address is an IPv6 one.
pub fn is_ipv6(a: &Asked<'_>) -> K {
    a.address().map(|x| Value::Bool(x.is_ipv6()))
}

/// Whether the host is the one that the reference names.
pub fn is_registry_host(a: &Asked<'_>) -> K {
    yes_no(a.at_registry_host(), a.by_text())
}

/// Whether the host is this machine itself.
pub fn host_is_loopback(a: &Asked<'_>) -> K {
    yes_no(is_loopback(a.host().unwrap_or("")), a.by_text())
}

/// Whether a host is the machine itself.
pub(super) fn is_loopback(host: &str) -> bool {
    host == "localhost" || host.ends_with(".localhost") || host.parse::<std::net::IpAddr>().is_ok_and(|x| x.is_loopback())
}

/// Whether the name exists only in the cluster's own DNS.
pub fn name_is_cluster_internal(a: &Asked<'_>) -> K {
    let host = a.host().unwrap_or("").trim_end_matches('.');
    let internal = host.ends_with(".svc") || host.ends_with(".svc.cluster.local") || host.ends_with(".cluster.local");
    // A bare word is a service's short name; a registry that people run has a dot.
    let bare = !host.is_empty() && !host.contains('.') && !host.contains(':') && host != "localhost" && a.stop.endpoint != Some(Endpoint::Proxy);
    // Whether a bare word is a service's or a host's of a search domain, the word alone does not tell.
    yes_no(internal || bare, a.by_text().guessed(bare))
}

/// Whether what was looked up is a scheme, which a malformed proxy address leaves.
pub fn name_is_scheme(a: &Asked<'_>) -> K {
    yes_no(matches!(a.host(), Some("http" | "https" | "socks5")), a.by_text())
}

/// Whether the URL carried `?ns=`.
pub fn via_mirror(a: &Asked<'_>) -> K {
    yes_no(a.attempt().via_mirror, a.by_text())
}

/// Whether credentials were sent.
pub fn credentials(a: &Asked<'_>) -> K {
    match a.attempt().credentials {
        Some(sent) => yes_no(sent, a.by_text()),
        None => Known::NotCollected("kubelet-log"),
    }
}

/// Whether the text says that none were sent.
pub fn anonymous(a: &Asked<'_>) -> K {
    yes_no(a.attempt().credentials == Some(false), a.by_text())
}

/// The service that the runtime does not offer.
pub fn service(a: &Asked<'_>) -> K {
    said(a, a.attempt().detail.service.clone(), Value::Text)
}

/// The media type.
pub fn media_type(a: &Asked<'_>) -> K {
    let from_text = a.attempt().text.contains("schema 1 support").then(|| "application/vnd.docker.distribution.manifest.v1".to_owned());
    said(a, a.attempt().detail.media_type.clone().or(from_text), Value::Text)
}

/// The last progress.
pub fn progress(a: &Asked<'_>) -> K {
    said(a, a.attempt().detail.progress, |p| Value::Text(p.into()))
}

/// The candidate authority that failed to verify.
pub fn candidate_authority(a: &Asked<'_>) -> K {
    said(a, a.attempt().detail.candidate_authority.clone(), Value::Text)
}

/// Whether no system roots could be loaded.
pub fn no_system_roots(a: &Asked<'_>) -> K {
    yes_no(a.attempt().detail.no_system_roots, a.by_text())
}

/// Whether the image is there and was pulled with other credentials.
pub fn lacks_auth(a: &Asked<'_>) -> K {
    yes_no(a.attempt().detail.lacks_auth, a.by_text())
}

/// Whether the layer's archive ended too early.
pub fn ended_early(a: &Asked<'_>) -> K {
    yes_no(a.attempt().detail.ended_early, a.by_text())
}

/// Whether the kubelet could not decode a pull secret.
pub fn secret_unreadable(a: &Asked<'_>) -> K {
    yes_no(a.attempt().detail.secret_unreadable, a.by_text())
}

/// Whether Windows' layer import failed.
pub fn windows_import(a: &Asked<'_>) -> K {
    yes_no(a.attempt().detail.windows_import, a.by_text())
}

/// Whether the provider's binary could not be run.
pub fn provider_missing(a: &Asked<'_>) -> K {
    yes_no(a.attempt().detail.provider_missing, a.by_text())
}

/// Whether the errno was EPERM.
pub fn not_permitted(a: &Asked<'_>) -> K {
    yes_no(a.attempt().detail.not_permitted, a.by_text())
}

/// Whether the proxy was reached and told of the destination.
pub fn proxy_replied(a: &Asked<'_>) -> K {
    yes_no(a.attempt().detail.proxy_replied, a.by_text())
}

/// Whether the kernel says that no route leads there.
pub fn no_route(a: &Asked<'_>) -> K {
    yes_no(a.attempt().detail.no_route, a.by_text())
}

/// Whether no nameserver is configured.
pub fn no_dns_config(a: &Asked<'_>) -> K {
    yes_no(a.attempt().detail.no_dns_config, a.by_text())
}

/// The registry's error code.
pub fn code(a: &Asked<'_>) -> K {
    said(a, a.attempt().detail.code.clone(), Value::Text)
}

/// The TLS alert.
pub fn alert(a: &Asked<'_>) -> K {
    said(a, a.attempt().detail.alert.clone(), Value::Text)
}

/// The address under which the registry saw the client.
pub fn client_address(a: &Asked<'_>) -> K {
    said(a, a.attempt().client_address.clone(), Value::Text)
}

/// Bytes that arrived.
pub fn bytes_got(a: &Asked<'_>) -> K {
    said(a, a.attempt().detail.sizes, |(got, _)| Value::Int(i64::try_from(got).unwrap_or(i64::MAX)))
}

/// Bytes that were expected.
pub fn bytes_expected(a: &Asked<'_>) -> K {
    said(a, a.attempt().detail.sizes, |(_, want)| Value::Int(i64::try_from(want).unwrap_or(i64::MAX)))
}

/// Names in the certificate.
pub fn certificate_names(a: &Asked<'_>) -> K {
    Known::Seen(Value::List(a.attempt().detail.certificate_names.clone()), a.by_text())
}

/// The code with which a script ended, where the text tells it.
pub fn exit_code(a: &Asked<'_>) -> K {
    let text = &a.attempt().text;
    let code = ["exit status=", "exit status: ", "\"ExitCode\": \"", "\"ExitCode\":\""].iter().find_map(|mark| {
        let digits: String = text.split_once(mark)?.1.chars().take_while(char::is_ascii_digit).collect();
        digits.parse::<i64>().ok()
    });
    said(a, code, Value::Int)
}

/// Whether the text names the host of a registry.
pub fn names_registry(a: &Asked<'_>) -> K {
    let text = &a.attempt().text;
    yes_no(["mcr.microsoft.com", ".azurecr.io", "docker.io", "registry"].iter().any(|r| text.contains(r)), a.by_text())
}

/// Whether an attempt of the same list got further with credentials.
pub fn earlier_got_further(a: &Asked<'_>) -> K {
    let noisy = a
        .pull
        .tries
        .iter()
        .any(|t| t.noise && matches!(t.attempt.symptom, Symptom::AnonymousUnauthorized | Symptom::AnonymousForbidden | Symptom::Unauthorized));
    yes_no(noisy, a.by_text())
}

/// Whether the kubelet's rate limiter spoke beside another error.
pub fn qps_beside(a: &Asked<'_>) -> K {
    let beside = a.stop.symptom != Symptom::PullQpsExceeded && a.pull.tries.iter().any(|t| t.attempt.symptom == Symptom::PullQpsExceeded);
    yes_no(beside, a.by_text())
}

/// Who speaks so, and from which version to which.
pub fn speaker(a: &Asked<'_>) -> K {
    said(a, crate::message::fingerprint(&a.attempt().text), |f| Value::Text(f.shown()))
}

/// Whether the runtime that the node reports cannot have said it.
pub fn contradicts_node_runtime(a: &Asked<'_>) -> K {
    let Some(print) = crate::message::fingerprint(&a.attempt().text) else { return yes_no(false, a.by_text()) };
    super::cache::node_runtime(a).map(|v| Value::Bool(matches!(v, Value::Text(t) if print.contradicts(&t))))
}

/// Whether the words may hide another host's error: containerd 2 tells one error of several hosts, and of two prefers
/// `not found`. The runtime's log has one line for each.
pub fn may_hide_another_host(a: &Asked<'_>) -> K {
    let not_found = matches!(a.stop.symptom, Symptom::TagNotFound | Symptom::RepositoryNotFound | Symptom::DigestNotFound);
    let second = super::cache::node_runtime(a).seen().is_some_and(|v| matches!(v, Value::Text(t) if t.starts_with("containerd://2")));
    let mirrored = super::request::mirror_host(a).seen().is_some();
    let logged = a.pull.tries.iter().any(|t| t.carrier == super::super::Carrier::RuntimeLog);
    if not_found && second && mirrored && !logged { Known::NotCollected("containerd-log") } else { yes_no(false, a.by_text()) }
}

/// Whether the sandbox image is meant.
pub fn sandbox(a: &Asked<'_>) -> K {
    yes_no(a.pull.sandbox, a.by_text())
}

/// Whether the same image was pulled on the same node since.
pub fn recovered(a: &Asked<'_>) -> K {
    match &a.pull.recovered {
        Some(r) => yes_no(true, crate::facts::Evidence::of(&r.source)),
        None => yes_no(false, a.by_text()),
    }
}
