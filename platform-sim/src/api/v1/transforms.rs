//! Transforms.

use axum::Json;
use axum::extract::State;
use serde_json::{Map, Value, json};

use super::datasets::columns_view;
use super::types::{EnrichmentBody, Message, SqlTransformBody, TransformList, TransformView};
use super::{error, wrong};
use crate::api::extract::{JsonBody, Name, check_name, from_value};
use crate::error::ApiError;
use crate::platform::Platform;
use crate::service::domain::{Enrichment, Recipe, Transform};
use crate::service::transforms::{self, Wanted};
use crate::service::{enrichment, names};

/// The longest prompt, in bytes.
const MAX_PROMPT_BYTES: usize = 16 * 1024;

/// The most columns that an enrichment reads, keeps or writes.
const MAX_COLUMNS: usize = 100;

pub(super) async fn create(
    State(platform): State<Platform>,
    JsonBody(body): JsonBody<Map<String, Value>>,
) -> Result<Json<Message>, ApiError> {
    let wanted = wanted(body)?;
    let name = wanted.name.clone();
    transforms::create(&platform, wanted).await.map_err(error)?;
    Ok(Json(Message {
        message: format!("transform '{name}' is being made; it can be read when its status is ACTIVE"),
    }))
}

pub(super) async fn list(State(platform): State<Platform>) -> Result<Json<TransformList>, ApiError> {
    let transforms = transforms::list(&platform).await.map_err(error)?;
    Ok(Json(TransformList {
        transforms: transforms
            .into_iter()
            .map(|transform| view(&platform, transform))
            .collect(),
    }))
}

pub(super) async fn get(
    State(platform): State<Platform>,
    Name(name): Name,
) -> Result<Json<TransformView>, ApiError> {
    let transform = transforms::get(&platform, &name).await.map_err(error)?;
    Ok(Json(view(&platform, transform)))
}

/// Applies the description; other fields are ignored, whatever they say.
pub(super) async fn describe(
    State(platform): State<Platform>,
    Name(name): Name,
    JsonBody(body): JsonBody<Map<String, Value>>,
) -> Result<Json<Message>, ApiError> {
    match body.get("description") {
        None => {
            transforms::get(&platform, &name).await.map_err(error)?;
            return Ok(Json(Message {
                message: format!("transform '{name}' stays as it is: only its description can be changed"),
            }));
        }
        Some(Value::Null) => transforms::describe(&platform, &name, None)
            .await
            .map_err(error)?,
        Some(Value::String(text)) => {
            transforms::describe(&platform, &name, Some(text.clone()))
                .await
                .map_err(error)?;
        }
        Some(_) => {
            return Err(wrong(
                vec![json!("description")],
                "wrong_type",
                "description is a string",
            ));
        }
    }
    Ok(Json(Message {
        message: format!("transform '{name}' has another description"),
    }))
}

pub(super) async fn delete(
    State(platform): State<Platform>,
    Name(name): Name,
) -> Result<Json<Message>, ApiError> {
    transforms::delete(&platform, &name).await.map_err(error)?;
    Ok(Json(Message {
        message: format!("transform '{name}' is deleted"),
    }))
}

fn wanted(body: Map<String, Value>) -> Result<Wanted, ApiError> {
    // The type decides which other fields there are, so it is looked at first.
    match body.get("transform_type").and_then(Value::as_str) {
        Some("AI_ENRICHMENT") => wanted_enrichment(from_value(Value::Object(body))?),
        Some("SQL") => wanted_sql(from_value(Value::Object(body))?),
        Some(other) => Err(wrong(
            vec![json!("transform_type")],
            "unknown_value",
            format!(
                "a transform's type is SQL or AI_ENRICHMENT, not '{}'",
                other.chars().take(60).collect::<String>()
            ),
        )),
        // Missing or of another type: the reader of a body says so. The name stands first in it.
        None => wanted_sql(from_value(Value::Object(body))?),
    }
}

