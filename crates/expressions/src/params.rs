//! References to parameters: `$param.NAME` as a whole value anywhere in a JSON document.
//!
//! ```text
//! {"limit": "$param.fresh", "query_encoder": {"input_user_id": "$param.uid"}}
//! ```
//!
//! A reference is replaced by the value itself, so a number stays a number; a text that merely contains `$param.` is
//! left alone, because filters and value models know parameters themselves (as values, never as text).

use std::collections::BTreeMap;
use std::fmt;

use serde_json::{Map, Value};

use crate::error::{Error, ErrorKind, Limits, Place};
use crate::near::suggestion;

/// What every reference begins with.
pub const PREFIX: &str = "$param.";

/// The parameters that a saved query declares, by name.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Declared {
    parameters: BTreeMap<String, Option<Value>>,
}

impl Declared {
    /// Names with their defaults. Without a default a parameter must be given; a default of null is one.
    pub fn new<N: Into<String>>(parameters: impl IntoIterator<Item = (N, Option<Value>)>) -> Self {
        Self {
            parameters: parameters
                .into_iter()
                .map(|(name, default)| (name.into(), default))
                .collect(),
        }
    }

    /// The names, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.parameters.keys().map(String::as_str)
    }
}

/// What is wrong with a parameter or a reference to one.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProblemKind {
    /// A reference to a parameter that has neither a value nor a default.
    Missing,
    /// A value for a parameter that does not exist.
    Unknown,
    /// `$param.` with something behind it that is not a name.
    Malformed,
    /// A value that is no plain value and no list of plain values.
    WrongValue,
}

/// One problem and where it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// What is wrong.
    pub kind: ProblemKind,
    /// Where, from the root of the document that was resolved, or of the parameters for values that were given.
    pub path: Vec<Step>,
    /// The parameter.
    pub name: String,
    /// What is wrong and how to mend it, in one sentence.
    pub message: String,
}

/// A step from a value to one inside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Into an object.
    Key(String),
    /// Into a list.
    Index(usize),
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, step) in self.path.iter().enumerate() {
            match step {
                Step::Key(key) if index == 0 => formatter.write_str(key)?,
                Step::Key(key) => write!(formatter, ".{key}")?,
                Step::Index(index) => write!(formatter, "[{index}]")?,
            }
        }
        if !self.path.is_empty() {
            formatter.write_str(": ")?;
        }
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for Problem {}

/// The name in a reference; an error with what stands behind the prefix if that is not a name.
fn reference(text: &str) -> Option<Result<&str, &str>> {
    let name = text.strip_prefix(PREFIX)?;
    let is_name = !name.is_empty()
        && name
            .chars()
            .all(|character| character.is_alphanumeric() || character == '_');
    Some(if is_name { Ok(name) } else { Err(name) })
}

/// The names of all parameters that a document refers to, each once, in the order of their appearance.
///
/// Those inside of filters and value models are not among them: ask the parsed expressions.
pub fn names(document: &Value) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    walk(document, &mut Vec::new(), &mut |text, _| {
        if let Some(Ok(name)) = reference(text)
            && !names.iter().any(|known| known == name)
        {
            names.push(name.to_owned());
        }
    });
    names
}

/// The values of all parameters: those given, and the defaults of those declared and not given.
///
/// A given null counts as not given. `used` are the names that the query refers to, in its document and in its
/// expressions; without declarations they are the parameters that there are.
///
/// # Errors
/// Every given value that is unknown or not plain.
pub fn values(
    declared: Option<&Declared>,
    used: &[String],
    given: &Map<String, Value>,
) -> Result<Map<String, Value>, Vec<Problem>> {
    let mut values = Map::new();
    let mut problems = Vec::new();
    for (name, default) in declared.iter().flat_map(|declared| &declared.parameters) {
        if let Some(default) = default {
            values.insert(name.clone(), default.clone());
        }
    }
    for (name, value) in given {
        let mut report = |kind, message: String| {
            problems.push(Problem {
                kind,
                path: vec![Step::Key(name.clone())],
                name: name.clone(),
                message,
            });
        };
        let known = match declared {
            Some(declared) => declared.parameters.contains_key(name),
            None => used.contains(name),
        };
        if !known {
            let known: Vec<&str> = match declared {
                Some(declared) => declared.names().collect(),
                None => used.iter().map(String::as_str).collect(),
            };
            let help = match suggestion(name, known) {
                Some(help) => format!(": {help}"),
                None => ": it has none".to_owned(),
            };
            report(
                ProblemKind::Unknown,
                format!("the query has no parameter '{name}'{help}"),
            );
        } else if !is_plain(value) {
            report(
                ProblemKind::WrongValue,
                format!(
                    "the parameter '{name}' must be a number, a text, a boolean or a list of these, not {}",
                    if value.is_object() {
                        "an object"
                    } else {
                        "a nested list"
                    }
                ),
            );
        } else if !value.is_null() {
            values.insert(name.clone(), value.clone());
        }
    }
    if problems.is_empty() {
        Ok(values)
    } else {
        Err(problems)
    }
}

