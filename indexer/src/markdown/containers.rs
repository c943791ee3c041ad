//! Blocks between lines of colons, as Docusaurus, VitePress and Starlight have them:
//!
//! ```text
//! :::tip Title
//! Markdown
//! :::
//! ```
//!
//! CommonMark does not know them. So that it reads what stands between as blocks of their own, each mark is replaced by something of
//! the same length that is a block by itself wherever it stands, a processing instruction; what comes out of it becomes an alert.

use std::collections::HashMap;
use std::ops::Range;

use pulldown_cmark::{BlockQuoteKind, CodeBlockKind, CowStr, Event, Options, Parser, Tag, TagEnd};

use super::fence::{self, Info};
use super::{PlacedEvent, titles};
use crate::html::escaped;

/// The title of an alert that has another one than its kind.
#[derive(Debug)]
pub(crate) struct AlertTitle {
    /// As [`titles`] has it.
    pub(crate) text: String,
    /// The author wrote it; else it is the name of the container.
    pub(crate) is_given: bool,
}

/// A line that starts or ends a container.
#[derive(Debug)]
pub(super) struct Mark {
    /// From the first colon, or a space before it, to the end of the line.
    pub(super) range: Range<usize>,
    colons: usize,
    /// Name and title; `None` ends a container.
    start: Option<(String, String)>,
}

/// The marks behind `body_at`, outside of code and HTML.
pub(super) fn marks(text: &str, body_at: usize, options: Options) -> Vec<Mark> {
    let body = &text[body_at..];
    if !body.contains(":::") {
        return Vec::new();
    }
    let mut marks: Vec<Mark> = lines(body)
        .filter_map(|(at, line)| mark(body_at + at, line))
        .collect();
    if marks.is_empty() {
        return marks;
    }
    for (event, range) in Parser::new_ext(body, options).into_offset_iter() {
        if matches!(event, Event::Start(Tag::CodeBlock(_) | Tag::HtmlBlock)) {
            let range = range.start + body_at..range.end + body_at;
            marks.retain(|mark| !range.contains(&mark.range.start));
        }
    }
    move_ends(text, &mut marks);
    marks
}

/// How much further to the right than its start the end of a container may stand: further is code.
const FURTHEST_END: usize = 3;

/// Moves ends to the left as far as the starts of their containers: behind a list, where formatters write them below the text of its last
/// item, they would be part of that.
fn move_ends(text: &str, marks: &mut [Mark]) {
    let mut open: Vec<(usize, usize)> = Vec::new();
    for mark in marks {
        let line_start = text[..mark.range.start].rfind('\n').map_or(0, |end| end + 1);
        let indent = mark.range.start - line_start;
        if mark.start.is_some() {
            open.push((indent, mark.colons));
            continue;
        }
        let Some(last) = open.iter().rposition(|(_, colons)| *colons <= mark.colons) else {
            continue;
        };
        let (start, _) = open[last];
        open.truncate(last);
        if (start + 1..=start + FURTHEST_END).contains(&indent) {
            mark.range.start = line_start + start;
        }
    }
}

/// The text with something else in the place of each mark; every other byte stays where it is.
pub(super) fn mask(text: &str, marks: &[Mark]) -> String {
    let mut masked = String::with_capacity(text.len());
    let mut end = 0;
    for Mark { range, .. } in marks {
        masked.push_str(&text[end..range.start]);
        match range.len() {
            // The shortest one: CommonMark looks for the end in the whole line.
            3 => masked.push_str("<?>"),
            length => {
                masked.push_str("<?");
                masked.extend(std::iter::repeat_n(' ', length - 4));
                masked.push_str("?>");
            }
        }
        end = range.end;
    }
    masked.push_str(&text[end..]);
    masked
}

fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split_inclusive('\n').scan(0, |at, line| {
        let start = *at;
        *at += line.len();
        Some((start, line.trim_end()))
    })
}

fn mark(at: usize, line: &str) -> Option<Mark> {
    let text = line.trim_start();
    let colons = text.len() - text.trim_start_matches(':').len();
    if colons < 3 {
        return None;
    }
    let start = at + line.len() - text.len();
    let rest = text[colons..].trim();
    let begun = begun(rest);
    if !rest.is_empty() && begun.is_none() {
        return None;
    }
    Some(Mark {
        range: start..start + text.len(),
        colons,
        start: begun.map(|(name, title)| (name.to_ascii_lowercase(), title_of(title))),
    })
}

