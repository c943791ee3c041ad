//! A static file server that behaves like the hosts a docs site is put on: a path without an ending finds
//! `path/index.html` without a redirect, unknown paths get the site's own 404 page with status 404, the files
//! `_headers` and `_redirects` are honoured, and a client gets the smallest form of a file that the build stored and it can read.
//!
//! It exists to look at a build under the headers that readers get; it is no production server.

mod encoding;
mod headers;
mod live_reload;
mod range;
mod redirects;

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::UNIX_EPOCH;

use anyhow::{Context, bail, ensure};
use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::header::{
    ACCEPT_ENCODING, ACCEPT_RANGES, ALLOW, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_RANGE,
    CONTENT_TYPE, ETAG, HeaderMap, HeaderName, HeaderValue, IF_NONE_MATCH, IF_RANGE, LOCATION, RANGE, VARY,
};
use axum::http::request::Parts;
use axum::http::{Method, StatusCode};
use axum::response::Response;

use crate::encoding::Encoding;
use crate::headers::{HeaderRule, LineError, parse_headers};
use crate::live_reload::LiveReload;
use crate::range::Requested;
use crate::redirects::{Redirect, Redirects, parse_redirects};

const NOT_FOUND: &str = "404.html";
const HEADERS: &str = "_headers";
const REDIRECTS: &str = "_redirects";

/// The service for one built folder below `base`, which starts and ends with a slash. While there is a file `live_reload`, pages
/// follow what it says of builds. Fails if the folder is no built site or its `_headers` or `_redirects` cannot be read.
pub fn app(folder: &Path, base: &str, live_reload: Option<&Path>) -> anyhow::Result<Router> {
    ensure!(
        base.starts_with('/') && base.ends_with('/'),
        "the base '{base}' must start and end with a slash"
    );
    if !folder.join(NOT_FOUND).is_file() {
        bail!(
            "{} is no built site (it has no {NOT_FOUND}): run cargo xtask build first",
            folder.display()
        );
    }
    let site = Site {
        folder: folder.to_owned(),
        base: base.to_owned(),
        live_reload: live_reload.map(|file| LiveReload::new(file, base)),
    };
    site.header_rules()?;
    for rule in &site.redirects()?.left_out {
        eprintln!("preview: {:#}", wrong_line(&folder.join(REDIRECTS), rule));
    }
    let site = Arc::new(site);
    Ok(Router::new().fallback(move |request: Request| {
        let site = site.clone();
        async move { site.answer(&request.into_parts().0).await }
    }))
}

/// Whether a part of a path means a file or a folder, here and on other systems.
fn is_name(part: &str) -> bool {
    !(part == "." || part == ".." || part.contains(['\\', ':', '\0']))
}

fn wrong_line(file: &Path, error: &LineError) -> anyhow::Error {
    anyhow::anyhow!("{}:{}: {}", file.display(), error.line, error.message)
}

struct Site {
    folder: PathBuf,
    base: String,
    live_reload: Option<LiveReload>,
}

impl Site {
    /// What `_headers` says now: the next build may say something else.
    fn header_rules(&self) -> anyhow::Result<Vec<HeaderRule>> {
        let file = self.folder.join(HEADERS);
        let text =
            std::fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
        parse_headers(&text).map_err(|error| wrong_line(&file, &error))
    }

    /// What `_redirects` says now. Most sites have none.
    fn redirects(&self) -> anyhow::Result<Redirects> {
        let file = self.folder.join(REDIRECTS);
        match std::fs::read_to_string(&file) {
            Ok(text) => parse_redirects(&text).map_err(|error| wrong_line(&file, &error)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Redirects::default()),
            Err(error) => Err(error).with_context(|| format!("cannot read {}", file.display())),
        }
    }

    async fn answer(&self, request: &Parts) -> Response {
        let path = request.uri.path();
        let said = self
            .redirects()
            .and_then(|redirects| Ok((redirects, self.header_rules()?)));
        let (mut response, rules) = match said {
            Ok((redirects, rules)) => {
                let leads = |redirect: &Redirect| {
                    let to = redirect.leads(path, request.uri.query())?;
                    let mut response = empty(redirect.status);
                    response.headers_mut().insert(LOCATION, to);
                    Some(response)
                };
                // Before the files, as Cloudflare does.
                let redirected = redirects.rules.iter().find_map(leads);
                let response = match redirected {
                    Some(response) => response,
                    None => self.response(request).await,
                };
                (response, rules)
            }
            Err(error) => {
                let mut response = with_body(
                    format!("{error:#}\n").into_bytes(),
                    HeaderValue::from_static(content_type(Path::new("error.txt"))),
                );
                *response.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
                (response, Vec::new())
            }
        };
        // A file that is missing during a deployment must not stay missing in a browser for a year.
        let is_missing = response.status().is_client_error();
        for rule in rules.iter().filter(|rule| rule.matches(path)) {
            for (name, value) in &rule.headers {
                if !(is_missing && name == CACHE_CONTROL) {
                    response.headers_mut().insert(name.clone(), value.clone());
                }
            }
        }
        if request.method == Method::HEAD {
            *response.body_mut() = Body::empty();
        }
        response
    }

