//! Who else is meant? A finding's headline names one pull; these lines name the others.

use crate::verdict::PullSeen;

/// How many are named before the rest is counted.
const NAMED: usize = 6;

/// A line for each further pull, and one for those that are not named.
pub(super) fn further(pulls: &[PullSeen]) -> Vec<String> {
    let Some((first, others)) = pulls.split_first() else { return Vec::new() };
    let mut out: Vec<String> = others.iter().take(NAMED).map(|pull| line(pull, first)).collect();
    if let Some(rest) = others.len().checked_sub(NAMED).filter(|rest| *rest > 0) {
        out.push(format!("and {rest} more (--format json lists them)"));
    }
    out
}

fn line(pull: &PullSeen, first: &PullSeen) -> String {
    let pod = pull.pods.first().map_or("a pod", String::as_str);
    let more = match pull.pods.len() {
        0 | 1 => String::new(),
        count => format!(" and {} more pods", count - 1),
    };
    let node = pull.node.as_deref().unwrap_or("a node that nothing names");
    let image = if pull.image == first.image { String::new() } else { format!(", {}", pull.image) };
    format!("also {pod}{more} on {node}{image}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pull(image: &str, node: &str) -> PullSeen {
        let pods = vec!["shop/app-1".to_owned()];
        PullSeen { image: image.into(), node: Some(node.into()), pool: None, pods, attempts: 1, count: 1, first_seen: None, last_seen: None }
    }

    #[test]
    fn others_are_named_and_then_counted() {
        let mut pulls = vec![pull("r.example/a:1", "node-1"), pull("r.example/a:1", "node-2"), pull("r.example/b:2", "node-2")];
        assert_eq!(further(&pulls), ["also shop/app-1 on node-2", "also shop/app-1 on node-2, r.example/b:2"]);
        pulls.extend((0..9).map(|n| pull("r.example/a:1", &format!("node-{n}"))));
        assert_eq!(further(&pulls).last().map(String::as_str), Some("and 5 more (--format json lists them)"));
    }
}
