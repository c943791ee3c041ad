//! Models that are set up by a body of version 2: what they read, train, measure and keep.

use serde_json::{Value, json};

use super::client::{Api, Server};

/// Numbers that look like chance and are the same in every run.
fn chance(seed: u64) -> u64 {
    let mut mixed = seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed ^ (mixed >> 27)
}

const GOODS: u64 = 40;
const BUYERS: u64 = 60;

/// Goods of four brands; buyers prefer one of them. The orders have other names for everything.
fn shop(api: &Api) {
    api.dataset(&json!({
        "name": "goods", "schema_type": "CUSTOM", "column_schema":
        {"sku": "String", "title": "String", "brand": "String", "price": "Double", "listed": "DateTime", "vector": "Array(Float64)"}
    }));
    api.dataset(&json!({
        "name": "orders", "schema_type": "CUSTOM", "column_schema":
        {"buyer": "String", "sku": "String", "stars": "Int64", "ts": "DateTime", "kind": "String", "device": "String"}
    }));
    api.dataset(&json!({
        "name": "buyers", "schema_type": "CUSTOM", "column_schema": {"buyer": "String", "country": "String", "age": "Int64"}
    }));
    let brands = ["oak", "elm", "ash", "fir"];
    let goods: Vec<Value> = (0..GOODS)
        .map(|number| {
            json!({
                "sku": sku(number), "title": format!("{} chair number {number}", brands[(number % 4) as usize]),
                "brand": brands[(number % 4) as usize], "price": 5 + number, "listed": 1_700_000_000 + number * 3_600,
                "vector": [number, 1, 2, 3],
            })
        })
        .collect();
    api.post("/v1/datasets/goods/insert", &json!({ "data": goods }))
        .ok();
    let mut orders = Vec::new();
    for buyer in 0..BUYERS {
        for place in 0..12_u64 {
            let drawn = chance(buyer * 1_000 + place);
            let mine = !drawn.is_multiple_of(5);
            let number = if mine {
                (drawn / 7 % (GOODS / 4)) * 4 + buyer % 4
            } else {
                drawn / 7 % GOODS
            };
            let kind = if place % 3 == 0 { "purchase" } else { "view" };
            orders.push(json!({
                "buyer": format!("b{buyer:03}"), "sku": sku(number), "stars": 1 + drawn % 5,
                "ts": 1_760_000_000 + place * 5_000 + buyer, "kind": kind, "device": if drawn.is_multiple_of(2) { "phone" } else { "desk" },
            }));
        }
    }
    api.post("/v1/datasets/orders/insert", &json!({ "data": orders }))
        .ok();
    let buyers: Vec<Value> = (0..BUYERS)
        .map(|buyer| {
            let country = if buyer % 2 == 0 { "pt" } else { "no" };
            json!({"buyer": format!("b{buyer:03}"), "country": country, "age": 20 + buyer})
        })
        .collect();
    api.post("/v1/datasets/buyers/insert", &json!({ "data": buyers }))
        .ok();
}

fn sku(number: u64) -> String {
    format!("sku-{number:02}")
}

/// A model that renames by `schema_override`, trains two policies and keeps a query.
fn feed() -> Value {
    json!({
        "version": "v2", "name": "feed", "description": "chairs",
        "data": {
            "interaction_dataset": {"type": "table", "name": "orders"},
            "item_dataset": {"type": "query", "query": "SELECT sku, title, brand, price, listed FROM goods"},
            "user_dataset": {"type": "table", "name": "buyers", "columns": ["buyer", "country"]},
            "schema_override": {
                "user": {"id": "buyer"},
                "item": {"id": "sku", "created_at": "listed"},
                "interaction": {"label": {"name": "stars", "type": "RatingLabel"}, "created_at": "ts"},
            },
            "filters": [
                {"name": "seen", "filter_dataset": {"type": "table", "name": "orders"},
                 "filter_type": {"type": "personal", "user_id_column": "buyer", "item_id_column": "sku"}},
                {"name": "dear", "filter_dataset": {"type": "table", "name": "goods", "where": "price > 40 -- too dear"},
                 "filter_type": {"type": "global", "item_id_column": "sku"}},
            ],
            "index": {
                "lexical_search": {"tokenizer": {"type": "stemmer"}, "item_fields": ["title"], "user_fields": ["country"]},
                "embeddings": [{"name": "als_vectors", "encoder": {"type": "trained_model", "model_ref": "als"}}],
                "item_column_indices": [{"column": "price", "index_type": "btree"}],
            },
        },
        "training": {
            "schedule": "@weekly",
            "models": [
                {"name": "als", "policy_type": "als", "factors": 8},
                {"name": "top", "policy_type": "popular"},
            ],
        },
        "queries": {"feed": {
            "query": {"type": "rank_items",
                "retrieve": [
                    {"type": "item_similarity", "name": "near", "embedding_ref": "als_vectors", "limit": 20,
                     "query_encoder": {"type": "precomputed_user", "input_user_id": "$param.uid"}},
                    {"type": "item_column_order", "columns": [{"name": "price"}], "limit": 5}],
                "filter": [{"type": "prebuilt", "filter_ref": "seen", "input_user_id": "$param.uid"}, {"type": "prebuilt", "filter_ref": "dear"}],
                "score": {"type": "score_ensemble", "value_model": "als + 0.001 * top", "input_user_id": "$param.uid"}},
            "params": {"uid": {}},
        }},
    })
}

