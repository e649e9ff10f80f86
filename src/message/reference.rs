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
        let valid = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"._-".contains(&b));
        if !path.split('/').all(valid) || tag.as_deref() == Some("") {
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
