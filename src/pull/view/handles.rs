//! By which names do commands call the things of this pull, so that a command can be copied as it stands?
//!
//! Commands in rules carry gaps such as `<ns>`. A gap is filled only where the bundle leaves one answer; what several things
//! could be stays a gap. Gaps that mean something else in another command are told apart by the words beside them.

use super::authenticate::first_secret;
use super::estate::{cloud_name, registries};
use super::proxy::address as proxy_address;
use super::roles::{cluster, kubelet};
use super::servers::node_network;
use super::{Asked, Value, request, zones};
use crate::facts::Known;
use crate::message::Endpoint;

/// A gap, with the words beside it that give it its meaning, and what fills it.
pub type Handle = (&'static str, String);

/// The gaps of this pull's commands that the bundle fills; longer ones first, since they hold shorter ones.
pub fn of(a: &Asked<'_>, command: &str) -> Vec<Handle> {
    let mut out: Vec<Handle> = Vec::new();
    let mut say = |gap: &'static str, value: Option<String>| out.extend(value.map(|v| (gap, v)));
    if command.contains("az ") {
        azure(a, &mut say);
    } else {
        // Azure's own commands want the registry's short name, not its host.
        say("<registry>", a.pull.reference.as_ref().map(|r| r.host.clone()));
    }
    let (pod_ns, pod) = a.pull.pods.iter().next().and_then(|p| p.split_once('/')).unzip();
    say("<ns>", pod_ns.map(str::to_owned));
    say("<namespace>", pod_ns.map(str::to_owned));
    say("<pod>", pod.map(str::to_owned));
    say("<secret>", first_secret(a));
    say("<address of the node>", a.home().addresses.first().map(|address| address.to_string()));
    say("<node>", a.pull.node.clone());
    let proxy = match proxy_address(a) {
        Known::Seen(Value::Text(address), _) => Some(address),
        _ => None,
    };
    say("<proxy>:<port>", proxy);
    say("<mirror>", a.stop.host.clone().filter(|_| a.stop.endpoint == Some(Endpoint::Mirror)));
    let registry = a.pull.reference.as_ref().map(|r| r.host.clone());
    say("<host>", a.stop.host.clone().filter(|_| !super::proxy::is_proxy_itself(a)).or(registry));
    say("<port>", a.stop.port.map(|p| p.to_string()));
    say("<resolver>", a.stop.resolver.map(|r| r.to_string()));
    say("<image>", text(request::written(a)));
    let reference = a.pull.reference.as_ref();
    say("<repository>", reference.map(|r| r.repository.clone()));
    say("<repo>", reference.map(|r| r.repository.clone()));
    say("<tag>", reference.and_then(|r| r.tag.clone()));
    say("<digest>", reference.and_then(|r| r.digest.clone()));
    out
}

fn azure(a: &Asked<'_>, say: &mut impl FnMut(&'static str, Option<String>)) {
    let cluster_id = cluster(a).map(|c| c.id.as_str());
    if let Some((group, name)) = cluster_id.and_then(group_and_name) {
        say("-g <rg> -n <cluster>", Some(format!("-g {group} -n {name}")));
        say("-g <rg> --cluster-name <cluster>", Some(format!("-g {group} --cluster-name {name}")));
    }
    let subnet = a.home().subnet.as_deref().and_then(|s| s.rsplit('/').next()).map(str::to_owned);
    if let Some((group, name)) = node_network(a).seen().and_then(|n| group_and_name(n)) {
        let subnet = subnet.map(|s| format!("-g {group} --vnet-name {name} -n {s}"));
        say("-g <rg> --vnet-name <vnet> -n <subnet>", subnet);
        say("-g <rg> --vnet-name <vnet>", Some(format!("-g {group} --vnet-name {name}")));
        say("-g <rg> -n <vnet>", Some(format!("-g {group} -n {name}")));
    }
    if let Some((group, name)) = zones::only_id(a).as_deref().and_then(group_and_name) {
        say("-g <rg of the zone> -z <zone>", Some(format!("-g {group} -z {name}")));
        say("-g <rg> -z <zone>", Some(format!("-g {group} -z {name}")));
        say("<rg of the zone>", Some(group.to_owned()));
    }
    say("<kubelet objectId>", kubelet(a).map(|(id, _)| id.clone()));
    say("<registry id>", registries(a).find_map(|r| r.id.clone()));
    let short = registries(a).next().map(|r| r.name.clone());
    say("<registry>", short.or_else(|| cloud_name(a.pull.reference.as_ref()?.bare_host())));
    say("<pool>", a.pull.pool.clone());
}

/// The group and the name of a cloud's object, from its identifier.
fn group_and_name(id: &str) -> Option<(&str, &str)> {
    let (_, rest) = id.split_once("/resourcegroups/")?;
    Some((rest.split('/').next()?, id.rsplit('/').next()?)).filter(|(group, name)| !group.is_empty() && !name.is_empty())
}

fn text(known: Known<Value>) -> Option<String> {
    match known {
        Known::Seen(Value::Text(text), _) => Some(text),
        _ => None,
    }
}

/// Whether a value may stand in a command that somebody will copy: a bundle is a stranger's, and what its names hold could be
/// read by a shell.
pub fn is_plain(value: &str) -> bool {
    !value.is_empty() && !value.starts_with('-') && value.chars().all(|c| c.is_ascii_alphanumeric() || "._:/@%+=,-[]".contains(c))
}
