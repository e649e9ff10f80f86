//! What do the known words of one attempt add up to? The heaviest leaf, read where it stands.
//!
//! `connection refused` is the registry's after `dial tcp`, the resolver's inside a look-up, the proxy's after
//! `proxyconnect`, and the runtime's own behind a unix socket: the place decides, the errno alone never does.

use std::net::IpAddr;

use super::place::{self, Place};
use super::reference::{DEFAULT_HOST, Reference};
use super::token::{Net, Placed, Quoted, Step, Token};
use super::url::Asks;
use super::words::{Endpoint, Stage, Symptom as S};
use super::{Attempt, Detail};
use super::{cut, registry};

/// Reads one attempt. `image` is the reference that the envelope names.
pub(super) fn attempt(tokens: &[Placed], text: &str, image: Option<&str>) -> Attempt {
    let mut place = Place::default();
    let mut reference = None;
    let mut back_off = false;
    let mut saw_status = None;
    let mut best: Option<(S, u8, Place, Detail)> = None;
    let mut offer = |symptom: S, weight: u8, place: &Place, detail: Detail| {
        if weight > 0 && symptom != S::Unrecognized && best.as_ref().is_none_or(|b| weight > b.1) {
            best = Some((symptom, weight, place.clone(), detail));
        }
    };
    for (number, placed) in tokens.iter().enumerate() {
        if place.quoting && !place.is_answer(&placed.token) {
            // It speaks of faults behind it, so it answered with one of its own.
            if matches!(placed.token, Token::Net(_) | Token::Says { .. }) {
                offer(S::ServerError, 39, &place, Detail::default());
            }
            continue;
        }
        if matches!(placed.token, Token::Quotes(Quoted::Code)) && !is_a_code(text, placed, tokens.get(number + 1)) {
            continue;
        }
        place.pass(&placed.token);
        match &placed.token {
            Token::Reference(r) | Token::Resolving(r) => reference = reference.or_else(|| Some(r.clone())),
            Token::BackOff(_) => back_off = true,
            Token::Status(code) => {
                saw_status = saw_status.or(Some((*code, place.clone())));
                offer(place.status(*code), 40, &place, Detail::default());
            }
            Token::Net(net) => {
                let (mut symptom, weight) = place.net(*net);
                if (*net, symptom) == (Net::NoSuchFile, S::LayerUnusable) {
                    symptom = place::missing_file(text.get(..placed.at).unwrap_or(""));
                }
                let detail = Detail {
                    // EACCES is a prohibit route's word, but for a program that may open no socket at all.
                    no_route: matches!(net, Net::NoRoute | Net::Unreachable) || (*net == Net::AccessDenied && !text.contains("socket: permission denied")),
                    not_permitted: *net == Net::NotPermitted,
                    ended_early: symptom == S::LayerUnusable && matches!(net, Net::Eof | Net::UnexpectedEof),
                    provider_missing: *net == Net::NoSuchFile,
                    ..Detail::default()
                };
                offer(symptom, weight, &place, detail);
            }
            Token::Quotes(Quoted::Code) => {
                if let Some(code) = text.get(placed.end..).and_then(registry::status_of_phrase) {
                    saw_status = saw_status.or(Some((code, place.clone())));
                    offer(place.status(code), 39, &place, Detail::default());
                }
            }
            Token::Says { symptom, weight, detail } => {
                // The registry's own words name the repository as it knows it, without its host.
                reference = reference.or_else(|| detail.reference.clone().filter(|_| !place.quoting));
                offer(*symptom, *weight, &place, (**detail).clone());
            }
            Token::Url { .. } => {
                if let Some(code) = trailing_status(text, placed) {
                    saw_status = saw_status.or(Some((code, place.clone())));
                    offer(place.status(code), 40, &place, Detail::default());
                }
                if let Some(symptom) = proxy_phrase(text.get(placed.end..).unwrap_or("")) {
                    let through = Place { proxy: true, ..place.clone() };
                    offer(symptom, 93, &through, Detail::default());
                }
            }
            _ => {}
        }
    }
    let reference = reference.or_else(|| image.map(str::to_owned)).or_else(|| asked_for(tokens, text));
    let mut made = Attempt { reference: reference.clone(), text: text.trim().to_owned(), ..Attempt::default() };
    match best {
        Some((symptom, _, at, detail)) => {
            made.symptom = symptom;
            made.detail = detail;
            settle(&mut made, &at, saw_status.as_ref(), reference.as_deref());
        }
        None if back_off && !tokens.iter().any(|t| matches!(t.token, Token::Step(_) | Token::Resolving(_) | Token::Url { .. })) => {
            made.symptom = S::BackOffOnly
        }
        // A snapshotter's own words are many; the code behind them shows that they are whole.
        None if place.step == Some(Step::Mount) && place.dial.is_none() && cut::is_whole(text) => {
            made.symptom = S::SnapshotFailed;
            settle(&mut made, &place, None, reference.as_deref());
        }
        None => {
            made.cut = true;
            unsettled(&mut made, &place, reference.as_deref());
        }
    }
    cut::without_cut_host(&mut made, tokens, text, reference.as_deref());
    made
}