/// The name of the container that a line of colons begins, and its title, from what stands behind the colons.
pub(super) fn begun(rest: &str) -> Option<(&str, &str)> {
    let name_end = rest
        .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_')))
        .unwrap_or(rest.len());
    let (name, title) = rest.split_at(name_end);
    // `::: package.name` asks MkDocs for the documentation of a program.
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic()) && !title.starts_with('.');
    is_name.then_some((name, title))
}

/// The title behind the name: `[Title]{attributes}` or ` Title {attributes}`.
fn title_of(rest: &str) -> String {
    let title = match (rest.strip_prefix('['), rest.rfind(']')) {
        (Some(inner), Some(end)) => &inner[..end - 1],
        _ => rest.split('{').next().unwrap_or_default(),
    };
    let title = title.trim().trim_end_matches(':').trim_end();
    titles::marked(title)
}

enum Form {
    Alert(BlockQuoteKind, &'static str),
    Details,
    /// Code blocks, one of which is shown.
    CodeGroup,
    /// Not known here.
    Nothing,
}

/// A folded part without a title of its own.
pub(crate) const UNTITLED_DETAILS: &str = "<details><summary>Details</summary>";

/// The names that are alerts, the kind of each and its title.
const ALERTS: [(&str, BlockQuoteKind, &str); 7] = [
    ("note", BlockQuoteKind::Note, "Note"),
    ("tip", BlockQuoteKind::Tip, "Tip"),
    ("info", BlockQuoteKind::Note, "Info"),
    ("important", BlockQuoteKind::Important, "Important"),
    ("warning", BlockQuoteKind::Warning, "Warning"),
    ("caution", BlockQuoteKind::Caution, "Caution"),
    ("danger", BlockQuoteKind::Caution, "Danger"),
];
const DETAILS: &str = "details";
const CODE_GROUP: &str = "code-group";

fn form(name: &str) -> Form {
    match ALERTS.iter().find(|(known, ..)| *known == name) {
        Some((_, kind, title)) => Form::Alert(*kind, title),
        None if name == DETAILS => Form::Details,
        None if name == CODE_GROUP => Form::CodeGroup,
        None => Form::Nothing,
    }
}

/// A container that has not ended.
struct Open {
    at: usize,
    colons: usize,
    /// How many elements were open where it started: it ends before the one that it stands in.
    depth: usize,
    form: Form,
}

/// What the masked text became, with containers in the place of the marks, and the titles of alerts by the index of their start.
/// `complain` is told the place of what fits nothing, and why.
pub(super) fn convert<'a>(
    marks: &[Mark],
    events: Vec<PlacedEvent<'a>>,
    complain: &mut dyn FnMut(usize, &str),
) -> (Vec<PlacedEvent<'a>>, HashMap<usize, AlertTitle>) {
    if marks.is_empty() {
        return (events, HashMap::new());
    }
    let text_end = events.last().map_or(0, |(_, range)| range.end);
    let mut converted = Vec::with_capacity(events.len());
    let mut titles = HashMap::new();
    let mut open: Vec<Open> = Vec::new();
    let mut depth = 0;
    let mut events = events.into_iter();
    while let Some((event, range)) = events.next() {
        let mark = match event {
            Event::Start(Tag::HtmlBlock) => marks.iter().find(|mark| range.contains(&mark.range.start)),
            _ => None,
        };
        let Some(mark) = mark else {
            let is_tab = |open: &[Open], depth| {
                open.last()
                    .is_some_and(|open| open.depth == depth && matches!(open.form, Form::CodeGroup))
            };
            match &event {
                Event::Start(Tag::CodeBlock(kind)) if is_tab(&open, depth) => {
                    depth += 1;
                    let (title, kind) = tab(kind);
                    converted.extend(html_block(format!("<tab title=\"{}\">", escaped(&title)), &range));
                    converted.push((Event::Start(Tag::CodeBlock(kind)), range));
                    continue;
                }
                Event::End(TagEnd::CodeBlock) if is_tab(&open, depth - 1) => {
                    depth -= 1;
                    converted.push((event, range.clone()));
                    converted.extend(html_block("</tab>".to_owned(), &range));
                    continue;
                }
                Event::Start(_) => depth += 1,
                Event::End(_) => {
                    while let Some(inner) = open.pop_if(|open| open.depth == depth) {
                        complain(
                            inner.at,
                            "the container is not closed before what it stands in ends; close it with a line of colons as far to the right",
                        );
                        end(&mut converted, &inner.form, range.end);
                    }
                    depth -= 1;
                }
                _ => {}
            }
            converted.push((event, range));
            continue;
        };
        // The mark itself, and its end.
        events
            .by_ref()
            .find(|(event, _)| matches!(event, Event::End(TagEnd::HtmlBlock)));
        let at = mark.range.start;
        let Some((name, title)) = &mark.start else {
            match open.pop_if(|open| open.depth == depth && open.colons <= mark.colons) {
                Some(inner) => end(&mut converted, &inner.form, mark.range.end),
                None => complain(at, "no container is open that this line could close; remove it"),
            }
            continue;
        };
        let form = form(name);
        match form {
            Form::Alert(kind, own) => {
                let is_given = !title.is_empty();
                let text = if is_given { title } else { own };
                titles.insert(
                    converted.len(),
                    AlertTitle {
                        text: text.to_owned(),
                        is_given,
                    },
                );
                converted.push((Event::Start(Tag::BlockQuote(Some(kind))), mark.range.clone()));
            }
            Form::Details if titles::has_code(title) => {
                converted.extend(html_block("<details><summary>".to_owned(), &mark.range));
                converted.extend(titles::parts(title).map(|(part, is_code)| {
                    let part = CowStr::from(part.to_owned());
                    let event = if is_code {
                        Event::Code(part)
                    } else {
                        Event::Text(part)
                    };
                    (event, mark.range.clone())
                }));
                converted.extend(html_block("</summary>".to_owned(), &mark.range));
            }
            Form::Details => {
                let html = match title.as_str() {
                    "" => UNTITLED_DETAILS.to_owned(),
                    title => format!("<details><summary>{}</summary>", escaped(title)),
                };
                converted.extend(html_block(html, &mark.range));
            }
            Form::CodeGroup => converted.extend(html_block("<tabs>".to_owned(), &mark.range)),
            Form::Nothing => {
                let known = ALERTS.map(|(known, ..)| known).join(", ");
                complain(
                    at,
                    &format!(
                        "there is no container `{name}`, so what stands in it is shown without one; there are {known}, {DETAILS}, {CODE_GROUP}"
                    ),
                );
            }
        }
        open.push(Open {
            at,
            colons: mark.colons,
            depth,
            form,
        });
    }
    while let Some(inner) = open.pop() {
        complain(
            inner.at,
            "the container is not closed; end it with a line of as many colons",
        );
        end(&mut converted, &inner.form, text_end);
    }
    (converted, titles)
}

