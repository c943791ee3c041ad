//! Links of MyST: those without a text are called as what they lead to.

use std::ops::Range;

use pulldown_cmark::{CowStr, Event, LinkType, Tag, TagEnd};

use super::equation;
use super::labels::{self, Labels};
use crate::links::find_page;
use crate::markdown::PlacedEvent;
use crate::routes::Routes;
use crate::source::Source;

/// Names the links of a page, and numbers its figures, tables and equations. Of a word that no glossary explains the link is left out.
pub(crate) fn name<'a>(
    events: Vec<PlacedEvent<'a>>,
    source: &Source,
    routes: &Routes,
) -> Vec<PlacedEvent<'a>> {
    let mut named: Vec<PlacedEvent<'a>> = Vec::with_capacity(events.len());
    let mut events = events.into_iter().peekable();
    let mut is_left_out = false;
    let mut is_brought_in = false;
    while let Some((event, range)) = events.next() {
        match event {
            Event::Start(Tag::Link {
                link_type,
                dest_url,
                title,
                id,
            }) => {
                let is_empty = matches!(events.peek(), Some((Event::End(TagEnd::Link), _)));
                if let Some(label) = dest_url.strip_prefix("number:").filter(|_| is_empty) {
                    events.next();
                    let label = routes.labels.get(label).filter(|label| label.number.is_some());
                    if let Some(label) = label {
                        let is_alone = matches!(events.peek(), Some((Event::End(_), _)) | None);
                        let colon = if is_alone { "" } else { ":" };
                        let text = Event::Text(CowStr::from(format!("{}{colon}", label.text)));
                        let range = inner(&range);
                        named.push((Event::Start(Tag::Strong), range.clone()));
                        named.push((text, range.clone()));
                        named.push((Event::End(TagEnd::Strong), range));
                    }
                    continue;
                }
                let term = dest_url.strip_prefix("term:").map(labels::term);
                if term
                    .as_ref()
                    .is_some_and(|term| routes.labels.get(term).is_none())
                {
                    is_left_out = true;
                    continue;
                }
                let dest_url = term.map_or(dest_url.clone(), |term| CowStr::from(format!("#{term}")));
                let written = address(&dest_url, &routes.labels);
                let elsewhere = written.as_ref().and_then(|_| name_elsewhere(&dest_url));
                let address = written.map_or(dest_url, CowStr::from);
                let is_auto = link_type == LinkType::Autolink && events.peek().is_some_and(|(event, _)| matches!(event, Event::Text(text) if self::address(text, &routes.labels).is_some()));
                if is_auto {
                    events.next();
                }
                let is_empty = matches!(events.peek(), Some((Event::End(TagEnd::Link), _)));
                let text = (is_auto || is_empty)
                    .then(|| elsewhere.unwrap_or_else(|| text(&address, source, routes)));
                let link_type = if is_auto { LinkType::Inline } else { link_type };
                let link = Tag::Link {
                    link_type,
                    dest_url: address,
                    title,
                    id,
                };
                named.push((Event::Start(link), range.clone()));
                named.extend(text.map(|text| (Event::Text(CowStr::from(text)), inner(&range))));
            }
            Event::End(TagEnd::Link) if is_left_out => is_left_out = false,
            // What is brought in from elsewhere is linked.
            Event::Start(Tag::Image {
                link_type,
                dest_url,
                title,
                id,
            }) if dest_url.starts_with('#') => {
                let is_empty = matches!(events.peek(), Some((Event::End(TagEnd::Image), _)));
                let text = is_empty.then(|| text(&dest_url, source, routes));
                is_brought_in = true;
                named.push((
                    Event::Start(Tag::Link {
                        link_type,
                        dest_url,
                        title,
                        id,
                    }),
                    range.clone(),
                ));
                named.extend(text.map(|text| (Event::Text(CowStr::from(text)), inner(&range))));
            }
            Event::End(TagEnd::Image) if is_brought_in => {
                is_brought_in = false;
                named.push((Event::End(TagEnd::Link), range));
            }
            Event::Text(text) if is_numbered(&text) => {
                let address = match named.last() {
                    Some((Event::Start(Tag::Link { dest_url, .. }), _)) => Some(dest_url.clone()),
                    _ => None,
                };
                let address = address.filter(|address| address.contains('#') && !address.contains("://"));
                let text = address.map_or(text.clone(), |address| {
                    let label = address
                        .split_once('#')
                        .and_then(|(_, label)| routes.labels.get(label));
                    let number = label.and_then(|label| label.number.as_deref());
                    CowStr::from(with_number(&text, number, || {
                        self::text(&address, source, routes)
                    }))
                });
                named.push((Event::Text(text), range));
            }
            Event::DisplayMath(formula) => {
                let number = |label: &str| routes.labels.get(label)?.number.clone();
                let numbered = equation::numbered(&formula, number).map(CowStr::from);
                named.push((Event::DisplayMath(numbered.unwrap_or(formula)), range));
            }
            event => named.push((event, range)),
        }
    }
    named
}

