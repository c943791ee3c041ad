//! Counting: what everybody likes, liked lately, or begins to like.

use rayon::prelude::*;

use crate::codec::Reader;
use crate::data::Dataset;
use crate::error::Result;
use crate::model::{
    Capabilities, Family, ModelSpec, ModelWriter, Parameter, Query, Recommender, Resolved, Training,
    check_lengths,
};
use crate::scan::{Eligible, FEW, Scored, top_k_of};

pub(crate) static POPULAR: ModelSpec = ModelSpec {
    id: "popular",
    name: "Popular",
    family: Family::Popularity,
    choose_when: "as the baseline that every other model must beat, and for visitors of whom nothing is known",
    paper: "a count",
    parameters: &[Parameter::choice(
        "count",
        "users",
        &["users", "events", "labels"],
        "what is counted for an item: distinct users, events (of equal counts the latest leads), or the sum of the positive labels",
    )],
    can: Capabilities::NONE,
    version: 1,
    fit: fit_popular,
    read: |reader| read(&POPULAR, reader),
};

pub(crate) static RECENTLY_POPULAR: ModelSpec = ModelSpec {
    id: "recently_popular",
    name: "Recently popular",
    family: Family::Popularity,
    choose_when: "instead of popular where what was liked long ago says little: news, feeds, seasons",
    paper: "exponential decay",
    parameters: &[Parameter::float(
        "half_life_days",
        7.0,
        (1e-3, 1e5),
        "after this many days before the newest event an event counts half",
    )],
    can: Capabilities::NONE,
    version: 1,
    fit: fit_recently_popular,
    read: |reader| read(&RECENTLY_POPULAR, reader),
};

pub(crate) static RISING_POPULARITY: ModelSpec = ModelSpec {
    id: "rising_popularity",
    name: "Rising popularity",
    family: Family::Popularity,
    choose_when: "to show what gains attention now, which a count of all attention hides",
    paper: "the difference of two Poisson counts in units of its standard deviation",
    parameters: &[
        Parameter::float(
            "window_days",
            7.0,
            (1e-3, 1e5),
            "the length of the latest window, which ends with the newest event, and of the one before it that it is compared with",
        ),
        Parameter::int(
            "minimum_count",
            3,
            (0, 1_000_000_000),
            "an item with fewer events in the latest window has not risen",
        ),
    ],
    can: Capabilities::NONE,
    version: 1,
    fit: fit_rising_popularity,
    read: |reader| read(&RISING_POPULARITY, reader),
};

const DAY: f64 = 86_400.0;

/// What the most popular item has more than one that nobody took, among equals in a trend. Too little to outweigh
/// anything that happened lately.
const TIE_BREAK: f64 = 1e-6;

/// One score per item, for everybody.
#[derive(Debug)]
struct TopList {
    spec: &'static ModelSpec,
    scores: Vec<f32>,
    /// The items that have a score, best first.
    order: Vec<u32>,
}

impl TopList {
    fn new(spec: &'static ModelSpec, scores: Vec<f32>) -> Self {
        let scored = |item: u32| Scored {
            id: item,
            score: scores[item as usize],
        };
        let mut order: Vec<u32> = (0..scores.len() as u32)
            .filter(|item| !scores[*item as usize].is_nan())
            .collect();
        order.shrink_to_fit();
        order.par_sort_unstable_by(|one, other| scored(*one).order(&scored(*other)));
        Self { spec, scores, order }
    }
}

impl Recommender for TopList {
    fn spec(&self) -> &'static ModelSpec {
        self.spec
    }

    fn items(&self) -> usize {
        self.scores.len()
    }

    fn score(&self, _query: &Query<'_>, candidates: &[u32], out: &mut [f32]) -> Result<()> {
        check_lengths(candidates, out)?;
        for (score, candidate) in out.iter_mut().zip(candidates) {
            *score = self.scores.get(*candidate as usize).copied().unwrap_or(f32::NAN);
        }
        Ok(())
    }

    fn retrieve(&self, _query: &Query<'_>, limit: usize, eligible: Eligible<'_>) -> Result<Vec<Scored>> {
        if let Some(only) = eligible.only
            && only.len() < self.scores.len() / FEW
        {
            // Few are quicker to sort than to look for.
            let known = only
                .iter()
                .take_while(|item| (*item as usize) < self.scores.len());
            let allowed = known.filter(|item| eligible.allows(*item));
            let scored = allowed.map(|id| Scored {
                id,
                score: self.scores[id as usize],
            });
            return Ok(top_k_of(scored, limit));
        }
        let eligible = self.order.iter().filter(|item| eligible.allows(**item));
        Ok(eligible
            .take(limit)
            .map(|item| Scored {
                id: *item,
                score: self.scores[*item as usize],
            })
            .collect())
    }

    fn write(&self, writer: &mut ModelWriter) {
        writer.0.f32s(&self.scores);
    }
}