    async fn response(&self, request: &Parts) -> Response {
        if request.method != Method::GET && request.method != Method::HEAD {
            let mut response = empty(StatusCode::METHOD_NOT_ALLOWED);
            response
                .headers_mut()
                .insert(ALLOW, HeaderValue::from_static("GET, HEAD"));
            return response;
        }
        let Some(live) = &self.live_reload else {
            return self.file_response(request, None).await;
        };
        if let Some(response) = live.answer(&request.uri).await {
            return response;
        }
        let build = live.build();
        self.file_response(request, build.as_deref().map(|build| (live, build)))
            .await
    }

    async fn file_response(&self, request: &Parts, live: Option<(&LiveReload, &str)>) -> Response {
        let mut asked = request.headers.clone();
        // A range is defined for GET alone (RFC 9110, 14.2).
        if request.method == Method::HEAD {
            asked.remove(RANGE);
        }
        let asked = &asked;
        if let Some(file) = self.file_of(request.uri.path())
            && let Some(stored) = Stored::best(&file, asked, live).await
        {
            return stored.respond(asked);
        }
        for page in self.not_found_pages(request.uri.path()) {
            if let Some(page) = Stored::best(&page, asked, live).await {
                let mut response = page.whole();
                *response.status_mut() = StatusCode::NOT_FOUND;
                return response;
            }
        }
        empty(StatusCode::NOT_FOUND)
    }

    /// Where a page can be that stands in for the one at a path: in the folders around it, the innermost first. Cloudflare does the
    /// same; most hosts have that of the root alone.
    fn not_found_pages(&self, path: &str) -> Vec<PathBuf> {
        let inside = path.strip_prefix(&self.base).and_then(percent_decoded);
        let inside = inside.unwrap_or_default();
        let (folders, _) = inside.rsplit_once('/').unwrap_or_default();
        let names = folders
            .split('/')
            .take_while(|part| !part.is_empty() && is_name(part));
        let mut folder = self.folder.clone();
        let mut pages: Vec<PathBuf> = names
            .map(|name| {
                folder.push(name);
                folder.join(NOT_FOUND)
            })
            .collect();
        pages.reverse();
        pages.push(self.folder.join(NOT_FOUND));
        pages
    }

    /// The file that a path names, if it names one of the site: `/docs/x` and `/docs/x/` both find
    /// `docs/x/index.html`.
    fn file_of(&self, path: &str) -> Option<PathBuf> {
        let inside = match path.strip_prefix(&self.base) {
            Some(inside) => inside,
            None if path.len() + 1 == self.base.len() && self.base.starts_with(path) => "",
            None => return None,
        };
        let decoded = percent_decoded(inside)?;
        let mut file = self.folder.clone();
        for part in decoded.split('/').filter(|part| !part.is_empty()) {
            if !is_name(part) {
                return None;
            }
            file.push(part);
        }
        if file.is_dir() {
            file.push("index.html");
        } else if decoded.ends_with('/') {
            return None;
        }
        let is_for_hosts = [HEADERS, REDIRECTS]
            .iter()
            .any(|name| file == self.folder.join(name));
        (file.is_file() && !is_for_hosts).then_some(file)
    }
}

/// One stored form of a file.
struct Stored {
    bytes: Vec<u8>,
    encoding: Encoding,
    content_type: HeaderValue,
    etag: String,
}

impl Stored {
    /// The best form for this client. A part of a file is a part of the file as it is.
    async fn best(file: &Path, asked: &HeaderMap, live: Option<(&LiveReload, &str)>) -> Option<Self> {
        let live = live.filter(|_| file.extension().is_some_and(|ending| ending == "html"));
        let forms = if asked.contains_key(RANGE) || live.is_some() {
            vec![Encoding::Identity]
        } else {
            encoding::accepted(text(asked, &ACCEPT_ENCODING).unwrap_or_default())
        };
        for encoding in forms {
            let mut name = file.as_os_str().to_owned();
            name.push(encoding.suffix());
            let form = PathBuf::from(name);
            let Ok(metadata) = tokio::fs::metadata(&form).await else {
                continue;
            };
            let Ok(mut bytes) = tokio::fs::read(&form).await else {
                continue;
            };
            let mut build = "";
            if let Some((live, name)) = live {
                bytes = live.with_script(bytes, name);
                build = name;
            }
            let changed = metadata
                .modified()
                .ok()
                .and_then(|time| time.duration_since(UNIX_EPOCH).ok())
                .map_or(0, |time| time.as_nanos());
            return Some(Self {
                etag: format!("\"{changed:x}-{:x}-{}{build}\"", bytes.len(), encoding.name()),
                bytes,
                encoding,
                content_type: HeaderValue::from_static(content_type(file)),
            });
        }
        None
    }

