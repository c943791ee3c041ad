//! Words and what they mean, as Hugo, MkDocs and mdBook have them:
//!
//! ```text
//! Recall
//! : The share of relevant items that were found.
//! ```
//!
//! For the parser every line with a colon at its start says what the line before means: also `:rocket: Start`, `:--|--:` and what else
//! has no space behind the colon. Such a line gets another sign of the same length in the place of its colon until it has been read.

use pulldown_cmark::{CowStr, Event};

use super::{PlacedEvent, imports};

/// Stands for a colon. Markdown has no use for it.
const SIGN: char = '\u{1}';

/// The text as the parser can read it; `None` where nothing is said to mean anything.
pub(super) fn mask(text: &str, body_at: usize) -> Option<String> {
    let body = &text[body_at..];
    let is_first = |at: usize| body[..at].trim_end_matches([' ', '\t']).ends_with('\n');
    let mut colons = body.match_indices(':').map(|(at, _)| at);
    if !colons.any(|at| body[at + 1..].starts_with([' ', '\t']) && is_first(at)) {
        return None;
    }
    let mut others = Vec::new();
    let mut has_any = false;
    for line in imports::lines_outside_of_code(text, body_at) {
        let at = line.end - text[line.clone()].trim_start().len();
        match &text.as_bytes()[at..line.end] {
            [b':', b' ' | b'\t', ..] => has_any = true,
            // Three of them are marks of containers, which have been taken out.
            [b':', ..] => others.push(at..line.end),
            _ => {}
        }
    }
    if !has_any {
        return None;
    }
    let mut masked = text.to_owned();
    for line in others {
        let is_ruler = text[line.clone()]
            .trim()
            .chars()
            .all(|c| matches!(c, ':' | '-' | '|' | ' '));
        let sign = if is_ruler { '-' } else { SIGN };
        masked.replace_range(line.start..line.start + 1, sign.encode_utf8(&mut [0; 4]));
    }
    Some(masked)
}

/// Puts the colons back.
pub(super) fn unmask(events: &mut [PlacedEvent<'_>]) {
    for (event, _) in events {
        if let Event::Text(text) | Event::Code(text) | Event::Html(text) | Event::InlineHtml(text) = event
            && text.contains(SIGN)
        {
            *text = CowStr::from(text.replace(SIGN, ":"));
        }
    }
}
