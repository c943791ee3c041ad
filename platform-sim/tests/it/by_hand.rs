//! Orders that can be computed with pencil and paper, through the API.

use serde_json::{Value, json};

use super::client::{Api, Server, counts};

/// A model over events, each a user and an item, an hour apart.
fn with_events(api: &Api, events: &[(String, &str)]) {
    api.dataset(&json!({"name": "events", "schema_type": "CUSTOM"}));
    let start = chrono::DateTime::from_timestamp(1_767_225_600, 0).unwrap();
    let rows: Vec<Value> = events
        .iter()
        .enumerate()
        .map(|(hour, (user, item))| {
            let at = start + chrono::TimeDelta::hours(hour as i64);
            json!({"user_id": user, "item_id": item, "label": 1, "created_at": at.to_rfc3339()})
        })
        .collect();
    api.post("/v1/datasets/events/insert", &json!({"data": rows}))
        .ok();
    api.model(&json!({
        "model": {"name": "m"}, "connectors": [{"type": "Dataset", "id": "e", "name": "events"}],
        "fetch": {"events": "SELECT user_id, item_id, label, created_at FROM e"},
    }));
}

/// Nine people took a. Four of them took b, which nobody else did; six took p, as did nineteen others; one took c.
fn baskets() -> Vec<(String, &'static str)> {
    let of = |users: std::ops::Range<usize>, item: &'static str| {
        users
            .map(move |user| (format!("u{user}"), item))
            .collect::<Vec<_>>()
    };
    [of(0..9, "a"), of(0..4, "b"), of(3..28, "p"), of(8..9, "c")].concat()
}

#[test]
fn popularity_counts() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    let api = &server.api;
    // Of d and e, both taken twice, d was taken last.
    let two = ["e", "d", "e", "d"].map(|item| (format!("w-{item}"), item));
    with_events(api, &[baskets(), two.to_vec()].concat());
    let answer = api.post("/v1/models/m/retrieve", &json!({})).ok();
    assert_eq!(answer["ids"], json!(["p", "a", "b", "d", "e", "c"]));
    assert_eq!(counts(&answer["scores"]), [25.0, 9.0, 4.0, 2.0, 2.0, 1.0]);
    let filtered = json!({"filter_predicate": "interaction_count BETWEEN 2 AND 9", "config": {"limit": 3}});
    assert_eq!(api.ids("m", &filtered), ["a", "b", "d"]);
    let first = json!({"filter_predicate": "_derived_popular_rank = 1"});
    assert_eq!(api.ids("m", &first), ["p"]);
    let newest = json!({"filter_predicate": "_derived_chronological_rank <= 2"});
    let mut newest = api.ids("m", &newest);
    newest.sort();
    assert_eq!(newest.len(), 2);
}

/// The similarity is the number of those who took both over the geometric mean of those who took each plus ten:
/// b: 4 / (sqrt(9 * 4) + 10) = .25, p: 6 / (sqrt(9 * 25) + 10) = .24, c: 1 / (sqrt(9 * 1) + 10) = .077.
/// So b comes before p, though more people took p with a.
#[test]
fn likeness_is_not_popularity() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    let api = &server.api;
    with_events(api, &baskets());
    let ids = |call: &str, body: Value| api.post(&format!("/v1/models/m/{call}"), &body).ok()["ids"].clone();
    assert_eq!(
        ids("similar_items", json!({"item_id": "a"})),
        json!(["b", "p", "c"])
    );
    assert_eq!(
        ids("complement_items", json!({"item_ids": ["a"]})),
        json!(["b", "p", "c"])
    );
    // Of b: a .25, p: one took both, 1 / (sqrt(4 * 25) + 10) = .05; nobody took b and c.
    let of_b = ids("similar_items", json!({"item_id": "b", "config": {"limit": 2}}));
    assert_eq!(of_b, json!(["a", "p"]));
    // Of a and b: p gets .24 + .05, c .077.
    let of_both = json!({"item_ids": ["b", "a"], "config": {"limit": 2}});
    assert_eq!(ids("complement_items", of_both), json!(["p", "c"]));
}

#[test]
fn given_items_rank_by_what_is_popular_now_and_unknown_ones_come_last() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    let api = &server.api;
    with_events(api, &baskets());
    // Nobody asks: given items come by what is popular now, unheard of ones last and in the order of the request.
    let given = json!({"item_ids": ["x2", "c", "p", "x1", "a", "p"]});
    let answer = api.post("/v1/models/m/rank", &given).ok();
    assert_eq!(answer["ids"], json!(["p", "a", "c", "x2", "x1"]));
    let scores: Vec<f64> = serde_json::from_value(answer["scores"].clone()).unwrap();
    assert!(scores.is_sorted_by(|one, next| one >= next));
    assert_eq!(
        (scores[3], scores[4]),
        (scores[2], scores[2]),
        "no better than the last"
    );
}

