//! Why bytes are not an index that this reader can use.

use std::fmt;

/// What a caller can do about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FormatErrorKind {
    /// These bytes are something else: look at where they came from.
    NotAnIndex,
    /// Written by an older or newer format: build the index again, or load the matching reader.
    UnsupportedVersion,
    /// Written with another text analysis: build the index again, or load the matching reader.
    AnalyzerMismatch,
    /// The end is missing: fetch it again.
    Truncated,
    /// The bytes changed on their way: fetch it again.
    ChecksumMismatch,
    /// The checksum is right and the content makes no sense: a bug of the writer.
    Corrupt,
    /// The index names no such file: it belongs to another index.
    UnknownFile,
}

impl FormatErrorKind {
    /// A stable name for programs.
    pub fn code(self) -> &'static str {
        match self {
            Self::NotAnIndex => "index_not_an_index",
            Self::UnsupportedVersion => "index_unsupported_version",
            Self::AnalyzerMismatch => "index_analyzer_mismatch",
            Self::Truncated => "index_truncated",
            Self::ChecksumMismatch => "index_checksum_mismatch",
            Self::Corrupt => "index_corrupt",
            Self::UnknownFile => "index_unknown_file",
        }
    }
}

/// An index that could not be opened: the kind, and what was wanted and found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormatError {
    kind: FormatErrorKind,
    context: &'static str,
    wanted: u32,
    found: u32,
}

impl FormatError {
    pub(crate) fn new(kind: FormatErrorKind, context: &'static str, wanted: u32, found: u32) -> Self {
        Self {
            kind,
            context,
            wanted,
            found,
        }
    }

    pub(crate) fn corrupt(context: &'static str) -> Self {
        Self::new(FormatErrorKind::Corrupt, context, 0, 0)
    }

    /// What a caller can do about it.
    pub fn kind(&self) -> FormatErrorKind {
        self.kind
    }
}

impl fmt::Display for FormatError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            kind,
            context,
            wanted,
            found,
        } = self;
        match kind {
            FormatErrorKind::NotAnIndex => {
                formatter.write_str("not a siftwren search index: the first bytes differ")
            }
            FormatErrorKind::UnknownFile => formatter.write_str("the search index names no such file"),
            FormatErrorKind::Corrupt => write!(formatter, "the search index is corrupt: {context}"),
            FormatErrorKind::ChecksumMismatch => {
                write!(
                    formatter,
                    "the search index changed on its way: {context} is {found:08x}, wanted {wanted:08x}"
                )
            }
            _ => write!(
                formatter,
                "cannot read the search index: {context} is {found}, wanted {wanted}"
            ),
        }
    }
}

impl std::error::Error for FormatError {}
