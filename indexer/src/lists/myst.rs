//! The lists of MyST: `myst.yml`, `_toc.yml` of Jupyter Book, and, of Sphinx with the parser of MyST, the `{toctree}` of its pages.

use std::collections::BTreeMap;
use std::path::Path;

use super::{DEEPEST, Entry, Format, Found, List, Listing, Named};
use crate::brand::{Picture, Pictures};
use crate::config::{Generator, Origin};
use crate::diagnostic::Diagnostic;
use crate::javascript::Modules;
use crate::markdown::myst::{Directive, directives};
use crate::markdown::slug::HeadingIds;
use crate::source::{ReadError, Source, is_file, joined_path, read_file};
use crate::yaml::{self, Value, Yaml};

const MYST: &str = "myst.yml";
const BOOK: &str = "_toc.yml";
const BOOK_CONFIG: &str = "_config.yml";
const SPHINX: &str = "conf.py";
pub(super) const FILES: [&str; 4] = [MYST, BOOK, BOOK_CONFIG, SPHINX];
/// The first page of Sphinx, unless its configuration says otherwise.
const INDEX: &str = "index.md";
/// What a list names in another one.
const LISTS: [&str; 6] = ["children", "parts", "chapters", "sections", "subtrees", "entries"];

pub(super) fn find(content: &Path) -> Result<Option<(Found, Vec<Diagnostic>)>, ReadError> {
    for folder in super::folders(content) {
        let has = |name: &str| is_file(&folder.join(name));
        let found = if has(MYST)? {
            of_myst(folder, content)?
        } else if has(BOOK)? {
            of_book(folder, content)?
        } else if has(SPHINX)? {
            of_sphinx(folder, content)?
        } else {
            None
        };
        if let Some((mut found, problems)) = found {
            found.heading_ids = Some(HeadingIds::Sphinx);
            found.origin.generator = Some(Generator::Myst);
            folder.clone_into(&mut found.origin.site);
            return Ok(Some((found, problems)));
        }
    }
    Ok(None)
}

fn of_myst(folder: &Path, content: &Path) -> Result<Option<(Found, Vec<Diagnostic>)>, ReadError> {
    let file = folder.join(MYST);
    let (mut source, mut problems) = read_file(&file)?;
    let mut part = |key: &str| {
        yaml::value(&source, key).unwrap_or_else(|found| {
            problems.extend(found);
            Yaml {
                at: 0,
                value: Value::Null,
            }
        })
    };
    let (site, project) = (part("site"), part("project"));
    let title = site.text("title").or(project.text("title")).map(str::to_owned);
    let options = site.get("options");
    let named = |key: &str| {
        let name = options?.get(key)?;
        super::named_picture(name.as_text()?, folder, &source, name.at)
    };
    let pictures = Pictures {
        logo: named("logo"),
        logo_dark: named("logo_dark"),
        favicon: named("favicon"),
        ..Pictures::default()
    };
    let references = project.table("references").iter().filter_map(|reference| {
        let url = reference
            .value
            .as_text()
            .or_else(|| reference.value.text("url"))?;
        Some((reference.key.clone(), url.to_owned()))
    });
    let origin = Origin {
        references: references.collect(),
        ..Origin::default()
    };
    let has_list = project.get("toc").is_some();
    source.path = MYST.to_owned();
    let found = Found {
        title,
        pictures,
        notebooks: Some(true),
        list: has_list.then(|| list(source, folder, content)),
        files: vec![file],
        origin,
        ..Found::default()
    };
    Ok(Some((found, problems)))
}

fn of_book(folder: &Path, content: &Path) -> Result<Option<(Found, Vec<Diagnostic>)>, ReadError> {
    let file = folder.join(BOOK);
    let (mut source, mut problems) = read_file(&file)?;
    source.path = BOOK.to_owned();
    let mut found = Found {
        list: Some(list(source, folder, content)),
        files: vec![file],
        notebooks: Some(true),
        ..Found::default()
    };
    let config = folder.join(BOOK_CONFIG);
    if is_file(&config)? {
        let (source, others) = read_file(&config)?;
        problems.extend(others);
        let (title, others) = super::mkdocs::text(&source, "title");
        problems.extend(others);
        found.title = title;
        match yaml::value(&source, "logo") {
            Ok(logo) => {
                let name = logo.as_text();
                found.pictures.logo =
                    name.and_then(|name| super::named_picture(name, folder, &source, logo.at));
            }
            Err(others) => problems.extend(others),
        }
        found.files.push(config);
    }
    Ok(Some((found, problems)))
}

