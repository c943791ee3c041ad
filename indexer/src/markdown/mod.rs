//! Markdown in, a checked list of events out. The events keep their places in the file, so that every later stage
//! can say where something is.

mod autolinks;
mod block_attributes;
mod components;
mod constants;
mod containers;
mod definitions;
pub(crate) mod diagram;
mod dollars;
mod elements;
mod emoji;
mod expressions;
pub(crate) mod fence;
mod foreign_marks;
mod home;
mod imports;
pub(crate) mod includes;
mod kramdown;
pub(crate) mod line_marks;
mod liquid;
mod mdx;
mod mkdocs;
pub(crate) mod myst;
mod parameters;
mod partials;
mod quoted_alerts;
pub(crate) mod raw_html;
mod reshaped;
mod shortcodes;
pub(crate) mod slug;
mod tables;
mod templates;
pub(crate) mod titles;
pub(crate) mod wiki;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

use pulldown_cmark::{
    BrokenLink, CodeBlockKind, CowStr, Event, LinkType, Options, Parser, Tag, TagEnd, TextMergeWithOffset,
};

use crate::config::{Generator, Origin};
use crate::diagnostic::{Diagnostic, excerpt};
use crate::front_matter::Schema;
use crate::routes::Routes;
use crate::source::Source;
use containers::Mark;
pub(crate) use containers::{AlertTitle, UNTITLED_DETAILS};
use elements::Elements;
use fence::Info;
use reshaped::Reshaped;
use slug::HeadingIds;
use wiki::Wiki;

/// The line that begins at a place, with its end.
fn line_at(text: &str, at: usize) -> &str {
    let rest = &text[at..];
    &rest[..rest.find('\n').map_or(rest.len(), |end| end + 1)]
}

/// An event and its bytes in the file.
pub(crate) type PlacedEvent<'a> = (Event<'a>, Range<usize>);

/// The body of a page.
#[derive(Debug)]
pub(crate) struct Document<'a> {
    /// The events and their byte ranges in the file. Code holds only the lines that readers see.
    pub(crate) events: Vec<PlacedEvent<'a>>,
    /// The titles of alerts that are not those of their kind, by the index of their start.
    pub(crate) alert_titles: HashMap<usize, AlertTitle>,
    /// The text of the first H1, its offset and its events.
    pub(crate) title: Option<Title>,
    /// The headings below the title, in order.
    pub(crate) headings: Vec<Heading>,
    /// Whether it shows the list of the pages below.
    pub(crate) lists_pages: bool,
    /// Ids of what is no heading, in the order of the empty [`Event::InlineHtml`]s that stand for them. Of one that is taken nothing is left.
    pub(crate) anchors: Vec<Option<String>>,
    /// The widths that images ask for in pixels, by how many images come before.
    pub(crate) widths: HashMap<usize, u32>,
    /// The info strings of the code blocks, in order.
    pub(crate) fences: Vec<Info>,
    /// Where it names between brackets what is not there, and what to say of it.
    pub(crate) missing_names: Vec<(usize, String)>,
    /// What nobody sees of the file, beside what Markdown has for it.
    pub(crate) comments: Vec<Range<usize>>,
}

impl Document<'_> {
    /// Whether something below the title has this id.
    pub(crate) fn has_id(&self, id: &str) -> bool {
        let mut anchors = self.anchors.iter().flatten();
        self.headings.iter().any(|heading| heading.id == id) || anchors.any(|anchor| anchor == id)
    }
}

/// The first H1 of a page.
#[derive(Debug)]
pub(crate) struct Title {
    /// Its text.
    pub(crate) text: String,
    /// By which links lead to the top of the page, where nothing else of it has the id.
    pub(crate) id: Option<String>,
    /// Its events, from start to end, with the blank paragraphs right before it.
    pub(crate) events: Range<usize>,
}

/// A heading below the title.
#[derive(Debug)]
pub(crate) struct Heading {
    /// The index of its start event.
    pub(crate) event: usize,
    /// 2 to 6.
    pub(crate) level: u8,
    /// Its id on the page.
    pub(crate) id: String,
    /// Its text.
    pub(crate) text: String,
    /// True unless it is empty or holds a link of its own: then its text is a link to itself.
    pub(crate) is_linkable: bool,
}

