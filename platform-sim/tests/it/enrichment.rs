//! AI_ENRICHMENT: columns from the row's own words, and from a model behind an endpoint.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::process::Command;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use super::client::{Api, PROGRAM, Server, film_rows, films};
use super::datasets::rows;

fn enrichment(name: &str, outputs: &[&str], prompt: &str) -> Value {
    json!({
        "name": name, "transform_type": "AI_ENRICHMENT", "source_dataset": "films",
        "source_columns": ["title", "plot"], "source_columns_in_output": ["id", "year", "tags"],
        "enriched_output_columns": outputs, "prompt": prompt
    })
}

#[track_caller]
fn becomes(api: &Api, transform: &str, expected: &Value) {
    let started = std::time::Instant::now();
    loop {
        let found = Value::from(rows(api, transform, "SELECT *, id AS item_id FROM d"));
        let found: Value = found
            .as_array()
            .unwrap()
            .iter()
            .map(|row| {
                let mut row = row.clone();
                row.as_object_mut().unwrap().remove("item_id");
                row
            })
            .collect();
        if found == *expected {
            return;
        }
        assert!(
            started.elapsed() < super::client::PATIENCE,
            "{found} instead of {expected}"
        );
        std::thread::sleep(std::time::Duration::from_millis(200));
    }
}

#[test]
fn without_an_endpoint_columns_come_from_the_words_of_the_row() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    let api = &server.api;
    api.dataset(&films());
    api.post("/v1/datasets/films/insert", &film_rows()).ok();
    api.transform(&enrichment(
        "tagged",
        &["keywords", "language", "summary", "place", "director"],
        "Keywords and a summary. The place is one of: City, Country, Unknown.",
    ));
    let details = api.get("/v1/transforms/tagged").ok();
    assert_eq!(details["transform_type"], "AI_ENRICHMENT");
    assert_eq!(details["source_datasets_names"], json!(["films"]));
    assert_eq!(details.get("sql_query"), None);
    let by = details["enriched_by"].as_str().unwrap();
    assert!(
        by.starts_with("built-in, extractive") && by.contains("no language model"),
        "{by}"
    );
    assert_eq!(
        details["transform_schema"],
        json!({"id": "String", "year": "Int32", "tags": "Array(String)", "keywords": "String", "language": "String", "summary": "String", "place": "String", "director": "String"})
    );
    let expected = json!([
        {"id": "m1", "year": 1949, "tags": ["noir"], "keywords": "third, man, writer, looks, friend", "language": "en",
         "summary": "The Third Man A writer looks for a friend in Vienna", "place": "Unknown", "director": null},
        {"id": "m2", "year": 1927, "tags": ["silent", "city"], "keywords": "metropolis, city, above, workers, below",
         "language": "en", "summary": "Metropolis A city above and workers below", "place": "City", "director": null},
        {"id": "m3", "year": 2001, "tags": null, "keywords": "vienna, waits, short, film", "language": "en",
         "summary": "Vienna waits A short film", "place": "Unknown", "director": null},
    ]);
    becomes(api, "tagged", &expected);
    // It follows its source, and SQL reads it like any other.
    api.post(
        "/v1/datasets/films/insert",
        &json!({"data": [{"id": "m3", "title": "Auf dem Land", "plot": "Er ist nicht da"}]}),
    )
    .ok();
    api.transform(&json!({
        "name": "german", "transform_type": "SQL", "sql_query": "SELECT id AS item_id FROM tagged WHERE language = 'de'"
    }));
    let started = std::time::Instant::now();
    while rows(api, "german", "SELECT * FROM d") != [json!({"item_id": "m3"})] {
        assert!(started.elapsed() < super::client::PATIENCE);
    }
}

