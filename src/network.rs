//! What do routes, filters and peerings decide for one address? Pure computations over facts, vendor-neutral.

mod address;
pub mod dns_server;
pub mod egress;
mod far;
pub mod filter;
mod home;
mod hub;
mod kernel;
mod lookups;
pub mod names;
pub mod no_proxy;
mod path;
mod routes;
mod security;
mod trace;
mod whose;

pub use address::{is_private, is_public};
pub use home::{Home, home, tables};
pub use hub::{Hub, Link};
pub use kernel::{Decided, on_node};
pub use lookups::own_lookups;
pub use path::Path;
pub use routes::{route_for, winning_route};
pub use security::{Judged, RuleSeen};
pub use trace::{Ask, At, End, Passage, Step, Trace, trace};
pub use whose::{is_claimed, network_of_address};
