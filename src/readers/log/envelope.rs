//! What stands round a log message? journald's prefix, klog's header, logrus' fields, JSON.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::facts::{Unit, When, time};
use crate::text;

/// A log line taken apart.
#[derive(Debug, Default)]
pub(super) struct Line {
    pub(super) host: Option<String>,
    pub(super) unit: Option<Unit>,
    pub(super) when: When,
    /// The message itself.
    pub(super) message: String,
    /// The structured values beside it: `err`, `error`, `image`, `host` ...
    pub(super) fields: BTreeMap<String, String>,
}

impl Line {
    pub(super) fn field(&self, names: &[&str]) -> Option<&str> {
        names.iter().find_map(|n| self.fields.get(*n)).map(String::as_str)
    }
}

/// Whether a line begins as a log's line begins.
pub(super) fn begins(line: &str) -> bool {
    journald(line).is_some()
        || klog(line).is_some()
        || line.starts_with("time=\"")
        || (line.starts_with('{') && (line.contains("\"msg\"") || line.contains("\"MESSAGE\"")) && !line.contains("\"kind\""))
}

pub(super) fn artefact(unit: Unit) -> &'static str {
    match unit {
        Unit::Kubelet => "kubelet-log",
        Unit::Containerd => "containerd-log",
        Unit::Crio => "crio-log",
        Unit::Docker => "docker-log",
    }
}

fn unit(ident: &str) -> Option<Unit> {
    match ident {
        "kubelet" | "hyperkube" => Some(Unit::Kubelet),
        "containerd" => Some(Unit::Containerd),
        "crio" | "cri-o" => Some(Unit::Crio),
        "dockerd" | "docker" | "cri-dockerd" => Some(Unit::Docker),
        // k3s and RKE2 run the kubelet inside themselves.
        "k3s" | "rke2" | "rke2-agent" | "rke2-server" | "k3s-agent" | "microk8s.daemon-kubelite" => Some(Unit::Kubelet),
        _ => None,
    }
}

pub(super) fn unit_of_path(path: &str) -> Option<Unit> {
    let name = path.rsplit(['/', '!']).next().unwrap_or(path).to_lowercase();
    [("containerd", Unit::Containerd), ("crio", Unit::Crio), ("cri-o", Unit::Crio), ("docker", Unit::Docker), ("kubelet", Unit::Kubelet)]
        .into_iter()
        .find(|(n, _)| name.contains(n))
        .map(|(_, u)| u)
}

/// Other programs log as the kubelet does; their files are named after them.
pub(super) fn is_anothers(path: &str) -> bool {
    const OTHERS: [&str; 10] = ["proxy", "apiserver", "scheduler", "controller", "csi", "coredns", "autoscaler", "operator", "webhook", "etcd"];
    let name = path.rsplit(['/', '!']).next().unwrap_or(path).to_lowercase();
    OTHERS.iter().any(|o| name.contains(o))
}

/// journald exports a message with control characters as a list of its bytes.
pub(super) fn spoken(line: &[u8]) -> Cow<'_, [u8]> {
    let listed = || {
        let at = memchr::memmem::find(line, b"\"MESSAGE\"")?;
        let value = line.get(at + 9..)?.iter().find(|b| !matches!(b, b' ' | b':'))?;
        let mut fields: BTreeMap<String, serde_json::Value> = Some(line).filter(|_| *value == b'[').and_then(|l| serde_json::from_slice(l).ok())?;
        let bytes: Vec<u8> = fields.get("MESSAGE")?.as_array()?.iter().filter_map(|b| u8::try_from(b.as_u64()?).ok()).collect();
        fields.insert("MESSAGE".into(), String::from_utf8_lossy(&bytes).into());
        serde_json::to_vec(&fields).ok()
    };
    if line.first() == Some(&b'{') { listed().map_or(Cow::Borrowed(line), Cow::Owned) } else { Cow::Borrowed(line) }
}

