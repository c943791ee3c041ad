//! The core of an index: what every query needs.

use std::ops::Range;

use super::codec::{Strings, all_read};
use super::semantic::{read_checksums, read_first_pages};
use super::{
    FORMAT_VERSION, FileId, FileKind, FormatError, FormatErrorKind, HEADER_BYTES, MAGIC, codec::Reader,
    crc32, part,
};
use crate::analysis::ANALYZER_VERSION;
use crate::rank::QueryWeights;

/// Levels of impacts, classes of idf: a byte says which, so every byte must mean something.
pub(crate) type Table = [f64; 256];

/// What every query needs.
#[derive(Debug, Clone)]
pub(crate) struct Core {
    pub(crate) counts: Counts,
    pub(crate) weights: QueryWeights,
    pub(crate) tables: Tables,
    pub(crate) folders: Vec<String>,
    /// The first term of each file of terms.
    pub(crate) terms: Strings,
    /// The first word of each file of words but the first, which holds the commonest words.
    pub(crate) words: Strings,
    /// The first page of each file of texts.
    pub(crate) texts: Vec<u32>,
    pub(crate) semantic: Option<SemanticHead>,
    /// The checksums of the files by kind, as far as the core knows them.
    pub(crate) checksums: [Vec<u32>; FileKind::ALL.len()],
}

/// How many there are of what.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Counts {
    pub(crate) pages: u32,
    pub(crate) sections: u32,
    pub(crate) terms: u32,
    pub(crate) words: u32,
    /// Pages in each file of names.
    pub(crate) pages_per_file: u32,
}

/// What the bytes in postings mean.
#[derive(Debug, Clone)]
pub(crate) struct Tables {
    /// The idf of each class.
    pub(crate) idf: Table,
    /// What a term brings to a page.
    pub(crate) page: Table,
    /// What a term brings to a section.
    pub(crate) section: Table,
    /// The idf of all terms of a title or heading together.
    pub(crate) whole: Table,
}

/// How the vectors were made.
#[derive(Debug, Clone)]
pub(crate) struct SemanticHead {
    pub(crate) embedder: String,
    pub(crate) dimensions: usize,
}

/// Files inside of the core, as ranges of its bytes.
pub(crate) type Inner = Vec<(FileId, Range<usize>)>;

impl Core {
    pub(crate) fn read(bytes: &[u8]) -> Result<(Self, Inner), FormatError> {
        let content = check_header(bytes)?;
        let parts = Parts::read(content).ok_or(FormatError::corrupt("the directory"))?;
        let corrupt = FormatError::corrupt;
        let counts = read_counts(parts.get(part::COUNTS)).ok_or(corrupt("the counts"))?;
        let weights = QueryWeights::read(&mut parts.get(part::WEIGHTS)).ok_or(corrupt("the weights"))?;
        let tables = Tables::read(parts.get(part::TABLES)).ok_or(corrupt("the tables"))?;
        let folders = read_folders(parts.get(part::FOLDERS)).ok_or(corrupt("the folders"))?;
        let (terms, term_sums) =
            read_directory(parts.get(part::TERMS), 0).ok_or(corrupt("the directory of terms"))?;
        let (words, word_sums) =
            read_directory(parts.get(part::WORDS), 1).ok_or(corrupt("the directory of words"))?;
        let name_sums =
            read_checksums(&mut parts.get(part::NAMES)).ok_or(corrupt("the directory of names"))?;
        let (texts, text_sums) =
            read_texts(parts.get(part::TEXTS), counts.pages).ok_or(corrupt("the directory of texts"))?;
        let semantic = read_semantic(parts.get(part::SEMANTIC)).ok_or(corrupt("the semantic part"))?;
        let (semantic, semantic_sums) = semantic.unzip();
        if name_sums.len() != counts.pages.div_ceil(counts.pages_per_file) as usize {
            return Err(corrupt("the directory of names"));
        }
        let mut files = parts.get(part::FILES);
        let start = bytes.len() - content.len() + parts.start(part::FILES);
        let files = read_files(&mut files, start).ok_or(corrupt("the files inside"))?;
        let checksums = [
            term_sums,
            word_sums,
            name_sums,
            text_sums,
            semantic_sums.unwrap_or_default(),
            Vec::new(),
            Vec::new(),
        ];
        let core = Self {
            counts,
            weights,
            tables,
            folders,
            terms,
            words,
            texts,
            semantic,
            checksums,
        };
        Ok((core, files))
    }

