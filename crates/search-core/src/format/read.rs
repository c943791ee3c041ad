//! Reading an index. Everything is checked here once, so that ranking can follow every reference.

use std::ops::RangeInclusive;

use super::codec::crc32;
use super::{FORMAT_VERSION, FormatError, FormatErrorKind, HEADER_BYTES, MAGIC, Reader, part};
use crate::analysis::ANALYZER_VERSION;

pub(crate) const PAGE_FIELDS: usize = 4;
pub(crate) const SECTION_FIELDS: usize = 4;

/// The fields whose words belong to a page as a whole.
#[derive(Debug, Clone, Copy)]
pub(crate) enum PageField {
    Title = 0,
    Url = 1,
    /// Description and aliases.
    About = 2,
    Links = 3,
}

/// The fields whose words belong to one section.
#[derive(Debug, Clone, Copy)]
pub(crate) enum SectionField {
    Body = 0,
    /// The section's own heading; for the top of a page the title.
    Heading = 1,
    /// The headings above its own one.
    Path = 2,
    Links = 3,
}

/// An opened index.
#[derive(Debug, Clone)]
pub struct Index {
    pub(crate) vocabulary: Vocabulary,
    pub(crate) terms: Vec<TermRecord>,
    postings: Vec<u8>,
    pub(crate) pages: Vec<PageRecord>,
    pub(crate) sections: Vec<SectionRecord>,
    pub(crate) averages: Averages,
    folders: Vec<String>,
    names: String,
    bodies: String,
}

/// Terms in order, and the forms of each.
#[derive(Debug, Clone)]
pub(crate) struct Vocabulary {
    text: String,
    /// Where each term ends in `text`.
    ends: Vec<u32>,
    rules: Vec<(u32, String)>,
    /// Where the forms of each term end in `form_rules`.
    form_ends: Vec<u32>,
    form_rules: Vec<u32>,
}

#[derive(Debug, Clone)]
pub(crate) struct TermRecord {
    pub(crate) idf: f64,
    pages: u32,
    sections: u32,
    postings: Range,
}

#[derive(Debug, Clone)]
pub(crate) struct PageRecord {
    folder: u32,
    path: Range,
    title: Range,
    pub(crate) first_section: u32,
    pub(crate) section_count: u32,
    pub(crate) lengths: [u32; PAGE_FIELDS],
    /// Words in the bodies of all its sections.
    pub(crate) body_length: u32,
    /// Sum of the idf of the distinct terms of its title.
    pub(crate) title_idf: f64,
}

#[derive(Debug, Clone)]
pub(crate) struct SectionRecord {
    pub(crate) page: u32,
    anchor: Range,
    headings: [Range; 3],
    body: Range,
    pub(crate) lengths: [u32; SECTION_FIELDS],
    /// Sum of the idf of the distinct terms of its heading.
    pub(crate) heading_idf: f64,
}

/// Mean number of words of each field, over those that have any.
#[derive(Debug, Clone, Default)]
pub(crate) struct Averages {
    pub(crate) pages: [f64; PAGE_FIELDS],
    pub(crate) sections: [f64; SECTION_FIELDS],
    pub(crate) page_body: f64,
}

#[derive(Debug, Clone, Copy, Default)]
struct Range {
    start: u32,
    end: u32,
}

/// Where a term occurs, and how often in each field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Posting {
    pub(crate) id: u32,
    pub(crate) frequencies: [u32; 4],
}

