//! Models: set up, shown, removed.

use super::datasets;
use super::domain::{Column, DatasetStatus, FetchPart, Model, ModelSchema, NewModel, ValueType};
use super::failure::{Entity, Failure, Place, Result, Violation};
use crate::jobs;
use crate::platform::Platform;
use crate::sql::client::SqlError;
use crate::sql::{Statement, Table};
use crate::store::Created;

/// Sets a model up; it becomes ACTIVE, or ERROR with a reason, in the background.
pub(crate) async fn create(platform: &Platform, new: NewModel) -> Result<()> {
    if platform.models.model(&new.name).await?.is_some() {
        return Err(Failure::AlreadyExists(Entity::Model, new.name));
    }
    let schema = check(platform, &new).await?;
    let name = new.name.clone();
    match platform.models.create_model(new, schema).await? {
        Created::Stored(job) => {
            jobs::start(platform, job);
            Ok(())
        }
        Created::NameTaken => Err(Failure::AlreadyExists(Entity::Model, name)),
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
    platform.serving.remove(name, id);
    let artefacts = platform.artefacts.clone();
    let swept = tokio::task::spawn_blocking(move || artefacts.sweep(id, None)).await;
    match swept {
        Ok(Ok(())) => {}
        Ok(Err(error)) => {
            tracing::warn!(model = name, %error, "the files of a deleted model stay until the next start");
        }
        Err(panic) => return Err(Failure::Internal(panic.into())),
    }
    Ok(())
}

/// Checks what a model reads: its datasets are there and ACTIVE, its SQL plans over them, and the columns that the
/// model needs come out.
async fn check(platform: &Platform, new: &NewModel) -> Result<ModelSchema> {
    let mut tables = Vec::new();
    for connector in &new.config.connectors {
        let dataset = datasets::get(platform, &connector.dataset).await?;
        if dataset.status != DatasetStatus::Active {
            return Err(Failure::NotActive {
                entity: Entity::Dataset,
                name: dataset.name,
                status: dataset.status.as_str(),
            });
        }
        tables.push(Table {
            id: connector.id.clone(),
            schema: dataset.schema,
            unique_keys: dataset.unique_keys,
            files: Vec::new(),
        });
    }
    let parts = new.config.fetch.parts();
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
        let columns = outcome.map_err(|reason| invalid_sql(*part, reason))?;
        check_columns(*part, &columns)?;
        match part {
            FetchPart::Events => schema.events = columns,
            FetchPart::Items => schema.items = columns,
            FetchPart::Users => schema.users = columns,
        }
    }
    let mut violations = check_text_fields(new, &schema);
    violations.extend(check_embedding_field(platform, new, &schema));
    if violations.is_empty() {
        Ok(schema)
    } else {
        Err(Failure::Invalid(violations))
    }
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
    if missing.is_empty() {
        return Ok(());
    }
    let message = format!(
        "the statement must select {}; missing: {}",
        part.required_columns().join(", "),
        missing.join(", ")
    );
    Err(Failure::invalid(Place::Fetch(part), "missing_column", message))
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
