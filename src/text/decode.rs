//! Which characters do these bytes stand for? Byte order marks, UTF-16 without one, broken UTF-8.

use std::borrow::Cow;

/// The bytes as text. Windows tools write UTF-16, with or without a byte order mark; what is no valid UTF-8 is replaced
/// by U+FFFD, never refused.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match bytes {
        [0xEF, 0xBB, 0xBF, rest @ ..] => String::from_utf8_lossy(rest),
        [0xFF, 0xFE, rest @ ..] => Cow::Owned(utf16(rest, u16::from_le_bytes)),
        [0xFE, 0xFF, rest @ ..] => Cow::Owned(utf16(rest, u16::from_be_bytes)),
        [first, 0, second, 0, ..] if *first != 0 && *second != 0 => Cow::Owned(utf16(bytes, u16::from_le_bytes)),
        [0, first, 0, second, ..] if *first != 0 && *second != 0 => Cow::Owned(utf16(bytes, u16::from_be_bytes)),
        _ => String::from_utf8_lossy(bytes),
    }
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let units = bytes.chunks_exact(2).filter_map(|pair| Some(unit(pair.try_into().ok()?)));
    char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

/// Whether the head of a file is text at all: no NUL in it once decoded, and few replacement characters.
pub fn is_text(head: &[u8]) -> bool {
    let text = decode(head);
    let strange = text.chars().filter(|c| *c == '\0' || *c == char::REPLACEMENT_CHARACTER).count();
    !text.contains('\0') && strange * 20 <= text.chars().count()
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
    fn broken_utf8_is_replaced_and_noise_is_no_text() {
        assert_eq!(decode(b"a\xFFb"), "a\u{FFFD}b");
        assert!(is_text(b"plain words, and one \xFF"));
        assert!(!is_text(b"\x7FELF\x02\x01\x01\0\0\0\0\0\0\0\0\0"));
    }
}
