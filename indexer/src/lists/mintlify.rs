//! The navigation of Mintlify: `docs.json` in the folder of the pages, or `mint.json`, as it was called before.

use std::path::Path;

use super::{DEEPEST, Entry, Format, Found, Listing, Named, bar};
use crate::brand::Pictures;
use crate::config::{Generator, NavbarItem, Origin, Position};
use crate::diagnostic::Diagnostic;
use crate::javascript::{Js, Modules, Script};
use crate::languages::Language;
use crate::redirects::Moved;
use crate::source::{ReadError, first_file};

pub(super) const FILES: [&str; 2] = ["docs.json", "mint.json"];

/// What divides a site, and the name that each part has: pages of all parts are listed one after the other.
const DIVISIONS: [(&str, &str); 5] = [
    ("tabs", "tab"),
    ("anchors", "anchor"),
    ("dropdowns", "dropdown"),
    ("products", "product"),
    ("menu", "item"),
];
pub(super) fn find(content: &Path) -> Result<Option<(Found, Vec<Diagnostic>)>, ReadError> {
    let Some(file) = first_file(FILES.map(|name| content.join(name)))? else {
        return Ok(None);
    };
    let (modules, files, problems) = Modules::read(&file)?;
    let script = Script::parse(&modules);
    let names = script.names();
    // Other programs have files of this name.
    let Some(config) = names
        .exported()
        .filter(|config| config.get("navigation").is_some())
    else {
        return Ok(None);
    };
    let icon = config.get("favicon");
    let pictures = Pictures {
        logo_has_title: Some(false),
        favicon: super::picture(icon.and_then(|icon| icon.get("light")).or(icon), content),
        ..super::logo(config.get("logo"), content)
    };
    let title = config.text_of("name");
    let (language, languages) = languages(config.get("navigation"));
    let navbar = bar::unique(navbar_of(config));
    let redirects = config.get("redirects").and_then(Js::items).unwrap_or_default();
    let redirects = redirects.into_iter().filter_map(|item| {
        Some(Moved::new(
            &item.text_of("source")?,
            &item.text_of("destination")?,
            item.place(),
        ))
    });
    let redirects = redirects.collect();
    drop(names);
    drop(script);
    let found = Found {
        title,
        language,
        languages,
        list: super::listed(Format::Mintlify, modules),
        pictures,
        files,
        origin: Origin {
            generator: Some(Generator::Mintlify),
            site: content.to_owned(),
            navbar,
            redirects,
            ..Origin::default()
        },
        ..Found::default()
    };
    Ok(Some((found, problems)))
}

/// The links of the bar and the button beside them, as they are called now and were before.
fn navbar_of(config: Js<'_>) -> Vec<NavbarItem> {
    let navbar = config.get("navbar");
    let links = navbar.and_then(|navbar| navbar.get("links"));
    let links = links.or_else(|| config.get("topbarLinks")).and_then(Js::items);
    let primary = navbar.and_then(|navbar| navbar.get("primary"));
    let primary = primary.or_else(|| config.get("topbarCtaButton"));
    let items = links.into_iter().flatten().chain(primary).filter_map(|item| {
        let address = item.text_of("href").or_else(|| item.text_of("url"))?;
        match item.text_of("label").or_else(|| item.text_of("name")) {
            Some(label) => bar::link(&label, &address, Position::Right),
            None => bar::code(&address),
        }
    });
    items.collect()
}

pub(super) fn read(files: &Modules) -> Listing {
    super::read_script(files, |names, problems| {
        let Some(config) = names.exported() else {
            return Vec::new();
        };
        let title = config.text_of("name").unwrap_or_default();
        config.get("navigation").map_or_else(Vec::new, |navigation| {
            Reader { title, problems }.part(navigation, DEEPEST)
        })
    })
}

struct Reader<'a> {
    /// The name of the site.
    title: String,
    problems: &'a mut Vec<Diagnostic>,
}

