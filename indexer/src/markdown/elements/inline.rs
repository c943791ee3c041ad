//! Markdown in a line of HTML, which is Markdown in MDX alone: `<summary>**One**</summary>`. It becomes the elements that an author of HTML
//! would have written.

use std::borrow::Cow;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::kinds::{Kind, kind};
use super::tokens::{Element, Token};
use crate::html::escaped;

/// In what the texts stand, and which of them are Markdown.
#[derive(Debug, Default)]
pub(super) struct Lines {
    /// The open elements whose text is a program or is shown as it is.
    literal: Vec<String>,
}

impl Lines {
    /// Looks at what stands before the next text.
    pub(super) fn pass(&mut self, token: &Token<'_>) {
        match token {
            Token::Open(element) if is_literal(&element.name) => self.literal.push(element.name.clone()),
            Token::Close(name) => {
                if let Some(open) = self.literal.iter().rposition(|open| open == name) {
                    self.literal.truncate(open);
                }
            }
            Token::BlockStart => self.literal.clear(),
            _ => {}
        }
    }

    /// What a text becomes; `None` for one that stays as it is: one without marks, or with blocks.
    pub(super) fn read<'a>(&self, text: &str) -> Option<Vec<Token<'a>>> {
        let has_marks = text.contains(['*', '_', '`', '[', '~', '\\']);
        if !has_marks || !self.literal.is_empty() {
            return None;
        }
        let inner = text.trim();
        let before = &text[..text.len() - text.trim_start().len()];
        let behind = &text[text.trim_end().len()..];
        let mut tokens = vec![Token::Text(before.to_owned())];
        // What would begin a list or a heading is none in the middle of a line.
        let is_marked = inner.starts_with(['-', '+', '#', '>']) || inner.starts_with("* ");
        let inner = match is_marked && !text.contains('\n') {
            true => Cow::Owned(format!("\\{inner}")),
            false => Cow::Borrowed(inner),
        };
        let mut events = Parser::new_ext(&inner, Options::ENABLE_STRIKETHROUGH);
        if !matches!(events.next(), Some(Event::Start(Tag::Paragraph))) {
            return None;
        }
        loop {
            let token = match events.next()? {
                Event::End(TagEnd::Paragraph) => break,
                Event::Text(text) => Token::Text(escaped(&text)),
                Event::Code(code) => {
                    tokens.push(open("code", &[]));
                    tokens.push(Token::Text(escaped(&code)));
                    Token::Close("code".to_owned())
                }
                Event::SoftBreak => Token::Text("\n".to_owned()),
                Event::HardBreak => open("br", &[]),
                Event::Start(Tag::Image { dest_url, title, .. }) => {
                    let mut alt = String::new();
                    loop {
                        match events.next()? {
                            Event::End(TagEnd::Image) => break,
                            Event::Text(text) | Event::Code(text) => alt.push_str(&text),
                            _ => {}
                        }
                    }
                    open("img", &[("src", &dest_url), ("alt", &alt), ("title", &title)])
                }
                Event::Start(Tag::Link { dest_url, title, .. }) => {
                    open("a", &[("href", &dest_url), ("title", &title)])
                }
                Event::Start(tag) => open(name(tag.to_end())?, &[]),
                Event::End(tag) => Token::Close(name(tag)?.to_owned()),
                _ => return None,
            };
            tokens.push(token);
        }
        // Several blocks.
        if events.next().is_some() {
            return None;
        }
        tokens.push(Token::Text(behind.to_owned()));
        Some(tokens)
    }
}

/// Whether the text of an element is read as it is.
fn is_literal(name: &str) -> bool {
    matches!(
        kind(name),
        Kind::Code | Kind::Preformatted | Kind::Caption | Kind::Medium | Kind::Nothing
    )
}

fn name(tag: TagEnd) -> Option<&'static str> {
    Some(match tag {
        TagEnd::Strong => "strong",
        TagEnd::Emphasis => "em",
        TagEnd::Strikethrough => "del",
        TagEnd::Link => "a",
        _ => return None,
    })
}

fn open<'a>(name: &str, attributes: &[(&str, &str)]) -> Token<'a> {
    let attributes = attributes.iter();
    Token::Open(Element {
        name: name.to_owned(),
        attributes: attributes
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect(),
        tag: format!("<{name}>"),
    })
}
