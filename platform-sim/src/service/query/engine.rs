//! One query, answered.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::Duration;

use recsys::{NumberSet, Scored};
use serde_json::{Map, Value, json};

use super::asker::Asker;
use super::bind::Plan;
use super::document::{Find, Query, QueryType, Score};
use super::explain::{Explanation, Stage, Step};
use super::model::{QueryModel, Subject};
use super::read::described_id;
use super::universe::Universe;
use crate::service::failure::Result;
use crate::service::rows::Row;

/// A model, ready to answer one query.
pub(crate) struct Engine<'a> {
    pub(crate) model: &'a dyn QueryModel,
    /// The moment of the request, in Unix seconds.
    pub(crate) now: i64,
    /// What chance depends on.
    pub(crate) seed: u64,
    /// The time since some moment before the request.
    pub(crate) clock: &'a (dyn Fn() -> Duration + Sync),
}

/// What a request says beside its query.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ask {
    /// Of a saved query.
    pub(crate) query_name: Option<String>,
    pub(crate) parameters: Map<String, Value>,
    pub(crate) with_metadata: bool,
    pub(crate) with_explanation: bool,
    pub(crate) pagination_key: Option<String>,
    /// The ids that were served under that key.
    pub(crate) served: HashSet<String>,
    /// What the explanation warns of, whatever the query does.
    pub(crate) notes: Vec<String>,
}

/// What is answered.
#[derive(Debug, PartialEq)]
pub(crate) struct Answer {
    pub(crate) results: Vec<ResultRow>,
    pub(crate) entity_type: &'static str,
    pub(crate) explanation: Option<Explanation>,
}

/// One result, best first.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ResultRow {
    pub(crate) id: String,
    pub(crate) score: f64,
    pub(crate) metadata: Option<Row>,
    /// By the name of the embedding; nothing where there is no vector.
    pub(crate) embeddings: Option<BTreeMap<String, Option<Vec<f32>>>>,
}

/// What the retrieve steps found.
#[derive(Default)]
pub(crate) struct Found {
    /// Each once, in the order of the steps and of their ranks.
    pub(crate) places: Vec<u32>,
    /// For each step: the score and the rank, from 1, of what it found.
    pub(crate) by_step: Vec<HashMap<u32, (f32, u32)>>,
}

/// A candidate on its way through the stages.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Candidate {
    pub(crate) place: u32,
    pub(crate) score: f64,
}

/// Everything that the stages of one query share.
pub(crate) struct Run<'a> {
    pub(crate) engine: &'a Engine<'a>,
    pub(crate) plan: &'a Plan,
    pub(crate) universe: Universe,
    /// Places that the answer must not have.
    pub(crate) forbidden: NumberSet,
    pub(crate) warnings: Vec<String>,
}

impl Engine<'_> {
    /// Answers a query that was bound to this model.
    pub(crate) fn answer(&self, plan: &Plan, ask: &Ask) -> Result<Answer> {
        let began = (self.clock)();
        if plan.query.query_type == QueryType::RankAttributes {
            return self.rank_attributes(plan, ask, began);
        }
        let mut run = Run::new(self, plan, ask)?;
        let (found, mut retrieve) = run.retrieve()?;
        let (places, filter) = run.filter(&found.places)?;
        let (candidates, mut score) = run.score(&found, &places)?;
        let (candidates, reorder) = run.reorder(candidates)?;
        let limit = plan.query.limit;
        let shown = &candidates[..limit.min(candidates.len())];
        let results = run.results(shown, ask)?;
        let explanation = ask.with_explanation.then(|| {
            run.explain_results(&found, shown, &mut retrieve, &mut score);
            self.explanation(
                plan,
                ask,
                [retrieve, filter, score, reorder],
                results.len(),
                began,
                run.warnings,
            )
        });
        Ok(Answer {
            results,
            entity_type: plan.query.query_type.entity_type(),
            explanation,
        })
    }

    pub(crate) fn explanation(
        &self,
        plan: &Plan,
        ask: &Ask,
        [retrieve_stage, filter_stage, score_stage, reorder_stage]: [Stage; 4],
        final_result_count: usize,
        began: Duration,
        mut warnings: Vec<String>,
    ) -> Explanation {
        warnings.extend(ask.notes.iter().cloned());
        Explanation {
            query_name: ask.query_name.clone(),
            query_type: plan.query.query_type.name().to_owned(),
            parameters: ask.parameters.clone(),
            pagination_id: ask.pagination_key.clone(),
            retrieve_stage,
            filter_stage,
            score_stage,
            reorder_stage,
            total_execution_time_ms: self.since(began),
            final_result_count,
            limit_applied: plan.query.limit,
            warnings,
        }
    }

    /// Milliseconds since a moment of the clock.
    pub(crate) fn since(&self, began: Duration) -> f64 {
        (self.clock)().saturating_sub(began).as_secs_f64() * 1e3
    }
}

impl<'a> Run<'a> {
    fn new(engine: &'a Engine<'a>, plan: &'a Plan, ask: &Ask) -> Result<Run<'a>> {
        let model = engine.model;
        let query = &plan.query;
        let universe = if query.query_type.is_rerank() {
            let items = brought_along(query);
            Universe::of_items(model, items, |source, column| {
                let (step, row) = source_of(query, source);
                let field = "item_attributes";
                vec![
                    "retrieve".into(),
                    step.into(),
                    field.into(),
                    row.into(),
                    column.into(),
                ]
            })?
        } else {
            Universe::whole(model, query.query_type.subject())
        };
        // What nobody may see is hidden from queries, too. Items that a query names are judged by it alone.
        let hidden = model.hidden().filter(|_| universe.is_catalogue());
        let mut forbidden = hidden.cloned().unwrap_or_default();
        for id in &ask.served {
            if let Some(place) = universe.place(model, id) {
                forbidden.insert(place);
            }
        }
        Ok(Run {
            engine,
            plan,
            universe,
            forbidden,
            warnings: Vec::new(),
        })
    }

    pub(crate) fn model(&self) -> &'a dyn QueryModel {
        self.engine.model
    }

