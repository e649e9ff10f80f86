//! `underpod explain BUNDLE...`: why do the pulls in it fail?

use clap::{Args, ValueEnum};
use underpod::bundle::Limits;
use underpod::report::{json, text};
use underpod::rules::Rules;
use underpod::{Question, explain};

use super::code;
use super::output::{self, Color};

#[derive(Args)]
pub(super) struct Arguments {
    /// A folder, an archive (.tar, .tar.gz, .tar.xz, .tar.zst, .tar.bz2, .zip), a text file, or `-` for a tar stream; several are read as one
    #[arg(required = true, value_name = "BUNDLE")]
    bundles: Vec<String>,
    /// The form of the answer
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Write the answer to this file
    #[arg(short = 'o', long = "output", value_name = "FILE")]
    output: Option<String>,
    /// Only pulls whose image holds this text
    #[arg(long)]
    image: Option<String>,
    /// Only pulls on this node
    #[arg(long)]
    node: Option<String>,
    /// Only pulls for pods of this namespace
    #[arg(long)]
    namespace: Option<String>,
    /// A folder of rules that are added, or that replace shipped ones by id; may repeat
    #[arg(long, value_name = "DIR")]
    rules: Vec<String>,
    /// The time to reckon with (RFC 3339), instead of the bundle's own
    #[arg(long, value_name = "TIME")]
    at: Option<jiff::Timestamp>,
    /// When to colour
    #[arg(long, value_enum, default_value_t)]
    color: Color,
    /// Only what failed and why
    #[arg(long)]
    quiet: bool,
    /// Exit with 0 where pulls fail, too
    #[arg(long)]
    exit_zero: bool,
    /// Most uncompressed bytes in all
    #[arg(long, value_name = "BYTES", default_value_t = Limits::default().size)]
    limit_size: u64,
    /// Most uncompressed bytes of one file
    #[arg(long, value_name = "BYTES", default_value_t = Limits::default().file)]
    limit_file: u64,
    /// Most uncompressed bytes for each compressed one
    #[arg(long, value_name = "N", default_value_t = Limits::default().ratio, value_parser = clap::value_parser!(u64).range(1..))]
    limit_ratio: u64,
    /// Most files
    #[arg(long, value_name = "N", default_value_t = Limits::default().files)]
    limit_files: u64,
    /// Most archives inside one another
    #[arg(long, value_name = "N", default_value_t = Limits::default().depth)]
    limit_depth: u32,
}

#[derive(Clone, Copy, Default, ValueEnum)]
pub(super) enum Format {
    /// For a person
    #[default]
    Text,
    /// For programs: underpod.report/1
    Json,
}

pub(super) fn run(arguments: &Arguments) -> Result<u8, String> {
    let rules = if arguments.rules.is_empty() { Rules::shipped() } else { Rules::with_folders(&arguments.rules) }.map_err(|e| e.to_string())?;
    let question = Question {
        limits: Limits {
            size: arguments.limit_size,
            file: arguments.limit_file,
            ratio: arguments.limit_ratio,
            files: arguments.limit_files,
            depth: arguments.limit_depth,
        },
        at: arguments.at,
        image: arguments.image.clone(),
        node: arguments.node.clone(),
        namespace: arguments.namespace.clone(),
    };
    let verdict = explain(&arguments.bundles, &rules, &question).map_err(|e| e.to_string())?;
    if !verdict.recognised() {
        return Err(nothing_recognised(&verdict));
    }
    let answer = match arguments.format {
        Format::Text => text::write(&verdict, text::Extent { quiet: arguments.quiet }),
        Format::Json => json::write(&verdict),
    };
    output::write(&answer, arguments.output.as_deref(), arguments.color)?;
    let summary = verdict.summary();
    Ok(match summary {
        _ if summary.failed == 0 || arguments.exit_zero => code::HEALTHY,
        _ if summary.undecided == 0 => code::EXPLAINED,
        _ => code::UNDECIDED,
    })
}

/// Silence would claim health: says what was looked at, and what is expected.
fn nothing_recognised(verdict: &underpod::verdict::Verdict) -> String {
    let about = &verdict.about;
    let mut out = format!("{}: nothing in it was recognised ({} files, {} bytes read)", about.name, about.met, about.bytes);
    for unread in about.unread.iter().take(5) {
        out.push_str(&format!("\n  {}: {}", underpod::text::visible(&unread.file), underpod::text::visible(&unread.why)));
    }
    out.push_str("\n  a bundle holds at least one of: events or pods (kubectl get events,pods -A -o json), `kubectl describe pod` text, a kubelet's or runtime's log, or the error's own text");
    out
}
