//! The online store: what came in since a model was trained, so that the next answer knows it.
//!
//! The metadata keeps the rows, see `VERSION_4` and `VERSION_5` there; this is the copy that answers read. How many
//! interactions of a user stay, and how long, is a matter of the model: [`OnlineLimits`].
//!
//! A row that takes the place of another one, by the unique keys of its dataset, is not a further event: the event of
//! the other row goes, be it here or, where the columns of the event tell which it is, in what the training saw.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use chrono::Utc;
use datafusion::arrow::array::{Array, ArrayRef, RecordBatch, StringArray};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::columns::{numbers, seconds, texts};
use super::finite_label;
use crate::service::domain::{Cell, LiveEvents, OnlineLimits};
use crate::service::rows::cell;

/// An interaction that came in.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct OnlineEvent {
    pub(crate) item: String,
    /// NaN for a missing one.
    pub(crate) label: f32,
    /// Unix seconds.
    pub(crate) time: i64,
    /// Tells the row from others of its dataset, if the dataset has unique keys.
    pub(crate) key: Option<Key>,
    /// Which older events of the user this one replaces.
    pub(crate) replaces: Option<Replaces>,
}

/// A digest of the values of the unique keys of a row.
pub(crate) type Key = [u8; 16];

/// The older events of a user that an event stands in place of: those that are equal to it in all that is named here.
/// Only where the unique keys are columns of the event; otherwise nobody can tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Replaces {
    pub(crate) same_item: bool,
    pub(crate) same_time: bool,
    pub(crate) same_label: bool,
}

impl Replaces {
    /// As the metadata has it.
    pub(crate) fn to_bits(self) -> i64 {
        i64::from(self.same_item) | i64::from(self.same_time) << 1 | i64::from(self.same_label) << 2
    }

    pub(crate) fn from_bits(bits: i64) -> Replaces {
        Replaces {
            same_item: bits & 1 != 0,
            same_time: bits & 2 != 0,
            same_label: bits & 4 != 0,
        }
    }
}

/// What a row that came in means.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Arrival {
    /// The row takes the place of whatever had this key.
    pub(crate) key: Option<Key>,
    /// The user and the event; a row without a user or an item is none.
    pub(crate) event: Option<(String, OnlineEvent)>,
}

impl Arrival {
    /// An event that was kept.
    pub(crate) fn kept(user: String, event: OnlineEvent) -> Arrival {
        Arrival {
            key: event.key,
            event: Some((user, event)),
        }
    }
}

/// The newest interactions of a model's users.
#[derive(Debug, Default)]
pub(crate) struct OnlineUsers {
    inner: RwLock<Interactions>,
}

#[derive(Debug, Default)]
struct Interactions {
    users: HashMap<String, Vec<OnlineEvent>>,
    /// The user who has the event of a key.
    keys: HashMap<Key, String>,
    limits: OnlineLimits,
}

/// The online stores of all models.
#[derive(Debug, Default)]
pub(crate) struct OnlineStores {
    models: RwLock<HashMap<i64, Feed>>,
}

/// A store, and where its events come from.
#[derive(Debug, Default)]
struct Feed {
    live: Option<LiveEvents>,
    users: Arc<OnlineUsers>,
}

impl OnlineStores {
    /// The store of a model, empty for a new one.
    pub(crate) fn of(&self, model: i64) -> Arc<OnlineUsers> {
        let models = self.models.read().unwrap_or_else(PoisonError::into_inner);
        models
            .get(&model)
            .map(|feed| Arc::clone(&feed.users))
            .unwrap_or_default()
    }

    /// Says where a model's events come from, and what is kept of them. When they come from elsewhere than before, what
    /// came in is forgotten.
    pub(crate) fn feed(
        &self,
        model: i64,
        live: Option<LiveEvents>,
        limits: OnlineLimits,
    ) -> Arc<OnlineUsers> {
        let mut models = self.models.write().unwrap_or_else(PoisonError::into_inner);
        let feed = models.entry(model).or_default();
        // The same store as before: a model that serves holds on to it.
        let mut inner = feed.users.inner.write().unwrap_or_else(PoisonError::into_inner);
        if feed.live != live {
            feed.live = live;
            *inner = Interactions::default();
        }
        inner.limits = limits;
        drop(inner);
        Arc::clone(&feed.users)
    }

