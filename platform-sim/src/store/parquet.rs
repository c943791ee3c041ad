//! Rows as Parquet files through `object_store`. The name of a file carries the digest of its content.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use datafusion::arrow::array::RecordBatch;
use datafusion::parquet::arrow::ArrowWriter;
use datafusion::parquet::basic::Compression;
use datafusion::parquet::errors::ParquetError;
use datafusion::parquet::file::properties::WriterProperties;
use object_store::local::LocalFileSystem;
use object_store::path::Path as ObjectPath;
use object_store::{ObjectStoreExt, PutPayload};
use sha2::{Digest, Sha256};

use super::{Lease, Result, RowStore, StoreError, sync_directory, sync_file};
use crate::service::domain::{RowOwner, Schema};
use crate::service::rows::arrow_schema;

/// Row files in a directory of this machine.
#[derive(Debug)]
pub(crate) struct LocalRows {
    files: Arc<LocalFileSystem>,
    root: PathBuf,
    readers: Arc<Mutex<HashMap<RowOwner, Readers>>>,
    /// Files whose content was compared with their name since the start, or was written since.
    checked: Arc<Mutex<HashSet<PathBuf>>>,
}

/// How many leases there are on the files of an owner, and which files wait for their end.
#[derive(Debug, Default)]
struct Readers {
    leases: usize,
    retired: Vec<String>,
}

impl LocalRows {
    pub(crate) fn open(root: PathBuf) -> anyhow::Result<LocalRows> {
        Ok(LocalRows {
            files: Arc::new(LocalFileSystem::new_with_prefix(&root)?),
            root,
            readers: Arc::default(),
            checked: Arc::default(),
        })
    }

    fn directory(&self, owner: RowOwner) -> PathBuf {
        self.root.join(folder(owner))
    }
}

/// Datasets have their number, transforms a t before it.
fn folder(owner: RowOwner) -> String {
    match owner {
        RowOwner::Dataset(id) => id.to_string(),
        RowOwner::Transform(id) => format!("t{id}"),
    }
}

fn remove(directory: &Path, files: &[String], checked: &Mutex<HashSet<PathBuf>>) {
    for file in files {
        let path = directory.join(file);
        checked
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(&path);
        match std::fs::remove_file(path) {
            // Gone with its owner.
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                tracing::warn!(file, %error, "a row file that is out of use stays until the next start");
            }
            _ => {}
        }
    }
}

#[async_trait]
impl RowStore for LocalRows {
    async fn prepare(&self, owner: RowOwner) -> Result<()> {
        let (root, directory) = (self.root.clone(), self.directory(owner));
        blocking(move || {
            std::fs::create_dir_all(directory)?;
            sync_directory(&root)?;
            Ok(())
        })
        .await
    }

    async fn put(&self, owner: RowOwner, batch: RecordBatch) -> Result<String> {
        let (bytes, name) = blocking(move || {
            let bytes = encode(&batch)?;
            let name = name_for(&bytes)?;
            Ok((bytes, name))
        })
        .await?;
        let location = ObjectPath::from(format!("{}/{name}", folder(owner)));
        self.files
            .put(&location, PutPayload::from(bytes))
            .await
            .map_err(store_error)?;
        // The local object store renames into place but synchronises nothing: without this, a power cut could
        // leave a committed name without its content.
        let directory = self.directory(owner);
        let path = directory.join(&name);
        blocking(move || {
            sync_file(&path)?;
            sync_directory(&directory)?;
            Ok(())
        })
        .await?;
        Ok(name)
    }

    async fn adopt(&self, owner: RowOwner, file: PathBuf) -> Result<String> {
        let directory = self.directory(owner);
        blocking(move || {
            let name = format!("{}-{}.parquet", crate::random_name()?, digest_of(&file)?);
            sync_file(&file)?;
            std::fs::rename(&file, directory.join(&name))?;
            sync_directory(&directory)?;
            Ok(name)
        })
        .await
    }

    fn lease(&self, owner: RowOwner) -> Lease {
        let lock = || self.readers.lock().unwrap_or_else(PoisonError::into_inner);
        lock().entry(owner).or_default().leases += 1;
        let (readers, checked) = (Arc::clone(&self.readers), Arc::clone(&self.checked));
        let directory = self.directory(owner);
        Lease::new(move || {
            let mut all = readers.lock().unwrap_or_else(PoisonError::into_inner);
            let Some(of_owner) = all.get_mut(&owner) else {
                return;
            };
            of_owner.leases -= 1;
            if of_owner.leases == 0
                && let Some(last) = all.remove(&owner)
            {
                drop(all);
                remove(&directory, &last.retired, &checked);
            }
        })
    }

    async fn stage(&self, owner: RowOwner, files: &[String]) -> Result<Vec<PathBuf>> {
        let directory = self.directory(owner);
        let paths: Vec<PathBuf> = files.iter().map(|file| directory.join(file)).collect();
        let unchecked: Vec<PathBuf> = {
            let checked = self.checked.lock().unwrap_or_else(PoisonError::into_inner);
            paths
                .iter()
                .filter(|path| !checked.contains(*path))
                .cloned()
                .collect()
        };
        if !unchecked.is_empty() {
            let checked = Arc::clone(&self.checked);
            blocking(move || {
                for path in unchecked {
                    check(&path)?;
                    checked
                        .lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .insert(path);
                }
                Ok(())
            })
            .await?;
        }
        Ok(paths)
    }

