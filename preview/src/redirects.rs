//! The `_redirects` file, as Netlify and Cloudflare read it: in each line an address, where it leads, and a status.

use axum::http::StatusCode;
use axum::http::header::HeaderValue;

use crate::headers::LineError;

/// One line: a path whose parts may be `:name`, with a `*` at its end for all that is behind.
#[derive(Debug)]
pub(crate) struct Redirect {
    from: Vec<String>,
    /// With `:name` and `:splat` for what stood there.
    to: String,
    pub(crate) status: StatusCode,
}

impl Redirect {
    /// Where a path leads, with the query that was asked with it.
    pub(crate) fn leads(&self, path: &str, query: Option<&str>) -> Option<HeaderValue> {
        let parts: Vec<&str> = parts_of(path).collect();
        let mut values: Vec<(&str, String)> = Vec::new();
        let mut rest = parts.as_slice();
        for from in &self.from {
            if from == "*" {
                values.push(("splat", rest.join("/")));
                rest = &[];
                break;
            }
            let (part, behind) = rest.split_first()?;
            match from.strip_prefix(':') {
                Some(name) => values.push((name, (*part).to_owned())),
                None if from == part => {}
                None => return None,
            }
            rest = behind;
        }
        if !rest.is_empty() {
            return None;
        }
        // The longest name first: `:id` is no part of `:idea`.
        values.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
        let mut to = self.to.clone();
        for (name, value) in values {
            to = to.replace(&format!(":{name}"), &value);
        }
        if let Some(query) = query.filter(|_| !to.contains('?')) {
            let at = to.find('#').unwrap_or(to.len());
            to.insert_str(at, &format!("?{query}"));
        }
        to.parse().ok()
    }
}

/// What the file says.
#[derive(Debug, Default)]
pub(crate) struct Redirects {
    /// The first one that fits an address counts.
    pub(crate) rules: Vec<Redirect>,
    /// Lines that some hosts know and this one does not, such as rewrites.
    pub(crate) left_out: Vec<LineError>,
}

/// Reads the file.
pub(crate) fn parse_redirects(text: &str) -> Result<Redirects, LineError> {
    let mut redirects = Redirects::default();
    for (index, line) in text.lines().enumerate() {
        let error = |message: String| LineError {
            line: index + 1,
            message,
        };
        let line = line.split(" #").next().unwrap_or_default().trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let mut words = line.split_whitespace();
        let (Some(from), Some(to), status, None) = (words.next(), words.next(), words.next(), words.next())
        else {
            return Err(error(
                "expected an address, where it leads, and a status such as 301".to_owned(),
            ));
        };
        let status = match status {
            None => StatusCode::FOUND,
            Some(status) => status
                .parse()
                .map_err(|_| error(format!("'{status}' is no status of a redirect; write 301 or 302")))?,
        };
        if !from.starts_with('/') {
            return Err(error(format!(
                "'{from}' is no path of this site; begin with a slash"
            )));
        }
        if !status.is_redirection() {
            redirects.left_out.push(error(format!(
                "'{}' is no status of a redirect; the rule is left out here, and hosts differ in what else they know",
                status.as_u16()
            )));
            continue;
        }
        redirects.rules.push(Redirect {
            from: parts_of(from).map(str::to_owned).collect(),
            to: to.to_owned(),
            status,
        });
    }
    Ok(redirects)
}

/// A slash at the end makes no other address.
fn parts_of(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(|part| !part.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leads(text: &str, path: &str, query: Option<&str>) -> Option<String> {
        let redirects = parse_redirects(text).unwrap();
        let to = redirects
            .rules
            .iter()
            .find_map(|redirect| redirect.leads(path, query))?;
        Some(to.to_str().unwrap().to_owned())
    }

    #[test]
    fn an_address_leads_to_another_and_a_pattern_keeps_what_it_stands_for() {
        let text = "# comment\n/old /new#part 301\n/blog/:year/:y/x /news/:y/:year\n/v1/* https://example.com/:splat # all\n/a /first\n/a /second\n";
        for (path, expected) in [
            ("/old", Some("/new#part")),
            ("/old/", Some("/new#part")),
            ("/older", None),
            ("/old/x", None),
            ("/blog/2026/11/x", Some("/news/11/2026")),
            ("/blog/2026/x", None),
            ("/v1", Some("https://example.com/")),
            ("/v1/a/b", Some("https://example.com/a/b")),
            ("/a", Some("/first")),
        ] {
            assert_eq!(leads(text, path, None).as_deref(), expected, "{path}");
        }
        assert_eq!(leads(text, "/old", Some("q=1")).as_deref(), Some("/new?q=1#part"));
        assert_eq!(leads("/a /b?c=d", "/a", Some("q=1")).as_deref(), Some("/b?c=d"));
    }

    #[test]
    fn a_rule_that_is_no_redirect_is_left_out_and_named() {
        let redirects = parse_redirects("/a /b\n/* /index.html 200 # all\n/c /d 404\n").unwrap();
        let left_out: Vec<usize> = redirects.left_out.iter().map(|rule| rule.line).collect();
        assert_eq!((redirects.rules.len(), left_out), (1, vec![2, 3]));
        assert!(
            redirects.left_out[0]
                .message
                .starts_with("'200' is no status of a redirect")
        );
    }

    #[test]
    fn a_line_that_is_none_is_named() {
        for (text, line) in [
            ("/a /b soon", 1),
            ("a /b 200", 1),
            ("/a\n", 1),
            ("\n/a /b 301\na /b", 3),
            ("/a /b 301 c", 1),
        ] {
            assert_eq!(parse_redirects(text).unwrap_err().line, line, "{text}");
        }
    }
}
