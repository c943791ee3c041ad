//! Batches of rows on their way into a dataset: those that arrive while one is being written go together into the
//! next file.
//!
//! Making a file survive a power cut takes several waits for the disk, and they cost the same for one batch and for
//! fifty. So whoever comes to write takes along everything that waits. Each batch is whole or not at all still: a
//! file counts when its name is committed, and then all of it does.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use datafusion::arrow::array::RecordBatch;
use tokio::sync::oneshot;

use super::domain::{Dataset, DatasetStatus, RowOwner, Schema};
use super::failure::{Entity, Failure, Result};
use super::rows;
use crate::platform::Platform;
use crate::sabotage::{Sabotage, planted};
use crate::serving::online;
use crate::store::RowsCommitted;

/// The most rows that are written together. A single batch may have more.
const GROUP_ROWS: usize = 100_000;

/// The batches that wait, by dataset.
#[derive(Default)]
pub(crate) struct Queues {
    waiting: Mutex<HashMap<i64, Vec<Pending>>>,
}

/// A batch that was checked against the dataset as it was a moment ago.
pub(crate) struct Batch {
    pub(crate) rows: RecordBatch,
    pub(crate) unique_keys: Vec<String>,
    /// The schema that it was checked against.
    pub(crate) base: Schema,
    /// The same with the columns that the batch adds.
    pub(crate) extended: Schema,
}

struct Pending {
    batch: Batch,
    done: oneshot::Sender<Outcome>,
}

/// What came of a batch.
enum Outcome {
    Stored,
    /// The dataset changed meanwhile: the rows must be checked again.
    CheckAgain,
    Failed(Failure),
}

/// Stores a batch; false when it must be checked again first.
pub(crate) async fn store(platform: &Platform, id: i64, name: &str, batch: Batch) -> Result<bool> {
    let (done, mut outcome) = oneshot::channel();
    platform.ingest.push(id, Pending { batch, done });
    let lock = platform.row_lock(RowOwner::Dataset(id));
    let guard = lock.lock().await;
    let outcome = loop {
        match outcome.try_recv() {
            Ok(outcome) => break outcome,
            Err(oneshot::error::TryRecvError::Closed) => {
                return Err(Failure::Internal(anyhow::anyhow!(
                    "the task that wrote these rows did not end"
                )));
            }
            // Whoever had the turn before did not take it along; a group has a bound, so it may not be in the next one.
            Err(oneshot::error::TryRecvError::Empty) => {
                write_group(platform, id, name, platform.ingest.take(id)).await;
            }
        }
    };
    drop(guard);
    match outcome {
        Outcome::Stored => Ok(true),
        Outcome::CheckAgain => Ok(false),
        Outcome::Failed(failure) => Err(failure),
    }
}

impl Queues {
    fn push(&self, id: i64, pending: Pending) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.entry(id).or_default().push(pending);
    }

    /// What waits for the dataset, oldest first, up to the bound of a group.
    fn take(&self, id: i64) -> Vec<Pending> {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(queue) = waiting.get_mut(&id) else {
            return Vec::new();
        };
        let mut rows = 0;
        let fitting = queue
            .iter()
            .take_while(|pending| {
                let before = rows;
                rows += pending.batch.rows.num_rows();
                before == 0 || rows <= GROUP_ROWS
            })
            .count();
        let group: Vec<Pending> = queue.drain(..fitting).collect();
        if queue.is_empty() {
            waiting.remove(&id);
        }
        group
    }
}

