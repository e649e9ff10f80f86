//! What does a rule say of a stop? It holds, is ruled out, or stays undecided for want of named artefacts.

use std::collections::BTreeSet;

use crate::facts::Evidence;
use crate::pull::view::Asked;

use super::fill::fill;
use super::predicate::{self, Answer, Predicate};
use super::{Line, Rule, Rules};

/// A rule's answer to a stop.
#[derive(Debug, Clone)]
pub struct Judgement<'r> {
    /// The rule.
    pub rule: &'r Rule,
    /// What it says.
    pub outcome: Outcome,
    /// Line by line: `holds` first, then `unless`.
    pub lines: Vec<LineOutcome>,
    /// Artefacts that would decide it, or that could exclude it.
    pub missing: BTreeSet<&'static str>,
    /// It rests on a guessed join, a computed value or another node of the pool.
    pub guessed: bool,
}

/// What a rule says of a stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It holds; `excluded` where everything that could exclude it was looked at.
    Holds {
        /// Whether nothing that could exclude it is unknown.
        certain: bool,
    },
    /// A line of it is false, or something excludes it.
    RuledOut,
    /// Something that decides it was not collected.
    Undecided,
}

/// One line of a rule against this bundle.
#[derive(Debug, Clone)]
pub struct LineOutcome {
    /// The sentence, its facts filled in.
    pub says: String,
    /// True, false, or unknown.
    pub value: Option<bool>,
    /// The values that decided.
    pub shown: String,
    /// The lines that show it.
    pub evidence: Evidence,
    /// Artefacts that would tell, where it is unknown.
    pub missing: BTreeSet<&'static str>,
    /// It stands under `unless`: true excludes the rule.
    pub excludes: bool,
    /// It was shown by facts beside the error's own words.
    pub beside_text: bool,
}

impl Judgement<'_> {
    /// Lines that are true, or that fail to exclude.
    pub fn favourable(&self) -> usize {
        self.lines.iter().filter(|l| l.value == Some(!l.excludes)).count()
    }

    /// True lines that rest on facts beside the error's own words, and on no guess.
    pub fn proven_by_facts(&self) -> usize {
        self.lines.iter().filter(|l| !l.excludes && l.value == Some(true) && l.beside_text && !l.evidence.guessed).count()
    }
}

/// Asks every rule that names the stop's symptom and endpoint.
pub fn judge<'r>(rules: &'r Rules, asked: &Asked<'_>) -> Vec<Judgement<'r>> {
    rules.asked_on(asked.stop.symptom).filter(|r| r.makes_sense_at(asked.stop.endpoint) && in_span(r, asked)).map(|r| one(r, asked)).collect()
}

/// A cause lies at the stop's stage or before it, never after; words that span rungs count with their whole span.
fn in_span(rule: &Rule, asked: &Asked<'_>) -> bool {
    let Some(stage) = rule.stage() else { return true };
    let last = asked.stop.symptom.span().1.max(stage_of(asked));
    stage <= last || rule.is_of_a_mirror()
}

fn stage_of(asked: &Asked<'_>) -> crate::message::Stage {
    asked.stop.stage.unwrap_or(crate::message::Stage::Request)
}

/// Asks one rule about one stop.
pub(super) fn one<'r>(rule: &'r Rule, asked: &Asked<'_>) -> Judgement<'r> {
    let compiled = rule.compiled();
    let mut lines = Vec::new();
    for (line, predicate) in rule.holds.iter().zip(&compiled.holds) {
        lines.push(line_outcome(line, predicate, asked, false));
    }
    for (line, predicate) in rule.unless.iter().zip(&compiled.unless) {
        lines.push(line_outcome(line, predicate, asked, true));
    }
    let holds: Vec<&LineOutcome> = lines.iter().filter(|l| !l.excludes).collect();
    let by_text = rule.is_decided_by(asked.stop.symptom);
    let unknown_exclusion = lines.iter().any(|l| l.excludes && l.value.is_none());
    let outcome = if lines.iter().any(|l| l.value == Some(l.excludes)) {
        Outcome::RuledOut
    } else if by_text || (!holds.is_empty() && holds.iter().all(|l| l.value == Some(true))) {
        Outcome::Holds { certain: !unknown_exclusion }
    } else {
        Outcome::Undecided
    };
    let mut missing: BTreeSet<&'static str> = match outcome {
        // On its text's word alone nothing more is needed.
        Outcome::Holds { .. } if by_text => lines.iter().filter(|l| l.excludes).flat_map(|l| l.missing.iter().copied()).collect(),
        Outcome::RuledOut => BTreeSet::new(),
        _ => lines.iter().flat_map(|l| l.missing.iter().copied()).collect(),
    };
    if outcome == Outcome::Undecided {
        missing.extend(rule.collect.iter().filter_map(|c| super::artefacts::named(c)).map(|a| a.id.as_str()));
    }
    let guessed = lines.iter().any(|l| !l.excludes && l.value == Some(true) && l.evidence.guessed);
    Judgement { rule, outcome, lines, missing, guessed }
}

fn line_outcome(line: &Line, predicate: &Predicate, asked: &Asked<'_>, excludes: bool) -> LineOutcome {
    let Answer { value, used, missing } = predicate::evaluate(predicate, asked);
    let text_lines = &asked.told.sources;
    let mut evidence = Evidence::default();
    for fact in &used {
        evidence.guessed |= fact.evidence.guessed;
        for source in &fact.evidence.sources {
            if !evidence.sources.contains(source) {
                evidence.sources.push(source.clone());
            }
        }
    }
    // What stands beside the error's own words tells more than they do.
    evidence.sources.sort_by_key(|s| text_lines.contains(s));
    let beside_text = evidence.sources.iter().any(|s| !text_lines.contains(s));
    let of_text = |name: &str| ["stop.", "message.", "endpoint.role"].iter().any(|room| name.starts_with(room));
    let only_text = used.iter().all(|f| of_text(f.name));
    let shown: Vec<String> = used
        .iter()
        .filter(|f| only_text || !of_text(f.name))
        .map(|f| f.value.as_ref().map_or_else(|| format!("{} is not there", f.name), ToString::to_string))
        .filter(|v| v != "yes" && v != "no")
        .collect();
    LineOutcome { says: fill(&line.says, asked), value, shown: shown.join(", "), evidence, missing, excludes, beside_text }
}