impl Index {
    /// Reads an index; refuses bytes that are not one, are of another version, or are damaged.
    pub fn open(bytes: &[u8]) -> Result<Self, FormatError> {
        let content = check_header(bytes)?;
        let parts = Parts::read(content).ok_or(FormatError::corrupt("the directory"))?;
        let idfs = read_idfs(parts.get(part::WEIGHTS)?).ok_or(FormatError::corrupt("the weights"))?;
        let vocabulary = Vocabulary::read(parts.get(part::VOCABULARY)?, parts.get(part::FORMS)?)
            .ok_or(FormatError::corrupt("the vocabulary"))?;
        let names = read_text(parts.get(part::NAMES)?).ok_or(FormatError::corrupt("the names"))?;
        let bodies = read_text(parts.get(part::BODIES)?).ok_or(FormatError::corrupt("the bodies"))?;
        let places = Places::read(parts.get(part::PLACES)?, &names, &bodies)
            .ok_or(FormatError::corrupt("the places of pages and sections"))?;
        let (terms, postings) = read_postings(parts.get(part::POSTINGS)?, vocabulary.len(), &idfs)
            .ok_or(FormatError::corrupt("the heads of the postings"))?;
        let Places {
            folders,
            pages,
            sections,
        } = places;
        let averages = Averages::default();
        let mut index = Self {
            vocabulary,
            terms,
            postings,
            pages,
            sections,
            averages,
            folders,
            names,
            bodies,
        };
        index
            .read_lengths(parts.get(part::LENGTHS)?)
            .ok_or(FormatError::corrupt("the lengths"))?;
        index
            .check_postings()
            .ok_or(FormatError::corrupt("the postings"))?;
        Ok(index)
    }

    /// How many sections can be found.
    pub fn section_count(&self) -> usize {
        self.sections.len()
    }

    /// How many pages they belong to.
    pub fn page_count(&self) -> usize {
        self.pages.len()
    }

    /// How many different terms there are.
    pub fn term_count(&self) -> usize {
        self.terms.len()
    }

    /// Calls `each` with every page that holds a term, in order.
    pub(crate) fn page_postings(&self, term: u32, each: &mut dyn FnMut(Posting)) {
        let record = &self.terms[term as usize];
        let mut reader = Reader::new(record.postings.bytes(&self.postings));
        read_page_postings(&mut reader, record.pages, each);
    }

    /// Calls `each` with every section that holds a term, in order.
    pub(crate) fn section_postings(&self, term: u32, each: &mut dyn FnMut(Posting)) {
        let record = &self.terms[term as usize];
        let mut reader = Reader::new(record.postings.bytes(&self.postings));
        read_page_postings(&mut reader, record.pages, &mut |_| ());
        read_section_postings(&mut reader, record.sections, each);
    }

    pub(crate) fn path(&self, page: u32) -> &str {
        self.pages[page as usize].path.text(&self.names)
    }

    pub(crate) fn title(&self, page: u32) -> &str {
        self.pages[page as usize].title.text(&self.names)
    }

    pub(crate) fn folder(&self, page: u32) -> &str {
        &self.folders[self.pages[page as usize].folder as usize]
    }

    pub(crate) fn anchor(&self, section: u32) -> &str {
        self.sections[section as usize].anchor.text(&self.names)
    }

    pub(crate) fn headings(&self, section: u32) -> [&str; 3] {
        self.sections[section as usize]
            .headings
            .map(|heading| heading.text(&self.names))
    }

    pub(crate) fn body(&self, section: u32) -> &str {
        self.sections[section as usize].body.text(&self.bodies)
    }

    /// Reads the words per field and derives what ranking needs of them.
    fn read_lengths(&mut self, bytes: &[u8]) -> Option<()> {
        let mut reader = Reader::new(bytes);
        for field in 0..PAGE_FIELDS {
            for page in &mut self.pages {
                page.lengths[field] = reader.varint()?;
            }
            self.averages.pages[field] = mean(self.pages.iter().map(|page| page.lengths[field]));
        }
        for field in 0..SECTION_FIELDS {
            for section in &mut self.sections {
                section.lengths[field] = reader.varint()?;
            }
            self.averages.sections[field] = mean(self.sections.iter().map(|section| section.lengths[field]));
        }
        for section in &self.sections {
            let page = &mut self.pages[section.page as usize];
            page.body_length = page
                .body_length
                .saturating_add(section.lengths[SectionField::Body as usize]);
        }
        self.averages.page_body = mean(self.pages.iter().map(|page| page.body_length));
        (reader.remaining() == 0).then_some(())
    }

