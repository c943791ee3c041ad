//! The running platform: its stores, the models that serve, and what happens when it starts.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use anyhow::{Context, anyhow};
use sha2::{Digest, Sha256};
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};
use tokio::sync::Semaphore;

use crate::config::Options;
use crate::jobs;
use crate::model_files::ServingModel;
use crate::service::domain::{Model, ModelStatus, Scope};
use crate::sql::client::SqlClient;
use crate::store::artefacts::Artefacts;
use crate::store::data_dir::DataDir;
use crate::store::parquet::{LocalRows, blocking};
use crate::store::sqlite::Sqlite;
use crate::store::{DatasetStore, JobStore, KeyStore, ModelStore, RowStore, StoreError};
use crate::text_encoder::TextEncoder;

/// The platform: cheap to clone, shared by all requests and jobs.
#[derive(Clone)]
pub struct Platform {
    inner: Arc<Inner>,
}

/// What a platform consists of.
pub struct Inner {
    pub(crate) options: Options,
    pub(crate) datasets: Arc<dyn DatasetStore>,
    pub(crate) models: Arc<dyn ModelStore>,
    pub(crate) jobs: Arc<dyn JobStore>,
    pub(crate) rows: Arc<dyn RowStore>,
    pub(crate) artefacts: Artefacts,
    pub(crate) sql: SqlClient,
    pub(crate) serving: Serving,
    pub(crate) text_encoder: Option<Arc<TextEncoder>>,
    /// Trainings under way.
    pub(crate) training: Semaphore,
    keys: Vec<(Scope, [u8; 32])>,
    insert_locks: Mutex<HashMap<i64, Arc<tokio::sync::Mutex<()>>>>,
    _data_dir: DataDir,
}

/// The keys that a first start made. They exist in clear only here and in `keys.json`.
#[derive(Debug)]
pub struct NewKeys {
    /// May do everything.
    pub admin: String,
    /// May only search models; safe to publish.
    pub search: String,
    /// The file that keeps them.
    pub path: std::path::PathBuf,
}

impl std::ops::Deref for Platform {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.inner
    }
}

impl Platform {
    /// Opens the data directory, recovers from whatever ended the last run, and resumes unfinished jobs.
    pub async fn open(options: Options) -> anyhow::Result<(Platform, Option<NewKeys>)> {
        // Before the data directory: a wrong file must leave nothing behind.
        let text_encoder = options
            .text_encoder
            .as_deref()
            .map(TextEncoder::open)
            .transpose()?;
        let data_dir = DataDir::open(&options.data_dir)?;
        let metadata = Sqlite::open(&data_dir.metadata())?;
        let new_keys = make_keys(&metadata, &data_dir).await?;
        let keys = metadata.keys().await.map_err(cause)?;
        let platform = Platform {
            inner: Arc::new(Inner {
                datasets: Arc::new(metadata.clone()),
                models: Arc::new(metadata.clone()),
                jobs: Arc::new(metadata),
                rows: Arc::new(LocalRows::open(data_dir.rows())?),
                artefacts: Artefacts::new(data_dir.models(), data_dir.work()),
                sql: SqlClient::new(
                    options.worker_program.clone(),
                    data_dir.work(),
                    options.sql_limits,
                ),
                serving: Serving::default(),
                text_encoder: text_encoder.map(Arc::new),
                training: Semaphore::new(1),
                keys,
                insert_locks: Mutex::new(HashMap::new()),
                _data_dir: data_dir,
                options,
            }),
        };
        platform
            .sweep()
            .await
            .map_err(cause)
            .context("cannot clean up the data directory")?;
        platform.load_models().await?;
        for job in platform.jobs.resume_jobs().await.map_err(cause)? {
            jobs::start(&platform, job);
        }
        Ok((platform, new_keys))
    }

    /// What a key may do; `None` for a key that nobody was given. Takes the same time wherever keys differ.
    pub(crate) fn scope_of(&self, key: &str) -> Option<Scope> {
        let digest: [u8; 32] = Sha256::digest(key.as_bytes()).into();
        let mut found = 0_u8;
        for (index, (_, known)) in self.keys.iter().enumerate() {
            let matches: Choice = known.ct_eq(&digest);
            let number = u8::try_from(index + 1).unwrap_or(0);
            found.conditional_assign(&number, matches);
        }
        self.keys
            .get(usize::from(found).checked_sub(1)?)
            .map(|(scope, _)| *scope)
    }

    /// Inserts into one dataset run one after the other: each sees the schema that the one before left.
    pub(crate) fn insert_lock(&self, dataset: i64) -> Arc<tokio::sync::Mutex<()>> {
        let mut locks = self.insert_locks.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(locks.entry(dataset).or_default())
    }

    pub(crate) fn forget_insert_lock(&self, dataset: i64) {
        self.insert_locks
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(&dataset);
    }

