//! What is in each file? One reader an artefact kind, chosen by content, never by a name alone.
//!
//! Readers draft facts; they have no opinion on them and ask no later floor what to keep. What they cannot read they say.

mod az;
mod carried;
mod certificates;
mod classify;
mod curl;
mod describe_pod;
mod dig;
mod dir_listing;
mod disk;
mod dns_forwarders;
mod event_lines;
mod firewall_log;
mod framed;
mod hints;
mod hollow;
mod hosts_file;
mod hosts_toml;
mod ip_route;
mod ip_rule;
mod iptables;
mod kernel_log;
mod kube;
mod kube_events;
mod log;
mod marks;
mod named_conf;
mod nftables;
mod nslookup;
mod openssl;
mod pasted;
mod ping;
mod policy_json;
mod prose;
mod proxy_env;
mod proxy_log;
mod resolv_conf;
mod resolvectl;
mod rows;
mod runtime_config;
mod sections;
mod services;
mod tables;
mod toml;
mod transcript;
mod troubleshoot;

use std::io::{self, BufRead, BufReader, Read};

use crate::bundle::{Entry, FileId, Source, Unread};
use crate::facts::{Facts, Of, Owner};
use crate::text;

use classify::Kind;
use kube::concerns_pulls as kube_concerns;

/// How much of a file is looked at before it is read or left.
const HEAD: usize = 64 << 10;

/// A text file at hand: where it lies, and the facts that it adds to.
struct File<'f> {
    id: FileId,
    path: &'f str,
    facts: &'f mut Facts,
    /// Where the text lies inside one line of the file: that line.
    fixed_line: Option<u32>,
    /// The command that printed the text, where the file tells it.
    command: Option<String>,
    /// When the file was written, where an archive tells it.
    written: Option<jiff::Timestamp>,
}

impl File<'_> {
    fn source(&self, line: u32, excerpt: &str) -> Source {
        Source::new(self.id, self.fixed_line.unwrap_or(line), excerpt)
    }

    /// What `read` drafts of answers and settings is `owner`'s, whatever the path says.
    fn of(&mut self, owner: &Owner, read: impl FnOnce(&mut Self)) {
        let facts = &*self.facts;
        let before = [
            facts.lookups.len(),
            facts.requests.len(),
            facts.resolvers.len(),
            facts.chains.len(),
            facts.hosts_files.len(),
            facts.routes.len(),
            facts.route_rules.len(),
        ];
        read(self);
        fn own<T>(list: &mut [Of<T>], from: usize, owner: &Owner) {
            list.iter_mut().skip(from).for_each(|item| item.owner = owner.clone());
        }
        let facts = &mut *self.facts;
        own(&mut facts.lookups, before[0], owner);
        own(&mut facts.requests, before[1], owner);
        own(&mut facts.resolvers, before[2], owner);
        own(&mut facts.chains, before[3], owner);
        own(&mut facts.hosts_files, before[4], owner);
        own(&mut facts.routes, before[5], owner);
        own(&mut facts.route_rules, before[6], owner);
    }

    fn take(&mut self, artefact: &'static str) {
        self.facts.about.taken.push((artefact, self.id));
    }

    fn unread(&mut self, why: impl Into<String>) {
        self.facts.about.unread.push(Unread { file: self.path.to_owned(), why: why.into(), hides: false });
    }

    /// The same of a part that may have held what shows a failing pull.
    fn lost(&mut self, why: impl Into<String>) {
        self.facts.about.unread.push(Unread { file: self.path.to_owned(), why: why.into(), hides: true });
    }
}

