//! How does one see that it is mended? By a fresh pull of every layer on a node that nobody fixed by hand, in each pool, named.

use std::collections::BTreeMap;

use crate::facts::{Facts, Known};
use crate::pull::Index;
use crate::pull::view::authenticate::names_pull_secret;
use crate::pull::view::{Asked, Value};
use crate::rules::fill_command;

use super::{Finding, Todo};

/// The most pools that are named.
const MOST: usize = 12;

/// Puts the fresh pull at the end of a rule's own steps, of the corrected image where the reference itself was wrong.
pub(super) fn with_fresh_pull(steps: &mut Vec<Todo>, asked: &Asked<'_>) {
    let corrected = steps.iter().filter_map(|t| t.run.as_deref()).any(|run| run.contains(CORRECTED));
    steps.retain(|t| !is_fresh_pull(t));
    steps.push(fresh_pull(asked, if corrected { CORRECTED } else { "{image.written}" }));
}

/// How rules write an image that somebody has to put right first.
const CORRECTED: &str = "<corrected image>";

/// A fresh pull by the kubelet, whose credentials no command on the node has. Without any object of a cluster, by the runtime.
fn fresh_pull(asked: &Asked<'_>, image: &str) -> Todo {
    let facts = asked.facts;
    if facts.pods.is_empty() && facts.events.is_empty() {
        return Todo { what: format!("{WHERE}, pull it whole"), run: Some(fill_command(&format!("crictl pull {image}"), asked)) };
    }
    let secrets = match asked.fact("pod.names_pull_secret", names_pull_secret) {
        Known::Seen(Value::Bool(false), _) => "",
        _ => r#","imagePullSecrets":[{"name":"<secret>"}]"#,
    };
    let command = format!(
        "kubectl run pull-check -n <ns> --image={image} --image-pull-policy=Always --restart=Never \
         --overrides='{{\"spec\":{{\"nodeName\":\"<fresh node>\"{secrets}}}}}'"
    );
    Todo { what: format!("{WHERE}, let the kubelet pull it whole"), run: Some(fill_command(&command, asked)) }
}

const WHERE: &str = "On a node that nobody fixed by hand and that does not hold the image, in every pool";

/// Whether a rule's own step is that pull.
fn is_fresh_pull(todo: &Todo) -> bool {
    todo.run.as_deref().is_some_and(|run| run.starts_with("crictl pull ") || run.starts_with("kubectl run pull-check "))
}

/// Ends every finding's plan with the fresh pull, pool by pool; the application's own connections are a test of their own.
pub(super) fn tell(findings: &mut [Finding], facts: &Facts, index: &Index<'_>) {
    let pools = pools(facts);
    for finding in findings {
        let Some(pull) = finding.verify.pop_if(|t| is_fresh_pull(t)) else { continue };
        let Some(image) = finding.pulls.first().map(|p| p.image.clone()).filter(|i| !i.starts_with('(')) else { continue };
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
    format!("Do so in each pool: {}", parts.join(", "))
}
