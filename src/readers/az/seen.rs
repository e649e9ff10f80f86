//! What does one object say under a key, and on which line? The way from a dump's values to facts with their sources.

use std::net::IpAddr;

use ipnet::IpNet;

use super::tree::Value;
use crate::bundle::Source;
use crate::facts::{Evidence, Known};
use crate::readers::File;

/// An object at hand, in its file.
#[derive(Clone, Copy)]
pub(super) struct Seen<'r, 'f, 'v, 't> {
    pub(super) file: &'r File<'f>,
    pub(super) object: &'v Value<'t>,
    /// The artefact that would tell what the object leaves out.
    pub(super) artefact: &'static str,
}

impl<'v, 't> Seen<'_, '_, 'v, 't> {
    /// The same way of looking, at a part of the object.
    pub(super) fn part(&self, object: &'v Value<'t>) -> Self {
        Seen { object, ..*self }
    }

    /// The line of a key, with what it says: `hub-to-spoke: allowGatewayTransit = false`.
    pub(super) fn source(&self, key: &str) -> Source {
        let name = self.object.name().unwrap_or_default();
        let value = self.object.text(key).unwrap_or("not set");
        self.at(self.object.line_of(key), &format!("{name}: {key} = {value}"))
    }

    /// The line of the object itself.
    pub(super) fn here(&self, says: &str) -> Source {
        self.at(self.object.line, says)
    }

    /// A line of the file.
    pub(super) fn at(&self, line: u32, says: &str) -> Source {
        self.file.source(line, says)
    }

    /// A truth value; what an object leaves out is not known, since every version of the services writes both.
    pub(super) fn flag(&self, key: &str) -> Known<bool> {
        match self.object.flag(key) {
            Some(value) => Known::Seen(value, Evidence::of(&self.source(key))),
            None => Known::NotCollected(self.artefact),
        }
    }

    /// A text.
    pub(super) fn text(&self, key: &str) -> Known<String> {
        match self.object.text(key) {
            Some(value) => Known::Seen(value.to_owned(), Evidence::of(&self.source(key))),
            None => Known::NotCollected(self.artefact),
        }
    }

    /// The key of the resource that a field names. A whole object without the field has none.
    pub(super) fn reference(&self, key: &str) -> Known<String> {
        match self.object.id_at(key) {
            Some(id) => Known::Seen(id.key().to_owned(), Evidence::of(&self.at(self.object.line_of(key), &format!("{key}: {}", id.name())))),
            None if self.object.is_whole() || (self.object.has(key) && self.object.get(key).is_none()) => {
                let name = self.object.name().unwrap_or_default();
                Known::Absent(Evidence::of(&self.at(self.object.line_of(key), &format!("{name}: no {key}"))))
            }
            None => Known::NotCollected(self.artefact),
        }
    }

    /// The ranges at a key, each with its line.
    pub(super) fn ranges(&self, key: &str) -> Vec<(IpNet, Source)> {
        let name = self.object.name().unwrap_or_default();
        let label = |range: &str| if name.is_empty() { format!("{key}: {range}") } else { format!("{name}: {key} {range}") };
        self.object.texts(key).filter_map(|(text, line)| Some((range(text)?, self.at(line, &label(text))))).collect()
    }
}

/// A range, or an address that stands for itself.
pub(super) fn range(text: &str) -> Option<IpNet> {
    let text = text.trim();
    text.parse().ok().or_else(|| text.parse::<IpAddr>().ok().map(IpNet::from))
}