/// Takes a line apart as far as it is known; what is not known is the message.
pub(super) fn parse(line: &str) -> Line {
    let mut out = Line::default();
    let mut rest = line;
    if line.starts_with('{')
        && let Some(parsed) = json(line)
    {
        return parsed;
    }
    if let Some((when, host, ident, body)) = journald(line) {
        out.when = when;
        out.host = Some(host.to_lowercase());
        out.unit = unit(ident);
        rest = body;
    }
    if let Some((when, body)) = klog(rest) {
        if out.when == When::default() {
            out.when = when;
        }
        out.unit = out.unit.or(Some(Unit::Kubelet));
        let (message, fields) = structured(body);
        out.message = message;
        out.fields = fields;
    } else if rest.starts_with("time=\"") || rest.starts_with("level=") {
        out.fields = pairs(rest);
        if let Some(stamp) = out.fields.get("time").and_then(|t| time::stamp(t)) {
            out.when = When::at(stamp);
        }
        out.message = out.fields.get("msg").cloned().unwrap_or_default();
        // k0s repeats the lines of the services that it runs.
        if let Some(service) = out.fields.get("component").and_then(|c| unit(c)) {
            let inner = parse(&out.message);
            let when = if inner.when == When::default() { out.when } else { inner.when };
            return Line { host: out.host, unit: Some(service), when, ..inner };
        }
    } else {
        out.message = text::unescape(rest).into_owned();
    }
    out
}

/// `Nov 23 07:41:01 host unit[pid]: rest`, `2026-11-23T07:41:01+0000 host unit[pid]: rest`.
fn journald(line: &str) -> Option<(When, &str, &str, &str)> {
    // minikube marks each line of a log.
    let line = line.strip_prefix("* ").unwrap_or(line);
    let first = line.chars().next()?;
    let (when, rest) = if first.is_ascii_digit() {
        let (stamp, rest) = line.split_once(' ')?;
        if stamp.len() < 19 || !stamp.contains('T') {
            return None;
        }
        (When::at(time::stamp(stamp)?), rest)
    } else if first.is_ascii_uppercase() {
        let month = time::month(line.get(..3)?)?;
        let mut words = line.get(3..)?.trim_start().splitn(3, ' ');
        let day: i8 = words.next()?.parse().ok()?;
        let clock = words.next()?;
        let seconds = clock_seconds(clock)?;
        (When { yearless: Some((month, day, seconds)), ..When::default() }, words.next()?)
    } else {
        return None;
    };
    let (host, rest) = rest.split_once(' ')?;
    let (ident, body) = rest.split_once(": ").or_else(|| rest.split_once(':'))?;
    let ident = ident.split('[').next().unwrap_or(ident);
    (!ident.contains(' ') && !ident.is_empty()).then_some((when, host, ident, body))
}

/// The host and the service of a journal's line.
pub(super) fn speaker(line: &str) -> Option<(String, Option<Unit>)> {
    journald(line).map(|(_, host, ident, _)| (host.to_lowercase(), unit(ident)))
}

fn clock_seconds(clock: &str) -> Option<i64> {
    let mut parts = clock.splitn(3, ':');
    let (h, m, s): (i64, i64, &str) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?, parts.next()?);
    let s: i64 = s.split('.').next()?.parse().ok()?;
    (h < 24 && m < 60 && s <= 60).then_some(h * 3600 + m * 60 + s)
}

/// `E1123 07:41:03.399977    2419 remote_image.go:180] rest`
fn klog(line: &str) -> Option<(When, &str)> {
    let header = line.get(..5)?;
    let mut chars = header.chars();
    if !matches!(chars.next()?, 'E' | 'W' | 'I' | 'F') || !chars.all(|c| c.is_ascii_digit()) {
        return None;
    }
    let (month, day): (i8, i8) = (header.get(1..3)?.parse().ok()?, header.get(3..5)?.parse().ok()?);
    let rest = line.get(5..)?.strip_prefix(' ')?;
    let (clock, rest) = rest.split_once(' ')?;
    let seconds = clock_seconds(clock)?;
    let (_, body) = rest.split_once("] ")?;
    Some((When { yearless: Some((month, day, seconds)), ..When::default() }, body))
}

/// klog's structured form: a quoted message, then `key="value"` pairs; old lines are one sentence.
fn structured(body: &str) -> (String, BTreeMap<String, String>) {
    match text::unquote(body) {
        Some((message, rest)) => (message, pairs(rest)),
        None => (text::unescape(body).into_owned(), BTreeMap::new()),
    }
}

