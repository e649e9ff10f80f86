//! What did the node's services log of pulls? Anchors first; the grammar of a line only where one is found.
//!
//! ```text
//! Nov 23 07:41:02 node-1 containerd[1873]: time="..." level=error msg="PullImage \"r.example/a:1\" failed" error="..."
//! E1123 07:41:03.399977  2419 remote_image.go:180] "PullImage from image service failed" err="..." image="r.example/a:1"
//! ```

mod envelope;
mod happening;

use std::io::{self, BufRead};
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, MatchKind};

use super::{File, bounded_lines, pasted};
use crate::facts::{LogSpan, Machine, Pasted, Record, Unit, When};
use crate::text;

/// The longest line that is read; journald splits at 48 KiB.
const LINE: usize = 256 << 10;

/// Logs up to this size may also be somebody's paste of an error.
const SNIPPET: usize = 16 << 10;

/// What a line must hold to concern a pull.
const ANCHORS: [&str; 43] = [
    "PullImage",
    "ailed to pull image",
    "ailed pulling image",
    "rror pulling image",
    "failed to pull and unpack",
    "ErrImagePull",
    "trying next host",
    "fetch failed",
    "pulling image",
    "Pulling image",
    "Pulled image",
    "ull image",
    "returns image reference",
    "credential provider",
    "error getting credentials",
    "Removing image to free bytes",
    "image garbage collection",
    "Image garbage collection",
    "over the high threshold",
    "initializing source docker://",
    "Error response from daemon",
    "failed to resolve reference",
    "failed to copy",
    "pinging container registry",
    "pull QPS exceeded",
    "image pull progress",
    "ImagePullBackOff",
    "Pulling from",
    "unexpected status",
    "x509: ",
    "dial tcp",
    "TLS handshake",
    "no such host",
    "failed to register layer",
    "Handler for POST",
    "V2 registry",
    "v2 registry",
    "ImageStatus",
    "auth plugins",
    "uccessfully pulled image",
    REGISTERED,
    "ith pull after error",
    "endpoint for pull",
];

/// With these words a kubelet names its own node, whatever stands round the line.
const REGISTERED: &str = "egistered node\" node=\"";

static SCANNER: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| AhoCorasick::builder().match_kind(MatchKind::LeftmostFirst).build(ANCHORS).ok());

/// What the words of a pasted error can begin with, beside the anchors of logs.
const PASTED_ANCHORS: [&str; 30] = [
    "failed to extract layer",
    "no space left on device",
    "input/output error",
    "unknown service",
    "manifest unknown",
    "unauthorized",
    "denied",
    "certificate",
    "not found",
    "i/o timeout",
    "connection refused",
    "request canceled",
    "EOF",
    "reference format",
    "short name",
    "toomanyrequests",
    "Too Many Requests",
    "unexpected HTTP status",
    "mediatype",
    "media type",
    "Source image rejected",
    "size validation",
    "layer verification",
    "locked for",
    "lookup ",
    "ImageLayer",
    "image reference",
    "image name",
    "exit status=",
    "pull access",
];

/// A log of more hosts than these is nobody's.
const HOSTS: usize = 4;

/// How a journal names the services that pull, with their process behind.
const SPEAKERS: [&str; 12] = [
    " kubelet[",
    " kubelet: ",
    " containerd[",
    " containerd: ",
    " crio[",
    " dockerd[",
    " cri-dockerd[",
    " k3s[",
    " k3s-agent[",
    " rke2[",
    "kubelite[",
    "kubenswrapper[",
];

static LISTENER: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| AhoCorasick::new(SPEAKERS).ok());

/// Whether a text says anything that an error of a pull would say.
pub(super) fn holds_an_anchor(text: &str) -> bool {
    SCANNER.as_ref().is_some_and(|s| s.is_match(text)) || PASTED_ANCHORS.iter().any(|a| text.contains(a))
}

/// Whether the lines are a service's log: most of them begin as klog, logrus, journald or JSON logs begin.
pub(super) fn is_log(lines: &[&str]) -> bool {
    let said: Vec<&&str> = lines.iter().filter(|l| !l.trim().is_empty() && !l.starts_with("-- ")).take(100).collect();
    let logged = said.iter().filter(|l| envelope::begins(l)).count();
    let whole = said.iter().filter(|l| !l.starts_with(['\t', ' '])).count();
    // A `tail -c` leaves half a line in front.
    logged > 0 && logged * 2 >= whole.saturating_sub(1)
}

/// The log without the breaks of the terminal from which it was copied, where it has any.
pub(super) fn rejoined(content: &str) -> Option<String> {
    text::wrap::rejoined(content, envelope::begins)
}

