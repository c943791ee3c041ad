//! Trainings: again and again, by request and by schedule, while the old version serves; and what comes in between.

use std::time::Duration;

use serde_json::{Value, json};

use super::client::{Api, Server};

/// Twelve people of two tastes: those of `tea` took all things of tea but one each, those of `nut` likewise.
fn events() -> Value {
    let mut rows = Vec::new();
    for taste in ["tea", "nut"] {
        for person in 0..6 {
            for thing in (0..6).filter(|thing| *thing != person) {
                rows.push(json!({
                    "buyer": format!("{taste}-lover-{person}"), "sku": format!("{taste}-{thing}"), "stars": 1 + (person + thing) % 5,
                    "at": format!("2026-01-{:02}T{:02}:00:00Z", 1 + person, thing)
                }));
            }
        }
    }
    json!({"data": rows})
}

fn shop(api: &Api) {
    api.dataset(&json!({"name": "orders", "schema_type": "CUSTOM", "column_schema": {"buyer": "String", "sku": "String", "stars": "Int32", "at": "DateTime"}}));
    api.post("/v1/datasets/orders/insert", &events()).ok();
}

fn model(name: &str) -> Value {
    json!({
        "model": {"name": name}, "connectors": [{"type": "Dataset", "id": "ev", "name": "orders"}],
        "fetch": {"events": "SELECT buyer AS user_id, sku AS item_id, stars AS label, at AS created_at FROM ev"}
    })
}

/// Whether somebody is shown things of tea before things of nut.
#[track_caller]
fn prefers_tea(api: &Api, model: &str, user: &str) -> bool {
    let body = json!({"user_id": user, "item_ids": ["nut-1", "tea-1", "nut-4", "tea-4"]});
    let answer = api.post(&format!("/v1/models/{model}/rank"), &body).ok();
    let ids = answer["ids"].as_array().unwrap();
    ids[..2].iter().all(|id| id.as_str().unwrap().starts_with("tea"))
}

fn now() -> String {
    chrono::Utc::now().to_rfc3339()
}

fn buys(user: &str, sku: &str) -> Value {
    json!({"data": [{"buyer": user, "sku": sku, "stars": 5, "at": now()}]})
}

#[test]
fn what_is_inserted_now_changes_the_next_answer_of_that_user_and_survives_a_kill() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    shop(&server.api);
    server.api.model(&model("shop"));
    // The same events by a statement that does more than name columns: known after a training only.
    let mut filtered = model("filtered");
    filtered["fetch"]["events"] = json!(
        "SELECT buyer AS user_id, sku AS item_id, stars AS label, at AS created_at FROM ev WHERE stars > 0"
    );
    server.api.model(&filtered);
    let trained_at = server.api.get("/v1/models/shop").ok()["trained_at"].clone();

    let mut answers = Vec::new();
    for sku in ["tea-0", "tea-2", "tea-3", "tea-5"] {
        server
            .api
            .post("/v1/datasets/orders/insert", &buys("ann", sku))
            .ok();
        answers.push(prefers_tea(&server.api, "shop", "ann"));
    }
    for sku in ["nut-0", "nut-2", "nut-3", "nut-5"] {
        server
            .api
            .post("/v1/datasets/orders/insert", &buys("bob", sku))
            .ok();
    }
    assert!(*answers.last().unwrap(), "{answers:?}");
    assert!(!prefers_tea(&server.api, "shop", "bob"));
    let same = |user: &str| {
        let body = json!({"user_id": user, "item_ids": ["nut-1", "tea-1", "nut-4", "tea-4"]});
        server.api.post("/v1/models/filtered/rank", &body).ok()["ids"].clone()
    };
    assert_eq!(same("ann"), same("bob"), "the statement with WHERE knows neither");
    assert_eq!(server.api.get("/v1/models/shop").ok()["trained_at"], trained_at);

    let server = server.kill_and_restart();
    assert!(prefers_tea(&server.api, "shop", "ann"));
    assert!(!prefers_tea(&server.api, "shop", "bob"));
    // The training sees what the online store has: nothing counts twice, and nothing is lost.
    server.api.patch("/v1/models", &filtered).ok();
    server.api.wait_for("/v1/models/filtered");
    assert!(prefers_tea(&server.api, "filtered", "ann"));
    server.settle();
    let kept = |model: i64| -> i64 {
        let metadata = rusqlite::Connection::open(server.data_dir.join("metadata.sqlite")).unwrap();
        let sql = "SELECT count(*) FROM online_interactions WHERE model = ?1";
        metadata.query_row(sql, [model], |row| row.get(0)).unwrap()
    };
    assert_eq!((kept(1), kept(2)), (8, 0));
    server.api.delete("/v1/models/shop").ok();
    assert_eq!(kept(1), 0, "they go with the model");
}