#[test]
fn a_model_of_version_2_reads_trains_and_keeps_a_query() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    let api = &server.api;
    shop(api);
    let created = api.post("/v1/models", &feed()).ok();
    assert!(
        created["model_url"]
            .as_str()
            .unwrap()
            .ends_with("/v1/models/feed")
    );
    let details = api.wait_for("/v1/models/feed");
    assert_eq!(details["status"], "ACTIVE", "{details}");
    // As it was given, with its defaults.
    assert_eq!(details["config"]["training"]["schedule"], "@weekly");
    assert_eq!(details["config"]["training"]["models"][0]["factors"], 8);
    assert_eq!(details["config"]["training"]["models"][0]["iterations"], 15);
    assert_eq!(
        details["config"]["deployment"]["rollout"]["strategy"]["type"],
        "canary"
    );
    assert_eq!(details["config"]["data"]["schedule"], "@hourly");
    assert_eq!(details["config"]["queries"]["feed"]["params"], json!({"uid": {}}));
    assert_eq!(
        details["config"]["data"]["index"]["lexical_search"]["tokenizer"]["language"],
        "en"
    );
    let of = |list: &str, name: &str| {
        let features = details["model_schema"][list].as_array().unwrap();
        let found = features.iter().find(|feature| feature["name"] == name);
        found.map(|feature| feature["type"].as_str().unwrap().to_owned())
    };
    assert_eq!(of("item", "item_id").as_deref(), Some("Id"));
    assert_eq!(of("item", "brand").as_deref(), Some("LowCardinalityCategory"));
    assert_eq!(of("item", "created_at").as_deref(), Some("Timestamp"));
    assert_eq!(of("item", "sku"), None);
    assert_eq!(of("user", "age"), None);
    assert_eq!(
        of("interaction", "device").as_deref(),
        Some("LowCardinalityCategory")
    );
    assert_eq!(of("label", "label").as_deref(), Some("RatingLabel"));
    assert_eq!(details["evaluation"], Value::Null);
    assert_eq!(details["warning_message"], Value::Null);

    let answer = api
        .post("/v1/queries/feed", &json!({"parameters": {"uid": "b003"}}))
        .ok();
    let results = answer["results"].as_array().unwrap();
    assert!(results.len() > 3, "{answer}");
    let bought: Vec<String> = (0..12_u64)
        .map(|place| {
            let drawn = chance(3 * 1_000 + place);
            sku(if !drawn.is_multiple_of(5) {
                (drawn / 7 % (GOODS / 4)) * 4 + 3
            } else {
                drawn / 7 % GOODS
            })
        })
        .collect();
    for result in results {
        let id = result["id"].as_str().unwrap();
        assert!(!bought.contains(&id.to_owned()), "{id} was bought");
        assert!(
            result["metadata"]["price"].as_f64().unwrap() <= 40.0,
            "{id} is too dear"
        );
    }
    // Somebody who likes fir is shown fir first.
    assert_eq!(results[0]["metadata"]["brand"], "fir", "{answer}");
    // The calls of version 1 work as well.
    let ranked = api
        .post(
            "/v1/models/feed/rank",
            &json!({"user_id": "b003", "config": {"limit": 5}}),
        )
        .ok();
    assert_eq!(ranked["ids"].as_array().unwrap().len(), 5);
    // They cannot name filters, so all of them hold.
    let all = api
        .post(
            "/v1/models/feed/rank",
            &json!({"user_id": "b003", "config": {"limit": 100}}),
        )
        .ok();
    let all = all["ids"].as_array().unwrap();
    assert!(
        all.len() > 20
            && !all
                .iter()
                .any(|id| bought.contains(&id.as_str().unwrap().to_owned())),
        "{all:?}"
    );
    assert!(!all.contains(&json!(sku(GOODS - 1))), "too dear: {all:?}");
}

