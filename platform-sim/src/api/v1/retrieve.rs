//! Candidates from a model.

use axum::extract::State;
use axum::{Extension, Json};

use super::error;
use super::inference::{RetrieveRequest, RetrieveResponse};
use crate::api::extract::{JsonBody, Name};
use crate::error::{ApiError, Code};
use crate::platform::Platform;
use crate::service::domain::Scope;
use crate::service::inference::serve::answer;

pub(super) async fn retrieve(
    State(platform): State<Platform>,
    Extension(scope): Extension<Scope>,
    Name(model): Name,
    JsonBody(body): JsonBody<RetrieveRequest>,
) -> Result<Json<RetrieveResponse>, ApiError> {
    check_scope(scope, &body)?;
    let request = body.read()?;
    let ranking = answer(&platform, model, move |engine| engine.retrieve(&request)).await;
    Ok(Json(ranking.map_err(error)?.into()))
}

/// The search key is public: with it anybody could read what the platform knows of a user, or spoil that user's pages.
fn check_scope(scope: Scope, body: &RetrieveRequest) -> Result<(), ApiError> {
    let of_a_user = [
        ("user_id_query", body.user_id_query.is_some()),
        ("flush_paginations", body.flush_paginations == Some(true)),
    ];
    match of_a_user.into_iter().find(|(_, present)| *present) {
        Some((field, _)) if scope == Scope::Search => Err(ApiError::problem(
            Code::WrongScope,
            format!(
                "this key has the scope search: {field} is of a user and needs a key with the scope admin"
            ),
        )),
        _ => Ok(()),
    }
}
