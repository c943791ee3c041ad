//! Rows on their way in (JSON objects, validated against a schema, into Arrow columns) and out (cells into JSON).
//!
//! A batch is accepted whole or not at all, and a value that is accepted comes back equal: what a column cannot
//! hold exactly, such as 2^53 + 1 in a Double, is refused rather than rounded. Float is the exception by its
//! nature: it keeps 32 bits.

use std::collections::HashMap;
use std::sync::Arc;

use chrono::{DateTime, NaiveDate, NaiveDateTime, SecondsFormat, Utc};
use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, BooleanArray, Float32Array, Float64Array, Float64Builder, Int32Array,
    Int64Array, Int64Builder, ListBuilder, RecordBatch, RecordBatchOptions, StringArray, StringBuilder,
    TimestampMicrosecondArray, new_null_array,
};
use datafusion::arrow::datatypes::{
    DataType, Field, Float32Type, Float64Type, Int32Type, Int64Type, Schema as ArrowSchema, SchemaRef,
    TimeUnit, TimestampMicrosecondType,
};
use serde_json::{Map, Value};

use super::domain::{Column, Schema, ValueType};
use super::failure::{Place, Violation};

/// A row as it arrives.
pub(crate) type Row = Map<String, Value>;

/// An answer lists at most so many wrong places: enough to mend a batch, short enough to read.
const MAX_VIOLATIONS: usize = 20;

/// Numbers below this are seconds since 1970, others milliseconds: as seconds it is the year 5138.
const EPOCH_SECONDS_LIMIT: i64 = 100_000_000_000;

/// The key under which an Arrow field remembers a column type that Arrow does not know.
const TYPE_KEY: &str = "siftwren.type";

/// Adds the columns that `rows` have and `schema` does not, with the narrowest type that holds all their values.
/// A column whose values are all null stays out until a value shows its type.
pub(crate) fn extend_schema(schema: &Schema, rows: &[Row]) -> Schema {
    let mut extended = schema.clone();
    for row in rows {
        for name in row.keys() {
            if extended.column(name).is_none() {
                let values = rows.iter().filter_map(|row| row.get(name));
                let mut guess = Guess::default();
                values.for_each(|value| guess.see(value));
                if let Some(value_type) = guess.value_type() {
                    extended.columns.push(Column {
                        name: name.clone(),
                        value_type,
                    });
                }
            }
        }
    }
    extended
}

/// Whether a value is of a type.
type Accepts = fn(&Value) -> bool;

/// What values can be taken for, the narrowest first. Json takes all.
const INFERRED: [(ValueType, Accepts); 7] = [
    (ValueType::Bool, Value::is_boolean),
    (ValueType::Int64, |value| value.as_i64().is_some()),
    (ValueType::Double, |value| exact_double(value).is_some()),
    (ValueType::String, Value::is_string),
    (ValueType::StringArray, |value| {
        all_elements(value, Value::is_string)
    }),
    (ValueType::Int64Array, |value| {
        all_elements(value, |element| element.as_i64().is_some())
    }),
    (ValueType::Float64Array, |value| {
        all_elements(value, |element| exact_double(element).is_some())
    }),
];

fn all_elements(value: &Value, accepts: fn(&Value) -> bool) -> bool {
    value.as_array().is_some_and(|items| items.iter().all(accepts))
}

/// The narrowest type that holds every value seen so far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Guess {
    any: bool,
    possible: [bool; INFERRED.len()],
}

impl Default for Guess {
    fn default() -> Guess {
        Guess {
            any: false,
            possible: [true; INFERRED.len()],
        }
    }
}

impl Guess {
    pub(crate) fn see(&mut self, value: &Value) {
        if value.is_null() {
            return;
        }
        self.any = true;
        for (possible, (_, accepts)) in self.possible.iter_mut().zip(INFERRED) {
            *possible = *possible && accepts(value);
        }
    }

