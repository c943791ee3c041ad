//! Cutting an index into files.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::lexicon::Lexicon;
use super::postings::{Changes, Levels, Postings};
use super::vectors::QuantisedVectors;
use super::{IndexBuilder, SECTION_FIELDS};
use crate::analysis::ANALYZER_VERSION;
use crate::format::codec::{StringsWriter, crc32, put_streams, put_text, put_varint, shared_prefix, to_u32};
use crate::format::semantic::{
    ClusterToWrite, checksum_bytes, first_page_bytes, write_clusters, write_rows, write_semantic,
    write_vectors,
};
use crate::format::terms::TermWriter;
use crate::format::words::WordWriter;
use crate::format::{FORMAT_VERSION, FileId, FileKind, HEADER_BYTES, MAGIC, names, part, texts};

/// How an index is cut into files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// Small sites have everything that finds words inside of the core; what is answered is the same.
    Auto,
    /// Everything is in the core.
    OneFile,
    /// The core holds only what every query needs.
    Sharded,
}

/// A file of an index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexFile {
    /// Its name, with the checksum of its bytes: `t12.9f3a0c11.bin`.
    pub name: String,
    /// What it holds.
    pub bytes: Vec<u8>,
}

/// Up to so many raw bytes, one file costs less than several: it is some 25 kB when it is compressed.
const ONE_FILE: usize = 72 * 1024;
/// The commonest words, which short beginnings are completed from.
const COMMON_WORDS: usize = 1024;
/// Raw bytes of a file of words, and of texts.
const WORD_BYTES: usize = 5 * 1024;
const TEXT_BYTES: usize = 3 * 1024;
/// Pages in a file of names.
const PAGES_PER_FILE: usize = 8;
/// Rows in a file of the query table.
const ROWS_PER_FILE: usize = 24;
/// Sections and pages after which a file of vectors ends.
const VECTORS_PER_FILE: usize = 24;
const VECTOR_PAGES_PER_FILE: usize = 3;

/// How large files are.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Sizes {
    term_bytes: usize,
    word_bytes: usize,
    text_bytes: usize,
    pages_per_file: usize,
    /// Which files are inside of the core.
    is_lexical_inside: bool,
    is_semantic_inside: bool,
}

/// The files of an index, for the next one: each with what it was made from.
#[derive(Debug, Clone, Default)]
pub(super) struct KeptFiles {
    sizes: Option<Sizes>,
    terms: Cuts,
    words: Cuts,
    common_words: Option<(Vec<Item>, Content)>,
    /// By their first pages.
    names: FxHashMap<usize, OfPages>,
    texts: FxHashMap<usize, OfPages>,
}

/// Files with neighbouring terms or words, by the numbers of the first ones.
type Cuts = FxHashMap<u32, KeptCut>;

/// The number of a term or word, and how common it is.
type Item = (u32, u8);

#[derive(Debug, Clone)]
struct KeptCut {
    items: Vec<Item>,
    /// The one before them.
    before: Option<u32>,
    /// As the writer counts.
    length: usize,
    cut: Cut,
}

/// A file with neighbouring pages.
#[derive(Debug, Clone)]
struct OfPages {
    end: usize,
    first_section: u32,
    content: Content,
}

/// The bytes of a file, with their checksum.
#[derive(Debug, Clone)]
struct Content {
    bytes: Vec<u8>,
    checksum: u32,
}

impl Content {
    fn new(bytes: Vec<u8>) -> Self {
        let checksum = crc32fast::hash(&bytes);
        Self { bytes, checksum }
    }
}

impl IndexBuilder {
    /// The index as files, the core first.
    pub fn finish(&mut self, layout: Layout) -> Vec<IndexFile> {
        self.settle();
        self.lexicon.put_in_order();
        match self.kept.take() {
            None => self.files(layout, &mut Postings::default(), &mut KeptFiles::default()),
            Some(mut kept) => {
                let files = self.files(layout, &mut kept.postings, &mut kept.files);
                self.kept = Some(kept);
                files
            }
        }
    }

