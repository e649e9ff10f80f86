//! Does a request to this host go through the proxy? As Go decides, since every runtime is written in it.
//!
//! The rules are those of `golang.org/x/net/http/httpproxy`: entries are separated by commas alone; `*` covers everything; a
//! name covers itself and what stands below it, with a leading dot or `*.` only what stands below; an address or a range
//! covers addresses, never names, since nothing is looked up before the choice; an entry with a port covers that port alone.

use std::net::IpAddr;

use ipnet::IpNet;

/// The entry that keeps a request to `host` and `port` from the proxy, where there is one; `localhost` and loopback addresses
/// need none.
pub fn bypass<'e>(entries: &'e [String], host: &str, port: u16) -> Option<Bypass<'e>> {
    let host = host.trim().trim_start_matches('[').trim_end_matches(']').to_lowercase();
    let address: Option<IpAddr> = host.parse().ok();
    if host == "localhost" || address.is_some_and(|a| a.is_loopback()) {
        return Some(Bypass::Loopback);
    }
    entries.iter().find(|e| covers(e, &host, address, port)).map(|e| Bypass::Entry(e))
}

/// Why a request goes past the proxy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bypass<'e> {
    /// The machine itself is never reached through a proxy.
    Loopback,
    /// This entry covers it.
    Entry(&'e str),
}

fn covers(entry: &str, host: &str, address: Option<IpAddr>, port: u16) -> bool {
    let entry = entry.trim().to_lowercase();
    if entry == "*" {
        return true;
    }
    if entry.contains('/') {
        // Whatever else holds a slash, an address with a scheme before all, covers nothing.
        return entry.parse::<IpNet>().is_ok_and(|net| address.is_some_and(|a| net.contains(&a)));
    }
    let (name, wanted) = split_port(&entry);
    if name.is_empty() || wanted.is_some_and(|p| p.parse() != Ok(port)) {
        return false;
    }
    if let Ok(own) = name.parse::<IpAddr>() {
        return address.is_some_and(|a| a == own);
    }
    if address.is_some() {
        return false;
    }
    let name = name.strip_prefix('*').filter(|rest| rest.starts_with('.')).unwrap_or(name);
    match name.strip_prefix('.') {
        Some(suffix) => host.strip_suffix(suffix).is_some_and(|rest| rest.ends_with('.')),
        None => host == name || host.strip_suffix(name).is_some_and(|rest| rest.ends_with('.')),
    }
}

