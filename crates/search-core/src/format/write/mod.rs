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

use std::collections::HashMap;
use std::sync::Arc;

use super::codec::to_u32;
use super::names;
use crate::rank::Weights;
use lexicon::{Lexicon, PageReader, PageWords};
use postings::KeptPostings;
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
    sections: Vec<SectionRecord>,
    vectors: Option<QuantisedVectors>,
    kept: Option<Kept>,
}

/// What is kept for the builder that comes next.
#[derive(Debug, Clone, Default)]
struct Kept {
    /// The words of pages, by path, with what they were read from.
    words: HashMap<String, (Vec<u8>, PageWords)>,
    /// Those of the builder before.
    last_words: HashMap<String, (Vec<u8>, PageWords)>,
    /// Whether two pages had one path, of which only one is known then.
    has_twins: bool,
    postings: KeptPostings,
    table: Option<Arc<QuantisedTable>>,
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
            kept: None,
        }
    }

    /// A builder without pages whose [`IndexBuilder::successor`] will know the words of those that are added to this one.
    pub fn with_successor() -> Self {
        Self {
            kept: Some(Kept::default()),
            ..Self::new()
        }
    }

    /// A builder without pages, for another index of mostly the same pages: what has not changed of them is added with less work, and
    /// gives the same index. What this one knows only of earlier builders is forgotten.
    pub fn successor(mut self) -> Self {
        self.lexicon.forget_pages();
        let kept = self.kept.take();
        Self {
            weights: self.weights,
            lexicon: self.lexicon,
            kept: kept.map(|mut kept| {
                kept.forget_gone();
                Kept {
                    last_words: kept.words,
                    postings: kept.postings,
                    table: kept.table,
                    ..Kept::default()
                }
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
        let Some(mut kept) = self.kept.take() else {
            let words = read(page, &mut self.lexicon);
            self.add(page, &words);
            return;
        };
        let content = content(page);
        let words = match kept.last_words.remove(page.path) {
            Some((before, words)) if before == content => words,
            changed => {
                if let Some((_, words)) = changed {
                    kept.postings.forget(&words);
                }
                let words = read(page, &mut self.lexicon);
                kept.postings.forget(&words);
                words
            }
        };
        self.add(page, &words);
        let twin = kept.words.insert(page.path.to_owned(), (content, words));
        kept.has_twins |= twin.is_some();
        self.kept = Some(kept);
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
        let known = self.kept.as_ref().and_then(|kept| kept.table.as_ref());
        let vectors = QuantisedVectors::new(vectors, known);
        if let Some(kept) = &mut self.kept {
            kept.table = Some(Arc::clone(&vectors.table));
        }
        self.vectors = Some(vectors);
    }

    fn add(&mut self, page: &Page<'_>, words: &PageWords) {
        let page_id = to_u32(self.pages.len());
        let first_section = to_u32(self.sections.len());
        self.lexicon.note(page_id, first_section, words);
        let sections = page.sections.iter().zip(&words.sections);
        let section_records = sections.map(|(section, words)| SectionRecord {
            page: page_id,
            lengths: words.lengths,
            shown_text: match section.own_heading() {
                None => section.body.to_owned(),
                Some(_) => String::new(),
            },
        });
        self.sections.extend(section_records);
        let section_names = page.sections.iter().map(|section| names::SectionToWrite {
            headings: section.headings.map(str::to_owned),
            anchor: section.anchor.to_owned(),
        });
        let names = names::PageToWrite {
            path: page.path.to_owned(),
            title: page.title.to_owned(),
            folder: self.folder(page.folder),
            sections: section_names.collect(),
        };
        self.pages.push(PageRecord {
            names,
            first_section,
            lengths: words.page.lengths,
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

/// All that the words of a page are read from, told apart by bytes that no text has.
fn content(page: &Page<'_>) -> Vec<u8> {
    const END_OF_TEXT: u8 = 0xff;
    const END_OF_LIST: u8 = 0xfe;
    fn put_list(content: &mut Vec<u8>, texts: &[&str]) {
        for text in texts {
            content.extend_from_slice(text.as_bytes());
            content.push(END_OF_TEXT);
        }
        content.push(END_OF_LIST);
    }
    let mut content = Vec::new();
    put_list(&mut content, &[page.path, page.title, page.description]);
    put_list(&mut content, page.aliases);
    put_list(&mut content, page.inbound_links);
    for section in page.sections {
        put_list(&mut content, &section.headings);
        put_list(&mut content, &[section.body]);
        put_list(&mut content, section.inbound_links);
    }
    content
}
