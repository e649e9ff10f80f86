//! What does `kubectl describe pod` say? One pod or many, the table of events at the end of each.
//!
//! ```text
//! Name:         app-1
//! Node:         node-1/10.240.0.5
//! Events:
//!   Type     Reason  Age                From     Message
//!   ----     ------  ----               ----     -------
//!   Warning  Failed  15s (x4 over 85s)  kubelet  Failed to pull image "r.example/a:1": ...
//! ```

use super::File;
use crate::facts::{Event, Known, Pod, Waiting, When, time};
use crate::text;
use crate::text::wrap::Edge;

#[derive(Default)]
struct Draft {
    name: String,
    namespace: String,
    node: Option<String>,
    account: Option<String>,
    created: When,
    line: u32,
    images: Vec<String>,
    /// Image, reason and message of the container that is being read.
    container: Option<String>,
    image_id: bool,
    waiting: Vec<Waiting>,
    started: Vec<String>,
    in_events: bool,
    is_other: bool,
    events: Vec<(u32, String)>,
}

/// `15s (x4 over 85s)`: last, count, first.
pub(super) fn age(text: &str) -> (When, u64, When) {
    let text = text.trim();
    let (last, rest) = text.split_once(" (x").unwrap_or((text, ""));
    let (count, over) = rest.trim_end_matches(')').split_once(" over ").unwrap_or((rest.trim_end_matches(')'), last));
    let of = |t: &str| time::age(t).map(When::ago).unwrap_or_default();
    (of(last), count.parse().unwrap_or(1), of(over))
}

pub(super) fn read(file: &mut File<'_>, content: &str) {
    let mut draft = Draft::default();
    let edge = Edge::of(content);
    // Whether the terminal's edge cut the line before.
    let mut cut = false;
    for (number, raw) in text::numbered(content) {
        let line = raw.trim_end();
        if let Some(name) = line.strip_prefix("Name:") {
            close(file, std::mem::take(&mut draft));
            draft = Draft { name: name.trim().to_owned(), line: number, ..Draft::default() };
            continue;
        }
        if draft.in_events {
            event_line(&mut draft, number, line, cut);
        } else {
            head_line(file, &mut draft, number, line);
        }
        cut = edge.ends(raw);
        if let Some((_, last)) = draft.events.last_mut().filter(|_| draft.in_events) {
            last.push_str(edge.blanks(raw));
        }
    }
    close(file, draft);
}

fn head_line(file: &File<'_>, draft: &mut Draft, number: u32, line: &str) {
    let trimmed = line.trim_start();
    let Some((key, value)) = trimmed.split_once(':') else { return };
    let value = value.trim();
    match key {
        "Namespace" if draft.namespace.is_empty() => draft.namespace = value.to_owned(),
        "Node" if !line.starts_with(' ') => draft.node = Some(value.split('/').next().unwrap_or(value).to_owned()).filter(|n| !n.is_empty() && n != "<none>"),
        "Service Account" => draft.account = Some(value.to_owned()),
        // A node or a workload is described in the same form.
        "ProviderID" | "PodCIDR" | "Roles" | "Replicas" | "Pod Template" | "Selector" | "Completions" | "Pods Status" if !line.starts_with(' ') => {
            draft.is_other = true;
        }
        "Start Time" | "CreationTimestamp" => {
            // `Mon, 30 Nov 2026 19:49:18 +0000`
            draft.created = rfc2822(value).map(When::at).unwrap_or_default();
        }
        "Events" => draft.in_events = true,
        "Image" if line.starts_with(' ') => {
            draft.images.push(value.to_owned());
            draft.container = Some(value.to_owned());
            draft.image_id = false;
        }
        "Image ID" => draft.image_id = !value.is_empty() && value != "<none>",
        "State" => {
            if value != "Waiting"
                && draft.image_id
                && let Some(image) = &draft.container
            {
                draft.started.push(image.clone());
            }
        }
        "Reason" if crate::facts::objects::IMAGE_REASONS.contains(&value) => {
            let image = draft.container.clone().unwrap_or_default();
            draft.waiting.push(Waiting { image, reason: value.to_owned(), message: String::new(), source: file.source(number, line) });
        }
        _ => {}
    }
}

fn rfc2822(text: &str) -> Option<jiff::Timestamp> {
    let mut words = text.split_whitespace().skip_while(|w| w.ends_with(','));
    let (day, month, year, clock, zone) = (words.next()?, words.next()?, words.next()?, words.next()?, words.next()?);
    time::stamp(&format!("{year}-{:02}-{:0>2}T{clock}{zone}", time::month(month)?, day))
}

fn event_line(draft: &mut Draft, number: u32, line: &str, cut: bool) {
    let trimmed = line.trim_start();
    if (trimmed.starts_with("Type ") || trimmed.starts_with("FirstSeen")) && trimmed.contains("Reason")
        || trimmed.starts_with("---")
        || trimmed.is_empty()
        || trimmed.starts_with("<none>")
    {
        return;
    }
    let old = modern(trimmed);
    if old.is_some() || trimmed.starts_with("Normal ") || trimmed.starts_with("Warning ") {
        draft.events.push((number, old.unwrap_or_else(|| trimmed.to_owned())));
    } else if let Some((_, last)) = draft.events.last_mut() {
        if !cut {
            last.push('\n');
        }
        last.push_str(if cut { line } else { trimmed });
    }
}

