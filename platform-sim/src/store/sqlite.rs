//! Metadata, jobs and keys in one SQLite database: WAL, synchronous=FULL, so a commit survives a power cut.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, anyhow, bail};
use async_trait::async_trait;
use rusqlite::{
    Connection, ErrorCode, OptionalExtension, Row, ToSql, Transaction, TransactionBehavior, params,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::parquet::blocking;
use super::{
    Created, DatasetStore, Doomed, JobStore, KeyStore, ModelCreated, ModelStore, ModelUpdated, Result,
    RowsCommitted, StoreError, TransformCreated, TransformStore,
};
use crate::sabotage::{Sabotage, planted};
use crate::service::domain::{
    Dataset, DatasetStatus, Job, JobKind, Model, ModelFeatures, ModelSchema, ModelStatus, NewDataset,
    NewModel, NewTransform, Schema, Scope, Stamp, TrainingReport, Transform, TransformStatus, now,
};
use crate::service::failure::Entity;
use crate::service::schema_types::SchemaType;
use crate::serving::online::{Arrival, Change, Key, OnlineEvent, Replaces};

/// What makes each version of the tables from the one before it; the first makes them from nothing.
const MIGRATIONS: [&str; 5] = [VERSION_1, VERSION_2, VERSION_3, VERSION_4, VERSION_5];

const VERSION_1: &str = "
CREATE TABLE keys (
    digest BLOB PRIMARY KEY,
    scope TEXT NOT NULL
) STRICT;
CREATE TABLE datasets (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    description TEXT,
    status TEXT NOT NULL,
    columns TEXT NOT NULL,
    unique_keys TEXT NOT NULL,
    error_message TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
) STRICT;
CREATE TABLE row_files (
    dataset INTEGER NOT NULL REFERENCES datasets (id) ON DELETE CASCADE,
    sequence INTEGER NOT NULL,
    file TEXT NOT NULL,
    row_count INTEGER NOT NULL,
    PRIMARY KEY (dataset, sequence)
) STRICT, WITHOUT ROWID;
CREATE TABLE models (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    description TEXT,
    status TEXT NOT NULL,
    config TEXT NOT NULL,
    columns TEXT NOT NULL,
    version INTEGER,
    error_message TEXT,
    created_at TEXT NOT NULL,
    trained_at TEXT
) STRICT;
CREATE TABLE jobs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    target INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    created_at TEXT NOT NULL
) STRICT;
";

/// Datasets of every schema type. `revision` counts the changes of a dataset's rows and columns.
const VERSION_2: &str = "
ALTER TABLE datasets ADD COLUMN schema_type TEXT NOT NULL DEFAULT 'CUSTOM';
ALTER TABLE datasets ADD COLUMN config TEXT NOT NULL DEFAULT '{}';
ALTER TABLE datasets ADD COLUMN secrets TEXT NOT NULL DEFAULT '{}';
ALTER TABLE datasets ADD COLUMN warning_message TEXT;
ALTER TABLE datasets ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
";

/// Transforms.
const VERSION_3: &str = "
CREATE TABLE transforms (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    description TEXT,
    status TEXT NOT NULL,
    recipe TEXT NOT NULL,
    columns TEXT NOT NULL,
    sources TEXT NOT NULL,
    stamp TEXT NOT NULL,
    version INTEGER NOT NULL,
    error_message TEXT,
    created_at TEXT NOT NULL,
    refreshed_at TEXT
) STRICT;
CREATE TABLE transform_files (
    transform INTEGER NOT NULL REFERENCES transforms (id) ON DELETE CASCADE,
    file TEXT NOT NULL,
    row_count INTEGER NOT NULL,
    PRIMARY KEY (transform, file)
) STRICT, WITHOUT ROWID;
CREATE TABLE enrichments (
    transform INTEGER NOT NULL REFERENCES transforms (id) ON DELETE CASCADE,
    digest BLOB NOT NULL,
    outputs TEXT NOT NULL,
    PRIMARY KEY (transform, digest)
) STRICT, WITHOUT ROWID;
";

/// Schedules, and the online store: of each user the newest interactions. Labels are null where they are missing.
const VERSION_4: &str = "
ALTER TABLE models ADD COLUMN scheduled_at TEXT NOT NULL DEFAULT '';
UPDATE models SET scheduled_at = coalesce(trained_at, created_at);
CREATE TABLE online_interactions (
    model INTEGER NOT NULL REFERENCES models (id) ON DELETE CASCADE,
    user TEXT NOT NULL,
    item TEXT NOT NULL,
    time INTEGER NOT NULL,
    label REAL,
    PRIMARY KEY (model, user, item, time)
) STRICT, WITHOUT ROWID;
";

/// Which row an interaction is of, and which older ones it replaces: see `OnlineEvent`.
const VERSION_5: &str = "
ALTER TABLE online_interactions ADD COLUMN key BLOB;
ALTER TABLE online_interactions ADD COLUMN replaces INTEGER;
";

/// The database. One connection, used by one task at a time: every statement here is a short one.
#[derive(Clone, Debug)]
pub(crate) struct Sqlite {
    connection: Arc<Mutex<Connection>>,
}

impl Sqlite {
    pub(crate) fn open(path: &Path) -> anyhow::Result<Sqlite> {
        let connection = prepare(path).with_context(|| format!("cannot open {}", path.display()))?;
        Ok(Sqlite {
            connection: Arc::new(Mutex::new(connection)),
        })
    }

