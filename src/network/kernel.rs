//! What do the node's own kernel tables decide for one address?

use std::net::IpAddr;

use crate::bundle::Source;
use crate::facts::{Facts, HostRoute, HostRule, Of, RuleAction};

/// What the kernel does with a packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decided<'f> {
    /// A route takes it, or ends it by its kind.
    Route(&'f HostRoute),
    /// A rule of policy routing ends it.
    Rule(&'f HostRule),
    /// Nothing covers it.
    Nothing,
    /// What would tell was not collected: a table that a rule asks, or what a rule selects by.
    Unknown,
}

/// The node's answer, where its tables lie, and whether that they are its own is a guess.
#[derive(Debug, Clone, Copy)]
pub struct OnNode<'f> {
    /// The answer.
    pub decided: Decided<'f>,
    /// Where the tables stand.
    pub source: &'f Source,
    /// Whose they are is a guess.
    pub guessed: bool,
}

/// What the node's kernel decides for `address`, for a packet `from` one of its own where that is told; none where no table of
/// its family was collected.
pub fn on_node<'f>(facts: &'f Facts, node: Option<&'f str>, address: IpAddr, from: Option<IpAddr>) -> Option<OnNode<'f>> {
    // A table of the other address family says nothing of this address.
    let of_family = |t: &Of<Vec<HostRoute>>| t.value.iter().any(|r| r.prefix.addr().is_ipv4() == address.is_ipv4());
    let tables: Vec<(&'f Of<Vec<HostRoute>>, bool)> = Facts::of_node(&facts.routes, node).filter(|(t, _)| of_family(t)).collect();
    // A listing of all tables needs no other; else each table has a file of its own.
    let whole = tables.iter().find(|(t, _)| t.value.iter().any(|r| r.table == "local"));
    let chosen = whole.map_or(tables.as_slice(), std::slice::from_ref);
    let routes: Vec<&'f HostRoute> = chosen.iter().flat_map(|(t, _)| &t.value).collect();
    let (first, guessed) = (chosen.first()?.0, chosen.iter().any(|(_, guessed)| *guessed));
    let policy = Facts::of_node(&facts.route_rules, node).find(|(p, _)| p.value.v6 == address.is_ipv6());
    let rules = policy.map(|(p, _)| p.value.rules.as_slice());
    let decided = match from {
        Some(source) => look_up(&routes, rules, address, From::Address(source)),
        None => kernel_route(&routes, rules, address),
    };
    Some(OnNode { decided, source: &first.source, guessed: guessed || policy.is_some_and(|(_, g)| g) })
}

/// Whether every table is there: only a listing of all of them shows the local one.
fn is_whole(routes: &[&HostRoute]) -> bool {
    routes.iter().any(|r| r.table == "local")
}

/// What the kernel decides for a connection of the node's own to `address`. It looks the address up before it knows from which of
/// its own it will send, and once more with that one; only the second time can a rule on the source select the packet.
fn kernel_route<'f>(routes: &[&'f HostRoute], rules: Option<&'f [HostRule]>, address: IpAddr) -> Decided<'f> {
    let first = look_up(routes, rules, address, From::Unbound);
    let Decided::Route(route) = first else { return first };
    if route.ends() {
        return first;
    }
    match source_on(routes, route) {
        Some(source) => look_up(routes, rules, address, From::Address(source)),
        // Of the addresses that it may have, any could be selected.
        None => match look_up(routes, rules, address, From::Untold) {
            same if same == first => first,
            _ => Decided::Unknown,
        },
    }
}

/// From where the node sends on a route: the address that it names, else its device's own in the network of the gateway.
fn source_on(routes: &[&HostRoute], route: &HostRoute) -> Option<IpAddr> {
    let on_device = |r: &&&HostRoute| r.dev.is_some() && r.dev == route.dev && r.via.is_none() && r.kind == "unicast" && r.from.is_some();
    let near = |r: &&&HostRoute| route.via.is_some_and(|via| r.prefix.contains(&via));
    if route.several && route.from.is_none() {
        return None;
    }
    route.from.or_else(|| routes.iter().filter(on_device).find(near)?.from)
}

/// The address from which a packet is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum From {
    /// None yet.
    Unbound,
    /// This one.
    Address(IpAddr),
    /// One that the bundle does not tell.
    Untold,
}

/// One look-up, as `ip route get` makes it.
fn look_up<'f>(routes: &[&'f HostRoute], rules: Option<&'f [HostRule]>, address: IpAddr, from: From) -> Decided<'f> {
    let Some(rules) = rules else {
        let standard = ["local", "main", "default"].iter().find_map(|table| longest(routes, table, address, None));
        return standard.map_or(Decided::Nothing, Decided::Route);
    };
    let mut jump = 0;
    for rule in rules {
        if rule.priority < jump {
            continue;
        }
        match selects(rule, address, from) {
            Some(true) => {}
            Some(false) => continue,
            None if is_harmless(rule, routes, address) => continue,
            None => return Decided::Unknown,
        }
        match &rule.action {
            RuleAction::End(_) => return Decided::Rule(rule),
            RuleAction::Goto(priority) => jump = *priority,
            RuleAction::Nop => {}
            RuleAction::Lookup(table, suppressed) => match longest(routes, table, address, *suppressed) {
                // The look-up goes on at the next rule.
                Some(route) if route.kind == "throw" => {}
                Some(route) => return Decided::Route(route),
                None if is_whole(routes) || matches!(table.as_str(), "local" | "main" | "default") => {}
                None if routes.iter().any(|r| r.table == *table) => {}
                None => return Decided::Unknown,
            },
        }
    }
    Decided::Nothing
}

/// Whether a rule selects the node's own unmarked packet; none where that is not told.
fn selects(rule: &HostRule, address: IpAddr, from: From) -> Option<bool> {
    let source = match (rule.from, from) {
        (None, _) => Some(true),
        (Some(_), From::Untold) => None,
        (Some(net), From::Unbound) => Some(net.prefix_len() == 0),
        (Some(net), From::Address(source)) => Some(net.contains(&source)),
    };
    let told = [source, Some(rule.to.is_none_or(|net| net.contains(&address))), Some(!rule.of_others), if rule.by_more { None } else { Some(true) }];
    let selected = if told.contains(&Some(false)) { Some(false) } else { told.into_iter().collect::<Option<Vec<_>>>().map(|_| true) };
    selected.map(|s| s != rule.not)
}

/// Whether it is all the same if the rule selects the packet: its table is there, and has nothing for the address.
fn is_harmless(rule: &HostRule, routes: &[&HostRoute], address: IpAddr) -> bool {
    match &rule.action {
        RuleAction::Nop => true,
        RuleAction::Lookup(table, suppressed) => {
            let told = is_whole(routes) || routes.iter().any(|r| r.table == *table);
            told && longest(routes, table, address, *suppressed).is_none_or(|r| r.kind == "throw")
        }
        _ => false,
    }
}

/// The longest prefix of a table, of equal ones the lowest metric, of these the first. A route that ends the packet's way is never
/// passed over for its length.
fn longest<'f>(routes: &[&'f HostRoute], table: &str, address: IpAddr, suppressed: Option<u8>) -> Option<&'f HostRoute> {
    let covering = routes.iter().rev().copied().filter(|r| r.table == table && r.prefix.contains(&address));
    let found = covering.max_by_key(|r| (r.prefix.prefix_len(), std::cmp::Reverse(r.metric)))?;
    suppressed.is_none_or(|length| found.ends() || found.prefix.prefix_len() > length).then_some(found)
}
