//! The encoder of the sections: a BERT in safetensors, run by candle on the processor.
//!
//! It is made for all-MiniLM-L6-v2 and reads any model of that kind: embeddings, some layers of attention, the mean over
//! the pieces, unit length. Texts of like length share a batch, so that little of it is padding.

use std::collections::HashMap;
use std::fmt;
use std::fs;
use std::io;
use std::path::Path;

use candle_core::{D, DType, Device, Tensor};
use serde::Deserialize;
use sha2::{Digest, Sha256};

use search_core::vector::pieces;

use super::EncoderError;
use super::math::normalise;

/// A text is cut here, with the two marks around it: the model was trained on texts of this length.
const MOST_PIECES: usize = 256;

/// Pieces in a batch, padding included. More does not make it faster, and takes more memory.
const BATCH_PIECES: usize = 4096;

/// The weights of all-MiniLM-L6-v2, as the first bytes of their SHA-256.
const MINILM: [u8; 8] = [0x53, 0xaa, 0x51, 0x17, 0x2d, 0x14, 0x2c, 0x89];

/// A loaded encoder.
pub struct Encoder {
    name: String,
    pieces: Vec<String>,
    ids: HashMap<String, u32>,
    start: u32,
    end: u32,
    heads: usize,
    epsilon: f64,
    most_pieces: usize,
    words: Tensor,
    positions: Tensor,
    kind: Tensor,
    norm: Norm,
    layers: Vec<Layer>,
    dimensions: usize,
}

impl From<candle_core::Error> for EncoderError {
    fn from(error: candle_core::Error) -> Self {
        Self::Failed(error.to_string())
    }
}

impl fmt::Debug for Encoder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Encoder")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

/// `config.json`
#[derive(Deserialize)]
struct Shape {
    num_hidden_layers: usize,
    num_attention_heads: usize,
    max_position_embeddings: usize,
    #[serde(default = "default_epsilon")]
    layer_norm_eps: f64,
}

fn default_epsilon() -> f64 {
    1e-12
}

impl Encoder {
    /// Reads `config.json`, `vocab.txt` and `model.safetensors` of a folder.
    pub fn load(folder: &Path) -> Result<Self, EncoderError> {
        let config = folder.join("config.json");
        let shape: Shape = serde_json::from_slice(&read(&config)?)
            .map_err(|error| EncoderError::Damaged(config.clone(), error.to_string()))?;
        let vocabulary = folder.join("vocab.txt");
        let damaged = |what: &str| EncoderError::Damaged(vocabulary.clone(), what.to_owned());
        let text = String::from_utf8(read(&vocabulary)?).map_err(|_| damaged("it is not UTF-8"))?;
        let pieces: Vec<String> = text.lines().map(str::to_owned).collect();
        let ids: HashMap<String, u32> = pieces.iter().cloned().zip(0..).collect();
        let mark = |name: &str| {
            let id = ids.get(name).copied();
            id.ok_or_else(|| damaged(&format!("it has no line `{name}`")))
        };
        let (start, end) = (mark("[CLS]")?, mark("[SEP]")?);

        let weights = folder.join("model.safetensors");
        let bytes = read(&weights)?;
        let digest = Sha256::digest(&bytes);
        let name = if digest[..8] == MINILM {
            "all-MiniLM-L6-v2".to_owned()
        } else {
            let start: String = digest[..6].iter().map(|byte| format!("{byte:02x}")).collect();
            format!("encoder-{start}")
        };
        let tensors = candle_core::safetensors::load_buffer(&bytes, &Device::Cpu);
        let damaged = |what: String| EncoderError::Damaged(weights.clone(), what);
        let tensors = tensors.map_err(|error| damaged(error.to_string()))?;
        drop(bytes);
        let loaded =
            Self::assemble(name, pieces, ids, (start, end), &shape, &Weights(&tensors)).map_err(damaged)?;
        Ok(loaded)
    }

