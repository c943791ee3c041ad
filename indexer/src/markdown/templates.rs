//! What plug-ins of MkDocs put into the text of a page before it is read as Markdown, in code as well:
//!
//! ```text
//! Version {{ version }}                                        mkdocs-macros: a value below `extra` in mkdocs.yml, or of the page
//! {% include-markdown "../README.md" start="<!--start-->" %}   mkdocs-include-markdown: Markdown
//! {% include "../setup.py" %}                                  mkdocs-include-markdown: a text as it is
//! ```

use std::collections::BTreeMap;
use std::ops::Range;

use crate::config::Origin;
use crate::fields::Value;
use crate::front_matter;

/// Bytes: a tag without an end would otherwise be looked for as far as the text goes, for each of them.
const LONGEST_ARGUMENTS: usize = 4096;

/// What stands for something else.
pub(super) struct Tag<'a> {
    pub(super) range: Range<usize>,
    pub(super) kind: Kind<'a>,
}

pub(super) enum Kind<'a> {
    Text(String),
    File(File<'a>),
}

/// A file that is asked for.
#[derive(Debug, Default, PartialEq)]
pub(super) struct File<'a> {
    pub(super) path: &'a str,
    pub(super) is_markdown: bool,
    /// What the part that is wanted stands between.
    pub(super) start: Option<String>,
    pub(super) end: Option<String>,
    /// How much deeper its headings are.
    pub(super) heading_offset: i8,
}

/// All of them, in their order.
pub(super) fn tags<'a>(text: &'a str, origin: &Origin) -> Vec<Tag<'a>> {
    let plugins = origin.templates;
    let values = (plugins.has_values && text.contains("{{")).then(|| values(text, origin));
    let values = values.flatten().unwrap_or_default();
    let last_end_of_raw = text.rfind("endraw").unwrap_or_default();
    let mut tags = Vec::new();
    let mut at = 0;
    while let Some(found) = text[at..].find('{') {
        let start = at + found;
        let rest = &text[start..];
        at = start + 1;
        if let Some((name, length)) = named(rest) {
            if let Some(value) = values.get(name) {
                let kind = Kind::Text(value.clone());
                at = start + length;
                tags.push(Tag {
                    range: start..at,
                    kind,
                });
            }
        } else if let Some((name, arguments, length)) = block(rest) {
            let end = start + length;
            let file = match name {
                "include" | "include-markdown" if plugins.has_files => file(name, arguments),
                "raw" if !values.is_empty() && end <= last_end_of_raw => {
                    at = raw(text, start..end, &mut tags);
                    continue;
                }
                _ => None,
            };
            if let Some(file) = file {
                let kind = Kind::File(file);
                tags.push(Tag {
                    range: start..end,
                    kind,
                });
                at = end;
            }
        }
    }
    tags
}

/// Leaves out the tags around a text that stays as it is; where it ends.
fn raw(text: &str, start: Range<usize>, tags: &mut Vec<Tag<'_>>) -> usize {
    let mut behind = start.end;
    while let Some(found) = text[behind..].find("{%") {
        let at = behind + found;
        match block(&text[at..]) {
            Some(("endraw", _, length)) => {
                for range in [start, at..at + length] {
                    let kind = Kind::Text(String::new());
                    tags.push(Tag { range, kind });
                }
                return at + length;
            }
            _ => behind = at + 2,
        }
    }
    // Without an end nothing is raw.
    start.end
}

/// The name in `{{ name }}` at the start of a text, and how long that is.
fn named(text: &str) -> Option<(&str, usize)> {
    let inner = text.strip_prefix("{{")?;
    let spaced = inner.trim_start_matches(' ');
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-');
    let length = spaced.find(|c| !is_name(c))?;
    let (name, behind) = spaced.split_at(length);
    let behind = behind.trim_start_matches(' ').strip_prefix("}}")?;
    (!name.is_empty()).then_some((name, text.len() - behind.len()))
}

/// The name and the arguments of `{% name arguments %}` at the start of a text, and how long that is.
fn block(text: &str) -> Option<(&str, &str, usize)> {
    const NAMES: [&str; 4] = ["include-markdown", "include", "raw", "endraw"];
    let inner = text.strip_prefix("{%")?.trim_start_matches('-').trim_start();
    let name = NAMES.into_iter().find(|name| {
        let behind = inner.strip_prefix(name);
        behind.is_some_and(|behind| behind.starts_with(|c: char| c.is_whitespace() || matches!(c, '%' | '-')))
    })?;
    let arguments = &inner[name.len()..];
    let end = arguments[..arguments.floor_char_boundary(LONGEST_ARGUMENTS)].find("%}")?;
    let length = text.len() - inner.len() + name.len() + end + 2;
    Some((name, arguments[..end].trim_end_matches('-').trim(), length))
}

