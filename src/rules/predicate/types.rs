//! Do the parts of an expression fit together? Checked when a rule is loaded, so that nothing compares what never is equal.

use std::fmt;

use super::{Comparison, Expression};
use crate::rules::vocabulary;

/// The type of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Type {
    Null,
    Bool,
    Int,
    Text,
    List,
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Type::Null => "null",
            Type::Bool => "true or false",
            Type::Int => "a number",
            Type::Text => "a text",
            Type::List => "a list",
        })
    }
}

fn of_fact(kind: vocabulary::Type) -> Type {
    match kind {
        vocabulary::Type::Bool => Type::Bool,
        vocabulary::Type::Int => Type::Int,
        vocabulary::Type::Text => Type::Text,
        vocabulary::Type::List => Type::List,
    }
}

fn want(found: Type, wanted: Type, of: &str) -> Result<(), String> {
    if found == wanted { Ok(()) } else { Err(format!("{of} wants {wanted}, and this is {found}")) }
}

/// The type of an expression, or what does not fit in it.
pub(super) fn of(expression: &Expression) -> Result<Type, String> {
    Ok(match expression {
        Expression::Null => Type::Null,
        Expression::Bool(_) => Type::Bool,
        Expression::Int(_) => Type::Int,
        Expression::Text(_) | Expression::Variable => Type::Text,
        Expression::List(items) => {
            let kinds: Vec<Type> = items.iter().map(of).collect::<Result<_, _>>()?;
            if kinds.windows(2).any(|w| w.first() != w.last()) {
                return Err("the items of a list are of one type".into());
            }
            Type::List
        }
        Expression::Fact(fact) => of_fact(fact.kind),
        Expression::Not(inner) => {
            want(of(inner)?, Type::Bool, "`!`")?;
            Type::Bool
        }
        Expression::And(a, b) | Expression::Or(a, b) => {
            want(of(a)?, Type::Bool, "`&&` and `||`")?;
            want(of(b)?, Type::Bool, "`&&` and `||`")?;
            Type::Bool
        }
        Expression::Compare(comparison, a, b) => {
            let (a, b) = (of(a)?, of(b)?);
            let ordered = !matches!(comparison, Comparison::Equal | Comparison::NotEqual);
            if a != b && (ordered || (a != Type::Null && b != Type::Null)) {
                return Err(format!("{a} is never equal to {b}"));
            }
            if ordered && !matches!(a, Type::Int | Type::Text) {
                return Err(format!("`<` and `>` order numbers and texts, and this is {a}"));
            }
            Type::Bool
        }
        Expression::In(item, list) => {
            let item_kind = of(item)?;
            want(of(list)?, Type::List, "`in`")?;
            let items = if let Expression::List(items) = &**list { items.first().map(of).transpose()? } else { Some(Type::Text) };
            if items.is_some_and(|k| k != item_kind) {
                return Err(format!("{item_kind} is never in a list of such items"));
            }
            Type::Bool
        }
        Expression::Method(_, value, argument) => {
            want(of(value)?, Type::Text, "this method")?;
            want(of(argument)?, Type::Text, "this method")?;
            Type::Bool
        }
        Expression::Size(value) => match of(value)? {
            Type::Text | Type::List => Type::Int,
            other => return Err(format!("`size` wants a text or a list, and this is {other}")),
        },
        Expression::Each { list, test, .. } => {
            want(of(list)?, Type::List, "`exists` and `all`")?;
            want(of(test)?, Type::Bool, "`exists` and `all`")?;
            Type::Bool
        }
    })
}
