//! Is this known, known to be absent, or was it never collected? The three words that keep missing input from deciding.

use crate::bundle::Source;

/// Whose view a fact is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// The node's own.
    Node,
    /// Kubernetes' or the cloud's.
    ControlPlane,
    /// A pod's: kept and shown, never deciding.
    Pod,
    /// Somebody's laptop or jump host: likewise.
    Operator,
}

/// Where a fact stands, and whether the join to the node rests on a guess.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Evidence {
    /// The lines that show it.
    pub sources: Vec<Source>,
    /// It rests on a guessed join, a computed value or another node of the pool.
    pub guessed: bool,
}

impl Evidence {
    /// Evidence of one line, joined for certain.
    pub fn of(source: &Source) -> Evidence {
        Evidence { sources: vec![source.clone()], guessed: false }
    }

    /// The same evidence, marked as resting on a guess where `guessed`.
    #[must_use]
    pub fn guessed(mut self, guessed: bool) -> Evidence {
        self.guessed |= guessed;
        self
    }
}

/// A fact: a value with its source, or collected and not there, or not collected (and which artefact would tell).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Known<T> {
    /// It is there.
    Seen(T, Evidence),
    /// The place where it would stand was collected, and it is not there.
    Absent(Evidence),
    /// Nobody collected it; this artefact would tell.
    NotCollected(&'static str),
}

impl<T> Known<T> {
    /// The value, where it was seen.
    pub fn seen(&self) -> Option<&T> {
        match self {
            Known::Seen(value, _) => Some(value),
            _ => None,
        }
    }

    /// The same knowledge, marked as resting on a guess where `guess`.
    #[must_use]
    pub fn guessed(self, guess: bool) -> Known<T> {
        match self {
            Known::Seen(value, evidence) => Known::Seen(value, evidence.guessed(guess)),
            Known::Absent(evidence) => Known::Absent(evidence.guessed(guess)),
            Known::NotCollected(artefact) => Known::NotCollected(artefact),
        }
    }

    /// The same knowledge of something made from the value.
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Known<U> {
        match self {
            Known::Seen(value, evidence) => Known::Seen(f(value), evidence),
            Known::Absent(evidence) => Known::Absent(evidence),
            Known::NotCollected(artefact) => Known::NotCollected(artefact),
        }
    }

    /// The same knowledge of a part that the value may lack.
    pub fn and_then<U>(self, f: impl FnOnce(T) -> Option<U>) -> Known<U> {
        match self {
            Known::Seen(value, evidence) => match f(value) {
                Some(part) => Known::Seen(part, evidence),
                None => Known::Absent(evidence),
            },
            Known::Absent(evidence) => Known::Absent(evidence),
            Known::NotCollected(artefact) => Known::NotCollected(artefact),
        }
    }
}
