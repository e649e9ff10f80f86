//! Where does a fact stand? In a file of the bundle, on a line, which can be shown.

use std::sync::Arc;

use crate::text;

/// A file of the bundle, by its place in [`super::Tally::files`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct FileId(u32);

impl FileId {
    pub(super) fn new(place: usize) -> FileId {
        FileId(u32::try_from(place).unwrap_or(u32::MAX))
    }

    /// The place in the list of files.
    pub fn place(self) -> usize {
        self.0 as usize
    }
}

/// The longest excerpt that a source keeps, in characters.
const EXCERPT: usize = 400;

/// A file and a line in it, with the line's text: without secrets, and no longer than is readable.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Source {
    /// The file.
    pub file: FileId,
    /// The line, counted from 1.
    pub line: u32,
    /// What stands there.
    pub excerpt: Arc<str>,
}

impl Source {
    /// The line `line` of `file`, which reads `excerpt`. Secrets are hidden here, so that no later floor can show them.
    pub fn new(file: FileId, line: u32, excerpt: &str) -> Source {
        let line_text = text::clip(excerpt.trim(), EXCERPT * 4);
        let hidden = text::redact(&line_text);
        Source { file, line, excerpt: Arc::from(&*text::clip(&hidden, EXCERPT)) }
    }
}
