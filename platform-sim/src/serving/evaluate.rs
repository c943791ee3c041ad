//! How good the policies of a model are at finding what was held back.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use recsys::Recommender;
use recsys::evaluation::{self, Report};

use super::build::{Derived, with_derived};
use super::ensemble::{self, Inputs};
use super::fit::{self, Chosen};
use super::prepare::Prepared;
use crate::service::domain::{EvaluationReport, PolicyEvaluation, PolicyKind};

/// At most so many users are asked.
const MAX_USERS: usize = 10_000;

/// Trains the named policies on the events before the split and asks them, and the ensembles of them, for those behind
/// it.
pub(crate) fn evaluate(
    prepared: &Prepared,
    chosen: &Chosen,
    stop: &AtomicBool,
) -> anyhow::Result<EvaluationReport> {
    let config = &prepared.config;
    let parts = fit::divided(prepared, &prepared.dataset)?;
    let settings = fit::measured(&config.evaluation, MAX_USERS);
    let configured = || config.policies.iter().flatten();
    let ensembles: Vec<(&str, &str)> = configured()
        .filter_map(|policy| match &policy.kind {
            PolicyKind::Ensemble { value_model } => Some((policy.name.as_str(), value_model.as_str())),
            PolicyKind::Trained { .. } => None,
        })
        .collect();
    let mut trained: Vec<(String, Box<dyn Recommender>)> = Vec::new();
    let mut policies = BTreeMap::new();
    let mut derived = Derived::default();
    for plan in fit::plans(config, &prepared.features, chosen) {
        if plan.name.is_none() && ensembles.is_empty() {
            continue;
        }
        let fitted = fit::fit(&plan, &prepared.labels, &parts.train, stop)?;
        derived.learn(&plan, fitted.as_ref(), parts.train.now())?;
        if let Some(name) = plan.name {
            let report = evaluation::evaluate(fitted.as_ref(), &parts, &settings, None)?;
            policies.insert(name.clone(), outcome(report));
            // Ensembles read them, and nothing else does.
            if !ensembles.is_empty() {
                trained.push((name, fitted));
            }
        }
    }
    if !ensembles.is_empty() {
        let items = with_derived(&prepared.shown, &parts.train, derived)?;
        let inputs = Inputs {
            policies: &trained,
            items: &items,
            users: &prepared.users,
        };
        for (name, value_model) in &ensembles {
            let report = ensemble::evaluate(value_model, &inputs, &parts, &settings)?;
            policies.insert((*name).to_owned(), outcome(report));
        }
    }
    let first = configured().next().map(|policy| policy.name.as_str());
    Ok(EvaluationReport {
        split: config.split,
        top_k: settings.top_k,
        candidate_source: config.evaluation.candidate_source,
        filter_seen_items: config.evaluation.filter_seen_items,
        training_events: parts.train.events().len(),
        held_back_events: parts.held.len(),
        main: ensembles
            .first()
            .map(|(name, _)| *name)
            .or(first)
            .map(str::to_owned),
        policies,
    })
}

fn outcome(report: Report) -> PolicyEvaluation {
    let values = report.values.into_iter();
    PolicyEvaluation {
        users: report.users,
        metrics: values.map(|(name, value)| (name.to_owned(), value)).collect(),
    }
}
