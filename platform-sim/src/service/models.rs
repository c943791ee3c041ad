//! Models: set up, changed, shown, removed.

use std::sync::Arc;

use super::domain::{
    Column, Connector, FetchPart, LiveEvents, Model, ModelSchema, ModelStatus, NewModel, Source, ValueType,
};
use super::failure::{Entity, Failure, Place, Result, Violation};
use super::inference::model::DERIVED_COLUMNS;
use super::relations;
use super::sources::{self, Wanted};
use crate::jobs;
use crate::platform::Platform;
use crate::sql::client::SqlError;
use crate::sql::{Planned, Statement};
use crate::store::{ModelCreated, ModelUpdated};

/// How a caller asks for a model.
#[derive(Debug)]
pub(crate) enum SetUp {
    /// By statements.
    Fetched(Box<NewModel>),
    /// By what it reads.
    Wanted(Box<Wanted>),
}

impl SetUp {
    /// The name of the model.
    pub(crate) fn name(&self) -> &str {
        match self {
            SetUp::Fetched(new) => &new.name,
            SetUp::Wanted(wanted) => &wanted.new.name,
        }
    }
}

/// Sets a model up; it becomes ACTIVE, or ERROR with a reason, in the background.
pub(crate) async fn create(platform: &Platform, set_up: SetUp) -> Result<()> {
    if platform.models.model(set_up.name()).await?.is_some() {
        return Err(Failure::AlreadyExists(Entity::Model, set_up.name().to_owned()));
    }
    jobs::room_for_a_training(platform)?;
    let (new, schema) = checked(platform, set_up).await?;
    let (name, live, limits) = (new.name.clone(), schema.live.clone(), new.config.online);
    match platform.models.create_model(new, schema).await? {
        ModelCreated::Stored(job) => {
            // Before the training, so that rows which come in while it runs are not missed.
            platform.online.feed(job.target, live, limits);
            jobs::start(platform, job);
            Ok(())
        }
        ModelCreated::NameTaken => Err(Failure::AlreadyExists(Entity::Model, name)),
        ModelCreated::QueryTaken(query) => Err(Failure::AlreadyExists(Entity::Query, query)),
    }
}

/// Gives a model another configuration and trains it anew; what was trained before serves until then. Only a model
/// that is ACTIVE or in ERROR can be changed.
pub(crate) async fn update(platform: &Platform, set_up: SetUp) -> Result<()> {
    let busy = |name: &str, status: ModelStatus| Failure::BeingTrained {
        name: name.to_owned(),
        status: status.as_str(),
    };
    let model = get(platform, set_up.name()).await?;
    if !matches!(model.status, ModelStatus::Active | ModelStatus::Error) {
        return Err(busy(&model.name, model.status));
    }
    jobs::room_for_a_training(platform)?;
    let (new, schema) = checked(platform, set_up).await?;
    let (live, limits) = (schema.live.clone(), new.config.online);
    match platform.models.update_model(new, schema).await? {
        ModelUpdated::Updated { id, job } => {
            platform.online.feed(id, live, limits);
            jobs::start(platform, job);
            Ok(())
        }
        ModelUpdated::Gone => Err(Failure::NotFound(Entity::Model, model.name)),
        ModelUpdated::QueryTaken(query) => Err(Failure::AlreadyExists(Entity::Query, query)),
        ModelUpdated::Busy(status) => Err(busy(&model.name, status)),
    }
}

/// The model that is asked for, with its statements, and what they select.
async fn checked(platform: &Platform, set_up: SetUp) -> Result<(NewModel, ModelSchema)> {
    match set_up {
        SetUp::Fetched(new) => {
            let schema = check(platform, &new).await?;
            Ok((*new, schema))
        }
        SetUp::Wanted(wanted) => {
            let (new, warnings) = sources::resolve(platform, *wanted).await?;
            let mut schema = check(platform, &new).await?;
            schema.warnings = warnings;
            let violations = super::set_up::check(&new, &schema, platform.text_encoder.is_some());
            if violations.is_empty() {
                Ok((new, schema))
            } else {
                Err(Failure::Invalid(violations))
            }
        }
    }
}

/// All models, by name.
pub(crate) async fn list(platform: &Platform) -> Result<Vec<Model>> {
    Ok(platform.models.models().await?)
}

/// One model.
pub(crate) async fn get(platform: &Platform, name: &str) -> Result<Model> {
    platform
        .models
        .model(name)
        .await?
        .ok_or_else(|| Failure::NotFound(Entity::Model, name.to_owned()))
}

/// Removes a model and everything that its trainings made.
pub(crate) async fn delete(platform: &Platform, name: &str) -> Result<()> {
    let Some(id) = platform.models.delete_model(name).await? else {
        return Err(Failure::NotFound(Entity::Model, name.to_owned()));
    };
    platform.running.stop_training(id);
    platform.serving.remove(name, id);
    platform.online.forget(id);
    let (artefacts, pages) = (platform.artefacts.clone(), Arc::clone(&platform.pages));
    let swept = tokio::task::spawn_blocking(move || {
        artefacts.sweep(id, &[])?;
        pages.forget(id)
    })
    .await;
    match swept {
        Ok(Ok(())) => {}
        // Whatever stays is of a model that never comes back, so it does no harm.
        Ok(Err(error)) => {
            tracing::warn!(
                model = name,
                ?error,
                "the files or pages of a deleted model stay until the next start"
            );
        }
        Err(panic) => return Err(Failure::Internal(panic.into())),
    }
    Ok(())
}

