//! A shop of films with three tastes, asked everything that version 1 can be asked.

use serde_json::{Value, json};

use super::client::{Api, Server};

const GENRES: [&str; 3] = ["noir", "western", "comedy"];
const FILMS: usize = 12;
const USERS: usize = 12;

/// The id of a film: `noir-3`.
fn film(genre: usize, number: usize) -> String {
    format!("{}-{number}", GENRES[genre])
}

fn dataset(api: &Api, name: &str, columns: &Value, rows: &[Value]) {
    api.dataset(&json!({"name": name, "schema_type": "CUSTOM", "column_schema": columns}));
    api.post(&format!("/v1/datasets/{name}/insert"), &json!({"data": rows}))
        .ok();
}

/// Fans of each genre have seen two films of three of it, none of the others; `comedy-11` was never seen by anybody.
pub(super) fn shop(api: &Api) {
    let mut films = Vec::new();
    let mut events = Vec::new();
    let mut fans = Vec::new();
    for (genre, name) in GENRES.iter().enumerate() {
        for number in 0..FILMS {
            films.push(json!({
                "item_id": film(genre, number), "title": format!("{name} film number {number}"), "genre": name,
                "price": number as f64, "tags": [name, if number % 2 == 0 { "even" } else { "odd" }],
                "boost": i64::from(number == 7), "created_at": format!("2026-01-{:02}T00:00:00Z", number + 1),
                "note": {"studio": {"name": format!("studio {}", number % 2)}},
            }));
        }
        for user in 0..USERS {
            fans.push(json!({"user_id": format!("{name}-fan-{user}"), "country": name}));
            for number in (0..FILMS).filter(|number| (number + user) % 3 != 0) {
                if film(genre, number) != "comedy-11" {
                    events.push(json!({
                        "user_id": format!("{name}-fan-{user}"), "item_id": film(genre, number), "label": 1,
                        "created_at": format!("2026-02-{:02}T{:02}:00:00Z", user + 1, number),
                    }));
                }
            }
        }
    }
    let film_columns = json!({
        "item_id": "String", "title": "String", "genre": "String", "price": "Double", "tags": "Array(String)",
        "boost": "Int64", "created_at": "DateTime", "note": "Json",
    });
    dataset(api, "films", &film_columns, &films);
    let event_columns =
        json!({"user_id": "String", "item_id": "String", "label": "Int64", "created_at": "DateTime"});
    dataset(api, "seen", &event_columns, &events);
    dataset(
        api,
        "fans",
        &json!({"user_id": "String", "country": "String"}),
        &fans,
    );
}

pub(super) fn model(name: &str, extra: &Value) -> Value {
    let mut body = json!({
        "model": {"name": name, "text_index": {"item_fields": ["title"]}},
        "connectors": [
            {"type": "Dataset", "id": "films", "name": "films"}, {"type": "Dataset", "id": "seen", "name": "seen"},
            {"type": "Dataset", "id": "fans", "name": "fans"},
        ],
        "fetch": {
            "events": "SELECT user_id, item_id, label, created_at FROM seen",
            "items": "SELECT item_id, title, genre, price, tags, boost, created_at, note FROM films",
            "users": "SELECT user_id, country FROM fans",
        },
    });
    for part in ["model", "fetch"] {
        for (field, value) in extra[part].as_object().into_iter().flatten() {
            body[part][field] = value.clone();
        }
    }
    body
}

#[track_caller]
fn ask(api: &Api, call: &str, body: Value) -> Value {
    let answer = api.post(&format!("/v1/models/shop/{call}"), &body).ok();
    if let Some(metadata) = answer.get("metadata") {
        assert_eq!(
            metadata.as_array().unwrap().len(),
            answer["ids"].as_array().unwrap().len()
        );
    }
    answer
}

fn strings(value: &Value) -> Vec<String> {
    let values = value.as_array().unwrap().iter();
    values.map(|value| value.as_str().unwrap().to_owned()).collect()
}

#[track_caller]
fn ids(api: &Api, call: &str, body: Value) -> Vec<String> {
    strings(&ask(api, call, body)["ids"])
}

fn all_of(ids: &[String], genre: &str) -> bool {
    !ids.is_empty() && ids.iter().all(|id| id.starts_with(genre))
}

