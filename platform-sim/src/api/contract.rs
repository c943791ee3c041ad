//! The documents in `api-spec` are what we promise: their operations are the router's, their references lead somewhere,
//! their examples fit their schemas, and what both describe they describe alike. Each version's own `contract.rs` holds
//! its types to its document.

#[path = "../../tests/it/schema.rs"]
pub(super) mod schema;

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use self::schema::resolve;
use super::{Access, Operation, all_operations};

/// What the documents describe differently, although it has the same name: the bodies of models.
const OWN_SCHEMAS: [&str; 2] = ["ModelSetup", "ModelStatus"];
const OWN_OPERATIONS: [&str; 3] = ["create_model", "get_model", "update_model"];

/// An OpenAPI document.
pub(super) struct Document {
    pub(super) value: Value,
}

impl Document {
    pub(super) fn read(version: &str) -> Document {
        let path = format!(
            "{}/../api-spec/{version}/openapi.yaml",
            env!("CARGO_MANIFEST_DIR")
        );
        let text = std::fs::read_to_string(path).unwrap();
        Document {
            value: serde_yaml_ng::from_str(&text).unwrap(),
        }
    }

    fn both() -> [Document; 2] {
        ["v1", "v2"].map(Document::read)
    }

    /// Every operation as method, path and definition.
    pub(super) fn operations(&self) -> Vec<(String, String, &Value)> {
        let mut operations = Vec::new();
        for (path, item) in self.value["paths"].as_object().unwrap() {
            for (method, operation) in item.as_object().unwrap() {
                if method != "parameters" {
                    operations.push((method.to_uppercase(), path.clone(), operation));
                }
            }
        }
        operations
    }

    /// The bodies of an operation with examples: the request's as `request`, the answers' by their status.
    pub(super) fn bodies<'a>(&'a self, operation: &'a Value) -> Vec<(&'a str, &'a str, &'a Value)> {
        let request = resolve(&self.value, &operation["requestBody"]);
        let responses = operation["responses"].as_object().unwrap();
        std::iter::once(("request", request))
            .chain(
                responses
                    .iter()
                    .map(|(status, response)| (status.as_str(), resolve(&self.value, response))),
            )
            .flat_map(|(which, body)| {
                let content = body["content"].as_object().into_iter().flatten();
                content.map(move |(content_type, media)| (which, content_type.as_str(), media))
            })
            .collect()
    }

    pub(super) fn examples<'a>(&'a self, media: &'a Value) -> Vec<&'a Value> {
        let examples: Vec<&Value> = match &media["examples"] {
            Value::Object(examples) => examples
                .values()
                .map(|example| &resolve(&self.value, example)["value"])
                .collect(),
            _ => vec![&media["example"]],
        };
        assert!(
            !examples.is_empty() && examples.iter().all(|example| example.is_object()),
            "there is no example"
        );
        examples
    }

    /// The names of the properties of a schema.
    pub(super) fn fields(&self, schema: &str) -> BTreeSet<String> {
        self.schema(schema)["properties"]
            .as_object()
            .unwrap_or_else(|| panic!("{schema} has no properties"))
            .keys()
            .cloned()
            .collect()
    }

    pub(super) fn schema(&self, name: &str) -> &Value {
        &self.value["components"]["schemas"][name]
    }
}

/// The example must read as a `T` and come back from it as it was, absent fields and nulls being the same.
pub(super) fn round_trip<T: DeserializeOwned + Serialize>(place: &str, example: &Value) {
    let read: T = serde_json::from_value(example.clone())
        .unwrap_or_else(|error| panic!("{place}: {error} in {example}"));
    let mut written = serde_json::to_value(read).unwrap();
    let mut expected = example.clone();
    without_nulls(&mut written);
    without_nulls(&mut expected);
    assert_eq!(written, expected, "{place}");
}

fn without_nulls(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|_, field| !field.is_null());
            fields.values_mut().for_each(without_nulls);
        }
        Value::Array(items) => items.iter_mut().for_each(without_nulls),
        // A 2 that was read as a floating point number comes back as 2.0.
        Value::Number(number) => {
            if let Some(float) = number.as_f64() {
                *value = Value::from(float as f32);
            }
        }
        _ => {}
    }
}

