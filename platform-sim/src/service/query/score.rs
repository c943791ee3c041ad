//! The third stage: what the candidates are worth.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, ListBuilder, RecordBatch, StringBuilder};
use datafusion::arrow::datatypes::{DataType, Field, Schema};
use expressions::data::{Bits, Values};
use expressions::value::{self, BoundInput, Input};
use expressions::{Column, ErrorKind};
use recsys::pipeline;
use serde_json::json;

use super::asker::{Asker, newest};
use super::bind::{RECENT_INTERACTIONS, value_names, wrong_expression};
use super::document::Score;
use super::engine::{Candidate, Found, Run, stage, step};
use super::explain::{Distribution, Stage, Step};
use super::model::Subject;
use super::names::Names;
use super::vectors::Vectors;
use crate::service::failure::{Failure, PathPart, Result};
use crate::service::inference::columns::Readable;
use crate::service::inference::score::internal;

/// How many of a user's newest items a value model sees.
const RECENT: usize = 30;

/// The scores of the policies that a value model reads.
type PolicyScores = BTreeMap<String, Vec<f32>>;

impl Run<'_> {
    /// The candidates with their scores, best first; equal ones in the order of the retrieval.
    pub(crate) fn score(&mut self, found: &Found, places: &[u32]) -> Result<(Vec<Candidate>, Stage)> {
        let began = (self.engine.clock)();
        let score = &self.query().score;
        let mut stage = stage("score", places.len());
        let mut explained = step(score.name(), score.name(), places.len(), places.len(), 0.0);
        let mut candidates: Vec<Candidate>;
        match (score, &self.plan.value_model) {
            (Score::Ensemble(ensemble), Some(model)) => {
                let asker = self.asker()?;
                let mut policies = PolicyScores::new();
                let worth = self.evaluate(model, found, places, &asker, &mut policies, &place())?;
                candidates = places
                    .iter()
                    .zip(&worth)
                    .map(|(place, score)| Candidate {
                        place: *place,
                        score: *score,
                    })
                    .collect();
                candidates.sort_by(|one, other| other.score.total_cmp(&one.score));
                explained = Step {
                    value_model: Some(ensemble.value_model.clone()),
                    score_distribution: Some(Distribution::of(worth.into_iter())),
                    policy_scores: Some(
                        policies
                            .iter()
                            .map(|(name, scores)| {
                                (
                                    name.clone(),
                                    Distribution::of(scores.iter().map(|score| f64::from(*score))),
                                )
                            })
                            .collect(),
                    ),
                    user_interaction_count: Some(asker.history.len()),
                    ..explained
                };
                // The policies' scores of the best, to see where a score comes from.
                let places: HashMap<u32, usize> = places
                    .iter()
                    .enumerate()
                    .map(|(row, place)| (*place, row))
                    .collect();
                let best: Vec<_> = candidates
                    .iter()
                    .take(self.query().limit)
                    .map(|candidate| {
                        let row = places[&candidate.place];
                        let scores: serde_json::Map<_, _> = policies
                            .iter()
                            .map(|(name, scores)| (name.clone(), json!(scores[row])))
                            .collect();
                        json!({"id": self.universe.id(self.model(), candidate.place), "policies": scores})
                    })
                    .collect();
                if !policies.is_empty() {
                    explained.metadata.insert("policies".to_owned(), best.into());
                }
            }
            _ => {
                // The order of the retrieval, with the score of the first step that found each.
                candidates = places
                    .iter()
                    .map(|place| {
                        let by_step = found.by_step.iter();
                        let score = by_step
                            .filter_map(|step| step.get(place))
                            .map(|(score, _)| *score);
                        Candidate {
                            place: *place,
                            score: f64::from(score.into_iter().next().unwrap_or(0.0)),
                        }
                    })
                    .collect();
                explained.score_distribution = Some(Distribution::of(
                    candidates.iter().map(|candidate| candidate.score),
                ));
            }
        }
        let time = self.engine.since(began);
        explained.execution_time_ms = time;
        stage.steps.push(explained);
        stage.execution_time_ms = time;
        Ok((candidates, stage))
    }

    /// What a value model says of some places.
    fn evaluate(
        &mut self,
        model: &value::Model,
        found: &Found,
        places: &[u32],
        asker: &Asker,
        policies: &mut PolicyScores,
        at: &[PathPart],
    ) -> Result<Vec<f64>> {
        for input in model.inputs() {
            if let Input::Policy(name) = &input.input
                && !policies.contains_key(name)
            {
                let scores = self.policy(name, found, places, asker, policies)?;
                policies.insert(name.clone(), scores);
            }
        }
        let prepared = self.prepare(model.inputs(), found, places, asker)?;
        let (items, user) = (
            Readable::new(&self.universe.columns),
            Readable::new(&prepared.user),
        );
        let recent = Readable::new(&prepared.recent);
        let subject = self.universe.subject;
        // The columns that are lent by each of the three batches, by the input that reads them.
        let (mut of_items, mut of_user, mut of_recent) = (Lent::default(), Lent::default(), Lent::default());
        for (index, input) in model.inputs().iter().enumerate() {
            match &input.input {
                Input::User(name) if name == RECENT_INTERACTIONS => of_recent.add(index, 0),
                Input::Item(name) => of_items.find(index, name, &self.universe.columns, &items)?,
                Input::User(name) if subject == Subject::User => {
                    of_items.find(index, name, &self.universe.columns, &items)?;
                }
                Input::User(name) => of_user.find(index, name, &prepared.user, &user)?,
                _ => {}
            }
        }
        let scores = items.lend(&of_items.places, |item_columns| {
            user.lend(&of_user.places, |user_columns| {
                recent.lend(&of_recent.places, |recent_columns| {
                    let columns: Vec<Column<'_>> = model
                        .inputs()
                        .iter()
                        .enumerate()
                        .map(|(index, input)| {
                            if let Some(number) = of_items.number(index) {
                                return item_columns[number].at_rows(places);
                            }
                            if let Some(number) = of_user.number(index) {
                                return user_columns[number].at_one_row(0);
                            }
                            if let Some(number) = of_recent.number(index) {
                                return match subject {
                                    // One row per candidate.
                                    Subject::User => recent_columns[number],
                                    Subject::Item => recent_columns[number].at_one_row(0),
                                };
                            }
                            prepared.column(index, input, policies, places)
                        })
                        .collect();
                    model.evaluate(&columns, places.len(), self.engine.now as f64)
                })
            })
        });
        let scores = scores.map_err(|error| match error.kind() {
            ErrorKind::Data => Failure::Internal(anyhow::anyhow!(
                "a value model was bound to other columns: {error}"
            )),
            _ => Failure::Invalid(vec![wrong_expression(at, &error)]),
        })?;
        for warning in &scores.warnings {
            let text = warning.to_string();
            if !self.warnings.contains(&text) {
                self.warnings.push(text);
            }
        }
        Ok(scores.values)
    }

    /// The scores of a policy, or of an ensemble that the model has under that name.
    fn policy(
        &mut self,
        name: &str,
        found: &Found,
        places: &[u32],
        asker: &Asker,
        policies: &mut PolicyScores,
    ) -> Result<Vec<f32>> {
        let model = self.model();
        let mut scores = vec![f32::NAN; places.len()];
        if let Some(text) = model.ensemble(name) {
            let mut names = Names::of(model);
            // An ensemble reads trained policies, not ensembles: so there is an end.
            names.policies.retain(|policy| model.ensemble(policy).is_none());
            let broken = |error: &expressions::Error| {
                Failure::Internal(anyhow::anyhow!("the ensemble {name} does not bind: {error}"))
            };
            let parsed = value::parse(text, &expressions::Limits::default()).map_err(|e| broken(&e))?;
            let bound = parsed
                .bind(&value_names(&names, self.query()), &serde_json::Map::new())
                .map_err(|e| broken(&e))?;
            let values = self.evaluate(&bound, found, places, asker, policies, &place())?;
            for (score, value) in scores.iter_mut().zip(values) {
                *score = value as f32;
            }
            return Ok(scores);
        }
        if let Some(policy) = model.named_policy(name) {
            let numbers: Vec<u32> = places.iter().map(|place| self.universe.number(*place)).collect();
            let query = asker.query(self.engine.now, self.universe.new_items());
            policy.score(&query, &numbers, &mut scores).map_err(internal)?;
        }
        Ok(scores)
    }

    /// Everything that is made for the evaluation, and not lent.
    fn prepare(
        &self,
        inputs: &[BoundInput],
        found: &Found,
        places: &[u32],
        asker: &Asker,
    ) -> Result<Prepared<'_>> {
        let mut made = HashMap::new();
        for (index, input) in inputs.iter().enumerate() {
            let column = match &input.input {
                Input::RetrievalScore(name) | Input::RetrievalRank(name) => {
                    let scores = matches!(input.input, Input::RetrievalScore(_));
                    let steps = self.query().retrieve.iter();
                    let step = steps.zip(&found.by_step).find(|(step, _)| step.name == *name);
                    let of = |place: &u32| {
                        let (score, rank) = step?.1.get(place)?;
                        Some(if scores {
                            f64::from(*score)
                        } else {
                            f64::from(*rank)
                        })
                    };
                    let values: Vec<Option<f64>> = places.iter().map(of).collect();
                    Made::Numbers(
                        values.iter().map(|value| value.unwrap_or(0.0)).collect(),
                        values.iter().map(Option::is_some).collect(),
                    )
                }
                Input::TextEncoding { of, embedding_ref } => self.encoded(*of, embedding_ref, asker)?,
                Input::PooledTextEncoding {
                    of,
                    pooling,
                    embedding_ref,
                } => self.pooled(of, *pooling, embedding_ref, places, asker),
                _ => continue,
            };
            made.insert(index, column);
        }
        let recent = match self.universe.subject {
            Subject::Item => recent_interactions(self.model(), std::iter::once(asker.newest(RECENT)))?,
            Subject::User => {
                let reads = |input: &BoundInput| input.input == Input::User(RECENT_INTERACTIONS.to_owned());
                let places = if inputs.iter().any(reads) { places } else { &[] };
                let lists = places.iter().map(|place| self.recent_of(*place));
                recent_interactions(self.model(), lists)?
            }
        };
        Ok(Prepared {
            made,
            user: asker.columns.clone(),
            recent,
        })
    }

    /// The newest items of a user among those that are ranked.
    fn recent_of(&self, place: u32) -> Vec<u32> {
        let history = self.model().history(self.universe.id(self.model(), place));
        newest(&history, RECENT)
    }

    fn encoded(&self, of: value::Entity, embedding_ref: &str, asker: &Asker) -> Result<Made<'_>> {
        let of = match of {
            value::Entity::Item => Subject::Item,
            value::Entity::User => Subject::User,
        };
        if of == self.universe.subject {
            return Ok(match self.vectors(embedding_ref)? {
                Some(vectors) => Made::Vectors(vectors),
                None => Made::nothing(self.dimension(embedding_ref)),
            });
        }
        let dimension = self.dimension(embedding_ref);
        // Candidates are users and an item is asked for: there is none.
        if of == Subject::Item {
            return Ok(Made::nothing(dimension));
        }
        let Some(embedding) = self.model().embedding(embedding_ref) else {
            return Ok(Made::nothing(dimension));
        };
        let query = asker.query(self.engine.now, None);
        let trained = query.user.and_then(|user| embedding.vector(Subject::User, user));
        let vector = trained.map(<[f32]>::to_vec).or_else(|| embedding.asking(&query));
        Ok(Made::one(vector, dimension))
    }

    fn dimension(&self, embedding_ref: &str) -> usize {
        let embedding = self.model().embedding(embedding_ref);
        embedding.map_or(1, |embedding| embedding.dimension().max(1))
    }

    /// One vector for the items that a column names.
    fn pooled(
        &self,
        of: &Input,
        pooling: value::Pooling,
        embedding_ref: &str,
        places: &[u32],
        asker: &Asker,
    ) -> Made<'_> {
        let dimension = self.dimension(embedding_ref);
        let Some(embedding) = self.model().embedding(embedding_ref) else {
            return Made::nothing(dimension);
        };
        let pooling = match pooling {
            value::Pooling::Mean => pipeline::Pooling::Mean,
            value::Pooling::Max => pipeline::Pooling::Max,
        };
        let pool = |items: &[u32]| {
            let vectors: Vec<&[f32]> = items
                .iter()
                .filter_map(|item| embedding.vector(Subject::Item, *item))
                .collect();
            pipeline::pool(&vectors, pooling)
        };
        let numbers = |ids: Vec<String>| -> Vec<u32> {
            ids.iter()
                .filter_map(|id| self.model().items().number(id))
                .collect()
        };
        let subject = self.universe.subject;
        match of {
            Input::User(name) if subject == Subject::Item => {
                let items = if name == RECENT_INTERACTIONS {
                    asker.newest(RECENT)
                } else {
                    numbers(texts_at(&asker.columns, name, 0))
                };
                Made::one(pool(&items), dimension)
            }
            Input::User(name) | Input::Item(name) => {
                let mut values = vec![0.0; places.len() * dimension];
                let mut present = vec![false; places.len()];
                for (row, place) in places.iter().enumerate() {
                    let items = if name == RECENT_INTERACTIONS && subject == Subject::User {
                        self.recent_of(*place)
                    } else {
                        numbers(texts_at(&self.universe.columns, name, *place as usize))
                    };
                    if let Some(vector) = pool(&items).filter(|vector| vector.len() == dimension) {
                        values[row * dimension..(row + 1) * dimension].copy_from_slice(&vector);
                        present[row] = true;
                    }
                }
                Made::Rows {
                    values,
                    present,
                    dimension,
                }
            }
            _ => Made::nothing(dimension),
        }
    }
}