    fn files(&self, layout: Layout, postings: &mut Postings, kept: &mut KeptFiles) -> Vec<IndexFile> {
        let (levels, changes) = postings.update(self);
        let mut files = Files::default();
        let terms = postings.sorted(&self.lexicon);
        let sizes = self.sizes(layout, terms.len());
        if kept.sizes.as_ref() != Some(&sizes) {
            *kept = KeptFiles::default();
        }
        let term_files = cut_terms(&terms, &self.lexicon, postings, &mut kept.terms, sizes.term_bytes);
        let term_part = files.directory(FileKind::Terms, term_files);
        let forms = self.lexicon.sorted_forms();
        let word_part = {
            let common = common_words(&forms, &self.lexicon, &mut kept.common_words);
            let words = cut_words(&forms, &self.lexicon, &mut kept.words, sizes.word_bytes);
            files.directory(FileKind::Words, [common].into_iter().chain(words))
        };
        let names_part = self.cut_names(&mut files, &mut kept.names, &changes, sizes.pages_per_file);
        let text_part = self.cut_texts(&mut files, &mut kept.texts, &changes, sizes.text_bytes);
        let semantic_part = match &self.vectors {
            Some(vectors) => self.cut_vectors(&mut files, vectors),
            None => Vec::new(),
        };
        // `s0` says which rows and vectors there are, so it comes before them.
        files.files.sort_by_key(|(id, _)| *id);
        let is_inside = |id: &FileId| {
            if matches!(id.kind, FileKind::Semantic | FileKind::Rows | FileKind::Vectors) {
                sizes.is_semantic_inside
            } else {
                sizes.is_lexical_inside
            }
        };
        let (inside, outside): (Vec<_>, Vec<_>) = files.files.into_iter().partition(|(id, _)| is_inside(id));
        let mut inner_part = Vec::new();
        for (id, file) in inside {
            inner_part.push(id.kind as u8);
            put_varint(&mut inner_part, id.number);
            put_varint(&mut inner_part, to_u32(file.bytes.len()));
            inner_part.extend(file.bytes);
        }
        let core = assemble(&[
            (
                part::COUNTS,
                self.counts(terms.len(), forms.len(), sizes.pages_per_file),
            ),
            (part::WEIGHTS, self.weights.write()),
            (part::TABLES, tables(&levels)),
            (part::FOLDERS, folders(&self.folders)),
            (part::TERMS, term_part),
            (part::WORDS, word_part),
            (part::NAMES, names_part),
            (part::TEXTS, text_part),
            (part::SEMANTIC, semantic_part),
            (part::FILES, inner_part),
        ]);
        let core = IndexFile {
            name: format!("core.{:08x}.bin", crc32fast::hash(&core)),
            bytes: core,
        };
        kept.sizes = Some(sizes);
        [core]
            .into_iter()
            .chain(outside.into_iter().map(|(_, file)| file))
            .collect()
    }

    fn sizes(&self, layout: Layout, term_count: usize) -> Sizes {
        let postings: usize = self.pages.iter().map(|page| page.words.postings()).sum();
        let term_bytes = 12 * term_count + 3 * postings;
        let texts = self.pages.iter().flat_map(|page| &page.shown_texts);
        let text_bytes: usize = texts.map(|(_, text)| text.len()).sum();
        let all_bytes = term_bytes + text_bytes + self.section_count * (16 + SECTION_FIELDS);
        let is_small = all_bytes <= ONE_FILE;
        match layout {
            Layout::OneFile => Sizes::whole(true),
            Layout::Auto if is_small => Sizes::whole(false),
            Layout::Auto | Layout::Sharded => Sizes {
                // Small files waste less when a query needs a part of them, large ones need fewer entries in the core.
                term_bytes: (3 * term_bytes.isqrt()).clamp(3 * 1024, 8 * 1024),
                word_bytes: WORD_BYTES,
                text_bytes: TEXT_BYTES,
                pages_per_file: PAGES_PER_FILE,
                is_lexical_inside: false,
                is_semantic_inside: false,
            },
        }
    }

    fn counts(&self, terms: usize, words: usize, pages_per_file: usize) -> Vec<u8> {
        let counts = [self.pages.len(), self.section_count, terms, words, pages_per_file];
        let mut bytes = Vec::new();
        counts
            .into_iter()
            .for_each(|count| put_varint(&mut bytes, to_u32(count)));
        bytes
    }

    /// Where the sections of a page end.
    fn end_of_sections(&self, page: usize) -> usize {
        self.pages[page].first_section as usize + self.pages[page].names.sections.len()
    }

    fn cut_names(
        &self,
        files: &mut Files,
        kept: &mut FxHashMap<usize, OfPages>,
        changes: &Changes,
        pages_per_file: usize,
    ) -> Vec<u8> {
        let mut part = Vec::new();
        for first in (0..self.pages.len()).step_by(pages_per_file) {
            let end = self.pages.len().min(first.saturating_add(pages_per_file));
            let first_section = self.pages[first].first_section;
            let known = kept
                .remove(&first)
                .filter(|known| known.end == end && known.first_section == first_section);
            let file = unless_touched(known, first, changes).unwrap_or_else(|| {
                let pages = self.pages[first..end].iter().map(|page| &page.names);
                OfPages {
                    end,
                    first_section,
                    content: Content::new(names::write(first_section, pages)),
                }
            });
            part.extend(files.push(FileKind::Names, &file.content).to_le_bytes());
            kept.insert(first, file);
        }
        part
    }

