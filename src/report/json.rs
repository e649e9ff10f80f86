//! The report as JSON, in the form that other programs rely on: `underpod.report/1`.

use serde::Serialize;

use crate::bundle::Source;
use crate::facts::About;
use crate::rules::LineOutcome;
use crate::verdict::{Finding, Sign, Todo, Verdict};

/// The name of this form.
pub const SCHEMA: &str = "underpod.report/1";

#[derive(Serialize)]
struct Report<'v> {
    schema: &'static str,
    tool: Tool<'v>,
    bundle: Bundle<'v>,
    summary: Summary,
    findings: Vec<FindingOut<'v>>,
    recovered: Vec<RecoveredOut<'v>>,
    notes: Vec<SignOut<'v>>,
}

#[derive(Serialize)]
struct Tool<'v> {
    version: &'static str,
    rules: &'v str,
}

#[derive(Serialize)]
struct Bundle<'v> {
    name: &'v str,
    layouts: &'v [&'static str],
    collected_at: Option<String>,
    files: u64,
    read: u64,
    bytes: u64,
    unread: Vec<UnreadOut<'v>>,
    gaps: &'v [String],
}

#[derive(Serialize)]
struct UnreadOut<'v> {
    file: &'v str,
    why: &'v str,
}

#[derive(Serialize)]
struct Summary {
    failed: usize,
    explained: usize,
    undecided: usize,
    recovered: usize,
}

#[derive(Serialize)]
struct FindingOut<'v> {
    id: &'v str,
    stop: StopOut<'v>,
    cause: Option<&'v str>,
    title: &'v str,
    certainty: &'static str,
    why: &'v str,
    ladder: Vec<StepOut<'v>>,
    evidence: Vec<LineOut<'v>>,
    attempts: Vec<AttemptOut<'v>>,
    candidates: Vec<CandidateOut<'v>>,
    pulls: Vec<PullOut<'v>>,
    triggers: Vec<SignOut<'v>>,
    misleading: Vec<SignOut<'v>>,
    remedy: Vec<TodoOut<'v>>,
    verify: Vec<TodoOut<'v>>,
    no_help: &'v [String],
    missing: Vec<MissingOut<'v>>,
}

#[derive(Serialize)]
struct StopOut<'v> {
    endpoint: Option<&'static str>,
    host: Option<&'v str>,
    address: Option<String>,
    port: Option<u16>,
    resolver: Option<String>,
    status: Option<u16>,
    stage: Option<&'static str>,
    symptom: &'static str,
}

#[derive(Serialize)]
struct StepOut<'v> {
    endpoint: Option<&'static str>,
    host: Option<&'v str>,
    stage: &'static str,
    outcome: &'static str,
    says: &'v str,
    evidence: Vec<Place<'v>>,
}

#[derive(Serialize)]
struct Place<'v> {
    file: &'v str,
    line: u32,
    excerpt: &'v str,
}

#[derive(Serialize)]
struct LineOut<'v> {
    says: &'v str,
    outcome: &'static str,
    file: Option<&'v str>,
    line: Option<u32>,
    excerpt: Option<&'v str>,
}

#[derive(Serialize)]
struct AttemptOut<'v> {
    endpoint: Option<&'static str>,
    host: Option<&'v str>,
    stage: Option<&'static str>,
    symptom: &'static str,
    credentials: Option<bool>,
    noise: bool,
    at: Option<String>,
    evidence: Vec<Place<'v>>,
}

#[derive(Serialize)]
struct CandidateOut<'v> {
    cause: &'v str,
    title: &'v str,
    outcome: &'static str,
    because: &'v str,
    missing: Vec<&'static str>,
}

#[derive(Serialize)]
struct PullOut<'v> {
    image: &'v str,
    node: Option<&'v str>,
    pool: Option<&'v str>,
    pods: &'v [String],
    attempts: usize,
    count: u64,
    first_seen: Option<String>,
    last_seen: Option<String>,
}

#[derive(Serialize)]
struct SignOut<'v> {
    rule: &'v str,
    says: &'v str,
    evidence: Vec<Place<'v>>,
}

#[derive(Serialize)]
struct TodoOut<'v> {
    #[serde(rename = "do")]
    what: &'v str,
    #[serde(skip_serializing_if = "Option::is_none")]
    run: Option<&'v str>,
}

#[derive(Serialize)]
struct MissingOut<'v> {
    artefact: &'static str,
    of: &'v str,
    run: &'v str,
    decides: Vec<&'v str>,
    sent: Option<&'v str>,
}

#[derive(Serialize)]
struct RecoveredOut<'v> {
    image: &'v str,
    node: Option<&'v str>,
    symptom: &'static str,
    failed_at: Option<String>,
    pulled_at: Option<String>,
}

fn stamp(time: Option<jiff::Timestamp>) -> Option<String> {
    time.map(|t| t.to_string())
}

fn place<'v>(about: &'v About, source: &'v Source) -> Place<'v> {
    Place { file: about.path(source), line: source.line, excerpt: &source.excerpt }
}

fn places<'v>(about: &'v About, sources: &'v [Source]) -> Vec<Place<'v>> {
    sources.iter().map(|s| place(about, s)).collect()
}

