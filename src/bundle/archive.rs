//! What does a file hold where it is an archive or compressed? Unwrapped as a stream, one layer after another.

use std::cell::Cell;
use std::error::Error as _;
use std::io::{self, Chain, Cursor, Read};
use std::rc::Rc;

use jiff::Timestamp;

use super::meter::{Counted, Inflated};
use super::wrapper::{HEAD, Wrapper, wrapper};
use super::{Walk, paths, zipped};

/// Hands out the file at `path`, or what it holds where it is an archive. `inside` is the archive around it, with its `!`.
pub(super) fn unwrap(walk: &mut Walk<'_>, path: &str, inside: &str, depth: u32, modified: Option<Timestamp>, body: &mut dyn Read) {
    let full = format!("{inside}{path}");
    let (head, mut body) = match peek(body) {
        Ok(peeked) => peeked,
        Err(e) => {
            walk.unread(&full, format!("cannot be read: {}", reason(&e)));
            return;
        }
    };
    let kind = wrapper(&head);
    if !matches!(kind, Wrapper::None) && depth >= walk.limits.depth {
        walk.unread(&full, format!("more than {} archives inside one another (--limit-depth)", walk.limits.depth));
        return;
    }
    let prefix = prefix(walk, path, &full, depth);
    match kind {
        Wrapper::None => walk.plain(&full, modified, &mut body),
        Wrapper::Tar => untar(walk, &full, &prefix, depth + 1, &mut body),
        Wrapper::Zip => zipped::unzip_stream(walk, &full, &prefix, depth + 1, &mut body),
        Wrapper::Foreign(name) => walk.unread(&full, format!("a {name} archive, which is not read; pack it as tar.gz or zip")),
        Wrapper::Packed(packing) => {
            let (counted, taken) = Counted::new(&mut body);
            let unpacked = match packing.unpacked(counted) {
                Ok(unpacked) => unpacked,
                Err(e) => {
                    walk.unread(&full, told("the compressed file is damaged", &e));
                    return;
                }
            };
            let mut inflated = Inflated::new(unpacked, taken, walk.limits.ratio);
            match peek(&mut inflated) {
                Err(e) => walk.unread(&full, told("the compressed file is damaged", &e)),
                Ok((head, mut inner)) => match wrapper(&head) {
                    Wrapper::Tar => untar(walk, &full, &prefix, depth + 1, &mut inner),
                    Wrapper::None => walk.plain(&full, modified, &mut inner),
                    _ => unwrap(walk, path, inside, depth + 1, modified, &mut inner),
                },
            }
        }
    }
}

/// The bundle's own archive gives no prefix: paths inside it are the bundle's paths.
pub(super) fn prefix(walk: &Walk<'_>, path: &str, full: &str, depth: u32) -> String {
    if depth == 0 && walk.tally.name == path { String::new() } else { format!("{full}!") }
}

/// The innermost words of an error: archive libraries wrap what a decompressor or a limit said.
pub(super) fn reason(error: &io::Error) -> String {
    let mut said = error.to_string();
    let mut inner = error.source();
    while let Some(e) = inner {
        said = e.to_string();
        inner = e.source();
    }
    said
}

/// A limit is no damage; what the library says of damage stands behind.
pub(super) fn told(damage: &str, error: &io::Error) -> String {
    let reason = reason(error);
    if reason.contains("(--limit-") { reason } else { format!("{damage}: {reason}") }
}

/// A body whose head was looked at and put back.
type Peeked<'a> = Chain<Cursor<Vec<u8>>, &'a mut dyn Read>;

/// A stream that breaks off after its head still gives the head.
fn peek(body: &mut dyn Read) -> io::Result<(Vec<u8>, Peeked<'_>)> {
    let mut head = Vec::with_capacity(HEAD);
    if let Err(e) = body.take(HEAD as u64).read_to_end(&mut head)
        && head.is_empty()
    {
        return Err(e);
    }
    Ok((head.clone(), Cursor::new(head).chain(body)))
}

/// How many zero bytes a stream ended with so far: two blocks of them are a tar's end mark.
struct Ending<'a> {
    inner: &'a mut dyn Read,
    zeros: Rc<Cell<u64>>,
}

impl Read for Ending<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let got = self.inner.read(buffer)?;
        let seen = buffer.get(..got).unwrap_or_default();
        let trailing = seen.iter().rev().take_while(|b| **b == 0).count() as u64;
        let before = if trailing == got as u64 { self.zeros.get() } else { 0 };
        self.zeros.set(before + trailing);
        Ok(got)
    }
}

fn untar(walk: &mut Walk<'_>, archive: &str, prefix: &str, depth: u32, body: &mut dyn Read) {
    let zeros = Rc::new(Cell::new(0));
    let mut tar = tar::Archive::new(Ending { inner: body, zeros: Rc::clone(&zeros) });
    // Archives that were put behind one another are read to the last.
    tar.set_ignore_zeros(true);
    let entries = match tar.entries() {
        Ok(entries) => entries,
        Err(e) => {
            walk.unread(archive, told("the archive cannot be read", &e));
            return;
        }
    };
    let before = walk.tally.met;
    for entry in entries {
        if !walk.may_go_on() {
            return;
        }
        let mut entry = match entry {
            Ok(entry) => entry,
            Err(e) => {
                let so_far = walk.tally.met - before;
                walk.unread(archive, format!("{}; the {so_far} files before that were read", told("the archive is damaged or cut short", &e)));
                return;
            }
        };
        let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        let Some(path) = paths::inside(&name) else {
            if !name.trim_matches(['.', '/']).is_empty() {
                walk.unread(&format!("{prefix}{name}"), "its path leads out of the bundle");
            }
            continue;
        };
        let modified = entry.header().mtime().ok().filter(|t| *t > 0).and_then(|t| Timestamp::from_second(i64::try_from(t).ok()?).ok());
        match entry.header().entry_type() {
            kind if kind.is_symlink() || kind.is_hard_link() => {
                let raw = entry.link_name_bytes().map(|t| String::from_utf8_lossy(&t).into_owned()).unwrap_or_default();
                let target = if kind.is_hard_link() { paths::inside(&raw) } else { paths::link_target(&path, &raw) };
                match target {
                    Some(target) => walk.tally.links.push((format!("{prefix}{path}"), format!("{prefix}{target}"))),
                    None => walk.aside(&format!("{prefix}{path}"), "a link that leads out of the bundle; it was not followed"),
                }
            }
            kind if kind.is_file() || kind.is_contiguous() => walk.wrapped(&path, prefix, depth, modified, &mut entry),
            _ => {}
        }
    }
    if zeros.get() < HEAD as u64 {
        let so_far = walk.tally.met - before;
        walk.unread(archive, format!("the archive is cut short: it ends without its end mark; the {so_far} files before that were read"));
    }
}
