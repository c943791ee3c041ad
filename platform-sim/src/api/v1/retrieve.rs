//! Retrieval from a model.

use axum::Json;
use axum::extract::State;
use serde_json::json;

use super::types::{InferenceConfig, RetrieveRequest, RetrieveResponse};
use super::{error, not_here, wrong};
use crate::api::extract::{JsonBody, Name};
use crate::error::ApiError;
use crate::platform::Platform;
use crate::service::retrieval::{self, Retrieval};

/// How many results an answer has when neither the query nor the model says.
pub(super) const DEFAULT_LIMIT: usize = 100;

/// The most results of an answer.
const MAX_LIMIT: i64 = 1000;

pub(super) async fn retrieve(
    State(platform): State<Platform>,
    Name(model): Name,
    JsonBody(body): JsonBody<RetrieveRequest>,
) -> Result<Json<RetrieveResponse>, ApiError> {
    let with_metadata = body.return_metadata.unwrap_or(false);
    let retrieval = request(model, body)?;
    let candidates = retrieval::retrieve(&platform, retrieval).await.map_err(error)?;
    let mut response = RetrieveResponse {
        ids: Vec::with_capacity(candidates.len()),
        scores: Vec::with_capacity(candidates.len()),
        metadata: with_metadata.then(Vec::new),
    };
    for candidate in candidates {
        response.ids.push(candidate.id);
        response.scores.push(candidate.score);
        if let (Some(all), Some(metadata)) = (&mut response.metadata, candidate.metadata) {
            all.push(metadata);
        }
    }
    Ok(Json(response))
}

fn request(model: String, body: RetrieveRequest) -> Result<Retrieval, ApiError> {
    if body.filter_predicate.is_some() {
        return Err(not_here(
            &["filter_predicate"],
            "this server has no filter_predicate yet; leave it out",
        ));
    }
    if body.user_id_query.is_some() {
        return Err(not_here(
            &["user_id_query"],
            "this server does not retrieve for users yet; leave it out",
        ));
    }
    // flush_paginations empties a store that this server does not fill: there is nothing to do, whatever it says.
    let limit = body
        .config
        .as_ref()
        .map(|config| check_config(config, &["config"]))
        .transpose()?
        .flatten();
    Ok(Retrieval {
        model,
        text_query: body.text_query,
        text_mode: None,
        limit,
        with_metadata: body.return_metadata.unwrap_or(false),
    })
}

/// Checks an inference configuration that stands at `path`; its limit, if it has one.
pub(super) fn check_config(config: &InferenceConfig, path: &[&str]) -> Result<Option<usize>, ApiError> {
    let place = |field: &str| {
        path.iter()
            .map(|part| json!(part))
            .chain([json!(field)])
            .collect::<Vec<_>>()
    };
    for (field, factor) in [
        ("exploration_factor", config.exploration_factor),
        ("diversity_factor", config.diversity_factor),
        ("boosting_factor", config.boosting_factor),
    ] {
        match factor {
            Some(factor) if !(0.0..=1.0).contains(&factor) => {
                return Err(wrong(
                    place(field),
                    "out_of_range",
                    format!("{field} is a number from 0 to 1"),
                ));
            }
            Some(factor) if factor > 0.0 => {
                return Err(wrong(
                    place(field),
                    "not_supported",
                    format!("this server has no {field} yet: it must be 0"),
                ));
            }
            _ => {}
        }
    }
    for (field, present) in [
        (
            "diversity_attributes",
            config
                .diversity_attributes
                .as_ref()
                .is_some_and(|names| !names.is_empty()),
        ),
        ("diversity_window", config.diversity_window.is_some()),
        ("retrieval_k", config.retrieval_k.is_some()),
        ("retriever_k_override", config.retriever_k_override.is_some()),
    ] {
        if present {
            return Err(wrong(
                place(field),
                "not_supported",
                format!("this server has no {field} yet; leave it out"),
            ));
        }
    }
    match config.limit {
        None => Ok(None),
        Some(limit) => match usize::try_from(limit) {
            Ok(count) if (1..=MAX_LIMIT).contains(&limit) => Ok(Some(count)),
            _ => Err(wrong(
                place("limit"),
                "out_of_range",
                format!("limit is a whole number from 1 to {MAX_LIMIT}"),
            )),
        },
    }
}
