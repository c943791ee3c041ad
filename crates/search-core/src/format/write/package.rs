//! Cutting an index into files.

use super::lexicon::TermEntry;
use super::postings::{Impacts, KeptPostings, Levels};
use super::vectors::QuantisedVectors;
use super::{IndexBuilder, Kept, SECTION_FIELDS};
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
struct Sizes {
    term_bytes: usize,
    word_bytes: usize,
    text_bytes: usize,
    pages_per_file: usize,
    /// Which files are inside of the core.
    is_lexical_inside: bool,
    is_semantic_inside: bool,
}

impl IndexBuilder {
    /// The index as files, the core first.
    pub fn finish(&mut self, layout: Layout) -> Vec<IndexFile> {
        self.lexicon.put_in_order();
        match self.kept.take() {
            None => self.files(layout, None),
            Some(mut kept) => {
                let files = self.files(layout, Some(&mut kept));
                self.kept = Some(kept);
                files
            }
        }
    }

    fn files(&self, layout: Layout, kept: Option<&mut Kept>) -> Vec<IndexFile> {
        let mut files = Files::default();
        let terms = self.lexicon.sorted();
        let sizes = self.sizes(layout, &terms);
        let impacts = Impacts::new(self, &terms);
        let known = kept.map(|kept| {
            kept.forget_others(&impacts);
            &mut kept.postings
        });
        let term_files = cut_terms(&terms, &impacts, known, sizes.term_bytes);
        let term_part = files.directory(FileKind::Terms, term_files);
        let forms = self.lexicon.sorted_forms();
        let word_part = files.directory(FileKind::Words, cut_words(&forms, sizes.word_bytes));
        let mut names_part = Vec::new();
        for first in (0..self.pages.len()).step_by(sizes.pages_per_file) {
            let pages = &self.pages[first..self.pages.len().min(first + sizes.pages_per_file)];
            let first_section = pages[0].first_section as usize;
            let bytes = names::write(first_section, pages.iter().map(|page| &page.names));
            names_part.extend(files.push(FileKind::Names, bytes).to_le_bytes());
        }
        let text_part = self.cut_texts(&mut files, sizes.text_bytes);
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
            (part::TABLES, tables(&impacts.levels)),
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
        [core]
            .into_iter()
            .chain(outside.into_iter().map(|(_, file)| file))
            .collect()
    }

    fn sizes(&self, layout: Layout, terms: &[(u32, &TermEntry)]) -> Sizes {
        let postings = |(_, entry): &(u32, &TermEntry)| 12 + 3 * entry.pages.len() + 3 * entry.sections.len();
        let term_bytes: usize = terms.iter().map(postings).sum();
        let texts = self.sections.iter().map(|section| section.shown_text.len());
        let all_bytes = term_bytes + texts.sum::<usize>() + self.sections.len() * (16 + SECTION_FIELDS);
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
        let counts = [
            self.pages.len(),
            self.sections.len(),
            terms,
            words,
            pages_per_file,
        ];
        let mut bytes = Vec::new();
        counts
            .into_iter()
            .for_each(|count| put_varint(&mut bytes, to_u32(count)));
        bytes
    }

    fn cut_texts(&self, files: &mut Files, most: usize) -> Vec<u8> {
        let (mut first_pages, mut checksums) = (Vec::new(), Vec::new());
        let mut texts_of_file: Vec<(u32, u32, &str)> = Vec::new();
        let mut bytes = 0;
        for (page_id, page) in self.pages.iter().enumerate() {
            let first = page.first_section as usize;
            let sections = &self.sections[first..self.end_of_sections(page_id)];
            for (ordinal, section) in sections.iter().enumerate() {
                if !section.shown_text.is_empty() {
                    bytes += section.shown_text.len();
                    texts_of_file.push((to_u32(page_id), to_u32(ordinal), &section.shown_text));
                }
            }
            let is_last = page_id + 1 == self.pages.len();
            if let Some((first_page, ..)) = texts_of_file.first()
                && (bytes >= most || is_last)
            {
                first_pages.push(*first_page);
                checksums.push(files.push(FileKind::Texts, texts::write(&texts_of_file)));
                texts_of_file.clear();
                bytes = 0;
            }
        }
        let mut part = Vec::new();
        put_streams(
            &mut part,
            &[first_page_bytes(&first_pages), checksum_bytes(&checksums)],
        );
        part
    }

