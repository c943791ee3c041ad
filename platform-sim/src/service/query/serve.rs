//! Queries to models that serve.

use std::collections::HashSet;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde_json::{Map, Value};

use super::bind::Plan;
use super::engine::{Answer, Ask, Engine};
use super::names::Names;
use super::saved::{Filled, Params, saved_type};
use crate::platform::{Platform, Served};
use crate::service::domain::{Model, SavedQuery};
use crate::service::failure::{Entity, Failure, PathPart, Place, Result, Violation};
use crate::service::models;
use crate::store::Reader;

/// What a request says beside its query.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wish {
    pub(crate) parameters: Map<String, Value>,
    pub(crate) with_metadata: bool,
    pub(crate) with_explanation: bool,
    /// What was served under this key is left out.
    pub(crate) pagination_key: Option<String>,
}

/// A query that a model keeps.
pub(crate) struct Saved {
    pub(crate) name: String,
    pub(crate) query: Value,
    pub(crate) params: Params,
    pub(crate) query_type: &'static str,
    model: String,
}

/// Answers a query that came with a request.
pub(crate) async fn ask(platform: &Platform, document: Value, wish: Wish) -> Result<Answer> {
    let filled = Filled::new(&document, None, &wish.parameters).map_err(Failure::Invalid)?;
    let chosen = match &filled.query.model {
        Some(name) => Some((name.clone(), serving(platform, name).await?)),
        None => None,
    };
    let platform = platform.clone();
    on_a_thread(move || {
        let (served, plan) = match chosen {
            Some((_, served)) => {
                let plan = bind(&filled, &served)?;
                (served, plan)
            }
            None => the_only_one(&platform, &filled)?,
        };
        answer(&platform, &served, &filled, &plan, None, wish)
    })
    .await
}

/// Answers a query that a model keeps under a name.
pub(crate) async fn ask_saved(platform: &Platform, name: &str, wish: Wish) -> Result<Answer> {
    let (model, served, kept) = kept(platform, name).await?;
    let (platform, name) = (platform.clone(), name.to_owned());
    on_a_thread(move || {
        let named = |failure| in_saved_query(&name, failure);
        let filled = Filled::new(&kept.query, Some(&kept.params), &wish.parameters)
            .map_err(|violations| named(Failure::Invalid(violations)))?;
        if let Some(other) = filled.query.model.as_ref().filter(|other| **other != model) {
            let place = Place::Path(vec!["query".into(), "model".into()]);
            let message = format!("it is asked of the model '{model}' that keeps it, not of '{other}'");
            return Err(named(Failure::invalid(place, "wrong_model", message)));
        }
        let plan = bind(&filled, &served).map_err(named)?;
        answer(&platform, &served, &filled, &plan, Some(name.clone()), wish).map_err(named)
    })
    .await
}

/// A saved query and the model that answers it: as the serving version has it, else as it is stored.
async fn kept(platform: &Platform, name: &str) -> Result<(String, Served, SavedQuery)> {
    for (model, served) in platform.serving.all() {
        if let Some(query) = served.config.queries.get(name).cloned() {
            return Ok((model, served, query));
        }
    }
    let saved = saved(platform, name).await?;
    let served = serving(platform, &saved.model).await?;
    let query = SavedQuery {
        query: saved.query,
        params: saved.params,
    };
    Ok((saved.model, served, query))
}

/// The names of the queries that models keep.
pub(crate) async fn saved_names(platform: &Platform) -> Result<Vec<String>> {
    let mut names: Vec<String> = platform
        .models
        .models()
        .await?
        .into_iter()
        .flat_map(|model| model.config.queries.into_keys())
        .collect();
    names.sort_unstable();
    Ok(names)
}

/// A query that a model keeps under a name.
pub(crate) async fn saved(platform: &Platform, name: &str) -> Result<Saved> {
    let models = platform.models.models().await?;
    let found = models.into_iter().find_map(|model: Model| {
        let saved = model.config.queries.get(name)?;
        Some(Saved {
            name: name.to_owned(),
            query: saved.query.clone(),
            params: saved.params.clone(),
            query_type: saved_type(&saved.query),
            model: model.name,
        })
    });
    found.ok_or_else(|| Failure::NotFound(Entity::Query, name.to_owned()))
}

/// The serving version of a model.
async fn serving(platform: &Platform, name: &str) -> Result<Served> {
    if let Some(served) = platform.serving.get(name) {
        return Ok(served);
    }
    let model = models::get(platform, name).await?;
    Err(Failure::NotActive {
        entity: Entity::Model,
        name: model.name,
        status: model.status.as_str(),
    })
}

async fn on_a_thread<T: Send + 'static>(work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|panic| Failure::Internal(panic.into()))?
}

