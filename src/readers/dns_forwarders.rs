//! Where do the smaller DNS servers and caches send their questions? A Corefile, dnsmasq, unbound, and Windows' own list.
//!
//! ```text
//! .:53 {                                   server=/corp.example/10.0.0.4         UseRootHint        : True
//!     bind 169.254.10.10                   server=168.63.129.16                  IPAddress          : {168.63.129.16}
//!     forward . 168.63.129.16
//! }
//! ```

use std::net::IpAddr;

use super::File;
use crate::bundle::Source;
use crate::facts::names::{DnsServer, Forward};
use crate::facts::{Of, Owner};
use crate::text;

/// Which of them a text sets up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Software {
    Corefile,
    Dnsmasq,
    Unbound,
    Windows,
}

pub(super) fn software(name: &str, lines: &[&str]) -> Option<Software> {
    let any = |test: &dyn Fn(&str) -> bool| lines.iter().any(|l| test(l.trim()));
    let block = |l: &str| l.ends_with('{') && l.split([' ', ',']).next().is_some_and(|z| z.starts_with('.') || z.contains(":53"));
    if any(&block) && any(&|l| l.starts_with("forward ") || l.starts_with("proxy ")) {
        return Some(Software::Corefile);
    }
    if any(&|l| l.starts_with("forward-zone:") || l.starts_with("stub-zone:")) || (name.contains("unbound") && any(&|l| l == "server:")) {
        return Some(Software::Unbound);
    }
    let dnsmasq = |l: &str| l.starts_with("server=") || l.starts_with("listen-address=") || l.starts_with("no-resolv") || l.starts_with("local=/");
    if any(&dnsmasq) && lines.iter().all(|l| !l.trim_start().starts_with('[') && !l.contains(" = ")) {
        return Some(Software::Dnsmasq);
    }
    let windows = |l: &str| l.starts_with("IPAddress") && l.contains(':') || l.starts_with("MasterServers") && l.contains(':');
    let of_windows = any(&|l| l.starts_with("UseRootHint") || l.starts_with("ZoneType") || l.starts_with("EnableReordering"));
    (any(&windows) && of_windows).then_some(Software::Windows)
}

pub(super) fn read(file: &mut File<'_>, content: &str) {
    let lines: Vec<&str> = content.lines().collect();
    let Some(software) = software(&super::file_name(file.path), &lines) else { return };
    let mut server = DnsServer { place: super::dns_place(file.path), file: super::file_name(file.path), ..DnsServer::default() };
    match software {
        Software::Corefile => return corefile(file, content),
        Software::Dnsmasq => dnsmasq(file, content, &mut server),
        Software::Unbound => unbound(file, content, &mut server),
        Software::Windows => windows(file, content, &mut server),
    }
    keep(file, "dns-server-config", server);
}

fn keep(file: &mut File<'_>, artefact: &'static str, server: DnsServer) {
    let first = server.forwards.first().map(|f| f.source.clone()).or_else(|| server.defaults.clone());
    let source = first.unwrap_or_else(|| file.source(1, ""));
    file.take(artefact);
    file.facts.names.servers.push(Of { owner: Owner::Unknown, value: server, source });
}

fn addresses<'t>(words: impl Iterator<Item = &'t str>) -> Vec<IpAddr> {
    // `10.0.0.4:53`, `tls://10.0.0.4`, `10.0.0.4#53`, `10.0.0.4@853`.
    let bare = |w: &'t str| {
        let w = w.rsplit("//").next().unwrap_or(w);
        w.parse().ok().or_else(|| w.split(['#', '@']).next()?.parse().ok()).or_else(|| w.rsplit_once(':')?.0.trim_matches(['[', ']']).parse().ok())
    };
    words.filter_map(bare).collect()
}

fn suffix(text: &str) -> String {
    let name = text.split("//").last().unwrap_or(text);
    name.split(':').next().unwrap_or(name).trim_matches(['.', '"', '*']).to_lowercase()
}

/// A block of a Corefile.
#[derive(Default)]
struct Block {
    zones: Vec<String>,
    bind: Vec<IpAddr>,
    forwards: Vec<(Vec<IpAddr>, Source)>,
}

/// Each listener of a Corefile is a server of its own: a cache on a node has one for the node and one for its pods.
fn corefile(file: &mut File<'_>, content: &str) {
    let mut servers: Vec<DnsServer> = Vec::new();
    let mut block: Option<Block> = None;
    let mut depth = 0usize;
    for (number, raw) in text::numbered(content) {
        let line = raw.split('#').next().unwrap_or("").trim();
        let words: Vec<&str> = line.split([' ', '\t', ',']).filter(|w| !w.is_empty()).collect();
        if depth == 0 && line.ends_with('{') {
            let zones = words.iter().filter(|w| **w != "{").map(|w| suffix(w)).collect();
            block = Some(Block { zones, ..Block::default() });
        } else if let Some(Block { bind, forwards, .. }) = block.as_mut().filter(|_| depth == 1) {
            match words.as_slice() {
                ["bind", rest @ ..] => bind.extend(addresses(rest.iter().copied())),
                ["forward" | "proxy", _, rest @ ..] => forwards.push((addresses(rest.iter().copied()), file.source(number, raw))),
                _ => {}
            }
        }
        depth = depth.saturating_add(line.matches('{').count()).saturating_sub(line.matches('}').count());
        if depth == 0
            && let Some(Block { zones, bind, forwards }) = block.take_if(|_| line.ends_with('}'))
        {
            let place = servers.iter().position(|s| s.addresses == bind);
            let at = place.unwrap_or(servers.len());
            if place.is_none() {
                let (place, name) = (super::dns_place(file.path), super::file_name(file.path));
                servers.push(DnsServer { addresses: bind, names_defaults: true, names_zones: true, place, file: name, ..DnsServer::default() });
            }
            let Some(server) = servers.get_mut(at) else { continue };
            for suffix in zones {
                // Without a forward a block answers from its own plugins, as the cluster's zone does.
                match forwards.first() {
                    Some((to, source)) => server.forwards.push(Forward { suffix, to: to.clone(), source: source.clone() }),
                    None => server.own.push((suffix, file.source(number, raw))),
                }
            }
        }
    }
    for mut server in servers {
        // A folder of its own that an address names is a server's of the network, though it listens on every address.
        if server.addresses.is_empty() {
            server.addresses.extend(file.path.split(['/', '!', '_', '-']).filter_map(|part| part.parse::<IpAddr>().ok()).take(1));
        }
        // Link-local listeners serve the machine itself; any other server of this kind is the cluster's own, for its pods.
        server.on_node = server.addresses.iter().any(|a| matches!(a, IpAddr::V4(v4) if v4.is_link_local()));
        if server.on_node {
            keep(file, "localdns-corefile", server);
        } else if !server.addresses.is_empty() {
            keep(file, "dns-server-config", server);
        }
    }
}

