//! What a trained model answers: rankings, neighbours, attributes, embeddings.
//!
//! ```text
//! request ──> who asks, which items may be seen ──> candidates ──> scores ──> diversity, boosting, exploration ──> page
//! ```
//!
//! Everything here is a function of a model, a request, the pages that were served, a moment and a seed; none of it
//! knows HTTP. The answers come at once: nobody and nothing that the training has not seen makes them fail.

pub(crate) mod attributes;
pub(crate) mod columns;
pub(crate) mod embeddings;
pub(crate) mod model;
pub(crate) mod neighbours;
pub(crate) mod newcomers;
mod projection;
pub(crate) mod rank;
pub(crate) mod score;
pub(crate) mod serve;
pub(crate) mod settings;
pub(crate) mod shortcuts;
pub(crate) mod sieve;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use datafusion::arrow::array::RecordBatch;
use recsys::pipeline::{self, ColdItems, Windows};
use recsys::{Features, Interaction, Matrix, NumberSet, Query, Scored};
use serde_json::{Map, Value};

use self::attributes::Table;
use self::model::{InferenceModel, policies};
use self::newcomers::Newcomers;
use self::score::Acquaintance;
use self::settings::{Overrides, Settings};
use self::sieve::Sieve;
use crate::service::failure::{Failure, PathPart, Place, Result};
use crate::service::rows::Row;
use crate::store::{PageStore, Reader};

/// The longest text query, in characters.
const MAX_QUERY_CHARACTERS: usize = 512;

/// The item or user column with the things to promote.
const BOOST: &str = "boost";

/// What all inference requests have in common.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ask {
    pub(crate) user: Option<String>,
    pub(crate) filter: Option<String>,
    pub(crate) flush_pages: bool,
    pub(crate) with_metadata: bool,
    pub(crate) overrides: Overrides,
}

/// Things, best first, with what belongs to each at the same place.
#[derive(Debug, PartialEq)]
pub(crate) struct Ranking {
    pub(crate) ids: Vec<String>,
    pub(crate) scores: Vec<f32>,
    pub(crate) metadata: Option<Vec<Row>>,
}

/// What a model says about its answers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Defaults {
    pub(crate) overrides: Overrides,
    /// How many results where nobody says.
    pub(crate) slate_size: usize,
    /// For how many seconds what was served is left out of later answers; 0 for never.
    pub(crate) page_seconds: i64,
}

/// A model, ready to answer one request.
pub(crate) struct Engine<'a> {
    pub(crate) model: &'a dyn InferenceModel,
    pub(crate) model_id: i64,
    pub(crate) model_name: &'a str,
    pub(crate) defaults: &'a Defaults,
    pub(crate) pages: &'a dyn PageStore,
    /// The moment of the request, in Unix seconds.
    pub(crate) now: i64,
    /// What chance depends on.
    pub(crate) seed: u64,
}

/// Who asks.
struct Person {
    user: Option<u32>,
    history: Vec<Interaction>,
    features: Option<Features>,
    acquaintance: Acquaintance,
}

impl Person {
    fn query<'a>(&'a self, now: i64, newcomers: Option<&'a Newcomers>) -> Query<'a> {
        Query {
            user: self.user,
            history: &self.history,
            now,
            user_features: self.features.as_ref(),
            new_items: newcomers
                .map(|newcomers| &newcomers.features)
                .filter(|features| features.rows() > 0),
        }
    }
}

/// What is being ranked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Items,
    Users,
}

