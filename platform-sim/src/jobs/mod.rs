//! Work in the background. A job is a row until it ended, so a crash only delays it: the next start resumes it, and
//! after too many attempts its target becomes ERROR. Either way the target ends ACTIVE or ERROR.

pub(crate) mod compact;
pub(crate) mod deploy;
mod enrich;
pub(crate) mod refresh;
pub(crate) mod schedule;
pub(crate) mod train;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tracing::Instrument;

use tokio::sync::Notify;

use crate::platform::Platform;
use crate::service::domain::{DatasetStatus, Job, JobKind};
use crate::service::failure::{self, Failure};
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
    /// It was told to stop, and is taken up again by the next start if its target is still there.
    Stopped,
}

/// The jobs that run now, to be told to stop.
#[derive(Debug, Default)]
pub(crate) struct Running {
    jobs: Mutex<Vec<(JobKind, i64, Stop)>>,
    stopping: AtomicBool,
}

/// Set from elsewhere when a job is to end early.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stop(Arc<Signal>);

#[derive(Debug, Default)]
struct Signal {
    flag: AtomicBool,
    told: Notify,
}

impl Stop {
    fn set(&self) {
        self.0.flag.store(true, Ordering::SeqCst);
        self.0.told.notify_waiters();
    }

    /// For work that looks at it now and then.
    pub(crate) fn flag(&self) -> &AtomicBool {
        &self.0.flag
    }

    /// Completes when the job is to end.
    async fn stopped(&self) {
        // Before the look at the flag, so that nothing is missed between the two.
        let told = self.0.told.notified();
        if !self.flag().load(Ordering::SeqCst) {
            told.await;
        }
    }

    /// Does a piece of work that may be dropped at any moment.
    async fn or<T>(&self, work: impl Future<Output = Result<T, JobError>>) -> Result<T, JobError> {
        tokio::select! {
            done = work => done,
            () = self.stopped() => Err(JobError::Stopped),
        }
    }
}

impl Running {
    /// Notes that a job runs.
    fn begin(&self, job: Job) -> Stop {
        let mut jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        let stop = Stop::default();
        if self.stopping.load(Ordering::SeqCst) {
            stop.set();
        }
        jobs.push((job.kind, job.target, stop.clone()));
        stop
    }

    fn count(&self, kind: JobKind) -> usize {
        let jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        jobs.iter().filter(|(of, _, _)| *of == kind).count()
    }

    fn end(&self, stop: &Stop) {
        let mut jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        jobs.retain(|(_, _, other)| !Arc::ptr_eq(&other.0, &stop.0));
    }

    /// Stops the trainings of a model: whatever they make is of no use.
    pub(crate) fn stop_training(&self, model: i64) {
        let jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        let of_model = jobs
            .iter()
            .filter(|(kind, target, _)| *kind == JobKind::TrainModel && *target == model);
        of_model.for_each(|(_, _, stop)| stop.set());
    }

    /// Stops all jobs that can be stopped, and those that come.
    pub(crate) fn stop(&self) {
        let jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        self.stopping.store(true, Ordering::SeqCst);
        jobs.iter().for_each(|(_, _, stop)| stop.set());
    }

    /// Waits until no job runs.
    pub(crate) async fn ended(&self) {
        let running = || {
            !self
                .jobs
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .is_empty()
        };
        while running() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
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

/// Trainings that wait at most: they run one after the other, and whoever asks for more is told so now.
const MAX_TRAININGS: usize = 100;

/// Refuses to take on more trainings than can be waited for.
pub(crate) fn room_for_a_training(platform: &Platform) -> failure::Result<()> {
    if platform.running.count(JobKind::TrainModel) < MAX_TRAININGS {
        return Ok(());
    }
    Err(Failure::TooMany(
        "a hundred trainings are waiting already; try again when some of them have ended",
    ))
}

/// Starts a job in the background. Whoever wants its end waits for the handle.
pub(crate) fn start(platform: &Platform, job: Job) -> tokio::task::JoinHandle<()> {
    let platform = platform.clone();
    let stop = platform.running.begin(job);
    let kind = job.kind.as_str();
    let span = tracing::info_span!("job", id = job.id, kind, target = job.target);
    let work = async move {
        let started = Instant::now();
        let _waits_or_runs = platform.metrics.job(kind);
        let result = if job.attempts > MAX_ATTEMPTS {
            Err(JobError::Owner(format!(
                "given up after {MAX_ATTEMPTS} attempts that the server did not survive"
            )))
        } else {
            attempt(&platform, job, stop.clone()).await
        };
        let outcome = match &result {
            Ok(()) => "done",
            Err(JobError::Stopped) => "stopped",
            Err(_) => "failed",
        };
        platform.metrics.job_ended(kind, outcome, started.elapsed());
        tracing::info!(outcome, seconds = started.elapsed().as_secs_f64(), "a job ended");
        let finished = match result {
            Ok(()) => platform.jobs.finish_job(job.id).await,
            Err(JobError::Stopped) => platform.jobs.postpone_job(job.id).await,
            Err(error) => match fail(&platform, job, error).await {
                Ok(()) => platform.jobs.finish_job(job.id).await,
                Err(error) => Err(error),
            },
        };
        if let Err(error) = finished {
            // The row stays, so the next start takes the job up again.
            tracing::error!(?error, "a job could not be recorded as ended");
        }
        platform.running.end(&stop);
    };
    tokio::spawn(work.instrument(span))
}

async fn attempt(platform: &Platform, job: Job, stop: Stop) -> Result<(), JobError> {
    let worker = platform.clone();
    // A task of its own, so that a panic in it is an error here.
    let work = async move {
        match job.kind {
            JobKind::DeployDataset => deploy::run(&worker, job.target).await,
            JobKind::DestroyDataset => deploy::destroy(&worker, job.target).await,
            // Rows count once they are committed, so what is under way may be dropped.
            JobKind::RefreshTransform => stop.or(refresh::run(&worker, job.target)).await,
            JobKind::DestroyTransform => refresh::destroy(&worker, job.target).await,
            JobKind::TrainModel => train::run(&worker, job.target, stop).await,
        }
    };
    tokio::spawn(work.in_current_span())
        .await
        .unwrap_or_else(|panic| Err(JobError::Internal(panic.into())))
}

async fn fail(platform: &Platform, job: Job, error: JobError) -> Result<(), StoreError> {
    let message = told(job.kind.as_str(), job.target, error);
    match job.kind {
        JobKind::DeployDataset => {
            platform
                .datasets
                .set_dataset_status(job.target, DatasetStatus::Error, Some(message))
                .await?;
        }
        JobKind::DestroyDataset => platform.datasets.keep_dataset(job.target, message).await?,
        JobKind::RefreshTransform => refresh::give_up(platform, job.target, message).await?,
        JobKind::DestroyTransform => platform.transforms.keep_transform(job.target, message).await?,
        JobKind::TrainModel => train::fail(platform, job.target, message).await?,
    }
    Ok(())
}

/// What the owner of a job's target is told of a failure; the log gets the cause.
fn told(kind: &str, target: i64, error: JobError) -> String {
    match error {
        JobError::Owner(message) => {
            tracing::info!(kind, target, message, "a job ended in ERROR");
            message
        }
        JobError::Stopped => "the server stopped meanwhile".to_owned(),
        JobError::Internal(cause) => {
            tracing::error!(kind, target, cause = format!("{cause:#}"), "a job failed");
            "an internal error; the server's log has the cause".to_owned()
        }
    }
}
