//! Is a comparison true of this stop, false, or not to be known? A strict subset of CEL, with a third value and provenance.
//!
//! Whatever is accepted here means what CEL means over complete facts; a property test compares the two. Comparisons, `in`,
//! `&&`, `||`, `!`, literals, fact names, `contains`, `startsWith`, `endsWith`, `size`, one level of `exists` and `all`.
//! Bounded in length and depth, so that no expression can cost much.

mod eval;
mod parse;
mod types;

pub use eval::{Answer, Used, evaluate};
pub use parse::parse;

use super::vocabulary::Fact;

/// A comparison that was parsed and type-checked.
#[derive(Debug, Clone)]
pub struct Predicate {
    pub(super) root: Expression,
}

impl Default for Predicate {
    fn default() -> Self {
        // Shipped rules are checked by tests; a broken one must never decide.
        Predicate { root: Expression::Null }
    }
}

/// What is wrong with an expression, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PredicateError {
    /// Offset in characters.
    pub at: usize,
    /// How many characters are concerned.
    pub length: usize,
    /// What is wrong.
    pub what: String,
}

/// A node of an expression.
#[derive(Debug, Clone)]
pub(super) enum Expression {
    Null,
    Bool(bool),
    Int(i64),
    Text(String),
    List(Vec<Expression>),
    Fact(&'static Fact),
    /// The variable of an `exists` or `all`.
    Variable,
    Not(Box<Expression>),
    And(Box<Expression>, Box<Expression>),
    Or(Box<Expression>, Box<Expression>),
    Compare(Comparison, Box<Expression>, Box<Expression>),
    In(Box<Expression>, Box<Expression>),
    Method(Method, Box<Expression>, Box<Expression>),
    Size(Box<Expression>),
    /// `list.exists(x, test)`, or `all`.
    Each {
        all: bool,
        list: Box<Expression>,
        test: Box<Expression>,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Method {
    Contains,
    StartsWith,
    EndsWith,
}

#[cfg(test)]
mod oracle;
