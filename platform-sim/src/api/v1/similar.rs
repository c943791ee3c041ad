//! What is like an item or a user, and what goes with a basket.

use axum::Json;
use axum::extract::State;

use super::error;
use super::inference::{ComplementItemsRequest, SimilarItemsRequest, SimilarResponse, SimilarUsersRequest};
use crate::api::extract::{JsonBody, Name};
use crate::error::ApiError;
use crate::platform::Platform;
use crate::service::inference::serve::answer;

pub(super) async fn items(
    State(platform): State<Platform>,
    Name(model): Name,
    JsonBody(body): JsonBody<SimilarItemsRequest>,
) -> Result<Json<SimilarResponse>, ApiError> {
    let (item, ask) = body.read()?;
    let ranking = answer(&platform, model, move |engine| engine.similar_items(&item, &ask)).await;
    Ok(Json(ranking.map_err(error)?.into()))
}

pub(super) async fn users(
    State(platform): State<Platform>,
    Name(model): Name,
    JsonBody(body): JsonBody<SimilarUsersRequest>,
) -> Result<Json<SimilarResponse>, ApiError> {
    let ask = body.read()?;
    let ranking = answer(&platform, model, move |engine| engine.similar_users(&ask)).await;
    Ok(Json(ranking.map_err(error)?.into()))
}

pub(super) async fn complements(
    State(platform): State<Platform>,
    Name(model): Name,
    JsonBody(body): JsonBody<ComplementItemsRequest>,
) -> Result<Json<SimilarResponse>, ApiError> {
    let (basket, ask) = body.read()?;
    let ranking = answer(&platform, model, move |engine| {
        engine.complement_items(&basket, &ask)
    })
    .await;
    Ok(Json(ranking.map_err(error)?.into()))
}
