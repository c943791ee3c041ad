//! The vectors of a model's items, as one byte a dimension, and the ones nearest to a query by an exact scan.
//!
//! An item's vector is scaled to length 1 first, so that the products with a query of length 1 are cosines. One byte a
//! dimension costs nothing in the ranking and is a quarter of the memory, which is what a scan waits for.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use anyhow::{Context, bail};
use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, FixedSizeListArray, Float32Array, Int8Array, RecordBatch,
};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Field, Float32Type, Float64Type, Int8Type, Schema};

use crate::serving::UnusableRows;

/// The largest absolute value of a byte that has its negative.
const BYTE_RANGE: f32 = 127.0;

/// Vectors by row.
pub(crate) struct ItemVectors {
    dimensions: usize,
    bytes: Int8Array,
    /// What a row's bytes are multiplied with; 0 for an item without a vector.
    scales: Float32Array,
}

impl ItemVectors {
    /// Takes the vectors from a column of lists, whose item ids are `ids`. Fails with [`UnusableRows`] when a list is
    /// not a vector of that many dimensions. An item without a list has no vector.
    pub(crate) fn from_column(
        column: &ArrayRef,
        ids: impl Fn(usize) -> String,
        dimensions: usize,
    ) -> anyhow::Result<ItemVectors> {
        let list_type = DataType::List(Arc::new(Field::new_list_field(DataType::Float64, true)));
        let lists = cast(column, &list_type)?;
        let lists = lists.as_list::<i32>();
        let mut bytes: Vec<i8> = Vec::with_capacity(lists.len() * dimensions);
        let mut scales: Vec<f32> = Vec::with_capacity(lists.len());
        for row in 0..lists.len() {
            if lists.is_null(row) {
                bytes.resize(bytes.len() + dimensions, 0);
                scales.push(0.0);
                continue;
            }
            let list = lists.value(row);
            let numbers = list.as_primitive::<Float64Type>();
            if numbers.len() != dimensions {
                let (id, length) = (ids(row), numbers.len());
                bail!(UnusableRows(format!(
                    "the embedding of item '{id}' has {length} numbers; the server's text encoder makes vectors of {dimensions}"
                )));
            }
            if let Some(place) =
                (0..dimensions).find(|place| numbers.is_null(*place) || !numbers.value(*place).is_finite())
            {
                bail!(UnusableRows(format!(
                    "the embedding of item '{}' has no finite number at position {place}",
                    ids(row)
                )));
            }
            scales.push(quantise(numbers.values(), &mut bytes));
        }
        Ok(ItemVectors {
            dimensions,
            bytes: bytes.into(),
            scales: scales.into(),
        })
    }

    /// Their stored form.
    pub(crate) fn to_batch(&self) -> anyhow::Result<RecordBatch> {
        let element = Arc::new(Field::new_list_field(DataType::Int8, false));
        let width = i32::try_from(self.dimensions).context("too many dimensions")?;
        let vectors = FixedSizeListArray::try_new(element, width, Arc::new(self.bytes.clone()), None)?;
        let schema = Schema::new(vec![
            Field::new("scale", DataType::Float32, false),
            Field::new("vector", vectors.data_type().clone(), false),
        ]);
        let columns: Vec<ArrayRef> = vec![Arc::new(self.scales.clone()), Arc::new(vectors)];
        Ok(RecordBatch::try_new(Arc::new(schema), columns)?)
    }

    /// What [`ItemVectors::to_batch`] made.
    pub(crate) fn from_batch(batch: &RecordBatch) -> anyhow::Result<ItemVectors> {
        let column = |name: &str| {
            batch
                .column_by_name(name)
                .with_context(|| format!("no column {name}"))
        };
        let vectors = column("vector")?
            .as_fixed_size_list_opt()
            .context("its vectors are no lists")?;
        let bytes = vectors
            .values()
            .as_primitive_opt::<Int8Type>()
            .context("its vectors are no bytes")?;
        let scales = column("scale")?
            .as_primitive_opt::<Float32Type>()
            .context("its scales are no numbers")?;
        Ok(ItemVectors {
            dimensions: usize::try_from(vectors.value_length())?,
            bytes: bytes.clone(),
            scales: scales.clone(),
        })
    }

    pub(crate) fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// The cosine of a row's vector and a query of length 1; 0 for a row without a vector.
    pub(crate) fn cosine(&self, row: usize, query: &[f32]) -> f32 {
        let start = row * self.dimensions;
        let vector = &self.bytes.values()[start..start + self.dimensions];
        let product: f32 = vector
            .iter()
            .zip(query)
            .map(|(byte, value)| f32::from(*byte) * value)
            .sum();
        product * self.scales.value(row)
    }

    /// The rows with the highest cosines, highest first, equal ones in their order.
    pub(crate) fn nearest(&self, query: &[f32], limit: usize) -> Vec<(usize, f32)> {
        let mut best: BinaryHeap<Reverse<Near>> = BinaryHeap::with_capacity(limit + 1);
        for row in 0..self.scales.len() {
            if self.scales.value(row) > 0.0 {
                best.push(Reverse(Near {
                    cosine: self.cosine(row, query),
                    row,
                }));
                if best.len() > limit {
                    best.pop();
                }
            }
        }
        let sorted = best.into_sorted_vec();
        sorted
            .into_iter()
            .map(|Reverse(near)| (near.row, near.cosine))
            .collect()
    }
}

