//! What does the registry itself answer? Its error codes and statuses, in the words of the runtimes that repeat them.
//!
//! `403 Forbidden`, `denied: client with IP '203.0.113.7' is not allowed access`, `manifest unknown`

use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{tag, take_till, take_till1};
use nom::character::complete::{char, u16 as number};
use nom::combinator::{map, not, opt, value};
use nom::sequence::{delimited, pair, preceded, terminated};

use super::Detail;
use super::token::{Parsed, Quoted, Token};
use super::words::Symptom;

pub(super) fn token(input: &str) -> Parsed<'_> {
    alt((status, quoted, denied, code, identity)).parse(input)
}

/// `Server message: unknown: write /storage: no space left on device`: the disk is the registry's.
fn quoted(input: &str) -> Parsed<'_> {
    alt((value(Token::Quotes(Quoted::Message), alt((tag("Server message: "), tag("Error Body:")))), value(Token::Quotes(Quoted::Code), tag("unknown: "))))
        .parse(input)
}

/// The status whose phrase is all that the answer's words are: `unknown: Forbidden`.
pub(super) fn status_of_phrase(words: &str) -> Option<u16> {
    let words = words.lines().next().unwrap_or("").trim().trim_end_matches(['"', '.', ')', ']']);
    (400..600).find(|code| phrase_of(*code) == Some(words))
}

/// `403 Forbidden`: a number counts as a status only with its own phrase behind it.
fn status(input: &str) -> Parsed<'_> {
    // Not a letter more than the phrase: what follows has words of its own.
    let phrased = |input| -> Parsed<'_> {
        let (rest, code) = terminated(number, char(' ')).parse(input)?;
        let of_servers = ["Service Temporarily Unavailable", "Gateway Time-out"].into_iter().filter(|_| code >= 500);
        match phrase_of(code).into_iter().chain(of_servers).find_map(|phrase| rest.strip_prefix(phrase)) {
            Some(after) => Ok((after, Token::Status(code))),
            None => Err(nom::Err::Error(nom::error::Error::new(input, nom::error::ErrorKind::Tag))),
        }
    };
    alt((
        phrased,
        map(preceded(tag("responded with status code "), number), Token::Status),
        bare_status,
        map(preceded(tag("response status code "), number), Token::Status),
        map(
            preceded(tag("valid AAD challenge, status: "), number),
            |code| if code == 403 { Token::Status(403) } else { Token::says(Symptom::ChallengeUnusable, 60) },
        ),
        map(preceded(tag("failed to access to the registry with code "), number), Token::Status),
        map(delimited(tag("Error "), number, tag(" (")), Token::Status),
    ))
    .parse(input)
}

/// `unexpected status: 403`, where a runtime prints the number alone.
fn bare_status(input: &str) -> Parsed<'_> {
    let words = alt((tag("unexpected status: "), tag("unexpected status code: "), tag("unexpected status code "), tag("unsupported status code ")));
    let (rest, code) = preceded(words, number).parse(input)?;
    if (400..600).contains(&code) { Ok((rest, Token::Status(code))) } else { super::go::fail(input) }
}

/// The reason phrase of a status that registries, stores and proxies send.
pub(super) fn phrase_of(code: u16) -> Option<&'static str> {
    Some(match code {
        400 => "Bad Request",
        401 => "Unauthorized",
        402 => "Payment Required",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        406 => "Not Acceptable",
        407 => "Proxy Authentication Required",
        408 => "Request Timeout",
        409 => "Conflict",
        410 => "Gone",
        412 => "Precondition Failed",
        416 => "Requested Range Not Satisfiable",
        418 => "I'm a teapot",
        423 => "Locked",
        429 => "Too Many Requests",
        451 => "Unavailable For Legal Reasons",
        500 => "Internal Server Error",
        501 => "Not Implemented",
        502 => "Bad Gateway",
        503 => "Service Unavailable",
        504 => "Gateway Timeout",
        505 => "HTTP Version Not Supported",
        507 => "Insufficient Storage",
        _ => return None,
    })
}

