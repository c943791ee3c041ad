//! Why a use case did not succeed, in domain terms. `crate::error` gives each its HTTP form.

use super::domain::FetchPart;
use crate::store::StoreError;

/// The outcome of a use case.
pub(crate) type Result<T> = std::result::Result<T, Failure>;

/// Why a use case did not succeed, by what the caller can do about it.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The input is wrong in these places.
    Invalid(Vec<Violation>),
    NotFound(Entity, String),
    AlreadyExists(Entity, String),
    /// The thing exists but is not ACTIVE.
    NotActive {
        entity: Entity,
        name: String,
        status: &'static str,
    },
    /// Too much of this work is under way; the text says what to wait for.
    Busy(&'static str),
    /// The disk is full.
    StorageFull(anyhow::Error),
    /// A fault of ours; logged, never shown.
    Internal(anyhow::Error),
}

impl Failure {
    pub(crate) fn invalid(place: Place, kind: &'static str, message: impl Into<String>) -> Failure {
        Failure::Invalid(vec![Violation {
            place,
            kind,
            message: message.into(),
        }])
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Failure {
        match error {
            StoreError::Full(cause) => Failure::StorageFull(cause),
            StoreError::Other(cause) => Failure::Internal(cause),
        }
    }
}

/// The kinds of thing that have a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Entity {
    Dataset,
    Model,
}

impl Entity {
    pub(crate) fn noun(self) -> &'static str {
        match self {
            Entity::Dataset => "dataset",
            Entity::Model => "model",
        }
    }
}

/// One thing that is wrong with the input.
#[derive(Debug, PartialEq)]
pub(crate) struct Violation {
    pub(crate) place: Place,
    /// A stable word for programs.
    pub(crate) kind: &'static str,
    /// A sentence for people: what is wrong and how to mend it.
    pub(crate) message: String,
}

/// Where in the input something is wrong. Each API version says how its bodies spell these places.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Place {
    UniqueKey(usize),
    Cell { row: usize, column: String },
    Fetch(FetchPart),
    TextField(usize),
    EmbeddingField,
    TextQuery,
}
