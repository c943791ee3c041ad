//! What can go wrong, by what a caller can do about it.

use std::fmt;

/// What a caller can do about an [`Error`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A setting has an unknown name, a wrong type, or a value outside its range: correct the settings.
    Settings,
    /// The data contradict themselves (an index beyond the ids, columns of unequal length): correct the data.
    Data,
    /// The arguments of a call do not fit together: a bug of the caller.
    Argument,
    /// Bytes that no version of this library wrote, that were cut or changed, or that belong to another model:
    /// train again.
    Artefact,
    /// A numerical method did not reach an answer: change the settings, most often more regularisation.
    Numeric,
    /// The caller asked the training to stop.
    Stopped,
}

/// An error of this library: the kind for programs, the sentence for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    message: String,
}

/// The result of everything here that can fail.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
        }
    }

    pub(crate) fn settings(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Settings, message)
    }

    pub(crate) fn data(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Data, message)
    }

    pub(crate) fn argument(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Argument, message)
    }

    pub(crate) fn artefact(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Artefact, message)
    }

    /// What a caller can do about it.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}
