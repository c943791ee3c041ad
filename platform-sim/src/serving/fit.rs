//! The policies of a model, trained.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use anyhow::Context;
use recsys::evaluation::{self, EvaluationConfig, Parts, Split};
use recsys::{Dataset, Recommender, Settings, Training};

use super::UnusableRows;
use super::prepare::{Labels, Prepared};
use crate::service::domain::{
    CandidateSource, Evaluation, FeatureColumn, FeatureType, ModelConfig, ModelFeatures, PolicyKind,
    SettingChoice, SettingValue, SplitStrategy,
};
use crate::service::inference::model::policies;

/// Where random numbers start: the same rows make the same model.
pub(super) const SEED: u64 = 20_260_131;

/// The share of the events that is held back: for tuning, and again for evaluation.
const HELD_BACK: f64 = 0.1;

/// Irrelevant items that the relevant ones have to beat where they are sampled.
const NEGATIVES: usize = 100;

/// What is trained without being named: what the platform itself ranks by.
const ALWAYS: [&str; 3] = [
    policies::POPULAR,
    policies::RECENTLY_POPULAR,
    policies::CHRONOLOGICAL,
];

/// The values of hyper-parameters that tuning chose, by policy and parameter.
pub(crate) type Chosen = BTreeMap<String, BTreeMap<String, SettingValue>>;

/// A policy that is to be trained.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// Its name in the configuration; `None` for what the platform adds.
    pub(super) name: Option<String>,
    /// The id in `recsys::MODELS`.
    pub(super) policy_type: String,
    pub(super) settings: BTreeMap<String, SettingValue>,
    pub(super) event_values: Vec<String>,
}

/// The policies that a model trains, with the values that tuning chose.
pub(super) fn plans(config: &ModelConfig, features: &ModelFeatures, chosen: &Chosen) -> Vec<Plan> {
    let plain = |name: Option<&str>, policy_type: &str| Plan {
        name: name.map(str::to_owned),
        policy_type: policy_type.to_owned(),
        settings: always_set(policy_type),
        event_values: Vec::new(),
    };
    let Some(configured) = &config.policies else {
        let names = everything(features).into_iter();
        return names.map(|name| plain(Some(name), name)).collect();
    };
    let mut plans: Vec<Plan> = Vec::new();
    for policy in configured {
        let PolicyKind::Trained {
            policy_type,
            settings,
            event_values,
        } = &policy.kind
        else {
            continue;
        };
        let fixed = settings.iter().filter_map(|(name, choice)| match choice {
            SettingChoice::Fixed(value) => Some((name.clone(), value.clone())),
            _ => None,
        });
        let tuned = chosen.get(&policy.name).into_iter().flatten();
        plans.push(Plan {
            name: Some(policy.name.clone()),
            policy_type: policy_type.clone(),
            settings: fixed
                .chain(tuned.map(|(name, value)| (name.clone(), value.clone())))
                .collect(),
            event_values: event_values.clone(),
        });
    }
    for policy_type in ALWAYS {
        let is_there = |plan: &Plan| plan.policy_type == policy_type && plan.event_values.is_empty();
        if !plans.iter().any(is_there) {
            plans.push(plain(None, policy_type));
        }
    }
    plans
}

/// Every policy that the columns allow.
fn everything(features: &ModelFeatures) -> Vec<&'static str> {
    let mut names = vec![
        policies::POPULAR,
        policies::RECENTLY_POPULAR,
        policies::RISING,
        policies::CHRONOLOGICAL,
        policies::RANDOM,
        policies::FACTORS,
        policies::NEIGHBOURS,
    ];
    let (item_content, user_content) = (has_content(&features.items), has_content(&features.users));
    if item_content {
        names.push(policies::ITEM_CONTENT);
    }
    if user_content {
        names.push(policies::USER_CONTENT);
    }
    if item_content && user_content {
        names.push(policies::USER_ITEM_CONTENT);
    }
    names
}

/// The score of a popular item is the number of its events, as `interaction_count` says it.
fn always_set(policy_type: &str) -> BTreeMap<String, SettingValue> {
    match policy_type {
        policies::POPULAR => BTreeMap::from([("count".to_owned(), SettingValue::Text("events".to_owned()))]),
        _ => BTreeMap::new(),
    }
}

/// Whether a content model can read one of the columns.
pub(super) fn has_content(columns: &[FeatureColumn]) -> bool {
    columns.iter().any(|column| {
        matches!(
            column.feature_type,
            FeatureType::Text
                | FeatureType::Category
                | FeatureType::TextCategory
                | FeatureType::LowCardinalityCategory
                | FeatureType::CategorySet
                | FeatureType::CategorySequence
                | FeatureType::Vector
        )
    })
}

/// Trains one policy. Numbers that run away are a matter for the owner of the data.
pub(super) fn fit(
    plan: &Plan,
    labels: &Labels,
    dataset: &Dataset,
    stop: &AtomicBool,
) -> anyhow::Result<Box<dyn Recommender>> {
    let spec = recsys::model(&plan.policy_type)
        .with_context(|| format!("there is no policy type {}", plan.policy_type))?;
    let settings = plan
        .settings
        .iter()
        .fold(Settings::new(), |settings, (name, value)| {
            settings.with(name.clone(), value.clone())
        });
    let learnt = labels.learnt(dataset, &plan.event_values);
    let learnt: Cow<'_, Dataset> = learnt.map_or(Cow::Borrowed(dataset), Cow::Owned);
    let training = Training {
        seed: SEED,
        stop: Some(stop),
    };
    spec.fit(&settings, &learnt, &training)
        .map_err(|error| match error.kind() {
            recsys::ErrorKind::Numeric => {
                let name = plan.name.as_deref().unwrap_or(&plan.policy_type);
                anyhow::Error::new(UnusableRows(format!("{name}: {error}")))
            }
            _ => error.into(),
        })
}

/// The same policies over other events, such as those before a split.
pub(super) fn divided(prepared: &Prepared, dataset: &Dataset) -> anyhow::Result<Parts> {
    let split = match prepared.config.split {
        SplitStrategy::User => Split::User { share: HELD_BACK },
        SplitStrategy::Global => Split::Global { share: HELD_BACK },
    };
    let mut parts = evaluation::split(dataset, split)?;
    parts.held = prepared.labels.graded(parts.held);
    Ok(parts)
}

/// How an evaluation goes about it.
pub(super) fn measured(evaluation: &Evaluation, max_users: usize) -> EvaluationConfig {
    EvaluationConfig {
        top_k: evaluation.top_k,
        candidate_source: match evaluation.candidate_source {
            CandidateSource::BatchIids => evaluation::CandidateSource::BatchIids,
            CandidateSource::TrainIids => evaluation::CandidateSource::TrainIids,
            CandidateSource::TestIids => evaluation::CandidateSource::TestIids,
            // Without candidates from elsewhere a policy ranks all items.
            CandidateSource::AllIids | CandidateSource::None => evaluation::CandidateSource::AllIids,
            CandidateSource::NegativeSampledIids => {
                evaluation::CandidateSource::NegativeSampledIids { negatives: NEGATIVES }
            }
        },
        filter_seen: evaluation.filter_seen_items,
        max_users,
        seed: SEED,
    }
}