    /// Runs `work` in a transaction of its own and commits it.
    async fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> anyhow::Result<T> + Send + 'static,
    ) -> Result<T> {
        let connection = Arc::clone(&self.connection);
        blocking(move || {
            // A panic in an earlier holder rolled its transaction back; the connection itself is sound.
            let mut connection = connection.lock().unwrap_or_else(PoisonError::into_inner);
            let transaction = connection
                .transaction_with_behavior(TransactionBehavior::Immediate)
                .map_err(|error| store_error(error.into()))?;
            let value = work(&transaction).map_err(store_error)?;
            transaction.commit().map_err(|error| store_error(error.into()))?;
            Ok(value)
        })
        .await
    }

    async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> anyhow::Result<T> + Send + 'static,
    ) -> Result<T> {
        let connection = Arc::clone(&self.connection);
        blocking(move || {
            let connection = connection.lock().unwrap_or_else(PoisonError::into_inner);
            work(&connection).map_err(store_error)
        })
        .await
    }

    /// What a statement selects, row by row.
    async fn all<T: Send + 'static>(
        &self,
        statement: &'static str,
        read: fn(&Row<'_>) -> anyhow::Result<T>,
    ) -> Result<Vec<T>> {
        self.read(move |connection| {
            let mut statement = connection.prepare_cached(statement)?;
            let mut rows = statement.query([])?;
            let mut found = Vec::new();
            while let Some(row) = rows.next()? {
                found.push(read(row)?);
            }
            Ok(found)
        })
        .await
    }

    /// The first row of a statement with one parameter.
    async fn first<T: Send + 'static>(
        &self,
        statement: &'static str,
        key: impl ToSql + Send + 'static,
        read: fn(&Row<'_>) -> anyhow::Result<T>,
    ) -> Result<Option<T>> {
        self.read(move |connection| {
            let mut statement = connection.prepare_cached(statement)?;
            let mut rows = statement.query([key])?;
            rows.next()?.map(read).transpose()
        })
        .await
    }
}

fn prepare(path: &Path) -> anyhow::Result<Connection> {
    let mut connection = Connection::open(path)?;
    // Connections of datasets stand in it with their passwords. The log beside it gets the same rights.
    #[cfg(unix)]
    std::fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
    let mode: String = connection.query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0))?;
    if mode != "wal" {
        bail!("the file system does not support SQLite's write-ahead log (journal mode {mode})");
    }
    let synchronous = if planted(Sabotage::NoSync) { "OFF" } else { "FULL" };
    connection.execute_batch(&format!(
        "PRAGMA synchronous = {synchronous}; PRAGMA foreign_keys = ON;"
    ))?;
    // A damaged page is better found now than by whoever asks for what is on it.
    let health: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    if health != "ok" {
        bail!(
            "it is damaged ({health}); restore it from a backup, or name another directory with --data-dir"
        );
    }
    let version: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    let known = MIGRATIONS.len();
    let missing = usize::try_from(version)
        .ok()
        .and_then(|version| MIGRATIONS.get(version..))
        .with_context(|| {
            format!("its tables have version {version}, this server reads up to version {known}")
        })?;
    if !missing.is_empty() {
        let transaction = connection.transaction()?;
        for migration in missing {
            transaction.execute_batch(migration)?;
        }
        transaction.pragma_update(None, "user_version", i64::try_from(known)?)?;
        transaction.commit()?;
    }
    reserve(path);
    Ok(connection)
}

/// Keeps room for the log, so that something can still be deleted when the disk is full: the log is written from its
/// start again once it has this size. Where the system cannot keep room, a full disk refuses deletions too.
#[cfg(target_os = "linux")]
fn reserve(path: &Path) {
    use rustix::fs::{FallocateFlags, fallocate};
    const LOG_BYTES: u64 = 4_500_000;
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    let kept = std::fs::File::options()
        .write(true)
        .open(&log)
        .and_then(|log| Ok(fallocate(&log, FallocateFlags::KEEP_SIZE, 0, LOG_BYTES)?));
    if let Err(error) = kept {
        tracing::debug!(%error, "no room is kept for the log of the metadata");
    }
}

#[cfg(not(target_os = "linux"))]
fn reserve(_path: &Path) {}

pub(super) fn store_error(error: anyhow::Error) -> StoreError {
    let full = matches!(
        error
            .downcast_ref::<rusqlite::Error>()
            .and_then(rusqlite::Error::sqlite_error_code),
        Some(ErrorCode::DiskFull)
    );
    if full {
        StoreError::Full(error)
    } else {
        StoreError::Other(error)
    }
}

#[async_trait]
impl DatasetStore for Sqlite {
    async fn create_dataset(&self, new: NewDataset) -> Result<Created<Job>> {
        self.write(move |transaction| {
            if exists(transaction, "transforms", &new.name)? {
                return Ok(Created::NameTaken(Entity::Transform));
            }
            let inserted = transaction.execute(
                "INSERT INTO datasets
                 (name, description, schema_type, status, columns, unique_keys, config, secrets, created_at, updated_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9) ON CONFLICT (name) DO NOTHING",
                params![
                    new.name,
                    new.description,
                    new.schema_type.name,
                    DatasetStatus::Scheduling.as_str(),
                    to_json(&new.schema)?,
                    to_json(&new.unique_keys)?,
                    to_json(&new.config)?,
                    to_json(&new.secrets)?,
                    now()
                ],
            )?;
            if inserted == 0 {
                return Ok(Created::NameTaken(Entity::Dataset));
            }
            Ok(Created::Stored(add_job(transaction, JobKind::DeployDataset, transaction.last_insert_rowid())?))
        })
        .await
    }