/// A row, the greater the nearer it is; of equal ones the earlier.
struct Near {
    cosine: f32,
    row: usize,
}

impl Ord for Near {
    fn cmp(&self, other: &Near) -> std::cmp::Ordering {
        self.cosine
            .total_cmp(&other.cosine)
            .then(other.row.cmp(&self.row))
    }
}

impl PartialOrd for Near {
    fn partial_cmp(&self, other: &Near) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Near {
    fn eq(&self, other: &Near) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Near {}

/// Appends a vector, scaled to length 1, as bytes; what they are multiplied with to have it back.
fn quantise(vector: &[f64], bytes: &mut Vec<i8>) -> f32 {
    // By the largest value first: the squares of very large numbers are infinite.
    let largest = vector
        .iter()
        .fold(0.0_f64, |largest, value| largest.max(value.abs()));
    if largest == 0.0 {
        bytes.resize(bytes.len() + vector.len(), 0);
        return 0.0;
    }
    let length = vector
        .iter()
        .map(|value| (value / largest) * (value / largest))
        .sum::<f64>()
        .sqrt();
    bytes.extend(
        vector
            .iter()
            .map(|value| (value / largest * f64::from(BYTE_RANGE)).round() as i8),
    );
    (1.0 / length) as f32 / BYTE_RANGE
}

#[cfg(test)]
mod tests {
    use datafusion::arrow::array::Float64Array;
    use datafusion::arrow::array::ListArray;
    use proptest::prelude::*;

    use super::*;

    fn column(rows: Vec<Option<Vec<Option<f64>>>>) -> ArrayRef {
        Arc::new(ListArray::from_iter_primitive::<Float64Type, _, _>(rows))
    }

    fn vectors(rows: Vec<Option<Vec<f64>>>, dimensions: usize) -> ItemVectors {
        let rows = rows
            .into_iter()
            .map(|row| Some(row?.into_iter().map(Some).collect()));
        ItemVectors::from_column(&column(rows.collect()), |row| format!("i{row}"), dimensions).unwrap()
    }

    #[test]
    fn the_nearest_come_first_and_equal_ones_in_their_order() {
        let vectors = vectors(
            vec![
                Some(vec![0.0, 2.0]),
                Some(vec![3.0, 0.0]),
                None,
                Some(vec![9.0, 0.0]),
                Some(vec![0.0, 0.0]),
                Some(vec![-1.0, 0.0]),
            ],
            2,
        );
        let rows = |limit| -> Vec<usize> {
            vectors
                .nearest(&[1.0, 0.0], limit)
                .into_iter()
                .map(|(row, _)| row)
                .collect()
        };
        assert_eq!(rows(10), [1, 3, 0, 5]);
        assert_eq!(rows(1), [1]);
        assert!((vectors.cosine(3, &[1.0, 0.0]) - 1.0).abs() < 1e-6);
        assert_eq!(vectors.cosine(2, &[1.0, 0.0]), 0.0);
    }

    proptest! {
        #[test]
        fn a_cosine_of_bytes_is_near_to_that_of_the_numbers(
            a in prop::collection::vec(-1e3..1e3_f64, 64), b in prop::collection::vec(-1.0..1.0_f64, 64)
        ) {
            let length = |v: &[f64]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
            let exact = a.iter().zip(&b).map(|(a, b)| a * b).sum::<f64>() / length(&a) / length(&b);
            let query: Vec<f32> = b.iter().map(|x| (x / length(&b)) as f32).collect();
            let found = vectors(vec![Some(a)], 64).cosine(0, &query);
            prop_assert!((f64::from(found) - exact).abs() < 0.02, "{found} {exact}");
        }
    }

    #[test]
    fn huge_and_tiny_numbers_are_vectors_too() {
        for value in [1e300, 1e-300, f64::MAX, f64::MIN_POSITIVE] {
            let vectors = vectors(vec![Some(vec![value, value])], 2);
            let cosine = vectors.cosine(0, &[1.0, 0.0]);
            assert!((cosine - 0.5_f32.sqrt()).abs() < 0.01, "{value}: {cosine}");
        }
    }

    #[test]
    fn what_is_no_vector_is_named_with_its_item() {
        let reason = |row: Vec<Option<f64>>| {
            let column = column(vec![Some(vec![Some(1.0), Some(0.0)]), Some(row)]);
            let outcome = ItemVectors::from_column(&column, |row| format!("i{row}"), 2);
            let error = outcome.err().expect("the second row is no vector");
            error.downcast::<UnusableRows>().expect("the owner can mend it").0
        };
        assert!(reason(vec![Some(1.0)]).contains("item 'i1' has 1 numbers"));
        assert!(reason(vec![Some(1.0), None]).contains("item 'i1' has no finite number at position 1"));
        assert!(reason(vec![Some(f64::INFINITY), Some(0.0)]).contains("position 0"));
    }

    #[test]
    fn what_is_stored_is_read() {
        let before = vectors(vec![Some(vec![1.0, -2.0, 0.5]), None], 3);
        let after = ItemVectors::from_batch(&before.to_batch().unwrap()).unwrap();
        assert_eq!(after.dimensions(), 3);
        let query = [0.6, 0.0, 0.8];
        assert_eq!(before.nearest(&query, 5), after.nearest(&query, 5));
        let other =
            RecordBatch::try_from_iter([("scale", Arc::new(Float64Array::from(vec![1.0])) as ArrayRef)]);
        assert!(ItemVectors::from_batch(&other.unwrap()).is_err());
    }
}
