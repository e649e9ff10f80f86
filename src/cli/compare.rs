//! `underpod compare`: what differs on the pull's way between two nodes, two bundles, or the nodes that fail and those that pull?

use clap::Args;
use underpod::report::compare;
use underpod::text::visible;
use underpod::{Question, comparison};

use super::code;
use super::common::{Common, EXPECTED, Format};

#[derive(Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    common: Common,
    /// The two nodes to compare; without it the nodes that fail and those that pull from the same registry
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    nodes: Vec<String>,
    /// The host towards which the way is compared, instead of the first failing pull's
    #[arg(long)]
    host: Option<String>,
}

pub(super) fn run(arguments: &Arguments) -> Result<u8, String> {
    let common = &arguments.common;
    let (first, second) = match common.bundles.as_slice() {
        [one] => (one, None),
        [one, other] => (one, Some(other.as_str())),
        _ => return Err("two bundles at most can be compared".to_owned()),
    };
    if !matches!(arguments.nodes.len(), 0 | 2) {
        return Err("--nodes wants two names, A,B".to_owned());
    }
    let question = Question { limits: common.limits(), ..Question::default() };
    let found = comparison(first, second, &arguments.nodes, arguments.host.clone(), &question).map_err(|e| e.to_string())?;
    for side in &found.sides {
        if let Some(unknown) = side.nodes.iter().find(|n| !side.known.contains(n)) {
            let told = if side.known.is_empty() { "it names no node".to_owned() } else { format!("it names {}", side.known.join(", ")) };
            return Err(format!("{}: the bundle knows no node {unknown}; {told}", side.bundle));
        }
    }
    for (side, whom) in found.sides.iter().zip(["on which a pull fails", "that pulled from the same registry"]) {
        let names: Vec<&str> = side.known.iter().map(String::as_str).take(12).collect();
        let told = if names.is_empty() { EXPECTED.to_owned() } else { format!("it names {}", names.join(", ")) };
        if side.nodes.is_empty() {
            let next = if names.is_empty() { told } else { format!("name two nodes with --nodes A,B; {told}") };
            return Err(visible(&format!("{}: no node {whom} is in it; {next}", side.bundle)).into_owned());
        }
    }
    common.write(&match common.format {
        Format::Text => compare::text(&found),
        Format::Json => compare::json(&found),
    })?;
    Ok(code::HEALTHY)
}
