//! Is the text about something else than a pull? Sandboxes without a network, pushes, other clients: their errors are
//! worded by the same libraries, and their hosts are no registry's.

/// Words of other errands. Where the text also names a pull, it is one all the same.
const OTHERS: [&str; 37] = [
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
    "The push refers to repository",
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
pub(super) fn is_elsewhere(text: &str) -> bool {
    OTHERS.iter().any(|o| text.contains(o)) && !PULLS.iter().any(|p| text.contains(p))
}
