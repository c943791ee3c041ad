//! Making the rows of transforms: at first (the backfill), and again when what they read has changed.
//!
//! A transform remembers how its sources stood when it was made (its stamp). The refresher compares: whatever
//! changed, however it changed, and whether or not the server ran meanwhile, a stamp that no longer fits leads to a
//! refresh. Changes are gathered for a moment first, and a transform that takes long is refreshed less often.

use std::collections::HashMap;
use std::sync::Weak;
use std::time::Duration;

use anyhow::{Context, anyhow};
use tokio::time::Instant;

use super::{JobError, enrich};
use crate::platform::{Inner, Platform};
use crate::service::domain::{Recipe, RowOwner, Schema, Stamp, Transform, TransformStatus};
use crate::service::relations::{self, Catalogue};
use crate::sql::client::{Outcome, SqlError};
use crate::sql::{Output, Statement, Tables};

/// How long a refresh waits before it asks again for a source or an SQL worker.
const PAUSE: Duration = Duration::from_millis(200);

/// How long changes are gathered.
const DEBOUNCE: Duration = Duration::from_millis(500);

/// A transform rests this many times as long as its last refresh took.
const REST: u32 = 4;

/// A statement that reads the clock is run again after this time, changes or not.
const CLOCK_INTERVAL: chrono::Duration = chrono::Duration::hours(1);

/// How often the refresher looks without being told of a change.
const LOOK_INTERVAL: Duration = Duration::from_secs(60);

/// Makes a transform's rows. Failures are noted at the transform; those that come back are ours.
pub(super) async fn run(platform: &Platform, id: i64) -> Result<(), JobError> {
    let mut stamp = Stamp::new();
    let error = match attempt(platform, id, &mut stamp).await {
        Ok(()) => {
            platform.changed();
            return Ok(());
        }
        Err(error) => error,
    };
    let message = super::told("REFRESH_TRANSFORM", id, error);
    platform.transforms.fail_transform(id, message, stamp).await?;
    Ok(())
}

/// Notes a failure that [`run`] could not note itself: a panic, or too many attempts.
pub(super) async fn give_up(
    platform: &Platform,
    id: i64,
    message: String,
) -> Result<(), crate::store::StoreError> {
    let stamp = match platform.transforms.transform_by_id(id).await? {
        Some(transform) => Catalogue::read(platform).await?.stamp(&transform),
        None => return Ok(()),
    };
    platform.transforms.fail_transform(id, message, stamp).await
}

async fn attempt(platform: &Platform, id: i64, stamp: &mut Stamp) -> Result<(), JobError> {
    let store = &platform.transforms;
    let Some(transform) = wait_for_sources(platform, id, stamp).await? else {
        return Ok(());
    };
    let _turn = platform
        .refreshing
        .acquire()
        .await
        .context("refreshes have stopped")?;
    *stamp = Catalogue::read(platform).await?.stamp(&transform);
    if !transform.has_rows() {
        let Recipe::View { sql } = &transform.recipe else {
            return Ok(());
        };
        let statement = Statement::new(sql, None).map_err(JobError::Owner)?;
        let tables = Catalogue::read(platform).await?.everything();
        let planned = one(run_sql(platform, tables, &statement).await?)?;
        let schema = declared(planned.columns);
        store.commit_transform(id, None, schema, stamp.clone()).await?;
        return Ok(());
    }
    if transform.version == 0
        && !store
            .set_transform_status(id, TransformStatus::Backfilling, None)
            .await?
    {
        return Ok(());
    }
    let scratch = platform.artefacts.scratch()?;
    let file = scratch.path().join("rows.parquet");
    let (schema, rows) = match &transform.recipe {
        Recipe::Materialized { sql } => {
            let staged = relations::staged_names(platform, &transform.sources).await?;
            let output = Output::Parquet(file.clone());
            let statement = Statement::with_output(sql, Some(output)).map_err(JobError::Owner)?;
            let planned = one(run_sql(platform, staged.tables.clone(), &statement).await?)?;
            (declared(planned.columns), planned.rows)
        }
        Recipe::Enrichment(enrichment) => {
            let input = scratch.path().join("source.arrow");
            let staged = relations::staged_names(platform, &transform.sources).await?;
            let sql = enrich::statement(enrichment);
            let statement = Statement::new(&sql, Some(input.clone())).map_err(JobError::Owner)?;
            one(run_sql(platform, staged.tables.clone(), &statement).await?)?;
            let (platform, transform, enrichment) = (platform.clone(), transform.clone(), enrichment.clone());
            let (schema, output) = (transform.schema.clone(), file.clone());
            let enriched = tokio::task::spawn_blocking(move || {
                enrich::run(&platform, &transform, &enrichment, &input, &output)
            })
            .await
            .map_err(|panic| JobError::Internal(panic.into()))??;
            let Some(rows) = enriched else { return Ok(()) };
            (schema, rows)
        }
        Recipe::View { .. } => return Ok(()),
    };
    commit(platform, &transform, file, rows, schema, stamp.clone()).await
}

