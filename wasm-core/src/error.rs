//! Errors as JavaScript sees them.

use js_sys::{Error, Reflect};
use search_core::FormatError;
use wasm_bindgen::JsValue;

/// An Error with the sentence as `message` and the kind as `code`.
pub(crate) fn to_js(error: &FormatError) -> JsValue {
    let js = Error::new(&error.to_string());
    // Setting a property of a fresh Error cannot fail.
    let _ = Reflect::set(
        &js,
        &JsValue::from_str("code"),
        &JsValue::from_str(error.kind().code()),
    );
    js.into()
}
