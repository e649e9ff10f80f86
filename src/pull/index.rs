//! Where are the facts about one image, one pod, one node? Looked up once, so that the work is linear in pods and events.

use std::collections::HashMap;

use crate::bundle::Source;
use crate::facts::{Event, Facts, Happening, Known, Node, Pod, Record, Unit};
use crate::message::Reference;

/// Facts by what is asked of them.
#[derive(Debug, Default)]
pub struct Index<'f> {
    /// `Pulled` events by the image's completed reference.
    pulled: HashMap<String, Vec<&'f Event>>,
    /// Registry host and event of every pull over the network.
    network_pulls: HashMap<String, Vec<&'f Event>>,
    /// Events that say that an image was there already, by registry host.
    present: HashMap<String, Vec<&'f Event>>,
    /// Log lines of successful pulls by reference.
    logged_pulls: HashMap<String, Vec<&'f Record>>,
    /// Node and line of everything that shows that a node holds an image.
    holders: HashMap<String, Vec<(&'f str, &'f Source)>>,
    /// The same by repository: node, completed reference and line.
    repositories: HashMap<String, Vec<(&'f str, String, &'f Source)>>,
    /// `Pulling` events by registry host.
    pulling: HashMap<String, Vec<&'f Event>>,
    nodes: HashMap<&'f str, &'f Node>,
    pods: HashMap<(&'f str, &'f str), &'f Pod>,
    kubelet: HashMap<&'f str, Vec<&'f Record>>,
    timed: HashMap<&'f str, Vec<&'f Event>>,
    cleaned: HashMap<&'f str, &'f Event>,
}

fn complete(image: &str) -> String {
    Reference::parse(image).map_or_else(|| image.to_owned(), |r| r.to_string())
}

/// Whether an event shows that the node removed images, or set about it for want of room on its disk. A collection that found
/// nothing to remove shows the contrary.
fn cleans_images(event: &Event) -> bool {
    let message = event.message.as_str();
    match event.reason.as_str() {
        "EvictionThresholdMet" => ["ephemeral-storage", "imagefs", "nodefs", "inodes"].iter().any(|w| message.contains(w)),
        "FreeDiskSpaceFailed" | "ImageGC" => !["freed 0 bytes", "found 0 bytes"].iter().any(|w| message.contains(w)),
        _ => false,
    }
}

/// Host and repository of a completed reference.
fn repository_of(image: &str) -> Option<&str> {
    let name = image.split('@').next()?;
    match name.rsplit_once(':') {
        Some((repository, tag)) if !tag.contains('/') => Some(repository),
        _ => Some(name),
    }
}

/// The image that an event's text names in quotes.
fn quoted(message: &str) -> Option<&str> {
    message.split('"').nth(1)
}

impl<'f> Index<'f> {
    /// Looks through the facts once.
    pub fn of(facts: &'f Facts) -> Index<'f> {
        let mut index = Index::default();
        let mut names: HashMap<&'f str, String> = HashMap::new();
        let mut reference = |image: &'f str| names.entry(image).or_insert_with(|| complete(image)).clone();
        for event in &facts.events {
            index.event(event, &mut reference);
        }
        for pod in &facts.pods {
            index.pods.entry((&pod.namespace, &pod.name)).or_insert(pod);
            if let Some(node) = &pod.node {
                for image in &pod.started {
                    index.holds(node, reference(image), &pod.source);
                }
            }
        }
        for node in &facts.nodes {
            index.nodes.entry(&node.name).or_insert(node);
            let source = if let Known::Seen(_, evidence) = &node.images { evidence.sources.first() } else { None };
            for image in node.images() {
                index.holds(&node.name, reference(image), source.unwrap_or(&node.source));
            }
        }
        for record in &facts.records {
            if record.unit == Unit::Kubelet {
                index.kubelet.entry(record.node.as_deref().unwrap_or("")).or_default().push(record);
            }
            if let Happening::Pulled { image } = &record.what {
                index.logged_pulls.entry(reference(image)).or_default().push(record);
            }
        }
        index
    }

    fn holds(&mut self, node: &'f str, image: String, source: &'f Source) {
        if let Some(repository) = repository_of(&image) {
            self.repositories.entry(repository.to_owned()).or_default().push((node, image.clone(), source));
        }
        self.holders.entry(image).or_default().push((node, source));
    }

    fn event(&mut self, event: &'f Event, reference: &mut impl FnMut(&'f str) -> String) {
        if event.reason == "Pulled"
            && let Some(image) = quoted(&event.message)
        {
            let whole = reference(image);
            let host = whole.split('/').next().unwrap_or("").to_owned();
            let of_host = if event.message.contains("already present") { &mut self.present } else { &mut self.network_pulls };
            of_host.entry(host).or_default().push(event);
            if let Some(node) = &event.node {
                self.holds(node, whole.clone(), &event.source);
            }
            self.pulled.entry(whole).or_default().push(event);
        }
        if event.reason == "Pulling"
            && let Some(image) = quoted(&event.message)
        {
            let host = reference(image).split('/').next().unwrap_or("").to_owned();
            self.pulling.entry(host).or_default().push(event);
        }
        let Some(node) = event.node.as_deref() else { return };
        if event.message.contains("current time ") {
            self.timed.entry(node).or_default().push(event);
        }
        if cleans_images(event) {
            self.cleaned.entry(node).or_insert(event);
        }
    }

