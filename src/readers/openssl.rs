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
use crate::facts::{Certificate, Chain, Of, Owner};

pub(super) fn read(file: &mut File<'_>, content: &str) {
    read_as(file, content, None);
}

/// The same of what a command printed: the command names the host.
pub(super) fn read_as(file: &mut File<'_>, content: &str, command: Option<&str>) {
    // Without a chain the transcript shows no certificate, whatever its return code says.
    if !content.contains("Certificate chain") || content.contains("no peer certificate available") {
        return;
    }
    let start = content.find("Certificate chain").unwrap_or(0);
    let chain = content.get(start..).unwrap_or("");
    let end = chain.find("\nServer certificate").unwrap_or(chain.len());
    let first = crate::text::line_of(content, start);
    let shown = chain.get(..end).unwrap_or(chain);
    let mut certificates = certificates::parse(file, shown, first);
    let rows = rows(file, shown, first);
    if certificates.is_empty() {
        // Without -showcerts the rows tell the chain, and the certificate itself stands below them.
        certificates = rows.clone();
        if let (Some(leaf), Some(row)) = (certificates::parse(file, chain, first).into_iter().next(), certificates.first_mut()) {
            *row = Certificate { source: row.source.clone(), ..leaf };
        }
    }
    // The row tells a certificate's period in words; its block of text does not.
    for (certificate, row) in certificates.iter_mut().zip(&rows).filter(|(c, r)| c.not_after == r.not_after) {
        certificate.source = row.source.clone();
    }
    let Some(source) = certificates.first().map(|c| c.source.clone()) else { return };
    let folder = file.path.rsplit('/').nth(1).filter(|f| f.contains('.')).map(str::to_lowercase);
    let told = command.and_then(servername).or_else(|| servername(content));
    let by_folder = told.is_none() && folder.is_some();
    let host = told.or(folder);
    let port = command.and_then(connected_port).or_else(|| connected_port(content));
    file.take("certificate-chain");
    let value = Chain {
        host,
        by_folder,
        port,
        certificates,
        first_alone: false,
        through_proxy: asks_proxy(command.unwrap_or(content)),
        wants_client: content.lines().any(|l| l.starts_with("Acceptable client certificate CA names")),
    };
    file.facts.chains.push(Of { owner: Owner::Unknown, value, source });
}

/// What the rows of the chain say: ` 0 s:SUBJECT`, `   i:ISSUER`, `   v:NotBefore: ...; NotAfter: ...`.
fn rows(file: &File<'_>, shown: &str, first: u32) -> Vec<Certificate> {
    let mut out: Vec<Certificate> = Vec::new();
    for (number, line) in crate::text::numbered(shown) {
        let said = line.trim_start();
        let number = first + number - 1;
        if let Some((_, subject)) = said.split_once(" s:").filter(|(place, _)| place.parse::<u8>().is_ok()) {
            out.push(Certificate::bare(name(subject), file.source(number, line)));
        } else if let (Some(issuer), Some(last)) = (said.strip_prefix("i:"), out.last_mut()) {
            last.issuer = name(issuer);
        } else if let (Some(rest), Some(last)) = (said.strip_prefix("v:NotBefore: "), out.last_mut()) {
            let (from, to) = rest.split_once("; NotAfter: ").unwrap_or((rest, ""));
            last.not_before = date(from);
            last.not_after = date(to);
            last.source = file.source(number, line);
        }
    }
    let count = out.len();
    for (place, certificate) in out.iter_mut().enumerate() {
        certificate.is_ca = place > 0 && count > 1;
    }
    out
}

/// `O = Example Corp, CN = registry` as the parser of certificates writes it.
fn name(text: &str) -> String {
    text.trim().split(", ").map(|p| p.replacen(" = ", "=", 1)).collect::<Vec<_>>().join(", ")
}

/// `Nov 23 23:59:59 2026 GMT`
pub(super) fn date(text: &str) -> Option<jiff::Timestamp> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let [month, day, clock, year, ..] = words.as_slice() else { return None };
    crate::facts::time::stamp(&format!("{year}-{:02}-{day:0>2}T{clock}Z", crate::facts::time::month(month)?))
}

/// A transcript may begin with the command itself.
fn servername(content: &str) -> Option<String> {
    let (_, rest) = content.split_once("-servername ").or_else(|| content.split_once("-connect "))?;
    let word = rest.split_whitespace().next()?;
    Some(word.rsplit_once(':').map_or(word, |(host, _)| host).to_lowercase())
}

/// `-proxy` is the only way in which it goes through one, whatever the shell's variables say.
fn asks_proxy(text: &str) -> bool {
    text.lines().any(|l| l.contains("s_client") && l.split_whitespace().any(|w| w == "-proxy"))
}

fn connected_port(content: &str) -> Option<u16> {
    content.split_once("-connect ")?.1.split_whitespace().next()?.rsplit_once(':')?.1.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bundle::FileId;
    use crate::facts::Facts;

    #[test]
    fn rows_tell_the_chain_where_no_block_does() {
        let text = "CONNECTED(00000003)\n---\nCertificate chain\n 0 s:CN = r.example\n   i:CN = Issuing\n   v:NotBefore: Oct  5 00:00:00 2026 GMT; NotAfter: Nov 23 23:59:59 2026 GMT\n 1 s:CN = Issuing\n   i:CN = Root\n---\n";
        let mut facts = Facts::default();
        let mut file = File { id: FileId::default(), path: "x", facts: &mut facts, fixed_line: None, command: None, written: None };
        read_as(&mut file, text, Some("openssl s_client -connect r.example:443"));
        let chain = &facts.chains[0].value;
        assert_eq!((chain.host.as_deref(), chain.certificates.len(), chain.certificates[0].source.line), (Some("r.example"), 2, 6));
        assert_eq!(chain.certificates[0].not_after, "2026-11-23T23:59:59Z".parse().ok());
        assert!(chain.certificates[0].issued_by(&chain.certificates[1]));
    }

    #[test]
    fn a_cut_test_shows_no_chain() {
        let mut facts = Facts::default();
        let mut file = File { id: FileId::default(), path: "x", facts: &mut facts, fixed_line: None, command: None, written: None };
        read(&mut file, "CONNECTED(00000003)\n---\nno peer certificate available\n");
        read(&mut file, "CONNECTED(00000003)\nCertificate chai");
        assert!(facts.chains.is_empty());
    }
}
