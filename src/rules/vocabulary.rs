//! Which facts may a rule name? Every name with its type, its meaning, and where its value comes from.

use crate::facts::Known;
use crate::pull::view::{
    Asked, Value, authenticate, cache, changes, clock, connect, dialled, disk, egress, estate, lately, link, measured, network, now, policy, proxy, public_dns,
    request, resolve, roles, runtime, security, servers, signs, spelling, tls, words, zones,
};

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

macro_rules! facts {
    ($($name:literal $kind:ident $(= $get:path)? $(, told by $artefact:literal)?, $stand_in:literal, $meaning:literal;)*) => {
        /// Every fact, the error's own words first, then by stage.
        pub static FACTS: &[Fact] = &[$(facts!(@row $name $kind $(= $get)? $(, told by $artefact)?, $stand_in, $meaning)),*];
    };
    (@row $name:literal $kind:ident = $get:path, $stand_in:literal, $meaning:literal) => {
        Fact { name: $name, kind: Type::$kind, stand_in: $stand_in, meaning: $meaning, unread: None, get: $get }
    };
    // No reader of this version reads the artefact: a rule that names the fact stays undecided and asks for it.
    (@row $name:literal $kind:ident, told by $artefact:literal, $stand_in:literal, $meaning:literal) => {
        Fact { name: $name, kind: Type::$kind, stand_in: $stand_in, meaning: $meaning, unread: Some($artefact), get: |_| Known::NotCollected($artefact) }
    };
}

