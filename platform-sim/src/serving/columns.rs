//! Columns of fetched rows: what they mean, and how models read them.

use std::collections::HashSet;

use anyhow::Context;
use datafusion::arrow::array::{Array, ArrayRef, AsArray, RecordBatch, StringArray};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{
    DataType, Field, Float64Type, Int64Type, TimeUnit, TimestampMicrosecondType,
};
use recsys::{Categories, CategoryLists, Column, Features};

use crate::service::domain::{FeatureColumn, FeatureType, LabelType, ValueType};
use crate::service::rows::{self, value_type};

/// Numbers below this are seconds since 1970, others milliseconds: as seconds it is the year 5138.
const EPOCH_SECONDS_LIMIT: f64 = 1e11;

/// A text column with at most so many distinct values has few.
const LOW_CARDINALITY: usize = 20;

/// Texts of more words than this, in the mean, are prose.
const WORDS_OF_A_LABEL: f64 = 4.0;

/// A list of numbers that is as long in every row, and at least this long, is a vector.
const SHORTEST_VECTOR: usize = 4;

/// The column with the moment of an event, and with that from which an item or a user is there.
const MOMENT: &str = "created_at";

/// What the columns of some rows mean, but for those in `ids`, which are ids, and the one that is a moment by its name.
pub(crate) fn infer(rows: &RecordBatch, ids: &[&str]) -> Vec<FeatureColumn> {
    let schema = rows.schema();
    let columns = schema.fields().iter().zip(rows.columns());
    columns
        .map(|(field, column)| FeatureColumn {
            name: field.name().clone(),
            feature_type: match feature_type(field, column) {
                _ if ids.contains(&field.name().as_str()) => FeatureType::Id,
                // Seconds since 1970 are numbers as far as anybody can see.
                FeatureType::Numerical if field.name() == MOMENT => FeatureType::Timestamp,
                other => other,
            },
        })
        .collect()
}

fn feature_type(field: &Field, column: &ArrayRef) -> FeatureType {
    if column.null_count() == column.len() {
        return FeatureType::Unknown;
    }
    match column.data_type() {
        DataType::Boolean => FeatureType::Boolean,
        DataType::Timestamp(..) => FeatureType::Timestamp,
        DataType::Int32 | DataType::Int64 | DataType::Float32 | DataType::Float64 => {
            let binary = numbers(column).is_ok_and(|values| {
                let mut present = values.into_iter().flatten();
                present.all(|value| value == 0.0 || value == 1.0)
            });
            if binary {
                FeatureType::Binary
            } else {
                FeatureType::Numerical
            }
        }
        DataType::Utf8 => match value_type(field) {
            ValueType::ImageUrl => FeatureType::Image,
            ValueType::Json | ValueType::Unknown | ValueType::Bytes => FeatureType::Unknown,
            ValueType::LowCardinalityString => FeatureType::LowCardinalityCategory,
            _ => text_type(column.as_string::<i32>()),
        },
        DataType::List(element) if *element.data_type() == DataType::Utf8 => {
            // A set names nothing twice; where somebody did, the order may matter as well.
            let lists = column.as_list::<i32>();
            let repeats = lists.iter().flatten().any(|list| {
                let mut seen = HashSet::new();
                let texts = list.as_string::<i32>();
                texts.iter().flatten().any(|text| !seen.insert(text))
            });
            if repeats {
                FeatureType::CategorySequence
            } else {
                FeatureType::CategorySet
            }
        }
        DataType::List(_) => {
            let lists = column.as_list::<i32>();
            let mut lengths = lists.iter().flatten().map(|list| list.len());
            let first = lengths.next().unwrap_or(0);
            if first >= SHORTEST_VECTOR && lengths.all(|length| length == first) {
                FeatureType::Vector
            } else {
                FeatureType::NumericalSequence
            }
        }
        _ => FeatureType::Unknown,
    }
}

fn text_type(texts: &StringArray) -> FeatureType {
    let mut distinct = HashSet::new();
    let (mut present, mut words) = (0_usize, 0_usize);
    let mut kinds = HashSet::new();
    for text in texts.iter().flatten() {
        present += 1;
        words += text.split_whitespace().count();
        kinds.insert(url_kind(text));
        distinct.insert(text);
    }
    if let (1, Some(Some(kind))) = (kinds.len(), kinds.iter().next()) {
        return *kind;
    }
    if kinds.iter().all(Option::is_some) {
        return FeatureType::Url;
    }
    let mean_words = words as f64 / present.max(1) as f64;
    if mean_words > WORDS_OF_A_LABEL {
        FeatureType::Text
    } else if distinct.len() <= LOW_CARDINALITY && distinct.len() < present {
        FeatureType::LowCardinalityCategory
    } else if mean_words > 1.5 {
        FeatureType::TextCategory
    } else {
        FeatureType::Category
    }
}