/// Nothing for what Sphinx reads without the parser of MyST.
fn of_sphinx(folder: &Path, content: &Path) -> Result<Option<(Found, Vec<Diagnostic>)>, ReadError> {
    let file = folder.join(SPHINX);
    let (source, mut problems) = read_file(&file)?;
    if !source.text.contains("myst") {
        return Ok(None);
    }
    let picture = |name: &str| -> Option<Picture> {
        let (at, name) = assigned(&source.text, name)?;
        super::named_picture(name, folder, &source, at)
    };
    let has_notebooks = ["myst_nb", "nbsphinx"]
        .iter()
        .any(|name| source.text.contains(name));
    let title = assigned(&source.text, "html_title").or_else(|| assigned(&source.text, "project"));
    let mut found = Found {
        title: title.map(|(_, title)| title.to_owned()),
        pictures: Pictures {
            logo: picture("html_logo"),
            favicon: picture("html_favicon"),
            ..Pictures::default()
        },
        files: vec![file],
        notebooks: Some(has_notebooks),
        origin: Origin {
            references: other_sites(&source.text),
            ..Origin::default()
        },
        ..Found::default()
    };
    let mut pages = Vec::new();
    let index = assigned(&source.text, "root_doc").or_else(|| assigned(&source.text, "master_doc"));
    let index = index.map_or_else(|| INDEX.to_owned(), |(_, name)| format!("{name}.md"));
    if is_file(&content.join(&index))? {
        let mut names = vec![index];
        while let Some(name) = names.get(pages.len()) {
            let (mut page, others) = read_file(&content.join(name))?;
            problems.extend(others);
            page.path.clone_from(name);
            for (_, _, to) in toctrees(&page.text)
                .iter()
                .flat_map(|tree| listed(&page.text, tree))
            {
                let Some(named) = file_of(to, &page.path, content) else {
                    continue;
                };
                if !names.contains(&named) {
                    names.push(named);
                }
            }
            pages.push(page);
        }
    }
    if pages.iter().any(|page| !toctrees(&page.text).is_empty()) {
        found
            .files
            .extend(pages.iter().map(|page| content.join(&page.path)));
        found.list = Some(List {
            format: Format::Toctree,
            files: Modules::of_all(pages),
            pages: Vec::new(),
            below: String::new(),
        });
    }
    Ok(Some((found, problems)))
}

fn list(source: Source, folder: &Path, content: &Path) -> List {
    List {
        below: super::path_below(folder, content).unwrap_or_default(),
        ..List::new(Format::Myst, source)
    }
}

/// What a line of Python says that a name is.
fn assigned<'a>(text: &'a str, name: &str) -> Option<(usize, &'a str)> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let Some(value) = line.strip_prefix(name).map(str::trim_start) else {
            continue;
        };
        let Some(value) = value.strip_prefix('=').map(str::trim) else {
            continue;
        };
        let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let value = value[1..].split(quote).next().unwrap_or_default();
        return (!value.is_empty()).then_some((start, value));
    }
    None
}

/// The addresses of `intersphinx_mapping` by their names: `"python": ("https://docs.python.org/3", None)`.
fn other_sites(text: &str) -> BTreeMap<String, String> {
    let Some((_, mapping)) = text.split_once("\nintersphinx_mapping") else {
        return BTreeMap::new();
    };
    let mapping = mapping.split('}').next().unwrap_or_default();
    let entries = mapping.split('(').zip(mapping.split('(').skip(1));
    let quoted = |text: &str, is_last: bool| {
        let mut parts = text.split(['"', '\'']).skip(1).step_by(2);
        let part = if is_last { parts.last() } else { parts.next() };
        part.map(str::to_owned)
    };
    entries
        .filter_map(|(name, site)| Some((quoted(name, true)?, quoted(site, false)?)))
        .collect()
}

