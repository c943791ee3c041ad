//! The sidebars of Docusaurus: a file that a `docusaurus.config.js` names beside the folder of its pages.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::{DEEPEST, Entry, Format, Found, Listing, Named, Translations, bar};
use crate::brand::Pictures;
use crate::config::{Generator, NavbarItem, NavbarKind, Origin, Position};
use crate::diagnostic::{Diagnostic, Severity};
use crate::fields::Text;
use crate::javascript::{Js, Modules, Names, Script};
use crate::languages::Language;
use crate::redirects::Moved;
use crate::routes;
use crate::source::translated::{From, Translated};
use crate::source::{ReadError, first_file, is_file, is_folder, read_file};
use crate::yaml;

/// Beside the content folder, or in the folder of the site beside it.
pub(super) const FILES: [&str; 6] = [
    "docusaurus.config.js",
    "docusaurus.config.ts",
    "docusaurus.config.mjs",
    "website/docusaurus.config.js",
    "website/docusaurus.config.ts",
    "website/docusaurus.config.mjs",
];

pub(super) fn find(content: &Path) -> Result<Option<(Found, Vec<Diagnostic>)>, ReadError> {
    for file in super::above(content, &FILES)? {
        let folder = file.parent().unwrap_or(Path::new(""));
        let (modules, files, mut problems) = Modules::read(&file)?;
        let script = Script::parse(&modules);
        let names = script.names();
        // Each version and each plug-in of a site has its pages in a folder of its own.
        let of_presets = names.tables_with("docs").into_iter();
        let of_presets = of_presets.filter_map(|options| options.get("docs"));
        let mut options = names.tables_with("sidebarPath").into_iter().chain(of_presets);
        let docs = options.find(|options| {
            let path = options.get("path").and_then(Js::path);
            let path = path.unwrap_or_else(|| "docs".to_owned());
            super::is_same_folder(&folder.join(path), content)
        });
        let Some(docs) = docs else {
            continue;
        };
        let config = names.exported();
        let i18n = config.and_then(|config| config.get("i18n"));
        let (mut languages, beside) = translated(i18n, docs, folder);
        let (titles, labels, found) = titles(&languages, &beside)?;
        problems.extend(found);
        let (bars, found) = add_texts(&mut languages, &beside)?;
        problems.extend(found);
        let path = docs.get("path").and_then(Js::path);
        let path = path.unwrap_or_else(|| "docs".to_owned());
        let pages = path.trim_matches(['.', '/']).to_owned();
        let prefix = docs.text_of("routeBasePath");
        let prefix = routes::prefix(prefix.as_deref().unwrap_or("docs"));
        let navbar = config.and_then(|config| config.get("themeConfig")?.get("navbar"));
        let statics = folder.join("static");
        let sidebars = docs.get("sidebarPath").and_then(Js::path);
        let sidebars = sidebars.map(|path| folder.join(path.trim_start_matches("./")));
        let sidebars = match sidebars {
            Some(path) => script_file(&path)?,
            None => None,
        };
        let sidebars = sidebars.map(|file| Modules::read(&file)).transpose()?;
        let firsts = sidebars
            .as_ref()
            .map_or_else(HashMap::new, |(modules, ..)| firsts(modules));
        let items = navbar.and_then(|navbar| navbar.get("items"));
        let items = items.map_or_else(Vec::new, |items| navbar_of(items, &firsts, &prefix, DEEPEST));
        let redirects = redirects_of(&names);
        let edit_url = docs.text_of("editUrl");
        let edit_url = edit_url.map(|before| bar::folder_of_edit_links(&before, &path));
        let mut found = Found {
            title: config.and_then(|config| config.name_of("title")),
            language: i18n.and_then(|i18n| i18n.text_of("defaultLocale")),
            list: None,
            files: files.into_iter().chain(labels).chain(bars).collect(),
            titles,
            translated: translated_from(&languages, beside)?,
            languages,
            number_prefixes: docs.get("numberPrefixParser").is_none().then_some(true),
            pictures: Pictures {
                // Without a title the logo stands alone.
                logo_has_title: navbar.map(|navbar| navbar.get("title").is_none()),
                favicon: super::picture(config.and_then(|config| config.get("favicon")), &statics),
                ..super::logo(navbar.and_then(|navbar| navbar.get("logo")), &statics)
            },
            static_files: super::folder(statics)?,
            edit_url,
            route_prefix: Some(prefix),
            origin: Origin {
                generator: Some(Generator::Docusaurus),
                site: folder.to_owned(),
                navbar: bar::unique(items),
                pages,
                has_autorefs: false,
                redirects,
                ..Origin::default()
            },
            ..Found::default()
        };
        if let Some((modules, files, wrong)) = sidebars {
            problems.extend(wrong);
            found.files.extend(files);
            found.list = super::listed(Format::Docusaurus, modules);
        }
        return Ok(Some((found, problems)));
    }
    Ok(None)
}

