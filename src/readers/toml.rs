//! Which keys does a TOML file set? Tables, arrays of tables, quoted keys, texts, booleans and lists of texts: what
//! configurations of runtimes are made of. Whatever else stands there costs only itself.
//!
//! ```toml
//! [plugins."io.containerd.grpc.v1.cri".registry]
//!   config_path = "/etc/containerd/certs.d"
//! [[registry]]
//! prefix = "docker.io"
//! ```

use crate::text;

/// One assignment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    /// The table in which it stands, part by part.
    pub(super) table: Vec<String>,
    /// Which of an array of tables it is; 0 for a plain table.
    pub(super) nth: usize,
    /// The key.
    pub(super) key: String,
    /// The value.
    pub(super) value: Value,
    /// Its line.
    pub(super) line: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Value {
    Text(String),
    Bool(bool),
    List(Vec<String>),
    Other,
}

impl Entry {
    pub(super) fn text(&self) -> Option<&str> {
        if let Value::Text(text) = &self.value { Some(text) } else { None }
    }

    pub(super) fn is_true(&self) -> bool {
        self.value == Value::Bool(true)
    }

    pub(super) fn list(&self) -> &[String] {
        if let Value::List(list) = &self.value { list } else { &[] }
    }
}

/// The tables and assignments of a text, in order. A table without any assignment gives one with an empty key.
pub(super) fn entries(content: &str) -> Vec<Entry> {
    let mut out: Vec<Entry> = Vec::new();
    let (mut table, mut nth) = (Vec::new(), 0usize);
    // A list may go on over several lines.
    let mut open: Option<(String, u32, String)> = None;
    for (number, raw) in text::numbered(content) {
        let line = bare(raw);
        if let Some((key, first, mut list)) = open.take() {
            list.push(' ');
            list.push_str(line);
            if line.contains(']') || list.len() > 64 << 10 {
                out.push(Entry { table: table.clone(), nth, key, value: value(&list), line: first });
            } else {
                open = Some((key, first, list));
            }
        } else if let Some(inner) = line.strip_prefix("[[").and_then(|l| l.strip_suffix("]]")) {
            table = parts(inner);
            nth = out.iter().filter(|e| e.table == table).map(|e| e.nth + 1).max().unwrap_or(0);
            out.push(Entry { table: table.clone(), nth, key: String::new(), value: Value::Other, line: number });
        } else if let Some(inner) = line.strip_prefix('[').and_then(|l| l.strip_suffix(']')).filter(|l| !l.contains(',')) {
            (table, nth) = (parts(inner), 0);
            out.push(Entry { table: table.clone(), nth, key: String::new(), value: Value::Other, line: number });
        } else if let Some((key, rest)) = line.split_once('=') {
            let (key, rest) = (key.trim().trim_matches(['"', '\'']).to_owned(), rest.trim());
            if rest.starts_with('[') && !rest.contains(']') {
                open = Some((key, number, rest.to_owned()));
            } else {
                out.push(Entry { table: table.clone(), nth, key, value: value(rest), line: number });
            }
        }
    }
    out
}

/// The line without its comment.
fn bare(line: &str) -> &str {
    let mut quote = None;
    for (at, c) in line.char_indices() {
        match (c, quote) {
            ('"' | '\'', None) => quote = Some(c),
            (c, Some(q)) if c == q => quote = None,
            ('#', None) => return line.get(..at).unwrap_or(line).trim(),
            _ => {}
        }
    }
    line.trim()
}

/// `plugins."io.containerd.grpc.v1.cri".registry` in its parts.
fn parts(path: &str) -> Vec<String> {
    let mut out = vec![String::new()];
    let mut quote = None;
    for c in path.chars() {
        match (c, quote) {
            ('"' | '\'', None) => quote = Some(c),
            (c, Some(q)) if c == q => quote = None,
            ('.', None) => out.push(String::new()),
            (c, None) if c.is_whitespace() => {}
            (c, _) => {
                if let Some(last) = out.last_mut() {
                    last.push(c);
                }
            }
        }
    }
    out
}

fn value(text: &str) -> Value {
    let quoted = |t: &str| {
        let quote = t.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        t.strip_prefix(quote)?.split(quote).next().map(str::to_owned)
    };
    match text {
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        _ => match text.strip_prefix('[') {
            Some(inner) => Value::List(inner.split(']').next().unwrap_or("").split(',').filter_map(|i| quoted(i.trim())).collect()),
            None => quoted(text).map_or(Value::Other, Value::Text),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_runtimes_are_configured_with() {
        let text = "version = 2\n[plugins.\"io.containerd.grpc.v1.cri\".registry] # here\n  config_path = \"/etc/x\"\n[[registry]]\nprefix = 'a'\n[[registry]]\nblocked = true\nlist = [\n  \"b\",\n  \"c\", # d\n]\n";
        let entries = entries(text);
        let find = |key: &str| entries.iter().find(|e| e.key == key).unwrap();
        assert_eq!(find("config_path").table, ["plugins", "io.containerd.grpc.v1.cri", "registry"]);
        assert_eq!((find("config_path").text(), find("config_path").line), (Some("/etc/x"), 3));
        assert_eq!((find("prefix").nth, find("blocked").nth, find("blocked").is_true()), (0, 1, true));
        assert_eq!(find("list").list(), ["b", "c"]);
    }

    #[test]
    fn damage_costs_itself() {
        let entries = entries("[open\nkey = \"unclosed\nlist = [ \"a\",\n");
        assert_eq!(entries.iter().map(|e| e.key.as_str()).collect::<Vec<_>>(), ["key"]);
        assert_eq!(super::entries("= = =\n]]\n").len(), 1);
    }
}
