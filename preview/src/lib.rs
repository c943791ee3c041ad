//! A static file server that behaves like the hosts a docs site is put on: a path without an ending finds
//! `path/index.html` without a redirect, unknown paths get the site's own 404 page with status 404, the
//! `_headers` file is honoured, and text is compressed when the client accepts it.
//!
//! It exists to look at a build under the headers that readers get; it is no production server.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};
use axum::Router;
use axum::extract::Request;
use axum::http::header::{CACHE_CONTROL, HeaderName, HeaderValue};
use axum::http::uri::{PathAndQuery, Uri};
use axum::middleware::{self, Next};
use axum::response::Response;
use tower_http::compression::CompressionLayer;
use tower_http::services::{ServeDir, ServeFile};

/// The service for one built folder. Fails if the folder is no built site or its `_headers` cannot be read.
pub fn app(folder: &Path) -> anyhow::Result<Router> {
    let not_found = folder.join("404.html");
    if !not_found.is_file() {
        bail!(
            "{} is no built site (it has no 404.html): run cargo xtask build first",
            folder.display()
        );
    }
    let headers_file = folder.join("_headers");
    let headers_text = std::fs::read_to_string(&headers_file)
        .with_context(|| format!("cannot read {}", headers_file.display()))?;
    let rules =
        Arc::new(parse_headers(&headers_text).map_err(|error| {
            anyhow::anyhow!("{}:{}: {}", headers_file.display(), error.line, error.message)
        })?);
    let folder: Arc<PathBuf> = Arc::new(folder.to_owned());
    let files = ServeDir::new(folder.as_ref())
        .append_index_html_on_directories(false)
        .not_found_service(ServeFile::new(not_found));
    Ok(Router::new()
        .fallback_service(files)
        .layer(CompressionLayer::new())
        .layer(middleware::from_fn(move |request: Request, next: Next| {
            let (rules, folder) = (rules.clone(), folder.clone());
            async move { respond(&rules, &folder, request, next).await }
        })))
}

async fn respond(rules: &[HeaderRule], folder: &Path, mut request: Request, next: Next) -> Response {
    let path = request.uri().path().to_owned();
    if let Some(index) = index_page(folder, &path) {
        *request.uri_mut() = index;
    }
    let mut response = next.run(request).await;
    // A file that is missing during a deployment must not stay missing in a browser for a year.
    let is_missing = response.status().is_client_error();
    for rule in rules.iter().filter(|rule| rule.matches(&path)) {
        for (name, value) in &rule.headers {
            if !(is_missing && name == CACHE_CONTROL) {
                response.headers_mut().insert(name.clone(), value.clone());
            }
        }
    }
    response
}

/// `/docs/x` and `/docs/x/` both find `docs/x/index.html`.
fn index_page(folder: &Path, path: &str) -> Option<Uri> {
    let relative = path.trim_matches('/');
    if relative.split('/').any(|part| part == "..") || !folder.join(relative).join("index.html").is_file() {
        return None;
    }
    let target = if relative.is_empty() {
        "/index.html".to_owned()
    } else {
        format!("/{relative}/index.html")
    };
    Some(Uri::from(target.parse::<PathAndQuery>().ok()?))
}

/// One block of a `_headers` file: a path, `*` at its end standing for anything, and what it sets.
#[derive(Debug)]
struct HeaderRule {
    path: String,
    headers: Vec<(HeaderName, HeaderValue)>,
}

impl HeaderRule {
    fn matches(&self, path: &str) -> bool {
        match self.path.strip_suffix('*') {
            Some(prefix) => path.starts_with(prefix),
            None => path == self.path,
        }
    }
}

#[derive(Debug)]
struct HeadersError {
    line: usize,
    message: String,
}

