//! Addresses in a text that are links without any marks, as GitHub Flavored Markdown has them (section 6.9, those with a scheme).

use pulldown_cmark::{CowStr, Event, LinkType, Tag, TagEnd};

use super::PlacedEvent;

/// Makes links of the addresses in texts, outside of links, images, code and headings, whose text is a link already.
pub(super) fn link<'a>(events: Vec<PlacedEvent<'a>>) -> Vec<PlacedEvent<'a>> {
    let has_address = |event: &Event<'_>| matches!(event, Event::Text(text) if text.contains("://"));
    if !events.iter().any(|(event, _)| has_address(event)) {
        return events;
    }
    let mut linked = Vec::with_capacity(events.len() + 8);
    let mut closed = 0;
    for (event, range) in events {
        match &event {
            Event::Start(tag) if is_closed(tag) => closed += 1,
            Event::End(TagEnd::Link | TagEnd::Image | TagEnd::CodeBlock | TagEnd::Heading(_)) => closed -= 1,
            Event::Text(text) if closed == 0 && text.contains("://") => {
                for (piece, is_address) in pieces(text) {
                    let text = Event::Text(CowStr::from(piece.to_owned()));
                    if !is_address {
                        linked.push((text, range.clone()));
                        continue;
                    }
                    let start = Event::Start(Tag::Link {
                        link_type: LinkType::Autolink,
                        dest_url: CowStr::from(piece.to_owned()),
                        title: CowStr::Borrowed(""),
                        id: CowStr::Borrowed(""),
                    });
                    linked
                        .extend([start, text, Event::End(TagEnd::Link)].map(|event| (event, range.clone())));
                }
                continue;
            }
            _ => {}
        }
        linked.push((event, range));
    }
    linked
}

fn is_closed(tag: &Tag<'_>) -> bool {
    matches!(
        tag,
        Tag::Link { .. } | Tag::Image { .. } | Tag::CodeBlock(_) | Tag::Heading { .. }
    )
}

/// The parts of a text in order, with whether each is an address.
fn pieces(text: &str) -> Vec<(&str, bool)> {
    let mut pieces = Vec::new();
    let mut rest = text;
    let mut from = 0;
    while let Some(start) = rest[from..].find("http").map(|at| from + at) {
        let is_start = rest[..start]
            .chars()
            .next_back()
            .is_none_or(|before| before.is_whitespace() || matches!(before, '*' | '_' | '~' | '('));
        match is_start.then(|| address(&rest[start..])).flatten() {
            Some(length) => {
                pieces.push((&rest[..start], false));
                pieces.push((&rest[start..start + length], true));
                rest = &rest[start + length..];
                from = 0;
            }
            None => from = start + "http".len(),
        }
    }
    pieces.push((rest, false));
    pieces.retain(|(piece, _)| !piece.is_empty());
    pieces
}

/// The length of the address that a text starts with.
fn address(text: &str) -> Option<usize> {
    let scheme = ["https://", "http://"]
        .into_iter()
        .find(|scheme| text.starts_with(scheme))?;
    let end = text.find(|c: char| c.is_whitespace() || c == '<');
    let found = without_tail(&text[..end.unwrap_or(text.len())]);
    let host = found.get(scheme.len()..)?;
    let host_end = host.find(|c: char| !(c.is_alphanumeric() || matches!(c, '-' | '_' | '.')));
    let host = &host[..host_end.unwrap_or(host.len())];
    let is_host = host.contains('.') && host.split('.').all(|part| !part.is_empty());
    is_host.then_some(found.len())
}

/// Without the signs behind it that belong to the sentence, among them brackets that nothing in it opens.
fn without_tail(mut found: &str) -> &str {
    let count = |sign: char| found.matches(sign).count();
    let mut unopened = count(')').saturating_sub(count('('));
    while let Some(last) = found.chars().next_back() {
        match last {
            ')' if unopened > 0 => unopened -= 1,
            '?' | '!' | '.' | ',' | ':' | ';' | '*' | '_' | '~' | '\'' | '"' => {}
            _ => break,
        }
        found = &found[..found.len() - last.len_utf8()];
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_found_as_github_finds_them() {
        let found = |text: &'static str| -> Vec<&str> {
            let all = pieces(text);
            assert_eq!(all.iter().map(|(piece, _)| *piece).collect::<String>(), text);
            all.into_iter()
                .filter_map(|(piece, is_address)| is_address.then_some(piece))
                .collect()
        };
        assert_eq!(
            found("https://a.example/b_c?d=1&e=2#f"),
            ["https://a.example/b_c?d=1&e=2#f"]
        );
        assert_eq!(
            found("See http://a.example/x, or (https://b.example/y)."),
            ["http://a.example/x", "https://b.example/y"]
        );
        assert_eq!(
            found("https://a.example/x_(y) https://b.example/z)"),
            ["https://a.example/x_(y)", "https://b.example/z"]
        );
        assert_eq!(found("*https://a.example*!"), ["https://a.example"]);
        assert_eq!(
            found(
                "http://localhost:8787/v1 xhttps://a.example https:// http http://.example http://a..example"
            ),
            [""; 0]
        );
        assert_eq!(
            found("https://日本.example/路。 https://b.example"),
            ["https://日本.example/路。", "https://b.example"]
        );
        assert_eq!(found("Read https://a.example."), ["https://a.example"]);
        assert_eq!(
            found("https://a.example/x).) https://a.example/(y))."),
            ["https://a.example/x", "https://a.example/(y)"]
        );
        assert_eq!(found("https://... https://"), [""; 0]);
    }

    #[test]
    fn a_long_text_takes_one_look_at_each_sign() {
        let tail = format!("https://a.example/{}", ")".repeat(300_000));
        assert_eq!(pieces(&tail)[0], ("https://a.example/", true));
        let glued = "https://x".repeat(100_000);
        assert_eq!(pieces(&glued), [(glued.as_str(), false)]);
    }
}
