//! The Markdown and the HTML of a page, one after the other.

use std::collections::HashMap;
use std::ops::Range;

use html_escape::decode_html_entities;
use pulldown_cmark::{Event, Tag, TagEnd};

use super::super::PlacedEvent;
use super::super::raw_html::{self, Cut};
use super::inline::Lines;
use super::kinds::{Kind, kind};

#[derive(Debug)]
pub(super) enum Token<'a> {
    /// Markdown, or HTML that is none of ours.
    Event(Event<'a>),
    /// A text between tags.
    Text(String),
    Open(Element),
    Close(String),
    /// A tag of no element of HTML.
    Unknown(String),
    BlockStart,
    BlockEnd,
}

/// The tag that starts an element.
#[derive(Debug)]
pub(super) struct Element {
    /// In lower case; that of a component as it is written.
    pub(super) name: String,
    pub(super) attributes: Vec<(String, String)>,
    /// As it is written.
    pub(super) tag: String,
}

impl Element {
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(key, _)| key == name);
        found
            .map(|(_, value)| value.trim())
            .filter(|value| !value.is_empty())
    }
}

pub(super) type PlacedToken<'a> = (Token<'a>, Range<usize>);

pub(super) fn tokens<'a>(events: Vec<PlacedEvent<'a>>, is_mdx: bool) -> Vec<PlacedToken<'a>> {
    let mut tokens = Vec::with_capacity(events.len());
    let mut lines = Lines::default();
    let mut marks = marks(&events).into_iter().peekable();
    for (index, (event, range)) in events.into_iter().enumerate() {
        if marks.peek().is_some_and(|mark| mark.contains(&index)) {
            tokens.push((Token::Event(event), range));
            marks.next_if(|mark| mark.end == index + 1);
            continue;
        }
        match &event {
            Event::Start(Tag::HtmlBlock) => {
                lines.pass(&Token::BlockStart);
                tokens.push((Token::BlockStart, range));
            }
            Event::End(TagEnd::HtmlBlock) => tokens.push((Token::BlockEnd, range)),
            Event::Html(html) | Event::InlineHtml(html) => {
                let is_markdown = is_mdx && matches!(event, Event::Html(_));
                for (at, cut) in raw_html::cut(html) {
                    let (found, length) = match cut {
                        Cut::Comment => continue,
                        Cut::Text(text) => {
                            let read = is_markdown.then(|| lines.read(text)).flatten();
                            let whole = || vec![Token::Text(text.to_owned())];
                            (read.unwrap_or_else(whole), text.len())
                        }
                        Cut::Tag(tag) => (vec![read_tag(tag)], tag.len()),
                    };
                    let place = range.start + at;
                    let place = place..(place + length).min(range.end).max(place);
                    for token in found {
                        lines.pass(&token);
                        tokens.push((token, place.clone()));
                    }
                }
            }
            _ => tokens.push((Token::Event(event), range)),
        }
    }
    tokens
}

/// The blocks, each from its start to its end, that stand for lines of colons.
fn marks(events: &[PlacedEvent<'_>]) -> Vec<Range<usize>> {
    let mut marks = Vec::new();
    let mut start = 0;
    let mut is_mark = false;
    for (index, (event, _)) in events.iter().enumerate() {
        match event {
            Event::Start(Tag::HtmlBlock) => (start, is_mark) = (index, false),
            Event::Html(html) => is_mark |= html.trim_start().starts_with("<?"),
            Event::End(TagEnd::HtmlBlock) if is_mark => marks.push(start..index + 1),
            _ => {}
        }
    }
    marks
}

fn read_tag<'a>(tag: &str) -> Token<'a> {
    let Some(inner) = tag.strip_prefix('<').and_then(|inner| inner.strip_suffix('>')) else {
        return Token::Text(tag.to_owned());
    };
    let (is_end, inner) = match inner.strip_prefix('/') {
        Some(inner) => (true, inner),
        None => (false, inner),
    };
    let name = name_of(tag);
    let rest = &inner[name.len()..];
    let is_separated = rest.is_empty() || rest.starts_with(|c: char| c.is_whitespace() || c == '/');
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) || !is_separated {
        return Token::Unknown(tag.to_owned());
    }
    let is_component = is_component(name);
    let lower = name.to_ascii_lowercase();
    let is_element = kind(&lower) != Kind::Unknown;
    let name = if is_element { lower } else { name.to_owned() };
    if is_end {
        // Whether a component is one shows where it starts.
        return if is_element || is_component {
            Token::Close(name)
        } else {
            Token::Unknown(tag.to_owned())
        };
    }
    let attributes = attributes(rest);
    // A type parameter has no attributes, and does not end at once.
    let has_shape = !attributes.is_empty() || rest.trim_end().ends_with('/');
    if is_element || is_component && has_shape {
        Token::Open(Element {
            name,
            attributes,
            tag: tag.to_owned(),
        })
    } else {
        Token::Unknown(tag.to_owned())
    }
}

/// What stands behind `<` or `</`, as far as it can be a name.
pub(super) fn name_of(tag: &str) -> &str {
    let inner = tag.strip_prefix('<').unwrap_or(tag);
    let inner = inner.strip_prefix('/').unwrap_or(inner);
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | ':' | '_');
    &inner[..inner.find(|c| !is_name(c)).unwrap_or(inner.len())]
}

