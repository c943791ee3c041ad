//! The sidebar of VitePress: `themeConfig.sidebar` of a `.vitepress/config.js`.

use std::path::Path;

use super::{DEEPEST, Entry, Format, Found, Listing, Named, bar};
use crate::brand::{Picture, Pictures};
use crate::config::{Generator, NavbarItem, Origin, Position};
use crate::diagnostic::Diagnostic;
use crate::javascript::{Js, Modules, Names, Script};
use crate::markdown::slug::HeadingIds;
use crate::routes;
use crate::source::ReadError;

pub(super) const FILES: [&str; 6] = [
    ".vitepress/config.ts",
    ".vitepress/config.mts",
    ".vitepress/config.js",
    ".vitepress/config.mjs",
    ".vitepress/config/index.ts",
    ".vitepress/config/index.js",
];

pub(super) fn find(content: &Path) -> Result<Option<(Found, Vec<Diagnostic>)>, ReadError> {
    for file in super::above(content, &FILES)? {
        let (modules, files, problems) = Modules::read(&file)?;
        let script = Script::parse(&modules);
        let names = script.names();
        let Some(config) = names.exported() else {
            continue;
        };
        let folder = file
            .ancestors()
            .find(|folder| folder.ends_with(".vitepress"))
            .and_then(Path::parent)
            .unwrap_or(Path::new(""));
        let pages = config.text_of("srcDir").unwrap_or_else(|| ".".to_owned());
        let pages = folder.join(pages);
        // A part of the site has the addresses that it has in the whole.
        let Some(below) = super::path_below(&pages, content) else {
            continue;
        };
        let locales = config.get("locales");
        let of_root = || locales?.get("root")?.name_of("title");
        let title = config.name_of("title").or_else(of_root);
        let (language, mut languages) = super::languages(locales);
        let language = language.or_else(|| config.text_of("lang"));
        let line_numbers = config
            .get("markdown")
            .and_then(|markdown| markdown.get("lineNumbers"))
            .and_then(Js::truth);
        let has_list = !sidebars(&names).is_empty();
        let public = pages.join("public");
        let theme = config.get("themeConfig");
        let name = theme.and_then(|theme| theme.get("siteTitle")).and_then(Js::truth);
        let pictures = Pictures {
            logo_has_title: name.map(|is_shown| !is_shown),
            favicon: favicon(config, &public),
            ..super::logo(theme.and_then(|theme| theme.get("logo")), &public)
        };
        let nav = |config: Js<'_>| {
            config
                .get("themeConfig")?
                .get("nav")
                .map(|nav| navbar_of(nav, DEEPEST))
        };
        let root = locales.and_then(|locales| locales.get("root"));
        let mut navbar = nav(config).or_else(|| nav(root?)).unwrap_or_default();
        for language in &mut languages {
            let own = locales.and_then(|locales| {
                let named = [language.folder.clone(), format!("/{}/", language.folder)];
                nav(named.iter().find_map(|name| locales.get(name))?)
            });
            language.texts = bar::translations(&navbar, &own.unwrap_or_default());
        }
        let socials = theme.and_then(|theme| theme.get("socialLinks")?.items());
        let addresses = socials
            .into_iter()
            .flatten()
            .filter_map(|social| social.text_of("link"));
        navbar.extend(addresses.filter_map(|address| bar::code(&address)));
        let edit_url = theme.and_then(|theme| {
            let pattern = theme.get("editLink")?.text_of("pattern")?;
            let before = pattern.strip_suffix(":path")?;
            Some(bar::folder_of_edit_links(before, &below))
        });
        drop(names);
        drop(script);
        let found = Found {
            title,
            language,
            languages,
            list: has_list
                .then(|| super::listed(Format::VitePress, modules))
                .flatten(),
            files,
            heading_ids: Some(HeadingIds::VitePress),
            line_numbers,
            static_files: super::folder(public)?,
            pictures,
            route_prefix: Some(routes::prefix(&below)),
            edit_url,
            origin: Origin {
                generator: Some(Generator::VitePress),
                site: folder.to_owned(),
                navbar: bar::unique(navbar),
                ..Origin::default()
            },
            ..Found::default()
        };
        return Ok(Some((found, problems)));
    }
    Ok(None)
}

/// The items of a `nav` whose labels are written out. What lists hold in groups is one list.
fn navbar_of(nav: Js<'_>, depth: usize) -> Vec<NavbarItem> {
    let items = nav.items().filter(|_| depth > 0).unwrap_or_default();
    let items = items.into_iter().filter_map(|item| {
        let label = item.text_of("text").unwrap_or_default();
        match item.get("items") {
            Some(inner) => bar::dropdown(&label, links(inner, depth - 1), Position::Left),
            None => bar::link(&label, &item.text_of("link")?, Position::Left),
        }
    });
    items.collect()
}