    /// Goes over all postings once: every id must exist. Adds up the idf of titles and headings on the way.
    fn check_postings(&mut self) -> Option<()> {
        let Self {
            terms,
            postings,
            pages,
            sections,
            ..
        } = self;
        for term in terms.iter() {
            let mut reader = Reader::new(term.postings.bytes(postings));
            let mut known = true;
            read_page_postings(&mut reader, term.pages, &mut |posting| match pages
                .get_mut(posting.id as usize)
            {
                Some(page) if posting.frequencies[PageField::Title as usize] > 0 => {
                    page.title_idf += term.idf
                }
                Some(_) => {}
                None => known = false,
            })?;
            read_section_postings(&mut reader, term.sections, &mut |posting| match sections
                .get_mut(posting.id as usize)
            {
                Some(section) if posting.frequencies[SectionField::Heading as usize] > 0 => {
                    section.heading_idf += term.idf;
                }
                Some(_) => {}
                None => known = false,
            })?;
            if !known || reader.remaining() > 0 {
                return None;
            }
        }
        Some(())
    }
}

impl Vocabulary {
    fn read(vocabulary: &[u8], forms: &[u8]) -> Option<Self> {
        let (text, ends) = read_terms(vocabulary)?;
        let mut reader = Reader::new(forms);
        let rule_count = reader.count()?;
        let mut rules = Vec::with_capacity(rule_count);
        for _ in 0..rule_count {
            let cut = reader.varint()?;
            let length = reader
                .length()
                .filter(|length| *length <= MAX_STORED_TERM_BYTES)?;
            rules.push((cut, read_text(reader.take(length)?)?));
        }
        let mut vocabulary = Self {
            text,
            ends,
            rules,
            form_ends: Vec::new(),
            form_rules: Vec::new(),
        };
        for term in 0..vocabulary.len() as u32 {
            for _ in 0..reader.count()? {
                let rule = reader.varint()?;
                let (cut, _) = vocabulary.rules.get(rule as usize)?;
                let term = vocabulary.term(term);
                let kept = term.len().checked_sub(*cut as usize)?;
                if kept == 0 || !term.is_char_boundary(kept) {
                    return None;
                }
                vocabulary.form_rules.push(rule);
            }
            vocabulary.form_ends.push(vocabulary.form_rules.len() as u32);
        }
        (reader.remaining() == 0).then_some(vocabulary)
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn term(&self, term: u32) -> &str {
        let term = term as usize;
        &self.text[start_of(&self.ends, term)..self.ends[term] as usize]
    }

    pub(crate) fn find(&self, wanted: &str) -> Option<u32> {
        let term = self.lower_bound(wanted);
        (term < self.len() && self.term(term as u32) == wanted).then_some(term as u32)
    }

    /// The first term that is not before `wanted`.
    pub(crate) fn lower_bound(&self, wanted: &str) -> usize {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            if self.term(middle as u32) < wanted {
                low = middle + 1
            } else {
                high = middle
            }
        }
        low
    }

    /// Calls `each` with those of a term and its other forms that have so many bytes; `buffer` is room to put them together.
    pub(crate) fn each_form(
        &self,
        term: u32,
        lengths: RangeInclusive<usize>,
        buffer: &mut String,
        each: &mut dyn FnMut(&str),
    ) {
        let text = self.term(term);
        if lengths.contains(&text.len()) {
            each(text);
        }
        let term = term as usize;
        for rule in &self.form_rules[start_of(&self.form_ends, term)..self.form_ends[term] as usize] {
            let (cut, suffix) = &self.rules[*rule as usize];
            let kept = text.len() - *cut as usize;
            if lengths.contains(&(kept + suffix.len())) {
                buffer.clear();
                buffer.push_str(&text[..kept]);
                buffer.push_str(suffix);
                each(buffer);
            }
        }
    }
}

