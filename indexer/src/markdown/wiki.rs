//! What notes of Obsidian and pages of wikis say beside Markdown:
//!
//! ```text
//! [[Page]], [[folder/Page#Heading]] and [[Page|text]]      links, also in Foam, Logseq and MkDocs with roamlinks
//! [[text|Page]]                                            the same in Gollum, and so in the wikis of GitHub
//! ![[picture.png|300]]                                     a picture, by its name wherever it is, 300 pixels wide
//! ==marked==   %%nobody sees this%%   a line ^its-id       only in a vault of Obsidian
//! ```
//!
//! Two pairs of brackets mean something else elsewhere, in a shell, in C++ or in lists of lists. So they are a link where they name a page or
//! a file. In a vault all of them are, and of one that names nothing the text stays, with a warning.

use std::ops::Range;

use super::reshaped::Reshaped;
use super::slug::HeadingIds;
use super::{imports, mdx};
use crate::routes::Routes;
use crate::source::{Files, Source, is_picture};

/// What links between brackets may name, and how.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wiki<'a> {
    pub(crate) routes: &'a Routes,
    pub(crate) files: &'a Files,
    /// It is a vault of Obsidian.
    pub(crate) is_vault: bool,
}

/// The text in Markdown alone.
#[derive(Debug, Default)]
pub(super) struct Shown {
    pub(super) reshaped: Reshaped,
    /// The names that nothing has, with their places.
    pub(super) missing: Vec<(usize, String)>,
    /// What is left out.
    pub(super) comments: Vec<Range<usize>>,
}

/// The text of `source`, or of what it includes, as Markdown; `None` where it is that already.
pub(super) fn markdown(
    text: &str,
    body_at: usize,
    source: &Source,
    wiki: Wiki<'_>,
    heading_ids: HeadingIds,
) -> Option<Shown> {
    let body = &text[body_at..];
    let is_used =
        body.contains("[[") || wiki.is_vault && ["==", "%%", "^"].iter().any(|mark| body.contains(mark));
    if !is_used {
        return None;
    }
    let mut writer = Writer {
        text,
        source,
        wiki,
        heading_ids,
        shown: Shown::default(),
        written: 0,
        formula_end: 0,
        is_used: false,
    };
    let mut comment = None;
    for line in imports::lines_outside_of_code(text, body_at) {
        writer.read_line(line, &mut comment);
    }
    let end = text.len();
    writer.shown.reshaped.copy(text, writer.written..end);
    writer.is_used.then_some(writer.shown)
}

struct Writer<'a> {
    text: &'a str,
    source: &'a Source,
    wiki: Wiki<'a>,
    heading_ids: HeadingIds,
    shown: Shown,
    /// How far the text has been written.
    written: usize,
    /// Where the last formula ends, which may be on a later line than it begins.
    formula_end: usize,
    is_used: bool,
}

