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
use crate::facts::{Certificate, Chain, Of, Owner, TrustPlace, TrustStore};
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
        let store = TrustStore { place: place(file.path), certificates, written: file.written };
        file.facts.trust.push(Of { owner: Owner::Unknown, value: store, source });
    } else {
        let host = host_of(file.path, &certificates);
        file.take("certificate-chain");
        file.facts.chains.push(Of { owner: Owner::Unknown, value: Chain { by_folder: host.is_some(), host, certificates, ..Chain::default() }, source });
    }
}

/// A place where nodes keep what they trust, or nothing but authorities; a chain begins with a host's certificate.
fn is_trust(path: &str, certificates: &[Certificate]) -> bool {
    let lower = path.to_lowercase();
    let place = ["etc/ssl/", "ca-certificates", "etc/pki/", "certs.d/", "ca-bundle", "ca-trust", "tls-ca-bundle"].iter().any(|p| lower.contains(p));
    // A registry may present an authority's certificate as its own: it is for a name.
    place || certificates.iter().all(|c| c.is_ca && c.names.is_empty())
}

/// Who reads the place in which the file lies.
fn place(path: &str) -> TrustPlace {
    let lower = path.to_lowercase();
    for (runtime, folder) in [("containerd", "containerd/certs.d/"), ("docker", "docker/certs.d/"), ("containers", "containers/certs.d/")] {
        if let Some((_, rest)) = lower.split_once(folder)
            && let Some((host, _)) = rest.split_once('/')
        {
            return TrustPlace::Host { runtime, host: host.to_owned() };
        }
    }
    // Sources are read by the command that makes the bundle, and by nobody else.
    if ["local/share/ca-certificates/", "usr/share/ca-certificates/", "ca-trust/source/", "etc/pki/trust/anchors"].iter().any(|p| lower.contains(p)) {
        return TrustPlace::Source;
    }
    let system = ["etc/ssl/", "etc/pki/tls/", "ca-trust/extracted", "ca-bundle", "tls-ca-bundle", "ca-certificates.crt"];
    if system.iter().any(|p| lower.contains(p)) { TrustPlace::System } else { TrustPlace::Unknown }
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
        for_servers: None,
        permitted: Vec::new(),
        weak: weak(parsed),
        path_length: None,
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
            ParsedExtension::BasicConstraints(limits) => certificate.path_length = limits.path_len_constraint,
            // An authority that names its usages, and not this one, may not sign.
            ParsedExtension::KeyUsage(usage) => certificate.is_ca &= usage.key_cert_sign(),
            ParsedExtension::ExtendedKeyUsage(usage) => certificate.for_servers = Some(usage.any || usage.server_auth),
            ParsedExtension::NameConstraints(constraints) => {
                let subtrees = constraints.permitted_subtrees.iter().flatten();
                certificate.permitted = subtrees.filter_map(|s| if let GeneralName::DNSName(n) = s.base { Some(n.to_lowercase()) } else { None }).collect();
            }
            _ => {}
        }
    }
    certificate
}

/// What of the signature or key today's clients refuse. How a root signs itself nobody checks.
fn weak(parsed: &X509Certificate<'_>) -> Option<&'static str> {
    if parsed.subject() == parsed.issuer() {
        return None;
    }
    match parsed.signature_algorithm.algorithm.to_id_string().as_str() {
        "1.2.840.113549.1.1.5" | "1.2.840.10045.4.1" | "1.2.840.10040.4.3" => Some("SHA-1 signature"),
        "1.2.840.113549.1.1.4" | "1.2.840.113549.1.1.2" => Some("MD5 or MD2 signature"),
        _ => None,
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_reads_a_place() {
        let host = |runtime, host: &str| TrustPlace::Host { runtime, host: host.into() };
        for (path, want) in [
            ("nodes/a/etc/ssl/certs/ca-certificates.crt", TrustPlace::System),
            ("etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", TrustPlace::System),
            ("usr/local/share/ca-certificates/corp.crt", TrustPlace::Source),
            ("etc/pki/ca-trust/source/anchors/corp.pem", TrustPlace::Source),
            ("etc/containerd/certs.d/r.example:5000/ca.crt", host("containerd", "r.example:5000")),
            ("etc/docker/certs.d/r.example/ca.crt", host("docker", "r.example")),
            ("corp-root.pem", TrustPlace::Unknown),
        ] {
            assert_eq!(place(path), want, "{path}");
        }
    }
}
