//! What do the facts say of one stop? Every derived fact that a rule may name, with its source or the artefact that would tell.
//!
//! One file a stage. Nothing here judges: the values are compared in rules, and only there.

pub mod authenticate;
pub mod cache;
pub mod changes;
pub mod clock;
pub mod connect;
mod contradicted;
pub mod dialled;
pub mod disk;
pub mod egress;
pub mod estate;
pub mod handles;
pub mod lately;
pub mod link;
pub mod measured;
pub mod network;
pub mod now;
pub mod policy;
pub mod proxy;
pub mod public_dns;
pub mod request;
pub mod resolve;
pub mod roles;
pub mod runtime;
pub mod security;
pub mod servers;
pub mod signs;
pub mod spelling;
pub mod tls;
pub mod words;
pub mod zones;

use std::net::IpAddr;

use crate::facts::{Evidence, Facts, Known};
use crate::message::{Attempt, Endpoint};

use super::{Index, Pull, Stop, Try};
use crate::network::{Home, Path};

/// A value that a rule can compare.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// True or false.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A text.
    Text(String),
    /// A list of texts.
    List(Vec<String>),
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Bool(b) => write!(f, "{}", if *b { "yes" } else { "no" }),
            Value::Int(i) => write!(f, "{i}"),
            Value::Text(t) => f.write_str(t),
            Value::List(l) => f.write_str(&l.join(", ")),
        }
    }
}

/// The stop that a rule is asked about, with everything round it.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// All facts.
    pub facts: &'a Facts,
    /// Where they are.
    pub index: &'a Index<'a>,
    /// What was answered of this stop before.
    pub memo: &'a Memo,
    /// Every pull of the bundle.
    pub pulls: &'a [Pull],
    /// The pull.
    pub pull: &'a Pull,
    /// The stop.
    pub stop: &'a Stop,
    /// The attempt that the stop is of.
    pub told: &'a Try,
}

/// Answers about one stop: forty rules ask for the same few facts.
pub type Memo = std::cell::RefCell<std::collections::HashMap<&'static str, Known<Value>>>;

impl<'a> Asked<'a> {
    /// The fact of that name, made by `get` where nobody asked for it before.
    pub fn fact(&self, name: &'static str, get: fn(&Asked<'_>) -> Known<Value>) -> Known<Value> {
        if let Some(known) = self.memo.borrow().get(name) {
            return known.clone();
        }
        let made = get(self);
        self.memo.borrow_mut().insert(name, made.clone());
        made
    }

    /// The attempt's own words.
    pub fn attempt(&self) -> &'a Attempt {
        &self.told.attempt
    }

    /// Evidence of the attempt's own lines.
    pub fn by_text(&self) -> Evidence {
        Evidence { sources: self.told.sources.clone(), guessed: false }
    }

    /// The node's name.
    pub fn node(&self) -> Option<&'a str> {
        self.pull.node.as_deref()
    }

    /// The node's place in the networks.
    pub fn home(&self) -> Home<'a> {
        self.node().map(|node| crate::network::home(self.facts, node)).unwrap_or_default()
    }

    /// The host at which the pull stopped.
    pub fn host(&self) -> Option<&'a str> {
        self.stop.host.as_deref()
    }

    /// The address of that host: the text's, else the node's hosts file's, else the node's look-up's.
    pub fn address(&self) -> Known<IpAddr> {
        if let Some(address) = self.stop.address {
            return Known::Seen(address, self.by_text());
        }
        let Some(host) = self.host() else { return Known::NotCollected("dig-output") };
        if let Ok(address) = host.parse() {
            return Known::Seen(address, self.by_text());
        }
        if let Some((entry, guessed)) = resolve::hosts_entry(self, host) {
            return Known::Seen(entry.address, Evidence::of(&entry.source).guessed(guessed));
        }
        match resolve::answer(self, host) {
            Some((address, evidence)) => Known::Seen(address, evidence),
            None => Known::NotCollected("dig-output"),
        }
    }

    /// The address that was dialled, or why a fact about it is not known.
    fn dialled(&self) -> Result<IpAddr, Known<Value>> {
        match self.address() {
            Known::Seen(address, _) => Ok(address),
            Known::Absent(evidence) => Err(Known::Absent(evidence)),
            Known::NotCollected(artefact) => Err(Known::NotCollected(artefact)),
        }
    }

    /// The way from the node to the address that was dialled.
    fn path(&self) -> Result<Path<'a>, Known<Value>> {
        self.dialled().map(|address| Path::new(self.facts, self.node(), address))
    }

    /// Whether the stop is at the host that the reference names.
    pub fn at_registry_host(&self) -> bool {
        let registry = self.pull.reference.as_ref().map(|r| r.bare_host().to_owned());
        match (self.host(), registry.as_deref()) {
            (Some(host), Some(registry)) => host == registry || (registry == "docker.io" && host == "registry-1.docker.io"),
            _ => self.stop.endpoint == Some(Endpoint::Registry),
        }
    }
}

/// A fact that the text itself gives, or by its silence denies.
fn said<T>(asked: &Asked<'_>, value: Option<T>, make: impl FnOnce(T) -> Value) -> Known<Value> {
    match value {
        Some(value) => Known::Seen(make(value), asked.by_text()),
        None => Known::Absent(asked.by_text()),
    }
}

fn yes_no(value: bool, evidence: Evidence) -> Known<Value> {
    Known::Seen(Value::Bool(value), evidence)
}
