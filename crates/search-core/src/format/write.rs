//! Writing an index. Only the indexer and tests do this.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::codec::{crc32, put_varint};
use super::{
    FORMAT_VERSION, HEADER_BYTES, MAGIC, PAGE_FIELDS, PageField, SECTION_FIELDS, SectionField, part,
};
use crate::analysis::{ANALYZER_VERSION, scan, stem};

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
#[derive(Debug, Default)]
pub struct IndexBuilder {
    lexicon: Lexicon,
    folders: Vec<String>,
    pages: Vec<PageRecord>,
    sections: Vec<SectionRecord>,
    names: String,
    bodies: String,
}

impl IndexBuilder {
    /// A builder without pages.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a page with its sections. A page without sections cannot be found.
    pub fn add_page(&mut self, page: &Page<'_>) {
        let page_id = to_u32(self.pages.len());
        let mut words = FieldWords::<PAGE_FIELDS>::default();
        words.add(&mut self.lexicon, PageField::Title as usize, page.title);
        words.add(&mut self.lexicon, PageField::Url as usize, page.path);
        words.add(&mut self.lexicon, PageField::About as usize, page.description);
        for alias in page.aliases {
            words.add(&mut self.lexicon, PageField::About as usize, alias);
        }
        for link in page.inbound_links {
            words.add(&mut self.lexicon, PageField::Links as usize, link);
        }
        for (term, frequencies) in &words.frequencies {
            self.lexicon.terms[*term as usize]
                .pages
                .push((page_id, *frequencies));
        }
        let record = PageRecord {
            folder: self.folder(page.folder),
            path: self.name(page.path),
            title: self.name(page.title),
            sections: to_u32(page.sections.len()),
            first_section: to_u32(self.sections.len()),
            lengths: words.lengths,
        };
        self.pages.push(record);
        for section in page.sections {
            self.add_section(page, section);
        }
    }

    fn add_section(&mut self, page: &Page<'_>, section: &Section<'_>) {
        let section_id = to_u32(self.sections.len());
        let own = section.headings.iter().rposition(|heading| !heading.is_empty());
        let heading = own.map_or(page.title, |own| section.headings[own]);
        let mut words = FieldWords::<SECTION_FIELDS>::default();
        words.add(&mut self.lexicon, SectionField::Body as usize, section.body);
        words.add(&mut self.lexicon, SectionField::Heading as usize, heading);
        for above in &section.headings[..own.unwrap_or(0)] {
            words.add(&mut self.lexicon, SectionField::Path as usize, above);
        }
        for link in section.inbound_links {
            words.add(&mut self.lexicon, SectionField::Links as usize, link);
        }
        for (term, frequencies) in &words.frequencies {
            self.lexicon.terms[*term as usize]
                .sections
                .push((section_id, *frequencies));
        }
        let record = SectionRecord {
            anchor: self.name(section.anchor),
            headings: section.headings.map(|heading| self.name(heading)),
            body: to_u32(section.body.len()),
            lengths: words.lengths,
        };
        self.bodies.push_str(section.body);
        self.sections.push(record);
    }

    /// The index as bytes.
    pub fn finish(self) -> Vec<u8> {
        let sorted = self.lexicon.sorted();
        let frequencies: Vec<u32> = sorted
            .iter()
            .map(|(_, entry)| self.document_frequency(entry))
            .collect();
        let classes: BTreeSet<u32> = frequencies.iter().copied().collect();
        let parts = [
            (part::WEIGHTS, self.weights(&classes)),
            (part::VOCABULARY, vocabulary(&sorted)),
            (part::FORMS, forms(&sorted)),
            (part::POSTINGS, postings(&sorted, &frequencies, &classes)),
            (part::LENGTHS, self.lengths()),
            (part::PLACES, self.places()),
            (part::NAMES, self.names.into_bytes()),
            (part::BODIES, self.bodies.into_bytes()),
        ];
        assemble(&parts)
    }

