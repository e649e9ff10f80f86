//! Which objects does a JSON file hold? A list, several documents, a bare array, or one after a tool's warnings.
//!
//! ```json
//! {"apiVersion": "v1", "kind": "EventList", "items": [{"reason": "Failed", "message": "Failed to pull image ..."}]}
//! ```

use serde::Deserialize;
use serde_json::value::RawValue;

use super::Item;
use crate::readers::{File, az, ip_route, ip_rule, policy_json, runtime_config, transcript, troubleshoot};

#[derive(Deserialize)]
#[serde(default, rename_all = "camelCase")]
#[derive(Default)]
struct Head<'a> {
    #[serde(borrow)]
    kind: Option<std::borrow::Cow<'a, str>>,
    #[serde(borrow)]
    items: Option<Vec<&'a RawValue>>,
    #[serde(borrow)]
    value: Option<&'a RawValue>,
}

/// A result of `az vmss run-command invoke`.
#[derive(Deserialize)]
struct RunCommand {
    message: String,
}

/// Counts lines as offsets grow, so that a long list costs one pass.
struct Lines<'t> {
    text: &'t str,
    at: usize,
    line: u32,
    /// How many lists stand round the document at hand.
    depth: usize,
}

/// Lists of lists deeper than that are nobody's dump.
const DEPTH: usize = 16;

impl Lines<'_> {
    fn at(&mut self, offset: usize) -> u32 {
        if offset >= self.at {
            let between = self.text.as_bytes().get(self.at..offset).unwrap_or_default();
            let more = memchr::memchr_iter(b'\n', between).count();
            self.line = self.line.saturating_add(u32::try_from(more).unwrap_or(u32::MAX));
            self.at = offset;
        }
        self.line
    }
}

/// Reads every document; false where none was of a kind that is known.
pub(in crate::readers) fn read(file: &mut File<'_>, text: &str) -> bool {
    let mut lines = Lines { text, at: 0, line: 1, depth: 0 };
    let mut at = 0;
    let mut found = false;
    let mut between = false;
    while let Some(start) = next_start(text, at) {
        // Documents stand one behind another; only the items of a list have commas between them.
        between |= at > 0 && text.get(at..start).is_some_and(|gap| gap.trim_start().starts_with(','));
        let rest = text.get(start..).unwrap_or("");
        let mut documents = serde_json::Deserializer::from_str(rest).into_iter::<&RawValue>();
        match documents.next() {
            Some(Ok(document)) => {
                let first = lines.at(offset_in(text, document.get()));
                found |= az::read_json(file, document.get(), first) || one(file, text, document.get(), None, &mut lines);
                at = start + documents.byte_offset().max(1);
                // What goes on behind a comma on the same line lies inside a list whose beginning is not there.
                if text.get(at..).is_some_and(|rest| rest.starts_with(',') && !rest.starts_with(",\n") && !rest.starts_with(",\r")) {
                    return found | headless(file, text, at, &mut lines);
                }
            }
            Some(Err(e)) => {
                if rest.len() > 2 && at == 0 && text.trim_start().starts_with(['{', '[']) {
                    found |= az::read_json(file, rest, lines.at(start)) || salvage(file, text, start, &mut lines, &e.to_string());
                    break;
                }
                at = start + rest.find('\n').map_or(rest.len(), |i| i + 1);
            }
            None => break,
        }
    }
    if !found && super::shape(text).is_some() {
        found = headless(file, text, 0, &mut lines);
    } else if found && (between || begins_inside(text)) {
        file.lost("begins in the middle of a list; the whole objects in it were read");
    }
    if !found && crate::readers::log::holds_an_anchor(text) && text.len() < 16 << 10 {
        crate::readers::pasted::read(file, text);
    }
    found
}

/// Whether the first words belong to an object whose beginning is not there.
fn begins_inside(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim).filter(|l| !l.is_empty());
    let first_is_half = lines.next().is_some_and(|l| !l.starts_with(['{', '[']));
    first_is_half && lines.next().is_some_and(|l| l.starts_with(['"', '}', ']']))
}

