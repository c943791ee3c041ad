//! What a query chooses from: all items, all users, or the items that it brings along.
//!
//! Candidates go by their places. In a whole catalogue the place is the number of the item or of the user; among items
//! that a query brings along it is that in its list.

use std::collections::HashMap;
use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, BooleanArray, RecordBatch, RecordBatchOptions, UInt32Array};
use datafusion::arrow::compute::kernels::zip::zip;
use datafusion::arrow::compute::take;
use datafusion::arrow::datatypes::{Field, Schema};
use recsys::Features;
use serde_json::Value;

use super::model::{QueryModel, Subject};
use crate::service::failure::{Failure, PathPart, Result};
use crate::service::inference::model::DERIVED_COLUMNS;
use crate::service::inference::newcomers;
use crate::service::rows::{Row, cell};

/// What a query chooses from.
pub(crate) struct Universe {
    pub(crate) subject: Subject,
    /// A row per place.
    pub(crate) columns: RecordBatch,
    given: Option<Given>,
}

/// Items that a query brings along.
struct Given {
    ids: Vec<String>,
    places: HashMap<String, u32>,
    /// The number by which policies know each: from the number of items on, a row of `features`.
    numbers: Vec<u32>,
    features: Features,
    /// What the query says of each.
    rows: Vec<Row>,
    /// How many items the model knows.
    known: u32,
}

impl Universe {
    /// All items or all users of a model.
    pub(crate) fn whole(model: &dyn QueryModel, subject: Subject) -> Universe {
        let columns = match subject {
            Subject::Item => model.item_columns().clone(),
            Subject::User => model.user_columns().clone(),
        };
        Universe {
            subject,
            columns,
            given: None,
        }
    }

    /// Some items, each once, with what the query says of them. `place` says where the query has a cell.
    pub(crate) fn of_items(
        model: &dyn QueryModel,
        items: Vec<(String, Row)>,
        place: impl Fn(usize, &str) -> Vec<PathPart>,
    ) -> Result<Universe> {
        let known = model.items().len() as u32;
        let (mut ids, mut rows, mut sources) = (Vec::new(), Vec::new(), Vec::new());
        let mut places = HashMap::new();
        for (source, (id, row)) in items.into_iter().enumerate() {
            if !places.contains_key(&id) {
                places.insert(id.clone(), ids.len() as u32);
                ids.push(id);
                rows.push(row);
                sources.push(source);
            }
        }
        let of_model: Vec<Option<u32>> = ids.iter().map(|id| model.items().number(id)).collect();
        let full: Vec<Row> = of_model
            .iter()
            .zip(&rows)
            .map(|(number, given)| {
                let mut row = number
                    .map(|number| model.item_metadata(number))
                    .unwrap_or_default();
                row.extend(given.clone());
                row
            })
            .collect();
        let batch = newcomers::batch(model.item_columns(), "item_id", &ids, &full, |row, column| {
            place(sources[row], column)
        })?;
        let columns = with_derived(model.item_columns(), &batch, &of_model)?;
        let mut numbers = Vec::with_capacity(ids.len());
        let mut strangers: Vec<u32> = Vec::new();
        for (row, number) in of_model.iter().enumerate() {
            numbers.push(number.unwrap_or_else(|| {
                strangers.push(row as u32);
                known + strangers.len() as u32 - 1
            }));
        }
        let features = model.item_features(&rows_at(&batch, &strangers)?);
        Ok(Universe {
            subject: Subject::Item,
            columns,
            given: Some(Given {
                ids,
                places,
                numbers,
                features,
                rows,
                known,
            }),
        })
    }

    /// Whether these are the items of the model, all of them.
    pub(crate) fn is_catalogue(&self) -> bool {
        self.given.is_none() && self.subject == Subject::Item
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.columns.num_rows()
    }

    /// The place of an id.
    pub(crate) fn place(&self, model: &dyn QueryModel, id: &str) -> Option<u32> {
        match (&self.given, self.subject) {
            (Some(given), _) => given.places.get(id).copied(),
            (None, Subject::Item) => model.items().number(id),
            (None, Subject::User) => model.users().number(id),
        }
    }

    /// The id at a place.
    pub(crate) fn id<'a>(&'a self, model: &'a dyn QueryModel, place: u32) -> &'a str {
        let id = match (&self.given, self.subject) {
            (Some(given), _) => given.ids.get(place as usize).map(String::as_str),
            (None, Subject::Item) => model.items().id(place),
            (None, Subject::User) => model.users().id(place),
        };
        id.unwrap_or_default()
    }

