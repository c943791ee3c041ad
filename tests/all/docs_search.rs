//! The documentation on the platform, through the public API: what the site's search relies on.

use std::path::{Path, PathBuf};
use std::process::Command;

use relevance::judged::{Form, Query, pages};
use relevance::metrics::{Score, mean};
use search_core::hits::{self, Display, Metadata};
use search_core::{Index, SearchOptions, Step};
use serde_json::{Value, json};
use siftwren_tests::platform::Platform;
use siftwren_tests::{program, root};

const COLUMNS: [&str; 8] = [
    "item_id", "url", "folder", "header_1", "header_2", "header_3", "header_4", "body",
];

/// By how much live and local may differ in nDCG@10, whichever is better. Local knows which sections make a page, live
/// ranks items: among the short sections of the API reference that is worth .03.
const TOLERANCE: f64 = 0.04;

/// The real content as the indexer gives it.
struct Docs {
    _folder: tempfile::TempDir,
    out: PathBuf,
    items: Vec<Value>,
}

impl Docs {
    fn build() -> Docs {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("pages");
        let output = Command::new(program("indexer"))
            .args(["build", "--content"])
            .arg(root().join("content"))
            .arg("--config")
            .arg(root().join("siftwren.toml"))
            .arg("--out")
            .arg(&out)
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        let text = std::fs::read_to_string(out.join("items.ndjson")).unwrap();
        let items = text
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        Docs {
            _folder: folder,
            out,
            items,
        }
    }

    /// What turns queries into vectors, where the site has vectors.
    fn text_encoder(&self) -> Option<PathBuf> {
        Some(self.out.join("query-table.fifu")).filter(|table| table.is_file())
    }

    /// The index of the browser, with all of its files.
    fn index(&self) -> Index {
        let manifest = std::fs::read_to_string(self.out.join("manifest.json")).unwrap();
        let manifest: Value = serde_json::from_str(&manifest).unwrap();
        let core = self.out.join(manifest["search"]["index"].as_str().unwrap());
        let mut index = Index::open(&std::fs::read(&core).unwrap()).unwrap();
        for file in manifest["search"]["files"].as_array().unwrap() {
            let name = file["name"].as_str().unwrap();
            if file["kind"] != "core" {
                let bytes = std::fs::read(core.with_file_name(name)).unwrap();
                index.load(name, &bytes).unwrap();
            }
        }
        index
    }
}

/// Makes a dataset of the items, with all of their columns.
fn create_dataset(platform: &Platform, name: &str, items: &[Value]) {
    let columns = items[0].as_object().unwrap().keys();
    let value_type = |column: &str| match column {
        "embedding" => "Array(Float64)",
        _ => "String",
    };
    let schema: serde_json::Map<String, Value> = columns
        .map(|column| (column.clone(), json!(value_type(column))))
        .collect();
    let body = json!({"name": name, "schema_type": "CUSTOM", "deployment_type": "CUSTOM",
                      "column_schema": schema, "unique_keys": ["item_id"]});
    let (status, answer) = platform.post("/datasets/", &platform.admin_key, &body).unwrap();
    assert_eq!(status, 200, "{answer}");
    platform.wait_until_active(&format!("/datasets/{name}")).unwrap();
    let body = json!({"data": items});
    let (status, answer) = platform
        .post(&format!("/datasets/{name}/insert"), &platform.admin_key, &body)
        .unwrap();
    assert_eq!(status, 200, "{answer}");
}

fn create_model(platform: &Platform, name: &str, dataset: &str, text_index: &Value) {
    let body = json!({
        "model": {"name": name, "text_index": text_index},
        "connectors": [{"type": "Dataset", "id": "docs", "name": dataset}],
        "fetch": {
            "events": "SELECT item_id AS user_id, item_id, 1 AS label, CAST(NULL AS TIMESTAMP) AS created_at FROM docs WHERE FALSE",
            "items": "SELECT * FROM docs",
        },
    });
    let (status, answer) = platform.post("/models", &platform.admin_key, &body).unwrap();
    assert_eq!(status, 200, "{answer}");
    platform.wait_until_active(&format!("/models/{name}")).unwrap();
}

/// What `cargo xtask run` searches, in the same order.
fn text_index(items: &[Value], embedding_field: Option<&str>) -> Value {
    let fields = std::fs::read_to_string(root().join("xtask/docs-item-fields.json")).unwrap();
    let mut fields: Vec<String> = serde_json::from_str(&fields).unwrap();
    fields.retain(|field| items[0].get(field).is_some());
    json!({"item_fields": fields, "embedding_field": embedding_field})
}

