//! From a document and its parameters to a plan: of queries that come with a request, and of those that a model keeps
//! under a name.

use std::collections::BTreeMap;

use expressions::params::{self, Declared, Problem, ProblemKind, Step};
use expressions::{filter, value};
use serde_json::{Map, Value};

use super::bind::{Parameters, Plan, bind};
use super::document::{Keep, Query, QueryType, Score};
use super::fields::is_open;
use super::names::Names;
use super::read::read;
use crate::service::failure::{PathPart, Place, Violation};

/// The fields that hold expressions, which know parameters themselves.
const EXPRESSIONS: [&str; 3] = ["expression", "value_model", "where"];

fn resolve(document: &Value, values: &Map<String, Value>) -> Result<Value, Vec<Problem>> {
    params::resolve_beside_expressions(document, values, &EXPRESSIONS)
}

/// The parameters of a saved query with their defaults; one without a default must be given.
pub(crate) type Params = BTreeMap<String, Option<Value>>;

/// What is wrong with a query that a model is to keep, each place from the query object on. Fields that are
/// references to parameters without a default are checked when the query runs.
pub(crate) fn check_saved(query: &Value, params: &Params, names: &Names) -> Vec<Violation> {
    match draft(query, params, names) {
        Ok(()) => Vec::new(),
        Err(violations) => violations,
    }
}

fn draft(document: &Value, declared: &Params, names: &Names) -> Result<(), Vec<Violation>> {
    let values: Map<String, Value> = declared
        .iter()
        .filter_map(|(name, default)| Some((name.clone(), default.clone()?)))
        .collect();
    let open: Vec<String> = declared
        .iter()
        .filter(|(_, default)| default.is_none())
        .map(|(name, _)| name.clone())
        .collect();
    // Those without a default stay references.
    let resolved = resolve(document, &with_placeholders(&values, &open)).map_err(|problems| {
        let violation = |problem: Problem| Violation {
            place: Place::Path(path(&problem.path)),
            kind: kind(problem.kind),
            message: problem.message,
        };
        problems.into_iter().map(violation).collect::<Vec<_>>()
    })?;
    let query = read(&resolved, true)?;
    bind(query, names, &Parameters { values, open }).map(drop)
}

/// A value for every parameter: one without a default stands for itself.
fn with_placeholders(values: &Map<String, Value>, open: &[String]) -> Map<String, Value> {
    let mut all = values.clone();
    for name in open {
        all.insert(name.clone(), Value::from(format!("{}{name}", params::PREFIX)));
    }
    all
}

/// A query with its parameters filled in, before any model was asked.
#[derive(Clone, Debug)]
pub(crate) struct Filled {
    pub(crate) query: Query,
    /// All parameters with their values, defaults filled in.
    pub(crate) parameters: Map<String, Value>,
    document: Value,
}

impl Filled {
    /// Fills in the parameters of a document. Violations have their places from the body on: `query…` or
    /// `parameters.NAME`. Without declarations the parameters are those that the document refers to.
    pub(crate) fn new(
        document: &Value,
        declared: Option<&Params>,
        given: &Map<String, Value>,
    ) -> Result<Filled, Vec<Violation>> {
        let declarations = declared
            .map(|declared| Declared::new(declared.iter().map(|(name, value)| (name, value.clone()))));
        let used = used_in(document);
        let wrong = |problem: Problem, root: &str| Violation {
            place: Place::Path(below(root, path(&problem.path))),
            kind: kind(problem.kind),
            message: problem.message,
        };
        let parameters = params::values(declarations.as_ref(), &used, given).map_err(|problems| {
            problems
                .into_iter()
                .map(|problem| wrong(problem, "parameters"))
                .collect::<Vec<_>>()
        })?;
        let missing: Vec<Violation> = used
            .iter()
            .filter(|name| !parameters.contains_key(*name))
            .map(|name| Violation {
                place: Place::Path(vec!["parameters".into(), name.as_str().into()]),
                kind: kind(ProblemKind::Missing),
                message: format!("the parameter '{name}' has neither a value nor a default"),
            })
            .collect();
        if !missing.is_empty() {
            return Err(missing);
        }
        let resolved = resolve(document, &parameters).map_err(|problems| {
            let problems = problems.into_iter();
            problems
                .map(|problem| wrong(problem, "query"))
                .collect::<Vec<_>>()
        })?;
        let query = read(&resolved, false).map_err(|violations| placed(document, violations))?;
        Ok(Filled {
            query,
            parameters,
            document: document.clone(),
        })
    }

    /// Binds to the names of a model. Places as in [`Filled::new`].
    pub(crate) fn bind(&self, names: &Names) -> Result<Plan, Vec<Violation>> {
        let parameters = Parameters {
            values: self.parameters.clone(),
            open: Vec::new(),
        };
        bind(self.query.clone(), names, &parameters).map_err(|violations| self.placed(violations))
    }

