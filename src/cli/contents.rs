//! `underpod contents BUNDLE`: did the customer send the right thing?

use clap::Args;
use underpod::report::contents;
use underpod::{Question, read};

use super::code;
use super::explain::Format;
use super::output::{self, Color};

#[derive(Args)]
pub(super) struct Arguments {
    /// A folder, an archive, a text file, or `-` for a tar stream; several are read as one
    #[arg(required = true, value_name = "BUNDLE")]
    bundles: Vec<String>,
    /// The form of the answer
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Write the answer to this file
    #[arg(short = 'o', long = "output", value_name = "FILE")]
    output: Option<String>,
}

pub(super) fn run(arguments: &Arguments) -> Result<u8, String> {
    let facts = read(&arguments.bundles, &Question::default()).map_err(|e| e.to_string())?;
    let answer = match arguments.format {
        Format::Text => contents::text(&facts),
        Format::Json => contents::json(&facts),
    };
    output::write(&answer, arguments.output.as_deref(), Color::Never)?;
    Ok(code::HEALTHY)
}