    /// `None` while no value but null was seen.
    pub(crate) fn value_type(self) -> Option<ValueType> {
        let narrowest = INFERRED.iter().zip(self.possible).find(|(_, possible)| *possible);
        self.any
            .then(|| narrowest.map_or(ValueType::Json, |((value_type, _), _)| *value_type))
    }
}

/// The Arrow form of a schema.
pub(crate) fn arrow_schema(schema: &Schema) -> SchemaRef {
    Arc::new(ArrowSchema::new(
        schema.columns.iter().map(arrow_field).collect::<Vec<_>>(),
    ))
}

fn arrow_field(column: &Column) -> Field {
    let list = |element: DataType| DataType::List(Arc::new(Field::new_list_field(element, true)));
    let data_type = match column.value_type {
        ValueType::Unknown
        | ValueType::Bytes
        | ValueType::String
        | ValueType::LowCardinalityString
        | ValueType::Json
        | ValueType::ImageUrl => DataType::Utf8,
        ValueType::StringArray => list(DataType::Utf8),
        ValueType::Int64Array => list(DataType::Int64),
        ValueType::Float64Array => list(DataType::Float64),
        ValueType::Int32 => DataType::Int32,
        ValueType::Int64 => DataType::Int64,
        ValueType::Float => DataType::Float32,
        ValueType::Double => DataType::Float64,
        ValueType::Bool => DataType::Boolean,
        ValueType::DateTime => DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into())),
    };
    let metadata = HashMap::from([(TYPE_KEY.to_owned(), column.value_type.name().to_owned())]);
    Field::new(&column.name, data_type, true).with_metadata(metadata)
}

/// The column type of a field that a statement selected: the declared one where the column came through as it
/// was, else the one that fits its Arrow type.
pub(crate) fn value_type(field: &Field) -> ValueType {
    let declared = field.metadata().get(TYPE_KEY).and_then(|name| {
        ValueType::ALL.into_iter().find(|value_type| {
            value_type.name() == name
                && arrow_field(&Column {
                    name: String::new(),
                    value_type: *value_type,
                })
                .data_type()
                    == field.data_type()
        })
    });
    declared.unwrap_or(match field.data_type() {
        DataType::Boolean => ValueType::Bool,
        DataType::Int8 | DataType::Int16 | DataType::Int32 | DataType::UInt8 | DataType::UInt16 => {
            ValueType::Int32
        }
        DataType::Int64 | DataType::UInt32 | DataType::UInt64 => ValueType::Int64,
        DataType::Float16 | DataType::Float32 => ValueType::Float,
        DataType::Float64 | DataType::Decimal128(..) | DataType::Decimal256(..) => ValueType::Double,
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => ValueType::String,
        DataType::Timestamp(..) | DataType::Date32 | DataType::Date64 => ValueType::DateTime,
        DataType::List(element) | DataType::LargeList(element) => match element.data_type() {
            element if element.is_integer() => ValueType::Int64Array,
            element if element.is_floating() => ValueType::Float64Array,
            _ => ValueType::StringArray,
        },
        _ => ValueType::Unknown,
    })
}

