//! What belongs together, now that the whole tree is read? Joins files to nodes, settles times, drops second copies.

use std::collections::{BTreeMap, BTreeSet};

use crate::bundle::{FileId, Tally};

use super::clusters::Cluster;
use super::join::Joiner;
use super::{Facts, Of, Owner, ProxySettings, Source};

impl Facts {
    /// Joins the drafts of all readers. `at` stands in for the bundle's own time where it is given.
    #[must_use]
    pub fn seal(mut self, tally: Tally, at: Option<jiff::Timestamp>) -> Facts {
        let read: BTreeSet<_> = self.about.taken.iter().map(|(_, file)| *file).collect();
        self.about.read = read.len() as u64;
        self.about.layouts = tally.layouts(&self.marks);
        self.about.name = tally.name;
        self.about.files = tally.files;
        self.about.top = tally.top;
        self.about.met = tally.met;
        self.about.bytes = tally.bytes;
        self.about.unread.extend(tally.unread);
        self.about.unread.sort_by(|a, b| a.file.cmp(&b.file).then_with(|| a.why.cmp(&b.why)));
        // A folder keeps the one inside it in its paths, an archive's was taken off.
        let inner = self.about.files.first().and_then(|f| f.split_once('/')).map_or("", |(first, _)| first);
        let inner = if self.about.files.iter().all(|f| f.starts_with(inner)) { inner } else { "" };
        let named = format!("{}{} {inner}", self.about.top, self.about.name);
        let by_name = self.newest_stamp.and_then(|newest| super::time::of_folder(&named, newest));
        self.about.collected_at = self.layout_stamp.or(by_name).or(self.newest_stamp).or(tally.newest);
        self.about.now = at.or(self.about.collected_at);
        self.settle_times();
        let files = std::mem::take(&mut self.about.files);
        let top = self.about.top.clone();
        let path = |file: FileId| format!("{top}{}", files.get(file.place()).map_or("", String::as_str));
        // Clusters lie side by side below what was taken off.
        let clusters = self.clusters(&files);
        self.tell_clusters_apart(&clusters, &files);
        let clusters: Vec<Cluster> = clusters.into_iter().map(|c| Cluster { folder: format!("{top}{}", c.folder), ..c }).collect();
        self.drop_second_copies();
        self.settle_twice_told(&path);
        self.fill_namespaces();
        self.join_pods_to_nodes();
        self.join_files(&clusters, &path);
        self.settle_twice_told_interfaces(&path);
        self.about.files = files;
        self.join_environments();
        self.tell_clocks_apart();
        self.tell_empty_lists();
        self.hand_out_cluster_proxy();
        self
    }

    /// The proxy that a cluster gives to all of its nodes holds for those whose own settings were not collected.
    fn hand_out_cluster_proxy(&mut self) {
        let mut proxies = self.estate.clusters.iter().filter_map(|c| Some((&c.id, c.proxy.as_ref()?)));
        let Some((id, proxy)) = proxies.next() else { return };
        if proxies.any(|(other, _)| other != id) {
            return;
        }
        let Some(source) = proxy.no_proxy.last().map(|(_, s)| s.clone()).or_else(|| proxy.source.clone()) else { return };
        let value = ProxySettings {
            https_proxy: proxy.https_proxy.as_ref().map(|(address, _)| address.clone()),
            no_proxy: proxy.no_proxy.iter().map(|(entry, _)| entry.clone()).collect(),
            ..ProxySettings::default()
        };
        let events = self.events.iter().filter_map(|e| e.node.clone());
        let mut nodes: BTreeSet<String> =
            self.nodes.iter().map(|n| n.name.clone()).chain(self.pods.iter().filter_map(|p| p.node.clone())).chain(events).collect();
        nodes.retain(|node| Facts::of_node(&self.proxies, Some(node)).next().is_none());
        let given = |name| Of { owner: Owner::Node { name, guessed: false }, value: value.clone(), source: source.clone() };
        self.proxies.extend(nodes.into_iter().map(given));
    }

    /// An empty list of role assignments is one of nobody's, where its command left nothing out.
    fn tell_empty_lists(&mut self) {
        for source in std::mem::take(&mut self.empty_lists) {
            let Some(command) = self.command_of(&source).map(str::to_lowercase) else { continue };
            let narrowed = ["--query", "--role", "|", "grep"].iter().any(|w| command.contains(w));
            if command.contains("role assignment list") && command.contains("--include-inherited") && !narrowed {
                self.about.taken.push(("role-assignments", source.file));
                self.estate.role_listings.push(super::registry::RoleListing { principal: None, command: Some(command), source });
            }
        }
    }

    fn settle_times(&mut self) {
        let now = self.about.now;
        for event in &mut self.events {
            event.first.settle(now);
            event.last.settle(now);
        }
        self.pods.iter_mut().for_each(|p| p.created.settle(now));
        self.nodes.iter_mut().for_each(|n| n.created.settle(now));
        self.secrets.iter_mut().for_each(|s| s.changed.settle(now));
        self.records.iter_mut().for_each(|r| r.when.settle(now));
        // Lines without a year could not tell the newest moment before; the newest of them may be newer than any stamp.
    }

