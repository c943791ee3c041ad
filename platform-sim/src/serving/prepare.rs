//! Fetched rows, numbered and typed: what policies learn from and what a version shows.

use std::collections::HashMap;
use std::sync::Arc;

use anyhow::Context;
use datafusion::arrow::array::{Array, ArrayRef, RecordBatch, StringArray, UInt32Array};
use datafusion::arrow::compute::take;
use datafusion::arrow::datatypes::{DataType, Field, Schema};
use recsys::{Dataset, Event, Features, Ids};

use super::columns::{self, numbers, seconds, text_column, texts};
use super::{UnusableRows, finite_label};
use crate::service::domain::{FeatureColumn, LabelType, ModelConfig, ModelFeatures};

/// The rows of the fetch statements.
pub(crate) struct Fetched {
    pub(crate) events: RecordBatch,
    pub(crate) items: Option<RecordBatch>,
    pub(crate) users: Option<RecordBatch>,
    pub(crate) global_filters: Option<RecordBatch>,
    pub(crate) personal_filters: Option<RecordBatch>,
    /// Those of `ModelConfig::filters`, in their order.
    pub(crate) filters: Vec<RecordBatch>,
}

/// The rows, read.
pub(crate) struct Prepared {
    pub(crate) config: ModelConfig,
    pub(crate) dataset: Dataset,
    /// What the labels of `dataset` stood for, if they were texts.
    pub(crate) labels: Labels,
    /// One row per item in the order of their ids, with all columns.
    pub(crate) items: RecordBatch,
    /// The same without the columns that no answer shows.
    pub(crate) shown: RecordBatch,
    /// One row per user in the order of their ids.
    pub(crate) users: RecordBatch,
    pub(crate) features: ModelFeatures,
    pub(crate) filters: Filters,
    /// The moment of the training, in Unix seconds.
    pub(crate) now: i64,
    pub(crate) warnings: Vec<String>,
}

/// The rows of filters: columns `item_id`, and `user_id` of personal ones.
pub(crate) struct Filters {
    pub(crate) global: Option<RecordBatch>,
    pub(crate) personal: Option<RecordBatch>,
    pub(crate) named: Vec<RecordBatch>,
}

/// How the labels of events read.
pub(crate) enum Labels {
    /// As numbers.
    Numbers,
    /// As texts: a label is a place in this list.
    Texts(Vec<String>),
}

impl Prepared {
    /// Reads rows. `now` is the moment of the training in Unix seconds. Fails with [`UnusableRows`] when the data
    /// cannot make a model.
    pub(crate) fn read(fetched: Fetched, config: ModelConfig, now: i64) -> anyhow::Result<Prepared> {
        let given = Events::read(&fetched.events)?;
        let item_ids = match &fetched.items {
            Some(items) => catalogue(items)?,
            None => distinct(given.rows.iter().map(|event| event.item.as_str())),
        };
        let user_column = match &fetched.users {
            Some(users) => Some(text_column(users, "user_id")?),
            None => None,
        };
        let users_of_events = given.rows.iter().map(|event| event.user.as_str());
        let user_ids =
            distinct(users_of_events.chain(user_column.iter().flat_map(|ids| ids.iter().flatten())));

        let items = rows_of_ids(&item_ids, "item_id", fetched.items.as_ref())?;
        let users = rows_of_ids(&user_ids, "user_id", fetched.users.as_ref())?;
        // Vectors have a file of their own: in the metadata of an answer nobody could read them.
        let shown = match &config.embedding_field {
            Some(field) => without(&items, field)?,
            None => items.clone(),
        };
        let meanings = &config.meanings;
        let infer = |rows: &RecordBatch, ids: &[&str], said: &[FeatureColumn]| {
            let mut inferred = columns::infer(rows, ids);
            for column in &mut inferred {
                if let Some(meaning) = said.iter().find(|meaning| meaning.name == column.name) {
                    column.feature_type = meaning.feature_type;
                }
            }
            inferred
        };
        let features = ModelFeatures {
            interactions: infer(&fetched.events, &["user_id", "item_id"], &meanings.interactions),
            items: infer(&shown, &["item_id"], &meanings.items),
            users: infer(&users, &["user_id"], &meanings.users),
            label: meanings.label.unwrap_or(match given.labels {
                Labels::Numbers => columns::label_type(&given.numbers()),
                Labels::Texts(_) => LabelType::BinaryLabel,
            }),
        };
        let mut warnings = Vec::new();
        let left_out = given.outside(&item_ids);
        if left_out > 0 {
            warnings.push(format!(
                "{left_out} of {} interactions are with items that the item rows do not have; they were left out",
                given.rows.len()
            ));
        }
        let labels = given.labels.clone();
        let dataset = given.dataset(
            item_ids,
            user_ids,
            columns::features(&shown, &features.items)?,
            columns::features(&users, &features.users)?,
            now,
        )?;
        Ok(Prepared {
            config,
            dataset,
            labels,
            items,
            shown,
            users,
            features,
            filters: Filters {
                global: fetched.global_filters,
                personal: fetched.personal_filters,
                named: fetched.filters,
            },
            now,
            warnings,
        })
    }
}

