//! Marks that tell other generators something and that readers would see as text: lists of attributes (`{ .button }`, `{: .note }`,
//! `{width=300}`, as in kramdown, Python-Markdown and markdown-it-attrs), and the place of a table of contents, which pages have anyway.

use std::collections::HashMap;

use pulldown_cmark::{CowStr, Event, Tag, TagEnd};

use super::PlacedEvent;

/// Leaves the marks out. The widths that they give to images come to the others, by how many images come before.
pub(super) fn leave_out<'a>(
    events: Vec<PlacedEvent<'a>>,
    widths: &mut HashMap<usize, u32>,
) -> Vec<PlacedEvent<'a>> {
    let is_mark =
        |event: &Event<'_>| matches!(event, Event::Text(text) if text.contains('{') || is_toc(text));
    if !events.iter().any(|(event, _)| is_mark(event)) {
        return events;
    }
    let mut kept: Vec<PlacedEvent<'a>> = Vec::with_capacity(events.len());
    let mut images = 0;
    let mut events = events.into_iter().peekable();
    while let Some((event, range)) = events.next() {
        let Event::Text(text) = &event else {
            if let Event::Start(Tag::Image { .. }) = event {
                images += 1;
            }
            kept.push((event, range));
            continue;
        };
        let next = events.peek().map(|(event, _)| event);
        let is_last = matches!(
            next,
            Some(Event::End(TagEnd::Paragraph | TagEnd::Heading(_) | TagEnd::Item))
        );
        match kept.last().map(|(event, _)| event) {
            Some(Event::End(end @ (TagEnd::Link | TagEnd::Image))) => {
                if let Some((list, rest)) = list(text) {
                    if *end == TagEnd::Image
                        && let Some(width) = width(list)
                    {
                        widths.insert(images - 1, width);
                    }
                    if !rest.is_empty() {
                        kept.push((Event::Text(CowStr::from(rest.to_owned())), range));
                    }
                    continue;
                }
            }
            // A line of its own, at the end of a paragraph or as all of it.
            Some(before @ (Event::SoftBreak | Event::Start(Tag::Paragraph)))
                if is_last && matches!(list(text), Some((list, "")) if list.starts_with(':')) =>
            {
                if *before == Event::SoftBreak {
                    kept.pop();
                } else {
                    leave_paragraph(&mut kept, &mut events);
                }
                continue;
            }
            // Above the rest of its paragraph.
            Some(Event::Start(Tag::Paragraph))
                if next == Some(&Event::SoftBreak)
                    && matches!(list(text), Some((list, "")) if list.starts_with(':')) =>
            {
                events.next();
                continue;
            }
            Some(Event::Start(Tag::Paragraph)) if is_last && is_toc(text) => {
                leave_paragraph(&mut kept, &mut events);
                continue;
            }
            _ => {}
        }
        kept.push((event, range));
    }
    kept
}

/// Without the paragraph that has just begun.
fn leave_paragraph<'a>(kept: &mut Vec<PlacedEvent<'a>>, events: &mut impl Iterator<Item = PlacedEvent<'a>>) {
    kept.pop();
    events.next();
}

fn is_toc(text: &str) -> bool {
    let text = text.trim();
    ["[toc]", "[[toc]]", "[[_toc_]]"]
        .iter()
        .any(|mark| text.eq_ignore_ascii_case(mark))
}

/// What stands in the braces that a text starts with, if that is a list of attributes, and what stands behind them.
fn list(text: &str) -> Option<(&str, &str)> {
    let (list, rest) = text.strip_prefix('{')?.split_once('}')?;
    let is_attribute = |word: &str| {
        let is_name = |name: &str| {
            name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
                && name
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b':'))
        };
        match word.strip_prefix(['.', '#']) {
            Some(name) => is_name(name),
            None => word.split_once('=').is_some_and(|(name, _)| is_name(name)),
        }
    };
    let words: Vec<&str> = list.trim_start_matches(':').split_whitespace().collect();
    // A value in quotes may have spaces.
    let is_list = words.first().is_some_and(|word| is_attribute(word))
        && (list.contains(['"', '\'']) || words.iter().all(|word| is_attribute(word)));
    is_list.then_some((list, rest))
}

/// `width=300`, also in quotes and with its unit.
fn width(list: &str) -> Option<u32> {
    let (_, value) = list.split_once("width=")?;
    let value = value.trim_start_matches(['"', '\'']);
    let end = value.find(|c: char| !c.is_ascii_digit()).unwrap_or(value.len());
    let is_pixels = !value[end..].starts_with(['%', 'e', 'r', 'v']);
    value[..end].parse().ok().filter(|width| *width > 0 && is_pixels)
}
