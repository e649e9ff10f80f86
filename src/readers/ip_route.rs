//! Which routes has the node's own kernel? `ip route`, as text and as JSON.
//!
//! ```text
//! default via 172.28.0.1 dev eth0 proto dhcp src 172.28.0.5 metric 100
//! blackhole 10.40.0.0/16
//! ```

use std::net::IpAddr;

use ipnet::IpNet;
use serde::Deserialize;

use super::File;
use crate::bundle::FileId;
use crate::facts::{HostRoute, Machine, Of, Owner};
use crate::text;

const KINDS: [&str; 8] = ["unicast", "blackhole", "prohibit", "unreachable", "throw", "local", "broadcast", "multicast"];

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
    metric: u32,
    table: String,
    from: Option<IpAddr>,
}

fn route(line: &str) -> Option<Parsed> {
    let mut words = line.split_whitespace().peekable();
    let kind = words.next_if(|w| KINDS.contains(w)).unwrap_or("unicast").to_owned();
    let target = words.next()?;
    let rest: Vec<&str> = words.collect();
    let after = |key: &str| rest.windows(2).find(|w| w.first() == Some(&key)).and_then(|w| w.get(1).copied());
    let via = after("via").map(|v| if v == "inet6" { after("inet6").unwrap_or(v) } else { v });
    let known = after("dev").is_some() || via.is_some() || kind != "unicast";
    let prefix = prefix(target, via.is_some_and(|v| v.contains(':')) || rest.contains(&"pref"))?;
    known.then(|| Parsed {
        prefix,
        kind,
        via: via.and_then(|v| v.parse().ok()),
        dev: after("dev").map(str::to_owned),
        metric: after("metric").and_then(|m| m.parse().ok()).unwrap_or(0),
        table: after("table").unwrap_or("main").to_owned(),
        from: after("src").and_then(|a| a.parse().ok()),
    })
}

pub(super) fn is_ip_route(lines: &[&str]) -> bool {
    let said: Vec<&str> = lines.iter().filter(|l| !l.trim().is_empty() && !l.starts_with(['#', '$'])).copied().collect();
    let routes = said.iter().filter(|l| route(l).is_some()).count();
    routes > 0 && routes * 2 > said.len()
}

pub(super) fn read_text(file: &mut File<'_>, content: &str) {
    let parsed: Vec<(u32, &str, Parsed)> = text::numbered(content).filter_map(|(number, line)| Some((number, line, route(line)?))).collect();
    let from: Vec<IpAddr> = parsed.iter().filter_map(|(_, _, p)| p.from).collect();
    let routes: Vec<HostRoute> = parsed.into_iter().map(|(number, line, p)| make(p, file, number, line)).collect();
    keep(file, routes, from);
}

fn make(p: Parsed, file: &File<'_>, line: u32, excerpt: &str) -> HostRoute {
    HostRoute { prefix: p.prefix, kind: p.kind, via: p.via, dev: p.dev, metric: p.metric, table: p.table, source: file.source(line, excerpt) }
}

/// Keeps the table; the addresses from which the machine sends are its own.
fn keep(file: &mut File<'_>, routes: Vec<HostRoute>, from: Vec<IpAddr>) {
    let Some(first) = routes.first() else { return };
    let source = first.source.clone();
    file.take("node-routes");
    let mut own: Vec<(FileId, Machine)> = from.into_iter().filter(|a| !a.is_loopback()).map(|a| (file.id, Machine::At(a))).collect();
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
    prefsrc: Option<IpAddr>,
}

/// `ip -j route`; false where the array is something else.
pub(super) fn read_json(file: &mut File<'_>, array: &str, first_line: u32) -> bool {
    if !array.get(..4096.min(array.len())).or_else(|| array.get(..1024.min(array.len()))).is_some_and(|head| head.contains("\"dst\"")) {
        return false;
    }
    let Ok(rows) = serde_json::from_str::<Vec<JsonRoute>>(array) else { return false };
    let own: Vec<IpAddr> = rows.iter().filter_map(|row| row.prefsrc).collect();
    let mut from = 0;
    let mut routes = Vec::new();
    for row in rows {
        let mark = format!("\"{}\"", row.dst);
        let at = array.get(from..).and_then(|rest| rest.find(&mark)).map_or(from, |i| from + i);
        from = at + mark.len().min(array.len() - at);
        let line = first_line + text::line_of(array, at) - 1;
        let gateway = row.gateway.as_deref().and_then(|g| g.parse().ok());
        let v6 = matches!(gateway, Some(IpAddr::V6(_)));
        let Some(prefix) = prefix(&row.dst, v6) else { continue };
        let kind = row.kind.unwrap_or_else(|| "unicast".into());
        let shown = format!("{kind} {} via {} dev {}", row.dst, row.gateway.as_deref().unwrap_or("-"), row.dev.as_deref().unwrap_or("-"));
        routes.push(HostRoute {
            prefix,
            kind,
            via: gateway,
            dev: row.dev,
            metric: row.metric.unwrap_or(0),
            table: row.table.unwrap_or_else(|| "main".into()),
            source: file.source(line, &shown),
        });
    }
    keep(file, routes, own);
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
