//! Queries over a shop whose scores are known: what comes out is computed by hand.

mod answers;
mod documents;
mod shop;

use std::time::Duration;

use serde_json::{Map, Value, json};

use self::shop::{NOW, Shop};
use super::engine::{Answer, Ask, Engine};
use super::names::Names;
use super::saved::Filled;
use crate::service::failure::{Failure, PathPart, Place, Result, Violation};

/// Answers a query with parameters, with everything that there is to say.
fn asked(shop: &Shop, query: &Value, parameters: &Value, served: &[&str]) -> Result<Answer> {
    let parameters: Map<String, Value> = parameters.as_object().unwrap().clone();
    let filled = Filled::new(query, None, &parameters).map_err(Failure::Invalid)?;
    let plan = filled.bind(&Names::of(shop)).map_err(Failure::Invalid)?;
    let engine = Engine {
        model: shop,
        now: NOW,
        seed: 3,
        clock: &|| Duration::ZERO,
    };
    let ask = Ask {
        parameters: filled.parameters.clone(),
        with_metadata: true,
        with_explanation: true,
        served: served.iter().map(|id| (*id).to_owned()).collect(),
        ..Ask::default()
    };
    engine.answer(&plan, &ask).map_err(|failure| match failure {
        Failure::Invalid(violations) => Failure::Invalid(filled.placed(violations)),
        failure => failure,
    })
}

#[track_caller]
fn answer(shop: &Shop, query: Value) -> Answer {
    asked(shop, &query, &json!({}), &[]).unwrap_or_else(|failure| panic!("{failure:?}"))
}

fn ids(answer: &Answer) -> Vec<&str> {
    answer.results.iter().map(|row| row.id.as_str()).collect()
}

/// The ids and the scores, these rounded to four places.
fn scored(answer: &Answer) -> Vec<(&str, f64)> {
    let rounded = |score: f64| (score * 1e4).round() / 1e4;
    answer
        .results
        .iter()
        .map(|row| (row.id.as_str(), rounded(row.score)))
        .collect()
}

/// All items in the order of their ids.
fn everything() -> Value {
    json!([{"type": "item_column_order", "name": "all", "columns": [{"name": "item_id"}]}])
}

/// A place as `query.retrieve.0.limit`.
fn place(violation: &Violation) -> String {
    let Place::Path(parts) = &violation.place else {
        return format!("{:?}", violation.place);
    };
    let parts: Vec<String> = parts
        .iter()
        .map(|part| match part {
            PathPart::Name(name) => name.clone(),
            PathPart::Index(index) => index.to_string(),
        })
        .collect();
    parts.join(".")
}
