//! What the console of a page needs to know of an operation, as a file of its own: it is fetched when a reader asks
//! for the console.

use std::collections::BTreeSet;

use serde_json::{Value as Json, json};

use crate::html::escaped;
use crate::source::fnv1a;

use super::document::{Document, Key, Operation};
use super::literal::{Syntax, pretty, to_json};
use super::reference::references;
use super::samples::{content, examples, parameter_example};
use super::texts::plain;
use super::yaml::Yaml;

/// A file of the output that was made, not copied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MadeFile {
    /// Its path in the output.
    pub path: String,
    /// What it holds.
    pub bytes: Vec<u8>,
}

/// The file of an operation.
pub(crate) fn file(document: &Document, section: &str, operation: &Operation<'_>) -> MadeFile {
    let parameters: Vec<Json> = operation
        .parameters
        .iter()
        .filter(|parameter| matches!(parameter.text("in"), Some("path" | "query")))
        .map(|parameter| {
            let is_suggested = parameter.get("example").is_some() || parameter.is_true("required");
            json!({
                "name": parameter.text("name"),
                "in": parameter.text("in"),
                "required": parameter.is_true("required"),
                "description": parameter.get("description").map(plain).unwrap_or_default(),
                "example": parameter_example(document, parameter).filter(|_| is_suggested).unwrap_or_default(),
                "schema": parameter.get("schema").map_or(Json::Bool(true), schema_json),
            })
        })
        .collect();
    let mut names = BTreeSet::new();
    for parameter in &operation.parameters {
        references(parameter, &mut names);
    }
    let body = operation.body.and_then(|body| {
        let (media_type, content) = content(body)?;
        if let Some(schema) = content.get("schema") {
            references(schema, &mut names);
        }
        let examples: Vec<Json> = examples(document, content)
            .iter()
            .map(|example| {
                json!({
                    "summary": example.summary.unwrap_or("Example"),
                    "text": pretty(example.value, Syntax::Json, 0),
                })
            })
            .collect();
        Some(json!({
            "mediaType": media_type,
            "required": body.is_true("required"),
            "schema": content.get("schema").map_or(Json::Bool(true), schema_json),
            "examples": examples,
        }))
    });
    let value = json!({
        "id": operation.id,
        "method": operation.method.to_uppercase(),
        "path": operation.path,
        "server": document.server,
        "key": operation.key.header().map(|header| json!({
            "header": header,
            "required": matches!(operation.key, Key::Required(_)),
        })),
        "parameters": parameters,
        "body": body,
        "schemas": schemas(document, names),
    });
    let bytes = value.to_string().into_bytes();
    MadeFile {
        path: format!(
            "assets/api/{section}-{}.{:016x}.json",
            operation.id,
            fnv1a(&bytes)
        ),
        bytes,
    }
}

/// The button that opens the console. Without a script there is none.
pub(crate) fn button(base: &str, file: &MadeFile, summary: &str) -> String {
    format!(
        "<div data-needs-js=\"\"><button type=\"button\" class=\"console-open\" data-console=\"{base}{}\" aria-label=\"Try it: {}\">Try it</button></div>",
        file.path,
        escaped(summary)
    )
}

/// The named schemas and all that they refer to.
fn schemas<'a>(document: &'a Document, names: BTreeSet<&'a str>) -> Json {
    let mut waiting: Vec<&str> = names.into_iter().collect();
    let mut found = serde_json::Map::new();
    while let Some(name) = waiting.pop() {
        if found.contains_key(name) {
            continue;
        }
        let Some((_, schema)) = document.schemas().find(|(known, _)| *known == name) else {
            continue;
        };
        found.insert(name.to_owned(), schema_json(schema));
        let mut below = BTreeSet::new();
        references(schema, &mut below);
        waiting.extend(below);
    }
    Json::Object(found)
}

/// A schema as the validator of the console reads it: without what is only meant for people.
fn schema_json(schema: &Yaml) -> Json {
    let mut json = to_json(schema);
    strip(&mut json);
    json
}

/// Removes descriptions and examples, and points references to where the console keeps schemas. What stands under
/// `properties` has names of fields, of which `description` may be one.
fn strip(schema: &mut Json) {
    match schema {
        Json::Array(items) => items.iter_mut().for_each(strip),
        Json::Object(entries) => {
            for words in [
                "description",
                "title",
                "example",
                "examples",
                "discriminator",
                "deprecated",
            ] {
                entries.remove(words);
            }
            for (key, value) in entries.iter_mut() {
                match (key.as_str(), value) {
                    ("$ref", Json::String(target)) => {
                        *target = target.replace("#/components/schemas/", "#/$defs/");
                    }
                    ("properties" | "patternProperties", Json::Object(fields)) => {
                        fields.values_mut().for_each(strip);
                    }
                    ("const" | "enum" | "default", _) => {}
                    (_, value) => strip(value),
                }
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_may_be_called_description() {
        let mut schema = json!({
            "description": "words", "type": "object",
            "properties": {"description": {"type": "string", "example": "x"}, "of": {"$ref": "#/components/schemas/Of"}},
            "enum": [{"description": "kept"}],
        });
        strip(&mut schema);
        assert_eq!(
            schema,
            json!({
                "type": "object",
                "properties": {"description": {"type": "string"}, "of": {"$ref": "#/$defs/Of"}},
                "enum": [{"description": "kept"}],
            })
        );
    }
}