fn place() -> Vec<PathPart> {
    vec!["score".into(), "value_model".into()]
}

/// Columns that a batch lends, by the number of the input that reads them.
#[derive(Default)]
struct Lent {
    places: Vec<usize>,
    inputs: Vec<usize>,
}

impl Lent {
    fn add(&mut self, input: usize, place: usize) {
        self.inputs.push(input);
        self.places.push(place);
    }

    fn find(&mut self, input: usize, name: &str, rows: &RecordBatch, readable: &Readable<'_>) -> Result<()> {
        let place = readable.schema("").find(name).map(|(place, _)| place);
        let place = place.ok_or_else(|| {
            let has = rows.column_by_name(name).is_some();
            Failure::Internal(anyhow::anyhow!(
                "a value model reads the column {name}; there: {has}"
            ))
        })?;
        self.add(input, place);
        Ok(())
    }

    fn number(&self, input: usize) -> Option<usize> {
        self.inputs.iter().position(|known| *known == input)
    }
}

/// What an evaluation reads beside the columns of items and users.
struct Prepared<'a> {
    /// By the number of the input.
    made: HashMap<usize, Made<'a>>,
    /// One row: whoever asks.
    user: RecordBatch,
    /// One column: the newest items of whoever asks, or of each candidate.
    recent: RecordBatch,
}

