//! Models that a body of version 2 set up.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::set_up;
use crate::error::ApiError;
use crate::platform::Platform;
use crate::service::domain::{EvaluationReport, FeatureColumn, Model, TuningReport};
use crate::service::failure::Failure;
use crate::service::models::SetUp;

/// `GET /models/{model_name}` of such a model.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ModelDetails {
    pub(crate) model_name: String,
    pub(crate) model_uri: String,
    pub(crate) created_at: String,
    pub(crate) trained_at: Option<String>,
    pub(crate) status: String,
    /// The set-up as it was given, with its defaults.
    pub(crate) config: Map<String, Value>,
    pub(crate) model_schema: ModelSchemaDetails,
    pub(crate) error_message: Option<String>,
    pub(crate) warning_message: Option<String>,
    /// An addition of ours, as is the next.
    pub(crate) evaluation: Option<EvaluationReport>,
    pub(crate) tuning: Option<TuningReport>,
}

/// What the columns mean; empty until the model was trained.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ModelSchemaDetails {
    pub(crate) user: Vec<Feature>,
    pub(crate) item: Vec<Feature>,
    pub(crate) interaction: Vec<Feature>,
    pub(crate) label: Vec<Feature>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Feature {
    pub(crate) name: String,
    #[serde(rename = "type")]
    pub(crate) feature_type: String,
}

/// Reads a set-up body.
pub(in crate::api) fn read(body: &Map<String, Value>) -> Result<SetUp, ApiError> {
    match set_up::read(body) {
        Ok(wanted) => Ok(SetUp::Wanted(Box::new(wanted))),
        Err(violations) => Err(error(Failure::Invalid(violations))),
    }
}

/// A failure, with places of this version's bodies.
pub(in crate::api) fn error(failure: Failure) -> ApiError {
    super::error(failure)
}

/// The details of a model.
pub(in crate::api) fn details(platform: &Platform, model: Model) -> ModelDetails {
    let features = model.schema.features.map(|features| {
        let view = |columns: Vec<FeatureColumn>, left_out: &str| {
            let columns = columns.into_iter().filter(|column| column.name != left_out);
            columns
                .map(|column| Feature {
                    name: column.name,
                    feature_type: column.feature_type.name().to_owned(),
                })
                .collect()
        };
        ModelSchemaDetails {
            user: view(features.users, ""),
            item: view(features.items, ""),
            interaction: view(features.interactions, "label"),
            label: vec![Feature {
                name: "label".to_owned(),
                feature_type: features.label.name().to_owned(),
            }],
        }
    });
    let report = model.schema.report.unwrap_or_default();
    let warnings: Vec<String> = model.schema.warnings.into_iter().chain(report.warnings).collect();
    ModelDetails {
        model_uri: format!("{}/v1/models/{}", platform.options.public_url, model.name),
        model_name: model.name,
        created_at: model.created_at,
        trained_at: model.trained_at,
        status: model.status.as_str().to_owned(),
        config: model.config.given.unwrap_or_default(),
        model_schema: features.unwrap_or_default(),
        error_message: model.error_message,
        warning_message: (!warnings.is_empty()).then(|| warnings.join("; ")),
        evaluation: report.evaluation,
        tuning: report.tuning,
    }
}
