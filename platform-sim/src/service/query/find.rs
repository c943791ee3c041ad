//! The first stage: what the retrieve steps find, each on its own.

use datafusion::arrow::array::{Array, ArrayRef, UInt32Array};
use datafusion::arrow::compute::{SortColumn, SortOptions, lexsort_to_indices};
use recsys::{Eligible, NumberSet, Scored, pipeline};
use serde_json::json;

use super::bind::Condition;
use super::document::{Find, OrderColumn, Retrieve};
use super::encode::Encoding;
use super::engine::{Found, Run, items_of, ranked, stage, step};
use super::explain::{Stage, Step};
use super::model::{Likeness, QueryModel};
use super::universe::rows_at;
use crate::service::failure::{Failure, Place, Result};
use crate::service::text_search::TextSearch;

impl Run<'_> {
    pub(crate) fn retrieve(&mut self) -> Result<(Found, Stage)> {
        let began = (self.engine.clock)();
        let mut found = Found::default();
        let mut stage = stage("retrieve", self.universe.len());
        let mut seen = NumberSet::default();
        for (index, retrieve) in self.query().retrieve.iter().enumerate() {
            let began = (self.engine.clock)();
            let (scored, note) = self.find(index, retrieve)?;
            for one in &scored {
                if !seen.contains(one.id) {
                    seen.insert(one.id);
                    found.places.push(one.id);
                }
            }
            let mut explained = Step {
                retrieved_count: Some(scored.len()),
                limit: Some(retrieve.limit),
                expression: retrieve.condition.clone(),
                ..step(
                    &retrieve.name,
                    &retrieve.step_type,
                    self.universe.len(),
                    scored.len(),
                    self.engine.since(began),
                )
            };
            if let Some(note) = note {
                explained.metadata.insert("note".to_owned(), json!(note));
            }
            stage.steps.push(explained);
            found.by_step.push(ranked(&scored));
        }
        stage.output_count = found.places.len();
        stage.execution_time_ms = self.engine.since(began);
        Ok((found, stage))
    }

    /// What a step finds, best first, and why it is nothing where that is odd.
    fn find(&self, index: usize, retrieve: &Retrieve) -> Result<(Vec<Scored>, Option<String>)> {
        let condition = self.plan.conditions.get(index).and_then(Option::as_ref);
        let only = condition.map(|condition| self.meeting(condition)).transpose()?;
        let eligible = Eligible {
            only: only.as_ref(),
            except: Some(&self.forbidden).filter(|forbidden| !forbidden.is_empty()),
        };
        let limit = retrieve.limit;
        let model = self.model();
        let subject = self.universe.subject;
        Ok(match &retrieve.find {
            Find::ColumnOrder(columns) => (self.in_order(columns, limit, eligible)?, None),
            Find::Words { text, edit_distance } => match model.text_index(subject) {
                Some(index) => (by_words(index, text, *edit_distance, limit, eligible)?, None),
                None => (Vec::new(), Some("there is no text index".to_owned())),
            },
            Find::Meaning { text, embedding } => {
                let found = model.embedding(embedding);
                let vector = found.and_then(|embedding| embedding.text?.encode(text));
                match (found, vector) {
                    (Some(embedding), Some(vector)) => {
                        let found = embedding.nearest(subject, &vector, Likeness::Cosine, limit, eligible);
                        (found, None)
                    }
                    _ => (
                        Vec::new(),
                        Some("the embedding knows no word of the text".to_owned()),
                    ),
                }
            }
            Find::Similarity { embedding, encoder } => {
                let Some(embedding) = model.embedding(embedding) else {
                    return Ok((Vec::new(), Some("there is no such embedding".to_owned())));
                };
                let place = vec!["retrieve".into(), index.into(), "query_encoder".into()];
                let encoding = Encoding {
                    model,
                    embedding,
                    among: subject,
                    now: self.engine.now,
                    seed: self.engine.seed,
                    place: &place,
                };
                let encoded = encoding.encode(encoder)?;
                let itself = NumberSet::new(encoded.itself);
                let lists: Vec<Vec<Scored>> = encoded
                    .targets
                    .iter()
                    .map(|target| {
                        // One more for the one that is compared with.
                        let wanted = limit + itself.len();
                        let mut found =
                            embedding.nearest(subject, &target.vector, target.likeness, wanted, eligible);
                        found.retain(|one| !itself.contains(one.id));
                        found.truncate(limit);
                        found
                    })
                    .collect();
                (pipeline::round_robin(&lists, limit), encoded.note)
            }
            Find::Ids(_) | Find::Attributes(_) => {
                let places = items_of(&retrieve.find);
                let places = places.iter().filter_map(|(id, _)| self.universe.place(model, id));
                let mut seen = NumberSet::default();
                let places = places.filter(|place| {
                    let new = !seen.contains(*place) && eligible.allows(*place);
                    seen.insert(*place);
                    new
                });
                (by_rank(places.collect()), None)
            }
        })
    }

    /// The places that meet a condition.
    fn meeting(&self, condition: &Condition) -> Result<NumberSet> {
        Ok(NumberSet::new(self.passing(condition, None)?))
    }

    /// The first places in the order of some columns; equal ones by place.
    fn in_order(&self, columns: &[OrderColumn], limit: usize, eligible: Eligible<'_>) -> Result<Vec<Scored>> {
        let count = self.universe.len() as u32;
        let all = eligible.only.is_none() && eligible.except.is_none_or(NumberSet::is_empty);
        let places: Vec<u32> = (0..count)
            .filter(|place| all || eligible.allows(*place))
            .collect();
        let mut named = Vec::with_capacity(columns.len());
        for (number, column) in columns.iter().enumerate() {
            let index = self.universe.columns.schema_ref().index_of(&column.name);
            named.push(index.map_err(|_| {
                let place = vec!["columns".into(), number.into(), "name".into()];
                let message = format!("there is no column '{}'", column.name);
                Failure::invalid(Place::Path(place), "unknown_column", message)
            })?);
        }
        let internal = |error| Failure::Internal(anyhow::Error::new(error));
        let table = self.universe.columns.project(&named).map_err(internal)?;
        let table = if all { table } else { rows_at(&table, &places)? };
        let mut keys: Vec<SortColumn> = table
            .columns()
            .iter()
            .zip(columns)
            .map(|(values, column)| SortColumn {
                values: values.clone(),
                options: Some(SortOptions {
                    descending: !column.ascending,
                    nulls_first: column.nulls_first,
                }),
            })
            .collect();
        let numbers: ArrayRef = std::sync::Arc::new(UInt32Array::from(places));
        keys.push(SortColumn {
            values: numbers.clone(),
            options: None,
        });
        let order = lexsort_to_indices(&keys, Some(limit)).map_err(internal)?;
        let numbers = datafusion::arrow::array::AsArray::as_primitive::<
            datafusion::arrow::datatypes::UInt32Type,
        >(&numbers);
        let found = order
            .values()
            .iter()
            .map(|row| numbers.value(*row as usize))
            .take(limit);
        debug_assert!(order.null_count() == 0, "indices are never NULL");
        Ok(by_rank(found.collect()))
    }
}

