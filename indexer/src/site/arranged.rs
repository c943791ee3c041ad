//! What follows from the pages together and from the text of none: their order, the lists of them, what stands around each. Most
//! changes of a text leave all of it as it was.

use std::cell::LazyCell;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

use super::in_language::{self, InLanguage};
use super::kept::{self, Kept};
use super::manifest::ManifestPage;
use super::page::{Page, TocEntry};
use super::page_data::{PageAround, PageData, PageLink, PageSection};
use super::{Basis, Input, below};
use crate::card::{CardWords, Cards};
use crate::config::{Footer, Generator, Site};
use crate::diagnostic::Diagnostic;
use crate::languages::{self, Language, Locale, Translation};
use crate::machines::index_page;
use crate::machines::{self, Entry, RootFile};
use crate::menu::MenuEntry;
use crate::navbar::{self, InMenu, ManifestNavbarItem};
use crate::routes::Routes;
use crate::sidebar::{self, Sidebar, SidebarSection};
use crate::source::fnv1a;
use crate::words::Words;

/// The pages in their order.
#[derive(Debug)]
pub(super) struct Arranged {
    pub(super) navbar: Vec<ManifestNavbarItem>,
    pub(super) footer: Option<Footer>,
    /// By the tags of the other languages, where something is not as in the first.
    pub(super) in_languages: BTreeMap<String, InLanguage>,
    pub(super) sidebar: Rc<[SidebarSection]>,
    /// The pages that are searched, in the order of reading: those of the first language.
    pub(super) searched: Vec<usize>,
    /// Those of each other language.
    pub(super) searched_elsewhere: Vec<Vec<usize>>,
    /// What the section of each page is called.
    pub(super) section_titles: Vec<String>,
    /// All pages with what is around them, in the order of the manifest.
    around: Vec<(usize, Rc<PageAround>)>,
    /// The pages from A to Z.
    index_pages: Vec<PageData>,
    pub(super) manifest_pages: Rc<[ManifestPage]>,
    /// The picture of the start page.
    pub(super) card: Option<String>,
    pub(super) pictures: BTreeMap<String, Rc<[u8]>>,
    /// The files at the root of the site that hold no text of a page.
    pub(super) root_files: Vec<RootFile>,
    /// The names of all files at the root of the site.
    pub(super) root_names: Rc<[String]>,
    pub(super) problems: Vec<Diagnostic>,
}

impl Arranged {
    /// What there is of these pages.
    pub(super) fn page_data(&self, pages: &[Rc<Page>]) -> Vec<PageData> {
        let data = self.around.iter().map(|(page, around)| PageData {
            page: Rc::clone(&pages[*page]),
            around: Rc::clone(around),
        });
        data.chain(self.index_pages.iter().cloned()).collect()
    }

    /// The paths of the pages that are searched, in the order of reading.
    pub(super) fn searched_paths(&self) -> impl Iterator<Item = &str> {
        let paths: HashMap<usize, &str> = self
            .around
            .iter()
            .map(|(page, around)| (*page, around.path.as_str()))
            .collect();
        self.searched.iter().map(move |page| paths[page])
    }

    /// What programs are told of these pages.
    pub(super) fn entries<'a>(&'a self, pages: &'a [Rc<Page>]) -> Vec<Entry<'a>> {
        entries(&self.around, &self.index_pages, &self.manifest_pages, pages)
    }
}

fn entries<'a>(
    around: &'a [(usize, Rc<PageAround>)],
    index_pages: &'a [PageData],
    manifest_pages: &[ManifestPage],
    pages: &'a [Rc<Page>],
) -> Vec<Entry<'a>> {
    let of_content = around.iter().map(|(page, around)| (&*pages[*page], &**around));
    let all = of_content.chain(index_pages.iter().map(|data| (&*data.page, &*data.around)));
    let listed = all.zip(manifest_pages).filter(|(_, page)| !page.is_unlisted);
    let entries = listed.map(|((page, around), _)| Entry {
        path: &around.path,
        title: &page.title,
        description: &page.description,
        section: &around.section.title,
        last_change: around.last_change.as_deref(),
        markdown: page.markdown.as_ref(),
    });
    entries.collect()
}