    fn cut_vectors(&self, files: &mut Files, vectors: &QuantisedVectors) -> Vec<u8> {
        let rows = vectors.table.rows.chunks(ROWS_PER_FILE);
        let row_checksums: Vec<u32> = rows
            .map(|rows| files.push(FileKind::Rows, write_rows(rows)))
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
                vector_checksums.push(files.push(FileKind::Vectors, write_vectors(&of_file)));
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
            let page = self.sections[*section as usize].page;
            (page, section - self.pages[page as usize].first_section)
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
            files.push(FileKind::Semantic, semantic),
            files.push(FileKind::Semantic, write_clusters(&clusters)),
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
    fn push(&mut self, kind: FileKind, bytes: Vec<u8>) -> u32 {
        let number = self.files.iter().rev().find(|(id, _)| id.kind == kind);
        let id = FileId::new(kind, number.map_or(0, |(id, _)| id.number + 1));
        let checksum = crc32fast::hash(&bytes);
        let name = id.name(checksum);
        self.files.push((id, IndexFile { name, bytes }));
        checksum
    }

    /// Adds files; gives the part of the core that says which keys they begin with.
    fn directory(&mut self, kind: FileKind, files: Vec<Cut>) -> Vec<u8> {
        let mut keys = StringsWriter::default();
        let (mut count, mut checksums) = (0, Vec::new());
        for file in files {
            if let Some(key) = file.first_key {
                keys.push(&key);
                count += 1;
            }
            checksums.push(self.push(kind, file.bytes));
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
struct Cut {
    first_key: Option<String>,
    bytes: Vec<u8>,
}

fn cut_terms(
    terms: &[(u32, &TermEntry)],
    impacts: &Impacts<'_>,
    mut known: Option<&mut KeptPostings>,
    most: usize,
) -> Vec<Cut> {
    let mut files = Vec::new();
    let mut writer = TermWriter::default();
    let mut first_key: Option<String> = None;
    let mut previous = "";
    for (id, entry) in terms {
        let computed;
        let term = match &mut known {
            Some(known) => known.of(*id, || impacts.term(entry)),
            None => {
                computed = impacts.term(entry);
                &computed
            }
        };
        // A long list of pages stands alone rather than to be loaded with every neighbour.
        let is_full = writer.len() > 0 && writer.len() + TermWriter::estimate(term) > most;
        if is_full {
            let bytes = std::mem::take(&mut writer).finish();
            files.push(Cut {
                first_key: first_key.take(),
                bytes,
            });
        }
        first_key.get_or_insert_with(|| separator(previous, &entry.term));
        writer.push(&entry.term, term);
        previous = &entry.term;
    }
    if first_key.is_some() {
        let bytes = writer.finish();
        files.push(Cut { first_key, bytes });
    }
    files
}

fn cut_words(forms: &[(&str, u32)], most: usize) -> Vec<Cut> {
    let mut common: Vec<(&str, u32)> = forms.to_vec();
    common.sort_unstable_by_key(|(form, uses)| (std::cmp::Reverse(*uses), *form));
    common.truncate(COMMON_WORDS);
    common.sort_unstable();
    let uses_level = |uses: u32| uses.max(1).ilog2() as u8;
    let mut writer = WordWriter::default();
    for (form, uses) in common {
        writer.push(form, uses_level(uses));
    }
    let bytes = std::mem::take(&mut writer).finish();
    let mut files = vec![Cut {
        first_key: None,
        bytes,
    }];
    let mut first_key: Option<String> = None;
    let mut previous = "";
    for (form, uses) in forms {
        if writer.len() >= most {
            let bytes = std::mem::take(&mut writer).finish();
            files.push(Cut {
                first_key: first_key.take(),
                bytes,
            });
        }
        first_key.get_or_insert_with(|| separator(previous, form));
        writer.push(form, uses_level(*uses));
        previous = form;
    }
    if first_key.is_some() {
        let bytes = writer.finish();
        files.push(Cut { first_key, bytes });
    }
    files
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
