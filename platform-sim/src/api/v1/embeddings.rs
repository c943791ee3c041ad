//! Items and users as vectors.

use axum::Json;
use axum::extract::State;
use serde_json::json;

use super::inference::{EmbeddingsResponse, ItemEmbeddingsRequest, UserEmbeddingsRequest, count};
use super::{error, wrong};
use crate::api::extract::{JsonBody, Name};
use crate::error::ApiError;
use crate::platform::Platform;
use crate::service::inference::serve::answer;

pub(super) async fn items(
    State(platform): State<Platform>,
    Name(model): Name,
    JsonBody(body): JsonBody<ItemEmbeddingsRequest>,
) -> Result<Json<EmbeddingsResponse>, ApiError> {
    count(&body.item_ids, "item_ids")?;
    let dimension = dimension(body.dimension)?;
    let vectors = answer(&platform, model, move |engine| {
        engine.item_embeddings(&body.item_ids, dimension)
    })
    .await;
    Ok(Json(EmbeddingsResponse {
        embeddings: vectors.map_err(error)?,
    }))
}

pub(super) async fn users(
    State(platform): State<Platform>,
    Name(model): Name,
    JsonBody(body): JsonBody<UserEmbeddingsRequest>,
) -> Result<Json<EmbeddingsResponse>, ApiError> {
    count(&body.user_ids, "user_ids")?;
    let dimension = dimension(body.dimension)?;
    let vectors = answer(&platform, model, move |engine| {
        engine.user_embeddings(&body.user_ids, dimension)
    })
    .await;
    Ok(Json(EmbeddingsResponse {
        embeddings: vectors.map_err(error)?,
    }))
}

/// The model says how many there are at most.
fn dimension(dimension: Option<i64>) -> Result<Option<usize>, ApiError> {
    match dimension {
        None => Ok(None),
        Some(dimension) => match usize::try_from(dimension) {
            Ok(dimension) if dimension > 0 => Ok(Some(dimension)),
            _ => Err(wrong(
                vec![json!("dimension")],
                "out_of_range",
                "dimension is a whole number from 1 on",
            )),
        },
    }
}
