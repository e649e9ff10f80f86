//! How does the Docker daemon say where it was, and cri-dockerd, and the API in front of both?
//!
//! `Error response from daemon: Get "https://r.example/v2/": <error>`

use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{tag, take_till, take_till1};
use nom::character::complete::{char, u16 as status};
use nom::combinator::{map, opt, value};
use nom::sequence::{delimited, pair, preceded, terminated};

use super::Detail;
use super::containerd::media_type;
use super::token::{Parsed, Step, Token};
use super::words::Symptom;

fn word(input: &str) -> nom::IResult<&str, &str> {
    take_till1(|c: char| c.is_whitespace() || matches!(c, '"' | ',')).parse(input)
}

pub(super) fn token(input: &str) -> Parsed<'_> {
    alt((envelope, answers, store, progress)).parse(input)
}

fn envelope(input: &str) -> Parsed<'_> {
    alt((
        value(Token::Envelope, tag("Error response from daemon:")),
        value(Token::Step(Step::Blob), alt((tag("error pulling image configuration:"), tag("download failed after attempts=")))),
        value(Token::Step(Step::Unpack), alt((tag("failed to register layer:"), tag("re-exec error:")))),
        value(
            Token::NotAPull,
            alt((tag("login attempt to "), tag("Please try running 'az login'"), tag("Checking host name resolution"), tag("CONNECTIVITY_"))),
        ),
        value(Token::says(Symptom::NodeBootstrapFailed, 99), alt((tag("vmssCSE"), tag("VMExtensionProvisioningError")))),
    ))
    .parse(input)
}

fn answers(input: &str) -> Parsed<'_> {
    alt((
        map(preceded(tag("error parsing HTTP "), status), Token::Status),
        // A body that is no registry's: a page, unless what follows shows a store's own XML.
        value(Token::says(Symptom::HtmlAnswer, 41), tag("response body:")),
        map(delimited(tag("Status "), status, tag(" trying to pull repository")), Token::Status),
        map(preceded(alt((tag("manifest for "), tag("artifact "))), terminated(word, pair(tag(" not found"), opt(char(':'))))), not_found),
        map(delimited(tag("repository "), word, tag(" not found")), |name: &str| named(Symptom::RepositoryNotFound, 60, name)),
        map(delimited(tag("Error: image "), word, tag(" not found")), |_| Token::says(Symptom::TagNotFound, 60)),
        value(Token::says(Symptom::NoPlatformMatch, 85), pair(tag("no matching manifest for "), word)),
        value(Token::says(Symptom::NoPlatformMatch, 85), (tag("a Windows version "), word, tag(" image is incompatible"))),
        value(Token::says(Symptom::NoPlatformMatch, 85), tag("cannot download image with operating system")),
        map(
            preceded(alt((tag("unsupported media type "), tag("unsupported manifest mediatype: "), tag("unsupported manifest media type "))), word),
            media_type,
        ),
        map(preceded(tag("application/vnd.docker.distribution.manifest.v1"), take_till(|c: char| c.is_whitespace())), |rest: &str| {
            media_type(&format!("application/vnd.docker.distribution.manifest.v1{rest}"))
        }),
        value(Token::says(Symptom::RuntimeConfigInvalid, 80), pair(tag("no endpoints found for "), word)),
        value(
            Token::says(Symptom::DigestNotFound, 52),
            preceded(tag("Pulling from "), preceded(word, preceded(opt(char('\r')), preceded(char('\n'), tag("manifest unknown"))))),
        ),
    ))
    .parse(input)
}

/// Docker names the reference that it asked for.
fn not_found(reference: &str) -> Token {
    let symptom = if reference.contains("@sha256:") { Symptom::DigestNotFound } else { Symptom::TagNotFound };
    named(symptom, 60, reference)
}

/// Words that name the image themselves.
pub(super) fn named(symptom: Symptom, weight: u8, reference: &str) -> Token {
    Token::Says { symptom, weight, detail: Box::new(Detail { reference: Some(reference.to_owned()), ..Detail::default() }) }
}

fn store(input: &str) -> Parsed<'_> {
    let windows = |symptom| Token::Says { symptom, weight: 85, detail: Box::new(Detail { windows_import: true, ..Detail::default() }) };
    alt((
        value(windows(Symptom::LayerUnusable), pair(alt((tag("hcsshim::"), tag("HCSShim::"))), word)),
        value(windows(Symptom::LocalAccessDenied), alt((tag("ProcessBaseLayer"), tag("ProcessUtilityVMImage")))),
    ))
    .parse(input)
}

fn progress(input: &str) -> Parsed<'_> {
    let stalled = |progress| Token::Says { symptom: Symptom::TransferStalled, weight: 92, detail: Box::new(Detail { progress, ..Detail::default() }) };
    let because = alt((tag("because of no progress "), tag("because it exceeded image pull deadline ")));
    map(pair(because, take_till(|c| c == '\n')), move |(_, rest): (_, &str)| {
        let (_, latest) = rest.split_once("progress").unwrap_or(("", ""));
        stalled(if latest.contains("Extracting") {
            Some("extracting")
        } else if latest.contains("Downloading") {
            Some("downloading")
        } else {
            None
        })
    })
    .parse(input)
}
