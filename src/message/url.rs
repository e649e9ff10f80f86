//! Which host was asked, and for what? A URL in an error text is the last hop, after redirects.

use std::net::{IpAddr, Ipv6Addr};

/// What a URL asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asks {
    /// `/v2/`, or the v1 ping.
    Ping,
    /// A token.
    Token,
    /// `/manifests/`.
    Manifest,
    /// `/blobs/`, or a store's own path.
    Blob,
    /// The instance metadata service.
    Identity,
    /// Nothing that the path tells.
    Other,
}

/// A URL by its parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Url {
    pub(super) host: String,
    pub(super) port: Option<u16>,
    pub(super) asks: Asks,
    /// `?ns=`: the registry on whose behalf a mirror is asked.
    pub(super) namespace: Option<String>,
    /// Repository and tag or digest, where a manifest is asked for.
    pub(super) manifest: Option<(String, String)>,
}

impl Url {
    /// The image that the URL asks for.
    pub(super) fn image(&self) -> Option<String> {
        let (repository, tag) = self.manifest.as_ref()?;
        let asked = self.port.map_or_else(|| self.host.clone(), |port| format!("{}:{port}", self.host));
        let host = match self.namespace.as_deref().unwrap_or(&asked) {
            "registry-1.docker.io" | "index.docker.io" => "docker.io",
            host => host,
        };
        let image = format!("{host}/{repository}{}{tag}", if tag.contains(':') { '@' } else { ':' });
        super::Reference::parse(&image).map(|_| image)
    }
}

/// Splits an address `host`, `host:port`, `[v6]`, `[v6]:port`; the host in lower case and without brackets.
pub(super) fn host_port(text: &str) -> (String, Option<u16>) {
    if let Some(rest) = text.strip_prefix('[') {
        let (host, after) = rest.split_once(']').unwrap_or((rest, ""));
        return (host.to_lowercase(), after.strip_prefix(':').and_then(|p| p.parse().ok()));
    }
    match text.rsplit_once(':') {
        Some((host, port)) if !host.contains(':') && port.bytes().all(|b| b.is_ascii_digit()) && !port.is_empty() => (host.to_lowercase(), port.parse().ok()),
        Some((host, "")) => (host.to_lowercase(), None),
        _ => (text.to_lowercase(), None),
    }
}

/// An address with its zone taken off.
pub(super) fn address(text: &str) -> Option<IpAddr> {
    let bare = text.split('%').next().unwrap_or(text);
    bare.parse().ok().or_else(|| bare.parse::<Ipv6Addr>().ok().map(IpAddr::V6))
}

pub(super) fn parse(url: &str) -> Option<Url> {
    let rest = url.split_once("://").map(|(_, rest)| rest)?;
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, tail) = rest.split_at_checked(end)?;
    let authority = authority.rsplit('@').next().unwrap_or(authority);
    let (host, port) = host_port(authority);
    if host.is_empty() {
        return None;
    }
    let (path, query) = tail.split_once('?').unwrap_or((tail, ""));
    let namespace = query.split('&').find_map(|p| p.strip_prefix("ns=")).map(|n| n.replace("%3A", ":").replace("%3a", ":"));
    let manifest = path.strip_prefix("/v2/").and_then(|p| p.split_once("/manifests/")).map(|(r, t)| (r.to_owned(), t.to_owned()));
    Some(Url { asks: asks(&host, path, query), host, port, namespace, manifest })
}

fn asks(host: &str, path: &str, query: &str) -> Asks {
    let lower = path.to_ascii_lowercase();
    if host == "169.254.169.254" || lower.contains("/metadata/identity") {
        Asks::Identity
    } else if lower.contains("/manifests/") {
        Asks::Manifest
    } else if lower.contains("/blobs/")
        || lower.contains("/blobs-")
        || query.contains("X-Amz-")
        || query.contains("sig=")
        || (lower.contains("sha256") && !lower.ends_with(".sha256"))
    {
        Asks::Blob
    } else if lower.ends_with("/token")
        || lower.contains("/oauth2/")
        || lower.ends_with("/jwt/auth")
        || query.contains("scope=repository")
        || (query.contains("service=") && query.contains("scope="))
    {
        Asks::Token
    } else if matches!(lower.as_str(), "/v2/" | "/v2" | "/v1/_ping" | "/v1/" | "") {
        Asks::Ping
    } else {
        Asks::Other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_url() {
        let url = parse("http://kind-registry:5001/v2/image/manifests/latest?ns=localhost%3A5001").unwrap();
        assert_eq!((url.host.as_str(), url.port, url.asks, url.namespace.as_deref()), ("kind-registry", Some(5001), Asks::Manifest, Some("localhost:5001")));
        assert_eq!(parse("https://[2001:db8::1]:443/v2/").unwrap().host, "2001:db8::1");
        assert_eq!(parse("https://a.example/oauth2/token?scope=repository%3Aa&service=a.example").unwrap().asks, Asks::Token);
        assert_eq!(parse("https://user:pw@p.example/x").unwrap().host, "p.example");
        assert_eq!(parse("https:///v2/"), None);
    }

    #[test]
    fn hosts_and_ports() {
        assert_eq!(host_port("R.example:5000"), ("r.example".into(), Some(5000)));
        assert_eq!(host_port("[::1]:53"), ("::1".into(), Some(53)));
        assert_eq!(host_port("fe80::1"), ("fe80::1".into(), None));
    }
}