/// The image of the URL, where no words name one and the URL is not cut off by the text's end.
fn asked_for(tokens: &[Placed], text: &str) -> Option<String> {
    let whole = tokens.iter().filter(|t| t.end < text.trim_end().len());
    whole.filter_map(|t| if let Token::Url { url, .. } = &t.token { url.image() } else { None }).next()
}

/// `unknown` is the registry's code where a clause begins with it, not at the end of `manifest unknown`, and not where a
/// runtime's own words follow, as a client of containerd puts it in front of them.
fn is_a_code(text: &str, placed: &Placed, next: Option<&Placed>) -> bool {
    let begins = text.get(..placed.at).is_none_or(|before| before.trim_end_matches([' ', '"']).ends_with([':', '\n', '-', '[']) || before.trim().is_empty());
    let runtimes = next.is_some_and(|n| {
        n.at == placed.end && matches!(n.token, Token::Step(_) | Token::Resolving(_) | Token::Reference(_) | Token::Image(_) | Token::Envelope)
    });
    begins && !runtimes
}

/// `unexpected status from HEAD request to URL: 503 Service Temporarily Unavailable`: a number there is a status, whatever
/// words the server put behind it.
fn trailing_status(text: &str, placed: &Placed) -> Option<u16> {
    let is_status = |digits: &str| digits.get(..3).and_then(|d| d.parse().ok()).filter(|code| (400..600).contains(code));
    // containers/image puts the number in front: `unexpected http code: 500 (Internal Server Error), URL: https://...`
    if text.get(..placed.at)?.ends_with("Not authorized: url ") {
        return Some(401);
    }
    if let Some((_, code)) = text.get(..placed.at)?.strip_suffix(", URL: ").and_then(|before| before.rsplit_once("unexpected http code: ")) {
        return is_status(code);
    }
    let spoken = text.get(placed.at..)?.starts_with("unexpected status");
    text.get(placed.end..)?.strip_prefix(": ").filter(|_| spoken).and_then(is_status)
}

/// A bare reason phrase behind a URL is a proxy's answer to CONNECT: a registry's answer always has other words round it.
fn proxy_phrase(after: &str) -> Option<S> {
    let rest = after.strip_prefix(": ")?;
    let end = rest.find(|c: char| !(c.is_ascii_alphabetic() || c == ' ' || c == '-' || c == '\'')).unwrap_or(rest.len());
    let phrase = rest.get(..end)?.trim();
    if !rest.get(end..)?.chars().next().is_none_or(|c| "\"\n,])|:".contains(c)) {
        return None;
    }
    match phrase {
        "Forbidden" | "Filtered" | "Access denied" | "Access Denied" | "Blocked" => Some(S::ProxyDenied),
        "Proxy Authentication Required" => Some(S::ProxyAuthenticationRequired),
        "Bad Gateway" | "Service Unavailable" | "Gateway Timeout" | "Gateway Time-out" | "Unable to connect" | "Internal Server Error" => {
            Some(S::ProxyGatewayError)
        }
        // Go repeats the proxy's own words where it does not use the standard ones.
        _ if ["block", "not allowed", "denied by", "forbid", "policy", "filter"].iter().any(|w| phrase.to_lowercase().contains(w)) => Some(S::ProxyDenied),
        _ => None,
    }
}

