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
const COMMANDS: [&str; 29] = [
    "cat",
    "dig",
    "nslookup",
    "getent",
    "curl",
    "openssl",
    "ping",
    "tracepath",
    "dmesg",
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
    /// What stands before the command, where it is a shell's prompt.
    prompt: &'t str,
    command: &'t str,
    output: &'t str,
}

/// The command of a line that begins a section: `$ cmd`, `# cmd`, `### cmd`, `--- cmd`, `==> cmd`, `root@node:/# cmd`.
fn command(line: &str) -> Option<&str> {
    let rest = match line.find(['#', '$', '>']) {
        // `C:\Users\ops> nslookup ...`, `PS C:\> ...`
        Some(at) if line.get(at..=at) == Some(">") && line.trim_start_matches("PS ").get(1..3) == Some(":\\") => line.get(at + 1..)?,
        Some(at) if line.get(..at).is_some_and(is_prompt) => line.get(at + 1..)?,
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

/// `root@node-1:/`, `sh-5.1`, `bash-5.1`, `/ ` before the sign.
fn is_prompt(text: &str) -> bool {
    let shell = ["sh-", "bash-"].iter().any(|s| text.strip_prefix(s).is_some_and(|v| v.starts_with(|c: char| c.is_ascii_digit())));
    (text.contains('@') || shell) && !text.contains(' ') || text == "/ "
}

fn sections(content: &str) -> Vec<Section<'_>> {
    let mut out: Vec<(u32, &str, &str, usize, usize)> = Vec::new();
    let mut at = 0;
    for (number, line) in (1u32..).zip(content.split_inclusive('\n')) {
        let end = at + line.len();
        if let Some(command) = command(line.trim_end()) {
            let prompt = line.trim_end().strip_suffix(command).unwrap_or("").trim();
            out.push((number, prompt, command, end, end));
        } else if let Some(last) = out.last_mut() {
            last.4 = end;
        }
        at = end;
    }
    out.into_iter().map(|(line, prompt, command, from, to)| Section { line, prompt, command, output: content.get(from..to).unwrap_or("") }).collect()
}

/// A text that begins with a command and holds another. The output of one command alone is left to its own reader;
/// `getent` has none, because without the command its output does not tell what was asked, nor does that of `systemctl show`.
pub(super) fn is_transcript(lines: &[&str]) -> bool {
    let mut commands = lines.iter().filter_map(|l| command(l.trim_end()));
    let begins = lines.iter().find(|l| !l.trim().is_empty()).is_some_and(|l| command(l.trim_end()).is_some());
    begins
        && commands.next().is_some_and(|first| {
            first.starts_with("getent ")
                || first.starts_with("systemctl show ")
                || first.starts_with("ping ")
                || first.starts_with("curl ") && !lines.iter().any(|l| l.starts_with("* "))
                || runs_in_pod(first)
                || commands.next().is_some()
        })
}

/// Reads a text of several commands, each part by its own reader.
pub(super) fn read(file: &mut File<'_>, content: &str) {
    let sections = sections(content);
    // `hostname; date -u` prints the name first.
    let host = sections.iter().find(|s| s.command.split([';', '&']).next() == Some("hostname")).and_then(|s| s.output.split_whitespace().next());
    if let Some(host) = host {
        file.facts.hostnames.push((file.path.to_owned(), host.to_lowercase()));
    }
    // A shell that was opened in a pod stays there until another prompt appears.
    let mut inside = false;
    for section in &sections {
        let prompt = section.prompt;
        inside = runs_in_pod(section.command) || (inside && prompt == "/ #");
        if inside {
            file.of(&Owner::Pod, |file| one(file, section));
        } else if !section.command.starts_with("az acr") {
            one(file, section);
        }
    }
}

/// `kubectl -n ns exec pod -- ...` and `kubectl run` look from a pod; `kubectl debug node/...` from the node.
fn runs_in_pod(command: &str) -> bool {
    let mut words = command.split_whitespace();
    matches!(words.next(), Some("kubectl" | "oc" | "k")) && words.any(|w| matches!(w, "exec" | "run" | "rsh"))
}

/// `root@node-1:/# ` names the host; a debug pod's prompt names the pod, and its node's when chrooted.
pub(super) fn prompt_host(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once('@')?;
    let host = rest.split([':', ' ', '#', '$']).next()?;
    (command(line).is_some() && !host.is_empty()).then_some(host)
}

fn one(file: &mut File<'_>, section: &Section<'_>) {
    match tool(section.command) {
        Some("getent") => return getent(file, section),
        Some("dig") if section.command.contains("+short") => return super::dig::short(file, section.command, section.output, section.line),
        Some("curl") if super::curl::read_statuses(file, section.command, section.output, section.line) => return,
        _ => {}
    }
    // Empty lines in front keep the numbers of the lines true.
    let placed = format!("{}{}", "\n".repeat(section.line as usize), section.output);
    let named = section.command.split_whitespace().find(|w| w.starts_with('/')).unwrap_or("");
    match classify::kind(named, section.output) {
        Kind::Services => super::services::read(file, &placed, &units(section.command)),
        Kind::ProxyEnv => super::proxy_env::read_as(file, &placed, named, &units(section.command)),
        Kind::OpenSsl => super::openssl::read_as(file, &placed, Some(section.command)),
        Kind::Nslookup => {
            let asked = nslookup_words(section.command);
            super::nslookup::read(file, &placed, asked.first().copied().filter(|w| w.contains('.')), asked.len() > 1);
        }
        kind => {
            let before = file.command.replace(section.command.to_owned());
            by_kind(file, kind, &placed);
            file.command = before;
        }
    }
}

/// The tool that runs, behind what runs it in a pod or on a node.
fn tool(command: &str) -> Option<&str> {
    let own = command.split_once(" -- ").map_or(command, |(_, c)| c);
    own.split_whitespace().map(|w| w.rsplit('/').next().unwrap_or(w)).find(|w| !matches!(*w, "sudo" | "chroot" | "host" | "sh" | "-c"))
}

/// The units that `systemctl show` was asked for, in order.
fn units(command: &str) -> Vec<&str> {
    let mut words = command.split_whitespace().skip_while(|w| *w != "show").skip(1).peekable();
    let mut out = Vec::new();
    while let Some(word) = words.next() {
        match word {
            "-p" | "--property" => drop(words.next()),
            "|" | ";" | "&&" => break,
            _ if word.starts_with('-') => {}
            _ => out.push(word),
        }
    }
    out
}

/// `nslookup NAME [SERVER]`
fn nslookup_words(command: &str) -> Vec<&str> {
    let words = command.split_once("nslookup ").map_or("", |(_, rest)| rest).split_whitespace();
    words.take_while(|w| !matches!(*w, "|" | "||" | "&&" | ";" | "2>&1")).filter(|w| !w.starts_with(['-', '>'])).collect()
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
            let lookup = Lookup {
                name: name.to_lowercase(),
                status: "NOERROR".into(),
                aliases,
                addresses: vec![address],
                server: None,
                chosen: false,
                source: source.clone(),
            };
            file.facts.lookups.push(Of { owner: Owner::Unknown, value: lookup, source });
        }
    }
}

