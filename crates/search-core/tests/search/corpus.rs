//! The golden corpus, for every test that needs a real index.

use std::path::PathBuf;
use std::sync::OnceLock;

use search_core::{Index, IndexBuilder, Page, Section};
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

pub(crate) fn pages() -> Vec<PageFile> {
    serde_json::from_str(&read("corpus.json")).expect("the corpus is JSON of this shape")
}

pub(crate) fn build<'p>(pages: impl IntoIterator<Item = &'p PageFile>) -> Vec<u8> {
    let mut builder = IndexBuilder::new();
    for page in pages {
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
    builder.finish()
}

pub(crate) fn bytes() -> Vec<u8> {
    static BYTES: OnceLock<Vec<u8>> = OnceLock::new();
    BYTES.get_or_init(|| build(&pages())).clone()
}

pub(crate) fn index() -> Index {
    Index::open(&bytes()).expect("the builder writes an index")
}

fn borrowed(texts: &[String]) -> Vec<&str> {
    texts.iter().map(String::as_str).collect()
}
