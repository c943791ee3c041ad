//! Datasets.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use serde_json::{Map, Value, json};

use super::types::{DatasetDetails, DatasetList, DatasetSummary, Insert, Message};
use super::{error, wrong};
use crate::api::extract::{JsonBody, Name};
use crate::error::ApiError;
use crate::platform::Platform;
use crate::service::domain::{Column, Dataset};
use crate::service::failure::Failure;
use crate::service::{datasets, names, schema_types};

pub(super) async fn create(
    State(platform): State<Platform>,
    JsonBody(body): JsonBody<Map<String, Value>>,
) -> Result<Json<Message>, ApiError> {
    let new = schema_types::read(&body).map_err(|violations| error(Failure::Invalid(violations)))?;
    let (name, takes_inserts) = (new.name.clone(), new.schema_type.takes_inserts());
    datasets::create(&platform, new).await.map_err(error)?;
    let next = if takes_inserts {
        "insert rows when its status is ACTIVE"
    } else {
        "its details say how that went"
    };
    Ok(Json(Message {
        message: format!("dataset '{name}' is being deployed; {next}"),
    }))
}

pub(super) async fn edit(
    State(platform): State<Platform>,
    JsonBody(body): JsonBody<Map<String, Value>>,
) -> Result<Json<Message>, ApiError> {
    let name = body
        .get("name")
        .and_then(Value::as_str)
        .unwrap_or_default()
        .to_owned();
    datasets::edit(&platform, body).await.map_err(error)?;
    Ok(Json(Message {
        message: format!("dataset '{name}' is changed"),
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

fn check_column_names(body: &Insert) -> Result<(), ApiError> {
    for (index, row) in body.data.iter().enumerate() {
        for name in row.keys() {
            names::check_column(name).map_err(|message| {
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
        schema_type: dataset.schema_type.name.to_owned(),
        status: dataset.status.as_str().to_owned(),
        description: dataset.description,
    }
}

fn details(platform: &Platform, dataset: Dataset) -> DatasetDetails {
    DatasetDetails {
        dataset_uri: uri(platform, &dataset.name),
        config: schema_types::effective(dataset.schema_type, &dataset.config, &dataset.unique_keys),
        name: dataset.name.clone(),
        dataset_name: dataset.name,
        schema_type: dataset.schema_type.name.to_owned(),
        dataset_schema: columns_view(dataset.schema.columns),
        kinesis_stream_arn: None,
        kinesis_iam_role_arn: None,
        status: dataset.status.as_str().to_owned(),
        description: dataset.description,
        error_message: dataset.error_message,
        warning_message: dataset.warning_message,
        created_at: dataset.created_at,
        updated_at: dataset.updated_at,
    }
}

fn uri(platform: &Platform, name: &str) -> String {
    format!("{}/v1/datasets/{name}", platform.options.public_url)
}