    pub(crate) fn forget(&self, model: i64) {
        let mut models = self.models.write().unwrap_or_else(PoisonError::into_inner);
        models.remove(&model);
    }

    /// The models that a dataset feeds, and how.
    pub(crate) fn fed_by(&self, dataset: &str) -> Vec<(i64, LiveEvents, Arc<OnlineUsers>)> {
        let models = self.models.read().unwrap_or_else(PoisonError::into_inner);
        models
            .iter()
            .filter_map(|(model, feed)| {
                let live = feed.live.as_ref().filter(|live| live.dataset == dataset)?;
                Some((*model, live.clone(), Arc::clone(&feed.users)))
            })
            .collect()
    }
}

/// What a change of the copy means for the table, to be done in this order.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Change {
    Keep(String, OnlineEvent),
    Drop(String, OnlineEvent),
}

impl OnlineUsers {
    /// What is kept of a user, oldest first, without what is too old by now.
    pub(crate) fn of(&self, user: &str) -> Vec<OnlineEvent> {
        let inner = self.inner.read().unwrap_or_else(PoisonError::into_inner);
        let oldest = oldest(inner.limits);
        let events = inner.users.get(user).map(Vec::as_slice).unwrap_or_default();
        // More than may be kept, where the limit was lowered since they came in.
        let surplus = events.len().saturating_sub(inner.limits.most_per_user);
        events[surplus..]
            .iter()
            .filter(|event| event.time >= oldest)
            .cloned()
            .collect()
    }

    /// Adds interactions and says what became of them and of older ones.
    pub(crate) fn add(&self, arrivals: Vec<Arrival>) -> Vec<Change> {
        let mut changes = Vec::new();
        let mut inner = self.inner.write().unwrap_or_else(PoisonError::into_inner);
        let oldest = oldest(inner.limits);
        for arrival in arrivals {
            if let Some((user, event)) = arrival.key.and_then(|key| inner.take(&key)) {
                changes.push(Change::Drop(user, event));
            }
            match arrival.event {
                Some((user, event)) if event.time >= oldest => inner.keep(user, event, &mut changes),
                _ => {}
            }
        }
        changes
    }
}

impl Interactions {
    /// Takes the event of a key out.
    fn take(&mut self, key: &Key) -> Option<(String, OnlineEvent)> {
        let user = self.keys.remove(key)?;
        let events = self.users.get_mut(&user)?;
        let place = events.iter().position(|event| event.key.as_ref() == Some(key))?;
        let event = events.remove(place);
        Some((user, event))
    }

    fn keep(&mut self, user: String, event: OnlineEvent, changes: &mut Vec<Change>) {
        let events = self.users.entry(user.clone()).or_default();
        let mut forgotten = None;
        let same = |one: &OnlineEvent| one.time == event.time && one.item == event.item;
        if let Some(known) = events.iter_mut().find(|one| same(one)) {
            // Said again, perhaps with another label.
            forgotten = std::mem::replace(known, event.clone()).key;
        } else {
            let place = events.partition_point(|one| one.time <= event.time);
            events.insert(place, event.clone());
        }
        let too_many = events.len().saturating_sub(self.limits.most_per_user);
        let surplus: Vec<OnlineEvent> = events.drain(..too_many).collect();
        forgotten.and_then(|key| self.keys.remove(&key));
        if let Some(key) = event.key {
            self.keys.insert(key, user.clone());
        }
        changes.push(Change::Keep(user.clone(), event));
        for surplus in surplus {
            surplus.key.and_then(|key| self.keys.remove(&key));
            changes.push(Change::Drop(user.clone(), surplus));
        }
    }
}

/// The earliest time that is kept, in Unix seconds.
pub(crate) fn oldest(limits: OnlineLimits) -> i64 {
    Utc::now().timestamp() - limits.days * 86_400
}