    async fn datasets(&self) -> Result<Vec<Dataset>> {
        self.all("SELECT * FROM datasets ORDER BY name", read_dataset)
            .await
    }

    async fn dataset(&self, name: &str) -> Result<Option<Dataset>> {
        self.first(
            "SELECT * FROM datasets WHERE name = ?1",
            name.to_owned(),
            read_dataset,
        )
        .await
    }

    async fn dataset_by_id(&self, id: i64) -> Result<Option<Dataset>> {
        self.first("SELECT * FROM datasets WHERE id = ?1", id, read_dataset)
            .await
    }

    async fn update_dataset(&self, id: i64, new: NewDataset, redeploy: bool) -> Result<Option<Option<Job>>> {
        self.write(move |transaction| {
            let changed = transaction.execute(
                "UPDATE datasets SET description = ?2, columns = ?3, unique_keys = ?4, config = ?5, secrets = ?6,
                 updated_at = ?7, revision = revision + 1 WHERE id = ?1 AND status <> ?8",
                params![
                    id,
                    new.description,
                    to_json(&new.schema)?,
                    to_json(&new.unique_keys)?,
                    to_json(&new.config)?,
                    to_json(&new.secrets)?,
                    now(),
                    DatasetStatus::Destroying.as_str()
                ],
            )?;
            if changed == 0 {
                return Ok(None);
            }
            if !redeploy {
                return Ok(Some(None));
            }
            transaction.execute(
                "UPDATE datasets SET status = ?2, error_message = NULL, warning_message = NULL WHERE id = ?1",
                params![id, DatasetStatus::Scheduling.as_str()],
            )?;
            Ok(Some(Some(add_job(transaction, JobKind::DeployDataset, id)?)))
        })
        .await
    }

    async fn set_dataset_status(
        &self,
        id: i64,
        status: DatasetStatus,
        error: Option<String>,
    ) -> Result<bool> {
        self.write(move |transaction| {
            let changed = transaction.execute(
                "UPDATE datasets SET status = ?2, error_message = ?3, updated_at = ?4 WHERE id = ?1 AND status <> ?5",
                params![id, status.as_str(), error, now(), DatasetStatus::Destroying.as_str()],
            )?;
            Ok(changed > 0)
        })
        .await
    }

    async fn commit_rows(&self, id: i64, file: String, rows: usize, schema: Schema) -> Result<RowsCommitted> {
        self.write(move |transaction| {
            let status: Option<String> = transaction
                .query_row("SELECT status FROM datasets WHERE id = ?1", [id], |row| {
                    row.get(0)
                })
                .optional()?;
            let Some(status) = status else {
                return Ok(RowsCommitted::DatasetGone);
            };
            let status = known(DatasetStatus::parse(&status), &status)?;
            if status != DatasetStatus::Active {
                return Ok(RowsCommitted::DatasetNotActive(status));
            }
            transaction.execute(
                "INSERT INTO row_files (dataset, sequence, file, row_count)
                 SELECT ?1, COALESCE(MAX(sequence), 0) + 1, ?2, ?3 FROM row_files WHERE dataset = ?1",
                params![id, file, i64::try_from(rows)?],
            )?;
            transaction.execute(
                "UPDATE datasets SET columns = ?2, updated_at = ?3, revision = revision + 1 WHERE id = ?1",
                params![id, to_json(&schema)?, now()],
            )?;
            let files: i64 =
                transaction.query_row("SELECT COUNT(*) FROM row_files WHERE dataset = ?1", [id], |row| {
                    row.get(0)
                })?;
            Ok(RowsCommitted::Committed {
                files: usize::try_from(files)?,
            })
        })
        .await
    }

    async fn row_files(&self, id: i64) -> Result<Vec<String>> {
        self.read(move |connection| {
            let mut statement = connection
                .prepare_cached("SELECT file FROM row_files WHERE dataset = ?1 ORDER BY sequence")?;
            let files = statement
                .query_map([id], |row| row.get(0))?
                .collect::<rusqlite::Result<_>>()?;
            Ok(files)
        })
        .await
    }

    async fn row_counts(&self, id: i64) -> Result<Vec<(String, usize)>> {
        self.read(move |connection| {
            let mut statement = connection.prepare_cached(
                "SELECT file, row_count FROM row_files WHERE dataset = ?1 ORDER BY sequence",
            )?;
            let mut rows = statement.query([id])?;
            let mut files = Vec::new();
            while let Some(row) = rows.next()? {
                let count: i64 = row.get("row_count")?;
                files.push((row.get("file")?, usize::try_from(count)?));
            }
            Ok(files)
        })
        .await
    }

