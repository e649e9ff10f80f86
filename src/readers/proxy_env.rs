//! Which proxy was a service given? A systemd drop-in, or `systemctl show -p Environment`.
//!
//! ```text
//! [Service]
//! Environment="HTTPS_PROXY=http://proxy.corp.example:3128"
//! Environment="NO_PROXY=localhost,.svc.cluster.local"
//! ```

use super::File;
use crate::facts::{Of, Owner, ProxySettings};
use crate::text;

pub(super) fn is_proxy_env(lines: &[&str]) -> bool {
    lines.iter().any(|l| l.trim_start().starts_with("Environment=")) && lines.iter().any(|l| l.to_uppercase().contains("_PROXY="))
}

pub(super) fn read(file: &mut File<'_>, content: &str) {
    let mut settings = ProxySettings { service: service(file.path), ..ProxySettings::default() };
    let mut source = None;
    for (number, line) in text::numbered(content) {
        let Some(body) = line.trim_start().strip_prefix("Environment=") else { continue };
        for pair in words(body) {
            let Some((name, value)) = pair.split_once('=') else { continue };
            match name.to_uppercase().as_str() {
                "HTTPS_PROXY" => {
                    settings.https_proxy = Some(bare(value));
                    source = Some(file.source(number, line));
                }
                "HTTP_PROXY" if settings.https_proxy.is_none() => source = source.or_else(|| Some(file.source(number, line))),
                "NO_PROXY" => {
                    settings.no_proxy.extend(value.split(',').map(|e| e.trim().to_lowercase()).filter(|e| !e.is_empty()));
                    source = source.or_else(|| Some(file.source(number, line)));
                }
                _ => {}
            }
        }
    }
    let Some(source) = source else { return };
    file.take("node-proxy-env");
    file.facts.proxies.push(Of { owner: Owner::Unknown, value: settings, source });
}

/// `A=1 "B=2 3"` by systemd's quoting.
fn words(body: &str) -> Vec<String> {
    let mut out = vec![String::new()];
    let mut quote = None;
    for c in body.chars() {
        match (c, quote) {
            ('"' | '\'', None) => quote = Some(c),
            (c, Some(q)) if c == q => quote = None,
            (' ', None) => out.push(String::new()),
            _ => {
                if let Some(last) = out.last_mut() {
                    last.push(c);
                }
            }
        }
    }
    out
}

/// Host and port alone: a proxy's URL may hold a password.
pub(super) fn bare(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, r)| r);
    let authority = rest.split('/').next().unwrap_or(rest);
    authority.rsplit('@').next().unwrap_or(authority).to_lowercase()
}

fn service(path: &str) -> Option<String> {
    ["containerd", "crio", "docker", "kubelet"].into_iter().find(|s| path.contains(s)).map(str::to_owned)
}