facts! {
    "stop.symptom" Text = words::symptom, "the symptom", "the symptom's name";
    "stop.stage" Text = words::stage, "a rung", "the rung at which the pull stopped; null where the text does not tell";
    "stop.status" Int = words::status, "a status", "the HTTP status that the endpoint answered; null where the text gives none";
    "endpoint.role" Text = words::role, "host", "registry, mirror, proxy, auth or blob; null for the node's own faults";
    "endpoint.host" Text = words::host, "the host", "the host at which the pull stopped, without its port";
    "endpoint.port" Int = words::port, "the port", "its port, where the text or the reference names one";
    "endpoint.address" Text = words::address, "its address", "the address dialled, else the one that the node's hosts file or a look-up on it gives";
    "endpoint.is_private" Bool = dialled::is_private, "private", "whether that address is private (RFC 1918, RFC 6598, unique local)";
    "endpoint.address_is_wrong" Bool = dialled::is_wrong, "wrong", "whether the address is known not to be the host's: no endpoint of the registry has it, the registry is closed on its public side, or DNS gives another than the hosts file";
    "endpoint.is_ipv6" Bool = words::is_ipv6, "IPv6", "whether that address is an IPv6 address";
    "endpoint.is_registry_host" Bool = words::is_registry_host, "the registry", "whether the host is the one that the image reference names";
    "endpoint.is_cluster_service" Bool = connect::is_cluster_service, "a service's", "whether that address is one of the cluster's services, or lies in their range where the name is one of the cluster's own DNS";
    "endpoint.is_loopback" Bool = words::host_is_loopback, "this machine", "whether the host is the node itself (localhost, 127.0.0.0/8, ::1)";
    "endpoint.is_cluster_internal" Bool = words::name_is_cluster_internal, "cluster-internal", "whether the name exists only in the cluster's own DNS (.svc, cluster.local, a bare service name)";
    "endpoint.is_scheme" Bool = words::name_is_scheme, "a scheme", "whether the name that was looked up is a URL scheme, as a malformed proxy address leaves it";
    "message.via_mirror" Bool = words::via_mirror, "through a mirror", "whether the URL carried ?ns=, which only a mirror's does";
    "message.credentials" Bool = words::credentials, "credentials", "whether credentials were sent; not collected where the text does not tell";
    "message.anonymous" Bool = words::anonymous, "anonymous", "whether the text says that no credentials were sent";
    "message.service" Text = words::service, "a service", "the service that the runtime does not offer";
    "message.media_type" Text = words::media_type, "a media type", "the media type that the runtime refused";
    "message.progress" Text = words::progress, "some progress", "the last progress before a cancel: downloading or extracting";
    "message.candidate_authority" Text = words::candidate_authority, "an authority of the same name", "the trusted authority of the same name that failed to verify; null without the hint";
    "message.no_system_roots" Bool = words::no_system_roots, "no roots", "whether the text says that no system roots could be loaded";
    "policy.demands" List = policy::demands, "what it demands", "what the node's signature policy demands of the image: reject, insecureAcceptAnything, signedBy, sigstoreSigned";
    "policy.wants_signature" Bool = policy::wants_signature, "a signature", "whether the node's policy wants a signature, rather than refusing outright: by the error's words, else by the policy itself";
    "message.speaker" Text = words::speaker, "another runtime", "the runtime that speaks so, with the versions that print these words";
    "message.contradicts_node_runtime" Bool = words::contradicts_node_runtime, "contradicting", "whether the runtime that the node reports cannot have printed these words";
    "message.may_hide_another_host" Bool = words::may_hide_another_host, "hiding", "whether `not found` may hide another host's error (containerd 2 with mirrors, without its log)";
    "message.lacks_auth" Bool = words::lacks_auth, "without its credentials", "whether the image is on the node and the pod lacks the credentials that pulled it";
    "message.windows_import" Bool = words::windows_import, "Windows", "whether Windows' own layer import failed";
    "message.ended_early" Bool = words::ended_early, "ended too early", "whether the layer's archive ended too early, as it also does where the disk is full";
    "message.secret_unreadable" Bool = words::secret_unreadable, "unreadable", "whether the kubelet could not decode a pull secret";
    "message.provider_missing" Bool = words::provider_missing, "missing", "whether the credential provider's binary is not there";
    "message.not_permitted" Bool = words::not_permitted, "not permitted", "whether the kernel answered EPERM (a filter), not EACCES (a prohibit route)";
    "message.no_route" Bool = words::no_route, "no route", "whether the kernel or a router says that no route leads there";
    "message.no_dns_config" Bool = words::no_dns_config, "no nameserver", "whether the look-up went to Go's default because no nameserver is configured";
    "message.code" Text = words::code, "a code", "the registry's error code: denied, unauthorized, manifest unknown ...";
    "message.proxy_replied" Bool = words::proxy_replied, "replied", "whether the proxy was reached and says so of the destination";
    "message.alert" Text = words::alert, "an alert", "the TLS alert that the peer sent";
    "message.client_address" Text = words::client_address, "the node's egress address", "the address under which the registry saw the client";
    "message.bytes_got" Int = words::bytes_got, "too few", "bytes that arrived";
    "message.bytes_expected" Int = words::bytes_expected, "the expected number of", "bytes that the manifest names";
    "message.certificate_names" List = words::certificate_names, "other names", "names in the presented certificate, as the text lists them";
    "message.exit_code" Int = words::exit_code, "a code", "the code with which a node's provisioning script ended";
    "message.names_registry" Bool = words::names_registry, "named", "whether the text names the host of a registry";
    "message.clock_agrees" Bool = clock::agrees_with_event, "agreeing", "whether the node's clock in the text and the event's time agree within ten minutes, and nothing else says that the clock is wrong";
    "message.is_sandbox" Bool = words::sandbox, "the sandbox image", "whether the sandbox (pause) image is meant";
    "pull.recovered" Bool = words::recovered, "recovered", "whether the same image was pulled on the same node since";
    "attempts.anonymous_retry_is_noise" Bool = words::earlier_got_further, "noise", "whether an anonymous retry failed behind an attempt that got further";
    "attempts.rate_limiter_beside" Bool = words::qps_beside, "beside", "whether the kubelet's own rate limiter spoke beside the real error";
    "image.written" Text = request::written, "the image", "the image as the pod writes it";
    "image.host" Text = request::host, "the registry", "the registry's host, docker.io where none is written";
    "image.names_host" Bool = request::names_host, "named", "whether the reference names a registry host itself; null where it cannot be parsed";
    "image.has_placeholder" Bool = request::has_placeholder, "a placeholder", "whether the reference holds a template's gap or a scaffold's default";
    "image.has_scheme" Bool = request::has_scheme, "a scheme", "whether the reference begins with a URL scheme";
    "image.by_digest" Bool = request::by_digest, "by digest", "whether the reference names a digest";
    "mirror.host" Text = request::mirror_host, "the mirror", "the mirror that was asked, else the one that is configured for the registry";
    "mirror.lacks_image" Bool = request::mirror_lacks_image, "lacking", "whether the mirror answered 404 for this image";
    "proxy.target" Text = proxy::target_host, "the host", "the host that the request was for, where the stop may name the proxy instead";
    "registry.has_settings" Bool = runtime::has_settings, "configured", "whether the runtime was given settings for the registry that the reference names: an entry of its own in certs.d or in the runtime's configuration";
    "proxy.address" Text = proxy::address, "the proxy", "host and port of the runtime's HTTPS proxy; null where its settings name none";
    "proxy.bypassed_for_host" Bool = proxy::bypassed_for_host, "bypassed", "whether NO_PROXY of the runtime covers the registry's host, as Go reads it";
    "proxy.denies_host" Bool = egress::proxy_denies_host, "refused", "whether the proxy's log shows that it refused the host";
    "resolver.address" Text = resolve::resolver_address, "the node's resolver", "the resolver that the node asked: the text's, else the first of its resolv.conf";
    "resolver.next_hop_type" Text = network::resolver_next_hop_type, "nowhere", "where the winning effective route for the resolver's address leads; null where none covers it";
    "resolver.is_public" Bool = resolve::resolver_is_public, "public", "whether that resolver is a public address";
    "resolver.is_loopback" Bool = resolve::resolver_is_loopback, "on the node", "whether that resolver is on the node itself";
    "resolver.upstream" List = servers::upstream_servers, "its servers", "the servers that the node's question really comes to, behind a stub or a cache on the node";
    "resolver.asks_cloud" Bool = servers::asks_cloud, "the cloud's own", "whether the node's question comes to the cloud's own resolver of its network, and to no server of somebody's making";
    "resolver.nameservers" List = resolve::nameservers, "the node's nameservers", "the nameservers of the node's resolv.conf; a stub leaves them not collected";
    "resolver.is_named" Bool = resolve::names_nameserver, "named", "whether the node's resolv.conf names any nameserver, be it only a stub on the node itself";
    "hosts_file.address" Text = resolve::hosts_file_address, "an address", "the address to which the node's hosts file pins the host; null where it has no entry";
    "hosts_file.pinned_on_other_nodes" Bool = resolve::other_nodes_pin_host, "pinned", "whether another node's hosts file pins the host";
    "hosts_file.address_works" Bool = resolve::pinned_address_works, "answering", "whether the registry is seen at that address: a request on the node was answered there, or a node with the same entry pulled since";
    "lookup.status" Text = resolve::lookup_status, "an answer", "how a look-up made on the node ended: NOERROR, NXDOMAIN, SERVFAIL, TIMEOUT ...";
    "lookup.addresses" List = resolve::lookup_addresses, "other addresses", "the addresses that look-ups made on the node gave";
    "dns.addresses" List = zones::dns_addresses, "other addresses", "what DNS gives the node for the host: its look-ups' addresses, else the record of the private zone that answers it";
    "public_dns.addresses" List = public_dns::addresses, "other addresses", "the addresses that resolvers of the whole internet gave for the host, from wherever but a pod they were asked";
    "public_dns.contradicts" Bool = public_dns::contradicts, "contradicting", "whether by those the address dialled cannot be the host's";
    "lookup.gave_address" Bool = resolve::lookup_gave_address, "an address", "whether a look-up made on the node, as far as the bundle holds one, gave an address";
    "name.is_private" Bool = resolve::name_is_private, "private", "whether the name is known to be private: some look-up, hosts file or dial in the bundle gave a private address";
    "route.prefix" Text = connect::route_prefix, "no prefix", "what the winning effective route for the address covers; null where none covers it";
    "route.next_hop_type" Text = connect::route_next_hop_type, "nowhere", "where it leads: VnetLocal, VNetPeering, VirtualNetworkGateway, VirtualAppliance, Internet, None";
    "route.next_hop" Text = connect::route_next_hop, "its next hop", "its next hop's address";
    "route.origin" Text = connect::route_origin, "its maker", "who made it: Default, User, VirtualNetworkGateway";
    "kernel_route.kind" Text = connect::kernel_route_kind, "no route", "the kind of the node kernel's route for the address: unicast, blackhole, prohibit, unreachable; null where none covers it";
    "kernel_route.ipv6_exists" Bool = connect::ipv6_route_exists, "there", "whether the node's own tables hold a route for the IPv6 address that was dialled; null for an IPv4 address";
    "kernel_route.prefix" Text = connect::kernel_route_prefix, "no prefix", "what that route covers";
    "kernel_route.device" Text = connect::kernel_route_device, "a device", "the device to which it leads; null where it names none";
    "kernel_route.is_containers" Bool = connect::kernel_route_is_containers, "the containers'", "whether it leads to a network that the node makes for its own containers: a bridge of Docker's, the pods' network";
    "node_firewall.blocks" Bool = connect::node_firewall_blocks, "blocking", "whether the node's own packet filter drops or rejects what it sends to the address";
    "node_firewall.refuses" Bool = connect::node_firewall_refuses, "refusing", "whether that filter rejects it with a reset or as a closed port, which the node reads as a refused connection";
    "request.denied_for_address" Bool = connect::request_denied_for_address, "denied", "whether a request made on the node got the same status, with the words that its address is not allowed";
    "pool.fresh_pulls" Int = connect::fresh_pulls_of_pool, "no", "network pulls from the same registry by other nodes of the pool or subnet since the failure began";
    "path.node_reached_host" Bool = connect::node_reached_host, "reached", "whether the node itself, as far as the bundle shows, reached the host in the time of the failures: by a pull of another image or a request made on it";
    "chain.issuer" Text = tls::issuer, "the certificate's issuer", "who issued the presented certificate";
    "chain.is_trusted" Bool = tls::trusted_by_node, "trusted", "whether the presented chain leads to something that the node trusts, by names and key identifiers";
    "chain.trusted_after_all" Bool = tls::trusted_after_all, "trusted", "whether the bundle shows that the node has what the chain leads to";
    "chain.link_missing" Bool = tls::link_missing, "incomplete", "whether the chain ends before an authority that did not come with it";
    "chain.link_found_elsewhere" Bool = tls::link_found_elsewhere, "found", "whether the certificate that closes the gap stands elsewhere in the bundle, issued by something that the node trusts";
    "chain.trusted_by_other_nodes" Bool = tls::trusted_by_other_nodes, "trusted", "whether another node trusts what the chain leads to";
    "chain.trusting_node_fails_alike" Bool = tls::trusting_node_fails_alike, "failing", "whether another node that trusts it stops at the same host in the same way";
    "chain.names_host" Bool = tls::names_host, "named", "whether the presented certificate is for the host";
    "chain.is_expired" Bool = tls::expired, "expired", "whether a certificate of the chain, or the authority in the node's trust to which it leads, is past its end at the time of the failure";
    "chain.expired_certificate" Text = tls::expired_certificate, "one of them", "which of them is past its end, and since when; null where none is";
    "chain.defects" List = tls::defects, "some defect", "what is wrong with the chain in itself and for this host: expired, not-yet-valid, wrong-name, no-alternative-names, self-signed, wrong-order, not-a-ca, too-many-below, name-constraint, wrong-usage, weak-signature";
    "pod.names_pull_secret" Bool = authenticate::names_pull_secret, "named", "whether the pods name a pull secret";
    "pod.pull_secrets" List = authenticate::pull_secrets, "its pull secrets", "the pull secrets that the pods name";
    "secret.exists" Bool = authenticate::secret_exists, "existing", "whether a named pull secret exists in the pod's namespace; null where none is named";
    "secret.covers_host" Bool = authenticate::secret_covers_host, "covering", "whether a named pull secret holds an entry for the registry's host; null where none is named";
    "secret.fault" Text = authenticate::secret_fault, "it may be of the wrong type, or no registry configuration", "why the kubelet cannot use a named secret, by its type or form; null where it can read one of them or none is named";
    "secret.unretrieved" Bool = authenticate::secret_unretrieved, "missing", "whether the kubelet warned that it cannot retrieve a named pull secret";
    "provider.failed" Bool = authenticate::provider_failed, "failed", "whether the kubelet's log says that its credential provider failed for the image";
    "provider.could_not_connect" Bool = authenticate::provider_could_not_connect, "cut off", "whether that failure was one of the network";
    "provider.symptom" Text = authenticate::provider_symptom, "its failure", "what the provider's failure means by its words, by the symptom's name; null where the log shows none";
    "provider.shown_failed" Bool = authenticate::provider_shown_failed, "failed", "whether the kubelet's log, as far as the bundle holds one, shows that its credential provider failed for the image";
    "provider.shown_stopped" Bool = authenticate::provider_shown_stopped, "stopped", "whether it shows that the provider failed before any registry could weigh the identity's rights";
    "node.network" Text = servers::network_of_node, "the network of the nodes", "the network in which the node stands, by its identifier";
    "node.os" Text = cache::node_os, "the node's system", "the node's operating system: linux or windows";
    "node.arch" Text = cache::node_arch, "the node's processor", "the node's processor: amd64, arm64 ...";
    "node.runtime" Text = cache::node_runtime, "the node's runtime", "the node's runtime and its version";
    "node.is_newest" Bool = cache::node_is_newest, "newest", "whether the node joined after every node that holds the image; null where none is known to hold it";
    "node.hours_before_pull" Int = now::hours_before_pull, "some", "whole hours between the node's joining and the first asking for the image; null where the node joined later";
    "node.joined_before_pull" Text = now::joined_before_pull, "some time", "how long the node had been there when the image was first asked for, in words; null where it joined later";
    "node.older_node_fails_alike" Bool = now::older_node_fails_alike, "failing", "whether a node that is a day older or more stops at the same host in the same way";
    "node.version_is_alone" Bool = now::version_is_alone, "alone", "whether the node runs another kubelet or runtime than every node that pulled from the registry since, or else that holds the image; null where no such node is known";
    "registry.pulls_since" Int = now::registry_pulls_since, "no", "pulls over the network from the same registry, on any node, since the failure began";
    "registry.nodes_pulling_at_once" Int = now::nodes_pulling_at_once, "several", "nodes that asked for images of the same registry within ten minutes of this pull";
    "resolver.differs_from_older_nodes" Bool = now::resolvers_differ_from_older_nodes, "other", "whether the node's nameservers differ from those of every older node whose resolv.conf was collected";
    "node.entry_on_older_nodes_only" Bool = now::entry_on_older_nodes_only, "there", "whether only nodes that joined before this one have what would let the stop pass: the host in their hosts file, or the issuer in their trust store";
    "image.other_tag_held" Bool = now::other_tag_held, "held", "whether a node holds or ran another tag of the repository and is not known to hold this one";
    "image.on_other_nodes" Bool = cache::on_other_nodes, "held", "whether another node holds the image";
    "image.holding_nodes" List = cache::holding_nodes, "other nodes", "the other nodes that hold the image";
    "image.was_on_node" Bool = cache::was_on_node, "there before", "whether the image was on this node before";
    "image.removed_on_node" Bool = cache::removed_on_node, "removed", "whether the node cleaned images up";
    "registry.runs_from_cache" Bool = signs::runs_from_cache, "cached", "whether pods elsewhere run from an image of the registry that was there already";
    "image.policy_is_always" Bool = cache::policy_always, "Always", "whether a pod asks with pull policy Always";
    "elsewhere.pod_succeeded" Bool = cache::pod_success, "a success", "whether a look-up or request from a pod succeeded";
    "elsewhere.operator_succeeded" Bool = cache::operator_success, "a success", "whether a look-up or request from somebody's machine succeeded";
    "endpoint.is_another_host" Bool = signs::at_another_host, "another", "whether the stop is at a blob, token or proxied host that the reference does not name";
    "shown.fallback_host" Text = signs::shown_fallback, "the registry", "the registry's host, where the error that event and pod show is the registry's own and no mirror's; null otherwise";
    "registry.answers" Bool = signs::registry_answers, "answering", "whether somebody's request to the registry's own host was answered (200 or 401), from wherever it was made";
    "registry.challenges" Bool = signs::registry_challenges, "challenging", "whether it was answered with 401";
    "proxy.bypassed_for_registry_only" Bool = proxy::bypassed_for_registry_only, "bypassed", "whether NO_PROXY of the runtime covers the registry's own host and not the one at which the pull stopped";
    "elsewhere.login_succeeded" Bool = signs::login_succeeded, "a success", "whether somebody's docker login succeeded";
    "elsewhere.another_client_failed" Bool = signs::another_client_tested, "an error", "whether ctr, nerdctl or another client that reads no settings of the kubelet's side printed an error";
    "elsewhere.no_certificate_seen" Bool = signs::no_certificate_seen, "unseen", "whether a TLS test says that all is well and saw no certificate";
    "elsewhere.check_names_permission" Bool = signs::check_names_permission, "permission", "whether a registry check speaks of permission and its own text holds an error of the network";
    "elsewhere.registry_check_succeeded" Bool = cache::registry_check_success, "a success", "whether az acr check-health or az aks check-acr found the registry in order";
    "security_rules.outbound" Text = security::rules_outbound, "neither allowed nor denied for all that is known", "what the effective outbound rules of the node's interface say of the address: Allow or Deny";
    "security_rules.outbound_rule" Text = security::rule_outbound, "a rule", "the outbound rule that denies the address, with its number and group; null where none does";
    "security_rules.outbound_by_default" Bool = security::denied_by_default, "the platform's own", "whether that rule is one that the platform made";
    "security_rules.inbound" Text = security::rules_inbound, "neither allowed nor denied for all that is known", "what the rules on the registry's side say of the node's subnet: Allow or Deny";
    "security_rules.inbound_rule" Text = security::rule_inbound, "a rule", "the inbound rule that denies the node, with its number and group; null where none does";
    "network.of_address" Text = network::of_address, "another network", "the network of the bundle in which the address lies; null where it lies in none of those collected";
    "firewall.allows_host" Bool = egress::allows_host, "let through", "whether the firewall on the way lets the host through";
    "firewall.allows_registry" Bool = egress::allows_registry, "let through", "whether the firewall lets the registry's own host through";
    "peering.connects_networks" Bool = network::peering_connects, "connected", "whether a peering connects the node's network and the registry's";
    "peering.is_connected" Bool = network::peering_is_connected, "connected", "whether every peering on the way is connected on both sides";
    "peering.gives_gateway" Bool = network::peering_gives_gateway, "usable", "whether the peering lets the node's network use the hub's gateway";
    "peering.node_side" Text = network::peering_node_side, "its side at the node's network", "the id of the peering on the way, on the side of the node's network";
    "peering.hub_side" Text = network::peering_hub_side, "its other side", "the id of the peering on the way, on the side of the other network";
    "route_table.id" Text = network::route_table_id, "the route table", "the id of the route table of the node's subnet";
    "peering.allows_forwarded" Bool = network::peering_allows_forwarded, "admitted", "whether the peerings on the way admit forwarded traffic";
    "peering.is_in_sync" Bool = network::peering_is_in_sync, "in sync", "whether the peering carries every range of the remote network";
    "peering.meets_in_third" Bool = network::meet_in_third, "meeting", "whether the node's network and the registry's are both peered with a third";
    "route_table.takes_gateway_routes" Bool = network::takes_gateway_routes, "taken", "whether the subnet's route table takes the gateway's routes";
    "other_pool.route" Text = network::other_pool_route, "another route", "what another pool's subnet has for the address where that leads on; null where it leads on for none";
    "gateway.knows_prefix" Bool = network::gateway_knows, "known", "whether the gateway has a route to the registry's prefix";
    "tunnel.is_connected" Bool = network::tunnel_is_connected, "connected", "whether the VPN or circuit on the way is up";
    "return_route.exists" Bool = network::return_route_exists, "there", "whether the registry's side routes the node's subnet back";
    "registry_side.admits_node" Bool, told by "registry-side", "something that the bundle does not tell", "whether the firewall on the registry's side admits the node's subnet";
    "appliance.forwards" Bool = network::appliance_forwards, "forwarding", "whether the appliance that is the next hop forwards";
    "egress.exists" Bool = network::egress_exists, "there", "whether the subnet has a way out to the internet";
    "node.connection_table_full" Bool = measured::connection_table_full, "full", "whether the node's kernel said at the time of the failures that its table of tracked connections is full";
    "path.mtu_fits" Bool = measured::path_mtu_fits, "passing", "whether full-size packets pass the path";
    "zone.linked_to_node_network" Bool = zones::linked_to_node_network, "linked", "whether the private zone of the name is linked to the node's network";
    "zone.linked_to_dns_network" Bool = zones::linked_to_dns_network, "linked", "whether the private zone is linked to the network of the custom DNS servers";
    "zone.has_record" Bool = zones::has_record, "there", "whether the private zone holds a record for the name";
    "zone.has_registry_record" Bool = zones::has_registry_record, "there", "whether the private zone holds a record for the registry's own host";
    "zone.answers_node" Bool = zones::answers_node, "answering", "whether the private zone of the name is linked to the network whose resolver answers the node in the end";
    "zone.falls_back" Bool = zones::falls_back, "redirected", "whether the link lets a name that the zone lacks be asked for publicly";
    "zone.is_misnamed" Bool = zones::is_misnamed, "misnamed", "whether the record stands in a zone of a name into which the public name does not lead, and no zone of the right name is there";
    "zone.name" Text = zones::name, "the private zone", "the suffix of the private zone that counts for the host";
    "zone.record_addresses" List = zones::record_addresses, "an address", "the addresses that the private zone holds for the host; null where it holds none";
    "zone.hosts_without_record" List = zones::hosts_without_record, "the registry's other hosts", "hosts from which the registry's layers come and for which the private zone holds no record";
    "zone.record_is_endpoints" Bool = estate::record_is_endpoints, "the endpoint's", "whether the record's address belongs to a private endpoint of this registry";
    "zone.is_shadowed" Bool = zones::is_shadowed, "hidden", "whether a longer, empty zone answers for the name";
    "dns_server.forwards_zone" Bool = servers::forwards_zone, "forwarded", "whether the custom DNS server forwards the zone to the cloud's resolver";
    "network.dns_servers_match" Bool = network::dns_servers_match, "the same", "whether the node's nameservers are the ones set on its network";
    "localdns.forwards_to_network" Bool = servers::cache_forwards_to_network, "forwarded", "whether the node-local DNS cache forwards to the network's servers";
    "private_endpoint.exists" Bool = estate::endpoint_exists, "there", "whether the registry has a private endpoint";
    "private_endpoint.is_approved" Bool = estate::endpoint_is_approved, "approved", "whether the private endpoint's connection is approved";
    "private_endpoint.is_anothers" Bool = estate::endpoint_is_anothers, "another network's", "whether the node went to a private endpoint of another network while one lies in its own";
    "registry.hosts" List = estate::hosts, "the registry's hosts", "every host that a pull from the registry needs";
    "registry.anonymous_pull" Bool = estate::anonymous_pull, "on", "whether the registry lets anonymous callers pull";
    "registry.public_access" Bool = estate::public_access, "on", "whether the registry's public access is on";
    "registry.allows_client" Bool = estate::allows_client, "allowed", "whether the registry's network rules allow the address from which the node comes";
    "registry.allows_subnet" Bool = estate::allows_subnet, "allowed", "whether the registry's network rules let the node's subnet in";
    "subnet.has_registry_endpoint" Bool = estate::by_service_endpoint, "there", "whether the node's subnet has a service endpoint for the registry's service";
    "registry.was_changed" Bool = changes::registry_changed, "changed", "whether the registry or its private endpoints were changed after the last good pull and before the failures";
    "registry.login_server" Text = estate::login_server, "another host", "the login server of the registry whose name the host carries, with its hash where it has one";
    "registry.meant_host" Text = spelling::meant_host, "another host", "that login server; else, for a name that does not resolve, a host from which the cluster pulls and that differs by one letter or by the cloud's suffix";
    "registry.lists_client" Bool = estate::lists_client, "allowed", "whether the rules in the bundle let in the very address that was refused";
    "registry.honours_acrpull" Bool = estate::honours_acrpull, "honoured", "whether the registry honours AcrPull (not in ABAC mode)";
    "roles.allow_pull" Bool = roles::allow_pull, "allowed", "whether an assignment lets the node's identity pull from the registry";
    "roles.minutes_since_granted" Int = roles::minutes_since_granted, "some", "whole minutes between the granting of the nodes' identity's right and the refusal; null where it has none, or was given one only later";
    "link.is_expired" Bool = link::is_expired, "expired", "whether the link to the layer ended before it was used, by the times in both";
    "egress.ports_used_up" Bool = egress::ports_used_up, "used up", "whether the source ports behind which the node's connections leave were all in use while the pull failed";
    "registry.is_bootstrap" Bool = roles::is_bootstrap, "the bootstrap registry", "whether the cluster takes what its nodes start with from this registry, without an identity";
    "roles.ineffective" Text = roles::ineffective, "a role", "the role of the nodes' identity that would let it pull elsewhere and counts for nothing at this registry; null where it has none";
    "roles.exclude_repository" Bool = roles::excludes_repository, "excluded", "whether a condition on the role of the nodes' identity leaves the repository out";
    "roles.on_other_identity" Bool = roles::on_other_identity, "elsewhere", "whether the pull role sits on an identity that the nodes do not use";
    "service_principal.is_expired" Bool = roles::service_principal_is_expired, "expired", "whether the secret of the cluster's service principal is past its end";
    "identity.node_uses_another" Bool = roles::node_uses_another, "another", "whether the node's own configuration, as far as the bundle holds it, names another identity than the cluster does for its kubelets";
    "identity.is_assigned" Bool = roles::identity_is_assigned, "assigned", "whether the kubelet's identity is assigned to the scale set";
    "credentials.changed" Text = lately::credentials_changed, "something", "what of credentials or permissions for the registry was changed in the two weeks before the pull, after the last one that worked; null where the log of changes has nothing of the kind";
    "registry.worked_before" Bool = lately::registry_worked, "working", "whether anything of the registry lies or runs on a node, so that pulls from it did work";
    "registry.pulled_since_last_try" Bool = lately::registry_pulled_since_last_try, "pulled", "whether the node pulled another image of the registry since its last try of this one, within the kubelet's longest wait";
    "pod.ran_on_other_node" Text = lately::ran_on_other_node, "another node", "the node that holds the image and on which the pod, or the one in whose place it was made, was before; null where none is known or this node holds the image too";
    "node.left_out_by" Text = lately::left_out_by, "what sets the other nodes up", "the DaemonSet that sets up on the nodes of another pool what this stop lacks, and is bound to that pool; null where none is known";
    "credentials.are_outdated" Bool = authenticate::credentials_outdated, "outdated", "whether the stored credentials are older than their lifetime or the last rotation";
    "runtime.applies_settings" Bool = runtime::applies_settings, "in force", "whether the runtime's effective configuration holds the settings for the registry";
    "runtime.blocks_registry" Bool = runtime::blocks_registry, "blocking", "whether the configuration of CRI-O on the node blocks the registry or its repository";
    "runtime.search_registries" List = runtime::search_registries, "several registries", "the registries in which the node looks for an image without a host";
    "peer.asks_client_certificate" Bool = tls::asks_client_certificate, "asked for", "whether the host asks for a client certificate: its alert says so, or a TLS test on the node shows from which authorities it wants one";
    "runtime.gives_client_certificate" Bool = runtime::gives_client_certificate, "given", "whether the runtime was told of a client certificate for the host";
    "runtime.started_after_ca" Bool = tls::runtime_started_after_ca, "started", "whether the runtime started after the issuer was added, or reads the place where it lies for each pull";
    "trust.issuer_elsewhere_on_node" Bool = tls::issuer_elsewhere_on_node, "there", "whether the issuer lies on the node where the runtime does not look";
    "proxy.needed" Bool = proxy::needed, "needed", "whether the node has a proxy of which the runtime does not know";
    "handshake.cut_after_hello" Bool, told by "curl-output", "something that the bundle does not tell", "whether a request made on the node is cut right after the TLS hello";
    "certificate.is_intercepted" Bool = tls::intercepted, "intercepted", "whether the presented issuer is a proxy's or company's for a public host";
    "store.policy_allows" Bool, told by "service-endpoint-policies", "something that the bundle does not tell", "whether the subnet's service endpoint policy allows the registry's store";
    "pool.full" Bool = disk::pool_is_full, "full", "whether the thin pool under the image store is full";
    "disk.is_full" Bool = disk::is_full, "full", "whether the file system to which the runtime writes is out of blocks or inodes";
    "node.has_disk_pressure" Bool = disk::pressure, "under pressure", "whether the node reports the condition DiskPressure";
    "node_clock.is_right" Bool = clock::is_right, "right", "whether the node's clock is right";
}
