//! How good a model is: a part of the events is held back, and the model is asked for it.

use std::collections::{BTreeMap, HashSet};

use rayon::prelude::*;

use crate::data::{Dataset, Event, Interaction};
use crate::error::{Error, Result};
use crate::metrics::{
    Gain, Relevant, auc, average_popularity, average_precision, content_relevance, coverage, gini, hit_rate,
    mean, ndcg, novelty, personalization, popularity_percentiles, precision, recall, reciprocal_rank,
};
use crate::model::{Query, Recommender};
use crate::random::{below, bits};
use crate::scan::{NumberSet, Scored};

/// How events are divided into those to learn from and those to be found.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Split {
    /// Of each user's events the latest share is held back, one at least and never all. Other people's later events
    /// stay in the training.
    User {
        /// In 0..1.
        share: f64,
    },
    /// The latest share of all events is held back: one moment divides what is known from what is not.
    Global {
        /// In 0..1.
        share: f64,
    },
}

/// Which items the relevant ones have to beat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum CandidateSource {
    /// The held-back items of the users who are asked together, 256 at a time.
    BatchIids,
    /// Items with an event in the training.
    TrainIids,
    /// Items with an event among those held back.
    TestIids,
    /// The whole catalogue.
    AllIids,
    /// So many irrelevant items, drawn uniformly for each user, and the relevant ones.
    NegativeSampledIids {
        /// How many irrelevant items.
        negatives: usize,
    },
}

/// How to evaluate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EvaluationConfig {
    /// The cut-off of every metric that has one.
    pub top_k: usize,
    /// What the relevant items have to beat.
    pub candidate_source: CandidateSource,
    /// Whether items of the training's history leave the candidates and the relevant ones.
    pub filter_seen: bool,
    /// At most so many users are asked, chosen by the seed; 0 asks all of them.
    pub max_users: usize,
    /// For the choice of users and of negatives.
    pub seed: u64,
}

impl Default for EvaluationConfig {
    fn default() -> Self {
        Self {
            top_k: 50,
            candidate_source: CandidateSource::NegativeSampledIids { negatives: 100 },
            filter_seen: true,
            max_users: 0,
            seed: 0,
        }
    }
}

/// What came out. Values are means over the users that have one.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// The cut-off.
    pub top_k: usize,
    /// Users who were asked.
    pub users: usize,
    /// Users who have held-back events but no relevant item: they count in the metrics of breadth only.
    pub users_without_relevant: usize,
    /// By name: `ndcg`, `map`, `mrr`, `precision`, `recall`, `hit_rate`, `auc`, `coverage`, `gini`,
    /// `personalization`, `average_popularity`, `popularity_percentile`, `novelty`, and `content_relevance` where the
    /// caller gave vectors. A metric that no user has a value of is absent.
    pub values: BTreeMap<&'static str, f64>,
}

/// The two parts of a dataset: one to fit on, and the events to be found.
#[derive(Debug, Clone, PartialEq)]
pub struct Parts {
    /// The dataset without the held-back events; its `now` is the moment of the first of them if one moment divides
    /// the two, and else that of the whole.
    pub train: Dataset,
    /// The held-back events, oldest first.
    pub held: Vec<Event>,
}

/// Divides the events of a dataset.
///
/// # Errors
/// [`ErrorKind::Argument`](crate::ErrorKind::Argument) if the share is not between 0 and 1.
pub fn split(dataset: &Dataset, split: Split) -> Result<Parts> {
    let (Split::User { share } | Split::Global { share }) = split;
    if !(0.0..=1.0).contains(&share) {
        return Err(Error::argument(format!(
            "a share of {share} is not between 0 and 1"
        )));
    }
    let events = dataset.events();
    let mut train = Vec::with_capacity(events.len());
    let mut held = Vec::new();
    match split {
        Split::User { .. } => {
            let mut left = vec![0usize; dataset.users().len()];
            for event in events {
                left[event.user as usize] += 1;
            }
            let totals = left.clone();
            for event in events {
                let user = event.user as usize;
                let total = totals[user];
                let wanted = if total < 2 {
                    0
                } else {
                    ((share * total as f64).round() as usize).clamp(1, total - 1)
                };
                if left[user] > wanted {
                    train.push(*event);
                } else {
                    held.push(*event);
                }
                left[user] -= 1;
            }
            Ok(Parts {
                train: dataset.with_events(train, dataset.now()),
                held,
            })
        }
        Split::Global { .. } => {
            let count = events.len() - (share * events.len() as f64).round() as usize;
            // Events of one second stay together, on the side of the held-back ones.
            let moment = events.get(count).map(|event| event.time);
            for event in events {
                if moment.is_none_or(|moment| event.time < moment) {
                    train.push(*event);
                } else {
                    held.push(*event);
                }
            }
            let now = moment.unwrap_or(dataset.now());
            Ok(Parts {
                train: dataset.with_events(train, now),
                held,
            })
        }
    }
}

