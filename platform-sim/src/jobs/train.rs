//! Training a model: fetch its rows, build a version, put it into service.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, anyhow};

use super::JobError;
use crate::model_files::{self, ServingModel, UnusableRows};
use crate::platform::Platform;
use crate::service::domain::{DatasetStatus, FetchPart, Model, ModelStatus};
use crate::sql::client::SqlError;
use crate::sql::{Statement, Table};
use crate::store::artefacts::Scratch;
use crate::text_encoder::TextEncoder;

/// How long a training waits before it asks again for an SQL worker.
const BUSY_PAUSE: Duration = Duration::from_secs(1);

pub(super) async fn run(platform: &Platform, id: i64) -> Result<(), JobError> {
    let _turn = platform
        .training
        .acquire()
        .await
        .context("trainings have stopped")?;
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
    fetch(platform, &model, &scratch).await?;

    if !platform
        .models
        .set_model_status(id, ModelStatus::Training, None)
        .await?
    {
        return Ok(());
    }
    let text_fields = model.config.text_fields.clone();
    let embedding = embedding(platform, &model)?;
    let has_items = model.config.fetch.items.is_some();
    let scratch = run_blocking(move || {
        let fetched = |part: FetchPart| model_files::read_rows(&scratch.path().join(part.name()));
        let events = fetched(FetchPart::Events)?;
        let items = if has_items {
            Some(fetched(FetchPart::Items)?)
        } else {
            None
        };
        let built = scratch.path().join("version");
        std::fs::create_dir(&built)?;
        let built = model_files::build(&built, &events, items.as_ref(), &text_fields, embedding.as_ref());
        built.map_err(|error| match error.downcast::<UnusableRows>() {
            Ok(UnusableRows(reason)) => JobError::Owner(reason),
            Err(other) => match other.downcast::<std::io::Error>() {
                Ok(error) => JobError::from(error),
                Err(other) => JobError::Internal(other),
            },
        })?;
        Ok(scratch)
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
    let serving = run_blocking(move || {
        let directory = artefacts.publish(&scratch.path().join("version"), id, version)?;
        Ok(ServingModel::open(&directory, encoder.as_ref())?)
    })
    .await?;
    // In service before the status says so: whoever sees ACTIVE gets an answer.
    platform.serving.put(&model, serving);
    let alive = platform.models.activate_model(id, version).await?;
    if !alive {
        platform.serving.remove(&model.name, id);
    }
    let artefacts = platform.artefacts.clone();
    run_blocking(move || Ok(artefacts.sweep(id, alive.then_some(version))?)).await
}

/// The column of vectors and the encoder of the texts that they are compared with, if the model is to have them.
fn embedding(platform: &Platform, model: &Model) -> Result<Option<(String, Arc<TextEncoder>)>, JobError> {
    let Some(field) = &model.config.embedding_field else {
        return Ok(None);
    };
    // It was there when the model was set up; the server may have been started anew since.
    let encoder = platform.text_encoder.clone().ok_or_else(|| {
        JobError::Owner(
            "the server has no text encoder any more: start it with --text-encoder FILE, delete this and create it again"
                .to_owned(),
        )
    })?;
    Ok(Some((field.clone(), encoder)))
}

/// Writes the rows of each fetch statement into the scratch directory.
async fn fetch(platform: &Platform, model: &Model, scratch: &Scratch) -> Result<(), JobError> {
    let parts = model.config.fetch.parts();
    let statements = || -> Result<Vec<Statement>, JobError> {
        let statement = |(part, sql): &(FetchPart, &str)| {
            Statement::new(sql, Some(scratch.path().join(part.name()))).map_err(JobError::Owner)
        };
        parts.iter().map(statement).collect()
    };
    let outcomes = loop {
        match platform
            .sql
            .run(tables(platform, model).await?, statements()?)
            .await
        {
            Ok(outcomes) => break outcomes,
            Err(SqlError::Busy) => tokio::time::sleep(BUSY_PAUSE).await,
            Err(SqlError::Internal(error)) => return Err(error.into()),
        }
    };
    for ((part, _), outcome) in parts.iter().zip(&outcomes) {
        if let Err(reason) = outcome {
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

async fn tables(platform: &Platform, model: &Model) -> Result<Vec<Table>, JobError> {
    let mut tables = Vec::new();
    for connector in &model.config.connectors {
        let name = &connector.dataset;
        let dataset = platform
            .datasets
            .dataset(name)
            .await?
            .ok_or_else(|| JobError::Owner(format!("the dataset '{name}' is gone")))?;
        if dataset.status != DatasetStatus::Active {
            return Err(JobError::Owner(format!(
                "the dataset '{name}' is {}",
                dataset.status.as_str()
            )));
        }
        let files = platform.datasets.row_files(dataset.id).await?;
        tables.push(Table {
            id: connector.id.clone(),
            files: platform.rows.stage(dataset.id, &files).await?,
            schema: dataset.schema,
            unique_keys: dataset.unique_keys,
        });
    }
    Ok(tables)
}

async fn run_blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, JobError> + Send + 'static,
) -> Result<T, JobError> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|panic| JobError::Internal(panic.into()))?
}
