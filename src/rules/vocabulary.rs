//! Which facts may a rule name? Every name with its type, its meaning, and where its value comes from.

use crate::facts::Known;
use crate::pull::view::{Asked, Value, authenticate, cache, connect, request, resolve, tls, words};

/// The type of a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Type {
    /// True or false.
    Bool,
    /// A whole number.
    Int,
    /// A text.
    Text,
    /// A list of texts.
    List,
}

impl Type {
    /// The name as documentation writes it.
    pub fn name(self) -> &'static str {
        match self {
            Type::Bool => "true or false",
            Type::Int => "number",
            Type::Text => "text",
            Type::List => "list of texts",
        }
    }
}

/// A fact that rules may name.
pub struct Fact {
    /// Its name.
    pub name: &'static str,
    /// Its type.
    pub kind: Type,
    /// What a sentence says where the value is not known.
    pub stand_in: &'static str,
    /// What it means.
    pub meaning: &'static str,
    /// The artefact that would tell it and that no reader of this version reads.
    pub unread: Option<&'static str>,
    /// Its value for one stop.
    pub get: fn(&Asked<'_>) -> Known<Value>,
}

impl std::fmt::Debug for Fact {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// The fact of that name.
pub fn named(name: &str) -> Option<&'static Fact> {
    FACTS.iter().find(|f| f.name == name)
}

/// Every fact, the error's own words first, then by stage.
pub static FACTS: &[Fact] = &[
    Fact { name: "stop.symptom", kind: Type::Text, stand_in: "the symptom", meaning: "the symptom's name", unread: None, get: words::symptom },
    Fact { name: "stop.status", kind: Type::Int, stand_in: "a status", meaning: "the HTTP status that the endpoint answered; null where the text gives none", unread: None, get: words::status },
    Fact { name: "endpoint.role", kind: Type::Text, stand_in: "host", meaning: "registry, mirror, proxy, auth or blob; null for the node's own faults", unread: None, get: words::role },
    Fact { name: "endpoint.host", kind: Type::Text, stand_in: "the host", meaning: "the host at which the pull stopped, without its port", unread: None, get: words::host },
    Fact { name: "endpoint.port", kind: Type::Int, stand_in: "the port", meaning: "its port, where the text or the reference names one", unread: None, get: words::port },
    Fact { name: "endpoint.address", kind: Type::Text, stand_in: "its address", meaning: "the address dialled, else the one that the node's hosts file or a look-up on it gives", unread: None, get: words::address },
    Fact { name: "endpoint.is_private", kind: Type::Bool, stand_in: "private", meaning: "whether that address is private (RFC 1918, RFC 6598, unique local)", unread: None, get: words::is_private },
    Fact { name: "endpoint.is_ipv6", kind: Type::Bool, stand_in: "IPv6", meaning: "whether that address is an IPv6 address", unread: None, get: words::is_ipv6 },
    Fact { name: "endpoint.is_registry_host", kind: Type::Bool, stand_in: "the registry", meaning: "whether the host is the one that the image reference names", unread: None, get: words::is_registry_host },
    Fact { name: "endpoint.is_loopback", kind: Type::Bool, stand_in: "this machine", meaning: "whether the host is the node itself (localhost, 127.0.0.0/8, ::1)", unread: None, get: words::host_is_loopback },
    Fact { name: "endpoint.is_cluster_internal", kind: Type::Bool, stand_in: "cluster-internal", meaning: "whether the name exists only in the cluster's own DNS (.svc, cluster.local, a bare service name)", unread: None, get: words::name_is_cluster_internal },
    Fact { name: "endpoint.is_scheme", kind: Type::Bool, stand_in: "a scheme", meaning: "whether the name that was looked up is a URL scheme, as a malformed proxy address leaves it", unread: None, get: words::name_is_scheme },
    Fact { name: "message.via_mirror", kind: Type::Bool, stand_in: "through a mirror", meaning: "whether the URL carried ?ns=, which only a mirror's does", unread: None, get: words::via_mirror },
    Fact { name: "message.credentials", kind: Type::Bool, stand_in: "credentials", meaning: "whether credentials were sent; not collected where the text does not tell", unread: None, get: words::credentials },
    Fact { name: "message.anonymous", kind: Type::Bool, stand_in: "anonymous", meaning: "whether the text says that no credentials were sent", unread: None, get: words::anonymous },
    Fact { name: "message.service", kind: Type::Text, stand_in: "a service", meaning: "the service that the runtime does not offer", unread: None, get: words::service },
    Fact { name: "message.media_type", kind: Type::Text, stand_in: "a media type", meaning: "the media type that the runtime refused", unread: None, get: words::media_type },
    Fact { name: "message.progress", kind: Type::Text, stand_in: "some progress", meaning: "the last progress before a cancel: downloading or extracting", unread: None, get: words::progress },
    Fact { name: "message.candidate_authority", kind: Type::Text, stand_in: "an authority of the same name", meaning: "the trusted authority of the same name that failed to verify; null without the hint", unread: None, get: words::candidate_authority },
    Fact { name: "message.no_system_roots", kind: Type::Bool, stand_in: "no roots", meaning: "whether the text says that no system roots could be loaded", unread: None, get: words::no_system_roots },
    Fact { name: "message.wants_signature", kind: Type::Bool, stand_in: "a signature", meaning: "whether the policy wants a signature, rather than refusing outright", unread: None, get: words::wants_signature },
    Fact { name: "message.windows_import", kind: Type::Bool, stand_in: "Windows", meaning: "whether Windows' own layer import failed", unread: None, get: words::windows_import },
    Fact { name: "message.provider_missing", kind: Type::Bool, stand_in: "missing", meaning: "whether the credential provider's binary is not there", unread: None, get: words::provider_missing },
    Fact { name: "message.not_permitted", kind: Type::Bool, stand_in: "not permitted", meaning: "whether the kernel answered EPERM (a filter), not EACCES (a prohibit route)", unread: None, get: words::not_permitted },
    Fact { name: "message.no_dns_config", kind: Type::Bool, stand_in: "no nameserver", meaning: "whether the look-up went to Go's default because no nameserver is configured", unread: None, get: words::no_dns_config },
    Fact { name: "message.code", kind: Type::Text, stand_in: "a code", meaning: "the registry's error code: denied, unauthorized, manifest unknown ...", unread: None, get: words::code },
    Fact { name: "message.alert", kind: Type::Text, stand_in: "an alert", meaning: "the TLS alert that the peer sent", unread: None, get: words::alert },
    Fact { name: "message.client_address", kind: Type::Text, stand_in: "the node's egress address", meaning: "the address under which the registry saw the client", unread: None, get: words::client_address },
    Fact { name: "message.bytes_got", kind: Type::Int, stand_in: "too few", meaning: "bytes that arrived", unread: None, get: words::bytes_got },
    Fact { name: "message.bytes_expected", kind: Type::Int, stand_in: "the expected number of", meaning: "bytes that the manifest names", unread: None, get: words::bytes_expected },
    Fact { name: "message.certificate_names", kind: Type::List, stand_in: "other names", meaning: "names in the presented certificate, as the text lists them", unread: None, get: words::certificate_names },
    Fact { name: "message.clock_agrees", kind: Type::Bool, stand_in: "agreeing", meaning: "whether the node's clock in the text and the event's time agree within ten minutes", unread: None, get: words::clock_agrees },
    Fact { name: "message.is_sandbox", kind: Type::Bool, stand_in: "the sandbox image", meaning: "whether the sandbox (pause) image is meant", unread: None, get: words::sandbox },
    Fact { name: "pull.recovered", kind: Type::Bool, stand_in: "recovered", meaning: "whether the same image was pulled on the same node since", unread: None, get: words::recovered },
    Fact { name: "attempts.anonymous_retry_is_noise", kind: Type::Bool, stand_in: "noise", meaning: "whether an anonymous retry failed behind an attempt that got further", unread: None, get: words::earlier_got_further },
    Fact { name: "attempts.rate_limiter_beside", kind: Type::Bool, stand_in: "beside", meaning: "whether the kubelet's own rate limiter spoke beside the real error", unread: None, get: words::qps_beside },
    Fact { name: "image.written", kind: Type::Text, stand_in: "the image", meaning: "the image as the pod writes it", unread: None, get: request::written },
    Fact { name: "image.host", kind: Type::Text, stand_in: "the registry", meaning: "the registry's host, docker.io where none is written", unread: None, get: request::host },
    Fact { name: "image.names_host", kind: Type::Bool, stand_in: "named", meaning: "whether the reference names a registry host itself; null where it cannot be parsed", unread: None, get: request::names_host },
    Fact { name: "image.has_placeholder", kind: Type::Bool, stand_in: "a placeholder", meaning: "whether the reference holds a template's gap or a scaffold's default", unread: None, get: request::has_placeholder },
    Fact { name: "image.has_scheme", kind: Type::Bool, stand_in: "a scheme", meaning: "whether the reference begins with a URL scheme", unread: None, get: request::has_scheme },
    Fact { name: "image.by_digest", kind: Type::Bool, stand_in: "by digest", meaning: "whether the reference names a digest", unread: None, get: request::by_digest },
    Fact { name: "mirror.host", kind: Type::Text, stand_in: "the mirror", meaning: "the mirror that was asked, else the one that is configured for the registry", unread: None, get: request::mirror_host },
    Fact { name: "mirror.lacks_image", kind: Type::Bool, stand_in: "lacking", meaning: "whether the mirror answered 404 for this image", unread: None, get: request::mirror_lacks_image },
    Fact { name: "proxy.address", kind: Type::Text, stand_in: "the proxy", meaning: "host and port of the runtime's HTTPS proxy; null where its settings name none", unread: None, get: request::proxy },
    Fact { name: "proxy.bypassed_for_host", kind: Type::Bool, stand_in: "bypassed", meaning: "whether NO_PROXY of the runtime covers the registry's host, as Go reads it", unread: None, get: request::no_proxy_covers_host },
    Fact { name: "resolver.address", kind: Type::Text, stand_in: "the node's resolver", meaning: "the resolver that the node asked: the text's, else the first of its resolv.conf", unread: None, get: resolve::resolver_address },
    Fact { name: "resolver.is_public", kind: Type::Bool, stand_in: "public", meaning: "whether that resolver is a public address", unread: None, get: resolve::resolver_is_public },
    Fact { name: "resolver.is_loopback", kind: Type::Bool, stand_in: "on the node", meaning: "whether that resolver is on the node itself", unread: None, get: resolve::resolver_is_loopback },
    Fact { name: "resolver.nameservers", kind: Type::List, stand_in: "the node's nameservers", meaning: "the nameservers of the node's resolv.conf; a stub leaves them not collected", unread: None, get: resolve::nameservers },
    Fact { name: "hosts_file.address", kind: Type::Text, stand_in: "an address", meaning: "the address to which the node's hosts file pins the host; null where it has no entry", unread: None, get: resolve::hosts_file_address },
    Fact { name: "hosts_file.pinned_on_other_nodes", kind: Type::Bool, stand_in: "pinned", meaning: "whether another node's hosts file pins the host", unread: None, get: resolve::other_nodes_pin_host },
    Fact { name: "lookup.status", kind: Type::Text, stand_in: "an answer", meaning: "how a look-up made on the node ended: NOERROR, NXDOMAIN, SERVFAIL, TIMEOUT ...", unread: None, get: resolve::lookup_status },
    Fact { name: "lookup.addresses", kind: Type::List, stand_in: "other addresses", meaning: "the addresses that look-ups made on the node gave", unread: None, get: resolve::lookup_addresses },
    Fact { name: "name.is_private", kind: Type::Bool, stand_in: "private", meaning: "whether the name is known to be private: some look-up, hosts file or dial in the bundle gave a private address", unread: None, get: resolve::name_is_private },
    Fact { name: "route.prefix", kind: Type::Text, stand_in: "no prefix", meaning: "what the winning effective route for the address covers; null where none covers it", unread: None, get: connect::route_prefix },
    Fact { name: "route.next_hop_type", kind: Type::Text, stand_in: "nowhere", meaning: "where it leads: VnetLocal, VNetPeering, VirtualNetworkGateway, VirtualAppliance, Internet, None", unread: None, get: connect::route_next_hop_type },
    Fact { name: "route.next_hop", kind: Type::Text, stand_in: "its next hop", meaning: "its next hop's address", unread: None, get: connect::route_next_hop },
    Fact { name: "route.origin", kind: Type::Text, stand_in: "its maker", meaning: "who made it: Default, User, VirtualNetworkGateway", unread: None, get: connect::route_origin },
    Fact { name: "kernel_route.kind", kind: Type::Text, stand_in: "no route", meaning: "the kind of the node kernel's route for the address: unicast, blackhole, prohibit, unreachable; null where none covers it", unread: None, get: connect::kernel_route_kind },
    Fact { name: "kernel_route.prefix", kind: Type::Text, stand_in: "no prefix", meaning: "what that route covers", unread: None, get: connect::kernel_route_prefix },
    Fact { name: "node_firewall.blocks", kind: Type::Bool, stand_in: "blocking", meaning: "whether the node's own packet filter drops or rejects what it sends to the address", unread: None, get: connect::node_firewall_blocks },
    Fact { name: "pool.fresh_pulls", kind: Type::Int, stand_in: "no", meaning: "network pulls from the same registry by other nodes of the pool since the failure began", unread: None, get: connect::fresh_pulls_of_pool },
    Fact { name: "chain.issuer", kind: Type::Text, stand_in: "the certificate's issuer", meaning: "who issued the presented certificate", unread: None, get: tls::issuer },
    Fact { name: "chain.is_trusted", kind: Type::Bool, stand_in: "trusted", meaning: "whether the presented chain leads to something that the node trusts, by names and key identifiers", unread: None, get: tls::trusted_by_node },
    Fact { name: "chain.link_missing", kind: Type::Bool, stand_in: "incomplete", meaning: "whether the chain ends before an authority that did not come with it", unread: None, get: tls::link_missing },
    Fact { name: "chain.link_found_elsewhere", kind: Type::Bool, stand_in: "found", meaning: "whether the certificate that closes the gap stands elsewhere in the bundle, issued by something that the node trusts", unread: None, get: tls::link_found_elsewhere },
    Fact { name: "chain.trusted_by_other_nodes", kind: Type::Bool, stand_in: "trusted", meaning: "whether another node trusts what the chain leads to", unread: None, get: tls::trusted_by_other_nodes },
    Fact { name: "chain.names_host", kind: Type::Bool, stand_in: "named", meaning: "whether the presented certificate is for the host", unread: None, get: tls::names_host },
    Fact { name: "chain.is_expired", kind: Type::Bool, stand_in: "expired", meaning: "whether a certificate of the chain is past its end at the time of the failure", unread: None, get: tls::expired },
    Fact { name: "pod.names_pull_secret", kind: Type::Bool, stand_in: "named", meaning: "whether the pods name a pull secret", unread: None, get: authenticate::names_pull_secret },
    Fact { name: "pod.pull_secrets", kind: Type::List, stand_in: "its pull secrets", meaning: "the pull secrets that the pods name", unread: None, get: authenticate::pull_secrets },
    Fact { name: "secret.exists", kind: Type::Bool, stand_in: "existing", meaning: "whether a named pull secret exists in the pod's namespace; null where none is named", unread: None, get: authenticate::secret_exists },
    Fact { name: "secret.covers_host", kind: Type::Bool, stand_in: "covering", meaning: "whether a named pull secret holds an entry for the registry's host; null where none is named", unread: None, get: authenticate::secret_covers_host },
    Fact { name: "secret.unretrieved", kind: Type::Bool, stand_in: "missing", meaning: "whether the kubelet warned that it cannot retrieve a named pull secret", unread: None, get: authenticate::secret_unretrieved },
    Fact { name: "provider.failed", kind: Type::Bool, stand_in: "failed", meaning: "whether the kubelet's log says that its credential provider failed for the image", unread: None, get: authenticate::provider_failed },
    Fact { name: "provider.could_not_connect", kind: Type::Bool, stand_in: "cut off", meaning: "whether that failure was one of the network", unread: None, get: authenticate::provider_could_not_connect },
    Fact { name: "node.os", kind: Type::Text, stand_in: "the node's system", meaning: "the node's operating system: linux or windows", unread: None, get: cache::node_os },
    Fact { name: "node.arch", kind: Type::Text, stand_in: "the node's processor", meaning: "the node's processor: amd64, arm64 ...", unread: None, get: cache::node_arch },
    Fact { name: "node.runtime", kind: Type::Text, stand_in: "the node's runtime", meaning: "the node's runtime and its version", unread: None, get: cache::node_runtime },
    Fact { name: "node.is_newest", kind: Type::Bool, stand_in: "newest", meaning: "whether the node joined after every node that holds the image; null where none is known to hold it", unread: None, get: cache::node_is_newest },
    Fact { name: "image.on_other_nodes", kind: Type::Bool, stand_in: "held", meaning: "whether another node holds the image", unread: None, get: cache::on_other_nodes },
    Fact { name: "image.holding_nodes", kind: Type::List, stand_in: "other nodes", meaning: "the other nodes that hold the image", unread: None, get: cache::holding_nodes },
    Fact { name: "image.was_on_node", kind: Type::Bool, stand_in: "there before", meaning: "whether the image was on this node before", unread: None, get: cache::was_on_node },
    Fact { name: "image.removed_on_node", kind: Type::Bool, stand_in: "removed", meaning: "whether the node cleaned images up", unread: None, get: cache::removed_on_node },
    Fact { name: "image.already_present_somewhere", kind: Type::Bool, stand_in: "present", meaning: "whether an event says that the image is already present on a machine", unread: None, get: cache::already_present },
    Fact { name: "image.policy_is_always", kind: Type::Bool, stand_in: "Always", meaning: "whether a pod asks with pull policy Always", unread: None, get: cache::policy_always },
    Fact { name: "elsewhere.pod_succeeded", kind: Type::Bool, stand_in: "a success", meaning: "whether a look-up or request from a pod succeeded", unread: None, get: cache::pod_success },
    Fact { name: "elsewhere.operator_succeeded", kind: Type::Bool, stand_in: "a success", meaning: "whether a check from somebody's machine succeeded", unread: None, get: cache::operator_success },
    Fact { name: "security_rules.outbound", kind: Type::Text, stand_in: "something that the bundle does not tell", meaning: "what the effective outbound rules of the node's interface say of the address: Allow or Deny", unread: Some("effective-security-rules"), get: |_| Known::NotCollected("effective-security-rules") },
    Fact { name: "security_rules.inbound", kind: Type::Text, stand_in: "something that the bundle does not tell", meaning: "what the rules on the registry's side say of the node's subnet: Allow or Deny", unread: Some("security-groups"), get: |_| Known::NotCollected("security-groups") },
    Fact { name: "firewall.allows_host", kind: Type::Bool, stand_in: "something that the bundle does not tell", meaning: "whether the firewall on the way lets the host through", unread: Some("firewall-rules"), get: |_| Known::NotCollected("firewall-rules") },
    Fact { name: "peering.connects_networks", kind: Type::Bool, stand_in: "something that the bundle does not tell", meaning: "whether a peering connects the node's network and the registry's", unread: Some("vnet-peerings"), get: |_| Known::NotCollected("vnet-peerings") },
    Fact { name: "peering.is_connected", kind: Type::Bool, stand_in: "something that the bundle does not tell", meaning: "whether every peering on the way is connected on both sides", unread: Some("vnet-peerings"), get: |_| Known::NotCollected("vnet-peerings") },
    Fact { name: "peering.gives_gateway", kind: Type::Bool, stand_in: "something that the bundle does not tell", meaning: "whether the peering lets the node's network use the hub's gateway", unread: Some("vnet-peerings"), get: |_| Known::NotCollected("vnet-peerings") },
    Fact { name: "peering.allows_forwarded", kind: Type::Bool, stand_in: "something that the bundle does not tell", meaning: "whether the peerings on the way admit forwarded traffic", unread: Some("vnet-peerings"), get: |_| Known::NotCollected("vnet-peerings") },
    Fact { name: "peering.is_in_sync", kind: Type::Bool, stand_in: "something that the bundle does not tell", meaning: "whether the peering carries every range of the remote network", unread: Some("vnet-peerings"), get: |_| Known::NotCollected("vnet-peerings") },
    Fact { name: "route_table.takes_gateway_routes", kind: Type::Bool, stand_in: "something that the bundle does not tell", meaning: "whether the subnet's route table takes the gateway's routes", unread: Some("route-table"), get: |_| Known::NotCollected("route-table") },
    Fact { name: "gateway.knows_prefix", kind: Type::Bool, stand_in: "something that the bundle does not tell", meaning: "whether the gateway has a route to the registry's prefix", unread: Some("learned-routes"), get: |_| Known::NotCollected("learned-routes") },
    Fact { name: "tunnel.is_connected", kind: Type::Bool, stand_in: "something that the bundle does not tell", meaning: "whether the VPN or circuit on the way is up", unread: Some("vpn-connections"), get: |_| Known::NotCollected("vpn-connections") },
    Fact { name: "return_route.exists", kind: Type::Bool, stand_in: "something that the bundle does not tell", meaning: "whether the registry's side routes the node's subnet back", unread: Some("return-routes"), get: |_| Known::NotCollected("return-routes") },
    Fact { name: "registry_side.admits_node", kind: Type::Bool, stand_in: "something that the bundle does not tell", meaning: "whether the firewall on the registry's side admits the node's subnet", unread: Some("registry-side"), get: |_| Known::NotCollected("registry-side") },
    Fact { name: "appliance.forwards", kind: Type::Bool, stand_in: "something that the bundle does not tell", meaning: "whether the appliance that is the next hop forwards", unread: Some("nic"), get: |_| Known::NotCollected("nic") },
    Fact { name: "egress.exists", kind: Type::Bool, stand_in: "something that the bundle does not tell", meaning: "whether the subnet has a way out to the internet", unread: Some("cluster"), get: |_| Known::NotCollected("cluster") },
    Fact { name: "path.mtu_fits", kind: Type::Bool, stand_in: "something that the bundle does not tell", meaning: "whether full-size packets pass the path", unread: Some("node-routes"), get: |_| Known::NotCollected("node-routes") },
    Fact { name: "zone.linked_to_node_network", kind: Type::Bool, stand_in: "something that the bundle does not tell", meaning: "whether the private zone of the name is linked to the node's network", unread: Some("private-dns-links"), get: |_| Known::NotCollected("private-dns-links") },
    Fact { name: "zone.linked_to_dns_network", kind: Type::Bool, stand_in: "something that the bundle does not tell", meaning: "whether the private zone is linked to the network of the custom DNS servers", unread: Some("private-dns-links"), get: |_| Known::NotCollected("private-dns-links") },
    Fact { name: "zone.has_record", kind: Type::Bool, stand_in: "something that the bundle does not tell", meaning: "whether the private zone holds a record for the name", unread: Some("private-dns-records"), get: |_| Known::NotCollected("private-dns-records") },
    Fact { name: "zone.has_data_record", kind: Type::Bool, stand_in: "something that the bundle does not tell", meaning: "whether the private zone holds a record for the data endpoint", unread: Some("private-dns-records"), get: |_| Known::NotCollected("private-dns-records") },
    Fact { name: "zone.record_is_endpoints", kind: Type::Bool, stand_in: "something that the bundle does not tell", meaning: "whether the record's address belongs to a private endpoint of this registry", unread: Some("private-endpoints"), get: |_| Known::NotCollected("private-endpoints") },
    Fact { name: "zone.is_shadowed", kind: Type::Bool, stand_in: "something that the bundle does not tell", meaning: "whether a longer, empty zone answers for the name", unread: Some("private-dns-zones"), get: |_| Known::NotCollected("private-dns-zones") },
    Fact { name: "dns_server.forwards_zone", kind: Type::Bool, stand_in: "something that the bundle does not tell", meaning: "whether the custom DNS server forwards the zone to the cloud's resolver", unread: Some("dns-server-config"), get: |_| Known::NotCollected("dns-server-config") },
    Fact { name: "network.dns_servers_match", kind: Type::Bool, stand_in: "something that the bundle does not tell", meaning: "whether the node's nameservers are the ones set on its network", unread: Some("vnet"), get: |_| Known::NotCollected("vnet") },
    Fact { name: "localdns.forwards_to_network", kind: Type::Bool, stand_in: "something that the bundle does not tell", meaning: "whether the node-local DNS cache forwards to the network's servers", unread: Some("localdns-corefile"), get: |_| Known::NotCollected("localdns-corefile") },
    Fact { name: "private_endpoint.exists", kind: Type::Bool, stand_in: "something that the bundle does not tell", meaning: "whether the registry has a private endpoint", unread: Some("private-endpoints"), get: |_| Known::NotCollected("private-endpoints") },
    Fact { name: "private_endpoint.is_approved", kind: Type::Bool, stand_in: "something that the bundle does not tell", meaning: "whether the private endpoint's connection is approved", unread: Some("private-endpoints"), get: |_| Known::NotCollected("private-endpoints") },
    Fact { name: "registry.public_access", kind: Type::Bool, stand_in: "something that the bundle does not tell", meaning: "whether the registry's public access is on", unread: Some("registry-config"), get: |_| Known::NotCollected("registry-config") },
    Fact { name: "registry.allows_client", kind: Type::Bool, stand_in: "something that the bundle does not tell", meaning: "whether the registry's network rules allow the address from which the node comes", unread: Some("registry-config"), get: |_| Known::NotCollected("registry-config") },
    Fact { name: "registry.honours_acrpull", kind: Type::Bool, stand_in: "something that the bundle does not tell", meaning: "whether the registry honours AcrPull (not in ABAC mode)", unread: Some("registry-config"), get: |_| Known::NotCollected("registry-config") },
    Fact { name: "roles.allow_pull", kind: Type::Bool, stand_in: "something that the bundle does not tell", meaning: "whether an assignment lets the node's identity pull from the registry", unread: Some("role-assignments"), get: |_| Known::NotCollected("role-assignments") },
    Fact { name: "roles.on_other_identity", kind: Type::Bool, stand_in: "something that the bundle does not tell", meaning: "whether the pull role sits on an identity that the nodes do not use", unread: Some("role-assignments"), get: |_| Known::NotCollected("role-assignments") },
    Fact { name: "service_principal.is_expired", kind: Type::Bool, stand_in: "something that the bundle does not tell", meaning: "whether the secret of the cluster's service principal is past its end", unread: Some("service-principal"), get: |_| Known::NotCollected("service-principal") },
    Fact { name: "identity.is_assigned", kind: Type::Bool, stand_in: "something that the bundle does not tell", meaning: "whether the kubelet's identity is assigned to the scale set", unread: Some("node-identity"), get: |_| Known::NotCollected("node-identity") },
    Fact { name: "credentials.are_outdated", kind: Type::Bool, stand_in: "something that the bundle does not tell", meaning: "whether the stored credentials are older than their lifetime or the last rotation", unread: Some("activity-log"), get: |_| Known::NotCollected("activity-log") },
    Fact { name: "runtime.applies_settings", kind: Type::Bool, stand_in: "something that the bundle does not tell", meaning: "whether the runtime's effective configuration holds the settings for the registry", unread: Some("containerd-config"), get: |_| Known::NotCollected("containerd-config") },
    Fact { name: "runtime.started_after_ca", kind: Type::Bool, stand_in: "something that the bundle does not tell", meaning: "whether the runtime started after the issuer was added", unread: Some("node-services"), get: |_| Known::NotCollected("node-services") },
    Fact { name: "trust.issuer_elsewhere_on_node", kind: Type::Bool, stand_in: "something that the bundle does not tell", meaning: "whether the issuer lies on the node where the runtime does not look", unread: Some("trust-store"), get: |_| Known::NotCollected("trust-store") },
    Fact { name: "proxy.needed", kind: Type::Bool, stand_in: "something that the bundle does not tell", meaning: "whether the node has a proxy of which the runtime does not know", unread: Some("node-proxy-env"), get: |_| Known::NotCollected("node-proxy-env") },
    Fact { name: "handshake.cut_after_hello", kind: Type::Bool, stand_in: "something that the bundle does not tell", meaning: "whether a request made on the node is cut right after the TLS hello", unread: Some("curl-output"), get: |_| Known::NotCollected("curl-output") },
    Fact { name: "certificate.is_intercepted", kind: Type::Bool, stand_in: "something that the bundle does not tell", meaning: "whether the presented issuer is a proxy's or company's for a public host", unread: Some("certificate-chain"), get: |_| Known::NotCollected("certificate-chain") },
    Fact { name: "store.policy_allows", kind: Type::Bool, stand_in: "something that the bundle does not tell", meaning: "whether the subnet's service endpoint policy allows the registry's store", unread: Some("service-endpoint-policies"), get: |_| Known::NotCollected("service-endpoint-policies") },
    Fact { name: "pool.full", kind: Type::Bool, stand_in: "something that the bundle does not tell", meaning: "whether the thin pool under the image store is full", unread: Some("disk-usage"), get: |_| Known::NotCollected("disk-usage") },
    Fact { name: "node_clock.is_right", kind: Type::Bool, stand_in: "something that the bundle does not tell", meaning: "whether the node's clock is right", unread: Some("node-clock"), get: |_| Known::NotCollected("node-clock") },
];
