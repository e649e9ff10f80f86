//! How does containerd say where it was? Pull, resolve, authorize, copy, commit, extract.
//!
//! `failed to pull and unpack image "r.example/a:1": failed to resolve reference "r.example/a:1": <error>`

use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{tag, take_till1};
use nom::character::complete::u64 as number;
use nom::combinator::{map, opt, value};
use nom::sequence::{delimited, pair, preceded, separated_pair};

use super::Detail;
use super::docker::named;
use super::kubelet::image;
use super::token::{Parsed, Step, Token};
use super::url::{Asks, Url, host_port};
use super::words::Symptom;

fn word(input: &str) -> nom::IResult<&str, &str> {
    take_till1(|c: char| c.is_whitespace()).parse(input)
}

/// The digest of no bytes at all.
pub(super) const EMPTY_DIGEST: &str = "sha256:e3b0c442";

pub(super) fn token(input: &str) -> Parsed<'_> {
    alt((step, authorize, commit, answers, unpack)).parse(input)
}

fn step(input: &str) -> Parsed<'_> {
    alt((
        map(preceded(tag("failed to pull and unpack image "), image), Token::Reference),
        map(preceded(alt((tag("failed to resolve reference "), tag("failed to resove reference "), tag("failed to resolve image "))), image), Token::Resolving),
        value(Token::Step(Step::Resolve), tag("failed to resolve image:")),
        map(preceded(tag("failed to resolve ref "), image), Token::Resolving),
        value(
            Token::Step(Step::Copy),
            alt((tag("failed to copy:"), tag("failed to copy,"), tag("httpReadSeeker: failed open"), tag("httpReaderSeeker: failed open"))),
        ),
        value(Token::Envelope, tag("failed to do request:")),
        map((tag("pulling from host "), word, tag(" failed with status code"), opt(tag(" [manifests "))), |(_, host, _, manifest)| {
            let (host, port) = host_port(host);
            Token::Url {
                url: Url { host, port, asks: if manifest.is_some() { Asks::Manifest } else { Asks::Other }, namespace: None, manifest: None },
                first_hop: false,
            }
        }),
        value(Token::says(Symptom::TransferCut, 30), tag("failed to copy after ")),
        value(Token::says(Symptom::PullPending, 80), pair(alt((tag("failed to open writer: ref "), tag("locking ref "))), take_till1(|c: char| c == '\n'))),
    ))
    .parse(input)
}

fn authorize(input: &str) -> Parsed<'_> {
    alt((
        value(Token::Step(Step::Token), tag("failed to authorize:")),
        value(Token::Credentials(false), alt((tag("failed to fetch anonymous token"), tag("Failed to fetch anonymous token")))),
        value(Token::Credentials(true), alt((tag("failed to fetch oauth token"), tag("Failed to fetch OAuth token")))),
        // Docker names the repository.
        map(preceded(tag("pull access denied for "), image), |name| named(Symptom::InsufficientScope, 45, &name)),
        value(Token::says(Symptom::InsufficientScope, 45), tag("pull access denied")),
        value(Token::says(Symptom::InsufficientScope, 55), tag("insufficient_scope")),
        value(Token::says(Symptom::CredentialsRejected, 60), tag("server message: invalid_token")),
        value(
            Token::says(Symptom::CredentialsMissing, 70),
            alt((
                tag("no basic auth credentials"),
                tag("failed to handle basic auth because missing username or secret"),
                tag("invalid decoded auth"),
                tag("authorize header needed"),
            )),
        ),
        value(
            Token::says(Symptom::ChallengeUnusable, 70),
            alt((
                tag("no realm specified for token auth challenge"),
                tag("failed to find supported auth scheme"),
                tag("authorization server did not include a token"),
                tag("missing realm in bearer auth challenge"),
                tag("unable to decode token response: unexpected end"),
            )),
        ),
    ))
    .parse(input)
}

fn digest(input: &str) -> nom::IResult<&str, &str> {
    take_till1(|c: char| c.is_whitespace() || matches!(c, ',' | ':' | '"' | ')'))
        .and(opt(preceded(tag(":"), take_till1(|c: char| !c.is_ascii_hexdigit()))))
        .parse(input)
        .map(|(rest, (a, _))| (rest, a))
}