    async fn merge_rows(
        &self,
        id: i64,
        old: Vec<String>,
        new: (String, usize),
        unique_keys: Vec<String>,
    ) -> Result<bool> {
        self.write(move |transaction| {
            let keys: Option<String> = transaction
                .query_row(
                    "SELECT unique_keys FROM datasets WHERE id = ?1 AND status <> ?2",
                    params![id, DatasetStatus::Destroying.as_str()],
                    |row| row.get(0),
                )
                .optional()?;
            if keys != Some(to_json(&unique_keys)?) {
                return Ok(false);
            }
            let mut first: Option<i64> = None;
            let mut find = transaction
                .prepare_cached("SELECT sequence FROM row_files WHERE dataset = ?1 AND file = ?2")?;
            for file in &old {
                let sequence: Option<i64> = find.query_row(params![id, file], |row| row.get(0)).optional()?;
                let Some(sequence) = sequence else {
                    return Ok(false);
                };
                first = Some(first.unwrap_or(sequence));
            }
            let mut remove =
                transaction.prepare_cached("DELETE FROM row_files WHERE dataset = ?1 AND file = ?2")?;
            for file in &old {
                remove.execute(params![id, file])?;
            }
            let (file, rows) = new;
            transaction.execute(
                "INSERT INTO row_files (dataset, sequence, file, row_count) VALUES (?1, ?2, ?3, ?4)",
                params![id, first, file, i64::try_from(rows)?],
            )?;
            Ok(true)
        })
        .await
    }

    async fn datasets_with_many_files(&self, least: usize) -> Result<Vec<i64>> {
        self.read(move |connection| {
            let mut statement = connection
                .prepare_cached("SELECT dataset FROM row_files GROUP BY dataset HAVING COUNT(*) >= ?1")?;
            let datasets = statement
                .query_map([i64::try_from(least)?], |row| row.get(0))?
                .collect::<rusqlite::Result<_>>()?;
            Ok(datasets)
        })
        .await
    }

    async fn doom_dataset(&self, name: &str) -> Result<Doomed> {
        let name = name.to_owned();
        self.write(move |transaction| {
            doom(
                transaction,
                "datasets",
                &name,
                JobKind::DeployDataset,
                JobKind::DestroyDataset,
            )
        })
        .await
    }

    async fn keep_dataset(&self, id: i64, error: String) -> Result<()> {
        self.write(move |transaction| {
            transaction.execute(
                "UPDATE datasets SET status = ?2, error_message = ?3, updated_at = ?4 WHERE id = ?1",
                params![id, DatasetStatus::Error.as_str(), error, now()],
            )?;
            Ok(())
        })
        .await
    }

    async fn remove_dataset(&self, id: i64) -> Result<()> {
        self.write(move |transaction| {
            transaction.execute("DELETE FROM datasets WHERE id = ?1", [id])?;
            Ok(())
        })
        .await
    }
}

