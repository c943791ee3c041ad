//! For authors: pages that show every build as soon as it is there, and what is wrong with what was saved.
//!
//! Whoever builds the site writes a file: its first line names the build, what follows is the problem that kept it from being made.
//! While that file is there, each page comes with a script that reloads it at the next build, and without its service worker. Nothing
//! of the built site is another than what readers will get.

use std::path::{Path, PathBuf};
use std::time::Duration;

use axum::body::Body;
use axum::http::Uri;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue};
use axum::response::Response;

const SCRIPT: &str = include_str!("live_reload.js");
/// Removes the worker of a build that a browser has stored, with all that it keeps. Nobody registers it.
const NO_WORKER: &str = include_str!("../../site/src/service-worker/killSwitch.js");
const INTERVAL: Duration = Duration::from_millis(50);
/// A page that asks hears something at least so often, and asks again.
const LONGEST_WAIT: Duration = Duration::from_secs(20);

pub(crate) struct LiveReload {
    file: PathBuf,
    base: String,
}

impl LiveReload {
    pub(crate) fn new(file: &Path, base: &str) -> Self {
        Self {
            file: file.to_owned(),
            base: base.to_owned(),
        }
    }

    /// The build that is there, or was tried; none while nobody is at work.
    pub(crate) fn build(&self) -> Option<String> {
        Some(name(&self.state()?).to_owned())
    }

    /// The answer to what the script asks for, and in place of the service worker.
    pub(crate) async fn answer(&self, uri: &Uri) -> Option<Response> {
        let is_at_work = || self.build().is_some();
        match uri.path().strip_prefix(&self.base)? {
            "-/live-reload.js" if is_at_work() => {
                Some(text("text/javascript; charset=utf-8", SCRIPT.to_owned()))
            }
            "-/live-reload" => {
                let known = uri.query().and_then(|query| query.strip_prefix("known="));
                Some(self.next(known.unwrap_or_default()).await)
            }
            "sw.js" if is_at_work() => Some(text("text/javascript; charset=utf-8", NO_WORKER.to_owned())),
            _ => None,
        }
    }

    /// The page with the script, which stands before all others.
    pub(crate) fn with_script(&self, page: Vec<u8>, build: &str) -> Vec<u8> {
        const HEAD: &[u8] = b"<head>";
        let Some(start) = page.windows(HEAD.len()).position(|part| part == HEAD) else {
            return page;
        };
        let tag = format!(
            "<script src=\"{}-/live-reload.js?build={build}\"></script>",
            self.base
        );
        let (before, after) = page.split_at(start + HEAD.len());
        [before, tag.as_bytes(), after].concat()
    }

    /// What is written about the first build that is not `known`; nothing once nobody is at work.
    async fn next(&self, known: &str) -> Response {
        let mut waited = Duration::ZERO;
        loop {
            match self.state() {
                Some(state) if name(&state) == known && waited < LONGEST_WAIT => {
                    tokio::time::sleep(INTERVAL).await;
                    waited += INTERVAL;
                }
                state => return text("text/plain; charset=utf-8", state.unwrap_or_default()),
            }
        }
    }

    fn state(&self) -> Option<String> {
        std::fs::read_to_string(&self.file).ok()
    }
}

fn name(state: &str) -> &str {
    state.lines().next().unwrap_or_default()
}

fn text(content_type: &'static str, text: String) -> Response {
    let mut response = Response::new(Body::from(text));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
