//! How is a rule written? One YAML file a rule, head to foot in the order in which a report tells it.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::Deserialize;

use super::predicate::{self, Predicate};
use super::vocabulary;
use crate::message::{Endpoint, Stage, Symptom};

/// What a rule tells of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Why the pull stopped there.
    Cause,
    /// Why it shows now.
    Trigger,
    /// What is true and proves nothing.
    Misleading,
}

/// A rule, as its file says it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// `<stage>/<condition-found>`.
    pub id: String,
    /// What it tells of.
    pub kind: Kind,
    /// One sentence.
    pub title: String,
    /// The explanation, with facts in braces.
    pub why: String,
    /// Symptoms on which it is asked; none for any.
    #[serde(default)]
    pub when: Vec<String>,
    /// Endpoints at which it makes sense; none for any, and for the node's own faults.
    #[serde(default)]
    pub at: Vec<String>,
    /// Symptoms on which the text alone establishes it.
    #[serde(default)]
    pub decided_by_text: Vec<String>,
    /// General causes that it explains further.
    #[serde(default)]
    pub refines: Vec<String>,
    /// What must be true.
    #[serde(default)]
    pub holds: Vec<Line>,
    /// What excludes it.
    #[serde(default)]
    pub unless: Vec<Line>,
    /// Artefacts that would tell where no line can.
    #[serde(default)]
    pub collect: Vec<String>,
    /// What to do.
    #[serde(default)]
    pub remedy: Vec<Action>,
    /// How to see that it is mended.
    #[serde(default)]
    pub verify: Vec<Action>,
    /// What does not help, and why.
    #[serde(default)]
    pub no_help: Vec<String>,
    /// Where to read on.
    #[serde(default)]
    pub references: Vec<Reference>,
    /// Its tests.
    #[serde(default)]
    pub tests: Option<Tests>,
    #[serde(skip)]
    compiled: OnceLock<Compiled>,
}

#[derive(Debug, Default)]
pub(super) struct Compiled {
    pub(super) holds: Vec<Predicate>,
    pub(super) unless: Vec<Predicate>,
}

/// A sentence and the comparison that makes it true.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// The sentence.
    pub says: String,
    /// The comparison.
    pub test: String,
}

/// Something to do, with the command for it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Action {
    /// What.
    #[serde(rename = "do")]
    pub what: String,
    /// The command.
    #[serde(default)]
    pub run: Option<String>,
}

/// A page to read.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reference {
    /// Its title.
    pub title: String,
    /// Its address.
    pub url: String,
}

/// A rule's tests: raw artefacts, and what the rule says of them.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tests {
    /// Files shared by the cases, by path.
    #[serde(default)]
    pub given: BTreeMap<String, String>,
    /// The cases.
    pub cases: Vec<Case>,
}

/// One case.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// What is special about it.
    pub name: String,
    /// Files of this case, added to the shared ones or put in their place.
    #[serde(default, rename = "with")]
    pub files: BTreeMap<String, String>,
    /// Shared files that are not there in this case.
    #[serde(default)]
    pub without: Vec<String>,
    /// `holds`, `ruled-out`, `undecided`, or `not-asked`.
    pub expect: String,
    /// Artefacts that it must ask for.
    #[serde(default)]
    pub missing: Vec<String>,
}

/// A rule that cannot be used, and where in its file.
#[derive(Debug, thiserror::Error)]
#[error("{}", self.shown())]
pub struct RuleError {
    file: String,
    line: u32,
    what: String,
    /// The line's text, and the offset and length of the fault in it.
    excerpt: Option<(String, usize, usize)>,
}

impl RuleError {
    pub(super) fn unplaced(what: impl Into<String>) -> RuleError {
        RuleError { file: String::new(), line: 0, what: what.into(), excerpt: None }
    }

    fn placed(file: &str, text: &str, needle: &str, within: usize, length: usize, what: String) -> RuleError {
        let at = text.find(needle).map(|i| i + within);
        let line = at.map_or(1, |i| crate::text::line_of(text, i));
        let excerpt = at.map(|i| {
            let start = text.get(..i).and_then(|t| t.rfind('\n')).map_or(0, |n| n + 1);
            (crate::text::line(text, line).to_owned(), text.get(start..i).map_or(0, |t| t.chars().count()), length.max(1))
        });
        RuleError { file: file.into(), line, what, excerpt }
    }

