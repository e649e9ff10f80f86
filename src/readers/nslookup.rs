//! What did `nslookup` answer? BIND's, busybox's and Windows' way of printing, several queries in one text.
//!
//! ```text
//! Server:     10.0.0.10
//! Address:    10.0.0.10#53
//!
//! registry.corp.example    canonical name = registry.privatelink.corp.example.
//! Name:   registry.privatelink.corp.example
//! Address: 10.20.5.5
//! ** server can't find other.corp.example: NXDOMAIN
//! ```

use std::net::IpAddr;

use super::File;
use crate::facts::Lookup;
use crate::text;

pub(super) fn is_nslookup(lines: &[&str]) -> bool {
    let server = lines.iter().position(|l| l.starts_with("Server:"));
    server.is_some_and(|at| lines.iter().skip(at + 1).take(2).any(|l| l.starts_with("Address:") || l.starts_with("Address 1:")))
}

/// Reads the answers; `asked` is the name from the command, where it is known: an answer may name only an alias of it. `chosen` says
/// that the command names a server.
pub(super) fn read(file: &mut File<'_>, content: &str, asked: Option<&str>, chosen: bool) {
    let mut server = None;
    let mut aliases: Vec<(String, String)> = Vec::new();
    let mut done: Vec<Lookup> = Vec::new();
    let mut open: Option<Lookup> = None;
    let mut in_server = false;
    for (number, line) in text::numbered(content) {
        let line = line.trim();
        if line.starts_with("Server:") {
            done.extend(open.take());
            (server, in_server) = (None, true);
            aliases.clear();
        } else if let Some((name, alias)) = line.split_once("canonical name =") {
            aliases.push((bare(name), bare(alias)));
        } else if let Some(name) = line.strip_prefix("Name:") {
            done.extend(open.take());
            in_server = false;
            open = Some(lookup(bare(name), "NOERROR", &aliases, asked, server, file.source(number, line)));
        } else if let Some(rest) = line.strip_prefix("** server can't find ") {
            let (name, status) = rest.split_once(": ").unwrap_or((rest, "NXDOMAIN"));
            done.push(lookup(bare(name), status.trim(), &aliases, asked, server, file.source(number, line)));
        } else if line.contains("connection timed out; no servers could be reached") || line.starts_with("*** Request to ") && line.contains("timed-out") {
            done.extend(asked.map(|name| lookup(bare(name), "TIMEOUT", &[], None, server, file.source(number, line))));
        } else if let Some(address) = address_of(line) {
            if in_server {
                server = server.or(Some(address));
            } else if let Some(lookup) = open.as_mut() {
                if lookup.addresses.is_empty() {
                    lookup.source = file.source(number, line);
                }
                lookup.addresses.push(address);
            }
        }
    }
    done.extend(open);
    done.iter_mut().for_each(|l| l.chosen = chosen);
    super::dig::keep(file, done);
}

/// The name asked for is the first that leads to the answer.
fn lookup(name: String, status: &str, aliases: &[(String, String)], asked: Option<&str>, server: Option<IpAddr>, source: crate::bundle::Source) -> Lookup {
    let mut first = name.clone();
    for _ in 0..aliases.len() {
        match aliases.iter().find(|(_, to)| *to == first) {
            Some((from, _)) => first.clone_from(from),
            None => break,
        }
    }
    // Windows prints the end of the way as the name, and what was asked for among `Aliases:`.
    let asked = asked.map(bare).filter(|a| a.contains('.') && aliases.is_empty() && first.contains(".privatelink.") && !a.contains(".privatelink."));
    let name_asked = asked.unwrap_or(first);
    let mut way: Vec<String> = aliases.iter().map(|(_, to)| to.clone()).collect();
    if name != name_asked && !way.contains(&name) {
        way.push(name);
    }
    Lookup { name: name_asked, status: status.to_owned(), aliases: way, addresses: Vec::new(), server, chosen: false, source }
}

/// `Address: 10.0.0.10#53`, `Addresses:  10.20.5.5`, busybox's `Address 1: 10.20.5.5 name`, a further line of its own.
fn address_of(line: &str) -> Option<IpAddr> {
    let rest = match line.strip_prefix("Address") {
        Some(rest) => rest.split_once(':')?.1,
        None => line,
    };
    let word = rest.split_whitespace().next()?.split('#').next()?;
    word.parse().ok().or_else(|| word.rsplit_once(':').filter(|(_, port)| *port == "53").and_then(|(a, _)| a.parse().ok()))
}

fn bare(name: &str) -> String {
    name.trim().trim_end_matches('.').to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bundle::FileId;
    use crate::facts::Facts;

    fn lookups(content: &str, asked: Option<&str>) -> Vec<(String, String, Vec<String>)> {
        let mut facts = Facts::default();
        read(&mut File { id: FileId::default(), path: "x", facts: &mut facts, fixed_line: None, command: None, written: None }, content, asked, false);
        facts.lookups.into_iter().map(|l| (l.value.name, l.value.status, l.value.addresses.iter().map(ToString::to_string).collect())).collect()
    }

    #[test]
    fn an_alias_leads_back_to_the_name_asked() {
        let text = "Server:\t\t127.0.0.53\nAddress:\t127.0.0.53#53\n\nr.azurecr.io\tcanonical name = r.privatelink.azurecr.io.\nName:\tr.privatelink.azurecr.io\nAddress: 10.20.5.5\n";
        assert_eq!(lookups(text, None), [("r.azurecr.io".into(), "NOERROR".into(), vec!["10.20.5.5".into()])]);
    }

    #[test]
    fn windows_and_busybox_and_refusals() {
        let windows = "Server:  dc01.corp.example\nAddress:  172.20.0.10\n\nName:    r.corp.example\nAddresses:  10.60.9.20\n\t  10.60.9.21\n";
        assert_eq!(lookups(windows, None), [("r.corp.example".into(), "NOERROR".into(), vec!["10.60.9.20".into(), "10.60.9.21".into()])]);
        let refused = "Server:\t\t10.96.0.10\nAddress:\t10.96.0.10#53\n\n** server can't find r.corp.example: SERVFAIL\n";
        assert_eq!(lookups(refused, None), [("r.corp.example".into(), "SERVFAIL".into(), vec![])]);
        assert_eq!(lookups("Server:\t\t10.96.0.10\nAddr", None), []);
    }
}
