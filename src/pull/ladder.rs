//! What does a stop prove of every other step? Earlier ones passed, with the same line as source; later ones were not reached.

use crate::bundle::Source;
use crate::message::{Endpoint, Reference, Stage, Symptom};

use super::{Pull, Stop};

/// What is known of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It passed: the error came later.
    Passed,
    /// It stopped here.
    Failed,
    /// Never tried.
    NotReached,
    /// Not part of this pull's way.
    NotApplicable,
    /// The words leave it open.
    Unknown,
}

impl Outcome {
    /// The name as it is written everywhere.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Passed => "passed",
            Outcome::Failed => "failed",
            Outcome::NotReached => "not-reached",
            Outcome::NotApplicable => "not-applicable",
            Outcome::Unknown => "unknown",
        }
    }
}

/// One rung of one endpoint.
#[derive(Debug, Clone)]
pub struct Step {
    /// The endpoint; none where the step is the node's own.
    pub endpoint: Option<Endpoint>,
    /// Its host.
    pub host: Option<String>,
    /// The rung.
    pub stage: Stage,
    /// What is known of it.
    pub outcome: Outcome,
    /// The same in words.
    pub says: String,
    /// The lines that show it.
    pub evidence: Vec<Source>,
}

/// The network rungs that every endpoint has.
const NETWORK: [Stage; 3] = [Stage::Resolve, Stage::Connect, Stage::Tls];
const REGISTRY: [Stage; 6] = [Stage::Resolve, Stage::Connect, Stage::Tls, Stage::Authenticate, Stage::Authorize, Stage::Manifest];

pub(super) fn climb(pull: &Pull) -> Vec<Step> {
    let sources = pull.decided_by().map(|t| t.sources.clone()).unwrap_or_default();
    let span = pull.decided_by().and_then(|t| t.attempt.span);
    let climb = Climb {
        stop: &pull.stop,
        sources,
        open_from: span.map(|s| s.0),
        passed: pull.decided_by().and_then(|t| t.attempt.passed),
        open_to: span.map(|s| s.1),
        registry: pull.reference.as_ref().map(|r| r.bare_host().to_owned()),
        reference: pull.reference.as_ref(),
    };
    climb.steps()
}

struct Climb<'a> {
    stop: &'a Stop,
    sources: Vec<Source>,
    /// The first rung at which words of this meaning can stop.
    open_from: Option<Stage>,
    /// The last one.
    open_to: Option<Stage>,
    /// The registry's last rung that the request shows to have passed, whatever stopped it.
    passed: Option<Stage>,
    registry: Option<String>,
    reference: Option<&'a Reference>,
}

