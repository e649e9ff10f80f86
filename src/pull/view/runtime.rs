//! What does the runtime's own configuration make of a host: which folder it reads, whether what lies on the node counts?

use super::{Asked, Value, yes_no};
use crate::facts::{Evidence, Facts, Known, Of, RuntimeConfig, TrustPlace};

type K = Known<Value>;

/// Whether the folder of a host's settings is this stop's: with or without its port.
pub(super) fn is_folder_of(folder: &str, a: &Asked<'_>) -> bool {
    let port = a.stop.port.or_else(|| a.pull.reference.as_ref().and_then(|r| r.host.rsplit_once(':')).and_then(|(_, p)| p.parse().ok()));
    let Some(host) = a.host() else { return false };
    match port {
        // A folder without the port is not read for a host with one.
        Some(port) if port != 443 => folder == format!("{host}:{port}"),
        _ => folder == host || folder == format!("{host}:443"),
    }
}

/// The runtime that the node reports, as its configuration is called.
fn runtime(a: &Asked<'_>) -> Option<&'static str> {
    let reported = super::now::own(a)?.runtime.as_deref()?;
    match reported.split("://").next()? {
        "containerd" => Some("containerd"),
        "cri-o" => Some("containers"),
        "docker" => Some("docker"),
        _ => None,
    }
}

/// containerd's configuration on the node: what the process itself told before what a file says.
fn containerd<'a>(a: &Asked<'a>) -> Option<(&'a Of<RuntimeConfig>, bool)> {
    let files = || Facts::of_node(&a.facts.runtime_configs, a.node()).filter(|(c, _)| c.value.runtime == "containerd");
    files().find(|(c, _)| c.value.effective).or_else(|| files().find(|(c, _)| c.value.config_path.is_some())).or_else(|| files().next())
}

/// The folders in which containerd looks for a host's settings, as far as its configuration tells: what a file of the first
/// versions does not set is not set.
fn folders<'a>(a: &Asked<'a>) -> Option<(Vec<String>, Evidence)> {
    let (config, guessed) = containerd(a)?;
    let at = config.value.config_path_at.as_ref().unwrap_or(&config.source);
    let first = super::now::own(a).and_then(|n| n.runtime.as_deref()).is_some_and(|r| r.starts_with("containerd://1."));
    let paths = match &config.value.config_path {
        Some(paths) => paths.clone(),
        None if config.value.effective || first => Vec::new(),
        None => return None,
    };
    Some((paths, Evidence::of(at).guessed(guessed)))
}

/// Whether containerd reads the folder of host settings at all; none where its configuration was not collected.
pub(super) fn reads_hosts_folder(a: &Asked<'_>) -> Option<bool> {
    folders(a).map(|(paths, _)| !paths.is_empty())
}

/// The settings that lie on the node for this host: the folder above them, and a line that shows them.
fn lying<'a>(a: &Asked<'a>) -> Vec<(String, &'a crate::bundle::Source)> {
    let base = |source: &'a crate::bundle::Source, host: &str| {
        let path = a.facts.about.path(source);
        path.rsplit_once(&format!("/{host}/")).map(|(base, _)| (base.to_owned(), source))
    };
    let tomls = Facts::of_node(&a.facts.hosts_toml, a.node()).filter(|(t, _)| is_folder_of(&t.value.registry, a));
    let mut out: Vec<_> = tomls.filter_map(|(t, _)| base(&t.source, &t.value.registry)).collect();
    for (store, _) in Facts::of_node(&a.facts.trust, a.node()) {
        if let TrustPlace::Host { runtime: "containerd", host } = &store.value.place
            && is_folder_of(host, a)
        {
            out.extend(base(&store.source, host));
        }
    }
    out
}

/// Whether what lies on the node for this registry is in force: containerd's configuration points to its folder, or holds it.
pub fn applies_settings(a: &Asked<'_>) -> K {
    let own = runtime(a);
    let host = a.host().unwrap_or("");
    if matches!(own, None | Some("containerd")) {
        let lying = lying(a);
        if let Some((base, at)) = lying.first() {
            let Some((paths, mut evidence)) = folders(a) else { return Known::NotCollected("containerd-config") };
            let read = paths.iter().any(|p| base.ends_with(p.trim_end_matches('/').trim_start_matches('/')));
            evidence.sources.push((*at).clone());
            return yes_no(read, evidence);
        }
    }
    // Settings in the configuration of a runtime that does not pull here.
    let of_host =
        |c: &RuntimeConfig| c.hosts.iter().find(|(h, _)| h.split('/').next().and_then(|h| h.split(':').next()) == Some(host)).map(|(_, s)| s.source.clone());
    let files = || Facts::of_node(&a.facts.runtime_configs, a.node());
    if let Some(own) = own {
        if let Some((source, guessed)) = files().filter(|(c, _)| c.value.runtime == own).find_map(|(c, g)| Some((of_host(&c.value)?, g))) {
            return yes_no(true, Evidence::of(&source).guessed(guessed));
        }
        if let Some((source, guessed)) = files().filter(|(c, _)| c.value.runtime != own).find_map(|(c, g)| Some((of_host(&c.value)?, g))) {
            return yes_no(false, Evidence::of(&source).guessed(guessed));
        }
    }
    Known::NotCollected("containerd-config")
}

/// The mirror that the runtime's own configuration asks before the registry; of several prefixes the longest counts.
pub(super) fn first_mirror(a: &Asked<'_>, registry: &str) -> Option<(String, Evidence)> {
    let own = runtime(a);
    let repository = a.pull.reference.as_ref().map(|r| format!("{}/{}", r.host, r.repository)).unwrap_or_default();
    let fits = |prefix: &str| prefix == registry || prefix == "*" || repository == prefix || repository.starts_with(&format!("{prefix}/"));
    let files = Facts::of_node(&a.facts.runtime_configs, a.node()).filter(|(c, _)| own.is_none_or(|own| c.value.runtime == own));
    let settings = files.flat_map(|(c, guessed)| c.value.hosts.iter().map(move |(host, s)| (host, s, guessed)));
    let (_, settings, guessed) = settings.filter(|(host, s, _)| fits(host) && !s.mirrors.is_empty()).max_by_key(|(host, _, _)| host.len())?;
    let mirror = settings.mirrors.first()?.split('/').next()?.to_owned();
    Some((mirror, Evidence::of(&settings.source).guessed(guessed)))
}
