//! Is the text about something else than a pull? Sandboxes without a network, pushes, other clients: their errors are
//! worded by the same libraries, and their hosts are no registry's.

use super::token::{Placed, Token};
use super::url::Asks;

/// Errands that use a registry's own words; only what names a pull of an image outweighs them.
const LIKE_PULLS: [&str; 18] = [
    "docker push",
    "nerdctl push",
    "podman push",
    " push registry",
    "pushing as a reduced-platform image",
    "trying to push ",
    "unable to push ",
    "Pushing image",
    "The push refers to ",
    "helm pull",
    "failed to pull chart",
    "chart pull error",
    "failed to download chart",
    // What a registry logs of its own answers.
    "http.request.remoteaddr",
    "http.response.status",
    "/lib/http/error.go",
    // Other programs' registries.
    "/.well-known/terraform.json",
    "(Retry(total=",
];

/// Logins, and what only a pull asks for behind one.
const LOGINS: [&str; 2] = ["docker login ", "podman login "];
const BEHIND_LOGINS: [&str; 3] = ["/manifests/", "/blobs/", "manifest for "];

/// What says for certain that an image was being pulled.
const SURE_PULLS: [&str; 17] = [
    "ailed to pull image",
    "ErrImagePull",
    "ImagePullBackOff",
    "PullImage ",
    "Back-off pulling image",
    "pull access denied",
    "docker pull ",
    "crictl pull ",
    "podman pull ",
    "nerdctl pull ",
    "images pull ",
    "Pulling from ",
    "pull and unpack image",
    "Unable to find image",
    "trying to pull repository",
    "rror pulling image",
    "initializing source docker://",
];

/// Words of other errands. Where the text also names a pull, it is one all the same.
const OTHERS: [&str; 43] = [
    // A sandbox or container whose image is there.
    "failed to setup network for sandbox",
    "failed to set up sandbox container",
    "failed to create pod network sandbox",
    "CNI network \"",
    "plugin type=\"",
    "networkPlugin cni failed",
    "failed to start sandbox container",
    "failed to create containerd task",
    "failed to create shim task",
    "OCI runtime create failed",
    "failed to reserve sandbox name",
    // Pushes.
    "Failed to push image",
    "failed to push ",
    "trying to reuse blob",
    "uploading layer",
    "/blobs/uploads/",
    "write_package",
    // Other clients of other servers.
    "fatal: unable to access",
    "INSTALLATION FAILED",
    "UPGRADE FAILED",
    "/index.yaml",
    "looks like \"http",
    "Unable to connect to the server",
    "The connection to the server ",
    ":10250/",
    // Ports at which databases, caches and queues listen, and no registry does.
    ":2379:",
    ":3306:",
    ":5432:",
    ":5672:",
    ":6379:",
    ":9092:",
    ":9200:",
    ":27017:",
    "RemoveImage",
    "failed to delete image",
    "error trying to reach service",
    // A server's own log, and other programs' clients.
    "http: TLS handshake error from ",
    "Could not read from remote repository",
    "Could not resolve hostname",
    "git-upload-pack",
    "npm ERR!",
    "failed calling webhook",
    "Unable to register node",
];

/// Words that only a pull's error has.
const PULLS: [&str; 13] = [
    "ailed to pull",
    "ailed pulling",
    "rror pulling image",
    "ErrImagePull",
    "ImagePullBackOff",
    "PullImage",
    "Back-off pulling",
    "pulling from host",
    "get sandbox image",
    "failed to resolve reference",
    "ailed to inspect image",
    "initializing source docker://",
    "/manifests/",
];

/// Whether the text is another errand's, and names no pull.
pub(super) fn is_elsewhere(text: &str, tokens: &[Placed]) -> bool {
    let holds = |words: &[&str]| words.iter().any(|w| text.contains(w));
    let like = holds(&LIKE_PULLS) || (holds(&LOGINS) && !holds(&BEHIND_LOGINS));
    (like && !holds(&SURE_PULLS)) || ((holds(&OTHERS) || asks_for_other_things(text, tokens)) && !holds(&PULLS))
}

/// Every URL of the text has a path, no registry serves one like it, and no word of a runtime stands beside them.
fn asks_for_other_things(text: &str, tokens: &[Placed]) -> bool {
    let mut urls = 0;
    for placed in tokens {
        match &placed.token {
            Token::Url { url, .. } if url.asks == Asks::Other => urls += 1,
            // `rpc error`, and the errors that the libraries of all programs share.
            Token::Envelope | Token::Net(_) | Token::Says { .. } | Token::Dial { .. } | Token::Lookup { .. } | Token::Transfer { .. } => {}
            Token::Handshake | Token::Proxy | Token::Status(_) => {}
            _ => return false,
        }
    }
    urls > 0 && !["response from daemon", "failed to do request", "/v2/", "egistry", "image"].iter().any(|w| text.contains(w))
}