/// The model with one change.
fn with(path: &[&str], value: Value) -> Value {
    let mut body = feed();
    let mut place = &mut body;
    for part in path {
        place = match part.parse::<usize>() {
            Ok(index) if place.is_array() => &mut place[index],
            _ => &mut place[*part],
        };
    }
    *place = value;
    body
}

#[test]
fn tuning_chooses_and_evaluation_measures() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    let api = &server.api;
    shop(api);
    let body = json!({
        "version": "v2", "name": "tuned",
        "data": {
            "interaction_dataset": {"type": "query", "query":
                "SELECT buyer AS user_id, sku AS item_id, kind AS label, ts AS created_at FROM orders"},
            "item_dataset": {"type": "query", "query": "SELECT sku AS item_id, brand, price FROM goods"},
        },
        "training": {
            "data_split": {"strategy": "user"},
            "evaluation": {"enable": true, "evaluation_top_k": 10, "candidate_source": "all_iids", "filter_seen_items": false},
            "tuning": {"total_jobs": 6, "parallel_jobs": 2},
            "models": [
                {"name": "cf", "policy_type": "als", "iterations": 5,
                 "factors": {"type": "tunable_int", "min": 1, "max": 12, "scale": "log"},
                 "regularization": {"type": "tunable_float", "min": 0.1, "max": 50.0, "scale": "log"}},
                {"name": "bought", "policy_type": "popular", "event_values": ["purchase"],
                 "count": {"type": "tunable_string", "options": ["users", "events"]}},
                {"name": "nothing", "policy_type": "random"},
                {"name": "mixed", "policy_type": "score-ensemble", "value_model": "cf + 0.0001 * bought - 0.00001 * item.price"},
            ],
        },
    });
    api.post("/v1/models", &body).ok();
    let details = api.wait_for("/v1/models/tuned");
    assert_eq!(details["status"], "ACTIVE", "{details}");

    let tuning = &details["tuning"];
    assert_eq!(
        (&tuning["metric"], &tuning["top_k"]),
        (&json!("ndcg"), &json!(10)),
        "{tuning}"
    );
    let of_als = &tuning["policies"]["cf"];
    let trials = of_als["trials"].as_array().unwrap();
    assert_eq!(trials.len(), 3, "half of the jobs: {tuning}");
    let best = trials
        .iter()
        .map(|trial| trial["value"].as_f64().unwrap())
        .fold(0.0, f64::max);
    let chosen = trials
        .iter()
        .find(|trial| trial["values"] == of_als["chosen"])
        .unwrap();
    assert_eq!(chosen["value"].as_f64().unwrap(), best, "{of_als}");
    for trial in trials {
        let factors = trial["values"]["factors"].as_i64().unwrap();
        let penalty = trial["values"]["regularization"].as_f64().unwrap();
        assert!(
            (1..=12).contains(&factors) && (0.1..=50.0).contains(&penalty),
            "{trial}"
        );
    }
    // Two values are all that there are.
    assert_eq!(
        tuning["policies"]["bought"]["trials"].as_array().unwrap().len(),
        2,
        "{tuning}"
    );

    let evaluation = &details["evaluation"];
    assert_eq!(evaluation["main"], "mixed");
    assert_eq!(
        evaluation["held_back_events"], BUYERS,
        "one of each: {evaluation}"
    );
    let ndcg = |policy: &str| {
        evaluation["policies"][policy]["metrics"]["ndcg"]
            .as_f64()
            .unwrap()
    };
    assert!(ndcg("cf") > 1.5 * ndcg("nothing"), "{evaluation}");
    assert!((ndcg("mixed") - ndcg("cf")).abs() < 0.2, "{evaluation}");
    for metric in [
        "map",
        "mrr",
        "precision",
        "recall",
        "hit_rate",
        "auc",
        "coverage",
        "gini",
        "personalization",
        "novelty",
    ] {
        let value = evaluation["policies"]["mixed"]["metrics"][metric].as_f64();
        assert!(value.is_some_and(f64::is_finite), "{metric}: {evaluation}");
    }

    // The same rows choose the same again.
    api.patch("/v1/models", &body).ok();
    let again = api.wait_until("/v1/models/tuned", |again| {
        again["status"] == "ACTIVE" && again["trained_at"] != details["trained_at"]
    });
    assert_eq!(again["tuning"], details["tuning"]);
    let scored = |details: &Value| {
        let mut policies = details["evaluation"]["policies"].clone();
        // What it says changes with the moment.
        policies.as_object_mut().unwrap().remove("nothing");
        policies
    };
    assert_eq!(scored(&again), scored(&details));

    // An ensemble is a policy to a query, too, and one that learns from purchases counts those only.
    let ask = |value_model: &str| {
        let query = json!({"query": {"type": "rank_items", "model": "tuned", "limit": 40,
            "retrieve": [{"type": "item_column_order", "columns": [{"name": "item_id"}]}],
            "score": {"type": "score_ensemble", "value_model": value_model, "input_user_id": "b002"}}});
        api.post("/v1/query", &query).ok()["results"].clone()
    };
    let order = |results: &Value| -> Vec<String> {
        let results = results.as_array().unwrap();
        results
            .iter()
            .map(|result| result["id"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(
        order(&ask("mixed")),
        order(&ask("cf + 0.0001 * bought - 0.00001 * item.price"))
    );
    let purchases = BUYERS * 4;
    let counted: f64 = ask("bought")
        .as_array()
        .unwrap()
        .iter()
        .map(|result| result["score"].as_f64().unwrap().floor())
        .sum();
    assert!(
        counted > 0.0 && counted <= purchases as f64,
        "{counted} of {purchases}"
    );
}

#[test]
fn what_is_wrong_with_a_body_is_named_with_its_place() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    let api = &server.api;
    shop(api);
    let models = |field: &str, value: Value| with(&["training", "models", "0", field], value);
    let query = |field: &str, value: Value| with(&["queries", "feed", "query", field], value);
    for (body, place, kind) in [
        (with(&["version"], json!("v4")), "version", "unknown_value"),
        (with(&["name"], json!("two words")), "name", "invalid_name"),
        (with(&["tags"], json!({"team": 1})), "tags.team", "wrong_type"),
        (with(&["data"], Value::Null), "data", "missing"),
        (
            with(&["data", "interaction_datset"], json!({})),
            "data.interaction_datset",
            "unknown_field",
        ),
        (
            with(&["data", "interaction_dataset"], json!({"type": "stream"})),
            "data.interaction_dataset.type",
            "unknown_value",
        ),
        (
            with(&["data", "interaction_dataset"], json!({"type": "table"})),
            "data.interaction_dataset.name",
            "missing",
        ),
        (
            with(
                &["data", "interaction_dataset"],
                json!({"type": "query", "query": "SELEC 1"}),
            ),
            "data.interaction_dataset.query",
            "invalid_sql",
        ),
        (
            with(
                &["data", "interaction_dataset"],
                json!({"type": "query", "query": "SELECT sku, stars, ts FROM orders"}),
            ),
            "data.schema_override.user.id",
            "unknown_column",
        ),
        (
            with(&["data", "schema_override", "user"], Value::Null),
            "data.interaction_dataset",
            "missing_column",
        ),
        (
            with(
                &["data", "item_dataset"],
                json!({"type": "table", "name": "goods", "where": "prise > 3"}),
            ),
            "data.item_dataset.where",
            "invalid_sql",
        ),
        (
            with(
                &["data", "item_dataset"],
                json!({"type": "table", "name": "goods", "columns": ["sku", "prise"]}),
            ),
            "data.item_dataset.columns.1",
            "unknown_column",
        ),
        (
            with(&["data", "schedule"], json!("often")),
            "data.schedule",
            "invalid_schedule",
        ),
        (
            with(&["data", "schema_override", "item", "id"], json!("skew")),
            "data.schema_override.item.id",
            "unknown_column",
        ),
        (
            with(
                &["data", "schema_override", "interaction", "label"],
                json!({"name": "starz"}),
            ),
            "data.schema_override.interaction.label",
            "unknown_column",
        ),
        (
            with(&["data", "schema_override", "item", "features"], json!(["brnd"])),
            "data.schema_override.item.features.0",
            "unknown_column",
        ),
        (
            with(
                &["data", "schema_override", "item", "features"],
                json!([{"name": "brand", "type": "Brand"}]),
            ),
            "data.schema_override.item.features.0.type",
            "unknown_value",
        ),
        (
            with(
                &["data", "filters", "0", "filter_type", "item_id_column"],
                json!("item"),
            ),
            "data.filters.0.filter_type.item_id_column",
            "unknown_column",
        ),
        (
            with(&["data", "filters", "1", "name"], json!("seen")),
            "data.filters.1.name",
            "repeated",
        ),
        (
            with(&["data", "filters", "1", "name"], json!("two words")),
            "data.filters.1.name",
            "invalid_name",
        ),
        (
            with(
                &["data", "index", "lexical_search", "item_fields"],
                json!(["titel"]),
            ),
            "data.index.lexical_search.item_fields.0",
            "unknown_column",
        ),
        (
            with(
                &["data", "index", "lexical_search", "tokenizer"],
                json!({"type": "ngram", "min_length": 4, "max_length": 2}),
            ),
            "data.index.lexical_search.tokenizer.max_length",
            "out_of_range",
        ),
        (
            with(
                &["data", "index", "lexical_search", "tokenizer", "language"],
                json!("fi"),
            ),
            "data.index.lexical_search.tokenizer.language",
            "not_supported",
        ),
        (
            with(
                &["data", "index", "embeddings", "0", "encoder", "model_ref"],
                json!("top"),
            ),
            "data.index.embeddings.0.encoder.model_ref",
            "unknown_value",
        ),
        (
            with(
                &["data", "index", "embeddings", "0", "encoder"],
                json!({"type": "hugging_face", "model_name": "m", "item_fields": ["title"]}),
            ),
            "data.index.embeddings.0.encoder.type",
            "no_text_encoder",
        ),
        (
            with(
                &["data", "index", "item_column_indices", "0", "column"],
                json!("prise"),
            ),
            "data.index.item_column_indices.0.column",
            "unknown_column",
        ),
        (
            models("policy_type", json!("bert4rec")),
            "training.models.0.policy_type",
            "not_supported",
        ),
        (
            models("policy_type", json!("asl")),
            "training.models.0.policy_type",
            "unknown_value",
        ),
        (
            models("factors", json!(0)),
            "training.models.0.factors",
            "out_of_range",
        ),
        (
            models("factors", json!("$param.k")),
            "training.models.0.factors",
            "wrong_type",
        ),
        (
            models("factros", json!(8)),
            "training.models.0.factros",
            "unknown_field",
        ),
        (
            models("factors", json!({"type": "tunable_float", "min": 1, "max": 2})),
            "training.models.0.factors.type",
            "wrong_type",
        ),
        (
            models("factors", json!({"type": "tunable_int", "min": 9, "max": 2})),
            "training.models.0.factors.max",
            "out_of_range",
        ),
        (
            models("factors", json!({"type": "tunable_int", "min": 9, "max": 5000})),
            "training.models.0.factors.max",
            "out_of_range",
        ),
        (
            models(
                "factors",
                json!({"type": "tunable_int_categorical", "options": []}),
            ),
            "training.models.0.factors.options",
            "empty",
        ),
        (
            models(
                "alpha",
                json!({"type": "tunable_float", "min": 0, "max": 2, "scale": "log"}),
            ),
            "training.models.0.alpha.min",
            "out_of_range",
        ),
        (models("name", json!("top")), "training.models.1.name", "repeated"),
        (
            with(
                &["training", "models", "1"],
                json!({"name": "mix", "policy_type": "score_ensemble", "value_model": "als + topp"}),
            ),
            "training.models.1.value_model",
            "expression_unknown_name",
        ),
        (
            with(&["training", "evaluation"], json!({"evaluation_top_k": 0})),
            "training.evaluation.evaluation_top_k",
            "out_of_range",
        ),
        (
            with(&["training", "tuning"], json!({"total_jobs": 1.5})),
            "training.tuning.total_jobs",
            "wrong_type",
        ),
        (
            with(&["deployment"], json!({"data_tier": "luke_warm"})),
            "deployment.data_tier",
            "unknown_value",
        ),
        (
            with(
                &["deployment"],
                json!({"autoscaling": {"min_replicas": 5, "max_replicas": 2}}),
            ),
            "deployment.autoscaling.max_replicas",
            "out_of_range",
        ),
        (
            with(
                &["deployment"],
                json!({"autoscaling": {"policy": {"type": "latency", "target_seconds": 0}}}),
            ),
            "deployment.autoscaling.policy.target_seconds",
            "out_of_range",
        ),
        (
            with(
                &["deployment"],
                json!({"online_store": {"interaction_max_per_user": -1}}),
            ),
            "deployment.online_store.interaction_max_per_user",
            "out_of_range",
        ),
        (
            with(&["queries", "feed", "query"], Value::Null),
            "queries.feed.query",
            "missing",
        ),
        (
            with(&["queries", "feed", "params"], json!({})),
            "queries.feed.query.filter.0.input_user_id",
            "missing_parameter",
        ),
        (
            with(&["queries", "feed", "params"], json!({"uid": {"defalt": 1}})),
            "queries.feed.params.uid.defalt",
            "unknown_field",
        ),
        (
            query("type", json!("rank_everything")),
            "queries.feed.query.type",
            "unknown_value",
        ),
        (
            query("score", json!({"type": "score_ensemble", "value_model": "ctr"})),
            "queries.feed.query.score.value_model",
            "expression_unknown_name",
        ),
    ] {
        let answer = api.post("/v1/models", &body);
        let (found, found_kind) = answer.invalid();
        assert_eq!(found, format!("body.{place}"), "{answer:?}");
        assert_eq!(found_kind, kind, "{place}: {answer:?}");
    }
    let gone = with(
        &["data", "item_dataset"],
        json!({"type": "table", "name": "godos"}),
    );
    assert_eq!(
        api.post("/v1/models", &gone).problem(404),
        "urn:siftwren:error:not-found"
    );
    assert_eq!(api.get("/v1/models").ok()["models"], json!([]));
}

#[test]
fn names_of_models_and_of_saved_queries_are_taken_once() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    let api = &server.api;
    shop(api);
    api.post("/v1/models", &feed()).ok();
    assert_eq!(
        api.post("/v1/models", &feed()).problem(409),
        "urn:siftwren:error:already-exists"
    );
    let mut other = with(&["name"], json!("other"));
    let taken = api.post("/v1/models", &other);
    assert_eq!(taken.problem(409), "urn:siftwren:error:already-exists");
    assert!(taken.text.contains("saved query 'feed'"), "{taken:?}");
    let query = other["queries"]["feed"].take();
    other["queries"] = json!({ "other-feed": query });
    api.post("/v1/models", &other).ok();
    assert_eq!(api.wait_for("/v1/models/feed")["status"], "ACTIVE");
    assert_eq!(api.wait_for("/v1/models/other")["status"], "ACTIVE");
    assert_eq!(
        api.get("/v1/queries").ok()["queries"],
        json!(["feed", "other-feed"])
    );
    // A change cannot take it either, and a model may keep its own.
    let mut stealing = other.clone();
    stealing["queries"] = json!({ "feed": other["queries"]["other-feed"] });
    assert_eq!(
        api.patch("/v1/models", &stealing).problem(409),
        "urn:siftwren:error:already-exists"
    );
    api.patch("/v1/models", &other).ok();
    assert_eq!(api.wait_for("/v1/models/other")["status"], "ACTIVE");
    api.delete("/v1/models/feed").ok();
    assert_eq!(api.get("/v1/queries").ok()["queries"], json!(["other-feed"]));
    api.patch("/v1/models", &stealing).ok();
    api.wait_for("/v1/models/other");

    // A restart keeps everything.
    let details = |api: &Api| {
        let mut details = api.get("/v1/models/other").ok();
        // It names the port.
        details.as_object_mut().unwrap().remove("model_uri");
        details
    };
    let before = details(api);
    server.settle();
    let server = server.kill_and_restart();
    assert_eq!(details(&server.api), before);
    let answer = server
        .api
        .post("/v1/queries/feed", &json!({"parameters": {"uid": "b001"}}))
        .ok();
    assert!(!answer["results"].as_array().unwrap().is_empty(), "{answer}");
}

