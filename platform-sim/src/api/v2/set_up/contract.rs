//! `api-spec/v2/openapi.yaml` and the set-up body: examples are read, and what is read is read the same once more.

use serde_json::{Map, Value, json};

use super::read;
use crate::api::contract::{Document, fields};
use crate::api::v2::models::{Feature, ModelDetails, ModelSchemaDetails};
use crate::service::domain::{EvaluationReport, PolicyEvaluation, PolicyTuning, Trial, TuningReport};

fn set_up_examples(document: &Document) -> Vec<Map<String, Value>> {
    let mut examples = Vec::new();
    for (_, _, operation) in document.operations() {
        let id = operation["operationId"].as_str().unwrap();
        for (which, _, media) in document.bodies(operation) {
            if which == "request" && ["create_model", "update_model"].contains(&id) {
                let found = document.examples(media).into_iter();
                examples.extend(found.map(|example| example.as_object().unwrap().clone()));
            }
        }
    }
    examples.retain(|example| example.contains_key("version"));
    examples
}

#[test]
fn examples_are_read_and_their_defaults_are_what_is_read_without_them() {
    let document = Document::read("v2");
    let examples = set_up_examples(&document);
    assert!(examples.len() > 1, "{}", examples.len());
    for example in examples {
        let first = read(&example).unwrap_or_else(|wrong| panic!("{example:?}: {wrong:?}"));
        let given = first.new.config.given.clone().unwrap();
        let again = read(&given).unwrap_or_else(|wrong| panic!("{given:?}: {wrong:?}"));
        assert_eq!(again.new.config.given.unwrap(), given);
        for (name, value) in &example {
            assert!(
                contains(&given[name], value),
                "{name}: {value} became {}",
                given[name]
            );
        }
    }
}

/// Whether everything of `small` is in `large`; a hyphen in the name of a policy type may be an underscore.
fn contains(large: &Value, small: &Value) -> bool {
    match (large, small) {
        (Value::Object(large), Value::Object(small)) => small.iter().all(|(name, value)| {
            value.is_null() || large.get(name).is_some_and(|large| contains(large, value))
        }),
        (Value::Array(large), Value::Array(small)) => {
            large.len() == small.len()
                && large
                    .iter()
                    .zip(small)
                    .all(|(large, small)| contains(large, small))
        }
        (Value::Number(large), Value::Number(small)) => large.as_f64() == small.as_f64(),
        (Value::String(large), Value::String(small)) => *large == *small || *large == small.replace('-', "_"),
        (large, small) => large == small,
    }
}

#[test]
fn details_have_the_fields_of_their_schema() {
    let document = Document::read("v2");
    assert_eq!(fields::<ModelDetails>(), document.fields("ModelDetails"));
    assert_eq!(fields::<Feature>(), document.fields("Feature"));
    assert_eq!(fields::<EvaluationReport>(), document.fields("Evaluation"));
    assert_eq!(fields::<TuningReport>(), document.fields("Tuning"));
    let inner = |schema: &str, path: &str| {
        let schema = document.schema(schema);
        let found = schema
            .pointer(path)
            .unwrap_or_else(|| panic!("{schema}: no {path}"));
        let found = found["properties"].as_object().unwrap();
        found
            .keys()
            .cloned()
            .collect::<std::collections::BTreeSet<String>>()
    };
    assert_eq!(
        fields::<ModelSchemaDetails>(),
        inner("ModelDetails", "/properties/model_schema")
    );
    let policies = "/properties/policies/additionalProperties";
    assert_eq!(fields::<PolicyEvaluation>(), inner("Evaluation", policies));
    assert_eq!(fields::<PolicyTuning>(), inner("Tuning", policies));
    assert_eq!(
        fields::<Trial>(),
        inner("Tuning", &format!("{policies}/properties/trials/items"))
    );
}

#[test]
fn a_default_of_null_is_kept_apart_from_none() {
    let body = json!({
        "version": "v2", "name": "m", "data": {"item_dataset": {"type": "table", "name": "t"}},
        "queries": {"q": {"query": {"type": "rank_items"}, "params": {"a": {}, "b": {"default": null}, "c": null, "d": {"default": [1, "x"]}}}},
    });
    let wanted = read(body.as_object().unwrap()).unwrap();
    let stored = serde_json::to_string(&wanted.new.config).unwrap();
    let config: crate::service::domain::ModelConfig = serde_json::from_str(&stored).unwrap();
    let params = &config.queries["q"].params;
    assert_eq!(
        (&params["a"], &params["b"], &params["c"], &params["d"]),
        (&None, &Some(Value::Null), &None, &Some(json!([1, "x"])))
    );
    assert_eq!(config.slate_size, 50);
    assert_eq!(config.train_schedule.0, "@daily");
}
