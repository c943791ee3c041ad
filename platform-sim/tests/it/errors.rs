//! Every error of the API, by its status and its body.

use serde_json::json;

use super::client::{Server, film_model, film_rows, films};

const UNKNOWN_KEY: &str = "0123456789012345678901234567890123456789";

#[test]
fn keys_are_checked_before_anything_else() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    let api = &server.api;
    let key = |key: &str| api.call("GET", "/v1/models", &[("x-api-key", key)], b"");
    let header = ("header.x-api-key".to_owned(), "wrong_length".to_owned());
    assert_eq!(
        api.call("GET", "/v1/models", &[], b"").invalid(),
        ("header.x-api-key".to_owned(), "missing".to_owned())
    );
    assert_eq!(key(&UNKNOWN_KEY[..39]).invalid(), header);
    assert_eq!(key(&format!("{UNKNOWN_KEY}0")).invalid(), header);
    assert_eq!(key("").invalid(), header);
    // Forty characters, more bytes.
    assert_eq!(key(&"é".repeat(40)).invalid(), header);
    assert_eq!(key(UNKNOWN_KEY).problem(401), "urn:siftwren:error:unknown-key");
    assert_eq!(
        key(&api.admin.to_uppercase()).problem(401),
        "urn:siftwren:error:unknown-key"
    );
    let twice = api.call(
        "GET",
        "/v1/models",
        &[("x-api-key", &api.admin), ("x-api-key", &api.admin)],
        b"",
    );
    assert_eq!(twice.invalid().1, "repeated");
    key(&api.admin).ok();
}

#[test]
fn the_search_key_can_only_retrieve_and_probes_and_queries_need_no_key_on_loopback() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    let api = &server.api;
    let headers = [
        ("x-api-key", api.search.as_str()),
        ("content-type", "application/json"),
    ];
    let mut operations = 0;
    for (method, path) in platform_sim::operations() {
        let path = path
            .replace("{dataset_name}", "films")
            .replace("{transform_name}", "films")
            .replace("{model_name}", "films")
            .replace("{query_name}", "films");
        let answer = api.call(&method, &path, &headers, b"{}");
        if path.ends_with("/retrieve") {
            // The key is good, the model is not there.
            assert_eq!(answer.problem(404), "urn:siftwren:error:not-found");
        } else if path == "/v1/ping" || path == "/v1/liveness" {
            answer.ok();
            api.call(&method, &path, &[], b"").ok();
        } else if path.starts_with("/v1/quer") {
            // The key is not looked at; the body or the name is wrong.
            let without = api.call(&method, &path, &headers[1..], b"{}");
            assert!([200, 404, 422].contains(&answer.status), "{answer:?}");
            assert_eq!(without.status, answer.status, "{method} {path}");
        } else {
            assert_eq!(
                answer.problem(403),
                "urn:siftwren:error:wrong-scope",
                "{method} {path}"
            );
        }
        operations += 1;
    }
    assert_eq!(operations, 32);
}

