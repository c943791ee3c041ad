//! New columns for rows: who writes them, and what is asked.
//!
//! A server that was told of an endpoint asks the language model behind it; any other one takes what it can from the
//! row itself and says so.

mod endpoint;
mod extractive;

use std::sync::Arc;

use serde_json::{Map, Value};

pub use endpoint::Endpoint;

use super::domain::Enrichment;
use crate::config::Options;

/// The written columns of a row, in the order of [`Enrichment::outputs`]; `None` where there is nothing to write.
pub(crate) type Outputs = Vec<Option<String>>;

/// Writes columns. May block.
pub(crate) trait Provider: Send + Sync {
    /// What it is, for the owners of transforms.
    fn description(&self) -> String;

    /// Changes whenever the same row might be answered otherwise; part of the key of kept answers. `None`: answers
    /// cost nothing and are not kept.
    fn identity(&self) -> Option<String>;

    /// The columns of each row, or a sentence on why there are none.
    fn enrich(&self, task: &Enrichment, rows: &[Map<String, Value>]) -> Result<Vec<Outputs>, String>;
}

/// The provider of a server with these options.
pub(crate) fn provider(options: &Options) -> Arc<dyn Provider> {
    match &options.enrichment {
        Some(endpoint) => Arc::new(endpoint.clone()),
        None => Arc::new(extractive::Extractive),
    }
}
