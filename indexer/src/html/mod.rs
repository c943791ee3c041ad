//! Events to HTML. What is written here is all that a page's body can hold: there is no way for markup of an author
//! to pass other than through [`raw_html`].

mod diagram;
mod escape;
mod highlight;
mod lines;
mod math;
mod tabs;

use std::collections::HashMap;
use std::ops::Range;

use pulldown_cmark::{Alignment, BlockQuoteKind, CowStr, Event, Tag, TagEnd};

use crate::diagnostic::Diagnostic;
use crate::front_matter::Schema;
use crate::links::{Link, Target};
use crate::markdown::diagram::LANGUAGE as DIAGRAM;
use crate::markdown::fence::{self, Info};
use crate::markdown::raw_html::{self, Piece};
use crate::markdown::{self, AlertTitle, Document, Heading, titles};
use crate::notebook;
use crate::source::Source;
use crate::words::Words;
pub(crate) use escape::{escaped, push_content, push_escaped};
pub(crate) use highlight::CodeRenderer;
use math::Rendered;
use tabs::Tabs;

/// What stands in the body of a page for the list of the pages below it. No author can write it: comments are left out.
pub(crate) const PAGES_BELOW: &str = "<!--:pages-->";

/// What a page is rendered with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context<'a> {
    pub(crate) source: &'a Source,
    pub(crate) schema: Schema,
    /// The path under which the site is served; ends with a slash.
    pub(crate) base: &'a str,
    /// The title of the page, for labels.
    pub(crate) title: &'a str,
    /// The links and images, in the order of the page.
    pub(crate) links: &'a [Link],
    /// Those that stand around the text.
    pub(crate) words: &'a Words,
    /// Whether lines of code have numbers where a block does not say otherwise.
    pub(crate) has_line_numbers: bool,
}

/// How the head of a table begins.
const TABLE_HEAD: &str = "<thead>\n<tr>";

/// Renders the body of a page below its title.
pub(crate) fn render(
    document: &Document<'_>,
    context: Context<'_>,
    code_renderer: &mut CodeRenderer,
) -> (String, Vec<Diagnostic>) {
    let mut renderer = Renderer {
        context,
        code_renderer,
        alert_titles: &document.alert_titles,
        anchors: document.anchors.iter(),
        images: 0,
        widths: &document.widths,
        headings: document.headings.iter(),
        fences: document.fences.iter(),
        links: context.links.iter(),
        html: String::new(),
        problems: Vec::new(),
        open_links: Vec::new(),
        top: document.title.as_ref().and_then(|title| title.id.as_deref()),
        image: None,
        raw_tags: Vec::new(),
        tabs: Tabs::default(),
        depth: 0,
        heading: None,
        label: context.title.to_owned(),
        tables: 0,
        table_bodies: Vec::new(),
        alignments: Vec::new(),
        column: 0,
        in_table_head: false,
        in_formula_block: false,
        footnotes: Footnotes::default(),
        code: None,
        code_start: 0,
        diagrams: 0,
    };
    let title_events = document.title.as_ref().map_or(0..0, |title| title.events.clone());
    for (index, (event, range)) in document.events.iter().enumerate() {
        if title_events.contains(&index) {
            renderer.pass(event);
            continue;
        }
        renderer.in_formula_block |= is_formula_block(&document.events[index..]);
        renderer.event(index, event, range);
    }
    renderer.finish()
}

