//! Bodies and path arguments, checked: whatever is wrong becomes a 422 that says where.

use std::fmt;
use std::marker::PhantomData;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{FromRequest, FromRequestParts, Path, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use bytes::{Bytes, BytesMut};
use http_body_util::BodyExt;
use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeOwned, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};
use serde_path_to_error::Segment;

use super::overload::BodyRoom;
use crate::error::{ApiError, Code};
pub(super) use crate::service::names::check as check_name;

/// The largest body, in bytes.
pub(crate) const MAX_BODY_BYTES: usize = 16 << 20;

/// How long a body may take to arrive.
const BODY_TIMEOUT: Duration = Duration::from_secs(10);

/// A JSON body of the type that an operation takes.
pub(super) struct JsonBody<T>(pub(super) T);

impl<T: DeserializeOwned, S: Sync> FromRequest<S> for JsonBody<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &S) -> Result<JsonBody<T>, ApiError> {
        let (parts, body) = request.into_parts();
        check_content_type(&parts.headers)?;
        let bytes = read(&parts.headers, body, parts.extensions.get()).await?;
        Ok(JsonBody(parse(&bytes)?))
    }
}

/// A name in the path.
pub(super) struct Name(pub(super) String);

impl<S: Send + Sync> FromRequestParts<S> for Name {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Name, ApiError> {
        let arguments = Path::<Vec<(String, String)>>::from_request_parts(parts, state).await;
        let Ok(Path(mut arguments)) = arguments else {
            return Err(ApiError::invalid(
                vec![json!("path")],
                "invalid_encoding",
                "the path must be percent-encoded UTF-8",
            ));
        };
        let Some((argument, name)) = arguments.pop() else {
            return Err(ApiError::problem(Code::UnknownRoute, "the path names nothing"));
        };
        check_name(&name).map_err(|message| {
            ApiError::invalid(vec![json!("path"), json!(argument)], "invalid_name", message)
        })?;
        Ok(Name(name))
    }
}

fn check_content_type(headers: &HeaderMap) -> Result<(), ApiError> {
    let content_type = headers
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let essence = content_type
        .split(';')
        .next()
        .unwrap_or_default()
        .trim()
        .to_ascii_lowercase();
    if essence == "application/json" || (essence.starts_with("application/") && essence.ends_with("+json")) {
        return Ok(());
    }
    let message = if essence.is_empty() {
        "the body must be JSON: send the header content-type: application/json".to_owned()
    } else {
        format!(
            "the body must be JSON: content-type must be application/json, not {}",
            essence.chars().take(60).collect::<String>()
        )
    };
    Err(ApiError::invalid(
        vec![json!("header"), json!("content-type")],
        "wrong_content_type",
        message,
    ))
}

async fn read(headers: &HeaderMap, mut body: Body, room: Option<&BodyRoom>) -> Result<Bytes, ApiError> {
    let too_large = || {
        ApiError::problem(
            Code::BodyTooLarge,
            format!("a body has at most {MAX_BODY_BYTES} bytes; send fewer rows at a time"),
        )
    };
    let announced = headers
        .get(header::CONTENT_LENGTH)
        .and_then(|value| value.to_str().ok()?.parse::<usize>().ok());
    if announced.is_some_and(|length| length > MAX_BODY_BYTES) {
        return Err(too_large());
    }
    let take = async |bytes: usize| match room {
        Some(room) => room.take(bytes).await,
        None => Ok(()),
    };
    let collect = async {
        take(announced.unwrap_or(0)).await?;
        let mut bytes = BytesMut::with_capacity(announced.unwrap_or(0).min(1 << 20));
        while let Some(frame) = body.frame().await {
            let frame = frame.map_err(|_| {
                ApiError::problem(
                    Code::BadRequest,
                    "the body broke off or does not have the announced length",
                )
            })?;
            if let Some(data) = frame.data_ref() {
                if bytes.len() + data.len() > MAX_BODY_BYTES {
                    return Err(too_large());
                }
                take(bytes.len() + data.len()).await?;
                bytes.extend_from_slice(data);
            }
        }
        Ok(bytes.freeze())
    };
    tokio::time::timeout(BODY_TIMEOUT, collect)
        .await
        .unwrap_or_else(|_| {
            let seconds = BODY_TIMEOUT.as_secs();
            Err(ApiError::problem(
                Code::SlowBody,
                format!("the body did not arrive within {seconds} s"),
            ))
        })
}

