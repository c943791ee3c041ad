//! What statements read: datasets, transforms and files, as tables for the SQL worker.

use std::collections::HashMap;
use std::path::Path;

use sha2::{Digest, Sha256};

use super::domain::{
    Connector, Dataset, DatasetStatus, Recipe, RowOwner, Schema, Source, Stamp, Transform, TransformStatus,
};
use super::failure::{Entity, Failure, Place, Result};
use crate::connectors::files::Files;
use crate::connectors::{Connector as _, SourceError};
use crate::jobs::JobError;
use crate::platform::Platform;
use crate::sql::{Relation, Rows, Tables};
use crate::store::parquet::BatchFile;
use crate::store::{Lease, StoreError};

/// The longest chain of transforms that read each other.
const MAX_DEPTH: usize = 64;

/// All datasets and transforms as they stand at one moment, by name.
pub(crate) struct Catalogue {
    datasets: HashMap<String, Dataset>,
    transforms: HashMap<String, Transform>,
}

/// Something with rows under a name.
#[derive(Clone, Copy)]
pub(crate) enum Named<'a> {
    Dataset(&'a Dataset),
    Transform(&'a Transform),
}

impl Named<'_> {
    pub(crate) fn schema(&self) -> &Schema {
        match self {
            Named::Dataset(dataset) => &dataset.schema,
            Named::Transform(transform) => &transform.schema,
        }
    }
}

/// Why something cannot be read now.
#[derive(Debug)]
pub(crate) struct Unreadable {
    pub(crate) entity: Entity,
    pub(crate) name: String,
    /// `None`: there is none of that name.
    pub(crate) status: Option<&'static str>,
    /// It is on its way and will be readable, or fail, by itself.
    pub(crate) soon: bool,
}

impl Unreadable {
    fn sentence(&self) -> String {
        let noun = self.entity.noun();
        match self.status {
            None => format!("the {noun} '{}' is gone", self.name),
            Some(status) => format!("the {noun} '{}' is {status}", self.name),
        }
    }
}

impl From<Unreadable> for JobError {
    fn from(unreadable: Unreadable) -> JobError {
        JobError::Owner(unreadable.sentence())
    }
}

impl From<Unreadable> for Failure {
    fn from(unreadable: Unreadable) -> Failure {
        match unreadable.status {
            None => Failure::NotFound(unreadable.entity, unreadable.name),
            Some(status) => Failure::NotActive {
                entity: unreadable.entity,
                name: unreadable.name,
                status,
            },
        }
    }
}

impl Catalogue {
    pub(crate) async fn read(platform: &Platform) -> std::result::Result<Catalogue, StoreError> {
        let datasets = platform.datasets.datasets().await?;
        let transforms = platform.transforms.transforms().await?;
        Ok(Catalogue {
            datasets: datasets
                .into_iter()
                .map(|dataset| (dataset.name.clone(), dataset))
                .collect(),
            transforms: transforms
                .into_iter()
                .map(|transform| (transform.name.clone(), transform))
                .collect(),
        })
    }

    pub(crate) fn transforms(&self) -> impl Iterator<Item = &Transform> {
        self.transforms.values()
    }

