//! How does a rule's sentence become this bundle's? Facts stand in braces; one that is not known leaves its general name.

use crate::pull::view::{Asked, handles};

use super::vocabulary;

/// The sentence with its facts filled in.
pub fn fill(sentence: &str, asked: &Asked<'_>) -> String {
    filled(sentence, |fact| value(fact, asked).unwrap_or_else(|| fact.stand_in.to_owned()))
}

/// The command with its facts and gaps filled in. What is not known stays a gap for the reader: `<the host>`. So does what a
/// shell could take for more than a word.
pub fn fill_command(command: &str, asked: &Asked<'_>) -> String {
    let plain = |text: &String| handles::is_plain(text);
    let mut out = filled(command, |fact| value(fact, asked).filter(plain).unwrap_or_else(|| format!("<{}>", fact.stand_in)));
    for (gap, known) in handles::of(asked, command) {
        if known.split(' ').all(|word| word.starts_with('-') || handles::is_plain(word)) {
            out = out.replace(gap, &known);
        }
    }
    out
}

fn value(fact: &vocabulary::Fact, asked: &Asked<'_>) -> Option<String> {
    asked.fact(fact.name, fact.get).seen().map(|value| value.to_string())
}

fn filled(sentence: &str, say: impl Fn(&'static vocabulary::Fact) -> String) -> String {
    let mut out = String::with_capacity(sentence.len());
    let mut rest = sentence;
    while let Some((before, name, after)) = next(rest) {
        out.push_str(before);
        match vocabulary::named(name) {
            Some(fact) => out.push_str(&say(fact)),
            None => out.push_str(name),
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

/// The names in braces of a sentence.
pub(super) fn names(sentence: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut rest = sentence;
    while let Some((_, name, after)) = next(rest) {
        out.push(name);
        rest = after;
    }
    out
}

/// A name in braces is a fact's: words, a dot, words. Other braces (shell, JSON, jsonpath) stay as they are.
fn next(text: &str) -> Option<(&str, &str, &str)> {
    let mut from = 0;
    while let Some(open) = text.get(from..)?.find('{').map(|i| from + i) {
        let inner = text.get(open + 1..)?;
        let end = inner.find(|c: char| !(c.is_ascii_lowercase() || c == '_' || c == '.' || c.is_ascii_digit())).unwrap_or(inner.len());
        let name = inner.get(..end)?;
        if inner.get(end..)?.starts_with('}') && name.contains('.') && !name.starts_with('.') {
            return Some((text.get(..open)?, name, inner.get(end + 1..)?));
        }
        from = open + 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn only_facts_are_names() {
        assert_eq!(names("{endpoint.host} and {x} and {.items[0]} and ${VAR}"), ["endpoint.host"]);
    }
}