/// A row as kubectl printed it before 1.6, with the columns in today's order.
///
/// `3m  5s  4  {kubelet node-1}  spec.containers{app}  Warning  Failed  Failed to pull image ...`
pub(super) fn modern(line: &str) -> Option<String> {
    fn word(text: &str) -> Option<(&str, &str)> {
        let text = text.trim_start();
        Some(text.split_at(text.find(char::is_whitespace)?))
    }
    let (first, rest) = word(line)?;
    let (last, rest) = word(rest)?;
    let (count, rest) = word(rest)?;
    time::age(first)?;
    time::age(last)?;
    let count: u64 = count.parse().ok()?;
    let rest = rest.trim_start();
    let (from, mut rest) = match rest.strip_prefix('{') {
        Some(inner) => inner.split_once('}')?,
        None => rest.split_at(rest.find("  ").or_else(|| rest.find('\t'))?),
    };
    let from = from.replace(',', " ").split_whitespace().collect::<Vec<_>>().join(", ");
    // The container's path may stand between.
    for _ in 0..2 {
        let (kind, behind) = word(rest)?;
        if matches!(kind, "Normal" | "Warning") {
            let (reason, message) = word(behind)?;
            return Some(format!("{kind}  {reason}  {last} (x{count} over {first})  {from}  {}", message.trim_start()));
        }
        rest = behind;
    }
    None
}

/// Type, reason, age, source and message of a row. Columns are two blanks apart, or one where a page squeezed them.
pub(super) fn columns(row: &str) -> Option<(String, String, String, String)> {
    let (_, rest) = row.split_once(' ')?;
    let (reason, rest) = rest.trim_start().split_once(' ')?;
    let rest = rest.trim_start();
    let (age, rest) = match rest.split_once(" (x") {
        Some((last, after)) if !last.contains(' ') => {
            let (over, rest) = after.split_once(')')?;
            (format!("{last} (x{over})"), rest)
        }
        _ => {
            let (age, rest) = rest.split_once(' ')?;
            (age.to_owned(), rest)
        }
    };
    let rest = rest.trim_start();
    // `kubelet, node-1` names the node behind a comma.
    let end = match rest.split_once("  ") {
        Some((from, _)) if !from.contains(": ") => from.len(),
        _ => {
            let first = rest.find(' ')?;
            if rest.get(..first)?.ends_with(',') { first + 1 + rest.get(first + 1..)?.find(' ')? } else { first }
        }
    };
    let (from, message) = rest.split_at_checked(end)?;
    Some((reason.to_owned(), age, from.trim().to_owned(), message.trim().to_owned()))
}

fn close(file: &mut File<'_>, draft: Draft) {
    if draft.name.is_empty() || draft.is_other {
        return;
    }
    let had_events = !draft.events.is_empty();
    for (line, row) in &draft.events {
        let Some((reason, seen, from, message)) = columns(row) else { continue };
        if !super::kube_concerns(&reason, &message) {
            continue;
        }
        let (last, count, first) = age(&seen);
        let named = from.split_once(", ").map(|(_, node)| node.to_owned());
        let message = message.strip_prefix("spec.").and_then(|m| m.split_once("}: ")).map_or(message.clone(), |(_, m)| m.to_owned());
        let source = file.source(*line, &message);
        file.facts.events.push(Event {
            namespace: draft.namespace.clone(),
            kind: "Pod".into(),
            name: draft.name.clone(),
            reason,
            message,
            node: named.or_else(|| draft.node.clone()),
            count,
            first,
            last,
            created: When::default(),
            uid: None,
            source,
        });
    }
    file.take("pods");
    file.facts.heard.pod(&draft.namespace);
    if had_events {
        file.facts.heard.event(&draft.namespace);
        file.take("events");
    }
    let source = file.source(draft.line, &format!("pod {}", draft.name));
    file.facts.pods.push(Pod {
        namespace: draft.namespace,
        name: draft.name,
        node: draft.node,
        images: draft.images.into_iter().map(|i| (i, None)).collect(),
        // `describe pod` does not show them.
        pull_secrets: Known::NotCollected("pods"),
        account: draft.account,
        waiting: draft.waiting,
        started: draft.started,
        created: draft.created,
        source,
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_old_new_and_squeezed_tables() {
        let (reason, age, from, message) = columns("Warning  Failed  15s (x4 over 85s)  kubelet  Failed to pull image \"a\": x").unwrap();
        assert_eq!(
            (reason.as_str(), age.as_str(), from.as_str(), message.as_str()),
            ("Failed", "15s (x4 over 85s)", "kubelet", "Failed to pull image \"a\": x")
        );
        let (_, _, from, _) = columns("Warning  Failed  5m  kubelet, aks-1  Error: ErrImagePull").unwrap();
        assert_eq!(from, "kubelet, aks-1");
        let (_, _, from, message) = columns("Warning Failed 5m kubelet Failed to pull image \"a\"").unwrap();
        assert_eq!((from.as_str(), message.as_str()), ("kubelet", "Failed to pull image \"a\""));
    }

    #[test]
    fn rows_of_kubectl_before_1_6() {
        let row = modern("3m\t\t5s\t\t4\t{kubelet node-1}\tspec.containers{app}\tWarning\t\tFailed\t\tFailed to pull image \"a\": x").unwrap();
        assert_eq!(row, "Warning  Failed  5s (x4 over 3m)  kubelet, node-1  Failed to pull image \"a\": x");
        let row = modern("3m  5s  4  {default-scheduler }    Normal  Scheduled  Successfully assigned a to b").unwrap();
        assert_eq!(row, "Normal  Scheduled  5s (x4 over 3m)  default-scheduler  Successfully assigned a to b");
        assert!(modern("3m of 5s and 4 Normal words").is_none());
    }

    #[test]
    fn ages_hold_counts() {
        let (last, count, first) = age("15s (x4 over 85s)");
        assert_eq!((last.ago, count, first.ago), (Some(15), 4, Some(85)));
    }
}
