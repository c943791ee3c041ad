//! Items for somebody: of the whole catalogue, of given ones, of those that a text finds.

use std::collections::HashSet;

use recsys::pipeline;
use recsys::{Eligible, NumberSet, Scored};
use serde_json::{Map, Value};

use super::attributes::Table;
use super::model::policies;
use super::newcomers::Newcomers;
use super::score::{Acquaintance, TRENDING, Taste, any_policy, fuse};
use super::settings::Settings;
use super::sieve::{self, Sieve};
use super::{Ask, Engine, Kind, Ranking, best_first, not_an_attribute};
use crate::service::failure::Result;

/// How many results a retrieval has where nobody says.
const RETRIEVE_LIMIT: usize = 100;

/// What the order of a text's hits counts beside the order of somebody's liking.
const TEXT_WEIGHT: f32 = 2.0;

/// A ranking for somebody.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rank {
    pub(crate) ask: Ask,
    /// Rank these; without them, what the retrievers find.
    pub(crate) item_ids: Option<Vec<String>>,
    /// Interactions of the session, oldest first.
    pub(crate) session: Vec<String>,
    pub(crate) user_features: Map<String, Value>,
    /// Columns of items that the model may not know.
    pub(crate) item_features: Map<String, Value>,
    pub(crate) text_query: Option<String>,
}

/// Values of an attribute for somebody.
#[derive(Clone, Debug)]
pub(crate) struct Attributes {
    pub(crate) attribute: String,
    pub(crate) user: Option<String>,
    /// How many values.
    pub(crate) rows: usize,
    /// How many items of each.
    pub(crate) columns: usize,
}

