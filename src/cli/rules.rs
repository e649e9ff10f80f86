//! `underpod rules list | show ID | check [PATH...]`: what does it know, and do the rules keep their word?

use clap::{Args, Subcommand};
use underpod::rules::{Kind, Rules, check, vocabulary};

use super::code;
use super::output::{self, Color};

#[derive(Args)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Every rule, by id, with its title
    List,
    /// One rule as its file says it, with the facts that it names
    Show {
        /// The rule's id, `connect/no-route-to-registry`
        id: String,
    },
    /// Run the tests of rules, and check every name in them
    Check {
        /// Rule files or folders; the shipped rules where none is given
        #[arg(value_name = "PATH")]
        paths: Vec<String>,
    },
}

pub(super) fn run(arguments: &Arguments) -> Result<u8, String> {
    match &arguments.command {
        Command::List => list(),
        Command::Show { id } => show(id),
        Command::Check { paths } => checked(paths),
    }
}

fn list() -> Result<u8, String> {
    let rules = Rules::shipped().map_err(|e| e.to_string())?;
    let mut out = String::new();
    for rule in rules.all() {
        let kind = match rule.kind {
            Kind::Cause => "cause",
            Kind::Trigger => "trigger",
            Kind::Misleading => "misleading",
        };
        out.push_str(&format!("{:<52} {kind:<11} {}\n", rule.id, rule.title));
    }
    output::write(&out, None, Color::Auto)?;
    Ok(code::HEALTHY)
}

fn show(id: &str) -> Result<u8, String> {
    let rules = Rules::shipped().map_err(|e| e.to_string())?;
    let Some((path, text)) = check::shipped_text(id) else {
        return Err(format!("{}\n  `underpod rules list` lists every rule with its title", check::unknown_rule(id, &rules)));
    };
    let mut out = format!("# {path}\n{text}");
    let named: Vec<_> = vocabulary::FACTS.iter().filter(|f| check::names_fact(text, f.name)).collect();
    if !named.is_empty() {
        out.push_str("\n# The facts that it names:\n");
    }
    for fact in named {
        let unread = fact.unread.map(|a| format!(" (told by {a}, which this version does not read)")).unwrap_or_default();
        out.push_str(&format!("#   {} ({}): {}{unread}\n", fact.name, fact.kind.name(), fact.meaning));
    }
    output::write(&out, None, Color::Auto)?;
    Ok(code::HEALTHY)
}

fn checked(paths: &[String]) -> Result<u8, String> {
    let results = check::check(paths).map_err(|e| e.to_string())?;
    let mut out = String::new();
    let (mut cases, mut faults) = (0, 0);
    for result in &results {
        cases += result.cases;
        faults += result.faults.len();
        for fault in &result.faults {
            out.push_str(&format!("{}: {fault}\n", result.id));
        }
    }
    out.push_str(&format!("{} rules, {cases} cases, {faults} faults\n", results.len()));
    output::write(&out, None, Color::Auto)?;
    Ok(if faults == 0 { code::HEALTHY } else { code::EXPLAINED })
}