fn dnsmasq(file: &File<'_>, content: &str, server: &mut DnsServer) {
    let mut resolv = true;
    for (number, raw) in text::numbered(content) {
        let line = raw.split(" #").next().unwrap_or("").trim();
        let Some((key, value)) = line.split_once('=').or(Some((line, ""))).filter(|_| !line.starts_with('#')) else { continue };
        let source = file.source(number, raw);
        match key {
            "server" | "local" | "address" if value.starts_with('/') => {
                let mut parts: Vec<&str> = value.split('/').skip(1).collect();
                let to = parts.pop().unwrap_or("");
                for name in parts.into_iter().filter(|p| !p.is_empty()) {
                    match (key, addresses(std::iter::once(to))) {
                        ("server", to) if !to.is_empty() => server.forwards.push(Forward { suffix: suffix(name), to, source: source.clone() }),
                        _ => server.own.push((suffix(name), source.clone())),
                    }
                }
            }
            "server" => match server.forwards.iter_mut().find(|f| f.suffix.is_empty()) {
                Some(forward) => forward.to.extend(addresses(std::iter::once(value))),
                None => server.forwards.push(Forward { suffix: String::new(), to: addresses(std::iter::once(value)), source }),
            },
            "listen-address" => server.addresses.extend(addresses(value.split(','))),
            "no-resolv" => resolv = false,
            "conf-dir" | "conf-file" => server.includes.push(value.to_owned()),
            _ => {}
        }
        if server.defaults.is_none() && !line.is_empty() {
            server.defaults = Some(file.source(number, raw));
        }
    }
    // Without the word it asks the servers of the machine's own resolv.conf as well.
    server.names_defaults = !resolv;
    server.names_zones = true;
}

fn unbound(file: &File<'_>, content: &str, server: &mut DnsServer) {
    let mut suffix_at_hand = String::new();
    let mut forwarding = false;
    for (number, raw) in text::numbered(content) {
        let line = raw.split('#').next().unwrap_or("").trim();
        let (key, value) = line.split_once(':').map_or((line, ""), |(k, v)| (k.trim(), v.trim().trim_matches('"')));
        let source = file.source(number, raw);
        match key {
            "server" => server.defaults = Some(source),
            "forward-zone" | "stub-zone" => {
                forwarding = true;
                suffix_at_hand.clear();
            }
            "name" if forwarding => suffix_at_hand = suffix(value),
            "forward-addr" | "stub-addr" if forwarding => match server.forwards.iter_mut().find(|f| f.suffix == suffix_at_hand) {
                Some(forward) => forward.to.extend(addresses(std::iter::once(value))),
                None => server.forwards.push(Forward { suffix: suffix_at_hand.clone(), to: addresses(std::iter::once(value)), source }),
            },
            "interface" => server.addresses.extend(addresses(std::iter::once(value))),
            "local-zone" => server.own.extend(value.split(['"', ' ']).next().map(|name| (suffix(name), source))),
            "include" | "include-toplevel" => server.includes.push(value.to_owned()),
            _ => {}
        }
    }
    server.names_defaults = server.defaults.is_some();
    server.names_zones = true;
}

/// `Get-DnsServerForwarder` and `Get-DnsServerZone | fl`, each a list of `Key : Value`.
fn windows(file: &File<'_>, content: &str, server: &mut DnsServer) {
    let mut zone = String::new();
    for (number, raw) in text::numbered(content) {
        let Some((key, value)) = raw.split_once(':').map(|(k, v)| (k.trim(), v.trim())) else { continue };
        let list = || addresses(value.split(['{', '}', ',', ' ']));
        let source = file.source(number, raw);
        match key {
            "UseRootHint" => {
                server.names_defaults = true;
                server.defaults.get_or_insert(source);
            }
            "ZoneName" => {
                zone = suffix(value);
                server.names_zones = true;
            }
            "ZoneType" if !zone.is_empty() && ["Primary", "Secondary"].contains(&value) => server.own.push((zone.clone(), source)),
            "IPAddress" => {
                server.names_defaults = true;
                let to = list();
                server.defaults = Some(source.clone());
                if !to.is_empty() {
                    server.forwards.push(Forward { suffix: String::new(), to, source });
                }
            }
            "MasterServers" if !zone.is_empty() && !list().is_empty() => server.forwards.push(Forward { suffix: zone.clone(), to: list(), source }),
            _ => {}
        }
    }
}
