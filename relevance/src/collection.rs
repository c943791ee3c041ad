//! A site with judged queries, in memory: parsed and analysed once, ranked under any weights.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use indexer::brand::Brand;
use indexer::components::Components;
use indexer::config::Config;
use indexer::diagnostic::Diagnostic;
use indexer::embed::{Cache, CacheError, Embedding};
use indexer::site::{self, Extras, Input};
use indexer::source::{self, Source};
use search_core::{Index, IndexBuilder, Layout, SearchOptions, Step, Weights};

use crate::judged::{self, Form, Query};
use crate::metrics::Score;

/// Enough sections for ten pages, after those that do not count.
const SECTIONS: usize = 60;

/// Where a collection comes from.
#[derive(Clone, Debug)]
pub struct Place {
    /// What to call it.
    pub name: String,
    /// The folder of Markdown.
    pub content: PathBuf,
    /// The configuration of the site, if it has one.
    pub config: Option<PathBuf>,
    /// Judged queries.
    pub queries: PathBuf,
    /// The cache of vectors, if there is one.
    pub vectors: Option<PathBuf>,
    /// Whether pages lose the other names that their authors gave them.
    pub without_aliases: bool,
}

/// A site with judged queries.
#[derive(Debug)]
pub struct Collection {
    /// What to call it.
    pub name: String,
    /// The judged queries.
    pub queries: Vec<Query>,
    /// Everything of the index but the weights.
    builder: IndexBuilder,
    /// Whether sections have vectors.
    has_vectors: bool,
}

/// Why there is no collection.
#[derive(Debug)]
pub enum Error {
    /// The input is wrong.
    Input(Vec<Diagnostic>),
    /// Something outside failed.
    Outside(String),
}

impl Collection {
    /// Reads a site and its queries.
    pub fn read(place: &Place) -> Result<Self, Error> {
        let outside = |error: source::ReadError| Error::Outside(error.to_string());
        let (queries_source, mut problems) = source::read_file(&place.queries).map_err(outside)?;
        let (queries, found) = judged::read_queries(&queries_source);
        problems.extend(found);
        let (config_source, found) = match &place.config {
            Some(path) => source::read_file(path).map_err(outside)?,
            None => (Source::new("", place.content.to_string_lossy(), ""), Vec::new()),
        };
        problems.extend(found);
        let (config, found) = Config::parse(&config_source);
        problems.extend(found);
        let (mut folder, found) = source::read_folder(&place.content).map_err(outside)?;
        problems.extend(found);
        if place.without_aliases {
            for source in &mut folder.sources {
                *source = Source::new(
                    source.path.clone(),
                    source.display.clone(),
                    &without_aliases(&source.text),
                );
            }
        }
        let input = Input {
            folder,
            config,
            config_source,
            last_changes: Rc::default(),
            embedding: Embedding {
                cache: place
                    .vectors
                    .as_deref()
                    .map(read_cache)
                    .transpose()?
                    .flatten()
                    .map(Rc::new),
                encoder: None,
            },
            api_documents: Vec::new(),
            components: Components::default(),
            brand: Brand::default(),
            extras: Extras::default(),
        };
        let mut filled = None;
        let (_, found) = site::build_showing(&input, &mut |builder| filled = Some(builder.clone()));
        problems.extend(found.into_iter().filter(Diagnostic::is_error));
        match filled {
            Some(builder) if problems.is_empty() => {
                let collection = Self {
                    name: place.name.clone(),
                    queries,
                    builder,
                    has_vectors: false,
                };
                let has_vectors = collection.index(&Weights::LEARNT).0.has_vectors();
                Ok(Self {
                    has_vectors,
                    ..collection
                })
            }
            _ => Err(Error::Input(problems)),
        }
    }

    /// Ranks these queries in these forms.
    pub fn judge<'a>(
        &self,
        asked: impl IntoIterator<Item = (&'a Query, Form)>,
        weights: &Weights,
        semantic: bool,
    ) -> Vec<Score> {
        let (mut index, mut files) = self.index(weights);
        let options = SearchOptions {
            limit: SECTIONS,
            semantic,
            ..SearchOptions::default()
        };
        asked
            .into_iter()
            .map(|(query, form)| {
                let text = query.text(form).expect("only forms that there are are asked");
                let hits = loop {
                    match index.search(text, &options) {
                        Step::Ready(answer) => break answer.hits,
                        Step::Needs(names) => {
                            for name in names {
                                let bytes = files
                                    .remove(&name)
                                    .expect("an index needs each of its files once");
                                index.load(&name, &bytes).expect("the file was just written");
                            }
                        }
                    }
                };
                let pages = judged::pages(hits.iter().map(|hit| hit.path.as_str()));
                Score::of(query, &pages)
            })
            .collect()
    }

