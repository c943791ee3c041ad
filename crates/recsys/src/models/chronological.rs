//! Newest first.

use std::cmp::Reverse;

use rayon::prelude::*;

use crate::data::Dataset;
use crate::error::{Error, Result};
use crate::features::{Column, Features};
use crate::model::{
    Capabilities, Family, ModelSpec, ModelWriter, Parameter, Query, Recommender, Resolved, Training,
    check_lengths,
};
use crate::scan::{Eligible, FEW, Scored, top_k_of};

pub(crate) static SPEC: ModelSpec = ModelSpec {
    id: "chronological",
    name: "Chronological",
    family: Family::Rule,
    choose_when: "for a list of the latest, and from the first day on, when there is nothing to learn from",
    paper: "none",
    parameters: &[Parameter::text(
        "column",
        "created_at",
        "the timestamp column of the items; without such a column an item is as old as its first event",
    )],
    can: Capabilities {
        new_items: true,
        item_features: true,
        ..Capabilities::NONE
    },
    version: 1,
    fit,
    read: |reader| {
        let column = reader.text()?;
        Ok(Box::new(Chronological::new(column, reader.i64s()?)))
    },
};

/// Stands for the moment of an item that has none: half the memory of an `Option`.
const NO_TIME: i64 = i64::MIN;

#[derive(Debug)]
struct Chronological {
    column: String,
    /// [`NO_TIME`] for an item without one.
    times: Vec<i64>,
    /// The items that have a time, newest first.
    order: Vec<u32>,
}

impl Chronological {
    fn new(column: String, times: Vec<i64>) -> Self {
        let mut order: Vec<u32> = (0..times.len() as u32)
            .filter(|item| times[*item as usize] != NO_TIME)
            .collect();
        order.shrink_to_fit();
        order.par_sort_unstable_by_key(|item| (Reverse(times[*item as usize]), *item));
        Self { column, times, order }
    }
}

/// The age in days, negative; that of the future is 0.
fn recency(now: i64, time: i64) -> f32 {
    (-(now.saturating_sub(time).max(0) as f64) / 86_400.0) as f32
}

impl Recommender for Chronological {
    fn spec(&self) -> &'static ModelSpec {
        &SPEC
    }

    fn items(&self) -> usize {
        self.times.len()
    }

    /// The age in days at the moment of the query, negative. Ages below half a year differ by the second; older ones
    /// are rounded. An item of the future is new. An item without a time has no score.
    fn score(&self, query: &Query<'_>, candidates: &[u32], out: &mut [f32]) -> Result<()> {
        check_lengths(candidates, out)?;
        let new_times = query.new_items.and_then(|items| timestamps(items, &self.column));
        for (score, candidate) in out.iter_mut().zip(candidates) {
            let item = *candidate as usize;
            let time = match item.checked_sub(self.times.len()) {
                None => Some(self.times[item]).filter(|time| *time != NO_TIME),
                Some(row) => new_times.and_then(|times| times.get(row).copied().flatten()),
            };
            *score = time.map_or(f32::NAN, |time| recency(query.now, time));
        }
        Ok(())
    }

    /// Ordered by the times themselves: what a score rounds away still counts here. All of the future is equally new.
    fn retrieve(&self, query: &Query<'_>, limit: usize, eligible: Eligible<'_>) -> Result<Vec<Scored>> {
        let time = |item: &u32| self.times[*item as usize];
        let scored = |item: &u32| Scored {
            id: *item,
            score: recency(query.now, time(item)),
        };
        if let Some(only) = eligible.only
            && only.len() < self.times.len() / FEW
        {
            // Few are quicker to sort than to look for.
            let known = only.iter().take_while(|item| (*item as usize) < self.times.len());
            let mut few: Vec<u32> = known
                .filter(|item| eligible.allows(*item) && self.times[*item as usize] != NO_TIME)
                .collect();
            few.sort_unstable_by_key(|item| (Reverse(time(item).min(query.now)), *item));
            return Ok(few.iter().take(limit).map(scored).collect());
        }
        let (future, past) = self
            .order
            .split_at(self.order.partition_point(|item| time(item) >= query.now));
        let allowed = |item: &&u32| eligible.allows(**item);
        let mut found = top_k_of(future.iter().filter(allowed).map(scored), limit);
        let room = limit - found.len();
        found.extend(past.iter().filter(allowed).take(room).map(scored));
        Ok(found)
    }

    fn write(&self, writer: &mut ModelWriter) {
        writer.0.text(&self.column);
        writer.0.i64s(&self.times);
    }
}

fn timestamps<'a>(features: &'a Features, column: &str) -> Option<&'a [Option<i64>]> {
    match features.column(column)? {
        Column::Timestamp(times) => Some(times),
        _ => None,
    }
}

fn fit(settings: &Resolved, dataset: &Dataset, _training: &Training<'_>) -> Result<Box<dyn Recommender>> {
    let column = settings.text("column").to_owned();
    let features = dataset.item_features();
    let times = match timestamps(features, &column) {
        Some(times) => times.iter().map(|time| time.unwrap_or(NO_TIME)).collect(),
        None if features.column(&column).is_some() => {
            return Err(Error::settings(format!(
                "chronological.column: column {column} of the items holds no timestamps"
            )));
        }
        None => {
            let mut first = vec![NO_TIME; dataset.items().len()];
            for event in dataset.events() {
                let first = &mut first[event.item as usize];
                if *first == NO_TIME {
                    *first = event.time;
                }
            }
            first
        }
    };
    Ok(Box::new(Chronological::new(column, times)))
}
