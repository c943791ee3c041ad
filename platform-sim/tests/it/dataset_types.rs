//! The nineteen schema types: what each needs, what it refuses, that nothing secret ever comes back; edits.

use std::process::Command;

use serde_json::{Map, Value, json};

use super::client::{PROGRAM, Server, film_rows, films};

/// Stands in every secret field; no answer and no log may have it.
const CANARY: &str = "c4n4ry-s3cr3t";

fn document() -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../api-spec/v1/openapi.yaml");
    serde_yaml_ng::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// Every schema type with its schema.
fn schemas(document: &Value) -> Vec<(String, Value)> {
    let schemas = &document["components"]["schemas"];
    let mapping = schemas["DatasetConfig"]["discriminator"]["mapping"]
        .as_object()
        .unwrap();
    mapping
        .iter()
        .map(|(name, reference)| {
            let reference = reference.as_str().unwrap().strip_prefix('#').unwrap();
            (name.clone(), document.pointer(reference).unwrap().clone())
        })
        .collect()
}

/// A value that a field takes.
fn example(schema_type: &str, field: &str, property: &Value) -> Value {
    if field == "name" {
        return json!(format!("all-{}", schema_type.to_lowercase()));
    }
    if property["writeOnly"] == json!(true) {
        return json!(CANARY);
    }
    if let Some(allowed) = property["enum"].as_array() {
        return allowed[0].clone();
    }
    match field {
        "schedule_interval" => json!("30 4 * * 1-5"),
        "start_date" => json!("2026-01-31"),
        "column_schema" => json!({"id": "String", "at": "DateTime"}),
        "unique_keys" | "columns" => json!(["id"]),
        _ if !property["minimum"].is_null() => json!(7777),
        _ => json!(format!("some {field}")),
    }
}

#[test]
fn every_schema_type_is_checked_by_its_own_rules_and_shows_no_secret() {
    let directory = tempfile::tempdir().unwrap();
    let log = directory.path().join("log");
    let mut command = Command::new(PROGRAM);
    command
        .args(["--addr", "127.0.0.1:0", "--log", "trace", "--data-dir"])
        .arg(directory.path().join("data"))
        .stderr(std::fs::File::create(&log).unwrap());
    let server = Server::start_command(command, &directory.path().join("data"));
    let api = &server.api;
    let document = document();
    let schemas = schemas(&document);
    assert_eq!(schemas.len(), 19);
    let mut said = String::new();
    let mut secrets = 0;
    for (schema_type, schema) in &schemas {
        let body: Map<String, Value> = schema["properties"]
            .as_object()
            .unwrap()
            .iter()
            .map(|(field, property)| (field.clone(), example(schema_type, field, property)))
            .collect();
        secrets += body.values().filter(|value| **value == json!(CANARY)).count();
        let name = body["name"].as_str().unwrap().to_owned();
        let path = format!("/v1/datasets/{name}");

        for required in schema["required"].as_array().unwrap() {
            let mut without = body.clone();
            without.remove(required.as_str().unwrap());
            let answer = api.post("/v1/datasets/", &Value::Object(without));
            let place = format!("body.{}", required.as_str().unwrap());
            assert_eq!(answer.invalid(), (place, "missing".to_owned()), "{schema_type}");
            said += &answer.text;
        }
        for field in body.keys().filter(|field| *field != "schema_type") {
            let mut wrong = body.clone();
            wrong.insert(field.clone(), json!({"not": [CANARY]}));
            // A column schema is an object: what is wrong is inside.
            let place = if field == "column_schema" {
                "body.column_schema.not".to_owned()
            } else {
                format!("body.{field}")
            };
            let answer = api.post("/v1/datasets/", &Value::Object(wrong));
            assert_eq!(answer.invalid().0, place, "{schema_type}: {}", answer.text);
            said += &answer.text;
        }
        let mut more = body.clone();
        more.insert("colour".to_owned(), json!(CANARY));
        let answer = api.post("/v1/datasets/", &Value::Object(more));
        assert_eq!(
            answer.invalid(),
            ("body.colour".to_owned(), "unknown_field".to_owned()),
            "{schema_type}"
        );
        said += &answer.text;

        let answer = api.post("/v1/datasets/", &Value::Object(body.clone()));
        answer.ok();
        said += &answer.text;
        let answer = api.post("/v1/datasets/", &Value::Object(body.clone()));
        assert_eq!(answer.problem(409), "urn:siftwren:error:already-exists");
        said += &answer.text;
        let details = api.wait_for(&path);
        assert_eq!(details["schema_type"], **schema_type);
        if schema_type == "CUSTOM" {
            assert_eq!(details["status"], "ACTIVE");
        } else {
            assert_eq!(details["status"], "ERROR");
            let message = details["error_message"].as_str().unwrap();
            assert!(
                message.contains(&format!("no connector for {schema_type}")),
                "{message}"
            );
            let answer = api.post(&format!("{path}/insert"), &json!({"data": [{"id": "a"}]}));
            assert_eq!(answer.problem(400), "urn:siftwren:error:not-active");
            said += &answer.text;
        }
        for (field, property) in schema["properties"].as_object().unwrap() {
            let shown = &details["config"][field];
            if property["writeOnly"] == json!(true) {
                assert!(shown.is_null(), "{schema_type}.{field}");
            } else if !["name", "schema_type", "description", "column_schema"].contains(&field.as_str()) {
                assert_eq!(shown, &body[field], "{schema_type}.{field}");
            }
        }
        said += &details.to_string();

        let mut secret = json!({"name": name, "description": "changed"});
        for (field, property) in schema["properties"].as_object().unwrap() {
            if property["writeOnly"] == json!(true) {
                secret[field] = json!(format!("{CANARY}-2"));
            }
        }
        let answer = api.patch("/v1/datasets", &secret);
        answer.ok();
        said += &answer.text;
        let details = api.wait_for(&path);
        assert_eq!(details["description"], "changed");
        assert_eq!(details["config"]["unique_keys"], json!(body.get("unique_keys")));
        said += &details.to_string();
        said += &api
            .post_text("/v1/datasets/", &format!("{{\"password\": \"{CANARY}\""))
            .text;
    }
    said += &api.get("/v1/datasets/").text;
    said += &api.get("/v1/models").text;
    assert!(secrets >= 15, "{secrets}");
    let log = std::fs::read_to_string(log).unwrap();
    assert!(log.lines().count() > 100, "the log is there");
    let leaks = [said.matches(CANARY).count(), log.matches(CANARY).count()];
    println!(
        "{secrets} secrets of 19 types sent in {} answers' bytes, leaks {leaks:?}",
        said.len()
    );
    assert_eq!(leaks, [0, 0]);
}

