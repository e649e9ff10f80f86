//! Which command printed which part? People run several on a node and keep one text; `az vmss run-command` wraps such a text in JSON.
//!
//! ```text
//! $ cat /etc/resolv.conf
//! nameserver 168.63.129.16
//! $ dig registry.corp.example
//! ```

use std::net::IpAddr;

use super::classify::{self, Kind};
use super::{File, log};
use crate::facts::{Lookup, Of, Owner};
use crate::text;

/// Commands that people run for a pull; a line with a prompt and another word is prose or a comment.
const COMMANDS: [&str; 26] = [
    "cat",
    "dig",
    "nslookup",
    "getent",
    "curl",
    "openssl",
    "ip",
    "ls",
    "hostname",
    "journalctl",
    "resolvectl",
    "systemctl",
    "crictl",
    "ctr",
    "nft",
    "iptables-save",
    "iptables",
    "df",
    "timedatectl",
    "date",
    "uptime",
    "kubectl",
    "az",
    "docker",
    "podman",
    "skopeo",
];

/// A command's output: the line of the command, the command, and what it printed.
struct Section<'t> {
    line: u32,
    command: &'t str,
    output: &'t str,
}

/// The command of a line that begins a section: `$ cmd`, `# cmd`, `### cmd`, `--- cmd`, `==> cmd`, `root@node:/# cmd`.
fn command(line: &str) -> Option<&str> {
    let rest = match line.find(['#', '$']) {
        Some(at) if line.get(..at).is_some_and(|p| p.contains('@') && !p.contains(' ')) => line.get(at + 1..)?,
        _ => line
            .strip_prefix("### ")
            .or_else(|| line.strip_prefix("--- "))
            .or_else(|| line.strip_prefix("==> "))
            .or_else(|| line.strip_prefix("$ "))
            .or_else(|| line.strip_prefix("# "))
            .or_else(|| line.strip_prefix("+ "))?,
    };
    let rest = rest.trim().trim_end_matches(" <==").trim_start_matches("sudo ").trim_start_matches("chroot /host ");
    let word = rest.split([' ', ';']).next()?;
    COMMANDS.contains(&word.rsplit('/').next().unwrap_or(word)).then_some(rest)
}

fn sections(content: &str) -> Vec<Section<'_>> {
    let mut out: Vec<(u32, &str, usize, usize)> = Vec::new();
    let mut at = 0;
    for (number, line) in (1u32..).zip(content.split_inclusive('\n')) {
        let end = at + line.len();
        if let Some(command) = command(line.trim_end()) {
            out.push((number, command, end, end));
        } else if let Some(last) = out.last_mut() {
            last.3 = end;
        }
        at = end;
    }
    out.into_iter().map(|(line, command, from, to)| Section { line, command, output: content.get(from..to).unwrap_or("") }).collect()
}

/// A text that begins with a command and holds another. The output of one command alone is left to its own reader;
/// `getent` has none, because without the command its output does not tell what was asked.
pub(super) fn is_transcript(lines: &[&str]) -> bool {
    let mut commands = lines.iter().filter_map(|l| command(l.trim_end()));
    let begins = lines.iter().find(|l| !l.trim().is_empty()).is_some_and(|l| command(l.trim_end()).is_some());
    begins && commands.next().is_some_and(|first| first.starts_with("getent ") || commands.next().is_some())
}

/// Reads a text of several commands, each part by its own reader.
pub(super) fn read(file: &mut File<'_>, content: &str) {
    let sections = sections(content);
    let host = sections.iter().find(|s| s.command == "hostname").and_then(|s| s.output.split_whitespace().next());
    let host = host.or_else(|| content.lines().find_map(prompt_host));
    if let Some(host) = host {
        file.facts.hostnames.push((file.path.to_owned(), host.to_lowercase()));
    }
    for section in
        sections.iter().filter(|s| !s.command.starts_with("kubectl exec") && !s.command.starts_with("kubectl run") && !s.command.starts_with("az acr"))
    {
        one(file, section);
    }
}

