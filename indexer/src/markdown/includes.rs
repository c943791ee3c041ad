//! Files that a page brings into its text, as other generators have it:
//!
//! ```text
//! {{#include ../listings/main.rs:10:20}}      mdBook, also rustdoc_include, and the name of an anchor in the place of the lines
//! <!--@include: ./parts/start.md-->           VitePress
//! <<< @/snippets/start.js{2} [start.js]       VitePress: as a code block; `@` is the content folder
//! --8<-- "parts/start.md"                     PyMdown Extensions, from the content folder or that of the configuration
//! {!src/start.py!}                            markdown-include, from the same
//! {* src/start.py ln[2:4,9] hl[3] *}          markdown-include-variants: as a code block
//! <Start />                                   MDX, where it is imported: see `partials`
//! {{< param "version" >}}                     Hugo: a value of the page, its folders or the site, see `parameters`
//! <include>./start.mdx</include>              Fumadocs: Markdown, or another file as a code block; see `partials`
//! {% include-markdown "start.md" %}           mkdocs-include-markdown: see `templates`
//! {{ version }}                               mkdocs-macros: a value of the configuration, see `templates`
//! {{% include "/parts/start.md" %}}           Hugo's themes: Markdown, from the page, the content folder or that of the site
//! {{< readfile file="start.py" code="true" lang="python" >}}   Docsy, from the same
//! ```
//!
//! and the blocks `{include}` and `{literalinclude}` of MyST.
//!
//! Parts of files are named by lines, or by the marks `ANCHOR: name`, `#region name` and `--8<-- [start:name]` in them.

use std::borrow::Cow;
use std::fs;
use std::ops::Range;
use std::path::{Component, Path, PathBuf};

use super::constants;
use super::home;
use super::mdx;
use super::myst;
use super::parameters;
use super::partials::{self, PartialTag};
use super::reshaped::Reshaped;
use super::templates;
use crate::config::{Generator, Origin};
use crate::diagnostic::excerpt;
use crate::front_matter;
use crate::source::is_file;

/// How deep files may bring in others.
const DEEPEST: usize = 8;
/// How far above the content folder a program may be, or anything else that a page brings in.
const HIGHEST: usize = 3;
/// So many files for a page at most: few that bring in each other several times would be without end.
const MOST_FILES: usize = 1000;

/// A text with what it brings in.
#[derive(Debug, Default)]
pub(crate) struct Included {
    pub(crate) reshaped: Reshaped,
    /// The files.
    pub(crate) files: Vec<PathBuf>,
    /// Others of which something was asked.
    pub(crate) asked: Vec<PathBuf>,
    /// Components stand for some of them.
    pub(crate) is_mdx: bool,
    /// What is not there, by its place in the text, and how to mend it.
    pub(crate) missing: Vec<(usize, String)>,
}

/// The folders that paths may start in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Roots<'a> {
    pub(crate) content: &'a Path,
    pub(crate) origin: &'a Origin,
}

/// Brings the files in; `None` where a text asks for none. `page` is the file of the text.
pub(crate) fn read(text: &str, body_at: usize, page: &Path, roots: Roots<'_>) -> Option<Included> {
    let body = &text[body_at..];
    let tags = partials::tags(text, body_at, is_fumadocs(roots));
    let (mut asked, mut missing) = (Vec::new(), Vec::new());
    let blocks = blocks(text, page, roots, &mut asked, &mut missing);
    let has_home = matches!(
        roots.origin.generator,
        Some(Generator::VitePress | Generator::Starlight)
    );
    let home = if has_home {
        home::markdown(text, body_at)
    } else {
        None
    };
    if tags.is_empty()
        && blocks.is_empty()
        && home.is_none()
        && missing.is_empty()
        && !["{{#", "@include", "<<<", "--8<--", "{*", "{!", "{{<", "{{%"]
            .iter()
            .any(|mark| body.contains(mark))
    {
        return None;
    }
    let mut included = Included {
        is_mdx: !tags.is_empty(),
        asked,
        missing,
        ..Included::default()
    };
    included.reshaped.copy(text, 0..body_at);
    let mut at = body_at;
    let mut is_used = home.is_some() || !included.missing.is_empty();
    if let Some(home) = &home {
        included.reshaped.put(home, body_at);
    }
    let mut search = Search::new(text, &tags, blocks);
    while let Some(found) = search.next(at) {
        is_used = true;
        included.reshaped.copy(text, at..found.start);
        let written = match &found.kind {
            Kind::Literal(literal) => literal.to_string(),
            Kind::Parameter(name) => {
                let value = parameters::value(name, text, page, roots, &mut included.asked);
                let value = value.unwrap_or_else(|error| {
                    included.missing.push((found.start, error.to_string()));
                    Some(String::new())
                });
                // Of what nobody says anything the page tells.
                value.unwrap_or_else(|| text[found.start..found.end].to_owned())
            }
            Kind::Part(part) => {
                let Included { files, missing, .. } = &mut included;
                let brought = bring(part, page, roots, files, 0);
                brought.unwrap_or_else(|message| {
                    missing.push((found.start, message));
                    String::new()
                })
            }
        };
        included.reshaped.put(&written, found.start);
        at = found.end;
    }
    included.reshaped.copy(text, at..text.len());
    is_used.then_some(included)
}