    async fn retire(&self, owner: RowOwner, files: Vec<String>) -> Result<()> {
        {
            let mut all = self.readers.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(of_owner) = all.get_mut(&owner) {
                of_owner.retired.extend(files);
                return Ok(());
            }
        }
        let (directory, checked) = (self.directory(owner), Arc::clone(&self.checked));
        blocking(move || {
            remove(&directory, &files, &checked);
            Ok(())
        })
        .await
    }

    async fn sweep(&self, owner: RowOwner, keep: &[String]) -> Result<()> {
        let directory = self.directory(owner);
        let keep: Vec<String> = keep.to_vec();
        blocking(move || {
            let entries = match std::fs::read_dir(&directory) {
                Ok(entries) => entries,
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
                Err(error) => return Err(error.into()),
            };
            for entry in entries {
                let entry = entry?;
                if !keep.iter().any(|name| entry.file_name() == name.as_str()) {
                    std::fs::remove_file(entry.path())?;
                }
            }
            if keep.is_empty() {
                std::fs::remove_dir(&directory)?;
            }
            Ok(())
        })
        .await
    }

    async fn owners_with_files(&self) -> Result<Vec<RowOwner>> {
        let root = self.root.clone();
        blocking(move || {
            let mut owners = Vec::new();
            for entry in std::fs::read_dir(&root)? {
                let name = entry?.file_name();
                let owner = name.to_str().and_then(|name| match name.strip_prefix('t') {
                    Some(id) => id.parse().ok().map(RowOwner::Transform),
                    None => name.parse().ok().map(RowOwner::Dataset),
                });
                owners.extend(owner);
            }
            Ok(owners)
        })
        .await
    }
}

/// A name that nobody else has and that says what is in the file.
fn name_for(bytes: &[u8]) -> Result<String> {
    Ok(format!(
        "{}-{}.parquet",
        crate::random_name()?,
        digest(Sha256::digest(bytes))
    ))
}

/// The digest of a file's content as names have it.
fn digest_of(path: &Path) -> std::io::Result<String> {
    let mut hasher = Sha256::new();
    std::io::copy(&mut std::fs::File::open(path)?, &mut hasher)?;
    Ok(digest(hasher.finalize()))
}

/// Half of the digest: this is about accidents of disks.
fn digest(whole: impl AsRef<[u8]>) -> String {
    whole.as_ref().get(..16).map(crate::hex).unwrap_or_default()
}

/// Compares a file with its name. Parquet files carry no checksums of their own: a damaged one may read as other rows.
fn check(path: &Path) -> Result<()> {
    let name = path
        .file_stem()
        .and_then(|name| name.to_str())
        .unwrap_or_default();
    // Files of earlier versions have no digest in their names.
    let Some((_, wanted)) = name.split_once('-') else {
        return Ok(());
    };
    if digest_of(path)? != wanted {
        return Err(StoreError::Other(anyhow::anyhow!(
            "the row file {} is damaged: its content is not what was written; restore it from a backup",
            path.display()
        )));
    }
    Ok(())
}

fn encode(batch: &RecordBatch) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let written =
        ArrowWriter::try_new(&mut bytes, batch.schema(), Some(properties())).and_then(|mut writer| {
            writer.write(batch)?;
            writer.close()
        });
    written.map_err(|error| StoreError::Other(error.into()))?;
    Ok(bytes)
}

/// How our row files are written.
pub(crate) fn properties() -> WriterProperties {
    WriterProperties::builder()
        .set_compression(Compression::LZ4_RAW)
        .build()
}

/// A row file that is written batch by batch. It is not synchronised.
pub(crate) struct BatchFile {
    writer: ArrowWriter<std::fs::File>,
}

impl BatchFile {
    pub(crate) fn create(path: &Path, schema: &Schema) -> Result<BatchFile> {
        let file = std::fs::File::create(path)?;
        let writer =
            ArrowWriter::try_new(file, arrow_schema(schema), Some(properties())).map_err(parquet_error)?;
        Ok(BatchFile { writer })
    }

    pub(crate) fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        self.writer.write(batch).map_err(parquet_error)
    }

    pub(crate) fn finish(self) -> Result<()> {
        self.writer.close().map_err(parquet_error)?;
        Ok(())
    }
}

fn parquet_error(error: ParquetError) -> StoreError {
    match error {
        ParquetError::External(cause) => match cause.downcast::<std::io::Error>() {
            Ok(error) => StoreError::from(*error),
            Err(cause) => StoreError::Other(anyhow::Error::msg(cause.to_string())),
        },
        other => StoreError::Other(other.into()),
    }
}

/// Runs file work where it may block.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|error| StoreError::Other(error.into()))?
}

fn store_error(error: object_store::Error) -> StoreError {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(&error);
    while let Some(current) = cause {
        if let Some(io) = current.downcast_ref::<std::io::Error>() {
            // The kind decides; the message of the outer error says which file it was.
            return match StoreError::from(std::io::Error::from(io.kind())) {
                StoreError::Full(_) => StoreError::Full(error.into()),
                StoreError::Other(_) => StoreError::Other(error.into()),
            };
        }
        cause = current.source();
    }
    StoreError::Other(error.into())
}