fn read(spec: &'static ModelSpec, reader: &mut Reader<'_>) -> Result<Box<dyn Recommender>> {
    Ok(Box::new(TopList::new(spec, reader.f32s()?)))
}

fn fit_popular(
    settings: &Resolved,
    dataset: &Dataset,
    _training: &Training<'_>,
) -> Result<Box<dyn Recommender>> {
    let mut scores = vec![0.0f64; dataset.items().len()];
    match settings.text("count") {
        "users" => {
            let preferences = dataset.preferences();
            for user in 0..preferences.rows() {
                for (item, _) in preferences.row_pairs(user) {
                    scores[item as usize] += 1.0;
                }
            }
        }
        count => {
            for event in dataset.events().iter().filter(|event| event.label > 0.0) {
                scores[event.item as usize] += if count == "labels" {
                    f64::from(event.label)
                } else {
                    1.0
                };
            }
        }
    }
    if settings.text("count") != "labels" {
        // Of equal counts the one with the later last event leads, by less than half a count. Events of one moment
        // are equally late.
        let steps = dataset.events().len() as f64 + 1.0;
        let mut latest = vec![0.0; scores.len()];
        let (mut moments, mut moment) = (0.0, None);
        for event in dataset.events() {
            if moment != Some(event.time) {
                moment = Some(event.time);
                moments += 1.0;
            }
            if event.label > 0.0 {
                latest[event.item as usize] = moments / steps;
            }
        }
        for (score, latest) in scores.iter_mut().zip(latest) {
            *score += 0.5 * latest;
        }
    }
    Ok(top_list(&POPULAR, &scores))
}

/// The moment that trends are measured from: that of the training, or of the newest event where that is older, because
/// data that end in the past have their trends at their end.
fn latest_moment(dataset: &Dataset) -> i64 {
    let newest = dataset.events().last().map_or(i64::MAX, |event| event.time);
    dataset.now().min(newest)
}

/// Of items that are equal in a trend, such as those without a part in it, the more popular leads.
fn break_ties(scores: &mut [f64], dataset: &Dataset) {
    let mut counts = vec![0.0f64; scores.len()];
    for event in dataset.events().iter().filter(|event| event.label > 0.0) {
        counts[event.item as usize] += 1.0;
    }
    let most = counts.iter().copied().fold(1.0, f64::max);
    for (score, count) in scores.iter_mut().zip(counts) {
        *score += TIE_BREAK * count / most;
    }
}

/// `Σ 2^(-age / half_life)` over the events of an item.
fn fit_recently_popular(
    settings: &Resolved,
    dataset: &Dataset,
    _training: &Training<'_>,
) -> Result<Box<dyn Recommender>> {
    let half_life = settings.float("half_life_days") * DAY;
    let now = latest_moment(dataset);
    let mut scores = vec![0.0f64; dataset.items().len()];
    for event in dataset.events().iter().filter(|event| event.label > 0.0) {
        // An event of the future is as old as one of this moment.
        let age = now.saturating_sub(event.time).max(0) as f64;
        scores[event.item as usize] += (-age / half_life).exp2();
    }
    break_ties(&mut scores, dataset);
    Ok(top_list(&RECENTLY_POPULAR, &scores))
}

/// `(latest - before) / sqrt(latest + before + 1)`: a rise from 1 to 3 weighs less than one from 100 to 300. An item
/// without enough support counts as not rising.
fn fit_rising_popularity(
    settings: &Resolved,
    dataset: &Dataset,
    _training: &Training<'_>,
) -> Result<Box<dyn Recommender>> {
    let window = (settings.float("window_days") * DAY) as i64;
    let minimum = settings.int("minimum_count") as f64;
    let now = latest_moment(dataset);
    let mut counts = vec![(0.0f64, 0.0f64); dataset.items().len()];
    for event in dataset.events().iter().filter(|event| event.label > 0.0) {
        let age = now.saturating_sub(event.time).max(0);
        let (latest, before) = &mut counts[event.item as usize];
        if age < window {
            *latest += 1.0;
        } else if age < window.saturating_mul(2) {
            *before += 1.0;
        }
    }
    let rise = |(latest, before): &(f64, f64)| (latest - before) / (latest + before + 1.0).sqrt();
    let mut scores: Vec<f64> = counts
        .iter()
        .map(|count| {
            if count.0 < minimum {
                rise(count).min(0.0)
            } else {
                rise(count)
            }
        })
        .collect();
    break_ties(&mut scores, dataset);
    Ok(top_list(&RISING_POPULARITY, &scores))
}

fn top_list(spec: &'static ModelSpec, scores: &[f64]) -> Box<dyn Recommender> {
    let scores = scores.iter().map(|score| *score as f32).collect();
    Box::new(TopList::new(spec, scores))
}