/// What stands for something else.
#[derive(Clone)]
struct Found<'a> {
    start: usize,
    end: usize,
    kind: Kind<'a>,
}

#[derive(Clone)]
enum Kind<'a> {
    /// What stands there itself: a text that is written so that it is none, or what a name stands for.
    Literal(Cow<'a, str>),
    /// The name of a value.
    Parameter(String),
    Part(Part<'a>),
}

/// A file or a part of one.
#[derive(Clone)]
struct Part<'a> {
    path: &'a str,
    /// Lines or a name; empty: the whole file.
    lines: Lines<'a>,
    shown: Shown,
    start: Start,
    placed: Placed<'a>,
}

/// What stands around a part.
#[derive(Clone, Default)]
struct Placed<'a> {
    /// Before all lines but the first.
    indent: &'a str,
    /// What leads to it, as MyST has it.
    label: Option<&'a str>,
    /// How much deeper its headings are.
    heading_offset: i8,
}

impl Placed<'_> {
    /// A text with all its lines as far to the right as the first.
    fn indented(&self, text: &str) -> String {
        text.replace('\n', &format!("\n{}", self.indent))
    }
}

/// Which lines of a file are meant.
#[derive(Clone)]
enum Lines<'a> {
    /// `2`, `2:4`, `:4`, `2,4` or a name; empty: all.
    One(&'a str),
    /// Several ranges, and those that are marked, counted in the file.
    Ranges {
        shown: Vec<(usize, usize)>,
        marked: Vec<(usize, usize)>,
    },
    /// What stands in the element `<section>` of this id.
    Section(&'a str),
    /// Those between two, by their numbers from 1 or by what they hold.
    Between(Box<Between<'a>>),
    /// No lines but what stands between two texts; without one of these, up to the start or the end.
    Texts(Option<String>, Option<String>),
}

/// Where lines begin and end. Without one, with the file.
#[derive(Clone, Default)]
struct Between<'a> {
    first: usize,
    last: Option<usize>,
    /// What the line before the first holds, and the first itself.
    after: Option<&'a str>,
    from: Option<&'a str>,
    /// What the line behind the last holds, and the last itself.
    before: Option<&'a str>,
    to: Option<&'a str>,
}

/// What a part becomes.
#[derive(Clone)]
enum Shown {
    Text,
    /// The same without its front matter.
    Body,
    /// A code block, with the rest of its info string. Its language is that of the file where it is empty.
    Code {
        language: String,
        info: String,
    },
    /// A part of a line, without what MDX does not show.
    Words,
    /// The same as blocks of their own, as far to the right as this.
    Blocks(String),
}

impl Shown {
    /// Code in the language of its file.
    fn code(info: String) -> Self {
        Self::Code {
            language: String::new(),
            info,
        }
    }
}

/// Where a path starts.
#[derive(Clone, Copy, PartialEq)]
enum Start {
    Page,
    Content,
    /// In the folder of the configuration of another generator, the content folder, or at the page.
    Anywhere,
    /// In the content folder or one of those above it, where the program of the site is.
    Above,
}

/// Finds what stands for something else, one after the other.
struct Search<'a> {
    text: &'a str,
    tags: &'a [PartialTag],
    /// The blocks of MyST, and the names of constants.
    blocks: Vec<Found<'a>>,
    /// The next of each kind. It is looked for again where what was found was passed.
    next: [Next<'a>; 5],
}

#[derive(Clone, Default)]
enum Next<'a> {
    #[default]
    Unknown,
    Nowhere,
    At(Found<'a>),
}

impl<'a> Search<'a> {
    fn new(text: &'a str, tags: &'a [PartialTag], blocks: Vec<Found<'a>>) -> Self {
        Self {
            text,
            tags,
            blocks,
            next: Default::default(),
        }
    }

    /// The first thing behind `from`, which is not before that of the last call.
    fn next(&mut self, from: usize) -> Option<Found<'a>> {
        let (text, tags) = (self.text, self.tags);
        for (kind, next) in self.next.iter_mut().enumerate() {
            let is_passed = match next {
                Next::Unknown => true,
                Next::Nowhere => false,
                Next::At(found) => found.start < from,
            };
            if !is_passed {
                continue;
            }
            let found = match kind {
                0 => mdbook(text, from),
                1 => lines(text, from),
                2 => {
                    let tag = tags.iter().find(|tag| tag.range.start >= from);
                    tag.map(|tag| of_tag(text, tag))
                }
                3 => {
                    let next = self.blocks.partition_point(|block| block.start < from);
                    self.blocks.get(next).cloned()
                }
                _ => parameters::next(text, from).map(|parameter| Found {
                    start: parameter.start,
                    end: parameter.end,
                    kind: Kind::Parameter(parameter.name),
                }),
            };
            *next = found.map_or(Next::Nowhere, Next::At);
        }
        let found = self.next.iter().filter_map(|next| match next {
            Next::At(found) => Some(found),
            _ => None,
        });
        found.min_by_key(|found| found.start).cloned()
    }
}