/// Arranges the pages. Nothing is drawn where they are refused.
pub(super) fn arrange(basis: Basis<'_>, kept: &mut Kept) -> Arranged {
    let Basis {
        input, routes, pages, ..
    } = basis;
    let config = &input.config;
    let titles: Vec<String> = pages.iter().map(|page| page.title.clone()).collect();
    let names = names(basis);
    let (sidebar, mut problems) = sidebar(basis, &names);
    let section_titles = section_titles(basis, &sidebar.sections);
    let locales = languages::locales(config);
    let sites = languages::sites(config);
    let languages: Vec<usize> = (0..pages.len())
        .map(|page| languages::locale_of(&routes.paths[page], &locales))
        .collect();
    let in_menu = in_menu(basis, &names, &languages);
    let surroundings = navbar::Surroundings {
        titles: &titles,
        menu: &in_menu,
        sidebar: &sidebar.sections,
        config_source: &input.config_source,
    };
    let (bars, found) = bars(basis, surroundings, &sidebar.order);
    problems.extend(found);
    let mut searched = by_language(&sidebar, &languages, locales.len());
    let is_refused = basis.is_refused || problems.iter().any(Diagnostic::is_error);
    // Pictures are named by whole addresses, which only a published site has.
    let mut cards = (config.site.url.is_some() && !is_refused).then(|| CardBox::new(kept));
    let card = cards.as_mut().map(|cards| cards.add_site(&config.site));
    let named = Named {
        titles: &titles,
        section_titles: &section_titles,
        languages: &languages,
        sites: &sites,
    };
    let (around, mut manifest_pages) = placed(basis, &sidebar, named, cards.as_mut());
    let index_pages = index_pages(basis, &searched, &section_titles, &sites);
    manifest_pages.extend(index_pages.iter().map(|data| {
        let site = &sites[languages::locale_of(&data.around.path, &locales)];
        index_in_manifest(data, site, cards.as_mut())
    }));
    let home: Vec<String> = home_path(routes)
        .into_iter()
        .chain(routes.component_paths().map(str::to_owned))
        .collect();
    let paths = manifest_pages.iter().map(|page| page.path.as_str());
    let paths = paths.chain(home.iter().map(String::as_str));
    problems.extend(input.folder.files.static_files.check(paths));
    let told = entries(&around, &index_pages, &manifest_pages, pages);
    let root_files = root_files(basis, &told, &home, &locales, named);
    let searched_elsewhere = searched.split_off(1);
    Arranged {
        navbar: bars.navbar,
        footer: bars.footer,
        in_languages: bars.in_languages,
        sidebar: sidebar.sections.into(),
        searched: searched.pop().unwrap_or_default(),
        searched_elsewhere,
        root_names: root_names(input, &root_files, &locales),
        section_titles,
        around,
        index_pages,
        manifest_pages: manifest_pages.into(),
        card,
        pictures: cards.map(|cards| cards.pictures).unwrap_or_default(),
        root_files,
        problems,
    }
}

/// What the pages of the folder are called in lists.
fn names(Basis { input, pages, .. }: Basis<'_>) -> Vec<String> {
    let pages = pages[..input.folder.sources.len()].iter();
    pages
        .map(|page| page.front_matter.label.as_ref().unwrap_or(&page.title).clone())
        .collect()
}

