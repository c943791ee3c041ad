//! The ranking of the golden corpus, to the bit. `tests/golden/golden.test.mjs` holds the WebAssembly module to the same.
//!
//! `UPDATE_GOLDEN=1` writes the index and the expected hits anew: look at the difference before you commit it.

use search_core::{FormatErrorKind, Index, SearchOptions};
use serde::{Deserialize, Serialize};

use crate::corpus;

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Answer {
    query: String,
    hits: Vec<Hit>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Hit {
    url: String,
    /// The bits of the f64, in hexadecimal.
    score: String,
}

#[test]
fn the_golden_index_gives_the_golden_hits_to_the_bit() {
    let bytes = corpus::bytes();
    let index_path = corpus::golden_folder().join("index.bin");
    let expected_path = corpus::golden_folder().join("expected.json");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&index_path, &bytes).expect("the golden index can be written");
        let answers = serde_json::to_string_pretty(&answers(&Index::open(&bytes).unwrap())).unwrap();
        std::fs::write(&expected_path, answers + "\n").expect("the golden hits can be written");
    }
    let golden = std::fs::read(&index_path).expect("the golden index is in the repository");
    assert!(
        bytes == golden,
        "the builder writes other bytes than tests/golden/index.bin; if that is meant: UPDATE_GOLDEN=1"
    );
    let expected: Vec<Answer> = serde_json::from_str(&corpus::read("expected.json")).unwrap();
    for (found, expected) in answers(&Index::open(&golden).unwrap()).iter().zip(&expected) {
        assert_eq!(found, expected, "if that is meant: UPDATE_GOLDEN=1");
    }
    assert_eq!(queries().len(), expected.len());
}

#[test]
fn an_index_of_another_version_is_refused_and_the_versions_are_named() {
    let mut bytes = std::fs::read(corpus::golden_folder().join("index.bin")).unwrap();
    bytes[8] += 1;
    let error = Index::open(&bytes).unwrap_err();
    assert_eq!(error.kind(), FormatErrorKind::UnsupportedVersion);
    assert_eq!(
        error.to_string(),
        "cannot read the search index: its format version is 2, wanted 1"
    );
}

fn queries() -> Vec<String> {
    serde_json::from_str(&corpus::read("queries.json")).expect("the queries are a list of texts")
}

fn answers(index: &Index) -> Vec<Answer> {
    let answer = |query: String| {
        let hits = index.search(&query, &SearchOptions::default());
        let hits = hits.iter().map(|hit| Hit {
            url: hit.url(),
            score: format!("{:016x}", hit.score.to_bits()),
        });
        Answer {
            hits: hits.collect(),
            query,
        }
    };
    queries().into_iter().map(answer).collect()
}