/// Puts finished rows in the place of the old ones.
async fn commit(
    platform: &Platform,
    transform: &Transform,
    file: std::path::PathBuf,
    rows: usize,
    schema: Schema,
    stamp: Stamp,
) -> Result<(), JobError> {
    let owner = RowOwner::Transform(transform.id);
    // A deletion waits, or was first.
    let lock = platform.row_lock(owner);
    let _guard = lock.lock().await;
    if platform.transforms.transform_by_id(transform.id).await?.is_none() {
        return Ok(());
    }
    platform.rows.prepare(owner).await?;
    let name = platform.rows.adopt(owner, file).await?;
    let committed = platform
        .transforms
        .commit_transform(transform.id, Some((name.clone(), rows)), schema, stamp)
        .await?;
    platform
        .rows
        .retire(owner, committed.unwrap_or_else(|| vec![name]))
        .await?;
    Ok(())
}

/// The transform, once everything that it reads can be read; `None` when it is gone.
async fn wait_for_sources(
    platform: &Platform,
    id: i64,
    stamp: &mut Stamp,
) -> Result<Option<Transform>, JobError> {
    loop {
        let transform = platform.transforms.transform_by_id(id).await?;
        let Some(transform) = transform.filter(|transform| transform.status != TransformStatus::Destroying)
        else {
            return Ok(None);
        };
        let catalogue = Catalogue::read(platform).await?;
        *stamp = catalogue.stamp(&transform);
        let mut waits = false;
        for source in &transform.sources {
            match catalogue.readable(source) {
                Ok(_) => {}
                Err(unreadable) if unreadable.soon => waits = true,
                // A view needs columns only.
                Err(unreadable) if !transform.has_rows() && unreadable.status.is_some() => {}
                Err(unreadable) => return Err(unreadable.into()),
            }
        }
        if !waits {
            return Ok(Some(transform));
        }
        tokio::time::sleep(PAUSE).await;
    }
}

async fn run_sql(
    platform: &Platform,
    tables: Tables,
    statement: &Statement,
) -> Result<Vec<Outcome>, JobError> {
    loop {
        match platform.sql.run(tables.clone(), vec![statement.clone()]).await {
            Ok(outcomes) => return Ok(outcomes),
            Err(SqlError::Busy) => tokio::time::sleep(PAUSE).await,
            Err(SqlError::Internal(error)) => return Err(error.into()),
        }
    }
}

fn one(outcomes: Vec<Outcome>) -> Result<crate::sql::Planned, JobError> {
    outcomes
        .into_iter()
        .next()
        .ok_or_else(|| anyhow!("the SQL worker did not answer"))?
        .map_err(|refusal| JobError::Owner(format!("sql_query: {}", refusal.reason)))
}

