//! Which pulls were asked for, and does the bundle know what was asked about?
//!
//! A pull that names no node may be on the node that was asked for: it stays, once the bundle shows anything of that node.

use crate::facts::{Facts, Happening};
use crate::message::Reference;

use super::Pull;

/// What a pull must match; what is none matches all.
#[derive(Debug, Clone, Copy, Default)]
pub struct Filter<'q> {
    /// A part of the image's name.
    pub image: Option<&'q str>,
    /// The node's name.
    pub node: Option<&'q str>,
    /// The namespace of one of its pods.
    pub namespace: Option<&'q str>,
}

/// What the facts say of one place where an image is or should be.
#[derive(Default)]
struct Subject<'f> {
    images: Vec<&'f str>,
    node: Option<&'f str>,
    namespace: Option<&'f str>,
}

impl Filter<'_> {
    /// Whether anything is left out at all.
    pub fn is_any(&self) -> bool {
        self.image.is_none() && self.node.is_none() && self.namespace.is_none()
    }

    /// Whether a pull was asked for, as far as it tells.
    pub fn admits(&self, pull: &Pull) -> bool {
        let image = self.image.is_none_or(|i| pull.image.contains(i) || pull.written.contains(i));
        let node = self.node.is_none_or(|n| pull.node.as_deref().is_none_or(|p| p.eq_ignore_ascii_case(n)));
        let namespaces: Vec<&str> = pull.pods.iter().filter_map(|p| p.split_once('/')).map(|(ns, _)| ns).collect();
        let namespace = self.namespace.is_none_or(|ns| namespaces.is_empty() || namespaces.contains(&ns));
        image && node && namespace
    }

    /// Whether the bundle holds anything of what was asked for: a pod, an event, a node or a log line that matches whole.
    pub fn is_known(&self, facts: &Facts) -> bool {
        let pods = facts.pods.iter().map(|p| Subject {
            images: p.images.iter().map(|(i, _)| i.as_str()).chain(p.waiting.iter().map(|w| w.image.as_str())).collect(),
            node: p.node.as_deref(),
            namespace: Some(&p.namespace),
        });
        let events = facts.events.iter().map(|e| Subject {
            images: e.message.split('"').skip(1).step_by(2).collect(),
            node: e.node.as_deref(),
            namespace: Some(&e.namespace),
        });
        let nodes = facts.nodes.iter().map(|n| Subject { images: n.images().iter().map(String::as_str).collect(), node: Some(&n.name), namespace: None });
        let records = facts.records.iter().map(|r| Subject { images: image_of(&r.what).into_iter().collect(), node: r.node.as_deref(), namespace: None });
        let pasted = facts.pasted.iter().map(|p| Subject { images: vec![&p.text], ..Subject::default() });
        let spaces = facts.heard.namespaces.iter().map(|ns| Subject { namespace: Some(ns), ..Subject::default() });
        self.is_any() || pods.chain(events).chain(nodes).chain(records).chain(pasted).chain(spaces).any(|s| self.matches(&s))
    }

    fn matches(&self, subject: &Subject<'_>) -> bool {
        let image = self.image.is_none_or(|i| subject.images.iter().any(|s| s.contains(i) || Reference::parse(s).is_some_and(|r| r.to_string().contains(i))));
        let node = self.node.is_none_or(|n| subject.node.is_some_and(|s| s.eq_ignore_ascii_case(n)));
        let namespace = self.namespace.is_none_or(|ns| subject.namespace == Some(ns));
        image && node && namespace
    }

    /// The filter as it was typed.
    pub fn typed(&self) -> String {
        [("--image", self.image), ("--node", self.node), ("--namespace", self.namespace)]
            .iter()
            .filter_map(|(flag, value)| Some(format!("{flag} {}", (*value)?)))
            .collect::<Vec<_>>()
            .join(" ")
    }
}

fn image_of(what: &Happening) -> Option<&str> {
    match what {
        Happening::Failed { image, .. } | Happening::Provider { image, .. } | Happening::Removed { image } => image.as_deref(),
        Happening::Pulling { image } | Happening::Pulled { image } | Happening::Cancelled { image, .. } => Some(image),
        Happening::NextHost { .. } => None,
    }
}
