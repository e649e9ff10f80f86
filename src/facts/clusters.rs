//! Does the bundle hold several clusters side by side? Then nodes of one name are different machines, and are named by folder.

use std::collections::{BTreeMap, BTreeSet};

use super::{Facts, Source};

/// When a node was made, and its addresses.
type Identity = (Option<i64>, Vec<String>);

impl Facts {
    /// The folders of the clusters, with their slash, where two of them hold different nodes of one name; else none.
    pub(super) fn clusters(&self, path: &dyn Fn(&Source) -> String) -> BTreeSet<String> {
        let top = |path: &str| path.split_once('/').map(|(top, _)| format!("{top}/"));
        let mut seen: BTreeMap<&str, BTreeMap<Identity, String>> = BTreeMap::new();
        for node in &self.nodes {
            let Some(top) = top(&path(&node.source)) else { continue };
            let mut addresses = node.addresses.clone();
            addresses.sort();
            let identity = (node.created.at.map(|t| t.as_second()), addresses);
            if identity.0.is_some() {
                seen.entry(&node.name).or_default().entry(identity).or_insert(top);
            }
        }
        // A node that was made anew under its name has another identity in the same folder.
        let folders: BTreeSet<&String> = seen.values().filter(|i| i.values().collect::<BTreeSet<_>>().len() > 1).flat_map(|i| i.values()).collect();
        folders.into_iter().cloned().collect()
    }

    /// Puts the folder in front of node names and namespaces: `east:node-1`.
    pub(super) fn tell_clusters_apart(&mut self, clusters: &BTreeSet<String>, path: &dyn Fn(&Source) -> String) {
        if clusters.is_empty() {
            return;
        }
        let lead = |name: &mut String, source: &Source| {
            let path = path(source);
            if let Some(folder) = clusters.iter().find(|c| path.starts_with(c.as_str())).filter(|_| !name.is_empty()) {
                *name = format!("{}:{name}", folder.trim_end_matches('/'));
            }
        };
        for node in &mut self.nodes {
            lead(&mut node.name, &node.source);
        }
        for event in &mut self.events {
            event.node.iter_mut().for_each(|n| lead(n, &event.source));
            lead(&mut event.namespace, &event.source);
            event.uid.iter_mut().for_each(|u| lead(u, &event.source));
        }
        for pod in &mut self.pods {
            pod.node.iter_mut().for_each(|n| lead(n, &pod.source));
            lead(&mut pod.namespace, &pod.source);
        }
        self.secrets.iter_mut().for_each(|s| lead(&mut s.namespace, &s.source));
        self.accounts.iter_mut().for_each(|a| lead(&mut a.namespace, &a.source));
    }
}