fn links(items: Js<'_>, depth: usize) -> Vec<NavbarItem> {
    let items = items.items().filter(|_| depth > 0).unwrap_or_default();
    let links_of = |item: Js<'_>| match item.get("items") {
        Some(inner) => links(inner, depth - 1),
        None => {
            let link = item.text_of("link");
            let link = link.and_then(|link| bar::link(&item.text_of("text")?, &link, Position::Left));
            link.into_iter().collect()
        }
    };
    items.into_iter().flat_map(links_of).collect()
}

/// The list of the site, or that of its first language, and those of the others with the names of these.
fn sidebars<'t>(names: &'t Names<'t>) -> Vec<(Option<String>, Js<'t>)> {
    let Some(config) = names.exported() else {
        return Vec::new();
    };
    let of = |config: Js<'t>| config.get("themeConfig")?.get("sidebar");
    let locales = config.get("locales");
    let first = of(config).or_else(|| of(locales?.get("root")?));
    let others = locales.and_then(Js::entries).unwrap_or_default();
    let others = others
        .into_iter()
        .filter(|(folder, _)| !matches!(folder.as_str(), "root" | "/"));
    let others = others.filter_map(|(folder, locale)| {
        let name = locale.text_of("label").unwrap_or(folder);
        Some((Some(name), of(locale)?))
    });
    first
        .map(|sidebar| (None, sidebar))
        .into_iter()
        .chain(others)
        .collect()
}

/// The picture of `['link', { rel: 'icon', href: '/logo.svg' }]` in the `head` of a configuration; its address has the base of the site.
fn favicon(config: Js<'_>, public: &Path) -> Option<Picture> {
    let icon = config.get("head")?.items()?.into_iter().find_map(|element| {
        let element = element.items()?;
        let [name, attributes, ..] = element.as_slice() else {
            return None;
        };
        let rel = attributes.text_of("rel")?;
        let is_icon = name.text()? == "link" && rel.split_whitespace().any(|word| word == "icon");
        is_icon.then(|| attributes.get("href"))?
    })?;
    let mut picture = super::picture(Some(icon), public)?;
    let base = config.text_of("base").unwrap_or_default();
    if let Some(path) = picture.name.strip_prefix(&base) {
        picture.file = public.join(path.trim_start_matches('/'));
    }
    Some(picture)
}

pub(super) fn read(files: &Modules) -> Listing {
    super::read_script(files, |names, problems| {
        let mut entries = Vec::new();
        for (language, sidebar) in sidebars(names) {
            let lists = match sidebar.entries() {
                None => list(sidebar, "", problems, DEEPEST),
                Some(lists) => Entry::of_lists(named_lists(lists, problems)),
            };
            match language {
                None => entries.extend(lists),
                Some(name) => entries.extend(Entry::of_language(name, lists)),
            }
        }
        entries
    })
}

/// The lists of a table of them, by their names.
fn named_lists(lists: Vec<(String, Js<'_>)>, problems: &mut Vec<Diagnostic>) -> Vec<(String, Vec<Entry>)> {
    lists
        .into_iter()
        .map(|(path, sidebar)| {
            let base = sidebar.text_of("base").unwrap_or_default();
            let items = sidebar.get("items").unwrap_or(sidebar);
            (super::list_title(&path), list(items, &base, problems, DEEPEST))
        })
        .collect()
}

fn list(items: Js<'_>, base: &str, problems: &mut Vec<Diagnostic>, depth: usize) -> Vec<Entry> {
    if depth == 0 {
        return Vec::new();
    }
    let mut entries = Vec::new();
    for item in super::items(items, problems) {
        let title = item.text_of("text").unwrap_or_default();
        let page = item.text_of("link").map(|link| Named {
            to: based(base, &link),
            at: item.at,
            title: title.clone(),
            is_reference: false,
        });
        let Some(inner) = item.get("items") else {
            if page.is_none() {
                problems.push(super::computed(item, "a page or a group"));
            }
            entries.extend(page.map(Entry::Page));
            continue;
        };
        let base = item.text_of("base").unwrap_or_else(|| base.to_owned());
        let inner = list(inner, &base, problems, depth - 1);
        if title.is_empty() {
            // A line between pages.
            entries.extend(page.map(Entry::Page));
            entries.extend(inner);
        } else {
            entries.push(Entry::Group {
                title,
                page,
                entries: inner,
            });
        }
    }
    entries
}

fn based(base: &str, link: &str) -> String {
    if base.is_empty() || link.contains("://") {
        return link.to_owned();
    }
    format!("{}/{}", base.trim_end_matches('/'), link.trim_start_matches('/'))
}
