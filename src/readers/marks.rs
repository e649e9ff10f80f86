//! What does a file say of the bundle itself: which collector made it, when, on which host, from where?

use super::File;
use crate::facts::{Elsewhere, Scope, time};
use crate::text;

pub(super) fn read(file: &mut File<'_>, content: &str) {
    let name = file.path.rsplit(['/', '!']).next().unwrap_or("").to_owned();
    let folder = file.path.strip_suffix(&name).unwrap_or("").to_owned();
    match name.as_str() {
        "hostname" | "hostname.txt" => hostname(file, content, &folder),
        "timestamp" => {
            // must-gather: begin and end, Go's way of writing a time.
            let last = content.lines().filter_map(|l| time::stamp(l.split(" m=").next().unwrap_or(l))).max();
            file.facts.layout_stamp = file.facts.layout_stamp.max(last);
        }
        _ => {}
    }
    elsewhere(file, content);
}

fn hostname(file: &mut File<'_>, content: &str, folder: &str) {
    let mut words = content.split_whitespace();
    if let (Some(host), None) = (words.next(), words.next()) {
        let root = folder.strip_suffix("etc/").unwrap_or(folder).to_owned();
        file.facts.hostnames.push((root, host.to_lowercase()));
    }
}

/// Checks that people run from their own machine, or in a pod, and that succeed there.
fn elsewhere(file: &mut File<'_>, content: &str) {
    let mut found = Vec::new();
    let pods = file.path.contains("pod") || content.contains("kubectl exec") || content.contains("kubectl run");
    for (number, line) in text::numbered(content).take(2000) {
        if let Some(host) = line.strip_prefix("DNS lookup to ").filter(|_| line.trim_end().ends_with(": OK")) {
            let host = host.split_whitespace().next().map(str::to_lowercase);
            found.push(Elsewhere { scope: Scope::Operator, what: "az acr check-health succeeded".into(), host, source: file.source(number, line) });
        } else if pods && line.starts_with("Name:") && content.contains("Server:") && (content.contains("#53") || content.contains(":53")) {
            let host = line.split_whitespace().nth(1).map(|h| h.trim_end_matches('.').to_lowercase());
            found.push(Elsewhere { scope: Scope::Pod, what: "a look-up inside a pod succeeded".into(), host, source: file.source(number, line) });
        } else if pods && line.trim_start_matches(['<', ' ']).starts_with("HTTP/") && (line.contains(" 401") || line.contains(" 200")) {
            found.push(Elsewhere { scope: Scope::Pod, what: "a request from a pod was answered".into(), host: None, source: file.source(number, line) });
        }
    }
    if !found.is_empty() {
        file.take(if found.iter().any(|e| e.scope == Scope::Pod) { "pod-lookup" } else { "operator-check" });
        file.facts.elsewhere.append(&mut found);
    }
}
