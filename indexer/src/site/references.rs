//! The pages of API references, which follow those of the folder.

use std::rc::Rc;

use super::Input;
use super::page::{Page, TocEntry, first_words};
use crate::api::{MadeFile, References};
use crate::diagnostic::Diagnostic;
use crate::front_matter;
use crate::html::CodeRenderer;
use crate::links::Surroundings;
use crate::mark::MarkedText;
use crate::routes::Routes;
use crate::sections::Section;

/// The pages of the references, their files, and what is wrong with them.
pub(super) type Written = (Vec<Rc<Page>>, Vec<MadeFile>, Vec<Diagnostic>);

/// Gives the pages of the API references their paths.
pub(super) fn add_references(routes: &mut Routes, references: &References<'_>) -> Vec<Diagnostic> {
    let mut problems = Vec::new();
    for index in 0..references.len() {
        let page = references.planned(index);
        if routes.add(page.path.clone(), page.section.0).is_err() {
            let message = format!(
                "another page is shown at {} already; rename it, or the tag",
                page.path
            );
            problems.push(Diagnostic::error(references.source(index), 0, message));
        }
    }
    problems
}

/// The pages of the API references and the files that they use.
pub(super) fn write_references(
    references: &References<'_>,
    routes: &Routes,
    Input { folder, config, .. }: &Input,
    code_renderer: &mut CodeRenderer,
) -> Written {
    let surroundings = Surroundings {
        routes,
        files: &folder.files,
        content: &config.content,
    };
    let (mut pages, mut files, mut problems) = (Vec::new(), Vec::new(), Vec::new());
    for index in 0..references.len() {
        let page = folder.sources.len() + index;
        let written = references.write(index, page, &config.site, surroundings, code_renderer);
        problems.extend(written.problems);
        files.extend(written.files);
        let toc = written.headings.iter().map(|(id, title)| TocEntry {
            id: id.clone(),
            title: title.clone(),
            level: 2,
        });
        let title = references.planned(index).title;
        pages.push(Rc::new(Page {
            markdown: Some(MarkedText::new(reference_markdown(
                &title,
                &written.markdown,
                &written.sections,
            ))),
            title,
            description: first_words(&written.description, *front_matter::DESCRIPTION_RANGE.end()),
            html: written.html,
            toc: toc.collect(),
            ids: written.headings.into_iter().map(|(id, _)| id).collect(),
            sections: written.sections,
            links: written.links,
            ..Page::default()
        }));
    }
    (pages, files, problems)
}

/// A page of a reference as plain Markdown.
fn reference_markdown(title: &str, markdown: &str, sections: &[Section]) -> String {
    let (mut markdown, is_written) = (format!("# {title}\n{markdown}"), !markdown.is_empty());
    for section in sections.iter().filter(|_| !is_written) {
        if !section.headings[0].is_empty() {
            markdown.push_str(&format!("\n## {}\n", section.headings[0]));
        }
        if !section.body.is_empty() {
            markdown.push_str(&format!("\n{}\n", section.body));
        }
    }
    markdown
}