impl Labels {
    /// Events as a policy learns from them: those with one of `values`, or all if there are none. Texts count 1.
    pub(crate) fn learnt(&self, dataset: &Dataset, values: &[String]) -> Option<Dataset> {
        match self {
            Labels::Numbers if values.is_empty() => None,
            Labels::Numbers => {
                let wanted: Vec<f32> = values
                    .iter()
                    .filter_map(|value| value.trim().parse().ok())
                    .collect();
                Some(dataset.relabelled(|event| wanted.contains(&event.label).then_some(event.label)))
            }
            Labels::Texts(names) => Some(dataset.relabelled(|event| {
                let name = names.get(event.label as usize);
                let learnt = values.is_empty() || name.is_some_and(|name| values.contains(name));
                learnt.then_some(1.0)
            })),
        }
    }

    /// Held-back events with labels that metrics understand.
    pub(crate) fn graded(&self, mut held: Vec<Event>) -> Vec<Event> {
        if let Labels::Texts(_) = self {
            held.iter_mut().for_each(|event| event.label = 1.0);
        }
        held
    }
}

impl Clone for Labels {
    fn clone(&self) -> Labels {
        match self {
            Labels::Numbers => Labels::Numbers,
            Labels::Texts(names) => Labels::Texts(names.clone()),
        }
    }
}

/// An event as the statement gives it.
struct GivenEvent {
    user: String,
    item: String,
    /// A number, or a place in the list of texts.
    label: f32,
    time: i64,
}

struct Events {
    rows: Vec<GivenEvent>,
    labels: Labels,
}

impl Events {
    /// Rows without a user or an item say nothing and are left out. A missing time is the beginning of time, so
    /// that such an event is the oldest.
    fn read(rows: &RecordBatch) -> anyhow::Result<Events> {
        let users = text_column(rows, "user_id")?;
        let items = text_column(rows, "item_id")?;
        let (label_values, labels) = read_labels(column(rows, "label")?)?;
        let times = seconds(column(rows, "created_at")?)?;
        let events = users
            .iter()
            .zip(items.iter())
            .zip(label_values.into_iter().zip(times));
        let rows = events
            .filter_map(|((user, item), (label, time))| {
                Some(GivenEvent {
                    user: user?.to_owned(),
                    item: item?.to_owned(),
                    label,
                    time: time.unwrap_or(0),
                })
            })
            .collect();
        Ok(Events { rows, labels })
    }

    fn numbers(&self) -> Vec<f32> {
        self.rows.iter().map(|event| event.label).collect()
    }

    /// How many are with items that nobody knows.
    fn outside(&self, items: &Ids) -> usize {
        let unknown = self
            .rows
            .iter()
            .filter(|event| items.number(&event.item).is_none());
        unknown.count()
    }