    pub(crate) fn find(&self, name: &str) -> Option<Named<'_>> {
        let dataset = self.datasets.get(name).map(Named::Dataset);
        dataset.or_else(|| self.transforms.get(name).map(Named::Transform))
    }

    /// What has that name, if its rows can be read now; a view's are those of its sources.
    pub(crate) fn readable(&self, name: &str) -> std::result::Result<Named<'_>, Unreadable> {
        self.readable_within(name, MAX_DEPTH)
    }

    fn readable_within(&self, name: &str, depth: usize) -> std::result::Result<Named<'_>, Unreadable> {
        let named = self.find(name).ok_or_else(|| Unreadable {
            entity: Entity::Dataset,
            name: name.to_owned(),
            status: None,
            soon: false,
        })?;
        let (entity, status, active, soon) = match named {
            Named::Dataset(dataset) => (
                Entity::Dataset,
                dataset.status.as_str(),
                dataset.status == DatasetStatus::Active,
                matches!(
                    dataset.status,
                    DatasetStatus::Scheduling | DatasetStatus::Deploying
                ),
            ),
            Named::Transform(transform) => (
                Entity::Transform,
                transform.status.as_str(),
                transform.status == TransformStatus::Active,
                matches!(
                    transform.status,
                    TransformStatus::Scheduling | TransformStatus::Backfilling
                ),
            ),
        };
        if !active {
            return Err(Unreadable {
                entity,
                name: name.to_owned(),
                status: Some(status),
                soon,
            });
        }
        if let Named::Transform(transform) = named
            && !transform.has_rows()
            && depth > 0
        {
            for source in &transform.sources {
                self.readable_within(source, depth - 1)?;
            }
        }
        Ok(named)
    }

    /// Everything that has columns, without rows: enough to plan any statement.
    pub(crate) fn everything(&self) -> Tables {
        let mut tables = Tables::default();
        let datasets = self
            .datasets
            .values()
            .map(|dataset| (&dataset.name, &dataset.schema));
        let transforms = self
            .transforms
            .values()
            .map(|transform| (&transform.name, &transform.schema));
        for (name, schema) in datasets.chain(transforms) {
            tables.add(name, without_rows(schema.clone()));
        }
        tables
    }

    /// How the sources of a transform stand. When this changes, it is to be made again: a view when columns change,
    /// one with rows of its own when rows do.
    pub(crate) fn stamp(&self, transform: &Transform) -> Stamp {
        let mut stamp = Stamp::new();
        for source in &transform.sources {
            if transform.has_rows() {
                self.add_rows_to(&mut stamp, source, MAX_DEPTH);
            } else if let Some(named) = self.find(source) {
                let columns = serde_json::to_vec(&named.schema().columns).unwrap_or_default();
                let digest = crate::hex(&Sha256::digest(columns)[..8]);
                stamp.insert(source.clone(), digest);
            }
        }
        stamp
    }

    fn add_rows_to(&self, stamp: &mut Stamp, name: &str, depth: usize) {
        match self.find(name) {
            Some(Named::Dataset(dataset)) => {
                stamp.insert(name.to_owned(), format!("{}@{}", dataset.id, dataset.revision));
            }
            Some(Named::Transform(transform)) if transform.has_rows() => {
                stamp.insert(name.to_owned(), format!("{}@{}", transform.id, transform.version));
            }
            Some(Named::Transform(view)) if depth > 0 => {
                for source in &view.sources {
                    self.add_rows_to(stamp, source, depth - 1);
                }
            }
            _ => {}
        }
    }
}

fn without_rows(schema: Schema) -> Relation {
    Relation {
        schema,
        rows: Rows::Files {
            files: Vec::new(),
            unique_keys: Vec::new(),
        },
    }
}

/// Tables with rows. The files stay where they are until this is dropped.
pub(crate) struct Staged {
    pub(crate) tables: Tables,
    _leases: Vec<Lease>,
}

/// Puts tables together: each relation once, whoever reads it.
struct Staging<'a> {
    platform: &'a Platform,
    catalogue: Catalogue,
    tables: Tables,
    positions: HashMap<String, usize>,
    leases: Vec<Lease>,
}

