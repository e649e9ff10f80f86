//! What do the presented chain and the node's trust say of each other?

use super::{Asked, Value, yes_no};
use crate::facts::{Certificate, Chain, Evidence, Facts, Known, Of, Owner, TrustPlace, TrustStore};
use crate::message::Symptom;
use crate::trust::{self, Path};

type K = Known<Value>;

/// The chain that the stop's host presented to the node.
pub(super) fn chain<'a>(a: &Asked<'a>) -> Option<(&'a Of<Chain>, bool)> {
    let host = a.host().unwrap_or("");
    let own: Vec<_> = Facts::of_node(&a.facts.chains, a.node()).collect();
    // Another port of the host may present another chain.
    let port = a.stop.port.unwrap_or(443);
    let of_host = |c: &Chain| c.host.as_deref() == Some(host) && c.port.is_none_or(|p| p == port);
    let named = |alone: bool| own.iter().find(|(c, _)| of_host(&c.value) && c.value.first_alone == alone).copied();
    // A chain without a host's name is the registry's own where nothing else could be meant.
    let is_its = |c: &Chain| c.certificates.first().is_some_and(|leaf| trust::names(leaf, host));
    let nameless = || own.iter().find(|(c, _)| c.value.host.is_none() && a.at_registry_host() && (named(true).is_none() || is_its(&c.value))).copied();
    // The first certificate alone tells less than a chain.
    named(false).or_else(nameless).or_else(|| named(true)).or_else(|| chain_of_a_mate(a, host)).filter(|(c, _)| !is_past_proxy(a, &c.value))
}

/// Whether the runtime was shown another chain: it goes through a proxy, this one was taken past it, and the node would trust
/// it, against what the runtime says.
fn is_past_proxy(a: &Asked<'_>, chain: &Chain) -> bool {
    if chain.through_proxy || a.stop.symptom != Symptom::IssuerUnknown {
        return false;
    }
    let proxied = || super::proxy::address(a).seen().is_some() && super::proxy::bypassed_for_host(a).seen() == Some(&Value::Bool(false));
    let trusted: Vec<Certificate> = trusted(a).map(|(list, ..)| list.into_iter().cloned().collect()).unwrap_or_default();
    trust::path(chain, &trusted) == Some(Path::Complete) && proxied()
}

/// A host presents one chain to all who come the same way: what another node of the pool was shown, this one is shown.
fn chain_of_a_mate<'a>(a: &Asked<'a>, host: &str) -> Option<(&'a Of<Chain>, bool)> {
    let pool = a.facts.pool_of(a.node()?)?;
    let mate = |owner: &Owner| matches!(owner, Owner::Node { name, guessed: false } if a.facts.pool_of(name) == Some(pool));
    let fits = |c: &&Of<Chain>| mate(&c.owner) && (c.value.host.as_deref() == Some(host) || (c.value.host.is_none() && a.at_registry_host()));
    a.facts.chains.iter().filter(fits).min_by_key(|c| c.value.first_alone).map(|c| (c, false))
}

/// Whether the runtime reads that place for this host; a place that the path does not tell is taken for one that it reads.
fn is_read(a: &Asked<'_>, store: &Of<TrustStore>) -> bool {
    let path = a.facts.about.path(&store.source);
    match &store.value.place {
        TrustPlace::System | TrustPlace::Unknown => true,
        TrustPlace::Source => false,
        TrustPlace::Host { runtime, host } => {
            let own = super::now::own(a).and_then(|n| n.runtime.as_deref()).map(|r| r.split("://").next().unwrap_or(r));
            let reads = match own {
                Some("containerd") if *runtime == "containerd" => {
                    return super::runtime::reads_hosts_folder(a) != Some(false) && super::runtime::names_authority(a, path, host);
                }
                Some("containerd") => false,
                Some("cri-o") => matches!(*runtime, "containers" | "docker"),
                Some("docker") => *runtime == "docker",
                _ => true,
            };
            reads && super::runtime::is_folder_of(host, a)
        }
    }
}

fn trusted<'a>(a: &Asked<'a>) -> Option<(Vec<&'a Certificate>, &'a crate::bundle::Source, bool)> {
    let stores: Vec<_> = Facts::of_node(&a.facts.trust, a.node()).filter(|(s, _)| is_read(a, s)).collect();
    let (first, guessed) = stores.first()?;
    // An authority whose time is over vouches for nothing.
    let now = super::clock::moment(a);
    let in_force = |c: &&Certificate| now.is_none_or(|now| trust::in_force(c, now));
    Some((stores.iter().flat_map(|(s, _)| &s.value.certificates).filter(in_force).collect(), &first.source, *guessed))
}

