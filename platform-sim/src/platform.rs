//! The running platform: its stores, the models that serve, and what happens when it starts.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use anyhow::{Context, anyhow};
use sha2::{Digest, Sha256};
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};
use tokio::sync::{Notify, Semaphore, mpsc};

use crate::api::overload::Room;
use crate::config::Options;
use crate::jobs;
use crate::metrics::Metrics;
use crate::service::domain::{Model, ModelConfig, ModelStatus, RowOwner, Scope};
use crate::service::ingest::Queues;
use crate::serving::ServingModel;
use crate::serving::online::{self, OnlineStores};
use crate::sql::client::SqlClient;
use crate::store::artefacts::Artefacts;
use crate::store::data_dir::DataDir;
use crate::store::pages::SqlitePages;
use crate::store::parquet::{LocalRows, blocking};
use crate::store::sqlite::Sqlite;
use crate::store::{
    DatasetStore, JobStore, KeyStore, ModelStore, PageStore, RowStore, StoreError, TransformStore,
};
use crate::text_encoder::TextEncoder;

/// Datasets that wait for the compactor.
const COMPACTION_QUEUE: usize = 16;

/// The platform: cheap to clone, shared by all requests and jobs.
#[derive(Clone)]
pub struct Platform {
    inner: Arc<Inner>,
}

