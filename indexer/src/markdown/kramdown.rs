//! Lists of attributes on lines of their own, as kramdown has them in the pages of Jekyll. Those of Just the Docs make alerts:
//!
//! ```text
//! Keep it in mind.
//! {: .note }
//!
//! {: .warning-title }
//! > Before you start
//! >
//! > Markdown
//! ```
//!
//! A list is about the block directly above it, else about the one directly below. CommonMark takes it for a line of that block, so the
//! blocks are cut here where the lists stand. No list is shown, and neither is a list of which `{:toc}` makes a table of contents.

use std::collections::BTreeMap;
use std::ops::Range;

use pulldown_cmark::{CowStr, Event, Tag, TagEnd};

use super::PlacedEvent;

/// The classes that make alerts, and what these are called between brackets.
const ALERTS: [(&str, &str); 7] = [
    ("caution", "caution"),
    ("danger", "danger"),
    ("highlight", "note"),
    ("important", "important"),
    ("note", "note"),
    ("tip", "tip"),
    ("warning", "warning"),
];

/// The events without lists of attributes on lines of their own, and with what these say. `text` is what the places are in.
pub(super) fn convert<'a>(events: Vec<PlacedEvent<'a>>, text: &str) -> Vec<PlacedEvent<'a>> {
    let may_be_list = |event: &Event<'_>| matches!(event, Event::Text(text) if text.contains("{:"));
    if !events.iter().any(|(event, _)| may_be_list(event)) {
        return events;
    }
    let mut reader = Reader {
        text,
        events: &events,
        open: vec![Open::default()],
        above: None,
        contents: None,
        changes: Changes::default(),
    };
    reader.read();
    let changes = reader.changes;
    changes.applied(events)
}

/// Whether a line is nothing but a list of attributes.
pub(super) fn is_list_of_attributes(line: &str) -> bool {
    Attributes::of_line(line).is_some()
}

/// What a list of attributes says.
#[derive(Debug, Default, PartialEq)]
struct Attributes<'a> {
    alert: Option<Alert<'a>>,
    id: Option<&'a str>,
    is_toc: bool,
    is_in_no_toc: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Alert<'a> {
    kind: &'static str,
    class: &'a str,
}

impl Alert<'_> {
    /// Whether the first line of the block is the title.
    fn has_title(&self) -> bool {
        self.class.ends_with("-title")
    }
}

impl<'a> Attributes<'a> {
    /// Of a line that is nothing else.
    fn of_line(line: &'a str) -> Option<Self> {
        let inner = line.trim().strip_prefix("{:")?.strip_suffix('}')?;
        if inner.starts_with([':', '/']) || inner.contains('}') {
            return None;
        }
        let mut attributes = Self::default();
        for word in inner.split_whitespace() {
            if let Some(id) = word.strip_prefix('#') {
                attributes.id = Some(id).filter(|id| !id.is_empty());
            }
            attributes.is_toc |= word == "toc";
            for class in word
                .strip_prefix('.')
                .into_iter()
                .flat_map(|word| word.split('.'))
            {
                let name = class.strip_suffix("-title").unwrap_or(class);
                let known = ALERTS.iter().find(|(known, _)| *known == name);
                let alert = known.map(|(_, kind)| Alert { kind, class });
                attributes.alert = attributes.alert.or(alert);
                attributes.is_in_no_toc |= class == "no_toc";
            }
        }
        Some(attributes)
    }
}

/// A quote, a list or an item that has not ended; the first is the page.
#[derive(Debug, Default)]
struct Open {
    /// Its first event.
    at: usize,
    is_quote: bool,
    /// Where the sign of an item stands in its line.
    sign: Option<usize>,
    /// The block before, in it.
    before: Option<usize>,
}

struct Reader<'e, 'a> {
    text: &'e str,
    events: &'e [PlacedEvent<'a>],
    open: Vec<Open>,
    /// What is said about the block that begins next.
    above: Option<Attributes<'e>>,
    /// The last heading, if it has no place in a table of contents, as the one of that table.
    contents: Option<usize>,
    changes: Changes<'a>,
}

