//! What do the tables of `kubectl get` say? Columns are cut at the header's offsets, since cells hold blanks.
//!
//! ```text
//! LAST SEEN   TYPE      REASON    OBJECT         MESSAGE
//! 85s         Warning   Failed    pod/app-1      Failed to pull image "r.example/a:1": ...
//! ```

use super::{File, rows};
use crate::facts::{Condition, Event, Known, Node, Pod, Waiting, When, time};
use crate::text;

pub(super) fn is_header(line: &str) -> bool {
    kind_of(line).is_some()
}

/// What a table lists.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Listed {
    Events,
    Pods,
    Nodes,
    Secrets,
    Services,
}

fn kind_of(header: &str) -> Option<Listed> {
    match header {
        _ if is_events(header) => Some(Listed::Events),
        _ if is_pods(header) => Some(Listed::Pods),
        _ if header.starts_with("NAME ") && header.contains(" STATUS") && header.contains(" ROLES") && header.contains(" VERSION") => Some(Listed::Nodes),
        _ if header.contains("NAME ") && header.contains(" CLUSTER-IP ") && header.contains(" PORT(S)") => Some(Listed::Services),
        _ if is_secrets(header) => Some(Listed::Secrets),
        _ => None,
    }
}

fn is_secrets(header: &str) -> bool {
    let words: Vec<&str> = header.split_whitespace().collect();
    words.ends_with(&["NAME", "TYPE", "DATA", "AGE"]) && words.len() <= 5
}

fn is_events(line: &str) -> bool {
    line.contains("REASON") && line.contains("MESSAGE") && (line.contains("LAST SEEN") || line.contains("LASTSEEN"))
}

fn is_pods(line: &str) -> bool {
    line.contains("NAME ") && line.contains("READY") && line.contains("STATUS") && line.contains("RESTARTS")
}

/// The columns of a header: name and offset in characters.
fn columns(header: &str) -> Vec<(String, usize)> {
    let chars: Vec<char> = header.chars().collect();
    let mut out: Vec<(String, usize)> = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        if chars.get(at).is_some_and(|c| *c != ' ') {
            let start = at;
            while at < chars.len() && !(chars.get(at) == Some(&' ') && chars.get(at + 1).is_none_or(|c| *c == ' ')) {
                at += 1;
            }
            out.push((chars.get(start..at).unwrap_or_default().iter().collect(), start));
        }
        at += 1;
    }
    // Short tables keep only one blank between columns.
    if out.len() < 3 {
        return Vec::new();
    }
    out
}

/// The cells of a row by column; the last goes to the line's end.
fn cells(row: &str, columns: &[(String, usize)]) -> Vec<String> {
    let chars: Vec<char> = row.chars().collect();
    let aligned = columns.iter().skip(1).all(|(_, at)| chars.get(at.saturating_sub(1)).is_none_or(|c| *c == ' '));
    if !aligned {
        let mut parts: Vec<String> = row.split("  ").map(str::trim).filter(|p| !p.is_empty()).map(str::to_owned).collect();
        if parts.len() > columns.len() {
            let tail = parts.split_off(columns.len() - 1).join("  ");
            parts.push(tail);
        }
        return parts;
    }
    let ends = columns.iter().skip(1).map(|(_, at)| *at).chain([chars.len()]);
    columns
        .iter()
        .zip(ends)
        .map(|((_, at), end)| chars.get(*at..end.min(chars.len())).unwrap_or_default().iter().collect::<String>().trim().to_owned())
        .collect()
}

/// Rows over which no header stands, or whose columns a copy squeezed.
pub(super) fn read_rows(file: &mut File<'_>, content: &str) {
    let mut drafts: Vec<(u32, String)> = Vec::new();
    for (number, line) in text::numbered(content) {
        let begins = rows::event(line).is_some() || rows::pod(line).is_some();
        match drafts.last_mut() {
            _ if begins => drafts.push((number, line.to_owned())),
            Some((_, last)) if !line.trim().is_empty() && rows::event(last).is_some() => {
                last.push(' ');
                last.push_str(line.trim());
            }
            _ => {}
        }
    }
    drafts.iter().for_each(|(number, line)| bare(file, *number, line));
}