/// Checks what a model reads: its datasets are there and ACTIVE, its SQL plans over them, and the columns that the
/// model needs come out.
async fn check(platform: &Platform, new: &NewModel) -> Result<ModelSchema> {
    let tables = relations::planned(platform, &new.config.connectors).await?;
    let parts = new.config.parts();
    let statements = parts
        .iter()
        .map(|(part, sql)| Statement::new(sql, None).map_err(|reason| invalid_sql(*part, reason)))
        .collect::<Result<Vec<_>>>()?;
    let outcomes = platform
        .sql
        .run(tables, statements)
        .await
        .map_err(|error| match error {
            SqlError::Busy => {
                Failure::Busy("other statements are being checked or run; try again in a few seconds")
            }
            SqlError::Internal(cause) => Failure::Internal(cause),
        })?;
    let mut schema = ModelSchema::default();
    for ((part, _), outcome) in parts.iter().zip(outcomes) {
        let planned = outcome.map_err(|refusal| invalid_sql(*part, refusal.reason))?;
        check_columns(*part, &planned.columns)?;
        match part {
            FetchPart::Events => {
                schema.live = live_events(&new.config.connectors, &planned);
                schema.events = planned.columns;
            }
            FetchPart::Items => schema.items = planned.columns,
            FetchPart::Users => schema.users = planned.columns,
            FetchPart::GlobalFilters
            | FetchPart::PersonalFilters
            | FetchPart::GlobalFilter(_)
            | FetchPart::PersonalFilter(_) => {}
        }
    }
    // What version 2 names is looked at together, see `set_up`.
    let mut violations = if new.config.is_second_version() {
        Vec::new()
    } else {
        check_text_fields(new, &schema)
    };
    violations.extend(check_embedding_field(platform, new, &schema));
    if violations.is_empty() {
        Ok(schema)
    } else {
        Err(Failure::Invalid(violations))
    }
}

/// How rows that come into a dataset are events of the model, if the statement reads nothing but that dataset and only
/// names its columns anew. The events of any other statement are known after the next training.
fn live_events(connectors: &[Connector], planned: &Planned) -> Option<LiveEvents> {
    let [read] = planned.reads.as_slice() else {
        return None;
    };
    let connector = connectors.iter().find(|connector| connector.id == *read)?;
    let Source::Dataset { dataset } = &connector.source else {
        return None;
    };
    let cell = |name: &str| {
        let found = planned.taken_over.iter().find(|(column, _)| column == name);
        found.map(|(_, cell)| cell.clone())
    };
    Some(LiveEvents {
        dataset: dataset.clone(),
        user: cell("user_id")?,
        item: cell("item_id")?,
        label: cell("label")?,
        time: cell("created_at")?,
    })
}

fn invalid_sql(part: FetchPart, reason: String) -> Failure {
    Failure::invalid(Place::Fetch(part), "invalid_sql", reason)
}

fn check_columns(part: FetchPart, columns: &[Column]) -> Result<()> {
    let missing: Vec<&str> = part
        .required_columns()
        .iter()
        .copied()
        .filter(|required| columns.iter().all(|column| column.name != *required))
        .collect();
    if !missing.is_empty() {
        let message = format!(
            "the statement must select {}; missing: {}",
            part.required_columns().join(", "),
            missing.join(", ")
        );
        return Err(Failure::invalid(Place::Fetch(part), "missing_column", message));
    }
    for column in columns {
        let name = column.name.as_str();
        if part == FetchPart::Items && DERIVED_COLUMNS.contains(&name) {
            return Err(Failure::invalid(
                Place::Fetch(part),
                "reserved_column",
                format!("'{name}' is a column that the server derives; name yours anew with AS"),
            ));
        }
        let is_list = matches!(
            column.value_type,
            ValueType::StringArray | ValueType::Int64Array | ValueType::Float64Array
        );
        if is_list && part.required_columns().contains(&name) {
            let value_type = column.value_type.name();
            return Err(Failure::invalid(
                Place::Fetch(part),
                "wrong_type",
                format!("'{name}' is {value_type}; it is one value and no list"),
            ));
        }
    }
    Ok(())
}

fn check_text_fields(new: &NewModel, schema: &ModelSchema) -> Vec<Violation> {
    let fields = new.config.text_fields.iter().enumerate();
    fields
        .filter(|(_, field)| column(schema, field).is_none())
        .map(|(index, field)| Violation {
            place: Place::TextField(index),
            kind: "unknown_column",
            message: no_column(new, field),
        })
        .collect()
}

fn check_embedding_field(platform: &Platform, new: &NewModel, schema: &ModelSchema) -> Option<Violation> {
    let field = new.config.embedding_field.as_ref()?;
    let violation = |kind: &'static str, message: String| {
        Some(Violation {
            place: Place::EmbeddingField,
            kind,
            message,
        })
    };
    if platform.text_encoder.is_none() {
        return violation(
            "no_text_encoder",
            "this server cannot turn a text into a vector: start it with --text-encoder FILE, or leave embedding_field out"
                .to_owned(),
        );
    }
    match column(schema, field) {
        None => violation("unknown_column", no_column(new, field)),
        Some(column) if !matches!(column.value_type, ValueType::Float64Array | ValueType::Int64Array) => {
            let value_type = column.value_type.name();
            violation(
                "wrong_type",
                format!("'{field}' is {value_type}; vectors are lists of numbers: Array(Float64)"),
            )
        }
        Some(_) => None,
    }
}

fn column<'a>(schema: &'a ModelSchema, name: &str) -> Option<&'a Column> {
    schema.items.iter().find(|column| column.name == name)
}

fn no_column(new: &NewModel, field: &str) -> String {
    if new.config.fetch.items.is_none() {
        format!("'{field}' cannot be searched: a text index needs fetch.items")
    } else {
        format!("fetch.items selects no column '{field}'")
    }
}