#[async_trait]
impl TransformStore for Sqlite {
    async fn create_transform(&self, new: NewTransform) -> Result<TransformCreated> {
        self.write(move |transaction| {
            if exists(transaction, "datasets", &new.name)? {
                return Ok(TransformCreated::NameTaken(Entity::Dataset));
            }
            for source in &new.sources {
                let found: bool = transaction.query_row(
                    "SELECT EXISTS (SELECT 1 FROM datasets WHERE name = ?1 AND status <> ?2
                     UNION ALL SELECT 1 FROM transforms WHERE name = ?1 AND status <> ?2)",
                    params![source, TransformStatus::Destroying.as_str()],
                    |row| row.get(0),
                )?;
                if !found {
                    return Ok(TransformCreated::SourceGone(source.clone()));
                }
            }
            let inserted = transaction.execute(
                "INSERT INTO transforms
                 (name, description, status, recipe, columns, sources, stamp, version, created_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, '{}', 0, ?7) ON CONFLICT (name) DO NOTHING",
                params![
                    new.name,
                    new.description,
                    TransformStatus::Scheduling.as_str(),
                    to_json(&new.recipe)?,
                    to_json(&new.schema)?,
                    to_json(&new.sources)?,
                    now()
                ],
            )?;
            if inserted == 0 {
                return Ok(TransformCreated::NameTaken(Entity::Transform));
            }
            let id = transaction.last_insert_rowid();
            Ok(TransformCreated::Stored(add_job(
                transaction,
                JobKind::RefreshTransform,
                id,
            )?))
        })
        .await
    }

    async fn transforms(&self) -> Result<Vec<Transform>> {
        self.all("SELECT * FROM transforms ORDER BY name", read_transform)
            .await
    }

    async fn transform(&self, name: &str) -> Result<Option<Transform>> {
        self.first(
            "SELECT * FROM transforms WHERE name = ?1",
            name.to_owned(),
            read_transform,
        )
        .await
    }

    async fn transform_by_id(&self, id: i64) -> Result<Option<Transform>> {
        self.first("SELECT * FROM transforms WHERE id = ?1", id, read_transform)
            .await
    }

    async fn set_transform_status(
        &self,
        id: i64,
        status: TransformStatus,
        error: Option<String>,
    ) -> Result<bool> {
        self.write(move |transaction| {
            let changed = transaction.execute(
                "UPDATE transforms SET status = ?2, error_message = ?3 WHERE id = ?1 AND status <> ?4",
                params![id, status.as_str(), error, TransformStatus::Destroying.as_str()],
            )?;
            Ok(changed > 0)
        })
        .await
    }

    async fn commit_transform(
        &self,
        id: i64,
        file: Option<(String, usize)>,
        schema: Schema,
        stamp: Stamp,
    ) -> Result<Option<Vec<String>>> {
        self.write(move |transaction| {
            let changed = transaction.execute(
                "UPDATE transforms SET status = ?2, error_message = NULL, columns = ?3, stamp = ?4,
                 version = version + 1, refreshed_at = ?5 WHERE id = ?1 AND status <> ?6",
                params![
                    id,
                    TransformStatus::Active.as_str(),
                    to_json(&schema)?,
                    to_json(&stamp)?,
                    now(),
                    TransformStatus::Destroying.as_str()
                ],
            )?;
            if changed == 0 {
                return Ok(None);
            }
            let old: Vec<String> = transaction
                .prepare("DELETE FROM transform_files WHERE transform = ?1 RETURNING file")?
                .query_map([id], |row| row.get(0))?
                .collect::<rusqlite::Result<_>>()?;
            if let Some((file, rows)) = file {
                transaction.execute(
                    "INSERT INTO transform_files (transform, file, row_count) VALUES (?1, ?2, ?3)",
                    params![id, file, i64::try_from(rows)?],
                )?;
            }
            Ok(Some(old))
        })
        .await
    }

    async fn fail_transform(&self, id: i64, error: String, stamp: Stamp) -> Result<()> {
        self.write(move |transaction| {
            transaction.execute(
                "UPDATE transforms SET error_message = ?2, stamp = ?3,
                 status = CASE WHEN version > 0 AND EXISTS (SELECT 1 FROM transform_files WHERE transform = id)
                          THEN ?4 ELSE ?5 END
                 WHERE id = ?1 AND status <> ?6",
                params![
                    id,
                    error,
                    to_json(&stamp)?,
                    TransformStatus::Active.as_str(),
                    TransformStatus::Error.as_str(),
                    TransformStatus::Destroying.as_str()
                ],
            )?;
            Ok(())
        })
        .await
    }

    async fn describe_transform(&self, name: &str, description: Option<String>) -> Result<bool> {
        let name = name.to_owned();
        self.write(move |transaction| {
            let changed = transaction.execute(
                "UPDATE transforms SET description = ?2 WHERE name = ?1 AND status <> ?3",
                params![name, description, TransformStatus::Destroying.as_str()],
            )?;
            Ok(changed > 0)
        })
        .await
    }

    async fn refresh_transform(&self, id: i64) -> Result<Option<Job>> {
        self.write(move |transaction| {
            let wanted: bool = transaction.query_row(
                "SELECT EXISTS (SELECT 1 FROM transforms WHERE id = ?1 AND status <> ?2)
                 AND NOT EXISTS (SELECT 1 FROM jobs WHERE kind = ?3 AND target = ?1)",
                params![
                    id,
                    TransformStatus::Destroying.as_str(),
                    JobKind::RefreshTransform.as_str()
                ],
                |row| row.get(0),
            )?;
            if !wanted {
                return Ok(None);
            }
            Ok(Some(add_job(transaction, JobKind::RefreshTransform, id)?))
        })
        .await
    }

    async fn enriched(
        &self,
        id: i64,
        digests: Vec<[u8; 32]>,
    ) -> Result<Vec<([u8; 32], Vec<Option<String>>)>> {
        self.read(move |connection| {
            let mut statement = connection
                .prepare_cached("SELECT outputs FROM enrichments WHERE transform = ?1 AND digest = ?2")?;
            let mut answers = Vec::new();
            for digest in digests {
                let outputs: Option<String> = statement
                    .query_row(params![id, digest], |row| row.get(0))
                    .optional()?;
                if let Some(outputs) = outputs {
                    answers.push((digest, serde_json::from_str(&outputs)?));
                }
            }
            Ok(answers)
        })
        .await
    }

    async fn keep_enriched(&self, id: i64, answers: Vec<([u8; 32], Vec<Option<String>>)>) -> Result<()> {
        self.write(move |transaction| {
            // The transform may have been removed meanwhile; then there is nothing to keep them for.
            let mut statement = transaction.prepare_cached(
                "INSERT INTO enrichments (transform, digest, outputs)
                 SELECT ?1, ?2, ?3 WHERE EXISTS (SELECT 1 FROM transforms WHERE id = ?1) ON CONFLICT DO NOTHING",
            )?;
            for (digest, outputs) in answers {
                statement.execute(params![id, digest, to_json(&outputs)?])?;
            }
            Ok(())
        })
        .await
    }

    async fn transform_files(&self, id: i64) -> Result<Vec<String>> {
        self.read(move |connection| {
            let mut statement =
                connection.prepare_cached("SELECT file FROM transform_files WHERE transform = ?1")?;
            let files = statement
                .query_map([id], |row| row.get(0))?
                .collect::<rusqlite::Result<_>>()?;
            Ok(files)
        })
        .await
    }

    async fn doom_transform(&self, name: &str) -> Result<Doomed> {
        let name = name.to_owned();
        self.write(move |transaction| {
            doom(
                transaction,
                "transforms",
                &name,
                JobKind::RefreshTransform,
                JobKind::DestroyTransform,
            )
        })
        .await
    }

    async fn keep_transform(&self, id: i64, error: String) -> Result<()> {
        self.write(move |transaction| {
            transaction.execute(
                "UPDATE transforms SET status = ?2, error_message = ?3 WHERE id = ?1",
                params![id, TransformStatus::Error.as_str(), error],
            )?;
            Ok(())
        })
        .await
    }

    async fn remove_transform(&self, id: i64) -> Result<()> {
        self.write(move |transaction| {
            transaction.execute("DELETE FROM transforms WHERE id = ?1", [id])?;
            Ok(())
        })
        .await
    }
}

