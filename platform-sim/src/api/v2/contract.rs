//! `api-spec/v2/openapi.yaml` and the types of version 2: examples are what they read and write, and neither side has a
//! field, a policy or a setting that the other has not.

use std::collections::BTreeSet;

use recsys::{MODELS, ParameterKind};
use serde_json::{Value, json};

use super::queries::{
    QueryList, QueryRequest, QueryResponse, QueryResult, SavedQueryInfo, SavedQueryRequest,
};
use crate::api::contract::schema::resolve;
use crate::api::contract::{Document, fields, round_trip};
use crate::service::query::explain::{Distribution, Explanation, Stage, Step};

/// Policies that train here without being among the platform's policy types.
const OF_THE_LIBRARY_ONLY: [&str; 1] = ["item_knn"];

#[test]
fn examples_of_queries_are_what_the_types_read_and_write() {
    let document = Document::read("v2");
    let mut examples = 0;
    for (_, _, operation) in document.operations() {
        let id = operation["operationId"].as_str().unwrap();
        for (which, _, media) in document.bodies(operation) {
            let place = format!("{id} {which}");
            let check = match (id, which) {
                ("run_query", "request") => round_trip::<QueryRequest>,
                ("run_saved_query", "request") => round_trip::<SavedQueryRequest>,
                ("run_query" | "run_saved_query", "200") => round_trip::<QueryResponse>,
                ("list_queries", "200") => round_trip::<QueryList>,
                ("get_query", "200") => round_trip::<SavedQueryInfo>,
                _ => continue,
            };
            for example in document.examples(media) {
                check(&place, example);
                examples += 1;
            }
        }
    }
    assert!(examples > 8, "{examples}");
}

#[test]
fn types_of_queries_and_their_schemas_have_the_same_fields() {
    let document = Document::read("v2");
    assert_eq!(fields::<QueryRequest>(), document.fields("QueryRequest"));
    assert_eq!(
        fields::<SavedQueryRequest>(),
        document.fields("SavedQueryRequest")
    );
    assert_eq!(fields::<QueryResponse>(), document.fields("QueryResponse"));
    assert_eq!(fields::<QueryResult>(), document.fields("QueryResult"));
    assert_eq!(fields::<Explanation>(), document.fields("Explanation"));
    assert_eq!(fields::<Stage>(), document.fields("ExplainedStage"));
    assert_eq!(fields::<Step>(), document.fields("ExplainedStep"));
    assert_eq!(fields::<Distribution>(), document.fields("Distribution"));
    assert_eq!(fields::<QueryList>(), document.fields("QueryList"));
    assert_eq!(fields::<SavedQueryInfo>(), document.fields("SavedQueryInfo"));
}

/// The document has the policies of the library, each with its settings, their defaults and bounds.
#[test]
fn policies_are_those_of_the_library() {
    let document = Document::read("v2");
    let mapping = document.schema("Policy")["discriminator"]["mapping"]
        .as_object()
        .unwrap();
    let own = |reference: &Value| {
        let name = reference.as_str().unwrap().rsplit('/').next().unwrap().to_owned();
        !["OtherPolicy", "ScoreEnsemblePolicy"].contains(&name.as_str())
    };
    let documented: BTreeSet<&str> = mapping
        .iter()
        .filter(|(name, reference)| own(reference) && !name.contains('-'))
        .map(|(name, _)| name.as_str())
        .collect();
    let trained: BTreeSet<&str> = MODELS
        .iter()
        .map(|spec| spec.id)
        .filter(|id| !OF_THE_LIBRARY_ONLY.contains(id))
        .collect();
    assert_eq!(documented, trained);
    for spec in MODELS.iter().filter(|spec| documented.contains(spec.id)) {
        let schema = resolve(&document.value, &json!({"$ref": mapping[spec.id]})).clone();
        let properties = schema["properties"].as_object().unwrap();
        let settings: BTreeSet<&str> = properties
            .keys()
            .map(String::as_str)
            .filter(|name| !["name", "policy_type", "event_values"].contains(name))
            .collect();
        assert_eq!(
            settings,
            spec.parameters.iter().map(|parameter| parameter.name).collect(),
            "{}",
            spec.id
        );
        for parameter in spec.parameters {
            let place = format!("{}.{}", spec.id, parameter.name);
            let property = &properties[parameter.name];
            let plain = &property["anyOf"][0];
            match parameter.kind {
                ParameterKind::Int { default, min, max } => {
                    assert_eq!(property["default"], default, "{place}");
                    assert_eq!(
                        (&plain["minimum"], &plain["maximum"]),
                        (&json!(min), &json!(max)),
                        "{place}"
                    );
                }
                ParameterKind::Float { default, min, max } => {
                    assert_eq!(property["default"].as_f64(), Some(default), "{place}");
                    assert_eq!(
                        (plain["minimum"].as_f64(), plain["maximum"].as_f64()),
                        (Some(min), Some(max)),
                        "{place}"
                    );
                }
                ParameterKind::Choice { default, options } => {
                    assert_eq!(property["default"], default, "{place}");
                    assert_eq!(plain["enum"], json!(options), "{place}");
                }
                ParameterKind::Text { default } => assert_eq!(property["default"], default, "{place}"),
                _ => panic!("{place} has a kind that this test does not know"),
            }
        }
    }
}