    /// Removes files that no metadata names: those of writes that never reached their commit.
    async fn sweep(&self) -> Result<(), StoreError> {
        let mut known = HashMap::new();
        for dataset in self.datasets.datasets().await? {
            known.insert(dataset.id, self.datasets.row_files(dataset.id).await?);
        }
        for id in self.rows.datasets_with_files().await? {
            match known.get(&id) {
                // The directory of a dataset that lives stays, even without files.
                Some(files) if files.is_empty() => {
                    self.rows.sweep(id, &[]).await?;
                    self.rows.prepare(id).await?;
                }
                Some(files) => self.rows.sweep(id, files).await?,
                None => self.rows.sweep(id, &[]).await?,
            }
        }
        let versions: HashMap<i64, Option<u32>> = self
            .models
            .models()
            .await?
            .into_iter()
            .map(|model| (model.id, model.version))
            .collect();
        let artefacts = self.artefacts.clone();
        blocking(move || {
            for model in artefacts.models()? {
                artefacts.sweep(model, versions.get(&model).copied().flatten())?;
            }
            Ok(())
        })
        .await
    }

    /// Opens the serving version of every model. One that does not open is trained anew from its datasets.
    async fn load_models(&self) -> anyhow::Result<()> {
        for model in self.models.models().await.map_err(cause)? {
            let Some(version) = model.version else { continue };
            let directory = self.artefacts.version(model.id, version);
            let encoder = self.text_encoder.clone();
            let opened =
                tokio::task::spawn_blocking(move || ServingModel::open(&directory, encoder.as_ref())).await?;
            match opened {
                Ok(serving) => {
                    if let Some(reason) = serving.lacks_vectors() {
                        tracing::warn!(model = model.name, reason, "the model searches by words only");
                    }
                    self.serving.put(&model, serving);
                }
                Err(error) if model.status == ModelStatus::Active => {
                    tracing::warn!(
                        model = model.name,
                        error = format!("{error:#}"),
                        "the model is trained anew: its files do not open"
                    );
                    self.models.retrain_model(model.id).await.map_err(cause)?;
                }
                Err(error) => {
                    tracing::warn!(
                        model = model.name,
                        error = format!("{error:#}"),
                        "the model's old version does not open"
                    );
                }
            }
        }
        Ok(())
    }
}

/// The models that answer, by name. An older model never displaces a newer one of the same name.
#[derive(Default)]
pub(crate) struct Serving {
    models: RwLock<HashMap<String, Served>>,
}

struct Served {
    id: i64,
    model: Arc<ServingModel>,
    default_limit: usize,
}

impl Serving {
    /// The model of that name and how many results it gives when nobody says.
    pub(crate) fn get(&self, name: &str) -> Option<(Arc<ServingModel>, usize)> {
        let models = self.models.read().unwrap_or_else(PoisonError::into_inner);
        models
            .get(name)
            .map(|served| (Arc::clone(&served.model), served.default_limit))
    }

    pub(crate) fn put(&self, stored: &Model, model: ServingModel) {
        let served = Served {
            id: stored.id,
            model: Arc::new(model),
            default_limit: stored.config.default_limit,
        };
        let mut models = self.models.write().unwrap_or_else(PoisonError::into_inner);
        if models
            .get(&stored.name)
            .is_none_or(|present| present.id <= served.id)
        {
            models.insert(stored.name.clone(), served);
        }
    }

    pub(crate) fn remove(&self, name: &str, id: i64) {
        let mut models = self.models.write().unwrap_or_else(PoisonError::into_inner);
        if models.get(name).is_some_and(|present| present.id == id) {
            models.remove(name);
        }
    }
}

async fn make_keys(metadata: &Sqlite, data_dir: &DataDir) -> anyhow::Result<Option<NewKeys>> {
    if !metadata.keys().await.map_err(cause)?.is_empty() {
        return Ok(None);
    }
    let keys = NewKeys {
        admin: random_key()?,
        search: random_key()?,
        path: data_dir.keys(),
    };
    // The file first: keys without a file would be lost, a file without keys is written again.
    let content = serde_json::json!({ "admin": keys.admin, "search": keys.search }).to_string();
    data_dir.write_private(&keys.path, &format!("{content}\n"))?;
    let digest = |key: &str| -> [u8; 32] { Sha256::digest(key.as_bytes()).into() };
    metadata
        .add_keys(vec![
            (Scope::Admin, digest(&keys.admin)),
            (Scope::Search, digest(&keys.search)),
        ])
        .await
        .map_err(cause)?;
    Ok(Some(keys))
}

fn random_key() -> anyhow::Result<String> {
    let mut bytes = [0; 20];
    getrandom::fill(&mut bytes).map_err(|error| anyhow!("the system has no random numbers: {error}"))?;
    Ok(crate::hex(&bytes))
}

fn cause(error: StoreError) -> anyhow::Error {
    match error {
        StoreError::Full(cause) => cause.context("the disk is full"),
        StoreError::Other(cause) => cause,
    }
}
