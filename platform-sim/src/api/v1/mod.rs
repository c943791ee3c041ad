//! Version 1 of the API: its operations and where its bodies have what the use cases speak of.

mod attributes;
#[cfg(test)]
mod contract;
mod datasets;
mod embeddings;
pub(crate) mod inference;
mod models;
mod probes;
mod rank;
mod retrieve;
mod similar;
mod transforms;
pub(crate) mod types;

use axum::http::Method;
use axum::routing::{delete, get, patch, post};
use serde_json::{Value, json};

use super::{Access, Operation};
use crate::error::ApiError;
use crate::service::failure::{Failure, PathPart, Place};

/// Every operation of version 1.
pub(crate) const OPERATIONS: &[Operation] = &[
    Operation {
        method: Method::POST,
        path: "/datasets/",
        access: Access::Admin,
        handler: || post(datasets::create),
    },
    Operation {
        method: Method::PATCH,
        path: "/datasets",
        access: Access::Admin,
        handler: || patch(datasets::edit),
    },
    Operation {
        method: Method::GET,
        path: "/datasets/",
        access: Access::Admin,
        handler: || get(datasets::list),
    },
    Operation {
        method: Method::GET,
        path: "/datasets/{dataset_name}",
        access: Access::Admin,
        handler: || get(datasets::get),
    },
    Operation {
        method: Method::DELETE,
        path: "/datasets/{dataset_name}",
        access: Access::Admin,
        handler: || delete(datasets::delete),
    },
    Operation {
        method: Method::POST,
        path: "/datasets/{dataset_name}/insert",
        access: Access::Admin,
        handler: || post(datasets::insert),
    },
    Operation {
        method: Method::POST,
        path: "/transforms",
        access: Access::Admin,
        handler: || post(transforms::create),
    },
    Operation {
        method: Method::GET,
        path: "/transforms",
        access: Access::Admin,
        handler: || get(transforms::list),
    },
    Operation {
        method: Method::GET,
        path: "/transforms/{transform_name}",
        access: Access::Admin,
        handler: || get(transforms::get),
    },
    Operation {
        method: Method::PATCH,
        path: "/transforms/{transform_name}",
        access: Access::Admin,
        handler: || patch(transforms::describe),
    },
    Operation {
        method: Method::DELETE,
        path: "/transforms/{transform_name}",
        access: Access::Admin,
        handler: || delete(transforms::delete),
    },
    Operation {
        method: Method::POST,
        path: "/models",
        access: Access::Admin,
        handler: || post(models::create),
    },
    Operation {
        method: Method::PATCH,
        path: "/models",
        access: Access::Admin,
        handler: || patch(models::update),
    },
    Operation {
        method: Method::GET,
        path: "/models",
        access: Access::Admin,
        handler: || get(models::list),
    },
    Operation {
        method: Method::GET,
        path: "/models/{model_name}",
        access: Access::Admin,
        handler: || get(models::get),
    },
    Operation {
        method: Method::DELETE,
        path: "/models/{model_name}",
        access: Access::Admin,
        handler: || delete(models::delete),
    },
    Operation {
        method: Method::POST,
        path: "/models/{model_name}/rank",
        access: Access::Admin,
        handler: || post(rank::rank),
    },
    Operation {
        method: Method::GET,
        path: "/models/{model_name}/rank",
        access: Access::Admin,
        handler: || get(rank::rank_by_query),
    },
    Operation {
        method: Method::POST,
        path: "/models/{model_name}/similar_items",
        access: Access::Admin,
        handler: || post(similar::items),
    },
    Operation {
        method: Method::POST,
        path: "/models/{model_name}/similar_users",
        access: Access::Admin,
        handler: || post(similar::users),
    },
    Operation {
        method: Method::POST,
        path: "/models/{model_name}/complement_items",
        access: Access::Admin,
        handler: || post(similar::complements),
    },
    Operation {
        method: Method::POST,
        path: "/models/{model_name}/rank_attributes",
        access: Access::Admin,
        handler: || post(attributes::rank),
    },
    Operation {
        method: Method::POST,
        path: "/models/{model_name}/rank_attribute_grid",
        access: Access::Admin,
        handler: || post(attributes::grid),
    },
    Operation {
        method: Method::POST,
        path: "/models/{model_name}/item_embeddings",
        access: Access::Admin,
        handler: || post(embeddings::items),
    },
    Operation {
        method: Method::POST,
        path: "/models/{model_name}/user_embeddings",
        access: Access::Admin,
        handler: || post(embeddings::users),
    },
    Operation {
        method: Method::POST,
        path: "/models/{model_name}/retrieve",
        access: Access::Search,
        handler: || post(retrieve::retrieve),
    },
    Operation {
        method: Method::GET,
        path: "/liveness",
        access: Access::Anyone,
        handler: || get(probes::liveness),
    },
    Operation {
        method: Method::GET,
        path: "/ping",
        access: Access::Anyone,
        handler: || get(probes::ping),
    },
];

fn error(failure: Failure) -> ApiError {
    ApiError::from_failure(failure, loc)
}

/// Where version 1 has what the use cases speak of.
fn loc(place: &Place) -> Vec<Value> {
    match place {
        Place::Path(parts) => std::iter::once(json!("body"))
            .chain(parts.iter().map(|part| match part {
                PathPart::Name(name) => json!(name),
                PathPart::Index(index) => json!(index),
            }))
            .collect(),
        Place::Cell { row, column } => vec![json!("body"), json!("data"), json!(row), json!(column)],
        Place::Fetch(part) => vec![json!("body"), json!("fetch"), json!(part.name())],
        Place::TextField(index) => {
            vec![
                json!("body"),
                json!("model"),
                json!("text_index"),
                json!("item_fields"),
                json!(index),
            ]
        }
        Place::EmbeddingField => {
            vec![
                json!("body"),
                json!("model"),
                json!("text_index"),
                json!("embedding_field"),
            ]
        }
        Place::TextQuery => vec![json!("body"), json!("text_query")],
    }
}

/// A 422 for a field of the body.
fn wrong(path: Vec<Value>, kind: &str, message: impl Into<String>) -> ApiError {
    let loc = std::iter::once(json!("body")).chain(path).collect();
    ApiError::invalid(loc, kind, message)
}
