//! Which cause is told of one pull? The one that holds and that no other explains further; else none, with what is left open.

use std::collections::BTreeSet;

use crate::bundle::Source;
use crate::facts::{Facts, Known};
use crate::message::Stage;
use crate::pull::view::{Asked, Memo, Value, dialled};
use crate::pull::{Index, Pull, Stop, Try};
use crate::rules::{Judgement, Kind, Outcome, Rule, Rules, fill, fill_command, judge};

use super::{Candidate, Certainty, Finding, PullSeen, Sign, Todo, missing, verify};

/// What every decision looks at.
pub(super) struct House<'h> {
    pub(super) facts: &'h Facts,
    pub(super) index: &'h Index<'h>,
    pub(super) pulls: &'h [Pull],
    pub(super) rules: &'h Rules,
}

impl<'h> House<'h> {
    fn asked(&'h self, pull: &'h Pull, stop: &'h Stop, told: &'h Try, memo: &'h Memo) -> Asked<'h> {
        Asked { facts: self.facts, index: self.index, memo, pulls: self.pulls, pull, stop, told }
    }
}

/// What is decided of one pull, as a finding of its own.
pub(super) fn decide(pull: &Pull, house: &House<'_>) -> Finding {
    let rules = house.rules;
    let Some(told) = pull.decided_by() else { return empty(pull) };
    let memo = Memo::default();
    let asked = house.asked(pull, &pull.stop, told, &memo);
    let judgements = judge(rules, &asked);
    let causes: Vec<&Judgement<'_>> = judgements.iter().filter(|j| j.rule.kind == Kind::Cause).collect();
    let implied = implied(&causes, rules);
    let standing: Vec<&Judgement<'_>> =
        causes.iter().filter(|j| matches!(j.outcome, Outcome::Holds { .. }) && !implied.contains(j.rule.id.as_str())).copied().collect();
    let astray = went_astray(&standing, &asked);
    let rank = |j: &Judgement<'_>| (astray && is_wrong_answer(j), strength(j));
    let winner = standing.iter().max_by(|a, b| rank(a).cmp(&rank(b)).then_with(|| b.rule.id.cmp(&a.rule.id))).copied();
    let mut finding = match winner {
        Some(judgement) => explained(pull, &asked, judgement),
        None => undecided(pull, told),
    };
    finding.candidates = candidates(&causes, winner, &implied, &asked);
    // Where the pull asked mirrors too, the rules are asked about each of them.
    for other in other_stops(pull) {
        let stop = super::decide::stop_of(other);
        let memo = Memo::default();
        let beside = house.asked(pull, &stop, other, &memo);
        let more = judge(rules, &beside);
        let known: BTreeSet<String> = finding.candidates.iter().map(|c| c.cause.clone()).chain(finding.cause.clone()).collect();
        let causes: Vec<&Judgement<'_>> = more.iter().filter(|j| j.rule.kind == Kind::Cause && !known.contains(&j.rule.id)).collect();
        finding.candidates.extend(candidates(&causes, None, &BTreeSet::new(), &beside));
    }
    verify::with_fresh_pull(&mut finding.verify, &asked);
    finding.missing = missing::of(&finding, winner, &causes, &asked);
    let sent: Vec<&str> = finding.missing.iter().filter_map(|m| m.sent.as_deref()).collect();
    if winner.is_none() && told.attempt.symptom != crate::message::Symptom::Unrecognized && !sent.is_empty() {
        finding.why = format!("The error's text does not decide the cause. What may decide it was sent and cannot be read: {}.", sent.join("; "));
    }
    finding.triggers = signs(&judgements, Kind::Trigger, &asked);
    finding.misleading = signs(&judgements, Kind::Misleading, &asked);
    finding
}

fn other_stops(pull: &Pull) -> impl Iterator<Item = &crate::pull::Try> {
    pull.tries
        .iter()
        .enumerate()
        .filter(|(i, t)| {
            Some(*i) != pull.deciding
                && !t.noise
                && t.attempt.endpoint == Some(crate::message::Endpoint::Mirror)
                && pull.stop.endpoint != Some(crate::message::Endpoint::Mirror)
        })
        .map(|(_, t)| t)
}

fn stop_of(t: &crate::pull::Try) -> Stop {
    let a = &t.attempt;
    Stop {
        endpoint: a.endpoint,
        host: a.host.clone(),
        port: a.port,
        stage: a.stage,
        symptom: a.symptom,
        address: a.address,
        resolver: a.resolver,
        status: a.status,
    }
}

/// Lines proven by facts beside the text, then certainty, then lines that speak for it.
fn strength(judgement: &Judgement<'_>) -> (usize, bool, usize) {
    (judgement.proven_by_facts(), judgement.outcome == Outcome::Holds { certain: true }, judgement.favourable())
}

/// Whether the node went to an address that is not the host's. What stops it on the way there follows from that: whoever opens
/// that way is no nearer to the host. A guess outweighs no certainty.
fn went_astray(standing: &[&Judgement<'_>], asked: &Asked<'_>) -> bool {
    let Known::Seen(Value::Bool(true), evidence) = dialled::is_wrong(asked) else { return false };
    let sure = |j: &&Judgement<'_>| !j.guessed && j.outcome == Outcome::Holds { certain: true };
    let by_certainty = |j: &&Judgement<'_>| is_wrong_answer(j) && sure(j) && !evidence.guessed;
    standing.iter().any(by_certainty) || !standing.iter().any(|j| !is_wrong_answer(j) && sure(j))
}

/// A cause of the name that the facts show behind a look-up that gave an answer.
fn is_wrong_answer(judgement: &Judgement<'_>) -> bool {
    judgement.rule.stage() == Some(Stage::Resolve) && judgement.proven_by_facts() > 0
}

/// The general causes of every refinement that holds, all the way up.
fn implied<'r>(causes: &[&Judgement<'r>], rules: &'r Rules) -> BTreeSet<&'r str> {
    let mut out = BTreeSet::new();
    let mut todo: Vec<&'r Rule> = causes.iter().filter(|j| matches!(j.outcome, Outcome::Holds { .. })).map(|j| j.rule).collect();
    while let Some(rule) = todo.pop() {
        for general in &rule.refines {
            if out.insert(general.as_str()) {
                todo.extend(rules.get(general));
            }
        }
    }
    out
}

fn explained(pull: &Pull, asked: &Asked<'_>, judgement: &Judgement<'_>) -> Finding {
    let rule = judgement.rule;
    let certain = judgement.outcome == Outcome::Holds { certain: true };
    let shown = rule.is_decided_by(pull.stop.symptom) || judgement.lines.iter().any(|l| !l.excludes && l.value == Some(true));
    let certainty = if certain && shown && !judgement.guessed { Certainty::Proven } else { Certainty::Likely };
    let todo = |actions: &[crate::rules::Action]| {
        actions.iter().map(|a| Todo { what: fill(&a.what, asked), run: a.run.as_deref().map(|r| fill_command(r, asked)) }).collect()
    };
    Finding {
        cause: Some(rule.id.clone()),
        title: fill(&rule.title, asked),
        certainty,
        why: one_paragraph(&fill(&rule.why, asked)),
        evidence: judgement.lines.clone(),
        remedy: todo(&rule.remedy),
        verify: todo(&rule.verify),
        no_help: rule.no_help.iter().map(|n| fill(n, asked)).collect(),
        ..empty(pull)
    }
}

fn one_paragraph(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn undecided(pull: &Pull, told: &crate::pull::Try) -> Finding {
    let mut finding = empty(pull);
    finding.title = match pull.stop.symptom {
        crate::message::Symptom::Unrecognized => "The words of the error are not known".to_owned(),
        symptom => symptom.meaning().to_owned(),
    };
    finding.why = "The error's text does not decide the cause, and what would decide it is not in the bundle.".to_owned();
    if told.attempt.symptom == crate::message::Symptom::Unrecognized {
        finding.why = format!("The error says: {}", crate::text::clip(&crate::text::redact(&told.attempt.text), 300));
    }
    finding
}

fn empty(pull: &Pull) -> Finding {
    let mut stop = pull.stop.clone();
    // No attempt: nothing but the back-off is known.
    if pull.deciding.is_none() {
        stop.symptom = crate::message::Symptom::BackOffOnly;
    }
    Finding {
        id: String::new(),
        stop,
        cause: None,
        title: String::new(),
        certainty: Certainty::Undecided,
        why: String::new(),
        ladder: pull.ladder.clone(),
        evidence: Vec::new(),
        attempts: pull.tries.clone(),
        candidates: Vec::new(),
        pulls: vec![PullSeen {
            image: pull.image.clone(),
            node: pull.node.clone(),
            pool: pull.pool.clone(),
            pods: pull.pods.iter().cloned().collect(),
            attempts: pull.tries.len(),
            count: pull.count,
            first_seen: pull.first,
            last_seen: pull.last,
        }],
        triggers: Vec::new(),
        misleading: Vec::new(),
        remedy: Vec::new(),
        verify: Vec::new(),
        no_help: Vec::new(),
        missing: Vec::new(),
    }
}

fn candidates(causes: &[&Judgement<'_>], winner: Option<&Judgement<'_>>, implied: &BTreeSet<&str>, asked: &Asked<'_>) -> Vec<Candidate> {
    let mut out: Vec<Candidate> = causes
        .iter()
        .filter(|j| winner.is_none_or(|w| w.rule.id != j.rule.id))
        .map(|j| {
            let outcome = match j.outcome {
                Outcome::Holds { .. } if implied.contains(j.rule.id.as_str()) => "implied",
                Outcome::Holds { .. } => "holds",
                Outcome::RuledOut => "ruled-out",
                Outcome::Undecided => "undecided",
            };
            Candidate {
                cause: j.rule.id.clone(),
                title: fill(&j.rule.title, asked),
                outcome,
                because: because(j),
                missing: j.missing.clone(),
                favourable: j.favourable(),
            }
        })
        .collect();
    let order = |outcome: &str| ["holds", "undecided", "implied", "ruled-out"].iter().position(|o| *o == outcome);
    out.sort_by(|a, b| {
        (order(a.outcome), std::cmp::Reverse(a.favourable), a.missing.len(), &a.cause).cmp(&(
            order(b.outcome),
            std::cmp::Reverse(b.favourable),
            b.missing.len(),
            &b.cause,
        ))
    });
    out
}

fn because(judgement: &Judgement<'_>) -> String {
    let line = |test: &dyn Fn(&&crate::rules::LineOutcome) -> bool| judgement.lines.iter().find(test).map(|l| l.says.clone());
    match judgement.outcome {
        Outcome::RuledOut => {
            let excluded = line(&|l| l.excludes && l.value == Some(true));
            excluded.or_else(|| line(&|l| !l.excludes && l.value == Some(false)).map(|l| format!("not so: {l}"))).unwrap_or_default()
        }
        Outcome::Undecided => line(&|l| l.value.is_none()).map_or_else(|| "the text does not decide it".to_owned(), |l| format!("not known: {l}")),
        Outcome::Holds { .. } => line(&|l| !l.excludes && l.value == Some(true)).unwrap_or_default(),
    }
}

fn signs(judgements: &[Judgement<'_>], kind: Kind, asked: &Asked<'_>) -> Vec<Sign> {
    judgements.iter().filter(|j| j.rule.kind == kind && matches!(j.outcome, Outcome::Holds { .. })).map(|j| sign(j, asked)).collect()
}

fn sign(judgement: &Judgement<'_>, asked: &Asked<'_>) -> Sign {
    let mut evidence: Vec<Source> = Vec::new();
    for source in judgement.lines.iter().filter(|l| l.value == Some(true)).flat_map(|l| &l.evidence.sources) {
        if !evidence.contains(source) && evidence.len() < 6 {
            evidence.push(source.clone());
        }
    }
    Sign { rule: judgement.rule.id.clone(), says: one_paragraph(&fill(&judgement.rule.why, asked)), evidence }
}

/// What is told of a pull that has succeeded since.
pub(super) fn history(pull: &Pull, house: &House<'_>) -> Vec<Sign> {
    let Some(told) = pull.decided_by() else { return Vec::new() };
    let memo = Memo::default();
    let asked = house.asked(pull, &pull.stop, told, &memo);
    let judgements = judge(house.rules, &asked);
    judgements.iter().filter(|j| j.rule.kind == Kind::Misleading && matches!(j.outcome, Outcome::Holds { .. })).map(|j| sign(j, &asked)).collect()
}