/// Labels up to it are grades, and a grade is worth `2^grade - 1`; larger ones are amounts, and worth what they are.
const LARGEST_GRADE: f32 = 10.0;

/// Users that are asked together, for [`CandidateSource::BatchIids`].
const BATCH: usize = 256;

/// Asks a model, fitted on [`Parts::train`], for the held-back events of every user.
///
/// nDCG takes labels as grades with an exponential gain, or with a linear one if any held-back label exceeds 10.
/// `vectors`, one per item, are what `content_relevance` compares; take another encoder than the model's own.
///
/// # Errors
/// As [`Recommender::score`].
pub fn evaluate(
    model: &dyn Recommender,
    parts: &Parts,
    config: &EvaluationConfig,
    vectors: Option<&crate::Matrix>,
) -> Result<Report> {
    evaluate_scores(
        &|query, candidates, out| model.score(query, candidates, out),
        parts,
        config,
        vectors,
    )
}

/// What [`Recommender::score`] does, by whoever does it: one score per candidate, NaN for no opinion.
pub type Scorer<'a> = dyn Fn(&Query<'_>, &[u32], &mut [f32]) -> Result<()> + Sync + 'a;

/// [`evaluate`] for scores that no single model gives, such as a mix of several.
///
/// # Errors
/// Those of the scorer.
pub fn evaluate_scores(
    score: &Scorer<'_>,
    parts: &Parts,
    config: &EvaluationConfig,
    vectors: Option<&crate::Matrix>,
) -> Result<Report> {
    let train = &parts.train;
    let histories = train.histories();
    let counts = train.item_counts();
    let percentiles = popularity_percentiles(&counts);
    let mut held: BTreeMap<u32, Vec<&Event>> = BTreeMap::new();
    for event in &parts.held {
        held.entry(event.user).or_default().push(event);
    }
    let mut users: Vec<(u32, Vec<&Event>)> = held.into_iter().collect();
    if config.max_users > 0 && users.len() > config.max_users {
        users.sort_by_key(|(user, _)| bits(config.seed, 1, u64::from(*user)));
        users.truncate(config.max_users);
        users.sort_by_key(|(user, _)| *user);
    }
    let catalogue = train.items().len() as u32;
    let shared: Vec<u32> = match config.candidate_source {
        CandidateSource::AllIids => (0..catalogue).collect(),
        CandidateSource::TrainIids => {
            let seen: HashSet<u32> = train.events().iter().map(|event| event.item).collect();
            sorted(seen)
        }
        CandidateSource::TestIids => sorted(parts.held.iter().map(|event| event.item).collect()),
        CandidateSource::BatchIids | CandidateSource::NegativeSampledIids { .. } => Vec::new(),
    };

    let mut outcomes: Vec<Outcome> = Vec::with_capacity(users.len());
    for batch in users.chunks(BATCH) {
        let of_batch = match config.candidate_source {
            CandidateSource::BatchIids => sorted(
                batch
                    .iter()
                    .flat_map(|(_, events)| events.iter().map(|event| event.item))
                    .collect(),
            ),
            _ => Vec::new(),
        };
        let found: Vec<Outcome> = batch
            .par_iter()
            .map(|(user, events)| {
                let history = &histories.of(*user);
                let seen = NumberSet::new(history.iter().map(|one| one.item));
                let known = |item: u32| config.filter_seen && seen.contains(item);
                let relevant = Relevant::graded(
                    events
                        .iter()
                        .filter(|event| !known(event.item))
                        .map(|event| (event.item, f64::from(event.label))),
                );
                let mut candidates = match config.candidate_source {
                    CandidateSource::BatchIids => of_batch.clone(),
                    CandidateSource::NegativeSampledIids { negatives } => {
                        sampled(&relevant, &known, negatives, catalogue, config.seed, *user)
                    }
                    _ => shared.clone(),
                };
                candidates.retain(|item| !known(*item));
                outcome(score, train, *user, history, relevant, candidates, config.top_k)
            })
            .collect::<Result<_>>()?;
        outcomes.extend(found);
    }

    let k = config.top_k;
    let lists: Vec<Vec<u32>> = outcomes.iter().map(|outcome| outcome.list.clone()).collect();
    let eligible: HashSet<u32> = match config.candidate_source {
        CandidateSource::TrainIids | CandidateSource::TestIids => shared.into_iter().collect(),
        _ => (0..catalogue).collect(),
    };
    let gain = if parts.held.iter().all(|event| event.label <= LARGEST_GRADE) {
        Gain::Exponential
    } else {
        Gain::Linear
    };
    let of_users = |value: &dyn Fn(&Outcome) -> Option<f64>| mean(outcomes.iter().filter_map(value));
    let values = [
        ("ndcg", of_users(&|o| ndcg(&o.list, &o.relevant, k, gain))),
        ("map", of_users(&|o| average_precision(&o.list, &o.relevant, k))),
        ("mrr", of_users(&|o| reciprocal_rank(&o.list, &o.relevant, k))),
        ("precision", of_users(&|o| precision(&o.list, &o.relevant, k))),
        ("recall", of_users(&|o| recall(&o.list, &o.relevant, k))),
        ("hit_rate", of_users(&|o| hit_rate(&o.list, &o.relevant, k))),
        ("auc", of_users(&|o| o.auc)),
        ("coverage", coverage(&lists, &eligible, k)),
        ("gini", gini(&lists, &eligible, k)),
        ("personalization", personalization(&lists, k)),
        (
            "average_popularity",
            of_users(&|o| average_popularity(&o.list, k, |item| f64::from(counts[item as usize]))),
        ),
        (
            "popularity_percentile",
            of_users(&|o| average_popularity(&o.list, k, |item| percentiles[item as usize])),
        ),
        ("novelty", of_users(&|o| novelty(&o.list, k, &counts))),
        (
            "content_relevance",
            vectors.and_then(|vectors| {
                of_users(&|o| content_relevance(&o.list, &last_items(&histories.of(o.user)), k, vectors))
            }),
        ),
    ];
    Ok(Report {
        top_k: k,
        users: outcomes.len(),
        users_without_relevant: outcomes
            .iter()
            .filter(|outcome| outcome.relevant.is_empty())
            .count(),
        values: values
            .into_iter()
            .filter_map(|(name, value)| Some((name, value?)))
            .collect(),
    })
}

