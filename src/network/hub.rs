//! How is the node's network joined to others: by peerings, and through whose gateway to other sites?

use std::net::IpAddr;

use super::home::Home;
use super::routes::winning_route;
use crate::facts::network::{Gateway, LocalGateway, Network, Peering, Tunnel, Way};
use crate::facts::{Evidence, Facts, Known};

/// Two networks and what each side says of their peering.
#[derive(Debug, Clone, Copy)]
pub struct Link<'f> {
    /// The node's side.
    pub near: Option<&'f Peering>,
    /// The other network's side.
    pub far: Option<&'f Peering>,
}

/// The peering between two networks, as far as either side was collected.
pub(super) fn link<'f>(facts: &'f Facts, near: &'f str, far: &'f str) -> Link<'f> {
    Link { near: facts.networks.peerings_of(near).find(|p| p.remote == far), far: facts.networks.peerings_of(far).find(|p| p.remote == near) }
}

impl Link<'_> {
    /// Whether packets pass it: connected and not barred, on both sides. One side that says no decides; yes takes both.
    pub fn is_connected(&self) -> Known<bool> {
        let sides = [self.near, self.far];
        for side in sides.into_iter().flatten() {
            if let Known::Seen(state, evidence) = &side.state
                && !state.eq_ignore_ascii_case("Connected")
            {
                return Known::Seen(false, evidence.clone());
            }
            if let Known::Seen(false, evidence) = &side.allows_access {
                return Known::Seen(false, evidence.clone());
            }
        }
        let states: Vec<_> = sides.iter().flatten().filter(|s| s.state.seen().is_some()).collect();
        match states.as_slice() {
            [one, other] => Known::Seen(true, all([&one.state, &other.state])),
            _ => Known::NotCollected("vnet-peerings"),
        }
    }

    /// Whether a side bars the packets of the other, whatever its state.
    pub fn is_barred(&self) -> bool {
        [self.near, self.far].into_iter().flatten().any(|side| side.allows_access.seen() == Some(&false))
    }

    /// Whether it carries an address that lies in the other network.
    pub fn carries(&self, address: IpAddr) -> Known<bool> {
        let Some(near) = self.near else { return Known::NotCollected("vnet-peerings") };
        if let Some((_, source)) = near.carries.iter().find(|(r, _)| r.contains(&address)) {
            return Known::Seen(true, Evidence::of(source));
        }
        let in_sync = near.sync.seen().is_some_and(|s| s.eq_ignore_ascii_case("FullyInSync"));
        match near.remote_has.iter().find(|(r, _)| r.contains(&address)) {
            Some((_, source)) if !near.carries.is_empty() => {
                let mut evidence = Evidence::of(source);
                if let Known::Seen(_, of_sync) = &near.sync {
                    evidence.sources.extend(of_sync.sources.iter().cloned());
                }
                Known::Seen(false, evidence)
            }
            _ if in_sync => near.sync.clone().map(|_| true),
            _ => Known::NotCollected("vnet-peerings"),
        }
    }

    /// Whether the node's network may use the other network's gateway: offered there and taken here.
    fn gives_gateway(&self) -> Known<bool> {
        let offered = self.far.map(|f| &f.offers_gateway);
        let taken = self.near.map(|n| &n.uses_remote_gateway);
        let refusals: Vec<&Known<bool>> = [offered, taken].into_iter().flatten().filter(|k| k.seen() == Some(&false)).collect();
        if !refusals.is_empty() {
            return Known::Seen(false, all(refusals));
        }
        match (offered, taken) {
            (Some(offered @ Known::Seen(true, _)), Some(taken @ Known::Seen(true, _))) => Known::Seen(true, all([offered, taken])),
            _ => Known::NotCollected("vnet-peerings"),
        }
    }
}

/// The evidence of several facts together.
fn all<'k, T: 'k>(facts: impl IntoIterator<Item = &'k Known<T>>) -> Evidence {
    let mut out = Evidence::default();
    for fact in facts {
        if let Known::Seen(_, evidence) | Known::Absent(evidence) = fact {
            out.sources.extend(evidence.sources.iter().cloned());
            out.guessed |= evidence.guessed;
        }
    }
    out
}

