//! Where does a text break off, and what of it can then not be told?

use super::Attempt;
use super::reference::Reference;
use super::token::{Placed, Token};
use super::url::Asks;

/// Whether an error ends in the code that containerd puts behind it.
pub(super) fn is_whole(text: &str) -> bool {
    const CODES: [&str; 8] =
        [": unknown", ": unavailable", ": not found", ": failed precondition", ": invalid argument", ": already exists", ": internal", ": not implemented"];
    text.lines().map(|l| l.trim_end().trim_end_matches(['"', '.', ')', ']', '\''])).any(|l| CODES.iter().any(|c| l.ends_with(c)))
}

/// A host at which the text breaks off is no host, unless the reference begins in the same way.
pub(super) fn without_cut_host(made: &mut Attempt, tokens: &[Placed], text: &str, reference: Option<&str>) {
    let Some(last) = tokens.last().filter(|t| t.end >= text.trim_end().len()) else { return };
    let said = text.get(last.at..last.end).unwrap_or("").trim_end();
    let cut = match &last.token {
        Token::Url { url, .. } if url.asks == Asks::Ping && !said.ends_with(['"', '/']) && said.matches('/').count() < 3 => &url.host,
        Token::Lookup { name, .. } if !said.ends_with(':') && !said.contains(" on ") => name,
        _ => return,
    };
    if made.host.as_deref() == Some(cut) {
        let named = reference.and_then(Reference::parse).map(|r| r.bare_host().to_owned());
        made.host = named.filter(|r| r.starts_with(cut.as_str()));
    }
}