struct Outcome {
    user: u32,
    relevant: Relevant,
    list: Vec<u32>,
    auc: Option<f64>,
}

fn outcome(
    score: &Scorer<'_>,
    train: &Dataset,
    user: u32,
    history: &[Interaction],
    relevant: Relevant,
    candidates: Vec<u32>,
    top_k: usize,
) -> Result<Outcome> {
    let mut scores = vec![0.0; candidates.len()];
    score(
        &Query::new(Some(user), history, train.now()),
        &candidates,
        &mut scores,
    )?;
    let scored = candidates.iter().zip(&scores);
    let auc = auc(
        &scored
            .clone()
            .map(|(item, score)| (*item, *score))
            .collect::<Vec<_>>(),
        &relevant,
    );
    let list = crate::scan::top_k_of(
        scored.map(|(id, score)| Scored {
            id: *id,
            score: *score,
        }),
        top_k,
    );
    Ok(Outcome {
        user,
        relevant,
        list: list.into_iter().map(|scored| scored.id).collect(),
        auc,
    })
}

/// The relevant items and as many irrelevant ones as wanted, or as there are.
fn sampled(
    relevant: &Relevant,
    known: &dyn Fn(u32) -> bool,
    negatives: usize,
    catalogue: u32,
    seed: u64,
    user: u32,
) -> Vec<u32> {
    let mut chosen: HashSet<u32> = relevant.items().collect();
    let wanted = chosen.len() + negatives;
    // Enough tries for a sparse sample; a dense one is drawn by shuffling below.
    if negatives * 2 < catalogue as usize {
        let tries = negatives as u64 * 20;
        for index in 0..tries {
            if chosen.len() >= wanted {
                break;
            }
            let item = below(seed, 2 + u64::from(user), index, u64::from(catalogue)) as u32;
            if !known(item) {
                chosen.insert(item);
            }
        }
    }
    if chosen.len() < wanted {
        let mut rest: Vec<u32> = (0..catalogue)
            .filter(|item| !known(*item) && !chosen.contains(item))
            .collect();
        rest.sort_by_key(|item| bits(seed, 2 + u64::from(user), u64::from(*item)));
        chosen.extend(rest.into_iter().take(wanted - chosen.len()));
    }
    sorted(chosen)
}

fn sorted(items: HashSet<u32>) -> Vec<u32> {
    let mut items: Vec<u32> = items.into_iter().collect();
    items.sort_unstable();
    items
}

/// As many items as the documentation's content relevance looks at.
fn last_items(history: &[Interaction]) -> Vec<u32> {
    history.iter().rev().take(10).map(|one| one.item).collect()
}