fn of_tag<'a>(text: &'a str, tag: &'a PartialTag) -> Found<'a> {
    let line_start = text[..tag.range.start].rfind('\n').map_or(0, |end| end + 1);
    let before = &text[line_start..tag.range.start];
    let behind = text[tag.range.end..].split('\n').next().unwrap_or_default();
    let is_alone = before.trim().is_empty() && behind.trim().is_empty();
    let (path, part) = match &tag.include {
        Some(_) => tag.path.split_once('#').unwrap_or((&tag.path, "")),
        None => (tag.path.as_str(), ""),
    };
    let code = tag.include.as_ref().and_then(|include| {
        let is_code = include.language.is_some() || !partials::is_markdown(path);
        is_code.then(|| Shown::Code {
            language: include.language.clone().unwrap_or_default(),
            info: include.info.clone(),
        })
    });
    let shown = code.unwrap_or_else(|| match is_alone {
        true => Shown::Blocks(before.to_owned()),
        false => Shown::Words,
    });
    let is_from_program = tag
        .include
        .as_ref()
        .is_some_and(|include| include.is_from_program);
    Found {
        start: tag.range.start,
        end: tag.range.end,
        kind: Kind::Part(Part {
            path,
            lines: match (&shown, part) {
                (Shown::Code { .. }, _) | (_, "") => Lines::One(part),
                _ => Lines::Section(part),
            },
            shown,
            start: if is_from_program {
                Start::Above
            } else {
                Start::Page
            },
            placed: Placed {
                indent: if is_alone { before } else { "" },
                ..Placed::default()
            },
        }),
    }
}

fn is_fumadocs(roots: Roots<'_>) -> bool {
    roots.origin.generator == Some(Generator::Fumadocs)
}

/// The blocks of MyST that bring something in, and the names in MDX that stand for what another file says.
fn blocks<'a>(
    text: &'a str,
    page: &Path,
    roots: Roots<'_>,
    asked: &mut Vec<PathBuf>,
    missing: &mut Vec<(usize, String)>,
) -> Vec<Found<'a>> {
    if roots.origin.generator == Some(Generator::MkDocs) {
        let tags = templates::tags(text, roots.origin).into_iter();
        return tags.map(|tag| of_template(text, tag)).collect();
    }
    if roots.origin.generator != Some(Generator::Myst) {
        let names = constants::written_out(text, page, roots, asked, missing).into_iter();
        let literal = |(place, text): (Range<usize>, String)| Found {
            start: place.start,
            end: place.end,
            kind: Kind::Literal(Cow::Owned(text)),
        };
        return names.map(literal).collect();
    }
    if !text.contains("include}") {
        return Vec::new();
    }
    let blocks = myst::directives(text, &["include", "literalinclude"]).into_iter();
    blocks
        .filter_map(|(start, block)| of_block(text, start, &block))
        .collect()
}

fn of_template<'a>(text: &'a str, tag: templates::Tag<'a>) -> Found<'a> {
    let Range { start, end } = tag.range;
    let kind = match tag.kind {
        templates::Kind::Text(text) => Kind::Literal(Cow::Owned(text)),
        templates::Kind::File(file) => {
            let line_start = text[..start].rfind('\n').map_or(0, |end| end + 1);
            let before = &text[line_start..start];
            let is_from_here = file.path.starts_with("./") || file.path.starts_with("../");
            Kind::Part(Part {
                path: file.path,
                lines: Lines::Texts(file.start, file.end),
                shown: if file.is_markdown {
                    Shown::Body
                } else {
                    Shown::Text
                },
                start: if is_from_here { Start::Page } else { Start::Content },
                placed: Placed {
                    indent: if before.trim().is_empty() { before } else { "" },
                    heading_offset: file.heading_offset,
                    ..Placed::default()
                },
            })
        }
    };
    Found { start, end, kind }
}

