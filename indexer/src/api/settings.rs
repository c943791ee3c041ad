//! `[[api]]` of the configuration.

use std::path::{Component, Path};

use crate::fields::{Fields, Text};

/// An OpenAPI document that becomes pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Api {
    /// Where its pages are, such as `/docs/api`.
    pub route: Text,
    /// Its file, from the folder of the configuration.
    pub document: Text,
    /// What readers call it, such as `API v1`; without it, the title of the document.
    pub label: Option<String>,
    /// Where the API answers; without it, what the document says, at the server that the search asks.
    pub server: Option<String>,
}

impl Api {
    /// Where the site has the document itself, for programs that make clients of it: `docs/api/openapi.yaml`.
    pub(crate) fn published(&self) -> String {
        let is_json = self.document.text.to_ascii_lowercase().ends_with(".json");
        let ending = if is_json { "json" } else { "yaml" };
        format!("{}/openapi.{ending}", self.route.text.trim_start_matches('/'))
    }
}

/// Reads one `[[api]]`.
pub(crate) fn read(fields: &mut Fields<'_>) -> Option<Api> {
    let route = fields.required_text("route", "/docs/api");
    let document = fields.required_text("document", "api-spec/v1/openapi.yaml");
    let label = fields.text("label").map(|label| label.text);
    let server = fields.text("server").map(|server| {
        let rest = server
            .text
            .strip_prefix("https://")
            .or_else(|| server.text.strip_prefix("http://"));
        let is_address = rest.is_some_and(|rest| {
            rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '[')
                && rest
                    .bytes()
                    .all(|byte| byte.is_ascii_graphic() && !b"\"<>\\`?#".contains(&byte))
        });
        if !is_address {
            fields.error(
                server.at,
                "`server` takes an address that starts with https:// or http://",
            );
        }
        server.text.trim_end_matches('/').to_owned()
    });
    let (route, document) = (route?, document?);
    let segments: Vec<&str> = route.text.split('/').skip(1).collect();
    let is_word = |segment: &&str| {
        !segment.is_empty()
            && segment
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
    };
    if !route.text.starts_with('/') || !segments.iter().all(is_word) {
        let message = "`route` takes a path of letters, digits, `-`, `_` and `.` that starts with `/` and does not end with one";
        fields.error(route.at, message);
    }
    let mut parts = Path::new(&document.text).components();
    if document.text.is_empty() || !parts.all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
    {
        let message = "`document` takes the path of a file beside this one or in a folder below it";
        fields.error(document.at, message);
    }
    Some(Api {
        route,
        document,
        label,
        server,
    })
}