/// What rows mean that came into a dataset with these unique keys. An event without a time happened now.
pub(crate) fn arrivals(
    live: &LiveEvents,
    unique_keys: &[String],
    rows: &RecordBatch,
) -> anyhow::Result<Vec<Arrival>> {
    let values = |cell: &Cell| -> Option<ArrayRef> {
        match cell {
            Cell::Column(name) => rows.column_by_name(name).cloned(),
            Cell::Constant(text) => Some(Arc::new(StringArray::from(vec![text.as_str(); rows.num_rows()]))),
        }
    };
    let keys = row_keys(unique_keys, rows);
    let replaces = replaces(live, unique_keys);
    // A column that no row has had so far is all null.
    let (Some(users), Some(items)) = (values(&live.user), values(&live.item)) else {
        return Ok(Vec::new());
    };
    let (users, items) = (texts(&users)?, texts(&items)?);
    let labels = match values(&live.label) {
        Some(column) => numbers(&column)?,
        None => vec![None; rows.num_rows()],
    };
    let times = match values(&live.time) {
        Some(column) => seconds(&column)?,
        None => vec![None; rows.num_rows()],
    };
    let now = Utc::now().timestamp();
    let arrivals = (0..rows.num_rows()).map(|row| {
        let key = keys.as_ref().map(|keys| keys[row]);
        let event = (users.is_valid(row) && items.is_valid(row)).then(|| {
            let event = OnlineEvent {
                item: items.value(row).to_owned(),
                label: finite_label(labels[row]),
                time: times[row].unwrap_or(now),
                key,
                replaces,
            };
            (users.value(row).to_owned(), event)
        });
        Arrival { key, event }
    });
    Ok(arrivals.collect())
}

/// The digests of the rows' keys, if there are keys.
fn row_keys(unique_keys: &[String], rows: &RecordBatch) -> Option<Vec<Key>> {
    if unique_keys.is_empty() {
        return None;
    }
    let columns: Vec<_> = unique_keys
        .iter()
        .map(|name| {
            Some((
                rows.schema_ref().field_with_name(name).ok()?,
                rows.column_by_name(name)?,
            ))
        })
        .collect();
    let keys = (0..rows.num_rows()).map(|row| {
        let values: Vec<Value> = columns
            .iter()
            .map(|column| column.map_or(Value::Null, |(field, column)| cell(field, column, row)))
            .collect();
        let digest = Sha256::digest(Value::from(values).to_string());
        let mut key = Key::default();
        key.iter_mut()
            .zip(digest)
            .for_each(|(byte, digested)| *byte = digested);
        key
    });
    Some(keys.collect())
}

