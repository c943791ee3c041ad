//! What a build leaves to the next one of the same process.
//!
//! Nothing of it changes what a build gives: everything is a function of what stands beside it here, and is made anew
//! where that is another.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::Hash;
use std::rc::Rc;
use std::sync::Arc;

use search_core::IndexBuilder;

use super::{Input, Page, SearchedAround, Written, add_to_index, items, read_page, write_references};
use crate::api::{self, Documents, References};
use crate::card::Cards;
use crate::config::Config;
use crate::diagnostic::Diagnostic;
use crate::embed::KnownRows;
use crate::front_matter::Publication;
use crate::html::CodeRenderer;
use crate::links::{Link, Target};
use crate::routes::{Routes, routes};
use crate::source::Source;

/// What a build leaves to the next one, which makes the same with less work. By default nothing.
#[derive(Debug, Default)]
pub struct Kept {
    /// Whether there will be a next one.
    is_wanted: bool,
    code_renderer: CodeRenderer,
    cards: Option<Cards>,
    pictures: Pictures,
    index_builder: Option<IndexBuilder>,
    indexed: Indexed,
    around: Around,
    documents: Option<KeptDocuments>,
    routes: Option<KeptRoutes>,
    /// In the order of the sources, those that depend on nothing but their source and what is around them.
    pages: Vec<Option<KeptPage>>,
    written: Option<KeptReferences>,
    items: Memo<String, KeptItems>,
    rows: KnownRows,
}

impl Kept {
    /// For the first of builds that follow each other.
    pub fn for_next() -> Self {
        Self {
            is_wanted: true,
            ..Self::default()
        }
    }

    /// [`api::read`], unless they have been read.
    pub(super) fn documents(&mut self, input: &Input) -> (Rc<Documents>, Vec<Diagnostic>) {
        let Input {
            api_documents: sources,
            config,
            config_source,
            ..
        } = input;
        if let Some(known) = &self.documents
            && known.sources == *sources
            && known.config == *config
        {
            return (Rc::clone(&known.documents), Vec::new());
        }
        let (documents, problems) = api::read(sources, config, config_source);
        let documents = Rc::new(documents);
        let is_wanted = self.is_wanted && problems.is_empty();
        self.documents = is_wanted.then(|| KeptDocuments {
            sources: sources.clone(),
            config: config.clone(),
            documents: Rc::clone(&documents),
        });
        (documents, problems)
    }

    /// [`routes()`], unless they have been found.
    pub(super) fn routes(&mut self, input: &Input) -> (Routes, Vec<Diagnostic>) {
        let Input {
            folder,
            config,
            config_source,
            ..
        } = input;
        let sources = &folder.sources;
        if let Some(known) = &mut self.routes
            && known.follow_from(sources, config)
        {
            return (known.routes.clone(), Vec::new());
        }
        let (routes, problems) = routes(sources, config, config_source);
        let is_wanted = self.is_wanted && problems.is_empty();
        self.routes = is_wanted.then(|| KeptRoutes {
            sources: sources.clone(),
            config: config.clone(),
            routes: routes.clone(),
        });
        (routes, problems)
    }

    /// Nothing is kept of pages that had other things around them.
    pub(super) fn begin(&mut self, routes: &Routes, Input { folder, config, .. }: &Input) {
        if !self.is_wanted {
            return;
        }
        let around = &self.around;
        if around.config != *config || around.routes != *routes {
            self.around = Around {
                config: config.clone(),
                routes: routes.clone(),
            };
            self.pages.clear();
            self.written = None;
        }
        self.pages.resize_with(folder.sources.len(), || None);
        self.items.begin();
    }

    /// [`read_page`], unless it has been read.
    pub(super) fn page(
        &mut self,
        source: &Source,
        index: usize,
        routes: &Routes,
        input: &Input,
    ) -> (Rc<Page>, Vec<Diagnostic>) {
        if let Some(Some(known)) = self.pages.get(index)
            && known.source == *source
        {
            return (Rc::clone(&known.page), known.problems.clone());
        }
        let (page, problems) = read_page(source, index, routes, input, &mut self.code_renderer);
        let page = Rc::new(page);
        if let Some(place) = self.pages.get_mut(index) {
            *place = depends_on_no_file(&page).then(|| KeptPage {
                source: source.clone(),
                page: Rc::clone(&page),
                problems: problems.clone(),
            });
        }
        (page, problems)
    }

    /// [`write_references`], unless they have been written.
    pub(super) fn references(
        &mut self,
        references: &References<'_>,
        routes: &Routes,
        input: &Input,
    ) -> Written {
        let documents = &input.api_documents;
        if let Some(known) = &self.written
            && known.documents == *documents
        {
            return known.written.clone();
        }
        let written = write_references(references, routes, input, &mut self.code_renderer);
        let is_wanted = self.is_wanted && written.0.iter().all(|page| depends_on_no_file(page));
        self.written = is_wanted.then(|| KeptReferences {
            documents: documents.clone(),
            written: written.clone(),
        });
        written
    }

    /// [`items`], unless they have been made.
    pub(super) fn items(
        &mut self,
        page: &Rc<Page>,
        around: &SearchedAround<'_>,
        rows: &[&[f32]],
    ) -> Rc<[u8]> {
        if !self.is_wanted {
            return items(page, around, rows).into();
        }
        let digest = around.digest_with(rows);
        let made = || KeptItems {
            page: Rc::clone(page),
            around: digest,
            lines: items(page, around, rows).into(),
        };
        let known = self.items.get_or_insert_with(around.path.to_owned(), made);
        if !(Rc::ptr_eq(&known.page, page) && known.around == digest) {
            *known = made();
        }
        Rc::clone(&known.lines)
    }

