//! How may foreign text be shown in a terminal? Without control characters that move the cursor or turn the reading.

use std::borrow::Cow;
use std::fmt::Write as _;

/// The text with every control, direction and zero-width character made visible: ESC as `␛`, others as `\u{202e}`.
/// Tabs and line ends become one blank, so that a line stays a line.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_unsafe) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '\t' | '\n' | '\r' => out.push(' '),
            '\0'..='\u{1f}' => out.push(char::from_u32(0x2400 + c as u32).unwrap_or('.')),
            _ if is_unsafe(c) => {
                let _ = write!(out, "\\u{{{:x}}}", c as u32);
            }
            _ => out.push(c),
        }
    }
    Cow::Owned(out)
}

fn is_unsafe(c: char) -> bool {
    c.is_control() || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// At most `most` characters of the text, with `...` where something was cut.
pub fn clip(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        Some((end, _)) => Cow::Owned(format!("{}...", text.get(..end).unwrap_or(""))),
        None => Cow::Borrowed(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_moves_the_cursor() {
        assert_eq!(visible("a\x1b[31mred\u{202e}x\ty"), "a␛[31mred\\u{202e}x y");
        assert_eq!(visible("ไทย 日本"), "ไทย 日本");
    }

    #[test]
    fn a_cut_is_shown_and_falls_between_characters() {
        assert_eq!(clip("ไทยไทย", 3), "ไทย...");
        assert_eq!(clip("abc", 3), "abc");
    }
}