/// Turns rows into columns, or says every place (up to a limit) where a value does not fit.
pub(crate) fn encode(
    schema: &Schema,
    unique_keys: &[String],
    rows: &[Row],
) -> std::result::Result<RecordBatch, Vec<Violation>> {
    let mut violations = Vec::new();
    for (index, row) in rows.iter().enumerate() {
        if violations.len() >= MAX_VIOLATIONS {
            break;
        }
        for name in row.keys() {
            if schema.declared && schema.column(name).is_none() {
                let known: Vec<&str> = schema.columns.iter().map(|column| column.name.as_str()).collect();
                violations.push(Violation {
                    place: Place::Cell {
                        row: index,
                        column: name.clone(),
                    },
                    kind: "unknown_column",
                    message: format!(
                        "the dataset has no column '{name}'; its column_schema declares {}",
                        known.join(", ")
                    ),
                });
            }
        }
        for key in unique_keys {
            if row.get(key).is_none_or(Value::is_null) {
                violations.push(Violation {
                    place: Place::Cell {
                        row: index,
                        column: key.clone(),
                    },
                    kind: "missing_key",
                    message: format!(
                        "'{key}' is one of the dataset's unique_keys: every row must give it a value"
                    ),
                });
            }
        }
    }
    let columns: Vec<ArrayRef> = schema
        .columns
        .iter()
        .map(|column| encode_column(column, rows, &mut violations))
        .collect();
    if !violations.is_empty() {
        violations.truncate(MAX_VIOLATIONS);
        return Err(violations);
    }
    let options = RecordBatchOptions::new().with_row_count(Some(rows.len()));
    Ok(
        RecordBatch::try_new_with_options(arrow_schema(schema), columns, &options)
            .expect("every column was built from the same rows with the type that the schema names"),
    )
}

/// Batches as one, with the columns of `schema`; a batch has null where it lacks a column.
pub(crate) fn join(
    schema: &Schema,
    batches: &[RecordBatch],
) -> std::result::Result<RecordBatch, datafusion::arrow::error::ArrowError> {
    let target = arrow_schema(schema);
    if let [only] = batches
        && only.schema() == target
    {
        return Ok(only.clone());
    }
    let widened = batches
        .iter()
        .map(|batch| widen(batch, &target))
        .collect::<std::result::Result<Vec<_>, _>>()?;
    datafusion::arrow::compute::concat_batches(&target, &widened)
}

/// Adds the columns that a dataset gained after this batch was made, and puts all into order.
pub(crate) fn widen(
    batch: &RecordBatch,
    schema: &SchemaRef,
) -> std::result::Result<RecordBatch, datafusion::arrow::error::ArrowError> {
    let columns = schema
        .fields()
        .iter()
        .map(|field| match batch.column_by_name(field.name()) {
            Some(column) => column.clone(),
            None => new_null_array(field.data_type(), batch.num_rows()),
        })
        .collect();
    let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    RecordBatch::try_new_with_options(Arc::clone(schema), columns, &options)
}

fn encode_column(column: &Column, rows: &[Row], violations: &mut Vec<Violation>) -> ArrayRef {
    let mut cells = Cells {
        column,
        rows,
        violations,
    };
    match column.value_type {
        ValueType::String | ValueType::LowCardinalityString | ValueType::ImageUrl => Arc::new(
            StringArray::from(cells.read(|value| value.as_str().ok_or("a string").map(str::to_owned))),
        ),
        ValueType::Bytes => Arc::new(StringArray::from(cells.read(|value| {
            value
                .as_str()
                .filter(|text| is_base64(text))
                .ok_or("a string of base64")
                .map(str::to_owned)
        }))),
        ValueType::Json | ValueType::Unknown => {
            Arc::new(StringArray::from(cells.read(|value| Ok(value.to_string()))))
        }
        ValueType::Bool => Arc::new(BooleanArray::from(
            cells.read(|value| value.as_bool().ok_or("true or false")),
        )),
        ValueType::Int32 => Arc::new(Int32Array::from(cells.read(|value| {
            value
                .as_i64()
                .and_then(|number| i32::try_from(number).ok())
                .ok_or("a whole number of 32 bits")
        }))),
        ValueType::Int64 => {
            Arc::new(Int64Array::from(cells.read(|value| {
                value.as_i64().ok_or("a whole number between -2^63 and 2^63 - 1")
            })))
        }
        ValueType::Float => Arc::new(Float32Array::from(cells.read(|value| {
            let narrow = value.as_f64().map(|number| number as f32);
            narrow
                .filter(|number| number.is_finite())
                .ok_or("a number of 32 bits")
        }))),
        ValueType::Double => Arc::new(Float64Array::from(cells.read(|value| {
            exact_double(value).ok_or(
                "a number that 64 bits of floating point hold exactly (larger whole numbers: Int64 or Json)",
            )
        }))),
        ValueType::DateTime => Arc::new(
            TimestampMicrosecondArray::from(cells.read(|value| {
                timestamp(value).ok_or(
                    "a time: ISO 8601 such as 2026-01-31T12:00:00Z, or seconds or milliseconds since 1970",
                )
            }))
            .with_timezone("UTC"),
        ),
        ValueType::StringArray => {
            let lists = cells.read(|value| {
                elements(value, |element| element.as_str().map(str::to_owned)).ok_or("a list of strings")
            });
            let mut builder = ListBuilder::new(StringBuilder::new());
            lists.into_iter().for_each(|list| builder.append_option(list));
            Arc::new(builder.finish())
        }
        ValueType::Int64Array => {
            let lists = cells
                .read(|value| elements(value, Value::as_i64).ok_or("a list of whole numbers of 64 bits"));
            let mut builder = ListBuilder::new(Int64Builder::new());
            lists.into_iter().for_each(|list| builder.append_option(list));
            Arc::new(builder.finish())
        }
        ValueType::Float64Array => {
            let lists = cells.read(|value| elements(value, exact_double).ok_or("a list of numbers"));
            let mut builder = ListBuilder::new(Float64Builder::new());
            lists.into_iter().for_each(|list| builder.append_option(list));
            Arc::new(builder.finish())
        }
    }
}

