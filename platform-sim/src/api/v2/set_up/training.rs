//! `training`: what is trained, when, and how its quality is measured.

use std::collections::{BTreeMap, HashSet};

use recsys::{ModelSpec, Parameter, ParameterKind, Settings};
use serde_json::{Value, json};

use super::data::schedule;
use super::fields::{Fields, Path, Problems, inside, noun, whole};
use crate::service::domain::{
    CandidateSource, Evaluation, ModelConfig, Policy, PolicyKind, Scale, Schedule, SettingChoice,
    SettingValue, SplitStrategy, Tuning,
};

const MAX_POLICIES: usize = 50;
const MAX_EVENT_VALUES: usize = 100;
const MAX_OPTIONS: usize = 1_000;

/// Policy types that are known and that this server does not have.
const ELSEWHERE: [&str; 12] = [
    "auto_tune",
    "beeformer",
    "bert4rec",
    "deepfm",
    "elsa",
    "gsasrec",
    "item2vec",
    "lightgbm",
    "sasrec",
    "two_tower",
    "wide_deep",
    "xgboost",
];

/// Policy types that are trained here.
const TRAINED: [&str; 13] = [
    "als",
    "chronological",
    "ease",
    "item_content_similarity",
    "ngram",
    "no_op",
    "popular",
    "random",
    "recently_popular",
    "rising_popularity",
    "svd",
    "user_content_similarity",
    "user_item_content_similarity",
];

const ENSEMBLE: &str = "score_ensemble";

pub(super) fn read(training: &mut Fields<'_, '_>, config: &mut ModelConfig) {
    config.train_schedule = Schedule(schedule(training, "schedule", "@daily"));
    // This server has one machine: sizes are kept and shown.
    training.object_or_default("compute", |compute| {
        compute.text_or("gpu", "T4");
        compute.count("gpu_count", 1, 0..=64);
        compute.count("memory_gb", 16, 1..=65_536);
        compute.count("cpu", 4, 1..=1_024);
        compute.count("disk_gb", 64, 1..=65_536);
    });
    training.object_or_default("data_split", |split| {
        let strategies = [("user", SplitStrategy::User), ("global", SplitStrategy::Global)];
        config.split = split.choice("strategy", &strategies, false).unwrap_or_default();
    });
    training.object_or_default("evaluation", |evaluation| {
        let enable = evaluation.flag("enable", false);
        let sources = [
            ("negative_sampled_iids", CandidateSource::NegativeSampledIids),
            ("batch_iids", CandidateSource::BatchIids),
            ("train_iids", CandidateSource::TrainIids),
            ("test_iids", CandidateSource::TestIids),
            ("all_iids", CandidateSource::AllIids),
            ("none", CandidateSource::None),
        ];
        let source = evaluation.choice("candidate_source", &sources, false);
        let filter_seen_items = evaluation.flag("filter_seen_items", true);
        let top_k = evaluation.count("evaluation_top_k", 50, 1..=1_000);
        config.evaluation = Evaluation {
            enable,
            candidate_source: source.unwrap_or_default(),
            filter_seen_items,
            top_k: usize::try_from(top_k).unwrap_or(50),
        };
    });
    let mut names = HashSet::new();
    config.policies = Some(training.list("models", MAX_POLICIES, |value, place, problems| {
        policy(value, place, problems, &mut names)
    }));
    training.object_or_default("tuning", |tuning| {
        let size = |number: i64| usize::try_from(number).unwrap_or(1);
        config.tuning = Tuning {
            total_jobs: size(tuning.count("total_jobs", 30, 1..=1_000)),
            parallel_jobs: size(tuning.count("parallel_jobs", 10, 1..=100)),
        };
    });
}

