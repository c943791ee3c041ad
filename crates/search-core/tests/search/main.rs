//! Tests of search-core through its public API.

mod analysis;
mod corpus;
mod display;
mod format;
mod golden;
mod rank;