/// Reads a log to its end, line by line.
///
/// # Errors
/// Where the stream breaks off: what came before was read.
pub(super) fn stream(file: &mut File<'_>, body: impl BufRead) -> io::Result<()> {
    let before = file.facts.records.len();
    let mut newest: Vec<u8> = Vec::new();
    let mut open: Option<(u32, String)> = None;
    let mut snippet = String::new();
    let mut units = Vec::new();
    let (mut oldest, mut hosts) = (When::default(), std::collections::BTreeSet::new());
    let outcome = bounded_lines(body, LINE, |number, bytes| {
        let bytes = &*envelope::spoken(bytes);
        if snippet.len() <= SNIPPET {
            // Lines that tell of no pull must not be read together with one that does.
            let line = text::decode(bytes);
            if number == 1 || line.starts_with(['\t', ' ']) || SCANNER.as_ref().is_some_and(|s| s.is_match(bytes)) || pasted::speaks_of_a_pull(&line) {
                snippet.push_str(&line);
            }
            snippet.push('\n');
        }
        // A klog value with a line end: `err=<`, indented lines, ` >`.
        if let Some((first, record)) = open.as_mut() {
            record.push('\n');
            record.push_str(text::decode(bytes).trim_start_matches('\t'));
            if bytes.starts_with(b" >") || record.len() > LINE {
                let (first, record) = (*first, std::mem::take(record));
                open = None;
                draft(file, first, &record, &mut units);
            }
            return;
        }
        if !bytes.is_empty() {
            newest.clear();
            newest.extend_from_slice(bytes.get(..400.min(bytes.len())).unwrap_or_default());
            if oldest == When::default() {
                let first = envelope::parse(&text::decode(&newest));
                oldest = first.when;
                hosts.extend(first.host);
            }
        }
        // Two services may share one log; who else speaks in it changes nothing.
        if units.len() < 2
            && (number < 1000 || number % 16 == 0)
            && LISTENER.as_ref().is_some_and(|l| l.is_match(bytes.get(..200.min(bytes.len())).unwrap_or_default()))
        {
            let start = text::decode(bytes.get(..400.min(bytes.len())).unwrap_or_default());
            if let Some((host, unit)) = envelope::speaker(&start) {
                hear(unit, &mut units);
                hosts.extend(Some(host).filter(|_| hosts.len() < HOSTS));
            }
        }
        if !SCANNER.as_ref().is_some_and(|s| s.is_match(bytes)) {
            return;
        }
        let line = text::decode(bytes);
        if let Some(node) = line.split_once(REGISTERED).and_then(|(_, rest)| rest.split('"').next()).filter(|_| hosts.len() < HOSTS) {
            hosts.insert(node.to_lowercase());
            file.facts.spoken.push((file.id, Machine::Named(node.to_lowercase())));
        }
        if line.trim_end().ends_with("=<") {
            open = Some((number, line.into_owned()));
        } else {
            draft(file, number, &line, &mut units);
        }
    });
    if let Some((first, record)) = open {
        draft(file, first, &record, &mut units);
    }
    let last = envelope::parse(&text::decode(&newest));
    file.facts.newest_stamp = file.facts.newest_stamp.max(last.when.at);
    if units.is_empty() {
        // klog's lines are the kubelet's, unless the name says another; logrus' lines name nobody.
        hear(envelope::unit_of_path(file.path).or(last.unit.filter(|_| !envelope::is_anothers(file.path))), &mut units);
    }
    if units.is_empty() {
        file.take("node-log");
    } else {
        units.iter().for_each(|u| file.take(envelope::artefact(*u)));
        hosts.extend(last.host);
        hosts.extend(file.facts.records.iter().skip(before).filter_map(|r| r.host.clone()));
        file.facts.heard.logs.push(LogSpan { file: file.id, units, hosts, first: oldest, last: last.when });
    }
    let names_a_pull = pasted::speaks_of_a_pull(&snippet);
    if snippet.len() <= SNIPPET && file.facts.records.len() - before <= 4 && (names_a_pull || snippet.len() <= pasted::LINE) {
        let first = snippet.len() - snippet.trim_start().len();
        let source = file.source(text::line_of(&snippet, first), snippet.trim());
        file.facts.pasted.push(Pasted { text: snippet, of_log: true, names_a_pull, source });
    }
    outcome
}

fn hear(unit: Option<Unit>, units: &mut Vec<Unit>) {
    if let Some(unit) = unit.filter(|u| !units.contains(u)) {
        units.push(unit);
    }
}

fn draft(file: &mut File<'_>, number: u32, line: &str, units: &mut Vec<Unit>) {
    let said = envelope::parse(line);
    let Some(unit) = said.unit.or_else(|| envelope::unit_of_path(file.path)).or_else(|| happening::unit_of_words(&said)) else { return };
    hear(Some(unit), units);
    let Some(what) = happening::of(&said) else { return };
    file.facts.newest_stamp = file.facts.newest_stamp.max(said.when.at);
    let source = file.source(number, line);
    file.facts.records.push(Record { unit, host: said.host, node: None, guessed: false, when: said.when, what, source });
}