/// The cells of one column over all rows, with the list that takes what does not fit.
struct Cells<'a> {
    column: &'a Column,
    rows: &'a [Row],
    violations: &'a mut Vec<Violation>,
}

impl Cells<'_> {
    fn read<T>(
        &mut self,
        convert: impl Fn(&Value) -> std::result::Result<T, &'static str>,
    ) -> Vec<Option<T>> {
        let mut values = Vec::with_capacity(self.rows.len());
        for (index, row) in self.rows.iter().enumerate() {
            let value = match row.get(&self.column.name) {
                None | Some(Value::Null) => None,
                Some(value) => match convert(value) {
                    Ok(converted) => Some(converted),
                    Err(expected) => {
                        if self.violations.len() < MAX_VIOLATIONS {
                            self.violations.push(Violation {
                                place: Place::Cell {
                                    row: index,
                                    column: self.column.name.clone(),
                                },
                                kind: "wrong_type",
                                message: format!(
                                    "column '{}' is {}: it takes {expected}, not {}",
                                    self.column.name,
                                    self.column.value_type.name(),
                                    shown(value)
                                ),
                            });
                        }
                        None
                    }
                },
            };
            values.push(value);
        }
        values
    }
}

/// A value as a message shows it: its kind, and the value itself while it is short.
fn shown(value: &Value) -> String {
    match value {
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        other => {
            let text = other.to_string();
            if text.chars().count() <= 40 {
                text
            } else {
                format!("{}…", text.chars().take(39).collect::<String>())
            }
        }
    }
}

/// The elements of a list with null for null; `None` where something is not what the list holds.
fn elements<T>(value: &Value, convert: impl Fn(&Value) -> Option<T>) -> Option<Vec<Option<T>>> {
    value
        .as_array()?
        .iter()
        .map(|element| {
            if element.is_null() {
                Some(None)
            } else {
                convert(element).map(Some)
            }
        })
        .collect()
}

/// The number as floating point if nothing of it gets lost.
fn exact_double(value: &Value) -> Option<f64> {
    let number = value.as_f64()?;
    let exact = match (value.as_i64(), value.as_u64()) {
        // The casts back saturate, so the comparison is made in 128 bits.
        (Some(whole), _) => number as i128 == i128::from(whole),
        (_, Some(whole)) => number as i128 == i128::from(whole),
        _ => number.is_finite(),
    };
    exact.then_some(number)
}

