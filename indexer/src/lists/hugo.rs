//! The configuration of Hugo, as far as it says what a site is called and where its pages and other files are; also that of Zola, whose
//! `config.toml` says the same with fewer words. Neither has a list of pages: their order stands in the pages.

mod settings;

use std::path::Path;

use serde_json::Value;

use self::settings::Settings;
use super::{Found, bar, toml};
use crate::brand::Pictures;
use crate::config::{Generator, Origin};
use crate::diagnostic::Diagnostic;
use crate::languages::Language;
use crate::menu::{self, MenuEntry};
use crate::routes;
use crate::source::translated::{From, Translated};
use crate::source::{ReadError, is_folder};

/// From the folder of a site.
pub(super) const FILES: [&str; 14] = [
    "hugo.toml",
    "hugo.yaml",
    "hugo.yml",
    "hugo.json",
    "config/_default/hugo.toml",
    "config/_default/hugo.yaml",
    "config/_default/hugo.yml",
    "config/_default/hugo.json",
    "config.toml",
    "config.yaml",
    "config.yml",
    "config/_default/config.toml",
    "config/_default/config.yaml",
    "config/_default/config.yml",
];
/// Whether lists of attributes may stand below blocks.
const BLOCK_ATTRIBUTES: [&str; 5] = ["markup", "goldmark", "parser", "attribute", "block"];
/// Where the pages are, unless a file says otherwise.
const PAGES: &str = "content";
/// The first language, unless a file says otherwise.
const USUAL_LANGUAGE: &str = "en";
/// In the folder of the other files.
const ICONS: [&str; 5] = [
    "favicon.svg",
    "favicons/favicon.svg",
    "favicon.png",
    "favicons/favicon.png",
    "favicon.ico",
];

/// The file of a content folder: one above it in whose folder of pages this one is. Of Hugo it may be a part of that folder, such as
/// `content/en/docs`.
pub(super) fn find(content: &Path) -> Result<Option<(Found, Vec<Diagnostic>)>, ReadError> {
    for folder in super::folders(content) {
        let config = match Settings::find(folder)? {
            Some(Ok(settings)) => settings,
            Some(Err(problem)) if super::path_below(&folder.join(PAGES), content).is_some() => {
                return Ok(Some((Found::default(), vec![problem])));
            }
            // Other programs have files of these names.
            Some(Err(_)) | None => continue,
        };
        let languages = config.language_names();
        let main = config.text(&["defaultContentLanguage"]);
        let main = main.or_else(|| config.text(&["default_language"]));
        let is_usual = |language: &&String| *language == USUAL_LANGUAGE;
        let main = main.or_else(|| languages.iter().find(is_usual).or(languages.first()).cloned());
        let main = main.unwrap_or_default();
        let own = config.text(&["contentDir"]).unwrap_or_else(|| PAGES.to_owned());
        let mut of_languages = Vec::with_capacity(languages.len());
        for language in &languages {
            // Nothing says so of a folder beside them, but whoever has one has it there.
            let guess = format!("{own}/{language}");
            let pages = match config.text(&["languages", language, "contentDir"]) {
                Some(named) => named,
                None if *language != main || is_folder(&folder.join(&guess))? => guess,
                None => own.clone(),
            };
            of_languages.push((language.as_str(), pages));
        }
        // Where several have their pages in it, it is not the folder of one of them.
        let inner = of_languages.iter().filter_map(|(language, pages)| {
            let inner = super::path_below(content, &folder.join(pages))?;
            (!inner.is_empty()).then_some((*language, inner))
        });
        let inner: Vec<(&str, String)> = inner.collect();
        let of_one = of_languages
            .iter()
            .map(|(language, pages)| (*language, pages.as_str()))
            .chain([(main.as_str(), own.as_str())])
            .find_map(|(language, pages)| Some((language, super::path_below(&folder.join(pages), content)?)));
        let of_all = (!inner.is_empty()).then(|| (main.as_str(), String::new()));
        let found = of_one.or(of_all);
        let Some((language, below)) = found.filter(|(_, below)| config.is_hugos() || below.is_empty()) else {
            continue;
        };
        let base = config.text(&["baseURL"]).unwrap_or_default();
        let base = base.split_once("://").map_or(base.as_str(), |(_, behind)| behind);
        let base = routes::prefix(base.split_once('/').map_or("", |(_, path)| path));
        // Its first language can have a folder in addresses, too.
        let bases = [format!("{base}/{}", main.to_lowercase()), base];
        let menu = config.menu(language);
        let bar = menu::items(menu.clone());
        let (mut others, translated) = config.languages(language, &languages, inner);
        for (other, name) in others
            .iter_mut()
            .zip(languages.iter().filter(|name| *name != language))
        {
            other.texts = bar::translations(&bar, &menu::items(config.menu(name)));
        }
        // The link to the code of Docsy.
        let repository = config.text(&["params", "github_repo"]);
        let code_link = repository.and_then(|address| bar::code(&address));
        let title = config.text(&["languages", language, "title"]);
        let of_language = config.texts(&["languages", language, "params"]);
        let statics = folder.join("static");
        // Only the first language has its pages at the root.
        let prefix = if language == main { "" } else { language };
        let prefix = routes::prefix(&format!("{prefix}/{below}"));
        let code = config.code(language);
        let code = code.or_else(|| config.text(&["languageCode"]).filter(|_| language == main));
        let found = Found {
            language: code.or_else(|| Some(language.to_owned())),
            title: title.or_else(|| config.text(&["title"])),
            languages: others,
            translated,
            pictures: Pictures {
                favicon: super::usual_picture(&statics, &ICONS, &config.source)?,
                ..Pictures::default()
            },
            static_files: super::folder(statics)?,
            route_prefix: (!prefix.is_empty()).then_some(prefix),
            files: config.files.clone(),
            origin: Origin {
                generator: config.is_hugos().then_some(Generator::Hugo),
                site: folder.to_owned(),
                bases: bases
                    .into_iter()
                    .filter(|base| config.is_hugos() && base.len() > 1)
                    .collect(),
                has_block_attributes: config.at(&BLOCK_ATTRIBUTES).and_then(Value::as_bool) == Some(true),
                menu,
                navbar: code_link.into_iter().collect(),
                parameters: config.texts(&["params"]).into_iter().chain(of_language).collect(),
                ..Origin::default()
            },
            ..Found::default()
        };
        return Ok(Some((found, config.problems)));
    }
    Ok(None)
}