fn bind(filled: &Filled, served: &Served) -> Result<Plan> {
    filled
        .bind(&Names::of(served.model.as_ref()))
        .map_err(Failure::Invalid)
}

/// The only serving model that has what a query names.
fn the_only_one(platform: &Platform, filled: &Filled) -> Result<(Served, Plan)> {
    let mut all = platform.serving.all();
    let wrong = |kind, message: String| {
        let place = Place::Path(vec!["query".into(), "model".into()]);
        Err(Failure::invalid(place, kind, message))
    };
    if all.is_empty() {
        return wrong(
            "missing",
            "no model is ACTIVE: create one and wait for it".to_owned(),
        );
    }
    if all.len() == 1
        && let Some((_, served)) = all.pop()
    {
        // What is wrong with the only model's answer is worth more than that no model can.
        let plan = bind(filled, &served)?;
        return Ok((served, plan));
    }
    let mut able = Vec::new();
    let mut reasons = Vec::new();
    for (name, served) in all {
        match bind(filled, &served) {
            Ok(plan) => able.push((name, served, plan)),
            Err(Failure::Invalid(violations)) => {
                if let Some(violation) = violations.first() {
                    reasons.push(format!("{name}: {}", violation.message));
                }
            }
            Err(failure) => return Err(failure),
        }
    }
    if able.len() > 1 {
        let names: Vec<&str> = able.iter().map(|(name, ..)| name.as_str()).collect();
        return wrong(
            "ambiguous",
            format!(
                "several models have what the query names: {}; say which with `model`",
                names.join(", ")
            ),
        );
    }
    match able.pop() {
        Some((_, served, plan)) => Ok((served, plan)),
        None => {
            reasons.truncate(5);
            wrong(
                "missing",
                format!(
                    "no ACTIVE model has what the query names; say which is meant with `model` ({})",
                    reasons.join("; ")
                ),
            )
        }
    }
}

fn answer(
    platform: &Platform,
    served: &Served,
    filled: &Filled,
    plan: &Plan,
    query_name: Option<String>,
    wish: Wish,
) -> Result<Answer> {
    let began = Instant::now();
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let now = since.as_secs().try_into().unwrap_or(i64::MAX);
    let lifetime = i64::try_from(served.config.pagination_store_ttl).unwrap_or(i64::MAX);
    let mut notes = Vec::new();
    let reader = wish.pagination_key.as_ref().and_then(|key| {
        if lifetime == 0 {
            notes.push("pagination_key does nothing: the model's page_expiration_in_seconds is 0".to_owned());
            return None;
        }
        Some(Reader {
            model: served.id,
            // Users have other names: their pages are those of the calls of version 1.
            name: format!("query {key}"),
        })
    });
    let served_before = match &reader {
        Some(reader) => platform.pages.served(reader, now)?,
        None => HashSet::new(),
    };
    let clock = move || -> Duration { began.elapsed() };
    let engine = Engine {
        model: served.model.as_ref(),
        now,
        seed: since.as_nanos() as u64,
        clock: &clock,
    };
    let ask = Ask {
        query_name,
        parameters: filled.parameters.clone(),
        with_metadata: wish.with_metadata,
        with_explanation: wish.with_explanation,
        pagination_key: wish.pagination_key,
        served: served_before,
        notes,
    };
    let answer = engine.answer(plan, &ask).map_err(|failure| match failure {
        Failure::Invalid(violations) => Failure::Invalid(filled.placed(violations)),
        failure => failure,
    })?;
    if let Some(reader) = reader {
        let ids: Vec<String> = answer.results.iter().map(|row| row.id.clone()).collect();
        platform.pages.serve(&reader, &ids, now, lifetime)?;
    }
    Ok(answer)
}

/// What is wrong inside of a saved query is not in the request: the message says where it is.
fn in_saved_query(name: &str, failure: Failure) -> Failure {
    let Failure::Invalid(violations) = failure else {
        return failure;
    };
    let named = violations.into_iter().map(|violation| match &violation.place {
        Place::Path(path) if path.first() == Some(&PathPart::from("query")) => Violation {
            message: format!(
                "in the saved query '{name}' at {}: {}",
                written(path),
                violation.message
            ),
            ..violation
        },
        _ => violation,
    });
    Failure::Invalid(named.collect())
}

fn written(path: &[PathPart]) -> String {
    let mut text = String::new();
    for part in path {
        match part {
            PathPart::Name(name) if text.is_empty() => text.push_str(name),
            PathPart::Name(name) => {
                text.push('.');
                text.push_str(name);
            }
            PathPart::Index(index) => text.push_str(&format!("[{index}]")),
        }
    }
    text
}
