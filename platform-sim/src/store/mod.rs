//! What the platform keeps, behind narrow traits: metadata and jobs (`sqlite`), rows (`parquet`), model artefacts
//! (`artefacts`), all inside one directory that one process owns (`data_dir`).
//!
//! The commit in the metadata store is the point at which something exists. Files are written and synchronised
//! before the commit that names them; files that nothing names are swept away at the next start.

pub(crate) mod artefacts;
pub(crate) mod data_dir;
pub(crate) mod parquet;
pub(crate) mod sqlite;

use std::io;
use std::path::{Path, PathBuf};

use async_trait::async_trait;
use datafusion::arrow::array::RecordBatch;

use crate::service::domain::{
    Dataset, DatasetStatus, Job, Model, ModelSchema, ModelStatus, NewDataset, NewModel, Schema, Scope,
};

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
    NameTaken,
}

/// What came of an attempt to make written rows part of a dataset.
#[derive(Debug)]
pub(crate) enum RowsCommitted {
    Committed,
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
    /// Moves a dataset to a status; false when it is gone.
    async fn set_dataset_status(&self, id: i64, status: DatasetStatus, error: Option<String>)
    -> Result<bool>;
    /// Makes a written file part of the dataset. This is the acknowledgement point of an insert.
    async fn commit_rows(&self, id: i64, file: String, rows: usize, schema: Schema) -> Result<RowsCommitted>;
    /// The names of the dataset's files, oldest first.
    async fn row_files(&self, id: i64) -> Result<Vec<String>>;
    /// Removes a dataset; its id when there was one.
    async fn delete_dataset(&self, name: &str) -> Result<Option<i64>>;
}

/// Models and the versions that serve.
#[async_trait]
pub(crate) trait ModelStore: Send + Sync {
    /// Stores the model and its training job together.
    async fn create_model(&self, new: NewModel, schema: ModelSchema) -> Result<Created<Job>>;
    async fn models(&self) -> Result<Vec<Model>>;
    async fn model(&self, name: &str) -> Result<Option<Model>>;
    async fn model_by_id(&self, id: i64) -> Result<Option<Model>>;
    /// Moves a model to a status; false when it is gone.
    async fn set_model_status(&self, id: i64, status: ModelStatus, error: Option<String>) -> Result<bool>;
    /// Makes a version the one that serves and the model ACTIVE; false when the model is gone.
    async fn activate_model(&self, id: i64, version: u32) -> Result<bool>;
    /// Puts a model back to the start of its training, as a new job.
    async fn retrain_model(&self, id: i64) -> Result<()>;
    /// Removes a model; its id when there was one.
    async fn delete_model(&self, name: &str) -> Result<Option<i64>>;
}

/// Background work.
#[async_trait]
pub(crate) trait JobStore: Send + Sync {
    /// The jobs that neither ended nor lost their target, counting one more attempt for each.
    async fn resume_jobs(&self) -> Result<Vec<Job>>;
    async fn finish_job(&self, id: i64) -> Result<()>;
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
    /// Makes the place for a dataset's files.
    async fn prepare(&self, dataset: i64) -> Result<()>;
    /// Writes a batch and returns its file's name once it would survive a power cut.
    async fn put(&self, dataset: i64, batch: RecordBatch) -> Result<String>;
    /// Makes files readable for a process on this machine and says where they are.
    async fn stage(&self, dataset: i64, files: &[String]) -> Result<Vec<PathBuf>>;
    /// Removes the files of a dataset except those in `keep`.
    async fn sweep(&self, dataset: i64, keep: &[String]) -> Result<()>;
    /// The datasets that have files.
    async fn datasets_with_files(&self) -> Result<Vec<i64>>;
}

/// Makes the entries of a directory survive a power cut.
pub(crate) fn sync_directory(directory: &Path) -> io::Result<()> {
    std::fs::File::open(directory)?.sync_all()
}
