//! What do the commands that read a bundle have in common: which bundle, within which limits, and where the answer goes?

use clap::{Args, ValueEnum};
use underpod::bundle::Limits;

use super::output::{self, Color};

#[derive(Args)]
pub(super) struct Common {
    /// A folder, an archive (.tar, .tar.gz, .tar.xz, .tar.zst, .tar.bz2, .zip), a text file, or `-` for a tar stream; several are read as one
    #[arg(required = true, value_name = "BUNDLE")]
    pub bundles: Vec<String>,
    /// The form of the answer
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
    /// Write the answer to this file
    #[arg(short = 'o', long = "output", value_name = "FILE")]
    output: Option<String>,
    /// When to colour
    #[arg(long, value_enum, default_value_t)]
    color: Color,
    /// Most uncompressed bytes in all
    #[arg(long, value_name = "BYTES", help_heading = "Limits", default_value_t = Limits::default().size, value_parser = bytes)]
    limit_size: u64,
    /// Most uncompressed bytes of one file
    #[arg(long, value_name = "BYTES", help_heading = "Limits", default_value_t = Limits::default().file, value_parser = bytes)]
    limit_file: u64,
    /// Most uncompressed bytes for each compressed one
    #[arg(long, value_name = "N", help_heading = "Limits", default_value_t = Limits::default().ratio, value_parser = clap::value_parser!(u64).range(1..))]
    limit_ratio: u64,
    /// Most files
    #[arg(long, value_name = "N", help_heading = "Limits", default_value_t = Limits::default().files)]
    limit_files: u64,
    /// Most archives inside one another
    #[arg(long, value_name = "N", help_heading = "Limits", default_value_t = Limits::default().depth)]
    limit_depth: u32,
}

/// What a bundle must hold so that it can tell anything.
pub(super) const EXPECTED: &str = "a bundle holds at least one of: events or pods (kubectl get events,pods -A -o json), `kubectl describe pod` text, a kubelet's or runtime's log, or the error's own text";

/// What to do where a bundle told nothing at all.
pub(super) fn next_step(bundles: &[String], met: u64, bytes: u64) -> &'static str {
    match bundles {
        [one] if one == "-" && bytes == 0 => "nothing came in; send a tar: `tar cf - FOLDER | underpod explain -`",
        _ if met == 0 => "name the folder or archive into which the evidence was collected; `underpod explain --help` says what may be given",
        _ => EXPECTED,
    }
}

/// A number of bytes.
fn bytes(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("`{text}` is no number of bytes; write it out, such as 10485760 for 10 MiB"))
}

/// A moment, as RFC 3339 writes it.
pub(super) fn moment(text: &str) -> Result<jiff::Timestamp, String> {
    text.parse().map_err(|_| format!("`{text}` is no time; write date, time and zone, such as 2026-11-30T08:00:00Z or 2026-11-30T09:00:00+01:00"))
}

#[derive(Clone, Copy, Default, ValueEnum)]
pub(super) enum Format {
    /// For a person
    #[default]
    Text,
    /// For programs
    Json,
}

impl Common {
    pub(super) fn limits(&self) -> Limits {
        Limits { size: self.limit_size, file: self.limit_file, ratio: self.limit_ratio, files: self.limit_files, depth: self.limit_depth }
    }

    pub(super) fn write(&self, answer: &str) -> Result<(), String> {
        output::write(answer, self.output.as_deref(), self.color)
    }
}
