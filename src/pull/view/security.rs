//! Do security rules on the node's side and on the registry's let the packet to the address through?

use super::{Asked, Value, yes_no};
use crate::facts::Known;
use crate::network::Judged;

type K = Known<Value>;

fn word(judged: Judged) -> K {
    match judged {
        Judged::Allowed(_, evidence) => Known::Seen(Value::Text("Allow".into()), evidence),
        Judged::Denied(_, evidence) => Known::Seen(Value::Text("Deny".into()), evidence),
        Judged::Unknown(artefact) => Known::NotCollected(artefact),
    }
}

fn rule(judged: Judged) -> K {
    match judged {
        Judged::Allowed(_, evidence) => Known::Absent(evidence),
        Judged::Denied(rule, evidence) => Known::Seen(Value::Text(rule.to_string()), evidence),
        Judged::Unknown(artefact) => Known::NotCollected(artefact),
    }
}

fn out(a: &Asked<'_>, make: fn(Judged) -> K) -> K {
    a.path().map_or_else(|unknown| unknown, |path| make(path.rules_out(port(a))))
}

fn into(a: &Asked<'_>, make: fn(Judged) -> K) -> K {
    a.path().map_or_else(|unknown| unknown, |path| make(path.rules_in(port(a))))
}

fn port(a: &Asked<'_>) -> u16 {
    a.stop.port.unwrap_or(443)
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
        Judged::Denied(rule, evidence) => yes_no(rule.is_default(), evidence),
        Judged::Allowed(_, evidence) => Known::Absent(evidence),
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