    /// Events of items that are not in the catalogue are left out.
    fn dataset(
        self,
        items: Ids,
        users: Ids,
        item_features: Features,
        user_features: Features,
        now: i64,
    ) -> anyhow::Result<Dataset> {
        let events: Vec<Event> = self
            .rows
            .iter()
            .filter_map(|event| {
                Some(Event {
                    user: users.number(&event.user)?,
                    item: items.number(&event.item)?,
                    label: event.label,
                    time: event.time,
                })
            })
            .collect();
        Ok(Dataset::new(
            users,
            items,
            events,
            item_features,
            user_features,
            now,
        )?)
    }
}

/// Labels as numbers: those of a text column that are not all numbers are places in a list, whose first place is that of
/// a missing label.
fn read_labels(column: &ArrayRef) -> anyhow::Result<(Vec<f32>, Labels)> {
    let values = numbers(column)?;
    let is_text = matches!(
        column.data_type(),
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View
    );
    let mut nulls = values.iter().enumerate().filter(|(_, value)| value.is_none());
    if is_text && nulls.any(|(row, _)| column.is_valid(row)) {
        let texts = texts(column)?;
        let mut names = vec![String::new()];
        let mut places: HashMap<&str, usize> = HashMap::new();
        let values = texts
            .iter()
            .map(|text| match text {
                None => 0.0,
                Some(text) => {
                    let place = *places.entry(text).or_insert_with(|| {
                        names.push(text.to_owned());
                        names.len() - 1
                    });
                    place as f32
                }
            })
            .collect();
        return Ok((values, Labels::Texts(names)));
    }
    Ok((values.into_iter().map(finite_label).collect(), Labels::Numbers))
}

/// The ids of the items that there are.
fn catalogue(items: &RecordBatch) -> anyhow::Result<Ids> {
    let ids = text_column(items, "item_id")?;
    if let Some(row) = ids.iter().position(|id| id.is_none()) {
        let row = row + 1;
        return Err(UnusableRows(format!(
            "the items have no item_id in row {row}; leave such rows out with WHERE item_id IS NOT NULL"
        ))
        .into());
    }
    Ok(distinct(ids.iter().flatten()))
}

/// The column of that name.
pub(super) fn column<'a>(rows: &'a RecordBatch, name: &str) -> anyhow::Result<&'a ArrayRef> {
    rows.column_by_name(name)
        .with_context(|| format!("the column {name} is missing"))
}

fn distinct<'a>(ids: impl Iterator<Item = &'a str>) -> Ids {
    let mut ids: Vec<&str> = ids.collect();
    ids.sort_unstable();
    ids.dedup();
    Ids::new(ids)
}

/// One row per id, in the order of the ids: the id as text, then the other columns of `rows`, of several rows of an id
/// the last. Columns of an id without a row are null.
fn rows_of_ids(ids: &Ids, name: &str, rows: Option<&RecordBatch>) -> anyhow::Result<RecordBatch> {
    let id_column: ArrayRef = Arc::new(StringArray::from_iter_values(ids.iter()));
    let mut fields = vec![Arc::new(Field::new(name, id_column.data_type().clone(), false))];
    let mut columns = vec![id_column];
    if let Some(rows) = rows {
        let mut last: Vec<Option<u32>> = vec![None; ids.len()];
        for (row, id) in text_column(rows, name)?.iter().enumerate() {
            if let Some(number) = id.and_then(|id| ids.number(id)) {
                let row =
                    u32::try_from(row).context("a fetch statement gives more rows than this server holds")?;
                last[number as usize] = Some(row);
            }
        }
        let places = UInt32Array::from(last);
        for (field, column) in rows.schema().fields().iter().zip(rows.columns()) {
            if field.name() != name {
                fields.push(Arc::new(field.as_ref().clone().with_nullable(true)));
                columns.push(take(column, &places, None)?);
            }
        }
    }
    Ok(RecordBatch::try_new(Arc::new(Schema::new(fields)), columns)?)
}

fn without(rows: &RecordBatch, name: &str) -> anyhow::Result<RecordBatch> {
    let schema = rows.schema();
    let kept: Vec<usize> = (0..rows.num_columns())
        .filter(|index| schema.field(*index).name() != name)
        .collect();
    Ok(rows.project(&kept)?)
}
