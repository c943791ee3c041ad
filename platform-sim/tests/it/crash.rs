//! What survives SIGKILL: every acknowledged insert, whole; every job, to its end.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Value, json};

use super::client::{PATIENCE, Server, film_model, film_rows, films};

const KILLS: usize = 20;
const WRITERS: usize = 4;
const SEED: u64 = 20_260_131;

/// Reproducible numbers: the same seed gives the same kill times and batch sizes.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self, below: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % below
    }
}

#[test]
fn acknowledged_batches_survive_kill_9_and_every_batch_is_whole() {
    let directory = tempfile::tempdir().unwrap();
    let mut server = Server::start(directory.path());
    server.api.dataset(&json!({"name": "log", "schema_type": "CUSTOM", "column_schema": {"batch": "String", "row": "Int64"}}));
    // What was sent, and what was acknowledged, with the number of rows; outside the data directory.
    let sent: Mutex<BTreeMap<String, u64>> = Mutex::new(BTreeMap::new());
    let acknowledged: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let next_batch = AtomicUsize::new(0);
    let mut numbers = Numbers(SEED);
    for kill in 0..KILLS {
        let lifetime = Duration::from_millis(20 + numbers.next(330));
        let seeds: Vec<u64> = (0..WRITERS).map(|_| numbers.next(u64::MAX >> 34)).collect();
        std::thread::scope(|scope| {
            for seed in seeds {
                let api = server.api.clone();
                let (sent, acknowledged, next_batch) = (&sent, &acknowledged, &next_batch);
                scope.spawn(move || {
                    let mut numbers = Numbers(seed);
                    loop {
                        let batch = format!("{kill}-{}", next_batch.fetch_add(1, Ordering::Relaxed));
                        let size = 1 + numbers.next(60);
                        let rows: Vec<Value> =
                            (0..size).map(|row| json!({"batch": batch, "row": row})).collect();
                        sent.lock().unwrap().insert(batch.clone(), size);
                        let body = json!({"data": rows}).to_string();
                        let headers = [
                            ("x-api-key", api.admin.as_str()),
                            ("content-type", "application/json"),
                        ];
                        match api.try_call("POST", "/v1/datasets/log/insert", &headers, body.as_bytes()) {
                            Ok(answer) => {
                                assert_eq!(answer.status, 200, "{answer:?}");
                                acknowledged.lock().unwrap().insert(batch);
                            }
                            // The server was killed under this request: the batch may be there, whole, or not.
                            Err(_) => return,
                        }
                    }
                });
            }
            std::thread::sleep(lifetime);
            server.signal("KILL");
        });
        server = server.kill_and_restart();
    }

    let sent = sent.into_inner().unwrap();
    let acknowledged = acknowledged.into_inner().unwrap();
    let found = batches(&server);
    let lost: Vec<&String> = acknowledged
        .iter()
        .filter(|batch| !found.contains_key(*batch))
        .collect();
    let torn: Vec<&String> = found
        .iter()
        .filter(|(batch, rows)| sent.get(*batch) != Some(rows))
        .map(|(batch, _)| batch)
        .collect();
    println!(
        "{KILLS} kills, {} batches sent, {} acknowledged, {} found, {} lost, {} torn, seed {SEED}",
        sent.len(),
        acknowledged.len(),
        found.len(),
        lost.len(),
        torn.len()
    );
    assert!(lost.is_empty(), "acknowledged and lost: {lost:?}");
    assert!(torn.is_empty(), "not whole: {torn:?}");
    assert!(
        acknowledged.len() >= KILLS,
        "too few inserts to show anything: {}",
        acknowledged.len()
    );
    // Files of inserts that never were acknowledged are gone.
    let files = std::fs::read_dir(server.data_dir.join("rows/1")).unwrap().count();
    assert_eq!(files, found.len(), "a file for each batch and no other");
}

/// The batches that are in the dataset and their numbers of rows, by way of models over it.
fn batches(server: &Server) -> BTreeMap<String, u64> {
    let api = &server.api;
    let mut batches = BTreeMap::new();
    // One model a writer's remainder keeps every answer under the limit of results.
    for part in 0.. {
        let name = format!("batches-{part}");
        api.model(&json!({
            "model": {"name": name}, "connectors": [{"type": "Dataset", "id": "log", "name": "log"}],
            "fetch": {
                "events": "SELECT '' AS user_id, '' AS item_id, 1 AS label, CAST(NULL AS TIMESTAMP) AS created_at FROM log WHERE FALSE",
                "items": format!(
                    "SELECT batch AS item_id, COUNT(DISTINCT row) AS distinct_rows, COUNT(*) AS all_rows FROM log GROUP BY batch ORDER BY batch LIMIT 1000 OFFSET {}",
                    part * 1000
                )
            }
        }));
        let body = json!({"return_metadata": true, "config": {"limit": 1000}});
        let answer = api.post(&format!("/v1/models/{name}/retrieve"), &body).ok();
        let rows = answer["metadata"].as_array().unwrap();
        for row in rows {
            assert_eq!(row["distinct_rows"], row["all_rows"], "no row twice: {row}");
            batches.insert(
                row["item_id"].as_str().unwrap().to_owned(),
                row["all_rows"].as_u64().unwrap(),
            );
        }
        if rows.len() < 1000 {
            break;
        }
    }
    batches
}