/// The `redirects` of its plug-in for them, each from an address or from several. Other tables with that key say something else.
fn redirects_of(names: &Names<'_>) -> Vec<Moved> {
    let lists = names.tables_with("redirects").into_iter();
    let items = lists
        .filter_map(|options| options.get("redirects")?.items())
        .flatten();
    let redirects = items.filter_map(|item| {
        let to = item.text_of("to")?;
        let from = item.get("from")?;
        let from = match from.text() {
            Some(from) => vec![from],
            None => from.items()?.into_iter().filter_map(Js::text).collect(),
        };
        Some(
            from.into_iter()
                .map(move |from| Moved::new(&from, &to, item.place()))
                .collect::<Vec<_>>(),
        )
    });
    redirects.flatten().collect()
}

/// The languages beside the first, and the folder of each for these pages, whether it is there or not.
fn translated(i18n: Option<Js<'_>>, docs: Js<'_>, site: &Path) -> (Vec<Language>, Vec<PathBuf>) {
    let first = i18n.and_then(|i18n| i18n.text_of("defaultLocale"));
    let root = i18n.and_then(|i18n| i18n.get("path")?.path());
    let root = site.join(root.as_deref().unwrap_or("i18n"));
    let plugin = match docs.text_of("id").as_deref() {
        None | Some("default") => "docusaurus-plugin-content-docs".to_owned(),
        Some(id) => format!("docusaurus-plugin-content-docs-{id}"),
    };
    let names = i18n
        .and_then(|i18n| i18n.get("locales")?.items())
        .unwrap_or_default();
    let names = names.into_iter().filter_map(Js::text);
    names
        .filter(|name| Some(name) != first.as_ref())
        .map(|name| {
            let own = i18n.and_then(|i18n| i18n.get("localeConfigs")?.get(&name));
            let text = |key: &str| own.and_then(|own| own.text_of(key));
            let language = Language {
                label: text("label"),
                comes_first: true,
                ..super::language(
                    super::tag(&text("htmlLang").unwrap_or_else(|| name.clone())),
                    &name,
                )
            };
            let folder = root.join(text("path").as_deref().unwrap_or(&name));
            // The folder of the pages is that of the version in work.
            (language, folder.join(&plugin).join("current"))
        })
        .unzip()
}

/// Where the pages of languages are that have any.
fn translated_from(languages: &[Language], folders: Vec<PathBuf>) -> Result<Vec<Translated>, ReadError> {
    let mut translated = Vec::new();
    for (language, folder) in languages.iter().zip(folders) {
        if is_folder(&folder)? {
            translated.push(Translated {
                folder: language.folder.clone(),
                from: From::Beside(folder),
            });
        }
    }
    Ok(translated)
}

/// What its sidebars are called in other languages, from the files beside the folders of these (`current.json`), and where those are.
fn titles(
    languages: &[Language],
    folders: &[PathBuf],
) -> Result<(Translations, Vec<PathBuf>, Vec<Diagnostic>), ReadError> {
    let (mut titles, mut problems) = (Translations::new(), Vec::new());
    let files: Vec<PathBuf> = folders
        .iter()
        .map(|folder| folder.with_extension("json"))
        .collect();
    for (language, file) in languages.iter().zip(&files) {
        if !is_file(file)? {
            continue;
        }
        let (messages, found) = messages(file)?;
        problems.extend(found);
        for (key, message) in messages {
            // `sidebar.docs.category.Get Started`
            let mut name = key.splitn(4, '.');
            let of_list = name.next() == Some("sidebar") && name.next().is_some();
            let kind = name
                .next()
                .filter(|kind| of_list && matches!(*kind, "category" | "doc" | "link"));
            if let (Some(_), Some(name)) = (kind, name.next()) {
                let own = titles.entry(name.to_owned()).or_default();
                own.insert(language.tag.clone(), message);
            }
        }
    }
    Ok((titles, files, problems))
}

