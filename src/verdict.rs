//! What is told of the bundle? Findings, each a distinct stop and cause with everything that supports it; what recovered;
//! what is missing and the command that collects it.

mod apart;
pub mod compare;
mod decide;
mod group;
mod missing;
mod silence;
mod verify;

use std::collections::BTreeSet;

use jiff::Timestamp;

use crate::bundle::Source;
use crate::facts::{About, Facts};
use crate::pull::{Filter, Index, Pull, Step, Stop, Try};
use crate::rules::{LineOutcome, Rules};

pub use missing::Missing;
pub use silence::Silence;

/// Everything that a report tells.
#[derive(Debug)]
pub struct Verdict {
    /// The bundle.
    pub about: About,
    /// What identifies the rules.
    pub rules: String,
    /// Findings, most pulls first.
    pub findings: Vec<Finding>,
    /// Pulls that failed and have succeeded since.
    pub recovered: Vec<Recovered>,
    /// True of the bundle, tied to no finding.
    pub notes: Vec<Sign>,
    /// What is missing for the findings, in a sentence each.
    pub gaps: Vec<String>,
    /// What it means where no pull was found failing.
    pub silence: Silence,
    /// What was looked at, in a phrase.
    pub heard: String,
    /// Failing pulls that the filter left out.
    pub left_out: Vec<LeftOut>,
    /// The filter, as it was typed.
    pub asked: String,
}

/// A failing pull about which nobody asked.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct LeftOut {
    /// The image.
    pub image: String,
    /// The node.
    pub node: Option<String>,
}

/// How sure a cause is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Certainty {
    /// No cause could be told.
    Undecided,
    /// It holds, and something that could exclude it was not collected, or it rests on a guess.
    Likely,
    /// Facts beside the message show it, or the message itself does.
    Proven,
}

impl Certainty {
    /// The name as it is written everywhere.
    pub fn name(self) -> &'static str {
        match self {
            Certainty::Undecided => "undecided",
            Certainty::Likely => "likely",
            Certainty::Proven => "proven",
        }
    }
}

/// A distinct stop and cause.
#[derive(Debug, Clone)]
pub struct Finding {
    /// `F1`, `F2` ...
    pub id: String,
    /// Where the pulls stopped.
    pub stop: Stop,
    /// The cause's id; none where undecided.
    pub cause: Option<String>,
    /// One sentence.
    pub title: String,
    /// How sure.
    pub certainty: Certainty,
    /// The explanation.
    pub why: String,
    /// The steps.
    pub ladder: Vec<Step>,
    /// The cause's lines against this bundle.
    pub evidence: Vec<LineOutcome>,
    /// Every attempt of these pulls, distinct, in order.
    pub attempts: Vec<Try>,
    /// Every other rule that was asked.
    pub candidates: Vec<Candidate>,
    /// The pulls.
    pub pulls: Vec<PullSeen>,
    /// Why it shows now.
    pub triggers: Vec<Sign>,
    /// What is true and proves nothing.
    pub misleading: Vec<Sign>,
    /// What to do.
    pub remedy: Vec<Todo>,
    /// How to see that it is mended.
    pub verify: Vec<Todo>,
    /// What does not help.
    pub no_help: Vec<String>,
    /// What to collect.
    pub missing: Vec<Missing>,
}

/// Another rule that was asked.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// Its id.
    pub cause: String,
    /// Its title.
    pub title: String,
    /// `undecided`, `ruled-out`, `holds`, `implied`.
    pub outcome: &'static str,
    /// Why.
    pub because: String,
    /// Artefacts that would decide it.
    pub missing: BTreeSet<&'static str>,
    /// Lines of it that are true.
    favourable: usize,
}

