//! Which values of hyper-parameters find the most of what was held back.
//!
//! Values are drawn at random: with few of many parameters mattering, random draws try more values of those than a grid
//! of the same size does (Bergstra, Bengio, JMLR 2012). Draws depend on the seed, the policy and the parameter alone, so
//! that the same rows choose the same values.

use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::AtomicBool;

use anyhow::Context;
use recsys::evaluation::{self, Parts};
use sha2::{Digest, Sha256};

use super::UnusableRows;
use super::fit::{self, Chosen, Plan, SEED};
use super::prepare::Prepared;
use crate::service::domain::{
    ModelConfig, PolicyKind, PolicyTuning, Scale, SettingChoice, SettingValue, Trial, TuningReport,
};

/// What is maximised.
const METRIC: &str = "ndcg";

/// At most so many users of the validation part are asked for each draw.
const MAX_USERS: usize = 2_000;

/// A range with few values is drawn from until they are used up; so many draws in vain say that they are.
const VAIN_DRAWS: usize = 50;

/// Whether a model leaves hyper-parameters open.
pub(crate) fn is_wanted(config: &ModelConfig) -> bool {
    !open_policies(config).is_empty()
}

type Open<'a> = (&'a str, Vec<(&'a str, &'a SettingChoice)>);

/// The policies with open hyper-parameters.
fn open_policies(config: &ModelConfig) -> Vec<Open<'_>> {
    let policies = config.policies.iter().flatten();
    policies
        .filter_map(|policy| {
            let PolicyKind::Trained { settings, .. } = &policy.kind else {
                return None;
            };
            let open: Vec<(&str, &SettingChoice)> = settings
                .iter()
                .filter(|(_, choice)| !matches!(choice, SettingChoice::Fixed(_)))
                .map(|(name, choice)| (name.as_str(), choice))
                .collect();
            (!open.is_empty()).then_some((policy.name.as_str(), open))
        })
        .collect()
}

/// Draws values, trains with each draw, and keeps the best. The jobs are shared out evenly among the policies with open
/// hyper-parameters, and each gets one at least. They run one after the other: every training takes all cores.
pub(crate) fn tune(prepared: &Prepared, stop: &AtomicBool) -> anyhow::Result<(Chosen, TuningReport)> {
    let config = &prepared.config;
    let open = open_policies(config);
    // What the evaluation asks for must not have been chosen by.
    let known = if config.evaluation.enable {
        Some(fit::divided(prepared, &prepared.dataset)?.train)
    } else {
        None
    };
    let parts = fit::divided(prepared, known.as_ref().unwrap_or(&prepared.dataset))?;
    let plans = fit::plans(config, &prepared.features, &Chosen::new());
    let jobs = (config.tuning.total_jobs / open.len().max(1)).max(1);
    let mut chosen = Chosen::new();
    let mut policies = BTreeMap::new();
    for (name, open) in open {
        let plan = plans.iter().find(|plan| plan.name.as_deref() == Some(name));
        let plan = plan.with_context(|| format!("the policy {name} is not among the plans"))?;
        let trials = draws(name, &open, jobs)
            .into_iter()
            .map(|values| {
                let value = tried(prepared, &parts, plan, &values, stop)?;
                Ok(Trial { values, value })
            })
            .collect::<anyhow::Result<Vec<Trial>>>()?;
        // Of equal ones the first: later draws have to be better.
        let best = trials.iter().reduce(|best, next| {
            let better = next
                .value
                .is_some_and(|value| best.value.is_none_or(|least| value > least));
            if better { next } else { best }
        });
        let best = best.context("a policy was tuned without a draw")?;
        chosen.insert(name.to_owned(), best.values.clone());
        policies.insert(
            name.to_owned(),
            PolicyTuning {
                chosen: best.values.clone(),
                trials,
            },
        );
    }
    let report = TuningReport {
        metric: METRIC.to_owned(),
        top_k: config.evaluation.top_k,
        split: config.split,
        training_events: parts.train.events().len(),
        validation_events: parts.held.len(),
        policies,
    };
    Ok((chosen, report))
}

/// The metric of one draw; `None` if nobody could be asked or the numbers ran away.
fn tried(
    prepared: &Prepared,
    parts: &Parts,
    plan: &Plan,
    values: &BTreeMap<String, SettingValue>,
    stop: &AtomicBool,
) -> anyhow::Result<Option<f64>> {
    let mut plan = plan.clone();
    plan.settings.extend(values.clone());
    let fitted = match fit::fit(&plan, &prepared.labels, &parts.train, stop) {
        Ok(fitted) => fitted,
        Err(error) if error.is::<UnusableRows>() => return Ok(None),
        Err(error) => return Err(error),
    };
    let config = fit::measured(&prepared.config.evaluation, MAX_USERS);
    let report = evaluation::evaluate(fitted.as_ref(), parts, &config, None)?;
    Ok(report.values.get(METRIC).copied())
}