fn path(a: &Asked<'_>) -> Known<Path> {
    let Some((chain, guessed)) = chain(a) else { return Known::NotCollected("certificate-chain") };
    // What came behind the first certificate was not shown: nothing can be said to be missing.
    if chain.value.first_alone {
        return Known::NotCollected("certificate-chain");
    }
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

/// Whether what the chain leads to lies on the node in a place that the runtime does not read for this host.
pub fn issuer_elsewhere_on_node(a: &Asked<'_>) -> K {
    let Some((chain, _)) = chain(a) else { return Known::NotCollected("certificate-chain") };
    let leads = |s: &TrustStore| trust::path(&chain.value, &s.certificates) == Some(Path::Complete);
    let stores: Vec<_> = Facts::of_node(&a.facts.trust, a.node()).collect();
    let (read, unread): (Vec<_>, Vec<_>) = stores.into_iter().partition(|(s, _)| is_read(a, s));
    if let Some((store, guessed)) = read.iter().find(|(s, _)| leads(&s.value)) {
        return yes_no(false, Evidence::of(&store.source).guessed(*guessed));
    }
    // Without what the runtime does read, its reading nothing of the kind is not known.
    match (unread.iter().find(|(s, _)| leads(&s.value)), read.first()) {
        (Some((store, guessed)), Some((own, _))) => {
            Known::Seen(Value::Bool(true), Evidence { sources: vec![store.source.clone(), own.source.clone()], guessed: *guessed })
        }
        (None, Some((own, guessed))) if !unread.is_empty() => yes_no(false, Evidence::of(&own.source).guessed(*guessed)),
        _ => Known::NotCollected("trust-store"),
    }
}

/// When the file of a store was written: by the archive that brought it, else by a listing made on the node.
fn written<'a>(a: &Asked<'a>, store: &'a Of<TrustStore>) -> Option<(&'a crate::bundle::Source, jiff::Timestamp)> {
    if let Some(written) = store.value.written {
        return Some((&store.source, written));
    }
    let path = a.facts.about.path(&store.source);
    let mut listed = Facts::of_node(&a.facts.file_times, a.node());
    listed.find(|(f, _)| path.ends_with(f.value.path.trim_start_matches('/'))).map(|(f, _)| (&f.source, f.value.written))
}

/// Whether the runtime was started after the file with the issuer was written. A host's own folder it reads for each pull.
pub fn runtime_started_after_ca(a: &Asked<'_>) -> K {
    let Some((chain, _)) = chain(a) else { return Known::NotCollected("certificate-chain") };
    let holds = |s: &Of<TrustStore>| is_read(a, s) && trust::path(&chain.value, &s.value.certificates) == Some(Path::Complete);
    let stores: Vec<_> = Facts::of_node(&a.facts.trust, a.node()).filter(|(s, _)| holds(s)).map(|(s, _)| s).collect();
    if let Some(store) = stores.iter().find(|s| matches!(s.value.place, TrustPlace::Host { .. })) {
        return yes_no(true, Evidence::of(&store.source));
    }
    let Some((at, written)) = stores.iter().find_map(|s| written(a, s)) else { return Known::NotCollected("node-services") };
    let runtimes = ["containerd", "crio", "docker"];
    let services = || Facts::of_node(&a.facts.services, a.node()).filter(|(s, _)| runtimes.contains(&s.value.name.as_str()));
    match services().max_by_key(|(s, _)| s.value.since) {
        Some((service, guessed)) => {
            let sources = vec![service.source.clone(), at.clone()];
            Known::Seen(Value::Bool(service.value.since > written), Evidence { sources, guessed })
        }
        None => Known::NotCollected("node-services"),
    }
}