/// The document with every reference replaced by its value.
///
/// # Errors
/// Every reference that has no value or is malformed, with its path.
pub fn resolve(document: &Value, values: &Map<String, Value>) -> Result<Value, Vec<Problem>> {
    resolve_beside_expressions(document, values, &[])
}

/// As [`resolve`], of a document in which the texts under some keys are expressions: such a text may begin with a
/// reference and go on.
///
/// # Errors
/// As [`resolve`].
pub fn resolve_beside_expressions(
    document: &Value,
    values: &Map<String, Value>,
    expressions: &[&str],
) -> Result<Value, Vec<Problem>> {
    let mut problems = Vec::new();
    walk(document, &mut Vec::new(), &mut |text, path| {
        let is_expression =
            || matches!(path.last(), Some(Step::Key(key)) if expressions.contains(&key.as_str()));
        let (kind, name, message) = match reference(text) {
            Some(Err(_)) if is_expression() => return,
            Some(Ok(name)) if !values.contains_key(name) => {
                let help = match suggestion(name, values.keys().map(String::as_str)) {
                    Some(help) => format!(": {help}"),
                    None => String::new(),
                };
                let message = format!("the parameter '{name}' has neither a value nor a default{help}");
                (ProblemKind::Missing, name, message)
            }
            Some(Err(name)) => {
                let message = format!(
                    "'{text}' is not a reference to a parameter: a name of letters, digits and _ follows the \
                     point and nothing else stands in the text"
                );
                (ProblemKind::Malformed, name, message)
            }
            _ => return,
        };
        problems.push(Problem {
            kind,
            path: path.to_vec(),
            name: name.to_owned(),
            message,
        });
    });
    if problems.is_empty() {
        Ok(replaced(document, values))
    } else {
        Err(problems)
    }
}

/// Depth is the parser's to limit: whoever read the document from text has done so.
fn replaced(document: &Value, values: &Map<String, Value>) -> Value {
    match document {
        Value::String(text) => match reference(text) {
            Some(Ok(name)) => values.get(name).cloned().unwrap_or(Value::Null),
            _ => document.clone(),
        },
        Value::Array(entries) => entries.iter().map(|entry| replaced(entry, values)).collect(),
        Value::Object(entries) => entries
            .iter()
            .map(|(key, value)| (key.clone(), replaced(value, values)))
            .collect::<Map<_, _>>()
            .into(),
        plain => plain.clone(),
    }
}

fn walk(document: &Value, path: &mut Vec<Step>, look: &mut impl FnMut(&str, &[Step])) {
    match document {
        Value::String(text) => look(text, path),
        Value::Array(entries) => {
            for (index, entry) in entries.iter().enumerate() {
                path.push(Step::Index(index));
                walk(entry, path, look);
                path.pop();
            }
        }
        Value::Object(entries) => {
            for (key, entry) in entries {
                path.push(Step::Key(key.clone()));
                walk(entry, path, look);
                path.pop();
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn is_plain(value: &Value) -> bool {
    match value {
        Value::Array(entries) => entries
            .iter()
            .all(|entry| !entry.is_array() && !entry.is_object()),
        Value::Object(_) => false,
        _ => true,
    }
}

pub(crate) fn too_many(name: &str, entries: usize, limits: &Limits, place: Place) -> Error {
    let message = format!(
        "the parameter '{name}' has {entries} entries, and a list has at most {}",
        limits.list_items
    );
    Error::new(ErrorKind::TooLarge, place, message)
}

pub(crate) fn not_plain(name: &str, place: Place) -> Error {
    let message = format!("the parameter '{name}' is neither a plain value nor a list of plain values");
    Error::new(ErrorKind::WrongType, place, message)
}