#[test]
fn texts_of_items_and_users_are_searched_by_the_tokenizer_that_was_chosen() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    let api = &server.api;
    shop(api);
    let ask = |model: &str, step: Value, kind: &str| -> Vec<String> {
        let query = json!({"query": {"type": kind, "model": model, "retrieve": [step], "limit": 50}});
        let answer = api.post("/v1/query", &query).ok();
        let results = answer["results"].as_array().unwrap();
        results
            .iter()
            .map(|result| result["id"].as_str().unwrap().to_owned())
            .collect()
    };
    let items = |model: &str, text: &str, errors: i64| {
        let mode = json!({"type": "lexical", "fuzziness_edit_distance": errors});
        ask(
            model,
            json!({"type": "item_text_search", "input_text_query": text, "mode": mode}),
            "rank_items",
        )
    };
    for (name, tokenizer) in [
        ("stems", json!({"type": "stemmer"})),
        ("plain", json!({"type": "stemmer", "stemming": false})),
        (
            "grams",
            json!({"type": "ngram", "min_length": 3, "max_length": 5}),
        ),
        ("beginnings", json!({"type": "ngram", "prefix_only": true})),
        ("pieces", json!({"type": "whitespace"})),
    ] {
        let mut body = with(&["name"], json!(name));
        body["queries"] = json!({});
        body["data"]["item_dataset"]["query"] =
            json!("SELECT sku, upper(brand) || ' Chairs' AS title, price FROM goods");
        body["data"]["index"]["lexical_search"]["tokenizer"] = tokenizer;
        body["data"]["schema_override"]["item"] = json!({"id": "sku"});
        body["data"]["index"]["item_column_indices"] = Value::Null;
        api.post("/v1/models", &body).ok();
        assert_eq!(api.wait_for(&format!("/v1/models/{name}"))["status"], "ACTIVE");
    }
    let all = GOODS as usize;
    assert_eq!(items("stems", "chair ", 0).len(), all);
    assert_eq!(items("plain", "chair ", 0).len(), 0);
    assert_eq!(items("plain", "chair ", 1).len(), all, "a letter is missing");
    assert_eq!(items("plain", "chairs ", 0).len(), all);
    assert_eq!(items("grams", "hai ", 0).len(), all);
    assert_eq!(items("beginnings", "hai ", 0).len(), 0);
    assert_eq!(items("beginnings", "cha ", 0).len(), all);
    assert_eq!(items("pieces", "OAK ", 0).len(), all / 4);
    assert_eq!(items("pieces", "oak ", 0).len(), 0);
    let users = json!({"type": "user_text_search", "input_text_query": "PT ", "mode": {"type": "lexical"}});
    assert_eq!(
        ask("stems", users.clone(), "rank_users").len(),
        BUYERS as usize / 2
    );
    assert_eq!(ask("pieces", users, "rank_users").len(), 0);
}

