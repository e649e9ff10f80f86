//! What does a runtime's error text prove? Its attempts, where each stopped, at which endpoint, with which symptom.
//!
//! Total: what it does not know stays visible as [`Symptom::Unrecognized`] with its text, and the prefixes that it does
//! know still prove their stages. The wording of kubelet, containerd, CRI-O, Docker and Go lives here and nowhere else.
//!
//! A text is peeled into [`token::Token`]s by nom parsers, one room a speaker; [`fold`] reads the tokens of one attempt.

mod commands;
mod containerd;
mod crio;
mod cut;
mod docker;
mod elsewhere;
mod fingerprint;
mod fold;
mod go;
mod kubelet;
mod leaves;
mod normal;
mod place;
mod reference;
mod registry;
mod split;
mod token;
mod url;
mod windows;
mod words;

pub use fingerprint::{Fingerprint, fingerprint};
pub use reference::Reference;
pub use words::{Endpoint, Stage, Symptom};

use std::net::IpAddr;

/// What one error text says.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Reading {
    /// The image as the kubelet or the user wrote it.
    pub image: Option<String>,
    /// The text speaks of the sandbox image, for which pull secrets are not used.
    pub sandbox: bool,
    /// Somebody asked the node's own runtime for the image, by a command.
    pub by_hand: bool,
    /// The attempts of its list, in order; one where the text is no list.
    pub attempts: Vec<Attempt>,
}

/// One error of the list that one kubelet event can hold.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Attempt {
    /// The typed meaning of the innermost error.
    pub symptom: Symptom,
    /// The rung at which it stopped; none where the text does not tell.
    pub stage: Option<Stage>,
    /// The rungs that the words leave possible.
    pub span: Option<(Stage, Stage)>,
    /// The role of the host that failed; none where the fault is the node's own.
    pub endpoint: Option<Endpoint>,
    /// The host that failed, without its port, in lower case.
    pub host: Option<String>,
    /// Its port, where the text names one.
    pub port: Option<u16>,
    /// The address that was dialled.
    pub address: Option<IpAddr>,
    /// The resolver that was asked.
    pub resolver: Option<IpAddr>,
    /// The node's own address, where the text names it.
    pub source_address: Option<IpAddr>,
    /// The address under which the registry saw the client.
    pub client_address: Option<String>,
    /// The HTTP status that the endpoint answered.
    pub status: Option<u16>,
    /// Whether credentials were sent; none where the text does not tell.
    pub credentials: Option<bool>,
    /// The reference as the runtime normalised it.
    pub reference: Option<String>,
    /// The URL carried `?ns=`: a mirror was asked on behalf of another registry.
    pub via_mirror: bool,
    /// The registry's last rung that the request itself shows to have passed, where another endpoint's stop would hide it.
    pub passed: Option<Stage>,
    /// Details that separate causes of one symptom.
    pub detail: Detail,
    /// The text ends inside a word, a quote or a URL.
    pub cut: bool,
    /// The attempt's text.
    pub text: String,
}

/// What else the words say.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Detail {
    /// The service or method that the runtime does not offer.
    pub service: Option<String>,
    /// The media type that was refused.
    pub media_type: Option<String>,
    /// Names in the certificate that was presented.
    pub certificate_names: Vec<String>,
    /// The client's clock and the certificate's end or begin, as the text gives them.
    pub certificate_times: Option<(String, String)>,
    /// A candidate authority of the same name failed to verify.
    pub candidate_authority: Option<String>,
    /// No system roots could be loaded.
    pub no_system_roots: bool,
    /// The last progress before a cancel: `downloading` or `extracting`.
    pub progress: Option<&'static str>,
    /// Bytes that arrived and bytes that were expected.
    pub sizes: Option<(u64, u64)>,
    /// The image is on the node, and the pod's credentials were not those that pulled it.
    pub lacks_auth: bool,
    /// The policy wants a signature (rather than refusing outright).
    pub wants_signature: bool,
    /// The layer's import failed in Windows.
    pub windows_import: bool,
    /// The credential provider's binary could not be run.
    pub provider_missing: bool,
    /// `operation not permitted` (EPERM) rather than `permission denied` (EACCES).
    pub not_permitted: bool,
    /// The kernel says that no route leads there.
    pub no_route: bool,
    /// No nameserver is configured, or the file that names it cannot be read.
    pub no_dns_config: bool,
    /// The registry's own error code, in its short form: `denied`, `manifest unknown` ...
    pub code: Option<String>,
    /// The reference that the words themselves name.
    pub reference: Option<String>,
    /// The proxy was reached, and this is what it says of the destination.
    pub proxy_replied: bool,
    /// The layer's archive ended too early: it is broken, or the disk was full.
    pub ended_early: bool,
    /// The kubelet could not decode a pull secret.
    pub secret_unreadable: bool,
    /// The peer's TLS alert.
    pub alert: Option<String>,
}

