//! A page, as far as it is known before all of them are.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::rc::Rc;

use serde::Serialize;

use super::Input;
use crate::config::{Config, Content, Generator};
use crate::diagnostic::Diagnostic;
use crate::front_matter::{self, FrontMatter};
use crate::html::{self, CodeRenderer};
use crate::links::{self, Link, Surroundings};
use crate::machines::Addresses;
use crate::machines::markdown::markdown;
use crate::mark::MarkedText;
use crate::markdown::includes::Included;
use crate::markdown::wiki::Wiki;
use crate::markdown::{self, Document};
use crate::routes::Routes;
use crate::sections::{self, Section};
use crate::source::Source;
use crate::words::Words;

/// What is known of a page before all of them are.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Page {
    pub(super) title: String,
    pub(super) description: String,
    pub(super) front_matter: FrontMatter,
    pub(super) html: String,
    /// It shows the list of the pages below it.
    pub(super) lists_pages: bool,
    /// The page as Markdown, where it is one of those that are read.
    pub(super) markdown: Option<Rc<MarkedText>>,
    pub(super) toc: Vec<TocEntry>,
    pub(super) ids: BTreeSet<String>,
    pub(super) sections: Vec<Section>,
    pub(super) links: Vec<Link>,
    /// The files that its text includes.
    pub(super) included: Vec<PathBuf>,
    /// It names files between brackets that are not there yet.
    pub(super) misses_names: bool,
}

impl Page {
    /// Its description, with a sign that it goes on where it is the first words of a text.
    pub(super) fn whole_description(&self) -> String {
        let is_cut = self.front_matter.description.is_none()
            && self
                .description
                .ends_with(|c: char| c.is_alphanumeric() || matches!(c, ',' | ';'));
        match is_cut {
            true => format!("{}…", self.description),
            false => self.description.clone(),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct TocEntry {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) level: u8,
}

/// They show a page with the heading that it begins with; the title of its front matter is for lists, and in VitePress for the window.
const HEADED: [Generator; 4] = [
    Generator::VitePress,
    Generator::Docusaurus,
    Generator::MkDocs,
    Generator::Jekyll,
];

/// Reads a page: what it says of itself, its HTML, and the sections that are searched.
pub(super) fn read_page(
    source: &Source,
    index: usize,
    routes: &Routes,
    words: &Words,
    Input { folder, config, .. }: &Input,
    code_renderer: &mut CodeRenderer,
) -> (Page, Vec<Diagnostic>) {
    let surroundings = Surroundings {
        routes,
        files: &folder.files,
        content: &config.content,
    };
    let schema = config.content.schema;
    let (mut front_matter, body_at, mut problems) = front_matter::parse(source, schema);
    let has_broken_front_matter = problems.iter().any(Diagnostic::is_error);
    let included = if schema.is_strict() {
        None
    } else {
        folder.files.included(source, body_at, &config.content.origin)
    };
    let broken = |(at, message): &(usize, String)| config.content.broken_link(source, *at, message);
    let missing = included.iter().flat_map(|included| &included.missing);
    problems.extend(missing.map(broken));
    let (document, found) = markdown::parse(
        source,
        body_at,
        reading(&front_matter, included.as_ref(), surroundings),
    );
    problems.extend(document.missing_names.iter().map(broken));
    problems.extend(found);
    let parts = included.iter().flat_map(|included| &included.files);
    let parts: Vec<Source> = parts.filter_map(|file| folder.files.part(file)).collect();
    let (links, found) = links::collect(&document, source, index, &parts, surroundings);
    problems.extend(found);

    let (title, warning) = title(source, index, &document, &mut front_matter, routes, config);
    // Our own content has been told by the rules of its front matter.
    problems.extend(warning.filter(|_| !has_broken_front_matter));
    let context = html::Context {
        source,
        schema,
        base: &config.site.base,
        title: &title,
        links: &links,
        words,
        has_line_numbers: config.content.line_numbers.unwrap_or_default(),
    };
    let (html, found) = html::render(&document, context, code_renderer);
    problems.extend(found);
    problems.extend(check_tested(&front_matter, &document, source));

    let sections = sections::split(&document);
    let own_description = front_matter.description.as_ref();
    let own_description = own_description.map(|description| description.text.as_str());
    let markdown = markdown(
        (&title, own_description),
        (source, body_at),
        &document,
        &links,
        (routes, Addresses { site: &config.site }),
    );
    let description = own_description.map_or_else(
        || first_words(&sections[0].body, *front_matter::DESCRIPTION_RANGE.end()),
        str::to_owned,
    );
    let page = Page {
        title,
        description,
        front_matter,
        lists_pages: document.lists_pages || html.trim().is_empty(),
        html,
        markdown: Some(MarkedText::new(markdown)),
        toc: toc(&document),
        ids: ids(&document),
        sections,
        links,
        misses_names: !document.missing_names.is_empty(),
        included: included.map_or_else(Vec::new, |included| [included.files, included.asked].concat()),
    };
    (page, problems)
}

/// How the text of a page is read, by the generator that it was written for.
fn reading<'a>(
    front_matter: &FrontMatter,
    included: Option<&'a Included>,
    Surroundings {
        routes,
        files,
        content,
    }: Surroundings<'a>,
) -> markdown::Reading<'a> {
    let is_of = |generator| content.is_of(generator);
    markdown::Reading {
        schema: content.schema,
        heading_ids: content.heading_ids.unwrap_or_default(),
        is_titled: front_matter.title.is_some() && !front_matter.hides_title,
        included: included.map(|included| &included.reshaped),
        is_mdx: is_of(Generator::Docusaurus)
            || is_of(Generator::Mintlify)
            || included.is_some_and(|included| included.is_mdx),
        jekyll: is_of(Generator::Jekyll).then_some(&content.origin.parameters),
        origin: Some(&content.origin),
        has_autorefs: content.origin.has_autorefs,
        myst: is_of(Generator::Myst).then_some(routes),
        wiki: (!content.schema.is_strict() && !is_of(Generator::Myst)).then_some(Wiki {
            routes,
            files,
            is_vault: is_of(Generator::Obsidian),
        }),
    }
}

