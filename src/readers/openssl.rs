//! Which chain did a host present? `openssl s_client -showcerts`, made on the node.
//!
//! ```text
//! CONNECTED(00000003)
//! Certificate chain
//!  0 s:CN = registry.corp.example
//!    i:CN = Corp Issuing CA
//! -----BEGIN CERTIFICATE-----
//! ```

use super::{File, certificates};
use crate::facts::{Chain, Of, Owner};

pub(super) fn read(file: &mut File<'_>, content: &str) {
    // Without a chain the transcript shows no certificate, whatever its return code says.
    if !content.contains("Certificate chain") || content.contains("no peer certificate available") {
        return;
    }
    let start = content.find("Certificate chain").unwrap_or(0);
    let chain = content.get(start..).unwrap_or("");
    let end = chain.find("\nServer certificate").filter(|e| chain.get(..*e).is_some_and(|c| c.contains("BEGIN CERTIFICATE"))).unwrap_or(chain.len());
    let first = crate::text::line_of(content, start);
    let certificates = certificates::parse(file, chain.get(..end).unwrap_or(chain), first);
    let Some(source) = certificates.first().map(|c| c.source.clone()) else { return };
    let folder = file.path.rsplit('/').nth(1).filter(|f| f.contains('.')).map(str::to_lowercase);
    let host = servername(content).or(folder);
    file.take("certificate-chain");
    file.facts.chains.push(Of { owner: Owner::Unknown, value: Chain { host, certificates }, source });
}

/// A transcript may begin with the command itself.
fn servername(content: &str) -> Option<String> {
    let (_, rest) = content.split_once("-servername ").or_else(|| content.split_once("-connect "))?;
    let word = rest.split_whitespace().next()?;
    Some(word.rsplit_once(':').map_or(word, |(host, _)| host).to_lowercase())
}
