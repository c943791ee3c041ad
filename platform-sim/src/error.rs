//! The error table: what every failure is called, its HTTP status, and its body.
//!
//! Wrong input is 422 with `{"detail": [{loc, msg, type}]}`. Everything else is a problem document
//! (`application/problem+json`) with `{status, title, detail, type, instance}`. Causes inside the server are logged
//! with the request's id and never sent.

use axum::body::Body;
use axum::http::{HeaderValue, Response, StatusCode, header};
use axum::response::IntoResponse;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::service::failure::Failure;

/// An error as a client sees it.
#[derive(Debug)]
pub(crate) enum ApiError {
    /// The request is wrong in these places.
    Invalid(Vec<Detail>),
    /// Anything else.
    Problem {
        code: Code,
        detail: String,
        cause: Option<anyhow::Error>,
    },
}

impl ApiError {
    pub(crate) fn invalid(loc: Vec<Value>, kind: &str, msg: impl Into<String>) -> ApiError {
        ApiError::Invalid(vec![Detail {
            loc,
            msg: msg.into(),
            kind: kind.to_owned(),
        }])
    }

    pub(crate) fn problem(code: Code, detail: impl Into<String>) -> ApiError {
        ApiError::Problem {
            code,
            detail: detail.into(),
            cause: None,
        }
    }

    /// The HTTP form of a failure; `detail_of` says where the version's bodies have the places of violations.
    pub(crate) fn from_failure(
        failure: Failure,
        loc: impl Fn(&crate::service::failure::Place) -> Vec<Value>,
    ) -> ApiError {
        match failure {
            Failure::Invalid(violations) => ApiError::Invalid(
                violations
                    .into_iter()
                    .map(|violation| Detail {
                        loc: loc(&violation.place),
                        msg: violation.message,
                        kind: violation.kind.to_owned(),
                    })
                    .collect(),
            ),
            Failure::NotFound(entity, name) => {
                ApiError::problem(Code::NotFound, format!("there is no {} '{name}'", entity.noun()))
            }
            Failure::AlreadyExists(entity, name) => ApiError::problem(
                Code::AlreadyExists,
                format!(
                    "a {noun} '{name}' exists; choose another name or delete that {noun} first",
                    noun = entity.noun()
                ),
            ),
            Failure::NotActive { entity, name, status } => {
                let noun = entity.noun();
                let advice = if status == "ERROR" {
                    format!("the {noun}'s error_message says why")
                } else {
                    "wait until it is ACTIVE".to_owned()
                };
                ApiError::problem(
                    Code::NotActive,
                    format!("the {noun} '{name}' is {status}, not ACTIVE; {advice}"),
                )
            }
            Failure::BeingTrained { name, status } => ApiError::problem(
                Code::BeingTrained,
                format!("the model '{name}' is {status}; it can be changed once it is ACTIVE or ERROR"),
            ),
            Failure::InUse {
                entity,
                name,
                readers,
            } => {
                let noun = entity.noun();
                let detail = match readers.as_slice() {
                    [reader] => format!(
                        "the {noun} '{name}' is read by the transform '{reader}'; delete that transform first"
                    ),
                    readers => format!(
                        "the {noun} '{name}' is read by the transforms '{}'; delete those first",
                        readers.join("', '")
                    ),
                };
                ApiError::problem(Code::InUse, detail)
            }
            Failure::Busy(detail) => ApiError::problem(Code::Busy, detail),
            Failure::TooMany(detail) => ApiError::problem(Code::TooManyRequests, detail),
            Failure::StorageFull(cause) => ApiError::Problem {
                code: Code::StorageFull,
                detail: "the server's disk is full; nothing of this request was stored".to_owned(),
                cause: Some(cause),
            },
            Failure::Internal(cause) => ApiError::Problem {
                code: Code::Internal,
                detail:
                    "the server failed to answer; its log has the cause under this request's x-request-id"
                        .to_owned(),
                cause: Some(cause),
            },
        }
    }
}

/// The table.
macro_rules! codes {
    ($($(#[$doc:meta])* $code:ident = $status:ident, $urn:literal, $title:literal;)+) => {
        /// What a problem is called.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Code { $($(#[$doc])* $code),+ }

        impl Code {
            pub(crate) fn status(self) -> StatusCode {
                match self { $(Code::$code => StatusCode::$status),+ }
            }

            fn urn(self) -> &'static str {
                match self { $(Code::$code => concat!("urn:siftwren:error:", $urn)),+ }
            }

            fn title(self) -> &'static str {
                match self { $(Code::$code => $title),+ }
            }
        }
    };
}