async fn write_group(platform: &Platform, id: i64, name: &str, group: Vec<Pending>) {
    let dataset = match platform.datasets.dataset_by_id(id).await {
        Ok(dataset) => dataset,
        Err(error) => return fail(group, &Failure::from(error)),
    };
    let Some(dataset) = dataset else {
        return fail(group, &Failure::NotFound(Entity::Dataset, name.to_owned()));
    };
    if dataset.status != DatasetStatus::Active {
        return fail(group, &super::datasets::not_active(name, dataset.status));
    }
    let (accepted, schema) = accept(&dataset, group);
    if accepted.is_empty() {
        return;
    }
    let rows: usize = accepted.iter().map(|pending| pending.batch.rows.num_rows()).sum();
    let batches: Vec<RecordBatch> = accepted
        .iter()
        .map(|pending| pending.batch.rows.clone())
        .collect();
    if planted(Sabotage::AckBeforeCommit) {
        for pending in accepted {
            pending.done.send(Outcome::Stored).ok();
        }
        let platform = platform.clone();
        tokio::spawn(async move { commit(&platform, &dataset, batches, rows, schema).await.ok() });
        return;
    }
    match commit(platform, &dataset, batches, rows, schema).await {
        Ok(files) => {
            platform.metrics.inserted(rows);
            for pending in accepted {
                // A caller that is gone needs no answer.
                pending.done.send(Outcome::Stored).ok();
            }
            platform.changed();
            platform.wrote(id, files);
        }
        Err(failure) => fail(accepted, &failure),
    }
}

/// Keeps the batches that fit the dataset as it is now, one after the other, and sends the others back.
fn accept(dataset: &Dataset, group: Vec<Pending>) -> (Vec<Pending>, Schema) {
    let mut schema = dataset.schema.clone();
    let mut accepted = Vec::with_capacity(group.len());
    for pending in group {
        let batch = &pending.batch;
        let fits = batch.unique_keys == dataset.unique_keys && batch.base.declared == schema.declared;
        let known = |schema: &Schema| {
            let mut columns = batch.extended.columns.iter();
            columns.all(|column| schema.columns.contains(column))
        };
        if fits && batch.base == schema {
            schema = batch.extended.clone();
            accepted.push(pending);
        } else if fits && known(&schema) {
            accepted.push(pending);
        } else {
            pending.done.send(Outcome::CheckAgain).ok();
        }
    }
    (accepted, schema)
}

async fn commit(
    platform: &Platform,
    dataset: &Dataset,
    batches: Vec<RecordBatch>,
    rows: usize,
    schema: Schema,
) -> Result<usize> {
    let (id, name) = (dataset.id, dataset.name.as_str());
    let target = schema.clone();
    let joined = tokio::task::spawn_blocking(move || rows::join(&target, &batches))
        .await
        .map_err(|panic| Failure::Internal(panic.into()))?
        .map_err(|error| Failure::Internal(error.into()))?;
    let file = platform.rows.put(RowOwner::Dataset(id), joined.clone()).await?;
    match platform.datasets.commit_rows(id, file, rows, schema).await? {
        RowsCommitted::Committed { files } => {
            tell_models(platform, dataset, joined).await;
            Ok(files)
        }
        RowsCommitted::DatasetGone => Err(Failure::NotFound(Entity::Dataset, name.to_owned())),
        RowsCommitted::DatasetNotActive(status) => Err(super::datasets::not_active(name, status)),
    }
}

/// Lets the models that the dataset feeds know its new rows at once. The rows are stored whatever happens here: where
/// this fails, the models know them after their next training.
async fn tell_models(platform: &Platform, dataset: &Dataset, rows: RecordBatch) {
    for (model, live, users) in platform.online.fed_by(&dataset.name) {
        let (rows, keys) = (rows.clone(), dataset.unique_keys.clone());
        let read = tokio::task::spawn_blocking(move || {
            anyhow::Ok(users.add(online::arrivals(&live, &keys, &rows)?))
        })
        .await;
        let told = match read.map_err(anyhow::Error::from).and_then(|read| read) {
            Ok(changes) => {
                let stored = platform.models.change_online(model, changes).await;
                stored.map_err(|error| anyhow::anyhow!("{error:?}"))
            }
            Err(error) => Err(error),
        };
        if let Err(error) = told {
            tracing::error!(model, dataset = dataset.name, %error, "a model does not know new rows before its next training");
        }
    }
}

fn fail(group: Vec<Pending>, failure: &Failure) {
    for pending in group {
        pending.done.send(Outcome::Failed(failure.again())).ok();
    }
}
