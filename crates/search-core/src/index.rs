//! An opened index: the core, and the files that were loaded so far.

use crate::format::names::NameFile;
use crate::format::semantic::{ClusterFile, RowFile, SemanticFile, VectorFile};
use crate::format::terms::{Postings, TermFile};
use crate::format::texts::TextFile;
use crate::format::words::WordFile;
use crate::format::{Core, FileId, FileKind, FormatError, FormatErrorKind, crc32};
use crate::order::sort_by;

/// An opened index.
///
/// Only the core is there from the start. What a query needs beside it is said by [`Step::Needs`]; who holds the index fetches
/// these files, gives them to [`Index::load`] and asks again. Nothing of a question is kept between two calls.
#[derive(Debug, Clone)]
pub struct Index {
    pub(crate) core: Core,
    shelves: [Vec<Slot>; FileKind::ALL.len()],
    /// Counts the questions, for knowing what was not needed for long.
    clock: u64,
}

/// An answer, or what is missing for it.
#[derive(Debug, Clone, PartialEq)]
pub enum Step<T> {
    /// The answer.
    Ready(T),
    /// Names of files to load before the same question is asked again.
    Needs(Vec<String>),
}

impl<T> Step<T> {
    /// The answer, if nothing is missing.
    pub fn ready(self) -> Option<T> {
        match self {
            Self::Ready(answer) => Some(answer),
            Self::Needs(_) => None,
        }
    }
}

/// A place for a file.
#[derive(Debug, Clone)]
struct Slot {
    checksum: u32,
    content: Option<Content>,
    /// Part of the core: never dropped.
    is_inner: bool,
    used: u64,
}

#[derive(Debug, Clone)]
enum Content {
    Terms(TermFile),
    Words(WordFile),
    Names(NameFile),
    Texts(TextFile),
    Semantic(SemanticFile),
    Clusters(ClusterFile),
    Rows(RowFile),
    Vectors(VectorFile),
}

impl Index {
    /// Reads a core; refuses bytes that are not one, are of another version, or are damaged.
    pub fn open(core: &[u8]) -> Result<Self, FormatError> {
        let (parsed, files) = Core::read(core)?;
        let shelves = parsed.checksums.clone().map(|checksums| slots(&checksums));
        let mut index = Self {
            core: parsed,
            shelves,
            clock: 0,
        };
        for (id, range) in files {
            index.put(id, &core[range], true)?;
        }
        Ok(index)
    }

    /// Reads a file of this index. Its name says which one it is and must be one that the index knows.
    pub fn load(&mut self, name: &str, bytes: &[u8]) -> Result<(), FormatError> {
        let unknown = FormatError::new(FormatErrorKind::UnknownFile, "", 0, 0);
        let id = self.id_of(name).ok_or(unknown)?;
        self.put(id, bytes, false)
    }

    /// How many sections can be found.
    pub fn section_count(&self) -> usize {
        self.core.counts.sections as usize
    }

    /// How many pages they belong to.
    pub fn page_count(&self) -> usize {
        self.core.counts.pages as usize
    }

    /// How many different terms there are.
    pub fn term_count(&self) -> usize {
        self.core.counts.terms as usize
    }

    /// Whether there is a second, semantic stage.
    pub fn has_vectors(&self) -> bool {
        self.core.semantic.is_some()
    }

    /// What made the vectors, if there are any.
    pub fn embedder(&self) -> Option<&str> {
        self.core.semantic.as_ref().map(|head| head.embedder.as_str())
    }

    /// The names of all files beside the core, by kind. Those of rows and vectors are known once `s0` is loaded.
    pub fn file_names(&self) -> Vec<(FileKind, Vec<String>)> {
        let names = |kind: FileKind| {
            let slots = self.shelves[kind as usize].iter().enumerate();
            let outside = slots.filter(|(_, slot)| !slot.is_inner);
            outside
                .map(|(number, slot)| FileId::new(kind, number as u32).name(slot.checksum))
                .collect()
        };
        FileKind::ALL.map(|kind| (kind, names(kind))).into()
    }

    /// Drops files that were not needed for the longest time until the others take at most so many bytes of memory.
    /// The core stays, whatever it takes.
    pub fn keep_at_most(&mut self, bytes: usize) {
        let mut loaded: Vec<(u64, FileId, usize)> = Vec::new();
        for kind in FileKind::ALL {
            for (number, slot) in self.shelves[kind as usize].iter().enumerate() {
                if let Some(content) = slot.content.as_ref().filter(|_| !slot.is_inner) {
                    loaded.push((slot.used, FileId::new(kind, number as u32), content.memory()));
                }
            }
        }
        sort_by(&mut loaded, |(used, id, _), (other_used, other, _)| {
            other_used.cmp(used).then(id.cmp(other))
        });
        let mut kept = 0usize;
        for (_, id, memory) in loaded {
            kept = kept.saturating_add(memory);
            if kept > bytes {
                self.shelves[id.kind as usize][id.number as usize].content = None;
            }
        }
    }

