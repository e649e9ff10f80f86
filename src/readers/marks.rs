//! What does a file say of the bundle itself: which collector made it, when, on which host, from where?

use super::File;
use crate::facts::{Elsewhere, Scope, place, time};
use crate::text;

pub(super) fn read(file: &mut File<'_>, content: &str) {
    let name = file.path.rsplit(['/', '!']).next().unwrap_or("").to_owned();
    match name.as_str() {
        "hostname" | "hostname.txt" => hostname(file, content),
        _ if name.starts_with("hostnamectl") => {
            let said = content.lines().find_map(|l| l.trim().strip_prefix("Static hostname:")).map(str::trim).filter(|h| !h.is_empty());
            said.map(str::to_owned).into_iter().for_each(|h| hostname(file, &h));
        }
        _ => {}
    }
    if let Some(stamp) = collected(&name, content) {
        file.facts.layout_stamp = file.facts.layout_stamp.max(Some(stamp));
    }
    layout(file, &name, content);
    commands(file, content);
    if is_pods_own(content) {
        file.facts.pod_views.push(file.path.to_owned());
    }
    redacted(file, content);
    // A shell's prompt names the machine on which somebody typed.
    if let Some(host) = content.lines().take(200).find_map(super::transcript::prompt_host) {
        file.facts.prompts.push((file.path.to_owned(), host.to_lowercase()));
    }
    elsewhere(file, content);
    super::hints::read(file, content);
}

/// `$ kubectl exec -n shop app-1 -- ip route`: what follows is the pod's view.
fn is_pods_own(content: &str) -> bool {
    let first = content.lines().map(str::trim).find(|l| !l.is_empty()).unwrap_or("");
    let command = first.rsplit_once(['$', '#']).map_or(first, |(_, c)| c).trim_start_matches(['+', ' ']);
    ["kubectl exec ", "kubectl run ", "oc exec ", "oc rsh ", "crictl exec ", "docker exec ", "nerdctl exec "].iter().any(|c| command.starts_with(c))
}

/// `az role assignment list --all ... > roles.json`: what a list leaves out depends on how it was asked for.
fn commands(file: &mut File<'_>, content: &str) {
    for line in content.lines().take(2000).filter(|l| l.contains(" > ") && l.contains("az ") && l.len() < 2000) {
        let Some((command, output)) = line.rsplit_once(" > ") else { continue };
        let name = output.split_whitespace().next().unwrap_or("").trim_matches(['"', '\'']);
        let name = name.rsplit('/').next().unwrap_or(name).to_lowercase();
        if let Some(at) = command.find("az ").filter(|_| !name.is_empty()) {
            file.facts.commands.push((name, command.get(at..).unwrap_or("").trim().to_owned()));
        }
    }
}

/// When the collector says that it ran, in a zone that it tells.
fn collected(name: &str, content: &str) -> Option<jiff::Timestamp> {
    let value =
        |key: &str| content.lines().find_map(|l| l.trim().trim_start_matches('"').strip_prefix(key)).map(|v| v.trim_matches([' ', ':', '"', ',', '\'']));
    match name {
        // must-gather: begin and end, Go's way of writing a time.
        "timestamp" => content.lines().filter_map(|l| time::stamp(l.split(" m=").next().unwrap_or(l))).max(),
        "date" | "date.txt" | "date_--utc" => time::date(content.lines().next()?),
        "metadata.yaml" => time::stamp(value("bundlecreatedat:")?),
        "manifest.json" => time::stamp(value("collectionDate")?),
        _ => None,
    }
}

/// What tools write in the place of what they hid, and what nobody can tell any more. Hidden is not unset.
const REDACTED: [(&str, &str); 6] = [
    ("***HIDDEN***", "values are hidden as ***HIDDEN***: they are set, and what they are cannot be told"),
    ("***TOKEN_", "values are replaced by tokens: two equal tokens were equal values, and nothing else can be told of them"),
    ("x-ipv4-0", "addresses are replaced (must-gather-clean): whether one is private, and to which network it belongs, cannot be told"),
    ("obfuscateddomain", "names and networks are mapped (sos clean): private addresses cannot be told from public ones, nor a host from its parent domain"),
    ("<redacted>", "somebody replaced values by <redacted>: two of them may differ"),
    ("***** SCRUBBED", "certificates or keys are scrubbed"),
];

fn redacted(file: &mut File<'_>, content: &str) {
    for (mark, costs) in REDACTED {
        if memchr::memmem::find(content.as_bytes(), mark.as_bytes()).is_some() && !file.facts.about.redacted.contains(&costs) {
            file.facts.about.redacted.push(costs);
        }
    }
}