/// The list of `myst.yml` and `_toc.yml`, for a content folder that is `below` theirs.
pub(super) fn read(source: &Source, below: &str) -> Listing {
    let mut problems = Vec::new();
    let list = match source.path.ends_with(MYST) {
        true => yaml::value(source, "project").map(|project| match project.value {
            Value::Table(entries) => entries
                .into_iter()
                .find(|entry| entry.key == "toc")
                .map(|entry| entry.value),
            _ => None,
        }),
        false => yaml::read(source).map(Some),
    };
    let mut entries = Vec::new();
    match list {
        Ok(Some(list)) => {
            let mut reader = Reader {
                source,
                below,
                problems: &mut problems,
            };
            if list.entries().is_empty() {
                entries = reader.list(&list, DEEPEST);
            } else {
                entries.extend(
                    list.get("root")
                        .and_then(|root| reader.page(root, ""))
                        .map(Entry::Page),
                );
                entries.extend(reader.inner(&list, DEEPEST));
            }
        }
        Ok(None) => {}
        Err(found) => problems.extend(found),
    }
    (entries, problems)
}

struct Reader<'a> {
    source: &'a Source,
    below: &'a str,
    problems: &'a mut Vec<Diagnostic>,
}

impl Reader<'_> {
    fn list(&mut self, list: &Yaml, depth: usize) -> Vec<Entry> {
        let items = if depth == 0 { &[] } else { list.items() };
        items.iter().flat_map(|item| self.item(item, depth - 1)).collect()
    }

    /// What the lists in an item hold.
    fn inner(&mut self, item: &Yaml, depth: usize) -> Vec<Entry> {
        let lists = LISTS.into_iter().filter_map(|key| item.get(key));
        lists.flat_map(|list| self.list(list, depth)).collect()
    }

    fn item(&mut self, item: &Yaml, depth: usize) -> Vec<Entry> {
        if item.is_true("hidden") || item.get("url").is_some() {
            return Vec::new();
        }
        let title = ["title", "caption", "part"]
            .iter()
            .find_map(|key| item.text(key))
            .unwrap_or_default();
        if let Some(pattern) = item.get("pattern").or(item.get("glob"))
            && let Some(text) = pattern.as_text()
        {
            return self
                .in_content(text)
                .map(|text| folder(text, pattern.at))
                .into_iter()
                .collect();
        }
        let page = item.get("file").and_then(|file| self.page(file, title));
        let entries = self.inner(item, depth);
        if page.is_none() && entries.is_empty() {
            if !["file", "title", "caption", "part"]
                .iter()
                .chain(&LISTS)
                .any(|key| item.get(key).is_some())
            {
                let message = format!(
                    "this is left out: a list has pages, `file: start.md`, and groups of them, not {}",
                    item.kind()
                );
                self.problems
                    .push(Diagnostic::warning(self.source, item.at, message));
            }
            return Vec::new();
        }
        match page {
            Some(page) if entries.is_empty() => vec![Entry::Page(page)],
            page => vec![Entry::Group {
                title: title.to_owned(),
                page,
                entries,
            }],
        }
    }

    /// A path from the content folder; nothing of what is elsewhere.
    fn in_content<'p>(&self, path: &'p str) -> Option<&'p str> {
        let path = path.trim_start_matches("./");
        if self.below.is_empty() {
            return Some(path);
        }
        path.strip_prefix(self.below)?.strip_prefix('/')
    }

    fn page(&self, file: &Yaml, title: &str) -> Option<Named> {
        let to = self.in_content(file.as_text()?)?;
        Some(Named {
            to: to.to_owned(),
            at: file.at,
            title: title.to_owned(),
            is_reference: false,
        })
    }
}

/// The pages of a folder, by a pattern such as `guide/*.md`.
fn folder(pattern: &str, at: usize) -> Entry {
    let before = pattern.split(['*', '?', '[', '{']).next().unwrap_or_default();
    let path = before.rsplit_once('/').map_or("", |(folder, _)| folder);
    Entry::Folder {
        path: path.to_owned(),
        at,
    }
}