/// What a text points at, if it is an address.
fn url_kind(text: &str) -> Option<FeatureType> {
    let text = text.trim();
    if !(text.starts_with("https://") || text.starts_with("http://")) || text.contains(char::is_whitespace) {
        return None;
    }
    let path = text.split(['?', '#']).next().unwrap_or(text);
    let ending = path
        .rsplit_once('.')
        .map(|(_, ending)| ending.to_ascii_lowercase());
    Some(match ending.as_deref() {
        Some("jpg" | "jpeg" | "png" | "gif" | "webp" | "avif" | "svg") => FeatureType::Image,
        Some("mp3" | "wav" | "ogg" | "flac" | "m4a" | "aac") => FeatureType::Audio,
        Some("mp4" | "webm" | "mov" | "mkv" | "avi" | "m3u8") => FeatureType::Video,
        _ => FeatureType::Url,
    })
}

/// What the labels of events say: that something happened, or how much.
pub(crate) fn label_type(labels: &[f32]) -> LabelType {
    let binary = labels
        .iter()
        .all(|label| label.is_nan() || *label == 0.0 || *label == 1.0);
    if binary {
        LabelType::BinaryLabel
    } else {
        LabelType::RatingLabel
    }
}

/// Rows as models read them: the columns whose meaning a model can use.
pub(crate) fn features(rows: &RecordBatch, types: &[FeatureColumn]) -> anyhow::Result<Features> {
    let mut features = Features::new(rows.num_rows());
    for column in types {
        let Some(values) = rows.column_by_name(&column.name) else {
            continue;
        };
        if let Some(read) = feature(column.feature_type, values)? {
            features = features.with(column.name.clone(), read)?;
        }
    }
    Ok(features)
}

fn feature(feature_type: FeatureType, column: &ArrayRef) -> anyhow::Result<Option<Column>> {
    Ok(Some(match feature_type {
        FeatureType::Text => Column::Text(
            texts(column)?
                .iter()
                .map(|text| text.map(str::to_owned))
                .collect(),
        ),
        FeatureType::Category
        | FeatureType::TextCategory
        | FeatureType::LowCardinalityCategory
        | FeatureType::Boolean => Column::Category(Categories::new(texts(column)?.iter())),
        FeatureType::CategorySet | FeatureType::CategorySequence => {
            let lists = column
                .as_list_opt::<i32>()
                .context("a column of lists is wanted")?;
            let rows = lists.iter().map(|list| -> anyhow::Result<Vec<String>> {
                let Some(list) = list else { return Ok(Vec::new()) };
                Ok(texts(&list)?.iter().flatten().map(str::to_owned).collect())
            });
            Column::CategoryList(CategoryLists::new(rows.collect::<anyhow::Result<Vec<_>>>()?))
        }
        FeatureType::Numerical | FeatureType::Binary => Column::Number(
            numbers(column)?
                .into_iter()
                .map(|value| value.unwrap_or(f64::NAN))
                .collect(),
        ),
        FeatureType::Timestamp => Column::Timestamp(seconds(column)?),
        FeatureType::Vector => {
            let lists = column
                .as_list_opt::<i32>()
                .context("a column of lists is wanted")?;
            let rows = lists.iter().map(|list| -> anyhow::Result<Option<Vec<f32>>> {
                let Some(list) = list else { return Ok(None) };
                let values: Option<Vec<f32>> = numbers(&list)?
                    .into_iter()
                    .map(|value| value.map(|value| value as f32).filter(|value| value.is_finite()))
                    .collect();
                Ok(values)
            });
            let rows = rows.collect::<anyhow::Result<Vec<_>>>()?;
            let mut lengths = rows.iter().flatten().map(Vec::len);
            let first = lengths.next();
            if lengths.any(|length| Some(length) != first) {
                return Ok(None);
            }
            Column::Vector(rows)
        }
        FeatureType::Id
        | FeatureType::Unknown
        | FeatureType::NumericalSequence
        | FeatureType::Url
        | FeatureType::Image
        | FeatureType::Audio
        | FeatureType::Video => return Ok(None),
    }))
}

/// A column as text, whatever its type; list cells read as their elements with spaces between.
pub(crate) fn texts(column: &ArrayRef) -> anyhow::Result<StringArray> {
    if let DataType::List(_) = column.data_type() {
        let lists = column.as_list::<i32>();
        return lists
            .iter()
            .map(|list| -> anyhow::Result<Option<String>> {
                let Some(list) = list else { return Ok(None) };
                let words = cast(&list, &DataType::Utf8)?;
                let words: Vec<&str> = words.as_string::<i32>().iter().flatten().collect();
                Ok(Some(words.join(" ")))
            })
            .collect();
    }
    Ok(cast(column, &DataType::Utf8)?.as_string::<i32>().clone())
}

/// The column of that name as text.
pub(crate) fn text_column(rows: &RecordBatch, name: &str) -> anyhow::Result<StringArray> {
    let column = rows.column_by_name(name);
    texts(column.with_context(|| format!("the column {name} is missing"))?)
}

/// A column as numbers; a value that is none is missing.
pub(crate) fn numbers(column: &ArrayRef) -> anyhow::Result<Vec<Option<f64>>> {
    let values = cast(column, &DataType::Float64)?;
    Ok(values.as_primitive::<Float64Type>().iter().collect())
}

