//! HTTP: from requests to domain types and back.

#[cfg(test)]
mod contract;
mod extract;
mod layers;
pub(crate) mod overload;
pub(crate) mod v1;
pub(crate) mod v2;

use axum::Router;
use axum::http::{HeaderValue, Method, header};
use axum::routing::MethodRouter;
use tower_http::cors::{AllowOrigin, CorsLayer};

use crate::error::{ApiError, Code};
use crate::platform::Platform;

pub(crate) use overload::Overloaded;

/// The patterns of the probes, which are answered however much there is to do.
const PROBES: [&str; 2] = ["/v1/liveness", "/v1/ping"];

/// Who may call an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    Anyone,
    /// A key of scope admin.
    Admin,
    /// Any key.
    Search,
    /// Anyone where queries are open, else a key of scope admin.
    Queries,
}

/// An operation of the API: a row of the table that the router is built from and the documents are held to.
pub(crate) struct Operation {
    pub(crate) method: Method,
    /// As the specification spells it; the other spelling, with or without a slash at the end, works too.
    pub(crate) path: &'static str,
    pub(crate) access: Access,
    pub(crate) handler: fn() -> MethodRouter<Platform>,
}

/// Every operation, as method and path, in the order of the reference.
pub fn operations() -> Vec<(String, String)> {
    all_operations()
        .map(|operation| (operation.method.to_string(), format!("/v1{}", operation.path)))
        .collect()
}

fn all_operations() -> impl Iterator<Item = &'static Operation> {
    v1::OPERATIONS.iter().chain(v2::OPERATIONS)
}

/// The whole API as a service.
pub fn build_router(platform: Platform) -> Router {
    let mut router = Router::new();
    for operation in all_operations() {
        let handler = (operation.handler)().route_layer(axum::middleware::from_fn_with_state(
            (platform.clone(), operation.access),
            layers::require_key,
        ));
        let path = format!("/v1{}", operation.path.trim_end_matches('/'));
        router = router
            .route(&path, handler.clone())
            .route(&format!("{path}/"), handler);
    }
    let cors = cors(&platform);
    router
        .fallback(unknown_route)
        .method_not_allowed_fallback(wrong_method)
        .layer(axum::middleware::from_fn_with_state(
            platform.clone(),
            layers::finish,
        ))
        .layer(cors)
        .with_state(platform)
}

fn cors(platform: &Platform) -> CorsLayer {
    let origins = platform
        .options
        .allowed_origins
        .iter()
        .filter_map(|origin| HeaderValue::from_str(origin).ok());
    CorsLayer::new()
        .allow_origin(AllowOrigin::list(origins))
        .allow_methods([Method::GET, Method::POST, Method::PATCH, Method::DELETE])
        .allow_headers([header::CONTENT_TYPE, layers::API_KEY, layers::REQUEST_ID])
        .expose_headers([layers::REQUEST_ID, header::RETRY_AFTER])
        .max_age(std::time::Duration::from_secs(600))
}

async fn unknown_route() -> ApiError {
    ApiError::problem(
        Code::UnknownRoute,
        "this server has no such endpoint; its endpoints start with /v1/",
    )
}

async fn wrong_method() -> ApiError {
    ApiError::problem(
        Code::WrongMethod,
        "this endpoint exists, but not for this method; the allow header lists those it has",
    )
}