/// The report, with a line end.
pub fn write(verdict: &Verdict) -> String {
    let about = &verdict.about;
    let summary = verdict.summary();
    let report = Report {
        schema: SCHEMA,
        tool: Tool { version: env!("CARGO_PKG_VERSION"), rules: &verdict.rules },
        bundle: Bundle {
            name: &about.name,
            layouts: &about.layouts,
            collected_at: stamp(about.collected_at),
            files: about.met,
            read: about.read,
            bytes: about.bytes,
            unread: about.unread.iter().map(|u| UnreadOut { file: &u.file, why: &u.why }).collect(),
            gaps: &verdict.gaps,
        },
        summary: Summary { failed: summary.failed, explained: summary.explained, undecided: summary.undecided, recovered: summary.recovered },
        findings: verdict.findings.iter().map(|f| finding(about, f)).collect(),
        recovered: verdict
            .recovered
            .iter()
            .map(|r| RecoveredOut {
                image: &r.image,
                node: r.node.as_deref(),
                symptom: r.symptom,
                failed_at: stamp(r.failed_at),
                pulled_at: stamp(r.pulled_at),
            })
            .collect(),
        notes: signs(about, &verdict.notes),
    };
    let mut out = serde_json::to_string_pretty(&report).unwrap_or_default();
    out.push('\n');
    out
}

fn finding<'v>(about: &'v About, f: &'v Finding) -> FindingOut<'v> {
    let stop = &f.stop;
    FindingOut {
        id: &f.id,
        stop: StopOut {
            endpoint: stop.endpoint.map(|e| e.name()),
            host: stop.host.as_deref(),
            address: stop.address.map(|a| a.to_string()),
            port: stop.port,
            resolver: stop.resolver.map(|r| r.to_string()),
            status: stop.status,
            stage: stop.stage.map(|s| s.name()),
            symptom: stop.symptom.name(),
        },
        cause: f.cause.as_deref(),
        title: &f.title,
        certainty: f.certainty.name(),
        why: &f.why,
        ladder: f
            .ladder
            .iter()
            .map(|s| StepOut {
                endpoint: s.endpoint.map(|e| e.name()),
                host: s.host.as_deref(),
                stage: s.stage.name(),
                outcome: s.outcome.name(),
                says: &s.says,
                evidence: places(about, &s.evidence),
            })
            .collect(),
        evidence: f.evidence.iter().flat_map(|l| lines(about, l)).collect(),
        attempts: f
            .attempts
            .iter()
            .map(|t| AttemptOut {
                endpoint: t.attempt.endpoint.map(|e| e.name()),
                host: t.attempt.host.as_deref(),
                stage: t.attempt.stage.map(|s| s.name()),
                symptom: t.attempt.symptom.name(),
                credentials: t.attempt.credentials,
                noise: t.noise,
                at: stamp(t.when.at),
                evidence: places(about, &t.sources),
            })
            .collect(),
        candidates: f
            .candidates
            .iter()
            .map(|c| CandidateOut { cause: &c.cause, title: &c.title, outcome: c.outcome, because: &c.because, missing: c.missing.iter().copied().collect() })
            .collect(),
        pulls: f
            .pulls
            .iter()
            .map(|p| PullOut {
                image: &p.image,
                node: p.node.as_deref(),
                pool: p.pool.as_deref(),
                pods: &p.pods,
                attempts: p.attempts,
                count: p.count,
                first_seen: stamp(p.first_seen),
                last_seen: stamp(p.last_seen),
            })
            .collect(),
        triggers: signs(about, &f.triggers),
        misleading: signs(about, &f.misleading),
        remedy: todos(&f.remedy),
        verify: todos(&f.verify),
        no_help: &f.no_help,
        missing: f
            .missing
            .iter()
            .map(|m| MissingOut {
                artefact: m.artefact,
                of: &m.of,
                run: &m.run,
                decides: m.decides.iter().map(String::as_str).collect(),
                sent: m.sent.as_deref(),
            })
            .collect(),
    }
}

/// A line with one entry for each place that shows it; one without a place where it is unknown.
fn lines<'v>(about: &'v About, line: &'v LineOutcome) -> Vec<LineOut<'v>> {
    let outcome = match line.value {
        Some(true) => "holds",
        Some(false) => "fails",
        None => "unknown",
    };
    if line.evidence.sources.is_empty() {
        return vec![LineOut { says: &line.says, outcome, file: None, line: None, excerpt: None }];
    }
    line.evidence
        .sources
        .iter()
        .map(|s| LineOut { says: &line.says, outcome, file: Some(about.path(s)), line: Some(s.line), excerpt: Some(&s.excerpt) })
        .collect()
}

fn signs<'v>(about: &'v About, signs: &'v [Sign]) -> Vec<SignOut<'v>> {
    signs.iter().map(|s| SignOut { rule: &s.rule, says: &s.says, evidence: places(about, &s.evidence) }).collect()
}

fn todos(todos: &[Todo]) -> Vec<TodoOut<'_>> {
    todos.iter().map(|t| TodoOut { what: &t.what, run: t.run.as_deref() }).collect()
}
