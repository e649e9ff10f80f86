//! How could the text have read before a terminal, a page or a log cut it into lines?

use crate::text;

use super::token::LONGEST;

/// Everything that the text could have been, the text as it stands first: unescaped, boxes and marks of a page taken off,
/// and lines joined as a terminal (in the middle of a word) or a mail (at a blank) breaks them.
pub(super) fn readings(raw: &str) -> Vec<String> {
    let end = (0..=LONGEST.min(raw.len())).rev().find(|i| raw.is_char_boundary(*i)).unwrap_or(0);
    let bounded = raw.get(..end).unwrap_or("");
    let bounded = &text::escape::entities(bounded);
    let plain = text::unescape(&bounded.replace("\r\n", "\n").replace('\r', "\n")).into_owned();
    let (boxed, had_box) = without_boxes(&plain);
    let mut out = vec![if had_box { boxed.clone() } else { plain }];
    if is_hard_wrapped(&boxed) {
        out.insert(0, hard(&boxed));
    }
    if boxed.trim_end().contains('\n') {
        for how in [hard(&boxed), boxed.lines().map(str::trim_end).collect::<String>(), joined(&boxed, " ")] {
            if !out.contains(&how) {
                out.push(how);
            }
        }
    }
    out
}

/// k9s and its kin draw frames: `failed to reso │\n│ lve reference`.
fn without_boxes(text: &str) -> (String, bool) {
    let is_box = |c: char| ('\u{2500}'..='\u{257f}').contains(&c);
    if !text.chars().any(is_box) {
        return (text.to_owned(), false);
    }
    let lines: Vec<String> = text
        .lines()
        .map(|line| {
            let inner = line.trim_matches(is_box);
            let inner = inner.strip_suffix(' ').filter(|_| line.ends_with(is_box)).unwrap_or(inner);
            let inner = inner.strip_prefix(' ').filter(|_| line.starts_with(is_box)).unwrap_or(inner);
            inner.replace(is_box, "")
        })
        .collect();
    (lines.join("\n"), true)
}

/// Most lines as long as the width allows: no writer does that, a terminal does.
fn is_hard_wrapped(text: &str) -> bool {
    let lengths: Vec<usize> = text.trim_end().lines().map(|l| l.chars().count()).collect();
    let width = lengths.iter().copied().max().unwrap_or(0);
    let full = lengths.iter().filter(|l| **l == width).count();
    width >= 40 && lengths.len() > 1 && (full >= 2 || lengths.first() == Some(&width)) && full * 2 + 1 >= lengths.len()
}

/// A terminal breaks at its width: such a line is as long as the longest, and continues without a blank.
fn hard(text: &str) -> String {
    let width = text.lines().map(|l| l.chars().count()).max().unwrap_or(0);
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        out.push_str(line);
        if line.chars().count() < width {
            out.push(' ');
        }
    }
    out
}

fn joined(text: &str, with: &str) -> String {
    text.lines().map(str::trim).collect::<Vec<_>>().join(with)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_comes_off() {
        let all = readings("failed to reso │\n│ lve reference");
        assert!(all.iter().any(|r| r.contains("failed to resolve reference")), "{all:?}");
    }

    #[test]
    fn a_terminals_break_heals() {
        let all = readings("rpc error: cod\ne = Unknown");
        assert!(all.iter().any(|r| r == "rpc error: code = Unknown" || r == "rpc error: code = Unknown "), "{all:?}");
    }
}