/// How many places that look like an object's beginning may turn out to be none.
const MISSES: u32 = 100;

/// The end of a list on one line, its beginning cut off: every object behind a comma is tried.
fn headless(file: &mut File<'_>, text: &str, from: usize, lines: &mut Lines<'_>) -> bool {
    let (mut at, mut misses, mut found) = (from, 0, 0);
    while let Some(start) = text.get(at..).and_then(|rest| rest.find(",{\"")).map(|i| at + i + 1) {
        let mut documents = serde_json::Deserializer::from_str(text.get(start..).unwrap_or("")).into_iter::<&RawValue>();
        match documents.next() {
            Some(Ok(document)) => {
                found += u32::from(one(file, text, document.get(), None, lines));
                at = start + documents.byte_offset().max(1);
            }
            _ if misses < MISSES => {
                misses += 1;
                at = start;
            }
            _ => break,
        }
    }
    file.lost(format!("begins in the middle of a list; {found} whole objects in it were read"));
    found > 0
}

/// The next line that begins a document.
fn next_start(text: &str, from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        let rest = text.get(at..)?;
        let lead = rest.len() - rest.trim_start_matches([' ', '\t', '\r', '\n']).len();
        let rest = rest.get(lead..)?;
        if rest.is_empty() {
            return None;
        }
        // `{ [5 bytes data]` of curl and a shell's `{ date; }` begin as objects do, and are none.
        let inner = rest.strip_prefix(['{', '[']).map(|r| r.trim_start().chars().next());
        if inner.is_some_and(|c| c.is_none_or(|c| matches!(c, '"' | '{' | '}' | '[' | ']') && !rest.starts_with("{ ["))) {
            return Some(at + lead);
        }
        at += lead + rest.find('\n')? + 1;
    }
}

fn offset_in(text: &str, part: &str) -> usize {
    (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize)
}

/// One document: a list, an array, or an object.
fn one(file: &mut File<'_>, text: &str, document: &str, list_kind: Option<&str>, lines: &mut Lines<'_>) -> bool {
    if lines.depth >= DEPTH {
        return false;
    }
    lines.depth += 1;
    let found = inner(file, text, document, list_kind, lines);
    lines.depth -= 1;
    found
}

fn inner(file: &mut File<'_>, text: &str, document: &str, list_kind: Option<&str>, lines: &mut Lines<'_>) -> bool {
    if document.trim_start().starts_with('[') {
        let start = lines.at(offset_in(text, document));
        if ip_rule::read_json(file, document, start) || ip_route::read_json(file, document, start) {
            return true;
        }
        let Ok(items) = serde_json::from_str::<Vec<&RawValue>>(document) else { return false };
        return items.iter().map(|item| one(file, text, item.get(), None, lines)).filter(|found| *found).count() > 0;
    }
    let Ok(head) = serde_json::from_str::<Head<'_>>(document) else { return false };
    if let Some(value) = head.value.filter(|v| v.get().starts_with('[')) {
        let start = lines.at(offset_in(text, value.get()));
        if let Ok(results) = serde_json::from_str::<Vec<RunCommand>>(value.get()) {
            return results.iter().filter(|r| transcript::run_command(file, &r.message, start)).count() > 0;
        }
        return false;
    }
    let kind = head.kind.as_deref().or(list_kind).map(str::to_owned);
    match head.items {
        Some(items) => {
            let of = kind.as_deref().and_then(|k| k.strip_suffix("List")).filter(|k| !k.is_empty()).map(str::to_owned);
            super::objects::collected(file, kind.as_deref());
            let mut found = of.is_some() || kind.is_some();
            // A list of one kind needs no look at each item's own.
            let uniform = of.as_deref().filter(|k| Item::is_read(k) || *k != "List");
            for item in items {
                found |= match uniform {
                    Some(kind) => object(file, text, item.get(), kind, lines),
                    None => one(file, text, item.get(), of.as_deref(), lines),
                };
            }
            found
        }
        None if kind.as_deref().is_some_and(|k| k.ends_with("List")) => {
            super::objects::collected(file, kind.as_deref());
            true
        }
        None => match kind.or_else(|| super::shape(document).map(str::to_owned)) {
            Some(kind) => object(file, text, document, &kind, lines),
            None => {
                let line = lines.at(offset_in(text, document));
                troubleshoot::read_json(file, document, line) || runtime_config::read_json(file, document, line) || policy_json::read_json(file, document, line)
            }
        },
    }
}