    pub(crate) fn query(&self) -> &'a Query {
        &self.plan.query
    }

    /// Whoever the score step asks for; nobody where it does not say.
    pub(crate) fn asker(&self) -> Result<Asker> {
        let nothing = Map::new();
        let (user, features, interactions) = match &self.query().score {
            Score::Ensemble(ensemble) => (
                ensemble.user.as_deref(),
                &ensemble.user_features,
                ensemble.interactions.as_slice(),
            ),
            Score::Passthrough => (None, &nothing, [].as_slice()),
        };
        let model = self.model();
        let numbers = interactions.iter().filter_map(|id| {
            let given = self
                .universe
                .place(model, id)
                .filter(|_| self.universe.subject == Subject::Item);
            given
                .map(|place| self.universe.number(place))
                .or_else(|| model.items().number(id))
        });
        Asker::new(model, user, features, numbers, self.engine.now, |column| {
            vec!["score".into(), "input_user_features".into(), column.into()]
        })
    }

    fn results(&self, shown: &[Candidate], ask: &Ask) -> Result<Vec<ResultRow>> {
        let query = self.query();
        let model = self.model();
        let vectors: Vec<_> = query
            .embeddings
            .iter()
            .map(|name| Ok((name, self.vectors(name)?)))
            .collect::<Result<_>>()?;
        Ok(shown
            .iter()
            .map(|candidate| {
                let place = candidate.place;
                let embeddings = vectors.iter().map(|(name, vectors)| {
                    let vector = vectors.as_ref().and_then(|vectors| vectors.at(place));
                    ((*name).clone(), vector.map(<[f32]>::to_vec))
                });
                ResultRow {
                    id: self.universe.id(model, place).to_owned(),
                    score: candidate.score,
                    metadata: ask
                        .with_metadata
                        .then(|| self.universe.metadata(place, query.columns.as_deref())),
                    embeddings: (!query.embeddings.is_empty()).then(|| embeddings.collect()),
                }
            })
            .collect())
    }

    /// For each result: which steps found it, and how they and the policies scored it.
    fn explain_results(&self, found: &Found, shown: &[Candidate], retrieve: &mut Stage, score: &mut Stage) {
        let model = self.model();
        for (step, by_place) in retrieve.steps.iter_mut().zip(&found.by_step) {
            let results: Vec<Value> = shown
                .iter()
                .filter_map(|candidate| {
                    let (score, rank) = by_place.get(&candidate.place)?;
                    let id = self.universe.id(model, candidate.place);
                    Some(json!({"id": id, "score": finite(f64::from(*score)), "rank": rank}))
                })
                .collect();
            step.metadata.insert("results".to_owned(), results.into());
        }
        for step in &mut score.steps {
            let results: Vec<Value> = shown
                .iter()
                .map(|candidate| {
                    json!({"id": self.universe.id(model, candidate.place), "score": finite(candidate.score)})
                })
                .collect();
            step.metadata.insert("results".to_owned(), results.into());
        }
    }
}

/// A number as JSON has it: null for what is no finite number.
pub(crate) fn finite(number: f64) -> Option<f64> {
    Some(number).filter(|number| number.is_finite())
}

/// A stage that has done nothing yet.
pub(crate) fn stage(name: &str, input_count: usize) -> Stage {
    Stage {
        stage_name: name.to_owned(),
        input_count,
        output_count: input_count,
        ..Stage::default()
    }
}

/// A step with what all steps have.
pub(crate) fn step(name: &str, step_type: &str, input_count: usize, output_count: usize, time: f64) -> Step {
    Step {
        step_name: name.to_owned(),
        step_type: step_type.to_owned(),
        input_count,
        output_count,
        execution_time_ms: time,
        ..Step::default()
    }
}

/// The items of all candidate steps, with what they say of each.
fn brought_along(query: &Query) -> Vec<(String, Row)> {
    let mut items = Vec::new();
    for retrieve in &query.retrieve {
        items.extend(items_of(&retrieve.find));
    }
    items
}

/// The items of a candidate step. One without an id goes by its place in the list.
pub(crate) fn items_of(find: &Find) -> Vec<(String, Row)> {
    match find {
        Find::Ids(ids) => ids.iter().map(|id| (id.clone(), Row::new())).collect(),
        Find::Attributes(rows) => rows
            .iter()
            .enumerate()
            .map(|(place, row)| {
                let id = described_id(row).unwrap_or_else(|| place.to_string());
                let mut row = row.clone();
                row.remove("item_id");
                (id, row)
            })
            .collect(),
        _ => Vec::new(),
    }
}

/// The step and the row in it of an item of [`brought_along`].
fn source_of(query: &Query, mut source: usize) -> (usize, usize) {
    for (index, retrieve) in query.retrieve.iter().enumerate() {
        let count = match &retrieve.find {
            Find::Ids(ids) => ids.len(),
            Find::Attributes(rows) => rows.len(),
            _ => 0,
        };
        if source < count {
            return (index, source);
        }
        source -= count;
    }
    (0, source)
}

/// What a step found, by place, with ranks.
pub(crate) fn ranked(found: &[Scored]) -> HashMap<u32, (f32, u32)> {
    let ranked = (1..).zip(found);
    ranked.map(|(rank, one)| (one.id, (one.score, rank))).collect()
}
