//! What does an error mean where it stands? Everything said before it gives the next word its meaning.

use std::net::IpAddr;

use super::token::{Net, Quoted, Step, Token};
use super::url::{Asks, Url};
use super::words::{Stage, Symptom as S};

/// Where the reading stands: everything said so far that gives the next word its meaning.
#[derive(Debug, Clone, Default)]
pub(super) struct Place {
    pub(super) step: Option<Step>,
    pub(super) url: Option<Url>,
    pub(super) first_hop: bool,
    /// The asked host answered itself, not one that it led to.
    pub(super) itself: bool,
    pub(super) proxy: bool,
    pub(super) socket: bool,
    pub(super) lookup: Option<(String, Option<IpAddr>)>,
    pub(super) dial: Option<(Option<IpAddr>, Option<String>, Option<u16>)>,
    pub(super) transfer: bool,
    /// The handshake is what was spoken of.
    pub(super) handshake: bool,
    /// HTTP was already spoken on the connection.
    pub(super) in_use: bool,
    /// The far end speaks: what it names lies behind it.
    pub(super) quoting: bool,
    pub(super) source: Option<IpAddr>,
    pub(super) peer: Option<IpAddr>,
    pub(super) credentials: Option<bool>,
}

impl Place {
    pub(super) fn pass(&mut self, token: &Token) {
        match token {
            Token::Step(step) => self.step = Some(*step),
            Token::Resolving(_) => self.step = Some(Step::Resolve),
            Token::Credentials(sent) => {
                self.credentials = Some(*sent);
                self.step = Some(Step::Token);
            }
            Token::Url { url, first_hop } => {
                // A new request: what the last one dialled is over.
                *self = Place { url: Some(url.clone()), first_hop: *first_hop, step: self.step, credentials: self.credentials, ..Place::default() };
            }
            Token::Proxy => self.proxy = true,
            Token::Socket => self.socket = true,
            Token::Handshake => self.handshake = true,
            Token::Quotes(quoted) => {
                self.quoting = true;
                // The registry's own form of an error: it answered itself, not a store that it led to.
                self.itself |= *quoted == Quoted::Message;
            }
            Token::Status(500..) => self.quoting = true,
            Token::Net(Net::StreamEnded | Net::IdleEnded) => self.in_use = true,
            Token::Lookup { name, resolver } => {
                // A text that was cut inside the name still says whose name it is by the URL in front.
                let whole = self.url.as_ref().map(|u| &u.host).filter(|h| h.starts_with(name.as_str()));
                self.lookup = Some((whole.unwrap_or(name).clone(), *resolver));
            }
            // Inside a look-up a dial goes to the resolver.
            Token::Dial { .. } if self.lookup.is_some() => {}
            Token::Dial { address, host, port, source } => {
                self.dial = Some((*address, host.clone(), *port));
                self.source = self.source.or(*source);
            }
            Token::Transfer { source, peer } => {
                self.transfer = self.lookup.is_none();
                self.source = self.source.or(*source);
                self.peer = peer.filter(|_| self.lookup.is_none()).or(self.peer);
            }
            _ => {}
        }
    }

    /// Whether the token can be the far end's verdict on this request. What it says of its own disks, dials and
    /// certificates is no error of the node.
    pub(super) fn is_answer(&self, token: &Token) -> bool {
        match token {
            Token::Status(_) | Token::Quotes(_) => true,
            Token::Says { symptom, .. } => *symptom == S::TlsExpected || (!symptom.is_local() && symptom.span().1 > Stage::Tls),
            _ => false,
        }
    }

    /// Whether the socket that did not answer is a snapshotter's: by its name, or because it was asked for a snapshot.
    pub(super) fn is_snapshotter(&self, text: &str) -> bool {
        const RUNTIMES: [&str; 5] = ["containerd.sock", "crio.sock", "docker.sock", "dockershim.sock", "cri-dockerd.sock"];
        const SNAPSHOTTERS: [&str; 5] = ["stargz", "nydus", "soci", "overlaybd", "snapshotter"];
        let paths: Vec<&str> = text.split("dial unix").skip(1).filter_map(|t| t.split_whitespace().next()).collect();
        let any = |names: &[&str]| paths.iter().any(|p| names.iter().any(|n| p.contains(n)));
        any(&SNAPSHOTTERS) || (matches!(self.step, Some(Step::Mount | Step::Unpack)) && !any(&RUNTIMES))
    }

