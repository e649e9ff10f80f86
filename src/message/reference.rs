//! Which registry, repository and tag does an image reference name? By the rules of the distribution project.

use std::fmt;

/// An image reference, as written and as the runtime completes it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reference {
    /// Host, with its port where it has one: `docker.io` where none is written.
    pub host: String,
    /// Whether the reference names a host itself.
    pub names_host: bool,
    /// Repository, `library/` added for Docker Hub's own images.
    pub repository: String,
    /// Tag; `latest` where neither tag nor digest is written.
    pub tag: Option<String>,
    /// Digest.
    pub digest: Option<String>,
}

/// The host that a reference without one means.
pub(super) const DEFAULT_HOST: &str = "docker.io";

impl Reference {
    /// Reads a reference; none where no runtime could (a scheme, blanks, an upper-case repository, an empty part).
    pub fn parse(text: &str) -> Option<Reference> {
        let text = text.trim();
        if text.is_empty() || text.contains("://") || text.chars().any(|c| c.is_whitespace() || "<>${}\"".contains(c)) {
            return None;
        }
        let (rest, digest) = match text.split_once('@') {
            Some((rest, digest)) => (rest, Some(digest.to_owned()).filter(|d| d.contains(':'))),
            None => (text, None),
        };
        let (name, tag) = match rest.rsplit_once(':') {
            Some((name, tag)) if !tag.contains('/') && !tag.contains(']') => (name, Some(tag.to_owned())),
            _ => (rest, None),
        };
        let (host, path) = match name.split_once('/') {
            Some((first, path)) if is_host(first) => (Some(first), path),
            _ => (None, name),
        };
        if !path.split('/').all(is_component) || path.len() > LONGEST || !tag.as_deref().is_none_or(is_tag) || !host.is_none_or(is_name_of_host) {
            return None;
        }
        // Docker reads a bare name of this form as an image's id.
        if rest.len() == 64 && rest.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b)) {
            return None;
        }
        let host_name = match host {
            None | Some("index.docker.io" | "registry-1.docker.io") => DEFAULT_HOST.to_owned(),
            Some(host) => host.to_lowercase(),
        };
        let repository = if host_name == DEFAULT_HOST && !path.contains('/') { format!("library/{path}") } else { path.to_owned() };
        let tag = tag.or_else(|| digest.is_none().then(|| "latest".to_owned()));
        Some(Reference { host: host_name, names_host: host.is_some(), repository, tag, digest })
    }

    /// The host without its port.
    pub fn bare_host(&self) -> &str {
        let host = self.host.as_str();
        match host.rsplit_once(':') {
            Some((bare, port)) if port.bytes().all(|b| b.is_ascii_digit()) => bare,
            _ => host,
        }
    }
}

/// A first part is a host if it holds a dot or a colon, is `localhost`, or has a capital, which no repository has.
/// The longest repository.
const LONGEST: usize = 255;

/// Lower-case letters and digits, between them a dot, one or two underscores, or any number of hyphens.
fn is_component(part: &str) -> bool {
    let word = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
    let between = |gap: &str| matches!(gap, "." | "_" | "__") || gap.bytes().all(|b| b == b'-');
    let ends = part.bytes().next().is_some_and(word) && part.bytes().next_back().is_some_and(word);
    ends && part.split(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit()).all(between)
}

/// Letters, digits, underscores, and behind the first of them dots and hyphens; 128 at most.
fn is_tag(tag: &str) -> bool {
    let word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    tag.len() <= 128 && tag.bytes().next().is_some_and(word) && tag.bytes().all(|b| word(b) || b".-".contains(&b))
}

/// A name of labels or an address, an IPv6 one in brackets, and a port of digits.
fn is_name_of_host(host: &str) -> bool {
    let (name, port) = match (host.strip_prefix('['), host.split_once(':')) {
        (Some(rest), _) => match rest.split_once(']') {
            Some((address, behind)) if address.parse::<std::net::Ipv6Addr>().is_ok() => ("", behind.strip_prefix(':').or((!behind.is_empty()).then_some(""))),
            _ => return false,
        },
        (None, Some((name, port))) => (name, Some(port)),
        (None, None) => (host, None),
    };
    let label = |l: &str| {
        let inside = l.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b));
        inside && !l.is_empty() && !l.starts_with('-') && !l.ends_with('-')
    };
    (host.starts_with('[') || name.split('.').all(label)) && port.is_none_or(|p| !p.is_empty() && p.bytes().all(|b| b.is_ascii_digit()))
}

fn is_host(first: &str) -> bool {
    first.contains(['.', ':']) || first == "localhost" || first.bytes().any(|b| b.is_ascii_uppercase())
}

impl fmt::Display for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.host, self.repository)?;
        if let Some(tag) = &self.tag {
            write!(f, ":{tag}")?;
        }
        match &self.digest {
            Some(digest) => write!(f, "@{digest}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_completed() {
        for (written, whole) in [
            ("nginx", "docker.io/library/nginx:latest"),
            ("team/app:1", "docker.io/team/app:1"),
            ("index.docker.io/library/nginx:1", "docker.io/library/nginx:1"),
            ("localhost/x", "localhost/x:latest"),
            ("reg:5000/x:y", "reg:5000/x:y"),
            ("[fd00::1]:5000/team/app:v1", "[fd00::1]:5000/team/app:v1"),
            ("MyReg/x", "myreg/x:latest"),
            ("r.example/a:1@sha256:ab", "r.example/a:1@sha256:ab"),
            ("r.example/a@sha256:ab", "r.example/a@sha256:ab"),
        ] {
            assert_eq!(Reference::parse(written).unwrap().to_string(), whole, "{written}");
        }
    }

    #[test]
    fn what_no_runtime_reads_is_none() {
        for text in ["", "https://r.example/a", "r.example/Team/app", "<image>:1", "a b", "r.example/a:", "/apps/x:1", "${IMAGE}"] {
            assert_eq!(Reference::parse(text), None, "{text}");
        }
    }
}
