//! The bodies of inference in version 1, and what they say to the use cases.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::types::{objects, optional_object, whole_number};
use super::wrong;
use crate::error::ApiError;
use crate::service::inference::rank::Rank;
use crate::service::inference::settings::{Overrides, RetrieverOverrides};
use crate::service::inference::{Ask, Ranking};

/// The most results of an answer.
pub(super) const MAX_LIMIT: i64 = 1000;

/// The most candidates of a retriever.
const MAX_RETRIEVAL_K: i64 = 10_000;

/// The most places that diversity compares.
const MAX_DIVERSITY_WINDOW: i64 = 1000;

/// The most ids, or rows of features, in a request.
pub(super) const MAX_IDS: usize = 10_000;

/// How an answer is put together.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct InferenceConfig {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) exploration_factor: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) diversity_factor: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) boosting_factor: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) diversity_attributes: Option<Vec<String>>,
    #[serde(
        default,
        deserialize_with = "whole_number",
        skip_serializing_if = "Option::is_none"
    )]
    pub(crate) diversity_window: Option<i64>,
    #[serde(
        default,
        deserialize_with = "whole_number",
        skip_serializing_if = "Option::is_none"
    )]
    pub(crate) retrieval_k: Option<i64>,
    #[serde(
        default,
        deserialize_with = "optional_object",
        skip_serializing_if = "Option::is_none"
    )]
    pub(crate) retriever_k_override: Option<RetrieverK>,
    #[serde(
        default,
        deserialize_with = "whole_number",
        skip_serializing_if = "Option::is_none"
    )]
    pub(crate) limit: Option<i64>,
}

/// How many candidates single retrievers give.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RetrieverK {
    #[serde(
        default,
        deserialize_with = "whole_number",
        skip_serializing_if = "Option::is_none"
    )]
    pub(crate) knn: Option<i64>,
    #[serde(
        default,
        deserialize_with = "whole_number",
        skip_serializing_if = "Option::is_none"
    )]
    pub(crate) chronological: Option<i64>,
    #[serde(
        default,
        deserialize_with = "whole_number",
        skip_serializing_if = "Option::is_none"
    )]
    pub(crate) toplist: Option<i64>,
    #[serde(
        default,
        deserialize_with = "whole_number",
        skip_serializing_if = "Option::is_none"
    )]
    pub(crate) trending: Option<i64>,
    #[serde(
        default,
        deserialize_with = "whole_number",
        skip_serializing_if = "Option::is_none"
    )]
    pub(crate) random: Option<i64>,
    #[serde(
        default,
        deserialize_with = "whole_number",
        skip_serializing_if = "Option::is_none"
    )]
    pub(crate) cold_start: Option<i64>,
}

/// Checks an inference configuration that stands at `path` of a body.
pub(super) fn settings(config: &InferenceConfig, path: &[&str]) -> Result<Overrides, ApiError> {
    let place = |fields: &[&str]| {
        path.iter()
            .chain(fields)
            .map(|part| json!(part))
            .collect::<Vec<_>>()
    };
    let factor = |field: &str, value: Option<f64>| match value {
        Some(factor) if !(0.0..=1.0).contains(&factor) => Err(wrong(
            place(&[field]),
            "out_of_range",
            format!("{field} is a number from 0 to 1"),
        )),
        value => Ok(value.map(|factor| factor as f32)),
    };
    let count = |fields: &[&str], value: Option<i64>, least: i64, most: i64| match value {
        None => Ok(None),
        Some(count) if (least..=most).contains(&count) => Ok(Some(count as usize)),
        Some(_) => Err(wrong(
            place(fields),
            "out_of_range",
            format!(
                "{} is a whole number from {least} to {most}",
                fields.last().unwrap_or(&"it")
            ),
        )),
    };
    let none = RetrieverK::default();
    let each = config.retriever_k_override.as_ref().unwrap_or(&none);
    let retriever =
        |field: &str, value: Option<i64>| count(&["retriever_k_override", field], value, 0, MAX_RETRIEVAL_K);
    Ok(Overrides {
        exploration_factor: factor("exploration_factor", config.exploration_factor)?,
        diversity_factor: factor("diversity_factor", config.diversity_factor)?,
        boosting_factor: factor("boosting_factor", config.boosting_factor)?,
        diversity_attributes: config.diversity_attributes.clone(),
        diversity_window: count(
            &["diversity_window"],
            config.diversity_window,
            0,
            MAX_DIVERSITY_WINDOW,
        )?,
        retrieval_k: count(&["retrieval_k"], config.retrieval_k, 1, MAX_RETRIEVAL_K)?,
        retriever_k: RetrieverOverrides {
            knn: retriever("knn", each.knn)?,
            chronological: retriever("chronological", each.chronological)?,
            toplist: retriever("toplist", each.toplist)?,
            trending: retriever("trending", each.trending)?,
            random: retriever("random", each.random)?,
            cold_start: retriever("cold_start", each.cold_start)?,
        },
        limit: count(&["limit"], config.limit, 1, MAX_LIMIT)?,
    })
}