#[test]
fn a_journey_through_all_of_inference() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    let api = &server.api;
    shop(api);
    api.model(&model("shop", &json!({})));

    // Rankings: of the catalogue, of given films, for strangers, with a session, with columns, by GET.
    for genre in GENRES {
        let user = format!("{genre}-fan-4");
        let found = ids(api, "rank", json!({"user_id": user, "config": {"limit": 5}}));
        assert_eq!(found.len(), 5);
        assert!(all_of(&found, genre), "{found:?}");
        let path = format!("/v1/models/shop/rank?user_id={user}&limit=5&return_metadata=true");
        let answer = api.get(&path).ok();
        assert_eq!(strings(&answer["ids"]), found);
        assert_eq!(answer["metadata"][0]["genre"], genre);
        assert!(answer["metadata"][0].get("interaction_count").is_none());
    }
    let given = json!(["western-1", "unheard of", "noir-1"]);
    let answer = ask(api, "rank", json!({"user_id": "noir-fan-1", "item_ids": given}));
    assert_eq!(answer["ids"], json!(["noir-1", "western-1", "unheard of"]));
    let trending = ids(api, "rank", json!({}));
    assert_eq!(trending.len(), FILMS * GENRES.len());
    assert_eq!(ids(api, "rank", json!({"user_id": "stranger"})), trending);
    let session = json!([{"item_id": "western-3"}, {"item_id": "western-5"}]);
    let found = ids(
        api,
        "rank",
        json!({"interactions": session, "config": {"limit": 4}}),
    );
    assert!(all_of(&found, "western"), "{found:?}");
    let new = json!({
        "item_id": ["new comedy", "new noir"], "genre": ["comedy", "noir"], "created_at": ["2026-03-01T00:00:00Z", null],
    });
    let found = ids(
        api,
        "rank",
        json!({"user_id": "noir-fan-2", "item_features": new}),
    );
    assert_eq!(found, ["new noir", "new comedy"]);

    // Filters, texts, retrieval.
    let filter = "genre = 'noir' AND price < 3 AND array_has(tags, 'even') AND note.studio.name = 'studio 0'";
    let mut found = ids(
        api,
        "rank",
        json!({"user_id": "comedy-fan-1", "filter_predicate": filter}),
    );
    found.sort();
    assert_eq!(found, ["noir-0", "noir-2"]);
    let found = ids(
        api,
        "rank",
        json!({"user_id": "noir-fan-1", "text_query": "western", "config": {"limit": 3}}),
    );
    assert!(all_of(&found, "western"), "{found:?}");
    let found = ids(
        api,
        "retrieve",
        json!({"user_id_query": "comedy-fan-1", "config": {"limit": 6}}),
    );
    assert!(all_of(&found, "comedy"), "{found:?}");
    let found = ids(
        api,
        "retrieve",
        json!({"text_query": "noir", "filter_predicate": "price >= 10"}),
    );
    assert!(all_of(&found, "noir") && found.len() == 2, "{found:?}");

    // The configuration of an answer.
    let boosted = json!({"user_id": "noir-fan-1", "config": {"boosting_factor": 1, "limit": 3}});
    let found = ids(api, "rank", boosted);
    assert!(found.iter().all(|id| id.ends_with("-7")), "{found:?}");
    let diverse = json!({"diversity_factor": 0.95, "diversity_attributes": ["genre"], "limit": 3});
    let found = ids(api, "rank", json!({"user_id": "noir-fan-1", "config": diverse}));
    assert!(!all_of(&found, "noir"), "{found:?}");
    let curious = json!({"exploration_factor": 1, "limit": 1});
    assert_eq!(
        ids(api, "rank", json!({"user_id": "noir-fan-1", "config": curious})),
        ["comedy-11"]
    );

    // Neighbours.
    let found = ids(
        api,
        "similar_items",
        json!({"item_id": "noir-1", "config": {"limit": 5}}),
    );
    assert!(
        all_of(&found, "noir") && !found.contains(&"noir-1".to_owned()),
        "{found:?}"
    );
    let found = ids(
        api,
        "similar_items",
        json!({"item_id": "comedy-11", "config": {"limit": 3}}),
    );
    assert!(
        all_of(&found, "comedy"),
        "a film that nobody has seen has columns: {found:?}"
    );
    let basket =
        json!({"item_ids": ["western-1", "western-2"], "return_metadata": true, "config": {"limit": 3}});
    let found = ids(api, "complement_items", basket);
    assert!(all_of(&found, "western"), "{found:?}");
    let peers = json!({"user_id": "comedy-fan-3", "return_metadata": true, "config": {"limit": 4}});
    let answer = ask(api, "similar_users", peers);
    assert!(all_of(&strings(&answer["ids"]), "comedy-fan"), "{answer}");
    assert_eq!(answer["metadata"][0]["country"], "comedy");

    // Attributes.
    let wanted = json!({"attribute_name": "genre", "user_id": "western-fan-2", "limit": 2});
    let answer = ask(api, "rank_attributes", wanted);
    assert_eq!(answer["attributes"][0], "western");
    assert_eq!(answer["scores"].as_array().unwrap().len(), 2);
    let wanted =
        json!({"attribute_name": "genre", "user_id": "western-fan-2", "row_limit": 2, "col_limit": 3});
    let answer = ask(api, "rank_attribute_grid", wanted);
    assert_eq!(answer["attributes"][0], "western");
    assert!(all_of(&strings(&answer["id_grid"][0]), "western"));
    assert_eq!(answer["scoregrid"][1].as_array().unwrap().len(), 3);

    // Embeddings.
    let items = ask(
        api,
        "item_embeddings",
        json!({"item_ids": ["noir-1", "western-1"], "dimension": 2}),
    );
    let users = ask(
        api,
        "user_embeddings",
        json!({"user_ids": ["noir-fan-1"], "dimension": 2}),
    );
    let product = |item: usize| -> f64 {
        (0..2)
            .map(|place| {
                items["embeddings"][item][place].as_f64().unwrap()
                    * users["embeddings"][0][place].as_f64().unwrap()
            })
            .sum()
    };
    assert!(product(0) > product(1), "{items} {users}");

    // What is not there.
    for (call, body) in [
        ("similar_items", json!({"item_id": "nothing"})),
        ("similar_users", json!({"user_id": "nobody"})),
        ("complement_items", json!({"item_ids": ["nothing"]})),
        ("item_embeddings", json!({"item_ids": ["noir-1", "nothing"]})),
        ("user_embeddings", json!({"user_ids": ["nobody"]})),
    ] {
        let answer = api.post(&format!("/v1/models/shop/{call}"), &body);
        assert_eq!(answer.problem(404), "urn:siftwren:error:not-found", "{call}");
    }
    let answer = api.post("/v1/models/nothing/rank", &json!({}));
    assert_eq!(answer.problem(404), "urn:siftwren:error:not-found");
}

