//! What do the events of a pod say where the pod's description is left out? People paste the table's rows alone, or a hub's
//! own log of them.
//!
//! ```text
//! Events:
//!   Type     Reason  Age                From     Message
//!   Warning  Failed  15s (x4 over 85s)  kubelet  Failed to pull image "r.example/a:1": ...
//! 2026-11-30T08:00:00Z [Warning] Failed to pull image "r.example/a:1": ...
//! ```

use super::{File, describe_pod, pasted};
use crate::facts::{Event, When, time};
use crate::text;
use crate::text::wrap::Edge;

/// A row, and what a terminal wrapped below it.
struct Row {
    line: u32,
    reason: String,
    last: When,
    count: u64,
    first: When,
    node: Option<String>,
    message: String,
}

/// What stands below one heading: the events of one pod.
#[derive(Default)]
struct Section {
    rows: Vec<Row>,
    headed: bool,
}

pub(super) fn are_event_lines(lines: &[&str]) -> bool {
    lines.iter().any(|l| row(0, l).is_some())
}

pub(super) fn read(file: &mut File<'_>, content: &str) {
    if pasted::is_guide(file.path, content) {
        return;
    }
    let edge = Edge::of(content);
    let mut sections = vec![Section::default()];
    let mut rest = String::new();
    // Whether the line before may go on, and whether it ended at the terminal's edge.
    let mut open: Option<bool> = None;
    for (number, line) in text::numbered(content) {
        let is_heading = heads(line);
        if is_heading && sections.last().is_none_or(|s| !s.rows.is_empty()) {
            sections.push(Section::default());
        }
        let Some(section) = sections.last_mut() else { continue };
        section.headed |= is_heading;
        if let Some(mut row) = row(number, line) {
            row.message.push_str(edge.blanks(line));
            section.rows.push(row);
            open = Some(edge.ends(line));
        } else if let Some(last) = section.rows.last_mut().filter(|r| open.is_some() && !is_heading && goes_on(r, line)) {
            if open != Some(true) {
                last.message.push('\n');
            }
            last.message.push_str(if open == Some(true) { line.trim_end() } else { line.trim() });
            last.message.push_str(edge.blanks(line));
            open = Some(edge.ends(line));
        } else {
            open = None;
            rest.push_str(if is_heading { "" } else { line });
        }
        rest.push('\n');
    }
    sections.into_iter().for_each(|s| events(file, s));
    if pasted::speaks_of_a_pull(&rest) {
        pasted::read(file, &rest);
    }
}

/// `Events:`, and the names and strokes over the columns.
fn heads(line: &str) -> bool {
    let line = line.trim();
    line == "Events:" || (line.contains("Reason") && (line.starts_with("Type ") || line.starts_with("FirstSeen"))) || line.starts_with("----")
}

/// Whether a line goes on with what the row before says. A sentence that is whole is not continued.
fn goes_on(row: &Row, line: &str) -> bool {
    let whole = match row.reason.as_str() {
        "Pulling" | "Pulled" | "BackOff" | "Scheduled" | "Created" | "Started" | "Killing" => row.message.matches('"').count().is_multiple_of(2),
        _ => row.message.starts_with("Error: "),
    };
    !(whole || line.trim().is_empty() || line.trim_start().starts_with("```"))
}

fn row(number: u32, line: &str) -> Option<Row> {
    let line = line.trim();
    if let Some(old) = describe_pod::modern(line) {
        return of_table(number, &old);
    }
    if line.starts_with("Normal") || line.starts_with("Warning") { of_table(number, &line.replace('\t', "  ")) } else { stamped(number, line) }
}

fn of_table(number: u32, line: &str) -> Option<Row> {
    let (reason, seen, from, message) = describe_pod::columns(line)?;
    let is_reason = reason.starts_with(|c: char| c.is_ascii_uppercase()) && reason.len() > 3 && reason.bytes().all(|b| b.is_ascii_alphanumeric());
    let age = seen.split(" (x").next().unwrap_or(&seen);
    if !is_reason || !(time::age(age).is_some() || age.starts_with('<')) {
        return None;
    }
    // Without a source, the sentence begins where it would stand.
    let (from, message) = if from.starts_with(|c: char| c.is_ascii_uppercase()) { (String::new(), format!("{from} {message}")) } else { (from, message) };
    let (last, count, first) = describe_pod::age(&seen);
    let node = from.split_once(", ").map(|(_, node)| node.to_owned());
    Some(Row { line: number, reason, last, count, first, node, message })
}

