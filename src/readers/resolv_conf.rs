//! Which resolvers does a `resolv.conf` name?
//!
//! ```text
//! nameserver 168.63.129.16
//! search corp.example
//! options edns0
//! ```

use std::net::IpAddr;

use super::File;
use crate::facts::{Of, Owner, ResolvConf};
use crate::text;

pub(super) fn is_resolv_conf(lines: &[&str]) -> bool {
    may_be(lines) && lines.iter().any(|l| l.split_whitespace().next() == Some("nameserver"))
}

/// Whether nothing stands there that such a file could not hold.
pub(super) fn may_be(lines: &[&str]) -> bool {
    const WORDS: [&str; 5] = ["nameserver", "search", "options", "domain", "sortlist"];
    let mut said = lines.iter().map(|l| l.trim()).filter(|l| !l.is_empty() && !l.starts_with(['#', ';']));
    said.all(|l| l.split_whitespace().next().is_some_and(|w| WORDS.contains(&w)))
}

pub(super) fn read(file: &mut File<'_>, content: &str) {
    let mut conf = ResolvConf::default();
    for (number, line) in text::numbered(content) {
        let mut words = line.split(['#', ';']).next().unwrap_or("").split_whitespace();
        match words.next() {
            Some("nameserver") => {
                let address = words.next().and_then(|a| a.split('%').next().unwrap_or(a).parse::<IpAddr>().ok());
                match address {
                    Some(address) => conf.nameservers.push((address, file.source(number, line))),
                    None => file.unread(format!("line {number}: the nameserver is no address")),
                }
            }
            Some("search" | "domain") => conf.search.extend(words.map(str::to_owned)),
            _ => {}
        }
    }
    let first = conf.nameservers.first().map_or_else(|| file.source(1, ""), |(_, source)| source.clone());
    file.take("node-resolv-conf");
    file.facts.resolvers.push(Of { owner: Owner::Unknown, value: conf, source: first });
}
