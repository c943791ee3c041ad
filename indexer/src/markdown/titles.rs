//! Titles of alerts and tabs, which are Markdown in one line: of what is marked in them, code is shown as code, and the rest as text.

use pulldown_cmark::{Event, Parser};

use super::PlacedEvent;
use crate::html::escaped;

/// Stands before code in a title, and behind it. Markdown has no use for it.
const SIGN: char = '\u{4}';

/// A title that is written as Markdown, with signs around its code.
pub(super) fn marked(title: &str) -> String {
    let events = Parser::new(title)
        .into_offset_iter()
        .map(|(event, range)| match event {
            // No markup in a title: it is what its author has written.
            Event::Html(html) | Event::InlineHtml(html) => (Event::Text(html), range),
            event => (event, range),
        });
    of_events(&events.collect::<Vec<_>>())
}

/// The same of a title that has been read.
pub(super) fn of_events(events: &[PlacedEvent<'_>]) -> String {
    let mut title = String::new();
    for (event, _) in events {
        match event {
            Event::Text(part) | Event::InlineMath(part) => title.push_str(&plain(part)),
            Event::Code(code) => title.push_str(&format!("{SIGN}{}{SIGN}", plain(code))),
            Event::SoftBreak | Event::HardBreak => title.push(' '),
            _ => {}
        }
    }
    title.trim().to_owned()
}

/// A title as a reader would say it.
pub(crate) fn plain(title: &str) -> String {
    title.replace(SIGN, "")
}

/// Whether a title has code in it.
pub(super) fn has_code(title: &str) -> bool {
    title.contains(SIGN)
}

/// The parts of a title, each with whether it is code.
pub(crate) fn parts(title: &str) -> impl Iterator<Item = (&str, bool)> {
    // What has no end is no code.
    let signs = title.matches(SIGN).count() / 2 * 2;
    let parts = title.split(SIGN).enumerate();
    parts.map(move |(number, part)| (part, number % 2 == 1 && number < signs))
}

/// A title as HTML.
pub(crate) fn html(title: &str) -> String {
    with_code(title, escaped)
}

/// The same of a title that is HTML but for its code.
pub(crate) fn html_of_escaped(title: &str) -> String {
    with_code(title, str::to_owned)
}

fn with_code(title: &str, shown: impl Fn(&str) -> String) -> String {
    let parts = parts(title).map(|(part, is_code)| match is_code {
        true => format!("<code>{}</code>", shown(part)),
        false => shown(part),
    });
    parts.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_what_is_marked_in_a_title_code_alone_is_seen() {
        for (title, expected) in [
            (
                "Use `a < b` and **c** & <b>d</b>",
                "Use <code>a &lt; b</code> and c &amp; &lt;b&gt;d&lt;/b&gt;",
            ),
            ("`a``b`", "<code>a``b</code>"),
            ("`a` `b`", "<code>a</code> <code>b</code>"),
            ("a\u{4}b `c` \u{4}", "ab <code>c</code>"),
            ("", ""),
        ] {
            assert_eq!(html(&marked(title)), expected, "{title}");
        }
        assert_eq!(plain(&marked("Use `a`")), "Use a");
        // Whoever writes the sign cannot leave an element open.
        assert_eq!(html_of_escaped("a\u{4}b\u{4}c\u{4}d"), "a<code>b</code>cd");
        assert_eq!(html_of_escaped("a\u{4}b"), "ab");
    }
}
