//! Work in the background. A job is a row until it ended, so a crash only delays it: the next start resumes it, and
//! after too many attempts its target becomes ERROR. Either way the target ends ACTIVE or ERROR.

mod deploy;
mod train;

use crate::platform::Platform;
use crate::service::domain::{DatasetStatus, Job, JobKind, ModelStatus};
use crate::store::StoreError;

/// A job that the server did not survive so many times is given up.
const MAX_ATTEMPTS: u32 = 5;

/// Why a job failed: for the owner of its target, or for our log.
#[derive(Debug)]
pub(crate) enum JobError {
    /// The owner can mend it; the text says how.
    Owner(String),
    /// A fault of ours or of the machine.
    Internal(anyhow::Error),
}

impl From<anyhow::Error> for JobError {
    fn from(error: anyhow::Error) -> JobError {
        JobError::Internal(error)
    }
}

impl From<std::io::Error> for JobError {
    fn from(error: std::io::Error) -> JobError {
        StoreError::from(error).into()
    }
}

impl From<StoreError> for JobError {
    fn from(error: StoreError) -> JobError {
        match error {
            StoreError::Full(cause) => {
                tracing::error!(cause = format!("{cause:#}"), "a job ran out of disk space");
                JobError::Owner(
                    "the server's disk is full; free space, delete this and create it again".to_owned(),
                )
            }
            StoreError::Other(cause) => JobError::Internal(cause),
        }
    }
}

/// Starts a job in the background.
pub(crate) fn start(platform: &Platform, job: Job) {
    let platform = platform.clone();
    tokio::spawn(async move {
        let result = if job.attempts > MAX_ATTEMPTS {
            Err(JobError::Owner(format!(
                "given up after {MAX_ATTEMPTS} attempts that the server did not survive"
            )))
        } else {
            attempt(&platform, job).await
        };
        let ended = match result {
            Ok(()) => Ok(()),
            Err(error) => fail(&platform, job, error).await,
        };
        let finished = match ended {
            Ok(()) => platform.jobs.finish_job(job.id).await,
            Err(error) => Err(error),
        };
        if let Err(error) = finished {
            // The row stays, so the next start takes the job up again.
            tracing::error!(job = job.id, ?error, "a job could not be recorded as ended");
        }
    });
}

async fn attempt(platform: &Platform, job: Job) -> Result<(), JobError> {
    let work = platform.clone();
    // A task of its own, so that a panic in it is an error here.
    let task = tokio::spawn(async move {
        match job.kind {
            JobKind::DeployDataset => deploy::run(&work, job.target).await,
            JobKind::TrainModel => train::run(&work, job.target).await,
        }
    });
    task.await
        .unwrap_or_else(|panic| Err(JobError::Internal(panic.into())))
}

async fn fail(platform: &Platform, job: Job, error: JobError) -> Result<(), StoreError> {
    let message = match error {
        JobError::Owner(message) => {
            tracing::info!(
                kind = job.kind.as_str(),
                target = job.target,
                message,
                "a job ended in ERROR"
            );
            message
        }
        JobError::Internal(cause) => {
            tracing::error!(
                kind = job.kind.as_str(),
                target = job.target,
                cause = format!("{cause:#}"),
                "a job failed"
            );
            "an internal error; the server's log has the cause".to_owned()
        }
    };
    match job.kind {
        JobKind::DeployDataset => {
            platform
                .datasets
                .set_dataset_status(job.target, DatasetStatus::Error, Some(message))
                .await?;
        }
        JobKind::TrainModel => {
            platform
                .models
                .set_model_status(job.target, ModelStatus::Error, Some(message))
                .await?;
        }
    }
    Ok(())
}
