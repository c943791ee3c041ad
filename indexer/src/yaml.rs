//! YAML with places: a document as a tree in which every value knows where it stands.

use saphyr_parser::{Event, Marker, Parser, ScalarStyle};
use serde_json::Number;

use crate::diagnostic::Diagnostic;
use crate::source::Source;

/// A document that is nested deeper than this is refused: later stages walk it with the call stack.
const DEEPEST: usize = 64;

/// A value and the byte offset of its first character.
#[derive(Debug, PartialEq)]
pub(crate) struct Yaml {
    pub(crate) at: usize,
    pub(crate) value: Value,
}

#[derive(Debug, PartialEq)]
pub(crate) enum Value {
    Null,
    Boolean(bool),
    Number(Number),
    Text(String),
    List(Vec<Yaml>),
    Table(Vec<Entry>),
}

/// A key of a table with its value.
#[derive(Debug, PartialEq)]
pub(crate) struct Entry {
    /// Where the key stands.
    pub(crate) at: usize,
    pub(crate) key: String,
    pub(crate) value: Yaml,
}

impl Yaml {
    /// The value under a key of a table.
    pub(crate) fn get(&self, key: &str) -> Option<&Yaml> {
        let entry = self.entries().iter().find(|entry| entry.key == key)?;
        Some(&entry.value)
    }

    /// The text under a key of a table.
    pub(crate) fn text(&self, key: &str) -> Option<&str> {
        self.get(key)?.as_text()
    }

    /// Whether the value under a key is `true`.
    pub(crate) fn is_true(&self, key: &str) -> bool {
        matches!(
            self.get(key),
            Some(Yaml {
                value: Value::Boolean(true),
                ..
            })
        )
    }

    /// The list under a key of a table; absent ones are empty.
    pub(crate) fn list(&self, key: &str) -> &[Yaml] {
        self.get(key).map_or(&[], Yaml::items)
    }

    /// The entries under a key of a table; absent ones are empty.
    pub(crate) fn table(&self, key: &str) -> &[Entry] {
        self.get(key).map_or(&[], Yaml::entries)
    }

    pub(crate) fn as_text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn items(&self) -> &[Yaml] {
        match &self.value {
            Value::List(items) => items,
            _ => &[],
        }
    }

    pub(crate) fn entries(&self) -> &[Entry] {
        match &self.value {
            Value::Table(entries) => entries,
            _ => &[],
        }
    }

    /// What kind of value this is, for messages.
    pub(crate) fn kind(&self) -> &'static str {
        match self.value {
            Value::Null => "nothing",
            Value::Boolean(_) => "true or false",
            Value::Number(_) => "a number",
            Value::Text(_) => "text",
            Value::List(_) => "a list",
            Value::Table(_) => "a table",
        }
    }
}

/// Reads a file. Anchors and aliases are refused, so that a small file cannot grow.
pub(crate) fn read(source: &Source) -> Result<Yaml, Vec<Diagnostic>> {
    let place = |marker: Marker| source.offset(marker.line(), marker.col());
    let mut builder = Builder::new(source);
    for event in Parser::new_from_str(&source.text) {
        match event {
            Ok((event, span)) => {
                builder.push(event, place(span.start));
                if builder.stack.len() > DEEPEST {
                    let message = format!("the document is nested deeper than {DEEPEST} levels");
                    builder.complain(place(span.start), message);
                    break;
                }
            }
            Err(error) => {
                let message = format!("the document is not valid YAML: {}", error.info());
                builder.complain(place(*error.marker()), message);
                break;
            }
        }
    }
    match builder.root {
        Some(root) if builder.problems.is_empty() => Ok(root),
        None if builder.problems.is_empty() => {
            Err(vec![Diagnostic::error(source, 0, "the document is empty")])
        }
        _ => Err(builder.problems),
    }
}

/// The value of a key at the top of a file, read from the lines of that key alone: the others need not be YAML that anybody else can read.
/// Capitals are as good as small letters.
pub(crate) fn value(source: &Source, key: &str) -> Result<Yaml, Vec<Diagnostic>> {
    let mut text = String::with_capacity(source.text.len());
    let mut is_wanted = false;
    let mut has_key = false;
    for line in source.text.split_inclusive('\n') {
        // The lines of a list may stand as far left as its key.
        if !line.starts_with([' ', '\t', '#', '-', '\n']) {
            is_wanted = line
                .split(':')
                .next()
                .unwrap_or_default()
                .trim_end()
                .eq_ignore_ascii_case(key);
            has_key |= is_wanted;
        }
        if is_wanted {
            text.push_str(line);
        } else {
            // Places in the text are places in the file.
            text.extend(line.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
        }
    }
    let nothing = Yaml {
        at: 0,
        value: Value::Null,
    };
    if !has_key {
        return Ok(nothing);
    }
    let mut table = read(&Source::new(source.path.clone(), source.display.clone(), &text))?;
    let found = match &mut table.value {
        Value::Table(entries) => entries.pop().map(|entry| entry.value),
        _ => None,
    };
    Ok(found.unwrap_or(nothing))
}

/// Turns events into values with a stack of its own.
struct Builder<'a> {
    source: &'a Source,
    stack: Vec<Open>,
    root: Option<Yaml>,
    problems: Vec<Diagnostic>,
}

enum Open {
    List(usize, Vec<Yaml>),
    /// With the key that waits for its value.
    Table(usize, Vec<Entry>, Option<(usize, String)>),
}

