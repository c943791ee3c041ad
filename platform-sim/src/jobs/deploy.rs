//! Deploying a dataset: making the place for its rows.

use super::JobError;
use crate::platform::Platform;
use crate::service::domain::DatasetStatus;

pub(super) async fn run(platform: &Platform, dataset: i64) -> Result<(), JobError> {
    if platform
        .datasets
        .set_dataset_status(dataset, DatasetStatus::Deploying, None)
        .await?
    {
        platform.rows.prepare(dataset).await?;
        if !platform
            .datasets
            .set_dataset_status(dataset, DatasetStatus::Active, None)
            .await?
        {
            // Deleted in the meantime.
            platform.rows.sweep(dataset, &[]).await?;
        }
    }
    Ok(())
}