fn denied(input: &str) -> Parsed<'_> {
    let words = (tag("denied: client address "), take_till(|c: char| c == '\n'));
    let client = preceded(tag("client with IP "), preceded(opt(char('\'')), take_till1(|c: char| c == '\'' || c == '"' || c.is_whitespace())));
    alt((
        map(client, |address: &str| Token::Says {
            symptom: Symptom::ClientAddressDenied,
            weight: 92,
            detail: Box::new(Detail { code: Some(address.to_owned()), ..Detail::default() }),
        }),
        value(Token::says(Symptom::ClientAddressDenied, 91), words),
        value(Token::says(Symptom::ClientAddressDenied, 91), tag("client address is not allowed")),
        value(Token::says(Symptom::PermissionDenied, 80), pair(tag("Permission \""), terminated(take_till1(|c| c == '"'), tag("\" denied")))),
        // A store's plain 403, with whatever reason: it knows no callers and weighs no rights of theirs.
        value(Token::Envelope, tag("This request is not authorized to perform this operation")),
        value(Token::says(Symptom::PermissionDenied, 80), tag("is not authorized to perform:")),
        value(Token::says(Symptom::AnonymousUnauthorized, 82), alt((tag("Unauthenticated request"), tag("Unauthenticated requests do not have permission")))),
        value(
            Token::says(Symptom::OperationDisallowed, 80),
            alt((
                tag("PROJECTPOLICYVIOLATION"),
                tag("disallowed operation"),
                tag("key vault access denied"),
                tag("The operation is disallowed"),
                tag("manifest is locked"),
                tag("is quarantined"),
                tag("cannot be pulled due to configured policy"),
            )),
        ),
    ))
    .parse(input)
}

fn coded(symptom: Symptom, weight: u8, code: &str) -> Token {
    Token::Says { symptom, weight, detail: Box::new(Detail { code: Some(code.to_owned()), ..Detail::default() }) }
}

/// The codes of the distribution specification, as Docker, containers/image and containerd 2.1 print them.
fn code(input: &str) -> Parsed<'_> {
    alt((
        value(coded(Symptom::RateLimited, 75, "toomanyrequests"), alt((tag("toomanyrequests"), tag("too many requests to registry"), tag("TOOMANYREQUESTS")))),
        value(coded(Symptom::Unauthorized, 42, "unauthorized"), terminated(tag("unauthorized"), not(alt((tag(": "), tag(" to ")))))),
        map(preceded(alt((tag("unauthorized: "), tag("UNAUTHORIZED: "))), take_till(|c: char| c == '\n')), unauthorized),
        // ECR refuses an old token with the code of missing rights; its words say what it is.
        value(
            coded(Symptom::CredentialsRejected, 70, "denied"),
            alt((
                tag("authorization token has expired"),
                tag("Your Authorization Token has expired"),
                tag("ExpiredToken"),
                tag("The security token included in the request is "),
            )),
        ),
        denied_code,
        // Docker 29 repeats the code alone, once or twice.
        value(coded(Symptom::InsufficientScope, 48, "denied"), (tag("error from registry: denied"), not(alt((tag(": "), nom::character::complete::alpha1))))),
        value(
            coded(Symptom::InsufficientScope, 48, "denied"),
            alt((
                tag("requested access to the resource is denied"),
                tag("access to the requested resource is not authorized"),
                tag("access forbidden"),
                tag("\"denied\""),
            )),
        ),
        value(coded(Symptom::TagNotFound, 51, "manifest unknown"), alt((tag("manifest unknown"), tag("MANIFEST_UNKNOWN"), tag("manifest tagged by ")))),
        value(
            coded(Symptom::RepositoryNotFound, 58, "name unknown"),
            alt((tag("name unknown"), tag("NAME_UNKNOWN"), tag("repository name not known to registry"))),
        ),
        value(coded(Symptom::ReferenceInvalid, 58, "name invalid"), alt((tag("NAME_INVALID"), tag("name invalid")))),
        value(coded(Symptom::BlobNotFound, 60, "blob unknown"), alt((tag("unknown blob"), tag("blob unknown"), tag("BLOB_UNKNOWN")))),
        value(
            coded(Symptom::UpstreamFailed, 80, "unknown"),
            alt((
                tag("unable to pull manifest from "),
                tag("failed to fetch from upstream"),
                tag("login to dockerhub error"),
                tag("Failed to fetch from remote"),
                tag("failed to fetch from remote"),
                tag("unable to pull image from upstream"),
                tag("failed to pull from upstream"),
            )),
        ),
        value(coded(Symptom::ServerError, 40, "unavailable"), alt((tag("unavailable: service unavailable"), tag("UNAVAILABLE: ")))),
    ))
    .parse(input)
}

