//! Which routes has the node's own kernel? `ip route`, as text and as JSON.
//!
//! ```text
//! default via 172.28.0.1 dev eth0 proto dhcp src 172.28.0.5 metric 100
//! blackhole 10.40.0.0/16
//! 10.50.0.0/16 proto static metric 50
//!     nexthop via 172.28.0.2 dev eth0 weight 1
//!     nexthop via 172.28.0.3 dev eth0 weight 1
//! ```

use std::net::IpAddr;

use ipnet::IpNet;
use serde::Deserialize;

use super::File;
use crate::bundle::FileId;
use crate::facts::{HostRoute, Machine, Of, Owner};
use crate::text;

const KINDS: [&str; 9] = ["unicast", "blackhole", "prohibit", "unreachable", "throw", "local", "broadcast", "multicast", "anycast"];

/// `default` is everything; a bare address is itself alone.
fn prefix(word: &str, v6: bool) -> Option<IpNet> {
    if word == "default" {
        return if v6 { "::/0".parse().ok() } else { "0.0.0.0/0".parse().ok() };
    }
    word.parse().ok().or_else(|| word.parse::<IpAddr>().ok().map(IpNet::from)).or_else(|| shortened(word))
}

/// `10.0/16` as older tools write it.
fn shortened(word: &str) -> Option<IpNet> {
    let (address, length) = word.split_once('/')?;
    let missing = 4usize.checked_sub(address.split('.').count())?;
    format!("{address}{}/{length}", ".0".repeat(missing)).parse().ok()
}

struct Parsed {
    prefix: IpNet,
    kind: String,
    via: Option<IpAddr>,
    dev: Option<String>,
    from: Option<IpAddr>,
    metric: u32,
    table: String,
    /// No way stands on the line itself: they follow, one a line.
    open: bool,
}

/// Words that stand on a line of several ways before the ways.
const ATTRIBUTES: [&str; 4] = ["proto", "metric", "scope", "table"];

fn route(line: &str) -> Option<Parsed> {
    let mut words = line.split_whitespace().peekable();
    let kind = words.next_if(|w| KINDS.contains(w)).unwrap_or("unicast").to_owned();
    let target = words.next()?;
    let rest: Vec<&str> = words.collect();
    let after = |key: &str| rest.windows(2).find(|w| w.first() == Some(&key)).and_then(|w| w.get(1).copied());
    let via = after("via").map(|v| if v == "inet6" { after("inet6").unwrap_or(v) } else { v });
    // The kernel passes over a way whose device is gone.
    if rest.contains(&"dead") {
        return None;
    }
    let known = after("dev").is_some() || via.is_some() || kind != "unicast";
    let open = !known && rest.first().is_none_or(|w| ATTRIBUTES.contains(w));
    let prefix = prefix(target, via.is_some_and(|v| v.contains(':')) || rest.contains(&"pref"))?;
    (known || open).then(|| Parsed {
        open,
        from: after("src").and_then(|s| s.parse().ok()),
        prefix,
        kind,
        via: via.and_then(|v| v.parse().ok()),
        dev: after("dev").map(str::to_owned),
        metric: after("metric").and_then(|m| m.parse().ok()).unwrap_or(0),
        table: table_name(after("table").unwrap_or("main")).to_owned(),
    })
}

/// The name of a table that has one.
pub(super) fn table_name(table: &str) -> &str {
    match table {
        "255" => "local",
        "254" => "main",
        "253" => "default",
        other => other,
    }
}

/// The one table that a command shows, by its words or the name of the file with its output.
fn table_asked(command: &str) -> Option<String> {
    let mut words = command.split(|c: char| !c.is_ascii_alphanumeric()).skip_while(|w| *w != "table").skip(1);
    words.next().filter(|w| !matches!(*w, "" | "all" | "txt" | "main")).map(|w| table_name(w).to_owned())
}

/// One of several ways of the route above it.
fn way(line: &str) -> Option<(Option<IpAddr>, Option<String>)> {
    let words: Vec<&str> = line.trim_start().strip_prefix("nexthop ")?.split_whitespace().collect();
    let after = |key: &str| words.windows(2).find(|w| w.first() == Some(&key)).and_then(|w| w.get(1).copied());
    (!words.contains(&"dead")).then(|| (after("via").and_then(|v| v.parse().ok()), after("dev").map(str::to_owned)))
}

pub(super) fn is_ip_route(lines: &[&str]) -> bool {
    let said: Vec<&str> = lines.iter().filter(|l| !l.trim().is_empty() && !l.starts_with(['#', '$'])).copied().collect();
    let routes = said.iter().filter(|l| route(l).is_some_and(|r| !r.open) || way(l).is_some()).count();
    routes > 0 && routes * 2 > said.len()
}

