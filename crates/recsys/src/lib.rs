//! Recommender models, and what stands between their scores and an answer.
//!
//! ```text
//! Dataset ──fit──> Recommender ──score / retrieve──> Scored ──pipeline──> the list that somebody sees
//! ```
//!
//! - [`data`] and [`features`]: what models learn from. Ids are numbered once, in [`Ids`]; everything else is numbers.
//! - [`MODELS`]: the table of all models, their settings and what each can do. [`Recommender`] is what they have in
//!   common: it scores, and it gives out vectors and neighbours where it has them.
//! - [`scan()`](scan::scan): exact search among vectors; [`Index`] finds the same without reading them all.
//! - [`pipeline`]: diversity, exploration, boosting, pooling, attributes: pure functions over scored candidates.
//! - [`metrics`] and [`evaluation`]: how good a list is, and how good a model is.
//!
//! Everything is values in, values out: no clock, no files, no network. Times are Unix seconds and are passed in. A
//! model depends on its settings, its data and a seed, and not on the number of threads.
//!
//! ```
//! use recsys::{DatasetBuilder, Eligible, Interaction, NumberSet, Query, Settings, Training, model};
//!
//! let mut builder = DatasetBuilder::new();
//! for (user, item, time) in [("ann", "tea", 1), ("ann", "cup", 2), ("bob", "tea", 3), ("bob", "cup", 4), ("eve", "tea", 5)] {
//!     builder.event(user, item, 1.0, time);
//! }
//! let dataset = builder.finish(10)?;
//! let ease = model("ease").expect("ease is in the table");
//! let fitted = ease.fit(&Settings::new().with("regularization", 1.0), &dataset, &Training::seeded(42))?;
//!
//! let tea = dataset.items().number("tea").expect("somebody took tea");
//! let history = [Interaction::new(tea, 5)];
//! let seen = NumberSet::new([tea]);
//! let eligible = Eligible { except: Some(&seen), ..Eligible::default() };
//! let found = fitted.retrieve(&Query::new(None, &history, 10), 1, eligible)?;
//! assert_eq!(dataset.items().id(found[0].id), Some("cup"));
//! # Ok::<(), recsys::Error>(())
//! ```
#![forbid(unsafe_code)]

mod codec;
pub mod data;
mod error;
pub mod evaluation;
pub mod features;
mod index;
mod kernels;
mod matrix;
pub mod metrics;
mod model;
mod models;
pub mod pipeline;
mod random;
pub mod scan;

pub use data::{Dataset, DatasetBuilder, Event, Histories, Ids, Interaction};
pub use error::{Error, ErrorKind, Result};
pub use features::{Categories, CategoryLists, Column, Features};
pub use index::Index;
pub use matrix::Matrix;
pub use model::{
    Capabilities, Family, MODELS, ModelSpec, ModelWriter, Parameter, ParameterKind, Query, Recommender,
    Resolved, Setting, Settings, Training, load, model,
};
pub use scan::{Eligible, NumberSet, Scored, top_k, top_k_of};