#[test]
fn a_wrong_body_is_a_422_that_says_where() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    let api = &server.api;
    let deep = format!(
        r#"{{"column_schema":{}{}}}"#,
        "[".repeat(200_000),
        "]".repeat(200_000)
    );
    let model = film_model("m");
    let with = |path: &[&str], value: serde_json::Value| {
        let mut body = model.clone();
        let mut place = &mut body;
        for part in path {
            place = &mut place[*part];
        }
        *place = value;
        body.to_string()
    };
    let datasets = "/v1/datasets/";
    let models = "/v1/models";
    let dataset = |rest: &str| format!(r#"{{"name":"d","schema_type":"CUSTOM",{rest}}}"#);
    for (path, body, place, kind) in [
        (datasets, "{".to_owned(), "body", "json_syntax"),
        (datasets, "".to_owned(), "body", "json_syntax"),
        (datasets, "{} {}".to_owned(), "body", "json_syntax"),
        (datasets, "\u{0}".to_owned(), "body", "json_syntax"),
        (datasets, r#"{"name":"\ud800"}"#.to_owned(), "body", "json_syntax"),
        (datasets, r#"{"name":1e400}"#.to_owned(), "body", "json_syntax"),
        (datasets, deep, "body", "json_too_deep"),
        (datasets, "[]".to_owned(), "body", "wrong_type"),
        (datasets, "{}".to_owned(), "body.name", "missing"),
        (
            datasets,
            r#"{"name":"d"}"#.to_owned(),
            "body.schema_type",
            "missing",
        ),
        (
            datasets,
            r#"{"name":"d","schema_type":"POSTGRES","host":"h"}"#.to_owned(),
            "body.user",
            "missing",
        ),
        (
            datasets,
            r#"{"name":"d","schema_type":"ORACLE"}"#.to_owned(),
            "body.schema_type",
            "unknown_value",
        ),
        (datasets, dataset(r#""colour":1"#), "body.colour", "unknown_field"),
        (
            datasets,
            dataset(r#""unique_keys":"id""#),
            "body.unique_keys",
            "wrong_type",
        ),
        (
            datasets,
            dataset(r#""unique_keys":["a","a"]"#),
            "body.unique_keys.1",
            "repeated",
        ),
        (
            datasets,
            dataset(r#""unique_keys":["b"],"column_schema":{"a":"String"}"#),
            "body.unique_keys.0",
            "unknown_column",
        ),
        (
            datasets,
            dataset(r#""column_schema":{}"#),
            "body.column_schema",
            "empty",
        ),
        (
            datasets,
            dataset(r#""column_schema":{"a":"Text"}"#),
            "body.column_schema.a",
            "unknown_value",
        ),
        (
            datasets,
            dataset(r#""deployment_type":"REALTIME""#),
            "body.deployment_type",
            "not_supported",
        ),
        (
            datasets,
            r#"{"name":"../d","schema_type":"CUSTOM"}"#.to_owned(),
            "body.name",
            "invalid_name",
        ),
        (
            models,
            with(&["model", "slate_size"], json!(0)),
            "body.model.slate_size",
            "out_of_range",
        ),
        (
            models,
            with(&["model", "slate_size"], json!(1.5)),
            "body.model.slate_size",
            "wrong_type",
        ),
        (
            "/v1/models/m/retrieve",
            "[null,null]".to_owned(),
            "body",
            "wrong_type",
        ),
        (
            "/v1/models/m/retrieve",
            r#"{"config":[0,0]}"#.to_owned(),
            "body.config",
            "wrong_type",
        ),
        (
            models,
            with(&["connectors"], json!([["Dataset", "f", "films"]])),
            "body.connectors.0",
            "wrong_type",
        ),
        (
            models,
            with(&["fetch"], json!(["SELECT 1"])),
            "body.fetch",
            "wrong_type",
        ),
        (models, "{}".to_owned(), "body.model", "missing"),
        (models, with(&["model"], json!({})), "body.model.name", "missing"),
        (
            models,
            with(&["fetch"], json!({})),
            "body.fetch.events",
            "missing",
        ),
        (
            models,
            with(&["fetch", "events"], json!(1)),
            "body.fetch.events",
            "wrong_type",
        ),
        (
            models,
            with(&["fetch", "personal_filters"], json!(["SELECT 1"])),
            "body.fetch.personal_filters",
            "wrong_type",
        ),
        (
            models,
            with(&["version"], json!("v3")),
            "body.version",
            "unknown_value",
        ),
        (
            models,
            with(&["model", "train_schedule"], json!("@monthly")),
            "body.model.train_schedule",
            "invalid_schedule",
        ),
        (
            models,
            with(&["model", "pagination_store_ttl"], json!(-1)),
            "body.model.pagination_store_ttl",
            "out_of_range",
        ),
        (
            models,
            with(&["model", "inference_config"], json!({"diversity_factor": 2})),
            "body.model.inference_config.diversity_factor",
            "out_of_range",
        ),
        (
            models,
            with(&["model", "text_index"], json!({"item_fields": []})),
            "body.model.text_index.item_fields",
            "empty",
        ),
        (
            models,
            with(&["connectors"], json!([{"type": "File", "id": "f", "path": "x"}])),
            "body.connectors.0.path",
            "unreadable_file",
        ),
        (
            models,
            with(&["connectors"], json!([{"type": "Stream", "id": "f"}])),
            "body.connectors.0.type",
            "unknown_value",
        ),
        (
            models,
            with(&["connectors"], json!([{"type": "File", "id": "f"}])),
            "body.connectors.0.path",
            "missing",
        ),
        (
            models,
            with(
                &["connectors"],
                json!([{"type": "File", "id": "f", "path": "x", "name": "y"}]),
            ),
            "body.connectors.0.name",
            "unknown_field",
        ),
        (
            models,
            with(
                &["connectors"],
                json!([{"type": "Dataset", "id": "f", "path": "x", "name": "y"}]),
            ),
            "body.connectors.0.path",
            "unknown_field",
        ),
        (
            models,
            with(
                &["connectors"],
                json!([{"type": "File", "id": "f", "path": {"path": "x", "day_lookback": -1}}]),
            ),
            "body.connectors.0.path.day_lookback",
            "out_of_range",
        ),
        (
            models,
            with(
                &["connectors"],
                json!([{"type": "File", "id": "f", "path": {"day_lookback": 1}}]),
            ),
            "body.connectors.0.path.path",
            "missing",
        ),
        (
            models,
            with(&["connectors"], json!([{"type": "Dataset", "id": "f"}])),
            "body.connectors.0.name",
            "missing",
        ),
        (
            models,
            with(
                &["connectors"],
                json!([{"type": "Dataset", "id": "f g", "name": "films"}]),
            ),
            "body.connectors.0.id",
            "invalid_name",
        ),
        (
            "/v1/datasets/films/insert",
            r#"{"data":{}}"#.to_owned(),
            "body.data",
            "wrong_type",
        ),
        (
            "/v1/datasets/films/insert",
            r#"{"data":[1]}"#.to_owned(),
            "body.data.0",
            "wrong_type",
        ),
        (
            "/v1/datasets/films/insert",
            r#"{"rows":[]}"#.to_owned(),
            "body.rows",
            "unknown_field",
        ),
        (
            "/v1/models/m/retrieve",
            r#"{"config":{"limit":0}}"#.to_owned(),
            "body.config.limit",
            "out_of_range",
        ),
        (
            "/v1/models/m/retrieve",
            r#"{"config":{"limit":-1}}"#.to_owned(),
            "body.config.limit",
            "out_of_range",
        ),
        (
            "/v1/models/m/retrieve",
            r#"{"config":{"limit":9223372036854775807}}"#.to_owned(),
            "body.config.limit",
            "out_of_range",
        ),
        (
            "/v1/models/m/retrieve",
            r#"{"config":{"retrieval_k":0}}"#.to_owned(),
            "body.config.retrieval_k",
            "out_of_range",
        ),
        (
            "/v1/models/m/retrieve",
            r#"{"filter_predicate":1}"#.to_owned(),
            "body.filter_predicate",
            "wrong_type",
        ),
        (
            "/v1/models/m/retrieve",
            r#"{"user_id_query":""}"#.to_owned(),
            "body.user_id_query",
            "empty",
        ),
        (
            "/v1/models/m/retrieve",
            r#"{"text_query":7}"#.to_owned(),
            "body.text_query",
            "wrong_type",
        ),
        (
            "/v1/models/%2e%2e/retrieve",
            "{}".to_owned(),
            "path.model_name",
            "invalid_name",
        ),
        (
            "/v1/datasets/a%2fb/insert",
            r#"{"data":[]}"#.to_owned(),
            "path.dataset_name",
            "invalid_name",
        ),
        (
            "/v1/datasets/%ff/insert",
            r#"{"data":[]}"#.to_owned(),
            "path",
            "invalid_encoding",
        ),
    ] {
        let answer = api.post_text(path, &body);
        let shown = &body[..body.len().min(200)];
        assert_eq!(
            answer.invalid(),
            (place.to_owned(), kind.to_owned()),
            "POST {path} {shown}: {}",
            answer.text
        );
    }
    let headers = [("x-api-key", api.admin.as_str()), ("content-type", "text/plain")];
    let answer = api.call("POST", datasets, &headers, b"{}");
    assert_eq!(
        answer.invalid(),
        ("header.content-type".to_owned(), "wrong_content_type".to_owned())
    );
    let answer = api.call("POST", datasets, &headers[..1], b"{}");
    assert_eq!(answer.invalid().0, "header.content-type");
}

#[test]
fn missing_present_and_inactive_things_have_their_problems() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    let api = &server.api;
    let not_found = "urn:siftwren:error:not-found";
    assert_eq!(api.get("/v1/datasets/films").problem(404), not_found);
    assert_eq!(api.delete("/v1/datasets/films").problem(404), not_found);
    assert_eq!(
        api.post("/v1/datasets/films/insert", &film_rows()).problem(404),
        not_found
    );
    assert_eq!(api.get("/v1/models/m").problem(404), not_found);
    assert_eq!(api.delete("/v1/models/m").problem(404), not_found);
    assert_eq!(
        api.post("/v1/models/m/retrieve", &json!({})).problem(404),
        not_found
    );
    // The dataset of a connector.
    assert_eq!(api.post("/v1/models", &film_model("m")).problem(404), not_found);

    api.dataset(&films());
    assert_eq!(
        api.post("/v1/datasets/", &films()).problem(409),
        "urn:siftwren:error:already-exists"
    );
    api.model(&film_model("m"));
    assert_eq!(
        api.post("/v1/models", &film_model("m")).problem(409),
        "urn:siftwren:error:already-exists"
    );

    assert_eq!(
        api.get("/v1/nothing").problem(404),
        "urn:siftwren:error:unknown-route"
    );
    assert_eq!(api.get("/").problem(404), "urn:siftwren:error:unknown-route");
    let answer = api.call("PUT", "/v1/models", &[("x-api-key", &api.admin)], b"");
    assert_eq!(answer.problem(405), "urn:siftwren:error:wrong-method");
    assert!(
        answer.header("allow").is_some_and(|allow| allow.contains("POST")),
        "{answer:?}"
    );

    let answer = api.get("/v1/models/absent");
    let request = answer.header("x-request-id").unwrap();
    assert_eq!(answer.json()["instance"], format!("/v1/models/absent#{request}"));
}

#[test]
fn an_inactive_dataset_is_a_400_for_inserts_and_models() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    server.api.dataset(&films());
    let data_dir = server.kill();
    // A deployment that failed. The job of the one that did not may have been on its way still, and would be taken up again.
    let metadata = rusqlite::Connection::open(data_dir.join("metadata.sqlite")).unwrap();
    metadata
        .execute_batch("UPDATE datasets SET status = 'ERROR', error_message = 'no'; DELETE FROM jobs")
        .unwrap();
    drop(metadata);
    let server = Server::start(&data_dir);
    let api = &server.api;
    let not_active = "urn:siftwren:error:not-active";
    assert_eq!(
        api.post("/v1/datasets/films/insert", &film_rows()).problem(400),
        not_active
    );
    assert_eq!(api.post("/v1/models", &film_model("m")).problem(400), not_active);
}

#[test]
fn a_body_over_the_limit_is_a_413_announced_or_not() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    let api = &server.api;
    let body = vec![b' '; (16 << 20) + 1];
    let headers = [
        ("x-api-key", api.admin.as_str()),
        ("content-type", "application/json"),
    ];
    assert_eq!(
        api.call("POST", "/v1/datasets/", &headers, &body).problem(413),
        "urn:siftwren:error:body-too-large"
    );
    // Exactly the limit is read, and found not to be JSON.
    let body = vec![b' '; 16 << 20];
    assert_eq!(
        api.call("POST", "/v1/datasets/", &headers, &body).invalid().1,
        "json_syntax"
    );
    api.get("/v1/models").ok();
}

#[test]
fn a_full_disk_is_a_507_and_heals_by_itself() {
    let directory = tempfile::tempdir().unwrap();
    // A file size limit stands for a full disk: 512 KiB a file, and the signal for it ignored.
    let mut command = std::process::Command::new("sh");
    command
        .arg("-c")
        .arg(r#"trap '' XFSZ; ulimit -f 1024; exec "$0" "$@""#)
        .arg(super::client::PROGRAM)
        .args(["--addr", "127.0.0.1:0", "--log", "off", "--data-dir"])
        .arg(directory.path());
    let server = Server::start_command(command, directory.path());
    let api = &server.api;
    api.dataset(
        &json!({"name": "d", "schema_type": "CUSTOM", "column_schema": {"id": "Int64", "text": "String"}}),
    );
    // Hardly compressible, so that the file outgrows the limit.
    let mut state = 7_u64;
    let noise: String = (0..1_000_000)
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            char::from(b'!' + u8::try_from((state >> 33) % 90).unwrap())
        })
        .collect();
    let answer = api.post(
        "/v1/datasets/d/insert",
        &json!({"data": [{"id": 1, "text": noise}]}),
    );
    assert_eq!(answer.problem(507), "urn:siftwren:error:storage-full");
    api.post(
        "/v1/datasets/d/insert",
        &json!({"data": [{"id": 2, "text": "small"}]}),
    )
    .ok();
    api.model(&json!({
        "model": {"name": "m"}, "connectors": [{"type": "Dataset", "id": "d", "name": "d"}],
        "fetch": {
            "events": "SELECT 'u' AS user_id, id AS item_id, 1 AS label, CAST(NULL AS TIMESTAMP) AS created_at FROM d",
            "items": "SELECT id AS item_id FROM d"
        }
    }));
    assert_eq!(api.ids("m", &json!({})), ["2"]);
}

#[test]
fn a_fault_of_the_server_is_a_500_that_tells_nothing_of_its_inside() {
    let directory = tempfile::tempdir().unwrap();
    let mut command = std::process::Command::new(super::client::PROGRAM);
    command
        .args(["--addr", "127.0.0.1:0", "--log", "off", "--data-dir"])
        .arg(directory.path());
    let server = Server::start_command(command, directory.path());
    let api = &server.api;
    api.dataset(&films());
    // A file where the dataset's directory should be.
    let rows = directory.path().join("rows/1");
    std::fs::remove_dir(&rows).unwrap();
    std::fs::write(&rows, "").unwrap();
    let answer = api.post("/v1/datasets/films/insert", &film_rows());
    assert_eq!(answer.problem(500), "urn:siftwren:error:internal");
    assert!(!answer.text.contains(directory.path().to_str().unwrap()) && !answer.text.contains("parquet"));
    std::fs::remove_file(&rows).unwrap();
    std::fs::create_dir(&rows).unwrap();
    api.post("/v1/datasets/films/insert", &film_rows()).ok();
}
