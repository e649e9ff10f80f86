//! What did a request made on the node get? `curl -v`, with the answer's status and body.
//!
//! ```text
//! * Connected to registry.corp.example (10.40.8.10) port 443
//! > Host: registry.corp.example
//! < HTTP/1.1 401 Unauthorized
//! ```

use super::File;
use crate::facts::{Certificate, Chain, Of, Owner, Request};
use crate::text;

/// The most of a body that is kept, in characters: enough for a registry's error.
const BODY: usize = 600;

pub(super) fn is_curl(lines: &[&str]) -> bool {
    lines.iter().any(|l| l.starts_with("*   Trying ") || l.starts_with("* Trying ") || l.starts_with("* Host ") || l.starts_with("* Connected to "))
        && lines.iter().any(|l| l.starts_with("> ") || l.starts_with("* ") || l.starts_with("curl: ("))
}

pub(super) fn read(file: &mut File<'_>, content: &str) {
    certificate(file, content);
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

/// The host's own certificate, as the request's log tells it. What came behind it is not shown.
fn certificate(file: &mut File<'_>, content: &str) {
    let of_tunnel = |l: &str| ["proxy tunnel", "CONNECT tunnel", "CONNECT phase"].iter().any(|w| l.contains(w));
    let (mut host, mut through_proxy) = (None, false);
    let mut draft: Option<Certificate> = None;
    let mut done = Vec::new();
    for (number, line) in text::numbered(content) {
        let Some(said) = line.strip_prefix('*').map(str::trim) else { continue };
        through_proxy |= of_tunnel(said);
        if let Some((to, _)) = line.strip_prefix("* Connected to ").and_then(connected) {
            host.get_or_insert(to);
        } else if let Some(to) = said.strip_prefix("Host ").and_then(|h| h.split(':').next()) {
            host = Some(to.to_lowercase());
        } else if let Some((_, to)) = said.split_once("tunnel to ") {
            host = to.split(':').next().map(str::to_lowercase);
        } else if said == "Server certificate:" {
            draft = Some(Certificate::bare(String::new(), file.source(number, line)));
        } else if let Some(certificate) = draft.as_mut() {
            let (key, value) = said.split_once(": ").unwrap_or((said, ""));
            match key {
                "subject" => certificate.subject = value.replace("; ", ", "),
                "start date" => certificate.not_before = super::openssl::date(value),
                "expire date" => certificate.not_after = super::openssl::date(value),
                "subjectAltName" if value.contains(" matched ") => certificate.names.extend(value.split('"').nth(1).map(str::to_owned)),
                "issuer" => {
                    certificate.issuer = value.replace("; ", ", ");
                    certificate.source = file.source(number, line);
                    // Without the name for which it is, the log tells too little of it.
                    done.extend(draft.take().filter(|c| !c.names.is_empty()).map(|c| (host.clone(), through_proxy, c)));
                }
                _ => {}
            }
        }
    }
    for (host, through_proxy, certificate) in done {
        let source = certificate.source.clone();
        let value = Chain { host, certificates: vec![certificate], first_alone: true, through_proxy, ..Chain::default() };
        file.facts.chains.push(Of { owner: Owner::Unknown, value, source });
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