/// `--query value[0].message -o tsv` leaves the message alone, `-o tsv` the columns in front of it.
pub(super) fn is_run_command(lines: &[&str]) -> bool {
    let mut said = lines.iter().map(|l| l.trim()).filter(|l| !l.is_empty());
    said.next().is_some_and(|l| l.ends_with("Enable succeeded:")) && said.next() == Some("[stdout]")
}

/// Reads what stands under each `[stdout]` of such a text.
pub(super) fn read_run_command(file: &mut File<'_>, content: &str) {
    for (at, heading) in content.match_indices("[stdout]") {
        let from = at + heading.len();
        let Some(rest) = content.get(from..) else { continue };
        let stdout = rest.split("\n[stderr]").next().unwrap_or(rest);
        let lines_before = content.get(..from).map_or(0, |c| c.matches('\n').count());
        let kind = classify::kind("", stdout);
        // Empty lines in front keep the numbers of the lines true.
        by_kind(file, kind, &format!("{}{stdout}", "\n".repeat(lines_before)));
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
    fn run_commands_as_text_are_known() {
        assert!(is_run_command(&["Enable succeeded: ", "[stdout]", "nameserver 168.63.129.16"]));
        assert!(is_run_command(&["ProvisioningState/succeeded\tProvisioning succeeded\tInfo\tEnable succeeded: ", "[stdout]"]));
        assert!(!is_run_command(&["The job said Enable succeeded:", "and nothing else"]));
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
