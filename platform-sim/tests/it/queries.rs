//! Queries of version 2 over HTTP, asked of a shop of films with three tastes.

use std::time::{SystemTime, UNIX_EPOCH};

use platform_sim::server::Limits;
use serde_json::{Value, json};

use super::client::{Answer, Api, Server};
use super::in_process::InProcess;
use super::inference::{model, shop};

/// Asks without a key, as one may on a loopback address.
fn ask(api: &Api, body: &Value) -> Answer {
    let headers = [("content-type", "application/json")];
    api.call("POST", "/v1/query", &headers, body.to_string().as_bytes())
}

fn ids(answer: &Value) -> Vec<&str> {
    let rows = answer["results"].as_array().unwrap().iter();
    rows.map(|row| row["id"].as_str().unwrap()).collect()
}

/// The newest films, one genre, ranked by what a user likes.
fn feed() -> Value {
    json!({
        "type": "rank_items",
        "retrieve": [
            {"type": "item_column_order", "name": "new", "columns": [{"name": "created_at", "ascending": false}], "limit": 30},
            {"type": "item_similarity", "name": "cf", "embedding_ref": "als",
             "query_encoder": {"type": "interaction_pooling", "input_user_id": "$param.uid"}},
        ],
        "filter": [{"type": "expression", "expression": "item.price >= $param.least"}],
        "score": {"type": "score_ensemble", "value_model": "als + 0.001 / retrieval.get_rank('new')", "input_user_id": "$param.uid"},
        "limit": 4,
    })
}

