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
    /// The model is being trained and cannot be changed meanwhile.
    BeingTrained {
        name: String,
        status: &'static str,
    },
    /// Other things read it.
    InUse {
        entity: Entity,
        name: String,
        readers: Vec<String>,
    },
    /// Too much of this work is under way; the text says what to wait for.
    Busy(&'static str),
    /// The caller has asked for too much of this; the text says what to wait for.
    TooMany(&'static str),
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

impl Failure {
    /// The same failure once more, for others that it befell. Causes become texts.
    pub(crate) fn again(&self) -> Failure {
        let text = |cause: &anyhow::Error| anyhow::Error::msg(format!("{cause:#}"));
        match self {
            Failure::Invalid(violations) => Failure::Invalid(violations.clone()),
            Failure::NotFound(entity, name) => Failure::NotFound(*entity, name.clone()),
            Failure::AlreadyExists(entity, name) => Failure::AlreadyExists(*entity, name.clone()),
            Failure::NotActive { entity, name, status } => Failure::NotActive {
                entity: *entity,
                name: name.clone(),
                status,
            },
            Failure::BeingTrained { name, status } => Failure::BeingTrained {
                name: name.clone(),
                status,
            },
            Failure::InUse {
                entity,
                name,
                readers,
            } => Failure::InUse {
                entity: *entity,
                name: name.clone(),
                readers: readers.clone(),
            },
            Failure::Busy(message) => Failure::Busy(message),
            Failure::TooMany(message) => Failure::TooMany(message),
            Failure::StorageFull(cause) => Failure::StorageFull(text(cause)),
            Failure::Internal(cause) => Failure::Internal(text(cause)),
        }
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
    Transform,
    Model,
    Item,
    User,
    Query,
}

impl Entity {
    pub(crate) fn noun(self) -> &'static str {
        match self {
            Entity::Dataset => "dataset",
            Entity::Transform => "transform",
            Entity::Model => "model",
            Entity::Item => "item",
            Entity::User => "user",
            Entity::Query => "saved query",
        }
    }
}

/// One thing that is wrong with the input.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Violation {
    pub(crate) place: Place,
    /// A stable word for programs.
    pub(crate) kind: &'static str,
    /// A sentence for people: what is wrong and how to mend it.
    pub(crate) message: String,
}

/// A step of a [`Place::Path`].
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum PathPart {
    Name(String),
    Index(usize),
}

impl From<&str> for PathPart {
    fn from(name: &str) -> PathPart {
        PathPart::Name(name.to_owned())
    }
}

impl From<usize> for PathPart {
    fn from(index: usize) -> PathPart {
        PathPart::Index(index)
    }
}

/// Where in the input something is wrong. Each API version says how its bodies spell these places.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Place {
    /// The way through a body that every version spells alike.
    Path(Vec<PathPart>),
    Cell {
        row: usize,
        column: String,
    },
    Fetch(FetchPart),
    TextField(usize),
    EmbeddingField,
    TextQuery,
}
