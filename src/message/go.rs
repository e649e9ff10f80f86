//! What do Go's net, url and tls packages print round a system's error? URLs, dials, look-ups, sockets, X.509.
//!
//! `Head "https://r.example/v2/a/manifests/1": dial tcp: lookup r.example on 10.0.0.10:53: no such host`

use nom::branch::alt;
use nom::bytes::complete::{tag, take_till, take_till1};
use nom::combinator::{map, opt, value};
use nom::sequence::{pair, preceded};
use nom::{IResult, Parser};

use super::token::{Parsed, Token};
use super::url::{self, address, host_port};
use super::words::Symptom;
use super::{Detail, Symptom as S};
use crate::text;

pub(super) fn token(input: &str) -> Parsed<'_> {
    alt((status_url, url_error, proxy, dial, lookup, transfer, x509, alert, bare_url)).parse(input)
}

pub(super) fn fail<T>(input: &str) -> IResult<&str, T> {
    Err(nom::Err::Error(nom::error::Error::new(input, nom::error::ErrorKind::Fail)))
}

/// A URL without quotes ends at a blank, at `: `, or where somebody lost the blank (`...alpine:x509:`).
fn plain_url(input: &str) -> IResult<&str, &str> {
    let (_, word) = take_till1(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '<' | '>' | '`' | ')' | ','))(input)?;
    let word = word.split(":x509").next().unwrap_or(word).trim_end_matches([':', ']', ';', '.', '"']);
    match input.get(word.len()..) {
        Some(rest) if word.contains("://") => Ok((rest, word)),
        _ => fail(input),
    }
}

fn any_url(input: &str) -> IResult<&str, String> {
    if let Some((quoted, rest)) = text::unquote(input) {
        return if quoted.contains("://") { Ok((rest, quoted)) } else { fail(input) };
    }
    plain_url(input).map(|(rest, url)| (rest, url.to_owned()))
}

fn placed(url: &str, first_hop: bool) -> Token {
    match url::parse(url) {
        Some(url) => Token::Url { url, first_hop },
        // A URL that ends behind its scheme was cut; one with a path and no host cannot be asked.
        None if url.ends_with("://") => Token::Envelope,
        None => Token::says(S::RuntimeConfigInvalid, 30),
    }
}

/// containerd: `unexpected status from HEAD request to URL: ` names the last hop, `unexpected status code URL: ` the first.
fn status_url(input: &str) -> Parsed<'_> {
    let last = (tag("unexpected status from "), take_till1(|c: char| c == ' '), tag(" request to "));
    alt((map(preceded(last, any_url), |url| placed(&url, false)), map(preceded(tag("unexpected status code "), any_url), |url| placed(&url, true))))
        .parse(input)
}

fn url_error(input: &str) -> Parsed<'_> {
    let verb = alt((tag("Head "), tag("Get "), tag("Post "), tag("Put "), tag("HEAD "), tag("GET "), tag("POST ")));
    map(preceded(verb, any_url), |url| placed(&url, false)).parse(input)
}

fn bare_url(input: &str) -> Parsed<'_> {
    let (_, _) = alt((tag("https://"), tag("http://"))).parse(input)?;
    map(plain_url, |url| placed(url, false)).parse(input)
}

fn proxy(input: &str) -> Parsed<'_> {
    alt((value(Token::Proxy, pair(tag("proxyconnect "), opt(tag("tcp: ")))), value(Token::Proxy, pair(tag("socks connect tcp "), take_till(|c| c == ' ')))))
        .parse(input)
}

/// `dial tcp 10.1.2.3:443: `, `dial tcp 10.0.0.5:0->10.1.2.3:443: `, `dial tcp: ` in front of a look-up.
fn dial(input: &str) -> Parsed<'_> {
    let (rest, _) = tag("dial ")(input)?;
    let (rest, net) = alt((tag("tcp4"), tag("tcp6"), tag("tcp"), tag("udp"), tag("unix"))).parse(rest)?;
    if net == "unix" {
        return map(take_till(|c: char| c == '\n'), |_| Token::Socket).parse(rest);
    }
    let Ok((after, word)) = preceded(tag(" "), take_till1(|c: char| c.is_whitespace())).parse(rest) as IResult<&str, &str> else {
        return Ok((rest.strip_prefix(':').unwrap_or(rest), Token::Envelope));
    };
    let word = word.trim_end_matches([':', ',', '"']);
    // `dial tcp lookup x` and `dial tcp: address x: missing port` hold no address.
    if word == "lookup" || word == "address" {
        return Ok((rest, Token::Envelope));
    }
    let (source, target) = match word.split_once("->") {
        Some((source, target)) => (Some(source), target),
        None => (None, word),
    };
    let (host, port) = host_port(target);
    // What the text's end cuts off may go on: an address before its port, a port before its last digits.
    let ends = after.is_empty() && !rest.trim_end().ends_with(':');
    if ends && port.is_none() {
        return Ok((after, Token::Envelope));
    }
    let port = port.filter(|_| !ends);
    let source = source.and_then(|s| address(&host_port(s).0));
    let dialled = address(&host);
    Ok((after, Token::Dial { address: dialled, host: dialled.is_none().then_some(host), port, source }))
}

