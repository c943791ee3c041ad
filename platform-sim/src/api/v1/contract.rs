//! `api-spec/v1/openapi.yaml` is what we promise: its operations are the router's, its examples are what the types
//! read and write, its references and statuses are whole.

use std::collections::BTreeSet;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::OPERATIONS;
use super::types::{
    CustomDataset, DatasetDetails, DatasetList, Insert, Message, ModelCreated, ModelList, ModelSetup,
    ModelView, RetrieveRequest, RetrieveResponse,
};
use crate::api::Access;
use crate::error::{Problem, ValidationError};

fn document() -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../api-spec/v1/openapi.yaml");
    serde_yaml_ng::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// Every operation as method, path and definition.
fn operations(document: &Value) -> Vec<(String, String, Value)> {
    let mut operations = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            if method != "parameters" {
                operations.push((method.to_uppercase(), path.clone(), operation.clone()));
            }
        }
    }
    operations
}

fn resolve<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
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

#[test]
fn operations_are_those_of_the_router() {
    let document = document();
    let documented: BTreeSet<(String, String)> = operations(&document)
        .into_iter()
        .map(|(method, path, _)| (method, path))
        .collect();
    let served: BTreeSet<(String, String)> = OPERATIONS
        .iter()
        .map(|operation| (operation.method.to_string(), operation.path.to_owned()))
        .collect();
    assert_eq!(documented, served);
    assert_eq!(document["servers"][0]["url"], "http://127.0.0.1:8787/v1");
}

#[test]
fn every_operation_says_who_may_call_it_and_what_can_go_wrong() {
    let document = document();
    let mut ids = BTreeSet::new();
    for (method, path, operation) in operations(&document) {
        let id = operation["operationId"].as_str().unwrap();
        assert!(ids.insert(id.to_owned()), "{id} is there twice");
        assert!(
            operation["summary"].is_string() && operation["tags"].is_array(),
            "{id}"
        );
        let served = OPERATIONS
            .iter()
            .find(|served| served.method == *method && served.path == path)
            .unwrap();
        let statuses: BTreeSet<&str> = operation["responses"]
            .as_object()
            .unwrap()
            .keys()
            .map(String::as_str)
            .collect();
        let mut expected = BTreeSet::from(["200", "500"]);
        match served.access {
            Access::Anyone => {
                assert_eq!(operation["security"], Value::Array(Vec::new()), "{id}");
                expected.remove("500");
            }
            Access::Admin => expected.extend(["401", "403", "422"]),
            Access::Search => expected.extend(["401", "422"]),
        }
        if path.contains('{') {
            expected.insert("404");
        }
        if !operation["requestBody"].is_null() {
            expected.extend(["400", "408", "413"]);
        }
        assert!(
            statuses.is_superset(&expected),
            "{id} lacks {:?}",
            expected.difference(&statuses)
        );
    }
}

#[test]
fn references_lead_somewhere() {
    fn walk(document: &Value, value: &Value, count: &mut usize) {
        match value {
            Value::Object(map) => {
                if map.contains_key("$ref") {
                    resolve(document, value);
                    *count += 1;
                }
                map.values().for_each(|value| walk(document, value, count));
            }
            Value::Array(items) => items.iter().for_each(|value| walk(document, value, count)),
            _ => {}
        }
    }
    let document = document();
    let mut count = 0;
    walk(&document, &document, &mut count);
    assert!(count > 50);
}

/// The example must read as a `T`, every field of it known, and have exactly the properties that its schema names.
fn check<T: DeserializeOwned>(document: &Value, place: &str, media: &Value) {
    let schema = resolve(document, &media["schema"]);
    let examples: Vec<&Value> = match &media["examples"] {
        Value::Object(examples) => examples
            .values()
            .map(|example| &resolve(document, example)["value"])
            .collect(),
        _ => vec![&media["example"]],
    };
    assert!(!examples.is_empty(), "{place} has no example");
    for example in examples {
        assert!(example.is_object(), "{place} has no example");
        serde_json::from_value::<T>(example.clone())
            .unwrap_or_else(|error| panic!("{place}: {error} in {example}"));
        conforms(document, place, schema, example);
    }
}

