//! Arrow columns as expressions read them: lent, not copied.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use datafusion::arrow::array::{Array, ArrayRef, AsArray, RecordBatch, StringArray};
use datafusion::arrow::datatypes::{
    DataType, FieldRef, Float32Type, Float64Type, Int32Type, Int64Type, TimeUnit, TimestampMicrosecondType,
};
use expressions::data::{Bits, Element, Offsets, StringSource, Strings, Values};
use expressions::{Column, Schema, Type};
use recsys::NumberSet;
use serde_json::Map;

use crate::service::domain::{self, ValueType};
use crate::service::failure::{Failure, Place, Result};
use crate::service::rows::{self, Row};

/// A filter that is grammatical.
#[derive(Debug)]
pub(crate) struct Predicate {
    parsed: expressions::filter::Parsed,
}

impl Predicate {
    /// Parses the `filter_predicate` of a request.
    pub(crate) fn parse(text: &str) -> Result<Predicate> {
        let parsed = expressions::filter::parse(text, &expressions::Limits::default())
            .map_err(|error| wrong(&error))?;
        Ok(Predicate { parsed })
    }

    /// The rows for which the filter is true, by their numbers.
    pub(crate) fn passing(&self, rows: &RecordBatch) -> Result<NumberSet> {
        let (bound, columns) = self.bind(rows, None)?;
        Ok(NumberSet::new(bound.passing(&columns, rows.num_rows())?))
    }

    /// Gives the names their meaning: the filter, and the columns of `rows` that it reads. `paths` remembers what was
    /// read out of columns of JSON, for the same rows.
    pub(crate) fn bind(
        &self,
        rows: &RecordBatch,
        paths: Option<&JsonPaths>,
    ) -> Result<(Bound, Vec<ArrayRef>)> {
        let rows = with_json_paths(rows, &self.parsed.column_names(), paths);
        let readable = Readable::new(&rows);
        let filter = self
            .parsed
            .bind(&readable.schema("item"), &Map::new())
            .map_err(|error| wrong(&error))?;
        let columns = filter
            .columns()
            .iter()
            .map(|column| Arc::clone(readable.columns[column.index].1))
            .collect();
        Ok((Bound { filter }, columns))
    }
}

/// A filter whose names have a meaning.
#[derive(Debug)]
pub(crate) struct Bound {
    filter: expressions::filter::Filter,
}

impl Bound {
    /// The places in `rows` of those for which the filter is true, ascending.
    pub(crate) fn passing_of(&self, columns: &[ArrayRef], rows: &[u32]) -> Result<Vec<u32>> {
        lend(columns, |columns| {
            let chosen: Vec<Column<'_>> = columns.iter().map(|column| column.at_rows(rows)).collect();
            self.filter.select(&chosen, rows.len())
        })
        .map_err(|error| wrong(&error))
    }

    /// The rows for which the filter is true, ascending. `columns` are those that [`Predicate::bind`] gave.
    pub(crate) fn passing(&self, columns: &[ArrayRef], rows: usize) -> Result<Vec<u32>> {
        lend(columns, |columns| self.filter.select(columns, rows)).map_err(|error| wrong(&error))
    }
}

fn wrong(error: &expressions::Error) -> Failure {
    if error.kind() == expressions::ErrorKind::Data {
        return Failure::Internal(anyhow::anyhow!("a filter was bound to other columns: {error}"));
    }
    Failure::invalid(
        Place::Path(vec!["filter_predicate".into()]),
        error.kind().code(),
        error.to_string(),
    )
}

/// The columns of a batch that expressions can read.
pub(crate) struct Readable<'a> {
    columns: Vec<(&'a str, &'a ArrayRef, Type)>,
}

