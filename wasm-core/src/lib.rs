//! The search engine for JavaScript. Everything that decides anything is in `search-core`; this crate converts.
//!
//! What goes in: the files of an index, the raw query, metadata of live answers as they came. What comes out: plain objects
//! that survive `postMessage`, with ranges in UTF-16 units; or the names of files that are missing for an answer.

mod error;
mod types;

use js_sys::Array;
use search_core::hits::{Display, map};
use search_core::{Index, SearchOptions, Step};
use wasm_bindgen::prelude::*;

/// Longest query, in characters. The rest is cut off.
const QUERY_CHARACTERS: usize = 512;
/// Entries of a live answer that are looked at.
const LIVE_ENTRIES: u32 = 100;

/// A search index and the ranking over it.
#[wasm_bindgen]
pub struct SearchEngine {
    index: Index,
}

#[wasm_bindgen]
impl SearchEngine {
    /// Reads the core of an index; throws an Error with a `code` if these bytes are none that this engine can read.
    #[wasm_bindgen(constructor)]
    pub fn new(core: &[u8]) -> Result<SearchEngine, JsValue> {
        let index = Index::open(core).map_err(|error| error::to_js(&error))?;
        Ok(Self { index })
    }

    /// Reads a file of the index; throws an Error with a `code` if it is damaged or of another index.
    pub fn load(&mut self, name: &str, bytes: &[u8]) -> Result<(), JsValue> {
        self.index.load(name, bytes).map_err(|error| error::to_js(&error))
    }

    /// The best sections for a query, as hits with paths from the root of the site; or what to load first.
    #[wasm_bindgen(unchecked_return_type = "Found")]
    pub fn search(
        &mut self,
        query: &str,
        limit: usize,
        #[wasm_bindgen(js_name = snippetWords)] snippet_words: usize,
        semantic: bool,
    ) -> JsValue {
        let query = cut(query);
        let options = SearchOptions {
            limit,
            semantic,
            ..SearchOptions::default()
        };
        match self.index.search(query, &options) {
            Step::Needs(files) => types::needs_to_js(&files),
            Step::Ready(answer) => {
                let display = Display::new(query, "/", snippet_words).with_corrections(&answer.corrections);
                let hits = answer.hits.iter().enumerate().map(|(list_index, section)| {
                    types::hit_to_js(
                        &map(&section.metadata(), list_index, &display),
                        Some(section.score),
                    )
                });
                types::found_to_js(hits.collect(), !answer.corrections.is_empty())
            }
        }
    }

    /// What to propose when a query found nothing, near pages only if vectors are wanted; or what to load first.
    #[wasm_bindgen(unchecked_return_type = "Alternatives")]
    pub fn alternatives(&mut self, query: &str, semantic: bool) -> JsValue {
        match self.index.alternatives(cut(query), semantic) {
            Step::Needs(files) => types::needs_to_js(&files),
            Step::Ready(alternatives) => types::alternatives_to_js(&alternatives),
        }
    }

    /// Whether a search can take vectors into account.
    #[wasm_bindgen(js_name = hasVectors)]
    pub fn has_vectors(&self) -> bool {
        self.index.has_vectors()
    }

    /// Drops loaded files that were not needed for the longest time until the rest takes at most so many bytes.
    #[wasm_bindgen(js_name = keepAtMost)]
    pub fn keep_at_most(&mut self, bytes: usize) {
        self.index.keep_at_most(bytes);
    }
}

/// The entries of a live answer as hits. Takes anything: what is no array has no hits, what an entry lacks is left out.
#[wasm_bindgen(js_name = mapHits, unchecked_return_type = "Hit[]")]
pub fn map_hits(
    #[wasm_bindgen(unchecked_param_type = "unknown[]")] metadata: &JsValue,
    query: &str,
    #[wasm_bindgen(js_name = siteRoot)] site_root: &str,
    #[wasm_bindgen(js_name = snippetWords)] snippet_words: usize,
) -> Array {
    let display = Display::new(cut(query), site_root, snippet_words);
    let entries = types::entries_of(metadata, LIVE_ENTRIES).enumerate();
    let hits = entries.map(|(list_index, entry)| {
        types::hit_to_js(&map(&types::metadata_from_js(&entry), list_index, &display), None)
    });
    hits.collect()
}

fn cut(query: &str) -> &str {
    query
        .char_indices()
        .nth(QUERY_CHARACTERS)
        .map_or(query, |(end, _)| &query[..end])
}
