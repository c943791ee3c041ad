//! A page as Markdown: what its author wrote, with the title and the description of its front matter as text, and with
//! links that work wherever the text ends up.

use std::ops::Range;

use pulldown_cmark::{Event, LinkType, Tag};

use super::{Addresses, encoded, markdown_file};
use crate::links::{self, Link, Target};
use crate::markdown::Document;
use crate::routes::Routes;
use crate::source::Source;

/// The Markdown of a page.
pub(crate) fn markdown(
    (title, description): (&str, Option<&str>),
    (source, body_at): (&Source, usize),
    document: &Document<'_>,
    links: &[Link],
    (routes, addresses): (&Routes, Addresses<'_>),
) -> String {
    let mut text = format!("# {title}\n");
    if let Some(description) = description {
        text.push_str(&format!("\n> {}\n", description.trim()));
    }
    text.push('\n');
    let mut edits = link_edits((source, document), links, routes, addresses);
    if let Some(title) = &document.title {
        let (first, last) = (title.events.start, title.events.end - 1);
        let written = document.events[first].1.start..document.events[last].1.end;
        edits.push((written, String::new()));
    }
    edits.extend(
        document
            .comments
            .iter()
            .map(|range| (range.clone(), String::new())),
    );
    edits.sort_by_key(|(range, _)| (range.start, range.end));
    let mut body = String::with_capacity(source.text.len());
    let mut from = body_at;
    for (range, replacement) in edits {
        // An edit within one that was made, such as a link of the title, has nothing to stand in.
        if range.start < from {
            continue;
        }
        body.push_str(&source.text[from..range.start]);
        body.push_str(&replacement);
        from = range.end;
    }
    body.push_str(&source.text[from..]);
    text.push_str(body.trim());
    text.push('\n');
    text
}

/// The ends of links, from behind their text on, as they are to be written.
fn link_edits(
    (source, document): (&Source, &Document<'_>),
    links: &[Link],
    routes: &Routes,
    addresses: Addresses<'_>,
) -> Vec<(Range<usize>, String)> {
    let mut links = links.iter();
    let mut edits = Vec::new();
    for (index, (event, range)) in document.events.iter().enumerate() {
        let (kind, title, is_image) = match event {
            Event::Start(Tag::Link { link_type, title, .. }) => (*link_type, title, false),
            Event::Start(Tag::Image { link_type, title, .. }) => (*link_type, title, true),
            _ => continue,
        };
        let Some(Link {
            target: Some(target),
            text,
            ..
        }) = links.next()
        else {
            continue;
        };
        // What an included file holds has no place here.
        if matches!(kind, LinkType::Autolink | LinkType::Email) || range.is_empty() {
            continue;
        }
        let address = address(target, routes, addresses);
        let written = &source.text[range.clone()];
        if written.ends_with("]]") && (written.starts_with("[[") || written.starts_with("![[")) {
            let mark = if is_image { "!" } else { "" };
            edits.push((range.clone(), format!("{mark}[{text}]({address})")));
            continue;
        }
        let inner = links::inner_events(&document.events, index, is_image);
        let opening = range.start + if is_image { 2 } else { 1 };
        let text_end = inner.iter().map(|(_, range)| range.end).max().unwrap_or(opening);
        let title = match title.as_ref() {
            "" => String::new(),
            title => format!(" \"{}\"", title.replace('"', "\\\"")),
        };
        edits.push((text_end..range.end, format!("]({address}{title})")));
    }
    edits
}

fn address(target: &Target, routes: &Routes, addresses: Addresses<'_>) -> String {
    match target {
        Target::External(address) => encoded(address),
        Target::Asset(asset) => addresses.of(&asset.output),
        Target::Page {
            page,
            path,
            suffix,
            anchor,
        } => {
            let place = match path.as_str() {
                "" => String::new(),
                "/" if routes.page_at("/").is_none() => addresses.of("/"),
                _ => addresses.of(&markdown_file(&routes.paths[*page])),
            };
            let anchor = anchor
                .as_deref()
                .map_or_else(String::new, |anchor| format!("#{anchor}"));
            format!("{place}{suffix}{}", encoded(&anchor))
        }
        Target::Other(path) => addresses.of(path),
        Target::Unknown(address) if address.starts_with('/') => addresses.of(address),
        Target::Unknown(address) => encoded(address),
    }
}
