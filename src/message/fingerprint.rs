//! Which runtime speaks like this, and from which version to which? Its words changed over the years.

/// A runtime and the versions that print these words, as far as the words tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fingerprint {
    /// `containerd`, `cri-o`, `docker`: as a node reports it.
    pub runtime: &'static str,
    /// The first version, major and minor.
    pub since: Option<(u32, u32)>,
    /// The last version.
    pub until: Option<(u32, u32)>,
}

const fn of(runtime: &'static str, since: Option<(u32, u32)>, until: Option<(u32, u32)>) -> Fingerprint {
    Fingerprint { runtime, since, until }
}

/// The more telling words stand first.
const WORDS: [(&str, Fingerprint); 10] = [
    ("failed to resolve image:", of("containerd", Some((2, 1)), None)),
    ("short read: expected", of("containerd", Some((2, 1)), None)),
    ("failed to extract layer (", of("containerd", Some((2, 1)), None)),
    ("failed with status code [manifests", of("containerd", Some((1, 5)), Some((1, 6)))),
    ("failed to read expected number of bytes", of("containerd", None, Some((2, 0)))),
    ("unexpected status code http", of("containerd", None, Some((2, 0)))),
    ("unable to pull image or OCI artifact", of("cri-o", Some((1, 33)), None)),
    ("initializing source docker://", of("cri-o", None, None)),
    ("failed to pull and unpack image", of("containerd", None, None)),
    ("Error response from daemon:", of("docker", None, None)),
];

/// What the words tell of their speaker.
pub fn fingerprint(text: &str) -> Option<Fingerprint> {
    WORDS.iter().find(|(words, _)| text.contains(words)).map(|(_, f)| *f)
}

impl Fingerprint {
    /// Whether a node that reports this runtime (`containerd://1.7.24`) cannot have said it.
    pub fn contradicts(&self, reported: &str) -> bool {
        let Some((name, version)) = reported.split_once("://") else { return false };
        if name != self.runtime {
            // Whatever stands in front of Docker calls it so.
            return !(self.runtime == "docker" && name.contains("docker"));
        }
        let mut parts = version.trim_start_matches('v').split('.').map(|p| p.chars().take_while(char::is_ascii_digit).collect::<String>().parse::<u32>().ok());
        let (Some(Some(major)), Some(Some(minor))) = (parts.next(), parts.next()) else { return false };
        self.since.is_some_and(|s| (major, minor) < s) || self.until.is_some_and(|u| (major, minor) > u)
    }

    /// In words: `containerd 2.1 or later`.
    pub fn shown(&self) -> String {
        match (self.since, self.until) {
            (Some((a, b)), None) => format!("{} {a}.{b} or later", self.runtime),
            (None, Some((a, b))) => format!("{} {a}.{b} or earlier", self.runtime),
            (Some((a, b)), Some((c, d))) => format!("{} {a}.{b} to {c}.{d}", self.runtime),
            (None, None) => self.runtime.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_tell_versions() {
        let new = fingerprint("failed to pull and unpack image \"a\": failed to resolve image: EOF").unwrap();
        assert!(new.contradicts("containerd://1.7.24") && !new.contradicts("containerd://2.1.0") && new.contradicts("cri-o://1.30.1"));
        let old = fingerprint("pulling from host r failed with status code [manifests 1]: 401 Unauthorized").unwrap();
        assert!(old.contradicts("containerd://1.7.0") && !old.contradicts("containerd://1.6.20"));
        assert!(!fingerprint("Error response from daemon: x").unwrap().contradicts("docker://24.0.7"));
        assert_eq!(fingerprint("EOF"), None);
    }
}