fn is_base64(text: &str) -> bool {
    let body = text.trim_end_matches('=');
    text.len().is_multiple_of(4)
        && text.len() - body.len() <= 2
        && body
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'+' || byte == b'/')
}

/// Microseconds since 1970.
pub(crate) fn timestamp(value: &Value) -> Option<i64> {
    let moment = if let Some(text) = value.as_str() {
        if let Ok(moment) = DateTime::parse_from_rfc3339(text) {
            moment.to_utc()
        } else if let Ok(moment) =
            NaiveDateTime::parse_from_str(&text.replacen(' ', "T", 1), "%Y-%m-%dT%H:%M:%S%.f")
        {
            moment.and_utc()
        } else {
            NaiveDate::parse_from_str(text, "%Y-%m-%d")
                .ok()?
                .and_hms_opt(0, 0, 0)?
                .and_utc()
        }
    } else if let Some(number) = value.as_i64() {
        let milliseconds = if number.abs() < EPOCH_SECONDS_LIMIT {
            number.checked_mul(1000)?
        } else {
            number
        };
        DateTime::<Utc>::from_timestamp_millis(milliseconds)?
    } else {
        let seconds = value
            .as_f64()
            .filter(|seconds| seconds.abs() < EPOCH_SECONDS_LIMIT as f64)?;
        DateTime::<Utc>::from_timestamp_micros((seconds * 1e6).round() as i64)?
    };
    let year = chrono::Datelike::year(&moment);
    (0..=9999).contains(&year).then(|| moment.timestamp_micros())
}

/// One cell as JSON. A Json column gives back the value that went in; a number that JSON cannot say becomes null.
pub(crate) fn cell(field: &Field, array: &dyn Array, row: usize) -> Value {
    if array.is_null(row) {
        return Value::Null;
    }
    match array.data_type() {
        DataType::Boolean => array.as_boolean().value(row).into(),
        DataType::Int32 => array.as_primitive::<Int32Type>().value(row).into(),
        DataType::Int64 => array.as_primitive::<Int64Type>().value(row).into(),
        // Through the shortest decimal form, so that 0.1 stays 0.1 on its way from 32 to 64 bits.
        DataType::Float32 => array
            .as_primitive::<Float32Type>()
            .value(row)
            .to_string()
            .parse::<f64>()
            .map_or(Value::Null, |number| number.into()),
        DataType::Float64 => array.as_primitive::<Float64Type>().value(row).into(),
        DataType::Utf8 => {
            let text = array.as_string::<i32>().value(row);
            match value_type(field) {
                ValueType::Json | ValueType::Unknown => {
                    serde_json::from_str(text).unwrap_or_else(|_| Value::from(text))
                }
                _ => text.into(),
            }
        }
        DataType::Timestamp(TimeUnit::Microsecond, _) => DateTime::<Utc>::from_timestamp_micros(
            array.as_primitive::<TimestampMicrosecondType>().value(row),
        )
        .map_or(Value::Null, |moment| {
            moment.to_rfc3339_opts(SecondsFormat::AutoSi, true).into()
        }),
        DataType::List(element) => {
            let list = array.as_list::<i32>().value(row);
            (0..list.len()).map(|index| cell(element, &list, index)).collect()
        }
        _ => Value::Null,
    }
}

