//! Models.

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use super::datasets::columns_view;
use super::retrieve::{DEFAULT_LIMIT, check_config};
use super::types::{
    ConnectorBody, FetchBody, Message, ModelBody, ModelCreated, ModelList, ModelSchemaView, ModelSetup,
    ModelSummary, ModelView,
};
use super::{error, not_here, wrong};
use crate::api::extract::{JsonBody, Name, check_name, from_value};
use crate::error::ApiError;
use crate::platform::Platform;
use crate::service::domain::{Connector, Fetch, Model, ModelConfig, NewModel};
use crate::service::models;

/// The longest id of a connector: it is a table name in SQL.
const MAX_ID_CHARACTERS: usize = 63;

pub(super) async fn create(
    State(platform): State<Platform>,
    JsonBody(body): JsonBody<Value>,
) -> Result<Json<ModelCreated>, ApiError> {
    if body.get("version").is_some() {
        return Err(not_here(
            &["version"],
            "this server takes the set-up body of version 1: model, connectors, fetch",
        ));
    }
    let new = new_model(from_value(body)?)?;
    let name = new.name.clone();
    models::create(&platform, new).await.map_err(error)?;
    Ok(Json(ModelCreated {
        model_url: uri(&platform, &name),
    }))
}

pub(super) async fn list(State(platform): State<Platform>) -> Result<Json<ModelList>, ApiError> {
    let models = models::list(&platform).await.map_err(error)?;
    Ok(Json(ModelList {
        models: models
            .into_iter()
            .map(|model| summary(&platform, model))
            .collect(),
    }))
}

pub(super) async fn get(
    State(platform): State<Platform>,
    Name(name): Name,
) -> Result<Json<ModelView>, ApiError> {
    let model = models::get(&platform, &name).await.map_err(error)?;
    Ok(Json(view(&platform, model)))
}

pub(super) async fn delete(
    State(platform): State<Platform>,
    Name(name): Name,
) -> Result<Json<Message>, ApiError> {
    models::delete(&platform, &name).await.map_err(error)?;
    Ok(Json(Message {
        message: format!("model '{name}' is deleted"),
    }))
}

fn new_model(setup: ModelSetup) -> Result<NewModel, ApiError> {
    let ModelSetup {
        model,
        connectors,
        fetch,
    } = setup;
    check_name(&model.name)
        .map_err(|message| wrong(vec![json!("model"), json!("name")], "invalid_name", message))?;
    check_model(&model)?;
    let default_limit = match &model.inference_config {
        Some(config) => check_config(config, &["model", "inference_config"])?.unwrap_or(DEFAULT_LIMIT),
        None => DEFAULT_LIMIT,
    };
    let (text_fields, embedding_field) = match model.text_index {
        Some(index) => (text_fields(index.item_fields)?, index.embedding_field),
        None => (Vec::new(), None),
    };
    Ok(NewModel {
        name: model.name,
        description: model.description,
        config: ModelConfig {
            connectors: new_connectors(connectors)?,
            fetch: new_fetch(fetch)?,
            text_fields,
            embedding_field,
            default_limit,
        },
    })
}

fn check_model(model: &ModelBody) -> Result<(), ApiError> {
    if model.slate_size.is_some_and(|size| size < 1) {
        return Err(wrong(
            vec![json!("model"), json!("slate_size")],
            "out_of_range",
            "slate_size is at least 1",
        ));
    }
    if model.pagination_store_ttl.is_some_and(|seconds| seconds != 0) {
        return Err(not_here(
            &["model", "pagination_store_ttl"],
            "this server has no pagination store yet: pagination_store_ttl must be 0",
        ));
    }
    match model.train_schedule.as_deref() {
        None | Some("@once") => Ok(()),
        Some(_) => Err(not_here(
            &["model", "train_schedule"],
            "this server trains a model once, when it is created: train_schedule must be @once",
        )),
    }
}

