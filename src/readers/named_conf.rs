//! Where does a BIND server send its questions? `named.conf` and the files that it takes in.
//!
//! ```text
//! options {
//!         recursion yes;
//!         forwarders { 168.63.129.16; };
//!         listen-on { 10.60.0.4; 127.0.0.1; };
//! };
//! zone "corp.example" { type forward; forward only; forwarders { 10.0.0.4; }; };
//! ```

use std::net::IpAddr;

use super::File;
use crate::bundle::Source;
use crate::facts::names::{DnsServer, Forward};
use crate::facts::{Of, Owner};

/// Deeper than any statement of a server's setup.
const DEPTH: usize = 8;

pub(super) fn is_named_conf(lines: &[&str]) -> bool {
    let told = |l: &&str| {
        let l = l.trim();
        l.starts_with("options {")
            || l == "options"
            || l.starts_with("include \"")
            || (l.starts_with("zone \"") && (l.contains('{') || l.contains(" IN ")))
            || l.starts_with("view \"")
    };
    lines.iter().any(told) && lines.iter().any(|l| l.trim_end().ends_with(';') || l.trim_end().ends_with("};"))
}

/// A word, a text in quotes, or one of `{ } ;`, with its line.
struct Token {
    text: String,
    line: u32,
}

/// The words of a setup, without its comments.
fn tokens(content: &str) -> Vec<Token> {
    let mut out = Vec::new();
    let mut inside_comment = false;
    for (number, line) in crate::text::numbered(content) {
        let mut word = String::new();
        let mut quoted = false;
        let mut chars = line.chars().peekable();
        let mut push = |word: &mut String| {
            if !word.is_empty() {
                out.push(Token { text: std::mem::take(word), line: number });
            }
        };
        while let Some(c) = chars.next() {
            match c {
                '*' if inside_comment && chars.peek() == Some(&'/') => {
                    chars.next();
                    inside_comment = false;
                }
                _ if inside_comment => {}
                '"' => quoted = !quoted,
                _ if quoted => word.push(c),
                '/' if chars.peek() == Some(&'*') => inside_comment = true,
                '/' if chars.peek() == Some(&'/') => break,
                '#' => break,
                '{' | '}' | ';' => {
                    push(&mut word);
                    push(&mut c.to_string());
                }
                _ if c.is_whitespace() => push(&mut word),
                _ => word.push(c),
            }
        }
        push(&mut word);
    }
    out
}

pub(super) fn read(file: &mut File<'_>, content: &str) {
    let tokens = tokens(content);
    let mut server = DnsServer { place: super::dns_place(file.path), file: super::file_name(file.path), ..DnsServer::default() };
    let lines: Vec<&str> = content.lines().collect();
    let source = |file: &File<'_>, line: u32| file.source(line, lines.get(line.saturating_sub(1) as usize).copied().unwrap_or(""));
    // What surrounds the statement at hand: `options`, `zone corp.example`, `zone corp.example forwarders`.
    let mut around: Vec<Vec<String>> = Vec::new();
    let mut words: Vec<String> = Vec::new();
    let mut first_line = 1;
    let mut zone: Option<(String, Source)> = None;
    let mut seen = false;
    for token in &tokens {
        match token.text.as_str() {
            "{" => {
                match words.first().map(String::as_str) {
                    Some("options") => {
                        server.names_defaults = true;
                        server.defaults = Some(source(file, first_line));
                        seen = true;
                    }
                    Some("zone") => {
                        server.names_zones = true;
                        seen = true;
                        zone = words.get(1).map(|name| (bare(name), source(file, first_line)));
                    }
                    Some("forwarders") => {
                        let suffix = zone.as_ref().map(|(name, _)| name.clone()).unwrap_or_default();
                        server.forwards.push(Forward { suffix, to: Vec::new(), source: source(file, first_line) });
                    }
                    _ => {}
                }
                if around.len() >= DEPTH {
                    file.unread("nested deeper than a server's setup is");
                    break;
                }
                around.push(std::mem::take(&mut words));
            }
            "}" => {
                let closed = around.pop().unwrap_or_default();
                if closed.first().is_some_and(|w| w == "zone") {
                    zone = None;
                }
                words.clear();
            }
            ";" => {
                statement(&mut server, &around, &words, zone.as_ref(), source(file, token.line));
                seen |= words.first().is_some_and(|w| w == "include");
                words.clear();
            }
            text => {
                if words.is_empty() {
                    first_line = token.line;
                }
                words.push(text.to_owned());
            }
        }
    }
    // A main file without a line for other files holds all that there is.
    server.names_zones |= server.file == "named.conf" && server.includes.is_empty() && server.names_defaults;
    if !seen {
        return;
    }
    file.take("dns-server-config");
    let first = server.defaults.clone().unwrap_or_else(|| source(file, 1));
    file.facts.names.servers.push(Of { owner: Owner::Unknown, value: server, source: first });
}

fn statement(server: &mut DnsServer, around: &[Vec<String>], words: &[String], zone: Option<&(String, Source)>, here: Source) {
    let inner = around.last().and_then(|w| w.first()).map(String::as_str);
    match (inner, words) {
        (Some("forwarders"), [address, ..]) => {
            if let (Some(forward), Ok(address)) = (server.forwards.last_mut(), address.parse()) {
                forward.to.push(address);
                forward.source = here;
            }
        }
        // Of a setup without forwarders, this line says best what the server does instead.
        (Some("options"), [key, _]) if key == "recursion" => server.defaults = Some(here),
        (Some("listen-on" | "listen-on-v6"), [address]) => server.addresses.extend(address.parse::<IpAddr>()),
        (Some("zone"), [key, kind]) if key == "type" => {
            if let Some((name, source)) = zone.filter(|_| ["master", "primary", "slave", "secondary", "mirror", "redirect"].contains(&kind.as_str())) {
                server.own.push((name.clone(), source.clone()));
            }
        }
        (None, [key, path]) if key == "include" => server.includes.push(path.clone()),
        _ => {}
    }
}

fn bare(name: &str) -> String {
    name.trim_matches('.').to_lowercase()
}
