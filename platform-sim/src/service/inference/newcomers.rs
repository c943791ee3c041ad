//! Items that a request brings along: the model has never seen them.

use std::collections::HashMap;

use datafusion::arrow::array::RecordBatch;
use recsys::Features;
use serde_json::{Map, Value};

use super::model::{DERIVED_COLUMNS, INTERACTION_COUNT, InferenceModel};
use crate::service::domain::{Column, Schema};
use crate::service::failure::{Failure, PathPart, Place, Result};
use crate::service::rows::{self, Row};

/// Items beside those of the model. The one in row `n` goes by the number `model.items().len() + n`.
pub(crate) struct Newcomers {
    ids: Vec<String>,
    /// What the request says of each; empty for a bare id.
    given: Vec<Row>,
    /// With the schema of [`InferenceModel::item_columns`].
    pub(crate) columns: RecordBatch,
    pub(crate) features: Features,
    numbers: HashMap<String, u32>,
    first: u32,
}

impl Newcomers {
    /// Those of `described` (column by column, with a column `item_id`) and of `bare` ids that the model does not
    /// know.
    pub(crate) fn read(
        model: &dyn InferenceModel,
        described: &Map<String, Value>,
        bare: &[String],
    ) -> Result<Newcomers> {
        let first = model.items().len() as u32;
        if described.is_empty() && bare.is_empty() {
            return Ok(Newcomers {
                ids: Vec::new(),
                given: Vec::new(),
                columns: RecordBatch::new_empty(model.item_columns().schema()),
                features: Features::default(),
                numbers: HashMap::new(),
                first,
            });
        }
        let mut ids: Vec<String> = Vec::new();
        let mut given: Vec<Row> = Vec::new();
        let mut numbers: HashMap<String, u32> = HashMap::new();
        // The row of the request that each newcomer came from, for the places of errors.
        let mut sources: Vec<usize> = Vec::new();
        let described = rows_of(described)?;
        let described_ids = described.iter().enumerate().map(|(row, (id, _))| (id, Some(row)));
        for (id, row) in described_ids.chain(bare.iter().map(|id| (id, None))) {
            if model.items().number(id).is_some() || numbers.contains_key(id) {
                continue;
            }
            numbers.insert(id.clone(), first + ids.len() as u32);
            ids.push(id.clone());
            given.push(row.map_or_else(Row::new, |row| described[row].1.clone()));
            sources.push(row.unwrap_or(0));
        }
        let columns = batch(model.item_columns(), "item_id", &ids, &given, |row, column| {
            vec![
                "item_features".into(),
                column.into(),
                PathPart::Index(sources[row]),
            ]
        })?;
        let features = model.item_features(&columns);
        Ok(Newcomers {
            ids,
            given,
            columns,
            features,
            numbers,
            first,
        })
    }

    /// The number of an id, the model's or a newcomer's.
    pub(crate) fn number(&self, model: &dyn InferenceModel, id: &str) -> Option<u32> {
        model.items().number(id).or_else(|| self.numbers.get(id).copied())
    }

    /// The id of a number, the model's or a newcomer's.
    pub(crate) fn id<'a>(&'a self, model: &'a dyn InferenceModel, number: u32) -> &'a str {
        match number.checked_sub(self.first) {
            None => model.items().id(number).unwrap_or_default(),
            Some(row) => &self.ids[row as usize],
        }
    }

    /// What an answer shows of an item.
    pub(crate) fn metadata(&self, model: &dyn InferenceModel, number: u32) -> Row {
        match number.checked_sub(self.first) {
            None => model.item_metadata(number),
            Some(row) => {
                let mut metadata = self.given[row as usize].clone();
                metadata.insert("item_id".to_owned(), self.ids[row as usize].clone().into());
                metadata
            }
        }
    }

    /// Whether the request says anything of this item, as opposed to naming it.
    pub(crate) fn is_described(&self, number: u32) -> bool {
        number
            .checked_sub(self.first)
            .is_none_or(|row| !self.given[row as usize].is_empty())
    }
}

/// Columns of equal length as rows with their ids.
fn rows_of(columns: &Map<String, Value>) -> Result<Vec<(String, Row)>> {
    if columns.is_empty() {
        return Ok(Vec::new());
    }
    let wrong = |column: &str, kind, message: String| {
        Failure::invalid(
            Place::Path(vec!["item_features".into(), column.into()]),
            kind,
            message,
        )
    };
    let cells = |name: &str| -> Result<&Vec<Value>> {
        columns.get(name).and_then(Value::as_array).ok_or_else(|| {
            wrong(
                name,
                "wrong_type",
                format!("{name} is a list with a value per item"),
            )
        })
    };
    if !columns.contains_key("item_id") {
        return Err(wrong(
            "item_id",
            "missing",
            "missing field `item_id`: the ids of the items, in the order of the other columns".to_owned(),
        ));
    }
    let ids = cells("item_id")?;
    let mut rows = Vec::with_capacity(ids.len());
    for (row, id) in ids.iter().enumerate() {
        let Some(id) = id.as_str() else {
            return Err(Failure::invalid(
                Place::Path(vec!["item_features".into(), "item_id".into(), row.into()]),
                "wrong_type",
                "an id is a string",
            ));
        };
        rows.push((id.to_owned(), Row::new()));
    }
    for name in columns.keys().filter(|name| *name != "item_id") {
        let values = cells(name)?;
        if values.len() != ids.len() {
            let message = format!("{name} has {} values for {} items", values.len(), ids.len());
            return Err(wrong(name, "wrong_length", message));
        }
        for ((_, row), value) in rows.iter_mut().zip(values) {
            row.insert(name.clone(), value.clone());
        }
    }
    Ok(rows)
}

/// Rows with the schema of `like`; columns that it does not have are left out, those that it derives are not taken.
/// `place` says where a request has the value of a row and a column.
pub(crate) fn batch(
    like: &RecordBatch,
    id_column: &str,
    ids: &[String],
    given: &[Row],
    place: impl Fn(usize, &str) -> Vec<PathPart>,
) -> Result<RecordBatch> {
    let derived = |name: &str| DERIVED_COLUMNS.contains(&name);
    let schema = Schema {
        declared: false,
        columns: like
            .schema_ref()
            .fields()
            .iter()
            .map(|field| Column {
                name: field.name().clone(),
                value_type: rows::value_type(field),
            })
            .collect(),
    };
    let full: Vec<Row> = ids
        .iter()
        .zip(given)
        .map(|(id, row)| {
            let mut full: Row = row
                .iter()
                .filter(|(name, _)| !derived(name))
                .map(|(name, value)| (name.clone(), value.clone()))
                .collect();
            full.insert(id_column.to_owned(), id.clone().into());
            if schema.column(INTERACTION_COUNT).is_some() {
                full.insert(INTERACTION_COUNT.to_owned(), 0.into());
            }
            full
        })
        .collect();
    rows::encode(&schema, &[], &full).map_err(|violations| {
        let placed = violations.into_iter().map(|mut violation| {
            if let Place::Cell { row, column } = &violation.place {
                violation.place = Place::Path(place(*row, column));
            }
            violation
        });
        Failure::Invalid(placed.collect())
    })
}