#[test]
fn a_model_is_changed_by_its_whole_set_up_while_the_old_version_serves() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    let api = &server.api;
    shop(api);
    assert_eq!(
        api.patch("/v1/models", &model("shop")).problem(404),
        "urn:siftwren:error:not-found"
    );
    api.model(&model("shop"));
    let first = api.get("/v1/models/shop").ok();
    let slate = |limit: usize| {
        let mut changed = model("shop");
        changed["model"]["inference_config"] = json!({"limit": limit});
        changed["model"]["description"] = json!(format!("{limit} at a time"));
        changed
    };
    let answer = api.patch("/v1/models", &slate(3));
    assert_eq!(answer.ok()["model_url"], first["model_uri"]);
    // The next change may come too early; the old version answers all the while.
    let mut refused = 0;
    loop {
        assert!(!api.ids("shop", &json!({})).is_empty());
        let answer = api.patch("/v1/models", &slate(2));
        if answer.status == 200 {
            break;
        }
        assert_eq!(answer.problem(409), "urn:siftwren:error:being-trained");
        refused += 1;
    }
    assert!(refused > 0, "a training takes longer than a request");
    let view = api.wait_for("/v1/models/shop");
    assert_eq!(view["status"], "ACTIVE", "{view}");
    assert_eq!(view["created_at"], first["created_at"]);
    assert_ne!(view["trained_at"], first["trained_at"]);
    assert_eq!(api.ids("shop", &json!({})).len(), 2);
    assert_eq!(
        api.get("/v1/models").ok()["models"][0]["description"],
        "2 at a time"
    );
    server.settle();
    let versions = || {
        let mut names: Vec<String> = std::fs::read_dir(server.data_dir.join("models/1"))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    };
    assert_eq!(
        versions(),
        ["2", "3"],
        "the version before the serving one is kept"
    );

    // A statement that plans and fails: the old version goes on, and the view says why.
    let mut wrong = slate(1);
    wrong["fetch"]["events"] = json!(
        "SELECT buyer AS user_id, sku AS item_id, 1 / (stars - stars) AS label, at AS created_at FROM ev"
    );
    api.patch("/v1/models", &wrong).ok();
    let view = api.wait_for("/v1/models/shop");
    assert_eq!(view["status"], "ERROR");
    let message = view["error_message"].as_str().unwrap();
    assert!(
        message.contains("fetch.events") && message.contains("goes on serving"),
        "{message}"
    );
    assert_eq!(api.ids("shop", &json!({})).len(), 2);
    // From ERROR there is a way back.
    api.patch("/v1/models", &slate(4)).ok();
    let view = api.wait_for("/v1/models/shop");
    assert_eq!(
        (&view["status"], &view["error_message"]),
        (&json!("ACTIVE"), &Value::Null)
    );
    assert_eq!(api.ids("shop", &json!({})).len(), 4);
    // What does not plan changes nothing.
    let mut wrong = slate(1);
    wrong["fetch"]["items"] = json!("SELECT sku AS id FROM ev");
    assert_eq!(api.patch("/v1/models", &wrong).invalid().0, "body.fetch.items");
    assert_eq!(api.get("/v1/models/shop").ok()["status"], "ACTIVE");
}