/// The lists of the pages of the folder, and behind them those of the API references.
fn sidebar(basis: Basis<'_>, names: &[String]) -> (Sidebar, Vec<Diagnostic>) {
    let Basis {
        input, routes, pages, ..
    } = basis;
    let Input {
        folder,
        config,
        config_source,
        ..
    } = input;
    let from_folder = || pages[..folder.sources.len()].iter();
    let orders: Vec<Option<f64>> = from_folder()
        .zip(&routes.numbers)
        .map(|(page, number)| page.front_matter.order.or(*number))
        .collect();
    let labels: Vec<Option<String>> = from_folder()
        .map(|page| page.front_matter.label.clone())
        .collect();
    let are_unlisted: Vec<bool> = from_folder().map(|page| page.front_matter.is_unlisted).collect();
    let listed = sidebar::Pages {
        routes,
        titles: names,
        orders: &orders,
        labels: &labels,
        are_unlisted: &are_unlisted,
        categories: basis.categories,
        language: &config.site.language,
    };
    let (mut sidebar, problems) = match basis.summary {
        Some(summary) => summary.sidebar(listed, &folder.sources, config),
        None => sidebar::sidebar(listed, config, config_source),
    };
    sidebar.sections.extend(basis.references.sidebar());
    sidebar.order.extend(folder.sources.len()..pages.len());
    (sidebar, problems)
}

/// What the section of each page is called.
fn section_titles(basis: Basis<'_>, sections: &[SidebarSection]) -> Vec<String> {
    let titles: HashMap<&str, &str> = sections
        .iter()
        .map(|section| (section.id.as_str(), section.title.as_str()))
        .collect();
    let from_folder = basis.input.folder.sources.len();
    (0..basis.pages.len())
        .map(|page| match page.checked_sub(from_folder) {
            None => titles
                .get(basis.routes.folders[page].as_str())
                .map_or_else(String::new, |title| (*title).to_owned()),
            Some(reference) => basis.references.planned(reference).section.1,
        })
        .collect()
}

/// The pages that say that they are in the main menu of Hugo. `languages` are the numbers of the languages of all pages.
fn in_menu(Basis { input, pages, .. }: Basis<'_>, names: &[String], languages: &[usize]) -> Vec<InMenu> {
    if !input.config.content.is_of(Generator::Hugo) {
        return Vec::new();
    }
    let entries = pages.iter().zip(names).enumerate();
    let entries = entries.filter_map(|(page, (read, name))| {
        let entry = read.front_matter.menu.clone()?;
        let name = Some(entry.name)
            .filter(|name| !name.is_empty())
            .unwrap_or_else(|| name.clone());
        Some(InMenu {
            page,
            is_of_first: languages[page] == 0,
            entry: MenuEntry { name, ..entry },
        })
    });
    entries.collect()
}

/// What stands above and below the pages.
struct Bars {
    navbar: Vec<ManifestNavbarItem>,
    footer: Option<Footer>,
    /// By the tags of the other languages, where something is not as in the first.
    in_languages: BTreeMap<String, InLanguage>,
}

fn bars(
    basis: Basis<'_>,
    surroundings: navbar::Surroundings<'_>,
    order: &[usize],
) -> (Bars, Vec<Diagnostic>) {
    let Basis { input, routes, .. } = basis;
    let config = &input.config;
    let of_first = Translation {
        config,
        routes,
        language: None,
        start: None,
    };
    let (navbar, problems) = navbar::navbar(surroundings, of_first);
    let index_path = basis.index_paths[0].as_deref();
    let in_languages = languages::others(config)
        .map(|language| {
            let translation = Translation {
                language: Some(language),
                start: start(language, routes, order),
                ..of_first
            };
            let own = in_language::in_language(translation, &navbar, index_path, surroundings);
            (language.tag.clone(), own)
        })
        .filter(|(_, own)| !own.is_empty())
        .collect();
    let bars = Bars {
        footer: in_language::footer(config, index_path, of_first),
        in_languages,
        navbar,
    };
    (bars, problems)
}

/// The pages that are searched, in the order of reading, of each of `count` languages.
fn by_language(sidebar: &Sidebar, languages: &[usize], count: usize) -> Vec<Vec<usize>> {
    let mut searched = vec![Vec::new(); count];
    for page in sidebar.order.iter().chain(&sidebar.found) {
        searched[languages[*page]].push(*page);
    }
    searched
}