codes! {
    NotActive = BAD_REQUEST, "not-active", "Not active";
    BadRequest = BAD_REQUEST, "bad-request", "Bad request";
    UnknownKey = UNAUTHORIZED, "unknown-key", "Unknown API key";
    WrongScope = FORBIDDEN, "wrong-scope", "The API key may not do this";
    NotFound = NOT_FOUND, "not-found", "Not found";
    UnknownRoute = NOT_FOUND, "unknown-route", "No such endpoint";
    WrongMethod = METHOD_NOT_ALLOWED, "wrong-method", "Method not allowed";
    SlowBody = REQUEST_TIMEOUT, "slow-body", "The request's body took too long";
    AlreadyExists = CONFLICT, "already-exists", "Already exists";
    BeingTrained = CONFLICT, "being-trained", "Being trained";
    InUse = CONFLICT, "in-use", "In use";
    BodyTooLarge = PAYLOAD_TOO_LARGE, "body-too-large", "The request's body is too large";
    TooManyRequests = TOO_MANY_REQUESTS, "too-many-requests", "Too many requests";
    Internal = INTERNAL_SERVER_ERROR, "internal", "Internal error";
    Busy = SERVICE_UNAVAILABLE, "busy", "Busy";
    StorageFull = INSUFFICIENT_STORAGE, "storage-full", "No space left";
}

/// One thing that is wrong with a request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Detail {
    /// The way to it: `body`, `path` or `header`, then names and positions.
    pub(crate) loc: Vec<Value>,
    pub(crate) msg: String,
    #[serde(rename = "type")]
    pub(crate) kind: String,
}

/// The body of a 422.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ValidationError {
    pub(crate) detail: Vec<Detail>,
}

/// The body of every other error.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Problem {
    pub(crate) status: u16,
    pub(crate) title: String,
    pub(crate) detail: String,
    #[serde(rename = "type")]
    pub(crate) kind: String,
    /// The path, then `#` and the request's id, under which the log has more.
    pub(crate) instance: String,
}

/// An error on its way to the layer that knows the request: see [`render`].
#[derive(Clone)]
struct Pending(std::sync::Arc<ApiError>);

impl IntoResponse for ApiError {
    fn into_response(self) -> Response<Body> {
        let status = match &self {
            ApiError::Invalid(_) => StatusCode::UNPROCESSABLE_ENTITY,
            ApiError::Problem { code, .. } => code.status(),
        };
        let mut response = Response::new(Body::empty());
        *response.status_mut() = status;
        response
            .extensions_mut()
            .insert(Pending(std::sync::Arc::new(self)));
        response
    }
}

/// Gives a response that carries an [`ApiError`] its body, and logs the cause if there is one.
pub(crate) fn render(mut response: Response<Body>, path: &str, request_id: &str) -> Response<Body> {
    let Some(Pending(error)) = response.extensions_mut().remove::<Pending>() else {
        return response;
    };
    let (content_type, body) = match error.as_ref() {
        ApiError::Invalid(detail) => (
            "application/json",
            serde_json::to_vec(&ValidationError {
                detail: detail.clone(),
            }),
        ),
        ApiError::Problem { code, detail, cause } => {
            if let Some(cause) = cause {
                tracing::error!(request_id, path, cause = format!("{cause:#}"), "{}", code.title());
            }
            let problem = Problem {
                status: code.status().as_u16(),
                title: code.title().to_owned(),
                detail: detail.clone(),
                kind: code.urn().to_owned(),
                instance: format!("{path}#{request_id}"),
            };
            let headers = response.headers_mut();
            match code {
                Code::Busy | Code::TooManyRequests => {
                    headers.insert(header::RETRY_AFTER, HeaderValue::from_static("5"));
                }
                // What is left of the body was not read, so the connection cannot carry another request.
                Code::BodyTooLarge | Code::SlowBody => {
                    headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
                }
                _ => {}
            }
            ("application/problem+json", serde_json::to_vec(&problem))
        }
    };
    let body = body.expect("texts and numbers always serialise");
    response
        .headers_mut()
        .insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    *response.body_mut() = Body::from(body);
    response
}
