//! Values of attributes for users.

use axum::Json;
use axum::extract::State;

use super::error;
use super::inference::{
    AttributeGridRequest, AttributeGridResponse, RankAttributesRequest, RankAttributesResponse, limit, user,
};
use crate::api::extract::{JsonBody, Name};
use crate::error::ApiError;
use crate::platform::Platform;
use crate::service::inference::rank::Attributes;
use crate::service::inference::serve::answer;

/// How many values, and how many items of each, where the request does not say.
const DEFAULT_LIMIT: usize = 10;

pub(super) async fn rank(
    State(platform): State<Platform>,
    Name(model): Name,
    JsonBody(body): JsonBody<RankAttributesRequest>,
) -> Result<Json<RankAttributesResponse>, ApiError> {
    let request = Attributes {
        attribute: body.attribute_name,
        user: user(body.user_id, "user_id")?,
        rows: limit(body.limit, "limit", DEFAULT_LIMIT)?,
        columns: 0,
    };
    let ranked = answer(&platform, model, move |engine| engine.rank_attributes(&request)).await;
    let (attributes, scores) = ranked.map_err(error)?.into_iter().unzip();
    Ok(Json(RankAttributesResponse { attributes, scores }))
}

pub(super) async fn grid(
    State(platform): State<Platform>,
    Name(model): Name,
    JsonBody(body): JsonBody<AttributeGridRequest>,
) -> Result<Json<AttributeGridResponse>, ApiError> {
    let request = Attributes {
        attribute: body.attribute_name,
        user: user(body.user_id, "user_id")?,
        rows: limit(body.row_limit, "row_limit", DEFAULT_LIMIT)?,
        columns: limit(body.col_limit, "col_limit", DEFAULT_LIMIT)?,
    };
    let rows = answer(&platform, model, move |engine| engine.attribute_grid(&request)).await;
    let mut response = AttributeGridResponse {
        id_grid: Vec::new(),
        scoregrid: Vec::new(),
        attributes: Vec::new(),
    };
    for row in rows.map_err(error)? {
        let (ids, scores) = row.items.into_iter().unzip();
        response.id_grid.push(ids);
        response.scoregrid.push(scores);
        response.attributes.push(row.label);
    }
    Ok(Json(response))
}
