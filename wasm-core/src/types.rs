//! What crosses the border, as TypeScript knows it, and the conversions.

use std::ops::Range;

use js_sys::{Array, Object, Reflect};
use search_core::highlight::to_utf16;
use search_core::hits::{Hit, Metadata};
use search_core::{Alternatives, PageHit};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** A range in a text, in UTF-16 units: `text.slice(start, end)`. */
export interface Range {
  start: number;
  end: number;
}

/** A section of the documentation as the search modal shows it. */
export interface Hit {
  objectID: string;
  url: string;
  pathname: string;
  /** What follows '#' in the url, or ''. */
  hash: string;
  hierarchy: { lvl0: string; lvl1: string };
  content: string;
  type: 'content';
  /** null for hits of a live answer. */
  score: number | null;
  /** What to mark in the displayed texts; sorted, without overlaps. */
  marks: { lvl0: Range[]; lvl1: Range[]; content: Range[] };
}

/** Load these files of the index and ask again. */
export interface Needs {
  status: 'needs';
  files: string[];
}

export type Found =
  | {
      status: 'ready';
      hits: Hit[];
      /** Whether something else was searched than what was typed. */
      corrected: boolean;
    }
  | Needs;

export type Alternatives =
  | { status: 'ready'; queries: string[]; pages: { title: string; pathname: string }[] }
  | Needs;
"#;

/// A plain object of the interface `Needs`.
pub(crate) fn needs_to_js(files: &[String]) -> JsValue {
    object(&[
        ("status", JsValue::from_str("needs")),
        ("files", texts_to_js(files)),
    ])
}

/// An answer as a plain object of the type `Found`.
pub(crate) fn found_to_js(hits: Array, corrected: bool) -> JsValue {
    object(&[
        ("status", JsValue::from_str("ready")),
        ("hits", hits.into()),
        ("corrected", JsValue::from_bool(corrected)),
    ])
}

/// Proposals as a plain object of the type `Alternatives`.
pub(crate) fn alternatives_to_js(alternatives: &Alternatives) -> JsValue {
    let page = |page: &PageHit| {
        object(&[
            ("title", JsValue::from_str(&page.title)),
            ("pathname", JsValue::from_str(&page.path)),
        ])
    };
    object(&[
        ("status", JsValue::from_str("ready")),
        ("queries", texts_to_js(&alternatives.queries)),
        (
            "pages",
            alternatives.pages.iter().map(page).collect::<Array>().into(),
        ),
    ])
}

/// A plain object of the interface `Hit`.
pub(crate) fn hit_to_js(hit: &Hit, score: Option<f64>) -> JsValue {
    let hierarchy = object(&[
        ("lvl0", JsValue::from_str(&hit.hierarchy.lvl0)),
        ("lvl1", JsValue::from_str(&hit.hierarchy.lvl1)),
    ]);
    let marks = object(&[
        ("lvl0", ranges_to_js(&hit.hierarchy.lvl0, &hit.marks.lvl0)),
        ("lvl1", ranges_to_js(&hit.hierarchy.lvl1, &hit.marks.lvl1)),
        ("content", ranges_to_js(&hit.content, &hit.marks.content)),
    ]);
    object(&[
        ("objectID", JsValue::from_str(&hit.object_id)),
        ("url", JsValue::from_str(&hit.url)),
        ("pathname", JsValue::from_str(&hit.pathname)),
        ("hash", JsValue::from_str(&hit.hash)),
        ("hierarchy", hierarchy),
        ("content", JsValue::from_str(&hit.content)),
        ("type", JsValue::from_str(Hit::KIND)),
        ("score", score.map_or(JsValue::NULL, JsValue::from_f64)),
        ("marks", marks),
    ])
}

/// The first entries of an array, at most `most`. Whatever cannot be read as an array has none.
pub(crate) fn entries_of(metadata: &JsValue, most: u32) -> impl Iterator<Item = JsValue> {
    let is_array = is_array(metadata).unwrap_or(false);
    let length = if is_array {
        Reflect::get(metadata, &JsValue::from_str("length")).ok()
    } else {
        None
    };
    let length = length.and_then(|length| length.as_f64()).unwrap_or(0.0) as u32;
    (0..length.min(most)).map(|index| Reflect::get_u32(metadata, index).unwrap_or(JsValue::UNDEFINED))
}

#[wasm_bindgen]
extern "C" {
    /// Throws on a revoked proxy, which js-sys does not expect.
    #[wasm_bindgen(catch, js_namespace = Array, js_name = isArray)]
    fn is_array(value: &JsValue) -> Result<bool, JsValue>;
}

/// The fields of an entry that are texts. Anything else, a getter that throws included, is as if it were not there.
pub(crate) fn metadata_from_js(entry: &JsValue) -> Metadata {
    let field = |name: &str| {
        if !entry.is_object() {
            return None;
        }
        let value = Reflect::get(entry, &JsValue::from_str(name)).ok()?;
        // Other platforms number their items.
        let number = value
            .as_f64()
            .filter(|number| name == "item_id" && *number == *number as i64 as f64);
        value
            .as_string()
            .or_else(|| number.map(|number| (number as i64).to_string()))
    };
    Metadata {
        item_id: field("item_id"),
        url: field("url"),
        folder: field("folder"),
        header_1: field("header_1"),
        header_2: field("header_2"),
        header_3: field("header_3"),
        header_4: field("header_4"),
        body: field("body"),
    }
}

fn texts_to_js(texts: &[String]) -> JsValue {
    let texts = texts.iter().map(|text| JsValue::from_str(text));
    texts.collect::<Array>().into()
}

fn ranges_to_js(text: &str, ranges: &[Range<usize>]) -> JsValue {
    let ranges = to_utf16(text, ranges);
    let number = |number: usize| JsValue::from_f64(number as f64);
    let ranges = ranges
        .iter()
        .map(|range| object(&[("start", number(range.start)), ("end", number(range.end))]));
    ranges.collect::<Array>().into()
}

fn object(fields: &[(&str, JsValue)]) -> JsValue {
    let object = Object::new();
    for (name, value) in fields {
        // Setting a property of a fresh object cannot fail.
        let _ = Reflect::set(&object, &JsValue::from_str(name), value);
    }
    object.into()
}