#[async_trait]
impl ModelStore for Sqlite {
    async fn create_model(&self, new: NewModel, schema: ModelSchema) -> Result<ModelCreated> {
        self.write(move |transaction| {
            if exists(transaction, "models", &new.name)? {
                return Ok(ModelCreated::NameTaken);
            }
            if let Some(query) = taken_query(transaction, &new)? {
                return Ok(ModelCreated::QueryTaken(query));
            }
            transaction.execute(
                "INSERT INTO models (name, description, status, config, columns, created_at, scheduled_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6)",
                params![
                    new.name,
                    new.description,
                    ModelStatus::Scheduling.as_str(),
                    to_json(&new.config)?,
                    to_json(&schema)?,
                    now()
                ],
            )?;
            Ok(ModelCreated::Stored(add_job(
                transaction,
                JobKind::TrainModel,
                transaction.last_insert_rowid(),
            )?))
        })
        .await
    }

    async fn models(&self) -> Result<Vec<Model>> {
        self.all("SELECT * FROM models ORDER BY name", read_model).await
    }

    async fn model(&self, name: &str) -> Result<Option<Model>> {
        self.first(
            "SELECT * FROM models WHERE name = ?1",
            name.to_owned(),
            read_model,
        )
        .await
    }

    async fn model_by_id(&self, id: i64) -> Result<Option<Model>> {
        self.first("SELECT * FROM models WHERE id = ?1", id, read_model)
            .await
    }

    async fn set_model_status(&self, id: i64, status: ModelStatus, error: Option<String>) -> Result<bool> {
        self.write(move |transaction| {
            let changed = transaction.execute(
                "UPDATE models SET status = ?2, error_message = ?3 WHERE id = ?1",
                params![id, status.as_str(), error],
            )?;
            Ok(changed > 0)
        })
        .await
    }

    async fn activate_model(
        &self,
        id: i64,
        version: u32,
        features: ModelFeatures,
        report: TrainingReport,
    ) -> Result<bool> {
        self.write(move |transaction| {
            let changed = transaction.execute(
                "UPDATE models SET status = ?2, version = ?3, trained_at = ?4, error_message = NULL,
                 columns = json_set(columns, '$.features', json(?5), '$.report', json(?6)) WHERE id = ?1",
                params![
                    id,
                    ModelStatus::Active.as_str(),
                    version,
                    now(),
                    to_json(&features)?,
                    to_json(&report)?
                ],
            )?;
            Ok(changed > 0)
        })
        .await
    }

    async fn retrain_model(&self, id: i64) -> Result<Option<Job>> {
        self.write(move |transaction| {
            let changed = transaction.execute(
                "UPDATE models SET status = ?2, scheduled_at = ?3 WHERE id = ?1 AND status IN (?4, ?5)",
                params![
                    id,
                    ModelStatus::Scheduling.as_str(),
                    now(),
                    ModelStatus::Active.as_str(),
                    ModelStatus::Error.as_str()
                ],
            )?;
            if changed == 0 {
                return Ok(None);
            }
            Ok(Some(add_job(transaction, JobKind::TrainModel, id)?))
        })
        .await
    }

    async fn update_model(&self, new: NewModel, schema: ModelSchema) -> Result<ModelUpdated> {
        self.write(move |transaction| {
            let found = transaction
                .prepare("SELECT * FROM models WHERE name = ?1")?
                .query([&new.name])?
                .next()?
                .map(read_model)
                .transpose()?;
            let Some(model) = found else {
                return Ok(ModelUpdated::Gone);
            };
            if !matches!(model.status, ModelStatus::Active | ModelStatus::Error) {
                return Ok(ModelUpdated::Busy(model.status));
            }
            if let Some(query) = taken_query(transaction, &new)? {
                return Ok(ModelUpdated::QueryTaken(query));
            }
            if model.schema.live != schema.live {
                transaction.execute("DELETE FROM online_interactions WHERE model = ?1", [model.id])?;
            }
            transaction.execute(
                "UPDATE models SET description = ?2, status = ?3, config = ?4, columns = ?5, error_message = NULL,
                 scheduled_at = ?6 WHERE id = ?1",
                params![
                    model.id,
                    new.description,
                    ModelStatus::Scheduling.as_str(),
                    to_json(&new.config)?,
                    to_json(&schema)?,
                    now()
                ],
            )?;
            Ok(ModelUpdated::Updated {
                id: model.id,
                job: add_job(transaction, JobKind::TrainModel, model.id)?,
            })
        })
        .await
    }

