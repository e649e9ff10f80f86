//! Why does it show now? How old the node is, what it holds of the image's kin, who pulled meanwhile, what older nodes have.

use std::collections::BTreeSet;

use jiff::Timestamp;

use super::{Asked, Value, yes_no};
use crate::bundle::Source;
use crate::facts::{Evidence, Facts, Known, Node, Of, Owner};
use crate::message::Stage;
use crate::trust::{self, Path};

type K = Known<Value>;

/// Nodes that pull within this time of one another pull at once.
const AT_ONCE: jiff::SignedDuration = jiff::SignedDuration::from_mins(10);

/// The failing node, where its object was collected.
pub(super) fn own<'a>(a: &Asked<'a>) -> Option<&'a Node> {
    a.node().and_then(|n| a.index.node(n))
}

/// When the pull was first asked for: by its oldest pod or its first failure, whichever is known to be earlier.
pub(super) fn began(a: &Asked<'_>) -> Option<Timestamp> {
    let pods = a.pull.pods.iter().filter_map(|p| a.index.pod(p)).filter_map(|p| p.created.at);
    pods.chain(a.pull.first).min()
}

fn registry(a: &Asked<'_>) -> String {
    a.pull.reference.as_ref().map(|r| r.host.clone()).unwrap_or_default()
}

/// Whole hours between the node's joining and the first asking for the image; null where the node is the younger of the two.
pub fn hours_before_pull(a: &Asked<'_>) -> K {
    let Some(node) = own(a) else { return Known::NotCollected("nodes") };
    let (Some(joined), Some(began)) = (node.created.at, began(a)) else { return Known::NotCollected("nodes") };
    let evidence = Evidence::of(&node.source);
    match began.duration_since(joined).as_hours() {
        hours if hours >= 0 => Known::Seen(Value::Int(hours), evidence),
        _ => Known::Absent(evidence),
    }
}

/// The same time in words, as a sentence tells it.
pub fn joined_before_pull(a: &Asked<'_>) -> K {
    let Some(node) = own(a) else { return Known::NotCollected("nodes") };
    let (Some(joined), Some(began)) = (node.created.at, began(a)) else { return Known::NotCollected("nodes") };
    let minutes = began.duration_since(joined).as_mins();
    let counted = |n: i64, one: &str| if n == 1 { format!("1 {one}") } else { format!("{n} {one}s") };
    let told = match minutes {
        ..0 => return Known::Absent(Evidence::of(&node.source)),
        0 => "less than a minute".to_owned(),
        1..120 => counted(minutes, "minute"),
        120..2880 => counted(minutes / 60, "hour"),
        _ => counted(minutes / 1440, "day"),
    };
    Known::Seen(Value::Text(told.as_str().into()), Evidence::of(&node.source))
}

/// Whether a node that is a day older or more stops at the same host in the same way.
pub fn older_node_fails_alike(a: &Asked<'_>) -> K {
    let Some(node) = own(a) else { return Known::NotCollected("nodes") };
    let Some(joined) = node.created.at else { return Known::NotCollected("nodes") };
    let alike = |p: &&crate::pull::Pull| p.recovered.is_none() && p.stop.host == a.stop.host && p.stop.symptom == a.stop.symptom;
    let older = a.pulls.iter().filter(alike).find_map(|p| {
        let other = a.index.node(p.node.as_deref()?)?;
        let elder = other.created.at.is_some_and(|t| joined.duration_since(t).as_hours() >= 24);
        elder.then(|| p.decided_by().and_then(|t| t.sources.first())).flatten()
    });
    match older {
        Some(source) => yes_no(true, Evidence::of(source)),
        None => yes_no(false, Evidence::of(&node.source)),
    }
}

/// Whether a node holds or ran another tag of the same repository, and is not known to hold this one.
pub fn other_tag_held(a: &Asked<'_>) -> K {
    let kin = a.index.of_repository(&a.pull.image);
    let holds_this: BTreeSet<&str> = kin.iter().filter(|(_, image, _)| *image == a.pull.image).map(|(node, _, _)| *node).collect();
    // A digest says nothing of its tag: node lists name each image both ways.
    let other = |image: &str| !image.contains("@sha256:") && image != a.pull.image;
    let sources: Vec<Source> = kin.iter().filter(|(node, image, _)| other(image) && !holds_this.contains(node)).map(|(_, _, s)| (*s).clone()).take(3).collect();
    if !sources.is_empty() {
        return yes_no(true, Evidence { sources, guessed: false });
    }
    match a.facts.nodes.iter().find(|n| n.images.seen().is_some()) {
        Some(node) => yes_no(false, Evidence::of(&node.source)),
        None => Known::NotCollected("image-list"),
    }
}

/// How many pulls over the network from the same registry succeeded, on any node, since the failure began.
pub fn registry_pulls_since(a: &Asked<'_>) -> K {
    let Some(since) = began(a) else { return Known::NotCollected("events") };
    let later = a.index.network_pulls(&registry(a)).iter().filter(|e| e.last.at.is_some_and(|t| t >= since));
    counted(a, later.map(|e| e.source.clone()).collect())
}

fn counted(a: &Asked<'_>, sources: Vec<Source>) -> K {
    let count = i64::try_from(sources.len()).unwrap_or(i64::MAX);
    match (sources.is_empty(), a.facts.events.first()) {
        (false, _) => Known::Seen(Value::Int(count), Evidence { sources: sources.into_iter().take(3).collect(), guessed: false }),
        (true, Some(_)) => Known::Seen(Value::Int(0), a.by_text()),
        (true, None) => Known::NotCollected("events"),
    }
}