/// Adds what the labels of the navigation bar are in other languages, from the files of the theme, and gives where those are. `folders`
/// are those of the pages in them.
fn add_texts(
    languages: &mut [Language],
    folders: &[PathBuf],
) -> Result<(Vec<PathBuf>, Vec<Diagnostic>), ReadError> {
    const NAME: &str = "docusaurus-theme-classic/navbar.json";
    let (mut files, mut problems) = (Vec::new(), Vec::new());
    for (language, folder) in languages.iter_mut().zip(folders) {
        // `i18n/fr/docusaurus-plugin-content-docs/current`
        let Some(root) = folder.parent().and_then(Path::parent) else {
            continue;
        };
        let file = root.join(NAME);
        if is_file(&file)? {
            let (messages, found) = messages(&file)?;
            problems.extend(found);
            for (key, text) in messages {
                if let Some(label) = key.strip_prefix("item.label.") {
                    language.texts.insert(label.to_owned(), Text { at: 0, text });
                }
            }
        }
        files.push(file);
    }
    Ok((files, problems))
}

/// Texts by the keys that they have in a file of translations.
type Messages = Vec<(String, String)>;

/// The messages of such a file. One that cannot be read is left out, and said so.
fn messages(file: &Path) -> Result<(Messages, Vec<Diagnostic>), ReadError> {
    let (source, mut problems) = read_file(file)?;
    // JSON is YAML, too.
    let table = match yaml::read(&source) {
        Ok(table) => table,
        Err(found) => {
            problems.extend(found.into_iter().map(|problem| Diagnostic {
                severity: Severity::Warning,
                message: format!("these names are left out: {}", problem.message),
                ..problem
            }));
            return Ok((Vec::new(), problems));
        }
    };
    let messages = table.entries().iter();
    let messages =
        messages.filter_map(|entry| Some((entry.key.clone(), entry.value.text("message")?.to_owned())));
    Ok((messages.collect(), problems))
}

/// The page that each sidebar begins with, as far as it is written out.
fn firsts(sidebars: &Modules) -> HashMap<String, String> {
    let script = Script::parse(sidebars);
    let names = script.names();
    let sidebars = names.exported().and_then(Js::entries).unwrap_or_default();
    // What is wrong with them is said where they are read as a list.
    let problems = &mut Vec::new();
    let mut reader = Reader { problems };
    let firsts = sidebars.into_iter().filter_map(|(name, sidebar)| {
        let entries = reader.sidebar(sidebar, DEEPEST);
        Some((name, first_page(&entries)?))
    });
    firsts.collect()
}

fn first_page(entries: &[Entry]) -> Option<String> {
    entries.iter().find_map(|entry| match entry {
        Entry::Page(page) => (!page.to.contains("://")).then(|| page.to.clone()),
        Entry::Group { page: Some(page), .. } => Some(page.to.clone()),
        Entry::Group { entries, .. } => first_page(entries),
        Entry::Folder { .. } => None,
    })
}

/// The items of a navigation bar. A sidebar leads to the page that it begins with, where that is written out, else to the first one of all.
fn navbar_of(items: Js<'_>, firsts: &HashMap<String, String>, prefix: &str, depth: usize) -> Vec<NavbarItem> {
    let items = items.items().filter(|_| depth > 0).unwrap_or_default();
    let doc = |id: String, label: Option<String>, position| NavbarItem {
        position,
        kind: NavbarKind::Doc {
            doc: Text { at: 0, text: id },
            label,
        },
    };
    let items = items.into_iter().filter_map(|item| {
        let position = match item.text_of("position").as_deref() {
            Some("right") => Position::Right,
            _ => Position::Left,
        };
        let label = item.text_of("label");
        let named = || label.as_deref().unwrap_or_default();
        if let Some(inner) = item.get("items") {
            return bar::dropdown(named(), navbar_of(inner, firsts, prefix, depth - 1), position);
        }
        match item.text_of("type").as_deref() {
            Some("doc") => Some(doc(item.text_of("docId")?, label, position)),
            Some("docSidebar") => {
                let id = item.text_of("sidebarId")?;
                match firsts.get(&id) {
                    Some(first) => Some(doc(first.clone(), label, position)),
                    None => bar::link(label.as_ref().unwrap_or(&id), prefix, position),
                }
            }
            None | Some("default") => {
                let address = item.text_of("to").or_else(|| item.text_of("href"))?;
                match &label {
                    Some(label) => bar::link(label, &address, position),
                    // It shows the sign of its host there.
                    None => bar::code(&address),
                }
            }
            _ => None,
        }
    });
    items.collect()
}

