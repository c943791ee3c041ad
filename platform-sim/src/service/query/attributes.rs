//! The values of a column of the items, ranked by the items that have them.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use recsys::pipeline::{self, Pooling};
use serde_json::{Map, Value};

use super::asker::Asker;
use super::bind::Plan;
use super::engine::{Answer, Ask, Engine, ResultRow, stage, step};
use super::explain::{Distribution, Step};
use super::model::Subject;
use super::universe::Universe;
use crate::service::failure::{Failure, Place, Result};
use crate::service::inference::attributes::Table;
use crate::service::inference::score::{Acquaintance, Taste};
use crate::service::rows::Row;

/// So many items of a value have a say in its vector.
const POOLED: usize = 1_000;

impl Engine<'_> {
    pub(crate) fn rank_attributes(&self, plan: &Plan, ask: &Ask, began: Duration) -> Result<Answer> {
        let query = &plan.query;
        let Some(attribute) = &query.attribute else {
            return Err(Failure::Internal(anyhow::anyhow!(
                "a query of attributes names none"
            )));
        };
        let model = self.model;
        let universe = Universe::whole(model, Subject::Item);
        let places: Vec<u32> = (0..universe.len() as u32).collect();
        let table = Table {
            known: &universe.columns,
            new: None,
        };
        let column = table.labels(&attribute.column, &places).ok_or_else(|| {
            let place = Place::Path(vec!["input_attribute".into()]);
            let message = format!("'{}' has no labels", attribute.column);
            Failure::invalid(place, "wrong_type", message)
        })?;
        let user = attribute.user.as_deref();
        let nothing = Map::new();
        let asker = Asker::new(model, user, &nothing, std::iter::empty(), self.now, |_| {
            Vec::new()
        })?;
        let question = asker.query(self.now, None);
        let acquaintance = if asker.history.iter().any(|one| one.label > 0.0) {
            Acquaintance::Known
        } else if question.user.is_some() {
            Acquaintance::Described
        } else {
            Acquaintance::Stranger
        };
        let mut scores = Taste::new(model, question, acquaintance).score(&places)?;
        if let Some(hidden) = model.hidden() {
            for place in places.iter().filter(|place| hidden.contains(**place)) {
                scores[*place as usize] = f32::NAN;
            }
        }
        let scored = self.since(began);
        let wanted = query.limit.saturating_add(ask.served.len());
        let mut ranked = pipeline::rank_attributes(&scores, &column, wanted);
        let found = ranked.len();
        ranked.retain(|(label, _)| !ask.served.contains(label));
        ranked.truncate(query.limit);

        // The items of each value that is shown.
        let mut members: HashMap<&str, Vec<u32>> = ranked
            .iter()
            .map(|(label, _)| (label.as_str(), Vec::new()))
            .collect();
        for place in &places {
            for label in column.labels(*place as usize) {
                if let Some(members) = members.get_mut(label) {
                    members.push(*place);
                }
            }
        }
        for items in members.values_mut() {
            let order = |place: &u32| {
                let score = scores[*place as usize];
                if score.is_nan() { f32::NEG_INFINITY } else { score }
            };
            items.sort_by(|one, other| order(other).total_cmp(&order(one)));
        }
        let results: Vec<ResultRow> = ranked
            .iter()
            .map(|(label, score)| {
                let items = members.get(label.as_str()).map_or(&[][..], Vec::as_slice);
                let metadata = ask.with_metadata.then(|| {
                    let mut row = match (&query.columns, items.first()) {
                        (Some(columns), Some(best)) => universe.metadata(*best, Some(columns)),
                        _ => Row::new(),
                    };
                    row.insert(attribute.column.clone(), Value::from(label.as_str()));
                    row
                });
                let embeddings: BTreeMap<String, Option<Vec<f32>>> = query
                    .embeddings
                    .iter()
                    .map(|name| {
                        let pooled = model.embedding(name).and_then(|embedding| {
                            let vectors: Vec<&[f32]> = items
                                .iter()
                                .take(POOLED)
                                .filter_map(|item| embedding.vector(Subject::Item, *item))
                                .collect();
                            pipeline::pool(&vectors, Pooling::Mean)
                        });
                        (name.clone(), pooled)
                    })
                    .collect();
                ResultRow {
                    id: label.clone(),
                    score: f64::from(*score),
                    metadata,
                    embeddings: (!query.embeddings.is_empty()).then_some(embeddings),
                }
            })
            .collect();
        let explanation = ask.with_explanation.then(|| {
            let mut retrieve = stage("retrieve", places.len());
            retrieve.output_count = found;
            let mut score_stage = stage("score", found);
            let finite = scores.iter().map(|score| f64::from(*score));
            score_stage.steps.push(Step {
                score_distribution: Some(Distribution::of(finite)),
                user_interaction_count: Some(asker.history.len()),
                ..step("rank_attributes", "rank_attributes", places.len(), found, scored)
            });
            score_stage.execution_time_ms = scored;
            let stages = [
                retrieve,
                stage("filter", found),
                score_stage,
                stage("reorder", found),
            ];
            self.explanation(plan, ask, stages, results.len(), began, Vec::new())
        });
        Ok(Answer {
            results,
            entity_type: query.query_type.entity_type(),
            explanation,
        })
    }
}
