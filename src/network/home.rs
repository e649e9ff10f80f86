//! Where does a node stand: in which subnet and network, and which tables of effective routes are its own?

use std::net::IpAddr;

use crate::bundle::Source;
use crate::facts::network::{EffectiveTable, Interface, Network, Subnet};
use crate::facts::{Facts, Of, Owner};

/// A node's place in the networks.
#[derive(Debug, Clone, Default)]
pub struct Home<'f> {
    /// Key of its subnet.
    pub subnet: Option<String>,
    /// Key of its network.
    pub network: Option<String>,
    /// Its own addresses.
    pub addresses: Vec<IpAddr>,
    /// The interfaces that are its own, or its set's.
    pub interfaces: Vec<&'f Interface>,
    /// The subnet is that of its set or pool, and not shown for itself.
    pub guessed: bool,
    /// What shows the subnet.
    pub sources: Vec<&'f Source>,
}

impl<'f> Home<'f> {
    /// The subnet itself, where it was collected.
    pub fn subnet_of(&self, facts: &'f Facts) -> Option<&'f Subnet> {
        facts.networks.subnet(self.subnet.as_deref()?)
    }

    /// The network itself, where it was collected.
    pub fn network_of(&self, facts: &'f Facts) -> Option<&'f Network> {
        facts.networks.network(self.network.as_deref()?)
    }
}

/// The place of `node`: by an interface with its address or of its machine, by a subnet that covers its address, by its pool.
pub fn home<'f>(facts: &'f Facts, node: &str) -> Home<'f> {
    let known = facts.nodes.iter().find(|n| n.name == node);
    let addresses: Vec<IpAddr> = known.map(|n| n.addresses.iter().filter_map(|a| a.parse().ok()).collect()).unwrap_or_default();
    let mut home = Home { addresses, ..Home::default() };
    by_interface(facts, node, &mut home);
    if home.subnet.is_none() {
        by_address(facts, &mut home);
    }
    if home.subnet.is_none() {
        by_pool(facts, node, &mut home);
    }
    if let Some(subnet) = home.subnet_of(facts) {
        home.network = Some(subnet.network.clone());
    }
    home
}

fn by_interface<'f>(facts: &'f Facts, node: &str, home: &mut Home<'f>) {
    let all = facts.networks.interfaces.iter().filter(|i| !i.is_endpoint);
    let instance = instance_of(node);
    let own = |i: &&Interface| {
        (i.set.is_none() && i.machine.as_deref().is_some_and(|m| m.eq_ignore_ascii_case(node)))
            || instance
                .as_ref()
                .is_some_and(|(set, number)| i.set.as_deref().is_some_and(|s| s.eq_ignore_ascii_case(set)) && i.machine.as_deref() == Some(number))
    };
    let mut exact: Vec<&Interface> = all.clone().filter(own).collect();
    if exact.is_empty() {
        exact = all.clone().filter(|i| i.addresses.iter().any(|(a, _)| home.addresses.contains(a))).collect();
        // Networks of strangers may use the same addresses: then an address alone names no interface.
        if exact.iter().any(|i| i.subnet != exact.first().and_then(|f| f.subnet.clone())) {
            exact.clear();
        }
    }
    let of_set = || all.clone().filter(|i| instance.as_ref().is_some_and(|(set, _)| i.set.as_deref().is_some_and(|s| s.eq_ignore_ascii_case(set))));
    home.guessed = exact.is_empty();
    home.interfaces = if exact.is_empty() { of_set().collect() } else { exact };
    let placed = home.interfaces.iter().find_map(|i| Some((i.subnet.clone()?, i.network.clone(), &i.source)));
    if home.addresses.is_empty() && !home.guessed {
        home.addresses = home.interfaces.iter().flat_map(|i| i.addresses.iter().map(|(a, _)| *a)).collect();
    }
    match placed {
        Some((subnet, network, source)) => {
            home.network = network;
            home.subnet = Some(subnet);
            home.sources = vec![source];
        }
        None => home.guessed = false,
    }
}

