//! Datasets: made, filled, shown, removed.

use super::domain::{Dataset, DatasetStatus, NewDataset};
use super::failure::{Entity, Failure, Place, Result};
use super::rows::{self, Row};
use crate::jobs;
use crate::platform::Platform;
use crate::store::{Created, RowsCommitted};

/// Makes a dataset; it becomes ACTIVE in the background.
pub(crate) async fn create(platform: &Platform, new: NewDataset) -> Result<()> {
    if new.schema.declared
        && let Some((index, key)) = new
            .unique_keys
            .iter()
            .enumerate()
            .find(|(_, key)| new.schema.column(key).is_none())
    {
        return Err(Failure::invalid(
            Place::UniqueKey(index),
            "unknown_column",
            format!("'{key}' is not a column of column_schema"),
        ));
    }
    let name = new.name.clone();
    match platform.datasets.create_dataset(new).await? {
        Created::Stored(job) => {
            jobs::start(platform, job);
            Ok(())
        }
        Created::NameTaken => Err(Failure::AlreadyExists(Entity::Dataset, name)),
    }
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
    let task = tokio::spawn(async move { insert_locked(&platform, &name, rows).await });
    task.await.map_err(|panic| Failure::Internal(panic.into()))?
}

async fn insert_locked(platform: &Platform, name: &str, rows: Vec<Row>) -> Result<usize> {
    let lock = platform.insert_lock(active(platform, name).await?.id);
    let _guard = lock.lock().await;
    // Read again under the lock: the insert before this one may have added columns.
    let dataset = active(platform, name).await?;
    let count = rows.len();
    if count == 0 {
        return Ok(0);
    }
    let (batch, schema) = tokio::task::spawn_blocking(move || {
        let schema = if dataset.schema.declared {
            dataset.schema
        } else {
            rows::extend_schema(&dataset.schema, &rows)
        };
        rows::encode(&schema, &dataset.unique_keys, &rows).map(|batch| (batch, schema))
    })
    .await
    .map_err(|panic| Failure::Internal(panic.into()))?
    .map_err(Failure::Invalid)?;
    let file = platform.rows.put(dataset.id, batch).await?;
    match platform
        .datasets
        .commit_rows(dataset.id, file, count, schema)
        .await?
    {
        RowsCommitted::Committed => Ok(count),
        RowsCommitted::DatasetGone => Err(Failure::NotFound(Entity::Dataset, name.to_owned())),
        RowsCommitted::DatasetNotActive(status) => Err(not_active(name, status)),
    }
}

/// Removes a dataset and its rows. Models that were trained on it go on serving.
pub(crate) async fn delete(platform: &Platform, name: &str) -> Result<()> {
    let dataset = get(platform, name).await?;
    // Inserts that are under way end first, so that none writes into what is being removed.
    let lock = platform.insert_lock(dataset.id);
    let _guard = lock.lock().await;
    let Some(id) = platform.datasets.delete_dataset(name).await? else {
        return Err(Failure::NotFound(Entity::Dataset, name.to_owned()));
    };
    platform.forget_insert_lock(id);
    if let Err(error) = platform.rows.sweep(id, &[]).await {
        tracing::warn!(
            dataset = name,
            ?error,
            "the files of a deleted dataset stay until the next start"
        );
    }
    Ok(())
}

async fn active(platform: &Platform, name: &str) -> Result<Dataset> {
    let dataset = get(platform, name).await?;
    if dataset.status == DatasetStatus::Active {
        Ok(dataset)
    } else {
        Err(not_active(name, dataset.status))
    }
}

fn not_active(name: &str, status: DatasetStatus) -> Failure {
    Failure::NotActive {
        entity: Entity::Dataset,
        name: name.to_owned(),
        status: status.as_str(),
    }
}