/// One row, read by the shape of its cells.
fn bare(file: &mut File<'_>, number: u32, line: &str) {
    if let Some(row) = rows::event(line) {
        file.take("events");
        let get = |name: &str| match name {
            "NAMESPACE" => row.namespace,
            "LAST SEEN" => row.seen.as_str(),
            "REASON" => row.reason,
            "OBJECT" => row.object,
            "SOURCE" => row.source,
            "MESSAGE" => row.message.as_str(),
            _ => "",
        };
        event(file, number, &get);
    } else if let Some(row) = rows::pod(line) {
        file.take("pods");
        let get = |name: &str| match name {
            "NAMESPACE" => row.namespace,
            "NAME" => row.name,
            "STATUS" => row.status,
            "AGE" => row.age,
            "NODE" => row.node,
            _ => "",
        };
        pod(file, number, &get);
    }
}

pub(super) fn read(file: &mut File<'_>, content: &str) {
    let mut header: Option<(Listed, Vec<(String, usize)>)> = None;
    let mut draft: Option<(u32, Vec<String>)> = None;
    for (number, line) in text::numbered(content) {
        if let Some(listed) = kind_of(line) {
            row(file, header.as_ref(), draft.take());
            header = Some((listed, columns(line)));
            file.take(match listed {
                Listed::Events => "events",
                Listed::Pods => "pods",
                Listed::Nodes => "nodes",
                Listed::Secrets => "pull-secrets",
                Listed::Services => "cluster-services",
            });
            continue;
        }
        let Some((listed, columns)) = header.as_ref() else { continue };
        if line.trim().is_empty() {
            continue;
        }
        if columns.is_empty() {
            bare(file, number, line);
            continue;
        }
        // A message with a line end goes on without columns.
        let continues = *listed == Listed::Events && draft.is_some() && !line.chars().next().is_some_and(|c| c.is_ascii_alphanumeric() || c == '<');
        if continues {
            if let Some(last) = draft.as_mut().and_then(|(_, c)| c.last_mut()) {
                last.push('\n');
                last.push_str(line.trim());
            }
            continue;
        }
        row(file, header.as_ref(), draft.take());
        let parts = cells(line, columns);
        if parts.len() < columns.len().min(5) && *listed != Listed::Secrets {
            bare(file, number, line);
        } else {
            draft = Some((number, parts));
        }
    }
    row(file, header.as_ref(), draft.take());
}

fn row(file: &mut File<'_>, header: Option<&(Listed, Vec<(String, usize)>)>, draft: Option<(u32, Vec<String>)>) {
    let (Some((listed, columns)), Some((line, cells))) = (header, draft) else { return };
    let get = |name: &str| columns.iter().position(|(c, _)| c == name).and_then(|i| cells.get(i)).map(String::as_str).unwrap_or("");
    match listed {
        Listed::Events => event(file, line, &get),
        Listed::Pods => pod(file, line, &get),
        Listed::Nodes => node(file, line, &get),
        Listed::Services => {
            let name = format!("{}/{}", get("NAMESPACE"), get("NAME"));
            let addresses: Vec<_> = get("CLUSTER-IP").parse().into_iter().collect();
            let source = file.source(line, &format!("service {name}: {}", get("CLUSTER-IP")));
            file.facts.cluster_services.push(crate::facts::objects::Service { name, addresses, source });
        }
        Listed::Secrets => {
            let made = time::age(get("AGE")).map(When::ago).unwrap_or_default();
            let source = file.source(line, &format!("secret {} ({})", get("NAME"), get("TYPE")));
            if !get("NAMESPACE").is_empty() {
                file.facts.secret_rows.push((get("TYPE").to_owned(), source.clone()));
            }
            super::kube::secrets::listed(file, get("NAMESPACE"), get("NAME"), get("TYPE"), made, source);
        }
    }
}