/// `POST /models/{model_name}/rank`.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RankRequest {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) user_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) item_ids: Option<Vec<String>>,
    #[serde(
        default,
        deserialize_with = "optional_objects",
        skip_serializing_if = "Option::is_none"
    )]
    pub(crate) interactions: Option<Vec<SessionInteraction>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) filter_predicate: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) user_features: Option<Map<String, Value>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) item_features: Option<Map<String, Value>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) text_query: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) flush_paginations: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) return_metadata: Option<bool>,
    #[serde(
        default,
        deserialize_with = "optional_object",
        skip_serializing_if = "Option::is_none"
    )]
    pub(crate) config: Option<InferenceConfig>,
}

/// An interaction that only the request knows.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SessionInteraction {
    pub(crate) item_id: String,
}

impl RankRequest {
    pub(super) fn read(self) -> Result<Rank, ApiError> {
        let session: Vec<String> = self
            .interactions
            .unwrap_or_default()
            .into_iter()
            .map(|interaction| interaction.item_id)
            .collect();
        count(&session, "interactions")?;
        count(self.item_ids.as_deref().unwrap_or_default(), "item_ids")?;
        let item_features = self.item_features.unwrap_or_default();
        for (name, column) in &item_features {
            if column.as_array().is_some_and(|cells| cells.len() > MAX_IDS) {
                return Err(too_many(vec![json!("item_features"), json!(name)]));
            }
        }
        Ok(Rank {
            ask: Ask {
                user: user(self.user_id, "user_id")?,
                filter: self.filter_predicate,
                flush_pages: self.flush_paginations.unwrap_or(false),
                with_metadata: self.return_metadata.unwrap_or(false),
                overrides: overrides(self.config.as_ref())?,
            },
            item_ids: self.item_ids,
            session,
            user_features: self.user_features.unwrap_or_default(),
            item_features,
            text_query: self.text_query,
        })
    }
}

/// `POST /models/{model_name}/retrieve`.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RetrieveRequest {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) user_id_query: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) text_query: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) filter_predicate: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) flush_paginations: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) return_metadata: Option<bool>,
    #[serde(
        default,
        deserialize_with = "optional_object",
        skip_serializing_if = "Option::is_none"
    )]
    pub(crate) config: Option<InferenceConfig>,
}

impl RetrieveRequest {
    pub(super) fn read(self) -> Result<Rank, ApiError> {
        Ok(Rank {
            ask: Ask {
                user: user(self.user_id_query, "user_id_query")?,
                filter: self.filter_predicate,
                flush_pages: self.flush_paginations.unwrap_or(false),
                with_metadata: self.return_metadata.unwrap_or(false),
                overrides: overrides(self.config.as_ref())?,
            },
            text_query: self.text_query,
            ..Rank::default()
        })
    }
}

/// Ids, best first, with what belongs to each at the same position.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RetrieveResponse {
    pub(crate) ids: Vec<String>,
    pub(crate) scores: Vec<f32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) metadata: Option<Vec<Map<String, Value>>>,
}

impl From<Ranking> for RetrieveResponse {
    fn from(ranking: Ranking) -> RetrieveResponse {
        RetrieveResponse {
            ids: ranking.ids,
            scores: ranking.scores,
            metadata: ranking.metadata,
        }
    }
}

/// `POST /models/{model_name}/similar_items`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SimilarItemsRequest {
    pub(crate) item_id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) user_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) return_metadata: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) flush_paginations: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) filter_predicate: Option<String>,
    #[serde(
        default,
        deserialize_with = "optional_object",
        skip_serializing_if = "Option::is_none"
    )]
    pub(crate) config: Option<InferenceConfig>,
}

impl SimilarItemsRequest {
    pub(super) fn read(self) -> Result<(String, Ask), ApiError> {
        let item = id(self.item_id, "item_id")?;
        let ask = Ask {
            user: user(self.user_id, "user_id")?,
            filter: self.filter_predicate,
            flush_pages: self.flush_paginations.unwrap_or(false),
            with_metadata: self.return_metadata.unwrap_or(false),
            overrides: overrides(self.config.as_ref())?,
        };
        Ok((item, ask))
    }
}

/// `POST /models/{model_name}/similar_users`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SimilarUsersRequest {
    pub(crate) user_id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) return_metadata: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) flush_paginations: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) filter_predicate: Option<String>,
    #[serde(
        default,
        deserialize_with = "optional_object",
        skip_serializing_if = "Option::is_none"
    )]
    pub(crate) config: Option<InferenceConfig>,
}

impl SimilarUsersRequest {
    pub(super) fn read(self) -> Result<Ask, ApiError> {
        Ok(Ask {
            user: Some(id(self.user_id, "user_id")?),
            filter: self.filter_predicate,
            flush_pages: self.flush_paginations.unwrap_or(false),
            with_metadata: self.return_metadata.unwrap_or(false),
            overrides: overrides(self.config.as_ref())?,
        })
    }
}

/// `POST /models/{model_name}/complement_items`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ComplementItemsRequest {
    pub(crate) item_ids: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) user_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) return_metadata: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) filter_predicate: Option<String>,
    #[serde(
        default,
        deserialize_with = "optional_object",
        skip_serializing_if = "Option::is_none"
    )]
    pub(crate) config: Option<InferenceConfig>,
}

