//! `SUMMARY.md`: the pages of a book in their order, as mdBook and GitBook have it.
//!
//! Its lists nest as the pages do. Headings below the first begin parts, which are the sections of the site; a book without parts is one
//! section. As in mdBook, a page that it does not name is in no list and in no search.
//!
//! Or the list of another generator ([`crate::lists`]): what its first level groups are the sections. As there, a page that it does not
//! name is in no list, and is found.

use std::collections::HashMap;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use crate::config::Config;
use crate::diagnostic::Diagnostic;
use crate::front_matter::{Publication, Schema};
use crate::languages::{self, Locale};
use crate::links::{self, Surroundings, Target, inner_events};
use crate::lists::{self, Format, List, Named, Translations};
use crate::markdown::plain_text;
use crate::markdown::slug::{Ids, slug};
use crate::parents::{self, Placed};
use crate::routes::{Routes, path_below_prefix, without_number};
use crate::sidebar::{self, Pages, Sidebar, SidebarItem, SidebarSection};
use crate::source::Source;
use crate::yaml::{Value, Yaml};

/// The name of the file in the content folder.
pub(crate) const FILE: &str = "SUMMARY.md";

/// The order of a book.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Summary {
    parts: Vec<Part>,
    /// Whether the search has pages that it does not name.
    finds_others: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Part {
    /// The id of the section; empty for what stands before the first part.
    id: String,
    title: String,
    entries: Vec<Entry>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Entry {
    /// Empty where the page is to be called by its own.
    title: String,
    /// A chapter that is yet to be written has none.
    page: Option<usize>,
    entries: Vec<Entry>,
    /// The page has its place in the list of the first language: nobody has translated it.
    is_untranslated: bool,
    /// The language of the title, where it is not the one of the list.
    language: Option<String>,
    /// Stands for the pages of this folder.
    folder: Option<FolderPages>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct FolderPages {
    /// The path below the prefix.
    path: String,
    /// Those that have no other place.
    pages: Vec<usize>,
}

impl Summary {
    /// Reads the list of the pages of these sources.
    pub(crate) fn read(
        list: &List,
        sources: &[Source],
        surroundings: Surroundings<'_>,
    ) -> (Self, Vec<Diagnostic>) {
        let mut reader = Reader {
            list,
            format: list.format,
            pages: sources.len(),
            surroundings,
            ids_of_pages: match list.format {
                Format::Docusaurus => sources
                    .iter()
                    .enumerate()
                    .map(|(at, page)| (id_of(page), at))
                    .collect(),
                _ => HashMap::new(),
            },
            parts: vec![Part::default()],
            open: Vec::new(),
            named: HashMap::new(),
            ids: Ids::default(),
            problems: Vec::new(),
        };
        match list.format {
            Format::Book => reader.read(),
            Format::MkDocs => reader.read_nav(),
            Format::JustTheDocs => reader.read_parents(sources),
            Format::Docusaurus
            | Format::Folders
            | Format::Mintlify
            | Format::VitePress
            | Format::Starlight
            | Format::Myst
            | Format::Toctree => {
                let (entries, problems) = list.entries();
                reader.problems.extend(problems);
                reader.read_parts(entries);
            }
        }
        reader.fill_folders();
        if reader.named.is_empty() && reader.problems.is_empty() {
            let message = format!("the file names no page; {}", list.example());
            reader.problems.push(Diagnostic::error(list.source(), 0, message));
        }
        reader.parts.retain(|part| !part.entries.is_empty());
        let summary = Self {
            parts: reader.parts,
            finds_others: list.format != Format::Book,
        };
        (summary, reader.problems)
    }

    /// Adds the same list for each language that has pages and is not in it; what nobody has translated is in it as it is. What a
    /// generator has as `titles` in that language takes the place of the names that the list has.
    pub(crate) fn add_languages(&mut self, routes: &Routes, config: &Config, titles: &Translations) {
        let locales = languages::locales(config);
        let language_of = |locale: &Locale| {
            let mut languages = config.languages.iter();
            languages.find(|language| language.tag == locale.tag)
        };
        let mut is_listed = vec![false; locales.len()];
        let mut of_first = Vec::with_capacity(self.parts.len());
        for part in &mut self.parts {
            let mut pages = Vec::new();
            each(&part.entries, &mut |page, _| pages.push(page));
            let numbers: Vec<usize> = pages
                .iter()
                .map(|page| languages::locale_of(&routes.paths[*page], &locales))
                .collect();
            numbers.iter().for_each(|number| is_listed[*number] = true);
            let first = numbers.first().filter(|number| **number > 0);
            match first.and_then(|number| language_of(&locales[*number])) {
                None => of_first.push(part.clone()),
                Some(language) => part.id = in_folder(&language.folder, &part.id),
            }
        }
        for (number, locale) in locales.iter().enumerate().skip(1) {
            if is_listed[number] {
                continue;
            }
            let Some(language) = language_of(locale) else {
                continue;
            };
            let translation = Translation {
                routes,
                first: &locales[0].root,
                original: &locales[0].tag,
                locale,
                folder: &language.folder,
                titles,
            };
            self.parts.extend(of_first.iter().map(|part| {
                let title = translation.title(&part.title);
                Part {
                    id: translation.path(&part.id),
                    title: title.unwrap_or_else(|| part.title.clone()),
                    entries: translation.entries(&part.entries),
                }
            }));
        }
    }

    /// Puts each page into the section of its part.
    pub(crate) fn apply(&self, routes: &mut Routes, pages: usize) {
        routes.folders[..pages].iter_mut().for_each(String::clear);
        for part in &self.parts {
            each(&part.entries, &mut |page, title| {
                routes.folders[page].clone_from(&part.id);
                if !title.is_empty() {
                    routes.names.insert(page, title.to_owned());
                }
            });
        }
    }

    /// The pages in the order of the book.
    pub(crate) fn sidebar(
        &self,
        pages: Pages<'_>,
        sources: &[Source],
        config: &Config,
    ) -> (Sidebar, Vec<Diagnostic>) {
        let mut sidebar = Sidebar::default();
        for part in &self.parts {
            let items = items(&part.entries, pages, &mut sidebar.order);
            if items.is_empty() {
                continue;
            }
            let title = match (part.id.is_empty(), part.title.is_empty()) {
                (true, _) => config.site.title.clone(),
                (false, true) if is_of_language(&part.id, config) => languages::title_of(&part.id, config),
                (false, true) => items[0].title.clone(),
                (false, false) => part.title.clone(),
            };
            sidebar.sections.push(SidebarSection {
                id: part.id.clone(),
                title,
                language: languages::tag_of(&part.id, config),
                path: None,
                items,
            });
        }
        let mut problems = Vec::new();
        for (page, source) in sources.iter().enumerate() {
            if sidebar.order.contains(&page) {
                continue;
            }
            if self.finds_others && !pages.are_unlisted[page] {
                sidebar.found.push(page);
                continue;
            }
            sidebar.unlisted.push(page);
            if !pages.are_unlisted[page] {
                let message = format!(
                    "`{FILE}` does not name this page, so no list and no search has it; name it there, or remove it"
                );
                problems.push(Diagnostic::warning(source, 0, message));
            }
        }
        (sidebar, problems)
    }
}

/// A path in the folder of a language; the folder itself where it is empty.
fn in_folder(folder: &str, path: &str) -> String {
    format!("{folder}/{path}").trim_end_matches('/').to_owned()
}

/// Whether a section holds what stands before the first part, in another language.
fn is_of_language(id: &str, config: &Config) -> bool {
    config.languages.iter().any(|language| language.folder == id)
}

/// How a list becomes that of another language.
struct Translation<'a> {
    routes: &'a Routes,
    /// What the addresses of the first language begin with.
    first: &'a str,
    /// The first language.
    original: &'a str,
    locale: &'a Locale,
    folder: &'a str,
    titles: &'a Translations,
}

impl Translation<'_> {
    fn entries(&self, entries: &[Entry]) -> Vec<Entry> {
        let mut translated = Vec::with_capacity(entries.len());
        for entry in entries {
            let page = entry.page.and_then(|page| self.page(page));
            let translated_title = self.title(&entry.title);
            let language = self.original.to_owned();
            let language = Some(language).filter(|_| translated_title.is_none() && page.is_none());
            let title = match translated_title {
                Some(title) => title,
                // As it is called itself, in its own language.
                None if page.is_some() => String::new(),
                None => entry.title.clone(),
            };
            let folder = entry.folder.as_ref();
            translated.push(Entry {
                title,
                page: page.or(entry.page),
                is_untranslated: page.is_none() && entry.page.is_some(),
                language,
                entries: self.entries(&entry.entries),
                folder: folder.map(|folder| FolderPages {
                    path: self.path(&folder.path),
                    pages: folder.pages.iter().filter_map(|page| self.page(*page)).collect(),
                }),
            });
            let pages = folder.into_iter().flat_map(|folder| &folder.pages);
            let others = pages.filter(|page| self.page(**page).is_none());
            translated.extend(others.map(|page| Entry {
                page: Some(*page),
                is_untranslated: true,
                language: Some(self.original.to_owned()),
                ..Entry::default()
            }));
        }
        translated
    }

    fn page(&self, page: usize) -> Option<usize> {
        let path = self.routes.paths[page].strip_prefix(self.first)?;
        self.routes
            .page_at(&format!("{}{}", self.locale.root, path.trim_end_matches('/')))
    }

    /// A place below the prefix.
    fn path(&self, path: &str) -> String {
        in_folder(self.folder, path)
    }

    fn title(&self, title: &str) -> Option<String> {
        self.titles.get(title)?.get(&self.locale.tag).cloned()
    }
}

