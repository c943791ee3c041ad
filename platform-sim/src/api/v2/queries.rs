//! Queries: those of a request and those that a model keeps under a name.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::error;
use crate::api::extract::{JsonBody, Name};
use crate::error::ApiError;
use crate::platform::Platform;
use crate::service::failure::{Failure, PathPart, Place};
use crate::service::query::engine::{Answer, ResultRow};
use crate::service::query::explain::Explanation;
use crate::service::query::serve::{self, Saved, Wish};

/// The longest pagination key, in characters.
const MAX_KEY_CHARACTERS: usize = 256;

/// `POST /query`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct QueryRequest {
    pub(crate) query: Map<String, Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) parameters: Option<Map<String, Value>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) return_metadata: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) return_explanation: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) pagination_key: Option<String>,
}

/// `POST /queries/{query_name}`.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SavedQueryRequest {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) parameters: Option<Map<String, Value>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) return_metadata: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) return_explanation: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) pagination_key: Option<String>,
}

/// The answer to a query.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct QueryResponse {
    pub(crate) results: Vec<QueryResult>,
    pub(crate) entity_type: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) explanation: Option<Explanation>,
}

/// One result, best first.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct QueryResult {
    pub(crate) id: String,
    pub(crate) score: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) metadata: Option<Map<String, Value>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) embeddings: Option<BTreeMap<String, Option<Vec<f32>>>>,
}

/// `GET /queries`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct QueryList {
    pub(crate) queries: Vec<String>,
}

/// `GET /queries/{query_name}`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SavedQueryInfo {
    pub(crate) name: String,
    /// The names of its parameters.
    pub(crate) params: Vec<String>,
    pub(crate) query: Value,
    pub(crate) query_type: String,
}

pub(super) async fn ask(
    State(platform): State<Platform>,
    JsonBody(body): JsonBody<QueryRequest>,
) -> Result<Json<QueryResponse>, ApiError> {
    let wish = wish(
        body.parameters,
        body.return_metadata,
        body.return_explanation,
        body.pagination_key,
    )?;
    let answer = serve::ask(&platform, Value::Object(body.query), wish).await;
    Ok(Json(response(answer.map_err(error)?)))
}

pub(super) async fn ask_saved(
    State(platform): State<Platform>,
    Name(name): Name,
    JsonBody(body): JsonBody<SavedQueryRequest>,
) -> Result<Json<QueryResponse>, ApiError> {
    let wish = wish(
        body.parameters,
        body.return_metadata,
        body.return_explanation,
        body.pagination_key,
    )?;
    let answer = serve::ask_saved(&platform, &name, wish).await;
    Ok(Json(response(answer.map_err(saved_error)?)))
}

pub(super) async fn list(State(platform): State<Platform>) -> Result<Json<QueryList>, ApiError> {
    let queries = serve::saved_names(&platform).await.map_err(error)?;
    Ok(Json(QueryList { queries }))
}

pub(super) async fn get(
    State(platform): State<Platform>,
    Name(name): Name,
) -> Result<Json<SavedQueryInfo>, ApiError> {
    let Saved {
        name,
        query,
        params,
        query_type,
        ..
    } = serve::saved(&platform, &name).await.map_err(error)?;
    Ok(Json(SavedQueryInfo {
        name,
        params: params.into_keys().collect(),
        query,
        query_type: query_type.to_owned(),
    }))
}

fn wish(
    parameters: Option<Map<String, Value>>,
    return_metadata: Option<bool>,
    return_explanation: Option<bool>,
    pagination_key: Option<String>,
) -> Result<Wish, ApiError> {
    if let Some(key) = &pagination_key
        && !(1..=MAX_KEY_CHARACTERS).contains(&key.chars().count())
    {
        return Err(ApiError::invalid(
            vec![json!("body"), json!("pagination_key")],
            "out_of_range",
            format!("a pagination key has 1 to {MAX_KEY_CHARACTERS} characters"),
        ));
    }
    Ok(Wish {
        parameters: parameters.unwrap_or_default(),
        with_metadata: return_metadata.unwrap_or(true),
        with_explanation: return_explanation.unwrap_or(false),
        pagination_key,
    })
}

fn response(answer: Answer) -> QueryResponse {
    QueryResponse {
        results: answer.results.into_iter().map(result).collect(),
        entity_type: answer.entity_type.to_owned(),
        explanation: answer.explanation,
    }
}

fn result(row: ResultRow) -> QueryResult {
    QueryResult {
        id: row.id,
        score: row.score,
        metadata: row.metadata,
        embeddings: row.embeddings,
    }
}

/// The body of a call by name has no query: what is wrong in it is said of the name.
fn saved_error(failure: Failure) -> ApiError {
    ApiError::from_failure(failure, |place| match place {
        Place::Path(parts) if parts.first() == Some(&PathPart::from("query")) => {
            vec![json!("path"), json!("query_name")]
        }
        place => super::loc(place),
    })
}