#[test]
fn a_version_that_does_not_open_is_trained_anew_and_the_one_before_serves_meanwhile() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    shop(&server.api);
    server.api.model(&model("shop"));
    server.api.patch("/v1/models", &model("shop")).ok();
    let trained_at = server.api.wait_for("/v1/models/shop")["trained_at"].clone();
    server.settle();
    let data_dir = server.kill();
    let files = std::fs::read_dir(data_dir.join("models/1/2")).unwrap();
    let mut files = files.map(|entry| entry.unwrap().path());
    let file = files
        .find(|path| path.extension().is_some_and(|ending| ending == "policy"))
        .unwrap();
    let mut bytes = std::fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&file, bytes).unwrap();
    let server = Server::start(&data_dir);
    assert!(
        !server.api.ids("shop", &json!({})).is_empty(),
        "it answers at once"
    );
    let view = server
        .api
        .wait_until("/v1/models/shop", |view| view["trained_at"] != trained_at);
    assert_eq!(view["status"], "ACTIVE");
}

#[test]
fn a_schedule_trains_again_and_once_does_not() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    shop(&server.api);
    let scheduled = |name: &str, schedule: &str| {
        let mut model = model(name);
        model["model"]["train_schedule"] = json!(schedule);
        model
    };
    for (name, schedule) in [("hourly", "@hourly"), ("cron", "*/5 * * * *"), ("once", "@once")] {
        server.api.model(&scheduled(name, schedule));
    }
    for wrong in ["", "@monthly", "61 * * * *", "0 0 31 4 *"] {
        let answer = server.api.post("/v1/models", &scheduled("m", wrong));
        assert_eq!(
            answer.invalid(),
            (
                "body.model.train_schedule".to_owned(),
                "invalid_schedule".to_owned()
            )
        );
    }
    server.settle();
    let trained = |server: &Server, name: &str| {
        server.api.get(&format!("/v1/models/{name}")).ok()["trained_at"].clone()
    };
    let before = ["hourly", "cron", "once"].map(|name| trained(&server, name));
    // An hour passes while the server is off.
    let data_dir = server.kill();
    let metadata = rusqlite::Connection::open(data_dir.join("metadata.sqlite")).unwrap();
    let earlier = (chrono::Utc::now() - chrono::TimeDelta::minutes(61)).to_rfc3339();
    metadata
        .execute("UPDATE models SET scheduled_at = ?1", [earlier])
        .unwrap();
    drop(metadata);
    let server = Server::start(&data_dir);
    for (name, before) in ["hourly", "cron"].into_iter().zip(&before) {
        let path = format!("/v1/models/{name}");
        server.api.wait_until(&path, |view| {
            view["trained_at"] != *before && view["status"] == "ACTIVE"
        });
    }
    std::thread::sleep(Duration::from_secs(6));
    assert_eq!(trained(&server, "once"), before[2]);
}

#[test]
fn filters_hide_items_from_everybody_and_from_one() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    let api = &server.api;
    shop(api);
    let mut model = model("shop");
    model["fetch"]["global_filters"] = json!("SELECT DISTINCT sku AS item_id FROM ev WHERE sku = 'nut-3'");
    model["fetch"]["personal_filters"] =
        json!("SELECT buyer AS user_id, sku AS item_id FROM ev WHERE buyer = 'tea-lover-1'");
    api.model(&model);
    assert_eq!(api.get("/v1/models/shop").ok()["fetch"], model["fetch"]);
    let shown = |user: Value| {
        let body = json!({"user_id_query": user, "config": {"limit": 100}});
        let mut ids = api.ids("shop", &body);
        ids.sort();
        ids
    };
    let everybody = shown(json!("somebody"));
    assert_eq!(everybody.len(), 11, "{everybody:?}");
    assert!(!everybody.contains(&"nut-3".to_owned()));
    let taken: Vec<String> = (0..6)
        .filter(|thing| *thing != 1)
        .map(|thing| format!("tea-{thing}"))
        .collect();
    assert!(shown(json!("tea-lover-1")).iter().all(|id| !taken.contains(id)));

    let mut wrong = model.clone();
    wrong["model"]["name"] = json!("wrong");
    wrong["fetch"]["personal_filters"] = json!("SELECT sku AS item_id FROM ev");
    let answer = api.post("/v1/models", &wrong);
    assert_eq!(
        answer.invalid(),
        (
            "body.fetch.personal_filters".to_owned(),
            "missing_column".to_owned()
        )
    );
}

