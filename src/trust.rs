//! Does a presented chain lead to something that the node trusts, for this host, at this time? By names and key identifiers.
//!
//! Signatures are not checked: the runtime did that, and its answer is the error. What is asked here is which link is missing.

use jiff::Timestamp;

use crate::facts::{Certificate, Chain};

/// What a chain lacks against a set of trusted certificates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Path {
    /// It leads to a trusted certificate.
    Complete,
    /// It ends at an authority of its own, which is not trusted.
    UntrustedRoot,
    /// It ends before an authority that did not come with it and is not trusted.
    MissingLink,
}

/// The certificate at which the presented chain ends, following issuers from the first.
pub fn end_of(chain: &Chain) -> Option<&Certificate> {
    let mut current = chain.certificates.first()?;
    for _ in 0..chain.certificates.len() {
        if current.is_self_issued() {
            break;
        }
        match chain.certificates.iter().find(|c| *c != current && current.issued_by(c)) {
            Some(next) => current = next,
            None => break,
        }
    }
    Some(current)
}

/// Whether a trusted certificate is the end of the chain itself, or issued it.
pub fn anchors(end: &Certificate, trusted: &Certificate) -> bool {
    end.issued_by(trusted) || (trusted.subject == end.subject && trusted.key_id == end.key_id)
}

/// How far the chain leads.
pub fn path(chain: &Chain, trusted: &[Certificate]) -> Option<Path> {
    let end = end_of(chain)?;
    let anchored = trusted.iter().any(|t| anchors(end, t));
    Some(if anchored {
        Path::Complete
    } else if end.is_self_issued() {
        Path::UntrustedRoot
    } else {
        Path::MissingLink
    })
}

/// The certificate elsewhere in the bundle that would close the gap: the end's issuer, itself issued by something trusted.
pub fn missing_link<'a>(chain: &Chain, trusted: &[Certificate], elsewhere: impl Iterator<Item = &'a Certificate>) -> Option<&'a Certificate> {
    let end = end_of(chain)?;
    let mut elsewhere = elsewhere;
    elsewhere.find(|c| end.issued_by(c) && !c.is_self_issued() && trusted.iter().any(|t| c.issued_by(t)))
}

/// Whether the certificate is for `host`, by its alternative names, wildcards for one label.
pub fn names(certificate: &Certificate, host: &str) -> bool {
    let host = host.to_lowercase();
    certificate.names.iter().any(|name| match name.strip_prefix("*.") {
        Some(suffix) => host.split_once('.').is_some_and(|(_, rest)| rest == suffix),
        None => *name == host,
    })
}

/// Whether the certificate's period is over at `now`.
pub fn expired(certificate: &Certificate, now: Timestamp) -> bool {
    certificate.not_after.is_some_and(|end| end < now)
}

/// What is wrong with a chain in itself, and which line shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Defect {
    /// Its name.
    pub name: &'static str,
    /// The certificate at fault.
    pub source: crate::bundle::Source,
}

/// Every defect of the chain, for this host and at this time, whoever trusts it; the host's own certificate first.
pub fn defects(chain: &Chain, host: &str, now: Option<Timestamp>) -> Vec<Defect> {
    let mut out = Vec::new();
    let mut found = |name, c: &Certificate| out.push(Defect { name, source: c.source.clone() });
    let Some(leaf) = chain.certificates.first() else { return out };
    // A certificate known by its row alone shows neither names nor usages.
    let whole = leaf.key_id.is_some() || !leaf.names.is_empty() || leaf.for_servers.is_some();
    if whole && leaf.names.is_empty() {
        found("no-alternative-names", leaf);
    } else if whole && !host.is_empty() && !names(leaf, host) {
        found("wrong-name", leaf);
    }
    if leaf.for_servers == Some(false) {
        found("wrong-usage", leaf);
    }
    if leaf.is_self_issued() {
        found("self-signed", leaf);
    }
    for (place, c) in chain.certificates.iter().enumerate() {
        if now.is_some_and(|now| expired(c, now)) {
            found("expired", c);
        }
        if now.is_some_and(|now| c.not_before.is_some_and(|begin| begin > now)) {
            found("not-yet-valid", c);
        }
        if c.weak.is_some() {
            found("weak-signature", c);
        }
        let issues_another = chain.certificates.iter().any(|o| o != c && o.issued_by(c));
        if place > 0 && issues_another && !c.is_ca {
            found("not-a-ca", c);
        }
        if !c.permitted.is_empty() && !host.is_empty() && !c.permitted.iter().any(|p| below(host, p)) {
            found("name-constraint", c);
        }
    }
    let in_order = chain.certificates.windows(2).all(|pair| matches!(pair, [a, b] if a.issued_by(b)));
    if !in_order && !chain.first_alone {
        found("wrong-order", leaf);
    }
    out
}

