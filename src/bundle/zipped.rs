//! What does a zip hold? Its list stands at its end: a file is read where it lies, a zip inside a stream is taken into memory.

use std::io::{self, Cursor, Read, Seek};

use super::meter::Metered;
use super::{Walk, archive, paths, unlisted};

/// A zip that lies on disk as a file of its own.
pub(super) fn unzip_file(walk: &mut Walk<'_>, path: &str, file: &mut std::fs::File) {
    let prefix = archive::prefix(walk, path, path, 0);
    let size = file.metadata().map_or(0, |m| m.len());
    match zip::ZipArchive::new(io::BufReader::new(&mut *file)) {
        Ok(zip) => listed(walk, path, &prefix, 1, zip, size),
        // What can be read without the list is read as a stream.
        Err(_) => match file.rewind() {
            Ok(()) => unzip_stream(walk, path, &prefix, 1, file),
            Err(e) => walk.unread(path, format!("the archive cannot be read: {e}")),
        },
    }
}

/// A zip in the middle of a stream.
pub(super) fn unzip_stream(walk: &mut Walk<'_>, archive: &str, prefix: &str, depth: u32, body: &mut dyn Read) {
    let mut packed = Vec::new();
    let broken = Metered::new(body, &mut walk.budget, walk.limits.file).read_to_end(&mut packed).err();
    let size = packed.len() as u64;
    match zip::ZipArchive::new(Cursor::new(packed.as_slice())) {
        Ok(zip) => listed(walk, archive, prefix, depth, zip, size),
        Err(e) => {
            let why = broken.map_or_else(|| e.to_string(), |b| archive::reason(&b));
            unlisted::unzip(walk, archive, prefix, depth, &packed, &why);
        }
    }
}

fn listed(walk: &mut Walk<'_>, archive: &str, prefix: &str, depth: u32, mut zip: zip::ZipArchive<impl Read + Seek>, packed_size: u64) {
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
        let mut bounded = Bounded::new(&mut file, packed_size, walk.limits.ratio);
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

/// An entry, stopped where it is out of all proportion to the whole archive.
pub(super) struct Bounded<R> {
    inner: R,
    left: u64,
    ratio: u64,
}

impl<R> Bounded<R> {
    pub(super) fn new(inner: R, packed_size: u64, ratio: u64) -> Self {
        Bounded { inner, left: packed_size.saturating_mul(ratio).max(1 << 20), ratio }
    }
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
