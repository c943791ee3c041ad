//! The settings of a site of Hugo: one file, or those in a folder `config/_default`, each of which has the part that its name says, with
//! what `config/production` says instead.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use serde_json::{Map, Number, Value};

use super::{FILES, toml};
use crate::diagnostic::{Diagnostic, Severity};
use crate::menu;
use crate::source::{ReadError, Source, entries, first_file, is_folder, read_file};
use crate::yaml::{self, Yaml};

/// Below the folder of a site, those that are said later before the others. Readers see the second one.
const FOLDERS: [&str; 2] = ["config/_default", "config/production"];
/// The files that have all parts, and those of one part.
const WHOLE: [&str; 2] = ["hugo", "config"];
const PARTS: [&str; 5] = ["languages", "markup", "menu", "menus", "params"];
const ENDINGS: [&str; 4] = ["toml", "yaml", "yml", "json"];
/// What is wanted of a file of YAML with all parts. What else stands in it is not looked at.
const WANTED: [&str; 12] = [
    "baseURL",
    "base_url",
    "contentDir",
    "defaultContentLanguage",
    "default_language",
    "languageCode",
    "languages",
    "markup",
    "menu",
    "menus",
    "params",
    "title",
];

/// All of them as one table. In Hugo it does not matter whether the letters of keys are capitals.
#[derive(Debug)]
pub(super) struct Settings {
    table: Value,
    /// The file that has all parts.
    pub(super) source: Source,
    pub(super) files: Vec<PathBuf>,
    pub(super) problems: Vec<Diagnostic>,
}

impl Settings {
    /// Those of the site in a folder; `None` where nothing says that it is one. A file with all parts that cannot be read is an error:
    /// other programs have files of these names.
    pub(super) fn find(folder: &Path) -> Result<Option<Result<Self, Diagnostic>>, ReadError> {
        let whole = FILES.iter().map(|name| folder.join(name));
        let Some(file) = first_file(whole)? else {
            return Ok(None);
        };
        let (source, problems) = read_file(&file)?;
        let table = match value(&source, true) {
            Ok(table) => table,
            Err(problem) => return Ok(Some(Err(problem))),
        };
        let mut settings = Self {
            table,
            source,
            files: vec![file],
            problems,
        };
        for name in FOLDERS {
            for (part, file) in parts(&folder.join(name))? {
                if settings.files.contains(&file) {
                    continue;
                }
                settings.add(&part, &file)?;
                settings.files.push(file);
            }
        }
        Ok(Some(Ok(settings)))
    }

    /// Adds what a file says of a part, such as `params` or `menus.fr`.
    fn add(&mut self, part: &str, file: &Path) -> Result<(), ReadError> {
        let (source, problems) = read_file(file)?;
        self.problems.extend(problems);
        let is_whole = WHOLE.contains(&part);
        match value(&source, is_whole) {
            Ok(value) => {
                let path = match part.split_once('.') {
                    _ if is_whole => Vec::new(),
                    Some((name, language)) => vec!["languages", language, name],
                    None => vec![part],
                };
                let nested = path.into_iter().rev().fold(value, |inner, key| {
                    Value::Object(Map::from_iter([(key.to_owned(), inner)]))
                });
                merge(&mut self.table, nested);
            }
            Err(problem) => self.problems.push(problem),
        }
        Ok(())
    }

    pub(super) fn at(&self, path: &[&str]) -> Option<&Value> {
        path.iter().try_fold(&self.table, |value, key| get(value, key))
    }

    pub(super) fn text(&self, path: &[&str]) -> Option<String> {
        self.at(path)?.as_str().map(str::to_owned)
    }

    /// The texts, numbers and truths in the table at a path, by their keys, with dots between those of tables in it.
    pub(super) fn texts(&self, path: &[&str]) -> Vec<(String, String)> {
        let mut texts = Vec::new();
        if let Some(found) = self.at(path) {
            add_texts(&mut texts, "", found);
        }
        texts
    }

    /// The texts of the tables in the list at a path, by their keys without capitals.
    pub(super) fn list_of_tables(&self, path: &[&str]) -> Vec<HashMap<String, String>> {
        let tables = self.at(path).and_then(Value::as_array);
        let tables = tables.into_iter().flatten().map(|table| {
            let mut texts = Vec::new();
            add_texts(&mut texts, "", table);
            let texts = texts.into_iter();
            texts.map(|(key, text)| (key.to_lowercase(), text)).collect()
        });
        tables.collect()
    }

    /// The names of the languages, by their weights.
    pub(super) fn language_names(&self) -> Vec<String> {
        let table = self.at(&["languages"]).and_then(Value::as_object);
        let mut languages: Vec<_> = table.into_iter().flatten().collect();
        let weight = |language| {
            get(language, "weight")
                .and_then(Value::as_i64)
                .unwrap_or_default()
        };
        languages.sort_by_key(|(_, language)| menu::by_weight(weight(language)));
        languages.into_iter().map(|(name, _)| name.clone()).collect()
    }
}

