//! What was the runtime configured to do with registries? containerd's and the containers' TOML, `crictl info`, daemon.json.
//!
//! ```toml
//! [plugins."io.containerd.grpc.v1.cri".registry]
//!   config_path = "/etc/containerd/certs.d"
//! [[registry]]
//! prefix = "docker.io"
//! blocked = true
//! ```

use std::collections::BTreeMap;

use serde::Deserialize;

use super::File;
use super::toml::{self, Entry};
use crate::facts::{HostSettings, Of, Owner, ProxySettings, RuntimeConfig};

pub(super) fn is_toml(lines: &[&str]) -> bool {
    lines.iter().map(|l| l.trim()).any(|l| {
        l == "[[registry]]"
            || l.starts_with("unqualified-search-registries")
            || l == "[registries.search]"
            || (l.starts_with("[plugins.") && (l.contains(".cri") || l.contains("containerd.")))
    })
}

/// containerd's old tables, and those of its second version.
const OLD: &str = "io.containerd.grpc.v1.cri";
const NEW: &str = "io.containerd.cri.v1.images";

pub(super) fn read(file: &mut File<'_>, content: &str) {
    let entries = toml::entries(content);
    let containers =
        entries.iter().any(|e| matches!(e.table.first().map(String::as_str), Some("registry" | "registries")) || e.key == "unqualified-search-registries");
    let config = if containers { of_containers(file, &entries) } else { of_containerd(file, content, &entries) };
    let line = config.hosts.values().next().map(|h| h.source.clone()).or_else(|| config.config_path_at.clone());
    let source = line.unwrap_or_else(|| file.source(1, content.lines().next().unwrap_or("")));
    file.take(if containers { "registries-conf" } else { "containerd-config" });
    file.facts.runtime_configs.push(Of { owner: Owner::Unknown, value: config, source });
}

fn of_containerd(file: &File<'_>, content: &str, entries: &[Entry]) -> RuntimeConfig {
    let version = entries.iter().find(|e| e.table.is_empty() && e.key == "version").map(|e| e.line);
    let third = version.and_then(|l| content.lines().nth(l as usize - 1)).is_some_and(|l| l.trim_end().ends_with('3'));
    // A dump shows every setting that there is, the root's folder among them; a file of one's own rarely does.
    let effective = entries.iter().any(|e| e.key == "root") && entries.iter().any(|e| e.key == "state") && entries.len() > 60;
    let mut config = RuntimeConfig { runtime: "containerd", effective, written: file.written, ..RuntimeConfig::default() };
    for entry in entries {
        let table: Vec<&str> = entry.table.iter().map(String::as_str).collect();
        let ["plugins", plugin, rest @ ..] = table.as_slice() else { continue };
        // In a file of version 3 the old tables are read by nobody.
        if *plugin != NEW && (*plugin != OLD || third) {
            continue;
        }
        match rest {
            ["registry"] if entry.key == "config_path" => {
                let paths = entry.text().unwrap_or("").split(':').filter(|p| !p.is_empty()).map(str::to_owned).collect();
                config.config_path = Some(paths);
                config.config_path_at = Some(file.source(entry.line, &format!("config_path = \"{}\"", entry.text().unwrap_or(""))));
            }
            ["registry", "mirrors", host] => {
                let settings = of_host(file, &mut config, host, entry);
                settings.mirrors.extend(entry.list().iter().map(|u| bare(u)));
            }
            ["registry", "configs", host, ..] => {
                let settings = of_host(file, &mut config, host, entry);
                settings.insecure |= entry.key == "insecure_skip_verify" && entry.is_true();
                settings.own_trust |= entry.key == "ca_file";
            }
            _ => {}
        }
    }
    config
}

