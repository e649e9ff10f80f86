//! What does an expression say of one stop? True, false or unknown, and which facts made it so.
//!
//! A name that is not collected makes its comparison unknown; `&&` and `||` absorb unknowns as CEL absorbs errors.

use std::collections::BTreeSet;

use super::{Comparison, Expression, Method, Predicate};
use crate::facts::{Evidence, Known};
use crate::pull::view::{Asked, Value};

/// A fact that an answer rests on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Used {
    /// Its name.
    pub name: &'static str,
    /// Its value; none where the place was collected and it is not there.
    pub value: Option<Value>,
    /// Where it stands.
    pub evidence: Evidence,
}

/// The answer to a comparison.
#[derive(Debug, Clone, Default)]
pub struct Answer {
    /// True, false, or unknown.
    pub value: Option<bool>,
    /// The facts that decided, for a known answer.
    pub used: Vec<Used>,
    /// Artefacts that would tell, for an unknown one.
    pub missing: BTreeSet<&'static str>,
}

impl Answer {
    fn known(value: bool) -> Answer {
        Answer { value: Some(value), ..Answer::default() }
    }

    fn with(mut self, other: Answer) -> Answer {
        for used in other.used {
            if !self.used.contains(&used) {
                self.used.push(used);
            }
        }
        self.missing.extend(other.missing);
        self
    }
}

/// A part's value, with what it rests on. `Unknown` where something was not collected or does not apply.
enum Part {
    Known(Operand),
    Unknown,
}

#[derive(Clone)]
enum Operand {
    Null,
    Value(Value),
    /// Literals of a list, of any type.
    Items(Vec<Operand>),
}

/// Answers a comparison.
pub fn evaluate(predicate: &Predicate, asked: &Asked<'_>) -> Answer {
    let lookup = |fact: &'static crate::rules::vocabulary::Fact| asked.fact(fact.name, fact.get);
    test(&predicate.root, &lookup, None)
}

