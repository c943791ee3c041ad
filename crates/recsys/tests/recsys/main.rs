//! The tests of the crate at its public boundary.

#![allow(
    clippy::unwrap_used,
    reason = "a panic is a failing test with a place; helpers are not test functions"
)]

mod conformance;
mod data;
mod evaluation;
mod metrics;
mod papers;
mod pipeline;
mod scan;

use recsys::{Dataset, DatasetBuilder, Interaction, Recommender, Settings, Training};

/// A dataset of `(user, item)` in the order of time, one second each from 1 on; its moment is 1,000.
fn dataset(events: &[(&str, &str)]) -> Dataset {
    let mut builder = DatasetBuilder::new();
    for ((user, item), time) in events.iter().zip(1..) {
        builder.event(user, item, 1.0, time);
    }
    builder.finish(1_000).unwrap()
}

fn fit(id: &str, settings: Settings, dataset: &Dataset) -> Box<dyn Recommender> {
    recsys::model(id)
        .unwrap()
        .fit(&settings, dataset, &Training::seeded(7))
        .unwrap()
}

/// The history of the items named, oldest first.
fn history(dataset: &Dataset, items: &[&str]) -> Vec<Interaction> {
    items
        .iter()
        .zip(1..)
        .map(|(item, time)| Interaction::new(dataset.items().number(item).unwrap(), time))
        .collect()
}

#[track_caller]
fn close(found: f64, wanted: f64) {
    assert!((found - wanted).abs() < 1e-4, "{found} is not {wanted}");
}
