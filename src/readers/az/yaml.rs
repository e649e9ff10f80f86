//! Which values does the YAML of a cloud tool hold, and on which lines? The block style that `-o yaml` writes, and no more.
//!
//! ```yaml
//! value:
//! - addressPrefix:
//!   - 10.20.0.0/16
//!   nextHopType: VnetLocal
//! ```

use std::borrow::Cow;

use super::tree::{Tree, Value, What};

const DEPTH: usize = 64;

/// A line that says something: where it stands, how deep, and what.
#[derive(Clone, Copy)]
struct Line<'t> {
    number: u32,
    depth: usize,
    text: &'t str,
}

/// Reads a document whose first line is `first`.
pub(in crate::readers) fn parse(text: &str, first: u32) -> Option<Tree<'_>> {
    let lines: Vec<Line<'_>> = (first..)
        .zip(text.lines())
        .filter(|(_, l)| !l.trim().is_empty() && !l.trim_start().starts_with('#') && *l != "---" && *l != "...")
        .map(|(number, l)| Line { number, depth: l.len() - l.trim_start_matches(' ').len(), text: l.trim() })
        .collect();
    let mut parser = Parser { lines: &lines, at: 0, strange: false };
    let root = parser.block(0, 0)?;
    let cut = parser.strange || parser.at < lines.len();
    Some(Tree { root, cut })
}

struct Parser<'l, 't> {
    lines: &'l [Line<'t>],
    at: usize,
    /// Something was met that this tool does not write.
    strange: bool,
}

impl<'t> Parser<'_, 't> {
    fn here(&self) -> Option<Line<'t>> {
        self.lines.get(self.at).copied()
    }

    /// The value that begins on the line at hand, which is at least `least` deep.
    fn block(&mut self, least: usize, nested: usize) -> Option<Value<'t>> {
        let first = self.here().filter(|l| l.depth >= least)?;
        if nested > DEPTH {
            self.strange = true;
            return None;
        }
        let what = if first.text == "-" || first.text.starts_with("- ") {
            What::List(self.list(first.depth, nested))
        } else if split(first.text).is_some() {
            What::Map(self.map(first.depth, None, nested))
        } else {
            self.at += 1;
            return Some(self.scalar(first.text, first.number, first.depth.saturating_sub(1)));
        };
        Some(Value { line: first.number, what })
    }

    fn list(&mut self, depth: usize, nested: usize) -> Vec<Value<'t>> {
        let mut items = Vec::new();
        while let Some(line) = self.here().filter(|l| l.depth == depth && (l.text == "-" || l.text.starts_with("- "))) {
            let rest = line.text.get(1..).unwrap_or("").trim_start();
            // The first key of an item stands behind the dash, as deep as the keys that follow.
            let inner = depth + line.text.len() - rest.len();
            if rest.is_empty() {
                self.at += 1;
                items.extend(self.block(depth + 1, nested + 1));
            } else if nested < DEPTH && split(rest).is_some() {
                let entries = self.map(inner, Some(Line { number: line.number, depth: inner, text: rest }), nested + 1);
                items.push(Value { line: line.number, what: What::Map(entries) });
            } else {
                self.at += 1;
                let item = self.scalar(rest, line.number, depth);
                items.push(item);
            }
        }
        items
    }

    /// The entries at `depth`; `first` where the first of them stands behind a dash.
    fn map(&mut self, depth: usize, mut first: Option<Line<'t>>, nested: usize) -> Vec<(Cow<'t, str>, Value<'t>)> {
        let mut entries = Vec::new();
        while let Some(line) = first.take().or_else(|| self.here().filter(|l| l.depth == depth)) {
            let Some((key, rest)) = split(line.text) else { break };
            self.at += 1;
            let value = if rest.is_empty() { self.below(line, nested) } else { self.scalar(rest, line.number, depth) };
            entries.push((Cow::Borrowed(key), value));
        }
        entries
    }

    /// What follows a key without a value: a deeper block, or a list as deep as the key.
    fn below(&mut self, key: Line<'t>, nested: usize) -> Value<'t> {
        let dashed = self.here().is_some_and(|l| l.depth == key.depth && (l.text == "-" || l.text.starts_with("- ")));
        let value = self.block(if dashed { key.depth } else { key.depth + 1 }, nested + 1);
        // The value's line is its key's: there a reader looks for it.
        Value { line: key.number, what: value.map_or(What::Null, |v| v.what) }
    }

    /// A scalar that begins with `text`; lines that stand deeper than `depth` continue it.
    fn scalar(&mut self, text: &'t str, line: u32, depth: usize) -> Value<'t> {
        let what = match text {
            "[]" => What::List(Vec::new()),
            "{}" => What::Map(Vec::new()),
            "null" | "~" | "''" | "\"\"" => What::Null,
            "|" | ">" | "|-" | ">-" | "|+" | ">+" => {
                What::Text(Cow::Owned(self.continued(String::new(), depth, if text.starts_with('|') { "\n" } else { " " })))
            }
            _ if text.starts_with(['{', '[', '&', '*']) => {
                self.strange = true;
                What::Null
            }
            _ => {
                let whole = match self.here() {
                    Some(next) if next.depth > depth => Cow::Owned(self.continued(text.to_owned(), depth, " ")),
                    _ => Cow::Borrowed(text),
                };
                match whole {
                    Cow::Borrowed(t) => What::Text(unquoted(t)),
                    Cow::Owned(t) => What::Text(Cow::Owned(unquoted(&t).into_owned())),
                }
            }
        };
        Value { line, what }
    }

    fn continued(&mut self, mut text: String, depth: usize, between: &str) -> String {
        while let Some(next) = self.here().filter(|l| l.depth > depth) {
            if !text.is_empty() {
                text.push_str(between);
            }
            text.push_str(next.text);
            self.at += 1;
        }
        text
    }
}

fn unquoted(text: &str) -> Cow<'_, str> {
    if let Some(inner) = text.strip_prefix('\'').and_then(|t| t.strip_suffix('\'')) {
        return if inner.contains("''") { Cow::Owned(inner.replace("''", "'")) } else { Cow::Borrowed(inner) };
    }
    match text.strip_prefix('"').and_then(|t| t.strip_suffix('"')) {
        Some(inner) => serde_json::from_str::<String>(text).map_or(Cow::Borrowed(inner), Cow::Owned),
        None => Cow::Borrowed(text),
    }
}