#[test]
fn a_model_answers_queries_over_its_policies_and_columns() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    let api = &server.api;
    let early = json!({"query": feed(), "parameters": {"uid": "u", "least": 0}});
    assert_eq!(
        ask(api, &early).invalid(),
        ("body.query.model".to_owned(), "missing".to_owned())
    );
    shop(api);
    api.model(&model("shop", &json!({"model": {"pagination_store_ttl": 600}})));

    for genre in ["noir", "western", "comedy"] {
        let user = format!("{genre}-fan-4");
        let answer = ask(
            api,
            &json!({"query": feed(), "parameters": {"uid": user, "least": 2}}),
        )
        .ok();
        assert_eq!(answer["entity_type"], "item");
        assert!(answer.get("explanation").is_none());
        let found = ids(&answer);
        assert_eq!(found.len(), 4);
        assert!(found.iter().all(|id| id.starts_with(genre)), "{found:?}");
        for row in answer["results"].as_array().unwrap() {
            assert!(row["metadata"]["price"].as_f64().unwrap() >= 2.0 && row["metadata"]["genre"] == genre);
            assert!(row["metadata"].get("interaction_count").is_none() && row.get("embeddings").is_none());
        }
        let scores: Vec<f64> = answer["results"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| row["score"].as_f64().unwrap())
            .collect();
        assert!(scores.windows(2).all(|pair| pair[0] >= pair[1]), "{scores:?}");
    }

    // With everything that there is to say, and nothing else.
    let body = json!({
        "query": feed(), "parameters": {"uid": "noir-fan-4", "least": 2}, "return_metadata": false, "return_explanation": true,
    });
    let answer = ask(api, &body).ok();
    assert!(answer["results"][0].get("metadata").is_none());
    let explanation = &answer["explanation"];
    assert_eq!(explanation["query_type"], "rank_items");
    assert_eq!(
        explanation["parameters"],
        json!({"uid": "noir-fan-4", "least": 2})
    );
    assert_eq!(
        (&explanation["final_result_count"], &explanation["limit_applied"]),
        (&json!(4), &json!(4))
    );
    let filtered = &explanation["filter_stage"];
    let (before, after) = (
        filtered["input_count"].as_u64().unwrap(),
        filtered["output_count"].as_u64().unwrap(),
    );
    assert_eq!(
        filtered["steps"][0]["items_filtered"].as_u64().unwrap(),
        before - after
    );
    assert!(before > after && after > 4);
    assert_eq!(explanation["retrieve_stage"]["steps"][0]["retrieved_count"], 30);
    assert_eq!(
        explanation["score_stage"]["steps"][0]["policy_scores"]["als"]["count"],
        after
    );
    assert!(explanation["total_execution_time_ms"].as_f64().unwrap() > 0.0);

    // What came in a moment ago counts: a fan of westerns turns to comedies.
    let turned = json!({"type": "rank_items", "retrieve": [
        {"type": "similarity", "embedding_ref": "als", "limit": 5,
         "query_encoder": {"type": "interaction_pooling", "input_user_id": "western-fan-1", "truncate_interactions": 2}}]});
    assert!(
        ids(&ask(api, &json!({"query": turned})).ok())
            .iter()
            .all(|id| id.starts_with("western"))
    );
    // The online store keeps what is newer than 90 days.
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    let rows: Vec<Value> = (0..2)
        .map(|number| json!({"user_id": "western-fan-1", "item_id": format!("comedy-{number}"), "label": 1, "created_at": now}))
        .collect();
    api.post("/v1/datasets/seen/insert", &json!({"data": rows})).ok();
    let answer = ask(api, &json!({"query": turned})).ok();
    assert!(ids(&answer).iter().all(|id| id.starts_with("comedy")), "{answer}");

    // Pages: three answers under one key have nothing in common, another key begins anew.
    let page = |key: &str| {
        let query = json!({"type": "rank_items", "limit": 10, "retrieve": [{"type": "column_order", "columns": [{"name": "item_id"}], "limit": 20}]});
        let answer = ask(api, &json!({"query": query, "pagination_key": key})).ok();
        ids(&answer).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let pages = [page("a"), page("a"), page("a"), page("a")];
    let mut all: Vec<&String> = pages.iter().flatten().collect();
    assert_eq!(pages.iter().map(Vec::len).collect::<Vec<_>>(), [10, 10, 10, 6]);
    all.dedup();
    assert_eq!(all.len(), 36, "in the order of the ids, each once");
    assert_eq!(page("b"), pages[0]);

    // Users, given items and values of a column.
    let query = json!({"type": "rank_users", "retrieve": [{"type": "user_similarity", "embedding_ref": "als",
        "query_encoder": {"type": "precomputed_item", "input_item_id": "noir-2"}, "limit": 5}]});
    let answer = ask(api, &json!({"query": query})).ok();
    assert!(
        ids(&answer).iter().all(|id| id.starts_with("noir-fan")),
        "{answer}"
    );
    let query = json!({"type": "rerank_items", "retrieve": [{"type": "candidate_ids", "item_ids": ["noir-1", "western-1", "unheard of"]}],
        "score": {"type": "score_ensemble", "value_model": "als", "input_user_id": "western-fan-2"}});
    assert_eq!(ids(&ask(api, &json!({"query": query})).ok())[0], "western-1");
    let query = json!({"type": "rank_attributes", "input_attribute": "genre", "input_user_id": "noir-fan-3"});
    let answer = ask(api, &json!({"query": query})).ok();
    assert_eq!(
        (ids(&answer)[0], &answer["entity_type"]),
        ("noir", &json!("attribute"))
    );
}

