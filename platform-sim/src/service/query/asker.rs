//! Whoever asks: what is known of a user, and what the query says.

use datafusion::arrow::array::RecordBatch;
use recsys::{Features, Interaction, Query};
use serde_json::{Map, Value};

use super::model::QueryModel;
use crate::service::failure::{PathPart, Result};
use crate::service::inference::newcomers;

/// Whoever asks.
pub(crate) struct Asker {
    number: Option<u32>,
    /// Oldest first; what the query names comes last.
    pub(crate) history: Vec<Interaction>,
    /// One row of the users' columns.
    pub(crate) columns: RecordBatch,
    /// The columns as policies read them, where the query says anything.
    features: Option<Features>,
}

impl Asker {
    /// `interactions` are numbers of items, oldest first. `place` says where the query has a column of `features`.
    pub(crate) fn new(
        model: &dyn QueryModel,
        user: Option<&str>,
        features: &Map<String, Value>,
        interactions: impl Iterator<Item = u32>,
        now: i64,
        place: impl Fn(&str) -> Vec<PathPart>,
    ) -> Result<Asker> {
        let number = user.and_then(|user| model.users().number(user));
        let mut history = user.map(|user| model.history(user)).unwrap_or_default();
        history.extend(interactions.map(|item| Interaction::new(item, now)));
        let mut row = number
            .map(|number| model.user_metadata(number))
            .unwrap_or_default();
        row.extend(features.clone());
        let ids = [user.unwrap_or_default().to_owned()];
        let columns = newcomers::batch(model.user_columns(), "user_id", &ids, &[row], |_, column| {
            place(column)
        })?;
        let features = (!features.is_empty()).then(|| model.user_features(&columns));
        Ok(Asker {
            number,
            history,
            columns,
            features,
        })
    }

    /// As policies ask.
    pub(crate) fn query<'a>(&'a self, now: i64, new_items: Option<&'a Features>) -> Query<'a> {
        Query {
            user: self.number,
            history: &self.history,
            now,
            user_features: self.features.as_ref(),
            new_items,
        }
    }

    /// The newest items that the user liked, newest first, each once.
    pub(crate) fn newest(&self, count: usize) -> Vec<u32> {
        newest(&self.history, count)
    }
}

/// The newest items of a history that were liked, newest first, each once.
pub(crate) fn newest(history: &[Interaction], count: usize) -> Vec<u32> {
    let mut items: Vec<u32> = Vec::new();
    for one in history.iter().rev().filter(|one| one.label > 0.0) {
        if items.len() == count {
            break;
        }
        if !items.contains(&one.item) {
            items.push(one.item);
        }
    }
    items
}
