//! Do the shipped rules keep their word, and is a broken one told with its place?

use crate::support::{self, Scratch, underpod};

#[test]
fn every_rule_passes_its_own_tests() {
    let run = underpod(&["rules", "check"]);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    assert!(run.out.trim_end().ends_with(" 0 faults"), "{}", run.out);
}

#[test]
fn a_misspelt_fact_is_told_with_line_caret_and_nearest_name() {
    let scratch = Scratch::new("misspelt");
    let text = support::read("rules/connect/no-route-to-registry.yaml").replace("test: endpoint.is_private", "test: endpoint.is_privat");
    let path = scratch.write("connect/no-route-to-registry.yaml", text);
    let run = underpod(&["rules", "check", path.to_str().unwrap()]);
    assert_eq!(run.code, 2);
    let line = support::read("rules/connect/no-route-to-registry.yaml").lines().position(|l| l.contains("test: endpoint.is_private")).unwrap() + 1;
    assert!(
        run.err.contains(&format!("no-route-to-registry.yaml:{line}: `endpoint.is_privat` is not known; did you mean `endpoint.is_private`?")),
        "{}",
        run.err
    );
    assert!(run.err.contains("\n            ^^^^^^^^^^^^^^^^^^"), "{}", run.err);
}

#[test]
fn unknown_symptoms_endpoints_artefacts_and_keys_do_not_load() {
    let scratch = Scratch::new("unknown");
    let good = support::read("rules/connect/no-route-to-registry.yaml");
    for (from, to, says) in [
        ("when: [dial-timeout,", "when: [dial-timeuot,", "did you mean `dial-timeout`"),
        ("at: [registry,", "at: [registri,", "did you mean `registry`"),
        ("{endpoint.host} has", "{endpoint.hots} has", "did you mean `endpoint.host`"),
        ("kind: cause", "kind: cause\nkidn: x", "unknown field `kidn`"),
        ("test: endpoint.is_private", "test: endpoint.host", "a test is true or false, and this is a text"),
        ("test: endpoint.is_private", "test: endpoint.port == 'x'", "a number is never equal to a text"),
        ("test: endpoint.is_private", "test: endpoint.host = 'x'", "`=` compares nothing; write `==`"),
        ("id: connect/", "id: conect/", "did you mean `connect`"),
    ] {
        let path = scratch.write("connect/no-route-to-registry.yaml", good.replacen(from, to, 1));
        let run = underpod(&["explain", "testdata/healthy/bundle", "--rules", path.parent().unwrap().to_str().unwrap()]);
        assert_eq!(run.code, 2, "{to}");
        assert!(run.err.contains(says) && run.err.contains("no-route-to-registry.yaml:"), "{to}: {}", run.err);
    }
}

#[test]
fn show_prints_the_rule_and_what_its_facts_mean() {
    let run = underpod(&["rules", "show", "connect/no-route-to-registry"]);
    assert_eq!(run.code, 0);
    assert!(run.out.contains("#   route.next_hop_type (text): where it leads"), "{}", run.out);
    let run = underpod(&["rules", "show", "connect/no-rout-to-registry"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("did you mean `connect/no-route-to-registry`?"), "{}", run.err);
}

#[test]
fn a_rule_of_the_user_is_asked() {
    let scratch = Scratch::new("own");
    let own = "id: connect/our-firewall\nkind: cause\ntitle: Our firewall\nwhy: It is ours.\nwhen: [dial-timeout]\ndecided_by_text: [dial-timeout]\n";
    scratch.write("rules/connect/our-firewall.yaml", own);
    let bundle = scratch.write(
        "error.txt",
        "Failed to pull image \"r.example/a:1\": failed to do request: Head \"https://r.example/v2/a/manifests/1\": dial tcp 10.1.2.3:443: i/o timeout",
    );
    let run = underpod(&["explain", bundle.to_str().unwrap(), "--format", "json", "--rules", scratch.path().join("rules").to_str().unwrap()]);
    assert_eq!(run.json()["findings"][0]["cause"], "connect/our-firewall", "{}", run.out);
    assert_eq!(run.code, 1);
}

/// "A timeout makes credentials irrelevant" holds by construction: no cause is asked on a symptom that stops before its stage.
#[test]
fn no_cause_lies_behind_the_stop() {
    use underpod::message::Symptom;
    let rules = underpod::rules::Rules::shipped().unwrap();
    for rule in rules.all() {
        let Some(stage) = rule.stage().filter(|_| !rule.is_of_a_mirror()) else { continue };
        for symptom in rule.when.iter().filter_map(|s| Symptom::named(s)) {
            assert!(stage <= symptom.span().1, "{} is asked on {}, which stops before its stage", rule.id, symptom.name());
        }
    }
}