/// `2026-11-30T08:00:00Z [Warning] Failed to pull image ...`
fn stamped(number: u32, line: &str) -> Option<Row> {
    let (stamp, rest) = line.split_once(' ')?;
    let message = rest.strip_prefix("[Normal] ").or_else(|| rest.strip_prefix("[Warning] "))?;
    let last = When::at(time::stamp(stamp)?);
    Some(Row { line: number, reason: reason_of(message).to_owned(), last, count: 1, first: last, node: None, message: message.to_owned() })
}

/// The reason under which the kubelet says the sentence.
fn reason_of(message: &str) -> &'static str {
    match message {
        _ if message.starts_with("Successfully assigned ") => "Scheduled",
        _ if message.starts_with("Pulling image ") => "Pulling",
        _ if message.starts_with("Successfully pulled image ") || message.contains("already present on machine") => "Pulled",
        _ if message.starts_with("Back-off pulling image ") => "BackOff",
        _ if message.starts_with("Failed to pull image ") || message.starts_with("Error: ") => "Failed",
        _ => "",
    }
}

/// `Successfully assigned shop/app-1 to node-1`: namespace, name and node.
fn assigned(row: &Row) -> Option<(String, String, String)> {
    let (pod, node) = row.message.strip_prefix("Successfully assigned ")?.split_once(" to ")?;
    let (namespace, name) = pod.split_once('/').unwrap_or(("", pod));
    Some((namespace.to_owned(), name.to_owned(), node.trim().to_owned()))
}

/// The scheduler's event names the pod and its node; where none or several are named, the pod has no name.
fn events(file: &mut File<'_>, section: Section) {
    let mut named: Vec<_> = section.rows.iter().filter_map(assigned).collect();
    named.dedup();
    let (namespace, name, node) = match named.as_slice() {
        [(namespace, name, node)] => (namespace.clone(), name.clone(), Some(node.clone())),
        _ => Default::default(),
    };
    // Rows that somebody picked vouch for nothing that they do not say.
    let tells = |r: &Row| super::kube_concerns(&r.reason, &r.message);
    if section.headed && !section.rows.is_empty() || section.rows.iter().any(|r| r.reason != "Scheduled" && tells(r)) {
        file.facts.heard.event(&namespace);
        file.take("events");
    }
    for row in section.rows.into_iter().filter(tells) {
        let source = file.source(row.line, &row.message);
        file.facts.newest_stamp = file.facts.newest_stamp.max(row.last.at);
        file.facts.events.push(Event {
            namespace: namespace.clone(),
            kind: "Pod".into(),
            name: name.clone(),
            reason: row.reason,
            message: row.message,
            node: row.node.or_else(|| node.clone()),
            count: row.count,
            first: row.first,
            last: row.last,
            created: When::default(),
            uid: None,
            source,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_a_table_and_of_a_hub() {
        let r = row(1, "  Warning  Failed  15s (x4 over 85s)  kubelet  Failed to pull image \"a\": x").unwrap();
        assert_eq!((r.reason.as_str(), r.count, r.message.as_str()), ("Failed", 4, "Failed to pull image \"a\": x"));
        let r = row(1, "Warning\tFailed\t5m\tkubelet, node-1\tFailed to pull image \"a\": x").unwrap();
        assert_eq!((r.node.as_deref(), r.message.as_str()), (Some("node-1"), "Failed to pull image \"a\": x"));
        let r = row(1, "2026-11-30T08:00:00Z [Normal] Pulling image \"a\"").unwrap();
        assert_eq!(r.reason, "Pulling");
    }

    #[test]
    fn prose_is_no_row() {
        for line in ["Normal people wait 5m for it", "Warning: 5m to go", "Warning Failed again after five minutes", "Normal  x  5m  y  z"] {
            assert!(row(1, line).is_none(), "{line}");
        }
    }
}
