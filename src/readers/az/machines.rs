//! Does a machine run? A stopped one forwards nothing, whatever its interface says.
//!
//! ```text
//! Name    ResourceGroup  PowerState      PublicIps  Location
//! ------  -------------  --------------  ---------  ----------
//! vm-nva  rg-hub         VM deallocated             westeurope
//! ```

use super::seen::Seen;
use super::tree::Value;
use crate::facts::network::Machine;
use crate::readers::File;
use crate::text;

/// A machine of `az vm list -d`, or with its instance view.
pub(super) fn machine(file: &mut File<'_>, object: &Value<'_>) {
    let Some(name) = object.name().map(|n| n.into_owned()) else { return };
    let seen = Seen { file, object, artefact: "machine-state" };
    let by_key = object.text("powerState").map(|state| (state.to_owned(), object.line_of("powerState")));
    let statuses = object.get("instanceView").unwrap_or(object).list("statuses");
    let mut codes = statuses.iter().filter_map(|s| Some((s.text("code")?.strip_prefix("PowerState/")?.to_owned(), s.line_of("code"))));
    let Some((state, line)) = by_key.or_else(|| codes.next()) else { return };
    let source = seen.at(line, &format!("{name}: {state}"));
    keep(file, &name, &state, source);
}

/// Whether a line heads a table of machines.
pub(super) fn is_header(line: &str) -> bool {
    line.starts_with("Name ") && line.contains(" ResourceGroup ") && line.contains(" PowerState")
}

/// Reads every table of machines of a text.
pub(super) fn read(file: &mut File<'_>, content: &str) {
    let mut column = None;
    for (number, line) in text::numbered(content) {
        if is_header(line) {
            column = line.find("PowerState");
        } else if line.trim().is_empty() || line.starts_with('$') {
            column = None;
        } else if let (Some(at), Some(name)) = (column, line.split_whitespace().next())
            && let Some(state) = line.get(at..).and_then(|rest| rest.split("  ").next()).filter(|s| s.starts_with("VM "))
        {
            let source = file.source(number, line.trim_end());
            keep(file, name, state, source);
        }
    }
}

/// `VM running`, `running`; a state on the way to another decides nothing.
fn keep(file: &mut File<'_>, name: &str, state: &str, source: crate::bundle::Source) {
    let runs = match state.trim_start_matches("VM ").trim().to_lowercase().as_str() {
        "running" => true,
        "stopped" | "deallocated" => false,
        _ => return,
    };
    file.take("machine-state");
    file.facts.networks.machines.push(Machine { name: name.to_lowercase(), runs, source });
}
