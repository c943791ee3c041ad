//! Tests that need more than one component, in one binary.

#![allow(clippy::unwrap_used, reason = "a panic here is a failing test with a place")]

mod docs_search;
mod relevance;
mod samples;
