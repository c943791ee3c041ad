//! The query side: a row for each wordpiece, as a finalfusion file.

use std::collections::HashMap;
use std::io::Cursor;

use finalfusion::embeddings::Embeddings;
use finalfusion::io::{ReadEmbeddings, WriteEmbeddings};
use finalfusion::norms::NdNorms;
use finalfusion::storage::{NdArray, Storage, StorageView};
use finalfusion::vocab::{SimpleVocab, Vocab};
use ndarray::Array2;
use search_core::vector::pieces;

use super::math::{add_scaled, normalise};

/// Wordpieces with their rows, by falling use in the corpus.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct QueryTable {
    dimensions: usize,
    pieces: Vec<String>,
    ids: HashMap<String, u32>,
    /// Directions, as the file holds them: one long, give or take what [`short`] cuts off.
    directions: Vec<f32>,
    lengths: Vec<f32>,
}

impl QueryTable {
    /// A table of these rows.
    #[cfg(any(feature = "encoder", test))]
    pub(super) fn new(pieces: Vec<String>, mut rows: Vec<f32>, dimensions: usize) -> Self {
        let lengths = rows
            .chunks_exact_mut(dimensions)
            .map(|row| short(normalise(row)))
            .collect();
        rows.iter_mut().for_each(|value| *value = short(*value));
        Self::from_parts(pieces, rows, lengths, dimensions)
    }

    fn from_parts(pieces: Vec<String>, directions: Vec<f32>, lengths: Vec<f32>, dimensions: usize) -> Self {
        let ids = pieces.iter().cloned().zip(0..).collect();
        Self {
            dimensions,
            pieces,
            ids,
            directions,
            lengths,
        }
    }

    /// Reads a finalfusion file with a plain vocabulary.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, String> {
        let read = Embeddings::<SimpleVocab, NdArray>::read_embeddings(&mut Cursor::new(bytes));
        let (_, vocabulary, storage, norms) = read.map_err(|error| error.to_string())?.into_parts();
        let norms = norms.ok_or("it has no norms")?;
        let (count, dimensions) = storage.shape();
        let directions: Vec<f32> = storage.view().iter().copied().collect();
        let lengths = norms.to_vec();
        let is_whole = count == vocabulary.words_len() && count == lengths.len() && dimensions > 0;
        if !is_whole || directions.iter().chain(&lengths).any(|value| !value.is_finite()) {
            return Err("its rows do not fit its words, or are no numbers".to_owned());
        }
        Ok(Self::from_parts(
            vocabulary.words().to_vec(),
            directions,
            lengths,
            dimensions,
        ))
    }

    /// The table as a finalfusion file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let shape = (self.pieces.len(), self.dimensions);
        let storage = Array2::from_shape_vec(shape, self.directions.clone()).expect("a row for each piece");
        let vocabulary = SimpleVocab::new(self.pieces.clone());
        let norms = NdNorms::new(self.lengths.clone());
        let embeddings = Embeddings::new(None, vocabulary, NdArray::new(storage), norms);
        let mut bytes = Cursor::new(Vec::new());
        embeddings
            .write_embeddings(&mut bytes)
            .expect("memory takes every byte");
        bytes.into_inner()
    }

    /// The length of a row.
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// The wordpieces, the most used ones first.
    pub fn pieces(&self) -> &[String] {
        &self.pieces
    }

    /// The rows, one after the other.
    pub fn rows(&self) -> Vec<f32> {
        let rows = self
            .directions
            .chunks_exact(self.dimensions.max(1))
            .zip(&self.lengths);
        rows.flat_map(|(row, length)| row.iter().map(move |value| value * length))
            .collect()
    }

    /// The unit vector of a text; all zeros if no piece of it is known.
    pub(super) fn embed(&self, text: &str) -> Vec<f32> {
        let mut sum = vec![0.0; self.dimensions];
        pieces(text, &mut |piece| self.ids.get(piece).copied(), &mut |piece| {
            let piece = piece as usize;
            let row = &self.directions[piece * self.dimensions..][..self.dimensions];
            add_scaled(&mut sum, row, self.lengths[piece]);
        });
        normalise(&mut sum);
        sum
    }
}

/// Cuts a number to eight significant bits. The index keeps fewer, and the zeros that are left take no room in a
/// repository.
#[cfg(any(feature = "encoder", test))]
fn short(value: f32) -> f32 {
    f32::from_bits((value.to_bits().saturating_add(0x8000)) & 0xFFFF_0000)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> QueryTable {
        let pieces = ["open", "##ing", "box"].map(str::to_owned).to_vec();
        QueryTable::new(pieces, vec![3.0, 4.0, 0.0, 1.0, 0.3, -0.1], 2)
    }

    #[test]
    fn a_table_survives_its_file() {
        let table = table();
        let bytes = table.to_bytes();
        assert!(bytes.starts_with(b"FiFu"));
        assert_eq!(QueryTable::read(&bytes).unwrap(), table);
        for (found, expected) in table.rows().iter().zip([3.0, 4.0, 0.0, 1.0, 0.3, -0.1]) {
            assert!(
                (found - expected).abs() <= 0.01 * f32::abs(expected),
                "{found} {expected}"
            );
        }
        for end in 0..bytes.len() {
            assert!(QueryTable::read(&bytes[..end]).is_err(), "{end}");
        }
    }

    #[test]
    fn a_text_is_the_sum_of_its_pieces() {
        let table = table();
        let sum = table.embed("Opening the box");
        let expected = [3.3, 4.9].map(|value: f32| value / 3.3_f32.hypot(4.9));
        assert!(
            sum.iter()
                .zip(expected)
                .all(|(sum, expected)| (sum - expected).abs() < 0.01),
            "{sum:?}"
        );
        assert_eq!(table.embed("unknown"), [0.0, 0.0]);
    }
}
