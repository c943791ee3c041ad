//! What a build leaves to the next one of the same process.
//!
//! Nothing of it changes what a build gives: everything is a function of what stands beside it here, and is made anew
//! where that is another.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;
use std::rc::Rc;
use std::sync::Arc;

use search_core::{IndexBuilder, IndexFile, Layout};

use super::arranged::{Arranged, arrange};
use super::page::{Page, read_page};
use super::references::{Written, add_references, write_references};
use super::searched::{SearchedAround, add_to_index, items};
use super::{Basis, Input, Laid, index_paths};
use crate::api::{self, Documents, References};
use crate::card::Cards;
use crate::components::Components;
use crate::config::Config;
use crate::diagnostic::Diagnostic;
use crate::embed::KnownRows;
use crate::front_matter::{Category, Publication};
use crate::html::CodeRenderer;
use crate::links::{Link, Target};
use crate::markdown::myst::labels::{Labels, PageLabels};
use crate::routes::{Routes, routes};
use crate::source::Source;
use crate::static_files::StaticFiles;
use crate::summary::Summary;
use crate::words::Words;

/// What a build leaves to the next one, which makes the same with less work. By default nothing.
#[derive(Debug, Default)]
pub struct Kept {
    /// Whether there will be a next one.
    is_wanted: bool,
    code_renderer: CodeRenderer,
    cards: Option<Cards>,
    pictures: Pictures,
    /// Of the last build, also where it is not wanted again.
    index_builder: Option<IndexBuilder>,
    indexed: Indexed,
    /// The indexes of the languages beside the first.
    elsewhere: Memo<String, KeptIndex>,
    around: Around,
    documents: Option<KeptDocuments>,
    routes: Option<KeptRoutes>,
    /// What each source of MyST calls itself and its parts.
    labels: Vec<(Source, PageLabels)>,
    /// In the order of the sources.
    pages: Vec<Option<KeptPage>>,
    written: Option<KeptReferences>,
    arranged: Option<KeptArrangement>,
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

    /// Where all pages are shown, unless that has been found.
    pub(super) fn routes(
        &mut self,
        documents: &Rc<Documents>,
        references: &References<'_>,
        input: &Input,
    ) -> (Laid, Vec<Diagnostic>) {
        let Input {
            folder,
            config,
            config_source,
            components,
            ..
        } = input;
        let sources = &folder.sources;
        if let Some(known) = &mut self.routes
            && Rc::ptr_eq(&known.documents, documents)
            && known.components == *components
            && known.follow_from(sources, config)
        {
            return (known.laid.clone(), Vec::new());
        }
        let (mut routes, mut problems) = routes(sources, config, config_source);
        problems.extend(components.add_to(&mut routes));
        let index_paths = index_paths(&mut routes, config);
        problems.extend(add_references(&mut routes, references));
        let laid = Laid {
            routes: Rc::new(routes),
            index_paths,
        };
        let is_wanted = self.is_wanted && problems.is_empty();
        self.routes = is_wanted.then(|| KeptRoutes {
            sources: sources.clone(),
            config: config.clone(),
            components: components.clone(),
            documents: Rc::clone(documents),
            laid: laid.clone(),
        });
        (laid, problems)
    }

    /// What links of MyST can name. Sources that are as they were are not looked through.
    pub(super) fn labels(&mut self, sources: &[Source], references: &BTreeMap<String, String>) -> Labels {
        let mut known = std::mem::take(&mut self.labels).into_iter().peekable();
        let pages = sources.iter().map(|source| {
            // Both are in the order of their paths.
            while known.next_if(|(other, _)| other.path < source.path).is_some() {}
            let same = known.next_if(|(other, _)| other == source);
            same.unwrap_or_else(|| (source.clone(), PageLabels::of(source)))
        });
        let pages: Vec<_> = pages.collect();
        let labels = Labels::of(pages.iter().map(|(_, labels)| labels), references);
        if self.is_wanted {
            self.labels = pages;
        }
        labels
    }

    /// Nothing is kept of pages that had other things around them.
    pub(super) fn begin(&mut self, routes: &Rc<Routes>, Input { folder, config, .. }: &Input) {
        if !self.is_wanted {
            return;
        }
        let around = &mut self.around;
        if around.config != *config || !is_one(&around.routes, routes) {
            self.pages.clear();
            self.written = None;
            self.arranged = None;
            around.config = config.clone();
        }
        around.routes = Rc::clone(routes);
        self.pages.resize_with(folder.sources.len(), || None);
        self.items.begin();
        self.elsewhere.begin();
    }

