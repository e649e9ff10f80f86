//! Has the node room where it keeps images? By its own df and lvs, and by its conditions.

use super::{Asked, Value, yes_no};
use crate::facts::{DiskUse, Evidence, Facts, Known};

type K = Known<Value>;

/// From this share on a file system has no room for a layer.
const FULL: u8 = 99;

/// The place that the runtime was writing to, as the text names it, else where runtimes keep images.
fn place<'a>(a: &Asked<'a>) -> &'a str {
    let text = a.attempt().text.as_str();
    let start = text.find("/var/").or_else(|| text.find("/run/")).or_else(|| text.find("/mnt/"));
    start.and_then(|at| text.get(at..)?.split([':', ' ', '"']).next()).unwrap_or("/var/lib/containerd")
}

/// Whether the file system under that place is out of blocks or inodes.
pub fn is_full(a: &Asked<'_>) -> K {
    let place = place(a);
    let under = |mount: &str| mount == "/" || place == mount || place.strip_prefix(mount).is_some_and(|rest| rest.starts_with('/'));
    let mut seen = None;
    for of in [DiskUse::Space, DiskUse::Inodes] {
        let mounts = Facts::of_node(&a.facts.disks, a.node()).filter(|(d, _)| d.value.of == of && under(&d.value.name));
        let Some((disk, guessed)) = mounts.max_by_key(|(d, _)| d.value.name.len()) else { continue };
        if disk.value.percent >= FULL {
            return yes_no(true, Evidence::of(&disk.source).guessed(guessed));
        }
        seen = Some((disk, guessed));
    }
    match seen {
        Some((disk, guessed)) => yes_no(false, Evidence::of(&disk.source).guessed(guessed)),
        None => Known::NotCollected("disk-usage"),
    }
}

/// Whether a thin pool of the node is full.
pub fn pool_is_full(a: &Asked<'_>) -> K {
    let mut pools = Facts::of_node(&a.facts.disks, a.node()).filter(|(d, _)| d.value.of == DiskUse::ThinPool);
    let fullest = pools.by_ref().max_by_key(|(d, _)| d.value.percent);
    match fullest {
        Some((disk, guessed)) => yes_no(disk.value.percent >= FULL, Evidence::of(&disk.source).guessed(guessed)),
        None => Known::NotCollected("disk-usage"),
    }
}

/// Whether the node reports the condition DiskPressure.
pub fn pressure(a: &Asked<'_>) -> K {
    let condition = super::now::own(a).and_then(|n| n.conditions.iter().find(|c| c.kind == "DiskPressure"));
    match condition {
        Some(c) if c.status == "Unknown" => Known::NotCollected("nodes"),
        Some(c) => yes_no(c.status == "True", Evidence::of(&c.source)),
        None => Known::NotCollected("nodes"),
    }
}
