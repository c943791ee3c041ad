//! Filters: a condition in SQL's words that each candidate must meet.
//!
//! ```text
//! price < 40 AND array_has_any(tags, ['linen', 'cotton']) AND created_at >= '2026-01-01'
//! ```
//!
//! | | |
//! |---|---|
//! | values | numbers, `'text'` and `"text"`, `TRUE`, `FALSE`, `NULL`, lists `[1, 2]`, `$param.NAME`, `DATE '…'`, `TIMESTAMP '…'` |
//! | columns | bare with dots (`note.email`); in backticks with other signs, or where the name is a keyword |
//! | comparisons | `=` `!=` `<>` `<` `<=` `>` `>=`, `IS [NOT] NULL`, `TRUE` or `FALSE`, `[NOT] IN (…)` or `[…]`, `[NOT] BETWEEN`, `[NOT] LIKE … [ESCAPE '!']` |
//! | logic | `AND`, `OR`, `NOT`, brackets |
//! | arithmetic | `+` `-` `*` `/` `%`; `/` keeps fractions, the rest of `%` has the sign of the first number |
//! | functions | [`Function::ALL`], `CAST(value AS type)` with [`Cast::NAMES`] |
//!
//! Comparisons with NULL are neither true nor false, as in SQL, and only what is true passes. A division by zero, an
//! overflow and an impossible cast are NULL. NaN equals itself and is greater than every other number. Texts compare
//! by their bytes. A timestamp compares with a text that names a time and with a number of seconds since 1970.
//! NULLs inside of lists are never found.

use serde_json::{Map, Value};

use crate::data::{Column, Data, Schema, Selection, Type};
use crate::error::{Error, ErrorKind, Fuel, Limits, Place, Result};

mod bind;
mod cast;
mod lex;
mod like;
mod parse;
mod plan;
mod tree;

pub use tree::{Cast, Compare, Function, Is, Kind, Node, Operator, Quotes};

/// A filter whose grammar is right; it knows nothing of columns yet.
///
/// Displayed in one canonical form that parses to an equal tree.
#[derive(Debug, Clone, PartialEq)]
pub struct Parsed {
    root: Node,
    limits: Limits,
}

/// Parses a filter.
///
/// # Errors
/// What does not follow the grammar, and what the limits forbid.
pub fn parse(text: &str, limits: &Limits) -> std::result::Result<Parsed, Error> {
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

    /// The names of the columns that it reads, each once, in the order of their appearance.
    pub fn column_names(&self) -> Vec<String> {
        let mut names = Vec::new();
        self.root.visit(&mut |node| {
            if let Kind::Column(name) = &node.kind
                && !names.contains(name)
            {
                names.push(name.clone());
            }
        });
        names
    }

    /// Gives the names and the parameters their meaning.
    ///
    /// A parameter is a value and never a piece of text: nothing in it can change what the filter says.
    ///
    /// # Errors
    /// Unknown columns and parameters, wrong types, values that cannot be used. Each with its place.
    pub fn bind(
        &self,
        schema: &Schema,
        parameters: &Map<String, Value>,
    ) -> std::result::Result<Filter, Error> {
        let mut binder = bind::Binder {
            schema,
            parameters,
            limits: &self.limits,
            columns: Vec::new(),
        };
        let plan = binder.condition(&self.root)?;
        Ok(Filter {
            plan,
            columns: binder.columns,
            limits: self.limits,
        })
    }
}

impl std::fmt::Display for Parsed {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.root.fmt(formatter)
    }
}

