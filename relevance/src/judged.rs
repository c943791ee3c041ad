//! Judged queries and rankings, one JSON object a line. What is wrong in them is named with file, line and column, all of
//! it at once.

use std::collections::{BTreeSet, HashMap};

use indexer::diagnostic::Diagnostic;
use indexer::source::Source;
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// The end of the id under which the misspelt form of a query is asked.
const TYPO: &str = "+typo";

/// A query with the pages that answer it.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
pub struct Query {
    /// Its name.
    pub id: String,
    /// As a reader writes it.
    pub query: String,
    /// The same with a slip of the finger.
    #[serde(default)]
    pub typo: Option<String>,
    /// The pages that answer it; one of them is enough for top 5 and reciprocal rank.
    pub gold: Vec<String>,
    /// Pages that do not count, as if the site lacked them.
    #[serde(default)]
    pub exclude: Vec<String>,
}

/// The two ways of asking a judged query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// As it stands.
    Clean,
    /// Misspelt.
    Typo,
}

impl Query {
    /// The name under which this form is asked and answered.
    pub fn id(&self, form: Form) -> String {
        match form {
            Form::Clean => self.id.clone(),
            Form::Typo => format!("{}{TYPO}", self.id),
        }
    }

    /// The text of this form, if there is one.
    pub fn text(&self, form: Form) -> Option<&str> {
        match form {
            Form::Clean => Some(&self.query),
            Form::Typo => self.typo.as_deref(),
        }
    }
}

/// Pages for each query, best first, each once: what [`read_ranking`] gives.
pub type Ranking = HashMap<String, Vec<String>>;

/// Reads judged queries.
pub fn read_queries(source: &Source) -> (Vec<Query>, Vec<Diagnostic>) {
    let (lines, mut problems) =
        read_lines::<Query>(source, "{\"id\": …, \"query\": …, \"gold\": [\"/path\"]}");
    let mut ids = BTreeSet::new();
    let mut queries = Vec::new();
    for (at, mut query) in lines {
        let mut report = |message: String| problems.push(Diagnostic::error(source, at, message));
        if query.query.trim().is_empty() {
            report(format!("the query `{}` has no text", query.id));
        }
        if query.gold.is_empty() {
            report(format!("no page answers `{}`; name one in `gold`", query.query));
        }
        if query.typo.as_ref() == Some(&query.query) {
            report(format!("the typo of `{}` is the query itself", query.query));
        }
        if query.id.ends_with(TYPO) {
            report(format!(
                "an id does not end in `{TYPO}`: that marks misspelt forms"
            ));
        }
        for path in query.gold.iter().chain(&query.exclude) {
            if !path.starts_with('/') {
                report(format!("`{path}` is no path of a page: it begins with `/`"));
            }
        }
        if query.gold.iter().any(|path| query.exclude.contains(path)) {
            report(format!("a page of `{}` is gold and excluded", query.query));
        }
        if !ids.insert(query.id.clone()) {
            report(format!("the id `{}` is there twice", query.id));
        }
        for path in query.gold.iter_mut().chain(&mut query.exclude) {
            *path = page_of(path).to_owned();
        }
        queries.push(query);
    }
    problems.sort();
    (queries, problems)
}

/// Reads a ranking: `{"id": …, "hits": [{"path": …}, …]}`, as `indexer query` prints it. Hits may be sections; their
/// pages count where they come first.
pub fn read_ranking(source: &Source) -> (Ranking, Vec<Diagnostic>) {
    #[derive(Deserialize)]
    struct Line {
        id: String,
        hits: Vec<Hit>,
    }
    #[derive(Deserialize)]
    struct Hit {
        path: String,
    }
    let (lines, mut problems) = read_lines::<Line>(source, "{\"id\": …, \"hits\": [{\"path\": \"/path\"}]}");
    let mut ranking = Ranking::new();
    for (at, line) in lines {
        let pages = pages(line.hits.iter().map(|hit| hit.path.as_str()));
        if ranking.insert(line.id.clone(), pages).is_some() {
            let message = format!("the query `{}` is answered twice", line.id);
            problems.push(Diagnostic::error(source, at, message));
        }
    }
    (ranking, problems)
}

