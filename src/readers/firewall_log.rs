//! Which connections did the firewall let through or refuse? Log Analytics rows as JSON lines, a JSON list or CSV.
//!
//! ```json
//! {"TimeGenerated": "2026-11-25T21:10:28Z", "SourceIp": "10.71.1.24", "DestinationIp": "10.80.3.20", "DestinationPort": 443, "Action": "Deny"}
//! {"category": "AzureFirewallApplicationRule", "properties": {"msg": "HTTPS request from 10.0.0.4:5000 to store.example:443. Action: Deny."}}
//! ```

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::File;
use crate::bundle::Source;
use crate::facts::egress::EgressRow;
use crate::facts::time;
use crate::text;

pub(super) fn is_firewall_log(lines: &[&str]) -> bool {
    lines.iter().take(50).any(|l| {
        l.contains("AZFWNetworkRule")
            || l.contains("AZFWApplicationRule")
            || l.contains("AzureFirewallNetworkRule")
            || l.contains("AzureFirewallApplicationRule")
            || (l.contains("SourceIp") && l.contains("Action") && (l.contains("DestinationIp") || l.contains("Fqdn")))
    })
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Row {
    #[serde(alias = "time", alias = "TimeGenerated [UTC]", alias = "timeGenerated")]
    #[serde(rename = "TimeGenerated")]
    time: Option<String>,
    #[serde(rename = "SourceIp", alias = "SourceIP", alias = "sourceIp")]
    from: Option<String>,
    #[serde(rename = "DestinationIp", alias = "DestinationIP", alias = "destinationIp")]
    to: Option<String>,
    #[serde(rename = "DestinationPort", alias = "destinationPort")]
    port: Option<serde_json::Value>,
    #[serde(rename = "Fqdn", alias = "FQDN", alias = "fqdn")]
    host: Option<String>,
    #[serde(rename = "Action", alias = "action")]
    action: Option<String>,
    #[serde(rename = "msg_s", alias = "msg", alias = "Msg")]
    text: Option<String>,
    properties: Option<Box<Row>>,
}

pub(super) fn read(file: &mut File<'_>, content: &str) {
    let mut rows = Vec::new();
    let first = content.trim_start();
    if let Some(list) = first.strip_prefix('[').and_then(|_| serde_json::from_str::<Vec<&RawValue>>(first).ok()) {
        let mut lines = (1u32, 0usize);
        for item in list {
            let at = (item.get().as_ptr() as usize).saturating_sub(content.as_ptr() as usize);
            let between = content.as_bytes().get(lines.1..at).unwrap_or_default();
            lines = (lines.0.saturating_add(u32::try_from(memchr::memchr_iter(b'\n', between).count()).unwrap_or(0)), at);
            if let Ok(row) = serde_json::from_str::<Row>(item.get()) {
                rows.extend(told(file, row, telling_line(item.get(), lines.0), item.get()));
            }
        }
    } else if first.starts_with('{') {
        for (number, line) in text::numbered(content) {
            if let Ok(row) = serde_json::from_str::<Row>(line.trim().trim_end_matches(',')) {
                rows.extend(told(file, row, number, line));
            }
        }
    } else {
        rows = csv(file, content);
    }
    if rows.is_empty() {
        return;
    }
    file.take("firewall-log");
    file.facts.egress.log.append(&mut rows);
}

/// In a row over several lines, the one that names what was asked for.
fn telling_line(row: &str, first: u32) -> u32 {
    let at = ["\"Fqdn\"", "\"DestinationIp\"", "\"msg_s\""].iter().find_map(|k| row.find(k));
    first + at.map_or(0, |at| text::line_of(row, at) - 1)
}

fn told(file: &File<'_>, row: Row, line: u32, excerpt: &str) -> Option<EgressRow> {
    let at = row.time.as_deref().and_then(time::stamp);
    let inner = match row.properties {
        Some(inner) if row.action.is_none() && row.text.is_none() => *inner,
        properties => Row { properties, ..row },
    };
    let at = at.or_else(|| inner.time.as_deref().and_then(time::stamp));
    let source = file.source(line, excerpt);
    if let Some(text) = &inner.text {
        return sentence(text, at, source);
    }
    let some = |text: &Option<String>| text.clone().filter(|t| !t.is_empty());
    Some(EgressRow {
        at,
        from: some(&inner.from).and_then(|a| a.parse().ok()),
        address: some(&inner.to).and_then(|a| a.parse().ok()),
        host: some(&inner.host).map(|h| h.split(':').next().unwrap_or("").to_lowercase()),
        port: inner.port.and_then(|p| p.as_u64().and_then(|n| u16::try_from(n).ok()).or_else(|| p.as_str()?.parse().ok())),
        allowed: allowed(inner.action.as_deref()?)?,
        by_proxy: false,
        source,
    })
}

fn allowed(action: &str) -> Option<bool> {
    match action.trim().to_ascii_lowercase().as_str() {
        "allow" | "allowed" => Some(true),
        "deny" | "denied" | "drop" | "block" => Some(false),
        _ => None,
    }
}

/// `HTTPS request from 10.0.0.4:5000 to store.example:443. Action: Deny. No rule matched.`
fn sentence(text: &str, at: Option<Timestamp>, source: Source) -> Option<EgressRow> {
    let (_, rest) = text.split_once(" request from ")?;
    let (from, rest) = rest.split_once(" to ")?;
    let (to, rest) = rest.split_once(". ").or_else(|| rest.split_once(' '))?;
    let (host, port) = to.trim_end_matches('.').rsplit_once(':').map_or((to, None), |(h, p)| (h, p.parse().ok()));
    let action = rest.split_once("Action: ")?.1.split(['.', ' ']).next()?;
    let address = host.parse().ok();
    Some(EgressRow {
        at,
        from: from.rsplit_once(':').map_or(from, |(a, _)| a).parse().ok(),
        address,
        host: if address.is_some() { None } else { Some(host.to_lowercase()) },
        port,
        allowed: allowed(action)?,
        by_proxy: false,
        source,
    })
}

/// The cells of a line of CSV.
fn cells(line: &str) -> Vec<String> {
    let mut out = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => out.push(String::new()),
            _ => {
                if let Some(last) = out.last_mut() {
                    last.push(c);
                }
            }
        }
    }
    out
}