    fn folder(&mut self, folder: &str) -> u32 {
        let known = self.folders.iter().position(|other| other == folder);
        to_u32(known.unwrap_or_else(|| {
            self.folders.push(folder.to_owned());
            self.folders.len() - 1
        }))
    }

    /// Stores a short text; gives its length.
    fn name(&mut self, text: &str) -> u32 {
        self.names.push_str(text);
        to_u32(text.len())
    }

    /// How many sections a term reaches: those that hold it, and all of the pages that hold it.
    fn document_frequency(&self, entry: &TermEntry) -> u32 {
        let mut reached = 0;
        let mut own = entry.sections.iter().map(|(section, _)| *section).peekable();
        for (page, _) in &entry.pages {
            let page = &self.pages[*page as usize];
            while own.next_if(|section| *section < page.first_section).is_some() {
                reached += 1;
            }
            while own
                .next_if(|section| *section < page.first_section + page.sections)
                .is_some()
            {}
            reached += page.sections;
        }
        reached + to_u32(own.count())
    }

    /// `ln(1 + (N - n + 0.5) / (n + 0.5))` for each distinct n: the one place with a logarithm, which is not the same
    /// to the last bit on every machine. Readers only add, subtract, multiply and divide.
    fn weights(&self, classes: &BTreeSet<u32>) -> Vec<u8> {
        let mut bytes = Vec::new();
        put_varint(&mut bytes, to_u32(classes.len()));
        let total = self.sections.len() as f64;
        for frequency in classes {
            let frequency = f64::from(*frequency);
            let idf = (1.0 + (total - frequency + 0.5) / (frequency + 0.5)).ln() as f32;
            bytes.extend_from_slice(&idf.to_bits().to_le_bytes());
        }
        bytes
    }

    fn lengths(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for field in 0..PAGE_FIELDS {
            self.pages
                .iter()
                .for_each(|page| put_varint(&mut bytes, page.lengths[field]));
        }
        for field in 0..SECTION_FIELDS {
            self.sections
                .iter()
                .for_each(|section| put_varint(&mut bytes, section.lengths[field]));
        }
        bytes
    }

    fn places(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        put_varint(&mut bytes, to_u32(self.folders.len()));
        for folder in &self.folders {
            put_varint(&mut bytes, to_u32(folder.len()));
            bytes.extend_from_slice(folder.as_bytes());
        }
        put_varint(&mut bytes, to_u32(self.pages.len()));
        put_varint(&mut bytes, to_u32(self.sections.len()));
        for page in &self.pages {
            for number in [page.folder, page.path, page.title, page.sections] {
                put_varint(&mut bytes, number);
            }
            let first = page.first_section as usize;
            for section in &self.sections[first..first + page.sections as usize] {
                put_varint(&mut bytes, section.anchor);
                section
                    .headings
                    .iter()
                    .for_each(|heading| put_varint(&mut bytes, *heading));
                put_varint(&mut bytes, section.body);
            }
        }
        bytes
    }
}

#[derive(Debug)]
struct PageRecord {
    folder: u32,
    path: u32,
    title: u32,
    sections: u32,
    first_section: u32,
    lengths: [u32; PAGE_FIELDS],
}

#[derive(Debug)]
struct SectionRecord {
    anchor: u32,
    headings: [u32; 3],
    body: u32,
    lengths: [u32; SECTION_FIELDS],
}

/// Every term, and every form that was met; each form is stemmed once.
#[derive(Debug, Default)]
struct Lexicon {
    term_of_form: HashMap<String, u32>,
    term_ids: HashMap<String, u32>,
    terms: Vec<TermEntry>,
}

#[derive(Debug, Default)]
struct TermEntry {
    term: String,
    forms: BTreeSet<String>,
    pages: Vec<(u32, [u32; PAGE_FIELDS])>,
    sections: Vec<(u32, [u32; SECTION_FIELDS])>,
}

