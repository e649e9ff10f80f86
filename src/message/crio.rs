//! How does CRI-O, with the containers/image library of Podman and Skopeo, say where it was?
//!
//! `initializing source docker://r.example/a:1: pinging container registry r.example: <error>`

use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{tag, take_till1};
use nom::character::complete::{char, u16 as status};
use nom::combinator::{map, opt, value};
use nom::sequence::{pair, preceded};

use super::Detail;
use super::containerd::media_type;
use super::token::{Parsed, Step, Token};
use super::words::Symptom;

fn word(input: &str) -> nom::IResult<&str, &str> {
    take_till1(|c: char| c.is_whitespace() || matches!(c, '"' | ')' | ']')).parse(input)
}

pub(super) fn token(input: &str) -> Parsed<'_> {
    alt((steps, request, policy, transfer)).parse(input)
}

fn steps(input: &str) -> Parsed<'_> {
    let source = alt((tag("initializing source docker://"), tag("Error initializing source docker://"), tag("initializing image from source docker://")));
    alt((
        map(pair(source, word), |(_, reference)| Token::Reference(reference.trim_end_matches(':').to_owned())),
        value(
            Token::Step(Step::Ping),
            pair(alt((tag("pinging container registry "), tag("error pinging docker registry "), tag("pinging docker registry returned"))), opt(word)),
        ),
        value(
            Token::Step(Step::Manifest),
            alt((
                tag("reading manifest "),
                tag("Error reading manifest "),
                tag("fetching manifest "),
                tag("Error determining manifest MIME type for docker://"),
                tag("determining manifest MIME type for docker://"),
                tag("Error reading signatures"),
                tag("reading signatures"),
            )),
        ),
        value(
            Token::Step(Step::Token),
            alt((
                tag("Requesting bearer token"),
                tag("Requesting bear token"),
                tag("Trying to obtain access token"),
                tag("requesting bearer token"),
                tag("decoding bearer token"),
            )),
        ),
        value(Token::Step(Step::Blob), pair(alt((tag("reading blob "), tag("Error reading blob "))), word)),
        value(Token::Step(Step::Blob), alt((tag("copying layer"), tag("fetching blob"), tag("writing blob"), tag("unable to copy layer")))),
        value(
            Token::Step(Step::Unpack),
            alt((tag("committing the finished image"), tag("processing tar file"), tag("adding layer with blob"), tag("Failed to unpack layer"))),
        ),
        value(Token::Step(Step::Body), tag("happened during read:")),
    ))
    .parse(input)
}

fn request(input: &str) -> Parsed<'_> {
    alt((
        value(
            Token::says(Symptom::ShortNameAmbiguous, 90),
            alt((tag("short name mode is enforcing"), tag("short-name resolution enforced but cannot prompt without a TTY"))),
        ),
        map(preceded(tag("but image name "), word), |name| Token::Image(name.to_owned())),
        value(
            Token::says(Symptom::ShortNameUnresolved, 90),
            alt((
                tag("did not resolve to an alias"),
                tag("no unqualified-search registries are defined"),
                tag("no registries configured while trying to pull an unqualified image"),
            )),
        ),
        value(
            Token::says(Symptom::RegistryBlocked, 90),
            alt((tag("is blocked in one of "), tag("is blocked by configuration"), tag("is blocked in /etc/containers"))),
        ),
        value(Token::says(Symptom::ReferenceInvalid, 80), tag("Invalid source name docker://")),
    ))
    .parse(input)
}

fn policy(input: &str) -> Parsed<'_> {
    let wants =
        |wants_signature| Token::Says { symptom: Symptom::PolicyRejected, weight: 90, detail: Box::new(Detail { wants_signature, ..Detail::default() }) };
    alt((
        value(
            wants(true),
            alt((
                tag("A signature was required, but no signature exists"),
                tag("signature was required"),
                tag("Signature for identity"),
                tag("None of the signatures were accepted"),
                tag("Invalid GPG signature"),
                tag("cryptographic signature verification failed"),
            )),
        ),
        value(wants(false), tag("is rejected by policy")),
        value(
            Token::says(Symptom::PolicyRejected, 50),
            alt((tag("SignatureValidationFailed"), tag("the signature validation failed"), tag("Source image rejected:"))),
        ),
    ))
    .parse(input)
}

fn transfer(input: &str) -> Parsed<'_> {
    alt((
        map(preceded(tag("received unexpected HTTP status: "), status), Token::Status),
        map(preceded(alt((tag("invalid status code from registry "), tag("StatusCode: "))), status), Token::Status),
        value(Token::says(Symptom::Unauthorized, 45), tag("unable to retrieve auth token: invalid username/password")),
        value(
            Token::says(Symptom::NoPlatformMatch, 85),
            alt((tag("no image found in image index for architecture"), tag("no image found in manifest list for architecture"))),
        ),
        map(preceded(tag("unsupported image-specific operation on artifact with type "), pair(opt(char('"')), word)), |(_, kind)| media_type(kind)),
        value(Token::says(Symptom::TransferStalled, 80), pair(tag("Timed out on waiting up to "), word)),
    ))
    .parse(input)
}
