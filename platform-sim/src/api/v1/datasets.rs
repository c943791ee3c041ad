//! Datasets.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use serde_json::{Map, Value, json};

use super::types::{CustomDataset, DatasetDetails, DatasetList, DatasetSummary, Insert, Message};
use super::{error, not_here, wrong};
use crate::api::extract::{JsonBody, Name, check_name, from_value};
use crate::error::ApiError;
use crate::platform::Platform;
use crate::service::datasets;
use crate::service::domain::{Column, Dataset, NewDataset, Schema, ValueType};

/// The schema types of the specification's first version. This server has CUSTOM.
const SCHEMA_TYPES: [&str; 12] = [
    "BIGQUERY",
    "MONGODB",
    "SNOWFLAKE",
    "POSTGRES",
    "MYSQL",
    "SEGMENT",
    "RUDDERSTACK",
    "AMPLITUDE",
    "AWS_PINPOINT",
    "REDSHIFT",
    "KINESIS",
    "CUSTOM",
];

/// The longest name of a column.
const MAX_COLUMN_NAME_CHARACTERS: usize = 128;

pub(super) async fn create(
    State(platform): State<Platform>,
    JsonBody(body): JsonBody<Map<String, Value>>,
) -> Result<Json<Message>, ApiError> {
    let new = new_dataset(body)?;
    let name = new.name.clone();
    datasets::create(&platform, new).await.map_err(error)?;
    Ok(Json(Message {
        message: format!("dataset '{name}' is being deployed; insert rows when its status is ACTIVE"),
    }))
}

pub(super) async fn list(State(platform): State<Platform>) -> Result<Json<DatasetList>, ApiError> {
    let datasets = datasets::list(&platform).await.map_err(error)?;
    Ok(Json(DatasetList {
        datasets: datasets
            .into_iter()
            .map(|dataset| summary(&platform, dataset))
            .collect(),
    }))
}

pub(super) async fn get(
    State(platform): State<Platform>,
    Name(name): Name,
) -> Result<Json<DatasetDetails>, ApiError> {
    let dataset = datasets::get(&platform, &name).await.map_err(error)?;
    Ok(Json(details(&platform, dataset)))
}

pub(super) async fn insert(
    State(platform): State<Platform>,
    Name(name): Name,
    JsonBody(body): JsonBody<Insert>,
) -> Result<Json<Message>, ApiError> {
    check_column_names(&body)?;
    let rows = datasets::insert(&platform, name.clone(), body.data)
        .await
        .map_err(error)?;
    let noun = if rows == 1 { "row" } else { "rows" };
    Ok(Json(Message {
        message: format!("inserted {rows} {noun} into dataset '{name}'"),
    }))
}

pub(super) async fn delete(
    State(platform): State<Platform>,
    Name(name): Name,
) -> Result<Json<Message>, ApiError> {
    datasets::delete(&platform, &name).await.map_err(error)?;
    Ok(Json(Message {
        message: format!("dataset '{name}' is deleted"),
    }))
}

fn new_dataset(body: Map<String, Value>) -> Result<NewDataset, ApiError> {
    // The schema type decides which other fields there are, so it is looked at first.
    match body.get("schema_type") {
        Some(Value::String(schema_type)) if schema_type == "CUSTOM" => {}
        Some(Value::String(schema_type)) => {
            let known = SCHEMA_TYPES.contains(&schema_type.as_str());
            let message = if known {
                format!(
                    "this server has no connector for {schema_type} yet; it has CUSTOM, which takes rows by POST /v1/datasets/{{name}}/insert"
                )
            } else {
                format!(
                    "'{}' is no schema type; this server has CUSTOM",
                    schema_type.chars().take(60).collect::<String>()
                )
            };
            return Err(wrong(
                vec![json!("schema_type")],
                if known { "not_supported" } else { "unknown_value" },
                message,
            ));
        }
        // Missing or of another type: the body's own reader says so.
        _ => {}
    }
    let body: CustomDataset = from_value(Value::Object(body))?;
    check_name(&body.name).map_err(|message| wrong(vec![json!("name")], "invalid_name", message))?;
    match body.deployment_type.as_deref() {
        None | Some("CUSTOM") => {}
        Some("MELTANO_SYNC" | "REALTIME") => {
            return Err(not_here(
                &["deployment_type"],
                "a CUSTOM dataset has the deployment_type CUSTOM",
            ));
        }
        Some(_) => {
            return Err(wrong(
                vec![json!("deployment_type")],
                "unknown_value",
                "deployment_type must be CUSTOM",
            ));
        }
    }
    Ok(NewDataset {
        name: body.name,
        description: body.description,
        schema: body.column_schema.map(schema).transpose()?.unwrap_or_default(),
        unique_keys: unique_keys(body.unique_keys.unwrap_or_default())?,
    })
}