/// Nothing of a link is its text.
fn inner(range: &Range<usize>) -> Range<usize> {
    range.start..range.start
}

/// What stands in the text of a link for the number of what it leads to.
const NUMBERS: [&str; 2] = ["%s", "{number}"];
/// And for its name.
const NAME: &str = "{name}";

fn is_numbered(text: &str) -> bool {
    text.contains(NAME) || NUMBERS.iter().any(|number| text.contains(number))
}

/// Where nothing has a number, the words stand without one.
fn with_number(text: &str, number: Option<&str>, name: impl Fn() -> String) -> String {
    let mut text = text.to_owned();
    for place in NUMBERS {
        text = match number {
            Some(number) => text.replace(place, number),
            None => text.replace(&format!(" {place}"), "").replace(place, ""),
        };
    }
    if text.contains(NAME) {
        text = text.replace(NAME, &name());
    }
    if text.trim().is_empty() { name() } else { text }
}

/// The address that a short one stands for.
fn address(written: &str, labels: &Labels) -> Option<String> {
    let (scheme, rest) = written.split_once(':')?;
    let host = match scheme {
        "project" | "path" => return Some(rest.to_owned()),
        "wiki" => {
            return Some(format!(
                "https://en.wikipedia.org/wiki/{}",
                rest.replace(' ', "_")
            ));
        }
        "doi" => "https://doi.org",
        "ror" => "https://ror.org",
        "rrid" => "https://scicrunch.org/resolver",
        // Of what has a name there, nobody knows the page.
        "xref" => {
            let path = rest.split('#').next().unwrap_or_default();
            let (name, below) = path.split_once('/').unwrap_or((path, ""));
            let site = labels.reference(name)?.trim_end_matches('/');
            return Some(format!("{site}/{below}"));
        }
        "inv" => {
            let name = rest.split([':', '#']).next().unwrap_or_default();
            return Some(format!("{}/", labels.reference(name)?.trim_end_matches('/')));
        }
        // As Sphinx finds labels of other sites where none of this one is called so.
        name if name.starts_with('#') && labels.get(written).is_none() => {
            return Some(format!(
                "{}/",
                labels.reference(&name[1..])?.trim_end_matches('/')
            ));
        }
        _ => return None,
    };
    Some(format!("{host}/{rest}"))
}

/// What a link is called that names something of another site.
fn name_elsewhere(written: &str) -> Option<String> {
    let (scheme, rest) = written.split_once(':')?;
    match scheme {
        "wiki" => Some(rest.replace('_', " ")),
        "inv" => {
            let (_, name) = rest.split_once('#')?;
            let name = name.rsplit(['/', '*']).next().unwrap_or(name);
            Some(name.trim_start_matches('.').to_owned())
        }
        _ if scheme.starts_with('#') => Some(rest.to_owned()),
        _ => None,
    }
}

/// What an address leads to is called; the address where nothing is known of it.
fn text(address: &str, source: &Source, routes: &Routes) -> String {
    let (path, anchor) = match address.split_once('#') {
        Some((path, anchor)) => (path, Some(anchor)),
        None => (address, None),
    };
    let label = routes.labels.get(anchor.unwrap_or(path));
    let page = match label {
        Some(label) if !label.text.is_empty() => return label.text.clone(),
        Some(label) => Some(label.page),
        None if path.is_empty() => None,
        None => find_page(path, source, routes).map(|(page, _)| page),
    };
    let title = page.and_then(|page| routes.labels.title(page));
    title.or(anchor).unwrap_or(address).to_owned()
}
