//! API references: pages, sidebar, search sections and console files from OpenAPI documents.
//!
//! [`read`] checks the documents, [`References`] knows which pages they become, and [`References::page`] writes one.
//! A reference is complete without a script; the console is an extra.

mod changes;
mod console;
mod document;
mod fields;
mod literal;
mod pages;
mod reference;
mod samples;
mod settings;
mod texts;
mod yaml;

use crate::config::Config;
use crate::diagnostic::Diagnostic;
use crate::html::CodeRenderer;
use crate::links::{Link, Surroundings};
use crate::sections::Section;
use crate::sidebar::SidebarSection;
use crate::source::Source;

pub use console::MadeFile;
pub use settings::Api;
pub(crate) use settings::read as read_settings;

use document::Document;
use reference::{Kind, Reference};

/// The documents of a site that could be read.
#[derive(Debug)]
pub(crate) struct Documents {
    documents: Vec<Document>,
}

/// Reads the documents, in the order of the configuration. `None` stands for a file that is not there.
pub(crate) fn read(
    sources: &[Option<Source>],
    config: &Config,
    config_source: &Source,
) -> (Documents, Vec<Diagnostic>) {
    let search_api = config.search.api_url.as_deref();
    let mut documents = Vec::new();
    let mut problems = Vec::new();
    for (settings, source) in config.api.iter().zip(sources) {
        match source {
            None => {
                let message = format!("there is no file `{}`", settings.document.text);
                problems.push(Diagnostic::error(config_source, settings.document.at, message));
            }
            Some(source) => match Document::read(settings, source, search_api) {
                Ok(document) => documents.push(document),
                Err(found) => problems.extend(found),
            },
        }
    }
    (Documents { documents }, problems)
}

/// The plan of the pages of all documents.
pub(crate) struct References<'a> {
    references: Vec<Reference<'a>>,
    prefix: String,
    pages: Vec<(usize, Kind)>,
}

/// A page before it is written.
pub(crate) struct Planned {
    pub(crate) path: String,
    pub(crate) title: String,
    /// The id and the title of its section.
    pub(crate) section: (String, String),
    /// The file that it is made from.
    pub(crate) document: String,
}

/// A written page.
pub(crate) struct Written {
    pub(crate) description: String,
    pub(crate) html: String,
    /// The ids and texts of its headings.
    pub(crate) headings: Vec<(String, String)>,
    pub(crate) sections: Vec<Section>,
    pub(crate) links: Vec<Link>,
    pub(crate) files: Vec<MadeFile>,
    pub(crate) problems: Vec<Diagnostic>,
}

impl<'a> References<'a> {
    pub(crate) fn new(documents: &'a Documents, config: &Config) -> Self {
        let documents = &documents.documents;
        let references: Vec<Reference<'_>> = documents
            .iter()
            .enumerate()
            .map(|(index, document)| {
                let before = index.checked_sub(1).map(|before| &documents[before]);
                Reference::new(document, before)
            })
            .collect();
        let pages = references
            .iter()
            .enumerate()
            .flat_map(|(index, reference)| reference.pages().into_iter().map(move |page| (index, page)));
        Self {
            pages: pages.collect(),
            references,
            prefix: config.content.route_prefix.clone(),
        }
    }

    /// How many pages there are.
    pub(crate) fn len(&self) -> usize {
        self.pages.len()
    }

    pub(crate) fn planned(&self, index: usize) -> Planned {
        let (reference, page) = self.pages[index];
        let reference = &self.references[reference];
        Planned {
            path: reference.path(page),
            title: reference.title(page),
            section: (
                reference.section_id(&self.prefix),
                reference.document.label.clone(),
            ),
            document: reference.document.source.path.clone(),
        }
    }

    /// How the site lays a page out.
    pub(crate) fn layout(&self, index: usize) -> &'static str {
        match self.pages[index].1 {
            Kind::Tag(_) => "operations",
            _ => "reference",
        }
    }

    /// Writes a page. `page` is its index among all pages of the site.
    pub(crate) fn write(
        &self,
        index: usize,
        page: usize,
        base: &str,
        surroundings: Surroundings<'_>,
        code: &mut CodeRenderer,
    ) -> Written {
        let (reference, kind) = self.pages[index];
        let reference = &self.references[reference];
        let mut texts = texts::Texts {
            source: &reference.document.source,
            page,
            base,
            surroundings,
            code,
            links: Vec::new(),
            problems: Vec::new(),
        };
        let section = reference.section_id(&self.prefix);
        let body = pages::write(reference, kind, &section, &mut texts);
        Written {
            description: body.description,
            html: body.html,
            headings: body
                .headings
                .into_iter()
                .map(|heading| (heading.id, heading.title))
                .collect(),
            sections: body.sections,
            links: texts.links,
            files: body.files,
            problems: texts.problems,
        }
    }

    /// The file of a page, for the places of problems.
    pub(crate) fn source(&self, index: usize) -> &Source {
        &self.references[self.pages[index].0].document.source
    }

    /// The sections of the sidebar.
    pub(crate) fn sidebar(&self) -> Vec<SidebarSection> {
        let sections = self.references.iter().map(|reference| SidebarSection {
            id: reference.section_id(&self.prefix),
            title: reference.document.label.clone(),
            path: Some(reference.path(Kind::Index)),
            items: reference.sidebar(),
        });
        sections.collect()
    }
}