/// A column that was made for an evaluation.
enum Made<'a> {
    /// A number per candidate, where there is one.
    Numbers(Vec<f64>, Vec<bool>),
    /// A vector per place.
    Vectors(Vectors<'a>),
    /// A vector per candidate, where there is one.
    Rows {
        values: Vec<f32>,
        present: Vec<bool>,
        dimension: usize,
    },
    /// One vector for all candidates; none if there are no values.
    One { values: Vec<f32>, dimension: usize },
}

impl<'a> Made<'a> {
    fn nothing(dimension: usize) -> Made<'a> {
        Made::One {
            values: Vec::new(),
            dimension,
        }
    }

    fn one(vector: Option<Vec<f32>>, dimension: usize) -> Made<'a> {
        Made::One {
            values: vector
                .filter(|vector| vector.len() == dimension)
                .unwrap_or_default(),
            dimension,
        }
    }
}

impl Prepared<'_> {
    fn column<'c>(
        &'c self,
        index: usize,
        input: &BoundInput,
        policies: &'c PolicyScores,
        places: &'c [u32],
    ) -> Column<'c> {
        if let Input::Policy(name) = &input.input {
            return Column::new(Values::Float32(policies.get(name).map_or(&[], Vec::as_slice)));
        }
        match self.made.get(&index) {
            Some(Made::Numbers(values, present)) => {
                Column::new(Values::Float64(values)).with_validity(Bits::Bools(present))
            }
            Some(Made::Vectors(vectors)) => {
                let column = Column::new(Values::Vector {
                    values: &vectors.values,
                    dimension: vectors.dimension,
                });
                let column = column.at_rows(places);
                match &vectors.present {
                    Some(present) => column.with_validity(Bits::Bools(present)),
                    None => column,
                }
            }
            Some(Made::Rows {
                values,
                present,
                dimension,
            }) => Column::new(Values::Vector {
                values,
                dimension: *dimension,
            })
            .with_validity(Bits::Bools(present)),
            Some(Made::One { values, dimension }) => Column::new(Values::Vector {
                values,
                dimension: *dimension,
            })
            .at_one_row(0),
            // A column of the wrong kind: the evaluation says that this is our fault.
            None => Column::new(Values::Float64(&[])),
        }
    }
}

