//! The ranking of the golden corpus, to the bit. `tests/golden/golden.test.mjs` holds the WebAssembly module to the same.
//!
//! `UPDATE_GOLDEN=1` writes the index and the expected hits anew: look at the difference before you commit it.

use std::fs;

use search_core::{FormatErrorKind, Index, IndexFile, SearchOptions};
use serde::{Deserialize, Serialize};

use crate::corpus::{self, Shelf};

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Expected {
    query: String,
    /// By words alone.
    hits: Vec<Hit>,
    /// With vectors.
    semantic: Vec<Hit>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Hit {
    url: String,
    /// The bits of the f64, in hexadecimal.
    score: String,
}

#[test]
fn the_golden_index_gives_the_golden_hits_to_the_bit() {
    let files = corpus::sharded();
    let folder = corpus::golden_folder().join("index");
    let expected_path = corpus::golden_folder().join("expected.json");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        if folder.is_dir() {
            fs::remove_dir_all(&folder).expect("the golden index can be replaced");
        }
        fs::create_dir_all(&folder).expect("the golden index can be written");
        for file in &files {
            fs::write(folder.join(&file.name), &file.bytes).expect("the golden index can be written");
        }
        let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
        let names = serde_json::to_string_pretty(&names).unwrap();
        fs::write(folder.join("files.json"), names + "\n").expect("the golden index can be written");
        let answers = serde_json::to_string_pretty(&answers(files.clone())).unwrap();
        fs::write(&expected_path, answers + "\n").expect("the golden hits can be written");
    }
    let golden = golden_files();
    assert!(
        files == golden,
        "the builder writes other bytes than tests/golden/index; if that is meant: UPDATE_GOLDEN=1"
    );
    let expected: Vec<Expected> = serde_json::from_str(&corpus::read("expected.json")).unwrap();
    for (found, expected) in answers(golden).iter().zip(&expected) {
        assert_eq!(found, expected, "if that is meant: UPDATE_GOLDEN=1");
    }
    assert_eq!(corpus::queries().len(), expected.len());
}

#[test]
fn an_index_of_another_version_is_refused_and_the_versions_are_named() {
    let mut bytes = golden_files().remove(0).bytes;
    bytes[8] += 1;
    let error = Index::open(&bytes).unwrap_err();
    assert_eq!(error.kind(), FormatErrorKind::UnsupportedVersion);
    assert_eq!(
        error.to_string(),
        "cannot read the search index: its format version is 3, wanted 2"
    );
}

fn golden_files() -> Vec<IndexFile> {
    let names: Vec<String> =
        serde_json::from_str(&corpus::read("index/files.json")).expect("a list of names");
    let file = |name: String| {
        let bytes = fs::read(corpus::golden_folder().join("index").join(&name));
        let bytes = bytes.expect("the golden index is in the repository");
        IndexFile { name, bytes }
    };
    names.into_iter().map(file).collect()
}

fn answers(files: Vec<IndexFile>) -> Vec<Expected> {
    let mut shelf = Shelf::new(files);
    let mut hits = |query: &str, semantic: bool| {
        let options = SearchOptions {
            semantic,
            ..SearchOptions::default()
        };
        let hits = shelf.search(query, &options).hits;
        let hit = |hit: &search_core::SectionHit| Hit {
            url: hit.url(),
            score: format!("{:016x}", hit.score.to_bits()),
        };
        hits.iter().map(hit).collect::<Vec<_>>()
    };
    corpus::queries()
        .into_iter()
        .map(|query| Expected {
            hits: hits(&query, false),
            semantic: hits(&query, true),
            query,
        })
        .collect()
}