impl Settings {
    /// Zola writes `base_url`, and has its pages in one folder.
    fn is_hugos(&self) -> bool {
        self.text(&["base_url"]).is_none()
    }

    /// What HTML calls a language.
    fn code(&self, language: &str) -> Option<String> {
        let keys = ["languageCode", "locale"].iter();
        let mut codes = keys.filter_map(|key| self.text(&["languages", language, key]));
        codes.next()
    }

    /// The languages of a site beside the one whose pages have no mark: in files whose names end with them, or in folders of the
    /// content, as far as they are `inner` ones.
    fn languages(
        &self,
        first: &str,
        names: &[String],
        inner: Vec<(&str, String)>,
    ) -> (Vec<Language>, Vec<Translated>) {
        let others = names.iter().filter(|name| *name != first);
        let others = others.map(|name| {
            let labels = ["label", "languageName"].iter();
            let mut labels = labels.filter_map(|key| self.text(&["languages", name, key]));
            let code = self.code(name);
            Language {
                label: labels.next(),
                title: self.text(&["languages", name, "title"]),
                comes_first: true,
                ..super::language(super::tag(code.as_deref().unwrap_or(name)), &name.to_lowercase())
            }
        });
        let placed = |name: &str, from: From| Translated {
            folder: match name == first {
                true => String::new(),
                false => name.to_lowercase(),
            },
            from,
        };
        let in_folders = inner.into_iter();
        let in_folders = in_folders.map(|(name, folder)| placed(name, From::Inside(folder)));
        let in_names = names.iter().map(|name| placed(name, From::Ending(name.clone())));
        (others.collect(), in_folders.chain(in_names).collect())
    }

    /// The main menu: that of the language, else that of all.
    fn menu(&self, language: &str) -> Vec<MenuEntry> {
        let paths: [&[&str]; 4] = [
            &["languages", language, "menus", "main"],
            &["languages", language, "menu", "main"],
            &["menus", "main"],
            &["menu", "main"],
        ];
        let mut lists = paths.iter().map(|path| self.list_of_tables(path));
        let entries = lists.find(|entries| !entries.is_empty()).unwrap_or_default();
        let entries = entries.into_iter().filter_map(|mut entry| {
            let address = entry.remove("pageref").or_else(|| entry.remove("url"));
            let address = address.map(|address| match address.contains("://") {
                true => address,
                false => address.to_lowercase().replace("/_index", "/"),
            });
            Some(MenuEntry {
                name: entry
                    .remove("name")
                    .or_else(|| entry.get("identifier").cloned())?,
                identifier: entry.remove("identifier"),
                parent: entry.remove("parent"),
                weight: entry
                    .get("weight")
                    .and_then(|weight| weight.parse().ok())
                    .unwrap_or_default(),
                address,
            })
        });
        entries.collect()
    }
}
