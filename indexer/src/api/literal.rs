//! Values as they are written in JSON, Python and JavaScript.

use serde_json::Value as Json;

use crate::yaml::{Value, Yaml};

/// Above this many characters a list or a table takes several lines.
const WIDTH: usize = 72;

/// How a value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Syntax {
    /// JSON; JavaScript reads it, too.
    Json,
    Python,
}

/// The value on one line.
pub(crate) fn compact(value: &Yaml, syntax: Syntax) -> String {
    let mut text = String::new();
    push_compact(&mut text, value, syntax);
    text
}

/// The value over as many lines as it takes. Lines after the first start with `indent` spaces more.
pub(crate) fn pretty(value: &Yaml, syntax: Syntax, indent: usize) -> String {
    let mut text = String::new();
    push_pretty(&mut text, value, syntax, indent, indent);
    text
}

/// The value for a file of data. Tables keep no order there.
pub(crate) fn to_json(value: &Yaml) -> Json {
    match &value.value {
        Value::Null => Json::Null,
        Value::Boolean(value) => Json::Bool(*value),
        Value::Number(number) => Json::Number(number.clone()),
        Value::Text(text) => Json::String(text.clone()),
        Value::List(items) => items.iter().map(to_json).collect(),
        Value::Table(entries) => entries
            .iter()
            .map(|entry| (entry.key.clone(), to_json(&entry.value)))
            .collect(),
    }
}

/// Text in double quotes. What JSON escapes, Python and JavaScript read the same way.
pub(crate) fn quoted(text: &str) -> String {
    Json::from(text).to_string()
}

fn push_compact(text: &mut String, value: &Yaml, syntax: Syntax) {
    match &value.value {
        Value::Null => text.push_str(if syntax == Syntax::Python { "None" } else { "null" }),
        Value::Boolean(value) => text.push_str(match (syntax, value) {
            (Syntax::Python, true) => "True",
            (Syntax::Python, false) => "False",
            (Syntax::Json, true) => "true",
            (Syntax::Json, false) => "false",
        }),
        Value::Number(number) => text.push_str(&number.to_string()),
        Value::Text(value) => text.push_str(&quoted(value)),
        Value::List(items) => {
            text.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    text.push_str(", ");
                }
                push_compact(text, item, syntax);
            }
            text.push(']');
        }
        Value::Table(entries) => {
            text.push('{');
            for (index, entry) in entries.iter().enumerate() {
                if index > 0 {
                    text.push_str(", ");
                }
                text.push_str(&quoted(&entry.key));
                text.push_str(": ");
                push_compact(text, &entry.value, syntax);
            }
            text.push('}');
        }
    }
}

fn push_pretty(text: &mut String, value: &Yaml, syntax: Syntax, indent: usize, column: usize) {
    let (open, close, length) = match &value.value {
        Value::List(items) => ('[', ']', items.len()),
        Value::Table(entries) => ('{', '}', entries.len()),
        _ => return push_compact(text, value, syntax),
    };
    let line = compact(value, syntax);
    // A table with several keys is read more easily over lines, however short.
    let is_short = column + line.chars().count() <= WIDTH && (open == '[' || length < 2 || indent > 2);
    if is_short || length == 0 {
        return text.push_str(&line);
    }
    let inner = indent + 2;
    let new_line = |text: &mut String, spaces: usize| {
        text.push('\n');
        text.extend(std::iter::repeat_n(' ', spaces));
    };
    text.push(open);
    for index in 0..length {
        if index > 0 {
            text.push(',');
        }
        new_line(text, inner);
        match &value.value {
            Value::List(items) => push_pretty(text, &items[index], syntax, inner, inner),
            Value::Table(entries) => {
                let key = quoted(&entries[index].key);
                text.push_str(&key);
                text.push_str(": ");
                let column = inner + key.chars().count() + 2;
                push_pretty(text, &entries[index].value, syntax, inner, column);
            }
            _ => {}
        }
    }
    new_line(text, indent);
    text.push(close);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;

    fn read(text: &str) -> Yaml {
        crate::yaml::read(&Source::new("a", "a", text)).unwrap()
    }

    #[test]
    fn what_fits_on_a_line_stays_on_it() {
        let value = read(
            "name: films\nkeys: [a, b]\nempty: {}\nrows:\n  - {id: 1, title: 'A \"walk\"', is_new: true, tags: null}\n  - {id: 2, title: A much longer title than the one before it, is_new: false, tags: []}\n",
        );
        assert_eq!(
            pretty(&value, Syntax::Json, 0),
            r#"{
  "name": "films",
  "keys": ["a", "b"],
  "empty": {},
  "rows": [
    {"id": 1, "title": "A \"walk\"", "is_new": true, "tags": null},
    {
      "id": 2,
      "title": "A much longer title than the one before it",
      "is_new": false,
      "tags": []
    }
  ]
}"#
        );
        assert_eq!(
            compact(&value.list("rows")[0], Syntax::Python),
            r#"{"id": 1, "title": "A \"walk\"", "is_new": True, "tags": None}"#
        );
    }

    #[test]
    fn json_reads_back_what_was_written() {
        let value = read("{a: [1, 0.25, x, {}], b: \"é\\n\\u0001'\", c: null}");
        let written: Json = serde_json::from_str(&pretty(&value, Syntax::Json, 4)).unwrap();
        assert_eq!(written, to_json(&value));
    }
}
