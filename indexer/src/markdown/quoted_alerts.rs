//! Alerts in quotes that GitHub does not have, but Hugo and Obsidian: with a title, of other kinds, and with a sign that folds them.
//!
//! ```text
//! > [!WARNING] Before you start
//! > Markdown
//!
//! > [!success]-
//! > Markdown
//! ```

use std::collections::HashMap;

use pulldown_cmark::{BlockQuoteKind, CowStr, Event, Tag, TagEnd};

use super::{AlertTitle, PlacedEvent, titles};

/// The kinds, the alert that each is, and its title where it has no other.
const KINDS: [(&str, BlockQuoteKind, &str); 17] = [
    ("note", BlockQuoteKind::Note, "Note"),
    ("info", BlockQuoteKind::Note, "Info"),
    ("abstract", BlockQuoteKind::Note, "Abstract"),
    ("example", BlockQuoteKind::Note, "Example"),
    ("question", BlockQuoteKind::Note, "Question"),
    ("quote", BlockQuoteKind::Note, "Quote"),
    ("todo", BlockQuoteKind::Note, "To do"),
    ("tip", BlockQuoteKind::Tip, "Tip"),
    ("hint", BlockQuoteKind::Tip, "Hint"),
    ("success", BlockQuoteKind::Tip, "Success"),
    ("important", BlockQuoteKind::Important, "Important"),
    ("warning", BlockQuoteKind::Warning, "Warning"),
    ("caution", BlockQuoteKind::Caution, "Caution"),
    ("danger", BlockQuoteKind::Caution, "Danger"),
    ("bug", BlockQuoteKind::Caution, "Bug"),
    ("error", BlockQuoteKind::Caution, "Error"),
    ("failure", BlockQuoteKind::Caution, "Failure"),
];

/// Makes alerts of the quotes that begin as one. No event is added or taken away: `titles` are by the places of events.
pub(super) fn convert(events: &mut [PlacedEvent<'_>], titles: &mut HashMap<usize, AlertTitle>) {
    let mut open = Vec::new();
    for at in 0..events.len() {
        match &events[at].0 {
            Event::Start(Tag::BlockQuote(kind)) => {
                let begun = kind.is_none().then(|| begin(events, at)).flatten();
                if let Some((kind, title)) = begun {
                    events[at].0 = Event::Start(Tag::BlockQuote(Some(kind)));
                    titles.insert(at, title);
                    open.push(Some(kind));
                } else {
                    open.push(None);
                }
            }
            Event::End(TagEnd::BlockQuote(_)) => {
                if let Some(Some(kind)) = open.pop() {
                    events[at].0 = Event::End(TagEnd::BlockQuote(Some(kind)));
                }
            }
            _ => {}
        }
    }
}

/// The kind and the title of the quote that starts at `at`, which are taken out of its text; `None` where it is no alert.
fn begin(events: &mut [PlacedEvent<'_>], at: usize) -> Option<(BlockQuoteKind, AlertTitle)> {
    if !matches!(events.get(at + 1)?.0, Event::Start(Tag::Paragraph)) {
        return None;
    }
    let first = at + 2;
    let Event::Text(text) = &events.get(first)?.0 else {
        return None;
    };
    let (name, rest) = text.strip_prefix("[!")?.split_once(']')?;
    let (_, kind, own) = KINDS
        .iter()
        .find(|(known, ..)| name.eq_ignore_ascii_case(known))?;
    let rest = rest.strip_prefix(['+', '-']).unwrap_or(rest).to_owned();
    let line = events[first..].iter().position(|(event, _)| {
        matches!(
            event,
            Event::SoftBreak | Event::HardBreak | Event::End(TagEnd::Paragraph)
        )
    })?;
    let end = first + line;
    events[first].0 = Event::Text(CowStr::from(rest));
    let given = titles::of_events(&events[first..end]);
    let is_alone = matches!(events[end].0, Event::End(_));
    let gone = if is_alone { at + 1..end + 1 } else { first..end + 1 };
    let emptied = || Event::Text(CowStr::Borrowed(""));
    let mut open = 0;
    for (event, _) in &mut events[gone] {
        match event {
            Event::Start(_) => open += 1,
            Event::End(_) => open -= 1,
            _ => {}
        }
        *event = emptied();
    }
    // What begins in the title, and ends on a later line, ends with the title.
    let mut inner = 0;
    let mut rest = events[end + 1..].iter_mut();
    while open > 0
        && let Some((event, _)) = rest.next()
    {
        match event {
            Event::Start(_) => inner += 1,
            Event::End(_) if inner > 0 => inner -= 1,
            Event::End(_) => {
                *event = emptied();
                open -= 1;
            }
            _ => {}
        }
    }
    let is_given = !given.is_empty();
    let text = if is_given { given } else { (*own).to_owned() };
    Some((*kind, AlertTitle { text, is_given }))
}