/// `denied: ` is the code of missing rights, and some registries say by its words that something else is the matter.
fn denied_code(input: &str) -> Parsed<'_> {
    let (rest, _) = alt((tag("denied: "), tag("DENIED: "))).parse(input)?;
    const RIGHTS: [&str; 7] =
        ["requested access", "access forbidden", "denied", "access to the requested resource", "not authorized", "permission", "insufficient"];
    let words = rest.trim().trim_end_matches(['.', '…', '"']).to_lowercase();
    // Where the text was cut inside the words of an old token, what was denied is not told.
    if !words.is_empty() && "your authorization token has expired".starts_with(&words) {
        return super::go::fail(input);
    }
    // The registry repeats the code where it has no reason: of a stale token as well as of a missing right.
    if words == "denied" {
        return Ok((rest, coded(Symptom::Forbidden, 50, "denied")));
    }
    // GitHub's registry names the permission.
    if words.starts_with("permission_denied") {
        return Ok((rest, coded(Symptom::PermissionDenied, 80, "denied")));
    }
    if words.is_empty() || RIGHTS.iter().any(|r| words.starts_with(r)) {
        let (rest, _) = opt(tag("requested access to the resource is denied")).parse(rest)?;
        return Ok((rest, coded(Symptom::InsufficientScope, 50, "denied")));
    }
    Ok((rest, coded(Symptom::Forbidden, 50, "denied")))
}

/// `unauthorized: ` is a 401's code, and some registries say by its words that rights are what is missing.
fn unauthorized(words: &str) -> Token {
    let rights = ["access to the requested resource is not authorized", "unauthorized to access repository", "not authorized to access"];
    if rights.iter().any(|r| words.contains(r)) {
        return coded(Symptom::InsufficientScope, 56, "unauthorized");
    }
    if words.contains("authorize header needed") {
        return coded(Symptom::CredentialsMissing, 70, "unauthorized");
    }
    // Words that only a caller hears who showed a name, a password or a token.
    const REFUSED: [&str; 12] = [
        "incorrect username or password",
        "invalid username or password",
        "invalid username/password",
        "invalid credentials",
        "bad credentials",
        "http basic: access denied",
        "could not find robot",
        "robot account",
        "personal access token",
        "token has expired",
        "token is expired",
        "password has expired",
    ];
    let lower = words.to_lowercase();
    if REFUSED.iter().any(|r| lower.contains(r)) {
        return coded(Symptom::CredentialsRejected, 60, "unauthorized");
    }
    coded(Symptom::Unauthorized, 46, "unauthorized")
}

fn identity(input: &str) -> Parsed<'_> {
    alt((
        value(
            Token::says(Symptom::IdentityNotAssigned, 90),
            alt((
                tag("the requested identity isn't assigned to this resource"),
                tag("\"error_description\":\"Identity not found\""),
                tag("Identity not found"),
            )),
        ),
        value(Token::Envelope, tag("ManagedIdentityCredential")),
    ))
    .parse(input)
}
