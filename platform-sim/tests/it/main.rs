//! platform-sim through its boundaries: the HTTP API over a real socket and the process with its data directory.
#![allow(clippy::unwrap_used, reason = "a panic here is a failing test with a place")]

mod by_hand;
mod catalogue;
mod client;
mod contract;
mod crash;
mod dataset_types;
mod datasets;
mod durability;
mod enrichment;
mod errors;
mod files;
mod hostile_filters;
mod hostile_sql;
mod hybrid;
mod in_process;
mod inference;
mod journey;
mod journey_second;
mod models;
mod overload;
mod process;
mod queries;
mod saved_queries;
mod schema;
mod second_version;
mod server;
mod training;
mod transforms;
