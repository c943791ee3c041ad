//! SQL transforms: views and kept rows, over datasets and each other.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::client::{Api, PATIENCE, Server, film_rows, films};
use super::datasets::rows;

fn sql(name: &str, kind: &str, query: &str) -> Value {
    json!({"name": name, "transform_type": "SQL", "sql_transform_type": kind, "sql_query": query})
}

fn with_films() -> (tempfile::TempDir, Server) {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    server.api.dataset(&films());
    server.api.post("/v1/datasets/films/insert", &film_rows()).ok();
    (directory, server)
}

/// Reads a transform until its rows are those that are expected: a refresh comes a moment after its cause.
#[track_caller]
fn becomes(api: &Api, transform: &str, expected: &Value) {
    let started = Instant::now();
    loop {
        let found = Value::from(rows(api, transform, "SELECT * FROM d"));
        if found == *expected {
            return;
        }
        assert!(started.elapsed() < PATIENCE, "{found} instead of {expected}");
        std::thread::sleep(Duration::from_millis(200));
    }
}

#[test]
fn views_and_kept_rows_are_read_by_models_and_by_each_other() {
    let (_directory, server) = with_films();
    let api = &server.api;
    api.transform(&sql(
        "old",
        "VIEW",
        "SELECT id, year, tags FROM films WHERE year < 2000",
    ));
    api.transform(&sql(
        "by-tag",
        "MATERIALIZED_VIEW",
        "SELECT unnest(tags) AS item_id, year FROM old",
    ));
    api.transform(&sql(
        "top",
        "VIEW",
        "SELECT item_id, MAX(year) AS newest, COUNT(*) AS films FROM \"by-tag\" GROUP BY item_id",
    ));
    let details = api.get("/v1/transforms/by-tag").ok();
    assert_eq!(details["source_datasets_names"], json!(["old"]));
    assert_eq!(
        details["transform_schema"],
        json!({"item_id": "String", "year": "Int32"})
    );
    assert_eq!(details["transform_type"], "SQL");
    assert_eq!(details["sql_transform_type"], "MATERIALIZED_VIEW");
    assert_eq!(details["error_message"], Value::Null);
    assert_eq!(
        details["transform_uri"],
        format!("http://{}/v1/transforms/by-tag", api.addr)
    );
    assert_eq!(
        rows(api, "top", "SELECT * FROM d"),
        [
            json!({"item_id": "city", "newest": 1927, "films": 1}),
            json!({"item_id": "noir", "newest": 1949, "films": 1}),
            json!({"item_id": "silent", "newest": 1927, "films": 1}),
        ]
    );
    let list = api.get("/v1/transforms").ok();
    let names: Vec<&str> = list["transforms"]
        .as_array()
        .unwrap()
        .iter()
        .map(|transform| transform["transform_name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["by-tag", "old", "top"]);
    // A model's connector ids are names of its own: a view still reads what it was made over.
    api.model(&json!({
        "model": {"name": "m"}, "connectors": [{"type": "Dataset", "id": "films", "name": "top"}],
        "fetch": {
            "events": "SELECT '' AS user_id, '' AS item_id, 1 AS label, CAST(NULL AS TIMESTAMP) AS created_at FROM films WHERE FALSE",
            "items": "SELECT item_id FROM films"
        }
    }));
    assert_eq!(api.ids("m", &json!({})).len(), 3);
}

#[test]
fn values_of_every_type_pass_through_kept_rows() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    let api = &server.api;
    let columns = json!({
        "item_id": "String", "low": "LowCardinality(String)", "i32": "Int32", "i64": "Int64", "float": "Float",
        "double": "Double", "bool": "Bool", "time": "DateTime", "strings": "Array(String)",
        "ints": "Array(Int64)", "doubles": "Array(Float64)", "json": "Json", "bytes": "Bytes", "image": "ImageUrl"
    });
    api.dataset(&json!({"name": "d", "schema_type": "CUSTOM", "column_schema": columns}));
    let row = json!({
        "item_id": "a", "low": "x", "i32": -1, "i64": 9_007_199_254_740_993_i64, "float": 0.1, "double": 0.1,
        "bool": true, "time": "2026-01-31T12:00:00.123456Z", "strings": ["", null], "ints": [1], "doubles": [0.5],
        "json": {"deep": [1, null]}, "bytes": "AAEC", "image": "https://a.example/x.png"
    });
    api.post("/v1/datasets/d/insert", &json!({"data": [row]})).ok();
    api.transform(&sql("same", "MATERIALIZED_VIEW", "SELECT * FROM d"));
    assert_eq!(api.get("/v1/transforms/same").ok()["transform_schema"], columns);
    assert_eq!(rows(api, "same", "SELECT * FROM d"), std::slice::from_ref(&row));
    // Types that only statements make come out as the nearest that columns have.
    api.transform(&sql(
        "made",
        "MATERIALIZED_VIEW",
        "SELECT item_id, [true, false] AS flags, [CAST(1 AS SMALLINT)] AS small, CAST(1.50 AS DECIMAL(5, 2)) AS exact,
         CAST('2026-01-31' AS DATE) AS day, NULL AS nothing FROM d",
    ));
    assert_eq!(
        api.get("/v1/transforms/made").ok()["transform_schema"],
        json!({"item_id": "String", "flags": "Array(String)", "small": "Array(Int64)", "exact": "Double", "day": "DateTime", "nothing": "String"})
    );
    assert_eq!(
        rows(api, "made", "SELECT * FROM d"),
        [
            json!({"item_id": "a", "flags": ["true", "false"], "small": [1], "exact": 1.5, "day": "2026-01-31T00:00:00Z", "nothing": null})
        ]
    );
}

#[test]
fn kept_rows_follow_their_sources_and_views_their_columns() {
    let (_directory, server) = with_films();
    let api = &server.api;
    api.transform(&sql(
        "view",
        "VIEW",
        "SELECT id AS item_id, year FROM films WHERE year > 1940",
    ));
    api.transform(&sql(
        "kept",
        "MATERIALIZED_VIEW",
        "SELECT COUNT(*) AS n, 'n' AS item_id FROM view",
    ));
    api.transform(&sql(
        "kept2",
        "MATERIALIZED_VIEW",
        "SELECT n + 1 AS n, item_id FROM kept",
    ));
    becomes(api, "kept2", &json!([{"n": 3, "item_id": "n"}]));
    api.post(
        "/v1/datasets/films/insert",
        &json!({"data": [{"id": "m4", "year": 1990}, {"id": "m5", "year": 1900}]}),
    )
    .ok();
    becomes(api, "kept2", &json!([{"n": 4, "item_id": "n"}]));
    // An upsert counts as what it is.
    api.post(
        "/v1/datasets/films/insert",
        &json!({"data": [{"id": "m4", "year": 1900}]}),
    )
    .ok();
    becomes(api, "kept2", &json!([{"n": 3, "item_id": "n"}]));
    // Only the rows of the last refresh are left.
    let started = Instant::now();
    let files = || {
        std::fs::read_dir(server.data_dir.join("rows/t2"))
            .unwrap()
            .count()
    };
    while files() != 1 {
        assert!(started.elapsed() < PATIENCE);
        std::thread::sleep(Duration::from_millis(50));
    }

    api.dataset(&json!({"name": "loose", "schema_type": "CUSTOM"}));
    api.post("/v1/datasets/loose/insert", &json!({"data": [{"a": 1}]}))
        .ok();
    api.transform(&sql("all", "VIEW", "SELECT * FROM loose"));
    api.post(
        "/v1/datasets/loose/insert",
        &json!({"data": [{"a": 2, "b": "x"}]}),
    )
    .ok();
    let details = api.wait_until("/v1/transforms/all", |details| {
        details["transform_schema"] == json!({"a": "Int64", "b": "String"})
    });
    assert_eq!(details["status"], "ACTIVE");
}

#[test]
fn wrong_transforms_are_refused_with_their_place() {
    let (_directory, server) = with_films();
    let api = &server.api;
    let deep = format!("SELECT {}1{}", "(".repeat(60), ")".repeat(60));
    for (body, place, kind) in [
        (json!({}), "body.name", "missing"),
        (json!({"name": "t"}), "body.transform_type", "missing"),
        (
            json!({"name": "t", "transform_type": "SQL"}),
            "body.sql_query",
            "missing",
        ),
        (
            json!({"name": "t", "transform_type": "PYTHON"}),
            "body.transform_type",
            "unknown_value",
        ),
        (
            json!({"name": "t", "transform_type": 1}),
            "body.transform_type",
            "wrong_type",
        ),
        (sql("../t", "VIEW", "SELECT 1 AS a"), "body.name", "invalid_name"),
        (
            sql("t", "TABLE", "SELECT 1 AS a"),
            "body.sql_transform_type",
            "unknown_value",
        ),
        (sql("t", "VIEW", ""), "body.sql_query", "invalid_sql"),
        (
            sql("t", "VIEW", "SELECT * FROM flims"),
            "body.sql_query",
            "invalid_sql",
        ),
        (
            sql("t", "VIEW", "SELECT nothing FROM films"),
            "body.sql_query",
            "invalid_sql",
        ),
        (
            sql("t", "VIEW", "SELECT 1 AS a, 2 AS a"),
            "body.sql_query",
            "invalid_sql",
        ),
        (
            sql("t", "VIEW", "DROP TABLE films"),
            "body.sql_query",
            "invalid_sql",
        ),
        (sql("t", "VIEW", &deep), "body.sql_query", "invalid_sql"),
        (sql("t", "VIEW", "SELECT * FROM t"), "body.sql_query", "cycle"),
        (
            sql("t", "MATERIALIZED_VIEW", "SELECT * FROM films JOIN t ON true"),
            "body.sql_query",
            "cycle",
        ),
        (
            json!({"name": "t", "transform_type": "SQL", "sql_query": "SELECT 1", "prompt": "x"}),
            "body.prompt",
            "unknown_field",
        ),
    ] {
        let answer = api.post("/v1/transforms", &body);
        assert_eq!(
            answer.invalid(),
            (place.to_owned(), kind.to_owned()),
            "{body}: {}",
            answer.text
        );
    }
    let answer = api.post("/v1/transforms", &sql("t", "VIEW", "SELECT * FROM flims"));
    assert!(answer.text.contains("did you mean 'films'?"), "{}", answer.text);
    let answer = api.post("/v1/transforms", &sql("t", "VIEW", "SELECT * FROM t"));
    assert!(answer.text.contains("t -> t"), "{}", answer.text);

    api.transform(&sql("t", "VIEW", "SELECT id FROM films"));
    let exists = "urn:siftwren:error:already-exists";
    assert_eq!(
        api.post("/v1/transforms", &sql("t", "VIEW", "SELECT 1 AS a"))
            .problem(409),
        exists
    );
    assert_eq!(
        api.post("/v1/transforms", &sql("films", "VIEW", "SELECT 1 AS a"))
            .problem(409),
        exists
    );
    let answer = api.post("/v1/datasets/", &json!({"name": "t", "schema_type": "CUSTOM"}));
    assert_eq!(answer.problem(409), exists);
    assert!(answer.text.contains("a transform 't' exists"), "{}", answer.text);
    let not_found = "urn:siftwren:error:not-found";
    assert_eq!(api.get("/v1/transforms/absent").problem(404), not_found);
    assert_eq!(api.delete("/v1/transforms/absent").problem(404), not_found);
    assert_eq!(
        api.patch("/v1/transforms/absent", &json!({"description": "x"}))
            .problem(404),
        not_found
    );
    assert_eq!(
        api.patch("/v1/transforms/absent", &json!({})).problem(404),
        not_found
    );
    // A source that is there and not ACTIVE.
    api.post(
        "/v1/datasets/",
        &json!({"name": "topic", "schema_type": "KAFKA", "topic": "t", "bootstrap_server": "b"}),
    )
    .ok();
    api.wait_for("/v1/datasets/topic");
    let answer = api.post("/v1/transforms", &sql("u", "VIEW", "SELECT 1 AS a FROM topic"));
    assert_eq!(answer.problem(400), "urn:siftwren:error:not-active");
}

#[test]
fn only_the_description_of_a_transform_changes() {
    let (_directory, server) = with_films();
    let api = &server.api;
    api.transform(&sql("t", "VIEW", "SELECT id FROM films"));
    api.patch(
        "/v1/transforms/t",
        &json!({"description": "Ids", "sql_query": "SELECT 1", "name": 7, "colour": null}),
    )
    .ok();
    let details = api.get("/v1/transforms/t").ok();
    assert_eq!(details["description"], "Ids");
    assert_eq!(details["sql_query"], "SELECT id FROM films");
    api.patch("/v1/transforms/t", &json!({"sql_query": "SELECT 1"}))
        .ok();
    assert_eq!(api.get("/v1/transforms/t").ok(), details);
    let answer = api.patch("/v1/transforms/t", &json!({"description": 1}));
    assert_eq!(
        answer.invalid(),
        ("body.description".to_owned(), "wrong_type".to_owned())
    );
    api.patch("/v1/transforms/t", &json!({"description": null})).ok();
    assert_eq!(api.get("/v1/transforms/t").ok()["description"], Value::Null);
}

#[test]
fn what_is_read_cannot_be_deleted_and_a_deletion_leaves_nothing() {
    let (_directory, server) = with_films();
    let api = &server.api;
    api.transform(&sql("a", "MATERIALIZED_VIEW", "SELECT id FROM films"));
    api.transform(&sql("b", "VIEW", "SELECT id FROM a"));
    let in_use = "urn:siftwren:error:in-use";
    let answer = api.delete("/v1/datasets/films");
    assert_eq!(answer.problem(409), in_use);
    assert!(
        answer.text.contains("read by the transform 'a'"),
        "{}",
        answer.text
    );
    assert_eq!(api.delete("/v1/transforms/a").problem(409), in_use);
    assert_eq!(api.get("/v1/datasets/films").ok()["status"], "ACTIVE");
    api.delete("/v1/transforms/b").ok();
    api.delete("/v1/transforms/a").ok();
    api.delete("/v1/datasets/films").ok();
    assert_eq!(api.get("/v1/transforms").ok(), json!({"transforms": []}));
    assert_eq!(
        std::fs::read_dir(server.data_dir.join("rows")).unwrap().count(),
        0
    );
    assert_eq!(
        std::fs::read_dir(server.data_dir.join("work")).unwrap().count(),
        0
    );
}

#[test]
fn a_refresh_that_fails_keeps_the_rows_and_says_why() {
    let (_directory, server) = with_films();
    let api = &server.api;
    // Fails as soon as a year is 0.
    api.transform(&sql(
        "t",
        "MATERIALIZED_VIEW",
        "SELECT id AS item_id, 1000 / year AS q FROM films",
    ));
    let before = rows(api, "t", "SELECT * FROM d");
    api.post(
        "/v1/datasets/films/insert",
        &json!({"data": [{"id": "m4", "year": 0}]}),
    )
    .ok();
    let details = api.wait_until("/v1/transforms/t", |details| !details["error_message"].is_null());
    assert_eq!(details["status"], "ACTIVE");
    assert!(
        details["error_message"].as_str().unwrap().contains("zero"),
        "{details}"
    );
    assert_eq!(rows(api, "t", "SELECT * FROM d"), before);
    // And heals with its source.
    api.post(
        "/v1/datasets/films/insert",
        &json!({"data": [{"id": "m4", "year": 500}]}),
    )
    .ok();
    api.wait_until("/v1/transforms/t", |details| details["error_message"].is_null());
    assert_eq!(rows(api, "t", "SELECT * FROM d").len(), 4);

    // One that never had rows is in ERROR.
    api.post(
        "/v1/datasets/films/insert",
        &json!({"data": [{"id": "m4", "year": 0}]}),
    )
    .ok();
    api.post(
        "/v1/transforms",
        &sql("u", "MATERIALIZED_VIEW", "SELECT id, 1000 / year AS q FROM films"),
    )
    .ok();
    let details = api.wait_for("/v1/transforms/u");
    assert_eq!(details["status"], "ERROR");
    assert!(
        details["error_message"]
            .as_str()
            .unwrap()
            .starts_with("sql_query: "),
        "{details}"
    );
    let answer = api.post("/v1/transforms", &sql("v", "VIEW", "SELECT q FROM u"));
    assert_eq!(answer.problem(400), "urn:siftwren:error:not-active");
}

#[test]
fn a_transform_whose_backfill_was_killed_is_made_at_the_next_start() {
    let (_directory, mut server) = with_films();
    let mut interrupted = 0;
    for round in 0..6_u64 {
        let name = format!("t{round}");
        let query = "SELECT id AS item_id, year FROM films WHERE year < 1950 ORDER BY id";
        server
            .api
            .post("/v1/transforms", &sql(&name, "MATERIALIZED_VIEW", query))
            .ok();
        std::thread::sleep(Duration::from_millis(round * 12));
        let status = server.api.get(&format!("/v1/transforms/{name}")).ok()["status"].clone();
        interrupted += usize::from(status != "ACTIVE");
        server = server.kill_and_restart();
        let details = server.api.wait_for(&format!("/v1/transforms/{name}"));
        assert_eq!(details["status"], "ACTIVE", "{details}");
        assert_eq!(
            rows(&server.api, &name, "SELECT * FROM d"),
            [
                json!({"item_id": "m1", "year": 1949}),
                json!({"item_id": "m2", "year": 1927})
            ]
        );
    }
    assert!(
        interrupted > 0,
        "no backfill was interrupted: the rounds show nothing"
    );
    // A change that no refresh followed before the end is followed after the start.
    server
        .api
        .post(
            "/v1/datasets/films/insert",
            &json!({"data": [{"id": "m2", "year": 1999}]}),
        )
        .ok();
    let server = server.kill_and_restart();
    becomes(&server.api, "t0", &json!([{"item_id": "m1", "year": 1949}]));
}