/// Whether the bundle shows that the node has the issuer after all: a store that nobody collected contradicts nothing.
pub fn trusted_after_all(a: &Asked<'_>) -> K {
    match trusted_by_node(a) {
        Known::Seen(Value::Bool(true), evidence) => yes_no(true, evidence),
        _ => yes_no(false, a.by_text()),
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
    let elsewhere = a.facts.chains.iter().flat_map(|c| &c.value.certificates).chain(a.facts.trust.iter().flat_map(|t| &t.value.certificates));
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
    let others = trust_of_others(a);
    if others.is_empty() {
        return Known::NotCollected("trust-store");
    }
    match others.iter().find(|t| trust::path(&chain.value, &t.value.certificates) == Some(Path::Complete)) {
        Some(store) => {
            let mut sources = vec![store.source.clone()];
            sources.extend(listed_there_alone(a, &store.owner));
            yes_no(true, Evidence { sources, guessed: false })
        }
        None => yes_no(false, Evidence::of(&others.first().map_or(&chain.source, |t| &t.source).clone())),
    }
}

/// Where listings of one folder of authorities show a file on that node and not on this one: both lines.
fn listed_there_alone(a: &Asked<'_>, there: &Owner) -> Vec<crate::bundle::Source> {
    let folders = ["ca-certificates", "anchors", "certs.d", "ssl/certs"];
    for (own, _) in Facts::of_node(&a.facts.listings, a.node()).filter(|(l, _)| folders.iter().any(|f| l.value.folder.ends_with(f))) {
        let same = |l: &&Of<crate::facts::Listing>| l.owner == *there && l.value.folder == own.value.folder;
        let has = |name: &str| own.value.files.iter().any(|(n, _)| n == name);
        // Of several the last, which is the newest by its name.
        let more = a.facts.listings.iter().find(same).and_then(|l| l.value.files.iter().rfind(|(n, _)| !has(n)));
        if let Some((_, line)) = more {
            return vec![line.clone(), own.source.clone()];
        }
    }
    Vec::new()
}

/// What other nodes trust; what nobody has taken into a system's bundle yet is not trusted.
fn trust_of_others<'a>(a: &Asked<'a>) -> Vec<&'a Of<TrustStore>> {
    let of_other = |t: &&Of<TrustStore>| matches!(&t.owner, Owner::Node { name, .. } if Some(name.as_str()) != a.node());
    a.facts.trust.iter().filter(of_other).filter(|t| t.value.place != TrustPlace::Source).collect()
}

/// Whether a node that trusts what the chain leads to stops at the same host in the same way.
pub fn trusting_node_fails_alike(a: &Asked<'_>) -> K {
    let Some((chain, _)) = chain(a) else { return yes_no(false, a.by_text()) };
    let trusting = trust_of_others(a).into_iter().filter(|t| trust::path(&chain.value, &t.value.certificates) == Some(Path::Complete));
    let names: Vec<&str> = trusting.filter_map(|t| if let Owner::Node { name, .. } = &t.owner { Some(name.as_str()) } else { None }).collect();
    let alike = |p: &&crate::pull::Pull| {
        let of_them = p.node.as_deref().is_some_and(|n| names.contains(&n));
        of_them && p.recovered.is_none() && p.stop.host == a.stop.host && p.stop.symptom == a.stop.symptom
    };
    match a.pulls.iter().find(alike).and_then(|p| p.decided_by()).and_then(|t| t.sources.first()) {
        Some(source) => yes_no(true, Evidence::of(source)),
        None => yes_no(false, a.by_text()),
    }
}

/// The authority in the node's trust to which the chain leads, where every one of them is past its end.
fn ended_anchor<'a>(a: &Asked<'a>, now: jiff::Timestamp) -> Option<(&'a Certificate, bool)> {
    let (chain, guessed) = chain(a).filter(|(c, _)| !c.value.first_alone)?;
    let way = trust::reachable(&chain.value);
    let stores = Facts::of_node(&a.facts.trust, a.node()).filter(|(s, _)| is_read(a, s));
    let leads: Vec<_> =
        stores.flat_map(|(s, guess)| s.value.certificates.iter().map(move |c| (c, guess))).filter(|(c, _)| way.iter().any(|w| trust::anchors(w, c))).collect();
    let over = |c: &Certificate| trust::expired(c, now);
    leads.iter().all(|(c, _)| over(c)).then(|| leads.first()).flatten().map(|(c, guess)| (*c, guessed || *guess))
}

