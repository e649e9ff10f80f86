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
    for (number, line) in text::numbered(content) {
        if let Some(host) = line.strip_prefix("> Host: ") {
            done.extend(request.take());
            let host = host.trim().to_lowercase();
            let bare = host.split(':').next().unwrap_or(&host).to_owned();
            request = Some(Request { host: bare, status: None, body: String::new(), source: file.source(number, line) });
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
