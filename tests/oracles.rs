//! Does what we compute agree with somebody else's answer? Route choice against a naive scan, tests of rules against CEL.

use std::net::{IpAddr, Ipv4Addr};

use proptest::prelude::*;
use underpod::bundle::{FileId, Source};
use underpod::facts::EffectiveRoute;
use underpod::network::winning_route;

fn route(address: u32, length: u8, user: bool) -> EffectiveRoute {
    EffectiveRoute {
        prefix: ipnet::IpNet::new(IpAddr::V4(Ipv4Addr::from(address)), length).unwrap().trunc(),
        next_hop_type: format!("{address}/{length}/{user}"),
        next_hop: None,
        origin: if user { "User" } else { "Default" }.into(),
        active: true,
        source: Source::new(FileId::default(), 1, ""),
    }
}

proptest! {
    #[test]
    fn the_winning_route_is_the_longest_by_a_naive_scan(rows in proptest::collection::vec((any::<u32>(), 0u8..=32, any::<bool>()), 1..40), target in any::<u32>()) {
        // Tables with near addresses, so that prefixes overlap often.
        let table: Vec<EffectiveRoute> = rows.iter().map(|(a, l, u)| route((target & 0xffff_0000) | (a & 0xffff), *l, *u)).collect();
        let target = Ipv4Addr::from(target);
        let mut best: Option<&EffectiveRoute> = None;
        for row in &table {
            let bits = u32::from(row.prefix.prefix_len());
            let mask = if bits == 0 { 0 } else { u32::MAX << (32 - bits) };
            let IpAddr::V4(net) = row.prefix.network() else { unreachable!("only IPv4 here") };
            if u32::from(net) & mask != u32::from(target) & mask {
                continue;
            }
            let better = best.is_none_or(|b| (row.prefix.prefix_len(), row.origin == "User") > (b.prefix.prefix_len(), b.origin == "User"));
            if better {
                best = Some(row);
            }
        }
        prop_assert_eq!(winning_route(&table, IpAddr::V4(target)).map(|r| &r.next_hop_type), best.map(|r| &r.next_hop_type));
    }
}
