//! The files by which the folders of Nextra (`_meta.js`) and Fumadocs (`meta.json`) put what is in them in order. Without such a file a
//! folder has its pages and folders by their names. In the folder `app` of Next.js, Nextra can say all of it in one file
//! (`_meta.global.js`), and a page is the `page.mdx` in a folder of its name.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;
use std::path::{Path, PathBuf};

use super::locales::Locales;
use super::{DEEPEST, Entry, Format, Found, List, Listing, Named};
use crate::config::{Generator, Origin};
use crate::diagnostic::Diagnostic;
use crate::javascript::{Js, Modules, Names, Script};
use crate::routes;
use crate::source::{
    ReadError, Source, entries, files_below, first_file, is_left_out, is_markdown, joined_path, read_file,
};

const NEXTRA: [&str; 5] = ["_meta.js", "_meta.ts", "_meta.jsx", "_meta.tsx", "_meta.json"];
const FUMADOCS: &str = "meta.json";
pub(super) const FILES: [&str; 6] = [NEXTRA[0], NEXTRA[1], NEXTRA[2], NEXTRA[3], NEXTRA[4], FUMADOCS];
/// In the folder `app` of Next.js.
pub(super) const GLOBAL: [&str; 4] = [
    "_meta.global.js",
    "_meta.global.ts",
    "_meta.global.jsx",
    "_meta.global.tsx",
];
/// Where Fumadocs is told what addresses begin with, from the folder of the site.
const LOADERS: [&str; 4] = [
    "lib/source.ts",
    "lib/source.tsx",
    "src/lib/source.ts",
    "src/lib/source.tsx",
];

/// What its templates have there.
const USUAL_BASE: &str = "/docs";

pub(super) fn find(content: &Path) -> Result<Option<(Found, Vec<Diagnostic>)>, ReadError> {
    let mut folders = below(content)?;
    folders.push(content.to_owned());
    let app = App::of(content, &folders)?;
    // Most folders have none, and need not be looked through.
    if app.is_none() && !has_one(&folders, &FILES)? {
        return Ok(None);
    }
    let paths = files_below(content)?;
    let locales = Locales::find(content, &paths)?;
    let placed = paths.into_iter().map(|path| (locales.place(&path), path));
    let (lists, others): (Vec<_>, Vec<_>) =
        placed.partition(|((_, place), _)| FILES.contains(&name_of(place)));
    // The pages of other languages are in the list of the first.
    let others = others
        .into_iter()
        .filter(|((language, _), _)| language.is_empty());
    let mut others: Vec<String> = others.map(|((_, place), _)| place).collect();
    let mut sources = Vec::new();
    let mut problems = Vec::new();
    let mut files: Vec<PathBuf> = lists.iter().map(|(_, path)| content.join(path)).collect();
    if let Some(app) = &app {
        others.retain(|path| routes::is_page_of_app(path));
        if let Some(global) = first_file(GLOBAL.iter().map(|name| app.folder.join(name)))? {
            let (mut source, found) = read_file(&global)?;
            problems.extend(found);
            // What it names is found in the content folder.
            source.path = name_of(&source.display).to_owned();
            sources.push(source);
            files.push(global);
        }
    }
    let mut of_languages = Vec::with_capacity(lists.len());
    for ((language, place), path) in &lists {
        let (mut source, found) = read_file(&content.join(path))?;
        problems.extend(found);
        source.path.clone_from(place);
        if language.is_empty() {
            sources.push(source.clone());
        }
        of_languages.push(source);
    }
    let places: Vec<(String, String)> = lists.into_iter().map(|(place, _)| place).collect();
    let titles = locales.titles(&Modules::of_all(of_languages), &places);
    // What they name is found from the folder of the first.
    match sources.iter().position(|source| !source.path.contains('/')) {
        Some(first) => sources[..=first].rotate_right(1),
        None => sources.insert(0, Source::new(FUMADOCS, FUMADOCS, "")),
    }
    let is_fumadocs = app.is_none() && places.iter().all(|(_, path)| !is_nextra(path));
    let modules = Modules::of_all(sources);
    // Other programs have files of this name.
    if is_fumadocs && !is_of_pages(&modules) {
        return Ok(None);
    }
    files.extend(locales.files.iter().cloned());
    let mut found = Found {
        files,
        language: locales.first.as_deref().map(super::tag),
        languages: locales.languages(),
        translated: locales.translated,
        titles,
        list: Some(List {
            format: Format::Folders,
            files: modules,
            pages: others.into_iter().filter(|path| is_markdown(path)).collect(),
            below: app.as_ref().map_or_else(String::new, |app| app.below.clone()),
        }),
        ..Found::default()
    };
    if let Some(App { folder, below }) = app {
        let beside = folder.parent().unwrap_or(Path::new(""));
        let site = match beside.ends_with("src") {
            true => beside.parent().unwrap_or(Path::new("")),
            false => beside,
        };
        found.static_files = super::folder(site.join("public"))?;
        found.route_prefix = Some(routes::prefix_in_app(&below));
        found.origin = Origin {
            generator: Some(Generator::NextApp),
            site: site.to_owned(),
            ..Origin::default()
        };
    }
    if found.static_files.is_none() {
        // What Next.js serves.
        found.static_files = match super::folder_with(content, "package.json")? {
            Some(site) => super::folder(site.join("public"))?,
            None => None,
        };
    }
    if is_fumadocs {
        found.origin = Origin {
            generator: Some(Generator::Fumadocs),
            site: content.to_owned(),
            ..Origin::default()
        };
        let mut base = None;
        if let Some(loader) = super::above(content, &LOADERS)?.into_iter().next() {
            let (modules, files, _) = Modules::read(&loader)?;
            let script = Script::parse(&modules);
            let names = script.names();
            base = names
                .tables_with("baseUrl")
                .into_iter()
                .find_map(|table| table.text_of("baseUrl"));
            found.files.extend(files);
        }
        found.route_prefix = Some(routes::prefix(base.as_deref().unwrap_or(USUAL_BASE)));
    }
    Ok(Some((found, problems)))
}

