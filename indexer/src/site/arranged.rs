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
use super::{Basis, below};
use crate::card::{CardWords, Cards};
use crate::config::{Footer, Generator, Site};
use crate::diagnostic::Diagnostic;
use crate::languages::{self, Language, Translation};
use crate::machines::index_page::{self, Named};
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
        input,
        routes,
        references,
        summary,
        categories,
        index_paths,
        words,
        pages,
        ..
    } = basis;
    let super::Input {
        folder,
        config,
        config_source,
        last_changes,
        ..
    } = input;
    let mut problems = Vec::new();
    let titles: Vec<String> = pages.iter().map(|page| page.title.clone()).collect();
    let from_markdown = folder.sources.len();
    let from_folder = || pages[..from_markdown].iter();
    let orders: Vec<Option<f64>> = from_folder()
        .zip(&routes.numbers)
        .map(|(page, number)| page.front_matter.order.or(*number))
        .collect();
    let labels: Vec<Option<String>> = from_folder()
        .map(|page| page.front_matter.label.clone())
        .collect();
    let names: Vec<String> = from_folder()
        .map(|page| page.front_matter.label.as_ref().unwrap_or(&page.title).clone())
        .collect();
    let are_unlisted: Vec<bool> = from_folder().map(|page| page.front_matter.is_unlisted).collect();
    let listed = sidebar::Pages {
        routes,
        titles: &names,
        orders: &orders,
        labels: &labels,
        are_unlisted: &are_unlisted,
        categories,
        language: &config.site.language,
    };
    let (mut sidebar, found) = match summary {
        Some(summary) => summary.sidebar(listed, &folder.sources, config),
        None => sidebar::sidebar(listed, config, config_source),
    };
    problems.extend(found);
    sidebar.sections.extend(references.sidebar());
    sidebar.order.extend(from_markdown..pages.len());
    let sections = sidebar.sections.iter();
    let sections: HashMap<&str, &str> = sections
        .map(|section| (section.id.as_str(), section.title.as_str()))
        .collect();
    let section_titles: Vec<String> = (0..pages.len())
        .map(|page| match page.checked_sub(from_markdown) {
            None => sections
                .get(routes.folders[page].as_str())
                .map_or_else(String::new, |title| (*title).to_owned()),
            Some(reference) => references.planned(reference).section.1,
        })
        .collect();
    let locales = languages::locales(config);
    let locale_of = |page: usize| languages::locale_of(&routes.paths[page], &locales);
    let has_menu = config.content.origin.generator == Some(Generator::Hugo);
    let in_menu = from_folder()
        .zip(&names)
        .enumerate()
        .filter_map(|(page, (read, name))| {
            let entry = read.front_matter.menu.clone().filter(|_| has_menu)?;
            let name = Some(entry.name)
                .filter(|name| !name.is_empty())
                .unwrap_or_else(|| name.clone());
            Some(InMenu {
                page,
                is_of_first: locale_of(page) == 0,
                entry: MenuEntry { name, ..entry },
            })
        });
    let in_menu: Vec<InMenu> = in_menu.collect();
    let surroundings = navbar::Surroundings {
        titles: &titles,
        menu: &in_menu,
        sidebar: &sidebar.sections,
        config_source,
    };
    let of_first = Translation {
        config,
        routes,
        language: None,
        start: None,
    };
    let (navbar, found) = navbar::navbar(surroundings, of_first);
    problems.extend(found);
    let index_path = index_paths[0].as_deref();
    let footer = in_language::footer(config, index_path, of_first);
    let in_languages = languages::others(config)
        .map(|language| {
            let translation = Translation {
                language: Some(language),
                start: start(language, routes, &sidebar.order),
                ..of_first
            };
            let own = in_language::in_language(translation, &navbar, index_path, surroundings);
            (language.tag.clone(), own)
        })
        .filter(|(_, own)| !own.is_empty())
        .collect();
    let Sidebar {
        sections,
        order,
        found,
        unlisted,
    } = sidebar;
    let sites = languages::sites(config);
    let mut searched = vec![Vec::new(); locales.len()];
    for page in order.iter().chain(&found) {
        searched[locale_of(*page)].push(*page);
    }
    let searched_elsewhere = searched.split_off(1);
    let searched = searched.pop().unwrap_or_default();

    let link = |page: Option<&usize>| {
        page.map(|page| PageLink {
            path: routes.paths[*page].clone(),
            title: titles[*page].clone(),
        })
    };
    let is_refused = basis.is_refused || problems.iter().any(Diagnostic::is_error);
    // Pictures are named by whole addresses, which only a published site has.
    let mut cards = (config.site.url.is_some() && !is_refused).then(|| CardBox::new(kept));
    let card = cards.as_mut().map(|cards| cards.add_site(&config.site));
    let static_files = &folder.files.static_files;
    // Few sites have a list that needs them.
    let descriptions: LazyCell<HashMap<&str, String>, _> = LazyCell::new(|| {
        let pages = routes.paths.iter().zip(pages);
        pages
            .map(|(path, page)| (path.as_str(), page.whole_description()))
            .collect()
    });
    let mut manifest_pages = Vec::with_capacity(pages.len());
    let mut around = Vec::with_capacity(pages.len());
    let listed = order.iter().enumerate();
    let listed = listed.map(|(position, index)| (Some(position), *index, false));
    let found = found.iter().map(|index| (None, *index, false));
    let unlisted = unlisted.iter().map(|index| (None, *index, true));
    for (position, index, is_unlisted) in listed.chain(found).chain(unlisted) {
        let page = &pages[index];
        let path = routes.paths[index].clone();
        let section = PageSection {
            id: routes.folders[index].clone(),
            title: section_titles[index].clone(),
        };
        let markdown = folder.sources.get(index);
        let source = match index.checked_sub(from_markdown) {
            None => folder.sources[index].path.clone(),
            Some(reference) => references.planned(reference).document,
        };
        let words = CardWords {
            site: &sites[locale_of(index)].title,
            section: &section.title,
            title: &page.title,
            description: &page.description,
        };
        let markdown_file = (!is_unlisted).then(|| machines::markdown_file(&path));
        manifest_pages.push(ManifestPage {
            path: path.clone(),
            title: page.title.clone(),
            description: page.description.clone(),
            section: section.id.clone(),
            data: data_file(&path),
            source,
            card: cards.as_mut().map(|cards| cards.add(words)),
            markdown: markdown_file.clone(),
            is_unlisted,
        });
        // Nobody reads on in another language.
        let beside = |position: Option<usize>| {
            let page = order.get(position?)?;
            link(Some(page).filter(|page| locale_of(**page) == locale_of(index)))
        };
        let is_made = |file: &String| page.markdown.is_some() && !static_files.contains(file);
        let pages_below = page.lists_pages.then(|| {
            below::list(
                (&path, &page.html),
                &sections,
                &descriptions,
                (&routes.prefix, &config.site.base),
            )
        });
        let standing = PageAround {
            data_file: data_file(&path),
            markdown_file: markdown_file.filter(is_made).map(|file| root_file(&file)),
            path,
            section,
            previous: beside(position.and_then(|position| position.checked_sub(1))),
            next: beside(position.map(|position| position + 1)),
            edit_url: config
                .content
                .edit_url
                .as_ref()
                .zip(markdown)
                .map(|(url, markdown)| format!("{url}{}", path_encoded(markdown.file()))),
            last_change: markdown.and_then(|markdown| last_changes.get(markdown.file()).cloned()),
            layout: index
                .checked_sub(from_markdown)
                .map(|reference| references.layout(reference)),
            pages_below,
        };
        around.push((index, Rc::new(standing)));
    }
    let index_pages: Vec<PageData> = std::iter::once(&searched)
        .chain(&searched_elsewhere)
        .zip(index_paths)
        .zip(words.iter().zip(&sites))
        .filter_map(|((searched, path), (words, site))| {
            let names = named(searched, pages, routes, &section_titles);
            Some(index_page(path.as_deref()?, &names, site, words))
        })
        .collect();
    for data in &index_pages {
        let words = CardWords {
            site: &sites[languages::locale_of(&data.around.path, &locales)].title,
            section: "",
            title: &data.page.title,
            description: &data.page.description,
        };
        manifest_pages.push(ManifestPage {
            path: data.around.path.clone(),
            title: data.page.title.clone(),
            description: data.page.description.clone(),
            section: data.around.section.id.clone(),
            data: data.around.data_file.clone(),
            source: String::new(),
            card: cards.as_mut().map(|cards| cards.add(words)),
            markdown: None,
            is_unlisted: false,
        });
    }
    let home = home_path(routes);
    let home: Vec<String> = home
        .into_iter()
        .chain(routes.component_paths().map(str::to_owned))
        .collect();
    let paths = manifest_pages.iter().map(|page| page.path.as_str());
    problems.extend(static_files.check(paths.chain(home.iter().map(String::as_str))));
    let told = entries(&around, &index_pages, &manifest_pages, pages);
    let mut root_files = machines::listings(&sites, &locales, &home, &told);
    root_files.extend(routes.redirects.files(&config.site, |page| {
        (titles[page].as_str(), locales[locale_of(page)].tag.as_str())
    }));
    // A team's own `robots.txt` says more than ours.
    root_files.retain(|file| !static_files.contains(&file.path));
    let full_texts = input
        .extras
        .llms_full
        .then(|| machines::full_text_names(&locales));
    let full_texts = full_texts.into_iter().flatten();
    let of_pages = around
        .iter()
        .filter_map(|(_, around)| around.markdown_file.as_deref()?.strip_prefix(ROOT));
    let root_names = root_files
        .iter()
        .map(|file| file.path.clone())
        .chain(full_texts.filter(|file| !static_files.contains(file)))
        .chain(of_pages.map(str::to_owned))
        .chain(static_files.files().map(|(path, _)| path.to_owned()))
        .collect();
    Arranged {
        navbar,
        footer,
        in_languages,
        sidebar: sections.into(),
        searched,
        searched_elsewhere,
        section_titles,
        around,
        index_pages,
        manifest_pages: manifest_pages.into(),
        card,
        pictures: cards.map(|cards| cards.pictures).unwrap_or_default(),
        root_files,
        root_names,
        problems,
    }
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

/// Where the output has what stands at the root of the site.
const ROOT: &str = "root/";

/// The name in the output of a file at the root of the site.
pub(crate) fn root_file(path: &str) -> String {
    format!("{ROOT}{path}")
}

/// What the pages from A to Z list: pages that are read one after the other, by their titles and their other names.
fn named<'a>(
    order: &'a [usize],
    pages: &'a [Rc<Page>],
    routes: &'a Routes,
    section_titles: &'a [String],
) -> Vec<Named<'a>> {
    let named = order.iter().flat_map(|index| {
        let page = &pages[*index];
        let named = Named {
            name: &page.title,
            title: None,
            section: &section_titles[*index],
            path: &routes.paths[*index],
        };
        let aliases = page.front_matter.aliases.iter().map(move |alias| Named {
            name: &alias.text,
            title: Some(&page.title),
            ..named
        });
        std::iter::once(named).chain(aliases)
    });
    named.collect()
}

/// A page from A to Z, in the language of the words.
fn index_page(path: &str, names: &[Named<'_>], site: &Site, words: &Words) -> PageData {
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
        markdown_file: None,
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