/// Reads a JSON text as a `T`, or says what is wrong with it and where.
pub(super) fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, ApiError> {
    // Keeping track of the place costs as much as the reading: only a body that is wrong is read with it.
    if let Ok(Object(value)) = serde_json::from_slice(bytes) {
        return Ok(value);
    }
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    let Object(value) = serde_path_to_error::deserialize(&mut deserializer).map_err(|error| {
        let path = error.path().iter().filter_map(segment).collect();
        describe(path, error.inner())
    })?;
    deserializer.end().map_err(|error| describe(Vec::new(), &error))?;
    Ok(value)
}

/// Reads an already parsed value as a `T`.
pub(super) fn from_value<T: DeserializeOwned>(value: Value) -> Result<T, ApiError> {
    from_value_at(value, &[])
}

/// Reads a part of a body, at `place` in it, as a `T`.
pub(super) fn from_value_at<T: DeserializeOwned>(value: Value, place: &[Value]) -> Result<T, ApiError> {
    let Object(value) = serde_path_to_error::deserialize(value).map_err(|error| {
        let path = error.path().iter().filter_map(segment).collect();
        let mut wrong = describe(path, error.inner());
        if let ApiError::Invalid(details) = &mut wrong {
            for detail in details {
                detail.loc.splice(1..1, place.iter().cloned());
            }
        }
        wrong
    })?;
    Ok(value)
}

/// A `T` written as a JSON object. The derived readers of structs would also take a list of the fields' values.
pub(super) struct Object<T>(pub(super) T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Object<T>, D::Error> {
        struct ObjectVisitor<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for ObjectVisitor<T> {
            type Value = Object<T>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Object<T>, A::Error> {
                T::deserialize(MapAccessDeserializer::new(map)).map(Object)
            }
        }

        deserializer.deserialize_map(ObjectVisitor(PhantomData))
    }
}

fn segment(segment: &Segment) -> Option<Value> {
    match segment {
        Segment::Seq { index } => Some(json!(index)),
        Segment::Map { key } => Some(json!(key)),
        Segment::Enum { variant } => Some(json!(variant)),
        Segment::Unknown => None,
    }
}

fn describe(path: Vec<Value>, error: &serde_json::Error) -> ApiError {
    let message = error.to_string();
    let mut loc = vec![json!("body")];
    if error.is_syntax() || error.is_eof() {
        let kind = if message.starts_with("recursion limit") {
            "json_too_deep"
        } else {
            "json_syntax"
        };
        return ApiError::invalid(
            loc,
            kind,
            format!("the body is not JSON that this server reads: {message}"),
        );
    }
    loc.extend(path);
    // The library reports a missing or unknown field at its parent; `loc` shall point at the field itself.
    let field = |prefix: &str| message.strip_prefix(prefix)?.split('`').next().map(str::to_owned);
    let (kind, named) = if let Some(name) = field("missing field `") {
        ("missing", Some(name))
    } else if let Some(name) = field("unknown field `") {
        ("unknown_field", Some(name))
    } else if message.starts_with("duplicate field") {
        ("duplicate_field", None)
    } else {
        ("wrong_type", None)
    };
    if let Some(name) = named
        && loc.last() != Some(&json!(name))
    {
        loc.push(json!(name));
    }
    ApiError::invalid(loc, kind, message)
}
