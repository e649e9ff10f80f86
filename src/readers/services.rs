//! When were the node's services started, when were files written, and is the clock right? What systemd, ls and chrony print.
//!
//! ```text
//! ● containerd.service - containerd container runtime
//!      Active: active (running) since Fri 2026-11-27 08:31:10 UTC; 2h ago
//! ActiveEnterTimestamp=Fri 2026-11-27 08:31:10 UTC
//! -rw-r--r-- 1 root root 219342 2026-11-30 07:58:11.123456789 +0000 /etc/ssl/certs/ca-certificates.crt
//! System clock synchronized: yes
//! ```

use super::File;
use crate::facts::{Clock, FileTime, Of, Owner, Service, time};
use crate::text;

pub(super) fn is_services(lines: &[&str]) -> bool {
    lines.iter().any(|l| {
        let said = l.trim_start();
        unit(said).is_some() || said.starts_with("ActiveEnterTimestamp=") || synchronised(said).is_some() || offset(said).is_some() || listed(said).is_some()
    })
}

pub(super) fn read(file: &mut File<'_>, content: &str, units: &[&str]) {
    let mut current: Option<String> = None;
    let mut units = units.iter().map(|u| bare(u));
    let mut clock: Option<Of<Clock>> = None;
    let (mut system, mut hardware) = (None, None);
    for (number, line) in text::numbered(content) {
        let said = line.trim_start();
        if let Some(name) = unit(said).or_else(|| said.strip_prefix("Id=").map(bare)) {
            current = Some(name);
        } else if let Some(since) = said.strip_prefix("ActiveEnterTimestamp=").or_else(|| active(said)).and_then(stamp) {
            if let Some(name) = current.take().or_else(|| units.next()) {
                let source = file.source(number, line);
                file.take("node-services");
                file.facts.services.push(Of { owner: Owner::Unknown, value: Service { name, since }, source });
            }
        } else if let Some((written, path)) = listed(said) {
            let source = file.source(number, line);
            file.facts.file_times.push(Of { owner: Owner::Unknown, value: FileTime { path: path.to_owned(), written }, source });
        } else if let Some(at) = said.strip_prefix("Universal time:").and_then(utc) {
            system = Some((at, number, line));
        } else if let Some(at) = said.strip_prefix("RTC time:").and_then(utc) {
            hardware = Some(at);
        } else if said == "RTC in local TZ: yes" {
            hardware = None;
        } else if synchronised(said).is_some() || offset(said).is_some() {
            let known = clock.get_or_insert_with(|| Of { owner: Owner::Unknown, value: Clock::default(), source: file.source(number, line) });
            known.value.synchronised = known.value.synchronised.or(synchronised(said));
            known.value.offset = known.value.offset.or(offset(said));
        }
    }
    if let (Some((system, number, line)), Some(hardware)) = (system, hardware) {
        let known = clock.get_or_insert_with(|| Of { owner: Owner::Unknown, value: Clock::default(), source: file.source(number, line) });
        known.value.ahead_of_hardware = Some(system.duration_since(hardware).as_secs());
    }
    if let Some(clock) = clock {
        file.take("node-clock");
        file.facts.clocks.push(clock);
    }
}

/// `Mon 2026-11-30 10:00:02 UTC` and, of the hardware clock, `Mon 2026-11-30 10:00:02`.
fn utc(text: &str) -> Option<jiff::Timestamp> {
    let words: Vec<&str> = text.split_whitespace().collect();
    match words.as_slice() {
        [_, day, clock] | [_, day, clock, "UTC"] => time::stamp(&format!("{day}T{clock}Z")),
        _ => None,
    }
}

fn bare(unit: &str) -> String {
    unit.trim().trim_end_matches(".service").to_owned()
}

/// `● containerd.service - containerd container runtime`
fn unit(line: &str) -> Option<String> {
    let rest = line.strip_prefix(['●', '○', '×', '*'])?.trim_start();
    let (name, _) = rest.split_once(" - ")?;
    name.strip_suffix(".service").map(str::to_owned)
}

