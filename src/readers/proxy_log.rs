//! What did the proxy do with the clients' requests for tunnels? Squid's access log, its own form and the common one.
//!
//! ```text
//! 1795169151.118      0 10.101.0.4 TCP_DENIED/403 3884 CONNECT store.corp.example:443 - HIER_NONE/- text/html
//! 10.101.0.4 - - [20/Nov/2026:10:05:51 +0000] "CONNECT store.corp.example:443 HTTP/1.1" 403 3884 TCP_DENIED:HIER_NONE
//! ```

use std::net::IpAddr;

use jiff::Timestamp;

use super::File;
use crate::facts::egress::EgressRow;
use crate::text;

pub(super) fn is_proxy_log(lines: &[&str]) -> bool {
    lines.iter().take(20).any(|l| row(l).is_some())
}

/// What one line says, without its place.
struct Row {
    at: Option<Timestamp>,
    from: Option<IpAddr>,
    host: String,
    port: Option<u16>,
    status: u16,
}

fn row(line: &str) -> Option<Row> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let connect = words.iter().position(|w| w.trim_start_matches('"') == "CONNECT")?;
    let (host, port) = words.get(connect + 1)?.rsplit_once(':')?;
    let squid = words.iter().find(|w| w.starts_with("TCP_") || w.starts_with("NONE"));
    let status = match squid.and_then(|w| w.split_once('/')) {
        Some((_, status)) => status.parse().ok()?,
        // The common form has the status behind the request.
        None => words.iter().skip(connect + 1).find_map(|w| w.parse::<u16>().ok().filter(|s| (100..600).contains(s)))?,
    };
    let seconds = words.first().and_then(|w| w.parse::<f64>().ok()).filter(|s| (1e9..1e11).contains(s));
    #[allow(clippy::cast_possible_truncation)]
    let at = seconds.and_then(|s| Timestamp::from_millisecond((s * 1000.0) as i64).ok());
    let from = words.iter().take(3).find_map(|w| w.parse().ok());
    (squid.is_some() || line.contains("\"CONNECT ")).then(|| Row { at, from, host: host.to_lowercase(), port: port.parse().ok(), status })
}

pub(super) fn read(file: &mut File<'_>, content: &str) {
    let mut rows = Vec::new();
    for (number, line) in text::numbered(content) {
        let Some(Row { at, from, host, port, status }) = row(line) else { continue };
        let allowed = status == 200;
        // What the proxy failed to reach it did not refuse.
        if !allowed && !matches!(status, 403 | 407) {
            continue;
        }
        let address = host.parse().ok();
        rows.push(EgressRow { at, from, address, host: Some(host), port, allowed, by_proxy: true, source: file.source(number, line) });
    }
    if rows.is_empty() {
        return;
    }
    file.take("proxy-log");
    file.facts.egress.log.append(&mut rows);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_are_read() {
        let own = row("1795169151.118      0 10.101.0.4 TCP_DENIED/403 3884 CONNECT Store.corp.example:443 - HIER_NONE/- text/html").unwrap();
        assert_eq!((own.host.as_str(), own.status, own.at.is_some()), ("store.corp.example", 403, true));
        let common = row(r#"10.101.0.4 - - [20/Nov/2026:10:05:51 +0000] "CONNECT store.corp.example:443 HTTP/1.1" 403 3884 TCP_DENIED:HIER_NONE"#).unwrap();
        assert_eq!((common.status, common.port, common.from.is_some()), (403, Some(443), true));
        assert!(row("> CONNECT store.corp.example:443 HTTP/1.1").is_none());
        assert!(row("GET /v2/ 200").is_none());
    }
}
