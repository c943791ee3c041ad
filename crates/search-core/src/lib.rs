//! The one place where text becomes words and words become scores.
//!
//! The indexer writes an index with this crate, the browser (through `wasm-core`) and the indexer's `query` command
//! rank with it, and platform-sim cuts its texts into words with it. So nothing is tokenized or ranked in two ways,
//! and the answers that a reader sees offline are those that a test sees natively, to the bit.
//!
//! - [`analysis`]: text into folded, split and stemmed words that remember where they stood.
//! - [`format`](mod@format): the index as bytes; [`Index`] reads it, `IndexBuilder` (feature `write`) makes it.
//! - [`rank`]: a query over an [`Index`] into sections, best first.
//! - [`highlight`] and [`snippet`]: what of a text to show for a query, and what of that to mark.
//! - [`hits`]: metadata of a section, from an index or a live answer, into what the search modal shows.
//!
//! Everything is pure: bytes and values in, values out, no clock, no threads, no files.
#![forbid(unsafe_code)]

pub mod analysis;
pub mod format;
pub mod highlight;
pub mod hits;
mod index;
mod order;
pub mod rank;
pub mod snippet;
pub mod vector;

pub use format::{FileKind, FormatError, FormatErrorKind};
#[cfg(feature = "write")]
pub use format::{IndexBuilder, IndexFile, Layout, Page, Section, Vectors};
pub use index::{Index, Step};
pub use rank::{Alternatives, Answer, Correction, PageHit, SearchOptions, SectionHit, Stages, Weights};