/// The list that the pages make of themselves.
pub(super) fn read_pages(files: &Modules) -> Listing {
    let mut start = 0;
    let mut pages = BTreeMap::new();
    for source in files.sources() {
        pages.insert(source.path.as_str(), (source, start));
        start += source.text.len() + 1;
    }
    let index = files.source();
    let mut named = vec![index.path.as_str()];
    let own = Named {
        to: format!("/{}", index.path),
        at: 0,
        title: String::new(),
        is_reference: false,
    };
    let mut entries = vec![Entry::Page(own)];
    entries.extend(below(&index.path, &pages, &mut named, DEEPEST));
    (entries, Vec::new())
}

/// What a page lists. Those that are named already have their place.
fn below<'a>(
    page: &str,
    pages: &BTreeMap<&'a str, (&'a Source, usize)>,
    named: &mut Vec<&'a str>,
    depth: usize,
) -> Vec<Entry> {
    let Some((source, start)) = pages.get(page).filter(|_| depth > 0) else {
        return Vec::new();
    };
    let mut entries = Vec::new();
    for tree in toctrees(&source.text) {
        let mut list = Vec::new();
        for (at, title, to) in listed(&source.text, &tree) {
            let at = start + at;
            if to.contains("://") || to == "self" {
                continue;
            }
            if to.contains('*') {
                let folder_of_page = page.rsplit_once('/').map_or("", |(folder, _)| folder);
                let pattern = joined_path(folder_of_page, to).unwrap_or_default();
                list.push(folder(&pattern, at));
                continue;
            }
            let found = candidates(to, page).find_map(|name| pages.get_key_value(name.as_str()));
            if let Some((path, _)) = found {
                if named.contains(path) {
                    continue;
                }
                named.push(path);
            }
            let to = found.map_or_else(|| to.to_owned(), |(path, _)| format!("/{path}"));
            let entry = Named {
                to,
                at,
                title: title.to_owned(),
                is_reference: false,
            };
            let inner = found.map_or_else(Vec::new, |(path, _)| below(path, pages, named, depth - 1));
            list.push(match inner.is_empty() {
                true => Entry::Page(entry),
                false => Entry::Group {
                    title: title.to_owned(),
                    page: Some(entry),
                    entries: inner,
                },
            });
        }
        match tree.one_of(&["caption"]) {
            Some(caption) if !list.is_empty() => entries.push(Entry::Group {
                title: caption.to_owned(),
                page: None,
                entries: list,
            }),
            _ => entries.extend(list),
        }
    }
    entries
}

fn toctrees(text: &str) -> Vec<Directive<'_>> {
    let found = directives(text, &["toctree"]).into_iter();
    found.map(|(_, tree)| tree).collect()
}

/// What a `{toctree}` names: places, titles, and what they lead to.
fn listed<'a>(text: &'a str, tree: &Directive<'a>) -> Vec<(usize, &'a str, &'a str)> {
    let mut at = tree.body.start;
    let mut listed = Vec::new();
    for line in text[tree.body.clone()].split_inclusive('\n') {
        let place = at + line.len() - line.trim_start().len();
        at += line.len();
        let line = line.trim();
        let (title, to) = match line.strip_suffix('>').and_then(|line| line.split_once('<')) {
            Some((title, to)) => (title.trim(), to.trim()),
            None => ("", line),
        };
        if !to.is_empty() && !to.starts_with('%') {
            listed.push((place, title, to));
        }
    }
    listed
}

/// The file of the content that a `{toctree}` names.
fn file_of(to: &str, page: &str, content: &Path) -> Option<String> {
    candidates(to, page).find(|name| content.join(name).is_file())
}

/// Where it may be: from the page, or from the content folder.
fn candidates<'a>(to: &'a str, page: &'a str) -> impl Iterator<Item = String> + use<'a> {
    let folder = page.rsplit_once('/').map_or("", |(folder, _)| folder);
    let path = match to.strip_prefix('/') {
        Some(path) => joined_path("", path),
        None => joined_path(folder, to),
    };
    path.into_iter().flat_map(|path| {
        let is_file = path.ends_with(".md");
        [if is_file {
            path.clone()
        } else {
            format!("{path}.md")
        }]
    })
}