    /// [`read_page`], unless it has been read.
    pub(super) fn page(
        &mut self,
        source: &Source,
        index: usize,
        routes: &Routes,
        words: &Words,
        input: &Input,
    ) -> (Rc<Page>, Vec<Diagnostic>) {
        let known = self.pages.get_mut(index).and_then(Option::take);
        let known = known.filter(|known| known.source == *source);
        let (page, problems) = match known {
            Some(known) if depends_on_no_file(&known.page) => (known.page, known.problems),
            known => {
                let (page, problems) =
                    read_page(source, index, routes, words, input, &mut self.code_renderer);
                // Where the files that it shows are the same, so is all that follows from it.
                let same = known.filter(|known| *known.page == page);
                (same.map_or_else(|| Rc::new(page), |known| known.page), problems)
            }
        };
        if let Some(place) = self.pages.get_mut(index) {
            *place = Some(KeptPage {
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

    /// [`arrange`], unless nothing has changed that the arrangement follows from.
    pub(super) fn arranged(&mut self, basis: Basis<'_>) -> Rc<Arranged> {
        if let Some(known) = &mut self.arranged
            && known.follows_from(basis)
        {
            return Rc::clone(&known.arranged);
        }
        let arranged = Rc::new(arrange(basis, self));
        if self.is_wanted && !basis.is_refused && !arranged.problems.iter().any(Diagnostic::is_error) {
            self.arranged = Some(KeptArrangement::new(basis, Rc::clone(&arranged)));
        }
        arranged
    }

    /// The index of a language beside the first, from its pages in the order of reading and what is around each of them; after
    /// [`Self::index_builder`], which finds out whether that is the same.
    pub(super) fn index_elsewhere<'a>(
        &mut self,
        language: &str,
        pages: &[&Rc<Page>],
        around: impl Fn(usize) -> SearchedAround<'a>,
    ) -> Rc<[IndexFile]> {
        let is_around_same = self.indexed.is_around_same;
        let known = self
            .elsewhere
            .get_or_insert_with(language.to_owned(), KeptIndex::default);
        let mut pairs = known.made_of.iter().zip(pages).enumerate();
        let is_same = known.made_of.len() == pages.len()
            && pairs.all(|(at, (known, page))| {
                Rc::ptr_eq(&known.page, page) && (is_around_same || known.around == around(at).digest())
            });
        if !is_same {
            let mut builder = IndexBuilder::new();
            let made_of = pages.iter().enumerate().map(|(at, page)| {
                let around = around(at);
                add_to_index(&mut builder, page, &around);
                IndexedPage {
                    page: Rc::clone(page),
                    around: around.digest(),
                }
            });
            known.made_of = made_of.collect();
            known.files = builder.finish(Layout::Auto).into();
        }
        Rc::clone(&known.files)
    }

    /// Can keep the pages that the last build added.
    pub(super) fn index_builder(&mut self, arranged: &Rc<Arranged>, pages: &[Rc<Page>]) -> IndexBuilder {
        if !self.is_wanted {
            return IndexBuilder::new();
        }
        self.indexed.begin(arranged, pages);
        let last = self.index_builder.take();
        last.unwrap_or_else(IndexBuilder::with_successor)
    }

    /// [`add_to_index`], unless the last index has the page. Pages come in the order of reading.
    pub(super) fn add_to_index<'a>(
        &mut self,
        builder: &mut IndexBuilder,
        page: &Rc<Page>,
        folder: &str,
        around: impl Fn() -> SearchedAround<'a>,
    ) {
        if !self.is_wanted {
            return add_to_index(builder, page, &around());
        }
        let (number, digest) = self.indexed.next(&around);
        let known = number.filter(|number| {
            let last = &self.indexed.last[*number];
            Rc::ptr_eq(&last.page, page) && last.around == digest
        });
        if !known.is_some_and(|number| builder.keep_page(number, folder)) {
            add_to_index(builder, page, &around());
        }
        self.indexed.this.push(IndexedPage {
            page: Rc::clone(page),
            around: digest,
        });
    }

    /// Keeps what has made an index; where there will be no next one, until everything else goes.
    pub(super) fn finished(&mut self, index_builder: IndexBuilder) {
        self.index_builder = Some(match self.is_wanted {
            true => index_builder.successor(),
            false => index_builder,
        });
    }

    /// What draws the pictures of a build, and those that are kept, where any are.
    pub(super) fn pictures(&mut self) -> (&mut Cards, Option<&mut Pictures>) {
        self.pictures.begin();
        let cards = self.cards.get_or_insert_with(Cards::new);
        (cards, self.is_wanted.then_some(&mut self.pictures))
    }
}

/// The pages of an index, in their order.
#[derive(Debug, Default)]
struct Indexed {
    this: Vec<IndexedPage>,
    last: Vec<IndexedPage>,
    /// What the last index was made of.
    made_of: Option<(Rc<Arranged>, Vec<Rc<Page>>)>,
    /// Whether the pages stand where they stood, with the same links between them.
    is_around_same: bool,
    /// The numbers of the pages in the last index, by path, where they may be others.
    numbers: HashMap<String, usize>,
}

#[derive(Debug)]
struct IndexedPage {
    page: Rc<Page>,
    around: u128,
}

/// An index as it was made the last time.
#[derive(Debug, Default)]
struct KeptIndex {
    made_of: Vec<IndexedPage>,
    files: Rc<[IndexFile]>,
}

impl Indexed {
    fn begin(&mut self, arranged: &Rc<Arranged>, pages: &[Rc<Page>]) {
        self.last = std::mem::take(&mut self.this);
        let last = self.made_of.replace((Rc::clone(arranged), pages.to_vec()));
        self.numbers.clear();
        self.is_around_same = false;
        let Some((last, last_pages)) = last else { return };
        if Rc::ptr_eq(&last, arranged) {
            let mut pairs = last_pages.iter().zip(pages);
            self.is_around_same =
                pairs.all(|(one, other)| Rc::ptr_eq(one, other) || are_links_same(one, other));
        }
        if !self.is_around_same {
            let paths = last.searched_paths().map(str::to_owned);
            self.numbers = paths.zip(0..).collect();
        }
    }

    /// The number of the next page in the last index, if that has it, and what stands for what is around it.
    fn next<'a>(&self, around: impl Fn() -> SearchedAround<'a>) -> (Option<usize>, u128) {
        let place = self.this.len();
        if self.is_around_same {
            return (Some(place), self.last[place].around);
        }
        let around = around();
        (self.numbers.get(around.path).copied(), around.digest())
    }
}

/// Whether both call other pages the same, and can be linked to at the same places.
fn are_links_same(one: &Page, other: &Page) -> bool {
    let are_same = |(one, other): (&Link, &Link)| one.text == other.text && one.target == other.target;
    let anchors = one.sections.iter().map(|section| &section.anchor);
    one.front_matter.is_unlisted == other.front_matter.is_unlisted
        && one.links.len() == other.links.len()
        && one.links.iter().zip(&other.links).all(are_same)
        && anchors.eq(other.sections.iter().map(|section| &section.anchor))
}

/// An arrangement, and what it follows from beside the configuration and the routes.
#[derive(Debug)]
struct KeptArrangement {
    config_source: Source,
    documents: Rc<Documents>,
    summary: Option<Summary>,
    categories: BTreeMap<String, Category>,
    last_changes: Rc<HashMap<String, String>>,
    static_files: StaticFiles,
    has_full_text: bool,
    pages: Vec<Rc<Page>>,
    arranged: Rc<Arranged>,
}

impl KeptArrangement {
    fn new(basis: Basis<'_>, arranged: Rc<Arranged>) -> Self {
        let Basis { input, .. } = basis;
        Self {
            config_source: input.config_source.clone(),
            documents: Rc::clone(basis.documents),
            summary: basis.summary.cloned(),
            categories: basis.categories.clone(),
            last_changes: Rc::clone(&input.last_changes),
            static_files: input.folder.files.static_files.clone(),
            has_full_text: input.extras.llms_full,
            pages: basis.pages.to_vec(),
            arranged,
        }
    }

