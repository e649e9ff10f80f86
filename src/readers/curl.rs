//! What did a request made on the node get? `curl -v`, with the answer's status and body.
//!
//! ```text
//! * Connected to registry.corp.example (10.40.8.10) port 443
//! > Host: registry.corp.example
//! < HTTP/1.1 401 Unauthorized
//! ```

use super::File;
use crate::facts::{Of, Owner, Request};
use crate::text;

/// The most of a body that is kept, in characters: enough for a registry's error.
const BODY: usize = 600;

pub(super) fn is_curl(lines: &[&str]) -> bool {
    lines.iter().any(|l| l.starts_with("*   Trying ") || l.starts_with("* Trying ") || l.starts_with("* Host ") || l.starts_with("* Connected to "))
        && lines.iter().any(|l| l.starts_with("> ") || l.starts_with("* ") || l.starts_with("curl: ("))
}

pub(super) fn read(file: &mut File<'_>, content: &str) {
    let mut request: Option<Request> = None;
    let mut done = Vec::new();
    let mut address = None;
    for (number, line) in text::numbered(content) {
        // Where somebody kept only the lines that matter, the connection alone names the host.
        if let Some((host, to)) = line.strip_prefix("* Connected to ").and_then(connected) {
            done.extend(request.take());
            address = to;
            request = Some(Request { host, address, status: None, body: String::new(), source: file.source(number, line) });
            continue;
        }
        if let Some(host) = line.strip_prefix("> Host: ").or_else(|| line.strip_prefix("> host: ")) {
            done.extend(request.take());
            let host = host.trim().to_lowercase();
            let bare = host.split(':').next().unwrap_or(&host).to_owned();
            request = Some(Request { host: bare, address, status: None, body: String::new(), source: file.source(number, line) });
            continue;
        }
        let Some(current) = request.as_mut() else { continue };
        if let Some(rest) = line.strip_prefix("< HTTP/") {
            current.status = rest.split_whitespace().nth(1).and_then(|s| s.parse().ok());
            current.source = file.source(number, line);
        } else if (current.status.is_some() && !line.starts_with(['<', '>', '*', '{', '}']) || line.starts_with("{\""))
            && !line.trim().is_empty()
            && current.body.len() < BODY
        {
            if current.body.is_empty() {
                current.source = file.source(number, line);
            }
            current.body.push_str(&text::clip(line, BODY));
            current.body.push('\n');
        }
    }
    done.extend(request);
    done.retain(|r| r.status.is_some());
    if done.is_empty() {
        return;
    }
    file.take("curl-output");
    for request in done {
        let source = request.source.clone();
        file.facts.requests.push(Of { owner: Owner::Unknown, value: request, source });
    }
}

/// The statuses that `curl -I`, `-i` or `-w '%{http_code}'` prints, one a URL of the command; false where the output shows
/// the exchange itself, or an error.
pub(super) fn read_statuses(file: &mut File<'_>, command: &str, output: &str, line: u32) -> bool {
    if output.lines().any(|l| l.starts_with("* ") || l.starts_with("> ")) {
        return false;
    }
    let words = command.split_whitespace().map(|w| w.trim_matches(['\'', '"']));
    let hosts: Vec<String> = words.filter_map(|w| Some(w.split_once("://")?.1.split(['/', ':', '?']).next()?.to_lowercase())).collect();
    let answers: Vec<(u32, &str, u16)> = text::numbered(output).filter_map(|(n, l)| Some((n, l, status(l)?))).collect();
    if hosts.is_empty() || hosts.len() != answers.len() {
        return false;
    }
    file.take("curl-output");
    for (host, (number, said, status)) in hosts.into_iter().zip(answers) {
        let source = file.source(line + number, said);
        let request = Request { host, address: None, status: Some(status), body: String::new(), source: source.clone() };
        file.facts.requests.push(Of { owner: Owner::Unknown, value: request, source });
    }
    true
}

/// `HTTP/1.1 401 Unauthorized`, `401`, `10.80.2.10 401`. A code of 000 says that nothing answered.
fn status(line: &str) -> Option<u16> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let code = match words.as_slice() {
        [http, code, ..] if http.starts_with("HTTP/") => code,
        [code] => code,
        [address, code] if address.parse::<std::net::IpAddr>().is_ok() => code,
        _ => return None,
    };
    code.parse().ok().filter(|c| code.len() == 3 && (100..600).contains(c))
}

/// `registry.corp.example (10.40.8.10) port 443`. A proxy's name may stand there; the request's own head then follows.
fn connected(rest: &str) -> Option<(String, Option<std::net::IpAddr>)> {
    let (host, rest) = rest.split_once(" (")?;
    Some((host.trim().to_lowercase(), rest.split_once(')')?.0.parse().ok()))
}