/// What stands among the HTML of a page for the list of the pages below it. No text of an author is read as HTML that is this.
pub(crate) const PAGES_BELOW: &str = "\u{3}";

/// The deepest heading that is a section, has an entry in the table of contents and an item in the search.
pub(crate) const DEEPEST_SECTION: u8 = 4;

/// How a body is read.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Reading<'a> {
    pub(crate) schema: Schema,
    pub(crate) heading_ids: HeadingIds,
    /// The page has a title from elsewhere.
    pub(crate) is_titled: bool,
    /// Its text with what it includes.
    pub(crate) included: Option<&'a Reshaped>,
    /// It is MDX, whatever its file is called.
    pub(crate) is_mdx: bool,
    /// What the generator that it was written for says of it.
    pub(crate) origin: Option<&'a Origin>,
    /// It may have templates of Jekyll in it, which show this of their site.
    pub(crate) jekyll: Option<&'a BTreeMap<String, String>>,
    /// Words between brackets lead to what has them as its name, as in mkdocs-autorefs.
    pub(crate) has_autorefs: bool,
    /// It is MyST, with links to what these have.
    pub(crate) myst: Option<&'a Routes>,
    /// What it may name between brackets, where it is neither MyST nor our own content.
    pub(crate) wiki: Option<Wiki<'a>>,
}

impl Reading<'_> {
    /// The text with what its generator and the parser read as different blocks in the words of the parser; `None` where there is nothing
    /// of it.
    fn mended(&self, text: &str, body_at: usize, dialect: Dialect) -> Option<Reshaped> {
        let origin = self.origin?;
        let body = &text[body_at..];
        let events = || read_masked(text, body_at, dialect).0;
        match origin.generator? {
            Generator::Jekyll => {
                let parser = origin.parameters.get("markdown");
                let is_usual = parser.is_none_or(|parser| parser.eq_ignore_ascii_case("kramdown"));
                let rules = tables::Rules::Kramdown;
                let may_have_tables = is_usual && body.contains('|');
                may_have_tables.then(|| tables::markdown(text, &events(), rules))?
            }
            Generator::MkDocs => {
                let rules = tables::Rules::PythonMarkdown;
                let may_have_tables = body.contains('|') && body.contains(['`', '<']);
                may_have_tables.then(|| tables::markdown(text, &events(), rules))?
            }
            Generator::Hugo => {
                let may_have_lists = origin.has_block_attributes && body.contains('{');
                may_have_lists.then(|| block_attributes::markdown(text, body_at, &events()))?
            }
            _ => None,
        }
    }
}