    pub(super) fn asks(&self) -> Option<Asks> {
        self.url.as_ref().map(|u| u.asks)
    }

    pub(super) fn is_blob(&self) -> bool {
        match self.asks() {
            // containerd asks for a digest as a manifest first and then as a blob, still to resolve it.
            Some(Asks::Blob) if self.step == Some(Step::Resolve) => false,
            Some(Asks::Blob) => true,
            Some(Asks::Manifest | Asks::Ping | Asks::Token | Asks::Identity) => false,
            _ => matches!(self.step, Some(Step::Blob | Step::Copy | Step::Body | Step::Commit)),
        }
    }

    /// What a status means here.
    pub(super) fn status(&self, code: u16) -> S {
        match code {
            401 => match self.credentials {
                Some(false) => S::AnonymousUnauthorized,
                Some(true) => S::CredentialsRejected,
                None => S::Unauthorized,
            },
            403 if self.credentials == Some(false) => S::AnonymousForbidden,
            403 => S::Forbidden,
            404 if self.is_blob() => S::BlobNotFound,
            404 if self.asks() == Some(Asks::Manifest) || matches!(self.step, Some(Step::Manifest | Step::Resolve)) => S::TagNotFound,
            407 => S::ProxyAuthenticationRequired,
            400 => S::BadRequest,
            412 | 423 | 451 => S::OperationDisallowed,
            429 => S::RateLimited,
            500..=599 => S::ServerError,
            _ => S::Unrecognized,
        }
    }

    /// What a system's or library's error means here, and how much it says.
    pub(super) fn net(&self, net: Net) -> (S, u8) {
        if self.socket {
            return (S::RuntimeUnavailable, 95);
        }
        if self.lookup.is_some() {
            return (in_lookup(net), if matches!(net, Net::NotFound | Net::NoSuchFile | Net::NotADirectory | Net::Busy) { 0 } else { 92 });
        }
        if self.asks() == Some(Asks::Identity) && matches!(net, Net::Timeout | Net::Deadline | Net::Refused | Net::Unreachable | Net::NoRoute) {
            return (S::IdentityEndpointSilent, 91);
        }
        if let (Some(step @ (Step::Unpack | Step::Mount)), None) = (self.step, &self.dial) {
            return in_unpack(step, net);
        }
        let body = matches!(self.step, Some(Step::Body)) || (self.url.is_none() && matches!(self.step, Some(Step::Copy | Step::Blob | Step::Commit)));
        let placed = self.dial.is_some() || self.url.is_some() || self.proxy;
        let strong = if placed { 90 } else { 62 };
        match net {
            Net::Timeout if self.transfer => (S::TransferStalled, 88),
            Net::Timeout => (S::DialTimeout, strong),
            Net::Refused if self.dial.is_none() && self.url.is_none() && self.step == Some(Step::Provider) => (S::CredentialProviderFailed, 70),
            Net::Refused => (S::ConnectionRefused, strong),
            Net::NoRoute => (S::HostUnreachable, strong),
            Net::Unreachable => (S::NetworkUnreachable, strong),
            Net::NoSourceAddress => (S::AddressUnavailable, strong),
            Net::NotPermitted | Net::AccessDenied if self.dial.is_some() => (S::DialNotPermitted, 90),
            Net::NotPermitted | Net::AccessDenied => (S::LocalAccessDenied, 20),
            Net::Reset if body && self.dial.is_none() => (S::TransferCut, 88),
            Net::Reset | Net::StreamEnded => (S::ConnectionReset, 86),
            Net::Eof | Net::UnexpectedEof | Net::IdleEnded if body => (S::TransferCut, 84),
            Net::UnexpectedEof if self.url.is_none() && !self.proxy => (S::TransferCut, 60),
            Net::Eof | Net::UnexpectedEof | Net::IdleEnded => (S::ClosedEarly, if self.url.is_some() { 70 } else { 30 }),
            Net::Canceled => (S::PullCanceled, 20),
            Net::Deadline => (S::RequestTimeout, 25),
            Net::NoSuchHost => (S::NameNotFound, 85),
            Net::Misbehaving => (S::ResolverFailure, 85),
            Net::Temporary => (S::LookupTemporaryFailure, 85),
            Net::NoSuchFile if self.step == Some(Step::Provider) => (S::CredentialProviderFailed, 75),
            Net::NoSuchFile => (S::Unrecognized, 0),
            // A blackhole route refuses so: at this rung, and no symptom of its own.
            Net::InvalidArgument if self.dial.is_some() => (S::Unrecognized, 0),
            Net::InvalidArgument => (S::LayerUnusable, 10),
            Net::Busy | Net::NotADirectory => (S::Unrecognized, 0),
            Net::NotFound => self.not_found(),
        }
    }