#[test]
fn a_model_can_do_without_interactions_and_says_what_is_strange() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    let api = &server.api;
    shop(api);
    let catalogue = json!({
        "version": "v2", "name": "catalogue",
        "data": {
            "item_dataset": {"type": "table", "name": "goods", "where": "price < 20"},
            "schema_override": {"item": {"id": "sku", "features": ["title", {"name": "brand", "type": "Text"}]}},
        },
        "training": {"models": [{"name": "like", "policy_type": "item-content-similarity"}]},
    });
    api.post("/v1/models", &catalogue).ok();
    let details = api.wait_for("/v1/models/catalogue");
    assert_eq!(details["status"], "ACTIVE", "{details}");
    assert_eq!(
        details["model_schema"]["item"],
        json!([{"name": "item_id", "type": "Id"}, {"name": "brand", "type": "Text"}, {"name": "title", "type": "TextCategory"}])
    );
    let similar = api
        .post(
            "/v1/models/catalogue/similar_items",
            &json!({"item_id": "sku-00", "config": {"limit": 3}}),
        )
        .ok();
    let alike: Vec<&str> = similar["ids"]
        .as_array()
        .unwrap()
        .iter()
        .map(|id| id.as_str().unwrap())
        .collect();
    assert_eq!(alike.len(), 3);
    assert!(
        alike.iter().all(|id| id[4..].parse::<u64>().unwrap() % 4 == 0),
        "of the same brand: {alike:?}"
    );

    let strange = json!({
        "version": "v2", "name": "strange",
        "data": {
            "interaction_dataset": {"type": "table", "name": "orders", "columns": ["buyer", "sku"]},
            "item_dataset": {"type": "query", "query": "SELECT sku AS item_id, price FROM goods WHERE price < 20"},
            "schema_override": {"user": {"id": "buyer"}, "item": {"id": "sku"}},
        },
        "training": {"models": [
            {"name": "like", "policy_type": "item_content_similarity"},
            {"name": "sold", "policy_type": "popular", "event_values": [7]},
        ]},
    });
    api.post("/v1/models", &strange).ok();
    let details = api.wait_for("/v1/models/strange");
    assert_eq!(details["status"], "ACTIVE", "{details}");
    let warning = details["warning_message"].as_str().unwrap();
    for said in [
        "no column created_at",
        "they were left out",
        "'like' reads texts",
        "'sold' learns from labels 7 only",
    ] {
        assert!(warning.contains(said), "{said}: {warning}");
    }

    let vectorless = json!({
        "version": "v2", "name": "vectorless",
        "data": {
            "item_dataset": {"type": "query", "query": "SELECT sku AS item_id, price FROM goods"},
            "index": {"embeddings": [{"name": "e", "encoder": {"type": "trained_model", "model_ref": "like"}}]},
        },
        "training": {"models": [{"name": "like", "policy_type": "item_content_similarity"}]},
    });
    api.post("/v1/models", &vectorless).ok();
    let details = api.wait_for("/v1/models/vectorless");
    let (status, error) = (details["status"].clone(), details["error_message"].clone());
    assert!(
        status == "ACTIVE"
            || error
                .as_str()
                .is_some_and(|error| error.contains("'e' has no vectors")),
        "{details}"
    );
}

