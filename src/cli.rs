//! Which command was given? One file a command; nothing is decided here.

mod common;
mod compare;
mod contents;
mod explain;
mod output;
mod rules;
mod trace;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Nothing failed, everything was explained, something was left open, or it could not run.
pub(crate) mod code {
    pub(crate) const HEALTHY: u8 = 0;
    pub(crate) const EXPLAINED: u8 = 1;
    pub(crate) const COULD_NOT_RUN: u8 = 2;
    pub(crate) const UNDECIDED: u8 = 3;
}

const EXIT_CODES: &str = "Exit codes: 0 no pull is failing · 1 all failing pulls are explained · 3 at least one is undecided · 2 could not run, \
                          or nothing in it could show one";

/// Reads a support bundle of a Kubernetes cluster and explains why container image pulls fail. Offline: nothing is contacted,
/// nothing is written, nothing in the bundle is run.
#[derive(Parser)]
#[command(
    name = "underpod",
    version,
    max_term_width = 100,
    after_help = EXIT_CODES
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Say of each failing pull where it stopped, why, what to do, and what is missing
    #[command(after_help = EXIT_CODES)]
    Explain(explain::Arguments),
    /// Say what is in the bundle, by node, what was not read and why, and what is missing
    Contents(contents::Arguments),
    /// Follow a node's packet to a host or address: name, filters, routes, peerings, gateways, and the way back
    Trace(trace::Arguments),
    /// Say what differs on the pull's way between two nodes, or two bundles
    Compare(compare::Arguments),
    /// List, show and check the rules
    Rules(rules::Arguments),
}

pub(crate) fn run() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(e) => {
            let _ = e.print();
            return ExitCode::from(if e.use_stderr() { code::COULD_NOT_RUN } else { code::HEALTHY });
        }
    };
    let outcome = match arguments.command {
        Command::Explain(arguments) => explain::run(&arguments),
        Command::Contents(arguments) => contents::run(&arguments),
        Command::Trace(arguments) => trace::run(&arguments),
        Command::Compare(arguments) => compare::run(&arguments),
        Command::Rules(arguments) => rules::run(&arguments),
    };
    ExitCode::from(outcome.unwrap_or_else(|complaint| {
        anstream::eprintln!("underpod: {complaint}");
        code::COULD_NOT_RUN
    }))
}
