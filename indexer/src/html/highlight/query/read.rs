//! Reads the text of a query.

use std::fmt::Display;
use std::sync::LazyLock;

use arborium::tree_sitter::Language;
use regex::bytes::Regex;

use super::{Condition, Item, Kind, NodePattern, Pattern, Repeat, Text, What};

/// The patterns of a query, and the names of their captures.
pub(super) fn read(language: &Language, text: &str) -> Result<(Vec<Pattern>, Vec<String>), String> {
    let mut reader = Reader {
        language,
        text,
        at: 0,
        captures: Vec::new(),
        conditions: Vec::new(),
        set: None,
    };
    let mut patterns = Vec::new();
    while reader.peek().is_some() {
        let items = match reader.item()? {
            Item {
                what: What::OneOf(mut sequences),
                repeat: Repeat::Once,
                ..
            } if sequences.len() == 1 => sequences.swap_remove(0),
            item => vec![item],
        };
        patterns.push(Pattern {
            items,
            conditions: std::mem::take(&mut reader.conditions),
            language: reader.set.take(),
        });
    }
    Ok((patterns, reader.captures))
}

struct Reader<'a> {
    language: &'a Language,
    text: &'a str,
    at: usize,
    captures: Vec<String>,
    /// Of the pattern that is read.
    conditions: Vec<Condition>,
    set: Option<String>,
}

/// What a condition is about.
enum Argument {
    Capture(usize),
    Text(String),
}

impl<'a> Reader<'a> {
    fn item(&mut self) -> Result<Item, String> {
        let start = self.at;
        if let Some(name) = self.field_name() {
            let field = self.language.field_id_for_name(name);
            let field = field.ok_or_else(|| wrong(start, format_args!("there is no field `{name}`")))?;
            let mut item = self.item()?;
            for_firsts(&mut item, &mut |node| node.field = Some(field.get()));
            return Ok(item);
        }
        let what = match self.peek() {
            Some('(') => {
                self.at += 1;
                match self.peek() {
                    Some(c) if is_name(c) => self.node()?,
                    _ => match self.sequence()? {
                        (sequence, false) => What::OneOf(vec![sequence]),
                        _ => return Err(wrong(start, "a group has no anchor at its end")),
                    },
                }
            }
            Some('[') => {
                self.at += 1;
                let mut sequences = Vec::new();
                while !self.take(']') {
                    sequences.push(vec![self.item()?]);
                }
                as_one_node(&sequences).unwrap_or(What::OneOf(sequences))
            }
            Some('"') => {
                let text = self.quoted()?;
                What::Node(NodePattern::new(self.kind(start, &text, false)?))
            }
            Some('_') => {
                self.at += 1;
                What::Node(NodePattern::new(Kind::Any))
            }
            _ => return Err(wrong(self.at, "a pattern begins with `(`, `[`, `\"` or `_`")),
        };
        let mut item = Item {
            what,
            repeat: Repeat::Once,
        };
        self.endings(&mut item)?;
        Ok(item)
    }

    /// A node behind its `(`.
    fn node(&mut self) -> Result<What, String> {
        let start = self.at;
        let name = self.name();
        let kind = match name {
            "_" => Kind::Named,
            name => self.kind(start, name, true)?,
        };
        let (children, closed) = self.sequence()?;
        Ok(What::Node(NodePattern {
            children,
            closed,
            ..NodePattern::new(kind)
        }))
    }

    /// What is before the next `)`, and whether an anchor is the last of it.
    fn sequence(&mut self) -> Result<(Vec<Item>, bool), String> {
        let mut items = Vec::new();
        let mut anchor = false;
        loop {
            if self.take(')') {
                return Ok((items, anchor));
            }
            if self.take('.') {
                anchor = true;
            } else if self.peek() == Some('(') && self.text[self.at + 1..].trim_start().starts_with('#') {
                self.condition()?;
            } else {
                let mut item = self.item()?;
                if anchor {
                    for_firsts(&mut item, &mut |node| node.immediate = true);
                }
                anchor = false;
                items.push(item);
            }
        }
    }

    /// How often an item is repeated, and what it is captured as.
    fn endings(&mut self, item: &mut Item) -> Result<(), String> {
        loop {
            match self.peek() {
                Some('?') => item.repeat = Repeat::Optional,
                Some('*') => item.repeat = Repeat::Many(0),
                Some('+') => item.repeat = Repeat::Many(1),
                Some('@') => {
                    let capture = self.capture()?;
                    for_firsts(item, &mut |node| node.captures.push(capture));
                    continue;
                }
                _ => return Ok(()),
            }
            self.at += 1;
        }
    }

