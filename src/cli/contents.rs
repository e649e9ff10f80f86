//! `underpod contents BUNDLE`: did the customer send the right thing?

use clap::Args;
use underpod::report::contents;
use underpod::{Question, read};

use super::code;
use super::common::{Common, Format, next_step};

#[derive(Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    common: Common,
}

pub(super) fn run(arguments: &Arguments) -> Result<u8, String> {
    let common = &arguments.common;
    let facts = read(&common.bundles, &Question { limits: common.limits(), ..Question::default() }).map_err(|e| e.to_string())?;
    common.write(&match common.format {
        Format::Text => contents::text(&facts),
        Format::Json => contents::json(&facts),
    })?;
    if facts.about.taken.is_empty() {
        let next = next_step(&common.bundles, facts.about.met, facts.about.bytes);
        return Err(format!("{}: nothing in it was recognised\n  {next}", underpod::text::visible(&facts.about.name)));
    }
    Ok(code::HEALTHY)
}