    fn shown(&self) -> String {
        let place = match (self.file.is_empty(), self.line) {
            (true, _) => String::new(),
            (_, 0) => format!("{}: ", self.file),
            (_, line) => format!("{}:{line}: ", self.file),
        };
        match &self.excerpt {
            Some((line, at, length)) => format!("{place}{}\n  {}\n  {}{}", self.what, crate::text::visible(line), " ".repeat(*at), "^".repeat(*length)),
            None => format!("{place}{}", self.what),
        }
    }
}

/// `rules/connect/no-route.yaml` holds `connect/no-route`.
pub(super) fn id_of_path(path: &str) -> String {
    let bare = path.strip_suffix(".yaml").unwrap_or(path);
    let mut parts: Vec<&str> = bare.rsplit(['/', '\\']).take(2).collect();
    parts.reverse();
    parts.join("/")
}

/// The rule files at `path`: one file, or every `.yaml` below a folder, by name; a folder without any is a mistake.
pub(super) fn texts(path: &str) -> Result<Vec<(String, String)>, RuleError> {
    let found = below(path)?;
    if found.is_empty() {
        let what = "holds no rule; a rule is a file DIR/<stage>/<name>.yaml".into();
        return Err(RuleError { file: path.into(), line: 0, what, excerpt: None });
    }
    Ok(found)
}

fn below(path: &str) -> Result<Vec<(String, String)>, RuleError> {
    let unread = |e: std::io::Error| RuleError { file: path.into(), line: 0, what: format!("cannot be read: {e}"), excerpt: None };
    let mut out = Vec::new();
    if std::fs::metadata(path).map_err(unread)?.is_dir() {
        let mut names: Vec<_> = std::fs::read_dir(path).map_err(unread)?.flatten().map(|e| e.path()).collect();
        names.sort();
        for name in names {
            let inner = name.to_string_lossy().into_owned();
            let file = name.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
            let is_rule = file.ends_with(".yaml") && file.matches('.').count() == 1 && file != "artefacts.yaml";
            if name.is_dir() || is_rule {
                out.extend(below(&inner)?);
            }
        }
    } else {
        out.push((path.to_owned(), std::fs::read_to_string(path).map_err(unread)?));
    }
    Ok(out)
}

/// Reads a rule from its file's text.
pub(super) fn parse(path: &str, text: &str) -> Result<Rule, RuleError> {
    serde_yaml::from_str(text).map_err(|e| {
        let line = e.location().map_or(1, |l| u32::try_from(l.line()).unwrap_or(1));
        let column = e.location().map_or(0, |l| l.column().saturating_sub(1));
        RuleError { file: path.into(), line, what: e.to_string(), excerpt: Some((crate::text::line(text, line).to_owned(), column, 1)) }
    })
}

impl Rule {
    pub(super) fn compiled(&self) -> &Compiled {
        self.compiled.get_or_init(|| {
            let all = |lines: &[Line]| lines.iter().map(|l| predicate::parse(&l.test).unwrap_or_default()).collect();
            Compiled { holds: all(&self.holds), unless: all(&self.unless) }
        })
    }