/// Parses the body of `source`, which starts at `body_at`.
pub(crate) fn parse<'a>(
    source: &'a Source,
    body_at: usize,
    reading: Reading<'a>,
) -> (Document<'a>, Vec<Diagnostic>) {
    let schema = reading.schema;
    let source_text = reading
        .included
        .map_or(&*source.text, |included| included.text.as_str());
    let wiki = reading
        .wiki
        .and_then(|wiki| wiki::markdown(source_text, body_at, source, wiki, reading.heading_ids));
    let included = [wiki.as_ref().map(|shown| &shown.reshaped), reading.included];
    let text = included[0].map_or(source_text, |reshaped| reshaped.text.as_str());
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_GFM
        | Options::ENABLE_HEADING_ATTRIBUTES
        | Options::ENABLE_MATH;
    let mut problems = Vec::new();
    let mut components = BTreeSet::new();
    // What only a program would show, by its place.
    let mut notes = Vec::new();
    let is_mdx = source.path.ends_with(".mdx")
        || !schema.is_strict() && reading.myst.is_none() && (reading.is_mdx || mdx::is_used(text));
    let reshaped = if is_mdx {
        let shown = mdx::markdown(text, body_at);
        components = shown.left_out;
        let unknown = shown.unknown.into_iter();
        notes.extend(unknown.map(|(at, program)| {
            let program = program.split_whitespace().collect::<Vec<_>>().join(" ");
            let program = excerpt(&program);
            let message = format!(
                "the address `{program}` is not shown: programs are not run; write it in quotes, or import the picture by name"
            );
            (at, message)
        }));
        Some(shown.reshaped)
    } else if schema.is_strict() {
        None
    } else if reading.myst.is_some() {
        myst::markdown(text, body_at).map(|shown| {
            let programs = shown.programs.into_iter();
            notes.extend(programs.map(|(at, name)| {
                let message =
                    format!("`{{{name}}}` is left out: programs are not run, and only Markdown is read");
                (at, message)
            }));
            components = shown.left_out;
            shown.reshaped
        })
    } else if let Some(shown) = shortcodes::markdown(text, body_at) {
        components = shown.left_out;
        Some(shown.reshaped)
    } else if let Some(shown) = liquid::markdown(text, body_at, reading.jekyll) {
        components = shown.left_out;
        Some(shown.reshaped)
    } else {
        let is_of_mkdocs = reading
            .origin
            .is_some_and(|origin| origin.generator == Some(Generator::MkDocs));
        mkdocs::markdown(text, body_at, reading.has_autorefs, is_of_mkdocs).map(|blocks| {
            let names = blocks.programs.into_iter();
            notes.extend(names.map(|(at, name)| {
                let message = format!("the documentation of `{name}` is left out: programs are not read");
                (at, message)
            }));
            blocks.reshaped
        })
    };
    let dialect = Dialect {
        options,
        has_autorefs: reading.has_autorefs,
        has_definitions: !schema.is_strict(),
    };
    let shown = reshaped.as_ref().map_or(text, |reshaped| reshaped.text.as_str());
    let mended = reading.mended(shown, body_at, dialect);
    let read_text = mended.as_ref().map_or(shown, |mended| mended.text.as_str());
    let reshaped = [mended.as_ref(), reshaped.as_ref()];
    let (events, marks) = match (reshaped, &wiki) {
        ([None, None], None) => read(source_text, body_at, dialect),
        _ => {
            let (events, marks) = read(read_text, body_at, dialect);
            let events = events
                .into_iter()
                .map(|(event, range)| (event.into_static(), range));
            (events.collect(), marks)
        }
    };
    let events = match reading.jekyll.is_some() {
        true => kramdown::convert(events, read_text),
        false => events,
    };
    // Until the marks and the ends of code have been found, places are those in the text that is read.
    let in_file = |range, text: &Reshaped| text.place(&range);
    let place_of = |range: &Range<usize>| {
        let texts = reshaped.into_iter().chain(included).flatten();
        texts.fold(range.clone(), in_file)
    };
    let place = |at: usize| place_of(&(at..at)).start;
    let Elements {
        events,
        anchors,
        mut widths,
        components: others,
        left_out,
        lists_pages,
    } = if schema.is_strict() {
        Elements::none(events)
    } else {
        elements::read(events, is_mdx)
    };
    for (at, message) in notes {
        let texts = included.into_iter().flatten();
        let at = texts.fold(at..at, in_file).start;
        report(source, at, schema, &message, &mut problems);
    }
    let in_included = |range: Range<usize>| reading.included.map_or(range.clone(), |text| text.place(&range));
    let missing = wiki.iter().flat_map(|shown| &shown.missing);
    let missing = missing.map(|(at, message)| (in_included(*at..*at).start, message.clone()));
    let missing_names = missing.collect();
    let comments = wiki.iter().flat_map(|shown| shown.comments.iter().cloned());
    let comments = comments.map(in_included).collect();
    components.extend(others);
    if !components.is_empty() {
        let names: Vec<&str> = components.iter().map(String::as_str).collect();
        let message = format!(
            "components are not known here; of {} only what stands between the tags is shown",
            names.join(", ")
        );
        report(source, body_at, schema, &message, &mut problems);
    }
    for (at, name) in left_out {
        let at = place(at);
        let message = format!("<{name}> is left out: pages show text, images and links");
        report(source, at, schema, &message, &mut problems);
    }
    let events = if schema.is_strict() {
        events
    } else {
        foreign_marks::leave_out(events, &mut widths)
    };
    let events = match reading.myst {
        Some(routes) => myst::naming::name(events, source, routes),
        None => events,
    };
    let events = autolinks::link(events);
    let mut complain = |at: usize, message: &str| report(source, place(at), schema, message, &mut problems);
    let (mut events, mut alert_titles) = containers::convert(&marks, events, &mut complain);
    if !schema.is_strict() {
        quoted_alerts::convert(&mut events, &mut alert_titles);
    }
    let fences = read_fences(source, (read_text, &place), schema, &mut events, &mut problems);
    for (_, range) in &mut events {
        *range = place_of(range);
    }
    if schema.is_strict() {
        problems.extend(lone_dollars(source, &events));
    } else {
        emoji::show(&mut events);
    }
    let mut ids = slug::Ids::default();
    let (mut title, headings) = read_headings(source, reading, &events, &mut ids, &mut problems);
    // The first of two is meant; a heading goes before.
    let anchors = anchors.into_iter();
    let anchors = anchors.map(|id| ids.take(&id).then_some(id)).collect();
    if let Some(title) = &mut title {
        title.id.take_if(|id| !ids.take(id));
    }
    (
        Document {
            events,
            alert_titles,
            title,
            headings,
            lists_pages,
            anchors,
            widths,
            fences,
            missing_names,
            comments,
        },
        problems,
    )
}