impl Lexicon {
    fn term(&mut self, form: &str) -> u32 {
        if let Some(term) = self.term_of_form.get(form) {
            return *term;
        }
        let stem = stem(form);
        let term = *self.term_ids.entry(stem.clone()).or_insert_with(|| {
            self.terms.push(TermEntry {
                term: stem.clone(),
                ..TermEntry::default()
            });
            to_u32(self.terms.len() - 1)
        });
        if form != stem {
            self.terms[term as usize].forms.insert(form.to_owned());
        }
        self.term_of_form.insert(form.to_owned(), term);
        term
    }

    fn sorted(&self) -> Vec<(&str, &TermEntry)> {
        let mut sorted: Vec<_> = self
            .terms
            .iter()
            .map(|entry| (entry.term.as_str(), entry))
            .collect();
        sorted.sort_unstable_by_key(|(term, _)| *term);
        sorted
    }
}

/// The words of one page or section by field.
struct FieldWords<const FIELDS: usize> {
    frequencies: BTreeMap<u32, [u32; FIELDS]>,
    lengths: [u32; FIELDS],
}

impl<const FIELDS: usize> Default for FieldWords<FIELDS> {
    fn default() -> Self {
        Self {
            frequencies: BTreeMap::new(),
            lengths: [0; FIELDS],
        }
    }
}

impl<const FIELDS: usize> FieldWords<FIELDS> {
    fn add(&mut self, lexicon: &mut Lexicon, field: usize, text: &str) {
        scan(text, &mut |piece| {
            let term = lexicon.term(piece.form);
            self.frequencies.entry(term).or_insert([0; FIELDS])[field] += 1;
            self.lengths[field] += 1;
        });
    }
}

/// Three streams, because numbers beside numbers and letters beside letters compress better.
fn vocabulary(sorted: &[(&str, &TermEntry)]) -> Vec<u8> {
    let (mut shared_lengths, mut suffix_lengths, mut suffixes) = (Vec::new(), Vec::new(), Vec::new());
    let mut previous = "";
    for (term, _) in sorted {
        let shared = shared_prefix(previous, term);
        put_varint(&mut shared_lengths, to_u32(shared));
        put_varint(&mut suffix_lengths, to_u32(term.len() - shared));
        suffixes.extend_from_slice(&term.as_bytes()[shared..]);
        previous = term;
    }
    let mut bytes = Vec::new();
    put_varint(&mut bytes, to_u32(sorted.len()));
    for stream in [shared_lengths, suffix_lengths, suffixes] {
        put_varint(&mut bytes, to_u32(stream.len()));
        bytes.extend_from_slice(&stream);
    }
    bytes
}

/// Forms as rules "cut so many bytes, then append": most of a site's forms share a few dozen of them.
fn forms(sorted: &[(&str, &TermEntry)]) -> Vec<u8> {
    let rule = |term: &str, form: &str| {
        let shared = shared_prefix(term, form);
        (to_u32(term.len() - shared), form[shared..].to_owned())
    };
    let mut uses: BTreeMap<(u32, String), u32> = BTreeMap::new();
    for (term, entry) in sorted {
        for form in &entry.forms {
            *uses.entry(rule(term, form)).or_default() += 1;
        }
    }
    let mut by_use: Vec<_> = uses.into_iter().collect();
    by_use.sort_by_key(|(_, uses)| std::cmp::Reverse(*uses));
    let mut bytes = Vec::new();
    put_varint(&mut bytes, to_u32(by_use.len()));
    for ((cut, suffix), _) in &by_use {
        put_varint(&mut bytes, *cut);
        put_varint(&mut bytes, to_u32(suffix.len()));
        bytes.extend_from_slice(suffix.as_bytes());
    }
    let numbers: HashMap<_, _> = by_use
        .into_iter()
        .enumerate()
        .map(|(number, (rule, _))| (rule, number))
        .collect();
    for (term, entry) in sorted {
        put_varint(&mut bytes, to_u32(entry.forms.len()));
        for form in &entry.forms {
            put_varint(&mut bytes, to_u32(numbers[&rule(term, form)]));
        }
    }
    bytes
}

