//! Reading a body field by field: whatever is wrong is noted with its place, the reading goes on, and what was read is
//! put together anew with its defaults.

use std::ops::RangeInclusive;

use serde_json::{Map, Value, json};

use crate::service::failure::{PathPart, Place, Violation};
use crate::service::names;

/// An answer lists at most so many wrong places.
const MAX_VIOLATIONS: usize = 20;

/// The longest text of a body, in bytes.
const MAX_TEXT_BYTES: usize = 16 * 1024;

/// The way to a value.
pub(super) type Path = Vec<PathPart>;

/// What was found wrong so far.
#[derive(Debug, Default)]
pub(super) struct Problems {
    pub(super) violations: Vec<Violation>,
}

impl Problems {
    pub(super) fn report(&mut self, path: Path, kind: &'static str, message: impl Into<String>) {
        if self.violations.len() < MAX_VIOLATIONS {
            self.violations.push(Violation {
                place: Place::Path(path),
                kind,
                message: message.into(),
            });
        }
    }
}

/// The place of something inside.
pub(super) fn inside(path: &Path, part: impl Into<PathPart>) -> Path {
    let mut path = path.clone();
    path.push(part.into());
    path
}

/// An object that is being read. Null counts as absent.
pub(super) struct Fields<'a, 'p> {
    values: &'a Map<String, Value>,
    pub(super) path: Path,
    pub(super) problems: &'p mut Problems,
    known: Vec<&'static str>,
    filled: Map<String, Value>,
}

impl<'a, 'p> Fields<'a, 'p> {
    pub(super) fn new(
        values: &'a Map<String, Value>,
        path: Path,
        problems: &'p mut Problems,
    ) -> Fields<'a, 'p> {
        Fields {
            values,
            path,
            problems,
            known: Vec::new(),
            filled: Map::new(),
        }
    }

    /// Begins to read the object that stands at `path`; nothing if that is no object.
    pub(super) fn of(value: &'a Value, path: Path, problems: &'p mut Problems) -> Option<Fields<'a, 'p>> {
        match value.as_object() {
            Some(values) => Some(Fields::new(values, path, problems)),
            None => {
                problems.report(
                    path,
                    "wrong_type",
                    format!("an object is wanted, not {}", noun(value)),
                );
                None
            }
        }
    }

    pub(super) fn place(&self, field: &str) -> Path {
        inside(&self.path, field)
    }

    pub(super) fn report(&mut self, field: &str, kind: &'static str, message: impl Into<String>) {
        let place = self.place(field);
        self.problems.report(place, kind, message);
    }

    fn wrong_type(&mut self, field: &str, wanted: &str, value: &Value) {
        let is_reference = value.as_str().is_some_and(|text| text.starts_with("$param."));
        let hint = if is_reference {
            "; parameters stand in queries only"
        } else {
            ""
        };
        self.report(
            field,
            "wrong_type",
            format!("{field} is {wanted}, not {}{hint}", noun(value)),
        );
    }