fn policy(
    value: &Value,
    place: Path,
    problems: &mut Problems,
    names: &mut HashSet<String>,
) -> Option<(Policy, Value)> {
    let mut fields = Fields::of(value, place, problems)?;
    let name = fields.identifier("name");
    if let Some(name) = &name
        && !names.insert(name.clone())
    {
        fields.report("name", "repeated", format!("two policies have the name '{name}'"));
    }
    let policy_type = policy_type(&mut fields)?;
    let event_values = event_values(&mut fields);
    let kind = if policy_type == ENSEMBLE {
        let value_model = fields.required_text("value_model", "an expression over the policies' scores");
        value_model.map(|value_model| PolicyKind::Ensemble { value_model })
    } else {
        let spec = recsys::model(policy_type)?;
        let mut settings = BTreeMap::new();
        for parameter in spec.parameters {
            if let Some(choice) = setting(&mut fields, spec, parameter) {
                settings.insert(parameter.name.to_owned(), choice);
            }
        }
        Some(PolicyKind::Trained {
            policy_type: policy_type.to_owned(),
            settings,
            event_values,
        })
    };
    let filled = fields.finish();
    let policy = Policy {
        name: name?,
        kind: kind?,
    };
    Some((policy, Value::Object(filled)))
}

/// The type, with underscores.
fn policy_type(fields: &mut Fields<'_, '_>) -> Option<&'static str> {
    let given = fields.required_text("policy_type", "such as als or popular")?;
    let wanted = given.replace('-', "_");
    if let Some(known) = TRAINED
        .into_iter()
        .chain([ENSEMBLE])
        .find(|known| *known == wanted)
    {
        fields.fill("policy_type", known);
        return Some(known);
    }
    if ELSEWHERE.contains(&wanted.as_str()) {
        fields.report(
            "policy_type",
            "not_supported",
            format!(
                "this server has no {wanted} policy; it has {} and {ENSEMBLE}",
                TRAINED.join(", ")
            ),
        );
        return None;
    }
    let all = || TRAINED.into_iter().chain([ENSEMBLE]).chain(ELSEWHERE);
    let hint = match crate::service::names::nearest(&wanted, all()) {
        Some(near) => format!("did you mean {near}?"),
        None => format!("it is one of {}", all().collect::<Vec<_>>().join(", ")),
    };
    let shown: String = given.chars().take(60).collect();
    fields.report(
        "policy_type",
        "unknown_value",
        format!("'{shown}' is no policy type; {hint}"),
    );
    None
}

/// The labels that a policy learns from, as texts.
fn event_values(fields: &mut Fields<'_, '_>) -> Vec<String> {
    fields.list("event_values", MAX_EVENT_VALUES, |value, place, problems| {
        let text = match value {
            Value::String(text) => text.clone(),
            Value::Number(number) => number.to_string(),
            other => {
                let message = format!("a label is a text or a number, not {}", noun(other));
                problems.report(place, "wrong_type", message);
                return None;
            }
        };
        Some((text, value.clone()))
    })
}

/// A hyper-parameter: a value, or a range to look in. One that is not given has its default.
fn setting(fields: &mut Fields<'_, '_>, spec: &ModelSpec, parameter: &Parameter) -> Option<SettingChoice> {
    let name = parameter.name;
    let Some(value) = fields.raw(name) else {
        let default = match parameter.kind {
            ParameterKind::Int { default, .. } => json!(default),
            ParameterKind::Float { default, .. } => json!(default),
            ParameterKind::Choice { default, .. } | ParameterKind::Text { default } => json!(default),
            _ => return None,
        };
        fields.fill(name, default);
        return None;
    };
    let place = fields.place(name);
    if value.is_object() {
        let mut range = Fields::of(value, place, fields.problems)?;
        let choice = tunable(&mut range, spec, parameter);
        let filled = range.finish();
        fields.fill(name, filled);
        return choice;
    }
    let value = checked(value, place, fields.problems, spec, parameter)?;
    fields.fill(name, json!(value));
    Some(SettingChoice::Fixed(value))
}

