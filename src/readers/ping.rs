//! Which packets pass the way from the node, and how large are those that its links send? `ping -M do`, `ip addr`, `ip link`.
//!
//! ```text
//! PING 10.40.8.10 (10.40.8.10) 1472(1500) bytes of data.
//! 3 packets transmitted, 0 received, 100% packet loss, time 2041ms
//! 2: eth0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc mq state UP
//! ```

use std::net::IpAddr;

use super::File;
use crate::facts::{Link, Of, Owner, Probe};
use crate::text;

pub(super) fn is_ping(lines: &[&str]) -> bool {
    lines.iter().any(|l| head(l).is_some())
}

pub(super) fn are_links(lines: &[&str]) -> bool {
    lines.iter().any(|l| link(l).is_some())
}

/// Without `-M do` a packet may be cut on the way, and shows nothing.
pub(super) fn read(file: &mut File<'_>, content: &str) {
    let command = file.command.clone().or_else(|| content.lines().next().filter(|l| l.contains("ping ")).map(str::to_owned));
    if !command.is_some_and(|c| c.contains("-M do") || c.contains("-Mdo")) {
        return;
    }
    let mut open: Option<Of<Probe>> = None;
    for (number, line) in text::numbered(content) {
        if let Some((host, to, size)) = head(line) {
            let value = Probe { host: host.to_lowercase(), to, size, answered: Some(false) };
            open = Some(Of { owner: Owner::Unknown, value, source: file.source(number, line) });
            continue;
        }
        let Some(probe) = open.as_mut() else { continue };
        let too_large = ["message too long", "Message too long", "Frag needed", "Packet too big", "Unreachable"].iter().any(|w| line.contains(w));
        if too_large {
            probe.value.answered = None;
        } else if let Some(received) = received(line) {
            probe.value.answered = probe.value.answered.map(|_| received > 0);
            probe.source = file.source(number, line);
            file.take("path-mtu");
            file.facts.probes.extend(open.take());
        }
    }
}

pub(super) fn read_links(file: &mut File<'_>, content: &str) {
    for (number, line) in text::numbered(content) {
        let Some((name, mtu)) = link(line) else { continue };
        let source = file.source(number, line);
        file.take("path-mtu");
        file.facts.links.push(Of { owner: Owner::Unknown, value: Link { name: name.to_owned(), mtu }, source });
    }
}

/// `PING r.example (10.40.8.10) 1472(1500) bytes of data.`
fn head(line: &str) -> Option<(&str, IpAddr, u32)> {
    let (host, rest) = line.strip_prefix("PING ")?.split_once(" (")?;
    let (address, rest) = rest.split_once(") ")?;
    let (_, whole) = rest.split_once(" bytes of data")?.0.rsplit_once('(')?;
    Some((host, address.parse().ok()?, whole.trim_end_matches(')').parse().ok()?))
}

/// `3 packets transmitted, 0 received, 100% packet loss, time 2041ms`
fn received(line: &str) -> Option<u32> {
    let (_, rest) = line.split_once(" packets transmitted, ")?;
    rest.split_whitespace().next()?.parse().ok()
}

/// `2: eth0@if7: <BROADCAST,UP> mtu 1500 ...`; the loopback sends nothing that matters here.
fn link(line: &str) -> Option<(&str, u32)> {
    let (number, rest) = line.split_once(": ")?;
    let (name, rest) = rest.split_once(": <")?;
    let (flags, rest) = rest.split_once("> mtu ")?;
    let is_up = flags.split(',').any(|f| f == "UP") && !flags.contains("LOOPBACK");
    let mtu = rest.split_whitespace().next()?.parse().ok()?;
    (number.bytes().all(|b| b.is_ascii_digit()) && is_up).then(|| (name.split('@').next().unwrap_or(name), mtu))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bundle::FileId;
    use crate::facts::Facts;

    fn probes(content: &str) -> Vec<(u32, Option<bool>)> {
        let mut facts = Facts::default();
        let command = Some("ping -M do -c 3 -s 1472 10.40.8.10".to_owned());
        read(&mut File { id: FileId::default(), path: "x", facts: &mut facts, fixed_line: None, command, written: None }, content);
        facts.probes.into_iter().map(|p| (p.value.size, p.value.answered)).collect()
    }

    #[test]
    fn sizes_and_answers() {
        let head = "PING 10.40.8.10 (10.40.8.10) 1472(1500) bytes of data.\n";
        assert_eq!(probes(&format!("{head}3 packets transmitted, 0 received, 100% packet loss\n")), [(1500, Some(false))]);
        assert_eq!(probes(&format!("{head}3 packets transmitted, 2 received, 33% packet loss\n")), [(1500, Some(true))]);
        assert_eq!(probes(&format!("{head}ping: local error: message too long, mtu=1400\n3 packets transmitted, 0 received, +3 errors\n")), [(1500, None)]);
        assert_eq!(probes(head), []);
    }

    #[test]
    fn links_that_are_up() {
        assert_eq!(link("2: eth0@if7: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc mq state UP"), Some(("eth0", 1500)));
        assert_eq!(link("1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536 qdisc noqueue"), None);
        assert_eq!(link("3: docker0: <NO-CARRIER,BROADCAST,MULTICAST> mtu 1500"), None);
    }
}
