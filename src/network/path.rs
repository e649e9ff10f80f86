//! Which way does a node's packet take to one address, and what do the networks on it say?

use std::net::IpAddr;

use super::hub::{Hub, Link, hubs, known_key, link, tunnel_is_connected};
use super::security::{Judged, Packet, inbound, outbound};
use super::whose::{is_claimed, key_of_address};
use super::{Home, far, home, network_of_address, route_for, tables, winning_route};
use crate::facts::network::{Network, Peering};
use crate::facts::{EffectiveRoute, Evidence, Facts, Known};

/// A node and an address, and everything that is asked of the way between them.
#[derive(Debug, Clone)]
pub struct Path<'f> {
    facts: &'f Facts,
    node: Option<&'f str>,
    /// The node's place.
    pub home: Home<'f>,
    /// The address.
    pub address: IpAddr,
}

impl<'f> Path<'f> {
    /// The way from a node to an address.
    pub fn new(facts: &'f Facts, node: Option<&'f str>, address: IpAddr) -> Path<'f> {
        Path { facts, node, home: node.map(|n| home(facts, n)).unwrap_or_default(), address }
    }

    /// The same way for a packet with another sender's address than the node's own.
    #[must_use]
    pub fn sent_from(mut self, address: Option<IpAddr>) -> Path<'f> {
        if let Some(address) = address {
            self.home.addresses = vec![address];
        }
        self
    }

    fn packet(&self, port: u16) -> Packet {
        let from = self.home.addresses.iter().copied().find(|x| x.is_ipv4() == self.address.is_ipv4());
        Packet { from, to: self.address, port }
    }

    /// The effective route of the node's subnet.
    pub fn route(&self) -> Known<EffectiveRoute> {
        route_for(self.facts, self.node, &self.home, self.address)
    }

    /// What the security rules on the node's side say.
    pub fn rules_out(&self, port: u16) -> Judged {
        outbound(self.facts, self.node, &self.home, self.packet(port))
    }

    /// What those at the address say.
    pub fn rules_in(&self, port: u16) -> Judged {
        inbound(self.facts, &self.home, self.packet(port))
    }

    /// Whether the address lies in another network than the node's.
    pub fn leads_to_another_network(&self) -> bool {
        self.two_networks().is_some()
    }

    /// The network in which an address lies, as the node reaches it.
    fn network_of(&self, address: IpAddr) -> Option<&'f Network> {
        network_of_address(self.facts, self.home.network.as_deref(), address).map(|(network, _)| network)
    }

    /// The node's own network, as it was collected.
    fn own_network(&self) -> Option<&'f Network> {
        self.home.network_of(self.facts)
    }

    /// The keys of the node's network and of another in which the address lies.
    fn two_networks(&self) -> Option<(&'f str, &'f str)> {
        let own = self.home.network.as_deref()?;
        let there = key_of_address(self.facts, Some(own), self.address).filter(|key| *key != own)?;
        Some((known_key(self.facts, own)?, there))
    }

    /// The peering between the two networks.
    fn direct(&self) -> Option<Link<'f>> {
        let (near, there) = self.two_networks()?;
        let link = link(self.facts, near, there);
        (link.near.is_some() || link.far.is_some()).then_some(link)
    }

    /// Whether a peering connects the two networks.
    pub fn is_peered(&self) -> Known<bool> {
        let Some((near, there)) = self.two_networks() else {
            return Known::NotCollected(match self.facts.networks.networks.as_slice() {
                [] => "vnet-peerings",
                _ if self.own_network().is_some() && is_claimed(self.facts, self.address) => "nic",
                _ => "vnet",
            });
        };
        if let Some(side) = self.direct().and_then(|l| l.near.or(l.far)) {
            return Known::Seen(true, Evidence::of(&side.source));
        }
        // It takes both sides: one that has none says enough.
        let told = &self.facts.networks.peerings_told;
        match told.get(near).or_else(|| told.get(there)) {
            Some(source) => Known::Seen(false, Evidence::of(source)),
            None => Known::NotCollected("vnet-peerings"),
        }
    }

    /// The peerings that lie on the way, and whether they are known to: between the two networks, else with the networks whose
    /// gateway could lead there.
    pub fn links(&self) -> (Vec<Link<'f>>, bool) {
        let in_own = self.own_network().is_some_and(|n| n.prefixes.iter().any(|(p, _)| p.contains(&self.address)));
        if in_own || self.two_networks().is_some() {
            return (self.direct().into_iter().collect(), true);
        }
        let (hubs, sure) = self.hubs();
        (hubs.iter().filter_map(|h| h.link).collect(), sure)
    }

    /// The gateways that lead to the address, and whether they are known to; else those of which it is not known.
    pub fn hubs(&self) -> (Vec<Hub<'f>>, bool) {
        let all = hubs(self.facts, &self.home);
        let knows = |wanted: fn(&Known<bool>) -> bool| all.iter().filter(|h| wanted(&h.knows(self.facts, self.address))).copied().collect::<Vec<_>>();
        let sure = knows(|k| k.seen() == Some(&true));
        if sure.is_empty() { (knows(|k| k.seen().is_none()), false) } else { (sure, true) }
    }

    /// Whether the peering on the way is connected on both sides.
    pub fn is_connected(&self) -> Known<bool> {
        let (links, sure) = self.links();
        let answer = any_of(links.iter().map(Link::is_connected), "vnet-peerings").guessed(!sure);
        // A peering that is down leaves no route behind: the flag, or the route, is of another hour or of another peering.
        if answer.seen() == Some(&false) && !links.iter().any(Link::is_barred) && self.is_routed_over_peering(&links) {
            return Known::NotCollected("vnet-peerings");
        }
        answer
    }

    /// Whether a route that was collected leads to the address over a peering.
    fn is_routed_over_peering(&self, links: &[Link<'f>]) -> bool {
        let tables = tables(self.facts, self.node, &self.home);
        let kinds = tables.iter().filter_map(|(t, _)| winning_route(&t.value.routes, self.address)).map(|r| r.next_hop_type.to_ascii_lowercase());
        let over_peering = |kind: String| match kind.as_str() {
            "vnetpeering" | "vnetglobalpeering" | "globalvnetpeering" => true,
            // Without a gateway of its own, the network has a gateway's routes over a peering alone.
            "virtualnetworkgateway" => !links.is_empty() && !hubs(self.facts, &self.home).iter().any(|h| h.link.is_none()),
            _ => false,
        };
        kinds.into_iter().any(over_peering)
    }

    /// Whether the peering carries every range of the other network, this address with them.
    pub fn is_in_sync(&self) -> Known<bool> {
        if let Some(link) = self.direct() {
            return link.carries(self.address);
        }
        // The remote network may be told by the peering alone.
        let peerings = self.home.network.iter().flat_map(|n| self.facts.networks.peerings_of(n));
        let holding = peerings.filter(|p| p.remote_has.iter().chain(&p.carries).any(|(r, _)| r.contains(&self.address)));
        any_of(holding.map(|p| Link { near: Some(p), far: None }.carries(self.address)), "vnet-peerings")
    }

    /// Whether the node's network may use the gateway behind which the address lies.
    pub fn gives_gateway(&self) -> Known<bool> {
        let (mut found, sure) = self.hubs();
        if found.is_empty() {
            found = hubs(self.facts, &self.home);
        }
        let artefact = if self.facts.networks.gateways.is_empty() { self.unless_told("vnet-gateway") } else { "vnet-peerings" };
        any_of(found.iter().map(Hub::is_usable), artefact).guessed(!sure)
    }

    /// Whether a gateway within reach has a route to the address.
    pub fn gateway_knows(&self) -> Known<bool> {
        // A network of the cloud does not lie beyond a gateway, though the gateway may have a route to it.
        if self.two_networks().is_some() {
            return Known::NotCollected("effective-routes");
        }
        let artefact = if self.facts.networks.gateways.is_empty() { "learned-routes" } else { "vnet-peerings" };
        any_of(hubs(self.facts, &self.home).iter().map(|h| h.knows(self.facts, self.address)), artefact)
    }

    /// Whether the peerings on the way take packets that an appliance forwards: at the node's network for the answers, and at
    /// the registry's for the way there.
    pub fn takes_forwarded(&self) -> Known<bool> {
        let Some(hop) = self.appliance() else { return Known::NotCollected("effective-routes") };
        let Some(hub) = self.network_of(hop) else { return Known::NotCollected(self.unless_told("vnet")) };
        let all = &self.facts.networks.peerings;
        let with_hub = |network: &str| all.iter().find(|p| p.network == network && p.remote == hub.key).map(|p| &p.allows_forwarded);
        let near = self.home.network.as_deref().and_then(with_hub);
        let there = self.network_of(self.address).map(|n| n.key.as_str()).filter(|k| *k != hub.key);
        let far = there.and_then(with_hub);
        if let Some(refusal) = [near, far].into_iter().flatten().find(|k| k.seen() == Some(&false)) {
            return refusal.clone();
        }
        match (near, there, far) {
            (Some(near), None, _) => near.clone(),
            (Some(_), Some(_), Some(far)) => far.clone(),
            _ => Known::NotCollected("vnet-peerings"),
        }
    }

    /// The address of the appliance to which the route leads.
    pub fn appliance(&self) -> Option<IpAddr> {
        let route = self.route();
        let route = route.seen().filter(|r| r.next_hop_type.eq_ignore_ascii_case("VirtualAppliance"))?;
        route.next_hop.as_deref()?.parse().ok()
    }

    /// Whether the machine runs that is that appliance.
    pub fn appliance_runs(&self) -> Known<bool> {
        self.appliance().map_or(Known::NotCollected("nic"), |hop| far::machine_runs(self.facts, &self.home, hop))
    }

    /// Whether that appliance forwards.
    pub fn appliance_forwards(&self) -> Known<bool> {
        self.appliance().map_or(Known::NotCollected("nic"), |hop| far::forwards(self.facts, &self.home, hop))
    }

    /// Whether the two networks are both peered with a third one.
    pub fn meets_in_third(&self) -> Known<bool> {
        let Some((near, there)) = self.two_networks() else { return Known::NotCollected("vnet-peerings") };
        let of = |network: &'f str| self.facts.networks.peerings.iter().filter(move |p| p.network == network || p.remote == network);
        let other = |p: &'f Peering, network: &str| if p.network == network { &p.remote } else { &p.network };
        for one in of(near) {
            if let Some(two) = of(there).find(|two| other(two, there) == other(one, near)) {
                return Known::Seen(true, Evidence { sources: vec![one.source.clone(), two.source.clone()], guessed: false });
            }
        }
        match self.facts.networks.peerings_told.get(near) {
            Some(source) => Known::Seen(false, Evidence::of(source)),
            None => Known::NotCollected("vnet-peerings"),
        }
    }

    /// Whether the tunnel or circuit on the way is up.
    pub fn tunnel_is_connected(&self) -> Known<bool> {
        let (hubs, sure) = self.hubs();
        tunnel_is_connected(self.facts, &hubs, self.address).guessed(!sure)
    }

    /// Whether the far side routes the node's address back.
    pub fn way_back(&self) -> Known<bool> {
        far::way_back(self.facts, &self.home, self.address)
    }

    /// What to ask for next: the peerings where there are none yet, else what they lead to.
    fn unless_told(&self, next: &'static str) -> &'static str {
        let networks = &self.facts.networks;
        if networks.peerings.is_empty() && networks.peerings_told.is_empty() { "vnet-peerings" } else { next }
    }
}

/// One answer of several ways: any that says yes is enough, all must say no.
fn any_of(answers: impl IntoIterator<Item = Known<bool>>, artefact: &'static str) -> Known<bool> {
    let mut refusal: Option<Evidence> = None;
    let mut unknown = None;
    for answer in answers {
        match answer {
            Known::Seen(true, evidence) => return Known::Seen(true, evidence),
            Known::Seen(false, evidence) => refusal = refusal.or(Some(evidence)),
            Known::Absent(_) => unknown = unknown.or(Some(artefact)),
            Known::NotCollected(missing) => unknown = unknown.or(Some(missing)),
        }
    }
    match (refusal, unknown) {
        (Some(evidence), None) => Known::Seen(false, evidence),
        (_, missing) => Known::NotCollected(missing.unwrap_or(artefact)),
    }
}
