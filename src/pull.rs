//! How far did each pull climb, and where did it stop? One pull for each image on each node.
//!
//! Attempts of all sources are merged; the latest failure counts, and of its attempts the one that got furthest with
//! credentials. The ladder then says of every step what the stop proves. Derives, never judges.

pub mod compare;
mod filter;
mod gather;
mod index;
mod ladder;
mod settle;
pub mod view;

use std::collections::BTreeSet;
use std::net::IpAddr;

use jiff::Timestamp;

use crate::bundle::Source;
use crate::facts::{Facts, When};
use crate::message::{Attempt, Endpoint, Reference, Stage, Symptom};

pub use filter::Filter;
pub use index::Index;
pub use ladder::{Outcome, Step};

/// One image reference on one node.
#[derive(Debug, Clone)]
pub struct Pull {
    /// The image, completed as the runtime completes it; as written where it cannot be parsed.
    pub image: String,
    /// The image as the pod writes it.
    pub written: String,
    /// The reference, where it can be parsed.
    pub reference: Option<Reference>,
    /// The node; none where nothing names it.
    pub node: Option<String>,
    /// The node's pool.
    pub pool: Option<String>,
    /// Pods that wait for it, `namespace/name`.
    pub pods: BTreeSet<String>,
    /// The text speaks of the sandbox image.
    pub sandbox: bool,
    /// Every attempt, in the order of time.
    pub tries: Vec<Try>,
    /// How often it failed, by the sources' own counts.
    pub count: u64,
    /// When it was first seen to fail.
    pub first: Option<Timestamp>,
    /// When it was last seen to fail.
    pub last: Option<Timestamp>,
    /// Where it stopped.
    pub stop: Stop,
    /// The place in `tries` of the attempt that the stop is of.
    pub deciding: Option<usize>,
    /// The steps, with what the stop proves of each.
    pub ladder: Vec<Step>,
    /// A later success of the same image on the same node.
    pub recovered: Option<Recovery>,
    /// Pull secrets that the kubelet could not retrieve for these pods.
    pub unretrieved: Vec<(String, Source)>,
}

/// One attempt and where it is told.
#[derive(Debug, Clone)]
pub struct Try {
    /// What the text says.
    pub attempt: Attempt,
    /// When.
    pub when: When,
    /// The lines that tell it.
    pub sources: Vec<Source>,
    /// Which artefact told it.
    pub carrier: Carrier,
    /// It says nothing about the fault: an anonymous retry behind one that got further, a rate limiter beside the cause.
    pub noise: bool,
}

/// Which artefact tells of an attempt; the earlier is trusted more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Carrier {
    /// The runtime's own log.
    RuntimeLog,
    /// The kubelet's log.
    KubeletLog,
    /// `state.waiting.message` of a pod.
    Waiting,
    /// An event.
    Event,
    /// A pasted text.
    Pasted,
}

/// Where a pull stopped.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Stop {
    /// The role of the host; none where the fault is the node's own.
    pub endpoint: Option<Endpoint>,
    /// The host.
    pub host: Option<String>,
    /// Its port.
    pub port: Option<u16>,
    /// The rung; none where the text does not tell.
    pub stage: Option<Stage>,
    /// The meaning of the error.
    pub symptom: Symptom,
    /// The address dialled.
    pub address: Option<IpAddr>,
    /// The resolver asked.
    pub resolver: Option<IpAddr>,
    /// The HTTP status.
    pub status: Option<u16>,
}

/// A success after the failure.
#[derive(Debug, Clone)]
pub struct Recovery {
    /// When.
    pub at: Option<Timestamp>,
    /// The line that tells it.
    pub source: Source,
}

impl Pull {
    /// The attempt that the stop is of.
    pub fn decided_by(&self) -> Option<&Try> {
        self.deciding.and_then(|i| self.tries.get(i))
    }

    /// Whether an attempt belongs to the round of the one that decides; what came long before it is history.
    pub fn is_current(&self, attempt: &Try) -> bool {
        self.decided_by().is_none_or(|decided| settle::is_of_round(attempt, decided))
    }

    /// Whether failures were seen after the round of that attempt, of which the log that tells it tells nothing.
    pub fn went_on_after(&self, attempt: &Try) -> bool {
        matches!((self.last, attempt.when.at), (Some(last), Some(at)) if last.duration_since(at) > settle::ROUND)
    }

    /// Whether it is history only because the runtime's log breaks off before the failure that decides.
    pub fn may_be_current(&self, attempt: &Try) -> bool {
        self.is_current(attempt) || settle::is_of_last_logged_round(attempt, &self.tries)
    }
}

/// Every pull of the bundle that failed, the recovered ones too, by image and node.
pub fn climb(facts: &Facts, index: &Index<'_>) -> Vec<Pull> {
    let mut pulls = gather::pulls(facts);
    for pull in &mut pulls {
        settle::settle(pull, index);
        pull.ladder = ladder::climb(pull);
    }
    pulls
}
