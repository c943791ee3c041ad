//! Metadata, jobs and keys in one SQLite database: WAL, synchronous=FULL, so a commit survives a power cut.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, anyhow, bail};
use async_trait::async_trait;
use rusqlite::{Connection, ErrorCode, OptionalExtension, Row, Transaction, TransactionBehavior, params};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::parquet::blocking;
use super::{Created, DatasetStore, JobStore, KeyStore, ModelStore, Result, RowsCommitted, StoreError};
use crate::service::domain::{
    Dataset, DatasetStatus, Job, JobKind, Model, ModelSchema, ModelStatus, NewDataset, NewModel, Schema,
    Scope, now,
};

const SCHEMA_VERSION: i64 = 1;

const SCHEMA: &str = "
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
}

fn prepare(path: &Path) -> anyhow::Result<Connection> {
    let mut connection = Connection::open(path)?;
    let mode: String = connection.query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0))?;
    if mode != "wal" {
        bail!("the file system does not support SQLite's write-ahead log (journal mode {mode})");
    }
    connection.execute_batch("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;")?;
    let version: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    match version {
        SCHEMA_VERSION => {}
        0 => {
            let transaction = connection.transaction()?;
            transaction.execute_batch(SCHEMA)?;
            transaction.pragma_update(None, "user_version", SCHEMA_VERSION)?;
            transaction.commit()?;
        }
        other => bail!("its tables have version {other}, this server reads version {SCHEMA_VERSION}"),
    }
    Ok(connection)
}

fn store_error(error: anyhow::Error) -> StoreError {
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
            let inserted = transaction.execute(
                "INSERT INTO datasets (name, description, status, columns, unique_keys, created_at, updated_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6) ON CONFLICT (name) DO NOTHING",
                params![
                    new.name,
                    new.description,
                    DatasetStatus::Scheduling.as_str(),
                    to_json(&new.schema)?,
                    to_json(&new.unique_keys)?,
                    now()
                ],
            )?;
            if inserted == 0 {
                return Ok(Created::NameTaken);
            }
            Ok(Created::Stored(add_job(transaction, JobKind::DeployDataset, transaction.last_insert_rowid())?))
        })
        .await
    }

    async fn datasets(&self) -> Result<Vec<Dataset>> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached("SELECT * FROM datasets ORDER BY name")?;
            let mut rows = statement.query([])?;
            let mut datasets = Vec::new();
            while let Some(row) = rows.next()? {
                datasets.push(read_dataset(row)?);
            }
            Ok(datasets)
        })
        .await
    }

    async fn dataset(&self, name: &str) -> Result<Option<Dataset>> {
        let name = name.to_owned();
        self.read(move |connection| {
            let mut statement = connection.prepare_cached("SELECT * FROM datasets WHERE name = ?1")?;
            let mut rows = statement.query([name])?;
            rows.next()?.map(read_dataset).transpose()
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
                "UPDATE datasets SET status = ?2, error_message = ?3, updated_at = ?4 WHERE id = ?1",
                params![id, status.as_str(), error, now()],
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
                "UPDATE datasets SET columns = ?2, updated_at = ?3 WHERE id = ?1",
                params![id, to_json(&schema)?, now()],
            )?;
            Ok(RowsCommitted::Committed)
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

    async fn delete_dataset(&self, name: &str) -> Result<Option<i64>> {
        let name = name.to_owned();
        self.write(move |transaction| {
            delete(
                transaction,
                "DELETE FROM datasets WHERE name = ?1 RETURNING id",
                &name,
                JobKind::DeployDataset,
            )
        })
        .await
    }
}

#[async_trait]
impl ModelStore for Sqlite {
    async fn create_model(&self, new: NewModel, schema: ModelSchema) -> Result<Created<Job>> {
        self.write(move |transaction| {
            let inserted = transaction.execute(
                "INSERT INTO models (name, description, status, config, columns, created_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (name) DO NOTHING",
                params![
                    new.name,
                    new.description,
                    ModelStatus::Scheduling.as_str(),
                    to_json(&new.config)?,
                    to_json(&schema)?,
                    now()
                ],
            )?;
            if inserted == 0 {
                return Ok(Created::NameTaken);
            }
            Ok(Created::Stored(add_job(
                transaction,
                JobKind::TrainModel,
                transaction.last_insert_rowid(),
            )?))
        })
        .await
    }

    async fn models(&self) -> Result<Vec<Model>> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached("SELECT * FROM models ORDER BY name")?;
            let mut rows = statement.query([])?;
            let mut models = Vec::new();
            while let Some(row) = rows.next()? {
                models.push(read_model(row)?);
            }
            Ok(models)
        })
        .await
    }

    async fn model(&self, name: &str) -> Result<Option<Model>> {
        let name = name.to_owned();
        self.read(move |connection| {
            let mut statement = connection.prepare_cached("SELECT * FROM models WHERE name = ?1")?;
            let mut rows = statement.query([name])?;
            rows.next()?.map(read_model).transpose()
        })
        .await
    }

    async fn model_by_id(&self, id: i64) -> Result<Option<Model>> {
        self.read(move |connection| {
            let mut statement = connection.prepare_cached("SELECT * FROM models WHERE id = ?1")?;
            let mut rows = statement.query([id])?;
            rows.next()?.map(read_model).transpose()
        })
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

    async fn activate_model(&self, id: i64, version: u32) -> Result<bool> {
        self.write(move |transaction| {
            let changed = transaction.execute(
                "UPDATE models SET status = ?2, version = ?3, trained_at = ?4, error_message = NULL WHERE id = ?1",
                params![id, ModelStatus::Active.as_str(), version, now()],
            )?;
            Ok(changed > 0)
        })
        .await
    }

    async fn retrain_model(&self, id: i64) -> Result<()> {
        self.write(move |transaction| {
            transaction.execute(
                "UPDATE models SET status = ?2 WHERE id = ?1",
                params![id, ModelStatus::Scheduling.as_str()],
            )?;
            add_job(transaction, JobKind::TrainModel, id)?;
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
    Ok(Dataset {
        id: row.get("id")?,
        name: row.get("name")?,
        description: row.get("description")?,
        status: known(DatasetStatus::parse(&status), &status)?,
        schema: from_json(row, "columns")?,
        unique_keys: from_json(row, "unique_keys")?,
        error_message: row.get("error_message")?,
        created_at: row.get("created_at")?,
        updated_at: row.get("updated_at")?,
    })
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
