//! Which fixed phrases end an error? One table: the words, what they mean, and how much they say.

use std::sync::LazyLock;

use super::Detail;
use super::token::{Net, Parsed, Step, Token};
use super::windows;
use super::words::Symptom as S;

pub(super) enum Leaf {
    /// A symptom, with its weight.
    Is(S, u8),
    /// An error that depends on its place.
    Net(Net),
    /// A step that the words name.
    At(Step),
    /// What a SOCKS proxy replied about the destination.
    Reply(S),
    /// The words of a TLS handshake.
    Handshake,
    /// A read or write on an open connection.
    Call,
    /// Not a pull.
    Other,
}

use Leaf::{At, Is, Net as N, Other};

/// Words, and what they mean.
pub(super) type Phrase = (&'static str, Leaf);

/// Longer phrases stand before the shorter ones that they begin with.
static LEAVES: &[Phrase] = &[
    // request
    ("invalid reference format", Is(S::ReferenceInvalid, 95)),
    ("couldn't parse image", Is(S::ReferenceInvalid, 85)),
    ("failed to parse image reference", Is(S::ReferenceInvalid, 85)),
    ("repository name must be lowercase", Is(S::ReferenceInvalid, 95)),
    ("denied the request", Is(S::AdmissionRefused, 80)),
    ("unable to load CA cert", Is(S::RuntimeConfigInvalid, 95)),
    ("unable to read CA cert", Is(S::RuntimeConfigInvalid, 95)),
    ("no resolve hosts", Is(S::RuntimeConfigInvalid, 90)),
    ("loading registries configuration", Is(S::RuntimeConfigInvalid, 90)),
    ("error obtaining default signature policy", Is(S::RuntimeConfigInvalid, 90)),
    ("failed to decode hosts.toml", Is(S::RuntimeConfigInvalid, 90)),
    ("failed to parse TOML", Is(S::RuntimeConfigInvalid, 88)),
    ("missing key ", Is(S::RuntimeConfigInvalid, 85)),
    ("missing client certificate ", Is(S::RuntimeConfigInvalid, 85)),
    ("unknown capability ", Is(S::RuntimeConfigInvalid, 85)),
    ("invalid plugin config", Is(S::RuntimeConfigInvalid, 85)),
    ("parse registry endpoint ", Is(S::RuntimeConfigInvalid, 90)),
    ("failed to load X509 key pair", Is(S::RuntimeConfigInvalid, 90)),
    ("tls: private key does not match public key", Is(S::RuntimeConfigInvalid, 90)),
    ("unsupported protocol scheme", Is(S::RuntimeConfigInvalid, 90)),
    ("missing port in address", Is(S::RuntimeConfigInvalid, 90)),
    ("invalid port", Is(S::RuntimeConfigInvalid, 60)),
    ("too many colons in address", Is(S::RuntimeConfigInvalid, 90)),
    ("http: no Host in request URL", Is(S::RuntimeConfigInvalid, 90)),
    ("invalid policy in", Is(S::RuntimeConfigInvalid, 85)),
    ("connection error: desc = \"transport", Is(S::RuntimeUnavailable, 94)),
    ("Cannot connect to the Docker daemon", Is(S::RuntimeUnavailable, 90)),
    ("pullImage was aborted by a Go panic", Is(S::RuntimeUnavailable, 90)),
    ("container runtime is down", Is(S::RuntimeUnavailable, 85)),
    ("error reading from server: EOF", Is(S::RuntimeUnavailable, 94)),
    // The client did not reach the daemon that was to pull.
    ("error during connect:", Is(S::RuntimeUnavailable, 98)),
    ("permission denied while trying to connect to the Docker daemon socket", Is(S::RuntimeUnavailable, 98)),
    ("permission denied while trying to connect to the docker API", Is(S::RuntimeUnavailable, 98)),
    ("unable to inspect image", Is(S::RuntimeUnavailable, 60)),
    ("transport is closing", Is(S::RuntimeUnavailable, 80)),
    // resolve
    ("no such host is known", N(Net::NoSuchHost)),
    ("No such host is known", N(Net::NoSuchHost)),
    ("no such host", N(Net::NoSuchHost)),
    ("Name or service not known", N(Net::NoSuchHost)),
    ("No address associated with hostname", N(Net::NoSuchHost)),
    ("nodename nor servname provided", N(Net::NoSuchHost)),
    ("no suitable address found", N(Net::NoSuchHost)),
    ("Could not resolve host", N(Net::NoSuchHost)),
    ("server misbehaving", N(Net::Misbehaving)),
    ("cannot unmarshal DNS message", N(Net::Misbehaving)),
    ("getaddrinfow: The requested name is valid", N(Net::NoSuchHost)),
    ("getaddrinfow: This is usually a temporary error", N(Net::Temporary)),
    ("getaddrinfow:", N(Net::Misbehaving)),
    ("Temporary failure in name resolution", N(Net::Temporary)),
    ("Try again", N(Net::Temporary)),
    ("error reading DNS config", Is(S::ResolverRefused, 95)),
    // connect
    ("i/o timeout", N(Net::Timeout)),
    ("connection timed out", N(Net::Timeout)),
    ("Connection timed out", N(Net::Timeout)),
    ("operation timed out", N(Net::Timeout)),
    ("A connection attempt failed because the connected party did not properly respond", N(Net::Timeout)),
    ("connection refused", N(Net::Refused)),
    ("Connection refused", N(Net::Refused)),
    ("No connection could be made because the target machine actively refused it", N(Net::Refused)),
    ("no route to host", N(Net::NoRoute)),
    ("No route to host", N(Net::NoRoute)),
    ("host is down", N(Net::NoRoute)),
    ("A socket operation was attempted to an unreachable host", N(Net::NoRoute)),
    ("EHOSTUNREACH", N(Net::NoRoute)),
    ("network is unreachable", N(Net::Unreachable)),
    ("Network is unreachable", N(Net::Unreachable)),
    ("network is down", N(Net::Unreachable)),
    ("A socket operation was attempted to an unreachable network", N(Net::Unreachable)),
    ("ENETUNREACH", N(Net::Unreachable)),
    ("ECONNREFUSED", N(Net::Refused)),
    ("ETIMEDOUT", N(Net::Timeout)),
    ("ECONNRESET", N(Net::Reset)),
    ("cannot assign requested address", N(Net::NoSourceAddress)),
    ("operation not permitted", N(Net::NotPermitted)),
    ("permission denied", N(Net::AccessDenied)),
    ("An attempt was made to access a socket in a way forbidden", N(Net::AccessDenied)),
    ("request canceled while waiting for connection", Is(S::ConnectionWaitTimeout, 90)),
    // what a SOCKS proxy replies, as Go prints its codes
    ("unknown error connection not allowed by ruleset", Is(S::ProxyDenied, 93)),
    ("unknown error general SOCKS server failure", Is(S::ProxyGatewayError, 93)),
    ("unknown error network unreachable", Leaf::Reply(S::NetworkUnreachable)),
    ("unknown error host unreachable", Leaf::Reply(S::HostUnreachable)),
    ("unknown error connection refused", Leaf::Reply(S::ConnectionRefused)),
    ("unknown error TTL expired", Is(S::ProxyGatewayError, 93)),
    ("no acceptable authentication methods", Is(S::ProxyAuthenticationRequired, 93)),
    ("username/password authentication failed", Is(S::ProxyAuthenticationRequired, 93)),
    // tls, and connections that end without a word
    ("TLS handshake timeout", Is(S::TlsHandshakeTimeout, 90)),
    ("connection reset by peer", N(Net::Reset)),
    ("An existing connection was forcibly closed by the remote host", N(Net::Reset)),
    ("broken pipe", N(Net::Reset)),
    ("software caused connection abort", N(Net::Reset)),
    ("transport endpoint is not connected", N(Net::Reset)),
    ("protocol error", N(Net::Reset)),
    ("client connection lost", N(Net::StreamEnded)),
    ("client connection force closed", N(Net::StreamEnded)),
    ("stream error: stream ID", N(Net::StreamEnded)),
    ("server sent GOAWAY", N(Net::StreamEnded)),
    ("server closed idle connection", N(Net::IdleEnded)),
    ("SSL_ERROR_SYSCALL", N(Net::Eof)),
    ("unexpected EOF", N(Net::UnexpectedEof)),
    ("EOF", N(Net::Eof)),
    ("server gave HTTP response to HTTPS client", Is(S::PlainHttpAnswer, 90)),
    ("first record does not look like a TLS handshake", Is(S::PlainHttpAnswer, 90)),
    ("wrong version number", Is(S::PlainHttpAnswer, 80)),
    ("oversized record received", Is(S::PlainHttpAnswer, 80)),
    ("malformed HTTP response \"\\x15", Is(S::TlsExpected, 90)),
    ("malformed HTTP response \"\\x16", Is(S::TlsExpected, 90)),
    ("Client sent an HTTP request to an HTTPS server", Is(S::TlsExpected, 90)),
    ("malformed HTTP response", Is(S::AnswerMalformed, 80)),
    ("malformed HTTP status code", Is(S::AnswerMalformed, 80)),
    ("unable to get local issuer certificate", Is(S::IssuerUnknown, 90)),
    ("self-signed certificate", Is(S::IssuerUnknown, 88)),
    ("self signed certificate", Is(S::IssuerUnknown, 88)),
    ("certificate verify failed", Is(S::IssuerUnknown, 70)),
    ("certificate is not trusted", Is(S::IssuerUnknown, 80)),
    ("terminated in a root certificate which is not trusted", Is(S::IssuerUnknown, 90)),
    ("A certificate chain could not be built to a trusted root authority", Is(S::IssuerUnknown, 90)),
    ("relies on legacy Common Name", Is(S::CertificateWithoutNames, 95)),
    ("certificate is not valid for any names", Is(S::CertificateWithoutNames, 95)),
    ("cannot validate certificate for ", Is(S::CertificateNameMismatch, 90)),
    ("certificate specifies an incompatible key usage", Is(S::CertificateUnacceptable, 90)),
    ("too many intermediates for path length constraint", Is(S::CertificateUnacceptable, 90)),
    ("is not authorized to sign for this name", Is(S::CertificateUnacceptable, 90)),
    ("is not authorized to sign other certificates", Is(S::CertificateUnacceptable, 90)),
    ("no valid chains built", Is(S::CertificateUnacceptable, 90)),
    ("failed to parse certificate from server", Is(S::CertificateUnacceptable, 92)),
    ("x509: negative serial number", Is(S::CertificateUnacceptable, 90)),
    ("x509: unhandled critical extension", Is(S::CertificateUnacceptable, 90)),
    ("cannot verify signature: insecure algorithm", Is(S::CertificateUnacceptable, 80)),
    ("cannot verify signature: algorithm unimplemented", Is(S::CertificateUnacceptable, 80)),
    ("verification failure", Is(S::CertificateUnacceptable, 40)),
    ("invalid signature: parent certificate cannot sign", Is(S::CertificateUnacceptable, 40)),
    ("server selected unsupported protocol version", Is(S::TlsAlert, 88)),
    ("server chose an unconfigured cipher suite", Is(S::TlsAlert, 88)),
    ("no supported versions satisfy MinVersion", Is(S::TlsAlert, 88)),
    ("server certificate contained RSA key larger than", Is(S::CertificateUnacceptable, 90)),
    ("server sent certificate containing RSA key larger", Is(S::CertificateUnacceptable, 90)),
    ("tls: downgrade attempt detected", Is(S::TlsAlert, 90)),
    ("tls: handshake failure", Is(S::TlsAlert, 85)),
    ("tls: internal error", Is(S::TlsAlert, 70)),
    ("tls: no cipher suite supported by both client and server", Is(S::TlsAlert, 88)),
    ("tls: no mutually supported", Is(S::TlsAlert, 88)),
    ("tls: client offered only unsupported versions", Is(S::TlsAlert, 88)),
    ("tls: server selected unsupported", Is(S::TlsAlert, 88)),
    ("tls: unexpected message", Is(S::TlsAlert, 80)),
    ("tls: received unexpected handshake message", Is(S::TlsAlert, 80)),
    // What arrived is not what was sent.
    ("local error: tls: bad record MAC", Is(S::AnswerMalformed, 80)),
    ("tls: bad record MAC", Is(S::AnswerMalformed, 80)),
    // Of a handshake, and nothing more is known: the rung, no symptom.
    ("tls: ", Leaf::Handshake),
    // answers
    ("timeout awaiting response headers", Is(S::HeaderTimeout, 90)),
    ("request canceled (Client.Timeout exceeded while awaiting headers)", Is(S::HeaderTimeout, 88)),
    ("context deadline exceeded (Client.Timeout or context cancellation while reading body)", Is(S::TransferStalled, 88)),
    ("Client.Timeout or context cancellation while reading body", Is(S::TransferStalled, 88)),
    ("context deadline exceeded", N(Net::Deadline)),
    ("context canceled", N(Net::Canceled)),
    // Cut by two letters.
    ("context cancel", N(Net::Canceled)),
    ("operation was canceled", N(Net::Canceled)),
    ("request canceled", N(Net::Canceled)),
    ("invalid character '<' looking for beginning of value", Is(S::HtmlAnswer, 72)),
    ("reference for unknown type: text/html", Is(S::HtmlAnswer, 88)),
    ("<!DOCTYPE html", Is(S::HtmlAnswer, 20)),
    ("<html", Is(S::HtmlAnswer, 20)),
    ("<Code>AuthorizationFailure", Is(S::Forbidden, 89)),
    ("<Code>AccessDenied", Is(S::Forbidden, 89)),
    ("<?xml", Is(S::Forbidden, 20)),
    ("schema 1 support is disabled", Is(S::MediaTypeUnsupported, 88)),
    ("authentication required", Is(S::Unauthorized, 44)),
    ("in header not a valid digest", Is(S::AnswerMalformed, 90)),
    ("missing or empty Content-Type header", Is(S::AnswerMalformed, 80)),
    ("invalid checksum digest", Is(S::AnswerMalformed, 80)),
    ("unhandled content range in response", Is(S::AnswerMalformed, 90)),
    ("unsupported Content-Encoding algorithm", Is(S::AnswerMalformed, 90)),
    ("rejecting ", Is(S::AnswerMalformed, 75)),
    ("media-type: expected manifest but found", Is(S::AnswerMalformed, 90)),
    ("which reports content size of zero", Is(S::AnswerMalformed, 90)),
    ("stopped after 10 redirects", Is(S::RedirectFailed, 90)),
    ("failed to authorize redirect", Is(S::RedirectFailed, 90)),
    // unpack
    ("no space left on device", Is(S::DiskFull, 97)),
    ("disk quota exceeded", Is(S::DiskFull, 97)),
    ("input/output error", Is(S::DiskIoError, 96)),
    ("read-only file system", Is(S::DiskIoError, 96)),
    ("stale file handle", Is(S::DiskIoError, 96)),
    ("stale NFS file handle", Is(S::DiskIoError, 96)),
    ("structure needs cleaning", Is(S::DiskIoError, 96)),
    ("too many open files", Is(S::NodeLimitReached, 96)),
    ("cannot allocate memory", Is(S::NodeLimitReached, 96)),
    ("resource temporarily unavailable", Is(S::NodeLimitReached, 60)),
    ("readlink /var/lib/", Is(S::ContentMissing, 60)),
    ("missing parent ", Is(S::ContentMissing, 92)),
    ("content digest ", Is(S::ContentMissing, 55)),
    ("parent snapshot ", Is(S::ContentMissing, 60)),
    ("wrong diff id", Is(S::LayerUnusable, 92)),
    ("archive/tar: ", Is(S::LayerUnusable, 91)),
    ("failed to Lchown", Is(S::LayerUnusable, 92)),
    ("failed to get stream processor", Is(S::LayerUnusable, 92)),
    ("no processor for media-type", Is(S::LayerUnusable, 92)),
    ("does not support platform ", Is(S::LayerUnusable, 85)),
    ("number of layers and diffIDs don't match", Is(S::LayerUnusable, 92)),
    ("mismatched image rootfs and manifest layers", Is(S::LayerUnusable, 90)),
    ("gzip: invalid header", Is(S::LayerUnusable, 88)),
    ("gzip: invalid checksum", Is(S::LayerUnusable, 88)),
    ("flate: corrupt input", Is(S::LayerUnusable, 88)),
    ("The system cannot find the path specified", Is(S::LayerUnusable, 50)),
    ("The system cannot find the file specified", Is(S::LayerUnusable, 50)),
    ("The process cannot access the file because it is being used", Is(S::LocalAccessDenied, 90)),
    ("failed to mount idmapped overlay", Is(S::SnapshotFailed, 92)),
    ("unable to initialize unpacker", Is(S::SnapshotFailed, 92)),
    ("no unpack platforms defined", Is(S::SnapshotFailed, 92)),
    ("device or resource busy", N(Net::Busy)),
    ("mount options is too long", Is(S::SnapshotFailed, 92)),
    ("failed to prepare extraction snapshot", Is(S::SnapshotFailed, 58)),
    ("not a directory", N(Net::NotADirectory)),
    ("directory not empty", N(Net::NotADirectory)),
    ("failed to convert whiteout file", Is(S::LayerUnusable, 91)),
    ("illegal base64 data at input byte", Is(S::CredentialsMissing, 71)),
    ("unpigz: ", Is(S::LayerUnusable, 88)),
    ("The parameter is incorrect", Is(S::LayerUnusable, 90)),
    ("snapshotter not loaded", Is(S::SnapshotFailed, 92)),
    ("operation not supported", N(Net::InvalidArgument)),
    ("invalid argument", N(Net::InvalidArgument)),
    ("function not implemented", N(Net::InvalidArgument)),
    ("no such file or directory", N(Net::NoSuchFile)),
    ("not found", N(Net::NotFound)),
    ("Pulling image \"", Is(S::PullPending, 5)),
    ("already present on machine", Other),
    ("Successfully pulled image ", Other),
    // contexts
    ("error while reading body", At(Step::Body)),
    ("failed to pull manifest error sending request", At(Step::Resolve)),
    ("Failed to login to ", Other),
];

fn all() -> impl Iterator<Item = &'static Phrase> {
    LEAVES.iter().chain(windows::LEAVES)
}

