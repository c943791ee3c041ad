//! What the platform keeps, behind narrow traits: metadata and jobs (`sqlite`), rows (`parquet`), model artefacts
//! (`artefacts`), all inside one directory that one process owns (`data_dir`).
//!
//! The commit in the metadata store is the point at which something exists. Files are written and synchronised
//! before the commit that names them; files that nothing names are swept away at the next start.

pub(crate) mod artefacts;
pub(crate) mod data_dir;
pub(crate) mod pages;
pub(crate) mod parquet;
pub(crate) mod sqlite;

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};

use async_trait::async_trait;
use datafusion::arrow::array::RecordBatch;

use crate::sabotage::{Sabotage, planted};
use crate::service::domain::{
    Dataset, DatasetStatus, Job, Model, ModelFeatures, ModelSchema, ModelStatus, NewDataset, NewModel,
    NewTransform, RowOwner, Schema, Scope, Stamp, TrainingReport, Transform, TransformStatus,
};
use crate::service::failure::Entity;
use crate::serving::online::{Arrival, Change};

/// The outcome of a storage operation.
pub(crate) type Result<T> = std::result::Result<T, StoreError>;

/// Why storage failed, by what can be done about it.
#[derive(Debug)]
pub(crate) enum StoreError {
    /// No space left: free some and try again.
    Full(anyhow::Error),
    /// Anything else.
    Other(anyhow::Error),
}

impl From<io::Error> for StoreError {
    fn from(error: io::Error) -> StoreError {
        match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
                StoreError::Full(error.into())
            }
            _ => StoreError::Other(error.into()),
        }
    }
}

/// A new thing was stored, or its name was taken.
#[derive(Debug)]
pub(crate) enum Created<T> {
    Stored(T),
    NameTaken(Entity),
}

/// What came of an attempt to make something DESTROYING.
#[derive(Debug)]
pub(crate) enum Doomed {
    /// By this job.
    By(Job),
    /// It is gone, or being destroyed already.
    Gone,
    /// These transforms read it.
    Read(Vec<String>),
}

/// What came of an attempt to make written rows part of a dataset.
#[derive(Debug)]
pub(crate) enum RowsCommitted {
    Committed {
        /// The files that the dataset has now.
        files: usize,
    },
    DatasetGone,
    DatasetNotActive(DatasetStatus),
}

/// Datasets and the row files that they consist of.
#[async_trait]
pub(crate) trait DatasetStore: Send + Sync {
    /// Stores the dataset and its deployment job together.
    async fn create_dataset(&self, new: NewDataset) -> Result<Created<Job>>;
    async fn datasets(&self) -> Result<Vec<Dataset>>;
    async fn dataset(&self, name: &str) -> Result<Option<Dataset>>;
    async fn dataset_by_id(&self, id: i64) -> Result<Option<Dataset>>;
    /// Gives a dataset another configuration and, with `redeploy`, a job that deploys it anew; `None` when it is
    /// gone or being destroyed.
    async fn update_dataset(&self, id: i64, new: NewDataset, redeploy: bool) -> Result<Option<Option<Job>>>;
    /// Moves a dataset to a status; false when it is gone or being destroyed.
    async fn set_dataset_status(&self, id: i64, status: DatasetStatus, error: Option<String>)
    -> Result<bool>;
    /// Makes a written file part of the dataset. This is the acknowledgement point of an insert.
    async fn commit_rows(&self, id: i64, file: String, rows: usize, schema: Schema) -> Result<RowsCommitted>;
    /// The names of the dataset's files, oldest first.
    async fn row_files(&self, id: i64) -> Result<Vec<String>>;
    /// The same with their numbers of rows.
    async fn row_counts(&self, id: i64) -> Result<Vec<(String, usize)>>;
    /// Puts one file in the place of neighbouring ones; false when they or the unique keys are no longer the same.
    async fn merge_rows(
        &self,
        id: i64,
        old: Vec<String>,
        new: (String, usize),
        unique_keys: Vec<String>,
    ) -> Result<bool>;
    /// The datasets with at least so many files.
    async fn datasets_with_many_files(&self, least: usize) -> Result<Vec<i64>>;
    /// Makes a dataset DESTROYING, with a job that removes it, unless a transform reads it. From here on it stays
    /// deleted, whatever happens.
    async fn doom_dataset(&self, name: &str) -> Result<Doomed>;
    /// Gives up destroying a dataset: it is in ERROR and can be deleted again.
    async fn keep_dataset(&self, id: i64, error: String) -> Result<()>;
    /// Removes a dataset that is being destroyed.
    async fn remove_dataset(&self, id: i64) -> Result<()>;
}