    fn respond(self, asked: &HeaderMap) -> Response {
        if text(asked, &IF_NONE_MATCH).is_some_and(|tags| matches_etag(tags, &self.etag)) {
            let mut response = empty(StatusCode::NOT_MODIFIED);
            response.headers_mut().remove(CONTENT_LENGTH);
            response.headers_mut().extend(self.describing());
            return response;
        }
        // A part only of the file that the client has the rest of.
        let range = text(asked, &RANGE).filter(|_| text(asked, &IF_RANGE).is_none_or(|tag| tag == self.etag));
        let length = self.bytes.len();
        match range::requested(range, length) {
            Requested::Whole => self.whole(),
            Requested::Unsatisfiable => {
                let mut response = empty(StatusCode::RANGE_NOT_SATISFIABLE);
                response
                    .headers_mut()
                    .insert(CONTENT_RANGE, header(&format!("bytes */{length}")));
                response
            }
            Requested::Part(part) => {
                let shown = format!("bytes {}-{}/{length}", part.start, part.end - 1);
                let (describing, content_type) = (self.describing(), self.content_type);
                let mut response = with_body(self.bytes[part].to_vec(), content_type);
                *response.status_mut() = StatusCode::PARTIAL_CONTENT;
                response.headers_mut().extend(describing);
                response.headers_mut().insert(CONTENT_RANGE, header(&shown));
                response
            }
        }
    }

    fn whole(self) -> Response {
        let describing = self.describing();
        let mut response = with_body(self.bytes, self.content_type);
        response.headers_mut().extend(describing);
        response
    }

    fn describing(&self) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(ETAG, header(&self.etag));
        headers.insert(VARY, HeaderValue::from_static("Accept-Encoding"));
        headers.insert(ACCEPT_RANGES, HeaderValue::from_static("bytes"));
        if self.encoding != Encoding::Identity {
            headers.insert(CONTENT_ENCODING, HeaderValue::from_static(self.encoding.name()));
        }
        headers
    }
}

/// `If-None-Match`: a list of tags, or any. Weak tags are as good as strong ones here.
fn matches_etag(tags: &str, etag: &str) -> bool {
    tags.split(',')
        .map(str::trim)
        .any(|tag| tag == "*" || tag.strip_prefix("W/").unwrap_or(tag) == etag)
}

fn content_type(file: &Path) -> &'static str {
    let ending = file
        .extension()
        .and_then(|ending| ending.to_str())
        .unwrap_or_default();
    match &*ending.to_ascii_lowercase() {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" => "application/json",
        "webmanifest" => "application/manifest+json",
        "md" => "text/markdown; charset=utf-8",
        "txt" => "text/plain; charset=utf-8",
        "xml" => "application/xml; charset=utf-8",
        "atom" => "application/atom+xml; charset=utf-8",
        "rss" => "application/rss+xml; charset=utf-8",
        "yaml" | "yml" => "application/yaml; charset=utf-8",
        "wasm" => "application/wasm",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "gif" => "image/gif",
        "webp" => "image/webp",
        "avif" => "image/avif",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "pdf" => "application/pdf",
        "mp4" => "video/mp4",
        "webm" => "video/webm",
        _ => "application/octet-stream",
    }
}

/// None where the result is no text, or an escape is cut off.
fn percent_decoded(path: &str) -> Option<String> {
    let is_escape = |rest: &str| {
        let digits = rest.as_bytes().get(..2);
        digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    };
    let decoded = percent_encoding::percent_decode_str(path).decode_utf8().ok()?;
    path.split('%')
        .skip(1)
        .all(is_escape)
        .then(|| decoded.into_owned())
}

fn with_body(bytes: Vec<u8>, content_type: HeaderValue) -> Response {
    let length = HeaderValue::from(bytes.len());
    let mut response = Response::new(Body::from(bytes));
    response.headers_mut().insert(CONTENT_TYPE, content_type);
    // Stated, so that an answer to HEAD, which has no body, carries it too.
    response.headers_mut().insert(CONTENT_LENGTH, length);
    response
}

fn empty(status: StatusCode) -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = status;
    response
        .headers_mut()
        .insert(CONTENT_LENGTH, HeaderValue::from(0));
    response
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

fn header(value: &str) -> HeaderValue {
    HeaderValue::from_str(value).expect("numbers and names of ours are header values")
}

#[cfg(test)]
mod tests;