#[test]
fn what_comes_in_changes_the_next_answer_within_the_limits_of_the_model() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    let api = &server.api;
    shop(api);
    for (name, most) in [("one", 1), ("many", 30)] {
        let mut body = with(&["name"], json!(name));
        body["queries"] = json!({});
        body["deployment"] = json!({"online_store": {"interaction_max_per_user": most}, "pagination": {"page_expiration_in_seconds": 60}});
        api.post("/v1/models", &body).ok();
        assert_eq!(api.wait_for(&format!("/v1/models/{name}"))["status"], "ACTIVE");
    }
    let now = chrono::Utc::now().timestamp();
    let rows: Vec<Value> = [2_u64, 6, 10, 1]
        .iter()
        .zip(0..)
        .map(|(number, place)| json!({"buyer": "new", "sku": sku(*number), "stars": 5, "ts": now - 100 + place, "kind": "view", "device": "desk"}))
        .collect();
    api.post("/v1/datasets/orders/insert", &json!({ "data": rows }))
        .ok();
    let near = |model: &str| {
        let query = json!({"query": {"type": "rank_items", "model": model, "limit": 4, "retrieve": [
            {"type": "item_similarity", "embedding_ref": "als_vectors",
             "query_encoder": {"type": "interaction_pooling", "input_user_id": "new", "truncate_interactions": 10}}]}});
        let results = api.post("/v1/query", &query).ok()["results"].clone();
        results
            .as_array()
            .unwrap()
            .iter()
            .map(|result| result["metadata"]["brand"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    // Three of ash and then one of elm; the first model knows the last one only.
    assert!(
        near("many").iter().filter(|brand| *brand == "ash").count() >= 3,
        "{:?}",
        near("many")
    );
    assert_eq!(near("one")[0], "elm", "{:?}", near("one"));
    // Pages: what was served is not served again.
    let rank = |user: &str| {
        let answer = api
            .post(
                "/v1/models/many/rank",
                &json!({"user_id": user, "config": {"limit": 5}}),
            )
            .ok();
        answer["ids"].clone()
    };
    let (first, second) = (rank("b001"), rank("b001"));
    let first = first.as_array().unwrap();
    assert!(
        second.as_array().unwrap().iter().all(|id| !first.contains(id)),
        "{first:?} {second}"
    );
}
