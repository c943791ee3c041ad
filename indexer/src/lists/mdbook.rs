//! `book.toml` of mdBook, as far as it says what a book is called, and the picture of its tab. The order of its pages stands in
//! `SUMMARY.md`.

use std::path::Path;

use super::{Found, bar};
use crate::brand::Pictures;
use crate::config::Origin;
use crate::diagnostic::Diagnostic;
use crate::source::{ReadError, read_file};

pub(super) const FILES: [&str; 1] = ["book.toml"];
/// In the folder of a theme.
const ICONS: [&str; 2] = ["favicon.svg", "favicon.png"];

pub(super) fn find(content: &Path) -> Result<Option<(Found, Vec<Diagnostic>)>, ReadError> {
    for file in super::above(content, &FILES) {
        let (source, mut problems) = read_file(&file)?;
        let folder = file.parent().unwrap_or(Path::new(""));
        let table = match super::toml(&source) {
            Ok(table) => table,
            Err(problem) => {
                problems.push(problem);
                return Ok(Some((Found::default(), problems)));
            }
        };
        let text = |path: &[&str]| {
            let (first, rest) = path.split_first()?;
            let value = rest
                .iter()
                .try_fold(table.get(*first)?, |value, key| value.get(key))?;
            value.as_str()
        };
        let pages = text(&["book", "src"]).unwrap_or("src");
        if !super::is_same_folder(&folder.join(pages), content) {
            continue;
        }
        let theme = folder.join(text(&["output", "html", "theme"]).unwrap_or("theme"));
        let code = text(&["output", "html", "git-repository-url"]).and_then(bar::code);
        let template = text(&["output", "html", "edit-url-template"]);
        let edit_url = template.and_then(|template| template.strip_suffix("{path}"));
        let found = Found {
            title: text(&["book", "title"]).map(str::to_owned),
            language: text(&["book", "language"]).map(str::to_owned),
            pictures: Pictures {
                favicon: super::usual_picture(&theme, &ICONS, &source),
                ..Pictures::default()
            },
            files: vec![file],
            edit_url: edit_url.map(|before| bar::folder_of_edit_links(before, pages)),
            origin: Origin {
                navbar: code.into_iter().collect(),
                ..Origin::default()
            },
            ..Found::default()
        };
        return Ok(Some((found, problems)));
    }
    Ok(None)
}