/// The parts of JSON Schema that the document uses.
fn conforms(document: &Value, place: &str, schema: &Value, value: &Value) {
    let schema = resolve(document, schema);
    if let Value::Array(choices) = &schema["anyOf"] {
        // The only choices that the document leaves: something, or null for its absence.
        assert_eq!(
            choices.get(1),
            Some(&serde_json::json!({"type": "null"})),
            "{place}"
        );
        if !value.is_null() {
            conforms(document, place, &choices[0], value);
        }
        return;
    }
    let types: Vec<&str> = match &schema["type"] {
        Value::String(name) => vec![name],
        Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let fits = |name: &&str| match *name {
        "null" => value.is_null(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("{place}: unknown type {other}"),
    };
    assert!(
        types.is_empty() || types.iter().any(fits),
        "{place}: {value} is not {types:?}"
    );
    if let Value::Array(allowed) = &schema["enum"] {
        assert!(
            allowed.contains(value),
            "{place}: {value} is not one of {allowed:?}"
        );
    }
    if let Value::Object(fields) = value {
        let none = Map::new();
        let properties = schema["properties"].as_object().unwrap_or(&none);
        for required in schema["required"].as_array().into_iter().flatten() {
            assert!(
                fields.contains_key(required.as_str().unwrap()),
                "{place} lacks {required}"
            );
        }
        for (name, field) in fields {
            let place = format!("{place}.{name}");
            match (properties.get(name), &schema["additionalProperties"]) {
                (Some(property), _) => conforms(document, &place, property, field),
                (None, Value::Bool(false)) => panic!("{place} is not in the schema"),
                (None, rest) if rest.is_object() => conforms(document, &place, rest, field),
                (None, _) => {}
            }
        }
    }
    if let Value::Array(items) = value
        && !schema["items"].is_null()
    {
        items.iter().enumerate().for_each(|(index, item)| {
            conforms(document, &format!("{place}.{index}"), &schema["items"], item);
        });
    }
}

#[test]
fn examples_are_what_the_types_read_and_the_schemas_describe() {
    let document = document();
    let mut bodies = 0;
    for (_, _, operation) in operations(&document) {
        let id = operation["operationId"].as_str().unwrap();
        let request = &resolve(&document, &operation["requestBody"])["content"]["application/json"];
        let request_place = format!("{id} request");
        match id {
            "create_dataset" => check::<CustomDataset>(&document, &request_place, request),
            "insert_rows" => check::<Insert>(&document, &request_place, request),
            "create_model" => check::<ModelSetup>(&document, &request_place, request),
            "retrieve" => check::<RetrieveRequest>(&document, &request_place, request),
            _ => assert!(request.is_null(), "{id} has a body that nothing reads"),
        }
        for (status, response) in operation["responses"].as_object().unwrap() {
            let content = &resolve(&document, response)["content"];
            let place = format!("{id} {status}");
            match (status.as_str(), id) {
                ("422", _) => check::<ValidationError>(&document, &place, &content["application/json"]),
                ("200", _) => {
                    let media = &content["application/json"];
                    match id {
                        "list_datasets" => check::<DatasetList>(&document, &place, media),
                        "get_dataset" => check::<DatasetDetails>(&document, &place, media),
                        "create_model" => check::<ModelCreated>(&document, &place, media),
                        "list_models" => check::<ModelList>(&document, &place, media),
                        "get_model" => check::<ModelView>(&document, &place, media),
                        "retrieve" => check::<RetrieveResponse>(&document, &place, media),
                        _ => check::<Message>(&document, &place, media),
                    }
                }
                _ => {
                    let media = &content["application/problem+json"];
                    check::<Problem>(&document, &place, media);
                    let problem = &media["example"];
                    assert_eq!(&problem["status"].to_string(), status, "{place}");
                }
            }
            bodies += 1;
        }
    }
    assert!(bodies > 60, "{bodies}");
}

/// A type takes exactly the fields that its schema names: neither side has one that the other has not.
#[test]
fn types_and_schemas_have_the_same_fields() {
    fn fields<T: DeserializeOwned>() -> BTreeSet<String> {
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
    let document = document();
    let schema = |name: &str| -> BTreeSet<String> {
        document["components"]["schemas"][name]["properties"]
            .as_object()
            .unwrap()
            .keys()
            .cloned()
            .collect()
    };
    assert_eq!(fields::<CustomDataset>(), schema("CustomDataset"));
    assert_eq!(fields::<DatasetDetails>(), schema("DatasetDetails"));
    assert_eq!(fields::<super::types::DatasetSummary>(), schema("DatasetSummary"));
    assert_eq!(fields::<Insert>(), schema("Insert"));
    assert_eq!(fields::<ModelSetup>(), schema("ModelSetup"));
    assert_eq!(fields::<super::types::ModelBody>(), schema("Model"));
    assert_eq!(fields::<super::types::TextIndexBody>(), schema("TextIndex"));
    assert_eq!(fields::<super::types::ConnectorBody>(), schema("Connector"));
    assert_eq!(fields::<super::types::FetchBody>(), schema("Fetch"));
    assert_eq!(
        fields::<super::types::InferenceConfig>(),
        schema("InferenceConfig")
    );
    assert_eq!(fields::<ModelView>(), schema("ModelView"));
    assert_eq!(fields::<super::types::ModelSummary>(), schema("ModelSummary"));
    assert_eq!(fields::<RetrieveRequest>(), schema("RetrieveRequest"));
    assert_eq!(fields::<RetrieveResponse>(), schema("RetrieveResponse"));
    assert_eq!(fields::<Problem>(), schema("Problem"));
    assert_eq!(fields::<ValidationError>(), schema("ValidationError"));
}
