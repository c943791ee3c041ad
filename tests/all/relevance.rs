//! How well our search finds our pages: judged queries of `tests/relevance`, by words only and with the vectors of the committed cache.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use relevance::Source;
use relevance::judged::{self, Form, Query, Ranking};
use relevance::metrics::{Score, mean, rank};
use serde_json::{Value, json};
use siftwren_tests::{program, root};

/// What the search must reach, a few points below what was measured when the floors were set.
struct Floor {
    file: &'static str,
    form: Form,
    hybrid: bool,
    mrr: f64,
    top_5: f64,
}

const FLOORS: [Floor; 8] = [
    floor("questions.jsonl", Form::Clean, false, 0.95, 0.97),
    floor("questions.jsonl", Form::Typo, false, 0.95, 0.97),
    floor("questions.jsonl", Form::Clean, true, 0.95, 0.97),
    floor("questions.jsonl", Form::Typo, true, 0.94, 0.96),
    floor("search.jsonl", Form::Clean, false, 0.84, 0.91),
    floor("search.jsonl", Form::Typo, false, 0.82, 0.87),
    floor("search.jsonl", Form::Clean, true, 0.84, 0.89),
    floor("search.jsonl", Form::Typo, true, 0.82, 0.87),
];
/// The share of queries without any result, at the most.
const WITHOUT_RESULT: f64 = 0.01;
/// By how much the mean nDCG@10 of all queries with vectors may lie below that without.
const HAIR: f64 = 0.01;

const fn floor(file: &'static str, form: Form, hybrid: bool, mrr: f64, top_5: f64) -> Floor {
    Floor {
        file,
        form,
        hybrid,
        mrr,
        top_5,
    }
}

const FILES: [&str; 2] = ["questions.jsonl", "search.jsonl"];

#[test]
fn the_search_finds_our_pages() {
    let folder = tempfile::tempdir().unwrap();
    let pages = index(folder.path());
    let sets: BTreeMap<&str, Vec<Query>> = FILES
        .iter()
        .map(|file| (*file, read_queries(file, &pages)))
        .collect();
    let rankings = [false, true].map(|hybrid| answers(&pages, folder.path(), &sets, hybrid));
    if std::env::var_os("UPDATE_RELEVANCE").is_some() {
        std::fs::write(ranks_file(), ranks(&sets, &rankings)).unwrap();
    }

    let mut problems = String::new();
    for floor in &FLOORS {
        let scores = scores(
            &sets[floor.file],
            floor.form,
            &rankings[usize::from(floor.hybrid)],
        );
        let reached = [
            (
                "MRR",
                mean(scores.iter().map(|score| score.reciprocal_rank)),
                floor.mrr,
            ),
            ("top 5", mean(scores.iter().map(|score| score.top_5)), floor.top_5),
        ];
        for (what, reached, floor_value) in reached {
            println!("{}: {what} {reached:.3}, floor {floor_value}", floor.name());
            if reached < floor_value {
                let missed = floor_value - reached;
                let _ = writeln!(
                    problems,
                    "{}: {what} is {reached:.3}, {missed:.3} below its floor {floor_value}",
                    floor.name()
                );
            }
        }
        let without = mean(scores.iter().map(|score| score.without_result));
        if without > WITHOUT_RESULT {
            let _ = writeln!(
                problems,
                "{}: {without:.3} of the queries have no result",
                floor.name()
            );
        }
    }
    let [lexical, hybrid] = [0, 1].map(|stage| {
        let all = sets.values().flat_map(|queries| {
            [Form::Clean, Form::Typo]
                .into_iter()
                .flat_map(|form| scores(queries, form, &rankings[stage]))
        });
        mean(all.map(|score| score.ndcg))
    });
    println!("nDCG@10 of all: by words {lexical:.3}, with vectors {hybrid:.3}");
    if hybrid < lexical - HAIR {
        let _ = writeln!(
            problems,
            "vectors make it worse: nDCG@10 {hybrid:.3} with them, {lexical:.3} without"
        );
    }
    assert!(problems.is_empty(), "{problems}\n{}", worse(&sets, &rankings));
}

impl Floor {
    fn name(&self) -> String {
        format!(
            "{}, {}, {}",
            self.file,
            if self.form == Form::Clean { "clean" } else { "typo" },
            if self.hybrid { "with vectors" } else { "by words" }
        )
    }
}

/// Our site as readers get it: with the vectors of the committed cache, and no encoder.
fn index(folder: &Path) -> PathBuf {
    let pages = folder.join("pages");
    let output = Command::new(program("indexer"))
        .args(["build", "--content"])
        .arg(root().join("content"))
        .arg("--config")
        .arg(root().join("siftwren.toml"))
        .arg("--out")
        .arg(&pages)
        .env_remove("SIFTWREN_ENCODER")
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let manifest: Value =
        serde_json::from_slice(&std::fs::read(pages.join("manifest.json")).unwrap()).unwrap();
    assert_eq!(
        manifest["search"]["vectors"],
        json!(true),
        "the cache of vectors is committed"
    );
    pages
}