#[test]
fn wrong_enrichments_are_refused_with_their_place() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    let api = &server.api;
    api.dataset(&films());
    let good = enrichment("t", &["keywords"], "Keywords");
    for (field, value, place, kind) in [
        ("source_columns", json!([]), "body.source_columns", "empty"),
        (
            "source_columns",
            json!(["titel"]),
            "body.source_columns.0",
            "unknown_column",
        ),
        (
            "source_columns",
            json!(["title", "title"]),
            "body.source_columns.1",
            "repeated",
        ),
        (
            "source_columns_in_output",
            json!(["id", "no"]),
            "body.source_columns_in_output.1",
            "unknown_column",
        ),
        (
            "enriched_output_columns",
            json!([]),
            "body.enriched_output_columns",
            "empty",
        ),
        (
            "enriched_output_columns",
            json!(["id"]),
            "body.enriched_output_columns.0",
            "repeated",
        ),
        (
            "enriched_output_columns",
            json!(["a\u{7}"]),
            "body.enriched_output_columns.0",
            "invalid_name",
        ),
        (
            "enriched_output_columns",
            json!("a"),
            "body.enriched_output_columns",
            "wrong_type",
        ),
        ("prompt", json!(" "), "body.prompt", "empty"),
        ("prompt", json!("x".repeat(20_000)), "body.prompt", "too_long"),
        ("prompt", json!(null), "body.prompt", "wrong_type"),
        (
            "source_dataset",
            json!("a/b"),
            "body.source_dataset",
            "invalid_name",
        ),
        ("sql_query", json!("SELECT 1"), "body.sql_query", "unknown_field"),
    ] {
        let mut body = good.clone();
        body[field] = value;
        let answer = api.post("/v1/transforms", &body);
        assert_eq!(
            answer.invalid(),
            (place.to_owned(), kind.to_owned()),
            "{}",
            answer.text
        );
    }
    for field in [
        "source_dataset",
        "source_columns",
        "enriched_output_columns",
        "prompt",
        "name",
    ] {
        let mut body = good.clone();
        body.as_object_mut().unwrap().remove(field);
        let answer = api.post("/v1/transforms", &body);
        assert_eq!(answer.invalid(), (format!("body.{field}"), "missing".to_owned()));
    }
    let mut body = good.clone();
    body["source_dataset"] = json!("absent");
    assert_eq!(
        api.post("/v1/transforms", &body).problem(404),
        "urn:siftwren:error:not-found"
    );
    assert_eq!(api.get("/v1/transforms").ok(), json!({"transforms": []}));
}

/// What a stand-in for a language model saw and how it shall answer.
#[derive(Default)]
struct Model {
    asked: Vec<Value>,
    keys: Vec<String>,
    /// Statuses to answer with before it answers properly.
    troubles: Vec<u16>,
}

fn model_endpoint() -> (SocketAddr, Arc<Mutex<Model>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let addr = listener.local_addr().unwrap();
    let model = Arc::new(Mutex::new(Model::default()));
    let shared = Arc::clone(&model);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let model = Arc::clone(&shared);
            std::thread::spawn(move || answer(stream.unwrap(), &model));
        }
    });
    (addr, model)
}

/// Answers one request: every column with the title in capital letters.
fn answer(mut stream: std::net::TcpStream, model: &Mutex<Model>) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let (mut length, mut key) = (0, String::new());
    let mut first = String::new();
    reader.read_line(&mut first).ok()?;
    assert!(first.starts_with("POST /v1/chat/completions "), "{first}");
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim().split_once(':') else {
            break;
        };
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.trim().parse().unwrap(),
            "authorization" => key = value.trim().to_owned(),
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let body: Value = serde_json::from_slice(&body).unwrap();
    assert_eq!(body["model"], "small");
    let row: Value = serde_json::from_str(body["messages"][1]["content"].as_str().unwrap()).unwrap();
    let trouble = {
        let mut model = model.lock().unwrap();
        model.keys.push(key);
        model.asked.push(row.clone());
        model.troubles.pop()
    };
    let shout = row["title"].as_str().unwrap_or_default().to_uppercase();
    let content = json!({"shout": shout, "list": ["a", "b"]}).to_string();
    let text = json!({"choices": [{"message": {"role": "assistant", "content": content}}]}).to_string();
    let status = trouble.unwrap_or(200);
    write!(
        stream,
        "HTTP/1.1 {status} x\r\ncontent-length: {}\r\nconnection: close\r\nretry-after: 0\r\n\r\n{text}",
        text.len()
    )
    .ok()
}

