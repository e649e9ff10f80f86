//! underpod reads a support bundle of a Kubernetes cluster and explains why container image pulls fail, offline.
//!
//! Data flows one way: bundle → readers → facts → pulls → rules → verdict → report. Opening the bundle and loading the rules
//! may fail; everything after that is total, and what could not be read travels along as data.

pub mod bundle;
pub mod facts;
pub mod message;
pub mod network;
pub mod pull;
pub mod readers;
pub mod report;
pub mod rules;
pub mod text;
pub mod trust;
pub mod verdict;

use bundle::{Bundle, Limits, OpenError, Tally};
use facts::Facts;
use pull::{Filter, Index};
use rules::Rules;
use verdict::Verdict;
use verdict::compare::{Comparison, Half};

/// What is asked of a bundle, beside the bundle itself.
#[derive(Debug, Clone, Default)]
pub struct Question {
    /// How much may be read.
    pub limits: Limits,
    /// The time to reckon with, instead of the bundle's own.
    pub at: Option<jiff::Timestamp>,
    /// Only pulls whose image holds this.
    pub image: Option<String>,
    /// Only pulls on this node.
    pub node: Option<String>,
    /// Only pulls for pods of this namespace.
    pub namespace: Option<String>,
}

/// Opens the bundles, reads them as one, and says why their pulls fail.
///
/// # Errors
/// [`OpenError`] where a bundle cannot be opened.
///
/// ```
/// let rules = underpod::rules::Rules::shipped()?;
/// let verdict = underpod::explain(&["testdata/healthy/bundle".into()], &rules, &underpod::Question::default())?;
/// assert_eq!(verdict.summary().failed, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn explain(bundles: &[String], rules: &Rules, question: &Question) -> Result<Verdict, OpenError> {
    let facts = read(bundles, question)?;
    let index = Index::of(&facts);
    let pulls = pull::climb(&facts, &index);
    let filter = Filter { image: question.image.as_deref(), node: question.node.as_deref(), namespace: question.namespace.as_deref() };
    Ok(verdict::weigh(&facts, &index, &pulls, rules, &filter))
}

/// Opens the bundles and reads them into facts.
///
/// # Errors
/// [`OpenError`] where a bundle cannot be opened.
pub fn read(bundles: &[String], question: &Question) -> Result<Facts, OpenError> {
    let mut facts = Facts::default();
    let mut whole = Tally::default();
    let several = bundles.len() > 1;
    for (path, name) in bundles.iter().zip(bundle::names(bundles)) {
        let bundle = Bundle::open(path)?.called(name);
        let first = whole.files.len();
        let (hostnames, views, prompts, unread) = (facts.hostnames.len(), facts.pod_views.len(), facts.prompts.len(), facts.about.unread.len());
        let tally = bundle.walk_from(first, &question.limits, &mut |entry| readers::read(entry, &mut facts));
        let placed = facts.hostnames.iter_mut().skip(hostnames).map(|(folder, _)| folder);
        let told = facts.about.unread.iter_mut().skip(unread).map(|u| &mut u.file);
        let typed = facts.prompts.iter_mut().skip(prompts).map(|(path, _)| path);
        let seen = facts.pod_views.iter_mut().skip(views).chain(typed);
        for path in placed.chain(seen).filter(|_| several).chain(told) {
            tally.rename(path, several);
        }
        whole.append(tally, several);
    }
    Ok(facts.seal(whole, question.at))
}

/// The names of all nodes that anything in the bundle names, be it only the folder of their own files.
pub fn nodes(facts: &Facts) -> std::collections::BTreeSet<&str> {
    let listed = facts.nodes.iter().map(|n| n.name.as_str());
    let events = facts.events.iter().filter_map(|e| e.node.as_deref());
    let owners = facts.about.owned.iter().filter_map(|(_, _, owner)| match owner {
        facts::Owner::Node { name, .. } => Some(name.as_str()),
        _ => None,
    });
    listed.chain(events).chain(facts.pods.iter().filter_map(|p| p.node.as_deref())).chain(owners).collect()
}

/// The address that an error on the node names beside a host: what the node's resolver gave it.
pub fn dialled(facts: &Facts, node: &str, host: &str) -> Option<(std::net::IpAddr, facts::Evidence)> {
    let pulls = pull::climb(facts, &Index::of(facts));
    let tries = pulls.iter().filter(|p| p.node.as_deref() == Some(node)).flat_map(|p| &p.tries);
    let mut told = tries.filter(|t| t.attempt.host.as_deref() == Some(host)).filter_map(|t| Some((t.attempt.address?, t)));
    told.next_back().map(|(address, t)| (address, facts::Evidence { sources: t.sources.clone(), guessed: false }))
}

/// Compares the nodes of one bundle, those named or those that fail with those that pull, or the failing nodes of two bundles.
///
/// # Errors
/// [`OpenError`] where a bundle cannot be opened.
pub fn comparison(first: &str, second: Option<&str>, nodes: &[String], host: Option<String>, question: &Question) -> Result<Comparison, OpenError> {
    let opened = |bundle: &str| -> Result<(Facts, Vec<pull::Pull>), OpenError> {
        let facts = read(&[bundle.to_owned()], question)?;
        let pulls = pull::climb(&facts, &Index::of(&facts));
        Ok((facts, pulls))
    };
    let node = |place: usize| -> Vec<String> { nodes.get(place).cloned().into_iter().collect() };
    let (facts, pulls) = opened(first)?;
    let one = Half { facts: &facts, pulls: &pulls, nodes: node(0) };
    let Some(second) = second else {
        let other = Half { nodes: node(1), ..one.clone() };
        return Ok(if nodes.is_empty() { verdict::compare::outcomes(&one, host) } else { verdict::compare::halves(&one, &other, host) });
    };
    let (facts, pulls) = opened(second)?;
    Ok(verdict::compare::halves(&one, &Half { facts: &facts, pulls: &pulls, nodes: node(1) }, host))
}