fn answers(pages: &Path, folder: &Path, sets: &BTreeMap<&str, Vec<Query>>, hybrid: bool) -> Ranking {
    let mut lines = String::new();
    for query in sets.values().flatten() {
        for form in [Form::Clean, Form::Typo] {
            if let Some(text) = query.text(form) {
                let _ = writeln!(lines, "{}", json!({"id": query.id(form), "query": text}));
            }
        }
    }
    let file = folder.join("queries.jsonl");
    std::fs::write(&file, lines).unwrap();
    let mut command = Command::new(program("indexer"));
    command
        .arg("query")
        .arg("--index")
        .arg(pages)
        .arg("--queries")
        .arg(&file);
    command.args(["--limit", "60"]);
    if !hybrid {
        command.arg("--no-vectors");
    }
    let output = command.output().unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let text = String::from_utf8(output.stdout).unwrap();
    let (ranking, problems) = judged::read_ranking(&Source::new("answers", "answers", &text));
    assert_eq!(problems, []);
    ranking
}

fn scores(queries: &[Query], form: Form, ranking: &Ranking) -> Vec<Score> {
    let asked = queries.iter().filter(|query| query.text(form).is_some());
    asked
        .map(|query| Score::of(query, &ranking[&query.id(form)]))
        .collect()
}

/// `pages` is a built site: some of its pages are no files of `content`.
fn read_queries(file: &str, pages: &Path) -> Vec<Query> {
    let path = root().join("tests/relevance").join(file);
    let text = std::fs::read_to_string(&path).unwrap();
    let (queries, problems) = judged::read_queries(&Source::new(file, path.to_string_lossy(), &text));
    assert_eq!(problems, []);
    let manifest: Value =
        serde_json::from_slice(&std::fs::read(pages.join("manifest.json")).unwrap()).unwrap();
    let known: Vec<&str> = manifest["pages"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|page| page["path"].as_str())
        .collect();
    for path in queries.iter().flat_map(|query| &query.gold) {
        assert!(known.contains(&path.as_str()), "{file}: there is no page {path}");
    }
    queries
}

fn ranks_file() -> PathBuf {
    root().join("tests/relevance/ranks.jsonl")
}

/// Where the gold page of each query stands, a line a query and form.
fn ranks(sets: &BTreeMap<&str, Vec<Query>>, rankings: &[Ranking; 2]) -> String {
    let mut lines = String::new();
    for query in sets.values().flatten() {
        for form in [Form::Clean, Form::Typo] {
            if query.text(form).is_some() {
                let id = query.id(form);
                let [lexical, hybrid] = [0, 1].map(|stage: usize| rank(query, &rankings[stage][&id]));
                let _ = writeln!(
                    lines,
                    "{}",
                    json!({"id": id, "lexical": lexical, "hybrid": hybrid})
                );
            }
        }
    }
    lines
}

/// The queries whose gold page stands further down than when the floors were set.
fn worse(sets: &BTreeMap<&str, Vec<Query>>, rankings: &[Ranking; 2]) -> String {
    let Ok(before) = std::fs::read_to_string(ranks_file()) else {
        return "tests/relevance/ranks.jsonl is missing: nothing to compare with".to_owned();
    };
    let place = |value: &Value| value.as_u64().unwrap_or(u64::MAX);
    let shown = |value: &Value| {
        value
            .as_u64()
            .map_or_else(|| "nowhere".to_owned(), |place| place.to_string())
    };
    let before: BTreeMap<String, Value> = before
        .lines()
        .map(|line| {
            let line: Value = serde_json::from_str(line).unwrap();
            (line["id"].as_str().unwrap().to_owned(), line)
        })
        .collect();
    let texts: BTreeMap<String, &str> = sets
        .values()
        .flatten()
        .flat_map(|query| {
            [Form::Clean, Form::Typo].map(|form| (query.id(form), query.text(form).unwrap_or_default()))
        })
        .collect();
    let mut report = String::from("gold pages further down than before:\n");
    for line in ranks(sets, rankings).lines() {
        let now: Value = serde_json::from_str(line).unwrap();
        let id = now["id"].as_str().unwrap();
        let Some(before) = before.get(id) else { continue };
        for stage in ["lexical", "hybrid"] {
            if place(&now[stage]) > place(&before[stage]) {
                let _ = writeln!(
                    report,
                    "  {stage}: {} -> {}: {}",
                    shown(&before[stage]),
                    shown(&now[stage]),
                    texts[id]
                );
            }
        }
    }
    report
}
