//! What do several dumps of one object say together? One object a key, and nothing in it that two of them contradict.

use std::collections::BTreeSet;

use super::{Ages, Ranges, agreed, join, ranges};
use crate::facts::network::{EffectiveRoute, EffectiveTable, SecurityGroup, SecurityRule};
use crate::facts::registry::{Registry, Said};
use crate::facts::{Facts, Of, Owner};

pub(super) fn settle(facts: &mut Facts, ages: &Ages<'_>) {
    places(facts, ages);
    peerings(facts, ages);
    gateways(facts, ages);
    rules(facts, ages);
    registries(&mut facts.estate.registries);
}

/// The first dump stands for all of them; `told` is then joined from all.
macro_rules! first_of {
    ($dumps:ident, |$out:ident| $body:block) => {{
        let Some(mut $out) = $dumps.first().cloned() else { return $dumps };
        $body
        vec![$out]
    }};
}

fn places(facts: &mut Facts, ages: &Ages<'_>) {
    let networks = &mut facts.networks;
    join(
        &mut networks.networks,
        ages,
        |n| Some(n.key.clone()),
        |n| &n.source,
        |dumps, dated| {
            first_of!(dumps, |out| {
                out.prefixes = ranges(dumps.iter().map(|n| &n.prefixes)).any(dated);
                out.dns_servers = agreed(dumps.iter().map(|n| &n.dns_servers), dated, "vnet");
                out.subnets_told = dumps.iter().any(|n| n.subnets_told);
            })
        },
    );
    join(
        &mut networks.subnets,
        ages,
        |s| Some(s.key.clone()),
        |s| &s.source,
        |dumps, dated| {
            first_of!(dumps, |out| {
                out.prefixes = ranges(dumps.iter().map(|s| &s.prefixes)).any(dated);
                out.route_table = agreed(dumps.iter().map(|s| &s.route_table), dated, "vnet");
                out.security_group = agreed(dumps.iter().map(|s| &s.security_group), dated, "vnet");
                out.translation = agreed(dumps.iter().map(|s| &s.translation), dated, "vnet");
                out.service_endpoints = agreed(dumps.iter().map(|s| &s.service_endpoints), dated, "vnet");
                out.filters_endpoints = agreed(dumps.iter().map(|s| &s.filters_endpoints), dated, "vnet");
            })
        },
    );
    join(
        &mut networks.interfaces,
        ages,
        |i| Some(i.key.clone()).filter(|k| !k.is_empty()),
        |i| &i.source,
        |dumps, dated| {
            first_of!(dumps, |out| {
                let addresses = |i: &crate::facts::network::Interface| i.addresses.iter().map(|(a, _)| *a).collect::<BTreeSet<_>>();
                if dated {
                    out.addresses = dumps.last().map(|i| i.addresses.clone()).unwrap_or_default();
                    out.subnet = dumps.last().and_then(|i| i.subnet.clone());
                    out.network = dumps.last().and_then(|i| i.network.clone());
                } else if dumps.iter().any(|i| addresses(i) != addresses(&out) || i.subnet != out.subnet) {
                    out.addresses = dumps.iter().flat_map(|i| i.addresses.iter().cloned()).collect();
                    out.subnet = out.subnet.filter(|s| dumps.iter().all(|i| i.subnet.as_ref() == Some(s)));
                    out.network = out.network.filter(|n| dumps.iter().all(|i| i.network.as_ref() == Some(n)));
                }
                out.security_group = agreed(dumps.iter().map(|i| &i.security_group), dated, "nic");
                out.dns_servers = agreed(dumps.iter().map(|i| &i.dns_servers), dated, "nic");
                out.forwards = agreed(dumps.iter().map(|i| &i.forwards), dated, "nic");
                out.is_endpoint = dumps.iter().any(|i| i.is_endpoint);
            })
        },
    );
}

fn peerings(facts: &mut Facts, ages: &Ages<'_>) {
    let networks = &mut facts.networks;
    let mut doubted: BTreeSet<String> = BTreeSet::new();
    join(
        &mut networks.peerings,
        ages,
        |p| Some(p.id.to_lowercase()),
        |p| &p.source,
        |dumps, dated| {
            first_of!(dumps, |out| {
                let of = |flag: fn(&crate::facts::network::Peering) -> &crate::facts::Known<bool>| agreed(dumps.iter().map(flag), dated, "vnet-peerings");
                out.state = agreed(dumps.iter().map(|p| &p.state), dated, "vnet-peerings");
                out.sync = agreed(dumps.iter().map(|p| &p.sync), dated, "vnet-peerings");
                out.allows_access = of(|p| &p.allows_access);
                out.allows_forwarded = of(|p| &p.allows_forwarded);
                out.offers_gateway = of(|p| &p.offers_gateway);
                out.uses_remote_gateway = of(|p| &p.uses_remote_gateway);
                out.of_whole_networks = dumps.iter().all(|p| p.of_whole_networks);
                out.remote_has = ranges(dumps.iter().map(|p| &p.remote_has)).any(dated);
                let carries = ranges(dumps.iter().map(|p| &p.carries));
                let apart = matches!(carries, Ranges::Apart(_));
                out.carries = if apart && !dated { Vec::new() } else { carries.any(dated) };
                if apart {
                    out.sync = crate::facts::Known::NotCollected("vnet-peerings");
                }
                // A route that is computed from it would be one of another hour.
                let told_apart = dumps.iter().any(|p| p.state.seen().is_some() != out.state.seen().is_some() && p.state.seen().is_some());
                if apart || told_apart {
                    doubted.insert(out.network.clone());
                }
            })
        },
    );
    for network in doubted {
        networks.peerings_told.remove(&network);
    }
}