fn of_block<'a>(text: &'a str, start: usize, block: &myst::Directive<'a>) -> Option<Found<'a>> {
    let number = |name: &str| block.one_of(&[name]).and_then(|number| number.parse().ok());
    let language = block.one_of(&["language", "lang", "code"]);
    let is_code = block.name == "literalinclude" || language.is_some() || block.option("literal").is_some();
    let lines = match block.one_of(&["lines"]) {
        Some(lines) => ranges(lines).map_or(Lines::One(lines), |shown| Lines::Ranges {
            shown,
            marked: Vec::new(),
        }),
        None => Lines::Between(Box::new(Between {
            // Counted from 0, as Python does.
            first: number("start-line").unwrap_or_default(),
            last: number("end-line"),
            after: block.one_of(&["start-after"]),
            from: block.one_of(&["start-at"]),
            before: block.one_of(&["end-before"]),
            to: block.one_of(&["end-at"]),
        })),
    };
    let shown = if is_code {
        Shown::Code {
            language: language.unwrap_or_default().to_owned(),
            info: block.info(),
        }
    } else {
        Shown::Body
    };
    let indent = block.indent;
    Some(Found {
        start: start + indent.len(),
        end: start + text[start..block.end].trim_end().len(),
        kind: Kind::Part(Part {
            path: block.argument,
            lines,
            shown,
            start: Start::Page,
            placed: Placed {
                indent,
                label: block.label(),
                ..Placed::default()
            },
        }),
    })
    .filter(|_| !block.argument.is_empty())
}

/// `1,3-5,8-` as ranges.
fn ranges(lines: &str) -> Option<Vec<(usize, usize)>> {
    let ranges = lines.split(',').map(|range| {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let last = if last.trim().is_empty() {
            usize::MAX
        } else {
            last.trim().parse().ok()?
        };
        Some((first.trim().parse().ok()?, last))
    });
    ranges.collect()
}

/// `{{#include path:lines}}`, and what it is called for code.
fn mdbook(text: &str, from: usize) -> Option<Found<'_>> {
    let mut at = from;
    loop {
        let start = at + text[at..].find("{{#")?;
        let length = text[start..].find("}}")? + 2;
        let (name, argument) = text[start + 3..start + length - 2]
            .split_once(' ')
            .unwrap_or((&text[start + 3..start + length - 2], ""));
        let end = start + length;
        let is_known = matches!(
            name,
            "include" | "rustdoc_include" | "playground" | "playpen" | "title"
        );
        if is_known && text[from..start].ends_with('\\') {
            let literal = Kind::Literal(Cow::Borrowed(&text[start..end]));
            return Some(Found {
                start: start - 1,
                end,
                kind: literal,
            });
        }
        let argument = argument.split_whitespace().next().unwrap_or_default();
        let (path, lines) = argument.split_once(':').unwrap_or((argument, ""));
        let part = |code: Option<String>| {
            Kind::Part(Part {
                path,
                lines: Lines::One(lines),
                shown: code.map_or(Shown::Text, Shown::code),
                start: Start::Page,
                placed: Placed::default(),
            })
        };
        match name {
            "include" | "rustdoc_include" if !path.is_empty() => {
                return Some(Found {
                    start,
                    end,
                    kind: part(None),
                });
            }
            "playground" | "playpen" if !path.is_empty() => {
                return Some(Found {
                    start,
                    end,
                    kind: part(Some(String::new())),
                });
            }
            // The title of the browser's tab is that of the page.
            "title" if !argument.is_empty() => {
                return Some(Found {
                    start,
                    end,
                    kind: Kind::Literal(Cow::Borrowed("")),
                });
            }
            _ => at = start + 3,
        }
    }
}

/// What takes a line of its own.
fn lines(text: &str, from: usize) -> Option<Found<'_>> {
    let mut at = from;
    for line in text[from..].split_inclusive('\n') {
        let start = at;
        at += line.len();
        let is_whole = start == 0 || text[..start].ends_with('\n');
        if let Some(mut part) = line_part(line.trim()).filter(|_| is_whole) {
            // What stands in an item of a list stays in it.
            part.placed.indent = &line[..line.len() - line.trim_start().len()];
            return Some(Found {
                start: start + part.placed.indent.len(),
                end: start + line.trim_end().len(),
                kind: Kind::Part(part),
            });
        }
    }
    None
}

