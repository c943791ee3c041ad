//! Words with what they mean, in a `{glossary}`: as the engine reads them, or, as in Sphinx, further to the right below them.

use std::ops::Range;

/// What a line of a glossary is.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// A word that is explained below.
    Term,
    /// The first line of an explanation, or another one, without a mark before it.
    Explains {
        is_first: bool,
    },
    Other,
}

/// The lines, and what they are.
pub(super) fn lines(text: &str) -> Vec<(Range<usize>, Line)> {
    let own = own_indent(text);
    let mut lines: Vec<(Range<usize>, Line)> = Vec::new();
    let mut at = 0;
    // Behind a word, and whether its explanation has a mark.
    let mut explained: Option<bool> = None;
    for line in text.split_inclusive('\n') {
        let range = at..at + line.len();
        at = range.end;
        let is_blank = line.trim().is_empty();
        let is_marked = line.trim_start().starts_with(": ");
        let kind = if is_blank {
            Line::Other
        } else if indent(line) <= own && !is_marked {
            explained = None;
            let next = text[at..].lines().find(|line| !line.trim().is_empty());
            match next {
                Some(next) if indent(next) > own || next.trim_start().starts_with(": ") => {
                    explained = Some(next.trim_start().starts_with(": "));
                    Line::Term
                }
                _ => Line::Other,
            }
        } else if explained == Some(false) {
            let before = lines.iter().rev().find(|(_, kind)| *kind != Line::Other);
            Line::Explains {
                is_first: before.is_some_and(|(_, kind)| *kind == Line::Term),
            }
        } else {
            Line::Other
        };
        lines.push((range, kind));
    }
    lines
}

/// The words that are explained.
pub(super) fn terms(text: &str) -> impl Iterator<Item = &str> {
    let terms = lines(text).into_iter().filter(|(_, kind)| *kind == Line::Term);
    terms.map(|(line, _)| text[line].trim())
}

/// How far to the right the words of a glossary are.
pub(super) fn own_indent(text: &str) -> usize {
    text.lines()
        .find(|line| !line.trim().is_empty())
        .map_or(0, indent)
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}
