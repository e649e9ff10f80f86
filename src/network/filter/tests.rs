//! What do the chains decide, and what do they leave open?

use super::*;
use crate::bundle::FileId;

fn source(line: u32) -> Source {
    Source::new(FileId::default(), line, "")
}

fn rule(line: u32, to: &str, verdict: FilterVerdict) -> FilterRule {
    FilterRule { destinations: to.parse().into_iter().collect(), verdict, ..FilterRule::plain(source(line)) }
}

fn chain(name: &str, hook: Option<&str>, policy: FilterVerdict, rules: Vec<FilterRule>) -> FilterChain {
    FilterChain { table: "filter".into(), name: name.into(), hook: hook.map(str::to_owned), policy, family: None, rules, source: source(1) }
}

fn of(chains: Vec<FilterChain>) -> PacketFilter {
    PacketFilter { chains, is_complete: true }
}

fn line(filter: &PacketFilter) -> Result<u32, Option<u32>> {
    match fate(filter, "10.40.8.10".parse().unwrap(), 443) {
        Some(Fate::Dropped(s, _)) => Ok(s.line),
        Some(Fate::Passes(s)) => Err(Some(s.line)),
        _ => Err(None),
    }
}

use FilterVerdict::{Accept, Drop, Jump, Return};

#[test]
fn the_first_certain_match_decides() {
    let out = |rules| of(vec![chain("output", Some("output"), Accept, rules)]);
    assert_eq!(line(&out(vec![rule(2, "10.40.0.0/16", Drop)])), Ok(2));
    assert_eq!(line(&out(vec![rule(2, "10.40.8.10/32", Accept), rule(3, "10.40.0.0/16", Drop)])), Err(Some(2)));
    assert_eq!(line(&out(vec![rule(2, "10.50.0.0/16", Drop)])), Err(Some(1)));
    let udp = FilterRule { protocol: Some("udp".into()), ..rule(2, "10.40.0.0/16", Drop) };
    assert_eq!(line(&out(vec![udp])), Err(Some(1)));
}

#[test]
fn a_condition_that_nobody_can_see_leaves_it_open() {
    let of_a_user = FilterRule { conditional: true, ..rule(2, "10.40.0.0/16", Drop) };
    assert_eq!(line(&of(vec![chain("output", Some("output"), Accept, vec![of_a_user.clone()])])), Err(None));
    assert_eq!(line(&of(vec![chain("output", Some("output"), Accept, vec![of_a_user, rule(3, "10.40.0.0/16", Drop)])])), Ok(3));
}

#[test]
fn jumps_come_back_and_policies_end_the_chain() {
    let chains = vec![
        chain("output", Some("output"), Drop, vec![rule(2, "0.0.0.0/0", Jump("egress".into())), rule(3, "10.40.8.10/32", Accept)]),
        chain("egress", None, Accept, vec![rule(5, "10.40.0.0/16", Return), rule(6, "0.0.0.0/0", Drop)]),
    ];
    assert_eq!(line(&of(chains)), Err(Some(3)));
    assert_eq!(line(&of(vec![chain("output", Some("output"), Drop, vec![])])), Ok(1));
    assert_eq!(line(&of(vec![chain("output", Some("output"), Accept, vec![rule(2, "0.0.0.0/0", Jump("output".into()))])])), Err(None));
}

#[test]
fn every_chain_on_the_way_out_must_let_it_pass() {
    let passes = chain("a", Some("output"), Accept, vec![]);
    let drops = chain("b", Some("output"), Accept, vec![rule(4, "0.0.0.0/0", Drop)]);
    let inward = chain("c", Some("input"), Drop, vec![]);
    assert_eq!(line(&of(vec![passes.clone(), drops])), Ok(4));
    assert_eq!(line(&of(vec![passes, inward.clone()])), Err(Some(1)));
    assert!(fate(&of(vec![inward]), "10.40.8.10".parse().unwrap(), 443).is_none());
}