/// `Active: active (running) since Fri 2026-11-27 08:31:10 UTC; 2h ago`
fn active(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("Active: active")?;
    rest.split_once(" since ")?.1.split(';').next()
}

/// `Fri 2026-11-27 08:31:10 UTC`; another zone than UTC is not reckoned with.
fn stamp(text: &str) -> Option<jiff::Timestamp> {
    let words: Vec<&str> = text.split_whitespace().collect();
    match words.as_slice() {
        [_, day, clock, "UTC" | "GMT"] => time::stamp(&format!("{day}T{clock}Z")),
        _ => None,
    }
}

/// `System clock synchronized: yes`, `NTPSynchronized=yes`, chrony's `Leap status     : Normal`.
fn synchronised(line: &str) -> Option<bool> {
    let yes = |value: &str| match value.trim() {
        "yes" | "Normal" => Some(true),
        "no" | "Not synchronised" => Some(false),
        _ => None,
    };
    let (key, value) = line.split_once([':', '='])?;
    matches!(key.trim(), "System clock synchronized" | "NTP synchronized" | "NTPSynchronized" | "Leap status").then(|| yes(value)).flatten()
}

/// `System time     : 86399.5 seconds slow of NTP time`
fn offset(line: &str) -> Option<i64> {
    let rest = line.strip_prefix("System time")?.trim_start().strip_prefix(':')?;
    let number: f64 = rest.split_whitespace().next()?.parse().ok()?;
    let seconds = if rest.contains("slow of") { -number } else { number };
    (rest.contains("of NTP time") && number.is_finite() && number < 1e12).then_some(seconds as i64)
}

/// A row of `ls -l --time-style=full-iso`: when it was written, and its path.
fn listed(line: &str) -> Option<(jiff::Timestamp, &str)> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [mode, _, _, _, _, day, clock, zone, path, ..] = words.as_slice() else { return None };
    let is_mode = mode.len() >= 10 && mode.starts_with(['-', 'l']);
    (is_mode && zone.starts_with(['+', '-'])).then(|| Some((time::stamp(&format!("{day}T{clock}{zone}"))?, *path))).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bundle::FileId;
    use crate::facts::Facts;

    fn read_of(content: &str, units: &[&str]) -> Facts {
        let mut facts = Facts::default();
        read(&mut File { id: FileId::default(), path: "x", facts: &mut facts, fixed_line: None, command: None, written: None }, content, units);
        facts
    }

    #[test]
    fn status_show_listing_and_clock() {
        let want = "2026-11-27T08:31:10Z".parse().unwrap();
        let status = read_of("● containerd.service - containerd\n   Active: active (running) since Fri 2026-11-27 08:31:10 UTC; 2h ago\n", &[]);
        assert_eq!(status.services.iter().map(|s| (s.value.name.as_str(), s.value.since)).collect::<Vec<_>>(), [("containerd", want)]);
        let show = read_of("ActiveEnterTimestamp=Fri 2026-11-27 08:31:10 UTC\n", &["containerd"]);
        assert_eq!(show.services.len(), 1);
        let list = read_of("-rw-r--r-- 1 root root 219342 2026-11-27 08:31:10.000000000 +0000 /etc/ssl/certs/ca-certificates.crt\n", &[]);
        assert_eq!(
            list.file_times.iter().map(|t| (t.value.path.as_str(), t.value.written)).collect::<Vec<_>>(),
            [("/etc/ssl/certs/ca-certificates.crt", want)]
        );
        let clock = read_of("System time     : 86399.5 seconds slow of NTP time\nLeap status     : Normal\n", &[]);
        assert_eq!(clock.clocks.iter().map(|c| (c.value.offset, c.value.synchronised)).collect::<Vec<_>>(), [(Some(-86399), Some(true))]);
    }

    #[test]
    fn what_tells_nothing() {
        let facts = read_of(
            "● containerd.service - containerd\n   Active: inactive (dead)\n-rw-r--r-- 1 root root 12 May  4  2026 a.crt\nActiveEnterTimestamp=\n",
            &[],
        );
        assert!(facts.services.is_empty() && facts.file_times.is_empty() && facts.clocks.is_empty());
    }
}
