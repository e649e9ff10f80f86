//! What is to be done, what would tell more, and which signs mislead?

use super::{DIM, Writer, paint};
use crate::text::visible;
use crate::verdict::{Certainty, Finding, Sign, Todo};

impl Writer<'_> {
    /// Signs with their lines.
    pub(super) fn signs(&mut self, label: &str, signs: &[Sign]) {
        for sign in signs {
            self.block(label, &format!("{}: {}", sign.rule, sign.says));
            if let Some(source) = sign.evidence.first() {
                let right = self.place(source);
                self.line(&format!("{:17}{}", "", paint(DIM, &right)));
            }
        }
    }

    /// What to do, each with its command.
    pub(super) fn todos(&mut self, label: &str, todos: &[Todo]) {
        for todo in todos {
            self.block(label, &todo.what);
            if let Some(run) = &todo.run {
                // A command is never wrapped: it is there to be copied.
                for part in run.lines() {
                    self.line(&format!("{:17}$ {}", "", visible(part)));
                }
            }
        }
    }

    /// What would tell more, and the command that collects it.
    pub(super) fn missing(&mut self, f: &Finding) {
        if f.missing.is_empty() {
            return;
        }
        let label = if f.certainty == Certainty::Undecided { "collect" } else { "would tell" };
        let shown = if f.certainty == Certainty::Undecided { 8 } else { 4 };
        let mut ranked: Vec<_> = f.missing.iter().collect();
        ranked.sort_by_key(|m| (std::cmp::Reverse(m.decides.len()), m.artefact));
        for m in ranked.iter().take(shown) {
            let what = crate::rules::artefacts::named(m.artefact).map_or("", |a| a.what.as_str());
            self.block(label, &format!("{} of {}: {what}", m.artefact, m.of));
            if let Some(sent) = &m.sent {
                self.block("", &format!("sent, and cannot be read: {sent}"));
            }
            if !m.run.is_empty() {
                self.line(&format!("{:17}$ {}", "", visible(&m.run)));
            }
        }
        if ranked.len() > shown {
            self.line(&format!("{:17}and {} more (--format json lists them)", "", ranked.len() - shown));
        }
    }
}