#[test]
fn the_view_says_what_the_columns_mean() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    let api = &server.api;
    shop(api);
    api.dataset(&json!({"name": "things", "schema_type": "CUSTOM"}));
    let brands = ["aa", "bb"];
    let rows: Vec<Value> = (0..6)
        .map(|thing| {
            json!({
                "sku": format!("tea-{thing}"), "brand": brands[thing % 2], "title": format!("A tin of tea number {thing} for the whole year"),
                "price": 2.5 + thing as f64, "stock": thing % 2, "fair": thing > 3, "tags": ["green", "loose"],
                "picture": format!("https://shop.example/{thing}.jpg"), "vector": [0.1, 0.2, 0.3, thing], "added": now()
            })
        })
        .collect();
    api.post("/v1/datasets/things/insert", &json!({"data": rows}))
        .ok();
    let mut model = model("shop");
    model["connectors"] = json!([{"type": "Dataset", "id": "ev", "name": "orders"}, {"type": "Dataset", "id": "t", "name": "things"}]);
    model["fetch"]["items"] = json!(
        "SELECT sku AS item_id, brand, title, price, stock, fair, tags, picture, vector, CAST(added AS TIMESTAMP) AS added FROM t"
    );
    model["fetch"]["users"] = json!("SELECT DISTINCT buyer AS user_id, 'de' AS country FROM ev");
    api.model(&model);
    let features = api.get("/v1/models/shop").ok()["schema"]["features"].clone();
    let items = json!({
        "item_id": "Id", "brand": "LowCardinalityCategory", "title": "Text", "price": "Numerical", "stock": "Binary", "fair": "Boolean",
        "tags": "Set(Category)", "picture": "Image", "vector": "Vector", "added": "Timestamp"
    });
    assert_eq!(features["item"], items);
    assert_eq!(
        features["user"],
        json!({"user_id": "Id", "country": "LowCardinalityCategory"})
    );
    assert_eq!(
        features["interaction"],
        json!({"user_id": "Id", "item_id": "Id", "created_at": "Timestamp"})
    );
    assert_eq!(features["label"], "RatingLabel");
    // Events of things that the catalogue does not have are left out; derived columns are no metadata.
    let answer = api
        .post(
            "/v1/models/shop/retrieve",
            &json!({"return_metadata": true, "config": {"limit": 100}}),
        )
        .ok();
    assert_eq!(answer["ids"].as_array().unwrap().len(), 6);
    assert_eq!(answer["metadata"][0].as_object().unwrap().len(), 10, "{answer}");
    model["model"]["name"] = json!("reserved");
    model["fetch"]["items"] = json!("SELECT sku AS item_id, price AS interaction_count FROM t");
    assert_eq!(
        api.post("/v1/models", &model).invalid(),
        ("body.fetch.items".to_owned(), "reserved_column".to_owned())
    );
}

/// The vector of somebody, who must be known.
#[track_caller]
fn vector(api: &Api, user: &str) -> Vec<f64> {
    let body = json!({"user_ids": [user]});
    let answer = api.post("/v1/models/shop/user_embeddings", &body).ok();
    serde_json::from_value(answer["embeddings"][0].clone()).unwrap()
}

#[track_caller]
fn assert_near(one: &[f64], other: &[f64]) {
    let gap = one
        .iter()
        .zip(other)
        .map(|(a, b)| (a - b).abs())
        .fold(0.0, f64::max);
    assert!(one.len() == other.len() && gap < 1e-5, "{gap}: {one:?} {other:?}");
}