    /// `Pulled` events of an image, the cached ones too.
    pub fn pulled(&self, image: &str) -> &[&'f Event] {
        self.pulled.get(image).map_or(&[], Vec::as_slice)
    }

    /// Pulls over the network from a registry.
    pub fn network_pulls(&self, registry: &str) -> &[&'f Event] {
        self.network_pulls.get(registry).map_or(&[], Vec::as_slice)
    }

    /// The registries from which something was pulled over the network, each with an event that shows it, in the order of names.
    pub fn pulled_hosts(&self) -> Vec<(&str, &'f Source)> {
        let mut hosts: Vec<_> = self.network_pulls.iter().filter_map(|(host, events)| Some((host.as_str(), &events.first()?.source))).collect();
        hosts.sort_unstable_by_key(|(host, _)| *host);
        hosts
    }

    /// Events that say that an image of the registry was there already.
    pub fn present(&self, registry: &str) -> &[&'f Event] {
        self.present.get(registry).map_or(&[], Vec::as_slice)
    }

    /// Log lines that tell a successful pull of an image.
    pub fn logged_pulls(&self, image: &str) -> &[&'f Record] {
        self.logged_pulls.get(image).map_or(&[], Vec::as_slice)
    }

    /// Nodes that hold an image, each with the line that shows it.
    pub fn holders(&self, image: &str) -> &[(&'f str, &'f Source)] {
        self.holders.get(image).map_or(&[], Vec::as_slice)
    }

    /// What is known to lie on nodes of the same repository, whatever its tag: node, completed reference and line.
    pub fn of_repository(&self, image: &str) -> &[(&'f str, String, &'f Source)] {
        repository_of(image).and_then(|r| self.repositories.get(r)).map_or(&[], Vec::as_slice)
    }

    /// `Pulling` events of a registry's images.
    pub fn pulling(&self, registry: &str) -> &[&'f Event] {
        self.pulling.get(registry).map_or(&[], Vec::as_slice)
    }

    /// A node by its name.
    pub fn node(&self, name: &str) -> Option<&'f Node> {
        self.nodes.get(name).copied()
    }

    /// A pod by `namespace/name`, or by its name where no namespace is known.
    pub fn pod(&self, name: &str) -> Option<&'f Pod> {
        let (namespace, name) = name.split_once('/').unwrap_or(("", name));
        self.pods.get(&(namespace, name)).copied()
    }

    /// What a node's kubelet logged of pulls.
    pub fn kubelet(&self, node: Option<&str>) -> &[&'f Record] {
        self.kubelet.get(node.unwrap_or("")).map_or(&[], Vec::as_slice)
    }

    /// Events of a node whose text holds the node's time.
    pub fn timed(&self, node: &str) -> &[&'f Event] {
        self.timed.get(node).map_or(&[], Vec::as_slice)
    }

    /// An event that tells that the node cleaned images up.
    pub fn cleaned(&self, node: &str) -> Option<&'f Event> {
        self.cleaned.get(node).copied()
    }
}
