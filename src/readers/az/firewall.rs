//! What does the firewall on the way let through? `az network firewall show` and the rule collection groups of its policy.
//!
//! ```json
//! {"priority": 300, "ruleCollections": [{"action": {"type": "Allow"}, "priority": 310, "rules": [
//!   {"ruleType": "ApplicationRule", "targetFqdns": ["registry1.azurecr.io"], "protocols": [{"port": 443}], "sourceAddresses": ["10.66.0.0/16"]},
//!   {"ruleType": "NetworkRule", "destinationAddresses": ["10.80.2.10"], "destinationPorts": ["443"], "sourceAddresses": ["10.71.0.0/22"]}]}]}
//! ```

use super::File;
use super::tree::Value;
use crate::bundle::Source;
use crate::facts::egress::{Appliance, EgressRule, Policy, RuleListing};

/// A group of rule collections of a policy.
pub(super) fn rules(file: &mut File<'_>, object: &Value<'_>) -> bool {
    let id = object.id();
    let policy = id.and_then(|id| id.parent()).map(|p| p.key().to_owned()).unwrap_or_default();
    let group = priority(object);
    for collection in object.list("ruleCollections") {
        collection_of(file, &policy, group, collection, "rules", None);
    }
    listed(file, object, &policy);
    true
}

/// A policy: the groups of which it consists, and the policy whose rules it inherits.
pub(super) fn policy(file: &mut File<'_>, object: &Value<'_>) -> bool {
    let Some(id) = object.id().filter(|_| object.has("ruleCollectionGroups")) else { return false };
    let groups = object.list("ruleCollectionGroups").iter().filter_map(Value::id).map(|g| g.key().to_owned()).collect();
    let base = object.id_at("basePolicy").map(|p| p.key().to_owned());
    file.facts.egress.policies.push(Policy { key: id.key().to_owned(), base, groups });
    true
}

/// A firewall: its address, and the rules of the older kind that stand in it.
pub(super) fn firewall(file: &mut File<'_>, object: &Value<'_>) -> bool {
    let Some(id) = object.id() else { return false };
    let policy = object.id_at("firewallPolicy").map(|p| p.key().to_owned());
    for config in object.list("ipConfigurations") {
        let Some(Ok(address)) = config.text("privateIPAddress").map(str::parse) else { continue };
        let source = file.source(config.line_of("privateIPAddress"), &format!("{} at {address}", id.name()));
        file.facts.egress.appliances.push(Appliance { address, policy: policy.clone().or_else(|| Some(id.key().to_owned())), source });
    }
    let mut any = false;
    for (key, by_name) in [("networkRuleCollections", false), ("applicationRuleCollections", true)] {
        for collection in object.list(key) {
            any = true;
            collection_of(file, id.key(), 0, collection, "rules", Some(by_name));
        }
    }
    if any {
        listed(file, object, id.key());
    }
    file.take("firewall-rules");
    true
}

fn listed(file: &mut File<'_>, object: &Value<'_>, policy: &str) {
    let name = object.name().map(|n| n.into_owned()).unwrap_or_default();
    let source = file.source(object.line_of("name"), &format!("rules of {name}"));
    let group = object.id().map(|id| id.key().to_owned()).unwrap_or_default();
    file.facts.egress.listings.push(RuleListing { policy: policy.to_owned(), group, source });
    file.take("firewall-rules");
}

fn priority(object: &Value<'_>) -> u32 {
    object.number("priority").and_then(|p| u32::try_from(p).ok()).unwrap_or(u32::MAX)
}

fn collection_of(file: &mut File<'_>, policy: &str, group: u32, collection: &Value<'_>, key: &str, by_name: Option<bool>) {
    let action = collection.get("action").and_then(|a| a.text("type").or_else(|| a.as_text())).unwrap_or("");
    // Translations of addresses for what comes in say nothing of what goes out.
    let allows = match action.to_ascii_lowercase().as_str() {
        "allow" => true,
        "deny" => false,
        _ => return,
    };
    for rule in collection.list(key) {
        let kind = rule.text("ruleType").unwrap_or("");
        let by_name = by_name.unwrap_or_else(|| kind.eq_ignore_ascii_case("ApplicationRule") || rule.has("targetFqdns"));
        let rule = one(file, policy, (group, priority(collection)), rule, allows, by_name);
        file.facts.egress.rules.push(rule);
    }
}

fn one(file: &File<'_>, policy: &str, priority: (u32, u32), rule: &Value<'_>, allows: bool, by_name: bool) -> EgressRule {
    let texts = |key: &str| rule.texts(key).map(|(text, _)| text.to_lowercase()).collect::<Vec<String>>();
    let is_range = |text: &String| text == "*" || text.starts_with(|c: char| c.is_ascii_digit()) || text.contains(':');
    // What is named by path counts by the name in front of it.
    let named = ["targetFqdns", "destinationFqdns", "targetUrls"].iter().flat_map(|key| rule.texts(key));
    let hosts: Vec<(String, Source)> = named.map(|(text, line)| (text.split('/').next().unwrap_or(text).to_lowercase(), file.source(line, text))).collect();
    let (to, tags): (Vec<String>, Vec<String>) = texts("destinationAddresses").into_iter().partition(is_range);
    let folded = tags.into_iter().chain(["fqdnTags", "destinationIpGroups", "webCategories"].iter().flat_map(|k| texts(k))).collect();
    let mut from = texts("sourceAddresses");
    if !texts("sourceIpGroups").is_empty() {
        // Groups of sources are not unfolded: the rule may count for the node.
        from.clear();
    }
    let ports = match rule.list("protocols") {
        [] => texts("destinationPorts"),
        list if by_name => list.iter().filter_map(|p| p.text("port")).map(str::to_owned).collect(),
        _ => texts("destinationPorts"),
    };
    let name = rule.text("name").unwrap_or("").to_owned();
    let line = ["targetFqdns", "destinationAddresses", "destinationFqdns", "fqdnTags"]
        .iter()
        .filter_map(|k| rule.list(k).first())
        .map(|v| v.line)
        .next()
        .unwrap_or_else(|| rule.line_of("name"));
    let targets = hosts.iter().map(|(h, _)| h).chain(&to).cloned().collect::<Vec<_>>().join(", ");
    let word = if allows { "allows" } else { "denies" };
    EgressRule {
        policy: policy.to_owned(),
        allows,
        by_name,
        priority,
        from,
        to,
        hosts,
        folded,
        ports,
        source: file.source(line, &format!("rule {name} {word} {targets}")),
        name,
    }
}