impl Engine<'_> {
    fn settings(&self, ask: &Ask) -> Settings {
        Settings::resolve(&self.defaults.overrides, &ask.overrides)
    }

    /// Everything that is known of whoever asks; `session` are interactions that only the request knows, oldest first.
    fn person(
        &self,
        user: Option<&str>,
        given: &Map<String, Value>,
        session: &[String],
        newcomers: &Newcomers,
    ) -> Result<Person> {
        let number = user.and_then(|user| self.model.users().number(user));
        let mut history = user.map(|user| self.model.history(user)).unwrap_or_default();
        history.extend(
            session
                .iter()
                .filter_map(|id| newcomers.number(self.model, id))
                .map(|item| Interaction::new(item, self.now)),
        );
        let features = if given.is_empty() {
            None
        } else {
            let mut row = number
                .map(|user| self.model.user_metadata(user))
                .unwrap_or_default();
            row.extend(given.clone());
            let ids = [user.unwrap_or_default().to_owned()];
            let columns =
                newcomers::batch(self.model.user_columns(), "user_id", &ids, &[row], |_, column| {
                    vec!["user_features".into(), column.into()]
                })?;
            Some(self.model.user_features(&columns))
        };
        let items = self.model.items().len();
        let interacted = history
            .iter()
            .any(|one| one.label > 0.0 && ((one.item as usize) < items || newcomers.is_described(one.item)));
        let acquaintance = if interacted {
            Acquaintance::Known
        } else if features.is_some() || number.is_some() {
            Acquaintance::Described
        } else {
            Acquaintance::Stranger
        };
        Ok(Person {
            user: number,
            history,
            features,
            acquaintance,
        })
    }

    /// Whose pages these are, after they were emptied if the request says so; `None` where nothing is kept.
    fn reader(&self, ask: &Ask, kind: Kind) -> Result<Option<Reader>> {
        let Some(user) = &ask.user else { return Ok(None) };
        let kind = match kind {
            Kind::Items => "items",
            Kind::Users => "users",
        };
        let reader = Reader {
            model: self.model_id,
            name: format!("{kind} {user}"),
        };
        if ask.flush_pages {
            self.pages.flush(&reader)?;
        }
        Ok((self.defaults.page_seconds > 0).then_some(reader))
    }

    /// Items that whoever asks must not get.
    fn forbidden_items(
        &self,
        ask: &Ask,
        reader: Option<&Reader>,
        newcomers: &Newcomers,
    ) -> Result<NumberSet> {
        let mut forbidden = self.model.hidden().cloned().unwrap_or_default();
        let personal = ask.user.iter().flat_map(|user| self.model.hidden_from(user));
        let personal = personal.chain(self.model.left_out(ask.user.as_deref()));
        personal.for_each(|item| forbidden.insert(item));
        if let Some(reader) = reader {
            for id in self.pages.served(reader, self.now)? {
                if let Some(item) = newcomers.number(self.model, &id) {
                    forbidden.insert(item);
                }
            }
        }
        Ok(forbidden)
    }

    /// The text's hits that pass, best first.
    fn text_hits(
        &self,
        text: &str,
        wanted: usize,
        sieve: Option<&Sieve>,
        forbidden: &NumberSet,
    ) -> Result<Vec<Scored>> {
        if text.chars().count() > MAX_QUERY_CHARACTERS {
            return Err(Failure::invalid(
                Place::TextQuery,
                "too_long",
                format!("a text query has at most {MAX_QUERY_CHARACTERS} characters"),
            ));
        }
        let search = self.model.text_search().ok_or_else(|| {
            let message = format!(
                "the model '{}' has no text index; create it with model.text_index to search by text",
                self.model_name
            );
            Failure::invalid(Place::TextQuery, "no_text_index", message)
        })?;
        let Some(mode) = search.modes().first() else {
            return Ok(Vec::new());
        };
        let items = self.model.items().len();
        sieve::best(sieve, wanted.min(items), forbidden, |count, eligible| {
            let mut asked = count.clamp(1, items.max(1));
            loop {
                let hits = search.search(text, *mode, asked).map_err(Failure::Internal)?;
                let exhausted = hits.len() < asked || asked >= items;
                let mut found: Vec<Scored> = hits
                    .into_iter()
                    .map(|(row, score)| Scored {
                        id: row as u32,
                        score,
                    })
                    .filter(|hit| eligible.allows(hit.id))
                    .collect();
                // What may not be shown is made up for from further down.
                if exhausted || found.len() >= count {
                    found.truncate(count);
                    return Ok(found);
                }
                asked = asked.saturating_mul(4).min(items);
            }
        })
    }

    /// What is left of a ranked list: mixed, cut to `limit`, noted as served.
    #[expect(
        clippy::too_many_arguments,
        reason = "one call per kind of answer, and all of it differs between them"
    )]
    fn finish(
        &self,
        ask: &Ask,
        settings: &Settings,
        table: Table<'_>,
        vectors: Option<&Matrix>,
        mut ranked: Vec<Scored>,
        pool: &[Scored],
        limit: usize,
        reader: Option<Reader>,
        describe: impl Fn(u32) -> (String, Row),
    ) -> Result<Ranking> {
        self.diversify(ask, settings, table, vectors, &mut ranked, limit)?;
        if settings.boosting_factor > 0.0 {
            let numbers: Vec<u32> = ranked.iter().map(|one| one.id).collect();
            if let Some(promoted) = table.is_one(BOOST, &numbers) {
                let order = pipeline::boost(&promoted, settings.boosting_factor);
                ranked = order.into_iter().map(|place| ranked[place]).collect();
            }
        }
        if settings.exploration_factor > 0.0 && !pool.is_empty() {
            let numbers = |list: &[Scored]| list.iter().map(|one| one.id).collect::<Vec<u32>>();
            let scores: HashMap<u32, f32> = pool
                .iter()
                .chain(&ranked)
                .map(|one| (one.id, one.score))
                .collect();
            let mixed = pipeline::explore(
                &numbers(&ranked),
                &numbers(pool),
                settings.exploration_factor,
                limit,
                self.seed,
            );
            ranked = mixed
                .into_iter()
                .map(|id| Scored {
                    id,
                    score: scores[&id],
                })
                .collect();
        }
        ranked.truncate(limit);
        // JSON has no NaN: who has no score is no better than the last who has one.
        let least = ranked
            .iter()
            .map(|one| one.score)
            .filter(|score| score.is_finite());
        let least = least.reduce(f32::min).unwrap_or(0.0);
        let mut ranking = Ranking {
            ids: Vec::with_capacity(ranked.len()),
            scores: Vec::with_capacity(ranked.len()),
            metadata: ask.with_metadata.then(Vec::new),
        };
        for one in ranked {
            let (id, metadata) = describe(one.id);
            ranking.ids.push(id);
            ranking
                .scores
                .push(if one.score.is_finite() { one.score } else { least });
            if let Some(all) = &mut ranking.metadata {
                all.push(metadata);
            }
        }
        if let Some(reader) = reader {
            let ttl = self.defaults.page_seconds;
            if let Err(error) = self.pages.serve(&reader, &ranking.ids, self.now, ttl) {
                // An answer that is repeated later is better than none.
                tracing::error!(
                    model = self.model_name,
                    ?error,
                    "what was served is not kept as a page"
                );
            }
        }
        Ok(ranking)
    }

    fn diversify(
        &self,
        ask: &Ask,
        settings: &Settings,
        table: Table<'_>,
        vectors: Option<&Matrix>,
        ranked: &mut Vec<Scored>,
        limit: usize,
    ) -> Result<()> {
        if let Some(names) = &ask.overrides.diversity_attributes {
            for (index, name) in names.iter().enumerate() {
                if table.labels(name, &[]).is_none() {
                    let place = vec!["config".into(), "diversity_attributes".into(), index.into()];
                    return Err(not_an_attribute(place, name, table.known));
                }
            }
        }
        if settings.diversity_factor == 0.0 || settings.diversity_window == 0 {
            return Ok(());
        }
        // Nobody further down can come up to a place that is shown.
        let reach = limit.saturating_add(settings.diversity_window).min(ranked.len());
        let tail = ranked.split_off(reach);
        let numbers: Vec<u32> = ranked.iter().map(|one| one.id).collect();
        let scores: Vec<f32> = ranked.iter().map(|one| one.score).collect();
        let columns: Vec<recsys::Column> = settings
            .diversity_attributes
            .iter()
            .filter_map(|name| table.labels(name, &numbers))
            .collect();
        let columns: Vec<&recsys::Column> = columns.iter().collect();
        let windows = Windows {
            back: settings.diversity_window,
            forward: settings.diversity_window,
        };
        let order = pipeline::diversify(&scores, settings.diversity_factor, windows, |one, other| {
            if !columns.is_empty() {
                return pipeline::attribute_similarity(&columns, one, other);
            }
            // Without attributes: alike is who is near in the model's own space.
            let vector = |place: usize| vectors?.get(numbers[place] as usize);
            match (vector(one), vector(other)) {
                (Some(one), Some(other)) => pipeline::cosine_similarity(one, other).max(0.0),
                _ => 0.0,
            }
        });
        *ranked = order.into_iter().map(|place| ranked[place]).chain(tail).collect();
        Ok(())
    }

    /// The items that pass and were taken most rarely.
    fn cold_items(&self, limit: usize, sieve: Option<&Sieve>, forbidden: &NumberSet) -> Result<Vec<u32>> {
        let counts = self.model.interaction_counts();
        let made;
        let cold = match self.model.shortcuts() {
            Some(shortcuts) => shortcuts.cold(counts),
            None => {
                made = ColdItems::new(counts);
                &made
            }
        };
        let found = sieve::best(sieve, limit, forbidden, |count, eligible| {
            let items = cold.pool(count, eligible, self.seed).into_iter();
            Ok(items.map(|id| Scored { id, score: 0.0 }).collect())
        })?;
        Ok(found.into_iter().map(|one| one.id).collect())
    }

    /// The filter over items of a request.
    fn item_sieve(&self, ask: &Ask, table: Table<'_>) -> Result<Option<Sieve>> {
        let paths = self.model.shortcuts().map(|shortcuts| &shortcuts.item_paths);
        Sieve::new(ask.filter.as_deref(), table, paths)
    }

    fn factor_vectors(&self, kind: Kind) -> Option<&Matrix> {
        let factors = self.model.policy(policies::FACTORS)?;
        match kind {
            Kind::Items => factors.item_vectors(),
            Kind::Users => factors.user_vectors(),
        }
    }
}

fn not_an_attribute(place: Vec<PathPart>, name: &str, table: &RecordBatch) -> Failure {
    match table.column_by_name(name) {
        Some(_) => Failure::invalid(
            Place::Path(place),
            "wrong_type",
            format!(
                "'{name}' has no labels: an attribute is a column of texts, whole numbers, booleans or lists of these"
            ),
        ),
        None => {
            let names: Vec<&str> = table
                .schema_ref()
                .fields()
                .iter()
                .map(|field| field.name().as_str())
                .collect();
            Failure::invalid(
                Place::Path(place),
                "unknown_column",
                format!("the model has no column '{name}'; it has {}", names.join(", ")),
            )
        }
    }
}

/// Best first: by score, equal ones as they came; without a score last.
fn best_first(mut scored: Vec<Scored>) -> Vec<Scored> {
    scored.sort_by(|one, other| match (one.score.is_nan(), other.score.is_nan()) {
        (false, false) => other.score.total_cmp(&one.score),
        (mine, others) => mine.cmp(&others),
    });
    scored
}