fn schema(columns: Map<String, Value>) -> Result<Schema, ApiError> {
    if columns.is_empty() {
        return Err(wrong(
            vec![json!("column_schema")],
            "empty",
            "column_schema must declare a column; leave it out to have the columns inferred from the rows",
        ));
    }
    let columns = columns
        .into_iter()
        .map(|(name, value_type)| {
            let place = || vec![json!("column_schema"), json!(name)];
            check_column_name(&name).map_err(|message| wrong(place(), "invalid_name", message))?;
            let value_type = value_type.as_str().and_then(parse_value_type).ok_or_else(|| {
                let known: Vec<&str> = ValueType::ALL
                    .iter()
                    .map(|value_type| value_type.name())
                    .collect();
                wrong(
                    place(),
                    "unknown_value",
                    format!("a column's type is one of {}", known.join(", ")),
                )
            })?;
            Ok(Column { name, value_type })
        })
        .collect::<Result<Vec<_>, ApiError>>()?;
    Ok(Schema {
        declared: true,
        columns,
    })
}

fn unique_keys(keys: Vec<String>) -> Result<Vec<String>, ApiError> {
    for (index, key) in keys.iter().enumerate() {
        let place = vec![json!("unique_keys"), json!(index)];
        check_column_name(key).map_err(|message| wrong(place.clone(), "invalid_name", message))?;
        if keys[..index].contains(key) {
            return Err(wrong(place, "repeated", format!("'{key}' is named twice")));
        }
    }
    Ok(keys)
}

fn check_column_name(name: &str) -> Result<(), String> {
    if name.is_empty()
        || name.chars().count() > MAX_COLUMN_NAME_CHARACTERS
        || name.chars().any(char::is_control)
    {
        Err(format!(
            "a column's name has 1 to {MAX_COLUMN_NAME_CHARACTERS} characters and no control characters"
        ))
    } else {
        Ok(())
    }
}

fn check_column_names(body: &Insert) -> Result<(), ApiError> {
    for (index, row) in body.data.iter().enumerate() {
        for name in row.keys() {
            check_column_name(name).map_err(|message| {
                wrong(
                    vec![json!("data"), json!(index), json!(name)],
                    "invalid_name",
                    message,
                )
            })?;
        }
    }
    Ok(())
}

/// Version 1 has its own names for the lists and takes the newer ones too.
fn parse_value_type(name: &str) -> Option<ValueType> {
    match name {
        "ArrayOfString" => Some(ValueType::StringArray),
        "ArrayOfInteger" => Some(ValueType::Int64Array),
        "ArrayOfDouble" => Some(ValueType::Float64Array),
        _ => ValueType::ALL
            .into_iter()
            .find(|value_type| value_type.name() == name),
    }
}

/// Names and types as answers show them.
pub(super) fn columns_view(columns: Vec<Column>) -> BTreeMap<String, String> {
    columns
        .into_iter()
        .map(|column| (column.name, column.value_type.name().to_owned()))
        .collect()
}

fn summary(platform: &Platform, dataset: Dataset) -> DatasetSummary {
    DatasetSummary {
        dataset_uri: uri(platform, &dataset.name),
        dataset_name: dataset.name,
        created_at: dataset.created_at,
        schema_type: "CUSTOM".to_owned(),
        status: dataset.status.as_str().to_owned(),
        description: dataset.description,
    }
}

fn details(platform: &Platform, dataset: Dataset) -> DatasetDetails {
    DatasetDetails {
        dataset_uri: uri(platform, &dataset.name),
        name: dataset.name.clone(),
        dataset_name: dataset.name,
        schema_type: "CUSTOM".to_owned(),
        dataset_schema: columns_view(dataset.schema.columns),
        kinesis_stream_arn: None,
        kinesis_iam_role_arn: None,
        status: dataset.status.as_str().to_owned(),
        description: dataset.description,
        error_message: dataset.error_message,
        warning_message: None,
        created_at: dataset.created_at,
        updated_at: dataset.updated_at,
    }
}

fn uri(platform: &Platform, name: &str) -> String {
    format!("{}/v1/datasets/{name}", platform.options.public_url)
}
