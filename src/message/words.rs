//! The field's closed lists: stages of the ladder, roles of endpoints, symptoms.

/// A rung of the ladder that every pull climbs, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// The reference, the pull policy and the runtime's configuration.
    Request,
    /// The look-up of a host's name on the node.
    Resolve,
    /// The TCP connection.
    Connect,
    /// The TLS handshake.
    Tls,
    /// Who is asking.
    Authenticate,
    /// Whether it may.
    Authorize,
    /// The manifest or index.
    Manifest,
    /// The layers and the configuration.
    Blob,
    /// The runtime's store on the node.
    Unpack,
}

impl Stage {
    /// Every stage, from the first to the last.
    pub const ALL: [Stage; 9] =
        [Stage::Request, Stage::Resolve, Stage::Connect, Stage::Tls, Stage::Authenticate, Stage::Authorize, Stage::Manifest, Stage::Blob, Stage::Unpack];

    /// The name as it is written everywhere.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Request => "request",
            Stage::Resolve => "resolve",
            Stage::Connect => "connect",
            Stage::Tls => "tls",
            Stage::Authenticate => "authenticate",
            Stage::Authorize => "authorize",
            Stage::Manifest => "manifest",
            Stage::Blob => "blob",
            Stage::Unpack => "unpack",
        }
    }

    /// The stage of that name.
    pub fn named(name: &str) -> Option<Stage> {
        Stage::ALL.into_iter().find(|s| s.name() == name)
    }

    /// The rung before this one.
    pub fn before(self) -> Option<Stage> {
        Stage::ALL.into_iter().take_while(|s| *s < self).last()
    }
}

/// The role of a host that a pull talks to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Endpoint {
    /// The registry that the reference names, and where it redirects a manifest.
    Registry,
    /// A host that is asked before it.
    Mirror,
    /// The proxy on the way.
    Proxy,
    /// The token service.
    Auth,
    /// The host from which the layers come, where it is another.
    Blob,
}

impl Endpoint {
    /// Every role.
    pub const ALL: [Endpoint; 5] = [Endpoint::Registry, Endpoint::Mirror, Endpoint::Proxy, Endpoint::Auth, Endpoint::Blob];

    /// The name as it is written everywhere.
    pub fn name(self) -> &'static str {
        match self {
            Endpoint::Registry => "registry",
            Endpoint::Mirror => "mirror",
            Endpoint::Proxy => "proxy",
            Endpoint::Auth => "auth",
            Endpoint::Blob => "blob",
        }
    }

    /// The role of that name.
    pub fn named(name: &str) -> Option<Endpoint> {
        Endpoint::ALL.into_iter().find(|e| e.name() == name)
    }
}

macro_rules! symptoms {
    ($($variant:ident $name:literal $usual:expr, $first:ident..$last:ident, $meaning:literal;)*) => {
        /// The typed meaning of the innermost error.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        pub enum Symptom {
            $(#[doc = $meaning] $variant,)*
            /// The words are not known; the prefixes that are known still prove their stages.
            #[default]
            Unrecognized,
        }

        impl Symptom {
            /// Every symptom.
            pub const ALL: &'static [Symptom] = &[$(Symptom::$variant,)* Symptom::Unrecognized];

            /// The name as it is written everywhere.
            pub fn name(self) -> &'static str {
                match self { $(Symptom::$variant => $name,)* Symptom::Unrecognized => "unrecognized" }
            }

            /// What it means, in one sentence.
            pub fn meaning(self) -> &'static str {
                match self { $(Symptom::$variant => $meaning,)* Symptom::Unrecognized => "The words are not known" }
            }

            /// The rungs at which words of this meaning can stop, from the first to the last.
            pub fn span(self) -> (Stage, Stage) {
                match self { $(Symptom::$variant => (Stage::$first, Stage::$last),)* Symptom::Unrecognized => (Stage::Request, Stage::Unpack) }
            }

            /// The rung that is told by convention; none where the words alone tell no rung.
            pub fn usual(self) -> Option<Stage> {
                match self { $(Symptom::$variant => $usual,)* Symptom::Unrecognized => None }
            }
        }
    };
}

use Stage::{Authenticate, Authorize, Blob, Connect, Manifest, Request, Resolve, Tls, Unpack};