impl<'a> Readable<'a> {
    pub(crate) fn new(rows: &'a RecordBatch) -> Readable<'a> {
        let fields = rows.schema_ref().fields().iter();
        let columns = fields
            .zip(rows.columns())
            .filter_map(|(field, array)| {
                Some((field.name().as_str(), array, expression_type(array.data_type())?))
            })
            .collect();
        Readable { columns }
    }

    pub(crate) fn schema(&self, prefix: &str) -> Schema {
        Schema::new(self.columns.iter().map(|(name, _, kind)| (*name, *kind))).with_prefix(prefix)
    }

    /// Calls `work` with the columns at these places.
    pub(crate) fn lend<T>(&self, places: &[usize], work: impl FnOnce(&[Column<'_>]) -> T) -> T {
        let arrays: Vec<ArrayRef> = places
            .iter()
            .map(|place| self.columns[*place].1.clone())
            .collect();
        lend(&arrays, work)
    }
}

/// Calls `work` with the columns of these arrays, each of a type that [`expression_type`] knows.
fn lend<T>(arrays: &[ArrayRef], work: impl FnOnce(&[Column<'_>]) -> T) -> T {
    let lists: Vec<Option<&ArrayRef>> = arrays
        .iter()
        .map(|array| matches!(array.data_type(), DataType::List(_)).then(|| array.as_list::<i32>().values()))
        .collect();
    let list_texts: Vec<Option<Texts<'_>>> = lists.iter().map(|items| items.and_then(texts)).collect();
    let items: Vec<Option<Column<'_>>> = lists
        .iter()
        .zip(&list_texts)
        .map(|(items, texts)| items.and_then(|items| plain(items, texts.as_ref())))
        .collect();
    let own_texts: Vec<Option<Texts<'_>>> = arrays.iter().map(texts).collect();
    let columns: Vec<Column<'_>> = arrays
        .iter()
        .zip(&own_texts)
        .zip(&items)
        .map(|((array, texts), items)| match items {
            Some(items) => {
                let list = array.as_list::<i32>();
                let offsets = Offsets::Small(list.value_offsets());
                validated(Values::List { offsets, items }, array)
            }
            None => plain(array, texts.as_ref()).expect("the table of types names only what can be lent"),
        })
        .collect();
    work(&columns)
}

pub(crate) fn expression_type(data_type: &DataType) -> Option<Type> {
    Some(match data_type {
        DataType::Boolean => Type::Boolean,
        DataType::Int32 | DataType::Int64 => Type::Int64,
        DataType::Float32 | DataType::Float64 => Type::Float64,
        DataType::Utf8 => Type::Utf8,
        DataType::Timestamp(TimeUnit::Microsecond, _) => Type::Timestamp,
        DataType::List(field) => Type::List(match expression_type(field.data_type())? {
            Type::Boolean => Element::Boolean,
            Type::Int64 => Element::Int64,
            Type::Float64 => Element::Float64,
            Type::Utf8 => Element::Utf8,
            Type::Timestamp => Element::Timestamp,
            Type::List(_) | Type::Vector => return None,
        }),
        _ => return None,
    })
}

fn plain<'a>(array: &'a ArrayRef, texts: Option<&'a Texts<'a>>) -> Option<Column<'a>> {
    let values = match array.data_type() {
        DataType::Boolean => {
            let bits = array.as_boolean().values();
            Values::Boolean(Bits::Packed {
                bytes: bits.values(),
                offset: bits.offset(),
            })
        }
        DataType::Int32 => Values::Int32(array.as_primitive::<Int32Type>().values()),
        DataType::Int64 => Values::Int64(array.as_primitive::<Int64Type>().values()),
        DataType::Float32 => Values::Float32(array.as_primitive::<Float32Type>().values()),
        DataType::Float64 => Values::Float64(array.as_primitive::<Float64Type>().values()),
        DataType::Utf8 => Values::Utf8(Strings::Other(texts?)),
        DataType::Timestamp(TimeUnit::Microsecond, _) => Values::Timestamp {
            ticks: array.as_primitive::<TimestampMicrosecondType>().values(),
            per_second: 1_000_000,
        },
        _ => return None,
    };
    Some(validated(values, array))
}

fn validated<'a>(values: Values<'a>, array: &'a ArrayRef) -> Column<'a> {
    let column = Column::new(values);
    match array.nulls() {
        None => column,
        Some(nulls) => column.with_validity(Bits::Packed {
            bytes: nulls.validity(),
            offset: nulls.offset(),
        }),
    }
}

/// Texts as Arrow has them: known to be UTF-8, so they are not checked again.
struct Texts<'a>(&'a StringArray);

impl StringSource for Texts<'_> {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn get(&self, row: usize) -> &str {
        self.0.value(row)
    }
}