impl<'e> Reader<'e, '_> {
    fn read(&mut self) {
        let mut at = 0;
        while at < self.events.len() {
            at = match &self.events[at].0 {
                Event::Start(Tag::Paragraph) => {
                    let end = self.end_of(at);
                    self.read_lines(at..end + 1, at + 1..end);
                    end + 1
                }
                Event::Start(tag @ (Tag::BlockQuote(_) | Tag::List(_) | Tag::Item)) => {
                    self.begin_block(at);
                    let (_, sign) = self.place(at);
                    self.open.push(Open {
                        at,
                        is_quote: matches!(tag, Tag::BlockQuote(_)),
                        sign: matches!(tag, Tag::Item).then_some(sign),
                        before: None,
                    });
                    at + 1
                }
                Event::End(TagEnd::BlockQuote(_) | TagEnd::List(_) | TagEnd::Item) => {
                    self.open.pop();
                    at + 1
                }
                event if is_inline(event) && self.inner().sign.is_some() => {
                    let end = self.end_of_inline(at);
                    self.read_lines(at..end, at..end);
                    end
                }
                Event::Start(_) => {
                    self.begin_block(at);
                    self.end_of(at) + 1
                }
                _ => {
                    self.begin_block(at);
                    at + 1
                }
            };
        }
    }

    fn inner(&mut self) -> &mut Open {
        self.open.last_mut().expect("the page does not end")
    }

    /// The last event of what starts at `at`.
    fn end_of(&self, at: usize) -> usize {
        let mut depth = 0;
        let end = self.events[at..].iter().position(|(event, _)| {
            match event {
                Event::Start(_) => depth += 1,
                Event::End(_) => depth -= 1,
                _ => {}
            }
            depth == 0
        });
        at + end.expect("every start event has an end event")
    }

    /// Where the text of an item ends that is in no paragraph.
    fn end_of_inline(&self, at: usize) -> usize {
        let mut end = at;
        while is_inline(&self.events[end].0) {
            end = match self.events[end].0 {
                Event::Start(_) => self.end_of(end) + 1,
                _ => end + 1,
            };
        }
        end
    }

    /// A block that can be something by what stands above it.
    fn begin_block(&mut self, at: usize) {
        if !matches!(self.events[at].0, Event::Start(Tag::List(_) | Tag::Item)) {
            self.contents = None;
        }
        if let Some(said) = self.above.take() {
            self.say(&said, at);
        }
        self.inner().before = Some(at);
    }

    /// Cuts a paragraph, or a text in an item, where a line is a list of attributes.
    fn read_lines(&mut self, block: Range<usize>, inner: Range<usize>) {
        let lines = self.lines(inner.clone());
        let is_paragraph = block != inner;
        let mut parts: Vec<(Range<usize>, Option<Alert<'e>>)> = Vec::new();
        let mut said_above = self.above.take();
        let mut part: Option<Range<usize>> = None;
        let mut has_list = said_above.is_some();
        for line in lines {
            let Some(said) = self.attributes(&line) else {
                let start = part.map_or(line.start, |part| part.start);
                part = Some(start..line.end);
                continue;
            };
            has_list = true;
            self.changes.leave_out(
                line.start.saturating_sub(1).max(inner.start)..line.end + 1,
                &block,
            );
            if let Some(part) = part.take() {
                parts.push((part, said_above.take().and_then(|said| said.alert)));
            }
            let place = self.events[line.start].1.start;
            if let Some(outer) = self.outer(place) {
                self.say(&said, outer);
            } else if let Some((_, alert)) = parts.last_mut() {
                *alert = alert.or(said.alert);
                if said.is_toc {
                    self.leave_out_list();
                }
            } else if let Some(before) = self.directly_above(place) {
                self.say(&said, before);
            } else if self.goes_on_below(place) {
                said_above = Some(said);
            }
        }
        match part {
            Some(part) => parts.push((part, said_above.and_then(|said| said.alert))),
            None => self.above = said_above,
        }
        if has_list {
            self.cut(&block, &parts, is_paragraph);
        }
        if !parts.is_empty() {
            self.inner().before = Some(block.start);
            self.contents = None;
        }
    }

    /// The lines of a text. What is longer than a line counts to the one that it begins in.
    fn lines(&self, inner: Range<usize>) -> Vec<Range<usize>> {
        let mut lines = Vec::new();
        let mut start = inner.start;
        let mut at = inner.start;
        while at < inner.end {
            at = match self.events[at].0 {
                Event::SoftBreak | Event::HardBreak => {
                    lines.push(start..at);
                    start = at + 1;
                    start
                }
                Event::Start(_) => self.end_of(at) + 1,
                _ => at + 1,
            };
        }
        lines.push(start..inner.end);
        lines.retain(|line| !line.is_empty());
        lines
    }

    fn attributes(&self, line: &Range<usize>) -> Option<Attributes<'e>> {
        let events = self.events;
        let [(Event::Text(text), range)] = &events[line.clone()] else {
            return None;
        };
        let is_escaped = self.text[..range.start].ends_with('\\');
        Attributes::of_line(text).filter(|_| !is_escaped)
    }

    /// How many signs of quotes are before an event in its line, and how far to the right it stands behind them.
    fn place(&self, at: usize) -> (usize, usize) {
        self.place_in_line(self.events[at].1.start)
    }

    fn place_in_line(&self, place: usize) -> (usize, usize) {
        let start = self.text[..place].rfind('\n').map_or(0, |end| end + 1);
        let before = &self.text[start..place];
        let behind = before.rsplit('>').next().unwrap_or_default();
        (before.matches('>').count(), behind.len())
    }

    /// The outermost quote or list that a line is in only for CommonMark, which lets text go on without its signs.
    fn outer(&self, place: usize) -> Option<usize> {
        let (quotes, column) = self.place_in_line(place);
        let mut depth = 0;
        let mut list_of_item = None;
        for open in &self.open {
            let (is_outside, block) = match open.sign {
                Some(sign) => (column <= sign, list_of_item.unwrap_or(open.at)),
                None => (open.is_quote && quotes <= depth, open.at),
            };
            if is_outside {
                return Some(block);
            }
            depth += usize::from(open.is_quote);
            list_of_item = Some(open.at);
        }
        None
    }

    /// The block before, where it ends in the line above.
    fn directly_above(&mut self, place: usize) -> Option<usize> {
        let mut lines = self.text[..place].rsplit('\n').skip(1);
        let is_empty = lines.next().is_none_or(is_empty);
        self.inner().before.filter(|_| !is_empty)
    }

    fn goes_on_below(&self, place: usize) -> bool {
        self.text[place..]
            .split('\n')
            .nth(1)
            .is_some_and(|line| !is_empty(line))
    }

    /// Does what a list says about the block that starts at `at`.
    fn say(&mut self, said: &Attributes<'_>, at: usize) {
        let range = self.events[at].1.clone();
        match &self.events[at].0 {
            Event::Start(Tag::Heading { .. }) => {
                self.contents = said.is_in_no_toc.then_some(at);
                if let Some(id) = said.id {
                    self.changes.ids.insert(at, id.to_owned());
                }
            }
            Event::Start(Tag::List(_)) if said.is_toc => self.leave_out(at),
            Event::Start(Tag::List(_)) => {
                if let Some(alert) = said.alert {
                    let end = self.end_of(at) + 1;
                    let mut events = vec![Event::Start(Tag::BlockQuote(None))];
                    events.extend(named(alert.kind));
                    self.changes.put(at, events, &range);
                    self.changes
                        .put(end, [Event::End(TagEnd::BlockQuote(None))], &range);
                }
            }
            Event::Start(Tag::BlockQuote(None)) => {
                if let Some(alert) = said.alert {
                    self.begin_alert(alert, at);
                }
            }
            _ => {}
        }
    }

    /// Makes an alert of a quote.
    fn begin_alert(&mut self, alert: Alert<'_>, at: usize) {
        let range = self.events[at].1.clone();
        let is_paragraph = matches!(self.events[at + 1].0, Event::Start(Tag::Paragraph));
        let is_list =
            |event: &Event<'_>| matches!(event, Event::Text(text) if Attributes::of_line(text).is_some());
        if alert.has_title() && is_paragraph && !is_list(&self.events[at + 2].0) {
            let name = Event::Text(CowStr::from(format!("[!{}] ", alert.kind)));
            self.changes.put(at + 2, [name], &range);
        } else {
            self.changes.put_first(at + 1, named(alert.kind), &range);
        }
    }

    /// Leaves out the list that is open, of which a table of contents is made.
    fn leave_out_list(&mut self) {
        let item = self.open.iter().rposition(|open| open.sign.is_some());
        if let Some(list) = item.and_then(|item| item.checked_sub(1)) {
            self.leave_out(self.open[list].at);
        }
    }

    /// Leaves out a list, and the heading that it has for itself.
    fn leave_out(&mut self, list: usize) {
        for block in [Some(list), self.contents.take()].into_iter().flatten() {
            self.changes.blocks_left_out.insert(block, self.end_of(block) + 1);
        }
    }

    /// Writes the parts of a text as blocks of their own.
    fn cut(&mut self, block: &Range<usize>, parts: &[(Range<usize>, Option<Alert<'e>>)], is_paragraph: bool) {
        if is_paragraph {
            self.changes.leave_out(block.start..block.start + 1, block);
            self.changes.leave_out(block.end - 1..block.end, block);
        }
        for (part, alert) in parts {
            let start = self.events[part.start].1.clone();
            let end = self.events[part.end - 1].1.clone();
            let has_own = is_paragraph || alert.is_some();
            let mut events = Vec::new();
            if let Some(alert) = alert {
                events.push(Event::Start(Tag::BlockQuote(None)));
                if !alert.has_title() {
                    events.extend(named(alert.kind));
                }
            }
            if has_own {
                events.push(Event::Start(Tag::Paragraph));
            }
            if let Some(alert) = alert.filter(Alert::has_title) {
                events.push(Event::Text(CowStr::from(format!("[!{}] ", alert.kind))));
            }
            self.changes.put(part.start, events, &start);
            if has_own {
                self.changes.put(part.end, [Event::End(TagEnd::Paragraph)], &end);
            }
            if alert.is_some() {
                self.changes
                    .put(part.end, [Event::End(TagEnd::BlockQuote(None))], &end);
            }
        }
    }
}

/// What is to be done with events, by their numbers.
#[derive(Debug, Default)]
struct Changes<'a> {
    /// By where they start, the ends of what is left out.
    left_out: BTreeMap<usize, usize>,
    /// The same of blocks, with all that was to be put into them.
    blocks_left_out: BTreeMap<usize, usize>,
    before: BTreeMap<usize, Vec<PlacedEvent<'a>>>,
    ids: BTreeMap<usize, String>,
}

