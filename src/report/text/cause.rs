//! Why did it stop there, and what shows it?

use unicode_width::UnicodeWidthStr;

use super::{BOLD, DIM, WIDTH, Writer, paint, wrap};
use crate::pull::Outcome;
use crate::rules::LineOutcome;
use crate::text::{clip, visible};
use crate::verdict::Finding;

impl Writer<'_> {
    /// The cause and how sure it is, or what it may be.
    pub(super) fn cause(&mut self, f: &Finding) {
        match &f.cause {
            Some(id) => {
                let title = visible(&f.title).into_owned();
                let plain = format!("  cause ({}): {title}", f.certainty.name());
                let painted = format!("  {} {title}", paint(BOLD, &format!("cause ({}):", f.certainty.name())));
                self.row(&painted, plain.width(), id);
                for part in wrap(&visible(&f.why), WIDTH - 4) {
                    self.line(&format!("    {part}"));
                }
                self.evidence(f);
            }
            None => {
                self.line(&format!("  {} {}", paint(BOLD, "cause: undecided."), visible(&f.title)));
                for part in wrap(&visible(&f.why), WIDTH - 4) {
                    self.line(&format!("    {part}"));
                }
                self.evidence(f);
            }
        }
        self.candidates(f);
    }

    /// The lines of the cause against this bundle: what shows it, then what would exclude it and does not.
    fn evidence(&mut self, f: &Finding) {
        for line in f.evidence.iter().filter(|l| !l.excludes) {
            self.evidence_line(line);
        }
        // What only the error's own line speaks against needs no row of its own.
        let error: Vec<_> = f.ladder.iter().filter(|s| s.outcome == Outcome::Failed).flat_map(|s| &s.evidence).collect();
        let tells = |l: &&LineOutcome| l.value.is_none() || l.evidence.sources.first().is_some_and(|s| !error.contains(&s));
        let mut excluding = f.evidence.iter().filter(|l| l.excludes).filter(tells).peekable();
        if excluding.peek().is_some() {
            self.line("    what would exclude it:");
        }
        for line in excluding {
            self.evidence_line(line);
        }
    }

    fn evidence_line(&mut self, line: &LineOutcome) {
        let mut mark = match line.value {
            Some(true) => "yes",
            Some(false) => "no",
            None => "?",
        };
        // A plain yes or no beside the mark says it twice; a number or a name says more.
        let shown = Some(clip(&line.shown, 60)).filter(|s| !s.is_empty() && !line.excludes).map(|s| format!(": {s}")).unwrap_or_default();
        let right = match line.value {
            None => format!("not collected: {}", line.missing.iter().copied().collect::<Vec<_>>().join(", ")),
            Some(_) => line.evidence.sources.first().map(|s| self.place(s)).unwrap_or_default(),
        };
        let whole = format!("{}{}", visible(&line.says), visible(&shown));
        let mut parts = wrap(&whole, WIDTH - 10);
        let last = parts.pop().unwrap_or_default();
        for part in parts {
            self.line(&format!("    {mark:<4} {part}"));
            mark = "";
        }
        let text = format!("    {mark:<4} {last}");
        self.row(&text, text.width(), &right);
    }

    /// Five candidates, the likeliest first, and how many more there are.
    fn candidates(&mut self, f: &Finding) {
        let open: Vec<_> = f.candidates.iter().filter(|c| matches!(c.outcome, "undecided" | "holds")).collect();
        let relevant: Vec<_> = if f.cause.is_some() { open.into_iter().filter(|c| c.outcome == "holds").collect() } else { open };
        if relevant.is_empty() {
            return;
        }
        self.line(if f.cause.is_some() { "    holds too:" } else { "    it may be:" });
        for c in relevant.iter().take(5) {
            let text = format!("      {}", visible(&c.title));
            self.row(&text, text.width(), &c.cause);
            if !c.missing.is_empty() {
                let asks = c.missing.iter().copied().collect::<Vec<_>>().join(", ");
                self.line(&format!("        {}", paint(DIM, &format!("would tell: {asks}"))));
            }
        }
        if relevant.len() > 5 {
            self.line(&format!("      and {} more (--format json lists them)", relevant.len() - 5));
        }
    }
}
