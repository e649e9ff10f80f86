//! What is an object of a cloud dump? Its type or id says so; what has neither is told by fields that only it has.

use super::id::ResourceId;
use super::tree::Value;

/// The kinds of objects that readers know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::readers) enum Kind {
    Network,
    Subnet,
    Peering,
    RouteTable,
    Route,
    EffectiveRoute,
    SecurityGroup,
    SecurityRule,
    EffectiveSecurityGroup,
    Gateway,
    Connection,
    LocalGateway,
    /// A row of a gateway's learned or advertised routes.
    GatewayRoute,
    /// A row of the routes at a circuit's edge.
    CircuitRoute,
    /// What Azure answers when it is asked where a packet would go.
    NextHop,
    BgpPeer,
    /// A network interface, of a machine or of an instance of a scale set.
    Interface,
    /// A machine, with its state where the dump tells it.
    Machine,
    NatGateway,
    PublicAddress,
    ServiceTags,
    Cluster,
    NodePool,
    PrivateZone,
    ZoneLink,
    RecordSet,
    ZoneGroup,
    PrivateEndpoint,
    ForwardingRuleset,
    ForwardingRule,
    ForwardingLink,
    InboundEndpoint,
    Registry,
    RegistryEndpoints,
    RegistryReplica,
    RegistryConnection,
    RegistryToken,
    RoleAssignment,
    Identity,
    /// A secret of an application, without its content.
    Credential,
    /// A figure over time.
    Metric,
    /// A node's own settings for the cloud.
    NodeSettings,
    /// A change that an activity log tells.
    Change,
    /// A group of machines, or the identities of one.
    ScaleSet,
    Firewall,
    FirewallPolicy,
    FirewallRules,
}

/// Types as ids and `type` name them, in lower case.
const TYPES: [(&str, Kind); 40] = [
    ("microsoft.network/virtualnetworks", Kind::Network),
    ("microsoft.network/virtualnetworks/subnets", Kind::Subnet),
    ("microsoft.network/virtualnetworks/virtualnetworkpeerings", Kind::Peering),
    ("microsoft.network/routetables", Kind::RouteTable),
    ("microsoft.network/routetables/routes", Kind::Route),
    ("microsoft.network/networksecuritygroups", Kind::SecurityGroup),
    ("microsoft.network/networksecuritygroups/securityrules", Kind::SecurityRule),
    ("microsoft.network/networksecuritygroups/defaultsecurityrules", Kind::SecurityRule),
    ("microsoft.network/virtualnetworkgateways", Kind::Gateway),
    ("microsoft.network/connections", Kind::Connection),
    ("microsoft.network/localnetworkgateways", Kind::LocalGateway),
    ("microsoft.network/networkinterfaces", Kind::Interface),
    ("microsoft.compute/virtualmachinescalesets/virtualmachines/networkinterfaces", Kind::Interface),
    ("microsoft.compute/virtualmachines", Kind::Machine),
    ("microsoft.network/natgateways", Kind::NatGateway),
    ("microsoft.network/publicipaddresses", Kind::PublicAddress),
    ("microsoft.containerservice/managedclusters", Kind::Cluster),
    ("microsoft.containerservice/managedclusters/agentpools", Kind::NodePool),
    ("microsoft.network/privatednszones", Kind::PrivateZone),
    ("microsoft.network/privatednszones/virtualnetworklinks", Kind::ZoneLink),
    ("microsoft.network/privatednszones/a", Kind::RecordSet),
    ("microsoft.network/privatednszones/aaaa", Kind::RecordSet),
    ("microsoft.network/privatednszones/cname", Kind::RecordSet),
    ("microsoft.network/privatednszones/soa", Kind::RecordSet),
    ("microsoft.network/privatednszones/txt", Kind::RecordSet),
    ("microsoft.network/privateendpoints", Kind::PrivateEndpoint),
    ("microsoft.network/privateendpoints/privatednszonegroups", Kind::ZoneGroup),
    ("microsoft.network/dnsforwardingrulesets", Kind::ForwardingRuleset),
    ("microsoft.network/dnsforwardingrulesets/forwardingrules", Kind::ForwardingRule),
    ("microsoft.network/dnsforwardingrulesets/virtualnetworklinks", Kind::ForwardingLink),
    ("microsoft.network/dnsresolvers/inboundendpoints", Kind::InboundEndpoint),
    ("microsoft.containerregistry/registries", Kind::Registry),
    ("microsoft.containerregistry/registries/replications", Kind::RegistryReplica),
    ("microsoft.containerregistry/registries/privateendpointconnections", Kind::RegistryConnection),
    ("microsoft.containerregistry/registries/tokens", Kind::RegistryToken),
    ("microsoft.authorization/roleassignments", Kind::RoleAssignment),
    ("microsoft.managedidentity/userassignedidentities", Kind::Identity),
    ("microsoft.compute/virtualmachinescalesets", Kind::ScaleSet),
    ("microsoft.network/azurefirewalls", Kind::Firewall),
    ("microsoft.network/firewallpolicies", Kind::FirewallPolicy),
];

