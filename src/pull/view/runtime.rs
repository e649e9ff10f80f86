//! What does the runtime's own configuration make of a host: which folder it reads, whether what lies on the node counts?

use super::{Asked, Value, yes_no};
use crate::facts::{Evidence, Facts, HostsToml, Known, Of, RuntimeConfig, TrustPlace};

type K = Known<Value>;

/// Whether the folder of a host's settings is this stop's: with or without its port.
pub(super) fn is_folder_of(folder: &str, a: &Asked<'_>) -> bool {
    let port = a.stop.port.or_else(|| {
        a.pull.reference.as_ref().filter(|r| a.host() == Some(r.bare_host())).and_then(|r| r.host.rsplit_once(':')).and_then(|(_, p)| p.parse().ok())
    });
    let Some(host) = a.host() else { return false };
    match port {
        // A folder without the port is not read for a host with one.
        Some(port) if port != 443 => folder == format!("{host}:{port}"),
        _ => folder == host || folder == format!("{host}:443") || (folder == HUB && is_hub(host)),
    }
}

/// Docker Hub's name in references and settings; its registry answers under another.
const HUB: &str = "docker.io";

fn is_hub(host: &str) -> bool {
    matches!(host, "docker.io" | "registry-1.docker.io")
}

/// The files of host settings that count for this image, on this node: those of its registry, else those for every registry.
pub(super) fn settings_of_registry<'a>(a: &Asked<'a>) -> Vec<(&'a Of<HostsToml>, bool)> {
    let Some(registry) = a.pull.reference.as_ref().map(|r| r.host.as_str()) else { return Vec::new() };
    let named = |name: &str| Facts::of_node(&a.facts.hosts_toml, a.node()).filter(|(t, _)| t.value.registry == name).collect::<Vec<_>>();
    let with_port = if registry.contains(':') { Vec::new() } else { named(&format!("{registry}:443")) };
    [named(registry), with_port, named("_default")].into_iter().find(|found| !found.is_empty()).unwrap_or_default()
}