#[test]
fn new_interactions_change_the_next_answer() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    let api = &server.api;
    shop(api);
    api.model(&model("shop", &json!({})));
    let request = json!({"user_id": "newcomer", "config": {"limit": 4}});
    let before = ids(api, "rank", request.clone());
    let events: Vec<Value> = [1, 2, 4]
        .map(|number| {
            json!({"user_id": "newcomer", "item_id": film(1, number), "label": 1, "created_at": chrono::Utc::now().to_rfc3339()})
        })
        .to_vec();
    api.post("/v1/datasets/seen/insert", &json!({"data": events}))
        .ok();
    let after = ids(api, "rank", request);
    assert_ne!(before, after);
    assert!(all_of(&after, "western"), "{after:?}");
}

#[test]
fn filters_of_the_model_and_pages_leave_out() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    let api = &server.api;
    shop(api);
    let fetch = json!({
        "global_filters": "SELECT item_id FROM films WHERE price = 5",
        "personal_filters": "SELECT user_id, item_id FROM seen",
    });
    let settings =
        json!({"pagination_store_ttl": 600, "slate_size": 3, "inference_config": {"exploration_factor": 0}});
    api.model(&model("shop", &json!({"fetch": fetch, "model": settings})));
    let page = |flush: bool| {
        ids(
            api,
            "rank",
            json!({"user_id": "noir-fan-0", "flush_paginations": flush}),
        )
    };
    let first = page(false);
    assert_eq!(first.len(), 3, "the slate");
    let mut seen = first.clone();
    loop {
        let next = page(false);
        if next.is_empty() {
            break;
        }
        assert!(
            next.iter().all(|id| !seen.contains(id)),
            "{next:?} after {seen:?}"
        );
        seen.extend(next);
    }
    // The fan has seen eight noir films; those of price 5 are hidden from everybody.
    assert!(seen.iter().all(|id| !id.ends_with("-5")), "{seen:?}");
    let noir = seen.iter().filter(|id| id.starts_with("noir")).count();
    assert_eq!(noir, 4, "{seen:?}");
    assert_eq!(page(true), first, "flushed pages begin anew");
}