/// Data that end in 2013: what was liked at their end is in fashion, and of what was not, the more popular leads.
#[test]
fn old_data_have_their_trends_at_their_end() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    let api = &server.api;
    api.dataset(&json!({"name": "events", "schema_type": "CUSTOM"}));
    let year = 365 * 86_400;
    let end = 1_377_000_000;
    let of = |item: &str, number: usize, at: i64| -> Vec<Value> {
        let event =
            |user| json!({"user_id": format!("u{user}"), "item_id": item, "label": 1, "created_at": at});
        (0..number).map(event).collect()
    };
    let rows = [
        of("z-now", 2, end),
        of("y-last-week", 3, end - 7 * 86_400),
        of("a-once", 1, end - 30 * year),
        of("m-classic", 9, end - 30 * year),
        of("b-older", 4, end - 30 * year),
    ]
    .concat();
    api.post("/v1/datasets/events/insert", &json!({"data": rows}))
        .ok();
    api.model(&json!({
        "model": {"name": "m"}, "connectors": [{"type": "Dataset", "id": "e", "name": "events"}],
        "fetch": {"events": "SELECT user_id, item_id, label, created_at FROM e"},
    }));
    let trending = json!(["z-now", "y-last-week", "m-classic", "b-older", "a-once"]);
    let everybody = api.post("/v1/models/m/rank", &json!({})).ok();
    assert_eq!(everybody["ids"], trending);
    // Two now; three that count half; nothing but the tie-break for the others.
    let scores: Vec<f64> = serde_json::from_value(everybody["scores"].clone()).unwrap();
    assert!(
        (scores[0] - 2.0).abs() < 1e-4 && (scores[1] - 1.5).abs() < 1e-4,
        "{scores:?}"
    );
    assert!(scores.is_sorted_by(|one, next| one > next), "{scores:?}");
    let stranger = api
        .post("/v1/models/m/rank", &json!({"user_id": "nobody knows"}))
        .ok();
    assert_eq!(stranger["ids"], trending);
    let features = &api.get("/v1/models/m").ok()["schema"]["features"];
    assert_eq!(features["interaction"]["created_at"], "Timestamp");
}

/// After a came b twice and c once; c is the most popular of all. With an order, window and reach of one item and a
/// smoothing of one observation the estimate is `(followers + share of all) / (all followers + 1)`, where every item
/// counts once more in the shares: b: (2 + 3/14) / 4 = .554, c: (1 + 7/14) / 4 = .375, a: (0 + 4/14) / 4 = .071.
#[test]
fn what_follows_is_not_what_is_popular() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    let api = &server.api;
    api.dataset(&json!({"name": "events", "schema_type": "CUSTOM"}));
    let mut rows = Vec::new();
    let mut event = |user: &str, item: &str, at: i64| {
        rows.push(json!({"user_id": user, "item_id": item, "label": 1, "created_at": 1_767_225_600 + at}));
    };
    for (user, next) in [("u1", "b"), ("u2", "b"), ("u3", "c")] {
        event(user, "a", 1);
        event(user, next, 2);
    }
    for number in 1..6 {
        event(&format!("v{number}"), "c", 3);
    }
    api.post("/v1/datasets/events/insert", &json!({"data": rows}))
        .ok();
    api.post(
        "/v1/models",
        &json!({
            "version": "v2", "name": "m",
            "data": {"interaction_dataset": {"type": "query", "query":
                "SELECT user_id, item_id, label, to_timestamp(created_at) AS created_at FROM events"}},
            "training": {"models": [
                {"name": "next", "policy_type": "ngram", "order": 1, "window": 1, "reach": 1, "smoothing": 1},
                {"name": "top", "policy_type": "popular", "count": "events"},
            ]},
        }),
    )
    .ok();
    let details = api.wait_for("/v1/models/m");
    assert_eq!(details["status"], "ACTIVE", "{details}");
    let ask = |value_model: &str| {
        let query = json!({"query": {"type": "rank_items", "model": "m",
            "retrieve": [{"type": "item_column_order", "columns": [{"name": "item_id"}]}],
            "score": {"type": "score_ensemble", "value_model": value_model, "input_interactions_item_ids": ["a"]}}});
        let answer = api.post("/v1/query", &query).ok();
        let rows = answer["results"].as_array().unwrap().clone();
        let (ids, scores): (Vec<Value>, Vec<f64>) = rows
            .iter()
            .map(|row| (row["id"].clone(), row["score"].as_f64().unwrap()))
            .unzip();
        (json!(ids), scores)
    };
    let (order, scores) = ask("next");
    assert_eq!(order, json!(["b", "c", "a"]));
    let by_hand = [
        (2.0 + 3.0 / 14.0) / 4.0,
        (1.0 + 7.0 / 14.0) / 4.0,
        (4.0 / 14.0) / 4.0,
    ];
    for (found, wanted) in scores.iter().zip(by_hand) {
        assert!((found - wanted).abs() < 1e-4, "{scores:?} instead of {by_hand:?}");
    }
    let (order, scores) = ask("top");
    assert_eq!(order, json!(["c", "a", "b"]));
    assert_eq!(
        scores.iter().map(|score| score.floor()).collect::<Vec<_>>(),
        [6.0, 3.0, 2.0]
    );
}
