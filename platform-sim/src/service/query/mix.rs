//! The fourth stage: in which order the list is shown.

use std::collections::HashMap;

use recsys::pipeline::{self, Windows};
use recsys::{Column, Eligible, NumberSet};
use serde_json::json;

use super::document::{Mix, QueryType, Reorder};
use super::engine::{Candidate, Run, stage, step};
use super::explain::{Stage, Step};
use super::find::first_embedding;
use super::model::Subject;
use crate::service::failure::Result;
use crate::service::inference::attributes::Table;

/// The column that promotes.
const BOOST: &str = "boost";

impl Run<'_> {
    pub(crate) fn reorder(&mut self, candidates: Vec<Candidate>) -> Result<(Vec<Candidate>, Stage)> {
        let began = (self.engine.clock)();
        let mut stage = stage("reorder", candidates.len());
        let mut list = candidates;
        for reorder in &self.query().reorder {
            let began = (self.engine.clock)();
            let before = list.clone();
            let note = self.mix(reorder, &mut list)?;
            let moved = list
                .iter()
                .zip(before.iter().map(Some).chain(std::iter::repeat(None)))
                .filter(|(now, before)| before.is_none_or(|before| before.place != now.place))
                .count();
            let mut explained = Step {
                strength: Some(reorder.strength),
                items_reordered: Some(moved),
                ..step(
                    &reorder.name,
                    reorder.mix.name(),
                    before.len(),
                    list.len(),
                    self.engine.since(began),
                )
            };
            if let Mix::Diversity {
                lookback,
                lookforward,
                attributes,
                ..
            } = &reorder.mix
            {
                explained.diversity_lookback_window = Some(*lookback);
                explained.diversity_lookforward_window = Some(*lookforward);
                explained
                    .metadata
                    .insert("diversity_attributes".to_owned(), json!(attributes));
            }
            if let Some(note) = note {
                explained.metadata.insert("note".to_owned(), json!(note));
            }
            stage.steps.push(explained);
        }
        stage.output_count = list.len();
        stage.execution_time_ms = self.engine.since(began);
        Ok((list, stage))
    }

    fn mix(&self, reorder: &Reorder, list: &mut Vec<Candidate>) -> Result<Option<String>> {
        match &reorder.mix {
            Mix::Exploration => self.explore(reorder.strength, list),
            Mix::Boosted => Ok(self.boost(reorder.strength, list)),
            Mix::Diversity {
                lookback,
                lookforward,
                attributes,
                embedding,
            } => {
                let windows = Windows {
                    back: *lookback,
                    forward: *lookforward,
                };
                self.diversify(reorder.strength, windows, attributes, embedding.as_deref(), list)
            }
        }
    }

    fn boost(&self, strength: f32, list: &mut Vec<Candidate>) -> Option<String> {
        let table = Table {
            known: &self.universe.columns,
            new: None,
        };
        let places: Vec<u32> = list.iter().map(|candidate| candidate.place).collect();
        let Some(promoted) = table.is_one(BOOST, &places) else {
            let noun = self.universe.subject.noun();
            return Some(format!(
                "the {noun}s have no column '{BOOST}': nothing is promoted"
            ));
        };
        let order = pipeline::boost(&promoted, strength);
        *list = order.into_iter().map(|row| list[row]).collect();
        None
    }

    /// Gives a share of the places to candidates with few interactions: of the whole catalogue, as far as the filters
    /// admit them, or of the list where the query brought it along.
    fn explore(&self, strength: f32, list: &mut Vec<Candidate>) -> Result<Option<String>> {
        let limit = self.query().limit.max(1);
        let counts = self.counts();
        let places: Vec<u32> = list.iter().map(|candidate| candidate.place).collect();
        let among = NumberSet::new(places.iter().copied());
        let rerank = self.query().query_type.is_rerank();
        let eligible = Eligible {
            only: rerank.then_some(&among),
            except: Some(&self.forbidden),
        };
        // More than there are places for, because filters take some away.
        let pool = pipeline::cold_pool(&counts, limit.saturating_mul(4), eligible, self.engine.seed);
        let pool = self.admitted(pool)?;
        let note = pool.is_empty().then(|| "there is nothing to explore".to_owned());
        // The whole list goes on, so that later steps have it.
        let length = places.len().max(limit);
        let mixed = pipeline::explore(&places, &pool, strength, length, self.engine.seed);
        let scores: HashMap<u32, f64> = list
            .iter()
            .map(|candidate| (candidate.place, candidate.score))
            .collect();
        // What nobody scored is no better than the last of those that were.
        let least = list.iter().map(|candidate| candidate.score).reduce(f64::min);
        *list = mixed
            .into_iter()
            .map(|place| Candidate {
                place,
                score: scores.get(&place).copied().or(least).unwrap_or(0.0),
            })
            .collect();
        Ok(note)
    }

    /// The number of interactions at each place.
    fn counts(&self) -> Vec<u32> {
        match (self.query().query_type, self.universe.subject) {
            (QueryType::RankUsers, _) | (_, Subject::User) => self.model().user_interaction_counts(),
            (query_type, _) if !query_type.is_rerank() => self.model().interaction_counts().to_vec(),
            _ => {
                let counts = self.model().interaction_counts();
                let places = 0..self.universe.len() as u32;
                let number = |place| self.universe.number(place) as usize;
                places
                    .map(|place| counts.get(number(place)).copied().unwrap_or(0))
                    .collect()
            }
        }
    }

    fn diversify(
        &self,
        strength: f32,
        windows: Windows,
        attributes: &[String],
        embedding: Option<&str>,
        list: &mut Vec<Candidate>,
    ) -> Result<Option<String>> {
        // Nobody further down can come up to a place that is shown.
        let reach = self.query().limit.saturating_add(windows.forward).min(list.len());
        let tail = list.split_off(reach);
        let places: Vec<u32> = list.iter().map(|candidate| candidate.place).collect();
        let scores: Vec<f32> = list.iter().map(|candidate| candidate.score as f32).collect();
        let table = Table {
            known: &self.universe.columns,
            new: None,
        };
        let columns: Vec<Column> = attributes
            .iter()
            .filter_map(|name| table.labels(name, &places))
            .collect();
        let columns: Vec<&Column> = columns.iter().collect();
        let of_model = first_embedding(self.model(), self.universe.subject);
        let embedding = match embedding {
            Some(name) => Some(name),
            None if columns.is_empty() => of_model.as_deref(),
            None => None,
        };
        let vectors = match embedding {
            Some(name) => self.vectors(name)?,
            None => None,
        };
        let note = (columns.is_empty() && vectors.is_none())
            .then(|| "there are neither attributes nor vectors to compare: the order stays".to_owned());
        let order = pipeline::diversify(&scores, strength, windows, |one, other| {
            let by_attributes =
                (!columns.is_empty()).then(|| pipeline::attribute_similarity(&columns, one, other));
            let by_vectors = vectors.as_ref().map(|vectors| {
                let (one, other) = (vectors.at(places[one]), vectors.at(places[other]));
                match (one, other) {
                    (Some(one), Some(other)) => pipeline::cosine_similarity(one, other).max(0.0),
                    _ => 0.0,
                }
            });
            match (by_attributes, by_vectors) {
                (Some(one), Some(other)) => (one + other) / 2.0,
                (one, other) => one.or(other).unwrap_or(0.0),
            }
        });
        *list = order.into_iter().map(|row| list[row]).chain(tail).collect();
        Ok(note)
    }
}