    fn assemble(
        name: String,
        pieces: Vec<String>,
        ids: HashMap<String, u32>,
        (start, end): (u32, u32),
        shape: &Shape,
        weights: &Weights<'_>,
    ) -> Result<Self, String> {
        let words = weights.matrix("embeddings.word_embeddings.weight")?;
        let positions = weights.matrix("embeddings.position_embeddings.weight")?;
        let (count, dimensions) = words.dims2().map_err(|error| error.to_string())?;
        let most_pieces = MOST_PIECES
            .min(shape.max_position_embeddings)
            .min(positions.dims().first().copied().unwrap_or(0));
        if count < pieces.len() || most_pieces < 3 {
            return Err("it does not belong to its vocab.txt and config.json".to_owned());
        }
        if shape.num_attention_heads == 0 || !dimensions.is_multiple_of(shape.num_attention_heads) {
            return Err(format!(
                "{dimensions} dimensions cannot be divided among {} heads",
                shape.num_attention_heads
            ));
        }
        let layers = (0..shape.num_hidden_layers).map(|layer| {
            let part = |name: &str| format!("encoder.layer.{layer}.{name}");
            Ok(Layer {
                query: weights.linear(&part("attention.self.query"))?,
                key: weights.linear(&part("attention.self.key"))?,
                value: weights.linear(&part("attention.self.value"))?,
                output: weights.linear(&part("attention.output.dense"))?,
                attention_norm: weights.norm(&part("attention.output.LayerNorm"))?,
                wide: weights.linear(&part("intermediate.dense"))?,
                narrow: weights.linear(&part("output.dense"))?,
                norm: weights.norm(&part("output.LayerNorm"))?,
            })
        });
        let kinds = weights.matrix("embeddings.token_type_embeddings.weight")?;
        Ok(Self {
            name,
            pieces,
            ids,
            start,
            end,
            heads: shape.num_attention_heads,
            epsilon: shape.layer_norm_eps,
            most_pieces,
            kind: kinds.get(0).map_err(|error| error.to_string())?,
            words,
            positions,
            norm: weights.norm("embeddings.LayerNorm")?,
            layers: layers.collect::<Result<_, String>>()?,
            dimensions,
        })
    }

    /// The name of the model, or what tells its weights from others.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The length of a vector.
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// The wordpieces by id.
    pub fn pieces(&self) -> &[String] {
        &self.pieces
    }

    /// The id of a wordpiece.
    pub fn piece(&self, piece: &str) -> Option<u32> {
        self.ids.get(piece).copied()
    }

    /// One unit vector for each text, one after the other.
    pub fn encode(&self, texts: &[&str]) -> Result<Vec<f32>, EncoderError> {
        let cut: Vec<Vec<u32>> = texts.iter().map(|text| self.cut(text)).collect();
        let mut order: Vec<usize> = (0..cut.len()).collect();
        order.sort_by_key(|text| cut[*text].len());
        let mut vectors = vec![0.0; texts.len() * self.dimensions];
        let mut rest = order.as_slice();
        while !rest.is_empty() {
            // Sorted by length: the last text of a batch decides how wide it is.
            let fits = |count: usize| cut[rest[count - 1]].len() * count <= BATCH_PIECES;
            let count = (1..=rest.len())
                .take_while(|count| fits(*count))
                .last()
                .unwrap_or(1);
            let (batch, later) = rest.split_at(count);
            let batch_pieces: Vec<&[u32]> = batch.iter().map(|text| cut[*text].as_slice()).collect();
            let rows = self.forward(&batch_pieces)?;
            for (text, row) in batch.iter().zip(rows.chunks_exact(self.dimensions)) {
                let into = &mut vectors[text * self.dimensions..][..self.dimensions];
                into.copy_from_slice(row);
                normalise(into);
            }
            rest = later;
        }
        Ok(vectors)
    }

    fn cut(&self, text: &str) -> Vec<u32> {
        let mut cut = vec![self.start];
        pieces(text, &mut |piece| self.piece(piece), &mut |piece| {
            if cut.len() < self.most_pieces - 1 {
                cut.push(piece);
            }
        });
        cut.push(self.end);
        cut
    }

