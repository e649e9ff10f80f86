//! Everything that a user sees, seen through the binary where possible.

#![allow(missing_docs, unreachable_pub, clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod apart;
mod cases;
mod chains;
mod cli;
mod clocks;
mod compare;
mod dialects;
mod hostile;
mod kernel;
mod less;
mod loose;
mod messages;
mod oracles;
mod pasted_events;
mod references;
mod rules;
mod silence;
mod storeys;
mod support;
mod told_otherwise;
mod traps;
mod twice;
mod wrappers;
