//! Vectors of sections and of queries.
//!
//! A small transformer reads every section, once, at build time. Readers have no transformer: their side is a table with
//! a row for each wordpiece, trained on the site's own texts so that the sum of the rows of a query points to the sections
//! that answer it. Everything that the encoder and the training gave is kept in a [`Cache`], which belongs to the
//! repository of the content: a build without the encoder is then complete, and a section that the cache does not know
//! gets its vector from the table.

mod cache;
#[cfg(feature = "encoder")]
mod encoder;
mod math;
#[cfg(not(feature = "encoder"))]
mod no_encoder;
mod projection;
mod table;
#[cfg(feature = "encoder")]
mod teach;
#[cfg(feature = "encoder")]
mod train;

use std::collections::HashMap;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::rc::Rc;

use sha2::{Digest, Sha256};

pub use cache::{Cache, CacheError, CacheReader};
#[cfg(feature = "encoder")]
pub use encoder::Encoder;
#[cfg(not(feature = "encoder"))]
pub use no_encoder::{Encoder, refresh};
pub use table::QueryTable;
#[cfg(feature = "encoder")]
pub use teach::refresh;

/// Dimensions of the vectors in an index. Half of them cost half of what vectors bring; more of them learn the site by heart.
pub const DIMENSIONS: usize = 128;

/// Where the vectors of a build come from.
#[derive(Debug, Default)]
pub struct Embedding {
    /// What an earlier build kept.
    pub cache: Option<Rc<Cache>>,
    /// The transformer for sections that the cache does not know.
    pub encoder: Option<Encoder>,
}

/// A section as the encoder reads it.
#[derive(Clone, Copy, Debug)]
pub struct Passage<'a> {
    /// The title of the page.
    pub title: &'a str,
    /// The headings that lead to the section, H2 to H4; absent ones are empty.
    pub headings: [&'a str; 3],
    /// The text.
    pub body: &'a str,
}

impl Passage<'_> {
    /// The name of the content in a cache.
    fn hash(&self) -> cache::Hash {
        let mut hasher = Sha256::new();
        for part in [self.title].iter().chain(&self.headings).chain([&self.body]) {
            // The length before the text: words that move from one part to the next change the hash.
            hasher.update((part.len() as u64).to_le_bytes());
            hasher.update(part.as_bytes());
        }
        let mut hash = cache::Hash::default();
        hash.copy_from_slice(&hasher.finalize()[..size_of::<cache::Hash>()]);
        hash
    }

    /// What the encoder and, for a section that it has not seen, the table read.
    fn text(&self) -> String {
        let mut text = self.title.to_owned();
        for part in self
            .headings
            .iter()
            .chain([&self.body])
            .filter(|part| !part.is_empty())
        {
            text.push_str(". ");
            text.push_str(part);
        }
        text
    }
}

/// What an index and the search items carry.
#[derive(Clone, Debug, PartialEq)]
pub struct Vectors {
    /// Which encoder, and what became of its dimensions.
    pub embedder: String,
    /// The length of every vector.
    pub dimensions: usize,
    /// A unit row for each section, in the order of the passages.
    pub sections: Vec<f32>,
    /// How many sections have their row from the table, because the cache does not know them.
    pub guessed: usize,
    /// The query side.
    pub table: Rc<QueryTable>,
}

/// The vectors of the sections of a build, for the next one.
#[derive(Debug, Default)]
pub(crate) struct KnownRows {
    /// What they come from.
    cache: Option<Rc<Cache>>,
    rows: HashMap<cache::Hash, Row>,
}

#[derive(Clone, Debug)]
struct Row {
    values: Rc<[f32]>,
    is_guessed: bool,
}

impl Row {
    fn of(passage: &Passage<'_>, hash: &cache::Hash, cache: &Cache) -> Self {
        let encoded = cache.sections.get(hash);
        let values = match encoded {
            Some(encoded) => cache.projection.apply(&encoded.vector()),
            None => cache.table.embed(&passage.text()),
        };
        Self {
            values: values.into(),
            is_guessed: encoded.is_none(),
        }
    }
}

impl Vectors {
    /// The vectors of these sections, from what a cache knows. What is in `known` afterwards is of these sections alone.
    pub(crate) fn of(passages: &[Passage<'_>], cache: &Rc<Cache>, known: &mut KnownRows) -> Self {
        let last = std::mem::take(known);
        let is_same = last.cache.is_some_and(|last| Rc::ptr_eq(&last, cache));
        let last = if is_same { last.rows } else { HashMap::new() };
        let dimensions = cache.projection.to;
        let mut sections = Vec::with_capacity(passages.len() * dimensions);
        let mut guessed = 0;
        for passage in passages {
            let hash = passage.hash();
            let row = known.rows.entry(hash).or_insert_with(|| match last.get(&hash) {
                Some(row) => row.clone(),
                None => Row::of(passage, &hash, cache),
            });
            sections.extend_from_slice(&row.values);
            guessed += usize::from(row.is_guessed);
        }
        known.cache = Some(Rc::clone(cache));
        Self {
            embedder: format!("{}+pca{dimensions}", cache.encoder),
            dimensions,
            sections,
            guessed,
            table: Rc::clone(&cache.table),
        }
    }
}

/// Why there is no encoder, or no answer from it.
#[derive(Debug)]
pub enum EncoderError {
    /// The folder does not hold what an encoder is made of.
    Missing(PathBuf),
    /// A file of it is there and cannot be read.
    Unreadable(PathBuf, io::Error),
    /// A file of it cannot be understood.
    Damaged(PathBuf, String),
    /// The computation failed.
    Failed(String),
    /// This program cannot run one.
    NotBuilt,
}

impl fmt::Display for EncoderError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(file) => write!(
                formatter,
                "the encoder needs {}, which is not there; `cargo xtask encoder` fetches one and prints its folder",
                file.display()
            ),
            Self::Unreadable(file, error) => write!(formatter, "cannot read {}: {error}", file.display()),
            Self::Damaged(file, what) => {
                write!(formatter, "{} does not belong to an encoder: {what}", file.display())
            }
            Self::Failed(what) => write!(formatter, "the encoder failed: {what}"),
            Self::NotBuilt => formatter.write_str(
                "this program was built without the encoder; build it with the feature `encoder`, or leave out --encoder and SIFTWREN_ENCODER",
            ),
        }
    }
}

impl std::error::Error for EncoderError {}
