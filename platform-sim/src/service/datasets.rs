//! Datasets: made, filled, shown, removed.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::domain::{Dataset, DatasetStatus, NewDataset, RowOwner};
use super::failure::{Entity, Failure, Place, Result};
use super::ingest;
use super::rows::{self, Row};
use super::schema_types;
use crate::jobs;
use crate::platform::Platform;
use crate::store::{Created, Doomed};

/// Makes a dataset; it becomes ACTIVE in the background.
pub(crate) async fn create(platform: &Platform, new: NewDataset) -> Result<()> {
    let name = new.name.clone();
    match platform.datasets.create_dataset(new).await? {
        Created::Stored(job) => {
            jobs::start(platform, job);
            Ok(())
        }
        Created::NameTaken(entity) => Err(Failure::AlreadyExists(entity, name)),
    }
}

/// Changes the configuration of the dataset that `changes` names: fields that are there replace the old ones, null
/// takes one away. Unless only the description changed, the dataset is deployed anew.
pub(crate) async fn edit(platform: &Platform, changes: Map<String, Value>) -> Result<()> {
    let name = schema_types::read_name(&changes).map_err(Failure::Invalid)?;
    let id = get(platform, &name).await?.id;
    // No insert may add columns between reading the old schema and writing the new one.
    let lock = platform.row_lock(RowOwner::Dataset(id));
    let _guard = lock.lock().await;
    let dataset = get(platform, &name).await?;
    let old = configuration(&dataset);
    let mut merged = old.clone();
    for (field, value) in changes {
        if field == "schema_type" && value != old["schema_type"] {
            return Err(Failure::invalid(
                Place::Path(vec!["schema_type".into()]),
                "not_editable",
                format!(
                    "the dataset '{name}' is of type {}, which stays; make another dataset for another type",
                    dataset.schema_type.name
                ),
            ));
        }
        merged.insert(field, value);
    }
    let redeploy = old
        .iter()
        .chain(&merged)
        .any(|(field, _)| field != "description" && old.get(field) != merged.get(field));
    let mut new = schema_types::read(&merged).map_err(Failure::Invalid)?;
    if !platform.datasets.row_files(dataset.id).await?.is_empty() {
        keeps_columns(&dataset, &mut new)?;
    } else if !new.schema.declared && !dataset.schema.declared {
        new.schema = dataset.schema;
    }
    match platform.datasets.update_dataset(id, new, redeploy).await? {
        Some(job) => {
            if let Some(job) = job {
                jobs::start(platform, job);
            }
            platform.changed();
            Ok(())
        }
        None => Err(Failure::NotFound(Entity::Dataset, name)),
    }
}

/// The configuration that made the dataset what it is, secrets included.
fn configuration(dataset: &Dataset) -> Map<String, Value> {
    let mut fields = dataset.config.clone();
    fields.insert("name".to_owned(), json!(dataset.name));
    fields.insert("schema_type".to_owned(), json!(dataset.schema_type.name));
    if let Some(description) = &dataset.description {
        fields.insert("description".to_owned(), json!(description));
    }
    if !dataset.unique_keys.is_empty() {
        fields.insert("unique_keys".to_owned(), json!(dataset.unique_keys));
    }
    if dataset.schema.declared {
        let columns = dataset.schema.columns.iter();
        let columns: Map<String, Value> = columns
            .map(|column| (column.name.clone(), json!(column.value_type.name())))
            .collect();
        fields.insert("column_schema".to_owned(), Value::Object(columns));
    }
    for (name, secret) in &dataset.secrets.0 {
        fields.insert(name.clone(), json!(secret));
    }
    fields
}

