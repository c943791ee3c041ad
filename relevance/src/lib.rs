//! How well a search ranks: judged queries in, figures out. A tool of this repository, not a part of the product.
//!
//! Every system, ours and others, hands in the same file (a line a query, the hits best first) and is judged by the
//! same code, so that a difference in a table is a difference between the systems.
//!
//! - [`judged`]: queries with the pages that answer them, and rankings, read from JSON lines.
//! - [`metrics`]: nDCG@10, reciprocal rank, top 5, no result, by page.
//! - [`bootstrap`]: how sure a mean is, and a difference of two systems on the same queries.
//! - [`split`]: which queries weights may be learnt from, and which only judge.
//! - [`report`]: all of it as a table.
//! - [`collection`], [`learn`]: a site in memory under any weights, and the search for ours.
//! - [`typos`], [`sample`], [`grow`]: queries and pages that are made by a rule and a seed.

#![forbid(unsafe_code)]

pub mod bootstrap;
pub mod collection;
pub mod grow;
pub mod judged;
pub mod learn;
pub mod metrics;
pub mod random;
pub mod report;
pub mod sample;
pub mod split;
pub mod typos;

/// What is read from: a text with a name, so that problems have a place.
pub use indexer::source::Source;
