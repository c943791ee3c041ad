//! The languages of Nextra and Fumadocs: `i18n` in a `next.config.mjs`, or what `lib/i18n.ts` defines, and what the files of folders are
//! called in them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::Translations;
use crate::config::is_language;
use crate::javascript::{Js, Modules, Names, Script};
use crate::languages::Language;
use crate::source::translated::{From, Translated, place};
use crate::source::{ReadError, is_folder};
use crate::words;

/// From the folder of a site; each may be in TypeScript.
const FILES: [&str; 9] = [
    "next.config.mjs",
    "next.config.js",
    "next.config.ts",
    "lib/i18n.ts",
    "lib/i18n.tsx",
    "lib/i18n.js",
    "src/lib/i18n.ts",
    "src/lib/i18n.tsx",
    "src/lib/i18n.js",
];

/// The languages of a content folder.
#[derive(Default)]
pub(super) struct Locales {
    pub(super) first: Option<String>,
    others: Vec<String>,
    pub(super) translated: Vec<Translated>,
    /// The files that say so.
    pub(super) files: Vec<PathBuf>,
}

impl Locales {
    /// Those of a folder with these files. Where nothing says which there are, they are those that the words of a site are known in, as
    /// far as names of files end with them that are there without them as well.
    pub(super) fn find(content: &Path, paths: &[String]) -> Result<Self, ReadError> {
        let mut locales = Self::default();
        let mut are_in_folders = false;
        let mut is_said = false;
        for file in super::above(content, &FILES)? {
            let (modules, files, _) = Modules::read(&file)?;
            let script = Script::parse(&modules);
            let names = script.names();
            let found = [("defaultLocale", "locales"), ("defaultLanguage", "languages")]
                .into_iter()
                .find_map(|(first, all)| {
                    let tables = names.tables_with(first).into_iter();
                    tables
                        .filter_map(|table| Some((table.text_of(first)?, table, all)))
                        .next()
                });
            let Some((first, table, all)) = found else {
                continue;
            };
            let named = table.get(all).and_then(Js::items).unwrap_or_default();
            locales.others = named.into_iter().filter_map(Js::text).collect();
            are_in_folders =
                table.text_of("parser").as_deref() == Some("dir") || is_folder(&content.join(&first))?;
            locales.first = Some(first);
            locales.files = files;
            is_said = true;
            break;
        }
        if locales.others.is_empty() {
            locales.others = endings(paths)
                .into_iter()
                .filter(|name| is_said || words::is_known(&super::tag(name)))
                .collect();
        }
        let name = content.file_name().and_then(|name| name.to_str());
        if let Some(name) = name.filter(|name| is_said && locales.others.iter().any(|other| other == name)) {
            // One of them alone.
            locales.first = Some(name.to_owned());
        }
        let first = locales.first.clone();
        locales.others.retain(|name| Some(name) != first.as_ref());
        let all = first.iter().chain(&locales.others).map(|name| Translated {
            folder: match Some(name) == first.as_ref() {
                true => String::new(),
                false => name.clone(),
            },
            from: match are_in_folders {
                true => From::Inside(name.clone()),
                false => From::Ending(name.clone()),
            },
        });
        locales.translated = all.collect();
        Ok(locales)
    }

    pub(super) fn languages(&self) -> Vec<Language> {
        let others = self.others.iter();
        let languages = others.map(|name| Language {
            comes_first: true,
            ..super::language(super::tag(name), name)
        });
        languages.collect()
    }

    /// The language of a file, empty for the first one, and the path of what it is there.
    pub(super) fn place(&self, path: &str) -> (String, String) {
        match place(path, &self.translated) {
            Some((folder, placed)) if folder.is_empty() => (String::new(), placed),
            Some((folder, placed)) => {
                let below = placed[folder.len()..].trim_start_matches('/').to_owned();
                (folder.to_string(), below)
            }
            None => (String::new(), path.to_owned()),
        }
    }

    /// What the files of folders call in other languages what those of the first one name. The files are those of `modules`, in the order
    /// of `places`.
    pub(super) fn titles(&self, modules: &Modules, places: &[(String, String)]) -> Translations {
        let mut titles = Translations::new();
        if places.iter().all(|(language, _)| language.is_empty()) {
            return titles;
        }
        let script = Script::parse(modules);
        let names = script.names();
        let said: Vec<BTreeMap<String, String>> = (0..places.len()).map(|file| named(&names, file)).collect();
        // One may be JavaScript and the other JSON.
        let stem = |path: &str| path.rsplit_once('.').map_or(path, |(stem, _)| stem).to_owned();
        for (file, (language, path)) in places.iter().enumerate() {
            if language.is_empty() {
                continue;
            }
            let is_first =
                |(other, of_first): &(String, String)| other.is_empty() && stem(of_first) == stem(path);
            let Some(first) = places.iter().position(is_first) else {
                continue;
            };
            for (name, title) in &said[first] {
                if let Some(own) = said[file].get(name) {
                    let in_languages = titles.entry(title.clone()).or_default();
                    in_languages.insert(super::tag(language), own.clone());
                }
            }
        }
        titles
    }
}

/// The titles that a file gives, by what they are for.
fn named(names: &Names<'_>, file: usize) -> BTreeMap<String, String> {
    let mut titles = BTreeMap::new();
    for (name, said) in names.exported_by(file).and_then(Js::entries).unwrap_or_default() {
        if let Some(title) = said.text().or_else(|| said.text_of("title")) {
            titles.insert(name, title);
        } else {
            // The marks between the pages, which only their order tells apart.
            let items = said.items().unwrap_or_default().into_iter().filter_map(Js::text);
            let marks = items.filter_map(|text| super::folders::mark(&text).map(str::to_owned));
            titles.extend(marks.enumerate().map(|(at, mark)| (format!("{name} {at}"), mark)));
        }
    }
    titles
}

/// What names of files end with that are there without it as well.
fn endings(paths: &[String]) -> BTreeSet<String> {
    let all: BTreeSet<&str> = paths.iter().map(String::as_str).collect();
    let endings = paths.iter().filter_map(|path| {
        let (stem, ending) = path.rsplit_once('.')?;
        let (stem, name) = stem.rsplit_once('.')?;
        let is_one = is_language(&super::tag(name)) && all.contains(&*format!("{stem}.{ending}"));
        is_one.then(|| name.to_owned())
    });
    endings.collect()
}
