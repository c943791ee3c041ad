//! What a restart finds, whatever ended the run before: jobs go on to their end, deleted things stay deleted, damaged
//! models are made anew. `durability` kills at random.

use std::time::Duration;

use serde_json::json;

use super::client::{PATIENCE, Server, film_model, film_rows, films};
use super::durability::Numbers;

const SEED: u64 = 20_260_131;

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
    assert!(data_dir.join("models/1/2").exists());
    // The damaged version goes a moment after the model is ACTIVE.
    let started = std::time::Instant::now();
    while data_dir.join("models/1/1").exists() {
        assert!(started.elapsed() < PATIENCE);
        std::thread::sleep(Duration::from_millis(20));
    }
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
