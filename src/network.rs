//! What does a route table decide for one address? Pure computations over facts, vendor-neutral.

pub mod filter;

use std::net::IpAddr;

use crate::facts::{EffectiveRoute, HostRoute};

/// The effective route that wins for `address`: active, the longest prefix; at equal length a user's route over a learned
/// one over the default; the network's own rows over any learned one. Several rows of one prefix and origin share the traffic; the first stands for them.
pub fn winning_route(routes: &[EffectiveRoute], address: IpAddr) -> Option<&EffectiveRoute> {
    let best = |keep: &dyn Fn(&EffectiveRoute) -> bool| {
        routes.iter().rev().filter(|r| r.active && r.prefix.contains(&address) && keep(r)).max_by_key(|r| (r.prefix.prefix_len(), rank(&r.origin)))
    };
    let winner = best(&|_| true)?;
    // A learned route never takes traffic away from the network itself, its peerings and its service endpoints.
    let of_the_network = |r: &EffectiveRoute| {
        rank(&r.origin) == 0
            && matches!(
                r.next_hop_type.to_ascii_lowercase().as_str(),
                "vnetlocal" | "vnetpeering" | "vnetglobalpeering" | "globalvnetpeering" | "virtualnetworkserviceendpoint"
            )
    };
    if rank(&winner.origin) == 1 { best(&of_the_network).or(Some(winner)) } else { Some(winner) }
}

fn rank(origin: &str) -> u8 {
    match origin.to_ascii_lowercase().as_str() {
        "user" => 2,
        "default" => 0,
        _ => 1,
    }
}

/// The route that the node's kernel takes for `address`: the local table first, then the longest prefix and lowest metric of
/// the others. Policy routing is not followed: with rules beyond the three standard ones the answer is only the main table's.
pub fn kernel_route(routes: &[HostRoute], address: IpAddr) -> Option<&HostRoute> {
    routes
        .iter()
        .rev()
        .filter(|r| r.prefix.contains(&address) && matches!(r.table.as_str(), "main" | "default" | "254" | "253"))
        .max_by_key(|r| (r.prefix.prefix_len(), std::cmp::Reverse(r.metric)))
}

/// Whether an address is private: RFC 1918, RFC 6598, unique local.
pub fn is_private(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => v4.is_private() || (v4.octets()[0] == 100 && (64..128).contains(&v4.octets()[1])),
        IpAddr::V6(v6) => (v6.segments()[0] & 0xfe00) == 0xfc00,
    }
}

/// Whether an address is one that the whole internet can reach: neither private, nor of the host, nor of the link, nor Azure's
/// own virtual address.
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => !(is_private(address) || v4.is_loopback() || v4.is_link_local() || v4.is_unspecified() || v4.octets() == [168, 63, 129, 16]),
        IpAddr::V6(v6) => !(is_private(address) || v6.is_loopback() || v6.is_unspecified() || (v6.segments()[0] & 0xffc0) == 0xfe80),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bundle::{FileId, Source};

    fn source() -> Source {
        // A source needs a file; any will do here.
        Source::new(FileId::default(), 1, "")
    }

    fn route(prefix: &str, kind: &str, origin: &str, active: bool) -> EffectiveRoute {
        EffectiveRoute { prefix: prefix.parse().unwrap(), next_hop_type: kind.into(), next_hop: None, origin: origin.into(), active, source: source() }
    }

    #[test]
    fn the_longest_active_prefix_wins_and_users_win_ties() {
        let table = [
            route("0.0.0.0/0", "Internet", "Default", true),
            route("10.0.0.0/8", "None", "Default", true),
            route("10.40.0.0/16", "VirtualNetworkGateway", "VirtualNetworkGateway", true),
            route("10.40.0.0/16", "VirtualAppliance", "User", true),
            route("10.40.8.0/24", "VNetPeering", "Default", false),
        ];
        let hop = |a: &str| winning_route(&table, a.parse().unwrap()).map(|r| r.next_hop_type.clone());
        assert_eq!(hop("10.40.8.10").as_deref(), Some("VirtualAppliance"));
        assert_eq!(hop("10.1.1.1").as_deref(), Some("None"));
        assert_eq!(hop("8.8.8.8").as_deref(), Some("Internet"));
    }

    #[test]
    fn private_and_public() {
        for (text, private, public) in [
            ("10.1.1.1", true, false),
            ("100.64.0.1", true, false),
            ("8.8.8.8", false, true),
            ("168.63.129.16", false, false),
            ("127.0.0.1", false, false),
            ("fd00::1", true, false),
            ("2001:db8::1", false, true),
        ] {
            let address: IpAddr = text.parse().unwrap();
            assert_eq!((is_private(address), is_public(address)), (private, public), "{text}");
        }
    }
}
