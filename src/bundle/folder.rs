//! Which files does a folder hold? By name, so that the order is the same everywhere; links are noted, not followed.

use std::fs;
use std::path::Path;

use super::{Walk, paths};

/// The deepest folder below the bundle that is entered.
const DEEPEST: usize = 64;

pub(super) fn walk(walk: &mut Walk<'_>, root: &Path) {
    enter(walk, root, "", 0);
}

fn enter(walk: &mut Walk<'_>, folder: &Path, inside: &str, depth: usize) {
    if depth > DEEPEST {
        walk.unread(inside, format!("more than {DEEPEST} folders deep"));
        return;
    }
    let listing = match fs::read_dir(folder) {
        Ok(listing) => listing,
        Err(e) => {
            walk.unread(inside, format!("the folder cannot be listed: {e}"));
            return;
        }
    };
    let mut entries: Vec<_> = listing.flatten().collect();
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        if !walk.may_go_on() {
            return;
        }
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = if inside.is_empty() { name } else { format!("{inside}/{name}") };
        match entry.file_type() {
            Err(e) => walk.unread(&path, format!("cannot be looked at: {e}")),
            Ok(kind) if kind.is_symlink() => link(walk, &entry.path(), &path),
            Ok(kind) if kind.is_dir() => enter(walk, &entry.path(), &path, depth + 1),
            Ok(kind) if kind.is_file() => walk.on_disk(&path, &entry.path()),
            Ok(_) => walk.aside(&path, "neither a file nor a folder (a device, a socket or a pipe)"),
        }
    }
}

fn link(walk: &mut Walk<'_>, place: &Path, path: &str) {
    let target = fs::read_link(place).ok().and_then(|t| paths::link_target(path, &t.to_string_lossy()));
    match target {
        Some(target) => walk.tally.links.push((path.to_owned(), target)),
        None => walk.aside(path, "a link that leads out of the bundle; it was not followed"),
    }
}
