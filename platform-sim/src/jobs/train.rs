//! Training a model: fetch its rows, build a version, put it into service.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::anyhow;

use super::{JobError, Stop};
use crate::platform::Platform;
use crate::service::domain::{FetchPart, Model, ModelConfig, ModelStatus, TrainingReport};
use crate::service::relations;
use crate::serving::{self, Chosen, Fetched, Prepared, ServingModel, UnusableRows};
use crate::sql::Statement;
use crate::sql::client::SqlError;
use crate::store::StoreError;
use crate::store::artefacts::Scratch;

/// How long a training waits before it asks again for an SQL worker.
const BUSY_PAUSE: Duration = Duration::from_secs(1);

pub(super) async fn run(platform: &Platform, id: i64, stop: Stop) -> Result<(), JobError> {
    let trained = train(platform, id, stop).await;
    // Its deletion may have come between a version and its metadata, and found less than there is now.
    if platform.models.model_by_id(id).await?.is_none() {
        let artefacts = platform.artefacts.clone();
        run_blocking(move || Ok(artefacts.sweep(id, &[])?)).await?;
    }
    trained
}

async fn train(platform: &Platform, id: i64, stop: Stop) -> Result<(), JobError> {
    let turn = async { platform.training.acquire().await.map_err(|_| JobError::Stopped) };
    let _turn = stop.or(turn).await?;
    check(&stop)?;
    let Some(model) = platform.models.model_by_id(id).await? else {
        return Ok(());
    };
    if !platform
        .models
        .set_model_status(id, ModelStatus::Fetching, None)
        .await?
    {
        return Ok(());
    }
    let scratch = platform.artefacts.scratch()?;
    stop.or(fetch(platform, &model, &scratch)).await?;
    check(&stop)?;
    let now = chrono::Utc::now().timestamp();
    let config = model.config.clone();
    let (scratch, prepared) = run_blocking(move || {
        let fetched = fetched(&config, &scratch)?;
        let prepared = Prepared::read(fetched, config, now).map_err(job_error)?;
        Ok((scratch, prepared))
    })
    .await?;
    let mut report = TrainingReport {
        warnings: prepared.warnings.clone(),
        ..TrainingReport::default()
    };
    let prepared = Arc::new(prepared);

    let mut chosen = Chosen::new();
    if serving::tune::is_wanted(&model.config) {
        if !platform
            .models
            .set_model_status(id, ModelStatus::Tuning, None)
            .await?
        {
            return Ok(());
        }
        let (prepared, stop) = (Arc::clone(&prepared), stop.clone());
        let tuned = run_blocking(move || serving::tune::tune(&prepared, stop.flag()).map_err(job_error));
        let tuned = tuned.await?;
        chosen = tuned.0;
        report.tuning = Some(tuned.1);
    }

    if !platform
        .models
        .set_model_status(id, ModelStatus::Training, None)
        .await?
    {
        return Ok(());
    }
    let encoder = platform.text_encoder.clone();
    let (scratch, features, report) = run_blocking(move || {
        if prepared.config.evaluation.enable {
            let evaluation =
                serving::evaluate::evaluate(&prepared, &chosen, stop.flag()).map_err(job_error)?;
            report.evaluation = Some(evaluation);
        }
        let built = scratch.path().join("version");
        std::fs::create_dir(&built)?;
        let built = serving::build(
            &built,
            &prepared,
            &chosen,
            encoder.as_ref(),
            &mut report,
            stop.flag(),
        );
        built.map_err(job_error)?;
        Ok((scratch, prepared.features.clone(), report))
    })
    .await?;

    if !platform
        .models
        .set_model_status(id, ModelStatus::Deploying, None)
        .await?
    {
        return Ok(());
    }
    let version = model.version.unwrap_or(0) + 1;
    let artefacts = platform.artefacts.clone();
    let encoder = platform.text_encoder.clone();
    let online = platform.online.of(id);
    let opened = run_blocking(move || {
        let directory = artefacts.publish(&scratch.path().join("version"), id, version)?;
        Ok(ServingModel::open(&directory, encoder.as_ref(), online)?)
    })
    .await?;
    let before = platform.serving.get(&model.name).filter(|served| served.id == id);
    // In service before the status says so: whoever sees ACTIVE gets an answer.
    platform.serving.put(&model, version, opened);
    let alive = platform
        .models
        .activate_model(id, version, features, report)
        .await?;
    if !alive {
        platform.serving.remove(&model.name, id);
        return Ok(());
    }
    // The one that served stays, should this one not open some day; one that did not open is of no use.
    let kept = match before {
        Some(before) => vec![version, before.version],
        None => vec![version],
    };
    let artefacts = platform.artefacts.clone();
    run_blocking(move || Ok(artefacts.sweep(id, &kept)?)).await
}