impl Writer<'_> {
    /// `comment` is where one has begun that has not ended.
    fn read_line(&mut self, line: Range<usize>, comment: &mut Option<usize>) {
        let Range { start, end } = line;
        let end = start + self.text[start..end].trim_end().len();
        let is_html = {
            let mut signs = self.text[start..end].trim_start().chars();
            signs.next() == Some('<') && signs.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '/')
        };
        let mut at = start.max(self.formula_end);
        let mut mark = Mark::None;
        while at < end {
            let rest = &self.text[at..end];
            if let Some(from) = *comment {
                let Some(length) = rest.find("%%") else {
                    return;
                };
                at += length + 2;
                self.replace(from..at, "");
                self.shown.comments.push(from..at);
                *comment = None;
                continue;
            }
            let step = match rest.as_bytes() {
                [b'`', ..] => mdx::code_length(rest).unwrap_or(1),
                [b'$', ..] => {
                    let length = formula_length(&self.text[at..]);
                    self.formula_end = at + length;
                    length
                }
                [b'\\', ..] => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
                [b'%', b'%', ..] if self.wiki.is_vault && self.text[at + 2..].contains("%%") => {
                    *comment = Some(at);
                    2
                }
                [b'=', b'=', ..] if self.wiki.is_vault => self.read_mark(at..end, &mut mark),
                [b'^', ..] if self.wiki.is_vault => self.read_id(at, start..end),
                [b'!', b'[', b'[', ..] | [b'[', b'[', ..] if !is_html => self.read_link(at..end),
                _ => rest.chars().next().map_or(1, char::len_utf8),
            };
            at += step;
        }
    }

    /// Writes `text` for a part of the file that comes behind what has been written.
    fn replace(&mut self, range: Range<usize>, text: &str) {
        self.shown
            .reshaped
            .copy(self.text, self.written..range.start.max(self.written));
        self.shown.reshaped.put(text, range.start);
        self.written = range.end;
        self.is_used = true;
    }

    /// `==`: the start of what is marked, if it ends on this line, or its end.
    fn read_mark(&mut self, Range { start, end }: Range<usize>, mark: &mut Mark) -> usize {
        let bytes = self.text[start..end].bytes();
        let length = bytes.take_while(|byte| *byte == b'=').count();
        let inner = &self.text[start + length..end];
        if length != 2 {
            return length;
        }
        match *mark {
            Mark::Until(until) if until == start => {
                *mark = Mark::None;
                self.replace(start..start + 2, "</mark>");
            }
            Mark::None if !inner.starts_with(char::is_whitespace) => {
                *mark = mark_end(inner).map_or(Mark::NoMore, |at| Mark::Until(start + 2 + at));
                if let Mark::Until(_) = mark {
                    self.replace(start..start + 2, "<mark>");
                }
            }
            _ => {}
        }
        2
    }

    /// ` ^id` at the end of a line names what the line ends.
    fn read_id(&mut self, at: usize, line: Range<usize>) -> usize {
        let id = &self.text[at + 1..line.end];
        let before = &self.text[line.start..at];
        let is_id = !id.is_empty()
            && id
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        if is_id && (before.trim().is_empty() || before.ends_with(' ')) {
            self.replace(at..line.end, &format!("<a id=\"{id}\"></a>"));
        }
        1 + id.len() * usize::from(is_id)
    }

    /// The length of the link that starts here, or that of its first bracket.
    fn read_link(&mut self, Range { start, end }: Range<usize>) -> usize {
        let is_embedded = self.text[start..].starts_with('!');
        let inner = start + if is_embedded { 3 } else { 2 };
        let Some(length) = self.text[inner..end].find("]]") else {
            return inner - start;
        };
        let (until, name) = (inner + length, &self.text[inner..inner + length]);
        // `[[a]](b)` is a link of Markdown, lists of lists are none, and code ends in itself.
        if name.contains('[')
            || name.matches('`').count() % 2 == 1
            || self.text[until + 2..end].starts_with('(')
        {
            return inner - start;
        }
        let (name, label) = match name.split_once('|') {
            Some((name, label)) => (name.trim_end_matches('\\'), Some(label)),
            None => (name, None),
        };
        let label = label.filter(|label| !label.trim().is_empty());
        let label_at = until - label.map_or(0, str::len);
        let whole = start..until + 2;
        if let Some(target) = self.target(name) {
            self.write(
                whole,
                target,
                name,
                label.map(|label| (label, label_at)),
                is_embedded,
            );
        } else if let Some(target) = label.and_then(|label| self.target(label)) {
            // Gollum has them the other way round.
            self.write(whole, target, name, Some((name, inner)), is_embedded);
        } else if self.wiki.is_vault {
            let message = format!(
                "there is no note or file `{}`; write it, or take the brackets away",
                name.trim()
            );
            self.shown.missing.push((start, message));
            let shown = plain_label(name, label, is_embedded);
            self.replace(whole, &mdx::plain(&shown));
        } else {
            return inner - start;
        }
        until + 2 - start
    }

    fn target(&self, name: &str) -> Option<Target> {
        let name = name.replace('`', "");
        let (page, heading) = match name.split_once('#') {
            Some((page, heading)) => (page.trim(), Some(heading)),
            None => (name.trim(), None),
        };
        let anchor = heading.and_then(|heading| {
            let last = heading.rsplit('#').next().unwrap_or(heading).trim();
            match last.strip_prefix('^') {
                Some(id) => Some(id.to_owned()),
                None => Some(self.heading_ids.id(last)).filter(|id| !id.is_empty()),
            }
        });
        let anchor = anchor.map_or_else(String::new, |id| format!("#{}", encoded(&id)));
        if page.is_empty() {
            return (self.wiki.is_vault && !anchor.is_empty()).then_some(Target::Page(anchor));
        }
        if let Some(found) = self.wiki.routes.page_called(page, &self.source.path) {
            let path = encoded(&self.wiki.routes.paths[found]);
            return Some(Target::Page(format!("{path}{anchor}")));
        }
        let file = self.wiki.files.called(page, &self.source.path)?;
        let address = format!("/{}", encoded(file));
        Some(if is_picture(file) {
            Target::Picture(address)
        } else {
            Target::File(address)
        })
    }

    fn write(
        &mut self,
        whole: Range<usize>,
        target: Target,
        name: &str,
        label: Option<(&str, usize)>,
        is_embedded: bool,
    ) {
        let start = whole.start;
        match (target, label) {
            (Target::Picture(address), label) if is_embedded => {
                let label = label.map(|(label, _)| label);
                let shown = plain_label(name, label, true);
                let width = label.and_then(|label| width(label.rsplit('|').next().unwrap_or(label)));
                let end = whole.end;
                self.replace(whole, &format!("![{}](<{address}>)", mdx::plain(&shown)));
                // For itself, so that what ends before it ends behind the link.
                if let Some(width) = width {
                    self.replace(end..end, &format!("{{width={width}}}"));
                }
            }
            (Target::Page(address) | Target::File(address) | Target::Picture(address), Some((label, at)))
                if !label.contains(']') =>
            {
                self.replace(start..at, "[");
                self.shown.reshaped.copy(self.text, at..at + label.len());
                self.written = at + label.len();
                self.replace(at + label.len()..whole.end, &format!("](<{address}>)"));
            }
            (Target::Page(address) | Target::File(address) | Target::Picture(address), label) => {
                let shown = mdx::plain(&plain_label(name, label.map(|(label, _)| label), false));
                self.replace(whole, &format!("[{shown}](<{address}>)"));
            }
        }
    }
}

