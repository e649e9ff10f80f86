//! Which characters do these bytes stand for? Byte order marks, UTF-16 without one, broken UTF-8.

use std::borrow::Cow;
use std::io::Read;

/// The bytes as text. Windows tools write UTF-16, with or without a byte order mark; what is no valid UTF-8 is replaced
/// by U+FFFD, never refused.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match bytes {
        [0xEF, 0xBB, 0xBF, rest @ ..] => String::from_utf8_lossy(rest),
        [0xFF, 0xFE, rest @ ..] => Cow::Owned(utf16(rest, u16::from_le_bytes)),
        [0xFE, 0xFF, rest @ ..] => Cow::Owned(utf16(rest, u16::from_be_bytes)),
        [first, 0, second, 0, ..] if *first != 0 && *second != 0 => Cow::Owned(utf16(bytes, u16::from_le_bytes)),
        [0, first, 0, second, ..] if *first != 0 && *second != 0 => Cow::Owned(utf16(bytes, u16::from_be_bytes)),
        // A writer of C's strings leaves their end.
        _ => String::from_utf8_lossy(without_ends(bytes)),
    }
}

fn without_ends(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().rposition(|b| !(*b == 0 || b.is_ascii_whitespace())).map_or(0, |at| at + 1);
    let ends = bytes.get(end..).unwrap_or_default();
    if (1..=2).contains(&ends.iter().filter(|b| **b == 0).count()) { bytes.get(..end).unwrap_or(bytes) } else { bytes }
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let units = bytes.chunks_exact(2).filter_map(|pair| Some(unit(pair.try_into().ok()?)));
    char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

/// Whether the head of a file is text at all: next to no NUL in it once decoded, and not mostly replacement characters. A
/// text in an old national encoding keeps its English words; garbage in the middle of a text costs only itself.
pub fn is_text(head: &[u8]) -> bool {
    let text = decode(head);
    let (all, count) = (text.chars().count(), |c: char| text.chars().filter(|t| *t == c).count());
    count('\0') * 500 <= all && (count('\0') + count(char::REPLACEMENT_CHARACTER)) * 3 <= all
}

/// Turns a stream of UTF-16 into UTF-8 as it goes, so that lines can be cut at their ends.
pub struct Narrow<R> {
    inner: R,
    unit: fn([u8; 2]) -> u16,
    /// Bytes of a character that is not whole yet.
    open: Vec<u8>,
    ready: std::io::Cursor<Vec<u8>>,
}

impl<R: Read> Narrow<R> {
    /// Where `head`, the beginning of the stream, is UTF-16.
    pub fn of(head: &[u8], inner: R) -> Result<Narrow<R>, R> {
        let unit: fn([u8; 2]) -> u16 = match head {
            [0xFF, 0xFE, ..] => u16::from_le_bytes,
            [0xFE, 0xFF, ..] => u16::from_be_bytes,
            [first, 0, second, 0, ..] if *first != 0 && *second != 0 => u16::from_le_bytes,
            [0, first, 0, second, ..] if *first != 0 && *second != 0 => u16::from_be_bytes,
            _ => return Err(inner),
        };
        Ok(Narrow { inner, unit, open: Vec::new(), ready: std::io::Cursor::default() })
    }
}

impl<R: Read> Read for Narrow<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        loop {
            let got = self.ready.read(buffer)?;
            if got > 0 || buffer.is_empty() {
                return Ok(got);
            }
            let mut chunk = [0; 8192];
            let read = self.inner.read(&mut chunk)?;
            if read == 0 {
                return Ok(0);
            }
            self.open.extend_from_slice(chunk.get(..read).unwrap_or_default());
            // A surrogate pair at the chunk's end waits for its other half.
            let mut whole = self.open.len() & !1;
            let last = self.open.get(whole.saturating_sub(2)..whole).and_then(|p| p.try_into().ok()).map(self.unit);
            if last.is_some_and(|u| (0xD800..0xDC00).contains(&u)) {
                whole -= 2;
            }
            let rest = self.open.split_off(whole);
            let text = utf16(&std::mem::replace(&mut self.open, rest), self.unit);
            self.ready = std::io::Cursor::new(text.trim_start_matches('\u{FEFF}').as_bytes().to_vec());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utf16_in_both_orders_with_and_without_a_mark() {
        let le: Vec<u8> = "pull".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let be: Vec<u8> = "pull".encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(decode(&le), "pull");
        assert_eq!(decode(&be), "pull");
        assert_eq!(decode(&[&[0xFF, 0xFE], le.as_slice()].concat()), "pull");
        assert_eq!(decode(&[&[0xFE, 0xFF], be.as_slice()].concat()), "pull");
    }

    #[test]
    fn a_stream_of_utf16_keeps_pairs_that_a_chunk_cuts() {
        let text = format!("{}\u{1F433}\n", "x".repeat(4095));
        let bytes: Vec<u8> = std::iter::once(0xFEFF).chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
        let mut out = String::new();
        Narrow::of(&bytes, bytes.as_slice()).ok().unwrap().read_to_string(&mut out).unwrap();
        assert_eq!(out, text);
    }

    #[test]
    fn broken_utf8_is_replaced_and_noise_is_no_text() {
        assert_eq!(decode(b"a\xFFb"), "a\u{FFFD}b");
        assert!(is_text(b"plain words, and one \xFF"));
        assert!(is_text(b"plain words\n\0\n"));
        assert!(!is_text(b"\x7FELF\x02\x01\x01\0\0\0\0\0\0\0\0\0"));
    }
}