/// The folder `app` of Next.js.
struct App {
    folder: PathBuf,
    /// Where the content folder is below it.
    below: String,
}

impl App {
    /// That which a content folder is or is in, if it has pages as they are called there. `folders` are it and those in it.
    fn of(content: &Path, folders: &[PathBuf]) -> Result<Option<Self>, ReadError> {
        let Some(folder) = super::folders(content).find(|folder| folder.ends_with("app")) else {
            return Ok(None);
        };
        if !has_one(folders, &["page.mdx", "page.md"])? {
            return Ok(None);
        }
        Ok(super::path_below(folder, content).map(|below| Self {
            folder: folder.to_owned(),
            below,
        }))
    }
}

/// Whether one of the folders has a file of one of the names.
fn has_one(folders: &[PathBuf], names: &[&str]) -> Result<bool, ReadError> {
    let files = folders
        .iter()
        .flat_map(|folder| names.iter().map(|name| folder.join(name)));
    Ok(first_file(files)?.is_some())
}

/// The folders in a folder that [`files_below`] would look into.
fn below(folder: &Path) -> Result<Vec<PathBuf>, ReadError> {
    let mut folders = entries(folder)?;
    folders.retain(|entry| {
        let name = entry.file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| !is_left_out(name)) && !entry.is_symlink() && entry.is_dir()
    });
    Ok(folders)
}

/// Whether one of the files says something about pages.
fn is_of_pages(modules: &Modules) -> bool {
    let script = Script::parse(modules);
    let names = script.names();
    (0..modules.len()).any(|file| {
        names.exported_by(file).is_some_and(|meta| {
            meta.get("pages").is_some_and(|pages| pages.items().is_some()) || meta.get("root").is_some()
        })
    })
}