/// The length of the formula that a text starts with, in its paragraph; of its mark, where that begins none.
fn formula_length(text: &str) -> usize {
    let paragraph = &text[..text.find("\n\n").unwrap_or(text.len())];
    let bytes = paragraph.as_bytes();
    let is_block = bytes.starts_with(b"$$");
    let marks = if is_block { 2 } else { 1 };
    let is_space = |at: usize| bytes.get(at).is_none_or(u8::is_ascii_whitespace);
    if !is_block && is_space(marks) {
        return marks;
    }
    let mut at = marks;
    while at < bytes.len() {
        at += match bytes[at] {
            b'\\' => 2,
            b'$' if is_block && bytes.get(at + 1) == Some(&b'$') => return at + 2,
            // The next mark ends it, or it is none.
            b'$' if !is_block => return if is_space(at - 1) { marks } else { at + 1 },
            _ => 1,
        };
    }
    marks
}

/// What is marked on a line.
enum Mark {
    None,
    /// It ends there.
    Until(usize),
    /// Nothing that begins behind here ends.
    NoMore,
}

/// Where the marks stand that end what begins with `text`, outside of code.
fn mark_end(text: &str) -> Option<usize> {
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        at += match rest.as_bytes() {
            [b'`', ..] => mdx::code_length(rest).unwrap_or(1),
            [b'=', b'=', ..] => {
                let length = rest.bytes().take_while(|byte| *byte == b'=').count();
                if length == 2 && at > 0 && !text[..at].ends_with(char::is_whitespace) {
                    return Some(at);
                }
                length
            }
            _ => rest.chars().next().map_or(1, char::len_utf8),
        };
    }
    None
}

/// What a name means, with its address.
enum Target {
    Page(String),
    Picture(String),
    File(String),
}

/// What is shown of a name: `Page > Heading`, and of a picture its name without the ending, unless something else is said of it.
fn plain_label(name: &str, label: Option<&str>, is_embedded: bool) -> String {
    let is_size = |label: &str| width(label).is_some();
    if let Some(label) = label {
        let said = label.split('|').map(str::trim);
        let said = said.filter(|part| !(is_embedded && is_size(part)));
        let said = said.collect::<Vec<_>>().join(" ");
        if !said.is_empty() {
            return said;
        }
    }
    let name = name.replace('`', "");
    let name = name.trim();
    if is_embedded && is_picture(name) {
        let own = name.rsplit('/').next().unwrap_or(name);
        return own.rsplit_once('.').map_or(own, |(stem, _)| stem).to_owned();
    }
    let parts = name.split('#').map(|part| part.trim().trim_start_matches('^'));
    let parts = parts.filter(|part| !part.is_empty());
    let parts: Vec<&str> = parts.map(|part| part.trim_end_matches(".md")).collect();
    parts.join(" > ")
}

/// `300` and `300x200`, in pixels.
fn width(size: &str) -> Option<u32> {
    let (width, height) = size.split_once('x').unwrap_or((size, "1"));
    let number = |text: &str| text.trim().parse::<u32>().ok().filter(|number| *number > 0);
    number(height).and(number(width))
}

/// An address between angle brackets; signs that would end it, or a part of it, as bytes in percent.
fn encoded(path: &str) -> String {
    let mut encoded = String::with_capacity(path.len());
    for c in path.chars() {
        if c.is_ascii() && !c.is_ascii_alphanumeric() && !matches!(c, '/' | '-' | '_' | '.' | '~') {
            encoded.push_str(&format!("%{:02X}", c as u32));
        } else {
            encoded.push(c);
        }
    }
    encoded
}