/// Whether `host` is `suffix` or stands below it, as a constraint of names reads it.
fn below(host: &str, suffix: &str) -> bool {
    let suffix = suffix.trim_start_matches('.');
    host == suffix || host.strip_suffix(suffix).is_some_and(|rest| rest.ends_with('.'))
}

/// Words in the names of devices and services that end TLS and present certificates of their own.
const INSPECTORS: [&str; 24] = [
    "zscaler",
    "fortinet",
    "fortigate",
    "palo alto",
    "netskope",
    "blue coat",
    "bluecoat",
    "cisco umbrella",
    "forcepoint",
    "websense",
    "sophos",
    "skyhigh",
    "mcafee web gateway",
    "check point",
    "mitmproxy",
    "cato networks",
    "iboss",
    "barracuda",
    "watchguard",
    "sonicwall",
    "ssl inspection",
    "tls inspection",
    "decryption",
    "forward trust",
];

/// Hosts of registries and their stores whose certificates come from public authorities.
const PUBLIC_HOSTS: [&str; 16] = [
    "docker.io",
    "docker.com",
    "azurecr.io",
    "mcr.microsoft.com",
    "blob.core.windows.net",
    "quay.io",
    "ghcr.io",
    "githubusercontent.com",
    "gcr.io",
    "pkg.dev",
    "googleapis.com",
    "amazonaws.com",
    "k8s.io",
    "registry.redhat.io",
    "cloudfront.net",
    "gitlab.com",
];

/// Whether the host is of a registry, or of a store, that serves the whole internet.
pub fn is_public_host(host: &str) -> bool {
    PUBLIC_HOSTS.iter().any(|h| below(host, h))
}

/// Words in the names of the authorities that sign for those hosts.
const PUBLIC_AUTHORITIES: [&str; 14] = [
    "digicert",
    "let's encrypt",
    "isrg",
    "sectigo",
    "globalsign",
    "o=amazon",
    "google trust services",
    "microsoft corporation",
    "entrust",
    "godaddy",
    "comodo",
    "usertrust",
    "starfield",
    "cloudflare",
];

