//! What is wrong with pages that only all of them together show.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::Input;
use super::page::Page;
use crate::api::References;
use crate::config::Config;
use crate::diagnostic::Diagnostic;
use crate::links::{self, Surroundings, Target};
use crate::navbar;
use crate::routes::Routes;
use crate::sidebar::section_title;
use crate::source::Source;

/// Checks that need every page: anchors, related pages, titles, sections and the links of the configuration.
pub(super) fn check_across_pages(
    pages: &[Rc<Page>],
    routes: &Routes,
    Input {
        folder,
        config,
        config_source,
        ..
    }: &Input,
) -> Vec<Diagnostic> {
    let mut problems = Vec::new();
    let mut titles: BTreeMap<&str, usize> = BTreeMap::new();
    for (index, (page, source)) in pages.iter().zip(&folder.sources).enumerate() {
        problems.extend(check_anchors(page, source, pages, config));
        if !config.content.schema.is_strict() {
            continue;
        }
        if let Some(title) = &page.front_matter.title
            && let Some(other) = titles.insert(&title.text, index)
        {
            let message = format!(
                "`{}` has the title `{}` too; titles are unique",
                folder.sources[other].path, title.text
            );
            problems.push(Diagnostic::error(source, title.at, message));
        }
        let expected = section_title(&routes.folders[index], config, None);
        if let Some(section) = &page.front_matter.section
            && section.text != expected
        {
            let message = format!(
                "`section` is `{}`, but the page stands in the section `{expected}`",
                section.text
            );
            problems.push(Diagnostic::error(source, section.at, message));
        }
        let surroundings = Surroundings {
            routes,
            files: &folder.files,
            content: &config.content,
        };
        for related in &page.front_matter.related {
            match links::resolve(&related.text, source, index, false, surroundings) {
                Ok(Target::Page {
                    page: other,
                    anchor: None,
                    ..
                }) if other != index => {}
                Ok(_) => {
                    let message = format!("`related` takes paths of other pages, not `{}`", related.text);
                    problems.push(Diagnostic::error(source, related.at, message));
                }
                Err(refusal) => problems.push(Diagnostic::error(source, related.at, refusal.message())),
            }
        }
    }
    let is_missing = |path: &str| {
        let path = path.split(['#', '?']).next().unwrap_or(path);
        path != "/" && !routes.has(path)
    };
    for link in navbar::links(config) {
        if let Some(path) = link.to.as_ref().filter(|path| is_missing(path)) {
            let message = format!(
                "there is no page `{path}`; the link `{}` takes the path of a page",
                link.label
            );
            problems.push(Diagnostic::error(config_source, link.at, message));
        }
    }
    if let Some(announcement) = &config.announcement
        && let Some(path) = &announcement.href
        && path.starts_with('/')
        && is_missing(path)
    {
        let message = format!(
            "there is no page `{path}`; the announcement takes the path of a page, or an address outside of this site"
        );
        problems.push(Diagnostic::error(config_source, announcement.href_at, message));
    }
    problems
}

fn check_anchors(page: &Page, source: &Source, pages: &[Rc<Page>], config: &Config) -> Vec<Diagnostic> {
    let has_id = |page: usize, id: &str| pages[page].ids.contains(id);
    let headings = |page: usize| {
        let entries = pages[page].toc.iter();
        entries
            .map(|entry| (entry.id.as_str(), entry.title.as_str()))
            .collect()
    };
    links::check_anchors(&page.links, source, &config.content, has_id, headings)
}

/// Checks the anchors of the links in descriptions.
pub(super) fn check_references(
    pages: &[Rc<Page>],
    references: &References<'_>,
    config: &Config,
) -> Vec<Diagnostic> {
    let own = &pages[pages.len() - references.len()..];
    let checked = own.iter().enumerate().flat_map(|(index, page)| {
        let source = references.source(index);
        check_anchors(page, source, pages, config)
    });
    checked.collect()
}
