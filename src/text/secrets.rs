//! What must never reach an output, whoever wrote it into the bundle? Signatures in links, passwords, tokens, keys.

use std::borrow::Cow;

const HIDDEN: &str = "[hidden]";

/// Names of URL query values and of `key=value` or `key: value` pairs whose values are secrets, in lower case.
const NAMES: [&str; 22] = [
    "sig",
    "signature",
    "x-amz-signature",
    "x-amz-credential",
    "x-amz-security-token",
    "x-goog-signature",
    "x-goog-credential",
    "se",
    "verify",
    "policy",
    "key-pair-id",
    "token",
    "access_token",
    "refresh_token",
    "id_token",
    "password",
    "passwd",
    "secret",
    "client_secret",
    "authorization",
    "auth",
    "identitytoken",
];

/// The text with every value hidden that could be a credential: query values by their names, `user:password@` in URLs,
/// bearer and basic tokens, decoded registry credentials that containerd prints, and dumped private keys.
pub fn redact(text: &str) -> Cow<'_, str> {
    let mut out = Cow::Borrowed(text);
    for rule in [hide_userinfo, hide_named_values, hide_bearer, hide_decoded_auth, hide_keys] {
        if let Some(changed) = rule(&out) {
            out = Cow::Owned(changed);
        }
    }
    out
}

/// `scheme://user:password@host` keeps the host alone.
fn hide_userinfo(text: &str) -> Option<String> {
    let mut out = String::new();
    let mut rest = text;
    let mut changed = false;
    while let Some(at) = rest.find("://") {
        let (head, tail) = rest.split_at_checked(at + 3)?;
        out.push_str(head);
        let end = tail.find(|c: char| c.is_whitespace() || matches!(c, '/' | '"' | '\'' | '?' | '#')).unwrap_or(tail.len());
        let (authority, after) = tail.split_at_checked(end)?;
        match authority.rfind('@') {
            Some(split) => {
                changed = true;
                out.push_str(HIDDEN);
                out.push_str(authority.get(split..)?);
            }
            None => out.push_str(authority),
        }
        rest = after;
    }
    out.push_str(rest);
    changed.then_some(out)
}

fn hide_named_values(text: &str) -> Option<String> {
    let mut out = String::new();
    let mut last = 0;
    let mut changed = false;
    for (at, mark) in text.match_indices(['=', ':']) {
        if at < last {
            continue;
        }
        let name = text.get(last..at)?.trim_end_matches(['"', ' ', '\\']);
        let start = name.rfind(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '_')).map_or(0, |i| i + 1);
        let name = name.get(start..)?.to_ascii_lowercase();
        // With a colon the word must be a key of its own: `token: x`, not `lookup token.example: no such host`.
        let is_key = NAMES.contains(&name.as_str()) && (mark == "=" || text.get(at + 1..)?.starts_with('"') || is_header(&name));
        if !is_key {
            continue;
        }
        let value_at = at + 1 + text.get(at + 1..)?.len() - text.get(at + 1..)?.trim_start_matches([' ', '"', '\\']).len();
        let value = text.get(value_at..)?;
        let header = is_header(&name);
        let end = value
            .find(|c: char| matches!(c, '&' | '"' | '\'' | '\\' | ',' | ';' | ')' | '>') || (!header && c.is_whitespace()) || c == '\n')
            .unwrap_or(value.len());
        if end == 0 || value.get(..end)?.contains("REDACTED") {
            continue;
        }
        changed = true;
        out.push_str(text.get(last..value_at)?);
        out.push_str(HIDDEN);
        last = value_at + end;
    }
    out.push_str(text.get(last..)?);
    changed.then_some(out)
}

fn is_header(name: &str) -> bool {
    matches!(name, "authorization" | "password" | "identitytoken" | "client_secret" | "access_token" | "refresh_token")
}

fn hide_bearer(text: &str) -> Option<String> {
    let mut out = text.to_owned();
    for scheme in ["Bearer ", "Basic "] {
        let mut from = 0;
        while let Some(found) = out.get(from..)?.find(scheme) {
            let start = from + found + scheme.len();
            let value = out.get(start..)?;
            let end = value.find(|c: char| !(c.is_ascii_alphanumeric() || "+/=._-".contains(c))).unwrap_or(value.len());
            // `Bearer realm="..."` is a challenge, not a token.
            if end >= 16 {
                out.replace_range(start..start + end, HIDDEN);
            }
            from = start;
        }
    }
    (out != text).then_some(out)
}

/// containerd prints `invalid decoded auth: "user:password"`.
fn hide_decoded_auth(text: &str) -> Option<String> {
    let mark = "invalid decoded auth: ";
    let at = text.find(mark)? + mark.len();
    let end = text.get(at..)?.find('\n').map_or(text.len(), |i| at + i);
    Some(format!("{}{HIDDEN}{}", text.get(..at)?, text.get(end..)?))
}

fn hide_keys(text: &str) -> Option<String> {
    let at = text.find("PRIVATE KEY-----")? + "PRIVATE KEY-----".len();
    let end = text.get(at..)?.find("-----END").map_or(text.len(), |i| at + i);
    (end > at).then(|| Some(format!("{}{HIDDEN}{}", text.get(..at)?, text.get(end..)?)))?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lose_their_signatures_and_keep_their_shape() {
        let link = r#"Get "https://b.example/data?se=2026-11-30&sig=abc%3D&sp=r": EOF"#;
        assert_eq!(redact(link), r#"Get "https://b.example/data?se=[hidden]&sig=[hidden]&sp=r": EOF"#);
    }

    #[test]
    fn user_and_password_of_a_proxy_go() {
        assert_eq!(redact("HTTPS_PROXY=http://me:pw@proxy:3128/"), "HTTPS_PROXY=http://[hidden]@proxy:3128/");
    }

    #[test]
    fn tokens_headers_and_decoded_auth_go() {
        assert_eq!(redact("Authorization: Bearer eyJhbGciOiJSUzI1NiJ9.abc"), "Authorization: [hidden]");
        assert_eq!(redact("sent Bearer eyJhbGciOiJSUzI1NiJ9.abc ok"), "sent Bearer [hidden] ok");
        assert_eq!(redact(r#"invalid decoded auth: "u:p""#), "invalid decoded auth: [hidden]");
        assert_eq!(redact(r#"{"password":"hunter2","x":1}"#), r#"{"password":"[hidden]","x":1}"#);
    }

    #[test]
    fn what_is_no_secret_stays() {
        for text in [
            "dial tcp: lookup token.example on 10.0.0.10:53: no such host",
            r#"Www-Authenticate: Bearer realm="https://auth.example/token",service="r""#,
            "failed to fetch oauth token: unexpected status: 401 Unauthorized",
            "https://r.example/oauth2/token?scope=repository%3Aa%3Apull&service=r.example: 401 Unauthorized",
        ] {
            assert_eq!(redact(text), text);
        }
    }
}
