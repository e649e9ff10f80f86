//! What happens to the packet beyond the node: security rules, routes of the subnet, peerings, gateways, and the way back?

use super::{At, End, Step};
use crate::facts::Known;
use crate::network::is_private;
use crate::network::path::Path;
use crate::network::security::Judged;

/// Every step that the route makes sense of.
pub(super) fn steps(path: &Path<'_>, port: u16, steps: &mut Vec<Step>) {
    steps.push(rules("security-rules-out", path.rules_out(port)));
    let route = path.route();
    steps.push(effective_route(path, &route));
    let kind = route.seen().map_or_else(String::new, |r| r.next_hop_type.to_ascii_lowercase());
    let is_in = |kinds: &[&str]| kinds.contains(&kind.as_str());
    let private = is_private(path.address);
    if is_in(&["virtualappliance"]) {
        steps.push(Step::of("appliance", path.appliance_forwards(), "the appliance forwards", "the appliance does not forward"));
        steps.push(Step::of(
            "peering",
            path.takes_forwarded(),
            "the peerings take what the appliance forwards",
            "a peering refuses what the appliance forwards",
        ));
    }
    if is_in(&["vnetpeering", "vnetglobalpeering", "globalvnetpeering"]) {
        steps.push(Step::of("peering", path.is_connected(), "the peering is connected on both sides", "the peering is not connected"));
    }
    // Where no route leads on, peering and gateway say why.
    let nowhere = private && (kind.is_empty() || is_in(&["none", "internet"]));
    if nowhere && path.leads_to_another_network() {
        steps.push(Step::of("peering", path.is_peered(), "a peering joins the two networks", "no peering joins the two networks"));
    } else if nowhere || is_in(&["virtualnetworkgateway"]) {
        beyond_gateway(path, steps);
    }
    if private {
        steps.push(rules("security-rules-in", path.rules_in(port)));
        if !is_in(&["vnetlocal", "interfaceendpoint"]) {
            steps.push(Step::of(
                "return-route",
                path.way_back(),
                "the far side routes the node's address back",
                "the far side has no route back to the node's address",
            ));
        }
    }
}

fn beyond_gateway(path: &Path<'_>, steps: &mut Vec<Step>) {
    let (hubs, _) = path.hubs();
    if !matches!(hubs.as_slice(), [only] if only.link.is_none()) {
        let yes = "the peering lets the node's network use the hub's gateway";
        steps.push(Step::of("peering", path.gives_gateway(), yes, "the peering does not let the node's network use the hub's gateway"));
    }
    steps.push(match hubs.first() {
        Some(hub) => Step::passed("gateway", format!("the gateway {}", hub.gateway.name), crate::facts::Evidence::of(&hub.gateway.source)),
        None => Step::unknown("gateway", "vnet-gateway"),
    });
    steps.push(Step::of("connection", path.tunnel_is_connected(), "the connection of the gateway is up", "the connection of the gateway is down"));
    steps.push(Step::of("remote-prefix", path.gateway_knows(), "the gateway has a route to the address", "the gateway has no route to the address"));
}

fn rules(at: &'static str, judged: Judged) -> Step {
    match judged {
        Judged::Allowed(Some(rule), evidence) => Step::passed(at, format!("{rule} lets it through"), evidence).by(At::Rule(rule, true)),
        Judged::Allowed(None, evidence) => Step::passed(at, "no rule stands against it", evidence),
        Judged::Denied(rule, evidence) => Step::failed(at, End::Dropped, format!("{rule} drops it"), evidence).by(At::Rule(rule, false)),
        Judged::Unknown(artefact) => Step::unknown(at, artefact),
    }
}

fn effective_route(path: &Path<'_>, route: &Known<crate::facts::EffectiveRoute>) -> Step {
    const AT: &str = "effective-route";
    match route {
        Known::Seen(row, evidence) => {
            let kind = row.next_hop_type.to_ascii_lowercase();
            let says = format!("the route {} of the node's subnet leads to {}", row.prefix, row.next_hop_type);
            let step = match kind.as_str() {
                "none" => Step::failed(AT, End::Dropped, format!("the route {} of the node's subnet leads nowhere", row.prefix), evidence.clone()),
                "internet" if is_private(path.address) => Step::failed(AT, End::Dropped, format!("{says}, where no private address is"), evidence.clone()),
                _ => Step::passed(AT, says, evidence.clone()),
            };
            step.by(At::Route(row.clone()))
        }
        Known::Absent(evidence) => Step::failed(AT, End::Unreachable, "no route of the node's subnet covers it", evidence.clone()),
        Known::NotCollected(artefact) => Step::unknown(AT, artefact),
    }
}