impl Range {
    fn bytes(self, of: &[u8]) -> &[u8] {
        &of[self.start as usize..self.end as usize]
    }

    fn text(self, of: &str) -> &str {
        &of[self.start as usize..self.end as usize]
    }
}

/// The parts of a file by their numbers.
struct Parts<'a>(Vec<(u8, &'a [u8])>);

impl<'a> Parts<'a> {
    fn read(content: &'a [u8]) -> Option<Self> {
        let mut reader = Reader::new(content);
        let count = reader.count()?;
        let mut directory = Vec::with_capacity(count);
        for _ in 0..count {
            directory.push((reader.u8()?, reader.length()?));
        }
        let mut parts = Vec::with_capacity(count);
        for (number, length) in directory {
            parts.push((number, reader.take(length)?));
        }
        (reader.remaining() == 0).then_some(Self(parts))
    }

    fn get(&self, number: u8) -> Result<&'a [u8], FormatError> {
        let found = self.0.iter().find(|(other, _)| *other == number);
        found
            .map(|(_, bytes)| *bytes)
            .ok_or(FormatError::corrupt("a part is missing"))
    }
}

struct Places {
    folders: Vec<String>,
    pages: Vec<PageRecord>,
    sections: Vec<SectionRecord>,
}

impl Places {
    fn read(bytes: &[u8], names: &str, bodies: &str) -> Option<Self> {
        let mut reader = Reader::new(bytes);
        let mut folders = Vec::new();
        for _ in 0..reader.count()? {
            let length = reader.length()?;
            folders.push(read_text(reader.take(length)?)?);
        }
        let (page_count, section_count) = (reader.count()?, reader.count()?);
        let mut pages = Vec::with_capacity(page_count);
        let mut sections = Vec::with_capacity(section_count);
        let (mut names, mut bodies) = (Texts { text: names, at: 0 }, Texts { text: bodies, at: 0 });
        let mut folders_and_names = Vec::with_capacity(page_count);
        for page in 0..page_count {
            let (folder, path, title) = (reader.varint()?, reader.length()?, reader.length()?);
            let own_sections = reader.count()?;
            folders_and_names.push((folder, names.next(path)?, names.next(title)?));
            let first_section = sections.len() as u32;
            for _ in 0..own_sections {
                let anchor = names.next(reader.length()?)?;
                let mut headings = [Range::default(); 3];
                for heading in &mut headings {
                    *heading = names.next(reader.length()?)?;
                }
                let body = bodies.next(reader.length()?)?;
                let (lengths, heading_idf) = ([0; SECTION_FIELDS], 0.0);
                sections.push(SectionRecord {
                    page: page as u32,
                    anchor,
                    headings,
                    body,
                    lengths,
                    heading_idf,
                });
            }
            let (folder, path, title) = folders_and_names.pop()?;
            folders.get(folder as usize)?;
            pages.push(PageRecord {
                folder,
                path,
                title,
                first_section,
                section_count: own_sections as u32,
                lengths: [0; PAGE_FIELDS],
                body_length: 0,
                title_idf: 0.0,
            });
        }
        let is_whole = reader.remaining() == 0 && sections.len() == section_count;
        (is_whole && names.is_read() && bodies.is_read()).then_some(Self {
            folders,
            pages,
            sections,
        })
    }
}

/// Cuts a text into the pieces whose lengths come one after the other.
struct Texts<'a> {
    text: &'a str,
    at: usize,
}

impl Texts<'_> {
    fn next(&mut self, length: usize) -> Option<Range> {
        let end = self.at.checked_add(length)?;
        self.text.get(self.at..end)?;
        let range = Range {
            start: self.at as u32,
            end: end as u32,
        };
        self.at = end;
        Some(range)
    }

    fn is_read(&self) -> bool {
        self.at == self.text.len()
    }
}