fn parse_headers(text: &str) -> Result<Vec<HeaderRule>, HeadersError> {
    let mut rules: Vec<HeaderRule> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let error = |message: String| HeadersError {
            line: index + 1,
            message,
        };
        let trimmed = line.trim();
        if trimmed.is_empty() || trimmed.starts_with('#') {
            continue;
        }
        if !line.starts_with([' ', '\t']) {
            rules.push(HeaderRule {
                path: trimmed.to_owned(),
                headers: Vec::new(),
            });
            continue;
        }
        let rule = rules
            .last_mut()
            .ok_or_else(|| error("a header stands before the first path".to_owned()))?;
        let (name, value) = trimmed
            .split_once(':')
            .ok_or_else(|| error("expected 'Name: value' below a path".to_owned()))?;
        let name = name
            .trim()
            .parse()
            .map_err(|_| error(format!("'{name}' is no header name")))?;
        let value = value
            .trim()
            .parse()
            .map_err(|_| error(format!("'{value}' is no header value")))?;
        rule.headers.push((name, value));
    }
    Ok(rules)
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use axum::http::StatusCode;
    use http_body_util::BodyExt;
    use tower::ServiceExt;

    use super::*;

    fn site() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in [
            ("404.html", "nothing here"),
            ("index.html", "home"),
            ("docs/page/index.html", "a page"),
            ("assets/app.12345678.js", "code"),
            (
                "_headers",
                "/*\n  X-Everywhere: yes\n/assets/*\n  Cache-Control: immutable\n",
            ),
        ] {
            let file = folder.path().join(path);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, text).unwrap();
        }
        folder
    }

    async fn get(folder: &Path, path: &str) -> (StatusCode, axum::http::HeaderMap, String) {
        let request = Request::get(path).body(Body::empty()).unwrap();
        let response = app(folder).unwrap().oneshot(request).await.unwrap();
        let (status, headers) = (response.status(), response.headers().clone());
        let body = response.into_body().collect().await.unwrap().to_bytes();
        (status, headers, String::from_utf8(body.to_vec()).unwrap())
    }

    #[tokio::test]
    async fn a_path_finds_its_index_page_with_and_without_a_slash() {
        let site = site();
        for path in ["/docs/page", "/docs/page/"] {
            let (status, headers, body) = get(site.path(), path).await;
            assert_eq!((status, body.as_str()), (StatusCode::OK, "a page"), "{path}");
            assert_eq!(headers["content-type"], "text/html");
        }
        assert_eq!(get(site.path(), "/").await.2, "home");
    }

    #[tokio::test]
    async fn an_unknown_path_gets_the_sites_own_page_and_status_404() {
        let site = site();
        for path in [
            "/docs/nothing",
            "/docs/page/../../../etc/passwd",
            "/%2e%2e/etc/passwd",
        ] {
            let (status, _, body) = get(site.path(), path).await;
            assert_eq!(
                (status, body.as_str()),
                (StatusCode::NOT_FOUND, "nothing here"),
                "{path}"
            );
        }
    }

    #[tokio::test]
    async fn headers_apply_to_their_paths_only() {
        let site = site();
        let (_, headers, _) = get(site.path(), "/assets/app.12345678.js").await;
        assert_eq!(
            (&headers["x-everywhere"], &headers["cache-control"]),
            (
                &HeaderValue::from_static("yes"),
                &HeaderValue::from_static("immutable")
            )
        );
        let (_, headers, _) = get(site.path(), "/docs/page").await;
        assert!(headers.contains_key("x-everywhere") && !headers.contains_key("cache-control"));
    }

    #[tokio::test]
    async fn what_is_missing_is_not_cached() {
        let site = site();
        let (status, headers, _) = get(site.path(), "/assets/search/core.00000000.bin").await;
        assert_eq!(status, StatusCode::NOT_FOUND);
        assert!(headers.contains_key("x-everywhere") && !headers.contains_key("cache-control"));
    }

    #[test]
    fn a_broken_headers_file_is_refused_with_its_line() {
        let site = site();
        std::fs::write(site.path().join("_headers"), "/*\n  no colon here\n").unwrap();
        let message = app(site.path()).unwrap_err().to_string();
        assert!(
            message.ends_with("_headers:2: expected 'Name: value' below a path"),
            "{message}"
        );
    }

    #[test]
    fn a_folder_that_is_no_site_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        assert!(
            app(folder.path())
                .unwrap_err()
                .to_string()
                .contains("cargo xtask build")
        );
    }
}
