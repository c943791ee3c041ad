//! What the search has of the pages: the index of each language, the vectors and the items.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use search_core::{IndexBuilder, IndexFile, Layout};
use serde::Serialize;
use xxhash_rust::xxh3::Xxh3;

use super::arranged::Arranged;
use super::kept::Kept;
use super::page::Page;
use super::page_data::json;
use super::{Basis, Input};
use crate::diagnostic::Diagnostic;
use crate::embed::{self, Cache, KnownRows, Passage, Vectors};
use crate::languages::Locale;
use crate::links::Target;

/// All of it.
pub(super) struct Searched {
    /// The files of all indexes, the core of the first language first.
    pub(super) index: Vec<IndexFile>,
    /// Where the output has that core.
    pub(super) core: String,
    /// Where it has those of the other languages, by their tags.
    pub(super) other_cores: BTreeMap<String, String>,
    /// The items of each page, where they are wanted.
    pub(super) items: Option<Vec<Rc<[u8]>>>,
    pub(super) vectors: Option<Vectors>,
    /// What the cache of vectors should hold, if that changed.
    pub(super) new_cache: Option<Rc<Cache>>,
}

/// Makes it of the pages of `basis`, and shows the index of the first language before it is finished.
pub(super) fn searched(
    basis: Basis<'_>,
    arranged: &Rc<Arranged>,
    locales: &[Locale],
    kept: &mut Kept,
    show: &mut dyn FnMut(&IndexBuilder),
) -> (Searched, Vec<Diagnostic>) {
    let Basis { input, pages, .. } = basis;
    // A build that keeps everything asks for none of them.
    let inbound = OnceCell::new();
    let around = |index: usize| {
        let inbound = inbound.get_or_init(|| InboundLinks::collect(pages));
        SearchedAround {
            path: &basis.routes.paths[index],
            folder: &arranged.section_titles[index],
            inbound: inbound.of(index, &pages[index]),
        }
    };
    let mut builder = kept.index_builder(arranged, pages);
    let elsewhere = indexes_elsewhere(pages, arranged, locales, kept, around);
    for index in &arranged.searched {
        let section = &arranged.section_titles[*index];
        kept.add_to_index(&mut builder, &pages[*index], section, || around(*index));
    }
    let order: Vec<&Rc<Page>> = arranged.searched.iter().map(|page| &pages[*page]).collect();
    let (vectors, new_cache, problems) = match basis.is_refused {
        // A transformer is no use to content that will be refused.
        true => (None, None, Vec::new()),
        false => vectors(&order, input, kept.rows()),
    };
    if let Some(vectors) = &vectors {
        add_vectors(&mut builder, vectors);
    }
    let items = input.extras.items.then(|| {
        let around = |at: usize| around(arranged.searched[at]);
        items_of_all(&order, vectors.as_ref(), kept, around)
    });
    show(&builder);
    let index = builder.finish(Layout::Auto);
    kept.finished(builder);
    let searched = Searched {
        core: core_file(&index),
        other_cores: elsewhere
            .iter()
            .map(|(tag, files)| ((*tag).to_owned(), core_file(files)))
            .collect(),
        index: together(index, &elsewhere),
        items,
        vectors,
        new_cache,
    };
    (searched, problems)
}

/// The indexes of the languages beside the first that have pages, by their tags.
fn indexes_elsewhere<'l, 'a>(
    pages: &[Rc<Page>],
    arranged: &Arranged,
    locales: &'l [Locale],
    kept: &mut Kept,
    around: impl Fn(usize) -> SearchedAround<'a>,
) -> Vec<(&'l str, Rc<[IndexFile]>)> {
    let languages = locales[1..].iter().zip(&arranged.searched_elsewhere);
    languages
        .filter(|(_, searched)| !searched.is_empty())
        .map(|(locale, searched)| {
            let found: Vec<&Rc<Page>> = searched.iter().map(|index| &pages[*index]).collect();
            let files = kept.index_elsewhere(&locale.tag, &found, |at| around(searched[at]));
            (locale.tag.as_str(), files)
        })
        .collect()
}

fn add_vectors(builder: &mut IndexBuilder, vectors: &Vectors) {
    let pieces: Vec<&str> = vectors.table.pieces().iter().map(String::as_str).collect();
    builder.set_vectors(search_core::Vectors {
        embedder: &vectors.embedder,
        dimensions: vectors.dimensions,
        sections: &vectors.sections,
        pieces: &pieces,
        table: &vectors.table.rows(),
    });
}