fn check(stop: &Stop) -> Result<(), JobError> {
    if stop.flag().load(Ordering::SeqCst) {
        return Err(JobError::Stopped);
    }
    Ok(())
}

fn is_stopped(error: &anyhow::Error) -> bool {
    let error = error.downcast_ref::<recsys::Error>();
    error.is_some_and(|error| error.kind() == recsys::ErrorKind::Stopped)
}

/// Notes that a training failed. What served before goes on serving.
pub(super) async fn fail(platform: &Platform, id: i64, mut message: String) -> Result<(), StoreError> {
    if let Some(model) = platform.models.model_by_id(id).await?
        && let Some(trained_at) = model.trained_at
        && platform
            .serving
            .get(&model.name)
            .is_some_and(|served| served.id == id)
    {
        message = format!("{message} (what was trained at {trained_at} goes on serving)");
    }
    platform
        .models
        .set_model_status(id, ModelStatus::Error, Some(message))
        .await?;
    Ok(())
}

/// Reads what [`fetch`] wrote.
fn fetched(config: &ModelConfig, scratch: &Scratch) -> Result<Fetched, JobError> {
    let rows = |part: FetchPart| serving::read_rows(&scratch.path().join(&*part.name()));
    let parts: Vec<FetchPart> = config.parts().iter().map(|(part, _)| *part).collect();
    let optional = |part: FetchPart| parts.contains(&part).then(|| rows(part)).transpose();
    let named = parts
        .iter()
        .filter(|part| matches!(part, FetchPart::GlobalFilter(_) | FetchPart::PersonalFilter(_)));
    Ok(Fetched {
        events: rows(FetchPart::Events)?,
        items: optional(FetchPart::Items)?,
        users: optional(FetchPart::Users)?,
        global_filters: optional(FetchPart::GlobalFilters)?,
        personal_filters: optional(FetchPart::PersonalFilters)?,
        filters: named.map(|part| rows(*part)).collect::<anyhow::Result<_>>()?,
    })
}

/// Whose matter it is that no version came about.
fn job_error(error: anyhow::Error) -> JobError {
    match error.downcast::<UnusableRows>() {
        Ok(UnusableRows(reason)) => JobError::Owner(reason),
        Err(other) if is_stopped(&other) => JobError::Stopped,
        Err(other) => match other.downcast::<std::io::Error>() {
            Ok(error) => JobError::from(error),
            Err(other) => JobError::Internal(other),
        },
    }
}

/// Writes the rows of each fetch statement into the scratch directory.
async fn fetch(platform: &Platform, model: &Model, scratch: &Scratch) -> Result<(), JobError> {
    let parts = model.config.parts();
    let statements = || -> Result<Vec<Statement>, JobError> {
        let statement = |(part, sql): &(FetchPart, &str)| {
            Statement::new(sql, Some(scratch.path().join(&*part.name()))).map_err(JobError::Owner)
        };
        parts.iter().map(statement).collect()
    };
    let staged = relations::staged(platform, &model.config.connectors, scratch.path()).await?;
    let outcomes = loop {
        match platform.sql.run(staged.tables.clone(), statements()?).await {
            Ok(outcomes) => break outcomes,
            Err(SqlError::Busy) => tokio::time::sleep(BUSY_PAUSE).await,
            Err(SqlError::Internal(error)) => return Err(error.into()),
        }
    };
    for ((part, _), outcome) in parts.iter().zip(&outcomes) {
        if let Err(refusal) = outcome {
            let reason = &refusal.reason;
            return Err(JobError::Owner(format!("fetch.{}: {reason}", part.name())));
        }
    }
    if outcomes.len() < parts.len() {
        return Err(anyhow!(
            "the SQL worker answered {} of {} statements",
            outcomes.len(),
            parts.len()
        )
        .into());
    }
    Ok(())
}

async fn run_blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, JobError> + Send + 'static,
) -> Result<T, JobError> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|panic| JobError::Internal(panic.into()))?
}