/// What came of an attempt to store a transform.
#[derive(Debug)]
pub(crate) enum TransformCreated {
    Stored(Job),
    NameTaken(Entity),
    /// This source went away meanwhile.
    SourceGone(String),
}

/// Transforms and the row files of those that keep rows.
#[async_trait]
pub(crate) trait TransformStore: Send + Sync {
    /// Stores the transform and the job that makes its rows together.
    async fn create_transform(&self, new: NewTransform) -> Result<TransformCreated>;
    async fn transforms(&self) -> Result<Vec<Transform>>;
    async fn transform(&self, name: &str) -> Result<Option<Transform>>;
    async fn transform_by_id(&self, id: i64) -> Result<Option<Transform>>;
    /// Moves a transform to a status; false when it is gone or being destroyed.
    async fn set_transform_status(
        &self,
        id: i64,
        status: TransformStatus,
        error: Option<String>,
    ) -> Result<bool>;
    /// Puts new rows (a file and its number of rows) in the place of the old ones and makes the transform ACTIVE;
    /// the files that went out of use, or `None` when the transform is gone or being destroyed.
    async fn commit_transform(
        &self,
        id: i64,
        file: Option<(String, usize)>,
        schema: Schema,
        stamp: Stamp,
    ) -> Result<Option<Vec<String>>>;
    /// Notes that a refresh failed: a transform with rows goes on serving them, another one is in ERROR.
    async fn fail_transform(&self, id: i64, error: String, stamp: Stamp) -> Result<()>;
    async fn describe_transform(&self, name: &str, description: Option<String>) -> Result<bool>;
    /// A new refresh job, unless the transform has one or is being destroyed.
    async fn refresh_transform(&self, id: i64) -> Result<Option<Job>>;
    /// The kept answers of an enrichment, of those that are asked for.
    async fn enriched(&self, id: i64, digests: Vec<[u8; 32]>)
    -> Result<Vec<([u8; 32], Vec<Option<String>>)>>;
    /// Keeps answers of an enrichment.
    async fn keep_enriched(&self, id: i64, answers: Vec<([u8; 32], Vec<Option<String>>)>) -> Result<()>;
    /// The names of the transform's files.
    async fn transform_files(&self, id: i64) -> Result<Vec<String>>;
    /// Makes a transform DESTROYING, with a job that removes it, unless another one reads it.
    async fn doom_transform(&self, name: &str) -> Result<Doomed>;
    /// Gives up destroying a transform: it is in ERROR and can be deleted again.
    async fn keep_transform(&self, id: i64, error: String) -> Result<()>;
    /// Removes a transform that is being destroyed.
    async fn remove_transform(&self, id: i64) -> Result<()>;
}

/// What came of an attempt to store a model.
#[derive(Debug)]
pub(crate) enum ModelCreated {
    Stored(Job),
    NameTaken,
    /// Another model has a saved query of this name.
    QueryTaken(String),
}

/// What came of an attempt to change a model.
#[derive(Debug)]
pub(crate) enum ModelUpdated {
    Updated {
        id: i64,
        job: Job,
    },
    Gone,
    /// Another model has a saved query of this name.
    QueryTaken(String),
    /// It is being trained.
    Busy(ModelStatus),
}

/// Models, the versions that serve, and what came in since.
#[async_trait]
pub(crate) trait ModelStore: Send + Sync {
    /// Stores the model and its training job together.
    async fn create_model(&self, new: NewModel, schema: ModelSchema) -> Result<ModelCreated>;
    async fn models(&self) -> Result<Vec<Model>>;
    async fn model(&self, name: &str) -> Result<Option<Model>>;
    async fn model_by_id(&self, id: i64) -> Result<Option<Model>>;
    /// Moves a model to a status; false when it is gone.
    async fn set_model_status(&self, id: i64, status: ModelStatus, error: Option<String>) -> Result<bool>;
    /// Makes a version the one that serves and the model ACTIVE, and keeps what its columns mean and what was found
    /// out; false when the model is gone.
    async fn activate_model(
        &self,
        id: i64,
        version: u32,
        features: ModelFeatures,
        report: TrainingReport,
    ) -> Result<bool>;
    /// Puts a model back to the start of its training, as a new job; `None` when it is gone or being trained.
    async fn retrain_model(&self, id: i64) -> Result<Option<Job>>;
    /// Gives a model another configuration and puts it to the start of its training.
    async fn update_model(&self, new: NewModel, schema: ModelSchema) -> Result<ModelUpdated>;
    /// What came in of the users of a model, in any order.
    async fn online(&self, id: i64) -> Result<Vec<Arrival>>;
    /// Keeps and drops interactions of a model's users; nothing for a model that is gone.
    async fn change_online(&self, id: i64, changes: Vec<Change>) -> Result<()>;
    /// Drops the interactions before a time, in Unix seconds, of a model's users.
    async fn expire_online(&self, id: i64, oldest: i64) -> Result<()>;
    /// Removes a model; its id when there was one.
    async fn delete_model(&self, name: &str) -> Result<Option<i64>>;
}

