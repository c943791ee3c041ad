//! The tree of a value model, as it stands in the text.

use std::fmt;

/// A part of a value model.
pub type Node = crate::syntax::Node<Kind>;

/// What a part of a value model says.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// `True` or `False`.
    Boolean(bool),
    /// A whole number.
    Integer(i64),
    /// Any other number.
    Float(f64),
    /// `'…'` or `"…"`.
    Text(String),
    /// `$param.NAME`.
    Parameter(String),
    /// A name with its points.
    Name(String),
    /// `[…]`, or several values in round brackets.
    List(Vec<Node>),
    /// `… or …`, two or more.
    Or(Vec<Node>),
    /// `… and …`, two or more.
    And(Vec<Node>),
    /// `not …`.
    Not(Box<Node>),
    /// Comparisons in a row: each neighbour with the next.
    Compare(Box<Node>, Vec<(Compare, Node)>),
    /// `then if test else otherwise`.
    Condition {
        /// The value where the test holds.
        then: Box<Node>,
        /// What is tested.
        test: Box<Node>,
        /// The value where it does not.
        otherwise: Box<Node>,
    },
    /// Arithmetic from left to right.
    Chain(Box<Node>, Vec<(Operator, Node)>),
    /// `base ** exponent`.
    Power(Box<Node>, Box<Node>),
    /// `-…`.
    Negate(Box<Node>),
    /// `+…`.
    Plus(Box<Node>),
    /// A call, its arguments with their names if they have one.
    Call(String, Vec<(Option<String>, Node)>),
}

/// A comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Compare {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    In,
    NotIn,
}

impl Compare {
    pub(crate) fn symbol(self) -> &'static str {
        match self {
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
            Self::In => "in",
            Self::NotIn => "not in",
        }
    }
}

/// An arithmetic operator that works from left to right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    FloorDivide,
    Remainder,
}

impl Operator {
    pub(crate) fn symbol(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::FloorDivide => "//",
            Self::Remainder => "%",
        }
    }
}

/// The same value model in one canonical form, with brackets around everything that has parts.
impl fmt::Display for Node {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Boolean(true) => formatter.write_str("True"),
            Kind::Boolean(false) => formatter.write_str("False"),
            Kind::Integer(number) => write!(formatter, "{number}"),
            Kind::Float(number) => write!(formatter, "{number:?}"),
            Kind::Text(text) => print_text(text, formatter),
            Kind::Parameter(name) => write!(formatter, "$param.{name}"),
            Kind::Name(name) => formatter.write_str(name),
            Kind::List(entries) => {
                formatter.write_str("[")?;
                for (index, entry) in entries.iter().enumerate() {
                    write!(formatter, "{}{entry}", comma(index))?;
                }
                formatter.write_str("]")
            }
            Kind::Or(terms) => print_joined(terms, " or ", formatter),
            Kind::And(terms) => print_joined(terms, " and ", formatter),
            Kind::Not(node) => write!(formatter, "not {}", Operand(node)),
            Kind::Compare(first, rest) => {
                write!(formatter, "{}", Operand(first))?;
                rest.iter().try_for_each(|(compare, node)| {
                    write!(formatter, " {} {}", compare.symbol(), Operand(node))
                })
            }
            Kind::Condition {
                then,
                test,
                otherwise,
            } => write!(
                formatter,
                "{} if {} else {}",
                Operand(then),
                Operand(test),
                Operand(otherwise)
            ),
            Kind::Chain(first, rest) => {
                write!(formatter, "{}", Operand(first))?;
                rest.iter().try_for_each(|(operator, node)| {
                    write!(formatter, " {} {}", operator.symbol(), Operand(node))
                })
            }
            Kind::Power(base, exponent) => write!(formatter, "{} ** {}", Operand(base), Operand(exponent)),
            Kind::Negate(node) => write!(formatter, "-{}", Operand(node)),
            Kind::Plus(node) => write!(formatter, "+{}", Operand(node)),
            Kind::Call(name, arguments) => {
                write!(formatter, "{name}(")?;
                for (index, (keyword, argument)) in arguments.iter().enumerate() {
                    match keyword {
                        Some(keyword) => write!(formatter, "{}{keyword}={argument}", comma(index))?,
                        None => write!(formatter, "{}{argument}", comma(index))?,
                    }
                }
                formatter.write_str(")")
            }
        }
    }
}

/// In brackets if it has parts.
struct Operand<'n>(&'n Node);

impl fmt::Display for Operand<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.kind {
            Kind::Or(_)
            | Kind::And(_)
            | Kind::Not(_)
            | Kind::Compare(..)
            | Kind::Condition { .. }
            | Kind::Chain(..)
            | Kind::Power(..)
            | Kind::Negate(_)
            | Kind::Plus(_) => write!(formatter, "({})", self.0),
            _ => write!(formatter, "{}", self.0),
        }
    }
}

fn comma(index: usize) -> &'static str {
    if index > 0 { ", " } else { "" }
}

fn print_joined(terms: &[Node], joint: &str, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    for (index, term) in terms.iter().enumerate() {
        if index > 0 {
            formatter.write_str(joint)?;
        }
        write!(formatter, "{}", Operand(term))?;
    }
    Ok(())
}

fn print_text(text: &str, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    formatter.write_str("'")?;
    for character in text.chars() {
        match character {
            '\'' => formatter.write_str("\\'")?,
            '\\' => formatter.write_str("\\\\")?,
            '\n' => formatter.write_str("\\n")?,
            '\r' => formatter.write_str("\\r")?,
            '\t' => formatter.write_str("\\t")?,
            character if character.is_ascii_control() => {
                write!(formatter, "\\x{:02x}", u32::from(character))?;
            }
            character => write!(formatter, "{character}")?,
        }
    }
    formatter.write_str("'")
}