pub(super) fn read_text(file: &mut File<'_>, content: &str) {
    let mut routes: Vec<HostRoute> = Vec::new();
    // A listing of one table alone does not repeat its name on each line.
    let table = table_asked(file.command.as_deref().unwrap_or("")).or_else(|| table_asked(&super::file_name(file.path)));
    // A route whose ways follow is one only once a way is there.
    let mut open: Option<HostRoute> = None;
    for (number, line) in text::numbered(content) {
        if let Some((via, dev)) = way(line) {
            match (open.take(), routes.last_mut()) {
                (Some(of), _) => routes.push(HostRoute { via, dev, ..of }),
                (None, Some(last)) => last.several = true,
                (None, None) => {}
            }
            continue;
        }
        let Some(mut parsed) = route(line) else { continue };
        if let Some(table) = table.as_deref().filter(|_| parsed.table == "main") {
            table.clone_into(&mut parsed.table);
        }
        let waits = parsed.open;
        let made = make(parsed, file, number, line);
        if waits {
            open = Some(made);
        } else {
            open = None;
            routes.push(made);
        }
    }
    keep(file, routes);
}

fn make(p: Parsed, file: &File<'_>, line: u32, excerpt: &str) -> HostRoute {
    let source = file.source(line, excerpt);
    HostRoute { prefix: p.prefix, kind: p.kind, via: p.via, dev: p.dev, from: p.from, several: false, metric: p.metric, table: p.table, source }
}

/// Keeps the table; the addresses from which the machine sends are its own.
fn keep(file: &mut File<'_>, routes: Vec<HostRoute>) {
    let Some(first) = routes.first() else { return };
    let source = first.source.clone();
    file.take("node-routes");
    let mut own: Vec<(FileId, Machine)> = routes.iter().filter_map(|r| r.from).filter(|a| !a.is_loopback()).map(|a| (file.id, Machine::At(a))).collect();
    own.sort();
    own.dedup();
    file.facts.spoken.extend(own);
    file.facts.routes.push(Of { owner: Owner::Unknown, value: routes, source });
}

#[derive(Deserialize)]
struct JsonRoute {
    #[serde(rename = "type", default)]
    kind: Option<String>,
    dst: String,
    #[serde(default)]
    gateway: Option<String>,
    #[serde(default)]
    dev: Option<String>,
    #[serde(default)]
    metric: Option<u32>,
    #[serde(default)]
    table: Option<String>,
    #[serde(default)]
    prefsrc: Option<String>,
    #[serde(default)]
    flags: Vec<String>,
    #[serde(default)]
    nexthops: Vec<JsonWay>,
}

#[derive(Deserialize, Clone)]
struct JsonWay {
    #[serde(default)]
    gateway: Option<String>,
    #[serde(default)]
    dev: Option<String>,
    #[serde(default)]
    flags: Vec<String>,
}

/// `ip -j route`; false where the array is something else.
pub(super) fn read_json(file: &mut File<'_>, array: &str, first_line: u32) -> bool {
    if !array.get(..4096.min(array.len())).or_else(|| array.get(..1024.min(array.len()))).is_some_and(|head| head.contains("\"dst\"")) {
        return false;
    }
    let Ok(rows) = serde_json::from_str::<Vec<JsonRoute>>(array) else { return false };
    let mut from = 0;
    let mut routes = Vec::new();
    for row in rows {
        let mark = format!("\"{}\"", row.dst);
        let at = array.get(from..).and_then(|rest| rest.find(&mark)).map_or(from, |i| from + i);
        from = at + mark.len().min(array.len() - at);
        let line = first_line + text::line_of(array, at) - 1;
        let dead = |flags: &[String]| flags.iter().any(|f| f == "dead");
        let first = row.nexthops.iter().find(|w| !dead(&w.flags)).cloned();
        if dead(&row.flags) || (first.is_none() && !row.nexthops.is_empty()) {
            continue;
        }
        let (gateway, dev) = first.map_or((row.gateway, row.dev), |w| (w.gateway, w.dev));
        let shown_via = gateway.clone();
        let gateway = gateway.as_deref().and_then(|g| g.parse().ok());
        let v6 = matches!(gateway, Some(IpAddr::V6(_)));
        let Some(prefix) = prefix(&row.dst, v6) else { continue };
        let kind = row.kind.unwrap_or_else(|| "unicast".into());
        let shown = format!("{kind} {} via {} dev {}", row.dst, shown_via.as_deref().unwrap_or("-"), dev.as_deref().unwrap_or("-"));
        routes.push(HostRoute {
            prefix,
            kind,
            via: gateway,
            dev,
            from: row.prefsrc.as_deref().and_then(|s| s.parse().ok()),
            several: row.nexthops.len() > 1,
            metric: row.metric.unwrap_or(0),
            table: table_name(row.table.as_deref().unwrap_or("main")).to_owned(),
            source: file.source(line, &shown),
        });
    }
    keep(file, routes);
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_ip_route() {
        let r = route("default via 10.0.0.1 dev eth0 proto dhcp metric 100").unwrap();
        assert_eq!((r.prefix.to_string().as_str(), r.kind.as_str(), r.metric), ("0.0.0.0/0", "unicast", 100));
        assert_eq!(route("blackhole 10.40.0.0/16").unwrap().kind, "blackhole");
        assert_eq!(route("10.0/16 dev eth0 scope link").unwrap().prefix.to_string(), "10.0.0.0/16");
        assert!(route("Kernel IP routing table").is_none());
    }
}
