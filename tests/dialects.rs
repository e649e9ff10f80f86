//! Does a cloud's object say the same in whatever dialect a tool prints it? The same facts, but for where they stand.

use serde_json::{Map, Value, json};
use underpod::Question;

use crate::support::Scratch;

const NETWORK: &str = "/subscriptions/s-1/resourceGroups/rg/providers/Microsoft.Network";

/// Objects of every kind that tells of the way, as the service itself gives them.
fn objects() -> Vec<(&'static str, Vec<Value>)> {
    let vnet = format!("{NETWORK}/virtualNetworks/web");
    let object = |kind: &str, name: &str, properties: Value| {
        let mut properties = properties;
        properties["provisioningState"] = json!("Succeeded");
        json!({"id": format!("{NETWORK}/{kind}/{name}"), "name": name, "type": format!("Microsoft.Network/{kind}"), "properties": properties})
    };
    let inner = |of: &str, kind: &str, name: &str, mut properties: Value| {
        properties["provisioningState"] = json!("Succeeded");
        json!({"id": format!("{of}/{kind}/{name}"), "name": name, "properties": properties})
    };
    let rule = inner(
        &format!("{NETWORK}/networkSecurityGroups/nsg"),
        "securityRules",
        "deny",
        json!({"priority": 200, "direction": "Outbound", "access": "Deny",
        "protocol": "Tcp", "sourceAddressPrefix": "*", "sourcePortRange": "*", "destinationAddressPrefixes": ["10.1.0.0/16", "10.2.0.0/16"], "destinationPortRanges": ["443", "8000-8010"]}),
    );
    vec![
        (
            "vnet",
            vec![
                object(
                    "virtualNetworks",
                    "web",
                    json!({"addressSpace": {"addressPrefixes": ["10.64.0.0/16"]}, "dhcpOptions": {"dnsServers": ["10.60.0.4"]},
                "subnets": [inner(&vnet, "subnets", "nodes", json!({"addressPrefix": "10.64.2.0/24", "routeTable": {"id": format!("{NETWORK}/routeTables/rt")}, "privateEndpointNetworkPolicies": "Disabled"}))],
                "virtualNetworkPeerings": [inner(&vnet, "virtualNetworkPeerings", "to-core", json!({"peeringState": "Connected", "peeringSyncLevel": "FullyInSync", "allowVirtualNetworkAccess": true,
                    "allowForwardedTraffic": false, "allowGatewayTransit": false, "useRemoteGateways": true, "remoteVirtualNetwork": {"id": format!("{NETWORK}/virtualNetworks/core")},
                    "remoteAddressSpace": {"addressPrefixes": ["10.60.0.0/16"]}}))]}),
                ),
                object("virtualNetworks", "other", json!({"addressSpace": {"addressPrefixes": ["10.65.0.0/16", "10.66.0.0/16"]}, "subnets": []})),
            ],
        ),
        (
            "route-table",
            vec![object(
                "routeTables",
                "rt",
                json!({"disableBgpRoutePropagation": true, "subnets": [{"id": format!("{vnet}/subnets/nodes")}],
            "routes": [inner(&format!("{NETWORK}/routeTables/rt"), "routes", "all", json!({"addressPrefix": "0.0.0.0/0", "nextHopType": "VirtualAppliance", "nextHopIpAddress": "10.60.0.68"}))]}),
            )],
        ),
        ("nsg", vec![object("networkSecurityGroups", "nsg", json!({"securityRules": [rule], "subnets": [{"id": format!("{vnet}/subnets/nodes")}]}))]),
        (
            "gateway",
            vec![object(
                "virtualNetworkGateways",
                "vgw",
                json!({"gatewayType": "Vpn", "vpnType": "RouteBased", "enableBgp": false, "sku": {"name": "VpnGw1"},
            "ipConfigurations": [{"properties": {"subnet": {"id": format!("{NETWORK}/virtualNetworks/core/subnets/GatewaySubnet")}}}]}),
            )],
        ),
        (
            "connection",
            vec![
                object(
                    "connections",
                    "cn",
                    json!({"connectionStatus": "Connected", "connectionType": "IPsec", "enableBgp": false,
            "virtualNetworkGateway1": {"id": format!("{NETWORK}/virtualNetworkGateways/vgw")}, "localNetworkGateway2": {"id": format!("{NETWORK}/localNetworkGateways/dc")}}),
                ),
                object("connections", "cn2", json!({"connectionStatus": "NotConnected", "connectionType": "IPsec", "enableBgp": true})),
            ],
        ),
        (
            "local-gateway",
            vec![object(
                "localNetworkGateways",
                "dc",
                json!({"gatewayIpAddress": "203.0.113.9", "localNetworkAddressSpace": {"addressPrefixes": ["10.40.0.0/16", "10.41.0.0/16"]}}),
            )],
        ),
        (
            "nic",
            vec![object(
                "networkInterfaces",
                "probe",
                json!({"enableIPForwarding": false, "ipConfigurations": [{"name": "c", "properties": {"privateIPAddress": "10.64.2.9", "subnet": {"id": format!("{vnet}/subnets/nodes")}}}]}),
            )],
        ),
        (
            "routes",
            vec![
                json!({"addressPrefix": ["10.64.0.0/16", "10.65.0.0/16"], "nextHopType": "VnetLocal", "nextHopIpAddress": [], "source": "Default", "state": "Active"}),
                json!({"addressPrefix": ["10.40.0.0/16"], "nextHopType": "VirtualNetworkGateway", "nextHopIpAddress": ["10.60.0.4", "10.60.0.5"], "source": "VirtualNetworkGateway", "state": "Active"}),
            ],
        ),
        (
            "learned",
            vec![json!({"network": "10.40.0.0/16", "nextHop": "10.60.0.4", "origin": "EBgp", "sourcePeer": "10.60.0.4", "asPath": "65010", "weight": 32768})],
        ),
    ]
}

