//! Queries against an index, ranked by the code that runs in the browser.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use search_core::{FormatError, Index, SearchOptions, Step};
use serde::{Deserialize, Serialize};

use crate::diagnostic::Diagnostic;
use crate::source::{ReadError, Source, entries, is_file};

/// A line of a file of queries.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
pub struct Query {
    /// The name of the query in the answers; without one, the number of its line.
    pub id: Option<String>,
    /// The query.
    pub query: String,
}

/// The answer to a query.
#[derive(Debug, Serialize)]
pub struct Answer {
    id: String,
    query: String,
    hits: Vec<Hit>,
}

/// A section that matches.
#[derive(Debug, Serialize)]
struct Hit {
    path: String,
    anchor: String,
    title: String,
    score: f64,
    folder: String,
    headings: [String; 3],
}

/// Reads queries, one JSON object a line; empty lines do not count, and other keys are left alone.
pub fn read_queries(source: &Source) -> (Vec<Query>, Vec<Diagnostic>) {
    let mut queries = Vec::new();
    let mut problems = Vec::new();
    let mut at = 0;
    for (number, line) in source.text.split_inclusive('\n').enumerate() {
        match serde_json::from_str::<Query>(line) {
            _ if line.trim().is_empty() => {}
            Ok(query) => {
                let id = query.id.or_else(|| Some((number + 1).to_string()));
                queries.push(Query {
                    id,
                    query: query.query,
                });
            }
            Err(error) => {
                let reason = error.to_string();
                let reason = reason.split(" at line ").next().unwrap_or(&reason);
                let message = format!("not a query: {reason}; write {{\"id\": \"1\", \"query\": \"…\"}}");
                problems.push(Diagnostic::error(
                    source,
                    at + error.column().saturating_sub(1),
                    message,
                ));
            }
        }
        at += line.len();
    }
    (queries, problems)
}

/// Why a file of an index could not be loaded.
#[derive(Debug)]
pub enum LoadError {
    /// The system refused.
    Unreadable(PathBuf, io::Error),
    /// It is not a file of this index.
    Damaged(PathBuf, FormatError),
}

/// Answers one query; loads the files of the index that it needs from beside the core.
pub fn answer(
    index: &mut Index,
    folder: &Path,
    query: &Query,
    options: &SearchOptions,
) -> Result<Answer, LoadError> {
    let found = loop {
        match index.search(&query.query, options) {
            Step::Ready(found) => break found,
            Step::Needs(names) => {
                for name in names {
                    let path = folder.join(&name);
                    let bytes = match std::fs::read(&path) {
                        Ok(bytes) => bytes,
                        Err(error) => return Err(LoadError::Unreadable(path, error)),
                    };
                    index
                        .load(&name, &bytes)
                        .map_err(|error| LoadError::Damaged(path, error))?;
                }
            }
        }
    };
    let hits = found
        .hits
        .into_iter()
        .map(|hit| Hit {
            path: hit.path,
            anchor: hit.anchor,
            title: hit.title,
            score: hit.score,
            folder: hit.folder,
            headings: hit.headings,
        })
        .collect();
    Ok(Answer {
        id: query.id.clone().unwrap_or_default(),
        query: query.query.clone(),
        hits,
    })
}

/// What a manifest says of the indexes of a site.
#[derive(Deserialize)]
struct ManifestOfIndexes {
    search: Indexes,
}

#[derive(Deserialize)]
struct Indexes {
    index: PathBuf,
    #[serde(default)]
    languages: BTreeMap<String, PathBuf>,
}

/// Why there is no index where one was looked for.
#[derive(Debug)]
pub enum FindError {
    /// The arguments name none.
    Usage(String),
    /// The system refused.
    Unreadable(String),
}

/// The index file that `path` means: itself, or that of a language in an output folder, by default of the first one of the site. In a
/// folder without a manifest it is the only one.
pub fn find_index(path: &Path, language: Option<&str>) -> Result<PathBuf, FindError> {
    if !path.is_dir() {
        return Ok(path.to_owned());
    }
    let manifest = path.join("manifest.json");
    let refused = |error: ReadError| FindError::Unreadable(error.to_string());
    if is_file(&manifest).map_err(refused)? {
        let bytes = std::fs::read(&manifest)
            .map_err(|error| FindError::Unreadable(format!("cannot read {}: {error}", manifest.display())))?;
        let ManifestOfIndexes { search } = serde_json::from_slice(&bytes).map_err(|error| {
            FindError::Usage(format!("{}: {error}; build the index again", manifest.display()))
        })?;
        let Some(language) = language else {
            return Ok(path.join(search.index));
        };
        let names: Vec<&str> = search.languages.keys().map(String::as_str).collect();
        let Some(index) = search.languages.get(language) else {
            let others = match names.as_slice() {
                [] => "there is one language alone; leave out `--language`".to_owned(),
                names => format!("the languages beside the first are {}", names.join(", ")),
            };
            return Err(FindError::Usage(format!(
                "{} has no index of its own for `{language}`; {others}",
                path.display()
            )));
        };
        return Ok(path.join(index));
    }
    let mut found = entries(path).map_err(refused)?;
    found.retain(|file| {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("core.") && name.ends_with(".bin")
    });
    found.sort();
    match found.len() {
        0 => Err(FindError::Usage(format!(
            "{} holds no index; name the output folder of `indexer build`, or an index file",
            path.display()
        ))),
        1 => Ok(found.remove(0)),
        count => Err(FindError::Usage(format!(
            "{} holds {count} indexes; name one of the files",
            path.display()
        ))),
    }
}