/// How many nodes asked for images of the same registry within ten minutes of this pull.
pub fn nodes_pulling_at_once(a: &Asked<'_>) -> K {
    let Some(last) = a.pull.last else { return Known::NotCollected("events") };
    let near = |at: Timestamp| last.duration_since(at).abs() <= AT_ONCE;
    let mut nodes = BTreeSet::new();
    let mut sources = Vec::new();
    for event in a.index.pulling(&registry(a)).iter().filter(|e| e.last.at.is_some_and(near)) {
        if event.node.as_deref().is_some_and(|n| nodes.insert(n)) {
            sources.push(event.source.clone());
        }
    }
    counted(a, sources)
}

/// Whether the node runs another version of the kubelet or the runtime than every node that pulled from the same registry
/// since, or, where none did, than every node that holds the image.
pub fn version_is_alone(a: &Asked<'_>) -> K {
    let Some(node) = own(a) else { return Known::NotCollected("nodes") };
    let since = |e: &&&crate::facts::Event| a.pull.first.is_none_or(|f| e.last.at.is_some_and(|t| t >= f));
    let mut working: BTreeSet<&str> = a.index.network_pulls(&registry(a)).iter().filter(since).filter_map(|e| e.node.as_deref()).collect();
    if working.is_empty() {
        working = a.index.holders(&a.pull.image).iter().map(|(n, _)| *n).collect();
    }
    working.remove(node.name.as_str());
    let others: Vec<&Node> = working.iter().filter_map(|n| a.index.node(n)).collect();
    let Some(first) = others.first() else { return Known::Absent(Evidence::of(&node.source)) };
    if node.kubelet.is_none() && node.runtime.is_none() || others.iter().any(|o| o.kubelet.is_none() && o.runtime.is_none()) {
        return Known::NotCollected("node-versions");
    }
    let alone = others.iter().all(|o| o.kubelet != node.kubelet || differs(&o.runtime, &node.runtime));
    yes_no(alone, Evidence { sources: vec![node.source.clone(), first.source.clone()], guessed: false })
}

fn differs(a: &Option<String>, b: &Option<String>) -> bool {
    matches!((a, b), (Some(a), Some(b)) if a != b)
}

/// Of the files of `list`, those of nodes that joined before this one and that hold what `has` looks for: whether there are
/// any, and none on a node that joined later.
fn only_on_older<T>(a: &Asked<'_>, list: &[Of<T>], artefact: &'static str, has: impl Fn(&T) -> bool) -> K {
    if Facts::of_node(list, a.node()).next().is_none() {
        return Known::NotCollected(artefact);
    }
    let Some(joined) = own(a).and_then(|n| n.created.at) else { return Known::NotCollected("nodes") };
    let others = || list.iter().filter_map(|f| if let Owner::Node { name, .. } = &f.owner { Some((name.as_str(), f)) } else { None });
    let mine = others().any(|(name, f)| Some(name) == a.node() && has(&f.value));
    let mut older = None;
    for (name, file) in others().filter(|(name, f)| Some(*name) != a.node() && has(&f.value)) {
        match a.index.node(name).and_then(|n| n.created.at) {
            Some(at) if at < joined => older = older.or(Some(&file.source)),
            Some(_) => return yes_no(false, Evidence::of(&file.source)),
            None => {}
        }
    }
    match older {
        Some(source) if !mine => yes_no(true, Evidence::of(source)),
        _ => yes_no(false, a.by_text()),
    }
}

/// Whether only nodes that joined before this one have what would let this stop pass: the issuer in their trust store where
/// the handshake failed for it, else the host in their hosts file.
pub fn entry_on_older_nodes_only(a: &Asked<'_>) -> K {
    if a.stop.stage == Some(Stage::Tls) {
        let Some((chain, _)) = super::tls::chain(a) else { return Known::NotCollected("certificate-chain") };
        return only_on_older(a, &a.facts.trust, "trust-store", |store| trust::path(&chain.value, &store.certificates) == Some(Path::Complete));
    }
    let host = a.host().unwrap_or("");
    only_on_older(a, &a.facts.hosts_files, "node-hosts-file", |entries| entries.iter().any(|e| e.names.iter().any(|n| n == host)))
}

/// Whether the node asks other resolvers than every older node whose resolv.conf was collected.
pub fn resolvers_differ_from_older_nodes(a: &Asked<'_>) -> K {
    let Some((mine, guessed)) = Facts::of_node(&a.facts.resolvers, a.node()).next() else { return Known::NotCollected("node-resolv-conf") };
    let Some(joined) = own(a).and_then(|n| n.created.at) else { return Known::NotCollected("nodes") };
    let servers = |r: &crate::facts::ResolvConf| r.nameservers.iter().map(|(x, _)| *x).collect::<BTreeSet<_>>();
    let older = |owner: &Owner| match owner {
        Owner::Node { name, .. } => a.index.node(name).and_then(|n| n.created.at).is_some_and(|t| t < joined),
        _ => false,
    };
    let others: Vec<_> = a.facts.resolvers.iter().filter(|r| older(&r.owner)).collect();
    let Some(first) = others.first() else { return Known::NotCollected("node-resolv-conf") };
    let differ = others.iter().all(|o| servers(&o.value) != servers(&mine.value));
    yes_no(differ, Evidence { sources: vec![mine.source.clone(), first.source.clone()], guessed })
}
