//! What version 2 of the API adds: its operations and where its bodies have what the use cases speak of.

#[cfg(test)]
mod contract;
pub(in crate::api) mod models;
mod queries;
mod set_up;

use axum::http::Method;
use axum::routing::{get, post};
use serde_json::{Value, json};

use super::{Access, Operation};
use crate::error::ApiError;
use crate::service::domain::FetchPart;
use crate::service::failure::{Failure, PathPart, Place};

/// The operations that version 1 does not have.
pub(crate) const OPERATIONS: &[Operation] = &[
    Operation {
        method: Method::POST,
        path: "/query",
        access: Access::Queries,
        handler: || post(queries::ask),
    },
    Operation {
        method: Method::GET,
        path: "/queries",
        access: Access::Queries,
        handler: || get(queries::list),
    },
    Operation {
        method: Method::GET,
        path: "/queries/{query_name}",
        access: Access::Queries,
        handler: || get(queries::get),
    },
    Operation {
        method: Method::POST,
        path: "/queries/{query_name}",
        access: Access::Queries,
        handler: || post(queries::ask_saved),
    },
];

fn error(failure: Failure) -> ApiError {
    ApiError::from_failure(failure, loc)
}

/// Where version 2 has what the use cases speak of.
fn loc(place: &Place) -> Vec<Value> {
    let parts: Vec<PathPart> = match place {
        Place::Path(parts) => parts.clone(),
        Place::Fetch(part) => fetched(*part),
        _ => Vec::new(),
    };
    std::iter::once(json!("body"))
        .chain(parts.iter().map(|part| match part {
            PathPart::Name(name) => json!(name),
            PathPart::Index(index) => json!(index),
        }))
        .collect()
}

/// Where a set-up body says what a statement reads.
fn fetched(part: FetchPart) -> Vec<PathPart> {
    match part {
        FetchPart::Events => vec!["data".into(), "interaction_dataset".into()],
        FetchPart::Items => vec!["data".into(), "item_dataset".into()],
        FetchPart::Users => vec!["data".into(), "user_dataset".into()],
        FetchPart::GlobalFilter(number) | FetchPart::PersonalFilter(number) => {
            vec![
                "data".into(),
                "filters".into(),
                number.into(),
                "filter_dataset".into(),
            ]
        }
        FetchPart::GlobalFilters | FetchPart::PersonalFilters => vec!["data".into(), "filters".into()],
    }
}
