//! Writing an index. Only the indexer and tests do this.
//!
//! Pages are cut into words as they come; what the words are worth is computed at the end, so that a filled builder can be finished
//! with other weights.

mod lexicon;
mod package;
mod postings;
mod vectors;

pub use package::{IndexFile, Layout};
pub use vectors::Vectors;

use std::sync::Arc;

use super::codec::to_u32;
use super::names;
use crate::rank::Weights;
use lexicon::{Lexicon, PageReader, PageWords};
use package::KeptFiles;
use postings::Postings;
use vectors::{QuantisedTable, QuantisedVectors};

pub(super) const PAGE_FIELDS: usize = 4;
pub(super) const SECTION_FIELDS: usize = 4;

/// The fields whose words belong to a page as a whole.
#[derive(Debug, Clone, Copy)]
pub(super) enum PageField {
    Title = 0,
    Url = 1,
    /// Description and aliases.
    About = 2,
    Links = 3,
}

/// The fields whose words belong to one section.
#[derive(Debug, Clone, Copy)]
pub(super) enum SectionField {
    Body = 0,
    /// The section's own heading; for the top of a page the title.
    Heading = 1,
    /// The headings above its own one.
    Path = 2,
    Links = 3,
}

/// A page to be found.
#[derive(Debug, Clone, Default)]
pub struct Page<'a> {
    /// Path on the site, with its leading slash: `/docs/metrics/ndcg`.
    pub path: &'a str,
    /// The title (`header_1`).
    pub title: &'a str,
    /// The name of the section of the site it belongs to.
    pub folder: &'a str,
    /// One sentence about it; found, not shown.
    pub description: &'a str,
    /// Other names that readers use for it; found, not shown.
    pub aliases: &'a [&'a str],
    /// Texts of the links that other pages make to this page; found, not shown.
    pub inbound_links: &'a [&'a str],
    /// Its sections in reading order, the text above the first heading as the first one.
    pub sections: &'a [Section<'a>],
}

/// A part of a page from one heading to the next.
#[derive(Debug, Clone, Default)]
pub struct Section<'a> {
    /// The anchor without `#`; empty for the top of the page.
    pub anchor: &'a str,
    /// The headings of levels 2 to 4 above this text (`header_2` to `header_4`); absent ones are empty.
    pub headings: [&'a str; 3],
    /// The text, without markup.
    pub body: &'a str,
    /// Texts of the links that other pages make to this anchor; found, not shown.
    pub inbound_links: &'a [&'a str],
}

/// Collects pages and writes them as an index.
///
/// The sections' ids are their places in the order of the pages, so that the same pages in the same order give the same bytes.
#[derive(Debug, Clone)]
pub struct IndexBuilder {
    weights: Weights,
    lexicon: Lexicon,
    folders: Vec<String>,
    pages: Vec<PageRecord>,
    section_count: usize,
    vectors: Option<QuantisedVectors>,
    kept: Option<Kept>,
}

/// What a builder has from those before it, and leaves to the next one.
#[derive(Debug, Clone, Default)]
struct Kept {
    /// The pages of the builder before, by their numbers, that have not been kept.
    last: Vec<Option<PageRecord>>,
    /// Whether one has another number now.
    has_moved: bool,
    postings: Postings,
    files: KeptFiles,
    table: Option<Arc<QuantisedTable>>,
}

#[derive(Debug, Clone)]
struct PageRecord {
    names: names::PageToWrite,
    first_section: u32,
    words: PageWords,
    /// The texts of the sections that are shown by their text.
    shown_texts: Vec<(u32, String)>,
}

impl Default for IndexBuilder {
    fn default() -> Self {
        Self::new()
    }
}

impl IndexBuilder {
    /// A builder without pages.
    pub fn new() -> Self {
        Self {
            weights: Weights::LEARNT,
            lexicon: Lexicon::default(),
            folders: Vec::new(),
            pages: Vec::new(),
            section_count: 0,
            vectors: None,
            kept: None,
        }
    }

    /// A builder without pages whose [`IndexBuilder::successor`] can keep those that are added to this one.
    pub fn with_successor() -> Self {
        Self {
            kept: Some(Kept::default()),
            ..Self::new()
        }
    }

    /// A builder without pages, for another index of mostly the same ones: those that have not changed are added by
    /// [`IndexBuilder::keep_page`]. Where they keep their numbers, only what depends on the others is made anew. The index is the one
    /// that a new builder makes.
    pub fn successor(mut self) -> Self {
        self.settle();
        let kept = self.kept.take();
        Self {
            weights: self.weights,
            lexicon: self.lexicon,
            kept: kept.map(|kept| Kept {
                last: self.pages.into_iter().map(Some).collect(),
                ..kept
            }),
            ..Self::new()
        }
    }

    /// Other weights than [`Weights::LEARNT`]; before or after pages were added.
    pub fn with_weights(mut self, weights: Weights) -> Self {
        self.weights = weights;
        self
    }

