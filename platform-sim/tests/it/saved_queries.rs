//! Queries that a model of version 2 keeps under a name.

use serde_json::{Value, json};

use super::client::{Api, Server};
use super::inference::shop;

/// A model over the films with three policies, an embedding, a filter and two queries.
fn set_up() -> Value {
    json!({
        "version": "v2", "name": "films_v2",
        "data": {
            "interaction_dataset": {"type": "table", "name": "seen"},
            "item_dataset": {"type": "table", "name": "films"},
            "user_dataset": {"type": "table", "name": "fans"},
            "filters": [{"name": "already_seen", "filter_dataset": {"type": "table", "name": "seen"},
                "filter_type": {"type": "personal", "user_id_column": "user_id", "item_id_column": "item_id"}}],
            "index": {
                "lexical_search": {"tokenizer": {"type": "stemmer"}, "item_fields": ["title"], "user_fields": ["country"]},
                "embeddings": [{"name": "taste", "encoder": {"type": "trained_model", "model_ref": "als"}}],
            },
        },
        "training": {"models": [
            {"name": "als", "policy_type": "als", "factors": 8},
            {"name": "top", "policy_type": "popular"},
            {"name": "blend", "policy_type": "score_ensemble", "value_model": "als + 0.001 * top"},
        ]},
        "deployment": {"pagination": {"page_expiration_in_seconds": 600}},
        "queries": {
            "feed": {
                "query": {
                    "type": "rank_items", "limit": "$param.count",
                    "retrieve": [
                        {"type": "item_similarity", "name": "cf", "embedding_ref": "taste", "limit": 20,
                         "query_encoder": {"type": "precomputed_user", "input_user_id": "$param.uid"}},
                        {"type": "item_column_order", "name": "new", "columns": [{"name": "created_at", "ascending": false}], "limit": 3},
                    ],
                    "filter": [
                        {"type": "prebuilt", "filter_ref": "already_seen", "input_user_id": "$param.uid"},
                        {"type": "expression", "expression": "item.price < $param.most"},
                    ],
                    "score": {"type": "score_ensemble", "value_model": "$param.weight * blend", "input_user_id": "$param.uid"},
                },
                "params": {"uid": {"default": null}, "count": {"default": 3}, "most": {"default": 100}, "weight": {}},
            },
            "search": {
                "query": {"type": "rank_items", "retrieve": [
                    {"type": "text_search", "input_text_query": "$param.q", "mode": {"type": "lexical"}}]},
                "params": {"q": {}},
            },
        },
    })
}

fn ids(answer: &Value) -> Vec<String> {
    let rows = answer["results"].as_array().unwrap().iter();
    rows.map(|row| row["id"].as_str().unwrap().to_owned()).collect()
}

fn ask(api: &Api, parameters: &Value) -> super::client::Answer {
    api.post("/v1/queries/feed", &json!({"parameters": parameters}))
}

