//! What did somebody measure on a node, and what did its kernel complain of?

use std::net::IpAddr;

use jiff::Timestamp;

use crate::bundle::Source;

/// Packets that may not be cut on the way, all of one size.
#[derive(Debug, Clone)]
pub struct Probe {
    /// The name as it was typed.
    pub host: String,
    /// Where they went.
    pub to: IpAddr,
    /// Their size in bytes, headers included.
    pub size: u32,
    /// Whether any was answered; none where somebody on the way, or the node itself, said that they are too large.
    pub answered: Option<bool>,
}

/// A network interface of a node.
#[derive(Debug, Clone)]
pub struct Link {
    /// Its name.
    pub name: String,
    /// The largest packet that it sends.
    pub mtu: u32,
}

/// The kernel's messages, as far as they matter to a connection.
#[derive(Debug, Clone, Default)]
pub struct KernelLog {
    /// The oldest moment of which it tells.
    pub since: Option<Timestamp>,
    /// When the table of tracked connections was full, with the lines that say so.
    pub table_full: Vec<(Timestamp, Source)>,
}