/// What only one collector writes, whatever the file is called.
fn layout(file: &mut File<'_>, name: &str, content: &str) {
    let first = content.lines().next().unwrap_or("");
    let head = text::clip(content, 2000);
    let said = match name {
        "version" if first.contains("must-gather") => ("must-gather", 3),
        "version.txt" if first.starts_with("sosreport") => ("sosreport", 2),
        "metadata.yaml" if content.contains("bundlecreatedat") => ("harvester", 2),
        "manifest.json" if head.contains("eck-diagnostics") => ("eck-diagnostics", 2),
        _ if head.contains("apiVersion: troubleshoot.sh/") && head.contains("kind: SupportBundle") => ("troubleshoot", 3),
        _ if content.contains("==== START logs for container ") => ("cluster-info-dump", if head.starts_with('{') { 3 } else { 2 }),
        _ => return,
    };
    if !file.facts.marks.contains(&said) {
        file.facts.marks.push(said);
    }
}

fn hostname(file: &mut File<'_>, content: &str) {
    let mut words = content.split_whitespace();
    if let (Some(host), None) = (words.next(), words.next()) {
        let root = place::root(file.path).to_owned();
        file.facts.hostnames.push((root, host.to_lowercase()));
    }
}

/// Checks that people run from their own machine, or in a pod, and that succeed there.
fn elsewhere(file: &mut File<'_>, content: &str) {
    let mut found = Vec::new();
    let pods = file.path.contains("pod") || content.contains("kubectl exec") || content.contains("kubectl run");
    let mut note = |scope, by_check, what: &str, host, source| found.push(Elsewhere { scope, what: what.into(), by_check, host, source });
    for (number, line) in text::numbered(content).take(2000) {
        if let Some(host) = checked(line) {
            note(Scope::Operator, true, "a registry check succeeded", Some(host), file.source(number, line));
        } else if let Some(host) = pulled(line).filter(|_| place::is_operators(&file.path.to_lowercase())) {
            note(Scope::Operator, false, "a pull on somebody's own machine succeeded", Some(host), file.source(number, line));
        } else if pods && line.starts_with("Name:") && content.contains("Server:") && (content.contains("#53") || content.contains(":53")) {
            let host = line.split_whitespace().nth(1).map(|h| h.trim_end_matches('.').to_lowercase());
            note(Scope::Pod, false, "a look-up inside a pod succeeded", host, file.source(number, line));
        } else if pods && line.trim_start_matches(['<', ' ']).starts_with("HTTP/") && (line.contains(" 401") || line.contains(" 200")) {
            note(Scope::Pod, false, "a request from a pod was answered", None, file.source(number, line));
        }
    }
    if !found.is_empty() {
        file.take(if found.iter().any(|e| e.scope == Scope::Pod) { "pod-lookup" } else { "operator-check" });
        file.facts.elsewhere.append(&mut found);
    }
}

/// The registry that a line of `az acr check-health` or `az aks check-acr` found in order.
fn checked(line: &str) -> Option<String> {
    let line = line.trim_end();
    let host = if let Some(rest) = line.strip_suffix(": OK") {
        rest.strip_prefix("Challenge endpoint https://")?.split('/').next()?
    } else {
        line.strip_prefix("Your cluster can pull images from ")?.trim_end_matches('!')
    };
    (!host.trim().is_empty()).then(|| host.trim().to_lowercase())
}

/// The registry of `Status: Downloaded newer image for r.example/app:1`.
fn pulled(line: &str) -> Option<String> {
    let image = line.strip_prefix("Status: Downloaded newer image for ").or_else(|| line.strip_prefix("Status: Image is up to date for "))?;
    let (host, _) = image.trim().split_once('/')?;
    host.contains(['.', ':']).then(|| host.split(':').next().unwrap_or(host).to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::checked;

    #[test]
    fn both_registry_checks_are_known() {
        assert_eq!(checked("Challenge endpoint https://Corp.azurecr.io/v2/ : OK").as_deref(), Some("corp.azurecr.io"));
        assert_eq!(checked("Your cluster can pull images from corp.azurecr.io!").as_deref(), Some("corp.azurecr.io"));
        assert_eq!(checked("Docker pull of 'mcr.microsoft.com/mcr/hello-world:latest' : OK"), None);
        assert_eq!(checked("Challenge endpoint https://corp.azurecr.io/v2/ : FAILED"), None);
    }
}
