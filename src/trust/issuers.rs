//! Who signs for whom? The names of devices that open connections, of public registries and of the authorities that sign for them.

use super::defects::below;
use crate::facts::Certificate;

/// Words in the names of devices and services that end TLS and present certificates of their own.
const INSPECTORS: [&str; 24] = [
    "zscaler",
    "fortinet",
    "fortigate",
    "palo alto",
    "netskope",
    "blue coat",
    "bluecoat",
    "cisco umbrella",
    "forcepoint",
    "websense",
    "sophos",
    "skyhigh",
    "mcafee web gateway",
    "check point",
    "mitmproxy",
    "cato networks",
    "iboss",
    "barracuda",
    "watchguard",
    "sonicwall",
    "ssl inspection",
    "tls inspection",
    "decryption",
    "forward trust",
];

/// Hosts of registries and their stores whose certificates come from public authorities.
const PUBLIC_HOSTS: [&str; 16] = [
    "docker.io",
    "docker.com",
    "azurecr.io",
    "mcr.microsoft.com",
    "blob.core.windows.net",
    "quay.io",
    "ghcr.io",
    "githubusercontent.com",
    "gcr.io",
    "pkg.dev",
    "googleapis.com",
    "amazonaws.com",
    "k8s.io",
    "registry.redhat.io",
    "cloudfront.net",
    "gitlab.com",
];

/// Whether the host is of a registry, or of a store, that serves the whole internet.
pub fn is_public_host(host: &str) -> bool {
    PUBLIC_HOSTS.iter().any(|h| below(host, h))
}

/// Words in the names of the authorities that sign for those hosts.
const PUBLIC_AUTHORITIES: [&str; 14] = [
    "digicert",
    "let's encrypt",
    "isrg",
    "sectigo",
    "globalsign",
    "o=amazon",
    "google trust services",
    "microsoft corporation",
    "entrust",
    "godaddy",
    "comodo",
    "usertrust",
    "starfield",
    "cloudflare",
];

/// Whether somebody between presents a certificate of his own for `host`; none where the names do not tell.
pub fn is_intercepted(leaf: &Certificate, host: &str) -> Option<bool> {
    let issuer = leaf.issuer.to_lowercase();
    if INSPECTORS.iter().any(|w| issuer.contains(w)) {
        return Some(true);
    }
    let public = PUBLIC_AUTHORITIES.iter().any(|w| issuer.contains(w));
    match (is_public_host(host), public) {
        (true, public) => Some(!public),
        (false, true) => Some(false),
        (false, false) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bundle::{FileId, Source};

    #[test]
    fn who_signs_for_whom() {
        let by = |issuer: &str| Certificate { issuer: issuer.into(), ..Certificate::bare("leaf".into(), Source::new(FileId::default(), 1, "")) };
        assert_eq!(is_intercepted(&by("O=Zscaler Inc., CN=Zscaler Intermediate Root CA"), "r.corp.example"), Some(true));
        assert_eq!(is_intercepted(&by("O=Example Corp, CN=Example Corp Proxy CA"), "mcr.microsoft.com"), Some(true));
        assert_eq!(is_intercepted(&by("C=US, O=DigiCert Inc, CN=DigiCert TLS RSA SHA256 2020 CA1"), "x.azurecr.io"), Some(false));
        assert_eq!(is_intercepted(&by("O=Example Corp, CN=Example Corp Issuing CA 4"), "registry.corp.example"), None);
    }
}
