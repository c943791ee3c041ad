//! HTML in folders with rules of their own. What an element has in Markdown becomes the events that the Markdown would have made: links
//! are checked, images get their sizes, headings stand in the table of contents, and no HTML of an author reaches a page as it is. Of
//! the attributes only addresses, alternative texts, widths and ids are used. Elements that carry nothing but style give way to what they
//! hold; what is no element of HTML, such as `Vec<T>`, stays for the stages that show it as text.

mod inline;
mod kinds;
mod tokens;

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use html_escape::decode_html_entities;
use pulldown_cmark::{CodeBlockKind, CowStr, Event, LinkType, Tag, TagEnd};

use super::{PAGES_BELOW, PlacedEvent, components, diagram, is_id};
use crate::html::escaped;
use kinds::{Kind, kind};
use tokens::{
    Element, PlacedToken, Token, ends, is_component, is_head, is_link, name_of, plain, run_end, tokens,
};

/// What a page's HTML became.
#[derive(Debug, Default)]
pub(super) struct Elements<'a> {
    pub(super) events: Vec<PlacedEvent<'a>>,
    /// Ids of what is no heading, in the order of the empty [`Event::InlineHtml`]s that stand for them.
    pub(super) anchors: Vec<String>,
    /// The widths that images ask for in pixels, by how many images come before.
    pub(super) widths: HashMap<usize, u32>,
    /// Components, whose tags are left out.
    pub(super) components: BTreeSet<String>,
    /// Elements that are left out with all that they hold, with their places.
    pub(super) left_out: Vec<(usize, String)>,
    /// A component lists the pages below.
    pub(super) lists_pages: bool,
}

impl<'a> Elements<'a> {
    /// Of events that are not looked at.
    pub(super) fn none(events: Vec<PlacedEvent<'a>>) -> Self {
        Self {
            events,
            ..Self::default()
        }
    }
}

/// Reads the HTML among the events of a page. In MDX, the lines in it are Markdown.
pub(super) fn read<'a>(events: Vec<PlacedEvent<'a>>, is_mdx: bool) -> Elements<'a> {
    let is_html = |event: &Event<'_>| matches!(event, Event::Html(_) | Event::InlineHtml(_));
    if !events.iter().any(|(event, _)| is_html(event)) {
        return Elements::none(events);
    }
    let tokens = tokens(events, is_mdx);
    let mut reader = Reader {
        ends: ends(&tokens),
        ..Reader::default()
    };
    let mut at = 0;
    while at < tokens.len() {
        at = reader.token(&tokens, at);
    }
    reader.close_from(0);
    reader.elements
}

/// An element that has not ended.
#[derive(Debug)]
struct Open {
    name: String,
    kind: Kind,
    /// How many elements of Markdown it stands in.
    depth: usize,
    /// What ends it, if it is one of Markdown.
    end: Option<TagEnd>,
    /// Something that stands in it as a text of its own: what follows does so too.
    is_parted: bool,
    /// The rows of a table.
    rows: usize,
}

/// As an image's address asks for them, see [`crate::links::Theme`].
const THEMES: [&str; 2] = ["dark", "light"];

#[derive(Debug, Default)]
struct Reader<'a> {
    elements: Elements<'a>,
    /// See [`tokens::ends`].
    ends: Vec<Option<usize>>,
    open: Vec<Open>,
    depth: usize,
    is_in_block: bool,
    /// A paragraph is open that no element is.
    has_paragraph: bool,
    /// How many there have been.
    images: usize,
    /// What an image is in the dark and in the light theme, as the `source`s before it say.
    theme_pictures: [Option<String>; 2],
    /// The ids of a row, an item or a cell, which stand in the item or the cell that follows.
    waiting: Vec<(usize, String)>,
}