impl Climb<'_> {
    fn steps(&self) -> Vec<Step> {
        let Some(stage) = self.stop.stage else {
            return self.rungs(Some(Endpoint::Registry), &REGISTRY, |_| Outcome::Unknown);
        };
        match self.stop.endpoint {
            None if stage == Stage::Request => {
                // Of a pull that has not ended nobody knows how far it is.
                let later = if self.open_to > Some(Stage::Request) { Outcome::Unknown } else { Outcome::NotReached };
                let mut steps = vec![self.step(None, Stage::Request, Outcome::Failed)];
                steps.extend(self.rungs(Some(Endpoint::Registry), &REGISTRY, |_| later));
                steps
            }
            None => {
                let mut steps = self.rungs(Some(Endpoint::Registry), &REGISTRY, |_| Outcome::Passed);
                steps.push(self.step(Some(Endpoint::Blob), Stage::Blob, Outcome::Passed));
                steps.push(self.step(None, stage, Outcome::Failed));
                steps
            }
            // A layer was asked for: the registry had answered before, and the proxy stands before the layer's host.
            Some(Endpoint::Proxy) if self.passed == Some(Stage::Manifest) => {
                let mut steps = self.rungs(Some(Endpoint::Registry), &REGISTRY, |_| Outcome::Passed);
                steps.extend(self.own(Endpoint::Proxy, &NETWORK[..2], stage));
                steps.extend(self.rungs(Some(Endpoint::Blob), &[Stage::Resolve, Stage::Connect, Stage::Tls, Stage::Blob], behind_proxy));
                steps
            }
            Some(Endpoint::Proxy) => {
                let mut steps = self.own(Endpoint::Proxy, &NETWORK, stage);
                steps.extend(self.rungs(Some(Endpoint::Registry), &REGISTRY, behind_proxy));
                steps
            }
            Some(Endpoint::Auth) => {
                let mut steps = self.rungs(Some(Endpoint::Registry), &NETWORK, |_| Outcome::Passed);
                steps.extend(self.own(Endpoint::Auth, &[Stage::Resolve, Stage::Connect, Stage::Tls, Stage::Authenticate, Stage::Authorize], stage));
                steps.extend(self.rungs(Some(Endpoint::Registry), &[Stage::Manifest], |_| Outcome::NotReached));
                steps
            }
            Some(Endpoint::Blob) => {
                let mut steps = self.rungs(Some(Endpoint::Registry), &REGISTRY, |_| Outcome::Passed);
                steps.extend(self.own(Endpoint::Blob, &[Stage::Resolve, Stage::Connect, Stage::Tls, Stage::Blob], stage));
                steps.push(self.step(None, Stage::Unpack, Outcome::NotReached));
                steps
            }
            Some(endpoint @ (Endpoint::Registry | Endpoint::Mirror)) => {
                let mut rungs = REGISTRY.to_vec();
                if stage <= Stage::Request {
                    rungs.insert(0, Stage::Request);
                }
                rungs.push(Stage::Blob);
                self.own(endpoint, &rungs, stage)
            }
        }
    }

    /// The rungs of the endpoint at which the pull stopped.
    fn own(&self, endpoint: Endpoint, rungs: &[Stage], stage: Stage) -> Vec<Step> {
        self.rungs(Some(endpoint), rungs, |rung| match rung.cmp(&stage) {
            std::cmp::Ordering::Less if self.open_from.is_some_and(|from| rung >= from) => Outcome::Unknown,
            std::cmp::Ordering::Less => Outcome::Passed,
            std::cmp::Ordering::Equal => Outcome::Failed,
            std::cmp::Ordering::Greater => Outcome::NotReached,
        })
    }

    fn rungs(&self, endpoint: Option<Endpoint>, rungs: &[Stage], outcome: impl Fn(Stage) -> Outcome) -> Vec<Step> {
        rungs.iter().map(|rung| self.step(endpoint, *rung, outcome(*rung))).collect()
    }

    fn step(&self, endpoint: Option<Endpoint>, stage: Stage, outcome: Outcome) -> Step {
        let own = endpoint == self.stop.endpoint;
        let refused = self.stop.endpoint == Some(Endpoint::Proxy) && self.stop.address.is_none() && self.stop.resolver.is_none();
        let host = match endpoint {
            Some(Endpoint::Registry) if !own => self.registry.clone(),
            // Where the proxy refused, the stop's host is the one that it was asked for.
            Some(Endpoint::Proxy) if refused => None,
            Some(Endpoint::Blob) if refused => self.stop.host.clone(),
            Some(_) if own => self.stop.host.clone(),
            _ => None,
        };
        let evidence = if matches!(outcome, Outcome::Passed | Outcome::Failed) { self.sources.clone() } else { Vec::new() };
        Step { endpoint, host, stage, outcome, says: self.says(stage, outcome, own), evidence }
    }

    fn says(&self, stage: Stage, outcome: Outcome, own: bool) -> String {
        match outcome {
            Outcome::Failed => match self.stop.symptom {
                Symptom::Unrecognized => "the words of the error are not known".to_owned(),
                symptom => first_lower(symptom.meaning()),
            },
            Outcome::Passed if own && stage == Stage::Resolve => match (self.stop.address, self.reference) {
                (Some(address), _) => address.to_string(),
                _ => "the error came later".to_owned(),
            },
            Outcome::Passed => "the error came later".to_owned(),
            Outcome::Unknown => "the words do not tell".to_owned(),
            Outcome::NotReached => String::new(),
            Outcome::NotApplicable => "left to the proxy".to_owned(),
        }
    }
}

/// Behind a proxy the node resolves and dials the proxy alone.
fn behind_proxy(rung: Stage) -> Outcome {
    if NETWORK[..2].contains(&rung) { Outcome::NotApplicable } else { Outcome::NotReached }
}

fn first_lower(text: &str) -> String {
    let mut chars = text.chars();
    match (chars.next(), chars.as_str()) {
        // `CRI-O`, `429`, `403` keep their capitals.
        (Some(c), rest) if rest.starts_with(|r: char| r.is_lowercase() || r == ' ') => c.to_lowercase().chain(rest.chars()).collect(),
        _ => text.to_owned(),
    }
}