/// Reads one file of the bundle into `facts`.
///
/// # Errors
/// Where the body could not be read to its end: what came before is read all the same.
pub fn read(entry: Entry<'_>, facts: &mut Facts) -> io::Result<()> {
    let Entry { id, path, body, modified } = entry;
    let mut head = Vec::with_capacity(4096);
    let outcome = body.take(HEAD as u64).read_to_end(&mut head);
    if let Some(modified) = modified {
        facts.about.written.insert(id, modified);
    }
    let mut file = File { id, path, facts, fixed_line: None, command: None, written: modified };
    if head.iter().all(u8::is_ascii_whitespace) && head.len() < HEAD {
        hollow::empty(&mut file);
        return outcome.map(|_| ());
    }
    if !text::decode::is_text(head.get(..4096).unwrap_or(&head)) {
        return outcome.map(|_| ());
    }
    let whole = head.len() < HEAD;
    if let Some(plain) = Some(&head).filter(|_| whole).and_then(|head| framed::without(&text::decode(head))) {
        head = plain.into_bytes();
    }
    let kind = classify::kind(path, &text::decode(&head));
    if whole && hollow::noted(&mut file, &text::decode(&head)) {
        return outcome.map(|_| ());
    }
    if kind == Kind::Log
        && whole
        && let Some(joined) = log::rejoined(&text::decode(&head))
    {
        transcript::by_kind(&mut file, kind, &joined);
        return outcome.map(|_| ());
    }
    match kind {
        Kind::Unknown if !whole => {
            file.facts.about.unknown.push(id);
            return outcome.map(|_| ());
        }
        Kind::Log => {
            let start = head.get(..8).unwrap_or(&head).to_vec();
            let body = io::Cursor::new(head).chain(Rest { broken: outcome.err(), body });
            return match text::decode::Narrow::of(&start, body) {
                Ok(narrow) => log::stream(&mut file, BufReader::new(narrow)),
                Err(body) => log::stream(&mut file, BufReader::new(body)),
            };
        }
        _ => {}
    }
    let rest = outcome.and_then(|_| if whole { Ok(0) } else { body.read_to_end(&mut head) });
    let content = text::decode(&head);
    if kind == Kind::Unknown {
        unknown(&mut file, &content);
    } else {
        structured(&mut file, kind, &content);
    }
    rest.map(|_| ())
}

/// A text of no kind may be of one once what carried it is taken off.
fn unknown(file: &mut File<'_>, content: &str) {
    let decoded = carried::decoded(content);
    let content = decoded.as_deref().unwrap_or(content);
    let bare = carried::bare(content).or_else(|| decoded.clone()).map(|text| (classify::kind(file.path, &text), text));
    match bare {
        // What shows a pull; a node's settings are seldom framed, and rarely the node's where they are.
        Some((kind @ (Kind::Describe | Kind::EventLines | Kind::KubeEvents | Kind::Table | Kind::Rows | Kind::Json | Kind::Yaml), text)) => {
            structured(file, kind, &text);
        }
        _ => structured(file, Kind::Unknown, content),
    }
}

/// What stands behind the head; where that broke off already, the break.
struct Rest<'b> {
    broken: Option<io::Error>,
    body: &'b mut dyn Read,
}

impl Read for Rest<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.broken.take() {
            Some(e) => Err(e),
            None => self.body.read(buffer),
        }
    }
}