    fn cut_texts(
        &self,
        files: &mut Files,
        kept: &mut FxHashMap<usize, OfPages>,
        changes: &Changes,
        most: usize,
    ) -> Vec<u8> {
        let mut earlier = std::mem::take(kept);
        let (mut first_pages, mut checksums) = (Vec::new(), Vec::new());
        let has_text = |page: &usize| !self.pages[*page].shown_texts.is_empty();
        let mut next = 0;
        while let Some(first) = (next..self.pages.len()).find(has_text) {
            let known = earlier
                .remove(&first)
                .filter(|known| known.end <= self.pages.len());
            let file = unless_touched(known, first, changes).unwrap_or_else(|| {
                let mut bytes = 0;
                let is_full = |page: &usize| {
                    let texts = self.pages[*page].shown_texts.iter();
                    bytes += texts.map(|(_, text)| text.len()).sum::<usize>();
                    bytes >= most
                };
                let last = (first..self.pages.len()).find(is_full);
                let end = last.map_or(self.pages.len(), |last| last + 1);
                OfPages {
                    end,
                    first_section: self.pages[first].first_section,
                    content: Content::new(texts::write(&self.shown_texts(first..end))),
                }
            });
            first_pages.push(to_u32(first));
            checksums.push(files.push(FileKind::Texts, &file.content));
            next = file.end;
            // One that ends where there are no more pages would take others.
            if file.end < self.pages.len() {
                kept.insert(first, file);
            }
        }
        let mut part = Vec::new();
        put_streams(
            &mut part,
            &[first_page_bytes(&first_pages), checksum_bytes(&checksums)],
        );
        part
    }

    /// The texts that pages are shown by: page, section of the page, text.
    fn shown_texts(&self, pages: Range<usize>) -> Vec<(u32, u32, &str)> {
        let texts = pages.flat_map(|page| {
            let texts = self.pages[page].shown_texts.iter();
            texts.map(move |(ordinal, text)| (to_u32(page), *ordinal, text.as_str()))
        });
        texts.collect()
    }

    fn cut_vectors(&self, files: &mut Files, vectors: &QuantisedVectors) -> Vec<u8> {
        let rows = vectors.table.rows.chunks(ROWS_PER_FILE);
        let row_checksums: Vec<u32> = rows
            .map(|rows| files.put(FileKind::Rows, write_rows(rows)))
            .collect();
        let (mut first_pages, mut vector_checksums) = (Vec::new(), Vec::new());
        let mut of_file: Vec<(u32, Vec<Vec<i8>>)> = Vec::new();
        let mut count = 0;
        for (page_id, page) in self.pages.iter().enumerate() {
            let rows = &vectors.sections[page.first_section as usize..self.end_of_sections(page_id)];
            count += rows.len();
            of_file.push((to_u32(page_id), rows.to_vec()));
            let is_last = page_id + 1 == self.pages.len();
            if count >= VECTORS_PER_FILE || of_file.len() >= VECTOR_PAGES_PER_FILE || is_last {
                first_pages.push(of_file[0].0);
                vector_checksums.push(files.put(FileKind::Vectors, write_vectors(&of_file)));
                of_file.clear();
                count = 0;
            }
        }
        let mut pieces: Vec<(&str, u16)> = vectors.pieces.iter().map(String::as_str).zip(0..).collect();
        pieces.sort_unstable();
        pieces.dedup_by(|later, earlier| later.0 == earlier.0);
        let semantic = write_semantic(
            &pieces,
            to_u32(ROWS_PER_FILE),
            &first_pages,
            &vector_checksums,
            &row_checksums,
        );
        let place = |section: &u32| {
            let after = self.pages.partition_point(|page| page.first_section <= *section);
            let page = after - 1;
            (to_u32(page), section - self.pages[page].first_section)
        };
        let clusters: Vec<ClusterToWrite> = vectors
            .clusters
            .iter()
            .map(|(centre, sections)| (centre.clone(), sections.iter().map(place).collect()))
            .collect();
        let mut part = Vec::new();
        put_text(&mut part, &vectors.embedder);
        put_varint(&mut part, to_u32(vectors.dimensions));
        let checksums = [
            files.put(FileKind::Semantic, semantic),
            files.put(FileKind::Semantic, write_clusters(&clusters)),
        ];
        part.extend(checksum_bytes(&checksums));
        part
    }
}

