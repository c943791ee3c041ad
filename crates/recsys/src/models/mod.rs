//! The models, one module each or one per family. The table that lists them is [`MODELS`](crate::MODELS).

pub(crate) mod als;
pub(crate) mod chronological;
pub(crate) mod content;
pub(crate) mod ease;
pub(crate) mod factors;
mod history;
pub(crate) mod item_knn;
pub(crate) mod ngram;
pub(crate) mod no_op;
pub(crate) mod popularity;
pub(crate) mod prior;
pub(crate) mod random;
pub(crate) mod svd;
mod weights;
