//! Is the address to which the node went the host's at all, and what was it where neither the error nor a look-up tells?

use std::net::IpAddr;

use super::servers::answering_network;
use super::{Asked, Value, contradicted, estate, proxy, resolve, zones};
use crate::facts::{Evidence, Known};
use crate::network;
use crate::network::names::Answer;

type K = Known<Value>;

/// What the private zones would have given the node. The dumps are of another hour than the failure, so this is a guess.
pub(super) enum Presumed {
    /// The address of a record.
    Address(IpAddr),
    /// Whatever the public DNS says.
    Public,
}

/// The same, where nothing closer to the node tells: no address in the text, no pin, no look-up, no proxy that looks names up.
pub(super) fn presumed(a: &Asked<'_>) -> Option<(Presumed, Evidence)> {
    let host = a.host()?;
    let told = matches!(a.address(), Known::Seen(..)) || matches!(proxy::address(a), Known::Seen(..));
    let zones = zones::of_host(a);
    if told || zones.zones().is_empty() || zones.is_forwarded(&a.facts.names) || contradicted::is_no_login_server(a, host) {
        return None;
    }
    let Known::Seen(network, evidence) = answering_network(a) else { return None };
    match zones.answer(&network) {
        Answer::Addresses(record) => {
            let address = record.addresses.first()?;
            Some((Presumed::Address(*address), zones::with(Evidence::of(&record.source), &evidence).guessed(true)))
        }
        Answer::Public(_) if contradicted::private_answer(a, host).is_some() => None,
        Answer::Public(shown) => {
            let links = zones.linked(&network);
            let mut all = zones::with(shown, &evidence);
            if let Known::Seen(_, by_link) = links {
                all = zones::with(all, &by_link);
            }
            Some((Presumed::Public, all.guessed(true)))
        }
        _ => None,
    }
}

/// Whether the address is private.
pub fn is_private(a: &Asked<'_>) -> K {
    let known = a.address().map(|x| Value::Bool(network::is_private(x)));
    if a.stop.address.is_some() || !contradicted::came_publicly(a) {
        return match (known, presumed(a)) {
            (Known::NotCollected(_), Some((Presumed::Address(address), evidence))) => super::yes_no(network::is_private(address), evidence),
            (Known::NotCollected(_), Some((Presumed::Public, evidence))) => super::yes_no(false, evidence),
            (known, _) => known,
        };
    }
    match known {
        // A look-up of another hour gives what the node did not go to then.
        Known::Seen(Value::Bool(true), _) => Known::NotCollected("dig-output"),
        Known::Seen(..) => known,
        // Behind a proxy it is the proxy that looks the name up.
        _ if matches!(proxy::address(a), Known::Seen(..)) => Known::NotCollected("dig-output"),
        _ if estate::is_private_by_design(a) && zones::holds_record(a) && !zones::gives_record(a) => super::yes_no(false, a.by_text()),
        other => other,
    }
}

/// Whether nothing that lies behind this address is the host: then what stops the node on the way there is not what to mend.
pub fn is_wrong(a: &Asked<'_>) -> K {
    let no = |known: &K| matches!(known, Known::Seen(Value::Bool(false), _));
    let record = estate::record_is_endpoints(a);
    let private = is_private(a);
    if let (Known::Seen(Value::Bool(false), evidence), Known::Seen(Value::Bool(true), _)) = (&record, &private) {
        return Known::Seen(Value::Bool(true), evidence.clone());
    }
    // A registry that is closed to the public answers nobody there.
    if let (true, Known::Seen(Value::Bool(false), closed), true) = (no(&private), estate::public_access(a), estate::is_private_by_design(a)) {
        let guessed = matches!(&private, Known::Seen(_, evidence) if evidence.guessed);
        return Known::Seen(Value::Bool(true), closed.guessed(guessed));
    }
    if let (Known::Seen(Value::Text(pinned), evidence), Known::Seen(Value::List(by_dns), _)) = (resolve::hosts_file_address(a), zones::dns_addresses(a))
        && !by_dns.is_empty()
    {
        return Known::Seen(Value::Bool(!by_dns.contains(&pinned)), evidence);
    }
    match record {
        Known::Seen(Value::Bool(true), evidence) => Known::Seen(Value::Bool(false), evidence),
        _ => Known::NotCollected("private-endpoints"),
    }
}