/// Whether the host asks for a client certificate.
pub fn asks_client_certificate(a: &Asked<'_>) -> K {
    if a.attempt().detail.alert.as_deref() == Some("certificate required") {
        return yes_no(true, a.by_text());
    }
    match chain(a).filter(|(c, _)| c.value.wants_client) {
        Some((chain, guessed)) => yes_no(true, Evidence::of(&chain.source).guessed(guessed)),
        // A host may ask for one without saying from whom.
        None => Known::NotCollected("certificate-chain"),
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

/// The certificate that is past its end at the time of the failure, with its place in the chain: one that was presented, else
/// the authority in the node's trust to which the chain leads.
fn ended<'a>(a: &Asked<'a>) -> Known<Option<(usize, &'a Certificate)>> {
    let Some(now) = super::clock::moment(a) else { return Known::NotCollected("node-clock") };
    let Some((chain, guessed)) = chain(a) else { return Known::NotCollected("certificate-chain") };
    // Another certificate of the same authority, sent or trusted, serves as well.
    let trusted = trusted(a).map(|(t, _, _)| t).unwrap_or_default();
    let others = || chain.value.certificates.iter().chain(trusted.iter().copied());
    let replaced = |place: usize, c: &Certificate| place > 0 && others().any(|o| trust::is_of_same_key(o, c) && trust::in_force(o, now));
    let found = chain.value.certificates.iter().enumerate().find(|(place, c)| trust::expired(c, now) && !replaced(*place, c));
    if let Some((c, guess)) = ended_anchor(a, now).filter(|_| found.is_none()) {
        return Known::Seen(Some((usize::MAX, c)), Evidence { sources: vec![c.source.clone(), chain.source.clone()], guessed: guess });
    }
    let dated = chain.value.certificates.iter().all(|c| c.not_after.is_some());
    match found {
        Some((place, c)) => Known::Seen(Some((place, c)), Evidence::of(&c.source).guessed(guessed)),
        None if dated && !chain.value.first_alone => Known::Seen(None, Evidence::of(&chain.source).guessed(guessed)),
        None => Known::NotCollected("certificate-chain"),
    }
}

/// Whether a certificate of the chain, or the trusted authority above it, is past its end at the time of the failure.
pub fn expired(a: &Asked<'_>) -> K {
    ended(a).map(|c| Value::Bool(c.is_some()))
}

/// Which one: the host's own, the intermediate or the root of that name, with its end.
pub fn expired_certificate(a: &Asked<'_>) -> K {
    ended(a).and_then(|found| {
        let (place, c) = found?;
        let kind = match place {
            0 => "the host's own certificate",
            usize::MAX => "the authority in the node's own trust to which the chain leads,",
            _ if c.is_self_issued() => "the root certificate",
            _ => "the intermediate certificate",
        };
        let end = c.not_after.map(|t| format!(", which ended {t}")).unwrap_or_default();
        Some(Value::Text(format!("{kind} {}{end}", c.subject)))
    })
}

/// What is wrong with the chain in itself and for this host, whoever trusts it.
pub fn defects(a: &Asked<'_>) -> K {
    let Some((chain, guessed)) = chain(a) else { return Known::NotCollected("certificate-chain") };
    let now = super::clock::moment(a);
    let trusted: Vec<Certificate> = trusted(a).map(|(t, _, _)| t.into_iter().cloned().collect()).unwrap_or_default();
    let found = trust::defects(&chain.value, &trusted, a.host().unwrap_or(""), now);
    let sources: Vec<_> = found.iter().map(|d| d.source.clone()).chain([chain.source.clone()]).take(3).collect();
    Known::Seen(Value::List(found.into_iter().map(|d| d.name.to_owned()).collect()), Evidence { sources, guessed })
}

/// Whether the issuer is an inspecting device's, or a company's for a host whose certificate is public, or another than the
/// one that other nodes are shown.
pub fn intercepted(a: &Asked<'_>) -> K {
    let leaf = match leaf(a) {
        Known::Seen(leaf, evidence) => (leaf, evidence),
        Known::Absent(evidence) => return Known::Absent(evidence),
        Known::NotCollected(artefact) => return Known::NotCollected(artefact),
    };
    let (leaf, evidence) = leaf;
    let host = a.host().unwrap_or("");
    if let Some(intercepted) = trust::is_intercepted(leaf, host) {
        return yes_no(intercepted, evidence);
    }
    let others = a.facts.chains.iter().filter(|c| c.value.host.as_deref() == Some(host));
    let other = others.filter_map(|c| c.value.certificates.first()).find(|c| c.source != leaf.source && c.issuer != leaf.issuer);
    match other {
        Some(other) => Known::Seen(Value::Bool(true), Evidence { sources: vec![leaf.source.clone(), other.source.clone()], guessed: true }),
        // A company's own registry has a company's issuer: nothing tells whose.
        None => Known::NotCollected("certificate-chain"),
    }
}
