//! What does one object say that concerns pulls? Small structs: a field that is missing or redacted costs only itself.

use crate::bundle::Source;
use crate::facts::{Condition, Event, Known, Node, Pod, ServiceAccount, Waiting, When, time};
use crate::readers::File;

use super::raw::{Container, ContainerStatus, RawObject};

/// An object of a kind that concerns pulls.
pub(in crate::readers) struct Item {
    kind: &'static str,
    raw: Box<RawObject>,
}

const KINDS: [&str; 7] = ["Event", "Pod", "Node", "Secret", "ServiceAccount", "Service", "DaemonSet"];

fn known(kind: &str) -> Option<&'static str> {
    KINDS.into_iter().find(|k| *k == kind)
}

/// Notes that a list of this kind was collected, if only an empty one.
pub(super) fn collected(file: &mut File<'_>, kind: Option<&str>) {
    if let Some(artefact) = kind.and_then(|k| k.strip_suffix("List")).and_then(known).map(artefact) {
        file.take(artefact);
    }
}

fn artefact(kind: &'static str) -> &'static str {
    match kind {
        "Event" => "events",
        "Pod" => "pods",
        "Node" => "nodes",
        "Secret" => "pull-secrets",
        "Service" => "cluster-services",
        "DaemonSet" => "daemonsets",
        _ => "service-accounts",
    }
}

/// Notes an object that could not be read; where it is an event or a pod, it may have shown a failing pull.
pub(super) fn lost(file: &mut File<'_>, kind: &str, why: String) {
    if matches!(kind, "Event" | "Pod") { file.lost(why) } else { file.unread(why) }
}

impl Item {
    /// Whether objects of this kind are read at all.
    pub(in crate::readers) fn is_read(kind: &str) -> bool {
        known(kind).is_some()
    }

    pub(in crate::readers) fn from_json(kind: &str, text: &str) -> Result<Option<Item>, serde_json::Error> {
        known(kind).map(|kind| Ok(Item { kind, raw: serde_json::from_str(text)? })).transpose()
    }

    pub(in crate::readers) fn from_yaml(kind: &str, text: &str) -> Result<Option<Item>, serde_yaml::Error> {
        known(kind).map(|kind| Ok(Item { kind, raw: serde_yaml::from_str(text)? })).transpose()
    }

    /// Adds what the object says to the facts. `text` is the object as it stands, `line` the line on which it begins.
    pub(in crate::readers) fn draft(self, file: &mut File<'_>, text: &str, line: u32) {
        let artefact = artefact(self.kind);
        if file.facts.about.taken.last() != Some(&(artefact, file.id)) {
            file.take(artefact);
        }
        let raw = *self.raw;
        match self.kind {
            "Event" => event(file, raw, text, line),
            "Pod" => pod(file, raw, text, line),
            "Node" => node(file, raw, text, line),
            "Service" => service(file, raw, text, line),
            "DaemonSet" => daemon_set(file, raw, text, line),
            "Secret" => super::secrets::secret(file, raw, text, line),
            _ => account(file, raw, line),
        }
    }
}

/// The line inside the object on which `key` holds a text that begins like `value`, and the value as the excerpt.
fn at(file: &File<'_>, text: &str, first: u32, key: &str, value: &str) -> Source {
    let start: String = value.chars().take_while(|c| !matches!(c, '"' | '\\' | '\n')).take(24).collect();
    let within = (0u32..).zip(text.lines()).find(|(_, l)| l.contains(key) && l.contains(&start)).map_or(0, |(n, _)| n);
    file.source(first + within, value)
}

fn when(text: Option<&String>) -> Option<When> {
    text.and_then(|t| time::stamp(t)).map(When::at)
}

fn event(file: &mut File<'_>, raw: RawObject, text: &str, line: u32) {
    let created = when(raw.metadata.creation_timestamp.as_ref());
    let series = raw.series.unwrap_or_default();
    let last = when(series.last_observed_time.as_ref())
        .or_else(|| when(raw.last_timestamp.as_ref()))
        .or_else(|| when(raw.deprecated_last_timestamp.as_ref()))
        .or_else(|| when(raw.event_time.as_ref()))
        .or(created)
        .unwrap_or_default();
    let first = when(raw.first_timestamp.as_ref())
        .or_else(|| when(raw.deprecated_first_timestamp.as_ref()))
        .or_else(|| when(raw.event_time.as_ref()))
        .or(created)
        .unwrap_or_default();
    file.facts.newest_stamp = file.facts.newest_stamp.max(last.at);
    file.facts.heard.reaches(file.id, last.at);
    let object = raw.involved_object.or(raw.regarding).unwrap_or_default();
    let reason = raw.reason.unwrap_or_default();
    let message = raw.message.or(raw.note).unwrap_or_default();
    file.facts.heard.event(object.namespace.as_deref().unwrap_or(""));
    if !concerns_pulls(&reason, &message) {
        return;
    }
    let source = raw.source.or(raw.deprecated_source).unwrap_or_default();
    let component = source.component.or(raw.reporting_component).or(raw.reporting_controller).unwrap_or_default();
    let host = source.host.filter(|h| !h.is_empty());
    let host = host.or_else(|| raw.reporting_instance.filter(|i| component == "kubelet" && !i.is_empty() && i != "kubelet"));
    let kind = object.kind.unwrap_or_else(|| "Pod".to_owned());
    let name = object.name.unwrap_or_default();
    let host = host.or_else(|| (kind == "Node").then(|| name.clone()));
    let place = at(file, text, line, "\"", &message);
    let place = if text.starts_with('{') { place } else { at(file, text, line, ": ", &message) };
    file.facts.events.push(Event {
        namespace: object.namespace.or(raw.metadata.namespace).unwrap_or_default(),
        kind,
        name,
        reason,
        message,
        node: host,
        count: series.count.or(raw.count).or(raw.deprecated_count).unwrap_or(1),
        first,
        last,
        created: created.unwrap_or_default(),
        uid: raw.metadata.uid,
        source: place,
    });
}

/// When an object was made or last written: managed fields carry the times of writing.
pub(super) fn changed(created: Option<&String>, text: &str) -> When {
    let written = text.split("time\": \"").skip(1).chain(text.split("time\":\"").skip(1)).chain(text.split(" time: \"").skip(1));
    let newest = written.filter_map(|rest| time::stamp(rest.split('"').next()?)).max();
    newest.max(created.and_then(|t| time::stamp(t))).map(When::at).unwrap_or_default()
}

/// Whether an event may be evidence for or against a pull.
pub(in crate::readers) fn concerns_pulls(reason: &str, message: &str) -> bool {
    const REASONS: [&str; 20] = [
        "Pulling",
        "Pulled",
        "Failed",
        "BackOff",
        "FailedToRetrieveImagePullSecret",
        "InspectFailed",
        "ErrImageNeverPull",
        "ErrImagePull",
        "ImagePullBackOff",
        "FailedCreatePodSandBox",
        "FailedPullImage",
        "Scheduled",
        "ImageGCFailed",
        "FreeDiskSpaceFailed",
        "ImageGC",
        "EvictionThresholdMet",
        // What takes a pod off its node.
        "Killing",
        "Evicted",
        "TaintManagerEviction",
        "Preempted",
    ];
    REASONS.contains(&reason) || message.contains("pull image") || message.contains("denied the request")
}

fn pod(file: &mut File<'_>, raw: RawObject, text: &str, line: u32) {
    let spec = raw.spec;
    let containers: Vec<Container> = [spec.containers, spec.init_containers, spec.ephemeral_containers].into_iter().flatten().flatten().collect();
    let statuses: Vec<ContainerStatus> = [raw.status.container_statuses, raw.status.init_container_statuses].into_iter().flatten().flatten().collect();
    let name = raw.metadata.name.unwrap_or_default();
    let has_spec = !containers.is_empty();
    if raw.status.phase.is_some() || !statuses.is_empty() {
        file.facts.heard.pod(raw.metadata.namespace.as_deref().unwrap_or(""));
    }
    let here = file.source(line, &format!("pod {name}"));
    let image_of = |status: &ContainerStatus| {
        let own = containers.iter().find(|c| c.name == status.name).and_then(|c| c.image.clone());
        own.or_else(|| status.image.clone()).unwrap_or_default()
    };
    let mut waiting = Vec::new();
    let mut started = Vec::new();
    for status in &statuses {
        match &status.state.waiting {
            Some(wait) => {
                let message = wait.message.clone().unwrap_or_default();
                let source = at(
                    file,
                    text,
                    line,
                    if text.starts_with('{') { "\"" } else { ": " },
                    if message.is_empty() { wait.reason.as_deref().unwrap_or("") } else { &message },
                );
                waiting.push(Waiting { image: image_of(status), reason: wait.reason.clone().unwrap_or_default(), message, source });
            }
            None if status.image_id.as_deref().is_some_and(|id| !id.is_empty()) => started.push(image_of(status)),
            None => {}
        }
    }
    let secrets: Vec<String> = spec.image_pull_secrets.unwrap_or_default().into_iter().filter_map(|s| s.name).collect();
    // A specification that was cut or cannot be read names nothing, and denies nothing.
    let pull_secrets = if has_spec { Known::Seen(secrets, crate::facts::Evidence::of(&here)) } else { Known::NotCollected("pods") };
    file.facts.pods.push(Pod {
        namespace: raw.metadata.namespace.unwrap_or_default(),
        name,
        node: spec.node_name.filter(|n| !n.is_empty()),
        images: containers.into_iter().filter_map(|c| Some((c.image?, c.image_pull_policy))).collect(),
        pull_secrets,
        account: spec.service_account_name.or(spec.service_account),
        waiting,
        started,
        created: when(raw.metadata.creation_timestamp.as_ref()).unwrap_or_default(),
        source: here,
    });
}

/// Labels by which platforms name a node's pool.
const POOL_LABELS: [&str; 9] = [
    "kubernetes.azure.com/agentpool",
    "agentpool",
    "eks.amazonaws.com/nodegroup",
    "cloud.google.com/gke-nodepool",
    "karpenter.sh/nodepool",
    "alpha.eksctl.io/nodegroup-name",
    "node.openshift.io/pool",
    "doks.digitalocean.com/node-pool",
    "k8s.scaleway.com/pool-name",
];

fn node(file: &mut File<'_>, raw: RawObject, text: &str, line: u32) {
    let Some(name) = raw.metadata.name else { return };
    let labels = raw.metadata.labels;
    let info = raw.status.node_info.unwrap_or_default();
    let addresses: Vec<String> = raw.status.addresses.unwrap_or_default().into_iter().filter_map(|a| a.address).collect();
    let mut aliases: Vec<String> = labels.get("kubernetes.io/hostname").cloned().into_iter().filter(|h| *h != name).collect();
    aliases.extend(raw.spec.provider_id.as_deref().and_then(instance));
    let source = match raw.metadata.creation_timestamp.as_deref() {
        Some(joined) => Source { excerpt: format!("node {name}, joined {joined}").as_str().into(), ..at(file, text, line, "creationTimestamp", joined) },
        None => file.source(line, &format!("node {name}")),
    };
    let listed = raw.status.images;
    let listing = Source { excerpt: format!("images of node {name}").as_str().into(), ..at(file, text, line, "images", "images") };
    let conditions = raw.status.conditions.into_iter().map(|c| condition(file, c, text, line)).collect();
    file.facts.nodes.push(Node {
        pool: POOL_LABELS.iter().find_map(|l| labels.get(*l)).cloned(),
        created: when(raw.metadata.creation_timestamp.as_ref()).unwrap_or_default(),
        group: raw.spec.provider_id.as_deref().and_then(group).or_else(|| labels.get("kubernetes.azure.com/cluster").map(|g| g.to_lowercase())),
        os: info.operating_system.or_else(|| labels.get("kubernetes.io/os").cloned()),
        arch: info.architecture.or_else(|| labels.get("kubernetes.io/arch").cloned()),
        runtime: info.container_runtime_version,
        kubelet: info.kubelet_version,
        os_image: info.os_image,
        images: images(listed, &listing),
        conditions,
        name,
        addresses,
        aliases,
        source,
    });
}

/// A node always holds an image, were it only the sandbox's: an empty list was left out by somebody.
fn images(listed: Option<Vec<super::raw::NodeImage>>, source: &Source) -> Known<Vec<String>> {
    match listed.filter(|l| !l.is_empty()) {
        Some(listed) => Known::Seen(listed.into_iter().flat_map(|i| i.names).collect(), crate::facts::Evidence::of(source)),
        None => Known::NotCollected("image-list"),
    }
}

fn condition(file: &File<'_>, raw: super::raw::Condition, text: &str, line: u32) -> Condition {
    let source = Source { excerpt: format!("{} {}", raw.kind, raw.status).as_str().into(), ..at(file, text, line, "", &raw.kind) };
    Condition { since: when(raw.last_transition_time.as_ref()).unwrap_or_default(), kind: raw.kind, status: raw.status, source }
}

/// `azure:///subscriptions/.../resourceGroups/GROUP/providers/...`
fn group(provider: &str) -> Option<String> {
    let lower = provider.to_lowercase();
    let (_, rest) = lower.split_once("/resourcegroups/")?;
    rest.split('/').next().filter(|g| !g.is_empty()).map(str::to_owned)
}

/// `.../virtualMachineScaleSets/SET/virtualMachines/46` is called `SET_46` by the cloud's tools; an EC2 id stands last.
fn instance(provider: &str) -> Option<String> {
    let last = provider.rsplit('/').next()?;
    match provider.split_once("/virtualMachineScaleSets/") {
        Some((_, rest)) => Some(format!("{}_{last}", rest.split('/').next()?)),
        None => last.starts_with("i-").then(|| last.to_owned()),
    }
}

/// Words of commands that set a node up for pulls, and what of it.
const SETS_UP: [(&str, &str); 8] = [
    ("ca-certificates", "trust"),
    ("update-ca-trust", "trust"),
    ("ca-trust/source/anchors", "trust"),
    ("certs.d", "trust"),
    ("certs.d", "registries"),
    ("hosts.toml", "registries"),
    ("registries.conf", "registries"),
    ("/etc/hosts", "hosts-file"),
];

fn daemon_set(file: &mut File<'_>, raw: RawObject, text: &str, line: u32) {
    let sets_up: Vec<&'static str> = SETS_UP.iter().filter(|(word, _)| text.contains(word)).map(|(_, what)| *what).collect();
    if sets_up.is_empty() {
        return;
    }
    let name = format!("{}/{}", raw.metadata.namespace.unwrap_or_default(), raw.metadata.name.unwrap_or_default());
    let selector = raw.spec.template.unwrap_or_default().spec.node_selector.unwrap_or_default();
    let pool = selector.iter().find(|(key, _)| POOL_LABELS.contains(&key.as_str()));
    let pools = pool.map(|(key, value)| (value.clone(), Source { excerpt: format!("{key}: {value}").as_str().into(), ..at(file, text, line, key, value) }));
    let source = file.source(line, &format!("DaemonSet {name}"));
    file.facts.daemon_sets.push(crate::facts::objects::DaemonSet { name, sets_up, pools, source });
}

fn service(file: &mut File<'_>, raw: RawObject, text: &str, line: u32) {
    let own = raw.spec.cluster_ip.as_deref().into_iter().chain(raw.spec.cluster_ips.iter().flatten().map(String::as_str));
    let mut addresses: Vec<std::net::IpAddr> = own.filter_map(|a| a.parse().ok()).collect();
    addresses.dedup();
    let Some(first) = addresses.first() else { return };
    let name = format!("{}/{}", raw.metadata.namespace.unwrap_or_default(), raw.metadata.name.unwrap_or_default());
    let source = Source { excerpt: format!("service {name}: {first}").as_str().into(), ..at(file, text, line, "lusterIP", &first.to_string()) };
    file.facts.cluster_services.push(crate::facts::objects::Service { name, addresses, source });
}

fn account(file: &mut File<'_>, raw: RawObject, line: u32) {
    let name = raw.metadata.name.unwrap_or_default();
    let source = file.source(line, &format!("service account {name}"));
    let pull_secrets = raw.image_pull_secrets.into_iter().filter_map(|s| s.name).collect();
    file.facts.accounts.push(ServiceAccount { namespace: raw.metadata.namespace.unwrap_or_default(), name, pull_secrets, source });
}
