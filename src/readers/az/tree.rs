//! What does a dump of a cloud tool say, on which line, whatever dialect it is written in?
//!
//! ```json
//! {"id": "...", "properties": {"peeringState": "Connected", "allowGatewayTransit": null}}
//! {"id": "...", "peeringState": "Connected"}
//! {"Id": "...", "PeeringState": "Connected", "AllowGatewayTransit": ""}
//! ```
//!
//! The three say the same. Keys are compared without case, what lies in `properties` counts as the object's own, and
//! `null`, an empty text and a missing key are one.

use std::borrow::Cow;

use super::id::ResourceId;

/// A value and the line on which it begins.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::readers) struct Value<'t> {
    /// The line, counted from 1.
    pub(in crate::readers) line: u32,
    /// What stands there.
    pub(in crate::readers) what: What<'t>,
}

/// The kinds of values.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::readers) enum What<'t> {
    Null,
    /// A number, a truth value or a bare word, as it is written.
    Bare(Cow<'t, str>),
    Text(Cow<'t, str>),
    List(Vec<Value<'t>>),
    Map(Vec<(Cow<'t, str>, Value<'t>)>),
}

/// What was read of a text.
#[derive(Debug)]
pub(in crate::readers) struct Tree<'t> {
    /// The outermost value.
    pub(in crate::readers) root: Value<'t>,
    /// The text ended, or broke, before its value did: lists may lack their last items, and objects that the cut
    /// fell into are left out.
    pub(in crate::readers) cut: bool,
}

impl<'t> Value<'t> {
    /// The value of a key, of this object or of its `properties`; nothing where it is null or empty.
    pub(in crate::readers) fn get(&self, key: &str) -> Option<&Value<'t>> {
        self.own(key).or_else(|| self.own("properties")?.own(key)).filter(|v| !v.is_nothing())
    }

    fn own(&self, key: &str) -> Option<&Value<'t>> {
        self.entries().iter().find(|(k, _)| k.eq_ignore_ascii_case(key)).map(|(_, v)| v)
    }

    /// Whether the key is written at all, with whatever value: `null` says more than nothing where an object may be shown in part.
    pub(in crate::readers) fn has(&self, key: &str) -> bool {
        self.own(key).is_some() || self.own("properties").is_some_and(|p| p.own(key).is_some())
    }

    /// The value at the end of a path of keys.
    pub(in crate::readers) fn at(&self, path: &[&str]) -> Option<&Value<'t>> {
        path.iter().try_fold(self, |value, key| value.get(key))
    }

    /// `null`, an empty text, or the name of a class, which PowerShell writes in place of what lies too deep.
    fn is_nothing(&self) -> bool {
        match &self.what {
            What::Null => true,
            What::Text(text) => text.is_empty() || ["System.Collections.", "Microsoft.Azure.", "@{"].iter().any(|class| text.starts_with(class)),
            _ => false,
        }
    }

    /// The value itself as text: of a text, a number or a truth value.
    pub(in crate::readers) fn as_text(&self) -> Option<&str> {
        match &self.what {
            What::Text(text) | What::Bare(text) if !self.is_nothing() => Some(text),
            _ => None,
        }
    }

    /// The text of a key.
    pub(in crate::readers) fn text(&self, key: &str) -> Option<&str> {
        self.get(key)?.as_text()
    }

    /// The text of a key even where it is the name of a class in place of the value.
    pub(in crate::readers) fn raw_text(&self, key: &str) -> Option<&str> {
        match self.own(key).or_else(|| self.own("properties")?.own(key)).map(|v| &v.what) {
            Some(What::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// The truth value of a key, as a tool or a table writes it.
    pub(in crate::readers) fn flag(&self, key: &str) -> Option<bool> {
        match self.text(key)?.to_ascii_lowercase().as_str() {
            "true" | "yes" | "enabled" => Some(true),
            "false" | "no" | "disabled" => Some(false),
            _ => None,
        }
    }

    /// The number of a key.
    pub(in crate::readers) fn number(&self, key: &str) -> Option<u64> {
        self.text(key)?.parse().ok()
    }

    /// The items of a list, of what wraps one, or the value alone where one stands for a list of one.
    pub(in crate::readers) fn items(&self) -> &[Value<'t>] {
        match &self.what {
            What::List(items) => items,
            What::Null => &[],
            _ if self.is_nothing() => &[],
            What::Map(_) => match self.own("value").or_else(|| self.own("data")).map(|v| &v.what) {
                Some(What::List(items)) => items,
                _ => std::slice::from_ref(self),
            },
            _ => std::slice::from_ref(self),
        }
    }

    /// The items at a key; none where it is missing.
    pub(in crate::readers) fn list(&self, key: &str) -> &[Value<'t>] {
        self.get(key).map_or(&[], Value::items)
    }

    /// The texts at a key, each with its line: of a list, or of a single one.
    pub(in crate::readers) fn texts(&self, key: &str) -> impl Iterator<Item = (&str, u32)> {
        self.list(key).iter().filter_map(|v| Some((v.as_text()?, v.line)))
    }

    /// The resource that a key names, as its id or as an object that holds it.
    pub(in crate::readers) fn id_at(&self, key: &str) -> Option<ResourceId> {
        let value = self.get(key)?;
        ResourceId::parse(value.as_text().or_else(|| value.text("id"))?)
    }

    /// The object's own id.
    pub(in crate::readers) fn id(&self) -> Option<ResourceId> {
        ResourceId::parse(self.text("id")?)
    }

    /// Its name: what `name` says, else the last part of its id.
    pub(in crate::readers) fn name(&self) -> Option<Cow<'_, str>> {
        self.text("name").map(Cow::Borrowed).or_else(|| Some(Cow::Owned(self.id()?.name().to_owned())))
    }

    /// The line of a key's value; of the object where it lacks the key.
    pub(in crate::readers) fn line_of(&self, key: &str) -> u32 {
        self.own(key).or_else(|| self.own("properties")?.own(key)).map_or(self.line, |v| v.line)
    }

    /// The object's keys, those of its `properties` with them.
    pub(in crate::readers) fn keys(&self) -> impl Iterator<Item = &str> {
        self.entries().iter().chain(self.own("properties").map_or(&[][..], Value::entries)).map(|(k, _)| k.as_ref())
    }

    pub(in crate::readers) fn entries(&self) -> &[(Cow<'t, str>, Value<'t>)] {
        match &self.what {
            What::Map(entries) => entries,
            _ => &[],
        }
    }

    /// Whether the object is shown as the service gave it, so that what it lacks is not there. A `--query` names the
    /// fields that somebody wanted, and a reference holds an id alone.
    pub(in crate::readers) fn is_whole(&self) -> bool {
        self.text("id").is_some() && (self.has("provisioningState") || self.has("etag") || self.text("type").is_some_and(|t| t.contains('/')))
    }

    /// The objects that the dump holds: of a list, a page of one, or the object alone.
    pub(in crate::readers) fn objects(&self) -> impl Iterator<Item = &Value<'t>> {
        self.items().iter().filter(|v| matches!(v.what, What::Map(_)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::json;

    #[test]
    fn dialects_say_the_same() {
        for text in [
            r#"{"name": "p", "properties": {"peeringState": "Connected", "allowGatewayTransit": null, "remote": {"properties": {"addressPrefixes": ["10.0.0.0/8"]}}}}"#,
            r#"{"name": "p", "peeringState": "Connected", "remote": {"addressPrefixes": ["10.0.0.0/8"]}}"#,
            r#"{"Name": "p", "PeeringState": "Connected", "AllowGatewayTransit": "", "Remote": {"AddressPrefixes": "10.0.0.0/8"}}"#,
            r#"{"value": [{"name": "p", "peeringState": "Connected", "remote": {"addressPrefixes": ["10.0.0.0/8"]}}]}"#,
            r#"{"count": 1, "data": [{"name": "p", "properties": {"peeringstate": "Connected", "remote": {"addressprefixes": ["10.0.0.0/8"]}}}]}"#,
        ] {
            let tree = json::parse(text, 1).unwrap();
            let object = tree.root.objects().next().unwrap();
            assert_eq!(object.text("peeringState"), Some("Connected"), "{text}");
            assert_eq!(object.flag("allowGatewayTransit"), None, "{text}");
            assert_eq!(object.get("remote").unwrap().texts("addressPrefixes").map(|(t, _)| t).collect::<Vec<_>>(), ["10.0.0.0/8"], "{text}");
        }
    }

    #[test]
    fn classes_in_place_of_values_are_nothing() {
        let tree =
            json::parse(r#"{"DhcpOptions": "Microsoft.Azure.Commands.Network.Models.PSDhcpOptions", "Subnets": "System.Collections.Generic.List`1[x]"}"#, 1)
                .unwrap();
        assert_eq!(tree.root.get("dhcpOptions"), None);
        assert!(tree.root.has("dhcpOptions"));
        assert!(tree.root.list("subnets").is_empty());
    }
}
