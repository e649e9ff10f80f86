//! What did a look-up on the node answer? `dig`, several queries in one file.
//!
//! ```text
//! ;; ->>HEADER<<- opcode: QUERY, status: NXDOMAIN, id: 41661
//! ;; QUESTION SECTION:
//! ;registry.corp.example.    IN    A
//! ;; SERVER: 172.28.9.10#53(172.28.9.10) (UDP)
//! ```

use std::net::IpAddr;

use super::File;
use crate::facts::{Lookup, Of, Owner};
use crate::text;

pub(super) fn read(file: &mut File<'_>, content: &str) {
    let mut current: Option<Lookup> = None;
    let mut done = Vec::new();
    for (number, line) in text::numbered(content) {
        let words: Vec<&str> = line.split_whitespace().collect();
        if line.starts_with("; <<>> DiG") {
            done.extend(current.take());
            let name = words.iter().skip(4).find(|w| w.contains('.') && !w.starts_with(['+', '@', '-', '<'])).map_or(String::new(), |w| bare(w));
            current = Some(Lookup {
                name,
                status: String::new(),
                aliases: Vec::new(),
                addresses: Vec::new(),
                server: asked(&words),
                chosen: words.iter().any(|w| w.starts_with('@')),
                source: file.source(number, line),
            });
        }
        let Some(lookup) = current.as_mut().or_else(|| {
            // Transcripts often leave the banner out.
            line.contains("->>HEADER<<-").then_some(())?;
            None
        }) else {
            if line.contains("->>HEADER<<-") {
                current = Some(Lookup {
                    name: String::new(),
                    status: status(line),
                    aliases: Vec::new(),
                    addresses: Vec::new(),
                    server: None,
                    chosen: false,
                    source: file.source(number, line),
                });
            }
            continue;
        };
        if line.contains("->>HEADER<<-") {
            lookup.status = status(line);
            lookup.source = file.source(number, line);
        } else if line.contains("timed out") || line.contains("no servers could be reached") {
            if lookup.status.is_empty() {
                lookup.status = "TIMEOUT".into();
                lookup.source = file.source(number, line);
            }
        } else if line.contains("connection refused") && lookup.status.is_empty() {
            lookup.status = "REFUSED-PORT".into();
        } else if let Some(rest) = line.strip_prefix(";; SERVER: ") {
            lookup.server = rest.split('#').next().and_then(|a| a.parse().ok());
        } else if let [question, "IN", ..] = words.as_slice()
            && question.starts_with(';')
        {
            lookup.name = bare(question.trim_start_matches(';'));
        } else if let [.., "IN", "CNAME", alias] = words.as_slice() {
            lookup.aliases.push(bare(alias));
        } else if let [.., "IN", "A" | "AAAA", address] = words.as_slice()
            && let Ok(address) = address.parse::<IpAddr>()
        {
            if lookup.addresses.is_empty() {
                lookup.source = file.source(number, line);
            }
            lookup.addresses.push(address);
        }
    }
    done.extend(current);
    done.retain(|l| !l.name.is_empty() && !l.status.is_empty());
    if done.is_empty() {
        done.extend(answers_alone(file, content));
    }
    keep(file, done);
}

/// Adds look-ups to the facts, whichever tool made them.
pub(super) fn keep(file: &mut File<'_>, done: Vec<Lookup>) {
    if done.is_empty() {
        return;
    }
    file.take("dig-output");
    for lookup in done {
        let source = lookup.source.clone();
        file.facts.lookups.push(Of { owner: Owner::Unknown, value: lookup, source });
    }
}

/// `registry.corp.example. 60 IN A 10.40.8.10`, all that `+noall +answer` prints.
pub(super) fn is_answer(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    matches!(words.as_slice(), [name, ttl, "IN", "A" | "AAAA" | "CNAME", _] if name.ends_with('.') && ttl.parse::<u32>().is_ok())
}

/// Answers without a header: the first name is the one that was asked for.
fn answers_alone(file: &File<'_>, content: &str) -> Option<Lookup> {
    let mut rows = text::numbered(content).filter(|(_, l)| is_answer(l)).peekable();
    let (_, first) = rows.peek()?;
    let name = bare(first.split_whitespace().next()?);
    let rows: Vec<(u32, &str)> = rows.collect();
    let last = |l: &str| l.split_whitespace().last().map(bare).unwrap_or_default();
    let aliases = rows.iter().filter(|(_, l)| l.split_whitespace().nth(3) == Some("CNAME")).map(|(_, l)| last(l)).collect();
    let found: Vec<(u32, &str, IpAddr)> = rows.iter().filter_map(|(n, l)| Some((*n, *l, last(l).parse().ok()?))).collect();
    let (number, line, _) = found.first()?;
    let command: Vec<&str> = file.command.as_deref().unwrap_or_default().split_whitespace().collect();
    Some(Lookup {
        name,
        status: "NOERROR".into(),
        aliases,
        addresses: found.iter().map(|(_, _, a)| *a).collect(),
        server: asked(&command),
        chosen: command.iter().any(|w| w.starts_with('@')),
        source: file.source(*number, line),
    })
}

/// `dig +short NAME`: addresses, behind the names on the way to them. No output may mean anything.
pub(super) fn short(file: &mut File<'_>, command: &str, output: &str, line: u32) {
    let words: Vec<&str> = command.split_whitespace().skip_while(|w| !w.ends_with("dig")).skip(1).collect();
    let Some(name) = words.iter().find(|w| w.contains('.') && !w.starts_with(['+', '@', '-'])) else { return };
    let mut lookup = Lookup {
        name: bare(name),
        status: "NOERROR".into(),
        aliases: Vec::new(),
        addresses: Vec::new(),
        server: asked(&words),
        chosen: words.iter().any(|w| w.starts_with('@')),
        source: file.source(line, command),
    };
    for (number, said) in text::numbered(output).map(|(n, l)| (n, l.trim())).filter(|(_, l)| !l.is_empty()) {
        match said.parse::<IpAddr>() {
            Ok(address) => {
                if lookup.addresses.is_empty() {
                    lookup.source = file.source(line + number, said);
                }
                lookup.addresses.push(address);
            }
            Err(_) if said.ends_with('.') && !said.contains(' ') => lookup.aliases.push(bare(said)),
            Err(_) => {}
        }
    }
    if !lookup.addresses.is_empty() {
        keep(file, vec![lookup]);
    }
}

fn bare(name: &str) -> String {
    name.trim_end_matches('.').to_lowercase()
}

fn asked(words: &[&str]) -> Option<IpAddr> {
    words.iter().find_map(|w| w.strip_prefix('@')).and_then(|a| a.parse().ok())
}

fn status(line: &str) -> String {
    line.split_once("status: ").and_then(|(_, rest)| rest.split([',', ' ']).next()).unwrap_or("").to_owned()
}
