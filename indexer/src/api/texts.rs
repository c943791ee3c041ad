//! Descriptions: Markdown inside of YAML.

use crate::diagnostic::Diagnostic;
use crate::front_matter::Schema;
use crate::html::{self, CodeRenderer, Context};
use crate::links::{self, Link, Surroundings};
use crate::machines::Addresses;
use crate::markdown::slug::HeadingIds;
use crate::markdown::{self, Reading, fence};
use crate::sections;
use crate::source::Source;
use crate::words::Words;

use crate::yaml::{self, Yaml};

/// Renders descriptions of one page, and keeps what it finds on the way.
pub(crate) struct Texts<'a> {
    /// The file in which the descriptions stand.
    pub(crate) source: &'a Source,
    /// The index of the page.
    pub(crate) page: usize,
    pub(crate) base: &'a str,
    /// For programs, which take texts away from their place.
    pub(crate) addresses: Addresses<'a>,
    pub(crate) surroundings: Surroundings<'a>,
    pub(crate) code: &'a mut CodeRenderer,
    pub(crate) links: Vec<Link>,
    pub(crate) problems: Vec<Diagnostic>,
}

/// Descriptions are nobody's pages.
const READING: Reading<'_> = Reading {
    schema: Schema::Foreign,
    heading_ids: HeadingIds::Github,
    is_titled: true,
    included: None,
    is_mdx: false,
    origin: None,
    jekyll: None,
    has_autorefs: false,
    myst: None,
    wiki: None,
};

impl Texts<'_> {
    /// The description as HTML. Problems are reported where the description starts.
    pub(crate) fn html(&mut self, description: &Yaml) -> String {
        let Some(text) = description.as_text() else {
            return String::new();
        };
        let source = markdown_source(text);
        let (document, found) = markdown::parse(&source, 0, READING);
        self.adopt(description.at, found);
        let (mut links, found) = links::collect(&document, &source, self.page, &[], self.surroundings);
        self.adopt(description.at, found);
        let context = Context {
            source: &source,
            schema: Schema::Foreign,
            base: self.base,
            title: "",
            links: &links,
            // As all words of a reference.
            words: &Words::default(),
            has_line_numbers: false,
        };
        let (html, found) = html::render(&document, context, self.code);
        self.adopt(description.at, found);
        for link in &mut links {
            link.at = description.at;
        }
        self.links.extend(links);
        html.trim_end().to_owned()
    }

    /// The first line of a description, which stands among other words.
    pub(crate) fn line(&mut self, description: Option<&Yaml>) -> String {
        let Some((description, text)) = description.and_then(|found| Some((found, found.as_text()?))) else {
            return String::new();
        };
        let line = text.trim().lines().next().unwrap_or_default();
        let html = self.html(&Yaml {
            at: description.at,
            value: yaml::Value::Text(line.to_owned()),
        });
        match html
            .strip_prefix("<p>")
            .and_then(|html| html.strip_suffix("</p>"))
        {
            Some(inner) if !inner.contains("<p>") => inner.to_owned(),
            _ => html::escaped(line),
        }
    }

    /// Code in a block with the colours of its language; without one, plain.
    pub(crate) fn code_block(&mut self, language: &str, is_coloured: bool, code: &str) -> String {
        let mut html = format!(
            "<div class=\"code\" data-lang=\"{}\"><pre tabindex=\"0\"><code>",
            html::escaped(fence::shown(language))
        );
        if is_coloured {
            self.code.push(&mut html, fence::canonical(language), code);
        } else {
            html::push_content(&mut html, code);
        }
        html.push_str("</code></pre></div>");
        html
    }

    fn adopt(&mut self, at: usize, found: Vec<Diagnostic>) {
        let (line, column) = self.source.position(at);
        self.problems.extend(found.into_iter().map(|problem| Diagnostic {
            file: self.source.display.clone(),
            line,
            column,
            ..problem
        }));
    }
}

/// A description as the plain text that the search reads.
pub(crate) fn plain(description: &Yaml) -> String {
    let Some(text) = description.as_text() else {
        return String::new();
    };
    let source = markdown_source(text);
    let (document, _) = markdown::parse(&source, 0, READING);
    let sections = sections::split(&document);
    let bodies: Vec<&str> = sections.iter().map(|section| section.body.as_str()).collect();
    bodies.join("\n").trim().to_owned()
}

/// The first sentence of a description, as plain text.
pub(crate) fn first_sentence(description: Option<&Yaml>) -> String {
    let text = description.map(plain).unwrap_or_default();
    let text = text.lines().next().unwrap_or_default();
    let end = text.find(". ").map_or(text.len(), |at| at + 1);
    text[..end].to_owned()
}

fn markdown_source(text: &str) -> Source {
    Source::new("", "", text)
}