fn texts(array: &ArrayRef) -> Option<Texts<'_>> {
    (array.data_type() == &DataType::Utf8).then(|| Texts(array.as_string::<i32>()))
}

/// What dotted names found in the columns of JSON of some rows. Reading all the JSON of a catalogue takes far longer than
/// any filter, so it is done once per name.
#[derive(Debug, Default)]
pub(crate) struct JsonPaths {
    found: Mutex<HashMap<String, Option<(FieldRef, ArrayRef)>>>,
}

/// So many names are remembered.
const MAX_PATHS: usize = 64;

impl JsonPaths {
    fn column(&self, rows: &RecordBatch, path: &str) -> Option<(FieldRef, ArrayRef)> {
        let lock = || self.found.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(path) {
            return known.clone();
        }
        let column = json_path(rows, path);
        let mut found = lock();
        if found.len() >= MAX_PATHS {
            found.clear();
        }
        found.insert(path.to_owned(), column.clone());
        column
    }
}

/// Adds a column for each dotted name that leads into a column of JSON: `note.email` is the `email` in each `note`.
pub(crate) fn with_json_paths(
    rows: &RecordBatch,
    names: &[String],
    paths: Option<&JsonPaths>,
) -> RecordBatch {
    let found: Vec<(FieldRef, ArrayRef)> = names
        .iter()
        .map(|name| name.strip_prefix("item.").unwrap_or(name))
        .collect::<BTreeSet<&str>>()
        .into_iter()
        .filter(|path| path.contains('.') && rows.column_by_name(path).is_none())
        .filter_map(|path| match paths {
            Some(paths) => paths.column(rows, path),
            None => json_path(rows, path),
        })
        .collect();
    if found.is_empty() {
        return rows.clone();
    }
    let mut fields = rows.schema_ref().fields().to_vec();
    let mut columns = rows.columns().to_vec();
    for (field, column) in found {
        fields.push(field);
        columns.push(column);
    }
    let schema = datafusion::arrow::datatypes::Schema::new(fields);
    RecordBatch::try_new(schema.into(), columns).unwrap_or_else(|_| rows.clone())
}

