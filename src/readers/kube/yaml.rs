//! Which objects does a YAML file hold? Cut at its item lines, so that one broken item costs only itself.
//!
//! ```yaml
//! apiVersion: v1
//! items:
//! - kind: Pod
//!   metadata: {name: app-1}
//! kind: List
//! ```

use super::Item;
use crate::readers::File;

pub(in crate::readers) fn read(file: &mut File<'_>, text: &str) {
    for (line, document) in documents(text) {
        one(file, line, document);
    }
}

/// The documents of a stream, each with its first line.
fn documents(text: &str) -> Vec<(u32, &str)> {
    let mut out = Vec::new();
    let (mut from, mut first, mut at) = (0, 1, 0);
    for (number, line) in (1u32..).zip(text.split_inclusive('\n')) {
        if line.trim_end() == "---" || line.starts_with("--- ") {
            out.push((first, text.get(from..at).unwrap_or("")));
            (from, first) = (at + line.len(), number + 1);
        }
        at += line.len();
    }
    out.push((first, text.get(from..).unwrap_or("")));
    out.retain(|(_, document)| !document.trim().is_empty());
    out
}

fn one(file: &mut File<'_>, first: u32, document: &str) {
    let kind = top_level(document, "kind:");
    let items = items(document);
    let lists = kind.as_deref().is_none_or(|k| k.ends_with("List"));
    let cut = match document.lines().any(|l| l.starts_with("items:")) {
        false if lists && !items.is_empty() && first == 1 && (kind.is_some() || !document.trim_start().starts_with("- ")) => "begins in the middle of a list",
        // The names of a list's fields are sorted: `kind` and `metadata` stand behind the items.
        true if kind.is_none() => "ends in the middle of its list",
        _ => "",
    };
    if !cut.is_empty() && items.iter().any(|(_, item)| super::shape(item).is_some()) {
        file.lost(format!("{cut}; {} objects in it were read", items.len()));
    }
    if items.is_empty() {
        if let Some(kind) = kind {
            if kind.ends_with("List") {
                super::objects::collected(file, Some(&kind));
            } else {
                object(file, first, document, Some(&kind));
            }
        }
        return;
    }
    super::objects::collected(file, kind.as_deref());
    let of = kind.as_deref().and_then(|k| k.strip_suffix("List")).filter(|k| !k.is_empty());
    for (line, item) in items {
        object(file, first + line - 1, &item, of);
    }
}

fn top_level(document: &str, key: &str) -> Option<String> {
    document.lines().find_map(|l| l.strip_prefix(key)).map(|v| v.trim().trim_matches(['"', '\'']).to_owned())
}

/// The items of the top-level list, each dedented into a document of its own, with the line on which it begins.
fn items(document: &str) -> Vec<(u32, String)> {
    let mut out: Vec<(u32, String)> = Vec::new();
    let mut indent: Option<usize> = None;
    // Where a cut took the head, the list begins with its first item at the outermost depth.
    let of_list = top_level(document, "kind:").is_none_or(|k| k.ends_with("List"));
    let headless = of_list && !document.lines().any(|l| l.starts_with("items:")) && document.lines().any(|l| l.starts_with("- ") && l.contains(':'));
    let mut inside = document.trim_start().starts_with("- ") || headless;
    for (number, line) in (1u32..).zip(document.lines()) {
        if line.starts_with("items:") {
            inside = true;
            continue;
        }
        if !inside {
            continue;
        }
        let depth = line.len() - line.trim_start_matches(' ').len();
        let dash = line.get(depth..).is_some_and(|l| l.starts_with("- ") || l == "-");
        if dash && indent.is_none_or(|i| i == depth) {
            indent = Some(depth);
            out.push((number, format!("{}\n", line.get(depth + 1..).map_or(String::new(), |rest| format!(" {rest}")))));
            continue;
        }
        match indent {
            Some(i) if depth > i || line.trim().is_empty() => {
                if let Some((_, item)) = out.last_mut() {
                    item.push_str(line.get(i..).unwrap_or(""));
                    item.push('\n');
                }
            }
            Some(_) => inside = false,
            None => {}
        }
    }
    out
}

fn object(file: &mut File<'_>, line: u32, text: &str, kind: Option<&str>) {
    let own = own_kind(text);
    let Some(kind) = own.as_deref().or(kind).or_else(|| super::shape(text)) else { return };
    // Most objects of a dump concern no pull, and a general YAML parse costs far more than a look.
    if !Item::is_read(kind) || (kind == "Event" && !worth_reading(file, text)) {
        return;
    }
    let pruned = without_managed_fields(text);
    // kubectl, must-gather and az never write aliases; a stranger's could unfold without end.
    if pruned.lines().any(|l| l.split_once(": ").is_some_and(|(_, v)| v.starts_with('*')) || l.trim_start().starts_with("- *")) {
        super::objects::lost(file, kind, format!("the object at line {line} uses YAML aliases, which are not unfolded"));
        return;
    }
    match Item::from_yaml(kind, &pruned) {
        Ok(Some(item)) => item.draft(file, text, line),
        Ok(None) => {}
        Err(e) => super::objects::lost(file, kind, format!("the {kind} at line {line} cannot be read: {e}")),
    }
}

/// The `kind:` of the object itself: the one that is indented least.
fn own_kind(text: &str) -> Option<String> {
    let depth = text.lines().filter(|l| !l.trim().is_empty()).map(|l| l.len() - l.trim_start().len()).min()?;
    let at_top = |l: &&str| l.len() - l.trim_start().len() == depth;
    let value = text.lines().filter(at_top).find_map(|l| l.trim_start().strip_prefix("kind:"))?;
    Some(value.trim().trim_matches(['"', '\'']).to_owned())
}

/// An event that concerns no pull tells only the time.
fn worth_reading(file: &mut File<'_>, text: &str) -> bool {
    if super::may_concern_pulls(text) {
        return true;
    }
    file.facts.heard.event("");
    let stamp = text.lines().find_map(|l| l.trim_start().strip_prefix("lastTimestamp:")).and_then(|v| crate::facts::time::stamp(v.trim().trim_matches('"')));
    file.facts.newest_stamp = file.facts.newest_stamp.max(stamp);
    file.facts.heard.reaches(file.id, stamp);
    false
}

/// `managedFields` is often more than half of an object, and says nothing of it.
fn without_managed_fields(text: &str) -> std::borrow::Cow<'_, str> {
    if !text.contains("managedFields:") {
        return text.into();
    }
    let mut out = String::with_capacity(text.len());
    let mut skipping: Option<usize> = None;
    for line in text.split_inclusive('\n') {
        let depth = line.len() - line.trim_start_matches(' ').len();
        if let Some(own) = skipping {
            if depth > own || (depth == own && line.trim_start().starts_with('-')) || line.trim().is_empty() {
                continue;
            }
            skipping = None;
        }
        if line.trim() == "managedFields:" {
            skipping = Some(depth);
        } else {
            out.push_str(line);
        }
    }
    out.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_cut_at_their_own_depth() {
        let text = "apiVersion: v1\nitems:\n- a: 1\n  b:\n  - x\n- a: 2\nkind: List\n";
        let cut = items(text);
        assert_eq!(cut.iter().map(|(l, _)| *l).collect::<Vec<_>>(), [3, 6]);
        assert_eq!(cut[0].1, "  a: 1\n  b:\n  - x\n");
    }

    #[test]
    fn documents_know_their_lines() {
        assert_eq!(documents("---\na: 1\n---\nb: 2\n"), [(2, "a: 1\n"), (4, "b: 2\n")]);
    }
}
