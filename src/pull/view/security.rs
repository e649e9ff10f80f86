//! Do security rules on the node's side and on the registry's let the packet to the address through?

use std::net::IpAddr;

use super::{Asked, Value, yes_no};
use crate::facts::Known;
use crate::network::{self, Judged, Packet};

type K = Known<Value>;

fn packet(a: &Asked<'_>, to: IpAddr) -> Packet {
    let from = a.home().addresses.into_iter().find(|x| x.is_ipv4() == to.is_ipv4());
    Packet { from, to, port: a.stop.port.unwrap_or(443) }
}

fn word(judged: Judged) -> K {
    match judged {
        Judged::Allowed(evidence) => Known::Seen(Value::Text("Allow".into()), evidence),
        Judged::Denied { evidence, .. } => Known::Seen(Value::Text("Deny".into()), evidence),
        Judged::Unknown(artefact) => Known::NotCollected(artefact),
    }
}

fn rule(judged: Judged) -> K {
    match judged {
        Judged::Allowed(evidence) => Known::Absent(evidence),
        Judged::Denied { rule, evidence, .. } => Known::Seen(Value::Text(rule), evidence),
        Judged::Unknown(artefact) => Known::NotCollected(artefact),
    }
}

fn out(a: &Asked<'_>, make: fn(Judged) -> K) -> K {
    a.dialled().map_or_else(|unknown| unknown, |address| make(network::outbound(a.facts, a.node(), &a.home(), packet(a, address))))
}

fn into(a: &Asked<'_>, make: fn(Judged) -> K) -> K {
    a.dialled().map_or_else(|unknown| unknown, |address| make(network::inbound(a.facts, &a.home(), packet(a, address))))
}

/// What the rules on the node's side say of the address.
pub fn rules_outbound(a: &Asked<'_>) -> K {
    out(a, word)
}

/// The rule on the node's side that denies it.
pub fn rule_outbound(a: &Asked<'_>) -> K {
    out(a, rule)
}

/// Whether that rule is one of the platform's own.
pub fn denied_by_default(a: &Asked<'_>) -> K {
    out(a, |judged| match judged {
        Judged::Denied { by_default, evidence, .. } => yes_no(by_default, evidence),
        Judged::Allowed(evidence) => Known::Absent(evidence),
        Judged::Unknown(artefact) => Known::NotCollected(artefact),
    })
}

/// What the rules on the registry's side say of the node.
pub fn rules_inbound(a: &Asked<'_>) -> K {
    into(a, word)
}

/// The rule on the registry's side that denies it.
pub fn rule_inbound(a: &Asked<'_>) -> K {
    into(a, rule)
}