#[test]
fn defaults_are_shown_and_the_smallest_bodies_suffice() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    let api = &server.api;
    let document = document();
    for (schema_type, schema) in schemas(&document) {
        let body: Map<String, Value> = schema["required"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(Value::as_str)
            .map(|field| {
                (
                    field.to_owned(),
                    example(&schema_type, field, &schema["properties"][field]),
                )
            })
            .collect();
        api.post("/v1/datasets/", &Value::Object(body.clone())).ok();
        let details = api
            .get(&format!("/v1/datasets/{}", body["name"].as_str().unwrap()))
            .ok();
        for (field, property) in schema["properties"].as_object().unwrap() {
            if !property["default"].is_null() {
                assert_eq!(
                    details["config"][field], property["default"],
                    "{schema_type}.{field}"
                );
            }
        }
    }
    let schedule =
        |name: &str| api.get(&format!("/v1/datasets/{name}")).ok()["config"]["schedule_interval"].clone();
    assert_eq!(schedule("all-dynamodb"), "@once");
    assert_eq!(schedule("all-mysql"), "@hourly");
    assert_eq!(api.get("/v1/datasets/all-postgres").ok()["config"]["port"], 5432);
}

#[test]
fn wrong_configurations_are_a_422_with_every_wrong_place() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    let api = &server.api;
    let good = json!({
        "name": "d", "schema_type": "MYSQL", "host": "h", "port": 3306, "user": "u", "password": "p",
        "table": "t", "database": "d", "replication_key": "k"
    });
    for (field, value, place, kind) in [
        ("port", json!(0), "body.port", "out_of_range"),
        ("port", json!(65_536), "body.port", "out_of_range"),
        ("port", json!("3306"), "body.port", "wrong_type"),
        ("port", json!(1.5), "body.port", "wrong_type"),
        ("host", json!(""), "body.host", "empty"),
        ("host", json!("\u{0}"), "body.host", "invalid_value"),
        ("password", json!("x".repeat(40_000)), "body.password", "too_long"),
        (
            "schedule_interval",
            json!("@sometimes"),
            "body.schedule_interval",
            "invalid_schedule",
        ),
        (
            "schedule_interval",
            json!("61 * * * *"),
            "body.schedule_interval",
            "invalid_schedule",
        ),
        (
            "deployment_type",
            json!("REALTIME"),
            "body.deployment_type",
            "not_supported",
        ),
        (
            "deployment_type",
            json!("realtime"),
            "body.deployment_type",
            "unknown_value",
        ),
        ("columns", json!(["a", "a"]), "body.columns.1", "repeated"),
        ("columns", json!(["a", 1]), "body.columns.1", "wrong_type"),
        ("batch_size", json!(-1), "body.batch_size", "out_of_range"),
        (
            "column_schema",
            json!({"a": "String"}),
            "body.column_schema",
            "unknown_field",
        ),
        ("schema_type", json!("mysql"), "body.schema_type", "unknown_value"),
        ("schema_type", json!(1), "body.schema_type", "wrong_type"),
        ("name", json!("../d"), "body.name", "invalid_name"),
    ] {
        let mut body = good.clone();
        body[field] = value;
        let answer = api.post("/v1/datasets/", &body);
        assert_eq!(
            answer.invalid(),
            (place.to_owned(), kind.to_owned()),
            "{}",
            answer.text
        );
    }
    let answer = api.post(
        "/v1/datasets/",
        &json!({"name": "d", "schema_type": "MYSQL", "pasword": "p", "port": 0}),
    );
    let body = answer.json();
    let detail = body["detail"].as_array().unwrap();
    let places: Vec<&str> = detail
        .iter()
        .map(|entry| entry["loc"][1].as_str().unwrap())
        .collect();
    for place in [
        "host",
        "user",
        "password",
        "table",
        "database",
        "replication_key",
        "port",
        "pasword",
    ] {
        assert!(places.contains(&place), "{place}: {body}");
    }
    assert!(
        answer.text.contains("did you mean `password`?"),
        "{}",
        answer.text
    );
    assert_eq!(api.get("/v1/datasets").ok(), json!({"datasets": []}));
}