fn settle(made: &mut Attempt, at: &Place, status: Option<&(u16, Place)>, reference: Option<&str>) {
    made.credentials = at.credentials;
    refine(made, at, reference);
    made.status = status.filter(|(code, _)| tells_status(made.symptom, *code)).map(|(code, _)| *code);
    made.endpoint = endpoint(made.symptom, at, reference, made);
    made.stage = stage(made.symptom, at, made, status.is_some());
    // A 4xx whose page is no registry's stands at the rung that was asked.
    made.span = Some(span(made.symptom, made.stage, at));
    hosts(made, at);
    if made.symptom == S::ClientAddressDenied {
        made.client_address = made.detail.code.take();
    }
    if matches!(made.symptom, S::ResolverRefused) && made.resolver.is_some_and(|r| r.is_loopback()) && made.resolver != Some(IpAddr::from([127, 0, 0, 53])) {
        made.detail.no_dns_config = true;
    }
}

/// One symptom of a pair, by what else the text says.
fn refine(made: &mut Attempt, at: &Place, reference: Option<&str>) {
    if made.symptom == S::RuntimeUnavailable && at.is_snapshotter(&made.text) {
        made.symptom = S::SnapshotFailed;
    }
    let by_digest = reference.is_some_and(|r| r.contains("@sha256:"));
    match made.symptom {
        S::TagNotFound if by_digest => made.symptom = S::DigestNotFound,
        S::Unauthorized if at.credentials == Some(false) => made.symptom = S::AnonymousUnauthorized,
        S::Unauthorized if at.credentials == Some(true) => made.symptom = S::CredentialsRejected,
        S::InsufficientScope if at.is_blob() && made.detail.code.as_deref() == Some("denied") => made.symptom = S::Forbidden,
        S::BlobNotFound if at.asks() == Some(Asks::Manifest) => made.symptom = S::DigestNotFound,
        _ => {}
    }
    made.detail.windows_import |= made.symptom.span().0 == Stage::Unpack
        && ["hcsshim", "HCSShim", "ProcessBaseLayer", "ProcessUtilityVMImage", "windowsfilter"].iter().any(|w| made.text.contains(w));
    made.detail.secret_unreadable = made.symptom == S::CredentialsMissing && made.text.contains("illegal base64 data");
    made.detail.lacks_auth = made.text.contains("does not have the proper auth");
    made.credentials = match made.symptom {
        S::AnonymousUnauthorized | S::AnonymousForbidden | S::CredentialsMissing => Some(false),
        S::CredentialsRejected => Some(true),
        _ => at.credentials,
    };
}

/// Whether the status belongs to this symptom, not to a local daemon's API round it.
fn tells_status(symptom: S, code: u16) -> bool {
    match symptom {
        S::ServerError | S::UpstreamFailed => code >= 500,
        S::RateLimited => code == 429,
        S::Forbidden | S::AnonymousForbidden | S::ClientAddressDenied | S::PermissionDenied => code == 403,
        S::Unauthorized | S::AnonymousUnauthorized | S::CredentialsRejected => code == 401,
        S::InsufficientScope => code == 401 || code == 403,
        S::TagNotFound | S::RepositoryNotFound | S::DigestNotFound | S::BlobNotFound => code == 404,
        S::HtmlAnswer | S::BadRequest | S::OperationDisallowed => true,
        _ => false,
    }
}

fn registry_of(reference: Option<&str>) -> Option<String> {
    Some(Reference::parse(reference?)?.bare_host().to_owned())
}

/// Docker Hub serves `docker.io` from other names of its own.
fn same_host(url: &str, registry: &str) -> bool {
    url == registry || (registry == DEFAULT_HOST && matches!(url, "registry-1.docker.io" | "index.docker.io" | "registry.docker.io"))
}

