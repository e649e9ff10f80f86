//! What would decide more, of whom, and which read-only command collects it?

use std::collections::{BTreeMap, BTreeSet};

use crate::facts::{Facts, Owner};
use crate::message::{self, Symptom};
use crate::pull::Pull;
use crate::pull::view::Asked;
use crate::rules::{Judgement, Outcome, artefacts, fill_command};

use super::{Certainty, Finding};

/// An artefact that is not in the bundle and would tell.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Missing {
    /// Its name.
    pub artefact: &'static str,
    /// Whose.
    pub of: String,
    /// The command.
    pub run: String,
    /// The causes that it decides.
    pub decides: BTreeSet<String>,
    /// It was sent, as its name says, and could not be read: the file, and why.
    pub sent: Option<String>,
}

pub(super) fn of(finding: &Finding, winner: Option<&Judgement<'_>>, causes: &[&Judgement<'_>], asked: &Asked<'_>) -> Vec<Missing> {
    let (pull, facts) = (asked.pull, asked.facts);
    let mut wanted: BTreeMap<&'static str, BTreeSet<String>> = BTreeMap::new();
    let mut want = |judgement: &Judgement<'_>| {
        for artefact in &judgement.missing {
            wanted.entry(artefact).or_default().insert(judgement.rule.id.clone());
        }
    };
    match winner {
        // What could still exclude it, and what would explain it further.
        Some(judgement) => {
            if finding.certainty != Certainty::Proven {
                want(judgement);
            }
            causes.iter().filter(|j| j.outcome == Outcome::Undecided && j.rule.refines.contains(&judgement.rule.id)).for_each(|j| want(j));
        }
        None => causes.iter().filter(|j| j.outcome == Outcome::Undecided).for_each(|j| want(j)),
    }
    if winner.is_none() && (wanted.is_empty() || finding.stop.stage.is_none()) {
        for artefact in untold(pull, facts) {
            wanted.entry(artefact).or_default();
        }
    }
    wanted
        .into_iter()
        .filter(|(id, _)| !facts.is_collected(id, pull.node.as_deref()))
        .filter(|(id, _)| winner.is_none() || !is_told_already(id, asked))
        .filter_map(|(id, decides)| {
            let artefact = artefacts::named(id)?;
            let of = match (artefact.view.as_str(), &pull.node) {
                ("node", Some(node)) => format!("node {node}"),
                ("node", None) => "the node".to_owned(),
                _ => "the cluster".to_owned(),
            };
            Some(Missing { artefact: id, of, run: fill_command(&artefact.run, asked), decides, sent: sent(id, pull.node.as_deref(), facts) })
        })
        .collect()
}

/// Whether a log of the node was read that goes on to the pull's failure: another copy of it would say the same.
fn is_told_already(artefact: &str, asked: &Asked<'_>) -> bool {
    let (facts, node, failed) = (asked.facts, asked.pull.node.as_deref(), asked.pull.last);
    let covers = |file| facts.heard.logs.iter().any(|log| log.file == file && log.last.at.zip(failed).is_none_or(|(end, failed)| end >= failed));
    let its = |owner: &Owner| matches!(owner, Owner::Node { name, .. } if Some(name.as_str()) == node);
    artefact.ends_with("-log") && facts.about.owned.iter().any(|(id, file, owner)| *id == artefact && its(owner) && covers(*file))
}

/// What the names of files say that hold an artefact.
const NAMES: [(&str, &[&str]); 16] = [
    ("events", &["event"]),
    ("pods", &["pods", "describe"]),
    ("nodes", &["nodes"]),
    ("kubelet-log", &["kubelet"]),
    ("containerd-log", &["containerd"]),
    ("crio-log", &["crio"]),
    ("docker-log", &["docker"]),
    ("node-resolv-conf", &["resolv"]),
    ("node-hosts-file", &["hosts"]),
    ("node-routes", &["ip_route", "ip-route", "iproute", "ip_4_route"]),
    ("effective-routes", &["effective-route", "effective_route", "effectiveroute"]),
    ("dig-output", &["dig", "nslookup"]),
    ("certificate-chain", &["openssl", "s_client", "chain"]),
    ("hosts-toml", &["hosts.toml"]),
    ("node-proxy-env", &["proxy"]),
    ("curl-output", &["curl"]),
];

/// A file that was sent for the artefact, of this node where its path names one, and could not be read.
fn sent(artefact: &str, node: Option<&str>, facts: &Facts) -> Option<String> {
    let names = NAMES.iter().find(|(id, _)| *id == artefact).map(|(_, names)| *names)?;
    let others: Vec<&str> = facts.nodes.iter().map(|n| n.name.as_str()).filter(|n| Some(*n) != node).collect();
    let fits = |file: &str| {
        let name = file.rsplit(['/', '!']).next().unwrap_or(file).to_lowercase();
        names.iter().any(|n| name.contains(n)) && !others.iter().any(|o| file.contains(o) && node.is_none_or(|n| !file.contains(n)))
    };
    let found = facts.about.unread.iter().find(|u| fits(&u.file))?;
    Some(format!("{}: {}", found.file, found.why))
}

/// Where the error itself is not there: the logs that hold it.
fn untold(pull: &Pull, facts: &Facts) -> Vec<&'static str> {
    let mut out = Vec::new();
    let has = |artefact: &str| facts.about.taken.iter().any(|(a, _)| *a == artefact);
    if !has("events") || pull.stop.symptom == Symptom::BackOffOnly {
        out.push("events");
    }
    for log in ["kubelet-log", "containerd-log"] {
        if !has(log) || pull.stop.symptom == Symptom::BackOffOnly {
            out.push(log);
        }
    }
    out
}

/// One sentence for each artefact that a finding lacks.
pub(super) fn gaps(findings: &[Finding]) -> Vec<String> {
    let all: BTreeSet<String> = findings.iter().flat_map(|f| &f.missing).map(|m| format!("{}: {} not collected", m.of, m.artefact)).collect();
    all.into_iter().collect()
}

/// Texts that quote a failed pull where nothing that was collected shows one.
pub(super) fn quoted(facts: &Facts) -> Vec<String> {
    let quotes = facts.pasted.iter().filter(|p| !p.of_log && message::speaks_of_a_pull(&p.text));
    quotes.map(|p| format!("{}:{} quotes a failed pull that no event and no pod of the bundle shows", facts.about.path(&p.source), p.source.line)).collect()
}
