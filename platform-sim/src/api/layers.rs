//! What happens around every request: its id, its key, the body of its error.

use std::net::{IpAddr, SocketAddr};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use axum::extract::{ConnectInfo, MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde_json::json;
use tracing::Instrument;

use super::overload::{Overloaded, busy};
use super::{Access, PROBES};
use crate::error::{ApiError, Code, render};
use crate::platform::Platform;
use crate::service::domain::Scope;

/// The header with the caller's key.
pub(super) const API_KEY: HeaderName = HeaderName::from_static("x-api-key");

/// The header with the request's id: the caller's own if it sent a sensible one.
pub(super) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The length of every key, in characters.
const KEY_LENGTH: usize = 40;

/// An answer that takes longer is worth a line in the log.
const SLOW: Duration = Duration::from_secs(2);

/// Outermost: gives the request an id and a turn, the error a body, the log a line, the metrics a number.
pub(super) async fn finish(State(platform): State<Platform>, mut request: Request, next: Next) -> Response {
    let started = Instant::now();
    let _in_progress = platform.metrics.request();
    let id = request_id(request.headers());
    let method = request.method().clone();
    let path = request.uri().path().to_owned();
    let route = request.extensions().get::<MatchedPath>().cloned();
    let route = route.as_ref().map_or("other", |route| match route.as_str() {
        "/" => "/",
        pattern => pattern.trim_end_matches('/'),
    });
    // Holds what the body takes until there is an answer.
    let body = platform.room.body();
    request.extensions_mut().insert(body.clone());
    let answer = async {
        if PROBES.contains(&route) {
            return next.run(request).await;
        }
        if request.extensions().get::<Overloaded>().is_some() {
            return busy().into_response();
        }
        match platform.room.enter().await {
            Ok(_turn) => next.run(request).await,
            Err(error) => {
                platform.metrics.refused("requests");
                error.into_response()
            }
        }
    };
    let span = tracing::info_span!("request", id, %method, path);
    let response = answer.instrument(span.clone()).await;
    drop(body);
    let _entered = span.enter();
    let mut response = render(response, &path, &id);
    let (status, took) = (response.status().as_u16(), started.elapsed());
    platform
        .metrics
        .answered(method_name(&method), route, status, took);
    let milliseconds = took.as_secs_f64() * 1e3;
    if took >= SLOW {
        tracing::info!(status, milliseconds, "answered after a long time");
    } else {
        tracing::debug!(status, milliseconds, "answered");
    }
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(REQUEST_ID, value);
    }
    response
}

/// The methods that the API has; clients can make up others, and each would be a number of its own.
fn method_name(method: &Method) -> &str {
    match *method {
        Method::GET | Method::POST | Method::PATCH | Method::DELETE | Method::OPTIONS | Method::HEAD => {
            method.as_str()
        }
        _ => "other",
    }
}

/// The caller's own id where it sent a sensible one, else one that no other request has, after a restart neither.
fn request_id(headers: &HeaderMap) -> String {
    static RUN: LazyLock<String> = LazyLock::new(|| {
        let name = crate::random_name().unwrap_or_default();
        name.get(..8).unwrap_or("0").to_owned()
    });
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
        _ => format!("req-{}-{}", *RUN, NEXT.fetch_add(1, Ordering::Relaxed)),
    }
}

/// Lets a request through if its key may do what it asks. Handlers find the key's scope in the request's extensions.
pub(super) async fn require_key(
    State((platform, access)): State<(Platform, Access)>,
    mut request: Request,
    next: Next,
) -> Response {
    if access == Access::Anyone || (access == Access::Queries && platform.options.open_queries) {
        return next.run(request).await;
    }
    match check_key(&platform, access, request.headers()) {
        Ok(scope) => {
            request.extensions_mut().insert(scope);
            next.run(request).await
        }
        Err(error) => slow_down(&platform, &request, error).into_response(),
    }
}

/// An address that goes on trying unknown keys is told to slow down. Keys that are known are not held up by it.
fn slow_down(platform: &Platform, request: &Request, error: ApiError) -> ApiError {
    let is_guess = matches!(
        error,
        ApiError::Problem {
            code: Code::UnknownKey,
            ..
        }
    );
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
    let address = peer.map(|ConnectInfo(peer)| peer.ip());
    let may_go_on = |address: IpAddr| platform.room.may_try_another_key(address, Instant::now());
    if is_guess && !address.is_none_or(may_go_on) {
        platform.metrics.refused("unknown keys");
        return ApiError::problem(
            Code::TooManyRequests,
            "too many keys that do not exist came from this address; try again in a few seconds",
        );
    }
    error
}

fn check_key(platform: &Platform, access: Access, headers: &HeaderMap) -> Result<Scope, ApiError> {
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
        (Some(Scope::Search), Access::Admin | Access::Queries) => Err(ApiError::problem(
            Code::WrongScope,
            "this key has the scope search: it may only retrieve from models; use a key with the scope admin",
        )),
        (Some(scope), _) => Ok(scope),
    }
}