/// What pages and what is around them are called.
#[derive(Clone, Copy)]
struct Named<'a> {
    titles: &'a [String],
    section_titles: &'a [String],
    /// The numbers of the languages of pages.
    languages: &'a [usize],
    /// The site in each language.
    sites: &'a [Site],
}

/// All pages of the content with what is around them, and their entries in the manifest.
fn placed(
    basis: Basis<'_>,
    sidebar: &Sidebar,
    named: Named<'_>,
    mut cards: Option<&mut CardBox<'_>>,
) -> (Vec<(usize, Rc<PageAround>)>, Vec<ManifestPage>) {
    let Basis {
        input, routes, pages, ..
    } = basis;
    // Few sites have a list that needs them.
    let descriptions: LazyCell<HashMap<&str, String>, _> = LazyCell::new(|| {
        let pages = routes.paths.iter().zip(pages);
        pages
            .map(|(path, page)| (path.as_str(), page.whole_description()))
            .collect()
    });
    let link = |page: usize| PageLink {
        path: routes.paths[page].clone(),
        title: named.titles[page].clone(),
    };
    let mut all_around = Vec::with_capacity(pages.len());
    let mut manifest_pages = Vec::with_capacity(pages.len());
    for (position, index, is_unlisted) in places(sidebar) {
        let page = &pages[index];
        let section = PageSection {
            id: routes.folders[index].clone(),
            title: named.section_titles[index].clone(),
        };
        let words = CardWords {
            site: &named.sites[named.languages[index]].title,
            section: &section.title,
            title: &page.title,
            description: &page.description,
        };
        let card = cards.as_mut().map(|cards| cards.add(words));
        let listed = in_manifest(basis, index, &section, card, is_unlisted);
        let [previous, next] = position.map_or([None; 2], |position| {
            neighbours(&sidebar.order, position, named.languages)
        });
        let pages_below = page.lists_pages.then(|| {
            below::list(
                (&listed.path, &page.html),
                &sidebar.sections,
                &descriptions,
                (&routes.prefix, &input.config.site.base),
            )
        });
        let beside = [previous, next].map(|page| page.map(link));
        let around = around(basis, index, &listed, section, beside, pages_below);
        all_around.push((index, Rc::new(around)));
        manifest_pages.push(listed);
    }
    (all_around, manifest_pages)
}

/// All pages in the order of the manifest: where each stands in the order of reading, its number, and whether it is in no list.
fn places(sidebar: &Sidebar) -> impl Iterator<Item = (Option<usize>, usize, bool)> {
    let listed = sidebar.order.iter().enumerate();
    let listed = listed.map(|(position, page)| (Some(position), *page, false));
    let found = sidebar.found.iter().map(|page| (None, *page, false));
    let unlisted = sidebar.unlisted.iter().map(|page| (None, *page, true));
    listed.chain(found).chain(unlisted)
}

/// The entry of a page in the manifest.
fn in_manifest(
    basis: Basis<'_>,
    index: usize,
    section: &PageSection,
    card: Option<String>,
    is_unlisted: bool,
) -> ManifestPage {
    let sources = &basis.input.folder.sources;
    let page = &basis.pages[index];
    let path = &basis.routes.paths[index];
    ManifestPage {
        path: path.clone(),
        title: page.title.clone(),
        description: page.description.clone(),
        section: section.id.clone(),
        data: data_file(path),
        source: match index.checked_sub(sources.len()) {
            None => sources[index].path.clone(),
            Some(reference) => basis.references.planned(reference).document,
        },
        card,
        markdown: (!is_unlisted).then(|| machines::markdown_file(path)),
        is_unlisted,
    }
}

