//! Where does the answer go? Standard output or a file, with colours only where they are wanted.

use std::io::Write as _;

use anstream::{AutoStream, ColorChoice};
use clap::ValueEnum;

/// When to colour.
#[derive(Clone, Copy, Default, ValueEnum)]
pub(crate) enum Color {
    /// In a terminal.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// Writes the answer. A reader that goes away (`| head`) is no error.
pub(crate) fn write(text: &str, file: Option<&str>, color: Color) -> Result<(), String> {
    if let Some(path) = file {
        let mut out = AutoStream::new(Vec::new(), ColorChoice::Never);
        out.write_all(text.as_bytes()).map_err(|e| e.to_string())?;
        return std::fs::write(path, out.into_inner()).map_err(|e| format!("{path}: cannot be written: {e}"));
    }
    let choice = match color {
        Color::Auto => AutoStream::choice(&std::io::stdout()),
        Color::Always => ColorChoice::Always,
        Color::Never => ColorChoice::Never,
    };
    let mut out = AutoStream::new(std::io::stdout().lock(), choice);
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(e) if e.kind() != std::io::ErrorKind::BrokenPipe => Err(format!("the answer cannot be written: {e}")),
        _ => Ok(()),
    }
}
