//! Which hosts does containerd ask before the registry, and how? `certs.d/<registry>/hosts.toml`.
//!
//! ```toml
//! server = "https://registry.corp.example"
//! [host."https://mirror.corp.example"]
//!   capabilities = ["pull", "resolve"]
//!   ca = "corp.crt"
//! ```

use super::File;
use super::toml::{self, Entry};
use crate::facts::{HostBlock, HostsToml, Of, Owner};

pub(super) fn read(file: &mut File<'_>, content: &str) {
    let entries = toml::entries(content);
    let folder = file.path.rsplit('/').nth(1).unwrap_or("").to_lowercase();
    let mut toml = HostsToml { registry: folder, ..HostsToml::default() };
    let mut first = None;
    for entry in &entries {
        match entry.table.as_slice() {
            [] if entry.key == "server" => {
                let server = host_of(entry.text().unwrap_or(""));
                if !toml.registry.contains('.') && !toml.registry.contains(':') && toml.registry != "_default" {
                    toml.registry.clone_from(&server);
                }
                toml.server = Some(server).filter(|s| !s.is_empty());
                first = first.or_else(|| Some(file.source(entry.line, content.lines().nth(entry.line as usize - 1).unwrap_or(""))));
            }
            [] if entry.key == "ca" => toml.server_trust.extend(files(entry)),
            [] if entry.key == "client" => toml.server_client = true,
            [table, url, ..] if table == "host" => block(file, &mut toml, url, entry),
            _ => {}
        }
    }
    // The registry itself may stand among its hosts; it is no mirror of itself.
    let registry = toml.registry.clone();
    toml.mirrors = toml.hosts.iter().filter(|h| h.host != registry && h.can_resolve).map(|h| (h.host.clone(), h.source.clone())).collect();
    let source = first.or_else(|| toml.hosts.first().map(|h| h.source.clone())).unwrap_or_else(|| file.source(1, ""));
    file.take("hosts-toml");
    file.facts.hosts_toml.push(Of { owner: Owner::Unknown, value: toml, source });
}

/// `https://mirror.corp.example/v2/cache` names the host and, behind it, a path that only `override_path` makes count.
fn host_of(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, r)| r);
    rest.split('/').next().unwrap_or("").to_lowercase()
}

/// One file, or a list of them.
fn files(entry: &Entry) -> Vec<String> {
    entry.text().map(str::to_owned).into_iter().chain(entry.list().iter().cloned()).collect()
}

fn block(file: &File<'_>, toml: &mut HostsToml, url: &str, entry: &Entry) {
    let host = host_of(url);
    if !toml.hosts.iter().any(|h| h.host == host) {
        toml.hosts.push(HostBlock {
            plain_http: url.starts_with("http://"),
            host: host.clone(),
            can_resolve: true,
            own_trust: Vec::new(),
            client: false,
            skip_verify: false,
            override_path: false,
            source: file.source(entry.line, &format!("[host.\"{url}\"]")),
        });
    }
    let Some(own) = toml.hosts.iter_mut().find(|h| h.host == host) else { return };
    match entry.key.as_str() {
        // Without `resolve` a host is asked for layers alone.
        "capabilities" => own.can_resolve = entry.list().iter().any(|c| c == "resolve"),
        "ca" => own.own_trust.extend(files(entry)),
        "client" => own.client = true,
        "skip_verify" => own.skip_verify = entry.is_true(),
        "override_path" => own.override_path = entry.is_true(),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bundle::FileId;
    use crate::facts::Facts;

    fn toml(content: &str) -> HostsToml {
        let mut facts = Facts::default();
        let path = "etc/containerd/certs.d/registry.corp.example/hosts.toml";
        read(&mut File { id: FileId::default(), path, facts: &mut facts, fixed_line: None, command: None, written: None }, content);
        facts.hosts_toml.remove(0).value
    }

    #[test]
    fn hosts_in_their_order() {
        let toml = toml(
            "server = \"https://registry.corp.example\"\n[host.\"https://a.example\"]\n  capabilities = [\"pull\", \"resolve\"]\n  ca = \"x.crt\"\n[host.\"http://b.example:5000\"]\n  capabilities = [\"pull\"]\n[host.\"https://registry.corp.example\"]\n  skip_verify = true\n",
        );
        assert_eq!(toml.mirrors.iter().map(|(h, _)| h.as_str()).collect::<Vec<_>>(), ["a.example"]);
        assert_eq!(
            toml.hosts.iter().map(|h| (h.host.as_str(), h.plain_http, h.own_trust.len())).collect::<Vec<_>>(),
            [("a.example", false, 1), ("b.example:5000", true, 0), ("registry.corp.example", false, 0)]
        );
    }

    #[test]
    fn a_cut_file_keeps_what_stands_there() {
        assert_eq!(toml("[host.\"https://a.example\"]\n  capab").mirrors.len(), 1);
        assert!(toml("server = ").hosts.is_empty());
    }
}
