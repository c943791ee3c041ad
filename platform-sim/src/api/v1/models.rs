//! Models.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use serde_json::{Value, json};

use super::datasets::columns_view;
use super::inference::{MAX_LIMIT, settings};
use super::types::{
    ConnectorBody, FetchBody, FilePathBody, Message, ModelBody, ModelCreated, ModelFeaturesView, ModelList,
    ModelSchemaView, ModelSetup, ModelSummary, ModelView,
};
use super::{error, wrong};
use crate::api::extract::{JsonBody, Name, check_name, from_value, from_value_at};
use crate::api::v2::{self, models::ModelDetails};
use crate::connectors::files::MAX_DAY_LOOKBACK;
use crate::error::ApiError;
use crate::jobs::schedule::Plan;
use crate::platform::Platform;
use crate::service::domain::{
    Connector, DEFAULT_SLATE_SIZE, FeatureColumn, Fetch, Model, ModelConfig, ModelFeatures, NewModel,
    Schedule, Source,
};
use crate::service::failure::Failure;
use crate::service::inference::settings::Overrides;
use crate::service::models::{self, SetUp};

/// The longest that a pagination store remembers: thirty days, in seconds.
const MAX_PAGINATION_TTL: i64 = 30 * 86_400;

/// The longest id of a connector: it is a table name in SQL.
const MAX_ID_CHARACTERS: usize = 63;

pub(super) async fn create(
    State(platform): State<Platform>,
    JsonBody(body): JsonBody<Value>,
) -> Result<Json<ModelCreated>, ApiError> {
    let body = set_up(body)?;
    models::create(&platform, body.set_up).await.map_err(body.error)?;
    Ok(Json(ModelCreated {
        model_url: uri(&platform, &body.name),
    }))
}

/// The body is that of a set-up, whole; the name says which model.
pub(super) async fn update(
    State(platform): State<Platform>,
    JsonBody(body): JsonBody<Value>,
) -> Result<Json<ModelCreated>, ApiError> {
    let body = set_up(body)?;
    models::update(&platform, body.set_up).await.map_err(body.error)?;
    Ok(Json(ModelCreated {
        model_url: uri(&platform, &body.name),
    }))
}

/// A set-up body, read.
struct SetUpBody {
    name: String,
    set_up: SetUp,
    /// Where its version has what the use cases speak of.
    error: fn(Failure) -> ApiError,
}

/// Both versions send their bodies here; the second says so.
fn set_up(body: Value) -> Result<SetUpBody, ApiError> {
    match body {
        Value::Object(body) if body.contains_key("version") => {
            let set_up = v2::models::read(&body)?;
            Ok(SetUpBody {
                name: set_up.name().to_owned(),
                set_up,
                error: v2::models::error,
            })
        }
        body => {
            let new = new_model(from_value(body)?)?;
            Ok(SetUpBody {
                name: new.name.clone(),
                set_up: SetUp::Fetched(Box::new(new)),
                error,
            })
        }
    }
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
) -> Result<Json<ModelAnswer>, ApiError> {
    let model = models::get(&platform, &name).await.map_err(error)?;
    Ok(Json(if model.config.is_second_version() {
        ModelAnswer::Details(Box::new(v2::models::details(&platform, model)))
    } else {
        ModelAnswer::View(Box::new(view(&platform, model)))
    }))
}

/// A model as the version shows it that set it up.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum ModelAnswer {
    View(Box<ModelView>),
    Details(Box<ModelDetails>),
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
    let (slate_size, pagination_store_ttl) = check_numbers(&model)?;
    let train_schedule = check_schedule(model.train_schedule)?;
    let inference = match &model.inference_config {
        Some(config) => settings(config, &["model", "inference_config"])?,
        None => Overrides::default(),
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
            fetch: new_fetch(fetch),
            text_fields,
            embedding_field,
            slate_size,
            pagination_store_ttl,
            train_schedule,
            inference,
            ..ModelConfig::default()
        },
    })
}

