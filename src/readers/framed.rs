//! Is a text framed by a terminal's window? k9s and its kin draw a box, and cut longer lines at its edge.
//!
//! ```text
//! │   Warning  Failed   9s   kubelet  Failed to pull image "registry.corp.example/team/a │
//! │ pp:1.4": failed to pull and unpack image ...                                         │
//! ```

/// Characters of boxes; a `|` alone is a table's.
fn is_box(c: char) -> bool {
    ('\u{2500}'..='\u{257f}').contains(&c)
}

/// The text without its frame, line for line: what was cut at the edge is one line again, and empty lines keep the count.
pub(super) fn without(text: &str) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let filled: Vec<&&str> = lines.iter().filter(|l| !l.trim().is_empty()).collect();
    let framed = filled.iter().filter(|l| l.trim_start().starts_with(is_box)).count();
    if filled.len() < 3 || framed * 10 < filled.len() * 9 {
        return None;
    }
    let mut out: Vec<String> = Vec::with_capacity(lines.len());
    // The line that goes on, where the one before reached the edge.
    let mut open: Option<usize> = None;
    for line in &lines {
        let (inner, full) = inside(line);
        match open.and_then(|at| out.get_mut(at)) {
            Some(begun) => {
                begun.push_str(inner.trim_end());
                out.push(String::new());
            }
            None => {
                open = Some(out.len());
                out.push(inner.trim_end().to_owned());
            }
        }
        if !full {
            open = None;
        }
    }
    Some(out.join("\n") + "\n")
}

/// What stands between the edges, and whether it reaches the right one. One blank on each side is the frame's own.
fn inside(line: &str) -> (&str, bool) {
    let line = line.trim();
    let Some(left) = line.strip_prefix(is_box) else { return (line, false) };
    if left.starts_with(is_box) {
        return ("", false);
    }
    let left = left.strip_prefix(' ').unwrap_or(left);
    let Some(inner) = left.strip_suffix(is_box) else { return (left, false) };
    let inner = inner.strip_suffix(' ').unwrap_or(inner);
    (inner, inner.ends_with(|c: char| !c.is_whitespace()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_cut_at_the_edge_are_one_again() {
        let text = "┌── Describe ──┐\n│ Name:   app  │\n│ failed to re │\n│ solve it     │\n│ Status: none │\n└──────────────┘\n";
        assert_eq!(without(text).as_deref(), Some("\nName:   app\nfailed to resolve it\n\nStatus: none\n\n"));
    }

    #[test]
    fn a_tree_or_a_table_is_no_frame() {
        assert_eq!(without("root\n├── a\n└── b\nend\nof it\n"), None);
        assert_eq!(without("| a | b |\n| 1 | 2 |\n| 3 | 4 |\n"), None);
    }
}
