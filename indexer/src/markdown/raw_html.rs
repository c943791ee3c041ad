//! Raw HTML in Markdown, cut into text and tags. Only a few tags without behaviour may pass; [`Piece::Refused`] is
//! everything else, and what it holds is never written as markup.

/// A piece of raw HTML.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Piece<'a> {
    /// Text between tags.
    Text(&'a str),
    /// A comment; nobody sees it.
    Comment,
    /// An opening tag of the allow-list, with the value of its one attribute.
    Open(&'static str, Option<String>),
    /// That of a tab which is shown first, with its title.
    OpenTab(String),
    /// A closing tag of the allow-list.
    Close(&'static str),
    /// Anything else.
    Refused(&'a str),
}

/// The tags that may stand inside a line.
pub(crate) const INLINE: [&str; 6] = ["abbr", "br", "kbd", "mark", "sub", "sup"];
/// The tags that may stand as a block of their own.
pub(crate) const BLOCK: [&str; 4] = ["details", "summary", "tabs", "tab"];

/// The attribute that a tag may have.
fn attribute_of(name: &str) -> Option<&'static str> {
    match name {
        "abbr" | "tab" => Some("title"),
        "tabs" => Some("group"),
        _ => None,
    }
}

/// A part of raw HTML, whatever its tags are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cut<'a> {
    Text(&'a str),
    Comment,
    Tag(&'a str),
}

/// Cuts `html` into texts, comments and tags, each with its offset.
pub(crate) fn cut(html: &str) -> Vec<(usize, Cut<'_>)> {
    let mut cuts = Vec::new();
    let mut at = 0;
    while at < html.len() {
        let rest = &html[at..];
        let (length, cut) = if let Some(comment) = rest.strip_prefix("<!--") {
            let length = comment.find("-->").map_or(rest.len(), |end| end + 7);
            (length, Cut::Comment)
        } else if rest.starts_with('<') {
            let length = tag_length(rest);
            (length, Cut::Tag(&rest[..length]))
        } else {
            let length = rest.find('<').unwrap_or(rest.len());
            (length, Cut::Text(&rest[..length]))
        };
        cuts.push((at, cut));
        at += length;
    }
    cuts
}

/// Cuts `html` into pieces, each with its offset.
pub(crate) fn pieces(html: &str) -> Vec<(usize, Piece<'_>)> {
    let piece = |cut| match cut {
        Cut::Text(text) => Piece::Text(text),
        Cut::Comment => Piece::Comment,
        Cut::Tag(text) => tag(text),
    };
    let cuts = cut(html).into_iter();
    cuts.map(|(at, cut)| (at, piece(cut))).collect()
}

/// The name of a refused tag, for messages.
pub(crate) fn tag_name(tag: &str) -> &str {
    let name = tag.trim_start_matches(['<', '/']);
    let end = name
        .find(|c: char| !(c.is_ascii_alphanumeric() || c == '-'))
        .unwrap_or(name.len());
    &name[..end]
}

fn tag_length(text: &str) -> usize {
    let mut quote = None;
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (None, '>') => return at + 1,
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), _) if open == c => quote = None,
            _ => {}
        }
    }
    text.len()
}

fn tag(text: &str) -> Piece<'_> {
    allowed_tag(text).unwrap_or(Piece::Refused(text))
}

fn allowed_tag(text: &str) -> Option<Piece<'_>> {
    let inner = text.strip_prefix('<')?.strip_suffix('>')?;
    if let Some(name) = inner.strip_prefix('/') {
        let name = known(name.trim_end())?;
        return (name != "br").then_some(Piece::Close(name));
    }
    let inner = inner.strip_suffix('/').unwrap_or(inner);
    let name_end = inner
        .find(|c: char| c.is_ascii_whitespace())
        .unwrap_or(inner.len());
    let name = known(&inner[..name_end])?;
    let attributes = inner[name_end..].trim();
    let shown = attributes.strip_suffix(" open").filter(|_| name == "tab");
    let attributes = shown.map_or(attributes, str::trim_end);
    if attributes.is_empty() {
        return Some(Piece::Open(name, None));
    }
    let value = attributes
        .strip_prefix(attribute_of(name)?)?
        .trim_start()
        .strip_prefix('=')?
        .trim_start();
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let value = value[1..].strip_suffix(quote)?;
    (!value.contains(quote)).then(|| match shown {
        Some(_) => Piece::OpenTab(value.to_owned()),
        None => Piece::Open(name, Some(value.to_owned())),
    })
}

fn known(name: &str) -> Option<&'static str> {
    INLINE
        .iter()
        .chain(&BLOCK)
        .find(|known| known.eq_ignore_ascii_case(name))
        .copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_listed_tags_and_attributes_pass() {
        for (html, passes) in [
            ("<kbd>", true),
            ("</KBD>", true),
            ("<br/>", true),
            ("<br />", true),
            ("<abbr title=\"a 'b'\">", true),
            ("<details>", true),
            ("<tabs group='os'>", true),
            ("<tab title=\"Linux\">", true),
            ("<tab title=\"Linux\" open>", true),
            ("<tab open>", false),
            ("<tabs group=\"os\" open>", false),
            ("<tabs title=\"os\">", false),
            ("<tab title=\"a\" group=\"b\">", false),
            ("</br>", false),
            ("<kbd onclick=\"x\">", false),
            ("<abbr title=\"a\" onclick=\"x\">", false),
            ("<abbr title=a>", false),
            ("<script>", false),
            ("<kbd", false),
            ("<!DOCTYPE html>", false),
            ("<?php x ?>", false),
        ] {
            let pieces = pieces(html);
            assert_eq!(pieces.len(), 1, "{html}");
            assert_eq!(!matches!(pieces[0].1, Piece::Refused(_)), passes, "{html}");
        }
    }

    #[test]
    fn comments_and_text_are_told_apart_from_tags() {
        let found: Vec<Piece<'_>> = pieces("a<!-- <script> -->b<sub>2</sub>")
            .into_iter()
            .map(|(_, piece)| piece)
            .collect();
        let expected = [
            Piece::Text("a"),
            Piece::Comment,
            Piece::Text("b"),
            Piece::Open("sub", None),
            Piece::Text("2"),
            Piece::Close("sub"),
        ];
        assert_eq!(found, expected);
    }
}