/// Up to so many different draws of a policy's open hyper-parameters.
fn draws(policy: &str, open: &[(&str, &SettingChoice)], count: usize) -> Vec<BTreeMap<String, SettingValue>> {
    let mut drawn = Vec::new();
    let mut seen = HashSet::new();
    let (mut number, mut vain) = (0, 0);
    while drawn.len() < count && vain < VAIN_DRAWS {
        let values: BTreeMap<String, SettingValue> = open
            .iter()
            .map(|(name, choice)| ((*name).to_owned(), draw(choice, unit(policy, name, number))))
            .collect();
        number += 1;
        if seen.insert(format!("{values:?}")) {
            vain = 0;
            drawn.push(values);
        } else {
            vain += 1;
        }
    }
    drawn
}

/// The value that lies at a share of the way through a range.
fn draw(choice: &SettingChoice, share: f64) -> SettingValue {
    match choice {
        SettingChoice::Fixed(value) => value.clone(),
        SettingChoice::Int { min, max, scale } => {
            // The whole numbers stand for the unit intervals around them, so that the ends are as likely as the others.
            let value = match scale {
                Scale::Linear => *min as f64 + share * ((max - min + 1) as f64),
                Scale::Log => between(*min as f64, *max as f64 + 1.0, *scale, share),
            };
            SettingValue::Int((value.floor() as i64).clamp(*min, *max))
        }
        SettingChoice::Float { min, max, scale } => SettingValue::Float(between(*min, *max, *scale, share)),
        SettingChoice::OneOf(options) => {
            let place = (share * options.len() as f64) as usize;
            let value = options.get(place).or(options.last());
            value.cloned().unwrap_or(SettingValue::Int(0))
        }
    }
}

fn between(min: f64, max: f64, scale: Scale, share: f64) -> f64 {
    match scale {
        Scale::Linear => min + share * (max - min),
        Scale::Log => (min.ln() + share * (max.ln() - min.ln())).exp().clamp(min, max),
    }
}

/// A number in 0..1 that depends on these alone.
fn unit(policy: &str, parameter: &str, number: u64) -> f64 {
    let digest = Sha256::digest(format!("{SEED}/{policy}/{parameter}/{number}"));
    let bits = digest[..8]
        .iter()
        .fold(0_u64, |bits, byte| bits << 8 | u64::from(*byte));
    (bits >> 11) as f64 / (1_u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_reach_both_ends_of_a_range_and_do_not_repeat() {
        let few = SettingChoice::Int {
            min: 1,
            max: 4,
            scale: Scale::Linear,
        };
        let mut values: Vec<String> = draws("als", &[("factors", &few)], 30)
            .iter()
            .map(|draw| format!("{draw:?}"))
            .collect();
        values.sort();
        assert_eq!(values.len(), 4, "{values:?}");
        assert_eq!(draw(&few, 0.0), SettingValue::Int(1));
        assert_eq!(draw(&few, 0.999), SettingValue::Int(4));
        let wide = SettingChoice::Int {
            min: 16,
            max: 128,
            scale: Scale::Log,
        };
        assert_eq!(draw(&wide, 0.0), SettingValue::Int(16));
        assert_eq!(draw(&wide, 0.999_999), SettingValue::Int(128));
        // Half of the way by the logarithm: the square root of 16 * 129.
        assert_eq!(draw(&wide, 0.5), SettingValue::Int(45));
        let options = SettingChoice::OneOf(vec![SettingValue::Int(3), SettingValue::Int(9)]);
        assert_eq!(draw(&options, 0.49), SettingValue::Int(3));
        assert_eq!(draw(&options, 0.51), SettingValue::Int(9));
    }

    #[test]
    fn a_logarithmic_range_is_drawn_from_evenly_by_its_logarithms() {
        let range = SettingChoice::Float {
            min: 1e-3,
            max: 1e3,
            scale: Scale::Log,
        };
        let below_one = (0..1_000)
            .filter(|number| match draw(&range, unit("p", "x", *number)) {
                SettingValue::Float(value) => value < 1.0,
                _ => false,
            })
            .count();
        assert!((450..550).contains(&below_one), "{below_one}");
    }
}
