//! The tree of a filter, as it stands in the text.

use std::fmt;

/// A part of a filter.
pub type Node = crate::syntax::Node<Kind>;

/// What a part of a filter says.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// `NULL`.
    Null,
    /// `TRUE` or `FALSE`.
    Boolean(bool),
    /// A whole number with its sign.
    Integer(i64),
    /// A number with a point or an exponent, with its sign.
    Float(f64),
    /// `'…'` or `"…"`; the flag: in double quotes, where other dialects of SQL put a column.
    Text(String, Quotes),
    /// `$param.NAME`.
    Parameter(String),
    /// The name of a column, with its dots.
    Column(String),
    /// `[…]`.
    List(Vec<Node>),
    /// `NOT …`.
    Not(Box<Node>),
    /// Two or more terms joined by `AND`.
    And(Vec<Node>),
    /// Two or more terms joined by `OR`.
    Or(Vec<Node>),
    /// A comparison.
    Compare(Compare, Box<Node>, Box<Node>),
    /// `… IS [NOT] …`.
    Is {
        /// What is asked about.
        value: Box<Node>,
        /// What it might be.
        what: Is,
        /// `IS NOT`.
        negated: bool,
    },
    /// `… [NOT] IN (…)`.
    In {
        /// What is looked for.
        value: Box<Node>,
        /// Where: the entries, or one parameter that is a list.
        list: Vec<Node>,
        /// `NOT IN`.
        negated: bool,
    },
    /// `… [NOT] BETWEEN … AND …`.
    Between {
        /// The value.
        value: Box<Node>,
        /// The least value that is between.
        low: Box<Node>,
        /// The greatest value that is between.
        high: Box<Node>,
        /// `NOT BETWEEN`.
        negated: bool,
    },
    /// `… [NOT] LIKE …`.
    Like {
        /// The text.
        value: Box<Node>,
        /// `%`: any characters, `_`: one.
        pattern: Box<Node>,
        /// The character that makes the next one of the pattern stand for itself.
        escape: Option<char>,
        /// `NOT LIKE`.
        negated: bool,
    },
    /// Arithmetic from left to right: a first value and what is done to it.
    Chain(Box<Node>, Vec<(Operator, Node)>),
    /// A minus sign before something that is not a number.
    Negate(Box<Node>),
    /// `CAST(… AS …)`.
    Cast(Box<Node>, Cast),
    /// A call.
    Call(Function, Vec<Node>),
}

/// The quotes of a text.
#[derive(Debug, Clone, Copy, Eq)]
pub enum Quotes {
    /// `'…'`.
    Single,
    /// `"…"`.
    Double,
}

impl PartialEq for Quotes {
    /// The quotes make no difference to what a text says.
    fn eq(&self, _: &Self) -> bool {
        true
    }
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
}

impl Compare {
    pub(crate) fn symbol(self) -> &'static str {
        match self {
            Self::Equal => "=",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
        }
    }
}

/// What `IS` may ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Is {
    Null,
    True,
    False,
}

/// An arithmetic operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`: always a number with a fraction.
    Divide,
    /// `%`: the rest has the sign of the first number.
    Remainder,
}

impl Operator {
    pub(crate) fn symbol(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Remainder => "%",
        }
    }
}

/// A type that a value can be cast to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cast {
    /// `BOOLEAN`, `BOOL`.
    Boolean,
    /// `SMALLINT`: whole numbers of 16 bits.
    SmallInt,
    /// `INTEGER`, `INT`: whole numbers of 32 bits.
    Integer,
    /// `BIGINT`: whole numbers of 64 bits.
    BigInt,
    /// `DOUBLE`, `FLOAT`, `REAL`: numbers of 64 bits.
    Double,
    /// `VARCHAR`, `TEXT`, `STRING`.
    Varchar,
    /// `TIMESTAMP`.
    Timestamp,
    /// `DATE`: the midnight before.
    Date,
}

impl Cast {
    /// Every spelling, in the order of a documentation.
    pub const NAMES: [(&'static str, Self); 15] = [
        ("BOOLEAN", Self::Boolean),
        ("BOOL", Self::Boolean),
        ("SMALLINT", Self::SmallInt),
        ("INTEGER", Self::Integer),
        ("INT", Self::Integer),
        ("BIGINT", Self::BigInt),
        ("DOUBLE", Self::Double),
        ("FLOAT", Self::Double),
        ("REAL", Self::Double),
        ("VARCHAR", Self::Varchar),
        ("TEXT", Self::Varchar),
        ("STRING", Self::Varchar),
        ("TIMESTAMP", Self::Timestamp),
        ("DATETIME", Self::Timestamp),
        ("DATE", Self::Date),
    ];

    fn name(self) -> &'static str {
        Self::NAMES
            .iter()
            .find(|(_, cast)| *cast == self)
            .map_or("", |(name, _)| name)
    }
}

/// A function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Function {
    /// `regexp_match(text, pattern)`: the pattern matches somewhere in the text.
    RegexpMatch,
    /// `array_has(list, value)`.
    ArrayHas,
    /// `array_has_any(list, list)`: they share a value.
    ArrayHasAny,
    /// `array_has_all(list, list)`: the first has every value of the second.
    ArrayHasAll,
}

