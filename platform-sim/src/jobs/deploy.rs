//! Datasets: making the place for the rows of one, and taking one away.

use super::JobError;
use crate::connectors;
use crate::platform::Platform;
use crate::service::domain::{DatasetStatus, RowOwner};

/// Deploys a dataset. One whose source this server cannot read ends in ERROR and says so.
pub(super) async fn run(platform: &Platform, id: i64) -> Result<(), JobError> {
    let datasets = &platform.datasets;
    if !datasets
        .set_dataset_status(id, DatasetStatus::Deploying, None)
        .await?
    {
        return Ok(());
    }
    let Some(dataset) = datasets.dataset_by_id(id).await? else {
        return Ok(());
    };
    if connectors::find(dataset.schema_type.name).is_none() {
        return Err(JobError::Owner(format!(
            "this server has no connector for {name}: the configuration is stored, nothing was tried with it, and no rows will come; to have rows, use a CUSTOM dataset and insert them",
            name = dataset.schema_type.name
        )));
    }
    platform.rows.prepare(RowOwner::Dataset(id)).await?;
    // False when it is being destroyed by now; the job that does it removes the place as well.
    datasets
        .set_dataset_status(id, DatasetStatus::Active, None)
        .await?;
    platform.changed();
    Ok(())
}

/// Removes a dataset that is DESTROYING: first its files, then its name.
pub(crate) async fn destroy(platform: &Platform, id: i64) -> Result<(), JobError> {
    // Inserts that are under way end first, so that none writes into what is being removed.
    let owner = RowOwner::Dataset(id);
    let lock = platform.row_lock(owner);
    let _guard = lock.lock().await;
    platform.rows.sweep(owner, &[]).await?;
    platform.datasets.remove_dataset(id).await?;
    platform.forget_row_lock(owner);
    Ok(())
}