/// What a dotted name finds in each row; its type is the narrowest that holds all values, as for inserted rows.
/// `None` without a value anywhere: the name stays unknown, as it does for a column that was never filled.
fn json_path(rows: &RecordBatch, path: &str) -> Option<(FieldRef, ArrayRef)> {
    let (column, inner) = path.split_once('.')?;
    let place = rows.schema_ref().index_of(column).ok()?;
    let field = rows.schema_ref().field(place);
    if rows.column(place).data_type() != &DataType::Utf8 || rows::value_type(field) != ValueType::Json {
        return None;
    }
    let cells: Vec<Row> = (0..rows.num_rows())
        .map(|row| {
            let value = inner
                .split('.')
                .try_fold(rows::cell(field, rows.column(place), row), |value, key| {
                    value.get(key).cloned()
                });
            value.map(|value| (path.to_owned(), value)).into_iter().collect()
        })
        .collect();
    let schema = rows::extend_schema(&domain::Schema::default(), &cells);
    let found = rows::encode(&schema, &[], &cells).ok()?;
    let array = found.column_by_name(path)?;
    Some((found.schema_ref().field(0).clone().into(), Arc::clone(array)))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn batch(rows: Value) -> RecordBatch {
        let rows: Vec<Row> = rows
            .as_array()
            .unwrap()
            .iter()
            .map(|row| row.as_object().unwrap().clone())
            .collect();
        rows::encode(
            &rows::extend_schema(&domain::Schema::default(), &rows),
            &[],
            &rows,
        )
        .unwrap()
    }

    #[track_caller]
    fn check(rows: &RecordBatch, predicate: &str, passing: &[u32]) {
        let found = Predicate::parse(predicate).unwrap().passing(rows).unwrap();
        let found: Vec<u32> = (0..rows.num_rows() as u32)
            .filter(|row| found.contains(*row))
            .collect();
        assert_eq!(found, passing, "{predicate}");
    }

    #[track_caller]
    fn fails(rows: &RecordBatch, predicate: &str) -> (&'static str, String) {
        let failure = match Predicate::parse(predicate) {
            Ok(parsed) => parsed.passing(rows).unwrap_err(),
            Err(failure) => failure,
        };
        let Failure::Invalid(violations) = failure else {
            panic!("{failure:?}");
        };
        assert_eq!(
            violations[0].place,
            Place::Path(vec!["filter_predicate".into()]),
            "{predicate}"
        );
        (violations[0].kind, violations[0].message.clone())
    }

    /// One column of every kind, a NULL in each.
    fn goods() -> RecordBatch {
        batch(json!([
            {"item_id": "a", "price": 12.5, "stock": 3, "sold": true, "tags": ["linen", "red"], "sizes": [1, 2], "note": {"email": "x@y", "deep": {"n": 1}}},
            {"item_id": "b", "price": 40, "stock": 0, "sold": false, "tags": [], "sizes": [2], "note": {"email": "z@y", "deep": {"n": 5}}},
            {"item_id": "c", "price": null, "stock": null, "sold": null, "tags": null, "sizes": null, "note": null},
        ]))
    }

    #[test]
    fn filters_read_every_kind_of_column() {
        let goods = goods();
        check(&goods, "price < 40", &[0]);
        check(&goods, "stock >= 0", &[0, 1]);
        check(&goods, "sold IS TRUE", &[0]);
        check(&goods, "sold IS NULL", &[2]);
        check(&goods, "item_id IN ('b', 'c')", &[1, 2]);
        check(&goods, "item.item_id = 'a'", &[0]);
        check(&goods, "array_has_any(tags, ['linen', 'cotton'])", &[0]);
        check(&goods, "array_has(sizes, 2)", &[0, 1]);
        check(&goods, "NOT price < 40", &[1]);
    }

    #[test]
    fn dotted_names_lead_into_json() {
        let goods = goods();
        check(&goods, "note.email = 'z@y'", &[1]);
        check(&goods, "note.deep.n > 0 AND price < 20", &[0]);
        assert_eq!(fails(&goods, "note.mail = 'x'").0, "expression_unknown_name");
        let paths = JsonPaths::default();
        for _ in 0..2 {
            let (_, columns) = Predicate::parse("note.email = 'z@y'")
                .unwrap()
                .bind(&goods, Some(&paths))
                .unwrap();
            assert_eq!(columns[0].as_string::<i32>().value(1), "z@y");
        }
        assert_eq!(paths.found.lock().unwrap().len(), 1);
    }

    #[test]
    fn slices_of_batches_are_read_from_their_start() {
        let goods = goods().slice(1, 2);
        check(
            &goods,
            "price = 40 AND sold IS FALSE AND array_has(sizes, 2)",
            &[0],
        );
        check(&goods, "item_id = 'c' AND tags IS NULL", &[1]);
    }

    #[test]
    fn moments_compare_with_texts_and_seconds() {
        let schema = domain::Schema {
            declared: true,
            columns: vec![domain::Column {
                name: "created_at".to_owned(),
                value_type: ValueType::DateTime,
            }],
        };
        let rows: Vec<Row> = ["2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z"]
            .iter()
            .map(|time| json!({"created_at": time}).as_object().unwrap().clone())
            .collect();
        let rows = rows::encode(&schema, &[], &rows).unwrap();
        check(&rows, "created_at >= '2026-01-15'", &[1]);
        check(&rows, "created_at < 1768435200", &[0]);
    }

    #[test]
    fn what_is_wrong_is_named_with_its_place() {
        let goods = goods();
        let (kind, message) = fails(&goods, "prise < 40");
        assert_eq!(kind, "expression_unknown_name");
        assert!(
            message.contains("prise") && message.contains("price"),
            "{message}"
        );
        assert_eq!(fails(&goods, "price <").0, "expression_syntax");
        assert_eq!(fails(&goods, "price = 'much'").0, "expression_wrong_type");
    }
}