fn lookup(input: &str) -> Parsed<'_> {
    let (rest, name) = preceded(tag("lookup "), take_till1(|c: char| c.is_whitespace())).parse(input)?;
    let name_text = name.trim_end_matches(':').trim_end_matches('.');
    if name_text.is_empty() || name_text.starts_with("address") {
        return fail(input);
    }
    let (rest, resolver) = opt(preceded(tag(" on "), take_till1(|c: char| c.is_whitespace()))).parse(rest)?;
    let resolver = resolver.map(|r| host_port(r.trim_end_matches([':', '"']))).filter(|(_, port)| port.is_some() || !rest.is_empty());
    let resolver = resolver.and_then(|(host, _)| address(&host));
    let (name, _) = host_port(name_text);
    Ok((rest, Token::Lookup { name, resolver }))
}

/// `read tcp 10.240.0.5:51234->10.1.2.3:443: `
fn transfer(input: &str) -> Parsed<'_> {
    let (rest, _) = alt((tag("read "), tag("write "))).parse(input)?;
    let (rest, _) = alt((tag("tcp "), tag("udp "), tag("tcp4 "), tag("tcp6 "))).parse(rest)?;
    let (rest, word) = take_till1(|c: char| c.is_whitespace())(rest)?;
    let Some((source, peer)) = word.trim_end_matches(':').split_once("->") else { return fail(input) };
    let (peer, port) = host_port(peer);
    let peer = address(&peer).filter(|_| port.is_some() || !rest.is_empty());
    Ok((rest, Token::Transfer { source: address(&host_port(source).0), peer }))
}

fn with(symptom: Symptom, detail: Detail) -> Token {
    Token::Says { symptom, weight: 90, detail: Box::new(detail) }
}

fn to_line_end(input: &str) -> IResult<&str, &str> {
    take_till(|c: char| c == '\n').parse(input)
}

fn x509(input: &str) -> Parsed<'_> {
    alt((
        map(preceded(tag("certificate signed by unknown authority"), opt((tag(" (possibly because of "), to_line_end))), |hint| {
            // The authority may be the right one and its signature of a kind that is refused.
            if hint.is_some_and(|(_, rest): (&str, &str)| rest.contains("insecure algorithm") || rest.contains("algorithm unimplemented")) {
                return with(S::CertificateUnacceptable, Detail::default());
            }
            let candidate =
                hint.map(|(_, rest)| rest.rsplit_once("authority certificate ").map_or("", |(_, name)| name).trim_matches(['"', ')', ' ', ']']).to_owned());
            with(S::IssuerUnknown, Detail { candidate_authority: candidate, ..Detail::default() })
        }),
        map(preceded(tag("certificate has expired or is not yet valid"), opt(preceded(tag(": current time "), to_line_end))), validity),
        map(preceded(tag("certificate is valid for "), to_line_end), |rest| {
            let names = rest.split(", not ").next().unwrap_or(rest).split(" names, but none").next().unwrap_or("");
            with(S::CertificateNameMismatch, Detail { certificate_names: names.split(", ").take(20).map(str::to_owned).collect(), ..Detail::default() })
        }),
        value(with(S::IssuerUnknown, Detail { no_system_roots: true, ..Detail::default() }), pair(tag("failed to load system roots"), to_line_end)),
    ))
    .parse(input)
}

fn validity(rest: Option<&str>) -> Token {
    let Some(rest) = rest else { return Token::says(S::CertificateOutsideValidity, 90) };
    for (mark, symptom) in [(" is after ", S::CertificateExpired), (" is before ", S::CertificateNotYetValid)] {
        if let Some((now, bound)) = rest.split_once(mark) {
            let bound = bound.split([' ', ',', '"', ')', ']']).next().unwrap_or("");
            return with(symptom, Detail { certificate_times: Some((now.trim().to_owned(), bound.to_owned())), ..Detail::default() });
        }
    }
    Token::says(S::CertificateOutsideValidity, 90)
}

fn alert(input: &str) -> Parsed<'_> {
    map(preceded(tag("remote error: tls: "), take_till1(|c: char| matches!(c, '\n' | '"' | ',' | ']'))), |alert: &str| {
        with(S::TlsAlert, Detail { alert: Some(alert.trim().to_owned()), ..Detail::default() })
    })
    .parse(input)
}