fn csv(file: &File<'_>, content: &str) -> Vec<EgressRow> {
    let mut header: Vec<String> = Vec::new();
    let mut rows = Vec::new();
    for (number, line) in text::numbered(content) {
        let row = cells(line.trim_start_matches('\u{feff}'));
        if header.is_empty() {
            if row.iter().any(|c| c.starts_with("TimeGenerated")) {
                header = row.iter().map(|c| c.trim().split(' ').next().unwrap_or("").to_lowercase()).collect();
            }
            continue;
        }
        let get = |name: &str| header.iter().position(|h| h == name).and_then(|i| row.get(i)).filter(|c| !c.is_empty()).cloned();
        let told_row = Row {
            time: get("timegenerated"),
            from: get("sourceip"),
            to: get("destinationip"),
            port: get("destinationport").map(serde_json::Value::String),
            host: get("fqdn"),
            action: get("action"),
            text: get("msg_s"),
            properties: None,
        };
        rows.extend(told(file, told_row, number, line));
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sentence(text: &str) -> Option<EgressRow> {
        super::sentence(text, None, Source::new(crate::bundle::FileId::default(), 1, text))
    }

    #[test]
    fn old_rows_are_sentences() {
        let row = sentence("HTTPS request from 10.0.0.4:5000 to Store.example:443. Action: Deny. No rule matched. Proceeding with default action").unwrap();
        assert_eq!((row.host.as_deref(), row.port, row.allowed), (Some("store.example"), Some(443), false));
        let row = sentence("TCP request from 10.0.0.4:5000 to 10.9.1.1:443. Action: Allow. Rule Collection: x. Rule: y").unwrap();
        assert_eq!((row.address.map(|a| a.to_string()).as_deref(), row.allowed), (Some("10.9.1.1"), true));
    }

    #[test]
    fn quoted_cells_hold_commas() {
        assert_eq!(cells(r#"a,"b, c",d"#), ["a", "b, c", "d"]);
    }
}
