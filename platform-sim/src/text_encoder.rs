//! Text into a vector, by a table of wordpieces: the query side of an embedding whose item side was made elsewhere.
//!
//! The table is a finalfusion file, such as the indexer's `query-table.fifu`. A text's vector is the sum of the rows
//! of its wordpieces, which `search_core` cuts for the browser and for the indexer too.

use std::collections::HashMap;
use std::fs;
use std::io::Cursor;
use std::path::Path;

use anyhow::{Context, anyhow, bail};
use finalfusion::prelude::{Embeddings, ReadEmbeddings, StorageWrap, VocabWrap};
use finalfusion::storage::Storage;
use finalfusion::vocab::Vocab;
use search_core::vector::pieces;
use sha2::{Digest, Sha256};

/// How the file of every finalfusion program begins.
const MAGIC: &[u8] = b"FiFu";

/// The table of a text encoder, in memory.
pub(crate) struct TextEncoder {
    pieces: HashMap<String, u32>,
    rows: Vec<f32>,
    dimensions: usize,
    digest: String,
}

impl TextEncoder {
    /// Reads a table, or says what is wrong with the file.
    pub(crate) fn open(path: &Path) -> anyhow::Result<TextEncoder> {
        let bytes =
            fs::read(path).with_context(|| format!("cannot read the text encoder {}", path.display()))?;
        TextEncoder::read(&bytes).with_context(|| {
            format!(
                "the text encoder {} cannot be used: it must be a finalfusion file of wordpieces, such as query-table.fifu of `indexer build`",
                path.display()
            )
        })
    }

    fn read(bytes: &[u8]) -> anyhow::Result<TextEncoder> {
        check_sizes(bytes)?;
        let embeddings = Embeddings::<VocabWrap, StorageWrap>::read_embeddings(&mut Cursor::new(bytes))?;
        let VocabWrap::SimpleVocab(vocabulary) = embeddings.vocab() else {
            bail!("its vocabulary has parts of words that are not wordpieces");
        };
        let dimensions = embeddings.dims();
        if dimensions == 0 || vocabulary.words_len() == 0 {
            bail!("its table is empty");
        }
        let rows_of = [
            Some(embeddings.storage().shape().0),
            embeddings.norms().map(|norms| norms.len()),
        ];
        if rows_of
            .into_iter()
            .flatten()
            .any(|rows| rows != vocabulary.words_len())
        {
            bail!(
                "it does not have one row for each of its {} wordpieces",
                vocabulary.words_len()
            );
        }
        let mut pieces = HashMap::with_capacity(vocabulary.words_len());
        let mut rows = Vec::with_capacity(vocabulary.words_len() * dimensions);
        for (number, word) in vocabulary.words().iter().enumerate() {
            let row = embeddings
                .embedding_with_norm(word)
                .ok_or_else(|| anyhow!("its wordpiece '{word}' has no row"))?
                .into_unnormalized();
            if !row.iter().all(|value| value.is_finite()) {
                bail!("the row of its wordpiece '{word}' has something else than finite numbers");
            }
            pieces.insert(
                word.clone(),
                u32::try_from(number).context("it has too many wordpieces")?,
            );
            rows.extend(row);
        }
        Ok(TextEncoder {
            pieces,
            rows,
            dimensions,
            digest: crate::hex(&Sha256::digest(bytes)),
        })
    }

    /// The length of its vectors.
    pub(crate) fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// What tells this table from every other.
    pub(crate) fn digest(&self) -> &str {
        &self.digest
    }

    /// The vector of a text, of length 1; `None` if no part of the text is known.
    pub(crate) fn encode(&self, text: &str) -> Option<Vec<f32>> {
        let mut sum = vec![0.0; self.dimensions];
        pieces(
            text,
            &mut |piece| self.pieces.get(piece).copied(),
            &mut |number| {
                let start = number as usize * self.dimensions;
                let row = &self.rows[start..start + self.dimensions];
                sum.iter_mut().zip(row).for_each(|(sum, value)| *sum += value);
            },
        );
        let length = sum.iter().map(|value| value * value).sum::<f32>().sqrt();
        // A sum beyond 32 bits is as useless as one of nothing.
        (length > 0.0 && length.is_finite()).then(|| sum.iter().map(|value| value / length).collect())
    }
}

impl std::fmt::Debug for TextEncoder {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            formatter,
            "TextEncoder of {} wordpieces in {} dimensions",
            self.pieces.len(),
            self.dimensions
        )
    }
}