    async fn online(&self, id: i64) -> Result<Vec<Arrival>> {
        self.read(move |connection| {
            let mut statement = connection.prepare_cached(
                "SELECT user, item, time, label, key, replaces FROM online_interactions WHERE model = ?1",
            )?;
            let mut rows = statement.query([id])?;
            let mut events = Vec::new();
            while let Some(row) = rows.next()? {
                let label: Option<f64> = row.get(3)?;
                let event = OnlineEvent {
                    item: row.get(1)?,
                    time: row.get(2)?,
                    label: label.map_or(f32::NAN, |label| label as f32),
                    key: row.get::<_, Option<Key>>(4)?,
                    replaces: row.get::<_, Option<i64>>(5)?.map(Replaces::from_bits),
                };
                events.push(Arrival::kept(row.get(0)?, event));
            }
            Ok(events)
        })
        .await
    }

    async fn change_online(&self, id: i64, changes: Vec<Change>) -> Result<()> {
        self.write(move |transaction| {
            // The model may be gone by now.
            let mut keep = transaction.prepare_cached(
                "INSERT INTO online_interactions (model, user, item, time, label, key, replaces)
                 SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7 WHERE EXISTS (SELECT 1 FROM models WHERE id = ?1)
                 ON CONFLICT DO UPDATE SET label = excluded.label, key = excluded.key, replaces = excluded.replaces",
            )?;
            let mut drop = transaction.prepare_cached(
                "DELETE FROM online_interactions WHERE model = ?1 AND user = ?2 AND item = ?3 AND time = ?4",
            )?;
            for change in &changes {
                match change {
                    Change::Keep(user, event) => {
                        let label = (!event.label.is_nan()).then_some(f64::from(event.label));
                        let replaces = event.replaces.map(Replaces::to_bits);
                        keep.execute(params![id, user, event.item, event.time, label, event.key, replaces])?;
                    }
                    Change::Drop(user, event) => {
                        drop.execute(params![id, user, event.item, event.time])?;
                    }
                }
            }
            Ok(())
        })
        .await
    }

    async fn expire_online(&self, id: i64, oldest: i64) -> Result<()> {
        self.write(move |transaction| {
            transaction.execute(
                "DELETE FROM online_interactions WHERE model = ?1 AND time < ?2",
                [id, oldest],
            )?;
            Ok(())
        })
        .await
    }

    async fn delete_model(&self, name: &str) -> Result<Option<i64>> {
        let name = name.to_owned();
        self.write(move |transaction| {
            delete(
                transaction,
                "DELETE FROM models WHERE name = ?1 RETURNING id",
                &name,
                JobKind::TrainModel,
            )
        })
        .await
    }
}

#[async_trait]
impl JobStore for Sqlite {
    async fn resume_jobs(&self) -> Result<Vec<Job>> {
        self.write(|transaction| {
            let mut statement = transaction.prepare("UPDATE jobs SET attempts = attempts + 1 RETURNING *")?;
            let mut rows = statement.query([])?;
            let mut jobs = Vec::new();
            while let Some(row) = rows.next()? {
                let kind: String = row.get("kind")?;
                jobs.push(Job {
                    id: row.get("id")?,
                    kind: known(JobKind::parse(&kind), &kind)?,
                    target: row.get("target")?,
                    attempts: row.get("attempts")?,
                });
            }
            jobs.sort_by_key(|job| job.id);
            Ok(jobs)
        })
        .await
    }

    async fn postpone_job(&self, id: i64) -> Result<()> {
        self.write(move |transaction| {
            transaction.execute("UPDATE jobs SET attempts = attempts - 1 WHERE id = ?1", [id])?;
            Ok(())
        })
        .await
    }

    async fn finish_job(&self, id: i64) -> Result<()> {
        self.write(move |transaction| {
            transaction.execute("DELETE FROM jobs WHERE id = ?1", [id])?;
            Ok(())
        })
        .await
    }
}

#[async_trait]
impl KeyStore for Sqlite {
    async fn keys(&self) -> Result<Vec<(Scope, [u8; 32])>> {
        self.read(|connection| {
            let mut statement = connection.prepare("SELECT scope, digest FROM keys ORDER BY digest")?;
            let rows = statement.query_map([], |row| {
                Ok((row.get::<_, String>(0)?, row.get::<_, [u8; 32]>(1)?))
            })?;
            rows.map(|row| {
                let (scope, digest) = row?;
                let scope = match scope.as_str() {
                    "admin" => Scope::Admin,
                    "search" => Scope::Search,
                    other => bail!("the keys table has the unknown scope {other}"),
                };
                Ok((scope, digest))
            })
            .collect()
        })
        .await
    }

    async fn add_keys(&self, keys: Vec<(Scope, [u8; 32])>) -> Result<()> {
        self.write(move |transaction| {
            for (scope, digest) in keys {
                let scope = match scope {
                    Scope::Admin => "admin",
                    Scope::Search => "search",
                };
                transaction.execute(
                    "INSERT INTO keys (scope, digest) VALUES (?1, ?2)",
                    params![scope, digest],
                )?;
            }
            Ok(())
        })
        .await
    }
}

fn add_job(transaction: &Transaction<'_>, kind: JobKind, target: i64) -> anyhow::Result<Job> {
    transaction.execute(
        "INSERT INTO jobs (kind, target, attempts, created_at) VALUES (?1, ?2, 1, ?3)",
        params![kind.as_str(), target, now()],
    )?;
    Ok(Job {
        id: transaction.last_insert_rowid(),
        kind,
        target,
        attempts: 1,
    })
}