fn line_part(line: &str) -> Option<Part<'_>> {
    if let Some(inner) = line
        .strip_prefix("<!--")
        .and_then(|inner| inner.strip_suffix("-->"))
    {
        let path = inner.trim().strip_prefix("@include:")?.trim();
        let (path, lines) = with_lines(path);
        return Some(Part {
            path: path.trim_start_matches("@/"),
            lines: Lines::One(lines),
            shown: Shown::Text,
            start: in_vitepress(path),
            placed: Placed::default(),
        });
    }
    if let Some(inner) = line.strip_prefix("<<< ") {
        if !inner.trim_start().starts_with(['@', '.']) {
            return None;
        }
        let (inner, title) = inner.trim().split_once('[').unwrap_or((inner.trim(), ""));
        let (inner, marked) = inner.trim().split_once('{').unwrap_or((inner.trim(), ""));
        let (path, lines) = with_lines(inner.trim());
        let mut code = String::new();
        let marked = marked.trim_end_matches('}');
        if marked.starts_with(|c: char| c.is_ascii_digit()) {
            code.push_str(&format!(" {{{}}}", marked.split(' ').next().unwrap_or_default()));
        }
        if let Some(title) = title.strip_suffix(']') {
            code.push_str(&format!(" [{title}]"));
        }
        return Some(Part {
            path: path.trim_start_matches("@/"),
            lines: Lines::One(lines),
            shown: Shown::code(code),
            start: in_vitepress(path),
            placed: Placed::default(),
        });
    }
    if let Some(inner) = line.strip_prefix("{!") {
        let path = inner.strip_suffix("!}")?.trim_start_matches('>').trim();
        return (!path.is_empty() && !path.contains(['{', '}'])).then_some(Part {
            path,
            lines: Lines::One(""),
            shown: Shown::Text,
            start: Start::Anywhere,
            placed: Placed::default(),
        });
    }
    if let Some(inner) = line.strip_prefix("{* ") {
        return variant(inner.strip_suffix("*}")?.trim());
    }
    if line.starts_with("{{") {
        return of_shortcode(line);
    }
    let inner = line.strip_prefix("--8<-- \"")?.strip_suffix('"')?;
    let (path, lines) = inner.split_once(':').unwrap_or((inner, ""));
    Some(Part {
        path,
        lines: Lines::One(lines),
        shown: Shown::Text,
        start: Start::Anywhere,
        placed: Placed::default(),
    })
}

/// The file that a shortcode shows: its `file`, or its only value; as a code block where it says so.
fn of_shortcode(line: &str) -> Option<Part<'_>> {
    let inner = ["%", "<"]
        .into_iter()
        .zip(["%}}", ">}}"])
        .find_map(|(start, end)| {
            let inner = line.strip_prefix("{{")?.strip_prefix(start)?.strip_suffix(end)?;
            Some(inner.trim().trim_end_matches('/').trim())
        })?;
    let (name, values) = inner.split_once(char::is_whitespace)?;
    if !matches!(name, "include" | "readfile") || inner.contains("{{") {
        return None;
    }
    let value = |key: &str| {
        let (before, behind) = values.split_once(&format!("{key}=\""))?;
        let is_key = before.is_empty() || before.ends_with(char::is_whitespace);
        behind.split_once('"').map(|(value, _)| value).filter(|_| is_key)
    };
    let only = || {
        let quoted = values.trim().strip_prefix('"')?;
        quoted.strip_suffix('"').filter(|path| !path.contains('"'))
    };
    let path = value("file").or_else(only)?;
    let is_code = value("code") == Some("true");
    Some(Part {
        path,
        lines: Lines::One(""),
        shown: match is_code {
            true => Shown::Code {
                language: value("lang").unwrap_or_default().to_owned(),
                info: String::new(),
            },
            false => Shown::Body,
        },
        start: Start::Anywhere,
        placed: Placed::default(),
    })
}

/// `@` is the content folder.
fn in_vitepress(path: &str) -> Start {
    if path.starts_with("@/") {
        Start::Content
    } else {
        Start::Page
    }
}