#[test]
fn a_query_finds_its_model_or_says_why_not() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    let api = &server.api;
    shop(api);
    api.model(&model("one", &json!({})));
    let by = |column: &str, model: Option<&str>| {
        let mut query = json!({"type": "rank_items", "retrieve": [{"type": "column_order", "columns": [{"name": column}]}]});
        if let Some(model) = model {
            query["model"] = json!(model);
        }
        ask(api, &json!({"query": query}))
    };
    by("price", None).ok();
    // The only model is named with what it lacks.
    assert_eq!(
        by("year", None).invalid().0,
        "body.query.retrieve.0.columns.0.name"
    );
    let items = "SELECT item_id, title, price + 1 AS year FROM films";
    api.model(&model("two", &json!({"fetch": {"items": items}})));
    by("price", None).ok();
    by("year", None).ok();
    let both = by("title", None);
    assert_eq!(
        both.invalid(),
        ("body.query.model".to_owned(), "ambiguous".to_owned())
    );
    assert!(both.text.contains("one, two"), "{both:?}");
    by("title", Some("two")).ok();
    let neither = by("colour", None);
    assert_eq!(
        neither.invalid(),
        ("body.query.model".to_owned(), "missing".to_owned())
    );
    assert!(neither.text.contains("colour"), "{neither:?}");
    assert_eq!(
        by("price", Some("three")).problem(404),
        "urn:siftwren:error:not-found"
    );
}

#[test]
fn wrong_bodies_are_named_with_their_place() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    let api = &server.api;
    for (body, place, kind) in [
        (json!({}), "body.query", "missing"),
        (json!({"query": []}), "body.query", "wrong_type"),
        (
            json!({"query": {}, "parametres": {}}),
            "body.parametres",
            "unknown_field",
        ),
        (
            json!({"query": {"type": "rank_items"}}),
            "body.query.retrieve",
            "missing",
        ),
        (
            json!({"query": {"type": "rank_items"}, "pagination_key": ""}),
            "body.pagination_key",
            "out_of_range",
        ),
        (
            json!({"query": feed(), "parameters": {"uid": "u"}}),
            "body.parameters.least",
            "missing_parameter",
        ),
        (
            json!({"query": feed(), "parameters": {"uid": "u", "least": {}}}),
            "body.parameters.least",
            "wrong_parameter",
        ),
        (
            json!({"query": feed(), "parameters": {"uid": "u", "least": 1, "x": 1}}),
            "body.parameters.x",
            "unknown_parameter",
        ),
    ] {
        assert_eq!(
            ask(api, &body).invalid(),
            (place.to_owned(), kind.to_owned()),
            "{body}"
        );
    }
    assert_eq!(api.get("/v1/queries").ok(), json!({"queries": []}));
    assert_eq!(
        api.get("/v1/queries/feed").problem(404),
        "urn:siftwren:error:not-found"
    );
    assert_eq!(
        api.post("/v1/queries/feed", &json!({})).problem(404),
        "urn:siftwren:error:not-found"
    );
}

/// A server that was not told that queries are open: as on an address that others reach.
#[test]
fn queries_need_a_key_where_others_can_reach_the_server() {
    let directory = tempfile::tempdir().unwrap();
    let server = InProcess::start(directory.path(), Limits::default(), |options| {
        options.open_queries = false
    });
    let api = &server.api;
    let body = br#"{"query": {"type": "rank_items"}}"#;
    let json = ("content-type", "application/json");
    let unknown = "0".repeat(40);
    for (method, path) in [
        ("POST", "/v1/query"),
        ("GET", "/v1/queries"),
        ("GET", "/v1/queries/feed"),
        ("POST", "/v1/queries/feed"),
    ] {
        let call = |key: Option<&str>| {
            let key = key.map(|key| ("x-api-key", key));
            let headers: Vec<_> = std::iter::once(json).chain(key).collect();
            api.call(method, path, &headers, if method == "POST" { body } else { b"" })
        };
        assert_eq!(
            call(None).invalid(),
            ("header.x-api-key".to_owned(), "missing".to_owned())
        );
        assert_eq!(
            call(Some("short")).invalid(),
            ("header.x-api-key".to_owned(), "wrong_length".to_owned())
        );
        assert_eq!(
            call(Some(&unknown)).problem(401),
            "urn:siftwren:error:unknown-key"
        );
        assert_eq!(
            call(Some(&api.search)).problem(403),
            "urn:siftwren:error:wrong-scope"
        );
        assert!(
            ![401, 403].contains(&call(Some(&api.admin)).status),
            "{method} {path}"
        );
    }
}