fn delete(
    transaction: &Transaction<'_>,
    sql: &str,
    name: &str,
    jobs: JobKind,
) -> anyhow::Result<Option<i64>> {
    let id: Option<i64> = transaction.query_row(sql, [name], |row| row.get(0)).optional()?;
    if let Some(id) = id {
        transaction.execute(
            "DELETE FROM jobs WHERE kind = ?1 AND target = ?2",
            params![jobs.as_str(), id],
        )?;
    }
    Ok(id)
}

fn read_dataset(row: &Row<'_>) -> anyhow::Result<Dataset> {
    let status: String = row.get("status")?;
    let schema_type: String = row.get("schema_type")?;
    Ok(Dataset {
        id: row.get("id")?,
        name: row.get("name")?,
        description: row.get("description")?,
        schema_type: known(SchemaType::find(&schema_type), &schema_type)?,
        status: known(DatasetStatus::parse(&status), &status)?,
        schema: from_json(row, "columns")?,
        unique_keys: from_json(row, "unique_keys")?,
        config: from_json(row, "config")?,
        secrets: from_json(row, "secrets")?,
        error_message: row.get("error_message")?,
        warning_message: row.get("warning_message")?,
        revision: row.get("revision")?,
        created_at: row.get("created_at")?,
        updated_at: row.get("updated_at")?,
    })
}

fn read_transform(row: &Row<'_>) -> anyhow::Result<Transform> {
    let status: String = row.get("status")?;
    Ok(Transform {
        id: row.get("id")?,
        name: row.get("name")?,
        description: row.get("description")?,
        recipe: from_json(row, "recipe")?,
        status: known(TransformStatus::parse(&status), &status)?,
        schema: from_json(row, "columns")?,
        sources: from_json(row, "sources")?,
        stamp: from_json(row, "stamp")?,
        version: row.get("version")?,
        error_message: row.get("error_message")?,
        created_at: row.get("created_at")?,
        refreshed_at: row.get("refreshed_at")?,
    })
}

/// Whether the table has a thing of that name that is not being destroyed.
fn exists(connection: &Connection, table: &str, name: &str) -> anyhow::Result<bool> {
    let sql = format!("SELECT EXISTS (SELECT 1 FROM {table} WHERE name = ?1)");
    Ok(connection.query_row(&sql, [name], |row| row.get(0))?)
}

/// A saved query of the model whose name another model has for one of its own.
fn taken_query(connection: &Connection, new: &NewModel) -> anyhow::Result<Option<String>> {
    let mut statement = connection.prepare_cached(
        "SELECT q.key FROM models m, json_each(m.config, '$.queries') q WHERE m.name <> ?1 ORDER BY q.key",
    )?;
    let mut rows = statement.query([&new.name])?;
    while let Some(row) = rows.next()? {
        let name: String = row.get(0)?;
        if new.config.queries.contains_key(&name) {
            return Ok(Some(name));
        }
    }
    Ok(None)
}

/// Makes a row of `table` DESTROYING, unless transforms read it.
fn doom(
    transaction: &Transaction<'_>,
    table: &str,
    name: &str,
    earlier: JobKind,
    destroy: JobKind,
) -> anyhow::Result<Doomed> {
    let destroying = DatasetStatus::Destroying.as_str();
    let mut statement = transaction.prepare(
        "SELECT DISTINCT t.name FROM transforms t, json_each(t.sources) s
         WHERE s.value = ?1 AND t.status <> ?2 ORDER BY t.name LIMIT 20",
    )?;
    let readers: Vec<String> = statement
        .query_map([name, destroying], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    let id: Option<i64> = transaction
        .query_row(
            &format!("SELECT id FROM {table} WHERE name = ?1 AND status <> ?2"),
            [name, destroying],
            |row| row.get(0),
        )
        .optional()?;
    let Some(id) = id else { return Ok(Doomed::Gone) };
    if !readers.is_empty() {
        return Ok(Doomed::Read(readers));
    }
    transaction.execute(
        &format!("UPDATE {table} SET status = ?2 WHERE id = ?1"),
        params![id, destroying],
    )?;
    transaction.execute(
        "DELETE FROM jobs WHERE kind = ?1 AND target = ?2",
        params![earlier.as_str(), id],
    )?;
    Ok(Doomed::By(add_job(transaction, destroy, id)?))
}

fn read_model(row: &Row<'_>) -> anyhow::Result<Model> {
    let status: String = row.get("status")?;
    Ok(Model {
        id: row.get("id")?,
        name: row.get("name")?,
        description: row.get("description")?,
        status: known(ModelStatus::parse(&status), &status)?,
        config: from_json(row, "config")?,
        schema: from_json(row, "columns")?,
        version: row.get("version")?,
        error_message: row.get("error_message")?,
        created_at: row.get("created_at")?,
        trained_at: row.get("trained_at")?,
        scheduled_at: row.get("scheduled_at")?,
    })
}

fn known<T>(value: Option<T>, text: &str) -> anyhow::Result<T> {
    value.ok_or_else(|| anyhow!("the metadata holds '{text}', which this server does not know"))
}

fn to_json(value: &impl Serialize) -> anyhow::Result<String> {
    Ok(serde_json::to_string(value)?)
}

fn from_json<T: DeserializeOwned>(row: &Row<'_>, column: &str) -> anyhow::Result<T> {
    let text: String = row.get(column)?;
    serde_json::from_str(&text).with_context(|| format!("the metadata column {column} does not read"))
}
