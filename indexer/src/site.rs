//! The whole way of a folder: sources in, everything that the site and the search need out. Nothing is written here.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;
use std::rc::Rc;

use search_core::{IndexBuilder, IndexFile, Layout};
use serde::Serialize;
use xxhash_rust::xxh3::Xxh3;

use crate::api::{Documents, MadeFile, ManifestApi, References};
use crate::brand::{Brand, Favicon, Logo};
use crate::components::Components;
use crate::config::{Analytics, Announcement, Config, Content, Footer, Generator};
use crate::diagnostic::Diagnostic;
use crate::embed::{self, Cache, Embedding, KnownRows, Passage, Vectors};
use crate::front_matter::{self, Category, FrontMatter};
use crate::html::{self, CodeRenderer};
use crate::languages::{self, Language, Locale};
use crate::links::{self, Link, Surroundings, Target};
use crate::lists::Translations;
use crate::machines::markdown::markdown;
use crate::machines::{self, Addresses, RootFile};
use crate::mark::MarkedText;
use crate::markdown;
use crate::markdown::wiki::Wiki;
use crate::navbar::{self, ManifestNavbarItem};
use crate::redirects;
use crate::routes::{Routes, path_below_prefix};
use crate::sections::{self, Section};
use crate::sidebar::{SidebarSection, section_title};
use crate::source::{Asset, Folder, Source};
use crate::summary::Summary;
use crate::words::Words;

mod arranged;
mod below;
mod in_language;
mod kept;

use in_language::InLanguage;

pub(crate) use arranged::root_file;
pub use kept::Kept;

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

/// `manifest.json`
#[derive(Debug, Serialize)]
pub struct Manifest {
    version: u32,
    site: crate::config::Site,
    logo: Option<Logo>,
    favicon: Option<Favicon>,
    content: ManifestContent,
    search: ManifestSearch,
    navbar: Vec<ManifestNavbarItem>,
    hide_navbar_on_scroll: bool,
    logo_has_title: bool,
    docs_version: ManifestVersion,
    /// The languages of the site.
    locales: Vec<Locale>,
    /// Their words around the texts, where these are not the English ones.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    words: BTreeMap<String, Words>,
    footer: Option<Footer>,
    /// What stands around the pages of other languages, where it is not the same, by their tags.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    in_languages: BTreeMap<String, InLanguage>,
    announcement: Option<Announcement>,
    /// The API references.
    api: Vec<ManifestApi>,
    analytics: Option<Analytics>,
    /// The other sites whose images the pages show: a policy has to let them through.
    image_origins: BTreeSet<String>,
    /// The sections in the order of reading.
    #[serde(serialize_with = "as_list")]
    pub sidebar: Rc<[SidebarSection]>,
    /// The pages in the order of reading.
    #[serde(serialize_with = "as_list")]
    pub pages: Rc<[ManifestPage]>,
    /// The pages that are components.
    components: Vec<crate::components::Component>,
    /// The picture of the start page.
    card: Option<String>,
    /// The files at the root of the site, each below `root/` of the output.
    #[serde(serialize_with = "as_list")]
    root_files: Rc<[String]>,
    /// The files and folders that the site is made from, beside the content and the configuration.
    inputs: BTreeSet<PathBuf>,
}

fn as_list<T: Serialize, S: serde::Serializer>(list: &Rc<[T]>, serializer: S) -> Result<S::Ok, S::Error> {
    list.as_ref().serialize(serializer)
}

#[derive(Debug, Serialize)]
struct ManifestContent {
    route_prefix: String,
    landing: Option<String>,
}

/// The version of the pages. A site has one; the choice of a reader is remembered by the name of the plugin.
#[derive(Debug, Serialize)]
struct ManifestVersion {
    label: String,
    plugin: &'static str,
}

#[derive(Debug, Serialize)]
struct ManifestSearch {
    mode: String,
    api_url: Option<String>,
    model: Option<String>,
    /// The core of the index.
    index: String,
    /// The cores of the other languages.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    languages: BTreeMap<String, String>,
    /// All files of the indexes, which stand beside the cores.
    files: Vec<ManifestIndexFile>,
    /// Whether the index has vectors.
    vectors: bool,
}

#[derive(Debug, Serialize)]
struct ManifestIndexFile {
    name: String,
    bytes: usize,
    /// The letter of the kind, `core` for the core.
    kind: String,
}

