//! Where does a DNS server send the question for a name? By the longest suffix for which its setup names anything.

use std::net::IpAddr;

use crate::facts::names::{DnsServer, Forward, Names};
use crate::facts::{Evidence, Of};

use super::names::lies_in;

/// One server's setup, from all the files that belong to it.
#[derive(Debug)]
pub struct Setup<'f> {
    parts: Vec<&'f Of<DnsServer>>,
    /// Whether the files are known to be this server's only because no other server's are there.
    guessed: bool,
}

/// What a server does with the question for one name.
#[derive(Debug)]
pub enum Way<'f> {
    /// It asks these servers.
    Forwards(&'f Forward, Evidence),
    /// It answers from its own data.
    Own(Evidence),
    /// It has no server to ask and looks for the answer in the public DNS itself.
    Public(Evidence),
    /// Its setup is not known, or not whole.
    NotCollected,
}

/// The setup of the server at `address`.
pub fn setup(names: &Names, address: IpAddr) -> Option<Setup<'_>> {
    let servers: Vec<&Of<DnsServer>> = names.servers.iter().filter(|s| !s.value.on_node).collect();
    let listening = servers.iter().find(|s| s.value.addresses.contains(&address));
    let told = listening.map(|s| &s.value.place).or_else(|| servers.iter().map(|s| &s.value.place).find(|p| mentions(p, address)));
    if let Some(place) = told {
        return Some(Setup { parts: servers.iter().filter(|s| s.value.place == *place).copied().collect(), guessed: false });
    }
    // The only server of which anything was collected; a listed address that is another's would have told whose it is.
    let first = servers.first()?;
    let others = servers.iter().any(|s| s.value.place != first.value.place || s.value.addresses.iter().any(|a| !a.is_loopback() && !a.is_unspecified()));
    (!others).then_some(Setup { parts: servers, guessed: true })
}

/// `dns-10.60.0.4/named.conf` names the server.
fn mentions(place: &str, address: IpAddr) -> bool {
    let text = address.to_string();
    place.match_indices(&text).any(|(at, _)| {
        let edge = |c: Option<char>| c.is_none_or(|c| !c.is_ascii_digit());
        edge(place.get(..at).and_then(|s| s.chars().next_back())) && edge(place.get(at + text.len()..).and_then(|s| s.chars().next()))
    })
}

impl<'f> Setup<'f> {
    /// What the server does with the question for `name`.
    pub fn way(&self, name: &str) -> Way<'f> {
        let parts = || self.parts.iter().copied();
        let forward = parts().flat_map(|p| &p.value.forwards).filter(|f| lies_in(name, &f.suffix) || f.suffix.is_empty()).max_by_key(|f| f.suffix.len());
        let own = parts().flat_map(|p| &p.value.own).filter(|(suffix, _)| lies_in(name, suffix)).max_by_key(|(suffix, _)| suffix.len());
        let evidence = |source| Evidence::of(source).guessed(self.guessed);
        match (forward, own) {
            (forward, Some((suffix, source))) if forward.is_none_or(|f| f.suffix.len() < suffix.len()) => Way::Own(evidence(source)),
            // An empty list switches the forwarding of a suffix off.
            (Some(forward), _) if !forward.to.is_empty() => Way::Forwards(forward, evidence(&forward.source)),
            (Some(forward), _) if !forward.suffix.is_empty() => Way::Public(evidence(&forward.source)),
            _ => self.without(),
        }
    }

    /// Nothing names the suffix: an absence where the setup is there whole.
    fn without(&self) -> Way<'f> {
        let Some(defaults) = self.parts.iter().find(|p| p.value.names_defaults) else { return Way::NotCollected };
        let here = |include: &str| {
            let name = include.rsplit('/').next().unwrap_or(include);
            let known = ["named.conf.default-zones", "named.rfc1912.zones", "named.root.key", "bind.keys", "rndc.key", "named.conf.logging"];
            known.contains(&name) || self.parts.iter().any(|p| p.value.file == name)
        };
        if !self.parts.iter().flat_map(|p| &p.value.includes).all(|i| here(i)) {
            return Way::NotCollected;
        }
        let zones = self.parts.iter().find(|p| p.value.names_zones);
        let mut evidence = Evidence::of(defaults.value.defaults.as_ref().unwrap_or(&defaults.source)).guessed(self.guessed || zones.is_none());
        evidence.sources.extend(zones.filter(|z| z.source.file != defaults.source.file).map(|z| z.source.clone()));
        Way::Public(evidence)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bundle::{FileId, Source};
    use crate::facts::Owner;

    fn source() -> Source {
        Source::new(FileId::default(), 1, "")
    }

    fn server(forwards: &[(&str, &str)], own: &[&str]) -> Names {
        let forwards = forwards
            .iter()
            .map(|(suffix, to)| Forward { suffix: (*suffix).into(), to: to.split(' ').filter_map(|a| a.parse().ok()).collect(), source: source() })
            .collect();
        let value = DnsServer {
            addresses: vec!["10.60.0.4".parse().unwrap()],
            forwards,
            own: own.iter().map(|o| ((*o).to_owned(), source())).collect(),
            names_defaults: true,
            names_zones: true,
            place: "dns".into(),
            ..DnsServer::default()
        };
        Names { servers: vec![Of { owner: Owner::Unknown, value, source: source() }], ..Names::default() }
    }

    #[test]
    fn the_longest_suffix_decides() {
        let names = server(&[("", "10.0.0.1"), ("corp.example", "168.63.129.16"), ("off.corp.example", "")], &["erp.corp.example"]);
        let setup = setup(&names, "10.60.0.4".parse().unwrap()).unwrap();
        let to = |name: &str| match setup.way(name) {
            Way::Forwards(f, _) => f.to.first().map(ToString::to_string).unwrap_or_default(),
            Way::Own(_) => "own".into(),
            Way::Public(_) => "public".into(),
            Way::NotCollected => "?".into(),
        };
        assert_eq!(to("registry.corp.example"), "168.63.129.16");
        assert_eq!(to("r.erp.corp.example"), "own");
        assert_eq!(to("r.off.corp.example"), "public");
        assert_eq!(to("mcr.microsoft.com"), "10.0.0.1");
        assert_eq!(to("xcorp.example"), "10.0.0.1");
    }

    #[test]
    fn an_absence_needs_the_whole_setup() {
        let mut names = server(&[], &[]);
        let at = "10.60.0.4".parse().unwrap();
        assert!(matches!(setup(&names, at).unwrap().way("r.corp.example"), Way::Public(_)));
        names.servers[0].value.includes.push("/etc/bind/zones.forward".into());
        assert!(matches!(setup(&names, at).unwrap().way("r.corp.example"), Way::NotCollected));
        assert!(setup(&names, "10.60.0.5".parse().unwrap()).is_none());
    }
}
