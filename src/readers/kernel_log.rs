//! What did the node's kernel complain of? `dmesg -T`, with the moments by the node's own clock.
//!
//! ```text
//! [Mon Nov 30 08:01:02 2026] nf_conntrack: nf_conntrack: table full, dropping packet
//! ```

use jiff::Timestamp;

use super::File;
use crate::facts::{KernelLog, Of, Owner, time};
use crate::text;

pub(super) fn is_kernel_log(lines: &[&str]) -> bool {
    let mut said = lines.iter().filter(|l| !l.trim().is_empty()).take(50).peekable();
    said.peek().is_some() && said.all(|l| l.starts_with('[') && (moment(l).is_some() || since_boot(l)))
}

pub(super) fn read(file: &mut File<'_>, content: &str) {
    let mut log = KernelLog::default();
    let mut first = None;
    for (number, line) in text::numbered(content) {
        let Some((at, said)) = moment(line) else { continue };
        first.get_or_insert_with(|| file.source(number, line));
        log.since = Some(log.since.map_or(at, |since| since.min(at)));
        if said.contains("nf_conntrack") && said.contains("table full, dropping packet") {
            log.table_full.push((at, file.source(number, line)));
        }
    }
    // Seconds since the node was started tell no moment.
    let Some(source) = first else { return };
    file.take("kernel-log");
    file.facts.kernel_logs.push(Of { owner: Owner::Unknown, value: log, source });
}

/// `[Mon Nov 30 08:01:02 2026] ...`: the moment, and what was said.
fn moment(line: &str) -> Option<(Timestamp, &str)> {
    let (stamp, said) = line.strip_prefix('[')?.split_once("] ")?;
    let words: Vec<&str> = stamp.split_whitespace().collect();
    let [_, month, day, clock, year] = words.as_slice() else { return None };
    let day: u8 = day.parse().ok()?;
    Some((time::stamp(&format!("{year}-{:02}-{day:02}T{clock}Z", time::month(month)?))?, said))
}

/// `[    0.000000] Linux version ...`
fn since_boot(line: &str) -> bool {
    let stamp = line.strip_prefix('[').and_then(|l| l.split_once("] ")).map_or("", |(stamp, _)| stamp.trim());
    stamp.split_once('.').is_some_and(|(a, b)| [a, b].iter().all(|n| !n.is_empty() && n.bytes().all(|c| c.is_ascii_digit())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_and_seconds() {
        let (at, said) = moment("[Mon Nov  2 08:01:02 2026] nf_conntrack: table full").unwrap();
        assert_eq!((at.to_string().as_str(), said), ("2026-11-02T08:01:02Z", "nf_conntrack: table full"));
        assert!(since_boot("[   12.345678] eth0: link up") && moment("[   12.345678] eth0: link up").is_none());
        assert!(!is_kernel_log(&["[host.\"https://r.example\"]", "x"]) && is_kernel_log(&["[Mon Nov  2 08:01:02 2026] x"]));
    }
}