#[test]
fn a_row_that_replaces_another_is_no_further_event() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    let columns =
        json!({"order": "String", "buyer": "String", "sku": "String", "stars": "Int32", "at": "DateTime"});
    server.api.dataset(
        &json!({"name": "orders", "schema_type": "CUSTOM", "unique_keys": ["order"], "column_schema": columns}),
    );
    let mut rows = events()["data"].as_array().unwrap().clone();
    for (number, row) in rows.iter_mut().enumerate() {
        row["order"] = json!(format!("o-{number}"));
    }
    server
        .api
        .post("/v1/datasets/orders/insert", &json!({"data": rows}))
        .ok();
    server.api.model(&model("shop"));
    let order = |server: &Server, order: &str, buyer: &str, sku: &str| {
        let row = json!({"order": order, "buyer": buyer, "sku": sku, "stars": 5, "at": now()});
        server
            .api
            .post("/v1/datasets/orders/insert", &json!({"data": [row]}))
            .ok();
    };
    // Ann orders things of tea and has all of them changed to things of nut; bob ordered these to begin with.
    for number in 0..3 {
        order(&server, &format!("ann-{number}"), "ann", &format!("tea-{number}"));
        order(&server, &format!("bob-{number}"), "bob", &format!("nut-{number}"));
    }
    assert!(prefers_tea(&server.api, "shop", "ann"));
    let server = server.kill_and_restart();
    for number in 0..3 {
        order(&server, &format!("ann-{number}"), "ann", &format!("nut-{number}"));
    }
    assert_near(&vector(&server.api, "ann"), &vector(&server.api, "bob"));
    // The order goes to somebody else: it is no event of ann any more.
    for number in 0..3 {
        order(&server, &format!("ann-{number}"), "eve", &format!("nut-{number}"));
    }
    server
        .api
        .post("/v1/models/shop/user_embeddings", &json!({"user_ids": ["ann"]}))
        .problem(404);
    assert_near(&vector(&server.api, "eve"), &vector(&server.api, "bob"));
    let server = server.kill_and_restart();
    assert_near(&vector(&server.api, "eve"), &vector(&server.api, "bob"));
}

#[test]
fn a_rating_that_is_given_anew_replaces_the_one_that_was_trained() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    let api = &server.api;
    let columns = json!({"buyer": "String", "sku": "String", "stars": "Int32", "at": "DateTime"});
    api.dataset(
        &json!({"name": "orders", "schema_type": "CUSTOM", "unique_keys": ["buyer", "sku"], "column_schema": columns}),
    );
    api.post("/v1/datasets/orders/insert", &events()).ok();
    api.model(&model("shop"));
    let rows = |buyer: &str, stars: [i64; 5]| -> Vec<Value> {
        let row = |(thing, stars)| json!({"buyer": buyer, "sku": format!("tea-{thing}"), "stars": stars, "at": now()});
        (1..6).zip(stars).map(row).collect()
    };
    // The first of the lovers of tea has rated the things 1 to 5; the copy is new, with the ratings as they are then.
    let before = vector(api, "tea-lover-0");
    let ratings = [5, 1, 5, 1, 3];
    api.post(
        "/v1/datasets/orders/insert",
        &json!({"data": rows("tea-lover-0", ratings)}),
    )
    .ok();
    api.post(
        "/v1/datasets/orders/insert",
        &json!({"data": rows("copy", ratings)}),
    )
    .ok();
    let after = vector(api, "tea-lover-0");
    let gaps = before.iter().zip(&after).map(|(one, other)| (one - other).abs());
    let gap = gaps.fold(0.0, f64::max);
    assert!(gap > 1e-4, "{gap}");
    assert_near(&after, &vector(api, "copy"));
}

#[test]
fn a_training_that_a_shutdown_stops_is_taken_up_again_however_often() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    shop(&server.api);
    server.settle();
    server.api.post("/v1/models", &model("shop")).ok();
    let attempts = || -> i64 {
        let metadata = rusqlite::Connection::open(directory.path().join("metadata.sqlite")).unwrap();
        metadata
            .query_row("SELECT attempts FROM jobs", [], |row| row.get(0))
            .unwrap()
    };
    let stop = |server: Server| {
        let started = std::time::Instant::now();
        server.signal("TERM");
        assert_eq!(server.wait(), Some(0));
        assert!(started.elapsed() < Duration::from_secs(10));
        let work = std::fs::read_dir(directory.path().join("work")).unwrap().count();
        assert_eq!((attempts(), work), (0, 0), "as if it had not been tried");
    };
    stop(server);
    // A job that a server did not survive is given up after five attempts: a stopped one is not.
    for _ in 0..6 {
        stop(Server::start(directory.path()));
    }
    let server = Server::start(directory.path());
    let view = server.api.wait_for("/v1/models/shop");
    assert_eq!(view["status"], "ACTIVE", "{view}");
}