impl<'a> Reader<'a> {
    /// Reads a token, with what belongs to it, and says where the next one is.
    fn token(&mut self, tokens: &[PlacedToken<'a>], at: usize) -> usize {
        let (token, range) = &tokens[at];
        match token {
            Token::Event(event) => self.event(event, range),
            Token::BlockStart => self.is_in_block = true,
            Token::BlockEnd => {
                self.part(range);
                self.is_in_block = false;
            }
            Token::Text(text) => self.text(text, range),
            // A type parameter does not stand on a line of its own.
            Token::Unknown(tag)
                if is_component(name_of(tag))
                    && self.is_shown_as_component(name_of(tag), &tokens[at + 1..]) =>
            {
                self.elements.components.insert(name_of(tag).to_owned());
            }
            Token::Unknown(tag) => {
                self.begin_line(range);
                self.push(Event::InlineHtml(CowStr::from(tag.clone())), range);
            }
            Token::Open(element) => return self.start(element, tokens, at),
            Token::Close(name) => self.end(name, range),
        }
        at + 1
    }

    /// Whether a tag is that of a component and no type parameter: it stands on a line of its own, or its end comes in the same text.
    fn is_shown_as_component(&self, name: &str, behind: &[PlacedToken<'a>]) -> bool {
        let is_end_of_text = |token: &Token<'_>| {
            use TagEnd::{Heading, Item, Paragraph, TableCell};
            matches!(
                token,
                Token::Event(Event::End(Paragraph | Heading(_) | Item | TableCell))
            )
        };
        let mut text = behind
            .iter()
            .map(|(token, _)| token)
            .take_while(|token| !is_end_of_text(token));
        self.is_in_block || text.any(|token| matches!(token, Token::Close(end) if end == name))
    }

    fn event(&mut self, event: &Event<'a>, range: &Range<usize>) {
        match event {
            Event::Start(tag) => {
                self.images += usize::from(matches!(tag, Tag::Image { .. }));
                if !self.is_in_block {
                    self.leave_lines(range);
                }
                while self.holds_parts_alone() {
                    self.close_from(self.open.len() - 1);
                }
                if let Some(open) = self.open.last_mut().filter(|open| open.depth == self.depth) {
                    open.is_parted = true;
                }
                self.depth += 1;
            }
            Event::End(TagEnd::Paragraph) if self.leave_paragraph() => {
                self.depth -= 1;
                return;
            }
            Event::End(_) => {
                let first = self.open.iter().position(|open| open.depth == self.depth);
                self.close_from(first.unwrap_or(self.open.len()));
                self.depth -= 1;
            }
            _ => {}
        }
        self.push(event.clone(), range);
    }

    /// Takes away the start of a paragraph that holds nothing but places to link to.
    fn leave_paragraph(&mut self) -> bool {
        let is_anchor = |event: &Event<'_>| matches!(event, Event::InlineHtml(html) if html.is_empty());
        let events = &mut self.elements.events;
        let start = events.iter().rposition(|(event, _)| !is_anchor(event));
        let is_start = |start: &usize| matches!(events[*start].0, Event::Start(Tag::Paragraph));
        match start.filter(is_start).filter(|start| start + 1 < events.len()) {
            Some(start) => {
                events.remove(start);
                true
            }
            None => false,
        }
    }

    fn push(&mut self, event: Event<'a>, range: &Range<usize>) {
        self.elements.events.push((event, range.clone()));
    }

    fn text(&mut self, text: &str, range: &Range<usize>) {
        if self.is_in_block && !self.is_in_line() {
            if text.trim().is_empty() {
                return;
            }
            self.begin_line(range);
        }
        let last = self.elements.events.last().map(|(event, _)| event);
        let is_first = matches!(last, Some(Event::Start(Tag::Paragraph) | Event::HardBreak));
        let text = with_single_spaces(if is_first { text.trim_start() } else { text });
        if !text.is_empty() {
            let text = decode_html_entities(&text).into_owned();
            self.push(Event::Text(CowStr::from(text)), range);
        }
    }

    /// Whether a text may stand here without anything around it.
    fn is_in_line(&self) -> bool {
        if !self.is_in_block || self.has_paragraph {
            return true;
        }
        self.open.last().is_some_and(|open| {
            let holds_text = open.kind.is_phrase()
                || matches!(open.kind, Kind::Heading(_) | Kind::Item | Kind::Cell)
                || open.name == "summary";
            open.depth == self.depth && holds_text && !open.is_parted
        })
    }

    /// Begins a text of its own, unless one is open.
    fn begin_line(&mut self, range: &Range<usize>) {
        if self.is_in_line() {
            return;
        }
        if self.begin_part(range) {
            return;
        }
        self.push(Event::Start(Tag::Paragraph), range);
        self.has_paragraph = true;
    }

    /// Ends what holds lines alone: no block stands in a heading or in a summary.
    fn leave_lines(&mut self, range: &Range<usize>) {
        while let Some(open) = self.open.last()
            && open.depth == self.depth
            && (matches!(open.kind, Kind::Heading(_)) || open.name == "summary")
        {
            if open.name == "summary" {
                // At no place: what comes may be a line of colons, which is found again by its own.
                self.html_block("</summary>".to_owned(), &(range.start..range.start));
            }
            self.close_from(self.open.len() - 1);
        }
    }

    /// Begins the item or the cell that is missing around what comes, if one is.
    fn begin_part(&mut self, range: &Range<usize>) -> bool {
        if !self.holds_parts_alone() {
            return false;
        }
        let kind = self.open.last().map(|open| open.kind);
        if kind == Some(Kind::List) {
            self.open(Kind::Item, "li", Some(Tag::Item), range);
            return true;
        }
        if kind == Some(Kind::Table) {
            self.row(false, range);
        }
        self.open(Kind::Cell, "td", Some(Tag::TableCell), range);
        true
    }

    /// Ends a text of its own.
    fn part(&mut self, range: &Range<usize>) {
        if !self.is_in_block {
            return;
        }
        while self.open.last().is_some_and(|open| open.kind.is_phrase()) {
            self.close_from(self.open.len() - 1);
        }
        if let Some((Event::Text(text), _)) = self.elements.events.last_mut() {
            *text = CowStr::from(text.trim_end().to_owned());
        }
        if self.has_paragraph {
            self.push(Event::End(TagEnd::Paragraph), range);
            self.has_paragraph = false;
        }
        let is_empty = matches!(self.elements.events.last(), Some((Event::Start(_), _)));
        if let Some(open) = self.open.last_mut()
            && !is_empty
            && open.depth == self.depth
        {
            if matches!(open.kind, Kind::Heading(_)) || open.name == "summary" {
                self.push(Event::SoftBreak, range);
            } else {
                open.is_parted = true;
            }
        }
    }

    fn open(&mut self, kind: Kind, name: &str, tag: Option<Tag<'a>>, range: &Range<usize>) {
        let end = tag.as_ref().map(Tag::to_end);
        if let Some(tag) = tag {
            self.push(Event::Start(tag), range);
        }
        self.open.push(Open {
            name: name.to_owned(),
            kind,
            depth: self.depth,
            end,
            is_parted: false,
            rows: 0,
        });
        if matches!(kind, Kind::Item | Kind::Cell) {
            self.put_waiting(range);
        }
    }

    fn put_waiting(&mut self, range: &Range<usize>) {
        for (place, id) in std::mem::take(&mut self.waiting) {
            self.put_anchor(place, id, range);
        }
    }

    /// Ends everything that was opened since there were only `count`.
    fn close_from(&mut self, count: usize) {
        while self.open.len() > count
            && let Some(open) = self.open.pop()
        {
            let at = self.elements.events.last().map_or(0, |(_, range)| range.end);
            if self.has_paragraph && !open.kind.is_phrase() {
                self.push(Event::End(TagEnd::Paragraph), &(at..at));
                self.has_paragraph = false;
            }
            if let Some(end) = open.end {
                self.push(Event::End(end), &(at..at));
            }
            if !self.waiting.is_empty() && !self.holds_parts_alone() {
                self.put_waiting(&(at..at));
            }
        }
    }

    /// Whether nothing but items stands in the last open element, or nothing but rows or cells.
    fn holds_parts_alone(&self) -> bool {
        self.open.last().is_some_and(|open| {
            open.depth == self.depth && matches!(open.kind, Kind::List | Kind::Table | Kind::Row)
        })
    }

    /// The last open element here of which this is true.
    fn find(&self, is_wanted: impl Fn(&Open) -> bool) -> Option<usize> {
        self.open
            .iter()
            .rposition(|open| open.depth == self.depth && is_wanted(open))
    }

    fn end(&mut self, name: &str, range: &Range<usize>) {
        match kind(name) {
            Kind::Part => self.part(range),
            Kind::Fold if self.is_in_block => {
                self.part(range);
                if let Some(found) = self.find(|open| open.name == name) {
                    self.close_from(found);
                }
                self.html_block(format!("</{name}>"), range);
            }
            // The stage that shows them sees whether they end anything.
            Kind::Line | Kind::Fold => {
                self.push(Event::InlineHtml(CowStr::from(format!("</{name}>"))), range);
            }
            _ => {
                if let Some(found) = self.find(|open| open.name == name) {
                    self.close_from(found);
                }
            }
        }
    }

    fn html_block(&mut self, html: String, range: &Range<usize>) {
        for event in [
            Event::Start(Tag::HtmlBlock),
            Event::Html(CowStr::from(html)),
            Event::End(TagEnd::HtmlBlock),
        ] {
            self.push(event, range);
        }
    }

    fn row(&mut self, is_head: bool, range: &Range<usize>) {
        let Some(table) = self.find(|open| open.kind == Kind::Table) else {
            return;
        };
        self.close_from(table + 1);
        self.open[table].rows += 1;
        let tag = if is_head && self.open[table].rows == 1 {
            Tag::TableHead
        } else {
            Tag::TableRow
        };
        self.open(Kind::Row, "tr", Some(tag), range);
    }

    fn start(&mut self, element: &Element, tokens: &[PlacedToken<'a>], at: usize) -> usize {
        let range = &tokens[at].1;
        let name = element.name.as_str();
        // As scripts find them that draw in the browser.
        let classes = element.get("class").unwrap_or_default();
        let is_diagram = classes.split_whitespace().any(|class| class == diagram::LANGUAGE);
        let kind = match kind(name) {
            Kind::Part if is_diagram => Kind::Preformatted,
            kind => kind,
        };
        if kind.parts() {
            self.part(range);
        }
        if self.is_in_block && kind.is_block() {
            self.leave_lines(range);
            self.begin_part(range);
        }
        if !matches!(kind, Kind::Heading(_)) {
            self.anchor(element, range);
        }
        let next = at + 1;
        let end = self.ends[at].filter(|_| kind.is_whole());
        match kind {
            Kind::Fold if !self.is_in_block => {
                self.push(Event::InlineHtml(CowStr::from(element.tag.clone())), range);
            }
            Kind::Fold => {
                let is_plain = matches!(name, "details" | "summary");
                let tag = if is_plain {
                    format!("<{name}>")
                } else {
                    element.tag.clone()
                };
                self.html_block(tag, range);
                self.open(kind, name, None, range);
            }
            Kind::Strong if end.is_some() => self.open_line(kind, name, Tag::Strong, range),
            Kind::Emphasis if end.is_some() => self.open_line(kind, name, Tag::Emphasis, range),
            Kind::Strikethrough if end.is_some() => self.open_line(kind, name, Tag::Strikethrough, range),
            Kind::Line if end.is_some() => {
                self.begin_line(range);
                let title = element.get("title").filter(|_| name == "abbr");
                let title = title.map_or_else(String::new, |title| format!(" title=\"{}\"", escaped(title)));
                self.push(Event::InlineHtml(CowStr::from(format!("<{name}{title}>"))), range);
            }
            Kind::Code => {
                if let Some((code, end)) = end.and_then(|end| Some((plain(&tokens[next..end])?, end))) {
                    self.begin_line(range);
                    self.push(Event::Code(CowStr::from(code)), range);
                    return end + 1;
                }
            }
            Kind::Link => {
                let has_links = |end: usize| tokens[next..end].iter().any(|(token, _)| is_link(token));
                if let (Some(address), Some(end)) = (element.get("href"), end)
                    && !has_links(end)
                {
                    self.open_line(kind, name, link(address, element.get("title")), range);
                }
            }
            Kind::Style if name == "picture" => self.theme_pictures = Default::default(),
            Kind::Style if name == "source" => {
                let media = element.get("media").unwrap_or_default();
                let address = element
                    .get("srcset")
                    .and_then(|set| set.split_whitespace().next());
                for (picture, theme) in self.theme_pictures.iter_mut().zip(THEMES) {
                    if media.contains("prefers-color-scheme") && media.contains(theme) {
                        *picture = address.map(|address| address.trim_end_matches(',').to_owned());
                    }
                }
            }
            Kind::Image => {
                let pictures = std::mem::take(&mut self.theme_pictures);
                if let Some(address) = element.get("src") {
                    if pictures.iter().all(Option::is_none) {
                        self.image(address, element, range);
                        return next;
                    }
                    for (picture, theme) in pictures.iter().zip(THEMES) {
                        let picture = picture.as_deref().unwrap_or(address);
                        self.image(&format!("{picture}#only-{theme}"), element, range);
                    }
                }
            }
            Kind::Break if self.is_in_line() => self.push(Event::HardBreak, range),
            Kind::Rule if self.is_in_block => self.push(Event::Rule, range),
            Kind::Heading(level) if self.is_in_block && end.is_some() => {
                let id = element.get("id").map(|id| CowStr::from(id.to_owned()));
                let tag = Tag::Heading {
                    level,
                    id,
                    classes: Vec::new(),
                    attrs: Vec::new(),
                };
                self.open(kind, name, Some(tag), range);
            }
            Kind::Quote if self.is_in_block => self.open(kind, name, Some(Tag::BlockQuote(None)), range),
            Kind::List if self.is_in_block => {
                let first = element.get("start").and_then(|first| first.parse().ok());
                let first = (name == "ol").then(|| first.unwrap_or(1));
                self.open(kind, name, Some(Tag::List(first)), range);
            }
            Kind::Item if self.is_in_block => {
                if let Some(list) = self.find(|open| open.kind == Kind::List) {
                    self.close_from(list + 1);
                    self.open(kind, name, Some(Tag::Item), range);
                }
            }
            Kind::Table if self.is_in_block => self.open(kind, name, Some(Tag::Table(Vec::new())), range),
            Kind::Row if self.is_in_block => self.row(is_head(&tokens[next..]), range),
            Kind::Cell if self.is_in_block => {
                if self.find(|open| open.kind == Kind::Row) < self.find(|open| open.kind == Kind::Table) {
                    self.row(false, range);
                }
                if let Some(row) = self.find(|open| open.kind == Kind::Row) {
                    self.close_from(row + 1);
                    self.open(kind, name, Some(Tag::TableCell), range);
                }
            }
            Kind::Preformatted if self.is_in_block => {
                if let Some((code, end)) = end.and_then(|end| Some((plain(&tokens[next..end])?, end))) {
                    let code = code.strip_prefix('\n').unwrap_or(&code).trim_end().to_owned() + "\n";
                    let kind = match is_diagram {
                        true => CodeBlockKind::Fenced(CowStr::from(diagram::LANGUAGE)),
                        false => CodeBlockKind::Indented,
                    };
                    self.push(Event::Start(Tag::CodeBlock(kind)), range);
                    self.push(Event::Text(CowStr::from(code)), range);
                    self.push(Event::End(TagEnd::CodeBlock), range);
                    return end + 1;
                }
            }
            Kind::Caption => {
                let text = end.and_then(|end| plain(&tokens[next..end]));
                if let (Some(text), Some(end)) = (text, end)
                    && let Some((Event::Start(Tag::Table(_)), _)) = self.elements.events.last()
                    && let Some(table) = self.elements.events.pop()
                {
                    self.push(Event::Start(Tag::Paragraph), range);
                    self.push(Event::Text(CowStr::from(text.trim().to_owned())), range);
                    self.push(Event::End(TagEnd::Paragraph), range);
                    self.elements.events.push(table);
                    return end + 1;
                }
            }
            Kind::Medium => {
                let inner = &tokens[next..end.unwrap_or(next)];
                let source = inner.iter().find_map(|(token, _)| match token {
                    Token::Open(inner) if inner.name == "source" => inner.get("src"),
                    _ => None,
                });
                if let Some(address) = element.get("src").or(source) {
                    self.begin_line(range);
                    let title = element.get("title").unwrap_or(address).to_owned();
                    self.push(Event::Start(link(address, None)), range);
                    self.push(Event::Text(CowStr::from(title)), range);
                    self.push(Event::End(TagEnd::Link), range);
                }
                self.elements.left_out.push((range.start, name.to_owned()));
                return end.map_or(next, |end| end + 1);
            }
            Kind::Nothing => {
                self.elements.left_out.push((range.start, name.to_owned()));
                return end.map_or_else(|| run_end(tokens, next), |end| end + 1);
            }
            // As VitePress and Starlight have it.
            Kind::Unknown if name == "Badge" && element.get("text").is_some() => {
                let text = element.get("text").unwrap_or_default().to_owned();
                self.begin_line(range);
                self.push(Event::InlineHtml(CowStr::from("<sup>")), range);
                self.push(Event::Text(CowStr::from(text)), range);
                self.push(Event::InlineHtml(CowStr::from("</sup>")), range);
            }
            Kind::Unknown if name == components::PAGES_BELOW && self.is_in_block => {
                self.part(range);
                self.html_block(PAGES_BELOW.to_owned(), range);
                self.elements.lists_pages = true;
            }
            Kind::Unknown => {
                self.elements.components.insert(name.to_owned());
            }
            _ => {}
        }
        next
    }

    fn open_line(&mut self, kind: Kind, name: &str, tag: Tag<'a>, range: &Range<usize>) {
        self.begin_line(range);
        self.open(kind, name, Some(tag), range);
    }

    fn image(&mut self, address: &str, element: &Element, range: &Range<usize>) {
        self.begin_line(range);
        let width = element.get("width").map(|width| width.trim_end_matches("px"));
        if let Some(width) = width
            .and_then(|width| width.parse().ok())
            .filter(|width| *width > 0)
        {
            self.elements.widths.insert(self.images, width);
        }
        self.images += 1;
        let tag = Tag::Image {
            link_type: LinkType::Autolink,
            dest_url: CowStr::from(address.to_owned()),
            title: CowStr::from(element.get("title").unwrap_or_default().to_owned()),
            id: CowStr::Borrowed(""),
        };
        self.push(Event::Start(tag), range);
        if let Some(text) = element.get("alt") {
            self.push(Event::Text(CowStr::from(text.to_owned())), range);
        }
        self.push(Event::End(TagEnd::Image), range);
    }

    /// The place that an id names.
    fn anchor(&mut self, element: &Element, range: &Range<usize>) {
        let name = || element.get("name").filter(|_| element.name == "a");
        if let Some(id) = element.get("id").or_else(name).filter(|id| is_id(id)) {
            let is_part = matches!(kind(&element.name), Kind::Item | Kind::Row | Kind::Cell);
            if is_part || self.holds_parts_alone() {
                self.waiting.push((range.start, id.to_owned()));
            } else {
                self.put_anchor(range.start, id.to_owned(), range);
            }
        }
    }

    fn put_anchor(&mut self, place: usize, id: String, range: &Range<usize>) {
        self.elements.anchors.push(id);
        self.push(
            Event::InlineHtml(CowStr::Borrowed("")),
            &(place..range.end.max(place)),
        );
    }
}

/// One space for many, and one end of a line where they hold one.
fn with_single_spaces(text: &str) -> String {
    let mut single = String::with_capacity(text.len());
    let mut spaces: Option<bool> = None;
    for c in text.chars() {
        if c.is_ascii_whitespace() {
            spaces = Some(spaces.unwrap_or_default() || c == '\n');
            continue;
        }
        if let Some(has_line_end) = spaces.take() {
            single.push(if has_line_end { '\n' } else { ' ' });
        }
        single.push(c);
    }
    if let Some(has_line_end) = spaces {
        single.push(if has_line_end { '\n' } else { ' ' });
    }
    single
}

fn link<'a>(address: &str, title: Option<&str>) -> Tag<'a> {
    Tag::Link {
        // As with those, nothing of it is written in brackets.
        link_type: LinkType::Autolink,
        dest_url: CowStr::from(address.to_owned()),
        title: CowStr::from(title.unwrap_or_default().to_owned()),
        id: CowStr::Borrowed(""),
    }
}