/// The set of a node and its number in it: `aks-apps-31604412-vmss00000a` is the tenth of `aks-apps-31604412-vmss`.
fn instance_of(node: &str) -> Option<(String, String)> {
    let at = node.len().checked_sub(6)?;
    let (set, number) = (node.get(..at)?, node.get(at..)?);
    let number = u64::from_str_radix(number, 36).ok()?;
    (!set.is_empty()).then(|| (set.to_owned(), number.to_string()))
}

fn by_address<'f>(facts: &'f Facts, home: &mut Home<'f>) {
    let covering = |a: &IpAddr| facts.networks.subnets.iter().filter_map(move |s| Some((s, s.covers(*a)?))).collect::<Vec<_>>();
    let found: Vec<(&Subnet, &Source)> = home.addresses.iter().flat_map(covering).map(|(s, (_, source))| (s, source)).collect();
    let Some((first, source)) = found.first() else { return };
    // Networks of strangers may use the same ranges: then nothing tells which is meant.
    if found.iter().any(|(s, _)| s.key != first.key) {
        return;
    }
    home.subnet = Some(first.key.clone());
    home.sources = vec![source];
}

fn by_pool<'f>(facts: &'f Facts, node: &str, home: &mut Home<'f>) {
    let Some(pool) = facts.pool_of(node) else { return };
    let named: Vec<_> = facts.networks.pools.iter().filter(|p| p.name.eq_ignore_ascii_case(pool)).collect();
    let Some((key, network, source)) = named.iter().find_map(|p| Some((p.subnet.seen()?, &p.network, &p.source))) else { return };
    if named.iter().any(|p| p.subnet.seen().is_some_and(|k| k != key)) {
        return;
    }
    home.subnet = Some(key.clone());
    home.network.clone_from(network);
    home.sources = vec![source];
}

/// The tables of effective routes that are the node's, or of an interface in its subnet, each with whether that is a guess.
pub fn tables<'f>(facts: &'f Facts, node: Option<&str>, home: &Home<'f>) -> Vec<(&'f Of<EffectiveTable>, bool)> {
    let Some(node) = node else { return Facts::of_node(&facts.effective_routes, None).collect() };
    // Its own table says it all: in a cluster of a thousand such tables nobody looks through the others.
    let is_own = |t: &&Of<EffectiveTable>| matches!(&t.owner, Owner::Node { name, guessed: false } if name == node);
    let own: Vec<_> = facts.effective_routes.iter().filter(is_own).filter(|t| belongs(facts, t, node, home) == Some(false)).map(|t| (t, false)).collect();
    if !own.is_empty() {
        return own;
    }
    let mut certain = Vec::new();
    let mut guessed = Vec::new();
    for table in &facts.effective_routes {
        match belongs(facts, table, node, home) {
            Some(false) => certain.push((table, false)),
            Some(true) => guessed.push((table, true)),
            None => {}
        }
    }
    if certain.is_empty() { guessed } else { certain }
}

/// Whether a table is the node's: not at all, for certain (`false`), or as a guess (`true`).
fn belongs(facts: &Facts, table: &Of<EffectiveTable>, node: &str, home: &Home<'_>) -> Option<bool> {
    // The table tells its own network; one that does not hold the node's address is another's, whatever its file is called.
    let own: Vec<_> = table.value.routes.iter().filter(|r| r.is_own_network()).collect();
    let holds = home.addresses.iter().any(|a| own.iter().any(|r| r.prefix.contains(a)));
    if !own.is_empty() && !home.addresses.is_empty() && !holds {
        return None;
    }
    if let Owner::Node { name, guessed: false } = &table.owner {
        if name == node {
            return Some(false);
        }
        let mate = self::home(facts, name);
        return (mate.subnet.is_some() && mate.subnet == home.subnet)
            .then_some(mate.guessed || home.guessed)
            .or_else(|| same_pool(facts, name, node).then_some(true));
    }
    if let Some(subnet) = subnet_of_table(facts, table) {
        return (Some(&subnet) == home.subnet.as_ref()).then_some(home.guessed);
    }
    if subnet_beside(facts, table).is_some_and(|s| home.subnet.as_ref().is_some_and(|own| s != own)) {
        return None;
    }
    let named = matches!(&table.owner, Owner::Node { name, .. } if name == node);
    (named || holds).then_some(true)
}