pub(super) fn read(files: &Modules, pages: &[String], below: &str) -> Listing {
    let mut problems = Vec::new();
    let script = Script::parse(files);
    let names = script.names();
    let (global, metas): (Vec<usize>, Vec<usize>) =
        (0..files.len()).partition(|file| GLOBAL.contains(&files.path_of(*file)));
    let metas = metas.into_iter().map(|file| {
        let path = files.path_of(file);
        (path.rsplit_once('/').map_or("", |(folder, _)| folder), file)
    });
    let is_app = pages.iter().all(|path| routes::is_page_of_app(path));
    let mut reader = Reader {
        names: &names,
        files,
        metas: metas.collect(),
        global: global.first().copied(),
        below,
        pages: pages
            .iter()
            .map(|path| {
                let stem = path.rsplit_once('.').map_or(&**path, |(stem, _)| stem);
                let name = if is_app {
                    name_in_app(stem)
                } else {
                    stem.to_owned()
                };
                (name, path.as_str())
            })
            .collect(),
        problems: &mut problems,
    };
    let mut entries = reader.folder("", None, DEEPEST);
    for entry in &mut entries {
        // A section has a name of its own.
        if let Entry::Group {
            title,
            page: Some(page),
            ..
        } = entry
            && title.is_empty()
        {
            let (stem, _) = page.to.rsplit_once('.').unwrap_or((&page.to, ""));
            let own = if is_app { "/page" } else { "/index" };
            *title = folder_title(stem.strip_suffix(own).unwrap_or(stem));
        }
    }
    (entries, problems)
}

struct Reader<'a> {
    names: &'a Names<'a>,
    files: &'a Modules,
    /// The file of a folder, by its path.
    metas: BTreeMap<&'a str, usize>,
    /// The one for all folders.
    global: Option<usize>,
    /// Where the content folder is in it.
    below: &'a str,
    /// Of Markdown, without their endings.
    pages: BTreeMap<String, &'a str>,
    problems: &'a mut Vec<Diagnostic>,
}

/// A page or a folder of one.
struct Item<'a> {
    path: String,
    /// Empty where it has its own.
    title: String,
    said: Option<Js<'a>>,
}

impl<'a> Reader<'a> {
    /// What a folder lists. A page of its own, if `own` is one, is listed elsewhere.
    fn folder(&mut self, folder: &str, own: Option<&str>, depth: usize) -> Vec<Entry> {
        let Some(depth) = depth.checked_sub(1) else {
            return Vec::new();
        };
        let mut named = BTreeSet::from_iter(own.map(str::to_owned));
        let mut groups = vec![(String::new(), Vec::new())];
        match self.meta(folder) {
            Some((true, meta)) => {
                self.nextra(meta, folder, depth, &mut named, &mut groups);
                let rest = self.rest(folder, &named, depth);
                push(&mut groups, rest);
            }
            Some((false, meta)) if meta.get("pages").is_some() => {
                self.fumadocs(meta, folder, own, depth, &mut named, &mut groups);
            }
            _ => {
                let rest = self.rest(folder, &named, depth);
                push(&mut groups, rest);
            }
        }
        let mut entries = Vec::new();
        for (title, list) in groups {
            if title.is_empty() {
                entries.extend(list);
            } else if !list.is_empty() {
                entries.push(Entry::Group {
                    title,
                    page: None,
                    entries: list,
                });
            }
        }
        entries
    }

    /// What the file of a folder says, and whether it is one of Nextra.
    fn meta(&self, folder: &str) -> Option<(bool, Js<'a>)> {
        let Some(file) = self.metas.get(folder) else {
            return Some((true, self.global_meta(folder)?));
        };
        let meta = self.names.exported_by(*file)?;
        Some((is_nextra(self.files.path_of(*file)), meta))
    }