/// `root@node-1:/# ` names the host; a debug pod's prompt names the pod, and its node's when chrooted.
fn prompt_host(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once('@')?;
    let host = rest.split([':', ' ', '#', '$']).next()?;
    (command(line).is_some() && !host.is_empty()).then_some(host)
}

fn one(file: &mut File<'_>, section: &Section<'_>) {
    if section.command.starts_with("getent ") {
        return getent(file, section);
    }
    // Empty lines in front keep the numbers of the lines true.
    let placed = format!("{}{}", "\n".repeat(section.line as usize), section.output);
    let named = section.command.split_whitespace().find(|w| w.starts_with('/')).unwrap_or("");
    let kind = classify::kind(named, section.output);
    let before = file.command.replace(section.command.to_owned());
    by_kind(file, kind, &placed);
    file.command = before;
}

/// What is of no kind is the rest of a listing, or an error as a tool printed it.
pub(super) fn by_kind(file: &mut File<'_>, kind: Kind, text: &str) {
    if kind == Kind::Log {
        // Reading from memory does not fail.
        let _ = log::stream(file, text.as_bytes());
    } else {
        super::structured(file, kind, text);
    }
}

/// `getent hosts NAME`: an address and its names a line; nothing where the name is not found.
fn getent(file: &mut File<'_>, section: &Section<'_>) {
    for (number, line) in text::numbered(section.output) {
        let mut words = line.split_whitespace();
        let Some(address) = words.next().and_then(|a| a.parse::<IpAddr>().ok()) else { continue };
        let asked: Vec<&str> = section.command.split_whitespace().skip(2).collect();
        let names: Vec<&str> = words.collect();
        // `ahosts` names nothing but the canonical name, behind the socket's type.
        let listed: Vec<&str> = names.iter().copied().filter(|w| asked.contains(w)).collect();
        let of = if listed.is_empty() && number == 1 { asked.clone() } else { listed };
        for name in of {
            let aliases = names.iter().filter(|n| n.contains('.') && **n != name).map(|n| n.to_lowercase()).collect();
            let source = file.source(section.line + number, line);
            let lookup =
                Lookup { name: name.to_lowercase(), status: "NOERROR".into(), aliases, addresses: vec![address], server: None, source: source.clone() };
            file.facts.lookups.push(Of { owner: Owner::Unknown, value: lookup, source });
        }
    }
}

/// The standard output that `az vmss run-command invoke` wraps, of every result.
pub(super) fn run_command(file: &mut File<'_>, message: &str, line: u32) -> bool {
    let Some((_, rest)) = message.split_once("[stdout]") else { return false };
    let (stdout, _) = rest.split_once("[stderr]").unwrap_or((rest, ""));
    // Inside a JSON string all lines are one: the line of the string.
    let before = file.fixed_line.replace(line);
    by_kind(file, classify::kind("", stdout), stdout.trim_start_matches('\n'));
    file.fixed_line = before;
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prompts_and_headings_begin_a_section() {
        assert_eq!(command("$ cat /etc/resolv.conf"), Some("cat /etc/resolv.conf"));
        assert_eq!(command("root@node-1:/# curl -v https://r.example/v2/"), Some("curl -v https://r.example/v2/"));
        assert_eq!(command("### hostname"), Some("hostname"));
        assert_eq!(command("# This is a comment about cats"), None);
        assert_eq!(command("nameserver 10.0.0.10"), None);
        assert_eq!(prompt_host("root@node-1:/# ip route"), Some("node-1"));
    }

    #[test]
    fn sections_know_their_lines() {
        let parts = sections("$ hostname\nnode-1\n$ cat /etc/hosts\n127.0.0.1 localhost\n");
        assert_eq!(
            parts.iter().map(|s| (s.line, s.command, s.output)).collect::<Vec<_>>(),
            [(1, "hostname", "node-1\n"), (3, "cat /etc/hosts", "127.0.0.1 localhost\n")]
        );
    }
}
