//! Does every expression mean what CEL means? Random ones over complete facts, against the `cel` crate.

use cel::{Context, Program};
use proptest::prelude::*;

use super::eval::evaluate_with;
use super::parse;
use crate::facts::{Evidence, Known};
use crate::pull::view::Value;
use crate::rules::vocabulary::{FACTS, Fact, Type};

/// The facts that the random expressions name: two of each type.
fn chosen(kind: Type) -> Vec<&'static Fact> {
    FACTS.iter().filter(|f| f.kind == kind).take(2).collect()
}

fn value(fact: &Fact, seed: i64) -> Value {
    let pick = seed.wrapping_add(fact.name.len() as i64).rem_euclid(4);
    match fact.kind {
        Type::Bool => Value::Bool(pick % 2 == 0),
        Type::Int => Value::Int(pick * 200),
        Type::Text => Value::Text(["None", "a", "registry.corp.example", ""][pick as usize].into()),
        Type::List => Value::List(["a", "b", "None"].iter().take(pick as usize).map(|s| (*s).to_owned()).collect()),
    }
}

fn literal() -> impl Strategy<Value = String> {
    prop_oneof![Just("'a'".to_owned()), Just("'None'".to_owned()), Just("\"corp\"".to_owned()), Just("''".to_owned())]
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![proptest::sample::select(chosen(Type::Text)).prop_map(|f| f.name.to_owned()), literal()]
}

fn number() -> impl Strategy<Value = String> {
    let size = proptest::sample::select(chosen(Type::List)).prop_map(|f| format!("{}.size()", f.name));
    prop_oneof![proptest::sample::select(chosen(Type::Int)).prop_map(|f| f.name.to_owned()), (-3i64..700).prop_map(|n| n.to_string()), size]
}

fn comparison() -> impl Strategy<Value = String> {
    let sign = || proptest::sample::select(vec!["==", "!=", "<", "<=", ">", ">="]);
    let method = proptest::sample::select(vec!["contains", "startsWith", "endsWith"]);
    let list = || proptest::sample::select(chosen(Type::List)).prop_map(|f| f.name.to_owned());
    prop_oneof![
        (text(), sign(), text()).prop_map(|(a, s, b)| format!("{a} {s} {b}")),
        (number(), sign(), number()).prop_map(|(a, s, b)| format!("{a} {s} {b}")),
        proptest::sample::select(chosen(Type::Bool)).prop_map(|f| f.name.to_owned()),
        (text(), proptest::collection::vec(literal(), 0..4)).prop_map(|(t, l)| format!("{t} in [{}]", l.join(", "))),
        (text(), list()).prop_map(|(t, l)| format!("{t} in {l}")),
        (text(), method, text()).prop_map(|(a, m, b)| format!("{a}.{m}({b})")),
        (list(), proptest::bool::ANY, literal()).prop_map(|(l, all, t)| format!("{l}.{}(x, x != {t})", if all { "all" } else { "exists" })),
        text().prop_map(|t| format!("{t} == null")),
    ]
}

fn expression() -> impl Strategy<Value = String> {
    comparison().prop_recursive(3, 8, 2, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("{a} && {b}")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("{a} || {b}")),
            inner.clone().prop_map(|a| format!("!({a})")),
            inner.prop_map(|a| format!("({a})")),
        ]
    })
}

/// CEL's own answer: each dotted name becomes a map of its parts.
fn by_cel(text: &str, seed: i64) -> Option<bool> {
    let mut rooms: std::collections::BTreeMap<&str, std::collections::HashMap<String, cel::Value>> = std::collections::BTreeMap::new();
    for fact in FACTS {
        let (room, name) = fact.name.split_once('.')?;
        let value = match value(fact, seed) {
            Value::Bool(b) => cel::Value::Bool(b),
            Value::Int(i) => cel::Value::Int(i),
            Value::Text(t) => cel::Value::from(t),
            Value::List(l) => cel::Value::from(l.into_iter().map(cel::Value::from).collect::<Vec<_>>()),
        };
        rooms.entry(room).or_default().insert(name.to_owned(), value);
    }
    let mut context = Context::default();
    for (room, parts) in rooms {
        context.add_variable_from_value(room, parts);
    }
    match Program::compile(text).ok()?.execute(&context).ok()? {
        cel::Value::Bool(b) => Some(b),
        _ => None,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn over_complete_facts_it_means_what_cel_means(text in expression(), seed in 0i64..64) {
        let Ok(predicate) = parse(&text) else { return Ok(()) };
        let ours = evaluate_with(&predicate, &|fact| Known::Seen(value(fact, seed), Evidence::default())).value;
        prop_assert_eq!(ours, by_cel(&text, seed), "{}", text);
    }
}

#[test]
fn unknowns_are_absorbed_as_cel_absorbs_errors() {
    let bools = chosen(Type::Bool);
    let (a, b) = (bools[0].name, bools[1].name);
    let answer = |text: &str| {
        evaluate_with(&parse(text).unwrap(), &|fact| {
            if fact.name == a { Known::NotCollected("events") } else { Known::Seen(Value::Bool(true), Evidence::default()) }
        })
    };
    assert_eq!(answer(&format!("{a} || {b}")).value, Some(true));
    assert_eq!(answer(&format!("{a} && !{b}")).value, Some(false));
    assert_eq!(answer(&format!("{a} && {b}")).value, None);
    assert!(answer(a).missing.contains("events"));
    assert!(answer(&format!("{a} || {b}")).missing.is_empty(), "what does not matter is not asked for");
}

#[test]
fn nothing_is_too_deep_or_too_long() {
    for text in ["(".repeat(10_000), "!".repeat(10_000), format!("{}true", "true && ".repeat(60)), "x".repeat(100_000), "[".repeat(500)] {
        assert!(parse(&text).is_err());
    }
}
