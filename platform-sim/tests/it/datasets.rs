//! Datasets: their life, and rows in and out.

use serde_json::{Value, json};

use super::client::{Api, Server, film_rows, films};

/// All rows of a dataset by way of a model over it: the items' columns.
#[track_caller]
pub(crate) fn rows(api: &Api, dataset: &str, sql: &str) -> Vec<Value> {
    let name = format!(
        "reader-{}",
        api.get("/v1/models").ok()["models"].as_array().unwrap().len()
    );
    api.model(&json!({
        "model": {"name": name}, "connectors": [{"type": "Dataset", "id": "d", "name": dataset}],
        "fetch": {
            "events": "SELECT '' AS user_id, '' AS item_id, 1 AS label, CAST(NULL AS TIMESTAMP) AS created_at FROM d WHERE FALSE",
            "items": sql
        }
    }));
    let body = json!({"return_metadata": true, "config": {"limit": 1000}});
    let answer = api.post(&format!("/v1/models/{name}/retrieve"), &body).ok();
    answer["metadata"].as_array().unwrap().clone()
}

#[test]
fn a_dataset_is_made_listed_shown_and_deleted_with_and_without_the_slash() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    let api = &server.api;
    let mut body = films();
    body["description"] = json!("What people watch");
    api.dataset(&body);
    let details = api.get("/v1/datasets/films/").ok();
    assert_eq!(details["dataset_name"], "films");
    assert_eq!(details["name"], "films");
    assert_eq!(details["schema_type"], "CUSTOM");
    assert_eq!(details["description"], "What people watch");
    assert_eq!(details["dataset_schema"]["tags"], "Array(String)");
    assert_eq!(
        details["dataset_uri"],
        format!("http://{}/v1/datasets/films", api.addr)
    );
    for path in ["/v1/datasets", "/v1/datasets/"] {
        let list = api.get(path).ok();
        assert_eq!(list["datasets"].as_array().unwrap().len(), 1);
        assert_eq!(list["datasets"][0]["status"], "ACTIVE");
        assert!(list["datasets"][0].get("dataset_schema").is_none());
    }
    let said = api.post("/v1/datasets/films/insert/", &film_rows()).ok();
    assert_eq!(said["message"], "inserted 3 rows into dataset 'films'");
    api.delete("/v1/datasets/films").ok();
    assert_eq!(api.get("/v1/datasets").ok(), json!({"datasets": []}));
    assert_eq!(
        std::fs::read_dir(server.data_dir.join("rows")).unwrap().count(),
        0,
        "the rows go with their dataset"
    );
    // The name is free again, and nothing of the old rows is left.
    api.dataset(&films());
    assert_eq!(
        rows(api, "films", "SELECT id AS item_id FROM d"),
        Vec::<Value>::new()
    );
}

#[test]
fn a_batch_is_stored_whole_or_not_at_all() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    let api = &server.api;
    api.dataset(&films());
    for (row, place, kind) in [
        (
            json!({"id": "m2", "year": "1949"}),
            "body.data.1.year",
            "wrong_type",
        ),
        (
            json!({"id": "m2", "year": 2_147_483_648_i64}),
            "body.data.1.year",
            "wrong_type",
        ),
        (json!({"id": "m2", "year": 1.5}), "body.data.1.year", "wrong_type"),
        (
            json!({"id": "m2", "tags": ["a", 1]}),
            "body.data.1.tags",
            "wrong_type",
        ),
        (
            json!({"id": "m2", "titel": "x"}),
            "body.data.1.titel",
            "unknown_column",
        ),
        (json!({"title": "x"}), "body.data.1.id", "missing_key"),
        (json!({"id": null}), "body.data.1.id", "missing_key"),
        (json!({"id": "m2", "": 1}), "body.data.1.", "invalid_name"),
    ] {
        let answer = api.post("/v1/datasets/films/insert", &json!({"data": [{"id": "m1"}, row]}));
        assert_eq!(
            answer.invalid(),
            (place.to_owned(), kind.to_owned()),
            "{}",
            answer.text
        );
    }
    let many: Vec<Value> = (0..1000).map(|_| json!({"id": 1})).collect();
    let answer = api.post("/v1/datasets/films/insert", &json!({"data": many}));
    assert_eq!(
        answer.json()["detail"].as_array().unwrap().len(),
        20,
        "the list of wrong places is bounded"
    );
    assert_eq!(
        rows(api, "films", "SELECT id AS item_id FROM d"),
        Vec::<Value>::new()
    );
    api.post("/v1/datasets/films/insert", &json!({"data": []})).ok();
}

#[test]
fn values_of_every_type_come_back_as_they_went_in() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    let api = &server.api;
    let columns = json!({
        "item_id": "String", "low": "LowCardinality(String)", "i32": "Int32", "i64": "Int64", "float": "Float",
        "double": "Double", "bool": "Bool", "time": "DateTime", "strings": "ArrayOfString",
        "ints": "Array(Int64)", "doubles": "ArrayOfDouble", "json": "Json", "bytes": "Bytes", "image": "ImageUrl", "any": "Unknown"
    });
    api.dataset(&json!({"name": "d", "schema_type": "CUSTOM", "column_schema": columns}));
    let row = json!({
        "item_id": "a\u{0}\u{202e}ß😀", "low": "x", "i32": -2_147_483_648, "i64": 9_223_372_036_854_775_807_i64, "float": 0.1,
        "double": 5e-324, "bool": false, "time": "2026-01-31T12:00:00.123456Z", "strings": ["", null, "b"],
        "ints": [9_007_199_254_740_993_i64], "doubles": [0.1, -0.5], "json": {"deep": [{"n": 18_446_744_073_709_551_615_u64}]},
        "bytes": "AAEC/w==", "image": "https://a.example/x.png", "any": [1, "two", null]
    });
    api.post(
        "/v1/datasets/d/insert",
        &json!({"data": [row, {"item_id": "nulls"}]}),
    )
    .ok();
    let read = rows(api, "d", "SELECT * FROM d");
    assert_eq!(read[0], row);
    assert_eq!(read[1]["item_id"], "nulls");
    assert!(
        read[1]
            .as_object()
            .unwrap()
            .iter()
            .all(|(name, value)| name == "item_id" || value.is_null())
    );
}

