//! What did a command on a node print, as `az vmss run-command invoke -o yaml` wraps it?
//!
//! ```yaml
//! value:
//! - code: ProvisioningState/succeeded
//!   message: "Enable succeeded: \n[stdout]\nnameserver 168.63.129.16\nsearch x.example\n\
//!     \n[stderr]\n"
//! ```

use crate::readers::{File, transcript};
use crate::text;

/// Reads the output of every result; false where there is none.
pub(super) fn read(file: &mut File<'_>, document: &str, first: u32) -> bool {
    if !document.contains("ProvisioningState/") && !document.contains("ComponentStatus/") {
        return false;
    }
    let mut found = false;
    let mut open: Option<(u32, String)> = None;
    for (number, line) in text::numbered(document) {
        let rest = match &mut open {
            Some((_, message)) => {
                // A backslash at the end of a line joins it with the next; without one, a blank stands for the break.
                if message.ends_with('\\') {
                    message.pop();
                } else {
                    message.push(' ');
                }
                line.trim_start()
            }
            None => match line.trim_start().trim_start_matches("- ").strip_prefix("message: \"") {
                Some(rest) => {
                    open = Some((number.saturating_add(first).saturating_sub(1), String::new()));
                    rest
                }
                None => continue,
            },
        };
        let Some((at, message)) = &mut open else { continue };
        match end_of(rest) {
            None => message.push_str(rest),
            Some(end) => {
                message.push_str(rest.get(..end).unwrap_or(rest));
                found |= transcript::run_command(file, &unescaped(message), *at);
                open = None;
            }
        }
    }
    found
}

/// Where the quote stands that ends a text.
fn end_of(line: &str) -> Option<usize> {
    let mut escaped = false;
    line.char_indices().find_map(|(at, c)| {
        let ends = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        ends.then_some(at)
    })
}

fn unescaped(message: &str) -> String {
    let mut out = String::with_capacity(message.len());
    let mut rest = message.chars();
    while let Some(c) = rest.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        let kind = rest.next();
        let digits = match kind {
            Some('x') => 2,
            Some('u') => 4,
            Some('U') => 8,
            _ => 0,
        };
        if digits > 0 {
            let code: String = rest.by_ref().take(digits).collect();
            out.extend(u32::from_str_radix(&code, 16).ok().and_then(char::from_u32));
            continue;
        }
        match kind {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('e') => out.push('\u{1b}'),
            Some('r') | None => {}
            Some(other) => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_and_ends() {
        assert_eq!(end_of(r#"a \" b"#), None);
        assert_eq!(end_of(r#"a \\" b"#), Some(4));
        assert_eq!(end_of("a"), None);
        assert_eq!(unescaped(r#"a\n\tb \"c\" \x41\u00e9"#), "a\n\tb \"c\" A\u{e9}");
    }
}
