//! platform-sim through its boundaries: the HTTP API over a real socket and the process with its data directory.
#![allow(clippy::unwrap_used, reason = "a panic here is a failing test with a place")]

mod client;
mod crash;
mod datasets;
mod errors;
mod hostile_sql;
mod hybrid;
mod models;
mod process;
mod server;
