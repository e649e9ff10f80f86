//! Whose pull fails, of what, how often and since when?

use super::{BOLD, WIDTH, Writer, paint, to_second, wrap};
use crate::message::Symptom;
use crate::report::affected;
use crate::text::visible;
use crate::verdict::Finding;

impl Writer<'_> {
    /// The headline of a finding, and who else it holds for.
    pub(super) fn head(&mut self, f: &Finding) {
        let Some(first) = f.pulls.first() else { return };
        let pod = first.pods.first().map_or_else(|| "a pod".to_owned(), |p| visible(p).into_owned());
        let pod = if first.pods.is_empty() { String::new() } else { format!("{pod} on ") };
        let node = first.node.as_deref().map_or_else(|| "a node that nothing names".to_owned(), |n| visible(n).into_owned());
        let pods: usize = f.pulls.iter().map(|p| p.pods.len()).sum();
        let nodes: std::collections::BTreeSet<&str> = f.pulls.iter().filter_map(|p| p.node.as_deref()).collect();
        let mut pools: Vec<&str> = f.pulls.iter().filter_map(|p| p.pool.as_deref()).collect();
        pools.sort_unstable();
        pools.dedup();
        let does = if f.stop.symptom == Symptom::PullPending { "has not ended pulling" } else { "cannot pull" };
        let headline = format!("{}  {pod}{node} {does} {}", f.id, visible(&first.image));
        if headline.chars().count() <= WIDTH {
            self.line(&paint(BOLD, &headline));
        } else {
            self.line(&paint(BOLD, &format!("{}  {pod}{node}", f.id)));
            self.line(&paint(BOLD, &format!("    {does} {}", visible(&first.image))));
        }
        let mut more = Vec::new();
        if pods > 1 {
            more.push(format!("{pods} pods wait"));
        }
        if nodes.len() > 1 {
            more.push(format!("on {} nodes", nodes.len()));
        }
        if f.pulls.len() > 1 {
            more.push(format!("{} pulls fail alike", f.pulls.len()));
        }
        if !pools.is_empty() {
            more.push(format!("pool {}", pools.join(", ")));
        }
        let count: u64 = f.pulls.iter().map(|p| p.count).sum();
        if let (Some(start), Some(end)) = (f.pulls.iter().filter_map(|p| p.first_seen).min(), f.pulls.iter().filter_map(|p| p.last_seen).max()) {
            let (start, end) = (to_second(start), to_second(end));
            more.push(if start == end { format!("seen at {start}") } else { format!("seen {count} times from {start} to {end}") });
        }
        if !more.is_empty() {
            for part in wrap(&visible(&more.join(", ")), WIDTH - 4) {
                self.line(&format!("    {part}"));
            }
        }
        for also in affected::further(&f.pulls) {
            wrap(&visible(&also), WIDTH - 6).iter().for_each(|part| self.line(&format!("      {part}")));
        }
    }
}
