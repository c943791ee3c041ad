//! The whole way of a folder: sources in, everything that the site and the search need out. Nothing is written here.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::rc::Rc;

use search_core::{IndexBuilder, IndexFile};

use crate::api::{Documents, MadeFile, References};
use crate::brand::Brand;
use crate::components::Components;
use crate::config::{Config, Generator};
use crate::diagnostic::Diagnostic;
use crate::embed::{Cache, Embedding, Vectors};
use crate::front_matter::Category;
use crate::languages::{self, Locale};
use crate::links::Surroundings;
use crate::machines::{self, RootFile};
use crate::redirects;
use crate::routes::Routes;
use crate::source::{Asset, Folder, Source};
use crate::summary::Summary;
use crate::words::Words;

mod arranged;
mod below;
mod categories;
mod checks;
mod in_language;
mod kept;
mod manifest;
mod page;
mod page_data;
mod references;
mod searched;

use arranged::Arranged;
use categories::categories;
use checks::{check_across_pages, check_references};
use page::Page;
use references::Written;
use searched::{Searched, searched};

pub(crate) use arranged::root_file;
pub use kept::Kept;
pub use manifest::{Manifest, ManifestPage};
pub use page_data::PageData;

/// What a site is made from.
#[derive(Debug)]
pub struct Input {
    /// The content.
    pub folder: Folder,
    /// The configuration.
    pub config: Config,
    /// The file of the configuration, for the places of problems.
    pub config_source: Source,
    /// The date of the last change of each source.
    pub last_changes: Rc<HashMap<String, String>>,
    /// Where vectors come from.
    pub embedding: Embedding,
    /// The OpenAPI documents, in the order of the configuration; `None` for a file that is not there.
    pub api_documents: Vec<Option<Source>>,
    /// The pages that are components.
    pub components: Components,
    /// The pictures of the site itself.
    pub brand: Brand,
    /// What to make beside the pages.
    pub extras: Extras,
}

/// What an output has for programs beside what readers see. Each of these files has the texts of all pages in it, so that every
/// change of a page writes it anew: who has no use for one leaves it out.
#[derive(Clone, Copy, Debug)]
pub struct Extras {
    /// `items.ndjson`, of which the platform makes a model.
    pub items: bool,
    /// `llms-full.txt`.
    pub llms_full: bool,
}

impl Default for Extras {
    fn default() -> Self {
        Self {
            items: true,
            llms_full: true,
        }
    }
}

/// Everything that a run gives.
#[derive(Debug)]
pub struct Site {
    /// The list of everything.
    pub manifest: Manifest,
    /// The pages in the order of the sidebar.
    pub pages: Vec<PageData>,
    /// The items of each page, one a section, as lines of `items.ndjson`, where they are wanted.
    pub items: Option<Vec<Rc<[u8]>>>,
    /// How many sections the pages have that are searched.
    pub sections: usize,
    /// The files of the search index, its core first.
    pub index: Vec<IndexFile>,
    /// The vectors of the sections and the query side.
    pub vectors: Option<Vectors>,
    /// What the cache of vectors should hold from now on, if that is something else.
    pub new_cache: Option<Rc<Cache>>,
    /// The files that pages use.
    pub assets: Vec<Asset>,
    /// The files that were made for pages.
    pub made_files: Vec<MadeFile>,
    /// The files at the root of the site, beside the Markdown of the pages.
    pub root_files: Vec<RootFile>,
    /// The files that keep their names, below the root of the site, with where they come from.
    pub static_files: Vec<(String, PathBuf)>,
    /// The pictures of pages, by their name in the output.
    pub cards: BTreeMap<String, Rc<[u8]>>,
    /// The pages that are components.
    pub components: Components,
}

impl Site {
    /// How many pages the content has.
    pub fn content_pages(&self) -> usize {
        let locales = self.manifest.locales.iter();
        self.pages.len() - locales.filter(|locale| locale.index_page.is_some()).count()
    }
}

/// Builds a site. It is complete only if no problem is an error.
pub fn build(input: &Input) -> (Site, Vec<Diagnostic>) {
    build_again(input, &mut Kept::default())
}

/// [`build`], with what an earlier one has kept.
pub fn build_again(input: &Input, kept: &mut Kept) -> (Site, Vec<Diagnostic>) {
    build_with(input, kept, &mut |_| ())
}

