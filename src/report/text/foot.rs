//! What stands at the end of the report: counts, what recovered, what was left out, what was not read.

use super::{BAD, BOLD, Extent, WIDTH, Writer, paint, to_second, wrap};
use crate::bundle::Unread;
use crate::text::visible;
use crate::verdict::{Silence, Verdict};

/// How many failing pulls that nobody asked about are named.
const NAMED: usize = 5;

impl Writer<'_> {
    pub(super) fn foot(&mut self, verdict: &Verdict, extent: Extent) {
        let s = verdict.summary();
        let about = &verdict.about;
        if let (0, Silence::Doubtful(_)) = (s.failed, &verdict.silence) {
            self.line(&paint(BAD, "No failing pull was found in what could be read. What was not read may hold one."));
        } else if s.failed == 0 {
            let asked = if verdict.asked.is_empty() { String::new() } else { format!(" that matches {}", verdict.asked) };
            for part in wrap(&visible(&format!("No pull{asked} is failing.")), WIDTH) {
                self.line(&paint(BOLD, &part));
            }
        } else {
            self.line(&paint(BOLD, &format!("{} failing: {} explained, {} undecided.", pulls(s.failed), s.explained, s.undecided)));
        }
        if s.failed == 0 && !verdict.heard.is_empty() {
            self.line(&format!("  looked at {}", verdict.heard));
        }
        self.left_out(verdict);
        for r in &verdict.recovered {
            let when = r.pulled_at.map(|t| format!(" at {}", to_second(t))).unwrap_or_default();
            let node = r.node.as_deref().map(|n| format!(" on {n}")).unwrap_or_default();
            for part in wrap(&visible(&format!("recovered: {}{node} failed ({}) and was pulled since{when}", r.image, r.symptom)), WIDTH - 2) {
                self.line(&format!("  {part}"));
            }
        }
        for note in &verdict.notes {
            self.block("note", &format!("{}: {}", note.rule, note.says));
        }
        // What may hide another failing pull is told even to those who want to hear little.
        let unread: Vec<_> = about.unread.iter().filter(|u| u.hides || !extent.quiet).collect();
        for costs in &about.redacted {
            self.block("redacted", costs);
        }
        for clock in &about.clocks {
            self.block("clocks", clock);
        }
        if extent.quiet {
            self.unread(&unread);
            return;
        }
        let time = about.collected_at.map_or_else(|| "at a time that it does not tell".to_owned(), |t| format!("at {}", to_second(t)));
        self.line(&format!("  read {} of {} files of {}, collected {time}", about.read, about.met, visible(&about.name)));
        if let Some(now) = about.now.filter(|n| Some(*n) != about.collected_at) {
            self.line(&format!("  reckoned as of {now} (--at)"));
        }
        self.unread(&unread);
    }

    /// What fails beside what was asked for, so that a narrow question gives no false comfort.
    fn left_out(&mut self, verdict: &Verdict) {
        let count = verdict.left_out.len();
        if count == 0 {
            return;
        }
        self.line(&format!("  {} failing beside what was asked for", pulls(count)));
        for other in verdict.left_out.iter().take(NAMED) {
            let node = other.node.as_deref().map(|n| format!(" on {n}")).unwrap_or_default();
            for (nth, part) in wrap(&visible(&format!("{}{node}", other.image)), WIDTH - 6).iter().enumerate() {
                self.line(&format!("{}{part}", if nth == 0 { "    " } else { "      " }));
            }
        }
        if count > NAMED {
            self.line(&format!("    and {} more", count - NAMED));
        }
    }

    fn unread(&mut self, unread: &[&Unread]) {
        let mut sorted = unread.to_vec();
        sorted.sort_by_key(|u| !u.hides);
        for unread in sorted.iter().take(5) {
            self.block("not read", &format!("{}: {}", unread.file, unread.why));
        }
        if unread.len() > 5 {
            self.line(&format!("  and {} more were not read (--format json lists them)", unread.len() - 5));
        }
    }
}

fn pulls(count: usize) -> String {
    if count == 1 { "1 pull is".into() } else { format!("{count} pulls are") }
}
