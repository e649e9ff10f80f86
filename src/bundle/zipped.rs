//! What does a zip hold? Its list stands at its end, so a zip inside a stream is taken into memory, within the limits.

use std::io::{Cursor, Read};

use super::meter::Metered;
use super::{Walk, paths};

pub(super) fn unzip(walk: &mut Walk<'_>, archive: &str, prefix: &str, depth: u32, body: &mut dyn Read) {
    let mut packed = Vec::new();
    if let Err(e) = Metered::new(body, &mut walk.budget, walk.limits.file).read_to_end(&mut packed) {
        walk.unread(archive, format!("the archive cannot be read: {e}"));
        return;
    }
    let packed_size = packed.len() as u64;
    let mut zip = match zip::ZipArchive::new(Cursor::new(packed)) {
        Ok(zip) => zip,
        Err(e) => {
            walk.unread(archive, format!("the archive is damaged or cut short: {e}"));
            return;
        }
    };
    for index in 0..zip.len() {
        if !walk.may_go_on() {
            return;
        }
        let mut file = match zip.by_index(index) {
            Ok(file) => file,
            Err(e) => {
                walk.unread(archive, format!("entry {} of the archive cannot be read: {e}", index + 1));
                continue;
            }
        };
        let name = file.name().map_or_else(|_| format!("entry-{}", index + 1), |n| n.into_owned());
        if file.is_dir() || name.ends_with('\\') {
            continue;
        }
        let Some(path) = paths::inside(&name) else {
            walk.unread(&format!("{prefix}{name}"), "its path leads out of the bundle");
            continue;
        };
        if file.is_symlink() {
            let mut target = String::new();
            let resolved = file.by_ref().take(4096).read_to_string(&mut target).ok().and_then(|_| paths::link_target(&path, &target));
            match resolved {
                Some(target) => walk.tally.links.push((format!("{prefix}{path}"), format!("{prefix}{target}"))),
                None => walk.aside(&format!("{prefix}{path}"), "a link that leads out of the bundle; it was not followed"),
            }
            continue;
        }
        let modified = file.last_modified().and_then(moment);
        let most = packed_size.saturating_mul(walk.limits.ratio).max(1 << 20);
        let mut bounded = Bounded { inner: &mut file, left: most, ratio: walk.limits.ratio };
        walk.wrapped(&path, prefix, depth, modified, &mut bounded);
    }
}

/// A zip's own time has no zone; it is read as UTC, as the archives of servers mostly mean it.
fn moment(t: zip::DateTime) -> Option<jiff::Timestamp> {
    // Tools that keep no time write the first moment that the format knows.
    if t.year() <= 1980 {
        return None;
    }
    let text = format!("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", t.year(), t.month(), t.day(), t.hour(), t.minute(), t.second());
    text.parse().ok()
}

struct Bounded<R> {
    inner: R,
    left: u64,
    ratio: u64,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let got = self.inner.read(buffer)?;
        self.left = self
            .left
            .checked_sub(got as u64)
            .ok_or_else(|| std::io::Error::other(format!("unpacks to more than {} times the archive's size (--limit-ratio)", self.ratio)))?;
        Ok(got)
    }
}
