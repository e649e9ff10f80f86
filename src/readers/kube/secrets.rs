//! Can the kubelet use a secret as registry credentials, and for which hosts? Nothing else of its content is looked at or kept.

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;

use super::raw::RawObject;
use crate::bundle::Source;
use crate::facts::{Evidence, Known, PullSecret, When};
use crate::readers::File;

/// The types from which the kubelet takes registry credentials.
fn is_registrys(kind: &str) -> bool {
    kind.starts_with("kubernetes.io/dockerc")
}

pub(super) fn secret(file: &mut File<'_>, raw: RawObject, text: &str, line: u32) {
    let kind = raw.kind_of_secret.unwrap_or_default();
    let name = raw.metadata.name.unwrap_or_default();
    let source = file.source(line, &format!("secret {name} ({kind})"));
    let evidence = || Evidence::of(&source);
    let content = raw.data.get(".dockerconfigjson").or_else(|| raw.data.get(".dockercfg"));
    let (hosts, fault) = match content.map(|c| content_of(c)) {
        _ if !is_registrys(&kind) => (Known::NotCollected("pull-secrets"), by_type(&kind, &source)),
        Some(Content::Hosts(hosts)) => (Known::Seen(hosts, evidence()), Known::Absent(evidence())),
        Some(Content::Faulty(fault)) => (Known::NotCollected("pull-secrets"), Known::Seen(fault, evidence())),
        Some(Content::Hidden) | None => (Known::NotCollected("pull-secrets"), Known::NotCollected("pull-secrets")),
    };
    let changed = super::objects::changed(raw.metadata.creation_timestamp.as_ref(), text);
    let namespace = raw.metadata.namespace.unwrap_or_default();
    keep(file, PullSecret { namespace, name, kind, hosts, fault, changed, source });
}

/// The same of a row of a table, which shows no content.
pub(in crate::readers) fn listed(file: &mut File<'_>, namespace: &str, name: &str, kind: &str, changed: When, source: Source) {
    let fault = if is_registrys(kind) { Known::NotCollected("pull-secrets") } else { by_type(kind, &source) };
    let (namespace, name, kind) = (namespace.to_owned(), name.to_owned(), kind.to_owned());
    keep(file, PullSecret { namespace, name, kind, hosts: Known::NotCollected("pull-secrets"), fault, changed, source });
}

/// Secrets of other types than these are nobody's credentials for a registry, meant or mistaken.
fn keep(file: &mut File<'_>, secret: PullSecret) {
    if is_registrys(&secret.kind) || matches!(secret.kind.as_str(), "Opaque" | "kubernetes.io/basic-auth") {
        file.facts.secrets.push(secret);
    }
}

fn by_type(kind: &str, source: &Source) -> Known<&'static str> {
    let fault = match kind {
        "kubernetes.io/basic-auth" => "it is of the type kubernetes.io/basic-auth",
        _ => "it is of the type Opaque",
    };
    Known::Seen(fault, Evidence::of(source))
}

/// What a registry configuration shows of itself.
enum Content {
    /// The hosts for which it holds entries.
    Hosts(Vec<String>),
    /// Why it is none.
    Faulty(&'static str),
    /// A collector took it out.
    Hidden,
}

/// Entries by host, of which only the form is looked at.
type Entries = BTreeMap<String, serde_json::Value>;

#[derive(Deserialize)]
struct Config {
    auths: Entries,
}

fn content_of(encoded: &str) -> Content {
    let Some(bytes) = unpacked(encoded) else { return Content::Hidden };
    let words = String::from_utf8_lossy(&bytes).to_lowercase();
    if is_hidden(&words) && !words.contains('{') {
        return Content::Hidden;
    }
    let entries = match serde_json::from_slice::<Config>(&bytes) {
        Ok(config) => config.auths,
        Err(_) => match serde_json::from_slice::<Entries>(&bytes) {
            Ok(entries) if entries.values().all(serde_json::Value::is_object) => entries,
            _ if !words.trim().is_empty() && unpacked(&String::from_utf8_lossy(&bytes)).is_some() => return Content::Faulty("its content is encoded twice"),
            _ => return Content::Faulty("its content is no registry configuration in JSON"),
        },
    };
    if entries.values().filter_map(|e| e.get("auth")?.as_str()).any(|auth| !is_pair(auth)) {
        return Content::Faulty("an entry's user and password are not encoded as user:password");
    }
    Content::Hosts(entries.into_keys().collect())
}

fn unpacked(encoded: &str) -> Option<Vec<u8>> {
    let packed: String = encoded.chars().filter(|c| !c.is_whitespace()).collect();
    STANDARD.decode(packed).ok()
}

/// Whether the field holds what the kubelet wants there. What a collector put in its place is taken for that.
fn is_pair(auth: &str) -> bool {
    auth.is_empty() || is_hidden(&auth.to_lowercase()) || unpacked(auth).is_some_and(|pair| pair.contains(&b':'))
}

/// Words and signs that collectors put in the place of secrets.
fn is_hidden(words: &str) -> bool {
    words.contains(['*', '<', '[']) || ["redact", "hidden", "removed", "masked", "xxxx", "omitted", "secret"].iter().any(|w| words.contains(w))
}
