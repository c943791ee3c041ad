//! What happens around every request: its id, its key, the body of its error.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde_json::json;

use super::Access;
use crate::error::{ApiError, Code, render};
use crate::platform::Platform;
use crate::service::domain::Scope;

/// The header with the caller's key.
pub(super) const API_KEY: HeaderName = HeaderName::from_static("x-api-key");

/// The header with the request's id: the caller's own if it sent a sensible one.
pub(super) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The length of every key, in characters.
const KEY_LENGTH: usize = 40;

/// Outermost: gives the request an id, the error a body, the log a line.
pub(super) async fn finish(request: Request, next: Next) -> Response {
    let started = Instant::now();
    let id = request_id(request.headers());
    let method = request.method().clone();
    let path = request.uri().path().to_owned();
    let mut response = render(next.run(request).await, &path, &id);
    let milliseconds = started.elapsed().as_secs_f64() * 1e3;
    tracing::debug!(request_id = id, %method, path, status = response.status().as_u16(), milliseconds, "answered");
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(REQUEST_ID, value);
    }
    response
}

fn request_id(headers: &HeaderMap) -> String {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    let sent = headers.get(REQUEST_ID).and_then(|value| value.to_str().ok());
    match sent {
        Some(id)
            if (1..=64).contains(&id.len())
                && id
                    .bytes()
                    .all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b)) =>
        {
            id.to_owned()
        }
        // Unique within a run, which is what a log needs.
        _ => format!("req-{}", NEXT.fetch_add(1, Ordering::Relaxed)),
    }
}

/// Lets a request through if its key may do what it asks.
pub(super) async fn require_key(
    State((platform, access)): State<(Platform, Access)>,
    request: Request,
    next: Next,
) -> Response {
    if access == Access::Anyone {
        return next.run(request).await;
    }
    match check_key(&platform, access, request.headers()) {
        Ok(()) => next.run(request).await,
        Err(error) => error.into_response(),
    }
}

fn check_key(platform: &Platform, access: Access, headers: &HeaderMap) -> Result<(), ApiError> {
    let wrong = |kind: &str, message: String| {
        ApiError::invalid(vec![json!("header"), json!("x-api-key")], kind, message)
    };
    let mut values = headers.get_all(API_KEY).iter();
    let Some(value) = values.next() else {
        return Err(wrong("missing", "the header x-api-key is required".to_owned()));
    };
    if values.next().is_some() {
        return Err(wrong(
            "repeated",
            "the header x-api-key must be there once".to_owned(),
        ));
    }
    let key = value
        .to_str()
        .ok()
        .filter(|key| key.len() == KEY_LENGTH)
        .ok_or_else(|| {
            wrong(
                "wrong_length",
                format!("an API key has exactly {KEY_LENGTH} ASCII characters"),
            )
        })?;
    match (platform.scope_of(key), access) {
        (None, _) => Err(ApiError::problem(
            Code::UnknownKey,
            "no such API key exists on this server",
        )),
        (Some(Scope::Search), Access::Admin) => Err(ApiError::problem(
            Code::WrongScope,
            "this key has the scope search: it may only retrieve from models; use a key with the scope admin",
        )),
        (Some(_), _) => Ok(()),
    }
}