/// `path ln[2:4,9] hl[3] title["Start"]`, as FastAPI and its like have it.
fn variant(text: &str) -> Option<Part<'_>> {
    let (path, rest) = text.split_once(' ').unwrap_or((text, ""));
    let argument = |name: &str| {
        let (_, value) = rest.split_once(&format!("{name}["))?;
        value.split_once(']').map(|(value, _)| value)
    };
    let ranges = |name: &str| -> Option<Vec<(usize, usize)>> {
        let Some(value) = argument(name) else {
            return Some(Vec::new());
        };
        let numbers = value.split(',').map(|range| {
            let (first, last) = range.split_once(':').unwrap_or((range, range));
            Some((first.trim().parse().ok()?, last.trim().parse().ok()?))
        });
        numbers.collect()
    };
    let title = argument("title").map(|title| title.trim_matches(['"', '\'']));
    let is_path = path.contains('.') && !path.contains(['*', '{', '}']);
    is_path.then_some(Part {
        path,
        lines: Lines::Ranges {
            shown: ranges("ln")?,
            marked: ranges("hl")?,
        },
        shown: Shown::code(title.map_or_else(String::new, |title| format!(" [{title}]"))),
        start: Start::Anywhere,
        placed: Placed::default(),
    })
}

/// `path#name` and `path{2,4}`.
fn with_lines(path: &str) -> (&str, &str) {
    if let Some((path, lines)) = path.split_once('{') {
        return (path.trim(), lines.trim_end_matches('}'));
    }
    path.split_once('#').unwrap_or((path, ""))
}

/// The text of a part, with what it brings in itself.
fn bring(
    part: &Part<'_>,
    page: &Path,
    roots: Roots<'_>,
    files: &mut Vec<PathBuf>,
    depth: usize,
) -> Result<String, String> {
    let is_absolute = Path::new(part.path).is_absolute();
    let from_site = matches!(
        roots.origin.generator,
        Some(Generator::Mintlify | Generator::Docusaurus | Generator::Hugo)
    );
    if is_absolute && !from_site {
        return Err(format!(
            "`{}` is an absolute path; write it from this file",
            part.path
        ));
    }
    if part.path.contains("://") {
        return Err(format!(
            "`{}` is not included: nothing is fetched; put the file beside this one and write its path",
            part.path
        ));
    }
    let path = file_of(part, page, roots);
    if is_far_above(&path, roots.content) {
        return Err(format!(
            "`{}` is too far above the content folder; put the file nearer to it",
            part.path
        ));
    }
    if files.len() == MOST_FILES {
        return Err(format!(
            "`{}` is not included: the page has {MOST_FILES} files already",
            part.path
        ));
    }
    files.push(path.clone());
    let text = fs::read_to_string(&path).map_err(|error| {
        let folder = match part.start {
            Start::Page => "this file",
            Start::Content => "the content folder",
            Start::Anywhere => "the folder of the configuration, the content folder or this file",
            Start::Above => "the folder of the program of the site",
        };
        format!(
            "cannot include `{}`: {error}; write its path from {folder}",
            part.path
        )
    })?;
    let mut text = text.replace("\r\n", "\n");
    let is_component = matches!(part.shown, Shown::Words | Shown::Blocks(_));
    if is_component || matches!(part.shown, Shown::Body) {
        text.drain(..front_matter::body_at(&text));
    }
    let (chosen, marked) = match &part.lines {
        Lines::One(lines) => {
            let chosen = choose(&text, lines);
            let chosen = chosen.ok_or_else(|| format!("`{}` has no part `{lines}`", part.path))?;
            (chosen, String::new())
        }
        Lines::Section(id) => {
            let chosen =
                section(&text, id).ok_or_else(|| format!("`{}` has no section `{id}`", part.path))?;
            (chosen.to_owned(), String::new())
        }
        Lines::Ranges { shown, marked } => choose_ranges(&text, shown, marked),
        Lines::Texts(start, end) => {
            let chosen = between_texts(&text, start.as_deref(), end.as_deref());
            let chosen = chosen.map_err(|mark| format!("`{}` has no text `{}`", part.path, excerpt(mark)))?;
            (chosen, String::new())
        }
        Lines::Between(between) => {
            let chosen = between.choose(&text);
            let chosen = chosen.map_err(|mark| format!("`{}` has no line with `{mark}`", part.path))?;
            (chosen, String::new())
        }
    };
    if let Shown::Code { language, info: code } = &part.shown {
        let ending = path.extension().and_then(|ending| ending.to_str());
        let language = if language.is_empty() {
            ending.unwrap_or("text")
        } else {
            language
        };
        // Tildes, so that a title may hold what quotes code.
        let longest = chosen.split(|c| c != '~').map(str::len).max().unwrap_or_default();
        let fence = "~".repeat(longest.max(2) + 1);
        let label = part
            .placed
            .label
            .map_or_else(String::new, |label| format!("({label})=\n"));
        let block = format!("{label}{fence}{language}{marked}{code}\n{chosen}\n{fence}");
        return Ok(part.placed.indented(&block));
    }
    if depth == DEEPEST {
        return Err(format!("`{}` is included by a file that it includes", part.path));
    }
    let mut whole = String::with_capacity(chosen.len());
    let tags = partials::tags(&chosen, 0, is_fumadocs(roots));
    let mut at = 0;
    let mut missing = Vec::new();
    let blocks = blocks(&chosen, &path, roots, files, &mut missing);
    if let Some((_, message)) = missing.pop() {
        return Err(message);
    }
    let mut search = Search::new(&chosen, &tags, blocks);
    while let Some(found) = search.next(at) {
        whole.push_str(&chosen[at..found.start]);
        match &found.kind {
            Kind::Literal(literal) => whole.push_str(literal),
            // Those are of pages.
            Kind::Parameter(_) => whole.push_str(&chosen[found.start..found.end]),
            Kind::Part(inner) => whole.push_str(&bring(inner, &path, roots, files, depth + 1)?),
        }
        at = found.end;
    }
    whole.push_str(&chosen[at..]);
    if part.placed.heading_offset != 0 {
        whole = templates::with_deeper_headings(&whole, part.placed.heading_offset);
    }
    if is_component {
        whole = mdx::without_modules(&mdx::with_pictures(&whole));
    }
    Ok(match &part.shown {
        Shown::Blocks(indent) => {
            let lines: Vec<&str> = whole.trim().lines().collect();
            format!("\n\n{indent}{}\n\n{indent}", lines.join(&format!("\n{indent}")))
        }
        Shown::Words => whole.trim().to_owned(),
        Shown::Body => part.placed.indented(whole.trim()),
        Shown::Text | Shown::Code { .. } => part.placed.indented(&whole),
    })
}