impl<'a> Changes<'a> {
    /// As much of the events as is in the block.
    fn leave_out(&mut self, events: Range<usize>, block: &Range<usize>) {
        let end = events.end.min(block.end);
        let known = self.left_out.entry(events.start).or_default();
        *known = end.max(*known);
    }

    fn put(&mut self, at: usize, events: impl IntoIterator<Item = Event<'a>>, range: &Range<usize>) {
        let events = events.into_iter().map(|event| (event, range.clone()));
        self.before.entry(at).or_default().extend(events);
    }

    /// Before what else stands there.
    fn put_first(&mut self, at: usize, events: impl IntoIterator<Item = Event<'a>>, range: &Range<usize>) {
        let events = events.into_iter().map(|event| (event, range.clone()));
        self.before.entry(at).or_default().splice(0..0, events);
    }

    fn applied(mut self, events: Vec<PlacedEvent<'a>>) -> Vec<PlacedEvent<'a>> {
        let count = events.len();
        let mut changed = Vec::with_capacity(count + 4 * self.before.len());
        let (mut gone_to, mut block_gone_to) = (0, 0);
        for (at, (mut event, range)) in events.into_iter().enumerate() {
            let put = self.before.remove(&at).into_iter().flatten();
            changed.extend(put.filter(|_| at >= block_gone_to));
            let end_at = |ends: &BTreeMap<usize, usize>| ends.get(&at).copied().unwrap_or_default();
            block_gone_to = end_at(&self.blocks_left_out).max(block_gone_to);
            gone_to = end_at(&self.left_out).max(block_gone_to).max(gone_to);
            if let (Event::Start(Tag::Heading { id, .. }), Some(own)) = (&mut event, self.ids.remove(&at)) {
                *id = Some(CowStr::from(own));
            }
            if at >= gone_to {
                changed.push((event, range));
            }
        }
        changed.extend(self.before.remove(&count).into_iter().flatten());
        changed
    }
}

/// What an alert begins with that has no title of its own.
fn named<'a>(kind: &str) -> [Event<'a>; 3] {
    [
        Event::Start(Tag::Paragraph),
        Event::Text(CowStr::from(format!("[!{kind}]"))),
        Event::End(TagEnd::Paragraph),
    ]
}