impl Node {
    fn visit(&self, look: &mut impl FnMut(&Self)) {
        look(self);
        match &self.kind {
            Kind::List(nodes) | Kind::And(nodes) | Kind::Or(nodes) | Kind::Call(_, nodes) => {
                nodes.iter().for_each(|node| node.visit(look));
            }
            Kind::Not(node) | Kind::Negate(node) | Kind::Cast(node, _) => node.visit(look),
            Kind::Is { value, .. } => value.visit(look),
            Kind::Compare(_, left, right) => {
                left.visit(look);
                right.visit(look);
            }
            Kind::In { value, list, .. } => {
                value.visit(look);
                list.iter().for_each(|node| node.visit(look));
            }
            Kind::Between { value, low, high, .. } => {
                value.visit(look);
                low.visit(look);
                high.visit(look);
            }
            Kind::Like { value, pattern, .. } => {
                value.visit(look);
                pattern.visit(look);
            }
            Kind::Chain(first, rest) => {
                first.visit(look);
                rest.iter().for_each(|(_, node)| node.visit(look));
            }
            Kind::Null
            | Kind::Boolean(_)
            | Kind::Integer(_)
            | Kind::Float(_)
            | Kind::Text(..)
            | Kind::Parameter(_)
            | Kind::Column(_) => {}
        }
    }
}

/// A column that a filter reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoundColumn {
    /// As the text names it.
    pub name: String,
    /// Its place in the schema.
    pub index: usize,
    /// What it holds.
    pub column_type: Type,
    /// Where the text names it first.
    pub place: Place,
}

/// A filter that can run, any number of times and from any thread.
#[derive(Debug, Clone)]
pub struct Filter {
    plan: plan::Plan,
    columns: Vec<BoundColumn>,
    limits: Limits,
}

impl Filter {
    /// The columns that an evaluation wants, in this order.
    pub fn columns(&self) -> &[BoundColumn] {
        &self.columns
    }

    /// The candidates that pass, by their number, ascending.
    ///
    /// # Errors
    /// [`ErrorKind::TooMuchWork`] when the limits' work is used up; [`ErrorKind::Data`] when `columns` are not what
    /// [`Filter::columns`] asks for.
    pub fn select(&self, columns: &[Column<'_>], candidates: usize) -> std::result::Result<Vec<u32>, Error> {
        let mut passing = Vec::new();
        self.batches(columns, candidates, |start, len, truths| match truths {
            Data::Const(plan::TRUE) => passing.extend(start..start + len),
            Data::Const(_) => {}
            Data::Many(truths) => {
                // Written without a branch: which rows pass is not predictable.
                let from = passing.len();
                passing.resize(from + truths.len(), 0);
                let mut to = from;
                for (place, value) in (start..).zip(truths.iter()) {
                    passing[to] = place;
                    to += usize::from(*value == plan::TRUE);
                }
                passing.truncate(to);
            }
        })?;
        Ok(passing)
    }

    /// The truth of the filter for each candidate; nothing where it is unknown.
    ///
    /// # Errors
    /// As [`Filter::select`].
    pub fn evaluate(
        &self,
        columns: &[Column<'_>],
        candidates: usize,
    ) -> std::result::Result<Vec<Option<bool>>, Error> {
        let mut all = Vec::with_capacity(candidates);
        self.batches(columns, candidates, |_, len, truths| {
            all.extend((0..len as usize).map(|place| match truths.get(place) {
                plan::UNKNOWN => None,
                value => Some(value == plan::TRUE),
            }));
        })?;
        Ok(all)
    }

    fn batches(
        &self,
        columns: &[Column<'_>],
        candidates: usize,
        mut take: impl FnMut(u32, u32, &Data<'_, u8>),
    ) -> Result<()> {
        if columns.len() != self.columns.len() || u32::try_from(candidates).is_err() {
            let message = format!(
                "the filter reads {} columns and got {}",
                self.columns.len(),
                columns.len()
            );
            return Err(Error::new(ErrorKind::Data, self.plan.place, message));
        }
        for (column, bound) in columns.iter().zip(&self.columns) {
            if let Some(problem) = column.problem(bound.column_type, candidates) {
                let message = format!("the column '{}' {problem}", bound.name);
                return Err(Error::new(ErrorKind::Data, bound.place, message));
            }
        }
        let fuel = Fuel::new(&self.limits, candidates);
        let evaluator = plan::Evaluator { columns, fuel: &fuel };
        for start in (0..candidates).step_by(plan::BATCH) {
            let len = plan::BATCH.min(candidates - start);
            let truths = evaluator.truth(&self.plan, &Selection::Range { start, len })?;
            take(start as u32, len as u32, &truths);
        }
        Ok(())
    }
}
