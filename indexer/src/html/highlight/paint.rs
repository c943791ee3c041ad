//! Coloured text.

use std::cmp::Reverse;
use std::ops::Range;

use crate::html::escape::push_content;

/// A part of code in a colour.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub(super) start: usize,
    pub(super) end: usize,
    /// The place of the pattern that found it.
    pub(super) pattern: usize,
    /// A letter of the style sheet; `None` where it is to look like the text around it.
    pub(super) colour: Option<char>,
}

/// Appends `code` with the few kinds of spans that readers can tell apart: each colour of the style sheet is a letter. Of two spans over
/// the same text the one of the later pattern counts, else the inner one. What would look like the text around it has no span, and spans
/// never hold spans.
pub(super) fn push_painted(html: &mut String, code: &str, spans: &[Span]) {
    push_part(html, code, &colours(code, spans), 0..code.len());
}

/// The colour of each byte of `code`.
pub(super) fn colours(code: &str, spans: &[Span]) -> Vec<Option<char>> {
    let mut ordered = spans.to_vec();
    ordered.sort_by_key(|span| (span.start, Reverse(span.end), span.pattern));
    let mut colours = vec![None; code.len()];
    for span in ordered {
        let end = span.end.min(code.len());
        if let Some(painted) = colours.get_mut(span.start..end) {
            painted.fill(span.colour);
        }
    }
    colours
}

/// Appends a part of `code` in the [`colours`] of its bytes.
pub(super) fn push_part(html: &mut String, code: &str, colours: &[Option<char>], part: Range<usize>) {
    let (code, colours) = (&code[part.clone()], &colours[part]);
    // The colour of the text from `start`; from `blank` on it is white space, which has none.
    let (mut start, mut blank, mut open) = (0, 0, None);
    for (at, c) in code.char_indices().filter(|(_, c)| !c.is_whitespace()) {
        if colours[at] != open {
            push_run(html, &code[start..blank], open);
            push_content(html, &code[blank..at]);
            (start, open) = (at, colours[at]);
        }
        blank = at + c.len_utf8();
    }
    push_run(html, &code[start..blank], open);
    push_content(html, &code[blank..]);
}

fn push_run(html: &mut String, text: &str, colour: Option<char>) {
    match colour {
        Some(colour) if !text.is_empty() => push_span(html, colour, text),
        _ => push_content(html, text),
    }
}

/// Appends `text` in a colour of the style sheet.
pub(super) fn push_span(html: &mut String, colour: char, text: &str) {
    html.push_str("<span class=\"h-");
    html.push(colour);
    html.push_str("\">");
    push_content(html, text);
    html.push_str("</span>");
}

/// What a capture of a query is shown as: in a colour, or as the text around it; `None` for one that is about something else.
pub(super) fn shown(capture: &str) -> Option<Option<char>> {
    arborium_theme::tag_for_capture(capture).map(colour)
}

/// The colour of a kind of token, as the highlighter shortens it: keyword, string, number, function, type or comment.
fn colour(tag: &str) -> Option<char> {
    Some(match tag {
        // Keywords, tags, macros, lines taken out.
        "k" | "tg" | "m" | "dd" => 'k',
        // Strings, literals, lines put in, links.
        "s" | "tl" | "da" | "tu" => 's',
        // Numbers, constants, labels.
        "n" | "co" | "l" => 'n',
        // Functions, properties, attributes, titles.
        "f" | "pr" | "at" | "tt" => 'f',
        // Types, constructors, namespaces.
        "t" | "cr" | "ns" => 't',
        "c" => 'c',
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With spans as start, end, pattern and capture.
    fn painted(code: &str, spans: &[(usize, usize, usize, &str)]) -> String {
        let spans = spans.iter().filter_map(|&(start, end, pattern, capture)| {
            Some(Span {
                start,
                end,
                pattern,
                colour: shown(capture)?,
            })
        });
        let mut html = String::new();
        push_painted(&mut html, code, &spans.collect::<Vec<_>>());
        html
    }

    #[test]
    fn the_inner_span_counts_and_the_later_pattern() {
        assert_eq!(
            painted("a${b}c", &[(3, 4, 0, "variable"), (0, 6, 9, "string")]),
            "<span class=\"h-s\">a${</span>b<span class=\"h-s\">}c</span>"
        );
        assert_eq!(
            painted("a b", &[(0, 1, 0, "variable"), (0, 3, 9, "string")]),
            "a <span class=\"h-s\">b</span>"
        );
        for spans in [
            [(0, 1, 1, "variable"), (0, 1, 2, "function")],
            [(0, 1, 2, "function"), (0, 1, 1, "variable")],
            // One that means nothing to the highlighter takes nothing away.
            [(0, 1, 1, "function"), (0, 1, 2, "spell")],
        ] {
            assert_eq!(painted("a", &spans), "<span class=\"h-f\">a</span>");
        }
        assert_eq!(painted("a", &[(0, 1, 1, "function"), (0, 1, 2, "variable")]), "a");
    }

    #[test]
    fn neighbours_of_one_colour_are_one_element() {
        assert_eq!(
            painted(
                " a  <\n b é",
                &[
                    (0, 2, 0, "keyword"),
                    (2, 4, 0, "string"),
                    (4, 5, 0, "tag"),
                    (9, 11, 0, "type")
                ]
            ),
            " <span class=\"h-k\">a  &lt;</span>\n b <span class=\"h-t\">é</span>"
        );
        assert_eq!(painted(" \n", &[(0, 2, 0, "comment")]), " \n");
    }

    #[test]
    fn spans_end_with_the_text() {
        assert_eq!(
            painted("ab", &[(1, 9, 0, "string")]),
            "a<span class=\"h-s\">b</span>"
        );
        assert_eq!(
            painted(
                "é",
                &[(1, 9, 0, "string"), (5, 9, 0, "string"), (1, 0, 0, "string")]
            ),
            "é"
        );
    }
}
