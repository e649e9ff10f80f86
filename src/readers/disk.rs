//! How full are the node's file systems and thin pools? `df`, by blocks and by inodes, `lvs` and `dmsetup status`.
//!
//! ```text
//! Filesystem     1K-blocks      Used Available Use% Mounted on
//! /dev/sda1      129886128 129886128         0 100% /
//! Filesystem      Inodes   IUsed   IFree IUse% Mounted on
//!   thinpool vg0 twi-aotz-- 95.00g             100.00 45.12
//! vg0-thinpool: 0 199229440 thin-pool 1 4096/4096 1556480/1556480 - rw
//! ```

use super::File;
use crate::facts::{Disk, DiskUse, Of, Owner};
use crate::text;

pub(super) fn is_disk(lines: &[&str]) -> bool {
    lines.iter().any(|l| is_df(l) || is_lvs(l) || thin_pool(l).is_some())
}

fn is_df(line: &str) -> bool {
    line.starts_with("Filesystem") && line.contains("Mounted on") && line.contains('%')
}

fn is_lvs(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    words.starts_with(&["LV", "VG", "Attr"]) && words.contains(&"Data%")
}

pub(super) fn read(file: &mut File<'_>, content: &str) {
    let mut of: Option<DiskUse> = None;
    let mut lvs = false;
    let mut device: Option<&str> = None;
    let mut found = Vec::new();
    for (number, line) in text::numbered(content) {
        if is_df(line) {
            of = Some(if line.contains("Inodes") { DiskUse::Inodes } else { DiskUse::Space });
            lvs = false;
        } else if is_lvs(line) {
            (of, lvs) = (None, true);
        } else if let Some(full) = thin_pool(line) {
            found.push((DiskUse::ThinPool, line.split(':').next().unwrap_or("").to_owned(), full, number, line));
        } else if lvs {
            found.extend(lvs_row(line).map(|(name, full)| (DiskUse::ThinPool, name, full, number, line)));
        } else if let Some(kind) = of {
            let words: Vec<&str> = line.split_whitespace().collect();
            match words.as_slice() {
                // A long device's name stands on a line of its own.
                [name] if name.starts_with('/') || name.contains(':') => device = Some(name),
                [.., percent, mount] if mount.starts_with('/') && (words.len() >= 6 || device.take().is_some()) => {
                    found.extend(percent.strip_suffix('%').and_then(|p| p.parse().ok()).map(|p: u8| (kind, (*mount).to_owned(), p, number, line)));
                }
                [] => of = None,
                _ => {}
            }
        }
    }
    if found.is_empty() {
        return;
    }
    file.take("disk-usage");
    for (of, name, percent, number, line) in found {
        let source = file.source(number, line);
        file.facts.disks.push(Of { owner: Owner::Unknown, value: Disk { of, name, percent }, source });
    }
}

/// The fuller of data and metadata of a thin pool, whose attributes begin with `t`.
fn lvs_row(line: &str) -> Option<(String, u8)> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [name, _, attributes, _, rest @ ..] = words.as_slice() else { return None };
    let fullest = rest.iter().filter_map(|w| w.parse::<f64>().ok()).fold(None, |most: Option<f64>, v| Some(most.map_or(v, |m| m.max(v))))?;
    (attributes.starts_with('t') && (0.0..=100.0).contains(&fullest)).then(|| ((*name).to_owned(), fullest as u8))
}

/// `... thin-pool 1 4096/4096 1556480/1556480 ...`: used and all of metadata, then of data.
fn thin_pool(line: &str) -> Option<u8> {
    let (_, rest) = line.split_once(" thin-pool ")?;
    let parts = rest.split_whitespace().filter_map(|w| w.split_once('/')).filter_map(|(u, t)| Some((u.parse::<u64>().ok()?, t.parse::<u64>().ok()?)));
    parts.filter(|(_, all)| *all > 0).map(|(used, all)| u8::try_from(used.saturating_mul(100) / all).unwrap_or(100)).max()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bundle::FileId;
    use crate::facts::Facts;

    fn disks(content: &str) -> Vec<(DiskUse, String, u8)> {
        let mut facts = Facts::default();
        read(&mut File { id: FileId::default(), path: "x", facts: &mut facts, fixed_line: None, command: None, written: None }, content);
        facts.disks.into_iter().map(|d| (d.value.of, d.value.name, d.value.percent)).collect()
    }

    #[test]
    fn blocks_inodes_and_pools() {
        let df = "Filesystem      Size  Used Avail Use% Mounted on\n/dev/sda1       124G  124G     0 100% /\n/dev/mapper/a-very-long-name\n                 10G    1G    9G  10% /var\nFilesystem     Inodes IUsed IFree IUse% Mounted on\n/dev/sda1      16M   16M     0  100% /\n";
        assert_eq!(disks(df), [(DiskUse::Space, "/".into(), 100), (DiskUse::Space, "/var".into(), 10), (DiskUse::Inodes, "/".into(), 100)]);
        let lvs = "  LV       VG  Attr       LSize  Pool Origin Data%  Meta%\n  thinpool vg0 twi-aotz-- 95.00g             100.00 45.12\n  root     vg0 -wi-ao---- 20.00g\n";
        assert_eq!(disks(lvs), [(DiskUse::ThinPool, "thinpool".into(), 100)]);
        assert_eq!(disks("vg0-p: 0 199 thin-pool 1 2048/4096 10/10 - rw\n"), [(DiskUse::ThinPool, "vg0-p".into(), 100)]);
    }

    #[test]
    fn what_is_cut_tells_nothing() {
        assert!(disks("Filesystem      Size  Used Avail Use% Mounted on\n/dev/sda1       124G  12").is_empty());
        assert!(disks("vg0-p: 0 199 thin-pool 1 2048/\n").is_empty());
    }
}
