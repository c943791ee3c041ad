//! The blocks of MyST that say what they are: `{name}` behind the marks of a code block, or behind colons.

use std::ops::Range;

use super::roles;
use crate::markdown::line_at;

/// A block with what it says of itself.
#[derive(Debug, PartialEq)]
pub(crate) struct Directive<'a> {
    /// Without what stands before a colon: `prf:theorem` is `theorem`.
    pub(crate) name: &'a str,
    /// The white space before it.
    pub(crate) indent: &'a str,
    /// What stands behind the name.
    pub(crate) argument: &'a str,
    options: Vec<(&'a str, &'a str)>,
    /// The lines that it holds.
    pub(crate) body: Range<usize>,
    /// Where the line ends that ends it.
    pub(crate) end: usize,
}

impl<'a> Directive<'a> {
    /// The block that begins with the line at `at`, within what ends at `end`.
    pub(crate) fn at(text: &'a str, at: usize, end: usize) -> Option<Self> {
        let line = line_at(&text[..end], at);
        let opened = Opened::of(line)?;
        let mut options = opened.options;
        let mut body_at = at + line.len();
        let (found, length) = options_of(&text[body_at..end], opened.marks);
        options.extend(found);
        body_at += length;
        let (body_end, next) = end_of(text, body_at, end, opened.marks);
        Some(Self {
            name: opened.name,
            indent: &line[..line.len() - line.trim_start().len()],
            argument: opened.argument,
            options,
            body: body_at..body_end,
            end: next,
        })
    }

    /// The value of an option; empty for one without.
    pub(crate) fn option(&self, name: &str) -> Option<&'a str> {
        let option = self.options.iter().find(|(key, _)| *key == name);
        option.map(|(_, value)| *value)
    }

    /// The first of some options that it has, with a value.
    pub(crate) fn one_of(&self, names: &[&str]) -> Option<&'a str> {
        let mut values = names.iter().filter_map(|name| self.option(name));
        values.find(|value| !value.is_empty())
    }

    /// What leads to it.
    pub(crate) fn label(&self) -> Option<&'a str> {
        self.one_of(&LABELS).or(own_label(self.name, self.argument))
    }

    /// Whether it has a number where it has a label.
    pub(super) fn is_counted(&self) -> bool {
        is_counted(self.options.iter().copied())
    }

    /// What a block of code says behind its language.
    pub(crate) fn info(&self) -> String {
        let mut info = String::new();
        if let Some(title) = self.one_of(&["caption", "filename"]) {
            let title = roles::plain(title).replace('"', "'");
            info.push_str(&format!(" title=\"{title}\""));
        }
        if let Some(lines) = self.one_of(&["emphasize-lines"]) {
            info.push_str(&format!(" highlight={}", lines.replace(' ', "")));
        }
        let is_numbered = |name: &&str| self.option(name).is_some_and(|value| value != "false");
        match self.one_of(&["lineno-start"]) {
            Some(first) => info.push_str(&format!(" numbers={first}")),
            None if ["linenos", "number-lines"].iter().any(is_numbered) => info.push_str(" numbers=1"),
            None => {}
        }
        info
    }

    pub(super) fn has_class(&self, class: &str) -> bool {
        let mut classes = self.options.iter().filter(|(key, _)| *key == "class");
        classes.any(|(_, value)| value.split([' ', ',']).any(|one| one == class))
    }
}

/// The options that say what leads to a block.
const LABELS: [&str; 2] = ["label", "name"];

/// The marks that a block begins with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Marks {
    sign: u8,
    count: usize,
    /// How far to the right they are.
    indent: usize,
}

/// What the first line of a block says.
pub(super) struct Opened<'a> {
    pub(super) marks: Marks,
    pub(super) name: &'a str,
    pub(super) argument: &'a str,
    /// Those between the braces: `{note #label .class key="value"}`.
    pub(super) options: Vec<(&'a str, &'a str)>,
}

impl<'a> Opened<'a> {
    pub(super) fn of(line: &'a str) -> Option<Self> {
        let text = line.trim();
        let marks = marks(line)?;
        let inner = text[marks.count..].trim_start().strip_prefix('{')?;
        let (inside, argument) = inner.split_once('}')?;
        let is_inline = marks.sign == b'`' && argument.contains('`');
        let mut words = inside.split_whitespace();
        let name = words.next()?;
        let name = name.rsplit(':').next().unwrap_or(name);
        if is_inline
            || !name
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'+'))
        {
            return None;
        }
        let options = words.filter_map(|word| match word.split_once('=') {
            Some((key, value)) => Some((key, value.trim_matches(['"', '\'']))),
            None => match word.split_at_checked(1)? {
                ("#", label) => Some(("label", label)),
                (".", class) => Some(("class", class)),
                _ => None,
            },
        });
        (!name.is_empty()).then(|| Self {
            marks,
            name,
            argument: argument.trim(),
            options: options.collect(),
        })
    }
}

impl<'a> Opened<'a> {
    /// What leads to the block, from what stands behind its first line, and whether it has a number then.
    pub(super) fn label_with(&self, behind: &'a str) -> (Option<&'a str>, bool) {
        let (found, _) = options_of(behind, self.marks);
        let options = self.options.iter().copied().chain(found);
        let label = options
            .clone()
            .filter(|(key, value)| LABELS.contains(key) && !value.is_empty())
            .map(|(_, value)| value)
            .next();
        (label.or(own_label(self.name, self.argument)), is_counted(options))
    }
}

