//! Which causes, triggers and misleading signs do the facts support? Each rule is asked about each stop that it names.
//!
//! Rules compare; they never compute and never open files. Loading may fail, asking never does.

pub mod artefacts;
pub mod check;
pub mod file;
mod fill;
mod judge;
pub mod predicate;
mod shipped;
pub mod vocabulary;

pub use file::{Action, Kind, Line, Reference, Rule, RuleError};
pub use fill::{fill, fill_command};
pub use judge::{Judgement, LineOutcome, Outcome, judge};

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

use crate::message::Symptom;

/// The rules in force, by id, and by the symptoms on which they are asked.
pub struct Rules {
    by_id: BTreeMap<String, Rule>,
    by_symptom: BTreeMap<Symptom, Vec<String>>,
    any_symptom: Vec<String>,
    digest: String,
}

impl Rules {
    /// The rules that the program ships.
    ///
    /// # Errors
    /// [`RuleError`] where a shipped rule is broken, which the program's own tests exclude.
    pub fn shipped() -> Result<Rules, RuleError> {
        Ok(Rules::of(shipped::rules()?, Sha256::digest(shipped::COMPACT)))
    }

    /// The shipped rules, with those of the folders added or replaced by id.
    ///
    /// # Errors
    /// [`RuleError`] with file, line and caret where a rule names something unknown or cannot be read.
    pub fn with_folders(folders: &[String]) -> Result<Rules, RuleError> {
        let mut rules: BTreeMap<String, Rule> = shipped::rules()?.into_iter().map(|r| (r.id.clone(), r)).collect();
        let mut hash = Sha256::new();
        hash.update(shipped::COMPACT);
        for folder in folders {
            for (path, text) in file::texts(folder)? {
                let rule = file::parse(&path, &text)?;
                rule.compile(&path, &text)?;
                hash.update(text.as_bytes());
                rules.insert(rule.id.clone(), rule);
            }
        }
        Ok(Rules::of(rules.into_values().collect(), hash.finalize()))
    }

    fn of(rules: Vec<Rule>, digest: impl AsRef<[u8]>) -> Rules {
        let mut by_symptom: BTreeMap<Symptom, Vec<String>> = BTreeMap::new();
        let mut any_symptom = Vec::new();
        for rule in &rules {
            if rule.when.is_empty() {
                any_symptom.push(rule.id.clone());
            }
            for symptom in rule.when.iter().filter_map(|s| Symptom::named(s)) {
                by_symptom.entry(symptom).or_default().push(rule.id.clone());
            }
        }
        let digest = digest.as_ref().iter().take(16).fold(String::from("sha256:"), |mut out, b| {
            use std::fmt::Write as _;
            let _ = write!(out, "{b:02x}");
            out
        });
        Rules { by_id: rules.into_iter().map(|r| (r.id.clone(), r)).collect(), by_symptom, any_symptom, digest }
    }

    /// The rule of that id.
    pub fn get(&self, id: &str) -> Option<&Rule> {
        self.by_id.get(id)
    }

    /// Every rule, by id.
    pub fn all(&self) -> impl Iterator<Item = &Rule> {
        self.by_id.values()
    }

    /// The rules that are asked on this symptom.
    pub fn asked_on(&self, symptom: Symptom) -> impl Iterator<Item = &Rule> {
        self.by_symptom.get(&symptom).into_iter().flatten().chain(&self.any_symptom).filter_map(|id| self.by_id.get(id))
    }

    /// What identifies this set of rules in a report.
    pub fn digest(&self) -> &str {
        &self.digest
    }
}