type Lookup<'l> = &'l dyn Fn(&'static crate::rules::vocabulary::Fact) -> Known<Value>;

/// The same, over facts from anywhere: for the comparison with the reference implementation.
#[cfg(test)]
pub(crate) fn evaluate_with(predicate: &Predicate, lookup: Lookup<'_>) -> Answer {
    test(&predicate.root, lookup, None)
}

fn test(expression: &Expression, lookup: Lookup<'_>, variable: Option<&str>) -> Answer {
    match expression {
        Expression::And(a, b) => both(test(a, lookup, variable), test(b, lookup, variable), false),
        Expression::Or(a, b) => both(test(a, lookup, variable), test(b, lookup, variable), true),
        Expression::Not(inner) => {
            let answer = test(inner, lookup, variable);
            Answer { value: answer.value.map(|v| !v), ..answer }
        }
        Expression::Compare(comparison, a, b) => {
            let mut answer = Answer::default();
            let (a, b) = (part(a, lookup, variable, &mut answer), part(b, lookup, variable, &mut answer));
            answer.value = match (a, b) {
                (Part::Known(a), Part::Known(b)) => compare(*comparison, &a, &b),
                _ => None,
            };
            answer
        }
        Expression::In(item, list) => {
            let mut answer = Answer::default();
            let (item, list) = (part(item, lookup, variable, &mut answer), part(list, lookup, variable, &mut answer));
            answer.value = match (item, list) {
                (Part::Known(item), Part::Known(Operand::Items(items))) => Some(items.iter().any(|i| equal(i, &item))),
                (Part::Known(Operand::Value(Value::Text(item))), Part::Known(Operand::Value(Value::List(items)))) => Some(items.contains(&item)),
                (Part::Known(_), Part::Known(Operand::Value(Value::List(_)))) => Some(false),
                _ => None,
            };
            answer
        }
        Expression::Method(method, value, argument) => {
            let mut answer = Answer::default();
            let (value, argument) = (part(value, lookup, variable, &mut answer), part(argument, lookup, variable, &mut answer));
            answer.value = match (value, argument) {
                (Part::Known(Operand::Value(Value::Text(value))), Part::Known(Operand::Value(Value::Text(argument)))) => Some(match method {
                    Method::Contains => value.contains(&argument),
                    Method::StartsWith => value.starts_with(&argument),
                    Method::EndsWith => value.ends_with(&argument),
                }),
                _ => None,
            };
            answer
        }
        Expression::Each { all, list, test: body } => {
            let mut answer = Answer::default();
            let Part::Known(Operand::Value(Value::List(items))) = part(list, lookup, variable, &mut answer) else { return answer };
            let mut out = Answer::known(*all).with(answer);
            for item in items {
                out = both(out, test(body, lookup, Some(&item)), !*all);
            }
            out
        }
        other => {
            let mut answer = Answer::default();
            if let Part::Known(Operand::Value(Value::Bool(value))) = part(other, lookup, variable, &mut answer) {
                answer.value = Some(value);
            }
            answer
        }
    }
}

/// `a && b` where `dominant` is false, `a || b` where it is true: the dominant value decides alone, an unknown waits for it.
fn both(a: Answer, b: Answer, dominant: bool) -> Answer {
    match (a.value, b.value) {
        (Some(x), _) if x == dominant => Answer { missing: BTreeSet::new(), ..a },
        (_, Some(y)) if y == dominant => Answer { missing: BTreeSet::new(), ..b },
        (Some(_), Some(_)) => a.with(b),
        _ => Answer { value: None, ..a.with(b) },
    }
}

fn part(expression: &Expression, lookup: Lookup<'_>, variable: Option<&str>, answer: &mut Answer) -> Part {
    match expression {
        Expression::Null => Part::Known(Operand::Null),
        Expression::Bool(b) => Part::Known(Operand::Value(Value::Bool(*b))),
        Expression::Int(i) => Part::Known(Operand::Value(Value::Int(*i))),
        Expression::Text(t) => Part::Known(Operand::Value(Value::Text(t.clone()))),
        Expression::Variable => variable.map_or(Part::Unknown, |v| Part::Known(Operand::Value(Value::Text(v.to_owned())))),
        Expression::List(items) => {
            let items = items.iter().map(|i| match part(i, lookup, variable, answer) {
                Part::Known(operand) => operand,
                Part::Unknown => Operand::Null,
            });
            Part::Known(Operand::Items(items.collect()))
        }
        Expression::Fact(fact) => match lookup(fact) {
            Known::Seen(value, evidence) => {
                answer.used.push(Used { name: fact.name, value: Some(value.clone()), evidence });
                Part::Known(Operand::Value(value))
            }
            Known::Absent(evidence) => {
                answer.used.push(Used { name: fact.name, value: None, evidence });
                Part::Known(Operand::Null)
            }
            Known::NotCollected(artefact) => {
                answer.missing.insert(artefact);
                Part::Unknown
            }
        },
        Expression::Size(inner) => match part(inner, lookup, variable, answer) {
            Part::Known(Operand::Value(Value::Text(text))) => Part::Known(Operand::Value(Value::Int(count(text.chars().count())))),
            Part::Known(Operand::Value(Value::List(list))) => Part::Known(Operand::Value(Value::Int(count(list.len())))),
            Part::Known(Operand::Items(list)) => Part::Known(Operand::Value(Value::Int(count(list.len())))),
            _ => Part::Unknown,
        },
        test_like => {
            let inner = test(test_like, lookup, variable);
            let value = inner.value;
            *answer = std::mem::take(answer).with(inner);
            value.map_or(Part::Unknown, |v| Part::Known(Operand::Value(Value::Bool(v))))
        }
    }
}

fn count(n: usize) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

fn equal(a: &Operand, b: &Operand) -> bool {
    match (a, b) {
        (Operand::Null, Operand::Null) => true,
        (Operand::Value(a), Operand::Value(b)) => a == b,
        (Operand::Items(items), Operand::Value(Value::List(list))) | (Operand::Value(Value::List(list)), Operand::Items(items)) => {
            items.len() == list.len() && items.iter().zip(list).all(|(i, l)| matches!(i, Operand::Value(Value::Text(t)) if t == l))
        }
        (Operand::Items(a), Operand::Items(b)) => a.len() == b.len() && a.iter().zip(b).all(|(x, y)| equal(x, y)),
        _ => false,
    }
}

/// Equality is known between any two; order only between two numbers or two texts, as CEL has it.
fn compare(comparison: Comparison, a: &Operand, b: &Operand) -> Option<bool> {
    match comparison {
        Comparison::Equal => return Some(equal(a, b)),
        Comparison::NotEqual => return Some(!equal(a, b)),
        _ => {}
    }
    let order = match (a, b) {
        (Operand::Value(Value::Int(a)), Operand::Value(Value::Int(b))) => a.cmp(b),
        (Operand::Value(Value::Text(a)), Operand::Value(Value::Text(b))) => a.cmp(b),
        _ => return None,
    };
    Some(match comparison {
        Comparison::Less => order.is_lt(),
        Comparison::LessOrEqual => order.is_le(),
        Comparison::Greater => order.is_gt(),
        _ => order.is_ge(),
    })
}