    /// Checks every name in the rule against the vocabulary, and compiles its comparisons.
    ///
    /// # Errors
    /// The first thing that does not fit, with its place in `text`.
    pub(super) fn compile(&self, path: &str, text: &str) -> Result<(), RuleError> {
        let place = |needle: &str, what: String| RuleError::placed(path, text, needle, 0, needle.chars().count(), what);
        for (names, known) in [
            (&self.when, symptoms as fn() -> Vec<&'static str>),
            (&self.decided_by_text, symptoms),
            (&self.at, endpoints),
            (&self.collect, super::artefacts::ids),
        ] {
            let list = known();
            if let Some(name) = names.iter().find(|n| !list.contains(&n.as_str())) {
                return Err(place(name, unknown(name, list)));
            }
        }
        if let Some(word) = self.decided_by_text.iter().find(|s| !self.when.contains(s)) {
            return Err(place(word, format!("`{word}` decides the rule, and the rule is not asked on it: add it to `when`")));
        }
        let room = self.id.split('/').next().unwrap_or("");
        let rooms: Vec<&str> = Stage::ALL.iter().map(|s| s.name()).chain(["trigger", "misleading"]).collect();
        if !rooms.contains(&room) {
            return Err(place(&self.id, unknown(room, rooms)));
        }
        for line in self.holds.iter().chain(&self.unless) {
            if let Err(e) = predicate::parse(&line.test) {
                return Err(RuleError::placed(path, text, &line.test, e.at, e.length, e.what));
            }
        }
        for said in self.texts() {
            if let Some(name) = super::fill::names(said).into_iter().find(|n| vocabulary::named(n).is_none()) {
                return Err(place(&format!("{{{name}}}"), unknown(name, vocabulary::FACTS.iter().map(|f| f.name).collect())));
            }
        }
        if path.ends_with(".yaml") && id_of_path(path) != self.id {
            let what = format!("a rule's file is DIR/{}.yaml, and this one's place says `{}`", self.id, id_of_path(path));
            return Err(place(&self.id, what));
        }
        Ok(())
    }

    /// Every sentence of the rule in which facts may be filled in.
    fn texts(&self) -> impl Iterator<Item = &str> {
        let actions = self.remedy.iter().chain(&self.verify).flat_map(|a| std::iter::once(a.what.as_str()).chain(a.run.as_deref()));
        let lines = self.holds.iter().chain(&self.unless).map(|l| l.says.as_str());
        [self.title.as_str(), self.why.as_str()].into_iter().chain(actions).chain(lines).chain(self.no_help.iter().map(String::as_str))
    }

    /// The stage at which the condition lies; none for triggers and misleading signs.
    pub fn stage(&self) -> Option<Stage> {
        Stage::named(self.id.split('/').next()?)
    }

    /// Whether it is asked at this endpoint; where the text names none, as at the registry.
    pub fn makes_sense_at(&self, endpoint: Option<Endpoint>) -> bool {
        let at = endpoint.unwrap_or(Endpoint::Registry).name();
        self.at.is_empty() || self.at.iter().any(|a| a == at)
    }

    /// A mirror is one of several sources of the manifest: what is wrong with it lies on the manifest's rung wherever it
    /// shows, and its 404 may hide behind the fallback's error.
    pub fn is_of_a_mirror(&self) -> bool {
        self.stage() == Some(Stage::Manifest) && self.at.first().is_some_and(|a| a == "mirror")
    }

    /// Whether the text alone establishes it on this symptom.
    pub fn is_decided_by(&self, symptom: Symptom) -> bool {
        self.decided_by_text.iter().any(|s| s == symptom.name())
    }
}

fn symptoms() -> Vec<&'static str> {
    Symptom::ALL.iter().map(|s| s.name()).collect()
}

fn endpoints() -> Vec<&'static str> {
    Endpoint::ALL.iter().map(|e| e.name()).collect()
}

/// `x` is not known, with the nearest name that is.
pub(crate) fn unknown(name: &str, known: Vec<&str>) -> String {
    match nearest(name, &known) {
        Some(near) => format!("`{name}` is not known; did you mean `{near}`?"),
        None => format!("`{name}` is not known"),
    }
}

/// The known name that is fewest edits away, if it is near at all.
pub(super) fn nearest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    known.iter().map(|k| (distance(name, k), *k)).min().filter(|(d, k)| *d <= 2 + k.len() / 4).map(|(_, k)| k)
}

/// Edits between two words, by the usual table of one row.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(row.first_mut().unwrap_or(&mut 0), i + 1);
        for (j, y) in b.iter().enumerate() {
            let above = row.get(j + 1).copied().unwrap_or(0);
            let left = row.get(j).copied().unwrap_or(0);
            let cost = (diagonal + usize::from(x != *y)).min(above + 1).min(left + 1);
            if let Some(cell) = row.get_mut(j + 1) {
                diagonal = std::mem::replace(cell, cost);
            }
        }
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_found() {
        assert_eq!(nearest("rout.prefix", &["route.prefix", "endpoint.host"]), Some("route.prefix"));
        assert_eq!(nearest("zzz", &["route.prefix"]), None);
        assert_eq!(distance("kitten", "sitting"), 3);
    }

    #[test]
    fn paths_say_ids() {
        assert_eq!(id_of_path("rules/connect/no-route.yaml"), "connect/no-route");
    }
}
