//! Which registry was probably meant, where the host in the reference exists nowhere?

use super::{Asked, Value, estate};
use crate::facts::{Evidence, Known};
use crate::message::Symptom;

type K = Known<Value>;

/// Suffixes under which one cloud's registries live in its several regions of the world.
const CLOUDS: [&str; 3] = ["azurecr.io", "azurecr.cn", "azurecr.us"];

/// A shorter part of a name says too little: `prd` and `prod` may both be meant.
const SHORTEST: usize = 4;

/// The login server of the registry whose name the host carries; else, where the name does not resolve, a host from which this
/// cluster pulls and that differs by one slip of the keyboard or by the cloud's suffix. The latter is a guess.
pub fn meant_host(a: &Asked<'_>) -> K {
    let known = estate::login_server(a);
    if known.seen().is_some() || a.stop.symptom != Symptom::NameNotFound || !a.at_registry_host() {
        return known;
    }
    let Some(host) = a.host() else { return known };
    let pulled = a.index.pulled_hosts();
    match pulled.iter().find(|(other, _)| is_slip(host, other)) {
        Some((other, source)) => Known::Seen(Value::Text((*other).to_owned()), Evidence::of(source).guessed(true)),
        None => known,
    }
}

/// Whether two hosts differ by one slip, or by the suffix of another cloud alone.
fn is_slip(host: &str, other: &str) -> bool {
    if host == other {
        return false;
    }
    let name = |h: &str| CLOUDS.iter().find_map(|c| h.strip_suffix(c)?.strip_suffix('.')).map(str::to_owned);
    if let (Some(a), Some(b)) = (name(host), name(other)) {
        return a == b;
    }
    let parts = |h: &str| h.split(['.', '-']).map(str::to_owned).collect::<Vec<_>>();
    let (mine, theirs) = (parts(host), parts(other));
    let differing: Vec<_> = mine.iter().zip(&theirs).filter(|(a, b)| a != b).collect();
    mine.len() == theirs.len() && matches!(differing.as_slice(), [(a, b)] if a.len().min(b.len()) >= SHORTEST && differs_by_one(a, b))
}

/// Whether one letter was left out, added, taken for another, or two changed places. Numbers tell siblings apart.
fn differs_by_one(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let front = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let back = a.iter().rev().zip(b.iter().rev()).take_while(|(x, y)| x == y).count().min(a.len().min(b.len()) - front);
    let middle = |word: &[char]| word.get(front..word.len() - back).unwrap_or_default().to_vec();
    let (mine, theirs) = (middle(&a), middle(&b));
    if mine.iter().chain(&theirs).any(|c| !c.is_alphabetic()) {
        return false;
    }
    match (mine.as_slice(), theirs.as_slice()) {
        ([_], []) | ([], [_]) | ([_], [_]) => true,
        ([x, y], [v, w]) => x == w && y == v,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::is_slip;

    #[test]
    fn slips_and_siblings() {
        for (host, other) in [
            ("registry.crop.example", "registry.corp.example"),
            ("regstry.corp.example", "registry.corp.example"),
            ("registry.corp.exampel", "registry.corp.example"),
            ("corpreg1.azurecr.cn", "corpreg1.azurecr.io"),
        ] {
            assert!(is_slip(host, other), "{host} for {other}");
        }
        for (host, other) in [
            ("registry.corp.example", "registry.corp.example"),
            ("registry1.corp.example", "registry2.corp.example"),
            ("registry-prd.corp.example", "registry-prod.corp.example"),
            ("registry.corp.example", "registry.corp.example.org"),
            ("harbor.corp.example", "registry.corp.example"),
            ("corpreg2.azurecr.io", "corpreg1.azurecr.io"),
            ("dev.corp.example", "dex.corp.example"),
        ] {
            assert!(!is_slip(host, other), "{host} for {other}");
        }
    }
}