/// The label of a block whose argument it is.
fn own_label<'a>(name: &str, argument: &'a str) -> Option<&'a str> {
    (name == "figure-md" && !argument.is_empty()).then_some(argument)
}

fn is_counted<'a>(mut options: impl Iterator<Item = (&'a str, &'a str)>) -> bool {
    !options.any(|(key, value)| match key {
        "enumerated" | "numbered" => value == "false",
        "nonumber" | "no-number" => true,
        _ => false,
    })
}

/// The marks at the beginning of a line.
pub(super) fn marks(line: &str) -> Option<Marks> {
    let text = line.trim();
    let sign = *text.as_bytes().first()?;
    let count = text.bytes().take_while(|byte| *byte == sign).count();
    (matches!(sign, b'`' | b'~' | b':') && count >= 3).then(|| Marks {
        sign,
        count,
        indent: line.len() - line.trim_start().len(),
    })
}

/// How much further to the right than its beginning a block may end: what is further is code in it.
const FURTHEST: usize = 3;

/// Whether a line ends a block that began with these marks.
pub(super) fn closes(line: &str, opened: Marks) -> bool {
    let text = line.trim();
    text.len() >= opened.count
        && text.bytes().all(|byte| byte == opened.sign)
        && line.len() - line.trim_start().len() <= opened.indent + FURTHEST
}

/// Where what a block holds ends, and where the line behind that does. Blocks of colons may hold others with as many of them, where each
/// has its end; the first that could be its own ends it otherwise.
fn end_of(text: &str, from: usize, end: usize, opened: Marks) -> (usize, usize) {
    let mut first = None;
    let mut inner = 0;
    let mut at = from;
    while at < end {
        let line = line_at(&text[..end], at);
        let next = at + line.len();
        if closes(line, opened) {
            if inner == 0 {
                return (at, next);
            }
            inner -= 1;
            first.get_or_insert((at, next));
        } else if opened.sign == b':'
            && Opened::of(line)
                .is_some_and(|inner| inner.marks.sign == b':' && inner.marks.count >= opened.count)
        {
            inner += 1;
        }
        at = next;
    }
    first.unwrap_or((end, end))
}

/// The options at the beginning of a block, and how long they are: lines such as `:key: value`, or YAML between lines of `---`.
fn options_of(text: &str, marks: Marks) -> (Vec<(&str, &str)>, usize) {
    let mut options = Vec::new();
    let mut length = 0;
    let mut lines = text.split_inclusive('\n').peekable();
    if lines.peek().is_some_and(|line| line.trim() == "---") {
        length += lines.next().map_or(0, str::len);
        for line in lines {
            // Without an end these are no options.
            if closes(line, marks) {
                break;
            }
            length += line.len();
            if line.trim() == "---" {
                return (options, length);
            }
            if let Some((key, value)) = line.split_once(':') {
                options.push((key.trim(), value.trim().trim_matches(['"', '\''])));
            }
        }
        return (Vec::new(), 0);
    }
    for line in lines {
        let Some(option) = option(line.trim()) else { break };
        options.push(option);
        length += line.len();
    }
    (options, length)
}

fn option(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.strip_prefix(':')?.split_once(':')?;
    let is_key = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    (!key.is_empty() && key.bytes().all(is_key)).then(|| (key, value.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let Some(directive) = Directive::at(text, 0, text.len()) else {
            return "none".to_owned();
        };
        format!(
            "{} ({}) {:?} {:?} then {:?}",
            directive.name,
            directive.argument,
            directive.options,
            &text[directive.body.clone()],
            &text[directive.end..],
        )
    }

    #[test]
    fn a_block_says_what_it_is() {
        for (text, expected) in [
            (
                "```{note} A title\n:class: dropdown\n:name: a\ntext\n```\nrest",
                r#"note (A title) [("class", "dropdown"), ("name", "a")] "text\n" then "rest""#,
            ),
            (
                "::::{tab-set}\n:::{tab-item} A\n:::\n::::\n",
                r#"tab-set () [] ":::{tab-item} A\n:::\n" then """#,
            ),
            (
                "~~~{code-block} python\n---\nlinenos: true\ncaption: \"a: b\"\n---\nx\n~~~",
                r#"code-block (python) [("linenos", "true"), ("caption", "a: b")] "x\n" then """#,
            ),
            (
                ":::{prf:theorem #t .c .d width=\"3px\"} A\nb\n:::",
                r#"theorem (A) [("label", "t"), ("class", "c"), ("class", "d"), ("width", "3px")] "b\n" then """#,
            ),
            ("```{note}\n---\n```\nrest", r#"note () [] "---\n" then "rest""#),
            ("```{note}\n---\n```\n---\n", r#"note () [] "---\n" then "---\n""#),
            ("```{note}\n", r#"note () [] "" then """#),
            (
                ":::{a}\n:::{b}\n:::\n:::\nrest",
                r#"a () [] ":::{b}\n:::\n" then "rest""#,
            ),
            (":::{a}\n:::{b}\n:::\nrest", r#"a () [] ":::{b}\n" then "rest""#),
            ("````{a}\n    ````\n````\n", r#"a () [] "    ````\n" then """#),
            ("````{note}\n```\n````", r#"note () [] "```\n" then """#),
            ("```{note}` a", "none"),
            ("```{.python}\n```", "none"),
            ("```{}\n```", "none"),
            ("``{note}\n```", "none"),
            (":::note\n:::", "none"),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }
}