/// The Arrow type that stands for `data_type` in results: the few that [`cell`] reads. Text where nothing fits.
pub(crate) fn plain_type(data_type: &DataType) -> DataType {
    match data_type {
        DataType::Boolean | DataType::Int32 | DataType::Int64 | DataType::Float32 | DataType::Float64 => {
            data_type.clone()
        }
        DataType::Int8 | DataType::Int16 | DataType::UInt8 | DataType::UInt16 => DataType::Int32,
        DataType::UInt32 | DataType::UInt64 => DataType::Int64,
        DataType::Float16 => DataType::Float32,
        DataType::Decimal128(..) | DataType::Decimal256(..) => DataType::Float64,
        DataType::Timestamp(..) | DataType::Date32 | DataType::Date64 => {
            DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into()))
        }
        DataType::List(element) | DataType::LargeList(element) => DataType::List(Arc::new(
            Field::new_list_field(plain_type(element.data_type()), true),
        )),
        _ => DataType::Utf8,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn json_value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<u64>().prop_map(Value::from),
            any::<f64>()
                .prop_filter("JSON has no NaN and no infinity", |n| n.is_finite())
                .prop_map(Value::from),
            any::<String>().prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 24, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                prop::collection::btree_map(any::<String>(), inner, 0..6)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        /// Whatever a column of any type accepts comes back equal; Float excepted, which keeps 32 bits, and
        /// DateTime and text forms of it, which come back as one spelling of the same moment.
        #[test]
        fn an_accepted_value_comes_back_equal(value in json_value()) {
            for value_type in ValueType::ALL {
                if matches!(value_type, ValueType::Float | ValueType::DateTime) {
                    continue;
                }
                let schema = Schema {
                    declared: true,
                    columns: vec![Column { name: "v".to_owned(), value_type }],
                };
                let row = Row::from_iter([("v".to_owned(), value.clone())]);
                if let Ok(batch) = encode(&schema, &[], &[row]) {
                    let field = batch.schema().field(0).clone();
                    let read = cell(&field, batch.column(0), 0);
                    prop_assert!(equal(&read, &value), "{value_type:?}: {value} became {read}");
                }
            }
        }

        #[test]
        fn an_inferred_column_holds_the_values_that_it_was_inferred_from(
            values in prop::collection::vec(json_value(), 1..5)
        ) {
            let rows: Vec<Row> = values.iter().map(|v| Row::from_iter([("v".to_owned(), v.clone())])).collect();
            let schema = extend_schema(&Schema::default(), &rows);
            let batch = encode(&schema, &[], &rows);
            prop_assert!(batch.is_ok(), "{schema:?} refused {values:?}: {batch:?}");
        }
    }

    /// Equality of JSON values where 1 and 1.0 are one number.
    fn equal(a: &Value, b: &Value) -> bool {
        match (a, b) {
            (Value::Number(_), Value::Number(_)) => {
                a == b || exact_double(a).is_some_and(|n| exact_double(b) == Some(n))
            }
            (Value::Array(a), Value::Array(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b))
            }
            (Value::Object(a), Value::Object(b)) => {
                a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| equal(a, b)))
            }
            _ => a == b,
        }
    }

    #[test]
    fn a_double_refuses_what_it_would_round() {
        assert_eq!(exact_double(&json!(9_007_199_254_740_993_i64)), None);
        assert_eq!(
            exact_double(&json!(9_007_199_254_740_992_i64)),
            Some(9_007_199_254_740_992.0)
        );
        assert_eq!(exact_double(&json!(u64::MAX)), None);
        assert_eq!(exact_double(&json!(i64::MAX)), None);
    }

    #[test]
    fn times_are_read_in_the_documented_spellings() {
        let noon = Some(1_769_860_800_000_000);
        for spelling in [
            json!("2026-01-31T12:00:00Z"),
            json!("2026-01-31T13:00:00+01:00"),
            json!("2026-01-31T12:00:00"),
            json!("2026-01-31 12:00:00.000"),
            json!(1_769_860_800),
            json!(1_769_860_800_000_i64),
            json!(1_769_860_800.0),
        ] {
            assert_eq!(timestamp(&spelling), noon, "{spelling}");
        }
        for refused in [
            json!("yesterday"),
            json!("2026-02-30"),
            json!(i64::MAX),
            json!(1e300),
            json!(true),
            json!(""),
        ] {
            assert_eq!(timestamp(&refused), None, "{refused}");
        }
    }
}