/// `properties` among an object's own keys, at every depth.
fn flat(value: &Value) -> Value {
    match value {
        Value::Object(map) => {
            let mut out = Map::new();
            for (key, value) in map {
                match (key.as_str(), flat(value)) {
                    ("properties", Value::Object(inner)) => out.extend(inner),
                    (_, value) => {
                        out.insert(key.clone(), value);
                    }
                }
            }
            Value::Object(out)
        }
        Value::Array(items) => items.iter().map(flat).collect(),
        other => other.clone(),
    }
}

/// Every key renamed, at every depth.
fn renamed(value: &Value, name: &dyn Fn(&str) -> String) -> Value {
    match value {
        Value::Object(map) => map.iter().map(|(k, v)| (name(k), renamed(v, name))).collect(),
        Value::Array(items) => items.iter().map(|v| renamed(v, name)).collect(),
        other => other.clone(),
    }
}

/// Keys that a tool adds to each object with an id, with or without a value.
fn with_more(value: &Value, more: &[(&str, Value)]) -> Value {
    match value {
        Value::Object(map) => {
            let mut out: Map<String, Value> = map.iter().map(|(k, v)| (k.clone(), with_more(v, more))).collect();
            for (key, value) in more.iter().filter(|_| map.contains_key("id")) {
                out.insert((*key).to_owned(), value.clone());
            }
            Value::Object(out)
        }
        Value::Array(items) => items.iter().map(|v| with_more(v, more)).collect(),
        other => other.clone(),
    }
}

fn pascal(key: &str) -> String {
    let mut letters = key.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn dialects(objects: &[Value]) -> Vec<(&'static str, String)> {
    let raw = Value::Array(objects.to_vec());
    let cli = with_more(&flat(&raw), &[("resourceGroup", json!("rg"))]);
    let sdk = renamed(&with_more(&flat(&raw), &[("natGateway", Value::Null), ("customBgpAddresses", Value::Null), ("tags", Value::Null)]), &|k| {
        k.replace("IPAddress", "IpAddress").replace("enableIP", "enableIp")
    });
    let old = with_more(&sdk, &[("additionalProperties", json!({})), ("etag", json!("W/\"1\""))]);
    let graph = renamed(&json!({"count": objects.len(), "data": raw, "skip_token": null, "total_records": objects.len()}), &|k| k.to_owned());
    vec![
        ("cli", serde_json::to_string_pretty(&cli).unwrap()),
        ("one line", cli.to_string()),
        ("sdk", serde_json::to_string_pretty(&sdk).unwrap()),
        ("old", serde_json::to_string_pretty(&old).unwrap()),
        ("rest", serde_json::to_string_pretty(&json!({"value": raw})).unwrap()),
        ("graph", serde_json::to_string_pretty(&graph).unwrap()),
        ("powershell", serde_json::to_string_pretty(&renamed(&flat(&raw), &pascal)).unwrap()),
        ("with a warning", format!("WARNING: a preview\n{}", serde_json::to_string_pretty(&cli).unwrap())),
        ("with a mark", format!("\u{feff}{}", serde_json::to_string_pretty(&cli).unwrap())),
        ("yaml", serde_yaml::to_string(&cli).unwrap()),
    ]
}

/// What was read, without where it stands and in what case an id is written.
fn facts(name: &str, text: &str) -> String {
    let scratch = Scratch::new("dialects");
    let path = scratch.write(&format!("{name}.txt"), text);
    let facts = underpod::read(&[path.to_string_lossy().into_owned()], &Question::default()).unwrap();
    let told = format!("{:?} {:?}", facts.networks, facts.effective_routes);
    let mut out = String::new();
    let mut rest = told.as_str();
    while let Some((before, after)) = rest.split_once("Source {") {
        out.push_str(before);
        let quoted = after.split_once("excerpt: \"").map_or("", |(_, q)| q);
        let mut end = 0;
        let bytes = quoted.as_bytes();
        while end < bytes.len() && bytes[end] != b'"' {
            end += if bytes[end] == b'\\' { 2 } else { 1 };
        }
        rest = quoted.get(end..).and_then(|q| q.split_once('}')).map_or("", |(_, r)| r);
    }
    out + rest
}

#[test]
fn an_object_says_the_same_in_every_dialect() {
    for (name, objects) in objects() {
        let forms = dialects(&objects);
        let wanted = facts(name, &forms[0].1);
        assert!(wanted.len() > 400, "{name}: nothing was read: {wanted}");
        for (dialect, text) in &forms[1..] {
            assert_eq!(facts(name, text), wanted, "{name} in the dialect {dialect}:\n{text}");
        }
    }
}

#[test]
fn what_is_no_dump_is_none() {
    let empty = facts("x", "");
    for text in [
        "ERROR: (ResourceNotFound) The Resource 'Microsoft.Network/virtualNetworks/web' was not found.\nCode: ResourceNotFound\nMessage: not found\n",
        "[]",
        "{\"value\": []}",
        "null",
        "{\"kind\": \"ConfigMap\", \"apiVersion\": \"v1\", \"metadata\": {\"name\": \"x\"}, \"data\": {\"peeringState\": \"Connected\", \"addressPrefix\": \"10.0.0.0/8\"}}",
        "{\"apiVersion\": \"v1\", \"kind\": \"List\", \"items\": [{\"apiVersion\": \"network.example/v1\", \"kind\": \"Route\", \"addressPrefix\": \"10.0.0.0/8\", \"nextHopType\": \"None\"}]}",
    ] {
        assert_eq!(facts("x", text), empty, "{text}");
    }
}
