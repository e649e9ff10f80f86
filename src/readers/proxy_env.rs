//! Which proxy was a service given? A drop-in, a unit as `systemctl cat` prints it, `systemctl show`, or a shell's variables.
//!
//! ```text
//! [Service]
//! Environment="HTTPS_PROXY=http://proxy.corp.example:3128"
//! Environment="NO_PROXY=localhost,.svc.cluster.local"
//! ```

use super::File;
use crate::bundle::Source;
use crate::facts::{Of, Owner, ProxySettings};
use crate::text;

/// The services that pull or ask for pulls, as their units are called.
const SERVICES: [&str; 5] = ["containerd", "crio", "docker", "kubelet", "cri-docker"];

pub(super) fn is_proxy_env(lines: &[&str]) -> bool {
    let any = |test: &dyn Fn(&str) -> bool| lines.iter().any(|l| test(l.trim_start()));
    let shown = any(&|l| l.starts_with("Environment="));
    let names_file = || any(&|l| environment_file(l).is_some()) && any(&|l| l.trim_end() == "[Service]" || l.starts_with("Id="));
    shown && (any(&|l| l.to_uppercase().contains("_PROXY=")) || is_show(lines)) || lines.iter().any(|l| plain(l).is_some()) || names_file() || is_listed(lines)
}

/// `systemctl cat` prints the unit and every drop-in, each behind its path: what none of them sets is not set.
fn is_listed(lines: &[&str]) -> bool {
    let first = lines.iter().find(|l| !l.trim().is_empty());
    first.is_some_and(|l| l.strip_prefix("# /").is_some_and(|p| p.trim_end().ends_with(".service") && service(p).is_some()))
        && lines.iter().any(|l| l.trim_end() == "[Service]")
}

/// `EnvironmentFile=-/etc/sysconfig/crio` of a unit, `EnvironmentFiles=/etc/sysconfig/crio (ignore_errors=yes)` of `show`.
fn environment_file(line: &str) -> Option<&str> {
    let file = line.trim_start().strip_prefix("EnvironmentFile")?;
    let path = file.strip_prefix('s').unwrap_or(file).strip_prefix('=')?.split_whitespace().next()?;
    Some(path.trim_start_matches('-').trim_matches('"')).filter(|p| p.starts_with('/'))
}

/// `systemctl show` prints properties alone, one a line, whole: what it does not show is not set.
fn is_show(lines: &[&str]) -> bool {
    let properties = ["Environment=", "Id=", "DropInPaths=", "EnvironmentFiles=", "ActiveEnterTimestamp=", "Names=", "FragmentPath="];
    let said = || lines.iter().filter(|l| !l.trim().is_empty());
    said().count() > 0 && said().all(|l| properties.iter().any(|p| l.starts_with(p)) || l.split('=').next().is_some_and(is_property))
}

/// Units that `systemctl show` prints, an empty line between them.
fn blocks(lines: &[&str]) -> usize {
    let said: Vec<bool> = lines.iter().map(|l| !l.trim().is_empty()).collect();
    said.iter().enumerate().filter(|(at, is)| **is && (*at == 0 || said.get(at - 1) == Some(&false))).count()
}

/// `LimitNOFILE`, `MemoryMax`: a capital, and letters only.
fn is_property(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_uppercase()) && name.chars().any(|c| c.is_ascii_lowercase()) && name.chars().all(|c| c.is_ascii_alphanumeric())
}

/// `export HTTPS_PROXY=...`, `https_proxy = "..."`: name and value of a shell's or a defaults file's line.
fn plain(line: &str) -> Option<(&str, &str)> {
    let line = line.trim_start().trim_start_matches("export ").trim_start();
    let (name, value) = line.split_once('=')?;
    let name = name.trim();
    matches!(name.to_uppercase().as_str(), "HTTPS_PROXY" | "HTTP_PROXY" | "NO_PROXY" | "ALL_PROXY").then(|| (name, value.trim().trim_matches(['"', '\''])))
}

/// One service's settings while they are read.
#[derive(Default)]
struct Draft {
    settings: ProxySettings,
    source: Option<Source>,
}