fn postings(sorted: &[(&str, &TermEntry)], frequencies: &[u32], classes: &BTreeSet<u32>) -> Vec<u8> {
    let class_of: HashMap<u32, u32> = classes
        .iter()
        .enumerate()
        .map(|(class, frequency)| (*frequency, to_u32(class)))
        .collect();
    let mut heads = [Vec::new(), Vec::new(), Vec::new(), Vec::new()];
    let mut entries = Vec::new();
    for ((_, entry), frequency) in sorted.iter().zip(frequencies) {
        let start = entries.len();
        let mut previous = 0;
        for (page, fields) in &entry.pages {
            put_page_posting(&mut entries, page - previous, fields);
            previous = *page;
        }
        let mut previous = 0;
        for (section, fields) in &entry.sections {
            put_section_posting(&mut entries, section - previous, fields);
            previous = *section;
        }
        put_varint(&mut heads[0], class_of[frequency]);
        put_varint(&mut heads[1], to_u32(entry.pages.len()));
        put_varint(&mut heads[2], to_u32(entry.sections.len()));
        put_varint(&mut heads[3], to_u32(entries.len() - start));
    }
    let mut bytes = heads.concat();
    bytes.extend_from_slice(&entries);
    bytes
}

/// The step to the page and, in the lowest bits, the fields (one bit each) and whether frequencies above 1 follow.
fn put_page_posting(bytes: &mut Vec<u8>, step: u32, fields: &[u32; PAGE_FIELDS]) {
    let repeats = fields.iter().any(|frequency| *frequency > 1);
    put_varint(bytes, step << 5 | field_mask(fields) << 1 | u32::from(repeats));
    if repeats {
        put_frequencies(bytes, fields);
    }
}

/// The step to the section and, in the two lowest bits: once in the body, twice, more often (then how often), or
/// in other fields too (then which, and how often in each).
fn put_section_posting(bytes: &mut Vec<u8>, step: u32, fields: &[u32; SECTION_FIELDS]) {
    let body = fields[SectionField::Body as usize];
    if field_mask(fields) != 1 << SectionField::Body as usize {
        put_varint(bytes, step << 2 | 3);
        put_varint(bytes, field_mask(fields));
        put_frequencies(bytes, fields);
    } else if body <= 2 {
        put_varint(bytes, step << 2 | (body - 1));
    } else {
        put_varint(bytes, step << 2 | 2);
        put_varint(bytes, body);
    }
}

fn field_mask(fields: &[u32]) -> u32 {
    fields.iter().enumerate().fold(0, |mask, (field, frequency)| {
        mask | u32::from(*frequency > 0) << field
    })
}

fn put_frequencies(bytes: &mut Vec<u8>, fields: &[u32]) {
    fields
        .iter()
        .filter(|frequency| **frequency > 0)
        .for_each(|frequency| put_varint(bytes, *frequency));
}

fn assemble(parts: &[(u8, Vec<u8>)]) -> Vec<u8> {
    let mut content = Vec::new();
    put_varint(&mut content, to_u32(parts.len()));
    for (number, bytes) in parts {
        content.push(*number);
        put_varint(&mut content, to_u32(bytes.len()));
    }
    parts
        .iter()
        .for_each(|(_, bytes)| content.extend_from_slice(bytes));
    let mut file = Vec::with_capacity(HEADER_BYTES + content.len());
    file.extend_from_slice(&MAGIC);
    for number in [
        FORMAT_VERSION,
        ANALYZER_VERSION,
        to_u32(HEADER_BYTES + content.len()),
    ] {
        file.extend_from_slice(&number.to_le_bytes());
    }
    let checksum = crc32([&file, &content]);
    file.extend_from_slice(&checksum.to_le_bytes());
    file.extend_from_slice(&content);
    file
}

/// Bytes that two texts share at their beginning, whole characters only.
fn shared_prefix(left: &str, right: &str) -> usize {
    let pairs = left.chars().zip(right.chars());
    pairs
        .take_while(|(left, right)| left == right)
        .map(|(left, _)| left.len_utf8())
        .sum()
}

fn to_u32(number: usize) -> u32 {
    u32::try_from(number).expect("an index is smaller than 4 GiB")
}