impl Sizes {
    /// One file of each kind, all inside of the core.
    fn whole(is_semantic_inside: bool) -> Self {
        Self {
            term_bytes: usize::MAX,
            word_bytes: usize::MAX,
            text_bytes: usize::MAX,
            pages_per_file: u32::MAX as usize,
            is_lexical_inside: true,
            is_semantic_inside,
        }
    }
}

/// The files so far.
#[derive(Default)]
struct Files {
    files: Vec<(FileId, IndexFile)>,
}

impl Files {
    /// Adds the next file of a kind; gives its checksum.
    fn put(&mut self, kind: FileKind, bytes: Vec<u8>) -> u32 {
        self.add(kind, Content::new(bytes))
    }

    /// The same of a file that is kept.
    fn push(&mut self, kind: FileKind, content: &Content) -> u32 {
        self.add(kind, content.clone())
    }

    fn add(&mut self, kind: FileKind, Content { bytes, checksum }: Content) -> u32 {
        let number = self.files.iter().rev().find(|(id, _)| id.kind == kind);
        let id = FileId::new(kind, number.map_or(0, |(id, _)| id.number + 1));
        let name = id.name(checksum);
        self.files.push((id, IndexFile { name, bytes }));
        checksum
    }

    /// Adds files; gives the part of the core that says which keys they begin with.
    fn directory(&mut self, kind: FileKind, files: impl IntoIterator<Item = Cut>) -> Vec<u8> {
        let mut keys = StringsWriter::default();
        let (mut count, mut checksums) = (0, Vec::new());
        for file in files {
            if let Some(key) = file.first_key {
                keys.push(&key);
                count += 1;
            }
            checksums.push(self.add(kind, file.content));
        }
        let mut part = Vec::new();
        put_varint(&mut part, count);
        let streams: Vec<Vec<u8>> = keys
            .finish()
            .into_iter()
            .chain([checksum_bytes(&checksums)])
            .collect();
        put_streams(&mut part, &streams);
        part
    }
}

/// A file and what it begins with.
#[derive(Debug, Clone)]
struct Cut {
    first_key: Option<String>,
    content: Content,
}

/// A file from `first` on, unless one of its pages is another now.
fn unless_touched(known: Option<OfPages>, first: usize, changes: &Changes) -> Option<OfPages> {
    known.filter(|known| !changes.touch(first..known.end))
}

/// What cuts terms or words into files.
trait Cutter {
    /// The term or word of a number.
    fn text(&self, number: u32) -> &str;

    /// Whether it is written as it was for the index before.
    fn is_same(&self, number: u32) -> bool;

    /// Whether a file of a length ends in front of it.
    fn is_full(&self, length: usize, number: u32) -> bool;

    /// Writes as many as a file takes: how many, their length, the file.
    fn write(&self, items: &[Item]) -> (usize, usize, Vec<u8>);
}

/// Cuts items into files. A file is kept if it would be made of the same items; where it ends depends on them and on the next one.
fn cut(items: &[Item], cutter: &impl Cutter, kept: &mut Cuts) -> Vec<Cut> {
    let mut earlier = std::mem::take(kept);
    let mut cuts = Vec::new();
    let mut next = 0;
    while next < items.len() {
        let before = next.checked_sub(1).map(|before| items[before].0);
        let rest = &items[next..];
        let is_same = |known: &KeptCut| {
            known.before == before
                && rest.starts_with(&known.items)
                && known.items.iter().all(|(number, _)| cutter.is_same(*number))
                && rest
                    .get(known.items.len())
                    .is_none_or(|(after, _)| cutter.is_full(known.length, *after))
        };
        let (first, _) = rest[0];
        let file = earlier.remove(&first).filter(is_same).unwrap_or_else(|| {
            let (count, length, bytes) = cutter.write(rest);
            let previous = before.map_or("", |before| cutter.text(before));
            KeptCut {
                items: rest[..count].to_vec(),
                before,
                length,
                cut: Cut {
                    first_key: Some(separator(previous, cutter.text(first))),
                    content: Content::new(bytes),
                },
            }
        });
        next += file.items.len();
        cuts.push(file.cut.clone());
        kept.insert(first, file);
    }
    cuts
}

struct TermCutter<'p> {
    lexicon: &'p Lexicon,
    postings: &'p Postings,
    most: usize,
}

