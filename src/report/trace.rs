//! How is a packet's way told, as text and as JSON (`underpod.trace/1`)?

use std::fmt::Write as _;

use serde::Serialize;

use crate::facts::{About, Evidence};
use crate::network::{Ask, At, Passage, Trace};
use crate::rules::artefacts;
use crate::text::visible;

#[derive(Serialize)]
struct TraceOut<'t> {
    schema: &'static str,
    node: &'t str,
    to: To<'t>,
    outcome: &'static str,
    stopped_at: Option<&'static str>,
    steps: Vec<StepOut<'t>>,
    missing: Vec<MissingOut>,
}

#[derive(Serialize)]
struct To<'t> {
    host: Option<&'t str>,
    address: Option<String>,
    port: u16,
}

#[derive(Serialize)]
struct StepOut<'t> {
    at: &'static str,
    outcome: &'static str,
    says: &'t str,
    #[serde(flatten)]
    by: Option<By>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    evidence: Vec<EvidenceOut<'t>>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    missing: &'t [&'static str],
}

#[derive(Serialize)]
#[serde(untagged)]
enum By {
    Answer { asked: Option<String>, answers: Vec<String> },
    Kernel { route: KernelOut },
    Route { route: RouteOut },
    Rule { rule: RuleOut },
}

#[derive(Serialize)]
struct KernelOut {
    prefix: String,
    kind: String,
    via: Option<String>,
    dev: Option<String>,
    table: String,
}

#[derive(Serialize)]
struct RouteOut {
    prefix: String,
    next_hop_type: String,
    next_hop: Option<String>,
    source: String,
}

#[derive(Serialize)]
struct RuleOut {
    name: String,
    priority: Option<u32>,
    access: &'static str,
    r#where: &'static str,
}

#[derive(Serialize)]
struct EvidenceOut<'t> {
    file: &'t str,
    line: u32,
    excerpt: &'t str,
}

#[derive(Serialize)]
struct MissingOut {
    artefact: &'static str,
    of: String,
    run: String,
}

fn by(at: &At) -> Option<By> {
    Some(match at {
        At::Plain => return None,
        At::Answer(asked, answers) => By::Answer { asked: asked.map(|a| a.to_string()), answers: answers.iter().map(ToString::to_string).collect() },
        At::Kernel(route) => By::Kernel {
            route: KernelOut {
                prefix: route.prefix.to_string(),
                kind: route.kind.clone(),
                via: route.via.map(|v| v.to_string()),
                dev: route.dev.clone(),
                table: route.table.clone(),
            },
        },
        At::Route(route) => By::Route {
            route: RouteOut {
                prefix: route.prefix.to_string(),
                next_hop_type: route.next_hop_type.clone(),
                next_hop: route.next_hop.clone(),
                source: route.origin.clone(),
            },
        },
        At::Rule(rule, allows) => By::Rule {
            rule: RuleOut {
                name: rule.name.clone(),
                priority: rule.priority,
                access: if *allows { "Allow" } else { "Deny" },
                r#where: if rule.of_subnet { "subnet" } else { "nic" },
            },
        },
    })
}

fn missing(trace: &Trace, ask: &Ask<'_>) -> Vec<MissingOut> {
    let node = ask.node;
    let host = ask.host.map(str::to_owned).or_else(|| trace.address.map(|a| a.to_string())).unwrap_or_default();
    let mut out: Vec<MissingOut> = Vec::new();
    for id in trace.steps.iter().flat_map(|s| &s.missing) {
        let Some(artefact) = artefacts::named(id).filter(|_| !out.iter().any(|m| m.artefact == *id)) else { continue };
        let of = if artefact.view == "node" { format!("node {node}") } else { "the cluster".to_owned() };
        out.push(MissingOut { artefact: id, of, run: artefact.run.replace("<node>", node).replace("<host>", &host).replace("<registry host>", &host) });
    }
    out
}

fn evidence<'t>(evidence: &'t Evidence, about: &'t About) -> Vec<EvidenceOut<'t>> {
    evidence.sources.iter().map(|s| EvidenceOut { file: about.path(s), line: s.line, excerpt: &s.excerpt }).collect()
}

/// One object on one line.
pub fn json(trace: &Trace, ask: &Ask<'_>, about: &About) -> String {
    let out = TraceOut {
        schema: "underpod.trace/1",
        node: ask.node,
        to: To { host: ask.host, address: trace.address.map(|a| a.to_string()), port: ask.port },
        outcome: trace.end.name(),
        stopped_at: trace.stopped_at,
        steps: trace
            .steps
            .iter()
            .map(|s| StepOut { at: s.at, outcome: s.passage.name(), says: &s.says, by: by(&s.by), evidence: evidence(&s.evidence, about), missing: &s.missing })
            .collect(),
        missing: missing(trace, ask),
    };
    serde_json::to_string(&out).unwrap_or_default() + "\n"
}

/// For a person: a line a step, with where it stands.
pub fn text(trace: &Trace, ask: &Ask<'_>, about: &About) -> String {
    let mut out = String::new();
    let host = ask.host.map_or_else(String::new, |h| format!("{h} "));
    let address = trace.address.map_or_else(|| "an address that the bundle does not tell".to_owned(), |a| a.to_string());
    let _ = writeln!(out, "{} to {}{address}, port {}: {}", visible(ask.node), visible(&host), ask.port, trace.end.name());
    for step in &trace.steps {
        let mark = match step.passage {
            Passage::Failed(_) => "FAILED",
            other => other.name(),
        };
        let _ = writeln!(out, "  {:<19} {mark:<12} {}", step.at, visible(&step.says));
        if let Some(source) = step.evidence.sources.first() {
            let guess = if step.evidence.guessed { " (computed, or joined by a guess)" } else { "" };
            let _ = writeln!(out, "  {:<32} {}:{}{guess}", "", visible(about.path(source)), source.line);
        }
    }
    for lacking in missing(trace, ask) {
        let _ = writeln!(out, "  collect {} of {}", lacking.artefact, visible(&lacking.of));
        if !lacking.run.is_empty() {
            let _ = writeln!(out, "    $ {}", visible(&lacking.run));
        }
    }
    out
}