/// One object of a kind that is known.
fn object(file: &mut File<'_>, text: &str, document: &str, kind: &str, lines: &mut Lines<'_>) -> bool {
    // A reference to an object names its kind, too, and is none.
    if !Item::is_read(kind) || !document.contains("\"metadata\"") && kind != "Event" {
        return false;
    }
    if kind == "Event" && !super::may_concern_pulls(document) {
        file.facts.heard.event("");
        let stamp = document.split_once("\"lastTimestamp\"").and_then(|(_, rest)| crate::facts::time::stamp(rest.split('"').nth(1)?));
        file.facts.newest_stamp = file.facts.newest_stamp.max(stamp);
        file.facts.heard.reaches(file.id, stamp);
        return true;
    }
    let line = lines.at(offset_in(text, document));
    match Item::from_json(kind, document) {
        Ok(Some(item)) => {
            item.draft(file, document, line);
            true
        }
        Ok(None) => false,
        Err(e) => {
            super::objects::lost(file, kind, format!("the {kind} at line {line} cannot be read: {e}"));
            false
        }
    }
}

/// A list that was cut or damaged: every whole item in it is read, and the damage is told.
fn salvage(file: &mut File<'_>, text: &str, start: usize, lines: &mut Lines<'_>, why: &str) -> bool {
    let kind = text.get(start..).unwrap_or("").get(..2000.min(text.len() - start)).and_then(|head| {
        let (_, after) = head.split_once("\"kind\"")?;
        after.split('"').nth(1).and_then(|k| k.strip_suffix("List")).map(str::to_owned)
    });
    let mut found = 0;
    for object in whole_objects(text, start) {
        let line = lines.at(offset_in(text, object));
        let own = serde_json::from_str::<Head<'_>>(object).ok().and_then(|h| h.kind.map(|k| k.into_owned()));
        let of = own.or_else(|| kind.clone()).or_else(|| super::shape(object).map(str::to_owned));
        if let Some(Ok(Some(item))) = of.map(|k| Item::from_json(&k, object)) {
            item.draft(file, object, line);
            found += 1;
        }
    }
    let of_objects = ["\"kind\"", "\"items\"", "\"metadata\"", "\"involvedObject\"", "\"containerStatuses\""].iter().any(|w| text.contains(w));
    let says = format!("damaged ({why}); {found} whole objects in it were read");
    if found > 0 || of_objects {
        file.lost(says)
    } else {
        file.unread(says)
    }
    found > 0
}

/// The items of a list whose own brackets do not close: every object that closes at the second depth.
fn whole_objects(text: &str, start: usize) -> Vec<&str> {
    let mut out = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let (mut quoted, mut escaped) = (false, false);
    for (at, byte) in text.bytes().enumerate().skip(start) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b'{' | b'[' if !quoted => open.push(at),
            b'}' | b']' if !quoted => {
                if let Some(from) = open.pop()
                    && byte == b'}'
                    && open.len() <= 2
                    && let Some(object) = text.get(from..=at)
                {
                    out.push(object);
                }
            }
            _ => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_start_after_warnings() {
        assert_eq!(next_start("WARNING: x\n{}", 0), Some(11));
        assert_eq!(next_start("nothing", 0), None);
    }

    #[test]
    fn a_cut_list_gives_its_whole_items() {
        let text = r#"{"kind":"EventList","items":[{"a":{"b":1}},{"c":"}"},{"d":"#;
        assert_eq!(whole_objects(text, 0), [r#"{"a":{"b":1}}"#, r#"{"c":"}"}"#]);
    }
}