#[test]
fn everything_is_there_after_a_restart() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    server.api.dataset(&films());
    server.api.post("/v1/datasets/films/insert", &film_rows()).ok();
    server.api.model(&film_model("m"));
    let dataset = server.api.get("/v1/datasets/films").ok();
    let query = json!({"text_query": "vienna", "return_metadata": true});
    let answer = server.api.post("/v1/models/m/retrieve", &query).ok();
    let server = server.kill_and_restart();
    let api = &server.api;
    // The address, and with it the URIs, is another; everything else is the same, the keys included.
    assert_eq!(
        api.get("/v1/datasets/films").ok()["created_at"],
        dataset["created_at"]
    );
    assert_eq!(
        api.get("/v1/datasets/films").ok()["dataset_schema"],
        dataset["dataset_schema"]
    );
    assert_eq!(api.post("/v1/models/m/retrieve", &query).ok(), answer);
    api.model(&film_model("m2"));
    assert_eq!(api.post("/v1/models/m2/retrieve", &query).ok(), answer);
}

#[test]
fn a_deleted_thing_stays_deleted() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    server.api.dataset(&films());
    server.api.post("/v1/datasets/films/insert", &film_rows()).ok();
    server.api.model(&film_model("m"));
    server.api.delete("/v1/models/m").ok();
    server.api.delete("/v1/datasets/films").ok();
    let server = server.kill_and_restart();
    assert_eq!(server.api.get("/v1/datasets").ok(), json!({"datasets": []}));
    assert_eq!(server.api.get("/v1/models").ok(), json!({"models": []}));
}

#[test]
fn a_model_whose_training_was_killed_is_trained_at_the_next_start() {
    let directory = tempfile::tempdir().unwrap();
    let mut server = Server::start(directory.path());
    server.api.dataset(&films());
    server.api.post("/v1/datasets/films/insert", &film_rows()).ok();
    let mut numbers = Numbers(SEED);
    let mut interrupted = 0;
    for round in 0..8 {
        let name = format!("m{round}");
        server.api.post("/v1/models", &film_model(&name)).ok();
        std::thread::sleep(Duration::from_millis(numbers.next(250)));
        let status = server.api.get(&format!("/v1/models/{name}")).ok()["status"].clone();
        server = server.kill_and_restart();
        let view = server.api.wait_for(&format!("/v1/models/{name}"));
        assert_eq!(view["status"], "ACTIVE", "{view}");
        assert_eq!(
            server.api.ids(&name, &json!({"text_query": "vienna"})),
            ["m3", "m1"]
        );
        interrupted += usize::from(status != "ACTIVE");
    }
    assert!(
        interrupted > 0,
        "no training was interrupted: the rounds show nothing"
    );
}

#[test]
fn a_job_that_no_start_survives_ends_in_error() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    server.api.dataset(&films());
    server.api.model(&film_model("m"));
    server.settle();
    let data_dir = server.kill();
    let metadata = rusqlite::Connection::open(data_dir.join("metadata.sqlite")).unwrap();
    metadata
        .execute_batch(
            "UPDATE models SET status = 'TRAINING';
             INSERT INTO jobs (kind, target, attempts, created_at) SELECT 'TRAIN_MODEL', id, 5, '' FROM models;",
        )
        .unwrap();
    drop(metadata);
    let server = Server::start(&data_dir);
    let view = server.api.wait_for("/v1/models/m");
    assert_eq!(view["status"], "ERROR");
    assert!(
        view["error_message"].as_str().unwrap().contains("given up"),
        "{view}"
    );
}

#[test]
fn damaged_model_files_are_noticed_and_made_anew() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    server.api.dataset(&films());
    server.api.post("/v1/datasets/films/insert", &film_rows()).ok();
    server.api.model(&film_model("m"));
    server.settle();
    let data_dir = server.kill();
    let items = data_dir.join("models/1/1/items.arrow");
    let mut bytes = std::fs::read(&items).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&items, bytes).unwrap();
    let server = Server::start(&data_dir);
    let view = server.api.wait_for("/v1/models/m");
    assert_eq!(view["status"], "ACTIVE", "{view}");
    server.settle();
    assert_eq!(
        server.api.ids("m", &json!({"text_query": "vienna"})),
        ["m3", "m1"]
    );
    assert!(data_dir.join("models/1/2").exists() && !data_dir.join("models/1/1").exists());
}

#[test]
fn deletes_during_training_and_inserts_leave_nothing_behind() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    let api = &server.api;
    for round in 0..4_u64 {
        api.dataset(&films());
        api.post("/v1/datasets/films/insert", &film_rows()).ok();
        api.post("/v1/models", &film_model("m")).ok();
        std::thread::sleep(Duration::from_millis(round * 60));
        api.delete("/v1/models/m").ok();
        api.delete("/v1/datasets/films").ok();
    }
    let started = std::time::Instant::now();
    let left = || {
        ["models", "work", "rows"].map(|part| std::fs::read_dir(server.data_dir.join(part)).unwrap().count())
    };
    while left() != [0, 0, 0] {
        assert!(started.elapsed() < PATIENCE, "models, work, rows: {:?}", left());
        std::thread::sleep(Duration::from_millis(50));
    }
    api.post("/v1/models/m/retrieve", &json!({})).problem(404);
}
