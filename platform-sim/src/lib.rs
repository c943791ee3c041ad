//! platform-sim: the siftwren platform API on one machine, with nothing else installed.
//!
//! The layers, from outside in: [`server`] accepts connections, `api` turns HTTP and JSON into domain types and
//! back, `service` has the use cases, `jobs` the work in the background, `sql` runs users' SQL in child processes,
//! `connectors` read sources outside, `store` keeps everything. Inner layers do not know outer ones: `service` has no word of HTTP.
#![forbid(unsafe_code)]

mod api;
mod config;
mod connectors;
mod error;
mod hybrid;
mod item_vectors;
mod jobs;
pub mod log;
mod metrics;
mod platform;
mod sabotage;
pub mod server;
mod service;
mod serving;
mod sql;
mod store;
mod text_encoder;
mod text_index;

pub use api::overload::RequestLimits;
pub use api::{build_router, operations};
pub use config::{Arguments, LogFormat, Options, ServeArguments, USAGE, UsageError};
pub use metrics::{Connections, Metrics};
pub use platform::{NewKeys, Platform};
pub use service::enrichment::Endpoint;
pub use sql::worker::run as run_sql_worker;
pub use sql::{SqlLimits, WORKER_ARGUMENT};

/// Sixteen hexadecimal digits that nobody else has.
pub(crate) fn random_name() -> std::io::Result<String> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).map_err(std::io::Error::other)?;
    Ok(hex(&bytes))
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