    /// What the file for all folders says of one: the `items` of its name, in those of the folders around it.
    fn global_meta(&self, folder: &str) -> Option<Js<'a>> {
        let all = self.names.exported_by(self.global?)?;
        let names = self.below.split('/').chain(folder.split('/'));
        names
            .filter(|name| !name.is_empty())
            .try_fold(all, |meta, name| meta.get(name)?.get("items"))
    }

    /// A table of names with titles.
    fn nextra(
        &mut self,
        meta: Js<'a>,
        folder: &str,
        depth: usize,
        named: &mut BTreeSet<String>,
        groups: &mut Vec<(String, Vec<Entry>)>,
    ) {
        for (name, said) in meta.entries().unwrap_or_default() {
            let title = said.text().or_else(|| said.text_of("title")).unwrap_or_default();
            let kind = said.text_of("type");
            if kind.as_deref() == Some("separator") {
                groups.push((title, Vec::new()));
                continue;
            }
            let path = joined(folder, &name);
            if said.text_of("display").as_deref() == Some("hidden") {
                named.insert(path);
            } else if let Some(to) = said.text_of("href") {
                push(groups, vec![page(to, title, said)]);
            } else if self.is_there(&path) {
                let said = Some(said);
                let entry = self.item(
                    Item {
                        path: path.clone(),
                        title,
                        said,
                    },
                    depth,
                );
                named.insert(path);
                push(groups, entry);
            } else if name != "*" && kind.as_deref() != Some("menu") {
                // In the folder `app` the page of a folder is called as that is.
                let is_own = name == "index" && self.pages.contains_key(folder);
                if !is_own {
                    self.missing(&name, said);
                }
            }
        }
    }

    /// A list of names, and of marks that stand for more.
    fn fumadocs(
        &mut self,
        meta: Js<'a>,
        folder: &str,
        own: Option<&str>,
        depth: usize,
        named: &mut BTreeSet<String>,
        groups: &mut Vec<(String, Vec<Entry>)>,
    ) {
        let items = meta
            .get("pages")
            .map_or_else(Vec::new, |pages| super::items(pages, self.problems));
        let texts: Vec<(String, Js<'_>)> = items
            .into_iter()
            .filter_map(|item| Some((item.text()?, item)))
            .collect();
        // Of what is left nothing is that has its place further down.
        for (text, _) in &texts {
            let name = text
                .strip_prefix('!')
                .or_else(|| text.strip_prefix("..."))
                .unwrap_or(text);
            if !name.is_empty() {
                named.insert(joined(folder, name));
            }
        }
        for (text, said) in texts {
            if let Some(title) = mark(&text) {
                groups.push((title.to_owned(), Vec::new()));
            } else if text == "..." || text == "z...a" {
                let mut rest = self.rest(folder, named, depth);
                if text != "..." {
                    rest.reverse();
                }
                push(groups, rest);
            } else if let Some(name) = text.strip_prefix("...") {
                let path = joined(folder, name);
                let entries = self.folder(&path, None, depth);
                if entries.is_empty() {
                    self.missing(name, said);
                }
                push(groups, entries);
            } else if let Some((title, to)) = link(&text) {
                push(groups, vec![page(to.to_owned(), title.to_owned(), said)]);
            } else if !text.starts_with('!') {
                let path = joined(folder, &text);
                if own == Some(&*path) {
                    continue;
                }
                if self.is_there(&path) {
                    let entry = self.item(
                        Item {
                            path,
                            title: String::new(),
                            said: Some(said),
                        },
                        depth,
                    );
                    push(groups, entry);
                } else {
                    self.missing(&text, said);
                }
            }
        }
    }

    /// What is in a folder and not named, by name.
    fn rest(&mut self, folder: &str, named: &BTreeSet<String>, depth: usize) -> Vec<Entry> {
        let inside = if folder.is_empty() {
            String::new()
        } else {
            format!("{folder}/")
        };
        let mut paths = BTreeSet::new();
        for stem in self.pages.keys() {
            if let Some(below) = stem.strip_prefix(&inside) {
                let name = below.split('/').next().unwrap_or(below);
                paths.insert(format!("{inside}{name}"));
            }
        }
        // The page of a folder comes first.
        let own = joined(folder, "index");
        let first = paths.take(&own);
        first
            .into_iter()
            .chain(paths)
            .filter(|path| !named.contains(path))
            .flat_map(|path| {
                let item = Item {
                    path,
                    title: String::new(),
                    said: None,
                };
                self.item(item, depth)
            })
            .collect()
    }

    fn is_there(&self, path: &str) -> bool {
        self.pages.contains_key(path) || self.has_pages(path)
    }

    fn has_pages(&self, folder: &str) -> bool {
        let inside = format!("{folder}/");
        self.pages
            .range::<str, _>((Bound::Included(inside.as_str()), Bound::Unbounded))
            .next()
            .is_some_and(|(stem, _)| stem.starts_with(&inside))
    }

    /// A page, or a folder with what it lists.
    fn item(&mut self, item: Item<'a>, depth: usize) -> Vec<Entry> {
        let Item { path, title, said } = item;
        let at = said.map_or(0, |said| said.at);
        let named = |stem: &str, title: String| {
            let file = self.pages.get(stem)?;
            Some(Named {
                to: (*file).to_owned(),
                at,
                title,
                is_reference: false,
            })
        };
        if !self.has_pages(&path) {
            return named(&path, title).map(Entry::Page).into_iter().collect();
        }
        let own = joined(&path, "index");
        let page = named(&path, String::new()).or_else(|| named(&own, String::new()));
        let said_there = match self.meta(&path) {
            Some((false, meta)) => meta.text_of("title"),
            _ => None,
        };
        let title = Some(title)
            .filter(|title| !title.is_empty())
            .or(said_there)
            // Else it is called as its page is, if it has one.
            .or_else(|| page.is_some().then(String::new))
            .unwrap_or_else(|| folder_title(&path));
        let entries = self.folder(&path, Some(&own), depth);
        vec![Entry::Group { title, page, entries }]
    }

    fn missing(&mut self, name: &str, said: Js<'_>) {
        let message = format!("there is no page and no folder `{name}` here; such an entry is left out");
        let (source, at) = said.place();
        self.problems.push(Diagnostic::warning(source, at, message));
    }
}