/// `host:port` and `[address]:port` in parts; a bare IPv6 address has colons and no port.
fn split_port(entry: &str) -> (&str, Option<&str>) {
    if let Some(rest) = entry.strip_prefix('[') {
        return match rest.split_once(']') {
            Some((address, port)) if port.starts_with(':') => (address, port.strip_prefix(':').filter(|p| !p.is_empty())),
            // Brackets without a port are taken for a name, which no address has.
            _ => (entry, None),
        };
    }
    match entry.split_once(':') {
        Some((name, port)) if !port.contains(':') => (name, Some(port).filter(|p| !p.is_empty())),
        _ => (entry, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Entries, host, port, and whether Go goes past the proxy.
    const CASES: [(&str, &str, u16, bool); 72] = [
        // Names cover themselves and what stands below them.
        ("corp.example", "corp.example", 443, true),
        ("corp.example", "r.corp.example", 443, true),
        ("corp.example", "a.b.corp.example", 443, true),
        ("corp.example", "xcorp.example", 443, false),
        ("corp.example", "corp.example.org", 443, false),
        ("r.corp.example", "corp.example", 443, false),
        ("r.corp.example", "r.corp.example", 443, true),
        ("r.corp.example", "s.corp.example", 443, false),
        ("example", "r.corp.example", 443, true),
        ("xample", "r.corp.example", 443, false),
        // With a leading dot only what stands below.
        (".corp.example", "r.corp.example", 443, true),
        (".corp.example", "a.r.corp.example", 443, true),
        (".corp.example", "corp.example", 443, false),
        (".corp.example", "xcorp.example", 443, false),
        ("*.corp.example", "r.corp.example", 443, true),
        ("*.corp.example", "corp.example", 443, false),
        ("*.corp.example", "a.b.corp.example", 443, true),
        ("*corp.example", "r.corp.example", 443, false),
        ("*corp.example", "xcorp.example", 443, false),
        ("r.*.example", "r.corp.example", 443, false),
        ("r*.corp.example", "r1.corp.example", 443, false),
        // The star alone covers everything, wherever it stands.
        ("*", "anything.example", 443, true),
        ("*", "10.1.2.3", 443, true),
        ("a.example,*", "anything.example", 443, true),
        ("*.", "anything.example", 443, false),
        // Case and blanks round an entry do not count; a blank between two makes one entry that covers nothing.
        ("CORP.Example", "r.corp.example", 443, true),
        ("corp.example", "R.CORP.EXAMPLE", 443, true),
        (" corp.example ", "r.corp.example", 443, true),
        ("a.example, corp.example", "r.corp.example", 443, true),
        ("a.example corp.example", "r.corp.example", 443, false),
        ("a.example;corp.example", "r.corp.example", 443, false),
        ("a.example|corp.example", "r.corp.example", 443, false),
        ("", "r.corp.example", 443, false),
        (",,", "r.corp.example", 443, false),
        // A port limits the entry to it.
        ("corp.example:443", "r.corp.example", 443, true),
        ("corp.example:443", "r.corp.example", 5000, false),
        ("corp.example:5000", "r.corp.example", 443, false),
        ("corp.example:80", "corp.example", 443, false),
        (".corp.example:443", "r.corp.example", 443, true),
        ("*.corp.example:5000", "r.corp.example", 5000, true),
        ("corp.example", "r.corp.example", 5000, true),
        (":443", "r.corp.example", 443, false),
        ("*:443", "r.corp.example", 443, false),
        // Addresses and ranges cover addresses.
        ("10.1.2.3", "10.1.2.3", 443, true),
        ("10.1.2.3", "10.1.2.4", 443, false),
        ("10.1.2.3:443", "10.1.2.3", 443, true),
        ("10.1.2.3:443", "10.1.2.3", 5000, false),
        ("10.0.0.0/8", "10.1.2.3", 443, true),
        ("10.0.0.0/8", "11.1.2.3", 443, false),
        ("10.1.2.3/8", "10.9.9.9", 443, true),
        ("10.0.0.0/8", "r.corp.example", 443, false),
        ("0.0.0.0/0", "r.corp.example", 443, false),
        ("10.0.0.0/8:443", "10.1.2.3", 443, false),
        ("10.0.0", "10.0.0.1", 443, false),
        ("10.", "10.1.2.3", 443, false),
        ("10.*", "10.1.2.3", 443, false),
        ("10.0.0.0-10.0.0.255", "10.0.0.7", 443, false),
        ("fd00::1", "fd00::1", 443, true),
        ("fd00:0::1", "fd00::1", 443, true),
        ("[fd00::1]", "fd00::1", 443, false),
        ("[fd00::1]:443", "fd00::1", 443, true),
        ("[fd00::1]:443", "fd00::1", 5000, false),
        ("fd00::/8", "fd12::9", 443, true),
        ("fd00::/8", "2001:db8::1", 443, false),
        // The machine itself needs no entry.
        ("", "localhost", 5000, true),
        ("", "127.0.0.1", 5000, true),
        ("", "127.8.9.10", 5000, true),
        ("", "::1", 5000, true),
        ("", "localhost.localdomain", 5000, false),
        // An address of the web is no entry.
        ("https://r.corp.example", "r.corp.example", 443, false),
        ("r.corp.example/", "r.corp.example", 443, false),
        ("r.corp.example/v2", "r.corp.example", 443, false),
    ];

    #[test]
    fn as_go_decides() {
        for (entries, host, port, want) in CASES {
            let list: Vec<String> = entries.split(',').map(str::to_owned).collect();
            assert_eq!(bypass(&list, host, port).is_some(), want, "NO_PROXY={entries:?} for {host}:{port}");
        }
    }
}
