//! Which certificates does a PEM file hold: the node's trust, or the chain that a host presented?
//!
//! ```text
//! -----BEGIN CERTIFICATE-----
//! MIIB...
//! ```

use pki_types::CertificateDer;
use pki_types::pem::PemObject;
use x509_parser::extensions::{GeneralName, ParsedExtension};
use x509_parser::prelude::{FromDer, X509Certificate};

use super::File;
use crate::facts::{Certificate, Chain, Of, Owner};
use crate::text;

/// The most certificates of one file that are kept: a distribution's bundle holds about 150.
const MOST: usize = 2000;

pub(super) fn read(file: &mut File<'_>, content: &str) {
    if content.contains("PRIVATE KEY-----") {
        file.unread("holds a private key, which is not read; tell the customer to replace it");
    }
    let certificates = parse(file, content, 1);
    if certificates.is_empty() {
        return;
    }
    let source = certificates.first().map_or_else(|| file.source(1, ""), |c| c.source.clone());
    if is_trust(file.path, &certificates) {
        file.take("trust-store");
        file.facts.trust.push(Of { owner: Owner::Unknown, value: certificates, source });
    } else {
        let host = host_of(file.path, &certificates);
        file.take("certificate-chain");
        file.facts.chains.push(Of { owner: Owner::Unknown, value: Chain { host, certificates }, source });
    }
}

/// A place where nodes keep what they trust, or nothing but authorities; a chain begins with a host's certificate.
fn is_trust(path: &str, certificates: &[Certificate]) -> bool {
    let lower = path.to_lowercase();
    let place = ["etc/ssl/", "ca-certificates", "etc/pki/", "certs.d/", "ca-bundle", "ca-trust", "tls-ca-bundle"].iter().any(|p| lower.contains(p));
    place || certificates.iter().all(|c| c.is_ca)
}

/// The host that presented a chain: named by a folder `endpoints/HOST/`; the file itself rarely says it.
fn host_of(path: &str, certificates: &[Certificate]) -> Option<String> {
    let folder = path.rsplit('/').nth(1).filter(|f| f.contains('.') && !f.starts_with("etc"));
    let named = folder.map(|f| f.to_lowercase());
    named.filter(|n| !certificates.is_empty() && !n.is_empty())
}

/// The certificates of a text, each with the line on which it begins, counted from `first_line`.
pub(super) fn parse(file: &File<'_>, content: &str, first_line: u32) -> Vec<Certificate> {
    const BEGIN: &str = "-----BEGIN CERTIFICATE-----";
    let mut out = Vec::new();
    for (at, _) in content.match_indices(BEGIN).take(MOST) {
        let block = content.get(at..).unwrap_or("");
        let end = block.find("-----END CERTIFICATE-----").map_or(block.len(), |i| i + "-----END CERTIFICATE-----".len());
        let Ok(der) = CertificateDer::from_pem_slice(block.get(..end).unwrap_or("").as_bytes()) else { continue };
        let line = first_line + text::line_of(content, at) - 1;
        if let Ok((_, parsed)) = X509Certificate::from_der(&der) {
            out.push(of(&parsed, file, line));
        }
    }
    out
}

fn of(parsed: &X509Certificate<'_>, file: &File<'_>, line: u32) -> Certificate {
    let mut certificate = Certificate {
        subject: parsed.subject().to_string(),
        issuer: parsed.issuer().to_string(),
        key_id: None,
        authority_key_id: None,
        names: Vec::new(),
        not_before: jiff::Timestamp::from_second(parsed.validity().not_before.timestamp()).ok(),
        not_after: jiff::Timestamp::from_second(parsed.validity().not_after.timestamp()).ok(),
        is_ca: parsed.is_ca() || parsed.version().0 == 0 && parsed.subject() == parsed.issuer(),
        source: file.source(line, &format!("subject {}, issuer {}, valid to {}", parsed.subject(), parsed.issuer(), parsed.validity().not_after)),
    };
    for extension in parsed.extensions() {
        match extension.parsed_extension() {
            ParsedExtension::SubjectKeyIdentifier(id) => certificate.key_id = Some(hex(id.0)),
            ParsedExtension::AuthorityKeyIdentifier(id) => certificate.authority_key_id = id.key_identifier.as_ref().map(|k| hex(k.0)),
            ParsedExtension::SubjectAlternativeName(names) => {
                certificate.names = names.general_names.iter().filter_map(name).collect();
            }
            _ => {}
        }
    }
    certificate
}

fn name(general: &GeneralName<'_>) -> Option<String> {
    match general {
        GeneralName::DNSName(name) => Some(name.to_lowercase()),
        GeneralName::IPAddress([a, b, c, d]) => Some(std::net::Ipv4Addr::new(*a, *b, *c, *d).to_string()),
        GeneralName::IPAddress(bytes) => <[u8; 16]>::try_from(*bytes).ok().map(|b| std::net::Ipv6Addr::from(b).to_string()),
        _ => None,
    }
}

fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::new(), |mut out, b| {
        let _ = write!(out, "{b:02x}");
        out
    })
}