/// Objects without a type or id, or shown without them: the keys that each must have, the most telling first.
const FIELDS: [(&[&str], Kind); 32] = [
    (&["network", "nextHop", "locPrf"], Kind::CircuitRoute),
    (&["effectiveSecurityRules", "networkSecurityGroup"], Kind::EffectiveSecurityGroup),
    (&["effectiveSecurityRules", "association"], Kind::EffectiveSecurityGroup),
    (&["nextHopType", "addressPrefix", "state"], Kind::EffectiveRoute),
    (&["nextHopType", "addressPrefix"], Kind::Route),
    (&["nextHopType", "routeTableId"], Kind::NextHop),
    (&["network", "nextHop", "origin"], Kind::GatewayRoute),
    (&["neighbor", "asn", "state"], Kind::BgpPeer),
    (&["peeringState", "remoteVirtualNetwork"], Kind::Peering),
    (&["access", "direction", "priority"], Kind::SecurityRule),
    (&["securityRules", "defaultSecurityRules"], Kind::SecurityGroup),
    (&["addressSpace", "subnets"], Kind::Network),
    (&["disableBgpRoutePropagation", "routes"], Kind::RouteTable),
    (&["connectionStatus", "virtualNetworkGateway1"], Kind::Connection),
    (&["localNetworkAddressSpace", "gatewayIpAddress"], Kind::LocalGateway),
    (&["gatewayType", "vpnType"], Kind::Gateway),
    (&["changeNumber", "cloud", "values"], Kind::ServiceTags),
    (&["ipConfigurations", "dnsSettings", "macAddress"], Kind::Interface),
    (&["agentPoolProfiles", "nodeResourceGroup"], Kind::Cluster),
    (&["loginServer", "dataEndpoints"], Kind::RegistryEndpoints),
    (&["loginServer", "sku"], Kind::Registry),
    (&["virtualNetworkLinkState", "virtualNetwork"], Kind::ZoneLink),
    (&["principalId", "roleDefinitionId", "scope"], Kind::RoleAssignment),
    (&["principalId", "roleDefinitionName", "scope"], Kind::RoleAssignment),
    (&["principalId", "userAssignedIdentities"], Kind::ScaleSet),
    (&["userAssignedIdentities", "type"], Kind::ScaleSet),
    (&["endDateTime", "keyId"], Kind::Credential),
    (&["timeseries", "unit", "name"], Kind::Metric),
    (&["useManagedIdentityExtension", "aadClientId"], Kind::NodeSettings),
    (&["operationName", "eventTimestamp", "resourceId"], Kind::Change),
    (&["privateDnsZoneConfigs"], Kind::ZoneGroup),
    (&["domainName", "targetDnsServers"], Kind::ForwardingRule),
];

/// The kind of an object; nothing where no reader knows it.
pub(in crate::readers) fn kind(object: &Value<'_>) -> Option<Kind> {
    let by_type = |wanted: &str| TYPES.iter().find(|(name, _)| *name == wanted).map(|(_, kind)| *kind);
    let told = object.text("type").map(str::to_lowercase);
    let told = told.as_deref().and_then(by_type).or_else(|| rules_of_a_policy(told.as_deref()?));
    let by_fields = || FIELDS.iter().find(|(keys, _)| keys.iter().all(|k| object.has(k))).map(|(_, kind)| *kind);
    told.or_else(|| {
        let id = object.id();
        let of_id = id.as_ref().and_then(|id: &ResourceId| by_type(id.kind()).or_else(|| rules_of_a_policy(id.kind())));
        // A reference says of which kind its resource is, and holds nothing of it.
        of_id.filter(|_| says_more_than_an_id(object))
    })
    .or_else(by_fields)
}

fn rules_of_a_policy(kind: &str) -> Option<Kind> {
    kind.starts_with("microsoft.network/firewallpolicies/rulecollectiongroups").then_some(Kind::FirewallRules)
}

fn says_more_than_an_id(object: &Value<'_>) -> bool {
    object.keys().any(|k| !["id", "resourceGroup", "name", "type"].iter().any(|r| k.eq_ignore_ascii_case(r)))
}

#[cfg(test)]
mod tests {
    use super::super::json;
    use super::*;

    #[test]
    fn type_id_and_fields_tell_the_kind() {
        let of = |text: &str| kind(&json::parse(text, 1).unwrap().root);
        let id = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/hub";
        assert_eq!(of(&format!(r#"{{"id": "{id}/subnets/a", "addressPrefix": "10.0.0.0/24"}}"#)), Some(Kind::Subnet));
        assert_eq!(of(&format!(r#"{{"id": "{id}"}}"#)), None);
        assert_eq!(of(&format!(r#"{{"id": "{id}", "type": "microsoft.network/virtualnetworks"}}"#)), Some(Kind::Network));
        assert_eq!(of(r#"{"AddressPrefix": ["10.0.0.0/8"], "NextHopType": "None", "State": "Active"}"#), Some(Kind::EffectiveRoute));
        assert_eq!(of(r#"{"kind": "Pod", "metadata": {"name": "x"}}"#), None);
    }
}