/// Checks the header; gives what comes after it.
fn check_header(bytes: &[u8]) -> Result<&[u8], FormatError> {
    let error = FormatError::new;
    let magic = &bytes[..bytes.len().min(MAGIC.len())];
    if magic.is_empty() || !MAGIC.starts_with(magic) {
        return Err(error(FormatErrorKind::NotAnIndex, "", 0, 0));
    }
    let found_length = bytes.len() as u32;
    let truncated = |wanted: u32| {
        error(
            FormatErrorKind::Truncated,
            "the length in bytes",
            wanted,
            found_length,
        )
    };
    let mut reader = Reader::new(bytes.get(MAGIC.len()..).unwrap_or_default());
    let mut number = || reader.u32().ok_or_else(|| truncated(HEADER_BYTES as u32));
    let (format, analyzer) = (number()?, number()?);
    if format != FORMAT_VERSION {
        return Err(error(
            FormatErrorKind::UnsupportedVersion,
            "its format version",
            FORMAT_VERSION,
            format,
        ));
    }
    if analyzer != ANALYZER_VERSION {
        return Err(error(
            FormatErrorKind::AnalyzerMismatch,
            "its analyser version",
            ANALYZER_VERSION,
            analyzer,
        ));
    }
    let (length, checksum) = (number()?, number()?);
    if length as usize > bytes.len() {
        return Err(truncated(length));
    }
    let actual = crc32([&bytes[..HEADER_BYTES - 4], &bytes[HEADER_BYTES..]]);
    if actual != checksum {
        return Err(error(
            FormatErrorKind::ChecksumMismatch,
            "its checksum",
            checksum,
            actual,
        ));
    }
    if length as usize != bytes.len() {
        return Err(FormatError::corrupt("bytes after its end"));
    }
    Ok(&bytes[HEADER_BYTES..])
}

fn read_idfs(bytes: &[u8]) -> Option<Vec<f64>> {
    let mut reader = Reader::new(bytes);
    let count = reader.count()?;
    let mut idfs = Vec::with_capacity(count);
    for _ in 0..count {
        let idf = reader.f32().filter(|idf| idf.is_finite() && *idf > 0.0)?;
        idfs.push(f64::from(idf));
    }
    (reader.remaining() == 0).then_some(idfs)
}

fn read_terms(bytes: &[u8]) -> Option<(String, Vec<u32>)> {
    let mut reader = Reader::new(bytes);
    let count = reader.count()?;
    let mut streams = [Reader::new(&[]), Reader::new(&[]), Reader::new(&[])];
    for stream in &mut streams {
        let length = reader.length()?;
        *stream = Reader::new(reader.take(length)?);
    }
    let [shared_lengths, suffix_lengths, suffixes] = &mut streams;
    let mut text = String::new();
    let mut ends: Vec<u32> = Vec::with_capacity(count);
    let mut previous = 0..0;
    for _ in 0..count {
        let shared = shared_lengths.length()?;
        let suffix_length = suffix_lengths.length()?;
        let suffix = std::str::from_utf8(suffixes.take(suffix_length)?).ok()?;
        if shared > previous.len() || shared > MAX_STORED_TERM_BYTES || suffix_length > MAX_STORED_TERM_BYTES
        {
            return None;
        }
        let start = text.len();
        let prefix = text.get(previous.start..previous.start + shared)?.to_owned();
        text.push_str(&prefix);
        text.push_str(suffix);
        let is_in_order = ends.is_empty() || text[previous.clone()] < text[start..];
        if !is_in_order {
            return None;
        }
        previous = start..text.len();
        ends.push(u32::try_from(text.len()).ok()?);
    }
    let is_whole = [&*shared_lengths, &*suffix_lengths, &*suffixes]
        .iter()
        .all(|stream| stream.remaining() == 0);
    (is_whole && reader.remaining() == 0).then_some((text, ends))
}