    /// Whether it follows from this as well. Keeps the pages that are others, so that the next time nobody compares them.
    fn follows_from(&mut self, basis: Basis<'_>) -> bool {
        let Basis { input, pages, .. } = basis;
        // Where a notebook starts is another place when its file is written in other lines, though its page stays as it is.
        let may_be_elsewhere =
            !self.arranged.problems.is_empty() && input.folder.sources.iter().any(Source::is_notebook);
        let is_same = !basis.is_refused
            && !may_be_elsewhere
            && self.config_source == input.config_source
            && Rc::ptr_eq(&self.documents, basis.documents)
            && self.summary.as_ref() == basis.summary
            && self.categories == *basis.categories
            && is_one(&self.last_changes, &input.last_changes)
            && self.static_files == input.folder.files.static_files
            && self.has_full_text == input.extras.llms_full
            && self.pages.len() == pages.len()
            && self
                .pages
                .iter()
                .zip(pages)
                .all(|(known, now)| Rc::ptr_eq(known, now) || is_told_same(known, now));
        if is_same {
            self.pages.clone_from_slice(pages);
        }
        is_same
    }
}

/// Whether both say the same of themselves.
fn is_told_same(one: &Page, other: &Page) -> bool {
    one.title == other.title
        && one.description == other.description
        && one.front_matter == other.front_matter
        && one.markdown.is_some() == other.markdown.is_some()
        && one.lists_pages == other.lists_pages
}

/// Whether both hold the same, which need not be compared where they are one.
fn is_one<T: PartialEq>(one: &Rc<T>, other: &Rc<T>) -> bool {
    Rc::ptr_eq(one, other) || one == other
}

/// Pictures with their names, by the words on them.
pub(super) type Pictures = Memo<[String; 4], (String, Rc<[u8]>)>;

/// What a page depends on, besides its source. Files are not among it: they matter where a link leads to no page.
#[derive(Debug, Default)]
struct Around {
    config: Config,
    routes: Rc<Routes>,
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
    components: Components,
    documents: Rc<Documents>,
    laid: Laid,
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

/// Whether a page is the same as long as its source is: it shows no file, whose content may change, nothing was refused, and no file is
/// wanted that may come.
fn depends_on_no_file(page: &Page) -> bool {
    let is_elsewhere =
        |link: &Link| !matches!(link.target, None | Some(Target::Asset(_) | Target::Unknown(_)));
    page.included.is_empty() && !page.misses_names && page.links.iter().all(is_elsewhere)
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