/// What is around a page that has this entry in the manifest.
fn around(
    basis: Basis<'_>,
    index: usize,
    listed: &ManifestPage,
    section: PageSection,
    [previous, next]: [Option<PageLink>; 2],
    pages_below: Option<String>,
) -> PageAround {
    let Input {
        folder,
        config,
        last_changes,
        ..
    } = basis.input;
    let source = folder.sources.get(index);
    let edit_url = config.content.edit_url.as_ref().zip(source);
    PageAround {
        path: listed.path.clone(),
        section,
        previous,
        next,
        edit_url: edit_url.map(|(url, source)| format!("{url}{}", path_encoded(source.file()))),
        last_change: source.and_then(|source| last_changes.get(source.file()).cloned()),
        layout: index
            .checked_sub(folder.sources.len())
            .map(|reference| basis.references.layout(reference)),
        pages_below,
        data_file: listed.data.clone(),
        has_markdown_file: listed.markdown.is_some(),
    }
}

/// The pages before and behind a place in the order of reading. Nobody reads on in another language.
fn neighbours(order: &[usize], position: usize, languages: &[usize]) -> [Option<usize>; 2] {
    let language = languages[order[position]];
    [position.checked_sub(1), Some(position + 1)].map(|position| {
        let page = *order.get(position?)?;
        (languages[page] == language).then_some(page)
    })
}

/// The pages from A to Z, of the languages that have one.
fn index_pages(
    basis: Basis<'_>,
    searched: &[Vec<usize>],
    section_titles: &[String],
    sites: &[Site],
) -> Vec<PageData> {
    let languages = searched.iter().zip(basis.index_paths);
    let languages = languages.zip(basis.words.iter().zip(sites));
    languages
        .filter_map(|((searched, path), (words, site))| {
            let entries = entries_of_index(searched, basis, section_titles);
            Some(index_page(path.as_deref()?, &entries, site, words))
        })
        .collect()
}

/// The entry of a page from A to Z in the manifest.
fn index_in_manifest(data: &PageData, site: &Site, cards: Option<&mut CardBox<'_>>) -> ManifestPage {
    let PageData { page, around } = data;
    let words = CardWords {
        site: &site.title,
        section: "",
        title: &page.title,
        description: &page.description,
    };
    ManifestPage {
        path: around.path.clone(),
        title: page.title.clone(),
        description: page.description.clone(),
        section: around.section.id.clone(),
        data: around.data_file.clone(),
        source: String::new(),
        card: cards.map(|cards| cards.add(words)),
        markdown: None,
        is_unlisted: false,
    }
}

/// The files at the root of the site that hold no text of a page: what programs read, and what stands at old addresses.
fn root_files(
    basis: Basis<'_>,
    told: &[Entry<'_>],
    home: &[String],
    locales: &[Locale],
    named: Named<'_>,
) -> Vec<RootFile> {
    let Input { folder, config, .. } = basis.input;
    let mut files = machines::listings(named.sites, locales, home, told, &basis.documents.published());
    files.extend(basis.routes.redirects.files(&config.site, |page| {
        let locale = &locales[named.languages[page]];
        (named.titles[page].as_str(), locale.tag.as_str())
    }));
    files.extend(basis.documents.files());
    // A team's own `robots.txt` says more than ours.
    files.retain(|file| !folder.files.static_files.contains(&file.path));
    files
}

/// The names of all files at the root of the site, beside the Markdown of pages; `root_files` hold no text of a page.
fn root_names(input: &Input, root_files: &[RootFile], locales: &[Locale]) -> Rc<[String]> {
    let static_files = &input.folder.files.static_files;
    let full_texts = input.extras.llms_full.then(|| machines::full_text_names(locales));
    let full_texts = full_texts.into_iter().flatten();
    root_files
        .iter()
        .map(|file| file.path.clone())
        .chain(full_texts.filter(|file| !static_files.contains(file)))
        .chain(static_files.files().map(|(path, _)| path.to_owned()))
        .collect()
}

/// The path of the page that a language begins with: that of its folder, else the first that is read.
fn start<'r>(language: &Language, routes: &'r Routes, order: &[usize]) -> Option<&'r str> {
    let place = |page: usize| routes.places.get(page);
    let of_folder = (0..routes.places.len()).find(|page| place(*page) == Some(&language.folder));
    let read = || {
        order
            .iter()
            .copied()
            .find(|page| place(*page).is_some_and(|place| language.has(place)))
    };
    of_folder.or_else(read).map(|page| routes.paths[page].as_str())
}

