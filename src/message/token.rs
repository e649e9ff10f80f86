//! Which known words does a text hold, in order? Unknown words between them are passed over, so that a sentence in front,
//! a wrapper that nobody has seen or a cut end costs nothing but itself.

use std::net::IpAddr;

use nom::branch::alt;
use nom::{IResult, Parser};

use super::url::Url;
use super::words::Symptom;
use super::{Detail, commands, containerd, crio, docker, go, kubelet, leaves, registry};

/// The longest text that is read, in bytes.
pub(super) const LONGEST: usize = 64 << 10;

/// A known phrase.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token {
    /// The image as the kubelet names it.
    Image(String),
    /// The image that somebody asked for by a command.
    Asked { image: String, of_node: bool },
    /// The reference as the runtime names it.
    Reference(String),
    /// The same, while it is asked for: the step and the reference.
    Resolving(String),
    /// The sandbox image is meant.
    Sandbox,
    /// An envelope that says nothing beyond itself.
    Envelope,
    /// Only the back-off, with the image that it names, or a bare reason.
    BackOff(Option<String>),
    /// What the runtime was doing.
    Step(Step),
    /// Whether the attempt carried credentials.
    Credentials(bool),
    /// The URL that was asked; `first_hop` where redirects may have led elsewhere since.
    Url { url: Url, first_hop: bool },
    /// The connection to the proxy, not through it.
    Proxy,
    /// A dial.
    Dial { address: Option<IpAddr>, host: Option<String>, port: Option<u16>, source: Option<IpAddr> },
    /// A dial to a unix socket: the runtime itself.
    Socket,
    /// A look-up.
    Lookup { name: String, resolver: Option<IpAddr> },
    /// A read or write on an open connection.
    Transfer { source: Option<IpAddr>, peer: Option<IpAddr> },
    /// The words of a TLS handshake.
    Handshake,
    /// An HTTP status of the endpoint.
    Status(u16),
    /// The far end's own words follow: what they speak of lies behind it, not on the node.
    Quotes(Quoted),
    /// A system or library error that means different things in different places.
    Net(Net),
    /// Words with a meaning of their own. The heavier wins where several stand in one attempt.
    Says { symptom: Symptom, weight: u8, detail: Box<Detail> },
    /// The text is a check's or a login's, not a pull's.
    NotAPull,
}

impl Token {
    /// How much this token adds to a reading's score.
    pub(super) fn weight(&self) -> usize {
        match self {
            Token::Net(_) | Token::Says { .. } | Token::Status(_) => 4,
            Token::Step(_) | Token::Resolving(_) | Token::Url { .. } | Token::Dial { .. } | Token::Lookup { .. } | Token::Image(_) => 2,
            _ => 1,
        }
    }

    pub(super) fn says(symptom: Symptom, weight: u8) -> Token {
        Token::Says { symptom, weight, detail: Box::default() }
    }
}

/// What the runtime was doing when the error came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// Asking for the reference.
    Resolve,
    /// Getting a token.
    Token,
    /// Asking `/v2/`.
    Ping,
    /// Reading the manifest or its signatures.
    Manifest,
    /// Copying: a manifest by digest or a blob, as the URL tells.
    Copy,
    /// Reading a blob or the configuration, for certain.
    Blob,
    /// In the middle of a body.
    Body,
    /// Committing what arrived to the content store.
    Commit,
    /// Unpacking.
    Unpack,
    /// Mounting for it.
    Mount,
    /// The kubelet's credential provider.
    Provider,
}

/// How a runtime begins to repeat what the far end said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Quoted {
    /// `Server message: `
    Message,
    /// `unknown: `, the registry's code for an error of its own.
    Code,
}

/// Errors whose meaning depends on where they stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Net {
    Timeout,
    Refused,
    NoRoute,
    Unreachable,
    /// EPERM.
    NotPermitted,
    /// EACCES.
    AccessDenied,
    NoSourceAddress,
    Reset,
    /// A connection that HTTP already used ended: its handshake had passed.
    StreamEnded,
    /// The same, and the peer closed it in good order.
    IdleEnded,
    Eof,
    UnexpectedEof,
    Canceled,
    Deadline,
    NoSuchHost,
    Misbehaving,
    Temporary,
    NoSuchFile,
    InvalidArgument,
    Busy,
    NotADirectory,
    NotFound,
}

/// A token, where it begins and where it ends.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Placed {
    pub(super) token: Token,
    pub(super) at: usize,
    pub(super) end: usize,
}

/// What each room's parsers return.
pub(super) type Parsed<'a> = IResult<&'a str, Token>;

/// The known phrases of a text, in order.
pub(super) fn tokens(text: &str) -> Vec<Placed> {
    let mut out = Vec::new();
    let mut at = 0;
    let mut edge = true;
    while let Some(rest) = text.get(at..).filter(|r| !r.is_empty() && at < LONGEST) {
        if edge && let Ok((after, token)) = one(rest) {
            let end = at + (rest.len() - after.len()).max(1);
            out.push(Placed { token, at, end });
            at = end;
            edge = true;
            continue;
        }
        let Some(c) = rest.chars().next() else { break };
        edge = !(c.is_alphanumeric() || c == '_');
        at += c.len_utf8();
    }
    out
}

fn one(rest: &str) -> Parsed<'_> {
    alt((commands::token, kubelet::token, containerd::token, crio::token, docker::token, registry::token, go::token, leaves::token)).parse(rest)
}
