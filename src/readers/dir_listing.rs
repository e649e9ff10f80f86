//! Which files lie in a folder of the node? `ls -l`, of the folders in which authorities lie.
//!
//! ```text
//! $ ls -l /usr/local/share/ca-certificates/
//! total 4
//! -rw-r--r-- 1 root root 1188 May  4  2026 corp-root.crt
//! ```

use super::File;
use crate::facts::{Listing, Of, Owner};
use crate::text;

pub(super) fn is_listing(lines: &[&str]) -> bool {
    let mut said = lines.iter().filter(|l| !l.trim().is_empty()).skip_while(|l| l.starts_with(['$', '#']) && l.contains("ls ") || l.ends_with(':'));
    let total = said.next().and_then(|l| l.strip_prefix("total ")).is_some_and(|n| n.trim().parse::<u64>().is_ok());
    total && said.all(|l| row(l).is_some() || l.starts_with("total ") || l.ends_with(':'))
}

/// The name in a row; a link's own.
fn row(line: &str) -> Option<&str> {
    let mode = line.split_whitespace().next()?;
    let is_mode = mode.len() >= 10 && mode.starts_with(['-', 'l', 'd']) && mode.bytes().skip(1).take(9).all(|b| b"rwxsStT-".contains(&b));
    let name = line.split(" -> ").next()?.split_whitespace().last()?;
    is_mode.then_some(name)
}

pub(super) fn read(file: &mut File<'_>, content: &str) {
    let of_command = |command: &str| command.split_whitespace().find(|w| w.starts_with('/')).map(str::to_owned);
    let mut folder = file.command.as_deref().and_then(of_command);
    let mut current: Option<Of<Listing>> = None;
    let mut done = Vec::new();
    for (number, line) in text::numbered(content) {
        if line.starts_with(['$', '#']) && line.contains("ls ") {
            folder = of_command(line);
        } else if let Some(named) = line.strip_suffix(':').filter(|n| n.starts_with('/')) {
            folder = Some(named.to_owned());
        } else if line.starts_with("total ") {
            done.extend(current.take());
            let folder = folder.clone().unwrap_or_default().trim_end_matches('/').to_owned();
            current = Some(Of { owner: Owner::Unknown, value: Listing { folder, files: Vec::new() }, source: file.source(number, line) });
        } else if let (Some(name), Some(listing)) = (row(line), current.as_mut()) {
            listing.value.files.push((name.to_owned(), file.source(number, line)));
        }
    }
    done.extend(current);
    done.retain(|l| !l.value.folder.is_empty());
    if done.is_empty() {
        return;
    }
    file.take("dir-listing");
    file.facts.listings.append(&mut done);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bundle::FileId;
    use crate::facts::Facts;

    #[test]
    fn folders_and_their_files() {
        let text = "$ ls -lR /etc/certs\n/etc/certs:\ntotal 4\n-rw-r--r-- 1 root root 1188 May  4  2026 corp.crt\n\n/etc/certs/a:\ntotal 0\n";
        assert!(is_listing(&text.lines().collect::<Vec<_>>()));
        assert!(!is_listing(&["total 3 pods are waiting", "x"]));
        let mut facts = Facts::default();
        read(&mut File { id: FileId::default(), path: "x", facts: &mut facts, fixed_line: None, command: None, written: None }, text);
        let seen: Vec<_> = facts.listings.iter().map(|l| (l.value.folder.as_str(), l.value.files.len(), l.source.line)).collect();
        assert_eq!(seen, [("/etc/certs", 1, 3), ("/etc/certs/a", 0, 7)]);
    }
}
