//! What did a text say before a mail, a page or a frame carried it? The same lines without what was put round them.
//!
//! ```text
//! │ Name:         app-1                │
//! > Warning  Failed  5m  kubelet  Failed to pull image "r.example/a:1": ...
//! failed to pull and=
//!  unpack image "r.example/a:1"
//! ```

use crate::text::escape;

/// Of so many lines two thirds must bear the mark.
const FEW: usize = 2;

/// A text that a mail encoded as quoted-printable, decoded; lines keep their numbers.
pub(super) fn decoded(content: &str) -> Option<String> {
    let soft = content.lines().filter(|l| l.ends_with('=')).count();
    if !(content.to_lowercase().contains("encoding: quoted-printable") || (soft > 1 && content.contains("=3D"))) {
        return None;
    }
    let mut out = String::with_capacity(content.len());
    let mut taken = 0;
    for line in content.lines() {
        let open = line.strip_suffix('=');
        out.push_str(&printable(open.unwrap_or(line)));
        if open.is_some() {
            taken += 1;
        } else {
            out.push_str(&"\n".repeat(taken + 1));
            taken = 0;
        }
    }
    Some(out)
}

/// `=3D` is a byte by its number.
fn printable(line: &str) -> String {
    let mut out = Vec::with_capacity(line.len());
    let mut rest = line.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        let code = tail.get(..2).filter(|_| *first == b'=').and_then(|d| std::str::from_utf8(d).ok()).and_then(|d| u8::from_str_radix(d, 16).ok());
        out.push(code.unwrap_or(*first));
        rest = if code.is_some() { tail.get(2..).unwrap_or_default() } else { tail };
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// The text without a frame, a mail's marks, a page's tags or an indent, where it has one.
pub(super) fn bare(content: &str) -> Option<String> {
    let is_frame = |c: char| ('\u{2500}'..='\u{257f}').contains(&c) || c == '|';
    let said: Vec<&str> = content.lines().filter(|l| !l.trim().is_empty()).collect();
    let most = |marked: &dyn Fn(&str) -> bool| said.len() >= FEW && said.iter().filter(|l| marked(l)).count() * 3 >= said.len() * 2;
    let each = |strip: &dyn Fn(&str) -> String| content.lines().map(|l| strip(l) + "\n").collect::<String>();
    if most(&|l| l.trim_start().starts_with(is_frame)) {
        return Some(each(&|l| {
            let inner = l.trim().trim_matches(is_frame);
            inner.strip_prefix(' ').unwrap_or(inner).trim_end().to_owned()
        }));
    }
    if most(&|l| l.starts_with('>')) {
        return Some(each(&|l| l.trim_start_matches('>').strip_prefix(' ').unwrap_or(l.trim_start_matches('>')).to_owned()));
    }
    if content.trim_start().starts_with('<') && content.contains("<pre") {
        return Some(each(&|l| escape::entities(&without_tags(l)).into_owned()));
    }
    let indent = said.iter().map(|l| l.len() - l.trim_start_matches([' ', '\t']).len()).min().unwrap_or(0);
    (indent > 0).then(|| each(&|l| l.get(indent..).unwrap_or("").to_owned()))
}

fn without_tags(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, after)) = rest.split_once('<') {
        out.push_str(before);
        rest = after.split_once('>').map_or("", |(_, behind)| behind);
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_of_carriers_come_off() {
        assert_eq!(bare("│ Name:  a │\n│ Node:  b │\n").unwrap(), "Name:  a\nNode:  b\n");
        assert_eq!(bare("> Name:  a\n> Node:  b\n").unwrap(), "Name:  a\nNode:  b\n");
        assert_eq!(bare("    Name:  a\n      Node:  b\n").unwrap(), "Name:  a\n  Node:  b\n");
        assert_eq!(bare("<p>Hi</p>\n<pre>Name: &#34;a&#34;\n</pre>").unwrap(), "Hi\nName: \"a\"\n\n");
        assert_eq!(bare("Name: a\n"), None);
    }

    #[test]
    fn soft_breaks_join_and_numbers_stay() {
        let text = "Content-Transfer-Encoding: quoted-printable\n\nfailed to pull and=\n unpack?a=3Db\nend\n";
        assert_eq!(decoded(text).unwrap(), "Content-Transfer-Encoding: quoted-printable\n\nfailed to pull and unpack?a=b\n\nend\n");
        assert_eq!(decoded("a=\nb\n"), None);
    }
}