/// Whether somebody between presents a certificate of his own for `host`; none where the names do not tell.
pub fn is_intercepted(leaf: &Certificate, host: &str) -> Option<bool> {
    let issuer = leaf.issuer.to_lowercase();
    if INSPECTORS.iter().any(|w| issuer.contains(w)) {
        return Some(true);
    }
    let public = PUBLIC_AUTHORITIES.iter().any(|w| issuer.contains(w));
    match (is_public_host(host), public) {
        (true, public) => Some(!public),
        (false, true) => Some(false),
        (false, false) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bundle::{FileId, Source};

    fn certificate(subject: &str, issuer: &str) -> Certificate {
        Certificate {
            subject: subject.into(),
            issuer: issuer.into(),
            key_id: None,
            authority_key_id: None,
            names: vec!["*.corp.example".into()],
            not_before: None,
            not_after: Some("2026-11-30T00:00:00Z".parse().unwrap()),
            is_ca: subject != "leaf",
            ..Certificate::bare(String::new(), Source::new(FileId::default(), 1, subject))
        }
    }

    #[test]
    fn where_a_chain_ends() {
        let chain = |certificates| Chain { certificates, ..Chain::default() };
        let leaf = || certificate("leaf", "issuing");
        let issuing = || certificate("issuing", "root");
        let root = || certificate("root", "root");
        assert_eq!(path(&chain(vec![leaf(), issuing()]), &[root()]), Some(Path::Complete));
        assert_eq!(path(&chain(vec![leaf()]), &[root()]), Some(Path::MissingLink));
        assert_eq!(path(&chain(vec![leaf(), issuing(), root()]), &[]), Some(Path::UntrustedRoot));
        assert_eq!(missing_link(&chain(vec![leaf()]), &[root()], [issuing()].iter()).map(|c| c.subject.clone()).as_deref(), Some("issuing"));
    }

    #[test]
    fn names_and_dates() {
        assert!(names(&certificate("leaf", "x"), "Registry.corp.example"));
        assert!(!names(&certificate("leaf", "x"), "a.b.corp.example"));
        assert!(expired(&certificate("leaf", "x"), "2026-12-01T00:00:00Z".parse().unwrap()));
    }

    #[test]
    fn one_name_a_defect() {
        let leaf = || certificate("leaf", "issuing");
        let issuing = || certificate("issuing", "root");
        let root = || certificate("root", "root");
        let now: Timestamp = "2026-06-01T00:00:00Z".parse().unwrap();
        let later: Timestamp = "2027-06-01T00:00:00Z".parse().unwrap();
        let names = |certificates: Vec<Certificate>, host: &str, at: Timestamp| -> Vec<&str> {
            let mut out: Vec<&str> = defects(&Chain { certificates, ..Chain::default() }, host, Some(at)).into_iter().map(|d| d.name).collect();
            out.dedup();
            out
        };
        let host = "r.corp.example";
        assert!(names(vec![leaf(), issuing(), root()], host, now).is_empty());
        assert_eq!(names(vec![leaf(), issuing()], "r.other.example", now), ["wrong-name"]);
        assert_eq!(names(vec![leaf(), root(), issuing()], host, now), ["wrong-order"]);
        assert_eq!(names(vec![leaf(), issuing()], host, later), ["expired"]);
        let changed = |change: fn(&mut Certificate)| {
            let mut c = leaf();
            change(&mut c);
            c
        };
        assert_eq!(names(vec![changed(|c| (c.names, c.key_id) = (vec![], Some("ab".into()))), issuing()], host, now), ["no-alternative-names"]);
        assert_eq!(names(vec![changed(|c| c.for_servers = Some(false)), issuing()], host, now), ["wrong-usage"]);
        assert_eq!(names(vec![changed(|c| c.weak = Some("SHA-1 signature")), issuing()], host, now), ["weak-signature"]);
        assert_eq!(names(vec![changed(|c| c.not_before = "2026-09-01T00:00:00Z".parse().ok()), issuing()], host, now), ["not-yet-valid"]);
        assert_eq!(names(vec![changed(|c| c.issuer = "leaf".into())], host, now), ["self-signed"]);
        let mut plain = issuing();
        plain.is_ca = false;
        assert_eq!(names(vec![leaf(), plain], host, now), ["not-a-ca"]);
        let mut narrow = issuing();
        narrow.permitted = vec!["lab.example".into()];
        assert_eq!(names(vec![leaf(), narrow], host, now), ["name-constraint"]);
    }

    #[test]
    fn who_signs_for_whom() {
        let by = |issuer: &str| certificate("leaf", issuer);
        assert_eq!(is_intercepted(&by("O=Zscaler Inc., CN=Zscaler Intermediate Root CA"), "r.corp.example"), Some(true));
        assert_eq!(is_intercepted(&by("O=Example Corp, CN=Example Corp Proxy CA"), "mcr.microsoft.com"), Some(true));
        assert_eq!(is_intercepted(&by("C=US, O=DigiCert Inc, CN=DigiCert TLS RSA SHA256 2020 CA1"), "x.azurecr.io"), Some(false));
        assert_eq!(is_intercepted(&by("O=Example Corp, CN=Example Corp Issuing CA 4"), "registry.corp.example"), None);
    }
}
