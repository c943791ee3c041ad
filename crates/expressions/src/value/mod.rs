//! Value models: what a candidate is worth, in Python's words.
//!
//! ```text
//! ctr if user.age_days > 30 else 0.2 * ctr + 0.8 / (10 + retrieval.get_rank('new'))
//! ```
//!
//! | | |
//! |---|---|
//! | values | numbers as Python writes them, `'text'`, `"text"`, `True`, `False`, lists `[1, 2]`, `$param.NAME`, [`CONSTANTS`] |
//! | names | policies (their score), `item.x`, `user.x` |
//! | operators | `+` `-` `*` `/` `//` `%` `**`, `==` `!=` `<` `<=` `>` `>=` `in` `not in`, also chained, `and` `or` `not`, `a if test else b` |
//! | functions | [`FUNCTIONS`] |
//!
//! Numbers behave as in Python: `/` keeps fractions, `//` rounds down, the rest of `%` has the sign of the divisor,
//! `**` groups from the right and binds tighter than a sign before it, `and` and `or` answer with an operand, and
//! what is not needed is not computed. Whole numbers are exact up to 64 bits and become floats beyond.
//!
//! A NULL or non-finite input counts as 0 (`False`, `''`, an empty list), a timestamp as its seconds since 1970. Where
//! Python would raise an error (a division by zero, the logarithm of 0), and where the result is not finite, the value
//! is 0. Both are counted: [`Scores::warnings`].

use std::cell::RefCell;
use std::fmt;

use serde_json::{Map, Value};

use crate::data::{Column, Type};
use crate::error::{Error, ErrorKind, Fuel, Limits, Place};

mod bind;
mod functions;
mod lex;
mod parse;
mod plan;
mod tree;

pub use functions::{CONSTANTS, FUNCTIONS, FunctionSpec};
pub use tree::{Compare, Kind, Node, Operator};

/// A value model whose grammar is right; it knows nothing of names yet.
///
/// Displayed in one canonical form that parses to an equal tree.
#[derive(Debug, Clone, PartialEq)]
pub struct Parsed {
    root: Node,
    limits: Limits,
}

/// Parses a value model.
///
/// # Errors
/// What does not follow the grammar, and what the limits forbid.
pub fn parse(text: &str, limits: &Limits) -> Result<Parsed, Error> {
    let root = parse::parse(text, limits)?;
    Ok(Parsed {
        root,
        limits: *limits,
    })
}

impl Parsed {
    /// The tree.
    pub fn root(&self) -> &Node {
        &self.root
    }

    /// The names of the parameters that it wants, each once, in the order of their appearance.
    pub fn parameters(&self) -> Vec<String> {
        let mut names = Vec::new();
        self.root.visit(&mut |node| {
            if let Kind::Parameter(name) = &node.kind
                && !names.contains(name)
            {
                names.push(name.clone());
            }
        });
        names
    }

    /// Gives the names and the parameters their meaning.
    ///
    /// # Errors
    /// Unknown names, functions, steps, embeddings and parameters, and wrong types. Each with its place.
    pub fn bind(&self, names: &Names, parameters: &Map<String, Value>) -> Result<Model, Error> {
        let mut binder = bind::Binder {
            names,
            parameters,
            limits: &self.limits,
            inputs: Vec::new(),
        };
        let plan = binder.score(&self.root)?;
        Ok(Model {
            plan,
            inputs: binder.inputs,
            limits: self.limits,
        })
    }
}

impl fmt::Display for Parsed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.root.fmt(formatter)
    }
}

impl Node {
    fn visit(&self, look: &mut impl FnMut(&Self)) {
        look(self);
        match &self.kind {
            Kind::List(nodes) | Kind::Or(nodes) | Kind::And(nodes) => {
                nodes.iter().for_each(|node| node.visit(look));
            }
            Kind::Not(node) | Kind::Negate(node) | Kind::Plus(node) => node.visit(look),
            Kind::Compare(first, rest) => {
                first.visit(look);
                rest.iter().for_each(|(_, node)| node.visit(look));
            }
            Kind::Condition {
                then,
                test,
                otherwise,
            } => {
                then.visit(look);
                test.visit(look);
                otherwise.visit(look);
            }
            Kind::Chain(first, rest) => {
                first.visit(look);
                rest.iter().for_each(|(_, node)| node.visit(look));
            }
            Kind::Power(base, exponent) => {
                base.visit(look);
                exponent.visit(look);
            }
            Kind::Call(_, arguments) => arguments.iter().for_each(|(_, node)| node.visit(look)),
            Kind::Boolean(_)
            | Kind::Integer(_)
            | Kind::Float(_)
            | Kind::Text(_)
            | Kind::Parameter(_)
            | Kind::Name(_) => {}
        }
    }
}

/// What a value model may name.
#[derive(Debug, Clone, Default)]
pub struct Names {
    /// The model's policies.
    pub policies: Vec<String>,
    /// The columns behind `item.`, derived ones too.
    pub item: Vec<(String, Type)>,
    /// The columns behind `user.`; `recent_interactions` is a list of texts.
    pub user: Vec<(String, Type)>,
    /// The names of the query's retrieve steps.
    pub retrieve_steps: Vec<String>,
    /// The names of the model's embeddings.
    pub embeddings: Vec<String>,
}