/// A pull, as the report lists it.
#[derive(Debug, Clone)]
pub struct PullSeen {
    /// The image.
    pub image: String,
    /// The node.
    pub node: Option<String>,
    /// Its pool.
    pub pool: Option<String>,
    /// Pods that wait.
    pub pods: Vec<String>,
    /// Distinct attempts.
    pub attempts: usize,
    /// Failures, by the sources' counts.
    pub count: u64,
    /// First seen.
    pub first_seen: Option<Timestamp>,
    /// Last seen.
    pub last_seen: Option<Timestamp>,
}

/// A trigger or a misleading sign.
#[derive(Debug, Clone, PartialEq)]
pub struct Sign {
    /// The rule.
    pub rule: String,
    /// What it says.
    pub says: String,
    /// The lines that show it.
    pub evidence: Vec<Source>,
}

/// Something to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Todo {
    /// What.
    pub what: String,
    /// The command.
    pub run: Option<String>,
}

/// A pull that failed and has succeeded since.
#[derive(Debug, Clone)]
pub struct Recovered {
    /// The image.
    pub image: String,
    /// The node.
    pub node: Option<String>,
    /// What it failed with.
    pub symptom: &'static str,
    /// When it last failed.
    pub failed_at: Option<Timestamp>,
    /// When it succeeded.
    pub pulled_at: Option<Timestamp>,
}

/// Counts of pulls.
#[derive(Debug, Clone, Copy, Default)]
pub struct Summary {
    /// Failing.
    pub failed: usize,
    /// Of them, with a cause.
    pub explained: usize,
    /// Of them, without.
    pub undecided: usize,
    /// Failed once, and succeeded since.
    pub recovered: usize,
}

impl Verdict {
    /// The counts.
    pub fn summary(&self) -> Summary {
        let of = |explained: bool| self.findings.iter().filter(|f| f.cause.is_some() == explained).map(|f| f.pulls.len()).sum();
        let (explained, undecided) = (of(true), of(false));
        Summary { failed: explained + undecided, explained, undecided, recovered: self.recovered.len() }
    }
}

/// Weighs the rules' answers for every pull.
pub fn weigh(facts: &Facts, index: &Index<'_>, pulls: &[Pull], rules: &Rules, filter: &Filter<'_>) -> Verdict {
    let house = decide::House { facts, index, pulls, rules };
    let known = filter.is_known(facts);
    let (wanted, others): (Vec<&Pull>, Vec<&Pull>) = pulls.iter().filter(|p| p.deciding.is_some()).partition(|p| known && filter.admits(p));
    let (failing, recovered): (Vec<&Pull>, Vec<&Pull>) = wanted.into_iter().partition(|p| p.recovered.is_none());
    let mut notes = Vec::new();
    for pull in &recovered {
        for sign in decide::history(pull, &house) {
            if !notes.iter().any(|n: &Sign| n.rule == sign.rule) {
                notes.push(sign);
            }
        }
    }
    let decided = failing.iter().map(|pull| decide::decide(pull, &house)).collect();
    let mut findings = group::findings(decided, rules);
    apart::tell(&mut findings, facts, index);
    verify::tell(&mut findings, facts, index);
    let mut gaps = missing::gaps(&findings);
    gaps.extend(facts.about.clocks.iter().cloned());
    if pulls.is_empty() {
        gaps.extend(missing::quoted(facts));
    }
    let silence = silence::of(facts, filter);
    let recovered = recovered
        .iter()
        .map(|p| Recovered {
            image: p.image.clone(),
            node: p.node.clone(),
            symptom: p.stop.symptom.name(),
            failed_at: p.last,
            pulled_at: p.recovered.as_ref().and_then(|r| r.at),
        })
        .collect();
    Verdict {
        about: facts.about.clone(),
        rules: rules.digest().to_owned(),
        findings,
        recovered,
        notes,
        gaps,
        silence,
        heard: silence::heard(facts),
        left_out: others.iter().filter(|p| p.recovered.is_none()).map(|p| LeftOut { image: p.image.clone(), node: p.node.clone() }).collect(),
        asked: filter.typed(),
    }
}
