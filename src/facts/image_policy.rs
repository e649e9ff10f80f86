//! Which images does a node's policy admit?

use crate::bundle::Source;

/// A policy of which images a node admits.
#[derive(Debug, Clone)]
pub struct ImagePolicy {
    /// Its scopes. That without a name is the default; of two, the first counts.
    pub scopes: Vec<PolicyScope>,
}

/// What a policy demands of the images below a name.
#[derive(Debug, Clone)]
pub struct PolicyScope {
    /// A host, a repository or what stands above it, a tagged image, or `*.` and a suffix of hosts; empty for all.
    pub name: String,
    /// `reject`, `insecureAcceptAnything`, `signedBy`, `sigstoreSigned`.
    pub requirements: Vec<String>,
    /// Where it stands.
    pub source: Source,
}