    /// The mean of the last layer over the pieces of each text.
    fn forward(&self, texts: &[&[u32]]) -> Result<Vec<f32>, EncoderError> {
        let device = &Device::Cpu;
        let (count, width) = (
            texts.len(),
            texts.iter().map(|text| text.len()).max().unwrap_or(0),
        );
        let mut ids = Vec::with_capacity(count * width);
        let mut kept = Vec::with_capacity(count * width);
        for text in texts {
            ids.extend(
                text.iter()
                    .copied()
                    .chain(std::iter::repeat_n(0, width - text.len())),
            );
            kept.extend((0..width).map(|at| if at < text.len() { 1.0_f32 } else { 0.0 }));
        }
        let ids = Tensor::from_vec(ids, count * width, device)?;
        let kept = Tensor::from_vec(kept, (count, width, 1), device)?;
        // Nobody attends to the padding.
        let hidden = kept.affine(1e9, -1e9)?.reshape((count, 1, 1, width))?;
        let positions = self.positions.narrow(0, 0, width)?.broadcast_add(&self.kind)?;
        let embedded = self
            .words
            .index_select(&ids, 0)?
            .reshape((count, width, self.dimensions))?;
        let mut state = self
            .norm
            .apply(&embedded.broadcast_add(&positions)?, self.epsilon)?;
        for layer in &self.layers {
            state = layer.apply(&state, &hidden, self.heads, self.epsilon)?;
        }
        let sums = state.broadcast_mul(&kept)?.sum(1)?;
        let means = sums.broadcast_div(&kept.sum(1)?)?;
        Ok(means.flatten_all()?.to_vec1()?)
    }
}

struct Layer {
    query: Linear,
    key: Linear,
    value: Linear,
    output: Linear,
    attention_norm: Norm,
    wide: Linear,
    narrow: Linear,
    norm: Norm,
}

impl Layer {
    fn apply(
        &self,
        state: &Tensor,
        hidden: &Tensor,
        heads: usize,
        epsilon: f64,
    ) -> candle_core::Result<Tensor> {
        let (count, width, dimensions) = state.dims3()?;
        let split = |linear: &Linear| {
            let shape = (count, width, heads, dimensions / heads);
            linear.apply(state)?.reshape(shape)?.transpose(1, 2)?.contiguous()
        };
        let (query, key, value) = (split(&self.query)?, split(&self.key)?, split(&self.value)?);
        let scale = 1.0 / ((dimensions / heads) as f64).sqrt();
        let scores = (query.matmul(&key.t()?)? * scale)?.broadcast_add(hidden)?;
        let attended = softmax(&scores)?.matmul(&value)?;
        let attended = attended.transpose(1, 2)?.reshape((count, width, dimensions))?;
        let state = self
            .attention_norm
            .apply(&(state + self.output.apply(&attended)?)?, epsilon)?;
        let wide = self.wide.apply(&state)?.gelu_erf()?;
        self.norm.apply(&(&state + self.narrow.apply(&wide)?)?, epsilon)
    }
}

fn softmax(scores: &Tensor) -> candle_core::Result<Tensor> {
    let raised = scores.broadcast_sub(&scores.max_keepdim(D::Minus1)?)?.exp()?;
    raised.broadcast_div(&raised.sum_keepdim(D::Minus1)?)
}

struct Linear {
    /// As it is multiplied from the right.
    weight: Tensor,
    bias: Tensor,
}

impl Linear {
    fn apply(&self, state: &Tensor) -> candle_core::Result<Tensor> {
        let (count, width, dimensions) = state.dims3()?;
        let product = state.reshape((count * width, dimensions))?.matmul(&self.weight)?;
        product.broadcast_add(&self.bias)?.reshape((count, width, ()))
    }
}

struct Norm {
    weight: Tensor,
    bias: Tensor,
}

impl Norm {
    fn apply(&self, state: &Tensor, epsilon: f64) -> candle_core::Result<Tensor> {
        let centred = state.broadcast_sub(&state.mean_keepdim(D::Minus1)?)?;
        let deviation = (centred.sqr()?.mean_keepdim(D::Minus1)? + epsilon)?.sqrt()?;
        let scaled = centred.broadcast_div(&deviation)?.broadcast_mul(&self.weight)?;
        scaled.broadcast_add(&self.bias)
    }
}

struct Weights<'a>(&'a HashMap<String, Tensor>);

