//! Two small languages over columns of candidates, and references to parameters in JSON.
//!
//! - [`filter`]: `price < 40 AND array_has(tags, 'linen')`: which candidates may stay. SQL's operators and SQL's
//!   three-valued logic; only TRUE passes.
//! - [`value`]: `0.7 * ctr + 0.3 / (10 + retrieval.get_rank('new'))`: what a candidate is worth. Python's syntax and
//!   the semantics of Python's numbers.
//! - [`params`]: `$param.NAME` as a whole value anywhere in a JSON document.
//!
//! Both languages are parsed once into a tree that knows its places in the text, bound once against the names and
//! types that there are, and evaluated column by column over any number of candidates. Every error says what is
//! wrong, where in the text, and how to mend it: the texts come from integrators who cannot see this code.
//!
//! The texts also come from strangers. Their length, depth, lists and patterns are limited ([`Limits`]), patterns
//! take linear time, each evaluation has a budget of work, and no input makes anything here panic.
//!
//! Everything is pure: no clock (the time is handed in), no threads, no files.
#![forbid(unsafe_code)]

pub mod data;
mod error;
pub mod filter;
mod near;
pub mod params;
mod syntax;
mod time;
pub mod value;

pub use data::{Column, Schema, Type};
pub use error::{Error, ErrorKind, Limits, Place};
pub use near::suggestion;
pub use syntax::Node;
