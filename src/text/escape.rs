//! What did the writer mean before a carrier quoted it? Go's `strconv.Quote`, JSON, and several levels of either.

use std::borrow::Cow;

/// How often a text is unquoted at most: `pod_workers` lines carry three levels.
const LEVELS: usize = 4;

/// Undoes backslash escapes until none is left that a carrier would have added (`\"`, `\\`, `\n`, `\t`, `\u003c`, `\x15`).
///
/// A text without `\"`, `\\"`, `\n` or `\u` is returned as it is: Windows paths hold single backslashes that mean themselves.
pub fn unescape(text: &str) -> Cow<'_, str> {
    let mut current = Cow::Borrowed(text);
    for _ in 0..LEVELS {
        if !is_escaped(&current) {
            break;
        }
        current = Cow::Owned(once(&current));
    }
    current
}

/// Undoes the entities of a page: `&quot;`, `&#34;`, `&#x2F;`.
pub fn entities(text: &str) -> Cow<'_, str> {
    if !["&#", "&quot;", "&amp;", "&lt;", "&gt;", "&apos;"].iter().any(|e| text.contains(e)) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        out.push_str(before);
        let entity = after.get(..after.len().min(10)).unwrap_or("").split_once(';').map(|(name, _)| name);
        match entity.and_then(|name| Some((name, entity_of(name)?))) {
            Some((name, c)) => {
                out.push(c);
                rest = after.get(name.len() + 1..).unwrap_or("");
            }
            None => {
                out.push('&');
                rest = after;
            }
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}

fn entity_of(name: &str) -> Option<char> {
    match name {
        "quot" => Some('"'),
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "apos" => Some('\''),
        "nbsp" => Some(' '),
        _ => {
            let digits = name.strip_prefix('#')?;
            let code = match digits.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => digits.parse().ok()?,
            };
            char::from_u32(code).filter(|c| !c.is_control() || *c == '\n')
        }
    }
}

fn is_escaped(text: &str) -> bool {
    ["\\\"", "\\n", "\\u00", "\\t"].iter().any(|mark| text.match_indices(mark).any(|(at, _)| *mark == "\\\"" || *mark == "\\u00" || breaks_a_word(text, at)))
}

/// `\n` and `\t` count as escapes only where a Windows path is no likelier reading (`C:\new`).
fn breaks_a_word(text: &str, at: usize) -> bool {
    let head = text.get(..at).unwrap_or("");
    let before = head.chars().next_back().unwrap_or(' ');
    let in_path = before.is_ascii_alphanumeric() && head.contains(":\\");
    let drive = before == ':' && head.len() >= 2 && !head.chars().rev().nth(2).is_some_and(|c| c.is_alphanumeric());
    !in_path && !drive && before != '\\' && before != '?'
}

fn once(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        let mut ahead = rest.clone();
        match ahead.next() {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('r') => out.push('\r'),
            Some(q @ ('"' | '\\' | '/')) => out.push(q),
            Some(kind @ ('u' | 'x')) => {
                let digits: String = ahead.clone().take(if kind == 'u' { 4 } else { 2 }).collect();
                match u32::from_str_radix(&digits, 16).ok().filter(|_| kind == 'u').and_then(char::from_u32) {
                    Some(decoded) => {
                        out.push(decoded);
                        for _ in 0..digits.len() {
                            ahead.next();
                        }
                    }
                    // `\x15` stays as it is: it is how Go shows a byte that is no character.
                    None => {
                        out.push('\\');
                        out.push(kind);
                    }
                }
            }
            _ => {
                out.push('\\');
                continue;
            }
        }
        rest = ahead;
    }
    out
}

/// Reads a Go `%q` string at the start of `text`: what it says, and what follows. An open string ends with the text.
///
/// `"a \"b\" c" rest` gives `a "b" c` and ` rest`.
pub fn unquote(text: &str) -> Option<(String, &str)> {
    let body = text.strip_prefix('"')?;
    let mut escaped = false;
    for (at, c) in body.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return Some((once(body.get(..at)?), body.get(at + 1..)?)),
            _ => {}
        }
    }
    Some((once(body), ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_levels_of_quotes_come_off() {
        let line = r#"failed to \"StartContainer\" for \"app\" with ErrImagePull: \"Back-off pulling image \\\"r.example/a:1\\\"\""#;
        assert_eq!(unescape(line), r#"failed to "StartContainer" for "app" with ErrImagePull: "Back-off pulling image "r.example/a:1"""#);
    }

    #[test]
    fn entities_of_a_page_come_off() {
        assert_eq!(entities("image &#34;r.example&#x2F;a&quot; &amp; x&y; &#xZZ;"), "image \"r.example/a\" & x&y; &#xZZ;");
    }

    #[test]
    fn a_windows_path_keeps_its_backslashes() {
        let path = r"ProcessBaseLayer C:\ProgramData\new\tmp: Access is denied.";
        assert_eq!(unescape(path), path);
    }

    #[test]
    fn json_escapes_become_characters_and_bytes_stay_shown() {
        assert_eq!(unescape(r"client with IP \u0027203.0.113.7\u0027"), "client with IP '203.0.113.7'");
        assert_eq!(unquote(r#""\x15\x03" x"#), Some((r"\x15\x03".into(), " x")));
    }

    #[test]
    fn an_open_string_ends_with_the_text() {
        assert_eq!(unquote("\"cut of"), Some(("cut of".into(), "")));
        assert_eq!(unquote("no quote"), None);
    }
}