/// Longest term and longest suffix that are believed; twice what the analyser gives, because a stem may be longer than its
/// word by a letter. Without it a short file could ask for gigabytes.
const MAX_STORED_TERM_BYTES: usize = 2 * crate::analysis::MAX_TERM_BYTES;

fn read_postings(bytes: &[u8], term_count: usize, idfs: &[f64]) -> Option<(Vec<TermRecord>, Vec<u8>)> {
    let mut reader = Reader::new(bytes);
    if term_count > reader.remaining() {
        return None;
    }
    let mut terms = Vec::with_capacity(term_count);
    for _ in 0..term_count {
        let idf = *idfs.get(reader.length()?)?;
        terms.push(TermRecord {
            idf,
            pages: 0,
            sections: 0,
            postings: Range::default(),
        });
    }
    for term in &mut terms {
        term.pages = reader.varint()?;
    }
    for term in &mut terms {
        term.sections = reader.varint()?;
    }
    let mut at = 0u32;
    for term in &mut terms {
        let end = at.checked_add(reader.varint()?)?;
        term.postings = Range { start: at, end };
        at = end;
    }
    let entries = reader.take(at as usize)?;
    (reader.remaining() == 0).then(|| (terms, entries.to_vec()))
}

fn read_page_postings(reader: &mut Reader<'_>, count: u32, each: &mut dyn FnMut(Posting)) -> Option<()> {
    let mut ids = Ids::default();
    for _ in 0..count {
        let head = reader.varint()?;
        let id = ids.next(head >> 5)?;
        let mask = head >> 1 & 0b1111;
        let mut frequencies = [0; PAGE_FIELDS];
        for (field, frequency) in frequencies.iter_mut().enumerate() {
            if mask & 1 << field != 0 {
                *frequency = if head & 1 == 0 { 1 } else { reader.varint()? };
            }
        }
        each(Posting { id, frequencies });
    }
    Some(())
}

fn read_section_postings(reader: &mut Reader<'_>, count: u32, each: &mut dyn FnMut(Posting)) -> Option<()> {
    let mut ids = Ids::default();
    for _ in 0..count {
        let head = reader.varint()?;
        let id = ids.next(head >> 2)?;
        let mut frequencies = [0; SECTION_FIELDS];
        match head & 3 {
            3 => {
                let mask = reader.varint()?;
                for (field, frequency) in frequencies.iter_mut().enumerate() {
                    if mask & 1 << field != 0 {
                        *frequency = reader.varint()?;
                    }
                }
            }
            2 => frequencies[SectionField::Body as usize] = reader.varint()?,
            once_or_twice => frequencies[SectionField::Body as usize] = once_or_twice + 1,
        }
        each(Posting { id, frequencies });
    }
    Some(())
}

/// Ids from the steps between them; only the first step may be 0.
#[derive(Default)]
struct Ids {
    last: Option<u32>,
}

impl Ids {
    fn next(&mut self, step: u32) -> Option<u32> {
        let id = match self.last {
            None => step,
            Some(last) => last.checked_add(step).filter(|id| *id > last)?,
        };
        self.last = Some(id);
        Some(id)
    }
}

fn read_text(bytes: &[u8]) -> Option<String> {
    std::str::from_utf8(bytes).ok().map(str::to_owned)
}

fn start_of(ends: &[u32], index: usize) -> usize {
    if index == 0 { 0 } else { ends[index - 1] as usize }
}

/// Mean of the numbers above zero; 1 if there are none, so that it can be divided by.
fn mean(lengths: impl Iterator<Item = u32>) -> f64 {
    let (mut sum, mut count) = (0u64, 0u64);
    for length in lengths.filter(|length| *length > 0) {
        sum += u64::from(length);
        count += 1;
    }
    if count == 0 {
        1.0
    } else {
        sum as f64 / count as f64
    }
}