    /// The file of the term, or of the words, that would hold `key`.
    pub(crate) fn file_of(keys: &Strings, key: &str) -> usize {
        let bound = keys.lower_bound(key);
        let is_first = bound < keys.len() && keys.get(bound) == key;
        if is_first { bound } else { bound.saturating_sub(1) }
    }
}

impl Tables {
    fn read(mut reader: Reader<'_>) -> Option<Self> {
        let tables = Self {
            idf: read_table(&mut reader)?,
            page: read_table(&mut reader)?,
            section: read_table(&mut reader)?,
            whole: read_table(&mut reader)?,
        };
        all_read(&[reader])?;
        Some(tables)
    }
}

fn read_table(reader: &mut Reader<'_>) -> Option<Table> {
    let mut table = [0.0; 256];
    let count = reader.count()?;
    for value in table.get_mut(..count)? {
        let level = reader.f32().filter(|level| level.is_finite() && *level >= 0.0)?;
        *value = f64::from(level);
    }
    Some(table)
}

fn read_counts(mut reader: Reader<'_>) -> Option<Counts> {
    let mut next = || reader.varint();
    let counts = Counts {
        pages: next()?,
        sections: next()?,
        terms: next()?,
        words: next()?,
        pages_per_file: next().filter(|pages| *pages > 0)?,
    };
    all_read(&[reader])?;
    Some(counts)
}

fn read_folders(mut reader: Reader<'_>) -> Option<Vec<String>> {
    let mut folders = Vec::new();
    for _ in 0..reader.count()? {
        folders.push(reader.text()?.to_owned());
    }
    all_read(&[reader])?;
    Some(folders)
}

/// The first keys of the files, and the checksums; of the first `keyless` files there are only checksums.
fn read_directory(mut reader: Reader<'_>, keyless: usize) -> Option<(Strings, Vec<u32>)> {
    let count = reader.count()?;
    let mut streams = reader.streams::<4>()?;
    let keys = Strings::read_sorted(count, &mut streams[..3])?;
    let checksums = read_checksums(&mut streams[3])?;
    all_read(&streams)?;
    (checksums.len() == count + keyless).then_some((keys, checksums))
}

fn read_texts(mut reader: Reader<'_>, page_count: u32) -> Option<(Vec<u32>, Vec<u32>)> {
    let mut streams = reader.streams::<2>()?;
    let checksums = read_checksums(&mut streams[1])?;
    let first_pages = read_first_pages(&mut streams[0], checksums.len(), page_count)?;
    all_read(&streams)?;
    Some((first_pages, checksums))
}

/// Nothing for an index without vectors.
fn read_semantic(mut reader: Reader<'_>) -> Option<Option<(SemanticHead, Vec<u32>)>> {
    if reader.remaining() == 0 {
        return Some(None);
    }
    let embedder = reader.text()?.to_owned();
    let dimensions = reader
        .length()
        .filter(|dimensions| (1..=4096).contains(dimensions))?;
    let checksums = vec![reader.u32()?, reader.u32()?];
    all_read(&[reader])?;
    Some(Some((SemanticHead { embedder, dimensions }, checksums)))
}

fn read_files(reader: &mut Reader<'_>, start: usize) -> Option<Inner> {
    let length = reader.remaining();
    let mut files = Vec::new();
    while reader.remaining() > 0 {
        let kind = *FileKind::ALL.get(usize::from(reader.u8()?))?;
        let id = FileId::new(kind, reader.varint()?);
        let file_length = reader.length()?;
        let at = start + length - reader.remaining();
        reader.take(file_length)?;
        files.push((id, at..at + file_length));
    }
    Some(files)
}

/// The parts of a core by their numbers.
struct Parts<'a> {
    content: &'a [u8],
    parts: Vec<(u8, Range<usize>)>,
}

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
            let start = content.len() - reader.remaining();
            reader.take(length)?;
            parts.push((number, start..start + length));
        }
        (reader.remaining() == 0).then_some(Self { content, parts })
    }

    fn range(&self, number: u8) -> Range<usize> {
        let found = self.parts.iter().find(|(other, _)| *other == number);
        found.map_or(0..0, |(_, range)| range.clone())
    }

    /// A part; one that is not there has no bytes, which most parts do not allow.
    fn get(&self, number: u8) -> Reader<'a> {
        Reader::new(&self.content[self.range(number)])
    }

    fn start(&self, number: u8) -> usize {
        self.range(number).start
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
    if actual != checksum && !cfg!(fuzzing) {
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
