//! The sidebar of Starlight: what `starlight()` is given in an `astro.config.mjs`.

use std::path::Path;

use super::{DEEPEST, Entry, Format, Found, Listing, Named, Translations, bar};
use crate::brand::Pictures;
use crate::config::{Generator, Origin};
use crate::diagnostic::Diagnostic;
use crate::javascript::{Js, Modules, Script};
use crate::redirects::Moved;
use crate::source::ReadError;

pub(super) const FILES: [&str; 4] = [
    "astro.config.mjs",
    "astro.config.ts",
    "astro.config.mts",
    "astro.config.js",
];
/// The language of a site that says nothing of it.
const LANGUAGE: &str = "en";
/// Where Starlight has its pages.
const PAGES: &str = "src/content/docs";

pub(super) fn find(content: &Path) -> Result<Option<(Found, Vec<Diagnostic>)>, ReadError> {
    for file in super::above(content, &FILES)? {
        let folder = file.parent().unwrap_or(Path::new(""));
        if !super::is_same_folder(&folder.join(PAGES), content) {
            continue;
        }
        let (modules, files, problems) = Modules::read(&file)?;
        let script = Script::parse(&modules);
        let names = script.names();
        let options = names.given_to("starlight").first().copied();
        let has_list = options.is_some_and(|options| options.get("sidebar").is_some());
        let (language, mut languages) = super::languages(options.and_then(|options| options.get("locales")));
        let default = options.and_then(|options| options.text_of("defaultLocale"));
        let default = languages
            .iter()
            .find(|other| Some(&other.folder) == default.as_ref());
        let language = language.or_else(|| default.map(|default| default.tag.clone()));
        let mut title = options.and_then(|options| options.name_of("title"));
        // One text, or one for each language by its tag.
        if let Some(titles) = options
            .and_then(|options| options.get("title"))
            .filter(|_| title.is_none())
        {
            title = titles.name_of(language.as_deref().unwrap_or(LANGUAGE));
            for other in &mut languages {
                other.title = titles.name_of(&other.tag);
            }
        }
        let public = folder.join("public");
        let icon = options.and_then(|options| options.get("favicon"));
        let logo = options.and_then(|options| options.get("logo"));
        let pictures = Pictures {
            logo_has_title: logo
                .and_then(|logo| logo.get("replacesTitle"))
                .and_then(Js::truth),
            favicon: match icon {
                Some(_) => super::picture(icon, &public),
                None => super::usual_picture(&public, &["favicon.svg"], modules.source())?,
            },
            ..super::logo(logo, folder)
        };
        let socials = options.and_then(|options| options.get("social"));
        // A list, or in older versions a table.
        let listed = socials.and_then(Js::items).unwrap_or_default();
        let listed = listed.into_iter().filter_map(|social| social.text_of("href"));
        let named = socials.and_then(Js::entries).unwrap_or_default();
        let named = named.into_iter().filter_map(|(_, address)| address.text());
        let navbar = listed
            .chain(named)
            .filter_map(|address| bar::code(&address))
            .collect();
        let redirects = names.exported().map_or_else(Vec::new, redirects_of);
        let edit_url = options.and_then(|options| options.get("editLink")?.text_of("baseUrl"));
        let edit_url = edit_url.map(|before| bar::folder_of_edit_links(&before, PAGES));
        drop(names);
        drop(script);
        let found = Found {
            title,
            language,
            languages,
            list: has_list
                .then(|| super::listed(Format::Starlight, modules))
                .flatten(),
            static_files: super::folder(public)?,
            pictures,
            edit_url,
            files,
            origin: Origin {
                generator: Some(Generator::Starlight),
                site: folder.to_owned(),
                pages: PAGES.to_owned(),
                navbar: bar::unique(navbar),
                has_autorefs: false,
                redirects,
                ..Origin::default()
            },
            ..Found::default()
        };
        return Ok(Some((found, problems)));
    }
    Ok(None)
}

/// The `redirects` of Astro: each to an address, or to a table with one.
fn redirects_of(config: Js<'_>) -> Vec<Moved> {
    let redirects = config.get("redirects").and_then(Js::entries).unwrap_or_default();
    let redirects = redirects.into_iter().filter_map(|(from, to)| {
        let address = to.text().or_else(|| to.text_of("destination"))?;
        Some(Moved::new(&from, &address, to.place()))
    });
    redirects.collect()
}

pub(super) fn read(files: &Modules) -> Listing {
    super::read_script(files, |names, problems| {
        let options = names.given_to("starlight").first().copied();
        let sidebar = options.and_then(|options| options.get("sidebar"));
        sidebar.map_or_else(Vec::new, |sidebar| list(sidebar, problems, DEEPEST))
    })
}

/// What the labels of the sidebar are in other languages.
pub(super) fn translations(files: &Modules) -> Translations {
    let script = Script::parse(files);
    let names = script.names();
    let options = names.given_to("starlight").first().copied();
    let mut translations = Translations::default();
    if let Some(sidebar) = options.and_then(|options| options.get("sidebar")) {
        add_translations(sidebar, &mut translations, DEEPEST);
    }
    translations
}

fn add_translations(items: Js<'_>, translations: &mut Translations, depth: usize) {
    for item in items.items().filter(|_| depth > 0).unwrap_or_default() {
        let label = item.text_of("label").unwrap_or_default();
        let labels = item.get("translations").and_then(Js::entries).unwrap_or_default();
        let labels = labels
            .into_iter()
            .filter_map(|(tag, label)| Some((tag, label.text()?)));
        translations.entry(label).or_default().extend(labels);
        if let Some(inner) = item.get("items") {
            add_translations(inner, translations, depth - 1);
        }
    }
}

fn list(items: Js<'_>, problems: &mut Vec<Diagnostic>, depth: usize) -> Vec<Entry> {
    if depth == 0 {
        return Vec::new();
    }
    let mut read = Vec::new();
    for item in super::items(items, problems) {
        let label = item.text_of("label").unwrap_or_default();
        let page = |to: String| {
            Entry::Page(Named {
                to,
                at: item.at,
                title: label.clone(),
                is_reference: false,
            })
        };
        let folder = item.get("autogenerate").and_then(|options| {
            let path = options.text_of("directory")?.trim_matches('/').to_owned();
            Some(Entry::Folder { path, at: item.at })
        });
        if let Some(slug) = item.text().or_else(|| item.text_of("slug")) {
            read.push(page(format!("/{}", slug.trim_matches('/'))));
            continue;
        }
        if let Some(link) = item.text_of("link") {
            read.push(page(link));
            continue;
        }
        let entries = match (folder, item.get("items")) {
            (Some(folder), _) => vec![folder],
            (None, Some(items)) => list(items, problems, depth - 1),
            (None, None) => {
                problems.push(super::computed(item, "a page or a group"));
                continue;
            }
        };
        if label.is_empty() {
            read.extend(entries);
        } else {
            read.push(Entry::Group {
                title: label,
                page: None,
                entries,
            });
        }
    }
    read
}
