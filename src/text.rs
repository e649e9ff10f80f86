//! What do bytes from a stranger say as text, and how may that text be shown again?
//!
//! The lowest floor: decoding, the escapings that carriers add, wraps that terminals add, and what must never leave
//! (control characters, secrets). It knows nothing of clusters.

pub mod decode;
pub mod escape;
pub mod secrets;
pub mod show;
pub mod wrap;

pub use decode::decode;
pub use escape::{unescape, unquote};
pub use secrets::redact;
pub use show::{clip, visible};

/// The lines of a text with their numbers, counted from 1; `\r\n` and `\n` end a line.
pub fn numbered(text: &str) -> impl Iterator<Item = (u32, &str)> {
    (1u32..).zip(text.lines())
}

/// The number of the line, counted from 1, in which the byte at `offset` stands.
pub fn line_of(text: &str, offset: usize) -> u32 {
    let before = text.as_bytes().get(..offset).unwrap_or(text.as_bytes());
    u32::try_from(memchr::memchr_iter(b'\n', before).count()).map_or(u32::MAX, |n| n.saturating_add(1))
}

/// The text of line `number` (from 1), without its end.
pub fn line(text: &str, number: u32) -> &str {
    text.lines().nth(number.saturating_sub(1) as usize).unwrap_or("")
}
