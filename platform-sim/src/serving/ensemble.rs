//! Policies that are value models over trained ones, as an evaluation asks them.

use std::sync::OnceLock;

use anyhow::{Context, bail};
use datafusion::arrow::array::RecordBatch;
use expressions::data::Values;
use expressions::{Column, Schema, value};
use recsys::evaluation::{self, EvaluationConfig, Parts, Report};
use recsys::{Query, Recommender};

use crate::service::inference::columns::Readable;

/// What an ensemble reads besides the request.
pub(super) struct Inputs<'a> {
    /// By their names.
    pub(super) policies: &'a [(String, Box<dyn Recommender>)],
    pub(super) items: &'a RecordBatch,
    pub(super) users: &'a RecordBatch,
}

/// Asks an ensemble for the held-back events.
pub(super) fn evaluate(
    value_model: &str,
    inputs: &Inputs<'_>,
    parts: &Parts,
    config: &EvaluationConfig,
) -> anyhow::Result<Report> {
    let model = bind(value_model, inputs)?;
    let failed: OnceLock<anyhow::Error> = OnceLock::new();
    let report = evaluation::evaluate_scores(
        &|query, candidates, out| {
            if let Err(error) = score(&model, inputs, query, candidates, out) {
                // The first one is as good as any.
                failed.set(error).ok();
            }
            Ok(())
        },
        parts,
        config,
        None,
    )?;
    match failed.into_inner() {
        Some(error) => Err(error),
        None => Ok(report),
    }
}

fn bind(value_model: &str, inputs: &Inputs<'_>) -> anyhow::Result<value::Model> {
    let columns = |rows: &RecordBatch| {
        let schema: Schema = Readable::new(rows).schema("");
        let names = rows
            .schema_ref()
            .fields()
            .iter()
            .map(|field| field.name().clone());
        let typed = names.filter_map(|name| {
            let (_, kind) = schema.find(&name)?;
            Some((name, kind))
        });
        typed.collect()
    };
    let names = value::Names {
        policies: inputs.policies.iter().map(|(name, _)| name.clone()).collect(),
        item: columns(inputs.items),
        user: columns(inputs.users),
        retrieve_steps: Vec::new(),
        embeddings: Vec::new(),
    };
    let parsed = value::parse(value_model, &expressions::Limits::default());
    let bound = parsed.and_then(|parsed| parsed.bind(&names, &serde_json::Map::new()));
    bound.map_err(|error| anyhow::anyhow!("a value model does not bind any more: {error}"))
}

fn score(
    model: &value::Model,
    inputs: &Inputs<'_>,
    query: &Query<'_>,
    candidates: &[u32],
    out: &mut [f32],
) -> anyhow::Result<()> {
    // An evaluation asks for users of the training only.
    let user = query.user.context("an ensemble is asked for nobody")? as usize;
    let (items, users) = (Readable::new(inputs.items), Readable::new(inputs.users));
    let (item_schema, user_schema) = (items.schema(""), users.schema(""));
    let mut scores: Vec<Vec<f32>> = Vec::new();
    let (mut item_places, mut user_places) = (Vec::new(), Vec::new());
    // Which list an input is in, and where.
    let mut at: Vec<(u8, usize)> = Vec::new();
    for input in model.inputs() {
        match &input.input {
            value::Input::Policy(name) => {
                let policy = inputs.policies.iter().find(|(known, _)| known == name);
                let (_, policy) = policy.with_context(|| format!("there is no policy {name}"))?;
                let mut of_policy = vec![f32::NAN; candidates.len()];
                policy.score(query, candidates, &mut of_policy)?;
                at.push((0, scores.len()));
                scores.push(of_policy);
            }
            value::Input::Item(name) => {
                let (place, _) = item_schema.find(name).context("a column is gone")?;
                at.push((1, item_places.len()));
                item_places.push(place);
            }
            value::Input::User(name) => {
                let (place, _) = user_schema.find(name).context("a column is gone")?;
                at.push((2, user_places.len()));
                user_places.push(place);
            }
            other => bail!("an ensemble reads {other:?}"),
        }
    }
    let values = items.lend(&item_places, |of_items| {
        users.lend(&user_places, |of_users| {
            let columns: Vec<Column<'_>> = at
                .iter()
                .map(|(list, place)| match list {
                    0 => Column::new(Values::Float32(&scores[*place])),
                    1 => of_items[*place].at_rows(candidates),
                    _ => of_users[*place].at_one_row(user),
                })
                .collect();
            model.evaluate(&columns, candidates.len(), query.now as f64)
        })
    });
    let values = values.map_err(|error| anyhow::anyhow!("a value model cannot be evaluated: {error}"))?;
    for (score, value) in out.iter_mut().zip(values.values) {
        *score = value as f32;
    }
    Ok(())
}