/// What stands between two texts, each time that they are there; the error is the one that is not.
fn between_texts<'a>(text: &str, start: Option<&'a str>, end: Option<&'a str>) -> Result<String, &'a str> {
    let wanted = [start, end].map(|mark| mark.filter(|mark| !mark.is_empty()));
    if let Some(missing) = wanted.into_iter().flatten().find(|mark| !text.contains(mark)) {
        return Err(missing);
    }
    let before_end = |text: &str, end: &str| text.split(end).next().unwrap_or_default().to_owned();
    let chosen = match wanted {
        [None, None] => text.to_owned(),
        [Some(start), None] => text.split_once(start).map_or("", |(_, behind)| behind).to_owned(),
        [None, Some(end)] => before_end(text, end),
        [Some(start), Some(end)] => text
            .split(start)
            .skip(1)
            .map(|part| before_end(part, end))
            .collect(),
    };
    Ok(chosen.trim_end().to_owned())
}

impl<'a> Between<'a> {
    /// The error is what no line holds.
    fn choose(&self, text: &str) -> Result<String, &'a str> {
        let count = self
            .last
            .map_or(usize::MAX, |last| last.saturating_sub(self.first));
        let lines: Vec<&str> = text.lines().skip(self.first).take(count).collect();
        let holding = |mark: Option<&'a str>, from: usize| -> Result<Option<usize>, &'a str> {
            let Some(mark) = mark else { return Ok(None) };
            let place = lines[from..].iter().position(|line| line.contains(mark));
            place.map(|place| Some(from + place)).ok_or(mark)
        };
        let after = holding(self.after, 0)?.map(|line| line + 1);
        let first = after.or(holding(self.from, 0)?).unwrap_or_default();
        let to = holding(self.to, first)?.map(|line| line + 1);
        let end = holding(self.before, first)?.or(to);
        Ok(lines[first..end.unwrap_or(lines.len())]
            .join("\n")
            .trim_end()
            .to_owned())
    }
}

/// Whether a path leads out of all folders in which something of a site can be.
fn is_far_above(path: &Path, content: &Path) -> bool {
    let mut below = 0_usize;
    let mut above = 0;
    for name in path.strip_prefix(content).into_iter().flat_map(Path::components) {
        match name {
            Component::ParentDir if below == 0 => above += 1,
            Component::ParentDir => below -= 1,
            Component::Normal(_) => below += 1,
            _ => {}
        }
    }
    above > HIGHEST
}