#[test]
fn pages_survive_a_kill_and_go_with_their_model() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    shop(&server.api);
    let settings = json!({"pagination_store_ttl": 600, "slate_size": 3});
    let body = model("shop", &json!({"model": settings}));
    server.api.model(&body);
    let page = |server: &Server, call: &str, body: Value| ids(&server.api, call, body);
    let of_a_fan = json!({"user_id": "noir-fan-0"});
    let first = page(&server, "rank", of_a_fan.clone());
    let peers = page(&server, "similar_users", of_a_fan.clone());
    server.settle();
    let server = server.kill_and_restart();
    let second = page(&server, "rank", of_a_fan.clone());
    assert!(
        second.iter().all(|id| !first.contains(id)),
        "{first:?} {second:?}"
    );
    let other_peers = page(&server, "similar_users", of_a_fan.clone());
    assert!(
        other_peers.iter().all(|id| !peers.contains(id)),
        "{peers:?} {other_peers:?}"
    );
    let basket = json!({"item_ids": ["noir-1"], "user_id": "noir-fan-0"});
    let beside = page(&server, "complement_items", basket);
    assert!(
        beside
            .iter()
            .all(|id| !first.contains(id) && !second.contains(id)),
        "{beside:?}"
    );
    // What a ranking of somebody else was is no matter of this one.
    assert_eq!(page(&server, "rank", json!({"user_id": "noir-fan-3"})).len(), 3);
    server.api.delete("/v1/models/shop").ok();
    server.api.model(&body);
    assert_eq!(
        page(&server, "rank", of_a_fan),
        first,
        "a new model of the name begins anew"
    );
}

#[test]
fn the_search_key_asks_for_nobody() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    let api = &server.api;
    shop(api);
    api.model(&model("shop", &json!({})));
    let retrieve = |key: &str, body: Value| {
        let headers = [("x-api-key", key), ("content-type", "application/json")];
        api.call(
            "POST",
            "/v1/models/shop/retrieve",
            &headers,
            body.to_string().as_bytes(),
        )
    };
    let text = json!({"text_query": "noir", "filter_predicate": "price < 3", "return_metadata": true, "flush_paginations": false});
    assert_eq!(
        retrieve(&api.search, text).ok()["ids"].as_array().unwrap().len(),
        3
    );
    for (field, value) in [
        ("user_id_query", json!("noir-fan-0")),
        ("flush_paginations", json!(true)),
    ] {
        let body = json!({"text_query": "noir", field: value});
        let answer = retrieve(&api.search, body.clone());
        assert_eq!(answer.problem(403), "urn:siftwren:error:wrong-scope", "{field}");
        assert!(
            answer.json()["detail"].as_str().unwrap().contains(field),
            "{}",
            answer.text
        );
        retrieve(&api.admin, body).ok();
    }
}

