//! What do the events say that Log Analytics kept? Rows of its table KubeEvents, as the portal saves them.
//!
//! ```text
//! TimeGenerated [UTC],Namespace,Name,ObjectKind,Reason,Message,SourceComponent,Computer
//! "11/30/2026, 9:12:04.000 AM",shop,app-1,Pod,Failed,"Failed to pull image ""r.example/a:1"": ...",kubelet,node-1
//! ```

use std::collections::BTreeMap;

use super::File;
use crate::facts::{Event, When, time};
use crate::text;

pub(super) fn is_kube_events(lines: &[&str]) -> bool {
    lines.iter().find(|l| !l.trim().is_empty()).is_some_and(|l| header(l).is_some())
}

/// The names of the columns, without the zone behind a time's.
fn header(line: &str) -> Option<Vec<String>> {
    let (_, names) = records(line.trim_start_matches('\u{feff}')).into_iter().next()?;
    let names: Vec<String> = names.iter().map(|n| n.trim().split(' ').next().unwrap_or("").to_lowercase()).collect();
    let has = |name: &str| names.iter().any(|n| n == name);
    (has("reason") && has("message") && has("name") && (has("objectkind") || has("timegenerated"))).then_some(names)
}

/// The rows of a table with the lines at which they begin. A quoted cell may hold commas, doubled quotes and line ends.
fn records(content: &str) -> Vec<(u32, Vec<String>)> {
    let mut out = Vec::new();
    let (mut row, mut cell, mut quoted) = (Vec::new(), String::new(), false);
    let (mut line, mut first) = (1u32, 1u32);
    let mut chars = content.chars().peekable();
    while let Some(c) = chars.next() {
        line += u32::from(c == '\n');
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                cell.push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => row.push(std::mem::take(&mut cell)),
            '\r' if !quoted => {}
            '\n' if !quoted => {
                row.push(std::mem::take(&mut cell));
                out.push((first, std::mem::take(&mut row)));
                first = line;
            }
            _ => cell.push(c),
        }
    }
    if !(cell.is_empty() && row.is_empty()) {
        row.push(cell);
        out.push((first, row));
    }
    out
}

/// A row as `az monitor log-analytics query` prints it.
#[derive(serde::Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Row {
    reason: String,
    message: String,
    #[serde(flatten)]
    more: BTreeMap<String, serde_json::Value>,
}

/// The same rows as a JSON list; false where it is another.
pub(super) fn read_json(file: &mut File<'_>, content: &str) -> bool {
    if !["\"ObjectKind\"", "\"Reason\"", "\"Message\""].iter().all(|k| content.contains(k)) {
        return false;
    }
    let Ok(rows) = serde_json::from_str::<Vec<Row>>(content) else { return false };
    let lines = content.match_indices("\"Message\"").map(|(at, _)| text::line_of(content, at));
    for (row, line) in rows.iter().zip(lines) {
        let get = |name: &str| match name {
            "reason" => row.reason.as_str(),
            "message" => row.message.as_str(),
            _ => row.more.iter().find(|(k, _)| k.eq_ignore_ascii_case(name)).and_then(|(_, v)| v.as_str()).unwrap_or(""),
        };
        event(file, line, &get);
    }
    true
}

/// `11/30/2026, 9:12:04.000 AM`, month first as the portal writes it; any other form by the usual ways.
fn stamp(text: &str) -> Option<jiff::Timestamp> {
    let Some((day, clock)) = text.split_once(", ") else { return time::stamp(text) };
    let mut parts = day.split('/');
    let (month, day, year): (u8, u8, u16) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    let (clock, half) = clock.split_once(' ').unwrap_or((clock, ""));
    let (hour, rest) = clock.split_once(':')?;
    let hour: u8 = hour.parse().ok()?;
    let hour = match half {
        "AM" => hour % 12,
        "PM" => hour % 12 + 12,
        _ => hour,
    };
    time::stamp(&format!("{year:04}-{month:02}-{day:02}T{hour:02}:{rest}Z"))
}

pub(super) fn read(file: &mut File<'_>, content: &str) {
    let mut names: Vec<String> = Vec::new();
    for (line, row) in records(content) {
        if names.is_empty() {
            names = header(&row.join(",")).unwrap_or_default();
            continue;
        }
        let get = |name: &str| names.iter().position(|n| n == name).and_then(|i| row.get(i)).map(String::as_str).unwrap_or("");
        event(file, line, &get);
    }
}

fn event<'r>(file: &mut File<'_>, line: u32, get: &dyn Fn(&str) -> &'r str) {
    let (reason, message) = (get("reason"), get("message"));
    if reason.is_empty() {
        return;
    }
    file.take("events");
    file.facts.heard.event(get("namespace"));
    if !super::kube_concerns(reason, message) {
        return;
    }
    let at = |name: &str| stamp(get(name));
    let last = at("lastseen").or_else(|| at("timegenerated"));
    let when = |t: Option<jiff::Timestamp>| t.map(When::at).unwrap_or_default();
    file.facts.newest_stamp = file.facts.newest_stamp.max(last);
    let source = file.source(line, message);
    let kind = get("objectkind");
    file.facts.events.push(Event {
        namespace: get("namespace").to_owned(),
        kind: if kind.is_empty() { "Pod".into() } else { kind.to_owned() },
        name: get("name").to_owned(),
        reason: reason.to_owned(),
        message: message.to_owned(),
        // What the kubelet says happened on its own machine.
        node: Some(get("computer")).filter(|n| !n.is_empty() && matches!(get("sourcecomponent"), "kubelet" | "")).map(str::to_owned),
        count: get("count").parse().unwrap_or(1),
        first: when(at("firstseen").or(last)),
        last: when(last),
        created: When::default(),
        uid: None,
        source,
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_hold_quotes_and_line_ends() {
        let rows = records("a,\"b \"\"c\"\", d\",e\n1,\"x\ny\",2\nlast,,");
        assert_eq!(rows[0], (1, vec!["a".into(), "b \"c\", d".into(), "e".into()]));
        assert_eq!(rows[1], (2, vec!["1".into(), "x\ny".into(), "2".into()]));
        assert_eq!(rows[2].0, 4);
    }

    #[test]
    fn the_portals_time() {
        assert_eq!(stamp("11/30/2026, 9:12:04.000 PM"), time::stamp("2026-11-30T21:12:04Z"));
        assert_eq!(stamp("2026-11-30T21:12:04Z"), time::stamp("2026-11-30T21:12:04Z"));
    }

    #[test]
    fn the_header_tells() {
        assert!(is_kube_events(&["\u{feff}TimeGenerated [UTC],Namespace,Name,ObjectKind,Reason,Message"]));
        assert!(!is_kube_events(&["TimeGenerated [UTC],SourceIp,DestinationIp,Action"]));
    }
}