/// `"path" key="value" key=value`.
fn file<'a>(name: &str, arguments: &'a str) -> Option<File<'a>> {
    let (path, mut rest) = quoted(arguments)?;
    let mut file = File {
        path,
        is_markdown: name == "include-markdown",
        ..File::default()
    };
    while let Some((key, behind)) = rest.split_once('=') {
        let (value, behind) = quoted(behind).unwrap_or_else(|| {
            let end = behind.find(char::is_whitespace).unwrap_or(behind.len());
            behind.split_at(end)
        });
        match key.trim() {
            "start" => file.start = Some(unescaped(value)),
            "end" => file.end = Some(unescaped(value)),
            "heading-offset" => file.heading_offset = value.parse().unwrap_or_default(),
            // Links are followed from both files, comments are not seen, and how a text is indented is how it stands here.
            _ => {}
        }
        rest = behind;
    }
    (!path.is_empty()).then_some(file)
}

/// A text in quotes at the start of another, and what is behind it.
fn quoted(text: &str) -> Option<(&str, &str)> {
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let mut is_escaped = false;
    let end = text[1..].find(|c| {
        let is_end = c == quote && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
        is_end
    })?;
    Some((&text[1..=end], &text[end + 2..]))
}

fn unescaped(text: &str) -> String {
    let mut unescaped = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        unescaped.push(match (c, c == '\\') {
            (_, true) => match chars.next() {
                Some('n') => '\n',
                Some('t') => '\t',
                Some(other) => other,
                None => '\\',
            },
            (c, false) => c,
        });
    }
    unescaped
}

/// What names stand for on a page; `None` where it asks for nothing to be put in.
fn values(text: &str, origin: &Origin) -> Option<BTreeMap<String, String>> {
    let mut values = origin.parameters.clone();
    for (key, node) in front_matter::all_keys(text) {
        let Value::String(value) = node.value else {
            continue;
        };
        if matches!(
            (key.name.as_str(), value.as_str()),
            ("render_macros", "false") | ("ignore_macros", "true")
        ) {
            return None;
        }
        values.insert(format!("page.meta.{}", key.name), value.clone());
        if key.name == "title" {
            values.insert("page.title".to_owned(), value.clone());
        }
        values.insert(key.name, value);
    }
    Some(values)
}

/// A text with its headings deeper by this many levels, and none above the first or below the last level.
pub(super) fn with_deeper_headings(text: &str, offset: i8) -> String {
    let mut deeper = String::with_capacity(text.len());
    let mut code = None;
    for line in text.split_inclusive('\n') {
        match code {
            Some(opened) if super::fence::ends(line, opened) => code = None,
            Some(_) => {}
            None => code = super::fence::marks(line),
        }
        let level = line.bytes().take_while(|byte| *byte == b'#').count();
        let is_heading =
            code.is_none() && (1..=6).contains(&level) && line[level..].starts_with([' ', '\t', '\n']);
        match i8::try_from(level) {
            Ok(old) if is_heading => {
                let level = old.saturating_add(offset).clamp(1, 6);
                deeper.push_str(&"#".repeat(level.unsigned_abs().into()));
                deeper.push_str(&line[old.unsigned_abs().into()..]);
            }
            _ => deeper.push_str(line),
        }
    }
    deeper
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_asked_for_with_options() {
        let read = |text: &'static str| block(text).and_then(|(name, arguments, _)| file(name, arguments));
        assert_eq!(
            read(
                "{%-\n  include-markdown '../a.md'\n  start=\"<!--\\n\\\"x\\\"-->\" end='b' heading-offset=-2\n  comments=true %} {%"
            ),
            Some(File {
                path: "../a.md",
                is_markdown: true,
                start: Some("<!--\n\"x\"-->".to_owned()),
                end: Some("b".to_owned()),
                heading_offset: -2,
            })
        );
        for text in [
            "{% include a %}",
            "{% include \"\" %}",
            "{% include \"a",
            "{% includes \"a\" %}",
            "{% include-markdown %}",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn headings_go_deeper_outside_of_code() {
        assert_eq!(
            with_deeper_headings("# A\n#b\n###### C\n```\n# d\n```\n## E", 1),
            "## A\n#b\n###### C\n```\n# d\n```\n### E"
        );
        assert_eq!(with_deeper_headings("# A\n### B\n", -1), "# A\n## B\n");
    }
}