/// A gateway in the node's own network, or in one that is peered with it.
#[derive(Debug, Clone, Copy)]
pub struct Hub<'f> {
    /// The gateway.
    pub gateway: &'f Gateway,
    /// The peering on the way to it; none where it stands in the node's own network.
    pub link: Option<Link<'f>>,
}

/// The gateways within the node's reach.
pub(super) fn hubs<'f>(facts: &'f Facts, home: &Home<'f>) -> Vec<Hub<'f>> {
    let Some(own) = home.network.as_deref() else { return Vec::new() };
    let Some(own) = known_key(facts, own) else { return Vec::new() };
    let reach = |gateway: &'f Gateway| {
        let network = gateway.network.as_deref()?;
        if network == own {
            return Some(Hub { gateway, link: None });
        }
        let link = link(facts, own, network);
        (link.near.is_some() || link.far.is_some()).then_some(Hub { gateway, link: Some(link) })
    };
    facts.networks.gateways.iter().filter_map(reach).collect()
}

/// The key as the facts hold it, which lives as long as they do.
pub(super) fn known_key<'f>(facts: &'f Facts, key: &str) -> Option<&'f str> {
    let n = &facts.networks;
    let sides = n.peerings.iter().flat_map(|p| [p.network.as_str(), p.remote.as_str()]);
    let all = n.networks.iter().map(|n| n.key.as_str()).chain(sides).chain(n.gateways.iter().filter_map(|g| g.network.as_deref()));
    all.chain(n.subnets.iter().map(|s| s.network.as_str())).find(|k| *k == key)
}

impl<'f> Hub<'f> {
    /// Whether the node's network may use this gateway.
    pub fn is_usable(&self) -> Known<bool> {
        let Some(link) = self.link else { return Known::Seen(true, Evidence::of(&self.gateway.source)) };
        if let Some((size, source)) = &self.gateway.size
            && size.eq_ignore_ascii_case("Basic")
        {
            return Known::Seen(false, Evidence::of(source));
        }
        link.gives_gateway()
    }

