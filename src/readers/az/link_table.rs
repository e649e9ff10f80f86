//! To which networks is a private zone linked, in the table that `az network private-dns link vnet list -o table` prints?
//!
//! ```text
//! LinkName    ResourceGroup    RegistrationEnabled    VirtualNetwork                                       LinkState    ProvisioningState
//! ----------  ---------------  ---------------------  ---------------------------------------------------  -----------  -------------------
//! to-hub      rg-dns           False                  /subscriptions/.../virtualNetworks/vnet-hub          Completed    Succeeded
//! ```
//!
//! The table does not name its zone: the command in front of it does, else the file's own name. Which subscription the zone is
//! of, it does not tell either; the id is completed once all files are read.

use super::id::ResourceId;
use crate::facts::names::{Listed, UNTOLD_SUBSCRIPTION, Zone, ZoneLink, ZoneListing};
use crate::readers::{File, file_name};
use crate::text;

/// Whether a line heads such a table.
pub(super) fn is_header(line: &str) -> bool {
    ["LinkName", "VirtualNetwork", "LinkState"].iter().all(|word| line.split_whitespace().any(|w| w == *word))
}

/// Reads every such table of a text.
pub(super) fn read(file: &mut File<'_>, content: &str) {
    let mut named = file.command.as_deref().and_then(zone_of);
    let mut within = None;
    for (number, line) in text::numbered(content) {
        if let Some(zone) = zone_of(line) {
            named = Some(zone);
        } else if is_header(line) {
            within = named.take().or_else(|| zone_in(&file_name(file.path)));
        } else if line.trim().is_empty() {
            within = None;
        } else if let Some(zone) = &within {
            row(file, zone, number, line);
        }
    }
}

fn row(file: &mut File<'_>, zone: &str, number: u32, line: &str) {
    let words: Vec<&str> = line.split_whitespace().collect();
    let (Some(group), Some(at)) = (words.get(1), words.iter().position(|w| w.starts_with("/subscriptions/"))) else { return };
    let Some(network) = words.get(at).and_then(|id| ResourceId::parse(id)) else { return };
    let state = words.get(at + 1).copied().unwrap_or("");
    let id = format!("{UNTOLD_SUBSCRIPTION}/resourcegroups/{}/providers/microsoft.network/privatednszones/{zone}", group.to_lowercase());
    let source = file.source(number, line.trim());
    let names = &mut file.facts.names;
    if !names.zones.iter().any(|z| z.id == id && z.source.file == source.file) {
        names.zones.push(Zone { id: id.clone(), name: zone.to_owned(), record_sets: None, links: None, source: source.clone() });
    }
    match names.listings.iter_mut().find(|l| l.zone == id && l.of == Listed::Links && l.source.file == source.file) {
        Some(list) => list.count += 1,
        None => names.listings.push(ZoneListing { zone: id.clone(), of: Listed::Links, count: 1, source: source.clone() }),
    }
    let completed = state.eq_ignore_ascii_case("Completed");
    names.links.push(ZoneLink { zone: id, network: network.key().to_owned(), completed, falls_back: None, state: source.clone(), source });
    file.take("private-dns-links");
}

/// The zone that a command names.
fn zone_of(line: &str) -> Option<String> {
    line.contains("private-dns link vnet list").then_some(())?;
    let mut words = line.split_whitespace();
    words.by_ref().find(|w| matches!(*w, "-z" | "--zone-name"))?;
    words.next().map(|zone| zone.trim_matches(['"', '\'']).to_lowercase())
}

/// The zone that a file's name holds: `link-list-privatelink.azurecr.io.txt`.
fn zone_in(name: &str) -> Option<String> {
    let at = name.find("privatelink.")?;
    let zone = name.get(at..)?;
    let zone = [".txt", ".table", ".log", ".out"].iter().fold(zone, |zone, end| zone.strip_suffix(end).unwrap_or(zone));
    Some(zone.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_and_files_name_zones() {
        assert_eq!(zone_of("$ az network private-dns link vnet list -g rg -z corp.example -o table").as_deref(), Some("corp.example"));
        assert_eq!(zone_in("private-dns-link-list-privatelink.azurecr.io.table.txt").as_deref(), Some("privatelink.azurecr.io"));
        assert_eq!(zone_in("links.txt"), None);
    }
}