fn gateways(facts: &mut Facts, ages: &Ages<'_>) {
    let networks = &mut facts.networks;
    join(
        &mut networks.gateways,
        ages,
        |g| Some(g.key.clone()),
        |g| &g.source,
        |dumps, dated| {
            first_of!(dumps, |out| {
                let size = |g: &crate::facts::network::Gateway| g.size.as_ref().map(|(size, _)| size.to_lowercase());
                out.size = out.size.clone().filter(|_| dumps.iter().all(|g| g.size.is_none() || size(g) == size(&out)));
                out.network = dumps.iter().find_map(|g| g.network.clone());
                out.learns = agreed(dumps.iter().map(|g| &g.learns), dated, "vnet-gateway");
            })
        },
    );
    join(
        &mut networks.tunnels,
        ages,
        |t| Some(format!("{} {}", t.name.to_lowercase(), t.gateway.as_deref()?)),
        |t| &t.source,
        |dumps, dated| {
            first_of!(dumps, |out| {
                out.state = agreed(dumps.iter().map(|t| &t.state), dated, "vpn-connections");
                out.learns = agreed(dumps.iter().map(|t| &t.learns), dated, "vpn-connections");
                out.far_end = out.far_end.filter(|far| dumps.iter().all(|t| t.far_end.as_ref() == Some(far)));
            })
        },
    );
    join(
        &mut networks.local_gateways,
        ages,
        |l| Some(l.key.clone()),
        |l| &l.source,
        |dumps, _| {
            first_of!(dumps, |out| {
                let (common, alike) = ranges(dumps.iter().map(|l| &l.prefixes)).common();
                out.prefixes = common;
                out.whole = alike && dumps.iter().any(|l| l.whole);
            })
        },
    );
}

fn rules(facts: &mut Facts, ages: &Ages<'_>) {
    let networks = &mut facts.networks;
    join(
        &mut networks.route_tables,
        ages,
        |t| Some(t.key.clone()),
        |t| &t.source,
        |dumps, dated| {
            first_of!(dumps, |out| {
                let row = |r: &EffectiveRoute| (r.prefix, r.next_hop_type.to_lowercase(), r.next_hop.clone());
                let sets: Vec<(BTreeSet<_>, bool)> = dumps.iter().map(|t| (t.routes.iter().map(row).collect(), t.whole)).collect();
                let told = dumps.iter().filter(|t| !t.routes.is_empty() || t.whole);
                if dated && let Some(newest) = told.clone().next_back().filter(|t| t.whole) {
                    out.routes.clone_from(&newest.routes);
                    out.tags.clone_from(&newest.tags);
                } else if let Some(whole) = told.clone().find(|t| t.whole) {
                    out.routes.clone_from(&whole.routes);
                    out.tags.clone_from(&whole.tags);
                } else {
                    out.routes = dumps.iter().flat_map(|t| t.routes.iter().cloned()).collect();
                    out.tags = dumps.iter().flat_map(|t| t.tags.iter().cloned()).collect();
                }
                out.whole = dumps.iter().any(|t| t.whole) && (dated || alike(&sets));
                out.takes_gateway_routes = agreed(dumps.iter().map(|t| &t.takes_gateway_routes), dated, "route-table");
                out.subnets = dumps.iter().flat_map(|t| t.subnets.iter().cloned()).collect();
            })
        },
    );
    join(
        &mut networks.groups,
        ages,
        |g| Some(g.key.clone()).filter(|k| !k.is_empty()),
        |g| &g.source,
        |dumps, dated| {
            first_of!(dumps, |out| {
                let sets: Vec<(BTreeSet<String>, bool)> =
                    dumps.iter().map(|g| (g.rules.iter().filter(|r| r.priority < 65_000).map(said).collect(), g.whole)).collect();
                // Defaults stand in some dumps of a group and not in others, and are known.
                let richest = dumps.iter().filter(|g| g.whole).max_by_key(|g| g.rules.len());
                let chosen = if dated { dumps.iter().rfind(|g| g.whole) } else { richest }.unwrap_or(&out).clone();
                let agree = alike(&sets);
                let (subnets, interfaces) = (dumps.iter().flat_map(|g| g.subnets.clone()).collect(), dumps.iter().flat_map(|g| g.interfaces.clone()).collect());
                let source = out.source.clone();
                out = SecurityGroup { whole: chosen.whole && (agree || dated), doubted: !agree, subnets, interfaces, source, ..chosen };
            })
        },
    );
}