/// The pages of hits, each where it comes first.
pub fn pages<'a>(paths: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut seen = BTreeSet::new();
    paths
        .into_iter()
        .map(page_of)
        .filter(|path| seen.insert(*path))
        .map(str::to_owned)
        .collect()
}

/// The page that a path means, without anchor and trailing slash.
fn page_of(path: &str) -> &str {
    let page = path.split('#').next().unwrap_or(path);
    match page.trim_end_matches('/') {
        "" => "/",
        page => page,
    }
}

/// Every line with the offset of its beginning; empty lines do not count, other keys are left alone.
fn read_lines<T: DeserializeOwned>(source: &Source, shape: &str) -> (Vec<(usize, T)>, Vec<Diagnostic>) {
    let mut values = Vec::new();
    let mut problems = Vec::new();
    let mut at = 0;
    for line in source.text.split_inclusive('\n') {
        match serde_json::from_str(line) {
            _ if line.trim().is_empty() => {}
            Ok(value) => values.push((at, value)),
            Err(error) => {
                let reason = error.to_string();
                let reason = reason.split(" at line ").next().unwrap_or(&reason);
                // The end of a line is told as column 0 of the next one.
                let column = match error.column() {
                    0 => line.len(),
                    column => column,
                };
                let message = format!("not as expected: {reason}; write {shape}");
                problems.push(Diagnostic::error(source, at + column - 1, message));
            }
        }
        at += line.len();
    }
    (values, problems)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(problems: &[Diagnostic]) -> Vec<String> {
        problems.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_line_is_a_query() {
        let text =
            "{\"id\":\"a\",\"query\":\"x y\",\"typo\":\"xy\",\"gold\":[\"/p/\"],\"kind\":\"other keys\"}\n\n";
        let (queries, problems) = read_queries(&Source::new("q", "q", text));
        assert_eq!(messages(&problems), [""; 0]);
        assert_eq!(queries[0].gold, ["/p"]);
        assert_eq!(queries[0].text(Form::Typo), Some("xy"));
        assert_eq!(queries[0].id(Form::Typo), "a+typo");
    }

    #[test]
    fn everything_wrong_is_named_with_its_place() {
        let text = "{\"id\":\"a\",\"query\":\" \",\"gold\":[]}\n{\"id\":\"a\",\"query\":\"x\",\"typo\":\"x\",\"gold\":[\"p\"]}\n{\"id\": 1}\n{\"id\":\"b\"\n";
        let (_, problems) = read_queries(&Source::new("q.jsonl", "q.jsonl", text));
        assert_eq!(
            messages(&problems),
            [
                "q.jsonl:1:1: no page answers ` `; name one in `gold`",
                "q.jsonl:1:1: the query `a` has no text",
                "q.jsonl:2:1: `p` is no path of a page: it begins with `/`",
                "q.jsonl:2:1: the id `a` is there twice",
                "q.jsonl:2:1: the typo of `x` is the query itself",
                "q.jsonl:3:8: not as expected: invalid type: integer `1`, expected a string; write {\"id\": …, \"query\": …, \"gold\": [\"/path\"]}",
                "q.jsonl:4:10: not as expected: EOF while parsing an object; write {\"id\": …, \"query\": …, \"gold\": [\"/path\"]}",
            ]
        );
    }

    #[test]
    fn sections_of_a_page_count_once_where_they_come_first() {
        let text = "{\"id\":\"1\",\"query\":\"x\",\"hits\":[{\"path\":\"/b#c\"},{\"path\":\"/a/\"},{\"path\":\"/b\"},{\"path\":\"/\"}]}\n";
        let (ranking, problems) = read_ranking(&Source::new("r", "r", text));
        assert!(problems.is_empty());
        assert_eq!(ranking["1"], ["/b", "/a", "/"]);
        let (_, problems) = read_ranking(&Source::new("r", "r", &text.repeat(2)));
        assert_eq!(messages(&problems), ["r:2:1: the query `1` is answered twice"]);
    }
}
