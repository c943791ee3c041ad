//! `api-spec/v1/openapi.yaml` and the types of version 1: examples are what they read and write, and neither side has a
//! field that the other has not.

use std::collections::BTreeSet;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::inference::{
    AttributeGridRequest, AttributeGridResponse, ComplementItemsRequest, EmbeddingsResponse, InferenceConfig,
    ItemEmbeddingsRequest, RankAttributesRequest, RankAttributesResponse, RankRequest, RetrieveRequest,
    RetrieveResponse, RetrieverK, SessionInteraction, SimilarItemsRequest, SimilarResponse,
    SimilarUsersRequest, UserEmbeddingsRequest,
};
use super::types::{
    DatasetDetails, DatasetList, EnrichmentBody, Insert, Message, ModelCreated, ModelList, ModelSetup,
    ModelView, SqlTransformBody, TransformList, TransformView,
};
use crate::api::contract::schema::resolve;
use crate::api::contract::{Document, fields, round_trip};
use crate::error::{Problem, ValidationError};
use crate::service::schema_types::{self, Kind, SCHEMA_TYPES};

fn check<T: DeserializeOwned + Serialize>(document: &Document, place: &str, media: &Value) {
    for example in document.examples(media) {
        round_trip::<T>(place, example);
    }
}

#[test]
fn examples_are_what_the_types_read_and_write() {
    let document = Document::read("v1");
    let mut bodies = 0;
    for (_, _, operation) in document.operations() {
        let id = operation["operationId"].as_str().unwrap();
        for (which, content_type, media) in document.bodies(operation) {
            let place = format!("{id} {which}");
            match (which, content_type) {
                ("request", _) => check_request(&document, id, &place, media),
                ("422", _) => check::<ValidationError>(&document, &place, media),
                (_, "application/problem+json") => check::<Problem>(&document, &place, media),
                _ => check_answer(&document, id, &place, media),
            }
            bodies += 1;
        }
    }
    assert!(bodies > 250, "{bodies}");
}

fn check_request(document: &Document, id: &str, place: &str, media: &Value) {
    match id {
        "create_dataset" => {
            for example in document.examples(media) {
                schema_types::read(example.as_object().unwrap())
                    .unwrap_or_else(|wrong| panic!("{place}: {wrong:?} in {example}"));
            }
        }
        "create_transform" => {
            for example in document.examples(media) {
                if example["transform_type"] == "SQL" {
                    round_trip::<SqlTransformBody>(place, example);
                } else {
                    round_trip::<EnrichmentBody>(place, example);
                }
            }
        }
        "edit_dataset" | "describe_transform" => check::<Map<String, Value>>(document, place, media),
        "insert_rows" => check::<Insert>(document, place, media),
        "create_model" | "update_model" => check::<ModelSetup>(document, place, media),
        "retrieve" => check::<RetrieveRequest>(document, place, media),
        "rank" => check::<RankRequest>(document, place, media),
        "similar_items" => check::<SimilarItemsRequest>(document, place, media),
        "similar_users" => check::<SimilarUsersRequest>(document, place, media),
        "complement_items" => check::<ComplementItemsRequest>(document, place, media),
        "rank_attributes" => check::<RankAttributesRequest>(document, place, media),
        "rank_attribute_grid" => check::<AttributeGridRequest>(document, place, media),
        "item_embeddings" => check::<ItemEmbeddingsRequest>(document, place, media),
        "user_embeddings" => check::<UserEmbeddingsRequest>(document, place, media),
        _ => panic!("{id} has a body that nothing reads"),
    }
}

fn check_answer(document: &Document, id: &str, place: &str, media: &Value) {
    match id {
        "list_datasets" => check::<DatasetList>(document, place, media),
        "list_transforms" => check::<TransformList>(document, place, media),
        "get_transform" => check::<TransformView>(document, place, media),
        "get_dataset" => check::<DatasetDetails>(document, place, media),
        "create_model" | "update_model" => check::<ModelCreated>(document, place, media),
        "list_models" => check::<ModelList>(document, place, media),
        "get_model" => check::<ModelView>(document, place, media),
        "retrieve" | "rank" | "rank_by_query" => check::<RetrieveResponse>(document, place, media),
        "similar_items" | "similar_users" | "complement_items" => {
            check::<SimilarResponse>(document, place, media);
        }
        "rank_attributes" => check::<RankAttributesResponse>(document, place, media),
        "rank_attribute_grid" => check::<AttributeGridResponse>(document, place, media),
        "item_embeddings" | "user_embeddings" => check::<EmbeddingsResponse>(document, place, media),
        _ => check::<Message>(document, place, media),
    }
}

