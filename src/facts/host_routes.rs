//! Which routes and rules of routing has a machine's own kernel?

use std::net::IpAddr;

use ipnet::IpNet;

use crate::bundle::Source;

/// A route of the node's own tables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostRoute {
    /// What it covers.
    pub prefix: IpNet,
    /// `unicast`, `blackhole`, `prohibit`, `unreachable`.
    pub kind: String,
    /// The gateway; of several ways the first one's.
    pub via: Option<IpAddr>,
    /// The device; of several ways the first one's.
    pub dev: Option<String>,
    /// The address from which packets on it are sent, where it tells one.
    pub from: Option<IpAddr>,
    /// It has several ways, of which the kernel takes one by each connection.
    pub several: bool,
    /// Metric; the lower wins among equals.
    pub metric: u32,
    /// The table, `main` unless told.
    pub table: String,
    /// Where it stands.
    pub source: Source,
}

impl HostRoute {
    /// Whether it leads nowhere, by its kind.
    pub fn ends(&self) -> bool {
        matches!(self.kind.as_str(), "blackhole" | "prohibit" | "unreachable")
    }
}

/// A rule of the node's policy routing: which packets are looked up in which table. `ip-rule(8)`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostRule {
    /// The lower is asked first.
    pub priority: u32,
    /// It is meant for all but what it selects.
    pub not: bool,
    /// From where; none for all.
    pub from: Option<IpNet>,
    /// Where to; none for all.
    pub to: Option<IpNet>,
    /// It selects packets by what one that the node itself sends without a mark does not have: a mark, a device.
    pub of_others: bool,
    /// It selects by something that is not told of a packet here: a port, a user, a type of service.
    pub by_more: bool,
    /// What it does with what it selects.
    pub action: RuleAction,
    /// Where it stands.
    pub source: Source,
}

impl HostRule {
    /// The rule as a route that ends what it covers.
    pub fn as_route(&self, address: IpAddr) -> HostRoute {
        let prefix = self.to.unwrap_or_else(|| IpNet::from(address));
        let kind = match &self.action {
            RuleAction::End(kind) => kind.clone(),
            _ => String::new(),
        };
        HostRoute { prefix, kind, via: None, dev: None, from: None, several: false, metric: 0, table: String::new(), source: self.source.clone() }
    }
}

/// What a rule of policy routing does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RuleAction {
    /// Looks the address up in a table. A route that is not longer than the second is passed over.
    Lookup(String, Option<u8>),
    /// Ends it: `blackhole`, `prohibit`, `unreachable`.
    End(String),
    /// Goes on at the rule of this priority.
    Goto(u32),
    /// Does nothing.
    Nop,
}

/// The rules of a node for one family of addresses, in their order.
#[derive(Debug, Clone, Default)]
pub struct PolicyRules {
    /// Whether they are for IPv6.
    pub v6: bool,
    /// The rules.
    pub rules: Vec<HostRule>,
}
