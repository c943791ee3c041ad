//! The set-up body of version 2: read, checked, and put together with its defaults.
//!
//! Whether columns, datasets and queries are right is for the use case to say; here is what a body can be held to by
//! itself.

#[cfg(test)]
mod contract;
mod data;
mod deployment;
mod fields;
mod training;

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use self::fields::{Fields, Path, Problems, inside, noun};
use crate::service::domain::{
    DEFAULT_SLATE_SIZE, EmbeddingEncoder, ModelConfig, NewModel, PolicyKind, SavedQuery,
};
use crate::service::failure::Violation;
use crate::service::names;
use crate::service::sources::Wanted;

/// Saved queries of a model, and parameters of a query.
const MAX_QUERIES: usize = 100;
const MAX_PARAMETERS: usize = 100;

const MAX_TAGS: usize = 100;

/// Reads a body, or says everything that is wrong with it.
pub(in crate::api) fn read(body: &Map<String, Value>) -> Result<Wanted, Vec<Violation>> {
    let mut problems = Problems::default();
    let mut fields = Fields::new(body, Path::new(), &mut problems);
    fields.choice("version", &[("v2", ())], true);
    let name = fields
        .required_text("name", "the name of the model")
        .unwrap_or_default();
    if !name.is_empty()
        && let Err(message) = names::check(&name)
    {
        fields.report("name", "invalid_name", message);
    }
    let description = fields.text("description");
    tags(&mut fields);
    let mut config = ModelConfig {
        slate_size: DEFAULT_SLATE_SIZE,
        ..ModelConfig::default()
    };
    let sources = fields.required_object("data", "what the model reads", |data| {
        data::read(data, &mut config)
    });
    fields.object_or_default("training", |training| training::read(training, &mut config));
    fields.object_or_default("deployment", |deployment| {
        deployment::read(deployment, &mut config);
    });
    config.queries = queries(&mut fields);
    let given = fields.finish();
    check_embeddings(&config, &mut problems);
    match sources {
        Some(sources) if problems.violations.is_empty() => {
            config.given = Some(given);
            let new = NewModel {
                name,
                description,
                config,
            };
            Ok(Wanted { new, sources })
        }
        _ => Err(problems.violations),
    }
}

fn tags(fields: &mut Fields<'_, '_>) {
    let Some(value) = fields.raw("tags") else { return };
    let place = fields.place("tags");
    let Some(tags) = value.as_object() else {
        fields.report(
            "tags",
            "wrong_type",
            format!("tags are an object, not {}", noun(value)),
        );
        return;
    };
    if tags.len() > MAX_TAGS {
        let message = format!("there are {} tags; at most {MAX_TAGS} are accepted", tags.len());
        fields.report("tags", "too_many", message);
    }
    for (name, tag) in tags {
        if !tag.is_string() {
            let message = format!("a tag is a text, not {}", noun(tag));
            fields
                .problems
                .report(inside(&place, name.as_str()), "wrong_type", message);
        }
    }
    fields.fill("tags", value.clone());
}

/// The saved queries. What stands in them is checked when the columns are known.
fn queries(fields: &mut Fields<'_, '_>) -> BTreeMap<String, SavedQuery> {
    let mut queries = BTreeMap::new();
    let Some(value) = fields.raw("queries") else {
        return queries;
    };
    let place = fields.place("queries");
    let Some(given) = value.as_object() else {
        let message = format!("queries are an object of names and queries, not {}", noun(value));
        fields.report("queries", "wrong_type", message);
        return queries;
    };
    if given.len() > MAX_QUERIES {
        let message = format!(
            "there are {} queries; at most {MAX_QUERIES} are accepted",
            given.len()
        );
        fields.report("queries", "too_many", message);
        return queries;
    }
    let mut filled = Map::new();
    for (name, query) in given {
        let place = inside(&place, name.as_str());
        if let Err(message) = names::check(name) {
            fields.problems.report(place, "invalid_name", message);
            continue;
        }
        let Some(mut fields) = Fields::of(query, place, fields.problems) else {
            continue;
        };
        let read = saved_query(&mut fields);
        filled.insert(name.clone(), Value::Object(fields.finish()));
        if let Some(query) = read {
            queries.insert(name.clone(), query);
        }
    }
    fields.fill("queries", filled);
    queries
}