fn retrieve(platform: &Platform, model: &str, text: &str, limit: usize) -> Value {
    let body = json!({"text_query": text, "return_metadata": true, "config": {"limit": limit}});
    let (status, answer) = platform
        .post(&format!("/models/{model}/retrieve"), &platform.search_key, &body)
        .unwrap();
    assert_eq!(status, 200, "{answer}");
    answer
}

#[test]
fn the_docs_are_a_dataset_a_model_and_an_answer_that_survive_a_kill() {
    let docs = Docs::build();
    let folder = tempfile::tempdir().unwrap();
    let encoder = docs.text_encoder();
    let platform = Platform::start_with(folder.path(), encoder.as_deref()).unwrap();
    create_dataset(&platform, "docs", &docs.items);
    let embedding_field = encoder.as_ref().map(|_| "embedding");
    create_model(
        &platform,
        "search",
        "docs",
        &text_index(&docs.items, embedding_field),
    );

    let text = "normalized discounted cumulative gain";
    let before = retrieve(&platform, "search", text, 10);
    let first = &before["metadata"][0];
    assert_eq!(first["header_1"], "nDCG", "{before}");
    let known = docs
        .items
        .iter()
        .find(|item| item["item_id"] == first["item_id"])
        .expect("the hit is one of the items");
    for column in COLUMNS {
        assert_eq!(
            first[column], known[column],
            "metadata carries the item's {column}"
        );
    }
    assert_eq!(first.get("embedding"), None, "nobody reads vectors");
    assert_eq!(before["ids"].as_array().unwrap().len(), 10);

    platform.kill().unwrap();
    let platform = Platform::start_with(folder.path(), encoder.as_deref()).unwrap();
    assert_eq!(retrieve(&platform, "search", text, 10), before);
}

#[test]
fn a_page_is_found_by_a_misspelt_word_and_by_the_beginning_of_one() {
    let docs = Docs::build();
    let folder = tempfile::tempdir().unwrap();
    let platform = Platform::start(folder.path()).unwrap();
    create_dataset(&platform, "docs", &docs.items);
    create_model(&platform, "search", "docs", &text_index(&docs.items, None));
    for (text, page) in [
        ("reciprocl rank", "/docs/metrics/mrr"),
        ("quicksta", "/docs/overview/quickstart"),
    ] {
        let answer = retrieve(&platform, "search", text, 10);
        let urls = urls(&answer);
        assert!(
            urls.iter().take(3).any(|url| url.starts_with(page)),
            "{text}: {urls:?}"
        );
    }
}

/// Who asks for a page by its title means its beginning, not one of its sections, each of which has the title too.
#[test]
fn the_title_of_a_page_finds_its_beginning() {
    /// Of 100 titles. Some are also the words of other pages: "Models, API v2", and its schemas.
    const FLOOR: usize = 85;
    let docs = Docs::build();
    let mut index = docs.index();
    let folder = tempfile::tempdir().unwrap();
    let encoder = docs.text_encoder();
    let platform = Platform::start_with(folder.path(), encoder.as_deref()).unwrap();
    create_dataset(&platform, "docs", &docs.items);
    let embedding = encoder.is_some().then_some("embedding");
    create_model(&platform, "search", "docs", &text_index(&docs.items, embedding));
    let of_pages: Vec<(&str, &str)> = docs
        .items
        .iter()
        .filter_map(|item| Some((item["url"].as_str()?, item["header_1"].as_str()?)))
        .filter(|(url, _)| !url.contains('#'))
        .collect();
    assert!(of_pages.len() > 20, "{of_pages:?}");
    let (mut live, mut local) = (Vec::new(), Vec::new());
    for (url, title) in &of_pages {
        let found = retrieve(&platform, "search", title, 1);
        if urls(&found) != [*url] {
            live.push(format!("{title}: {:?}", urls(&found)));
        }
        let found = search(&mut index, title, embedding.is_some());
        if found.first().is_none_or(|first| first.url != *url) {
            local.push((*title).to_owned());
        }
    }
    for (way, missed) in [("live", live), ("local", local)] {
        let found = of_pages.len() - missed.len();
        println!("{way}: {found} of {}", of_pages.len());
        assert!(
            100 * found >= FLOOR * of_pages.len(),
            "{way}, not the first hits of their titles: {missed:#?}"
        );
    }
}