/// A batch of one column: the ids of each list of items.
fn recent_interactions(
    model: &dyn super::model::QueryModel,
    lists: impl Iterator<Item = Vec<u32>>,
) -> Result<RecordBatch> {
    let mut builder = ListBuilder::new(StringBuilder::new());
    for items in lists {
        for id in items.iter().filter_map(|item| model.items().id(*item)) {
            builder.values().append_value(id);
        }
        builder.append(true);
    }
    let column: ArrayRef = Arc::new(builder.finish());
    let list = DataType::List(Arc::new(Field::new_list_field(DataType::Utf8, true)));
    let schema = Schema::new(vec![Field::new(RECENT_INTERACTIONS, list, true)]);
    RecordBatch::try_new(Arc::new(schema), vec![column])
        .map_err(|error| Failure::Internal(anyhow::Error::new(error)))
}

/// The texts of a list column in a row.
fn texts_at(rows: &RecordBatch, name: &str, row: usize) -> Vec<String> {
    use datafusion::arrow::array::{Array, AsArray};
    let lists = rows
        .column_by_name(name)
        .and_then(|column| column.as_list_opt::<i32>());
    let Some(lists) = lists.filter(|lists| row < lists.len() && lists.is_valid(row)) else {
        return Vec::new();
    };
    let values = lists.value(row);
    let texts = values.as_string_opt::<i32>();
    texts
        .into_iter()
        .flat_map(|texts| texts.iter().flatten().map(str::to_owned))
        .collect()
}
