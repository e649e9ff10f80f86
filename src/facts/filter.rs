//! What does a node's own packet filter hold? Chains and rules, as far as they can be told without the kernel.

use ipnet::IpNet;

use crate::bundle::Source;

/// The chains that one listing shows.
#[derive(Debug, Clone, Default)]
pub struct PacketFilter {
    /// Every chain, in the listing's order.
    pub chains: Vec<FilterChain>,
    /// The listing shows all that the kernel filters with; a list of one tool's tables may lack another's.
    pub is_complete: bool,
}

/// A chain of rules.
#[derive(Debug, Clone)]
pub struct FilterChain {
    /// The table that it stands in; jumps stay within it.
    pub table: String,
    /// Its name.
    pub name: String,
    /// Where the kernel calls it: `output`, `postrouting` ...; none for a chain that others jump to.
    pub hook: Option<String>,
    /// What happens to a packet that reaches its end, where the kernel calls it.
    pub policy: FilterVerdict,
    /// The address family that its table sees; none for both.
    pub family: Option<Family>,
    /// Its rules, in order.
    pub rules: Vec<FilterRule>,
    /// Where it begins, or where its policy stands.
    pub source: Source,
}

/// An address family.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// IPv4.
    V4,
    /// IPv6.
    V6,
}

/// One rule.
#[derive(Debug, Clone)]
pub struct FilterRule {
    /// The address family that it names.
    pub family: Option<Family>,
    /// The destinations that it names; none for any.
    pub destinations: Vec<IpNet>,
    /// It means every destination but these.
    pub all_but: bool,
    /// The protocol that it names.
    pub protocol: Option<String>,
    /// Destination ports, from and to; none for any.
    pub ports: Vec<(u16, u16)>,
    /// It has conditions beyond these (a user, a mark, a set, a rate), so that a match is not certain.
    pub conditional: bool,
    /// It cannot match the first packet of a connection to another machine.
    pub never: bool,
    /// What it does.
    pub verdict: FilterVerdict,
    /// Where it stands.
    pub source: Source,
}

impl FilterRule {
    /// A rule that names nothing and only counts.
    pub fn plain(source: Source) -> FilterRule {
        FilterRule {
            family: None,
            destinations: Vec::new(),
            all_but: false,
            protocol: None,
            ports: Vec::new(),
            conditional: false,
            never: false,
            verdict: FilterVerdict::Continue,
            source,
        }
    }
}

/// What the sender of a rejected packet hears.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// That the connection is refused: a reset, or a port that is not there.
    Refused,
    /// That the network or the host cannot be reached, or may not be.
    Unreachable,
}

/// What a rule or a policy does with a packet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FilterVerdict {
    /// Lets it pass this hook's chain.
    Accept,
    /// Drops it silently.
    Drop,
    /// Drops it and says so, in these words.
    Reject(Answer),
    /// Back to where the jump came from.
    Return,
    /// Into another chain, and back.
    Jump(String),
    /// Into another chain, and not back.
    Goto(String),
    /// Counts, logs or marks it and goes on.
    Continue,
    /// Something that the listing does not tell (a verdict map, a module's target).
    Unknown,
}