fn of_containers(file: &File<'_>, entries: &[Entry]) -> RuntimeConfig {
    let mut config = RuntimeConfig { runtime: "containers", ..RuntimeConfig::default() };
    let of_table = |nth: usize, key: &str| {
        let named = entries.iter().find(|e| e.table == ["registry"] && e.nth == nth && e.key == key).and_then(Entry::text);
        named.filter(|name| !name.is_empty()).map(bare)
    };
    // Without a prefix, the location is what a reference must begin with. A mirror stands below its registry's table.
    let mut current: Option<String> = None;
    for entry in entries {
        match entry.table.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
            ["registry"] => {
                current = of_table(entry.nth, "prefix").or_else(|| of_table(entry.nth, "location"));
                if let Some(name) = &current {
                    let blocks = entry.key == "blocked" && entry.is_true();
                    let settings = of_host(file, &mut config, name, entry);
                    settings.blocked |= blocks;
                    settings.insecure |= entry.key == "insecure" && entry.is_true();
                    if blocks {
                        settings.source = file.source(entry.line, "blocked = true");
                    }
                }
            }
            ["registry", "mirror"] if entry.key == "location" => {
                if let (Some(name), Some(mirror)) = (current.clone(), entry.text()) {
                    of_host(file, &mut config, &name, entry).mirrors.push(bare(mirror));
                }
            }
            [] if entry.key == "unqualified-search-registries" => {
                config.search = entry.list().to_vec();
                config.search_at = Some(file.source(entry.line, &format!("unqualified-search-registries = {:?}", entry.list())));
            }
            _ => {}
        }
    }
    config
}

fn of_host<'c>(file: &File<'_>, config: &'c mut RuntimeConfig, host: &str, entry: &Entry) -> &'c mut HostSettings {
    let registry = bare(host);
    let source = file.source(entry.line, &format!("[{}] {registry}", entry.table.join(".")));
    config.hosts.entry(registry).or_insert_with(|| HostSettings::bare(source))
}

/// Host and path without scheme, as references write them.
fn bare(url: &str) -> String {
    url.split_once("://").map_or(url, |(_, r)| r).trim_end_matches('/').to_lowercase()
}

#[derive(Deserialize)]
struct Daemon {
    #[serde(rename = "insecure-registries")]
    insecure: Option<Vec<String>>,
    #[serde(rename = "registry-mirrors")]
    mirrors: Option<Vec<String>>,
    proxies: Option<BTreeMap<String, String>>,
}

#[derive(Deserialize)]
struct CrictlInfo {
    config: CriConfig,
}

