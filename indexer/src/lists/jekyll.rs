//! `_config.yml` of Jekyll, as far as it says what a site and its collections are called. The order of its pages stands in the pages
//! ([`crate::parents`]).

use std::path::Path;

use super::{Format, Found, List, mkdocs};
use crate::config::{Generator, Origin};
use crate::diagnostic::Diagnostic;
use crate::routes;
use crate::source::{ReadError, read_file};

pub(super) const FILES: [&str; 1] = ["_config.yml"];

pub(super) fn find(content: &Path) -> Result<Option<(Found, Vec<Diagnostic>)>, ReadError> {
    let Some(file) = super::above(content, &FILES).into_iter().next() else {
        return Ok(None);
    };
    let folder = file.parent().unwrap_or(Path::new(""));
    let (source, mut problems) = read_file(&file)?;
    let pages = super::path_below(folder, content).unwrap_or_default();
    let (title, found) = mkdocs::text(&source, "title");
    problems.extend(found);
    let (language, found) = mkdocs::text(&source, "lang");
    problems.extend(found);
    let found = Found {
        title,
        language,
        // A part of a site has the addresses that it has there.
        route_prefix: Some(routes::prefix(pages.trim_start_matches('_'))),
        origin: Origin {
            generator: Some(Generator::Jekyll),
            site: folder.to_owned(),
            pages,
            ..Origin::default()
        },
        // It is taken back where no page says what it stands below.
        list: Some(List::new(Format::JustTheDocs, source)),
        files: vec![file],
        ..Found::default()
    };
    Ok(Some((found, problems)))
}