impl ComplementItemsRequest {
    pub(super) fn read(self) -> Result<(Vec<String>, Ask), ApiError> {
        count(&self.item_ids, "item_ids")?;
        let ask = Ask {
            user: user(self.user_id, "user_id")?,
            filter: self.filter_predicate,
            flush_pages: false,
            with_metadata: self.return_metadata.unwrap_or(false),
            overrides: overrides(self.config.as_ref())?,
        };
        Ok((self.item_ids, ask))
    }
}

/// Ids, best first.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SimilarResponse {
    pub(crate) ids: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) metadata: Option<Vec<Map<String, Value>>>,
}

impl From<Ranking> for SimilarResponse {
    fn from(ranking: Ranking) -> SimilarResponse {
        SimilarResponse {
            ids: ranking.ids,
            metadata: ranking.metadata,
        }
    }
}

/// `POST /models/{model_name}/rank_attributes`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RankAttributesRequest {
    pub(crate) attribute_name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) user_id: Option<String>,
    #[serde(
        default,
        deserialize_with = "whole_number",
        skip_serializing_if = "Option::is_none"
    )]
    pub(crate) limit: Option<i64>,
}

/// Values of an attribute, best first.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RankAttributesResponse {
    pub(crate) attributes: Vec<String>,
    pub(crate) scores: Vec<f32>,
}

/// `POST /models/{model_name}/rank_attribute_grid`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AttributeGridRequest {
    pub(crate) attribute_name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) user_id: Option<String>,
    #[serde(
        default,
        deserialize_with = "whole_number",
        skip_serializing_if = "Option::is_none"
    )]
    pub(crate) row_limit: Option<i64>,
    #[serde(
        default,
        deserialize_with = "whole_number",
        skip_serializing_if = "Option::is_none"
    )]
    pub(crate) col_limit: Option<i64>,
}

/// A row per value of an attribute, with the best items of it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AttributeGridResponse {
    pub(crate) id_grid: Vec<Vec<String>>,
    pub(crate) scoregrid: Vec<Vec<f32>>,
    pub(crate) attributes: Vec<String>,
}

/// `POST /models/{model_name}/item_embeddings`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ItemEmbeddingsRequest {
    pub(crate) item_ids: Vec<String>,
    #[serde(
        default,
        deserialize_with = "whole_number",
        skip_serializing_if = "Option::is_none"
    )]
    pub(crate) dimension: Option<i64>,
}

/// `POST /models/{model_name}/user_embeddings`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct UserEmbeddingsRequest {
    pub(crate) user_ids: Vec<String>,
    #[serde(
        default,
        deserialize_with = "whole_number",
        skip_serializing_if = "Option::is_none"
    )]
    pub(crate) dimension: Option<i64>,
}

/// One vector per id, in the order of the request.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct EmbeddingsResponse {
    pub(crate) embeddings: Vec<Vec<f32>>,
}

fn overrides(config: Option<&InferenceConfig>) -> Result<Overrides, ApiError> {
    config.map_or_else(
        || Ok(Overrides::default()),
        |config| settings(config, &["config"]),
    )
}

/// A user that may be missing, but not empty.
pub(super) fn user(user: Option<String>, field: &str) -> Result<Option<String>, ApiError> {
    user.map(|user| id(user, field)).transpose()
}

fn id(id: String, field: &str) -> Result<String, ApiError> {
    if id.is_empty() {
        let message = format!("{field} is an id: at least one character");
        return Err(wrong(vec![json!(field)], "empty", message));
    }
    Ok(id)
}

/// Checks that there are not too many ids in a field.
pub(super) fn count(ids: &[String], field: &str) -> Result<(), ApiError> {
    if ids.len() > MAX_IDS {
        return Err(too_many(vec![json!(field)]));
    }
    Ok(())
}

fn too_many(place: Vec<Value>) -> ApiError {
    wrong(
        place,
        "too_many",
        format!("a request has at most {MAX_IDS} of these"),
    )
}

/// A number of results that may be missing, from 1 to [`MAX_LIMIT`].
pub(super) fn limit(value: Option<i64>, field: &str, default: usize) -> Result<usize, ApiError> {
    match value {
        None => Ok(default),
        Some(limit) if (1..=MAX_LIMIT).contains(&limit) => Ok(limit as usize),
        Some(_) => Err(wrong(
            vec![json!(field)],
            "out_of_range",
            format!("{field} is a whole number from 1 to {MAX_LIMIT}"),
        )),
    }
}

fn optional_objects<'de, D: serde::Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Option<Vec<T>>, D::Error> {
    /// A list of objects.
    struct Objects<T>(Vec<T>);

    impl<'de, T: Deserialize<'de>> Deserialize<'de> for Objects<T> {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Objects<T>, D::Error> {
            objects(deserializer).map(Objects)
        }
    }

    Ok(Option::<Objects<T>>::deserialize(deserializer)?.map(|Objects(objects)| objects))
}
