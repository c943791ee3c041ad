//! The index as bytes: a core, and files that are loaded when a query needs them.
//!
//! | file | holds | a query loads |
//! |---|---|---|
//! | `core` | versions, weights of the query side, tables of impacts and idf, folders, where everything is | it, once |
//! | `t…` | terms with their postings, in the order of the terms | those of its words |
//! | `w…` | words as written, in their order, and how common they are; `w0` the commonest of all | for the word being typed, and for misspelt ones |
//! | `n…` | paths, titles, headings and anchors of a few neighbouring pages | those of its answers |
//! | `x…` | texts of the sections that are shown by their text: those without a heading | those of its answers |
//! | `s0` | wordpieces, where rows and vectors are | it, for the second stage |
//! | `s1` | groups of sections that are about the same | when nothing was found |
//! | `q…` | rows of the query table | those of its wordpieces |
//! | `v…` | vectors of the sections of a few pages | those of the best pages |
//!
//! A file's name is its letter, its number and its CRC-32: `t12.9f3a0c11.bin`. So a name never means other bytes than before, a
//! directory entry is a checksum, and what does not change keeps its name from build to build. Small sites have no files
//! beside the core: all of them are inside of it.
//!
//! The core:
//!
//! ```text
//! magic       8 bytes   "siftwren"
//! format      u32       FORMAT_VERSION
//! analyser    u32       analysis::ANALYZER_VERSION
//! length      u32       of the core
//! checksum    u32       CRC-32 of the 20 bytes before it and of everything after it
//! directory   varint n, then n times: part number (u8), length (varint)
//! parts       one after the other, in the order of the directory
//! ```
//!
//! A part with a number that the reader does not know is passed over. Integers are little-endian varints unless said otherwise.
//! Everything is raw: files are compressed on their way, and numbers of one kind stand beside each other so that this works well.
//!
//! What a term brings to a score is in its posting, computed when the index is written (`terms`): a query needs nothing that
//! grows with the site but the directories in the core.
//!
//! A reader checks the magic, both versions, the length and the checksum first, then every number on its way in: what is loaded
//! holds no reference that points outside of it, whatever the bytes were.

pub(crate) mod codec;
mod core;
mod error;
pub(crate) mod names;
pub(crate) mod semantic;
pub(crate) mod terms;
pub(crate) mod texts;
pub(crate) mod words;
#[cfg(feature = "write")]
mod write;

pub(crate) use self::core::Core;
pub(crate) use codec::crc32;
pub use error::{FormatError, FormatErrorKind};
#[cfg(feature = "write")]
pub use write::{IndexBuilder, IndexFile, Layout, Page, Section, Vectors};

/// The first bytes of every core.
pub const MAGIC: [u8; 8] = *b"siftwren";
/// Changes whenever an older reader would misread the bytes.
pub const FORMAT_VERSION: u32 = 2;

const HEADER_BYTES: usize = 24;

/// What a file beside the core holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FileKind {
    /// `t`: terms with their postings.
    Terms,
    /// `w`: words as written.
    Words,
    /// `n`: paths, titles, headings and anchors.
    Names,
    /// `x`: texts for snippets.
    Texts,
    /// `s`: what the semantic stage needs first, and the groups of sections.
    Semantic,
    /// `q`: rows of the query table.
    Rows,
    /// `v`: vectors of sections.
    Vectors,
}

impl FileKind {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Terms,
        Self::Words,
        Self::Names,
        Self::Texts,
        Self::Semantic,
        Self::Rows,
        Self::Vectors,
    ];

    /// The first letter of the files' names.
    pub fn letter(self) -> char {
        char::from(b"twnxsqv"[self as usize])
    }
}

/// Which file beside the core.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct FileId {
    pub(crate) kind: FileKind,
    pub(crate) number: u32,
}

impl FileId {
    pub(crate) fn new(kind: FileKind, number: u32) -> Self {
        Self { kind, number }
    }

    /// Its name with the checksum of its bytes.
    pub(crate) fn name(self, checksum: u32) -> String {
        format!("{}{}.{checksum:08x}.bin", self.kind.letter(), self.number)
    }
}

mod part {
    pub(super) const COUNTS: u8 = 1;
    pub(super) const WEIGHTS: u8 = 2;
    pub(super) const TABLES: u8 = 3;
    pub(super) const FOLDERS: u8 = 4;
    pub(super) const TERMS: u8 = 5;
    pub(super) const WORDS: u8 = 6;
    pub(super) const NAMES: u8 = 7;
    pub(super) const TEXTS: u8 = 8;
    pub(super) const SEMANTIC: u8 = 9;
    pub(super) const FILES: u8 = 10;
}