/// The file that a path means to `require`: it may leave out the ending.
fn script_file(path: &Path) -> Result<Option<PathBuf>, ReadError> {
    let endings = ["js", "ts", "mjs", "cjs", "mts", "cts", "json"].into_iter();
    let Some(name) = path.file_name() else {
        return Ok(None);
    };
    let name = name.to_string_lossy();
    let ended = endings.map(|ending| path.with_file_name(format!("{name}.{ending}")));
    first_file(std::iter::once(path.to_owned()).chain(ended))
}

pub(super) fn read(files: &Modules) -> Listing {
    super::read_script(files, |names, problems| {
        let sidebars = names.exported().and_then(Js::entries).unwrap_or_default();
        let lists = sidebars
            .into_iter()
            .map(|(name, sidebar)| {
                let entries = Reader { problems }.sidebar(sidebar, DEEPEST);
                (super::list_title(&name), entries)
            })
            .collect();
        Entry::of_lists(lists)
    })
}

struct Reader<'a> {
    problems: &'a mut Vec<Diagnostic>,
}

impl Reader<'_> {
    /// A list, or a table of groups by their titles.
    fn sidebar(&mut self, sidebar: Js<'_>, depth: usize) -> Vec<Entry> {
        match sidebar.entries() {
            Some(groups) => groups
                .into_iter()
                .map(|(title, items)| Entry::Group {
                    title,
                    page: None,
                    entries: self.sidebar(items, depth.saturating_sub(1)),
                })
                .collect(),
            None => super::items(sidebar, self.problems)
                .into_iter()
                .flat_map(|item| self.item(item, depth))
                .collect(),
        }
    }

    fn item(&mut self, item: Js<'_>, depth: usize) -> Vec<Entry> {
        if depth == 0 {
            return Vec::new();
        }
        if let Some(id) = item.text() {
            return vec![Entry::Page(page(id, item, String::new()))];
        }
        let label = || item.text_of("label").unwrap_or_default();
        let kind = item.text_of("type");
        let found = match kind.as_deref() {
            Some(kind @ ("doc" | "ref")) => item.text_of("id").map(|id| {
                Entry::Page(Named {
                    is_reference: kind == "ref",
                    ..page(id, item, label())
                })
            }),
            Some("link") => item
                .text_of("href")
                .map(|to| Entry::Page(page(to, item, label()))),
            Some("autogenerated") => item.text_of("dirName").map(|path| Entry::Folder {
                path: path.trim_matches(['.', '/']).to_owned(),
                at: item.at,
            }),
            Some("category") => item.text_of("label").map(|title| {
                let link = item
                    .get("link")
                    .and_then(|link| Some((link.text_of("id")?, link)));
                Entry::Group {
                    title,
                    page: link.map(|(id, link)| page(id, link, String::new())),
                    entries: item
                        .get("items")
                        .map_or_else(Vec::new, |items| self.sidebar(items, depth - 1)),
                }
            }),
            // What decorates a list.
            Some("html") => return Vec::new(),
            None if item.entries().is_some_and(|entries| !entries.is_empty()) => {
                return self.sidebar(item, depth - 1);
            }
            _ => None,
        };
        if found.is_none() {
            let problem = super::computed(item, "a page or a group");
            self.problems.push(problem);
        }
        found.into_iter().collect()
    }
}

fn page(to: String, item: Js<'_>, title: String) -> Named {
    Named {
        to,
        at: item.at,
        title,
        is_reference: false,
    }
}