fn start(data_dir: &std::path::Path, addr: SocketAddr) -> Server {
    let mut command = Command::new(PROGRAM);
    command
        .args([
            "--addr",
            "127.0.0.1:0",
            "--log",
            "debug",
            "--enrichment-model",
            "small",
        ])
        .arg(format!("--enrichment-url=http://{addr}/v1/"))
        .arg("--data-dir")
        .arg(data_dir)
        .env("SIFTWREN_ENRICHMENT_KEY", "k3y-c4n4ry")
        .stderr(
            std::fs::File::options()
                .create(true)
                .append(true)
                .open(data_dir.with_extension("log"))
                .unwrap(),
        );
    Server::start_command(command, data_dir)
}

#[test]
fn an_endpoint_is_asked_once_for_each_row_and_its_troubles_are_ridden_out() {
    let directory = tempfile::tempdir().unwrap();
    let data_dir = directory.path().join("data");
    let (addr, model) = model_endpoint();
    let server = start(&data_dir, addr);
    let api = &server.api;
    api.dataset(&films());
    api.post("/v1/datasets/films/insert", &film_rows()).ok();
    model.lock().unwrap().troubles = vec![503, 429];
    let mut body = enrichment("loud", &["shout", "list", "more"], "Shout the title");
    body["source_columns_in_output"] = json!(["id"]);
    api.transform(&body);
    let row = |id: &str, shout: &str| json!({"id": id, "shout": shout, "list": "a, b", "more": null});
    becomes(
        api,
        "loud",
        &json!([
            row("m1", "THE THIRD MAN"),
            row("m2", "METROPOLIS"),
            row("m3", "VIENNA WAITS")
        ]),
    );
    let details = api.get("/v1/transforms/loud").ok();
    assert_eq!(
        details["enriched_by"],
        format!("the model small at http://{addr}/v1/")
    );
    assert_eq!(
        model.lock().unwrap().asked.len(),
        5,
        "three rows and two troubles"
    );
    assert!(
        model
            .lock()
            .unwrap()
            .keys
            .iter()
            .all(|key| key == "Bearer k3y-c4n4ry")
    );
    assert_eq!(
        model.lock().unwrap().asked[0].as_object().unwrap().len(),
        2,
        "no more than source_columns leaves the server"
    );

    // Only what is new or changed is asked for, after a crash as well.
    let server = server.kill();
    let server = start(&server, addr);
    let api = &server.api;
    api.post(
        "/v1/datasets/films/insert",
        &json!({"data": [{"id": "m2", "title": "Changed", "plot": "p"}, {"id": "m4", "title": "New"}, {"id": "m1", "title": "The Third Man", "plot": "A writer looks for a friend in Vienna", "year": 1}]}),
    )
    .ok();
    becomes(
        api,
        "loud",
        &json!([
            row("m1", "THE THIRD MAN"),
            row("m2", "CHANGED"),
            row("m3", "VIENNA WAITS"),
            row("m4", "NEW")
        ]),
    );
    assert_eq!(model.lock().unwrap().asked.len(), 7);

    // A refusal that lasts: what there was stays, and the reason is told.
    model.lock().unwrap().troubles = vec![401; 8];
    api.post(
        "/v1/datasets/films/insert",
        &json!({"data": [{"id": "m5", "title": "Later"}]}),
    )
    .ok();
    let details = api.wait_until("/v1/transforms/loud", |details| {
        !details["error_message"].is_null()
    });
    assert_eq!(details["status"], "ACTIVE");
    assert_eq!(
        details["error_message"],
        "the enrichment endpoint answered with status 401"
    );
    let log = std::fs::read_to_string(data_dir.with_extension("log")).unwrap();
    assert!(!log.contains("c4n4ry") && !details.to_string().contains("c4n4ry"));
    api.delete("/v1/transforms/loud").ok();
}
