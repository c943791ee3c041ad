//! Dense and sparse matrices, as plain as the models need them.

use rayon::prelude::*;

use crate::codec::{Reader, Writer};
use crate::error::{Error, Result};
use crate::kernels::{add_scaled, dot, norm, vectorised};

/// A dense matrix of `f32`, row after row.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Matrix {
    rows: usize,
    columns: usize,
    values: Vec<f32>,
}

impl Matrix {
    /// A matrix of zeros.
    pub fn zeros(rows: usize, columns: usize) -> Self {
        Self {
            rows,
            columns,
            values: vec![0.0; rows * columns],
        }
    }

    /// A matrix over `values`, row after row.
    ///
    /// # Errors
    /// [`ErrorKind::Argument`](crate::ErrorKind::Argument) unless there are `rows * columns` values.
    pub fn from_values(rows: usize, columns: usize, values: Vec<f32>) -> Result<Self> {
        if rows.checked_mul(columns) != Some(values.len()) {
            return Err(Error::argument(format!(
                "{rows} rows of {columns} columns need {} values, not {}",
                rows.saturating_mul(columns),
                values.len()
            )));
        }
        Ok(Self {
            rows,
            columns,
            values,
        })
    }

    /// How many rows: items or users.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// How many columns: the dimension of a vector.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// One row.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn row(&self, row: usize) -> &[f32] {
        &self.values[row * self.columns..(row + 1) * self.columns]
    }

    /// One row, if there is one.
    pub fn get(&self, row: usize) -> Option<&[f32]> {
        (row < self.rows).then(|| self.row(row))
    }

    /// All values, row after row.
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    pub(crate) fn row_mut(&mut self, row: usize) -> &mut [f32] {
        &mut self.values[row * self.columns..(row + 1) * self.columns]
    }

    pub(crate) fn values_mut(&mut self) -> &mut [f32] {
        &mut self.values
    }

    /// The mean of the rows; zeros if there are none.
    pub(crate) fn mean_row(&self) -> Vec<f32> {
        let mut sums = vec![0.0f64; self.columns];
        for row in 0..self.rows {
            for (sum, value) in sums.iter_mut().zip(self.row(row)) {
                *sum += f64::from(*value);
            }
        }
        let count = self.rows.max(1) as f64;
        sums.into_iter().map(|sum| (sum / count) as f32).collect()
    }

    /// The Euclidean length of each row.
    pub(crate) fn row_norms(&self) -> Vec<f32> {
        vectorised(
            #[inline(always)]
            || (0..self.rows).map(|row| norm(self.row(row))).collect(),
        )
    }

    /// `selfᵀ self`, symmetric, computed in blocks of rows that are added in their order: the same for any number of
    /// threads.
    pub(crate) fn gram(&self) -> Matrix {
        let columns = self.columns;
        let block = (1usize << 18).div_ceil(columns.max(1)).max(1) * columns.max(1);
        let parts: Vec<Vec<f32>> = self
            .values
            .par_chunks(block)
            .map(|rows| {
                vectorised(
                    #[inline(always)]
                    || {
                        let mut sum = vec![0.0f32; columns * columns];
                        for row in rows.chunks_exact(columns) {
                            for (i, &value) in row.iter().enumerate() {
                                add_scaled(&mut sum[i * columns..(i + 1) * columns], value, row);
                            }
                        }
                        sum
                    },
                )
            })
            .collect();
        let mut gram = Matrix::zeros(columns, columns);
        for part in &parts {
            add_scaled(&mut gram.values, 1.0, part);
        }
        gram
    }

    pub(crate) fn write(&self, writer: &mut Writer) {
        writer.u64(self.rows as u64);
        writer.u64(self.columns as u64);
        writer.f32s(&self.values);
    }

    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Self> {
        let rows = reader.usize()?;
        let columns = reader.usize()?;
        let values = reader.f32s()?;
        // Any number of rows would agree with no values at all.
        if columns == 0 && rows > 0 {
            return Err(Error::artefact("a saved matrix has rows without columns"));
        }
        Self::from_values(rows, columns, values)
            .map_err(|error| Error::artefact(format!("a matrix is damaged: {error}")))
    }
}