/// Checks that the parts of a finalfusion file lie inside of it and hold as much as they announce. Its reader makes room
/// for what a file announces, so a damaged one could ask for more memory than there is.
fn check_sizes(bytes: &[u8]) -> anyhow::Result<()> {
    const SIMPLE_VOCABULARY: u32 = 1;
    const MATRIX: u32 = 2;
    const NORMS: u32 = 6;
    let damaged = || anyhow!("it is damaged or not complete");
    let number = |at: usize, bytes_of_it: usize| -> anyhow::Result<u64> {
        let end = at.checked_add(bytes_of_it).ok_or_else(damaged)?;
        let little_endian = bytes.get(at..end).ok_or_else(damaged)?;
        Ok(little_endian
            .iter()
            .rev()
            .fold(0, |number, byte| number << 8 | u64::from(*byte)))
    };
    if !bytes.starts_with(MAGIC) {
        bail!("it is no finalfusion file");
    }
    // The magic, a version, and a list of what comes: its length and the kind of each.
    let chunks = usize::try_from(number(8, 4)?)?;
    let mut at = chunks
        .checked_mul(4)
        .and_then(|list| list.checked_add(12))
        .ok_or_else(damaged)?;
    if at > bytes.len() {
        return Err(damaged());
    }
    for chunk in 0..chunks {
        let kind = number(at, 4)?;
        if kind != number(12 + 4 * chunk, 4)? {
            return Err(damaged());
        }
        let length = number(at + 4, 8)?;
        let content = at + 12;
        let end = usize::try_from(length)
            .ok()
            .and_then(|length| content.checked_add(length));
        let end = end.filter(|end| *end <= bytes.len()).ok_or_else(damaged)?;
        let announced = match kind as u32 {
            SIMPLE_VOCABULARY | NORMS => number(content, 8)?.checked_mul(4),
            MATRIX => number(content, 8)?
                .checked_mul(number(content + 8, 4)?)
                .and_then(|values| values.checked_mul(4)),
            _ => Some(0),
        };
        if announced.is_none_or(|announced| announced > length) {
            return Err(damaged());
        }
        at = end;
    }
    Ok(())
}

#[cfg(test)]
pub(crate) mod tests {
    use finalfusion::io::WriteEmbeddings;
    use finalfusion::norms::NdNorms;
    use finalfusion::storage::NdArray;
    use finalfusion::vocab::SimpleVocab;
    use ndarray::{Array1, Array2};

    use super::*;

    /// The file of a table.
    pub(crate) fn file(rows: &[(&str, &[f32])], norms: Option<&[f32]>) -> Vec<u8> {
        let words = rows
            .iter()
            .map(|(word, _)| (*word).to_owned())
            .collect::<Vec<_>>();
        let dimensions = rows.first().map_or(0, |(_, row)| row.len());
        let values = rows.iter().flat_map(|(_, row)| row.iter().copied()).collect();
        let matrix = Array2::from_shape_vec((rows.len(), dimensions), values).unwrap();
        let norms = norms.map_or_else(|| vec![1.0; rows.len()], <[f32]>::to_vec);
        let embeddings = Embeddings::new(
            None,
            SimpleVocab::new(words),
            NdArray::new(matrix),
            NdNorms::new(Array1::from(norms)),
        );
        let mut bytes = Cursor::new(Vec::new());
        embeddings.write_embeddings(&mut bytes).unwrap();
        bytes.into_inner()
    }

    fn example() -> Vec<u8> {
        file(
            &[
                ("rank", &[1.0, 0.0]),
                ("##ing", &[0.6, 0.8]),
                ("film", &[0.0, 1.0]),
            ],
            Some(&[2.0, 1.0, 3.0]),
        )
    }

    #[test]
    fn a_text_is_the_sum_of_its_pieces_with_their_lengths() {
        let encoder = TextEncoder::read(&example()).unwrap();
        assert_eq!(encoder.dimensions(), 2);
        assert_eq!(encoder.encode("Film"), Some(vec![0.0, 1.0]));
        let ranking = encoder.encode("a ranking!").unwrap();
        let expected = [2.6, 0.8].map(|value: f32| value / (2.6_f32 * 2.6 + 0.8 * 0.8).sqrt());
        assert!(
            ranking.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6),
            "{ranking:?}"
        );
        assert_eq!(encoder.encode("zebra"), None);
        assert_eq!(encoder.encode(""), None);
    }

    #[test]
    fn every_damage_is_an_error_or_leaves_a_table() {
        let whole = example();
        for length in 0..whole.len() {
            assert!(
                TextEncoder::read(&whole[..length]).is_err(),
                "the first {length} bytes are no table"
            );
        }
        for at in 0..whole.len() {
            for bit in 0..8 {
                let mut bytes = whole.clone();
                bytes[at] ^= 1 << bit;
                if let Ok(encoder) = TextEncoder::read(&bytes) {
                    encoder.encode("ranking film");
                }
            }
        }
    }

    #[test]
    fn what_is_no_table_is_named() {
        let reason = |bytes: &[u8]| format!("{:#}", TextEncoder::read(bytes).unwrap_err());
        assert!(reason(b"PK\x03\x04").contains("no finalfusion file"));
        assert!(reason(&example()[..40]).contains("not complete"));
        assert!(reason(&file(&[("a", &[f32::NAN])], None)).contains("'a'"));
        let missing = TextEncoder::open(Path::new("no/such/table.fifu")).unwrap_err();
        assert!(
            format!("{missing:#}").contains("no/such/table.fifu"),
            "{missing:#}"
        );
    }
}