fn commit(input: &str) -> Parsed<'_> {
    let whole = |input| -> nom::IResult<_, String> {
        let (rest, algorithm) = tag("sha256:")(input)?;
        let (rest, hex) = nom::bytes::complete::take_while(|c: char| c.is_ascii_hexdigit())(rest)?;
        Ok((rest, format!("{algorithm}{hex}")))
    };
    let sizes = |got, expected| Token::Says {
        symptom: Symptom::SizeMismatch,
        weight: 90,
        detail: Box::new(Detail { sizes: Some((got, expected)), ..Detail::default() }),
    };
    alt((
        value(Token::Step(Step::Commit), preceded(tag("failed commit on ref "), image)),
        map(preceded(tag("unexpected commit digest "), separated_pair(whole, tag(", expected "), opt(digest))), |(got, _)| of_digest(&got)),
        map(preceded(tag("Digest did not match, expected "), separated_pair(whole, tag(", got "), opt(whole))), |(_, got)| of_digest(&got.unwrap_or_default())),
        value(
            Token::says(Symptom::DigestMismatch, 85),
            alt((tag("unexpected commit digest"), tag("Digest did not match"), tag("filesystem layer verification failed"))),
        ),
        map(preceded(tag("unexpected commit size "), separated_pair(number, tag(", expected "), number)), move |(got, want)| sizes(got, want)),
        map(preceded(tag("failed size validation: "), separated_pair(number, tag(" != "), number)), move |(got, want)| sizes(got, want)),
        value(Token::says(Symptom::SizeMismatch, 80), alt((tag("failed size validation"), tag("unexpected commit size")))),
        map(delimited(tag("short read: expected "), number, tag(" bytes but got ")).and(opt(number)), |(want, got)| Token::Says {
            symptom: Symptom::TransferCut,
            weight: 90,
            detail: Box::new(Detail { sizes: got.map(|g| (g, want)), ..Detail::default() }),
        }),
        value(Token::says(Symptom::TransferCut, 90), alt((tag("failed to read expected number of bytes"), tag("short read: expected")))),
    ))
    .parse(input)
}

/// Bytes that arrived under another digest; the digest of nothing means that nothing arrived.
pub(super) fn of_digest(got: &str) -> Token {
    let symptom = if got.starts_with(EMPTY_DIGEST) { Symptom::EmptyBody } else { Symptom::DigestMismatch };
    Token::says(symptom, 90)
}

/// ` (application/vnd.oci.image.layer.v1.tar+gzip)`, with parameters or without.
fn descriptor(input: &str) -> nom::IResult<&str, &str> {
    preceded(tag(" ("), take_till1(|c: char| matches!(c, ')' | ';' | '\n'))).parse(input)
}

fn answers(input: &str) -> Parsed<'_> {
    let media = |input| preceded(tag("unexpected media type "), take_till1(|c: char| c.is_whitespace())).parse(input);
    alt((
        map(media, |kind: &str| media_type(kind)),
        map(preceded(tag("not implemented: media type "), image), |kind| media_type(&kind)),
        value(Token::says(Symptom::NoPlatformMatch, 85), tag("no match for platform in manifest")),
        map(preceded(tag("could not fetch content descriptor "), pair(word, opt(descriptor))), |(_, kind)| match kind {
            // A manifest of the old kind: what is missing is not on the registry but in the runtime.
            Some(kind) if kind.contains("manifest.v1+") => media_type(kind),
            Some(kind) if kind.contains("manifest") || kind.contains("index") => Token::says(Symptom::DigestNotFound, 85),
            _ => Token::says(Symptom::BlobNotFound, 85),
        }),
        value(Token::Step(Step::Copy), tag("content at ")),
        value(Token::says(Symptom::PolicyRejected, 85), pair(tag("image verifier "), take_till1(|c: char| c == '\n'))),
    ))
    .parse(input)
}

/// A manifest of a kind that the runtime does not pull; a web page is a kind of its own.
pub(super) fn media_type(kind: &str) -> Token {
    let kind = kind.trim_matches(['"', ',', ':', ';']);
    if kind.starts_with("text/html") {
        return Token::says(Symptom::HtmlAnswer, 90);
    }
    Token::Says { symptom: Symptom::MediaTypeUnsupported, weight: 85, detail: Box::new(Detail { media_type: Some(kind.to_owned()), ..Detail::default() }) }
}

fn unpack(input: &str) -> Parsed<'_> {
    alt((
        value(Token::says(Symptom::SnapshotFailed, 50), tag("failed to update image store")),
        value(Token::says(Symptom::ContentMissing, 60), (tag("manifest sha256:"), take_till1(|c: char| c == ':' || c.is_whitespace()), tag(": not found"))),
        value(
            Token::Step(Step::Unpack),
            alt((
                tag("failed to extract layer"),
                tag("apply failure, attempting cleanup"),
                tag("mount callback failed on"),
                tag("failed to unpack image on snapshotter"),
                tag("unpack: "),
            )),
        ),
        value(
            Token::Step(Step::Mount),
            alt((
                tag("failed to prepare extraction snapshot"),
                tag("failed to commit snapshot"),
                tag("failed to mount "),
                tag("failed to unmount target"),
                tag("failed to create prepare snapshot dir"),
            )),
        ),
    ))
    .parse(input)
}
