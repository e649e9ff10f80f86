//! What does the kubelet put round a runtime's error? Envelopes, its own refusals, its credential provider.
//!
//! `Failed to pull image "registry.corp.example/team/app:1.0": <error>`

use nom::branch::alt;
use nom::bytes::complete::{tag, take_till, take_till1};
use nom::combinator::{map, not, opt, value};
use nom::sequence::{pair, preceded};
use nom::{IResult, Parser};

use super::token::{Parsed, Step, Token};
use super::words::Symptom;
use crate::text;

/// An image in quotes, in backticks, or bare up to the next blank.
pub(super) fn image(input: &str) -> IResult<&str, String> {
    if let Some((image, rest)) = text::unquote(input) {
        // A name that the text's end cut off before its first slash is no host.
        let whole = !rest.is_empty() || input.ends_with('"') || image.contains('/');
        return Ok((rest, if whole { image } else { String::new() }));
    }
    if let Some(rest) = input.strip_prefix('`') {
        let (rest, image) = take_till(|c| c == '`')(rest)?;
        return Ok((rest.strip_prefix('`').unwrap_or(rest), image.to_owned()));
    }
    let (rest, word) = take_till1(|c: char| c.is_whitespace())(input)?;
    let image = word.trim_end_matches([':', ',', '.']);
    Ok((rest, image.to_owned()))
}

pub(super) fn token(input: &str) -> Parsed<'_> {
    alt((envelope, image_of, refusal, provider)).parse(input)
}

fn envelope(input: &str) -> Parsed<'_> {
    alt((
        value(Token::Envelope, tag("(combined from similar events): ")),
        // The kubelet's log names the image behind, as a field.
        value(Token::Envelope, tag("PullImage from image service failed")),
        value(
            Token::Sandbox,
            alt((
                tag("Failed to create pod sandbox"),
                tag("Failed create pod sandbox"),
                tag("failed to get sandbox image"),
                tag("RunPodSandbox from runtime service failed"),
            )),
        ),
        // A build runner's own sentence, which names no image.
        value(Token::Envelope, pair(tag("Failed to pull image with policy "), take_till(|c: char| c == ':' || c == '\n'))),
        value(Token::BackOff(None), alt((tag("ImagePullBackOff"), tag("ErrImagePull"), tag("Back-off pulling image,")))),
        value(
            Token::Envelope,
            preceded(
                tag("rpc error: code "),
                preceded(opt(tag("= ")), preceded(take_till1(|c: char| c.is_whitespace()), opt(alt((tag(" desc = "), tag(" desc ")))))),
            ),
        ),
    ))
    .parse(input)
}

fn image_of(input: &str) -> Parsed<'_> {
    let named = alt((
        tag("Failed to pull image "),
        tag("failed to pull image "),
        tag("failed pulling image "),
        tag("error pulling image "),
        tag("Error pulling image "),
        tag("Error in pulling image "),
        tag("Failed to inspect image "),
        tag("PullImage "),
        tag("Failed to apply default image tag "),
        tag("Failed to record image pull intent for container image "),
        tag("image pull failed for "),
        tag("Container image "),
        tag("cancel pulling image "),
        tag("Cancel pulling image "),
    ));
    // Docker's `error pulling image configuration` names no image.
    let named = preceded(not(preceded(take_till(|c: char| c == ' '), tag(" pulling image configuration"))), named);
    alt((map(preceded(tag("Back-off pulling image "), image), |image| Token::BackOff(Some(image))), map(pair(named, image), |(_, image)| Token::Image(image))))
        .parse(input)
}

fn refusal(input: &str) -> Parsed<'_> {
    alt((
        value(
            Token::says(Symptom::ImageNeverPulled, 90),
            alt((tag("is not present with pull policy of Never"), tag("ErrImageNeverPull"), tag("but does not have the proper auth"))),
        ),
        value(Token::says(Symptom::PullQpsExceeded, 90), tag("pull QPS exceeded")),
        value(Token::says(Symptom::PullSecretUnretrievable, 60), tag("Unable to retrieve some image pull secrets")),
        value(Token::says(Symptom::ReferenceInvalid, 60), tag("InvalidImageName")),
    ))
    .parse(input)
}

fn provider(input: &str) -> Parsed<'_> {
    alt((
        value(
            Token::Step(Step::Provider),
            alt((tag("Failed getting credential from external registry credential provider"), tag("error getting credentials from ACR"))),
        ),
        value(
            Token::says(Symptom::CredentialProviderFailed, 70),
            alt((
                tag("error execing credential provider plugin"),
                tag("apiVersion from credential plugin response did not match"),
                tag("Www-Authenticate: auth url "),
                tag("failed to load config: open /etc/kubernetes/azure.json"),
                tag("error reading credential provider"),
                tag("credential provider plugin "),
                tag("Error parsing the serverURL"),
                tag("failed to validate credential provider config"),
            )),
        ),
    ))
    .parse(input)
}
