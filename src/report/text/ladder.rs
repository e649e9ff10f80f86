//! Which rungs of the ladder passed, and at which did the pull stop?

use unicode_width::UnicodeWidthStr;

use super::{BAD, DIM, GOOD, WIDTH, Writer, paint, wrap};
use crate::pull::{Outcome, Step};
use crate::text::{redact, visible};
use crate::verdict::Finding;

/// How much of an error's end is shown, in characters.
const SHOWN: usize = 220;
/// Columns of an endpoint's role and host.
const LABEL: usize = 33;

impl Writer<'_> {
    /// One row a step that says something; the rest in one line.
    pub(super) fn ladder(&mut self, f: &Finding) {
        let mut head: Option<(Option<&'static str>, Option<String>)> = None;
        let mut later: Vec<&'static str> = Vec::new();
        if let Some(step) = f.ladder.first().filter(|_| f.ladder.iter().all(|s| s.outcome == Outcome::Unknown)) {
            let host = step.host.as_deref().or(f.stop.host.as_deref()).map(|h| visible(h).into_owned()).unwrap_or_default();
            self.line(&format!("  {:<LABEL$} where it stopped, the text does not tell", format!("{:<9}{host}", step.endpoint.map_or("", |e| e.name()))));
            return;
        }
        let failing = f.ladder.iter().find(|s| s.outcome == Outcome::Failed).map(|s| s.evidence.clone()).unwrap_or_default();
        for step in &f.ladder {
            if step.outcome == Outcome::NotReached {
                later.push(step.stage.name());
                continue;
            }
            let of = (step.endpoint.map(|e| e.name()), step.host.clone());
            let label = if head.as_ref() == Some(&of) {
                String::new()
            } else {
                format!("{:<9}{}", of.0.unwrap_or("node"), of.1.as_deref().map(visible).unwrap_or_default())
            };
            head = Some(of);
            // A long name has a line of its own, so that the columns stand.
            let label = if label.width() > LABEL {
                self.line(&format!("  {label}"));
                String::new()
            } else {
                label
            };
            // The failing step's line proves the earlier ones: it is told once.
            let cite = step.outcome == Outcome::Failed || step.evidence != failing;
            self.step(step, &label, cite);
        }
        later.dedup();
        if f.ladder.iter().all(|s| s.outcome == Outcome::Unknown) {
            later.clear();
        }
        if !later.is_empty() {
            self.line(&format!("  {:<LABEL$} {}: not reached", "", later.join(", ")));
        }
        self.error(f);
    }

    /// The end of the error itself, where the meaning stands.
    fn error(&mut self, f: &Finding) {
        let of_stop = |t: &&crate::pull::Try| !t.noise && t.attempt.symptom == f.stop.symptom && t.attempt.host == f.stop.host;
        let Some(told) = f.attempts.iter().rev().find(of_stop) else { return };
        let text = redact(&told.attempt.text);
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let cut = text.char_indices().rev().nth(SHOWN - 1).map_or(0, |(i, _)| i);
        let end = text.get(cut..).unwrap_or_default();
        let (dots, end) = if cut > 0 { ("... ", end.split_once(' ').map_or(end, |(_, rest)| rest)) } else { ("", end) };
        let quoted = format!("the error: {dots}{}", visible(end));
        wrap(&quoted, WIDTH - 4).iter().for_each(|part| self.line(&format!("    {part}")));
    }

    fn step(&mut self, step: &Step, label: &str, cite: bool) {
        let (word, style) = match step.outcome {
            Outcome::Passed => ("passed", GOOD),
            Outcome::Failed => ("FAILED", BAD),
            Outcome::NotApplicable => ("does not apply", DIM),
            _ => ("not known", DIM),
        };
        let says = visible(&step.says);
        let plain = format!("  {label:<LABEL$} {:<12} {word} {says}", step.stage.name());
        let right = step.evidence.first().filter(|_| cite).map(|s| self.place(s)).unwrap_or_default();
        let long = plain.width() > WIDTH;
        let painted = format!("  {label:<LABEL$} {:<12} {}", step.stage.name(), paint(style, word));
        let bare = format!("  {label:<LABEL$} {:<12} {word}", step.stage.name());
        if step.outcome == Outcome::Passed {
            let shown = if says.parse::<std::net::IpAddr>().is_ok() { format!("{painted} {says}") } else { painted };
            let width = if says.parse::<std::net::IpAddr>().is_ok() { bare.width() + 1 + says.width() } else { bare.width() };
            self.row(&shown, width, &right);
        } else if long || plain.width() + 2 + right.width() > WIDTH {
            self.row(&painted, bare.width(), &right);
            for part in wrap(&says, WIDTH - LABEL - 5) {
                self.line(&format!("{:width$}{part}", "", width = LABEL + 5));
            }
        } else {
            self.row(&format!("{painted} {says}"), plain.width(), &right);
        }
    }
}
