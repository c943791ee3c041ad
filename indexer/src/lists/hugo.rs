//! The configuration of Hugo, as far as it says what a site is called and where its pages and other files are; also that of Zola, whose
//! `config.toml` says the same with fewer words. Neither has a list of pages: their order stands in the pages.

use std::path::Path;

use super::Found;
use crate::brand::Pictures;
use crate::config::{Generator, Origin};
use crate::diagnostic::Diagnostic;
use crate::routes;
use crate::source::{ReadError, Source, read_file};
use crate::yaml::{self, Value, Yaml};

/// From the folder of a site.
pub(super) const FILES: [&str; 8] = [
    "hugo.toml",
    "hugo.yaml",
    "config/_default/hugo.toml",
    "config/_default/hugo.yaml",
    "config.toml",
    "config.yaml",
    "config/_default/config.toml",
    "config/_default/config.yaml",
];
/// Where the pages are, unless a file says otherwise.
const PAGES: &str = "content";
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
        let file = FILES
            .iter()
            .map(|name| folder.join(name))
            .find(|file| file.is_file());
        let Some(file) = file else { continue };
        let (source, mut problems) = read_file(&file)?;
        let config = match Config::read(&source) {
            Ok(config) => config,
            Err(problem) if super::path_below(&folder.join(PAGES), content).is_some() => {
                problems.push(problem);
                return Ok(Some((Found::default(), problems)));
            }
            // Other programs have files of these names.
            Err(_) => continue,
        };
        let languages = config.names(&["languages"]);
        let main = config.text(&["defaultContentLanguage"]);
        let main = main.or_else(|| languages.first().cloned()).unwrap_or_default();
        let own = config.text(&["contentDir"]).unwrap_or_else(|| PAGES.to_owned());
        let of_languages = languages.iter().map(|language| {
            let named = config.text(&["languages", language, "contentDir"]);
            let pages = named.unwrap_or_else(|| format!("{own}/{language}"));
            (language.as_str(), pages)
        });
        let found = of_languages
            .chain([(main.as_str(), own.clone())])
            .find_map(|(language, pages)| Some((language, super::path_below(&folder.join(pages), content)?)));
        let Some((language, below)) = found.filter(|(_, below)| config.is_hugos() || below.is_empty()) else {
            continue;
        };
        let title = config.text(&["languages", language, "title"]);
        let of_language = config.texts(&["languages", language, "params"]);
        let statics = folder.join("static");
        // Only the first language has its pages at the root.
        let prefix = if language == main { "" } else { language };
        let prefix = routes::prefix(&format!("{prefix}/{below}"));
        let code = config.text(&["languages", language, "languageCode"]);
        let code = code.or_else(|| config.text(&["languageCode"]).filter(|_| language == main));
        let found = Found {
            language: code.or_else(|| Some(language.to_owned())),
            title: title.or_else(|| config.text(&["title"])),
            pictures: Pictures {
                favicon: super::usual_picture(&statics, &ICONS, &source),
                ..Pictures::default()
            },
            static_files: super::folder(statics),
            route_prefix: (!prefix.is_empty()).then_some(prefix),
            files: vec![file],
            origin: Origin {
                generator: config.is_hugos().then_some(Generator::Hugo),
                site: folder.to_owned(),
                parameters: config.texts(&["params"]).into_iter().chain(of_language).collect(),
                ..Origin::default()
            },
            ..Found::default()
        };
        return Ok(Some((found, problems)));
    }
    Ok(None)
}

enum Config<'a> {
    Toml(toml::Table),
    Yaml(&'a Source),
}

impl<'a> Config<'a> {
    fn read(source: &'a Source) -> Result<Self, Diagnostic> {
        if !source.path.ends_with(".toml") {
            return Ok(Self::Yaml(source));
        }
        super::toml(source).map(Self::Toml)
    }

    /// Zola writes `base_url`, and has its pages in one folder.
    fn is_hugos(&self) -> bool {
        self.text(&["base_url"]).is_none()
    }

    /// The text at a path of keys. In Hugo it does not matter whether their letters are capitals.
    fn text(&self, path: &[&str]) -> Option<String> {
        match self {
            Self::Toml(table) => toml_at(table, path)?.as_str().map(str::to_owned),
            Self::Yaml(source) => yaml_at(source, path, |value| value.as_text().map(str::to_owned)).flatten(),
        }
    }

    /// The texts, numbers and truths in the table at a path, by their keys, with dots between those of tables in it.
    fn texts(&self, path: &[&str]) -> Vec<(String, String)> {
        let mut texts = Vec::new();
        match self {
            Self::Toml(table) => {
                if let Some(found) = toml_at(table, path) {
                    add_toml(&mut texts, "", found);
                }
            }
            Self::Yaml(source) => drop(yaml_at(source, path, |found| add_yaml(&mut texts, "", found))),
        }
        texts
    }

    /// The keys of the table at a path.
    fn names(&self, path: &[&str]) -> Vec<String> {
        match self {
            Self::Toml(table) => {
                let found = toml_at(table, path).and_then(toml::Value::as_table);
                found.map_or_else(Vec::new, |table| table.keys().cloned().collect())
            }
            Self::Yaml(source) => {
                let keys = |table: &Yaml| table.entries().iter().map(|entry| entry.key.clone()).collect();
                yaml_at(source, path, keys).unwrap_or_default()
            }
        }
    }
}

fn toml_at<'a>(table: &'a toml::Table, path: &[&str]) -> Option<&'a toml::Value> {
    let (first, rest) = path.split_first()?;
    let (_, value) = table.iter().find(|(key, _)| key.eq_ignore_ascii_case(first))?;
    match rest {
        [] => Some(value),
        rest => toml_at(value.as_table()?, rest),
    }
}

/// What is wanted of the value at a path. What else stands in the file is not looked at.
fn yaml_at<T>(source: &Source, path: &[&str], wanted: impl FnOnce(&Yaml) -> T) -> Option<T> {
    let (first, rest) = path.split_first()?;
    let top = yaml::value(source, first).ok()?;
    let value = rest.iter().try_fold(&top, |value, key| {
        let mut entries = value.entries().iter();
        let found = entries.find(|entry| entry.key.eq_ignore_ascii_case(key))?;
        Some(&found.value)
    });
    value.map(wanted)
}

fn add_toml(texts: &mut Vec<(String, String)>, name: &str, value: &toml::Value) {
    match value {
        toml::Value::Table(table) => {
            for (key, value) in table {
                add_toml(texts, &dotted(name, key), value);
            }
        }
        toml::Value::String(text) => texts.push((name.to_owned(), text.clone())),
        toml::Value::Integer(_) | toml::Value::Float(_) | toml::Value::Boolean(_) => {
            texts.push((name.to_owned(), value.to_string()));
        }
        toml::Value::Datetime(_) | toml::Value::Array(_) => {}
    }
}

fn add_yaml(texts: &mut Vec<(String, String)>, name: &str, value: &Yaml) {
    let text = match &value.value {
        Value::Table(entries) => {
            for entry in entries {
                add_yaml(texts, &dotted(name, &entry.key), &entry.value);
            }
            return;
        }
        Value::Text(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        Value::Boolean(truth) => truth.to_string(),
        Value::Null | Value::List(_) => return,
    };
    texts.push((name.to_owned(), text));
}

fn dotted(name: &str, key: &str) -> String {
    if name.is_empty() {
        key.to_owned()
    } else {
        format!("{name}.{key}")
    }
}