/// True before a paragraph that is one formula: it becomes a block, and not a paragraph around a block.
fn is_formula_block(events: &[(Event<'_>, Range<usize>)]) -> bool {
    matches!(
        events,
        [
            (Event::Start(Tag::Paragraph), _),
            (Event::DisplayMath(_), _),
            (Event::End(TagEnd::Paragraph), _),
            ..
        ]
    )
}

struct Renderer<'a, 'd> {
    context: Context<'a>,
    code_renderer: &'a mut CodeRenderer,
    alert_titles: &'d HashMap<usize, AlertTitle>,
    anchors: std::slice::Iter<'d, Option<String>>,
    /// How many there have been.
    images: usize,
    widths: &'d HashMap<usize, u32>,
    headings: std::slice::Iter<'d, Heading>,
    fences: std::slice::Iter<'d, Info>,
    links: std::slice::Iter<'a, Link>,
    html: String,
    problems: Vec<Diagnostic>,
    /// For each open link, whether an `<a>` was written.
    open_links: Vec<bool>,
    /// The id by which links of this page lead to its title.
    top: Option<&'d str>,
    /// Inside of an image, nothing is written but its text.
    image: Option<usize>,
    /// Raw tags that wait for their end, with the depth at which they stand and their place.
    raw_tags: Vec<(&'static str, usize, usize)>,
    tabs: Tabs,
    depth: usize,
    heading: Option<&'d Heading>,
    /// What the last heading said, as the label of what follows.
    label: String,
    tables: usize,
    /// For each open table, whether its body has begun.
    table_bodies: Vec<bool>,
    alignments: Vec<Alignment>,
    column: usize,
    in_table_head: bool,
    /// In a paragraph that is one formula.
    in_formula_block: bool,
    footnotes: Footnotes,
    /// The code block that is open.
    code: Option<&'d Info>,
    /// Where its HTML begins.
    code_start: usize,
    /// Diagrams that were drawn.
    diagrams: usize,
}

#[derive(Default)]
struct Footnotes {
    /// Labels in the order of their first reference, with the number of references.
    order: Vec<(String, usize)>,
    numbers: HashMap<String, usize>,
    /// The HTML of the definitions.
    definitions: HashMap<String, String>,
    /// What was written before the definition that is open, its label and its place.
    open: Vec<(String, String, usize)>,
    places: HashMap<String, usize>,
}

impl Footnotes {
    fn number(&mut self, label: &str) -> usize {
        if let Some(number) = self.numbers.get(label) {
            return *number;
        }
        self.order.push((label.to_owned(), 0));
        self.numbers.insert(label.to_owned(), self.order.len());
        self.order.len()
    }
}

impl<'a, 'd> Renderer<'a, 'd> {
    fn event(&mut self, index: usize, event: &Event<'_>, range: &Range<usize>) {
        if let Some(depth) = self.image {
            match event {
                Event::Start(_) => self.image = Some(depth + 1),
                Event::End(_) => self.image = (depth > 1).then(|| depth - 1),
                _ => {}
            }
            self.pass(event);
            return;
        }
        match event {
            Event::Start(tag) => {
                self.start(index, tag, range);
                // An image ends by itself.
                if !matches!(tag, Tag::HtmlBlock | Tag::Image { .. }) {
                    self.depth += 1;
                }
            }
            Event::End(tag) => {
                if !matches!(tag, TagEnd::HtmlBlock) {
                    self.close_raw_tags(self.depth);
                    self.depth -= 1;
                }
                self.end(*tag);
            }
            Event::Text(text) => self.text(text, range),
            Event::Code(code) => self.element("code", code),
            Event::InlineMath(formula) => self.math(formula, range, false),
            Event::DisplayMath(formula) => self.math(formula, range, true),
            Event::Html(html) if **html == *markdown::PAGES_BELOW => self.html.push_str(PAGES_BELOW),
            Event::Html(html) => self.html_block(html, range),
            Event::InlineHtml(html) if html.is_empty() => self.anchor(),
            Event::InlineHtml(html) => self.raw_html(html, range, false),
            Event::FootnoteReference(label) => self.footnote_reference(label),
            Event::SoftBreak => self.html.push('\n'),
            Event::HardBreak => self.html.push_str("<br>\n"),
            Event::Rule => self.html.push_str("<hr>\n"),
            Event::TaskListMarker(done) => {
                let (checked, label) = if *done {
                    (" checked", "Done")
                } else {
                    ("", "To do")
                };
                let label = escaped(self.context.words.say(label));
                self.html.push_str(&format!(
                    "<input type=\"checkbox\" disabled{checked} aria-label=\"{label}\"> "
                ));
            }
        }
    }

    fn start(&mut self, index: usize, tag: &Tag<'_>, range: &Range<usize>) {
        match tag {
            Tag::Paragraph if self.in_formula_block => {
                // It scrolls sideways where the window is narrow, so that the keyboard must be able to reach it.
                self.html.push_str("<div class=\"math-block\" tabindex=\"0\">");
            }
            Tag::Paragraph => self.html.push_str("<p>"),
            Tag::Heading { .. } => {
                let heading = self
                    .headings
                    .next()
                    .expect("the document lists every heading below the title");
                debug_assert_eq!(heading.event, index);
                self.label.clone_from(&heading.text);
                self.html
                    .push_str(&format!("<h{} id=\"{}\">", heading.level, escaped(&heading.id)));
                if heading.is_linkable {
                    self.html.push_str("<a href=\"#");
                    push_encoded(&mut self.html, &heading.id);
                    self.html.push_str("\">");
                }
                self.heading = Some(heading);
            }
            Tag::BlockQuote(None) => self.html.push_str("<blockquote>\n"),
            Tag::BlockQuote(Some(kind)) => {
                let (class, own_title) = match kind {
                    BlockQuoteKind::Note => ("note", "Note"),
                    BlockQuoteKind::Tip => ("tip", "Tip"),
                    BlockQuoteKind::Important => ("important", "Important"),
                    BlockQuoteKind::Warning => ("warning", "Warning"),
                    BlockQuoteKind::Caution => ("caution", "Caution"),
                };
                let title = self.alert_titles.get(&index);
                let title = title.map_or(own_title, |title| &title.text);
                let title = titles::html(self.context.words.title(title));
                self.html.push_str(&format!(
                    "<div class=\"alert alert-{class}\" role=\"note\"><p class=\"alert-title\">{title}</p>\n"
                ));
            }
            Tag::CodeBlock(_) => self.start_code(),
            Tag::List(None) => self.html.push_str("<ul>\n"),
            Tag::List(Some(1)) => self.html.push_str("<ol>\n"),
            Tag::List(Some(first)) => self.html.push_str(&format!("<ol start=\"{first}\">\n")),
            Tag::Item => self.html.push_str("<li>"),
            Tag::DefinitionList => self.html.push_str("<dl>\n"),
            Tag::DefinitionListTitle => self.html.push_str("<dt>"),
            Tag::DefinitionListDefinition => self.html.push_str("<dd>"),
            Tag::FootnoteDefinition(label) => {
                let before = std::mem::take(&mut self.html);
                self.footnotes.open.push((before, label.to_string(), range.start));
            }
            Tag::Table(alignments) => {
                self.tables += 1;
                self.table_bodies.push(false);
                self.alignments.clone_from(alignments);
                let number = self.tables.to_string();
                let values = [("number", number.as_str()), ("title", &self.label)];
                let label = escaped(&self.context.words.fill("Table {number}: {title}", &values));
                self.html.push_str(&format!(
                    "<div class=\"table-scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{label}\"><table>\n"
                ));
            }
            Tag::TableHead => {
                self.in_table_head = true;
                self.column = 0;
                self.html.push_str(TABLE_HEAD);
            }
            Tag::TableRow => {
                self.column = 0;
                if let Some(has_body @ false) = self.table_bodies.last_mut() {
                    *has_body = true;
                    self.html.push_str("<tbody>\n");
                }
                self.html.push_str("<tr>");
            }
            Tag::TableCell => {
                let class = match self.alignments.get(self.column) {
                    Some(Alignment::Left) => " class=\"left\"",
                    Some(Alignment::Center) => " class=\"center\"",
                    Some(Alignment::Right) => " class=\"right\"",
                    _ => "",
                };
                let cell = if self.in_table_head {
                    "th scope=\"col\""
                } else {
                    "td"
                };
                self.html.push_str(&format!("<{cell}{class}>"));
            }
            Tag::Emphasis => self.html.push_str("<em>"),
            Tag::Strong => self.html.push_str("<strong>"),
            Tag::Strikethrough => self.html.push_str("<del>"),
            Tag::Link { title, .. } => self.start_link(title),
            Tag::Image { title, .. } => self.image(title),
            // Extensions that are switched off; their content is shown without markup of its own.
            Tag::HtmlBlock | Tag::Superscript | Tag::Subscript | Tag::MetadataBlock(_) => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph if self.in_formula_block => {
                self.in_formula_block = false;
                self.html.push_str("</div>\n");
            }
            TagEnd::Paragraph => self.html.push_str("</p>\n"),
            TagEnd::Heading(_) => {
                if let Some(heading) = self.heading.take() {
                    let link_end = if heading.is_linkable { "</a>" } else { "" };
                    let id = escaped(&heading.id);
                    let start = format!("<h{} id=\"{id}\">", heading.level);
                    // Without a text, such as a comment for another program, it is a place to link to.
                    if heading.text.is_empty() && self.html.ends_with(&start) {
                        self.html.truncate(self.html.len() - start.len());
                        self.html.push_str(&format!("<span id=\"{id}\"></span>\n"));
                    } else {
                        self.html.push_str(&format!("{link_end}</h{}>\n", heading.level));
                    }
                }
            }
            TagEnd::BlockQuote(None) => self.html.push_str("</blockquote>\n"),
            TagEnd::BlockQuote(Some(_)) => self.html.push_str("</div>\n"),
            // It was drawn, which closes it.
            TagEnd::CodeBlock if self.code.is_none() => {}
            TagEnd::CodeBlock => {
                let has_title = self.code.take().is_some_and(|info| info.get("title").is_some());
                let element = if has_title { "figure" } else { "div" };
                self.html.push_str(&format!("</code></pre></{element}>\n"));
            }
            TagEnd::List(true) => self.html.push_str("</ol>\n"),
            TagEnd::List(false) => self.html.push_str("</ul>\n"),
            TagEnd::Item => self.html.push_str("</li>\n"),
            TagEnd::DefinitionList => self.html.push_str("</dl>\n"),
            TagEnd::DefinitionListTitle => self.html.push_str("</dt>\n"),
            TagEnd::DefinitionListDefinition => self.html.push_str("</dd>\n"),
            TagEnd::FootnoteDefinition => {
                if let Some((before, label, at)) = self.footnotes.open.pop() {
                    let definition = std::mem::replace(&mut self.html, before);
                    self.footnotes.places.insert(label.clone(), at);
                    self.footnotes.definitions.insert(label, definition);
                }
            }
            TagEnd::Table => {
                let end = match self.table_bodies.pop() {
                    Some(true) => "</tbody></table></div>\n",
                    _ => "</table></div>\n",
                };
                self.html.push_str(end);
            }
            TagEnd::TableHead => {
                self.in_table_head = false;
                self.html.push_str("</tr>\n</thead>\n");
                self.leave_out_empty_head();
            }
            TagEnd::TableRow => self.html.push_str("</tr>\n"),
            TagEnd::TableCell => {
                self.end_cell();
                self.column += 1;
            }
            TagEnd::Emphasis => self.html.push_str("</em>"),
            TagEnd::Strong => self.html.push_str("</strong>"),
            TagEnd::Strikethrough => self.html.push_str("</del>"),
            TagEnd::Link => {
                if self.open_links.pop() == Some(true) {
                    self.html.push_str("</a>");
                }
            }
            TagEnd::Image
            | TagEnd::HtmlBlock
            | TagEnd::Superscript
            | TagEnd::Subscript
            | TagEnd::MetadataBlock(_) => {}
        }
    }

    /// Markdown has no table without a head; one that others have written so has an empty one.
    fn leave_out_empty_head(&mut self) {
        let start = self.html.rfind(TABLE_HEAD).unwrap_or_default();
        let cells = self.html[start..].strip_prefix(TABLE_HEAD).unwrap_or_default();
        if cells.replace("<td></td>", "") == "</tr>\n</thead>\n" {
            self.html.truncate(start);
        }
    }

    /// A header without text names nothing: it is an ordinary cell.
    fn end_cell(&mut self) {
        const HEADER: &str = "<th scope=\"col\"";
        let header = self.in_table_head.then(|| self.html.rfind(HEADER)).flatten();
        match header {
            Some(at) if self.html[at..].find('>') == Some(self.html.len() - at - 1) => {
                self.html.replace_range(at..at + HEADER.len(), "<td");
                self.html.push_str("</td>");
            }
            Some(_) => self.html.push_str("</th>"),
            None => self.html.push_str("</td>"),
        }
    }

    fn text(&mut self, text: &str, range: &Range<usize>) {
        let Some(info) = self.code else {
            push_escaped(&mut self.html, text);
            return;
        };
        if info.language == DIAGRAM && self.diagram(text, info, range) {
            return;
        }
        let start = self.html.len();
        self.code_renderer
            .push(&mut self.html, fence::canonical(&info.language), text);
        let lines = info.marked();
        let is_numbered = self.context.has_line_numbers && info.language != notebook::OUTPUT;
        let otherwise = is_numbered.then_some(1);
        let first_number = info.first_number(otherwise).unwrap_or(None);
        if !lines.is_empty() || first_number.is_some() {
            let shown = text.lines().count();
            if let Some((range_of_lines, _)) = lines.iter().find(|(lines, _)| *lines.end() > shown) {
                let line = range_of_lines.end();
                let noun = if shown == 1 { "line" } else { "lines" };
                self.complain(
                    range.start,
                    format!("`highlight` names line {line}, but the block shows {shown} {noun}"),
                );
            }
            let laid_out = lines::laid_out(&self.html[start..], &lines, first_number);
            self.html.truncate(start);
            self.html.push_str(&laid_out);
        }
    }

    fn element(&mut self, name: &str, text: &str) {
        self.html.push_str(&format!("<{name}>"));
        push_escaped(&mut self.html, text);
        self.html.push_str(&format!("</{name}>"));
    }

    fn start_code(&mut self) {
        let info = self.fences.next().expect("the document lists every code block");
        self.code = Some(info);
        self.code_start = self.html.len();
        let language = escaped(fence::shown(&info.language));
        match info.get("title") {
            Some(title) => self.html.push_str(&format!(
                "<figure class=\"code\" data-lang=\"{language}\"><figcaption>{}</figcaption>",
                escaped(title)
            )),
            None => self
                .html
                .push_str(&format!("<div class=\"code\" data-lang=\"{language}\">")),
        }
        // The block scrolls sideways, so that the keyboard must be able to reach it.
        self.html.push_str("<pre tabindex=\"0\"><code>");
    }

    /// Draws a diagram in the place of the code block that is open. The answer is whether it could be drawn; if not, the code stays.
    fn diagram(&mut self, text: &str, info: &Info, range: &Range<usize>) -> bool {
        match diagram::render(text, self.diagrams + 1, self.context.words.say("Diagram")) {
            Ok(svg) => {
                self.diagrams += 1;
                self.code = None;
                self.html.truncate(self.code_start);
                let caption = info.get("title").map_or(String::new(), |title| {
                    format!("<figcaption>{}</figcaption>", escaped(title))
                });
                // It may be wider than the window, and the keyboard must be able to move it.
                self.html.push_str(&format!(
                    "<figure class=\"diagram\">{caption}<div tabindex=\"0\">{svg}</div></figure>\n"
                ));
                true
            }
            Err(problem) => {
                let message = format!("the diagram cannot be drawn: {}", problem.reason);
                let written = self.context.source.text.get(range.start..).unwrap_or_default();
                let lines = written.split_inclusive('\n').take(problem.line.unwrap_or(0));
                self.complain(range.start + lines.map(str::len).sum::<usize>(), message);
                false
            }
        }
    }

    fn math(&mut self, formula: &CowStr<'_>, range: &Range<usize>, block: bool) {
        match math::render(formula, block) {
            Ok(Rendered { mathml, tag }) => {
                let tag = tag.map_or(String::new(), |tag| {
                    format!("<span class=\"math-tag\">{tag}</span>")
                });
                if block && !self.in_formula_block {
                    self.html.push_str(&format!(
                        "<span class=\"math-block\" tabindex=\"0\">{mathml}{tag}</span>"
                    ));
                } else {
                    self.html.push_str(&mathml);
                    self.html.push_str(&tag);
                }
            }
            Err(reason) => {
                self.complain(range.start, format!("the formula cannot be read: {reason}"));
                // In a foreign folder two dollar signs on one line may well be prices: keep what was written.
                let sign = if block { "$$" } else { "$" };
                self.html.push_str(sign);
                push_escaped(&mut self.html, formula);
                self.html.push_str(sign);
            }
        }
    }

    fn html_block(&mut self, html: &str, range: &Range<usize>) {
        let named = (html == markdown::UNTITLED_DETAILS)
            .then(|| html.replace("Details", &escaped(self.context.words.say("Details"))));
        let html = named.as_deref().unwrap_or(html);
        let pieces = raw_html::pieces(html);
        let is_structure = pieces.iter().any(|(_, piece)| match piece {
            Piece::Open(name, _) | Piece::Close(name) => raw_html::BLOCK.contains(name),
            Piece::OpenTab(_) => true,
            _ => false,
        });
        let is_empty = pieces.iter().all(|(_, piece)| match piece {
            Piece::Comment => true,
            Piece::Text(text) => text.trim().is_empty(),
            _ => false,
        });
        if is_structure || is_empty {
            self.raw_html(html, range, true);
        } else {
            self.html.push_str("<p>");
            self.depth += 1;
            self.raw_html(html.trim_end(), range, true);
            self.close_raw_tags(self.depth);
            self.depth -= 1;
            self.html.push_str("</p>\n");
        }
    }

    fn raw_html(&mut self, html: &str, range: &Range<usize>, is_block: bool) {
        for (at, piece) in raw_html::pieces(html) {
            let place = range.start + at;
            let is_shown_first = matches!(piece, Piece::OpenTab(_));
            let piece = match piece {
                Piece::OpenTab(title) => Piece::Open("tab", Some(title)),
                piece => piece,
            };
            match piece {
                Piece::Comment | Piece::OpenTab(_) => {}
                // Entities are meant as such in raw HTML, and cannot make a tag.
                Piece::Text(text) => self.html.push_str(&text.replace('>', "&gt;")),
                Piece::Open(name, title) => {
                    if raw_html::BLOCK.contains(&name) && !is_block {
                        self.complain(
                            place,
                            format!(
                                "<{name}> starts a block; put it on a line of its own after an empty line"
                            ),
                        );
                        continue;
                    }
                    if name == "summary" && self.raw_tags.last().is_none_or(|(open, ..)| *open != "details") {
                        self.complain(place, "<summary> stands right after <details>".to_owned());
                        continue;
                    }
                    let value = title.map(|title| {
                        // Entities are meant as such.
                        title
                            .replace('"', "&quot;")
                            .replace('<', "&lt;")
                            .replace('>', "&gt;")
                    });
                    match name {
                        "tabs" => self.tabs.start(&mut self.html, value.as_deref()),
                        "tab" => {
                            let is_in_tabs = self
                                .raw_tags
                                .last()
                                .is_some_and(|(open, depth, _)| *open == "tabs" && *depth == self.depth);
                            let Some(title) = value.filter(|title| is_in_tabs && !title.trim().is_empty())
                            else {
                                self.complain(
                                    place,
                                    "a tab stands in <tabs> and has a title: <tab title=\"Linux\">"
                                        .to_owned(),
                                );
                                continue;
                            };
                            if !self.tabs.start_tab(&mut self.html, &title, is_shown_first) {
                                self.complain(place, "this tab and the one before it have something between them; put it into a tab".to_owned());
                            }
                        }
                        _ => {
                            self.html.push('<');
                            self.html.push_str(name);
                            if let Some(title) = value {
                                self.html.push_str(&format!(" title=\"{title}\""));
                            }
                            self.html.push('>');
                        }
                    }
                    if name != "br" {
                        self.raw_tags.push((name, self.depth, place));
                    }
                }
                Piece::Close(name) => self.close_raw_tag(name, place),
                Piece::Refused(tag) => {
                    let name = raw_html::tag_name(tag);
                    let is_known = raw_html::INLINE.contains(&name) || raw_html::BLOCK.contains(&name);
                    let what = if is_known {
                        format!("<{name}> takes no such attribute (abbr and tab take a title, tabs a group)")
                    } else if self.context.schema.is_strict() {
                        let allowed: Vec<&str> =
                            raw_html::INLINE.iter().chain(&raw_html::BLOCK).copied().collect();
                        format!(
                            "raw HTML is refused; write Markdown, or one of the tags {}",
                            allowed.join(", ")
                        )
                    } else {
                        let tag = tag.lines().next().unwrap_or_default();
                        format!(
                            "`{tag}` is no element of HTML and shown as text; write it as code, or `\\<` for the sign"
                        )
                    };
                    self.complain(place, what);
                    push_escaped(&mut self.html, tag);
                }
            }
        }
    }

    fn close_raw_tag(&mut self, name: &'static str, place: usize) {
        let is_partner = |(open, depth, _): &(&str, usize, usize)| *open == name && *depth == self.depth;
        let Some(partner) = self.raw_tags.iter().rposition(is_partner) else {
            self.complain(
                place,
                format!("</{name}> closes nothing here; open <{name}> in the same block"),
            );
            return;
        };
        self.close_unfinished(|count, _| count > partner + 1);
        self.raw_tags.pop();
        self.end_raw_tag(name, place);
    }

    fn end_raw_tag(&mut self, name: &str, place: usize) {
        match name {
            "tabs" => {
                if !self.tabs.end(&mut self.html) {
                    self.complain(
                        place,
                        "<tabs> holds tabs and nothing beside them: <tab title=\"Linux\">".to_owned(),
                    );
                }
            }
            "tab" => self.tabs.end_tab(&mut self.html),
            _ => self.html.push_str(&format!("</{name}>")),
        }
    }

    fn close_raw_tags(&mut self, depth: usize) {
        self.close_unfinished(|_, open_depth| open_depth >= depth);
    }

    /// Closes the raw tags that were opened last, while `is_unfinished` (their number, the depth of the last one).
    fn close_unfinished(&mut self, is_unfinished: impl Fn(usize, usize) -> bool) {
        while let Some(&(name, depth, place)) = self.raw_tags.last()
            && is_unfinished(self.raw_tags.len(), depth)
        {
            self.raw_tags.pop();
            self.complain(
                place,
                format!("<{name}> is not closed in the same block; add </{name}>"),
            );
            self.end_raw_tag(name, place);
        }
    }

    fn start_link(&mut self, title: &str) {
        let link = self.links.next().expect("every link was collected");
        // An address in the text of a link is no link of its own.
        let is_outer = !self.open_links.contains(&true);
        let Some(target) = link.target.as_ref().filter(|_| is_outer) else {
            self.open_links.push(false);
            return;
        };
        self.open_links.push(true);
        self.html.push_str("<a href=\"");
        match target {
            // Where other generators have the title, which has no id here: at the top of the page.
            Target::Page {
                path,
                anchor: Some(anchor),
                ..
            } if path.is_empty() && self.top == Some(anchor) => self.html.push('#'),
            _ => push_address(&mut self.html, target, self.context.base),
        }
        self.html.push('"');
        if !title.is_empty() {
            self.html.push_str(" title=\"");
            push_escaped(&mut self.html, title);
            self.html.push('"');
        }
        self.html.push('>');
    }

    /// Counts what is not shown.
    fn pass(&mut self, event: &Event<'_>) {
        match event {
            Event::Start(Tag::Link { .. }) => {
                self.links.next();
            }
            Event::Start(Tag::Image { .. }) => {
                self.links.next();
                self.images += 1;
            }
            Event::InlineHtml(html) if html.is_empty() => {
                self.anchors.next();
            }
            _ => {}
        }
    }

    /// The place that an id names.
    fn anchor(&mut self) {
        if let Some(id) = self.anchors.next().expect("every anchor was collected") {
            self.html
                .push_str(&format!("<span id=\"{}\"></span>", escaped(id)));
        }
    }

    fn image(&mut self, title: &str) {
        // The depth at which the image's own end event stands.
        self.image = Some(1);
        let link = self.links.next().expect("every image was collected");
        let wanted = self.widths.get(&self.images).copied();
        self.images += 1;
        let Some(target) = &link.target else {
            push_escaped(&mut self.html, &link.text);
            return;
        };
        self.html.push_str("<img src=\"");
        push_address(&mut self.html, target, self.context.base);
        self.html.push_str("\" alt=\"");
        push_escaped(&mut self.html, &link.text);
        self.html.push('"');
        let own = match target {
            Target::Asset(asset) => asset.size,
            _ => None,
        };
        match (own, wanted) {
            (Some((width, height)), None) => {
                self.html
                    .push_str(&format!(" width=\"{width}\" height=\"{height}\""));
            }
            (Some((width, height)), Some(wanted)) if width > 0 => {
                let height = (f64::from(wanted) * height as f64 / width as f64).round();
                self.html
                    .push_str(&format!(" width=\"{wanted}\" height=\"{height}\""));
            }
            (_, Some(wanted)) => self.html.push_str(&format!(" width=\"{wanted}\"")),
            (None, None) => {}
        }
        if !title.is_empty() {
            self.html.push_str(" title=\"");
            push_escaped(&mut self.html, title);
            self.html.push('"');
        }
        if let Some(theme) = link.theme {
            self.html.push_str(&format!(" data-only=\"{}\"", theme.name()));
        }
        self.html.push_str(" loading=\"lazy\" decoding=\"async\">");
    }

    fn footnote_reference(&mut self, label: &str) {
        let number = self.footnotes.number(label);
        let references = &mut self.footnotes.order[number - 1].1;
        *references += 1;
        let id = if *references == 1 {
            format!("footnote-{number}-ref")
        } else {
            format!("footnote-{number}-ref-{references}")
        };
        let label = self.numbered("Footnote {number}", number);
        self.html.push_str(&format!(
            "<sup><a class=\"footnote-ref\" id=\"{id}\" href=\"#footnote-{number}\" aria-label=\"{label}\">{number}</a></sup>"
        ));
    }

    /// Words with a number in them.
    fn numbered(&self, words: &str, number: usize) -> String {
        let number = number.to_string();
        escaped(&self.context.words.fill(words, &[("number", &number)]))
    }

    /// An error in our content, a warning elsewhere.
    fn complain(&mut self, at: usize, message: String) {
        let source = self.context.source;
        self.problems.push(if self.context.schema.is_strict() {
            Diagnostic::error(source, at, message)
        } else {
            Diagnostic::warning(source, at, message)
        });
    }

    fn finish(mut self) -> (String, Vec<Diagnostic>) {
        self.close_raw_tags(0);
        let mut unused: Vec<(String, usize)> = self
            .footnotes
            .places
            .drain()
            .filter(|(label, _)| !self.footnotes.numbers.contains_key(label))
            .collect();
        unused.sort_by_key(|(_, at)| *at);
        for (label, at) in unused {
            self.complain(
                at,
                format!(
                    "nothing refers to the footnote `{label}`; write `[^{label}]` in the text or remove it"
                ),
            );
        }
        if !self.footnotes.order.is_empty() {
            let label = escaped(self.context.words.say("Footnotes"));
            self.html.push_str(&format!(
                "<section class=\"footnotes\" aria-label=\"{label}\"><ol>\n"
            ));
            for (index, (label, _)) in self.footnotes.order.iter().enumerate() {
                let number = index + 1;
                let definition = self
                    .footnotes
                    .definitions
                    .get(label)
                    .map_or("", |html| html.trim_end());
                let label = self.numbered("Back to reference {number}", number);
                let back = format!(
                    " <a class=\"footnote-back\" href=\"#footnote-{number}-ref\" aria-label=\"{label}\">↩</a>"
                );
                let body = match definition.strip_suffix("</p>") {
                    Some(definition) => format!("{definition}{back}</p>"),
                    None => format!("{definition}{back}"),
                };
                self.html
                    .push_str(&format!("<li id=\"footnote-{number}\">{body}</li>\n"));
            }
            self.html.push_str("</ol></section>\n");
        }
        (self.html, self.problems)
    }
}

/// The address of a target, for an attribute in double quotes once `&` is escaped there.
pub(crate) fn address_of(target: &Target, base: &str) -> String {
    let mut html = String::new();
    push_address(&mut html, target, base);
    html.replace("&amp;", "&")
}

fn push_address(html: &mut String, target: &Target, base: &str) {
    match target {
        Target::External(address) => push_encoded(html, address),
        Target::Asset(asset) => {
            push_encoded(html, base);
            push_encoded(html, &asset.output);
        }
        Target::Other(path) => {
            push_encoded(html, base.trim_end_matches('/'));
            push_encoded(html, path);
        }
        Target::Unknown(address) => {
            if address.starts_with('/') {
                push_encoded(html, base.trim_end_matches('/'));
            }
            push_encoded(html, address);
        }
        Target::Page {
            path, suffix, anchor, ..
        } => {
            if !path.is_empty() {
                push_encoded(html, base.trim_end_matches('/'));
                push_encoded(html, path);
            }
            push_encoded(html, suffix);
            if let Some(anchor) = anchor {
                html.push('#');
                push_encoded(html, anchor);
            }
        }
    }
}

/// Appends an address for an attribute in double quotes. What is percent-encoded already stays as it is.
fn push_encoded(html: &mut String, address: &str) {
    for byte in address.bytes() {
        match byte {
            b'&' => html.push_str("&amp;"),
            b'\'' => html.push_str("%27"),
            b'"' | b'<' | b'>' | b'\\' | b'`' | b'{' | b'}' | b'|' | b'^' | b' ' => {
                html.push_str(&format!("%{byte:02X}"))
            }
            byte if byte.is_ascii_graphic() => html.push(char::from(byte)),
            byte => html.push_str(&format!("%{byte:02X}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::config::Config;
    use crate::links::{Surroundings, collect};
    use crate::markdown::Reading;
    use crate::source::Files;

    /// The HTML of a page, and below it what is wrong with it.
    fn rendered(markdown: &str, schema: Schema) -> String {
        let source = Source::new("a.md", "a.md", markdown);
        let sources = [source];
        let mut config = Config::default();
        config.content.schema = schema;
        let reading = Reading {
            schema,
            ..Reading::default()
        };
        let (routes, _) = crate::routes::routes(&sources, &config, &sources[0]);
        let files = Files::new(Path::new("."), []);
        let (document, mut problems) = crate::markdown::parse(&sources[0], 0, reading);
        let surroundings = Surroundings {
            routes: &routes,
            files: &files,
            content: &config.content,
        };
        let (links, found) = collect(&document, &sources[0], 0, &[], surroundings);
        problems.extend(found);
        let context = Context {
            source: &sources[0],
            schema,
            base: "/base/",
            title: "Page",
            links: &links,
            words: &Words::default(),
            has_line_numbers: false,
        };
        let (html, found) = render(&document, context, &mut CodeRenderer::new());
        problems.extend(found);
        let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
        format!("{html}{}", problems.join("\n"))
    }

    #[test]
    fn the_title_is_not_part_of_the_body() {
        insta::assert_snapshot!(rendered("# The [title](#x)\n\n## A `b` {#x}\n\n[c](#x)\n", Schema::Siftwren), @r##"
        <h2 id="x"><a href="#x">A <code>b</code></a></h2>
        <p><a href="#x">c</a></p>
        "##);
    }

    #[test]
    fn a_link_to_the_title_leads_to_the_top_of_the_page() {
        let html = rendered(
            "# The title\n\n[up](#the-title) [b](#b)\n\n## B\n",
            Schema::Foreign,
        );
        assert!(
            html.contains("<a href=\"#\">up</a> <a href=\"#b\">b</a>"),
            "{html}"
        );
        let html = rendered(
            "# The title\n\n[down](#the-title)\n\n## The title\n",
            Schema::Foreign,
        );
        assert!(html.contains("<a href=\"#the-title\">down</a>"), "{html}");
        let html = rendered("# The title {#top}\n\n[up](#top)\n", Schema::Foreign);
        assert!(html.contains("<a href=\"#\">up</a>"), "{html}");
    }

    #[test]
    fn tables_scroll_and_have_labels() {
        insta::assert_snapshot!(rendered("| a | b |\n|:--|--:|\n| 1 | ~~2~~ |\n", Schema::Siftwren), @r#"
        <div class="table-scroll" tabindex="0" role="region" aria-label="Table 1: Page"><table>
        <thead>
        <tr><th scope="col" class="left">a</th><th scope="col" class="right">b</th></tr>
        </thead>
        <tbody>
        <tr><td class="left">1</td><td class="right"><del>2</del></td></tr>
        </tbody></table></div>
        "#);
    }

    #[test]
    fn a_header_without_text_is_an_ordinary_cell() {
        let html = rendered("| | b |\n|---|---|\n| 1 | 2 |\n", Schema::Siftwren);
        assert!(
            html.contains("<tr><td></td><th scope=\"col\">b</th></tr>"),
            "{html}"
        );
    }

    #[test]
    fn task_lists_have_boxes() {
        insta::assert_snapshot!(rendered("- [x] a\n- [ ] b\n", Schema::Siftwren), @r#"
        <ul>
        <li><input type="checkbox" disabled checked aria-label="Done"> a</li>
        <li><input type="checkbox" disabled aria-label="To do"> b</li>
        </ul>
        "#);
    }

    #[test]
    fn footnotes_stand_at_the_end_and_lead_back() {
        insta::assert_snapshot!(rendered("a[^n] b[^n]\n\n[^n]: Note.\n\n[^m]: Unused.\n", Schema::Siftwren), @r##"
        <p>a<sup><a class="footnote-ref" id="footnote-1-ref" href="#footnote-1" aria-label="Footnote 1">1</a></sup> b<sup><a class="footnote-ref" id="footnote-1-ref-2" href="#footnote-1" aria-label="Footnote 1">1</a></sup></p>
        <section class="footnotes" aria-label="Footnotes"><ol>
        <li id="footnote-1"><p>Note. <a class="footnote-back" href="#footnote-1-ref" aria-label="Back to reference 1">↩</a></p></li>
        </ol></section>
        a.md:5:1: nothing refers to the footnote `m`; write `[^m]` in the text or remove it
        "##);
    }

    #[test]
    fn alerts_have_a_title() {
        insta::assert_snapshot!(rendered("> [!WARNING]\n> a *b*\n\n> c\n", Schema::Siftwren), @r#"
        <div class="alert alert-warning" role="note"><p class="alert-title">Warning</p>
        <p>a <em>b</em></p>
        </div>
        <blockquote>
        <p>c</p>
        </blockquote>
        "#);
    }

    #[test]
    fn containers_are_alerts_wherever_they_stand() {
        insta::assert_snapshot!(rendered(
            ":::note\n- a\n:::\nb\n\n::: info A `b` & <c> {.x}\nc\n:::\n\n1. d\n\n   :::danger[E]\n   f\n   :::\n\n2. g\n",
            Schema::Siftwren
        ), @r##"
        <div class="alert alert-note" role="note"><p class="alert-title">Note</p>
        <ul>
        <li>a</li>
        </ul>
        </div>
        <p>b</p>
        <div class="alert alert-note" role="note"><p class="alert-title">A <code>b</code> &amp; &lt;c&gt;</p>
        <p>c</p>
        </div>
        <ol>
        <li><p>d</p>
        <div class="alert alert-caution" role="note"><p class="alert-title">E</p>
        <p>f</p>
        </div>
        </li>
        <li><p>g</p>
        </li>
        </ol>
        "##);
        insta::assert_snapshot!(rendered(
            "::::tip\n:::warning\na\n:::\n\n::: details <B>\n```bash\n:::\n```\n:::\n::::\n",
            Schema::Siftwren
        ), @r##"
        <div class="alert alert-tip" role="note"><p class="alert-title">Tip</p>
        <div class="alert alert-warning" role="note"><p class="alert-title">Warning</p>
        <p>a</p>
        </div>
        <details><summary>&lt;B&gt;</summary><div class="code" data-lang="bash"><pre tabindex="0"><code><span class="h-f">:::</span>
        </code></pre></div>
        </details></div>
        "##);
    }

    #[test]
    fn marks_of_containers_that_fit_nothing_are_named() {
        insta::assert_snapshot!(rendered(
            "- a\n\n  :::tip\n  b\n\nc\n\n:::\n\n:::steps\nd\n:::\n\n::::note\ne\n:::\n",
            Schema::Siftwren
        ), @r##"
        <ul>
        <li><p>a</p>
        <div class="alert alert-tip" role="note"><p class="alert-title">Tip</p>
        <p>b</p>
        </div>
        </li>
        </ul>
        <p>c</p>
        <p>d</p>
        <div class="alert alert-note" role="note"><p class="alert-title">Note</p>
        <p>e</p>
        </div>
        a.md:3:3: the container is not closed before what it stands in ends; close it with a line of colons as far to the right
        a.md:8:1: no container is open that this line could close; remove it
        a.md:10:1: there is no container `steps`, so what stands in it is shown without one; there are note, tip, info, important, warning, caution, danger, details, code-group
        a.md:16:1: no container is open that this line could close; remove it
        a.md:14:1: the container is not closed; end it with a line of as many colons
        "##);
        // As formatters write the end behind a list; one further to the right than that is part of it.
        insta::assert_snapshot!(rendered(":::note\n- a\n  - b\n   :::\n\n:::note\n- a\n\n  - b\n    :::\n", Schema::Siftwren), @r#"
        <div class="alert alert-note" role="note"><p class="alert-title">Note</p>
        <ul>
        <li>a<ul>
        <li>b</li>
        </ul>
        </li>
        </ul>
        </div>
        <div class="alert alert-note" role="note"><p class="alert-title">Note</p>
        <ul>
        <li><p>a</p>
        <ul>
        <li>b</li>
        </ul>
        </li>
        </ul>
        </div>
        a.md:10:5: no container is open that this line could close; remove it
        a.md:6:1: the container is not closed; end it with a line of as many colons
        "#);
        // In an item it stays in that.
        insta::assert_snapshot!(rendered("- x\n\n  :::note\n  - a\n    :::\n\n  y\n", Schema::Siftwren), @r#"
        <ul>
        <li><p>x</p>
        <div class="alert alert-note" role="note"><p class="alert-title">Note</p>
        <ul>
        <li>a</li>
        </ul>
        </div>
        <p>y</p>
        </li>
        </ul>
        "#);
        // No marks: text in the line, code, HTML, and what no name follows.
        insta::assert_snapshot!(rendered("a :::note\n\n    :::note\n\n> :::\n\n<!--\n:::note\n-->\n\n::: *a*\n", Schema::Foreign), @r##"
        <p>a :::note</p>
        <div class="code" data-lang="text"><pre tabindex="0"><code>:::note
        </code></pre></div>
        <blockquote>
        <p>:::</p>
        </blockquote>
        <p>::: <em>a</em></p>
        "##);
    }

    #[test]
    fn an_address_in_a_text_is_a_link_and_in_a_heading_or_code_it_is_not() {
        insta::assert_snapshot!(rendered(
            "See https://a.example/b_c?d&e, [https://b.example](https://c.example) and `https://d.example`.\n\n## https://e.example\n",
            Schema::Siftwren
        ), @r##"
        <p>See <a href="https://a.example/b_c?d&amp;e">https://a.example/b_c?d&amp;e</a>, <a href="https://c.example">https://b.example</a> and <code>https://d.example</code>.</p>
        <h2 id="httpseexample"><a href="#httpseexample">https://e.example</a></h2>
        "##);
    }

    #[test]
    fn a_block_says_which_language_it_is_in() {
        for (written, shown) in [
            ("js", "javascript"),
            ("TS", "typescript"),
            ("sh", "bash"),
            ("kotlin", "kotlin"),
        ] {
            let html = rendered(&format!("```{written}\nconst a = 1\n```\n"), Schema::Foreign);
            assert!(
                html.contains(&format!("data-lang=\"{shown}\"")),
                "{written}: {html}"
            );
        }
        let html = rendered("```js\nconst a = 1\n```\n", Schema::Foreign);
        assert!(html.contains("<span class=\"h-"), "{html}");
    }

    #[test]
    fn code_has_classes_and_a_title_and_hides_lines() {
        insta::assert_snapshot!(
            rendered("```python id=a title=\"A <b>\"\n# hide-start\nimport x\n# hide-end\nx = \"<\"\n```\n", Schema::Siftwren),
            @r#"
        <figure class="code" data-lang="python"><figcaption>A &lt;b&gt;</figcaption><pre tabindex="0"><code>x = <span class="h-s">"&lt;"</span>
        </code></pre></figure>
        "#
        );
        insta::assert_snapshot!(rendered("```http\nGET /v1 HTTP/1.1\nx-api-key: <k>\n\nbody: 1\n```\n", Schema::Siftwren), @r#"
        <div class="code" data-lang="http"><pre tabindex="0"><code><span class="h-k">GET</span> /v1 HTTP/1.1
        <span class="h-f">x-api-key</span>: &lt;k&gt;

        body: 1
        </code></pre></div>
        "#);
        insta::assert_snapshot!(rendered("    <plain>\n\n```other\na-->b\n```\n", Schema::Foreign), @r#"
        <div class="code" data-lang="text"><pre tabindex="0"><code>&lt;plain&gt;
        </code></pre></div>
        <div class="code" data-lang="other"><pre tabindex="0"><code>a--&gt;b
        </code></pre></div>
        "#);
    }

    #[test]
    fn diagrams_are_drawn() {
        let diagram = "flowchart LR\n  A --> B\n";
        let html = rendered(
            &format!(
                "```mermaid title=\"How <it> goes\"\n{diagram}```\n\n> ```mermaid\n> pie\n>   \"A\": 1\n> ```\n\n~~~mermaid\n{diagram}~~~\n"
            ),
            Schema::Siftwren,
        );
        assert!(html.starts_with(
            "<figure class=\"diagram\"><figcaption>How &lt;it&gt; goes</figcaption><div tabindex=\"0\"><svg"
        ));
        assert_eq!(html.matches("<figure class=\"diagram\">").count(), 3, "{html}");
        assert!(
            html.contains("\":d3-") && html.trim_end().ends_with("</svg></div></figure>"),
            "{html}"
        );
        assert!(
            !html.contains("<code") && !html.contains("class=\"code\""),
            "{html}"
        );
    }

    #[test]
    fn diagrams_are_found_as_scripts_find_them() {
        let diagram = "flowchart LR\n  A --> B[one &amp; two]\n";
        let html = rendered(
            &format!(
                "<pre class=\"mermaid\">\n{diagram}</pre>\n\n<div class=\"a mermaid\">\n{diagram}</div>\n\n<div class=\"mermaid\"><p>other</p></div>\n"
            ),
            Schema::Foreign,
        );
        assert_eq!(html.matches("<figure class=\"diagram\">").count(), 2, "{html}");
        assert_eq!(html.matches("one &amp; two").count(), 2, "{html}");
        assert!(html.trim_end().ends_with("<p>other</p>"), "{html}");
    }

    #[test]
    fn a_diagram_that_cannot_be_drawn_is_code_and_named() {
        for (schema, kind) in [(Schema::Foreign, "warning: "), (Schema::Siftwren, "")] {
            let html = rendered("Text.\n\n```mermaid\nflowchart LR\n  A ==[\n```\n", schema);
            let code = "<div class=\"code\" data-lang=\"mermaid\"><pre tabindex=\"0\"><code>flowchart LR\n  A ==[\n</code></pre></div>";
            assert!(html.contains(code), "{html}");
            assert!(
                html.contains(&format!("a.md:5:1: {kind}the diagram cannot be drawn")),
                "{html}"
            );
        }
        let html = rendered(
            "> Text.\n>\n> ```mermaid\n> flowchart LR\n>   A ==[\n> ```\n",
            Schema::Foreign,
        );
        assert!(
            html.contains("a.md:5:1: warning: the diagram cannot be drawn"),
            "{html}"
        );
    }

    #[test]
    fn tabs_have_buttons_for_scripts_and_titles_for_everyone() {
        insta::assert_snapshot!(
            rendered("<tabs group=\"OS\">\n<tab title=\"Linux &amp; <b\">\n\na\n\n</tab>\n<tab title='macOS'>\n\nb\n\n</tab>\n</tabs>\n", Schema::Siftwren),
            @r#"
        <div class="tabs" data-group="os"><div role="tablist" data-needs-js><button type="button" role="tab" id="tab:1:1:b" aria-controls="tab:1:1" aria-selected="true" data-tab="linux-amp-ltb">Linux &amp; &lt;b</button><button type="button" role="tab" id="tab:1:2:b" aria-controls="tab:1:2" aria-selected="false" tabindex="-1" data-tab="macos">macOS</button></div>

        <section class="tab" role="tabpanel" id="tab:1:1" aria-labelledby="tab:1:1:b" data-tab="linux-amp-ltb"><p class="tab-title" data-only-without-js>Linux &amp; &lt;b</p>

        <p>a</p>
        </section>

        <section class="tab" role="tabpanel" id="tab:1:2" aria-labelledby="tab:1:2:b" data-tab="macos"><p class="tab-title" data-only-without-js>macOS</p>

        <p>b</p>
        </section>

        </div>
        "#
        );
        insta::assert_snapshot!(
            rendered("<tab title=\"a\">\n\n<tabs>\n\nb\n\n<tab title=\"c\">\n\n## D\n\n</tab>\n</tabs>\n", Schema::Siftwren),
            @r##"
        <div class="tabs"><div role="tablist" data-needs-js><button type="button" role="tab" id="tab:1:1:b" aria-controls="tab:1:1" aria-selected="true" data-tab="c">c</button></div>

        <p>b</p>
        <section class="tab" role="tabpanel" id="tab:1:1" aria-labelledby="tab:1:1:b" data-tab="c"><p class="tab-title" data-only-without-js>c</p>

        <h2 id="d"><a href="#d">D</a></h2>
        </section>

        </div>

        a.md:1:1: a tab stands in <tabs> and has a title: <tab title="Linux">
        a.md:7:1: this tab and the one before it have something between them; put it into a tab
        "##
        );
    }

    #[test]
    fn lines_are_highlighted() {
        insta::assert_snapshot!(
            rendered("```text highlight=2,4\na\nb\nc\n```\n\n```text highlight=x\na\n```\n\n```text highlight=2\na\n```\n", Schema::Siftwren),
            @r#"
        <div class="code" data-lang="text"><pre tabindex="0"><code>a
        <mark>b
        </mark>c
        </code></pre></div>
        <div class="code" data-lang="text"><pre tabindex="0"><code>a
        </code></pre></div>
        <div class="code" data-lang="text"><pre tabindex="0"><code>a
        </code></pre></div>
        a.md:7:1: `highlight` takes numbers of lines such as 2,4-6, not `x`
        a.md:2:1: `highlight` names line 4, but the block shows 3 lines
        a.md:12:1: `highlight` names line 2, but the block shows 1 line
        "#
        );
    }

    #[test]
    fn lines_have_numbers() {
        insta::assert_snapshot!(
            rendered("```text numbers=9 highlight=2\na\nb\n```\n\n```text numbers=x\na\n```\n", Schema::Siftwren),
            @r#"
        <div class="code" data-lang="text"><pre tabindex="0"><code><data value=" 9"></data>a
        <mark><data value="10"></data>b
        </mark></code></pre></div>
        <div class="code" data-lang="text"><pre tabindex="0"><code>a
        </code></pre></div>
        a.md:6:1: `numbers` takes the number of the first line such as 1, or `off`, not `x`
        "#
        );
    }

    #[test]
    fn emoji_are_shown_where_other_generators_know_their_names() {
        let text = "[:tada:](https://example.com) `:tada:`\n\n```text\n:tada:\n```\n";
        insta::assert_snapshot!(rendered(text, Schema::Foreign), @r#"
        <p><a href="https://example.com">🎉</a> <code>:tada:</code></p>
        <div class="code" data-lang="text"><pre tabindex="0"><code>:tada:
        </code></pre></div>
        "#);
        // Our own content writes what it means.
        assert!(rendered("a :tada: b\n", Schema::Siftwren).contains(":tada:"));
    }

    #[test]
    fn a_heading_with_a_link_of_its_own_is_no_link() {
        insta::assert_snapshot!(rendered("## A [b](#c) {#c}\n\n## \n", Schema::Foreign), @r##"
        <h2 id="c">A <a href="#c">b</a></h2>
        <span id="section"></span>
        "##);
    }

    #[test]
    fn every_language_of_our_content_is_highlighted() {
        for (language, code) in [
            ("bash", "echo \"$A\""),
            ("http", "GET / HTTP/1.1"),
            ("json", "{\"a\": 1}"),
            ("python", "def f(): pass"),
            ("rust", "fn f() {}"),
            ("sql", "SELECT a FROM b"),
            ("toml", "a = 1"),
            ("typescript", "const a: string = 'b'"),
            ("yaml", "a: 1"),
        ] {
            let html = rendered(&format!("```{language}\n{code}\n```\n"), Schema::Siftwren);
            assert!(html.contains("<span class=\"h-"), "{language}: {html}");
        }
    }

    #[test]
    fn the_languages_of_other_folders_are_highlighted() {
        for (language, code) in [
            ("bat", "@echo off"),
            ("c", "int f(void);"),
            ("cmake", "project(a)"),
            ("c++", "class A {};"),
            ("cs", "class A {}"),
            ("css", "a { color: red }"),
            ("dart", "void f() {}"),
            ("diff", "-a\n+b"),
            ("docker", "FROM a"),
            ("ex", "def f, do: 1"),
            ("go", "func f() {}"),
            ("gql", "type A { b: C }"),
            ("gradle", "def a = 'b'"),
            ("tf", "a = 1"),
            ("html", "<a href=\"b\">c</a>"),
            ("ini", "[a]\nb=1"),
            ("java", "class A {}"),
            ("js", "const a = <b/>"),
            ("jsx", "const a = <b/>"),
            ("kt", "fun f() {}"),
            ("lua", "local a = 1"),
            ("makefile", "a: b"),
            ("md", "# A"),
            ("php", "function f() {}"),
            ("ps1", "Get-Item a"),
            ("protobuf", "message A {}"),
            ("r", "a <- 1"),
            ("rb", "def f; end"),
            ("scala", "val a = 1"),
            ("scss", "$a: 1px"),
            ("svelte", "<script>let a = 1</script>"),
            ("swift", "func f() {}"),
            ("tsx", "const a = <b/>"),
            ("vue", "<script>let a = 1</script>"),
            ("xml", "<a b=\"c\"/>"),
            ("zig", "const a = 1;"),
        ] {
            let html = rendered(&format!("```{language}\n{code}\n```\n"), Schema::Foreign);
            assert!(html.contains("<span class=\"h-"), "{language}: {html}");
        }
    }

    #[test]
    fn what_a_language_holds_of_another_one_is_highlighted() {
        insta::assert_snapshot!(rendered("```vue\n<script>\nlet a = 1\n</script>\n```\n", Schema::Foreign), @r#"
        <div class="code" data-lang="vue"><pre tabindex="0"><code>&lt;<span class="h-k">script</span>&gt;
        <span class="h-k">let</span> a = <span class="h-n">1</span>
        &lt;/<span class="h-k">script</span>&gt;
        </code></pre></div>
        "#);
    }

    #[test]
    fn lines_are_marked_as_other_generators_have_it() {
        let code = "```js\n// highlight-next-line\na()\nb() // [!code --]\nc() // [!code ++]\n```\n";
        insta::assert_snapshot!(rendered(code, Schema::Foreign), @r#"
        <div class="code" data-lang="javascript"><pre tabindex="0"><code><mark><span class="h-f">a</span>()
        </mark><del><span class="h-f">b</span>()
        </del><ins><span class="h-f">c</span>()
        </ins></code></pre></div>
        "#);
        insta::assert_snapshot!(rendered("```text {2} ins={1}\na\nb\n```\n", Schema::Foreign), @r#"
        <div class="code" data-lang="text"><pre tabindex="0"><code><ins>a
        </ins><mark>b
        </mark></code></pre></div>
        "#);
        // Our own content has keys for it.
        let comment = "```python\n# highlight-next-line\na\n```\n";
        assert!(rendered(comment, Schema::Siftwren).contains("highlight-next-line"));
    }

    #[test]
    fn formulas_become_mathml() {
        insta::assert_snapshot!(rendered("$$\nk\n$$\n\nThe $k$ and $$k$$.\n", Schema::Siftwren), @r#"
        <div class="math-block" tabindex="0"><math display="block"><mi>k</mi></math></div>
        <p>The <math display="inline"><mi>k</mi></math> and <span class="math-block" tabindex="0"><math display="block"><mi>k</mi></math></span>.</p>
        "#);
        insta::assert_snapshot!(rendered("$\\frac{1$\n", Schema::Siftwren), @r"
        <p>$\frac{1$</p>
        a.md:1:1: this `$` starts no formula: close it, match its braces, or write `\$` for the sign
        ");
        insta::assert_snapshot!(rendered("It costs $5 \\ and $6.\n", Schema::Foreign), @r"<p>It costs $5 \ and $6.</p>");
    }

    #[test]
    fn dollars_of_code_and_of_money_are_no_formulas() {
        insta::assert_snapshot!(
            rendered(
                "Not $null but `$a`, `$b` or `$c` with $A = `$d`.\n\nIt is US$5, not $6 or [$7](a$8).\n\n$$ is `$$`, $k$ and $\\text{a `b'}$.\n\n$5 [x](<u$6v$7>) `z`$8\n\n$5 [x](u$6 \"v$7\") `z`$8\n",
                Schema::Foreign
            ),
            @r#"
        <p>Not $null but <code>$a</code>, <code>$b</code> or <code>$c</code> with $A = <code>$d</code>.</p>
        <p>It is US$5, not $6 or $7.</p>
        <p>$$ is <code>$$</code>, <math display="inline"><mi>k</mi></math> and <math display="inline"><mtext>a `b'</mtext></math>.</p>
        <p>$5 x <code>z</code>$8</p>
        <p>$5 x <code>z</code>$8</p>
        a.md:3:23: there is no page `a$8`; write the path of a file from this one, such as `./other.md`, or of a page
        a.md:7:4: there is no page `u$6v$7`; write the path of a file from this one, such as `./other.md`, or of a page
        a.md:9:4: there is no page `u$6`; write the path of a file from this one, such as `./other.md`, or of a page
        "#
        );
    }

    #[test]
    fn our_own_content_escapes_a_dollar() {
        assert!(rendered("$a, `b`$\n", Schema::Siftwren).contains("<math"));
    }

    #[test]
    fn listed_tags_pass_and_are_closed() {
        insta::assert_snapshot!(rendered("<kbd>a</kbd> <sub>b\n\n<!-- <script>\n-->\n", Schema::Siftwren), @"
        <p><kbd>a</kbd> <sub>b</sub></p>

        a.md:1:14: <sub> is not closed in the same block; add </sub>
        ");
        insta::assert_snapshot!(
            rendered("<details>\n<summary>A &amp; <kbd>b</summary>\n\nc\n\n</details>\n", Schema::Siftwren),
            @"
        <details>
        <summary>A &amp; <kbd>b</kbd></summary>
        <p>c</p>
        </details>
        a.md:2:18: <kbd> is not closed in the same block; add </kbd>
        "
        );
        insta::assert_snapshot!(rendered("<summary>a</summary>\n", Schema::Siftwren), @"
        a
        a.md:1:1: <summary> stands right after <details>
        a.md:1:11: </summary> closes nothing here; open <summary> in the same block
        ");
        insta::assert_snapshot!(rendered("a <details> b\n", Schema::Siftwren), @"
        <p>a  b</p>
        a.md:1:3: <details> starts a block; put it on a line of its own after an empty line
        ");
    }

    #[test]
    fn other_tags_are_refused_or_shown_as_text() {
        insta::assert_snapshot!(rendered("<script>\nalert(1)\n</script>\n", Schema::Siftwren), @r#"
        <p>&lt;script&gt;
        alert(1)
        &lt;/script&gt;</p>
        a.md:1:1: raw HTML is refused; write Markdown, or one of the tags abbr, br, kbd, mark, sub, sup, details, summary, tabs, tab
        a.md:3:1: raw HTML is refused; write Markdown, or one of the tags abbr, br, kbd, mark, sub, sup, details, summary, tabs, tab
        "#);
        insta::assert_snapshot!(rendered("a <string> b\n\n<T onclick=\"x\">\n\n<![CDATA[\na\n]]>\n", Schema::Foreign), @r#"
        <p>a &lt;string&gt; b</p>
        <p>&lt;![CDATA[
        a
        ]]&gt;</p>
        a.md:1:1: warning: components are not known here; of T only what stands between the tags is shown
        a.md:1:3: warning: `<string>` is no element of HTML and shown as text; write it as code, or `\<` for the sign
        a.md:5:1: warning: `<![CDATA[` is no element of HTML and shown as text; write it as code, or `\<` for the sign
        "#);
    }

    #[test]
    fn addresses_are_encoded_and_refused_ones_leave_their_text() {
        insta::assert_snapshot!(
            rendered("[a](https://e.com/?q='x'&y=ü \"t\") <b@c.de> [d](javascript:x) ![e](data:x)\n", Schema::Foreign),
            @r#"
        <p><a href="https://e.com/?q=%27x%27&amp;y=%C3%BC" title="t">a</a> <a href="mailto:b@c.de">b@c.de</a> d e</p>
        a.md:1:44: the address `javascript:x` is refused; use https:, http:, mailto: or a path
        a.md:1:62: the address `data:x` is refused; use https:, http:, mailto: or a path
        "#
        );
    }
}
