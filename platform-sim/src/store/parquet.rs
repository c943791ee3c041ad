//! Rows as Parquet files through `object_store`.

use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::array::RecordBatch;
use datafusion::parquet::arrow::ArrowWriter;
use datafusion::parquet::basic::Compression;
use datafusion::parquet::file::properties::WriterProperties;
use object_store::local::LocalFileSystem;
use object_store::path::Path as ObjectPath;
use object_store::{ObjectStoreExt, PutPayload};

use super::{Result, RowStore, StoreError, sync_directory};

/// Row files in a directory of this machine.
#[derive(Debug)]
pub(crate) struct LocalRows {
    files: Arc<LocalFileSystem>,
    root: PathBuf,
}

impl LocalRows {
    pub(crate) fn open(root: PathBuf) -> anyhow::Result<LocalRows> {
        Ok(LocalRows {
            files: Arc::new(LocalFileSystem::new_with_prefix(&root)?),
            root,
        })
    }
}

#[async_trait]
impl RowStore for LocalRows {
    async fn prepare(&self, dataset: i64) -> Result<()> {
        let root = self.root.clone();
        blocking(move || {
            std::fs::create_dir_all(root.join(dataset.to_string()))?;
            sync_directory(&root)?;
            Ok(())
        })
        .await
    }

    async fn put(&self, dataset: i64, batch: RecordBatch) -> Result<String> {
        let bytes = blocking(move || encode(&batch)).await?;
        let name = format!("{}.parquet", crate::random_name()?);
        let location = ObjectPath::from(format!("{dataset}/{name}"));
        self.files
            .put(&location, PutPayload::from(bytes))
            .await
            .map_err(store_error)?;
        // The local object store renames into place but synchronises nothing: without this, a power cut could
        // leave a committed name without its content.
        let directory = self.root.join(dataset.to_string());
        let path = directory.join(&name);
        blocking(move || {
            std::fs::File::open(&path)?.sync_all()?;
            sync_directory(&directory)?;
            Ok(())
        })
        .await?;
        Ok(name)
    }

    async fn stage(&self, dataset: i64, files: &[String]) -> Result<Vec<PathBuf>> {
        let directory = self.root.join(dataset.to_string());
        Ok(files.iter().map(|file| directory.join(file)).collect())
    }

    async fn sweep(&self, dataset: i64, keep: &[String]) -> Result<()> {
        let directory = self.root.join(dataset.to_string());
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

    async fn datasets_with_files(&self) -> Result<Vec<i64>> {
        let root = self.root.clone();
        blocking(move || {
            let mut datasets = Vec::new();
            for entry in std::fs::read_dir(&root)? {
                if let Some(dataset) = entry?.file_name().to_str().and_then(|name| name.parse().ok()) {
                    datasets.push(dataset);
                }
            }
            Ok(datasets)
        })
        .await
    }
}

fn encode(batch: &RecordBatch) -> Result<Vec<u8>> {
    let properties = WriterProperties::builder()
        .set_compression(Compression::LZ4_RAW)
        .build();
    let mut bytes = Vec::new();
    let written =
        ArrowWriter::try_new(&mut bytes, batch.schema(), Some(properties)).and_then(|mut writer| {
            writer.write(batch)?;
            writer.close()
        });
    written.map_err(|error| StoreError::Other(error.into()))?;
    Ok(bytes)
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