    fn not_found(&self) -> (S, u8) {
        match self.asks() {
            Some(Asks::Blob) => (S::BlobNotFound, 16),
            Some(Asks::Manifest) => (S::DigestNotFound, 16),
            None if matches!(self.step, Some(Step::Resolve)) => (S::TagNotFound, 15),
            _ => (S::Unrecognized, 0),
        }
    }
}

fn in_lookup(net: Net) -> S {
    match net {
        Net::NoSuchHost => S::NameNotFound,
        Net::Timeout | Net::Deadline => S::ResolverTimeout,
        Net::Refused => S::ResolverRefused,
        Net::Temporary => S::LookupTemporaryFailure,
        Net::Canceled => S::PullCanceled,
        Net::NoRoute | Net::Unreachable | Net::NotPermitted | Net::AccessDenied | Net::NoSourceAddress | Net::InvalidArgument => S::ResolverUnreachable,
        Net::NoSuchFile | Net::NotFound | Net::NotADirectory | Net::Busy => S::Unrecognized,
        Net::Misbehaving | Net::Reset | Net::StreamEnded | Net::IdleEnded | Net::Eof | Net::UnexpectedEof => S::ResolverFailure,
    }
}

fn in_unpack(step: Step, net: Net) -> (S, u8) {
    match net {
        Net::Canceled => (S::PullCanceled, 20),
        Net::Deadline => (S::RequestTimeout, 25),
        Net::NotFound => (S::ContentMissing, 60),
        // Which file is missing decides: see `fold`.
        Net::NoSuchFile => (S::LayerUnusable, 60),
        Net::AccessDenied | Net::NotPermitted => (S::LocalAccessDenied, 80),
        Net::UnexpectedEof | Net::Eof => (S::LayerUnusable, 70),
        Net::Busy => (S::SnapshotFailed, 92),
        _ if step == Step::Mount => (S::SnapshotFailed, 70),
        _ => (S::LayerUnusable, 70),
    }
}

/// Which file is missing under a layer: one of the runtime's own store, or one of the layer that is being applied.
pub(super) fn missing_file(before: &str) -> S {
    let clause = before.trim_end_matches([':', ' ']);
    let clause = clause.rsplit(": ").next().unwrap_or(clause);
    let paths: Vec<&str> = clause.split_whitespace().filter(|w| w.contains('/')).collect();
    const STORES: [&str; 9] = [
        "io.containerd.content",
        "io.containerd.snapshotter",
        "io.containerd.metadata",
        "/overlay2/",
        "/image/overlay",
        "/containers/storage/",
        "/docker/",
        "/overlay/",
        "/graphroot/",
    ];
    match paths.as_slice() {
        [] => S::Unrecognized,
        paths if paths.iter().any(|p| STORES.iter().any(|s| p.contains(s))) => S::ContentMissing,
        _ => S::LayerUnusable,
    }
}