/// The events of what stands behind `body_at`, and the marks of containers.
fn read(text: &str, body_at: usize, dialect: Dialect) -> (Vec<PlacedEvent<'_>>, Vec<Mark>) {
    let (events, marks) = read_masked(text, body_at, dialect);
    let is_strict = !dialect.has_definitions;
    let mut masked = match dollars::mask(text, &events) {
        Some(masked) if !is_strict => masked,
        _ => return (events, marks),
    };
    // The dollar that ended one may begin the next; each time half of them are left at most.
    loop {
        let (events, marks) = read_masked(&masked, body_at, dialect);
        if let Some(again) = dollars::mask(&masked, &events) {
            masked = again;
            continue;
        }
        let events = events.into_iter();
        let mut events: Vec<_> = events
            .map(|(event, range)| (event.into_static(), range))
            .collect();
        dollars::unmask(&mut events);
        return (events, marks);
    }
}

/// The same, with what is not for the parser masked.
fn read_masked(text: &str, body_at: usize, dialect: Dialect) -> (Vec<PlacedEvent<'_>>, Vec<Mark>) {
    let marks = containers::marks(text, body_at, dialect.options);
    let masked = (!marks.is_empty()).then(|| containers::mask(text, &marks));
    let shown = masked.as_deref().unwrap_or(text);
    let defined = dialect
        .has_definitions
        .then(|| definitions::mask(shown, body_at))
        .flatten();
    let Some(read_text) = defined.as_deref().or(masked.as_deref()) else {
        return (read_commonmark(text, body_at, dialect), marks);
    };
    let mut dialect = dialect;
    dialect
        .options
        .set(Options::ENABLE_DEFINITION_LIST, defined.is_some());
    let events = read_commonmark(read_text, body_at, dialect).into_iter();
    let mut events: Vec<_> = events
        .map(|(event, range)| (event.into_static(), range))
        .collect();
    if defined.is_some() {
        definitions::unmask(&mut events);
    }
    (events, marks)
}

/// What is read beside CommonMark.
#[derive(Clone, Copy)]
struct Dialect {
    options: Options,
    /// See [`Reading::has_autorefs`].
    has_autorefs: bool,
    /// Lines may say what the line before means.
    has_definitions: bool,
}

fn read_commonmark(text: &str, body_at: usize, dialect: Dialect) -> Vec<PlacedEvent<'_>> {
    let named = |link: BrokenLink<'_>| {
        let is_reference = matches!(link.link_type, LinkType::Reference | LinkType::Collapsed);
        let name = link.reference.trim_matches('`');
        (dialect.has_autorefs && is_reference && is_reference_name(name))
            .then(|| (CowStr::from(name.to_owned()), CowStr::from("")))
    };
    let parser = Parser::new_with_broken_link_callback(&text[body_at..], dialect.options, Some(named));
    let parser = parser.into_offset_iter();
    let mut parser = TextMergeWithOffset::new(parser).peekable();
    let mut events: Vec<PlacedEvent<'_>> = Vec::new();
    while let Some((event, range)) = parser.next() {
        let mut range = range.start + body_at..range.end + body_at;
        // A block of raw HTML arrives line by line, but a tag or a comment may be longer than a line.
        if let (Event::Html(first), Some((Event::Html(_), _))) = (&event, parser.peek()) {
            let mut block = first.to_string();
            while let Some((Event::Html(line), of_line)) =
                parser.next_if(|(event, _)| matches!(event, Event::Html(_)))
            {
                block.push_str(&line);
                range.end = of_line.end + body_at;
            }
            events.push((Event::Html(CowStr::from(block)), range));
        } else {
            events.push((event, range));
        }
    }
    events
}

