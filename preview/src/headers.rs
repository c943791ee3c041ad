//! The `_headers` file: blocks of a path and the headers that answers below it carry.

use axum::http::header::{HeaderName, HeaderValue};

/// One block: a path, `*` at its end standing for anything, and what it sets.
#[derive(Debug)]
pub(crate) struct HeaderRule {
    path: String,
    pub(crate) headers: Vec<(HeaderName, HeaderValue)>,
}

impl HeaderRule {
    pub(crate) fn matches(&self, path: &str) -> bool {
        match self.path.strip_suffix('*') {
            Some(prefix) => path.starts_with(prefix),
            None => path == self.path,
        }
    }
}

/// What is wrong with a line of a file that hosts read.
#[derive(Debug)]
pub(crate) struct LineError {
    pub(crate) line: usize,
    pub(crate) message: String,
}

pub(crate) fn parse_headers(text: &str) -> Result<Vec<HeaderRule>, LineError> {
    let mut rules: Vec<HeaderRule> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let error = |message: String| LineError {
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