impl Draft {
    fn set(&mut self, name: &str, value: &str, source: Source) {
        let value = match name.to_uppercase().as_str() {
            "HTTPS_PROXY" | "HTTP_PROXY" => bare(value),
            "NO_PROXY" => value.to_owned(),
            _ => return,
        };
        self.settings.variables.insert(name.to_owned(), (value, source));
    }
}

pub(super) fn read(file: &mut File<'_>, content: &str) {
    let path = file.path.to_owned();
    read_as(file, content, &path, &[]);
}

/// The same of what a command printed: `name` is the path that it printed, `units` the units it was asked for, in order.
pub(super) fn read_as(file: &mut File<'_>, content: &str, name: &str, units: &[&str]) {
    let lines: Vec<&str> = content.lines().collect();
    let (show, listed) = (is_show(&lines), is_listed(&lines));
    // Of several units without their names, nothing tells which is whose.
    if show && units.is_empty() && blocks(&lines) > 1 && !lines.iter().any(|l| l.starts_with("Id=")) {
        return file.unread("properties of several units, none of which is named");
    }
    let mut units = units.iter();
    let fallback = service(name);
    let mut next_unit = || units.next().and_then(|u| service(u));
    let mut draft = Draft::default();
    draft.settings.service = next_unit().or_else(|| fallback.clone());
    if name != file.path {
        draft.settings.path = name.to_owned();
    }
    let mut seen = false;
    for (number, line) in text::numbered(content) {
        let said = line.trim_start();
        if show && said.is_empty() {
            if seen {
                close(file, std::mem::take(&mut draft));
                draft.settings.service = next_unit();
                seen = false;
            }
        } else if let Some(id) = said.strip_prefix("Id=") {
            draft.settings.service = service(id);
        } else if let Some(path) = said.strip_prefix("# /") {
            // `systemctl cat` names the file in front of its text, in the order in which systemd reads.
            let own = service(path).or(draft.settings.service.clone());
            close(file, std::mem::take(&mut draft));
            draft.settings.service = own;
            draft.settings.path = format!("/{}", path.trim());
            draft.settings.listed = listed;
            draft.source = listed.then(|| file.source(number, line));
        } else if let Some(path) = environment_file(said) {
            draft.settings.environment_files.push(path.to_owned());
            draft.source.get_or_insert_with(|| file.source(number, line));
        } else if let Some(body) = said.strip_prefix("Environment=") {
            seen = true;
            if show {
                draft.settings.whole = true;
                draft.source.get_or_insert_with(|| file.source(number, line));
            }
            // An empty assignment takes back what was set before.
            if !show && body.trim().is_empty() {
                draft.settings.variables.clear();
                draft.settings.resets = true;
                draft.source.get_or_insert_with(|| file.source(number, line));
            }
            for pair in words(body) {
                if let Some((name, value)) = pair.split_once('=') {
                    draft.set(name, value, file.source(number, line));
                }
            }
        } else if let Some((name, value)) = plain(line) {
            draft.settings.plain = true;
            if draft.settings.service.is_none() {
                draft.settings.service = Some("shell".into());
            }
            draft.set(name, value, file.source(number, line));
        }
    }
    close(file, draft);
}

fn close(file: &mut File<'_>, mut draft: Draft) {
    // The line of a setting tells more than the file's first.
    let Some(source) = draft.settings.settle().or(draft.source) else { return };
    // The environment of some other unit, or of one that nothing names, shows nothing by what it lacks.
    if draft.settings.whole && draft.settings.service.is_none() && draft.settings.https_proxy.is_none() {
        return;
    }
    if draft.settings.service.is_none() && !draft.settings.environment_files.is_empty() && draft.settings.https_proxy.is_none() {
        return;
    }
    file.take("node-proxy-env");
    file.facts.proxies.push(Of { owner: Owner::Unknown, value: draft.settings, source });
}