/// Reads an error text, whatever carried it.
///
/// ```
/// use underpod::message::{read, Endpoint, Stage, Symptom};
///
/// let reading = read("Failed to pull image \"r.example/a:1\": failed to do request: Head \"https://r.example/v2/a/manifests/1\": \
///                     dial tcp 10.1.2.3:443: i/o timeout");
/// let attempt = &reading.attempts[0];
/// assert_eq!((attempt.stage, attempt.endpoint, attempt.symptom), (Some(Stage::Connect), Some(Endpoint::Registry), Symptom::DialTimeout));
/// assert_eq!(attempt.host.as_deref(), Some("r.example"));
/// ```
pub fn read(text: &str) -> Reading {
    normal::readings(text)
        .into_iter()
        .map(|candidate| read_normal(&candidate))
        .enumerate()
        // The reading that recognises most; the text as it stands where two are alike.
        .max_by_key(|(order, (score, _))| (*score, std::cmp::Reverse(*order)))
        .map(|(_, (_, reading))| reading)
        .unwrap_or_default()
}

/// Whether the text speaks of a pull at all.
pub fn speaks_of_a_pull(text: &str) -> bool {
    let reading = read(text);
    reading.image.is_some() || reading.attempts.iter().any(|a| a.symptom != Symptom::Unrecognized || a.reference.is_some())
}

fn read_normal(text: &str) -> (usize, Reading) {
    let envelope = token::tokens(text);
    if elsewhere::is_elsewhere(text, &envelope) || envelope.iter().any(|t| matches!(t.token, token::Token::NotAPull)) {
        return (envelope.len(), Reading::default());
    }
    let image = envelope.iter().find_map(|t| match &t.token {
        token::Token::Image(image) | token::Token::BackOff(Some(image)) => Some(image.clone()).filter(|i| !i.is_empty()),
        _ => None,
    });
    // Of several commands the last is the one that failed.
    let asked = envelope.iter().rev().find_map(|t| if let token::Token::Asked { image, of_node } = &t.token { Some((image.clone(), *of_node)) } else { None });
    let by_hand = image.is_none() && asked.as_ref().is_some_and(|(_, of_node)| *of_node);
    let image = image.or(asked.map(|(image, _)| image));
    let sandbox = envelope.iter().any(|t| matches!(t.token, token::Token::Sandbox));
    let mut score = 0;
    let attempts = split::attempts(text)
        .into_iter()
        .map(|part| {
            let tokens = if part.text.len() == text.len() { envelope.clone() } else { token::tokens(&part.text) };
            score += tokens.iter().map(|t| t.token.weight()).sum::<usize>();
            let mut attempt = fold::attempt(&tokens, &part.text, image.as_deref());
            if part.mirror && attempt.endpoint == Some(Endpoint::Registry) {
                attempt.endpoint = Some(Endpoint::Mirror);
                attempt.host = attempt.host.or_else(|| split::mirror_of(&part.text));
            }
            attempt
        })
        .collect();
    (score, Reading { image, sandbox, by_hand, attempts })
}