fn each(entries: &[Entry], visit: &mut impl FnMut(usize, &str)) {
    for entry in entries {
        if let Some(page) = entry.page.filter(|_| !entry.is_untranslated) {
            visit(page, &entry.title);
        }
        for page in entry.folder.iter().flat_map(|folder| &folder.pages) {
            visit(*page, "");
        }
        each(&entry.entries, visit);
    }
}

fn items(entries: &[Entry], pages: Pages<'_>, order: &mut Vec<usize>) -> Vec<SidebarItem> {
    let mut items_of = Vec::with_capacity(entries.len());
    for entry in entries {
        if let Some(folder) = &entry.folder {
            let listed = folder.pages.iter().copied();
            let listed: Vec<usize> = listed.filter(|page| !pages.are_unlisted[*page]).collect();
            items_of.extend(sidebar::folder(&folder.path, &listed, pages, order));
            continue;
        }
        let page = entry.page.filter(|page| !pages.are_unlisted[*page]);
        order.extend(page.filter(|_| !entry.is_untranslated));
        let inner = items(&entry.entries, pages, order);
        if page.is_none() && inner.is_empty() {
            continue;
        }
        items_of.push(SidebarItem {
            path: page.map(|page| pages.routes.paths[page].clone()),
            title: match page {
                Some(page) if entry.title.is_empty() => pages.titles[page].clone(),
                _ => entry.title.clone(),
            },
            language: entry.language.clone(),
            items: inner,
        });
    }
    items_of
}