/// What the unique keys say of the older events of a user.
fn replaces(live: &LiveEvents, unique_keys: &[String]) -> Option<Replaces> {
    let is = |cell: &Cell, key: &String| matches!(cell, Cell::Column(name) if name == key);
    let parts = [&live.user, &live.item, &live.time, &live.label];
    let told = |key: &String| parts.iter().any(|part| is(part, key));
    if unique_keys.is_empty() || !unique_keys.iter().all(told) {
        return None;
    }
    let has = |part: &Cell| unique_keys.iter().any(|key| is(part, key));
    Some(Replaces {
        same_item: has(&live.item),
        same_time: has(&live.time),
        same_label: has(&live.label),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(item: usize, time: i64) -> OnlineEvent {
        OnlineEvent {
            item: item.to_string(),
            label: 1.0,
            time,
            key: None,
            replaces: None,
        }
    }

    fn arrival(user: &str, event: OnlineEvent) -> Arrival {
        Arrival::kept(user.to_owned(), event)
    }

    fn dropped(changes: &[Change]) -> Vec<&str> {
        let dropped = changes.iter().filter_map(|change| match change {
            Change::Drop(_, event) => Some(event.item.as_str()),
            Change::Keep(..) => None,
        });
        dropped.collect()
    }

    #[test]
    fn the_newest_of_each_user_are_kept_in_the_order_of_time() {
        let store = OnlineUsers::default();
        let now = Utc::now().timestamp();
        let late = |item: usize| arrival("u", event(item, now - 100 + item as i64));
        let changes = store.add(
            (1..=OnlineLimits::default().most_per_user + 2)
                .rev()
                .map(late)
                .collect(),
        );
        assert_eq!(changes.len(), OnlineLimits::default().most_per_user + 4);
        assert_eq!(dropped(&changes), ["2", "1"]);
        let kept = store.of("u");
        assert_eq!(kept.len(), OnlineLimits::default().most_per_user);
        assert!(kept.is_sorted_by_key(|one| one.time));
        assert_eq!(kept[0].item, "3");
        assert_eq!(store.of("v"), []);
    }

    #[test]
    fn what_is_old_is_not_kept_and_what_is_said_twice_is_kept_once() {
        let store = OnlineUsers::default();
        let now = Utc::now().timestamp();
        let old = arrival("u", event(1, now - OnlineLimits::default().days * 86_400 - 5));
        assert_eq!(store.add(vec![old]), []);
        let mut again = event(2, now);
        store.add(vec![arrival("u", again.clone())]);
        again.label = 0.0;
        let changes = store.add(vec![arrival("u", again.clone())]);
        assert_eq!(changes, [Change::Keep("u".to_owned(), again.clone())]);
        assert_eq!(store.of("u"), [again]);
    }

    #[test]
    fn a_row_takes_the_place_of_the_one_with_its_key_whoever_had_it() {
        let store = OnlineUsers::default();
        let now = Utc::now().timestamp();
        let keyed = |item: usize, time: i64, key: u8| OnlineEvent {
            key: Some([key; 16]),
            ..event(item, time)
        };
        store.add(vec![
            arrival("u", keyed(1, now - 9, 7)),
            arrival("u", keyed(2, now - 8, 8)),
        ]);
        let changes = store.add(vec![arrival("v", keyed(3, now, 7))]);
        assert_eq!(dropped(&changes), ["1"]);
        assert_eq!((store.of("u").len(), store.of("v").len()), (1, 1));
        // Without a user it is no event any more, and with an old time it is none to keep.
        let nobody = Arrival {
            key: Some([7; 16]),
            event: None,
        };
        assert_eq!(dropped(&store.add(vec![nobody.clone()])), ["3"]);
        assert_eq!(store.add(vec![nobody]), []);
        let old = keyed(2, now - OnlineLimits::default().days * 86_400 - 5, 8);
        assert_eq!(dropped(&store.add(vec![arrival("u", old)])), ["2"]);
        assert_eq!(store.of("u"), []);
        // A key goes with its event: what comes later under it displaces nothing.
        let many = (0..=OnlineLimits::default().most_per_user)
            .map(|item| arrival("w", keyed(item, now - 90 + item as i64, item as u8)));
        assert_eq!(dropped(&store.add(many.collect())), ["0"]);
        assert_eq!(
            dropped(&store.add(vec![arrival("x", keyed(5, now, 0))])),
            Vec::<&str>::new()
        );
    }

    #[test]
    fn rows_become_events_by_the_columns_that_the_statement_names() {
        let users: ArrayRef = Arc::new(StringArray::from(vec![Some("u"), None]));
        let items: ArrayRef = Arc::new(StringArray::from(vec!["a", "b"]));
        let rows = RecordBatch::try_from_iter([("buyer", users), ("sku", items)]).unwrap();
        let column = |name: &str| Cell::Column(name.to_owned());
        let live = LiveEvents {
            dataset: "orders".to_owned(),
            user: column("buyer"),
            item: column("sku"),
            label: Cell::Constant("1".to_owned()),
            time: Cell::Constant("1970-01-01T00:00:07Z".to_owned()),
        };
        let found = arrivals(&live, &[], &rows).unwrap();
        assert_eq!((found[0].key, &found[1].event), (None, &None));
        let expected = OnlineEvent {
            item: "a".to_owned(),
            label: 1.0,
            time: 7,
            key: None,
            replaces: None,
        };
        assert_eq!(found[0].event, Some(("u".to_owned(), expected)));

        let keys = |names: &[&str]| -> Vec<String> { names.iter().map(|name| (*name).to_owned()).collect() };
        let by = |names: &[&str]| arrivals(&live, &keys(names), &rows).unwrap();
        assert_eq!(by(&["sku"])[0].key, by(&["sku"])[0].key);
        assert_ne!(by(&["sku"])[0].key, by(&["sku"])[1].key);
        assert_ne!(by(&["sku"])[0].key, by(&["sku", "buyer"])[0].key);
        let replaces = |names: &[&str]| by(names)[0].event.as_ref().unwrap().1.replaces;
        let per_item = Replaces {
            same_item: true,
            same_time: false,
            same_label: false,
        };
        assert_eq!(replaces(&["buyer", "sku"]), Some(per_item));
        assert_eq!(Replaces::from_bits(per_item.to_bits()), per_item);
        assert_eq!(
            replaces(&["buyer", "sku", "order"]),
            None,
            "the event does not have the order"
        );
        assert_eq!(replaces(&[]), None);
    }
}
