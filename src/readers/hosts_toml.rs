//! Which hosts does containerd ask before the registry? `certs.d/<registry>/hosts.toml`.
//!
//! ```toml
//! server = "https://registry.corp.example"
//! [host."https://mirror.corp.example"]
//!   capabilities = ["pull", "resolve"]
//! ```

use super::File;
use crate::facts::{HostsToml, Of, Owner};
use crate::text;

pub(super) fn read(file: &mut File<'_>, content: &str) {
    let folder = file.path.rsplit('/').nth(1).unwrap_or("").to_lowercase();
    let mut toml = HostsToml { registry: folder, mirrors: Vec::new() };
    let mut first = None;
    for (number, line) in text::numbered(content) {
        let said = line.trim();
        if let Some(host) = said.strip_prefix("[host.\"").and_then(|r| r.split('"').next()) {
            let host = host.split_once("://").map_or(host, |(_, h)| h).split('/').next().unwrap_or("").to_lowercase();
            toml.mirrors.push((host, file.source(number, line)));
        } else if let Some(server) = said.strip_prefix("server").map(|r| r.trim_start_matches([' ', '='])) {
            let server = server.trim_matches('"');
            if toml.registry.is_empty() || !toml.registry.contains('.') {
                toml.registry = server.split_once("://").map_or(server, |(_, h)| h).split('/').next().unwrap_or("").to_lowercase();
            }
            first = Some(file.source(number, line));
        }
    }
    // The registry itself may stand among its hosts; it is no mirror of itself.
    toml.mirrors.retain(|(host, _)| *host != toml.registry);
    let source = first.or_else(|| toml.mirrors.first().map(|(_, s)| s.clone())).unwrap_or_else(|| file.source(1, ""));
    file.take("hosts-toml");
    file.facts.hosts_toml.push(Of { owner: Owner::Unknown, value: toml, source });
}