/// The files in a folder and what each is a part of, those with all parts first.
fn parts(folder: &Path) -> Result<Vec<(String, PathBuf)>, ReadError> {
    let mut files = Vec::new();
    for entry in entries(folder)? {
        if is_folder(&entry)? {
            for inner in entries(&entry)? {
                if !is_folder(&inner)? {
                    files.push(inner);
                }
            }
        } else {
            files.push(entry);
        }
    }
    let parts = files.into_iter().filter_map(|file| {
        let name = file.file_name()?.to_str()?;
        let mut parts = ENDINGS
            .iter()
            .filter_map(|ending| name.strip_suffix(ending)?.strip_suffix('.'));
        let part = parts.next()?;
        let named = part.split_once('.').map_or(part, |(name, _)| name);
        let is_known = WHOLE.contains(&part) || PARTS.contains(&named);
        is_known.then(|| (part.to_owned(), file.clone()))
    });
    let mut parts: Vec<(String, PathBuf)> = parts.collect();
    parts.sort_by_cached_key(|(part, file)| (!WHOLE.contains(&part.as_str()), file.clone()));
    Ok(parts)
}

/// What a file says, or the first thing that is wrong with it, as a warning.
fn value(source: &Source, is_whole: bool) -> Result<Value, Diagnostic> {
    if source.path.ends_with(".toml") {
        return toml(source).map(|table| of_toml(::toml::Value::Table(table)));
    }
    if is_whole && !source.path.ends_with(".json") {
        let wanted = WANTED.iter().filter_map(|key| {
            let found = yaml::value(source, key).ok()?;
            Some(((*key).to_owned(), of_yaml(&found)))
        });
        let wanted = wanted.filter(|(_, value)| !value.is_null());
        return Ok(Value::Object(wanted.collect()));
    }
    // JSON is YAML, too.
    yaml::read(source).map(|read| of_yaml(&read)).map_err(|problems| {
        let mut problems = problems.into_iter().map(|problem| Diagnostic {
            severity: Severity::Warning,
            message: format!("the file is left out: {}", problem.message),
            ..problem
        });
        problems.next().expect("what cannot be read has something wrong")
    })
}

fn of_toml(value: ::toml::Value) -> Value {
    match value {
        ::toml::Value::String(text) => Value::String(text),
        ::toml::Value::Integer(number) => Value::Number(number.into()),
        ::toml::Value::Float(number) => Number::from_f64(number).map_or(Value::Null, Value::Number),
        ::toml::Value::Boolean(truth) => Value::Bool(truth),
        ::toml::Value::Datetime(_) => Value::Null,
        ::toml::Value::Array(items) => items.into_iter().map(of_toml).collect(),
        ::toml::Value::Table(table) => {
            let entries = table.into_iter().map(|(key, value)| (key, of_toml(value)));
            Value::Object(entries.collect())
        }
    }
}

fn of_yaml(value: &Yaml) -> Value {
    match &value.value {
        yaml::Value::Null => Value::Null,
        yaml::Value::Boolean(truth) => Value::Bool(*truth),
        yaml::Value::Number(number) => Value::Number(number.clone()),
        yaml::Value::Text(text) => Value::String(text.clone()),
        yaml::Value::List(items) => items.iter().map(of_yaml).collect(),
        yaml::Value::Table(entries) => {
            let entries = entries
                .iter()
                .map(|entry| (entry.key.clone(), of_yaml(&entry.value)));
            Value::Object(entries.collect())
        }
    }
}

/// The value under a key of a table.
fn get<'a>(value: &'a Value, key: &str) -> Option<&'a Value> {
    let mut entries = value.as_object()?.iter();
    let (_, found) = entries.find(|(name, _)| name.eq_ignore_ascii_case(key))?;
    Some(found)
}

/// What is said later goes before, key by key.
fn merge(earlier: &mut Value, later: Value) {
    match (earlier, later) {
        (Value::Object(earlier), Value::Object(later)) => {
            for (key, value) in later {
                let known = earlier
                    .iter_mut()
                    .find(|(name, _)| name.eq_ignore_ascii_case(&key));
                match known {
                    Some((_, known)) => merge(known, value),
                    None => drop(earlier.insert(key, value)),
                }
            }
        }
        (_, Value::Null) => {}
        (earlier, later) => *earlier = later,
    }
}

fn add_texts(texts: &mut Vec<(String, String)>, name: &str, value: &Value) {
    let text = match value {
        Value::Object(entries) => {
            for (key, value) in entries {
                add_texts(texts, &dotted(name, key), value);
            }
            return;
        }
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        Value::Bool(truth) => truth.to_string(),
        Value::Null | Value::Array(_) => return,
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
