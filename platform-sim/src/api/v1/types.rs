//! The bodies of version 1. Fields that the specification names and this server cannot act on are here too, so
//! that using them is answered with a sentence rather than ignored.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, de};
use serde_json::{Map, Number, Value};

use super::inference::InferenceConfig;
use crate::api::extract::Object;

/// An answer that only says what happened.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Message {
    pub(crate) message: String,
}

/// `GET /datasets/`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DatasetList {
    pub(crate) datasets: Vec<DatasetSummary>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DatasetSummary {
    pub(crate) dataset_name: String,
    pub(crate) dataset_uri: String,
    pub(crate) created_at: String,
    pub(crate) schema_type: String,
    pub(crate) status: String,
    pub(crate) description: Option<String>,
}

/// `GET /datasets/{dataset_name}`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DatasetDetails {
    pub(crate) name: String,
    pub(crate) dataset_name: String,
    pub(crate) dataset_uri: String,
    pub(crate) schema_type: String,
    /// Column names and their types.
    pub(crate) dataset_schema: BTreeMap<String, String>,
    /// The configuration with its defaults, without secrets. An addition of ours to the specification's view.
    pub(crate) config: Map<String, Value>,
    pub(crate) kinesis_stream_arn: Option<String>,
    pub(crate) kinesis_iam_role_arn: Option<String>,
    pub(crate) status: String,
    pub(crate) description: Option<String>,
    pub(crate) error_message: Option<String>,
    pub(crate) warning_message: Option<String>,
    pub(crate) created_at: String,
    pub(crate) updated_at: String,
}

/// `POST /datasets/{dataset_name}/insert`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Insert {
    pub(crate) data: Vec<Map<String, Value>>,
}

/// `POST /transforms` with `transform_type` SQL.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SqlTransformBody {
    pub(crate) name: String,
    pub(crate) transform_type: String,
    pub(crate) sql_query: String,
    #[serde(default)]
    pub(crate) sql_transform_type: Option<String>,
    #[serde(default)]
    pub(crate) description: Option<String>,
}

/// `POST /transforms` with `transform_type` AI_ENRICHMENT.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct EnrichmentBody {
    pub(crate) name: String,
    pub(crate) transform_type: String,
    pub(crate) source_dataset: String,
    pub(crate) source_columns: Vec<String>,
    #[serde(default)]
    pub(crate) source_columns_in_output: Option<Vec<String>>,
    pub(crate) enriched_output_columns: Vec<String>,
    pub(crate) prompt: String,
    #[serde(default)]
    pub(crate) description: Option<String>,
}

/// `GET /transforms`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TransformList {
    pub(crate) transforms: Vec<TransformView>,
}

/// `GET /transforms/{transform_name}`. The last four fields are additions of ours.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TransformView {
    pub(crate) transform_name: String,
    pub(crate) transform_uri: String,
    pub(crate) status: String,
    pub(crate) created_at: String,
    /// Column names and their types.
    pub(crate) transform_schema: BTreeMap<String, String>,
    pub(crate) source_datasets_names: Vec<String>,
    pub(crate) description: Option<String>,
    pub(crate) error_message: Option<String>,
    pub(crate) transform_type: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) sql_transform_type: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) sql_query: Option<String>,
    /// What writes the enriched columns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) enriched_by: Option<String>,
    /// When the rows were last made; for a view, when it was last checked.
    pub(crate) refreshed_at: Option<String>,
}

/// `POST /models`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ModelSetup {
    #[serde(deserialize_with = "object")]
    pub(crate) model: ModelBody,
    #[serde(deserialize_with = "objects")]
    pub(crate) connectors: Vec<ConnectorBody>,
    #[serde(deserialize_with = "object")]
    pub(crate) fetch: FetchBody,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ModelBody {
    pub(crate) name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) description: Option<String>,
    #[serde(
        default,
        deserialize_with = "whole_number",
        skip_serializing_if = "Option::is_none"
    )]
    pub(crate) slate_size: Option<i64>,
    #[serde(
        default,
        deserialize_with = "whole_number",
        skip_serializing_if = "Option::is_none"
    )]
    pub(crate) pagination_store_ttl: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) train_schedule: Option<String>,
    #[serde(
        default,
        deserialize_with = "optional_object",
        skip_serializing_if = "Option::is_none"
    )]
    pub(crate) inference_config: Option<InferenceConfig>,
    #[serde(
        default,
        deserialize_with = "optional_object",
        skip_serializing_if = "Option::is_none"
    )]
    pub(crate) text_index: Option<TextIndexBody>,
}