/// The phrases by first byte: most positions of a text begin no phrase at all.
static BY_FIRST_BYTE: LazyLock<Vec<Vec<&'static Phrase>>> = LazyLock::new(|| {
    let mut index = vec![Vec::new(); 256];
    for leaf in all() {
        if let Some(bucket) = leaf.0.bytes().next().and_then(|b| index.get_mut(usize::from(b))) {
            bucket.push(leaf);
        }
    }
    index
});

pub(super) fn token(input: &str) -> Parsed<'_> {
    let bucket = input.bytes().next().and_then(|b| BY_FIRST_BYTE.get(usize::from(b)));
    for (phrase, leaf) in bucket.into_iter().flatten() {
        if let Some(rest) = input.strip_prefix(phrase) {
            return Ok((rest, made(phrase, leaf, rest)));
        }
    }
    unknown_service(input)
}

fn made(phrase: &str, leaf: &Leaf, rest: &str) -> Token {
    match leaf {
        // `EOF` inside a longer word is no end of file.
        Leaf::Net(net) if phrase == "EOF" && rest.starts_with(|c: char| c.is_alphanumeric()) => Token::Net(*net).into_envelope(),
        Leaf::Net(net) => Token::Net(*net),
        Is(S::ResolverRefused, weight) => {
            Token::Says { symptom: S::ResolverRefused, weight: *weight, detail: Box::new(Detail { no_dns_config: true, ..Detail::default() }) }
        }
        Is(symptom, weight) => Token::says(*symptom, *weight),
        At(step) => Token::Step(*step),
        Leaf::Reply(symptom) => Token::Says { symptom: *symptom, weight: 93, detail: Box::new(Detail { proxy_replied: true, ..Detail::default() }) },
        Leaf::Handshake => Token::Handshake,
        Leaf::Call => Token::Transfer { source: None, peer: None },
        Other => Token::NotAPull,
    }
}