#[test]
fn every_wrong_input_is_a_422_that_says_where() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    let api = &server.api;
    shop(api);
    api.model(&model("shop", &json!({})));
    let config = |field: &str, value: Value| json!({"config": {field: value}});
    for (call, body, place, kind) in [
        ("rank", json!({"user": "a"}), "body.user", "unknown_field"),
        ("rank", json!({"user_id": 5}), "body.user_id", "wrong_type"),
        ("rank", json!({"user_id": ""}), "body.user_id", "empty"),
        ("rank", json!({"item_ids": "a"}), "body.item_ids", "wrong_type"),
        (
            "rank",
            json!({"item_ids": ["a", 5]}),
            "body.item_ids.1",
            "wrong_type",
        ),
        (
            "rank",
            json!({"interactions": [{}]}),
            "body.interactions.0.item_id",
            "missing",
        ),
        (
            "rank",
            json!({"interactions": [{"item_id": "a", "x": 1}]}),
            "body.interactions.0.x",
            "unknown_field",
        ),
        (
            "rank",
            json!({"filter_predicate": "prize < 5"}),
            "body.filter_predicate",
            "expression_unknown_name",
        ),
        (
            "rank",
            json!({"filter_predicate": "price <"}),
            "body.filter_predicate",
            "expression_syntax",
        ),
        (
            "rank",
            json!({"filter_predicate": "price = 'a'"}),
            "body.filter_predicate",
            "expression_wrong_type",
        ),
        (
            "rank",
            json!({"user_features": []}),
            "body.user_features",
            "wrong_type",
        ),
        (
            "rank",
            json!({"user_features": {"country": 5}}),
            "body.user_features.country",
            "wrong_type",
        ),
        (
            "rank",
            json!({"item_features": {"price": [1]}}),
            "body.item_features.item_id",
            "missing",
        ),
        (
            "rank",
            json!({"item_features": {"item_id": ["a"], "price": []}}),
            "body.item_features.price",
            "wrong_length",
        ),
        (
            "rank",
            json!({"item_features": {"item_id": ["a"], "price": ["x"]}}),
            "body.item_features.price.0",
            "wrong_type",
        ),
        (
            "rank",
            json!({"text_query": "a".repeat(513)}),
            "body.text_query",
            "too_long",
        ),
        (
            "rank",
            config("exploration_factor", json!(1.1)),
            "body.config.exploration_factor",
            "out_of_range",
        ),
        (
            "rank",
            config("diversity_factor", json!(-0.1)),
            "body.config.diversity_factor",
            "out_of_range",
        ),
        (
            "rank",
            config("boosting_factor", json!("1")),
            "body.config.boosting_factor",
            "wrong_type",
        ),
        (
            "rank",
            config("diversity_attributes", json!(["genres"])),
            "body.config.diversity_attributes.0",
            "unknown_column",
        ),
        (
            "rank",
            config("diversity_attributes", json!(["price"])),
            "body.config.diversity_attributes.0",
            "wrong_type",
        ),
        (
            "rank",
            config("diversity_window", json!(-1)),
            "body.config.diversity_window",
            "out_of_range",
        ),
        (
            "rank",
            config("retrieval_k", json!(0)),
            "body.config.retrieval_k",
            "out_of_range",
        ),
        (
            "rank",
            config("retriever_k_override", json!({"knn": -1})),
            "body.config.retriever_k_override.knn",
            "out_of_range",
        ),
        (
            "rank",
            config("retriever_k_override", json!({"ann": 1})),
            "body.config.retriever_k_override.ann",
            "unknown_field",
        ),
        (
            "rank",
            config("limit", json!(1001)),
            "body.config.limit",
            "out_of_range",
        ),
        (
            "retrieve",
            json!({"user_id": "a"}),
            "body.user_id",
            "unknown_field",
        ),
        ("similar_items", json!({}), "body.item_id", "missing"),
        ("similar_users", json!({}), "body.user_id", "missing"),
        (
            "similar_users",
            json!({"user_id": "noir-fan-1", "filter_predicate": "genre = 'a'"}),
            "body.filter_predicate",
            "expression_unknown_name",
        ),
        (
            "complement_items",
            json!({"item_ids": []}),
            "body.item_ids",
            "empty",
        ),
        ("rank_attributes", json!({}), "body.attribute_name", "missing"),
        (
            "rank_attributes",
            json!({"attribute_name": "genres"}),
            "body.attribute_name",
            "unknown_column",
        ),
        (
            "rank_attributes",
            json!({"attribute_name": "price"}),
            "body.attribute_name",
            "wrong_type",
        ),
        (
            "rank_attributes",
            json!({"attribute_name": "genre", "limit": 0}),
            "body.limit",
            "out_of_range",
        ),
        (
            "rank_attribute_grid",
            json!({"attribute_name": "genre", "row_limit": 0}),
            "body.row_limit",
            "out_of_range",
        ),
        (
            "rank_attribute_grid",
            json!({"attribute_name": "genre", "col_limit": 1e9}),
            "body.col_limit",
            "out_of_range",
        ),
        (
            "item_embeddings",
            json!({"item_ids": ["noir-1"], "dimension": 0}),
            "body.dimension",
            "out_of_range",
        ),
        (
            "item_embeddings",
            json!({"item_ids": ["noir-1"], "dimension": 5000}),
            "body.dimension",
            "out_of_range",
        ),
        (
            "user_embeddings",
            json!({"user_ids": "a"}),
            "body.user_ids",
            "wrong_type",
        ),
    ] {
        let answer = api.post(&format!("/v1/models/shop/{call}"), &body);
        let (found, found_kind) = answer.invalid();
        assert_eq!(
            (found.as_str(), found_kind.as_str()),
            (place, kind),
            "{call} {body}: {}",
            answer.text
        );
    }
    for (query, place, kind) in [
        ("limit=x", "query.limit", "wrong_type"),
        ("limit=0", "query.limit", "out_of_range"),
        ("user=a", "query.user", "unknown_field"),
    ] {
        let answer = api.get(&format!("/v1/models/shop/rank?{query}"));
        assert_eq!(answer.invalid(), (place.to_owned(), kind.to_owned()), "{query}");
    }
}
