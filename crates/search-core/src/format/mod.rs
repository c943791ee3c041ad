//! The index as bytes.
//!
//! ```text
//! magic       8 bytes   "siftwren"
//! format      u32       FORMAT_VERSION
//! analyser    u32       analysis::ANALYZER_VERSION
//! length      u32       of the whole file
//! checksum    u32       CRC-32 of the 20 bytes before it and of everything after it
//! directory   varint n, then n times: part number (u8), length (varint)
//! parts       one after the other, in the order of the directory
//! ```
//!
//! | part | holds | grows with |
//! |---|---|---|
//! | weights | the distinct document frequencies and the idf of each (f32, exact) | the logarithm of the site, about |
//! | vocabulary | sorted terms, front-coded, in three streams | distinct words |
//! | forms | the words as written for each term (`rank`: ranks, ranked, ranking), as suffix rules of a shared table | distinct words |
//! | postings | per term: the pages and the sections that hold it, by field with frequencies, as deltas | words |
//! | lengths | words per field of each page and section | sections |
//! | places | the tree of pages and sections and the lengths of their texts | sections |
//! | names | paths, titles, anchors, headings | sections |
//! | bodies | the text of the sections, for snippets | the text itself |
//!
//! Integers are little-endian varints unless said otherwise. Texts are raw: the file is compressed on its way, and a second
//! compression inside would only spoil that. `bodies` is last and by far the largest: it is the part to fetch in pieces once a
//! site is too large to be downloaded whole. A part with a number that the reader does not know is passed over.
//!
//! A reader checks the magic, both versions, the length and the checksum first, then every number on its way in: an open
//! index holds no reference that points outside of it, whatever the bytes were.

mod codec;
mod error;
mod read;
#[cfg(feature = "write")]
mod write;

pub(crate) use codec::Reader;
pub use error::{FormatError, FormatErrorKind};
pub use read::Index;
pub(crate) use read::{PAGE_FIELDS, PageField, Posting, SECTION_FIELDS, SectionField};
#[cfg(feature = "write")]
pub use write::{IndexBuilder, Page, Section};

/// The first bytes of every index.
pub const MAGIC: [u8; 8] = *b"siftwren";
/// Changes whenever an older reader would misread the bytes.
pub const FORMAT_VERSION: u32 = 1;

const HEADER_BYTES: usize = 24;

mod part {
    pub(super) const WEIGHTS: u8 = 1;
    pub(super) const VOCABULARY: u8 = 2;
    pub(super) const FORMS: u8 = 3;
    pub(super) const POSTINGS: u8 = 4;
    pub(super) const LENGTHS: u8 = 5;
    pub(super) const PLACES: u8 = 6;
    pub(super) const NAMES: u8 = 7;
    pub(super) const BODIES: u8 = 8;
}
