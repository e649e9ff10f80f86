//! How is an expression written? A nom parser with CEL's own precedence; every fault has its place.

use nom::branch::alt;
use nom::bytes::complete::{tag, take_while, take_while1};
use nom::character::complete::{char, i64 as integer, multispace0};
use nom::combinator::{not, peek, recognize};
use nom::multi::separated_list0;
use nom::sequence::{delimited, pair, preceded, terminated};
use nom::{IResult, Parser};

use super::{Comparison, Expression, Method, Predicate, PredicateError, types};
use crate::rules::{file, vocabulary};

/// The longest expression, in bytes.
const LONGEST: usize = 600;
/// The deepest nesting.
const DEEPEST: usize = 12;

/// Parses and checks an expression.
///
/// # Errors
/// With the place of the fault: a syntax error, an unknown fact with the nearest known name, a type that does not fit.
pub fn parse(text: &str) -> Result<Predicate, PredicateError> {
    if text.len() > LONGEST {
        return Err(PredicateError { at: 0, length: 1, what: format!("longer than {LONGEST} bytes: split it into lines") });
    }
    let context = Context { whole: text, variable: None, depth: 0 };
    match context.or(text) {
        Ok((rest, root)) if rest.trim().is_empty() => {
            let kind = types::of(&root).map_err(|what| PredicateError { at: 0, length: text.chars().count(), what })?;
            if kind != types::Type::Bool {
                return Err(PredicateError { at: 0, length: text.chars().count(), what: format!("a test is true or false, and this is {kind}") });
            }
            Ok(Predicate { root })
        }
        Ok((rest, _)) => Err(context.fault(rest, "not understood from here on")),
        Err(nom::Err::Error(e) | nom::Err::Failure(e)) => Err(context.placed(e.0)),
        Err(nom::Err::Incomplete(_)) => Err(context.fault("", "ends too early")),
    }
}

/// A fault found while parsing; nom carries it to the top.
#[derive(Debug)]
struct Fault(PredicateError);

impl<'a> nom::error::ParseError<&'a str> for Fault {
    fn from_error_kind(rest: &'a str, _: nom::error::ErrorKind) -> Self {
        // The length of the rest gives the place; `Context::fault` counts from the whole.
        Fault(PredicateError { at: usize::MAX - rest.len(), length: 1, what: "not understood".into() })
    }

    fn append(_: &'a str, _: nom::error::ErrorKind, other: Self) -> Self {
        other
    }
}

type Out<'a> = IResult<&'a str, Expression, Fault>;

#[derive(Clone, Copy)]
struct Context<'t> {
    whole: &'t str,
    variable: Option<&'t str>,
    depth: usize,
}

