//! What is a file called inside the bundle, whatever wrapped it?

use super::Tally;

/// The path with forward slashes and without `./`; none where it would leave the bundle.
pub(super) fn inside(path: &str) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            name => parts.push(name),
        }
    }
    (!parts.is_empty()).then(|| parts.join("/"))
}

/// The path that a link at `from` names, resolved inside the bundle; none where it leads out of it.
pub(super) fn link_target(from: &str, target: &str) -> Option<String> {
    if target.starts_with('/') {
        return None;
    }
    let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
    inside(&format!("{folder}/{target}"))
}

/// Names by which bundles that are called alike are told apart: with as much of their folders as it takes. None where the
/// bundle's own name does.
pub fn names(bundles: &[String]) -> Vec<Option<String>> {
    let parts = |path: &str| -> Vec<String> { path.split(['/', '\\']).filter(|p| !p.is_empty() && *p != ".").map(str::to_owned).collect() };
    let all: Vec<Vec<String>> = bundles.iter().map(|b| parts(b)).collect();
    let tail = |path: &[String], count: usize| path.get(path.len().saturating_sub(count)..).unwrap_or(path).join("-");
    let deepest = all.iter().map(Vec::len).max().unwrap_or(0);
    let mut out: Vec<Option<String>> = vec![None; bundles.len()];
    for (at, path) in all.iter().enumerate() {
        let twins: Vec<&Vec<String>> = all.iter().enumerate().filter(|(other, p)| *other != at && p.last() == path.last()).map(|(_, p)| p).collect();
        if twins.is_empty() {
            continue;
        }
        let told = (2..=deepest).map(|count| (count, tail(path, count))).find(|(count, name)| twins.iter().all(|t| tail(t, *count) != *name));
        // The same path twice is two bundles all the same.
        let name = told.map_or_else(|| format!("{}-{}", tail(path, 1), at + 1), |(_, name)| name);
        if let Some(slot) = out.get_mut(at) {
            *slot = Some(name);
        }
    }
    out
}

/// One folder around everything says little: takes it off all paths, so that a bundle reads the same in any wrapper, and
/// keeps it aside.
pub(super) fn strip_common_top(tally: &mut Tally) {
    while let Some(top) = common_top(&tally.files) {
        tally.top.push_str(&top);
        let cut = |path: &mut String| {
            if let Some(rest) = path.strip_prefix(&top) {
                *path = rest.to_owned();
            }
        };
        tally.files.iter_mut().for_each(cut);
        tally.unread.iter_mut().map(|u| &mut u.file).for_each(cut);
        tally.links.iter_mut().flat_map(|(a, b)| [a, b]).for_each(cut);
    }
}

const MEANINGFUL: [&str; 22] = [
    "etc",
    "var",
    "run",
    "usr",
    "proc",
    "sos_commands",
    "cluster-resources",
    "cluster-scoped-resources",
    "namespaces",
    "host_service_logs",
    "host-collectors",
    "nodes",
    "collect",
    "networking",
    "kubelet",
    "containerd",
    "journald",
    "systeminfo",
    "yamls",
    "logs",
    "az",
    "azure",
];

fn common_top(files: &[String]) -> Option<String> {
    let first = files.first()?;
    let (top, _) = first.split_once('/')?;
    // A folder that a collector or a system names so means something where it happens to be alone; a wrapper's does not.
    if top.contains('!') || MEANINGFUL.contains(&top) {
        return None;
    }
    let top = format!("{top}/");
    files.iter().all(|f| f.starts_with(&top)).then_some(top)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_stay_inside() {
        assert_eq!(inside("./a/b").as_deref(), Some("a/b"));
        assert_eq!(inside(r"a\b\..\c").as_deref(), Some("a/c"));
        assert_eq!(inside("../x"), None);
        assert_eq!(inside("a/../../x"), None);
    }

    #[test]
    fn bundles_of_one_name_are_told_apart() {
        let of = |paths: &[&str]| names(&paths.iter().map(|p| (*p).to_owned()).collect::<Vec<_>>());
        assert_eq!(of(&["east/b.tgz", "./west/b.tgz", "c.tgz"]), [Some("east-b.tgz".into()), Some("west-b.tgz".into()), None]);
        assert_eq!(of(&["b.tgz", "b.tgz"]), [Some("b.tgz-1".into()), Some("b.tgz-2".into())]);
    }

    #[test]
    fn links_stay_inside() {
        assert_eq!(link_target("etc/resolv.conf", "../run/systemd/resolve/stub-resolv.conf").as_deref(), Some("run/systemd/resolve/stub-resolv.conf"));
        assert_eq!(link_target("etc/resolv.conf", "/run/x"), None);
        assert_eq!(link_target("a", "../../x"), None);
    }

    #[test]
    fn one_folder_around_everything_goes() {
        let mut tally = Tally { files: vec!["b/1/x".into(), "b/2".into()], ..Tally::default() };
        strip_common_top(&mut tally);
        assert_eq!(tally.files, ["1/x", "2"]);
    }
}