/// The items of pages in the order of reading; `around` says what is around the one at a place in it.
fn items_of_all<'a>(
    pages: &[&Rc<Page>],
    vectors: Option<&Vectors>,
    kept: &mut Kept,
    around: impl Fn(usize) -> SearchedAround<'a>,
) -> Vec<Rc<[u8]>> {
    let mut rows = vectors.map(|vectors| vectors.sections.chunks_exact(vectors.dimensions));
    let items = pages.iter().enumerate().map(|(at, page)| {
        let rows: Vec<&[f32]> = rows
            .as_mut()
            .map_or_else(Vec::new, |rows| rows.take(page.sections.len()).collect());
        kept.items(page, &around(at), &rows)
    });
    items.collect()
}

/// Where the output has the core of an index.
fn core_file(files: &[IndexFile]) -> String {
    format!("search/{}", files[0].name)
}

/// The files of all indexes. One that two of them have is the same: its name has a checksum.
fn together(mut index: Vec<IndexFile>, elsewhere: &[(&str, Rc<[IndexFile]>)]) -> Vec<IndexFile> {
    let others = elsewhere.iter().flat_map(|(_, files)| files.iter().cloned());
    index.extend(others);
    let mut names = BTreeSet::new();
    index.retain(|file| names.insert(file.name.clone()));
    index
}

/// The texts of the links that other pages make, by page and anchor.
#[derive(Debug, Default)]
struct InboundLinks<'a> {
    texts: HashMap<usize, HashMap<&'a str, Vec<&'a str>>>,
}

impl<'a> InboundLinks<'a> {
    fn collect(pages: &'a [Rc<Page>]) -> Self {
        let mut inbound = Self::default();
        for (from, page) in pages.iter().enumerate() {
            // What it calls others is not found either.
            if page.front_matter.is_unlisted {
                continue;
            }
            for link in &page.links {
                let Some(Target::Page { page: to, anchor, .. }) = &link.target else {
                    continue;
                };
                if *to == from || link.text.is_empty() {
                    continue;
                }
                let anchor = anchor
                    .as_deref()
                    .filter(|anchor| pages[*to].sections.iter().any(|s| s.anchor == *anchor));
                let texts = inbound.texts.entry(*to).or_default();
                texts.entry(anchor.unwrap_or("")).or_default().push(&link.text);
            }
        }
        inbound
    }

    /// Those to a page as a whole, then those to each of its sections.
    fn of(&self, index: usize, page: &Page) -> Vec<&[&'a str]> {
        let sections = page.sections.iter().map(|section| match section.anchor.as_str() {
            "" => &[],
            anchor => self.to(index, anchor),
        });
        std::iter::once(self.to(index, "")).chain(sections).collect()
    }

    fn to(&self, page: usize, anchor: &str) -> &[&'a str] {
        self.texts
            .get(&page)
            .and_then(|texts| texts.get(anchor))
            .map_or(&[], Vec::as_slice)
    }
}

/// What is found of a page, beside what it says itself.
pub(super) struct SearchedAround<'a> {
    pub(super) path: &'a str,
    folder: &'a str,
    /// See [`InboundLinks::of`].
    inbound: Vec<&'a [&'a str]>,
}

impl SearchedAround<'_> {
    /// Stands for all of it.
    pub(super) fn digest(&self) -> u128 {
        self.digest_with(&[])
    }

    /// Stands for it and for the vectors of the sections.
    pub(super) fn digest_with(&self, rows: &[&[f32]]) -> u128 {
        const END_OF_TEXT: &[u8] = &[0xff];
        const END_OF_LIST: &[u8] = &[0xfe];
        let Self {
            path,
            folder,
            inbound,
        } = self;
        let mut hasher = Xxh3::new();
        for texts in [&[*path, *folder] as &[&str]].iter().chain(inbound) {
            for text in *texts {
                hasher.update(text.as_bytes());
                hasher.update(END_OF_TEXT);
            }
            hasher.update(END_OF_LIST);
        }
        for value in rows.iter().copied().flatten() {
            hasher.update(&value.to_bits().to_le_bytes());
        }
        hasher.digest128()
    }
}