/// The title of a code block in a group, and the block without it: the tab has it.
fn tab<'a>(kind: &CodeBlockKind<'_>) -> (String, CodeBlockKind<'a>) {
    let CodeBlockKind::Fenced(info) = kind else {
        return ("Code".to_owned(), CodeBlockKind::Indented);
    };
    let parsed = Info::parse(info);
    let Some(title) = parsed.get("title").filter(|title| !title.is_empty()) else {
        let info = CowStr::from(info.to_string());
        return (
            fence::shown(&parsed.language).to_owned(),
            CodeBlockKind::Fenced(info),
        );
    };
    let rest = info.replacen(&format!("[{title}]"), "", 1);
    (title.to_owned(), CodeBlockKind::Fenced(CowStr::from(rest)))
}

fn end(converted: &mut Vec<PlacedEvent<'_>>, form: &Form, at: usize) {
    match form {
        Form::Alert(kind, _) => converted.push((Event::End(TagEnd::BlockQuote(Some(*kind))), at..at)),
        Form::Details => converted.extend(html_block("</details>".to_owned(), &(at..at))),
        Form::CodeGroup => converted.extend(html_block("</tabs>".to_owned(), &(at..at))),
        Form::Nothing => {}
    }
}

fn html_block<'a>(html: String, range: &Range<usize>) -> [PlacedEvent<'a>; 3] {
    [
        Event::Start(Tag::HtmlBlock),
        Event::Html(CowStr::from(html)),
        Event::End(TagEnd::HtmlBlock),
    ]
    .map(|event| (event, range.clone()))
}
