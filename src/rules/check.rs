//! Do a rule's own tests pass, and does it have one for every outcome that it can reach? Raw artefacts in, an outcome out.

use std::collections::{BTreeMap, BTreeSet};

use super::file::{self, Case, Kind, RuleError};
use super::{Outcome, Rule, judge, shipped};
use crate::facts::Facts;
use crate::pull::Index;
use crate::pull::view::{Asked, Memo};

/// What the check of one rule found.
#[derive(Debug)]
pub struct Checked {
    /// The rule.
    pub id: String,
    /// Its cases.
    pub cases: usize,
    /// What does not fit.
    pub faults: Vec<String>,
}

/// Checks the rules at `paths`, or every shipped one.
///
/// # Errors
/// Where a rule cannot be read or names something unknown: with its place.
pub fn check(paths: &[String]) -> Result<Vec<Checked>, RuleError> {
    let mut texts: Vec<(String, String)> = Vec::new();
    for path in paths {
        texts.extend(file::texts(path)?);
    }
    if paths.is_empty() {
        texts.extend(shipped::texts().map(|(p, t)| (p.to_owned(), t.to_owned())));
    }
    let known: BTreeSet<String> = shipped::texts().map(|(p, _)| file::id_of_path(p)).chain(texts.iter().map(|(p, _)| file::id_of_path(p))).collect();
    texts.iter().map(|(path, text)| one(path, text, &known)).collect()
}

fn one(path: &str, text: &str, known: &BTreeSet<String>) -> Result<Checked, RuleError> {
    let rule = file::parse(path, text)?;
    rule.compile(path, text)?;
    let mut faults = Vec::new();
    for general in rule.refines.iter().filter(|g| !known.contains(*g)) {
        faults.push(format!("refines `{general}`, which is no rule"));
    }
    faults.extend(wanted(&rule));
    let tests = rule.tests.clone();
    let cases = tests.map(|t| t.cases.into_iter().map(|c| (t.given.clone(), c)).collect::<Vec<_>>()).unwrap_or_default();
    for (given, case) in &cases {
        if let Some(fault) = run(&rule, given, case) {
            faults.push(format!("case `{}`: {fault}", case.name));
        }
    }
    Ok(Checked { id: rule.id.clone(), cases: cases.len(), faults })
}

/// What a rule's tests must show: every outcome that it can reach, and a near miss.
fn wanted(rule: &Rule) -> Vec<String> {
    let mut faults = Vec::new();
    let expected: BTreeSet<&str> = rule.tests.iter().flat_map(|t| &t.cases).map(|c| c.expect.as_str()).collect();
    let can_hold = !rule.holds.is_empty() || !rule.decided_by_text.is_empty();
    let reads = |line: &file::Line| super::vocabulary::FACTS.iter().filter(|f| line.test.contains(f.name)).all(|f| f.unread.is_none());
    let readable = rule.holds.iter().all(reads);
    if can_hold && readable && !expected.contains("holds") {
        faults.push("no case in which it holds".into());
    }
    if !(expected.contains("ruled-out") || expected.contains("not-asked")) {
        faults.push("no near miss: a case, one step away, in which it is ruled out or not asked".into());
    }
    let only_text = rule.when.iter().all(|s| rule.decided_by_text.contains(s));
    if rule.kind == Kind::Cause && !only_text && !expected.contains("undecided") && !rule.holds.iter().all(|l| is_of_text(&l.test)) {
        faults.push("no case in which it stays undecided, although it can".into());
    }
    faults
}

/// Whether a comparison needs nothing but the error's own words, which are always there.
fn is_of_text(test: &str) -> bool {
    let words = ["message.", "stop.", "image.", "attempts.", "endpoint."];
    super::vocabulary::FACTS.iter().filter(|f| test.contains(f.name)).all(|f| {
        words.iter().any(|w| f.name.starts_with(w))
            && !matches!(f.name, "endpoint.address" | "endpoint.is_private" | "endpoint.is_ipv6" | "message.credentials" | "message.clock_agrees")
    })
}

fn run(rule: &Rule, given: &BTreeMap<String, String>, case: &Case) -> Option<String> {
    if !["holds", "ruled-out", "undecided", "not-asked"].contains(&case.expect.as_str()) {
        return Some(format!("expects `{}`; the outcomes are holds, ruled-out, undecided and not-asked", case.expect));
    }
    let mut files = given.clone();
    files.extend(case.files.clone());
    files.retain(|path, _| !case.without.contains(path));
    let facts = facts_of(&files);
    let index = Index::of(&facts);
    let pulls = crate::pull::climb(&facts, &index);
    let mut got: Option<(&'static str, BTreeSet<&'static str>)> = None;
    for pull in &pulls {
        let Some(told) = pull.decided_by() else { continue };
        let memo = Memo::default();
        let asked = Asked { facts: &facts, index: &index, memo: &memo, pulls: &pulls, pull, stop: &pull.stop, told };
        let applies = (rule.when.is_empty() || rule.when.iter().any(|s| s == pull.stop.symptom.name())) && rule.makes_sense_at(pull.stop.endpoint);
        if !applies {
            continue;
        }
        let judgement = judge::one(rule, &asked);
        let outcome = match judgement.outcome {
            Outcome::Holds { .. } => "holds",
            Outcome::RuledOut => "ruled-out",
            Outcome::Undecided => "undecided",
        };
        // Of several pulls the first that the rule says something definite of.
        if got.as_ref().is_none_or(|(o, _)| *o != "holds") {
            got = Some((outcome, judgement.missing));
        }
    }
    let (outcome, missing) = got.unwrap_or(("not-asked", BTreeSet::new()));
    if outcome != case.expect {
        let stops: Vec<String> = pulls
            .iter()
            .map(|p| {
                let stage = p.stop.stage.map_or("no rung", |s| s.name());
                let endpoint = p.stop.endpoint.map_or("no endpoint", |e| e.name());
                format!("{} at {stage}, {endpoint}", p.stop.symptom.name())
            })
            .collect();
        return Some(format!("expects `{}`, got `{outcome}` (stops: {})", case.expect, if stops.is_empty() { "none".into() } else { stops.join("; ") }));
    }
    let lacking: Vec<&String> = case.missing.iter().filter(|m| !missing.contains(m.as_str())).collect();
    (!lacking.is_empty()).then(|| format!("does not ask for {lacking:?}; it asks for {missing:?}"))
}

/// The facts of files given as text, read as a bundle's.
pub fn facts_of(files: &BTreeMap<String, String>) -> Facts {
    let mut facts = Facts::default();
    let tally = crate::bundle::walk_texts(files, &mut |entry| crate::readers::read(entry, &mut facts));
    facts.seal(tally, None)
}

/// Path and text of a shipped rule.
pub fn shipped_text(id: &str) -> Option<(&'static str, &'static str)> {
    shipped::text(id)
}

/// What is said of a rule that does not exist.
pub fn unknown_rule(id: &str, rules: &super::Rules) -> String {
    file::unknown(id, rules.all().map(|r| r.id.as_str()).collect())
}

/// Whether a rule's text names the fact, as a whole word.
pub fn names_fact(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let edge = |c: Option<char>| c.is_none_or(|c| !(c.is_ascii_alphanumeric() || c == '_'));
        edge(text.get(..at).and_then(|t| t.chars().next_back()).filter(|c| *c != '.')) && edge(text.get(at + name.len()..).and_then(|t| t.chars().next()))
    })
}
