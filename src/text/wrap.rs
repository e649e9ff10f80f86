//! Where did a terminal break the lines of a text? At its own width, in the middle of words.

/// Narrower than this no terminal is.
const NARROW: usize = 40;

/// The right edge of the terminal from which a text was copied.
#[derive(Debug, Clone, Copy)]
pub struct Edge(Option<usize>);

impl Edge {
    /// Two lines of the greatest length ended at the edge; one alone is a long line.
    pub fn of(text: &str) -> Edge {
        let lengths = || text.lines().map(|l| l.chars().count());
        let width = lengths().max().unwrap_or(0);
        Edge(Some(width).filter(|w| *w >= NARROW && lengths().filter(|l| l == w).count() > 1))
    }

    /// Whether the next line goes on within the same word.
    pub fn ends(self, line: &str) -> bool {
        self.0 == Some(line.chars().count())
    }

    /// The blanks at a line's end, where they are the edge's and part of the text.
    pub fn blanks(self, line: &str) -> &str {
        line.get(line.trim_end().len()..).filter(|_| self.ends(line)).unwrap_or("")
    }
}

/// Lines that begin no entry of their own, joined to the one whose end the edge cut; the numbers of what follows stay.
pub fn rejoined(text: &str, begins: impl Fn(&str) -> bool) -> Option<String> {
    let edge = Edge::of(text);
    let mut out: Vec<String> = Vec::new();
    let (mut open, mut taken, mut joined) = (false, 0, false);
    for line in text.lines() {
        match out.last_mut().filter(|_| open && !begins(line)) {
            Some(last) => {
                last.push_str(line);
                taken += 1;
                joined = true;
            }
            None => {
                out.extend(std::iter::repeat_n(String::new(), taken));
                taken = 0;
                out.push(line.to_owned());
            }
        }
        open = edge.ends(line);
    }
    joined.then(|| out.join("\n") + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_edge_cut_is_joined() {
        let first = format!("# {}", "a".repeat(48));
        let text = format!("{first}\nbc\n{first}\nde\n# end\n");
        let whole = rejoined(&text, |l| l.starts_with('#')).unwrap();
        assert_eq!(whole, format!("{first}bc\n\n{first}de\n\n# end\n"));
        assert_eq!(rejoined("# a\nb\n", |l| l.starts_with('#')), None);
    }
}
