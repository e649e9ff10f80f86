//! What do the node's own kernel tables decide for one address?

use std::net::IpAddr;

use crate::facts::HostRoute;

/// The route that the node's kernel takes for `address`: the local table first, then the longest prefix and lowest metric of
/// the others. Policy routing is not followed: with rules beyond the three standard ones the answer is only the main table's.
pub fn kernel_route(routes: &[HostRoute], address: IpAddr) -> Option<&HostRoute> {
    routes
        .iter()
        .rev()
        .filter(|r| r.prefix.contains(&address) && matches!(r.table.as_str(), "main" | "default" | "254" | "253"))
        .max_by_key(|r| (r.prefix.prefix_len(), std::cmp::Reverse(r.metric)))
}