#[test]
fn saved_queries_are_kept_with_their_model() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    shop(&server.api);
    server.api.post("/v1/models", &set_up()).ok();
    let details = server.api.wait_for("/v1/models/films_v2");
    assert_eq!(details["status"], "ACTIVE", "{details}");

    let check = |api: &Api| {
        assert_eq!(
            api.get("/v1/queries").ok(),
            json!({"queries": ["feed", "search"]})
        );
        let info = api.get("/v1/queries/feed").ok();
        assert_eq!(info["name"], "feed");
        assert_eq!(info["query_type"], "rank_items");
        assert_eq!(info["params"], json!(["count", "most", "uid", "weight"]));
        assert_eq!(info["query"], set_up()["queries"]["feed"]["query"]);

        // What the fan has not seen of the own genre comes first: films 0, 3, 6, 9 of those with (film + 4) % 3 != 0 seen.
        let answer = ask(api, &json!({"uid": "noir-fan-4", "weight": 1})).ok();
        let found = ids(&answer);
        assert_eq!(found.len(), 3);
        assert!(found[0].starts_with("noir-"), "{answer}");
        let seen = [
            "noir-0", "noir-1", "noir-3", "noir-4", "noir-6", "noir-7", "noir-9", "noir-10",
        ];
        assert!(found.iter().all(|id| !seen.contains(&id.as_str())), "{found:?}");
        let cheap = ask(
            api,
            &json!({"uid": "noir-fan-4", "weight": 1, "most": 3, "count": 10}),
        )
        .ok();
        let rows = cheap["results"].as_array().unwrap();
        assert!(
            !rows.is_empty()
                && rows
                    .iter()
                    .all(|row| row["metadata"]["price"].as_f64().unwrap() < 3.0)
        );
        // Nobody asks: what is new remains.
        let nobody = ask(api, &json!({"weight": 1})).ok();
        assert!(ids(&nobody).iter().all(|id| id.ends_with("-11")), "{nobody}");
        let hits = api
            .post("/v1/queries/search", &json!({"parameters": {"q": "westerns"}}))
            .ok();
        assert!(
            !ids(&hits).is_empty() && ids(&hits).iter().all(|id| id.starts_with("western")),
            "{hits}"
        );
    };
    check(&server.api);
    let server = server.kill_and_restart();
    check(&server.api);
    let api = &server.api;

    // By its name and with an explanation.
    let body = json!({"parameters": {"uid": "noir-fan-4", "weight": 2}, "return_explanation": true, "pagination_key": "p"});
    let first = api.post("/v1/queries/feed", &body).ok();
    let explanation = &first["explanation"];
    assert_eq!(
        (&explanation["query_name"], &explanation["pagination_id"]),
        (&json!("feed"), &json!("p"))
    );
    assert_eq!(
        explanation["parameters"],
        json!({"uid": "noir-fan-4", "count": 3, "most": 100, "weight": 2})
    );
    assert!(explanation["score_stage"]["steps"][0]["policy_scores"]["blend"]["count"].as_u64() > Some(2));
    let second = api.post("/v1/queries/feed", &body).ok();
    assert!(
        ids(&second).iter().all(|id| !ids(&first).contains(id)),
        "{first} {second}"
    );

    // The same names work in queries that come along; the model is known by what they name.
    let query = json!({"type": "rank_items", "retrieve": [{"type": "column_order", "columns": [{"name": "price"}]}],
        "filter": [{"type": "prebuilt", "filter_ref": "already_seen", "input_user_id": "noir-fan-4"}],
        "score": {"type": "score_ensemble", "value_model": "cosine_similarity(text_encoding(item, embedding_ref='taste'), text_encoding(user, embedding_ref='taste'))", "input_user_id": "noir-fan-4"},
        "embeddings": ["taste"], "limit": 2});
    let answer = api.post("/v1/query", &json!({"query": query})).ok();
    assert!(ids(&answer).iter().all(|id| id.starts_with("noir")), "{answer}");
    assert_eq!(
        answer["results"][0]["embeddings"]["taste"]
            .as_array()
            .unwrap()
            .len(),
        8
    );
    let users = json!({"type": "rank_users", "retrieve": [{"type": "user_text_search", "input_text_query": "comedy", "mode": {"type": "lexical"}}]});
    let answer = api.post("/v1/query", &json!({"query": users})).ok();
    assert!(
        !ids(&answer).is_empty() && ids(&answer).iter().all(|id| id.starts_with("comedy-fan")),
        "{answer}"
    );

    for (parameters, place, kind) in [
        (json!({}), "body.parameters.weight", "missing_parameter"),
        (
            json!({"weight": 1, "wait": 2}),
            "body.parameters.wait",
            "unknown_parameter",
        ),
        (
            json!({"weight": 1, "count": "three"}),
            "body.parameters.count",
            "wrong_type",
        ),
        (
            json!({"weight": 1, "count": 0}),
            "body.parameters.count",
            "out_of_range",
        ),
        (
            json!({"weight": 1, "uid": {"a": 1}}),
            "body.parameters.uid",
            "wrong_parameter",
        ),
        (
            json!({"weight": "much"}),
            "path.query_name",
            "expression_wrong_type",
        ),
    ] {
        let answer = ask(api, &parameters);
        assert_eq!(
            answer.invalid(),
            (place.to_owned(), kind.to_owned()),
            "{parameters}"
        );
    }

    // They go with their model.
    api.delete("/v1/models/films_v2").ok();
    assert_eq!(api.get("/v1/queries").ok(), json!({"queries": []}));
    assert_eq!(
        ask(api, &json!({"weight": 1})).problem(404),
        "urn:siftwren:error:not-found"
    );
}

#[test]
fn a_model_with_a_wrong_query_is_not_set_up() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    let api = &server.api;
    shop(api);
    let feed = "body.queries.feed.query";
    for (pointer, value, place, kind) in [
        (
            "/retrieve/0/embedding_ref",
            json!("tastes"),
            "retrieve.0.embedding_ref",
            "unknown_embedding",
        ),
        (
            "/retrieve/1/columns/0/name",
            json!("created"),
            "retrieve.1.columns.0.name",
            "unknown_column",
        ),
        ("/retrieve/1/limit", json!(0), "retrieve.1.limit", "out_of_range"),
        (
            "/filter/0/filter_ref",
            json!("seen"),
            "filter.0.filter_ref",
            "unknown_filter",
        ),
        (
            "/filter/1/expression",
            json!("item.prise < 3"),
            "filter.1.expression",
            "expression_unknown_name",
        ),
        (
            "/score/value_model",
            json!("$param.weight * blent"),
            "score.value_model",
            "expression_unknown_name",
        ),
        (
            "/score/value_model",
            json!("$param.wait * blend"),
            "score.value_model",
            "missing_parameter",
        ),
        ("/limit", json!("$param.counts"), "limit", "missing_parameter"),
        ("/type", json!("rank_item"), "type", "unknown_value"),
    ] {
        let mut body = set_up();
        *body["queries"]["feed"]["query"].pointer_mut(pointer).unwrap() = value;
        let answer = api.post("/v1/models", &body);
        assert_eq!(
            answer.invalid(),
            (format!("{feed}.{place}"), kind.to_owned()),
            "{pointer}"
        );
    }
}