/// A value that the policy takes.
fn checked(
    value: &Value,
    place: Path,
    problems: &mut Problems,
    spec: &ModelSpec,
    parameter: &Parameter,
) -> Option<SettingValue> {
    let read = match (parameter.kind, value) {
        (ParameterKind::Int { .. }, Value::Number(_)) => whole(value).map(SettingValue::Int),
        (ParameterKind::Float { .. }, Value::Number(number)) => number.as_f64().map(SettingValue::Float),
        (ParameterKind::Choice { .. } | ParameterKind::Text { .. }, Value::String(text)) => {
            Some(SettingValue::Text(text.clone()))
        }
        _ => None,
    };
    let wanted = match parameter.kind {
        ParameterKind::Int { min, max, .. } => format!("a whole number from {min} to {max}"),
        ParameterKind::Float { min, max, .. } => format!("a number from {min} to {max}"),
        ParameterKind::Choice { options, .. } => format!("one of {}", options.join(", ")),
        _ => "a text".to_owned(),
    };
    let name = parameter.name;
    let Some(read) = read else {
        let hint = match value.as_str() {
            Some(text) if text.starts_with("$param.") => "; parameters stand in queries only",
            _ => "",
        };
        let message = format!(
            "{name} is {wanted}, or a tunable_… object, not {}{hint}",
            noun(value)
        );
        problems.report(place, "wrong_type", message);
        return None;
    };
    let settings = Settings::new().with(name, recsys::Setting::from(read.clone()));
    if spec.resolve(&settings).is_err() {
        let message = format!("{name} is {wanted}, not {}", noun(value));
        problems.report(place, "out_of_range", message);
        return None;
    }
    Some(read)
}

/// A range or a list to look in, whose ends or elements the policy takes.
fn tunable(range: &mut Fields<'_, '_>, spec: &ModelSpec, parameter: &Parameter) -> Option<SettingChoice> {
    #[derive(Clone, Copy, PartialEq)]
    enum Kind {
        Int,
        Float,
        Options,
        Bool,
    }
    let kinds = [
        ("tunable_int", Kind::Int),
        ("tunable_float", Kind::Float),
        ("tunable_int_categorical", Kind::Options),
        ("tunable_string", Kind::Options),
        ("tunable_bool", Kind::Bool),
    ];
    let kind = range.choice("type", &kinds, true)?;
    let given = range
        .raw("type")
        .and_then(Value::as_str)
        .unwrap_or_default()
        .to_owned();
    let fits = match parameter.kind {
        ParameterKind::Int { .. } => ["tunable_int", "tunable_int_categorical"].as_slice(),
        ParameterKind::Float { .. } => ["tunable_float", "tunable_int", "tunable_int_categorical"].as_slice(),
        _ => ["tunable_string"].as_slice(),
    };
    if !fits.contains(&given.as_str()) {
        let message = format!(
            "{} is looked for by {}, not by {given}",
            parameter.name,
            fits.join(" or ")
        );
        range.report("type", "wrong_type", message);
        return None;
    }
    if kind == Kind::Options {
        if range.raw("options").is_none() {
            range.report(
                "options",
                "missing",
                "missing field `options`: the values to choose from",
            );
            return None;
        }
        let options = range.list("options", MAX_OPTIONS, |value, place, problems| {
            let read = checked(value, place, problems, spec, parameter)?;
            let filled = json!(read);
            Some((read, filled))
        });
        if options.is_empty() {
            range.report("options", "empty", "options must name at least one value");
            return None;
        }
        return Some(SettingChoice::OneOf(options));
    }
    let scales = [("linear", Scale::Linear), ("log", Scale::Log)];
    let scale = range.choice("scale", &scales, false).unwrap_or_default();
    let mut end = |field: &'static str| -> Option<SettingValue> {
        let Some(value) = range.raw(field) else {
            range.report(
                field,
                "missing",
                format!("missing field `{field}`: an end of the range"),
            );
            return None;
        };
        let place = inside(&range.path, field);
        if kind == Kind::Int && whole(value).is_none() {
            let message = format!("{field} is a whole number, not {}", noun(value));
            range.problems.report(place, "wrong_type", message);
            return None;
        }
        let read = checked(value, place, range.problems, spec, parameter)?;
        range.fill(field, value.clone());
        Some(read)
    };
    let (low, high) = (end("min"), end("max"));
    let number = |value: &SettingValue| match value {
        SettingValue::Int(value) => *value as f64,
        SettingValue::Float(value) => *value,
        SettingValue::Text(_) => f64::NAN,
    };
    let (low, high) = (number(&low?), number(&high?));
    if low > high {
        range.report(
            "max",
            "out_of_range",
            format!("max {high} is less than min {low}"),
        );
        return None;
    }
    if scale == Scale::Log && low <= 0.0 {
        range.report("min", "out_of_range", "a logarithmic range begins above 0");
        return None;
    }
    Some(match kind {
        Kind::Int => SettingChoice::Int {
            min: low as i64,
            max: high as i64,
            scale,
        },
        _ => SettingChoice::Float {
            min: low,
            max: high,
            scale,
        },
    })
}
