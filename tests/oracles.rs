//! Does what we compute agree with somebody else's answer? Route choice against a naive scan, tests of rules against CEL.

use std::net::{IpAddr, Ipv4Addr};

use proptest::prelude::*;
use underpod::bundle::{FileId, Source};
use underpod::facts::EffectiveRoute;
use underpod::network::winning_route;

/// A route of one of the kinds that tables hold: a user's, a learned one, the platform's own for the network, its catch-alls.
fn route(address: u32, length: u8, kind: u8, active: bool) -> EffectiveRoute {
    let (origin, leads) = match kind % 5 {
        0 => ("User", "VirtualAppliance"),
        1 => ("VirtualNetworkGateway", "VirtualNetworkGateway"),
        2 => ("Default", "VnetLocal"),
        3 => ("Default", "VNetPeering"),
        _ => ("Default", "None"),
    };
    EffectiveRoute {
        prefix: ipnet::IpNet::new(IpAddr::V4(Ipv4Addr::from(address)), length).unwrap().trunc(),
        next_hop_type: leads.into(),
        next_hop: Some(format!("{address}/{length}/{kind}")),
        origin: origin.into(),
        active,
        source: Source::new(FileId::default(), 1, ""),
    }
}

/// The rule as a book would state it, row by row: strike out what is not in force or does not cover the target; strike out what
/// was learned where the network itself covers it; then the longest mask, a user's before a learned one before the default.
fn by_the_book(table: &[EffectiveRoute], target: u32) -> Option<&EffectiveRoute> {
    let covers = |row: &EffectiveRoute| {
        let IpAddr::V4(net) = row.prefix.network() else { unreachable!("only IPv4 here") };
        let bits = u32::from(row.prefix.prefix_len());
        let mask = if bits == 0 { 0 } else { u32::MAX << (32 - bits) };
        row.active && u32::from(net) & mask == target & mask
    };
    let within = table.iter().any(|r| covers(r) && r.origin == "Default" && r.next_hop_type != "None");
    let mut best: Option<&EffectiveRoute> = None;
    for row in table.iter().filter(|r| covers(r)).filter(|r| !(within && r.origin == "VirtualNetworkGateway")) {
        let weight = |r: &EffectiveRoute| (r.prefix.prefix_len(), ["Default", "VirtualNetworkGateway", "User"].iter().position(|o| *o == r.origin));
        if best.is_none_or(|b| weight(row) > weight(b)) {
            best = Some(row);
        }
    }
    best
}

proptest! {
    // 2500 tables, 40 addresses each: a hundred thousand questions.
    #![proptest_config(ProptestConfig::with_cases(2500))]
    #[test]
    fn the_winning_route_is_the_one_by_the_book(
        rows in proptest::collection::vec((any::<u32>(), 0u8..=32, any::<u8>(), proptest::bool::weighted(0.9)), 1..40),
        near in any::<u32>(),
        targets in proptest::collection::vec(any::<u32>(), 40),
    ) {
        // Rows and targets near one another, so that prefixes overlap often.
        let close = |a: u32| (near & 0xffff_f000) | (a & 0xfff);
        let table: Vec<EffectiveRoute> = rows.iter().map(|(a, l, kind, active)| route(close(*a), *l, *kind, *active)).collect();
        for target in targets.into_iter().map(close) {
            let won = winning_route(&table, IpAddr::V4(Ipv4Addr::from(target))).map(|r| &r.next_hop);
            prop_assert_eq!(won, by_the_book(&table, target).map(|r| &r.next_hop));
        }
    }
}
