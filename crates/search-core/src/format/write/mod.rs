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

use super::codec::to_u32;
use super::names;
use crate::rank::Weights;
use lexicon::{FieldWords, Lexicon};
use vectors::QuantisedVectors;

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
    sections: Vec<SectionRecord>,
    vectors: Option<QuantisedVectors>,
}

#[derive(Debug, Clone)]
struct PageRecord {
    names: names::PageToWrite,
    first_section: u32,
    lengths: [u32; PAGE_FIELDS],
}

#[derive(Debug, Clone)]
struct SectionRecord {
    page: u32,
    lengths: [u32; SECTION_FIELDS],
    /// The text, if it is what is shown of the section.
    shown_text: String,
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
            sections: Vec::new(),
            vectors: None,
        }
    }

    /// Other weights than [`Weights::LEARNT`]; before or after pages were added.
    pub fn with_weights(mut self, weights: Weights) -> Self {
        self.weights = weights;
        self
    }

    /// Adds a page with its sections. A page without sections cannot be found.
    pub fn add_page(&mut self, page: &Page<'_>) {
        let page_id = to_u32(self.pages.len());
        let mut words = FieldWords::<PAGE_FIELDS>::new(PageField::Title as usize);
        if !page.sections.is_empty() {
            words.add(&mut self.lexicon, PageField::Title as usize, page.title);
            words.add(&mut self.lexicon, PageField::Url as usize, page.path);
            words.add(&mut self.lexicon, PageField::About as usize, page.description);
            for alias in page.aliases {
                words.add(&mut self.lexicon, PageField::About as usize, alias);
            }
            for link in page.inbound_links {
                words.add(&mut self.lexicon, PageField::Links as usize, link);
            }
        }
        let lengths = words.lengths;
        self.lexicon.note_page(page_id, words);
        let names = names::PageToWrite {
            path: page.path.to_owned(),
            title: page.title.to_owned(),
            folder: self.folder(page.folder),
            sections: Vec::with_capacity(page.sections.len()),
        };
        self.pages.push(PageRecord {
            names,
            first_section: to_u32(self.sections.len()),
            lengths,
        });
        for section in page.sections {
            self.add_section(page, page_id, section);
        }
    }

    /// Adds vectors for all sections that were added, and the table that turns queries into vectors.
    ///
    /// # Panics
    /// If there are not as many rows as sections, or as pieces.
    pub fn set_vectors(&mut self, vectors: Vectors<'_>) {
        assert_eq!(
            vectors.sections.len(),
            self.sections.len() * vectors.dimensions,
            "one row for each section"
        );
        self.vectors = Some(QuantisedVectors::new(vectors));
    }

    fn add_section(&mut self, page: &Page<'_>, page_id: u32, section: &Section<'_>) {
        let section_id = to_u32(self.sections.len());
        let own = section.headings.iter().rposition(|heading| !heading.is_empty());
        let heading = own.map_or(page.title, |own| section.headings[own]);
        let mut words = FieldWords::<SECTION_FIELDS>::new(SectionField::Heading as usize);
        words.add(&mut self.lexicon, SectionField::Body as usize, section.body);
        words.add(&mut self.lexicon, SectionField::Heading as usize, heading);
        for above in &section.headings[..own.unwrap_or(0)] {
            words.add(&mut self.lexicon, SectionField::Path as usize, above);
        }
        for link in section.inbound_links {
            words.add(&mut self.lexicon, SectionField::Links as usize, link);
        }
        let shown_text = if own.is_none() { section.body } else { "" };
        self.sections.push(SectionRecord {
            page: page_id,
            lengths: words.lengths,
            shown_text: shown_text.to_owned(),
        });
        self.lexicon.note_section(section_id, words);
        let names = &mut self.pages[page_id as usize].names;
        names.sections.push(names::SectionToWrite {
            headings: section.headings.map(str::to_owned),
            anchor: section.anchor.to_owned(),
        });
    }

    fn folder(&mut self, folder: &str) -> u32 {
        let known = self.folders.iter().position(|other| other == folder);
        to_u32(known.unwrap_or_else(|| {
            self.folders.push(folder.to_owned());
            self.folders.len() - 1
        }))
    }

    /// Where the sections of a page end.
    fn end_of_sections(&self, page: usize) -> usize {
        self.pages[page].first_section as usize + self.pages[page].names.sections.len()
    }
}