/// What has an order and no score: the first has 1, the second 1/2, the third 1/3.
fn by_rank(places: Vec<u32>) -> Vec<Scored> {
    let ranked = (1..).zip(places);
    ranked
        .map(|(rank, id)| Scored {
            id,
            score: 1.0 / rank as f32,
        })
        .collect()
}

/// The best hits that may be seen. What may not is made up for from further down.
fn by_words(
    index: &dyn TextSearch,
    text: &str,
    edit_distance: u8,
    limit: usize,
    eligible: Eligible<'_>,
) -> Result<Vec<Scored>> {
    let mut asked = limit;
    loop {
        let hits = index
            .search_words(text, edit_distance, asked)
            .map_err(Failure::Internal)?;
        let exhausted = hits.len() < asked;
        let mut found: Vec<Scored> = hits
            .into_iter()
            .map(|(row, score)| Scored {
                id: row as u32,
                score,
            })
            .filter(|hit| eligible.allows(hit.id))
            .collect();
        if exhausted || found.len() >= limit {
            found.truncate(limit);
            return Ok(found);
        }
        asked = asked.saturating_mul(4);
    }
}

/// The names of the model's embeddings that have vectors of what a query ranks, for diversity that names none.
pub(crate) fn first_embedding(model: &dyn QueryModel, subject: super::model::Subject) -> Option<String> {
    let names = model.embeddings();
    let found = names.into_iter().find(|name| {
        let embedding = model.embedding(name);
        embedding.is_some_and(|embedding| embedding.matrix(subject).is_some())
    });
    found.map(str::to_owned)
}
