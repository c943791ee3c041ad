//! The use cases: what the platform does, in domain types. HTTP and JSON bodies are the business of `crate::api`.

pub(crate) mod datasets;
pub(crate) mod domain;
pub(crate) mod failure;
pub(crate) mod models;
pub(crate) mod retrieval;
pub(crate) mod rows;
pub(crate) mod text_search;
