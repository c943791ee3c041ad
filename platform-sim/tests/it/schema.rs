//! JSON Schema as the OpenAPI documents use it: a keyword that is not known here is a panic, so none is passed over.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex};

use regex::Regex;
use serde_json::{Map, Value};

/// Keywords that say nothing about which values are valid.
const NOTES: [&str; 9] = [
    "$ref",
    "default",
    "description",
    "discriminator",
    "example",
    "examples",
    "format",
    "title",
    "writeOnly",
];

/// What a `$ref` stands for.
pub(crate) fn resolve<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
    match value["$ref"].as_str() {
        None => value,
        Some(reference) => {
            let pointer = reference
                .strip_prefix('#')
                .expect("references stay in the document");
            document
                .pointer(pointer)
                .unwrap_or_else(|| panic!("{reference} leads nowhere"))
        }
    }
}

/// Why a value does not fit a schema, each with its place; nothing if it fits.
pub(crate) fn problems(document: &Value, schema: &Value, value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    check(document, schema, value, "", &mut found);
    found
}

fn fits(document: &Value, schema: &Value, value: &Value) -> bool {
    problems(document, schema, value).is_empty()
}

fn check(document: &Value, schema: &Value, value: &Value, place: &str, found: &mut Vec<String>) {
    let Some(keywords) = schema.as_object() else {
        if schema == &Value::Bool(false) {
            found.push(format!("{place}: nothing is allowed here"));
        }
        return;
    };
    if keywords.contains_key("$ref") {
        check(document, resolve(document, schema), value, place, found);
    }
    for (keyword, wanted) in keywords {
        let mut wrong = |what: String| found.push(format!("{place}: {what}"));
        match keyword.as_str() {
            "type" if !is_of_type(wanted, value) => wrong(format!("{} is not {wanted}", short(value))),
            "type" => {}
            "enum" if !list(wanted).contains(value) => {
                wrong(format!("{} is not one of {wanted}", short(value)));
            }
            "enum" => {}
            "anyOf" if !list(wanted).iter().any(|choice| fits(document, choice, value)) => {
                wrong(format!("{} fits none of the choices", short(value)));
            }
            "anyOf" => {}
            "oneOf" => check_one(document, keywords, list(wanted), value, place, found),
            "pattern" => {
                if value.as_str().is_some_and(|text| !matches(wanted, text)) {
                    wrong(format!("{} does not match {wanted}", short(value)));
                }
            }
            "minLength" | "maxLength" => {
                let length = value.as_str().map(|text| text.chars().count() as f64);
                check_bound(keyword, wanted, length, &mut wrong);
            }
            "minItems" | "maxItems" => {
                check_bound(
                    keyword,
                    wanted,
                    value.as_array().map(|items| items.len() as f64),
                    &mut wrong,
                );
            }
            "minProperties" | "maxProperties" => {
                check_bound(
                    keyword,
                    wanted,
                    value.as_object().map(|fields| fields.len() as f64),
                    &mut wrong,
                );
            }
            "minimum" | "maximum" | "exclusiveMinimum" => {
                check_bound(keyword, wanted, value.as_f64(), &mut wrong);
            }
            "uniqueItems" => {
                let items = value.as_array().map_or(&[][..], Vec::as_slice);
                if (1..items.len()).any(|index| items[..index].contains(&items[index])) {
                    wrong("an entry is there twice".to_owned());
                }
            }
            "required" => {
                for name in list(wanted).iter().filter_map(Value::as_str) {
                    if value.as_object().is_some_and(|fields| !fields.contains_key(name)) {
                        wrong(format!("{name} is missing"));
                    }
                }
            }
            "items" => {
                for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                    check(document, wanted, item, &format!("{place}/{index}"), found);
                }
            }
            "properties" => {
                for (name, field) in value.as_object().into_iter().flatten() {
                    if let Some(property) = wanted.get(name) {
                        check(document, property, field, &format!("{place}/{name}"), found);
                    }
                }
            }
            "additionalProperties" => {
                for (name, field) in value.as_object().into_iter().flatten() {
                    if schema["properties"].get(name).is_none() {
                        check(document, wanted, field, &format!("{place}/{name}"), found);
                    }
                }
            }
            "propertyNames" => {
                for name in value.as_object().into_iter().flat_map(Map::keys) {
                    check(
                        document,
                        wanted,
                        &Value::from(name.as_str()),
                        &format!("{place}/{name}"),
                        found,
                    );
                }
            }
            known if NOTES.contains(&known) => {}
            unknown => panic!("{place}: this check does not know the keyword {unknown}"),
        }
    }
}

/// Exactly one choice fits. Where a discriminator says which one was meant, only that one's problems are of interest.
fn check_one(
    document: &Value,
    schema: &Map<String, Value>,
    choices: &[Value],
    value: &Value,
    place: &str,
    found: &mut Vec<String>,
) {
    let fitting = choices
        .iter()
        .filter(|choice| fits(document, choice, value))
        .count();
    if fitting == 1 {
        return;
    }
    let chosen = schema.get("discriminator").and_then(|discriminator| {
        let name = value.get(discriminator["propertyName"].as_str()?)?.as_str()?;
        discriminator["mapping"].get(name)
    });
    match chosen {
        Some(reference) if fitting == 0 => {
            check(
                document,
                &serde_json::json!({ "$ref": reference }),
                value,
                place,
                found,
            );
        }
        _ => found.push(format!(
            "{place}: {} fits {fitting} of {} choices, not one",
            short(value),
            choices.len()
        )),
    }
}

fn check_bound(keyword: &str, wanted: &Value, size: Option<f64>, wrong: &mut impl FnMut(String)) {
    let bound = wanted.as_f64().expect("bounds are numbers");
    let Some(size) = size else { return };
    let holds = match keyword {
        "exclusiveMinimum" => size > bound,
        _ if keyword.starts_with("min") => size >= bound,
        _ => size <= bound,
    };
    if !holds {
        wrong(format!("{size} breaks {keyword} {bound}"));
    }
}

fn is_of_type(wanted: &Value, value: &Value) -> bool {
    let is = |name: &str| match name {
        "null" => value.is_null(),
        "string" => value.is_string(),
        // As JSON Schema has it, 5.0 is a whole number.
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("there is no type {other}"),
    };
    match wanted {
        Value::String(name) => is(name),
        names => list(names).iter().filter_map(Value::as_str).any(is),
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("this keyword has a list")
}

fn matches(pattern: &Value, text: &str) -> bool {
    static COMPILED: LazyLock<Mutex<HashMap<String, Regex>>> = LazyLock::new(Mutex::default);
    let pattern = pattern.as_str().expect("patterns are texts");
    let mut compiled = COMPILED.lock().expect("nobody panics with the lock");
    compiled
        .entry(pattern.to_owned())
        // JSON Schema writes \uXXXX where this library writes \u{XXXX}.
        .or_insert_with(|| {
            let ours = Regex::new(r"\\u([0-9a-fA-F]{4})")
                .expect("a valid expression")
                .replace_all(pattern, r"\u{$1}")
                .into_owned();
            Regex::new(&ours).unwrap_or_else(|error| panic!("{pattern}: {error}"))
        })
        .is_match(text)
}

fn short(value: &Value) -> String {
    value.to_string().chars().take(200).collect()
}