impl Weights<'_> {
    fn tensor(&self, name: &str) -> Result<Tensor, String> {
        // Some exports put the whole model below `bert.`.
        let found = self.0.get(name).or_else(|| self.0.get(&format!("bert.{name}")));
        let found = found.ok_or_else(|| format!("it has no tensor `{name}`"))?;
        found.to_dtype(DType::F32).map_err(|error| error.to_string())
    }

    fn matrix(&self, name: &str) -> Result<Tensor, String> {
        let tensor = self.tensor(name)?;
        match tensor.dims() {
            [rows, _] if *rows > 0 => Ok(tensor),
            shape => Err(format!("`{name}` is no matrix but {shape:?}")),
        }
    }

    fn linear(&self, name: &str) -> Result<Linear, String> {
        let weight = self.matrix(&format!("{name}.weight"))?;
        let weight = weight.t().map_err(|error| error.to_string())?;
        Ok(Linear {
            weight,
            bias: self.tensor(&format!("{name}.bias"))?,
        })
    }

    fn norm(&self, name: &str) -> Result<Norm, String> {
        Ok(Norm {
            weight: self.tensor(&format!("{name}.weight"))?,
            bias: self.tensor(&format!("{name}.bias"))?,
        })
    }
}

fn read(file: &Path) -> Result<Vec<u8>, EncoderError> {
    fs::read(file).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => EncoderError::Missing(file.to_owned()),
        _ => EncoderError::Unreadable(file.to_owned(), error),
    })
}

#[cfg(test)]
#[path = "../../tests/integration/tiny_encoder.rs"]
pub(super) mod tiny_encoder;

#[cfg(test)]
mod tests {
    use super::*;

    fn tiny() -> (tempfile::TempDir, Encoder) {
        let folder = tempfile::tempdir().unwrap();
        tiny_encoder::write(folder.path(), 1);
        let encoder = Encoder::load(folder.path()).unwrap();
        (folder, encoder)
    }

    #[test]
    fn a_vector_is_one_long_and_does_not_depend_on_its_batch() {
        let (_folder, encoder) = tiny();
        assert_eq!(
            (encoder.dimensions(), encoder.name().starts_with("encoder-")),
            (8, true)
        );
        // More pieces than there are positions: the rest is cut off.
        let long = "many words ".repeat(20);
        let texts = ["a box", "", "open", &long, "open the box"];
        let together = encoder.encode(&texts).unwrap();
        for (text, row) in texts.iter().zip(together.chunks_exact(8)) {
            let alone = encoder.encode(&[text]).unwrap();
            assert!(
                alone
                    .iter()
                    .zip(row)
                    .all(|(alone, row)| (alone - row).abs() < 1e-5),
                "{text}"
            );
            let length: f32 = row.iter().map(|value| value * value).sum();
            assert!((length - 1.0).abs() < 1e-5, "{text}: {length}");
        }
        assert_ne!(together[..8], together[16..24]);
        assert_eq!(encoder.encode(&[]).unwrap(), [0.0; 0]);
    }

    #[test]
    fn the_order_of_words_matters_to_it() {
        let (_folder, encoder) = tiny();
        let both = encoder.encode(&["a b", "b a"]).unwrap();
        assert!(
            both[..8]
                .iter()
                .zip(&both[8..])
                .any(|(left, right)| (left - right).abs() > 1e-3),
            "{both:?}"
        );
    }

    #[test]
    fn a_folder_that_lacks_something_or_cannot_be_read_is_refused_with_the_name_of_it() {
        for file in ["config.json", "vocab.txt", "model.safetensors"] {
            let (folder, _) = tiny();
            let path = folder.path().join(file);
            fs::write(&path, "nothing of that kind").unwrap();
            let error = Encoder::load(folder.path()).unwrap_err();
            assert!(
                matches!(&error, EncoderError::Damaged(named, _) if *named == path),
                "{error}"
            );
            fs::remove_file(&path).unwrap();
            let error = Encoder::load(folder.path()).unwrap_err();
            assert!(
                matches!(&error, EncoderError::Missing(named) if *named == path),
                "{error}"
            );
            fs::create_dir(&path).unwrap();
            let error = Encoder::load(folder.path()).unwrap_err();
            assert!(
                matches!(&error, EncoderError::Unreadable(named, _) if *named == path),
                "{error}"
            );
        }
    }
}
