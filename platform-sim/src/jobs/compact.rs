//! Many small row files become few: neighbours are read and written as one, in the order of their rows.
//!
//! The commit decides, as for inserts: the new file is complete and synchronised before the metadata puts it in the
//! place of the old ones, and those are removed when nobody reads them any more. A crash before the commit leaves a
//! file that nothing names, one after it leaves old files that nothing names; the next start sweeps both away.
//!
//! Files of like size are merged, so a row is written again only as often as the size of its file can grow.

use std::sync::Weak;
use std::time::Duration;

use tokio::sync::mpsc;

use super::JobError;
use crate::platform::{Inner, Platform};
use crate::service::domain::{Dataset, DatasetStatus, RowOwner};
use crate::service::rows::arrow_schema;
use crate::sql::RowsTable;
use crate::store::parquet::BatchFile;

/// A dataset with so many files is looked at.
pub(crate) const MANY_FILES: usize = 16;

/// So many neighbours of like size are merged.
const RUN: usize = 8;

/// What is merged has at least so many times the rows of its largest part.
const GROWTH: usize = 4;

/// The most files, and rows, of one merger.
const MAX_RUN: usize = 256;
const MAX_ROWS: usize = 4_000_000;

/// The sizes that count as alike, in rows: up to each of these.
const TIERS: [usize; 4] = [4_000, 32_000, 256_000, 1_000_000];

/// How often all datasets are looked at.
const LOOK_INTERVAL: Duration = Duration::from_secs(60);

/// Compacts datasets as long as the platform lives.
pub(crate) async fn compactor(platform: Weak<Inner>, mut told: mpsc::Receiver<i64>) {
    loop {
        let one = match tokio::time::timeout(LOOK_INTERVAL, told.recv()).await {
            Ok(Some(dataset)) => Some(dataset),
            Ok(None) => return,
            Err(_) => None,
        };
        let Some(platform) = platform.upgrade().map(Platform::of) else {
            return;
        };
        let datasets = match one {
            Some(dataset) => vec![dataset],
            None => match platform.datasets.datasets_with_many_files(MANY_FILES).await {
                Ok(datasets) => datasets,
                Err(error) => {
                    tracing::error!(?error, "the compactor cannot read the metadata");
                    continue;
                }
            },
        };
        for dataset in datasets {
            if let Err(error) = compact(&platform, dataset).await {
                // The rows are as they were. The dataset comes again.
                tracing::warn!(dataset, ?error, "a dataset was not compacted");
            }
        }
    }
}

/// Merges runs of small files until there is none.
async fn compact(platform: &Platform, id: i64) -> Result<(), JobError> {
    loop {
        let owner = RowOwner::Dataset(id);
        let lease = platform.rows.lease(owner);
        let dataset = platform.datasets.dataset_by_id(id).await?;
        let Some(dataset) = dataset.filter(|dataset| dataset.status == DatasetStatus::Active) else {
            return Ok(());
        };
        let files = platform.datasets.row_counts(id).await?;
        let Some(run) = run_to_merge(&files) else {
            return Ok(());
        };
        let old: Vec<String> = files[run].iter().map(|(file, _)| file.clone()).collect();
        let merged = merge(platform, &dataset, &old).await?;
        let unique_keys = dataset.unique_keys.clone();
        let name = merged.0.clone();
        let retired = if platform
            .datasets
            .merge_rows(id, old.clone(), merged, unique_keys)
            .await?
        {
            tracing::debug!(dataset = dataset.name, files = old.len(), "row files were merged");
            old
        } else {
            vec![name]
        };
        drop(lease);
        platform.rows.retire(owner, retired).await?;
    }
}

/// The first run of neighbours that are small enough and many enough, the smallest sizes first.
fn run_to_merge(files: &[(String, usize)]) -> Option<std::ops::Range<usize>> {
    for tier in TIERS {
        for start in 0..files.len() {
            let (mut rows, mut total, mut largest) = (0, 0, 0);
            let length = files[start..]
                .iter()
                .take(MAX_RUN)
                .take_while(|(_, count)| {
                    rows += count;
                    let fits = *count <= tier && rows <= MAX_ROWS;
                    if fits {
                        largest = largest.max(*count);
                        total = rows;
                    }
                    fits
                })
                .count();
            if length >= RUN && total >= GROWTH * largest {
                return Some(start..start + length);
            }
        }
    }
    None
}

/// Writes the rows of files as one, of equal keys the last; the new file's name and its number of rows.
async fn merge(
    platform: &Platform,
    dataset: &Dataset,
    files: &[String],
) -> Result<(String, usize), JobError> {
    let owner = RowOwner::Dataset(dataset.id);
    let paths = platform.rows.stage(owner, files).await?;
    let scratch = platform.artefacts.scratch()?;
    let target = scratch.path().join("merged.parquet");
    let (schema, unique_keys, output) = (
        dataset.schema.clone(),
        dataset.unique_keys.clone(),
        target.clone(),
    );
    let rows = tokio::task::spawn_blocking(move || -> Result<usize, JobError> {
        let columns = arrow_schema(&schema);
        let table = RowsTable::new(columns.clone(), &paths, &unique_keys);
        let mut merged = BatchFile::create(&output, &schema)?;
        let mut rows = 0;
        let broken = |error: datafusion::error::DataFusionError| JobError::Internal(error.into());
        for batch in table.batches(&columns).map_err(broken)? {
            let batch = batch.map_err(broken)?;
            rows += batch.num_rows();
            merged.write(&batch)?;
        }
        merged.finish()?;
        Ok(rows)
    })
    .await
    .map_err(|panic| JobError::Internal(panic.into()))??;
    Ok((platform.rows.adopt(owner, target).await?, rows))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(counts: &[usize]) -> Vec<(String, usize)> {
        counts.iter().map(|count| (String::new(), *count)).collect()
    }

    #[test]
    fn neighbours_of_like_size_are_merged_smallest_first() {
        assert_eq!(run_to_merge(&files(&[1; 7])), None);
        assert_eq!(run_to_merge(&files(&[1; 8])), Some(0..8));
        let mut mixed = vec![200_000; 8];
        mixed.extend([10; 9]);
        assert_eq!(run_to_merge(&files(&mixed)), Some(8..17));
        mixed.truncate(8);
        assert_eq!(run_to_merge(&files(&mixed)), Some(0..8));
        assert_eq!(run_to_merge(&files(&[2_000_000; 20])), None);
        assert_eq!(run_to_merge(&files(&[1; 1000])), Some(0..256));
        // A large file is not written again for a few rows.
        let mut grown = vec![3_000];
        grown.extend([1; 9]);
        assert_eq!(run_to_merge(&files(&grown)), Some(1..10));
        // As many as the bound on rows allows, not more.
        assert_eq!(run_to_merge(&files(&[900_000; 20])), None);
        assert_eq!(run_to_merge(&files(&[500_000; 20])), Some(0..8));
    }

    #[test]
    fn a_stream_of_inserts_writes_each_row_a_bounded_number_of_times() {
        let (mut all, mut written, mut most) = (Vec::new(), 0, 0);
        for _ in 0..5_000 {
            all.push((String::new(), 1_000));
            while let Some(run) = run_to_merge(&all) {
                let rows: usize = all[run.clone()].iter().map(|(_, count)| count).sum();
                written += rows;
                all.splice(run, [(String::new(), rows)]);
            }
            most = most.max(all.len());
        }
        assert!(most <= 40, "{most} files at once");
        assert!(
            written <= 5 * 5_000_000,
            "{written} rows written again for 5,000,000"
        );
    }
}