/// Whether something can be found by this name: the id of a heading, or `package.Class.method`.
fn is_reference_name(name: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b':');
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && name.bytes().all(is_part)
}

/// The text of the events, as a reader would say it.
pub(crate) fn plain_text(events: &[(Event<'_>, Range<usize>)]) -> String {
    let mut text = String::new();
    for (event, _) in events {
        match event {
            Event::Text(part) | Event::Code(part) | Event::InlineMath(part) => text.push_str(part),
            Event::SoftBreak | Event::HardBreak => text.push(' '),
            _ => {}
        }
    }
    text.trim().to_owned()
}

/// Dollar signs in prose: a formula that is not one, because its braces or dollar signs do not match.
fn lone_dollars(source: &Source, events: &[(Event<'_>, Range<usize>)]) -> Vec<Diagnostic> {
    let mut problems = Vec::new();
    let mut in_code = false;
    for (event, range) in events {
        match event {
            Event::Start(Tag::CodeBlock(_)) => in_code = true,
            Event::End(TagEnd::CodeBlock) => in_code = false,
            Event::Text(text) if !in_code && text.contains('$') => {
                let escaped = |at: usize| {
                    source.text[..at]
                        .bytes()
                        .rev()
                        .take_while(|byte| *byte == b'\\')
                        .count()
                        % 2
                        == 1
                };
                let dollars = source.text[range.clone()]
                    .match_indices('$')
                    .map(|(at, _)| range.start + at);
                if let Some(at) = dollars.into_iter().find(|at| !escaped(*at)) {
                    let message =
                        "this `$` starts no formula: close it, match its braces, or write `\\$` for the sign";
                    problems.push(Diagnostic::error(source, at, message));
                }
            }
            _ => {}
        }
    }
    problems
}

fn read_fences<'a>(
    source: &Source,
    (text, place): (&str, &dyn Fn(usize) -> usize),
    schema: Schema,
    events: &mut Vec<(Event<'a>, Range<usize>)>,
    problems: &mut Vec<Diagnostic>,
) -> Vec<Info> {
    let mut fences = Vec::new();
    for index in 0..events.len() {
        let (Event::Start(Tag::CodeBlock(kind)), range) = &events[index] else {
            continue;
        };
        let range = range.clone();
        let at = place(range.start);
        let info = match kind {
            CodeBlockKind::Fenced(info) => {
                let block = &text[range.clone()];
                // An element has ended where it is a block of code.
                if !block.starts_with('<') && !is_closed(block) {
                    let message = "the code block is not closed; end it with a line of as many backticks as it starts with";
                    report(source, at, schema, message, problems);
                }
                Info::parse(info)
            }
            CodeBlockKind::Indented => Info::default(),
        };
        if schema.is_strict() {
            check_info(source, at, &info, &fences, problems);
        }
        let is_rust = fence::canonical(&info.language) == Some("rust");
        fences.push(info);
        let info = fences.len() - 1;
        if let Some((Event::Text(code), code_range)) = events.get_mut(index + 1) {
            if is_rust
                && !schema.is_strict()
                && let Some(shown) = fence::shown_rust(code)
            {
                *code = CowStr::from(shown);
            }
            if !schema.is_strict()
                && let Some((shown, marked)) = line_marks::taken(code)
            {
                *code = CowStr::from(shown);
                fences[info].commented = marked;
            }
            let (shown, stray) = fence::visible(code);
            if let Some(stray) = stray {
                let message = "`# hide-start` and `# hide-end` come in pairs, each on a line of its own";
                problems.push(Diagnostic::error(
                    source,
                    place(code_range.start + stray),
                    message,
                ));
            }
            if shown.len() != code.len() {
                *code = CowStr::from(shown);
            }
        }
    }
    fences
}

fn check_info(source: &Source, at: usize, info: &Info, before: &[Info], problems: &mut Vec<Diagnostic>) {
    let mut error = |message: String| problems.push(Diagnostic::error(source, at, message));
    if info.language.is_empty() {
        error(format!(
            "the code block names no language; take one of {}",
            fence::LANGUAGES.join(", ")
        ));
    } else if !fence::LANGUAGES.contains(&info.language.as_str()) {
        let known = fence::LANGUAGES.join(", ");
        error(format!(
            "`{}` is not a language of our content; take one of {known}",
            info.language
        ));
    }
    for (key, value) in &info.attributes {
        if !fence::KEYS.contains(&key.as_str()) {
            error(format!(
                "a code block has no key `{key}`; it takes {}",
                fence::KEYS.join(", ")
            ));
        } else if value.is_empty() {
            error(format!("the key `{key}` of the code block has no value"));
        }
    }
    for stray in &info.strays {
        error(format!(
            "`{stray}` is neither a language nor `key=value`; remove it"
        ));
    }
    if let Some(status) = info.get("expect")
        && !status
            .parse()
            .is_ok_and(|status: u16| (100..600).contains(&status))
    {
        error(format!(
            "`expect` takes an HTTP status such as 200, not `{status}`"
        ));
    }
    if let Some(lines) = info.get("highlight")
        && info.highlighted().is_none()
    {
        error(format!(
            "`highlight` takes numbers of lines such as 2,4-6, not `{lines}`"
        ));
    }
    if let Err(first) = info.first_number(None) {
        error(format!(
            "`numbers` takes the number of the first line such as 1, or `off`, not `{first}`"
        ));
    }
    if let Some(id) = info.get("id")
        && before.iter().any(|other| other.get("id") == Some(id))
    {
        error(format!(
            "another code block of this page has the id `{id}`; choose a different one"
        ));
    }
    if let Some(id) = info.get("output-of")
        && !before.iter().any(|other| other.get("id") == Some(id))
    {
        error(format!(
            "no code block above has the id `{id}`, so this cannot be its output"
        ));
    }
}

fn read_headings(
    source: &Source,
    Reading {
        schema,
        heading_ids,
        is_titled,
        ..
    }: Reading<'_>,
    events: &[(Event<'_>, Range<usize>)],
    ids: &mut slug::Ids,
    problems: &mut Vec<Diagnostic>,
) -> (Option<Title>, Vec<Heading>) {
    let title_level = if is_titled || schema.is_strict() {
        1
    } else {
        level_of_title(events)
    };
    let mut title = None;
    let mut headings = Vec::new();
    let footnotes = events
        .iter()
        .filter(|(event, _)| matches!(event, Event::FootnoteReference(_)))
        .count();
    for number in 1..=footnotes {
        ids.take(&format!("footnote-{number}"));
        ids.take(&format!("footnote-{number}-ref"));
    }
    for (event, (start, range)) in events.iter().enumerate() {
        let Event::Start(Tag::Heading {
            level,
            id,
            classes,
            attrs,
        }) = start
        else {
            continue;
        };
        let length = events[event..]
            .iter()
            .position(|(end, _)| matches!(end, Event::End(TagEnd::Heading(_))))
            .expect("every start event has an end event");
        let inner = &events[event + 1..event + length];
        let text = plain_text(inner);
        let own_id = || heading_ids.id(without_badges(inner, source).as_deref().unwrap_or(&text));
        let strict_error = |message: String, problems: &mut Vec<Diagnostic>| {
            if schema.is_strict() {
                problems.push(Diagnostic::error(source, range.start, message));
            }
        };
        if !classes.is_empty() || !attrs.is_empty() {
            strict_error(
                "a heading takes an id, such as `{#edge-cases}`, and nothing else".to_owned(),
                problems,
            );
        }
        // As Python-Markdown writes `{#id}`, too: `{ id="id" }`.
        let in_words = attrs.iter().find(|(name, _)| **name == *"id");
        let in_words = in_words.and_then(|(_, id)| Some(id.as_deref()?.trim_matches(['"', '\''])));
        let id = id.as_deref().or(in_words.filter(|_| !schema.is_strict()));
        let level = (*level as u8).saturating_sub(title_level - 1);
        // Where the title is known, a heading in the middle of a page is one of its own.
        let can_be_title = schema.is_strict() || !is_titled || is_nothing(&events[..event]);
        if level == 1 && title.is_none() && can_be_title {
            title = Some(Title {
                id: Some(id.filter(|id| is_id(id)).map_or_else(own_id, str::to_owned)),
                text,
                events: event - blank_length(&events[..event])..event + length + 1,
            });
            continue;
        }
        if level == 1 {
            strict_error(
                "the page has a second H1; use `##` for the headings below the title".to_owned(),
                problems,
            );
        }
        if level > DEEPEST_SECTION {
            strict_error(format!("headings go down to H4; this is an H{level}"), problems);
        }
        if text.is_empty() {
            strict_error("the heading has no text".to_owned(), problems);
        }
        let wanted = match id {
            Some(id) if is_id(id) => id.to_string(),
            Some(id) => {
                let message = "takes letters, digits, `-`, `_`, `.` and, behind the first character, `:`";
                strict_error(format!("`{id}` cannot be an id: an id {message}"), problems);
                slug::slug(id)
            }
            None => own_id(),
        };
        let id = if schema.is_strict() && !ids.take(&wanted) {
            let message = format!(
                "another heading of this page has the id `{wanted}`; give this one `{{#another-id}}`"
            );
            problems.push(Diagnostic::error(source, range.start, message));
            wanted
        } else if schema.is_strict() {
            wanted
        } else {
            ids.take_numbered(&wanted, heading_ids.before_number())
        };
        let holds_link = events[event..event + length].iter().any(|(inner, _)| {
            matches!(
                inner,
                Event::Start(Tag::Link { .. }) | Event::FootnoteReference(_)
            )
        });
        headings.push(Heading {
            event,
            level: level.max(2),
            id,
            is_linkable: !text.is_empty() && !holds_link,
            text,
        });
    }
    (title, headings)
}

/// The text that the id of a heading is made from, where it is another one: what a component shows that has its text as an attribute is no
/// part of it.
fn without_badges(events: &[PlacedEvent<'_>], source: &Source) -> Option<String> {
    let is_tag = |event: &Event<'_>, tag: &str| matches!(event, Event::InlineHtml(html) if **html == *tag);
    if !events.iter().any(|(event, _)| is_tag(event, "<sup>")) {
        return None;
    }
    let mut kept = Vec::new();
    let mut is_badge = false;
    for (event, range) in events {
        if is_tag(event, "<sup>") {
            let written = source.text.get(range.start..).unwrap_or_default();
            is_badge = written.starts_with("<Badge");
        } else if is_tag(event, "</sup>") {
            is_badge = false;
        } else if !is_badge {
            kept.push((event.clone(), range.clone()));
        }
    }
    Some(plain_text(&kept))
}

/// Whether readers see nothing of it. Some pages have `&nbsp;` above their first heading, which makes room there.
fn is_nothing(events: &[PlacedEvent<'_>]) -> bool {
    events.iter().all(|(event, _)| match event {
        Event::Start(tag) => matches!(tag, Tag::HtmlBlock | Tag::Paragraph),
        Event::End(tag) => matches!(tag, TagEnd::HtmlBlock | TagEnd::Paragraph),
        Event::Html(text) | Event::InlineHtml(text) | Event::Text(text) => text.trim().is_empty(),
        Event::SoftBreak | Event::HardBreak => true,
        _ => false,
    })
}

/// How many of these events, at their end, are those of blank paragraphs.
fn blank_length(events: &[PlacedEvent<'_>]) -> usize {
    let mut length = 0;
    while let [before @ .., (Event::End(TagEnd::Paragraph), _)] = &events[..events.len() - length]
        && let Some(start) = before
            .iter()
            .rposition(|(event, _)| matches!(event, Event::Start(Tag::Paragraph)))
        && is_nothing(&before[start..])
    {
        length = events.len() - start;
    }
    length
}

/// The level of the heading that is the title: 1, or that of the heading that a page begins with, where all others are below it.
fn level_of_title(events: &[PlacedEvent<'_>]) -> u8 {
    let mut headings = events
        .iter()
        .enumerate()
        .filter_map(|(index, (event, _))| match event {
            Event::Start(Tag::Heading { level, .. }) => Some((index, *level as u8)),
            _ => None,
        });
    match headings.next() {
        Some((index, first)) if is_nothing(&events[..index]) && headings.all(|(_, level)| level > first) => {
            first
        }
        _ => 1,
    }
}

/// Those that begin with a colon are the site's own.
fn is_id(id: &str) -> bool {
    !id.is_empty()
        && !id.starts_with(':')
        && id
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ':'))
}

/// True if a fenced code block ends with its closing fence and not with the end of the file.
fn is_closed(block: &str) -> bool {
    let mut lines = block.lines();
    let Some(first) = lines.next() else { return false };
    let first = first.trim_start();
    let fence = first.chars().next().unwrap_or('`');
    let width = first.chars().take_while(|c| *c == fence).count();
    // A block in a quote or a list carries the marks of its container on its last line too.
    let last = lines
        .next_back()
        .unwrap_or_default()
        .trim_start_matches([' ', '\t', '>'])
        .trim_end();
    last.chars().count() >= width && last.chars().all(|c| c == fence)
}

fn report(source: &Source, at: usize, schema: Schema, message: &str, problems: &mut Vec<Diagnostic>) {
    problems.push(if schema.is_strict() {
        Diagnostic::error(source, at, message)
    } else {
        Diagnostic::warning(source, at, message)
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(markdown: &str, schema: Schema, expected: &str) {
        let source = Source::new("a.md", "a.md", markdown);
        let reading = Reading {
            schema,
            ..Reading::default()
        };
        let (document, problems) = parse(&source, 0, reading);
        let mut lines: Vec<String> = document
            .headings
            .iter()
            .map(|heading| format!("h{} {} {}", heading.level, heading.id, heading.text))
            .collect();
        lines.extend(problems.iter().map(ToString::to_string));
        assert_eq!(lines.join("\n"), expected);
    }

    #[test]
    fn headings_have_ids() {
        check(
            "# T\n\n## A `b` *c* {#x}\n\n### A b!\n",
            Schema::Siftwren,
            "h2 x A b c\nh3 a-b A b!",
        );
        let markdown = "# T\n\n## A { id=\"1.2\" }\n\n## B { data-toc id='b2' .c }\n\n## C {: #c2 }\n\n## D { id=d2 }\n\n## E {id}\n";
        check(
            markdown,
            Schema::Foreign,
            "h2 1.2 A\nh2 b2 B\nh2 c2 C\nh2 d2 D\nh2 e E",
        );
    }

    #[test]
    fn an_id_of_the_site_is_none_of_a_heading() {
        check(
            "## A {#:menu}\n\n## B {#b:c}\n",
            Schema::Foreign,
            "h2 menu A\nh2 b:c B",
        );
        check(
            "## A {#:menu}\n",
            Schema::Siftwren,
            "h2 menu A\na.md:1:1: `:menu` cannot be an id: an id takes letters, digits, `-`, `_`, `.` and, behind the first character, `:`",
        );
    }

    #[test]
    fn a_second_id_is_an_error_in_our_content_and_numbered_elsewhere() {
        let markdown = "## A\n\n## A\n";
        check(markdown, Schema::Foreign, "h2 a A\nh2 a-1 A");
        check(
            markdown,
            Schema::Siftwren,
            "h2 a A\nh2 a A\na.md:3:1: another heading of this page has the id `a`; give this one `{#another-id}`",
        );
    }

    #[test]
    fn an_open_fence_is_found_in_containers_too() {
        check(
            "```bash\na\n```\n\n> ```bash\n> a\n> ```\n\n- ~~~bash\n  a\n  ~~~\n",
            Schema::Siftwren,
            "",
        );
        let message =
            "the code block is not closed; end it with a line of as many backticks as it starts with";
        check("```bash\na\n", Schema::Siftwren, &format!("a.md:1:1: {message}"));
        check(
            "> ````bash\n> ```\n\ntext\n",
            Schema::Siftwren,
            &format!("a.md:1:3: {message}"),
        );
    }
}