fn saved_query(fields: &mut Fields<'_, '_>) -> Option<SavedQuery> {
    // Its fields are read where queries are; they stay as they are.
    let query = fields.raw("query").cloned();
    match &query {
        None => fields.report("query", "missing", "missing field `query`: what is asked"),
        Some(Value::Object(_)) => {}
        Some(other) => {
            let message = format!("a query is an object, not {}", noun(other));
            fields.report("query", "wrong_type", message);
        }
    }
    let params = parameters(fields);
    let query = query.filter(Value::is_object)?;
    fields.fill("query", query.clone());
    Some(SavedQuery { query, params })
}

fn parameters(fields: &mut Fields<'_, '_>) -> BTreeMap<String, Option<Value>> {
    let mut params = BTreeMap::new();
    let Some(value) = fields.raw("params") else {
        return params;
    };
    let place = fields.place("params");
    let Some(given) = value.as_object() else {
        let message = format!("params are an object of names and defaults, not {}", noun(value));
        fields.report("params", "wrong_type", message);
        return params;
    };
    if given.len() > MAX_PARAMETERS {
        let message = format!(
            "there are {} params; at most {MAX_PARAMETERS} are accepted",
            given.len()
        );
        fields.report("params", "too_many", message);
        return params;
    }
    for (name, declared) in given {
        let place = inside(&place, name.as_str());
        if name.is_empty()
            || !name
                .chars()
                .all(|letter| letter.is_alphanumeric() || letter == '_')
        {
            let message = "a parameter's name has letters, digits and '_'";
            fields.problems.report(place, "invalid_name", message);
            continue;
        }
        let empty = Map::new();
        let declared = match declared {
            Value::Null => &empty,
            Value::Object(declared) => declared,
            other => {
                let message = format!("a parameter is an object with its default, not {}", noun(other));
                fields.problems.report(place, "wrong_type", message);
                continue;
            }
        };
        // Here null is a default and not the lack of one.
        let default = declared.get("default").cloned();
        let mut inner = Fields::new(declared, place, fields.problems);
        inner.raw("default");
        if default.as_ref().is_some_and(|default| !is_plain(default)) {
            inner.report(
                "default",
                "wrong_type",
                "a default is a number, a text, true, false, null, or a list of these",
            );
        }
        inner.finish();
        params.insert(name.clone(), default);
    }
    let shown = params.iter().map(|(name, default)| {
        let shown = default
            .as_ref()
            .map_or(json!({}), |default| json!({ "default": default }));
        (name.clone(), shown)
    });
    let shown: Map<String, Value> = shown.collect();
    fields.fill("params", shown);
    params
}

fn is_plain(value: &Value) -> bool {
    match value {
        Value::Object(_) => false,
        Value::Array(values) => values.iter().all(|value| !value.is_array() && !value.is_object()),
        _ => true,
    }
}

/// Embeddings come from policies that have vectors.
fn check_embeddings(config: &ModelConfig, problems: &mut Problems) {
    let policies = config.policies.iter().flatten();
    let with_vectors: Vec<&str> = policies
        .filter(|policy| match &policy.kind {
            PolicyKind::Trained { policy_type, .. } => {
                recsys::model(policy_type).is_some_and(|spec| spec.can.item_vectors)
            }
            PolicyKind::Ensemble { .. } => false,
        })
        .map(|policy| policy.name.as_str())
        .collect();
    for (index, embedding) in config.embeddings.iter().enumerate() {
        let EmbeddingEncoder::Policy(name) = &embedding.encoder else {
            continue;
        };
        if with_vectors.contains(&name.as_str()) {
            continue;
        }
        let known = config
            .policies
            .iter()
            .flatten()
            .any(|policy| policy.name == *name);
        let what = if known {
            format!("the policy '{name}' has no vectors")
        } else {
            format!("training.models has no policy '{name}'")
        };
        let remedy = if with_vectors.is_empty() {
            "train one that has: als, svd or a content similarity".to_owned()
        } else {
            format!("those with vectors are {}", with_vectors.join(", "))
        };
        let place = ["data", "index", "embeddings"].map(Into::into).to_vec();
        let place = inside(&inside(&inside(&place, index), "encoder"), "model_ref");
        problems.report(place, "unknown_value", format!("{what}; {remedy}"));
    }
}