    /// The same event stands in a list, in a description and under a second API.
    fn drop_second_copies(&mut self) {
        let mut seen = BTreeSet::new();
        self.events.retain(|e| {
            let last = e.last.at.map(|t| t.as_second());
            match &e.uid {
                Some(uid) => seen.insert((uid.clone(), String::new(), String::new(), last)),
                None => seen.insert((e.namespace.clone() + "/" + &e.name, e.reason.clone(), e.message.clone(), last)),
            }
        });
        self.merge_nodes();
    }

    /// A list says more of a node than a table or a description: the richest account stays, and takes over what others add.
    fn merge_nodes(&mut self) {
        self.nodes.sort_by_key(|n| (n.name.clone(), n.images.seen().is_none(), n.pool.is_none(), n.created.ago.is_some(), n.created.at.is_none()));
        let mut merged: Vec<super::Node> = Vec::with_capacity(self.nodes.len());
        for node in std::mem::take(&mut self.nodes) {
            match merged.last_mut().filter(|last| last.name == node.name) {
                Some(last) => last.complete(node),
                None => merged.push(node),
            }
        }
        self.nodes = merged;
    }

    /// A table of one namespace leaves its name out; another artefact that knows the pod tells it.
    fn fill_namespaces(&mut self) {
        let mut known: BTreeMap<String, Option<String>> = BTreeMap::new();
        let pods = self.pods.iter().map(|p| (&p.name, &p.namespace));
        let events = self.events.iter().map(|e| (&e.name, &e.namespace));
        for (name, namespace) in pods.chain(events).filter(|(_, ns)| !ns.is_empty()) {
            known.entry(name.clone()).and_modify(|k| *k = k.take().filter(|k| k == namespace)).or_insert_with(|| Some(namespace.clone()));
        }
        let of = |name: &str| known.get(name).cloned().flatten();
        for pod in self.pods.iter_mut().filter(|p| p.namespace.is_empty()) {
            pod.namespace = of(&pod.name).unwrap_or_default();
        }
        for event in self.events.iter_mut().filter(|e| e.namespace.is_empty()) {
            event.namespace = of(&event.name).unwrap_or_default();
        }
    }

    /// An event of a pod happened on the pod's node; a pod without one may have been placed by an event.
    fn join_pods_to_nodes(&mut self) {
        let mut nodes: BTreeMap<(String, String), String> = BTreeMap::new();
        for event in self.events.iter().filter(|e| e.kind == "Pod") {
            let assigned = event.message.strip_prefix("Successfully assigned ").and_then(|m| m.split_once(" to ")).map(|(_, node)| node.trim().to_owned());
            if let Some(node) = event.node.clone().or(assigned) {
                nodes.entry((event.namespace.clone(), event.name.clone())).or_insert(node);
            }
        }
        for pod in &mut self.pods {
            let key = (pod.namespace.clone(), pod.name.clone());
            match &pod.node {
                Some(node) => {
                    nodes.insert(key, node.clone());
                }
                None => pod.node = nodes.get(&key).cloned(),
            }
        }
        for event in self.events.iter_mut().filter(|e| e.node.is_none() && e.kind == "Pod") {
            event.node = nodes.get(&(event.namespace.clone(), event.name.clone())).cloned();
        }
    }