/// A page in the manifest.
#[derive(Debug, Serialize)]
pub struct ManifestPage {
    /// Its address without the base.
    pub path: String,
    title: String,
    description: String,
    section: String,
    /// The file of its data.
    pub data: String,
    source: String,
    /// The file of its picture.
    card: Option<String>,
    /// Its Markdown, below the base.
    markdown: Option<String>,
    /// Whether it is found by its address alone.
    #[serde(rename = "unlisted", skip_serializing_if = "std::ops::Not::not")]
    is_unlisted: bool,
}

/// The data of a page.
#[derive(Clone, Debug)]
pub struct PageData {
    page: Rc<Page>,
    around: Rc<PageAround>,
}

/// What the data of a page say of where it stands.
#[derive(Debug, PartialEq, Eq)]
struct PageAround {
    path: String,
    section: PageSection,
    previous: Option<PageLink>,
    next: Option<PageLink>,
    edit_url: Option<String>,
    last_change: Option<String>,
    /// `reference` or `operations`, for the pages of an API reference.
    layout: Option<&'static str>,
    /// The list of the pages below, where the page shows it.
    pages_below: Option<String>,
    /// The file of its data in the output.
    data_file: String,
    /// That of its Markdown, where it has one.
    markdown_file: Option<String>,
}

impl PageData {
    /// The body below the title.
    pub fn html(&self) -> Cow<'_, str> {
        match &self.around.pages_below {
            Some(list) => Cow::Owned(below::with_list(&self.page.html, list)),
            None => Cow::Borrowed(&self.page.html),
        }
    }

    /// The page as the site reads it.
    pub(crate) fn to_json(&self) -> Vec<u8> {
        let Self { page, around } = self;
        let aliases = page.front_matter.aliases.iter();
        json(&PageJson {
            path: &around.path,
            title: &page.title,
            description: &page.description,
            section: &around.section,
            kind: page.front_matter.kind.as_ref().map(|kind| kind.text.as_str()),
            html: &self.html(),
            toc: &page.toc,
            previous: &around.previous,
            next: &around.next,
            edit_url: &around.edit_url,
            last_change: &around.last_change,
            aliases: aliases.map(|alias| alias.text.as_str()).collect(),
            layout: around.layout,
        })
    }

    /// The name of its file in the output.
    pub(crate) fn file(&self) -> &str {
        &self.around.data_file
    }

    /// Its Markdown, with the name of the file.
    pub(crate) fn markdown(&self) -> Option<(&str, &MarkedText)> {
        Some((
            self.around.markdown_file.as_deref()?,
            self.page.markdown.as_deref()?,
        ))
    }

    /// Whether it is the same, as far as that can be told without reading texts: a page that was kept is one and the same.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let is_around_same = Rc::ptr_eq(&self.around, &other.around) || self.around == other.around;
        Rc::ptr_eq(&self.page, &other.page) && is_around_same
    }
}

#[derive(Serialize)]
struct PageJson<'a> {
    path: &'a str,
    title: &'a str,
    description: &'a str,
    section: &'a PageSection,
    #[serde(rename = "type")]
    kind: Option<&'a str>,
    html: &'a str,
    toc: &'a [TocEntry],
    previous: &'a Option<PageLink>,
    next: &'a Option<PageLink>,
    edit_url: &'a Option<String>,
    last_change: &'a Option<String>,
    aliases: Vec<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    layout: Option<&'static str>,
}