impl Engine<'_> {
    /// The best items for whoever asks.
    pub(crate) fn rank(&self, request: &Rank) -> Result<Ranking> {
        self.ranked(request, false)
    }

    /// As [`rank`](Self::rank), with what is popular for those of whom nothing is known, and more of it.
    pub(crate) fn retrieve(&self, request: &Rank) -> Result<Ranking> {
        self.ranked(request, true)
    }

    fn ranked(&self, request: &Rank, retrieving: bool) -> Result<Ranking> {
        let ask = &request.ask;
        let settings = self.settings(ask);
        let bare = request.item_ids.as_deref().unwrap_or_default();
        let newcomers = Newcomers::read(self.model, &request.item_features, bare)?;
        let person = self.person(
            ask.user.as_deref(),
            &request.user_features,
            &request.session,
            &newcomers,
        )?;
        let given = self.given(request, &newcomers);
        let limit = settings.limit.unwrap_or(match &given {
            // Who names the items wants all of them back.
            Some(given) => given.len(),
            None if retrieving => RETRIEVE_LIMIT,
            None => self.defaults.slate_size,
        });
        let table = Table {
            known: self.model.item_columns(),
            new: Some(&newcomers.columns),
        };
        let reader = self.reader(ask, Kind::Items)?;
        let forbidden = self.forbidden_items(ask, reader.as_ref(), &newcomers)?;
        let sieve = self.item_sieve(ask, table)?;
        let sieve = sieve.as_ref();
        let query = person.query(self.now, Some(&newcomers));
        let taste = Taste::new(self.model, query, person.acquaintance);

        let hits = match &request.text_query {
            Some(text) => {
                let wanted = settings
                    .retrieval_k
                    .max(limit)
                    .max(given.as_ref().map_or(0, Vec::len));
                Some(self.text_hits(text, wanted, sieve, &forbidden)?)
            }
            None => None,
        };
        let candidates: Vec<u32> = match (&given, &hits) {
            (Some(given), _) => {
                let allowed = given.iter().copied().filter(|item| !forbidden.contains(*item));
                let allowed: Vec<u32> = allowed.collect();
                match sieve {
                    Some(sieve) => sieve.keep(&allowed)?,
                    None => allowed,
                }
            }
            (None, Some(hits)) => hits.iter().map(|hit| hit.id).collect(),
            (None, None) => self.candidates(&taste, &settings, sieve, &forbidden, limit, retrieving)?,
        };
        let stranger = person.acquaintance == Acquaintance::Stranger;
        let scores = if retrieving && stranger && hits.is_none() {
            let popular = any_policy(self.model, &[policies::POPULAR, policies::RECENTLY_POPULAR]);
            taste.by(popular, &candidates)?
        } else {
            taste.score(&candidates)?
        };
        let liking = best_first(
            candidates
                .iter()
                .zip(scores)
                .map(|(id, score)| Scored { id: *id, score })
                .collect(),
        );
        let ranked = match hits {
            None => liking,
            Some(hits) => {
                let among: HashSet<u32> = candidates.iter().copied().collect();
                let mut hits: Vec<Scored> = hits.into_iter().filter(|hit| among.contains(&hit.id)).collect();
                if stranger {
                    let found: HashSet<u32> = hits.iter().map(|hit| hit.id).collect();
                    let rest = liking.into_iter().filter(|one| !found.contains(&one.id));
                    hits.extend(rest.map(|one| Scored {
                        id: one.id,
                        score: f32::NAN,
                    }));
                    hits
                } else {
                    let order = |list: &[Scored]| list.iter().map(|one| one.id).collect::<Vec<u32>>();
                    let fused = fuse(&[(TEXT_WEIGHT, order(&hits)), (1.0, order(&liking))]);
                    let scored = liking.into_iter().map(|one| Scored {
                        id: one.id,
                        score: fused.get(&one.id).copied().unwrap_or(f32::NAN),
                    });
                    best_first(scored.collect())
                }
            }
        };
        let pool = if settings.exploration_factor > 0.0 && request.text_query.is_none() {
            let cold = match &given {
                Some(_) => self.coldest_of(&candidates, limit),
                None => self.cold_items(limit, sieve, &forbidden)?,
            };
            let scores = taste.score(&cold)?;
            let scored = cold.into_iter().zip(scores);
            scored.map(|(id, score)| Scored { id, score }).collect()
        } else {
            Vec::new()
        };
        self.finish(
            ask,
            &settings,
            table,
            self.factor_vectors(Kind::Items),
            ranked,
            &pool,
            limit,
            reader,
            |item| {
                let metadata = ask.with_metadata.then(|| newcomers.metadata(self.model, item));
                (
                    newcomers.id(self.model, item).to_owned(),
                    metadata.unwrap_or_default(),
                )
            },
        )
    }

    /// The items that the request names, each once, in its order; `None` where it names none.
    fn given(&self, request: &Rank, newcomers: &Newcomers) -> Option<Vec<u32>> {
        if request.item_ids.is_none() && request.item_features.is_empty() {
            return None;
        }
        let described = request.item_features.get("item_id").and_then(Value::as_array);
        let described = described.into_iter().flatten().filter_map(Value::as_str);
        let named = request.item_ids.iter().flatten().map(String::as_str);
        let mut seen = HashSet::new();
        Some(
            named
                .chain(described)
                .filter_map(|id| newcomers.number(self.model, id))
                .filter(|item| seen.insert(*item))
                .collect(),
        )
    }

    /// What the retrievers find, each item once.
    fn candidates(
        &self,
        taste: &Taste<'_>,
        settings: &Settings,
        sieve: Option<&Sieve>,
        forbidden: &NumberSet,
        limit: usize,
        retrieving: bool,
    ) -> Result<Vec<u32>> {
        let retrieve = |names: &[&str], count: usize| -> Result<Vec<u32>> {
            let Some(policy) = any_policy(self.model, names).filter(|_| count > 0) else {
                return Ok(Vec::new());
            };
            let found = sieve::best(sieve, count, forbidden, |count, eligible| {
                taste.retrieve(policy, count, eligible)
            })?;
            Ok(found.into_iter().map(|one| one.id).collect())
        };
        let counts = settings.retriever_k;
        if retrieving && taste.is_of_stranger() {
            let names = [policies::POPULAR, policies::RECENTLY_POPULAR];
            return retrieve(&names, counts.toplist.max(limit));
        }
        if settings.keeps_order() && limit <= counts.knn && !self.finds_stand_ins(taste, sieve, forbidden)? {
            // All is scored as it was retrieved: whatever else could be found stands behind the best.
            let best = retrieve(taste.personal(), limit)?;
            if best.len() == limit {
                return Ok(best);
            }
        }
        // The cheap ones first: they show how much passes the filter before the others look as far as that needs.
        let trending = retrieve(&TRENDING, counts.trending)?;
        let toplist = retrieve(&[policies::POPULAR], counts.toplist)?;
        let chronological = retrieve(&[policies::CHRONOLOGICAL], counts.chronological)?;
        let lists = [
            retrieve(taste.personal(), counts.knn)?,
            trending,
            toplist,
            chronological,
            retrieve(&[policies::RANDOM], counts.random)?,
            self.cold_items(counts.cold_start, sieve, forbidden)?,
        ];
        let mut seen = HashSet::new();
        let mut candidates: Vec<u32> = lists.concat();
        candidates.retain(|item| seen.insert(*item));
        Ok(candidates)
    }

    /// Whether anything that could be found has a score that is not the retriever's: what nobody took yet, where its columns
    /// speak for it.
    fn finds_stand_ins(
        &self,
        taste: &Taste<'_>,
        sieve: Option<&Sieve>,
        forbidden: &NumberSet,
    ) -> Result<bool> {
        if !taste.has_stand_ins() {
            return Ok(false);
        }
        let coldest = self.cold_items(1, sieve, forbidden)?;
        Ok(coldest.iter().any(|item| taste.is_cold(*item)))
    }

    /// Those of some items that were taken most rarely; none that the model does not know.
    fn coldest_of(&self, items: &[u32], limit: usize) -> Vec<u32> {
        let counts = self.model.interaction_counts();
        let (known, counts): (Vec<u32>, Vec<u32>) = items
            .iter()
            .filter_map(|item| Some((*item, *counts.get(*item as usize)?)))
            .unzip();
        let places = pipeline::cold_pool(&counts, limit, Eligible::default(), self.seed);
        places.into_iter().map(|place| known[place as usize]).collect()
    }

    /// The values of an attribute that somebody likes best.
    pub(crate) fn rank_attributes(&self, request: &Attributes) -> Result<Vec<(String, f32)>> {
        let (scores, column) = self.scored_column(request)?;
        Ok(pipeline::rank_attributes(&scores, &column, request.rows))
    }

    /// The values of an attribute that somebody likes best, with the best items of each.
    pub(crate) fn attribute_grid(&self, request: &Attributes) -> Result<Vec<GridRow>> {
        let (scores, column) = self.scored_column(request)?;
        let rows = pipeline::attribute_grid(&scores, &column, request.rows, request.columns);
        Ok(rows
            .into_iter()
            .map(|row| GridRow {
                label: row.label,
                items: row
                    .items
                    .into_iter()
                    .map(|item| {
                        let id = self.model.items().id(item.id).unwrap_or_default();
                        (id.to_owned(), item.score)
                    })
                    .collect(),
            })
            .collect())
    }

    /// The score of every item that the user may see, and the attribute.
    fn scored_column(&self, request: &Attributes) -> Result<(Vec<f32>, recsys::Column)> {
        let table = Table {
            known: self.model.item_columns(),
            new: None,
        };
        let items: Vec<u32> = (0..self.model.items().len() as u32).collect();
        let column = table.labels(&request.attribute, &items).ok_or_else(|| {
            not_an_attribute(vec!["attribute_name".into()], &request.attribute, table.known)
        })?;
        let nobody = Newcomers::read(self.model, &Map::new(), &[])?;
        let person = self.person(request.user.as_deref(), &Map::new(), &[], &nobody)?;
        let taste = Taste::new(self.model, person.query(self.now, None), person.acquaintance);
        let mut scores = taste.score(&items)?;
        let ask = Ask {
            user: request.user.clone(),
            ..Ask::default()
        };
        let forbidden = self.forbidden_items(&ask, None, &nobody)?;
        for (item, score) in (0..).zip(&mut scores) {
            if forbidden.contains(item) {
                *score = f32::NAN;
            }
        }
        Ok((scores, column))
    }
}

/// A value of an attribute with its best items and their scores.
#[derive(Debug, PartialEq)]
pub(crate) struct GridRow {
    pub(crate) label: String,
    pub(crate) items: Vec<(String, f32)>,
}