/// Rows that are stored keep their columns: an edit may add some, not remove or retype any.
fn keeps_columns(old: &Dataset, new: &mut NewDataset) -> Result<()> {
    if !new.schema.declared {
        new.schema.columns = old.schema.columns.clone();
        return Ok(());
    }
    for column in &old.schema.columns {
        let message = match new.schema.column(&column.name) {
            None => "is left out",
            Some(kept) if kept.value_type != column.value_type => "has another type",
            Some(_) => continue,
        };
        return Err(Failure::invalid(
            Place::Path(vec!["column_schema".into(), column.name.as_str().into()]),
            "column_in_use",
            format!(
                "the column '{}' {message}, and stored rows have it as {}; columns can be added while there are rows",
                column.name,
                column.value_type.name()
            ),
        ));
    }
    // Stored files have the columns in the old order; the new ones follow.
    new.schema.columns.sort_by_key(|column| {
        old.schema
            .columns
            .iter()
            .position(|known| known.name == column.name)
            .unwrap_or(usize::MAX)
    });
    Ok(())
}

/// All datasets, by name.
pub(crate) async fn list(platform: &Platform) -> Result<Vec<Dataset>> {
    Ok(platform.datasets.datasets().await?)
}

/// One dataset.
pub(crate) async fn get(platform: &Platform, name: &str) -> Result<Dataset> {
    platform
        .datasets
        .dataset(name)
        .await?
        .ok_or_else(|| Failure::NotFound(Entity::Dataset, name.to_owned()))
}

/// Adds rows, all or none. When this returns, the rows survive a crash and a power cut.
pub(crate) async fn insert(platform: &Platform, name: String, rows: Vec<Row>) -> Result<usize> {
    let platform = platform.clone();
    // A task of its own: a caller that hangs up must not leave an insert half way with its lock released.
    let task = tokio::spawn(async move { insert_checked(&platform, &name, rows).await });
    task.await.map_err(|panic| Failure::Internal(panic.into()))?
}

async fn insert_checked(platform: &Platform, name: &str, rows: Vec<Row>) -> Result<usize> {
    let count = rows.len();
    let rows = Arc::new(rows);
    loop {
        let dataset = active(platform, name).await?;
        if count == 0 {
            return Ok(0);
        }
        let id = dataset.id;
        let rows = Arc::clone(&rows);
        let batch = tokio::task::spawn_blocking(move || {
            let extended = if dataset.schema.declared {
                dataset.schema.clone()
            } else {
                rows::extend_schema(&dataset.schema, &rows)
            };
            rows::encode(&extended, &dataset.unique_keys, &rows).map(|encoded| ingest::Batch {
                rows: encoded,
                unique_keys: dataset.unique_keys,
                base: dataset.schema,
                extended,
            })
        })
        .await
        .map_err(|panic| Failure::Internal(panic.into()))?
        .map_err(Failure::Invalid)?;
        if ingest::store(platform, id, name, batch).await? {
            return Ok(count);
        }
    }
}

/// Removes a dataset and its rows, unless a transform reads it. Models that were trained on it go on serving.
pub(crate) async fn delete(platform: &Platform, name: &str) -> Result<()> {
    let dataset = get(platform, name).await?;
    let job = match platform.datasets.doom_dataset(name).await? {
        Doomed::By(job) => job,
        // Another request is at it: the same outcome.
        Doomed::Gone => return Ok(()),
        Doomed::Read(readers) => {
            return Err(Failure::InUse {
                entity: Entity::Dataset,
                name: name.to_owned(),
                readers,
            });
        }
    };
    jobs::start(platform, job)
        .await
        .map_err(|panic| Failure::Internal(panic.into()))?;
    match platform.datasets.dataset_by_id(dataset.id).await? {
        None => Ok(()),
        Some(kept) => Err(Failure::Internal(anyhow::anyhow!(
            "the dataset could not be removed: {}",
            kept.error_message.unwrap_or_default()
        ))),
    }
}

async fn active(platform: &Platform, name: &str) -> Result<Dataset> {
    let dataset = get(platform, name).await?;
    if dataset.status == DatasetStatus::Active {
        Ok(dataset)
    } else {
        Err(not_active(name, dataset.status))
    }
}

pub(super) fn not_active(name: &str, status: DatasetStatus) -> Failure {
    Failure::NotActive {
        entity: Entity::Dataset,
        name: name.to_owned(),
        status: status.as_str(),
    }
}