fn json(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).expect("the data has only text keys")
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct PageSection {
    id: String,
    title: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct TocEntry {
    id: String,
    title: String,
    level: u8,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct PageLink {
    path: String,
    title: String,
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

impl Site {
    /// How many pages the content has.
    pub fn content_pages(&self) -> usize {
        let locales = self.manifest.locales.iter();
        self.pages.len() - locales.filter(|locale| locale.index_page.is_some()).count()
    }
}

impl Manifest {
    /// The name of the search index in the output.
    pub fn index_file(&self) -> &str {
        &self.search.index
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
    let Input {
        folder,
        config,
        config_source,
        embedding,
        components,
        brand,
        ..
    } = input;
    let mut problems = Vec::new();
    let (documents, found) = kept.documents(input);
    problems.extend(found);
    let references = References::new(&documents, config);
    let (laid, found) = kept.routes(&documents, &references, input);
    problems.extend(found);
    let Laid {
        mut routes,
        index_paths,
    } = laid;
    if folder.sources.is_empty() {
        let message = if folder.files.drafts.is_empty() {
            "the content folder holds no Markdown files; write a first page, such as index.md"
        } else {
            "the content folder holds nothing but drafts; publish one, or build with `--drafts`"
        };
        problems.push(Diagnostic::error(config_source, 0, message));
    }

    let (moved, found) = redirects::redirects(&folder.sources, &routes, &folder.files, config, config_source);
    problems.extend(found);
    if !moved.is_empty() {
        Rc::make_mut(&mut routes).redirects = moved;
    }

    let summary = folder.summary.as_ref().map(|list| {
        let surroundings = Surroundings {
            routes: &routes,
            files: &folder.files,
            content: &config.content,
        };
        Summary::read(list, &folder.sources, surroundings)
    });
    let summary = summary.map(|(mut summary, found)| {
        problems.extend(found);
        if let Some(list) = folder.summary.as_ref().filter(|_| !config.languages.is_empty()) {
            let mut titles = list.translations();
            titles.extend(folder.titles.clone());
            summary.add_languages(&routes, config, &titles);
        }
        summary.apply(Rc::make_mut(&mut routes), folder.sources.len());
        if let Some(section) = config.sidebar.first() {
            let file = folder
                .summary
                .as_ref()
                .map_or("", |list| list.source().path.as_str());
            let message = format!(
                "`{file}` says the order of the pages; remove that file, or the `[[sidebar]]` tables"
            );
            problems.push(Diagnostic::error(config_source, section.id.at, message));
        }
        summary
    });

    if config.content.is_of(Generator::Myst) {
        Rc::make_mut(&mut routes).labels = kept.labels(&folder.sources, &config.content.origin.references);
    }
    kept.begin(&routes, input);
    let words = Words::of_site(config);
    let mut pages = Vec::with_capacity(folder.sources.len());
    for (index, source) in folder.sources.iter().enumerate() {
        let words = &words[languages::number_of(&routes.places[index], config)];
        let (page, found) = kept.page(source, index, &routes, words, input);
        problems.extend(found);
        pages.push(page);
    }
    let (reference_pages, made_files, found) = kept.references(&references, &routes, input);
    problems.extend(found);
    pages.extend(reference_pages);
    problems.extend(check_across_pages(&pages, &routes, input));
    problems.extend(check_references(&pages, &references, config));
    let (categories, found) = categories(input, &routes);
    problems.extend(found);
    problems.extend(languages::check(config, &routes, config_source));

    let basis = Basis {
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

    let searched = &arranged.searched;
    let inbound = OnceCell::new();
    let around = |index: usize| {
        let inbound = inbound.get_or_init(|| InboundLinks::collect(&pages));
        SearchedAround {
            path: &routes.paths[index],
            folder: &arranged.section_titles[index],
            inbound: inbound.of(index, &pages[index]),
        }
    };
    let mut index_builder = kept.index_builder(&arranged, &pages);
    let mut locales = languages::locales(config);
    for (locale, path) in locales.iter_mut().zip(&index_paths) {
        locale.index_page.clone_from(path);
    }
    let elsewhere: Vec<(&str, Rc<[IndexFile]>)> = locales[1..]
        .iter()
        .zip(&arranged.searched_elsewhere)
        .filter(|(_, searched)| !searched.is_empty())
        .map(|(locale, searched)| {
            let found: Vec<&Rc<Page>> = searched.iter().map(|index| &pages[*index]).collect();
            let files = kept.index_elsewhere(&locale.tag, &found, |at| around(searched[at]));
            (locale.tag.as_str(), files)
        })
        .collect();
    for index in searched {
        let section = &arranged.section_titles[*index];
        kept.add_to_index(&mut index_builder, &pages[*index], section, || around(*index));
    }
    let order: Vec<&Page> = searched.iter().map(|page| &*pages[*page]).collect();
    // A transformer is no use to content that will be refused.
    let is_refused = problems.iter().any(Diagnostic::is_error);
    let (vectors, new_cache) = if is_refused {
        (None, None)
    } else {
        vectors(&order, embedding, kept.rows(), &mut problems, config_source)
    };
    if let Some(vectors) = &vectors {
        let pieces: Vec<&str> = vectors.table.pieces().iter().map(String::as_str).collect();
        index_builder.set_vectors(search_core::Vectors {
            embedder: &vectors.embedder,
            dimensions: vectors.dimensions,
            sections: &vectors.sections,
            pieces: &pieces,
            table: &vectors.table.rows(),
        });
    }
    let mut rows = vectors
        .as_ref()
        .map(|vectors| vectors.sections.chunks_exact(vectors.dimensions));
    let items = searched.iter().map(|index| {
        let page = &pages[*index];
        let rows: Vec<&[f32]> = rows
            .as_mut()
            .map_or_else(Vec::new, |rows| rows.take(page.sections.len()).collect());
        kept.items(page, &around(*index), &rows)
    });
    let items = input.extras.items.then(|| items.collect());
    show(&index_builder);
    let mut index = index_builder.finish(Layout::Auto);
    kept.finished(index_builder);
    let core_file = |files: &[IndexFile]| format!("search/{}", files[0].name);
    let core = core_file(&index);
    let languages = elsewhere
        .iter()
        .map(|(tag, files)| ((*tag).to_owned(), core_file(files)))
        .collect();
    // A file that two of them have is the same: its name has a checksum.
    let others = elsewhere.iter().flat_map(|(_, files)| files.iter().cloned());
    index.extend(others);
    let mut names = BTreeSet::new();
    index.retain(|file| names.insert(file.name.clone()));

    let image_origins = pages
        .iter()
        .flat_map(|page| &page.links)
        .filter_map(|link| link.image_origin().map(str::to_owned))
        .collect();
    let included = pages
        .iter()
        .flat_map(|page| page.included.iter().cloned())
        .collect();
    let static_files = &folder.files.static_files;
    problems.extend(static_files.unused(&folder.files.used()));
    let mut root_files = arranged.root_files.clone();
    if input.extras.llms_full {
        let texts = machines::full_texts(&languages::sites(config), &locales, &arranged.entries(&pages));
        root_files.extend(
            texts
                .into_iter()
                .filter(|file| !static_files.contains(&file.path)),
        );
    }
    let manifest = Manifest {
        version: 1,
        site: config.site.clone(),
        logo: brand.logo.clone(),
        favicon: brand.favicon.clone(),
        content: ManifestContent {
            route_prefix: config.content.route_prefix.clone(),
            landing: routes.landing.map(|page| routes.paths[page].clone()),
        },
        search: ManifestSearch {
            mode: config.search.mode.clone(),
            api_url: config.search.api_url.clone(),
            model: config.search.model.clone(),
            index: core,
            languages,
            files: index.iter().map(manifest_index_file).collect(),
            vectors: vectors.is_some(),
        },
        navbar: arranged.navbar.clone(),
        hide_navbar_on_scroll: config.site.hide_navbar_on_scroll,
        logo_has_title: input.brand.logo_has_title,
        docs_version: ManifestVersion {
            label: config.content.version.clone(),
            plugin: "default",
        },
        words: locales
            .iter()
            .zip(&words)
            .filter(|(_, words)| !words.is_empty())
            .map(|(locale, words)| (locale.tag.clone(), words.clone()))
            .collect(),
        locales,
        footer: arranged.footer.clone(),
        in_languages: arranged.in_languages.clone(),
        announcement: config.announcement.clone(),
        api: references.manifest(),
        analytics: config.analytics.clone(),
        image_origins,
        sidebar: Rc::clone(&arranged.sidebar),
        pages: Rc::clone(&arranged.manifest_pages),
        components: components.pages.clone(),
        card: arranged.card.clone(),
        root_files: Rc::clone(&arranged.root_names),
        inputs: inputs(input, included),
    };
    let site = Site {
        manifest,
        sections: searched
            .iter()
            .chain(arranged.searched_elsewhere.iter().flatten())
            .map(|page| pages[*page].sections.len())
            .sum(),
        pages: arranged.page_data(&pages),
        items,
        index,
        vectors,
        new_cache,
        assets: [folder.files.used(), brand.assets.clone()].concat(),
        made_files,
        root_files,
        static_files: static_files
            .files()
            .map(|(path, from)| (path.to_owned(), from))
            .collect(),
        cards: arranged.pictures.clone(),
        components: components.clone(),
    };
    (site, problems)
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

/// The vectors of the sections, in the order of the pages, and what the cache should hold if that changed.
fn vectors(
    pages: &[&Page],
    embedding: &Embedding,
    known: &mut KnownRows,
    problems: &mut Vec<Diagnostic>,
    config_source: &Source,
) -> (Option<Vectors>, Option<Rc<Cache>>) {
    if embedding.encoder.is_none() && embedding.cache.is_none() {
        return (None, None);
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
    (
        vectors,
        new_cache.filter(|new| embedding.cache.as_ref() != Some(new)),
    )
}

/// Four decimals, and no zero with a sign.
fn rounded(value: f32) -> f64 {
    (f64::from(value) * 1e4).round() / 1e4 + 0.0
}

fn manifest_index_file(file: &IndexFile) -> ManifestIndexFile {
    let kind = file.name.split(|c: char| !c.is_ascii_alphabetic()).next();
    ManifestIndexFile {
        name: file.name.clone(),
        bytes: file.bytes.len(),
        kind: kind.unwrap_or_default().to_owned(),
    }
}

/// The pages of the references, their files, and what is wrong with them.
type Written = (Vec<Rc<Page>>, Vec<MadeFile>, Vec<Diagnostic>);

/// What is known of a page before all of them are.
#[derive(Clone, Debug, Default, PartialEq)]
struct Page {
    title: String,
    description: String,
    front_matter: FrontMatter,
    html: String,
    /// It shows the list of the pages below it.
    lists_pages: bool,
    /// The page as Markdown, where it is one of those that are read.
    markdown: Option<Rc<MarkedText>>,
    toc: Vec<TocEntry>,
    ids: BTreeSet<String>,
    sections: Vec<Section>,
    links: Vec<Link>,
    /// The files that its text includes.
    included: Vec<PathBuf>,
    /// It names files between brackets that are not there yet.
    misses_names: bool,
}

impl Page {
    /// Its description, with a sign that it goes on where it is the first words of a text.
    fn whole_description(&self) -> String {
        let is_cut = self.front_matter.description.is_none()
            && self
                .description
                .ends_with(|c: char| c.is_alphanumeric() || matches!(c, ',' | ';'));
        match is_cut {
            true => format!("{}…", self.description),
            false => self.description.clone(),
        }
    }
}

/// They show a page with the heading that it begins with; the title of its front matter is for lists, and in VitePress for the window.
const HEADED: [Generator; 4] = [
    Generator::VitePress,
    Generator::Docusaurus,
    Generator::MkDocs,
    Generator::Jekyll,
];

fn read_page(
    source: &Source,
    index: usize,
    routes: &Routes,
    words: &Words,
    Input { folder, config, .. }: &Input,
    code_renderer: &mut CodeRenderer,
) -> (Page, Vec<Diagnostic>) {
    let schema = config.content.schema;
    let (mut front_matter, body_at, mut problems) = front_matter::parse(source, schema);
    let has_broken_front_matter = problems.iter().any(Diagnostic::is_error);
    let listed = routes.names.get(&index);
    let included = if schema.is_strict() {
        None
    } else {
        folder.files.included(source, body_at, &config.content.origin)
    };
    let mut complain = |at: usize, message: &str| {
        problems.push(config.content.broken_link(source, at, message));
    };
    for (at, message) in included.iter().flat_map(|included| &included.missing) {
        complain(*at, message);
    }
    let reading = markdown::Reading {
        schema,
        heading_ids: config.content.heading_ids.unwrap_or_default(),
        is_titled: front_matter.title.is_some() && !front_matter.hides_title,
        included: included.as_ref().map(|included| &included.reshaped),
        is_mdx: config.content.is_of(Generator::Docusaurus)
            || config.content.is_of(Generator::Mintlify)
            || included.as_ref().is_some_and(|included| included.is_mdx),
        jekyll: config
            .content
            .is_of(Generator::Jekyll)
            .then_some(&config.content.origin.parameters),
        has_autorefs: config.content.origin.has_autorefs,
        myst: config.content.is_of(Generator::Myst).then_some(routes),
        wiki: (!schema.is_strict() && !config.content.is_of(Generator::Myst)).then_some(Wiki {
            routes,
            files: &folder.files,
            is_vault: config.content.is_of(Generator::Obsidian),
        }),
    };
    let (document, found) = markdown::parse(source, body_at, reading);
    for (at, message) in &document.missing_names {
        complain(*at, message);
    }
    problems.extend(found);
    let surroundings = Surroundings {
        routes,
        files: &folder.files,
        content: &config.content,
    };
    let parts = included.iter().flat_map(|included| &included.files);
    let parts: Vec<Source> = parts.filter_map(|file| folder.files.part(file)).collect();
    let (links, found) = links::collect(&document, source, index, &parts, surroundings);
    problems.extend(found);

    let heading = document
        .title
        .as_ref()
        .map(|title| title.text.clone())
        .filter(|title| !title.is_empty());
    let told = front_matter
        .title
        .as_ref()
        .map(|title| title.text.trim().to_owned());
    let is_headed = HEADED.iter().any(|generator| config.content.is_of(*generator));
    let shows_heading = heading.is_some() && (is_headed || front_matter.hides_title);
    if shows_heading && !config.content.is_of(Generator::VitePress) {
        front_matter.label = front_matter.label.or_else(|| told.clone());
    }
    let [first, second] = if shows_heading {
        [heading, told]
    } else {
        [told, heading]
    };
    let title = first
        .or(second)
        .or_else(|| listed.cloned())
        .unwrap_or_else(|| {
            if let Some(name) = note_name(source, &config.content) {
                return name;
            }
            let own = match routes.paths[index].rsplit('/').next() {
                Some(name) if !name.is_empty() => crate::routes::words(name),
                _ => config.site.title.clone(),
            };
            // Our own content has been told by the rules of its front matter.
            if !has_broken_front_matter {
                let message = format!(
                    "the page has no title and is shown as `{own}`; add `title:` to the front matter or a first heading `# Title`"
                );
                problems.push(Diagnostic::warning(source, 0, message));
            }
            own
        });
    let context = html::Context {
        source,
        schema,
        base: &config.site.base,
        title: &title,
        links: &links,
        words,
        has_line_numbers: config.content.line_numbers.unwrap_or_default(),
    };
    let (html, found) = html::render(&document, context, code_renderer);
    problems.extend(found);

    for tested in &front_matter.tested {
        if !document
            .fences
            .iter()
            .any(|fence| fence.get("id") == Some(&tested.text))
        {
            let message = format!(
                "`tested` names `{}`, but no code block of the page has this id",
                tested.text
            );
            problems.push(Diagnostic::error(source, tested.at, message));
        }
    }
    let sections = sections::split(&document);
    let description = match &front_matter.description {
        Some(description) => description.text.clone(),
        None => first_words(&sections[0].body, *front_matter::DESCRIPTION_RANGE.end()),
    };
    let markdown = markdown(
        (
            &title,
            front_matter
                .description
                .as_ref()
                .map(|description| description.text.as_str()),
        ),
        (source, body_at),
        &document,
        &links,
        (routes, Addresses { site: &config.site }),
    );
    let toc = document
        .headings
        .iter()
        .filter(|heading| heading.level <= markdown::DEEPEST_SECTION && !heading.text.is_empty())
        .map(|heading| TocEntry {
            id: heading.id.clone(),
            title: heading.text.clone(),
            level: heading.level,
        })
        .collect();
    let of_headings = document.headings.iter().map(|heading| heading.id.clone());
    let of_title = document.title.as_ref().and_then(|title| title.id.clone());
    let ids = of_headings
        .chain(document.anchors.iter().flatten().cloned())
        .chain(of_title)
        .collect();
    (
        Page {
            title,
            description,
            front_matter,
            lists_pages: document.lists_pages || html.trim().is_empty(),
            html,
            markdown: Some(MarkedText::new(markdown)),
            toc,
            ids,
            sections,
            links,
            misses_names: !document.missing_names.is_empty(),
            included: included.map_or_else(Vec::new, |included| [included.files, included.asked].concat()),
        },
        problems,
    )
}

/// What Obsidian shows as the title of a note: the name of its file, which links to it say.
fn note_name(source: &Source, content: &Content) -> Option<String> {
    let name = source.path.rsplit('/').next()?;
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    content.is_of(Generator::Obsidian).then(|| stem.to_owned())
}

fn inputs(input: &Input, included: BTreeSet<PathBuf>) -> BTreeSet<PathBuf> {
    let documents = input.api_documents.iter().flatten();
    let pictures = input.brand.sources.iter().cloned();
    let folders = [&input.folder.files.static_files.root, &input.components.root];
    // They need not be in the content folder.
    let lists = input.folder.list_files.iter().cloned();
    let beside = input.folder.files.beside();
    documents
        .map(|document| PathBuf::from(&document.display))
        .chain(lists)
        .chain(pictures)
        .chain(beside)
        .chain(included)
        .chain(
            folders
                .into_iter()
                .filter(|folder| !folder.as_os_str().is_empty())
                .cloned(),
        )
        .collect()
}

/// What folders say about themselves, by their path below the prefix. Our own content says it in the configuration.
fn categories(
    Input { folder, config, .. }: &Input,
    routes: &Routes,
) -> (BTreeMap<String, Category>, Vec<Diagnostic>) {
    let mut categories = BTreeMap::new();
    let mut problems = Vec::new();
    if config.content.schema.is_strict() {
        return (categories, problems);
    }
    for path in folder.files.named(&Category::FILES) {
        match folder.files.read_text(path) {
            Ok((source, found)) => {
                problems.extend(found);
                let (category, found) = Category::parse(&source);
                problems.extend(found);
                let parent = path.rsplit_once('/').map_or("", |(parent, _)| parent);
                categories.insert(
                    path_below_prefix(
                        &format!("{parent}/index.md"),
                        config.content.has_number_prefixes(),
                    )
                    .trim_start_matches('/')
                    .to_owned(),
                    category,
                );
            }
            Err(error) => {
                let source = Source::new(path, path, "");
                problems.push(Diagnostic::error(&source, 0, error.to_string()));
            }
        }
    }
    add_of_languages(&mut categories, config, &folder.titles);
    for (folder, number) in &routes.folder_numbers {
        let category: &mut Category = categories.entry(folder.clone()).or_default();
        category.position.get_or_insert(*number);
    }
    (categories, problems)
}

/// What a folder says in the first language holds for the translated ones that say nothing, with the name that it has there.
fn add_of_languages(categories: &mut BTreeMap<String, Category>, config: &Config, titles: &Translations) {
    let is_translated = |language: &&Language| {
        let mut translated = config.translated.iter();
        translated.any(|translated| translated.folder == language.folder)
    };
    for language in config.languages.iter().filter(is_translated) {
        let of_first: Vec<(String, Category)> = categories
            .iter()
            .filter(|(path, _)| languages::folder_of(path, config).is_none())
            .map(|(path, category)| (format!("{}/{path}", language.folder), category.clone()))
            .collect();
        for (path, mut category) in of_first {
            if let Some(label) = &mut category.label
                && let Some(own) = titles.get(label).and_then(|own| own.get(&language.tag))
            {
                label.clone_from(own);
            }
            categories.entry(path).or_insert(category);
        }
    }
}

/// Gives the pages of the API references their paths.
fn add_references(routes: &mut Routes, references: &References<'_>) -> Vec<Diagnostic> {
    let mut problems = Vec::new();
    for index in 0..references.len() {
        let page = references.planned(index);
        if routes.add(page.path.clone(), page.section.0).is_err() {
            let message = format!(
                "another page is shown at {} already; rename it, or the tag",
                page.path
            );
            problems.push(Diagnostic::error(references.source(index), 0, message));
        }
    }
    problems
}

/// The pages of the API references, which follow those of the folder, and the files that they use.
fn write_references(
    references: &References<'_>,
    routes: &Routes,
    Input { folder, config, .. }: &Input,
    code_renderer: &mut CodeRenderer,
) -> Written {
    let surroundings = Surroundings {
        routes,
        files: &folder.files,
        content: &config.content,
    };
    let (mut pages, mut files, mut problems) = (Vec::new(), Vec::new(), Vec::new());
    for index in 0..references.len() {
        let page = folder.sources.len() + index;
        let written = references.write(index, page, &config.site.base, surroundings, code_renderer);
        problems.extend(written.problems);
        files.extend(written.files);
        let toc = written.headings.iter().map(|(id, title)| TocEntry {
            id: id.clone(),
            title: title.clone(),
            level: 2,
        });
        let title = references.planned(index).title;
        pages.push(Rc::new(Page {
            markdown: Some(MarkedText::new(reference_markdown(&title, &written.sections))),
            title,
            description: first_words(&written.description, *front_matter::DESCRIPTION_RANGE.end()),
            html: written.html,
            toc: toc.collect(),
            ids: written.headings.into_iter().map(|(id, _)| id).collect(),
            sections: written.sections,
            links: written.links,
            ..Page::default()
        }));
    }
    (pages, files, problems)
}

/// A page of a reference as plain Markdown.
fn reference_markdown(title: &str, sections: &[Section]) -> String {
    let mut markdown = format!("# {title}\n");
    for section in sections {
        if !section.headings[0].is_empty() {
            markdown.push_str(&format!("\n## {}\n", section.headings[0]));
        }
        if !section.body.is_empty() {
            markdown.push_str(&format!("\n{}\n", section.body));
        }
    }
    markdown
}

/// Checks the anchors of the links in descriptions.
fn check_references(pages: &[Rc<Page>], references: &References<'_>, config: &Config) -> Vec<Diagnostic> {
    let own = &pages[pages.len() - references.len()..];
    let checked = own.iter().enumerate().flat_map(|(index, page)| {
        let source = references.source(index);
        check_anchors(page, source, pages, config)
    });
    checked.collect()
}

fn check_anchors(page: &Page, source: &Source, pages: &[Rc<Page>], config: &Config) -> Vec<Diagnostic> {
    let has_id = |page: usize, id: &str| pages[page].ids.contains(id);
    let headings = |page: usize| {
        let entries = pages[page].toc.iter();
        entries
            .map(|entry| (entry.id.as_str(), entry.title.as_str()))
            .collect()
    };
    links::check_anchors(&page.links, source, &config.content, has_id, headings)
}

/// Checks that need every page: anchors, related pages, titles, sections and the links of the configuration.
fn check_across_pages(
    pages: &[Rc<Page>],
    routes: &Routes,
    Input {
        folder,
        config,
        config_source,
        ..
    }: &Input,
) -> Vec<Diagnostic> {
    let mut problems = Vec::new();
    let mut titles: BTreeMap<&str, usize> = BTreeMap::new();
    for (index, (page, source)) in pages.iter().zip(&folder.sources).enumerate() {
        problems.extend(check_anchors(page, source, pages, config));
        if !config.content.schema.is_strict() {
            continue;
        }
        if let Some(title) = &page.front_matter.title
            && let Some(other) = titles.insert(&title.text, index)
        {
            let message = format!(
                "`{}` has the title `{}` too; titles are unique",
                folder.sources[other].path, title.text
            );
            problems.push(Diagnostic::error(source, title.at, message));
        }
        let expected = section_title(&routes.folders[index], config, None);
        if let Some(section) = &page.front_matter.section
            && section.text != expected
        {
            let message = format!(
                "`section` is `{}`, but the page stands in the section `{expected}`",
                section.text
            );
            problems.push(Diagnostic::error(source, section.at, message));
        }
        let surroundings = Surroundings {
            routes,
            files: &folder.files,
            content: &config.content,
        };
        for related in &page.front_matter.related {
            match links::resolve(&related.text, source, index, false, surroundings) {
                Ok(Target::Page {
                    page: other,
                    anchor: None,
                    ..
                }) if other != index => {}
                Ok(_) => {
                    let message = format!("`related` takes paths of other pages, not `{}`", related.text);
                    problems.push(Diagnostic::error(source, related.at, message));
                }
                Err(refusal) => problems.push(Diagnostic::error(source, related.at, refusal.message())),
            }
        }
    }
    for link in navbar::links(config) {
        let Some(path) = &link.to else { continue };
        let path_only = path.split(['#', '?']).next().unwrap_or(path);
        if path_only != "/" && !routes.has(path_only) {
            let message = format!(
                "there is no page `{path}`; the link `{}` takes the path of a page",
                link.label
            );
            problems.push(Diagnostic::error(config_source, link.at, message));
        }
    }
    problems
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

fn add_to_index(builder: &mut IndexBuilder, page: &Page, around: &SearchedAround<'_>) {
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

/// What is found of a page, beside what it says itself.
struct SearchedAround<'a> {
    path: &'a str,
    folder: &'a str,
    /// See [`InboundLinks::of`].
    inbound: Vec<&'a [&'a str]>,
}

impl SearchedAround<'_> {
    /// Stands for all of it.
    fn digest(&self) -> u128 {
        self.digest_with(&[])
    }

    /// Stands for it and for the vectors of the sections.
    fn digest_with(&self, rows: &[&[f32]]) -> u128 {
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

/// The items of a page, a line each; `rows` are the vectors of its sections, where there are any.
fn items(page: &Page, around: &SearchedAround<'_>, rows: &[&[f32]]) -> Vec<u8> {
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

/// As many whole words as fit into `most` characters.
fn first_words(text: &str, most: usize) -> String {
    let mut words = String::new();
    let mut length = 0;
    for word in text.split_whitespace() {
        let more = word.chars().count() + usize::from(length > 0);
        if length + more > most {
            break;
        }
        if length > 0 {
            words.push(' ');
        }
        words.push_str(word);
        length += more;
    }
    words
}
