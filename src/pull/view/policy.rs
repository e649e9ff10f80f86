//! What does the node's signature policy demand of the image?

use super::{Asked, Value, yes_no};
use crate::facts::{Evidence, Facts, ImagePolicy, Known, PolicyScope};
use crate::message::Reference;

type K = Known<Value>;

/// The requirements that demand a signature.
const SIGNED: [&str; 3] = ["signedBy", "sigstoreSigned", "signedBaseLayer"];

/// The scope that decides: the one that names most of the image, wildcards of hosts behind all names, the default last.
fn scope<'p>(policy: &'p ImagePolicy, image: &Reference) -> Option<&'p PolicyScope> {
    let repository = format!("{}/{}", image.host, image.repository);
    let tagged = image.tag.as_ref().map(|tag| format!("{repository}:{tag}"));
    let fits = |scope: &&PolicyScope| {
        let name = scope.name.as_str();
        let wild = name.strip_prefix('*').is_some_and(|suffix| suffix.starts_with('.') && image.host.ends_with(suffix));
        let below = repository.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        tagged.as_deref() == Some(name) || wild || (below && !name.is_empty())
    };
    let most = policy.scopes.iter().filter(|s| !s.name.is_empty()).filter(fits).max_by_key(|s| (!s.name.starts_with('*'), s.name.len()));
    most.or_else(|| policy.scopes.iter().find(|s| s.name.is_empty()))
}

fn deciding<'a>(a: &Asked<'a>) -> Option<(&'a PolicyScope, bool)> {
    let image = a.pull.reference.as_ref()?;
    Facts::of_node(&a.facts.policies, a.node()).find_map(|(policy, guessed)| Some((scope(&policy.value, image)?, guessed)))
}

/// What it demands.
pub fn demands(a: &Asked<'_>) -> K {
    match deciding(a) {
        Some((scope, guessed)) => Known::Seen(Value::List(scope.requirements.clone()), Evidence::of(&scope.source).guessed(guessed)),
        None => Known::NotCollected("policy-json"),
    }
}

/// Whether it demands a signature, rather than refusing outright: by the error's words, else by the policy itself.
pub fn wants_signature(a: &Asked<'_>) -> K {
    let words = a.attempt();
    let said = words.detail.wants_signature || words.text.contains("rejected by policy");
    let by_words = || yes_no(words.detail.wants_signature, a.by_text());
    let Some((scope, guessed)) = deciding(a) else { return by_words() };
    let wants = scope.requirements.iter().any(|r| SIGNED.contains(&r.as_str())) && !scope.requirements.iter().any(|r| r == "reject");
    // The file may have been changed since: the words are of the pull itself.
    if said && wants != words.detail.wants_signature {
        return by_words();
    }
    yes_no(wants, Evidence::of(&scope.source).guessed(guessed))
}
