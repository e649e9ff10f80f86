//! Which names does a hosts file pin to which addresses?
//!
//! ```text
//! 127.0.0.1 localhost
//! 10.40.8.10 registry.corp.example registry   # until DNS is fixed
//! ```

use std::net::IpAddr;

use super::File;
use crate::facts::{HostEntry, Machine, Of, Owner};
use crate::text;

fn entry(line: &str) -> Option<(IpAddr, Vec<String>)> {
    let mut words = line.split('#').next()?.split_whitespace();
    let address = words.next()?;
    let address = address.split('%').next()?.parse().ok()?;
    let names: Vec<String> = words.map(str::to_lowercase).collect();
    (!names.is_empty()).then_some((address, names))
}

pub(super) fn is_hosts_file(name: &str, lines: &[&str]) -> bool {
    let said: Vec<&str> = lines.iter().map(|l| l.trim()).filter(|l| !l.is_empty() && !l.starts_with('#')).collect();
    let entries = said.iter().filter(|l| entry(l).is_some()).count();
    let localhost = said.iter().any(|l| entry(l).is_some_and(|(_, names)| names.iter().any(|n| n == "localhost")));
    let called_so = name == "hosts" || name.starts_with("hosts") || name.starts_with("etchosts") || name.starts_with("etc-hosts");
    // `getent hosts` prints one line of the same shape: without localhost, the name must say that it is the file.
    entries > 0 && entries == said.len() && (called_so || localhost)
}

pub(super) fn read(file: &mut File<'_>, content: &str) {
    let entries: Vec<HostEntry> = text::numbered(content)
        .filter_map(|(number, line)| entry(line).map(|(address, names)| HostEntry { address, names, source: file.source(number, line) }))
        .collect();
    // A machine pins its own name beside localhost; its other lines may name any.
    let own = entries.iter().filter(|e| e.address.is_loopback()).flat_map(|e| &e.names).filter(|n| !n.contains("localhost") && !n.starts_with("ip6-"));
    let own: Vec<_> = own.map(|name| (file.id, Machine::Named(name.clone()))).collect();
    file.facts.spoken.extend(own);
    let source = entries.first().map_or_else(|| file.source(1, ""), |e| e.source.clone());
    file.take("node-hosts-file");
    file.facts.hosts_files.push(Of { owner: Owner::Unknown, value: entries, source });
}