/// Live search and the search in the browser are two ways to the same hits, and neither is worth less: by words alone,
/// and by words and meaning where the site has vectors.
#[test]
fn live_and_local_search_are_worth_the_same_and_mean_the_same_places() {
    let docs = Docs::build();
    let mut index = docs.index();
    let folder = tempfile::tempdir().unwrap();
    let encoder = docs.text_encoder();
    let platform = Platform::start_with(folder.path(), encoder.as_deref()).unwrap();
    create_dataset(&platform, "docs", &docs.items);
    create_model(&platform, "words", "docs", &text_index(&docs.items, None));
    let mut ways = vec![("words", false)];
    if encoder.is_some() {
        create_model(
            &platform,
            "hybrid",
            "docs",
            &text_index(&docs.items, Some("embedding")),
        );
        ways.push(("hybrid", true));
    }
    for file in ["questions.jsonl", "search.jsonl"] {
        let queries = judged(&root().join("tests/relevance").join(file));
        for (model, semantic) in &ways {
            let (mut live_scores, mut local_scores, mut compared) = (Vec::new(), Vec::new(), 0);
            for query in &queries {
                for text in [Form::Clean, Form::Typo]
                    .into_iter()
                    .filter_map(|form| query.text(form))
                {
                    let live = retrieve(&platform, model, text, 100);
                    let local = search(&mut index, text, *semantic);
                    live_scores.push(Score::of(query, &pages(urls(&live))).ndcg);
                    local_scores.push(Score::of(query, &pages(local.iter().map(Place::path))).ndcg);
                    compared += same_places(text, &live, &local);
                }
            }
            assert!(
                compared > 10 * live_scores.len(),
                "both ways find the same sections"
            );
            let (live, local) = (mean(live_scores), mean(local_scores));
            println!("{file} {model}: live {live:.4}, local {local:.4}");
            assert!(
                (live - local).abs() <= TOLERANCE,
                "{file}, {model}: nDCG@10 is {live:.4} live and {local:.4} local"
            );
        }
    }
}

/// A section as a reader sees it in the list of hits.
#[derive(Debug, PartialEq)]
struct Place {
    object_id: String,
    url: String,
    pathname: String,
    hash: String,
    folder: String,
    title: String,
}

impl Place {
    fn of(metadata: &Metadata, display: &Display<'_>) -> Place {
        let hit = hits::map(metadata, 0, display);
        Place {
            object_id: hit.object_id,
            url: hit.url,
            pathname: hit.pathname,
            hash: hit.hash,
            folder: hit.hierarchy.lvl0,
            title: hit.hierarchy.lvl1,
        }
    }

    fn path(&self) -> &str {
        &self.pathname
    }
}

/// Every section that both ways found is shown as the same place; how many these are.
fn same_places(text: &str, live: &Value, local: &[Place]) -> usize {
    let mut compared = 0;
    let display = Display::new(text, "/", 10);
    for item in live["metadata"].as_array().unwrap() {
        let column = |name: &str| item[name].as_str().map(str::to_owned);
        let place = Place::of(
            &Metadata {
                item_id: column("item_id"),
                url: column("url"),
                folder: column("folder"),
                header_1: column("header_1"),
                header_2: column("header_2"),
                header_3: column("header_3"),
                header_4: column("header_4"),
                body: column("body"),
            },
            &display,
        );
        if let Some(same) = local.iter().find(|hit| hit.object_id == place.object_id) {
            assert_eq!(*same, place, "{text}");
            compared += 1;
        }
    }
    compared
}

fn search(index: &mut Index, text: &str, semantic: bool) -> Vec<Place> {
    let options = SearchOptions {
        limit: 100,
        semantic,
        ..SearchOptions::default()
    };
    let Step::Ready(answer) = index.search(text, &options) else {
        panic!("all files are loaded");
    };
    let display = Display::new(text, "/", 10);
    answer
        .hits
        .iter()
        .map(|hit| Place::of(&hit.metadata(), &display))
        .collect()
}

fn judged(file: &Path) -> Vec<Query> {
    let text = std::fs::read_to_string(file).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn urls(answer: &Value) -> Vec<&str> {
    let rows = answer["metadata"].as_array().unwrap();
    rows.iter().filter_map(|row| row["url"].as_str()).collect()
}