    /// The number by which the model knows what is at a place; a number beyond those it has for what it does not.
    pub(crate) fn number(&self, place: u32) -> u32 {
        match &self.given {
            Some(given) => given.numbers.get(place as usize).copied().unwrap_or(u32::MAX),
            None => place,
        }
    }

    /// Columns of the items that the model does not know, as policies read them.
    pub(crate) fn new_items(&self) -> Option<&Features> {
        let features = &self.given.as_ref()?.features;
        (features.rows() > 0).then_some(features)
    }

    /// The row of [`new_items`](Self::new_items) that belongs to a place.
    pub(crate) fn stranger(&self, place: u32) -> Option<u32> {
        let given = self.given.as_ref()?;
        self.number(place).checked_sub(given.known)
    }

    /// Everything that an answer may show of a place: all columns, or those named.
    pub(crate) fn metadata(&self, place: u32, columns: Option<&[String]>) -> Row {
        let schema = self.columns.schema_ref();
        let all = schema.fields().iter().zip(self.columns.columns());
        let mut row: Row = match columns {
            Some(names) => all
                .filter(|(field, _)| names.contains(field.name()))
                .map(|(field, column)| (field.name().clone(), value_at(field, column, place)))
                .collect(),
            None => all
                .filter(|(field, _)| !DERIVED_COLUMNS.contains(&field.name().as_str()))
                .map(|(field, column)| (field.name().clone(), value_at(field, column, place)))
                .collect(),
        };
        // Columns that the model does not have come back as they were given.
        if let (Some(given), None) = (&self.given, columns)
            && let Some(given) = given.rows.get(place as usize)
        {
            for (name, value) in given {
                row.entry(name.clone()).or_insert_with(|| value.clone());
            }
        }
        row
    }
}

fn value_at(field: &Field, column: &ArrayRef, place: u32) -> Value {
    let place = place as usize;
    if place < column.len() {
        cell(field, column, place)
    } else {
        Value::Null
    }
}

/// The rows of a batch at some places, in their order. A place beyond the batch is a row of NULLs.
pub(crate) fn rows_at(batch: &RecordBatch, places: &[u32]) -> Result<RecordBatch> {
    let count = batch.num_rows() as u32;
    let rows: UInt32Array = places
        .iter()
        .map(|place| Some(*place).filter(|place| *place < count))
        .collect();
    let taken: std::result::Result<Vec<ArrayRef>, _> = batch
        .columns()
        .iter()
        .map(|column| take(column, &rows, None))
        .collect();
    // A row of NULLs may stand where the batch itself has none.
    let fields = batch.schema_ref().fields().iter();
    let nullable: Vec<Field> = fields
        .map(|field| field.as_ref().clone().with_nullable(true))
        .collect();
    taken
        .and_then(|columns| {
            let options = RecordBatchOptions::new().with_row_count(Some(rows.len()));
            RecordBatch::try_new_with_options(Arc::new(Schema::new(nullable)), columns, &options)
        })
        .map_err(|error| Failure::Internal(anyhow::Error::new(error)))
}

/// The derived columns of the items that the model knows, the given ones for all else.
fn with_derived(known: &RecordBatch, given: &RecordBatch, numbers: &[Option<u32>]) -> Result<RecordBatch> {
    let internal = |error| Failure::Internal(anyhow::Error::new(error));
    let places: Vec<u32> = numbers.iter().map(|number| number.unwrap_or(u32::MAX)).collect();
    let is_known: BooleanArray = numbers.iter().map(|number| Some(number.is_some())).collect();
    let schema = given.schema();
    let mut columns = Vec::with_capacity(given.num_columns());
    for (field, column) in schema.fields().iter().zip(given.columns()) {
        let derived = DERIVED_COLUMNS.contains(&field.name().as_str());
        let source = known.schema_ref().index_of(field.name()).ok().filter(|_| derived);
        columns.push(match source {
            Some(index) => {
                let one = rows_at(&known.project(&[index]).map_err(internal)?, &places)?;
                zip(&is_known, one.column(0), column).map_err(internal)?
            }
            None => column.clone(),
        });
    }
    RecordBatch::try_new(schema, columns).map_err(internal)
}
