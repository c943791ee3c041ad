//! Reading objects field by field: whatever is wrong is noted with its place, and the reading goes on.
//!
//! In a draft a field may be a reference to a parameter without a value (`"$param.fresh"`). Such a field is open: its
//! value is its default, or the reference itself where a text stands; see [`is_open`].

use std::fmt::Display;
use std::ops::RangeInclusive;

use expressions::suggestion;
use serde_json::{Map, Value};

use crate::service::failure::{PathPart, Place, Violation};

/// An answer lists at most so many wrong places.
const MAX_VIOLATIONS: usize = 20;

/// The longest id or name, in characters.
const MAX_TEXT_CHARACTERS: usize = 16 * 1024;

/// What is wrong so far.
#[derive(Debug, Default)]
pub(crate) struct Problems {
    pub(crate) violations: Vec<Violation>,
    /// Whether fields may be open.
    pub(crate) draft: bool,
}

impl Problems {
    pub(crate) fn report(&mut self, path: Vec<PathPart>, kind: &'static str, message: impl Into<String>) {
        let place = Place::Path(path);
        // A list may be looked at twice: first whether it is there, then what is in it.
        let known = self
            .violations
            .iter()
            .any(|violation| violation.place == place && violation.kind == kind);
        if !known && self.violations.len() < MAX_VIOLATIONS {
            self.violations.push(Violation {
                place,
                kind,
                message: message.into(),
            });
        }
    }
}

/// Whether a text of a draft stands for a parameter that has no value yet.
pub(crate) fn is_open(text: &str) -> bool {
    text.strip_prefix(expressions::params::PREFIX)
        .is_some_and(|name| {
            !name.is_empty()
                && name
                    .chars()
                    .all(|letter| letter.is_alphanumeric() || letter == '_')
        })
}

/// An object that is being read.
pub(crate) struct Fields<'a, 'p> {
    values: &'a Map<String, Value>,
    path: Vec<PathPart>,
    problems: &'p mut Problems,
    known: Vec<&'static str>,
}

impl<'a, 'p> Fields<'a, 'p> {
    /// Begins to read what stands at `path`; nothing if that is no object.
    pub(crate) fn of(
        value: &'a Value,
        path: Vec<PathPart>,
        problems: &'p mut Problems,
    ) -> Option<Fields<'a, 'p>> {
        let Some(values) = value.as_object() else {
            problems.report(
                path,
                "wrong_type",
                format!("an object is wanted, not {}", noun(value)),
            );
            return None;
        };
        Some(Fields {
            values,
            path,
            problems,
            known: Vec::new(),
        })
    }

    /// The place of a field.
    pub(crate) fn place(&self, field: &str) -> Vec<PathPart> {
        let mut path = self.path.clone();
        path.push(field.into());
        path
    }

    pub(crate) fn report(&mut self, field: &str, kind: &'static str, message: impl Into<String>) {
        let place = self.place(field);
        self.problems.report(place, kind, message);
    }