#[test]
fn without_a_declared_schema_columns_are_inferred_and_new_ones_join() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    let api = &server.api;
    api.dataset(&json!({"name": "d", "schema_type": "CUSTOM"}));
    api.post(
        "/v1/datasets/d/insert",
        &json!({"data": [{"item_id": "a", "n": 1, "x": null}, {"item_id": "b", "n": 2}]}),
    )
    .ok();
    assert_eq!(
        api.get("/v1/datasets/d").ok()["dataset_schema"],
        json!({"item_id": "String", "n": "Int64"})
    );
    api.post(
        "/v1/datasets/d/insert",
        &json!({"data": [{"item_id": "c", "x": [1.5], "o": {"k": 1}}]}),
    )
    .ok();
    let schema = json!({"item_id": "String", "n": "Int64", "x": "Array(Float64)", "o": "Json"});
    assert_eq!(api.get("/v1/datasets/d").ok()["dataset_schema"], schema);
    let answer = api.post(
        "/v1/datasets/d/insert",
        &json!({"data": [{"item_id": "d", "n": "many"}]}),
    );
    assert_eq!(
        answer.invalid(),
        ("body.data.0.n".to_owned(), "wrong_type".to_owned())
    );
    let read = rows(api, "d", "SELECT * FROM d");
    assert_eq!(read.len(), 3);
    assert_eq!(
        read[2],
        json!({"item_id": "c", "n": null, "x": [1.5], "o": {"k": 1}})
    );
    assert_eq!(read[0]["o"], Value::Null);
}

#[test]
fn many_small_inserts_become_few_files_and_read_the_same() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    let api = &server.api;
    api.dataset(&json!({"name": "d", "schema_type": "CUSTOM", "unique_keys": ["k"]}));
    // Several writers at once, columns that appear on the way, keys that come again.
    std::thread::scope(|scope| {
        for writer in 0..4_u64 {
            scope.spawn(move || {
                for number in 0..40_u64 {
                    let mut row = json!({"k": format!("{writer}-{}", number % 10), "n": number});
                    row[format!("only_{writer}_{}", number / 20)] = json!("x");
                    api.post("/v1/datasets/d/insert", &json!({"data": [row]})).ok();
                }
            });
        }
    });
    let started = std::time::Instant::now();
    let files = || std::fs::read_dir(server.data_dir.join("rows/1")).unwrap().count();
    while files() >= 32 {
        assert!(started.elapsed() < super::client::PATIENCE, "{} files", files());
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    let columns = api.get("/v1/datasets/d").ok()["dataset_schema"].clone();
    assert_eq!(columns.as_object().unwrap().len(), 2 + 8, "{columns}");
    let check = |api: &Api| {
        let mut read = rows(api, "d", "SELECT k AS item_id, n FROM d");
        read.sort_by_key(|row| row["item_id"].as_str().unwrap().to_owned());
        let expected: Vec<Value> = (0..4)
            .flat_map(|writer| {
                (0..10).map(move |key| json!({"item_id": format!("{writer}-{key}"), "n": 30 + key}))
            })
            .collect();
        assert_eq!(read, expected);
    };
    check(api);
    let server = server.kill_and_restart();
    check(&server.api);
}

#[test]
fn more_rows_at_once_than_one_file_takes_are_all_stored() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    let api = &server.api;
    api.dataset(&json!({"name": "d", "schema_type": "CUSTOM", "column_schema": {"n": "Int64"}}));
    const ROWS: usize = 40_000;
    let body = json!({"data": (0..ROWS).map(|n| json!({"n": n})).collect::<Vec<Value>>()}).to_string();
    std::thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| api.post_text("/v1/datasets/d/insert", &body).ok());
        }
    });
    let read = rows(
        api,
        "d",
        "SELECT 'n' AS item_id, COUNT(*) AS n, SUM(n) AS sum FROM d",
    );
    let total = 6 * ROWS;
    assert_eq!(
        read,
        [json!({"item_id": "n", "n": total, "sum": total / 2 * (ROWS - 1)})]
    );
}

#[test]
fn the_last_row_of_a_unique_key_wins_within_a_batch_and_across_batches() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    let api = &server.api;
    api.dataset(&json!({"name": "d", "schema_type": "CUSTOM", "column_schema": {"k": "String", "part": "Int64", "v": "Int64"}, "unique_keys": ["k", "part"]}));
    let insert = |rows: Value| api.post("/v1/datasets/d/insert", &json!({"data": rows})).ok();
    insert(
        json!([{"k": "a", "part": 1, "v": 1}, {"k": "a", "part": 2, "v": 2}, {"k": "a", "part": 1, "v": 3}]),
    );
    insert(json!([{"k": "b", "part": 1, "v": 4}, {"k": "a", "part": 2, "v": 5}]));
    let read = rows(
        api,
        "d",
        "SELECT k || '-' || CAST(part AS VARCHAR) AS item_id, v FROM d",
    );
    assert_eq!(
        read,
        [
            json!({"item_id": "a-1", "v": 3}),
            json!({"item_id": "a-2", "v": 5}),
            json!({"item_id": "b-1", "v": 4})
        ]
    );
}