fn endpoint(symptom: S, at: &Place, reference: Option<&str>, made: &mut Attempt) -> Option<Endpoint> {
    if symptom.is_local() && symptom != S::TransferStalled {
        return None;
    }
    if symptom == S::TransferStalled && made.detail.progress == Some("extracting") {
        return None;
    }
    if symptom == S::RuntimeConfigInvalid
        && ["registries configuration", "plugin config", "hosts.toml", "capability", "TOML"].iter().any(|w| made.text.contains(w))
    {
        return None;
    }
    if symptom == S::PullSecretUnretrievable
        || (symptom == S::CredentialsMissing && ["invalid decoded auth", "illegal base64"].iter().any(|w| made.text.contains(w)))
    {
        return None;
    }
    if matches!(symptom, S::RequestTimeout | S::PullCanceled) && at.url.is_none() && !at.proxy && at.dial.is_none() {
        return None;
    }
    if at.proxy || symptom == S::ProxyAuthenticationRequired {
        return Some(Endpoint::Proxy);
    }
    if matches!(symptom, S::CredentialProviderFailed | S::IdentityEndpointSilent | S::IdentityNotAssigned) {
        return Some(Endpoint::Auth);
    }
    let Some(url) = &at.url else {
        return Some(match at.step {
            // A challenge that cannot be used is the registry's; so are credentials that nobody had for it.
            _ if matches!(symptom, S::ChallengeUnusable if at.credentials.is_none()) || matches!(symptom, S::CredentialsMissing) => Endpoint::Registry,
            Some(Step::Token) => Endpoint::Auth,
            // Manifests are copied, too, and always come from the registry.
            Some(Step::Copy) if symptom.span() == (Stage::Manifest, Stage::Manifest) => Endpoint::Registry,
            // The code is a registry's: a store does not count pulls.
            Some(Step::Blob) if symptom == S::RateLimited && made.detail.code.is_some() => Endpoint::Registry,
            Some(Step::Blob | Step::Copy | Step::Body | Step::Commit) => Endpoint::Blob,
            _ if symptom == S::RuntimeConfigInvalid && made.text.contains("from mirrors") => Endpoint::Mirror,
            _ if stage(symptom, at, made, false) == Some(Stage::Blob) => Endpoint::Blob,
            _ if symptom == S::Unauthorized && made.text.contains("unable to retrieve auth token") => Endpoint::Auth,
            _ if symptom == S::CredentialsRejected && made.text.contains("unable to retrieve auth token") => Endpoint::Auth,
            _ => Endpoint::Registry,
        });
    };
    let registry = registry_of(reference);
    let own = registry.as_deref().is_none_or(|r| same_host(&url.host, r));
    made.via_mirror = url.namespace.as_deref().is_some_and(|ns| !same_host(&url.host, &ns.to_lowercase()) || ns.contains(':'));
    Some(match url.asks {
        _ if made.via_mirror => Endpoint::Mirror,
        Asks::Token | Asks::Identity => Endpoint::Auth,
        Asks::Blob if at.itself || (own && registry.is_some() && (!at.first_hop || at.step == Some(Step::Resolve))) => Endpoint::Registry,
        Asks::Blob => Endpoint::Blob,
        Asks::Manifest | Asks::Ping => Endpoint::Registry,
        Asks::Other if at.step == Some(Step::Token) => Endpoint::Auth,
        Asks::Other if matches!(at.step, Some(Step::Blob | Step::Copy)) && !(own && registry.is_some()) => Endpoint::Blob,
        Asks::Other => Endpoint::Registry,
    })
}

/// The rung by what was asked, for answers that any rung can get.
fn asked(at: &Place) -> Option<Stage> {
    match (at.asks(), at.step) {
        (Some(Asks::Token | Asks::Ping | Asks::Identity), _) => Some(Stage::Authenticate),
        (Some(Asks::Manifest), _) => Some(Stage::Manifest),
        (Some(Asks::Blob), _) => Some(Stage::Blob),
        (_, Some(Step::Token | Step::Ping | Step::Provider)) => Some(Stage::Authenticate),
        (_, Some(Step::Manifest | Step::Resolve)) => Some(Stage::Manifest),
        (_, Some(Step::Copy | Step::Blob | Step::Body | Step::Commit)) => Some(Stage::Blob),
        (_, Some(Step::Unpack | Step::Mount)) => Some(Stage::Unpack),
        _ => None,
    }
}

fn stage(symptom: S, at: &Place, made: &Attempt, status: bool) -> Option<Stage> {
    match symptom {
        S::ServerError | S::RateLimited | S::RedirectFailed | S::HeaderTimeout | S::BadRequest => asked(at).or(symptom.usual()),
        S::AnswerMalformed if asked(at).is_none() && ["content range", "Content-Encoding"].iter().any(|w| made.text.contains(w)) => Some(Stage::Blob),
        S::AnswerMalformed => asked(at).or(symptom.usual()),
        S::HtmlAnswer => asked(at).filter(|s| *s != Stage::Unpack).or(if status { Some(Stage::Authenticate) } else { symptom.usual() }),
        S::Forbidden if at.is_blob() => Some(Stage::Blob),
        S::ConnectionReset | S::ClosedEarly if at.in_use && at.is_blob() => Some(Stage::Blob),
        S::RequestTimeout if at.url.is_some() || at.proxy => Some(Stage::Connect),
        S::RequestTimeout | S::PullCanceled => asked(at).filter(|s| *s == Stage::Unpack),
        S::PullPending if made.text.contains("locked") => Some(Stage::Blob),
        S::TransferStalled if made.detail.progress == Some("extracting") => Some(Stage::Unpack),
        _ => symptom.usual(),
    }
}