/// Builds a site and shows the index before it is finished: who tries other weights finishes copies of it.
pub fn build_showing(input: &Input, show: &mut dyn FnMut(&IndexBuilder)) -> (Site, Vec<Diagnostic>) {
    build_with(input, &mut Kept::default(), show)
}

fn build_with(
    input: &Input,
    kept: &mut Kept,
    show: &mut dyn FnMut(&IndexBuilder),
) -> (Site, Vec<Diagnostic>) {
    let Input { folder, config, .. } = input;
    let (documents, mut problems) = kept.documents(input);
    let references = References::new(&documents, config);
    let (laid, found) = laid(&documents, &references, input, kept);
    problems.extend(found);
    let Laid {
        mut routes,
        index_paths,
    } = laid;
    let (summary, found) = summary(input, &mut routes);
    problems.extend(found);
    if config.content.is_of(Generator::Myst) {
        Rc::make_mut(&mut routes).labels = kept.labels(&folder.sources, &config.content.origin.references);
    }
    kept.begin(&routes, input);

    let words = Words::of_site(config);
    let (pages, made_files, found) = pages(&references, &routes, &words, input, kept);
    problems.extend(found);
    problems.extend(check_across_pages(&pages, &routes, input));
    problems.extend(check_references(&pages, &references, config));
    let (categories, found) = categories(input, &routes);
    problems.extend(found);
    problems.extend(languages::check(config, &routes, &input.config_source));

    let mut basis = Basis {
        input,
        routes: &routes,
        documents: &documents,
        references: &references,
        summary: summary.as_ref(),
        categories: &categories,
        index_paths: &index_paths,
        words: &words,
        pages: &pages,
        is_refused: problems.iter().any(Diagnostic::is_error),
    };
    let arranged = kept.arranged(basis);
    problems.extend(arranged.problems.iter().cloned());
    basis.is_refused = problems.iter().any(Diagnostic::is_error);
    let locales = locales(config, &index_paths);
    let (searched, found) = searched(basis, &arranged, &locales, kept, show);
    problems.extend(found);
    problems.extend(folder.files.static_files.unused(&folder.files.used()));
    (site(basis, &arranged, locales, searched, made_files), problems)
}

/// Where everything is shown, old addresses included.
fn laid(
    documents: &Rc<Documents>,
    references: &References<'_>,
    input: &Input,
    kept: &mut Kept,
) -> (Laid, Vec<Diagnostic>) {
    let Input {
        folder,
        config,
        config_source,
        ..
    } = input;
    let (mut laid, mut problems) = kept.routes(documents, references, input);
    if folder.sources.is_empty() {
        let message = if folder.files.drafts.is_empty() {
            "the content folder holds no Markdown files; write a first page, such as index.md"
        } else {
            "the content folder holds nothing but drafts; publish one, or build with `--drafts`"
        };
        problems.push(Diagnostic::error(config_source, 0, message));
    }
    let (moved, found) = redirects::redirects(
        &folder.sources,
        &laid.routes,
        &folder.files,
        config,
        config_source,
    );
    problems.extend(found);
    if !moved.is_empty() {
        Rc::make_mut(&mut laid.routes).redirects = moved;
    }
    (laid, problems)
}

/// The order of the pages where a book or another generator says it, which the routes follow then.
fn summary(
    Input {
        folder,
        config,
        config_source,
        ..
    }: &Input,
    routes: &mut Rc<Routes>,
) -> (Option<Summary>, Vec<Diagnostic>) {
    let Some(list) = &folder.summary else {
        return (None, Vec::new());
    };
    let surroundings = Surroundings {
        routes,
        files: &folder.files,
        content: &config.content,
    };
    let (mut summary, mut problems) = Summary::read(list, &folder.sources, surroundings);
    if !config.languages.is_empty() {
        let mut titles = list.translations();
        titles.extend(folder.titles.clone());
        summary.add_languages(routes, config, &titles);
    }
    summary.apply(Rc::make_mut(routes), folder.sources.len());
    if let Some(section) = config.sidebar.first() {
        let message = format!(
            "`{}` says the order of the pages; remove that file, or the `[[sidebar]]` tables",
            list.source().path
        );
        problems.push(Diagnostic::error(config_source, section.id.at, message));
    }
    (Some(summary), problems)
}

