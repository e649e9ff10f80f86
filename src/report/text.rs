//! The report for a person at a terminal: readable at 100 columns, understood without colour.

mod cause;
mod foot;
mod head;
mod ladder;
mod plan;

use anstyle::{AnsiColor, Style};
use unicode_width::UnicodeWidthStr;

use crate::bundle::Source;
use crate::facts::About;
use crate::text::visible;
use crate::verdict::{Finding, Verdict};

const WIDTH: usize = 100;

const BOLD: Style = Style::new().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();
const GOOD: Style = AnsiColor::Green.on_default();
const DIM: Style = Style::new().dimmed();

/// How much of a report is told.
#[derive(Debug, Clone, Copy, Default)]
pub struct Extent {
    /// Only what failed and why, without what to do.
    pub quiet: bool,
}

/// The report. Colours are ANSI codes, which the caller strips where they are not wanted.
pub fn write(verdict: &Verdict, extent: Extent) -> String {
    let mut out = Writer { text: String::new(), about: &verdict.about };
    for finding in &verdict.findings {
        out.finding(finding, extent);
    }
    out.foot(verdict, extent);
    out.text
}

struct Writer<'v> {
    text: String,
    about: &'v About,
}

fn paint(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// Words wrapped to the width that is left behind an indent.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let Some(last) = lines.last_mut() else { break };
        if !last.is_empty() && last.width() + 1 + word.width() > width {
            lines.push(word.to_owned());
        } else {
            if !last.is_empty() {
                last.push(' ');
            }
            last.push_str(word);
        }
    }
    lines
}

impl Writer<'_> {
    fn line(&mut self, text: &str) {
        self.text.push_str(text.trim_end());
        self.text.push('\n');
    }

    fn place(&self, source: &Source) -> String {
        format!("{}:{}", visible(self.about.path(source)), source.line)
    }

    /// A block of text behind a label: the label once, the text wrapped behind it.
    fn block(&mut self, label: &str, text: &str) {
        let indent = 17;
        let safe = visible(text).into_owned();
        for (i, part) in wrap(&safe, WIDTH - indent).iter().enumerate() {
            let head = if i == 0 { label } else { "" };
            self.line(&format!("  {head:<width$}{part}", width = indent - 2));
        }
    }

    /// A row with its source at the right edge, or on a line of its own where it does not fit.
    fn row(&mut self, left: &str, plain_width: usize, right: &str) {
        let right = visible(right).into_owned();
        if right.is_empty() {
            self.line(left);
        } else if plain_width + 2 + right.width() <= WIDTH {
            let gap = WIDTH - plain_width - right.width();
            self.line(&format!("{left}{}{}", " ".repeat(gap), paint(DIM, &right)));
        } else {
            self.line(left);
            let gap = WIDTH.saturating_sub(right.width());
            self.line(&format!("{}{}", " ".repeat(gap), paint(DIM, &right)));
        }
    }

    fn finding(&mut self, f: &Finding, extent: Extent) {
        self.head(f);
        self.line("");
        self.ladder(f);
        self.line("");
        self.cause(f);
        if !extent.quiet {
            self.line("");
            self.todos("do", &f.remedy);
            // Where no cause is told, what would tell comes first.
            let open = f.cause.is_none();
            open.then(|| self.missing(f));
            self.todos("verify", &f.verify);
            self.signs("why now", &f.triggers);
            self.signs("proves nothing", &f.misleading);
            for no in &f.no_help {
                self.block("does not help", no);
            }
            (!open).then(|| self.missing(f));
        }
        self.line("");
    }
}

/// The time to the second: what a person reads.
fn to_second(time: jiff::Timestamp) -> jiff::Timestamp {
    jiff::Timestamp::from_second(time.as_second()).unwrap_or(time)
}