/// The file that a path means: where there are several folders to start in, the first that has it.
fn file_of(part: &Part<'_>, page: &Path, roots: Roots<'_>) -> PathBuf {
    let beside = page.parent().unwrap_or(roots.content);
    let site = roots.origin.site.as_path();
    let has_site = roots.origin.generator.is_some();
    if let Some(path) = roots.origin.named(part.path) {
        return site.join(path);
    }
    // Only these have such paths.
    if let Some(path) = part.path.strip_prefix('/') {
        let in_content = roots.content.join(path);
        return match roots.origin.generator {
            Some(Generator::Docusaurus) => site.join(path),
            Some(Generator::Hugo) if !may_be_file(&in_content) => site.join(path),
            _ => in_content,
        };
    }
    let folders = match part.start {
        Start::Page => vec![beside],
        Start::Content => vec![roots.content],
        Start::Above => roots.content.ancestors().take(HIGHEST + 1).collect(),
        Start::Anywhere if has_site => vec![site, roots.content, beside],
        Start::Anywhere => vec![roots.content, beside],
    };
    if part.start == Start::Anywhere {
        let named = roots.origin.included_from.iter();
        let mut named = named.map(|folder| site.join(folder).join(part.path));
        if let Some(file) = named.find(|file| may_be_file(file)) {
            return file;
        }
    }
    let mut files = folders.iter().map(|folder| folder.join(part.path));
    let beside_page = files.next_back().unwrap_or_default();
    files.find(|file| may_be_file(file)).unwrap_or(beside_page)
}

/// Whether to read a path: also where the system cannot tell what is there, for reading it tells why.
fn may_be_file(path: &Path) -> bool {
    is_file(path).unwrap_or(true)
}

/// The lines of several ranges, all without one, and those of them that are marked, as an info string has it.
fn choose_ranges(text: &str, shown: &[(usize, usize)], marked: &[(usize, usize)]) -> (String, String) {
    let is_in = |ranges: &[(usize, usize)], number: usize| {
        ranges
            .iter()
            .any(|(first, last)| (*first..=*last).contains(&number))
    };
    let mut lines = Vec::new();
    let mut marks = Vec::new();
    for (at, line) in text.lines().enumerate() {
        if shown.is_empty() || is_in(shown, at + 1) {
            lines.push(line);
            if is_in(marked, at + 1) {
                marks.push(lines.len().to_string());
            }
        }
    }
    let marks = match marks.as_slice() {
        [] => String::new(),
        marks => format!(" {{{}}}", marks.join(",")),
    };
    (lines.join("\n").trim_end().to_owned(), marks)
}

/// The lines that are asked for: `2`, `2:4`, `:4`, `2,4` or a name. Marks of parts are none of them.
fn choose(text: &str, wanted: &str) -> Option<String> {
    let kept = |lines: &mut dyn Iterator<Item = &str>| {
        let lines: Vec<&str> = lines.filter(|line| !is_mark(line)).collect();
        lines.join("\n").trim_end().to_owned()
    };
    if wanted.is_empty() {
        return Some(kept(&mut text.lines()));
    }
    let is_number = |c: char| c.is_ascii_digit() || matches!(c, ':' | ',' | '-');
    if wanted.chars().all(is_number) {
        let (first, last) = match wanted.split_once([':', ',', '-']) {
            Some((first, last)) => (first, last),
            None => (wanted, wanted),
        };
        let last = last.split([':', ',']).next().unwrap_or_default();
        let first: usize = if first.is_empty() { 1 } else { first.parse().ok()? };
        let last: usize = if last.is_empty() {
            usize::MAX
        } else {
            last.parse().ok()?
        };
        let first = first.max(1);
        let count = (last + usize::from(last < usize::MAX)).saturating_sub(first);
        return Some(kept(&mut text.lines().skip(first - 1).take(count)));
    }
    let is_at = |line: &str, marks: [&str; 3]| {
        marks.iter().any(|mark| {
            line.split_once(mark).is_some_and(|(_, name)| {
                let name = name.trim_start();
                name.strip_prefix(wanted).is_some_and(|rest| {
                    !rest.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '-'))
                })
            })
        })
    };
    let lines: Vec<&str> = text.lines().collect();
    let start = lines
        .iter()
        .position(|line| is_at(line, ["ANCHOR:", "#region", "--8<-- [start:"]))?;
    let inner = &lines[start + 1..];
    let end = inner
        .iter()
        .position(|line| is_at(line, ["ANCHOR_END:", "#endregion", "--8<-- [end:"]))
        .unwrap_or(inner.len());
    Some(kept(&mut inner[..end].iter().copied()))
}

/// What stands in `<section id="id">`.
fn section<'a>(text: &'a str, id: &str) -> Option<&'a str> {
    let start = format!("<section id=\"{id}\">");
    let inner = &text[text.find(&start)? + start.len()..];
    Some(&inner[..inner.find("</section>")?])
}

fn is_mark(line: &str) -> bool {
    ["ANCHOR:", "ANCHOR_END:", "#region ", "#endregion", "--8<-- ["]
        .iter()
        .any(|mark| line.contains(mark))
}