/// What a platform consists of.
pub struct Inner {
    pub(crate) options: Options,
    pub(crate) datasets: Arc<dyn DatasetStore>,
    pub(crate) transforms: Arc<dyn TransformStore>,
    pub(crate) models: Arc<dyn ModelStore>,
    pub(crate) jobs: Arc<dyn JobStore>,
    pub(crate) rows: Arc<dyn RowStore>,
    pub(crate) artefacts: Artefacts,
    pub(crate) sql: SqlClient,
    pub(crate) serving: Serving,
    /// What came in since the models were trained.
    pub(crate) online: OnlineStores,
    /// What was served to whom.
    pub(crate) pages: Arc<dyn PageStore>,
    pub(crate) text_encoder: Option<Arc<TextEncoder>>,
    /// What is counted and timed.
    pub(crate) metrics: Metrics,
    /// What requests share.
    pub(crate) room: Arc<Room>,
    /// Jobs under way, to be told to stop.
    pub(crate) running: jobs::Running,
    /// Trainings under way.
    pub(crate) training: Semaphore,
    /// Refreshes of transforms under way.
    pub(crate) refreshing: Semaphore,
    /// Batches of rows that wait to be written.
    pub(crate) ingest: Queues,
    /// Told which dataset has come to many files.
    compaction: mpsc::Sender<i64>,
    /// Told when rows or columns that transforms may read have changed.
    pub(crate) changes: Arc<Notify>,
    keys: Vec<(Scope, [u8; 32])>,
    row_locks: Mutex<HashMap<RowOwner, Arc<tokio::sync::Mutex<()>>>>,
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
        let shown = options.data_dir.display().to_string();
        Platform::open_in(data_dir, options, text_encoder)
            .await
            .with_context(|| format!("the data directory {shown} cannot be used"))
    }

    async fn open_in(
        data_dir: DataDir,
        options: Options,
        text_encoder: Option<TextEncoder>,
    ) -> anyhow::Result<(Platform, Option<NewKeys>)> {
        let metadata = Sqlite::open(&data_dir.metadata())?;
        let pages = SqlitePages::open(&data_dir.pages())?;
        let new_keys = make_keys(&metadata, &data_dir).await?;
        let keys = metadata.keys().await.map_err(cause)?;
        let (compaction, to_compact) = mpsc::channel(COMPACTION_QUEUE);
        let metrics = Metrics::default();
        let platform = Platform {
            inner: Arc::new(Inner {
                datasets: Arc::new(metadata.clone()),
                transforms: Arc::new(metadata.clone()),
                models: Arc::new(metadata.clone()),
                jobs: Arc::new(metadata),
                rows: Arc::new(LocalRows::open(data_dir.rows())?),
                artefacts: Artefacts::new(data_dir.models(), data_dir.work()),
                sql: SqlClient::new(
                    options.worker_program.clone(),
                    data_dir.work(),
                    options.sql_limits,
                    metrics.clone(),
                ),
                serving: Serving::default(),
                online: OnlineStores::default(),
                pages: Arc::new(pages),
                text_encoder: text_encoder.map(Arc::new),
                room: Arc::new(Room::new(options.request_limits)),
                metrics,
                running: jobs::Running::default(),
                training: Semaphore::new(1),
                refreshing: Semaphore::new(1),
                ingest: Queues::default(),
                compaction,
                changes: Arc::default(),
                keys,
                row_locks: Mutex::new(HashMap::new()),
                _data_dir: data_dir,
                options,
            }),
        };
        platform.sweep().await.map_err(cause).context("cannot clean up")?;
        platform.load_models().await?;
        for job in platform.jobs.resume_jobs().await.map_err(cause)? {
            drop(jobs::start(&platform, job));
        }
        tokio::spawn(jobs::compact::compactor(
            Arc::downgrade(&platform.inner),
            to_compact,
        ));
        tokio::spawn(jobs::refresh::refresher(Arc::downgrade(&platform.inner)));
        tokio::spawn(jobs::schedule::scheduler(Arc::downgrade(&platform.inner)));
        Ok((platform, new_keys))
    }

    /// What is counted and timed.
    pub fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    /// Tells trainings to stop; the next start takes them up again. To be called when the server is about to end.
    pub fn stop(&self) {
        self.running.stop();
        self.training.close();
    }

    /// Waits until the jobs under way have ended.
    pub async fn jobs_ended(&self) {
        self.running.ended().await;
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

    /// The platform that consists of this.
    pub(crate) fn of(inner: Arc<Inner>) -> Platform {
        Platform { inner }
    }

    /// Notes that a dataset has so many files now. The compactor is told when they are many; it looks at all of them
    /// again from time to time, so a full queue loses nothing.
    pub(crate) fn wrote(&self, dataset: i64, files: usize) {
        if files >= jobs::compact::MANY_FILES {
            self.compaction.try_send(dataset).ok();
        }
    }

    /// Tells the refresher of transforms that rows or columns have changed.
    pub(crate) fn changed(&self) {
        self.changes.notify_one();
    }

    /// Changes to one owner's rows run one after the other: each sees the schema that the one before left.
    pub(crate) fn row_lock(&self, owner: RowOwner) -> Arc<tokio::sync::Mutex<()>> {
        let mut locks = self.row_locks.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(locks.entry(owner).or_default())
    }

    pub(crate) fn forget_row_lock(&self, owner: RowOwner) {
        self.row_locks
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(&owner);
    }

    /// Removes files that no metadata names: those of writes that never reached their commit.
    async fn sweep(&self) -> Result<(), StoreError> {
        let mut known = HashMap::new();
        for dataset in self.datasets.datasets().await? {
            let files = self.datasets.row_files(dataset.id).await?;
            known.insert(RowOwner::Dataset(dataset.id), files);
        }
        for transform in self.transforms.transforms().await? {
            let files = self.transforms.transform_files(transform.id).await?;
            known.insert(RowOwner::Transform(transform.id), files);
        }
        for owner in self.rows.owners_with_files().await? {
            match known.get(&owner) {
                // The directory of a dataset that lives stays, even without files.
                Some(files) if files.is_empty() => {
                    self.rows.sweep(owner, &[]).await?;
                    self.rows.prepare(owner).await?;
                }
                Some(files) => self.rows.sweep(owner, files).await?,
                None => self.rows.sweep(owner, &[]).await?,
            }
        }
        let versions: HashMap<i64, Option<u32>> = self
            .models
            .models()
            .await?
            .into_iter()
            .map(|model| (model.id, model.version))
            .collect();
        let (artefacts, pages) = (self.artefacts.clone(), Arc::clone(&self.pages));
        blocking(move || {
            let models: Vec<i64> = versions.keys().copied().collect();
            pages.sweep(&models, chrono::Utc::now().timestamp())?;
            for model in artefacts.models()? {
                let kept = match versions.get(&model).copied().flatten() {
                    Some(serving) => [Some(serving), artefacts.before(model, serving)?],
                    None => [None, None],
                };
                let kept: Vec<u32> = kept.into_iter().flatten().collect();
                artefacts.sweep(model, &kept)?;
            }
            Ok(())
        })
        .await
    }

    /// Opens the serving version of every model. One that does not open is trained anew from its datasets; until then
    /// the version before it serves, if there is one.
    async fn load_models(&self) -> anyhow::Result<()> {
        for model in self.models.models().await.map_err(cause)? {
            let limits = model.config.online;
            let oldest = online::oldest(limits);
            self.models.expire_online(model.id, oldest).await.map_err(cause)?;
            let users = self.online.feed(model.id, model.schema.live.clone(), limits);
            users.add(self.models.online(model.id).await.map_err(cause)?);
            let Some(version) = model.version else { continue };
            match self.open_version(&model, version).await? {
                Ok(()) => {}
                Err(error) if model.status == ModelStatus::Active => {
                    tracing::warn!(
                        model = model.name,
                        error = format!("{error:#}"),
                        "the model is trained anew: its files do not open"
                    );
                    // Resumed with the other jobs.
                    self.models.retrain_model(model.id).await.map_err(cause)?;
                    let artefacts = self.artefacts.clone();
                    let before = blocking(move || Ok(artefacts.before(model.id, version)?));
                    if let Some(before) = before.await.map_err(cause)?
                        && self.open_version(&model, before).await?.is_ok()
                    {
                        tracing::info!(model = model.name, "the version before it serves until then");
                    }
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

    /// Puts a version into service. The inner error says why it does not open.
    async fn open_version(&self, model: &Model, version: u32) -> anyhow::Result<anyhow::Result<()>> {
        let directory = self.artefacts.version(model.id, version);
        let (encoder, online) = (self.text_encoder.clone(), self.online.of(model.id));
        let opened =
            tokio::task::spawn_blocking(move || ServingModel::open(&directory, encoder.as_ref(), online))
                .await?;
        Ok(opened.map(|serving| {
            if let Some(reason) = serving.lacks_vectors() {
                tracing::warn!(model = model.name, reason, "the model searches by words only");
            }
            self.serving.put(model, version, serving);
        }))
    }
}

/// The models that answer, by name. An older model never displaces a newer one of the same name.
#[derive(Default)]
pub(crate) struct Serving {
    models: RwLock<HashMap<String, Served>>,
}

/// A model that answers, and how it was configured when it was trained.
#[derive(Clone)]
pub(crate) struct Served {
    pub(crate) id: i64,
    /// The number of the training that made it.
    pub(crate) version: u32,
    pub(crate) model: Arc<ServingModel>,
    pub(crate) config: Arc<ModelConfig>,
}

impl Serving {
    /// The model of that name.
    pub(crate) fn get(&self, name: &str) -> Option<Served> {
        let models = self.models.read().unwrap_or_else(PoisonError::into_inner);
        models.get(name).cloned()
    }

    /// All models that answer, by name.
    pub(crate) fn all(&self) -> Vec<(String, Served)> {
        let models = self.models.read().unwrap_or_else(PoisonError::into_inner);
        let mut all: Vec<(String, Served)> = models
            .iter()
            .map(|(name, served)| (name.clone(), served.clone()))
            .collect();
        all.sort_by(|one, other| one.0.cmp(&other.0));
        all
    }

    pub(crate) fn put(&self, stored: &Model, version: u32, model: ServingModel) {
        let served = Served {
            id: stored.id,
            version,
            model: Arc::new(model),
            config: Arc::new(stored.config.clone()),
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