impl Function {
    /// Every function with its arguments and what it tells, in the order of a documentation.
    pub const ALL: [(&'static str, Self, &'static str, &'static str); 4] = [
        (
            "regexp_match",
            Self::RegexpMatch,
            "text, pattern",
            "the pattern matches somewhere in the text",
        ),
        (
            "array_has",
            Self::ArrayHas,
            "list, value",
            "the list has the value",
        ),
        (
            "array_has_any",
            Self::ArrayHasAny,
            "list, list",
            "the lists share a value",
        ),
        (
            "array_has_all",
            Self::ArrayHasAll,
            "list, list",
            "the first list has every value of the second",
        ),
    ];

    pub(crate) fn name(self) -> &'static str {
        Self::ALL
            .iter()
            .find(|(_, function, ..)| *function == self)
            .map_or("", |(name, ..)| name)
    }
}

/// Words that are not columns unless they stand in backticks.
pub(crate) const KEYWORDS: [&str; 12] = [
    "AND", "OR", "NOT", "IS", "NULL", "TRUE", "FALSE", "IN", "BETWEEN", "LIKE", "CAST", "ESCAPE",
];

pub(crate) fn is_keyword(word: &str) -> bool {
    KEYWORDS.iter().any(|keyword| keyword.eq_ignore_ascii_case(word))
}

pub(crate) fn starts_name(character: char) -> bool {
    character.is_alphabetic() || character == '_'
}

pub(crate) fn continues_name(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// The same filter in one canonical form, with brackets around everything that has parts.
impl fmt::Display for Node {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Null => formatter.write_str("NULL"),
            Kind::Boolean(true) => formatter.write_str("TRUE"),
            Kind::Boolean(false) => formatter.write_str("FALSE"),
            Kind::Integer(number) => write!(formatter, "{number}"),
            Kind::Float(number) => write!(formatter, "{number:?}"),
            Kind::Text(text, _) => write!(formatter, "'{}'", text.replace('\'', "''")),
            Kind::Parameter(name) => write!(formatter, "$param.{name}"),
            Kind::Column(name) => print_name(name, formatter),
            Kind::List(entries) => {
                formatter.write_str("[")?;
                print_list(entries, formatter)?;
                formatter.write_str("]")
            }
            Kind::Not(node) => write!(formatter, "NOT {}", Operand(node)),
            Kind::And(terms) => print_joined(terms, " AND ", formatter),
            Kind::Or(terms) => print_joined(terms, " OR ", formatter),
            Kind::Compare(compare, left, right) => write!(
                formatter,
                "{} {} {}",
                Operand(left),
                compare.symbol(),
                Operand(right)
            ),
            Kind::Is { value, what, negated } => write!(
                formatter,
                "{} IS {}{}",
                Operand(value),
                not(*negated),
                match what {
                    Is::Null => "NULL",
                    Is::True => "TRUE",
                    Is::False => "FALSE",
                }
            ),
            Kind::In { value, list, negated } => {
                write!(formatter, "{} {}IN (", Operand(value), not(*negated))?;
                print_list(list, formatter)?;
                formatter.write_str(")")
            }
            Kind::Between {
                value,
                low,
                high,
                negated,
            } => write!(
                formatter,
                "{} {}BETWEEN {} AND {}",
                Operand(value),
                not(*negated),
                Operand(low),
                Operand(high)
            ),
            Kind::Like {
                value,
                pattern,
                escape,
                negated,
            } => {
                write!(
                    formatter,
                    "{} {}LIKE {}",
                    Operand(value),
                    not(*negated),
                    Operand(pattern)
                )?;
                match escape {
                    Some('\'') => formatter.write_str(" ESCAPE ''''"),
                    Some(escape) => write!(formatter, " ESCAPE '{escape}'"),
                    None => Ok(()),
                }
            }
            Kind::Chain(first, rest) => {
                write!(formatter, "{}", Operand(first))?;
                rest.iter().try_for_each(|(operator, node)| {
                    write!(formatter, " {} {}", operator.symbol(), Operand(node))
                })
            }
            // Always in brackets: two minus signs in a row would begin a comment.
            Kind::Negate(node) => write!(formatter, "-({node})"),
            Kind::Cast(node, cast) => write!(formatter, "CAST({node} AS {})", cast.name()),
            Kind::Call(function, arguments) => {
                write!(formatter, "{}(", function.name())?;
                print_list(arguments, formatter)?;
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
            Kind::Not(_)
            | Kind::And(_)
            | Kind::Or(_)
            | Kind::Compare(..)
            | Kind::Is { .. }
            | Kind::In { .. }
            | Kind::Between { .. }
            | Kind::Like { .. }
            | Kind::Chain(..)
            | Kind::Negate(_) => write!(formatter, "({})", self.0),
            _ => write!(formatter, "{}", self.0),
        }
    }
}

fn not(negated: bool) -> &'static str {
    if negated { "NOT " } else { "" }
}

fn print_list(nodes: &[Node], formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    for (index, node) in nodes.iter().enumerate() {
        if index > 0 {
            formatter.write_str(", ")?;
        }
        write!(formatter, "{node}")?;
    }
    Ok(())
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

fn print_name(name: &str, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    let plain = name.split('.').all(|part| {
        part.chars().next().is_some_and(starts_name) && part.chars().all(continues_name) && !is_keyword(part)
    });
    if plain {
        formatter.write_str(name)
    } else {
        write!(formatter, "`{}`", name.replace('`', "``"))
    }
}
