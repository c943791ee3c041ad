//! What a set-up names: whether there is such a column, policy, embedding or filter, for queries, value models and
//! indexes.

use expressions::value;

use super::domain::{Column, EmbeddingEncoder, ModelConfig, ModelSchema, NewModel, PolicyKind, ValueType};
use super::failure::{PathPart, Place, Violation};
use super::inference::model::DERIVED_COLUMNS;
use super::names;
use super::query::bind::{typed, wrong_expression};
use super::query::names::{EmbeddingName, Names};
use super::query::saved::check_saved;

/// Everything that is wrong with what the body of version 2 names.
pub(crate) fn check(new: &NewModel, schema: &ModelSchema, has_text_encoder: bool) -> Vec<Violation> {
    let config = &new.config;
    let names = names(config, schema);
    let mut violations = check_texts(config, schema);
    violations.extend(check_embeddings(config, schema, has_text_encoder));
    violations.extend(check_ensembles(config, &names));
    for (name, saved) in &config.queries {
        let prefix: Vec<PathPart> = vec!["queries".into(), name.as_str().into(), "query".into()];
        let wrong = check_saved(&saved.query, &saved.params, &names);
        violations.extend(wrong.into_iter().map(|violation| below(&prefix, violation)));
    }
    violations
}

fn below(prefix: &[PathPart], violation: Violation) -> Violation {
    let place = match violation.place {
        Place::Path(path) => Place::Path(prefix.iter().cloned().chain(path).collect()),
        other => other,
    };
    Violation { place, ..violation }
}

/// Everything of a model that has a name, before it is trained.
fn names(config: &ModelConfig, schema: &ModelSchema) -> Names {
    let column = |name: &str, value_type: ValueType| Column {
        name: name.to_owned(),
        value_type,
    };
    let with_id = |id: &str, columns: &[Column]| {
        let others = columns.iter().filter(|column| column.name != id).cloned();
        let all: Vec<Column> = std::iter::once(column(id, ValueType::String))
            .chain(others)
            .collect();
        all
    };
    let mut items = with_id("item_id", &schema.items);
    items.extend(DERIVED_COLUMNS.map(|name| column(name, ValueType::Int32)));
    let policies = config.policies.iter().flatten();
    let embeddings = config.embeddings.iter();
    Names {
        policies: policies.map(|policy| policy.name.clone()).collect(),
        items,
        users: with_id("user_id", &schema.users),
        embeddings: embeddings
            .map(|embedding| EmbeddingName {
                name: embedding.name.clone(),
                users: match &embedding.encoder {
                    EmbeddingEncoder::Text { user_fields, .. } => !user_fields.is_empty(),
                    EmbeddingEncoder::Policy(policy) => has_user_vectors(config, policy),
                },
                text: matches!(embedding.encoder, EmbeddingEncoder::Text { .. }),
            })
            .collect(),
        filters: config.filters.iter().map(|filter| filter.name.clone()).collect(),
        item_text: !config.text_fields.is_empty(),
        user_text: !config.user_text_fields.is_empty(),
    }
}

fn has_user_vectors(config: &ModelConfig, name: &str) -> bool {
    let mut policies = config.policies.iter().flatten();
    policies.any(|policy| match &policy.kind {
        PolicyKind::Trained { policy_type, .. } => {
            policy.name == name && recsys::model(policy_type).is_some_and(|spec| spec.can.user_vectors)
        }
        PolicyKind::Ensemble { .. } => false,
    })
}

fn check_texts(config: &ModelConfig, schema: &ModelSchema) -> Vec<Violation> {
    let place = |field: &str| {
        ["data", "index", "lexical_search", field]
            .map(PathPart::from)
            .to_vec()
    };
    let mut violations = missing(&config.text_fields, &schema.items, "item", &place("item_fields"));
    violations.extend(missing(
        &config.user_text_fields,
        &schema.users,
        "user",
        &place("user_fields"),
    ));
    violations
}

/// The columns that are not there, of those that a list at `place` names.
fn missing(fields: &[String], columns: &[Column], whose: &str, place: &[PathPart]) -> Vec<Violation> {
    let absent = fields
        .iter()
        .enumerate()
        .filter(|(_, field)| !columns.iter().any(|column| column.name == **field));
    absent
        .map(|(index, field)| {
            let all = || columns.iter().map(|column| column.name.as_str());
            let hint = match names::nearest(field, all()) {
                Some(near) => format!("did you mean '{near}'?"),
                None if columns.is_empty() => format!("name a {whose}_dataset that has it"),
                None => format!("its columns are {}", all().collect::<Vec<_>>().join(", ")),
            };
            let mut path = place.to_vec();
            path.push(index.into());
            Violation {
                place: Place::Path(path),
                kind: "unknown_column",
                message: format!("the {whose}_dataset has no column '{field}'; {hint}"),
            }
        })
        .collect()
}

fn check_embeddings(config: &ModelConfig, schema: &ModelSchema, has_text_encoder: bool) -> Vec<Violation> {
    let mut violations = Vec::new();
    for (index, embedding) in config.embeddings.iter().enumerate() {
        let EmbeddingEncoder::Text {
            item_fields,
            user_fields,
        } = &embedding.encoder
        else {
            continue;
        };
        let mut place = ["data", "index", "embeddings"].map(PathPart::from).to_vec();
        place.extend([index.into(), "encoder".into()]);
        if !has_text_encoder {
            let mut path = place.clone();
            path.push("type".into());
            violations.push(Violation {
                place: Place::Path(path),
                kind: "no_text_encoder",
                message: "this server cannot turn a text into a vector: start it with --text-encoder FILE, or take the vectors of a policy (trained_model)"
                    .to_owned(),
            });
        }
        for (field, fields, columns, whose) in [
            ("item_fields", item_fields, &schema.items, "item"),
            ("user_fields", user_fields, &schema.users, "user"),
        ] {
            let mut path = place.clone();
            path.push(field.into());
            violations.extend(missing(fields, columns, whose, &path));
        }
    }
    violations
}

/// Ensembles are value models over the trained policies, the columns and nothing else.
fn check_ensembles(config: &ModelConfig, names: &Names) -> Vec<Violation> {
    let policies = || config.policies.iter().flatten();
    let trained = policies().filter(|policy| matches!(policy.kind, PolicyKind::Trained { .. }));
    let known = value::Names {
        policies: trained.map(|policy| policy.name.clone()).collect(),
        item: typed(&names.items),
        user: typed(&names.users),
        retrieve_steps: Vec::new(),
        embeddings: Vec::new(),
    };
    let mut violations = Vec::new();
    for (index, policy) in policies().enumerate() {
        let PolicyKind::Ensemble { value_model } = &policy.kind else {
            continue;
        };
        let bound = value::parse(value_model, &expressions::Limits::default())
            .and_then(|parsed| parsed.bind(&known, &serde_json::Map::new()));
        if let Err(error) = bound {
            let place = [
                "training".into(),
                "models".into(),
                index.into(),
                "value_model".into(),
            ];
            violations.push(wrong_expression(&place, &error));
        }
    }
    violations
}
