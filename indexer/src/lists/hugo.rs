//! The configuration of Hugo, as far as it says what a site is called and where its pages and other files are; also that of Zola, whose
//! `config.toml` says the same with fewer words. Neither has a list of pages: their order stands in the pages.

use std::collections::HashMap;
use std::path::Path;

use super::{Found, bar};
use crate::brand::Pictures;
use crate::config::{Generator, NavbarItem, Origin, Position};
use crate::diagnostic::Diagnostic;
use crate::languages::Language;
use crate::routes;
use crate::source::translated::{From, Translated};
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
        let main = main.or_else(|| config.text(&["default_language"]));
        let main = main.or_else(|| languages.first().cloned()).unwrap_or_default();
        let own = config.text(&["contentDir"]).unwrap_or_else(|| PAGES.to_owned());
        let of_languages = languages.iter().map(|language| {
            let named = config.text(&["languages", language, "contentDir"]);
            // Nothing says so of a folder beside them, but whoever has one has it there.
            let pages = named.unwrap_or_else(|| match format!("{own}/{language}") {
                guess if *language != main || folder.join(&guess).is_dir() => guess,
                _ => own.clone(),
            });
            (language.as_str(), pages)
        });
        let of_languages: Vec<(&str, String)> = of_languages.collect();
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
        let mut navbar = config.menu(language);
        let (mut others, translated) = config.languages(language, &languages, inner);
        for (other, name) in others
            .iter_mut()
            .zip(languages.iter().filter(|name| *name != language))
        {
            other.texts = bar::translations(&navbar, &config.menu(name));
        }
        // The link to the code of Docsy.
        let repository = config.text(&["params", "github_repo"]);
        navbar.extend(repository.and_then(|address| bar::code(&address)));
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
                favicon: super::usual_picture(&statics, &ICONS, &source),
                ..Pictures::default()
            },
            static_files: super::folder(statics),
            route_prefix: (!prefix.is_empty()).then_some(prefix),
            files: vec![file],
            origin: Origin {
                generator: config.is_hugos().then_some(Generator::Hugo),
                site: folder.to_owned(),
                bases: bases
                    .into_iter()
                    .filter(|base| config.is_hugos() && base.len() > 1)
                    .collect(),
                navbar: bar::unique(navbar),
                parameters: config.texts(&["params"]).into_iter().chain(of_language).collect(),
                ..Origin::default()
            },
            ..Found::default()
        };
        return Ok(Some((found, problems)));
    }
    Ok(None)
}

/// What is said of an entry of a menu.
type MenuEntry = HashMap<String, String>;

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

    /// The main menu: that of the language, else that of all. Entries stand by their weights, those without one last, and those that name
    /// another one as their parent are in its list.
    fn menu(&self, language: &str) -> Vec<NavbarItem> {
        let paths: [&[&str]; 4] = [
            &["languages", language, "menus", "main"],
            &["languages", language, "menu", "main"],
            &["menus", "main"],
            &["menu", "main"],
        ];
        let mut lists = paths.iter().map(|path| self.list_of_tables(path));
        let mut entries = lists.find(|entries| !entries.is_empty()).unwrap_or_default();
        let weight = |entry: &MenuEntry| match entry.get("weight").and_then(|weight| weight.parse().ok()) {
            None | Some(0.0) => f64::INFINITY,
            Some(weight) => weight,
        };
        entries.sort_by(|one, other| weight(one).total_cmp(&weight(other)));
        let link = |entry: &MenuEntry| {
            let address = entry.get("pageref").or_else(|| entry.get("url"))?;
            let address = match address.contains("://") {
                true => address.clone(),
                false => address.to_lowercase().replace("/_index", "/"),
            };
            bar::link(entry.get("name")?, &address, Position::Left)
        };
        let roots = entries.iter().filter(|entry| !entry.contains_key("parent"));
        let items = roots.filter_map(|root| {
            let names = [root.get("identifier"), root.get("name")];
            let is_inner = |entry: &&MenuEntry| {
                let parent = entry.get("parent");
                parent.is_some() && names.contains(&parent)
            };
            let inner: Vec<NavbarItem> = entries.iter().filter(is_inner).filter_map(link).collect();
            match inner.is_empty() {
                true => link(root),
                false => bar::dropdown(root.get("name")?, inner, Position::Left),
            }
        });
        items.collect()
    }

    /// The texts of the tables in the list at a path, by their keys without capitals.
    fn list_of_tables(&self, path: &[&str]) -> Vec<MenuEntry> {
        let entry = |texts: Vec<(String, String)>| -> MenuEntry {
            let texts = texts.into_iter();
            texts.map(|(key, text)| (key.to_lowercase(), text)).collect()
        };
        match self {
            Self::Toml(table) => {
                let found = toml_at(table, path).and_then(toml::Value::as_array);
                let tables = found.into_iter().flatten().map(|table| {
                    let mut texts = Vec::new();
                    add_toml(&mut texts, "", table);
                    entry(texts)
                });
                tables.collect()
            }
            Self::Yaml(source) => {
                let read = |found: &Yaml| -> Vec<MenuEntry> {
                    let tables = found.items().iter().map(|table| {
                        let mut texts = Vec::new();
                        add_yaml(&mut texts, "", table);
                        entry(texts)
                    });
                    tables.collect()
                };
                yaml_at(source, path, read).unwrap_or_default()
            }
        }
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
