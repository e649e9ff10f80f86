//! What kind of artefact is this text? By what stands in its first lines.

/// The kinds that have a reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Json,
    Yaml,
    AzYaml,
    Describe,
    EventLines,
    KubeEvents,
    Table,
    Rows,
    ResolvConf,
    Hosts,
    IpRoute,
    IpRule,
    EffectiveRoutes,
    Certificates,
    OpenSsl,
    Dig,
    Nslookup,
    Curl,
    HostsToml,
    ProxyEnv,
    Services,
    Listing,
    RuntimeConfig,
    Disk,
    Ping,
    Links,
    KernelLog,
    Nftables,
    Iptables,
    NamedConf,
    DnsForwarders,
    Resolvectl,
    FirewallLog,
    ProxyLog,
    Log,
    Transcript,
    /// The message of a run command, as text.
    RunCommand,
    Sections,
    Unknown,
}

/// How many lines decide.
const LINES: usize = 400;

pub(super) fn kind(path: &str, head: &str) -> Kind {
    let lines: Vec<&str> = head.lines().take(LINES).collect();
    let any = |test: &dyn Fn(&str) -> bool| lines.iter().any(|l| test(l));
    let name = path.rsplit(['/', '!']).next().unwrap_or(path).to_lowercase();
    let first = head.trim_start();

    if is_backup(&name) {
        return Kind::Unknown;
    }
    if super::sections::are_sections(&lines) {
        return Kind::Sections;
    }
    if crate::facts::place::is_pod_log(path) {
        return Kind::Unknown;
    }
    if super::transcript::is_run_command(&lines) {
        return Kind::RunCommand;
    }
    if super::transcript::is_transcript(&lines) {
        return Kind::Transcript;
    }
    if super::kube_events::is_kube_events(&lines) {
        return Kind::KubeEvents;
    }
    if super::firewall_log::is_firewall_log(&lines) {
        return Kind::FirewallLog;
    }
    if super::proxy_log::is_proxy_log(&lines) {
        return Kind::ProxyLog;
    }
    if super::kernel_log::is_kernel_log(&lines) {
        return Kind::KernelLog;
    }
    if super::log::is_log(&lines) {
        return Kind::Log;
    }
    if super::curl::is_curl(&lines) {
        return Kind::Curl;
    }
    if is_json(first) || is_rest_of_json(&lines) || any(&|l| l == "{" || l == "[" || l.starts_with("{\"")) {
        return Kind::Json;
    }
    if any(&|l| l.starts_with("; <<>> DiG") || l.starts_with(";; ->>HEADER<<-") || l.starts_with(";; communications error") || super::dig::is_answer(l)) {
        return Kind::Dig;
    }
    if super::nslookup::is_nslookup(&lines) {
        return Kind::Nslookup;
    }
    if any(&|l| l.starts_with("CONNECTED(") || l == "Certificate chain" || l.starts_with("depth=")) {
        return Kind::OpenSsl;
    }
    if head.contains("-----BEGIN CERTIFICATE-----") || head.contains("-----BEGIN TRUSTED CERTIFICATE-----") {
        return Kind::Certificates;
    }
    if any(&|l| l.starts_with("Name:"))
        && any(&|l| l.starts_with("Namespace:") || l.starts_with("Events:"))
        && any(&|l| l.starts_with("Containers:") || l.starts_with("Events:") || l.starts_with("Node:"))
    {
        return Kind::Describe;
    }
    if any(&super::tables::is_header) {
        return Kind::Table;
    }
    if super::event_lines::are_event_lines(&lines) {
        return Kind::EventLines;
    }
    if any(&super::az::is_table_header) {
        return Kind::EffectiveRoutes;
    }
    if any(&super::az::is_yaml_line) && !any(&|l| l.trim_start_matches("- ").starts_with("apiVersion:")) {
        return Kind::AzYaml;
    }
    if any(&|l| l.starts_with("apiVersion:") || l.starts_with("- apiVersion:") || l.starts_with("kind:") || l.starts_with("items:")) {
        return Kind::Yaml;
    }
    if super::nftables::is_nftables(&lines) {
        return Kind::Nftables;
    }
    if super::iptables::is_iptables(&lines) {
        return Kind::Iptables;
    }
    if name == "hosts.toml" || any(&|l| l.trim_start().starts_with("[host.\"")) {
        return Kind::HostsToml;
    }
    if super::runtime_config::is_toml(&lines) || name == "registries.conf" {
        return Kind::RuntimeConfig;
    }
    if super::proxy_env::is_proxy_env(&lines) {
        return Kind::ProxyEnv;
    }
    // Without a nameserver only its name says what it is; that it names none is what matters.
    if super::resolv_conf::is_resolv_conf(&lines) || (name == "resolv.conf" && super::resolv_conf::may_be(&lines)) {
        return Kind::ResolvConf;
    }
    if super::named_conf::is_named_conf(&lines) {
        return Kind::NamedConf;
    }
    if super::resolvectl::is_resolvectl(&lines) {
        return Kind::Resolvectl;
    }
    if super::dns_forwarders::software(&name, &lines).is_some() {
        return Kind::DnsForwarders;
    }
    if super::ip_rule::is_ip_rule(&lines) {
        return Kind::IpRule;
    }
    if super::ip_route::is_ip_route(&lines) {
        return Kind::IpRoute;
    }
    if super::ping::is_ping(&lines) {
        return Kind::Ping;
    }
    if super::ping::are_links(&lines) {
        return Kind::Links;
    }
    if super::disk::is_disk(&lines) {
        return Kind::Disk;
    }
    if super::services::is_services(&lines) {
        return Kind::Services;
    }
    if super::dir_listing::is_listing(&lines) {
        return Kind::Listing;
    }
    if super::hosts_file::is_hosts_file(&name, &lines) {
        return Kind::Hosts;
    }
    if super::rows::are_rows(&lines) {
        return Kind::Rows;
    }
    Kind::Unknown
}

