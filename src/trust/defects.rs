//! What is wrong with a chain in itself and for a host, as the runtimes' own check would say it?

use jiff::Timestamp;

use super::{anchors, expired, names, reachable};
use crate::facts::{Certificate, Chain};

/// What is wrong with a chain in itself, and which line shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Defect {
    /// Its name.
    pub name: &'static str,
    /// The certificate at fault.
    pub source: crate::bundle::Source,
}

/// Every defect of the chain, for this host and at this time; the host's own certificate first. What is trusted counts where an
/// authority in it stands for one that was sent, or limits the names below it.
pub fn defects(chain: &Chain, trusted: &[Certificate], host: &str, now: Option<Timestamp>) -> Vec<Defect> {
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
    if leaf.is_self_issued() {
        found("self-signed", leaf);
    }
    let way = reachable(chain);
    for (place, c) in way.iter().enumerate() {
        // Another certificate of the same authority, sent or trusted, serves as well.
        let others = || chain.certificates.iter().chain(trusted).filter(|o| o != c && is_of_same_key(o, c));
        let replaced = |good: &dyn Fn(&Certificate) -> bool| place > 0 && others().any(good);
        if now.is_some_and(|now| expired(c, now) && !replaced(&|o| in_force(o, now))) {
            found("expired", c);
        }
        if now.is_some_and(|now| c.not_before.is_some_and(|begin| begin > now) && !replaced(&|o| in_force(o, now))) {
            found("not-yet-valid", c);
        }
        if c.weak.is_some() && !replaced(&|o| o.weak.is_none()) {
            found("weak-signature", c);
        }
        if c.for_servers == Some(false) && !replaced(&|o| o.for_servers != Some(false)) {
            found("wrong-usage", c);
        }
        // A row alone does not show whether it may sign.
        let signs = way.iter().any(|o| o != c && o.issued_by(c));
        if place > 0 && signs && !c.is_ca {
            found("not-a-ca", c);
        }
        if !admits(c, leaf, host) && !replaced(&|o| admits(o, leaf, host)) {
            found("name-constraint", c);
        }
        if c.path_length.is_some_and(|most| place > 0 && authorities_below(&way, c) > most) {
            found("too-many-below", c);
        }
    }
    let leads: Vec<&Certificate> = trusted.iter().filter(|t| !chain.certificates.contains(t) && way.iter().any(|c| anchors(c, t))).collect();
    if let Some(first) = leads.first().filter(|_| leads.iter().all(|t| !admits(t, leaf, host))) {
        found("name-constraint", first);
    }
    let in_order = chain.certificates.windows(2).all(|pair| matches!(pair, [a, b] if a.issued_by(b)));
    if !in_order && !chain.first_alone {
        found("wrong-order", leaf);
    }
    out
}

/// Whether a certificate's period holds `now`, as far as its dates are known.
pub fn in_force(certificate: &Certificate, now: Timestamp) -> bool {
    !expired(certificate, now) && certificate.not_before.is_none_or(|begin| begin <= now)
}

/// Whether two certificates are one authority's, made at different times or by different hands.
pub fn is_of_same_key(a: &Certificate, b: &Certificate) -> bool {
    a.subject == b.subject && a.key_id.is_some() && a.key_id == b.key_id
}

/// Authorities between the host's certificate and `above`, those that sign themselves aside.
fn authorities_below(way: &[&Certificate], above: &Certificate) -> u32 {
    let Some(mut current) = way.first() else { return 0 };
    let mut count = 0;
    for _ in 0..way.len() {
        let Some(next) = way.iter().find(|c| *c != current && current.issued_by(c)) else { break };
        if *next == above {
            break;
        }
        count += u32::from(!next.is_self_issued());
        current = next;
    }
    count
}

/// Whether an authority may sign for every name of the certificate, and for the host where its names are not known.
fn admits(authority: &Certificate, leaf: &Certificate, host: &str) -> bool {
    if authority.permitted.is_empty() {
        return true;
    }
    let inside = |name: &str| authority.permitted.iter().any(|p| below(name, p));
    let dns = leaf.names.iter().filter(|n| n.parse::<std::net::IpAddr>().is_err());
    dns.map(|n| n.trim_start_matches("*.")).all(inside) && (!leaf.names.is_empty() || host.is_empty() || inside(host))
}

/// Whether `host` is `suffix` or stands below it, as a constraint of names reads it.
pub(super) fn below(host: &str, suffix: &str) -> bool {
    let suffix = suffix.trim_start_matches('.');
    host == suffix || host.strip_suffix(suffix).is_some_and(|rest| rest.ends_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trust::tests::certificate;

    #[test]
    fn one_name_a_defect() {
        let leaf = || certificate("leaf", "issuing");
        let issuing = || certificate("issuing", "root");
        let root = || certificate("root", "root");
        let now: Timestamp = "2026-06-01T00:00:00Z".parse().unwrap();
        let later: Timestamp = "2027-06-01T00:00:00Z".parse().unwrap();
        let names = |certificates: Vec<Certificate>, host: &str, at: Timestamp| -> Vec<&str> {
            let mut out: Vec<&str> = defects(&Chain { certificates, ..Chain::default() }, &[], host, Some(at)).into_iter().map(|d| d.name).collect();
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
}