/// A type takes exactly the fields that its schema names: neither side has one that the other has not.
#[test]
fn types_and_schemas_have_the_same_fields() {
    let document = Document::read("v1");
    let schema = |name: &str| document.fields(name);
    assert_eq!(fields::<DatasetDetails>(), schema("DatasetDetails"));
    assert_eq!(fields::<super::types::DatasetSummary>(), schema("DatasetSummary"));
    assert_eq!(fields::<SqlTransformBody>(), schema("SqlTransform"));
    assert_eq!(fields::<EnrichmentBody>(), schema("EnrichmentTransform"));
    assert_eq!(fields::<TransformView>(), schema("TransformView"));
    assert_eq!(fields::<Insert>(), schema("Insert"));
    assert_eq!(fields::<ModelSetup>(), schema("ModelSetup"));
    assert_eq!(fields::<super::types::ModelBody>(), schema("Model"));
    assert_eq!(fields::<super::types::TextIndexBody>(), schema("TextIndex"));
    assert_eq!(fields::<super::types::ConnectorBody>(), schema("Connector"));
    assert_eq!(fields::<super::types::FetchBody>(), schema("Fetch"));
    assert_eq!(fields::<InferenceConfig>(), schema("InferenceConfig"));
    assert_eq!(fields::<RetrieverK>(), schema("RetrieverK"));
    assert_eq!(fields::<SessionInteraction>(), schema("SessionInteraction"));
    assert_eq!(fields::<RankRequest>(), schema("RankRequest"));
    assert_eq!(fields::<SimilarItemsRequest>(), schema("SimilarItemsRequest"));
    assert_eq!(fields::<SimilarUsersRequest>(), schema("SimilarUsersRequest"));
    assert_eq!(
        fields::<ComplementItemsRequest>(),
        schema("ComplementItemsRequest")
    );
    assert_eq!(fields::<RankAttributesRequest>(), schema("RankAttributesRequest"));
    assert_eq!(fields::<AttributeGridRequest>(), schema("AttributeGridRequest"));
    assert_eq!(fields::<ItemEmbeddingsRequest>(), schema("ItemEmbeddingsRequest"));
    assert_eq!(fields::<UserEmbeddingsRequest>(), schema("UserEmbeddingsRequest"));
    assert_eq!(fields::<SimilarResponse>(), schema("SimilarResponse"));
    assert_eq!(
        fields::<RankAttributesResponse>(),
        schema("RankAttributesResponse")
    );
    assert_eq!(fields::<AttributeGridResponse>(), schema("AttributeGridResponse"));
    assert_eq!(fields::<EmbeddingsResponse>(), schema("EmbeddingsResponse"));
    assert_eq!(fields::<ModelView>(), schema("ModelView"));
    assert_eq!(
        fields::<super::types::ModelFeaturesView>(),
        schema("ModelFeatures")
    );
    assert_eq!(fields::<super::types::ModelSummary>(), schema("ModelSummary"));
    assert_eq!(fields::<RetrieveRequest>(), schema("RetrieveRequest"));
    assert_eq!(fields::<RetrieveResponse>(), schema("RetrieveResponse"));
    assert_eq!(fields::<Problem>(), schema("Problem"));
    assert_eq!(fields::<ValidationError>(), schema("ValidationError"));
}

/// The document has the schema types of the table, each with its fields, defaults, bounds and secrets.
#[test]
fn dataset_configurations_are_those_of_the_table() {
    let document = Document::read("v1");
    let config = document.schema("DatasetConfig");
    let mapping = config["discriminator"]["mapping"].as_object().unwrap();
    assert_eq!(
        mapping.keys().map(String::as_str).collect::<BTreeSet<_>>(),
        SCHEMA_TYPES.iter().map(|known| known.name).collect()
    );
    assert_eq!(config["oneOf"].as_array().unwrap().len(), SCHEMA_TYPES.len());
    for schema_type in &SCHEMA_TYPES {
        let reference = serde_json::json!({"$ref": mapping[schema_type.name]});
        let schema = resolve(&document.value, &reference);
        assert_eq!(schema["additionalProperties"], Value::Bool(false));
        let properties = schema["properties"].as_object().unwrap();
        assert_eq!(
            properties.keys().map(String::as_str).collect::<BTreeSet<_>>(),
            schema_type.fields().map(|field| field.name).collect(),
            "{}",
            schema_type.name
        );
        let required: BTreeSet<&str> = schema["required"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(Value::as_str)
            .collect();
        for field in schema_type.fields() {
            let place = format!("{}.{}", schema_type.name, field.name);
            let property = &properties[field.name];
            assert_eq!(required.contains(field.name), field.required, "{place}");
            let default = match field.kind {
                Kind::Deployment => Value::from(schema_type.deployment[0]),
                _ => field.default.map_or(Value::Null, schema_types::Default::value),
            };
            assert_eq!(property["default"], default, "{place}");
            assert_eq!(
                property["writeOnly"] == Value::Bool(true),
                field.kind == Kind::Secret,
                "{place}"
            );
            match field.kind {
                Kind::SchemaType => {
                    assert_eq!(property["enum"], serde_json::json!([schema_type.name]), "{place}");
                }
                Kind::Deployment => {
                    let mut allowed: Vec<Value> = schema_type
                        .deployment
                        .iter()
                        .map(|name| Value::from(*name))
                        .collect();
                    allowed.push(Value::Null);
                    assert_eq!(property["enum"], Value::from(allowed), "{place}");
                }
                Kind::Whole(least, most) => {
                    assert_eq!(property["minimum"], least, "{place}");
                    assert_eq!(property["maximum"], most, "{place}");
                }
                _ => {}
            }
        }
    }
}
