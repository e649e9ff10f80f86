//! How many attempts does one text hold? A list of the kubelet's, one element a credential; a list of CRI-O's, one a mirror.

use super::Reference;

/// The text of one attempt.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) text: String,
    /// The list says that a mirror was asked.
    pub(super) mirror: bool,
}

/// What an element of the kubelet's list begins with. `, ` also stands inside lists of names and scopes.
const HEADS: [&str; 13] = [
    "rpc error: code",
    "failed to pull",
    "initializing source",
    "unable to pull",
    "RegistryUnavailable",
    "SignatureValidationFailed",
    "Error response from daemon",
    "copying ",
    "pinging ",
    "image verifier",
    "reading manifest",
    "pull access denied",
    "failed to resolve",
];

/// The attempts of a text, in order.
pub(super) fn attempts(text: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    for element in elements(text) {
        mirrors(&element, &mut parts);
    }
    parts
}

/// Splits `...: [a, b]`; anything else is one element. What stands in front goes with the first.
fn elements(text: &str) -> Vec<String> {
    let opened = HEADS.iter().filter_map(|head| text.find(&format!("[{head}"))).min();
    let Some(open) = opened else { return vec![text.to_owned()] };
    // `Mirrors also failed: [` opens a list of another kind.
    if text.get(..open).is_some_and(|before| before.ends_with("Mirrors also failed: ")) {
        return vec![text.to_owned()];
    }
    let body = text.get(open + 1..).unwrap_or("");
    let mut cuts: Vec<usize> =
        body.match_indices(", ").map(|(at, _)| at).filter(|at| body.get(at + 2..).is_some_and(|after| HEADS.iter().any(|h| after.starts_with(h)))).collect();
    cuts.push(body.trim_end().trim_end_matches(']').len());
    let mut out = Vec::new();
    let mut from = 0;
    for cut in cuts {
        if let Some(element) = body.get(from..cut).filter(|e| !e.trim().is_empty()) {
            out.push(element.to_owned());
        }
        from = cut + 2;
    }
    if out.is_empty() { vec![text.to_owned()] } else { out }
}

/// CRI-O: `(Mirrors also failed: [m1: e1]\n[m2: e2]): registry/ref: e3`, the mirrors in the order asked.
fn mirrors(text: &str, out: &mut Vec<Part>) {
    let mark = "(Mirrors also failed: ";
    let Some((_, list)) = text.split_once(mark) else {
        out.push(Part { text: text.to_owned(), mirror: false });
        return;
    };
    let (list, fallback) = list.split_once("]): ").unwrap_or((list, ""));
    for mirror in list.split("]\n[").flat_map(|m| m.split("] [")) {
        let mirror = mirror.trim_start_matches('[').trim_end_matches(']');
        if !mirror.trim().is_empty() {
            out.push(Part { text: mirror.to_owned(), mirror: true });
        }
    }
    if !fallback.trim().is_empty() {
        out.push(Part { text: fallback.to_owned(), mirror: false });
    }
}

/// The host of the mirror that an element of the list opens with: `mirror.example/app:1: reading manifest ...`
pub(super) fn mirror_of(element: &str) -> Option<String> {
    let reference = Reference::parse(element.split_once(": ")?.0.trim())?;
    Some(reference.bare_host().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        attempts(text).into_iter().map(|p| p.text).collect()
    }

    #[test]
    fn the_kubelets_list_splits_at_known_heads_only() {
        let list =
            r#"Failed to pull image "a": [rpc error: code = Unknown desc = x509: certificate is valid for a, b, not c, rpc error: code = Unknown desc = EOF]"#;
        assert_eq!(texts(list), ["rpc error: code = Unknown desc = x509: certificate is valid for a, b, not c", "rpc error: code = Unknown desc = EOF"]);
    }

    #[test]
    fn a_cut_list_keeps_its_first_elements() {
        assert_eq!(texts("[rpc error: code = A desc = x, rpc error: co"), ["rpc error: code = A desc = x, rpc error: co"]);
        assert_eq!(texts("[rpc error: code = A desc = x, rpc error: code = B"), ["rpc error: code = A desc = x", "rpc error: code = B"]);
    }

    #[test]
    fn mirrors_come_before_the_registry() {
        let text = "initializing source docker://r/a:1: (Mirrors also failed: [m1/a:1: EOF]\n[m2/a:1: EOF]): r/a:1: reading manifest 1 in r/a: denied";
        let parts = attempts(text);
        assert_eq!(parts.iter().map(|p| p.mirror).collect::<Vec<_>>(), [true, true, false]);
    }
}
