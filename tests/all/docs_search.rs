//! The documentation on the platform, through the public API: what the site's search relies on.

use std::process::Command;

use serde_json::{Value, json};
use siftwren_tests::platform::Platform;
use siftwren_tests::{program, root};

const COLUMNS: [&str; 8] = [
    "item_id", "url", "folder", "header_1", "header_2", "header_3", "header_4", "body",
];

/// The real search items of the real content.
fn items() -> Vec<Value> {
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
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn create_dataset(platform: &Platform, name: &str) {
    let schema: serde_json::Map<String, Value> = COLUMNS
        .iter()
        .map(|column| ((*column).to_owned(), json!("String")))
        .collect();
    let body = json!({"name": name, "schema_type": "CUSTOM", "deployment_type": "CUSTOM",
                      "column_schema": schema, "unique_keys": ["item_id"]});
    let (status, answer) = platform.post("/datasets/", &platform.admin_key, &body).unwrap();
    assert_eq!(status, 200, "{answer}");
    platform.wait_until_active(&format!("/datasets/{name}")).unwrap();
}

fn create_model(platform: &Platform, name: &str, dataset: &str) {
    let body = json!({
        "model": {"name": name, "text_index": {"item_fields": ["header_1", "header_2", "body"]}},
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

fn retrieve(platform: &Platform, model: &str, text: &str) -> Value {
    let body = json!({"text_query": text, "return_metadata": true, "config": {"limit": 10}});
    let (status, answer) = platform
        .post(&format!("/models/{model}/retrieve"), &platform.search_key, &body)
        .unwrap();
    assert_eq!(status, 200, "{answer}");
    answer
}

#[test]
fn the_docs_are_a_dataset_a_model_and_an_answer_that_survive_a_kill() {
    let items = items();
    let folder = tempfile::tempdir().unwrap();
    let platform = Platform::start(folder.path()).unwrap();
    create_dataset(&platform, "docs");
    let (status, answer) = platform
        .post(
            "/datasets/docs/insert",
            &platform.admin_key,
            &json!({"data": items}),
        )
        .unwrap();
    assert_eq!(status, 200, "{answer}");
    create_model(&platform, "search", "docs");

    let before = retrieve(&platform, "search", "normalized discounted cumulative gain");
    let first = &before["metadata"][0];
    assert_eq!(first["header_1"], "nDCG", "{before}");
    let known = items
        .iter()
        .find(|item| item["item_id"] == first["item_id"])
        .expect("the hit is one of the items");
    for column in COLUMNS {
        assert_eq!(
            first[column], known[column],
            "metadata carries the item's {column}"
        );
    }
    assert_eq!(before["ids"].as_array().unwrap().len(), 10);

    platform.kill().unwrap();
    let platform = Platform::start(folder.path()).unwrap();
    assert_eq!(
        retrieve(&platform, "search", "normalized discounted cumulative gain"),
        before
    );
}

#[test]
fn a_page_is_found_by_a_misspelt_word_and_by_the_beginning_of_one() {
    let items = items();
    let folder = tempfile::tempdir().unwrap();
    let platform = Platform::start(folder.path()).unwrap();
    create_dataset(&platform, "docs");
    platform
        .post(
            "/datasets/docs/insert",
            &platform.admin_key,
            &json!({"data": items}),
        )
        .unwrap();
    create_model(&platform, "search", "docs");
    for (text, page) in [
        ("reciprocl rank", "/docs/metrics/mrr"),
        ("quicksta", "/docs/overview/quickstart"),
    ] {
        let answer = retrieve(&platform, "search", text);
        let urls: Vec<&str> = answer["metadata"]
            .as_array()
            .unwrap()
            .iter()
            .take(3)
            .filter_map(|metadata| metadata["url"].as_str())
            .collect();
        assert!(urls.iter().any(|url| url.starts_with(page)), "{text}: {urls:?}");
    }
}