#[test]
fn an_edit_changes_what_it_names_and_keeps_the_rest() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    let api = &server.api;
    api.dataset(&films());
    api.post("/v1/datasets/films/insert", &film_rows()).ok();
    let before = api.get("/v1/datasets/films").ok();

    let answer = api.patch("/v1/datasets", &json!({"name": "films", "description": "Seen"}));
    assert_eq!(answer.ok()["message"], "dataset 'films' is changed");
    let after = api.get("/v1/datasets/films").ok();
    assert_eq!(after["description"], "Seen");
    assert_eq!(after["status"], "ACTIVE", "a description needs no deployment");
    for field in ["dataset_schema", "config", "created_at"] {
        assert_eq!(after[field], before[field]);
    }
    assert_ne!(after["updated_at"], before["updated_at"]);

    let mut columns = before["dataset_schema"].clone();
    columns["rating"] = json!("Double");
    api.patch(
        "/v1/datasets/",
        &json!({"name": "films", "column_schema": columns, "description": null}),
    )
    .ok();
    let after = api.wait_for("/v1/datasets/films");
    assert_eq!(after["dataset_schema"], columns);
    assert_eq!(after["description"], Value::Null);
    api.post(
        "/v1/datasets/films/insert",
        &json!({"data": [{"id": "m4", "rating": 0.5}]}),
    )
    .ok();

    columns["year"] = json!("String");
    for (change, place, kind) in [
        (
            json!({"column_schema": columns}),
            "body.column_schema.year",
            "column_in_use",
        ),
        (
            json!({"column_schema": {"id": "String"}}),
            "body.column_schema.title",
            "column_in_use",
        ),
        (
            json!({"unique_keys": ["nothing"]}),
            "body.unique_keys.0",
            "unknown_column",
        ),
        (
            json!({"schema_type": "POSTGRES"}),
            "body.schema_type",
            "not_editable",
        ),
        (json!({"host": "h"}), "body.host", "unknown_field"),
        (json!({"name": 1}), "body.name", "wrong_type"),
        (json!({"name": null}), "body.name", "missing"),
        (json!({"name": "a/b"}), "body.name", "invalid_name"),
    ] {
        let mut body = json!({"name": "films"});
        for (field, value) in change.as_object().unwrap() {
            body[field] = value.clone();
        }
        let answer = api.patch("/v1/datasets", &body);
        // Which of two columns that are left out is named first is nobody's business.
        let (found, found_kind) = answer.invalid();
        assert!(
            found == place || (kind == "column_in_use" && found.starts_with("body.column_schema.")),
            "{}",
            answer.text
        );
        assert_eq!(found_kind, kind);
    }
    assert_eq!(
        api.patch("/v1/datasets", &json!({"name": "absent"})).problem(404),
        "urn:siftwren:error:not-found"
    );
    // Without rows everything may change.
    api.dataset(&json!({"name": "empty", "schema_type": "CUSTOM", "column_schema": {"a": "String"}}));
    api.patch(
        "/v1/datasets",
        &json!({"name": "empty", "column_schema": {"b": "Int64"}, "unique_keys": ["b"]}),
    )
    .ok();
    let after = api.wait_for("/v1/datasets/empty");
    assert_eq!(after["dataset_schema"], json!({"b": "Int64"}));
    assert_eq!(after["config"]["unique_keys"], json!(["b"]));
}

