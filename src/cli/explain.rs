//! `underpod explain BUNDLE...`: why do the pulls in it fail?

use clap::Args;
use underpod::report::{json, text};
use underpod::rules::Rules;
use underpod::text::visible;
use underpod::verdict::{Silence, Verdict};
use underpod::{Question, explain};

use super::code;
use super::common::{Common, Format, moment, next_step};

#[derive(Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    common: Common,
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
    #[arg(long, value_name = "TIME", value_parser = moment)]
    at: Option<jiff::Timestamp>,
    /// Only what failed and why
    #[arg(long)]
    quiet: bool,
    /// Exit with 0 where pulls fail, too
    #[arg(long)]
    exit_zero: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<u8, String> {
    let rules = if arguments.rules.is_empty() { Rules::shipped() } else { Rules::with_folders(&arguments.rules) }.map_err(|e| e.to_string())?;
    let question = Question {
        limits: arguments.common.limits(),
        at: arguments.at,
        image: arguments.image.clone(),
        node: arguments.node.clone(),
        namespace: arguments.namespace.clone(),
    };
    let verdict = explain(&arguments.common.bundles, &rules, &question).map_err(|e| e.to_string())?;
    let silent = verdict.findings.is_empty() && verdict.recovered.is_empty();
    if let (true, Silence::Deaf(why)) = (silent, &verdict.silence) {
        return Err(deaf(&verdict, why, &arguments.common.bundles));
    }
    let answer = match arguments.common.format {
        Format::Text => text::write(&verdict, text::Extent { quiet: arguments.quiet }),
        Format::Json => json::write(&verdict),
    };
    arguments.common.write(&answer)?;
    let summary = verdict.summary();
    if let (0, Silence::Doubtful(_)) = (summary.failed, &verdict.silence) {
        return Err(format!("{}: no failing pull was found, and a part that may hold one was not read", verdict.about.name));
    }
    Ok(match summary {
        _ if summary.failed == 0 || arguments.exit_zero => code::HEALTHY,
        _ if summary.undecided == 0 => code::EXPLAINED,
        _ => code::UNDECIDED,
    })
}

/// Silence would claim health: says what was looked at, and what is expected.
fn deaf(verdict: &Verdict, why: &str, bundles: &[String]) -> String {
    let about = &verdict.about;
    let mut out = format!("{}: {}", visible(&about.name), visible(why));
    if let Some(first) = verdict.left_out.first() {
        let count = verdict.left_out.len();
        let first = format!("{}{}", first.image, first.node.as_deref().map(|n| format!(" on {n}")).unwrap_or_default());
        let more = if count > 1 { format!(", {first} among them") } else { format!(": {first}") };
        out.push_str(&visible(&format!("; {} failing beside it{more}", if count == 1 { "1 pull is".into() } else { format!("{count} pulls are") })));
    }
    for unread in about.unread.iter().take(5) {
        out.push_str(&format!("\n  {}: {}", visible(&unread.file), visible(&unread.why)));
    }
    if verdict.left_out.is_empty() {
        out.push_str(&format!("\n  {}", next_step(bundles, about.met, about.bytes)));
    }
    out
}
