//! What does a row of `kubectl get` say where no header stands over it? `--no-headers`, `grep` and copying take it off.
//!
//! ```text
//! shop   85s (x4 over 3m)   Warning   Failed   pod/app-1   Failed to pull image "r.example/a:1": ...
//! shop   app-1              0/1       ImagePullBackOff     0   3m
//! ```

use crate::facts::time;

/// The cells of a row of events, by the names of their columns.
pub(super) struct EventRow<'t> {
    pub(super) namespace: &'t str,
    pub(super) seen: String,
    pub(super) reason: &'t str,
    pub(super) object: &'t str,
    pub(super) source: &'t str,
    pub(super) message: String,
}

/// The cells of a row of pods.
pub(super) struct PodRow<'t> {
    pub(super) namespace: &'t str,
    pub(super) name: &'t str,
    pub(super) status: &'t str,
    pub(super) age: &'t str,
    pub(super) node: &'t str,
}

/// The words of a row, each with what stands behind it.
fn words(line: &str) -> Vec<(&str, &str)> {
    let mut out = Vec::new();
    let mut rest = line.trim_start();
    while !rest.is_empty() {
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let (word, behind) = rest.split_at_checked(end).unwrap_or((rest, ""));
        out.push((word, behind));
        rest = behind.trim_start();
    }
    out
}

pub(super) fn event(line: &str) -> Option<EventRow<'_>> {
    let words = words(line);
    let at = words.iter().take(7).position(|(w, _)| matches!(*w, "Normal" | "Warning"))?;
    let word = |i: usize| words.get(i).map(|(w, _)| *w);
    // `85s`, or `85s (x4 over 3m)`.
    let counted = at >= 4 && word(at - 1).is_some_and(|w| w.ends_with(')')) && word(at - 3).is_some_and(|w| w.starts_with("(x"));
    let first = if counted { at - 4 } else { at.checked_sub(1)? };
    let age = word(first)?;
    if first > 1 || !(time::age(age).is_some() || age == "<unknown>") {
        return None;
    }
    let seen = words.get(first..at)?.iter().map(|(w, _)| *w).collect::<Vec<_>>().join(" ");
    let (object, behind) = *words.get(at + 2)?;
    let (kind, name) = object.split_once('/')?;
    if kind.is_empty() || name.is_empty() || !kind.chars().all(|c| c.is_ascii_alphanumeric() || c == '.') {
        return None;
    }
    let (source, message) = wide(behind.trim()).unwrap_or(("", behind.trim().to_owned()));
    Some(EventRow { namespace: if first == 1 { word(0)? } else { "" }, seen, reason: word(at + 1)?, object, source, message })
}

/// `-o wide` puts a field and the source before the message, and first seen, count and the event's name behind it.
fn wide(rest: &str) -> Option<(&str, String)> {
    let cells: Vec<&str> = rest.split("  ").map(str::trim).filter(|c| !c.is_empty()).collect();
    let [.., first, count, name] = cells.as_slice() else { return None };
    if time::age(first).is_none() || count.parse::<u64>().is_err() || !name.contains('.') || name.contains(' ') {
        return None;
    }
    let field = usize::from(cells.first().is_some_and(|c| c.contains('{') && !c.contains(' ')));
    let source = cells.get(field)?;
    Some((source, cells.get(field + 1..cells.len() - 3)?.join("  ")))
}

pub(super) fn pod(line: &str) -> Option<PodRow<'_>> {
    let words = words(line);
    let at = words.iter().take(3).position(|(w, _)| is_ready(w)).filter(|at| *at > 0)?;
    let word = |i: usize| words.get(i).map(|(w, _)| *w);
    let status = word(at + 1)?;
    if !status.starts_with(|c: char| c.is_ascii_uppercase()) && !status.starts_with("Init:") {
        return None;
    }
    word(at + 2)?.parse::<u64>().ok()?;
    // `5 (3m ago)` counts the time of the last restart.
    let restarted = word(at + 3).is_some_and(|w| w.starts_with('('));
    let age = at + if restarted { 5 } else { 3 };
    time::age(word(age)?)?;
    let node = word(age + 2).filter(|n| *n != "<none>" && word(age + 1).is_some_and(|ip| ip == "<none>" || ip.contains(['.', ':']))).unwrap_or("");
    Some(PodRow { namespace: if at == 2 { word(0)? } else { "" }, name: word(at - 1)?, status, age: word(age)?, node })
}

/// `0/1`
fn is_ready(word: &str) -> bool {
    word.split_once('/').is_some_and(|(a, b)| a.parse::<u16>().is_ok() && b.parse::<u16>().is_ok())
}

/// Whether most lines are such rows.
pub(super) fn are_rows(lines: &[&str]) -> bool {
    let said: Vec<&str> = lines.iter().copied().filter(|l| !l.trim().is_empty()).collect();
    let rows = said.iter().filter(|l| event(l).is_some() || pod(l).is_some()).count();
    rows > 0 && rows * 2 > said.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_events() {
        let row = event(r#"85s         Warning   Failed    pod/app-1      Failed to pull image "r.example/a:1": x"#).unwrap();
        assert_eq!((row.namespace, row.seen.as_str(), row.reason, row.object), ("", "85s", "Failed", "pod/app-1"));
        assert!(row.message.starts_with("Failed to pull image"));
        let row = event("shop  85s (x4 over 3m)  Normal  Pulled  pod/app-1  Container image already present").unwrap();
        assert_eq!((row.namespace, row.seen.as_str()), ("shop", "85s (x4 over 3m)"));
        let row = event("5m  Normal  Pulling  pod/a-1  spec.containers{c}  kubelet, node-1  Pulling image \"r/a:1\"  5m  1  a-1.17f0").unwrap();
        assert_eq!((row.source, row.message.as_str()), ("kubelet, node-1", "Pulling image \"r/a:1\""));
        assert!(event("A Warning from the editor: nothing/else matters").is_none());
        assert!(event("It was 5m Normal people say and/or").is_none());
    }

    #[test]
    fn rows_of_pods() {
        let row = pod("shop   app-1   0/1   ImagePullBackOff   0   3m   10.1.0.4   node-1   <none>   <none>").unwrap();
        assert_eq!((row.namespace, row.name, row.status, row.age, row.node), ("shop", "app-1", "ImagePullBackOff", "3m", "node-1"));
        let row = pod("app-1   1/1   Running   5 (3m ago)   41d").unwrap();
        assert_eq!((row.namespace, row.name, row.age, row.node), ("", "app-1", "41d", ""));
        assert!(pod("see 1/2 of the report").is_none());
        assert!(pod("10/12 Monday 3 5m").is_none());
    }
}