fn declared(columns: Vec<crate::service::domain::Column>) -> Schema {
    Schema {
        declared: true,
        columns,
    }
}

/// Removes a transform that is DESTROYING: first its files, then its name.
pub(super) async fn destroy(platform: &Platform, id: i64) -> Result<(), JobError> {
    let owner = RowOwner::Transform(id);
    let lock = platform.row_lock(owner);
    let _guard = lock.lock().await;
    platform.rows.sweep(owner, &[]).await?;
    platform.transforms.remove_transform(id).await?;
    platform.forget_row_lock(owner);
    Ok(())
}

/// Starts refreshes as long as the platform lives.
pub(crate) async fn refresher(platform: Weak<Inner>) {
    // When each transform's job was started here; it rests in proportion to what that took.
    let mut started: HashMap<i64, Started> = HashMap::new();
    let mut wait = Duration::ZERO;
    loop {
        let Some(changes) = platform_of(&platform).map(|platform| platform.changes.clone()) else {
            return;
        };
        // Told of a change, or in time for what rests.
        if tokio::time::timeout(wait, changes.notified()).await.is_ok() {
            tokio::time::sleep(DEBOUNCE).await;
        }
        let Some(platform) = platform_of(&platform) else {
            return;
        };
        wait = match look(&platform, &mut started).await {
            Ok(next) => next.min(LOOK_INTERVAL),
            Err(error) => {
                tracing::error!(?error, "the refresher of transforms cannot read the metadata");
                LOOK_INTERVAL
            }
        };
    }
}

fn platform_of(inner: &Weak<Inner>) -> Option<Platform> {
    inner.upgrade().map(Platform::of)
}

struct Started {
    at: Instant,
    job: tokio::task::JoinHandle<()>,
    took: Option<Duration>,
}

/// Starts what is due; the time until something else may be.
async fn look(
    platform: &Platform,
    started: &mut HashMap<i64, Started>,
) -> Result<Duration, crate::store::StoreError> {
    let now = Instant::now();
    for known in started.values_mut() {
        if known.took.is_none() && known.job.is_finished() {
            known.took = Some(now - known.at);
        }
    }
    let mut next = LOOK_INTERVAL;
    let catalogue = Catalogue::read(platform).await?;
    for transform in catalogue.transforms() {
        let settled = matches!(
            transform.status,
            TransformStatus::Active | TransformStatus::Error | TransformStatus::Inactive
        );
        if !settled || !(catalogue.stamp(transform) != transform.stamp || clock_is_due(transform)) {
            continue;
        }
        if let Some(known) = started.get(&transform.id) {
            let Some(took) = known.took else {
                next = next.min(PAUSE);
                continue;
            };
            let rested = known.at + took + took * REST;
            if rested > now {
                next = next.min(rested - now);
                continue;
            }
        }
        if let Some(job) = platform.transforms.refresh_transform(transform.id).await? {
            let job = super::start(platform, job);
            started.insert(
                transform.id,
                Started {
                    at: now,
                    job,
                    took: None,
                },
            );
        }
    }
    started.retain(|id, _| catalogue.transforms().any(|transform| transform.id == *id));
    Ok(next)
}

/// Whether the rows are old and the statement gives others by the mere passing of time.
fn clock_is_due(transform: &Transform) -> bool {
    let Recipe::Materialized { sql } = &transform.recipe else {
        return false;
    };
    let sql = sql.to_ascii_lowercase();
    let reads_clock = ["now(", "now (", "current_", "today("]
        .iter()
        .any(|word| sql.contains(word));
    let refreshed = transform
        .refreshed_at
        .as_deref()
        .and_then(|time| chrono::DateTime::parse_from_rfc3339(time).ok());
    reads_clock && refreshed.is_some_and(|time| chrono::Utc::now() - time.to_utc() > CLOCK_INTERVAL)
}