#[derive(Deserialize)]
struct CriConfig {
    registry: CriRegistry,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CriRegistry {
    config_path: Option<String>,
    mirrors: Option<BTreeMap<String, CriMirror>>,
}

#[derive(Deserialize)]
struct CriMirror {
    endpoint: Option<Vec<String>>,
}

/// `crictl info` and Docker's daemon.json; false where the document is neither.
pub(super) fn read_json(file: &mut File<'_>, document: &str, line: u32) -> bool {
    let at = |word: &str| {
        let before = document.find(word).and_then(|at| document.get(..at)).unwrap_or("");
        line.saturating_add(u32::try_from(before.matches('\n').count()).unwrap_or(0))
    };
    if document.contains("\"configPath\"")
        && let Ok(info) = serde_json::from_str::<CrictlInfo>(document)
    {
        let registry = info.config.registry;
        let path = registry.config_path.unwrap_or_default();
        let source = file.source(at("\"configPath\""), &format!("configPath {path}"));
        let mut config = RuntimeConfig { runtime: "containerd", effective: true, ..RuntimeConfig::default() };
        config.config_path = Some(path.split(':').filter(|p| !p.is_empty()).map(str::to_owned).collect());
        config.config_path_at = Some(source.clone());
        for (host, mirror) in registry.mirrors.unwrap_or_default() {
            let mirrors = mirror.endpoint.unwrap_or_default().iter().map(|m| bare(m)).collect();
            let source = file.source(at(&format!("\"{host}\"")), &host);
            config.hosts.insert(bare(&host), HostSettings { mirrors, ..HostSettings::bare(source) });
        }
        file.take("containerd-config");
        file.facts.runtime_configs.push(Of { owner: Owner::Unknown, value: config, source });
        return true;
    }
    let keys = ["\"insecure-registries\"", "\"registry-mirrors\"", "\"proxies\""];
    let Some(key) = keys.iter().find(|k| document.contains(*k)).filter(|_| !document.contains("\"apiVersion\"")) else { return false };
    let Ok(daemon) = serde_json::from_str::<Daemon>(document) else { return false };
    let source = file.source(at(key), key);
    let mut config = RuntimeConfig { runtime: "docker", ..RuntimeConfig::default() };
    for host in daemon.insecure.unwrap_or_default() {
        let source = file.source(at(&format!("\"{host}\"")), &host);
        config.hosts.insert(bare(&host), HostSettings { insecure: true, ..HostSettings::bare(source) });
    }
    // Docker's mirrors stand for Docker Hub alone.
    if let Some(mirrors) = daemon.mirrors.filter(|m| !m.is_empty()) {
        let mirrors = mirrors.iter().map(|m| bare(m)).collect();
        config.hosts.insert("docker.io".into(), HostSettings { mirrors, ..HostSettings::bare(source.clone()) });
    }
    if let Some(proxies) = daemon.proxies {
        let mut settings = ProxySettings { service: Some("docker".into()), ..ProxySettings::default() };
        for (key, name) in [("https-proxy", "HTTPS_PROXY"), ("http-proxy", "HTTP_PROXY"), ("no-proxy", "NO_PROXY")] {
            let Some(value) = proxies.get(key) else { continue };
            let value = if name == "NO_PROXY" { value.clone() } else { super::proxy_env::bare(value) };
            settings.variables.insert(name.to_owned(), (value, source.clone()));
        }
        settings.settle();
        file.facts.proxies.push(Of { owner: Owner::Unknown, value: settings, source: source.clone() });
    }
    file.take("docker-daemon-json");
    file.facts.runtime_configs.push(Of { owner: Owner::Unknown, value: config, source });
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bundle::FileId;
    use crate::facts::Facts;

    fn config(content: &str, json: bool) -> Option<RuntimeConfig> {
        let mut facts = Facts::default();
        let mut file = File { id: FileId::default(), path: "x", facts: &mut facts, fixed_line: None, command: None, written: None };
        if json {
            let _ = read_json(&mut file, content, 1);
        } else {
            read(&mut file, content);
        }
        facts.runtime_configs.pop().map(|c| c.value)
    }

    #[test]
    fn both_versions_of_containerd() {
        let old = config("version = 2\n[plugins.\"io.containerd.grpc.v1.cri\".registry]\n  config_path = \"/etc/a:/etc/b\"\n", false).unwrap();
        assert_eq!(old.config_path.unwrap(), ["/etc/a", "/etc/b"]);
        let ignored = config("version = 3\n[plugins.\"io.containerd.grpc.v1.cri\".registry]\n  config_path = \"/etc/a\"\n", false).unwrap();
        assert_eq!(ignored.config_path, None);
        let new = config("version = 3\n[plugins.'io.containerd.cri.v1.images'.registry]\n  config_path = ''\n", false).unwrap();
        assert!(new.config_path.unwrap().is_empty());
        let mirrors = config("[plugins.\"io.containerd.grpc.v1.cri\".registry.mirrors.\"r.example\"]\n  endpoint = [\"https://m.example\"]\n", false).unwrap();
        assert_eq!(mirrors.hosts["r.example"].mirrors, ["m.example"]);
    }

    #[test]
    fn registries_conf_and_json() {
        let conf = config("unqualified-search-registries = [\"docker.io\"]\n[[registry]]\nprefix = \"r.example\"\nblocked = true\n[[registry]]\nlocation = \"s.example\"\n[[registry.mirror]]\nlocation = \"m.example/s\"\n", false).unwrap();
        assert_eq!(
            conf.hosts.iter().map(|(host, h)| (host.as_str(), h.blocked, h.mirrors.len())).collect::<Vec<_>>(),
            [("r.example", true, 0), ("s.example", false, 1)]
        );
        let info = config("{\"config\": {\"registry\": {\"configPath\": \"\", \"mirrors\": null}}}", true).unwrap();
        assert!(info.effective && info.config_path.unwrap().is_empty());
        let daemon = config("{\"insecure-registries\": [\"r.example:5000\"]}", true).unwrap();
        assert!(daemon.hosts["r.example:5000"].insecure);
        assert!(config("{\"insecure-registries\": [", true).is_none());
    }
}