fn text_fields(fields: Vec<String>) -> Result<Vec<String>, ApiError> {
    let place = |index: Option<usize>| {
        let path = [json!("model"), json!("text_index"), json!("item_fields")];
        path.into_iter().chain(index.map(|index| json!(index))).collect()
    };
    if fields.is_empty() {
        return Err(wrong(
            place(None),
            "empty",
            "item_fields must name the item columns to search",
        ));
    }
    for (index, field) in fields.iter().enumerate() {
        if fields[..index].contains(field) {
            return Err(wrong(
                place(Some(index)),
                "repeated",
                format!("'{field}' is named twice"),
            ));
        }
    }
    Ok(fields)
}

fn new_connectors(bodies: Vec<ConnectorBody>) -> Result<Vec<Connector>, ApiError> {
    let mut connectors: Vec<Connector> = Vec::new();
    for (index, body) in bodies.into_iter().enumerate() {
        let place = |field: &str| vec![json!("connectors"), json!(index), json!(field)];
        match body.kind.as_str() {
            "Dataset" => {}
            "File" => {
                let message =
                    "this server reads connectors of type Dataset; insert the file's rows into a dataset";
                return Err(wrong(place("type"), "not_supported", message));
            }
            _ => {
                return Err(wrong(
                    place("type"),
                    "unknown_value",
                    "a connector's type is Dataset",
                ));
            }
        }
        if body.path.is_some() {
            return Err(wrong(
                place("path"),
                "unknown_field",
                "path belongs to connectors of type File",
            ));
        }
        let valid_id = body.id.len() <= MAX_ID_CHARACTERS
            && body
                .id
                .starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
            && body
                .id
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if !valid_id {
            let message = format!(
                "an id is the name of a table in SQL: up to {MAX_ID_CHARACTERS} letters, digits and '_', no digit first"
            );
            return Err(wrong(place("id"), "invalid_name", message));
        }
        if connectors.iter().any(|connector| connector.id == body.id) {
            return Err(wrong(
                place("id"),
                "repeated",
                format!("two connectors have the id '{}'", body.id),
            ));
        }
        let name = body.name.ok_or_else(|| {
            wrong(
                place("name"),
                "missing",
                "missing field `name`: the dataset's name",
            )
        })?;
        check_name(&name).map_err(|message| wrong(place("name"), "invalid_name", message))?;
        connectors.push(Connector {
            id: body.id,
            dataset: name,
        });
    }
    Ok(connectors)
}

fn new_fetch(body: FetchBody) -> Result<Fetch, ApiError> {
    for (name, present) in [
        ("global_filters", body.global_filters.is_some()),
        ("personal_filters", body.personal_filters.is_some()),
    ] {
        if present {
            return Err(not_here(
                &["fetch", name],
                format!("this server has no {name} yet"),
            ));
        }
    }
    Ok(Fetch {
        events: body.events,
        items: body.items,
        users: body.users,
    })
}

fn summary(platform: &Platform, model: Model) -> ModelSummary {
    ModelSummary {
        model_uri: uri(platform, &model.name),
        model_name: model.name,
        description: model.description,
        created_at: model.created_at,
        trained_at: model.trained_at,
        status: model.status.as_str().to_owned(),
    }
}

fn view(platform: &Platform, model: Model) -> ModelView {
    let fetch = model.config.fetch;
    ModelView {
        model_uri: uri(platform, &model.name),
        model_name: model.name,
        created_at: model.created_at,
        trained_at: model.trained_at,
        status: model.status.as_str().to_owned(),
        fetch: FetchBody {
            events: fetch.events,
            users: fetch.users,
            items: fetch.items,
            global_filters: None,
            personal_filters: None,
        },
        schema: ModelSchemaView {
            events: columns_view(model.schema.events),
            items: columns_view(model.schema.items),
            users: columns_view(model.schema.users),
        },
        error_message: model.error_message,
    }
}

fn uri(platform: &Platform, name: &str) -> String {
    format!("{}/v1/models/{name}", platform.options.public_url)
}