/// `key: value` or `key:`; a key is a word, perhaps quoted.
fn split(text: &str) -> Option<(&str, &str)> {
    let (key, rest) = text.split_once(": ").or_else(|| Some((text.strip_suffix(':')?, "")))?;
    let key = key.trim_matches(['"', '\'']);
    let is_key = !key.is_empty() && key.len() < 256 && !key.contains([' ', '{', '[', '"']);
    is_key.then(|| (key, rest.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_block_style_gives_the_tree() {
        let text = "value:\n- addressPrefix:\n  - 10.20.0.0/16\n  - 10.30.0.0/16\n  nextHopIpAddress: []\n  nextHopType: None\n  tags: null\n- addressPrefix:\n  - ::/0\n  note: 'it''s a text\n    of two lines'\n  nextHopType: Internet\n";
        let tree = parse(text, 1).unwrap();
        assert!(!tree.cut);
        let rows: Vec<_> = tree.root.objects().collect();
        assert_eq!(rows.len(), 2);
        assert_eq!(rows[0].texts("addressPrefix").collect::<Vec<_>>(), [("10.20.0.0/16", 3), ("10.30.0.0/16", 4)]);
        assert_eq!(rows[0].text("nextHopType"), Some("None"));
        assert_eq!(rows[0].list("nextHopIpAddress").len(), 0);
        assert_eq!(rows[1].text("note"), Some("it's a text of two lines"));
        assert_eq!(rows[1].line_of("nextHopType"), 12);
    }

    #[test]
    fn nested_objects_and_lists_of_one_key() {
        let text = "addressSpace:\n  addressPrefixes:\n  - 10.0.0.0/16\nid: /subscriptions/x\nsubnets:\n- id: /a\n  routeTable:\n    id: /b\n";
        let tree = parse(text, 1).unwrap();
        assert_eq!(tree.root.at(&["subnets"]).unwrap().items()[0].at(&["routeTable", "id"]).unwrap().as_text(), Some("/b"));
        assert_eq!(tree.root.get("addressSpace").unwrap().texts("addressPrefixes").count(), 1);
    }

    #[test]
    fn strange_yaml_is_marked_and_ends() {
        assert!(parse("a: {b: 1}\n", 1).unwrap().cut);
        assert!(parse("a:\n    b: 1\n  c: 2\n", 1).unwrap().cut);
        let deep: String = (0..5000).map(|i| format!("{}a:\n", " ".repeat(i))).collect();
        assert!(parse(&deep, 1).unwrap().cut);
    }
}