    /// Asks a question of the loaded files.
    pub(crate) fn ask<'i, T>(&'i self, question: impl FnOnce(&mut Reading<'i>) -> Option<T>) -> Asked<T> {
        let mut reading = Reading {
            index: self,
            used: Vec::new(),
            missing: Vec::new(),
        };
        let answer = question(&mut reading);
        Asked {
            answer,
            used: reading.used,
            missing: reading.missing,
        }
    }

    /// Remembers what a question needed; gives its answer.
    pub(crate) fn note<T: Default>(&mut self, asked: Asked<T>) -> Step<T> {
        let Asked {
            answer,
            used,
            mut missing,
        } = asked;
        self.clock += 1;
        for id in used {
            self.shelves[id.kind as usize][id.number as usize].used = self.clock;
        }
        sort_by(&mut missing, FileId::cmp);
        missing.dedup();
        match answer {
            Some(answer) => Step::Ready(answer),
            None if missing.is_empty() => Step::Ready(T::default()),
            None => {
                let name = |id: FileId| id.name(self.shelves[id.kind as usize][id.number as usize].checksum);
                Step::Needs(missing.into_iter().map(name).collect())
            }
        }
    }

    fn put(&mut self, id: FileId, bytes: &[u8], is_inner: bool) -> Result<(), FormatError> {
        let unknown = FormatError::new(FormatErrorKind::UnknownFile, "", 0, 0);
        let slot = self.shelves[id.kind as usize].get(id.number as usize);
        let wanted = slot.ok_or(unknown)?.checksum;
        let found = crc32([bytes, &[]]);
        // A fuzzer could not get behind this.
        if found != wanted && !cfg!(fuzzing) {
            let kind = FormatErrorKind::ChecksumMismatch;
            return Err(FormatError::new(kind, "the checksum of a file", wanted, found));
        }
        let content = self
            .read(id, bytes)
            .ok_or(FormatError::corrupt("a file beside the core"))?;
        if let Content::Semantic(semantic) = &content {
            // Slots that are there already may hold files.
            for (kind, checksums) in [
                (FileKind::Rows, &semantic.row_checksums),
                (FileKind::Vectors, &semantic.vector_checksums),
            ] {
                let shelf = &mut self.shelves[kind as usize];
                if shelf.is_empty() {
                    *shelf = slots(checksums);
                }
            }
        }
        self.clock += 1;
        let used = self.clock;
        self.shelves[id.kind as usize][id.number as usize] = Slot {
            checksum: wanted,
            content: Some(content),
            is_inner,
            used,
        };
        Ok(())
    }

    fn read(&self, id: FileId, bytes: &[u8]) -> Option<Content> {
        let pages = self.core.counts.pages;
        let dimensions = self.core.semantic.as_ref().map_or(0, |head| head.dimensions);
        Some(match id.kind {
            FileKind::Terms => Content::Terms(TermFile::read(bytes, pages)?),
            FileKind::Words => Content::Words(WordFile::read(bytes)?),
            FileKind::Names => {
                let names = NameFile::read(bytes, self.core.folders.len())?;
                let first_page = id.number * self.core.counts.pages_per_file;
                let expected = (pages - first_page).min(self.core.counts.pages_per_file);
                Content::Names((names.len() == expected as usize).then_some(names)?)
            }
            FileKind::Texts => Content::Texts(TextFile::read(bytes)?),
            FileKind::Semantic if id.number == 0 => Content::Semantic(SemanticFile::read(bytes, pages)?),
            FileKind::Semantic => Content::Clusters(ClusterFile::read(bytes, dimensions, pages)?),
            FileKind::Rows => Content::Rows(RowFile::read(bytes, dimensions)?),
            FileKind::Vectors => Content::Vectors(VectorFile::read(bytes, dimensions)?),
        })
    }

    fn id_of(&self, name: &str) -> Option<FileId> {
        let kind = FileKind::ALL
            .into_iter()
            .find(|kind| name.starts_with(kind.letter()))?;
        let (number, _) = name[1..].split_once('.')?;
        let id = FileId::new(kind, number.parse().ok()?);
        let slot = self.shelves[kind as usize].get(id.number as usize)?;
        (name == id.name(slot.checksum)).then_some(id)
    }
}

fn slots(checksums: &[u32]) -> Vec<Slot> {
    let slot = |checksum: &u32| Slot {
        checksum: *checksum,
        content: None,
        is_inner: false,
        used: 0,
    };
    checksums.iter().map(slot).collect()
}

