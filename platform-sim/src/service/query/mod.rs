//! Queries: what to retrieve, what to leave out, how to score, in which order to show.
//!
//! ```text
//! document ──$param──> Query ──names of the model──> Plan ──> retrieve ──> filter ──> score ──> reorder ──> page
//! ```
//!
//! Everything here is a function of a model, a document, the pages that were served, a moment and a seed; only
//! [`serve`] knows the platform. A document is checked as a whole: every wrong field is named with its place.

mod asker;
mod attributes;
pub(crate) mod bind;
pub(crate) mod document;
mod encode;
pub(crate) mod engine;
pub(crate) mod explain;
mod fields;
mod find;
mod keep;
mod mix;
pub(crate) mod model;
pub(crate) mod names;
mod read;
pub(crate) mod saved;
mod score;
pub(crate) mod serve;
#[cfg(test)]
mod tests;
mod universe;
mod vectors;
