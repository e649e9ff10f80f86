//! Which steps does a packet of a node take to an address, and where does it end? In the packet's order.

mod beyond;
mod on_node;

use std::net::IpAddr;

use super::path::Path;
use super::security::RuleSeen;
use crate::facts::{EffectiveRoute, Evidence, Facts, HostRoute, Known};

/// What is asked.
#[derive(Debug, Clone, Default)]
pub struct Ask<'a> {
    /// The node.
    pub node: &'a str,
    /// The name, where a name is asked for.
    pub host: Option<&'a str>,
    /// The address, where an address is asked for.
    pub address: Option<IpAddr>,
    /// The port.
    pub port: u16,
    /// The sender's address, where it is another than the node's own.
    pub from: Option<IpAddr>,
    /// The address that an error on the node names beside the host.
    pub dialled: Option<(IpAddr, Evidence)>,
}

/// The packet's way.
#[derive(Debug, Clone)]
pub struct Trace {
    /// The address, where one was asked for or found.
    pub address: Option<IpAddr>,
    /// The steps.
    pub steps: Vec<Step>,
    /// How it ends.
    pub end: End,
    /// The step at which it ends, or at which nothing more is known.
    pub stopped_at: Option<&'static str>,
}

/// How a packet ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// It arrives, and the answer comes back.
    Delivered,
    /// Something drops it in silence.
    Dropped,
    /// Nothing leads there.
    Unreachable,
    /// Something refuses it with an answer.
    Refused,
    /// What would tell was not collected.
    Unknown,
}

impl End {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            End::Delivered => "delivered",
            End::Dropped => "dropped",
            End::Unreachable => "unreachable",
            End::Refused => "refused",
            End::Unknown => "unknown",
        }
    }
}

/// What a step did with the packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Passage {
    /// It passes.
    Passed,
    /// It ends here, in this way.
    Failed(End),
    /// Nobody collected what would tell.
    Unknown,
    /// It would pass, and the packet ended before.
    NotReached,
}

impl Passage {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Passage::Passed => "passed",
            Passage::Failed(_) => "failed",
            Passage::Unknown => "unknown",
            Passage::NotReached => "not-reached",
        }
    }
}

/// One step.
#[derive(Debug, Clone)]
pub struct Step {
    /// Which: `hosts-file`, `resolver`, `proxy`, `node-firewall`, `node-route`, `security-rules-out`, `effective-route`,
    /// `appliance`, `peering`, `gateway`, `connection`, `remote-prefix`, `security-rules-in`, `return-route`.
    pub at: &'static str,
    /// What it did.
    pub passage: Passage,
    /// One sentence.
    pub says: String,
    /// What decided.
    pub by: At,
    /// The lines that show it.
    pub evidence: Evidence,
    /// Artefacts that would tell.
    pub missing: Vec<&'static str>,
}

/// What decided at a step.
#[derive(Debug, Clone)]
pub enum At {
    /// Nothing with a form of its own.
    Plain,
    /// A resolver's answer: who was asked, where that is known, and the addresses.
    Answer(Option<IpAddr>, Vec<IpAddr>),
    /// A route of the node's kernel.
    Kernel(HostRoute),
    /// A route of the node's subnet.
    Route(EffectiveRoute),
    /// A security rule, and whether it lets the packet through.
    Rule(RuleSeen, bool),
}

/// The steps to the address that is asked for.
pub fn trace(facts: &Facts, ask: &Ask<'_>) -> Trace {
    let mut steps = Vec::new();
    let mut of_target = Vec::new();
    let address = ask.address.or_else(|| on_node::resolve(facts, ask, &mut of_target));
    match on_node::proxy(facts, ask) {
        on_node::Carrier::Direct(step) => {
            steps = of_target;
            if let Some(address) = address {
                steps.push(step);
                packet(facts, ask, address, &mut steps);
            }
        }
        // The proxy looks the name up; the node's own packets go to the proxy.
        on_node::Carrier::Proxy { host, port, step } => {
            let literal: Option<IpAddr> = host.parse().ok();
            let to_proxy = Ask { host: Some(&host).filter(|_| literal.is_none()).map(String::as_str), address: literal, port, dialled: None, ..ask.clone() };
            let found = literal.or_else(|| on_node::resolve(facts, &to_proxy, &mut steps));
            // A request that the proxy refused has reached it.
            if matches!(step.passage, Passage::Failed(_)) {
                steps.retain(|s| s.passage == Passage::Passed);
            }
            steps.push(step);
            if let Some(found) = found {
                packet(facts, &to_proxy, found, &mut steps);
            }
        }
    }
    let mut ended = false;
    for step in &mut steps {
        // What lies behind the end is not reached, and nobody needs to collect it.
        if ended && matches!(step.passage, Passage::Passed | Passage::Unknown) {
            step.passage = Passage::NotReached;
            step.missing.clear();
        }
        ended |= matches!(step.passage, Passage::Failed(_));
    }
    let failed = steps.iter().find_map(|s| if let Passage::Failed(end) = s.passage { Some((s.at, end)) } else { None });
    let open = || steps.iter().find(|s| s.passage == Passage::Unknown).map(|s| (s.at, End::Unknown));
    let (stopped_at, end) = failed.or_else(open).map_or((None, End::Delivered), |(at, end)| (Some(at), end));
    let end = if address.is_none() && failed.is_none() { End::Unknown } else { end };
    Trace { address, steps, end, stopped_at }
}

/// What happens to a packet on its way to an address.
fn packet(facts: &Facts, ask: &Ask<'_>, address: IpAddr, steps: &mut Vec<Step>) {
    steps.push(on_node::firewall(facts, ask, address));
    steps.push(on_node::route(facts, ask, address));
    let path = Path::new(facts, Some(ask.node), address).sent_from(ask.from);
    beyond::steps(&path, ask.port, steps);
}

impl Step {
    fn passed(at: &'static str, says: impl Into<String>, evidence: Evidence) -> Step {
        Step { at, passage: Passage::Passed, says: says.into(), by: At::Plain, evidence, missing: Vec::new() }
    }

    fn failed(at: &'static str, end: End, says: impl Into<String>, evidence: Evidence) -> Step {
        Step { passage: Passage::Failed(end), ..Step::passed(at, says, evidence) }
    }

    fn unknown(at: &'static str, artefact: &'static str) -> Step {
        Step { passage: Passage::Unknown, missing: vec![artefact], ..Step::passed(at, "nothing in the bundle tells", Evidence::default()) }
    }

    fn by(self, by: At) -> Step {
        Step { by, ..self }
    }

    /// A step that a fact decides: it passes where that is true.
    fn of(at: &'static str, known: Known<bool>, yes: &str, no: &str) -> Step {
        match known {
            Known::Seen(true, evidence) => Step::passed(at, yes, evidence),
            Known::Seen(false, evidence) => Step::failed(at, End::Dropped, no, evidence),
            Known::Absent(evidence) => Step::passed(at, yes, evidence),
            Known::NotCollected(artefact) => Step::unknown(at, artefact),
        }
    }
}