/// The name of a folder as words.
fn folder_title(path: &str) -> String {
    routes::words(name_of(path).trim_matches(['(', ')']))
}

/// What Nextra calls a page in the folder `app`: its folder, without those in brackets.
fn name_in_app(stem: &str) -> String {
    let folder = stem.rsplit_once('/').map_or("", |(folder, _)| folder);
    let names = folder.split('/').filter(|name| !name.starts_with('('));
    Some(names.collect::<Vec<_>>().join("/"))
        .filter(|name| !name.is_empty())
        .unwrap_or_else(|| "index".to_owned())
}

/// The title of a mark between pages.
pub(super) fn mark(text: &str) -> Option<&str> {
    let title = text.strip_prefix("---")?.strip_suffix("---")?;
    // An icon may stand before it.
    Some(title.rsplit(']').next().unwrap_or(title).trim())
}

fn is_nextra(path: &str) -> bool {
    NEXTRA.contains(&name_of(path))
}

fn name_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn push(groups: &mut [(String, Vec<Entry>)], entries: Vec<Entry>) {
    if let Some((_, last)) = groups.last_mut() {
        last.extend(entries);
    }
}

/// A path from a folder; empty where it leads out of everything.
fn joined(folder: &str, name: &str) -> String {
    joined_path(folder, name).unwrap_or_default()
}

/// `[Title](address)`, also with `external:` or the name of an icon before it.
fn link(text: &str) -> Option<(&str, &str)> {
    let text = text.strip_prefix("external:").unwrap_or(text);
    let (before, to) = text.strip_suffix(')')?.rsplit_once("](")?;
    let title = before.rsplit('[').next()?;
    before.starts_with('[').then_some((title, to))
}

fn page(to: String, title: String, said: Js<'_>) -> Entry {
    Entry::Page(Named {
        to,
        at: said.at,
        title,
        is_reference: false,
    })
}