    /// A condition for the text of captures, or a setting. What else editors ask is no matter of text: it always holds.
    fn condition(&mut self) -> Result<(), String> {
        let start = self.at;
        self.at = start + self.text[start..].find('#').unwrap_or_default() + 1;
        let name = self.name();
        let is_asked = self.text[self.at..].starts_with(['?', '!']);
        self.at += usize::from(is_asked);
        let mut arguments = Vec::new();
        while !self.take(')') {
            arguments.push(match self.peek() {
                Some('@') => Argument::Capture(self.capture()?),
                Some('"') => Argument::Text(self.quoted()?),
                Some(c) if is_name(c) => Argument::Text(self.name().to_owned()),
                _ => return Err(wrong(self.at, "a condition ends with `)`")),
            });
        }
        let mut arguments = arguments.into_iter();
        match (name, arguments.next(), arguments.next()) {
            ("eq", Some(Argument::Capture(capture)), Some(other)) => {
                let text = match other {
                    Argument::Capture(other) => Text::Same(other),
                    Argument::Text(text) => Text::OneOf(vec![text]),
                };
                self.conditions.push(Condition { capture, text });
            }
            ("any-of", Some(Argument::Capture(capture)), Some(Argument::Text(first))) => {
                let rest = arguments.filter_map(|argument| match argument {
                    Argument::Text(text) => Some(text),
                    Argument::Capture(_) => None,
                });
                let text = Text::OneOf([first].into_iter().chain(rest).collect());
                self.conditions.push(Condition { capture, text });
            }
            ("match", Some(Argument::Capture(capture)), Some(Argument::Text(regex))) => {
                let make = move || Regex::new(&regex).expect("a test makes those of all languages");
                let text = Text::Matches(LazyLock::new(Box::new(make)));
                self.conditions.push(Condition { capture, text });
            }
            ("set", Some(Argument::Text(key)), Some(Argument::Text(value))) => {
                if key == "injection.language" {
                    self.set = Some(value);
                }
            }
            ("is" | "is-not" | "lua-match", ..) => {}
            _ => {
                return Err(wrong(
                    start,
                    format_args!("there is no condition `{name}` for these"),
                ));
            }
        }
        Ok(())
    }

    /// The place of a capture's name.
    fn capture(&mut self) -> Result<usize, String> {
        self.at += 1;
        let start = self.at;
        let name = self.name();
        if name.is_empty() {
            return Err(wrong(start, "`@` is before a name"));
        }
        let known = self.captures.iter().position(|known| known == name);
        Ok(known.unwrap_or_else(|| {
            self.captures.push(name.to_owned());
            self.captures.len() - 1
        }))
    }

    fn kind(&self, at: usize, name: &str, named: bool) -> Result<Kind, String> {
        match self.language.id_for_node_kind(name, named) {
            0 => Err(wrong(at, format_args!("there is no node `{name}`"))),
            kind => Ok(Kind::Among(vec![kind])),
        }
    }

    /// Text in quotes.
    fn quoted(&mut self) -> Result<String, String> {
        let start = self.at;
        let mut text = String::new();
        let mut chars = self.text[start + 1..].char_indices();
        while let Some((at, c)) = chars.next() {
            match c {
                '"' => {
                    self.at = start + 1 + at + 1;
                    return Ok(text);
                }
                '\\' => match chars.next() {
                    Some((_, 'n')) => text.push('\n'),
                    Some((_, 'r')) => text.push('\r'),
                    Some((_, 't')) => text.push('\t'),
                    Some((_, c)) => text.push(c),
                    None => break,
                },
                c => text.push(c),
            }
        }
        Err(wrong(start, "the text has no end"))
    }

    /// A name with `:` behind it.
    fn field_name(&mut self) -> Option<&'a str> {
        self.peek();
        let rest = &self.text[self.at..];
        let length = rest.find(|c| !is_name(c))?;
        if length == 0 || !rest[length..].starts_with(':') {
            return None;
        }
        self.at += length + 1;
        Some(&rest[..length])
    }

    fn name(&mut self) -> &'a str {
        let rest = &self.text[self.at..];
        let length = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    fn take(&mut self, c: char) -> bool {
        let is_next = self.peek() == Some(c);
        self.at += if is_next { c.len_utf8() } else { 0 };
        is_next
    }

    /// The next character that is neither white space nor in a comment.
    fn peek(&mut self) -> Option<char> {
        loop {
            let rest = &self.text[self.at..];
            let c = rest.chars().next()?;
            self.at += match c {
                ';' => rest.find('\n').unwrap_or(rest.len()),
                c if c.is_whitespace() => c.len_utf8(),
                c => return Some(c),
            };
        }
    }
}

impl NodePattern {
    fn new(kind: Kind) -> Self {
        Self {
            kind,
            field: None,
            captures: Vec::new(),
            children: Vec::new(),
            immediate: false,
            closed: false,
        }
    }
}

/// Alternatives that differ in nothing but their kind: lists of key words are long.
fn as_one_node(sequences: &[Vec<Item>]) -> Option<What> {
    let mut all = Vec::new();
    for sequence in sequences {
        match sequence.as_slice() {
            [
                Item {
                    what:
                        What::Node(NodePattern {
                            kind: Kind::Among(kinds),
                            field: None,
                            captures,
                            children,
                            closed: false,
                            ..
                        }),
                    repeat: Repeat::Once,
                    ..
                },
            ] if captures.is_empty() && children.is_empty() => all.extend(kinds),
            _ => return None,
        }
    }
    all.sort_unstable();
    Some(What::Node(NodePattern::new(Kind::Among(all))))
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.')
}

/// Of alternatives the first node of each: what is said of them all is said of these.
fn for_firsts(item: &mut Item, change: &mut dyn FnMut(&mut NodePattern)) {
    match &mut item.what {
        What::Node(node) => change(node),
        What::OneOf(sequences) => {
            for first in sequences.iter_mut().filter_map(|sequence| sequence.first_mut()) {
                for_firsts(first, change);
            }
        }
    }
}

fn wrong(at: usize, what: impl Display) -> String {
    format!("at byte {at}: {what}")
}