    /// Places of the query as places of the body.
    pub(crate) fn placed(&self, violations: Vec<Violation>) -> Vec<Violation> {
        placed(&self.document, violations)
    }
}

/// Places from the body on: below `query`, or a parameter where its value stands for the field.
fn placed(document: &Value, mut violations: Vec<Violation>) -> Vec<Violation> {
    for violation in &mut violations {
        if let Place::Path(path) = &mut violation.place {
            *path = match parameter_at(document, path) {
                Some((name, rest)) => {
                    let mut place: Vec<PathPart> = vec!["parameters".into(), PathPart::Name(name)];
                    place.extend(rest.iter().cloned());
                    place
                }
                None => below("query", std::mem::take(path)),
            };
        }
    }
    violations
}

/// The parameter that stands on the way to a place, and the rest of the way.
fn parameter_at<'p>(document: &Value, path: &'p [PathPart]) -> Option<(String, &'p [PathPart])> {
    let mut value = document;
    for (depth, part) in path.iter().enumerate() {
        value = match part {
            PathPart::Name(name) => value.get(name)?,
            PathPart::Index(index) => value.get(index)?,
        };
        if let Some(text) = value.as_str().filter(|text| is_open(text)) {
            return Some((text[params::PREFIX.len()..].to_owned(), &path[depth + 1..]));
        }
    }
    None
}

fn below(root: &str, path: Vec<PathPart>) -> Vec<PathPart> {
    std::iter::once(PathPart::from(root)).chain(path).collect()
}

fn path(steps: &[Step]) -> Vec<PathPart> {
    steps
        .iter()
        .map(|step| match step {
            Step::Key(name) => PathPart::Name(name.clone()),
            Step::Index(index) => PathPart::Index(*index),
        })
        .collect()
}

fn kind(kind: ProblemKind) -> &'static str {
    match kind {
        ProblemKind::Missing => "missing_parameter",
        ProblemKind::Unknown => "unknown_parameter",
        ProblemKind::Malformed => "malformed_parameter",
        _ => "wrong_parameter",
    }
}

/// The type of a document that was checked when it was saved, whatever its parameters.
pub(crate) fn saved_type(document: &Value) -> &'static str {
    let open = params::names(document);
    let placeholders = with_placeholders(&Map::new(), &open);
    let resolved = resolve(document, &placeholders).unwrap_or_else(|_| document.clone());
    match read(&resolved, true) {
        Ok(query) => query.query_type.name(),
        // Not to be: then the way it is written has to do.
        Err(_) => QueryType::ALL
            .into_iter()
            .find(|one| document.get("type").and_then(Value::as_str) == Some(one.name()))
            .unwrap_or(QueryType::RankItems)
            .name(),
    }
}

/// The names of the parameters that a document refers to, in its fields and in its expressions.
pub(crate) fn used_in(document: &Value) -> Vec<String> {
    let mut used = params::names(document);
    // As a draft, so that references count as values; what is wrong elsewhere is said later.
    let placeholders = with_placeholders(&Map::new(), &used);
    let resolved = resolve(document, &placeholders).unwrap_or_else(|_| document.clone());
    let Ok(query) = read(&resolved, true) else {
        return expressions_in(document, used);
    };
    let limits = expressions::Limits::default();
    let mut add = |names: Vec<String>| {
        for name in names {
            if !used.contains(&name) {
                used.push(name);
            }
        }
    };
    let conditions = query.retrieve.iter().filter_map(|step| step.condition.as_deref());
    let filters = query.filter.iter().filter_map(|step| match &step.keep {
        Keep::Where(text) => Some(text.as_str()),
        _ => None,
    });
    for text in conditions.chain(filters) {
        if let Ok(parsed) = filter::parse(text, &limits) {
            add(parsed.parameters());
        }
    }
    if let Score::Ensemble(ensemble) = &query.score
        && let Ok(parsed) = value::parse(&ensemble.value_model, &limits)
    {
        add(parsed.parameters());
    }
    used
}

/// As [`used_in`], of a document that does not read: every text in it may be an expression.
fn expressions_in(document: &Value, mut used: Vec<String>) -> Vec<String> {
    let mut texts = vec![document];
    while let Some(value) = texts.pop() {
        match value {
            Value::Array(entries) => texts.extend(entries),
            Value::Object(entries) => texts.extend(entries.values()),
            Value::String(text) => {
                for (start, _) in text.match_indices(params::PREFIX) {
                    let name: String = text[start + params::PREFIX.len()..]
                        .chars()
                        .take_while(|letter| letter.is_alphanumeric() || *letter == '_')
                        .collect();
                    if !name.is_empty() && !used.contains(&name) {
                        used.push(name);
                    }
                }
            }
            _ => {}
        }
    }
    used
}
