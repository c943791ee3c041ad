//! Dollars that begin no formula: `$null` and a `` `$true` `` behind it, `$5` and `US$6`. For the parser all between two dollars is a
//! formula, code and sentences included. Such a dollar gets another sign until the text has been read.

use pulldown_cmark::{CowStr, Event, Tag};

use super::PlacedEvent;

/// Stands for a dollar. Markdown has no use for it.
const SIGN: char = '\u{2}';

/// The text with the sign at the start of what the parser has taken for formulas and is none; `None` where all of them are.
pub(super) fn mask(text: &str, events: &[PlacedEvent<'_>]) -> Option<String> {
    let starts = events.iter().filter_map(|(event, range)| {
        let is_prose = match event {
            Event::InlineMath(formula) => {
                // As for pandoc: else it is an amount of money.
                let is_amount = text[range.end..].starts_with(|c: char| c.is_ascii_digit());
                is_amount || has_code(formula)
            }
            Event::DisplayMath(formula) => has_code(formula),
            _ => false,
        };
        is_prose.then_some(range.start)
    });
    let starts: Vec<usize> = starts.collect();
    if starts.is_empty() {
        return None;
    }
    let mut masked = text.to_owned();
    for at in starts {
        masked.replace_range(at..at + 1, SIGN.encode_utf8(&mut [0; 4]));
    }
    Some(masked)
}

/// A formula has backticks for the quotes of its words at most.
fn has_code(formula: &str) -> bool {
    formula.contains('`') && !formula.contains("\\text")
}

/// Puts the dollars back.
pub(super) fn unmask(events: &mut [PlacedEvent<'_>]) {
    let put_back = |text: &mut CowStr<'_>| {
        if text.contains(SIGN) {
            *text = CowStr::from(text.replace(SIGN, "$"));
        }
    };
    for (event, _) in events {
        match event {
            Event::Text(text)
            | Event::Code(text)
            | Event::InlineMath(text)
            | Event::DisplayMath(text)
            | Event::Html(text)
            | Event::InlineHtml(text) => put_back(text),
            Event::Start(Tag::Link { dest_url, title, .. } | Tag::Image { dest_url, title, .. }) => {
                put_back(dest_url);
                put_back(title);
            }
            _ => {}
        }
    }
}