    fn join_files(&mut self, clusters: &[Cluster], path: &dyn Fn(FileId) -> String) {
        let joiner = Joiner::new(self, clusters, path);
        fn own<T>(list: &mut [Of<T>], joiner: &Joiner, path: impl Fn(&Source) -> String) {
            for item in list.iter_mut().filter(|i| i.owner == Owner::Unknown) {
                item.owner = joiner.owner(&path(&item.source));
            }
        }
        let p = |s: &Source| path(s.file);
        for item in self.resolvers.iter_mut().filter(|r| r.value.is_pods()) {
            item.owner = Owner::Pod;
        }
        own(&mut self.resolvers, &joiner, p);
        own(&mut self.hosts_files, &joiner, p);
        own(&mut self.routes, &joiner, p);
        own(&mut self.route_rules, &joiner, p);
        for table in self.effective_routes.iter_mut().filter(|t| t.owner == Owner::Unknown) {
            table.owner = joiner.owner_of_dump(&p(&table.source));
        }
        own(&mut self.networks.effective_groups, &joiner, p);
        own(&mut self.chains, &joiner, p);
        // A folder that is called after the node names no host that was asked.
        for chain in self.chains.iter_mut().filter(|c| c.value.by_folder) {
            let folder = chain.value.host.clone().unwrap_or_default();
            let nodes_own = matches!(&chain.owner, Owner::Node { name, .. } if name.eq_ignore_ascii_case(&folder));
            if nodes_own || joiner.node(&folder, &p(&chain.source)).is_some() {
                chain.value.host = None;
            }
        }
        own(&mut self.trust, &joiner, p);
        own(&mut self.services, &joiner, p);
        own(&mut self.file_times, &joiner, p);
        own(&mut self.listings, &joiner, p);
        own(&mut self.clocks, &joiner, p);
        own(&mut self.probes, &joiner, p);
        own(&mut self.links, &joiner, p);
        own(&mut self.kernel_logs, &joiner, p);
        own(&mut self.disks, &joiner, p);
        own(&mut self.lookups, &joiner, p);
        own(&mut self.requests, &joiner, p);
        own(&mut self.hosts_toml, &joiner, p);
        own(&mut self.runtime_configs, &joiner, p);
        own(&mut self.proxies, &joiner, p);
        own(&mut self.policies, &joiner, p);
        own(&mut self.firewalls, &joiner, p);
        own(&mut self.names.servers, &joiner, p);
        own(&mut self.estate.of_nodes, &joiner, p);
        let mut hosts: BTreeMap<FileId, BTreeSet<String>> = BTreeMap::new();
        // A host that no object names is a machine of its own, unless its path names the node.
        let of_host = |host: &String, at: &str| match (joiner.node(host, at), joiner.owner(at)) {
            (Some(node), _) => node,
            (None, Owner::Node { name, guessed: false }) => name,
            _ => joiner.machine(host, at),
        };
        for record in &mut self.records {
            let at = path(record.source.file);
            let (node, guessed) = match (&record.host, joiner.owner(&at)) {
                (Some(host), _) => (Some(of_host(host, &at)), false),
                (None, Owner::Node { name, guessed }) => (Some(name), guessed),
                _ => (None, false),
            };
            hosts.entry(record.source.file).or_default().extend(node.clone().filter(|_| !guessed));
            record.node = node;
            record.guessed = guessed;
        }
        for log in &self.heard.logs {
            let at = path(log.file);
            hosts.entry(log.file).or_default().extend(log.hosts.iter().map(|h| of_host(h, &at)));
        }
        let certain = |name: &String| Owner::Node { name: name.clone(), guessed: false };
        let owners = |file: &FileId| match hosts.get(file).filter(|h| !h.is_empty()) {
            Some(nodes) => nodes.iter().map(certain).collect(),
            None => vec![joiner.owner(&path(*file))],
        };
        let taken = self.about.taken.iter();
        self.about.owned = taken.flat_map(|(artefact, file)| owners(file).into_iter().map(|o| (*artefact, *file, o))).collect();
    }

    /// The pool of a node: by its label, else by its name where the platform builds names of pools (`aks-POOL-ID-vmss000001`).
    pub fn pool_of<'a>(&'a self, node: &'a str) -> Option<&'a str> {
        let labelled = self.nodes.iter().find(|n| n.name == node).and_then(|n| n.pool.as_deref());
        labelled.or_else(|| node.strip_prefix("aks-")?.split_once("-vmss").and_then(|(set, _)| set.split('-').next()))
    }

    /// Whether an artefact of a node is in the bundle, so that nobody needs to be asked for it again.
    pub fn is_collected(&self, artefact: &str, node: Option<&str>) -> bool {
        fn any<T>(list: &[Of<T>], node: Option<&str>) -> bool {
            list.iter().any(|item| match &item.owner {
                Owner::Node { name, .. } => Some(name.as_str()) == node,
                Owner::Unknown => node.is_none(),
                _ => false,
            })
        }
        match artefact {
            "node-hosts-file" => any(&self.hosts_files, node),
            "node-routes" => any(&self.routes, node),
            "effective-routes" => any(&self.effective_routes, node),
            "containerd-config" | "registries-conf" | "docker-daemon-json" => {
                let runtime = match artefact {
                    "containerd-config" => "containerd",
                    "registries-conf" => "containers",
                    _ => "docker",
                };
                self.runtime_configs.iter().any(|c| c.value.runtime == runtime && matches!(&c.owner, Owner::Node { name, .. } if Some(name.as_str()) == node))
            }
            "trust-store" => any(&self.trust, node),
            // The first certificate alone leaves open what a chain would tell.
            "certificate-chain" => Facts::of_node(&self.chains, node).any(|(c, _)| !c.value.first_alone),
            "node-resolv-conf" => any(&self.resolvers, node),
            "node-clock" => any(&self.clocks, node),
            "hosts-toml" => any(&self.hosts_toml, node),
            "policy-json" => any(&self.policies, node),
            "node-proxy-env" => any(&self.proxies, node),
            _ => false,
        }
    }

    /// The values of `list` that describe `node`, with whether the join is a guess.
    pub fn of_node<'a, T>(list: &'a [Of<T>], node: Option<&'a str>) -> impl Iterator<Item = (&'a Of<T>, bool)> {
        list.iter().filter_map(move |item| match (&item.owner, node) {
            (Owner::Node { name, guessed }, Some(node)) if name == node => Some((item, *guessed)),
            // A file beside an error that names no node can only be that machine's.
            (Owner::Unknown, None) => Some((item, true)),
            _ => None,
        })
    }
}