/// The fields that a type reads.
pub(super) fn fields<T: DeserializeOwned>() -> BTreeSet<String> {
    // A field that no type has makes the reader list those that there are.
    let error = serde_json::from_str::<T>(r#"{"no such field": 0}"#)
        .err()
        .expect("no type has that field");
    error
        .to_string()
        .split("expected")
        .nth(1)
        .unwrap()
        .split('`')
        .skip(1)
        .step_by(2)
        .map(str::to_owned)
        .collect()
}

#[test]
fn operations_are_those_of_the_router() {
    let documents = Document::both();
    let documented: BTreeSet<(String, String)> = documents
        .iter()
        .flat_map(Document::operations)
        .map(|(method, path, _)| (method, path))
        .collect();
    let served: BTreeSet<(String, String)> = all_operations()
        .map(|operation| (operation.method.to_string(), operation.path.to_owned()))
        .collect();
    assert_eq!(documented, served);
    for document in &documents {
        assert_eq!(document.value["servers"][0]["url"], "http://127.0.0.1:8787/v1");
    }
}

#[test]
fn all_operations_says_who_may_call_it_and_what_can_go_wrong() {
    for document in Document::both() {
        let mut ids = BTreeSet::new();
        for (method, path, operation) in document.operations() {
            let id = operation["operationId"].as_str().unwrap();
            assert!(ids.insert(id.to_owned()), "{id} is there twice");
            assert!(
                operation["summary"].is_string() && operation["tags"].is_array(),
                "{id}"
            );
            let served = all_operations()
                .find(|served| served.method == *method && served.path == path)
                .unwrap_or_else(|| panic!("{method} {path} is not served"));
            let statuses: BTreeSet<&str> = operation["responses"]
                .as_object()
                .unwrap()
                .keys()
                .map(String::as_str)
                .collect();
            let expected = expected_statuses(served, operation);
            assert!(
                statuses.is_superset(&expected),
                "{id} lacks {:?}",
                expected.difference(&statuses)
            );
        }
    }
}

fn expected_statuses<'a>(served: &Operation, operation: &Value) -> BTreeSet<&'a str> {
    let mut expected = BTreeSet::from(["200"]);
    match served.access {
        Access::Anyone => {
            assert_eq!(operation["security"], serde_json::json!([]), "{}", served.path);
            return expected;
        }
        Access::Admin | Access::Search => assert!(operation["security"].is_null(), "{}", served.path),
        Access::Queries => {
            assert_eq!(
                operation["security"],
                serde_json::json!([{}, {"apiKey": []}]),
                "{}",
                served.path
            );
        }
    }
    expected.extend(["401", "403", "422", "429", "500", "503"]);
    if served.path.contains('{') {
        expected.insert("404");
    }
    if !operation["requestBody"].is_null() {
        expected.extend(["400", "408", "413"]);
    }
    expected
}

#[test]
fn references_lead_somewhere_and_components_are_used() {
    fn walk<'a>(document: &Value, value: &'a Value, used: &mut BTreeSet<&'a str>) {
        match value {
            Value::Object(fields) => {
                if fields.contains_key("$ref") {
                    resolve(document, value);
                    used.extend(value["$ref"].as_str());
                }
                fields.values().for_each(|value| walk(document, value, used));
            }
            Value::Array(items) => items.iter().for_each(|value| walk(document, value, used)),
            _ => {}
        }
    }
    for document in Document::both() {
        let mut used = BTreeSet::new();
        walk(&document.value, &document.value, &mut used);
        for (kind, components) in document.value["components"].as_object().unwrap() {
            for name in components.as_object().unwrap().keys() {
                let reference = format!("#/components/{kind}/{name}");
                assert!(
                    kind == "securitySchemes" || used.contains(reference.as_str()),
                    "nothing uses {reference}"
                );
            }
        }
    }
}

#[test]
fn examples_fit_their_schemas() {
    let mut examples = 0;
    for document in Document::both() {
        for (_, _, operation) in document.operations() {
            for (which, content_type, media) in document.bodies(operation) {
                let place = format!("{} {which}", operation["operationId"]);
                for example in document.examples(media) {
                    let problems = schema::problems(&document.value, &media["schema"], example);
                    assert!(problems.is_empty(), "{place}: {problems:#?} in {example}");
                    let is_problem = content_type == "application/problem+json";
                    let status = example["status"].to_string();
                    assert!(!is_problem || status == which, "{place}");
                    examples += 1;
                }
            }
        }
    }
    assert!(examples > 400, "{examples}");
}

#[test]
fn what_both_documents_describe_they_describe_alike() {
    let [first, second] = Document::both();
    let mut shared = 0;
    for (kind, components) in first.value["components"].as_object().unwrap() {
        for (name, component) in components.as_object().unwrap() {
            let other = &second.value["components"][kind][name];
            if !other.is_null() && !OWN_SCHEMAS.contains(&name.as_str()) {
                assert_eq!(other, component, "{kind}.{name}");
                shared += 1;
            }
        }
    }
    let operations: BTreeMap<(String, String), &Value> = second
        .operations()
        .into_iter()
        .map(|(method, path, operation)| ((method, path), operation))
        .collect();
    for (method, path, operation) in first.operations() {
        let id = operation["operationId"].as_str().unwrap();
        if let Some(other) = operations.get(&(method, path))
            && !OWN_OPERATIONS.contains(&id)
        {
            assert_eq!(*other, operation, "{id}");
            shared += 1;
        }
    }
    assert!(shared > 50, "{shared}");
}