    /// The value of a field, if it has one.
    pub(super) fn raw(&mut self, field: &'static str) -> Option<&'a Value> {
        if !self.known.contains(&field) {
            self.known.push(field);
        }
        self.values.get(field).filter(|value| !value.is_null())
    }

    /// Puts a value into the object as it is read.
    pub(super) fn fill(&mut self, field: &str, value: impl Into<Value>) {
        self.filled.insert(field.to_owned(), value.into());
    }

    fn missing(&mut self, field: &str, what: &str) {
        self.report(field, "missing", format!("missing field `{field}`: {what}"));
    }

    pub(super) fn text(&mut self, field: &'static str) -> Option<String> {
        let value = self.raw(field)?;
        let Some(text) = value.as_str() else {
            self.wrong_type(field, "a text", value);
            return None;
        };
        if text.len() > MAX_TEXT_BYTES {
            self.report(
                field,
                "too_long",
                format!(
                    "{field} has {} bytes; at most {MAX_TEXT_BYTES} are accepted",
                    text.len()
                ),
            );
            return None;
        }
        self.fill(field, text);
        Some(text.to_owned())
    }

    /// A text that must be there; `what` says what it is.
    pub(super) fn required_text(&mut self, field: &'static str, what: &str) -> Option<String> {
        if self.raw(field).is_none() {
            self.missing(field, what);
            return None;
        }
        let text = self.text(field)?;
        if text.is_empty() {
            self.report(field, "empty", format!("{field} is empty: {what}"));
            return None;
        }
        Some(text)
    }

    pub(super) fn text_or(&mut self, field: &'static str, default: &str) -> String {
        if self.raw(field).is_none() {
            self.fill(field, default);
        }
        self.text(field).unwrap_or_else(|| default.to_owned())
    }

    /// The name of a policy, a filter or an embedding: expressions and files carry it.
    pub(super) fn identifier(&mut self, field: &'static str) -> Option<String> {
        let name = self.required_text(field, "by which others refer to it")?;
        let fits = name.len() <= 64
            && name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
            && name
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if !fits {
            self.report(
                field,
                "invalid_name",
                "the name has 1 to 64 letters, digits and '_', no digit first",
            );
            return None;
        }
        Some(name)
    }

    /// One of some names; the first is the default unless one must be given.
    pub(super) fn choice<T: Clone>(
        &mut self,
        field: &'static str,
        options: &[(&'static str, T)],
        required: bool,
    ) -> Option<T> {
        let names = || {
            options
                .iter()
                .map(|(name, _)| *name)
                .collect::<Vec<_>>()
                .join(", ")
        };
        let Some(value) = self.raw(field) else {
            if required {
                self.missing(field, &format!("one of {}", names()));
                return None;
            }
            let (name, first) = options.first()?;
            self.fill(field, *name);
            return Some(first.clone());
        };
        let found = options.iter().find(|(name, _)| Some(*name) == value.as_str());
        match found {
            Some((name, option)) => {
                self.fill(field, *name);
                Some(option.clone())
            }
            None if value.is_string() => {
                let shown: String = value.as_str().unwrap_or_default().chars().take(60).collect();
                self.report(
                    field,
                    "unknown_value",
                    format!("'{shown}' is not one of {}", names()),
                );
                None
            }
            None => {
                self.wrong_type(field, &format!("one of {}", names()), value);
                None
            }
        }
    }

    pub(super) fn flag(&mut self, field: &'static str, default: bool) -> bool {
        let value = match self.raw(field) {
            None => default,
            Some(Value::Bool(value)) => *value,
            Some(value) => {
                self.wrong_type(field, "true or false", value);
                default
            }
        };
        self.fill(field, value);
        value
    }

    pub(super) fn count(&mut self, field: &'static str, default: i64, range: RangeInclusive<i64>) -> i64 {
        let read = match self.raw(field) {
            None => Some(default),
            Some(value) => {
                let whole = whole(value);
                if whole.is_none() {
                    self.wrong_type(field, "a whole number", value);
                }
                whole
            }
        };
        let Some(number) = read else { return default };
        if !range.contains(&number) {
            let (low, high) = (range.start(), range.end());
            self.report(
                field,
                "out_of_range",
                format!("{field} is from {low} to {high}, not {number}"),
            );
            return default;
        }
        self.fill(field, number);
        number
    }

    /// A number above 0.
    pub(super) fn positive(&mut self, field: &'static str, default: f64, most: f64) -> f64 {
        let read = match self.raw(field) {
            None => Some(default),
            Some(value) => {
                if value.as_f64().is_none() {
                    self.wrong_type(field, "a number", value);
                }
                value.as_f64()
            }
        };
        let Some(number) = read else { return default };
        if !(number > 0.0 && number <= most) {
            self.report(
                field,
                "out_of_range",
                format!("{field} is above 0 and at most {most}, not {number}"),
            );
            return default;
        }
        self.fill(field, json!(number));
        number
    }

    /// A list, whose elements `read` reads; what it gives back beside the element is the element with its defaults.
    pub(super) fn list<T>(
        &mut self,
        field: &'static str,
        most: usize,
        mut read: impl FnMut(&'a Value, Path, &mut Problems) -> Option<(T, Value)>,
    ) -> Vec<T> {
        let Some(value) = self.raw(field) else {
            return Vec::new();
        };
        let Some(values) = value.as_array() else {
            self.wrong_type(field, "a list", value);
            return Vec::new();
        };
        if values.len() > most {
            self.report(
                field,
                "too_many",
                format!(
                    "{field} has {} elements; at most {most} are accepted",
                    values.len()
                ),
            );
            return Vec::new();
        }
        let place = self.place(field);
        let read: Vec<(T, Value)> = values
            .iter()
            .enumerate()
            .filter_map(|(index, value)| read(value, inside(&place, index), self.problems))
            .collect();
        let (elements, filled): (Vec<T>, Vec<Value>) = read.into_iter().unzip();
        self.fill(field, filled);
        elements
    }

    /// Texts, each once.
    pub(super) fn texts(&mut self, field: &'static str, most: usize) -> Vec<String> {
        let mut seen: Vec<&str> = Vec::new();
        self.list(field, most, |value, place, problems| {
            let Some(text) = value.as_str() else {
                problems.report(
                    place,
                    "wrong_type",
                    format!("a text is wanted, not {}", noun(value)),
                );
                return None;
            };
            if seen.contains(&text) {
                problems.report(place, "repeated", format!("'{text}' is named twice"));
                return None;
            }
            seen.push(text);
            Some((text.to_owned(), value.clone()))
        })
    }

    /// An object inside, if it is there.
    pub(super) fn object<T>(
        &mut self,
        field: &'static str,
        read: impl FnOnce(&mut Fields<'a, '_>) -> T,
    ) -> Option<T> {
        let value = self.raw(field)?;
        let place = self.place(field);
        let mut fields = Fields::of(value, place, self.problems)?;
        let read = read(&mut fields);
        let filled = fields.finish();
        self.fill(field, filled);
        Some(read)
    }

    /// An object inside; one that is not there has all defaults.
    pub(super) fn object_or_default<T>(
        &mut self,
        field: &'static str,
        read: impl FnOnce(&mut Fields<'_, '_>) -> T,
    ) -> Option<T> {
        let empty = Map::new();
        let place = self.place(field);
        let mut fields = match self.raw(field) {
            Some(value) => Fields::of(value, place, self.problems)?,
            None => Fields::new(&empty, place, self.problems),
        };
        let read = read(&mut fields);
        let filled = fields.finish();
        self.fill(field, filled);
        Some(read)
    }

    /// An object that must be there.
    pub(super) fn required_object<T>(
        &mut self,
        field: &'static str,
        what: &str,
        read: impl FnOnce(&mut Fields<'a, '_>) -> T,
    ) -> Option<T> {
        if self.raw(field).is_none() {
            self.missing(field, what);
            return None;
        }
        self.object(field, read)
    }

    /// The object as it was read, with its defaults. Fields that nobody asked for are wrong.
    pub(super) fn finish(self) -> Map<String, Value> {
        for name in self.values.keys() {
            if !self.known.iter().any(|known| known == name) {
                let shown: String = name.chars().take(60).collect();
                let hint = match names::nearest(name, self.known.iter().copied()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("known are {}", self.known.join(", ")),
                };
                self.problems.report(
                    inside(&self.path, name.as_str()),
                    "unknown_field",
                    format!("unknown field `{shown}`; {hint}"),
                );
            }
        }
        self.filled
    }
}

/// JSON has one kind of number: 5.0 is a whole one.
pub(super) fn whole(value: &Value) -> Option<i64> {
    // Beyond 2^53 a floating point number does not say which whole one was meant.
    let exact = |float: &f64| float.fract() == 0.0 && float.abs() <= 9_007_199_254_740_992.0;
    value
        .as_i64()
        .or_else(|| value.as_f64().filter(exact).map(|float| float as i64))
}

/// What a value is, for messages.
pub(super) fn noun(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => format!("'{}'", text.chars().take(60).collect::<String>()),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}