fn structured(file: &mut File<'_>, kind: Kind, content: &str) {
    if file.fixed_line.is_none() {
        marks::read(file, content);
    }
    match kind {
        Kind::Json => {
            if !kube_events::read_json(file, content)
                && !kube::json::read(file, content)
                && let Some(rest) = behind_json_lines(content)
            {
                let kind = classify::kind(file.path, rest.trim_start());
                if kind != Kind::Json {
                    structured(file, kind, &rest)
                }
            }
        }
        Kind::Yaml => kube::yaml::read(file, content),
        Kind::AzYaml => {
            az::read_yaml(file, content, 1);
        }
        Kind::Describe => describe_pod::read(file, content),
        Kind::EventLines => event_lines::read(file, content),
        Kind::KubeEvents => kube_events::read(file, content),
        Kind::Table => tables::read(file, content),
        Kind::Rows => tables::read_rows(file, content),
        Kind::ResolvConf => resolv_conf::read(file, content),
        Kind::Hosts => hosts_file::read(file, content),
        Kind::IpRoute => ip_route::read_text(file, content),
        Kind::IpRule => ip_rule::read_text(file, content),
        Kind::EffectiveRoutes => az::read_table(file, content),
        Kind::Certificates => certificates::read(file, content),
        Kind::OpenSsl => openssl::read(file, content),
        Kind::Dig => dig::read(file, content),
        Kind::Nslookup => nslookup::read(file, content, None, false),
        Kind::Curl => curl::read(file, content),
        Kind::HostsToml => hosts_toml::read(file, content),
        Kind::ProxyEnv => proxy_env::read(file, content),
        Kind::Ping => ping::read(file, content),
        Kind::Links => ping::read_links(file, content),
        Kind::KernelLog => kernel_log::read(file, content),
        Kind::Disk => disk::read(file, content),
        Kind::RuntimeConfig => runtime_config::read(file, content),
        Kind::Services => services::read(file, content, &[]),
        Kind::Listing => dir_listing::read(file, content),
        Kind::Nftables => nftables::read(file, content),
        Kind::Iptables => iptables::read(file, file.path, content),
        Kind::NamedConf => named_conf::read(file, content),
        Kind::DnsForwarders => dns_forwarders::read(file, content),
        Kind::Resolvectl => resolvectl::read(file, content),
        Kind::FirewallLog => firewall_log::read(file, content),
        Kind::ProxyLog => proxy_log::read(file, content),
        Kind::Log => {}
        Kind::Transcript => transcript::read(file, content),
        Kind::RunCommand => transcript::read_run_command(file, content),
        Kind::Sections => sections::read(file, content),
        Kind::Unknown if az::is_bare_table(content) => file.unread(
            "a table with a ruled head, which leaves out what decides (identifiers, ranges, states); where a cloud's tool printed it, the same command with -o json shows all",
        ),
        Kind::Unknown => {
            prose::read(file, content);
            pasted::read(file, content);
            file.facts.about.unknown.push(file.id);
        }
    }
}

/// `10.40.8.10` or `10.40.0.0/16`.
fn prefix(text: &str) -> Option<ipnet::IpNet> {
    text.parse().ok().or_else(|| text.parse::<std::net::IpAddr>().ok().map(ipnet::IpNet::from))
}

/// `443`, or a range with what stands between its ends.
fn port_range(text: &str, between: char) -> Option<(u16, u16)> {
    let (from, to) = text.split_once(between).unwrap_or((text, text));
    Some((from.trim().parse().ok()?, to.trim().parse().ok()?))
}

/// The file's own name, without the folders and archives around it.
fn file_name(path: &str) -> String {
    path.rsplit(['/', '!']).next().unwrap_or(path).to_lowercase()
}

/// Files of one folder are one DNS server's.
fn dns_place(path: &str) -> String {
    path.strip_suffix(path.rsplit(['/', '!']).next().unwrap_or("")).unwrap_or("").to_owned()
}

/// A tool may put lines of JSON of its own in front of a text. They become empty lines, so that line numbers stay true.
fn behind_json_lines(content: &str) -> Option<String> {
    let lead: usize = content.lines().take_while(|l| l.starts_with('{') && l.trim_end().ends_with('}')).map(|l| l.len() + 1).sum();
    let count = content.get(..lead)?.lines().count();
    (count > 0).then(|| format!("{}{}", "\n".repeat(count), content.get(lead..).unwrap_or("")))
}

/// The lines of a stream, each bounded, whatever ends them. Longer lines are cut.
fn bounded_lines(mut body: impl BufRead, most: usize, mut each: impl FnMut(u32, &[u8])) -> io::Result<()> {
    let mut line = Vec::new();
    for number in 1u32.. {
        line.clear();
        let got = body.by_ref().take(most as u64).read_until(b'\n', &mut line)?;
        if got == 0 {
            break;
        }
        let ended = line.last() == Some(&b'\n');
        while matches!(line.last(), Some(b'\n' | b'\r')) {
            line.pop();
        }
        each(number, &line);
        if !ended {
            skip_line(&mut body)?;
        }
    }
    Ok(())
}

fn skip_line(body: &mut impl BufRead) -> io::Result<()> {
    loop {
        let buffer = body.fill_buf()?;
        if buffer.is_empty() {
            return Ok(());
        }
        match memchr::memchr(b'\n', buffer) {
            Some(at) => {
                body.consume(at + 1);
                return Ok(());
            }
            None => {
                let length = buffer.len();
                body.consume(length);
            }
        }
    }
}
