//! How many source ports of a load balancer were in use? `az monitor metrics list --metrics UsedSnatPorts AllocatedSnatPorts`.
//!
//! ```json
//! {"name": {"value": "UsedSnatPorts"}, "timeseries": [{"data": [{"average": 1024, "timeStamp": "2026-11-30T08:00:00Z"}],
//!   "metadatavalues": [{"name": {"value": "backendipaddress"}, "value": "10.21.0.4"}]}]}
//! ```

use super::tree::Value;
use crate::facts::egress::PortSample;
use crate::facts::time;
use crate::readers::File;

pub(super) fn metric(file: &mut File<'_>, object: &Value<'_>) -> bool {
    let Some(name) = object.get("name").and_then(|n| n.text("value").or_else(|| n.as_text())) else { return false };
    let used = match name.to_lowercase().as_str() {
        "usedsnatports" => true,
        "allocatedsnatports" => false,
        _ => return false,
    };
    for series in object.list("timeseries") {
        let of = |label: &&Value<'_>| label.get("name").and_then(|n| n.text("value")).is_some_and(|n| n.eq_ignore_ascii_case("backendipaddress"));
        let machine = series.list("metadatavalues").iter().find(of).and_then(|l| l.text("value")?.parse().ok());
        for row in series.list("data") {
            let ports = ["maximum", "average", "total"].iter().find_map(|k| row.text(k)?.parse::<f64>().ok());
            let (Some(ports), Some(at)) = (ports, row.text("timeStamp").and_then(time::stamp)) else { continue };
            let source = file.source(row.line, &format!("{name}: {ports} at {at}"));
            file.facts.egress.ports.push(PortSample { used, machine, at, ports, source });
        }
    }
    file.take("snat-metrics");
    true
}
