//! What was read that could show a failing pull? Where nothing of the kind is, silence says nothing.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;

use crate::bundle::FileId;

use super::{Unit, When};

/// Witnesses of failing pulls: where one fails, one of these would tell.
#[derive(Debug, Clone, Default)]
pub struct Heard {
    /// Events of any kind, also those that concern no pull.
    pub events: u64,
    /// Pods with their status; a manifest that somebody wrote has none.
    pub pods: u64,
    /// Their namespaces.
    pub namespaces: BTreeSet<String>,
    /// The newest event of each list, also of those that concern no pull.
    pub until: BTreeMap<FileId, Timestamp>,
    /// Logs in which a kubelet or a runtime speaks.
    pub logs: Vec<LogSpan>,
}

impl Heard {
    /// Whether anything could show a failing pull.
    pub fn anything(&self) -> bool {
        self.events > 0 || self.pods > 0 || !self.logs.is_empty()
    }

    /// Counts an event of an object in `namespace`.
    pub fn event(&mut self, namespace: &str) {
        self.events += 1;
        self.within(namespace);
    }

    /// Counts a pod in `namespace` whose status is told.
    pub fn pod(&mut self, namespace: &str) {
        self.pods += 1;
        self.within(namespace);
    }

    /// Notes that a list of events reaches to this moment.
    pub fn reaches(&mut self, file: FileId, stamp: Option<Timestamp>) {
        if let Some(stamp) = stamp {
            self.until.entry(file).and_modify(|known| *known = stamp.max(*known)).or_insert(stamp);
        }
    }

    fn within(&mut self, namespace: &str) {
        if !namespace.is_empty() && !self.namespaces.contains(namespace) {
            self.namespaces.insert(namespace.to_owned());
        }
    }
}

/// The stretch of time that a log covers.
#[derive(Debug, Clone)]
pub struct LogSpan {
    /// The file.
    pub file: FileId,
    /// Who speaks in it.
    pub units: Vec<Unit>,
    /// The hosts that its lines name.
    pub hosts: BTreeSet<String>,
    /// Its first line with a time.
    pub first: When,
    /// Its last line with a time.
    pub last: When,
}
