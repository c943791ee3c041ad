//! Requests to models that serve.

use std::time::{SystemTime, UNIX_EPOCH};

use super::{Defaults, Engine};
use crate::platform::Platform;
use crate::service::failure::{Entity, Failure, Result};
use crate::service::models;

/// Asks the serving version of a model, on a thread that may take its time.
pub(crate) async fn answer<T: Send + 'static>(
    platform: &Platform,
    name: String,
    work: impl FnOnce(&Engine<'_>) -> Result<T> + Send + 'static,
) -> Result<T> {
    let Some(served) = platform.serving.get(&name) else {
        let model = models::get(platform, &name).await?;
        return Err(Failure::NotActive {
            entity: Entity::Model,
            name: model.name,
            status: model.status.as_str(),
        });
    };
    let platform = platform.clone();
    let work = move || {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let defaults = Defaults {
            overrides: served.config.inference.clone(),
            slate_size: served.config.slate_size,
            page_seconds: i64::try_from(served.config.pagination_store_ttl).unwrap_or(i64::MAX),
        };
        work(&Engine {
            model: served.model.as_ref(),
            model_id: served.id,
            model_name: &name,
            defaults: &defaults,
            pages: platform.pages.as_ref(),
            now: since.as_secs().try_into().unwrap_or(i64::MAX),
            seed: since.as_nanos() as u64,
        })
    };
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|panic| Failure::Internal(panic.into()))?
}
