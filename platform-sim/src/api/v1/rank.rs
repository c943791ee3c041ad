//! Rankings for users.

use axum::Json;
use axum::extract::State;
use axum::http::Uri;
use serde_json::json;

use super::error;
use super::inference::{MAX_LIMIT, RankRequest, RetrieveResponse, user};
use crate::api::extract::{JsonBody, Name};
use crate::error::ApiError;
use crate::platform::Platform;
use crate::service::inference::rank::Rank;
use crate::service::inference::serve::answer;

pub(super) async fn rank(
    State(platform): State<Platform>,
    Name(model): Name,
    JsonBody(body): JsonBody<RankRequest>,
) -> Result<Json<RetrieveResponse>, ApiError> {
    let request = body.read()?;
    let ranking = answer(&platform, model, move |engine| engine.rank(&request)).await;
    Ok(Json(ranking.map_err(error)?.into()))
}

/// The ranking of a user without a body.
pub(super) async fn rank_by_query(
    State(platform): State<Platform>,
    Name(model): Name,
    uri: Uri,
) -> Result<Json<RetrieveResponse>, ApiError> {
    let request = read(uri.query().unwrap_or_default())?;
    let ranking = answer(&platform, model, move |engine| engine.rank(&request)).await;
    Ok(Json(ranking.map_err(error)?.into()))
}

/// Reads the arguments of a query.
fn read(query: &str) -> Result<Rank, ApiError> {
    let wrong = |name: &str, kind: &str, message: String| {
        ApiError::invalid(vec![json!("query"), json!(name)], kind, message)
    };
    let mut request = Rank::default();
    let mut seen: Vec<String> = Vec::new();
    for argument in query.split('&').filter(|argument| !argument.is_empty()) {
        let (name, value) = argument.split_once('=').unwrap_or((argument, ""));
        let (Some(name), Some(value)) = (decode(name), decode(value)) else {
            return Err(ApiError::invalid(
                vec![json!("query")],
                "invalid_encoding",
                "the query must be percent-encoded UTF-8",
            ));
        };
        if seen.contains(&name) {
            return Err(wrong(&name, "repeated", format!("{name} is there twice")));
        }
        match name.as_str() {
            "user_id" => {
                request.ask.user = user(Some(value), "user_id").map_err(|_| {
                    wrong(
                        "user_id",
                        "empty",
                        "user_id is an id: at least one character".to_owned(),
                    )
                })?;
            }
            "limit" => match value.parse::<i64>() {
                Ok(limit) if (1..=MAX_LIMIT).contains(&limit) => {
                    request.ask.overrides.limit = usize::try_from(limit).ok();
                }
                Ok(_) => {
                    let message = format!("limit is a whole number from 1 to {MAX_LIMIT}");
                    return Err(wrong("limit", "out_of_range", message));
                }
                Err(_) => {
                    return Err(wrong("limit", "wrong_type", "limit is a whole number".to_owned()));
                }
            },
            "return_metadata" => {
                request.ask.with_metadata = value.parse().map_err(|_| {
                    let message = "return_metadata is true or false".to_owned();
                    wrong("return_metadata", "wrong_type", message)
                })?;
            }
            _ => {
                let message = format!(
                    "unknown argument `{name}`, expected one of `user_id`, `limit`, `return_metadata`"
                );
                return Err(wrong(&name, "unknown_field", message));
            }
        }
        seen.push(name);
    }
    Ok(request)
}

/// A name or value of a query: `+` for a space, `%20` for any byte. None where an escape is cut off, or the result is no text.
fn decode(text: &str) -> Option<String> {
    let is_escape = |rest: &str| {
        let digits = rest.as_bytes().get(..2);
        digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    };
    let spaced = text.replace('+', " ");
    let decoded = percent_encoding::percent_decode_str(&spaced).decode_utf8().ok()?;
    text.split('%')
        .skip(1)
        .all(is_escape)
        .then(|| decoded.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_decoded_and_checked() {
        let request = read("user_id=a%20b%2Fc+d&limit=3&return_metadata=true").unwrap();
        assert_eq!(request.ask.user.as_deref(), Some("a b/c d"));
        assert_eq!(request.ask.overrides.limit, Some(3));
        assert!(request.ask.with_metadata);
        assert_eq!(read("").unwrap().ask.user, None);
        for (query, place, kind) in [
            ("limit=0", "limit", "out_of_range"),
            ("limit=x", "limit", "wrong_type"),
            ("limit=1&limit=2", "limit", "repeated"),
            ("return_metadata=yes", "return_metadata", "wrong_type"),
            ("user_id=", "user_id", "empty"),
            ("user=a", "user", "unknown_field"),
        ] {
            let Err(ApiError::Invalid(details)) = read(query) else {
                panic!("{query} is accepted");
            };
            assert_eq!(details[0].loc, [json!("query"), json!(place)], "{query}");
            assert_eq!(details[0].kind, kind, "{query}");
        }
        for broken in ["%ff", "%2", "%+f", "a%"] {
            assert!(read(&format!("user_id={broken}")).is_err(), "{broken}");
        }
    }
}