/// Something that an evaluation reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// The scores of a policy. NaN where it has no opinion.
    Policy(String),
    /// A column of the items.
    Item(String),
    /// A column of the user: [`Column::at_one_row`].
    User(String),
    /// The scores of a retrieve step. NULL where it did not find the candidate.
    RetrievalScore(String),
    /// The ranks of a retrieve step, 1 for the first. NULL where it did not find the candidate.
    RetrievalRank(String),
    /// The vectors of the items' or the user's texts.
    TextEncoding {
        /// Whose text.
        of: Entity,
        /// In which embedding.
        embedding_ref: String,
    },
    /// One vector for the items that a column names.
    PooledTextEncoding {
        /// The column: [`Input::User`] or [`Input::Item`].
        of: Box<Input>,
        /// How the vectors become one.
        pooling: Pooling,
        /// In which embedding.
        embedding_ref: String,
    },
}

/// Whose text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Entity {
    Item,
    User,
}

/// How several vectors become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pooling {
    /// Their average.
    Mean,
    /// The largest number in each dimension.
    Max,
}

/// An input that a value model reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoundInput {
    /// What to read.
    pub input: Input,
    /// The type of the column that an evaluation wants.
    pub input_type: Type,
    /// Where the text names it first.
    pub place: Place,
}

impl BoundInput {
    /// As the text names it.
    pub fn name(&self) -> String {
        name(&self.input)
    }
}

fn name(input: &Input) -> String {
    match input {
        Input::Policy(policy) => policy.clone(),
        Input::Item(column) => format!("item.{column}"),
        Input::User(column) => format!("user.{column}"),
        Input::RetrievalScore(step) => format!("retrieval.get_score('{step}')"),
        Input::RetrievalRank(step) => format!("retrieval.get_rank('{step}')"),
        Input::TextEncoding { of, embedding_ref } => {
            let of = match of {
                Entity::Item => "item",
                Entity::User => "user",
            };
            format!("text_encoding({of}, embedding_ref='{embedding_ref}')")
        }
        Input::PooledTextEncoding {
            of, embedding_ref, ..
        } => {
            format!(
                "pooled_text_encoding({}, embedding_ref='{embedding_ref}')",
                name(of)
            )
        }
    }
}

/// A value model that can run, any number of times and from any thread.
#[derive(Debug, Clone)]
pub struct Model {
    plan: plan::Plan,
    inputs: Vec<BoundInput>,
    limits: Limits,
}

/// What the candidates are worth.
#[derive(Debug, Clone, PartialEq)]
pub struct Scores {
    /// One finite number per candidate.
    pub values: Vec<f64>,
    /// What had to be replaced by 0 on the way.
    pub warnings: Vec<Warning>,
}

/// Something that had to be replaced by 0, for how many candidates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// Why.
    pub kind: WarningKind,
    /// Where in the text.
    pub place: Place,
    /// The input, or what went wrong.
    pub what: String,
    /// For how many candidates.
    pub count: usize,
}

/// Why something had to be replaced by 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum WarningKind {
    /// An input was NULL.
    Null,
    /// An input or the result was infinite or not a number.
    NotFinite,
    /// A division by zero: the whole value is 0.
    Division,
    /// An argument outside of a function's domain: the whole value is 0.
    Domain,
    /// A result that is too large: the whole value is 0.
    Overflow,
}

impl fmt::Display for Warning {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, count, .. } = self;
        let candidates = if *count == 1 { "candidate" } else { "candidates" };
        match self.kind {
            WarningKind::Null => write!(
                formatter,
                "{what} is NULL for {count} {candidates} and counts as 0 there"
            ),
            WarningKind::NotFinite => {
                write!(
                    formatter,
                    "{what} is not finite for {count} {candidates} and counts as 0 there"
                )
            }
            _ => write!(
                formatter,
                "{what} at byte {}: the value of {count} {candidates} is 0",
                self.place.offset
            ),
        }
    }
}

impl Model {
    /// What an evaluation reads, in this order.
    pub fn inputs(&self) -> &[BoundInput] {
        &self.inputs
    }

    /// What each candidate is worth, at a time in seconds since 1970.
    ///
    /// # Errors
    /// [`ErrorKind::TooMuchWork`] when the limits' work is used up; [`ErrorKind::Data`] when `columns` are not what
    /// [`Model::inputs`] asks for.
    pub fn evaluate(
        &self,
        columns: &[Column<'_>],
        candidates: usize,
        now_seconds: f64,
    ) -> Result<Scores, Error> {
        if columns.len() != self.inputs.len() || u32::try_from(candidates).is_err() {
            let message = format!(
                "the value model reads {} columns and got {}",
                self.inputs.len(),
                columns.len()
            );
            return Err(Error::new(ErrorKind::Data, self.plan.place, message));
        }
        for (column, input) in columns.iter().zip(&self.inputs) {
            if let Some(problem) = column.problem(input.input_type, candidates) {
                let message = format!("'{}' {problem}", input.name());
                return Err(Error::new(ErrorKind::Data, input.place, message));
            }
        }
        let fuel = Fuel::new(&self.limits, candidates);
        let warnings = RefCell::new(Vec::new());
        let mut values = Vec::with_capacity(candidates);
        for start in (0..candidates).step_by(plan::BATCH) {
            let len = plan::BATCH.min(candidates - start);
            let evaluator =
                plan::Evaluator::new(&self.inputs, columns, start, len, now_seconds, &fuel, &warnings)?;
            evaluator.scores(&self.plan, len, &mut values)?;
        }
        Ok(Scores {
            values,
            warnings: warnings.into_inner(),
        })
    }
}
