//! The search engine for JavaScript. Everything that decides anything is in `search-core`; this crate converts.
//!
//! What goes in: the bytes of an index, the raw query, metadata of live answers as they came. What comes out: plain objects
//! that survive `postMessage`, with ranges in UTF-16 units.

mod error;
mod types;

use js_sys::Array;
use search_core::hits::{Display, map};
use search_core::{Index, SearchOptions};
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
    /// Reads an index; throws an Error with a `code` if these bytes are none that this engine can read.
    #[wasm_bindgen(constructor)]
    pub fn new(index: &[u8]) -> Result<SearchEngine, JsValue> {
        let index = Index::open(index).map_err(|error| error::to_js(&error))?;
        Ok(Self { index })
    }

    /// The best sections for a query, as hits with paths from the root of the site.
    #[wasm_bindgen(unchecked_return_type = "Hit[]")]
    pub fn search(
        &self,
        query: &str,
        limit: usize,
        #[wasm_bindgen(js_name = snippetWords)] snippet_words: usize,
    ) -> Array {
        let query = cut(query);
        let display = Display::new(query, "/", snippet_words);
        let options = SearchOptions {
            limit,
            ..SearchOptions::default()
        };
        let hits = self.index.search(query, &options);
        let hits = hits.iter().enumerate().map(|(list_index, section)| {
            types::hit_to_js(
                &map(&section.metadata(), list_index, &display),
                Some(section.score),
            )
        });
        hits.collect()
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
