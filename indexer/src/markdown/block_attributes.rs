//! Lists of attributes of Hugo below blocks, where its configuration has them:
//!
//! ```text
//! > A quote
//! {.blockquote #id cite="https://example.com"}
//! ```
//!
//! They are not shown, and an id in one is a place to link to. Those of headings are read by the parser.

use std::ops::Range;

use pulldown_cmark::{Event, Tag};

use super::PlacedEvent;
use super::imports;
use super::reshaped::Reshaped;

/// The text without such lists; `None` where it has none. `events` are what the parser has made of the text.
pub(super) fn markdown(text: &str, body_at: usize, events: &[PlacedEvent<'_>]) -> Option<Reshaped> {
    let lines = imports::lines_outside_of_code(text, body_at).into_iter();
    let lists = lines.filter_map(|line| {
        let inner = text[line.clone()].trim_start_matches([' ', '\t', '>']);
        let id = attributes(inner.trim_end())?;
        Some((line.end - inner.len(), line, id))
    });
    let lists: Vec<(usize, Range<usize>, Option<&str>)> = lists.collect();
    if lists.is_empty() {
        return None;
    }
    let blocks = Blocks::of(events);
    let mut reshaped = Reshaped::default();
    let mut copied = 0;
    for (start, line, id) in lists {
        if Blocks::has(&blocks.as_they_are, start) {
            continue;
        }
        // An empty line before the next item would make paragraphs of all items.
        if id.is_none() && is_item(&text[line.end..]) {
            reshaped.copy(text, copied..line.start);
            copied = line.end;
            continue;
        }
        reshaped.copy(text, copied..start);
        copied = start + text[start..line.end].trim_end().len();
        if let Some(id) = id {
            // For the parser it would be a row of a table.
            let before = if Blocks::has(&blocks.tables, start) {
                "\n"
            } else {
                ""
            };
            reshaped.put(&format!("{before}<a id=\"{id}\"></a>"), start);
        }
    }
    reshaped.copy(text, copied..text.len());
    Some(reshaped)
}

/// Where blocks are, in their order.
#[derive(Default)]
struct Blocks {
    tables: Vec<Range<usize>>,
    /// Code, and HTML.
    as_they_are: Vec<Range<usize>>,
}

impl Blocks {
    fn of(events: &[PlacedEvent<'_>]) -> Self {
        let mut blocks = Self::default();
        for (event, range) in events {
            match event {
                Event::Start(Tag::Table(_)) => blocks.tables.push(range.clone()),
                Event::Start(Tag::CodeBlock(_) | Tag::HtmlBlock) | Event::Code(_) => {
                    blocks.as_they_are.push(range.clone());
                }
                _ => {}
            }
        }
        blocks
    }

    fn has(blocks: &[Range<usize>], at: usize) -> bool {
        let next = blocks.partition_point(|block| block.start <= at);
        next.checked_sub(1).is_some_and(|last| blocks[last].contains(&at))
    }
}

fn is_item(line: &str) -> bool {
    let line = line.trim_start_matches([' ', '\t', '>']);
    let sign = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_sign = match line.len() - sign.len() {
        0 => sign.starts_with(['-', '*', '+']),
        _ => sign.starts_with(['.', ')']),
    };
    is_sign && sign[1..].starts_with([' ', '\t'])
}

/// The id in a line that is nothing but a list of attributes, if it has one; `None` for another line.
fn attributes(line: &str) -> Option<Option<&str>> {
    let mut rest = line.strip_prefix('{')?.strip_suffix('}')?;
    let mut id = None;
    let mut is_list = false;
    loop {
        rest = rest.trim_start_matches([' ', '\t', ',']);
        if rest.is_empty() {
            return is_list.then_some(id);
        }
        is_list = true;
        let own = rest.strip_prefix(['#', '.']).unwrap_or(rest);
        let length = own.find(|c: char| !(c.is_alphanumeric() || matches!(c, '-' | '_' | ':' | '.')));
        let (name, behind) = own.split_at(length.unwrap_or(own.len()));
        if name.is_empty() {
            return None;
        }
        if rest.starts_with('#') {
            id = id.or(Some(name));
        }
        rest = match rest.starts_with(['#', '.']) {
            true => behind,
            false => behind_value(behind.strip_prefix('=')?)?,
        };
        if !rest.is_empty() && !rest.starts_with([' ', '\t', ',']) {
            return None;
        }
    }
}

/// What follows a value: a text in quotes, or a word.
fn behind_value(text: &str) -> Option<&str> {
    let Some(quoted) = text.strip_prefix('"') else {
        let end = text.find([' ', '\t', ',']).unwrap_or(text.len());
        return (end > 0 && !text[..end].contains(['{', '}', '"'])).then(|| &text[end..]);
    };
    let mut is_escaped = false;
    let end = quoted.find(|c| {
        let is_end = c == '"' && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
        is_end
    })?;
    Some(&quoted[end + 1..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_attributes_are_told_from_text() {
        for (line, expected) in [
            ("{.a}", Some(None)),
            ("{ .a .b-c, #d-1 key=\"v } \\\" w\" n=2 }", Some(Some("d-1"))),
            ("{#é}", Some(Some("é"))),
            ("{data-x=true}", Some(None)),
            ("{}", None),
            ("{ }", None),
            ("{a}", None),
            ("{{.a}}", None),
            ("{.a", None),
            ("{.a} b", None),
            ("{.a=\"b}", None),
            ("{a=}", None),
            ("{a=\"b\"c}", None),
            ("{.a}{.b}", None),
            ("{%.a%}", None),
        ] {
            assert_eq!(attributes(line), expected, "{line}");
        }
    }
}