fn span(symptom: S, stage: Option<Stage>, at: &Place) -> (Stage, Stage) {
    let (first, last) = symptom.span();
    match (stage, at.asks()) {
        // With a status or a leaf that fits one rung only, what was asked pins it.
        (Some(stage), Some(_)) if matches!(symptom, S::ServerError | S::RateLimited | S::HtmlAnswer | S::HeaderTimeout | S::BadRequest) => (stage, stage),
        _ => (first, last),
    }
}

fn hosts(made: &mut Attempt, at: &Place) {
    made.resolver = at.lookup.as_ref().and_then(|(_, resolver)| *resolver);
    made.source_address = at.source;
    if let Some((name, _)) = &at.lookup {
        made.host = Some(name.clone());
        made.port = at.url.as_ref().filter(|u| u.host == *name).and_then(|u| u.port);
    } else if let Some((address, host, port)) = &at.dial {
        made.address = *address;
        made.host = host.clone();
        made.port = *port;
    }
    made.address = made.address.or(at.peer);
    if made.endpoint.is_none() {
        return;
    }
    if made.endpoint == Some(Endpoint::Proxy) {
        // What the proxy was asked for; its own name the text does not tell.
        let refused = made.detail.proxy_replied || matches!(made.symptom, S::ProxyDenied | S::ProxyAuthenticationRequired | S::ProxyGatewayError);
        made.host = made.host.take().or_else(|| at.url.as_ref().filter(|_| refused).map(|u| u.host.clone()));
        // Nobody asks for a layer before the manifest has named it.
        made.passed = (at.asks() == Some(Asks::Blob)).then_some(Stage::Manifest);
        return;
    }
    if let Some(url) = at.url.as_ref().filter(|_| at.lookup.is_none()) {
        // A store may have answered behind the registry's own URL; another host's URL is the store's.
        let own = registry_of(made.reference.as_deref()).is_none_or(|r| same_host(&url.host, &r));
        let redirected = at.first_hop && made.endpoint == Some(Endpoint::Blob) && own;
        made.host = (!redirected).then(|| url.host.clone());
        made.port = url.port.or(made.port);
        made.address = made.address.or_else(|| url.host.parse().ok());
    }
}

/// No leaf is known: what the prefixes prove, and no more.
fn unsettled(made: &mut Attempt, at: &Place, reference: Option<&str>) {
    made.credentials = at.credentials;
    let first_and_stage = if at.socket {
        made.symptom = S::RuntimeUnavailable;
        Some((Stage::Request, Some(Stage::Request)))
    } else if at.lookup.is_some() {
        Some((Stage::Resolve, Some(Stage::Resolve)))
    } else if at.dial.is_some() {
        Some((Stage::Connect, Some(Stage::Connect)))
    } else if at.handshake {
        Some((Stage::Tls, Some(Stage::Tls)))
    } else {
        match (at.asks(), at.step) {
            (_, Some(Step::Unpack | Step::Mount)) => Some((Stage::Unpack, Some(Stage::Unpack))),
            (Some(_), _) => Some((Stage::Resolve, None)),
            (None, Some(Step::Token)) => Some((Stage::Resolve, None)),
            (None, Some(Step::Commit | Step::Body)) => Some((Stage::Blob, Some(Stage::Blob))),
            (None, Some(_)) => Some((Stage::Resolve, None)),
            (None, None) => None,
        }
    };
    let Some((first, stage)) = first_and_stage else {
        made.span = Some((Stage::Request, Stage::Unpack));
        return;
    };
    made.stage = stage;
    made.span = Some((first, stage.unwrap_or(Stage::Unpack)));
    if made.symptom == S::Unrecognized && stage != Some(Stage::Unpack) {
        made.endpoint = endpoint(S::Unrecognized, at, reference, made);
    }
    hosts(made, at);
}