    /// The stages it can be judged in: by words only, and with vectors where there are any.
    pub fn stages(&self) -> &'static [bool] {
        match self.has_vectors {
            true => &[false, true],
            false => &[false],
        }
    }

    /// The queries with their forms.
    pub fn asked(&self) -> impl Iterator<Item = (&Query, Form)> {
        self.queries.iter().flat_map(|query| {
            [Form::Clean, Form::Typo]
                .into_iter()
                .filter(|form| query.text(*form).is_some())
                .map(move |form| (query, form))
        })
    }

    fn index(&self, weights: &Weights) -> (Index, HashMap<String, Vec<u8>>) {
        let files = self
            .builder
            .clone()
            .with_weights(weights.clone())
            .finish(Layout::OneFile);
        let index = Index::open(&files[0].bytes).expect("the index was just written");
        let files = files.into_iter().map(|file| (file.name, file.bytes)).collect();
        (index, files)
    }
}

fn read_cache(folder: &Path) -> Result<Option<Cache>, Error> {
    Cache::read(folder).map_err(|error| match &error {
        CacheError::Damaged(path, _) => {
            let source = Source::new("", path.to_string_lossy(), "");
            Error::Input(vec![Diagnostic::error(&source, 0, error.to_string())])
        }
        CacheError::Failed(..) => Error::Outside(error.to_string()),
    })
}

/// A page without `aliases` in its front matter.
fn without_aliases(text: &str) -> String {
    let Some(end) = text.strip_prefix("---\n").and_then(|rest| rest.find("\n---\n")) else {
        return text.to_owned();
    };
    let (front, body) = text.split_at("---\n".len() + end + 1);
    let mut kept = String::new();
    let mut inside = false;
    for line in front.split_inclusive('\n') {
        inside = line.starts_with("aliases:") || (inside && line.starts_with([' ', '-']));
        if !inside || line == "---\n" {
            kept += line;
        }
    }
    // The schema of our own pages asks for the key.
    kept + "aliases: []\n" + body
}

/// The judged sets of this repository, whose root is given.
pub fn ours(root: &Path) -> [Place; 2] {
    let place = |name: &str, queries: &str, without_aliases: bool| Place {
        name: name.to_owned(),
        content: root.join("content"),
        config: Some(root.join("siftwren.toml")),
        queries: root.join("tests/relevance").join(queries),
        vectors: Some(root.join("search-vectors")),
        without_aliases,
    };
    [
        place("our questions, without aliases", "questions.jsonl", true),
        place("our search", "search.jsonl", false),
    ]
}

/// A folder with `content/` and `queries.jsonl`; its cache of vectors is in a folder of the same name in `caches`.
pub fn in_folder(folder: &Path, caches: Option<&Path>) -> Place {
    let name = folder
        .file_name()
        .map_or_else(|| "judged".to_owned(), |name| name.to_string_lossy().into_owned());
    Place {
        vectors: caches.map(|caches| caches.join(&name)),
        name,
        content: folder.join("content"),
        config: Some(folder.join("siftwren.toml")).filter(|config| config.is_file()),
        queries: folder.join("queries.jsonl"),
        without_aliases: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aliases_are_cut_out_in_both_spellings() {
        let long = "---\ntitle: T\naliases:\n  - a\n  - b\nrelated: [/x]\n---\n\n- aliases: stay\n";
        let short = "---\ntitle: T\naliases: [a, b]\nrelated: [/x]\n---\n\n- aliases: stay\n";
        let expected = "---\ntitle: T\nrelated: [/x]\naliases: []\n---\n\n- aliases: stay\n";
        assert_eq!(without_aliases(long), expected);
        assert_eq!(without_aliases(short), expected);
        assert_eq!(without_aliases("text"), "text");
    }

    #[test]
    fn a_site_is_ranked_under_given_weights() {
        let folder = tempfile::tempdir().unwrap();
        let put = |path: &str, text: &str| {
            let file = folder.path().join(path);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, text).unwrap();
        };
        put("content/apple.md", "# Apple\n\nPears too, pears.\n");
        put("content/pear.md", "# Pear\n\nA fruit.\n");
        put(
            "queries.jsonl",
            "{\"id\":\"1\",\"query\":\"pear\",\"typo\":\"paer\",\"gold\":[\"/pear\"]}\n",
        );
        let collection = Collection::read(&in_folder(folder.path(), None)).unwrap();
        let ndcg = |weights: &Weights| collection.judge(collection.asked(), weights, false)[0].ndcg;
        assert!((ndcg(&Weights::LEARNT) - 1.0).abs() < 1e-9);
        let only_bodies = Weights {
            section_body: 1.0,
            page_body: 1.0,
            ..Weights::from_array(Weights::LEARNT.to_array().map(|_| 0.0))
        };
        assert!(ndcg(&only_bodies) < 1.0);
        assert_eq!(collection.asked().count(), 2);
    }
}