fn same_pool(facts: &Facts, one: &str, other: &str) -> bool {
    facts.pool_of(one).is_some_and(|p| facts.pool_of(other) == Some(p))
}

/// The subnet of the interface of which a table is: the command names it, or the file's name does, or it names the subnet.
pub(super) fn subnet_of_table(facts: &Facts, table: &Of<EffectiveTable>) -> Option<String> {
    let path = facts.about.path(&table.source).to_lowercase();
    let file = path.rsplit(['/', '!']).next().unwrap_or(&path);
    place_named(facts, table.value.interface.as_deref(), file)
}

/// The subnet of the only interface that was collected into the table's own folder, where the table's network holds it.
fn subnet_beside<'f>(facts: &'f Facts, table: &Of<EffectiveTable>) -> Option<&'f String> {
    let folder = |source: &Source| facts.about.path(source).rsplit_once(['/', '!']).map_or("", |(folder, _)| folder).to_owned();
    let here = folder(&table.source);
    let in_network = |i: &&Interface| i.addresses.iter().any(|(a, _)| table.value.routes.iter().any(|r| r.is_own_network() && r.prefix.contains(a)));
    let mut beside = facts.networks.interfaces.iter().filter(|i| folder(&i.source) == here);
    let only = beside.next().filter(in_network)?;
    beside.next().is_none().then_some(only.subnet.as_ref()?)
}

/// The subnet of the interface that a command or a file's name means, or that the name itself says.
pub(super) fn place_named(facts: &Facts, interface: Option<&str>, file: &str) -> Option<String> {
    let interfaces = &facts.networks.interfaces;
    if let Some(wanted) = interface {
        let found = interfaces.iter().find(|i| i.name.eq_ignore_ascii_case(wanted)).and_then(|i| i.subnet.clone());
        if found.is_some() {
            return found;
        }
    }
    let names = interfaces
        .iter()
        .flat_map(|i| [Some(&i.name), i.machine.as_ref().filter(|_| i.set.is_none())].into_iter().flatten().map(move |n| (n, i.subnet.as_ref())));
    let subnets = facts.networks.subnets.iter().map(|s| (&s.name, Some(&s.key)));
    let mut meant: Vec<(usize, &String)> =
        names.chain(subnets).filter(|(name, _)| names_it(file, &name.to_lowercase())).filter_map(|(n, key)| Some((n.len(), key?))).collect();
    meant.sort();
    // The longest name counts; two places of that name are none.
    let (length, key) = meant.last()?;
    meant.iter().filter(|(l, _)| l == length).all(|(_, k)| k == key).then(|| (*key).clone())
}

pub(super) fn names_it(file: &str, name: &str) -> bool {
    name.len() > 2
        && file.match_indices(name).any(|(at, _)| {
            let edge = |c: Option<char>| c.is_none_or(|c| !c.is_ascii_alphanumeric());
            edge(file.get(..at).and_then(|s| s.chars().next_back())) && edge(file.get(at + name.len()..).and_then(|s| s.chars().next()))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_of_a_set_has_a_number_in_it() {
        assert_eq!(instance_of("aks-apps-31604412-vmss00000a"), Some(("aks-apps-31604412-vmss".into(), "10".into())));
        assert_eq!(instance_of("aksnpwin000001"), Some(("aksnpwin".into(), "1".into())));
        assert_eq!(instance_of("n-1"), None);
    }

    #[test]
    fn names_count_whole() {
        assert!(names_it("effective-routes-nic-netprobe.json", "nic-netprobe"));
        assert!(names_it("effective-routes-vm-in-snet-batch.json", "snet-batch"));
        assert!(!names_it("effective-routes-nic-netprobe2.json", "nic-netprobe"));
    }
}