/// Whose pages: somebody who asks a model.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Reader {
    /// The id of the model.
    pub(crate) model: i64,
    /// What the model's readers are told apart by.
    pub(crate) name: String,
}

/// What readers were shown lately, so that it is not shown again. To be called on threads that may wait.
pub(crate) trait PageStore: Send + Sync {
    /// What a reader was shown and must not see again at the moment `now`, in Unix seconds.
    fn served(&self, reader: &Reader, now: i64) -> Result<HashSet<String>>;
    /// Notes what a reader is shown now; it counts for `ttl` seconds, 0 is not at all.
    fn serve(&self, reader: &Reader, ids: &[String], now: i64, ttl: i64) -> Result<()>;
    /// Forgets what a reader was shown.
    fn flush(&self, reader: &Reader) -> Result<()>;
    /// Forgets all pages of a model.
    fn forget(&self, model: i64) -> Result<()>;
    /// Forgets what ran out, and the pages of all models but these.
    fn sweep(&self, models: &[i64], now: i64) -> Result<()>;
}

/// Background work.
#[async_trait]
pub(crate) trait JobStore: Send + Sync {
    /// The jobs that neither ended nor lost their target, counting one more attempt for each.
    async fn resume_jobs(&self) -> Result<Vec<Job>>;
    async fn finish_job(&self, id: i64) -> Result<()>;
    /// Leaves a job to the next start, as if this attempt had not been: nothing went wrong in it.
    async fn postpone_job(&self, id: i64) -> Result<()>;
}

/// API keys, as digests only.
#[async_trait]
pub(crate) trait KeyStore: Send + Sync {
    async fn keys(&self) -> Result<Vec<(Scope, [u8; 32])>>;
    async fn add_keys(&self, keys: Vec<(Scope, [u8; 32])>) -> Result<()>;
}

/// Rows in files that are written once.
#[async_trait]
pub(crate) trait RowStore: Send + Sync {
    /// Makes the place for an owner's files.
    async fn prepare(&self, owner: RowOwner) -> Result<()>;
    /// Writes a batch and returns its file's name once it would survive a power cut.
    async fn put(&self, owner: RowOwner, batch: RecordBatch) -> Result<String>;
    /// Takes over a file of this machine, in the format of `put`, and returns its name once it would survive a power
    /// cut.
    async fn adopt(&self, owner: RowOwner, file: PathBuf) -> Result<String>;
    /// Keeps the owner's files in place until it is dropped. To be taken before the names of the files are read.
    fn lease(&self, owner: RowOwner) -> Lease;
    /// Makes files readable for a process on this machine and says where they are.
    async fn stage(&self, owner: RowOwner, files: &[String]) -> Result<Vec<PathBuf>>;
    /// Removes files that are out of use, once nobody has a lease on them.
    async fn retire(&self, owner: RowOwner, files: Vec<String>) -> Result<()>;
    /// Removes the files of an owner except those in `keep`.
    async fn sweep(&self, owner: RowOwner, keep: &[String]) -> Result<()>;
    /// The owners that have files.
    async fn owners_with_files(&self) -> Result<Vec<RowOwner>>;
}

/// A promise that files stay; ends when it is dropped.
pub(crate) struct Lease(Option<Box<dyn FnOnce() + Send + Sync>>);

impl Lease {
    pub(crate) fn new(end: impl FnOnce() + Send + Sync + 'static) -> Lease {
        Lease(Some(Box::new(end)))
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        if let Some(end) = self.0.take() {
            end();
        }
    }
}

/// Makes the content of a file survive a power cut.
pub(crate) fn sync_file(file: &Path) -> io::Result<()> {
    if planted(Sabotage::NoSync) {
        return Ok(());
    }
    std::fs::File::open(file)?.sync_all()
}

/// Makes the entries of a directory survive a power cut.
pub(crate) fn sync_directory(directory: &Path) -> io::Result<()> {
    sync_file(directory)
}