impl Reader<'_> {
    /// What a part of a site lists: pages, groups, or parts in it.
    fn part(&mut self, part: Js<'_>, depth: usize) -> Vec<Entry> {
        if depth == 0 {
            return Vec::new();
        }
        if part.entries().is_none() {
            return self.list(part, depth - 1);
        }
        let mut entries = Vec::new();
        if let Some(to) = part.text_of("href") {
            entries.push(page(to, part));
        }
        for key in ["pages", "groups"] {
            if let Some(list) = part.get(key) {
                entries.extend(self.list(list, depth - 1));
            }
        }
        for (key, name) in DIVISIONS {
            let parts = part
                .get(key)
                .map_or_else(Vec::new, |parts| super::items(parts, self.problems));
            let lists = parts
                .into_iter()
                .map(|part| (part.text_of(name).unwrap_or_default(), self.part(part, depth - 1)))
                .collect();
            entries.extend(Entry::of_lists(lists));
        }
        // One version is shown at a time.
        if let Some((shown, _)) = alternatives(part, "versions") {
            entries.extend(self.part(shown, depth - 1));
        }
        if let Some((first, others)) = alternatives(part, "languages") {
            entries.extend(self.part(first, depth - 1));
            for other in others {
                let list = self.part(other, depth - 1);
                entries.extend(Entry::of_language(self.title.clone(), list));
            }
        }
        entries
    }

    fn list(&mut self, list: Js<'_>, depth: usize) -> Vec<Entry> {
        let items = super::items(list, self.problems);
        items
            .into_iter()
            .filter_map(|item| self.item(item, depth))
            .collect()
    }

    fn item(&mut self, item: Js<'_>, depth: usize) -> Option<Entry> {
        if let Some(to) = item.text() {
            if is_operation(&to) {
                let message = format!(
                    "`{to}` is left out: name the API description in [[api]] of the site's configuration, and its operations are pages of their own"
                );
                let (source, at) = item.place();
                self.problems.push(Diagnostic::warning(source, at, message));
                return None;
            }
            // All are named from the folder of this file.
            return Some(page(format!("/{}", to.trim_start_matches('/')), item));
        }
        let Some(title) = item.text_of("group") else {
            self.problems.push(super::computed(item, "a page or a group"));
            return None;
        };
        let root = item.text_of("root").map(|to| named(to, item));
        Some(Entry::Group {
            title,
            page: root,
            entries: self.part(item, depth),
        })
    }
}

/// The parts of which one is shown at a time, that one before the others: the first, unless another one says that it is the default.
fn alternatives<'t>(part: Js<'t>, key: &str) -> Option<(Js<'t>, Vec<Js<'t>>)> {
    let mut parts = part.get(key)?.items()?;
    let is_default = |part: &Js<'t>| part.get("default").and_then(Js::truth) == Some(true);
    let shown = parts.iter().position(is_default).unwrap_or(0);
    (!parts.is_empty()).then(|| (parts.remove(shown), parts))
}

/// The first language, and the others, each of which has its pages in a folder of its name. A version may have the languages in it.
fn languages(navigation: Option<Js<'_>>) -> (Option<String>, Vec<Language>) {
    let shown = navigation.and_then(|navigation| Some(alternatives(navigation, "versions")?.0));
    let divided = [navigation, shown].into_iter().flatten();
    let mut found = divided.filter_map(|part| alternatives(part, "languages"));
    let Some((first, others)) = found.next() else {
        return (None, Vec::new());
    };
    let others = others.into_iter().filter_map(|part| {
        let name = part.text_of("language")?;
        let folder = folder_of(part, &name, DEEPEST).unwrap_or_else(|| name.clone());
        Some(super::language(super::tag(&name), &folder))
    });
    (
        first.text_of("language").as_deref().map(super::tag),
        others.collect(),
    )
}

/// The folder of a language, by the first page in a part of a site that stands in one of its name.
fn folder_of(part: Js<'_>, language: &str, depth: usize) -> Option<String> {
    if depth == 0 {
        return None;
    }
    if let Some(page) = part.text() {
        let page = page.trim_start_matches('/');
        let (at, _) = page
            .match_indices('/')
            .find(|(at, _)| page[..*at].rsplit('/').next() == Some(language))?;
        return Some(page[..at].to_owned());
    }
    let inner = match part.items() {
        Some(items) => items,
        None => {
            let keys = ["pages", "groups", "versions"].into_iter();
            let keys = keys.chain(DIVISIONS.map(|(key, _)| key));
            keys.filter_map(|key| part.get(key)).collect()
        }
    };
    inner
        .into_iter()
        .find_map(|part| folder_of(part, language, depth - 1))
}

/// Whether this is no page but an operation of an API: `GET /users`.
fn is_operation(name: &str) -> bool {
    name.split_once(' ')
        .is_some_and(|(method, _)| method.chars().all(|c| c.is_ascii_uppercase()))
}

fn page(to: String, item: Js<'_>) -> Entry {
    Entry::Page(named(to, item))
}

fn named(to: String, item: Js<'_>) -> Named {
    Named {
        to,
        at: item.at,
        title: String::new(),
        is_reference: false,
    }
}