fn event<'c>(file: &mut File<'_>, line: u32, get: &dyn Fn(&str) -> &'c str) {
    let (reason, message) = (get("REASON"), get("MESSAGE"));
    file.facts.heard.event(get("NAMESPACE"));
    if !super::kube_concerns(reason, message) {
        return;
    }
    let object = get("OBJECT");
    let (kind, name) = match object.split_once('/') {
        Some((kind, name)) => (kind.to_owned(), name.to_owned()),
        None => (get("KIND").to_owned(), get("NAME").split('.').next().unwrap_or("").to_owned()),
    };
    let seen = get("LAST SEEN");
    let (last, count, first) = super::describe_pod::age(seen);
    let count = get("COUNT").parse().unwrap_or(count);
    let first = if get("FIRST SEEN").is_empty() { first } else { time::age(get("FIRST SEEN")).map(When::ago).unwrap_or(first) };
    let source_column = get("SOURCE");
    let node = source_column.split_once(", ").map(|(_, n)| n.trim().to_owned()).filter(|n| !n.is_empty());
    let source = file.source(line, message);
    file.facts.events.push(Event {
        namespace: get("NAMESPACE").to_owned(),
        kind: if kind.eq_ignore_ascii_case("pod") {
            "Pod".into()
        } else if kind.eq_ignore_ascii_case("node") {
            "Node".into()
        } else {
            kind
        },
        node: node.or_else(|| object.strip_prefix("node/").map(str::to_owned)),
        name,
        reason: reason.to_owned(),
        message: message.to_owned(),
        count,
        first,
        last,
        created: When::default(),
        uid: None,
        source,
    });
}

fn pod<'c>(file: &mut File<'_>, line: u32, get: &dyn Fn(&str) -> &'c str) {
    let name = get("NAME");
    let status = get("STATUS");
    if name.is_empty() {
        return;
    }
    file.facts.heard.pod(get("NAMESPACE"));
    let reason = status.rsplit(':').next().unwrap_or(status);
    let waits = crate::facts::objects::IMAGE_REASONS.contains(&reason);
    let source = file.source(line, &format!("{name} {status}"));
    let waiting =
        if waits { vec![Waiting { image: String::new(), reason: reason.to_owned(), message: String::new(), source: source.clone() }] } else { Vec::new() };
    let node = Some(get("NODE").to_owned()).filter(|n| !n.is_empty() && n != "<none>");
    file.facts.pods.push(Pod {
        namespace: get("NAMESPACE").to_owned(),
        name: name.to_owned(),
        node,
        images: Vec::new(),
        pull_secrets: Known::NotCollected("pods"),
        account: None,
        waiting,
        started: Vec::new(),
        created: time::age(get("AGE")).map(When::ago).unwrap_or_default(),
        source,
    });
}

fn node<'c>(file: &mut File<'_>, line: u32, get: &dyn Fn(&str) -> &'c str) {
    let name = get("NAME");
    if name.is_empty() || name.contains(' ') {
        return;
    }
    let told = |column: &str| Some(get(column).to_owned()).filter(|v| !v.is_empty() && !v.starts_with('<'));
    let address = told("INTERNAL-IP");
    let source = file.source(line, &format!("node {name} {}", address.as_deref().unwrap_or("")));
    let ready = if get("STATUS").starts_with("Ready") { "True" } else { "False" };
    let ready = Condition { kind: "Ready".into(), status: ready.into(), since: When::default(), source: source.clone() };
    file.facts.nodes.push(Node {
        group: None,
        name: name.to_owned(),
        pool: None,
        created: time::age(get("AGE")).map(When::ago).unwrap_or_default(),
        os: told("OS-IMAGE").map(|os| if os.contains("Windows") { "windows" } else { "linux" }.to_owned()),
        arch: None,
        runtime: told("CONTAINER-RUNTIME"),
        kubelet: told("VERSION"),
        os_image: told("OS-IMAGE"),
        addresses: address.into_iter().collect(),
        aliases: Vec::new(),
        // A table shows no images.
        images: Known::NotCollected("image-list"),
        conditions: vec![ready],
        source,
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_follow_the_header() {
        let header = "LAST SEEN   TYPE      REASON    OBJECT         MESSAGE";
        let columns = columns(header);
        assert_eq!(columns.iter().map(|(n, _)| n.as_str()).collect::<Vec<_>>(), ["LAST SEEN", "TYPE", "REASON", "OBJECT", "MESSAGE"]);
        let row = cells("85s         Warning   Failed    pod/app-1      Failed to pull  image", &columns);
        assert_eq!(row, ["85s", "Warning", "Failed", "pod/app-1", "Failed to pull  image"]);
    }
}
