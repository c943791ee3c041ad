//! Every error of the specification's catalogue, with its body.

use serde_json::json;

use super::client::{Answer, Server};

/// A problem says what it is in its body as in its head, and where it happened.
#[track_caller]
fn problem(answer: &Answer, status: u16, kind: &str, path: &str, said: &str) {
    assert_eq!(answer.problem(status), format!("urn:siftwren:error:{kind}"));
    let body = answer.json();
    let mut fields: Vec<&String> = body.as_object().unwrap().keys().collect();
    fields.sort();
    assert_eq!(fields, ["detail", "instance", "status", "title", "type"]);
    assert!(body["instance"].as_str().unwrap().starts_with(path), "{body}");
    assert!(body["detail"].as_str().unwrap().contains(said), "{body}");
}

#[test]
fn every_error_of_the_catalogue_has_its_body() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    let api = &server.api;
    let events = json!({"name": "events", "schema_type": "CUSTOM"});
    api.dataset(&events);
    let model = json!({
        "model": {"name": "m"}, "connectors": [{"type": "Dataset", "id": "e", "name": "events"}],
        "fetch": {"events": "SELECT user_id, item_id, label, created_at FROM e"},
    });
    api.post(
        "/v1/datasets/events/insert",
        &json!({"data": [
            {"user_id": "u", "item_id": "a", "label": 1, "created_at": "2026-01-01T00:00:00Z"},
        ]}),
    )
    .ok();
    api.model(&model);

    // 400: a dataset that is not active takes no rows and feeds no model.
    let source = json!({
        "name": "orders", "schema_type": "POSTGRES", "host": "db.example", "user": "u", "password": "p", "table": "t",
        "database": "d", "replication_key": "at",
    });
    api.post("/v1/datasets/", &source).ok();
    let details = api.wait_for("/v1/datasets/orders");
    assert_eq!(details["status"], "ERROR", "this server has no connector to that");
    let path = "/v1/datasets/orders/insert";
    problem(
        &api.post(path, &json!({"data": [{"a": 1}]})),
        400,
        "not-active",
        path,
        "'orders' is ERROR",
    );
    let mut over = model.clone();
    over["model"]["name"] = json!("over");
    over["connectors"][0]["name"] = json!("orders");
    problem(
        &api.post("/v1/models", &over),
        400,
        "not-active",
        "/v1/models",
        "orders",
    );

    // 404: names that nothing has.
    let rows = json!({"data": []});
    for (method, path, body) in [
        ("GET", "/v1/models/none", json!(null)),
        ("DELETE", "/v1/models/none", json!(null)),
        ("POST", "/v1/models/none/rank", json!({})),
        ("GET", "/v1/models/none/rank", json!(null)),
        ("POST", "/v1/models/none/retrieve", json!({})),
        ("POST", "/v1/models/none/similar_items", json!({"item_id": "a"})),
        ("POST", "/v1/models/none/similar_users", json!({"user_id": "u"})),
        (
            "POST",
            "/v1/models/none/complement_items",
            json!({"item_ids": ["a"]}),
        ),
        (
            "POST",
            "/v1/models/none/rank_attributes",
            json!({"attribute_name": "a"}),
        ),
        (
            "POST",
            "/v1/models/none/rank_attribute_grid",
            json!({"attribute_name": "a"}),
        ),
        (
            "POST",
            "/v1/models/none/item_embeddings",
            json!({"item_ids": ["a"]}),
        ),
        (
            "POST",
            "/v1/models/none/user_embeddings",
            json!({"user_ids": ["u"]}),
        ),
        ("GET", "/v1/datasets/none", json!(null)),
        ("DELETE", "/v1/datasets/none", json!(null)),
        ("POST", "/v1/datasets/none/insert", rows),
        (
            "PATCH",
            "/v1/datasets",
            json!({"name": "none", "description": "d"}),
        ),
        ("GET", "/v1/transforms/none", json!(null)),
        ("PATCH", "/v1/transforms/none", json!({"description": "d"})),
        ("DELETE", "/v1/transforms/none", json!(null)),
    ] {
        let headers = [
            ("x-api-key", api.admin.as_str()),
            ("content-type", "application/json"),
        ];
        let body = if body.is_null() {
            String::new()
        } else {
            body.to_string()
        };
        let answer = api.call(method, path, &headers, body.as_bytes());
        problem(&answer, 404, "not-found", path, "'none'");
    }
    let mut renamed = model.clone();
    renamed["model"]["name"] = json!("none");
    problem(
        &api.patch("/v1/models", &renamed),
        404,
        "not-found",
        "/v1/models",
        "'none'",
    );
    let mut over = renamed.clone();
    over["connectors"][0]["name"] = json!("absent");
    problem(
        &api.post("/v1/models", &over),
        404,
        "not-found",
        "/v1/models",
        "'absent'",
    );
    let path = "/v1/models/m/similar_items";
    problem(
        &api.post(path, &json!({"item_id": "z"})),
        404,
        "not-found",
        path,
        "'z'",
    );

    // 409: names that are taken.
    problem(
        &api.post("/v1/datasets/", &events),
        409,
        "already-exists",
        "/v1/datasets",
        "'events'",
    );
    problem(
        &api.post("/v1/models", &model),
        409,
        "already-exists",
        "/v1/models",
        "'m'",
    );
    let view = json!({"name": "events", "transform_type": "SQL", "sql_transform_type": "VIEW", "sql_query": "SELECT item_id FROM events"});
    problem(
        &api.post("/v1/transforms", &view),
        409,
        "already-exists",
        "/v1/transforms",
        "'events'",
    );

    // 422: what is wrong with a request, at its place.
    for (method, path, body, place, kind) in [
        (
            "POST",
            "/v1/datasets/",
            json!({"name": "d", "schema_type": "BIGQUERY", "columns": ["a"], "datetime_key": "at"}),
            json!(["body", "table"]),
            "missing",
        ),
        (
            "PATCH",
            "/v1/datasets",
            json!({"description": "d"}),
            json!(["body", "name"]),
            "missing",
        ),
        (
            "POST",
            "/v1/datasets/events/insert",
            json!({}),
            json!(["body", "data"]),
            "missing",
        ),
        (
            "POST",
            "/v1/datasets/events/insert",
            json!({"data": [{"label": 1}, {"label": "x"}]}),
            json!(["body", "data", 1, "label"]),
            "wrong_type",
        ),
        (
            "POST",
            "/v1/transforms",
            json!({"name": "t", "transform_type": "AI_ENRICHMENT", "source_dataset": "events"}),
            json!(["body", "source_columns"]),
            "missing",
        ),
        (
            "POST",
            "/v1/transforms",
            json!({"name": "t", "transform_type": "SQL", "sql_transform_type": "VIEW"}),
            json!(["body", "sql_query"]),
            "missing",
        ),
        (
            "POST",
            "/v1/models",
            json!({"model": {"name": "n"}, "connectors": []}),
            json!(["body", "fetch"]),
            "missing",
        ),
        (
            "PATCH",
            "/v1/models",
            json!({"connectors": [], "fetch": {"events": "SELECT 1"}}),
            json!(["body", "model"]),
            "missing",
        ),
        (
            "POST",
            "/v1/models/m/rank",
            json!({"filter_predicate": "price < 4"}),
            json!(["body", "filter_predicate"]),
            "expression_unknown_name",
        ),
        (
            "POST",
            "/v1/models/m/retrieve",
            json!({"text_query": "a"}),
            json!(["body", "text_query"]),
            "no_text_index",
        ),
        (
            "POST",
            "/v1/models/m/similar_users",
            json!({}),
            json!(["body", "user_id"]),
            "missing",
        ),
        (
            "POST",
            "/v1/models/m/complement_items",
            json!({}),
            json!(["body", "item_ids"]),
            "missing",
        ),
        (
            "POST",
            "/v1/models/m/rank_attributes",
            json!({}),
            json!(["body", "attribute_name"]),
            "missing",
        ),
        (
            "POST",
            "/v1/models/m/item_embeddings",
            json!({}),
            json!(["body", "item_ids"]),
            "missing",
        ),
        (
            "POST",
            "/v1/models/m/user_embeddings",
            json!({}),
            json!(["body", "user_ids"]),
            "missing",
        ),
    ] {
        let headers = [
            ("x-api-key", api.admin.as_str()),
            ("content-type", "application/json"),
        ];
        let answer = api.call(method, path, &headers, body.to_string().as_bytes());
        answer.invalid();
        let said = answer.json();
        let detail = &said["detail"][0];
        assert_eq!(
            (&detail["loc"], &detail["type"]),
            (&place, &json!(kind)),
            "{method} {path} {body}: {said}"
        );
        assert_eq!(said.as_object().unwrap().len(), 1);
        assert_eq!(detail.as_object().unwrap().len(), 3);
    }
}