/// Whether the runtime was given settings for the registry that the reference names, whatever they say.
pub fn has_settings(a: &Asked<'_>) -> K {
    if let Some((toml, guessed)) = settings_of_registry(a).first() {
        return yes_no(true, Evidence::of(&toml.source).guessed(*guessed));
    }
    let registry = a.pull.reference.as_ref().map(|r| r.host.as_str()).unwrap_or_default();
    let own = runtime(a);
    let files = Facts::of_node(&a.facts.runtime_configs, a.node()).filter(|(c, _)| own.is_none_or(|own| c.value.runtime == own));
    let mut entries = files.filter_map(|(c, guessed)| Some((&c.value.hosts.get(registry)?.source, guessed)));
    match entries.next() {
        Some((source, guessed)) => yes_no(true, Evidence::of(source).guessed(guessed)),
        // That a folder holds no entry shows only where the whole folder was collected.
        None => Known::NotCollected("hosts-toml"),
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

/// The folders in which containerd looks for a host's settings, as far as its configuration tells: what a file does not set is
/// not set, up to the version that has folders of its own accord.
fn folders<'a>(a: &Asked<'a>) -> Option<(Vec<String>, Evidence)> {
    let (config, guessed) = containerd(a)?;
    let at = config.value.config_path_at.as_ref().unwrap_or(&config.source);
    let version = super::now::own(a).and_then(|n| n.runtime.as_deref()).and_then(|r| r.strip_prefix("containerd://")).unwrap_or("");
    let bare = ["1.", "2.0.", "2.1."].iter().any(|v| version.starts_with(v));
    let paths = match &config.value.config_path {
        Some(paths) => paths.clone(),
        None if config.value.effective || bare => Vec::new(),
        None => return None,
    };
    Some((paths, Evidence::of(at).guessed(guessed)))
}

/// Whether containerd reads the folder of host settings at all; none where its configuration was not collected.
pub(super) fn reads_hosts_folder(a: &Asked<'_>) -> Option<bool> {
    folders(a).map(|(paths, _)| !paths.is_empty())
}

/// Whether containerd trusts a file that lies in a folder of host settings. Where the image's registry has a `hosts.toml`, only
/// what that names for the host at hand counts; without one, every file of the host's own folder.
pub(super) fn names_authority(a: &Asked<'_>, path: &str, folder: &str) -> bool {
    let tomls = settings_of_registry(a);
    if tomls.is_empty() {
        return is_folder_of(folder, a);
    }
    let is_it = |ca: &String, toml: &Of<HostsToml>| match ca.strip_prefix('/') {
        Some(absolute) => path.ends_with(absolute),
        None => a.facts.about.path(&toml.source).rsplit_once('/').is_some_and(|(base, _)| path.strip_prefix(base) == Some(&format!("/{ca}"))),
    };
    tomls.iter().any(|(toml, _)| {
        let server = toml.value.server.as_deref().unwrap_or(&toml.value.registry);
        let of_server = toml.value.server_trust.iter().filter(|_| is_folder_of(server, a));
        let of_hosts = toml.value.hosts.iter().filter(|h| is_folder_of(&h.host, a)).flat_map(|h| &h.own_trust);
        of_server.chain(of_hosts).any(|ca| is_it(ca, toml))
    })
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
    let host = a.host().map(|h| if is_hub(h) { HUB } else { h }).unwrap_or("");
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

/// Whether the configuration of CRI-O blocks the registry or the repository.
pub fn blocks_registry(a: &Asked<'_>) -> K {
    let (registry, repository) = a.pull.reference.as_ref().map(|r| (r.host.clone(), format!("{}/{}", r.host, r.repository))).unwrap_or_default();
    let fits = |prefix: &str| prefix == registry || repository == prefix || repository.starts_with(&format!("{prefix}/"));
    let of_subdomains = |prefix: &str| prefix.strip_prefix('*').is_some_and(|suffix| registry.ends_with(suffix));
    let files = Facts::of_node(&a.facts.runtime_configs, a.node()).filter(|(c, _)| c.value.runtime == "containers");
    let mut entries = files.flat_map(|(c, guessed)| c.value.hosts.iter().map(move |(host, s)| (host, s, guessed)));
    match entries.find(|(host, s, _)| s.blocked && (fits(host) || of_subdomains(host))) {
        Some((_, settings, guessed)) => yes_no(true, Evidence::of(&settings.source).guessed(guessed)),
        // Another file of the folder may block it.
        None => Known::NotCollected("registries-conf"),
    }
}

/// The registries in which the node looks for an image without a host.
pub fn search_registries(a: &Asked<'_>) -> K {
    let mut files = Facts::of_node(&a.facts.runtime_configs, a.node()).filter_map(|(c, guessed)| Some((&c.value.search, c.value.search_at.as_ref()?, guessed)));
    match files.next() {
        Some((list, at, guessed)) => Known::Seen(Value::List(list.clone()), Evidence::of(at).guessed(guessed)),
        None => Known::NotCollected("registries-conf"),
    }
}

/// Whether containerd was told of a client certificate for the host. Without a `hosts.toml` the files of the host's folder
/// count, which a bundle rarely holds.
pub fn gives_client_certificate(a: &Asked<'_>) -> K {
    let tomls = if runtime(a) == Some("containerd") { settings_of_registry(a) } else { Vec::new() };
    let gives = |toml: &HostsToml| {
        let server = toml.server.as_deref().unwrap_or(&toml.registry);
        (toml.server_client && is_folder_of(server, a)) || toml.hosts.iter().any(|h| h.client && is_folder_of(&h.host, a))
    };
    let given = tomls.iter().find(|(t, _)| gives(&t.value));
    match given.or(tomls.first()) {
        Some((toml, guessed)) => yes_no(given.is_some(), Evidence::of(&toml.source).guessed(*guessed)),
        None => Known::NotCollected("hosts-toml"),
    }
}
