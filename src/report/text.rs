//! The report for a person at a terminal: readable at 100 columns, understood without colour.

use anstyle::{AnsiColor, Style};
use unicode_width::UnicodeWidthStr;

mod foot;

use super::affected;
use crate::bundle::Source;
use crate::facts::About;
use crate::message::Symptom;
use crate::pull::{Outcome, Step};
use crate::text::{clip, visible};
use crate::verdict::{Certainty, Finding, Sign, Todo, Verdict};

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
            self.signs("why now", &f.triggers);
            self.signs("proves nothing", &f.misleading);
            self.todos("do", &f.remedy);
            // Where no cause is told, what would tell comes first.
            let open = f.cause.is_none();
            open.then(|| self.missing(f));
            self.todos("verify", &f.verify);
            for no in &f.no_help {
                self.block("does not help", no);
            }
            (!open).then(|| self.missing(f));
        }
        self.line("");
    }

    fn head(&mut self, f: &Finding) {
        let Some(first) = f.pulls.first() else { return };
        let pod = first.pods.first().map_or_else(|| "a pod".to_owned(), |p| visible(p).into_owned());
        let pod = if first.pods.is_empty() { String::new() } else { format!("{pod} on ") };
        let node = first.node.as_deref().map_or_else(|| "a node that nothing names".to_owned(), |n| visible(n).into_owned());
        let pods: usize = f.pulls.iter().map(|p| p.pods.len()).sum();
        let nodes: std::collections::BTreeSet<&str> = f.pulls.iter().filter_map(|p| p.node.as_deref()).collect();
        let mut pools: Vec<&str> = f.pulls.iter().filter_map(|p| p.pool.as_deref()).collect();
        pools.sort_unstable();
        pools.dedup();
        let does = if f.stop.symptom == Symptom::PullPending { "has not ended pulling" } else { "cannot pull" };
        let headline = format!("{}  {pod}{node} {does} {}", f.id, visible(&first.image));
        if headline.chars().count() <= WIDTH {
            self.line(&paint(BOLD, &headline));
        } else {
            self.line(&paint(BOLD, &format!("{}  {pod}{node}", f.id)));
            self.line(&paint(BOLD, &format!("    {does} {}", visible(&first.image))));
        }
        let mut more = Vec::new();
        if pods > 1 {
            more.push(format!("{pods} pods wait"));
        }
        if nodes.len() > 1 {
            more.push(format!("on {} nodes", nodes.len()));
        }
        if f.pulls.len() > 1 {
            more.push(format!("{} pulls fail alike", f.pulls.len()));
        }
        if !pools.is_empty() {
            more.push(format!("pool {}", pools.join(", ")));
        }
        let count: u64 = f.pulls.iter().map(|p| p.count).sum();
        if let (Some(start), Some(end)) = (f.pulls.iter().filter_map(|p| p.first_seen).min(), f.pulls.iter().filter_map(|p| p.last_seen).max()) {
            more.push(if start == end { format!("seen at {start}") } else { format!("seen {count} times from {start} to {end}") });
        }
        if !more.is_empty() {
            for part in wrap(&visible(&more.join(", ")), WIDTH - 4) {
                self.line(&format!("    {part}"));
            }
        }
        for also in affected::further(&f.pulls) {
            wrap(&visible(&also), WIDTH - 6).iter().for_each(|part| self.line(&format!("      {part}")));
        }
    }

    /// One row a step that says something; the rest in one line.
    fn ladder(&mut self, f: &Finding) {
        let mut head: Option<(Option<&'static str>, Option<String>)> = None;
        let mut later: Vec<&'static str> = Vec::new();
        if let Some(step) = f.ladder.first().filter(|_| f.ladder.iter().all(|s| s.outcome == Outcome::Unknown)) {
            let host = step.host.as_deref().or(f.stop.host.as_deref()).map(|h| visible(h).into_owned()).unwrap_or_default();
            self.line(&format!("  {:<33} where it stopped, the text does not tell", format!("{:<9}{host}", step.endpoint.map_or("", |e| e.name()))));
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
                format!("{:<9}{}", of.0.unwrap_or("node"), of.1.as_deref().map(|h| visible(h).into_owned()).unwrap_or_default())
            };
            head = Some(of);
            // The failing step's line proves the earlier ones: it is told once.
            let cite = step.outcome == Outcome::Failed || step.evidence != failing;
            self.step(step, &label, cite);
        }
        later.dedup();
        if f.ladder.iter().all(|s| s.outcome == Outcome::Unknown) {
            later.clear();
        }
        if !later.is_empty() {
            self.line(&format!("  {:<33} {}: not reached", "", later.join(", ")));
        }
    }

    fn step(&mut self, step: &Step, label: &str, cite: bool) {
        let (word, style) = match step.outcome {
            Outcome::Passed => ("passed", GOOD),
            Outcome::Failed => ("FAILED", BAD),
            Outcome::NotApplicable => ("does not apply", DIM),
            _ => ("not known", DIM),
        };
        let says = visible(&step.says);
        let plain = format!("  {label:<33} {:<12} {word} {says}", step.stage.name());
        let right = step.evidence.first().filter(|_| cite).map(|s| self.place(s)).unwrap_or_default();
        let long = plain.width() > WIDTH;
        let painted = format!("  {label:<33} {:<12} {}", step.stage.name(), paint(style, word));
        let bare = format!("  {label:<33} {:<12} {word}", step.stage.name());
        if step.outcome == Outcome::Passed {
            let shown = if says.parse::<std::net::IpAddr>().is_ok() { format!("{painted} {says}") } else { painted };
            let width = if says.parse::<std::net::IpAddr>().is_ok() { bare.width() + 1 + says.width() } else { bare.width() };
            self.row(&shown, width, &right);
        } else if long || plain.width() + 2 + right.width() > WIDTH {
            self.row(&painted, bare.width(), &right);
            for part in wrap(&says, WIDTH - 38) {
                self.line(&format!("{:38}{part}", ""));
            }
        } else {
            self.row(&format!("{painted} {says}"), plain.width(), &right);
        }
    }

    fn cause(&mut self, f: &Finding) {
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

    /// The lines of the cause against this bundle, and what sets the nodes apart.
    fn evidence(&mut self, f: &Finding) {
        for line in f.evidence.iter() {
            let mark = match line.value {
                Some(true) => "yes",
                Some(false) => "no",
                None => "?",
            };
            let says = if line.excludes { format!("{} (this would exclude it)", line.says) } else { line.says.clone() };
            let shown = if line.shown.is_empty() { String::new() } else { format!(": {}", clip(&line.shown, 60)) };
            let right = match line.value {
                None => format!("not collected: {}", line.missing.iter().copied().collect::<Vec<_>>().join(", ")),
                Some(_) => line.evidence.sources.first().map(|s| self.place(s)).unwrap_or_default(),
            };
            let whole = format!("{}{}", visible(&says), visible(&shown));
            let mut parts = wrap(&whole, WIDTH - 10);
            let last = parts.pop().unwrap_or_default();
            let mut mark = mark;
            for part in parts {
                self.line(&format!("    {mark:<4} {part}"));
                mark = "";
            }
            let text = format!("    {mark:<4} {last}");
            self.row(&text, text.width(), &right);
        }
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

    fn signs(&mut self, label: &str, signs: &[Sign]) {
        for sign in signs {
            self.block(label, &format!("{}: {}", sign.rule, sign.says));
            if let Some(source) = sign.evidence.first() {
                let right = self.place(source);
                self.line(&format!("{:17}{}", "", paint(DIM, &right)));
            }
        }
    }

    fn todos(&mut self, label: &str, todos: &[Todo]) {
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

    fn missing(&mut self, f: &Finding) {
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