/// `A=1 "B=2 3"` by systemd's quoting.
fn words(body: &str) -> Vec<String> {
    let mut out = vec![String::new()];
    let mut quote = None;
    for c in body.chars() {
        match (c, quote) {
            ('"' | '\'', None) => quote = Some(c),
            (c, Some(q)) if c == q => quote = None,
            (' ', None) => out.push(String::new()),
            _ => {
                if let Some(last) = out.last_mut() {
                    last.push(c);
                }
            }
        }
    }
    out
}

/// Host and port alone: a proxy's URL may hold a password.
pub(super) fn bare(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, r)| r);
    let authority = rest.split('/').next().unwrap_or(rest);
    authority.rsplit('@').next().unwrap_or(authority).to_lowercase()
}

fn service(path: &str) -> Option<String> {
    let path = path.replace("cri-o", "crio");
    SERVICES.into_iter().find(|s| path.contains(s)).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bundle::FileId;
    use crate::facts::Facts;

    fn settings(path: &str, content: &str, units: &[&str]) -> Vec<(Option<String>, Option<String>, bool)> {
        let mut facts = Facts::default();
        read_as(&mut File { id: FileId::default(), path, facts: &mut facts, fixed_line: None, command: None, written: None }, content, path, units);
        facts.proxies.into_iter().map(|p| (p.value.service, p.value.https_proxy, p.value.whole)).collect()
    }

    #[test]
    fn every_way_to_print_it() {
        let s = |t: &str| Some(t.to_owned());
        let drop_in = "[Service]\nEnvironment=\"HTTPS_PROXY=http://u:p@proxy.corp.example:3128/\"\n";
        assert_eq!(settings("etc/systemd/system/containerd.service.d/p.conf", drop_in, &[]), [(s("containerd"), s("proxy.corp.example:3128"), false)]);
        let show = "Environment=\n\nEnvironment=HTTPS_PROXY=http://proxy.corp.example:3128\n";
        assert_eq!(settings("x", show, &["containerd", "kubelet"]), [(s("containerd"), None, true), (s("kubelet"), s("proxy.corp.example:3128"), true)]);
        let shell = "PATH=/bin\nexport https_proxy=http://proxy.corp.example:3128\n";
        assert_eq!(settings("etc/environment", shell, &[]), [(s("shell"), s("proxy.corp.example:3128"), false)]);
        let cat =
            "# /lib/systemd/system/docker.service\n[Service]\n# /etc/systemd/system/docker.service.d/p.conf\n[Service]\nEnvironment=HTTP_PROXY=http://p:1\n";
        assert_eq!(settings("x", cat, &[]), [(s("docker"), None, false), (s("docker"), None, false)]);
    }

    #[test]
    fn the_upper_case_counts_unless_it_is_empty() {
        let both = |text: &str| settings("etc/systemd/system/containerd.service.d/p.conf", text, &[]).pop().and_then(|(_, proxy, _)| proxy);
        let upper = "Environment=\"https_proxy=http://lower.corp.example:1\" \"HTTPS_PROXY=http://upper.corp.example:2\"\n";
        assert_eq!(both(upper).as_deref(), Some("upper.corp.example:2"));
        assert_eq!(both("Environment=\"https_proxy=http://lower.corp.example:1\" HTTPS_PROXY=\n").as_deref(), Some("lower.corp.example:1"));
        assert_eq!(both("[Service]\nEnvironment=HTTPS_PROXY=http://p.corp.example:1\nEnvironment=\nEnvironment=NO_PROXY=x\n"), None);
    }

    #[test]
    fn units_without_names_are_nobodys() {
        assert!(settings("x", "Environment=\n\nEnvironment=HTTPS_PROXY=http://p.corp.example:1\n", &[]).is_empty());
    }

    #[test]
    fn what_shows_nothing() {
        assert!(settings("x", "Environment=\n", &[]).is_empty());
        assert!(settings("etc/systemd/system/containerd.service.d/x.conf", "[Service]\nEnvironment=\"GOGC=50\"\n", &[]).is_empty());
        assert!(!is_proxy_env(&["[Unit]", "Description=x", "Environment=A=b"]));
    }
}