impl Token {
    fn into_envelope(self) -> Token {
        Token::Envelope
    }
}

/// `unknown service runtime.v1.ImageService`, `unknown method X for service Y`
fn unknown_service(input: &str) -> Parsed<'_> {
    let named = ["unknown service ", "unknown method "].iter().find_map(|mark| input.strip_prefix(mark));
    let Some(rest) = named else {
        return Err(nom::Err::Error(nom::error::Error::new(input, nom::error::ErrorKind::Tag)));
    };
    let line_end = rest.find('\n').unwrap_or(rest.len());
    let (line, _) = rest.split_at_checked(line_end).unwrap_or((rest, ""));
    let service = line.rsplit_once("for service ").map_or(line, |(_, s)| s);
    let end = service.find(|c: char| c.is_whitespace() || matches!(c, '"' | ',' | ':')).unwrap_or(service.len());
    let service = service.get(..end).unwrap_or(service).trim_end_matches('.').to_owned();
    Ok((
        input.get(input.len() - rest.len()..).unwrap_or(""),
        Token::Says { symptom: S::RuntimeApiUnimplemented, weight: 93, detail: Box::new(Detail { service: Some(service), ..Detail::default() }) },
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_phrase_hides_behind_a_shorter_one() {
        for (place, (phrase, _)) in all().enumerate() {
            let hidden = all().take(place).find(|(earlier, _)| phrase.starts_with(earlier));
            assert!(hidden.is_none(), "{phrase:?} can never be reached behind {:?}", hidden.map(|(p, _)| p));
        }
    }
}
