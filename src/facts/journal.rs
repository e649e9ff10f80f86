//! What did the node's services log of a pull? The runtime's own log knows more than the event.

use crate::bundle::Source;

use super::When;

/// Which service wrote the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unit {
    /// The kubelet.
    Kubelet,
    /// containerd.
    Containerd,
    /// CRI-O.
    Crio,
    /// The Docker daemon, or cri-dockerd.
    Docker,
}

/// One log line that concerns a pull.
#[derive(Debug, Clone)]
pub struct Record {
    /// The service.
    pub unit: Unit,
    /// The host that the line itself names.
    pub host: Option<String>,
    /// The node, once joined.
    pub node: Option<String>,
    /// Whether that join is a guess.
    pub guessed: bool,
    /// When.
    pub when: When,
    /// What it tells.
    pub what: Happening,
    /// Where it stands.
    pub source: Source,
}

/// What a log line tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Happening {
    /// A pull failed, with the runtime's own error text.
    Failed {
        /// The image, where the line names it.
        image: Option<String>,
        /// The error.
        text: String,
    },
    /// One host of the list did not serve the image, and the runtime goes on to the next.
    NextHost {
        /// The host as the runtime names it.
        host: String,
        /// Its error.
        text: String,
    },
    /// The runtime begins a pull: what follows, up to its end, may be of this one.
    Pulling {
        /// The image.
        image: String,
    },
    /// A pull succeeded over the network.
    Pulled {
        /// The image.
        image: String,
    },
    /// The runtime or kubelet cancelled a pull, and says why.
    Cancelled {
        /// The image.
        image: String,
        /// The line's own words.
        text: String,
    },
    /// The kubelet's credential provider gave nothing.
    Provider {
        /// The image, where the line names it.
        image: Option<String>,
        /// The error.
        text: String,
    },
    /// Image garbage collection removed an image, or some.
    Removed {
        /// The image or its id, where the line names it.
        image: Option<String>,
    },
}