/// The slate size, and the seconds for which pages are remembered.
fn check_numbers(model: &ModelBody) -> Result<(usize, u64), ApiError> {
    let refused =
        |field: &str, message: String| wrong(vec![json!("model"), json!(field)], "out_of_range", message);
    let slate_size = model.slate_size.map_or(Ok(DEFAULT_SLATE_SIZE), |size| {
        let fitting = usize::try_from(size).ok();
        fitting
            .filter(|_| (1..=MAX_LIMIT).contains(&size))
            .ok_or_else(|| refused("slate_size", format!("slate_size is from 1 to {MAX_LIMIT}")))
    })?;
    let ttl = model.pagination_store_ttl.unwrap_or(0);
    let ttl = u64::try_from(ttl)
        .ok()
        .filter(|_| ttl <= MAX_PAGINATION_TTL)
        .ok_or_else(|| {
            let message = format!("pagination_store_ttl is from 0 (off) to {MAX_PAGINATION_TTL} seconds");
            refused("pagination_store_ttl", message)
        })?;
    Ok((slate_size, ttl))
}

fn check_schedule(text: Option<String>) -> Result<Schedule, ApiError> {
    let Some(text) = text else {
        return Ok(Schedule::default());
    };
    match Plan::parse(&text) {
        Ok(_) => Ok(Schedule(text.trim().to_owned())),
        Err(message) => Err(wrong(
            vec![json!("model"), json!("train_schedule")],
            "invalid_schedule",
            message,
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
        let source = source(index, &body)?;
        connectors.push(Connector { id: body.id, source });
    }
    Ok(connectors)
}

fn source(index: usize, body: &ConnectorBody) -> Result<Source, ApiError> {
    let place = |field: &str| vec![json!("connectors"), json!(index), json!(field)];
    let missing = |field: &str, what: &str| {
        wrong(
            place(field),
            "missing",
            format!("missing field `{field}`: {what}"),
        )
    };
    let not_mine = |field: &str, other: &str| {
        wrong(
            place(field),
            "unknown_field",
            format!("{field} belongs to connectors of type {other}"),
        )
    };
    match body.kind.as_str() {
        "Dataset" => {
            if body.path.is_some() {
                return Err(not_mine("path", "File"));
            }
            let name = body
                .name
                .clone()
                .ok_or_else(|| missing("name", "the dataset's name"))?;
            check_name(&name).map_err(|message| wrong(place("name"), "invalid_name", message))?;
            Ok(Source::Dataset { dataset: name })
        }
        "File" => {
            if body.name.is_some() {
                return Err(not_mine("name", "Dataset"));
            }
            match &body.path {
                None => Err(missing("path", "a file below the server's folder of files")),
                Some(Value::String(path)) => Ok(Source::File {
                    path: path.clone(),
                    day_lookback: 0,
                }),
                Some(path) => {
                    let path: FilePathBody = from_value_at(path.clone(), &place("path"))?;
                    let day_lookback = path.day_lookback.unwrap_or(0);
                    if !(0..=MAX_DAY_LOOKBACK).contains(&day_lookback) {
                        let mut place = place("path");
                        place.push(json!("day_lookback"));
                        let message = format!("day_lookback is a whole number from 0 to {MAX_DAY_LOOKBACK}");
                        return Err(wrong(place, "out_of_range", message));
                    }
                    Ok(Source::File {
                        path: path.path,
                        day_lookback,
                    })
                }
            }
        }
        _ => Err(wrong(
            place("type"),
            "unknown_value",
            "a connector's type is Dataset or File",
        )),
    }
}

fn new_fetch(body: FetchBody) -> Fetch {
    Fetch {
        events: body.events,
        items: body.items,
        users: body.users,
        global_filters: body.global_filters,
        personal_filters: body.personal_filters,
    }
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
            global_filters: fetch.global_filters,
            personal_filters: fetch.personal_filters,
        },
        schema: ModelSchemaView {
            events: columns_view(model.schema.events),
            items: columns_view(model.schema.items),
            users: columns_view(model.schema.users),
            features: model.schema.features.map(features_view),
        },
        error_message: model.error_message,
    }
}

fn features_view(features: ModelFeatures) -> ModelFeaturesView {
    let view = |columns: Vec<FeatureColumn>| {
        columns
            .into_iter()
            .map(|column| (column.name, column.feature_type.name().to_owned()))
            .collect()
    };
    let mut interaction: BTreeMap<String, String> = view(features.interactions);
    interaction.remove("label");
    ModelFeaturesView {
        interaction,
        item: view(features.items),
        user: view(features.users),
        label: features.label.name().to_owned(),
    }
}

fn uri(platform: &Platform, name: &str) -> String {
    format!("{}/v1/models/{name}", platform.options.public_url)
}
