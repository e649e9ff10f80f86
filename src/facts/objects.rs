//! What do Kubernetes' own objects say of pulls? Events, pods, nodes, pull secrets.

use std::net::IpAddr;

use crate::bundle::Source;

use super::{Known, When};

/// An event that concerns a pull, or a node's cleaning up.
#[derive(Debug, Clone)]
pub struct Event {
    /// Namespace of the object.
    pub namespace: String,
    /// Kind of the object: `Pod`, `Node`, `ReplicaSet` ...
    pub kind: String,
    /// Name of the object.
    pub name: String,
    /// Reason, as the component gave it.
    pub reason: String,
    /// The text.
    pub message: String,
    /// The node whose kubelet told it.
    pub node: Option<String>,
    /// How often it was seen.
    pub count: u64,
    /// When it was first seen.
    pub first: When,
    /// When it was last seen.
    pub last: When,
    /// When the API server made the object, by its own clock.
    pub created: When,
    /// The object's `metadata.uid`, by which a second copy is known.
    pub uid: Option<String>,
    /// Where it stands.
    pub source: Source,
}

/// A pod.
#[derive(Debug, Clone)]
pub struct Pod {
    /// Namespace.
    pub namespace: String,
    /// Name.
    pub name: String,
    /// The node on which it was placed.
    pub node: Option<String>,
    /// Images of its containers as the specification writes them, with the pull policy.
    pub images: Vec<(String, Option<String>)>,
    /// Names of the pull secrets in its specification; not collected where the artefact does not show them.
    pub pull_secrets: Known<Vec<String>>,
    /// Its service account.
    pub account: Option<String>,
    /// Containers that wait.
    pub waiting: Vec<Waiting>,
    /// Images of containers that run or have run, which the node therefore holds.
    pub started: Vec<String>,
    /// When it was made.
    pub created: When,
    /// Where it stands.
    pub source: Source,
}

/// Reasons of a container that waits for its image.
pub const IMAGE_REASONS: [&str; 7] =
    ["ImagePullBackOff", "ErrImagePull", "ErrImageNeverPull", "InvalidImageName", "ImageInspectError", "RegistryUnavailable", "SignatureValidationFailed"];

/// A container that waits for its image.
#[derive(Debug, Clone)]
pub struct Waiting {
    /// The image as written.
    pub image: String,
    /// The reason, `ImagePullBackOff` and its kin.
    pub reason: String,
    /// The text beside it, which outlives the event.
    pub message: String,
    /// Where it stands.
    pub source: Source,
}

/// A node.
#[derive(Debug, Clone)]
pub struct Node {
    /// Name.
    pub name: String,
    /// Pool, by the platform's label.
    pub pool: Option<String>,
    /// When it joined.
    pub created: When,
    /// Operating system: `linux` or `windows`.
    pub os: Option<String>,
    /// Processor: `amd64`, `arm64` ...
    pub arch: Option<String>,
    /// Runtime and its version: `containerd://1.7.24`.
    pub runtime: Option<String>,
    /// Kubelet's version.
    pub kubelet: Option<String>,
    /// The system image: `Ubuntu 22.04.5 LTS`.
    pub os_image: Option<String>,
    /// Addresses.
    pub addresses: Vec<String>,
    /// Other names that artefacts may call it by (hostname, provider id's last parts).
    pub aliases: Vec<String>,
    /// The group of the cloud's resources in which its machine stands, in lower case.
    pub group: Option<String>,
    /// Images that `status.images` lists. A table shows none, and the kubelet names [`MOST_IMAGES`] at most.
    pub images: Known<Vec<String>>,
    /// Conditions such as `Ready` and `DiskPressure`.
    pub conditions: Vec<Condition>,
    /// Where it stands.
    pub source: Source,
}

/// How many images the kubelet names of a node, unless it was told another number: a list as long may not be whole.
pub const MOST_IMAGES: usize = 50;

impl Node {
    /// The images that it is known to hold.
    pub fn images(&self) -> &[String] {
        self.images.seen().map_or(&[], Vec::as_slice)
    }

    /// Takes over what a second account of the same node knows and this one does not.
    pub(super) fn complete(&mut self, other: Node) {
        self.pool = self.pool.take().or(other.pool);
        self.group = self.group.take().or(other.group);
        self.os = self.os.take().or(other.os);
        self.arch = self.arch.take().or(other.arch);
        self.runtime = self.runtime.take().or(other.runtime);
        self.kubelet = self.kubelet.take().or(other.kubelet);
        self.os_image = self.os_image.take().or(other.os_image);
        if self.created.at.is_none() {
            self.created = other.created;
        }
        if self.images.seen().is_none() {
            self.images = other.images;
        }
        if self.conditions.is_empty() {
            self.conditions = other.conditions;
        }
        let known: Vec<String> = other.addresses.into_iter().filter(|a| !self.addresses.contains(a)).collect();
        self.addresses.extend(known);
        let known: Vec<String> = other.aliases.into_iter().filter(|a| !self.aliases.contains(a)).collect();
        self.aliases.extend(known);
    }
}

/// A condition of a node.
#[derive(Debug, Clone)]
pub struct Condition {
    /// `Ready`, `DiskPressure`, `MemoryPressure` ...
    pub kind: String,
    /// `True`, `False`, `Unknown`.
    pub status: String,
    /// When it last changed.
    pub since: When,
    /// Where it stands.
    pub source: Source,
}

/// A pull secret, without its content.
#[derive(Debug, Clone)]
pub struct PullSecret {
    /// Namespace.
    pub namespace: String,
    /// Name.
    pub name: String,
    /// Type: `kubernetes.io/dockerconfigjson` ...
    pub kind: String,
    /// The registry hosts for which it holds an entry; not collected where the content was left out or redacted.
    pub hosts: Known<Vec<String>>,
    /// Why the kubelet cannot use it: its type, or how it is written. Absent where it can be read.
    pub fault: Known<&'static str>,
    /// When it was made or last written, whichever is later.
    pub changed: When,
    /// Where it stands.
    pub source: Source,
}

/// A service of the cluster, and the addresses that stand for it on the nodes.
#[derive(Debug, Clone)]
pub struct Service {
    /// Namespace and name.
    pub name: String,
    /// Its cluster addresses.
    pub addresses: Vec<IpAddr>,
    /// Where it stands.
    pub source: Source,
}

/// A DaemonSet that sets nodes up.
#[derive(Debug, Clone)]
pub struct DaemonSet {
    /// Namespace and name.
    pub name: String,
    /// What of a node it sets up, by its commands: `trust`, `hosts-file`, `registries`.
    pub sets_up: Vec<&'static str>,
    /// The pool to which it is bound, where it is, and the line that says so.
    pub pools: Option<(String, Source)>,
    /// Where it stands.
    pub source: Source,
}

/// A service account and the pull secrets that it names.
#[derive(Debug, Clone)]
pub struct ServiceAccount {
    /// Namespace.
    pub namespace: String,
    /// Name.
    pub name: String,
    /// Names of its pull secrets.
    pub pull_secrets: Vec<String>,
    /// Where it stands.
    pub source: Source,
}