fn word(input: &str) -> IResult<&str, &str, Fault> {
    recognize(pair(take_while1(|c: char| c.is_ascii_alphabetic() || c == '_'), take_while(|c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.')))
        .parse(input)
}

fn space(input: &str) -> IResult<&str, &str, Fault> {
    multispace0.parse(input)
}

impl<'t> Context<'t> {
    fn fault(&self, rest: &str, what: impl Into<String>) -> PredicateError {
        let at = self.whole.len().saturating_sub(rest.len());
        let at = self.whole.get(..at).map_or(0, |t| t.chars().count());
        let length = rest.find(|c: char| c.is_whitespace() || matches!(c, ')' | ',' | '(')).unwrap_or(rest.len()).max(1);
        PredicateError { at, length, what: what.into() }
    }

    /// A fault of nom's own knows only how much text was left.
    fn placed(&self, error: PredicateError) -> PredicateError {
        if error.at <= self.whole.len() {
            return error;
        }
        let left = usize::MAX - error.at;
        let rest = self.whole.get(self.whole.len().saturating_sub(left)..).unwrap_or("");
        self.fault(rest, error.what)
    }

    fn fail<T>(&self, rest: &str, what: impl Into<String>) -> Result<T, nom::Err<Fault>> {
        Err(nom::Err::Failure(Fault(self.fault(rest, what))))
    }

    /// A parse that must succeed from here, whose own failure tells the place.
    fn must<'a, T>(&self, result: IResult<&'a str, T, Fault>, input: &'a str, what: &str) -> IResult<&'a str, T, Fault> {
        match result {
            Err(nom::Err::Error(_)) => self.fail(input, what),
            other => other,
        }
    }

    fn deeper(&self, input: &str) -> Result<Context<'t>, nom::Err<Fault>> {
        if self.depth >= DEEPEST {
            return self.fail(input, format!("nested more than {DEEPEST} deep"));
        }
        Ok(Context { depth: self.depth + 1, ..*self })
    }

    fn or<'a>(&self, input: &'a str) -> Out<'a> {
        self.chain(input, "||", |c, i| c.and(i), Expression::Or)
    }

    fn and<'a>(&self, input: &'a str) -> Out<'a> {
        self.chain(input, "&&", |c, i| c.comparison(i), Expression::And)
    }

    fn chain<'a>(
        &self,
        input: &'a str,
        sign: &str,
        next: impl Fn(&Self, &'a str) -> Out<'a>,
        make: fn(Box<Expression>, Box<Expression>) -> Expression,
    ) -> Out<'a> {
        let (mut rest, mut left) = next(self, input)?;
        let mut links = 0;
        while let Some(after) = rest.trim_start().strip_prefix(sign) {
            links += 1;
            if links > DEEPEST {
                return self.fail(rest, format!("more than {DEEPEST} parts: split it into lines"));
            }
            let (after, right) = self.must(next(self, after), after, "a comparison is missing here")?;
            left = make(Box::new(left), Box::new(right));
            rest = after;
        }
        Ok((rest, left))
    }

    fn comparison<'a>(&self, input: &'a str) -> Out<'a> {
        let (rest, left) = self.unary(input)?;
        let rest = rest.trim_start();
        let signs = [
            ("==", Comparison::Equal),
            ("!=", Comparison::NotEqual),
            ("<=", Comparison::LessOrEqual),
            (">=", Comparison::GreaterOrEqual),
            ("<", Comparison::Less),
            (">", Comparison::Greater),
        ];
        for (sign, comparison) in signs {
            if let Some(after) = rest.strip_prefix(sign) {
                let (after, right) = self.must(self.unary(after), after, "a value is missing here")?;
                return Ok((after, Expression::Compare(comparison, Box::new(left), Box::new(right))));
            }
        }
        if let Some(after) = rest.strip_prefix("in").filter(|a| a.starts_with([' ', '['])) {
            let (after, right) = self.must(self.unary(after), after, "a list is missing here")?;
            return Ok((after, Expression::In(Box::new(left), Box::new(right))));
        }
        if rest.starts_with('=') {
            return self.fail(rest, "`=` compares nothing; write `==`");
        }
        Ok((rest, left))
    }

    fn unary<'a>(&self, input: &'a str) -> Out<'a> {
        let input = input.trim_start();
        let context = self.deeper(input)?;
        if let Some(after) = input.strip_prefix('!').filter(|a| !a.starts_with('=')) {
            let (rest, inner) = context.must(context.unary(after), after, "a test is missing here")?;
            return Ok((rest, Expression::Not(Box::new(inner))));
        }
        let (mut rest, mut value) = context.primary(input)?;
        while let Some(after) = rest.strip_prefix('.') {
            (rest, value) = context.method(value, after)?;
        }
        Ok((rest, value))
    }

    fn primary<'a>(&self, input: &'a str) -> Out<'a> {
        if let Some(after) = input.strip_prefix('(') {
            let (rest, inner) = self.must(self.or(after), after, "a test is missing here")?;
            return self.must(terminated(|i: &'a str| Ok((i, inner.clone())), pair(space, char(')'))).parse(rest), rest, "`)` is missing here");
        }
        if input.starts_with('[') {
            let item = |i: &'a str| self.literal(i.trim_start());
            let list = delimited(char('['), separated_list0(preceded(space, char(',')), item), preceded(space, char(']')));
            return self.must(list.map(Expression::List).parse(input), input, "a list of literals is not closed here");
        }
        if let Ok((rest, literal)) = self.literal(input) {
            return Ok((rest, literal));
        }
        let (rest, name) = word(input)?;
        self.named(input, rest, name)
    }

    /// A fact's name may be followed by a method: the longest known name counts.
    fn named<'a>(&self, input: &'a str, rest: &'a str, name: &'a str) -> Out<'a> {
        if self.variable.is_some_and(|v| name == v || name.strip_prefix(v).is_some_and(|r| r.starts_with('.'))) {
            let length = self.variable.map_or(0, str::len);
            return Ok((input.get(length..).unwrap_or(rest), Expression::Variable));
        }
        let mut candidate = name;
        loop {
            if let Some(fact) = vocabulary::named(candidate) {
                return Ok((input.get(candidate.len()..).unwrap_or(rest), Expression::Fact(fact)));
            }
            match candidate.rsplit_once('.') {
                Some((shorter, _)) => candidate = shorter,
                None => break,
            }
        }
        let called = rest.trim_start().starts_with('(');
        let bare = if called { name.rsplit_once('.').map_or(name, |(fact, _)| fact) } else { name };
        let mut error = self.fault(input, file::unknown(bare, vocabulary::FACTS.iter().map(|f| f.name).collect()));
        error.length = bare.chars().count();
        Err(nom::Err::Failure(Fault(error)))
    }

    fn literal<'a>(&self, input: &'a str) -> Out<'a> {
        let edge = |i| peek(not(take_while1(|c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.'))).parse(i);
        let quoted = |quote: char| delimited(char(quote), take_while(move |c: char| c != quote && c != '\\' && c != '\n'), char(quote));
        alt((
            terminated(tag("true"), edge).map(|_| Expression::Bool(true)),
            terminated(tag("false"), edge).map(|_| Expression::Bool(false)),
            terminated(tag("null"), edge).map(|_| Expression::Null),
            quoted('\'').map(|t: &str| Expression::Text(t.to_owned())),
            quoted('"').map(|t: &str| Expression::Text(t.to_owned())),
            terminated(integer, edge).map(Expression::Int),
        ))
        .parse(input)
    }

    fn method<'a>(&self, value: Expression, input: &'a str) -> Out<'a> {
        let (rest, name) =
            take_while1::<_, _, Fault>(|c: char| c.is_ascii_alphabetic())(input).or_else(|_| self.fail(input, "a method's name is missing here"))?;
        let Some(open) = rest.strip_prefix('(') else { return self.fail(input, format!("`{name}` is neither a fact nor a method")) };
        let close = |rest: &'a str, made: Expression| match rest.trim_start().strip_prefix(')') {
            Some(after) => Ok((after, made)),
            None => self.fail(rest, "`)` is missing here"),
        };
        match name {
            "contains" | "startsWith" | "endsWith" => {
                let method = match name {
                    "contains" => Method::Contains,
                    "startsWith" => Method::StartsWith,
                    _ => Method::EndsWith,
                };
                let (rest, argument) = self.must(self.unary(open), open, "a text is missing here")?;
                close(rest, Expression::Method(method, Box::new(value), Box::new(argument)))
            }
            "size" => close(open, Expression::Size(Box::new(value))),
            "exists" | "all" if self.variable.is_none() => {
                let (rest, variable) = take_while1::<_, _, Fault>(|c: char| c.is_ascii_lowercase())(open.trim_start())
                    .or_else(|_| self.fail(open, "a variable is missing here"))?;
                let Some(body) = rest.trim_start().strip_prefix(',') else { return self.fail(rest, "`,` is missing here") };
                let offset = self.whole.len() - open.trim_start().len();
                let variable = self.whole.get(offset..offset + variable.len());
                let inner = Context { variable, ..*self };
                let (rest, test) = inner.must(inner.or(body), body, "a test is missing here")?;
                close(rest, Expression::Each { all: name == "all", list: Box::new(value), test: Box::new(test) })
            }
            "exists" | "all" => self.fail(input, "`exists` and `all` do not nest"),
            _ => self.fail(input, file::unknown(name, vec!["contains", "startsWith", "endsWith", "size", "exists", "all"])),
        }
    }
}
