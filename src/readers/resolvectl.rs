//! Which servers does systemd-resolved ask behind its stub? `resolvectl status`.
//!
//! ```text
//! Link 2 (eth0)
//! Current DNS Server: 10.60.0.4
//!        DNS Servers: 10.60.0.4 10.60.0.5
//! ```

use std::net::IpAddr;

use super::File;
use crate::facts::{Of, Owner, ResolvConf};
use crate::text;

pub(super) fn is_resolvectl(lines: &[&str]) -> bool {
    let any = |start: &str| lines.iter().any(|l| l.trim_start().starts_with(start));
    (any("Current DNS Server:") || any("DNS Servers:")) && (any("Link ") || any("Global"))
}

pub(super) fn read(file: &mut File<'_>, content: &str) {
    let mut conf = ResolvConf::default();
    let mut listing = false;
    for (number, line) in text::numbered(content) {
        let rest = match line.split_once(": ") {
            Some((key, rest)) => {
                // The server in use first: it is the one that answers.
                listing = key.trim().starts_with("DNS Servers") || key.trim() == "Current DNS Server";
                rest
            }
            // Older versions give each further server a line of its own.
            None => line,
        };
        let mut servers: Vec<IpAddr> = Vec::new();
        if listing {
            servers.extend(rest.split_whitespace().filter_map(|w| w.split(['%', '#']).next()?.parse::<IpAddr>().ok()));
            listing = !servers.is_empty();
        }
        for server in servers {
            if !conf.nameservers.iter().any(|(known, _)| *known == server) {
                conf.nameservers.push((server, file.source(number, line)));
            }
        }
    }
    let Some((_, first)) = conf.nameservers.first() else { return };
    let source = first.clone();
    file.take("node-resolved-status");
    file.facts.resolvers.push(Of { owner: Owner::Unknown, value: conf, source });
}