    /// The vectors of the sections.
    pub(super) fn rows(&mut self) -> &mut KnownRows {
        &mut self.rows
    }

    /// Can keep the pages that the last build added.
    pub(super) fn index_builder(&mut self) -> IndexBuilder {
        if !self.is_wanted {
            return IndexBuilder::new();
        }
        self.indexed.last = std::mem::take(&mut self.indexed.this);
        let last = self.index_builder.take();
        last.unwrap_or_else(IndexBuilder::with_successor)
    }

    /// [`add_to_index`], unless the last index has the page.
    pub(super) fn add_to_index(
        &mut self,
        builder: &mut IndexBuilder,
        page: &Rc<Page>,
        around: &SearchedAround<'_>,
    ) {
        if !self.is_wanted {
            return add_to_index(builder, page, around);
        }
        let now = IndexedPage {
            number: self.indexed.this.len(),
            page: Rc::clone(page),
            around: around.digest(),
        };
        let last = self.indexed.last.get(around.path);
        let known = last.filter(|last| Rc::ptr_eq(&last.page, page) && last.around == now.around);
        if !known.is_some_and(|known| builder.keep_page(known.number, around.folder)) {
            add_to_index(builder, page, around);
        }
        self.indexed.this.insert(around.path.to_owned(), now);
    }

    /// Keeps what has made an index.
    pub(super) fn finished(&mut self, index_builder: IndexBuilder) {
        self.index_builder = self.is_wanted.then(|| index_builder.successor());
    }

    /// What draws the pictures of a build, and those that are kept, where any are.
    pub(super) fn pictures(&mut self) -> (&mut Cards, Option<&mut Pictures>) {
        self.pictures.begin();
        let cards = self.cards.get_or_insert_with(Cards::new);
        (cards, self.is_wanted.then_some(&mut self.pictures))
    }
}

/// The pages of an index, by path.
#[derive(Debug, Default)]
struct Indexed {
    this: HashMap<String, IndexedPage>,
    last: HashMap<String, IndexedPage>,
}

#[derive(Debug)]
struct IndexedPage {
    /// Its place in the index.
    number: usize,
    page: Rc<Page>,
    around: u128,
}

/// Pictures with their names, by the words on them.
pub(super) type Pictures = Memo<[String; 4], (String, Rc<[u8]>)>;

/// What a page depends on, besides its source. Files are not among it: they matter where a link leads to no page.
#[derive(Debug, Default)]
struct Around {
    config: Config,
    routes: Routes,
}

#[derive(Debug)]
struct KeptPage {
    source: Source,
    page: Rc<Page>,
    problems: Vec<Diagnostic>,
}

#[derive(Debug)]
struct KeptItems {
    page: Rc<Page>,
    around: u128,
    lines: Rc<[u8]>,
}

/// Documents without a problem.
#[derive(Debug)]
struct KeptDocuments {
    sources: Vec<Option<Source>>,
    config: Config,
    documents: Rc<Documents>,
}

/// Routes without a problem.
#[derive(Debug)]
struct KeptRoutes {
    sources: Vec<Source>,
    config: Config,
    routes: Routes,
}

impl KeptRoutes {
    /// Whether these sources have the same routes: of a text, they depend on what it says of where it is shown. Keeps those that are
    /// others, so that the next time nobody reads them.
    fn follow_from(&mut self, sources: &[Source], config: &Config) -> bool {
        if self.config != *config || self.sources.len() != sources.len() {
            return false;
        }
        let schema = config.content.schema;
        self.sources.iter_mut().zip(sources).all(|(known, now)| {
            if known.path != now.path {
                return false;
            }
            if Arc::ptr_eq(&known.text, &now.text) {
                return true;
            }
            let is_same = Publication::read(known, schema) == Publication::read(now, schema);
            known.clone_from(now);
            is_same
        })
    }
}

#[derive(Debug)]
struct KeptReferences {
    documents: Vec<Option<Source>>,
    written: Written,
}

/// Whether a page is the same as long as its source is: it shows no file, whose content may change, and nothing was refused.
fn depends_on_no_file(page: &Page) -> bool {
    let is_elsewhere =
        |link: &Link| !matches!(link.target, None | Some(Target::Asset(_) | Target::Unknown(_)));
    page.included.is_empty() && page.links.iter().all(is_elsewhere)
}

/// What was made from keys, in this build and in the one before.
#[derive(Debug)]
pub(super) struct Memo<K, V> {
    this: HashMap<K, V>,
    last: HashMap<K, V>,
}

impl<K, V> Default for Memo<K, V> {
    fn default() -> Self {
        Self {
            this: HashMap::new(),
            last: HashMap::new(),
        }
    }
}

impl<K: Hash + Eq, V> Memo<K, V> {
    /// Begins a build. What the last one did not need is forgotten.
    pub(super) fn begin(&mut self) {
        self.last = std::mem::take(&mut self.this);
    }

    pub(super) fn get_or_insert_with(&mut self, key: K, make: impl FnOnce() -> V) -> &mut V {
        match self.this.entry(key) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                let kept = self.last.remove(entry.key());
                entry.insert(kept.unwrap_or_else(make))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_build_did_not_need_is_forgotten_by_the_next_but_one() {
        let mut memo = Memo::default();
        let mut made = Vec::new();
        let mut build = |keys: &[&'static str]| {
            memo.begin();
            for key in keys {
                let value = *memo.get_or_insert_with(*key, || {
                    made.push(*key);
                    key.len()
                });
                assert_eq!(value, key.len());
            }
            std::mem::take(&mut made)
        };
        assert_eq!(build(&["a", "bb", "a"]), ["a", "bb"]);
        assert_eq!(build(&["bb"]), [] as [&str; 0]);
        assert_eq!(build(&["a", "bb"]), ["a"]);
    }
}
