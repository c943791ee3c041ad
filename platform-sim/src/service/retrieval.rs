//! Candidates from a model: by a text, or by popularity.

use serde_json::{Map, Value};

use super::failure::{Entity, Failure, Place, Result};
use super::models;
use super::text_search::{TextMode, TextSearch};
use crate::platform::Platform;

/// The longest text query, in characters.
const MAX_QUERY_CHARACTERS: usize = 512;

/// What is asked of a model.
#[derive(Debug)]
pub(crate) struct Retrieval {
    pub(crate) model: String,
    pub(crate) text_query: Option<String>,
    /// How the text is matched; without it, as well as the model can.
    pub(crate) text_mode: Option<TextMode>,
    /// Without it, the model's own default.
    pub(crate) limit: Option<usize>,
    pub(crate) with_metadata: bool,
}

/// An item of an answer.
#[derive(Debug)]
pub(crate) struct Candidate {
    pub(crate) id: String,
    pub(crate) score: f32,
    pub(crate) metadata: Option<Map<String, Value>>,
}

/// The best items for a text; without a text those with the most events. Equal ones in the order of their ids.
pub(crate) async fn retrieve(platform: &Platform, retrieval: Retrieval) -> Result<Vec<Candidate>> {
    let Some((serving, default_limit)) = platform.serving.get(&retrieval.model) else {
        let model = models::get(platform, &retrieval.model).await?;
        return Err(Failure::NotActive {
            entity: Entity::Model,
            name: model.name,
            status: model.status.as_str(),
        });
    };
    if let Some(text) = &retrieval.text_query
        && text.chars().count() > MAX_QUERY_CHARACTERS
    {
        return Err(Failure::invalid(
            Place::TextQuery,
            "too_long",
            format!("a text query has at most {MAX_QUERY_CHARACTERS} characters"),
        ));
    }
    let limit = retrieval.limit.unwrap_or(default_limit);
    let work = move || {
        let rows = match &retrieval.text_query {
            None => serving.popular(limit),
            Some(text) => {
                let search = serving.text_search().ok_or_else(|| {
                    let message = format!(
                        "the model '{}' has no text index; create it with model.text_index to search by text",
                        retrieval.model
                    );
                    Failure::invalid(Place::TextQuery, "no_text_index", message)
                })?;
                let mode = text_mode(search, &retrieval)?;
                search.search(text, mode, limit).map_err(Failure::Internal)?
            }
        };
        let candidate = |(row, score): (usize, f32)| Candidate {
            id: serving.id(row).to_owned(),
            score,
            metadata: retrieval.with_metadata.then(|| serving.metadata(row)),
        };
        Ok(rows.into_iter().map(candidate).collect())
    };
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|panic| Failure::Internal(panic.into()))?
}

fn text_mode(search: &dyn TextSearch, retrieval: &Retrieval) -> Result<TextMode> {
    let modes = search.modes();
    let mode = match retrieval.text_mode {
        None => modes.first(),
        Some(asked) => modes.iter().find(|mode| **mode == asked),
    };
    mode.copied().ok_or_else(|| {
        let message = format!(
            "the model '{}' has no vectors to search by; create it with model.text_index.embedding_field",
            retrieval.model
        );
        Failure::invalid(Place::TextQuery, "no_vectors", message)
    })
}