/// The name in the output of a file at the root of the site.
pub(crate) fn root_file(path: &str) -> String {
    format!("root/{path}")
}

/// What the pages from A to Z list: pages that are read one after the other, by their titles and their other names.
fn entries_of_index<'a>(
    order: &'a [usize],
    Basis { routes, pages, .. }: Basis<'a>,
    section_titles: &'a [String],
) -> Vec<index_page::Named<'a>> {
    let entries = order.iter().flat_map(|index| {
        let page = &pages[*index];
        let entry = index_page::Named {
            name: &page.title,
            title: None,
            section: &section_titles[*index],
            path: &routes.paths[*index],
        };
        let aliases = page
            .front_matter
            .aliases
            .iter()
            .map(move |alias| index_page::Named {
                name: &alias.text,
                title: Some(&page.title),
                ..entry
            });
        std::iter::once(entry).chain(aliases)
    });
    entries.collect()
}

/// A page from A to Z, in the language of the words.
fn index_page(path: &str, names: &[index_page::Named<'_>], site: &Site, words: &Words) -> PageData {
    let (html, headings) = index_page::body(names, &site.base, words);
    let page = Page {
        title: words.say(index_page::TITLE).to_owned(),
        description: words.fill("Every page of {title} by its name.", &[("title", &site.title)]),
        html,
        toc: headings
            .into_iter()
            .map(|(id, title)| TocEntry { id, title, level: 2 })
            .collect(),
        ..Page::default()
    };
    let around = PageAround {
        path: path.to_owned(),
        section: PageSection {
            id: String::new(),
            title: String::new(),
        },
        previous: None,
        next: None,
        edit_url: None,
        pages_below: None,
        last_change: None,
        layout: None,
        data_file: data_file(path),
        has_markdown_file: false,
    };
    PageData {
        page: Rc::new(page),
        around: Rc::new(around),
    }
}

/// The start page, where no page of the content is in its place.
fn home_path(routes: &Routes) -> Option<String> {
    let path = match routes.prefix.as_str() {
        "" => "/",
        prefix => prefix,
    };
    let is_content = routes.paths.iter().any(|other| other == path);
    (!is_content).then(|| path.to_owned())
}

/// Pictures under names that carry a digest of their bytes.
struct CardBox<'a> {
    cards: &'a mut Cards,
    kept: Option<&'a mut kept::Pictures>,
    pictures: BTreeMap<String, Rc<[u8]>>,
}

impl<'a> CardBox<'a> {
    fn new(kept: &'a mut Kept) -> Self {
        let (cards, kept) = kept.pictures();
        Self {
            cards,
            kept,
            pictures: BTreeMap::new(),
        }
    }

    fn add_site(&mut self, site: &crate::config::Site) -> String {
        self.add(CardWords {
            site: &site.title,
            section: "",
            title: site.tagline.as_deref().unwrap_or(&site.title),
            description: "",
        })
    }

    fn add(&mut self, words: CardWords<'_>) -> String {
        let mut draw = || {
            let picture = self.cards.draw(words);
            (format!("cards/{:016x}.png", fnv1a(&picture)), picture.into())
        };
        let (name, picture) = match &mut self.kept {
            None => draw(),
            Some(kept) => {
                let key = [words.site, words.section, words.title, words.description].map(str::to_owned);
                kept.get_or_insert_with(key, draw).clone()
            }
        };
        self.pictures.insert(name.clone(), picture);
        name
    }
}

fn data_file(path: &str) -> String {
    match path {
        "/" => "pages/index.json".to_owned(),
        path => format!("pages{path}.json"),
    }
}

/// What a name of a file may have and a path of an address has not: all but the characters of RFC 3986, and `%`.
const OUTSIDE_PATHS: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'[')
    .add(b'\\')
    .add(b']')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// A path of files as a path of an address.
fn path_encoded(path: &str) -> String {
    utf8_percent_encode(path, OUTSIDE_PATHS).to_string()
}
