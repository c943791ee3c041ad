//! Embeddings of texts: what the server's encoder makes of some columns, row by row.

use std::sync::Arc;

use anyhow::Context;
use datafusion::arrow::array::{Array, ArrayRef, AsArray, FixedSizeListArray, Float32Array, RecordBatch};
use datafusion::arrow::datatypes::{DataType, Field, Float32Type};
use recsys::Matrix;

use super::columns::text_column;
use crate::text_encoder::TextEncoder;

/// The name of the file with the vectors of `items` or `users`.
pub(super) fn file(embedding: &str, whose: &str) -> String {
    format!("embedding-{embedding}-{whose}.arrow")
}

/// The vectors of the texts of these columns, taken together. A row whose texts mean nothing to the encoder is zeros.
pub(super) fn write(
    rows: &RecordBatch,
    fields: &[String],
    encoder: &TextEncoder,
) -> anyhow::Result<RecordBatch> {
    let texts = fields
        .iter()
        .map(|field| text_column(rows, field))
        .collect::<anyhow::Result<Vec<_>>>()?;
    let dimensions = encoder.dimensions();
    let mut values: Vec<f32> = Vec::with_capacity(rows.num_rows() * dimensions);
    for row in 0..rows.num_rows() {
        let present = texts.iter().filter(|column| column.is_valid(row));
        let text: Vec<&str> = present.map(|column| column.value(row)).collect();
        match encoder.encode(&text.join(" ")) {
            Some(vector) => values.extend(vector),
            None => values.resize(values.len() + dimensions, 0.0),
        }
    }
    let element = Arc::new(Field::new_list_field(DataType::Float32, false));
    let width = i32::try_from(dimensions).context("too many dimensions")?;
    let vectors = FixedSizeListArray::try_new(element, width, Arc::new(Float32Array::from(values)), None)?;
    let vectors: ArrayRef = Arc::new(vectors);
    Ok(RecordBatch::try_from_iter([("vector", vectors)])?)
}

/// What [`write`] made.
pub(super) fn read(rows: &RecordBatch) -> anyhow::Result<Matrix> {
    let vectors = rows
        .column(0)
        .as_fixed_size_list_opt()
        .context("its vectors are no lists")?;
    let values = vectors
        .values()
        .as_primitive_opt::<Float32Type>()
        .context("its vectors are no numbers")?;
    let width = usize::try_from(vectors.value_length())?;
    Ok(Matrix::from_values(
        rows.num_rows(),
        width,
        values.values().to_vec(),
    )?)
}