impl<'a> Staging<'a> {
    async fn new(platform: &'a Platform) -> std::result::Result<Staging<'a>, JobError> {
        Ok(Staging {
            platform,
            catalogue: Catalogue::read(platform).await?,
            tables: Tables::default(),
            positions: HashMap::new(),
            leases: Vec::new(),
        })
    }

    /// The relation of that name, with everything that it reads before it.
    async fn relation(&mut self, name: &str) -> std::result::Result<usize, JobError> {
        self.catalogue.readable(name)?;
        // Depth first without recursion: a name is taken up a second time once its sources are there.
        let mut waiting = vec![(name.to_owned(), false)];
        while let Some((name, sources_done)) = waiting.pop() {
            if self.positions.contains_key(&name) {
                continue;
            }
            let relation = match self.catalogue.readable(&name)? {
                Named::Dataset(dataset) => {
                    let (id, schema, unique_keys) =
                        (dataset.id, dataset.schema.clone(), dataset.unique_keys.clone());
                    self.with_rows(RowOwner::Dataset(id), schema, unique_keys).await?
                }
                Named::Transform(transform) => match &transform.recipe {
                    Recipe::View { sql } if sources_done => Relation {
                        schema: transform.schema.clone(),
                        rows: Rows::View {
                            transform: name.clone(),
                            sql: sql.clone(),
                            names: transform
                                .sources
                                .iter()
                                .filter_map(|source| Some((source.clone(), *self.positions.get(source)?)))
                                .collect(),
                        },
                    },
                    Recipe::View { .. } => {
                        let sources = transform.sources.clone();
                        waiting.push((name, true));
                        waiting.extend(sources.into_iter().map(|source| (source, false)));
                        continue;
                    }
                    Recipe::Materialized { .. } | Recipe::Enrichment(_) => {
                        let (id, schema) = (transform.id, transform.schema.clone());
                        self.with_rows(RowOwner::Transform(id), schema, Vec::new())
                            .await?
                    }
                },
            };
            self.positions.insert(name, self.tables.relations.len());
            self.tables.relations.push(relation);
        }
        self.positions
            .get(name)
            .copied()
            .ok_or_else(|| JobError::Internal(anyhow::anyhow!("'{name}' was not put among the tables")))
    }

    async fn with_rows(
        &mut self,
        owner: RowOwner,
        schema: Schema,
        unique_keys: Vec<String>,
    ) -> std::result::Result<Relation, JobError> {
        let platform = self.platform;
        self.leases.push(platform.rows.lease(owner));
        let files = match owner {
            RowOwner::Dataset(id) => platform.datasets.row_files(id).await?,
            RowOwner::Transform(id) => platform.transforms.transform_files(id).await?,
        };
        Ok(Relation {
            schema,
            rows: Rows::Files {
                files: platform.rows.stage(owner, &files).await?,
                unique_keys,
            },
        })
    }

    fn done(self) -> Staged {
        Staged {
            tables: self.tables,
            _leases: self.leases,
        }
    }
}

/// Datasets and transforms with their rows, under their own names.
pub(crate) async fn staged_names(
    platform: &Platform,
    names: &[String],
) -> std::result::Result<Staged, JobError> {
    let mut staging = Staging::new(platform).await?;
    for name in names {
        let position = staging.relation(name).await?;
        staging.tables.names.push((name.clone(), position));
    }
    Ok(staging.done())
}

/// The tables of a model's connectors, without rows: enough to plan statements.
pub(crate) async fn planned(platform: &Platform, connectors: &[Connector]) -> Result<Tables> {
    let catalogue = Catalogue::read(platform).await?;
    let mut tables = Tables::default();
    for (index, connector) in connectors.iter().enumerate() {
        let schema = match &connector.source {
            Source::Dataset { dataset } => catalogue.readable(dataset)?.schema().clone(),
            Source::File { path, day_lookback } => {
                of_files(platform, path, *day_lookback, |files| files.discover())
                    .await
                    .map_err(|error| match error {
                        SourceError::Owner(message) => Failure::invalid(
                            Place::Path(vec!["connectors".into(), index.into(), "path".into()]),
                            "unreadable_file",
                            message,
                        ),
                        SourceError::Internal(cause) => Failure::Internal(cause),
                    })?
            }
        };
        tables.add(&connector.id, without_rows(schema));
    }
    Ok(tables)
}

/// The tables of a model's connectors with their rows. Files of others are read into `scratch` first.
pub(crate) async fn staged(
    platform: &Platform,
    connectors: &[Connector],
    scratch: &Path,
) -> std::result::Result<Staged, JobError> {
    let mut staging = Staging::new(platform).await?;
    for connector in connectors {
        let position = match &connector.source {
            Source::Dataset { dataset } => staging.relation(dataset).await?,
            Source::File { path, day_lookback } => {
                // Not among the results, whose names are those of the fetch statements.
                let copy = scratch.join(format!("file-{}.parquet", connector.id));
                let target = copy.clone();
                let schema = of_files(platform, path, *day_lookback, move |files| {
                    files.check()?;
                    let schema = files.discover()?;
                    copy_rows(&files, &schema, &target)?;
                    Ok(schema)
                })
                .await
                .map_err(|error| match error {
                    SourceError::Owner(message) => {
                        JobError::Owner(format!("connector '{}': {message}", connector.id))
                    }
                    SourceError::Internal(cause) => JobError::Internal(cause),
                })?;
                staging.tables.relations.push(Relation {
                    schema,
                    rows: Rows::Files {
                        files: vec![copy],
                        unique_keys: Vec::new(),
                    },
                });
                staging.tables.relations.len() - 1
            }
        };
        staging.tables.names.push((connector.id.clone(), position));
    }
    Ok(staging.done())
}

fn copy_rows(files: &Files, schema: &Schema, target: &Path) -> std::result::Result<(), SourceError> {
    let failed = |error: StoreError| match error {
        StoreError::Full(_) => SourceError::Owner(
            "the server's disk is full: there is no room for the rows of the files".to_owned(),
        ),
        StoreError::Other(cause) => SourceError::Internal(cause),
    };
    let mut copy = BatchFile::create(target, schema).map_err(failed)?;
    files.read(schema, &mut |batch| copy.write(&batch).map_err(failed))?;
    copy.finish().map_err(failed)
}

/// Finds the files of a connector and works with them where that may block.
async fn of_files<T: Send + 'static>(
    platform: &Platform,
    path: &str,
    day_lookback: i64,
    work: impl FnOnce(Files) -> std::result::Result<T, SourceError> + Send + 'static,
) -> std::result::Result<T, SourceError> {
    let folder = platform.options.files_dir.clone();
    let path = path.to_owned();
    tokio::task::spawn_blocking(move || {
        let today = chrono::Utc::now().date_naive();
        work(Files::find(folder.as_deref(), &path, day_lookback, today)?)
    })
    .await
    .map_err(|panic| SourceError::Internal(panic.into()))?
}
