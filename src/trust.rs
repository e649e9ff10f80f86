//! Does a presented chain lead to something that the node trusts, for this host, at this time? By names and key identifiers.
//!
//! Signatures are not checked: the runtime did that, and its answer is the error. What is asked here is which link is missing.

mod defects;
mod issuers;

use jiff::Timestamp;

use crate::facts::{Certificate, Chain};

pub use defects::{Defect, defects, in_force, is_of_same_key};
pub use issuers::{is_intercepted, is_public_host};

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

/// Every certificate of the chain to which the first one leads, over whichever issuer was sent; the first one in front.
pub fn reachable(chain: &Chain) -> Vec<&Certificate> {
    let mut out: Vec<&Certificate> = chain.certificates.first().into_iter().collect();
    let mut at = 0;
    while let Some(current) = out.get(at).copied() {
        let issuers = chain.certificates.iter().filter(|c| *c != current && current.issued_by(c));
        let fresh: Vec<&Certificate> = issuers.filter(|c| !out.contains(c)).collect();
        out.extend(fresh);
        at += 1;
    }
    out
}

/// Whether a trusted certificate is this one itself, or an authority that issued it.
pub fn anchors(certificate: &Certificate, trusted: &Certificate) -> bool {
    let agree = |a: Option<Timestamp>, b: Option<Timestamp>| a.is_none() || b.is_none() || a == b;
    let same = trusted.subject == certificate.subject
        && trusted.key_id == certificate.key_id
        && (trusted.is_ca || agree(trusted.not_after, certificate.not_after) && agree(trusted.not_before, certificate.not_before));
    same || (trusted.is_ca && certificate.issued_by(trusted))
}

/// How far the chain leads.
pub fn path(chain: &Chain, trusted: &[Certificate]) -> Option<Path> {
    let end = end_of(chain)?;
    let anchored = reachable(chain).iter().any(|c| trusted.iter().any(|t| anchors(c, t)));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bundle::{FileId, Source};

    /// A certificate as the tests of this room need it.
    pub(super) fn certificate(subject: &str, issuer: &str) -> Certificate {
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
}
