//! What does a log line tell of a pull? By the sentences that kubelet, containerd, CRI-O and Docker log.

use crate::facts::{Happening, Unit};
use crate::text;

use super::envelope::Line;

pub(super) fn unit_of_words(line: &Line) -> Option<Unit> {
    let message = line.message.as_str();
    if message.starts_with("PullImage \"")
        || message.starts_with("trying next host")
        || message.starts_with("cancel pulling image ")
        || message.starts_with("stop pulling image ")
    {
        Some(Unit::Containerd)
    } else if message.starts_with("Pulled image: ") || message.starts_with("Pulling image: ") || message.starts_with("Trying to access ") {
        Some(Unit::Crio)
    } else if message.starts_with("Handler for POST ")
        || message.contains("Attempting next endpoint for pull")
        || message.contains("Not continuing with pull after error")
        || message.starts_with("Error getting v2 registry: ")
        || message.starts_with("Error from V2 registry: ")
    {
        Some(Unit::Docker)
    } else {
        None
    }
}

/// The image in `PullImage "r.example/a:1" failed`.
fn quoted(message: &str, before: &str) -> Option<String> {
    let (_, rest) = message.split_once(before)?;
    text::unquote(rest).map(|(image, _)| image)
}

pub(super) fn of(line: &Line) -> Option<Happening> {
    let message = line.message.as_str();
    let error = line.field(&["error", "err"]).map(str::to_owned);
    runtime(line, message, error.as_deref()).or_else(|| kubelet(line, message, error.as_deref()))
}

fn runtime(line: &Line, message: &str, error: Option<&str>) -> Option<Happening> {
    if message.starts_with("trying next host") {
        let host = line.field(&["host"])?.to_lowercase();
        // 1.x says `trying next host - response was http.StatusNotFound`, 2.x `trying next host after status: 404 Not Found`.
        let status = message.contains("StatusNotFound").then_some("404 Not Found").or_else(|| message.split_once("status: ").map(|(_, s)| s));
        let text = error.map(str::to_owned).or_else(|| status.map(|s| format!("unexpected status: {s}")))?;
        return Some(Happening::NextHost { host, text });
    }
    if message.starts_with("PullImage \"") || message.starts_with("PullImage from image service failed") {
        if message.contains("returns image reference") {
            return Some(Happening::Pulled { image: quoted(message, "PullImage ")? });
        }
        let Some(error) = error else {
            // The runtime's own line; the kubelet's of this name has an error.
            let begins = message.strip_prefix("PullImage ").and_then(text::unquote).filter(|(_, rest)| rest.trim().is_empty());
            return begins.map(|(image, _)| Happening::Pulling { image });
        };
        let image = quoted(message, "PullImage ").or_else(|| line.field(&["image"]).map(str::to_owned));
        return Some(Happening::Failed { image, text: error.to_owned() });
    }
    let lower = message.to_lowercase();
    if let Some(rest) = lower.find("cancel pulling image ").and_then(|at| message.get(at + "cancel pulling image ".len()..)) {
        let word = text::unquote(rest).map_or_else(|| rest.split_whitespace().next().unwrap_or("").to_owned(), |(image, _)| image);
        return Some(Happening::Cancelled { image: word, text: message.to_owned() });
    }
    if let Some(image) = message.strip_prefix("Pulled image: ") {
        return Some(Happening::Pulled { image: image.trim().to_owned() });
    }
    // CRI-O's answers, where it logs all of them.
    if let Some(text) = message.strip_prefix("Response error: ").filter(|t| t.contains("source docker://")) {
        return Some(Happening::Failed { image: None, text: text.to_owned() });
    }
    let is_pull = message.starts_with("Handler for POST") && message.contains("/images/create");
    if is_pull
        || message.starts_with("Error getting v2 registry: ")
        || message.starts_with("Error from V2 registry: ")
        || message.contains("Not continuing with pull after error")
        || message.contains("Attempting next endpoint for pull after error")
    {
        let text = message.split_once("rror: ").or_else(|| message.split_once("registry: ")).map_or(message, |(_, t)| t);
        return Some(Happening::Failed { image: None, text: text.to_owned() });
    }
    None
}

fn kubelet(line: &Line, message: &str, error: Option<&str>) -> Option<Happening> {
    // The kubelet logs the events that it sends.
    let sent = line.field(&["message"]).filter(|_| message == "Event occurred").unwrap_or(message);
    if let Some(image) = quoted(sent, "Successfully pulled image ") {
        return Some(Happening::Pulled { image });
    }
    let image = || line.field(&["image", "imageRef"]).map(str::to_owned);
    if message.starts_with("Failed to pull image") {
        return match error {
            Some(error) => Some(Happening::Failed { image: image(), text: error.to_owned() }),
            None => Some(Happening::Failed { image: quoted(message, "Failed to pull image "), text: message.to_owned() }),
        };
    }
    if message.contains("credential provider") || message.starts_with("error getting credentials") || message.contains("CRI auth plugins") {
        let text = error.map_or_else(|| message.to_owned(), |e| format!("{message}: {e}"));
        let image = image().or_else(|| text.split_once("for image ").and_then(|(_, rest)| rest.split([' ', ':', ',']).next()).map(str::to_owned));
        let failed = ["fail", "error", "timed out", "did not match"].iter().any(|w| text.to_lowercase().contains(w));
        return failed.then_some(Happening::Provider { image, text });
    }
    if message.contains("Removing image to free bytes") {
        return Some(Happening::Removed { image: line.field(&["imageID", "image"]).map(str::to_owned) });
    }
    // That the collector tries, failed, or has no figures yet, removed nothing.
    // Lines of the pod's worker repeat the whole error; a bare back-off says nothing new.
    let whole = error.filter(|e| e.contains("ErrImagePull: ") && !e.contains("ErrImagePull: \"Back-off"));
    if let Some(error) = whole {
        return Some(Happening::Failed { image: image(), text: error.to_owned() });
    }
    let old = [
        "Pull image \"",
        "ErrImagePull: rpc error",
        "PullImage \"",
        "failed pulling image",
        "Failed to pull image",
        "Error response from daemon",
        "failed to pull image",
        "RunPodSandbox from runtime service failed",
        "from image service failed",
    ];
    if old.iter().any(|o| message.contains(o)) && (message.contains(": ") || error.is_some()) {
        let text = error.map_or_else(|| message.to_owned(), |e| format!("{message}: {e}"));
        return Some(Happening::Failed { image: image(), text });
    }
    None
}