pub(super) fn add_to_index(builder: &mut IndexBuilder, page: &Page, around: &SearchedAround<'_>) {
    let aliases: Vec<&str> = page
        .front_matter
        .aliases
        .iter()
        .map(|alias| alias.text.as_str())
        .collect();
    let (to_page, to_sections) = (around.inbound[0], &around.inbound[1..]);
    let sections: Vec<search_core::Section<'_>> = page
        .sections
        .iter()
        .zip(to_sections)
        .map(|(section, inbound_links)| search_core::Section {
            anchor: &section.anchor,
            headings: section.headings.each_ref().map(String::as_str),
            body: &section.body,
            inbound_links,
        })
        .collect();
    builder.add_page(&search_core::Page {
        path: around.path,
        title: &page.title,
        folder: around.folder,
        description: &page.description,
        aliases: &aliases,
        inbound_links: to_page,
        sections: &sections,
    });
}

/// A row of `items.ndjson`: a section of a page, as the search model of the platform reads it.
#[derive(Debug, Serialize)]
struct SearchItem<'a> {
    item_id: &'a str,
    url: &'a str,
    folder: &'a str,
    header_1: &'a str,
    header_2: &'a str,
    header_3: &'a str,
    header_4: &'a str,
    body: &'a str,
    /// The description of the page and its aliases, a line each.
    about: &'a str,
    /// What other pages call the section and its page, a line each.
    links: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    embedding: Option<Vec<f64>>,
}

/// The items of a page, a line each; `rows` are the vectors of its sections, where there are any.
pub(super) fn items(page: &Page, around: &SearchedAround<'_>, rows: &[&[f32]]) -> Vec<u8> {
    let SearchedAround {
        path,
        folder,
        inbound,
    } = around;
    let aliases = page.front_matter.aliases.iter().map(|alias| alias.text.as_str());
    let about: Vec<&str> = [page.description.as_str()]
        .into_iter()
        .chain(aliases)
        .filter(|text| !text.is_empty())
        .collect();
    let about = about.join("\n");
    let mut lines = Vec::new();
    for (index, section) in page.sections.iter().enumerate() {
        let url = if section.anchor.is_empty() {
            (*path).to_owned()
        } else {
            format!("{path}#{}", section.anchor)
        };
        let [header_2, header_3, header_4] = section.headings.each_ref().map(String::as_str);
        let row = rows.get(index);
        lines.extend(json(&SearchItem {
            item_id: &url,
            url: &url,
            folder,
            header_1: &page.title,
            header_2,
            header_3,
            header_4,
            body: &section.body,
            about: &about,
            links: &[inbound[0], inbound[1 + index]].concat().join("\n"),
            embedding: row.map(|row| row.iter().map(|value| rounded(*value)).collect()),
        }));
        lines.push(b'\n');
    }
    lines
}

/// The vectors of the sections, in the order of the pages, and what the cache should hold if that changed.
fn vectors(
    pages: &[&Rc<Page>],
    Input {
        embedding,
        config_source,
        ..
    }: &Input,
    known: &mut KnownRows,
) -> (Option<Vectors>, Option<Rc<Cache>>, Vec<Diagnostic>) {
    let mut problems = Vec::new();
    if embedding.encoder.is_none() && embedding.cache.is_none() {
        return (None, None, problems);
    }
    let passages: Vec<Passage<'_>> = pages
        .iter()
        .flat_map(|page| {
            page.sections.iter().map(|section| Passage {
                title: &page.title,
                headings: section.headings.each_ref().map(String::as_str),
                body: &section.body,
            })
        })
        .collect();
    let new_cache = match &embedding.encoder {
        None => None,
        Some(encoder) => match embed::refresh(&passages, embedding.cache.as_deref(), encoder) {
            Ok(cache) => Some(Rc::new(cache)),
            Err(error) => {
                problems.push(Diagnostic::error(config_source, 0, error.to_string()));
                None
            }
        },
    };
    let cache = new_cache.as_ref().or(embedding.cache.as_ref());
    let vectors = cache.map(|cache| Vectors::of(&passages, cache, known));
    let new_cache = new_cache.filter(|new| embedding.cache.as_ref() != Some(new));
    (vectors, new_cache, problems)
}

/// Four decimals, and no zero with a sign.
fn rounded(value: f32) -> f64 {
    (f64::from(value) * 1e4).round() / 1e4 + 0.0
}
