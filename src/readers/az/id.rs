//! Which resource does an id name? Services and tools write the same id in different cases.
//!
//! ```text
//! /subscriptions/S/resourceGroups/G/providers/Microsoft.Network/virtualNetworks/V/subnets/N
//! ```

use std::fmt;

/// The id of a resource. Two are equal that differ in case alone.
#[derive(Debug, Clone)]
pub(in crate::readers) struct ResourceId {
    text: String,
    /// In lower case, for comparisons.
    key: String,
    /// Lower-case type, with the provider: `microsoft.network/virtualnetworks/subnets`.
    kind: String,
    /// The names, the outermost first: the network's, the subnet's.
    names: Vec<String>,
}

impl ResourceId {
    /// Reads an id; nothing where the text is none.
    pub(in crate::readers) fn parse(text: &str) -> Option<ResourceId> {
        let text = text.trim().trim_end_matches('/');
        let key = text.to_lowercase();
        if !key.starts_with("/subscriptions/") {
            return None;
        }
        // The last provider counts: role assignments and diagnostics hang below another resource.
        let (_, own) = key.rsplit_once("/providers/")?;
        let at = text.len().checked_sub(own.len())?;
        let mut parts = text.get(at..)?.split('/');
        let mut kind = parts.next()?.to_lowercase();
        let mut names = Vec::new();
        while let (Some(of), Some(name)) = (parts.next(), parts.next()) {
            kind.push('/');
            kind.push_str(&of.to_lowercase());
            names.push(name.to_owned());
        }
        (!names.is_empty()).then(|| ResourceId { text: text.to_owned(), key, kind, names })
    }

    /// As it is written.
    pub(in crate::readers) fn as_str(&self) -> &str {
        &self.text
    }

    /// In lower case: equal for equal resources.
    pub(in crate::readers) fn key(&self) -> &str {
        &self.key
    }

    /// The lower-case type: `microsoft.network/virtualnetworks/subnets`.
    pub(in crate::readers) fn kind(&self) -> &str {
        &self.kind
    }

    /// The resource's own name.
    pub(in crate::readers) fn name(&self) -> &str {
        self.names.last().map_or("", String::as_str)
    }

    /// The name of the outermost resource: the network of a subnet.
    pub(in crate::readers) fn outer_name(&self) -> &str {
        self.names.first().map_or("", String::as_str)
    }

    /// The resource of which this one is a part: a subnet's network.
    pub(in crate::readers) fn parent(&self) -> Option<ResourceId> {
        if self.names.len() < 2 {
            return None;
        }
        let (rest, _) = self.text.rsplit_once('/')?;
        let (rest, _) = rest.rsplit_once('/')?;
        ResourceId::parse(rest)
    }
}

impl PartialEq for ResourceId {
    fn eq(&self, other: &ResourceId) -> bool {
        self.key == other.key
    }
}

impl Eq for ResourceId {}

impl fmt::Display for ResourceId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_taken_apart() {
        let id = ResourceId::parse("/subscriptions/s-1/resourcegroups/RG/providers/Microsoft.Network/virtualNetworks/hub/subnets/nodes").unwrap();
        assert_eq!((id.kind(), id.name(), id.outer_name()), ("microsoft.network/virtualnetworks/subnets", "nodes", "hub"));
        assert_eq!(id.parent().unwrap().kind(), "microsoft.network/virtualnetworks");
        assert_eq!(id, ResourceId::parse("/SUBSCRIPTIONS/S-1/resourceGroups/rg/providers/microsoft.network/VirtualNetworks/hub/subnets/nodes/").unwrap());
        for none in ["", "nodes", "/subscriptions/s-1", "/subscriptions/s-1/resourceGroups/g", "/subscriptions/s/providers/Microsoft.Network"] {
            assert!(ResourceId::parse(none).is_none(), "{none}");
        }
    }
}