/// A column as Unix seconds; a value that is no time is missing. Whole numbers are seconds, or milliseconds if they
/// are that large.
pub(crate) fn seconds(column: &ArrayRef) -> anyhow::Result<Vec<Option<i64>>> {
    match column.data_type() {
        DataType::Timestamp(..) => {
            let micros = cast(
                column,
                &DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into())),
            )?;
            let micros = micros.as_primitive::<TimestampMicrosecondType>();
            Ok(micros
                .iter()
                .map(|time| Some(time?.div_euclid(1_000_000)))
                .collect())
        }
        DataType::Int64 => {
            let numbers = column.as_primitive::<Int64Type>();
            Ok(numbers
                .iter()
                .map(|number| Some(from_number(number? as f64)))
                .collect())
        }
        DataType::Utf8 => Ok(column
            .as_string::<i32>()
            .iter()
            .map(|text| {
                let text = text?.trim();
                match text.parse::<f64>() {
                    Ok(number) => Some(from_number(number)),
                    Err(_) => rows::timestamp(&text.into()).map(|micros| micros.div_euclid(1_000_000)),
                }
            })
            .collect()),
        _ => Ok(numbers(column)?
            .into_iter()
            .map(|number| number.map(from_number))
            .collect()),
    }
}

fn from_number(number: f64) -> i64 {
    if number.abs() < EPOCH_SECONDS_LIMIT {
        number as i64
    } else {
        (number / 1000.0) as i64
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use datafusion::arrow::array::{
        BooleanArray, Float64Array, Int64Array, ListArray, TimestampMicrosecondArray,
    };
    use datafusion::arrow::datatypes::Float64Type;

    use super::*;

    fn inferred(column: ArrayRef) -> FeatureType {
        let rows = RecordBatch::try_from_iter_with_nullable([("x", column, true)]).unwrap();
        infer(&rows, &["item_id"])[0].feature_type
    }

    fn of_texts(texts: &[&str]) -> FeatureType {
        inferred(Arc::new(StringArray::from(texts.to_vec())))
    }

    #[test]
    fn columns_mean_what_their_values_look_like() {
        assert_eq!(
            of_texts(&["red", "blue", "red", "red"]),
            FeatureType::LowCardinalityCategory
        );
        let codes: Vec<String> = (0..50).map(|code| format!("c{code}")).collect();
        let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
        assert_eq!(of_texts(&codes), FeatureType::Category);
        assert_eq!(
            of_texts(&["The Third Man", "Metropolis Now"]),
            FeatureType::TextCategory
        );
        assert_eq!(
            of_texts(&["a story of a man and his dog", "b"]),
            FeatureType::Text
        );
        assert_eq!(
            of_texts(&["https://a.b/c.png", "http://a.b/d.JPG?x=1"]),
            FeatureType::Image
        );
        assert_eq!(of_texts(&["https://a.b/c.mp3"]), FeatureType::Audio);
        assert_eq!(of_texts(&["https://a.b/c.mp4"]), FeatureType::Video);
        assert_eq!(of_texts(&["https://a.b/c.png", "https://a.b/"]), FeatureType::Url);
        assert_eq!(
            inferred(Arc::new(BooleanArray::from(vec![true]))),
            FeatureType::Boolean
        );
        assert_eq!(
            inferred(Arc::new(Int64Array::from(vec![0, 1, 1]))),
            FeatureType::Binary
        );
        assert_eq!(
            inferred(Arc::new(Float64Array::from(vec![0.5]))),
            FeatureType::Numerical
        );
        assert_eq!(
            inferred(Arc::new(
                TimestampMicrosecondArray::from(vec![1]).with_timezone("UTC")
            )),
            FeatureType::Timestamp
        );
        assert_eq!(
            inferred(Arc::new(Int64Array::from(vec![None, None]))),
            FeatureType::Unknown
        );
        let lists = |rows: &[&[f64]]| -> ArrayRef {
            let rows = rows
                .iter()
                .map(|row| Some(row.iter().map(|value| Some(*value)).collect::<Vec<_>>()));
            Arc::new(ListArray::from_iter_primitive::<Float64Type, _, _>(rows))
        };
        assert_eq!(inferred(lists(&[&[1.0; 4], &[2.0; 4]])), FeatureType::Vector);
        assert_eq!(
            inferred(lists(&[&[1.0; 4], &[2.0; 3]])),
            FeatureType::NumericalSequence
        );
    }

    #[test]
    fn times_come_in_several_forms() {
        let column: ArrayRef = Arc::new(StringArray::from(vec![
            Some("1970-01-01T00:01:00Z"),
            Some("60"),
            Some("soon"),
            None,
        ]));
        assert_eq!(seconds(&column).unwrap(), [Some(60), Some(60), None, None]);
        let column: ArrayRef = Arc::new(Int64Array::from(vec![1_700_000_000, 1_700_000_000_000]));
        assert_eq!(seconds(&column).unwrap(), [Some(1_700_000_000); 2]);
        let column: ArrayRef = Arc::new(TimestampMicrosecondArray::from(vec![-1]).with_timezone("UTC"));
        assert_eq!(seconds(&column).unwrap(), [Some(-1)]);
    }
}
