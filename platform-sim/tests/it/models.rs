//! Models: set-up, training, retrieval.

use serde_json::json;

use super::client::{Server, counts, film_model, film_rows, films};

#[test]
fn a_model_is_trained_searched_shown_and_deleted() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    let api = &server.api;
    api.dataset(&films());
    api.post("/v1/datasets/films/insert", &film_rows()).ok();
    let created = api.post("/v1/models", &film_model("search")).ok();
    assert_eq!(
        created,
        json!({"model_url": format!("http://{}/v1/models/search", api.addr)})
    );
    let view = api.wait_for("/v1/models/search");
    assert_eq!(view["status"], "ACTIVE", "{view}");
    assert_eq!(view["fetch"], film_model("search")["fetch"]);
    assert_eq!(view["schema"]["items"]["year"], "Int32");
    assert_eq!(view["schema"]["events"]["created_at"], "DateTime");
    assert!(view["trained_at"].is_string());
    let list = api.get("/v1/models/").ok();
    assert_eq!(list["models"][0]["model_name"], "search");

    // The title counts more than the plot.
    assert_eq!(api.ids("search", &json!({"text_query": "vienna"})), ["m3", "m1"]);
    assert_eq!(
        api.ids("search", &json!({"text_query": "vienna", "config": {"limit": 1}})),
        ["m3"]
    );
    assert_eq!(api.ids("search", &json!({"text_query": "Metroplois "})), ["m2"]);
    assert_eq!(api.ids("search", &json!({"text_query": "metrop"})), ["m2"]);
    assert_eq!(
        api.ids("search", &json!({"text_query": ""})),
        Vec::<String>::new()
    );
    assert_eq!(
        api.ids("search", &json!({"flush_paginations": true})),
        ["m1", "m2", "m3"]
    );
    let answer = api
        .post(
            "/v1/models/search/retrieve",
            &json!({"text_query": "short film", "return_metadata": true}),
        )
        .ok();
    assert_eq!(answer["metadata"][0]["extra"], json!({"a": [1, null, 2.5]}));
    assert_eq!(answer["metadata"][0]["item_id"], "m3");
    assert_eq!(
        answer["ids"].as_array().unwrap().len(),
        answer["scores"].as_array().unwrap().len()
    );
    assert!(answer["scores"][0].as_f64().unwrap() > 0.0);
    assert!(
        api.post("/v1/models/search/retrieve", &json!({}))
            .ok()
            .get("metadata")
            .is_none()
    );
    let long = "a".repeat(513);
    assert_eq!(
        api.post("/v1/models/search/retrieve", &json!({"text_query": long}))
            .invalid()
            .0,
        "body.text_query"
    );

    // What was trained goes on serving without its data; the search key suffices.
    api.delete("/v1/datasets/films").ok();
    let headers = [
        ("x-api-key", api.search.as_str()),
        ("content-type", "application/json"),
    ];
    api.call(
        "POST",
        "/v1/models/search/retrieve",
        &headers,
        br#"{"text_query":"man"}"#,
    )
    .ok();
    api.delete("/v1/models/search").ok();
    api.post("/v1/models/search/retrieve", &json!({})).problem(404);
    assert_eq!(
        std::fs::read_dir(server.data_dir.join("models")).unwrap().count(),
        0,
        "the files go with the model"
    );
}

#[test]
fn without_a_text_items_come_by_popularity_then_by_id() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    let api = &server.api;
    api.dataset(&json!({"name": "events", "schema_type": "CUSTOM"}));
    let event = |user: &str, item: i64| json!({"user_id": user, "item_id": item, "label": 1, "created_at": "2026-01-01T00:00:00Z"});
    let data = [event("u", 10), event("v", 9), event("w", 9), event("u", 2)];
    api.post("/v1/datasets/events/insert", &json!({"data": data}))
        .ok();
    let mut model = json!({
        "model": {"name": "popular", "inference_config": {"limit": 2}}, "connectors": [{"type": "Dataset", "id": "ev", "name": "events"}],
        "fetch": {"events": "SELECT user_id, item_id, label, created_at FROM ev"}
    });
    api.model(&model);
    let answer = api
        .post("/v1/models/popular/retrieve", &json!({"config": {"limit": 10}}))
        .ok();
    assert_eq!(answer["ids"], json!(["9", "10", "2"]));
    assert_eq!(counts(&answer["scores"]), [2.0, 1.0, 1.0]);
    assert_eq!(answer["scores"][1], answer["scores"][2], "neither came later");
    // The model's own limit holds where the query has none.
    assert_eq!(api.ids("popular", &json!({})), ["9", "10"]);
    let answer = api.post("/v1/models/popular/retrieve", &json!({"text_query": "x"}));
    assert_eq!(
        answer.invalid(),
        ("body.text_query".to_owned(), "no_text_index".to_owned())
    );
    model["model"] = json!({"name": "searchable", "text_index": {"item_fields": ["title"]}});
    assert_eq!(
        api.post("/v1/models", &model).invalid().0,
        "body.model.text_index.item_fields.0"
    );
}

#[test]
fn wrong_sql_is_found_at_set_up_and_its_place_named() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    let api = &server.api;
    api.dataset(&films());
    let refused = |part: &str, sql: &str| {
        let mut model = film_model("m");
        model["fetch"][part] = json!(sql);
        let answer = api.post("/v1/models", &model);
        assert_eq!(
            answer.invalid().0,
            format!("body.fetch.{part}"),
            "{}",
            answer.text
        );
        answer.json()["detail"][0]["msg"].as_str().unwrap().to_owned()
    };
    assert!(refused("items", "SELECT id AS item_id,\n  titel FROM f").contains("titel"));
    assert!(refused("items", "SELECT id AS item_id FROM films").contains("films"));
    assert!(refused("items", "SELEC id").contains("Line: 1"));
    assert!(refused("events", "SELECT id AS item_id FROM f").contains("missing: user_id, label, created_at"));
    assert!(refused("items", "SELECT id FROM f").contains("missing: item_id"));
    assert!(refused("items", "SELECT id AS item_id, title, title FROM f").contains("title"));
    assert!(refused("items", "").contains("empty"));
    assert_eq!(api.get("/v1/models").ok(), json!({"models": []}));
}

#[test]
fn rows_that_cannot_make_a_model_end_it_in_error_with_the_reason() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    let api = &server.api;
    api.dataset(&films());
    api.post("/v1/datasets/films/insert", &film_rows()).ok();
    let mut model = film_model("m");
    model["fetch"]["items"] =
        json!("SELECT CASE WHEN year > 2000 THEN NULL ELSE id END AS item_id, title, plot FROM f");
    api.post("/v1/models", &model).ok();
    let view = api.wait_for("/v1/models/m");
    assert_eq!(view["status"], "ERROR");
    assert!(
        view["error_message"]
            .as_str()
            .unwrap()
            .contains("no item_id in row 3"),
        "{view}"
    );
    assert_eq!(
        api.post("/v1/models/m/retrieve", &json!({})).problem(400),
        "urn:siftwren:error:not-active"
    );
}