fn is_empty(line: &str) -> bool {
    line.trim_start_matches(['>', ' ', '\t']).is_empty()
}

fn is_inline(event: &Event<'_>) -> bool {
    match event {
        Event::Start(tag) => matches!(
            tag,
            Tag::Emphasis | Tag::Strong | Tag::Strikethrough | Tag::Link { .. } | Tag::Image { .. }
        ),
        Event::End(_) | Event::Html(_) | Event::Rule => false,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use pulldown_cmark::{Options, Parser};

    use super::*;
    use crate::markdown::quoted_alerts;

    /// The events as tags, with the titles of alerts.
    fn check(text: &str, expected: &str) {
        let parser = Parser::new_ext(text, Options::ENABLE_TABLES | Options::ENABLE_HEADING_ATTRIBUTES);
        let mut events = convert(parser.into_offset_iter().collect(), text);
        let mut titles = std::collections::HashMap::new();
        quoted_alerts::convert(&mut events, &mut titles);
        let shown = events
            .iter()
            .enumerate()
            .map(|(at, (event, _))| match (event, titles.get(&at)) {
                (_, Some(title)) => format!("<blockquote {}>", title.text),
                (
                    Event::Start(Tag::Heading {
                        level, id: Some(id), ..
                    }),
                    _,
                ) => format!("<{level} {id}>"),
                (Event::Start(tag), _) => format!("<{}>", name(tag.to_end())),
                (Event::End(tag), _) => format!("</{}>", name(*tag)),
                (Event::Text(text), _) => text.replace('\n', ""),
                (Event::Code(code), _) => format!("<code>{code}</code>"),
                _ => String::new(),
            });
        assert_eq!(shown.collect::<String>(), expected, "{text}");
    }

    fn name(tag: TagEnd) -> String {
        match tag {
            TagEnd::Paragraph => "p".to_owned(),
            TagEnd::Heading(level) => level.to_string(),
            TagEnd::BlockQuote(_) => "blockquote".to_owned(),
            TagEnd::CodeBlock => "pre".to_owned(),
            TagEnd::List(is_ordered) => if is_ordered { "ol" } else { "ul" }.to_owned(),
            TagEnd::Item => "li".to_owned(),
            TagEnd::Emphasis => "em".to_owned(),
            tag => format!("{tag:?}"),
        }
    }

    #[test]
    fn a_list_is_about_the_block_above_or_below_it() {
        for (text, expected) in [
            ("a\nb\n{: .note }", "<blockquote Note><p>ab</p></blockquote>"),
            (
                "{:.tip}\na *b*",
                "<blockquote Tip><p>a <em>b</em></p></blockquote>",
            ),
            (
                "a\n{: .x}\n{: .warning x}\nb",
                "<blockquote Warning><p>a</p></blockquote><p>b</p>",
            ),
            ("a\n\n{: .note}\n\nb", "<p>a</p><p>b</p>"),
            ("# A\n{: .note}\nb", "<h1>A</h1><p>b</p>"),
            ("# A\n{: #c .no_toc}\n\n{: #d}\n## B", "<h1 c>A</h1><h2 d>B</h2>"),
            (
                "{: .important }\n> a\n>\n> b",
                "<blockquote Important><p>a</p><p>b</p></blockquote>",
            ),
            (
                "> a\n>\n> b\n{: .caution }",
                "<blockquote Caution><p>a</p><p>b</p></blockquote>",
            ),
            (
                "> a\n> {: .danger }\n> b",
                "<blockquote><blockquote Danger><p>a</p></blockquote><p>b</p></blockquote>",
            ),
            (
                "{: .highlight }\n- a",
                "<blockquote Note><ul><li>a</li></ul></blockquote>",
            ),
            (
                "- a\n- b\n{: .note}",
                "<blockquote Note><ul><li>a</li><li>b</li></ul></blockquote>",
            ),
            ("{: .unknown }\na\n{: note}", "<p>a</p>"),
        ] {
            check(text, expected);
        }
    }

    #[test]
    fn a_list_in_an_item_is_about_its_text() {
        for (text, expected) in [
            (
                "1. a\n   {: .note}",
                "<ol><li><blockquote Note><p>a</p></blockquote></li></ol>",
            ),
            (
                "- a\n\n  b\n  {: .note}\n- c",
                "<ul><li><p>a</p><blockquote Note><p>b</p></blockquote></li><li><p>c</p></li></ul>",
            ),
            (
                "- a\n  - b\n    {: .tip}\n",
                "<ul><li>a<ul><li><blockquote Tip><p>b</p></blockquote></li></ul></li></ul>",
            ),
        ] {
            check(text, expected);
        }
    }

    #[test]
    fn the_first_line_can_be_the_title() {
        for (text, expected) in [
            (
                "{: .note-title }\n> A *b*\n>\n> c",
                "<blockquote A b><p>c</p></blockquote>",
            ),
            ("A\nb\n{: .tip-title }", "<blockquote A><p>b</p></blockquote>"),
            (
                "{: .tip-title }\n> - a",
                "<blockquote Tip><ul><li>a</li></ul></blockquote>",
            ),
        ] {
            check(text, expected);
        }
    }

    #[test]
    fn a_table_of_contents_is_left_out_with_its_heading() {
        for (text, expected) in [
            ("a\n\n1. TOC\n{:toc}\n\nb", "<p>a</p><p>b</p>"),
            ("## C\n{: .no_toc }\n\n- *TOC*\n{:toc}\n\nb", "<p>b</p>"),
            ("## C\n{: .no_toc }\n\na\n\n- TOC\n{:toc}", "<h2>C</h2><p>a</p>"),
            ("## C\n\n- x\n\n  TOC\n  {:toc}\n\n", "<h2>C</h2>"),
        ] {
            check(text, expected);
        }
    }

    #[test]
    fn what_only_looks_like_a_list_stays() {
        for text in ["`{: .note}`", "a {: .note}", "{: .note} a"] {
            let expected = text.replace("`{: .note}`", "<code>{: .note}</code>");
            check(&format!("x\n{text}"), &format!("<p>x{expected}</p>"));
        }
        check("x\n\\{: .note}", "<p>x{: .note}</p>");
        check("```\n{: .note}\n```", "<pre>{: .note}</pre>");
        check("    {:toc}\n", "<pre>{:toc}</pre>");
    }
}