/// A sparse matrix, row after row; the columns of a row are ascending and distinct.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Sparse {
    columns: usize,
    offsets: Vec<u64>,
    indices: Vec<u32>,
    values: Vec<f32>,
}

impl Sparse {
    /// Rows of `(column, value)`, each ascending by column.
    pub(crate) fn from_rows(columns: usize, rows: impl IntoIterator<Item = Vec<(u32, f32)>>) -> Self {
        let mut sparse = Self {
            columns,
            offsets: vec![0],
            indices: Vec::new(),
            values: Vec::new(),
        };
        for row in rows {
            for (column, value) in row {
                sparse.indices.push(column);
                sparse.values.push(value);
            }
            sparse.offsets.push(sparse.indices.len() as u64);
        }
        sparse
    }

    pub(crate) fn rows(&self) -> usize {
        self.offsets.len() - 1
    }

    pub(crate) fn columns(&self) -> usize {
        self.columns
    }

    /// The columns and the values of a row.
    #[inline]
    pub(crate) fn row(&self, row: usize) -> (&[u32], &[f32]) {
        let range = self.offsets[row] as usize..self.offsets[row + 1] as usize;
        (&self.indices[range.clone()], &self.values[range])
    }

    pub(crate) fn row_pairs(&self, row: usize) -> impl Iterator<Item = (u32, f32)> + '_ {
        let (columns, values) = self.row(row);
        columns.iter().copied().zip(values.iter().copied())
    }

    pub(crate) fn row_len(&self, row: usize) -> usize {
        (self.offsets[row + 1] - self.offsets[row]) as usize
    }

    pub(crate) fn transposed(&self) -> Self {
        let mut offsets = vec![0u64; self.columns + 1];
        for &column in &self.indices {
            offsets[column as usize + 1] += 1;
        }
        for column in 0..self.columns {
            offsets[column + 1] += offsets[column];
        }
        let mut next: Vec<u64> = offsets[..self.columns].to_vec();
        let mut indices = vec![0u32; self.indices.len()];
        let mut values = vec![0.0f32; self.values.len()];
        for row in 0..self.rows() {
            for (column, value) in self.row_pairs(row) {
                let place = next[column as usize] as usize;
                indices[place] = row as u32;
                values[place] = value;
                next[column as usize] += 1;
            }
        }
        Self {
            columns: self.rows(),
            offsets,
            indices,
            values,
        }
    }

    /// `self * dense`.
    pub(crate) fn times(&self, dense: &Matrix) -> Matrix {
        let width = dense.columns();
        let mut product = Matrix::zeros(self.rows(), width);
        if width == 0 {
            return product;
        }
        product
            .values_mut()
            .par_chunks_mut(width)
            .enumerate()
            .for_each(|(row, target)| {
                vectorised(
                    #[inline(always)]
                    || {
                        for (column, value) in self.row_pairs(row) {
                            add_scaled(target, value, dense.row(column as usize));
                        }
                    },
                );
            });
        product
    }

    pub(crate) fn write(&self, writer: &mut Writer) {
        writer.u64(self.columns as u64);
        writer.u64s(&self.offsets);
        writer.u32s(&self.indices);
        writer.f32s(&self.values);
    }

    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Self> {
        let sparse = Self {
            columns: reader.usize()?,
            offsets: reader.u64s()?,
            indices: reader.u32s()?,
            values: reader.f32s()?,
        };
        let sound = sparse.offsets.first() == Some(&0)
            && sparse.offsets.is_sorted()
            && sparse.offsets.last() == Some(&(sparse.indices.len() as u64))
            && sparse.values.len() == sparse.indices.len()
            && sparse
                .indices
                .iter()
                .all(|&column| (column as usize) < sparse.columns);
        if sound {
            Ok(sparse)
        } else {
            Err(Error::artefact("a sparse matrix is damaged"))
        }
    }
}

/// The cosine of two vectors of one length; 0 when one of them is zero.
pub(crate) fn cosine(a: &[f32], b: &[f32]) -> f32 {
    vectorised(
        #[inline(always)]
        || {
            let lengths = norm(a) * norm(b);
            if lengths > 0.0 { dot(a, b) / lengths } else { 0.0 }
        },
    )
}
