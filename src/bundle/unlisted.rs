//! What does a zip hold whose list was cut off? Each entry has a head of its own, from which it is read.

use std::io::Read;

use flate2::bufread::DeflateDecoder;

use super::zipped::Bounded;
use super::{Walk, paths};

const STORED: u16 = 0;
const DEFLATED: u16 = 8;

/// The head of an entry.
struct Head<'z> {
    name: String,
    method: u16,
    /// Sizes stand behind the entry, as programs write them that do not know them before.
    sizes_behind: bool,
    encrypted: bool,
    packed: usize,
    rest: &'z [u8],
}

fn number(bytes: &[u8], at: usize, length: usize) -> Option<usize> {
    bytes.get(at..at + length)?.iter().rev().try_fold(0usize, |n, b| n.checked_mul(256)?.checked_add(usize::from(*b)))
}

fn head(zip: &[u8]) -> Option<Head<'_>> {
    zip.strip_prefix(b"PK\x03\x04")?;
    let flags = number(zip, 6, 2)?;
    let (name, extra) = (number(zip, 26, 2)?, number(zip, 28, 2)?);
    Some(Head {
        name: String::from_utf8_lossy(zip.get(30..30 + name)?).into_owned(),
        method: u16::try_from(number(zip, 8, 2)?).ok()?,
        sizes_behind: flags & 8 != 0,
        encrypted: flags & 1 != 0,
        packed: number(zip, 18, 4)?,
        rest: zip.get(30 + name + extra..)?,
    })
}

/// Reads entry after entry until one is not whole; that one is read as far as it goes.
pub(super) fn unzip(walk: &mut Walk<'_>, archive: &str, prefix: &str, depth: u32, zip: &[u8], why: &str) {
    let before = walk.tally.met;
    let mut rest = zip;
    while let Some(entry) = head(rest) {
        if !walk.may_go_on() {
            return;
        }
        let body = if entry.sizes_behind { entry.rest } else { entry.rest.get(..entry.packed).unwrap_or(entry.rest) };
        let path = paths::inside(&entry.name).filter(|_| !entry.name.ends_with(['/', '\\']));
        let used = match (path, entry.method) {
            _ if entry.encrypted => break,
            (Some(path), DEFLATED) => {
                let mut inflated = DeflateDecoder::new(body);
                walk.wrapped(&path, prefix, depth, None, &mut Bounded::new(&mut inflated, zip.len() as u64, walk.limits.ratio));
                // What nobody wanted to read is passed over.
                let _ = std::io::copy(&mut inflated.by_ref().take(walk.limits.file), &mut std::io::sink());
                body.len() - inflated.into_inner().len()
            }
            (Some(path), STORED) if !entry.sizes_behind => {
                walk.wrapped(&path, prefix, depth, None, &mut &*body);
                body.len()
            }
            (None, _) if !entry.sizes_behind => body.len(),
            _ => break,
        };
        let behind = entry.rest.get(used..).unwrap_or_default();
        // The sizes behind an entry are no longer than 24 bytes.
        rest = if entry.sizes_behind { next(behind) } else { behind };
    }
    let so_far = walk.tally.met - before;
    let why = if why.contains("(--limit-") { why.to_owned() } else { format!("the archive is damaged or cut short: {why}") };
    walk.unread(archive, format!("{why}; the {so_far} files before that were read"));
}

fn next(behind: &[u8]) -> &[u8] {
    (12..=24).filter_map(|skip| behind.get(skip..)).find(|rest| rest.starts_with(b"PK")).unwrap_or_default()
}