struct Reader<'a> {
    list: &'a List,
    format: Format,
    pages: usize,
    surroundings: Surroundings<'a>,
    /// The pages by what Docusaurus calls them.
    ids_of_pages: HashMap<String, usize>,
    parts: Vec<Part>,
    /// The items that have not ended.
    open: Vec<Entry>,
    /// Where each page was named.
    named: HashMap<usize, usize>,
    ids: Ids,
    problems: Vec<Diagnostic>,
}

impl Reader<'_> {
    fn read(&mut self) {
        let events: Vec<_> = Parser::new_ext(&self.list.source().text, Options::empty())
            .into_offset_iter()
            .collect();
        let mut has_begun = false;
        let mut at = 0;
        while at < events.len() {
            let (event, range) = &events[at];
            match event {
                Event::Start(Tag::Heading { .. }) => {
                    let end = events[at..]
                        .iter()
                        .position(|(event, _)| matches!(event, Event::End(TagEnd::Heading(_))))
                        .map_or(events.len(), |length| at + length);
                    // The first heading is that of the file.
                    if has_begun {
                        self.begin_part(plain_text(&events[at + 1..end]));
                    }
                    at = end;
                }
                Event::Start(Tag::Item) => self.open.push(Entry::default()),
                Event::End(TagEnd::Item) => {
                    if let Some(entry) = self.open.pop() {
                        self.add(entry);
                    }
                }
                Event::Start(Tag::Link { dest_url, .. }) => {
                    let inner = inner_events(&events, at, false);
                    let title = plain_text(inner);
                    let page = self.page(dest_url, range.start);
                    match self.open.last_mut() {
                        None => self.add(Entry {
                            title,
                            page,
                            ..Entry::default()
                        }),
                        Some(entry) if entry.page.is_none() && entry.entries.is_empty() => {
                            entry.title = title;
                            entry.page = page;
                        }
                        Some(_) => {}
                    }
                    at += inner.len();
                }
                Event::Text(text) | Event::Code(text) => {
                    if let Some(entry) = self.open.last_mut()
                        && entry.page.is_none()
                        && entry.entries.is_empty()
                    {
                        entry.title.push_str(text);
                    }
                }
                _ => {}
            }
            has_begun = true;
            at += 1;
        }
    }

    fn read_nav(&mut self) {
        match lists::mkdocs::nav(self.list.source()) {
            Ok(nav) => {
                for item in nav.items() {
                    match item.entries() {
                        [group] if !group.value.items().is_empty() => {
                            self.begin_nav_part(&group.key, group.value.items());
                            self.read_entries(group.value.items());
                            // Pages between groups stand beside those before the first.
                            self.parts.push(Part::default());
                        }
                        _ => self.read_entries(std::slice::from_ref(item)),
                    }
                }
                self.gather_loose();
            }
            Err(problems) => self.problems.extend(problems),
        }
    }

    /// Pages at the top with others below them are sections, and so are collections.
    fn read_parents(&mut self, sources: &[Source]) {
        for collection in parents::collections(sources, self.list.source()) {
            if !collection.name.is_empty() {
                self.begin_part(collection.name);
                collection
                    .pages
                    .into_iter()
                    .for_each(|page| self.add_placed(page));
                continue;
            }
            for page in collection.pages {
                if page.below.is_empty() {
                    self.parts.push(Part::default());
                    self.add_placed(page);
                    continue;
                }
                self.begin_part(page.title);
                self.add_placed(Placed {
                    page: page.page,
                    title: String::new(),
                    below: Vec::new(),
                });
                page.below.into_iter().for_each(|page| self.add_placed(page));
            }
        }
        self.gather_loose();
    }

    /// Adds a page under its own title, with those below it.
    fn add_placed(&mut self, placed: Placed) {
        self.named.insert(placed.page, 0);
        self.open.push(Entry {
            page: Some(placed.page),
            ..Entry::default()
        });
        placed.below.into_iter().for_each(|page| self.add_placed(page));
        if let Some(entry) = self.open.pop() {
            self.add(entry);
        }
    }

    /// What stands in no group is one section, the first.
    fn gather_loose(&mut self) {
        let (loose, mut parts): (Vec<Part>, Vec<Part>) = std::mem::take(&mut self.parts)
            .into_iter()
            .partition(|part| part.id.is_empty());
        let entries = loose.into_iter().flat_map(|part| part.entries).collect();
        parts.insert(
            0,
            Part {
                entries,
                ..Part::default()
            },
        );
        self.parts = parts;
    }

    /// Adds a group. One without a title is called as its first page is, and leads there.
    fn add_group(&mut self, mut group: Entry) {
        if group.title.trim().is_empty() {
            let has_own_page = group
                .entries
                .first()
                .is_some_and(|first| first.entries.is_empty());
            if !has_own_page {
                group.entries.into_iter().for_each(|entry| self.add(entry));
                return;
            }
            let first = group.entries.remove(0);
            group.title = first.title;
            group.page = first.page;
        }
        self.add(group);
    }

    /// Begins a section. One without a title is called as its first page is.
    fn begin_nav_part(&mut self, title: &str, items: &[Yaml]) {
        let name = match title.trim() {
            "" => items
                .iter()
                .find_map(Yaml::as_text)
                .map_or_else(|| "pages".to_owned(), |path| path_below_prefix(path, false)),
            title => title.to_owned(),
        };
        self.begin_part(name);
        if let Some(part) = self.parts.last_mut() {
            title.trim().clone_into(&mut part.title);
        }
    }

    fn read_entries(&mut self, items: &[Yaml]) {
        for item in items {
            let (title, value) = match item.entries() {
                [entry] => (entry.key.clone(), &entry.value),
                _ => (String::new(), item),
            };
            let is_named = !item.entries().is_empty();
            match &value.value {
                Value::Text(path) => {
                    if let page @ Some(_) = self.page(path, value.at) {
                        self.add(Entry {
                            title,
                            page,
                            ..Entry::default()
                        });
                    }
                }
                Value::List(inner) if is_named => {
                    self.open.push(Entry {
                        title,
                        ..Entry::default()
                    });
                    self.read_entries(inner);
                    if let Some(entry) = self.open.pop() {
                        self.add_group(entry);
                    }
                }
                _ => {
                    let message = format!(
                        "`nav` lists pages, `guide/start.md`, with a name, `Start: guide/start.md`, or groups of them with one, not {}",
                        value.kind()
                    );
                    self.problems
                        .push(Diagnostic::error(self.list.source(), value.at, message));
                }
            }
        }
    }

    /// Reads the first level of a list in JavaScript.
    fn read_parts(&mut self, entries: Vec<lists::Entry>) {
        for entry in entries {
            match entry {
                // It is called as its page is, which nobody knows yet.
                group @ lists::Entry::Group { .. } if group.has_no_name() => self.read_listed([group]),
                lists::Entry::Group { title, page, entries } => {
                    self.begin_part(title);
                    self.read_listed(page.map(lists::Entry::Page).into_iter().chain(entries));
                    self.parts.push(Part::default());
                }
                entry => self.read_listed([entry]),
            }
        }
        self.gather_loose();
    }

    fn read_listed(&mut self, entries: impl IntoIterator<Item = lists::Entry>) {
        for entry in entries {
            match entry {
                lists::Entry::Page(named) => {
                    if let page @ Some(_) = self.named_page(&named) {
                        self.add(Entry {
                            title: named.title,
                            page,
                            ..Entry::default()
                        });
                    }
                }
                lists::Entry::Group { title, page, entries } => {
                    let page = page.and_then(|named| self.named_page(&named));
                    self.open.push(Entry {
                        title,
                        page,
                        ..Entry::default()
                    });
                    self.read_listed(entries);
                    if let Some(entry) = self.open.pop() {
                        self.add(entry);
                    }
                }
                lists::Entry::Folder { path, at } => {
                    let has_numbers = self.surroundings.content.has_number_prefixes();
                    let path = path_below_prefix(&format!("{path}/index.md"), has_numbers);
                    let path = path.trim_start_matches('/').to_owned();
                    let places = &self.surroundings.routes.places;
                    if !places[..self.pages].iter().any(|place| is_below(place, &path)) {
                        let message = format!("no page is in the folder `{path}`; such an entry is left out");
                        let (source, at) = self.list.place(at);
                        self.problems.push(Diagnostic::warning(source, at, message));
                    }
                    self.add(Entry {
                        folder: Some(FolderPages {
                            path,
                            pages: Vec::new(),
                        }),
                        ..Entry::default()
                    });
                }
            }
        }
    }

    fn named_page(&mut self, named: &Named) -> Option<usize> {
        if named.is_reference {
            return None;
        }
        self.page(&named.to, named.at)
    }

    /// Gives each folder of the list the pages that nothing else names. Where folders hold each other, the inner one has its own.
    fn fill_folders(&mut self) {
        let mut folders = Vec::new();
        for part in &mut self.parts {
            folders_of(&mut part.entries, &mut folders);
        }
        folders.sort_by_key(|folder| std::cmp::Reverse(folder.path.len()));
        let places = &self.surroundings.routes.places;
        for folder in folders {
            for (page, place) in places[..self.pages].iter().enumerate() {
                if is_below(place, &folder.path) && !self.named.contains_key(&page) {
                    self.named.insert(page, 0);
                    folder.pages.push(page);
                }
            }
        }
    }

    fn begin_part(&mut self, title: String) {
        self.parts.push(Part {
            id: self.ids.take_free(&slug(&title)),
            title,
            entries: Vec::new(),
        });
    }

    fn add(&mut self, mut entry: Entry) {
        entry.title = entry.title.trim().to_owned();
        match (self.open.last_mut(), self.parts.last_mut()) {
            (Some(outer), _) => outer.entries.push(entry),
            (None, Some(part)) => part.entries.push(entry),
            (None, None) => {}
        }
    }

    fn page(&mut self, destination: &str, at: usize) -> Option<usize> {
        if destination.is_empty() {
            return None;
        }
        let found = match self.ids_of_pages.get(destination) {
            Some(page) => Ok(Target::Page {
                page: *page,
                path: destination.to_owned(),
                suffix: String::new(),
                anchor: None,
            }),
            None => links::resolve(destination, self.list.source(), 0, false, self.surroundings),
        };
        let (source, at_in_source) = self.list.place(at);
        let problem = match found {
            Ok(Target::Page {
                page,
                anchor: None,
                path,
                ..
            }) if page < self.pages && !path.is_empty() => match self.named.get(&page) {
                None => {
                    self.named.insert(page, at);
                    return Some(page);
                }
                Some(before) => {
                    let (other, before) = self.list.place(*before);
                    let (line, _) = other.position(before);
                    let file = if other.display == source.display {
                        String::new()
                    } else {
                        format!("{}, ", other.display)
                    };
                    let message =
                        format!("`{destination}` stands in {file}line {line} too; a page has one place");
                    match self.format {
                        Format::Book => Diagnostic::error(source, at_in_source, message),
                        // There each list may have it, and that of MkDocs may have it twice.
                        _ => Diagnostic::warning(source, at_in_source, format!("{message}, the first")),
                    }
                }
            },
            Ok(_) => {
                let message = format!("`{destination}` is no page of the content; such a link is left out");
                Diagnostic::warning(source, at_in_source, message)
            }
            Err(refusal) => {
                let content = self.surroundings.content;
                content.broken_link(source, at_in_source, refusal.message())
            }
        };
        self.problems.push(problem);
        None
    }
}

fn folders_of<'a>(entries: &'a mut [Entry], folders: &mut Vec<&'a mut FolderPages>) {
    for entry in entries {
        folders.extend(&mut entry.folder);
        folders_of(&mut entry.entries, folders);
    }
}

/// Whether a page stands in a folder; every page is in that without a name.
fn is_below(place: &str, folder: &str) -> bool {
    let below = place.strip_prefix(folder);
    folder.is_empty() || below.is_some_and(|below| below.is_empty() || below.starts_with('/'))
}

/// What Docusaurus calls a page: its path without numbers and ending, or with the `id` of its front matter as its name.
fn id_of(source: &Source) -> String {
    let stem = source
        .path
        .rsplit_once('.')
        .map_or(source.path.as_str(), |(stem, _)| stem);
    let mut names: Vec<&str> = stem.split('/').map(without_number).collect();
    let id = Publication::read(source, Schema::Foreign).id;
    if let (Some(id), Some(name)) = (id.as_deref(), names.last_mut()) {
        *name = id;
    }
    names.join("/")
}