/// What a page is called, with a warning where nothing says it and its address has to.
fn title(
    source: &Source,
    index: usize,
    document: &Document<'_>,
    front_matter: &mut FrontMatter,
    routes: &Routes,
    config: &Config,
) -> (String, Option<Diagnostic>) {
    let title = written_title(document, front_matter, &config.content);
    let title = title
        .or_else(|| routes.names.get(&index).cloned())
        .or_else(|| note_name(source, &config.content));
    if let Some(title) = title {
        return (title, None);
    }
    let title = match routes.paths[index].rsplit('/').next() {
        Some(name) if !name.is_empty() => crate::routes::words(name),
        _ => config.site.title.clone(),
    };
    let message = format!(
        "the page has no title and is shown as `{title}`; add `title:` to the front matter or a first heading `# Title`"
    );
    (title, Some(Diagnostic::warning(source, 0, message)))
}

/// The title that the front matter or the first heading says. Where a page is shown with its heading, the other is its name in lists.
fn written_title(
    document: &Document<'_>,
    front_matter: &mut FrontMatter,
    content: &Content,
) -> Option<String> {
    let heading = document.title.as_ref().map(|title| title.text.clone());
    let heading = heading.filter(|title| !title.is_empty());
    let told = front_matter.title.as_ref();
    let told = told.map(|title| title.text.trim().to_owned());
    let is_headed = HEADED.iter().any(|generator| content.is_of(*generator));
    if heading.is_none() || !(is_headed || front_matter.hides_title) {
        return told.or(heading);
    }
    if !content.is_of(Generator::VitePress) && front_matter.label.is_none() {
        front_matter.label = told;
    }
    heading
}

/// The blocks of code that `tested` names have to be there.
fn check_tested(front_matter: &FrontMatter, document: &Document<'_>, source: &Source) -> Vec<Diagnostic> {
    let has_block = |id: &String| document.fences.iter().any(|fence| fence.get("id") == Some(id));
    let missing = front_matter
        .tested
        .iter()
        .filter(|tested| !has_block(&tested.text));
    let problems = missing.map(|tested| {
        let message = format!(
            "`tested` names `{}`, but no code block of the page has this id",
            tested.text
        );
        Diagnostic::error(source, tested.at, message)
    });
    problems.collect()
}

fn toc(document: &Document<'_>) -> Vec<TocEntry> {
    let headings = document.headings.iter();
    headings
        .filter(|heading| heading.level <= markdown::DEEPEST_SECTION && !heading.text.is_empty())
        .map(|heading| TocEntry {
            id: heading.id.clone(),
            title: heading.text.clone(),
            level: heading.level,
        })
        .collect()
}

/// The ids that links can end in.
fn ids(document: &Document<'_>) -> BTreeSet<String> {
    let of_headings = document.headings.iter().map(|heading| heading.id.clone());
    let of_title = document.title.as_ref().and_then(|title| title.id.clone());
    of_headings
        .chain(document.anchors.iter().flatten().cloned())
        .chain(of_title)
        .collect()
}

/// What Obsidian shows as the title of a note: the name of its file, which links to it say.
fn note_name(source: &Source, content: &Content) -> Option<String> {
    let name = source.path.rsplit('/').next()?;
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    content.is_of(Generator::Obsidian).then(|| stem.to_owned())
}

/// As many whole words as fit into `most` characters.
pub(super) fn first_words(text: &str, most: usize) -> String {
    let mut words = String::new();
    let mut length = 0;
    for word in text.split_whitespace() {
        let more = word.chars().count() + usize::from(length > 0);
        if length + more > most {
            break;
        }
        if length > 0 {
            words.push(' ');
        }
        words.push_str(word);
        length += more;
    }
    words
}
