//! Which values does a JSON text hold, and on which lines? What was cut gives what came whole before the cut.

use std::borrow::Cow;

use super::tree::{Tree, Value, What};

/// Deeper than any service nests its objects.
const DEPTH: usize = 64;

/// More values than a dump of networks holds; beyond it the rest counts as cut.
const VALUES: usize = 2_000_000;

/// Reads the value at the beginning of `text`, whose first line is `line`.
pub(in crate::readers) fn parse(text: &str, line: u32) -> Option<Tree<'_>> {
    let mut parser = Parser { text, at: 0, line, values: 0, cut: false };
    let root = parser.value(0)?;
    Some(Tree { root, cut: parser.cut })
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
    line: u32,
    values: usize,
    cut: bool,
}

impl<'t> Parser<'t> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn blank(&mut self) {
        while let Some(byte @ (b' ' | b'\t' | b'\r' | b'\n')) = self.peek() {
            self.line = self.line.saturating_add(u32::from(byte == b'\n'));
            self.at += 1;
        }
    }

    /// Takes `byte`, behind blanks.
    fn takes(&mut self, byte: u8) -> bool {
        self.blank();
        let here = self.peek() == Some(byte);
        self.at += usize::from(here);
        here
    }

    fn lost<T>(&mut self) -> Option<T> {
        self.cut = true;
        None
    }

    /// A value; nothing where the text ends or breaks inside it.
    fn value(&mut self, depth: usize) -> Option<Value<'t>> {
        self.blank();
        self.values += 1;
        if depth > DEPTH || self.values > VALUES {
            return self.lost();
        }
        let line = self.line;
        let what = match self.peek() {
            Some(b'{') => self.map(depth)?,
            Some(b'[') => self.list(depth),
            Some(b'"') => What::Text(self.string()?),
            _ => self.bare()?,
        };
        Some(Value { line, what })
    }

    fn map(&mut self, depth: usize) -> Option<What<'t>> {
        self.at += 1;
        let mut entries = Vec::new();
        if !self.takes(b'}') {
            loop {
                match self.entry(depth) {
                    Some(entry) if !self.cut => entries.push(entry),
                    // Of the page around a list, the list before the cut is kept. Any other object lacks an unknown part.
                    Some(entry) if depth == 0 && matches!(entry.1.what, What::List(_)) => {
                        entries.push(entry);
                        break;
                    }
                    _ => return if depth == 0 { Some(What::Map(entries)) } else { None },
                }
                if self.takes(b',') {
                    continue;
                }
                if !self.takes(b'}') {
                    self.cut = true;
                    return if depth == 0 { Some(What::Map(entries)) } else { None };
                }
                break;
            }
        }
        Some(What::Map(entries))
    }

    fn entry(&mut self, depth: usize) -> Option<(Cow<'t, str>, Value<'t>)> {
        self.blank();
        if self.peek() != Some(b'"') {
            return self.lost();
        }
        let key = self.string()?;
        if !self.takes(b':') {
            return self.lost();
        }
        Some((key, self.value(depth + 1)?))
    }

    fn list(&mut self, depth: usize) -> What<'t> {
        self.at += 1;
        let mut items = Vec::new();
        if !self.takes(b']') {
            while let Some(item) = self.value(depth + 1) {
                items.push(item);
                if self.cut || !self.takes(b',') {
                    self.cut |= !self.takes(b']');
                    break;
                }
            }
        }
        What::List(items)
    }

    fn string(&mut self) -> Option<Cow<'t, str>> {
        let from = self.at + 1;
        let bytes = self.text.as_bytes();
        let mut at = from;
        let mut escaped = false;
        loop {
            match bytes.get(at) {
                Some(b'"') => break,
                Some(b'\\') => {
                    escaped = true;
                    at += 2;
                }
                Some(b'\n') => {
                    self.line = self.line.saturating_add(1);
                    at += 1;
                }
                Some(_) => at += 1,
                None => return self.lost(),
            }
        }
        self.at = at + 1;
        let raw = self.text.get(from..at)?;
        if !escaped {
            return Some(Cow::Borrowed(raw));
        }
        let quoted = self.text.get(from - 1..=at)?;
        Some(serde_json::from_str::<String>(quoted).map_or(Cow::Borrowed(raw), Cow::Owned))
    }

    fn bare(&mut self) -> Option<What<'t>> {
        let rest = self.text.get(self.at..)?;
        let length = rest.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '+'))).unwrap_or(rest.len());
        // A number at the very end may have lost its last digits.
        if length == 0 || length == rest.len() {
            return self.lost();
        }
        self.at += length;
        let word = rest.get(..length)?;
        Some(if word == "null" { What::Null } else { What::Bare(Cow::Borrowed(word)) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_know_their_lines() {
        let tree = parse("{\n  \"a\": [\n    1,\n    \"x\\n\"\n  ],\n  \"b\": null\n}", 10).unwrap();
        assert!(!tree.cut);
        assert_eq!(tree.root.list("a").iter().map(|v| v.line).collect::<Vec<_>>(), [12, 13]);
        assert_eq!(tree.root.line_of("b"), 15);
        assert_eq!(tree.root.list("a").last().and_then(Value::as_text), Some("x\n"));
    }

    #[test]
    fn every_cut_gives_whole_objects_only() {
        let text = r#"{"value": [{"a": {"b": [1, 2]}, "c": "}"}, {"a": {"b": [3]}, "c": "y"}], "d": 12}"#;
        for end in 1..text.len() {
            let tree = parse(text.get(..end).unwrap(), 1).unwrap();
            assert!(tree.cut, "{}", text.get(..end).unwrap());
            assert!(tree.root.list("value").iter().all(|v| v.get("c").is_some() && !v.list("a").is_empty()), "{}", text.get(..end).unwrap());
        }
        assert!(parse(&"[".repeat(100_000), 1).unwrap().cut);
    }
}
