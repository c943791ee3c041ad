//! What a training found out about a model, besides the model.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::model_config::{CandidateSource, SettingValue, SplitStrategy};

/// What a training found out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct TrainingReport {
    pub(crate) evaluation: Option<EvaluationReport>,
    pub(crate) tuning: Option<TuningReport>,
    /// What its owner should look at although the model serves.
    pub(crate) warnings: Vec<String>,
}

/// How good the policies are at finding events that were held back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct EvaluationReport {
    pub(crate) split: SplitStrategy,
    /// The cut-off of the metrics that have one.
    pub(crate) top_k: usize,
    pub(crate) candidate_source: CandidateSource,
    pub(crate) filter_seen_items: bool,
    /// The events that were learnt from, and those that were held back.
    pub(crate) training_events: usize,
    pub(crate) held_back_events: usize,
    /// The policy that stands for the model: the first ensemble, else the first of all.
    pub(crate) main: Option<String>,
    pub(crate) policies: BTreeMap<String, PolicyEvaluation>,
}

/// How good one policy is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PolicyEvaluation {
    /// Users who were asked.
    pub(crate) users: usize,
    /// By the names of `recsys::evaluation::Report`; what does not apply is absent.
    pub(crate) metrics: BTreeMap<String, f64>,
}

/// Which hyper-parameters were tried and chosen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TuningReport {
    /// What was maximised, on the validation part.
    pub(crate) metric: String,
    pub(crate) top_k: usize,
    pub(crate) split: SplitStrategy,
    /// The events that were learnt from, and those of the validation part.
    pub(crate) training_events: usize,
    pub(crate) validation_events: usize,
    pub(crate) policies: BTreeMap<String, PolicyTuning>,
}

/// What was tried for a policy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PolicyTuning {
    pub(crate) chosen: BTreeMap<String, SettingValue>,
    pub(crate) trials: Vec<Trial>,
}

/// One training and what came of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Trial {
    pub(crate) values: BTreeMap<String, SettingValue>,
    /// The metric; absent where it has no value or the training failed numerically.
    pub(crate) value: Option<f64>,
}