/// What text queries search.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TextIndexBody {
    /// Item columns with texts, the most important first.
    pub(crate) item_fields: Vec<String>,
    /// The item column with vectors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) embedding_field: Option<String>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ConnectorBody {
    #[serde(rename = "type")]
    pub(crate) kind: String,
    pub(crate) id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) path: Option<Value>,
}

/// The path of a File connector with the days before today that it stands for, too.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FilePathBody {
    pub(crate) path: String,
    #[serde(
        default,
        deserialize_with = "whole_number",
        skip_serializing_if = "Option::is_none"
    )]
    pub(crate) day_lookback: Option<i64>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FetchBody {
    pub(crate) events: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) users: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) items: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) global_filters: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) personal_filters: Option<String>,
}

/// The answer of `POST /models`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ModelCreated {
    pub(crate) model_url: String,
}

/// `GET /models`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ModelList {
    pub(crate) models: Vec<ModelSummary>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ModelSummary {
    pub(crate) model_name: String,
    pub(crate) description: Option<String>,
    pub(crate) model_uri: String,
    pub(crate) created_at: String,
    pub(crate) trained_at: Option<String>,
    pub(crate) status: String,
}

/// `GET /models/{model_name}`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ModelView {
    pub(crate) model_name: String,
    pub(crate) model_uri: String,
    pub(crate) created_at: String,
    pub(crate) trained_at: Option<String>,
    pub(crate) status: String,
    pub(crate) fetch: FetchBody,
    pub(crate) schema: ModelSchemaView,
    /// Why the status is ERROR; absent otherwise. An addition of ours to the specification's view.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) error_message: Option<String>,
}

/// The columns that each fetch statement gives, with their types.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ModelSchemaView {
    pub(crate) events: BTreeMap<String, String>,
    pub(crate) items: BTreeMap<String, String>,
    pub(crate) users: BTreeMap<String, String>,
    /// What the columns mean, once a training has seen them. An addition of ours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) features: Option<ModelFeaturesView>,
}

/// Feature types by column, and the label type.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ModelFeaturesView {
    pub(crate) interaction: BTreeMap<String, String>,
    pub(crate) item: BTreeMap<String, String>,
    pub(crate) user: BTreeMap<String, String>,
    pub(crate) label: String,
}

fn object<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<T, D::Error> {
    Object::deserialize(deserializer).map(|Object(value)| value)
}

pub(super) fn optional_object<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    Ok(Option::<Object<T>>::deserialize(deserializer)?.map(|Object(value)| value))
}

pub(super) fn objects<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Vec<T>, D::Error> {
    Ok(Vec::<Object<T>>::deserialize(deserializer)?
        .into_iter()
        .map(|Object(value)| value)
        .collect())
}

/// JSON has one kind of number: 5.0 is a whole one.
pub(super) fn whole_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i64>, D::Error> {
    let Some(number) = Option::<Number>::deserialize(deserializer)? else {
        return Ok(None);
    };
    // Beyond 2^53 a floating point number does not say which whole one was meant.
    let written_as_float = || {
        number
            .as_f64()
            .filter(|float| float.fract() == 0.0 && float.abs() <= 9_007_199_254_740_992.0)
    };
    let whole = number
        .as_i64()
        .or_else(|| written_as_float().map(|float| float as i64));
    whole
        .map(Some)
        .ok_or_else(|| de::Error::custom(format!("invalid value: {number}, expected a whole number")))
}