/// Whether it can be the name of a component.
pub(super) fn is_component(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_uppercase()) || name.contains(['-', ':', '.'])
}

/// Names in lower case, and values without the entities. What a program would fill in has the value "".
fn attributes(text: &str) -> Vec<(String, String)> {
    let mut attributes = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let end = rest
            .find(|c: char| c.is_whitespace() || c == '=')
            .unwrap_or(rest.len());
        let name = rest[..end].trim_matches('/').to_ascii_lowercase();
        let behind = rest[end..].trim_start();
        let value = match behind.strip_prefix('=').map(str::trim_start) {
            None => {
                rest = behind;
                ""
            }
            Some(value) => {
                let quote = value
                    .chars()
                    .next()
                    .filter(|c| matches!(c, '"' | '\'' | '{'))
                    .map(|c| if c == '{' { '}' } else { c });
                let (inner, behind) = match quote {
                    Some(quote) => value[1..].split_once(quote).unwrap_or((&value[1..], "")),
                    None => value.split_once(char::is_whitespace).unwrap_or((value, "")),
                };
                rest = behind.trim_start();
                if quote == Some('}') { "" } else { inner }
            }
        };
        if !name.is_empty() {
            attributes.push((name, decode_html_entities(value).into_owned()));
        }
        rest = rest.trim_start_matches(['/', '=']).trim_start();
    }
    attributes
}

/// Whether a row that starts before these tokens has heads of columns alone.
pub(super) fn is_head(tokens: &[PlacedToken<'_>]) -> bool {
    let mut cells = tokens
        .iter()
        .take_while(|(token, _)| match token {
            Token::Close(name) => name != "tr" && name != "table",
            Token::Open(element) => element.name != "tr",
            _ => true,
        })
        .filter_map(|(token, _)| match token {
            Token::Open(element) if kind(&element.name) == Kind::Cell => Some(element.name == "th"),
            _ => None,
        })
        .peekable();
    cells.peek().is_some() && cells.all(|is_head| is_head)
}

pub(super) fn is_link(token: &Token<'_>) -> bool {
    match token {
        Token::Event(Event::Start(Tag::Link { .. })) => true,
        Token::Open(element) => element.name == "a" && element.get("href").is_some(),
        _ => false,
    }
}

/// By token, where the element that it starts ends, if that is in the same block of HTML, or in the same part of a text with all the
/// Markdown between being whole.
pub(super) fn ends(tokens: &[PlacedToken<'_>]) -> Vec<Option<usize>> {
    let mut ends = vec![None; tokens.len()];
    // By name, the starts in the elements of Markdown that are open.
    let mut open: Vec<HashMap<&str, Vec<usize>>> = vec![HashMap::new()];
    for (index, (token, _)) in tokens.iter().enumerate() {
        match token {
            Token::BlockEnd => open.iter_mut().for_each(HashMap::clear),
            Token::Event(Event::Start(_)) => open.push(HashMap::new()),
            Token::Event(Event::End(_)) => {
                open.pop();
                if open.is_empty() {
                    open.push(HashMap::new());
                }
            }
            Token::Open(element) => {
                if let Some(starts) = open.last_mut() {
                    starts.entry(&element.name).or_default().push(index);
                }
            }
            Token::Close(name) => {
                let starts = open.last_mut().and_then(|starts| starts.get_mut(name.as_str()));
                if let Some(start) = starts.and_then(Vec::pop) {
                    ends[start] = Some(index);
                }
            }
            _ => {}
        }
    }
    ends
}

/// Where the block of HTML ends that `at` is in, or the element of Markdown.
pub(super) fn run_end(tokens: &[PlacedToken<'_>], at: usize) -> usize {
    let mut depth = 0usize;
    for (index, (token, _)) in tokens.iter().enumerate().skip(at) {
        match token {
            Token::BlockEnd => return index,
            Token::Event(Event::Start(_)) => depth += 1,
            Token::Event(Event::End(_)) => match depth.checked_sub(1) {
                None => return index,
                Some(left) => depth = left,
            },
            _ => {}
        }
    }
    tokens.len()
}

/// The text of what is nothing but text.
pub(super) fn plain(tokens: &[PlacedToken<'_>]) -> Option<String> {
    let mut text = String::new();
    for (token, _) in tokens {
        match token {
            Token::Text(part) => text.push_str(&decode_html_entities(part)),
            Token::Event(Event::Text(part) | Event::Code(part)) => text.push_str(part),
            Token::Event(Event::Start(Tag::Emphasis | Tag::Strong)) => {}
            Token::Event(Event::End(TagEnd::Emphasis | TagEnd::Strong)) => {}
            Token::Event(Event::SoftBreak) => text.push('\n'),
            Token::Unknown(tag) => text.push_str(tag),
            Token::Open(element) if element.name == "br" => text.push('\n'),
            Token::Open(element)
                if kind(&element.name) == Kind::Style || kind(&element.name) == Kind::Code => {}
            Token::Close(_) => {}
            _ => return None,
        }
    }
    Some(text)
}