    fn tunnels(&self, facts: &'f Facts) -> impl Iterator<Item = &'f Tunnel> {
        let key = &self.gateway.key;
        facts.networks.tunnels.iter().filter(move |t| t.gateway.as_ref() == Some(key))
    }

    /// What is told of a tunnel's far end.
    fn far_end(facts: &'f Facts, tunnel: &Tunnel) -> Option<&'f LocalGateway> {
        facts.networks.local_gateways.iter().find(|l| Some(&l.key) == tunnel.far_end.as_ref())
    }

    /// Whether the gateway has a route to an address: set by hand for a tunnel, or learned.
    pub fn knows(&self, facts: &'f Facts, address: IpAddr) -> Known<bool> {
        let alone = facts.networks.gateways.iter().all(|g| g.key == self.gateway.key);
        for tunnel in self.tunnels(facts) {
            let covering = Hub::far_end(facts, tunnel).and_then(|l| l.prefixes.iter().find(|(p, _)| p.contains(&address)));
            if let Some((_, source)) = covering {
                return Known::Seen(true, Evidence::of(source));
            }
        }
        let learned = facts.networks.gateway_routes.iter().filter(|r| r.way == Way::Learned).find(|r| r.prefix.contains(&address));
        if let Some(route) = learned {
            return Known::Seen(true, Evidence::of(&route.source).guessed(!alone || route.of_circuit));
        }
        if let Some(source) = self.seen_from_its_network(facts, address) {
            return Known::Seen(true, Evidence::of(source));
        }
        // Without the connections nothing says to which gateway a far end belongs; the only gateway's it may be.
        if self.tunnels(facts).next().is_none() && alone {
            let covering = facts.networks.local_gateways.iter().flat_map(|l| &l.prefixes).find(|(p, _)| p.contains(&address));
            if let Some((_, source)) = covering {
                return Known::Seen(true, Evidence::of(source).guessed(true));
            }
        }
        self.knows_not(facts)
    }

    /// A machine in the gateway's own network shows what the gateway knows.
    fn seen_from_its_network(&self, facts: &'f Facts, address: IpAddr) -> Option<&'f crate::bundle::Source> {
        let network: &Network = facts.networks.network(self.gateway.network.as_deref()?)?;
        let of_it = |t: &&crate::facts::Of<crate::facts::EffectiveTable>| {
            t.value.routes.iter().any(|r| r.is_own_network() && network.prefixes.iter().any(|(p, _)| p.contains(&r.prefix)))
        };
        let row = facts.effective_routes.iter().filter(of_it).find_map(|t| winning_route(&t.value.routes, address))?;
        row.next_hop_type.eq_ignore_ascii_case("VirtualNetworkGateway").then_some(&row.source)
    }

    /// That the gateway has no route takes everything from which it could have one.
    fn knows_not(&self, facts: &'f Facts) -> Known<bool> {
        let mut evidence = Evidence::default();
        let tunnels: Vec<&Tunnel> = self.tunnels(facts).collect();
        if tunnels.is_empty() {
            return Known::NotCollected("vpn-connections");
        }
        for tunnel in &tunnels {
            match Hub::far_end(facts, tunnel) {
                Some(local) if local.whole => {
                    evidence.sources.extend(local.prefixes.iter().map(|(_, s)| s.clone()).take(2));
                }
                _ if tunnel.learns.seen() == Some(&true) => {}
                _ => return Known::NotCollected("local-gateways"),
            }
        }
        let learns = self.gateway.learns.seen() != Some(&false) && tunnels.iter().any(|t| t.learns.seen() != Some(&false));
        match facts.networks.gateway_routes_told.iter().find(|(way, _)| *way == Way::Learned) {
            Some((_, source)) => evidence.sources.push(source.clone()),
            None if learns => return Known::NotCollected("learned-routes"),
            None => {}
        }
        // A connection that was asked for by name may not be the only one.
        Known::Seen(false, evidence.guessed(!facts.networks.tunnels_told))
    }
}

/// Whether the tunnel or circuit that leads to an address is up; where nothing says which one that is, all must agree.
pub(super) fn tunnel_is_connected(facts: &Facts, hubs: &[Hub<'_>], address: IpAddr) -> Known<bool> {
    let of_hubs: Vec<&Tunnel> = hubs.iter().flat_map(|h| h.tunnels(facts)).collect();
    let covers = |t: &&&Tunnel| Hub::far_end(facts, t).is_some_and(|l| l.prefixes.iter().any(|(p, _)| p.contains(&address)));
    let covering: Vec<&Tunnel> = of_hubs.iter().filter(covers).copied().collect();
    let meant = if covering.is_empty() { of_hubs } else { covering };
    if meant.is_empty() {
        return Known::NotCollected("vpn-connections");
    }
    let up = |t: &&&Tunnel| t.state.seen().is_some_and(|s| s.eq_ignore_ascii_case("Connected"));
    let down = |t: &&&Tunnel| t.state.seen().is_some_and(|s| s.eq_ignore_ascii_case("NotConnected") || s.eq_ignore_ascii_case("Connecting"));
    if meant.iter().all(|t| down(&t)) {
        return Known::Seen(false, all(meant.iter().map(|t| &t.state)));
    }
    if !meant.iter().all(|t| up(&t)) {
        return Known::NotCollected("vpn-connections");
    }
    // A tunnel that stands carries nothing where the routing session in it is down.
    let peers = &facts.networks.bgp_peers;
    if meant.iter().all(|t| t.learns.seen() == Some(&true)) && !peers.is_empty() && peers.iter().all(|p| !p.state.eq_ignore_ascii_case("Connected")) {
        return Known::Seen(false, Evidence { sources: peers.iter().map(|p| p.source.clone()).collect(), guessed: false });
    }
    Known::Seen(true, all(meant.iter().map(|t| &t.state)))
}
