//! A transformer of two layers and eight dimensions with random weights, as files. It knows nothing, and everything that
//! a real one goes through can be tried with it.

use std::fs;
use std::path::Path;

/// Its vocabulary: letters, and letters inside of words.
fn vocabulary() -> Vec<String> {
    let marks = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"].map(str::to_owned);
    let letters = ('a'..='z').map(String::from);
    let inside = ('a'..='z').map(|letter| format!("##{letter}"));
    marks.into_iter().chain(letters).chain(inside).collect()
}

/// Writes the three files of an encoder. Another seed is another model.
pub(crate) fn write(folder: &Path, seed: u32) {
    fs::create_dir_all(folder).unwrap();
    let vocabulary = vocabulary();
    fs::write(folder.join("vocab.txt"), vocabulary.join("\n")).unwrap();
    fs::write(
        folder.join("config.json"),
        r#"{"num_hidden_layers": 2, "num_attention_heads": 2, "max_position_embeddings": 32, "layer_norm_eps": 1e-12}"#,
    )
    .unwrap();
    let mut tensors: Vec<(String, Vec<usize>)> = vec![
        (
            "embeddings.word_embeddings.weight".to_owned(),
            vec![vocabulary.len(), 8],
        ),
        ("embeddings.position_embeddings.weight".to_owned(), vec![32, 8]),
        ("embeddings.token_type_embeddings.weight".to_owned(), vec![2, 8]),
        ("embeddings.LayerNorm.weight".to_owned(), vec![8]),
        ("embeddings.LayerNorm.bias".to_owned(), vec![8]),
    ];
    for layer in 0..2 {
        for (name, out, from) in [
            ("attention.self.query", 8, 8),
            ("attention.self.key", 8, 8),
            ("attention.self.value", 8, 8),
            ("attention.output.dense", 8, 8),
            ("attention.output.LayerNorm", 8, 0),
            ("intermediate.dense", 16, 8),
            ("output.dense", 8, 16),
            ("output.LayerNorm", 8, 0),
        ] {
            let shape = if from == 0 { vec![out] } else { vec![out, from] };
            tensors.push((format!("encoder.layer.{layer}.{name}.weight"), shape));
            tensors.push((format!("encoder.layer.{layer}.{name}.bias"), vec![out]));
        }
    }
    let mut header = Vec::new();
    let mut data = Vec::new();
    let mut state = seed;
    for (name, shape) in tensors {
        let start = data.len();
        for _ in 0..shape.iter().product() {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let value = (f64::from(state >> 8) / f64::from(1 << 23) - 1.0) as f32;
            data.extend_from_slice(&value.to_le_bytes());
        }
        header.push(format!(
            r#""{name}":{{"dtype":"F32","shape":{shape:?},"data_offsets":[{start},{}]}}"#,
            data.len()
        ));
    }
    let mut header = format!("{{{}}}", header.join(","));
    header.push_str(&" ".repeat(header.len().next_multiple_of(8) - header.len()));
    let mut file = (header.len() as u64).to_le_bytes().to_vec();
    file.extend_from_slice(header.as_bytes());
    file.extend(data);
    fs::write(folder.join("model.safetensors"), file).unwrap();
}
