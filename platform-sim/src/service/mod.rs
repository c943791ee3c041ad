//! The use cases: what the platform does, in domain types. HTTP and JSON bodies are the business of `crate::api`.

pub(crate) mod datasets;
pub(crate) mod domain;
pub(crate) mod enrichment;
pub(crate) mod failure;
pub(crate) mod inference;
pub(crate) mod ingest;
pub(crate) mod model_config;
pub(crate) mod models;
pub(crate) mod names;
pub(crate) mod query;
pub(crate) mod relations;
pub(crate) mod rows;
pub(crate) mod schema_types;
pub(crate) mod set_up;
pub(crate) mod sources;
pub(crate) mod text_search;
pub(crate) mod training_report;
pub(crate) mod transforms;
