//! Does the node's own packet filter drop or reject what the node sends? `nft list ruleset`, `iptables-save`.
//!
//! ```text
//! table inet filter {
//!     chain output {
//!         type filter hook output priority filter; policy accept;
//!         ip daddr 10.40.8.10 tcp dport 443 drop
//! ```

use super::File;
use crate::facts::{FirewallRule, Of, Owner};
use crate::text;

pub(super) fn read(file: &mut File<'_>, content: &str) {
    let mut rules = Vec::new();
    let mut hook = String::new();
    for (number, line) in text::numbered(content) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let after = |keys: &[&str]| words.windows(2).find(|w| w.first().is_some_and(|k| keys.contains(k))).and_then(|w| w.get(1).copied());
        if let Some(name) = after(&["hook"]) {
            hook = name.to_owned();
            if line.contains("policy drop") {
                rules.push(FirewallRule {
                    hook: hook.clone(),
                    destination: None,
                    port: None,
                    verdict: "policy drop".into(),
                    source: file.source(number, line),
                });
            }
            continue;
        }
        if words.first() == Some(&"chain") {
            hook.clear();
            continue;
        }
        let verdict = if words.contains(&"drop") || after(&["-j"]) == Some("DROP") {
            "drop"
        } else if words.contains(&"reject") || after(&["-j"]) == Some("REJECT") {
            "reject"
        } else if words.iter().any(|w| matches!(*w, "jump" | "goto" | "vmap")) {
            "jump"
        } else {
            continue;
        };
        let chain = match after(&["-A"]) {
            Some(chain) => chain.to_lowercase(),
            None => hook.clone(),
        };
        let destination = after(&["daddr", "-d"]).and_then(|d| d.parse().ok().or_else(|| d.parse::<std::net::IpAddr>().ok().map(ipnet::IpNet::from)));
        let port = after(&["dport", "--dport"]).and_then(|p| p.parse().ok());
        rules.push(FirewallRule { hook: chain, destination, port, verdict: verdict.to_owned(), source: file.source(number, line) });
    }
    let source = rules.first().map_or_else(|| file.source(1, "no rule drops or rejects"), |r| r.source.clone());
    file.take("node-firewall");
    file.facts.firewalls.push(Of { owner: Owner::Unknown, value: rules, source });
}
