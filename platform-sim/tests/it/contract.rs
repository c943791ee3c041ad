//! Every answer that a test sees is one that the documents promise: its status, its content type, its body.

use std::sync::LazyLock;

use serde_json::Value;

use crate::client::Answer;
use crate::schema::{problems, resolve};

static DOCUMENTS: LazyLock<[(&str, Value); 2]> =
    LazyLock::new(|| ["v1", "v2"].map(|name| (name, document(name))));

fn document(name: &str) -> Value {
    let path = format!("{}/../api-spec/{name}/openapi.yaml", env!("CARGO_MANIFEST_DIR"));
    serde_yaml_ng::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// Panics at an answer that no document has for this call. What both have fits one of them.
#[track_caller]
pub(crate) fn check(method: &str, target: &str, answer: &Answer) {
    let mut known = false;
    let mut wrong = Vec::new();
    for (name, document) in DOCUMENTS.iter() {
        let Some(operation) = operation(document, method, target) else {
            continue;
        };
        known = true;
        let found = deviations(document, operation, answer);
        if found.is_empty() {
            return;
        }
        wrong.extend(found.into_iter().map(|problem| format!("{name}{problem}")));
    }
    assert!(
        !known,
        "{method} {target}: the documents do not promise this answer\n  {}\n{answer:?}",
        wrong.join("\n  ")
    );
}

fn operation<'a>(document: &'a Value, method: &str, target: &str) -> Option<&'a Value> {
    let path = target.split('?').next()?.strip_prefix("/v1")?;
    let parts = |path: &'a str| path.trim_matches('/').split('/');
    let path: Vec<&str> = path.trim_matches('/').split('/').collect();
    document["paths"]
        .as_object()?
        .iter()
        .filter(|(template, _)| {
            let template: Vec<&str> = parts(template).collect();
            template.len() == path.len()
                && template
                    .iter()
                    .zip(&path)
                    .all(|(wanted, given)| wanted.starts_with('{') || wanted == given)
        })
        .find_map(|(_, item)| item.get(method.to_lowercase()))
}

fn deviations(document: &Value, operation: &Value, answer: &Answer) -> Vec<String> {
    let response = resolve(document, &operation["responses"][answer.status.to_string()]);
    let Some(content) = response["content"].as_object() else {
        return vec![format!(" has no answer {}", answer.status)];
    };
    let content_type = answer.header("content-type").unwrap_or_default();
    let Some(media) = content.get(content_type) else {
        return vec![format!(
            " has no content type '{content_type}' for {}",
            answer.status
        )];
    };
    match serde_json::from_str(&answer.text) {
        Ok(body) => problems(document, &media["schema"], &body),
        Err(error) => vec![format!(": the body is not JSON: {error}")],
    }
}

#[test]
fn an_answer_that_is_not_promised_is_noticed() {
    let answer = |status: u16, content_type: &str, body: &str| Answer {
        status,
        head: format!("HTTP/1.1 {status} X\r\ncontent-type: {content_type}"),
        text: body.to_owned(),
    };
    let (_, document) = &DOCUMENTS[0];
    let rank = operation(document, "POST", "/v1/models/shop/rank/").unwrap();
    let json = "application/json";
    let wrong = |answer: Answer| !deviations(document, rank, &answer).is_empty();
    assert!(!wrong(answer(200, json, r#"{"ids":["a"],"scores":[0.5]}"#)));
    assert!(wrong(answer(200, json, r#"{"ids":["a"],"scores":["0.5"]}"#)));
    assert!(wrong(answer(
        200,
        json,
        r#"{"ids":["a"],"scores":[0.5],"score":1}"#
    )));
    assert!(wrong(answer(200, json, r#"{"ids":["a"]}"#)));
    assert!(wrong(answer(
        200,
        "text/plain",
        r#"{"ids":["a"],"scores":[0.5]}"#
    )));
    assert!(wrong(answer(201, json, r#"{"ids":["a"],"scores":[0.5]}"#)));
    assert!(wrong(answer(
        422,
        json,
        r#"{"detail":[{"loc":[1.5],"msg":"m","type":"t"}]}"#
    )));
    assert!(operation(document, "PUT", "/v1/models/shop/rank").is_none());
}
