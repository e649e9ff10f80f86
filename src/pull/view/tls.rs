//! What do the presented chain and the node's trust say of each other?

use super::{Asked, Value, yes_no};
use crate::facts::{Certificate, Chain, Evidence, Facts, Known, Of, Owner};
use crate::trust::{self, Path};

type K = Known<Value>;

/// The chain that the stop's host presented to the node.
fn chain<'a>(a: &Asked<'a>) -> Option<(&'a Of<Chain>, bool)> {
    let host = a.host().unwrap_or("");
    let mut chains = Facts::of_node(&a.facts.chains, a.node());
    let own: Vec<_> = chains.by_ref().collect();
    let named = own.iter().find(|(c, _)| c.value.host.as_deref() == Some(host)).copied();
    // A chain without a host's name is the registry's own where nothing else could be meant.
    let nameless = || own.iter().find(|(c, _)| c.value.host.is_none() && a.at_registry_host()).copied();
    named.or_else(nameless).or_else(|| chain_of_a_mate(a, host))
}

/// A host presents one chain to all who come the same way: what another node of the pool was shown, this one is shown.
fn chain_of_a_mate<'a>(a: &Asked<'a>, host: &str) -> Option<(&'a Of<Chain>, bool)> {
    let pool = a.facts.pool_of(a.node()?)?;
    let mate = |owner: &Owner| matches!(owner, Owner::Node { name, guessed: false } if a.facts.pool_of(name) == Some(pool));
    let fits = |c: &&Of<Chain>| mate(&c.owner) && (c.value.host.as_deref() == Some(host) || (c.value.host.is_none() && a.at_registry_host()));
    a.facts.chains.iter().find(fits).map(|c| (c, false))
}

fn trusted<'a>(a: &Asked<'a>) -> Option<(Vec<&'a Certificate>, &'a crate::bundle::Source, bool)> {
    let stores: Vec<_> = Facts::of_node(&a.facts.trust, a.node()).collect();
    let (first, guessed) = stores.first()?;
    Some((stores.iter().flat_map(|(s, _)| &s.value).collect(), &first.source, *guessed))
}

fn path(a: &Asked<'_>) -> Known<Path> {
    let Some((chain, guessed)) = chain(a) else { return Known::NotCollected("certificate-chain") };
    let Some((trusted, store, guess)) = trusted(a) else { return Known::NotCollected("trust-store") };
    let trusted: Vec<Certificate> = trusted.into_iter().cloned().collect();
    match trust::path(&chain.value, &trusted) {
        Some(path) => {
            let end = trust::end_of(&chain.value).map_or(&chain.source, |c| &c.source);
            Known::Seen(path, Evidence { sources: vec![end.clone(), store.clone()], guessed: guessed || guess })
        }
        None => Known::Absent(Evidence::of(&chain.source)),
    }
}

/// Whether the presented chain leads to something that the node trusts.
pub fn trusted_by_node(a: &Asked<'_>) -> K {
    path(a).map(|p| Value::Bool(p == Path::Complete))
}

/// Whether the chain ends before an authority that did not come with it.
pub fn link_missing(a: &Asked<'_>) -> K {
    path(a).map(|p| Value::Bool(p == Path::MissingLink))
}

/// Whether the certificate that would close the gap stands elsewhere in the bundle, issued by something the node trusts.
pub fn link_found_elsewhere(a: &Asked<'_>) -> K {
    let Some((chain, guessed)) = chain(a) else { return Known::NotCollected("certificate-chain") };
    let Some((trusted, store, _)) = trusted(a) else { return Known::NotCollected("trust-store") };
    let trusted: Vec<Certificate> = trusted.into_iter().cloned().collect();
    let elsewhere = a.facts.chains.iter().flat_map(|c| &c.value.certificates).chain(a.facts.trust.iter().flat_map(|t| &t.value));
    match trust::missing_link(&chain.value, &trusted, elsewhere) {
        Some(link) => yes_no(true, Evidence { sources: vec![chain.source.clone(), link.source.clone()], guessed }),
        // Nowhere in the bundle is no proof that it exists nowhere.
        None => {
            let _ = store;
            Known::NotCollected("certificate-chain")
        }
    }
}

/// Whether another node trusts what the chain leads to.
pub fn trusted_by_other_nodes(a: &Asked<'_>) -> K {
    let Some((chain, _)) = chain(a) else { return Known::NotCollected("certificate-chain") };
    let others: Vec<_> = a.facts.trust.iter().filter(|t| matches!(&t.owner, Owner::Node { name, .. } if Some(name.as_str()) != a.node())).collect();
    if others.is_empty() {
        return Known::NotCollected("trust-store");
    }
    match others.iter().find(|t| trust::path(&chain.value, &t.value) == Some(Path::Complete)) {
        Some(store) => yes_no(true, Evidence { sources: vec![store.source.clone()], guessed: false }),
        None => yes_no(false, Evidence::of(&others.first().map_or(&chain.source, |t| &t.source).clone())),
    }
}

fn leaf<'a>(a: &Asked<'a>) -> Known<&'a Certificate> {
    match chain(a) {
        Some((chain, guessed)) => match chain.value.certificates.first() {
            Some(leaf) => Known::Seen(leaf, Evidence::of(&leaf.source).guessed(guessed)),
            None => Known::Absent(Evidence::of(&chain.source)),
        },
        None => Known::NotCollected("certificate-chain"),
    }
}

/// Who issued the presented certificate.
pub fn issuer(a: &Asked<'_>) -> K {
    leaf(a).map(|l| Value::Text(l.issuer.clone()))
}

/// Whether the presented certificate is for the host.
pub fn names_host(a: &Asked<'_>) -> K {
    let host = a.host().unwrap_or("").to_owned();
    leaf(a).map(|l| Value::Bool(trust::names(l, &host)))
}

/// Whether a certificate of the chain is past its end at the bundle's time.
pub fn expired(a: &Asked<'_>) -> K {
    let Some(now) = a.pull.last.or(a.facts.about.now) else { return Known::NotCollected("node-clock") };
    let Some((chain, guessed)) = chain(a) else { return Known::NotCollected("certificate-chain") };
    match chain.value.certificates.iter().find(|c| trust::expired(c, now)) {
        Some(c) => yes_no(true, Evidence::of(&c.source).guessed(guessed)),
        None => yes_no(false, Evidence::of(&chain.source).guessed(guessed)),
    }
}