/// The pages of the folder, then those of the API references, and the files that these use.
fn pages(
    references: &References<'_>,
    routes: &Routes,
    words: &[Words],
    input: &Input,
    kept: &mut Kept,
) -> Written {
    let Input { folder, config, .. } = input;
    let mut problems = Vec::new();
    let mut pages = Vec::with_capacity(folder.sources.len());
    for (index, source) in folder.sources.iter().enumerate() {
        let words = &words[languages::number_of(&routes.places[index], config)];
        let (page, found) = kept.page(source, index, routes, words, input);
        problems.extend(found);
        pages.push(page);
    }
    let (of_references, made_files, found) = kept.references(references, routes, input);
    problems.extend(found);
    pages.extend(of_references);
    (pages, made_files, problems)
}

/// The languages of the site, with their pages from A to Z.
fn locales(config: &Config, index_paths: &[Option<String>]) -> Vec<Locale> {
    let mut locales = languages::locales(config);
    for (locale, path) in locales.iter_mut().zip(index_paths) {
        locale.index_page.clone_from(path);
    }
    locales
}

/// Everything together.
fn site(
    basis: Basis<'_>,
    arranged: &Arranged,
    locales: Vec<Locale>,
    searched: Searched,
    made_files: Vec<MadeFile>,
) -> Site {
    let Basis { input, pages, .. } = basis;
    let Input {
        folder,
        brand,
        components,
        ..
    } = input;
    let root_files = root_files(basis, arranged, &locales);
    let in_index = arranged
        .searched
        .iter()
        .chain(arranged.searched_elsewhere.iter().flatten());
    let static_files = folder.files.static_files.files();
    Site {
        manifest: Manifest::new(basis, arranged, locales, &searched),
        sections: in_index.map(|page| pages[*page].sections.len()).sum(),
        pages: arranged.page_data(pages),
        items: searched.items,
        index: searched.index,
        vectors: searched.vectors,
        new_cache: searched.new_cache,
        assets: [folder.files.used(), brand.assets.clone()].concat(),
        made_files,
        root_files,
        static_files: static_files.map(|(path, from)| (path.to_owned(), from)).collect(),
        cards: arranged.pictures.clone(),
        components: components.clone(),
    }
}

/// The files at the root of the site, those with the texts of all pages too. What a team has there itself stays.
fn root_files(basis: Basis<'_>, arranged: &Arranged, locales: &[Locale]) -> Vec<RootFile> {
    let Basis { input, pages, .. } = basis;
    let mut files = arranged.root_files.clone();
    if input.extras.llms_full {
        let sites = languages::sites(&input.config);
        let texts = machines::full_texts(&sites, locales, &arranged.entries(pages));
        let static_files = &input.folder.files.static_files;
        let texts = texts.into_iter();
        files.extend(texts.filter(|file| !static_files.contains(&file.path)));
    }
    files
}

/// Where everything is shown.
#[derive(Clone, Debug)]
struct Laid {
    routes: Rc<Routes>,
    /// The page from A to Z in each language, unless a page of the content is there.
    index_paths: Vec<Option<String>>,
}

/// What the pages are arranged by.
#[derive(Clone, Copy)]
struct Basis<'a> {
    input: &'a Input,
    routes: &'a Rc<Routes>,
    documents: &'a Rc<Documents>,
    references: &'a References<'a>,
    summary: Option<&'a Summary>,
    /// What folders say about themselves.
    categories: &'a BTreeMap<String, Category>,
    /// Those of each language.
    index_paths: &'a [Option<String>],
    words: &'a [Words],
    pages: &'a [Rc<Page>],
    /// Whether something is wrong already.
    is_refused: bool,
}

/// Where the page from A to Z is shown in each language, unless a page of the content is there.
fn index_paths(routes: &mut Routes, config: &Config) -> Vec<Option<String>> {
    let others = languages::locales(config)
        .into_iter()
        .skip(1)
        .map(|locale| locale.root);
    let roots: Vec<String> = std::iter::once(routes.prefix.clone()).chain(others).collect();
    let paths = roots.into_iter().map(|root| {
        let path = format!("{root}/a-z");
        (!routes.has(&path) && routes.other.insert(path.clone())).then_some(path)
    });
    paths.collect()
}