/// A list of objects whose beginning was cut off: its lines are fields and closing brackets.
fn is_rest_of_json(lines: &[&str]) -> bool {
    let said: Vec<&str> = lines.iter().map(|l| l.trim()).filter(|l| !l.is_empty()).skip(1).take(60).collect();
    let of_json = |l: &&&str| (l.starts_with('"') && (l.contains("\":") || l.ends_with(['"', ',']))) || l.starts_with(['{', '}', ']']);
    let compact = lines.len() <= 2 && lines.iter().any(|l| l.contains("},{\"") && l.contains("\":"));
    compact || (said.len() > 3 && said.iter().filter(of_json).count() * 10 >= said.len() * 9)
}

/// What an editor or a package keeps of a file that it replaced: no program reads it.
fn is_backup(name: &str) -> bool {
    [".bak", ".old", ".orig", ".save", ".rpmsave", ".rpmnew", ".dpkg-old", ".dpkg-dist", ".swp", "~"].iter().any(|e| name.ends_with(e))
}

/// `[Service]` and `[host."..."]` begin as arrays do, and are none.
fn is_json(first: &str) -> bool {
    // `[[registry]]` is TOML's list of tables.
    let in_array = |rest: &str| {
        !rest.strip_prefix('[').is_some_and(|r| r.starts_with(|c: char| c.is_ascii_alphabetic()))
            && rest.trim_start().starts_with(['{', '[', '"', ']'])
            && !rest.starts_with(|c: char| c.is_ascii_alphabetic())
    };
    // A shell's `{ date; ip route; }` and a template's `{{` are no objects.
    let in_object = |rest: &str| matches!(rest.trim_start().chars().next(), None | Some('"' | '}'));
    first.strip_prefix('{').is_some_and(in_object) || first.strip_prefix('[').is_some_and(in_array)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_decides() {
        for (path, head, want) in [
            ("a.txt", "{\"kind\":\"PodList\"}", Kind::Json),
            ("a", "WARNING: something on stderr\n{\n  \"kind\": \"List\"", Kind::Json),
            ("events", "---\napiVersion: v1\nitems:\n", Kind::Yaml),
            ("x", "nameserver 10.0.0.10\nsearch corp.example\n", Kind::ResolvConf),
            ("x", "default via 10.0.0.1 dev eth0\n", Kind::IpRoute),
            ("x", "0:\tfrom all lookup local\n", Kind::IpRule),
            ("x", "$ hostname\nnode-1\n$ cat /etc/resolv.conf\nnameserver 10.0.0.10\n", Kind::Transcript),
            ("x", "# ip addresses of the site\nnameserver 10.0.0.10\n", Kind::ResolvConf),
            ("hosts", "127.0.0.1 localhost\n", Kind::Hosts),
            ("notes.txt", "We tried everything.\n", Kind::Unknown),
            ("cluster-resources/pods/logs/ns/pod/c.log", "time=\"2026-11-30T10:00:00Z\" level=error msg=x\n", Kind::Unknown),
        ] {
            assert_eq!(kind(path, head), want, "{path} {head}");
        }
    }
}