/// `key=value key="quoted value" key=<` with lines to ` >`.
pub(super) fn pairs(body: &str) -> BTreeMap<String, String> {
    let mut out = BTreeMap::new();
    let mut rest = body.trim_start();
    while let Some((key, after)) = rest.split_once('=') {
        let key = key.rsplit(' ').next().unwrap_or(key).trim();
        if let Some((value, tail)) = text::unquote(after) {
            out.insert(key.to_owned(), value);
            rest = tail.trim_start();
        } else if let Some(open) = after.strip_prefix("<\n").or_else(|| after.strip_prefix('<').filter(|a| a.starts_with(['\r', '\n']))) {
            let end = open.find("\n >").unwrap_or(open.len());
            out.insert(key.to_owned(), open.get(..end).unwrap_or(open).to_owned());
            rest = open.get(end..).map_or("", |r| r.trim_start_matches(['\n', ' ', '>']));
        } else {
            let end = after.find(' ').unwrap_or(after.len());
            out.insert(key.to_owned(), after.get(..end).unwrap_or(after).to_owned());
            rest = after.get(end..).map_or("", str::trim_start);
        }
    }
    out
}

/// Seconds since 1970, or milliseconds as the kubelet's JSON log counts them.
#[allow(clippy::cast_possible_truncation)]
fn of_epoch(number: f64) -> Option<jiff::Timestamp> {
    let milliseconds = if number > 1e11 { number } else { number * 1000.0 };
    (milliseconds > 0.0 && milliseconds < 1e14).then(|| jiff::Timestamp::from_millisecond(milliseconds as i64).ok())?
}

/// containerd's `log_format = "json"`, and journald's export as JSON.
fn json(line: &str) -> Option<Line> {
    let fields: BTreeMap<String, serde_json::Value> = serde_json::from_str(line).ok()?;
    let text_of = |key: &str| fields.get(key).and_then(|v| v.as_str()).map(str::to_owned);
    if let Some(message) = text_of("MESSAGE") {
        let mut out = parse(&message);
        out.host = text_of("_HOSTNAME").map(|h| h.to_lowercase()).or(out.host);
        out.unit = text_of("SYSLOG_IDENTIFIER").as_deref().and_then(unit).or(out.unit);
        if let Some(stamp) = text_of("__REALTIME_TIMESTAMP").and_then(|t| t.parse().ok()).and_then(|t: i64| jiff::Timestamp::from_microsecond(t).ok()) {
            out.when = When::at(stamp);
        }
        return Some(out);
    }
    let message = text_of("msg").or_else(|| text_of("message")).or_else(|| text_of("log"))?;
    let counted = |key: &str| fields.get(key).and_then(serde_json::Value::as_f64).and_then(of_epoch);
    let when = text_of("time").or_else(|| text_of("ts")).and_then(|t| time::stamp(&t)).or_else(|| counted("ts")).map(When::at).unwrap_or_default();
    let fields = fields.iter().filter_map(|(k, v)| Some((k.clone(), v.as_str()?.to_owned()))).collect();
    Some(Line { when, message, fields, ..Line::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_journal_line_with_logrus_inside() {
        let line = parse(
            r#"Nov 23 07:41:02 node-1 containerd[1873]: time="2026-11-23T07:41:02.283Z" level=error msg="PullImage \"r/a:1\" failed" error="x \"y\"" host=r"#,
        );
        assert_eq!((line.host.as_deref(), line.unit, line.message.as_str()), (Some("node-1"), Some(Unit::Containerd), r#"PullImage "r/a:1" failed"#));
        assert_eq!((line.field(&["error"]), line.field(&["host"])), (Some(r#"x "y""#), Some("r")));
        assert!(line.when.at.is_some());
    }

    #[test]
    fn klog_values_with_line_ends() {
        let line =
            parse("E0916 10:00:01.000001  1234 log.go:32] \"PullImage from image service failed\" err=<\n\trpc error: x\n\tdenied: y\n > image=\"r/a:1\"");
        assert_eq!(line.field(&["err"]), Some("\trpc error: x\n\tdenied: y"));
        assert_eq!(line.field(&["image"]), Some("r/a:1"));
    }

    #[test]
    fn what_begins_no_log_line() {
        assert!(!begins("Failed to pull image"));
        assert!(!begins("{\"kind\":\"Pod\",\"msg\":1}"));
        assert!(begins("{\"level\":\"info\",\"msg\":\"x\",\"time\":\"2026-11-30T10:00:00Z\"}"));
    }
}