/// Whether sets that are whole are one, and those that are not lie in it.
fn alike<T: Ord>(sets: &[(BTreeSet<T>, bool)]) -> bool {
    let Some((first, _)) = sets.iter().find(|(_, whole)| *whole) else { return true };
    sets.iter().all(|(set, whole)| if *whole { set == first } else { set.is_subset(first) })
}

/// Everything that a rule decides by.
fn said(rule: &SecurityRule) -> String {
    let mut from: Vec<String> = rule.from.iter().map(|p| format!("{p:?}").to_lowercase()).collect();
    let mut to: Vec<String> = rule.to.iter().map(|p| format!("{p:?}").to_lowercase()).collect();
    from.sort();
    to.sort();
    format!("{} {:?} {:?} {} {:?} {from:?} {to:?}", rule.priority, rule.direction, rule.access, rule.tcp, rule.ports)
}

/// A value that a registry may tell.
type Part<T> = fn(&mut Registry) -> &mut Option<Said<T>>;
/// A list that it may tell.
type Entries = Option<Vec<Said<String>>>;

/// A registry is told in parts; where two parts contradict, neither counts.
fn registries(all: &mut [Registry]) {
    let same = |one: &Registry, other: &Registry| one.id.is_some() && one.id == other.id || one.name == other.name;
    let flags: [Part<bool>; 5] =
        [|r| &mut r.public_access, |r| &mut r.default_allows, |r| &mut r.by_repository, |r| &mut r.anonymous_pull, |r| &mut r.dedicated_data];
    for at in 0..all.len() {
        for other in at + 1..all.len() {
            let Some((head, tail)) = all.split_at_mut_checked(other) else { continue };
            let (Some(one), Some(two)) = (head.get_mut(at), tail.first_mut()) else { continue };
            if !same(one, two) {
                continue;
            }
            for flag in flags {
                let differ = matches!((&*flag(one), &*flag(two)), (Some((a, _)), Some((b, _))) if a != b);
                if differ {
                    *flag(one) = None;
                    *flag(two) = None;
                }
            }
            let set = |list: &Entries| list.as_ref().map(|list| list.iter().map(|(entry, _)| entry.clone()).collect::<BTreeSet<_>>());
            let lists: [fn(&mut Registry) -> &mut Entries; 2] = [|r| &mut r.allowed, |r| &mut r.allowed_subnets];
            for list in lists {
                if matches!((set(list(one)), set(list(two))), (Some(a), Some(b)) if a != b) {
                    *list(one) = None;
                    *list(two) = None;
                }
            }
        }
    }
}

/// Dumps of what is in force on one interface.
pub(super) fn settle_effective(facts: &mut Facts, ages: &Ages<'_>) {
    let of = |owner: &Owner| match owner {
        Owner::Node { name, guessed: false } => Some(name.to_lowercase()),
        _ => None,
    };
    let table = |t: &Of<EffectiveTable>| {
        Some(format!("{} {}", of(&t.owner).unwrap_or_default(), t.value.interface.as_deref().unwrap_or_default()).to_lowercase()).filter(|k| k.len() > 1)
    };
    join(
        &mut facts.effective_routes,
        ages,
        table,
        |t| &t.source,
        |mut dumps, dated| {
            let set = |t: &Of<EffectiveTable>| {
                t.value.routes.iter().filter(|r| r.active).map(|r| (r.prefix, r.next_hop_type.to_lowercase(), r.next_hop.clone())).collect::<BTreeSet<_>>()
            };
            let differ = dumps.iter().any(|t| dumps.first().is_some_and(|first| set(t) != set(first)));
            if dated && differ {
                dumps.drain(..dumps.len().saturating_sub(1));
                dumps.iter_mut().for_each(|newest| newest.value.doubted = true);
            }
            dumps
        },
    );
    let dump = |d: &Of<Vec<SecurityGroup>>| {
        let mut on: Vec<String> = d.value.iter().map(|g| format!("{} {:?} {:?}", g.key, g.subnets, g.interfaces).to_lowercase()).collect();
        on.sort();
        (of(&d.owner).is_some() || d.value.iter().any(|g| !g.interfaces.is_empty() || !g.subnets.is_empty())).then(|| format!("{:?} {on:?}", of(&d.owner)))
    };
    join(
        &mut facts.networks.effective_groups,
        ages,
        dump,
        |d| &d.source,
        |dumps, dated| {
            let set = |d: &Of<Vec<SecurityGroup>>| d.value.iter().flat_map(|g| &g.rules).filter(|r| r.priority < 65_000).map(said).collect::<BTreeSet<_>>();
            let differ = dumps.iter().any(|d| dumps.first().is_some_and(|first| set(d) != set(first)));
            if !differ {
                return dumps;
            }
            let Some(mut out) = (if dated { dumps.into_iter().next_back() } else { dumps.into_iter().next() }) else { return Vec::new() };
            for group in &mut out.value {
                group.whole &= dated;
                group.doubted = true;
            }
            vec![out]
        },
    );
}