symptoms! {
    ReferenceInvalid "reference-invalid" Some(Request), Request..Request, "The image reference cannot be parsed; nothing was asked of anybody";
    ShortNameAmbiguous "short-name-ambiguous" Some(Request), Request..Request, "CRI-O refuses a short name because several search registries could be meant";
    ShortNameUnresolved "short-name-unresolved" Some(Request), Request..Request, "CRI-O has neither an alias nor a search registry for a short name";
    ImageNeverPulled "image-never-pulled" Some(Request), Request..Request, "The pull policy forbids pulling and the kubelet finds no usable image on the node";
    PullQpsExceeded "pull-qps-exceeded" Some(Request), Request..Request, "The kubelet's own pull rate limiter held the pull back";
    PullPending "pull-pending" Some(Request), Request..Unpack, "A pull was announced and neither success nor error followed";
    AdmissionRefused "admission-refused" Some(Request), Request..Request, "An admission policy refused the pod, so no pull was asked for";
    RegistryBlocked "registry-blocked" Some(Request), Request..Request, "The node's registry configuration blocks the registry";
    RuntimeConfigInvalid "runtime-config-invalid" Some(Request), Request..Request, "The runtime cannot read or use its own registry configuration";
    RuntimeApiUnimplemented "runtime-api-unimplemented" Some(Request), Request..Request, "The runtime does not offer the service that the kubelet or client asks for";
    RuntimeUnavailable "runtime-unavailable" Some(Request), Request..Request, "The runtime's socket does not answer, or the runtime failed inside";
    NameNotFound "name-not-found" Some(Resolve), Resolve..Resolve, "A resolver answered that the name has no address";
    ResolverFailure "resolver-failure" Some(Resolve), Resolve..Resolve, "The resolver answered with a failure";
    LookupTemporaryFailure "lookup-temporary-failure" Some(Resolve), Resolve..Resolve, "The C library reports a temporary failure: the resolver was silent or answered with a failure";
    ResolverTimeout "resolver-timeout" Some(Resolve), Resolve..Resolve, "The resolver did not answer in time";
    ResolverRefused "resolver-refused" Some(Resolve), Resolve..Resolve, "Nothing listens on the resolver's address";
    ResolverUnreachable "resolver-unreachable" Some(Resolve), Resolve..Resolve, "The node cannot even send to its resolver";
    DialTimeout "dial-timeout" Some(Connect), Connect..Connect, "The TCP handshake got no answer";
    ConnectionWaitTimeout "connection-wait-timeout" Some(Connect), Resolve..Tls, "The client gave up before it had a connection";
    NetworkUnreachable "network-unreachable" Some(Connect), Connect..Connect, "The kernel or a router answers that no route leads to the address";
    AddressUnavailable "address-unavailable" Some(Connect), Connect..Connect, "The node has no source address or port to dial from";
    HostUnreachable "host-unreachable" Some(Connect), Connect..Connect, "A router, a neighbour look-up or a rejecting firewall answers that the host cannot be reached";
    DialNotPermitted "dial-not-permitted" Some(Connect), Connect..Connect, "The node's own kernel forbids the connection";
    ConnectionRefused "connection-refused" Some(Connect), Connect..Connect, "The address answered with a reset: closed port, or a firewall that rejects";
    ProxyDenied "proxy-denied" Some(Connect), Connect..Connect, "The proxy answered CONNECT with 403: this destination is not allowed";
    ProxyAuthenticationRequired "proxy-authentication-required" Some(Connect), Connect..Connect, "The proxy answered CONNECT with 407: it wants credentials";
    ProxyGatewayError "proxy-gateway-error" Some(Connect), Connect..Connect, "The proxy answered CONNECT with 5xx: it could not reach or resolve the destination";
    ConnectionReset "connection-reset" Some(Tls), Tls..Blob, "An established connection was reset before an answer came";
    ClosedEarly "closed-early" Some(Tls), Tls..Blob, "The peer closed an established connection without an answer";
    TlsHandshakeTimeout "tls-handshake-timeout" Some(Tls), Tls..Tls, "TCP connected, the TLS handshake was not completed in time";
    TlsAlert "tls-alert" Some(Tls), Tls..Tls, "The peer aborted the handshake with an alert, or no common version or cipher exists";
    IssuerUnknown "issuer-unknown" Some(Tls), Tls..Tls, "The presented certificate does not chain to a root that this client trusts";
    CertificateExpired "certificate-expired" Some(Tls), Tls..Tls, "The client's clock lies after the certificate's end";
    CertificateOutsideValidity "certificate-outside-validity" Some(Tls), Tls..Tls, "The client's clock lies outside the certificate's period";
    CertificateNotYetValid "certificate-not-yet-valid" Some(Tls), Tls..Tls, "The client's clock lies before the certificate's beginning";
    CertificateNameMismatch "certificate-name-mismatch" Some(Tls), Tls..Tls, "The certificate is for other names than the one dialled";
    CertificateWithoutNames "certificate-without-names" Some(Tls), Tls..Tls, "The certificate has no subject alternative name";
    CertificateUnacceptable "certificate-unacceptable" Some(Tls), Tls..Tls, "The certificate or its chain breaks another rule of the client";
    PlainHttpAnswer "plain-http-answer" Some(Tls), Tls..Tls, "The client spoke TLS and the peer answered in plain HTTP or something else";
    TlsExpected "tls-expected" Some(Tls), Tls..Tls, "The client spoke plain HTTP to a port that expects TLS";
    HeaderTimeout "header-timeout" Some(Manifest), Authenticate..Blob, "The request was sent on an established connection and no answer came";
    RequestTimeout "request-timeout" None, Resolve..Unpack, "A deadline ran out and the words do not say during what";
    PullCanceled "pull-canceled" None, Resolve..Unpack, "The pull was cancelled from the node's side; the reason stands elsewhere";
    AnonymousUnauthorized "anonymous-unauthorized" Some(Authenticate), Authenticate..Authorize, "A token or manifest was asked for without any credentials, and the registry wants some";
    AnonymousForbidden "anonymous-forbidden" Some(Authenticate), Authenticate..Authorize, "A token was asked for without credentials and refused with 403";
    CredentialsMissing "credentials-missing" Some(Authenticate), Authenticate..Authorize, "The registry wants basic credentials and the client had none it could use";
    CredentialsRejected "credentials-rejected" Some(Authenticate), Authenticate..Authorize, "Credentials were sent and refused";
    Unauthorized "unauthorized" Some(Authenticate), Authenticate..Authorize, "401, and the words do not say whether credentials were sent";
    ChallengeUnusable "challenge-unusable" Some(Authenticate), Authenticate..Authenticate, "The registry's challenge or the token service's answer cannot be used";
    CredentialProviderFailed "credential-provider-failed" Some(Authenticate), Authenticate..Authenticate, "The kubelet's credential provider gave no credentials for the image";
    IdentityNotAssigned "identity-not-assigned" Some(Authenticate), Authenticate..Authenticate, "The instance metadata service says that the wanted identity is not assigned to the node";
    IdentityEndpointSilent "identity-endpoint-silent" Some(Authenticate), Authenticate..Authenticate, "The instance metadata service does not answer the node";
    PullSecretUnretrievable "pull-secret-unretrievable" Some(Authenticate), Authenticate..Authenticate, "A pull secret that the pod names is not in its namespace";
    InsufficientScope "insufficient-scope" Some(Authorize), Authenticate..Manifest, "Pull on this repository is not granted to this caller, or the repository does not exist";
    Forbidden "forbidden" Some(Authorize), Authorize..Blob, "403 without a reason that says more";
    PermissionDenied "permission-denied" Some(Authorize), Authorize..Authorize, "The registry names the permission that the caller lacks";
    ClientAddressDenied "client-address-denied" Some(Authorize), Authorize..Authorize, "The registry's network rules refuse the caller's address, whoever it is";
    OperationDisallowed "operation-disallowed" Some(Authorize), Authorize..Authorize, "The registry forbids the operation on this image whoever asks";
    TagNotFound "tag-not-found" Some(Manifest), Manifest..Manifest, "The host says it has no manifest under this tag";
    RepositoryNotFound "repository-not-found" Some(Manifest), Manifest..Manifest, "The host says it does not know the repository";
    DigestNotFound "digest-not-found" Some(Manifest), Manifest..Manifest, "An index or a digest reference names a manifest that the host does not have";
    NoPlatformMatch "no-platform-match" Some(Manifest), Manifest..Manifest, "The image has no variant for the node's system, processor or Windows build";
    MediaTypeUnsupported "media-type-unsupported" Some(Manifest), Manifest..Manifest, "The manifest arrived and is of a kind that the runtime does not pull";
    HtmlAnswer "html-answer" Some(Manifest), Authenticate..Blob, "A web page came instead of a registry's answer";
    AnswerMalformed "answer-malformed" Some(Manifest), Manifest..Blob, "The answer breaks the protocol: something on the way altered it";
    PolicyRejected "policy-rejected" Some(Manifest), Manifest..Manifest, "The node's signature policy or image verifier refuses the image";
    UpstreamFailed "upstream-failed" Some(Manifest), Manifest..Blob, "A pull-through registry answers that it could not fetch the image from its upstream";
    RateLimited "rate-limited" Some(Manifest), Authenticate..Blob, "429: the registry's limit for this identity or address is reached";
    ServerError "server-error" Some(Manifest), Authenticate..Blob, "The asked host answers with 5xx";
    BlobNotFound "blob-not-found" Some(Blob), Blob..Blob, "The manifest names a blob that the host does not have";
    DigestMismatch "digest-mismatch" Some(Blob), Blob..Blob, "The bytes that arrived are not those the manifest names";
    EmptyBody "empty-body" Some(Blob), Blob..Blob, "A blob arrived with no bytes at all";
    SizeMismatch "size-mismatch" Some(Blob), Blob..Blob, "A blob arrived with another size than the manifest names";
    TransferCut "transfer-cut" Some(Blob), Blob..Blob, "The connection ended in the middle of a blob";
    TransferStalled "transfer-stalled" Some(Blob), Blob..Unpack, "The runtime saw no progress for its deadline, or a blob's connection fell silent";
    RedirectFailed "redirect-failed" Some(Manifest), Authenticate..Blob, "Redirects go round in a circle or lead where the client may not go";
    DiskFull "disk-full" Some(Unpack), Unpack..Unpack, "The node's file system has no space, no inodes or no quota left";
    DiskIoError "disk-io-error" Some(Unpack), Unpack..Unpack, "The node's storage answers with an input/output error, or is read-only or stale";
    ContentMissing "content-missing" Some(Unpack), Unpack..Unpack, "The runtime's own store lacks content that it believes to have";
    LayerUnusable "layer-unusable" Some(Unpack), Unpack..Unpack, "The layer arrived whole and cannot be applied on this node";
    SnapshotFailed "snapshot-failed" Some(Unpack), Unpack..Unpack, "The snapshotter is missing, or could not prepare, mount, unmount or commit";
    LocalAccessDenied "local-access-denied" Some(Unpack), Unpack..Unpack, "The node's own system or a guard program denies access to the layer's files";
    NodeLimitReached "node-limit-reached" Some(Unpack), Unpack..Unpack, "The runtime ran into a limit of memory or open files";
    NodeBootstrapFailed "node-bootstrap-failed" None, Resolve..Authorize, "The node's provisioning script could not reach what it needs; not a pull";
    BackOffOnly "back-off-only" None, Request..Unpack, "Only the back-off is left; the error that caused it is not in the text";
    BadRequest "bad-request" Some(Authenticate), Authenticate..Blob, "The server answered HTTP 400: it could not make sense of the request";
}

impl Symptom {
    /// The symptom of that name.
    pub fn named(name: &str) -> Option<Symptom> {
        Symptom::ALL.iter().copied().find(|s| s.name() == name)
    }

    /// Whether the fault is the node's own, so that no endpoint is to be named.
    pub fn is_local(self) -> bool {
        use Symptom::*;
        self.span().0 == Unpack
            || matches!(
                self,
                ReferenceInvalid
                    | ShortNameAmbiguous
                    | ShortNameUnresolved
                    | ImageNeverPulled
                    | PullQpsExceeded
                    | PullPending
                    | AdmissionRefused
                    | RuntimeApiUnimplemented
                    | RuntimeUnavailable
                    | BackOffOnly
                    | NodeBootstrapFailed
            )
    }
}