    /// The value of a field; null counts as absent.
    pub(crate) fn raw(&mut self, field: &'static str) -> Option<&'a Value> {
        if !self.known.contains(&field) {
            self.known.push(field);
        }
        self.values.get(field).filter(|value| !value.is_null())
    }

    /// The value of a field that is not open.
    fn closed(&mut self, field: &'static str) -> Option<&'a Value> {
        let draft = self.problems.draft;
        self.raw(field)
            .filter(|value| !(draft && value.as_str().is_some_and(is_open)))
    }

    /// Whether a parameter without a value stands for the field.
    pub(crate) fn is_open(&mut self, field: &'static str) -> bool {
        self.raw(field).is_some() && self.closed(field).is_none()
    }

    fn missing(&mut self, field: &str, what: &str) {
        self.report(field, "missing", format!("missing field `{field}`: {what}"));
    }

    /// A text.
    pub(crate) fn text(&mut self, field: &'static str) -> Option<String> {
        let value = self.raw(field)?;
        match value.as_str() {
            Some(text) if text.chars().count() > MAX_TEXT_CHARACTERS => {
                self.report(
                    field,
                    "too_long",
                    format!("{field} has at most {MAX_TEXT_CHARACTERS} characters"),
                );
                None
            }
            Some(text) => Some(text.to_owned()),
            None => {
                self.report(
                    field,
                    "wrong_type",
                    format!("{field} is a text, not {}", noun(value)),
                );
                None
            }
        }
    }

    /// A text that must be there; an empty one stands for it where it is not.
    pub(crate) fn required_text(&mut self, field: &'static str, what: &str) -> String {
        if self.raw(field).is_none() {
            self.missing(field, what);
            return String::new();
        }
        let text = self.text(field);
        if text.as_ref().is_some_and(|text| text.trim().is_empty()) {
            self.report(field, "empty", format!("{field} is empty: {what}"));
        }
        text.unwrap_or_default()
    }

    /// An id: a text, or a whole number for its digits.
    pub(crate) fn id(&mut self, field: &'static str) -> Option<String> {
        let value = self.raw(field)?;
        let id = id_of(value);
        if id.is_none() {
            let message = format!("{field} is an id, a text, not {}", noun(value));
            self.report(field, "wrong_type", message);
        }
        id
    }

    /// As [`id`](Self::id). The field must be there, though its value may be null: then it is nobody's.
    pub(crate) fn required_id(&mut self, field: &'static str, what: &str) -> Option<String> {
        if !self.is_given(field) {
            self.missing(field, what);
            return None;
        }
        self.id(field)
    }

    /// Whether the field is there, be it null.
    pub(crate) fn is_given(&mut self, field: &'static str) -> bool {
        self.raw(field);
        self.values.contains_key(field)
    }

    /// A whole number in a range.
    pub(crate) fn whole(
        &mut self,
        field: &'static str,
        default: usize,
        range: RangeInclusive<usize>,
    ) -> usize {
        let Some(value) = self.closed(field) else {
            return default;
        };
        // 3.0 is a whole number, too: some languages write no other.
        let whole = value.as_i64().or_else(|| {
            let number = value.as_f64()?;
            (number.fract() == 0.0 && number.abs() < 1e15).then_some(number as i64)
        });
        let Some(whole) = whole else {
            self.report(
                field,
                "wrong_type",
                format!("{field} is a whole number, not {}", noun(value)),
            );
            return default;
        };
        match usize::try_from(whole).ok().filter(|whole| range.contains(whole)) {
            Some(whole) => whole,
            None => {
                self.out_of_range(field, "a whole number", &range);
                default
            }
        }
    }

    /// A number in a range.
    pub(crate) fn number(&mut self, field: &'static str, default: f64, range: RangeInclusive<f64>) -> f64 {
        let Some(value) = self.closed(field) else {
            return default;
        };
        let Some(number) = value.as_f64() else {
            self.report(
                field,
                "wrong_type",
                format!("{field} is a number, not {}", noun(value)),
            );
            return default;
        };
        if range.contains(&number) {
            return number;
        }
        self.out_of_range(field, "a number", &range);
        default
    }

    fn out_of_range<T: Display>(&mut self, field: &str, what: &str, range: &RangeInclusive<T>) {
        let (least, most) = (range.start(), range.end());
        let message = format!("{field} is {what} from {least} to {most}");
        self.report(field, "out_of_range", message);
    }

    /// A boolean.
    pub(crate) fn boolean(&mut self, field: &'static str, default: bool) -> bool {
        let Some(value) = self.closed(field) else {
            return default;
        };
        value.as_bool().unwrap_or_else(|| {
            let message = format!("{field} is true or false, not {}", noun(value));
            self.report(field, "wrong_type", message);
            default
        })
    }

    /// One of some names, which may be written with hyphens.
    pub(crate) fn choice<T: Copy>(
        &mut self,
        field: &'static str,
        options: &[(&'static str, T)],
        default: Option<T>,
    ) -> Option<T> {
        if self.is_open(field) {
            if default.is_none() {
                // What else stands beside it depends on it.
                let message = format!("a saved query says its {field} itself: no parameter stands for it");
                self.report(field, "wrong_parameter", message);
            }
            return default;
        }
        if self.raw(field).is_none() {
            if default.is_none() {
                let names: Vec<&str> = options.iter().map(|(name, _)| *name).collect();
                self.missing(field, &format!("one of {}", names.join(", ")));
            }
            return default;
        }
        let text = self.text(field)?;
        let spelt = text.replace('-', "_");
        let found = options.iter().find(|(name, _)| *name == spelt);
        if found.is_none() {
            let names = options.iter().map(|(name, _)| *name);
            let help = suggestion(&text, names).unwrap_or_default();
            self.report(
                field,
                "unknown_value",
                format!("there is no {field} '{}': {help}", shortened(&text)),
            );
        }
        found.map(|(_, option)| *option)
    }

    /// A list of texts, at most `most`; whole numbers count as their digits.
    pub(crate) fn texts(&mut self, field: &'static str, most: usize) -> Option<Vec<String>> {
        let entries = self.list(field, most)?;
        let mut texts = Vec::with_capacity(entries.len());
        for (index, entry) in entries.iter().enumerate() {
            match id_of(entry) {
                Some(text) => texts.push(text),
                None => {
                    let mut place = self.place(field);
                    place.push(index.into());
                    let message = format!("an entry of {field} is a text, not {}", noun(entry));
                    self.problems.report(place, "wrong_type", message);
                }
            }
        }
        Some(texts)
    }

    /// A list of at most `most` entries.
    pub(crate) fn list(&mut self, field: &'static str, most: usize) -> Option<&'a [Value]> {
        let value = self.closed(field)?;
        let Some(entries) = value.as_array() else {
            self.report(
                field,
                "wrong_type",
                format!("{field} is a list, not {}", noun(value)),
            );
            return None;
        };
        if entries.len() > most {
            self.report(
                field,
                "too_many",
                format!("{field} has at most {most} entries, not {}", entries.len()),
            );
            return Some(&entries[..most]);
        }
        Some(entries)
    }

    /// The objects of a list, each read by `read` with its place.
    pub(crate) fn objects<T>(
        &mut self,
        field: &'static str,
        most: usize,
        mut read: impl FnMut(Fields<'a, '_>) -> Option<T>,
    ) -> Vec<T> {
        let entries = self.list(field, most).unwrap_or_default();
        let mut objects = Vec::with_capacity(entries.len());
        for (index, entry) in entries.iter().enumerate() {
            let mut place = self.place(field);
            place.push(index.into());
            if let Some(fields) = Fields::of(entry, place, self.problems) {
                objects.extend(read(fields));
            }
        }
        objects
    }

    /// A map of anything.
    pub(crate) fn map(&mut self, field: &'static str) -> Option<Map<String, Value>> {
        let value = self.closed(field)?;
        if value.as_object().is_none() {
            self.report(
                field,
                "wrong_type",
                format!("{field} is an object, not {}", noun(value)),
            );
        }
        value.as_object().cloned()
    }

    /// An object inside.
    pub(crate) fn object<T>(
        &mut self,
        field: &'static str,
        read: impl FnOnce(Fields<'a, '_>) -> Option<T>,
    ) -> Option<T> {
        let value = self.closed(field)?;
        let place = self.place(field);
        read(Fields::of(value, place, self.problems)?)
    }

    /// An object inside that must be there.
    pub(crate) fn required_object<T>(
        &mut self,
        field: &'static str,
        what: &str,
        read: impl FnOnce(Fields<'a, '_>) -> Option<T>,
    ) -> Option<T> {
        if self.raw(field).is_none() {
            self.missing(field, what);
        }
        self.object(field, read)
    }

    /// Ends the reading: every field that nobody asked for is unknown.
    pub(crate) fn finish(self) {
        for name in self.values.keys() {
            if !self.known.contains(&name.as_str()) {
                let help = suggestion(name, self.known.iter().copied()).unwrap_or_default();
                let mut place = self.path.clone();
                place.push(name.as_str().into());
                let message = format!("unknown field `{}`: {help}", shortened(name));
                self.problems.report(place, "unknown_field", message);
            }
        }
    }
}

/// A text, or the digits of a whole number.
pub(crate) fn id_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) if number.is_i64() || number.is_u64() => Some(number.to_string()),
        _ => None,
    }
}

fn noun(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(number) if number.is_f64() => "a number with a fraction",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// What a message repeats of what a stranger sent.
fn shortened(text: &str) -> String {
    text.chars().take(60).collect()
}
