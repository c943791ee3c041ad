//! The golden corpus, for every test that needs a real index, and asking an index for what it needs.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::OnceLock;

use search_core::analysis::{Level, analyze};
use search_core::{
    Alternatives, Answer, Index, IndexBuilder, IndexFile, Layout, Page, SearchOptions, Section, SectionHit,
    Step, Vectors,
};
use serde::Deserialize;

#[derive(Deserialize)]
pub(crate) struct PageFile {
    path: String,
    title: String,
    folder: String,
    description: String,
    aliases: Vec<String>,
    inbound_links: Vec<String>,
    sections: Vec<SectionFile>,
}

#[derive(Deserialize)]
struct SectionFile {
    anchor: String,
    headings: [String; 3],
    body: String,
    inbound_links: Vec<String>,
}

pub(crate) fn golden_folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden")
}

pub(crate) fn read(name: &str) -> String {
    let path = golden_folder().join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

pub(crate) fn queries() -> Vec<String> {
    serde_json::from_str(&read("queries.json")).expect("the queries are a list of texts")
}

pub(crate) fn pages() -> Vec<PageFile> {
    serde_json::from_str(&read("corpus.json")).expect("the corpus is JSON of this shape")
}

/// A builder with pages, and with vectors if that is wanted.
pub(crate) fn builder<'p>(pages: impl IntoIterator<Item = &'p PageFile>, has_vectors: bool) -> IndexBuilder {
    let pages: Vec<&PageFile> = pages.into_iter().collect();
    let mut builder = IndexBuilder::new();
    for page in &pages {
        let aliases = borrowed(&page.aliases);
        let links = borrowed(&page.inbound_links);
        let section_links: Vec<Vec<&str>> = page
            .sections
            .iter()
            .map(|section| borrowed(&section.inbound_links))
            .collect();
        let sections: Vec<Section<'_>> = page
            .sections
            .iter()
            .zip(&section_links)
            .map(|(section, inbound_links)| Section {
                anchor: &section.anchor,
                headings: section.headings.each_ref().map(String::as_str),
                body: &section.body,
                inbound_links,
            })
            .collect();
        builder.add_page(&Page {
            path: &page.path,
            title: &page.title,
            folder: &page.folder,
            description: &page.description,
            aliases: &aliases,
            inbound_links: &links,
            sections: &sections,
        });
    }
    if has_vectors {
        let texts: Vec<String> = pages
            .iter()
            .flat_map(|page| {
                let section = |section: &SectionFile| format!("{} {}", page.title, section.body);
                page.sections.iter().map(section)
            })
            .collect();
        let vectors = ToyVectors::of(&texts);
        builder.set_vectors(vectors.borrowed());
    }
    builder
}

/// Vectors for tests: every word has a direction of its own, and a text has those of its words together.
pub(crate) struct ToyVectors {
    sections: Vec<f32>,
    pieces: Vec<String>,
    table: Vec<f32>,
}

const TOY_DIMENSIONS: usize = 12;
const TOY_PIECES: usize = 60;

impl ToyVectors {
    pub(crate) fn of(texts: &[String]) -> Self {
        let words = |text: &str| {
            let words = analyze(text).into_iter();
            let words = words.filter(|word| word.level == Level::Word && word.form.is_ascii());
            words.map(|word| word.form).collect::<Vec<_>>()
        };
        let mut uses: BTreeMap<String, usize> = BTreeMap::new();
        for word in texts.iter().flat_map(|text| words(text)) {
            *uses.entry(word).or_default() += 1;
        }
        let mut pieces: Vec<String> = uses.keys().cloned().collect();
        pieces.sort_by_key(|word| std::cmp::Reverse(uses[word]));
        pieces.truncate(TOY_PIECES);
        let table = pieces.iter().flat_map(|word| direction(word)).collect();
        let section = |text: &String| {
            let mut sum = [0f32; TOY_DIMENSIONS];
            for word in words(text) {
                sum.iter_mut()
                    .zip(direction(&word))
                    .for_each(|(sum, value)| *sum += value);
            }
            sum
        };
        let sections = texts.iter().flat_map(section).collect();
        Self {
            sections,
            pieces,
            table,
        }
    }

    pub(crate) fn borrowed(&self) -> Vectors<'_> {
        // The pieces live as long as the program: tests make few of them.
        let pieces: Vec<&str> = self.pieces.iter().map(String::as_str).collect();
        Vectors {
            embedder: "toy",
            dimensions: TOY_DIMENSIONS,
            sections: &self.sections,
            pieces: pieces.leak(),
            table: &self.table,
        }
    }
}

/// Some direction for a word, always the same.
fn direction(word: &str) -> [f32; TOY_DIMENSIONS] {
    let mut state = word.bytes().fold(7u64, |state, byte| {
        (state ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3)
    });
    std::array::from_fn(|_| {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        ((state >> 40) as f32) / 8_388_608.0 - 1.0
    })
}

/// The golden index in one file.
pub(crate) fn bytes() -> Vec<u8> {
    static BYTES: OnceLock<Vec<u8>> = OnceLock::new();
    let one_file = || builder(&pages(), true).finish(Layout::OneFile).remove(0).bytes;
    BYTES.get_or_init(one_file).clone()
}

pub(crate) fn index() -> Index {
    Index::open(&bytes()).expect("the builder writes an index")
}

/// The golden index cut into files.
pub(crate) fn sharded() -> Vec<IndexFile> {
    builder(&pages(), true).finish(Layout::Sharded)
}

/// An index whose files are loaded when it needs them.
pub(crate) struct Shelf {
    pub(crate) index: Index,
    files: HashMap<String, Vec<u8>>,
    pub(crate) loaded: Vec<String>,
    pub(crate) rounds: usize,
}

impl Shelf {
    pub(crate) fn new(files: Vec<IndexFile>) -> Self {
        Self {
            index: Index::open(&files[0].bytes).expect("the first file is the core"),
            files: files.into_iter().map(|file| (file.name, file.bytes)).collect(),
            loaded: Vec::new(),
            rounds: 0,
        }
    }

    pub(crate) fn search(&mut self, query: &str, options: &SearchOptions) -> Answer {
        self.rounds = 0;
        loop {
            match self.index.search(query, options) {
                Step::Ready(answer) => return answer,
                Step::Needs(names) => self.load(&names),
            }
        }
    }

    pub(crate) fn alternatives(&mut self, query: &str) -> Alternatives {
        self.rounds = 0;
        loop {
            match self.index.alternatives(query, true) {
                Step::Ready(alternatives) => return alternatives,
                Step::Needs(names) => self.load(&names),
            }
        }
    }

    fn load(&mut self, names: &[String]) {
        self.rounds += 1;
        assert!(self.rounds < 10, "a question ends");
        assert!(!names.is_empty(), "a question that waits says for what");
        for name in names {
            assert!(!self.loaded.contains(name), "{name} is there");
            let bytes = self.files.get(name).expect("the index asks for its own files");
            self.index
                .load(name, bytes)
                .expect("a file that was written is read");
            self.loaded.push(name.clone());
        }
    }
}

/// The hits of an index that is complete.
pub(crate) fn hits(index: &mut Index, query: &str, options: &SearchOptions) -> Vec<SectionHit> {
    let answer = index.search(query, options).ready();
    answer.expect("an index in one file needs nothing else").hits
}

fn borrowed(texts: &[String]) -> Vec<&str> {
    texts.iter().map(String::as_str).collect()
}
