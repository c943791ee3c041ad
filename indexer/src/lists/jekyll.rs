//! `_config.yml` of Jekyll, as far as it says what a site and its collections are called, which files are none of it, and what pages can
//! show of it. The order of its pages stands in the pages ([`crate::parents`]).

use std::collections::BTreeMap;
use std::path::Path;

use glob::Pattern;

use super::{Format, Found, List, mkdocs};
use crate::config::{Generator, Origin};
use crate::diagnostic::Diagnostic;
use crate::routes;
use crate::source::{ReadError, Source, read_file};
use crate::yaml::{self, Value, Yaml};

pub(super) const FILES: [&str; 1] = ["_config.yml"];

/// Left out where nothing is said, beside the programs that packages bring.
const LEFT_OUT: [&str; 4] = ["vendor/bundle/", "vendor/cache/", "vendor/gems/", "vendor/ruby/"];
/// No configuration has more keys.
const MOST_KEYS: usize = 1000;

pub(super) fn find(content: &Path) -> Result<Option<(Found, Vec<Diagnostic>)>, ReadError> {
    let Some(file) = super::above(content, &FILES)?.into_iter().next() else {
        return Ok(None);
    };
    let folder = file.parent().unwrap_or(Path::new(""));
    let (source, mut problems) = read_file(&file)?;
    let pages = super::path_below(folder, content).unwrap_or_default();
    let (title, found) = mkdocs::text(&source, "title");
    problems.extend(found);
    let (language, found) = mkdocs::text(&source, "lang");
    problems.extend(found);
    let settings = settings(&source);
    let named = |key: &str| {
        let list = settings.iter().filter(|(name, _)| name == key);
        let texts = list
            .flat_map(|(_, value)| value.items())
            .filter_map(Yaml::as_text);
        texts.map(str::to_owned).collect::<Vec<_>>()
    };
    let collections = settings.iter().filter(|(name, _)| name == "collections");
    let collections = collections.flat_map(|(_, value)| {
        let names = value.entries().iter().map(|entry| entry.key.as_str());
        names.chain(value.items().iter().filter_map(Yaml::as_text))
    });
    let collections = collections.map(|name| format!("_{name}"));
    let found = Found {
        title,
        language,
        // A part of a site has the addresses that it has there.
        route_prefix: Some(routes::prefix(pages.trim_start_matches('_'))),
        origin: Origin {
            generator: Some(Generator::Jekyll),
            site: folder.to_owned(),
            pages,
            left_out: LEFT_OUT
                .iter()
                .map(|name| (*name).to_owned())
                .chain(named("exclude"))
                .collect(),
            taken_in: collections.chain(named("include")).collect(),
            parameters: settings
                .iter()
                .flat_map(|(key, value)| parameters(key, value))
                .collect(),
            ..Origin::default()
        },
        // It is taken back where no page says what it stands below.
        list: Some(List::new(Format::JustTheDocs, source)),
        files: vec![file],
        ..Found::default()
    };
    Ok(Some((found, problems)))
}

/// The values of the file, by their keys. One that nobody can read is left out alone.
fn settings(source: &Source) -> Vec<(String, Yaml)> {
    let lines = source.text.lines();
    let keys = lines.filter(|line| line.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_'));
    let keys = keys.filter_map(|line| line.split_once(':'));
    let values = keys.take(MOST_KEYS).filter_map(|(key, _)| {
        let key = key.trim();
        Some((key.to_owned(), yaml::value(source, key).ok()?))
    });
    values.collect()
}

/// The texts, numbers and truths of a value, by their keys below that of the value, with dots between those of tables in each other.
pub(super) fn parameters(key: &str, value: &Yaml) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut open = vec![(key.to_owned(), value)];
    while let Some((key, value)) = open.pop() {
        let text = match &value.value {
            Value::Text(text) => text.clone(),
            Value::Number(number) => number.to_string(),
            Value::Boolean(truth) => truth.to_string(),
            _ => {
                let entries = value.entries().iter();
                open.extend(entries.map(|entry| {
                    let before = if key.is_empty() {
                        String::new()
                    } else {
                        format!("{key}.")
                    };
                    (format!("{before}{}", entry.key), &entry.value)
                }));
                continue;
            }
        };
        found.insert(key, text);
    }
    found
}

/// Whether Jekyll leaves out a file, by its path below that of the content.
pub(crate) fn is_left_out(path: &str, origin: &Origin) -> bool {
    let below = match origin.pages.as_str() {
        "" => String::new(),
        pages => format!("{pages}/"),
    };
    let path = &format!("{below}{path}");
    // Who names none may have them all the same, in folders of which a part is shown here.
    let has_collections = origin.taken_in.iter().any(|name| name.starts_with('_'));
    // The content itself is wanted, whatever it is called. Nobody looks into a folder that is left out.
    let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
    ends.filter(|end| *end > below.len()).any(|end| {
        let entry = &path[..end];
        let name = entry.rsplit('/').next().unwrap_or_default();
        let is_taken_in = origin
            .taken_in
            .iter()
            .map(|pattern| pattern.trim_matches('/'))
            .any(|pattern| matches(pattern, entry) || matches(pattern, name));
        let is_special = name.starts_with('_') && (has_collections || OF_PROGRAMS.contains(&name));
        let is_special = is_special && name != POSTS || name.starts_with('#') || name.ends_with('~');
        let is_named = || {
            origin.left_out.iter().any(|pattern| {
                let pattern = pattern.trim_start_matches("./").trim_start_matches('/');
                let is_folder = pattern.strip_suffix('/') == Some(entry);
                is_folder
                    || !below.starts_with(pattern) && entry.starts_with(pattern)
                    || matches(pattern, entry)
            })
        };
        !is_taken_in && (is_special || is_named())
    })
}

/// Whether a name or a pattern (`File.fnmatch` of Ruby, in which a star stands for slashes, too) is that of a path.
fn matches(pattern: &str, path: &str) -> bool {
    let is_pattern = pattern.contains(['*', '?', '[']);
    pattern == path || is_pattern && Pattern::new(pattern).is_ok_and(|pattern| pattern.matches(path))
}

/// Folders of what is no page.
const OF_PROGRAMS: [&str; 7] = [
    "_data",
    "_drafts",
    "_includes",
    "_layouts",
    "_plugins",
    "_sass",
    "_site",
];

/// A folder of dated pages, wherever it is.
const POSTS: &str = "_posts";