fn name_of(name: String) -> Result<String, ApiError> {
    check_name(&name).map_err(|message| wrong(vec![json!("name")], "invalid_name", message))?;
    Ok(name)
}

fn wanted_sql(body: SqlTransformBody) -> Result<Wanted, ApiError> {
    let sql = body.sql_query;
    let recipe = match body.sql_transform_type.as_deref() {
        None | Some("VIEW") => Recipe::View { sql },
        Some("MATERIALIZED_VIEW") => Recipe::Materialized { sql },
        Some(_) => {
            return Err(wrong(
                vec![json!("sql_transform_type")],
                "unknown_value",
                "sql_transform_type is VIEW or MATERIALIZED_VIEW",
            ));
        }
    };
    Ok(Wanted {
        name: name_of(body.name)?,
        description: body.description,
        recipe,
    })
}

fn wanted_enrichment(body: EnrichmentBody) -> Result<Wanted, ApiError> {
    let name = name_of(body.name)?;
    check_name(&body.source_dataset)
        .map_err(|message| wrong(vec![json!("source_dataset")], "invalid_name", message))?;
    let kept = body.source_columns_in_output.unwrap_or_default();
    for (field, columns, needed) in [
        ("source_columns", &body.source_columns, true),
        ("source_columns_in_output", &kept, false),
        ("enriched_output_columns", &body.enriched_output_columns, true),
    ] {
        if columns.is_empty() && needed || columns.len() > MAX_COLUMNS {
            let kind = if columns.is_empty() { "empty" } else { "too_long" };
            let message = format!("{field} names 1 to {MAX_COLUMNS} columns");
            return Err(wrong(vec![json!(field)], kind, message));
        }
        for (index, column) in columns.iter().enumerate() {
            let place = vec![json!(field), json!(index)];
            names::check_column(column).map_err(|message| wrong(place.clone(), "invalid_name", message))?;
            if columns[..index].contains(column) {
                return Err(wrong(place, "repeated", format!("'{column}' is named twice")));
            }
        }
    }
    if body.prompt.trim().is_empty() || body.prompt.len() > MAX_PROMPT_BYTES {
        let kind = if body.prompt.len() > MAX_PROMPT_BYTES {
            "too_long"
        } else {
            "empty"
        };
        let message = format!("prompt says what to write, in at most {MAX_PROMPT_BYTES} bytes");
        return Err(wrong(vec![json!("prompt")], kind, message));
    }
    Ok(Wanted {
        name,
        description: body.description,
        recipe: Recipe::Enrichment(Enrichment {
            source: body.source_dataset,
            columns: body.source_columns,
            kept,
            outputs: body.enriched_output_columns,
            prompt: body.prompt,
        }),
    })
}

fn view(platform: &Platform, transform: Transform) -> TransformView {
    let (transform_type, sql_transform_type, sql_query, enriched_by) = match transform.recipe {
        Recipe::View { sql } => ("SQL", Some("VIEW"), Some(sql), None),
        Recipe::Materialized { sql } => ("SQL", Some("MATERIALIZED_VIEW"), Some(sql), None),
        Recipe::Enrichment(_) => {
            let provider = enrichment::provider(&platform.options).description();
            ("AI_ENRICHMENT", None, None, Some(provider))
        }
    };
    TransformView {
        transform_uri: format!("{}/v1/transforms/{}", platform.options.public_url, transform.name),
        transform_name: transform.name,
        status: transform.status.as_str().to_owned(),
        created_at: transform.created_at,
        transform_schema: columns_view(transform.schema.columns),
        source_datasets_names: transform.sources,
        description: transform.description,
        error_message: transform.error_message,
        transform_type: transform_type.to_owned(),
        sql_transform_type: sql_transform_type.map(str::to_owned),
        sql_query,
        enriched_by,
        refreshed_at: transform.refreshed_at,
    }
}
