//! What is this file wrapped in? Told by its first bytes, never by its name; unwrapped as a stream.

use std::io::{self, Chain, Cursor, Read};

use flate2::read::MultiGzDecoder;
use jiff::Timestamp;

use super::meter::{Counted, Inflated};
use super::{Walk, paths, zipped};

/// Enough of a file to tell a tar: its mark stands at byte 257.
const HEAD: usize = 512;

enum Wrapper {
    Tar,
    Packed(Packing),
    Zip,
    None,
}

/// How a stream is compressed.
#[derive(Clone, Copy)]
enum Packing {
    Gzip,
    Xz,
    Zstd,
    Bzip2,
}

impl Packing {
    /// The stream behind it. Streams of several members, as log rotation and parallel tools write them, are read whole.
    fn unpacked<'a>(self, packed: impl Read + 'a) -> io::Result<Box<dyn Read + 'a>> {
        let packed = io::BufReader::new(packed);
        Ok(match self {
            Packing::Gzip => Box::new(MultiGzDecoder::new(packed)),
            Packing::Xz => Box::new(lzma_rust2::XzReader::new(packed, true)),
            Packing::Zstd => Box::new(ruzstd::decoding::StreamingDecoder::new(packed).map_err(io::Error::other)?),
            Packing::Bzip2 => Box::new(bzip2::read::MultiBzDecoder::new(packed)),
        })
    }
}

fn wrapper(head: &[u8]) -> Wrapper {
    match head {
        [0x1f, 0x8b, 8, ..] => Wrapper::Packed(Packing::Gzip),
        [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Wrapper::Zip,
        [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Wrapper::Packed(Packing::Xz),
        [0x28, 0xb5, 0x2f, 0xfd, ..] => Wrapper::Packed(Packing::Zstd),
        [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, ..] => Wrapper::Packed(Packing::Bzip2),
        _ if head.get(257..262) == Some(b"ustar") => Wrapper::Tar,
        _ => Wrapper::None,
    }
}

/// Hands out the file at `path`, or what it holds where it is an archive. `inside` is the archive around it, with its `!`.
pub(super) fn unwrap(walk: &mut Walk<'_>, path: &str, inside: &str, depth: u32, modified: Option<Timestamp>, body: &mut dyn Read) {
    let full = format!("{inside}{path}");
    let (head, mut body) = match peek(body) {
        Ok(peeked) => peeked,
        Err(e) => {
            walk.unread(&full, format!("cannot be read: {e}"));
            return;
        }
    };
    let kind = wrapper(&head);
    if !matches!(kind, Wrapper::None) && depth >= walk.limits.depth {
        walk.unread(&full, format!("more than {} archives inside one another (--limit-depth)", walk.limits.depth));
        return;
    }
    // The bundle's own archive gives no prefix: paths inside it are the bundle's paths.
    let prefix = if depth == 0 && walk.tally.name == path { String::new() } else { format!("{full}!") };
    match kind {
        Wrapper::None => walk.plain(&full, modified, &mut body),
        Wrapper::Tar => untar(walk, &full, &prefix, depth + 1, &mut body),
        Wrapper::Zip => zipped::unzip(walk, &full, &prefix, depth + 1, &mut body),
        Wrapper::Packed(packing) => {
            let (counted, taken) = Counted::new(&mut body);
            let unpacked = match packing.unpacked(counted) {
                Ok(unpacked) => unpacked,
                Err(e) => {
                    walk.unread(&full, format!("the compressed file is damaged: {e}"));
                    return;
                }
            };
            let mut inflated = Inflated::new(unpacked, taken, walk.limits.ratio);
            match peek(&mut inflated) {
                Err(e) => walk.unread(&full, format!("the compressed file is damaged: {e}")),
                Ok((head, mut inner)) => match wrapper(&head) {
                    Wrapper::Tar => untar(walk, &full, &prefix, depth + 1, &mut inner),
                    Wrapper::None => walk.plain(&full, modified, &mut inner),
                    _ => unwrap(walk, path, inside, depth + 1, modified, &mut inner),
                },
            }
        }
    }
}

/// A body whose head was looked at and put back.
type Peeked<'a> = Chain<Cursor<Vec<u8>>, &'a mut dyn Read>;

fn peek(body: &mut dyn Read) -> io::Result<(Vec<u8>, Peeked<'_>)> {
    let mut head = Vec::with_capacity(HEAD);
    body.take(HEAD as u64).read_to_end(&mut head)?;
    Ok((head.clone(), Cursor::new(head).chain(body)))
}

fn untar(walk: &mut Walk<'_>, archive: &str, prefix: &str, depth: u32, body: &mut dyn Read) {
    let mut tar = tar::Archive::new(body);
    let entries = match tar.entries() {
        Ok(entries) => entries,
        Err(e) => {
            walk.unread(archive, format!("the archive cannot be read: {e}"));
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
                walk.unread(archive, format!("the archive is damaged or cut short ({e}); the {so_far} files before that were read"));
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
}