impl Content {
    fn memory(&self) -> usize {
        match self {
            Self::Terms(file) => file.memory(),
            Self::Words(file) => file.memory(),
            Self::Names(file) => file.memory(),
            Self::Texts(file) => file.memory(),
            Self::Semantic(file) => file.memory(),
            Self::Clusters(file) => file.memory(),
            Self::Rows(file) => file.memory(),
            Self::Vectors(file) => file.memory(),
        }
    }
}

/// What became of a question.
pub(crate) struct Asked<T> {
    answer: Option<T>,
    used: Vec<FileId>,
    missing: Vec<FileId>,
}

/// The files of an index while a question is answered: what was looked at, and what was not there.
pub(crate) struct Reading<'i> {
    pub(crate) index: &'i Index,
    used: Vec<FileId>,
    missing: Vec<FileId>,
}

impl<'i> Reading<'i> {
    /// Nothing if a file was missing so far: the question cannot be answered before it is there.
    pub(crate) fn complete(&self) -> Option<()> {
        self.missing.is_empty().then_some(())
    }

    /// The postings of a term; the outer nothing means that a file is missing, the inner one that there is no such term.
    pub(crate) fn postings(&mut self, term: &str) -> Option<Option<Postings<'i>>> {
        let keys = &self.index.core.terms;
        if keys.len() == 0 {
            return Some(None);
        }
        match self.get(FileKind::Terms, Core::file_of(keys, term))? {
            Content::Terms(file) => Some(file.find(term)),
            _ => Some(None),
        }
    }

    /// The commonest words.
    pub(crate) fn common_words(&mut self) -> Option<&'i WordFile> {
        self.words(0)
    }

    /// The files that hold the words with this beginning, if they are all there.
    pub(crate) fn words_beginning_with(&mut self, beginning: &str) -> Option<Vec<&'i WordFile>> {
        let keys = &self.index.core.words;
        if keys.len() == 0 {
            return Some(Vec::new());
        }
        let first = Core::file_of(keys, beginning);
        let is_in_range = |file: &usize| *file == first || keys.get(*file).starts_with(beginning);
        let files = (first..keys.len()).take_while(is_in_range);
        let files: Vec<Option<&WordFile>> = files.map(|file| self.words(file + 1)).collect();
        files.into_iter().collect()
    }

    /// Whether somebody wrote this word.
    pub(crate) fn has_word(&mut self, form: &str) -> Option<bool> {
        let keys = &self.index.core.words;
        if keys.len() == 0 {
            return Some(false);
        }
        Some(self.words(Core::file_of(keys, form) + 1)?.has(form))
    }

    /// The names of a page: the file, and which of its pages it is.
    pub(crate) fn names(&mut self, page: u32) -> Option<(&'i NameFile, usize)> {
        let per_file = self.index.core.counts.pages_per_file;
        match self.get(FileKind::Names, (page / per_file) as usize)? {
            Content::Names(file) => Some((file, (page % per_file) as usize)),
            _ => None,
        }
    }

    /// The text of a section, empty if it has none.
    pub(crate) fn text(&mut self, page: u32, ordinal: u32) -> Option<&'i str> {
        let file = self
            .index
            .core
            .texts
            .partition_point(|first_page| *first_page <= page);
        if file == 0 {
            return Some("");
        }
        match self.get(FileKind::Texts, file - 1)? {
            Content::Texts(file) => Some(file.get(page, ordinal).unwrap_or_default()),
            _ => Some(""),
        }
    }

    pub(crate) fn semantic(&mut self) -> Option<&'i SemanticFile> {
        match self.get(FileKind::Semantic, 0)? {
            Content::Semantic(file) => Some(file),
            _ => None,
        }
    }

    pub(crate) fn clusters(&mut self) -> Option<&'i ClusterFile> {
        match self.get(FileKind::Semantic, 1)? {
            Content::Clusters(file) => Some(file),
            _ => None,
        }
    }

    pub(crate) fn rows(&mut self, file: u32) -> Option<&'i RowFile> {
        match self.get(FileKind::Rows, file as usize)? {
            Content::Rows(file) => Some(file),
            _ => None,
        }
    }

    pub(crate) fn vectors(&mut self, file: usize) -> Option<&'i VectorFile> {
        match self.get(FileKind::Vectors, file)? {
            Content::Vectors(file) => Some(file),
            _ => None,
        }
    }

    fn words(&mut self, file: usize) -> Option<&'i WordFile> {
        match self.get(FileKind::Words, file)? {
            Content::Words(file) => Some(file),
            _ => None,
        }
    }

    fn get(&mut self, kind: FileKind, number: usize) -> Option<&'i Content> {
        let slot = self.index.shelves[kind as usize].get(number)?;
        let id = FileId::new(kind, number as u32);
        if slot.content.is_some() {
            self.used.push(id);
        } else {
            self.missing.push(id);
        }
        slot.content.as_ref()
    }
}