impl<'a> Builder<'a> {
    fn new(source: &'a Source) -> Self {
        Self {
            source,
            stack: Vec::new(),
            root: None,
            problems: Vec::new(),
        }
    }

    fn complain(&mut self, at: usize, message: impl Into<String>) {
        self.problems.push(Diagnostic::error(self.source, at, message));
    }

    fn push(&mut self, event: Event<'_>, at: usize) {
        match event {
            Event::Scalar(text, style, ..) => {
                let value = scalar(text.into_owned(), style);
                self.add(Yaml { at, value });
            }
            Event::Alias(_) => {
                self.complain(
                    at,
                    "YAML aliases are not followed; write the value again, or in OpenAPI use `$ref`",
                );
                self.add(Yaml {
                    at,
                    value: Value::Null,
                });
            }
            Event::SequenceStart(..) => self.stack.push(Open::List(at, Vec::new())),
            Event::MappingStart(..) => self.stack.push(Open::Table(at, Vec::new(), None)),
            Event::SequenceEnd | Event::MappingEnd => match self.stack.pop() {
                Some(Open::List(at, items)) => self.add(Yaml {
                    at,
                    value: Value::List(items),
                }),
                Some(Open::Table(at, entries, _)) => self.add(Yaml {
                    at,
                    value: Value::Table(entries),
                }),
                None => {}
            },
            _ => {}
        }
    }

    fn add(&mut self, value: Yaml) {
        match self.stack.last_mut() {
            None => self.root = self.root.take().or(Some(value)),
            Some(Open::List(_, items)) => items.push(value),
            Some(Open::Table(_, entries, waiting)) => match waiting.take() {
                None => match key_text(&value) {
                    Some(key) => *waiting = Some((value.at, key)),
                    None => {
                        *waiting = Some((value.at, String::new()));
                        self.complain(value.at, format!("a key is text, not {}", value.kind()));
                    }
                },
                Some((at, key)) if entries.iter().any(|entry| entry.key == key) => {
                    self.complain(
                        at,
                        format!("the key `{key}` stands here a second time; keep one of them"),
                    );
                }
                Some((at, key)) => entries.push(Entry { at, key, value }),
            },
        }
    }
}

/// Statuses such as `200` are often written without quotes.
fn key_text(value: &Yaml) -> Option<String> {
    match &value.value {
        Value::Text(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// A scalar by the rules of YAML 1.2, as far as JSON has the value, too.
fn scalar(text: String, style: ScalarStyle) -> Value {
    if style != ScalarStyle::Plain {
        return Value::Text(text);
    }
    match text.as_str() {
        "" | "~" | "null" | "Null" | "NULL" => return Value::Null,
        "true" | "True" | "TRUE" => return Value::Boolean(true),
        "false" | "False" | "FALSE" => return Value::Boolean(false),
        _ => {}
    }
    let digits = text.strip_prefix(['-', '+']).unwrap_or(&text);
    if !digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return Value::Text(text);
    }
    let unsigned = text.strip_prefix('+').unwrap_or(&text);
    if let Ok(number) = unsigned.parse::<i64>() {
        return Value::Number(number.into());
    }
    let is_decimal = digits
        .bytes()
        .all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'e' | b'E' | b'+' | b'-'));
    match unsigned
        .parse::<f64>()
        .ok()
        .filter(|_| is_decimal)
        .and_then(Number::from_f64)
    {
        Some(number) => Value::Number(number),
        None => Value::Text(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::literal::{Syntax, compact};

    fn read_text(text: &str) -> Result<Yaml, String> {
        read(&Source::new("a.yaml", "a.yaml", text)).map_err(|problems| {
            let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
            lines.join("\n")
        })
    }

    #[test]
    fn scalars_are_what_json_has() {
        let text = "a: [1, -2, +3, 0.5, 1e3, .5, 1.2.3, 2026-01-31, null, ~, true, yes, '1', \"x\", 12:30]\n";
        let yaml = read_text(text).unwrap();
        assert_eq!(
            compact(&yaml, Syntax::Json),
            r#"{"a": [1, -2, 3, 0.5, 1000.0, 0.5, "1.2.3", "2026-01-31", null, null, true, "yes", "1", "x", "12:30"]}"#
        );
    }

    #[test]
    fn what_cannot_be_read_is_named_with_its_place() {
        let check = |text: &str, expected: &str| assert_eq!(read_text(text).unwrap_err(), expected);
        check(
            "a: 1\nb:\n  c: 1\n  c: 2\n",
            "a.yaml:4:3: the key `c` stands here a second time; keep one of them",
        );
        check(
            "a: &x 1\nb: *x\n",
            "a.yaml:2:4: YAML aliases are not followed; write the value again, or in OpenAPI use `$ref`",
        );
        check("[a]: 1\n", "a.yaml:1:1: a key is text, not a list");
        check("", "a.yaml:1:1: the document is empty");
        let broken = read_text("a: [1\nb: 2\n").unwrap_err();
        assert!(broken.starts_with("a.yaml:2:"), "{broken}");
        let deep = read_text(&"[".repeat(100)).unwrap_err();
        assert!(deep.contains("nested deeper than 64 levels"), "{deep}");
    }

    #[test]
    fn numbers_may_be_keys() {
        let yaml = read_text("200: {description: Fine}\n").unwrap();
        assert_eq!(
            yaml.get("200").and_then(|answer| answer.text("description")),
            Some("Fine")
        );
    }
}
