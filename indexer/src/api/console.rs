//! What the console of a page needs to know of an operation, as a file of its own: it is fetched when a reader asks
//! for the console.

use std::collections::BTreeSet;

use serde_json::{Value as Json, json};

use crate::html::escaped;
use crate::source::fnv1a;

use super::document::{Document, Key, Operation};
use super::fields::{discriminating_values, variants};
use super::literal::{Syntax, pretty, to_json};
use super::reference::references;
use super::samples::{content, examples, parameter_example};
use super::texts::plain;
use crate::yaml::{Value, Yaml};

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
                "schema": parameter.get("schema").map_or(Json::Bool(true), |schema| schema_json(document, schema)),
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
            "schema": content.get("schema").map_or(Json::Bool(true), |schema| schema_json(document, schema)),
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
        found.insert(name.to_owned(), schema_json(document, schema));
        let mut below = BTreeSet::new();
        references(schema, &mut below);
        waiting.extend(below);
    }
    Json::Object(found)
}

/// A schema as the validator of the console reads it: without what is only meant for people, with references to where
/// the console keeps schemas, and with kinds that are told apart by a field as conditions on that field: a validator
/// then speaks of the one kind that is meant, not of all.
fn schema_json(document: &Document, schema: &Yaml) -> Json {
    let mut json = serde_json::Map::new();
    let is_discriminated = add_kinds(document, schema, &mut json);
    for entry in schema.entries() {
        let below = |value: &Yaml| schema_json(document, value);
        let value = match (entry.key.as_str(), &entry.value.value) {
            ("description" | "title" | "example" | "examples" | "discriminator" | "deprecated", _) => {
                continue;
            }
            ("oneOf" | "anyOf", _) if is_discriminated => continue,
            ("$ref", Value::Text(target)) => Json::from(target.replace("#/components/schemas/", "#/$defs/")),
            // Names of fields, of which `description` may be one.
            ("properties" | "patternProperties", Value::Table(fields)) => fields
                .iter()
                .map(|field| (field.key.clone(), below(&field.value)))
                .collect(),
            ("oneOf" | "anyOf" | "allOf", Value::List(parts)) => parts.iter().map(below).collect(),
            ("items" | "additionalProperties" | "propertyNames" | "not" | "contains", Value::Table(_)) => {
                below(&entry.value)
            }
            _ => to_json(&entry.value),
        };
        json.insert(entry.key.clone(), value);
    }
    Json::Object(json)
}

/// Writes the kinds of a schema with a discriminator. Not where the value of some kind is not known.
fn add_kinds(document: &Document, schema: &Yaml, json: &mut serde_json::Map<String, Json>) -> bool {
    let Some(field) = schema
        .get("discriminator")
        .and_then(|found| found.text("propertyName"))
    else {
        return false;
    };
    let mut values = Vec::new();
    let mut conditions = Vec::new();
    for kind in variants(schema).unwrap_or_default() {
        let Some(names) = discriminating_values(schema, field, kind, document) else {
            return false;
        };
        conditions.push(json!({
            "if": {"properties": {field: {"enum": names}}, "required": [field]},
            "then": schema_json(document, kind),
        }));
        values.extend(names);
    }
    json.insert("required".to_owned(), json!([field]));
    json.insert("properties".to_owned(), json!({field: {"enum": values}}));
    json.insert("allOf".to_owned(), Json::Array(conditions));
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::tests::document;

    #[test]
    fn kinds_become_conditions_and_words_go() {
        let document = document(
            "components:
  schemas:
    Pet:
      discriminator: {propertyName: kind}
      oneOf: [{$ref: '#/components/schemas/Cat'}]
    Cat:
      description: Words
      type: object
      properties:
        kind: {const: cat}
        description: {type: string, example: x, default: {title: kept}}
",
        );
        let (_, pet) = document.schemas().find(|(name, _)| *name == "Pet").unwrap();
        assert_eq!(
            schema_json(&document, pet),
            json!({
                "required": ["kind"],
                "properties": {"kind": {"enum": ["cat"]}},
                "allOf": [{
                    "if": {"properties": {"kind": {"enum": ["cat"]}}, "required": ["kind"]},
                    "then": {"$ref": "#/$defs/Cat"},
                }],
            })
        );
        let (_, cat) = document.schemas().find(|(name, _)| *name == "Cat").unwrap();
        assert_eq!(
            schema_json(&document, cat),
            json!({
                "type": "object",
                "properties": {
                    "kind": {"const": "cat"},
                    "description": {"type": "string", "default": {"title": "kept"}},
                },
            })
        );
    }
}