#[test]
fn edits_survive_kill_9_and_so_do_secrets() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    let body = json!({"name": "q", "schema_type": "KAFKA", "topic": "t", "bootstrap_server": "b:9092", "password": CANARY});
    server.api.post("/v1/datasets/", &body).ok();
    server
        .api
        .patch(
            "/v1/datasets",
            &json!({"name": "q", "topic": "t2", "unique_keys": ["id"]}),
        )
        .ok();
    let server = server.kill_and_restart();
    let details = server.api.wait_for("/v1/datasets/q");
    assert_eq!(details["config"]["topic"], "t2");
    assert_eq!(details["config"]["unique_keys"], json!(["id"]));
    let metadata = rusqlite::Connection::open(server.data_dir.join("metadata.sqlite")).unwrap();
    let secrets: String = metadata
        .query_row("SELECT secrets FROM datasets", [], |row| row.get(0))
        .unwrap();
    assert_eq!(secrets, json!({"password": CANARY}).to_string());
    let mode = std::os::unix::fs::PermissionsExt::mode(
        &std::fs::metadata(server.data_dir.join("metadata.sqlite"))
            .unwrap()
            .permissions(),
    );
    assert_eq!(mode & 0o077, 0, "nobody else may read the secrets: {mode:o}");
}

#[test]
fn a_data_directory_of_the_first_version_is_brought_up_to_date() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    server.api.dataset(&films());
    server.api.post("/v1/datasets/films/insert", &film_rows()).ok();
    let data_dir = server.kill();
    let metadata = rusqlite::Connection::open(data_dir.join("metadata.sqlite")).unwrap();
    // As the first version left it.
    for column in ["schema_type", "config", "secrets", "warning_message", "revision"] {
        metadata
            .execute_batch(&format!("ALTER TABLE datasets DROP COLUMN {column}"))
            .unwrap();
    }
    metadata
        .execute_batch(
            "DROP TABLE enrichments; DROP TABLE transform_files; DROP TABLE transforms;
             DROP TABLE online_interactions; ALTER TABLE models DROP COLUMN scheduled_at;",
        )
        .unwrap();
    metadata.pragma_update(None, "user_version", 1).unwrap();
    drop(metadata);
    let server = Server::start(&data_dir);
    let details = server.api.get("/v1/datasets/films").ok();
    assert_eq!(details["schema_type"], "CUSTOM");
    assert_eq!(details["config"]["unique_keys"], json!(["id"]));
    server.api.model(&super::client::film_model("m"));
    assert_eq!(
        server.api.ids("m", &json!({"text_query": "vienna"})),
        ["m3", "m1"]
    );
}

#[test]
fn a_deletion_that_was_killed_is_finished_at_the_next_start() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    server.api.dataset(&films());
    server.api.post("/v1/datasets/films/insert", &film_rows()).ok();
    let data_dir = server.kill();
    let metadata = rusqlite::Connection::open(data_dir.join("metadata.sqlite")).unwrap();
    metadata
        .execute_batch(
            "UPDATE datasets SET status = 'DESTROYING';
             INSERT INTO jobs (kind, target, attempts, created_at) SELECT 'DESTROY_DATASET', id, 1, '' FROM datasets;",
        )
        .unwrap();
    drop(metadata);
    let server = Server::start(&data_dir);
    let started = std::time::Instant::now();
    while server.api.get("/v1/datasets").ok() != json!({"datasets": []}) {
        assert!(started.elapsed() < super::client::PATIENCE);
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert_eq!(std::fs::read_dir(data_dir.join("rows")).unwrap().count(), 0);
}
