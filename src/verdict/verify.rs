//! How does one see that it is mended? By a fresh pull of every layer on a node that nobody fixed by hand, in each pool, named.

use std::collections::BTreeMap;

use crate::facts::Facts;
use crate::pull::Index;

use super::{Finding, Todo};

/// The most pools that are named.
const MOST: usize = 12;

/// Ends every finding's plan with the fresh pull, pool by pool; the application's own connections are a test of their own.
pub(super) fn tell(findings: &mut [Finding], facts: &Facts, index: &Index<'_>) {
    let pools = pools(facts);
    for finding in findings {
        let Some(image) = finding.pulls.first().map(|p| p.image.clone()).filter(|i| !i.starts_with('(')) else { continue };
        let pull = finding.verify.pop().filter(|t| t.what.contains("pull") && t.run.is_some()).unwrap_or_else(|| Todo {
            what: "On a node that nobody fixed by hand and that does not hold the image, in every pool, let the kubelet pull it whole".into(),
            run: Some(format!(
                "kubectl run pull-check -n <ns> --image={image} --restart=Never \
                 --overrides='{{\"spec\":{{\"nodeName\":\"<node>\",\"imagePullSecrets\":[{{\"name\":\"<secret>\"}}]}}}}'"
            )),
        });
        finding.verify.push(Todo {
            what: "Test the application's own connections apart from this, from its pod: the pull takes the node's way and proves nothing of the pod's".into(),
            run: None,
        });
        finding.verify.push(pull);
        if !pools.is_empty() {
            let since = finding.pulls.iter().filter_map(|p| p.last_seen).max();
            finding.verify.push(Todo { what: named(&pools, &image, since, index), run: None });
        }
    }
}

/// The pools of the cluster, each with its nodes.
fn pools(facts: &Facts) -> BTreeMap<&str, Vec<&str>> {
    let mut out: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for node in &facts.nodes {
        if let Some(pool) = facts.pool_of(&node.name) {
            out.entry(pool).or_default().push(&node.name);
        }
    }
    out
}

fn named(pools: &BTreeMap<&str, Vec<&str>>, image: &str, since: Option<jiff::Timestamp>, index: &Index<'_>) -> String {
    let later = |at: Option<jiff::Timestamp>| matches!((at, since), (Some(at), Some(since)) if at >= since);
    let fresh = |nodes: &[&str]| {
        let mut pulls = index.pulled(image).iter().filter(|e| !e.message.contains("already present") && later(e.last.at));
        pulls.find_map(|e| e.node.as_deref().filter(|n| nodes.contains(n)))
    };
    let mut parts: Vec<String> = pools
        .iter()
        .take(MOST)
        .map(|(pool, nodes)| match fresh(nodes) {
            Some(node) => format!("{pool} ({node} pulled it since)"),
            None => format!("{pool} (no fresh pull since the failure)"),
        })
        .collect();
    if pools.len() > MOST {
        parts.push(format!("and {} more", pools.len() - MOST));
    }
    format!("The pools of this cluster: {}", parts.join(", "))
}