    /// Adds a page with its sections. A page without sections cannot be found.
    pub fn add_page(&mut self, page: &Page<'_>) {
        let words = read(page, &mut self.lexicon);
        self.lexicon.count(&words);
        let sections = (0..).zip(page.sections);
        let shown_texts = sections
            .filter(|(_, section)| section.own_heading().is_none() && !section.body.is_empty())
            .map(|(ordinal, section)| (ordinal, section.body.to_owned()));
        let section_names = page.sections.iter().map(|section| names::SectionToWrite {
            headings: section.headings.map(str::to_owned),
            anchor: section.anchor.to_owned(),
        });
        let record = PageRecord {
            names: names::PageToWrite {
                path: page.path.to_owned(),
                title: page.title.to_owned(),
                folder: self.folder(page.folder),
                sections: section_names.collect(),
            },
            first_section: 0,
            words,
            shown_texts: shown_texts.collect(),
        };
        self.push(record);
    }

    /// Adds the page that was added to the builder before this one as number `number`, from 0, with all that was said of it but its
    /// folder. Returns whether there is such a page that has not been kept yet; if not, nothing is added.
    pub fn keep_page(&mut self, number: usize, folder: &str) -> bool {
        let Some(kept) = &mut self.kept else {
            return false;
        };
        let Some(mut record) = kept.last.get_mut(number).and_then(Option::take) else {
            return false;
        };
        let place = self.pages.len();
        kept.has_moved |= number != place;
        let folder = self.folder(folder);
        if record.names.folder != folder {
            record.names.folder = folder;
            self.has_replaced(place, record.words.clone());
        }
        self.push(record);
        true
    }

    /// Adds vectors for all sections that were added, and the table that turns queries into vectors.
    ///
    /// # Panics
    /// If there are not as many rows as sections, or as pieces.
    pub fn set_vectors(&mut self, vectors: Vectors<'_>) {
        assert_eq!(
            vectors.sections.len(),
            self.section_count * vectors.dimensions,
            "one row for each section"
        );
        let known = self.kept.as_ref().and_then(|kept| kept.table.as_ref());
        let vectors = QuantisedVectors::new(vectors, known);
        if let Some(kept) = &mut self.kept {
            kept.table = Some(Arc::clone(&vectors.table));
        }
        self.vectors = Some(vectors);
    }

    fn push(&mut self, record: PageRecord) {
        let first_section = to_u32(self.section_count);
        self.section_count += record.names.sections.len();
        self.pages.push(PageRecord {
            first_section,
            ..record
        });
    }

    /// To be called after the last page: forgets those of the builder before that are others now, or gone.
    fn settle(&mut self) {
        let Some(kept) = &mut self.kept else { return };
        for (number, record) in (0..).zip(std::mem::take(&mut kept.last)) {
            if let Some(PageRecord { words, .. }) = record {
                self.lexicon.discount(&words);
                kept.postings.has_replaced(number, words);
            }
        }
        if std::mem::take(&mut kept.has_moved) {
            (kept.postings, kept.files) = (Postings::default(), KeptFiles::default());
        }
    }

    fn has_replaced(&mut self, number: usize, words: PageWords) {
        if let Some(kept) = &mut self.kept {
            kept.postings.has_replaced(to_u32(number), words);
        }
    }

    fn folder(&mut self, folder: &str) -> u32 {
        let known = self.folders.iter().position(|other| other == folder);
        to_u32(known.unwrap_or_else(|| {
            self.folders.push(folder.to_owned());
            self.folders.len() - 1
        }))
    }
}

impl Section<'_> {
    fn own_heading(&self) -> Option<usize> {
        self.headings.iter().rposition(|heading| !heading.is_empty())
    }
}

/// The words of a page.
fn read(page: &Page<'_>, lexicon: &mut Lexicon) -> PageWords {
    let mut reader = PageReader::new(lexicon);
    if !page.sections.is_empty() {
        let about = [page.description].into_iter().chain(page.aliases.iter().copied());
        let links = page.inbound_links.iter().copied();
        let texts = [(PageField::Title, page.title), (PageField::Url, page.path)]
            .into_iter()
            .chain(about.map(|text| (PageField::About, text)))
            .chain(links.map(|text| (PageField::Links, text)));
        reader.page(
            PageField::Title as usize,
            texts.map(|(field, text)| (field as usize, text)),
        );
    }
    for section in page.sections {
        let own = section.own_heading();
        let heading = own.map_or(page.title, |own| section.headings[own]);
        let above = section.headings[..own.unwrap_or(0)].iter().copied();
        let links = section.inbound_links.iter().copied();
        let texts = [
            (SectionField::Body, section.body),
            (SectionField::Heading, heading),
        ]
        .into_iter()
        .chain(above.map(|text| (SectionField::Path, text)))
        .chain(links.map(|text| (SectionField::Links, text)));
        reader.section(
            SectionField::Heading as usize,
            texts.map(|(field, text)| (field as usize, text)),
        );
    }
    reader.finish()
}