impl Cutter for TermCutter<'_> {
    fn text(&self, number: u32) -> &str {
        self.lexicon.term(number)
    }

    fn is_same(&self, number: u32) -> bool {
        !self.postings.has_changed(number)
    }

    /// A long list of pages stands alone rather than to be loaded with every neighbour.
    fn is_full(&self, length: usize, number: u32) -> bool {
        let (_, pages) = self.postings.of(number);
        length > 0 && length + TermWriter::estimate(pages) > self.most
    }

    fn write(&self, items: &[Item]) -> (usize, usize, Vec<u8>) {
        let mut writer = TermWriter::default();
        let mut count = 0;
        for (number, _) in items {
            if self.is_full(writer.len(), *number) {
                break;
            }
            let (class, pages) = self.postings.of(*number);
            writer.push(self.lexicon.term(*number), class, pages);
            count += 1;
        }
        (count, writer.len(), writer.finish())
    }
}

fn cut_terms(
    terms: &[u32],
    lexicon: &Lexicon,
    postings: &Postings,
    kept: &mut Cuts,
    most: usize,
) -> Vec<Cut> {
    let items: Vec<Item> = terms.iter().map(|term| (*term, 0)).collect();
    let cutter = TermCutter {
        lexicon,
        postings,
        most,
    };
    cut(&items, &cutter, kept)
}

struct WordCutter<'l> {
    lexicon: &'l Lexicon,
    most: usize,
}

impl Cutter for WordCutter<'_> {
    fn text(&self, number: u32) -> &str {
        self.lexicon.form(number)
    }

    fn is_same(&self, _: u32) -> bool {
        true
    }

    fn is_full(&self, length: usize, _: u32) -> bool {
        length >= self.most
    }

    fn write(&self, items: &[Item]) -> (usize, usize, Vec<u8>) {
        let mut writer = WordWriter::default();
        let mut count = 0;
        for (number, level) in items {
            if self.is_full(writer.len(), *number) {
                break;
            }
            writer.push(self.lexicon.form(*number), *level);
            count += 1;
        }
        (count, writer.len(), writer.finish())
    }
}

fn cut_words(forms: &[(u32, u32)], lexicon: &Lexicon, kept: &mut Cuts, most: usize) -> Vec<Cut> {
    let items: Vec<Item> = forms.iter().map(with_level).collect();
    cut(&items, &WordCutter { lexicon, most }, kept)
}

/// The file of the commonest words.
fn common_words(forms: &[(u32, u32)], lexicon: &Lexicon, kept: &mut Option<(Vec<Item>, Content)>) -> Cut {
    // They are in the order of the words: of those that are as common as each other the first ones stay.
    let mut places: Vec<usize> = (0..forms.len()).collect();
    if places.len() > COMMON_WORDS {
        let commonest = |place: &usize| (std::cmp::Reverse(forms[*place].1), *place);
        places.select_nth_unstable_by_key(COMMON_WORDS, commonest);
        places.truncate(COMMON_WORDS);
        places.sort_unstable();
    }
    let items: Vec<Item> = places
        .into_iter()
        .map(|place| with_level(&forms[place]))
        .collect();
    let known = kept.take().filter(|(known, _)| *known == items);
    let (items, content) = known.unwrap_or_else(|| {
        let most = usize::MAX;
        let (_, _, bytes) = WordCutter { lexicon, most }.write(&items);
        (items, Content::new(bytes))
    });
    let cut = Cut {
        first_key: None,
        content: content.clone(),
    };
    *kept = Some((items, content));
    cut
}

fn with_level((form, uses): &(u32, u32)) -> Item {
    (*form, uses.max(&1).ilog2() as u8)
}

/// The shortest beginning of a word that is after the word before it.
fn separator(previous: &str, word: &str) -> String {
    let shared = shared_prefix(previous, word, usize::MAX);
    let next = word[shared..].chars().next().map_or(0, char::len_utf8);
    word[..shared + next].to_owned()
}

fn tables(levels: &Levels) -> Vec<u8> {
    let mut bytes = Vec::new();
    for table in [&levels.idf, &levels.page, &levels.section, &levels.whole] {
        put_varint(&mut bytes, to_u32(table.len()));
        bytes.extend(table.iter().flat_map(|value| value.to_bits().to_le_bytes()));
    }
    bytes
}

fn folders(folders: &[String]) -> Vec<u8> {
    let mut bytes = Vec::new();
    put_varint(&mut bytes, to_u32(folders.len()));
    folders.iter().for_each(|folder| put_text(&mut bytes, folder));
    bytes
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
